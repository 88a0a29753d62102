//===- CodeLength.cpp - How much code LLVM is given -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/CodeLength.h"

using namespace llvm;

namespace polygpu {

std::optional<unsigned> findTooLong(const pg_plan &Plan,
                                    const StringMap<unsigned> &Lengths,
                                    unsigned &Length) {
  unsigned Sum = 0, Longest = 0;
  Length = 0;
  for (unsigned K = 0; K < Plan.n_kernel; ++K) {
    unsigned One = Lengths.lookup(Plan.kernels[K].name);
    Sum += One;
    if (One > Length) {
      Length = One;
      Longest = K;
    }
  }
  if (Length <= MaxKernelLength && Sum <= MaxLength)
    return std::nullopt;
  return Longest;
}

Refusal refuseLength(const pg_plan &Plan, unsigned K, unsigned Length) {
  const pg_kernel &Kernel = Plan.kernels[K];
  std::string Text = "the code of kernel " + std::to_string(K) + " has " +
                     (Length ? std::to_string(Length)
                             : "more than " + std::to_string(MaxGenerated)) +
                     " instructions, more than LLVM is given (" +
                     std::to_string(MaxKernelLength) + ", and " +
                     std::to_string(MaxLength) + " for all kernels)";
  if (Kernel.mapping->n_buffer && Kernel.mapping->given)
    Text += ", with the sizes of -gpu-sizes: " +
            StringRef(Kernel.choice).split(';').first.str() +
            "; make its 'tile' or 'vector' smaller, or its 'block' larger";
  else
    Text += "; split the loops into several functions";
  return Refusal{"TooLarge", Text, DebugLoc()};
}

} // namespace polygpu
