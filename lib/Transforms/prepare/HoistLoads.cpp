//===- HoistLoads.cpp - Bounds and pointers read in loops -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/HoistLoads.h"
#include "prepare/HoistChecks.h"
#include "prepare/LoadUses.h"
#include "prepare/MathErrno.h"
#include "prepare/SomeIteration.h"
#include "prepare/Versions.h"
#include "target/MathCalls.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/MustExecute.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

/// Loops with more instructions that write memory are left alone.
static const unsigned MaxWrites = 200;

/// Places that one version of a loop may assume to be left alone.
static const unsigned MaxPlaces = 32;
/// Operands that are looked at, of operands, ...
static const unsigned MaxSteps = 6;

namespace {

/// Asked for where it is needed only.
using GetEvolution = function_ref<ScalarEvolution &()>;

/// A branch in the loop, and the successor that leads on.
using Guard = std::pair<const BranchInst *, const BasicBlock *>;

class Hoister {
public:
  Hoister(Loop &L, LoopInfo &LI, DominatorTree &DT, AAResults &AA,
          GetEvolution *SE = nullptr)
      : L(L), LI(LI), DT(DT), AllAA(AA), AA(std::in_place, AA), SE(SE) {
    Safety.computeLoopSafetyInfo(&L);
  }
  /// Move what is executed whenever the loop is.
  bool run();
  /// Move what checks compare, in loops that are not rotated.
  bool runForChecks();
  /// Move bounds and pointers that are read under conditions that are the same
  /// in all iterations, too.
  bool runGuarded();
  /// Is there anything to gain from another version of the loop?
  bool wantsVersion();
  /// Move what stores of the loop might change, too.
  SmallVector<polygpu::AssumedPlace, 8> runAssuming();
  Value *areInPages();

private:
  /// A load that was moved.
  struct Known {
    Value *Base;
    int64_t Offset;
    Type *Ty;
    Value *Address; ///< known in front of the loop
    Value *Result;
    SmallVector<Guard, 4> Guards; ///< under which it has a value
    bool IsAssumed; ///< although the loop might change what it reads
  };

  Loop &L;
  LoopInfo &LI;
  DominatorTree &DT;
  AAResults &AllAA;
  std::optional<BatchAAResults> AA; ///< made anew when values are gone
  GetEvolution *SE;                 ///< null where nothing varying is asked for
  SimpleLoopSafetyInfo Safety;
  SmallVector<LoadInst *, 16> Loads;
  SmallVector<Instruction *, 16> Writes;
  SmallVector<Known, 8> Moved;
  unsigned Assumed = 0;                     ///< of them
  SmallPtrSet<const Value *, 16> Uncertain; ///< computed from assumed values
  bool Assuming = false;
  SmallVector<Value *, 4> InPages; ///< true where members are in one page

  bool collect();
  bool isConstant(const LoadInst &Load);
  bool canMove(Value *V, unsigned Steps, bool Sums = false);
  bool happens(const Instruction &I) const;
  template <typename F>
  void forMembers(const LoadInst &Load, const Value &Base, int64_t Offset,
                  F Do) const;
  bool isBetween(const LoadInst &Load, const Value &Base, int64_t Offset) const;
  std::optional<int64_t> memberNear(const LoadInst &Load) const;
  bool isReadBefore(const LoadInst &Load, const BasicBlock &BB) const;
  bool isInBothCases(const LoadInst &Load) const;
  bool isSafe(const LoadInst &Load) const;
  void move(Value *V);
  LoadInst *earlier(const LoadInst &Load);
  void moveUsers(SmallVector<Value *, 16> Moved);
  Value *hoistPlain(LoadInst &Load);

  // Under conditions.
  bool canCompute(Value *V, unsigned Steps) const;
  Value *compute(Value *V, IRBuilder<> &B, DenseMap<Value *, Value *> &Done);
  std::optional<polygpu::SomeIteration> inSome(const Guard &G) const;
  bool findGuards(const BasicBlock &BB, SmallVectorImpl<Guard> &Guards,
                  bool MayVary = false);
  std::pair<Value *, Value *> hoistGuarded(LoadInst &Load,
                                           ArrayRef<Guard> Guards);
  std::pair<Value *, Value *> loadIf(LoadInst &Load, Value &Holds,
                                     Value &Address);
  std::pair<Value *, Value *> hoistNear(LoadInst &Load, int64_t Distance);

  // Under assumptions.
  bool canAssume(const LoadInst &Load);
  bool canBeKnown(Value *V, unsigned Steps);
  bool followsWrites(const LoadInst &Load) const;
  bool isUncertain(const Value *V, unsigned Steps) const;
  bool isNeededNear(const LoadInst &Load) const;
  bool reuse(LoadInst &Load);
  Value *hoist(LoadInst &Load);
  bool hoistAll();
};

/// Math calls may write errno, but a bound or a pointer is not read from there.
bool isMath(const Instruction &I, const LoadInst &Load) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && Call->hasFnAttr(polygpu::MathAttribute) &&
         !polygpu::isErrno(Load.getPointerOperand());
}

