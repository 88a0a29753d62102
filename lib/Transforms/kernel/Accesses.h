//===- Accesses.h - Accesses of a statement instance ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_ACCESSES_H
#define POLYGPU_ACCESSES_H

#include "kernel/AstBuilder.h"
#include "kernel/Buffers.h"

namespace polygpu {

/// Loads and stores what the accesses of one instance access, as its node of
/// the AST says: an element of an array, or of a buffer.
class Accesses {
public:
  Accesses(KernelContext &C, AstBuilder &Ast, Memory &Mem, Buffers &Bufs,
           const pg_user &User)
      : C(C), Ast(Ast), Mem(Mem), Bufs(Bufs), User(User) {}

  /// The array of access number \p Access.
  unsigned array(unsigned Access) const {
    return C.Plan.scop->stmts[User.index].accesses[Access].array;
  }
  /// The buffer that it is redirected to, or -1.
  int buffer(unsigned Access) const {
    return User.redirected ? User.redirected[Access] : -1;
  }
  /// When it happens; null: always.
  isl_ast_expr *guard(unsigned Access) const { return User.guard[Access]; }

  llvm::Value *load(unsigned Access, llvm::Type *Ty);
  void store(unsigned Access, llvm::Value *V);
  /// The program makes the store only if the i1 \p Written says so.  Nothing to
  /// be done but for flagged arrays.
  void mark(unsigned Access, llvm::Value *Written);

private:
  KernelContext &C;
  AstBuilder &Ast;
  Memory &Mem;
  Buffers &Bufs;
  const pg_user &User;

  llvm::SmallVector<llvm::Value *, 4> subscripts(unsigned Access);
  llvm::Value *address(unsigned Access);
};

} // namespace polygpu

#endif
