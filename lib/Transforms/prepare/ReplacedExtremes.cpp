//===- ReplacedExtremes.cpp - Extremes that NaNs replace ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/ReplacedExtremes.h"
#include "prepare/BestPlaces.h"
#include "prepare/CarriedValue.h"
#include "prepare/Versions.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace polygpu {

/// Is \p Next the one of \p Old and another number that \p Compare says, and
/// the other one wherever one of them is a NaN?
static bool takesWithNaN(const FCmpInst &Compare, const Value *Next,
                         const Value *Old) {
  const auto *Choice = dyn_cast_or_null<SelectInst>(Next);
  if (!Choice || Choice->getCondition() != &Compare || Compare.hasNoNaNs() ||
      !Compare.isRelational() || !is_contained(Compare.operands(), Old))
    return false;
  const Value *Other = Compare.getOperand(Compare.getOperand(0) == Old);
  const bool IsOrdered = CmpInst::isOrdered(Compare.getPredicate());
  return Old != Other &&
         Old ==
             (IsOrdered ? Choice->getTrueValue() : Choice->getFalseValue()) &&
         Other ==
             (IsOrdered ? Choice->getFalseValue() : Choice->getTrueValue());
}

namespace {

/// One of them.
struct Replaced {
  CarriedValue All; ///< what the loops of the nest carry on
  PHINode *Old;     ///< what it is when an iteration begins
  SelectInst *New;  ///< and when it ends
  FCmpInst *Compare;

  Value *other() const {
    return Compare->getOperand(Compare->getOperand(0) == Old);
  }
  /// By which predicate the other one, if neither is a NaN, is taken.
  CmpInst::Predicate takes() const {
    CmpInst::Predicate P = Compare->getPredicate();
    if (Compare->getOperand(0) == Old)
      P = CmpInst::getSwappedPredicate(P);
    if (New->getTrueValue() == Old)
      P = CmpInst::getInversePredicate(P);
    return FCmpInst::getOrderedPredicate(P);
  }
};

} // namespace

/// Is all that leaves \p Nest in phis of a block of its own behind it?
static bool leavesAtOnce(const Loop &Nest) {
  return Nest.isLoopSimplifyForm() && Nest.getExitingBlock() &&
         Nest.getExitBlock() &&
         Nest.getExitBlock()->getSinglePredecessor() == Nest.getExitingBlock();
}

static SmallVector<Replaced, 2> findReplaced(Loop &Nest) {
  SmallVector<Replaced, 2> List;
  for (Loop *L : Nest.getLoopsInPreorder()) {
    if (!L->isInnermost() || !L->getLoopLatch())
      continue;
    for (PHINode &Phi : L->getHeader()->phis()) {
      if (!Phi.getType()->isFloatTy() && !Phi.getType()->isDoubleTy())
        continue;
      auto *New =
          dyn_cast<SelectInst>(Phi.getIncomingValueForBlock(L->getLoopLatch()));
      auto *Compare = New ? dyn_cast<FCmpInst>(New->getCondition()) : nullptr;
      Replaced R{{}, &Phi, New, Compare};
      if (Compare && Compare->hasOneUse() &&
          takesWithNaN(*Compare, New, &Phi) &&
          R.All.find(Nest, Phi, *New, {Compare}))
        List.push_back(std::move(R));
    }
  }
  return List;
}

/// What of \p R leaves the nest, which is in LCSSA form, or null.
static const Value *lastOf(const Replaced &R, const Loop &Nest) {
  for (const PHINode &Phi : Nest.getExitBlock()->phis())
    if (const Value *V = Phi.getIncomingValueForBlock(Nest.getExitingBlock());
        R.All.contains(*V))
      return V;
  return nullptr;
}

