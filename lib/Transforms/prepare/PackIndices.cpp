//===- PackIndices.cpp - The largest value, and where it is --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/PackIndices.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace polygpu {

namespace {

/// Half of a number, and the largest one in it that is an index.
const unsigned Half = 32;
const uint64_t Full = 0xffffffff, Most = Full - 1;

/// if (e > m) { m = e; k = i; }, or with another comparison.
class Extreme {
public:
  Extreme(Loop &L, ScalarEvolution &SE, PHINode &Index)
      : L(L), SE(SE), Index(Index) {}
  bool isOne() {
    return L.getLoopLatch() && L.getExitingBlock() == L.getLoopLatch() &&
           L.getExitBlock() && L.hasDedicatedExits() && L.getLoopPreheader() &&
           findIndex() && findValue() && isAlone();
  }
  void pack();

private:
  Loop &L;
  ScalarEvolution &SE;
  PHINode &Index;
  PHINode *Best = nullptr;
  SelectInst *NewIndex = nullptr;
  Instruction *NewBest = nullptr;
  ICmpInst *Compare = nullptr;
  Value *Counter = nullptr, *Candidate = nullptr;
  CmpInst::Predicate Takes = CmpInst::BAD_ICMP_PREDICATE;
  bool IsYes = false; ///< taken where the comparison is true

  bool isGreater() const {
    return ICmpInst::isGT(Takes) || ICmpInst::isGE(Takes);
  }
  bool takesEqual() const { return CmpInst::isNonStrictPredicate(Takes); }
  bool isSigned() const { return CmpInst::isSigned(Takes); }
  /// Is the lower half counted down, so that the index to keep decides?
  bool countsDown() const { return isGreater() != takesEqual(); }
  uint64_t none() const { return countsDown() ? Full : 0; }

  bool findIndex();
  bool findValue();
  bool isCounter(Value *V) const;
  bool isExtreme(const Instruction &I) const;
  bool usesAre(const Instruction &V, ArrayRef<const Value *> Inside) const;
  bool isAlone() const;
  Value *packed(IRBuilder<> &B, Value *V, Value *Low) const;
  Value *counted(IRBuilder<> &B, Value *V) const;
  Value *bestOf(IRBuilder<> &B, Value *Key) const;
  Value *indexOf(IRBuilder<> &B, Value *Key) const;
  Instruction *update(PHINode *Key) const;
  void leave(PHINode *Key, Instruction *NewKey) const;
  void drop();
};

/// Does \p V count iterations upwards, and is it an index?
bool Extreme::isCounter(Value *V) const {
  const auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(V));
  if (!Rec || Rec->getLoop() != &L || !Rec->isAffine())
    return false;
  const auto *Step = dyn_cast<SCEVConstant>(Rec->getStepRecurrence(SE));
  return Step && Step->getAPInt().isStrictlyPositive() &&
         SE.isKnownNonNegative(Rec) &&
         SE.getUnsignedRangeMax(Rec).ult(
             APInt(64, Most).zextOrTrunc(V->getType()->getIntegerBitWidth()));
}

bool Extreme::findIndex() {
  unsigned Bits = Index.getType()->isIntegerTy()
                      ? Index.getType()->getIntegerBitWidth()
                      : 0;
  NewIndex =
      dyn_cast<SelectInst>(Index.getIncomingValueForBlock(L.getLoopLatch()));
  if ((Bits != 32 && Bits != 64) || !NewIndex || !L.contains(NewIndex))
    return false;
  IsYes = NewIndex->getFalseValue() == &Index;
  if (!IsYes && NewIndex->getTrueValue() != &Index)
    return false;
  Counter = IsYes ? NewIndex->getTrueValue() : NewIndex->getFalseValue();
  Compare = dyn_cast<ICmpInst>(NewIndex->getCondition());
  return Compare && isCounter(Counter);
}

/// Is \p I the better one of the candidate and the best one so far?
bool Extreme::isExtreme(const Instruction &I) const {
  if (const auto *Choice = dyn_cast<SelectInst>(&I))
    return Choice->getCondition() == Compare &&
           (IsYes ? Choice->getTrueValue() : Choice->getFalseValue()) ==
               Candidate &&
           (IsYes ? Choice->getFalseValue() : Choice->getTrueValue()) == Best;
  const auto *Call = dyn_cast<MinMaxIntrinsic>(&I);
  return Call && CmpInst::getStrictPredicate(Takes) == Call->getPredicate() &&
         ((Call->getLHS() == Candidate && Call->getRHS() == Best) ||
          (Call->getLHS() == Best && Call->getRHS() == Candidate));
}

bool Extreme::findValue() {
  for (bool Second : {false, true}) {
    Best = dyn_cast<PHINode>(Compare->getOperand(Second));
    if (Best && Best->getParent() == L.getHeader() && Best != &Index) {
      Candidate = Compare->getOperand(!Second);
      Takes = Second ? Compare->getPredicate() : Compare->getSwappedPredicate();
      break;
    }
    Best = nullptr;
  }
  if (!Best || !Compare->isRelational() || !Best->getType()->isIntegerTy() ||
      Best->getType()->getIntegerBitWidth() > Half)
    return false;
  if (!IsYes)
    Takes = CmpInst::getInversePredicate(Takes);
  NewBest =
      dyn_cast<Instruction>(Best->getIncomingValueForBlock(L.getLoopLatch()));
  return NewBest && L.contains(NewBest) && isExtreme(*NewBest);
}

