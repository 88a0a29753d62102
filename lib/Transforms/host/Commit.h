//===- Commit.h - A function and its offloaded copy ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_COMMIT_H
#define POLYGPU_COMMIT_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

/// Make \p Copy a function of its own; all there is to do for one that only
/// other copies call.
void finishCopy(llvm::Function &Copy);

/// Make \p F call \p Copy where offloading is not switched off, in a scope of
/// its own if the copy takes one and runs can follow each other there.
void commitCopy(llvm::Function &F, llvm::Function *Copy, bool OwnScope,
                llvm::FunctionAnalysisManager &FAM);

} // namespace polygpu

#endif
