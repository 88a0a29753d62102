//===- RowPointers.cpp - Matrices as arrays of pointers to rows -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row's pointer is what it was where the assumption holds: the pointer that
// was loaded becomes that of row 0, which need not be there, and a multiple of
// the step.  The runtime looks at all pointers between the first and the last
// one that loads may read in any iteration, whether they do or not, without
// touching what is not there (polygpu_row_step).
//
// Rows that only loops read which run as often as data say, as those of a
// sparse matrix, may be anywhere: the pointer becomes a number, and the row
// what begins so many elements behind the first one, an index like others
// (IndirectReads.h).  Elements are at multiples of their size.
//
//===----------------------------------------------------------------------===//

#include "prepare/RowPointers.h"
#include "RuntimeFunctions.h"
#include "adaptor/HiddenValues.h"
#include "prepare/HoistLoads.h"
#include "prepare/IndirectPlaces.h"
#include "prepare/Versions.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// Numbers of versions of this pass.
const unsigned FirstNumber = 6000, FirstEarly = 7000;
/// Arrays of pointers of a loop, and loads from one.
const size_t MaxMatrices = 8, MaxLoads = 32;
/// Address computations of one load, and pointers to pointers.
const unsigned MaxSteps = 8, MaxLevels = 3;

/// The addresses of what is loaded in any iteration, or more.
struct Range {
  const SCEV *Low, *High;
};

/// A load of a row's pointer.
struct RowLoad {
  LoadInst *Load;
  Instruction *Row; ///< that, or a phi of it and of null, where it is not used
  SmallVector<GetElementPtrInst *, 4> GEPs; ///< from its address to the array
  Range Places;
};

/// Where pointers are: in an array, or in members of its elements.
struct Holder {
  Value *Array;
  int64_t Pitch;  ///< bytes from one to the next
  int64_t Offset; ///< bytes in front of the first one, less than that

  auto key() const { return std::tuple(Array, Pitch, Offset); }
};

/// A matrix as an array of pointers.
struct Matrix {
  Holder In;
  SmallVector<RowLoad, 4> Loads;
  Type *Element = nullptr;     ///< of rows, which is what they are told in
  Value *Step = nullptr;       ///< from row to row, in elements
  Value *Base = nullptr;       ///< of row 0
  bool MayChange = false;      ///< for all that types say
  bool IsScattered = false;    ///< rows may be anywhere
  Value *BaseNumber = nullptr; ///< of the base's address, if they may
};

class RowAssumer {
public:
  RowAssumer(Loop &L, ScalarEvolution &SE, const LoopInfo &LI,
             const DominatorTree &DT, AAResults &AA)
      : L(L), SE(SE), LI(LI), DT(DT), AA(AA), Expander(SE, "rows") {}

  /// Are there rows of which something may be assumed?
  bool collect();
  /// Are there rows of pointers to rows?  These are to be looked at when their
  /// rows are a matrix.
  bool hasMore() const { return HasMore; }
  /// Is anything assumed of where rows are?
  bool assumesSteps() const;
  /// May stores to rows be stores to pointers, as those of char?
  bool mayStoreToPointers() const;
  /// Is all that has to be looked at known at \p I?
  bool isKnownAt(const Instruction &I);
  /// Whether rows are where it is assumed, i1, computed at \p Before.
  Value *expand(Instruction *Before);
  /// Pointers that are assumed not to change, made by expand().
  SmallVector<polygpu::AssumedPlace, 4> Places;
  /// Let the loop be one in which that is so.
  void rewrite();

private:
  Loop &L;
  ScalarEvolution &SE;
  const LoopInfo &LI;
  const DominatorTree &DT;
  AAResults &AA;
  SCEVExpander Expander;
  SmallVector<Matrix, 4> Matrices;
  bool HasMore = false;

