//===- SplitBases.cpp - Several arrays below one pointer ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/SplitBases.h"
#include "adaptor/HiddenValues.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/Delinearization.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>
#include <numeric>

using namespace llvm;

/// More parts of one pointer are not looked at.
static const unsigned MaxParts = 16;
/// More subscripts neither.
static const unsigned MaxSteps = 8;
using namespace polygpu;

static bool isOutside(const Value *V, const LoopInfo &LI) {
  const auto *I = dyn_cast<Instruction>(V);
  return !I || !LI.getLoopFor(I->getParent());
}

static bool isDefaultPointer(const Value *V) {
  return V->getType()->isPointerTy() &&
         V->getType()->getPointerAddressSpace() == 0;
}

//===-- Parts of one allocation -------------------------------------------===//

namespace {

/// A pointer that is computed before the loops, from which they access.
struct Part {
  Value *Pointer;
  SmallVector<Type *, 1> Types;
  SmallVector<const SCEV *, 4> Terms; ///< row sizes in bytes, candidates
  SmallVector<const SCEV *, 4> Sizes;
};

/// All that is computed from one pointer.
using Parts = SmallVector<Part, 4>;

/// How many values are multiplied in a term of \p E at most?
unsigned degree(const SCEV *E) {
  if (isa<SCEVConstant>(E))
    return 0;
  if (const auto *Cast = dyn_cast<SCEVIntegralCastExpr>(E))
    return degree(Cast->getOperand());
  unsigned Sum = 0, Most = 0;
  if (const auto *Many = dyn_cast<SCEVNAryExpr>(E)) {
    for (const SCEV *Op : Many->operands()) {
      Sum += degree(Op);
      Most = std::max(Most, degree(Op));
    }
    return isa<SCEVMulExpr>(E) ? Sum : Most;
  }
  return 1;
}

class PoolSplitter {
public:
  PoolSplitter(Function &F, const LoopInfo &LI, ScalarEvolution &SE)
      : F(F), LI(LI), SE(SE) {}
  bool run();

private:
  Function &F;
  const LoopInfo &LI;
  ScalarEvolution &SE;
  MapVector<const Value *, Parts> Pools; ///< by the underlying pointer

