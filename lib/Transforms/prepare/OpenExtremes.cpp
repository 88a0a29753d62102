//===- OpenExtremes.cpp - The largest value under a condition ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/OpenExtremes.h"
#include "prepare/BestPlaces.h"
#include "prepare/CarriedPlaces.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include <optional>

using namespace llvm;

namespace polygpu {

/// Which of \p Candidate and \p Best \p Compare takes where it is \p OnTrue:
/// the candidate, if it is no NaN, as this predicate says; else none.
static CmpInst::Predicate takenBy(const CmpInst &Compare, bool OnTrue,
                                  const Value &Candidate, const Value &Best) {
  CmpInst::Predicate Takes = Compare.getPredicate();
  if (Compare.getOperand(0) == &Best && Compare.getOperand(1) == &Candidate)
    Takes = Compare.getSwappedPredicate();
  else if (Compare.getOperand(0) != &Candidate ||
           Compare.getOperand(1) != &Best)
    return CmpInst::BAD_ICMP_PREDICATE;
  if (!OnTrue)
    Takes = CmpInst::getInversePredicate(Takes);
  if (isa<ICmpInst>(Compare))
    return ICmpInst::isRelational(Takes) ? Takes : CmpInst::BAD_ICMP_PREDICATE;
  if (Compare.hasNoNaNs() && CmpInst::isUnordered(Takes))
    Takes = FCmpInst::getOrderedPredicate(Takes);
  return is_contained({CmpInst::FCMP_OGT, CmpInst::FCMP_OGE, CmpInst::FCMP_OLT,
                       CmpInst::FCMP_OLE},
                      Takes)
             ? Takes
             : CmpInst::BAD_ICMP_PREDICATE;
}

/// What is never taken, of numbers that \p Takes compares.
static Constant *neverTaken(Type *Ty, CmpInst::Predicate Takes) {
  if (Ty->isFloatingPointTy())
    return ConstantFP::getNaN(Ty);
  unsigned Bits = Ty->getIntegerBitWidth();
  bool IsSigned = CmpInst::isSigned(Takes);
  if (ICmpInst::isGT(Takes) || ICmpInst::isGE(Takes))
    return ConstantInt::get(Ty, IsSigned ? APInt::getSignedMinValue(Bits)
                                         : APInt::getMinValue(Bits));
  return ConstantInt::get(Ty, IsSigned ? APInt::getSignedMaxValue(Bits)
                                       : APInt::getMaxValue(Bits));
}

namespace {

/// Of a number that is the best one so far, and what goes with it, where they
/// are chosen in a block of the loop that not all iterations come to.
class ConditionalExtreme {
public:
  ConditionalExtreme(Loop &L, Loop *Nest, PHINode &Best, ScalarEvolution &SE)
      : L(L), Nest(Nest), Best(Best), SE(SE) {}
  bool find(const DominatorTree &DT);
  void open(LoopInfo &LI, DominatorTree &DT);

private:
  Loop &L;
  Loop *Nest;    ///< that carries it on, or null
  PHINode &Best; ///< at the loop's begin
  ScalarEvolution &SE;
  PHINode *Joined = nullptr;    ///< at the end, where all paths have met
  BasicBlock *Asking = nullptr; ///< where it is compared
  /// Where it is taken, if that is a block of its own, which is empty.
  BasicBlock *Taking = nullptr;
  CmpInst *Compare = nullptr;
  bool OnTrue = false;   ///< is it taken where that is true?
  Value *Mask = nullptr; ///< where this is so too, or null
  Value *Candidate = nullptr;
  CmpInst::Predicate Takes = CmpInst::BAD_ICMP_PREDICATE; ///< the candidate

  /// What is chosen with it: the value at the loop's begin, that at the end,
  /// and the one that is taken with the candidate.
  struct Companion {
    PHINode *Old, *Joined;
    Value *Taken;
  };
  SmallVector<Companion, 2> Companions;
  bool ByPlace = false;                ///< are they computed behind the loop?
  std::optional<CarriedPlaces> InNest; ///< or behind the nest, if there is one