  Type *elementOf(const Instruction &Row) const;
  std::optional<Holder> holderOf(RowLoad &Row) const;
  std::optional<Range> placesOf(const LoadInst &Load);
  const SCEV *last(const SCEV *E, const Loop &In);
  bool isKnownAt(const Value *V, const Instruction &I, unsigned Step = 0) const;
  Value *computedAt(Value *V, const Instruction &I, IRBuilder<> &B) const;
  bool isInRow(const LoadInst &Load) const;
  bool addLoad(LoadInst &Load);
  Value *numberOf(IRBuilder<> &B, const Matrix &M, const RowLoad &Row) const;
  bool findChanges();
  bool isScattered(const RowLoad &Row, uint64_t Size) const;
  void findScattered();
  bool canExpand(const SCEV *E, const Instruction &I);
  Value *iterations(IRBuilder<> &B);
  void look(IRBuilder<> &B, Value *Iterations, Matrix &M);
  Value *scatteredRow(IRBuilder<> &B, const Matrix &M, const RowLoad &Row);
};

/// What a loop under a condition gets for \p Load, which was moved in front of
/// it under that condition (HoistLoads): a phi of it and of null.
PHINode *chosen(LoadInst &Load) {
  auto *Phi =
      Load.hasOneUse() ? dyn_cast<PHINode>(*Load.user_begin()) : nullptr;
  return Phi && all_of(Phi->incoming_values(),
                       [&](const Use &U) {
                         return U == &Load ||
                                isa<ConstantPointerNull, UndefValue>(U);
                       })
             ? Phi
             : nullptr;
}

/// Does the loop read or write something at \p Pointer?
bool isAddress(const Instruction &Pointer) {
  return any_of(Pointer.users(), [&](const User *U) {
    return isa<GetElementPtrInst>(U) ||
           getLoadStorePointerOperand(U) == &Pointer;
  });
}

/// What rows consist of, if \p Row is a pointer to one and nothing else is done
/// with it.
Type *RowAssumer::elementOf(const Instruction &Row) const {
  Type *Element = nullptr;
  const DataLayout &DL = Row.getDataLayout();
  for (const User *U : Row.users()) {
    const auto *I = dyn_cast<Instruction>(U);
    const auto *GEP = dyn_cast<GetElementPtrInst>(U);
    if (!I || !L.contains(I))
      return nullptr;
    Type *Ty = nullptr;
    if (GEP && GEP->getPointerOperand() == &Row && GEP->getNumIndices() == 1)
      Ty = GEP->getSourceElementType();
    else if (getLoadStorePointerOperand(I) == &Row)
      Ty = getLoadStoreType(const_cast<Instruction *>(I));
    if (!Ty || DL.getTypeAllocSize(Ty).isScalable() ||
        DL.getTypeAllocSize(Ty).isZero())
      return nullptr;
    // A constant number of bytes is one of elements.
    if (GEP && Ty->isIntegerTy(8) && GEP->hasAllConstantIndices())
      continue;
    if (Element && DL.getTypeAllocSize(Element) != DL.getTypeAllocSize(Ty))
      return nullptr;
    Element = Ty;
  }
  return Element;
}

/// The bytes that \p GEP adds to what its first index, which is no constant, is
/// multiplied by; nothing if others are none either.
std::optional<int64_t> constantPart(const GetElementPtrInst &GEP,
                                    const DataLayout &DL) {
  SmallVector<Value *, 4> Indices(GEP.indices());
  if (!all_of(drop_begin(Indices), IsaPred<ConstantInt>))
    return std::nullopt;
  if (!isa<ConstantInt>(Indices.front()))
    Indices.front() = ConstantInt::get(Indices.front()->getType(), 0);
  return DL.getIndexedOffsetInType(GEP.getSourceElementType(), Indices);
}

int64_t floorOf(int64_t Bytes, int64_t Pitch) {
  return divideFloorSigned(Bytes, Pitch);
}

