//===- NarrowUpdates.h - Atomic operations of 8 and 16 bits -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GPUs have atomic operations of 32 and 64 bits.  One of 8 or 16 bits becomes a
// loop that compares and exchanges the aligned word around the element until no
// other thread has changed it in between.  LLVM would do so as well, but with
// an ordinary load in front, which other threads' updates race with.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_NARROWUPDATES_H
#define POLYGPU_NARROWUPDATES_H

namespace llvm {
class Module;
}

namespace polygpu {

/// Rewrite those in \p M.  Elements are aligned by their size, and the bytes up
/// to a multiple of 4 behind an array may be read, and written as they are.
void widenNarrowUpdates(llvm::Module &M);

} // namespace polygpu

#endif
