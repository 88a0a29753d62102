//===- UnrollExchanges.cpp - Time loops that exchange arrays --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/UnrollExchanges.h"
#include "adaptor/HiddenValues.h"
#include "prepare/SplitBases.h"
#include "verify/Repetitions.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"
#include <numeric>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace polygpu {

/// Steps that a loop is unrolled by, and instructions of its body, at most: a
/// step of a program that exchanges two or three arrays.
constexpr unsigned MaxSteps = 4, MaxInstructions = 2000;

/// After how many steps has \p Phi, which each step takes from another one of
/// \p L, its first value again?  1 if that is not so.
static unsigned periodOfExchange(const PHINode &Phi, const Loop &L) {
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

/// Is \p V multiplied by a variable, as where planes have a variable size?
/// Polly knows other remainders.
static bool isScaled(const Value &V, unsigned Depth = 4) {
  return any_of(V.users(), [&](const User *U) {
    if (const auto *Product = dyn_cast<BinaryOperator>(U);
        Product && Product->getOpcode() == Instruction::Mul &&
        none_of(Product->operands(),
                [](const Use &Factor) { return isa<Constant>(Factor); }))
      return true;
    return isa<CastInst, BinaryOperator>(U) && Depth && isScaled(*U, Depth - 1);
  });
}

/// Does \p V say by a comparison which of several arrays there are, as in
/// "t % 2 ? a : b"?
static bool choosesArray(const Value &V, unsigned Depth = 4) {
  return any_of(V.users(), [&](const User *U) {
    if (isa<SelectInst>(U) && U->getType()->isPointerTy())
      return U->getOperand(0) == &V;
    return (isa<ICmpInst>(U) || V.getType()->isIntegerTy(1)) && Depth &&
           U->getType()->isIntegerTy(1) && choosesArray(*U, Depth - 1);
  });
}

/// A remainder of a counter, as in u[t % 3].
struct CountedRemainder {
  unsigned Divisor = 0; ///< 0: it is none
  unsigned First = 0;   ///< in the first iteration
};

/// The remainder that \p I is of the counter of \p L, if that counts by ones
/// from a constant, and does not wrap around.
static CountedRemainder remainderOf(Instruction &I, const Loop &L,
                                    ScalarEvolution &SE) {
  Value *Counter = nullptr;
  const APInt *Divisor = nullptr;
  bool Signed = match(&I, m_SRem(m_Value(Counter), m_APInt(Divisor)));
  const APInt *Mask;
  APInt Power;
  if (match(&I, m_And(m_Value(Counter), m_APInt(Mask)))) {
    Power = *Mask + 1;
    Divisor = &Power;
  } else if (!Signed &&
             !match(&I, m_URem(m_Value(Counter), m_APInt(Divisor)))) {
    return {};
  }
  if ((Divisor == &Power && !Power.isPowerOf2()) || !Divisor->ugt(1) ||
      Divisor->ugt(MaxSteps) || !SE.isSCEVable(Counter->getType()))
    return {};
  const auto *Steps = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Counter));
  if (!Steps || Steps->getLoop() != &L || !Steps->isAffine() ||
      !Steps->getStepRecurrence(SE)->isOne() ||
      (Signed && !SE.isKnownNonNegative(Steps)) ||
      (!Divisor->isPowerOf2() && !Steps->hasNoUnsignedWrap() &&
       !SE.isKnownNonNegative(Steps)))
    return {};
  const auto *First = dyn_cast<SCEVConstant>(Steps->getStart());
  unsigned By = static_cast<unsigned>(Divisor->getZExtValue());
  if (!First || (By > 2 && !isScaled(I) && !choosesArray(I)))
    return {};
  return {By, static_cast<unsigned>(First->getAPInt().urem(By))};
}

/// Is \p V, or what is computed from it, a subscript of what loops inside of \p
/// L access?
static bool isSubscript(const Value &V, const Loop &L, const LoopInfo &LI,
                        unsigned Depth = 6) {
  return any_of(V.users(), [&](const User *U) {
    const auto *I = dyn_cast<Instruction>(U);
    if (!I || !L.contains(I))
      return false;
    bool Goes = isa<GetElementPtrInst, CastInst, BinaryOperator>(I) ||
                (isa<ICmpInst>(I) && choosesArray(*I)) ||
                (isa<SelectInst>(I) && I->getType()->isPointerTy());
    bool Accesses = isa<GetElementPtrInst>(I) ||
                    (isa<LoadInst, StoreInst>(I) && V.getType()->isPointerTy());
    return (Accesses && LI.getLoopFor(I->getParent()) != &L) ||
           (Goes && Depth && isSubscript(*I, L, LI, Depth - 1));
  });
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
static unsigned periodOf(const Loop &L, const LoopInfo &LI,
                         ScalarEvolution &SE) {
  unsigned Period = 1;
  for (const PHINode &Phi : L.getHeader()->phis()) {
    if (Phi.getType()->isPointerTy() || Phi.getType()->isIntegerTy())
      Period = std::lcm(Period, periodOfExchange(Phi, L));
    if (Phi.getType()->isIntegerTy())
      Period = std::lcm(Period, periodOfNumber(Phi, L));
  }
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (unsigned By = remainderOf(I, L, SE).Divisor;
          By && isSubscript(I, L, LI))
        Period = std::lcm(Period, By);
  return Period;
}

/// By how many steps is \p L to be unrolled?  1: not at all.
static unsigned stepsOf(const Loop &L, const LoopInfo &LI,
                        ScalarEvolution &SE) {
  if (L.isInnermost() || !L.isLoopSimplifyForm() ||
      L.getExitingBlock() != L.getLoopLatch() ||
      isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L)))
    return 1;
  unsigned Period = periodOf(L, LI, SE), Instructions = 0;
  for (const BasicBlock *BB : L.blocks())
    Instructions += BB->size();
  bool Small = Period <= MaxSteps && Instructions <= MaxInstructions;
  return Small && !hasEffects(L) ? Period : 1;
}

