//===- Detection.cpp - Polly looks for SCoPs in a function ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/Detection.h"
#include "adaptor/ModelLimit.h"
#include "adaptor/PollyAdaptor.h"
#include "polly/ScopBuilder.h"
#include "prepare/CloseCounters.h"
#include "scop/CallRefusal.h"
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
std::unique_ptr<polly::Scop> Detection::build(Region &R,
                                              const pg_budget &Budget) {
  Impossible.reset();
  IsBrokenOff = false;
  if (!retake(SD, R))
    return nullptr;
  TimeTraceScope Time("PolyGPU: model by Polly");
  refineSubscripts(SD, R, LI, DT, SE);
  ModelLimit Limit(Budget);
  AssumptionListener Listener(R.getEntry()->getContext());
  auto S =
      polly::ScopBuilder(&R, AC, AA, R.getEntry()->getModule()->getDataLayout(),
                         DT, LI, SD, SE, ORE)
          .getScop();
  Impossible = Listener.First;
  IsBrokenOff = Limit.BrokenOff;
  return S;
}

//===-- Why there is no model ---------------------------------------------===//

/// Is \p Loc the place where \p A was made?
static bool isAt(const ImpossibleAssumption &A, const DebugLoc &Loc) {
  return A.Loc.isValid() && Loc && Loc.getLine() == A.Loc.getLine() &&
         Loc.getCol() == A.Loc.getColumn();
}

/// Is \p I under a condition that differs from one iteration of \p L to
/// another?
static bool isUnderData(const Instruction &I, const Loop &L,
                        const DominatorTree &DT) {
  const BasicBlock *Latch = L.getLoopLatch(), *BB = I.getParent();
  while (Latch && !DT.dominates(BB, Latch)) {
    BB = DT.getNode(BB)->getIDom()->getBlock();
    const auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
    if (!Branch || !Branch->isConditional())
      continue;
    const auto *Test = dyn_cast<Instruction>(Branch->getCondition());
    if (Test && L.contains(Test) && !L.hasLoopInvariantOperands(Test))
      return true;
  }
  return false;
}

/// A load of a bound, pointer or subscript that would have to be invariant.
Refusal Detection::explainInvariantLoad(const Region &R) const {
  const auto *Loads = requiredLoads(SD, R);
  LoadInst *Load = *Loads->begin();
  for (LoadInst *L : *Loads)
    if (Impossible && isAt(*Impossible, L->getDebugLoc()))
      Load = L;
  const Loop *L = LI.getLoopFor(Load->getParent());
  // Loops inside of that of the load may be offloaded without it.
  bool InFront = !L || !R.contains(L) || !L->isInnermost();
  std::string Array = sourceName(Load->getPointerOperand());
  bool IsUnderCondition = L && isUnderData(*Load, *L, DT);
  Refusal Why{"InvariantLoad",
              "a pointer, bound or subscript is read from '" + Array + "' in " +
                  describeLine(Load->getDebugLoc(), *Load->getFunction()) +
                  " again in each iteration, " +
                  (IsUnderCondition
                       ? "under a condition on data or where a store could "
                         "change it; "
                       : "and a store in the loop could change it; ") +
                  "copy it into a local variable before the loop, and use one "
                  "contiguous array instead of an array of pointers",
              Load->getDebugLoc(), InFront ? Load : nullptr};
  Why.Array = Array;
  return Why;
}

/// Calls under conditions are taken for errors, and these cover everything.
Refusal Detection::explainErrorBlock(const Region &R) {
  for (BasicBlock *BB : R.blocks())
    if (SD.isErrorBlock(*BB, R))
      for (const Instruction &I : *BB)
        if (const auto *Call = dyn_cast<CallBase>(&I);
            Call && !Call->doesNotAccessMemory() && !I.isDebugOrPseudoInst()) {
          Refusal Why = refuseCall(*Call);
          // What else is in its block is not looked at.
          if (const Loop *L = LI.getLoopFor(BB); L && R.contains(L))
            Why.At = L->getHeader()->getTerminator();
          return Why;
        }
  return {"Call",
          "a function is called under a condition that always holds; move the "
          "call out of the loop",
          DebugLoc()};
}

/// Does \p R nothing that anybody could see?
static bool hasNoEffect(const Region &R) {
  for (const BasicBlock *BB : R.blocks())
    for (const Instruction &I : *BB) {
      if (I.mayHaveSideEffects() && !I.isDebugOrPseudoInst())
        return false;
      for (const User *U : I.users())
        if (!R.contains(cast<Instruction>(U)))
          return false;
    }
  return true;
}

Refusal refuseNoEffect(const Region &R, LoopInfo &LI) {
  for (BasicBlock *BB : R.blocks())
    if (const Loop *L = LI.getLoopFor(BB); L && isOnlyForResult(*L))
      return {"OnlyCounts",
              "the loops only count, up or down to what is known in front of "
              "them; compute that without a loop",
              DebugLoc()};
  return {"NoEffect", "the loops have no effect; remove them", DebugLoc()};
}

/// A sentence for an assumption that never holds, by Polly's word for it.
static std::string explainAssumption(StringRef Kind, const std::string &Where) {
  if (Kind == "Inbounds")
    return "a subscript" + Where +
           " is outside of its row for every size, by the rows that its "
           "address seems to have; give the array its real number of columns";
  if (Kind == "No-overflows" || Kind == "Signed-unsigned")
    return "a subscript or a bound" + Where +
           " wraps around, or is used as a signed and as an unsigned number; "
           "use signed or size_t counters throughout";
  if (Kind == "Finite loop")
    return "a loop" + Where +
           " may never end; give it a bound that its counter reaches";
  if (Kind == "Low complexity")
    return "bounds, conditions and subscripts" + Where +
           " have too many cases for the analysis; use fewer of min, max, % "
           "and conditions, or split the loops";
  return "";
}

Refusal Detection::explainUnmodelled(const Region &R) {
  std::string Kind = Impossible ? Impossible->Kind : "";
  const auto *Loads = requiredLoads(SD, R);
  bool HasLoads = Loads && !Loads->empty();
  if (HasLoads && (Kind == "Invariant load" || Kind.empty()))
    return explainInvariantLoad(R);
  if (Kind == "No-error")
    return explainErrorBlock(R);
  std::string Where =
      Impossible && Impossible->Loc.isValid()
          ? " in line " + std::to_string(Impossible->Loc.getLine())
          : "";
  if (std::string Text = explainAssumption(Kind, Where); !Text.empty())
    return {"Assumption", Text, DebugLoc()};
  if (Kind.empty() && any_of(R.blocks(), [&](BasicBlock *BB) {
        return SD.isErrorBlock(*BB, R);
      }))
    return explainErrorBlock(R);
  if (hasNoEffect(R))
    return refuseNoEffect(R, LI);
  return {"NotModelled",
          "the loops could not be modelled: the conditions under which they "
          "are regular exclude each other or are too complex; simplify bounds "
          "and subscripts",
          DebugLoc()};
}

/// Is \p L in \p R, or one inside of it?
static bool hasLoop(const Region &R, const Loop &L) {
  return R.contains(&L) ||
         any_of(L, [&](const Loop *Sub) { return hasLoop(R, *Sub); });
}

bool hasLoop(const Region &R, const LoopInfo &LI) {
  return any_of(LI, [&](const Loop *L) { return hasLoop(R, *L); });
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
