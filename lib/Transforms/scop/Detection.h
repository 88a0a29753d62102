//===- Detection.h - Polly looks for SCoPs in a function -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_DETECTION_H
#define POLYGPU_DETECTION_H

#include "Remarks.h"
#include "adaptor/AnyIteration.h"
#include "adaptor/Assumptions.h"
#include "polly/ScopDetection.h"
#include "polygpu/polyhedral.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/PassManager.h"
#include <memory>

namespace llvm {
class AssumptionCache;
class DominatorTree;
class LoopInfo;
class RegionInfo;
class ScalarEvolution;
} // namespace llvm

namespace polly {
class Scop;
}

namespace polygpu {

/// Polly's detection in a function as it is now, with the analyses that it and
/// the models of its regions refer to.
struct Detection {
  Detection(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

  llvm::ScalarEvolution &SE;
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::RegionInfo &RI;
  AnyIterationAA AnyIteration;
  llvm::AAResults AA; ///< of accesses of any two iterations
  llvm::AssumptionCache &AC;
  llvm::OptimizationRemarkEmitter ORE;
  polly::ScopDetection SD;

  /// The largest regions that were taken.
  llvm::SmallVector<llvm::Region *, 8> regions() const;

  /// The model of \p R, which was taken, or null; not complete, and to be
  /// refused, if \p Budget is spent.
  std::unique_ptr<polly::Scop> build(llvm::Region &R, const pg_budget &Budget);

  bool IsBrokenOff = false; ///< the last model, since the budget was spent

  /// Why there is no model of \p R, which was to be built last.  Has an
  /// instruction if that is in front of the loops: then it only has to be kept
  /// out of the region.
  Refusal explainUnmodelled(const llvm::Region &R);

private:
  std::optional<ImpossibleAssumption> Impossible; ///< of the last model

  Refusal explainInvariantLoad(const llvm::Region &R) const;
  Refusal explainErrorBlock(const llvm::Region &R);
};

/// Has \p R a loop?
bool hasLoop(const llvm::Region &R, const llvm::LoopInfo &LI);

/// For loops of which nothing is left to do.
Refusal refuseNoEffect(const llvm::Region &R, llvm::LoopInfo &LI);

/// Where the first loop of \p R begins.
llvm::DebugLoc startOf(const llvm::Region &R, const llvm::LoopInfo &LI);
llvm::DebugLoc startOf(const polly::Scop &S);

} // namespace polygpu

#endif
