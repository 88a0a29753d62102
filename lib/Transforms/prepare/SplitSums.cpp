//===- SplitSums.cpp - What is summed up in order, apart ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/SplitSums.h"
#include "adaptor/Notes.h"
#include "prepare/IndirectUpdates.h"
#include "prepare/SplitStatements.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace polygpu {

/// Is it an operation of which a chain has an order?
static bool isOrdered(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
    return true;
  default:
    break;
  }
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && (Call->getIntrinsicID() == Intrinsic::fma ||
                  Call->getIntrinsicID() == Intrinsic::fmuladd);
}

/// The operation that updates \p Phi in each iteration of \p L, and nothing
/// else uses the phi there; or null.
static Instruction *updateOf(const PHINode &Phi, const Loop &L) {
  Type *Ty = Phi.getType();
  auto *Next = L.getLoopLatch()
                   ? dyn_cast<Instruction>(
                         Phi.getIncomingValueForBlock(L.getLoopLatch()))
                   : nullptr;
  if ((!Ty->isFloatTy() && !Ty->isDoubleTy()) || !Next || !isOrdered(*Next) ||
      !is_contained(Next->operands(), &Phi))
    return nullptr;
  for (const BasicBlock *BB : L.blocks())
    for (const Loop *Inner : L.getSubLoops())
      if (BB == Next->getParent() && Inner->contains(BB))
        return nullptr;
  return L.contains(Next) && all_of(Phi.users(),
                                    [&](const User *U) {
                                      return U == Next ||
                                             !L.contains(cast<Instruction>(U));
                                    })
             ? Next
             : nullptr;
}

/// Is \p I computed by a loop in \p L, and from nothing that \p L carries on?
static bool isFromInside(Instruction &I, const Loop &L) {
  SmallVector<Instruction *, 8> Open = {&I};
  SmallPtrSet<Instruction *, 16> Seen = {&I};
  bool Inside = false;
  while (!Open.empty()) {
    Instruction *Next = Open.pop_back_val();
    for (const Loop *Inner : L.getSubLoops())
      Inside |= Inner->contains(Next);
    if (isa<PHINode>(Next) && Next->getParent() == L.getHeader() &&
        !Next->getType()->isIntegerTy())
      return false;
    for (Value *V : Next->operands())
      if (auto *From = dyn_cast<Instruction>(V);
          From && L.contains(From) && Seen.insert(From).second)
        Open.push_back(From);
  }
  return Inside;
}

AllocaInst *partMemory(Instruction &E) {
  Function &F = *E.getFunction();
  Type *Ty = E.getType();
  IRBuilder<> Entry(&*F.getEntryBlock().getFirstInsertionPt());
  Entry.SetCurrentDebugLocation(DebugLoc());
  // Two elements: an array, and no scalar.
  AllocaInst *Memory = Entry.CreateAlloca(ArrayType::get(Ty, 2));
  Memory->setName(E.hasName() ? E.getName() : "part");
  setNote(*Memory, PartNote);
  return Memory;
}

AllocaInst *keepInMemory(Instruction &E) {
  AllocaInst *Memory = partMemory(E);
  IRBuilder<> B(E.getParent(), isa<PHINode>(E)
                                   ? E.getParent()->getFirstInsertionPt()
                                   : std::next(E.getIterator()));
  B.SetCurrentDebugLocation(E.getDebugLoc());
  B.CreateStore(&E, Memory);
  return Memory;
}

/// \p Truth as a number of 8 bits, computed behind it.
static Instruction *numberOf(Instruction &Truth) {
  BasicBlock *BB = Truth.getParent();
  auto *Number =
      new ZExtInst(&Truth, Type::getInt8Ty(Truth.getContext()), "",
                   isa<PHINode>(Truth) ? BB->getFirstInsertionPt()
                                       : std::next(Truth.getIterator()));
  Number->setDebugLoc(Truth.getDebugLoc());
  return Number;
}

