//===- SplitConditions.h - && and || as branches ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM joins the two branches of "i > 0 && i < n - 1" to one, on a select of
// two truth values, which Polly takes for data.  Where all comparisons below it
// are of values that scalar evolution knows, it becomes a branch for each
// again. (An "and" in place of the select would do for Polly, but is poison
// where the second comparison alone is.) So do comparisons that it joined:
// "i % 2 == 0 && j % 2 == 0" to ((i | j) & 1) == 0.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_SPLITCONDITIONS_H
#define POLYGPU_SPLITCONDITIONS_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

struct SplitConditionsPass : llvm::PassInfoMixin<SplitConditionsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
