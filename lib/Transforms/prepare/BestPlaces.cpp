//===- BestPlaces.cpp - What goes with the best one, by its place --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/BestPlaces.h"
#include "prepare/IndirectCalls.h"
#include "prepare/IndirectUpdates.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace polygpu {

/// A value has at most so many operations in the loop.
static const unsigned MostOperations = 12;

static const SCEVAddRecExpr *counterOf(const Value &V, const Loop &L,
                                       ScalarEvolution &SE) {
  if (!V.getType()->isIntegerTy())
    return nullptr;
  const auto *Rec =
      dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<Value *>(&V)));
  return Rec && Rec->getLoop() == &L && Rec->isAffine() ? Rec : nullptr;
}

bool isPlainCounter(const Value &V, const Loop &L, ScalarEvolution &SE) {
  const Value *Wide = &V;
  if (const auto *Cut = dyn_cast<TruncInst>(Wide);
      Cut && Cut->hasNoSignedWrap())
    Wide = Cut->getOperand(0);
  return counterOf(*Wide, L, SE) != nullptr;
}

/// The loop from \p L out to \p Nest whose counter \p Phi is, or null.
static const Loop *loopOf(const PHINode &Phi, const Loop &L, const Loop &Nest) {
  const Loop *In = &L;
  while (In != &Nest && In->getHeader() != Phi.getParent())
    In = In->getParentLoop();
  return In->getHeader() == Phi.getParent() ? In : nullptr;
}

static bool followsFrom(const Value &V, const Loop &L, const Loop &Nest,
                        ScalarEvolution &SE, unsigned &Left) {
  const auto *I = dyn_cast<Instruction>(&V);
  if (!I || !Nest.contains(I))
    return true;
  if (Left == 0)
    return false;
  --Left;
  if (const auto *Phi = dyn_cast<PHINode>(I)) {
    const Loop *In = loopOf(*Phi, L, Nest);
    const SCEVAddRecExpr *Rec = In ? counterOf(*Phi, *In, SE) : nullptr;
    return Rec && Phi->getType()->getIntegerBitWidth() <= 64 &&
           SE.isLoopInvariant(Rec->getStepRecurrence(SE), &Nest) &&
           In->getLoopPreheader() &&
           followsFrom(*Phi->getIncomingValueForBlock(In->getLoopPreheader()),
                       L, Nest, SE, Left);
  }
  const auto *Load = dyn_cast<LoadInst>(I);
  if (Load ? !Load->isSimple()
           : I->mayReadOrWriteMemory() ||
                 (isa<CallBase>(I) && !isa<IntrinsicInst>(I) &&
                  (!indirectRead(I) || indirectUpdate(I))))
    return false;
  return all_of(I->operands(), [&](const Use &U) {
    return followsFrom(*U, L, Nest, SE, Left);
  });
}

bool followsFrom(const Value &V, const Loop &L, const Loop &Nest,
                 ScalarEvolution &SE) {
  // What it is made of is computed in the iteration that it is taken in, so
  // that it can be once more.
  unsigned Left = MostOperations;
  return followsFrom(V, L, Nest, SE, Left);
}

bool onlyReads(const Loop &L) {
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (I.mayWriteToMemory() || I.mayThrow() || !I.willReturn() ||
          I.isVolatile() || I.isAtomic() || indirectUpdate(&I))
        return false;
  return true;
}

/// Where \p V is used behind \p L, as in LCSSA form.
static bool isLeft(const User *U, const Loop &L) {
  const auto *Phi = dyn_cast<PHINode>(U);
  return Phi && Phi->getParent() == L.getExitBlock() &&
         Phi->getNumIncomingValues() == 1;
}

bool hasPlace(const Loop &L, ArrayRef<WithBest> Values, ScalarEvolution &SE) {
  BasicBlock *Latch = L.getLoopLatch();
  if (!Latch || L.getExitingBlock() != Latch || !L.getExitBlock() ||
      !L.hasDedicatedExits() || !L.getLoopPreheader() || !onlyReads(L))
    return false;
  return all_of(Values, [&](const WithBest &V) {
    return followsFrom(*V.Taken, L, L, SE) &&
           all_of(V.Old->users(),
                  [&](const User *U) {
                    return U == V.New ||
                           (U->hasOneUse() && *U->user_begin() == V.New);
                  }) &&
           all_of(V.New->users(),
                  [&](const User *U) { return U == V.Old || isLeft(U, L); });
  });
}

