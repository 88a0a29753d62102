//===- CountPointers.cpp - Loops over pointers get counters ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/CountPointers.h"
#include "adaptor/HiddenValues.h"
#include "prepare/Versions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace {

/// A loop that goes from Begin to End in steps of Size bytes, up or down.
struct Walk {
  Loop *L;
  BasicBlock *Into;       ///< where the guard leads to it
  ICmpInst *Guard, *Exit; ///< no guard where Count is known to be above 0
  Value *Begin, *End;
  Value *Count; ///< of iterations, where that is computed already, or null
  uint64_t Size;
  bool IsOrdered; ///< begin < end, not begin != end
  bool IsBack;    ///< from the end on, down to the begin
};

class PointerCounter {
public:
  PointerCounter(Function &F, LoopInfo &LI, DominatorTree &DT,
                 ScalarEvolution &SE)
      : F(F), LI(LI), DT(DT), SE(SE) {}
  bool run();

private:
  Function &F;
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;

  bool isOutside(const Value *V) const;
  bool isFixed(const Value *V, const Loop &L) const;
  BasicBlock::iterator behind(Value *A, Value *B) const;
  std::optional<Walk> walkOf(Loop &L);
  std::optional<Walk> countedWalkOf(Loop &L);
  bool isAccessing(const Loop &L) const;
  BinaryOperator *countOf(const Walk &W);
  void count(ArrayRef<Walk> All);
  void repeat(const Walk &W, Value *Count);
  void leave(const Walk &W, Value *Count);
  void ask(ICmpInst &Compare, bool InLoop);
};

/// Is \p V computed outside of all loops?
bool PointerCounter::isOutside(const Value *V) const {
  const auto *I = dyn_cast<Instruction>(V);
  return !I || (!LI.getLoopFor(I->getParent()) && !I->isTerminator());
}

/// The first place that knows both, of which one dominates the other.
BasicBlock::iterator PointerCounter::behind(Value *A, Value *B) const {
  auto *Last = dyn_cast<Instruction>(A);
  if (auto *I = dyn_cast<Instruction>(B); I && (!Last || DT.dominates(Last, I)))
    Last = I;
  return Last ? *Last->getInsertionPointAfterDef()
              : F.getEntryBlock().getFirstInsertionPt();
}

/// Is \p V known before \p L, and read from memory in a loop around it, which
/// is no SCoP then, or computed outside of all loops?
bool PointerCounter::isFixed(const Value *V, const Loop &L) const {
  if (isOutside(V))
    return true;
  const auto *Load = dyn_cast<LoadInst>(V->stripInBoundsConstantOffsets());
  return Load && !L.contains(Load);
}

