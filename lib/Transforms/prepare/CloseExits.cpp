//===- CloseExits.cpp - Values behind loops that are known before --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/CloseExits.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace polygpu {

/// Can \p V be computed in front of the branch into \p R, which takes no other
/// value?  What a call that may throw gives is not there before that branch.
static bool isKnownBefore(const Value *V, const Region &R, unsigned Steps) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !R.contains(I))
    return !I || I != R.getEnteringBlock()->getTerminator();
  return Steps > 0 &&
         (I->getType()->isIntegerTy()
              ? isa<BinaryOperator, CastInst, SelectInst>(I)
              : isa<GetElementPtrInst>(I) && I->getType()->isPointerTy()) &&
         isSafeToSpeculativelyExecute(I) &&
         all_of(I->operand_values(), [&](const Value *Operand) {
           return isKnownBefore(Operand, R, Steps - 1);
         });
}

/// Compute \p V in front of \p R.
static void moveBefore(Value *V, const Region &R, Instruction &Front) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !R.contains(I))
    return;
  for (Value *Operand : I->operand_values())
    moveBefore(Operand, R, Front);
  I->moveBefore(Front.getIterator());
}

bool closeExits(const Region &R) {
  static const unsigned MostSteps = 4;
  BasicBlock *Front = R.getEnteringBlock();
  if (!Front)
    return false;
  SmallVector<Instruction *, 4> Results;
  for (BasicBlock *BB : R.blocks())
    for (Instruction &I : *BB)
      if (any_of(I.users(),
                 [&](const User *U) {
                   return !R.contains(cast<Instruction>(U));
                 }) &&
          isKnownBefore(&I, R, MostSteps))
        Results.push_back(&I);
  for (Instruction *I : Results)
    moveBefore(I, R, *Front->getTerminator());
  return !Results.empty();
}

} // namespace polygpu
