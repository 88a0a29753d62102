//===- Remarks.cpp - What users are told ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Remarks.h"
#include "polly/ScopDetection.h"
#include "polly/ScopDetectionDiagnostic.h"
#include "prepare/Prepare.h"
#include "prepare/SplitBases.h"
#include "target/MathCalls.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using polly::RejectReason;
using polly::RejectReasonKind;

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

std::string sourceName(const Value *V) {
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
  return "a computed value";
}

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

/// A sentence for \p Reason: the cause in the source's words and a way out.
static std::string explain(const RejectReason &Reason, const Function &F) {
  const DebugLoc &Loc = Reason.getDebugLoc();
  std::string Where = Loc ? " in " + describeLine(Loc, F) : "";
  switch (Reason.getKind()) {
  case RejectReasonKind::FuncCall: {
    // The reason does not give its call away; its block does.
    std::string Callee = "a function";
    bool IsMath = false, HasLargeFrame = false, IsCounted = false;
    if (const BasicBlock *BB = Reason.getRemarkBB())
      for (const Instruction &I : *BB) {
        const auto *Call = dyn_cast<CallBase>(&I);
        if (!Call || Call->doesNotAccessMemory() ||
            Call->isDebugOrPseudoInst() || Call->getDebugLoc() != Loc)
          continue;
        if (const Function *Fn = Call->getCalledFunction()) {
          Callee = "'" + Fn->getName().str() + "'";
          IsMath = !libraryName(*Call).empty();
          HasLargeFrame = Call->hasFnAttr(LargeFrameAttribute);
          IsCounted = !Fn->isDeclaration() && isInstrumented(*Fn);
          break;
        }
        Callee = "a function pointer";
      }
    if (IsMath)
      return "the call of " + Callee + Where +
             " may set errno, which -gpu-math-errno keeps; leave that option "
             "away or compile with -fno-math-errno";
    if (HasLargeFrame)
      return "the call of " + Callee + Where +
             " is not inlined, since its local variables would make the stack "
             "frame of this function much larger; make them smaller or static, "
             "or pass them as arguments";
    if (IsCounted)
      return "the call of " + Callee + Where +
             " is not inlined, since -finstrument-functions counts it; use "
             "-finstrument-functions-after-inlining, or give the function the "
             "attribute no_instrument_function";
    return "the call of " + Callee + Where +
           " cannot be analysed; make the function visible and inlinable "
           "(defined in this file or built with LTO, not noinline), or move "
           "the call out of the loop";
  }
  case RejectReasonKind::NonAffineAccess: {
    const auto &R = static_cast<const polly::ReportNonAffineAccess &>(Reason);
    (void)R;
    std::string Array = "an array";
    if (const BasicBlock *BB = Reason.getRemarkBB())
      for (const Instruction &I : *BB)
        if (I.getDebugLoc() == Loc)
          if (const Value *P = getLoadStorePointerOperand(&I))
            Array = "'" + sourceName(P) + "'";
    return "a subscript of " + Array + Where +
           " is no affine function of loop counters and parameters (it "
           "depends on data, multiplies counters, or may wrap around); use "
           "sums of counters times constants, and signed or size_t counters";
  }
  case RejectReasonKind::NonAffBranch:
  case RejectReasonKind::UndefCond:
  case RejectReasonKind::InvalidCond:
  case RejectReasonKind::UndefOperand:
    return "the condition" + Where +
           " depends on data or is not affine; compute the value with ?: "
           "instead of a branch, or move the condition out of the loop";
  case RejectReasonKind::LoopBound:
    return "the number of iterations of the loop" + Where +
           " is not known before it starts or is not affine; copy the bound "
           "into a local variable before the loop and avoid leaving the loop "
           "on data";
  case RejectReasonKind::LoopHasNoExit:
    return "the loop" + Where + " has no exit; give it a bound";
  case RejectReasonKind::LoopHasMultipleExits:
  case RejectReasonKind::LoopOnlySomeLatches:
    return "the loop" + Where +
           " has more than one exit; remove break, return and goto, or split "
           "the search from the computation";
  case RejectReasonKind::Alias:
    return "two pointers" + Where +
           " may point to overlapping memory and no check at run time can "
           "tell them apart; declare them restrict or use arrays";
  case RejectReasonKind::NoBasePtr:
  case RejectReasonKind::UndefBasePtr:
  case RejectReasonKind::VariantBasePtr:
    return "an array's address" + Where +
           " changes inside the loop (an array of pointers, or a pointer "
           "that is read again each time); copy the pointer into a local "
           "variable before the loop or use one contiguous array";
  case RejectReasonKind::DifferentElementSize:
    return "one array" + Where +
           " is accessed with elements of different sizes; use one element "
           "type";
  case RejectReasonKind::NonSimpleMemoryAccess:
    return "a volatile or atomic access" + Where +
           " must stay where it is; use an ordinary variable in the loop";
  case RejectReasonKind::IntToPtr:
    return "an integer is turned into a pointer" + Where +
           "; index an array instead";
  case RejectReasonKind::Alloca:
    return "a local variable is created inside the loop" + Where +
           " (a variable-length array or alloca); create it before the loop";
  case RejectReasonKind::InvalidTerminator:
    return "the control flow" + Where +
           " (a switch, an exception or an indirect jump) cannot be "
           "described; use if and for";
  case RejectReasonKind::IrreducibleRegion:
    return "a jump into the middle of the loop" + Where + "; remove the goto";
  case RejectReasonKind::UnreachableInExit:
    return "the loop" + Where +
           " ends in code that does not return (abort or an assertion); move "
           "the check before the loop";
  case RejectReasonKind::UnknownInst:
    return "an operation" + Where +
           " cannot be analysed (inline assembly, vector intrinsics or an "
           "exception); write it in plain C";
  case RejectReasonKind::Entry:
  case RejectReasonKind::IndirectPredecessor:
    return "the loop is entered in a way that cannot be described (the entry "
           "of the function or an indirect jump)";
  default:
    return "it was not recognised as a static control part: " +
           Reason.getMessage();
  }
}

