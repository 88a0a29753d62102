//===- TargetDescription.cpp - What a target offers ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/TargetDescription.h"
#include "polygpu/machine.h"
#include "llvm/IR/Function.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace polygpu {

const TargetDescription &gpuTarget() {
  static const char *const Triple = "nvptx64-nvidia-cuda";
  static const TargetDescription Target = {
      Triple,           llvm::Triple(Triple).computeDataLayout(),
      PG_STATIC_SHARED, 16,
      "nvvm.reqntid",   "nvvm.minctasm"};
  return Target;
}

void setLaunchBounds(Function &Kernel, const unsigned (&Block)[3],
                     unsigned MinBlocks) {
  Kernel.addFnAttr(gpuTarget().BlockSize, std::to_string(Block[0]) + "," +
                                              std::to_string(Block[1]) + "," +
                                              std::to_string(Block[2]));
  if (MinBlocks)
    Kernel.addFnAttr(gpuTarget().MinBlocks, std::to_string(MinBlocks));
}

} // namespace polygpu
