//===- UnrollExchanges.h - Time loops that exchange arrays ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A time loop that ends each step by exchanging pointers, or the number of the
// array that is read with that of the one that is written, accesses what no
// affine map describes.  Unrolled by as many steps as it takes until the
// pointers are where they were, it names its arrays.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_UNROLLEXCHANGES_H
#define POLYGPU_UNROLLEXCHANGES_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

/// Loops in loop-simplify form, rotated and closed (LCSSA); left so.
struct UnrollExchangesPass : llvm::PassInfoMixin<UnrollExchangesPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