  bool findBlocks();
  bool findBranch();
  bool findMask(BranchInst &Branch);
  bool findChoice();
  bool findComparison(const MinMaxIntrinsic &Extreme);
  bool findCompare();
  bool findCompanions(const DominatorTree &DT);
  SmallVector<WithBest, 2> values() const;
  Value *takenIn(const PHINode &Phi, const PHINode &Old) const;
  bool hasPlaceInNest();
  void choosePlaceInNest(Value &IsBetter, Instruction &At, LoopInfo &LI,
                         DominatorTree &DT);
  bool canWiden() const;
  /// Are there iterations that do not compare it?
  bool hasOtherWays() const {
    return Mask || any_of(Joined->blocks(), [&](const BasicBlock *From) {
             return From != Asking && From != Taking;
           });
  }
  bool isWide() const {
    return Best.getType()->isIntegerTy() &&
           CmpInst::isNonStrictPredicate(Takes) && hasOtherWays();
  }
  Value *atJoin(IRBuilder<> &B, Value *V, const DominatorTree &DT) const;
  PHINode *candidates(Value *V) const;
  PHINode *widen();
  void removeBranch(BasicBlock &Join, LoopInfo &LI, DominatorTree &DT);
};

/// The block that has the comparison: what it makes of the best one comes to
/// the join from there, or from an empty block behind it.
bool ConditionalExtreme::findBlocks() {
  BasicBlock *From = nullptr;
  for (unsigned I = 0; I < Joined->getNumIncomingValues(); ++I)
    if (Joined->getIncomingValue(I) != &Best) {
      if (From)
        return false;
      From = Joined->getIncomingBlock(I);
    }
  if (!From || Joined->getNumIncomingValues() < 2)
    return false;
  Asking = From;
  return findChoice() || findBranch();
}

/// A select in the block, or an integer's minimum or maximum beside the
/// comparison.
bool ConditionalExtreme::findChoice() {
  auto *Choice =
      dyn_cast<Instruction>(Joined->getIncomingValueForBlock(Asking));
  if (!Choice || Choice->getParent() != Asking || !Choice->hasOneUse())
    return false;
  if (const auto *Extreme = dyn_cast<MinMaxIntrinsic>(Choice))
    return findComparison(*Extreme);
  if (!isa<SelectInst>(Choice))
    return false;
  Compare = dyn_cast<CmpInst>(Choice->getOperand(0));
  OnTrue = Choice->getOperand(2) == &Best;
  Candidate = Choice->getOperand(OnTrue ? 1 : 2);
  return Compare && Choice->getOperand(OnTrue ? 2 : 1) == &Best &&
         findCompare();
}

/// That of which \p Extreme has the better one, for what goes with it.
bool ConditionalExtreme::findComparison(const MinMaxIntrinsic &Extreme) {
  if (Extreme.getLHS() != &Best && Extreme.getRHS() != &Best)
    return false;
  Candidate = Extreme.getLHS() == &Best ? Extreme.getRHS() : Extreme.getLHS();
  for (User *U : Best.users()) {
    Compare = dyn_cast<ICmpInst>(U);
    if (Compare && Compare->getParent() == Asking)
      for (bool Yes : {true, false}) {
        OnTrue = Yes;
        if (findCompare() &&
            CmpInst::getStrictPredicate(Takes) == Extreme.getPredicate())
          return true;
      }
  }
  return false;
}

/// A branch around an empty block.
bool ConditionalExtreme::findBranch() {
  Candidate = Joined->getIncomingValueForBlock(Asking);
  Taking = Asking;
  Asking = Taking->getSinglePredecessor();
  auto *Branch =
      Asking ? dyn_cast<BranchInst>(Asking->getTerminator()) : nullptr;
  if (!Branch || !Branch->isConditional() || !L.contains(Asking) ||
      Taking->getSingleSuccessor() != Joined->getParent() ||
      !is_contained(successors(Asking), Joined->getParent()))
    return false;
  for (const Instruction &I : *Taking)
    if (I.mayHaveSideEffects() || any_of(I.users(), [&](const User *U) {
          return cast<Instruction>(U)->getParent() != Taking &&
                 !isa<PHINode>(U);
        }))
      return false;
  OnTrue = Branch->getSuccessor(0) == Taking;
  return findMask(*Branch) && findCompare();
}

/// The comparison that decides, alone or with a condition that is known before.
bool ConditionalExtreme::findMask(BranchInst &Branch) {
  using namespace PatternMatch;
  Value *All = Branch.getCondition(), *One, *Two;
  Compare = dyn_cast<CmpInst>(All);
  if (Compare || !All->hasOneUse() ||
      !(OnTrue ? match(All, m_LogicalAnd(m_Value(One), m_Value(Two)))
               : match(All, m_LogicalOr(m_Value(One), m_Value(Two)))))
    return Compare != nullptr;
  Compare = dyn_cast<CmpInst>(Two);
  Mask = One;
  return Compare && Compare->hasOneUse() &&
         is_contained(Compare->operands(), &Best);
}

/// Is the candidate taken where it is better than the best one, and no NaN?
bool ConditionalExtreme::findCompare() {
  Takes = takenBy(*Compare, OnTrue, *Candidate, Best);
  return Takes != CmpInst::BAD_ICMP_PREDICATE &&
         (!isWide() || Best.getType()->getIntegerBitWidth() < 64);
}

/// What \p Phi of the join gets with the candidate, where it is \p Old without;
/// null: it is something else.
Value *ConditionalExtreme::takenIn(const PHINode &Phi,
                                   const PHINode &Old) const {
  Value *Taken = nullptr;
  for (unsigned I = 0; I < Phi.getNumIncomingValues(); ++I) {
    Value *V = Phi.getIncomingValue(I);
    if (Phi.getIncomingBlock(I) == (Taking ? Taking : Asking))
      Taken = V;
    else if (V != &Old)
      return nullptr;
  }
  if (Taking || !Taken)
    return Taken;
  auto *Choice = dyn_cast<SelectInst>(Taken);
  if (!Choice || Choice->getCondition() != Compare || !Choice->hasOneUse() ||
      Choice->getParent() != Asking)
    return nullptr;
  if ((OnTrue ? Choice->getFalseValue() : Choice->getTrueValue()) != &Old)
    return nullptr;
  return OnTrue ? Choice->getTrueValue() : Choice->getFalseValue();
}

/// May \p V be computed at the join, if \p DT says that its operand is there?
static bool isThere(const Value &V, const BasicBlock &Join,
                    const DominatorTree &DT) {
  const auto *I = dyn_cast<Instruction>(&V);
  if (!I || DT.dominates(I, &Join.front()))
    return true;
  return isa<CastInst>(I) && isThere(*I->getOperand(0), Join, DT);
}

SmallVector<WithBest, 2> ConditionalExtreme::values() const {
  SmallVector<WithBest, 2> Values;
  for (const Companion &C : Companions)
    Values.push_back({C.Old, C.Joined, C.Taken});
  return Values;
}

/// What else is chosen with it, all of what is told by the same branch.
bool ConditionalExtreme::findCompanions(const DominatorTree &DT) {
  BasicBlock *Latch = L.getLoopLatch();
  for (PHINode &Old : L.getHeader()->phis()) {
    auto *Phi = dyn_cast<PHINode>(Old.getIncomingValueForBlock(Latch));
    if (&Old == &Best || !Phi || Phi->getParent() != Joined->getParent())
      continue;
    if (Value *Taken = takenIn(*Phi, Old))
      Companions.push_back({&Old, Phi, Taken});
  }
  ByPlace = !Companions.empty() &&
            !(Companions.size() == 1 &&
              isThere(*Companions[0].Taken, *Joined->getParent(), DT) &&
              isPlainCounter(*Companions[0].Taken, L, SE));
  if (Nest ? !Companions.empty() && !hasPlaceInNest()
           : ByPlace && !hasPlace(L, values(), SE))
    return false;
  auto IsOne = [&](const PHINode &Phi) {
    return &Phi == Joined || any_of(Companions, [&](const Companion &C) {
      return C.Joined == &Phi;
    });
  };
  if (Taking && any_of(Joined->getParent()->phis(), [&](const PHINode &Phi) {
        return !IsOne(Phi) && Phi.getIncomingValueForBlock(Taking) !=
                                  Phi.getIncomingValueForBlock(Asking);
      }))
    return false;
  // Nothing else knows of the comparison, or of the best one.
  for (const User *U : Compare->users())
    if (Mask ? U != cast<BranchInst>(Asking->getTerminator())->getCondition()
        : Taking ? U != Asking->getTerminator()
                 : !is_contained(Joined->incoming_values(), U) &&
                       none_of(Companions, [&](const Companion &C) {
                         return C.Joined->getIncomingValueForBlock(Asking) == U;
                       }))
      return false;
  return true;
}

/// Can what goes with it be computed behind the nest?
bool ConditionalExtreme::hasPlaceInNest() {
  SmallVector<const Value *, 4> Users = {Compare};
  for (const Companion &C : Companions)
    Users.push_back(
        C.Joined->getIncomingValueForBlock(Taking ? Taking : Asking));
  Users.push_back(Joined->getIncomingValueForBlock(Taking ? Taking : Asking));
  ByPlace = true;
  InNest.emplace(*Nest, L, SE);
  return !isWide() && InNest->findBest(Best, *Joined, Users) &&
         InNest->find(values(), Users);
}

/// Does nothing use the best one but what chooses it, and what is behind the
/// loop what was chosen last?
bool ConditionalExtreme::canWiden() const {
  return L.getLoopPreheader() &&
         all_of(Best.users(),
                [&](const User *U) {
                  return U == Compare || U == Joined ||
                         is_contained(Joined->incoming_values(), U);
                }) &&
         all_of(Joined->users(), [&](const User *U) {
           const auto *Phi = dyn_cast<PHINode>(U);
           return Phi && (Phi == &Best || (!L.contains(Phi) &&
                                           Phi->getNumIncomingValues() == 1));
         });
}

bool ConditionalExtreme::find(const DominatorTree &DT) {
  BasicBlock *Latch = L.getLoopLatch();
  Joined = dyn_cast<PHINode>(Best.getIncomingValueForBlock(Latch));
  return Joined && L.contains(Joined) && Joined->getParent() != L.getHeader() &&
         DT.dominates(Joined->getParent(), Latch) && findBlocks() &&
         findCompanions(DT) &&
         (Best.getType()->isFloatingPointTy() || !Companions.empty()) &&
         (!isWide() || canWiden());
}

/// \p V, which isThere, at the join.
Value *ConditionalExtreme::atJoin(IRBuilder<> &B, Value *V,
                                  const DominatorTree &DT) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || DT.dominates(I, &Joined->getParent()->front()))
    return V;
  Instruction *Copy = I->clone();
  Copy->setOperand(0, atJoin(B, I->getOperand(0), DT));
  return B.Insert(Copy);
}

