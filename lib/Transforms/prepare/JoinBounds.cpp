//===- JoinBounds.cpp - Loops with several bounds -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/JoinBounds.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// "Counter < Bound", with signs, or another order.
struct Limit {
  Value *Counter, *Bound;
  CmpInst::Predicate Is;
  bool IsExact = false; ///< the bound is a sum that does not overflow
};

/// What \p Condition compares with what is the same in all iterations of \p L.
std::optional<Limit> limitOf(Value *Condition, const Loop &L) {
  auto *Compare = dyn_cast<ICmpInst>(Condition);
  if (!Compare || !Compare->getOperand(0)->getType()->isIntegerTy())
    return std::nullopt;
  Limit Is = {Compare->getOperand(0), Compare->getOperand(1),
              Compare->getPredicate()};
  if (L.isLoopInvariant(Is.Counter)) {
    std::swap(Is.Counter, Is.Bound);
    Is.Is = ICmpInst::getSwappedPredicate(Is.Is);
  }
  if (ICmpInst::isUnsigned(Is.Is) && Compare->hasSameSign())
    Is.Is = ICmpInst::getSignedPredicate(Is.Is);
  if (!ICmpInst::isSigned(Is.Is) || L.isLoopInvariant(Is.Counter) ||
      !L.isLoopInvariant(Is.Bound))
    return std::nullopt;
  return Is;
}

/// "l < i" as "l + 1 <= i", if \p Next is l + 1; or with l - 1 the other way.
bool compareNext(Limit &Is, Value *Next) {
  if (Is.Counter == Next)
    return true;
  const APInt *Step;
  if (!match(Next, m_NSWAdd(m_Specific(Is.Counter), m_APInt(Step))))
    return false;
  if (Is.Is == ICmpInst::ICMP_SLT
          ? !Step->isOne()
          : Is.Is != ICmpInst::ICMP_SGT || !Step->isAllOnes())
    return false;
  Is = {Next, Is.Bound, ICmpInst::getNonStrictPredicate(Is.Is), false};
  return true;
}

/// "l <= i" as "l < i + 1", and "l >= i" as "l > i - 1", if that does not
/// overflow for the i that there are; false if it may.
bool makeStrict(Limit &Is, Loop &L, ScalarEvolution &SE) {
  if (ICmpInst::isStrictPredicate(Is.Is))
    return true;
  bool Up = Is.Is == ICmpInst::ICMP_SLE;
  ConstantRange Range = SE.getSignedRange(SE.getSCEV(Is.Bound));
  if (Up ? Range.getSignedMax().isMaxSignedValue()
         : Range.getSignedMin().isMinSignedValue())
    return false;
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  Is.Bound = B.CreateNSWAdd(
      Is.Bound, ConstantInt::getSigned(Is.Bound->getType(), Up ? 1 : -1));
  Is.Is = ICmpInst::getStrictPredicate(Is.Is);
  Is.IsExact = true;
  return true;
}

/// Is \p V what a counter becomes?
bool isStep(const Value &V) { return any_of(V.users(), IsaPred<PHINode>); }

/// The bound in front of \p L, where it is asked for in runs in which the
/// program does not ask any more: there a sum may overflow.  Null if that would
/// be said of what the program goes on with too, as in "for (ii ...; ii +=
/// size) for (...; l < ii + size".
Value *boundBefore(const Limit &Is, const Loop &L) {
  auto *Sum = dyn_cast<Instruction>(Is.Bound);
  if (!Sum || Is.IsExact || !Sum->hasPoisonGeneratingFlags())
    return Is.Bound;
  for (const Value *Operand : Sum->operands())
    if (!isa<Constant>(Operand))
      for (const User *U : Operand->users())
        if (const auto *Twin = dyn_cast<Instruction>(U);
            Twin && Twin->getOpcode() == Sum->getOpcode() && isStep(*Twin) &&
            all_of(Sum->operands(), [&](const Value *V) {
              return is_contained(Twin->operands(), V);
            }))
          return nullptr;
  Instruction *Copy = Sum->clone();
  Copy->dropPoisonGeneratingFlags();
  Copy->insertBefore(L.getLoopPreheader()->getTerminator()->getIterator());
  return Copy;
}

