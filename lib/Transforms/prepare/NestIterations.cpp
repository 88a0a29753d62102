//===- NestIterations.cpp - All iterations of a nest, counted -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/NestIterations.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace polygpu {

/// Iterations of a loop whose number is not the same each time are counted as
/// if there were so many.
static const uint64_t Many = uint64_t(1) << 31;

bool isSimple(const Loop &L) {
  return L.getLoopLatch() && L.getExitingBlock() == L.getLoopLatch() &&
         L.getExitBlock() && L.hasDedicatedExits() && L.getLoopPreheader();
}

Value *addIterations(Loop &L) {
  IRBuilder<> B(L.getLoopLatch()->getTerminator());
  auto *Counter =
      PHINode::Create(B.getInt64Ty(), 2, "", L.getHeader()->begin());
  Counter->addIncoming(B.getInt64(0), L.getLoopPreheader());
  Counter->addIncoming(B.CreateNUWAdd(Counter, B.getInt64(1)),
                       L.getLoopLatch());
  return Counter;
}

/// The number of iterations of \p Inner, if it is the same in all loops around
/// that are part of the nest, and can be computed in front of it; else null.
const SCEV *NestIterations::iterationsOf(const Loop &Inner) const {
  const SCEV *Taken = SE.getBackedgeTakenCount(&Inner);
  if (isa<SCEVCouldNotCompute>(Taken) || !SE.isLoopInvariant(Taken, &Nest) ||
      SE.getTypeSizeInBits(Taken->getType()) > 64)
    return nullptr;
  Type *Ty = Type::getInt64Ty(L.getHeader()->getContext());
  const SCEV *Number =
      SE.getAddExpr(SE.getNoopOrZeroExtend(Taken, Ty), SE.getOne(Ty));
  SCEVExpander Expander(SE, "extreme");
  return Expander.isSafeToExpandAt(Number,
                                   Nest.getLoopPreheader()->getTerminator())
             ? Number
             : nullptr;
}

/// How often \p Some goes round at most, but once.
static uint64_t mostTaken(const Loop &Some, ScalarEvolution &SE) {
  const auto *Most =
      dyn_cast<SCEVConstant>(SE.getConstantMaxBackedgeTakenCount(&Some));
  uint64_t Known = Most ? Most->getAPInt().getLimitedValue() : UINT64_MAX;
  // What falls is the most at first: negative it would be more than 2^62.
  const auto *Falls = dyn_cast<SCEVAddRecExpr>(SE.getBackedgeTakenCount(&Some));
  const auto *Step = Falls && Falls->isAffine()
                         ? dyn_cast<SCEVConstant>(Falls->getStepRecurrence(SE))
                         : nullptr;
  if (!Step || !Step->getAPInt().isNegative() ||
      SE.getTypeSizeInBits(Falls->getType()) != 64)
    return Known;
  APInt First = SE.getSignedRangeMax(
      SE.applyLoopGuards(Falls->getStart(), Falls->getLoop()));
  return First.isNegative() ? Known : std::min(Known, First.getZExtValue());
}

bool NestIterations::canCount() const {
  for (const Loop *Inner = &L; Inner != &Nest; Inner = Inner->getParentLoop())
    if (!isSimple(*Inner) ||
        (!iterationsOf(*Inner) &&
         !(Inner->getParentLoop() == &Nest && Inner == &L &&
           mostTaken(L, SE) < Many && mostTaken(Nest, SE) < Many)))
      return false;
  return true;
}

uint64_t NestIterations::most() const {
  uint64_t All = SaturatingAdd(mostTaken(Nest, SE), uint64_t(1));
  for (const Loop *Inner = &L; Inner != &Nest; Inner = Inner->getParentLoop())
    All = SaturatingMultiply(
        All, iterationsOf(*Inner)
                 ? SaturatingAdd(mostTaken(*Inner, SE), uint64_t(1))
                 : Many);
  return All;
}

void NestIterations::begin() {
  Type *Ty = Type::getInt64Ty(L.getHeader()->getContext());
  SCEVExpander Expander(SE, "extreme");
  for (const Loop *Inner = &L; Inner != &Nest; Inner = Inner->getParentLoop()) {
    const SCEV *Number = iterationsOf(*Inner);
    Each.push_back(
        Number ? Expander.expandCodeFor(
                     Number, Ty, Nest.getLoopPreheader()->getTerminator())
               : ConstantInt::get(Ty, Many));
  }
}

Value *NestIterations::count(Loop &In, Loop &Inner) const {
  SmallVector<Loop *, 4> Loops;
  for (Loop *Next = &Inner; Next != &In; Next = Next->getParentLoop())
    Loops.push_back(Next);
  Value *All = addIterations(In);
  for (size_t Number = Loops.size(); Number-- > 0;) {
    BasicBlock *Header = Loops[Number]->getHeader();
    IRBuilder<> B(Header, Header->getFirstInsertionPt());
    All = B.CreateMul(All, Each[Number]);
    All = B.CreateAdd(All, addIterations(*Loops[Number]));
  }
  return All;
}

Iterations NestIterations::at(IRBuilder<> &B, Value &Count) const {
  Iterations There;
  Value *Rest = &Count;
  const Loop *Inner = &L;
  for (Value *Number : Each) {
    There[Inner] = B.CreateURem(Rest, Number);
    Rest = B.CreateUDiv(Rest, Number);
    Inner = Inner->getParentLoop();
  }
  There[&Nest] = Rest;
  return There;
}

} // namespace polygpu
