//===- CloseSwitches.h - Switches without an unreachable end ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A switch with a case for each value that is possible, like one on i % 4, ends
// in "unreachable" otherwise, which Polly takes for an exit of the loop.  Its
// last case becomes the default.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_CLOSESWITCHES_H
#define POLYGPU_CLOSESWITCHES_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

struct CloseSwitchesPass : llvm::PassInfoMixin<CloseSwitchesPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
