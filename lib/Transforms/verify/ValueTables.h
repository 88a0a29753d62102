//===- ValueTables.h - What statements compute, step by step ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The statements of an imported SCoP as lists of steps, as a kernel would
/// execute them: scalars are read, then the instructions that Polly's
/// simplifications left follow, then scalars are written.  Every value that an
/// instruction uses comes from a step before it or from in front of the loops.
///
//===----------------------------------------------------------------------===//

#ifndef POLYGPU_VALUETABLES_H
#define POLYGPU_VALUETABLES_H

#include "scop/Import.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace llvm {
class Loop;
class Operator;
} // namespace llvm

namespace polygpu {

struct ValueStep {
  enum Kind {
    Read,       ///< the value is what the access reads
    Compute,    ///< it is the result of the operation
    Synthesise, ///< it is that of the expression
    Write       ///< it is written
  };
  Kind K;
  const llvm::Value *V;
  unsigned Access = 0; ///< Read, Write
  /// Instead: the token of an update (prepare/IndirectUpdates.h), of which the
  /// core does not know.
  const llvm::Value *Token = nullptr;
  uint64_t Bytes = 0; ///< of these
  const llvm::SCEV *E = nullptr;
  /// For planted errors: the value is that of this one.
  const llvm::Value *Instead = nullptr;
};

struct ValueStmt {
  llvm::SmallVector<const llvm::Loop *, 8> Loops;
  std::vector<ValueStep> Steps;
  bool Seen = false; ///< an instance was executed
};

class ValueTables {
public:
  ValueTables(polly::Scop &S, const ImportedScop &Imported);

  std::vector<ValueStmt> Stmts;
  /// Bytes of \p V in memory.
  uint64_t bytesOf(const llvm::Value &V) const;
  /// Why statements cannot be executed, else empty.
  std::string Obstacle;

private:
  polly::Scop &S;
  const ImportedScop &Imported;

  // The statement that is being added.
  polly::ScopStmt *Stmt = nullptr;
  unsigned Index = 0;
  llvm::DenseSet<const llvm::Value *> Known;

  void addStmt(unsigned Number);
  void add(ValueStep::Kind K, const llvm::Value *V,
           const polly::MemoryAccess *MA = nullptr);
  void addToken(const llvm::Instruction &I, const llvm::Value *Pointer);
  void addInstruction(const llvm::Instruction &I);
  void need(const llvm::Value *V);
  void plantErrors();
};

} // namespace polygpu

#endif