  void add(Instruction &Access);
  bool areArrays(Parts &Pool);
};

/// The pointer behind constant offsets.
Value *stripConstants(Value *V) {
  while (auto *GEP = dyn_cast<GEPOperator>(V)) {
    if (!GEP->hasAllConstantIndices())
      break;
    V = GEP->getPointerOperand();
  }
  return V;
}

void PoolSplitter::add(Instruction &Access) {
  const Loop *L = LI.getLoopFor(Access.getParent());
  Value *Pointer = getLoadStorePointerOperand(&Access);
  if (!L || !Pointer || !isDefaultPointer(Pointer))
    return;
  Value *From = Pointer;
  while (auto *GEP = dyn_cast<GEPOperator>(From)) {
    if (isOutside(GEP, LI))
      break;
    From = GEP->getPointerOperand();
  }
  From = stripConstants(From);
  if (!isOutside(From, LI) || !isDefaultPointer(From))
    return;
  Value *Root = From;
  while (auto *GEP = dyn_cast<GEPOperator>(Root))
    Root = GEP->getPointerOperand();
  if (isa<ConstantPointerNull, UndefValue>(Root))
    return;
  Parts &Pool = Pools[Root];
  auto *It = find_if(Pool, [&](const Part &P) { return P.Pointer == From; });
  if (It == Pool.end()) {
    Pool.push_back({From, {}, {}, {}});
    It = &Pool.back();
  }
  Type *Ty = getLoadStoreType(&Access);
  if (!is_contained(It->Types, Ty))
    It->Types.push_back(Ty);
  const SCEV *Offset = SE.getMinusSCEV(SE.getSCEV(Pointer), SE.getSCEV(From));
  if (!isa<SCEVCouldNotCompute>(Offset))
    collectParametricTerms(SE, Offset, It->Terms);
}

/// Parts of different types or rows are arrays, and so are parts whose
/// distances are products, like that of matrices.  What is closer, like the
/// blocks of one matrix, is better left one array: their ranges overlap.
bool PoolSplitter::areArrays(Parts &Pool) {
  if (Pool.size() < 2 || Pool.size() > MaxParts)
    return false;
  bool TypesDiffer = false, RowsDiffer = false, AreFar = true;
  const Part *WithRows = nullptr;
  for (Part &P : Pool) {
    Type *Ty = P.Types.front();
    TypesDiffer |= P.Types.size() > 1 || Ty != Pool.front().Types.front();
    const SCEV *Size = SE.getSizeOfExpr(Type::getInt64Ty(F.getContext()), Ty);
    findArrayDimensions(SE, P.Terms, P.Sizes, Size);
    if (P.Sizes.size() < 2)
      continue;
    RowsDiffer |= WithRows && WithRows->Sizes != P.Sizes;
    WithRows = &P;
  }
  for (unsigned I = 0; I < Pool.size(); ++I)
    for (unsigned J = 0; J < I; ++J) {
      const SCEV *Distance = SE.getMinusSCEV(SE.getSCEV(Pool[I].Pointer),
                                             SE.getSCEV(Pool[J].Pointer));
      AreFar &= !isa<SCEVCouldNotCompute>(Distance) && degree(Distance) >= 2;
    }
  return TypesDiffer || RowsDiffer || (AreFar && WithRows);
}

bool PoolSplitter::run() {
  for (Instruction &I : instructions(F))
    add(I);
  bool Changed = false;
  for (auto &[Root, Pool] : Pools) {
    if (!areArrays(Pool))
      continue;
    for (const Part &P : Pool)
      if (CallInst *Own = hidePointer(P.Pointer, 0, F)) {
        // Calls may need the variable itself, like those that say where its
        // life begins and ends.
        P.Pointer->replaceUsesWithIf(Own, [&](const Use &U) {
          const auto *User = dyn_cast<Instruction>(U.getUser());
          return User && User->getFunction() == &F && !isa<CallBase>(User);
        });
        Changed = true;
      }
  }
  return Changed;
}

//===-- Fields of structures ----------------------------------------------===//

/// An index over elements that are so many bytes apart.
struct Step {
  uint64_t Stride;
  SmallVector<Value *, 2> Values;
};

/// The address of an access: base, constant offset, steps.
struct Path {
  Instruction *Access;
  Value *Base = nullptr;
  int64_t Key = 0;
  uint64_t Span = 0; ///< bytes of the outermost array, 0 if not known
  bool IsField = false;
  SmallVector<Step, 4> Steps;

