//===- Runs.h - Where a function runs SCoPs -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_RUNS_H
#define POLYGPU_RUNS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace polygpu {

/// The numbers of the arrays of a SCoP, given by its descriptor, of which
/// copies may be kept.
using KeptArrays = llvm::DenseMap<const llvm::GlobalVariable *,
                                  llvm::SmallVector<unsigned, 8>>;

/// What copies of functions call in place of functions of the module.
struct LinkedFunctions {
  /// Copies that run SCoPs; they take their caller's scope as last argument.
  llvm::DenseMap<const llvm::Function *, llvm::Function *> Running;
  /// Others, which tell the runtime themselves what they access.
  llvm::DenseMap<const llvm::Function *, llvm::Function *> Telling;
  bool ForLink = false; ///< other files will have more of them
};

/// The function of \p Linked that \p Call can call instead, or null.
llvm::Function *linkedFunction(
    const llvm::CallBase &Call,
    const llvm::DenseMap<const llvm::Function *, llvm::Function *> &Linked);

/// The descriptor of the run that is argument 0 of \p Call.
llvm::GlobalVariable *descriptorOf(const llvm::CallInst &Call);

/// The runs of a function, in any order.
struct Runs {
  llvm::SmallVector<llvm::CallInst *, 4> Begins, Ends;
  llvm::SmallVector<llvm::CallInst *, 16> Arrays; ///< calls of polygpu_array
  llvm::SmallVector<llvm::CallBase *, 4> Linked;  ///< calls with runs in them

  Runs(llvm::Function &F, const KeptArrays &Kept,
       const LinkedFunctions &Functions);
};

/// Which blocks, or parts of them, lie between two runs?
class BetweenRuns {
public:
  explicit BetweenRuns(const Runs &R);

  /// May \p I be executed after a run?
  bool follow(const llvm::Instruction &I) const;
  /// And before one?
  bool has(const llvm::Instruction &I) const;
  /// Can a run follow another one?
  bool hasAny() const;

private:
  llvm::SmallVector<const llvm::CallBase *, 8> Begins, Ends;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 32> After;  ///< behind a run
  llvm::SmallPtrSet<const llvm::BasicBlock *, 32> Before; ///< in front of one
};

/// Is nothing known of \p F that a promise could be made of?  What returns
/// twice comes back to where nothing was written yet; funclets hold no calls of
/// ours; coroutines are left in the middle.
bool isOpaque(const llvm::Function &F);

} // namespace polygpu

#endif
