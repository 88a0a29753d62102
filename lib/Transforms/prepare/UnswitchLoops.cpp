//===- UnswitchLoops.cpp - Two ways to go through one array ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/UnswitchLoops.h"
#include "prepare/Versions.h"
#include "verify/Repetitions.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <optional>

using namespace llvm;

namespace {

/// What is accessed in one way only.
using Accesses = SmallVector<Instruction *, 8>;

/// The condition of one branch in \p L.
class Switch {
public:
  Switch(const BranchInst &Branch, const Loop &L, const DominatorTree &DT)
      : L(L), First(behind(Branch, 0, DT)), Second(behind(Branch, 1, DT)) {}

  bool hasBothWays() const { return !First.empty() && !Second.empty(); }

  /// Does an array have other rows in one way than in the other, or can one of
  /// them only not be described?
  bool partsWays(ScalarEvolution &SE) const {
    if (scatters(First, SE) != scatters(Second, SE))
      return true;
    Steps Own = stepsOf(First, SE), Others = stepsOf(Second, SE);
    return any_of(Own, [&](const auto &One) {
      auto *Other = Others.find(One.first);
      return Other != Others.end() && One.second.size() == 1 &&
             Other->second.size() == 1 &&
             *Other->second.begin() != *One.second.begin();
    });
  }

private:
  /// How addresses below a pointer change in the innermost loop.
  using Steps = MapVector<const Value *, SmallPtrSet<const SCEV *, 2>>;

  const Loop &L;
  Accesses First, Second;

  Accesses behind(const BranchInst &Branch, unsigned Number,
                  const DominatorTree &DT) const {
    Accesses Found;
    BasicBlockEdge Edge(Branch.getParent(), Branch.getSuccessor(Number));
    for (BasicBlock *BB : L.blocks())
      if (DT.dominates(Edge, BB))
        for (Instruction &I : *BB)
          if (getLoadStorePointerOperand(&I))
            Found.push_back(&I);
    return Found;
  }

  static const SCEV *placeOf(Instruction &I, ScalarEvolution &SE) {
    return SE.getSCEV(getLoadStorePointerOperand(&I));
  }

  /// Is something written at a place that does not change by the same amount in
  /// each iteration?
  bool scatters(const Accesses &Way, ScalarEvolution &SE) const {
    return any_of(Way, [&](Instruction *I) {
      const SCEV *Place = isa<StoreInst>(I) ? placeOf(*I, SE) : nullptr;
      return Place && !isa<SCEVAddRecExpr>(Place) &&
             !SE.isLoopInvariant(Place, &L);
    });
  }

  static Steps stepsOf(const Accesses &Way, ScalarEvolution &SE) {
    Steps Found;
    for (Instruction *I : Way)
      if (const auto *Place = dyn_cast<SCEVAddRecExpr>(placeOf(*I, SE)))
        Found[getUnderlyingObject(getLoadStorePointerOperand(I))].insert(
            Place->getStepRecurrence(SE));
    return Found;
  }
};

} // namespace

/// Is \p Condition the same in all iterations of \p L?
static bool isFixed(const Value *Condition, const Loop &L) {
  const auto *Test = dyn_cast<Instruction>(Condition);
  return !isa<Constant>(Condition) &&
         (L.isLoopInvariant(Condition) ||
          (isa<ICmpInst, TruncInst>(Test) && L.hasLoopInvariantOperands(Test)));
}

/// The largest loop around \p Branch in which its condition is the same in all
/// iterations, and of which there can be a copy; else null.
static Loop *loopOf(const BranchInst &Branch, const LoopInfo &LI) {
  Loop *Found = nullptr;
  for (Loop *L = LI.getLoopFor(Branch.getParent());
       L && isFixed(Branch.getCondition(), *L); L = L->getParentLoop())
    if (L->isLoopSimplifyForm() && L->getUniqueExitBlock())
      Found = L;
  return Found;
}

/// Leave only the way \p Number of \p Branch.
static void take(BranchInst &Branch, unsigned Number) {
  BasicBlock *From = Branch.getParent();
  Branch.getSuccessor(1 - Number)->removePredecessor(From);
  BranchInst::Create(Branch.getSuccessor(Number), Branch.getIterator());
  Branch.eraseFromParent();
}

/// Two loops instead of \p L, one for each way of \p Branch.
static void unswitch(BranchInst &Branch, Loop &L, LoopInfo &LI,
                     DominatorTree &DT) {
  auto Condition = [&](IRBuilderBase &B) -> Value * {
    Value *Test = Branch.getCondition();
    if (!L.isLoopInvariant(Test)) {
      Instruction *Own = cast<Instruction>(Test)->clone();
      Own->dropPoisonGeneratingFlags();
      Test = B.Insert(Own);
    }
    // Nothing says that the loop gets to the branch.
    return isGuaranteedNotToBeUndefOrPoison(Test) ? Test : B.CreateFreeze(Test);
  };
  // Where one of the two is offloaded, its loops are not left early.
  polygpu::forgetExits(L.getBlocks());
  ValueToValueMapTy Map;
  polygpu::copyLoop(L, Condition, LI, DT, Map);
  take(*cast<BranchInst>(static_cast<Value *>(Map[&Branch])), 1);
  take(Branch, 0);
  EliminateUnreachableBlocks(*L.getHeader()->getParent());
}

/// A branch that decides which rows an array has, or whether the loop can be
/// described, with the loop that is to be there twice; else null.
static std::pair<BranchInst *, Loop *>
findSwitch(Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  // That of the manager would be of loops as they are now.
  std::optional<ScalarEvolution> SE;
  for (BasicBlock &BB : F) {
    auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
    if (!Branch || !Branch->isConditional())
      continue;
    const Loop *Inner = LI.getLoopFor(&BB);
    Loop *L = loopOf(*Branch, LI);
    if (!L || !Inner->contains(Branch->getSuccessor(0)) ||
        !Inner->contains(Branch->getSuccessor(1)))
      continue;
    Switch S(*Branch, *L, DT);
    if (!S.hasBothWays())
      continue;
    if (!SE)
      SE.emplace(F, FAM.getResult<TargetLibraryAnalysis>(F),
                 FAM.getResult<AssumptionAnalysis>(F), DT, LI);
    if (S.partsWays(*SE))
      return {Branch, L};
  }
  return {nullptr, nullptr};
}

namespace polygpu {

PreservedAnalyses UnswitchLoopsPass::run(Function &F,
                                         FunctionAnalysisManager &FAM) {
  static const unsigned Most = 4; // each may double the function
  for (unsigned Done = 0; Done < Most; ++Done) {
    auto [Branch, L] = findSwitch(F, FAM);
    if (!Branch)
      return Done ? PreservedAnalyses::none() : PreservedAnalyses::all();
    unswitch(*Branch, *L, FAM.getResult<LoopAnalysis>(F),
             FAM.getResult<DominatorTreeAnalysis>(F));
    FAM.invalidate(F, PreservedAnalyses::none());
  }
  return PreservedAnalyses::none();
}

} // namespace polygpu
