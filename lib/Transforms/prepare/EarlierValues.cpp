//===- EarlierValues.cpp - Values of the iteration before -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/EarlierValues.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

/// Operations that are done again for a value.
static const unsigned MostOperations = 12;
/// Variables that hand a value on, as in z = y; y = x[i].
static const unsigned MostSteps = 3;
/// Variables of a function: each is a branch and two statements more.
static const unsigned MostValues = 16;

namespace {

class EarlierValues {
public:
  EarlierValues(Function &F, LoopInfo &LI, DominatorTree &DT,
                ScalarEvolution &SE, AAResults &AA)
      : F(F), LI(LI), DT(DT), SE(SE), AA(AA) {}
  bool run();

private:
  Function &F;
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
  AAResults &AA;
  Loop *L = nullptr;
  PHINode *Counter = nullptr;

  const SCEVConstant *stepOf(const PHINode &Phi) const;
  PHINode *findCounter() const;
  bool isUnwritten(const LoadInst &Load) const;
  bool isRepeatable(const Instruction &I) const;
  bool canRepeat(Value *V, unsigned &Left, bool &Guarded) const;
  bool canReplace(PHINode &Phi, bool &Guarded) const;
  Value *earlier(Value *V, unsigned Steps, Instruction *Where,
                 DenseMap<Value *, Value *> &Made) const;
  Value *valueOf(PHINode &Phi, unsigned Steps, Instruction *Where,
                 bool Branches);
  bool replaceIn(Loop &Inner, unsigned &Number);
  Value *latchValue(const PHINode &Phi) const {
    return Phi.getIncomingValueForBlock(L->getLoopLatch());
  }
  Value *startOf(const PHINode &Phi) const {
    return Phi.getIncomingValueForBlock(L->getLoopPreheader());
  }
};

/// What \p Phi grows by in each iteration if it is a counter, or null.
const SCEVConstant *EarlierValues::stepOf(const PHINode &Phi) const {
  if (!Phi.getType()->isIntegerTy() || Phi.getParent() != L->getHeader())
    return nullptr;
  const auto *Rec =
      dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<PHINode *>(&Phi)));
  if (!Rec || Rec->getLoop() != L || !Rec->isAffine())
    return nullptr;
  return dyn_cast<SCEVConstant>(Rec->getStepRecurrence(SE));
}

/// A counter that has its first value in the first iteration only.
PHINode *EarlierValues::findCounter() const {
  for (PHINode &Phi : L->getHeader()->phis())
    if (const SCEVConstant *Step = stepOf(Phi); Step && !Step->isZero()) {
      const auto *Rec = cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
      if (Rec->hasNoSelfWrap() || Rec->hasNoSignedWrap() ||
          Rec->hasNoUnsignedWrap())
        return &Phi;
    }
  return nullptr;
}

/// Does no iteration write what \p Load reads?  Types are no proof: memory may
/// be written as something else between the two iterations.
bool EarlierValues::isUnwritten(const LoadInst &Load) const {
  BatchAAResults Any(AA);
  Any.enableCrossIterationMode();
  auto Read = MemoryLocation::getBeforeOrAfter(Load.getPointerOperand());
  for (const BasicBlock *BB : L->blocks())
    for (const Instruction &I : *BB) {
      if (!I.mayWriteToMemory())
        continue;
      const auto *Store = dyn_cast<StoreInst>(&I);
      if (!Store || !Store->isSimple() ||
          !Any.isNoAlias(Read, MemoryLocation::getBeforeOrAfter(
                                   Store->getPointerOperand())))
        return false;
    }
  return true;
}

/// Is \p I what may be done once more, with the same result?
bool EarlierValues::isRepeatable(const Instruction &I) const {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() && isUnwritten(*Load);
  if (const auto *Call = dyn_cast<IntrinsicInst>(&I))
    return is_contained({Intrinsic::fma, Intrinsic::fmuladd, Intrinsic::fabs},
                        Call->getIntrinsicID());
  return isa<BinaryOperator, UnaryOperator, CastInst, GetElementPtrInst,
             CmpInst, SelectInst>(I) &&
         I.getType()->isPointerTy() == isa<GetElementPtrInst>(I);
}

/// Is \p V made of counters, of what is there before the loop, and of at most
/// \p Left operations?  \p Guarded becomes true if some of them must not be
/// done in the first iteration, like loads.
bool EarlierValues::canRepeat(Value *V, unsigned &Left, bool &Guarded) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L->contains(I))
    return true;
  if (auto *Phi = dyn_cast<PHINode>(I))
    return stepOf(*Phi);
  if (Left == 0 || !isRepeatable(*I))
    return false;
  --Left;
  Guarded |= !isSafeToSpeculativelyExecute(I);
  return all_of(I->operands(), [&](Value *Operand) {
    return canRepeat(Operand, Left, Guarded);
  });
}

/// Does a look at it say that \p Phi is a counter, in whatever width, or a sum?
static bool isUpdated(const PHINode &Phi, const BasicBlock *Latch) {
  const Value *V = Phi.getIncomingValueForBlock(Latch);
  if (const auto *Cast = dyn_cast<CastInst>(V))
    V = Cast->getOperand(0);
  const auto *Next = dyn_cast<BinaryOperator>(V);
  return Next && (is_contained(Next->operands(), &Phi) ||
                  (V->getType()->isIntegerTy() &&
                   any_of(Next->operands(), [&](const Value *Operand) {
                     const auto *Other = dyn_cast<PHINode>(Operand);
                     return Other && Other->getParent() == Phi.getParent() &&
                            Other->getIncomingValueForBlock(Latch) == Next;
                   })));
}

