//===- LastIndices.h - Where something was last ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// if (a[i] < 0) last = i; of an index that grows is a maximum of those for
// which the condition holds: last = max(last, a[i] < 0 ? i : none), with what
// it was before the loop where there is none.  Of one that falls it is a
// minimum.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_LASTINDICES_H
#define POLYGPU_LASTINDICES_H

namespace llvm {
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace polygpu {

/// Those of \p L, which is in LCSSA form; true if there are any.
bool openLastIndices(llvm::Loop &L, llvm::ScalarEvolution &SE);

} // namespace polygpu

#endif