/// Have \p In be what \p GEP goes from, if it goes on by whole elements and
/// constants.
bool goBack(Holder &In, GetElementPtrInst &GEP, const DataLayout &DL) {
  TypeSize Unit = DL.getTypeAllocSize(GEP.getSourceElementType());
  std::optional<int64_t> Constant = constantPart(GEP, DL);
  const Value *Index = *GEP.idx_begin();
  if (Unit.isScalable() || !Constant)
    return false;
  if (!isa<ConstantInt>(Index)) {
    const int64_t Pitch = Unit.getFixedValue();
    if (!Index->getType()->isIntegerTy(64) || (In.Pitch && In.Pitch != Pitch))
      return false;
    In.Pitch = Pitch;
  }
  In.Offset += *Constant;
  In.Array = GEP.getPointerOperand();
  return true;
}

/// What holds the pointers, with the way to it.
std::optional<Holder> RowAssumer::holderOf(RowLoad &Row) const {
  const DataLayout &DL = L.getHeader()->getDataLayout();
  Holder In = {Row.Load->getPointerOperand(), 0, 0};
  auto *GEP = dyn_cast<GetElementPtrInst>(In.Array);
  while (GEP && Row.GEPs.size() < MaxSteps && goBack(In, *GEP, DL)) {
    Row.GEPs.push_back(GEP);
    GEP = dyn_cast<GetElementPtrInst>(In.Array);
  }
  if (!SE.isLoopInvariant(SE.getSCEV(In.Array), &L) || !In.Pitch ||
      In.Pitch % int64_t(DL.getPointerSize()) != 0)
    return std::nullopt;
  In.Offset -= floorOf(In.Offset, In.Pitch) * In.Pitch;
  return In;
}

/// \p E in the last iteration of \p In, or null.
const SCEV *RowAssumer::last(const SCEV *E, const Loop &In) {
  const SCEV *Count = SE.getBackedgeTakenCount(&In);
  if (isa<SCEVCouldNotCompute>(Count))
    return nullptr;
  return cast<SCEVAddRecExpr>(E)->evaluateAtIteration(Count, SE);
}

/// 1 or -1 if \p Step is a positive or a negative number, or one times a step
/// from row to row, where there is one; else 0.
int signOf(const SCEV *Step) {
  if (const auto *Sum = dyn_cast<SCEVAddExpr>(Step)) {
    int Sign = signOf(Sum->getOperand(0));
    return all_of(Sum->operands(),
                  [&](const SCEV *Part) { return signOf(Part) == Sign; })
               ? Sign
               : 0;
  }
  if (const auto *Product = dyn_cast<SCEVMulExpr>(Step)) {
    const auto *Rows = dyn_cast<SCEVUnknown>(Product->getOperand(1));
    const auto *Call = Rows ? dyn_cast<CallInst>(Rows->getValue()) : nullptr;
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (Product->getNumOperands() != 2 || !Callee ||
        Callee->getName() != polygpu::RowStepName)
      return 0;
    Step = Product->getOperand(0);
  }
  const auto *C = dyn_cast<SCEVConstant>(Step);
  return !C || C->isZero() ? 0 : C->getAPInt().isNegative() ? -1 : 1;
}

/// From the innermost loop on, what each makes of the lowest and the highest
/// address: these are in its first and its last iteration.
std::optional<Range> RowAssumer::placesOf(const LoadInst &Load) {
  const SCEV *Address =
      SE.getSCEV(const_cast<Value *>(Load.getPointerOperand()));
  Range Places = {Address, Address};
  for (const Loop *In = LI.getLoopFor(Load.getParent()); In && L.contains(In);
       In = In->getParentLoop()) {
    auto End = [&](const SCEV *E, bool Highest) -> const SCEV * {
      if (SE.isLoopInvariant(E, In))
        return E;
      const auto *AR = dyn_cast<SCEVAddRecExpr>(E);
      if (!AR || AR->getLoop() != In || !AR->isAffine())
        return nullptr;
      int Sign = signOf(AR->getStepRecurrence(SE));
      if (Sign == 0)
        return nullptr;
      return (Sign > 0) == Highest ? last(E, *In) : AR->getStart();
    };
    Places = {End(Places.Low, false), End(Places.High, true)};
    if (!Places.Low || !Places.High)
      return std::nullopt;
  }
  if (!SE.isLoopInvariant(Places.Low, &L) ||
      !SE.isLoopInvariant(Places.High, &L))
    return std::nullopt;
  return Places;
}