/// Does the loop leave alone what \p Load reads?
bool Hoister::isConstant(const LoadInst &Load) {
  MemoryLocation Place = MemoryLocation::get(&Load);
  return none_of(Writes, [&](const Instruction *I) {
    return !isMath(*I, Load) && isModSet(AA->getModRefInfo(I, Place));
  });
}

/// Is \p V outside of the loop, or an address that can move there?  One with
/// "Sums" in it only for a pointer that is read, like row[i + 1]: data stay
/// where they are used.
bool Hoister::canMove(Value *V, unsigned Steps, bool Sums) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return true;
  bool IsSum = Sums && isa<BinaryOperator>(I) && !I->isIntDivRem();
  return Steps && (isa<GetElementPtrInst, CastInst>(I) || IsSum) &&
         all_of(I->operands(),
                [&](const Use &U) { return canMove(U, Steps - 1, Sums); });
}

/// Is there a call that may free memory?
static bool mayFree(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return Call && !Call->onlyReadsMemory() &&
           !Call->hasFnAttr(Attribute::NoFree) && !isa<IntrinsicInst>(Call) &&
           !Call->hasFnAttr(polygpu::MathAttribute) &&
           !polygpu::isVersionCall(*Call);
  });
}

/// Is \p I executed in front of the loop, or whenever the loop is?
bool Hoister::happens(const Instruction &I) const {
  return L.contains(&I)
             ? Safety.isGuaranteedToExecute(I, &DT, &L)
             : DT.dominates(&I, L.getLoopPreheader()->getTerminator());
}

/// Do something with the offset of each member that is accessed in any case, of
/// the structure at \p Base of which \p Load reads the one at \p Offset, as far
/// as that tells that the one that is read is aligned.
template <typename F>
void Hoister::forMembers(const LoadInst &Load, const Value &Base,
                         int64_t Offset, F Do) const {
  static const unsigned MostUsers = 64;
  const DataLayout &DL = Load.getDataLayout();
  if (Base.hasNUsesOrMore(MostUsers))
    return;
  const uint64_t Align = Load.getAlign().value();
  auto Look = [&](const Value &Pointer, int64_t At) {
    for (const User *U : Pointer.users())
      if (const auto *I = dyn_cast<Instruction>(U);
          I && getLoadStorePointerOperand(I) == &Pointer && happens(*I) &&
          getLoadStoreAlignment(I).value() % Align == 0 &&
          (At - Offset) % static_cast<int64_t>(Align) == 0)
        Do(At);
  };
  Look(Base, 0);
  for (const User *U : Base.users()) {
    const auto *GEP = dyn_cast<GetElementPtrInst>(U);
    APInt At(DL.getIndexTypeSizeInBits(Base.getType()), 0);
    if (GEP && GEP->getPointerOperand() == &Base && GEP->isInBounds() &&
        GEP->accumulateConstantOffset(DL, At))
      Look(*GEP, At.getSExtValue());
  }
}

/// Does \p Load read a member of a structure that lies between others which are
/// accessed in any case?  Its memory is there as theirs is.
bool Hoister::isBetween(const LoadInst &Load, const Value &Base,
                        int64_t Offset) const {
  bool IsBehind = false, IsInFront = false;
  forMembers(Load, Base, Offset, [&](int64_t At) {
    IsBehind |= At < Offset;
    IsInFront |= At > Offset;
  });
  return IsBehind && IsInFront && !mayFree(*Load.getFunction());
}

/// How far behind what \p Load reads there is a member of the same structure
/// that is accessed in any case, at most as far as structures are large.
std::optional<int64_t> Hoister::memberNear(const LoadInst &Load) const {
  static const int64_t Most = 256;
  const DataLayout &DL = Load.getDataLayout();
  int64_t Offset = 0;
  const Value *Base =
      GetPointerBaseWithConstantOffset(Load.getPointerOperand(), Offset, DL);
  TypeSize Size = DL.getTypeStoreSize(Load.getType());
  std::optional<int64_t> Nearest;
  if (Size.isScalable() || Size.getFixedValue() > Load.getAlign().value() ||
      mayFree(*Load.getFunction()))
    return Nearest;
  forMembers(Load, *Base, Offset, [&](int64_t At) {
    const int64_t Distance = At - Offset;
    if (std::abs(Distance) <= Most &&
        (!Nearest || std::abs(Distance) < std::abs(*Nearest)))
      Nearest = Distance;
  });
  return Nearest;
}

