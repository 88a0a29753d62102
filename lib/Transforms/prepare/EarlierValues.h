//===- EarlierValues.h - Values of the iteration before ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A variable that is set at the end of an iteration and used in the next one,
// as in y[i] = x[i] + last; last = x[i], makes each iteration wait for the one
// before.  Where what it is set to comes from counters and from memory that the
// loop does not write, the next iteration computes it again, and the first one
// has what was there before the loop.  The same operations have the same
// operands, so that all bits are the same.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_EARLIERVALUES_H
#define POLYGPU_EARLIERVALUES_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

/// For loops with counters that are canonical.
struct EarlierValuesPass : llvm::PassInfoMixin<EarlierValuesPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