/// The comparisons that \p Condition joins; false if something else is in it.
bool addLimits(Value *Condition, bool IsAnd, const Loop &L,
               SmallVectorImpl<Limit> &Limits) {
  static const size_t Most = 8;
  Value *A, *B;
  if (IsAnd ? match(Condition, m_LogicalAnd(m_Value(A), m_Value(B)))
            : match(Condition, m_LogicalOr(m_Value(A), m_Value(B))))
    return addLimits(A, IsAnd, L, Limits) && addLimits(B, IsAnd, L, Limits);
  auto Found = limitOf(Condition, L);
  if (!Found || Limits.size() == Most)
    return false;
  Limits.push_back(*Found);
  return true;
}

/// Have all \p Limits of \p L compare one value in one way.
bool makeAlike(MutableArrayRef<Limit> Limits, Loop &L, ScalarEvolution &SE) {
  for (const Limit &Last : Limits)
    for (Limit &Other : Limits)
      if (Other.Counter != Last.Counter)
        compareNext(Other, Last.Counter);
  const Limit &First = Limits.front();
  auto IsLike = [&](const Limit &Other) {
    return Other.Counter == First.Counter && Other.Is == First.Is;
  };
  return all_of(Limits, IsLike) ||
         (all_of(Limits,
                 [&](Limit &Other) { return makeStrict(Other, L, SE); }) &&
          all_of(Limits, IsLike));
}

/// Have \p L end at one bound, if it ends at the first of several; whether
/// anything was changed.
bool joinBounds(Loop &L, ScalarEvolution &SE) {
  BasicBlock *Latch = L.getLoopLatch();
  auto *Branch = Latch ? dyn_cast<BranchInst>(Latch->getTerminator()) : nullptr;
  if (!Branch || !Branch->isConditional() || !L.isLoopExiting(Latch) ||
      !L.getLoopPreheader())
    return false;
  // It goes on while all are so, or ends where one is.
  bool GoesOn = L.contains(Branch->getSuccessor(0));
  Value *Old = Branch->getCondition();
  SmallVector<Limit, 4> Limits;
  if (!addLimits(Old, GoesOn, L, Limits) || Limits.size() < 2)
    return false;
  // From here on there may be sums that nothing uses.
  if (!makeAlike(Limits, L, SE))
    return true;
  const Limit &First = Limits.front();
  bool IsSmaller = (First.Is == ICmpInst::ICMP_SLT ||
                    First.Is == ICmpInst::ICMP_SLE) == GoesOn;
  IRBuilder<> Before(L.getLoopPreheader()->getTerminator());
  Value *Bound = nullptr;
  for (const Limit &Other : Limits) {
    Value *Next = boundBefore(Other, L);
    if (!Next)
      return true;
    Bound =
        Bound ? Before.CreateBinaryIntrinsic(
                    IsSmaller ? Intrinsic::smin : Intrinsic::smax, Bound, Next)
              : Next;
  }
  IRBuilder<> At(Branch);
  Branch->setCondition(At.CreateICmp(First.Is, First.Counter, Bound));
  RecursivelyDeleteTriviallyDeadInstructions(Old);
  return true;
}

} // namespace

namespace polygpu {

PreservedAnalyses JoinBoundsPass::run(Function &F,
                                      FunctionAnalysisManager &FAM) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  bool Changed = false;
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    Changed |= joinBounds(*L, SE);
  if (!Changed)
    return PreservedAnalyses::all();
  SE.forgetAllLoops();
  PreservedAnalyses PA;
  PA.preserve<LoopAnalysis>();
  PA.preserve<DominatorTreeAnalysis>();
  return PA;
}

} // namespace polygpu
