//===- WidenSubscripts.cpp - Subscripts in the width of addresses ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/WidenSubscripts.h"
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

/// \p V, extended to \p Ty, as an expression of extended terms.
static Value *widen(Value *V, Type *Ty, IRBuilder<> &B, unsigned Depth) {
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

namespace polygpu {

void widenSubscripts(Function &F) {
  SmallVector<SExtInst *, 32> Found;
  for (Instruction &I : instructions(F))
    if (auto *Ext = dyn_cast<SExtInst>(&I))
      if (exactOperation(Ext->getOperand(0)) &&
          any_of(Ext->users(), [](User *U) {
            return isa<GetElementPtrInst, BinaryOperator>(U);
          }))
        Found.push_back(Ext);
  for (SExtInst *Ext : Found) {
    IRBuilder<> B(Ext);
    Value *Sum = widen(Ext->getOperand(0), Ext->getType(), B, MaxDepth);
    if (auto *I = dyn_cast<Instruction>(Sum))
      I->takeName(Ext);
    Ext->replaceAllUsesWith(Sum);
    RecursivelyDeleteTriviallyDeadInstructions(Ext);
  }
}

} // namespace polygpu
