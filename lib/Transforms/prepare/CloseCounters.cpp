//===- CloseCounters.cpp - What counters are behind loops -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/CloseCounters.h"
#include "adaptor/HiddenValues.h"
#include "verify/Repetitions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

/// Says of a loop that something which it computes was used behind it.
static const char ResultMark[] = "polygpu.result";

namespace {

/// A value that one loop brings out.
struct Counter {
  PHINode *Last; ///< in the loop's exit
  PHINode *Join; ///< with what it is if the loop does not run; or null
  Value *Start;  ///< which that is, or what it begins with
  const SCEV *Times, *Step;
  bool Exact; ///< adding does not overflow
};

class Closer {
public:
  Closer(LoopInfo &LI, DominatorTree &DT, ScalarEvolution &SE)
      : LI(LI), DT(DT), SE(SE) {}
  bool run();

private:
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
  SmallPtrSet<const Value *, 8> NotNegative; ///< of what was added

  bool close(Loop &L);
  BranchInst *guardOf(const Loop &L) const;
  std::optional<Counter> counterOf(PHINode &Last, Loop &L, BranchInst *Guard);
  bool isGrowing(Value *V, SmallPtrSetImpl<Value *> &Seen);
  bool isExact(const SCEVAddRecExpr &Rec, BinaryOperator &Next, Value *Start,
               const Loop &L);
  Instruction *frontOf(const Counter &C, const Loop &L,
                       const BranchInst *Guard);
  Value *timesOf(const Counter &C, Loop &L, BranchInst *Guard,
                 Instruction *Where);
  void replace(const Counter &C, Loop &L, BranchInst *Guard);
  void partFront(BranchInst &Guard);
};

/// The branch that decides whether \p L runs at all, or null.
BranchInst *Closer::guardOf(const Loop &L) const {
  BasicBlock *Before = L.getLoopPreheader()->getSinglePredecessor();
  auto *Branch =
      Before ? dyn_cast<BranchInst>(Before->getTerminator()) : nullptr;
  return Branch && Branch->isConditional() ? Branch : nullptr;
}

/// Is \p V never negative, as a sum of what is not, of which each addition must
/// not overflow?
bool Closer::isGrowing(Value *V, SmallPtrSetImpl<Value *> &Seen) {
  if (!Seen.insert(V).second)
    return true;
  if (auto *Number = dyn_cast<ConstantInt>(V))
    return !Number->isNegative();
  if (auto *Phi = dyn_cast<PHINode>(V))
    return Seen.size() < 16 &&
           all_of(
               Phi->incoming_values(),
               [&](Value *From) { return isGrowing(From, Seen); });
  auto *Add = dyn_cast<BinaryOperator>(V);
  if (!Add || Add->getOpcode() != Instruction::Add || !Add->hasNoSignedWrap())
    return false;
  auto *Step = dyn_cast<ConstantInt>(Add->getOperand(1));
  return (Step ? !Step->isNegative()
               : NotNegative.contains(Add->getOperand(1))) &&
         isGrowing(Add->getOperand(0), Seen);
}

/// Does the sum of all steps overflow only where one of them does, which the
/// program must not have?
bool Closer::isExact(const SCEVAddRecExpr &Rec, BinaryOperator &Next,
                     Value *Start, const Loop &L) {
  if (Next.getOpcode() != Instruction::Add || !Next.hasNoSignedWrap())
    return false;
  const auto *Step = dyn_cast<SCEVConstant>(Rec.getOperand(1));
  if (Step ? !Step->getAPInt().isStrictlyPositive()
           : !NotNegative.contains(Next.getOperand(1)))
    return false;
  SmallPtrSet<Value *, 16> Seen;
  if (isGrowing(Start, Seen))
    return true;
  if (!Step)
    return false;
  unsigned Bits = Step->getAPInt().getBitWidth();
  const SCEV *Taken = SE.applyLoopGuards(SE.getBackedgeTakenCount(&L), &L);
  APInt Most = SE.getUnsignedRangeMax(Taken);
  if (Most.getActiveBits() >= Bits)
    return false;
  bool Overflow = false;
  APInt Times = Most.zextOrTrunc(Bits) + 1;
  APInt All = Times.smul_ov(Step->getAPInt(), Overflow);
  return !Overflow && Times.isStrictlyPositive() && All.isStrictlyPositive();
}

std::optional<Counter> Closer::counterOf(PHINode &Last, Loop &L,
                                         BranchInst *Guard) {
  Type *Ty = Last.getType();
  auto *Next = dyn_cast<Instruction>(Last.getIncomingValue(0));
  if (Last.getNumIncomingValues() != 1 || Last.use_empty() ||
      !(Ty->isIntegerTy() || Ty->isPointerTy()) || !SE.isSCEVable(Ty) ||
      !Next || !L.contains(Next))
    return std::nullopt;
  const auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Next));
  const SCEV *Taken = SE.getBackedgeTakenCount(&L);
  if (!Rec || Rec->getLoop() != &L || !Rec->isAffine() ||
      isa<SCEVCouldNotCompute>(Taken))
    return std::nullopt;
  // That is, updated in each iteration; before the first one it was the start.
  PHINode *Phi = nullptr;
  for (PHINode &P : L.getHeader()->phis())
    if (P.getIncomingValueForBlock(L.getLoopLatch()) == Next)
      Phi = &P;
  if (!Phi)
    return std::nullopt;
  Counter C = {&Last, nullptr, nullptr, nullptr, nullptr, false};
  C.Start = Phi->getIncomingValueForBlock(L.getLoopPreheader());
  BasicBlock *Exit = Last.getParent(), *Behind = Exit->getSingleSuccessor();
  if (Guard && Last.hasOneUse())
    C.Join = dyn_cast<PHINode>(*Last.user_begin());
  if (C.Join &&
      (C.Join->getParent() != Behind || C.Join->getNumIncomingValues() != 2 ||
       C.Join->getBasicBlockIndex(Guard->getParent()) < 0 ||
       C.Join->getIncomingValueForBlock(Guard->getParent()) != C.Start))
    C.Join = nullptr;
  Type *Wide = SE.getEffectiveSCEVType(Ty);
  C.Step = Rec->getStepRecurrence(SE);
  C.Times =
      SE.getAddExpr(SE.getTruncateOrZeroExtend(Taken, Wide), SE.getOne(Wide));
  Instruction *Where = C.Join ? Guard : L.getLoopPreheader()->getTerminator();
  if (auto *Sum = dyn_cast<BinaryOperator>(Next))
    C.Exact = isExact(*Rec, *Sum, C.Start, L);
  SCEVExpander Expander(SE, "");
  if (!SE.isLoopInvariant(C.Step, &L) || !DT.dominates(C.Start, Where) ||
      !Expander.isSafeToExpandAt(C.Times, Where) ||
      !Expander.isSafeToExpandAt(C.Step, Where))
    return std::nullopt;
  return C;
}

