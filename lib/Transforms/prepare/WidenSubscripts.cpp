//===- WidenSubscripts.cpp - Subscripts in the width of addresses ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/WidenSubscripts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace PatternMatch;

/// Deeper sums are left as they are.
static const unsigned MaxDepth = 12;

/// A sum, difference or product that is poison where it overflows, or a
/// complement, -1 - x, which never does.
static const BinaryOperator *exactOperation(const Value *V) {
  const auto *Op = dyn_cast<BinaryOperator>(V);
  if (!Op)
    return nullptr;
  switch (Op->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
    return Op->hasNoSignedWrap() ? Op : nullptr;
  case Instruction::Xor:
    return match(Op, m_Not(m_Value())) ? Op : nullptr;
  default:
    return nullptr;
  }
}

/// "y == 0 ? c : c - n", a choice between two sums that is no minimum and no
/// maximum: those LLVM knows only in the width of what they compare.
static SelectInst *choiceOfSums(const Value *V) {
  auto *Choice = const_cast<SelectInst *>(dyn_cast<SelectInst>(V));
  const auto *Compare =
      Choice ? dyn_cast<ICmpInst>(Choice->getCondition()) : nullptr;
  if (!Compare)
    return nullptr;
  unsigned Sums = 0;
  for (const Value *Arm : {Choice->getTrueValue(), Choice->getFalseValue()}) {
    if (is_contained(Compare->operands(), Arm))
      return nullptr;
    Sums += exactOperation(Arm) != nullptr;
  }
  return Sums + Compare->isEquality() > 1 && Sums ? Choice : nullptr;
}

/// What \p Phi becomes in each iteration of a loop, by adding or subtracting a
/// number that is no constant; null if it is more than that, or decides whether
/// the loop goes on.  LLVM extends the counters of loops itself.  What comes
/// from a block has to be there before the block's end.
static BinaryOperator *stepOf(const PHINode &Phi) {
  if (Phi.getNumIncomingValues() != 2)
    return nullptr;
  for (Value *V : Phi.incoming_values())
    if (auto *I = dyn_cast<Instruction>(V); I && I->isTerminator())
      return nullptr;
  for (Value *V : Phi.incoming_values()) {
    auto *Next = const_cast<BinaryOperator *>(exactOperation(V));
    if (!Next || Next->getOpcode() == Instruction::Mul ||
        Next->getOperand(0) != &Phi || Next->getOperand(1) == &Phi ||
        isa<Constant>(Next->getOperand(1)))
      continue;
    auto Compares = [](const User *U) { return isa<ICmpInst>(U); };
    return any_of(Phi.users(), Compares) || any_of(Next->users(), Compares)
               ? nullptr
               : Next;
  }
  return nullptr;
}

namespace {

/// Expressions of extended terms.
class Widener {
public:
  Value *widen(Value *V, Type *Ty, IRBuilder<> &B, unsigned Depth);
  void widenCounter(PHINode &Phi, BinaryOperator &Next, Type *Ty);
  static bool changes(const Value *V) {
    const auto *Phi = dyn_cast<PHINode>(V);
    return exactOperation(V) || choiceOfSums(V) || (Phi && stepOf(*Phi));
  }

private:
  DenseMap<std::pair<PHINode *, Type *>, PHINode *> Counters;

