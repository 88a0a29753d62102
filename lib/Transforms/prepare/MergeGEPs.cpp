//===- MergeGEPs.cpp - Undo the splitting of address computations ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/MergeGEPs.h"
#include "AddressPolynomial.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace polygpu;

namespace {

/// An address as base + terms of one value each + constant, in bytes, with the
/// array types that the chain of getelementptrs names.
struct Address {
  Value *Base = nullptr;
  AddressPolynomial<Value *> Terms;
  APInt Constant;
  Type *Shape = nullptr; ///< type that the outermost index steps over
};

/// Number of array levels of \p Ty, if any: 2 for [8 x [4 x float]].
unsigned arrayDepth(Type *Ty) {
  unsigned Depth = 0;
  for (; auto *A = dyn_cast_if_present<ArrayType>(Ty); Ty = A->getElementType())
    ++Depth;
  return Depth;
}

/// Write \p V * \p Factor as a sum of simpler terms: 48 * i + 1 as i with
/// 48 times the factor, and a constant.  In the width of an index arithmetic
/// may wrap, as addresses do.
void addTerm(Value *V, APInt Factor, Address &A, unsigned Depth = 0) {
  static const unsigned MaxDepth = 8;
  unsigned Bits = A.Constant.getBitWidth();
  auto *Op = dyn_cast<OverflowingBinaryOperator>(V);
  auto *C = Op ? dyn_cast<ConstantInt>(Op->getOperand(1)) : nullptr;
  if (!Op || V->getType()->getIntegerBitWidth() != Bits || Depth == MaxDepth) {
    A.Terms.add({{V}, Factor.getSExtValue()});
    return;
  }
  Value *First = Op->getOperand(0), *Second = Op->getOperand(1);
  switch (Op->getOpcode()) {
  case Instruction::Add:
    if (C)
      A.Constant += Factor * C->getValue();
    else
      addTerm(Second, Factor, A, Depth + 1);
    return addTerm(First, Factor, A, Depth + 1);
  case Instruction::Sub:
    break; // "n - i" is one subscript, n none
  case Instruction::Mul:
    if (C)
      return addTerm(First, Factor * C->getValue(), A, Depth + 1);
    break;
  default:
    if (C)
      return addTerm(First, Factor.shl(C->getValue()), A, Depth + 1);
  }
  A.Terms.add({{V}, Factor.getSExtValue()});
}

bool collect(Value *Pointer, const DataLayout &DL, Address &A) {
  unsigned Bits = DL.getIndexTypeSizeInBits(Pointer->getType());
  if (Bits > 64)
    return false;
  SmallMapVector<Value *, APInt, 4> Indices;
  A.Constant = APInt(Bits, 0);
  while (auto *GEP = dyn_cast<GEPOperator>(Pointer)) {
    if (GEP->getType()->isVectorTy() ||
        !GEP->collectOffset(DL, Bits, Indices, A.Constant))
      return false;
    Type *Source = GEP->getSourceElementType();
    if (arrayDepth(Source) > arrayDepth(A.Shape))
      A.Shape = Source;
    Pointer = GEP->getPointerOperand();
  }
  for (auto &[V, Factor] : Indices)
    addTerm(V, Factor, A);
  A.Base = Pointer;
  // The value type of a global tells its shape even where the chain does not.
  if (auto *G = dyn_cast<GlobalVariable>(Pointer))
    if (arrayDepth(G->getValueType()) > arrayDepth(A.Shape))
      A.Shape = G->getValueType();
  return true;
}

class Merger {
public:
  Merger(Instruction &Access, Address A, ScalarEvolution &SE)
      : Access(Access), A(std::move(A)), SE(SE), DL(Access.getDataLayout()),
        Bits(this->A.Constant.getBitWidth()) {}

  Value *run();

private:
  Instruction &Access;
  Address A;
  ScalarEvolution &SE;
  const DataLayout &DL;
  unsigned Bits;
  SmallVector<int64_t, 4> Strides; ///< bytes, outermost first
  SmallVector<int64_t, 4> Extents; ///< elements, 0 for the outermost
  SmallVector<SmallVector<std::pair<Value *, int64_t>, 2>, 4> Parts;
  SmallVector<int64_t, 4> Constants;

