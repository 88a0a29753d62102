//===- TimeLoops.h - The runtime hears when original loops end ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Behind the original loops of each run:
//
//   if (descriptor.timing) polygpu_loops_end(&descriptor);
//
// so that the cost test knows how long they took.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_TIMELOOPS_H
#define POLYGPU_TIMELOOPS_H

namespace llvm {
class Function;
}

namespace polygpu {

/// Do that in the finished copy \p F, as the last change to it.
void timeLoops(llvm::Function &F);

} // namespace polygpu

#endif
