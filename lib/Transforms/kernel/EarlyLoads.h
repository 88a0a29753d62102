//===- EarlyLoads.h - Loads of a thread's points together -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_EARLYLOADS_H
#define POLYGPU_EARLYLOADS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace polygpu {

/// Where code is in loops that are unrolled: of each the number of its
/// unrolling, and the value of its counter.
using UnrolledPath = llvm::SmallVector<std::pair<unsigned, int64_t>, 6>;

/// Points of a thread that are unrolled and update memory in place load,
/// compute and store one after the other; the assembler, which cannot know that
/// the next point's elements are others, has each load wait for the store
/// before. The loads of several points are made first here, so that a thread
/// waits for memory once (Volkov, "Better performance at lower occupancy", GTC
/// 2010).
///
/// It has to be known that no point accesses an element that another one
/// writes (pg_unroll::apart).
class EarlyLoads {
public:
  /// Note the accesses of memory among \p New, at \p Path, in the block where
  /// all of a statement's instance is.
  void add(llvm::iterator_range<llvm::BasicBlock::iterator> New,
           const UnrolledPath &Path);

  /// Move the loads that were added, and forget them.
  void run();

private:
  llvm::MapVector<llvm::Instruction *, UnrolledPath> Accesses;

  void moveIn(llvm::BasicBlock &Block);
};

} // namespace polygpu

#endif