/// Is what \p Load reads also read in \p BB whenever that is executed?
bool Hoister::isReadBefore(const LoadInst &Load, const BasicBlock &BB) const {
  const DataLayout &DL = Load.getDataLayout();
  int64_t Offset = 0;
  const Value *Base =
      GetPointerBaseWithConstantOffset(Load.getPointerOperand(), Offset, DL);
  for (const Instruction &I : BB) {
    int64_t At = 0;
    const auto *Other = dyn_cast<LoadInst>(&I);
    if (Other && Other->isSimple() && Other->getType() == Load.getType() &&
        Other->getAlign() >= Load.getAlign() &&
        GetPointerBaseWithConstantOffset(Other->getPointerOperand(), At, DL) ==
            Base &&
        At == Offset)
      return true;
    if (!isMath(I, Load) && !isGuaranteedToTransferExecutionToSuccessor(&I))
      return false;
  }
  return false;
}

/// Is what \p Load reads read in both cases of a condition that is looked at
/// whenever the loop is executed?
bool Hoister::isInBothCases(const LoadInst &Load) const {
  const BasicBlock *From = Load.getParent()->getSinglePredecessor();
  if (!From || !L.contains(From) ||
      !Safety.isGuaranteedToExecute(*From->getTerminator(), &DT, &L))
    return false;
  const auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
  return Branch && Branch->isConditional() &&
         all_of(successors(Branch), [&](const BasicBlock *BB) {
           return L.contains(BB) && isReadBefore(Load, *BB);
         });
}

/// May \p Load be executed in front of the loop, even if it is not in it?
bool Hoister::isSafe(const LoadInst &Load) const {
  if (Safety.isGuaranteedToExecute(Load, &DT, &L) || isInBothCases(Load))
    return true;
  // An object that a reference or this points to.
  const DataLayout &DL = Load.getDataLayout();
  int64_t Offset = 0;
  const Value *Base =
      GetPointerBaseWithConstantOffset(Load.getPointerOperand(), Offset, DL);
  bool CanBeNull = false, CanBeFreed = false;
  uint64_t Bytes =
      Base->getPointerDereferenceableBytes(DL, CanBeNull, CanBeFreed);
  TypeSize Size = DL.getTypeStoreSize(Load.getType());
  if (!Size.isScalable() && Size.getFixedValue() <= Load.getAlign().value() &&
      isBetween(Load, *Base, Offset))
    return true;
  return Offset >= 0 && !CanBeNull && !Size.isScalable() &&
         static_cast<uint64_t>(Offset) + Size.getFixedValue() <= Bytes &&
         commonAlignment(Base->getPointerAlignment(DL), Offset) >=
             Load.getAlign() &&
         !(CanBeFreed && mayFree(*Load.getFunction()));
}

/// The block that is executed before \p BB, with nothing that writes memory in
/// between, or null.
static const BasicBlock *blockBefore(const BasicBlock &BB) {
  if (const BasicBlock *Before = BB.getSinglePredecessor())
    return Before;
  // Around what was read under a condition.
  const BasicBlock *Above = nullptr;
  for (const BasicBlock *From : predecessors(&BB)) {
    bool IsBetween =
        From->getSingleSuccessor() && From->getSinglePredecessor() &&
        none_of(*From,
                [](const Instruction &I) { return I.mayWriteToMemory(); });
    const BasicBlock *Start = IsBetween ? From->getSinglePredecessor() : From;
    if (Above && Above != Start)
      return nullptr;
    Above = Start;
  }
  return Above;
}

/// A load of the same value that is always executed before \p Load, like that
/// of a bound in the condition around a rotated loop.
LoadInst *Hoister::earlier(const LoadInst &Load) {
  const DataLayout &DL = Load.getDataLayout();
  int64_t Offset = 0;
  const Value *Base =
      GetPointerBaseWithConstantOffset(Load.getPointerOperand(), Offset, DL);
  MemoryLocation Place = MemoryLocation::get(&Load);
  const BasicBlock *BB = L.getLoopPreheader();
  for (unsigned Step = 0; BB && Step < 8; ++Step) {
    for (const Instruction &I : reverse(*BB)) {
      if (&I == &Load)
        continue;
      auto *Other = dyn_cast<LoadInst>(&I);
      int64_t At = 0;
      if (Other && Other->isSimple() && Other->getType() == Load.getType() &&
          GetPointerBaseWithConstantOffset(Other->getPointerOperand(), At,
                                           DL) == Base &&
          At == Offset)
        return const_cast<LoadInst *>(Other);
      if (isModSet(AA->getModRefInfo(&I, Place)))
        return nullptr;
    }
    BB = blockBefore(*BB);
  }
  return nullptr;
}

void Hoister::move(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return;
  for (const Use &U : I->operands())
    move(U);
  I->moveBefore(L.getLoopPreheader()->getTerminator()->getIterator());
}