/// The candidate \p V at the join, or what is never taken.
PHINode *ConditionalExtreme::candidates(Value *V) const {
  auto *Phi = PHINode::Create(V->getType(), Joined->getNumIncomingValues(), "",
                              Joined->getParent()->begin());
  for (BasicBlock *From : Joined->blocks())
    Phi->addIncoming(
        From == Asking || From == Taking ? V : neverTaken(V->getType(), Takes),
        From);
  return Phi;
}

/// Compare numbers of 64 bits.  Where the best one leaves the loop it is
/// narrower again.
PHINode *ConditionalExtreme::widen() {
  bool IsSigned = CmpInst::isSigned(Takes);
  Takes = ICmpInst::getSignedPredicate(Takes);
  auto Extend = [&](Value *V, BasicBlock *At) {
    IRBuilder<> B(At->getTerminator());
    return B.CreateIntCast(V, B.getInt64Ty(), IsSigned);
  };
  BasicBlock *Front = L.getLoopPreheader();
  Candidate = Extend(Candidate, Asking);
  auto *Wide =
      PHINode::Create(Candidate->getType(), 2, "", L.getHeader()->begin());
  Wide->addIncoming(Extend(Best.getIncomingValueForBlock(Front), Front), Front);
  return Wide;
}

/// What \p New becomes behind the loop, in place of the narrow number.
static void narrow(PHINode &Behind, Value &New) {
  auto *Wide = PHINode::Create(New.getType(), 1, "", Behind.getIterator());
  Wide->addIncoming(&New, Behind.getIncomingBlock(0));
  IRBuilder<> B(Behind.getParent(), Behind.getParent()->getFirstInsertionPt());
  Behind.replaceAllUsesWith(B.CreateTrunc(Wide, Behind.getType()));
  Behind.eraseFromParent();
}

