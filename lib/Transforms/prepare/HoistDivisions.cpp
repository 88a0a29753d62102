//===- HoistDivisions.cpp - Halves of sizes, in front of loops ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/HoistDivisions.h"
#include "adaptor/HiddenValues.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// An operand of an operand of more operations is not moved.
static const unsigned MaxDepth = 6;

/// Is \p I a quotient or remainder of integers?  Other operations that are no
/// sums stay where they are: they often come from conditions, and of all in
/// front of these one SCoP would be too much.
static bool isDivision(const Instruction &I) {
  return I.getType()->isIntegerTy() &&
         (I.isIntDivRem() || I.getOpcode() == Instruction::LShr ||
          I.getOpcode() == Instruction::AShr);
}

/// Does a loop that \p I is not in begin to count at \p V, or at a sum with it?
static bool isBegunAt(const Value &V, const Instruction &I, const LoopInfo &LI,
                      unsigned Depth = MaxDepth) {
  return Depth > 0 && any_of(V.users(), [&](const User *U) {
           if (const auto *Phi = dyn_cast<PHINode>(U)) {
             const Loop *L = LI.getLoopFor(Phi->getParent());
             return L && L->getHeader() == Phi->getParent() && !L->contains(&I);
           }
           const auto *Sum = dyn_cast<BinaryOperator>(U);
           return (isa<CastInst>(U) ||
                   (Sum && (Sum->getOpcode() == Instruction::Add ||
                            Sum->getOpcode() == Instruction::Sub))) &&
                  isBegunAt(*U, I, LI, Depth - 1);
         });
}

/// Does \p I choose where a counter of a loop inside of others begins, as the
/// BLAS does for vectors that are gone through backwards, step > 0 ? 0 :
/// (1 - n) * step?
static bool isStart(const Instruction &I, const LoopInfo &LI) {
  return isa<SelectInst>(I) && I.getType()->isIntegerTy() &&
         isBegunAt(I, I, LI);
}

/// May \p V be computed as soon as what it is computed from, outside of loops?
static bool canRaise(const Value *V, const LoopInfo &LI,
                     unsigned Depth = MaxDepth) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return true;
  if (Depth == 0 || isa<PHINode>(I) || I->mayReadOrWriteMemory() ||
      !isSafeToSpeculativelyExecute(I))
    return !LI.getLoopFor(I->getParent());
  return all_of(I->operands(),
                [&](const Use &U) { return canRaise(U, LI, Depth - 1); });
}

/// Behind what \p V is computed from, if that is outside of loops, goes \p V,
/// in front of the conditions under which loops are entered: what is between
/// these and the loops is a part of a SCoP.
static void raise(Value *V, const LoopInfo &LI, const DominatorTree &DT,
                  unsigned Depth = MaxDepth) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == 0 || isa<PHINode>(I) || I->mayReadOrWriteMemory() ||
      !isSafeToSpeculativelyExecute(I))
    return;
  BasicBlock *To = &I->getFunction()->getEntryBlock();
  for (Value *U : I->operands()) {
    raise(U, LI, DT, Depth - 1);
    if (auto *Operand = dyn_cast<Instruction>(U)) {
      if (Operand->isTerminator())
        return;
      if (DT.dominates(To, Operand->getParent()))
        To = Operand->getParent();
    }
  }
  if (To == I->getParent() || LI.getLoopFor(To))
    return;
  I->moveBefore(To->getTerminator()->getIterator());
  // What a condition around it says need not hold there.
  if (!isa<OverflowingBinaryOperator>(I))
    I->dropPoisonGeneratingFlags();
}

/// Does a loop count from a constant to \p Bound, compared in \p Test?
static bool isBoundFromConstant(const ICmpInst &Test, const Value &Bound) {
  const Value *Other = Test.getOperand(Test.getOperand(0) == &Bound);
  const auto *Phi = dyn_cast<PHINode>(Other);
  if (const auto *Next = dyn_cast<BinaryOperator>(Other))
    Phi = dyn_cast<PHINode>(Next->getOperand(0));
  return Phi && any_of(Phi->incoming_values(),
                       [](const Use &U) { return isa<ConstantInt>(U); });
}