/// A counter of the iterations of \p L, from 0 on, its own if it has one.
static Value *iterations(Loop &L, ScalarEvolution &SE) {
  for (PHINode &Phi : L.getHeader()->phis())
    if (const auto *Rec =
            Phi.getType()->isIntegerTy(64) ? counterOf(Phi, L, SE) : nullptr;
        Rec && Rec->getStart()->isZero() && Rec->getStepRecurrence(SE)->isOne())
      return &Phi;
  return addIterations(L);
}

namespace {

/// Computes values of an iteration behind the loops.
class Again {
public:
  Again(const Loop &Nest, const Iterations &There, Instruction &At,
        ScalarEvolution &SE)
      : Nest(Nest), There(There), At(At), SE(SE), Expander(SE, "place") {}
  Value *value(Value *V);

private:
  const Loop &Nest;
  const Iterations &There;
  Instruction &At;
  ScalarEvolution &SE;
  SCEVExpander Expander;
  ValueToValueMapTy Copies;

  Value *counter(PHINode &Phi);
};

Value *Again::counter(PHINode &Phi) {
  auto [In, Iteration] = *find_if(There, [&](const auto &One) {
    return One.first->getHeader() == Phi.getParent();
  });
  const Loop &L = *In;
  const SCEV *Step = counterOf(Phi, L, SE)->getStepRecurrence(SE);
  Value *First = value(Phi.getIncomingValueForBlock(L.getLoopPreheader()));
  Value *By = Expander.expandCodeFor(Step, Phi.getType(), &At);
  IRBuilder<> B(&At);
  return B.CreateAdd(
      First, B.CreateMul(By, B.CreateZExtOrTrunc(Iteration, Phi.getType())));
}

Value *Again::value(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Nest.contains(I))
    return V;
  if (Value *Known = Copies.lookup(I))
    return Known;
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    Value *Counter = counter(*Phi);
    return Copies[I] = Counter;
  }
  SmallVector<Value *, 4> Operands;
  for (Value *Operand : I->operands())
    Operands.push_back(value(Operand));
  Instruction *Copy = I->clone();
  for (auto [Number, Operand] : enumerate(Operands))
    Copy->setOperand(Number, Operand);
  Copy->insertBefore(At.getIterator());
  Copies[I] = Copy;
  return Copy;
}

} // namespace

SmallVector<Value *, 4> computeAgain(ArrayRef<Value *> Values, const Loop &Nest,
                                     const Iterations &There, Instruction &At,
                                     ScalarEvolution &SE) {
  Again Copies(Nest, There, At, SE);
  SmallVector<Value *, 4> Results;
  for (Value *V : Values)
    Results.push_back(Copies.value(V));
  return Results;
}

