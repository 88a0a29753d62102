//===- CountRows.cpp - Loops over parts of an array get counters ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/CountRows.h"
#include "adaptor/HiddenValues.h"
#include "prepare/Versions.h"
#include "verify/Repetitions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// The comparison at the end of an iteration of a rotated loop.
struct Repetition {
  BranchInst *Repeat;
  ICmpInst *Exit;
  CmpInst::Predicate Again; ///< of Next and Bound, for another iteration
  Value *Next, *Bound;      ///< the latter does not change in the loop
  PHINode *Now;             ///< what Next is in the iteration before
};

class RowCounter {
public:
  RowCounter(LoopInfo &LI, DominatorTree &DT, ScalarEvolution &SE)
      : LI(LI), DT(DT), SE(SE) {}
  bool run();

private:
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;

  Value *differenceOf(Value *Begin, Value *End, const APInt &Size,
                      const DataLayout &DL);
  bool countWalk(Loop &L, const Repetition &R);
  bool countChunks(Loop &L, const Repetition &R);
  void ask(const Loop &L, const Repetition &R, Value *First, Value *Times);
};

/// How \p L, which is rotated, decides whether it goes on.
std::optional<Repetition> repetitionOf(const Loop &L) {
  BasicBlock *Latch = L.getLoopLatch();
  auto *Repeat = Latch && L.getLoopPreheader()
                     ? dyn_cast<BranchInst>(Latch->getTerminator())
                     : nullptr;
  auto *Exit = Repeat && Repeat->isConditional()
                   ? dyn_cast<ICmpInst>(Repeat->getCondition())
                   : nullptr;
  if (!Exit || !Exit->hasOneUse() || !L.isLoopExiting(Latch))
    return std::nullopt;
  Repetition R = {Repeat,
                  Exit,
                  Repeat->getSuccessor(0) == L.getHeader()
                      ? Exit->getPredicate()
                      : Exit->getInversePredicate(),
                  Exit->getOperand(0),
                  Exit->getOperand(1),
                  nullptr};
  if (!L.isLoopInvariant(R.Bound)) {
    std::swap(R.Next, R.Bound);
    R.Again = ICmpInst::getSwappedPredicate(R.Again);
  }
  auto *Next = dyn_cast<Instruction>(R.Next);
  R.Now = Next ? dyn_cast<PHINode>(Next->getOperand(0)) : nullptr;
  if (!L.isLoopInvariant(R.Bound) || !R.Now ||
      R.Now->getParent() != L.getHeader() ||
      R.Now->getIncomingValueForBlock(Latch) != Next)
    return std::nullopt;
  return R;
}

/// X, where \p End is \p Begin plus X elements of \p Size bytes and X * Size
/// does not wrap around, nor as a signed number if it is one; else null.
Value *elementsBetween(Value *Begin, Value *End, const APInt &Size, bool Signed,
                       const DataLayout &DL) {
  auto *GEP = dyn_cast<GEPOperator>(End);
  SmallMapVector<Value *, APInt, 4> Terms;
  APInt Constant(64, 0);
  if (!GEP || GEP->getPointerOperand() != Begin ||
      (!GEP->isInBounds() && !GEP->hasNoUnsignedWrap()) ||
      !GEP->collectOffset(DL, 64, Terms, Constant) || !Constant.isZero() ||
      Terms.size() != 1)
    return nullptr;
  auto [X, Factor] = Terms.front();
  const APInt *C;
  Value *Y;
  if (!X->getType()->isIntegerTy(64))
    return nullptr;
  if (Factor == Size)
    return X;
  // The end of 2^61 - 1 elements of 8 bytes is in front of their beginning.
  const auto *Product = dyn_cast<OverflowingBinaryOperator>(X);
  if (!Product || (Signed && !Product->hasNoSignedWrap()))
    return nullptr;
  if (Factor.isOne() && match(X, m_NUWMul(m_Value(Y), m_APInt(C))) &&
      *C == Size)
    return Y;
  if (Factor.isOne() && match(X, m_NUWShl(m_Value(Y), m_APInt(C))) &&
      C->ult(64) && APInt::getOneBitSet(64, C->getZExtValue()) == Size)
    return Y;
  return nullptr;
}

