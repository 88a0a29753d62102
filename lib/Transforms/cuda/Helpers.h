//===- Helpers.h - What printed kernels need beside CUDA -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions and types of the file that CUDA has none for.  Each is defined
// once, in front of the kernels, if one of them uses it.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_CUDA_HELPERS_H
#define POLYGPU_CUDA_HELPERS_H

#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace polygpu {

/// vector_of<T, N>: N numbers that are in memory as one; make_vector<T>(...).
inline constexpr char VectorHelper[] = "vector_of";
inline constexpr char MakeVectorHelper[] = "make_vector";
/// update_narrow(at, with, change): an atomic update of one or two bytes.
inline constexpr char UpdateHelper[] = "update_narrow";
/// shifted_left<T>(high, low, by) and shifted_right: two numbers as one.
inline constexpr char LeftHelper[] = "shifted_left";
inline constexpr char RightHelper[] = "shifted_right";
/// swapped_bytes<T>(number): the bytes in the other order.
inline constexpr char SwapHelper[] = "swapped_bytes";
/// saturated_sum(a, b) and saturated_difference: of numbers of 64 bits.
inline constexpr char SumHelper[] = "saturated_sum";
inline constexpr char DifferenceHelper[] = "saturated_difference";

/// Is \p Name one of these?
bool isHelper(llvm::StringRef Name);

/// The headers that \p Texts need.
std::string headersFor(llvm::ArrayRef<const std::string *> Texts);

/// The definitions that \p Texts need.
std::string helpersFor(llvm::ArrayRef<const std::string *> Texts);

} // namespace polygpu

#endif
