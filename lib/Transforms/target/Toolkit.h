//===- Toolkit.h - What of NVIDIA's toolkit is installed -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_TOOLKIT_H
#define POLYGPU_TOOLKIT_H

#include <string>

namespace polygpu {

/// The root of a CUDA installation where nobody says which, or "".
std::string findToolkit();

/// Its math functions as bitcode, or "" if they are not below \p CudaPath.
std::string libdevicePath(const std::string &CudaPath);
/// The end of a sentence about what needs them: that they were not found, and
/// what to do; "" if they are there.
std::string missingMath(const std::string &CudaPath);

/// ptxas, or "".
std::string assemblerPath(const std::string &CudaPath);
bool hasAssembler(const std::string &CudaPath);

} // namespace polygpu

#endif