Instruction *choosePlace(Loop &L, ArrayRef<WithBest> Values, Value &IsTaken,
                         bool OnFalse, Instruction &At, LoopInfo &LI,
                         DominatorTree &DT, ScalarEvolution &SE) {
  BasicBlock *Exit = L.getExitBlock(), *Latch = L.getLoopLatch();
  Value *Counter = iterations(L, SE);
  IRBuilder<> B(&At);
  Constant *None = B.getInt64(-1);
  auto *Place = PHINode::Create(B.getInt64Ty(), 2, "", L.getHeader()->begin());
  Value *New = OnFalse ? B.CreateSelect(&IsTaken, Place, Counter)
                       : B.CreateSelect(&IsTaken, Counter, Place);
  Place->addIncoming(None, L.getLoopPreheader());
  Place->addIncoming(New, Latch);
  auto *Last = PHINode::Create(B.getInt64Ty(), 1, "", Exit->begin());
  Last->addIncoming(New, Latch);

  B.SetInsertPoint(Exit, Exit->getFirstInsertionPt());
  Value *IsThere = B.CreateICmpNE(Last, None);
  DomTreeUpdater DTU(DT, DomTreeUpdater::UpdateStrategy::Eager);
  Instruction *Then = SplitBlockAndInsertIfThen(
      IsThere, B.GetInsertPoint(), /*Unreachable=*/false, nullptr, &DTU, &LI);
  BasicBlock *Behind = Then->getSuccessor(0);
  Iterations There = {{&L, Last}};
  Again Copies(L, There, *Then, SE);
  for (const WithBest &V : Values) {
    Value *First = V.Old->getIncomingValueForBlock(L.getLoopPreheader());
    for (User *U : make_early_inc_range(V.New->users())) {
      if (!isLeft(U, L))
        continue;
      auto *Left = cast<PHINode>(U);
      auto *Result = PHINode::Create(Left->getType(), 2, "", Behind->begin());
      Result->addIncoming(First, Exit);
      Result->addIncoming(Copies.value(V.Taken), Then->getParent());
      Result->takeName(Left);
      Left->replaceAllUsesWith(Result);
      Left->eraseFromParent();
    }
    SE.forgetValue(V.Old);
    V.New->replaceAllUsesWith(PoisonValue::get(V.New->getType()));
    V.Old->replaceAllUsesWith(PoisonValue::get(V.Old->getType()));
    V.Old->eraseFromParent();
  }
  SE.forgetLoop(&L);
  return cast<Instruction>(New);
}

/// The comparison with the best one that \p Choice depends on, or null.
static const CmpInst *bestCompared(const SelectInst &Choice, const Loop &L) {
  const auto *Compare = dyn_cast<CmpInst>(Choice.getCondition());
  if (!Compare || !L.contains(Compare))
    return nullptr;
  for (const Value *V : Compare->operands())
    if (const auto *Phi = dyn_cast<PHINode>(V);
        Phi && Phi->getParent() == L.getHeader() &&
        !is_contained(Choice.operands(), Phi))
      return Compare;
  return nullptr;
}

SmallVector<WithBest, 4> chosenBy(const CmpInst &Compare, const Loop &L,
                                  bool OnFalse) {
  SmallVector<WithBest, 4> Values;
  for (PHINode &Old : L.getHeader()->phis()) {
    auto *New =
        dyn_cast<SelectInst>(Old.getIncomingValueForBlock(L.getLoopLatch()));
    if (!New || New->getCondition() != &Compare ||
        is_contained(Compare.operands(), &Old))
      continue;
    Value *Taken = OnFalse ? New->getFalseValue() : New->getTrueValue();
    if ((OnFalse ? New->getTrueValue() : New->getFalseValue()) == &Old)
      Values.push_back({&Old, New, Taken});
  }
  return Values;
}

bool openBestPlaces(Loop &L, LoopInfo &LI, DominatorTree &DT,
                    ScalarEvolution &SE) {
  if (!L.isInnermost() || !L.getLoopLatch() || !L.getLoopPreheader())
    return false;
  for (PHINode &Phi : L.getHeader()->phis()) {
    auto *Choice =
        dyn_cast<SelectInst>(Phi.getIncomingValueForBlock(L.getLoopLatch()));
    if (!Choice || !bestCompared(*Choice, L))
      continue;
    auto *Compare = cast<CmpInst>(Choice->getCondition());
    bool OnFalse = Choice->getTrueValue() == &Phi;
    SmallVector<WithBest, 4> Values = chosenBy(*Compare, L, OnFalse);
    if (Values.empty() ||
        (Values.size() == 1 && isPlainCounter(*Values[0].Taken, L, SE)) ||
        !hasPlace(L, Values, SE))
      continue;
    SmallVector<Instruction *, 4> Old;
    for (const WithBest &V : Values)
      Old.push_back(V.New);
    choosePlace(L, Values, *Compare, OnFalse, *Choice, LI, DT, SE);
    for (Instruction *I : Old)
      I->eraseFromParent();
    return true;
  }
  return false;
}

} // namespace polygpu
