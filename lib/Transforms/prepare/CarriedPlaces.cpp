//===- CarriedPlaces.cpp - What goes with the best one of a nest ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/CarriedPlaces.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace polygpu {

bool CarriedPlaces::isOurs(const Value &V) const {
  return Best.contains(V) || any_of(Companions, [&](const auto &One) {
           return One.first.contains(V);
         });
}

bool CarriedPlaces::find(ArrayRef<WithBest> Values,
                         ArrayRef<const Value *> Users) {
  if (!isSimple(L) || !isSimple(Nest) || !onlyReads(Nest) || !All.canCount())
    return false;
  for (const WithBest &V : Values) {
    CarriedValue Other;
    if (!Other.find(Nest, *V.Old, *V.New, Users) ||
        !followsFrom(*V.Taken, L, Nest, SE))
      return false;
    Companions.push_back({Other, V.Taken});
  }
  return findLast();
}

/// Is all that is used behind the nest of the same iteration?
bool CarriedPlaces::findLast() {
  for (const PHINode &Phi : Nest.getExitBlock()->phis()) {
    const Value &V = *Phi.getIncomingValueForBlock(Nest.getExitingBlock());
    const Value *OfBest = Best.contains(V) ? &V : nullptr;
    for (const auto &[Other, Taken] : Companions)
      if (Other.contains(V) && !(OfBest = Other.counterpart(V, Best)))
        return false;
    if (OfBest && Last && OfBest != Last)
      return false;
    Last = OfBest ? OfBest : Last;
  }
  return Last != nullptr;
}

void CarriedPlaces::leave(IRBuilder<> &B, Value *Number, Value *IsOld,
                          Value *Place, LoopInfo &LI, DominatorTree &DT) {
  BasicBlock *Exit = B.GetInsertBlock();
  DomTreeUpdater DTU(DT, DomTreeUpdater::UpdateStrategy::Eager);
  Instruction *Then =
      SplitBlockAndInsertIfThen(B.CreateNot(IsOld), B.GetInsertPoint(),
                                /*Unreachable=*/false, nullptr, &DTU, &LI);
  BasicBlock *Behind = Then->getSuccessor(0);
  IRBuilder<> Inside(Then);
  SmallVector<Value *, 4> Taken;
  for (const auto &[Other, V] : Companions)
    Taken.push_back(V);
  Taken = computeAgain(Taken, Nest, All.at(Inside, *Place), *Then, SE);
  for (PHINode &Phi : make_early_inc_range(Exit->phis())) {
    const Value &V = *Phi.getIncomingValue(0);
    Value *New = Best.contains(V) ? Number : nullptr;
    for (const auto &[At, One] : enumerate(Companions))
      if (One.first.contains(V)) {
        auto *Result = PHINode::Create(Phi.getType(), 2, "", Behind->begin());
        Result->addIncoming(One.first.first(), Exit);
        Result->addIncoming(Taken[At], Then->getParent());
        New = Result;
      }
    if (!New)
      continue;
    Phi.replaceAllUsesWith(New);
    Phi.eraseFromParent();
  }
}

} // namespace polygpu
