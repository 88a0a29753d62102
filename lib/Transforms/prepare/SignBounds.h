//===- SignBounds.h - Clamped subscripts as signed minima -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM makes unsigned minima, saturating differences and selects of
// "i > 0 ? i - 1 : 0" and "i < n - 1 ? i + 1 : n - 1".  Where no value below is
// negative they are signed minima and maxima, which Polly knows.
//
// So are "i > n ? i - n : 0" and "n > i ? 0 : i - n" of a variable n, where
// LLVM made the counter wider than the choice and so no longer sees a maximum.
//
// "1 < n - 1" of an unsigned n, the condition around "for (i = 1; i < n - 1;",
// becomes "n - 3 < -2", and is made what it was.
//
// Counters that LLVM widened are truncated without a word of what the source
// promises, that they do not overflow: that is said again.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_SIGNBOUNDS_H
#define POLYGPU_SIGNBOUNDS_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

struct SignBoundsPass : llvm::PassInfoMixin<SignBoundsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