  bool setShape();
  bool splitTerms(bool Nearest);
  bool splitTerm(Value *V, int64_t Factor, bool Nearest);
  unsigned provable();
  bool leavesRows();
  bool goesThroughRows();
  bool splitConstant();
  bool isInRange(unsigned Dim, int64_t Constant);
  const SCEV *subscript(unsigned Dim, int64_t Constant);
};

bool Merger::setShape() {
  Type *Ty = A.Shape;
  Type *Accessed = getLoadStoreType(&Access);
  Extents.push_back(0);
  for (;;) {
    Strides.push_back(static_cast<int64_t>(DL.getTypeAllocSize(Ty)));
    auto *Array = dyn_cast<ArrayType>(Ty);
    if (!Array)
      break;
    Extents.push_back(static_cast<int64_t>(Array->getNumElements()));
    Ty = Array->getElementType();
  }
  // An array of structures has no subscript for the field.
  return Ty == Accessed ||
         (!Ty->isAggregateType() &&
          DL.getTypeAllocSize(Ty) == DL.getTypeAllocSize(Accessed));
}

/// Assign V * Factor to the outermost dimension whose stride divides the
/// factor, or, with Nearest, split it: 36 * i is one row and one element of
/// rows of 35.
bool Merger::splitTerm(Value *V, int64_t Factor, bool Nearest) {
  for (unsigned Dim = 0; Dim < Strides.size(); ++Dim) {
    int64_t Stride = Strides[Dim];
    if (Stride == 0 || (!Nearest && Factor % Stride))
      continue;
    int64_t Quotient = Factor / Stride, Rest = Factor % Stride;
    if (2 * std::abs(Rest) > Stride)
      Quotient += Rest > 0 ? 1 : -1;
    if (Quotient)
      Parts[Dim].push_back({V, Quotient});
    Factor -= Quotient * Stride;
  }
  return Factor == 0;
}

bool Merger::splitTerms(bool Nearest) {
  Parts.clear();
  Parts.resize(Strides.size());
  return all_of(A.Terms.terms(), [&](const auto &T) {
    return isIntN(std::min(Bits, 62u), T.Factor) &&
           splitTerm(T.Variables.front(), T.Factor, Nearest);
  });
}

const SCEV *Merger::subscript(unsigned Dim, int64_t Constant) {
  Type *Ty = IntegerType::get(Access.getContext(), Bits);
  const SCEV *Sum = SE.getConstant(Ty, Constant, true);
  for (auto &[V, F] : Parts[Dim])
    Sum = SE.getAddExpr(
        Sum, SE.getMulExpr(SE.getTruncateOrSignExtend(SE.getSCEV(V), Ty),
                           SE.getConstant(Ty, F, true)));
  return Sum;
}

bool Merger::isInRange(unsigned Dim, int64_t Constant) {
  const SCEV *Sum = subscript(Dim, Constant);
  const SCEV *End = SE.getConstant(Sum->getType(), Extents[Dim]);
  return SE.isKnownNonNegative(Sum) &&
         SE.isKnownPredicateAt(ICmpInst::ICMP_SLT, Sum, End, &Access);
}

/// Distribute the constant, innermost dimension first.  For each dimension
/// there are two candidates, one below and one above.
bool Merger::splitConstant() {
  if (A.Constant.getSignificantBits() > 62)
    return false;
  int64_t Rest = A.Constant.getSExtValue();
  Constants.assign(Strides.size(), 0);
  for (unsigned Dim = Strides.size() - 1; Dim > 0; --Dim) {
    int64_t Stride = Strides[Dim], Extent = Extents[Dim];
    if (Stride == 0 || Extent == 0 || Rest % Stride)
      return false;
    int64_t Low = (Rest / Stride) % Extent;
    if (Low < 0)
      Low += Extent;
    int64_t High = Low - Extent;
    int64_t Chosen = Low;
    if (!isInRange(Dim, Low) && (isInRange(Dim, High) || -High < Low))
      Chosen = High;
    Constants[Dim] = Chosen;
    Rest -= Chosen * Stride;
  }
  if (Strides[0] == 0 || Rest % Strides[0])
    return false;
  Constants[0] = Rest / Strides[0];
  return true;
}

/// True if a term steps over whole rows: with rows of 47, a step of 48 in the
/// last dimension leaves its range at once.
bool Merger::leavesRows() {
  for (unsigned Dim = 1; Dim < Strides.size(); ++Dim)
    for (auto &[V, F] : Parts[Dim])
      if (std::abs(F) >= Extents[Dim])
        return true;
  return false;
}

/// True if the only subscript that changes is beyond its dimension in the last
/// iteration: loops over all elements of a matrix go through its rows as
/// through one.
bool Merger::goesThroughRows() {
  if (count_if(Parts, [](const auto &Terms) { return !Terms.empty(); }) != 1)
    return false;
  for (unsigned Dim = 1; Dim < Strides.size(); ++Dim) {
    const auto *Counter =
        dyn_cast<SCEVAddRecExpr>(subscript(Dim, Constants[Dim]));
    if (!Counter || !Counter->isAffine())
      continue;
    const SCEV *Count = SE.getBackedgeTakenCount(Counter->getLoop());
    if (!isa<SCEVConstant>(Count) ||
        SE.getTypeSizeInBits(Count->getType()) > Bits)
      continue;
    const auto *Last = dyn_cast<SCEVConstant>(Counter->evaluateAtIteration(
        SE.getNoopOrZeroExtend(Count, Counter->getType()), SE));
    if (Last &&
        (Last->getAPInt().isNegative() || Last->getAPInt().sge(Extents[Dim])))
      return true;
  }
  return false;
}

/// Number of dimensions whose subscript is provably within the dimension.
unsigned Merger::provable() {
  unsigned Count = 0;
  for (unsigned Dim = 1; Dim < Strides.size(); ++Dim)
    Count += isInRange(Dim, Constants[Dim]);
  return Count;
}

Value *Merger::run() {
  if (arrayDepth(A.Shape) == 0 || !setShape())
    return nullptr;
  bool Whole = splitTerms(false) && splitConstant();
  unsigned WholeCount = Whole ? provable() : 0;
  if (Whole && leavesRows())
    Whole = false;
  if (!Whole || WholeCount + 1 < Strides.size()) {
    bool Split = splitTerms(true) && splitConstant();
    if (!Split && !Whole)
      return nullptr; // leave what there is
    if (Whole && (!Split || provable() <= WholeCount) &&
        !(splitTerms(false) && splitConstant()))
      return nullptr;
  }
  if (goesThroughRows())
    return nullptr;
  IRBuilder<> B(&Access);
  Type *Ty = B.getIntNTy(Bits);
  SmallVector<Value *, 4> Indices;
  for (unsigned Dim = 0; Dim < Strides.size(); ++Dim) {
    Value *Sum = nullptr;
    for (auto &[V, F] : Parts[Dim]) {
      Value *Term = B.CreateSExtOrTrunc(V, Ty);
      if (F != 1)
        Term = B.CreateMul(Term, ConstantInt::getSigned(Ty, F));
      Sum = Sum ? B.CreateAdd(Sum, Term) : Term;
    }
    Value *C = ConstantInt::getSigned(Ty, Constants[Dim]);
    if (!Sum)
      Sum = C;
    else if (Constants[Dim])
      Sum = B.CreateAdd(
          Sum, C, "",
          /*HasNUW=*/false,
          /*HasNSW=*/
          SE.willNotOverflow(Instruction::Add, true, subscript(Dim, 0),
                             SE.getConstant(Ty, Constants[Dim], true)));
    Indices.push_back(Sum);
  }
  return B.CreateGEP(A.Shape, A.Base, Indices);
}

} // namespace

namespace polygpu {

bool mergeGEPs(Function &F, ScalarEvolution &SE) {
  bool Changed = false;
  SmallVector<Instruction *, 32> Accesses;
  for (Instruction &I : instructions(F))
    if (getLoadStorePointerOperand(&I))
      Accesses.push_back(&I);
  for (Instruction *I : Accesses) {
    auto *Old = const_cast<Value *>(getLoadStorePointerOperand(I));
    Address A;
    if (!isa<GEPOperator>(Old) || !collect(Old, F.getDataLayout(), A))
      continue;
    Value *New = Merger(*I, std::move(A), SE).run();
    if (!New)
      continue;
    I->replaceUsesOfWith(Old, New);
    RecursivelyDeleteTriviallyDeadInstructions(Old);
    Changed = true;
  }
  return Changed;
}

} // namespace polygpu
