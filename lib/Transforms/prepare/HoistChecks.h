//===- HoistChecks.h - Checks that may end loops ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Languages and libraries check indices: where one is out of bounds the program
// ends, or an exception leaves the function.
//
//   for (i = 0; i < n; i++) {
//     if (i >= length) panic();
//     a[i] = b[i];
//   }
//
// Such a loop gets two versions (Versions.h).  The first has no checks, and is
// for runs in which it is known in front of the loops that none would fail,
// here n - 1 < length.  The second is the loop as it was written, which ends
// where it did.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_HOISTCHECKS_H
#define POLYGPU_HOISTCHECKS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class BranchInst;
class DebugLoc;
class Loop;
} // namespace llvm

namespace polygpu {

struct VersionChoice;

/// The branches of \p L and of loops inside that go on to what never comes back
/// to the function's caller in an ordinary way.
llvm::SmallVector<llvm::BranchInst *, 8> checksIn(const llvm::Loop &L);

/// Where a check is in the source.
llvm::DebugLoc placeOfCheck(const llvm::BranchInst &Check);

/// A pass over functions whose loops are rotated, simple and have phis for what
/// is used behind them.
class HoistChecksPass : public llvm::PassInfoMixin<HoistChecksPass> {
public:
  explicit HoistChecksPass(const VersionChoice &Choice) : Choice(Choice) {}
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);

private:
  const VersionChoice &Choice;
};

} // namespace polygpu

#endif
