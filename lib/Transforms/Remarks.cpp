//===- Remarks.cpp - What users are told ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Remarks.h"
#include "adaptor/HiddenValues.h"
#include "llvm/ADT/StringExtras.h"
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

static std::string debugVariable(const Value *V) {
  SmallVector<DbgVariableRecord *, 4> Records;
  findDbgUsers(const_cast<Value *>(V), Records);
  for (DbgVariableRecord *R : Records)
    if (R->getVariable() && !R->getVariable()->getName().empty())
      return R->getVariable()->getName().str();
  return "";
}

/// The name of \p V, or what it is, or nothing.
static std::optional<std::string> findName(const Value *V) {
  for (unsigned Step = 0; Step < 32; ++Step) {
    std::string Name = debugVariable(V);
    if (!Name.empty())
      return Name;
    if (isa<GlobalValue>(V))
      return V->getName().str();
    if (const auto *GEP = dyn_cast<GEPOperator>(V))
      V = GEP->getPointerOperand();
    else if (isa<CastInst>(V))
      V = cast<CastInst>(V)->getOperand(0);
    else if (const auto *II = dyn_cast<IntrinsicInst>(V);
             II && II->getIntrinsicID() == Intrinsic::threadlocal_address)
      V = II->getArgOperand(0);
    else if (int64_t Offset; const Value *Origin = hiddenOrigin(V, Offset))
      V = Origin;
    else
      break;
  }
  // Promotion to registers appends numbers to the variable's name; what other
  // instructions are called says nothing to the user.
  bool IsVariable = !isa<Instruction>(V) || isa<PHINode, AllocaInst>(V);
  if (IsVariable && V->hasName() && !V->getName().starts_with("indvars") &&
      !V->getName().contains("lcssa"))
    if (StringRef Name = V->getName().split('.').first; !Name.empty())
      return Name.str();
  if (const auto *A = dyn_cast<Argument>(V))
    return "argument " + std::to_string(A->getArgNo() + 1);
  if (isa<AllocaInst>(V))
    return "a local array";
  if (const auto *L = dyn_cast<LoadInst>(V))
    return "the value loaded from " + sourceName(L->getPointerOperand());
  if (const auto *C = dyn_cast<CallBase>(V))
    if (const Function *Callee = C->getCalledFunction())
      return "the result of " + Callee->getName().str();
  return std::nullopt;
}

std::string sourceName(const Value *V) {
  return findName(V).value_or("a computed value");
}

bool isAnonymous(const Value *V) { return !findName(V); }

std::string describeLine(const DebugLoc &Loc, const Function &F) {
  if (!Loc)
    return "an unknown line (compile with -g or -gline-tables-only)";
  std::string Text = "line " + std::to_string(Loc.getLine());
  const auto *Scope = cast<DIScope>(Loc.getScope());
  const DISubprogram *SP = F.getSubprogram();
  if (SP && Scope->getFilename() != SP->getFilename())
    Text += " of " + Scope->getFilename().str();
  return Text;
}

bool Remarks::isNew(const Function &F, const DebugLoc &Loc,
                    const std::string &Text) {
  std::string Key;
  if (Loc)
    Key = cast<DIScope>(Loc.getScope())->getFilename().str() + ":" +
          std::to_string(Loc.getLine()) + ":" + std::to_string(Loc.getCol());
  else
    Key = F.getName().str();
  return Seen.insert(Key + "|" + Text).second;
}

void Remarks::offloaded(Function &F, const DebugLoc &Loc,
                        const std::string &Text) {
  OptimizationRemarkEmitter ORE(&F);
  ORE.emit([&] {
    return OptimizationRemark(PASS_NAME, "Offloaded", Loc, &F.getEntryBlock())
           << Text;
  });
}

void Remarks::checked(Function &F, const DebugLoc &Loc,
                      const std::string &Text) {
  OptimizationRemarkEmitter ORE(&F);
  ORE.emit([&] {
    return OptimizationRemarkAnalysis(PASS_NAME, "Checked", Loc,
                                      &F.getEntryBlock())
           << Text;
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
    return OptimizationRemarkMissed(PASS_NAME, "DependsOnMachine", Loc,
                                    &F.getEntryBlock())
           << "this object depends on the machine and its load: " << What
           << "; raise -gpu-max-seconds";
  });
}

void Remarks::missed(Function &F, const DebugLoc &Loc, const Refusal &Why) {
  std::string Text = "loop not offloaded: " + Why.Sentence;
  if (!isNew(F, Loc, Text))
    return;
  OptimizationRemarkEmitter ORE(&F);
  ORE.emit([&] {
    return OptimizationRemarkMissed(PASS_NAME, Why.Name, Loc,
                                    &F.getEntryBlock())
           << Text;
  });
}

void refuseLoops(Function &F, const Refusal &Why, Remarks &R) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  for (const Loop *L : reverse(LI.getTopLevelLoops()))
    R.missed(F, L->getStartLoc(), Why);
}

} // namespace polygpu
