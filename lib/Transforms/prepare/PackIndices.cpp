//===- PackIndices.cpp - The largest value, and where it is --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/PackIndices.h"
#include "ReductionOperators.h"
#include "prepare/BestPlaces.h"
#include "prepare/CarriedPlaces.h"
#include "prepare/IndirectUpdates.h"
#include "prepare/OpenExtremes.h"
#include "prepare/OrderedBits.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <optional>

using namespace llvm;

namespace polygpu {

namespace {

const unsigned Half = 32; ///< the bits of half a number

/// if (e > m) { m = e; k = i; }, or with another comparison, or without k.
class Extreme {
public:
  Extreme(Loop &L, ScalarEvolution &SE) : L(L), SE(SE) {}
  bool hasIndex(PHINode &Phi) {
    Index = &Phi;
    return isSimple(L) && findIndex() && findValue() && isCounter(Counter) &&
           isAlone() && (!isWide() || canRepeat());
  }
  /// Is \p Phi one whose sign, if it is a zero, depends on the order, and which
  /// is no part of another one?
  bool isOrdered(PHINode &Phi) {
    return isSimple(L) && findNumber(Phi) && (isWide() || isShort()) &&
           isAlone();
  }
  /// Likewise of one that loops from \p Outer in to this one carry on.
  bool isOrderedIn(Loop &Outer, PHINode &Phi) {
    return isSimple(L) && isSimple(Outer) && findNumber(Phi) &&
           findCarried(Outer) && usesAre(*Compare, {NewBest}) &&
           InNest->All.canCount();
  }
  /// Is \p Phi one that goes with an extreme that loops from \p Outer in to
  /// this one carry on, and follows from the iteration?
  bool hasPlaceIn(Loop &Outer, PHINode &Phi) {
    return findCompared(Phi) && findCarried(Outer) && findCompanions();
  }
  /// Is it one of those for which the loops are there twice?
  bool isRepeated() const {
    return isWide() || (InNest && InNest->All.most() > most());
  }
  void pack();
  void splitSign();
  void repeat(LoopInfo &LI, DominatorTree &DT);
  void packNest(LoopInfo &LI, DominatorTree &DT);
  void repeatNest(LoopInfo &LI, DominatorTree &DT);

private:
  Loop &L;
  ScalarEvolution &SE;
  PHINode *Index = nullptr; ///< none of a number alone
  PHINode *Best = nullptr;
  SelectInst *NewIndex = nullptr;
  Instruction *NewBest = nullptr;
  CmpInst *Compare = nullptr;
  Value *Counter = nullptr, *Candidate = nullptr;
  /// Where the counter begins at a variable: that, and the counter itself.
  Value *Start = nullptr, *Counted = nullptr;
  CmpInst::Predicate Takes = CmpInst::BAD_ICMP_PREDICATE;
  bool IsYes = false; ///< taken where the comparison is true
  /// Is the best one used behind the loop, and may it be one of both zeros?
  bool HasSign = false;
  bool Wide = false;
  /// Of a number that several loops carry on.
  std::optional<CarriedPlaces> InNest;

  bool isGreater() const {
    using P = CmpInst;
    return is_contained({P::ICMP_SGT, P::ICMP_SGE, P::ICMP_UGT, P::ICMP_UGE,
                         P::FCMP_OGT, P::FCMP_OGE, P::FCMP_UGT, P::FCMP_UGE},
                        Takes);
  }
  bool isNumber() const { return Best->getType()->isFloatingPointTy(); }
  /// Is there no room for number and index in 64 bits?
  bool isWide() const { return Wide; }
  bool takesEqual() const { return CmpInst::isNonStrictPredicate(Takes); }
  bool isSigned() const { return isNumber() || CmpInst::isSigned(Takes); }
  /// Is the lower half counted down, so that the index to keep decides?
  bool countsDown() const { return isGreater() != takesEqual(); }
  /// The number with the index has the sign of the best one as well, since it
  /// cannot be seen of a zero otherwise.
  unsigned signBits() const { return HasSign ? 1 : 0; }
  unsigned indexBits() const { return (isWide() ? 63 : Half) - signBits(); }
  uint64_t full() const { return (uint64_t(1) << indexBits()) - 1; }
  /// The largest index that there may be.
  uint64_t most() const { return full() - 1; }
  uint64_t none() const { return countsDown() ? full() : 0; }

