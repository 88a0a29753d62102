//===- LibraryCalls.h - What the C library accesses -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_LIBRARYCALLS_H
#define POLYGPU_LIBRARYCALLS_H

#include "polygpu/abi.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>

namespace llvm {
class DILocation;
class TargetLibraryInfo;
} // namespace llvm

namespace polygpu {

/// What an instruction may access.
struct HostAccess {
  enum Kinds {
    Nothing,   ///< that matters
    Bytes,     ///< \p Size times \p Unit bytes from \p First on
    Everything ///< or other threads may do so from here on
  } Kind = Nothing;
  llvm::Value *First = nullptr;
  llvm::Value *Size = nullptr; ///< of any integer type; null: not known.  A
                               ///< negative one is a large one
  uint64_t FixedSize = 0;      ///< in place of it, unless 0
  unsigned Mode = POLYGPU_TOUCH_WRITE;
  uint64_t Unit = 1;
  const llvm::DILocation *At = nullptr; ///< where it is written
};

/// What \p Call writes, if it is one of a function of the C library of which
/// that is known.  If the module defines it, it is another one.
std::optional<HostAccess> libraryWrite(const llvm::CallBase &Call,
                                       const llvm::TargetLibraryInfo &TLI);

/// The same for those that tell the time or give random numbers.  They read
/// nothing that the program can name.
std::optional<HostAccess> clockWrite(const llvm::CallBase &Call);

/// Is \p Stream stdout or stderr?  Others may be of fmemopen, and write memory.
bool isConsole(const llvm::Value *Stream);

/// What \p Call ends the life of, if it is free or an operator delete, with
/// POLYGPU_TOUCH_END in its mode where it is known how much that is.
std::optional<HostAccess> endedBy(const llvm::CallBase &Call,
                                  const llvm::TargetLibraryInfo &TLI);

} // namespace polygpu

#endif
