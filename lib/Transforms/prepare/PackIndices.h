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
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_PACKINDICES_H
#define POLYGPU_PACKINDICES_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace polygpu {

/// Have one variable for a minimum or maximum of integers of up to 32 bits and
/// its index, a counter of up to 32 bits, in each of \p Loops that has these
/// and no loop inside.  True if there were any; analyses other than of the
/// control flow are invalid then.
bool packIndices(llvm::ArrayRef<llvm::Loop *> Loops, llvm::ScalarEvolution &SE);

} // namespace polygpu

#endif