/// Have \p R be an ordinary extreme.  Returns whether a NaN was there, as it
/// leaves the nest.
static Value *open(const Replaced &R, const Loop &Nest) {
  const Value *Last = lastOf(R, Nest);
  IRBuilder<> B(Nest.getLoopPreheader()->getTerminator());
  Value *First = R.All.first();
  Value *WasNaN = B.CreateZExt(B.CreateFCmpUNO(First, First), B.getInt32Ty());
  B.SetInsertPoint(R.New);
  Value *Other = R.other();
  auto Flags = R.All.carry(*WasNaN, [&](Value &Old) {
    return B.CreateOr(
        &Old, B.CreateZExt(B.CreateFCmpUNO(Other, Other), B.getInt32Ty()));
  });
  R.New->setCondition(B.CreateFCmp(R.takes(), Other, R.Old));
  R.New->setOperand(1, Other);
  R.New->setOperand(2, R.Old);
  R.Compare->eraseFromParent();
  return Flags.lookup(Last);
}

/// Behind \p Nest, where one of \p Flags is not 0, go through a copy of it, of
/// which \p Copies has the values, that begins in \p Again.  Returns the block
/// that decides.
static BasicBlock *runAgain(const Loop &Nest, ArrayRef<Replaced> List,
                            ArrayRef<Value *> Flags, BasicBlock &Again,
                            ValueToValueMapTy &Copies) {
  BasicBlock *Exit = Nest.getExitBlock(), *Exiting = Nest.getExitingBlock();
  auto *CopyExiting =
      cast<BasicBlock>(static_cast<Value *>(Copies.lookup(Exiting)));
  BasicBlock *Check = BasicBlock::Create(
      Exit->getContext(), Exit->getName() + ".any", Exit->getParent(), &Again);
  IRBuilder<> B(Check);
  auto Left = [&](Value *V) {
    PHINode *Phi = B.CreatePHI(V->getType(), 1);
    Phi->addIncoming(V, Exiting);
    return Phi;
  };
  for (PHINode &Phi : Exit->phis()) {
    Value *V = Phi.getIncomingValueForBlock(Exiting);
    Phi.setIncomingBlock(0, Check);
    Phi.setIncomingValue(0, Left(V));
    const bool IsOne =
        any_of(List, [&](const Replaced &R) { return R.All.contains(*V); });
    Value *Copy = IsOne ? Copies.lookup(V) : nullptr;
    Phi.addIncoming(IsOne ? Copy : Phi.getIncomingValue(0), CopyExiting);
  }
  SmallVector<Value *, 2> Last;
  for (Value *Flag : Flags)
    Last.push_back(Left(Flag));
  Value *Any = B.CreateICmpEQ(B.CreateOr(Last), B.getInt32(0));
  BranchInst *Choice =
      B.CreateCondBr(Any, Exit, &Again,
                     MDBuilder(Exit->getContext()).createLikelyBranchWeights());
  setAside(*Choice);
  Exiting->getTerminator()->replaceSuccessorWith(Exit, Check);
  return Check;
}

bool openReplacedExtremes(Loop &Nest, LoopInfo &LI, DominatorTree &DT,
                          ScalarEvolution &SE) {
  if (!leavesAtOnce(Nest) || !onlyReads(Nest) || findReplaced(Nest).empty())
    return false;
  bool Changed = formLCSSARecursively(Nest, DT, &LI, &SE);
  auto List = findReplaced(Nest);
  erase_if(List, [&](const Replaced &R) { return !lastOf(R, Nest); });
  if (List.empty())
    return Changed;
  // What is in front of the loops is not to be there twice.
  BasicBlock *Before = Nest.getLoopPreheader();
  SplitBlock(Before, Before->getTerminator(), &DT, &LI);
  ValueToValueMapTy Copies;
  SmallVector<BasicBlock *, 16> Blocks;
  Loop *Again =
      cloneLoopWithPreheader(Nest.getExitBlock(), Nest.getExitingBlock(), &Nest,
                             Copies, ".again", &LI, &DT, Blocks);
  remapInstructionsInBlocks(Blocks, Copies);
  SmallVector<Value *, 2> Flags;
  for (const Replaced &R : List)
    Flags.push_back(open(R, Nest));
  BasicBlock *Check =
      runAgain(Nest, List, Flags, *Again->getLoopPreheader(), Copies);
  if (Loop *Around = Nest.getParentLoop())
    Around->addBasicBlockToLoop(Check, LI);
  DT.recalculate(*Nest.getHeader()->getParent());
  SE.forgetLoop(&Nest);
  return true;
}

} // namespace polygpu