  bool findIndex();
  bool findValue();
  bool findNumber(PHINode &Phi);
  bool isShort() const;
  bool findCompared(PHINode &Phi);
  bool findCarried(Loop &Outer);
  bool findCompanions();
  bool isCounter(Value *V);
  bool isExtreme(const Instruction &I) const;
  bool usesAre(const Instruction &V, ArrayRef<const Value *> Inside) const;
  bool isAlone() const;
  bool leavesNaNs() const;
  bool hasSign() const;
  bool canRepeat() const;
  /// What it is in front of all loops.
  Value *first() const {
    return InNest ? InNest->Best.first()
                  : Best->getIncomingValueForBlock(L.getLoopPreheader());
  }
  Value *keyOf(IRBuilder<> &B, Value *V) const;
  Instruction *better(IRBuilder<> &B, Value *Old, Value *New,
                      bool Greater) const;
  Instruction *find(PHINode *Place, AllocaInst &Key,
                    const ValueToValueMapTy &Copies) const;
  Value *findPlace(IRBuilder<> &B, Value *Place, Value *None, Value *Number,
                   Value *Here, AllocaInst &Key) const;
  Value *wideBest(IRBuilder<> &B, Value *Key, Value *Place) const;
  Value *packed(IRBuilder<> &B, Value *V, Value *Low) const;
  Value *numberOf(IRBuilder<> &B, Value *Key) const;
  Value *counted(IRBuilder<> &B, Value *V) const;
  bool beginsAtVariable(Value *V, const APInt &Step);
  Value *position(IRBuilder<> &B, function_ref<Value *(Value *)> CopyOf) const;
  Value *indexAt(IRBuilder<> &B, Value *Position) const;
  Value *isOld(IRBuilder<> &B, Value *Key) const;
  Value *bestOf(IRBuilder<> &B, Value *Key) const;
  Value *placeOf(IRBuilder<> &B, Value *Key) const;
  Value *indexOf(IRBuilder<> &B, Value *Key) const;
  Instruction *update(PHINode *Key) const;
  void leave(PHINode *Key, Instruction *NewKey) const;
  /// All that is about the best one and its index only.
  SmallVector<Instruction *, 5> parts() const {
    if (!Index)
      return {Best, NewBest, Compare};
    return {Best, Index, NewIndex, NewBest, Compare};
  }
  void drop();
};

/// Does a counter of 64 bits begin with a small number, and grow by little?  It
/// would take years to come to the largest index that there may be.
static bool isSlow(const SCEVAddRecExpr &Rec, const APInt &Step) {
  const auto *Start = dyn_cast<SCEVConstant>(Rec.getStart());
  return Start && Start->getAPInt().getActiveBits() <= 32 && Step.ule(16) &&
         Step.getBitWidth() == 64;
}

/// Does \p V count iterations upwards, and is it an index?
bool Extreme::isCounter(Value *V) {
  // What it is cut off from is the same number.
  uint64_t Most = UINT64_MAX;
  if (const auto *Cut = dyn_cast<TruncInst>(V); Cut && Cut->hasNoSignedWrap()) {
    Most = APInt::getSignedMaxValue(V->getType()->getIntegerBitWidth())
               .getZExtValue();
    V = Cut->getOperand(0);
  }
  const auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(V));
  if (!Rec || Rec->getLoop() != &L || !Rec->isAffine())
    return false;
  const auto *Step = dyn_cast<SCEVConstant>(Rec->getStepRecurrence(SE));
  if (!Step || !Step->getAPInt().isStrictlyPositive())
    return false;
  auto Fits = [&] {
    return SE.isKnownNonNegative(Rec) &&
           std::min(Most, SE.getUnsignedRangeMax(Rec).getLimitedValue()) <=
               most();
  };
  if (!Wide && Fits())
    return true;
  Wide = true;
  return Fits() || isSlow(*Rec, Step->getAPInt()) ||
         beginsAtVariable(V, Step->getAPInt());
}

/// Is \p V a counter of 64 bits that begins at a variable?  Its iterations are
/// counted from there, since they may be at negative numbers.
bool Extreme::beginsAtVariable(Value *V, const APInt &Step) {
  const auto *Phi = dyn_cast<PHINode>(V);
  if (!Phi || Phi->getParent() != L.getHeader() || Step.ugt(16) ||
      !Phi->getType()->isIntegerTy(64))
    return false;
  Counted = V;
  Start = Phi->getIncomingValueForBlock(L.getLoopPreheader());
  return true;
}

bool Extreme::findIndex() {
  unsigned Bits = Index->getType()->isIntegerTy()
                      ? Index->getType()->getIntegerBitWidth()
                      : 0;
  NewIndex =
      dyn_cast<SelectInst>(Index->getIncomingValueForBlock(L.getLoopLatch()));
  if ((Bits != 32 && Bits != 64) || !NewIndex || !L.contains(NewIndex))
    return false;
  IsYes = NewIndex->getFalseValue() == Index;
  if (!IsYes && NewIndex->getTrueValue() != Index)
    return false;
  Counter = IsYes ? NewIndex->getTrueValue() : NewIndex->getFalseValue();
  Compare = dyn_cast<CmpInst>(NewIndex->getCondition());
  return Compare && Counter;
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
    if (Best && Best->getParent() == L.getHeader() && Best != Index) {
      Candidate = Compare->getOperand(!Second);
      Takes = Second ? Compare->getPredicate() : Compare->getSwappedPredicate();
      break;
    }
    Best = nullptr;
  }
  Type *Ty = Best ? Best->getType() : nullptr;
  if (!Ty ||
      (!Ty->isFloatTy() && !Ty->isDoubleTy() &&
       (!Ty->isIntegerTy() || Ty->getIntegerBitWidth() > 64)) ||
      (Ty->getPrimitiveSizeInBits() > Half &&
       Ty->getPrimitiveSizeInBits() != 64))
    return false;
  Wide = Ty->getPrimitiveSizeInBits() > Half;
  if (!IsYes)
    Takes = CmpInst::getInversePredicate(Takes);
  NewBest =
      dyn_cast<Instruction>(Best->getIncomingValueForBlock(L.getLoopLatch()));
  if (!leavesNaNs() || !NewBest || !L.contains(NewBest) || !isExtreme(*NewBest))
    return false;
  HasSign = hasSign();
  return true;
}