/// Is \p Load in a row that another load leads to, which is a pointer then as
/// well?
bool RowAssumer::isInRow(const LoadInst &Load) const {
  const Value *Address = Load.getPointerOperand();
  while (const auto *GEP = dyn_cast<GetElementPtrInst>(Address))
    Address = GEP->getPointerOperand();
  const auto *Row = dyn_cast<Instruction>(Address);
  return Row && L.contains(Row) && isa<LoadInst, PHINode>(Row) && Row != &Load;
}

/// Can \p V be computed at \p I, if it is not there?
bool RowAssumer::isKnownAt(const Value *V, const Instruction &I,
                           unsigned Step) const {
  const auto *Def = dyn_cast<Instruction>(V);
  return DT.dominates(V, &I) ||
         (Def && Step < MaxSteps && !isa<PHINode>(Def) &&
          !Def->mayReadFromMemory() && isSafeToSpeculativelyExecute(Def) &&
          all_of(
              Def->operands(),
              [&](const Use &U) { return isKnownAt(U, I, Step + 1); }));
}

/// \p V of which that is true.
Value *RowAssumer::computedAt(Value *V, const Instruction &I,
                              IRBuilder<> &B) const {
  if (DT.dominates(V, &I))
    return V;
  Instruction *Copy = cast<Instruction>(V)->clone();
  for (Use &U : Copy->operands())
    U = computedAt(U, I, B);
  return B.Insert(Copy);
}

/// False if the loop has rows that nothing can be assumed of.
bool RowAssumer::addLoad(LoadInst &Load) {
  PHINode *Phi = chosen(Load);
  RowLoad Row = {&Load, Phi ? cast<Instruction>(Phi) : &Load, {}, {}};
  if (!Load.getType()->isPointerTy() ||
      SE.isLoopInvariant(SE.getSCEV(Load.getPointerOperand()), &L) ||
      !isAddress(*Row.Row))
    return true;
  if (isInRow(Load)) {
    HasMore = true;
    return true;
  }
  Type *Element = elementOf(*Row.Row);
  std::optional<Holder> In =
      Load.isSimple() && Element ? holderOf(Row) : std::nullopt;
  std::optional<Range> Places = In ? placesOf(Load) : std::nullopt;
  if (!Places || !all_of(Row.GEPs, [&](GetElementPtrInst *GEP) {
        return isKnownAt(GEP->idx_begin()->get(), *Row.Row);
      }))
    return false;
  auto *M = find_if(Matrices,
                    [&](const Matrix &M) { return M.In.key() == In->key(); });
  if (M == Matrices.end()) {
    Matrices.emplace_back();
    M = &Matrices.back();
    M->In = *In;
    M->Element = Element;
  }
  const DataLayout &DL = Load.getDataLayout();
  if (DL.getTypeAllocSize(M->Element) != DL.getTypeAllocSize(Element))
    return false;
  Row.Places = *Places;
  M->Loads.push_back(Row);
  return M->Loads.size() <= MaxLoads && Matrices.size() <= MaxMatrices;
}

/// May the loop change pointers, for all that is known?  False if that is so
/// for more than can be asked for.
bool RowAssumer::findChanges() {
  BatchAAResults Batch(AA);
  for (Matrix &M : Matrices)
    for (const RowLoad &Row : M.Loads) {
      auto Place = MemoryLocation::getBeforeOrAfter(
          Row.Load->getPointerOperand(), Row.Load->getAAMetadata());
      for (BasicBlock *BB : L.blocks())
        for (Instruction &I : *BB) {
          if (!I.mayWriteToMemory() || polygpu::isVersionCall(I) ||
              !isModSet(Batch.getModRefInfo(&I, Place)))
            continue;
          // What stores pointers had better be taken for a change.
          const auto *Store = dyn_cast<StoreInst>(&I);
          if (!Store || Store->getValueOperand()->getType()->isPointerTy())
            return false;
          M.MayChange = true;
        }
    }
  return true;
}

