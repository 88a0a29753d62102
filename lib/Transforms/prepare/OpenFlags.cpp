//===- OpenFlags.cpp - Flags that loops set -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/OpenFlags.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace polygpu {

namespace {

class FlagOpener {
public:
  FlagOpener(Loop &L, PHINode &Flag)
      : L(L), Flag(Flag), IsBit(Flag.getType()->isIntegerTy(1)),
        Byte(Type::getInt8Ty(Flag.getContext())) {}
  bool run();

private:
  Loop &L;
  PHINode &Flag; ///< in the header
  bool IsBit;
  Type *Byte;
  Constant *Set = nullptr; ///< what the variable is set to, if it is no bit
  SetVector<Instruction *> Values;
  SetVector<PHINode *> Behind; ///< what it is there
  DenseMap<Value *, Instruction *> Wide;

  bool takes(Instruction &User, const Instruction &V);
  bool collect();
  bool isAlone() const;
  Instruction *start(Instruction &I) const;
  Value *wide(Value *V, Instruction &Before) const;
  void finishPhi(PHINode &Phi, PHINode &New) const;
  void finishChoice(SelectInst &Choice, Instruction &New) const;
  void finish(Instruction &I) const;
  void leave(PHINode &Phi) const;
};

/// The constant that \p Choice may be, or null.
Constant *constantOf(SelectInst &Choice) {
  for (Value *Arm : {Choice.getTrueValue(), Choice.getFalseValue()})
    if (auto *C = dyn_cast<Constant>(Arm))
      return C;
  return nullptr;
}

/// May \p User, in the loop, be a value of the variable that comes from \p V?
bool FlagOpener::takes(Instruction &User, const Instruction &V) {
  if (isa<PHINode>(User))
    return true;
  if (auto *Choice = dyn_cast<SelectInst>(&User)) {
    Constant *C = constantOf(*Choice);
    if (Choice->getCondition() == &V || !C ||
        isa<UndefValue, ConstantExpr>(C) || (Set && Set != C))
      return false;
    if (!IsBit)
      Set = C;
    return true;
  }
  return IsBit && User.getType() == Flag.getType() &&
         is_contained({Instruction::And, Instruction::Or, Instruction::Xor},
                      User.getOpcode());
}

/// Find all values that come from the first one; false if one is used for
/// anything else.
bool FlagOpener::collect() {
  Values.insert(&Flag);
  for (unsigned N = 0; N < Values.size(); ++N)
    for (User *U : Values[N]->users()) {
      auto *I = cast<Instruction>(U);
      bool IsInside = L.contains(I);
      if (IsInside ? !takes(*I, *Values[N]) : !isa<PHINode>(I))
        return false;
      if (IsInside)
        Values.insert(I);
      else
        Behind.insert(cast<PHINode>(I));
    }
  return any_of(Values, [](const Instruction *I) { return !isa<PHINode>(I); });
}

/// Does no other variable meet this one?  A bit may be anything in between;
/// what is set to a constant is what it was before the loop, or the constant.
bool FlagOpener::isAlone() const {
  auto IsOwn = [&](const Value *V) {
    auto *I = dyn_cast<Instruction>(const_cast<Value *>(V));
    return I && Values.contains(I);
  };
  for (const PHINode *Phi : Behind)
    if (!all_of(Phi->incoming_values(), IsOwn))
      return false;
  if (IsBit)
    return true;
  for (const Instruction *I : Values)
    if (const auto *Phi = dyn_cast<PHINode>(I))
      for (unsigned N = 0; N < Phi->getNumIncomingValues(); ++N)
        if (!IsOwn(Phi->getIncomingValue(N)) &&
            (Phi != &Flag || L.contains(Phi->getIncomingBlock(N))))
          return false;
  return true;
}

/// The number that stands for \p I, without its operands.
Instruction *FlagOpener::start(Instruction &I) const {
  Value *None = PoisonValue::get(Byte);
  Instruction *New;
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    New = PHINode::Create(Byte, Phi->getNumIncomingValues());
  } else if (auto *Choice = dyn_cast<SelectInst>(&I)) {
    bool IsSet = !IsBit || constantOf(*Choice)->isOneValue();
    New = BinaryOperator::Create(IsSet ? Instruction::Or : Instruction::And,
                                 None, None);
  } else {
    New =
        BinaryOperator::Create(cast<BinaryOperator>(I).getOpcode(), None, None);
  }
  New->setDebugLoc(I.getDebugLoc());
  New->insertBefore(I.getIterator());
  New->takeName(&I);
  return New;
}

