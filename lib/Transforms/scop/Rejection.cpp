//===- Rejection.cpp - Why Polly's detection turned loops down -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/Rejection.h"
#include "adaptor/HiddenValues.h"
#include "polly/ScopDetection.h"
#include "polly/ScopDetectionDiagnostic.h"
#include "prepare/HoistChecks.h"
#include "prepare/IndirectUpdates.h"
#include "prepare/MathErrno.h"
#include "prepare/Versions.h"
#include "scop/CallRefusal.h"
#include "scop/Irregular.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using polly::RejectReason;
using polly::RejectReasonKind;

namespace polygpu {

/// The instructions of \p BB, if there is one, that \p Loc is the place of.
static const Instruction *
findAt(const BasicBlock *BB, const DebugLoc &Loc,
       function_ref<bool(const Instruction &)> Wanted) {
  if (BB)
    for (const Instruction &I : *BB)
      if (I.getDebugLoc() == Loc && Wanted(I))
        return &I;
  return nullptr;
}

/// The reason does not give its call away; its block does.
static Refusal explainCall(const RejectReason &Reason,
                           const std::string &Where) {
  const DebugLoc &Loc = Reason.getDebugLoc();
  const Instruction *Call =
      findAt(Reason.getRemarkBB(), Loc, [](const Instruction &I) {
        const auto *Call = dyn_cast<CallBase>(&I);
        return Call && !Call->doesNotAccessMemory() &&
               !Call->isDebugOrPseudoInst() && !Call->isLifetimeStartOrEnd();
      });
  if (Call)
    return refuseCall(*cast<CallBase>(Call));
  return {"Call",
          "an atomic operation or a fence" + Where +
              " cannot be analysed; use an ordinary variable in the loop",
          Loc};
}

/// Reads are no obstacle where it can be said what they lead to
/// (prepare/IndirectReads.h).
static Refusal explainIndirectWrite(const StoreInst &Store,
                                    const std::string &Array,
                                    const std::string &Why,
                                    const std::string &Where,
                                    const DebugLoc &Loc) {
  std::string NoUpdate = whyNoUpdate(Store);
  Refusal Result{"IndirectWrite",
                 "which element of '" + Array + "' is " +
                     (NoUpdate.empty() ? "written" : "updated") + Where + " " +
                     Why + ", and " +
                     (NoUpdate.empty()
                          ? "two iterations may write the same one; let each "
                            "iteration write its own element, and read through "
                            "the index"
                          : NoUpdate),
                 Loc};
  Result.Array = Array;
  return Result;
}

/// The access at \p Reason, or null.
static const Instruction *accessAt(const RejectReason &Reason) {
  return findAt(Reason.getRemarkBB(), Reason.getDebugLoc(),
                [](const Instruction &I) {
                  return getLoadStorePointerOperand(&I) != nullptr;
                });
}

static Refusal refuseSubscript(const std::string &Array, const std::string &Why,
                               const std::string &Where, const DebugLoc &Loc) {
  Refusal Result{"NonAffineAccess",
                 "a subscript of " +
                     (Array.empty() ? "an array" : "'" + Array + "'") + Where +
                     " is no affine function of loop counters and parameters "
                     "(it " +
                     Why +
                     "); use sums of counters times constants, and signed or "
                     "size_t counters",
                 Loc};
  Result.Array = Array;
  return Result;
}

/// What in \p E is read in \p L from the same place in each iteration, or null.
static const LoadInst *readAgain(const SCEV &E, const Loop &L) {
  const LoadInst *Found = nullptr;
  auto IsFixed = [&](const Value *V, unsigned Steps, auto &&Again) -> bool {
    const auto *I = dyn_cast<Instruction>(V);
    return !I || !L.contains(I) ||
           (Steps && isa<GetElementPtrInst>(I) &&
            all_of(I->operands(),
                   [&](const Use &U) { return Again(U, Steps - 1, Again); }));
  };
  SCEVExprContains(&E, [&](const SCEV *S) {
    const auto *Unknown = dyn_cast<SCEVUnknown>(S);
    const auto *Load =
        Unknown ? dyn_cast<LoadInst>(Unknown->getValue()) : nullptr;
    if (Load && L.contains(Load) &&
        IsFixed(Load->getPointerOperand(), 4, IsFixed))
      Found = Load;
    return Found != nullptr;
  });
  return Found;
}

/// The refusal of a stride or pointer that cannot be read in front of the loop:
/// it may not be there, or not be the same.
static Refusal refuseReadAgain(const LoadInst &Load, const std::string &Where) {
  std::string Array = sourceName(Load.getPointerOperand());
  Refusal Result{"InvariantLoad",
                 "a pointer or the size of rows is read from '" + Array + "'" +
                     Where +
                     " again in each iteration, under a condition on data or "
                     "where a store could change it; copy it into a local "
                     "variable before the loop",
                 Load.getDebugLoc()};
  Result.Array = Array;
  return Result;
}

/// A call in \p L that may write memory which the program can see, or null.
static const CallBase *writingCall(const Loop &L) {
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (const auto *Call = dyn_cast<CallBase>(&I);
          Call && !isa<IntrinsicInst>(Call) && Call->mayWriteToMemory() &&
          !Call->onlyAccessesInaccessibleMemory() && !isVersionCall(*Call))
        return Call;
  return nullptr;
}

/// The access of \p BB at \p Loc whose distance from its base is \p Offset, or
/// any: a block that is copied has two in one place.
static const Instruction *accessOf(const SCEV *Offset, const BasicBlock *BB,
                                   const DebugLoc &Loc, ScalarEvolution &SE) {
  auto IsAccess = [](const Instruction &I) {
    return getLoadStorePointerOperand(&I) != nullptr;
  };
  const Instruction *Exact = findAt(BB, Loc, [&](const Instruction &I) {
    if (!Offset || !IsAccess(I))
      return false;
    const SCEV *Address =
        SE.getSCEV(const_cast<Value *>(getLoadStorePointerOperand(&I)));
    return SE.getMinusSCEV(Address, SE.getPointerBase(Address)) == Offset;
  });
  return Exact ? Exact : findAt(BB, Loc, IsAccess);
}

static Refusal explainSubscript(const polly::ReportNonAffineAccess &Reason,
                                const Loop &L, ScalarEvolution &SE,
                                const std::string &Where) {
  const DebugLoc &Loc = Reason.getDebugLoc();
  const SCEV *E = const_cast<polly::ReportNonAffineAccess &>(Reason).get();
  const Instruction *Access = accessOf(E, Reason.getRemarkBB(), Loc, SE);
  std::string Array =
      Access ? sourceName(getLoadStorePointerOperand(Access)) : "";
  if (const LoadInst *Again = E ? readAgain(*E, L) : nullptr) {
    // What the call might change; known before the loop or not, it stays.
    const CallBase *Call = writingCall(L);
    return Call ? refuseCall(*Call) : refuseReadAgain(*Again, Where);
  }
  std::string Why = E ? whyIrregular(*E, L) : "";
  if (Why.empty())
    Why = "depends on data, multiplies counters, or may wrap around";
  if (const auto *Store = dyn_cast_or_null<StoreInst>(Access);
      Store && StringRef(Why).starts_with("depends on data"))
    return explainIndirectWrite(*Store, Array, Why, Where, Loc);
  return refuseSubscript(Array, Why, Where, Loc);
}

/// The innermost loop in \p L that \p BB is in.
static const Loop &loopAt(const BasicBlock *BB, const Loop &L) {
  for (const Loop *Sub : L.getSubLoops())
    if (Sub->contains(BB))
      return loopAt(BB, *Sub);
  return L;
}

/// Is the sum \p Next one of signed numbers in the source?  Passes over loops
/// make counters anew, which are not known not to wrap around then, and are
/// where the loop is; so all sums of that line are asked.
static bool isSigned(const BinaryOperator &Next) {
  const DILocation *At = Next.getDebugLoc();
  const DISubprogram *Of = At ? At->getScope()->getSubprogram() : nullptr;
  if (Next.hasNoSignedWrap() || !Of)
    return Next.hasNoSignedWrap();
  StringRef Linked = Of->getLinkageName();
  const Function *F =
      Next.getModule()->getFunction(Linked.empty() ? Of->getName() : Linked);
  bool Any = false, All = true;
  if (F)
    for (const Instruction &I : instructions(*F))
      if (const auto *Sum = dyn_cast<BinaryOperator>(&I);
          Sum && Sum->getOpcode() == Next.getOpcode() && I.getDebugLoc() &&
          I.getDebugLoc().getLine() == At->getLine()) {
        Any = true;
        All &= Sum->hasNoSignedWrap();
      }
  return Any && All;
}

/// How the counter of \p L changes, if not by a constant; to follow a colon.
static std::string whyUneven(const Loop &L) {
  for (const PHINode &Phi : L.getHeader()->phis()) {
    const BasicBlock *Latch = L.getLoopLatch();
    const auto *Next =
        Latch ? dyn_cast<BinaryOperator>(Phi.getIncomingValueForBlock(Latch))
              : nullptr;
    if (!Next || !Next->getType()->isIntegerTy() ||
        !is_contained(Next->operands(), &Phi))
      continue;
    std::string Counter =
        isAnonymous(&Phi) ? "its counter" : "'" + sourceName(&Phi) + "'";
    if (Next->getOpcode() != Instruction::Add &&
        Next->getOpcode() != Instruction::Sub)
      return Counter +
             " does not change by the same amount in each iteration; use a "
             "counter that does";
    const Value *Step = Next->getOperand(Next->getOperand(0) == &Phi);
    if (!isa<Constant>(Step))
      return Counter + " changes by '" + sourceName(Step) +
             (isSigned(*Next)
                  ? "', which is not known to have one sign; use a constant "
                    "step, and multiply in the subscripts"
                  : "' and may wrap around; use a signed counter");
  }
  return "";
}

/// The branches that may end \p L.
static SmallVector<const BranchInst *, 4> exitsOf(const Loop &L) {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  SmallVector<const BranchInst *, 4> Branches;
  for (const BasicBlock *BB : Exiting)
    if (const auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
        Branch && Branch->isConditional())
      Branches.push_back(Branch);
  return Branches;
}

/// Is the bound of \p L in \p Around read again, from the same place?
static bool readsBoundAgain(const Loop &L, const Loop &Around) {
  for (const BranchInst *Branch : exitsOf(L))
    if (const LoadInst *Load = findLoad(*Branch->getCondition(), Around))
      return L.isLoopInvariant(Load->getPointerOperand());
  return false;
}

/// Does each iteration of \p L store to what \p Load reads, so that it cannot
/// be read before?
static bool alwaysStores(const Loop &L, const LoadInst &Load) {
  const DataLayout &DL = Load.getDataLayout();
  auto PlaceOf = [&](const Value *Pointer) {
    APInt Offset(DL.getIndexTypeSizeInBits(Pointer->getType()), 0);
    const Value *Base = Pointer->stripAndAccumulateConstantOffsets(
        DL, Offset, /*AllowNonInbounds=*/true);
    return std::make_pair(Base, Offset);
  };
  auto Place = PlaceOf(Load.getPointerOperand());
  auto IsStore = [&](const Instruction &I) {
    const auto *Store = dyn_cast<StoreInst>(&I);
    return Store && PlaceOf(Store->getPointerOperand()) == Place;
  };
  const BasicBlock *Latch = L.getLoopLatch();
  return any_of(*L.getHeader(), IsStore) || (Latch && any_of(*Latch, IsStore));
}

/// What keeps the number of iterations of \p L in \p Around from being known.
static std::string whyUnbounded(const Loop &L, const Loop &Around,
                                std::string &Array) {
  for (const BranchInst *Branch : exitsOf(L)) {
    const Value &Condition = *Branch->getCondition();
    if (const LoadInst *Load = findLoad(Condition, Around)) {
      Array = sourceName(Load->getPointerOperand());
      return L.isLoopInvariant(Load->getPointerOperand()) &&
                     !alwaysStores(L, *Load)
                 ? "'" + Array +
                       "' is read again in each iteration, and a store or a "
                       "call in the loop could change it; copy it into a local "
                       "variable before the loop"
                 : "whether it goes on depends on data, which is read from '" +
                       Array + "'; use a loop with a bound";
    }
    if (Array = findArray(Condition, Around); !Array.empty())
      return "whether it goes on depends on data, which is read from '" +
             Array + "'; use a loop with a bound";
    if (const CallBase *Call = findCall(Condition, Around);
        Call && !isAnonymous(Call))
      return "whether it goes on depends on " + sourceName(Call) +
             "; use a loop with a bound";
    if (isa<FCmpInst>(Condition))
      return "whether it goes on depends on floating-point numbers; use a loop "
             "with a bound";
  }
  return whyUneven(L);
}

/// The refusal of the condition of \p Branch in \p L, which has a loop under it
/// if \p IsAroundLoop.
static Refusal refuseBranch(const BranchInst *Branch, const Loop &L,
                            bool IsAroundLoop, const std::string &Where,
                            const DebugLoc &Loc) {
  IrregularCondition C{"depends on data or is not affine",
                       "choose between values with ?: where both may be "
                       "computed, or move the condition out of the loop",
                       ""};
  if (Branch && Branch->isConditional())
    C = whyIrregular(*Branch->getCondition(), L);
  // Without a loop under it, it would be no obstacle (prepare/Predicate.h).
  if (IsAroundLoop) {
    C.Why += ", and a loop is under it";
    C.Advice = "move the condition into that loop";
  }
  Refusal Result{"NonAffineBranch",
                 "the condition" + Where + " " + C.Why + "; " + C.Advice, Loc};
  Result.Array = C.Array;
  return Result;
}

/// A branch in \p L, around loops in it, whose condition is none of integers or
/// depends on data; or null.  Polly takes the smallest region that it is in for
/// one statement, and if that is all of L, it does not count.
static const BranchInst *findDataBranch(const Loop &L) {
  for (const BasicBlock *BB : L.blocks()) {
    const auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
    if (!Branch || !Branch->isConditional() || L.isLoopExiting(BB) ||
        &loopAt(BB, L) != &L)
      continue;
    const Value &Condition = *Branch->getCondition();
    if (isa<FCmpInst>(Condition) || !findArray(Condition, L).empty())
      return Branch;
  }
  return nullptr;
}

static Refusal explainBound(const RejectReason &Reason, const Loop &Around,
                            const std::string &Where) {
  const Loop &L = loopAt(Reason.getRemarkBB(), Around);
  // Known before the loop or not, it stays on the host.
  if (const CallBase *Call = writingCall(L); Call && readsBoundAgain(L, Around))
    return refuseCall(*Call);
  std::string Array;
  std::string Why = whyUnbounded(L, Around, Array);
  if (Why.empty() && !L.isInnermost())
    if (const BranchInst *Branch = findDataBranch(L)) {
      const DebugLoc &Loc = Branch->getDebugLoc();
      return refuseBranch(
          Branch, L, /*IsAroundLoop=*/true,
          Loc ? " in " + describeLine(Loc, *Branch->getFunction()) : "", Loc);
    }
  Refusal Result{"LoopBound",
                 "the number of iterations of the loop" + Where +
                     " is not known before it starts or is not affine" +
                     (Why.empty() ? "; copy the bound into a local variable "
                                    "before the loop and avoid leaving the "
                                    "loop on data"
                                  : ": " + Why),
                 Reason.getDebugLoc()};
  Result.Array = Array;
  return Result;
}

static Refusal explainCondition(const RejectReason &Reason, const Loop &L,
                                const std::string &Where) {
  const auto *Branch = dyn_cast_or_null<BranchInst>(
      Reason.getRemarkBB() ? Reason.getRemarkBB()->getTerminator() : nullptr);
  const Loop &Inner = loopAt(Reason.getRemarkBB(), L);
  if (Branch && Inner.isLoopExiting(Branch->getParent()))
    return explainBound(Reason, L, Where);
  // With the condition elsewhere, the call would keep the loop on the host.
  if (!Inner.isInnermost())
    if (const CallBase *Call = writingCall(Inner))
      return refuseCall(*Call);
  return refuseBranch(Branch, L, !Inner.isInnermost(), Where,
                      Reason.getDebugLoc());
}

/// Is the base of the access at \p Reason computed in \p L?
static bool hasOwnBase(const RejectReason &Reason, const Loop &L) {
  const Instruction *Access = accessAt(Reason);
  if (!Access)
    return false;
  const Value *Base = getUnderlyingObject(getLoadStorePointerOperand(Access));
  const auto *I = dyn_cast<Instruction>(Base);
  return I && L.contains(I);
}

/// Is \p V computed in \p L with % or / by a number that is not constant?
static bool isQuotient(const Value *V, const Loop &L, unsigned Steps = 8) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !Steps || !L.contains(I) || isa<PHINode, LoadInst, CallBase>(I))
    return false;
  if (I->isIntDivRem() && !isa<Constant>(I->getOperand(1)))
    return true;
  return any_of(I->operands(),
                [&](const Use &U) { return isQuotient(U, L, Steps - 1); });
}

