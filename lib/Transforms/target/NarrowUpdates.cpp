//===- NarrowUpdates.cpp - Atomic operations of 8 and 16 bits -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/NarrowUpdates.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace polygpu {

static const unsigned WordBits = 32;

/// In front: \p I's word as it is.  The loop: put into it what the operation
/// makes of its element; again with the word as it is now if that was not the
/// one in memory any more.
static void widen(AtomicRMWInst &I) {
  BasicBlock *Before = I.getParent();
  BasicBlock *Behind = SplitBlock(Before, &I);
  BasicBlock *Loop =
      BasicBlock::Create(I.getContext(), "again", Before->getParent(), Behind);
  IRBuilder<> B(Before->getTerminator());
  B.SetCurrentDebugLocation(I.getDebugLoc());
  Type *Word = B.getInt32Ty();
  Value *Address = B.CreatePtrToInt(I.getPointerOperand(), B.getInt64Ty());
  Value *Rest = B.CreateAnd(Address, WordBits / 8 - 1);
  Value *Place = B.CreatePtrAdd(I.getPointerOperand(), B.CreateNeg(Rest));
  Value *Shift = B.CreateShl(B.CreateTrunc(Rest, Word), 3);
  unsigned Bits = I.getType()->getIntegerBitWidth();
  Value *Others = B.CreateNot(B.CreateShl(B.getInt32((1u << Bits) - 1), Shift));
  // Atomic, and changes nothing.
  Value *First = B.CreateAtomicRMW(AtomicRMWInst::Or, Place, B.getInt32(0),
                                   Align(WordBits / 8), I.getOrdering(),
                                   I.getSyncScopeID());
  Before->getTerminator()->setSuccessor(0, Loop);
  B.SetInsertPoint(Loop);
  PHINode *Old = B.CreatePHI(Word, 2);
  Value *Element = B.CreateTrunc(B.CreateLShr(Old, Shift), I.getType());
  Value *New =
      buildAtomicRMWValue(I.getOperation(), B, Element, I.getValOperand());
  Value *Both = B.CreateOr(B.CreateAnd(Old, Others),
                           B.CreateShl(B.CreateZExt(New, Word), Shift));
  Value *Pair = B.CreateAtomicCmpXchg(
      Place, Old, Both, Align(WordBits / 8), I.getOrdering(),
      AtomicCmpXchgInst::getStrongestFailureOrdering(I.getOrdering()),
      I.getSyncScopeID());
  Value *Found = B.CreateExtractValue(Pair, 0);
  B.CreateCondBr(B.CreateExtractValue(Pair, 1), Behind, Loop);
  Old->addIncoming(First, Before);
  Old->addIncoming(Found, Loop);
  I.replaceAllUsesWith(Element);
  I.eraseFromParent();
}

void widenNarrowUpdates(Module &M) {
  SmallVector<AtomicRMWInst *, 4> Narrow;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Update = dyn_cast<AtomicRMWInst>(&I);
          Update && Update->getType()->isIntegerTy() &&
          Update->getType()->getIntegerBitWidth() < WordBits)
        Narrow.push_back(Update);
  for (AtomicRMWInst *Update : Narrow)
    widen(*Update);
}

} // namespace polygpu
