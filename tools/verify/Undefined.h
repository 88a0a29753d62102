//===- Undefined.h - Executions that LLVM need not keep ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A signed number that overflows, or a shift that is too wide, makes a poison
// value.  Where one decides on a branch, an address, a value in memory or in a
// call, two correct versions of a function may do different things.  So beside
// each value that may be poison a bit is computed, and verify_poison gets it
// where the value is used like that.
//
// The same holds for a local variable that is read before it is written.  That
// it was not written is seen by its bytes, which are VERIFY_UNSET in both
// executions, of numbers of four and eight bytes; such a value may be copied.
//
// Else only what C makes undefined is looked at: flags of additions,
// subtractions, multiplications and shifts, and the width of shifts.  Values of
// vectors and structures are taken for defined.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_VERIFY_UNDEFINED_H
#define POLYGPU_VERIFY_UNDEFINED_H

namespace llvm {
class Function;
} // namespace llvm

/// Make \p F tell verify_poison of poison that it uses.
void tellPoison(llvm::Function &F);

#endif
