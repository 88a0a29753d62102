//===- DemoteReductions.cpp - Results of reductions in memory ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/DemoteReductions.h"
#include "ReductionOperators.h"
#include "prepare/FlagSteps.h"
#include "prepare/LastIndices.h"
#include "prepare/OpenFlags.h"
#include "prepare/Predicate.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace polygpu {

namespace {

/// The values that a variable has in a loop.  In memory it has at the beginning
/// and at the end of each block what it has there now.
class Chain {
public:
  Chain(Loop &L, const LoopInfo &LI, PHINode &Begin, bool Reassociate,
        const Predication &Guarded)
      : L(L), LI(LI), Begin(Begin), Reassociate(Reassociate), Guarded(Guarded) {
  }
  bool isReduction() {
    return collect() && Op != PG_OP_NONE && follow() && leaves();
  }
  void demote();

private:
  Loop &L;
  const LoopInfo &LI;
  PHINode &Begin; ///< in the header
  bool Reassociate;
  const Predication &Guarded;
  pg_operator Op = PG_OP_NONE;
  SetVector<Instruction *> Values;
  DenseMap<BasicBlock *, Instruction *> In, Out; ///< what it is, by block

  bool collect();
  bool mayUse(const Instruction &User, const Instruction &V);
  Instruction *begins(BasicBlock &B) const;
  Instruction *ends(BasicBlock &B) const;
  bool follow();
  bool edgesFit() const;
  bool leaves() const;
  bool isValue(const Value *V) const {
    auto *I = dyn_cast<Instruction>(const_cast<Value *>(V));
    return I && Values.contains(I);
  }
  AllocaInst *makeMemory() const;
  void rewrite(BasicBlock &B, AllocaInst &Memory) const;
};

/// Is \p Compare a comparison with \p V for the choice of the larger or the
/// smaller one?
bool isForChoice(const Instruction &Compare, const Instruction &V) {
  if (!isa<FCmpInst>(Compare) || !Compare.hasOneUse())
    return false;
  const auto *Choice = dyn_cast<SelectInst>(Compare.user_back());
  return Choice && Choice->getParent() == Compare.getParent() &&
         (Choice->getTrueValue() == &V || Choice->getFalseValue() == &V);
}

/// May \p User, which is in the loop, use the value \p V of the variable?  The
/// order of operands matters to the operator only.
bool Chain::mayUse(const Instruction &User, const Instruction &V) {
  if (isa<PHINode>(User))
    return true;
  if (const auto *Choice = dyn_cast<SelectInst>(&User))
    return Choice->getCondition() != &V;
  unsigned Operands;
  pg_operator Own = operatorOf(User, Reassociate, Operands);
  if (Own == PG_OP_NONE || (Op != PG_OP_NONE && Own != Op))
    return false;
  for (unsigned N = 0; N < User.getNumOperands(); ++N)
    if (User.getOperand(N) == &V && !(Operands & 1u << N))
      return false;
  Op = Own;
  return true;
}

/// Find all values that come from the first one; false if one of them is used
/// for anything else in the loop.
bool Chain::collect() {
  Values.insert(&Begin);
  for (unsigned I = 0; I < Values.size(); ++I)
    for (User *U : Values[I]->users()) {
      auto *User = cast<Instruction>(U);
      if (!L.contains(User) || Guarded.isTest(*User))
        continue;
      if (isForChoice(*User, *Values[I]))
        Op = Op == PG_OP_NONE ? PG_OP_MAX : Op; // or PG_OP_MIN
      else if (mayUse(*User, *Values[I]))
        Values.insert(User);
      else
        return false;
    }
  return true;
}

/// What the variable is at the beginning of \p B; null if that is not clear.
Instruction *Chain::begins(BasicBlock &B) const {
  Instruction *First = nullptr;
  for (PHINode &Phi : B.phis())
    if (isValue(&Phi)) {
      if (First)
        return nullptr;
      First = &Phi;
    }
  for (BasicBlock *Before : predecessors(&B))
    First = First ? First : Out.lookup(Before);
  return First;
}

/// What the variable is at the end of \p B: the one value of the block that
/// others use.  Null if there are several, or if the block uses what it was at
/// another place.
Instruction *Chain::ends(BasicBlock &B) const {
  Instruction *First = In.lookup(&B), *Last = First;
  for (Instruction &I : B) {
    if (isa<PHINode>(I))
      continue;
    for (Value *V : I.operands())
      if (isValue(V) && V != First &&
          (cast<Instruction>(V)->getParent() != &B || isa<PHINode>(V)))
        return nullptr;
    if (isValue(&I))
      Last = &I;
  }
  for (Instruction &I : B)
    if (!isa<PHINode>(I) && isValue(&I) && &I != Last)
      for (const User *U : I.users())
        if (cast<Instruction>(U)->getParent() != &B || isa<PHINode>(U))
          return nullptr;
  return Last;
}

/// Does each edge in the loop lead to what the variable is behind it?  Where an
/// edge brings poison any value will do: IndVarSimplify leaves such edges
/// behind guards of inner loops that the outer one has decided, in nests over
/// squares.
bool Chain::edgesFit() const {
  for (BasicBlock *B : L.blocks())
    for (BasicBlock *Before : predecessors(B)) {
      if (!L.contains(Before))
        continue;
      Value *Needed = In.lookup(B);
      if (auto *Phi = dyn_cast<PHINode>(Needed); Phi && Phi->getParent() == B)
        Needed = Phi->getIncomingValueForBlock(Before);
      if (!isa<PoisonValue>(Needed) && Needed != Out.lookup(Before))
        return false;
    }
  return true;
}

/// Is there at each place of the loop one value that the variable has?
bool Chain::follow() {
  LoopBlocksRPO Order(&L);
  Order.perform(&LI);
  for (BasicBlock *B : Order) {
    if (!(In[B] = begins(*B)) || !(Out[B] = ends(*B)))
      return false;
  }
  return edgesFit();
}

/// Is what the variable is behind the loop its value at the exit?
bool Chain::leaves() const {
  BasicBlock *Exit = L.getExitBlock();
  if (!Exit || !L.hasDedicatedExits() || !L.getLoopPreheader())
    return false;
  for (Instruction *V : Values)
    for (User *U : V->users()) {
      auto *Phi = dyn_cast<PHINode>(U);
      if (L.contains(cast<Instruction>(U)))
        continue;
      if (!Phi || Phi->getParent() != Exit)
        return false;
      for (BasicBlock *From : Phi->blocks())
        if (Phi->getIncomingValueForBlock(From) != Out.lookup(From))
          return false;
    }
  return true;
}

/// Memory for the variable, which debuggers and remarks know by its name.
AllocaInst *Chain::makeMemory() const {
  Function &F = *L.getHeader()->getParent();
  IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
  B.SetCurrentDebugLocation(DebugLoc());
  AllocaInst *Memory = B.CreateAlloca(Begin.getType());
  Memory->setName(Begin.getName());
  SmallVector<DbgVariableRecord *, 4> Records;
  findDbgUsers(&Begin, Records);
  for (DbgVariableRecord *R : Records) {
    if (R->isDbgAssign() || R->hasArgList())
      continue;
    DbgVariableRecord *Own = R->clone();
    Own->setRawLocation(ValueAsMetadata::get(Memory));
    Own->setExpression(
        DIExpression::append(R->getExpression(), {dwarf::DW_OP_deref}));
    L.getHeader()->insertDbgRecordBefore(Own,
                                         L.getHeader()->getFirstNonPHIIt());
    break;
  }
  return Memory;
}

/// Have \p B use and leave what is in \p Memory.
void Chain::rewrite(BasicBlock &B, AllocaInst &Memory) const {
  Instruction *First = In.lookup(&B), *Last = Out.lookup(&B);
  LoadInst *Load = nullptr;
  for (Instruction &I : B) {
    if (isa<PHINode>(I) || !is_contained(I.operands(), First))
      continue;
    if (!Load) {
      Load = new LoadInst(First->getType(), &Memory, "", I.getIterator());
      Load->setDebugLoc(I.getDebugLoc());
    }
    I.replaceUsesOfWith(First, Load);
  }
  if (Last == First)
    return;
  auto *Store = new StoreInst(Last, &Memory, std::next(Last->getIterator()));
  Store->setDebugLoc(Last->getDebugLoc());
}

void Chain::demote() {
  AllocaInst *Memory = makeMemory();
  BasicBlock *Before = L.getLoopPreheader(), *Exit = L.getExitBlock();
  new StoreInst(Begin.getIncomingValueForBlock(Before), Memory,
                Before->getTerminator()->getIterator());
  LoadInst *Result = nullptr;
  for (PHINode &Phi : make_early_inc_range(Exit->phis())) {
    if (!any_of(Phi.incoming_values(),
                [&](const Use &U) { return isValue(U.get()); }))
      continue;
    if (!Result)
      Result = new LoadInst(Begin.getType(), Memory, "",
                            Exit->getFirstInsertionPt());
    Phi.replaceAllUsesWith(Result);
    Phi.eraseFromParent();
  }
  for (BasicBlock *B : L.blocks())
    rewrite(*B, *Memory);
  for (Instruction *V : Values)
    if (isa<PHINode>(V)) {
      V->replaceAllUsesWith(PoisonValue::get(V->getType()));
      V->eraseFromParent();
    }
}

/// May a variable of type \p Ty be an element of an array of the device?
bool isElement(Type *Ty) {
  if (!Ty->isIntegerTy())
    return Ty->isFloatTy() || Ty->isDoubleTy();
  unsigned Bits = Ty->getIntegerBitWidth();
  return Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64;
}

/// "c ? -p : p", which LLVM makes of p * (c ? -1 : 1): the other value than \p
/// P, or null.
Instruction *negated(const SelectInst &Choice, const PHINode &P) {
  const Value *A = Choice.getTrueValue(), *B = Choice.getFalseValue();
  if (A != &P && B != &P)
    return nullptr;
  auto *Other = dyn_cast<Instruction>(const_cast<Value *>(A == &P ? B : A));
  if (!Other || !Other->hasOneUse())
    return nullptr;
  bool IsNegated = match(Other, m_Neg(m_Specific(&P))) ||
                   (match(Other, m_FNeg(m_Specific(&P))) &&
                    Other->hasNoNaNs() && Choice.hasNoNaNs());
  return IsNegated ? Other : nullptr;
}

/// Have choices between a variable of \p L and its negative be products again.
bool multiplyBySigns(Loop &L) {
  SmallVector<std::tuple<PHINode *, SelectInst *, Instruction *>, 2> Found;
  for (PHINode &P : L.getHeader()->phis())
    for (User *U : P.users())
      if (auto *Choice = dyn_cast<SelectInst>(U);
          Choice && L.contains(Choice) && isElement(P.getType()))
        if (Instruction *Other = negated(*Choice, P))
          Found.push_back({&P, Choice, Other});
  for (auto [P, Choice, Other] : Found) {
    IRBuilder<> B(Choice);
    Type *Ty = Choice->getType();
    const bool IsInteger = Ty->isIntegerTy(),
               First = Choice->getTrueValue() == Other;
    auto Number = [&](int N) -> Constant * {
      return IsInteger ? static_cast<Constant *>(ConstantInt::getSigned(Ty, N))
                       : ConstantFP::get(Ty, N);
    };
    Value *Sign = B.CreateSelect(Choice->getCondition(), Number(First ? -1 : 1),
                                 Number(First ? 1 : -1));
    Value *Product =
        IsInteger ? B.CreateMul(P, Sign) : B.CreateFMulFMF(P, Sign, Choice);
    Choice->replaceAllUsesWith(Product);
    Choice->eraseFromParent();
    Other->eraseFromParent();
  }
  return !Found.empty();
}

//===-- Updates in several branches ---------------------------------------===//

/// Of "s + a" and "s - b" in branches of one condition is made "s + t", where t
/// is a or -b: one update, behind the condition.
class BranchMerger {
public:
  explicit BranchMerger(bool Reassociate) : Reassociate(Reassociate) {
    Flags.set();
  }
  /// The update of \p Of that replaces \p Merge, which is what the variable is
  /// behind all branches, or null.
  Instruction *run(PHINode &Merge, Value &Of);
  Instruction *run(SelectInst &Merge, Value &Of);

private:
  bool Reassociate;
  unsigned Op = 0;      ///< the operator, when one has been seen
  unsigned Updates = 0; ///< branches with it
  FastMathFlags Flags;
  DebugLoc Loc;

