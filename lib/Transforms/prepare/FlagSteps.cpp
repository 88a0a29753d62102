//===- FlagSteps.cpp - Flags that are looked at before more is ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/FlagSteps.h"
#include "prepare/IndirectUpdates.h"
#include "prepare/Predicate.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace polygpu {

/// What is under more blocks is no step.
static const unsigned MostBlocks = 32;

namespace {

class StepOpener {
public:
  StepOpener(Loop &L, PHINode &Flag)
      : L(L), Flag(Flag), Byte(Type::getInt8Ty(Flag.getContext())) {}
  bool run(Predication &Guarded);

private:
  Loop &L;
  PHINode &Flag; ///< in the header
  Type *Byte;
  ConstantInt *Unset = nullptr, *Set = nullptr; ///< what the flag may be
  Instruction *Next = nullptr;                  ///< what it is behind the step
  PHINode *Merge = nullptr;      ///< that, or what is widened to it
  BranchInst *Test = nullptr;    ///< on the flag
  bool HoldsUnset = false;       ///< is its condition true while it is unset?
  SetVector<BasicBlock *> Under; ///< blocks that run while it is unset
  SmallVector<PHINode *, 2> Behind;

  bool findNext();
  bool findTest();
  bool findBlocks();
  bool isPure(const BasicBlock &BB) const;
  bool othersStay() const;
  bool note(Value *V);
  bool findSet();
  bool usesFit();
  Value *stepOf(unsigned N) const;
  void leave(PHINode &Phi, Value &Now) const;
};

/// The variable is what a phi of the loop says, or that as a number of more
/// bits.
bool StepOpener::findNext() {
  BasicBlock *Latch = L.getLoopLatch();
  if (!Latch || !L.getLoopPreheader())
    return false;
  Unset = dyn_cast<ConstantInt>(
      Flag.getIncomingValueForBlock(L.getLoopPreheader()));
  Next = dyn_cast<Instruction>(Flag.getIncomingValueForBlock(Latch));
  if (!Unset || !Next || !L.contains(Next))
    return false;
  Value *Narrow = nullptr;
  Merge = dyn_cast<PHINode>(match(Next, m_OneUse(m_ZExt(m_Value(Narrow)))) ||
                                    match(Next, m_ZExt(m_Value(Narrow)))
                                ? Narrow
                                : Next);
  if (!Merge || !L.contains(Merge) || Merge->getParent() == L.getHeader())
    return false;
  return Merge == Next ||
         (Merge->getType()->isIntegerTy(1) && Merge->hasOneUse() &&
          Next->getParent() == Merge->getParent());
}

/// One branch looks at it, and leads past the step where it is set.
bool StepOpener::findTest() {
  Value *Condition = nullptr;
  for (User *U : Flag.users()) {
    auto *I = cast<Instruction>(U);
    bool IsTest = L.contains(I) && isa<ICmpInst, TruncInst>(I) &&
                  I->getType()->isIntegerTy(1);
    if (!IsTest && !isa<BranchInst>(I))
      continue;
    if (Condition)
      return false;
    Condition = IsTest ? I : &Flag;
  }
  if (!Condition || (Condition != &Flag && !Condition->hasOneUse()))
    return false;
  for (User *U : Condition->users())
    if (auto *Branch = dyn_cast<BranchInst>(U)) {
      if (Test || !L.contains(Branch))
        return false;
      Test = Branch;
    }
  if (!Test)
    return false;
  if (auto *Compare = dyn_cast<ICmpInst>(Condition)) {
    auto *To = dyn_cast<ConstantInt>(Compare->getOperand(1));
    if (!To || !Compare->isEquality() || Compare->getOperand(0) != &Flag)
      return false;
    HoldsUnset = (To == Unset) == (Compare->getPredicate() == CmpInst::ICMP_EQ);
  } else {
    HoldsUnset = Unset->getValue()[0];
  }
  return Test->getSuccessor(HoldsUnset) == Merge->getParent() &&
         Test->getSuccessor(!HoldsUnset) != Merge->getParent();
}

/// May it be executed once more, or guarded, without a trace?
bool StepOpener::isPure(const BasicBlock &BB) const {
  return all_of(BB, [](const Instruction &I) {
    if (isa<StoreInst, SwitchInst>(I) || indirectUpdate(&I))
      return false;
    // Divisors would be chosen by the test.
    return whyNotGuarded(I).empty() &&
           (!I.isIntDivRem() || isSafeToSpeculativelyExecute(&I));
  });
}

bool StepOpener::findBlocks() {
  Under.insert(Test->getSuccessor(!HoldsUnset));
  for (unsigned N = 0; N < Under.size(); ++N) {
    BasicBlock *BB = Under[N];
    if (!L.contains(BB) || BB == L.getHeader() || BB == Test->getParent() ||
        N >= MostBlocks || !isPure(*BB))
      return false;
    for (BasicBlock *After : successors(BB))
      if (After != Merge->getParent())
        Under.insert(After);
  }
  return all_of(Under, [&](BasicBlock *BB) {
    return all_of(predecessors(BB), [&](BasicBlock *Before) {
      return Before == Test->getParent() || Under.contains(Before);
    });
  });
}

/// Does nothing else depend on whether the step is looked at?
bool StepOpener::othersStay() const {
  for (const PHINode &Phi : Merge->getParent()->phis()) {
    if (&Phi == Merge)
      continue;
    const Value *Same = Phi.getIncomingValueForBlock(Test->getParent());
    for (BasicBlock *BB : Phi.blocks())
      if (Under.contains(BB) && Phi.getIncomingValueForBlock(BB) != Same)
        return false;
  }
  return true;
}

/// \p V is a constant that it is set to.
bool StepOpener::note(Value *V) {
  auto *C = dyn_cast<ConstantInt>(V);
  if (!C || (Set && C != Set && C != Unset))
    return false;
  if (C != Unset)
    Set = C;
  return true;
}

/// The truth value that \p V is as a number, or null.
Value *truthOf(Value *V) {
  Value *Truth;
  return match(V, m_ZExt(m_Value(Truth))) && Truth->getType()->isIntegerTy(1)
             ? Truth
             : nullptr;
}

/// The constant that it is set to.
bool StepOpener::findSet() {
  Type *Ty = Flag.getType();
  if (Merge->getType()->isIntegerTy(1)) {
    if (!Unset->isZero() && !Unset->isOne())
      return false;
    Set = cast<ConstantInt>(ConstantInt::get(Ty, Unset->isZero() ? 1 : 0));
    return true;
  }
  for (Value *V : Merge->incoming_values()) {
    if (V == &Flag)
      continue;
    if (truthOf(V)) {
      if ((!Unset->isZero() && !Unset->isOne()) ||
          !note(ConstantInt::get(Ty, Unset->isZero() ? 1 : 0)))
        return false;
      continue;
    }
    auto *Choice = dyn_cast<SelectInst>(V);
    if (!Choice) {
      if (!note(V))
        return false;
      continue;
    }
    if (!Choice->hasOneUse())
      return false;
    for (Value *Arm : {Choice->getTrueValue(), Choice->getFalseValue()})
      if (Arm != &Flag && !note(Arm))
        return false;
  }
  return Set != nullptr;
}

/// Is what it is used for the step, the test, and what it is in the end?
bool StepOpener::usesFit() {
  for (User *U : Flag.users()) {
    auto *I = cast<Instruction>(U);
    bool IsTest = I == Test || I == Test->getCondition();
    bool IsChoice = isa<SelectInst>(I) && I->hasOneUse() &&
                    !Merge->getType()->isIntegerTy(1) &&
                    I->user_back() == Merge &&
                    cast<SelectInst>(I)->getCondition() != &Flag;
    if (!IsTest && !IsChoice && I != Merge)
      return false;
  }
  for (User *U : Next->users()) {
    auto *Phi = dyn_cast<PHINode>(U);
    if (Phi == &Flag)
      continue;
    if (!Phi || L.contains(Phi) ||
        any_of(Phi->incoming_values(),
               [&](const Use &V) { return V.get() != Next; }))
      return false;
    Behind.push_back(Phi);
  }
  return true;
}

/// Whether the flag is set by the N-th way to where all meet, as a number of 8
/// bits in front of that; null if nobody knows.
Value *StepOpener::stepOf(unsigned N) const {
  Value *V = Merge->getIncomingValue(N);
  BasicBlock *From = Merge->getIncomingBlock(N);
  const bool IsUnder = Under.contains(From);
  auto Number = [&](bool Holds) { return ConstantInt::get(Byte, Holds); };
  const bool IsBit = Merge->getType()->isIntegerTy(1);
  ConstantInt *SetTo =
      IsBit ? ConstantInt::getBool(V->getContext(), Set->isOne()) : Set;
  if (V == &Flag)
    return Number(false);
  if (!IsUnder) // where it is set, it may be set again
    return From == Test->getParent() && V == SetTo ? Number(false) : nullptr;
  if (isa<ConstantInt>(V))
    return Number(V == SetTo);
  IRBuilder<> B(From->getTerminator());
  bool Holds = true; // the flag is set where the condition does
  Value *When = V;
  if (auto *Choice = dyn_cast<SelectInst>(V); Choice && !IsBit) {
    const bool First = Choice->getTrueValue() == SetTo;
    if (First == (Choice->getFalseValue() == SetTo))
      return nullptr;
    When = Choice->getCondition();
    Holds = First;
  } else if (IsBit) {
    Holds = SetTo->isOne();
  } else if (Value *Truth = truthOf(V)) {
    When = Truth;
    Holds = SetTo->isOne();
  } else {
    return nullptr;
  }
  if (!Holds)
    When = B.CreateNot(When);
  return B.CreateZExt(When, Byte);
}

/// Have \p Phi, behind the loop, be what the variable is.
void StepOpener::leave(PHINode &Phi, Value &Now) const {
  auto *New = PHINode::Create(Byte, Phi.getNumIncomingValues(), Phi.getName(),
                              Phi.getIterator());
  for (BasicBlock *From : Phi.blocks())
    New->addIncoming(&Now, From);
  IRBuilder<> B(&*Phi.getParent()->getFirstInsertionPt());
  Value *Last = New;
  Type *Ty = Phi.getType();
  if (Ty->isIntegerTy(1)) // which is late: makeBitsLate in OpenFlags.cpp
    Last = B.CreateTrunc(
        Set->isOne() ? New : B.CreateXor(New, ConstantInt::get(Byte, 1)), Ty);
  else if (!(Ty == Byte && Set->isOne() && Unset->isZero()))
    Last = B.CreateSelect(B.CreateTrunc(New, B.getInt1Ty()), Set, Unset);
  Phi.replaceAllUsesWith(Last);
  Phi.eraseFromParent();
}

bool StepOpener::run(Predication &Guarded) {
  if (!findNext() || !findTest() || !findBlocks() || !othersStay() ||
      !findSet() || Set == Unset || !usesFit())
    return false;
  // Of a comparison with another constant nothing is known.
  auto *Old = cast<Instruction>(Test->getCondition());
  if (isa<ICmpInst>(Old)
          ? Old->getOperand(1) != Set && Old->getOperand(1) != Unset
          : Set->getValue()[0] == Unset->getValue()[0])
    return false;
  SmallVector<Value *, 4> Steps;
  for (unsigned N = 0; N < Merge->getNumIncomingValues(); ++N) {
    Steps.push_back(stepOf(N));
    if (!Steps.back())
      return false;
  }
  auto *Wide = PHINode::Create(Byte, 2, "", Flag.getIterator());
  Wide->takeName(&Flag);
  Wide->setDebugLoc(Flag.getDebugLoc());
  auto *Step = PHINode::Create(Byte, Merge->getNumIncomingValues(), "",
                               Merge->getIterator());
  for (unsigned N = 0; N < Steps.size(); ++N)
    Step->addIncoming(Steps[N], Merge->getIncomingBlock(N));
  Step->setDebugLoc(Merge->getDebugLoc());
  auto *Or = BinaryOperator::CreateOr(
      Wide, Step, "", Merge->getParent()->getFirstInsertionPt());
  Or->setDebugLoc(Test->getDebugLoc());
  Wide->addIncoming(ConstantInt::get(Byte, 0), L.getLoopPreheader());
  Wide->addIncoming(Or, L.getLoopLatch());
  IRBuilder<> B(Test);
  Value *IsUnset =
      B.CreateICmp(HoldsUnset ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE, Wide,
                   ConstantInt::get(Byte, 0));
  Test->setCondition(IsUnset);
  SmallVector<PHINode *, 8> Free = {Step};
  for (BasicBlock *BB : Under)
    for (PHINode &Phi : BB->phis())
      Free.push_back(&Phi);
  Guarded.addTest(*IsUnset, HoldsUnset, Free);
  for (PHINode *Phi : Behind)
    leave(*Phi, *Or);
  SmallVector<WeakTrackingVH, 4> Rest = {Old, Next, Merge};
  Flag.replaceAllUsesWith(PoisonValue::get(Flag.getType()));
  Flag.eraseFromParent();
  Next->replaceAllUsesWith(PoisonValue::get(Next->getType()));
  for (WeakTrackingVH &V : Rest)
    if (V)
      RecursivelyDeleteTriviallyDeadInstructions(V);
  return true;
}

//===-- Without branches --------------------------------------------------===//

/// A flag of which nothing is read to set it: its next value is a choice.
class ChoiceOpener {
public:
  ChoiceOpener(Loop &L, PHINode &Flag) : L(L), Flag(Flag) {}
  bool run();

private:
  Loop &L;
  PHINode &Flag; ///< in the header
  ConstantInt *Unset = nullptr;
  Value *When = nullptr; ///< it is set where this holds, or does not
  bool Holds = true;
  Constant *Set = nullptr;

