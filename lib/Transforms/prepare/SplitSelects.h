//===- SplitSelects.h - Subscripts that wrap around at borders --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "a[i == 0 ? n - 1 : i - 1]" and "a[(i + n - 1) % n]": a remainder of what is
// below twice the divisor is a choice between two values, and a load whose
// address is such a choice becomes two loads, each with an address that Polly
// knows, behind a branch on the condition.  So does one of "kind[i] ? b[i] :
// c[i]", of which LLVM chooses the array before it is read.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_SPLITSELECTS_H
#define POLYGPU_SPLITSELECTS_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

/// Before counters are compared for equality.
struct SplitRemaindersPass : llvm::PassInfoMixin<SplitRemaindersPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

struct SplitSelectsPass : llvm::PassInfoMixin<SplitSelectsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
