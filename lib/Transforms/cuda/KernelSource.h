//===- KernelSource.h - A kernel as CUDA ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_CUDA_KERNELSOURCE_H
#define POLYGPU_CUDA_KERNELSOURCE_H

#include "kernel/DeviceCode.h"
#include <string>

namespace polygpu {

/// A kernel of CUDA.
struct KernelSource {
  std::string Name;    ///< in the file
  std::string Text;    ///< its definition
  std::string Problem; ///< why there is none; empty: there is one
  /// Bytes of shared memory that a launch has to ask for; 0: none.
  unsigned DynamicBytes = 0;
};

/// The text of kernel \p K of \p Plan, which generateReadableKernels() made,
/// called \p Name.
KernelSource kernelSource(llvm::Function &F, const pg_plan &Plan,
                          const pg_kernel &K, llvm::ArrayRef<KernelArg> Args,
                          llvm::ArrayRef<llvm::Type *> ElementTypes,
                          const std::string &Name);

/// The element type of array \p A of \p Plan.
llvm::Type *elementType(const pg_plan &Plan, unsigned A,
                        llvm::ArrayRef<llvm::Type *> ElementTypes);

} // namespace polygpu

#endif