/// Is \p L, which is rotated, guarded by begin != end or begin < end, and left
/// when a pointer that starts with begin is equal to end or not below it?  Or
/// the other way round, with begin > end.
std::optional<Walk> PointerCounter::walkOf(Loop &L) {
  BasicBlock *Latch = L.getLoopLatch();
  if (!Latch || !L.getLoopPreheader() || L.getExitingBlock() != Latch)
    return std::nullopt;
  auto *Repeat = dyn_cast<BranchInst>(Latch->getTerminator());
  auto [Enter, Into] = polygpu::guardBefore(L, DT);
  if (!Repeat || !Enter || !Repeat->isConditional())
    return std::nullopt;
  auto *Exit = dyn_cast<ICmpInst>(Repeat->getCondition());
  auto *Guard = dyn_cast<ICmpInst>(Enter->getCondition());
  if (!Exit || !Guard || !Exit->getOperand(0)->getType()->isPointerTy() ||
      !Guard->getOperand(0)->getType()->isPointerTy() || !Exit->hasOneUse() ||
      !Guard->hasOneUse())
    return std::nullopt;
  auto Goes = [](const BranchInst &Branch, const ICmpInst &Compare,
                 const BasicBlock *Into) {
    return Branch.getSuccessor(0) == Into ? Compare.getPredicate()
                                          : Compare.getInversePredicate();
  };
  CmpInst::Predicate Again = Goes(*Repeat, *Exit, L.getHeader());
  CmpInst::Predicate First = Goes(*Enter, *Guard, Into);
  Value *Next = Exit->getOperand(0), *End = Exit->getOperand(1);
  if (!L.isLoopInvariant(End)) {
    std::swap(Next, End);
    Again = ICmpInst::getSwappedPredicate(Again);
  }
  Value *Begin = Guard->getOperand(0), *Bound = Guard->getOperand(1);
  if (Bound != End) {
    std::swap(Begin, Bound);
    First = ICmpInst::getSwappedPredicate(First);
  }
  if (Bound != End || First != Again || !isFixed(Begin, L) ||
      !isFixed(End, L) ||
      (Again != ICmpInst::ICMP_NE && Again != ICmpInst::ICMP_ULT &&
       Again != ICmpInst::ICMP_UGT))
    return std::nullopt;
  const auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Next));
  const auto *Step = Rec ? dyn_cast<SCEVConstant>(Rec->getOperand(1)) : nullptr;
  if (!Step || Rec->getLoop() != &L || !Rec->isAffine() || Step->isZero() ||
      Step->getAPInt().isMinSignedValue())
    return std::nullopt;
  bool IsBack = Step->getAPInt().isNegative();
  if (Again == (IsBack ? ICmpInst::ICMP_ULT : ICmpInst::ICMP_UGT) ||
      SE.getMinusSCEV(Rec->getStart(), SE.getSCEV(Begin)) != Step ||
      // The pointer does not wrap around, and meets the end.
      isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L)))
    return std::nullopt;
  return Walk{&L,
              Into,
              Guard,
              Exit,
              Begin,
              End,
              nullptr,
              Step->getAPInt().abs().getZExtValue(),
              Again != ICmpInst::ICMP_NE,
              IsBack};
}

/// What element \p Address is, counted from another one of \p Size bytes; null
/// where that is not known, or the bytes may be more than a number can say.
static Value *countIn(const Value *Address, uint64_t Size) {
  const auto *GEP = dyn_cast<GEPOperator>(Address);
  if (!GEP || GEP->getNumIndices() != 1)
    return nullptr;
  Value *Index = GEP->getOperand(1);
  if (Size == 1 || GEP->getSourceElementType()->getPrimitiveSizeInBits() != 8)
    return Size == 1 || GEP->isInBounds() ? Index : nullptr;
  const auto *Scaled = dyn_cast<OverflowingBinaryOperator>(Index);
  return Scaled && (Scaled->hasNoUnsignedWrap() || Scaled->hasNoSignedWrap())
             ? Scaled->getOperand(0)
             : nullptr;
}

/// Is memory accessed in each iteration of \p L, elsewhere each time?
bool PointerCounter::isAccessing(const Loop &L) const {
  auto Moves = [&](const Instruction &I) {
    const Value *Address = getLoadStorePointerOperand(&I);
    const auto *Rec =
        Address
            ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<Value *>(Address)))
            : nullptr;
    return Rec && Rec->getLoop() == &L;
  };
  return any_of(L.blocks(), [&](const BasicBlock *BB) {
    return DT.dominates(BB, L.getLoopLatch()) && any_of(*BB, Moves);
  });
}

