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
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_EQUALARRAYS_H
#define POLYGPU_EQUALARRAYS_H

#include "llvm/ADT/DenseSet.h"

namespace polly {
class Scop;
class ScopArrayInfo;
} // namespace polly

namespace polygpu {

/// Arrays that are written, with others that are read.
using ArrayPairs = llvm::DenseSet<
    std::pair<const polly::ScopArrayInfo *, const polly::ScopArrayInfo *>>;

/// Of the pairs that the run-time condition of \p S compares, those that may
/// begin at the same address.
ArrayPairs findEqualArrays(polly::Scop &S);

} // namespace polygpu

#endif