/// The index of the element of \p Size bytes that \p V is, from \p Base on,
/// within the object; else null.
Value *indexFrom(Value *&Base, Value *V, const APInt &Size,
                 const DataLayout &DL) {
  auto *GEP = dyn_cast<GetElementPtrInst>(V);
  SmallMapVector<Value *, APInt, 4> Terms;
  APInt Constant(64, 0);
  if (!GEP || !GEP->isInBounds() || GEP->hasAllConstantIndices() ||
      (Base && GEP->getPointerOperand() != Base) ||
      !GEP->collectOffset(DL, 64, Terms, Constant) || !Constant.isZero() ||
      Terms.size() != 1 || Terms.front().second != Size ||
      !Terms.front().first->getType()->isIntegerTy(64))
    return nullptr;
  Base = GEP->getPointerOperand();
  return Terms.front().first;
}

/// Let a counter decide whether \p L goes on: as long as what it will be has
/// \p Again to \p Times.
void repeat(Loop &L, const Repetition &R, CmpInst::Predicate Again,
            Value *Times) {
  polygpu::forgetExits(L.getBlocks());
  IRBuilder<> B(L.getHeader(), L.getHeader()->begin());
  PHINode *I = B.CreatePHI(B.getInt64Ty(), 2, "row");
  B.SetInsertPoint(R.Exit);
  Value *Next = B.CreateAdd(I, B.getInt64(1), "row.next", /*HasNUW=*/true,
                            /*HasNSW=*/true);
  I->addIncoming(B.getInt64(0), L.getLoopPreheader());
  I->addIncoming(Next, L.getLoopLatch());
  if (R.Repeat->getSuccessor(0) != L.getHeader())
    Again = ICmpInst::getInversePredicate(Again);
  R.Repeat->setCondition(B.CreateICmp(Again, Next, Times));
  R.Exit->eraseFromParent();
}

/// The number of elements from \p Begin to \p End of one object, where it is a
/// value itself.  Their indices are below 2^60, so that the difference of these
/// does not wrap around.
Value *RowCounter::differenceOf(Value *Begin, Value *End, const APInt &Size,
                                const DataLayout &DL) {
  Value *Base = nullptr;
  Value *From = indexFrom(Base, Begin, Size, DL);
  Value *To = From ? indexFrom(Base, End, Size, DL) : nullptr;
  if (!To)
    return nullptr;
  const auto *Times =
      dyn_cast<SCEVUnknown>(SE.getMinusSCEV(SE.getSCEV(To), SE.getSCEV(From)));
  auto *At = cast<Instruction>(End);
  if (!Times || !DT.dominates(Times->getValue(), At))
    return nullptr;
  return Times->getValue();
}

/// A pointer that goes upwards from the beginning of a row to its end, element
/// by element.  It stays within one object, so that it meets an end that is X
/// elements behind the beginning in iteration X, or never.
bool RowCounter::countWalk(Loop &L, const Repetition &R) {
  const DataLayout &DL = R.Exit->getDataLayout();
  Value *Begin = R.Now->getIncomingValueForBlock(L.getLoopPreheader());
  auto *First = dyn_cast<Instruction>(Begin);
  auto *Next = dyn_cast<GetElementPtrInst>(R.Next);
  APInt Size(64, 0);
  if (!First || !LI.getLoopFor(First->getParent()) || !Next ||
      !Next->isInBounds() || DL.getIndexTypeSizeInBits(Next->getType()) != 64 ||
      !Next->accumulateConstantOffset(DL, Size) || !Size.isStrictlyPositive())
    return false;
  const bool IsOrder = R.Again != ICmpInst::ICMP_NE;
  Value *Times = elementsBetween(Begin, R.Bound, Size, IsOrder, DL);
  if (!Times)
    Times = differenceOf(Begin, R.Bound, Size, DL);
  if (!Times)
    return false;
  if (!IsOrder)
    repeat(L, R, ICmpInst::ICMP_NE, Times);
  else if (R.Again == ICmpInst::ICMP_ULT &&
           cast<GEPOperator>(R.Bound)->isInBounds())
    repeat(L, R, ICmpInst::ICMP_SLT, Times);
  else
    return false;
  return true;
}

