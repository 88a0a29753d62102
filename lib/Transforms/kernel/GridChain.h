//===- GridChain.h - Loops of the host in one kernel ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop of the host around launches costs a launch for each of them.  The same
// loop in a kernel, all of whose blocks are on the device at once, costs a
// barrier of the grid for each: the blocks share those of a launch, one after
// the other, and meet before the next one.  It is made of the host's loop and
// the kernels as they are, and does what they do in the same order.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_GRIDCHAIN_H
#define POLYGPU_GRIDCHAIN_H

#include "kernel/DeviceCode.h"

namespace polygpu {

/// Add a kernel to \p Code for each outermost loop of the host in \p Plan that
/// has launches in it and nothing else, as far as that is possible.
void addGridChains(const pg_plan &Plan, DeviceCode &Code);

} // namespace polygpu

#endif