/// The refusal of a part of an array that begins at another place in each
/// iteration of \p L (prepare/ShiftParts.h); nothing if it is something else.
static std::optional<Refusal> refusePart(const RejectReason &Reason,
                                         const Loop &L, ScalarEvolution &SE,
                                         const std::string &Where) {
  const Instruction *Access = accessAt(Reason);
  if (!Access)
    return std::nullopt;
  int64_t Offset;
  const Value *Base = getUnderlyingObject(getLoadStorePointerOperand(Access));
  const Value *Origin = hiddenOrigin(Base, Offset);
  if (!Origin || !L.isLoopInvariant(getUnderlyingObject(Origin)))
    return std::nullopt;
  const std::string Array = sourceName(Origin);
  const auto *Begin = dyn_cast<GetElementPtrInst>(Origin);
  if (!Begin || findLoad(*Begin, L)) {
    auto WhyOf = [&](const Value *Pointer) {
      const SCEV *Address = SE.getSCEV(const_cast<Value *>(Pointer));
      return whyIrregular(*SE.getMinusSCEV(Address, SE.getPointerBase(Address)),
                          L);
    };
    std::string Why = Begin ? WhyOf(Begin) : "";
    if (Why.empty())
      Why = WhyOf(getLoadStorePointerOperand(Access));
    if (Why.empty())
      return std::nullopt;
    if (const auto *Store = dyn_cast<StoreInst>(Access);
        Store && StringRef(Why).starts_with("depends on data"))
      return explainIndirectWrite(*Store, Array, Why, Where,
                                  Reason.getDebugLoc());
    return refuseSubscript(Array, Why, Where, Reason.getDebugLoc());
  }
  return refuseSubscript(Array,
                         isQuotient(Begin, L)
                             ? "has % or / by a number that is not constant"
                             : "multiplies counters, or may wrap around",
                         Where, Reason.getDebugLoc());
}