/// Is \p Phi a number alone, and the sign of a zero what the order decides?
/// Where it does not, no bits are to be packed.
bool Extreme::findNumber(PHINode &Phi) {
  auto *Choice =
      dyn_cast<SelectInst>(Phi.getIncomingValueForBlock(L.getLoopLatch()));
  Compare = Choice ? dyn_cast<FCmpInst>(Choice->getCondition()) : nullptr;
  if (!Compare || Choice->hasNoSignedZeros())
    return false;
  IsYes = Choice->getFalseValue() == &Phi;
  return findValue() && Best == &Phi &&
         (takesEqual() || !isNeverNegativeZero(*Candidate, *Choice));
}

/// Does the number of iterations leave room for the number?
bool Extreme::isShort() const {
  const auto *Most =
      dyn_cast<SCEVConstant>(SE.getConstantMaxBackedgeTakenCount(&L));
  return Most && Most->getAPInt().getLimitedValue() <= most();
}

/// Is the best one known to nothing in the nest but what chooses it?
bool Extreme::findCarried(Loop &Outer) {
  InNest.emplace(Outer, L, SE);
  return InNest->findBest(*Best, *NewBest, {Compare});
}

/// Is \p Phi chosen where a number is compared with the best one?
bool Extreme::findCompared(PHINode &Phi) {
  auto *Choice =
      dyn_cast<SelectInst>(Phi.getIncomingValueForBlock(L.getLoopLatch()));
  Compare = Choice && L.contains(Choice)
                ? dyn_cast<CmpInst>(Choice->getCondition())
                : nullptr;
  if (!Compare || is_contained(Compare->operands(), &Phi))
    return false;
  IsYes = Choice->getFalseValue() == &Phi;
  return (IsYes || Choice->getTrueValue() == &Phi) && findValue();
}

/// Does what is chosen as the best one is go with it through all loops?
bool Extreme::findCompanions() {
  SmallVector<const User *, 4> Choices = {NewBest};
  SmallVector<WithBest, 4> Values = chosenBy(*Compare, L, !IsYes);
  for (const WithBest &V : Values)
    Choices.push_back(V.New);
  return InNest->find(Values, {}) &&
         all_of(Compare->users(),
                [&](const User *U) { return is_contained(Choices, U); });
}

/// Is it <, <=, > or >=, and false where one of both is a NaN?
bool Extreme::leavesNaNs() const {
  if (!isNumber())
    return cast<ICmpInst>(Compare)->isRelational();
  using P = CmpInst;
  return is_contained({P::FCMP_OGT, P::FCMP_OGE, P::FCMP_OLT, P::FCMP_OLE},
                      Takes) ||
         (Compare->hasNoNaNs() &&
          is_contained({P::FCMP_UGT, P::FCMP_UGE, P::FCMP_ULT, P::FCMP_ULE},
                       Takes));
}

bool Extreme::hasSign() const {
  return isNumber() && !isNeverNegativeZero(*Candidate, *NewBest) &&
         any_of(NewBest->users(), [&](const User *U) {
           return !L.contains(cast<Instruction>(U));
         });
}

/// Can the loop be there twice?  Then it does nothing but read.
bool Extreme::canRepeat() const {
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (I.mayWriteToMemory() || I.mayThrow() || I.isVolatile() ||
          I.isAtomic() || indirectUpdate(&I))
        return false;
  for (const PHINode &Phi : L.getExitBlock()->phis())
    if (const Value *V = Phi.getIncomingValueForBlock(L.getExitingBlock());
        V == Best || V == Index)
      return false;
  return true;
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
  if (!usesAre(*Best, {Compare, NewBest}) || !usesAre(*NewBest, {Best}))
    return false;
  if (!Index)
    return usesAre(*Compare, {NewBest});
  return usesAre(*Index, {NewIndex}) && usesAre(*NewIndex, {Index}) &&
         usesAre(*Compare, {NewIndex, NewBest});
}

/// A NaN is never taken.
Value *Extreme::packed(IRBuilder<> &B, Value *V, Value *Low) const {
  Value *Never = B.getInt64(isGreater() ? INT64_MIN : INT64_MAX);
  if (isNumber()) {
    Value *IsNaN, *IsNegative;
    Value *Number = withoutNaN(B, V, IsNaN);
    Value *High =
        B.CreateSExt(magnitudes(B, Number, IsNegative), B.getInt64Ty());
    if (signBits())
      Low = B.CreateOr(B.CreateShl(Low, 1),
                       B.CreateZExt(IsNegative, B.getInt64Ty()));
    return B.CreateSelect(IsNaN, Never,
                          B.CreateOr(B.CreateShl(High, Half), Low));
  }
  Value *High = isSigned() ? B.CreateSExt(V, B.getInt64Ty())
                           : B.CreateZExt(V, B.getInt64Ty());
  return B.CreateOr(B.CreateShl(High, Half), Low);
}

/// The index \p V as a lower half, or back.
Value *Extreme::counted(IRBuilder<> &B, Value *V) const {
  if (countsDown())
    return B.CreateSub(B.getInt64(most()), V);
  return B.CreateAdd(V, B.getInt64(1));
}

