//===- Types.h - Types of values in kernels ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_TYPES_H
#define POLYGPU_TYPES_H

#include <string>

namespace llvm {
class DataLayout;
class Type;
} // namespace llvm

namespace polygpu {

/// i1 to i64, half, float, double, and vectors of them up to 16 bytes.
bool isKernelType(const llvm::Type *Ty);

/// A kernel type that can be an element of an array: whole bytes, and the
/// same size in memory on host and device.
bool isElementType(llvm::Type *Ty, const llvm::DataLayout &Host);

/// C text of an element type: "float", "int", "double2".
std::string typeName(const llvm::Type *Ty);

} // namespace polygpu

#endif