  static const unsigned MaxSteps = 4;

  unsigned operatorFor(const Instruction &I) const;
  bool comesFrom(Value *V, Value &Of, unsigned Steps);
  Value *operandOf(Value *V, Value &Of);
  void note(const Value &V, const Value &Of);
  Instruction *replace(Instruction &Merge, Value &Of, Value &With,
                       Instruction &Before);
};

/// The operator with which \p I updates one of its operands; 0 if none.
unsigned BranchMerger::operatorFor(const Instruction &I) const {
  switch (I.getOpcode()) {
  case Instruction::Sub:
    return Instruction::Add;
  case Instruction::Add:
  case Instruction::Mul:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return I.getOpcode();
  case Instruction::FSub:
  case Instruction::FAdd:
    return Reassociate || I.hasAllowReassoc() ? unsigned(Instruction::FAdd) : 0;
  default:
    return 0;
  }
}

static bool isDifference(const Instruction &I) {
  return I.getOpcode() == Instruction::Sub ||
         I.getOpcode() == Instruction::FSub;
}

/// Is \p V an update of \p Of, or \p Of, by one operator, or a choice of such?
bool BranchMerger::comesFrom(Value *V, Value &Of, unsigned Steps) {
  if (V == &Of)
    return true;
  if (auto *Choice = dyn_cast<SelectInst>(V))
    return Choice->hasOneUse() && Steps &&
           comesFrom(Choice->getTrueValue(), Of, Steps - 1) &&
           comesFrom(Choice->getFalseValue(), Of, Steps - 1);
  auto *I = dyn_cast<BinaryOperator>(V);
  unsigned Own = I && I->hasOneUse() && Steps ? operatorFor(*I) : 0;
  if (!Own || (Op && Op != Own))
    return false;
  Op = Own;
  return comesFrom(I->getOperand(0), Of, Steps - 1) ||
         (!isDifference(*I) && comesFrom(I->getOperand(1), Of, Steps - 1));
}

/// With what \p V updates \p Of.
Value *BranchMerger::operandOf(Value *V, Value &Of) {
  const auto Code = Instruction::BinaryOps(Op);
  if (V == &Of)
    return ConstantExpr::getBinOpIdentity(Op, V->getType());
  if (auto *Choice = dyn_cast<SelectInst>(V)) {
    Value *Yes = operandOf(Choice->getTrueValue(), Of);
    Value *No = operandOf(Choice->getFalseValue(), Of);
    return IRBuilder<>(Choice).CreateSelect(Choice->getCondition(), Yes, No);
  }
  auto *I = cast<BinaryOperator>(V);
  bool First = comesFrom(I->getOperand(0), Of, MaxSteps);
  Value *Before = I->getOperand(First ? 0 : 1);
  Value *With = I->getOperand(First ? 1 : 0);
  IRBuilder<> B(I);
  if (isa<FPMathOperator>(I))
    B.setFastMathFlags(I->getFastMathFlags());
  if (isDifference(*I))
    With = I->getType()->isIntegerTy() ? B.CreateNeg(With) : B.CreateFNeg(With);
  if (Before == &Of)
    return With;
  return B.CreateBinOp(Code, operandOf(Before, Of), With);
}

/// Have \p Merge, behind all branches, be the update of \p Of with \p With.
Instruction *BranchMerger::replace(Instruction &Merge, Value &Of, Value &With,
                                   Instruction &Before) {
  auto *New = BinaryOperator::Create(Instruction::BinaryOps(Op), &Of, &With, "",
                                     Before.getIterator());
  New->setDebugLoc(Loc);
  if (isa<FPMathOperator>(New))
    New->setFastMathFlags(Flags);
  Merge.replaceAllUsesWith(New);
  Merge.eraseFromParent();
  return New;
}

/// Note what a branch's value says of numbers, and where it is.
void BranchMerger::note(const Value &V, const Value &Of) {
  const auto *I = dyn_cast<Instruction>(&V);
  if (!I || &V == &Of)
    return;
  ++Updates;
  Loc = Loc ? Loc : I->getDebugLoc();
  if (isa<FPMathOperator>(I))
    Flags &= I->getFastMathFlags();
}

Instruction *BranchMerger::run(PHINode &Merge, Value &Of) {
  Loc = Merge.getDebugLoc();
  for (Value *V : Merge.incoming_values()) {
    if (!comesFrom(V, Of, MaxSteps))
      return nullptr;
    note(*V, Of);
  }
  if (Updates < 2)
    return nullptr;
  auto *With = PHINode::Create(Merge.getType(), Merge.getNumIncomingValues(),
                               Merge.getName(), Merge.getIterator());
  SmallVector<WeakTrackingVH, 4> Old;
  for (unsigned N = 0; N < Merge.getNumIncomingValues(); ++N) {
    Value *V = Merge.getIncomingValue(N);
    With->addIncoming(operandOf(V, Of), Merge.getIncomingBlock(N));
    if (V != &Of)
      Old.push_back(V);
  }
  Instruction *New =
      replace(Merge, Of, *With, *Merge.getParent()->getFirstInsertionPt());
  for (const WeakTrackingVH &V : Old)
    if (V)
      RecursivelyDeleteTriviallyDeadInstructions(V);
  return New;
}

Instruction *BranchMerger::run(SelectInst &Merge, Value &Of) {
  Loc = Merge.getDebugLoc();
  for (Value *V : {Merge.getTrueValue(), Merge.getFalseValue()}) {
    if (!comesFrom(V, Of, MaxSteps))
      return nullptr;
    note(*V, Of);
  }
  if (Updates < 2 || !Op)
    return nullptr;
  SmallVector<WeakTrackingVH, 2> Old = {Merge.getTrueValue(),
                                        Merge.getFalseValue()};
  Value *Yes = operandOf(Merge.getTrueValue(), Of);
  Value *No = operandOf(Merge.getFalseValue(), Of);
  Value *With = IRBuilder<>(&Merge).CreateSelect(Merge.getCondition(), Yes, No);
  Instruction *New = replace(Merge, Of, *With, Merge);
  for (const WeakTrackingVH &V : Old)
    if (V)
      RecursivelyDeleteTriviallyDeadInstructions(V);
  return New;
}

/// Of \p New, an update of an update that nothing else uses, is made one update
/// with both values.
static Instruction *joinUpdates(Instruction &New) {
  auto *Before = dyn_cast<BinaryOperator>(New.getOperand(0));
  if (!Before || !Before->hasOneUse() || Before->getOpcode() != New.getOpcode())
    return &New;
  auto *Both = BinaryOperator::Create(Instruction::BinaryOps(New.getOpcode()),
                                      Before->getOperand(1), New.getOperand(1),
                                      "", New.getIterator());
  Both->setDebugLoc(New.getDebugLoc());
  Both->copyIRFlags(&New);
  New.setOperand(0, Before->getOperand(0));
  New.setOperand(1, Both);
  Before->eraseFromParent();
  return &New;
}

/// Variables of \p L that are updated in several branches are updated behind
/// them.
static bool mergeBranches(Loop &L, const LoopInfo &LI, bool Reassociate) {
  SmallVector<WeakVH, 8> Known; // an update may become a part of another one
  for (PHINode &Phi : L.getHeader()->phis())
    if (isElement(Phi.getType()))
      Known.push_back(&Phi);
  if (Known.empty())
    return false;
  bool Changed = false;
  auto Try = [&](auto &Merge) {
    for (Value *Of : Known)
      if (Of && Of->getType() == Merge.getType())
        if (Instruction *New = BranchMerger(Reassociate).run(Merge, *Of)) {
          Known.push_back(joinUpdates(*New));
          Changed = true;
          return;
        }
  };
  LoopBlocksRPO Order(&L);
  Order.perform(&LI);
  for (BasicBlock *BB : Order)
    for (Instruction &I : make_early_inc_range(*BB)) {
      if (auto *Choice = dyn_cast<SelectInst>(&I))
        Try(*Choice);
      else if (auto *Phi = dyn_cast<PHINode>(&I);
               Phi && !LI.isLoopHeader(BB) && Phi->getNumIncomingValues() > 1)
        Try(*Phi);
    }
  return Changed;
}

} // namespace

bool demoteReductions(ArrayRef<Loop *> Loops, const LoopInfo &LI,
                      ScalarEvolution &SE, bool Reassociate,
                      Predication &Guarded) {
  bool Changed = false;
  for (Loop *L : Loops) {
    Changed |= openFlagSteps(*L, Guarded);
    for (Loop *Inner : L->getLoopsInPreorder()) {
      Changed |= openFlags(*Inner);
      Changed |= openLastIndices(*Inner, SE);
      Changed |= multiplyBySigns(*Inner);
      Changed |= mergeBranches(*Inner, LI, Reassociate);
    }
    SmallVector<PHINode *, 4> Phis;
    for (PHINode &Phi : L->getHeader()->phis())
      if (isElement(Phi.getType()) && !(SE.isSCEVable(Phi.getType()) &&
                                        isa<SCEVAddRecExpr>(SE.getSCEV(&Phi))))
        Phis.push_back(&Phi);
    for (PHINode *Phi : Phis) {
      Chain C(*L, LI, *Phi, Reassociate, Guarded);
      if (!C.isReduction())
        continue;
      C.demote();
      Changed = true;
    }
  }
  return Changed;
}

} // namespace polygpu
