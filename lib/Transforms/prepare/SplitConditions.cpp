//===- SplitConditions.cpp - && and || as branches ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/SplitConditions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

/// Conditions of more comparisons stay as they are.
static const unsigned MaxComparisons = 16;

namespace {

/// The comparisons of the bits "Mask" of two values with 0 that InstCombine
/// joined.
struct JoinedTests {
  bool IsAnd; // Else: or.
  ICmpInst::Predicate Predicate;
  Value *First, *Second;
  APInt Mask;

  Value *create(IRBuilderBase &Builder, Value *Of) const {
    Value *Bits = Builder.CreateAnd(Of, Builder.getInt(Mask));
    return Builder.CreateICmp(Predicate, Bits,
                              ConstantInt::get(Of->getType(), 0));
  }
};

class ConditionSplitter {
public:
  ConditionSplitter(Function &F, LoopInfo &LI, ScalarEvolution &SE)
      : F(F), LI(LI), SE(SE) {}
  bool run();

private:
  Function &F;
  LoopInfo &LI;
  ScalarEvolution &SE;

  bool isKnown(Value *V, const Loop &L) const;
  bool isAffine(Value *Condition, const Loop &L, unsigned &Left) const;
  bool isInsideOfLoop(const BranchInst &Branch, const Loop &L) const;
  bool isJoined(BranchInst &Branch, const Loop &L) const;
  void split(BranchInst &Branch);
  BasicBlock *joined(BasicBlock &From, BasicBlock &To);
};

/// The two comparisons that \p Condition is: ((x | y) & m) == 0 for zeros of
/// both, ((x & y) & 1) != 0 for ones of both, or the opposite of one of these.
std::optional<JoinedTests> joinedTests(Value *Condition) {
  auto *Compare = dyn_cast<ICmpInst>(Condition);
  Value *X, *Y, *Bits;
  const APInt *Mask;
  if (!Compare || !Compare->isEquality() ||
      !match(Compare->getOperand(0), m_And(m_Value(Bits), m_APInt(Mask))) ||
      !match(Compare->getOperand(1), m_Zero()) || !Mask->isMask() ||
      !Bits->getType()->isIntegerTy())
    return std::nullopt;
  bool IsEqual = Compare->getPredicate() == ICmpInst::ICMP_EQ;
  if (match(Bits, m_Or(m_Value(X), m_Value(Y))))
    return JoinedTests{IsEqual, Compare->getPredicate(), X, Y, *Mask};
  if (Mask->isOne() && match(Bits, m_And(m_Value(X), m_Value(Y))))
    return JoinedTests{!IsEqual, Compare->getPredicate(), X, Y, *Mask};
  return std::nullopt;
}

/// Is nothing under the condition to come to \p BB alone: is it behind a
/// condition, or does it only decide on another one?
bool isPassedThrough(BasicBlock &BB) {
  auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
  return !BB.getSinglePredecessor() ||
         (Branch && Branch->isConditional() &&
          none_of(BB, [](Instruction &I) { return I.mayReadOrWriteMemory(); }));
}

/// Does scalar evolution see how \p V comes from counters of loops and from
/// values in front of \p L?
bool ConditionSplitter::isKnown(Value *V, const Loop &L) const {
  if (!SE.isSCEVable(V->getType()))
    return false;
  return !SCEVExprContains(SE.getSCEV(V), [&](const SCEV *S) {
    const auto *Unknown = dyn_cast<SCEVUnknown>(S);
    const auto *I =
        Unknown ? dyn_cast<Instruction>(Unknown->getValue()) : nullptr;
    return I && L.contains(I);
  });
}

/// Is \p Condition a tree of "and" and "or" over comparisons of known values?
bool ConditionSplitter::isAffine(Value *Condition, const Loop &L,
                                 unsigned &Left) const {
  Value *A, *B;
  if (match(Condition, m_Not(m_Value(A))))
    return isAffine(A, L, Left);
  if (match(Condition, m_LogicalAnd(m_Value(A), m_Value(B))) ||
      match(Condition, m_LogicalOr(m_Value(A), m_Value(B))))
    return isAffine(A, L, Left) && isAffine(B, L, Left);
  auto *Compare = dyn_cast<ICmpInst>(Condition);
  return Compare && Left-- && isKnown(Compare->getOperand(0), L) &&
         isKnown(Compare->getOperand(1), L);
}

/// Is a select below \p Condition?  Polly knows the other trees.
static bool hasSelect(const Value *Condition) {
  const auto *I = dyn_cast<Instruction>(Condition);
  return I &&
         (isa<SelectInst>(I) ||
          (isa<BinaryOperator>(I) &&
           any_of(I->operands(), [](const Use &U) { return hasSelect(U); })));
}

/// Is the condition of \p Branch two joined tests of known values?  Not where
/// statements are under one or the other: the pieces of their domains are more
/// than what is won.
bool ConditionSplitter::isJoined(BranchInst &Branch, const Loop &L) const {
  Value *Condition = Branch.getCondition();
  bool IsNegated = false;
  while (match(Condition, m_Not(m_Value(Condition))))
    IsNegated = !IsNegated;
  std::optional<JoinedTests> Tests = joinedTests(Condition);
  return Tests && isKnown(Tests->First, L) && isKnown(Tests->Second, L) &&
         isPassedThrough(
             *Branch.getSuccessor(Tests->IsAnd != IsNegated ? 1 : 0));
}

/// A branch that leaves a loop or repeats it decides on the number of its
/// iterations, which is found without us.
bool ConditionSplitter::isInsideOfLoop(const BranchInst &Branch,
                                       const Loop &L) const {
  return all_of(successors(&Branch), [&](const BasicBlock *Next) {
    return L.contains(Next) && Next != L.getHeader();
  });
}

/// A block between \p From and \p To for all that go there from now on: what
/// \p To gets from there is one value still, written once.
BasicBlock *ConditionSplitter::joined(BasicBlock &From, BasicBlock &To) {
  auto *Join =
      BasicBlock::Create(F.getContext(), From.getName() + ".either", &F, &To);
  BranchInst::Create(&To, Join)->setDebugLoc(
      From.getTerminator()->getDebugLoc());
  To.replacePhiUsesWith(&From, Join);
  LI.getLoopFor(&From)->addBasicBlockToLoop(Join, LI);
  return Join;
}

/// The branch on two conditions becomes one on the first and one on the second.
void ConditionSplitter::split(BranchInst &Branch) {
  Value *A, *B, *Negated;
  while (match(Branch.getCondition(), m_Not(m_Value(Negated)))) {
    Branch.setCondition(Negated);
    Branch.swapSuccessors();
  }
  bool IsAnd =
      match(Branch.getCondition(), m_LogicalAnd(m_Value(A), m_Value(B)));
  if (std::optional<JoinedTests> Tests = joinedTests(Branch.getCondition())) {
    IRBuilder<> Builder(&Branch);
    IsAnd = Tests->IsAnd;
    A = Tests->create(Builder, Tests->First);
    B = Tests->create(Builder, Tests->Second);
  } else if (!IsAnd &&
             !match(Branch.getCondition(), m_LogicalOr(m_Value(A), m_Value(B))))
    return;
  BasicBlock &From = *Branch.getParent();
  // Both conditions lead to Early, the second one alone to Late.
  unsigned EarlyIndex = IsAnd ? 1 : 0;
  BasicBlock *Early = Branch.getSuccessor(EarlyIndex);
  BasicBlock *Late = Branch.getSuccessor(1 - EarlyIndex);
  BasicBlock *Join = joined(From, *Early);
  auto *Second =
      BasicBlock::Create(F.getContext(), From.getName() + ".and", &F, Join);
  LI.getLoopFor(&From)->addBasicBlockToLoop(Second, LI);
  auto *Next = IsAnd ? BranchInst::Create(Late, Join, B, Second)
                     : BranchInst::Create(Join, Late, B, Second);
  Next->setDebugLoc(Branch.getDebugLoc());
  Late->replacePhiUsesWith(&From, Second);
  Branch.setCondition(A);
  Branch.setSuccessor(EarlyIndex, Join);
  Branch.setSuccessor(1 - EarlyIndex, Second);
  Branch.setMetadata(LLVMContext::MD_prof, nullptr);
  split(Branch);
  split(*Next);
}

bool ConditionSplitter::run() {
  SmallVector<BranchInst *, 8> Branches;
  for (BasicBlock &BB : F) {
    const Loop *L = LI.getLoopFor(&BB);
    auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
    unsigned Left = MaxComparisons;
    if (!L || !Branch || !Branch->isConditional() ||
        Branch->getSuccessor(0) == Branch->getSuccessor(1) ||
        !isInsideOfLoop(*Branch, *L))
      continue;
    if (isJoined(*Branch, *L) || (hasSelect(Branch->getCondition()) &&
                                  isAffine(Branch->getCondition(), *L, Left)))
      Branches.push_back(Branch);
  }
  for (BranchInst *Branch : Branches)
    split(*Branch);
  return !Branches.empty();
}

} // namespace

namespace polygpu {

PreservedAnalyses SplitConditionsPass::run(Function &F,
                                           FunctionAnalysisManager &FAM) {
  ConditionSplitter Splitter(F, FAM.getResult<LoopAnalysis>(F),
                             FAM.getResult<ScalarEvolutionAnalysis>(F));
  return Splitter.run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace polygpu
