//===- FoldBranches.h - Branches that always go one way ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IndVarSimplify leaves the guards of inner loops that the outer one has
// decided
// ("if (true)", in nests over squares) with their edges.  Without these a
// result has one value in each block, and there are fewer blocks to model.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_FOLDBRANCHES_H
#define POLYGPU_FOLDBRANCHES_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

struct FoldBranchesPass : llvm::PassInfoMixin<FoldBranchesPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
