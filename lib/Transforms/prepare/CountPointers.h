//===- CountPointers.h - Loops over pointers get counters -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "for (p = begin; p != end; ++p)", iterators and range-for: the number of
// iterations, (end - begin) / size, is computed in front of all loops and
// hidden (HiddenValues), and a counter that is compared with it decides in
// place of the pointer.  In code that was optimised before, like bitcode of
// rustc, the loop is entered where the number of elements is not 0, and that
// number is the bound.  What is true of pointers that do not change, like "p
// != NULL", is asked in front of the loops: in them it is an integer.  Polly
// describes both by parameters then; a pointer is none.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_COUNTPOINTERS_H
#define POLYGPU_COUNTPOINTERS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class LoopInfo;
} // namespace llvm

namespace polygpu {

/// A number of elements computed as (int)(end - begin), like the size of a
/// std::vector, is a parameter of its own: described as the difference of two
/// addresses modulo 2^32 it would be too complex.  It is hidden.  True if there
/// was one.
bool hidePointerDifferences(llvm::Function &F, const llvm::LoopInfo &LI);

struct CountPointersPass : llvm::PassInfoMixin<CountPointersPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