/// There is no branch around the empty block any more.
void ConditionalExtreme::removeBranch(BasicBlock &Join, LoopInfo &LI,
                                      DominatorTree &DT) {
  DomTreeUpdater DTU(DT, DomTreeUpdater::UpdateStrategy::Eager);
  ReplaceInstWithInst(Asking->getTerminator(), BranchInst::Create(&Join));
  DTU.applyUpdates({{DominatorTree::Delete, Asking, Taking}});
  LI.removeBlock(Taking);
  DeleteDeadBlock(Taking, &DTU);
}

/// Carry on the iteration of the best one, which \p IsBetter decides in front
/// of \p At, instead of what goes with it.
void ConditionalExtreme::choosePlaceInNest(Value &IsBetter, Instruction &At,
                                           LoopInfo &LI, DominatorTree &DT) {
  BasicBlock *Exit = Nest->getExitBlock();
  InNest->All.begin();
  Value *Count = InNest->All.count(*Nest, L);
  IRBuilder<> B(&At);
  Constant *None = B.getInt64(-1);
  auto Places = InNest->Best.carry(*None, [&](Value &Old) {
    return B.CreateSelect(&IsBetter, Count, &Old);
  });
  auto *Place = PHINode::Create(B.getInt64Ty(), 1, "", Exit->begin());
  Place->addIncoming(Places[InNest->Last], Nest->getExitingBlock());
  B.SetInsertPoint(Exit, Exit->getFirstInsertionPt());
  InNest->leave(B, nullptr, B.CreateICmpEQ(Place, None), Place, LI, DT);
  InNest->drop();
}