/// Is \p Row, of elements of that size, only read, by loops that run as often
/// as data say?
bool RowAssumer::isScattered(const RowLoad &Row, uint64_t Size) const {
  const DataLayout &DL = L.getHeader()->getDataLayout();
  if (Row.Row != Row.Load)
    return false;
  auto IsOpen = [&](const Instruction &I) {
    const Loop *In = LI.getLoopFor(I.getParent());
    if (!In || !L.contains(In) || In == LI.getLoopFor(Row.Load->getParent()))
      return false;
    const SCEV *Count = SE.getBackedgeTakenCount(In);
    return isa<SCEVCouldNotCompute>(Count) ||
           SCEVExprContains(Count, [&](const SCEV *Part) {
             const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
             const auto *I =
                 Unknown ? dyn_cast<Instruction>(Unknown->getValue()) : nullptr;
             return I && L.contains(I);
           });
  };
  // Rows begin at a multiple of their elements' size: what is accessed does,
  // and is so many elements behind.
  auto IsElement = [&](LoadInst &Load) {
    auto P = polygpu::takeApart(Load.getPointerOperand(), DL);
    return P && P->Base == Row.Row && P->Constant.srem(Size) == 0 &&
           all_of(P->Terms,
                  [&](const auto &T) { return T.second.srem(Size) == 0; }) &&
           polygpu::isNumber(Load.getType()) &&
           Load.getAlign().value() % Size == 0;
  };
  SmallVector<Value *, 8> Addresses = {Row.Row};
  while (!Addresses.empty())
    for (User *U : Addresses.pop_back_val()->users()) {
      auto *Load = dyn_cast<LoadInst>(U);
      if (isa<GetElementPtrInst>(U))
        Addresses.push_back(U);
      else if (!Load || !IsOpen(*Load) || !IsElement(*Load))
        return false;
    }
  return isPowerOf2_64(Size);
}

void RowAssumer::findScattered() {
  for (Matrix &M : Matrices)
    M.IsScattered = all_of(M.Loads, [&](const RowLoad &Row) {
      return isScattered(Row,
                         Row.Load->getDataLayout().getTypeAllocSize(M.Element));
    });
}

bool RowAssumer::assumesSteps() const {
  return !all_of(Matrices, [](const Matrix &M) { return M.IsScattered; });
}

bool RowAssumer::collect() {
  if (!L.getLoopPreheader())
    return false;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (auto *Load = dyn_cast<LoadInst>(&I); Load && !addLoad(*Load))
        return false;
  findScattered();
  return !Matrices.empty() && findChanges();
}

bool RowAssumer::mayStoreToPointers() const {
  return any_of(Matrices, [](const Matrix &M) { return M.MayChange; });
}

/// Can \p E be computed at \p I?
bool RowAssumer::canExpand(const SCEV *E, const Instruction &I) {
  const BasicBlock *BB = I.getParent();
  return Expander.isSafeToExpandAt(E, BB->getTerminator()) &&
         !SCEVExprContains(E, [&](const SCEV *Part) {
           const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
           const auto *V =
               Unknown ? dyn_cast<Instruction>(Unknown->getValue()) : nullptr;
           return V && V->getParent() == BB && (V == &I || I.comesBefore(V));
         });
}

bool RowAssumer::isKnownAt(const Instruction &I) {
  return all_of(Matrices, [&](const Matrix &M) {
    return canExpand(SE.getSCEV(M.In.Array), I) &&
           all_of(M.Loads, [&](const RowLoad &Row) {
             return canExpand(Row.Places.Low, I) &&
                    canExpand(Row.Places.High, I);
           });
  });
}