/// What is computed from values that left the loop, like the number of elements
/// between two pointers, follows them: in the loop it would look like data.
void Hoister::moveUsers(SmallVector<Value *, 16> Moved) {
  BasicBlock::iterator End =
      L.getLoopPreheader()->getTerminator()->getIterator();
  while (!Moved.empty())
    for (User *U : Moved.pop_back_val()->users()) {
      auto *I = dyn_cast<Instruction>(U);
      if (!I || !L.contains(I) || !isa<BinaryOperator, CastInst>(I) ||
          !L.hasLoopInvariantOperands(I) || !isSafeToSpeculativelyExecute(I))
        continue;
      I->moveBefore(End);
      Moved.push_back(I);
    }
}

/// Note what the loop reads and writes; false if there is too much of it.
bool Hoister::collect() {
  if (!L.getLoopPreheader())
    return false;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      if (I.mayWriteToMemory())
        Writes.push_back(&I);
      if (auto *Load = dyn_cast<LoadInst>(&I))
        Loads.push_back(Load);
    }
  return Writes.size() <= MaxWrites;
}

/// Move a load that can be executed whenever the loop is; returns what it is
/// replaced with.
Value *Hoister::hoistPlain(LoadInst &Load) {
  // What holds in the loop only, like a range, need not hold before it.
  if (!Safety.isGuaranteedToExecute(Load, &DT, &L))
    Load.dropUBImplyingAttrsAndMetadata({LLVMContext::MD_tbaa});
  move(&Load);
  LoadInst *Same = earlier(Load);
  if (!Same)
    return &Load;
  Load.replaceAllUsesWith(Same);
  Load.eraseFromParent();
  return Same;
}

bool Hoister::run() {
  if (!collect())
    return false;
  SmallVector<Value *, 16> Results;
  for (LoadInst *Load : Loads)
    if (Load->isSimple() &&
        canMove(Load->getPointerOperand(), 4, Load->getType()->isPointerTy()) &&
        (isSafe(*Load) || earlier(*Load)) && isConstant(*Load))
      Results.push_back(hoistPlain(*Load));
  moveUsers(Results);
  return !Results.empty();
}

bool Hoister::runForChecks() {
  if (polygpu::checksIn(L).empty() || !collect())
    return false;
  SmallVector<Value *, 16> Results;
  for (LoadInst *Load : Loads)
    if (Load->isSimple() && polygpu::usesOf(*Load, L).Branch &&
        canMove(Load->getPointerOperand(), MaxSteps) && isSafe(*Load) &&
        isConstant(*Load))
      Results.push_back(hoistPlain(*Load));
  moveUsers(Results);
  return !Results.empty();
}

//===-- Under conditions --------------------------------------------------===//

/// Can \p V be computed in front of the loop, too?
bool Hoister::canCompute(Value *V, unsigned Steps) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return true;
  return Steps &&
         isa<GetElementPtrInst, CastInst, CmpInst, BinaryOperator, SelectInst,
             FreezeInst>(I) &&
         isSafeToSpeculativelyExecute(I) &&
         all_of(I->operands(),
                [&](const Use &U) { return canCompute(U, Steps - 1); });
}

Value *Hoister::compute(Value *V, IRBuilder<> &B,
                        DenseMap<Value *, Value *> &Done) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return V;
  if (Value *Before = Done.lookup(V))
    return Before;
  SmallVector<Value *, 4> Operands;
  for (const Use &U : I->operands())
    Operands.push_back(compute(U, B, Done));
  Instruction *Copy = I->clone();
  for (auto [N, Operand] : enumerate(Operands))
    Copy->setOperand(N, Operand);
  Copy->dropLocation();
  B.Insert(Copy, I->getName());
  return Done[V] = Copy;
}

/// The condition under which a branch that does not do the same in all
/// iterations leads on in one of them.
std::optional<polygpu::SomeIteration> Hoister::inSome(const Guard &G) const {
  if (!SE)
    return std::nullopt;
  // Loads have moved since.
  (*SE)().forgetTopmostLoop(&L);
  return polygpu::findSomeIteration(*G.first, *G.second, L, (*SE)());
}

/// Is \p BB executed if the branches that are added to "Guards", the last one
/// first, all lead on?  They do the same in all iterations; with \p MayVary one
/// need not, and the block is executed in some iteration.
bool Hoister::findGuards(const BasicBlock &BB, SmallVectorImpl<Guard> &Guards,
                         bool MayVary) {
  const BasicBlock *At = &BB;
  for (unsigned Step = 0; Step < 16 && At && L.contains(At); ++Step) {
    if (Safety.isGuaranteedToExecute(*At->getFirstNonPHIIt(), &DT, &L))
      return true;
    const Loop *Inner = LI.getLoopFor(At);
    SimpleLoopSafetyInfo Inside;
    Inside.computeLoopSafetyInfo(Inner);
    if (Inner != &L &&
        Inside.isGuaranteedToExecute(*At->getFirstNonPHIIt(), &DT, Inner)) {
      At = Inner->getLoopPreheader();
      continue;
    }
    const BasicBlock *From = At->getSinglePredecessor();
    auto *Branch = From ? dyn_cast<BranchInst>(From->getTerminator()) : nullptr;
    if (!Branch || !Inner->contains(From))
      return false;
    if (Branch->isConditional()) {
      const Guard Found = {Branch, At};
      if (!canCompute(Branch->getCondition(), MaxSteps)) {
        if (!MayVary || !inSome(Found))
          return false;
        MayVary = false;
      }
      Guards.push_back(Found);
    }
    At = From;
  }
  return false;
}