/// Remainders of the counter of \p L become numbers that change places.
static void exchangeRemainders(const Loop &L, ScalarEvolution &SE) {
  SmallVector<std::pair<Instruction *, CountedRemainder>, 8> Found;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (CountedRemainder R = remainderOf(I, L, SE); R.Divisor)
        Found.push_back({&I, R});
  for (auto [I, R] : Found) {
    SmallVector<PHINode *, MaxSteps> Phis; // what it is so many steps later
    for (unsigned Later = 0; Later < R.Divisor; ++Later) {
      Phis.push_back(PHINode::Create(I->getType(), 2, I->getName(),
                                     L.getHeader()->begin()));
      Phis.back()->addIncoming(
          ConstantInt::get(I->getType(), (R.First + Later) % R.Divisor),
          L.getLoopPreheader());
    }
    for (unsigned Later = 0; Later < R.Divisor; ++Later)
      Phis[Later]->addIncoming(Phis[(Later + 1) % R.Divisor], L.getLoopLatch());
    I->replaceAllUsesWith(Phis[0]);
    I->eraseFromParent();
  }
}

//===-- Pointers behind the loop ------------------------------------------===//

/// What \p Phi of the header becomes \p Steps steps later is what this one is.
static PHINode *laterPhi(PHINode *Phi, const Loop &L, unsigned Steps) {
  for (; Steps; --Steps)
    Phi = cast<PHINode>(Phi->getIncomingValueForBlock(L.getLoopLatch()));
  return Phi;
}

/// The value before \p Where of \p Phi in the last iteration of \p L, if it
/// runs at all.
static Value *lastValue(PHINode *Phi, const Loop &L, const SCEV *Taken,
                        ScalarEvolution &SE, Instruction *Where) {
  unsigned Period = periodOfExchange(*Phi, L);
  SCEVExpander Expander(SE, "steps");
  // A number of steps that is 0 or 1 may have one bit, which no period fits in.
  if (SE.getTypeSizeInBits(Taken->getType()) < 32)
    Taken = SE.getZeroExtendExpr(Taken, Type::getInt32Ty(SE.getContext()));
  Value *Count = Expander.expandCodeFor(Taken, Taken->getType(), Where);
  IRBuilder<> B(Where);
  Value *Rest = B.CreateURem(Count, ConstantInt::get(Taken->getType(), Period));
  auto First = [&](unsigned Steps) {
    return laterPhi(Phi, L, Steps)
        ->getIncomingValueForBlock(L.getLoopPreheader());
  };
  Value *Last = First(0);
  for (unsigned Steps = 1; Steps < Period; ++Steps)
    Last = B.CreateSelect(
        B.CreateICmpEQ(Rest, ConstantInt::get(Taken->getType(), Steps)),
        First(Steps), Last);
  return Last;
}

/// The block in front of \p L that decides whether it runs at all, or null.
static BasicBlock *guardOf(const Loop &L) {
  BasicBlock *Before = L.getLoopPreheader()->getSinglePredecessor();
  const auto *Branch =
      Before ? dyn_cast<BranchInst>(Before->getTerminator()) : nullptr;
  return Branch && Branch->isConditional() ? Before : nullptr;
}

/// The phi that joins \p Last, the pointer when \p L ends, with what it is if
/// the loop does not run, \p Guard decides that, and nothing else uses it; or
/// null.
static PHINode *joinOf(PHINode &Last, const BasicBlock *Guard,
                       const DominatorTree &DT) {
  auto *Join =
      Last.hasOneUse() ? dyn_cast<PHINode>(*Last.user_begin()) : nullptr;
  if (!Guard || !Join || Join->getNumIncomingValues() != 2)
    return nullptr;
  const Value *Other =
      Join->getIncomingValue(Join->getIncomingValue(0) == &Last ? 1 : 0);
  bool Skips = is_contained(Join->blocks(), Guard);
  return Skips && DT.dominates(Other, Guard->getTerminator()) ? Join : nullptr;
}

