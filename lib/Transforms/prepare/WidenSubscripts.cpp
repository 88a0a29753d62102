//===- WidenSubscripts.cpp - Subscripts in the width of addresses ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/WidenSubscripts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

/// Deeper sums are left as they are.
static const unsigned MaxDepth = 12;

/// A sum, difference or product that is poison where it overflows.
static const BinaryOperator *exactOperation(const Value *V) {
  const auto *Op = dyn_cast<BinaryOperator>(V);
  if (!Op)
    return nullptr;
  switch (Op->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
    return Op->hasNoSignedWrap() ? Op : nullptr;
  default:
    return nullptr;
  }
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
  static bool changes(const Value *V) {
    const auto *Phi = dyn_cast<PHINode>(V);
    return exactOperation(V) || (Phi && stepOf(*Phi));
  }

private:
  DenseMap<std::pair<PHINode *, Type *>, PHINode *> Counters;

  Value *counter(PHINode &Phi, BinaryOperator &Next, Type *Ty, unsigned Depth);
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

/// \p V, extended to \p Ty, as an expression of extended terms.
Value *Widener::widen(Value *V, Type *Ty, IRBuilder<> &B, unsigned Depth) {
  if (auto *Phi = dyn_cast<PHINode>(V); Phi && Depth)
    if (BinaryOperator *Next = stepOf(*Phi))
      return counter(*Phi, *Next, Ty, Depth);
  const BinaryOperator *Op = exactOperation(V);
  if (!Op || Depth == 0)
    return B.CreateSExt(V, Ty);
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

} // namespace

namespace polygpu {

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

} // namespace polygpu
