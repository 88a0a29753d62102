//===- Pipeline.h - Loops whose copies run ahead -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_PIPELINE_H
#define POLYGPU_PIPELINE_H

#include "kernel/Copier.h"

namespace polygpu {

struct AsyncCopies;
struct Pipeline;

/// Generates loops of which one iteration computes while elements for the next
/// ones are copied.
class Pipeliner {
public:
  /// "Barrier" makes one, in front of which copies have to have arrived unless
  /// it is "OfLoop": then only those of the stage that is used next.
  Pipeliner(KernelContext &C, AstBuilder &Ast, Buffers &Bufs, Copier &Copy,
            std::function<void(bool OfLoop)> Barrier)
      : B(C.B), K(C.K), Mapping(*C.K.mapping), Ast(Ast), Bufs(Bufs), Copy(Copy),
        Barrier(std::move(Barrier)), Readable(C.Readable) {}

  /// Generate the loop below a mark PG_MARK_PIPELINE; false if it is of another
  /// form.
  bool run(__isl_keep isl_ast_node *Node);

private:
  llvm::IRBuilder<> &B;
  const pg_kernel &K;
  const pg_mapping &Mapping;
  AstBuilder &Ast;
  Buffers &Bufs;
  Copier &Copy;
  std::function<void(bool OfLoop)> Barrier;
  const bool &Readable; ///< of the context

  bool isWritten(const pg_user &Copy) const;
  bool readPipeline(isl_ast_node *Node, Pipeline &P) const;
  bool isAsync(const Pipeline &P) const;
  bool isSmall(const Pipeline &P) const;
  bool keepsBusy() const;
  llvm::Value *isFast(const Pipeline &P, llvm::Value *First,
                      llvm::Value *Second);
  llvm::SmallVector<llvm::Value *, 4>
  distances(const Pipeline &P, llvm::Value *First, llvm::Value *Second);
  void useStages(const Pipeline &P, llvm::Value *Iteration,
                 llvm::ArrayRef<llvm::Value *> Stages);
  void pipelinedLoop(const Pipeline &P, llvm::Value *First, llvm::Value *Second,
                     bool Fast);

  AsyncCopies startCopies(const Pipeline &P, llvm::Value *First,
                          llvm::Value *Second, bool Fast);
  void copyAhead(const Pipeline &P, AsyncCopies &Copies, llvm::Value *Iteration,
                 llvm::Value *Stage);
  llvm::Value *stageBehind(llvm::Value *Stage, unsigned Steps, unsigned N);
  void finishCopies(const Pipeline &P, const AsyncCopies &Copies,
                    unsigned Pending, llvm::ArrayRef<llvm::Value *> Stages);
  void asyncLoop(const Pipeline &P, llvm::Value *First, llvm::Value *Second,
                 bool Fast);
};

} // namespace polygpu

#endif
