//===- SplitComplex.h - Complex numbers by their parts ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang hands a complex number of floats on as a vector of two, so that some
// loads and stores of an array are of vectors and others of their parts, and
// sums are carried as vectors.  Arrays that are accessed in both ways are
// accessed by parts, and what loops carry are parts.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_SPLITCOMPLEX_H
#define POLYGPU_SPLITCOMPLEX_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

/// A pass over functions with pointers that are read in front of loops; what
/// takes vectors apart and puts them together is left to InstCombine.
struct SplitComplexPass : llvm::PassInfoMixin<SplitComplexPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