void ConditionalExtreme::open(LoopInfo &LI, DominatorTree &DT) {
  BasicBlock *Join = Joined->getParent();
  SmallVector<WeakTrackingVH, 4> Old = {Compare};
  PHINode *Begin = &Best;
  if (isWide()) {
    Begin = widen();
    Begin->takeName(&Best);
  }
  if (Mask) {
    IRBuilder<> B(Asking->getTerminator());
    Old.push_back(cast<BranchInst>(Asking->getTerminator())->getCondition());
    Constant *Never = neverTaken(Candidate->getType(), Takes);
    Candidate = OnTrue ? B.CreateSelect(Mask, Candidate, Never)
                       : B.CreateSelect(Mask, Never, Candidate);
  }
  PHINode *All = candidates(Candidate);
  IRBuilder<> B(Join, Join->getFirstInsertionPt());
  B.SetCurrentDebugLocation(Compare->getDebugLoc());
  Value *IsBetter = B.CreateCmp(Takes, All, Begin);
  auto Replace = [&](PHINode &Phi, Value *New) {
    if (!Taking)
      Old.push_back(Phi.getIncomingValueForBlock(Asking));
    New->takeName(&Phi);
    Phi.replaceAllUsesWith(New);
  };
  if (InNest && !Taking)
    for (const Companion &C : Companions)
      Old.push_back(C.Joined->getIncomingValueForBlock(Asking));
  if (InNest)
    choosePlaceInNest(*IsBetter, *B.GetInsertPoint(), LI, DT);
  if (InNest)
    Companions.clear();
  else if (ByPlace)
    choosePlace(L, values(), *IsBetter, /*OnFalse=*/false, *B.GetInsertPoint(),
                LI, DT, SE);
  for (const Companion &C : Companions)
    if (!ByPlace)
      Replace(*C.Joined,
              B.CreateSelect(IsBetter, atJoin(B, C.Taken, DT), C.Old));
    else if (!Taking)
      Old.push_back(C.Joined->getIncomingValueForBlock(Asking));
  auto *NewBest = cast<Instruction>(B.CreateSelect(IsBetter, All, Begin));
  if (Begin != &Best) {
    Begin->addIncoming(NewBest, L.getLoopLatch());
    for (User *U : make_early_inc_range(Joined->users()))
      if (U != &Best)
        narrow(cast<PHINode>(*U), *NewBest);
    Best.replaceAllUsesWith(PoisonValue::get(Best.getType()));
    Best.eraseFromParent();
    if (!Taking)
      Old.push_back(Joined->getIncomingValueForBlock(Asking));
  } else {
    Replace(*Joined, NewBest);
  }
  for (const Companion &C : Companions)
    C.Joined->eraseFromParent();
  Joined->eraseFromParent();
  if (Taking)
    removeBranch(*Join, LI, DT);
  for (WeakTrackingVH &V : reverse(Old))
    if (V)
      RecursivelyDeleteTriviallyDeadInstructions(V);
}

} // namespace