static const char *const ChangingAddress =
    " changes inside the loop (an array of pointers, or a pointer that is read "
    "again each time); copy the pointer into a local variable before the loop "
    "or use one contiguous array";

/// Does \p V come from \p Pointer by what is added to it in \p L, also in some
/// iterations only?
static bool isMoved(const Value *V, const PHINode &Pointer, const Loop &L) {
  static const size_t Most = 32;
  SmallVector<const Value *, 8> List = {V};
  SmallPtrSet<const Value *, 16> Seen;
  while (!List.empty()) {
    const auto *I = dyn_cast<Instruction>(List.pop_back_val());
    if (I == &Pointer || (I && !Seen.insert(I).second))
      continue;
    if (!I || !L.contains(I) || Seen.size() > Most)
      return false;
    if (const auto *Phi = dyn_cast<PHINode>(I))
      append_range(List, Phi->incoming_values());
    else if (const auto *Select = dyn_cast<SelectInst>(I))
      List.append({Select->getTrueValue(), Select->getFalseValue()});
    else if (isa<GetElementPtrInst, FreezeInst>(I))
      List.push_back(I->getOperand(0));
    else
      return false;
  }
  return true;
}

/// The pointer that the access at \p Reason goes by if \p L, or a loop in it,
/// moves it on, but not as counters do.
static const PHINode *movingPointer(const RejectReason &Reason, const Loop &L) {
  const Instruction *Access = accessAt(Reason);
  if (!Access)
    return nullptr;
  const Value *Base = getLoadStorePointerOperand(Access);
  while (const auto *Offset = dyn_cast<GetElementPtrInst>(Base))
    Base = Offset->getPointerOperand();
  const auto *Pointer = dyn_cast<PHINode>(Base);
  if (!Pointer || !L.contains(Pointer))
    return nullptr;
  const Loop &Inner = loopAt(Pointer->getParent(), L);
  const BasicBlock *Latch = Inner.getLoopLatch();
  return Latch && Pointer->getParent() == Inner.getHeader() &&
                 isMoved(Pointer->getIncomingValueForBlock(Latch), *Pointer,
                         Inner)
             ? Pointer
             : nullptr;
}

