//===- OrderedBits.h - Floating-point numbers in order ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A floating-point number is an integer that compares as it does: the sign and
// the magnitude of its bits.  Both zeros are one integer, and a NaN is none.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_ORDEREDBITS_H
#define POLYGPU_ORDEREDBITS_H

#include "llvm/IR/IRBuilder.h"

namespace polygpu {

/// Is \p I one made here, where no bits of a NaN matter?
bool isOrderedBitCast(const llvm::Instruction &I);

/// The bits of \p V as \p Ty, or back.
llvm::Value *asBits(llvm::IRBuilder<> &B, llvm::Value *V, llvm::Type *Ty);

/// A floating-point number as an integer that compares as it does: a sign and a
/// magnitude, with two zeros that are equal.
llvm::Value *magnitudes(llvm::IRBuilder<> &B, llvm::Value *V,
                        llvm::Value *&IsNegative);

/// \p V, or 0 if it is a NaN, which \p IsNaN tells.
llvm::Value *withoutNaN(llvm::IRBuilder<> &B, llvm::Value *V,
                        llvm::Value *&IsNaN);

/// \p IsOld, or \p First is a NaN, with which nothing compares.  Of a constant
/// that is no operation: the model would know its result, whatever the
/// operands.
llvm::Value *orNaN(llvm::IRBuilder<> &B, llvm::Value *IsOld,
                   llvm::Value *First);

/// The number \p Of a type that \p Key, of 64 bits, is, with the sign that is
/// the lowest bit of \p Sign.
llvm::Value *signedNumber(llvm::IRBuilder<> &B, llvm::Value *Key,
                          llvm::Value *Sign, llvm::Type *Of);

} // namespace polygpu

#endif
