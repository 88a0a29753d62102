//===- Rejection.cpp - Why Polly's detection turned loops down -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/Rejection.h"
#include "polly/ScopDetection.h"
#include "polly/ScopDetectionDiagnostic.h"
#include "prepare/Candidates.h"
#include "target/MathCalls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using polly::RejectReason;
using polly::RejectReasonKind;

namespace polygpu {

/// A sentence for \p Reason: the cause in the source's words and a way out.
static std::string explain(const RejectReason &Reason, const Function &F) {
  const DebugLoc &Loc = Reason.getDebugLoc();
  std::string Where = Loc ? " in " + describeLine(Loc, F) : "";
  switch (Reason.getKind()) {
  case RejectReasonKind::FuncCall: {
    // The reason does not give its call away; its block does.
    std::string Callee = "a function";
    StringRef Kept; // the reason
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
          Kept = Call->getFnAttr(KeptAttribute).getValueAsString();
          IsCounted = !Fn->isDeclaration() && isInstrumented(*Fn);
          break;
        }
        Callee = "a function pointer";
      }
    if (IsMath)
      return "the call of " + Callee + Where +
             " may set errno, which -gpu-math-errno keeps; leave that option "
             "away or compile with -fno-math-errno";
    if (!Kept.empty())
      return Kept.str() + " (the loops of " + Callee + ", called" + Where +
             ", are looked at by themselves)";
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

Refusal explainRejection(const Loop &L, RegionInfo &RI,
                         const polly::ScopDetection &SD) {
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

} // namespace polygpu