/// In front of the outermost loop around \p L, and of what guards that, in
/// which L always has as many iterations; null if that is not so in the next
/// one.
Instruction *Closer::frontOf(const Counter &C, const Loop &L,
                             const BranchInst *Guard) {
  const auto *Test =
      C.Join ? dyn_cast<ICmpInst>(Guard->getCondition()) : nullptr;
  if (C.Join && !Test)
    return nullptr;
  auto IsKnown = [&](const Loop &Around, Instruction *Where) {
    return Where && SE.isLoopInvariant(C.Times, &Around) &&
           SCEVExpander(SE, "").isSafeToExpandAt(C.Times, Where) &&
           (!Test || all_of(Test->operands(), [&](const Use &U) {
             return DT.dominates(U, Where);
           }));
  };
  Instruction *Front = nullptr;
  for (const Loop *Around = L.getParentLoop(); Around;
       Around = Around->getParentLoop()) {
    BasicBlock *Before = Around->getLoopPreheader();
    if (!Before || !IsKnown(*Around, Before->getTerminator()))
      break;
    Front = Before->getTerminator();
    if (BranchInst *Outer = guardOf(*Around); IsKnown(*Around, Outer))
      Front = Outer;
  }
  return Front;
}

/// How often \p L steps, before \p Where.  Where a loop around does so again
/// and again it is a number like others: Polly does not take maxima for sizes
/// of rows.
Value *Closer::timesOf(const Counter &C, Loop &L, BranchInst *Guard,
                       Instruction *Where) {
  Instruction *Front = frontOf(C, L, Guard);
  if (Front)
    Where = Front;
  SCEVExpander Expander(SE, "counted");
  Value *Times = Expander.expandCodeFor(C.Times, C.Times->getType(), Where);
  IRBuilder<> B(Where);
  B.SetCurrentDebugLocation(DebugLoc());
  if (C.Join) {
    Value *Runs = Guard->getCondition();
    if (Front)
      Runs = B.Insert(cast<ICmpInst>(Runs)->clone());
    bool IsFirst = Guard->getSuccessor(0) == L.getLoopPreheader();
    Value *None = ConstantInt::get(Times->getType(), 0);
    Times =
        B.CreateSelect(Runs, IsFirst ? Times : None, IsFirst ? None : Times);
  }
  // Polly drops constant factors of such sizes.
  const auto *Step = dyn_cast<SCEVConstant>(C.Step);
  bool Whole = Step && C.Last->getType()->isIntegerTy();
  if (Whole)
    Times = B.CreateMul(Times, Step->getValue(), "", false, C.Exact);
  if (!Front || isa<Constant>(Times))
    return Times;
  if (!C.Join || !isa<Instruction>(Times))
    Times = B.CreateFreeze(Times);
  auto *Number = cast<Instruction>(Times);
  polygpu::hideValue(*Number);
  Times = Number->getNextNode();
  if (auto *Outer = dyn_cast<BranchInst>(Front); Outer->isConditional())
    partFront(*Outer);
  return Times;
}

