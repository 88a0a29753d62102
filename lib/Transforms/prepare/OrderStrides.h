//===- OrderStrides.h - Strides that are variables of their own -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Views of matrices have a stride for each dimension, and grids of three
// dimensions one for each but the first.  They need not form rows.
//
//   for (i ...)                    for (k ...)
//     for (j ...)                    for (j ...)
//       a[i * s0 + j * s1]             for (i ...)
//                                        a[i + j * jp + k * kp]
//
// Such loops get two versions (Versions.h), of which the first is for runs in
// which s1 is 1, and kp a multiple of jp: a[i * s0 + j], a[i + (k * (kp / jp) +
// j) * jp].  Which of two strides is that of rows follows from the loops.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_ORDERSTRIDES_H
#define POLYGPU_ORDERSTRIDES_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

struct VersionChoice;

/// A pass over functions whose loops are rotated, simple and have phis for what
/// is used behind them.  A loop that is one of two versions already assumes
/// this as well.
class OrderStridesPass : public llvm::PassInfoMixin<OrderStridesPass> {
public:
  explicit OrderStridesPass(const VersionChoice &Choice) : Choice(Choice) {}
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);

private:
  const VersionChoice &Choice;
};

} // namespace polygpu

#endif
