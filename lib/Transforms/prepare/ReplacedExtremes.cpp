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
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include <optional>
#include <utility>

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
  SelectInst *New;  ///< and when it has been compared
  FCmpInst *Compare;
  /// Where what is compared in some iterations only joins what it was, or null.
  PHINode *Joined = nullptr;
  /// The other one is taken as well where only the old one is a NaN, which it
  /// is not but from the begin on: that condition, or null.
  Instruction *OrOldIsNaN = nullptr;

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

/// If \p New takes another number than \p Old where that compares so, or only
/// \p Old is a NaN, as Fortran's maxval does: the comparison, and that of \p
/// Old with itself.
static std::pair<FCmpInst *, FCmpInst *> takesFromNaN(SelectInst &New,
                                                      const PHINode &Old) {
  using namespace PatternMatch;
  Value *Other = New.getTrueValue(), *One, *Two, *Left, *Right;
  if (New.getFalseValue() != &Old || Other == &Old ||
      !match(New.getCondition(), m_Or(m_Value(One), m_Value(Two))))
    return {};
  auto Compares = [](const FCmpInst *C, const Value *V) {
    return C && (C->getOperand(0) == V) &&
           (C->getOperand(1) == V || match(C->getOperand(1), m_AnyZeroFP()));
  };
  for (bool Swap : {false, true}) {
    auto *Compare = dyn_cast<FCmpInst>(Swap ? Two : One);
    if (!Compare || !Compare->isRelational() ||
        !CmpInst::isOrdered(Compare->getPredicate()) ||
        !is_contained(Compare->operands(), &Old) ||
        !is_contained(Compare->operands(), Other) ||
        !match(Swap ? One : Two, m_And(m_Value(Left), m_Value(Right))))
      continue;
    auto *IsNaN = dyn_cast<FCmpInst>(Left), *IsNone = dyn_cast<FCmpInst>(Right);
    if (IsNaN && IsNaN->getPredicate() == FCmpInst::FCMP_ORD)
      std::swap(IsNaN, IsNone);
    if (Compares(IsNaN, &Old) && Compares(IsNone, Other) &&
        IsNaN->getPredicate() == FCmpInst::FCMP_UNO &&
        IsNone->getPredicate() == FCmpInst::FCMP_ORD)
      return {Compare, IsNaN};
  }
  return {};
}

/// Is all that leaves \p Nest in phis of a block of its own behind it?
static bool leavesAtOnce(const Loop &Nest) {
  return Nest.isLoopSimplifyForm() && Nest.getExitingBlock() &&
         Nest.getExitBlock() &&
         Nest.getExitBlock()->getSinglePredecessor() == Nest.getExitingBlock();
}

/// The phi of \p L that is \p New where this was made, and \p Old elsewhere.
static PHINode *joinOf(SelectInst &New, const PHINode &Old, const Loop &L) {
  auto *Phi = New.hasOneUse() ? dyn_cast<PHINode>(*New.user_begin()) : nullptr;
  if (!Phi || !L.contains(Phi) || Phi->getParent() == L.getHeader() ||
      any_of(Phi->incoming_values(),
             [&](const Use &U) { return U != &New && U != &Old; }))
    return nullptr;
  return Phi;
}

/// Is \p New, of \p Old in the header of \p L in \p Nest, one?
static std::optional<Replaced> findReplaced(Loop &Nest, const Loop &L,
                                            PHINode &Old, SelectInst &New) {
  auto *Compare = dyn_cast<FCmpInst>(New.getCondition());
  Replaced R{{}, &Old, &New, Compare};
  R.Joined = joinOf(New, Old, L);
  Instruction &Becomes = R.Joined ? static_cast<Instruction &>(*R.Joined) : New;
  if (Compare && Compare->hasOneUse() && takesWithNaN(*Compare, &New, &Old) &&
      R.All.find(Nest, Old, Becomes, {Compare, &New}))
    return R;
  auto [Takes, IsNaN] = takesFromNaN(New, Old);
  if (!Takes || !R.All.find(Nest, Old, Becomes, {Takes, IsNaN, &New}))
    return std::nullopt;
  R.Compare = Takes;
  R.OrOldIsNaN = cast<Instruction>(New.getCondition());
  return R;
}

static SmallVector<Replaced, 2> findReplaced(Loop &Nest) {
  SmallVector<Replaced, 2> List;
  for (Loop *L : Nest.getLoopsInPreorder()) {
    if (!L->isInnermost())
      continue;
    for (PHINode &Phi : L->getHeader()->phis()) {
      if (!Phi.getType()->isFloatTy() && !Phi.getType()->isDoubleTy())
        continue;
      for (User *U : Phi.users())
        if (auto *New = dyn_cast<SelectInst>(U); New && L->contains(New))
          if (auto R = findReplaced(Nest, *L, Phi, *New))
            List.push_back(std::move(*R));
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
  if (R.OrOldIsNaN) {
    R.OrOldIsNaN->replaceAllUsesWith(R.Compare);
    RecursivelyDeleteTriviallyDeadInstructions(R.OrOldIsNaN);
    return WasNaN;
  }
  B.SetInsertPoint(R.New);
  Value *Other = R.other();
  Value *IsNaN = B.CreateZExt(B.CreateFCmpUNO(Other, Other), B.getInt32Ty());
  if (PHINode *Joined = R.Joined) {
    B.SetInsertPoint(Joined);
    PHINode *Any =
        B.CreatePHI(IsNaN->getType(), Joined->getNumIncomingValues());
    for (unsigned I = 0; I < Joined->getNumIncomingValues(); ++I)
      Any->addIncoming(Joined->getIncomingValue(I) == R.New ? IsNaN
                                                            : B.getInt32(0),
                       Joined->getIncomingBlock(I));
    IsNaN = Any;
    B.SetInsertPoint(Joined->getParent(),
                     Joined->getParent()->getFirstInsertionPt());
  }
  auto Flags =
      R.All.carry(*WasNaN, [&](Value &Old) { return B.CreateOr(&Old, IsNaN); });
  B.SetInsertPoint(R.New);
  R.New->setCondition(B.CreateFCmp(R.takes(), Other, R.Old));
  R.New->setOperand(1, Other);
  R.New->setOperand(2, R.Old);
  R.Compare->eraseFromParent();
  return Flags.lookup(Last);
}

/// Behind \p Nest, where one of \p Flags is not 0, go through a copy of it, of
/// which \p Copies has the values, that begins in \p Again.  Returns the block
/// that decides.
static BasicBlock *runAgain(const Loop &Nest, ArrayRef<Value *> Flags,
                            BasicBlock &Again, ValueToValueMapTy &Copies) {
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
    Value *Copy = Copies.lookup(V);
    Phi.addIncoming(Copy ? Copy : V, CopyExiting);
  }
  SmallVector<Value *, 2> Last;
  for (Value *Flag : Flags)
    Last.push_back(Left(Flag));
  Value *None = B.CreateICmpEQ(B.CreateOr(Last), B.getInt32(0));
  BranchInst *Choice =
      B.CreateCondBr(None, Exit, &Again,
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
  erase_if(List, [&](const Replaced &R) {
    return !R.OrOldIsNaN && !lastOf(R, Nest);
  });
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
  BasicBlock *Check = runAgain(Nest, Flags, *Again->getLoopPreheader(), Copies);
  if (Loop *Around = Nest.getParentLoop())
    Around->addBasicBlockToLoop(Check, LI);
  DT.recalculate(*Nest.getHeader()->getParent());
  SE.forgetLoop(&Nest);
  return true;
}

} // namespace polygpu
