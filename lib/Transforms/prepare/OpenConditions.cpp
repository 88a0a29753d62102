//===- OpenConditions.cpp - Conditions around loops, one by one -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/OpenConditions.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace polygpu {

/// Have \p BB ask for one destination of its switch after the other, if a loop
/// may be behind one.
static bool openSwitch(BasicBlock &BB, const LoopInfo &LI,
                       const DominatorTree &DT) {
  const Loop *L = LI.getLoopFor(&BB);
  auto *Switch = dyn_cast<SwitchInst>(BB.getTerminator());
  if (!L || L->isInnermost() || !Switch ||
      any_of(successors(&BB),
             [&](const BasicBlock *Next) {
               return !L->contains(Next) || Next == L->getHeader();
             }) ||
      none_of(L->getSubLoops(), [&](const Loop *Inner) {
        return DT.dominates(&BB, Inner->getHeader());
      }))
    return false;
  BasicBlock *Default = Switch->getDefaultDest(), *From = &BB;
  MapVector<BasicBlock *, Value *> Tests;
  IRBuilder<> B(Switch);
  for (auto Case : Switch->cases()) {
    if (Case.getCaseSuccessor() == Default)
      continue;
    Value *Equal = B.CreateICmpEQ(Switch->getCondition(), Case.getCaseValue());
    Value *&Any = Tests[Case.getCaseSuccessor()];
    Any = Any ? B.CreateOr(Any, Equal) : Equal;
  }
  auto Enter = [&](BasicBlock *To) {
    for (PHINode &Phi : To->phis()) {
      Value *V = Phi.getIncomingValueForBlock(&BB);
      while (Phi.getBasicBlockIndex(&BB) >= 0)
        Phi.removeIncomingValue(&BB, /*DeletePHIIfEmpty=*/false);
      Phi.addIncoming(V, From);
    }
  };
  DebugLoc Loc = Switch->getDebugLoc();
  Switch->eraseFromParent();
  for (auto [To, Test] : Tests) {
    auto *Next = BasicBlock::Create(BB.getContext(), BB.getName() + ".case",
                                    BB.getParent(), To);
    BranchInst::Create(To, Next, Test, From)->setDebugLoc(Loc);
    Enter(To);
    From = Next;
  }
  BranchInst::Create(Default, From)->setDebugLoc(Loc);
  Enter(Default);
  return true;
}

/// The blocks that go to \p BB, if each but the last goes to the next one else,
/// as "a || b || c" does; nothing if they do not.
static SmallVector<BasicBlock *, 4> alternatives(BasicBlock &BB,
                                                 const Loop &L) {
  SmallVector<BasicBlock *, 4> Chain;
  BasicBlock *Next = nullptr;
  for (BasicBlock *Before : predecessors(&BB))
    if (!Before->getSinglePredecessor() ||
        !is_contained(predecessors(&BB), Before->getSinglePredecessor()))
      Next = Next ? nullptr : Before;
  while (Next && is_contained(predecessors(&BB), Next)) {
    auto *Branch = dyn_cast<BranchInst>(Next->getTerminator());
    if (!Branch || !Branch->isConditional() || !L.contains(Next) ||
        Branch->getSuccessor(0) == Branch->getSuccessor(1) ||
        is_contained(Chain, Next))
      return {};
    Chain.push_back(Next);
    Next = Branch->getSuccessor(Branch->getSuccessor(0) == &BB);
    if (is_contained(predecessors(&BB), Next) &&
        Next->getSinglePredecessor() != Chain.back())
      return {};
  }
  return Chain.size() > 1 && Chain.size() == pred_size(&BB)
             ? Chain
             : SmallVector<BasicBlock *, 4>();
}