/// How many iterations the loops have that have most, roughly: loops whose
/// number is another one in each iteration have as many as the one around.
Value *RowAssumer::iterations(IRBuilder<> &B) {
  Instruction *Before = &*B.GetInsertPoint();
  Value *Most = B.getInt64(0), *Bound = B.getInt64(1 << 15);
  DenseMap<const Loop *, Value *> Trips;
  auto TripsOf = [&](const Loop &In) -> Value * {
    const SCEV *Count = SE.getBackedgeTakenCount(&In);
    if (isa<SCEVCouldNotCompute>(Count) || !SE.isLoopInvariant(Count, &L) ||
        !canExpand(Count, *Before))
      return &In == &L ? B.getInt64(1) : Trips.lookup(In.getParentLoop());
    Value *V = Expander.expandCodeFor(Count, Count->getType(), Before);
    B.SetInsertPoint(Before);
    V = B.CreateBinaryIntrinsic(
        Intrinsic::umin, B.CreateZExtOrTrunc(B.CreateFreeze(V), B.getInt64Ty()),
        Bound);
    return B.CreateAdd(V, B.getInt64(1));
  };
  for (const Loop *In : L.getLoopsInPreorder()) {
    Trips[In] = TripsOf(*In);
    if (!In->isInnermost())
      continue;
    Value *All = B.getInt64(1);
    unsigned Depth = 0;
    for (const Loop *P = In; P && L.contains(P) && Depth < 4;
         P = P->getParentLoop(), ++Depth)
      All = B.CreateMul(All, Trips.lookup(P));
    Most = B.CreateBinaryIntrinsic(Intrinsic::umax, Most, All);
  }
  return Most;
}

/// Have the runtime look at the pointers of \p M.
void RowAssumer::look(IRBuilder<> &B, Value *Iterations, Matrix &M) {
  Instruction *Before = &*B.GetInsertPoint();
  Module &Mod = *Before->getModule();
  const DataLayout &DL = Mod.getDataLayout();
  auto Expand = [&](const SCEV *E) {
    Value *V = Expander.expandCodeFor(E, E->getType(), Before);
    B.SetInsertPoint(Before);
    return V;
  };
  Value *Origin = Expand(SE.getSCEV(M.In.Array));
  Value *Begin = B.CreatePtrToInt(Origin, B.getInt64Ty());
  Value *Low = nullptr, *High = nullptr;
  // Each may be anything where it is not read.
  auto Offset = [&](const SCEV *Address) {
    return B.CreateFreeze(
        B.CreateSub(B.CreatePtrToInt(Expand(Address), B.getInt64Ty()), Begin));
  };
  for (const RowLoad &Row : M.Loads) {
    Value *First = Offset(Row.Places.Low), *Last = Offset(Row.Places.High);
    Low = Low ? B.CreateBinaryIntrinsic(Intrinsic::smin, Low, First) : First;
    High = High ? B.CreateBinaryIntrinsic(Intrinsic::smax, High, Last) : Last;
  }
  // Of rows that may be anywhere the first one is looked at.
  if (M.IsScattered) {
    Origin = B.CreatePtrAdd(Origin, Low);
    High = M.MayChange ? B.CreateSub(High, Low) : nullptr;
    Low = B.getInt64(0);
  }
  Value *Last = M.IsScattered ? Low : High;
  Value *Pitch = B.getInt64(M.In.Pitch);
  Value *Unit = B.getInt64(DL.getTypeAllocSize(M.Element).getFixedValue());
  M.Step =
      B.CreateCall(polygpu::runtimeFunction(Mod, polygpu::RowStepName),
                   {Origin, Low, Last, Pitch, Unit, Iterations}, "row.step");
  M.Base = B.CreateCall(polygpu::runtimeFunction(Mod, polygpu::RowBaseName),
                        {Origin, Low, Last, Pitch, B.CreateMul(M.Step, Unit)},
                        "row.base");
  if (M.IsScattered) {
    M.BaseNumber = B.CreatePtrToInt(M.Base, B.getInt64Ty());
    polygpu::hideValue(*cast<Instruction>(M.BaseNumber));
    M.BaseNumber = cast<Instruction>(M.BaseNumber)->getNextNode();
    B.SetInsertPoint(Before);
  }
  if (M.MayChange)
    Places.push_back({B.CreatePtrAdd(Origin, Low), 0,
                      B.CreatePtrAdd(B.CreatePtrAdd(Origin, High),
                                     B.getInt64(DL.getPointerSize()))});
}