/// Load in front of the loop where the guards lead there.  Returns the value
/// and its address, which are null otherwise.
std::pair<Value *, Value *> Hoister::hoistGuarded(LoadInst &Load,
                                                  ArrayRef<Guard> Guards) {
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  B.SetCurrentDebugLocation(DebugLoc());
  DenseMap<Value *, Value *> Done;
  Value *All = nullptr;
  for (const Guard &G : reverse(Guards)) {
    Value *Holds;
    if (canCompute(G.first->getCondition(), MaxSteps)) {
      Holds = compute(G.first->getCondition(), B, Done);
      if (G.first->getSuccessor(0) != G.second)
        Holds = B.CreateNot(Holds);
    } else {
      Holds = polygpu::computeSomeIteration(*inSome(G), (*SE)(),
                                            *B.GetInsertPoint());
    }
    All = All ? B.CreateLogicalAnd(All, Holds) : Holds;
  }
  Value *Address = compute(Load.getPointerOperand(), B, Done);
  return loadIf(Load, *All, *Address);
}

/// Load in front of the loop, at \p Address if \p Holds.  Returns the value and
/// its address, which are null otherwise.
std::pair<Value *, Value *> Hoister::loadIf(LoadInst &Load, Value &Holds,
                                            Value &Address) {
  BasicBlock *Before = L.getLoopPreheader();
  DomTreeUpdater DTU(DT, DomTreeUpdater::UpdateStrategy::Eager);
  Instruction *Then = SplitBlockAndInsertIfThen(
      &Holds, Before->getTerminator()->getIterator(), /*Unreachable=*/false,
      /*BranchWeights=*/nullptr, &DTU, &LI);
  auto *Early = cast<LoadInst>(Load.clone());
  Early->dropUBImplyingAttrsAndMetadata({LLVMContext::MD_tbaa});
  Early->setOperand(0, &Address);
  Early->insertBefore(Then->getIterator());
  IRBuilder<> B(L.getLoopPreheader(), L.getLoopPreheader()->begin());
  B.SetCurrentDebugLocation(DebugLoc());
  auto Join = [&](Value *V, Constant *Else) {
    PHINode *Phi = B.CreatePHI(V->getType(), 2, V->getName());
    Phi->addIncoming(V, Then->getParent());
    Phi->addIncoming(Else, Before);
    return Phi;
  };
  // Where it is not read it is nobody's, but might be a step of addresses, and
  // these are taken to be positive.
  Type *Ty = Early->getType();
  Value *Result = Join(Early, Ty->isIntegerTy(64) || Ty->isIntegerTy(32)
                                  ? ConstantInt::get(Ty, 1)
                                  : Constant::getNullValue(Ty));
  Value *Place = Join(&Address, Constant::getNullValue(Address.getType()));
  Load.replaceAllUsesWith(Result);
  Load.eraseFromParent();
  AA.emplace(AllAA);
  return {Result, Place};
}

/// Load in front of the loop what only some iterations read, if it is in one
/// page of memory with a member \p Distance behind it that all of them access;
/// if it is not, the version with this load does not run.
std::pair<Value *, Value *> Hoister::hoistNear(LoadInst &Load,
                                               int64_t Distance) {
  static const uint64_t SmallestPage = 4096;
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  B.SetCurrentDebugLocation(DebugLoc());
  DenseMap<Value *, Value *> Done;
  Value *Address = compute(Load.getPointerOperand(), B, Done);
  Value *Place = B.CreatePtrToInt(Address, B.getInt64Ty());
  Value *Other = B.CreateAdd(Place, B.getInt64(Distance));
  Value *Holds = B.CreateICmpULT(B.CreateXor(Place, Other),
                                 B.getInt64(SmallestPage), "near");
  InPages.push_back(Holds);
  return loadIf(Load, *Holds, *Address);
}

//===-- Under assumptions -------------------------------------------------===//

