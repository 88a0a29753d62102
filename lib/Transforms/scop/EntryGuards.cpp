//===- EntryGuards.cpp - What holds where a SCoP is entered ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/EntryGuards.h"
#include "polly/ScopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

using namespace llvm;

namespace polygpu {

/// The smallest of 0 and 1 that \p E is known to be at least where \p At is
/// executed; null if it may be negative.
static std::optional<int> leastOf(ScalarEvolution &SE, const SCEV *E,
                                  const Instruction &At) {
  const SCEV *Zero = SE.getZero(E->getType());
  if (SE.isKnownPredicateAt(ICmpInst::ICMP_SGT, E, Zero, &At))
    return 1;
  if (SE.isKnownPredicateAt(ICmpInst::ICMP_SGE, E, Zero, &At))
    return 0;
  return std::nullopt;
}

void knowEntry(polly::Scop &S) {
  ScalarEvolution &SE = *S.getSE();
  // Only what dominates the entry counts for its first instruction.
  const Instruction &At = S.getEntry()->front();
  isl::set Known = S.getContext();
  for (const SCEV *E : S.parameters()) {
    if (!E->getType()->isIntegerTy())
      continue;
    int Place = isl_set_find_dim_by_id(Known.get(), isl_dim_param,
                                       S.getIdForParam(E).get());
    std::optional<int> Least = leastOf(SE, E, At);
    if (Place >= 0 && Least)
      Known = isl::manage(isl_set_lower_bound_si(Known.release(), isl_dim_param,
                                                 (unsigned)Place, *Least));
  }
  // A SCoP that is never entered is left as it is.
  if (Known.is_empty().is_false())
    S.setContext(Known);
}

} // namespace polygpu
