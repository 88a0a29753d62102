//===- CountRows.h - Loops over parts of an array get counters --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "for (p = row, end = row + m; p != end; ++p)" in a loop over rows goes round
// m times, wherever the row begins.  CountPointers counts what begins and ends
// outside of all loops.
//
// Rust's chunks_exact(m) takes m from a length as long as there is as much
// left, "do { ...; length -= m; } while (length >= m)": that is length / m
// times, which is computed in front of the loops and hidden, as in CountSteps.
//
// Only the comparison at the end of an iteration is another one.  So it is done
// before HoistChecks, which needs loops that count, and where checks may end
// the loop as well.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_COUNTROWS_H
#define POLYGPU_COUNTROWS_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

struct CountRowsPass : llvm::PassInfoMixin<CountRowsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
