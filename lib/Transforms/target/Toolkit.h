//===- Toolkit.h - What of NVIDIA's toolkit is installed -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_TOOLKIT_H
#define POLYGPU_TOOLKIT_H

#include <string>

namespace polygpu {

struct Options;

/// The root of a CUDA installation where nobody says which, or "".
std::string findToolkit();

/// Its math functions as bitcode, or "" if they are not where \p O says.
std::string libdevicePath(const Options &O);
bool hasLibdevice(const Options &O);

/// ptxas, or "".
std::string assemblerPath(const Options &O);
bool hasAssembler(const Options &O);

} // namespace polygpu

#endif
