//===- SomeIteration.h - Does a condition hold in any iteration -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// In triangular loops, `for (j < n) for (k < j) s->a[j][k] = 0`, the inner
/// one runs where 0 < j.  That holds in some iteration exactly if it does in
/// the first or in the last one, since the counter goes in one direction: what
/// the loop reads then can be read in front, under that condition.
///
//===----------------------------------------------------------------------===//

#ifndef POLYGPU_SOMEITERATION_H
#define POLYGPU_SOMEITERATION_H

#include "llvm/Analysis/ScalarEvolution.h"

namespace llvm {
class BasicBlock;
class BranchInst;
class Instruction;
} // namespace llvm

namespace polygpu {

/// A comparison of the counter of a loop, which holds in some iteration exactly
/// if it does in the first or in the last one.
struct SomeIteration {
  llvm::CmpInst::Predicate Pred;
  const llvm::SCEV *First, *Last; ///< the counter in these
  const llvm::SCEV *Other;        ///< what it is compared with
};

/// What \p Branch, of a loop in \p Around or of that itself, compares where it
/// leads on to \p Next: known in front of \p Around, whose iterations all come
/// to their end.
std::optional<SomeIteration> findSomeIteration(const llvm::BranchInst &Branch,
                                               const llvm::BasicBlock &Next,
                                               const llvm::Loop &Around,
                                               llvm::ScalarEvolution &SE);

/// Whether \p Found holds in some iteration, computed at \p Front.
llvm::Value *computeSomeIteration(const SomeIteration &Found,
                                  llvm::ScalarEvolution &SE,
                                  llvm::Instruction &Front);

} // namespace polygpu

#endif