/// The iteration in which an index is, as a number that is not negative.
Value *Extreme::position(IRBuilder<> &B,
                         function_ref<Value *(Value *)> CopyOf) const {
  return Start ? B.CreateSub(CopyOf(Counted), Start)
               : B.CreateZExt(CopyOf(Counter), B.getInt64Ty());
}

/// The index in iteration \p Position.
Value *Extreme::indexAt(IRBuilder<> &B, Value *Position) const {
  return B.CreateTrunc(Start ? B.CreateAdd(Position, Start) : Position,
                       Index->getType());
}

/// The floating-point number of \p Key, which is none from before the loop.
Value *Extreme::numberOf(IRBuilder<> &B, Value *Key) const {
  Type *I32 = B.getInt32Ty();
  Value *High = B.CreateTrunc(B.CreateAShr(Key, Half), I32);
  Value *Magnitude =
      B.CreateBinaryIntrinsic(Intrinsic::abs, High, B.getInt1(false));
  Value *Sign = signBits() ? B.CreateTrunc(Key, I32) : B.CreateLShr(High, 31);
  return asBits(B, B.CreateOr(Magnitude, B.CreateShl(Sign, 31)),
                Best->getType());
}

/// Is what was there before the loop still the best?
Value *Extreme::isOld(IRBuilder<> &B, Value *Key) const {
  Value *Low = B.CreateAnd(B.CreateLShr(Key, signBits()), B.getInt64(full()));
  Value *IsOld = B.CreateICmpEQ(Low, B.getInt64(none()));
  return isNumber() ? orNaN(B, IsOld, first()) : IsOld;
}

Value *Extreme::bestOf(IRBuilder<> &B, Value *Key) const {
  if (isNumber())
    return B.CreateSelect(isOld(B, Key), first(), numberOf(B, Key));
  return B.CreateTrunc(B.CreateLShr(Key, Half), Best->getType());
}

/// The iteration that \p Key is from.
Value *Extreme::placeOf(IRBuilder<> &B, Value *Key) const {
  Value *Low = B.CreateAnd(B.CreateLShr(Key, signBits()), B.getInt64(full()));
  return countsDown() ? counted(B, Low) : B.CreateSub(Low, B.getInt64(1));
}

Value *Extreme::indexOf(IRBuilder<> &B, Value *Key) const {
  Value *Old = Index->getIncomingValueForBlock(L.getLoopPreheader());
  return B.CreateSelect(isOld(B, Key), Old, indexAt(B, placeOf(B, Key)));
}

/// What becomes of \p Key in an iteration.
Instruction *Extreme::update(PHINode *Key) const {
  IRBuilder<> B(Index ? NewIndex : NewBest);
  Value *Number = position(B, [](Value *V) { return V; });
  return better(B, Key, packed(B, Candidate, counted(B, Number)), isGreater());
}

/// The smaller or the larger one.
Instruction *Extreme::better(IRBuilder<> &B, Value *Old, Value *New,
                             bool Greater) const {
  Intrinsic::ID ID = Greater ? (isSigned() ? Intrinsic::smax : Intrinsic::umax)
                             : (isSigned() ? Intrinsic::smin : Intrinsic::umin);
  return cast<Instruction>(B.CreateBinaryIntrinsic(ID, Old, New));
}

/// What is used behind the loop comes from \p Key, or from what that becomes.
void Extreme::leave(PHINode *Key, Instruction *NewKey) const {
  BasicBlock *Exit = L.getExitBlock();
  for (PHINode &Phi : make_early_inc_range(Exit->phis())) {
    Value *V = Phi.getIncomingValueForBlock(L.getExitingBlock());
    if (!is_contained(parts(), V))
      continue;
    bool IsOld = V == Best || V == Index;
    auto *Last = PHINode::Create(Key->getType(), 1, "", Exit->begin());
    Last->addIncoming(IsOld ? Key : NewKey, L.getExitingBlock());
    IRBuilder<> B(Exit, Exit->getFirstInsertionPt());
    Phi.replaceAllUsesWith(V == Best || V == NewBest ? bestOf(B, Last)
                                                     : indexOf(B, Last));
    Phi.eraseFromParent();
  }
}

void Extreme::drop() {
  for (Instruction *I : parts()) {
    SE.forgetValue(I);
    I->replaceAllUsesWith(PoisonValue::get(I->getType()));
    I->eraseFromParent();
  }
}

