//===- NumberTruths.h - Truth values that do not change -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "if (have) ..." in an innermost loop with "bool have", or "if (alpha == 0.0)
// ..." with alpha from in front of all loops: to Polly a truth value is no
// parameter, and what is under it would be under a condition on data, so that
// arrays would be said to reach to elements that nobody accesses.  The truth
// becomes an integer at the beginning of the function, which is hidden
// (HiddenValues), and the condition a comparison of that.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_NUMBERTRUTHS_H
#define POLYGPU_NUMBERTRUTHS_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

struct NumberTruthsPass : llvm::PassInfoMixin<NumberTruthsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
