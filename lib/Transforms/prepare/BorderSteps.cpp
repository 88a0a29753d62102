//===- BorderSteps.cpp - Neighbours of elements at borders ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/BorderSteps.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

/// Operations between a choice and the address that is computed from it.
static const unsigned MaxChain = 8;

/// Is \p V part of an address, with constant factors on the way if \p Summed?
static bool isInAddress(const Value &V, bool Summed, unsigned Left = MaxChain) {
  return Left && any_of(V.users(), [&](const User *U) {
           if (isa<GetElementPtrInst>(U))
             return true;
           const auto *Op = dyn_cast<BinaryOperator>(U);
           if (Summed && Op && Op->getOpcode() != Instruction::Add &&
               Op->getOpcode() != Instruction::Sub &&
               !isa<Constant>(Op->getOperand(1)))
             return false;
           return (Op || isa<SExtInst, ZExtInst, SelectInst>(U)) &&
                  isInAddress(*U, Summed, Left - 1);
         });
}

namespace {

/// A comparison that holds at a border and nowhere beyond.
struct Border {
  /// How far the border is away, 0 and more; null if this is none.
  const SCEV *Distance = nullptr;
  /// Does the comparison hold there, or elsewhere?
  bool HoldsThere = false;
  /// The loop of the counter that is compared, and its iteration there.
  const Loop *Around = nullptr;
  const SCEV *Iteration = nullptr;
};

/// What an expression is in one iteration of a loop.
class InIteration : public SCEVRewriteVisitor<InIteration> {
public:
  InIteration(const Border &At, ScalarEvolution &SE)
      : SCEVRewriteVisitor(SE), At(At) {}

  const SCEV *visitAddRecExpr(const SCEVAddRecExpr *E) {
    if (E->getLoop() == At.Around)
      return E->evaluateAtIteration(At.Iteration, SE);
    return SCEVRewriteVisitor::visitAddRecExpr(E);
  }

private:
  const Border &At;
};

class BorderSteps {
public:
  BorderSteps(LoopInfo &LI, ScalarEvolution &SE)
      : LI(LI), SE(SE), Expander(SE, "border") {}
  bool rewrite(Instruction &I);

private:
  LoopInfo &LI;
  ScalarEvolution &SE;
  SCEVExpander Expander;