/// Have others like \p I in its block be that one.
static void joinEqual(Instruction &I) {
  for (Instruction &Other : make_early_inc_range(*I.getParent()))
    if (&Other != &I && Other.isIdenticalTo(&I)) {
      if (Other.comesBefore(&I))
        I.moveBefore(Other.getIterator()); // its operands are there
      Other.replaceAllUsesWith(&I);
      Other.eraseFromParent();
    }
}

/// Both \p One and \p Other are as they are to be: the former if "Is", as a
/// condition with a comparison of its own.
static Value *both(IRBuilder<> &B, Value *One, bool Is, CmpInst &Other,
                   bool IsOther) {
  CmpInst::Predicate P =
      IsOther ? Other.getPredicate() : Other.getInversePredicate();
  Value *Compare = B.CreateCmp(P, Other.getOperand(0), Other.getOperand(1));
  if (isa<FCmpInst>(Other))
    cast<Instruction>(Compare)->copyFastMathFlags(&Other);
  return B.CreateLogicalAnd(Is ? One : B.CreateNot(One), Compare);
}

/// Choices among choices, c ? (a[i] > m ? a[i] : m) : m, have one condition.
static bool joinChoices(Loop &L) {
  SmallVector<std::pair<SelectInst *, SelectInst *>, 4> Pairs; // in and out
  for (PHINode &Phi : L.getHeader()->phis()) {
    auto *Out =
        dyn_cast<SelectInst>(Phi.getIncomingValueForBlock(L.getLoopLatch()));
    if (!Out || !L.contains(Out))
      continue;
    bool OnTrue = Out->getFalseValue() == &Phi;
    auto *In = dyn_cast<SelectInst>(OnTrue ? Out->getTrueValue()
                                           : Out->getFalseValue());
    if ((OnTrue || Out->getTrueValue() == &Phi) && In && In->hasOneUse() &&
        Out->getParent() == L.getLoopLatch() &&
        In->getParent() == Out->getParent() &&
        isa<CmpInst>(In->getCondition()) &&
        (In->getFalseValue() == &Phi) != (In->getTrueValue() == &Phi))
      Pairs.push_back({In, Out});
  }
  llvm::sort(Pairs, [](const auto &A, const auto &B) {
    return A.second != B.second && A.second->comesBefore(B.second);
  });
  // Those with the same conditions share one.
  DenseMap<std::tuple<Value *, unsigned, Value *, unsigned>, Value *>
      Conditions;
  for (auto [In, Out] : Pairs) {
    auto *Compare = cast<CmpInst>(In->getCondition());
    bool Is = Out->getTrueValue() == In;
    Value *Old = Is ? Out->getFalseValue() : Out->getTrueValue();
    bool IsOther = In->getFalseValue() == Old;
    Value *&All = Conditions[{Out->getCondition(), unsigned(Is), Compare,
                              unsigned(IsOther)}];
    IRBuilder<> B(Out);
    if (!All)
      All = both(B, Out->getCondition(), Is, *Compare, IsOther);
    Value *New = B.CreateSelect(
        All, IsOther ? In->getTrueValue() : In->getFalseValue(), Old);
    New->takeName(Out);
    Out->replaceAllUsesWith(New);
    Out->eraseFromParent();
    In->eraseFromParent();
    if (Compare->use_empty())
      Compare->eraseFromParent();
  }
  return !Pairs.empty();
}

