//===- PrefixSums.cpp - Sums of which iterations need the value -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/PrefixSums.h"
#include "ReductionOperators.h"
#include "prepare/HandOn.h"
#include "prepare/SplitStatements.h"
#include "prepare/SplitSums.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

/// Operations of what a variable is updated by.
static const unsigned MostOperations = 24;

namespace {

bool isNumber(const Type *Ty) {
  return Ty->isFloatTy() || Ty->isDoubleTy() || Ty->isIntegerTy(8) ||
         Ty->isIntegerTy(16) || Ty->isIntegerTy(32) || Ty->isIntegerTy(64);
}

/// A variable of a loop that an instruction updates.
class Prefix {
public:
  Prefix(Loop &L, PHINode &Phi, const polygpu::PrefixAnalyses &D,
         bool Reassociate, function_ref<bool(const Instruction &)> IsKept)
      : L(L), Phi(Phi), D(D), Reassociate(Reassociate), IsKept(IsKept),
        Next(dyn_cast<Instruction>(
            Phi.getIncomingValueForBlock(L.getLoopLatch()))) {}
  bool canBe();
  void replace();

private:
  Loop &L;
  PHINode &Phi;
  const polygpu::PrefixAnalyses &D;
  bool Reassociate;
  function_ref<bool(const Instruction &)> IsKept;
  Instruction *Next;
  SmallVector<Use *, 2> Added; ///< what the variable is updated by