  const SCEV *most(const SCEV *S) const;
  bool isUpTo(const SCEV *Low, const SCEV *High, Instruction &At) const;
  bool findIteration(const SCEV *Counter, const SCEV *Bound, Border &B) const;
  Border borderOf(Value *Condition, Instruction &At) const;
  bool isFixed(const SCEV *S, Instruction &At) const;
  bool isOneStep(const SCEV *Apart, const SCEV *S, const Loop *L) const;
  Value *sumOf(SelectInst &Select);
  Value *sumOf(CastInst &Cast);
  Value *beyond(const Border &Is, Type *Ty, Instruction &At);
};

/// What a counter that rises by one is at most, in the last iteration of its
/// loop; another value, or a counter whose loop may end anyhow, itself.
const SCEV *BorderSteps::most(const SCEV *S) const {
  const auto *Rec = dyn_cast<SCEVAddRecExpr>(S);
  if (!Rec || !Rec->isAffine() || !Rec->hasNoSignedWrap() ||
      !Rec->getStepRecurrence(SE)->isOne() ||
      !SE.hasLoopInvariantBackedgeTakenCount(Rec->getLoop()))
    return S;
  const SCEV *Last = SE.getBackedgeTakenCount(Rec->getLoop());
  return Last->getType() == S->getType() ? Rec->evaluateAtIteration(Last, SE)
                                         : S;
}

/// Is 0 <= \p Low <= \p High, so that their difference does not overflow?
bool BorderSteps::isUpTo(const SCEV *Low, const SCEV *High,
                         Instruction &At) const {
  if (!SE.isKnownNonNegative(Low))
    return false;
  auto IsLess = [&](const SCEV *A, const SCEV *B) {
    return SE.isKnownPredicateAt(ICmpInst::ICMP_SLE, A, B, &At);
  };
  const SCEV *Most = most(Low);
  if (IsLess(Low, High) || IsLess(Most, High))
    return true;
  // max(n, 1) iterations are n under the guard of the loop.
  const Loop *L = LI.getLoopFor(At.getParent());
  if (const auto *Rec = dyn_cast<SCEVAddRecExpr>(Low))
    L = Rec->getLoop();
  return IsLess(SE.applyLoopGuards(Most, L), SE.applyLoopGuards(High, L));
}

/// If \p Counter counts by one and \p Bound does not change in its loop: the
/// iteration in which they are equal.
bool BorderSteps::findIteration(const SCEV *Counter, const SCEV *Bound,
                                Border &B) const {
  const auto *Rec = dyn_cast<SCEVAddRecExpr>(Counter);
  if (!Rec || !Rec->isAffine() || !SE.isLoopInvariant(Bound, Rec->getLoop()))
    return false;
  const SCEV *Step = Rec->getStepRecurrence(SE);
  B.Around = Rec->getLoop();
  B.Iteration = Step->isOne() ? SE.getMinusSCEV(Bound, Rec->getStart())
                              : SE.getMinusSCEV(Rec->getStart(), Bound);
  return Step->isOne() || Step->isAllOnesValue();
}

Border BorderSteps::borderOf(Value *Condition, Instruction &At) const {
  auto *Compare = dyn_cast<ICmpInst>(Condition);
  if (!Compare || !Compare->getOperand(0)->getType()->isIntegerTy(64))
    return {};
  const SCEV *A = SE.getSCEV(Compare->getOperand(0));
  const SCEV *B = SE.getSCEV(Compare->getOperand(1));
  Border Found;
  if (!findIteration(A, B, Found) && !findIteration(B, A, Found))
    return {};
  CmpInst::Predicate Is = Compare->getPredicate();
  // As if A were the one that is at most B: none of both is negative.
  if (!isUpTo(A, B, At)) {
    if (!isUpTo(B, A, At))
      return {};
    std::swap(A, B);
    Is = ICmpInst::getSwappedPredicate(Is);
  }
  switch (Is) {
  case ICmpInst::ICMP_EQ:
  case ICmpInst::ICMP_SGE:
  case ICmpInst::ICMP_UGE:
    Found.HoldsThere = true;
    break;
  case ICmpInst::ICMP_NE:
  case ICmpInst::ICMP_SLT:
  case ICmpInst::ICMP_ULT:
    break;
  default: // Always or never.
    return {};
  }
  Found.Distance = SE.getMinusSCEV(B, A);
  return Found;
}

/// Is \p S the same in all iterations of the loops around \p At?
bool BorderSteps::isFixed(const SCEV *S, Instruction &At) const {
  for (const Loop *L = LI.getLoopFor(At.getParent()); L; L = L->getParentLoop())
    if (!SE.isLoopInvariant(S, L))
      return false;
  return true;
}

/// Is \p Apart what an iteration of \p L adds to \p S, to or from it, or a
/// multiple that is a constant?  A whole row more in a subscript would be
/// another dimension.
bool BorderSteps::isOneStep(const SCEV *Apart, const SCEV *S,
                            const Loop *L) const {
  const SCEV *Inner = S;
  while (const auto *Rec = dyn_cast<SCEVAddRecExpr>(Inner)) {
    if (Rec->getLoop() != L) {
      Inner = Rec->getStart();
      continue;
    }
    const SCEV *Step = Rec->getStepRecurrence(SE);
    if (isa<SCEVConstant>(Step) && isa<SCEVConstant>(Apart))
      return true;
    return Apart == Step || Apart == SE.getNegativeSCEV(Step);
  }
  return false;
}

/// 1 beyond the border and 0 there; null if that cannot be computed at \p At.
Value *BorderSteps::beyond(const Border &Is, Type *Ty, Instruction &At) {
  if (!Is.Distance || !Expander.isSafeToExpandAt(Is.Distance, &At))
    return nullptr;
  Value *Distance = Expander.expandCodeFor(Is.Distance, Ty, At.getIterator());
  return IRBuilder<>(&At).CreateBinaryIntrinsic(Intrinsic::smin, Distance,
                                                ConstantInt::get(Ty, 1));
}

/// A choice between a sum and, at the border, one that is a step away: LLVM may
/// have put the border's value for the counter into the latter.  What is added
/// to is computed anew, since what is beyond may overflow at the border.
Value *BorderSteps::sumOf(SelectInst &Select) {
  Type *Ty = Select.getType();
  if (!Ty->isIntegerTy(64))
    return nullptr;
  Border Is = borderOf(Select.getCondition(), Select);
  if (!Is.Distance)
    return nullptr;
  const SCEV *There = SE.getSCEV(Select.getTrueValue());
  const SCEV *Beyond = SE.getSCEV(Select.getFalseValue());
  if (!Is.HoldsThere)
    std::swap(There, Beyond);
  const SCEV *Apart = InIteration(Is, SE).visit(SE.getMinusSCEV(Beyond, There));
  const SCEV *Base = SE.getMinusSCEV(Beyond, Apart);
  if (!isFixed(Apart, Select) || !isOneStep(Apart, Beyond, Is.Around) ||
      !Expander.isSafeToExpandAt(Apart, &Select) ||
      !Expander.isSafeToExpandAt(Base, &Select))
    return nullptr;
  Value *Steps = beyond(Is, Ty, Select);
  if (!Steps)
    return nullptr;
  Value *First = Expander.expandCodeFor(Base, Ty, Select.getIterator());
  Value *Step = Expander.expandCodeFor(Apart, Ty, Select.getIterator());
  IRBuilder<> B(&Select);
  // None of the steps, or one.
  return B.CreateAdd(First, B.CreateNSWMul(Step, Steps));
}

/// "c - (y != 0)", which LLVM makes of "y == 0 ? c : c - 1".
Value *BorderSteps::sumOf(CastInst &Cast) {
  Type *Ty = Cast.getType();
  if (!Ty->isIntegerTy(64) || !Cast.getOperand(0)->getType()->isIntegerTy(1))
    return nullptr;
  Border Is = borderOf(Cast.getOperand(0), Cast);
  Value *Steps = beyond(Is, Ty, Cast);
  if (!Steps)
    return nullptr;
  IRBuilder<> B(&Cast);
  if (Is.HoldsThere)
    Steps = B.CreateNSWSub(ConstantInt::get(Ty, 1), Steps);
  return isa<ZExtInst>(Cast) ? Steps : B.CreateNSWNeg(Steps);
}

bool BorderSteps::rewrite(Instruction &I) {
  Value *Sum = nullptr;
  if (auto *Select = dyn_cast<SelectInst>(&I))
    Sum = sumOf(*Select);
  else
    Sum = sumOf(cast<CastInst>(I));
  if (!Sum)
    return false;
  SE.forgetValue(&I);
  I.replaceAllUsesWith(Sum);
  I.eraseFromParent();
  return true;
}

} // namespace

namespace polygpu {

PreservedAnalyses BorderStepsPass::run(Function &F,
                                       FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  SmallVector<Instruction *, 8> Found;
  for (Instruction &I : instructions(F))
    if (isa<SelectInst, SExtInst, ZExtInst>(I) &&
        LI.getLoopFor(I.getParent()) && isInAddress(I, !isa<SelectInst>(I)))
      Found.push_back(&I);
  if (Found.empty())
    return PreservedAnalyses::all();
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  // Of counters that were extended it knows the number of iterations before.
  SE.forgetAllLoops();
  BorderSteps Steps(LI, SE);
  bool Changed = false;
  for (Instruction *I : Found)
    Changed |= Steps.rewrite(*I);
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace polygpu
