//===- AddressSums.h - Polynomials of scalar evolution ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Address polynomials whose variables are expressions of ScalarEvolution, and
// counters {0,+,1}<loop> among them.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_ADDRESSSUMS_H
#define POLYGPU_ADDRESSSUMS_H

#include "AddressPolynomial.h"

namespace llvm {
class SCEV;
class ScalarEvolution;
class Type;
} // namespace llvm

namespace polygpu {

using AddressSum = AddressPolynomial<const llvm::SCEV *>;

/// \p E of type \p Ty, of 64 bits at most, or nothing.
std::optional<AddressSum> addressSum(const llvm::SCEV *E, llvm::Type *Ty,
                                     llvm::ScalarEvolution &SE);

/// The expression that \p P is.
const llvm::SCEV *expressionOf(const AddressSum &P, llvm::Type *Ty,
                               llvm::ScalarEvolution &SE);

} // namespace polygpu

#endif
