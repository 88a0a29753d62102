//===- SomeIteration.cpp - Does a condition hold in any iteration ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/SomeIteration.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

/// Does each iteration of \p L come to its end, and the loop with the last one
/// that its counter says?
static bool endsByCounting(const Loop &L, ScalarEvolution &SE) {
  return L.getLoopPreheader() && L.getLoopLatch() &&
         L.getExitingBlock() == L.getLoopLatch() &&
         !isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L)) &&
         all_of(L.getSubLoops(),
                [&](const Loop *Sub) { return endsByCounting(*Sub, SE); });
}

/// Is \p Counter `Pred` something that is the same in all iterations false in
/// all of them, if it is in the first and in the last one?
static bool isKnownFromEnds(const SCEVAddRecExpr &Counter,
                            CmpInst::Predicate Pred, ScalarEvolution &SE) {
  if (ICmpInst::isRelational(Pred))
    return SE.getMonotonicPredicateType(&Counter, Pred).has_value();
  // It is each number once only.
  return Pred == CmpInst::ICMP_NE &&
         Counter.getNoWrapFlags(SCEV::FlagNW) != SCEV::FlagAnyWrap &&
         SE.isKnownNonZero(Counter.getStepRecurrence(SE));
}

namespace polygpu {

std::optional<SomeIteration> findSomeIteration(const BranchInst &Branch,
                                               const BasicBlock &Next,
                                               const Loop &Around,
                                               ScalarEvolution &SE) {
  auto *Cond = dyn_cast<ICmpInst>(Branch.getCondition());
  if (!Cond || !SE.isSCEVable(Cond->getOperand(0)->getType()) ||
      !Cond->getOperand(0)->getType()->isIntegerTy() ||
      !Around.getLoopPreheader())
    return std::nullopt;
  CmpInst::Predicate Pred = Branch.getSuccessor(0) == &Next
                                ? Cond->getPredicate()
                                : Cond->getInversePredicate();
  const SCEV *Left = SE.getSCEV(Cond->getOperand(0));
  const SCEV *Right = SE.getSCEV(Cond->getOperand(1));
  if (!isa<SCEVAddRecExpr>(Left)) {
    std::swap(Left, Right);
    Pred = CmpInst::getSwappedPredicate(Pred);
  }
  const auto *Counter = dyn_cast<SCEVAddRecExpr>(Left);
  if (!Counter || !Counter->isAffine())
    return std::nullopt;
  // A counter of the loop that the branch is in, or of one further out.
  const Loop &Counted = *Counter->getLoop();
  if (!Around.contains(&Counted) || !Counted.contains(Branch.getParent()) ||
      !endsByCounting(Counted, SE) || !isKnownFromEnds(*Counter, Pred, SE) ||
      !all_of(Around.blocks(), [](const BasicBlock *BB) {
        return isGuaranteedToTransferExecutionToSuccessor(BB);
      }))
    return std::nullopt;
  SomeIteration Found = {
      Pred, Counter->getStart(),
      Counter->evaluateAtIteration(SE.getBackedgeTakenCount(&Counted), SE),
      Right};
  SCEVExpander Expander(SE, "");
  const Instruction *Front = Around.getLoopPreheader()->getTerminator();
  for (const SCEV *E : {Found.First, Found.Last, Found.Other})
    if (!SE.isLoopInvariant(E, &Around) || !Expander.isSafeToExpandAt(E, Front))
      return std::nullopt;
  return Found;
}

Value *computeSomeIteration(const SomeIteration &Found, ScalarEvolution &SE,
                            Instruction &Front) {
  SCEVExpander Expander(SE, "some");
  auto Compute = [&](const SCEV *E) {
    return Expander.expandCodeFor(E, E->getType(), Front.getIterator());
  };
  Value *Other = Compute(Found.Other);
  Value *First = Compute(Found.First);
  Value *Last = Compute(Found.Last);
  IRBuilder<> B(&Front);
  B.SetCurrentDebugLocation(DebugLoc());
  return B.CreateOr(B.CreateICmp(Found.Pred, First, Other),
                    B.CreateICmp(Found.Pred, Last, Other));
}

} // namespace polygpu
