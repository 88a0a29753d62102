//===- CarryGuards.h - Conditions that come out of loops --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Predicate guards has no branch while SCoPs are offloaded, and nothing in
// the function uses the condition then:
//
//   ok = ok && count(a, n) == c[j];   the read is guarded by ok
//   ok = ok && count(b, n) == d[j];   and this one by what comes from above
//
// Where the loops of count(a, n) become a SCoP with what is between them and
// the next ones, the condition of the second read is computed in it.  It has to
// be a result of the SCoP, which the host gets, although only the branch that
// comes back in the end uses it.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_CARRYGUARDS_H
#define POLYGPU_CARRYGUARDS_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Instruction;
class Region;
} // namespace llvm

namespace polygpu {

class Predication;

/// Uses of conditions, as long as a region is looked at.
class CarriedGuards {
public:
  /// Use what is computed in \p R where it guards what is behind.
  CarriedGuards(Predication &Guarded, const llvm::Region &R);

  /// The region is not offloaded: all is as it was.
  void drop();

private:
  llvm::SmallVector<llvm::Instruction *, 4> Uses;
};

} // namespace polygpu

#endif