  Step &step(uint64_t Stride) {
    for (Step &S : Steps)
      if (S.Stride == Stride)
        return S;
    Steps.push_back({Stride, {}});
    return Steps.back();
  }
};

/// Accesses that one array can stand for.
struct Group {
  Type *Ty;
  int64_t Size;
  int64_t Key;                      ///< of the first member
  uint64_t Span;                    ///< of the first member
  bool IsField;                     ///< is any member in a structure?
  SmallVector<uint64_t, 4> Strides; ///< outermost first
  SmallVector<Path *, 8> Members;
  bool InLoop = false, Written = false;
};

bool collect(Instruction &I, const DataLayout &DL, Path &P) {
  Value *Pointer = getLoadStorePointerOperand(&I);
  if (!Pointer || !isDefaultPointer(Pointer) ||
      DL.getIndexTypeSizeInBits(Pointer->getType()) != 64)
    return false;
  P.Access = &I;
  while (auto *GEP = dyn_cast<GEPOperator>(Pointer)) {
    bool First = true;
    Type *Outer = GEP->getSourceElementType();
    for (auto It = gep_type_begin(GEP), End = gep_type_end(GEP); It != End;
         ++It) {
      auto *C = dyn_cast<ConstantInt>(It.getOperand());
      if (StructType *Struct = It.getStructTypeOrNull()) {
        P.IsField = true;
        P.Key += static_cast<int64_t>(DL.getStructLayout(Struct)
                                          ->getElementOffset(C->getZExtValue())
                                          .getFixedValue());
      } else {
        TypeSize Stride = It.getSequentialElementStride(DL);
        if (Stride.isScalable() || Stride.isZero() ||
            !It.getOperand()->getType()->isIntegerTy())
          return false;
        uint64_t Bytes = Stride.getFixedValue();
        if (C) {
          P.IsField |= Bytes == 1;
          if (C->getValue().getSignificantBits() > 32)
            return false;
          P.Key += C->getSExtValue() * static_cast<int64_t>(Bytes);
        } else {
          if (P.Steps.empty() || Bytes > P.Steps.front().Stride)
            P.Span = First ? 0 : DL.getTypeAllocSize(Outer).getFixedValue();
          P.step(Bytes).Values.push_back(It.getOperand());
          sort(P.Steps, [](const Step &A, const Step &B) {
            return A.Stride > B.Stride;
          });
        }
      }
      // The array that the next index goes into.
      if (!First)
        Outer = It.getIndexedType();
      First = false;
    }
    Pointer = GEP->getPointerOperand();
  }
  P.Base = Pointer;
  // In an array of arrays, a constant offset is one of its rows.
  if (auto *G = dyn_cast<GlobalVariable>(Pointer)) {
    Type *Ty = G->getValueType();
    while (Ty->isArrayTy())
      Ty = Ty->getArrayElementType();
    P.IsField &= Ty->isAggregateType();
  }
  return true;
}

/// Is there an array type with such strides?
bool isChain(ArrayRef<uint64_t> Strides, int64_t Size) {
  for (unsigned I = 0; I < Strides.size(); ++I) {
    uint64_t Next = I + 1 < Strides.size() ? Strides[I + 1] : Size;
    if (Next == 0 || Strides[I] % Next)
      return false;
  }
  return true;
}

class FieldSplitter {
public:
  FieldSplitter(Function &F, const LoopInfo &LI)
      : F(F), LI(LI), DL(F.getDataLayout()) {}
  bool run();

private:
  Function &F;
  const LoopInfo &LI;
  const DataLayout &DL;
  std::vector<std::unique_ptr<Path>> Paths;
  MapVector<Value *, std::vector<Group>> Bases;

