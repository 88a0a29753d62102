//===- EqualArrays.h - Arrays that may be one and the same ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Work in place: w[i] = a * x[i] + b * y[i] is called with w == x.  On the
// device the two are arrays of their own, and what is read of x is what was
// there before the SCoP.  That is right where each element of x is read before
// the element of w at the same place is written, and x is not written at all.
// Arrays of one dimension need not be the same: w[i] = x[i + 8] * a is right
// wherever w begins at most 8 elements behind x.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_EQUALARRAYS_H
#define POLYGPU_EQUALARRAYS_H

#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace polly {
class Scop;
class ScopArrayInfo;
} // namespace polly

namespace polygpu {

/// Arrays that are written, with others that are read, and how many elements
/// behind the latter the former may begin at most, which is less than none
/// where it has to begin before; without a number they may be the same, no
/// more.
using ArrayPairs = llvm::DenseMap<
    std::pair<const polly::ScopArrayInfo *, const polly::ScopArrayInfo *>,
    std::optional<int64_t>>;

/// Of the pairs that the run-time condition of \p S compares, those that may
/// overlap so.
ArrayPairs findEqualArrays(polly::Scop &S);

} // namespace polygpu

#endif