/// if (c & a[i] > m) as one condition of choices: in \p Best and what goes with
/// it there is another candidate then.
static bool openMask(Loop &L, PHINode &Best) {
  using namespace PatternMatch;
  auto *Choice =
      dyn_cast<SelectInst>(Best.getIncomingValueForBlock(L.getLoopLatch()));
  Value *All = Choice ? Choice->getCondition() : nullptr, *One, *Two;
  bool OnTrue = Choice && Choice->getFalseValue() == &Best;
  if (!Choice || !L.contains(Choice) ||
      !(OnTrue ? match(All, m_LogicalAnd(m_Value(One), m_Value(Two)))
               : Choice->getTrueValue() == &Best &&
                     match(All, m_LogicalOr(m_Value(One), m_Value(Two)))))
    return false;
  joinEqual(*cast<Instruction>(All));
  Value *Candidate = OnTrue ? Choice->getTrueValue() : Choice->getFalseValue();
  auto Takes = CmpInst::BAD_ICMP_PREDICATE;
  for (bool Second : {true, false})
    if (const auto *Compare = dyn_cast<CmpInst>(Second ? Two : One);
        Compare && Compare->hasOneUse() &&
        Takes == CmpInst::BAD_ICMP_PREDICATE) {
      Takes = takenBy(*Compare, OnTrue, *Candidate, Best);
      if (Takes != CmpInst::BAD_ICMP_PREDICATE && Second)
        std::swap(One, Two); // the comparison is the first
    }
  // The other one may not be looked at where the first one says enough.
  if (isa<SelectInst>(All) && cast<SelectInst>(All)->getCondition() == One &&
      !isGuaranteedNotToBePoison(Two))
    return false;
  if (Takes == CmpInst::BAD_ICMP_PREDICATE ||
      (Best.getType()->isIntegerTy() && CmpInst::isNonStrictPredicate(Takes)) ||
      any_of(All->users(), [&](const User *U) {
        const auto *I = dyn_cast<SelectInst>(U);
        return !I || I->getCondition() != All || !L.contains(I);
      }))
    return false;
  // In front of all that the condition decides.
  IRBuilder<> B(cast<Instruction>(All));
  Constant *Never = neverTaken(Best.getType(), Takes);
  Value *Masked = OnTrue ? B.CreateSelect(Two, Candidate, Never)
                         : B.CreateSelect(Two, Never, Candidate);
  Value *IsBetter = B.CreateCmp(Takes, Masked, &Best);
  for (User *U : make_early_inc_range(All->users())) {
    auto *Old = cast<SelectInst>(U);
    B.SetInsertPoint(Old);
    Value *Taken = OnTrue ? Old->getTrueValue() : Old->getFalseValue();
    Value *New =
        B.CreateSelect(IsBetter, Old == Choice ? Masked : Taken,
                       OnTrue ? Old->getFalseValue() : Old->getTrueValue());
    New->takeName(Old);
    Old->replaceAllUsesWith(New);
    Old->eraseFromParent();
  }
  RecursivelyDeleteTriviallyDeadInstructions(All);
  return true;
}

/// Does \p Phi become a phi of the loop's end?
static bool isJoined(const PHINode &Phi, const Loop &L) {
  const auto *Last =
      dyn_cast<PHINode>(Phi.getIncomingValueForBlock(L.getLoopLatch()));
  return Last && Last->getParent() != L.getHeader();
}

static bool isNumber(const PHINode &Phi) {
  Type *Ty = Phi.getType();
  return Ty->isFloatTy() || Ty->isDoubleTy() || Ty->isIntegerTy(32) ||
         Ty->isIntegerTy(64);
}

bool openExtremes(Loop &L, LoopInfo &LI, DominatorTree &DT, ScalarEvolution &SE,
                  Loop *Nest) {
  bool Changed = false;
  if (!L.isInnermost() || !L.getLoopLatch())
    return false;
  Changed |= joinChoices(L);
  for (PHINode &Phi : L.getHeader()->phis())
    if (isNumber(Phi))
      Changed |= openMask(L, Phi);
  if (none_of(L.getHeader()->phis(),
              [&](const PHINode &Phi) { return isJoined(Phi, L); })) {
    if (Changed)
      SE.forgetLoop(&L);
    return Changed;
  }
  if (!Nest && !L.isLCSSAForm(DT))
    Changed |= formLCSSA(L, DT, &LI, &SE);
  SmallVector<WeakVH, 4> Phis;
  for (PHINode &Phi : L.getHeader()->phis())
    Phis.push_back(&Phi);
  for (WeakVH &V : Phis) {
    auto *Phi = cast_or_null<PHINode>(static_cast<Value *>(V));
    if (!Phi)
      continue;
    ConditionalExtreme E(L, Nest, *Phi, SE);
    if (!isNumber(*Phi) || !E.find(DT))
      continue;
    E.open(LI, DT);
    Changed = true;
  }
  if (Changed)
    SE.forgetLoop(&L);
  return Changed;
}

} // namespace polygpu
