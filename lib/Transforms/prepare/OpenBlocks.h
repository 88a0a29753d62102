//===- OpenBlocks.h - memset and memcpy in loops become loops ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row that is set or copied as a block of memory is a loop over its elements
// for the SCoP.  What the elements are the address says, before it is bytes.
// LLVM finds such loops later and makes calls of them again, where they stay on
// the host.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_OPENBLOCKS_H
#define POLYGPU_OPENBLOCKS_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

/// A pass over functions whose addresses still have types.
struct OpenBlocksPass : llvm::PassInfoMixin<OpenBlocksPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