/// Does \p L go from a pointer to another one that is a number of elements
/// away, and is it entered where that number is not 0?  That is what "begin !=
/// end" has become in code that was optimised before.  Whoever gets to the end
/// of the first iteration compares with the end, which is no address if the
/// elements are more than memory has.  With a number below 0 the loop would go
/// through nearly all addresses.
std::optional<Walk> PointerCounter::countedWalkOf(Loop &L) {
  BasicBlock *Latch = L.getLoopLatch();
  if (!Latch || !L.getLoopPreheader() || L.getExitingBlock() != Latch)
    return std::nullopt;
  auto *Repeat = dyn_cast<BranchInst>(Latch->getTerminator());
  auto *Exit = Repeat && Repeat->isConditional()
                   ? dyn_cast<ICmpInst>(Repeat->getCondition())
                   : nullptr;
  if (!Exit || !Exit->isEquality() || !Exit->hasOneUse() ||
      !Exit->getOperand(0)->getType()->isPointerTy() ||
      L.contains(
          Repeat->getSuccessor(Exit->getPredicate() == ICmpInst::ICMP_NE)))
    return std::nullopt;
  Value *Next = Exit->getOperand(0), *End = Exit->getOperand(1);
  if (!L.isLoopInvariant(End))
    std::swap(Next, End);
  const auto *Moving = dyn_cast<GEPOperator>(Next);
  const auto *Moved =
      Moving ? dyn_cast<PHINode>(Moving->getPointerOperand()) : nullptr;
  const auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Next));
  const auto *Step = Rec ? dyn_cast<SCEVConstant>(Rec->getOperand(1)) : nullptr;
  if (!Moved || Moved->getParent() != L.getHeader() || !Step ||
      Rec->getLoop() != &L || !Rec->isAffine() || Step->isZero() ||
      Step->getAPInt().isMinSignedValue() || !L.isLoopInvariant(End) ||
      isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L)))
    return std::nullopt;
  bool IsBack = Step->getAPInt().isNegative();
  uint64_t Size = Step->getAPInt().abs().getZExtValue();
  Value *Begin = Moved->getIncomingValueForBlock(L.getLoopPreheader());
  Value *Low = IsBack ? End : Begin, *High = IsBack ? Begin : End;
  Value *Count = countIn(High, Size);
  if (!Count || !Count->getType()->isIntegerTy(64) || !L.isLoopInvariant(Count))
    return std::nullopt;
  const SCEV *Number = SE.getSCEV(Count);
  const SCEV *None = SE.getZero(Number->getType());
  if (SE.getMinusSCEV(SE.getSCEV(High), SE.getSCEV(Low)) !=
          SE.getMulExpr(Number, SE.getConstant(Number->getType(), Size)) ||
      SE.getMinusSCEV(Rec->getStart(), SE.getSCEV(Begin)) != Step)
    return std::nullopt;
  auto [Enter, Into] = polygpu::guardBefore(L, DT);
  auto *Guard = Enter && Enter->isConditional()
                    ? dyn_cast<ICmpInst>(Enter->getCondition())
                    : nullptr;
  if (SE.isLoopEntryGuardedByCond(&L, ICmpInst::ICMP_SGT, Number, None))
    Guard = nullptr;
  else if (!Guard || !Guard->isEquality() || !Guard->hasOneUse() ||
           Guard->getOperand(0) != Count ||
           !match(Guard->getOperand(1), PatternMatch::m_ZeroInt()) ||
           Enter->getSuccessor(Guard->getPredicate() != ICmpInst::ICMP_NE) !=
               Into ||
           !isAccessing(L) || !all_of(L.blocks(), [](const BasicBlock *BB) {
             return isGuaranteedToTransferExecutionToSuccessor(BB);
           }))
    return std::nullopt;
  return Walk{&L, Into, Guard, Exit, Begin, End, Count, Size, false, IsBack};
}

/// Begin + count * Size is the first pointer at End, or not below it.
BinaryOperator *PointerCounter::countOf(const Walk &W) {
  auto Where = behind(W.Begin, W.End);
  IRBuilder<> B(Where->getParent(), Where);
  Type *I64 = B.getInt64Ty();
  Value *From = B.CreatePtrToInt(W.IsBack ? W.End : W.Begin, I64);
  Value *To = B.CreatePtrToInt(W.IsBack ? W.Begin : W.End, I64);
  Value *Bytes = B.CreateSub(To, From, "bytes");
  if (W.IsOrdered) {
    Bytes = B.CreateSelect(B.CreateICmpULT(From, To), Bytes,
                           ConstantInt::get(I64, 0));
    Bytes = B.CreateAdd(Bytes, ConstantInt::get(I64, W.Size - 1));
  }
  return BinaryOperator::CreateUDiv(Bytes, ConstantInt::get(I64, W.Size),
                                    "count", Where);
}

/// Is \p V a second version of \p W?
static bool isSameWalk(const Walk &V, const Walk &W) {
  return V.Guard == W.Guard && V.Begin == W.Begin && V.End == W.End &&
         V.Count == W.Count && V.Size == W.Size && V.IsOrdered == W.IsOrdered &&
         V.IsBack == W.IsBack;
}

