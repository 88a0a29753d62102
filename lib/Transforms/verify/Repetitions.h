//===- Repetitions.h - Loops around others, left early ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For -gpu-verify=execute: a loop that stays on the host and repeats others
// 100,000 times takes too long to be executed for comparison.  It is left after
// the same few iterations in the function as it was written and in the
// offloaded copy, by a condition more at the same exit.  No iteration does
// anything else than it did, and nothing behind the loop may know how many
// there were.
//
// Metadata of the exit's branch tells which loop of the copy is which loop of
// the function.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_REPETITIONS_H
#define POLYGPU_REPETITIONS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class BasicBlock;
class Function;
class Module;
} // namespace llvm

namespace polygpu {

/// Number the loops of \p F that have one exit and one latch, before it is
/// copied; \p Next is the next number of the module.
void numberExits(llvm::Function &F, unsigned &Next);

/// Forget the numbers of all functions, or of what was offloaded.
void forgetExits(llvm::Module &M);
void forgetExits(llvm::ArrayRef<llvm::BasicBlock *> Blocks);

/// In front of IndVarSimplify, which computes values behind loops from the
/// number of iterations: forget loops that have such values.
class ForgetCountedExitsPass
    : public llvm::PassInfoMixin<ForgetCountedExitsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

/// Let both functions ask verify_leave (tools/verify), at each exit that both
/// have of a loop around others, whether to leave.  It says so only of exits of
/// the function that is being compared: one that it calls may be inlined in its
/// copy, without such questions.
void leaveEarly(llvm::Function &F, llvm::Function &Copy);

} // namespace polygpu

#endif
