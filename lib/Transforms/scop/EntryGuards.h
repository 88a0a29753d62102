//===- EntryGuards.h - What holds where a SCoP is entered -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops are rotated: `for (i = 0; i < n; i++)` is a branch for 0 < n around a
// loop that is left at its end.  Polly's regions begin at the loop at times,
// behind the branch, and then the model has a case for n <= 0, in which the
// loop's first iteration runs.  No run comes there, but each set of the SCoP
// has a piece for it, and what is computed from them has more.
//
// And `n >> 1` is a parameter of its own beside `n`, as if it could have any
// value, so that both halves of an array could be the same elements.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_ENTRY_GUARDS_H
#define POLYGPU_ENTRY_GUARDS_H

namespace polly {
class Scop;
} // namespace polly

namespace polygpu {

/// Put what branches in front of \p S say of the signs of its parameters into
/// its context, and which are others shifted to the right.
void knowEntry(polly::Scop &S);

} // namespace polygpu

#endif
