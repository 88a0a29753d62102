//===- OpenExtremes.h - The largest value under a condition -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   if (seen[i] && a[i] > m) { m = a[i]; k = i; }
//
// is the same in all iterations, with a value that is never taken where the
// condition does not hold:
//
//   v = seen[i] ? a[i] : NaN;
//   if (v > m) { m = v; k = i; }
//
// So it is a minimum or maximum like those without a condition, with an index
// (PackIndices.h) or without.  Of integers such a value is the least one where
// an equal one is not taken; where it is, numbers of 64 bits are compared, and
// there is one that is less than all.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_OPENEXTREMES_H
#define POLYGPU_OPENEXTREMES_H

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace polygpu {

/// Those of the innermost loop \p L that are under a condition: floating-point
/// numbers, and integers that have an index.  In a \p Nest, if that is not
/// null, loops from there in to \p L carry them on; it is in LCSSA form.  True
/// if there were any.
bool openExtremes(llvm::Loop &L, llvm::LoopInfo &LI, llvm::DominatorTree &DT,
                  llvm::ScalarEvolution &SE, llvm::Loop *Nest = nullptr);

} // namespace polygpu

#endif