/// Can the loop be assumed to leave alone what \p Load reads, since only stores
/// might change it that do not surely?
bool Hoister::canAssume(const LoadInst &Load) {
  if (!Assuming || Assumed >= MaxPlaces || !polygpu::isNeeded(Load, L))
    return false;
  MemoryLocation Place = MemoryLocation::get(&Load);
  if (!Place.Size.isPrecise() || Place.Size.isScalable())
    return false;
  return all_of(Writes, [&](const Instruction *I) {
    const auto *Store = dyn_cast<StoreInst>(I);
    if (!Store || !Store->isSimple())
      return isMath(*I, Load) || !isModSet(AA->getModRefInfo(I, Place));
    return Store->getPointerOperand() != Load.getPointerOperand() &&
           !AA->isMustAlias(MemoryLocation::get(Store), Place);
  });
}

/// May a store of the loop come before \p Load is executed the first time?
bool Hoister::followsWrites(const LoadInst &Load) const {
  SmallPtrSet<const BasicBlock *, 16> Writing, Seen;
  for (const Instruction *I : Writes)
    Writing.insert(I->getParent());
  for (const Instruction &I : *Load.getParent()) {
    if (&I == &Load)
      break;
    if (I.mayWriteToMemory())
      return true;
  }
  SmallVector<const BasicBlock *, 16> List = {Load.getParent()};
  while (!List.empty()) {
    const BasicBlock *BB = List.pop_back_val();
    // The first iteration, or none.
    if (BB == L.getHeader())
      continue;
    for (const BasicBlock *From : predecessors(BB)) {
      // What only comes behind it does so the first time, too.
      if (!L.contains(From) || DT.dominates(Load.getParent(), From) ||
          !Seen.insert(From).second)
        continue;
      if (Writing.contains(From))
        return true;
      List.push_back(From);
    }
  }
  return false;
}

/// Is \p V computed from what was only assumed?
bool Hoister::isUncertain(const Value *V, unsigned Steps) const {
  if (Uncertain.contains(V))
    return true;
  const auto *I = dyn_cast<Instruction>(V);
  // Not followed any further: it may be.
  if (I && !Steps)
    return !Uncertain.empty();
  return I && !isa<LoadInst, CallBase>(I) &&
         any_of(I->operands(),
                [&](const Use &U) { return isUncertain(U, Steps - 1); });
}

/// Do branches lead on where \p Guards do?
static bool implies(ArrayRef<Guard> Guards, const Guard &Wanted) {
  return any_of(Guards, [&](const Guard &G) {
    const auto *Left = dyn_cast<Instruction>(G.first->getCondition());
    const auto *Right = dyn_cast<Instruction>(Wanted.first->getCondition());
    return (G.first->getSuccessor(0) == G.second) ==
               (Wanted.first->getSuccessor(0) == Wanted.second) &&
           Left && Right && (Left == Right || Left->isIdenticalTo(Right));
  });
}

/// Is \p Load one of what was read in front of the loop already?
bool Hoister::reuse(LoadInst &Load) {
  int64_t Offset = 0;
  const Value *Base = GetPointerBaseWithConstantOffset(
      Load.getPointerOperand(), Offset, Load.getDataLayout());
  for (const Known &K : Moved) {
    SmallVector<Guard, 4> Guards;
    if (K.Base != Base || K.Offset != Offset || K.Ty != Load.getType() ||
        (!K.IsAssumed && !isConstant(Load)) ||
        (!K.Guards.empty() &&
         !findGuards(*Load.getParent(), Guards, /*MayVary=*/true)) ||
        !all_of(K.Guards, [&](const Guard &G) { return implies(Guards, G); }))
      continue;
    Load.replaceAllUsesWith(K.Result);
    Load.eraseFromParent();
    return true;
  }
  return false;
}

/// Is \p Load, of a version with assumptions, one of what only some iterations
/// read, of a structure of which all of them access something?
bool Hoister::isNeededNear(const LoadInst &Load) const {
  return Assuming && polygpu::isNeeded(Load, L) && memberNear(Load);
}

