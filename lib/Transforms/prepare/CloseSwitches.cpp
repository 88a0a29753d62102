//===- CloseSwitches.cpp - Switches without an unreachable end ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/CloseSwitches.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace polygpu {

static bool closeSwitch(BasicBlock &BB) {
  auto *Switch = dyn_cast<SwitchInst>(BB.getTerminator());
  if (!Switch || !Switch->defaultDestUnreachable() || !Switch->getNumCases())
    return false;
  // Phis of the successor have the same number of entries from here as before.
  auto Last = std::prev(Switch->case_end());
  Switch->getDefaultDest()->removePredecessor(&BB);
  Switch->setDefaultDest(Last->getCaseSuccessor());
  SwitchInstProfUpdateWrapper(*Switch).removeCase(Last);
  return true;
}

static bool closeSwitches(Function &F) {
  bool Changed = false;
  for (BasicBlock &BB : F)
    Changed |= closeSwitch(BB);
  if (Changed)
    removeUnreachableBlocks(F);
  return Changed;
}

PreservedAnalyses CloseSwitchesPass::run(Function &F,
                                         FunctionAnalysisManager &FAM) {
  if (!closeSwitches(F))
    return PreservedAnalyses::all();
  // Which case it is may be known from where it is come from: functions that
  // return from loops have a number for that.  Other switches are as before
  // then.
  FAM.invalidate(F, PreservedAnalyses::none());
  SimplifyCFGPass().run(F, FAM);
  closeSwitches(F);
  return PreservedAnalyses::none();
}

} // namespace polygpu
