//===- FunctionText.h - A function as text of C -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops and conditions where the control flow has this form, which that of
// AstBuilder has; else blocks with labels.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_CUDA_FUNCTIONTEXT_H
#define POLYGPU_CUDA_FUNCTIONTEXT_H

#include "cuda/Names.h"
#include "cuda/Values.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"

namespace polygpu {

class FunctionText {
  llvm::Function &F;
  llvm::DominatorTree DT;
  llvm::LoopInfo LI;
  llvm::PostDominatorTree PDT;

public:
  FunctionText(llvm::Function &F, bool OnHost);

  /// For who prints what is outside of the body.
  Names Scope;
  Values Text;

  /// The statements of a call that is no expression; empty: it has none.
  using CallText = llvm::function_ref<std::string(const llvm::CallInst &)>;

  /// The declarations and statements of the body, by two columns further in;
  /// what has no text is Text.Problem.
  std::string run(CallText Calls);

  /// Are there labels instead of loops and conditions?
  bool hasLabels() const { return Labels; }

private:
  CallText *Calls = nullptr;
  std::string Top, Body;
  unsigned Depth = 1;
  bool Labels = false; ///< blocks have labels
  unsigned Numbered = 0;
  llvm::DenseSet<const llvm::BasicBlock *> Seen;
  llvm::DenseSet<const llvm::Value *> Declared;
  llvm::DenseMap<const llvm::Loop *, const llvm::PHINode *> Counters;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Numbers;

  void line(const std::string &S);
  void nameAll();
  std::string wish(const llvm::Instruction &I);
  bool escapes(const llvm::Instruction &I) const;
  void declareTop(const llvm::Value &V);
  void assign(const llvm::Instruction &I, const std::string &Value);
  void statement(const llvm::Instruction &I);
  void statements(const llvm::BasicBlock &BB);
  void declarePhis(const llvm::BasicBlock &BB);
  void assignPhis(const llvm::BasicBlock &From, const llvm::BasicBlock &To);
  bool dependsOn(const llvm::Value *V,
                 const llvm::SmallPtrSetImpl<const llvm::Value *> &Phis) const;
  bool region(const llvm::BasicBlock *BB, const llvm::BasicBlock *Stop,
              const llvm::Loop *L);
  const llvm::BasicBlock *step(const llvm::BasicBlock *BB, const llvm::Loop *L,
                               bool &Good);
  const llvm::BasicBlock *branch(const llvm::BasicBlock *BB,
                                 const llvm::BranchInst &Br,
                                 const llvm::Loop *L, bool &Good);
  const llvm::BasicBlock *loop(const llvm::Loop &L);
  const llvm::PHINode *counter(const llvm::Loop &L) const;
  void forHeader(const llvm::Loop &L, const llvm::PHINode &Counter);
  void labelled();
};

} // namespace polygpu

#endif