Value *RowAssumer::expand(Instruction *Before) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(DebugLoc());
  Value *Holds = B.getTrue(), *Iterations = iterations(B);
  for (Matrix &M : Matrices) {
    look(B, Iterations, M);
    Holds = B.CreateAnd(Holds, B.CreateICmpNE(M.Step, B.getInt64(0)));
    if (!M.IsScattered)
      continue;
    const DataLayout &DL = Before->getDataLayout();
    Value *Rest = B.CreateAnd(B.CreatePtrToInt(M.Base, B.getInt64Ty()),
                              DL.getTypeAllocSize(M.Element) - 1);
    Holds = B.CreateAnd(Holds, B.CreateICmpEQ(Rest, B.getInt64(0)));
  }
  return Holds;
}

/// The number of the row that \p Row leads to, computed at \p B.
Value *RowAssumer::numberOf(IRBuilder<> &B, const Matrix &M,
                            const RowLoad &Row) const {
  const DataLayout &DL = L.getHeader()->getDataLayout();
  Value *Number = nullptr;
  int64_t Constant = 0;
  bool InBounds = true;
  for (GetElementPtrInst *GEP : Row.GEPs) {
    Value *Index = *GEP->idx_begin();
    Constant += *constantPart(*GEP, DL);
    InBounds &= GEP->isInBounds();
    if (!isa<ConstantInt>(Index))
      Index = computedAt(Index, *Row.Row, B);
    if (!isa<ConstantInt>(Index))
      Number = Number ? B.CreateAdd(Number, Index, "", false, InBounds) : Index;
  }
  return B.CreateAdd(Number, B.getInt64(floorOf(Constant, M.In.Pitch)), "",
                     false, InBounds);
}

/// Where \p Row begins, as an element behind the base.
Value *RowAssumer::scatteredRow(IRBuilder<> &B, const Matrix &M,
                                const RowLoad &Row) {
  const DataLayout &DL = L.getHeader()->getDataLayout();
  auto *Number = B.CreateAlignedLoad(
      B.getInt64Ty(), Row.Load->getPointerOperand(), Row.Load->getAlign());
  Number->setDebugLoc(Row.Load->getDebugLoc());
  Value *Bytes = B.CreateSub(Number, M.BaseNumber);
  const unsigned Bits = Log2_64(DL.getTypeAllocSize(M.Element));
  Value *Elements = Bits ? B.CreateAShr(Bytes, Bits) : Bytes;
  return B.CreateGEP(M.Element, M.Base, Elements, Row.Load->getName());
}

void RowAssumer::rewrite() {
  for (Matrix &M : Matrices)
    for (RowLoad &Row : M.Loads) {
      IRBuilder<> B(Row.Row);
      if (isa<PHINode>(Row.Row))
        B.SetInsertPoint(Row.Row->getParent()->getFirstInsertionPt());
      Value *Start = M.IsScattered
                         ? scatteredRow(B, M, Row)
                         : B.CreateGEP(M.Element, M.Base,
                                       B.CreateMul(numberOf(B, M, Row), M.Step),
                                       Row.Load->getName());
      Row.Row->replaceAllUsesWith(Start);
      Row.Row->eraseFromParent();
      if (Row.Row != Row.Load)
        Row.Load->eraseFromParent();
    }
}

/// Do loops load pointers that they read or write something at?
bool hasRows(Function &F, const LoopInfo &LI) {
  return any_of(instructions(F), [&](Instruction &I) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || !Load->getType()->isPointerTy() ||
        !LI.getLoopFor(Load->getParent()) ||
        !isa<GetElementPtrInst>(Load->getPointerOperand()))
      return false;
    PHINode *Phi = chosen(*Load);
    return isAddress(Phi ? *cast<Instruction>(Phi) : *Load);
  });
}

