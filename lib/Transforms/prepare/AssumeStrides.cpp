//===- AssumeStrides.cpp - Strides that are numbers of bytes --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An offset in bytes is divided by the size of what is accessed, term by term.
// The quotient times the size is the offset modulo 2^64, as addresses are, also
// where products overflow.  Compilers that look at a stride themselves, and
// have a loop for elements that are next to each other, compute the quotient as
// a shifted product, of which the same is true.
//
//===----------------------------------------------------------------------===//

#include "prepare/AssumeStrides.h"
#include "adaptor/HiddenValues.h"
#include "prepare/HoistLoads.h"
#include "prepare/Versions.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// Numbers of versions of this pass (those of HoistChecks are below).
const unsigned FirstNumber = 2000;
/// Operations in one offset, and address computations of one access.
const unsigned MaxSteps = 16;
/// Strides of a loop.
const size_t MaxStrides = 32;

/// A sum of products that is an offset, in units of 2^Bits bytes.
struct Offset {
  GetElementPtrInst *GEP;
  unsigned Bits;
  bool IsShifted; ///< the index is the quotient already
};

class StrideAssumer {
public:
  StrideAssumer(Loop &L, ScalarEvolution &SE, LoopInfo &LI)
      : L(L), SE(SE), LI(LI) {}

  /// Are there offsets whose strides may be assumed something of?
  bool collect();
  /// Whether the strides are what is assumed, i1, computed at \p Before.
  Value *expand(Instruction *Before);
  /// Let the loop be one in which that is so.
  void rewrite(Instruction *Before);

private:
  Loop &L;
  ScalarEvolution &SE;
  LoopInfo &LI;
  SmallVector<Offset, 16> Offsets;
  SmallPtrSet<const GetElementPtrInst *, 16> Seen;
  MapVector<Value *, ConstantInt *> Equal; ///< strides that are constants
  MapVector<Value *, unsigned> Multiple;   ///< of 2^N
  DenseMap<std::pair<Value *, unsigned>, Value *> Quotients;

  using Terms = SmallVector<std::pair<Value *, Value *>, 4>;
  bool isStride(const Value *V) const;
  bool divide(Value *V, unsigned Bits, Terms &Found, unsigned Steps = 0) const;
  Value *quotient(Value *V, unsigned Bits, Instruction *Before);
  void addOffset(const Offset &O, const Terms &Found);
  void addAccess(Instruction &I);
  void addComparisons();
  void assumeDense(const Terms &Found, unsigned Bits, const Instruction &I);
};

bool StrideAssumer::isStride(const Value *V) const {
  const auto *I = dyn_cast<Instruction>(V);
  return V->getType()->isIntegerTy(64) && !isa<Constant>(V) &&
         !(I && L.contains(I));
}

/// Is \p V a sum of multiples of 2^Bits, if the strides in \p Found are, which
/// are multiplied by the second ones?
bool StrideAssumer::divide(Value *V, unsigned Bits, Terms &Found,
                           unsigned Steps) const {
  Value *A, *B;
  const APInt *C;
  if (Steps > MaxSteps)
    return false;
  if (match(V, m_APInt(C)))
    return C->countr_zero() >= Bits;
  if (isStride(V)) {
    Found.push_back({V, nullptr});
    return true;
  }
  if (match(V, m_Add(m_Value(A), m_Value(B))) ||
      match(V, m_Sub(m_Value(A), m_Value(B))))
    return divide(A, Bits, Found, Steps + 1) &&
           divide(B, Bits, Found, Steps + 1);
  if (match(V, m_Shl(m_Value(A), m_APInt(C))))
    return C->uge(Bits) && C->ult(64);
  if (!match(V, m_Mul(m_Value(A), m_Value(B))))
    return false;
  if (match(B, m_APInt(C)) && C->countr_zero() >= Bits)
    return true;
  if (isStride(A) == isStride(B))
    return false;
  Found.push_back(isStride(A) ? std::pair(A, B) : std::pair(B, A));
  return true;
}

/// V / 2^Bits at \p Before, of a V for which divide holds.
Value *StrideAssumer::quotient(Value *V, unsigned Bits, Instruction *Before) {
  IRBuilder<> B(Before);
  Value *X, *Y;
  const APInt *C;
  if (match(V, m_APInt(C)))
    return B.getInt64(C->ashr(Bits).getSExtValue());
  if (Value *Known = Quotients.lookup({V, Bits}))
    return Known;
  if (match(V, m_Add(m_Value(X), m_Value(Y))))
    return B.CreateAdd(quotient(X, Bits, Before), quotient(Y, Bits, Before));
  if (match(V, m_Sub(m_Value(X), m_Value(Y))))
    return B.CreateSub(quotient(X, Bits, Before), quotient(Y, Bits, Before));
  if (match(V, m_Shl(m_Value(X), m_APInt(C))))
    return B.CreateShl(X, C->getZExtValue() - Bits);
  match(V, m_Mul(m_Value(X), m_Value(Y)));
  auto IsDivisible = [&](Value *F) {
    return match(F, m_APInt(C)) ? C->countr_zero() >= Bits
                                : Quotients.contains({F, Bits});
  };
  if (!IsDivisible(X))
    std::swap(X, Y);
  return B.CreateMul(quotient(X, Bits, Before), Y);
}

