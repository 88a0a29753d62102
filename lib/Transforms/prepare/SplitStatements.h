//===- SplitStatements.h - Stores that share loads --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To Polly, stores of a block that use one load are one statement, which is
// executed as a whole.  In a[i + 1] = b[i] + c[i]; a[i] = b[i] * 2; the second
// store overwrites what the first one has written in the iteration before, and
// nothing can run in parallel, while two loops could.  Each store gets loads
// and operations of its own here.  Where that cannot be, since a[i] is one of
// these and overwritten in between, what an earlier store has written is read
// again: in a[i] += c[i]; b[i] = b[i - 1] + a[i]; all a[i] can be computed at
// once.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_SPLITSTATEMENTS_H
#define POLYGPU_SPLITSTATEMENTS_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class AAResults;
class BasicBlock;
class Instruction;
class MemoryLocation;
} // namespace llvm

namespace polygpu {

/// Does nothing between \p From and \p Until, an instruction of the same block
/// or null for its end, write to what is at \p At?
bool isUnwritten(const llvm::MemoryLocation &At, const llvm::Instruction &From,
                 const llvm::Instruction *Until, llvm::AAResults &AA);

/// What the stores of \p BB share is done for each of them, where memory does
/// not change between; true if anything was.  What \p IsKept stays as it is.
bool splitStatements(
    llvm::BasicBlock &BB, llvm::AAResults &AA,
    llvm::function_ref<bool(const llvm::Instruction &)> IsKept);

} // namespace polygpu

#endif
