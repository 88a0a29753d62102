//===- Quotas.h - What the analysis may take --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What phases, SCoPs, functions and the module may take, in this order: each is
// a part of the next.  Operations decide, the same way on each machine; the
// seconds that a SCoP has are a net far above what operations allow.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_QUOTAS_H
#define POLYGPU_QUOTAS_H

#include "Remarks.h"
#include "polygpu/polyhedral.h"
#include <optional>

namespace polygpu {

struct Options;

/// The core's options, as far as they are the same for all phases.
pg_options limitsOfPhase(const Options &O);

/// Begin a budget that is a part of \p Outer: at most half of what that has
/// left, or five sixths if this is the "Last" SCoP of it, for its parts.
void beginScop(pg_budget &B, const Options &O, pg_budget *Outer, bool IsLast);

/// What Polly may take for the model of one region.
void beginModel(pg_budget &B, const Options &O);
void beginFunction(pg_budget &B, const Options &O, pg_budget *Outer);

/// Has a function more left than what each SCoP may take in any case?
bool leavesMore(const pg_budget &Function, const Options &O);

/// As much as one function, and a little more for each further one.
void beginModule(pg_budget &B, const Options &O, size_t Functions);

/// Have \p B, if it is just a SCoP's own share, be as at its beginning after
/// steps of Polly, which have limits of their own.
void giveBackPolly(pg_budget &B);

/// The refusal if nothing is left of \p B.
std::optional<Refusal> refuseIfSpent(const pg_budget &B);

} // namespace polygpu

#endif