void Extreme::pack() {
  if (!Index)
    Counter = addIterations(L);
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

//===-- Numbers of 64 bits ------------------------------------------------===//

/// What compares as \p V does, of 64 bits; a NaN is never taken.
Value *Extreme::keyOf(IRBuilder<> &B, Value *V) const {
  if (!isNumber())
    return B.CreateIntCast(V, B.getInt64Ty(), isSigned());
  Value *IsNaN, *IsNegative;
  Value *Number = withoutNaN(B, V, IsNaN);
  Value *Key = B.CreateSExt(magnitudes(B, Number, IsNegative), B.getInt64Ty());
  return B.CreateSelect(IsNaN, B.getInt64(isGreater() ? INT64_MIN : INT64_MAX),
                        Key);
}

/// In the second loop, in which values have \p Copies: the better one of
/// \p Place and the index of this iteration, if the number is that in \p Key.
Instruction *Extreme::find(PHINode *Place, AllocaInst &Key,
                           const ValueToValueMapTy &Copies) const {
  auto CopyOf = [&](Value *V) -> Value * {
    auto It = Copies.find(V);
    return It == Copies.end() ? V : static_cast<Value *>(It->second);
  };
  IRBuilder<> B(cast<Instruction>(CopyOf(NewIndex)));
  Value *Here = position(B, CopyOf);
  return cast<Instruction>(findPlace(B, Place, Place->getIncomingValue(0),
                                     CopyOf(Candidate), Here, Key));
}

/// The better one of \p Place and \p Here, if \p Number there is that in
/// \p Key.
Value *Extreme::findPlace(IRBuilder<> &B, Value *Place, Value *None,
                          Value *Number, Value *Here, AllocaInst &Key) const {
  if (signBits()) {
    unsigned Width = Number->getType()->getPrimitiveSizeInBits();
    Value *Bits = asBits(B, Number, B.getIntNTy(Width));
    Value *Sign = B.CreateZExt(B.CreateLShr(Bits, Width - 1), B.getInt64Ty());
    Here = B.CreateOr(B.CreateShl(Here, 1), Sign);
  }
  Value *IsIt =
      B.CreateICmpEQ(keyOf(B, Number), B.CreateLoad(B.getInt64Ty(), &Key));
  return B.CreateBinaryIntrinsic(takesEqual() ? Intrinsic::smax
                                              : Intrinsic::smin,
                                 Place, B.CreateSelect(IsIt, Here, None));
}

/// The number of \p Key, found at \p Place.
Value *Extreme::wideBest(IRBuilder<> &B, Value *Key, Value *Place) const {
  if (!isNumber())
    return B.CreateTrunc(Key, Best->getType());
  return signedNumber(B, Key, signBits() ? Place : B.CreateLShr(Key, 63),
                      Best->getType());
}

/// Of a number of 64 bits alone, or one of a nest, two reductions: what
/// compares as it does, and the first or the last zero, which counts where that
/// is the best one.
void Extreme::splitSign() {
  if (!InNest && !findCarried(L))
    return; // which isAlone has excluded
  Loop &Nest = InNest->Best.nest();
  BasicBlock *Exit = Nest.getExitBlock();
  InNest->All.begin();
  Value *First = first(), *Counted = InNest->All.count(Nest, L);
  IRBuilder<> B(Nest.getLoopPreheader()->getTerminator());
  Value *Begin = keyOf(B, First);
  Constant *None = B.getInt64(takesEqual() ? -1 : INT64_MAX);
  B.SetInsertPoint(NewBest);
  Value *Here = keyOf(B, Candidate);
  auto Keys = InNest->Best.carry(
      *Begin, [&](Value &Old) { return better(B, &Old, Here, isGreater()); });
  unsigned Width = Candidate->getType()->getPrimitiveSizeInBits();
  Value *Sign = B.CreateZExt(
      B.CreateLShr(asBits(B, Candidate, B.getIntNTy(Width)), Width - 1),
      B.getInt64Ty());
  Value *Place = B.CreateOr(B.CreateShl(Counted, 1), Sign);
  Value *IsZero = B.CreateICmpEQ(Here, B.getInt64(0));
  auto Zeros = InNest->Best.carry(*None, [&](Value &Old) {
    return B.CreateBinaryIntrinsic(takesEqual() ? Intrinsic::smax
                                                : Intrinsic::smin,
                                   &Old, B.CreateSelect(IsZero, Place, None));
  });

  for (PHINode &Phi : make_early_inc_range(Exit->phis())) {
    Value *V = Phi.getIncomingValueForBlock(Nest.getExitingBlock());
    if (!Keys.contains(V))
      continue;
    auto Last = [&](Value *Of) {
      auto *Left = PHINode::Create(B.getInt64Ty(), 1, "", Exit->begin());
      Left->addIncoming(Of, Nest.getExitingBlock());
      return Left;
    };
    Value *LastKey = Last(Keys[V]), *LastZero = Last(Zeros[V]);
    IRBuilder<> Behind(Exit, Exit->getFirstInsertionPt());
    Value *IsOld = Behind.CreateICmpEQ(LastKey, Begin);
    if (takesEqual())
      IsOld = Behind.CreateAnd(IsOld, Behind.CreateICmpEQ(LastZero, None));
    Value *SignOfBest =
        Behind.CreateSelect(Behind.CreateICmpEQ(LastKey, Behind.getInt64(0)),
                            LastZero, Behind.CreateLShr(LastKey, 63));
    Phi.replaceAllUsesWith(Behind.CreateSelect(
        orNaN(Behind, IsOld, First), First,
        signedNumber(Behind, LastKey, SignOfBest, Best->getType())));
    Phi.eraseFromParent();
  }
  Keys[Best]->takeName(Best);
  InNest->Best.drop(SE);
  Compare->eraseFromParent();
}

/// Find the extreme in one loop, and in a second one like it the iteration that
/// it comes from.
void Extreme::repeat(LoopInfo &LI, DominatorTree &DT) {
  BasicBlock *Exit = L.getExitBlock(), *Latch = L.getLoopLatch();
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  Value *First = first();
  Value *OldIndex = Index->getIncomingValueForBlock(L.getLoopPreheader());
  Value *Begin = keyOf(B, First);
  // What is in front of the loop is not to be there twice.
  SplitBlock(L.getLoopPreheader(), L.getLoopPreheader()->getTerminator(), &DT,
             &LI);
  ValueToValueMapTy Copies;
  SmallVector<BasicBlock *, 8> Blocks;
  cloneLoopWithPreheader(Exit, Latch, &L, Copies, ".place", &LI, &DT, Blocks);
  remapInstructionsInBlocks(Blocks, Copies);
  auto *Between =
      cast<BasicBlock>(static_cast<Value *>(Copies[L.getLoopPreheader()]));
  auto *NewLatch = cast<BasicBlock>(static_cast<Value *>(Copies[Latch]));
  auto *NewHeader =
      cast<BasicBlock>(static_cast<Value *>(Copies[L.getHeader()]));
  Latch->getTerminator()->replaceSuccessorWith(Exit, Between);
  DT.changeImmediateDominator(Exit, NewLatch);

  auto *Key = PHINode::Create(B.getInt64Ty(), 2, "", L.getHeader()->begin());
  Key->addIncoming(Begin, L.getLoopPreheader());
  IRBuilder<> InLoop(NewIndex);
  Instruction *NewKey =
      better(InLoop, Key, keyOf(InLoop, Candidate), isGreater());
  Key->addIncoming(NewKey, Latch);
  auto *Last = PHINode::Create(Key->getType(), 1, "", Between->begin());
  Last->addIncoming(NewKey, Latch);

  auto *Place = PHINode::Create(B.getInt64Ty(), 2, "", NewHeader->begin());
  Place->addIncoming(B.getInt64(takesEqual() ? -1 : INT64_MAX), Between);
  // In memory of its own: the second loop would read the variable of the first
  // one else, whose updates have no order.
  IRBuilder<> Entry(
      &*L.getHeader()->getParent()->getEntryBlock().getFirstInsertionPt());
  Entry.SetCurrentDebugLocation(DebugLoc());
  AllocaInst *Memory =
      Entry.CreateAlloca(ArrayType::get(B.getInt64Ty(), 2), nullptr, "extreme");
  new StoreInst(Last, Memory, Between->getTerminator()->getIterator());
  Instruction *NewPlace = find(Place, *Memory, Copies);
  Place->addIncoming(NewPlace, NewLatch);
  auto *Found = PHINode::Create(B.getInt64Ty(), 1, "", Exit->begin());
  Found->addIncoming(NewPlace, NewLatch);

  B.SetInsertPoint(Exit, Exit->getFirstInsertionPt());
  Value *IsOld = takesEqual() ? B.CreateICmpEQ(Found, B.getInt64(-1))
                              : B.CreateICmpEQ(Last, Begin);
  if (isNumber())
    IsOld = orNaN(B, IsOld, First);
  for (PHINode &Phi : make_early_inc_range(Exit->phis())) {
    if (&Phi == Found)
      continue;
    Value *V = Phi.getIncomingValueForBlock(Latch);
    if (V == NewBest || V == NewIndex) {
      Value *New = V == NewBest ? wideBest(B, Last, Found)
                                : indexAt(B, B.CreateLShr(Found, signBits()));
      Phi.replaceAllUsesWith(
          B.CreateSelect(IsOld, V == NewBest ? First : OldIndex, New));
      Phi.eraseFromParent();
      continue;
    }
    auto *Left = PHINode::Create(V->getType(), 1, "", Between->begin());
    Left->addIncoming(V, Latch);
    Phi.setIncomingBlock(0, NewLatch);
    Phi.setIncomingValue(0, Left);
  }
  for (Instruction *I : parts()) {
    auto *Copy = cast<Instruction>(static_cast<Value *>(Copies[I]));
    Copy->replaceAllUsesWith(PoisonValue::get(Copy->getType()));
    Copy->eraseFromParent();
  }
  SmallVector<WeakVH, 8> Others;
  for (PHINode &Phi : NewHeader->phis())
    Others.push_back(&Phi);
  for (WeakVH &V : Others)
    if (V && V != Place)
      RecursivelyDeleteDeadPHINode(cast<PHINode>(static_cast<Value *>(V)));
  Key->takeName(Best);
  drop();
}

//===-- Nests -------------------------------------------------------------===//

/// Take away what computes nothing that is used behind the loops, which only
/// read, in \p Blocks.
static void dropUnused(ArrayRef<BasicBlock *> Blocks, ScalarEvolution &SE) {
  SmallPtrSet<const Value *, 32> Inside(Blocks.begin(), Blocks.end());
  SmallVector<const Instruction *, 32> Open;
  SmallPtrSet<const Instruction *, 32> Used;
  for (const BasicBlock *BB : Blocks)
    for (const Instruction &I : *BB)
      if (I.isTerminator() || I.mayHaveSideEffects() ||
          any_of(I.users(), [&](const User *U) {
            return !Inside.contains(cast<Instruction>(U)->getParent());
          }))
        Open.push_back(&I);
  while (!Open.empty()) {
    const Instruction *I = Open.pop_back_val();
    if (Used.insert(I).second)
      for (const Value *V : I->operands())
        if (const auto *Next = dyn_cast<Instruction>(V);
            Next && Inside.contains(Next->getParent()))
          Open.push_back(Next);
  }
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : make_early_inc_range(*BB))
      if (!Used.contains(&I)) {
        SE.forgetValue(&I);
        I.replaceAllUsesWith(PoisonValue::get(I.getType()));
        I.eraseFromParent();
      }
}

