//===- AssumeStrides.h - Strides that are numbers of bytes ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fortran's assumed-shape arrays and pointers have their strides, in bytes, in
// a descriptor.  Nothing says that they are multiples of an element, and in
// which dimension elements are next to each other.
//
//   for (j ...)
//     for (i ...)
//       *(double *)(base + j * s2 + i * s1)
//
// Such loops get two versions (Versions.h), of which the first is for runs in
// which s1 is 8 and s2 a multiple of 8: base[j * (s2 / 8) + i].
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_ASSUMESTRIDES_H
#define POLYGPU_ASSUMESTRIDES_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

struct VersionChoice;

/// A pass over functions whose loops are rotated, simple and have phis for what
/// is used behind them.
class AssumeStridesPass : public llvm::PassInfoMixin<AssumeStridesPass> {
public:
  explicit AssumeStridesPass(const VersionChoice &Choice) : Choice(Choice) {}
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);

private:
  const VersionChoice &Choice;
};

} // namespace polygpu

#endif