  std::optional<bool> whileUnset(Value *V) const;
  bool joined(Value *V);
  bool ofTruths(Value *V);
};

/// What \p V, a test of the flag, is while that is unset.
std::optional<bool> ChoiceOpener::whileUnset(Value *V) const {
  if (V == &Flag && Flag.getType()->isIntegerTy(1))
    return Unset->isOne();
  if (match(V, m_Trunc(m_Specific(&Flag))) && V->getType()->isIntegerTy(1))
    return bool(Unset->getValue()[0]);
  auto *Compare = dyn_cast<ICmpInst>(V);
  auto *To = Compare && Compare->isEquality() && Compare->getOperand(0) == &Flag
                 ? dyn_cast<ConstantInt>(Compare->getOperand(1))
                 : nullptr;
  if (!To || (To != Unset && To != Set))
    return std::nullopt;
  return (To == Unset) == (Compare->getPredicate() == CmpInst::ICMP_EQ);
}

/// \p V is a test and something else: that is left.
bool ChoiceOpener::joined(Value *V) {
  Value *A, *B;
  if (!V->hasOneUse() || !match(V, m_LogicalAnd(m_Value(A), m_Value(B))))
    return false;
  for (Value *Test : {A, B}) {
    std::optional<bool> Unset = whileUnset(Test);
    if (!Unset || !*Unset || (Test != &Flag && !Test->hasOneUse()))
      continue;
    When = Test == A ? B : A;
    return true;
  }
  return false;
}

/// \p V, a truth value that the flag is next, is "flag || c", "flag && c".
bool ChoiceOpener::ofTruths(Value *V) {
  Value *A, *B;
  const bool IsOr = match(V, m_LogicalOr(m_Value(A), m_Value(B)));
  if (!IsOr && !match(V, m_LogicalAnd(m_Value(A), m_Value(B))))
    return false;
  std::optional<bool> First = whileUnset(A);
  if (!First || *First == IsOr || Unset->isOne() == IsOr)
    return false;
  When = B;
  Holds = IsOr;
  return true;
}

bool ChoiceOpener::run() {
  BasicBlock *Latch = L.getLoopLatch();
  if (!Latch || !L.getLoopPreheader())
    return false;
  Unset = dyn_cast<ConstantInt>(
      Flag.getIncomingValueForBlock(L.getLoopPreheader()));
  auto *Next = dyn_cast<Instruction>(Flag.getIncomingValueForBlock(Latch));
  if (!Unset || !Next || !L.contains(Next) || isa<PHINode>(Next))
    return false;
  Type *Ty = Flag.getType();
  Value *Truth = Ty->isIntegerTy(1) ? Next : truthOf(Next);
  if (auto *Choice = dyn_cast<SelectInst>(Next); Choice && Truth != Next) {
    for (Value *Arm : {Choice->getTrueValue(), Choice->getFalseValue()})
      if (auto *C = dyn_cast<ConstantInt>(Arm))
        Set = C;
    Holds = Choice->getTrueValue() == Set;
    if (!Set || Set == Unset || !joined(Choice->getCondition()) || !Holds ||
        Choice->getFalseValue() != &Flag)
      return false;
  } else {
    if (!Truth || (!Unset->isZero() && !Unset->isOne()) ||
        (Truth != Next && !Truth->hasOneUse()))
      return false;
    Set = ConstantInt::get(Ty, Unset->isZero() ? 1 : 0);
    if (!ofTruths(Truth))
      return false;
  }
  // The condition is not looked at where the flag is set.
  IRBuilder<> B(Next);
  Value *Condition =
      isGuaranteedNotToBeUndefOrPoison(When) ? When : B.CreateFreeze(When);
  Value *New = Holds ? B.CreateSelect(Condition, Set, &Flag)
                     : B.CreateSelect(Condition, &Flag, Set);
  New->takeName(Next);
  Next->replaceAllUsesWith(New);
  RecursivelyDeleteTriviallyDeadInstructions(Next);
  return true;
}

} // namespace

bool openFlagSteps(Loop &L, Predication &Guarded) {
  SmallVector<PHINode *, 4> Phis;
  for (PHINode &Phi : L.getHeader()->phis())
    if (Phi.getType()->isIntegerTy())
      Phis.push_back(&Phi);
  bool Changed = false;
  for (PHINode *Phi : Phis)
    Changed |= StepOpener(L, *Phi).run(Guarded) || ChoiceOpener(L, *Phi).run();
  return Changed;
}

} // namespace polygpu