/// Do only values \p Inside of the loop use \p V, and phis at its exit?
bool Extreme::usesAre(const Instruction &V,
                      ArrayRef<const Value *> Inside) const {
  return all_of(V.users(), [&](const User *U) {
    const auto *I = cast<Instruction>(U);
    return L.contains(I)
               ? is_contained(Inside, I)
               : isa<PHINode>(I) && I->getParent() == L.getExitBlock();
  });
}

bool Extreme::isAlone() const {
  return usesAre(Index, {NewIndex}) && usesAre(*NewIndex, {&Index}) &&
         usesAre(*Best, {Compare, NewBest}) && usesAre(*NewBest, {Best}) &&
         usesAre(*Compare, {NewIndex, NewBest});
}

Value *Extreme::packed(IRBuilder<> &B, Value *V, Value *Low) const {
  Value *High = isSigned() ? B.CreateSExt(V, B.getInt64Ty())
                           : B.CreateZExt(V, B.getInt64Ty());
  return B.CreateOr(B.CreateShl(High, Half), Low);
}

/// The index \p V as a lower half, or back.
Value *Extreme::counted(IRBuilder<> &B, Value *V) const {
  if (countsDown())
    return B.CreateSub(B.getInt64(Most), V);
  return B.CreateAdd(V, B.getInt64(1));
}

Value *Extreme::bestOf(IRBuilder<> &B, Value *Key) const {
  return B.CreateTrunc(B.CreateLShr(Key, Half), Best->getType());
}

Value *Extreme::indexOf(IRBuilder<> &B, Value *Key) const {
  Value *Low = B.CreateAnd(Key, B.getInt64(Full));
  Value *Old = Index.getIncomingValueForBlock(L.getLoopPreheader());
  Value *Own = countsDown() ? counted(B, Low) : B.CreateSub(Low, B.getInt64(1));
  return B.CreateSelect(B.CreateICmpEQ(Low, B.getInt64(none())), Old,
                        B.CreateTrunc(Own, Index.getType()));
}

/// What becomes of \p Key in an iteration.
Instruction *Extreme::update(PHINode *Key) const {
  IRBuilder<> B(NewIndex);
  Value *Number = B.CreateZExt(Counter, B.getInt64Ty());
  Intrinsic::ID ID = isGreater()
                         ? (isSigned() ? Intrinsic::smax : Intrinsic::umax)
                         : (isSigned() ? Intrinsic::smin : Intrinsic::umin);
  return cast<Instruction>(B.CreateBinaryIntrinsic(
      ID, Key, packed(B, Candidate, counted(B, Number))));
}

/// What is used behind the loop comes from \p Key, or from what that becomes.
void Extreme::leave(PHINode *Key, Instruction *NewKey) const {
  BasicBlock *Exit = L.getExitBlock();
  for (PHINode &Phi : make_early_inc_range(Exit->phis())) {
    Value *V = Phi.getIncomingValueForBlock(L.getExitingBlock());
    if (!is_contained({(Value *)Best, (Value *)NewBest, (Value *)&Index,
                       (Value *)NewIndex},
                      V))
      continue;
    bool IsOld = V == Best || V == &Index;
    auto *Last = PHINode::Create(Key->getType(), 1, "", Exit->begin());
    Last->addIncoming(IsOld ? Key : NewKey, L.getExitingBlock());
    IRBuilder<> B(Exit, Exit->getFirstInsertionPt());
    Phi.replaceAllUsesWith(V == Best || V == NewBest ? bestOf(B, Last)
                                                     : indexOf(B, Last));
    Phi.eraseFromParent();
  }
}

void Extreme::drop() {
  for (Instruction *I :
       {(Instruction *)Best, (Instruction *)&Index, (Instruction *)NewIndex,
        NewBest, (Instruction *)Compare}) {
    SE.forgetValue(I);
    I->replaceAllUsesWith(PoisonValue::get(I->getType()));
    I->eraseFromParent();
  }
}

void Extreme::pack() {
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  Value *Begin = packed(B, Best->getIncomingValueForBlock(L.getLoopPreheader()),
                        B.getInt64(none()));
  auto *Key = PHINode::Create(B.getInt64Ty(), 2, "", L.getHeader()->begin());
  Instruction *NewKey = update(Key);
  Key->addIncoming(Begin, L.getLoopPreheader());
  Key->addIncoming(NewKey, L.getLoopLatch());
  leave(Key, NewKey);
  Key->takeName(Best);
  drop();
}

} // namespace

bool packIndices(ArrayRef<Loop *> Loops, ScalarEvolution &SE) {
  bool Changed = false;
  for (Loop *L : Loops) {
    if (!L->isInnermost())
      continue;
    SmallVector<PHINode *, 4> Phis(make_pointer_range(L->getHeader()->phis()));
    for (PHINode *Phi : Phis) {
      Extreme E(*L, SE, *Phi);
      if (!E.isOne())
        continue;
      E.pack();
      Changed = true;
      break; // other phis may be of what is gone
    }
  }
  return Changed;
}

} // namespace polygpu