/// Looks for sums with \p V in "Added", and loops up to it in "Bounds".
static void lookAtUsers(const Value &V, bool &Added, bool &Bounds) {
  for (const User *U : V.users()) {
    if (const auto *Test = dyn_cast<ICmpInst>(U))
      Bounds |= isBoundFromConstant(*Test, V);
    else if (const auto *Sum = dyn_cast<BinaryOperator>(U))
      Added |= Sum->getOpcode() == Instruction::Add ||
               Sum->getOpcode() == Instruction::Sub;
    else if (isa<CastInst>(U))
      lookAtUsers(*U, Added, Bounds);
    else
      Added |= isa<PHINode>(U);
  }
}

/// Is the quotient \p I best taken for a size of its own?  Polly knows that
/// n / 2 is one of two fractions of n, by its sign, and of a filter that
/// reaches n / 2 to each side it has as many cases for each of its borders.
/// What counts from 0 to n / 2 may need to know that it is a half.
static bool isSize(const Instruction &I, const LoopInfo &LI) {
  if (!isDivision(I) || !isa<ConstantInt>(I.getOperand(1)) ||
      LI.getLoopFor(I.getParent()))
    return false;
  bool Added = false, Bounds = false;
  lookAtUsers(I, Added, Bounds);
  return Added && !Bounds;
}

/// Is an element stored at a place that \p V is a part of, in another loop than
/// \p In?
static bool isOfStore(const Value &V, const Loop *In, const LoopInfo &LI,
                      unsigned Depth = MaxDepth) {
  return Depth > 0 && any_of(V.users(), [&](const User *U) {
           const auto *Store = dyn_cast<StoreInst>(U);
           return (Store && Store->getPointerOperand() == &V &&
                   LI.getLoopFor(Store->getParent()) != In) ||
                  ((isa<CastInst>(U) || isa<GetElementPtrInst>(U) ||
                    (isa<BinaryOperator>(U) &&
                     !isDivision(cast<Instruction>(*U)))) &&
                   isOfStore(*U, In, LI, Depth - 1));
         });
}

/// Is \p I a number that is read and has its sign changed, as dsytrf marks
/// blocks, and a part of places in loops inside?  Polly would take such a
/// subscript for one of the row before.
static bool isNegated(const Instruction &I, const LoopInfo &LI) {
  return match(&I, m_Neg(m_Load(m_Value()))) &&
         isOfStore(I, LI.getLoopFor(I.getParent()), LI);
}

/// Is \p I where a row of a packed triangle begins, i * (i + 1) / 2, in which
/// loops inside store?  No loop is affine in which that changes, and for those
/// inside it is a number like others.
static bool isPackedRow(const Instruction &I, const LoopInfo &LI) {
  const auto *Product = dyn_cast<BinaryOperator>(I.getOperand(0));
  return isDivision(I) && isa<ConstantInt>(I.getOperand(1)) && Product &&
         Product->getOpcode() == Instruction::Mul &&
         !isa<Constant>(Product->getOperand(1)) && isOfStore(I, nullptr, LI);
}

namespace polygpu {

PreservedAnalyses HoistDivisionsPass::run(Function &F,
                                          FunctionAnalysisManager &FAM) {
  const LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  SmallVector<Instruction *, 16> Found;
  for (BasicBlock &BB : F)
    for (Instruction &I : BB)
      if (isDivision(I) || isStart(I, LI) || isNegated(I, LI))
        Found.push_back(&I);
  if (Found.empty())
    return PreservedAnalyses::all();
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  for (Instruction *I : Found)
    if ((LI.getLoopFor(I->getParent()) || isSize(*I, LI)) && canRaise(I, LI))
      raise(I, LI, DT);
  for (Instruction *I : Found) {
    Loop *L = LI.getLoopFor(I->getParent());
    bool Packed = L && isPackedRow(*I, LI);
    for (bool Moved = false; Packed && L && L->makeLoopInvariant(I, Moved);)
      L = L->getParentLoop();
    if (Packed || isSize(*I, LI) || isNegated(*I, LI))
      hideValue(*I);
  }
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace polygpu