/// Order of interest: smaller is told first.
static unsigned priority(const RejectReason &Reason) {
  switch (Reason.getKind()) {
  case RejectReasonKind::Unprofitable:
  case RejectReasonKind::Entry:
    return 3;
  case RejectReasonKind::LoopBound:
  case RejectReasonKind::LoopHasMultipleExits:
  case RejectReasonKind::LoopOnlySomeLatches:
    return 1;
  case RejectReasonKind::Other:
    return 2;
  default:
    return 0;
  }
}

static void collectRegions(Region &R, SmallVectorImpl<Region *> &All) {
  All.push_back(&R);
  for (const auto &Child : R)
    collectRegions(*Child, All);
}

Refusal explainRejection(const Loop &L, const LoopInfo &LI, RegionInfo &RI,
                         const polly::ScopDetection &SD) {
  (void)LI;
  SmallVector<Region *, 16> All;
  collectRegions(*RI.getTopLevelRegion(), All);
  const RejectReason *Best = nullptr;
  for (Region *R : All) {
    const polly::RejectLog *Log = SD.lookupRejectionLog(R);
    if (!Log)
      continue;
    for (const auto &Reason : *Log) {
      const BasicBlock *BB = Reason->getRemarkBB();
      if (!BB || !L.contains(BB))
        continue;
      if (!Best || priority(*Reason) < priority(*Best))
        Best = Reason.get();
    }
  }
  const Function &F = *L.getHeader()->getParent();
  if (!Best) {
    SmallVector<BasicBlock *, 4> Exiting;
    L.getExitingBlocks(Exiting);
    if (Exiting.size() > 1)
      return {"LoopHasMultipleExits",
              "the loop has more than one exit; remove break, return and "
              "goto, or split the search from the computation",
              L.getStartLoc()};
    return {"NotAScop",
            "the loop is no region with one entry and one exit that Polly "
            "can describe; simplify the control flow around it",
            L.getStartLoc()};
  }
  return {Best->getRemarkName(), explain(*Best, F), Best->getDebugLoc()};
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

void Remarks::warnAssembler(Function &F, const std::string &Problem) {
  if (AssemblerFailed)
    return;
  AssemblerFailed = true;
  std::string Text = "kernels are embedded as PTX only, which the driver will "
                     "compile when the program runs, since ptxas failed (" +
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
