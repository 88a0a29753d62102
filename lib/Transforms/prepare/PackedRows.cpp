//===- PackedRows.cpp - Where rows of packed triangles begin --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/PackedRows.h"
#include "adaptor/HiddenValues.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace polygpu;

namespace {

/// What is computed from a row, and what the next one is computed by.
using Values = SmallPtrSet<const Instruction *, 16>;

/// Is \p I a part of an address: a sum, an extension, or a counter that begins
/// there, of a loop inside of \p L?
bool isOfAddress(const Instruction &I, const Loop &L, const LoopInfo &LI) {
  const Loop *In = LI.getLoopFor(I.getParent());
  if (isa<PHINode>(I))
    return In && In != &L && L.contains(In) && In->getHeader() == I.getParent();
  return isa<CastInst, BinaryOperator, GetElementPtrInst>(I) && L.contains(&I);
}

/// Is an element stored in a loop inside of \p L at a place that \p Row is a
/// part of?
bool isOfInnerStore(const PHINode &Row, const Loop &L, const LoopInfo &LI) {
  SmallVector<const Instruction *, 16> Open = {&Row};
  Values Seen = {&Row};
  while (!Open.empty()) {
    const Instruction *Part = Open.pop_back_val();
    for (const User *U : Part->users()) {
      const auto *I = cast<Instruction>(U);
      if (const auto *Store = dyn_cast<StoreInst>(I);
          Store && Store->getPointerOperand() == Part &&
          LI.getLoopFor(Store->getParent()) != &L && L.contains(Store))
        return true;
      if (isOfAddress(*I, L, LI) && Seen.insert(I).second)
        Open.push_back(I);
    }
  }
  return false;
}

/// What the next row of \p L is computed by.
Values stepOf(const PHINode &Row, const Loop &L) {
  SmallVector<const Value *, 16> Open = {
      Row.getIncomingValueForBlock(L.getLoopLatch())};
  Values Step;
  while (!Open.empty()) {
    const auto *I = dyn_cast<Instruction>(Open.pop_back_val());
    if (I && I != &Row && L.contains(I) && Step.insert(I).second)
      append_range(Open, I->operands());
  }
  return Step;
}

/// Does \p Row have steps that grow?
bool isPackedRow(PHINode &Row, const Loop &L, const LoopInfo &LI,
                 ScalarEvolution &SE) {
  if (!Row.getType()->isIntegerTy())
    return false;
  const auto *Sum = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Row));
  return Sum && Sum->getLoop() == &L && !Sum->isAffine() &&
         isOfInnerStore(Row, L, LI);
}

/// Loops inside of \p L do not know what \p Row is; it goes on as before.
void hideInside(PHINode &Row, const Loop &L) {
  const Values Step = stepOf(Row, L);
  auto *Known =
      new FreezeInst(&Row, Row.getName(), L.getHeader()->getFirstInsertionPt());
  Row.replaceUsesWithIf(Known, [&](const Use &U) {
    const auto *I = cast<Instruction>(U.getUser());
    return I != Known && !Step.contains(I);
  });
  hideValue(*Known);
  Known->replaceAllUsesWith(&Row);
  Known->eraseFromParent();
}

} // namespace

namespace polygpu {

PreservedAnalyses PackedRowsPass::run(Function &F,
                                      FunctionAnalysisManager &FAM) {
  const LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  SmallVector<std::pair<PHINode *, const Loop *>, 4> Found;
  for (const Loop *L : LI.getLoopsInPreorder())
    if (!L->isInnermost() && L->getLoopLatch())
      for (PHINode &Row : L->getHeader()->phis())
        if (isPackedRow(Row, *L, LI, SE))
          Found.push_back({&Row, L});
  for (auto [Row, L] : Found)
    hideInside(*Row, *L);
  if (Found.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  PA.abandon<ScalarEvolutionAnalysis>();
  return PA;
}

} // namespace polygpu