Value *FlagOpener::wide(Value *V, Instruction &Before) const {
  if (Value *Known = Wide.lookup(V))
    return Known;
  return IRBuilder<>(&Before).CreateZExt(V, Byte);
}

void FlagOpener::finishPhi(PHINode &Phi, PHINode &New) const {
  for (unsigned N = 0; N < Phi.getNumIncomingValues(); ++N) {
    BasicBlock *From = Phi.getIncomingBlock(N);
    Value *V = Phi.getIncomingValue(N);
    bool IsUnset = !IsBit && !Wide.count(V);
    New.addIncoming(IsUnset ? ConstantInt::get(Byte, 0)
                            : wide(V, *From->getTerminator()),
                    From);
  }
}

/// c ? 1 : v is v | c, c ? 0 : v is v & !c, and so on.
void FlagOpener::finishChoice(SelectInst &Choice, Instruction &New) const {
  bool First = isa<Constant>(Choice.getTrueValue());
  IRBuilder<> B(&New);
  Value *When = Choice.getCondition();
  if (First != (New.getOpcode() == Instruction::Or))
    When = B.CreateNot(When);
  New.setOperand(
      0, wide(First ? Choice.getFalseValue() : Choice.getTrueValue(), New));
  New.setOperand(1, B.CreateZExt(When, Byte));
}

void FlagOpener::finish(Instruction &I) const {
  Instruction &New = *Wide.lookup(&I);
  if (auto *Phi = dyn_cast<PHINode>(&I))
    return finishPhi(*Phi, cast<PHINode>(New));
  if (auto *Choice = dyn_cast<SelectInst>(&I))
    return finishChoice(*Choice, New);
  for (unsigned N = 0; N < 2; ++N)
    New.setOperand(N, wide(I.getOperand(N), New));
}

/// Have \p Phi, behind the loop, be what the variable is.
void FlagOpener::leave(PHINode &Phi) const {
  auto *New = PHINode::Create(Byte, Phi.getNumIncomingValues(), Phi.getName(),
                              Phi.getIterator());
  for (unsigned N = 0; N < Phi.getNumIncomingValues(); ++N)
    New->addIncoming(Wide.lookup(Phi.getIncomingValue(N)),
                     Phi.getIncomingBlock(N));
  IRBuilder<> B(&*Phi.getParent()->getFirstInsertionPt());
  Value *Now = B.CreateTrunc(New, B.getInt1Ty());
  if (!IsBit)
    Now = B.CreateSelect(Now, Set,
                         Flag.getIncomingValueForBlock(L.getLoopPreheader()));
  Phi.replaceAllUsesWith(Now);
  Phi.eraseFromParent();
}

bool FlagOpener::run() {
  if (!L.getLoopPreheader() || !collect() || !isAlone())
    return false;
  for (Instruction *I : Values)
    Wide[I] = start(*I);
  for (Instruction *I : Values)
    finish(*I);
  for (PHINode *Phi : Behind)
    leave(*Phi);
  for (Instruction *I : Values)
    I->replaceAllUsesWith(PoisonValue::get(I->getType()));
  for (Instruction *I : Values)
    I->eraseFromParent();
  return true;
}

/// What \p V, a bit, is as a number of 8 bits where a trunc or a constant says
/// it, or null.
Value *byteOf(Value *V) {
  Type *Byte = Type::getInt8Ty(V->getContext());
  if (auto *C = dyn_cast<ConstantInt>(V))
    return ConstantInt::get(Byte, C->getZExtValue());
  auto *Trunc = dyn_cast<TruncInst>(V);
  return Trunc && Trunc->getSrcTy() == Byte ? Trunc->getOperand(0) : nullptr;
}

