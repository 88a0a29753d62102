//===- MergeGEPs.h - Undo the splitting of address computations -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// InstCombine turns the address of p[i][j], with p pointing to rows of 512
// floats, into one getelementptr for the row and one for the element, and
// moves constants to the end of the chain.  Polly takes the subscripts from a
// single getelementptr.  This pass merges a chain back into one instruction
// with one index per dimension of the array type found in the chain.
//
// The byte address stays the same.  Where a constant may be split between
// dimensions in several ways, the split whose subscripts are provably within
// their dimension is preferred, then the one with the smallest subscripts.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_MERGEGEPS_H
#define POLYGPU_MERGEGEPS_H

namespace llvm {
class Function;
class ScalarEvolution;
} // namespace llvm

namespace polygpu {

/// Merge the addresses of all loads and stores of \p F.  Returns true if
/// anything changed.
bool mergeGEPs(llvm::Function &F, llvm::ScalarEvolution &SE);

} // namespace polygpu

#endif
