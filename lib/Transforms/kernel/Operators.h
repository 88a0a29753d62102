//===- Operators.h - Operators of updates -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the core's statements compute that fill and combine partial results.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_OPERATORS_H
#define POLYGPU_OPERATORS_H

#include "polygpu/polyhedral.h"
#include "llvm/IR/IRBuilder.h"
#include <string>

namespace polygpu {

/// The value of type \p Ty that changes no other by \p Op: -0.0 of a sum of
/// floating-point numbers, since +0.0 would change -0.0.
llvm::Constant *neutralValue(pg_operator Op, llvm::Type *Ty);

llvm::Value *combine(llvm::IRBuilder<> &B, pg_operator Op, llvm::Value *L,
                     llvm::Value *R);

/// The same as C text.
std::string neutralText(pg_operator Op);
std::string combinedText(pg_operator Op, llvm::StringRef L, llvm::StringRef R);

} // namespace polygpu

#endif