/// One variable for the number and the iteration, of all loops.
void Extreme::packNest(LoopInfo &LI, DominatorTree &DT) {
  Loop &Nest = InNest->Best.nest();
  BasicBlock *Exit = Nest.getExitBlock();
  InNest->All.begin();
  Value *Count = InNest->All.count(Nest, L);
  IRBuilder<> B(Nest.getLoopPreheader()->getTerminator());
  Value *Begin = packed(B, first(), B.getInt64(none()));
  auto Keys = InNest->Best.carry(*Begin, [&](Value &Old) {
    IRBuilder<> At(NewBest);
    return better(At, &Old, packed(At, Candidate, counted(At, Count)),
                  isGreater());
  });
  Keys[Best]->takeName(Best);
  auto *Key = PHINode::Create(B.getInt64Ty(), 1, "", Exit->begin());
  Key->addIncoming(Keys[InNest->Last], Nest.getExitingBlock());
  B.SetInsertPoint(Exit, Exit->getFirstInsertionPt());
  Value *Number = bestOf(B, Key), *IsOld = isOld(B, Key);
  InNest->leave(B, Number, IsOld, placeOf(B, Key), LI, DT);
  dropUnused(Nest.getBlocks(), SE);
}

/// One nest for the number, and another one like it for the iteration.
void Extreme::repeatNest(LoopInfo &LI, DominatorTree &DT) {
  Loop &Nest = InNest->Best.nest();
  BasicBlock *Exit = Nest.getExitBlock(), *Latch = Nest.getLoopLatch();
  InNest->All.begin();
  IRBuilder<> B(Nest.getLoopPreheader()->getTerminator());
  Value *First = first();
  Value *Begin = keyOf(B, First);
  // What is in front of the nest is not to be there twice.
  SplitBlock(Nest.getLoopPreheader(), Nest.getLoopPreheader()->getTerminator(),
             &DT, &LI);
  ValueToValueMapTy Copies;
  SmallVector<BasicBlock *, 8> Blocks;
  Loop *Second = cloneLoopWithPreheader(Exit, Latch, &Nest, Copies, ".place",
                                        &LI, &DT, Blocks);
  remapInstructionsInBlocks(Blocks, Copies);
  auto CopyOf = [&](const Value *V) -> Value * { return Copies.lookup(V); };
  auto *Between = cast<BasicBlock>(CopyOf(Nest.getLoopPreheader()));
  auto *NewLatch = cast<BasicBlock>(CopyOf(Latch));
  Latch->getTerminator()->replaceSuccessorWith(Exit, Between);
  DT.changeImmediateDominator(Exit, NewLatch);

  auto Keys = InNest->Best.carry(*Begin, [&](Value &Old) {
    IRBuilder<> At(NewBest);
    return better(At, &Old, keyOf(At, Candidate), isGreater());
  });
  Keys[Best]->takeName(Best);
  auto *Key = PHINode::Create(B.getInt64Ty(), 1, "", Between->begin());
  Key->addIncoming(Keys[InNest->Last], Latch);
  IRBuilder<> Entry(
      &*Latch->getParent()->getEntryBlock().getFirstInsertionPt());
  Entry.SetCurrentDebugLocation(DebugLoc());
  AllocaInst *Memory = Entry.CreateAlloca(ArrayType::get(B.getInt64Ty(), 2),
                                          nullptr, "extreme"); // as in repeat
  new StoreInst(Key, Memory, Between->getTerminator()->getIterator());

  Value *Count = InNest->All.count(
      *Second, *LI.getLoopFor(cast<BasicBlock>(CopyOf(L.getHeader()))));
  Constant *None = B.getInt64(takesEqual() ? -1 : INT64_MAX);
  auto Places =
      InNest->Best.copy(*Second, Copies).carry(*None, [&](Value &Old) {
        IRBuilder<> At(cast<Instruction>(CopyOf(NewBest)));
        Value *Number = CopyOf(Candidate);
        return findPlace(At, &Old, None, Number ? Number : Candidate, Count,
                         *Memory);
      });
  for (PHINode &Phi : Exit->phis()) {
    Value *V = Phi.getIncomingValue(0);
    Phi.setIncomingBlock(0, NewLatch);
    if (InNest->isOurs(*V))
      continue;
    auto *Left = PHINode::Create(V->getType(), 1, "", Between->begin());
    Left->addIncoming(V, Latch);
    Phi.setIncomingValue(0, Left);
  }
  auto *Found = PHINode::Create(B.getInt64Ty(), 1, "", Exit->begin());
  Found->addIncoming(Places[CopyOf(InNest->Last)], NewLatch);
  B.SetInsertPoint(Exit, Exit->getFirstInsertionPt());
  Value *IsOld =
      takesEqual() ? B.CreateICmpEQ(Found, None) : B.CreateICmpEQ(Key, Begin);
  if (isNumber())
    IsOld = orNaN(B, IsOld, First);
  Value *Number = B.CreateSelect(IsOld, First, wideBest(B, Key, Found));
  InNest->leave(B, Number, IsOld, B.CreateLShr(Found, signBits()), LI, DT);
  dropUnused(Nest.getBlocks(), SE);
  dropUnused(Second->getBlocks(), SE);
}

} // namespace

