//===- TimeLoops.cpp - The runtime hears when original loops end ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "residency/TimeLoops.h"
#include "RuntimeFunctions.h"
#include "host/Descriptor.h"
#include "residency/Replay.h"
#include "residency/Runs.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace polygpu {

/// One block that all ways out of the loops go through.
static BasicBlock *exitOf(const OriginalLoops &Loops) {
  SmallVector<BasicBlock *, 4> Last;
  for (BasicBlock *BB : Loops.Blocks)
    if (is_contained(successors(BB), Loops.Behind))
      Last.push_back(BB);
  return SplitBlockPredecessors(Loops.Behind, Last, ".original");
}

static void insertCall(BasicBlock &Exit, GlobalVariable &Descriptor,
                       const DebugLoc &At) {
  IRBuilder<> B(Exit.getTerminator());
  B.SetCurrentDebugLocation(At);
  Value *Asked = B.CreateIsNotNull(timingWord(B, Descriptor));
  MDNode *Unlikely = MDBuilder(B.getContext()).createUnlikelyBranchWeights();
  Instruction *Then = SplitBlockAndInsertIfThen(
      Asked, Exit.getTerminator()->getIterator(), false, Unlikely);
  B.SetInsertPoint(Then);
  B.SetCurrentDebugLocation(At);
  CallInst *Call = B.CreateCall(
      runtimeFunction(*Descriptor.getParent(), "polygpu_loops_end"),
      {&Descriptor});
  Call->setDoesNotThrow();
}

void timeLoops(Function &F) {
  PostDominatorTree PDT(F);
  SmallVector<OriginalLoops, 8> All;
  const Runs R(F, KeptArrays(), LinkedFunctions());
  for (CallInst *End : R.Ends)
    if (auto Loops = findLoops(*End, PDT))
      All.push_back(std::move(*Loops));
  for (const OriginalLoops &Loops : All)
    if (BasicBlock *Exit = exitOf(Loops))
      insertCall(*Exit, *descriptorOf(*Loops.End), Loops.End->getDebugLoc());
}

} // namespace polygpu
