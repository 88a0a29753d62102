//===- PackIndices.h - The largest value, and where it is -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   if (a[i] > m) { m = a[i]; k = i; }
//
// updates two variables at once, and which index is kept of equal values
// depends on the order.  One number has both: the value in its upper half, and
// in the lower one the index, counted so that the one to keep is larger too.
// Its maximum is a reduction like any other.
//
// A floating-point number is an integer that compares as it does: NaNs, which
// are never taken, are less than all, and both zeros are equal, so that the
// sign of the best one is in the lower half, too.
//
// So is the sign of a zero kept of numbers without an index, which is that of
// the first or the last of equal ones: of 32 bits, in loops of up to 2^31 - 2
// iterations.  Of 64 bits, the first or last zero is a reduction of its own.
//
// A number or a counter of 64 bits leaves no room for both.  There the loop is
// repeated: the first one finds the number, the second one the first or the
// last iteration that has it, which are two reductions.
//
// Both are done of nests, too, whose iterations are counted (NestIterations.h):
// where the number of an iteration leaves no room, the nest is repeated.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_PACKINDICES_H
#define POLYGPU_PACKINDICES_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace polygpu {

/// Have one variable, or one after the other, for a minimum or maximum and its
/// index, a counter, in each of \p Loops that has these and no loop inside.
/// True if there were any; no analysis of the function holds then.
bool packIndices(llvm::ArrayRef<llvm::Loop *> Loops, llvm::LoopInfo &LI,
                 llvm::DominatorTree &DT, llvm::ScalarEvolution &SE);

} // namespace polygpu

#endif
