//===- PackedRows.h - Where rows of packed triangles begin ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "for (j < n) { for (i < n - j) a[row + i] = ...; row += n - j; }": no loop is
// affine in which the step of "row" changes, as no other beginning of a row of
// a packed triangle is (HoistDivisions.h), and for the loops inside it is a
// number like others.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_PACKEDROWS_H
#define POLYGPU_PACKEDROWS_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

/// With counters in canonical form.
struct PackedRowsPass : llvm::PassInfoMixin<PackedRowsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