static const char *const MovingAddress =
    " does not move on by the same amount in each iteration; index an array by "
    "a counter that does, or compute places in a loop of their own";

/// Is the access at \p Reason one of errno?
static bool isOfErrno(const RejectReason &Reason) {
  const Instruction *Access = accessAt(Reason);
  return Access && isErrno(getLoadStorePointerOperand(Access));
}

/// A sentence for \p Reason where its kind says enough.
static std::string explain(const RejectReason &Reason, const Loop &L,
                           const std::string &Where) {
  switch (Reason.getKind()) {
  case RejectReasonKind::LoopHasNoExit:
    return "the loop" + Where + " has no exit; give it a bound";
  case RejectReasonKind::LoopHasMultipleExits:
  case RejectReasonKind::LoopOnlySomeLatches:
    return "the loop" + Where +
           " has more than one exit; remove break, return and goto, or split "
           "the search from the computation";
  case RejectReasonKind::Alias:
    if (const PHINode *Pointer = movingPointer(Reason, L))
      return "the pointer '" + sourceName(Pointer) + "'" + Where +
             MovingAddress;
    if (hasOwnBase(Reason, L))
      return "an array's address" + Where + ChangingAddress;
    return "two pointers" + Where +
           " may point to overlapping memory and no check at run time can "
           "tell them apart; declare them restrict or use arrays";
  case RejectReasonKind::NoBasePtr:
  case RejectReasonKind::UndefBasePtr:
  case RejectReasonKind::VariantBasePtr:
    if (const PHINode *Pointer = movingPointer(Reason, L))
      return "the pointer '" + sourceName(Pointer) + "'" + Where +
             MovingAddress;
    return "an array's address" + Where + ChangingAddress;
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
    return "a jump into the middle of the loop" + Where +
           "; remove the goto, or the switch around the loop";
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

/// Checks in \p L that may end it, if nothing else does but counting.
static std::optional<Refusal> refuseChecks(const Loop &L) {
  auto Checks = checksIn(L);
  SmallVector<BasicBlock *, 8> Exiting;
  L.getExitingBlocks(Exiting);
  if (Checks.empty() || Exiting.size() > Checks.size() + 1)
    return std::nullopt;
  const BranchInst &Check = *Checks.front();
  return Refusal{
      "Check",
      "the check in " +
          describeLine(placeOfCheck(Check), *Check.getFunction()) +
          " may end the loop (an index out of bounds, an assertion); that is "
          "known in front of loops which count, call nothing and are affine "
          "otherwise, and if it compares only counters and what does not "
          "change in them; check before the loop, or use iterators",
      placeOfCheck(Check)};
}

/// A refusal for \p Reason: the cause in the source's words and a way out.
static Refusal explainInWords(const RejectReason &Reason, const Loop &L,
                              ScalarEvolution &SE, const std::string &Where) {
  switch (Reason.getKind()) {
  case RejectReasonKind::FuncCall:
    return explainCall(Reason, Where);
  case RejectReasonKind::NonAffineAccess:
    return explainSubscript(
        static_cast<const polly::ReportNonAffineAccess &>(Reason), L, SE,
        Where);
  case RejectReasonKind::NonAffBranch:
  case RejectReasonKind::UndefCond:
  case RejectReasonKind::InvalidCond:
  case RejectReasonKind::UndefOperand:
    return explainCondition(Reason, L, Where);
  case RejectReasonKind::LoopBound:
    return explainBound(Reason, L, Where);
  case RejectReasonKind::Alias:
  case RejectReasonKind::VariantBasePtr:
    if (isOfErrno(Reason))
      return refuseErrno();
    if (auto Why = refusePart(Reason, L, SE, Where))
      return *Why;
    break;
  case RejectReasonKind::LoopHasMultipleExits:
  case RejectReasonKind::LoopOnlySomeLatches:
  case RejectReasonKind::UnreachableInExit:
    if (auto Why = refuseChecks(L))
      return *Why;
    break;
  default:
    break;
  }
  std::string Name = Reason.getRemarkName();
  if (StringRef(Name).starts_with("Report"))
    Name.erase(0, strlen("Report"));
  return {Name, explain(Reason, L, Where), Reason.getDebugLoc()};
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

/// A call in \p L next to something that other blocks use, or null.  Polly
/// takes blocks with calls under conditions for errors that never happen, and
/// turns loops down without a word where one computes what another uses.
static const CallBase *usedCall(const Loop &L) {
  auto IsUsedElsewhere = [](const Instruction &I) {
    return any_of(I.users(), [&](const User *U) {
      return cast<Instruction>(U)->getParent() != I.getParent();
    });
  };
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (const auto *Call = dyn_cast<CallBase>(&I);
          Call && !isa<IntrinsicInst>(Call) && !Call->doesNotAccessMemory() &&
          any_of(*BB, IsUsedElsewhere))
        return Call;
  return nullptr;
}

Refusal explainRejection(const Loop &L, RegionInfo &RI,
                         const polly::ScopDetection &SD, ScalarEvolution &SE) {
  SmallVector<Region *, 16> All;
  collectRegions(*RI.getTopLevelRegion(), All);
  const RejectReason *Best = nullptr;
  bool HasVersions = false;
  for (Region *R : All) {
    const polly::RejectLog *Log = SD.lookupRejectionLog(R);
    if (!Log)
      continue;
    for (const auto &Reason : *Log) {
      const BasicBlock *BB = Reason->getRemarkBB();
      if (!BB || !L.contains(BB))
        continue;
      // Whatever else there is interests more.
      if (any_of(*BB, isVersionCall)) {
        HasVersions = true;
        continue;
      }
      if (!Best || priority(*Reason) < priority(*Best))
        Best = Reason.get();
    }
  }
  const Function &F = *L.getHeader()->getParent();
  if (!Best) {
    SmallVector<BasicBlock *, 4> Exiting;
    L.getExitingBlocks(Exiting);
    // What is called may leave the loop, too.
    for (const BasicBlock *BB : Exiting)
      if (const auto *Invoke = dyn_cast<InvokeInst>(BB->getTerminator()))
        return refuseCall(*Invoke);
    if (auto Why = refuseChecks(L))
      return *Why;
    if (Exiting.size() > 1)
      return {"LoopHasMultipleExits",
              "the loop has more than one exit; remove break, return and "
              "goto, or split the search from the computation",
              L.getStartLoc()};
    if (HasVersions)
      return {"AroundVersions",
              "a loop inside of it reads what one of its stores might change, "
              "and is looked at by itself, for runs in which none does; copy "
              "what it reads in each iteration into a local variable before it",
              L.getStartLoc()};
    if (const CallBase *Call = usedCall(L))
      return refuseCall(*Call);
    return {"NotAScop",
            "the loop is no region with one entry and one exit that Polly "
            "can describe; simplify the control flow around it",
            L.getStartLoc()};
  }
  const DebugLoc &Loc = Best->getDebugLoc();
  return explainInWords(*Best, L, SE, Loc ? " in " + describeLine(Loc, F) : "");
}

/// Is a part of \p Subscript a clamped counter or a fraction of one, times a
/// size?  Such rows, min(i + 1, n - 1) * m and i / 2 * m, are none to Polly if
/// m is extended, while the loop along each is a SCoP.
static bool hasClampedRow(const SCEV *Subscript) {
  auto HasCounter = [](const SCEV *E) {
    return SCEVExprContains(
        E, [](const SCEV *S) { return isa<SCEVAddRecExpr>(S); });
  };
  auto IsClamped = [&](const SCEV *E) {
    while (const auto *Cast = dyn_cast<SCEVCastExpr>(E))
      E = Cast->getOperand();
    return isa<SCEVMinMaxExpr, SCEVUDivExpr>(E) && HasCounter(E);
  };
  return SCEVExprContains(Subscript, [&](const SCEV *E) {
    return isa<SCEVMulExpr>(E) && any_of(E->operands(), IsClamped) &&
           any_of(E->operands(), [&](const SCEV *Size) {
             return !isa<SCEVConstant>(Size) && !HasCounter(Size);
           });
  });
}

SmallVector<LoadInst *, 8> loadsTurnedDown(const polly::ScopDetection &SD,
                                           RegionInfo &RI, const LoopInfo &LI,
                                           ScalarEvolution &SE) {
  SmallVector<Region *, 16> All;
  collectRegions(*RI.getTopLevelRegion(), All);
  SmallSetVector<LoadInst *, 8> Loads;
  for (Region *R : All) {
    const polly::RejectLog *Log = SD.lookupRejectionLog(R);
    if (!Log)
      continue;
    for (const auto &Reason : *Log) {
      if (Reason->getKind() != RejectReasonKind::NonAffineAccess)
        continue;
      const auto *BB = Reason->getRemarkBB();
      const Loop *L = BB ? LI.getLoopFor(BB) : nullptr;
      const SCEV *Subscript =
          static_cast<polly::ReportNonAffineAccess &>(*Reason).get();
      if (!L ||
          (any_of(SD, [&](const Region *In) { return In->contains(L); }) &&
           !hasClampedRow(Subscript)))
        continue;
      for (const Instruction &I : *BB)
        if (auto *Load = dyn_cast<LoadInst>(const_cast<Instruction *>(&I));
            Load && SE.removePointerBase(SE.getSCEVAtScope(
                        Load->getPointerOperand(), L)) == Subscript)
          Loads.insert(Load);
    }
  }
  return Loads.takeVector();
}

} // namespace polygpu
