//===- SplitSums.h - What is summed up in order, apart ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for (i) { t = 0; for (j) t += ...; s += q[i] * t; }
//
// A floating-point sum keeps its order, so that the iterations of i do, and yet
// what is added, t, takes all the time and could be computed for all i at once.
// Polly sees one scalar, t, that each iteration uses again.  Here it is an
// element of a variable in memory, and the addition a block of its own: the
// core gives each iteration a copy of the variable then, and has one thread add
// them up.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_SPLITSUMS_H
#define POLYGPU_SPLITSUMS_H

namespace llvm {
class Loop;
} // namespace llvm

namespace polygpu {

/// Part sums and products in \p L of floating-point numbers from what loops
/// inside compute for them.  True if there were any; no analysis of the
/// function holds then.
bool splitSums(llvm::Loop &L);

} // namespace polygpu

#endif