/// The one that is first in memory, where that is known of all \p Strides: in
/// descriptors dimensions follow each other.
Value *firstOf(ArrayRef<Value *> Strides, const DataLayout &DL) {
  Value *First = nullptr;
  const Value *Base = nullptr;
  APInt Least(64, 0);
  for (Value *V : Strides) {
    const auto *Load = dyn_cast<LoadInst>(V);
    if (!Load)
      return nullptr;
    APInt At(64, 0);
    const Value *From =
        Load->getPointerOperand()->stripAndAccumulateConstantOffsets(DL, At,
                                                                     true);
    if (First && From != Base)
      return nullptr;
    if (!First || At.slt(Least)) {
      First = V;
      Least = At;
    }
    Base = From;
  }
  return First;
}

/// Of several strides one is that of elements which are next to each other:
/// that of the first dimension, or of the innermost loop that \p I is in.
void StrideAssumer::assumeDense(const Terms &Found, unsigned Bits,
                                const Instruction &I) {
  SmallSetVector<Value *, 4> Strides;
  for (auto [Stride, Factor] : Found) {
    if (Equal.contains(Stride))
      return;
    Strides.insert(Stride);
  }
  if (Strides.size() < 2)
    return;
  auto *Size =
      ConstantInt::get(Type::getInt64Ty(I.getContext()), uint64_t(1) << Bits);
  if (Value *First = firstOf(Strides.getArrayRef(), I.getDataLayout())) {
    Equal[First] = Size;
    return;
  }
  const Loop *Inner = LI.getLoopFor(I.getParent());
  for (auto [Stride, Factor] : Found)
    if (Factor && !SE.isLoopInvariant(SE.getSCEV(Factor), Inner)) {
      Equal[Stride] = Size;
      return;
    }
}

void StrideAssumer::addOffset(const Offset &O, const Terms &Found) {
  if (Seen.insert(O.GEP).second)
    Offsets.push_back(O);
  for (auto [Stride, Factor] : Found) {
    unsigned &Most = Multiple[Stride];
    Most = std::max(Most, O.Bits);
  }
}

/// What offsets a load or store has.
void StrideAssumer::addAccess(Instruction &I) {
  Value *Address = getLoadStorePointerOperand(&I);
  const DataLayout &DL = I.getDataLayout();
  TypeSize Stored = DL.getTypeStoreSize(getLoadStoreType(&I));
  if (Stored.isScalable())
    return;
  uint64_t Size = Stored.getFixedValue();
  if (!isPowerOf2_64(Size) || Size == 1 || Size > 16)
    return;
  Terms All;
  bool IsDense = false;
  for (unsigned Step = 0; Step < MaxSteps; ++Step) {
    auto *GEP = dyn_cast<GetElementPtrInst>(Address);
    if (!GEP || !L.contains(GEP) || GEP->getNumIndices() != 1)
      break;
    Value *Index = *GEP->idx_begin();
    Address = GEP->getPointerOperand();
    TypeSize Unit = DL.getTypeAllocSize(GEP->getSourceElementType());
    Terms Found;
    Value *Product;
    const APInt *Shift;
    if (!Index->getType()->isIntegerTy(64) || isa<Constant>(Index) ||
        Unit.isScalable())
      continue;
    if (Unit == 1 && divide(Index, Log2_64(Size), Found) && !Found.empty())
      addOffset({GEP, Log2_64(Size), false}, Found);
    else if (match(Index, m_AShr(m_Value(Product), m_APInt(Shift))) &&
             Shift->ult(5) && Unit == (1u << Shift->getZExtValue()) &&
             divide(Product, Shift->getZExtValue(), Found) && !Found.empty())
      addOffset({GEP, unsigned(Shift->getZExtValue()), true}, Found);
    else {
      // Flang's loop for elements that are next to each other.
      IsDense |= Unit == Size;
      continue;
    }
    All.append(Found);
  }
  if (!IsDense)
    assumeDense(All, Log2_64(Size), I);
}

/// Strides that the loop compares with a size itself.
void StrideAssumer::addComparisons() {
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      Value *V;
      ConstantInt *C;
      if (match(&I, m_ICmp(m_Value(V), m_ConstantInt(C))) &&
          cast<ICmpInst>(I).isEquality() && isStride(V))
        Equal.insert({V, C});
    }
}

bool StrideAssumer::collect() {
  if (!L.isLoopSimplifyForm() || !L.isSafeToClone() || !L.getUniqueExitBlock())
    return false;
  addComparisons();
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (isa<LoadInst, StoreInst>(I))
        addAccess(I);
  // Only what is a stride.
  Equal.remove_if([&](const auto &Entry) {
    return !Multiple.contains(Entry.first) ||
           Entry.second->getValue().countr_zero() < Multiple[Entry.first];
  });
  const DataLayout &DL = L.getHeader()->getDataLayout();
  return Multiple.size() <= MaxStrides && any_of(Multiple, [&](auto &Entry) {
           APInt Rest = APInt::getLowBitsSet(64, Entry.second);
           return Equal.contains(Entry.first) ||
                  !MaskedValueIsZero(Entry.first, Rest, DL);
         });
}