  bool isUsed(const Instruction &V, bool OnlyBehind) const;
  bool dependsOnIt(Value *V) const;
  bool findAdded();
  bool isSubscript() const;
  void redirect(Instruction &V, AllocaInst &Memory, bool OnlyBehind) const;
  Value *again(Value *V, DenseMap<Value *, Value *> &Made,
               unsigned &Left) const;
};

/// Is \p V used in the loop by anything but the update; if \p OnlyBehind
/// behind it?
bool Prefix::isUsed(const Instruction &V, bool OnlyBehind) const {
  return any_of(V.users(), [&](const User *U) {
    const auto *I = cast<Instruction>(U);
    return I != Next && I != &Phi && L.contains(I) &&
           (!OnlyBehind || D.DT.dominates(Next, I));
  });
}

/// Is \p V computed from the variable, in whatever iteration?
bool Prefix::dependsOnIt(Value *V) const {
  SmallVector<Value *, 8> Open = {V};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Open.empty()) {
    auto *I = dyn_cast<Instruction>(Open.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    if (I == &Phi || I == Next)
      return true;
    append_range(Open, I->operands());
  }
  return false;
}

/// Is the update the variable, an operator, and something else that is not the
/// same in each iteration, as for counters?
bool Prefix::findAdded() {
  unsigned Operands, Own = 0;
  if (polygpu::operatorOf(*Next, Reassociate, Operands) == PG_OP_NONE)
    return false;
  for (Use &U : Next->operands()) {
    if (U == &Phi && Operands & 1u << U.getOperandNo())
      ++Own;
    else if (dependsOnIt(U.get()))
      return false;
    else if (auto *I = dyn_cast<Instruction>(U); I && L.contains(I))
      Added.push_back(&U);
  }
  return Own == 1 && !Added.empty();
}

/// Is the variable, or something that is computed from it, a subscript, or is
/// it a polynomial of the iteration's number, which is known as that?
bool Prefix::isSubscript() const {
  if (isa<IntegerType>(Phi.getType()) &&
      isa<SCEVAddRecExpr>(D.SE.getSCEV(&Phi)))
    return true;
  SmallVector<const Instruction *, 8> Open = {&Phi, Next};
  SmallPtrSet<const Instruction *, 16> Seen(Open.begin(), Open.end());
  while (!Open.empty())
    for (const User *U : Open.pop_back_val()->users()) {
      const auto *I = cast<Instruction>(U);
      if (!L.contains(I) || !Seen.insert(I).second)
        continue;
      if (I->getType()->isPointerTy())
        return true;
      Open.push_back(I);
    }
  return false;
}

bool Prefix::canBe() {
  if (!isNumber(Phi.getType()) || !Next || !L.contains(Next) ||
      isa<PHINode>(Next) || D.LI.getLoopFor(Next->getParent()) != &L ||
      (!isUsed(Phi, false) && !isUsed(*Next, false)) || !findAdded() ||
      isSubscript())
    return false;
  // Of the old value nothing is left behind the loop.
  for (const Instruction *V : {static_cast<Instruction *>(&Phi), Next})
    for (const User *U : V->users()) {
      const auto *I = cast<Instruction>(U);
      if (I == &Phi)
        continue;
      if (L.contains(I) ? isa<PHINode>(I)
                        : V == &Phi || I->getParent() != L.getExitBlock())
        return false;
    }
  return true;
}

/// Have what uses \p V in the loop read \p Memory in front of that; if \p
/// OnlyBehind what comes behind the update.
void Prefix::redirect(Instruction &V, AllocaInst &Memory,
                      bool OnlyBehind) const {
  DenseMap<Instruction *, Instruction *> Loads;
  for (Use &U : make_early_inc_range(V.uses())) {
    auto *I = cast<Instruction>(U.getUser());
    if (I == Next || I == &Phi || !L.contains(I) ||
        (OnlyBehind && !D.DT.dominates(Next, I)))
      continue;
    Instruction *&Load = Loads[I];
    if (!Load) {
      IRBuilder<> B(I);
      Load = B.CreateLoad(V.getType(), &Memory);
    }
    U.set(Load);
  }
}

/// \p V once more, computed right in front of the update, so that nothing else
/// has to be in one statement with that.
Value *Prefix::again(Value *V, DenseMap<Value *, Value *> &Made,
                     unsigned &Left) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || I->getParent() != Next->getParent() || isa<PHINode>(I))
    return V;
  if (Value *Known = Made.lookup(V))
    return Known;
  const auto *Load = dyn_cast<LoadInst>(I);
  const bool Repeats =
      Left > 0 && (Load ? Load->isSimple() && !IsKept(*Load) &&
                              polygpu::isUnwritten(MemoryLocation::get(Load),
                                                   *Load, Next, D.AA)
                        : isa<BinaryOperator, UnaryOperator, CastInst,
                              GetElementPtrInst, CmpInst, SelectInst>(I));
  if (!Repeats && !isNumber(I->getType()))
    return V;
  Instruction *Again = nullptr;
  if (Repeats) {
    --Left;
    Again = I->clone();
    for (Use &U : Again->operands())
      U.set(again(U.get(), Made, Left));
    Again->insertBefore(Next->getIterator());
  } else {
    IRBuilder<> B(Next);
    B.SetCurrentDebugLocation(Next->getDebugLoc());
    Again = B.CreateLoad(I->getType(), polygpu::keepInMemory(*I));
  }
  return Made[V] = Again;
}

