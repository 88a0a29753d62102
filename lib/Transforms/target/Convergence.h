//===- Convergence.h - Warps that are together at barriers ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// bar.sync is for all threads of a warp together.  PTX says nothing of where
// threads that have parted meet again; what can be relied upon is the branch's
// immediate post-dominator.  Our kernels have barriers below conditions that
// are the same for all threads only, but LLVM (SimplifyCFG, up to 22) lets a
// jump that knows such a condition's value skip its test: the threads that
// jump and those that come through the test then reach the barrier on two ways
// that meet behind it.
//
// So each such test gets a marker that may be neither copied nor skipped, and
// the module that comes out is looked through.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_CONVERGENCE_H
#define POLYGPU_CONVERGENCE_H

#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace polygpu {

/// Mark the tests of \p M that decide whether there is a barrier: all threads
/// of a block get there together, in the same order.
void markUniformTests(llvm::Module &M);

/// A kernel of \p M that has a barrier between a branch without a mark, which
/// threads of one warp may take differently, and the place where they meet
/// again; "" if there is none.
std::string findApartAtBarrier(llvm::Module &M);

} // namespace polygpu

#endif
