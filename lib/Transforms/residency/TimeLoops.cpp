//===- TimeLoops.cpp - The runtime hears when original loops end ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "residency/TimeLoops.h"
#include "RuntimeFunctions.h"
#include "host/Descriptor.h"
#include "residency/Replay.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace polygpu {

/// The ends of the runs of \p F.
static SmallVector<CallInst *, 8> findEnds(Function &F) {
  SmallVector<CallInst *, 8> Ends;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (const Function *Callee = Call->getCalledFunction())
        if (Callee->getName() == "polygpu_end")
          Ends.push_back(Call);
  return Ends;
}

/// The descriptor of the run that \p End ends, or null.
static GlobalVariable *descriptorOf(CallInst &End) {
  auto *Begin = dyn_cast<CallInst>(End.getArgOperand(0));
  return Begin ? dyn_cast<GlobalVariable>(Begin->getArgOperand(0)) : nullptr;
}

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
  SmallVector<std::pair<OriginalLoops, GlobalVariable *>, 8> All;
  for (CallInst *End : findEnds(F))
    if (GlobalVariable *Descriptor = descriptorOf(*End))
      if (auto Loops = findLoops(*End, PDT))
        All.emplace_back(std::move(*Loops), Descriptor);
  for (auto &[Loops, Descriptor] : All)
    if (BasicBlock *Exit = exitOf(Loops))
      insertCall(*Exit, *Descriptor, Loops.End->getDebugLoc());
}

} // namespace polygpu