/// Move \p Load in front of the loop if that can be done; returns what it is
/// replaced with, or null.
Value *Hoister::hoist(LoadInst &Load) {
  Value *Pointer = Load.getPointerOperand();
  if (!Load.isSimple() || !canCompute(Pointer, MaxSteps))
    return nullptr;
  bool Sure = isConstant(Load);
  if (!Sure && !canAssume(Load))
    return nullptr;
  bool Safe = canMove(Pointer, 4, Load.getType()->isPointerTy()) &&
              (isSafe(Load) || earlier(Load));
  SmallVector<Guard, 4> Guards;
  std::optional<int64_t> Near;
  if (!Safe && (!polygpu::isNeeded(Load, L) ||
                !findGuards(*Load.getParent(), Guards, /*MayVary=*/Sure) ||
                Guards.empty())) {
    Guards.clear();
    if (!isNeededNear(Load))
      return nullptr;
    Near = memberNear(Load);
  }
  // What was assumed may be wrong, and then what follows from it may be no
  // address: only where nothing was written before is it what the loop has.
  bool Follows = followsWrites(Load);
  bool Unsure =
      isUncertain(Pointer, MaxSteps) || any_of(Guards, [&](const Guard &G) {
        return isUncertain(G.first->getCondition(), MaxSteps);
      });
  bool Varies = any_of(Guards, [&](const Guard &G) {
    return !canCompute(G.first->getCondition(), MaxSteps);
  });
  if ((Follows || Near || Varies) && Unsure)
    return nullptr;
  int64_t Offset = 0;
  Value *Base =
      GetPointerBaseWithConstantOffset(Pointer, Offset, Load.getDataLayout());
  if (!Sure)
    Load.dropUBImplyingAttrsAndMetadata({LLVMContext::MD_tbaa});
  Value *Result, *Address;
  Type *Ty = Load.getType();
  if (Safe) {
    move(Pointer);
    Address = Pointer;
    Result = hoistPlain(Load);
    Follows = Follows && Result == &Load;
  } else if (Near) {
    std::tie(Result, Address) = hoistNear(Load, *Near);
  } else {
    std::tie(Result, Address) = hoistGuarded(Load, Guards);
  }
  if (Sure && Unsure)
    Uncertain.insert(Result);
  if (!Sure && Follows) {
    // Perhaps nothing has a value yet.
    BasicBlock *Before = L.getLoopPreheader();
    auto *Fixed = new FreezeInst(Result, "assumed",
                                 Before->getTerminator()->getIterator());
    Result->replaceUsesWithIf(
        Fixed, [&](const Use &U) { return U.getUser() != Fixed; });
    Result = Fixed;
  }
  Moved.push_back({Base, Offset, Ty, Address, Result, Guards, !Sure});
  if (!Sure) {
    ++Assumed;
    Uncertain.insert(Result);
  }
  return Result;
}

/// Move all that can be, as long as one makes others possible.
bool Hoister::hoistAll() {
  SmallVector<Value *, 16> Results;
  for (bool Again = true; Again;) {
    Again = false;
    for (LoadInst *&Load : Loads) {
      if (!Load)
        continue;
      if (Load->isSimple() && reuse(*Load)) {
        Load = nullptr;
      } else if (Value *Result = hoist(*Load)) {
        Load = nullptr;
        Results.push_back(Result);
        Again = true;
      }
    }
  }
  moveUsers(Results);
  return !Results.empty();
}

bool Hoister::runGuarded() { return collect() && hoistAll(); }

/// Is \p V known before the loop, or would be if loads were assumed to be?
bool Hoister::canBeKnown(Value *V, unsigned Steps) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return true;
  if (!Steps)
    return false;
  if (auto *Load = dyn_cast<LoadInst>(I))
    return Load->isSimple() && (isConstant(*Load) || canAssume(*Load)) &&
           canBeKnown(Load->getPointerOperand(), Steps - 1);
  return isa<GetElementPtrInst, CastInst, BinaryOperator>(I) &&
         all_of(I->operands(),
                [&](const Use &U) { return canBeKnown(U, Steps - 1); });
}

static bool isCountable(const Loop &L) {
  return L.getExitingBlock() && L.getLoopLatch() &&
         all_of(L.getSubLoops(),
                [](const Loop *Sub) { return isCountable(*Sub); });
}

bool Hoister::wantsVersion() {
  if (!collect() || !L.isLoopSimplifyForm() || !L.isSafeToClone() ||
      !L.getUniqueExitBlock() || !isCountable(L))
    return false;
  for (const Instruction *I : Writes) {
    const auto *Store = dyn_cast<StoreInst>(I);
    const auto *Call = dyn_cast<CallBase>(I);
    if (!(Store && Store->isSimple()) &&
        !(Call && (Call->hasFnAttr(polygpu::MathAttribute) ||
                   Call->isLifetimeStartOrEnd() ||
                   Call->onlyAccessesInaccessibleMemory())))
      return false;
  }
  Assuming = true;
  bool Any = false;
  for (LoadInst *Load : Loads) {
    polygpu::Uses Found = polygpu::usesOf(*Load, L);
    if (!Found.Address && !Found.Branch)
      continue;
    // A condition on data of the loop around, which handles that.
    const Loop *Around = L.getParentLoop();
    if (!Found.Address && !Found.Exit && Around &&
        !Around->isLoopInvariant(Load->getPointerOperand()))
      continue;
    bool Known = canBeKnown(Load, MaxSteps);
    // Data decides how often it runs: no SCoP, whatever is assumed.
    if (!Known && Found.Exit)
      return false;
    SmallVector<Guard, 4> Guards;
    if (!Any && Known && canCompute(Load->getPointerOperand(), MaxSteps))
      Any = isSafe(*Load) ? !isConstant(*Load)
                          : isNeededNear(*Load) ||
                                (!isConstant(*Load) &&
                                 findGuards(*Load->getParent(), Guards));
  }
  return Any;
}

