//===- OpenFlags.h - Flags that loops set -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "if (a[i] < 0) found = true;" and "fine &= a[i] > 0;" are reductions of a
// bit. No array has elements of one bit, and a choice between a constant and
// what a variable was is no operator: the flag becomes a number of 8 bits, 0 or
// 1, with | and &.  A variable that is only ever set to one constant, "found =
// 7;", is such a flag as well: behind the loop the constant is chosen, or what
// it was.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_OPENFLAGS_H
#define POLYGPU_OPENFLAGS_H

namespace llvm {
class Loop;
}

namespace polygpu {

/// Those of \p L; true if there are any.
bool openFlags(llvm::Loop &L);

} // namespace polygpu

#endif
