//===- HoistDivisions.h - Halves of sizes, in front of loops ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In loops over an image of half the size, y * (w / 2) + x has a division that
// is the same in all iterations.  ScalarEvolution has no expression for it, so
// that it would look like data, and its rows would have a length that nobody
// knows. In front of the loops it is a parameter, and so is what chooses the
// first element of a row that may be gone through backwards.  An index that is
// read with a minus is one, too, for loops inside that store there.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_HOISTDIVISIONS_H
#define POLYGPU_HOISTDIVISIONS_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

/// Needs loops with preheaders.
struct HoistDivisionsPass : llvm::PassInfoMixin<HoistDivisionsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
