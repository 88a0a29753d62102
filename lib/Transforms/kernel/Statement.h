//===- Statement.h - What a statement of a kernel computes ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_STATEMENT_H
#define POLYGPU_STATEMENT_H

#include "kernel/Accesses.h"
#include "kernel/Products.h"

namespace llvm {
class ScalarEvolution;
class SCEV;
class SCEVAddRecExpr;
class SCEVNAryExpr;
} // namespace llvm

namespace polygpu {

/// Clones the instructions of one instance of a statement, with the accesses
/// that the AST gives.
class StatementCloner {
public:
  /// Of instance \p User, with the values of the statement's counters.
  StatementCloner(KernelContext &C, AstBuilder &Ast, Arguments &Args,
                  Memory &Mem, Buffers &Bufs, const Products &Prod,
                  const pg_user &User, llvm::ArrayRef<llvm::Value *> Counters);

  void run();

private:
  KernelContext &C;
  AstBuilder &Ast;
  Arguments &Args;
  Memory &Mem;
  const Products &Prod;
  const pg_user &User;
  Accesses At;
  polly::ScopStmt &Stmt;
  llvm::ScalarEvolution &SE;
  llvm::ArrayRef<llvm::Value *> Counters;
  llvm::DenseMap<llvm::Value *, llvm::Value *> Values;

  bool isReordered(const llvm::Instruction *I) const;
  unsigned accessIndex(const polly::MemoryAccess *MA) const;
  llvm::Value *loadAccess(const polly::MemoryAccess *MA, llvm::Type *Ty);
  void storeAccess(const polly::MemoryAccess *MA, llvm::Value *V);
  llvm::Value *executedOnHost(const polly::MemoryAccess &MA);
  bool computeGuard(llvm::Value &V, unsigned Steps);
  llvm::Value *whenExecuted(const llvm::Instruction &I, const char *Why);
  llvm::LoadInst *factorInBuffer(const llvm::Instruction *I) const;
  void instruction(llvm::Instruction *I);
  llvm::Value *call(llvm::CallInst *Call);
  llvm::Value *readIndirectly(const llvm::LoadInst &Read);
  void bodyBlock(llvm::BasicBlock &BB);
  llvm::Value *body(const llvm::CallInst &Call);
  llvm::Value *guardedBody(const llvm::CallInst &Call);
  void update(const llvm::StoreInst &Store);
  void updateOnHost(const llvm::CallInst &Call, unsigned Array,
                    llvm::Value *Offset, llvm::Value *With);
  llvm::Value *value(llvm::Value *V);
  llvm::Value *scev(const llvm::SCEV *E);
  llvm::Value *scevNAry(const llvm::SCEVNAryExpr *E);
  llvm::Value *addRec(const llvm::SCEVAddRecExpr *E);
  bool isInvariant(const llvm::SCEV *E) const;
};

/// A value from before the loops, as an argument of the kernel; poison and a
/// refusal if it cannot be passed.
llvm::Value *outerValue(KernelContext &C, Arguments &Args, llvm::Value *V);

} // namespace polygpu

#endif
