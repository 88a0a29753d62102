//===- LastIndices.cpp - Where something was last -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/LastIndices.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace polygpu {

namespace {

class LastIndex {
public:
  LastIndex(Loop &L, PHINode &Last, ScalarEvolution &SE)
      : L(L), Last(Last), SE(SE) {}

  bool isOne();
  void open();

private:
  Loop &L;
  PHINode &Last; ///< in the header
  ScalarEvolution &SE;
  SelectInst *Choice = nullptr; ///< the next value: an index, or what it was
  Value *Index = nullptr;
  Constant *None = nullptr; ///< what no index is
  bool Grows = true;

  bool isMonotonic();
  bool isUsedBehind() const;
};

/// Is the index another one in each iteration, further on in one direction, and
/// never None?  Where a narrower number has the value of a wider one, it is so
/// if that is.
bool LastIndex::isMonotonic() {
  const Value *Wide = Index;
  while (const auto *Cast = dyn_cast<TruncInst>(Wide)) {
    if (!Cast->hasNoSignedWrap())
      return false;
    Wide = Cast->getOperand(0);
  }
  const auto *Rec =
      dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<Value *>(Wide)));
  if (!Rec || Rec->getLoop() != &L || !Rec->isAffine() ||
      !Rec->hasNoSignedWrap())
    return false;
  const auto *Step = dyn_cast<SCEVConstant>(Rec->getStepRecurrence(SE));
  if (!Step || Step->isZero())
    return false;
  Grows = !Step->getAPInt().isNegative();
  unsigned Bits = Last.getType()->getIntegerBitWidth();
  APInt End =
      Grows ? APInt::getSignedMinValue(Bits) : APInt::getSignedMaxValue(Bits);
  None = ConstantInt::get(Last.getType(), End);
  unsigned WideBits = Wide->getType()->getIntegerBitWidth();
  return !SE.getSignedRange(Rec).contains(End.sext(WideBits));
}

/// Are all uses of the next value but the next iteration's behind the loop?
bool LastIndex::isUsedBehind() const {
  return all_of(Choice->users(), [&](const User *U) {
    const auto *Phi = dyn_cast<PHINode>(U);
    return U == &Last || (Phi && !L.contains(Phi) &&
                          all_of(Phi->incoming_values(),
                                 [&](const Value *V) { return V == Choice; }));
  });
}

bool LastIndex::isOne() {
  BasicBlock *Latch = L.getLoopLatch();
  if (!Last.getType()->isIntegerTy() || !Last.hasOneUse() || !Latch ||
      !L.getLoopPreheader())
    return false;
  Choice = dyn_cast<SelectInst>(Last.getIncomingValueForBlock(Latch));
  if (!Choice || !L.contains(Choice))
    return false;
  if (Choice->getFalseValue() == &Last)
    Index = Choice->getTrueValue();
  else if (Choice->getTrueValue() == &Last)
    Index = Choice->getFalseValue();
  return Index && Index != &Last && isUsedBehind() && isMonotonic();
}

void LastIndex::open() {
  BasicBlock *Front = L.getLoopPreheader();
  Value *Before = Last.getIncomingValueForBlock(Front);
  SmallVector<PHINode *, 2> Behind;
  for (User *U : Choice->users())
    if (U != &Last)
      Behind.push_back(cast<PHINode>(U));
  IRBuilder<> B(Choice->getNextNode());
  B.SetCurrentDebugLocation(Choice->getDebugLoc());
  Value *Here = Choice->getTrueValue() == Index
                    ? B.CreateSelect(Choice->getCondition(), Index, None)
                    : B.CreateSelect(Choice->getCondition(), None, Index);
  Value *Next = B.CreateBinaryIntrinsic(
      Grows ? Intrinsic::smax : Intrinsic::smin, &Last, Here);
  SE.forgetValue(&Last);
  SE.forgetValue(Choice);
  Choice->replaceAllUsesWith(Next);
  Next->takeName(Choice);
  Choice->eraseFromParent();
  Last.setIncomingValueForBlock(Front, None);
  for (PHINode *Phi : Behind) {
    IRBuilder<> Exit(&*Phi->getParent()->getFirstInsertionPt());
    Value *Any = Exit.CreateICmpNE(Phi, None);
    Value *Now = Exit.CreateSelect(Any, Phi, Before);
    Phi->replaceUsesWithIf(Now, [&](const Use &U) {
      return U.getUser() != Any && U.getUser() != Now;
    });
  }
}

} // namespace

bool openLastIndices(Loop &L, ScalarEvolution &SE) {
  SmallVector<PHINode *, 4> Phis(make_pointer_range(L.getHeader()->phis()));
  bool Changed = false;
  for (PHINode *Phi : Phis)
    if (LastIndex Index(L, *Phi, SE); Index.isOne()) {
      Index.open();
      Changed = true;
    }
  return Changed;
}

} // namespace polygpu
