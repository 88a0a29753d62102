//===- RareCalls.h - Calls in some iterations of a loop around others -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Polly models loops with a call under a condition as if the call were never
// reached, and the run-time condition says so.  For an error message that is
// right.  A loop over time steps that prints in every tenth of them would never
// be offloaded: here the loops inside have to be taken by themselves.  Nor is a
// call between loops a reason to decline them in a run in which it happens.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_RARECALLS_H
#define POLYGPU_RARECALLS_H

#include "Remarks.h"

namespace llvm {
class Region;
}

namespace polygpu {

struct Detection;

/// Refuse \p R if a loop around others in it has calls that return, under a
/// condition that depends on the iteration, or has some outside of loops.
std::optional<Refusal> refuseRareCalls(const llvm::Region &R, Detection &D);

} // namespace polygpu

#endif
