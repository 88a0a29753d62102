//===- ReplacedExtremes.h - Extremes that NaNs replace ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   m = m > x ? m : x;
//
// as `m = MAX(m, x)` and Fortran's `m = max(m, x)` say, takes x wherever one of
// both is a NaN, and goes on from there: which numbers count depends on the
// order.  Without NaNs it is a maximum like any other:
//
//   m = x >= m ? x : m;  any |= x is a NaN;
//   ...
//   if (any, or m was one in front of all)
//     the loops as they were
//
// Fortran's maxval, as flang writes it, takes x where it is larger, or where m
// is a NaN and x is none: m is none then, but where it was one in front of all.
//
// Only of loops that do nothing but read, since they may run again.  The second
// ones are for the host (Versions.h), which has NaNs where something has gone
// wrong.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_REPLACEDEXTREMES_H
#define POLYGPU_REPLACEDEXTREMES_H

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace polygpu {

/// Have those of \p Nest, in which loops may carry them on, be ordinary ones,
/// where the nest can run again.  True if there were any: analyses other than
/// of the loops that were there are invalid then.
bool openReplacedExtremes(llvm::Loop &Nest, llvm::LoopInfo &LI,
                          llvm::DominatorTree &DT, llvm::ScalarEvolution &SE);

} // namespace polygpu

#endif