/// Have \p Next, a block of its own, read \p E from memory.
static void part(Instruction &Next, Instruction &E) {
  AllocaInst *Memory = keepInMemory(E);
  IRBuilder<> B(&Next);
  B.SetCurrentDebugLocation(Next.getDebugLoc());
  Instruction *Load = B.CreateLoad(E.getType(), Memory);
  Next.replaceUsesOfWith(&E, Load);
  SplitBlock(Next.getParent(), Load->getIterator());
}

bool splitSums(Loop &L) {
  bool Changed = false;
  SmallVector<Instruction *, 4> Updates;
  for (PHINode &Phi : L.getHeader()->phis())
    if (Instruction *Next = updateOf(Phi, L))
      Updates.push_back(Next);
  for (Instruction *Next : Updates) {
    SmallVector<Instruction *, 2> Parts;
    for (Value *V : Next->operands())
      if (auto *E = dyn_cast<Instruction>(V);
          E && L.contains(E) && E->getType() == Next->getType() &&
          !is_contained(Parts, E) && !isa<LoadInst>(E) && isFromInside(*E, L))
        Parts.push_back(E);
    for (Instruction *E : Parts)
      part(*Next, *E);
    Changed |= !Parts.empty();
  }
  return Changed;
}

//===-- Sums beside stores ------------------------------------------------===//

namespace {

/// Operations of one sum in one iteration.
const unsigned MostOfSum = 8;

/// Moves what is summed up in order to the end of an innermost loop, behind its
/// stores.
class SumMover {
public:
  SumMover(Loop &L, AAResults &AA, const Loop *Nest,
           function_ref<bool(const Instruction &)> IsKept)
      : L(L), AA(AA), Nest(Nest), IsKept(IsKept) {}
  bool run();

private:
  /// Operations of one sum, in their order.
  using Chain = SmallVector<Instruction *, 8>;

  Loop &L;
  AAResults &AA;
  const Loop *Nest; ///< null: whatever carries a sum on
  function_ref<bool(const Instruction &)> IsKept;