/// In front of the outermost loop around \p L if \p V and \p W are the same in
/// all of its iterations; else null.
Instruction *frontOf(const Loop &L, Value *V, Value *W) {
  const Loop *Outermost = L.getOutermostLoop();
  BasicBlock *Before = Outermost->getLoopPreheader();
  return Before && Outermost->isLoopInvariant(V) &&
                 Outermost->isLoopInvariant(W)
             ? Before->getTerminator()
             : nullptr;
}

/// A length from which the same is taken as long as it is not smaller.
bool RowCounter::countChunks(Loop &L, const Repetition &R) {
  Value *Left = R.Now->getIncomingValueForBlock(L.getLoopPreheader());
  Value *Each = R.Bound;
  if (R.Again != ICmpInst::ICMP_UGE || !Each->getType()->isIntegerTy(64) ||
      !match(R.Next, m_Sub(m_Specific(R.Now), m_Specific(Each))))
    return false;
  // By induction nothing wraps around: what is left is never below 0.
  const SCEV *Size = SE.getSCEV(Each), *Zero = SE.getZero(Each->getType());
  Instruction *Front = frontOf(L, Left, Each);
  if (!Front ||
      !SE.isLoopEntryGuardedByCond(&L, ICmpInst::ICMP_UGE, SE.getSCEV(Left),
                                   Size) ||
      !SE.isLoopEntryGuardedByCond(&L, ICmpInst::ICMP_NE, Size, Zero))
    return false;
  // In front of the loops the size is not known not to be 0.
  IRBuilder<> B(Front);
  B.SetCurrentDebugLocation(DebugLoc());
  Value *Divisor = B.CreateBinaryIntrinsic(Intrinsic::umax,
                                           B.CreateFreeze(Each), B.getInt64(1));
  Value *Times = B.CreateUDiv(B.CreateFreeze(Left), Divisor, "rows");
  auto *Hidden = dyn_cast<Instruction>(Times);
  if (!Hidden)
    return false;
  ask(L, R, Left, Times);
  repeat(L, R, ICmpInst::ICMP_NE, Times);
  polygpu::hideValue(*Hidden);
  return true;
}

/// What asks whether there is anything to do, for \p L in other loops, asks the
/// number \p Times, too.
void RowCounter::ask(const Loop &L, const Repetition &R, Value *First,
                     Value *Times) {
  auto [Enter, Into] = polygpu::guardBefore(L, DT);
  auto *Guard = Enter ? dyn_cast<ICmpInst>(Enter->getCondition()) : nullptr;
  if (!Guard || !Guard->hasOneUse() || !LI.getLoopFor(Guard->getParent()))
    return;
  CmpInst::Predicate If = Enter->getSuccessor(0) == Into
                              ? Guard->getPredicate()
                              : Guard->getInversePredicate();
  Value *A = Guard->getOperand(0), *B = Guard->getOperand(1);
  if (A != First) {
    std::swap(A, B);
    If = ICmpInst::getSwappedPredicate(If);
  }
  const SCEV *Size = SE.getSCEV(R.Bound);
  if (A != First || B != R.Bound || If != ICmpInst::ICMP_UGE ||
      !SE.isBasicBlockEntryGuardedByCond(Guard->getParent(), ICmpInst::ICMP_NE,
                                         Size, SE.getZero(Size->getType())))
    return;
  IRBuilder<> Builder(Guard);
  Enter->setCondition(Builder.CreateICmp(
      Enter->getSuccessor(0) == Into ? ICmpInst::ICMP_NE : ICmpInst::ICMP_EQ,
      Times, Builder.getInt64(0)));
  Guard->eraseFromParent();
}

bool RowCounter::run() {
  bool Changed = false;
  for (Loop *L : LI.getLoopsInPreorder())
    if (auto R = repetitionOf(*L))
      if (R->Next->getType()->isPointerTy() ? countWalk(*L, *R)
                                            : countChunks(*L, *R)) {
        SE.forgetTopmostLoop(L);
        Changed = true;
      }
  return Changed;
}

} // namespace

namespace polygpu {

PreservedAnalyses CountRowsPass::run(Function &F,
                                     FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  if (LI.empty() || !RowCounter(LI, FAM.getResult<DominatorTreeAnalysis>(F),
                                FAM.getResult<ScalarEvolutionAnalysis>(F))
                         .run())
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace polygpu
