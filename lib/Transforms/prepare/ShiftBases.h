//===- ShiftBases.h - Arrays that begin where loops do ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "k = 3; for (i ...) for (j < m) a[k++] = ..." accesses rows of m elements,
// from element 3 on: as a[i][3 + j] no row would be long enough.  The pointer
// to element 3 becomes the base of an array of its own.
//
// Only rows are looked at whose size is hidden, since counters go across loops
// (CloseCounters), or of which each has one element, since the counter's step
// is a variable (CountSteps): those of a matrix have room for their columns.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_SHIFTBASES_H
#define POLYGPU_SHIFTBASES_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

struct ShiftBasesPass : llvm::PassInfoMixin<ShiftBasesPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
