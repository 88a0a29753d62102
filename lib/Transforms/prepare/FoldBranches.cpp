//===- FoldBranches.cpp - Branches that always go one way ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/FoldBranches.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace polygpu {

PreservedAnalyses FoldBranchesPass::run(Function &F,
                                        FunctionAnalysisManager &) {
  bool Changed = false;
  for (BasicBlock &BB : F) {
    auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
    if (Branch && Branch->isConditional() &&
        isa<ConstantInt>(Branch->getCondition()))
      Changed |= ConstantFoldTerminator(&BB);
  }
  if (!Changed)
    return PreservedAnalyses::all();
  EliminateUnreachableBlocks(F);
  return PreservedAnalyses::none();
}

} // namespace polygpu