/// Let counters decide in \p All, which are versions of one loop.
void PointerCounter::count(ArrayRef<Walk> All) {
  const Walk &First = All.front();
  BinaryOperator *Made = First.Count ? nullptr : countOf(First);
  Value *Count = Made ? Made : First.Count;
  // Users are made before it is hidden, which changes them.
  if (First.Guard) {
    IRBuilder<> B(First.Guard);
    Value *IsAny = B.CreateICmpSGT(Count, B.getInt64(0));
    auto *Enter = cast<BranchInst>(First.Guard->user_back());
    if (Enter->getSuccessor(0) != First.Into)
      Enter->swapSuccessors();
    Enter->setCondition(IsAny);
  }
  for (const Walk &W : All)
    repeat(W, Count);
  if (Made)
    polygpu::hideValue(*Made);
  if (First.Guard)
    First.Guard->eraseFromParent();
}

/// Repeat \p W as often as a counter says.
void PointerCounter::repeat(const Walk &W, Value *Count) {
  IRBuilder<> B(W.L->getHeader(), W.L->getHeader()->begin());
  PHINode *I = B.CreatePHI(B.getInt64Ty(), 2, "walk");
  B.SetInsertPoint(W.Exit);
  Value *Next = B.CreateAdd(I, B.getInt64(1), "walk.next",
                            /*HasNUW=*/true, /*HasNSW=*/true);
  I->addIncoming(B.getInt64(0), W.L->getLoopPreheader());
  I->addIncoming(Next, W.L->getLoopLatch());
  auto *Repeat = cast<BranchInst>(W.Exit->user_back());
  if (Repeat->getSuccessor(0) != W.L->getHeader())
    Repeat->swapSuccessors();
  Repeat->setCondition(B.CreateICmpSLT(Next, Count));
  if (W.L->getExitBlock())
    leave(W, Count);
  W.Exit->eraseFromParent();
}

/// Pointers that the loop moves and that are used behind it are computed in
/// front of it: no address may come out of a SCoP.
void PointerCounter::leave(const Walk &W, Value *Count) {
  BasicBlock *Exit = W.L->getExitBlock(), *Latch = W.L->getLoopLatch();
  for (PHINode &Moved : W.L->getHeader()->phis()) {
    auto *Next =
        dyn_cast<GetElementPtrInst>(Moved.getIncomingValueForBlock(Latch));
    Value *First = Moved.getIncomingValueForBlock(W.L->getLoopPreheader());
    APInt Step(64, 0);
    if (!Next || Next->getPointerOperand() != &Moved || !isOutside(First) ||
        !Next->accumulateConstantOffset(F.getDataLayout(), Step))
      continue;
    auto Where = behind(First, Count);
    IRBuilder<> B(Where->getParent(), Where);
    Value *Last = nullptr;
    for (PHINode &Left : Exit->phis()) {
      if (Left.getIncomingValueForBlock(Latch) != Next)
        continue;
      if (!Last)
        Last = B.CreatePtrAdd(First, B.CreateMul(Count, B.getInt(Step)));
      // Behind a loop that was not entered it is still the first one.
      for (User *U : make_early_inc_range(Left.users()))
        if (auto *Join = dyn_cast<PHINode>(U);
            Join &&
            all_of(Join->incoming_values(),
                   [&](const Use &V) { return V == First || V == &Left; }) &&
            W.Guard && DT.dominates(W.Guard->getParent(), Join->getParent()))
          Join->replaceAllUsesWith(Last);
      Left.replaceAllUsesWith(Last);
    }
  }
}

/// A comparison of pointers that do not change becomes one of an integer, which
/// is asked in front of all loops if \p InLoop, else where it is.  There it
/// parts SCoPs: one with "if (p) free(p)" in it would run only where p is null.
void PointerCounter::ask(ICmpInst &Compare, bool InLoop) {
  auto Where = InLoop ? behind(Compare.getOperand(0), Compare.getOperand(1))
                      : Compare.getIterator();
  auto *Early = cast<ICmpInst>(Compare.clone());
  Early->insertBefore(*Where->getParent(), Where);
  auto *Truth =
      new ZExtInst(Early, Type::getInt32Ty(F.getContext()), "holds", Where);
  IRBuilder<> B(&Compare);
  Compare.replaceAllUsesWith(B.CreateICmpNE(Truth, B.getInt32(0)));
  Compare.eraseFromParent();
  polygpu::hideValue(*Truth, /*Parts=*/!InLoop);
}

