//===- RowPointers.h - Matrices as arrays of pointers to rows ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Many C programs have a matrix as an array of pointers, one for each row.
// Nothing says where the rows are.
//
//   double **a;
//   for (i ...)
//     for (j ...)
//       a[i][j]
//
// Mostly they are one behind the other, since they were allocated as one block,
// or one after another.  Such loops get two versions (Versions.h), of which the
// first is for runs in which the pointers that may be read are all the same
// number of elements apart, a0[i * step + j].
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_ROWPOINTERS_H
#define POLYGPU_ROWPOINTERS_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

struct VersionChoice;

/// Pointers to rows that were moved in front of loops under a condition which
/// is known to hold are there without; so the conditions above them are known
/// to hold for the loops.  A pass behind simplifications, before counters
/// become canonical.
class FoldConditionsPass : public llvm::PassInfoMixin<FoldConditionsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

/// A pass over functions whose loops are rotated, simple and have phis for what
/// is used behind them.  A loop that is one of two versions already assumes
/// this as well.
class RowPointersPass : public llvm::PassInfoMixin<RowPointersPass> {
public:
  /// An early pass is for rows whose elements might be pointers for all that
  /// types say: before loops get versions in which these are none (HoistLoads).
  explicit RowPointersPass(const VersionChoice &Choice, bool IsEarly = false)
      : Choice(Choice), IsEarly(IsEarly) {}
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);

private:
  const VersionChoice &Choice;
  const bool IsEarly;
};

} // namespace polygpu

#endif
