//===- KernelAttempts.cpp - Kernels that are made again ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelAttempts.h"
#include "host/Images.h"
#include "kernel/DeviceCode.h"
#include "target/Assembler.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace polygpu {

void KernelAttempts::describeTo(pg_options &Options) const {
  Options.n_attempt = List.size();
  Options.attempt = List.data();
}

bool KernelAttempts::shorten(const pg_plan &Plan, unsigned K) {
  const pg_kernel &Kernel = Plan.kernels[K];
  if (Stopped || !Kernel.mapping->n_buffer || Kernel.mapping->given)
    return false;
  List.resize(Plan.n_kernel, {0, false});
  ++List[K].smaller;
  return true;
}

/// Of a kernel that was to have two blocks on a multiprocessor and has one,
/// half as large blocks may have room three times.
bool KernelAttempts::followRegisters(const pg_plan &Plan,
                                     const DeviceCode &Code, bool HasSizes,
                                     const Images &I) {
  if (Stopped)
    return false;
  bool Changed = false;
  List.resize(Plan.n_kernel, {0, false});
  for (unsigned K = 0; K < Plan.n_kernel; ++K) {
    const pg_kernel &Kernel = Plan.kernels[K];
    if (!Kernel.mapping->n_buffer || Kernel.mapping->given)
      continue;
    std::string Name = Kernel.name;
    if (Code.isPart(K))
      Name = Code.Joined[Code.PartOf[K]].Name;
    if (is_contained(I.Spilling, Name)) {
      ++List[K].smaller;
      Changed = true;
    } else if (Kernel.mapping->min_blocks == 2 && !List[K].narrow &&
               !HasSizes && blocksAtATime(I.PTX, Name) == 1) {
      List[K].narrow = Changed = true;
    }
  }
  return Changed;
}

} // namespace polygpu
