//===- NarrowSizes.cpp - Sizes of 8 and 16 bits ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/NarrowSizes.h"
#include "adaptor/HiddenValues.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace {

/// Is \p V of 8 or 16 bits, and extended as a number that is never negative?
bool isNarrow(const Value &V) {
  return (V.getType()->isIntegerTy(8) || V.getType()->isIntegerTy(16)) &&
         any_of(V.users(), [](const User *U) {
           const auto *Z = dyn_cast<ZExtInst>(U);
           return Z && !Z->hasNonNeg() &&
                  Z->getType()->getIntegerBitWidth() >= 32;
         });
}

/// The narrow values of \p F that are known in front of all loops.
SmallVector<Value *, 4> narrowValues(Function &F, const LoopInfo &LI) {
  SmallVector<Value *, 4> Found;
  for (Argument &A : F.args())
    if (isNarrow(A))
      Found.push_back(&A);
  // What a loop leads to comes behind it.
  for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F)) {
    if (LI.getLoopFor(BB))
      break;
    for (Instruction &I : *BB)
      if (!isa<PHINode>(I) && !I.isTerminator() && isNarrow(I))
        Found.push_back(&I);
  }
  return Found;
}

/// Narrow values as numbers of 32 bits.
using Numbers = SmallMapVector<Value *, Instruction *, 4>;

/// \p C, a comparison of a narrow value with a constant, as one of \p Number.
/// One of the value's sign is one with the first number that has it, and what
/// is not 0 is above.
Value *compareConstant(ICmpInst &C, Value &Number, const APInt &Old) {
  CmpInst::Predicate P = C.getPredicate();
  APInt With = Old;
  if (C.isSigned()) {
    bool IsNatural = P == ICmpInst::ICMP_SGT && With.isAllOnes();
    if (!IsNatural && !(P == ICmpInst::ICMP_SLT && With.isZero()))
      return nullptr;
    P = IsNatural ? ICmpInst::ICMP_SLT : ICmpInst::ICMP_SGE;
    With = APInt::getSignedMinValue(With.getBitWidth());
  } else if (C.isEquality() && With.isZero()) {
    P = P == ICmpInst::ICMP_NE ? ICmpInst::ICMP_SGT : ICmpInst::ICMP_SLE;
  } else if (!C.isEquality()) {
    P = C.getSignedPredicate();
  }
  return IRBuilder<>(&C).CreateICmp(
      P, &Number, ConstantInt::get(Number.getType(), With.getZExtValue()));
}

/// \p C as a comparison of numbers, or null.
Value *compareNumbers(ICmpInst &C, const Numbers &Of) {
  Value *Left = Of.lookup(C.getOperand(0)), *Right = Of.lookup(C.getOperand(1));
  if (const auto *With = dyn_cast<ConstantInt>(C.getOperand(1)); With && Left)
    return compareConstant(C, *Left, With->getValue());
  if (!Left || !Right || C.isSigned())
    return nullptr;
  return IRBuilder<>(&C).CreateICmp(
      C.isEquality() ? C.getPredicate() : C.getSignedPredicate(), Left, Right);
}

/// Who takes \p V for a number, takes that.
void useNumber(Value &V, const Numbers &Of) {
  Instruction *Number = Of.lookup(&V);
  SmallSetVector<User *, 8> Users(V.user_begin(), V.user_end());
  for (User *U : Users) {
    auto *I = cast<Instruction>(U);
    Value *New = nullptr;
    if (auto *C = dyn_cast<ICmpInst>(I))
      New = compareNumbers(*C, Of);
    else if (isa<ZExtInst>(I) && I != Number->getOperand(0) &&
             I->getType()->getIntegerBitWidth() >= 32)
      New = IRBuilder<>(I).CreateSExt(Number, I->getType());
    if (!New)
      continue;
    I->replaceAllUsesWith(New);
    I->eraseFromParent();
  }
}

} // namespace

namespace polygpu {

PreservedAnalyses NarrowSizesPass::run(Function &F,
                                       FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  if (LI.empty())
    return PreservedAnalyses::all();
  Numbers Of;
  for (Value *V : narrowValues(F, LI)) {
    auto *I = dyn_cast<Instruction>(V);
    auto Where = I ? *I->getInsertionPointAfterDef()
                   : F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    auto *Extended =
        new ZExtInst(V, Type::getInt32Ty(F.getContext()), V->getName(), Where);
    hideValue(*Extended, /*Parts=*/true);
    Of[V] = Extended->getNextNode();
    // No SCoP has the number in it.
    SplitBlock(Of[V]->getParent(), Of[V]->getNextNode());
  }
  for (const auto &Entry : Of)
    useNumber(*Entry.first, Of);
  return Of.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace polygpu
