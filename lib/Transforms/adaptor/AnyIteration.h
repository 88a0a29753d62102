//===- AnyIteration.h - Do accesses of any iterations alias? ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Alias analysis answers for two accesses of one iteration, unless it is told
// that they may be of two.  Polly does not tell it, though a SCoP executes them
// in all: p[i + 1] and v[i] of a variable v cannot meet in one iteration, as p
// would have to begin in front of v, and Polly takes p and v for separate.
//
// If Polly asks about any two iterations itself, this is of no use; if it does
// not ask the AAResults that it is given, overlaps are missed: VerifyModel
// compares ranges with what is accessed.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_ANYITERATION_H
#define POLYGPU_ANYITERATION_H

#include "llvm/Analysis/AliasAnalysis.h"

namespace polygpu {

/// Asks \p Inner about accesses of any two iterations.
class AnyIterationAA : public llvm::AAResultBase {
public:
  explicit AnyIterationAA(llvm::AAResults &Inner) : Inner(Inner) {}

  llvm::AliasResult alias(const llvm::MemoryLocation &A,
                          const llvm::MemoryLocation &B,
                          llvm::AAQueryInfo &AAQI,
                          const llvm::Instruction *At) {
    AAQI.MayBeCrossIteration = true;
    return Inner.alias(A, B, AAQI, At);
  }
  llvm::ModRefInfo getModRefInfoMask(const llvm::MemoryLocation &Loc,
                                     llvm::AAQueryInfo &AAQI,
                                     bool IgnoreLocals) {
    return Inner.getModRefInfoMask(Loc, AAQI, IgnoreLocals);
  }
  llvm::ModRefInfo getArgModRefInfo(const llvm::CallBase *Call,
                                    unsigned Number) {
    return Inner.getArgModRefInfo(Call, Number);
  }
  llvm::MemoryEffects getMemoryEffects(const llvm::CallBase *Call,
                                       llvm::AAQueryInfo &AAQI) {
    return Inner.getMemoryEffects(Call, AAQI);
  }
  llvm::MemoryEffects getMemoryEffects(const llvm::Function *F) {
    return Inner.getMemoryEffects(F);
  }

private:
  llvm::AAResults &Inner;
};

} // namespace polygpu

#endif