  void add(Path &P);
  bool areSeparate(const std::vector<Group> &Groups) const;
  bool areViews(const Value &Base, const std::vector<Group> &Groups) const;
  void rewrite(const Group &G, Value *Base);
  void flatten(const Group &G, Value *Base);
  static void replaceAddress(Instruction &Access, Value *Address);
};

/// Can \p P be an element of the array \p G?  With the same strides, distances
/// are whole outermost steps, or stay within one.  A part of the strides, like
/// that of a[0][j], has to be within the array.
bool fits(const Path &P, Type *Ty, const Group &G) {
  int64_t Distance = P.Key - G.Key;
  if (Ty != G.Ty || Distance % G.Size)
    return false;
  for (const Step &S : P.Steps)
    if (!is_contained(G.Strides, S.Stride))
      return false;
  if (G.Strides.empty())
    return Distance == 0;
  if (!P.IsField && !G.IsField)
    return true;
  if (P.Steps.size() < G.Strides.size() && G.Span)
    return Distance >= 0 && static_cast<uint64_t>(Distance) < G.Span;
  auto Outer = static_cast<int64_t>(G.Strides.front());
  return Distance % Outer == 0 || std::abs(Distance) < Outer;
}

void FieldSplitter::add(Path &P) {
  Type *Ty = getLoadStoreType(P.Access);
  TypeSize Size = DL.getTypeAllocSize(Ty);
  if (Size.isScalable() || Size.isZero())
    return;
  std::vector<Group> &Groups = Bases[P.Base];
  auto It = find_if(Groups, [&](const Group &G) { return fits(P, Ty, G); });
  if (It == Groups.end()) {
    Group G;
    G.Ty = Ty;
    G.Size = static_cast<int64_t>(Size.getFixedValue());
    G.Key = P.Key;
    G.Span = P.Span;
    G.IsField = P.IsField;
    for (const Step &S : P.Steps)
      G.Strides.push_back(S.Stride);
    Groups.push_back(std::move(G));
    It = std::prev(Groups.end());
  }
  It->InLoop |= LI.getLoopFor(P.Access->getParent()) != nullptr;
  It->Written |= isa<StoreInst>(P.Access);
  It->IsField |= P.IsField;
  It->Members.push_back(&P);
}

/// Does \p G, seen from the pointer, begin within a row?  Its last columns
/// would be in the next one.
bool beginsInRow(const Group &G) {
  int64_t First = G.Key;
  for (const Path *P : G.Members)
    First = std::min(First, P->Key);
  return G.InLoop && G.IsField && G.Strides.size() > 1 &&
         First % static_cast<int64_t>(G.Strides.front()) != 0;
}

/// Are there at least two arrays in loops, or one that begins within a row, and
/// none at the place of another?
bool FieldSplitter::areSeparate(const std::vector<Group> &Groups) const {
  bool AreSeveral = count_if(Groups, [](const Group &G) {
                      return G.InLoop && (G.Written || !G.Strides.empty());
                    }) >= 2;
  if (!(AreSeveral || any_of(Groups, beginsInRow)) || Groups.size() > MaxParts)
    return false;
  for (const Group &A : Groups) {
    if (!isChain(A.Strides, A.Size))
      return false;
    for (const Group &B : Groups)
      if (&A != &B && A.Key <= B.Key && B.Key < A.Key + A.Size &&
          (A.Strides == B.Strides || A.Strides.empty() || B.Strides.empty()))
        return false;
  }
  return true;
}

/// Address the members of \p G from \p Base, the place of its key.
void FieldSplitter::rewrite(const Group &G, Value *Base) {
  SmallVector<uint64_t, 4> Strides(G.Strides);
  if (!Strides.empty() && Strides.back() != static_cast<uint64_t>(G.Size))
    Strides.push_back(G.Size);
  Type *Source = G.Ty;
  for (unsigned D = Strides.size(); D-- > 1;)
    Source = ArrayType::get(Source, Strides[D - 1] / Strides[D]);
  for (Path *P : G.Members) {
    IRBuilder<> B(P->Access);
    SmallVector<Value *, 4> Indices;
    int64_t Rest = P->Key - G.Key;
    for (uint64_t Stride : Strides) {
      // Rounded down, so that subscripts within are not negative.
      auto Bytes = static_cast<int64_t>(Stride);
      int64_t Whole = Rest / Bytes - (Rest % Bytes < 0 ? 1 : 0);
      Rest -= Whole * Bytes;
      Value *Sum = nullptr;
      for (const Step &S : P->Steps)
        if (S.Stride == Stride)
          for (Value *V : S.Values) {
            V = B.CreateSExtOrTrunc(V, B.getInt64Ty());
            Sum = Sum ? B.CreateAdd(Sum, V) : V;
          }
      Value *C = ConstantInt::getSigned(B.getInt64Ty(), Whole);
      Indices.push_back(!Sum ? C : Whole ? B.CreateAdd(Sum, C) : Sum);
    }
    Value *Address =
        Indices.empty() ? Base : B.CreateGEP(Source, Base, Indices);
    replaceAddress(*P->Access, Address);
  }
}

void FieldSplitter::replaceAddress(Instruction &Access, Value *Address) {
  unsigned Operand = isa<LoadInst>(Access)
                         ? LoadInst::getPointerOperandIndex()
                         : StoreInst::getPointerOperandIndex();
  Value *Old = Access.getOperand(Operand);
  Access.setOperand(Operand, Address);
  RecursivelyDeleteTriviallyDeadInstructions(Old);
}

/// Is a local array seen with rows of several sizes from one element on?
bool FieldSplitter::areViews(const Value &Base,
                             const std::vector<Group> &Groups) const {
  if (!isa<AllocaInst>(Base) || Groups.size() < 2 || Groups.size() > MaxParts)
    return false;
  bool Meet = false;
  for (const Group &A : Groups) {
    if (A.Ty != Groups.front().Ty || A.IsField || !isChain(A.Strides, A.Size) ||
        any_of(A.Members, [&](const Path *P) { return P->Key % A.Size != 0; }))
      return false;
    for (const Group &B : Groups)
      Meet |= &A != &B && A.Key == B.Key && A.InLoop && B.InLoop && A.Written &&
              !A.Strides.empty() && !B.Strides.empty();
  }
  return Meet;
}

/// Address the members of \p G by one subscript, that of elements.
void FieldSplitter::flatten(const Group &G, Value *Base) {
  for (Path *P : G.Members) {
    IRBuilder<> B(P->Access);
    Value *Sum = ConstantInt::getSigned(B.getInt64Ty(), P->Key / G.Size);
    for (const Step &S : P->Steps)
      for (Value *V : S.Values) {
        Value *Rows = B.CreateSExtOrTrunc(V, B.getInt64Ty());
        Value *Elements = B.CreateMul(
            Rows, B.getInt64(S.Stride / static_cast<uint64_t>(G.Size)));
        Sum = B.CreateAdd(Sum, Elements);
      }
    replaceAddress(*P->Access, B.CreateGEP(G.Ty, Base, Sum));
  }
}

bool FieldSplitter::run() {
  bool Changed = false;
  for (Instruction &I : instructions(F)) {
    auto P = std::make_unique<Path>();
    if ((isa<LoadInst>(I) || isa<StoreInst>(I)) && collect(I, DL, *P) &&
        P->Steps.size() <= MaxSteps && isOutside(P->Base, LI) &&
        (!isa<Constant>(P->Base) || isa<GlobalVariable>(P->Base)))
      Paths.push_back(std::move(P));
  }
  // What tells most of the shape first.
  for (unsigned Depth = MaxSteps + 1; Depth-- > 0;)
    for (auto &P : Paths)
      if (P->Steps.size() == Depth)
        add(*P);
  for (auto &[Base, Groups] : Bases)
    if (areViews(*Base, Groups)) {
      for (const Group &G : Groups)
        flatten(G, Base);
      Changed = true;
    } else if (areSeparate(Groups))
      for (Group &G : Groups) {
        // From the first field on, so that no subscript is negative.
        for (const Path *P : G.Members)
          G.Key = std::min(G.Key, P->Key);
        if (CallInst *Own = hidePointer(Base, G.Key, F)) {
          rewrite(G, Own);
          Changed = true;
        }
      }
  return Changed;
}

} // namespace

