//===- Updates.h - Statements that update an element ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x = x op e with an operator that is associative and commutative
// (ReductionOperators.h), which may be executed in any order.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_UPDATES_H
#define POLYGPU_UPDATES_H

#include "polygpu/polyhedral.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace polly {
class MemoryAccess;
class ScopStmt;
} // namespace polly

namespace polygpu {

/// How a statement updates an element.
struct Update {
  pg_operator Op = PG_OP_NONE;
  const polly::MemoryAccess *Old = nullptr, *Updated = nullptr;
  /// What leads from the old value to the new one.  What these instructions say
  /// of values, like nsw, holds for the source's order only.
  llvm::SmallVector<llvm::Instruction *, 4> Path;
};

/// The updates of \p Stmt.
llvm::SmallVector<Update, 2> findUpdates(polly::ScopStmt &Stmt,
                                         bool Reassociate);

} // namespace polygpu

#endif
