//===- OrdinarySizes.h - Conditions that hold in no run ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a SCoP assumes of its sizes is asked at run time.  With u[i * n + j] and
// u[k], k < m * n, in one SCoP it is that subscript k stays in its row, m * n
// <= n: no run has that, and the original loops would run each time.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_ORDINARYSIZES_H
#define POLYGPU_ORDINARYSIZES_H

#include "Remarks.h"
#include <optional>

namespace polly {
class Scop;
}

namespace polygpu {

/// Refuse \p S if what it assumes holds for no sizes of which the factors of
/// products are 2 at least, or only where a row of some array, which may be
/// longer, has one element.
std::optional<Refusal> refuseUnusualSizes(polly::Scop &S);

} // namespace polygpu

#endif
