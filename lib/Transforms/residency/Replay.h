//===- Replay.h - Original loops as a function of what they are given -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The results of a run may stay on the device if the runtime can still have
// them computed on the CPU: it calls
//
//   void f.replay(void *record)
//
// a copy of the original loops, whose values from before the loops are in the
// record.  It writes memory only: scalars that live on had their values when
// the run ended.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_REPLAY_H
#define POLYGPU_REPLAY_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace llvm {
class DominatorTree;
class PostDominatorTree;
} // namespace llvm

namespace polygpu {

/// The original loops of a run.
struct OriginalLoops {
  llvm::CallInst *End = nullptr;                    ///< of the run, polygpu_end
  llvm::SmallVector<llvm::BasicBlock *, 16> Blocks; ///< the first one first
  llvm::BasicBlock *Before = nullptr, *Behind = nullptr; ///< on either side
  llvm::SmallVector<llvm::Value *, 16> Inputs;        ///< from before the loops
  llvm::SmallVector<llvm::Value *, 16> Read, Written; ///< pointers
};

/// Where they are; nothing if they are entered or left in another way.
std::optional<OriginalLoops> findLoops(llvm::CallInst &End,
                                       const llvm::PostDominatorTree &PDT);

/// The same, with what can be told at \p End; nothing if they cannot be a
/// function.
std::optional<OriginalLoops>
findOriginalLoops(llvm::CallInst &End, const llvm::DominatorTree &DT,
                  const llvm::PostDominatorTree &PDT);

/// The type of a record.
llvm::StructType *recordType(const OriginalLoops &Loops);

/// The function.
llvm::Function *makeReplay(const OriginalLoops &Loops);

} // namespace polygpu

#endif