/// Compute what \p C is behind the loop in front of it.
void Closer::replace(const Counter &C, Loop &L, BranchInst *Guard) {
  Instruction *Where = C.Join ? Guard : L.getLoopPreheader()->getTerminator();
  Value *Times = timesOf(C, L, Guard, Where);
  SCEVExpander Expander(SE, "step");
  IRBuilder<> B(Where);
  B.SetCurrentDebugLocation(DebugLoc());
  Value *Added = Times;
  if (!isa<SCEVConstant>(C.Step) || C.Last->getType()->isPointerTy())
    Added = B.CreateMul(
        Times, Expander.expandCodeFor(C.Step, C.Step->getType(), Where), "",
        /*HasNUW=*/false, /*HasNSW=*/C.Exact);
  if (C.Exact)
    NotNegative.insert(Added);
  Value *Known = C.Last->getType()->isPointerTy()
                     ? B.CreatePtrAdd(C.Start, Added)
                     : B.CreateAdd(C.Start, Added, "", /*HasNUW=*/false,
                                   /*HasNSW=*/C.Exact);
  PHINode *Used = C.Join ? C.Join : C.Last;
  Used->replaceAllUsesWith(Known);
  Used->eraseFromParent();
  if (C.Join)
    C.Last->eraseFromParent();
}

/// What was computed there is no part of the nest that begins with \p Guard.
void Closer::partFront(BranchInst &Guard) {
  auto *Condition = dyn_cast<ICmpInst>(Guard.getCondition());
  if (!Condition || LI.getLoopFor(Guard.getParent()))
    return;
  SplitBlock(Guard.getParent(), &Guard, &DT, &LI);
  Instruction *Own = Condition->clone();
  Own->insertBefore(Guard.getIterator());
  Guard.setCondition(Own);
}

bool Closer::close(Loop &L) {
  BasicBlock *Exit = L.getExitBlock();
  if (!L.isLoopSimplifyForm() || !Exit ||
      L.getExitingBlock() != L.getLoopLatch())
    return false;
  BranchInst *Guard = guardOf(L);
  bool Changed = false, AtGuard = false;
  for (PHINode &Last : make_early_inc_range(Exit->phis()))
    if (auto C = counterOf(Last, L, Guard)) {
      if (!Changed)
        polygpu::forgetExits(L.getBlocks());
      replace(*C, L, Guard);
      Changed = true;
      AtGuard |= C->Join != nullptr;
    }
  if (AtGuard)
    partFront(*Guard);
  if (Changed)
    SE.forgetTopmostLoop(&L);
  return Changed;
}

/// Is something that \p L computes used behind it, and does it do nothing else?
bool isForResult(const Loop &L) {
  BasicBlock *Exit = L.getExitBlock();
  return Exit &&
         any_of(Exit->phis(),
                [](const PHINode &Last) { return !Last.use_empty(); }) &&
         none_of(L.blocks(), [](const BasicBlock *BB) {
           return any_of(*BB, [](const Instruction &I) {
             return I.mayHaveSideEffects() && !I.isDebugOrPseudoInst();
           });
         });
}

/// Inner loops first: the counters of those around become regular.
bool Closer::run() {
  bool Changed = false;
  SmallVector<Loop *, 4> Loops = LI.getLoopsInPreorder();
  for (Loop *L : reverse(Loops)) {
    if (isForResult(*L))
      addStringMetadataToLoop(L, ResultMark, 1);
    Changed |= close(*L);
  }
  return Changed;
}

} // namespace

namespace polygpu {

bool isOnlyForResult(const Loop &L) {
  return getBooleanLoopAttribute(&L, ResultMark);
}

PreservedAnalyses CloseCountersPass::run(Function &F,
                                         FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  if (LI.empty() || !Closer(LI, FAM.getResult<DominatorTreeAnalysis>(F),
                            FAM.getResult<ScalarEvolutionAnalysis>(F))
                         .run())
    return PreservedAnalyses::all();
  return PreservedAnalyses::none();
}

} // namespace polygpu
