//===- Remarks.cpp - What users are told ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

#define PASS_NAME "gpu-polyhedral"

namespace polygpu {

/// \p Loc in words that differ for places that differ.
static std::string placeText(const DebugLoc &Loc, const Function &F) {
  if (!Loc)
    return F.getName().str();
  return cast<DIScope>(Loc.getScope())->getFilename().str() + ":" +
         std::to_string(Loc.getLine()) + ":" + std::to_string(Loc.getCol());
}

/// A loop's place, for each instance of a template another one.
static std::string instanceText(const DebugLoc &Loc, const Function &F) {
  const DISubprogram *Of = Loc ? Loc->getScope()->getSubprogram() : nullptr;
  return placeText(Loc, F) + (Of ? " " + Of->getName().str() : "");
}

void Remarks::offloaded(Function &F, const OffloadedNest &Nest) {
  DebugLoc Loc = userPlace(Nest.Start);
  for (const DebugLoc &Inner : Nest.Loops)
    Libraries.insert(instanceText(Inner, F));
  OptimizationRemarkEmitter ORE(&F);
  ORE.emit([&] {
    OptimizationRemark R(PASS_NAME, "Offloaded", Loc, &F.getEntryBlock());
    R << Nest.Summary << ore::setExtraArgs();
    for (const DebugLoc &Inner : Nest.Loops)
      if (Inner)
        R << ore::NV("Loop", placeText(userPlace(Inner), F));
    return R;
  });
  for (const std::string &Detail : Nest.Details)
    ORE.emit([&] {
      return OptimizationRemarkAnalysis(PASS_NAME, "Plan", Loc,
                                        &F.getEntryBlock())
             << Detail;
    });
}

void Remarks::checked(Function &F, const DebugLoc &Loc,
                      const std::string &Text) {
  OptimizationRemarkEmitter ORE(&F);
  ORE.emit([&] {
    return OptimizationRemarkAnalysis(PASS_NAME, "Checked", userPlace(Loc),
                                      &F.getEntryBlock())
           << Text;
  });
}

void Remarks::notTuned(Function &F, const DebugLoc &Loc,
                       const std::string &Text) {
  OptimizationRemarkEmitter ORE(&F);
  ORE.emit([&] {
    return OptimizationRemarkAnalysis(PASS_NAME, "NotTuned", userPlace(Loc),
                                      &F.getEntryBlock())
           << Text;
  });
}

void Remarks::sizesNotTaken(Function &F, const DebugLoc &Loc,
                            const std::string &Why) {
  OptimizationRemarkEmitter ORE(&F);
  ORE.emit([&] {
    return OptimizationRemarkMissed(PASS_NAME, "SizesNotTaken", userPlace(Loc),
                                    &F.getEntryBlock())
           << "sizes that -gpu-sizes gives are not taken: " << Why;
  });
}

void Remarks::warnAssembler(Function &F, const std::string &Problem,
                            const std::string &Missing) {
  if (AssemblerFailed)
    return;
  AssemblerFailed = true;
  std::string Text =
      (Missing.empty() ? "kernels are embedded as PTX only"
                       : "kernels are embedded as PTX for " + Missing) +
      ", which the driver will compile when the program runs, since ptxas "
      "failed (" +
      Problem + ")";
  F.getContext().diagnose(DiagnosticInfoGeneric(Text, DS_Warning));
}

void Remarks::dependsOnMachine(Function &F, const DebugLoc &Loc,
                               const std::string &What) {
  OptimizationRemarkEmitter ORE(&F);
  ORE.emit([&] {
    return OptimizationRemarkMissed(PASS_NAME, "DependsOnMachine",
                                    userPlace(Loc), &F.getEntryBlock())
           << "this object depends on the machine and its load: " << What
           << "; raise -gpu-max-seconds";
  });
}

void Remarks::missed(Function &F, const DebugLoc &Loc, const Refusal &Why) {
  DebugLoc Place = userPlace(Loc);
  if (isLibrary(Place)) {
    Later.push_back({&F, Loc, Why});
    return;
  }
  Libraries.insert(instanceText(Loc, F));
  // Several functions may hold copies of one loop: the first ones come first.
  std::string Key = placeText(Place, F) + (Place ? "" : Why.Sentence);
  if (Told.insert(Key).second)
    emit(F, Place, Why);
}

/// Where a user's code calls \p F, through at most so many functions of
/// libraries; nothing if that is not known.
static DebugLoc findUserCall(const Function &F, unsigned Steps = 6) {
  for (const User *U : F.users()) {
    const auto *Call = dyn_cast<CallBase>(U);
    if (!Call || !Call->getDebugLoc())
      continue;
    DebugLoc Place = userPlace(Call->getDebugLoc());
    if (isLibrary(Place))
      Place =
          Steps ? findUserCall(*Call->getFunction(), Steps - 1) : DebugLoc();
    if (Place)
      return Place;
  }
  return DebugLoc();
}

void Remarks::finish() {
  for (Untold &U : Later) {
    if (!Libraries.insert(instanceText(U.Loc, *U.F)).second)
      continue;
    DebugLoc Call = findUserCall(*U.F);
    if (Call && !Told.insert(placeText(Call, *U.F)).second)
      continue;
    if (Call)
      U.Why.Sentence += " (the loop is in " + describeLine(U.Loc, *U.F) +
                        ", in a function of a library that is called here)";
    emit(*U.F, Call ? Call : U.Loc, U.Why);
  }
  Later.clear();
}

void Remarks::emit(Function &F, const DebugLoc &Loc, const Refusal &Why) {
  OptimizationRemarkEmitter ORE(&F);
  ORE.emit([&] {
    OptimizationRemarkMissed R(PASS_NAME, Why.Name, Loc, &F.getEntryBlock());
    R << ("loop not offloaded: " + Why.Sentence) << ore::setExtraArgs()
      << ore::NV("Reason", Why.Name);
    if (!Why.Array.empty())
      R << ore::NV("Array", Why.Array);
    if (DebugLoc At = userPlace(Why.Loc))
      R << ore::NV("File", cast<DIScope>(At.getScope())->getFilename())
        << ore::NV("Line", At.getLine()) << ore::NV("Column", At.getCol());
    return R;
  });
}

void refuseLoops(Function &F, const Refusal &Why, Remarks &R) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  for (const Loop *L : LI.getLoopsInPreorder())
    if (L->isInnermost())
      R.missed(F, L->getStartLoc(), Why);
}

/// Where \p C begins in the source: as clang says it of a loop, or the first
/// place in it.
static DebugLoc startOf(const Cycle &C) {
  for (const BasicBlock *BB : C.blocks())
    if (const MDNode *ID =
            BB->getTerminator()->getMetadata(LLVMContext::MD_loop))
      for (const MDOperand &Op : drop_begin(ID->operands()))
        if (auto *Loc = dyn_cast<DILocation>(Op))
          return DebugLoc(Loc);
  for (const BasicBlock *BB : C.blocks())
    for (const Instruction &I : *BB)
      if (I.getDebugLoc())
        return I.getDebugLoc();
  return DebugLoc();
}

void refuseCycles(Function &F, Remarks &R) {
  CycleInfo CI;
  CI.compute(F);
  for (const Cycle *Top : CI.toplevel_cycles())
    for (const Cycle *C : depth_first(Top))
      if (!C->isReducible() && C->children().empty()) {
        DebugLoc Loc = startOf(*C);
        R.missed(F, Loc,
                 {"IrreducibleRegion",
                  "a jump into the middle of the loop; remove the goto, or the "
                  "switch around the loop",
                  Loc});
      }
}

} // namespace polygpu