  Value *counter(PHINode &Phi, BinaryOperator &Next, Type *Ty, unsigned Depth);
  Value *widenComparison(SelectInst &Choice, Type *Ty, IRBuilder<> &B,
                         unsigned Depth);
};

/// A counter beside \p Phi that is the same, extended.  Where \p Phi
/// overflows, it is poison from then on.
Value *Widener::counter(PHINode &Phi, BinaryOperator &Next, Type *Ty,
                        unsigned Depth) {
  PHINode *&Wide = Counters[{&Phi, Ty}];
  if (Wide)
    return Wide;
  PHINode *Made = Wide =
      PHINode::Create(Ty, 2, Phi.getName() + ".wide", Phi.getParent()->begin());
  Made->setDebugLoc(Phi.getDebugLoc());
  for (unsigned I = 0; I < 2; ++I) {
    BasicBlock *From = Phi.getIncomingBlock(I);
    if (Phi.getIncomingValue(I) == &Next) {
      IRBuilder<> B(&Next);
      Value *Step = widen(Next.getOperand(1), Ty, B, Depth - 1);
      Made->addIncoming(Next.getOpcode() == Instruction::Add
                            ? B.CreateNSWAdd(Made, Step)
                            : B.CreateNSWSub(Made, Step),
                        From);
    } else {
      IRBuilder<> B(From->getTerminator());
      Made->addIncoming(widen(Phi.getIncomingValue(I), Ty, B, Depth - 1), From);
    }
  }
  return Made;
}

/// What \p Choice compares, in the width of its sums: "x == n - 1" is about
/// another number than n where that is extended alone.
Value *Widener::widenComparison(SelectInst &Choice, Type *Ty, IRBuilder<> &B,
                                unsigned Depth) {
  auto *Compare = cast<ICmpInst>(Choice.getCondition());
  if (Compare->isUnsigned() ||
      Compare->getOperand(0)->getType() != Choice.getType())
    return Compare;
  Value *Left = widen(Compare->getOperand(0), Ty, B, Depth);
  Value *Right = widen(Compare->getOperand(1), Ty, B, Depth);
  return B.CreateICmp(Compare->getPredicate(), Left, Right);
}

/// \p V, extended to \p Ty, as an expression of extended terms.
Value *Widener::widen(Value *V, Type *Ty, IRBuilder<> &B, unsigned Depth) {
  if (auto *Phi = dyn_cast<PHINode>(V); Phi && Depth)
    if (BinaryOperator *Next = stepOf(*Phi))
      return counter(*Phi, *Next, Ty, Depth);
  if (SelectInst *Choice = choiceOfSums(V); Choice && Depth) {
    Value *True = widen(Choice->getTrueValue(), Ty, B, Depth - 1);
    Value *False = widen(Choice->getFalseValue(), Ty, B, Depth - 1);
    return B.CreateSelect(widenComparison(*Choice, Ty, B, Depth - 1), True,
                          False);
  }
  const BinaryOperator *Op = exactOperation(V);
  if (!Op || Depth == 0)
    return B.CreateSExt(V, Ty);
  if (Value *X; match(Op, m_Not(m_Value(X))))
    return B.CreateNot(widen(X, Ty, B, Depth - 1));
  Value *Left = widen(Op->getOperand(0), Ty, B, Depth - 1);
  Value *Right = widen(Op->getOperand(1), Ty, B, Depth - 1);
  switch (Op->getOpcode()) {
  case Instruction::Add:
    return B.CreateNSWAdd(Left, Right);
  case Instruction::Sub:
    return B.CreateNSWSub(Left, Right);
  default:
    return B.CreateNSWMul(Left, Right);
  }
}

/// Puts \p Wide in the place of \p Narrow, whose extended value it is, in
/// comparisons and extensions; in others, cut off again.
void replaceNarrow(Instruction &Narrow, Value &Wide, Widener &W) {
  Value *Cut = nullptr;
  // Some go, and some use it twice.
  SmallSetVector<User *, 8> Users(Narrow.user_begin(), Narrow.user_end());
  for (User *U : Users) {
    auto *I = cast<Instruction>(U);
    IRBuilder<> B(I);
    if (isa<SExtInst>(I) && I->getType() == Wide.getType()) {
      I->replaceAllUsesWith(&Wide);
      I->eraseFromParent();
    } else if (auto *Compared = dyn_cast<ICmpInst>(I);
               Compared && !Compared->isUnsigned()) {
      for (Use &Operand : Compared->operands())
        Operand.set(Operand == &Narrow
                        ? &Wide
                        : W.widen(Operand, Wide.getType(), B, MaxDepth));
    } else {
      BasicBlock *BB = Narrow.getParent();
      if (!Cut)
        Cut = IRBuilder<>(BB, isa<PHINode>(Narrow)
                                  ? BB->getFirstInsertionPt()
                                  : std::next(Narrow.getIterator()))
                  .CreateTrunc(&Wide, Narrow.getType(), Narrow.getName(),
                               /*IsNUW=*/false, /*IsNSW=*/true);
      I->replaceUsesOfWith(&Narrow, Cut);
    }
  }
}

/// Makes \p Phi, to which \p Next adds a constant, a counter of type \p Ty.
/// Where it overflows \p Phi would be poison, and something is compared with
/// it.
void Widener::widenCounter(PHINode &Phi, BinaryOperator &Next, Type *Ty) {
  bool First = Phi.getIncomingValue(0) != &Next;
  BasicBlock *Before = Phi.getIncomingBlock(!First);
  IRBuilder<> Start(Before->getTerminator());
  IRBuilder<> Behind(&Next);
  PHINode *Wide = PHINode::Create(Ty, 2, "", Phi.getParent()->begin());
  Wide->takeName(&Phi);
  Wide->setDebugLoc(Phi.getDebugLoc());
  Value *Step = ConstantInt::getSigned(
      Ty, cast<ConstantInt>(Next.getOperand(1))->getSExtValue());
  Value *WideNext = Behind.CreateNSWAdd(Wide, Step);
  Wide->addIncoming(widen(Phi.getIncomingValue(!First), Ty, Start, MaxDepth),
                    Before);
  Wide->addIncoming(WideNext, Phi.getIncomingBlock(First));
  replaceNarrow(Next, *WideNext, *this);
  replaceNarrow(Phi, *Wide, *this);
}

/// Is \p V a sum or difference of what does not change in loops around?
bool isFixedSum(const Value *V) {
  const BinaryOperator *Op = exactOperation(V);
  return Op && Op->getOpcode() != Instruction::Mul &&
         none_of(Op->operands(), [](const Value *Term) {
           return isa<PHINode>(Term) || isa<BinaryOperator>(Term);
         });
}

/// What adds a constant to \p Phi in each iteration, if it begins at a sum or
/// difference that is compared with something; else null.  That such a sum does
/// not overflow is lost when LLVM extends the counter, or holds only under the
/// conditions around the loop: Polly would have a case for each of them.
BinaryOperator *constantStep(const PHINode &Phi) {
  if (Phi.getNumIncomingValues() != 2 || !Phi.getType()->isIntegerTy(32))
    return nullptr;
  for (unsigned I = 0; I < 2; ++I) {
    auto *Next =
        const_cast<BinaryOperator *>(exactOperation(Phi.getIncomingValue(I)));
    if (!Next || !isFixedSum(Phi.getIncomingValue(!I)) ||
        Next->getOpcode() != Instruction::Add || Next->getOperand(0) != &Phi ||
        !isa<ConstantInt>(Next->getOperand(1)))
      continue;
    auto Compares = [](const User *U) {
      const auto *Compared = dyn_cast<ICmpInst>(U);
      return Compared && !Compared->isUnsigned();
    };
    if (any_of(Phi.users(), Compares) || any_of(Next->users(), Compares))
      return Next;
  }
  return nullptr;
}

} // namespace