void Prefix::replace() {
  AllocaInst *Memory = polygpu::partMemory(Phi);
  BasicBlock *Before = L.getLoopPreheader();
  IRBuilder<> B(Before->getTerminator());
  B.CreateStore(Phi.getIncomingValueForBlock(Before), Memory);
  polygpu::leaveInMemory(L, *Next, *Memory);
  if (isUsed(Phi, true)) {
    AllocaInst *Old = polygpu::partMemory(Phi);
    B.SetInsertPoint(L.getHeader(), L.getHeader()->getFirstInsertionPt());
    B.SetCurrentDebugLocation(Next->getDebugLoc());
    Value *Value = B.CreateLoad(Phi.getType(), Memory);
    B.CreateStore(Value, Old);
    redirect(Phi, *Old, true);
  }
  redirect(Phi, *Memory, false);
  redirect(*Next, *Memory, false);
  B.SetInsertPoint(Next);
  B.SetCurrentDebugLocation(Next->getDebugLoc());
  Instruction *Load = B.CreateLoad(Phi.getType(), Memory);
  Next->replaceUsesOfWith(&Phi, Load);
  DenseMap<Value *, Value *> Made;
  unsigned Left = MostOperations;
  SmallVector<WeakTrackingVH, 2> Old;
  for (Use *U : Added) {
    Old.push_back(U->get());
    U->set(again(U->get(), Made, Left));
  }
  for (const WeakTrackingVH &V : Old)
    if (V)
      RecursivelyDeleteTriviallyDeadInstructions(V);
  B.SetInsertPoint(Next->getParent(), std::next(Next->getIterator()));
  Instruction *Store = B.CreateStore(Next, Memory);
  Phi.replaceAllUsesWith(PoisonValue::get(Phi.getType()));
  Phi.eraseFromParent();
  SplitBlock(Store->getParent(), std::next(Store->getIterator()), &D.DT, &D.LI);
  SplitBlock(Load->getParent(), Load->getIterator(), &D.DT, &D.LI);
}

/// Finds what a loop stores and reads again in the next iteration.
class StoredAgain {
public:
  StoredAgain(Loop &L, const polygpu::PrefixAnalyses &D, bool Reassociate,
              function_ref<bool(const Instruction &)> IsKept)
      : L(L), D(D), Reassociate(Reassociate), IsKept(IsKept) {}
  LoadInst *find(StoreInst *&Store);
  PHINode *next();
  void undo(PHINode &Phi) const;

private:
  Loop &L;
  const polygpu::PrefixAnalyses &D;
  bool Reassociate;
  function_ref<bool(const Instruction &)> IsKept;
  SmallPtrSet<const LoadInst *, 8> Seen;
  LoadInst *Last = nullptr; ///< what the last variable has been made of

  bool isAlways(const Instruction &I) const;
  bool readsStored(LoadInst &Load, StoreInst &Store) const;
  bool isOnlyStore(const StoreInst &Store) const;
  PHINode *carry(LoadInst &Load, StoreInst &Store) const;
};

bool StoredAgain::isAlways(const Instruction &I) const {
  return D.LI.getLoopFor(I.getParent()) == &L && !IsKept(I) &&
         D.DT.dominates(I.getParent(), L.getLoopLatch());
}

/// Does \p Load read what \p Store has written in the iteration before?
bool StoredAgain::readsStored(LoadInst &Load, StoreInst &Store) const {
  if (!Load.isSimple() || !Store.isSimple() || !isAlways(Load) ||
      !isAlways(Store) || Load.getType() != Store.getValueOperand()->getType())
    return false;
  const auto *To =
      dyn_cast<SCEVAddRecExpr>(D.SE.getSCEV(Store.getPointerOperand()));
  if (!To || To->getLoop() != &L || !To->isAffine())
    return false;
  const auto *Step = dyn_cast<SCEVConstant>(To->getStepRecurrence(D.SE));
  const SCEV *From = D.SE.getSCEV(Load.getPointerOperand());
  TypeSize Size = Load.getDataLayout().getTypeStoreSize(Load.getType());
  return Step && Step->getAPInt().abs().uge(Size.getFixedValue()) &&
         D.SE.getMinusSCEV(To, From) == Step;
}

/// Does the loop write nothing else where \p Store does?
bool StoredAgain::isOnlyStore(const StoreInst &Store) const {
  auto To = MemoryLocation::getBeforeOrAfter(Store.getPointerOperand());
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB) {
      if (&I == &Store || !I.mayWriteToMemory())
        continue;
      const auto *Other = dyn_cast<StoreInst>(&I);
      if (!Other || !D.AA.isNoAlias(To, MemoryLocation::getBeforeOrAfter(
                                            Other->getPointerOperand())))
        return false;
    }
  return true;
}

