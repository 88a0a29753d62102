//===- TargetDescription.h - What a target offers ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers and names of a target that those need who generate device code
// and host code for it.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_TARGETDESCRIPTION_H
#define POLYGPU_TARGETDESCRIPTION_H

#include <string>

namespace llvm {
class Function;
}

namespace polygpu {

struct TargetDescription {
  const char *Triple;
  std::string DataLayout;
  unsigned StaticShared; ///< bytes that a block may declare; more of what it
                         ///< has is given at the launch
  unsigned VectorBytes;  ///< of the widest load, store or copy, and aligned so
  /// Attributes of kernels: threads in a block; blocks that are to have room on
  /// a multiprocessor, without which the assembler may spill rather than use
  /// more registers.
  const char *BlockSize, *MinBlocks;
};

/// NVIDIA's GPUs, through LLVM's NVPTX back end.
const TargetDescription &gpuTarget();

/// Let \p Kernel say how it is launched.  \p MinBlocks may be 0 for no wish.
void setLaunchBounds(llvm::Function &Kernel, const unsigned (&Block)[3],
                     unsigned MinBlocks);

} // namespace polygpu

#endif
