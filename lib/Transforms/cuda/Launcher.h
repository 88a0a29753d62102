//===- Launcher.h - What launches kernels, as CUDA --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_CUDA_LAUNCHER_H
#define POLYGPU_CUDA_LAUNCHER_H

#include "cuda/KernelSource.h"
#include "scop/Import.h"

namespace polygpu {

/// The text of a function of the host, called \p Name, that launches the
/// kernels of \p Plan as the compiled program does.  \p Problem is why there is
/// none, else empty.
std::string launcherSource(const pg_plan &Plan, const ImportedScop &Imported,
                           const DeviceCode &Code,
                           llvm::ArrayRef<KernelSource> Kernels,
                           const std::string &Name, llvm::LLVMContext &Ctx,
                           std::string &Problem);

} // namespace polygpu

#endif