/// Pointers that were moved in front of loops under a condition which is known
/// to hold are there without: the conditions above them are known to hold for
/// the loops then.
bool foldConditions(Function &F, DominatorTree &DT) {
  bool Changed = false;
  DomTreeUpdater Updater(DT, DomTreeUpdater::UpdateStrategy::Eager);
  for (BasicBlock &BB : F) {
    const auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
    if (Branch && Branch->isConditional() &&
        match(Branch->getCondition(), m_One()) &&
        Branch->getSuccessor(0)->getSingleSuccessor() ==
            Branch->getSuccessor(1))
      Changed |= ConstantFoldTerminator(&BB, /*DeleteDeadConditions=*/true,
                                        nullptr, &Updater);
  }
  return Changed;
}

} // namespace

namespace polygpu {

PreservedAnalyses FoldConditionsPass::run(Function &F,
                                          FunctionAnalysisManager &FAM) {
  if (!hasRows(F, FAM.getResult<LoopAnalysis>(F)) ||
      !foldConditions(F, FAM.getResult<DominatorTreeAnalysis>(F)))
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserve<DominatorTreeAnalysis>();
  return PA;
}

PreservedAnalyses RowPointersPass::run(Function &F,
                                       FunctionAnalysisManager &FAM) {
  static const char *const So = "the rows of arrays of pointers are one behind "
                                "the other, all at the same distance";
  static const char *const NotSo =
      "the rows of an array of pointers are not one behind the other, all at "
      "the same distance, or there is too little to do to look at them";
  static const char *const Readable = "pointers to rows can be looked at";
  static const char *const NotReadable =
      "the pointer to the first row cannot be read, or there is too little to "
      "do to look at it";
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  SmallVector<const Loop *, 4> Done;
  if (!hasRows(F, LI))
    return PreservedAnalyses::all();
  // How often loops run is known in the width of counters by now.
  FAM.getResult<ScalarEvolutionAnalysis>(F).forgetAllLoops();
  for (auto [Index, L] : enumerate(LI.getLoopsInPreorder())) {
    const unsigned Number = (IsEarly ? FirstEarly : FirstNumber) + Index;
    if (Choice.NotHere.contains(Number) ||
        any_of(Done, [L = L](const Loop *Outer) { return Outer->contains(L); }))
      continue;
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    bool HasMore = true;
    for (unsigned Level = 0; HasMore && Level < MaxLevels; ++Level) {
      RowAssumer Assumer(*L, SE, LI, DT, FAM.getResult<AAManager>(F));
      CallInst *Begin = versionBegin(*L, DT);
      // What a loop around it may change is not looked at in front of that.
      if (Begin && LI.getLoopFor(Begin->getParent()) != L->getParentLoop())
        break;
      if ((!Begin && !canHaveVersions(*L, DT)) || !Assumer.collect() ||
          (Begin && Assumer.mayStoreToPointers()) ||
          (IsEarly && !Level && !Assumer.mayStoreToPointers()) ||
          !Assumer.isKnownAt(Begin ? *cast<Instruction>(Begin)
                                   : *L->getLoopPreheader()->getTerminator()))
        break;
      assumeInVersion(
          *L, Number, Begin,
          [&](Instruction *Where) {
            return Assumer.assumesSteps()
                       ? AssumedTruth{Assumer.expand(Where), So, NotSo}
                       : AssumedTruth{Assumer.expand(Where), Readable,
                                      NotReadable};
          },
          LI, DT, SE, &Assumer.Places);
      Assumer.rewrite();
      SE.forgetAllLoops();
      Done.push_back(L);
      HasMore = Assumer.hasMore();
    }
  }
  if (!Done.empty())
    return PreservedAnalyses::none();
  PreservedAnalyses PA = PreservedAnalyses::all();
  PA.abandon<ScalarEvolutionAnalysis>();
  return PA;
}

} // namespace polygpu
