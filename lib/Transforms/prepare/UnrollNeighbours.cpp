//===- UnrollNeighbours.cpp - Loops over neighbours that wrap around ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/UnrollNeighbours.h"
#include "verify/Repetitions.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace polygpu {

/// One neighbour on each side: farther ones SplitRemainders does not know.  Two
/// loops over them make nine copies of a body.
static const unsigned MaxIterations = 3, MaxInstructions = 600;

/// An operand of a loop's identifier: this, and a place.
static const char *const Unrolled = "polygpu.unrolled";

SmallVector<DebugLoc, 2> unrolledLoopsIn(const Loop &L) {
  SmallVector<DebugLoc, 2> Places;
  if (const MDNode *Id = L.getLoopID())
    for (const MDOperand &Op : drop_begin(Id->operands()))
      if (const auto *Node = dyn_cast_or_null<MDNode>(Op);
          Node && Node->getNumOperands() == 2)
        if (const auto *Name = dyn_cast_or_null<MDString>(Node->getOperand(0));
            Name && Name->getString() == Unrolled)
          Places.push_back(DebugLoc(cast<DILocation>(Node->getOperand(1))));
  return Places;
}

/// Note in the loop around \p L that there is this one, or what it has noted.
static void noteIn(Loop &Around, const Loop &L) {
  LLVMContext &Ctx = Around.getHeader()->getContext();
  SmallVector<DebugLoc, 2> Places = unrolledLoopsIn(L);
  if (Places.empty() && L.getStartLoc())
    Places.push_back(L.getStartLoc());
  SmallVector<Metadata *, 8> Operands = {nullptr};
  if (const MDNode *Id = Around.getLoopID())
    append_range(Operands, drop_begin(Id->operands()));
  for (const DebugLoc &Loc : Places)
    Operands.push_back(
        MDNode::get(Ctx, {MDString::get(Ctx, Unrolled), Loc.getAsMDNode()}));
  MDNode *Id = MDNode::getDistinct(Ctx, Operands);
  Id->replaceOperandWith(0, Id);
  Around.setLoopID(Id);
}

/// Is \p I the remainder, by a size, of a counter around \p L and that of \p L?
static bool wrapsAround(Instruction &I, const Loop &L, ScalarEvolution &SE) {
  if (I.getOpcode() != Instruction::SRem || !SE.isSCEVable(I.getType()))
    return false;
  const SCEV *Size = SE.getSCEV(I.getOperand(1));
  if (isa<SCEVConstant>(Size) ||
      !SE.isLoopInvariant(Size, L.getOutermostLoop()))
    return false;
  const SCEV *Place = SE.getSCEV(I.getOperand(0));
  return !SE.isLoopInvariant(Place, &L) &&
         SCEVExprContains(Place, [&](const SCEV *S) {
           const auto *Rec = dyn_cast<SCEVAddRecExpr>(S);
           return Rec && Rec->getLoop() != &L && Rec->getLoop()->contains(&L);
         });
}

/// The iterations of \p L if it is to be unrolled, else 0.
static unsigned iterationsOf(const Loop &L, ScalarEvolution &SE) {
  if (L.isOutermost() || !L.isLoopSimplifyForm() ||
      L.getExitingBlock() != L.getLoopLatch())
    return 0;
  unsigned Iterations = SE.getSmallConstantTripCount(&L), Size = 0;
  if (Iterations < 2 || Iterations > MaxIterations)
    return 0;
  bool Wraps = false;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      if (const auto *Call = dyn_cast<CallBase>(&I);
          Call && Call->cannotDuplicate())
        return 0;
      Wraps |= wrapsAround(I, L, SE);
      ++Size;
    }
  return Wraps && Size * Iterations <= MaxInstructions ? Iterations : 0;
}

PreservedAnalyses UnrollNeighboursPass::run(Function &F,
                                            FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  bool Changed = false;
  SmallVector<Loop *, 4> Loops = LI.getLoopsInPreorder();
  for (Loop *L : reverse(Loops)) { // inner ones first
    unsigned Iterations = iterationsOf(*L, SE);
    if (!Iterations)
      continue;
    noteIn(*L->getParentLoop(), *L);
    // Its iterations are not those of the source any more.
    forgetExits(L->getBlocks());
    UnrollLoopOptions Options = {};
    Options.Count = Iterations;
    Options.Force = true;
    UnrollLoop(L, Options, &LI, &SE, &FAM.getResult<DominatorTreeAnalysis>(F),
               &FAM.getResult<AssumptionAnalysis>(F),
               &FAM.getResult<TargetIRAnalysis>(F), /*ORE=*/nullptr,
               /*PreserveLCSSA=*/true);
    Changed = true;
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace polygpu