/// What uses the pointer \p Last behind \p L gets it from before the loop,
/// where it is known as well, so that no address comes out of it.  The loops
/// behind, which may access the same array by another name, are to be nests of
/// their own.  False if that is left as it was.
static bool nameBefore(PHINode &Last, const Loop &L, const SCEV *Taken,
                       ScalarEvolution &SE, const DominatorTree &DT) {
  auto *Phi = dyn_cast<PHINode>(Last.getIncomingValue(0));
  if (!Phi || Phi->getParent() != L.getHeader() ||
      periodOfExchange(*Phi, L) == 1)
    return false;
  BasicBlock *Guard = guardOf(L);
  PHINode *Join = joinOf(Last, Guard, DT);
  Instruction *Where = (Join ? Guard : L.getLoopPreheader())->getTerminator();
  bool AreKnown = SCEVExpander(SE, "").isSafeToExpandAt(Taken, Where);
  for (unsigned Steps = 0; Steps < periodOfExchange(*Phi, L); ++Steps)
    AreKnown &= DT.dominates(
        laterPhi(Phi, L, Steps)->getIncomingValueForBlock(L.getLoopPreheader()),
        Where);
  if (!AreKnown)
    return false;
  Value *Known = lastValue(Phi, L, Taken, SE, Where);
  PHINode &Used = Join ? *Join : Last;
  if (Join) {
    auto *Branch = cast<BranchInst>(Where);
    bool IsFirst = Branch->getSuccessor(0) == L.getLoopPreheader();
    Value *Other = Join->getIncomingValueForBlock(Guard);
    Known = IRBuilder<>(Where).CreateSelect(Branch->getCondition(),
                                            IsFirst ? Known : Other,
                                            IsFirst ? Other : Known);
  }
  Used.replaceAllUsesWith(hidePointer(
      Known, 0, InsertPosition(Used.getParent()->getFirstInsertionPt())));
  return true;
}

/// Name the pointers that \p L exchanges where they are used behind it.
static void namePointersBehind(const Loop &L, ScalarEvolution &SE,
                               DominatorTree &DT, LoopInfo &LI) {
  const SCEV *Taken = SE.getBackedgeTakenCount(&L);
  BasicBlock *Exit = L.getExitBlock(), *Guard = guardOf(L);
  bool Some = false;
  for (PHINode &Last : make_early_inc_range(Exit->phis()))
    if (Last.getType()->isPointerTy() && !Last.use_empty() &&
        Last.getNumIncomingValues() == 1)
      Some |= nameBefore(Last, L, Taken, SE, DT);
  // The nest begins behind what was computed.
  if (Some && Guard)
    SplitBlock(Guard, Guard->getTerminator(), &DT, &LI);
}

//===----------------------------------------------------------------------===//

namespace {

struct Unroller {
  Function &F;
  FunctionAnalysisManager &FAM;
  LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  ScalarEvolution &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  DominatorTree &DT = FAM.getResult<DominatorTreeAnalysis>(F);

  LoopUnrollResult unroll(Loop &L, unsigned Steps, Loop **Rest);
  bool run(Loop &L);
};

LoopUnrollResult Unroller::unroll(Loop &L, unsigned Steps, Loop **Rest) {
  UnrollLoopOptions Options = {};
  Options.Count = Steps;
  Options.Force = true;
  Options.Runtime = Options.AllowExpensiveTripCount = Rest != nullptr;
  Options.SCEVExpansionBudget = 16;
  return UnrollLoop(&L, Options, &LI, &SE, &DT,
                    &FAM.getResult<AssumptionAnalysis>(F),
                    &FAM.getResult<TargetIRAnalysis>(F), /*ORE=*/nullptr,
                    /*PreserveLCSSA=*/true, Rest);
}

bool Unroller::run(Loop &L) {
  unsigned Steps = stepsOf(L, LI, SE);
  if (Steps == 1)
    return false;
  // Its iterations are not those of the source any more.
  forgetExits(L.getBlocks());
  exchangeRemainders(L, SE);
  namePointersBehind(L, SE, DT, LI);
  Loop *Rest = nullptr;
  unroll(L, Steps, &Rest);
  // The steps that are left, one less at most, come one behind the other.
  if (Rest && Steps > 2 && !Rest->getParentLoop() &&
      unroll(*Rest, Steps - 1, nullptr) == LoopUnrollResult::PartiallyUnrolled)
    breakLoopBackedge(Rest, DT, SE, LI, nullptr);
  return true;
}

} // namespace

PreservedAnalyses UnrollExchangesPass::run(Function &F,
                                           FunctionAnalysisManager &FAM) {
  Unroller Unroll = {F, FAM};
  bool Changed = false;
  for (Loop *L : Unroll.LI.getLoopsInPreorder())
    Changed |= Unroll.run(*L);
  if (!Changed)
    return PreservedAnalyses::all();
  // Which of its planes a step reads is a constant now.
  InstSimplifyPass().run(F, FAM);
  splitPlanes(F, Unroll.LI);
  return PreservedAnalyses::none();
}

} // namespace polygpu
