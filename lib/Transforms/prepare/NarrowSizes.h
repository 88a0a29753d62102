//===- NarrowSizes.h - Sizes of 8 and 16 bits ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "for (int i = 0; i < n; i++)" with an "unsigned char n": Polly takes numbers
// as signed, and assumes of what is extended with zeros that it is not
// negative, so that no run with n from 128 on would be offloaded.  A number of
// 8 or 16 bits that is known in front of all loops is extended there, once, and
// hidden (HiddenValues): it is one of 32 bits then.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_NARROWSIZES_H
#define POLYGPU_NARROWSIZES_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

struct NarrowSizesPass : llvm::PassInfoMixin<NarrowSizesPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
