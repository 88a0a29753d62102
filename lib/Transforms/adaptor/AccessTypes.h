//===- AccessTypes.h - Types are no proof that accesses differ ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two accesses of different types may still be of the same memory: what malloc
// gave may be written as float, then as int, then as float again.  Type-based
// aliasing allows loads to move up across such stores, but no other change of
// order.  So the schedule must not rely on it, and arrays of different types
// get a run-time check like all others.
//
// Polly asks alias analysis, and that asks the accesses' metadata.  If Polly
// comes to know types from elsewhere, loops that write memory as two types get
// a wrong order.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_ACCESSTYPES_H
#define POLYGPU_ACCESSTYPES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/ValueHandle.h"

namespace llvm {
class Function;
class MDNode;
} // namespace llvm

namespace polygpu {

/// Takes the types that aliasing is based on away from a function's accesses,
/// for as long as it is analysed.  What is left of them in the end, as the
/// loops for the host, may have them again.
class AccessTypes {
public:
  explicit AccessTypes(llvm::Function &F);
  void restore();

private:
  struct Tag {
    llvm::WeakVH At; ///< null when the instruction is gone
    unsigned Kind;
    llvm::MDNode *Node;
  };
  llvm::SmallVector<Tag, 32> Tags;
};

} // namespace polygpu

#endif