/// Are the members that were read near others in one page with them?  Null if
/// there are none.
Value *Hoister::areInPages() {
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  B.SetCurrentDebugLocation(DebugLoc());
  return InPages.empty() ? nullptr : B.CreateAnd(InPages);
}

SmallVector<polygpu::AssumedPlace, 8> Hoister::runAssuming() {
  SmallVector<polygpu::AssumedPlace, 8> Result;
  Assuming = true;
  if (!collect() || !hoistAll())
    return Result;
  const DataLayout &DL = L.getHeader()->getDataLayout();
  for (const Known &K : Moved)
    if (K.IsAssumed)
      Result.push_back({K.Address, DL.getTypeStoreSize(K.Ty).getFixedValue()});
  return Result;
}

} // namespace

namespace polygpu {

/// Make versions of the outermost of \p Loops for which they gain something.
static bool makeVersions(ArrayRef<Loop *> Loops, VersionChoice &Choice,
                         LoopInfo &LI, DominatorTree &DT, AAResults &AA,
                         GetEvolution &SE) {
  SmallVector<const Loop *, 4> Done;
  for (auto [Number, L] : enumerate(Loops)) {
    if (Choice.NotHere.contains(Number) ||
        any_of(Done,
               [L = L](const Loop *Outer) { return Outer->contains(L); }) ||
        !Hoister(*L, LI, DT, AA).wantsVersion())
      continue;
    makeVersions(*L, Number, LI, DT);
    Hoister Assuming(*L, LI, DT, AA, &SE);
    SmallVector<AssumedPlace, 8> Places = Assuming.runAssuming();
    std::optional<AssumedTruth> Truth;
    if (Value *Holds = Assuming.areInPages())
      Truth = AssumedTruth{Holds,
                           "structures whose members are read are not at "
                           "the border of a page",
                           "a structure is at the border of a page"};
    describeVersion(*L, Number, Places, Truth);
    Done.push_back(L);
  }
  return !Done.empty();
}

/// Is \p V computed in a loop that \p BB is not in?  Behind the loop a phi has
/// it, of which copies of the loop need to know.
static bool leavesLoop(const Value &V, const BasicBlock &BB,
                       const LoopInfo &LI) {
  const auto *I = dyn_cast<Instruction>(&V);
  const Loop *L = I ? LI.getLoopFor(I->getParent()) : nullptr;
  return L && !L->contains(&BB);
}

/// What came out of loops by way of phis is in front of them now: a bound that
/// two loops have in common is one value again.
static void dropNeedlessPhis(Function &F, const DominatorTree &DT,
                             const LoopInfo &LI) {
  for (bool Again = true; Again;) {
    Again = false;
    for (BasicBlock &BB : F)
      for (PHINode &Phi : make_early_inc_range(BB.phis())) {
        Value *Same = Phi.hasConstantValue();
        if (!Same || !DT.dominates(Same, &Phi) || leavesLoop(*Same, BB, LI))
          continue;
        Phi.replaceAllUsesWith(Same);
        Phi.eraseFromParent();
        Again = true;
      }
  }
}

PreservedAnalyses HoistLoadsPass::run(Function &F,
                                      FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &AA = FAM.getResult<AAManager>(F);
  bool Changed = false;
  // Inner loops first: what leaves them may leave the outer ones too.
  SmallVector<Loop *, 4> Loops = LI.getLoopsInPreorder();
  for (Loop *L : reverse(Loops))
    Changed |= Hoister(*L, LI, DT, AA).run();
  if (Changed)
    dropNeedlessPhis(F, DT, LI);
  bool NewBlocks = false;
  auto Ask = [&]() -> ScalarEvolution & {
    return FAM.getResult<ScalarEvolutionAnalysis>(F);
  };
  GetEvolution SE = Ask;
  // Outer loops first: what is read under conditions leaves no other loop.
  for (Loop *L : Loops)
    NewBlocks |= Choice && Hoister(*L, LI, DT, AA, &SE).runGuarded();
  if (Choice)
    NewBlocks |= makeVersions(Loops, *Choice, LI, DT, AA, SE);
  if (NewBlocks)
    return PreservedAnalyses::none();
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

PreservedAnalyses HoistCheckedLoadsPass::run(Function &F,
                                             FunctionAnalysisManager &FAM) {
  // clang does not end blocks with a trap.
  if (removeUnreachableBlocks(F))
    FAM.invalidate(F, PreservedAnalyses::none());
  if (none_of(F, [](const BasicBlock &BB) {
        return isa<UnreachableInst, ResumeInst>(BB.getTerminator());
      }))
    return PreservedAnalyses::all();
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &AA = FAM.getResult<AAManager>(F);
  bool Changed = false;
  SmallVector<Loop *, 4> Loops = LI.getLoopsInPreorder();
  for (Loop *L : reverse(Loops))
    Changed |= Hoister(*L, LI, DT, AA).runForChecks();
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace polygpu
