//===- WidenIndices.h - Indices that do not wrap around ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is computed with unsigned numbers, and what Fortran programs compute in
// an integer variable, may wrap around in 32 bits:
//
//   for (unsigned y = 0; y < h; y++)
//     for (unsigned x = 0; x < w; x++)
//       a[y * w + x]
//
// so that y * w is no row of w elements.  Such loops get two versions
// (Versions.h), of which the first is for runs in which no index does: there it
// is a sum of 64 bits.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_WIDENINDICES_H
#define POLYGPU_WIDENINDICES_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

struct VersionChoice;

/// A pass over functions whose loops are rotated, simple and have phis for what
/// is used behind them.
class WidenIndicesPass : public llvm::PassInfoMixin<WidenIndicesPass> {
public:
  explicit WidenIndicesPass(const VersionChoice &Choice) : Choice(Choice) {}
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);

private:
  const VersionChoice &Choice;
};

} // namespace polygpu

#endif
