//===- CompareArrays.h - Arrays that may overlap at run time ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The run-time condition compares what is accessed of arrays that may overlap.
// Polly's choice of what that is lacks accesses: of several through one pointer
// value it takes the last, which may happen under narrower conditions than the
// others, and accesses that never happen together with the first of those that
// may alias are set aside, also from others with which they do.  So the choice
// is made here.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_COMPAREARRAYS_H
#define POLYGPU_COMPAREARRAYS_H

#include "Remarks.h"
#include "polly/ScopInfo.h"
#include "prepare/Versions.h"
#include <optional>

namespace llvm {
class AAResults;
}

namespace polygpu {

/// Let the run-time condition of \p S compare all arrays of which \p AA, asked
/// about any two iterations, says that they may overlap, and those that are
/// written with the places that are \p Assumed not to be.
std::optional<Refusal> compareArrays(polly::Scop &S, llvm::AAResults &AA,
                                     llvm::ArrayRef<AssumedPlace> Assumed);

/// The parameters of runs of \p S that get as far as to compare.
isl::set comparedParams(polly::Scop &S);

/// The first of \p Elements and the one behind the last, for \p Params.  Null
/// if there is none.
polly::Scop::MinMaxAccessTy rangeOf(isl::set Elements, const isl::set &Params);

} // namespace polygpu

#endif
