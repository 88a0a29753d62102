//===- StatementOrder.h - Statements of a block in the program's order ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Polly makes several statements of a block, and joins those that access memory
// in turns.  Afterwards it joins what uses a phi with what computes its next
// value, and does not look at turns again: in
//
//   next = x[i]; x[i] = x[i - 1] + y[i]; y[i] = last; last = next;
//
// the store to y is in the statement of the first load then, and in front of
// the load of y.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_STATEMENTORDER_H
#define POLYGPU_STATEMENTORDER_H

#include "Remarks.h"
#include <optional>

namespace polly {
class Scop;
}

namespace polygpu {

/// A refusal if two accesses of an iteration of \p S to one element, of which
/// one is a store, are in another order than in the program.  Of different
/// arrays order does not matter; EqualArrays asks the program about arrays that
/// may be one.
std::optional<Refusal> refuseReordered(polly::Scop &S);

} // namespace polygpu

#endif
