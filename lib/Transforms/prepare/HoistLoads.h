//===- HoistLoads.h - Bounds and pointers read in loops ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The bound s->n, and the pointer behind v[i][j] of a std::vector, are read
/// again in each iteration.  Where no store of the loop can change them, by
/// their types for example, the load moves in front of the loop.  Nothing else
/// moves: what is computed in loops is best left there for Polly.
///
/// What is read under a condition that is the same in all iterations, like the
/// pointer in a loop that does not run at all for s->m == 0, is read in front
/// under that condition; so is what an inner loop of a triangle reads, under
/// the one that it runs at all (SomeIteration.h).  Where a store might change
/// what is read, the loop gets a second version (Versions.h).
///
/// So it does for what is read under a condition that is not the same, like the
/// pointer to the values of a sparse matrix, whose rows may be empty, if
/// another member of the structure is read in any case: that version reads it
/// in front, and runs if both are in one page of memory.
///
//===----------------------------------------------------------------------===//

#ifndef POLYGPU_HOISTLOADS_H
#define POLYGPU_HOISTLOADS_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

struct VersionChoice;

/// A pass over functions whose loops are rotated.
class HoistLoadsPass : public llvm::PassInfoMixin<HoistLoadsPass> {
public:
  /// Without a choice for a copy of which no loop is to be offloaded: there is
  /// no use for more blocks.
  explicit HoistLoadsPass(VersionChoice *Choice = nullptr) : Choice(Choice) {}
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);

private:
  VersionChoice *Choice;
};

/// A pass over functions before branches are joined.  Of i < m.rows && j <
/// m.columns, a check, LLVM reads the second member ahead, as far as it may be
/// read at all, and forgets its type, without which a store to any element
/// might change it.  It moves in front of the loops while the type is known.
class HoistCheckedLoadsPass
    : public llvm::PassInfoMixin<HoistCheckedLoadsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
