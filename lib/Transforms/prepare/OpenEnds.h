//===- OpenEnds.h - Loops in front of the program's end ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Behind the last loops of a program there may be nothing that returns:
//
//   for (i = 0; i < n; i++)
//     a[i] = i;
//   exit(0);
//
// Polly takes no region whose exit is a block that ends in "unreachable".  Such
// a block behind loops ends in a return, to which it never comes, until the
// function is looked at no more.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_OPENENDS_H
#define POLYGPU_OPENENDS_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

struct OpenEndsPass : llvm::PassInfoMixin<OpenEndsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

/// Undo that.
void closeEnds(llvm::Function &F);

} // namespace polygpu

#endif