  Instruction *onlyUser(const Instruction &I) const;
  SelectInst *choiceAt(const Instruction &I, Instruction *&First) const;
  bool step(const Instruction &From, Chain &Into) const;
  bool chainOf(PHINode &Phi, Chain &Into) const;
  bool isCarried(const PHINode &Phi) const;
  bool chainOf(AllocaInst &Memory, Chain &Into) const;
  Chain findChains() const;
  bool hasOtherStores(const Chain &Operations) const;
  Instruction *sourceOf(Instruction &E) const;
  SmallVector<Instruction *, 8> summands(const Chain &Operations) const;
};

/// What uses \p I in the loop, if that is one.
Instruction *SumMover::onlyUser(const Instruction &I) const {
  Instruction *Only = nullptr;
  for (const User *U : I.users()) {
    auto *User = cast<Instruction>(const_cast<llvm::User *>(U));
    if (!L.contains(User))
      continue;
    if (Only && Only != User)
      return nullptr;
    Only = User;
  }
  return Only;
}

/// What chooses between \p I, a sum so far, and what becomes of it under a
/// condition, of which \p First is the first operation; null if the loop uses
/// it in another way.
SelectInst *SumMover::choiceAt(const Instruction &I,
                               Instruction *&First) const {
  SelectInst *Choice = nullptr;
  First = nullptr;
  for (const User *U : I.users()) {
    auto *User = cast<Instruction>(const_cast<llvm::User *>(U));
    if (!L.contains(User))
      continue;
    if (auto *Select = dyn_cast<SelectInst>(User); Select && !Choice)
      Choice = Select;
    else if (isOrdered(*User) && (!First || First == User))
      First = User;
    else
      return nullptr;
  }
  return First ? Choice : nullptr;
}

/// Append what a sum becomes from \p From on: an operation, or those under a
/// condition and the choice behind them.  False for anything else.
bool SumMover::step(const Instruction &From, Chain &Into) const {
  if (Into.size() >= MostOfSum)
    return false;
  Instruction *Next = onlyUser(From);
  if (Next) {
    Into.push_back(Next);
    return isOrdered(*Next);
  }
  SelectInst *Choice = choiceAt(From, Next);
  // The other value of the choice is what the sum was.
  if (!Choice ||
      (Choice->getTrueValue() == &From) == (Choice->getFalseValue() == &From))
    return false;
  while (Next != Choice) {
    if (!Next || !isOrdered(*Next) || Into.size() >= MostOfSum)
      return false;
    Into.push_back(Next);
    Next = onlyUser(*Next);
  }
  Into.push_back(Choice);
  return true;
}

/// The operations that lead from \p Phi to its next value, each of which
/// nothing else in the loop uses; false if something else does.
bool SumMover::chainOf(PHINode &Phi, Chain &Into) const {
  if (!Phi.getType()->isFloatTy() && !Phi.getType()->isDoubleTy())
    return false;
  const Value *Last = Phi.getIncomingValueForBlock(L.getLoopLatch());
  do
    if (!step(Into.empty() ? Phi : *Into.back(), Into))
      return false;
  while (Into.back() != Last);
  return onlyUser(*Into.back()) == &Phi;
}

/// Does each loop up to the nest's outermost one go on with \p Phi?
bool SumMover::isCarried(const PHINode &Phi) const {
  const PHINode *Own = &Phi;
  for (const Loop *In = &L; Nest && In != Nest; In = In->getParentLoop()) {
    const BasicBlock *Before = In->getLoopPreheader();
    Own = Before ? dyn_cast<PHINode>(Own->getIncomingValueForBlock(Before))
                 : nullptr;
    if (!Own || Own->getParent() != In->getParentLoop()->getHeader())
      return false;
  }
  return true;
}

/// The same of a sum in \p Memory, from its only load to its only store there.
bool SumMover::chainOf(AllocaInst &Memory, Chain &Into) const {
  LoadInst *First = nullptr;
  StoreInst *Last = nullptr;
  for (User *U : Memory.users()) {
    auto *Own = cast<Instruction>(U);
    // Nothing else knows its address.
    if (getLoadStorePointerOperand(Own) != &Memory)
      return false;
    if (!L.contains(Own))
      continue;
    if (Own->getParent() != L.getLoopLatch() || IsKept(*Own))
      return false;
    if (auto *Load = dyn_cast<LoadInst>(Own); Load && !First)
      First = Load;
    else if (auto *Store = dyn_cast<StoreInst>(Own); Store && !Last)
      Last = Store;
    else
      return false;
  }
  if (!First || !Last || !First->isSimple() || !Last->isSimple() ||
      Last->getValueOperand() == &Memory ||
      First->getType() != Memory.getAllocatedType())
    return false;
  Into.push_back(First);
  while (Into.back() != Last)
    if (!step(*Into.back(), Into) && Into.back() != Last)
      return false;
  return true;
}

SumMover::Chain SumMover::findChains() const {
  Chain All;
  for (PHINode &Phi : L.getHeader()->phis())
    if (Chain Own; chainOf(Phi, Own) && isCarried(Phi))
      append_range(All, Own);
  if (Nest)
    return All;
  for (Instruction &I : *L.getLoopLatch())
    if (auto *Store = dyn_cast<StoreInst>(&I))
      if (auto *Memory = dyn_cast<AllocaInst>(Store->getPointerOperand()))
        if (Chain Own; chainOf(*Memory, Own))
          append_range(All, Own);
  return All;
}

/// Is there more to do than sums?
bool SumMover::hasOtherStores(const Chain &Operations) const {
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if ((isa<StoreInst>(I) && !is_contained(Operations, &I)) ||
          indirectUpdate(&I))
        return true;
  return false;
}

/// Where \p E is read, or stored, so that it is there in the end of the
/// iteration as well; or null.
Instruction *SumMover::sourceOf(Instruction &E) const {
  if (E.getParent() != L.getLoopLatch())
    return nullptr;
  if (auto *Load = dyn_cast<LoadInst>(&E))
    return Load->isSimple() && !IsKept(*Load) &&
                   isUnwritten(MemoryLocation::get(Load), E, nullptr, AA)
               ? Load
               : nullptr;
  for (User *U : E.users())
    if (auto *Store = dyn_cast<StoreInst>(U);
        Store && Store->getParent() == E.getParent() && Store->isSimple() &&
        Store->getValueOperand() == &E && !IsKept(*Store) &&
        isUnwritten(MemoryLocation::get(Store), *Store, nullptr, AA))
      return Store;
  return nullptr;
}

/// Is \p E, an operand of \p I, the condition of a choice?
static bool isCondition(const Value &E, const Instruction &I) {
  const auto *Choice = dyn_cast<SelectInst>(&I);
  return Choice && Choice->getCondition() == &E;
}

/// The numbers from the loop that \p Operations use beside each other, and the
/// conditions.
SmallVector<Instruction *, 8>
SumMover::summands(const Chain &Operations) const {
  SmallVector<Instruction *, 8> Found;
  for (Instruction *I : Operations)
    for (Value *V : I->operands())
      if (auto *E = dyn_cast<Instruction>(V);
          E && L.contains(E) &&
          (E->getType() == I->getType() || isCondition(*E, *I)) &&
          !is_contained(Operations, E) && !is_contained(Found, E) &&
          !(isa<PHINode>(E) && E->getParent() == L.getHeader()))
        Found.push_back(E);
  return Found;
}

bool SumMover::run() {
  BasicBlock *Latch = L.getLoopLatch();
  // What is used behind the loop is known at its end.
  if (!Latch || !L.isInnermost() || L.getExitingBlock() != Latch)
    return false;
  const Chain Operations = findChains();
  if (Operations.empty() || !hasOtherStores(Operations))
    return false;
  // Where they come from is looked up in the loop as it is.
  SmallVector<std::pair<Instruction *, Instruction *>, 8> Sources;
  for (Instruction *E : summands(Operations))
    Sources.push_back({E, sourceOf(*E)});
  for (Instruction *I : Operations)
    I->moveBefore(Latch->getTerminator()->getIterator());
  Instruction *Begin = Operations.front();
  for (auto [E, Source] : Sources) {
    // No memory has truth values.
    Instruction *Number = E->getType()->isIntegerTy(1) ? numberOf(*E) : E;
    Value *Address =
        Source ? getLoadStorePointerOperand(Source) : keepInMemory(*Number);
    IRBuilder<> B(Operations.front());
    B.SetCurrentDebugLocation(Operations.front()->getDebugLoc());
    LoadInst *Again = B.CreateLoad(Number->getType(), Address);
    if (Source)
      Again->setAlignment(getLoadStoreAlignment(Source));
    Value *Is = Number == E ? Again : B.CreateIsNotNull(Again);
    for (Instruction *I : Operations)
      I->replaceUsesOfWith(E, Is);
    Begin = Begin == Operations.front() ? Again : Begin;
  }
  SplitBlock(Latch, Begin->getIterator());
  SmallVector<WeakTrackingVH, 8> Old; // one may be read for another one
  for (auto [E, Source] : Sources)
    Old.push_back(E);
  for (const WeakTrackingVH &V : Old)
    if (V)
      RecursivelyDeleteTriviallyDeadInstructions(V);
  return true;
}

} // namespace

bool moveSums(Loop &L, AAResults &AA, const Loop *Nest,
              function_ref<bool(const Instruction &)> IsKept) {
  return SumMover(L, AA, Nest, IsKept).run();
}

} // namespace polygpu