/// A bit that is chosen behind the loop, or behind the condition around it, is
/// made of the number behind that: in front it would be a part of the SCoP.
bool makeBitsLate(Loop &L) {
  BasicBlock *Exit = L.getExitBlock();
  BasicBlock *Behind = Exit ? Exit->getSingleSuccessor() : nullptr;
  if (!Behind)
    return false;
  bool Changed = false;
  for (PHINode &Phi : make_early_inc_range(Behind->phis())) {
    if (!Phi.getType()->isIntegerTy(1) || Phi.getBasicBlockIndex(Exit) < 0 ||
        !isa<TruncInst>(Phi.getIncomingValueForBlock(Exit)) ||
        !byteOf(Phi.getIncomingValueForBlock(Exit)))
      continue;
    auto *New = PHINode::Create(Type::getInt8Ty(Phi.getContext()),
                                Phi.getNumIncomingValues(), Phi.getName(),
                                Phi.getIterator());
    SmallVector<WeakTrackingVH, 2> Bits;
    for (unsigned N = 0; N < Phi.getNumIncomingValues(); ++N) {
      Value *V = Phi.getIncomingValue(N), *Number = byteOf(V);
      BasicBlock *From = Phi.getIncomingBlock(N);
      if (!Number)
        Number =
            IRBuilder<>(From->getTerminator()).CreateZExt(V, New->getType());
      Bits.push_back(V);
      New->addIncoming(Number, From);
    }
    IRBuilder<> B(&*Behind->getFirstInsertionPt());
    Phi.replaceAllUsesWith(B.CreateTrunc(New, Phi.getType()));
    Phi.eraseFromParent();
    for (const WeakTrackingVH &Bit : Bits)
      if (auto *Trunc = dyn_cast_or_null<TruncInst>(static_cast<Value *>(Bit)))
        RecursivelyDeleteTriviallyDeadInstructions(Trunc);
    Changed = true;
  }
  return Changed;
}

/// The branch whose ways meet in \p Phi, of which each is one block at most;
/// null if there is no such branch.
BranchInst *branchOf(const PHINode &Phi) {
  BasicBlock *A = Phi.getIncomingBlock(0), *B = Phi.getIncomingBlock(1);
  BasicBlock *AboveA = A->getSinglePredecessor();
  BasicBlock *AboveB = B->getSinglePredecessor();
  BasicBlock *Parted = AboveA == B ? B : AboveB;
  if (!Parted || (Parted != B && Parted != A && AboveA != AboveB))
    return nullptr;
  auto *Branch = dyn_cast<BranchInst>(Parted->getTerminator());
  return Branch && Branch->isConditional() &&
                 Branch->getSuccessor(0) != Branch->getSuccessor(1)
             ? Branch
             : nullptr;
}

/// if (c) { flag = 1; a[i] = ...; }: what \p Flag is behind that becomes a
/// choice, if it is nothing but its next value.
bool chooseNext(const Loop &L, PHINode &Flag) {
  BasicBlock *Latch = L.getLoopLatch();
  auto *Next =
      Latch ? dyn_cast<PHINode>(Flag.getIncomingValueForBlock(Latch)) : nullptr;
  if (!Next || Next == &Flag || !L.contains(Next) ||
      Next->getNumIncomingValues() != 2 ||
      !all_of(Next->users(), [](const User *U) { return isa<PHINode>(U); }))
    return false;
  unsigned Old = Next->getIncomingValue(0) == &Flag ? 0 : 1;
  auto *Set = dyn_cast<Constant>(Next->getIncomingValue(1 - Old));
  BranchInst *Branch = branchOf(*Next);
  if (!Set || Next->getIncomingValue(Old) != &Flag || !Branch)
    return false;
  BasicBlock *Way = Next->getIncomingBlock(1 - Old);
  BasicBlock *Merge = Next->getParent();
  bool OnTrue =
      Branch->getSuccessor(0) == (Way == Branch->getParent() ? Merge : Way);
  IRBuilder<> B(Merge, Merge->getFirstInsertionPt());
  B.SetCurrentDebugLocation(Next->getDebugLoc());
  Value *Choice = OnTrue ? B.CreateSelect(Branch->getCondition(), Set, &Flag)
                         : B.CreateSelect(Branch->getCondition(), &Flag, Set);
  Choice->takeName(Next);
  Next->replaceAllUsesWith(Choice);
  Next->eraseFromParent();
  return true;
}

} // namespace

bool openFlags(Loop &L) {
  SmallVector<PHINode *, 4> Phis;
  for (PHINode &Phi : L.getHeader()->phis())
    if (Phi.getType()->isIntegerTy() || Phi.getType()->isFloatingPointTy())
      Phis.push_back(&Phi);
  bool Changed = false;
  for (PHINode *Phi : Phis)
    Changed |= chooseNext(L, *Phi);
  for (PHINode *Phi : Phis)
    Changed |= FlagOpener(L, *Phi).run();
  return makeBitsLate(L) || Changed;
}

} // namespace polygpu