Value *StrideAssumer::expand(Instruction *Before) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(DebugLoc());
  Value *Holds = B.getTrue();
  for (auto [Stride, Bits] : Multiple) {
    Value *IsSo;
    if (ConstantInt *C = Equal.lookup(Stride))
      IsSo = B.CreateICmpEQ(Stride, C);
    else
      IsSo = B.CreateICmpEQ(
          B.CreateAnd(Stride, B.getInt64((uint64_t(1) << Bits) - 1)),
          B.getInt64(0));
    Holds = B.CreateAnd(Holds, IsSo);
  }
  return B.CreateFreeze(Holds);
}

void StrideAssumer::rewrite(Instruction *Before) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(DebugLoc());
  for (const Offset &O : Offsets)
    for (auto [Stride, Most] : Multiple) {
      Value *&Quotient = Quotients[{Stride, O.Bits}];
      if (Quotient || O.Bits > Most)
        continue;
      if (ConstantInt *C = Equal.lookup(Stride)) {
        Quotient = B.getInt64(C->getValue().ashr(O.Bits).getSExtValue());
        continue;
      }
      // One for all accesses, and no part of a larger expression.
      // Where a rest is left it is not used, and no poison.
      auto *Shifted =
          BinaryOperator::CreateAShr(Stride, B.getInt64(O.Bits), "stride");
      Shifted->insertBefore(Before->getIterator());
      polygpu::hideValue(*Shifted);
      Quotient = Shifted->getNextNode();
    }
  for (const Offset &O : Offsets) {
    Value *Index = *O.GEP->idx_begin();
    Value *Bytes =
        O.IsShifted ? cast<Instruction>(Index)->getOperand(0) : Index;
    Value *New = quotient(Bytes, O.Bits, O.GEP);
    B.SetInsertPoint(O.GEP);
    Value *Address =
        B.CreateGEP(B.getIntNTy(8u << O.Bits), O.GEP->getPointerOperand(), New);
    O.GEP->replaceAllUsesWith(Address);
    O.GEP->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(Index);
  }
  for (auto [Stride, C] : Equal)
    Stride->replaceUsesWithIf(C, [&](const Use &U) {
      const auto *I = dyn_cast<Instruction>(U.getUser());
      return I && L.contains(I);
    });
}

/// Have \p BB go on where its condition, which may be a constant now, says.
void foldBranch(BasicBlock &BB) {
  for (Instruction &I : make_early_inc_range(BB))
    if (isa<ICmpInst, BinaryOperator>(I))
      if (Value *V = simplifyInstruction(&I, BB.getDataLayout())) {
        I.replaceAllUsesWith(V);
        I.eraseFromParent();
      }
  ConstantFoldTerminator(&BB, /*DeleteDeadConditions=*/true);
}

} // namespace

namespace polygpu {

PreservedAnalyses AssumeStridesPass::run(Function &F,
                                         FunctionAnalysisManager &FAM) {
  static const char *const So = "strides are multiples of elements, of which "
                                "those of the first dimension are next to each "
                                "other";
  static const char *const NotSo = "a stride is no multiple of an element, or "
                                   "elements of the first dimension are not "
                                   "next to each other";
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  SmallVector<BasicBlock *, 16> Assuming;
  SmallVector<const Loop *, 4> Done;
  for (auto [Number, L] : enumerate(LI.getLoopsInPreorder())) {
    if (Choice.NotHere.contains(FirstNumber + Number) ||
        any_of(Done, [L = L](const Loop *Outer) { return Outer->contains(L); }))
      continue;
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    StrideAssumer Assumer(*L, SE, LI);
    if (!Assumer.collect() || isVersioned(*L, DT))
      continue;
    if (!L->isRecursivelyLCSSAForm(DT, LI))
      formLCSSARecursively(*L, DT, &LI, &SE);
    makeVersions(*L, FirstNumber + Number, LI, DT);
    Instruction *Before = L->getLoopPreheader()->getTerminator();
    Value *Holds = Assumer.expand(Before);
    // Quotients are known where the version begins (OrderStrides).
    Assumer.rewrite(L->getLoopPreheader()->getTerminator());
    describeVersion(*L, FirstNumber + Number, {},
                    AssumedTruth{Holds, So, NotSo});
    SE.forgetAllLoops();
    append_range(Assuming, L->blocks());
    Done.push_back(L);
  }
  if (Done.empty())
    return PreservedAnalyses::all();
  for (BasicBlock *BB : Assuming)
    foldBranch(*BB);
  removeUnreachableBlocks(F);
  return PreservedAnalyses::none();
}

} // namespace polygpu