/// Is \p Phi one that may go with an extreme?
static bool isChosen(const PHINode &Phi, const Loop &L) {
  return L.getLoopLatch() &&
         isa<SelectInst>(Phi.getIncomingValueForBlock(L.getLoopLatch()));
}

/// Minima and maxima without an index.
static bool packNumbers(Loop &L, LoopInfo &LI, DominatorTree &DT,
                        ScalarEvolution &SE) {
  bool Changed = false;
  SmallVector<PHINode *, 4> Phis;
  for (PHINode &Phi : L.getHeader()->phis())
    if ((Phi.getType()->isFloatTy() || Phi.getType()->isDoubleTy()) &&
        L.getLoopLatch() &&
        isa<SelectInst>(Phi.getIncomingValueForBlock(L.getLoopLatch())))
      Phis.push_back(&Phi);
  if (!Phis.empty() && !L.isLCSSAForm(DT))
    Changed |= formLCSSA(L, DT, &LI, &SE);
  for (PHINode *Phi : Phis) {
    Extreme E(L, SE);
    if (!E.isOrdered(*Phi))
      continue;
    if (E.isRepeated())
      E.splitSign();
    else
      E.pack();
    Changed = true;
  }
  return Changed;
}

/// A minimum or maximum and what goes with it, which \p L in \p Nest looks for.
static bool packPlaces(Loop &Nest, Loop &L, LoopInfo &LI, DominatorTree &DT,
                       ScalarEvolution &SE) {
  for (PHINode &Phi : L.getHeader()->phis()) {
    Extreme E(L, SE);
    if (!E.hasPlaceIn(Nest, Phi))
      continue;
    if (E.isRepeated())
      E.repeatNest(LI, DT);
    else
      E.packNest(LI, DT);
    SE.forgetLoop(&Nest);
    return true;
  }
  return false;
}

