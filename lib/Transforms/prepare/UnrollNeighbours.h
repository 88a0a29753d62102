//===- UnrollNeighbours.h - Loops over neighbours that wrap around -*- C++ -*-//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "for (a = -1; a <= 1; a++) s += u[(i + a + n) % n]": with a number in place
// of a, SplitRemainders knows the subscript.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_UNROLLNEIGHBOURS_H
#define POLYGPU_UNROLLNEIGHBOURS_H

#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
} // namespace llvm

namespace polygpu {

/// Loops in loop-simplify form, rotated and closed (LCSSA); left so.
struct UnrollNeighboursPass : llvm::PassInfoMixin<UnrollNeighboursPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

/// The source's innermost loops of which \p L, but no loop inside of it, has
/// the iterations one behind the other.
llvm::SmallVector<llvm::DebugLoc, 2> unrolledLoopsIn(const llvm::Loop &L);

} // namespace polygpu

#endif
