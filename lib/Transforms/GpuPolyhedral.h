//===- GpuPolyhedral.h - The pass gpu-polyhedral --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   opt-22 -load-pass-plugin=PolyGPU.so -passes=gpu-polyhedral in.ll -S
//   opt-22 -load-pass-plugin=PolyGPU.so -passes='print<gpu-scops>' in.ll
//   opt-22 -load-pass-plugin=PolyGPU.so -passes='print<gpu-schedule>' in.ll
//   opt-22 -load-pass-plugin=PolyGPU.so -passes='print<gpu-mapping>' in.ll
//   opt-22 -load-pass-plugin=PolyGPU.so -passes='print<gpu-kernels>' in.ll
//   opt-22 -load-pass-plugin=PolyGPU.so -passes='print<gpu-ptx>' in.ll
//
// The first offloads, the others print one level of what would be done and
// change nothing.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_GPUPOLYHEDRAL_H
#define POLYGPU_GPUPOLYHEDRAL_H

#include "Level.h"
#include "llvm/IR/PassManager.h"

namespace polygpu {

class GpuPolyhedralPass : public llvm::PassInfoMixin<GpuPolyhedralPass> {
public:
  explicit GpuPolyhedralPass(Level Until = Level::Offload) : Until(Until) {}
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  Level Until;
};

/// What is left to do when files are linked as IR (residency/Link.h).
class GpuLinkPass : public llvm::PassInfoMixin<GpuLinkPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

} // namespace polygpu

#endif
