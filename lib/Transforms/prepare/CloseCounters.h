//===- CloseCounters.h - What counters are behind loops ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a loop adds up in steps that do not change is known before it: the
// counter itself, "k++" in the innermost of several loops, a pointer that is
// moved.  Computed in front, as start + step * iterations, it is no scalar that
// the loop carries and brings out, for which a SCoP has statements; loops
// around change it by the same in each iteration.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_CLOSECOUNTERS_H
#define POLYGPU_CLOSECOUNTERS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
}

namespace polygpu {

/// Did \p L compute what is used behind it, and nothing else?  Where LLVM knows
/// that in front of the loop, nothing of the loop is left.
bool isOnlyForResult(const llvm::Loop &L);

/// A pass over functions whose loops are rotated and have phis for what is used
/// behind them.
struct CloseCountersPass : llvm::PassInfoMixin<CloseCountersPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
