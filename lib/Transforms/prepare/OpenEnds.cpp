//===- OpenEnds.cpp - Loops in front of the program's end -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/OpenEnds.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace polygpu {

/// Is what is in front of \p End a call that never comes back?  One that has to
/// be a tail call ends in a return in any case.
static bool isBehindEnd(const Instruction &End) {
  const auto *Call = dyn_cast_or_null<CallInst>(End.getPrevNode());
  return Call && Call->doesNotReturn() && !Call->isMustTailCall();
}

PreservedAnalyses OpenEndsPass::run(Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  const auto &PDT = FAM.getResult<PostDominatorTreeAnalysis>(F);
  SmallVector<UnreachableInst *, 4> Ends;
  for (BasicBlock &BB : F)
    if (auto *End = dyn_cast<UnreachableInst>(BB.getTerminator());
        End && isBehindEnd(*End) && any_of(LI, [&](const Loop *L) {
          return PDT.dominates(&BB, L->getHeader());
        }))
      Ends.push_back(End);
  Type *Ty = F.getReturnType();
  for (UnreachableInst *End : Ends) {
    auto *Return = ReturnInst::Create(
        F.getContext(), Ty->isVoidTy() ? nullptr : PoisonValue::get(Ty),
        End->getIterator());
    Return->setDebugLoc(End->getDebugLoc());
    End->eraseFromParent();
  }
  return Ends.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

void closeEnds(Function &F) {
  for (BasicBlock &BB : F)
    if (auto *End = dyn_cast<ReturnInst>(BB.getTerminator());
        End && isBehindEnd(*End)) {
      auto *Unreachable =
          new UnreachableInst(F.getContext(), End->getIterator());
      Unreachable->setDebugLoc(End->getDebugLoc());
      End->eraseFromParent();
    }
}

} // namespace polygpu
