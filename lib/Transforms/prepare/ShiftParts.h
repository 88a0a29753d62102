//===- ShiftParts.h - Parts of allocations with rows ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "double *p = w + first; for (i ...) for (j < m) p[i * m + j] = ..." accesses
// rows of m elements.  As rows of w, first + j would have to be less than m,
// which holds for the first part only.  The pointer to the element from which
// loops count becomes the base of an array of its own.
//
// So does w[first + i * m + j], of a workspace with several pieces.
//
// Rows of an array in a structure, s->w[i * m + j], begin at that member.
//
// Only what is added to all accesses of a nest, is no number of rows and no
// bound of its loops is such a first element.  Several parts of one pointer
// that have rows of the same size are left alone: they may be blocks of one
// matrix.  Not so where whole rows are accessed, which are in no column of
// others: w[i * m + k] and w[n / 2 + i * m + k], k < m, are two arrays if the
// nest only reads them, or writes both.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_SHIFTPARTS_H
#define POLYGPU_SHIFTPARTS_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

struct ShiftPartsPass : llvm::PassInfoMixin<ShiftPartsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
