//===- JoinBounds.h - Loops with several bounds -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "for (l = 0; l < k && l < i + 2; l++)", as over the bands of matrices, ends
// at the smaller one of two bounds.  LLVM takes the smaller one of two unsigned
// numbers for that, which Polly does not know: the loops around are refused.
// "l < min(k, i + 2)" with signs is the same.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_JOINBOUNDS_H
#define POLYGPU_JOINBOUNDS_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

/// A pass over functions whose loops are rotated and simple.  To run before
/// IndVarSimplify, which computes the number of iterations.
struct JoinBoundsPass : llvm::PassInfoMixin<JoinBoundsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
