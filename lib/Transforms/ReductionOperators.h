//===- ReductionOperators.h - Operators that may be reordered ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_REDUCTIONOPERATORS_H
#define POLYGPU_REDUCTIONOPERATORS_H

#include "polygpu/polyhedral.h"
#include "llvm/IR/Instruction.h"

namespace polygpu {

/// The operator of \p I if it is associative and commutative, with the operands
/// that may be a value which it updates, as bits: integer sums, products,
/// bitwise operations, minima and maxima; of floating-point numbers those whose
/// instructions may be reassociated, and minima and maxima without NaNs and
/// signs of zeros, or those of math.h with something that is no negative zero.
/// \p Reassociate: sums and products may be whatever their instructions say.
pg_operator operatorOf(const llvm::Instruction &I, bool Reassociate,
                       unsigned &Operands);

/// Is \p V, which \p At uses, never a negative zero?
bool isNeverNegativeZero(const llvm::Value &V, const llvm::Instruction &At);

} // namespace polygpu

#endif
