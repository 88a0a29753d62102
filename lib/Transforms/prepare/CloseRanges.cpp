//===- CloseRanges.cpp - Counters that stay where they end ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/CloseRanges.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// A comparison, or its contrary.
struct Comparison {
  CmpInst::Predicate P;
  Value *A, *B;
};

/// What \p V compares if it holds, or, with \p Not, if it does not.
std::optional<Comparison> comparisonOf(Value *V, bool Not) {
  Value *X;
  if (match(V, m_Not(m_Value(X))))
    return comparisonOf(X, !Not);
  auto *I = dyn_cast<ICmpInst>(V);
  if (!I)
    return std::nullopt;
  Comparison C = {Not ? I->getInversePredicate() : I->getPredicate(),
                  I->getOperand(0), I->getOperand(1)};
  // Smaller ones on the left.
  if (ICmpInst::isGT(C.P) || ICmpInst::isGE(C.P))
    C = {CmpInst::getSwappedPredicate(C.P), C.B, C.A};
  return C;
}

/// Is \p V "x + (x < n)" of the comparison \p C?
bool countsWith(Value *V, const Comparison &C) {
  Value *Truth;
  if (!match(V, m_c_Add(m_Specific(C.A), m_ZExt(m_Value(Truth)))))
    return false;
  auto Same = comparisonOf(Truth, false);
  return Same && Same->P == C.P && Same->A == C.A && Same->B == C.B;
}

/// Let \p Latch of \p L go on by one comparison if that says enough.
bool close(const Loop &L, BasicBlock &Latch) {
  auto *Branch = dyn_cast<BranchInst>(Latch.getTerminator());
  if (!Branch || !Branch->isConditional())
    return false;
  bool Not = Branch->getSuccessor(1) == L.getHeader();
  Value *X, *Y, *Condition = Branch->getCondition();
  if (Not ? !match(Condition, m_LogicalOr(m_Value(X), m_Value(Y)))
          : !match(Condition, m_LogicalAnd(m_Value(X), m_Value(Y))))
    return false;
  auto First = comparisonOf(X, Not), Second = comparisonOf(Y, Not);
  if (!First || !Second || !ICmpInst::isLT(First->P) ||
      Second->P != ICmpInst::getNonStrictPredicate(First->P) ||
      Second->B != First->B || !countsWith(Second->A, *First))
    return false;
  for (PHINode &Phi : L.getHeader()->phis())
    if (Phi.getIncomingValueForBlock(&Latch) == Second->A) {
      IRBuilder<> B(Branch);
      Phi.setIncomingValueForBlock(
          &Latch, B.CreateAdd(First->A, ConstantInt::get(Phi.getType(), 1), "",
                              ICmpInst::isUnsigned(First->P),
                              ICmpInst::isSigned(First->P)));
    }
  Branch->setCondition(X);
  RecursivelyDeleteTriviallyDeadInstructions(Condition);
  return true;
}

} // namespace

namespace polygpu {

PreservedAnalyses CloseRangesPass::run(Function &F,
                                       FunctionAnalysisManager &FAM) {
  bool Changed = false;
  for (const Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (BasicBlock *Latch = L->getLoopLatch())
      Changed |= close(*L, *Latch);
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace polygpu
