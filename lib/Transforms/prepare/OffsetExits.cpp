//===- OffsetExits.cpp - Ends of loops by offsets of pointers -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/OffsetExits.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace {

/// A pointer by the steps in bounds that lead to it from another one.
struct Path {
  Value *Root;
  SmallVector<GEPOperator *, 4> Steps; ///< the last one first
};

/// The end of a loop: it goes on if \p Moving, or the pointer a step of \p Step
/// bytes further, compares with \p Fixed as \p Exit says.
struct End {
  Loop *L;
  ICmpInst *Exit;
  PHINode *Moving;
  Value *Next; ///< \p Moving in the next iteration
  Path Start, Fixed;
  APInt Step;
  bool IsNext,   ///< \p Next is compared
      IsSwapped; ///< \p Fixed is the first operand
};

} // namespace

/// The way to \p V from as far as steps in bounds go.
static Path pathTo(Value *V) {
  Path Found;
  auto *GEP = dyn_cast<GEPOperator>(V);
  for (; GEP && GEP->isInBounds(); GEP = dyn_cast<GEPOperator>(V)) {
    Found.Steps.push_back(GEP);
    V = GEP->getPointerOperand();
  }
  Found.Root = V;
  return Found;
}

/// How many bytes \p V is behind \p From, in steps in bounds of known length;
/// none if there is no such way.
static std::optional<APInt> distance(Value *V, const Value *From,
                                     const DataLayout &DL) {
  APInt Bytes(DL.getIndexTypeSizeInBits(V->getType()), 0);
  while (V != From) {
    auto *GEP = dyn_cast<GEPOperator>(V);
    if (!GEP || !GEP->isInBounds() || !GEP->accumulateConstantOffset(DL, Bytes))
      return std::nullopt;
    V = GEP->getPointerOperand();
  }
  return Bytes;
}

/// Is \p L left at its end by a comparison of two pointers of one object, of
/// which one does not change and the other moves?
static std::optional<End> endOf(Loop &L, const DataLayout &DL) {
  BasicBlock *Latch = L.getLoopLatch(), *Before = L.getLoopPreheader();
  auto *Repeat =
      Latch && Before ? dyn_cast<BranchInst>(Latch->getTerminator()) : nullptr;
  if (!Repeat || !Repeat->isConditional() || !L.isLoopExiting(Latch))
    return std::nullopt;
  auto *Exit = dyn_cast<ICmpInst>(Repeat->getCondition());
  if (!Exit || !Exit->getOperand(0)->getType()->isPointerTy() ||
      !Exit->hasOneUse() || Exit->isSigned())
    return std::nullopt;
  bool IsSwapped = L.isLoopInvariant(Exit->getOperand(0));
  Value *Compared = Exit->getOperand(IsSwapped),
        *Fixed = Exit->getOperand(!IsSwapped);
  if (!L.isLoopInvariant(Fixed))
    return std::nullopt;
  for (PHINode &Phi : L.getHeader()->phis()) {
    Value *Next = Phi.getIncomingValueForBlock(Latch);
    if ((Compared != &Phi && Compared != Next) || !Phi.getType()->isPointerTy())
      continue;
    std::optional<APInt> Step = distance(Next, &Phi, DL);
    Path Start = pathTo(Phi.getIncomingValueForBlock(Before));
    Path To = pathTo(Fixed);
    if (!Step || Step->isZero() || Start.Root != To.Root)
      return std::nullopt;
    return End{&L,       Exit, &Phi, Next, Start, To, *Step, Compared == Next,
               IsSwapped};
  }
  return std::nullopt;
}

/// The bytes of all steps of \p Way.
static Value *offsetOf(const Path &Way, IRBuilder<> &B, const DataLayout &DL) {
  Type *Index = DL.getIndexType(Way.Root->getType());
  Value *Sum = ConstantInt::get(Index, 0);
  for (GEPOperator *GEP : Way.Steps)
    Sum = B.CreateAdd(Sum, emitGEPOffset(&B, DL, GEP));
  return Sum;
}

/// The loop's end compares what the moving pointer is away from the other one.
static void compareOffsets(const End &E, const DataLayout &DL) {
  BasicBlock *Before = E.L->getLoopPreheader(), *Latch = E.L->getLoopLatch();
  IRBuilder<> B(Before->getTerminator());
  Value *First =
      B.CreateSub(offsetOf(E.Start, B, DL), offsetOf(E.Fixed, B, DL));
  Type *Index = First->getType();
  B.SetInsertPoint(E.L->getHeader(), E.L->getHeader()->begin());
  PHINode *Offset = B.CreatePHI(Index, 2);
  B.SetInsertPoint(E.Exit);
  // Neither is further away than the object is long.
  Value *Next = B.CreateAdd(Offset, ConstantInt::get(Index, E.Step), "",
                            /*HasNUW=*/false, /*HasNSW=*/true);
  Offset->addIncoming(First, Before);
  Offset->addIncoming(Next, Latch);
  Value *Sides[] = {E.IsNext ? Next : Offset, ConstantInt::get(Index, 0)};
  if (E.IsSwapped)
    std::swap(Sides[0], Sides[1]);
  E.Exit->replaceAllUsesWith(
      B.CreateICmp(E.Exit->getSignedPredicate(), Sides[0], Sides[1]));
  E.Exit->eraseFromParent();
}

namespace polygpu {

PreservedAnalyses OffsetExitsPass::run(Function &F,
                                       FunctionAnalysisManager &FAM) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  bool Changed = false;
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (std::optional<End> E = endOf(*L, DL)) {
      compareOffsets(*E, DL);
      Changed = true;
    }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace polygpu
