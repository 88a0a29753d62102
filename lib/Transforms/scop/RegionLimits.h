//===- RegionLimits.h - Loops that are too large for Polly ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Polly's own phases have no quota, so what they get is bounded beforehand.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_REGIONLIMITS_H
#define POLYGPU_REGIONLIMITS_H

#include "Remarks.h"
#include <optional>

namespace llvm {
class DominatorTree;
class LoopInfo;
class Region;
} // namespace llvm

namespace polly {
class Scop;
}

namespace polygpu {

/// Why Polly is not to look at \p R, if it is too deep, too long, or has too
/// many conditions with remainders inside each other.
std::optional<Refusal> refuseTooLarge(const llvm::Region &R,
                                      const llvm::LoopInfo &LI,
                                      const llvm::DominatorTree &DT);

/// Why the model \p S of a region is not to be worked on, likewise.
std::optional<Refusal> refuseTooLarge(polly::Scop &S);

/// Where to part \p R, which has several loops behind each other, so that about
/// half of them are on each side; null if there is no such place.  Every path
/// through \p R passes it: Polly takes calls that some paths avoid for places
/// that are never reached, and does not part there.
llvm::Instruction *findMiddle(const llvm::Region &R, const llvm::LoopInfo &LI,
                              const llvm::DominatorTree &DT);

/// The same in a branch, where paths may pass by, like the case of a function
/// with loops for each value of an argument.
llvm::Instruction *findMiddleOfBranch(const llvm::Region &R,
                                      const llvm::LoopInfo &LI,
                                      const llvm::DominatorTree &DT);

/// In front of one of two loops of \p R of which only one runs, near the
/// middle; null if there are none.
llvm::Instruction *findAlternative(const llvm::Region &R,
                                   const llvm::LoopInfo &LI,
                                   const llvm::DominatorTree &DT);

/// Where to part a loop around several that is all of \p R.
llvm::Instruction *findInnerMiddle(const llvm::Region &R,
                                   const llvm::LoopInfo &LI);

/// Where to part the one loop inside of the one that is all of \p R from that;
/// null if there is no such place.
llvm::Instruction *findInside(const llvm::Region &R, const llvm::LoopInfo &LI);

} // namespace polygpu

#endif