/// A variable that has what \p Load reads.
PHINode *StoredAgain::carry(LoadInst &Load, StoreInst &Store) const {
  const auto *From =
      dyn_cast<SCEVAddRecExpr>(D.SE.getSCEV(Load.getPointerOperand()));
  BasicBlock *Before = L.getLoopPreheader(), *Header = L.getHeader();
  SCEVExpander Expander(D.SE, "polygpu");
  if (!From ||
      !Expander.isSafeToExpandAt(From->getStart(), Before->getTerminator()))
    return nullptr;
  Value *Start =
      Expander.expandCodeFor(From->getStart(), Load.getPointerOperandType(),
                             Before->getTerminator()->getIterator());
  auto *First = new LoadInst(Load.getType(), Start, "", false, Load.getAlign(),
                             Before->getTerminator()->getIterator());
  auto *Phi = PHINode::Create(Load.getType(), 2, "", Header->begin());
  Phi->setDebugLoc(Load.getDebugLoc());
  First->setDebugLoc(Load.getDebugLoc());
  Phi->addIncoming(First, Before);
  Phi->addIncoming(Store.getValueOperand(), L.getLoopLatch());
  Load.replaceAllUsesWith(Phi);
  return Phi;
}

/// A load of what the loop stores, by an operator on that, for the next
/// iteration; null if there is no further one.
LoadInst *StoredAgain::find(StoreInst *&Found) {
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      auto *Store = dyn_cast<StoreInst>(&I);
      auto *Next =
          Store ? dyn_cast<Instruction>(Store->getValueOperand()) : nullptr;
      unsigned Operands;
      if (!Next ||
          polygpu::operatorOf(*Next, Reassociate, Operands) == PG_OP_NONE)
        continue;
      for (Value *V : Next->operands())
        if (auto *Load = dyn_cast<LoadInst>(V);
            Load && L.contains(Load) && readsStored(*Load, *Store) &&
            isOnlyStore(*Store) && Seen.insert(Load).second) {
          Found = Store;
          return Load;
        }
    }
  return nullptr;
}

/// The next one, as a variable.
PHINode *StoredAgain::next() {
  StoreInst *Store = nullptr;
  while ((Last = find(Store)))
    if (PHINode *Phi = carry(*Last, *Store))
      return Phi;
  return nullptr;
}

/// Have the loop read memory instead of \p Phi, the last variable.
void StoredAgain::undo(PHINode &Phi) const {
  auto *First =
      cast<Instruction>(Phi.getIncomingValueForBlock(L.getLoopPreheader()));
  Phi.replaceAllUsesWith(Last);
  Phi.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(First);
}

} // namespace

namespace polygpu {

bool mayHavePrefixes(Loop &L, const PrefixAnalyses &D, bool Reassociate,
                     function_ref<bool(const Instruction &)> IsKept) {
  StoreInst *Store = nullptr;
  return isLeftAtLatch(L) &&
         (any_of(L.getHeader()->phis(),
                 [&](PHINode &Phi) {
                   return Prefix(L, Phi, D, Reassociate, IsKept).canBe();
                 }) ||
          StoredAgain(L, D, Reassociate, IsKept).find(Store));
}

bool prefixSums(Loop &L, const PrefixAnalyses &D, bool Reassociate,
                function_ref<bool(const Instruction &)> IsKept) {
  if (!isLeftAtLatch(L))
    return false;
  bool Changed = false;
  auto LookAt = [&](PHINode &Phi) {
    Prefix P(L, Phi, D, Reassociate, IsKept);
    if (!P.canBe())
      return false;
    P.replace();
    return Changed = true;
  };
  StoredAgain Stored(L, D, Reassociate, IsKept);
  while (PHINode *Phi = Stored.next())
    if (!LookAt(*Phi))
      Stored.undo(*Phi);
  for (PHINode &Phi : make_early_inc_range(L.getHeader()->phis()))
    LookAt(Phi);
  return Changed;
}

} // namespace polygpu
