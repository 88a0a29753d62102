//===- DemoteReductions.h - Results of reductions in memory -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum that a nest of loops computes in a variable goes through phis of all
// loops around the addition, each of which would be a statement that copies it.
// In memory it is one statement that updates one element, and the core looks
// for these (schedule/reduce.c).
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_DEMOTEREDUCTIONS_H
#define POLYGPU_DEMOTEREDUCTIONS_H

namespace llvm {
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace polygpu {

/// Give variables that only an operator of reductions (scop/Updates.h) updates
/// in an outermost loop memory of their own while that loop runs.  True
/// if there were any; analyses other than of the control flow are invalid then.
bool demoteReductions(const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE,
                      bool Reassociate);

} // namespace polygpu

#endif
