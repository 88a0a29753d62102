//===- BorderSteps.h - Neighbours of elements at borders --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "up = y == 0 ? c : c - n" and "right = x < n - 1 ? c + 1 : c": where the
// counter does not get past the border, the choice is a sum, c - n * min(y, 1)
// and c + min(n - 1 - x, 1), and what is read at it one access.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_BORDERSTEPS_H
#define POLYGPU_BORDERSTEPS_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

/// With counters in canonical form, before choices become branches.
struct BorderStepsPass : llvm::PassInfoMixin<BorderStepsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
