//===- RoundedIntegers.h - lrint, lround, nint ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lrint(x) becomes a rounded number, which the device has an instruction for,
// and a conversion.  C leaves open what numbers give that are too large; on x86
// it is the smallest integer, of a NaN too, and here as well.  Other machines
// have other results, and their calls stay.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_ROUNDEDINTEGERS_H
#define POLYGPU_ROUNDEDINTEGERS_H

namespace llvm {
class Function;
class LoopInfo;
} // namespace llvm

namespace polygpu {

/// Of the calls in loops of \p F.
void openRoundedIntegers(llvm::Function &F, const llvm::LoopInfo &LI);

} // namespace polygpu

#endif