namespace polygpu {

void widenCounters(Function &F) {
  SmallVector<std::pair<PHINode *, BinaryOperator *>, 8> Found;
  for (BasicBlock &BB : F)
    for (PHINode &Phi : BB.phis())
      if (BinaryOperator *Next = constantStep(Phi))
        Found.push_back({&Phi, Next});
  Widener W;
  for (auto [Phi, Next] : Found) {
    W.widenCounter(*Phi, *Next, Type::getInt64Ty(F.getContext()));
    RecursivelyDeleteDeadPHINode(Phi);
  }
}

void widenSubscripts(Function &F) {
  SmallVector<SExtInst *, 32> Found;
  for (Instruction &I : instructions(F))
    if (auto *Ext = dyn_cast<SExtInst>(&I))
      if (Widener::changes(Ext->getOperand(0)) &&
          any_of(Ext->users(), [](User *U) {
            return isa<GetElementPtrInst, BinaryOperator>(U);
          }))
        Found.push_back(Ext);
  Widener W;
  for (SExtInst *Ext : Found) {
    IRBuilder<> B(Ext);
    Value *Sum = W.widen(Ext->getOperand(0), Ext->getType(), B, MaxDepth);
    if (auto *I = dyn_cast<Instruction>(Sum); I && !isa<PHINode>(I))
      I->takeName(Ext);
    Ext->replaceAllUsesWith(Sum);
    RecursivelyDeleteTriviallyDeadInstructions(Ext);
  }
}

PreservedAnalyses WidenComplementsPass::run(Function &F,
                                            FunctionAnalysisManager &FAM) {
  SmallVector<std::pair<SExtInst *, Value *>, 4> Found;
  for (Instruction &I : instructions(F))
    if (Value *X; match(&I, m_SExt(m_Not(m_Value(X)))))
      Found.push_back({cast<SExtInst>(&I), X});
  for (auto [Ext, X] : Found) {
    IRBuilder<> B(Ext);
    Value *Wide = B.CreateNot(B.CreateSExt(X, Ext->getType()));
    Wide->takeName(Ext);
    Ext->replaceAllUsesWith(Wide);
    Ext->eraseFromParent();
  }
  if (Found.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace polygpu
