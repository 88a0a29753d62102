//===- CodeLength.h - How much code LLVM is given ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's passes and ptxas take more than proportional time for long blocks, and
// cannot be interrupted.  So what unrolling makes is bounded before: the same
// way on each machine.
//
// Measured on products that unroll more and more: a kernel of 4,000
// instructions without those that are redundant takes 0.7 s to compile, of
// 25,000 2.5 s, of 43,000 5 s, of 100,000 29 s.  The longest one of PolyBench
// has 11,000, and 94,000 as it is generated.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_CODELENGTH_H
#define POLYGPU_CODELENGTH_H

#include "Remarks.h"
#include "polygpu/polyhedral.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

namespace polygpu {

/// Instructions of a kernel as it is generated, without the redundant ones, and
/// of all kernels of a SCoP.
inline constexpr unsigned MaxGenerated = 200000, MaxKernelLength = 25000,
                          MaxLength = 50000;

/// The kernel of \p Plan to be made shorter, and its \p Length, if that is
/// needed; \p Lengths are by name.
std::optional<unsigned> findTooLong(const pg_plan &Plan,
                                    const llvm::StringMap<unsigned> &Lengths,
                                    unsigned &Length);

/// Why a SCoP is left alone whose kernel \p K has \p Length instructions (0:
/// more than MaxGenerated), with the sizes to change if they are the user's.
Refusal refuseLength(const pg_plan &Plan, unsigned K, unsigned Length);

} // namespace polygpu

#endif
