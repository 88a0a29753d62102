//===- CountSteps.h - Loops of variable step get counters -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How often "for (i = 0; i < n; i += step)" goes round is a quotient, and its
// divisor is no constant: that is not affine.  It is computed in front of the
// loops and hidden, so that it is a parameter, and a counter of its own decides
// whether the loop goes on.  What is accessed at i has a stride then, as in a[k
// * step].
//
// Scalar evolution has to know the number: it does where the counter cannot
// overflow, and a step that is not positive would be a loop without an end,
// which C and C++ do not have.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_COUNTSTEPS_H
#define POLYGPU_COUNTSTEPS_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

struct CountStepsPass : llvm::PassInfoMixin<CountStepsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
