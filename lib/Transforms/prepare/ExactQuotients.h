//===- ExactQuotients.h - Rows that are parts of rows -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// int size = c / heads; ... x[t * c + h * size + i]: the steps c and size are
// no multiples of each other as far as anybody knows, so that x has no rows.
// Where the division leaves no rest, c is heads * size, and they are.  Such
// loops are there twice: one has heads * size in the place of c, and runs where
// that is the same; the other one is for the host.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_EXACTQUOTIENTS_H
#define POLYGPU_EXACTQUOTIENTS_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

/// Needs simple loops whose exits have their phis.
struct ExactQuotientsPass : llvm::PassInfoMixin<ExactQuotientsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