/// Is \p Phi what was computed in the iteration before, or a few before?
bool EarlierValues::canReplace(PHINode &Phi, bool &Guarded) const {
  if (isUpdated(Phi, L->getLoopLatch()) || stepOf(Phi) ||
      Phi.getType()->isPtrOrPtrVectorTy() || Phi.use_empty())
    return false;
  Value *V = &Phi;
  for (unsigned Steps = 0; Steps < MostSteps; ++Steps) {
    V = latchValue(*cast<PHINode>(V));
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !L->contains(I))
      return false;
    auto *Next = dyn_cast<PHINode>(V);
    if (Next && Next->getParent() == L->getHeader() && !stepOf(*Next))
      continue;
    unsigned Left = MostOperations;
    return canRepeat(V, Left, Guarded);
  }
  return false;
}

/// What \p V was \p Steps iterations before, computed in front of \p Where.
Value *EarlierValues::earlier(Value *V, unsigned Steps, Instruction *Where,
                              DenseMap<Value *, Value *> &Made) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L->contains(I))
    return V;
  if (Value *Known = Made.lookup(V))
    return Known;
  IRBuilder<> B(Where);
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    APInt Back = stepOf(*Phi)->getAPInt() * Steps;
    const auto *Rec = cast<SCEVAddRecExpr>(SE.getSCEV(Phi));
    return Made[V] = B.CreateSub(Phi, B.getInt(Back), "",
                                 /*HasNUW=*/false, Rec->hasNoSignedWrap());
  }
  SmallVector<Value *, 4> Operands;
  for (Value *Operand : I->operands())
    Operands.push_back(earlier(Operand, Steps, Where, Made));
  Instruction *Copy = I->clone();
  Copy->insertBefore(Where->getIterator());
  for (auto [U, Operand] : zip(Copy->operands(), Operands))
    U.set(Operand);
  return Made[V] = Copy;
}

/// What \p Phi was \p Steps iterations before, or what the loop began with.
Value *EarlierValues::valueOf(PHINode &Phi, unsigned Steps, Instruction *Where,
                              bool Branches) {
  Value *V = latchValue(Phi), *Start = startOf(Phi);
  IRBuilder<> B(Where);
  APInt Back = stepOf(*Counter)->getAPInt() * Steps;
  Value *First = startOf(*Counter);
  if (Steps)
    First = B.CreateAdd(First, B.getInt(Back));
  Value *IsFirst = B.CreateICmpEQ(Counter, First);
  auto Before = [&](Instruction *At) -> Value * {
    auto *Next = dyn_cast<PHINode>(V);
    if (Next && Next->getParent() == L->getHeader() && !stepOf(*Next))
      return valueOf(*Next, Steps + 1, At, Branches);
    DenseMap<Value *, Value *> Made;
    return earlier(V, Steps + 1, At, Made);
  };
  if (!Branches) {
    Value *Other = Before(Where);
    return B.CreateSelect(IsFirst, Start, Other, Phi.getName());
  }
  Instruction *IfFirst, *IfNot;
  SplitBlockAndInsertIfThenElse(IsFirst, Where->getIterator(), &IfFirst, &IfNot,
                                nullptr, nullptr, &LI);
  auto *Merged = PHINode::Create(Phi.getType(), 2, Phi.getName(),
                                 Where->getParent()->begin());
  Merged->setDebugLoc(Phi.getDebugLoc());
  Merged->addIncoming(Start, IfFirst->getParent());
  Value *Other = Before(IfNot);
  Merged->addIncoming(Other, IfNot->getParent());
  return Merged;
}

bool EarlierValues::replaceIn(Loop &Inner, unsigned &Number) {
  L = &Inner;
  const BasicBlock *Latch = L->getLoopLatch();
  if (!L->getLoopPreheader() || !Latch ||
      all_of(L->getHeader()->phis(),
             [&](PHINode &Phi) { return isUpdated(Phi, Latch); }) ||
      !(Counter = findCounter()))
    return false;
  SmallVector<std::pair<PHINode *, bool>, 4> Found;
  for (PHINode &Phi : L->getHeader()->phis())
    if (bool Guarded = false; Number < MostValues && canReplace(Phi, Guarded)) {
      Found.push_back({&Phi, Guarded});
      ++Number;
    }
  // One may hand on what another one is, so that all stay until all are known.
  SmallVector<Value *, 4> Values;
  for (auto [Phi, Guarded] : Found)
    Values.push_back(
        valueOf(*Phi, 0, &*L->getHeader()->getFirstInsertionPt(), Guarded));
  for (auto [Old, New] : zip(Found, Values)) {
    Old.first->replaceAllUsesWith(New);
    Old.first->eraseFromParent();
  }
  if (!Found.empty())
    SE.forgetLoop(L);
  return !Found.empty();
}

bool EarlierValues::run() {
  unsigned Number = 0;
  for (Loop *Inner : LI.getLoopsInPreorder())
    if (Inner->isInnermost())
      replaceIn(*Inner, Number);
  if (Number)
    DT.recalculate(F);
  return Number;
}

} // namespace

namespace polygpu {

PreservedAnalyses EarlierValuesPass::run(Function &F,
                                         FunctionAnalysisManager &FAM) {
  EarlierValues Values(F, FAM.getResult<LoopAnalysis>(F),
                       FAM.getResult<DominatorTreeAnalysis>(F),
                       FAM.getResult<ScalarEvolutionAnalysis>(F),
                       FAM.getResult<AAManager>(F));
  return Values.run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace polygpu