/// The branches that depend on what \p U computes from a truth value.
static void branchesOf(User *U, SmallVectorImpl<BranchInst *> &Found) {
  if (auto *Branch = dyn_cast<BranchInst>(U))
    Found.push_back(Branch);
  else if (isa<SelectInst, BinaryOperator>(U) && U->getType()->isIntegerTy(1))
    for (User *Next : U->users())
      branchesOf(Next, Found);
}

bool PointerCounter::run() {
  SmallVector<Walk, 8> Walks;
  for (Loop *L : LI.getLoopsInPreorder())
    if (auto W = walkOf(*L); W || (W = countedWalkOf(*L)))
      Walks.push_back(*W);
  bool AnyWalk = !Walks.empty();
  while (!Walks.empty()) {
    Walk First = Walks.front();
    SmallVector<Walk, 2> Same;
    SmallVector<Walk, 8> Others;
    for (const Walk &W : Walks)
      if (isSameWalk(W, First))
        Same.push_back(W);
      else if (!W.Guard || W.Guard != First.Guard)
        Others.push_back(W);
    count(Same);
    Walks = std::move(Others);
  }
  SmallVector<std::pair<ICmpInst *, bool>, 8> Compares;
  for (Instruction &I : instructions(F)) {
    auto *Compare = dyn_cast<ICmpInst>(&I);
    SmallVector<BranchInst *, 4> Branches;
    if (!Compare || !Compare->getOperand(0)->getType()->isPointerTy() ||
        !all_of(Compare->operands(),
                [&](const Use &U) { return isOutside(U); }))
      continue;
    for (User *U : Compare->users())
      branchesOf(U, Branches);
    bool InLoop = any_of(Branches, [&](const BranchInst *Branch) {
      return LI.getLoopFor(Branch->getParent());
    });
    if (!Branches.empty())
      Compares.push_back({Compare, InLoop});
  }
  for (auto [Compare, InLoop] : Compares)
    ask(*Compare, InLoop);
  return AnyWalk || !Compares.empty();
}

} // namespace

namespace polygpu {

bool hidePointerDifferences(Function &F, const LoopInfo &LI) {
  auto IsDifference = [](const Value *V) {
    for (unsigned Step = 0; Step < 4; ++Step) {
      const auto *Op = dyn_cast<BinaryOperator>(V);
      if (!Op)
        return false;
      if (Op->getOpcode() == Instruction::Sub)
        return isa<PtrToIntInst, PtrToAddrInst>(Op->getOperand(0)) &&
               isa<PtrToIntInst, PtrToAddrInst>(Op->getOperand(1));
      V = Op->getOperand(0);
    }
    return false;
  };
  // Of one that is hidden only the call is a user.
  auto IsHidden = [](const Instruction &I) {
    return all_of(I.users(), [](const User *U) {
      const auto *Call = dyn_cast<CallInst>(U);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      return Callee && isHidingName(Callee->getName());
    });
  };
  // Of bytes the difference is the number.
  auto IsNumber = [&](const Instruction &I) {
    return I.getOpcode() == Instruction::Sub && IsDifference(&I) &&
           any_of(I.users(), [&](const User *U) {
             return isa<ICmpInst>(U) ||
                    LI.getLoopFor(cast<Instruction>(U)->getParent());
           });
  };
  SmallVector<Instruction *, 4> Found;
  for (Instruction &I : instructions(F))
    if (!LI.getLoopFor(I.getParent()) && !IsHidden(I) &&
        ((isa<TruncInst>(I) && IsDifference(I.getOperand(0))) || IsNumber(I)))
      Found.push_back(&I);
  for (Instruction *I : Found)
    hideValue(*I);
  return !Found.empty();
}

PreservedAnalyses CountPointersPass::run(Function &F,
                                         FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  bool Changed = hidePointerDifferences(F, LI);
  if (!LI.empty())
    Changed |= PointerCounter(F, LI, FAM.getResult<DominatorTreeAnalysis>(F),
                              FAM.getResult<ScalarEvolutionAnalysis>(F))
                   .run();
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace polygpu
