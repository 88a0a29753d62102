//===- CountSteps.cpp - Loops of variable step get counters ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/CountSteps.h"
#include "adaptor/HiddenValues.h"
#include "prepare/Versions.h"
#include "verify/Repetitions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace {

/// Divisors that are not 0: scalar evolution counts on a loop that ends, and
/// where the loop is not entered, nothing is known.
class SafeDivisors : public SCEVRewriteVisitor<SafeDivisors> {
public:
  explicit SafeDivisors(ScalarEvolution &SE) : SCEVRewriteVisitor(SE) {}
  const SCEV *visitUDivExpr(const SCEVUDivExpr *E) {
    const SCEV *Divisor = visit(E->getRHS());
    if (!SE.isKnownNonZero(Divisor))
      Divisor = SE.getUMaxExpr(SE.getOne(Divisor->getType()), Divisor);
    return SE.getUDivExpr(visit(E->getLHS()), Divisor);
  }
};

class StepCounter {
public:
  StepCounter(LoopInfo &LI, DominatorTree &DT, ScalarEvolution &SE)
      : LI(LI), DT(DT), SE(SE) {}
  bool run();

private:
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;

  bool isQuotient(const Loop &L);
  Instruction *frontOf(const Loop &L, const SCEV *Taken, ICmpInst *Guard);
  Instruction *timesOf(Loop &L);
  bool count(Loop &L);
};

/// Is \p L, which is rotated, repeated as often as a quotient says whose
/// divisor is no constant?
bool StepCounter::isQuotient(const Loop &L) {
  if (!L.isLoopSimplifyForm() || L.getExitingBlock() != L.getLoopLatch())
    return false;
  const SCEV *Taken = SE.getBackedgeTakenCount(&L);
  return !isa<SCEVCouldNotCompute>(Taken) &&
         SE.getTypeSizeInBits(Taken->getType()) <= 64 &&
         SCEVExprContains(Taken, [](const SCEV *E) {
           const auto *Quotient = dyn_cast<SCEVUDivExpr>(E);
           return Quotient && !isa<SCEVConstant>(Quotient->getRHS());
         });
}

/// In front of the outermost loop around in which \p L goes round as often, and
/// of its \p Guard, if the comparison is known there.
Instruction *StepCounter::frontOf(const Loop &L, const SCEV *Taken,
                                  ICmpInst *Guard) {
  SCEVExpander Expander(SE, "");
  Instruction *Front = L.getLoopPreheader()->getTerminator();
  if (!Expander.isSafeToExpandAt(Taken, Front))
    return nullptr;
  for (const Loop *Around = L.getParentLoop(); Around && Guard;
       Around = Around->getParentLoop()) {
    BasicBlock *Before = Around->getLoopPreheader();
    Instruction *Where = Before ? Before->getTerminator() : nullptr;
    if (!Where || !SE.isLoopInvariant(Taken, Around) ||
        !Expander.isSafeToExpandAt(Taken, Where) ||
        !all_of(Guard->operands(),
                [&](const Use &U) { return DT.dominates(U, Where); }))
      break;
    Front = Where;
  }
  return Front;
}

/// How often \p L goes round, as a number that is 0 where it is not entered;
/// null if that cannot be computed.
Instruction *StepCounter::timesOf(Loop &L) {
  const SCEV *Taken = SafeDivisors(SE).visit(SE.getBackedgeTakenCount(&L));
  auto [Enter, Into] = polygpu::guardBefore(L, DT);
  auto *Guard = Enter ? dyn_cast<ICmpInst>(Enter->getCondition()) : nullptr;
  Instruction *Front = frontOf(L, Taken, Guard);
  if (!Front)
    return nullptr;
  IRBuilder<> B(Front);
  B.SetCurrentDebugLocation(DebugLoc());
  SCEVExpander Expander(SE, "steps");
  Value *Times = B.CreateZExt(
      Expander.expandCodeFor(Taken, Taken->getType(), Front), B.getInt64Ty());
  Times = B.CreateAdd(Times, B.getInt64(1));
  if (Front != L.getLoopPreheader()->getTerminator()) {
    Value *Runs = B.Insert(Guard->clone());
    bool IsFirst = Enter->getSuccessor(0) == Into;
    Times = B.CreateSelect(Runs, IsFirst ? Times : B.getInt64(0),
                           IsFirst ? B.getInt64(0) : Times);
  }
  return cast<Instruction>(B.CreateFreeze(Times));
}

bool StepCounter::count(Loop &L) {
  auto *Repeat = dyn_cast<BranchInst>(L.getLoopLatch()->getTerminator());
  auto *Exit = Repeat && Repeat->isConditional()
                   ? dyn_cast<ICmpInst>(Repeat->getCondition())
                   : nullptr;
  if (!Exit || !Exit->hasOneUse())
    return false;
  Instruction *Times = timesOf(L);
  if (!Times)
    return false;
  polygpu::forgetExits(L.getBlocks());
  IRBuilder<> B(L.getHeader(), L.getHeader()->begin());
  PHINode *I = B.CreatePHI(B.getInt64Ty(), 2, "steps");
  B.SetInsertPoint(Exit);
  Value *Next = B.CreateAdd(I, B.getInt64(1), "steps.next", /*HasNUW=*/true,
                            /*HasNSW=*/true);
  I->addIncoming(B.getInt64(0), L.getLoopPreheader());
  I->addIncoming(Next, L.getLoopLatch());
  bool IsFirst = Repeat->getSuccessor(0) == L.getHeader();
  Repeat->setCondition(B.CreateICmp(
      IsFirst ? ICmpInst::ICMP_NE : ICmpInst::ICMP_EQ, Next, Times));
  Exit->eraseFromParent();
  polygpu::hideValue(*Times);
  SE.forgetTopmostLoop(&L);
  return true;
}

bool StepCounter::run() {
  bool Changed = false;
  for (Loop *L : LI.getLoopsInPreorder())
    if (isQuotient(*L))
      Changed |= count(*L);
  return Changed;
}

} // namespace

namespace polygpu {

PreservedAnalyses CountStepsPass::run(Function &F,
                                      FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  if (LI.empty() || !StepCounter(LI, FAM.getResult<DominatorTreeAnalysis>(F),
                                 FAM.getResult<ScalarEvolutionAnalysis>(F))
                         .run())
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace polygpu