/// Minima and maxima without an index in the loops inside of \p Nest.
static bool packInside(Loop &Nest, LoopInfo &LI, DominatorTree &DT,
                       ScalarEvolution &SE) {
  bool Changed = false;
  for (Loop *L : Nest.getLoopsInPreorder()) {
    if (!L->isInnermost() || !L->getLoopLatch())
      continue;
    SmallVector<PHINode *, 4> Phis;
    for (PHINode &Phi : L->getHeader()->phis())
      Phis.push_back(&Phi);
    if (none_of(Phis, [&](const PHINode *Phi) {
          return Phi->getType()->isFloatingPointTy() ||
                 isa<SelectInst, PHINode>(
                     Phi->getIncomingValueForBlock(L->getLoopLatch()));
        }))
      continue;
    if (!Nest.isRecursivelyLCSSAForm(DT, LI))
      Changed |= formLCSSARecursively(Nest, DT, &LI, &SE);
    if (openExtremes(*L, LI, DT, SE, &Nest)) {
      Changed = true;
      Phis.clear();
      for (PHINode &Phi : L->getHeader()->phis())
        Phis.push_back(&Phi);
    }
    if (!Nest.isRecursivelyLCSSAForm(DT, LI))
      Changed |= formLCSSARecursively(Nest, DT, &LI, &SE);
    if (packPlaces(Nest, *L, LI, DT, SE)) {
      Changed = true;
      while (Nest.isRecursivelyLCSSAForm(DT, LI) &&
             packPlaces(Nest, *L, LI, DT, SE))
        ;
      continue; // the phis are others
    }
    for (PHINode *Phi : Phis) {
      Extreme E(*L, SE);
      if (!E.isOrderedIn(Nest, *Phi))
        continue;
      E.splitSign();
      SE.forgetLoop(&Nest);
      Changed = true;
      break; // other phis may be of what is gone
    }
  }
  return Changed;
}

bool packIndices(ArrayRef<Loop *> Loops, LoopInfo &LI, DominatorTree &DT,
                 ScalarEvolution &SE) {
  bool Changed = false;
  for (Loop *L : Loops) {
    if (!L->isInnermost()) {
      Changed |= packInside(*L, LI, DT, SE);
      continue;
    }
    Changed |= openExtremes(*L, LI, DT, SE);
    // What is used behind it is used in its exit.
    if (any_of(L->getHeader()->phis(),
               [&](const PHINode &Phi) { return isChosen(Phi, *L); })) {
      if (!L->isLCSSAForm(DT))
        Changed |= formLCSSA(*L, DT, &LI, &SE);
      Changed |= openBestPlaces(*L, LI, DT, SE);
    }
    SmallVector<PHINode *, 4> Phis(make_pointer_range(L->getHeader()->phis()));
    bool IsTwice = false;
    for (PHINode *Phi : Phis) {
      Extreme E(*L, SE);
      if (!E.hasIndex(*Phi))
        continue;
      IsTwice = E.isRepeated();
      if (IsTwice)
        E.repeat(LI, DT);
      else
        E.pack();
      Changed = true;
      break; // other phis may be of what is gone
    }
    if (!IsTwice)
      Changed |= packNumbers(*L, LI, DT, SE);
  }
  return Changed;
}

} // namespace polygpu
