//===- UnrollExchanges.cpp - Time loops that exchange arrays --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/UnrollExchanges.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"
#include <numeric>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace polygpu {

/// Steps that a loop is unrolled by, and instructions of its body, at most: a
/// step of a program that exchanges two or three arrays.
constexpr unsigned MaxSteps = 4, MaxInstructions = 2000;

/// After how many steps has \p Phi, a pointer that each step takes from another
/// one of \p L, its first value again?  1 if that is not so.
static unsigned periodOfPointer(const PHINode &Phi, const Loop &L) {
  const Value *V = &Phi;
  for (unsigned Steps = 1; Steps <= MaxSteps; ++Steps) {
    const auto *At = dyn_cast<PHINode>(V);
    if (!At || At->getParent() != L.getHeader())
      return 1;
    V = At->getIncomingValueForBlock(L.getLoopLatch());
    if (V == &Phi)
      return Steps;
  }
  return 1;
}

/// The same for a number that alternates between two constants.
static unsigned periodOfNumber(const PHINode &Phi, const Loop &L) {
  const Value *Next = Phi.getIncomingValueForBlock(L.getLoopLatch());
  const Value *First = Phi.getIncomingValueForBlock(L.getLoopPreheader());
  bool Alternates = match(Next, m_Sub(m_ConstantInt(), m_Specific(&Phi))) ||
                    match(Next, m_Xor(m_Specific(&Phi), m_ConstantInt()));
  return Alternates && isa<ConstantInt>(First) ? 2 : 1;
}

/// Could code in \p L do more than compute and access memory?
static bool hasEffects(const Loop &L) {
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (const auto *Call = dyn_cast<CallBase>(&I);
          Call && (Call->mayWriteToMemory() || Call->cannotDuplicate()) &&
          !Call->isLifetimeStartOrEnd())
        return true;
  return false;
}

/// After how many steps are the arrays of \p L where they were?
static unsigned periodOf(const Loop &L) {
  unsigned Period = 1;
  for (const PHINode &Phi : L.getHeader()->phis()) {
    unsigned Own = 1;
    if (Phi.getType()->isPointerTy())
      Own = periodOfPointer(Phi, L);
    else if (Phi.getType()->isIntegerTy())
      Own = periodOfNumber(Phi, L);
    Period = std::lcm(Period, Own);
  }
  return Period;
}

/// By how many steps is \p L to be unrolled?  1: not at all.
static unsigned stepsOf(const Loop &L, ScalarEvolution &SE) {
  if (L.isInnermost() || !L.isLoopSimplifyForm() ||
      L.getExitingBlock() != L.getLoopLatch() ||
      isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L)))
    return 1;
  unsigned Period = periodOf(L), Instructions = 0;
  for (const BasicBlock *BB : L.blocks())
    Instructions += BB->size();
  bool Small = Period <= MaxSteps && Instructions <= MaxInstructions;
  return Small && !hasEffects(L) ? Period : 1;
}

PreservedAnalyses UnrollExchangesPass::run(Function &F,
                                           FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  bool Changed = false;
  for (Loop *L : LI.getLoopsInPreorder()) {
    UnrollLoopOptions Options = {};
    Options.Count = stepsOf(*L, SE);
    if (Options.Count == 1)
      continue;
    Options.Force = Options.Runtime = Options.AllowExpensiveTripCount = true;
    Options.SCEVExpansionBudget = 16;
    Changed |=
        UnrollLoop(L, Options, &LI, &SE, &DT,
                   &FAM.getResult<AssumptionAnalysis>(F),
                   &FAM.getResult<TargetIRAnalysis>(F),
                   &FAM.getResult<OptimizationRemarkEmitterAnalysis>(F),
                   /*PreserveLCSSA=*/true) != LoopUnrollResult::Unmodified;
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace polygpu