//===-- Planes of an array ------------------------------------------------===//

namespace {

/// Addresses in loops that begin at one array.
struct Planes {
  uint64_t Size = 0;      ///< of a plane
  uint64_t Stride = 0;    ///< the largest one within planes
  bool HasOthers = false; ///< are there uses that may be in any plane?
  SmallVector<std::pair<GetElementPtrInst *, int64_t>, 8> Found; ///< offsets
  std::map<int64_t, CallInst *> Pointers;                        ///< by offset
};

class PlaneSplitter {
public:
  PlaneSplitter(Function &F, const LoopInfo &LI)
      : F(F), LI(LI), DL(F.getDataLayout()) {}
  bool run();

private:
  Function &F;
  const LoopInfo &LI;
  const DataLayout &DL;
  MapVector<Value *, Planes> Arrays;

  void add(Instruction &I);
  bool isSplit(const Planes &P) const;
};

/// Bytes from the array that \p V is behind constant offsets of, \p Size at
/// least those of its largest type.
int64_t offsetInto(const Value *V, const DataLayout &DL, uint64_t &Size) {
  int64_t Offset = 0;
  for (; const auto *GEP = dyn_cast<GEPOperator>(V);
       V = GEP->getPointerOperand()) {
    APInt Own(DL.getIndexTypeSizeInBits(V->getType()), 0);
    if (!GEP->accumulateConstantOffset(DL, Own))
      break;
    Offset += Own.getSExtValue();
    if (GEP->getSourceElementType()->isArrayTy())
      Size = std::max(
          Size,
          DL.getTypeAllocSize(GEP->getSourceElementType()).getFixedValue());
  }
  return Offset;
}

/// What \p I uses of arrays.
void PlaneSplitter::add(Instruction &I) {
  auto *GEP = dyn_cast<GetElementPtrInst>(&I);
  if (isOutside(&I, LI) || (GEP && GEP->hasAllConstantIndices()))
    return;
  for (Value *Op : I.operands()) {
    if (!isDefaultPointer(Op))
      continue;
    Value *Root = stripConstants(Op);
    if (!isOutside(Root, LI) || isa<ConstantPointerNull, UndefValue>(Root))
      continue;
    Planes &P = Arrays[Root];
    if (!GEP || !GEP->getSourceElementType()->isSized() ||
        DL.getTypeAllocSize(GEP->getSourceElementType()).isScalable()) {
      P.HasOthers = true;
      continue;
    }
    P.Stride = std::max(
        P.Stride,
        DL.getTypeAllocSize(GEP->getSourceElementType()).getFixedValue());
    P.Found.push_back({GEP, offsetInto(Op, DL, P.Size)});
    P.Pointers[P.Found.back().second] = nullptr;
  }
}

/// Are all addresses in planes that a constant says, and some in different
/// ones?
bool PlaneSplitter::isSplit(const Planes &P) const {
  return !P.HasOthers && P.Pointers.size() > 1 &&
         P.Pointers.size() <= MaxParts && P.Size && P.Stride < P.Size &&
         all_of(
             P.Pointers,
             [&](const auto &Entry) {
               return Entry.first % static_cast<int64_t>(P.Size) == 0;
             });
}

bool PlaneSplitter::run() {
  bool Changed = false;
  for (Instruction &I : instructions(F))
    add(I);
  for (auto &[Root, P] : Arrays) {
    // What a variable is an array of.
    Type *Ty = nullptr;
    if (const auto *G = dyn_cast<GlobalVariable>(Root))
      Ty = G->getValueType();
    else if (const auto *Local = dyn_cast<AllocaInst>(Root))
      Ty = Local->getAllocatedType();
    if (Ty && Ty->isArrayTy())
      P.Size = DL.getTypeAllocSize(Ty->getArrayElementType());
    if (!isSplit(P))
      continue;
    for (auto &[Offset, Pointer] : P.Pointers)
      Pointer = hidePointer(Root, Offset, F);
    for (auto [GEP, Offset] : P.Found)
      if (CallInst *Pointer = P.Pointers[Offset])
        GEP->setOperand(0, Pointer);
    Changed = true;
  }
  return Changed;
}

} // namespace

bool polygpu::splitPlanes(Function &F, const LoopInfo &LI) {
  return PlaneSplitter(F, LI).run();
}

void polygpu::splitBases(Function &F, FunctionAnalysisManager &FAM) {
  if (PoolSplitter(F, FAM.getResult<LoopAnalysis>(F),
                   FAM.getResult<ScalarEvolutionAnalysis>(F))
          .run())
    FAM.invalidate(F, PreservedAnalyses::none());
  if (FieldSplitter(F, FAM.getResult<LoopAnalysis>(F)).run())
    FAM.invalidate(F, PreservedAnalyses::none());
}
