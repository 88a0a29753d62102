//===- CarryBest.h - The best element by its index alone --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   if (a[i] > a[k]) k = i;
//
// reads the best element again in each iteration, at a place that depends on
// data.  In a loop that writes nothing it is the same as
//
//   if (a[i] > m) { m = a[i]; k = i; }
//
// with m = a[k] before the loop, which is an extreme with an index
// (PackIndices.h).
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_CARRYBEST_H
#define POLYGPU_CARRYBEST_H

namespace llvm {
class DominatorTree;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace polygpu {

/// Carry in variables what the innermost loops of \p LI read through an index
/// that they choose like this.  True if there was any.
bool carryBest(llvm::LoopInfo &LI, llvm::DominatorTree &DT,
               llvm::ScalarEvolution &SE);

} // namespace polygpu

#endif
