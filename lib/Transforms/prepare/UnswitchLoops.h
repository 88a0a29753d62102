//===- UnswitchLoops.h - Two ways to go through one array -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// if (forward) out[i * n + j] = in[j * m + i]; else in[j * m + i] = ... in a
// loop, of a condition that is the same in all iterations, has each array with
// the rows of both branches, and an array has only one shape.  Such loops
// become one loop for each branch.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_UNSWITCHLOOPS_H
#define POLYGPU_UNSWITCHLOOPS_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

/// Needs simple loops whose exits have their phis.
struct UnswitchLoopsPass : llvm::PassInfoMixin<UnswitchLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
