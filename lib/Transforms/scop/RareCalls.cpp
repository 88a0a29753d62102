//===- RareCalls.cpp - Calls in some iterations of a loop around others ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/RareCalls.h"
#include "scop/Detection.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace polygpu {

/// The first call of \p BB that may come back, or null.
static const CallInst *returningCall(const BasicBlock &BB) {
  for (const Instruction &I : BB)
    if (const auto *Call = dyn_cast<CallInst>(&I))
      if (!Call->doesNotAccessMemory() && !I.isDebugOrPseudoInst())
        return Call->doesNotReturn() ? nullptr : Call;
  return nullptr;
}

/// Is \p BB executed whenever \p R is?
static bool isAlwaysExecuted(const BasicBlock &BB, const Region &R,
                             const DominatorTree &DT) {
  return R.getExit() &&
         all_of(predecessors(R.getExit()), [&](const BasicBlock *Last) {
           return !R.contains(Last) || DT.dominates(&BB, Last);
         });
}

/// May \p BB branch elsewhere from one iteration of \p L to the next?
static bool differs(const BasicBlock &BB, const Loop &L, ScalarEvolution &SE) {
  const auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
  if (!Branch)
    return true;
  if (Branch->isUnconditional() || L.isLoopInvariant(Branch->getCondition()))
    return false;
  const auto *Test = dyn_cast<ICmpInst>(Branch->getCondition());
  return !Test || any_of(Test->operands(), [&](Value *V) {
    return !SE.isSCEVable(V->getType()) ||
           !SE.isLoopInvariant(SE.getSCEV(V), &L);
  });
}

/// The next block above \p BB in \p L that is executed whenever \p R is, or the
/// header of \p L: a call there is nothing rare.  Null if no branch in between
/// differs from iteration to iteration.
static BasicBlock *findChoice(BasicBlock &BB, const Loop &L, const Region &R,
                              const Detection &D) {
  bool Varies = false;
  BasicBlock *Above = &BB;
  do {
    const auto *Node = D.DT.getNode(Above)->getIDom();
    if (!Node || !L.contains(Node->getBlock()))
      return nullptr;
    Above = Node->getBlock();
    Varies |= differs(*Above, L, D.SE);
  } while (Above != L.getHeader() && (D.LI.getLoopFor(Above) != &L ||
                                      !isAlwaysExecuted(*Above, R, D.DT)));
  return Varies ? Above : nullptr;
}

/// Where a way to \p BB, which is in no loop of \p R, parts from the others.
static BasicBlock *findFork(BasicBlock &BB, const Region &R,
                            const Detection &D) {
  const auto *Node = D.DT.getNode(&BB)->getIDom();
  while (Node && R.contains(Node->getBlock())) {
    const Loop *L = D.LI.getLoopFor(Node->getBlock());
    if (!L || !R.contains(L))
      return Node->getBlock();
    Node = Node->getIDom();
  }
  return nullptr;
}

/// A call between loops, in front of them or behind them.
static std::optional<Refusal> refuseBetween(const CallInst &Call,
                                            BasicBlock &Fork) {
  return Refusal{
      "RareCall",
      "a function is called in " +
          describeLine(Call.getDebugLoc(), *Call.getFunction()) +
          " under a condition, between loops that are looked at by themselves; "
          "move the call in front of the loops or behind them",
      Call.getDebugLoc(), Fork.getTerminator()};
}

/// A call in some iterations of a loop around others.
static Refusal refuseWithin(const CallInst &Call, BasicBlock &Choice) {
  return Refusal{"RareCall",
                 "a function is called in " +
                     describeLine(Call.getDebugLoc(), *Call.getFunction()) +
                     " in some iterations of a loop around others, which are "
                     "looked at by themselves; move the call out of the loop, "
                     "or split the loop where it is called",
                 Call.getDebugLoc(), Choice.getTerminator()};
}

std::optional<Refusal> refuseRareCalls(const Region &R, Detection &D) {
  for (BasicBlock *BB : R.blocks()) {
    if (!D.SD.isErrorBlock(*BB, R))
      continue;
    const CallInst *Call = returningCall(*BB);
    if (!Call)
      continue;
    const Loop *L = D.LI.getLoopFor(BB);
    if (L && !L->isInnermost())
      if (BasicBlock *Choice = findChoice(*BB, *L, R, D))
        return refuseWithin(*Call, *Choice);
    if (!L || !R.contains(L))
      if (BasicBlock *Fork = findFork(*BB, R, D))
        return refuseBetween(*Call, *Fork);
  }
  return std::nullopt;
}

} // namespace polygpu
