//===- PrefixSums.h - Sums of which iterations need the value ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for (i) { b[i] = s; s += a[i]; }
//
// and x[i] += x[i - 1], where what is stored stays in a register for the next
// iteration.  Polly sees a scalar that each iteration needs from the one
// before.  In memory it is what an update changes,
//
//   before = s;  s = s + a[i];  b[i] = before;
//
// which is associative, and what iterations read: the core finds what they read
// for all of them at once (schedule/prefix.c).
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_PREFIXSUMS_H
#define POLYGPU_PREFIXSUMS_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class AAResults;
class DominatorTree;
class Instruction;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace polygpu {

/// What is known of the function.
struct PrefixAnalyses {
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::ScalarEvolution &SE;
  llvm::AAResults &AA; ///< of accesses of any two iterations
};

/// Of a refusal of loops that are to be looked at again once that is done; the
/// user does not hear of it.
inline constexpr char PrefixesName[] = "Prefixes";

/// Are there variables for prefixSums in \p L?
bool mayHavePrefixes(
    llvm::Loop &L, const PrefixAnalyses &D, bool Reassociate,
    llvm::function_ref<bool(const llvm::Instruction &)> IsKept);

/// Put in memory the variables that each iteration of \p L updates, by an
/// operator that is associative, and uses.  Those of floating-point numbers may
/// be updated in any order if \p Reassociate, or their instructions say so.
/// What \p IsKept holds for is read and stored once.  True if there were any;
/// no analysis of the function holds then but its loops and dominators.
bool prefixSums(llvm::Loop &L, const PrefixAnalyses &D, bool Reassociate,
                llvm::function_ref<bool(const llvm::Instruction &)> IsKept);

} // namespace polygpu

#endif
