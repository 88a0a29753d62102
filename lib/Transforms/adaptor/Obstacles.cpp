//===- Obstacles.cpp - Calls that part loops for Polly -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "adaptor/Obstacles.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

bool Obstacles::add(const Refusal &Why, bool MayBeRare) {
  BasicBlock *BB = Why.At->getParent();
  if (any_of(Calls, [&](const auto &C) { return C.first->getParent() == BB; }))
    return false;
  FunctionCallee Callee = BB->getModule()->getOrInsertFunction(
      ObstacleName, Type::getVoidTy(BB->getContext()));
  BasicBlock::iterator Where =
      isa<PHINode>(Why.At) ? BB->getFirstInsertionPt() : Why.At->getIterator();
  Instruction *Call;
  if (MayBeRare)
    Call = new LoadInst(Type::getInt8Ty(BB->getContext()), Callee.getCallee(),
                        "", /*isVolatile=*/true, Where);
  else
    Call = CallInst::Create(Callee, "", Where);
  Call->setDebugLoc(Why.At->getDebugLoc());
  Calls.push_back({Call, Why});
  return true;
}

const Refusal *Obstacles::firstIn(const Loop &L) const {
  for (const auto &[Call, Why] : Calls)
    if (!Why.Sentence.empty() && L.contains(Call->getParent()))
      return &Why;
  return nullptr;
}

bool Obstacles::anyBetweenLoopsOf(const Loop &L, const LoopInfo &LI) const {
  return any_of(Calls, [&](const auto &C) {
    return LI.getLoopFor(C.first->getParent()) == &L;
  });
}

void Obstacles::remove(Function &F) {
  for (auto &[Call, Why] : Calls)
    Call->eraseFromParent();
  if (Function *Callee = F.getParent()->getFunction(ObstacleName))
    Callee->eraseFromParent();
  Calls.clear();
}

} // namespace polygpu
