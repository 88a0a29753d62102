//===- Detection.cpp - Polly looks for SCoPs in a function ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/Detection.h"
#include "adaptor/PollyAdaptor.h"
#include "polly/ScopBuilder.h"
#include "scop/Delinearise.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;

namespace polygpu {

Detection::Detection(Function &F, FunctionAnalysisManager &FAM)
    : SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
      LI(FAM.getResult<LoopAnalysis>(F)),
      DT(FAM.getResult<DominatorTreeAnalysis>(F)),
      RI(FAM.getResult<RegionInfoAnalysis>(F)),
      AnyIteration(FAM.getResult<AAManager>(F)),
      AA(FAM.getResult<TargetLibraryAnalysis>(F)),
      AC(FAM.getResult<AssumptionAnalysis>(F)), ORE(&F),
      SD(DT, SE, LI, RI, AA, ORE) {
  TimeTraceScope Time("PolyGPU: detection");
  AA.addAAResult(AnyIteration);
  SD.detect(F);
}

SmallVector<Region *, 8> Detection::regions() const { return regionsOf(SD); }

/// The builder must be gone before the SCoP, which owns the isl context.
std::unique_ptr<polly::Scop> Detection::build(Region &R) {
  if (!retake(SD, R))
    return nullptr;
  TimeTraceScope Time("PolyGPU: model by Polly");
  refineSubscripts(SD, R, LI, SE);
  return polly::ScopBuilder(&R, AC, AA,
                            R.getEntry()->getModule()->getDataLayout(), DT, LI,
                            SD, SE, ORE)
      .getScop();
}

Refusal Detection::explainUnmodelled(const Region &R) const {
  const auto *Loads = requiredLoads(SD, R);
  if (!Loads || Loads->empty())
    return {"NotModelled",
            "the loops could not be modelled: they have no effect, or the "
            "conditions under which they are regular are too complex; simplify "
            "bounds and subscripts",
            DebugLoc()};
  LoadInst *Load = *Loads->begin();
  const Loop *L = LI.getLoopFor(Load->getParent());
  bool InFront = !L || !R.contains(L);
  std::string What = "'" + sourceName(Load->getPointerOperand()) + "'";
  return {"InvariantLoad",
          "a pointer, bound or subscript is read from " + What + " in " +
              describeLine(Load->getDebugLoc(), *Load->getFunction()) +
              " again in each iteration, and a store in the loop could "
              "change it; copy it into a local variable before the loop, "
              "and use one contiguous array instead of an array of "
              "pointers",
          Load->getDebugLoc(), InFront ? Load : nullptr};
}

bool hasLoop(const Region &R, const LoopInfo &LI) {
  return any_of(R.blocks(), [&](const BasicBlock *BB) {
    const Loop *L = LI.getLoopFor(BB);
    return L && R.contains(L);
  });
}

DebugLoc startOf(const Region &R, const LoopInfo &LI) {
  DebugLoc First; // in the source, whatever the order of blocks
  for (const BasicBlock *BB : R.blocks()) {
    const Loop *L = LI.getLoopFor(BB);
    if (!L || !R.contains(L)) // one around it
      continue;
    DebugLoc Loc = L->getStartLoc();
    if (!First || (Loc &&
                   Loc->getScope()->getSubprogram() ==
                       First->getScope()->getSubprogram() &&
                   Loc->getInlinedAt() == First->getInlinedAt() &&
                   Loc.getLine() < First.getLine()))
      First = Loc;
  }
  return First;
}

DebugLoc startOf(const polly::Scop &S) {
  return startOf(S.getRegion(), *S.getLI());
}

} // namespace polygpu
