//===- Level.h - How far the pass goes -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_LEVEL_H
#define POLYGPU_LEVEL_H

namespace polygpu {

/// What is printed, or done at the end.
enum class Level { Scops, Schedule, Mapping, Kernels, PTX, Offload };

} // namespace polygpu

#endif
