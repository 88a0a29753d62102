//===- Simplify.h - Fewer scalars in Polly's model -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalars that go from one statement to another are dependences that the source
// may not have.  Polly removes most of them.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_SIMPLIFY_H
#define POLYGPU_SIMPLIFY_H

#include "Remarks.h"
#include <optional>

struct pg_budget;

namespace polly {
class Scop;
}

namespace polygpu {

/// Let Polly remove what it can of \p S: statements without effect, and scalars
/// that are computed again where they are used or kept in elements of arrays.
/// A refusal if nothing is left of \p Budget, or of \p S.
std::optional<Refusal> simplifyScop(polly::Scop &S, const pg_budget &Budget);

} // namespace polygpu

#endif
