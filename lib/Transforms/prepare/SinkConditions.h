//===- SinkConditions.h - Conditions on data move into loops ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop under a condition on data, which Polly can only take for one
// statement, runs always while SCoPs are looked for, with the condition inside:
//
//   if (mask[i])                       m = mask[i] != 0
//     for (j = 0; j < n; j++)          for (j = 0; j < n; j++)
//       a[i][j] = b[j];                  if (m) a[i][j] = b[j];
//
// What is accessed, or may not be computed where the condition does not hold,
// stays under it (prepare/Predicate.h makes straight-line code of that); how
// often loops run does not depend on it.  With an else, its loops come behind.
//
// restore() gives the loops on the host their condition again.  They run under
// it then, and what is inside is not asked for nothing.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_SINKCONDITIONS_H
#define POLYGPU_SINKCONDITIONS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Analysis.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/ValueHandle.h"

namespace llvm {
class BasicBlock;
class Function;
class Loop;
class LoopInfo;
class Region;
} // namespace llvm

namespace polygpu {

/// A condition that moved into loops.
struct SunkCondition {
  /// One way of it, which is always gone now.
  struct Way {
    llvm::WeakVH Before; ///< the branch to it
    llvm::WeakVH End;    ///< the block where it ends, at its beginning
    bool Holds;          ///< does the program go it where the condition holds?
    /// Phis where it ends, and what they are where it is not gone.
    llvm::SmallVector<std::pair<llvm::WeakTrackingVH, llvm::WeakTrackingVH>, 2>
        Kept;
  };
  llvm::SmallVector<Way, 2> Ways;
  llvm::WeakTrackingVH Condition; ///< not 0 where it holds
  /// Where the ways ask for it, and what they find if it need not be asked.
  llvm::SmallVector<llvm::WeakTrackingVH, 8> Asked;
  /// Those that are around it and moved later: what it is moved with it.
  llvm::SmallVector<unsigned, 2> Around;
  bool IsRestored = false;
};

/// The conditions of a function that moved into loops.
class SunkConditions {
public:
  /// Move conditions in \p F into the loops under them.  True if there were
  /// any; no analysis of the function holds then.
  bool add(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

  /// Move those back that have blocks in \p R, and have loops be as they were.
  /// True if there were any, likewise.
  bool restoreIn(const llvm::Region &R);

  /// Likewise, those in loops that are no part of a nest.
  bool restoreUnless(const llvm::LoopInfo &LI,
                     llvm::function_ref<bool(const llvm::Loop &)> IsInNest);

  /// Likewise, those in loops of which \p R, which is to be offloaded, is a
  /// part: restore() would not find their ways behind what is generated.
  bool restorePartly(const llvm::Region &R, const llvm::LoopInfo &LI);

  /// Move all in \p F back.  False if that is not possible for one: the
  /// function is not to be used then.
  [[nodiscard]] bool restore(const llvm::Function &F);

private:
  llvm::SmallVector<SunkCondition, 4> All;
  bool IsPossible = true; ///< to move back what had to be until now

  bool addOne(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
  bool restore(SunkCondition &C);
};

} // namespace polygpu

#endif