/// Have several conditions under each of which the program goes to \p BB be one
/// number, and one condition on it.
static void joinAlternatives(BasicBlock &BB, ArrayRef<BasicBlock *> Chain) {
  BasicBlock *Last = Chain.back();
  auto *Branch = cast<BranchInst>(Last->getTerminator());
  const bool OnTrue = Branch->getSuccessor(0) == &BB;
  BasicBlock *Else = Branch->getSuccessor(OnTrue ? 1 : 0);
  auto *Join = BasicBlock::Create(BB.getContext(), Last->getName() + ".either",
                                  BB.getParent(), &BB);
  IRBuilder<> B(Branch);
  Value *Condition = Branch->getCondition();
  Value *Number =
      B.CreateZExt(OnTrue ? Condition : B.CreateNot(Condition), B.getInt8Ty());
  B.SetInsertPoint(Join);
  B.SetCurrentDebugLocation(Branch->getDebugLoc());
  PHINode *Any = B.CreatePHI(B.getInt8Ty(), Chain.size(), "either");
  for (BasicBlock *From : Chain)
    Any->addIncoming(From == Last ? Number : B.getInt8(1), From);
  for (PHINode &Phi : BB.phis()) {
    PHINode *Own = B.CreatePHI(Phi.getType(), Chain.size(), Phi.getName());
    for (BasicBlock *From : Chain) {
      Own->addIncoming(Phi.getIncomingValueForBlock(From), From);
      Phi.removeIncomingValue(From, /*DeletePHIIfEmpty=*/false);
    }
    Phi.addIncoming(Own, Join);
  }
  for (PHINode &Phi : Else->phis()) {
    PHINode *Own = B.CreatePHI(Phi.getType(), Chain.size(), Phi.getName());
    for (BasicBlock *From : Chain)
      Own->addIncoming(From == Last ? Phi.getIncomingValueForBlock(Last)
                                    : PoisonValue::get(Phi.getType()),
                       From);
    Phi.removeIncomingValue(Last, /*DeletePHIIfEmpty=*/false);
    Phi.addIncoming(Own, Join);
  }
  // What the last one computes, and is used behind.
  for (Instruction &I : *Last) {
    SmallVector<Use *, 4> Behind;
    for (Use &U : I.uses())
      if (auto *User = cast<Instruction>(U.getUser());
          User->getParent() != Last && User->getParent() != Join)
        Behind.push_back(&U);
    if (Behind.empty())
      continue;
    PHINode *Own = B.CreatePHI(I.getType(), Chain.size(), I.getName());
    for (BasicBlock *From : Chain)
      Own->addIncoming(From == Last ? static_cast<Value *>(&I)
                                    : PoisonValue::get(I.getType()),
                       From);
    for (Use *U : Behind)
      U->set(Own);
  }
  B.CreateCondBr(B.CreateICmpNE(Any, B.getInt8(0)), &BB, Else);
  for (BasicBlock *From : drop_end(Chain))
    From->getTerminator()->replaceSuccessorWith(&BB, Join);
  BranchInst::Create(Join, Branch->getIterator())
      ->setDebugLoc(Branch->getDebugLoc());
  Branch->eraseFromParent();
}

/// The same, if a loop is behind \p BB and some condition is data.
static bool openAlternatives(BasicBlock &BB, FunctionAnalysisManager &FAM,
                             function_ref<bool(BasicBlock &)> IsData) {
  Function &F = *BB.getParent();
  const auto &LI = FAM.getResult<LoopAnalysis>(F);
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  const Loop *L = LI.getLoopFor(&BB);
  if (!L || L->isInnermost() || BB.hasNPredecessors(1) ||
      none_of(L->getSubLoops(), [&](const Loop *Inner) {
        return DT.dominates(&BB, Inner->getHeader());
      }))
    return false;
  auto Chain = alternatives(BB, *L);
  if (none_of(Chain, [&](BasicBlock *From) { return IsData(*From); }))
    return false;
  joinAlternatives(BB, Chain);
  return true;
}

void openConditions(Function &F, FunctionAnalysisManager &FAM,
                    function_ref<bool(BasicBlock &)> IsData) {
  bool Opened = false;
  for (BasicBlock &BB : make_early_inc_range(F))
    Opened |= openSwitch(BB, FAM.getResult<LoopAnalysis>(F),
                         FAM.getResult<DominatorTreeAnalysis>(F));
  if (Opened)
    FAM.invalidate(F, PreservedAnalyses::none());
  for (BasicBlock &BB : make_early_inc_range(F))
    if (openAlternatives(BB, FAM, IsData))
      FAM.invalidate(F, PreservedAnalyses::none());
}

} // namespace polygpu
