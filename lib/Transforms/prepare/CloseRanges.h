//===- CloseRanges.h - Counters that stay where they end --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ranges that include their end, like Rust's 0..=n, do not count beyond it,
// since it may be the largest number there is:
//
//   do { ... } while (i < n && (i += i < n) <= n)
//
// Where the loop goes on, i < n, and so i counts by one and the second
// comparison holds.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_CLOSERANGES_H
#define POLYGPU_CLOSERANGES_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

/// A pass over functions whose loops are rotated.
struct CloseRangesPass : llvm::PassInfoMixin<CloseRangesPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
