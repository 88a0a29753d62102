//===- DemoteReductions.h - Results of reductions in memory -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum that a nest of loops computes in a variable goes through phis of all
// loops around the addition, each of which would be a statement that copies it.
// In memory it is one statement that updates one element, and the core looks
// for these (schedule/reduce.c).  Only for the outermost loops of a region:
// what iterations of a loop around sum up is a variable of each of them.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_DEMOTEREDUCTIONS_H
#define POLYGPU_DEMOTEREDUCTIONS_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace polygpu {
class Predication;

/// Give variables that only an operator of reductions (ReductionOperators.h)
/// updates in one of \p Loops, which contain none of each other, memory of
/// their own while that loop runs.  True if there were any; analyses other than
/// of the control flow are invalid then.  Tests of flags are told to \p
/// Guarded.
bool demoteReductions(llvm::ArrayRef<llvm::Loop *> Loops,
                      const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE,
                      bool Reassociate, Predication &Guarded);

} // namespace polygpu

#endif
