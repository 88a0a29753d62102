//===- OffloadFunction.cpp - All SCoPs of one function -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OffloadFunction.h"
#include "OffloadScop.h"
#include "Quotas.h"
#include "polly/ScopInfo.h"
#include "prepare/CarryBest.h"
#include "prepare/CarryGuards.h"
#include "prepare/CloseExits.h"
#include "prepare/DemoteReductions.h"
#include "prepare/HandOn.h"
#include "prepare/IndirectPlaces.h"
#include "prepare/OutlineLoops.h"
#include "prepare/PackIndices.h"
#include "prepare/PrefixSums.h"
#include "prepare/Prepare.h"
#include "prepare/ReplacedExtremes.h"
#include "prepare/SplitStatements.h"
#include "prepare/SplitSums.h"
#include "prepare/UnrollNeighbours.h"
#include "scop/Detection.h"
#include "scop/Legality.h"
#include "scop/RareCalls.h"
#include "scop/RegionLimits.h"
#include "scop/Rejection.h"
#include "scop/RowsApart.h"
#include "tuning/TuningLog.h"
#include "verify/Mutate.h"
#include "verify/Repetitions.h"
#include "verify/SaveFailure.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <utility>

using namespace llvm;

namespace polygpu {

FunctionOffloader::FunctionOffloader(Function &F, const Options &O, Level Until,
                                     FunctionAnalysisManager &FAM, Remarks &R,
                                     pg_budget *Outer, SpentNests &Spent,
                                     Settled IsSettled)
    : F(F), O(O), Until(Until), FAM(FAM), R(R), Outer(Outer), Spent(Spent),
      IsSettled(IsSettled) {}

/// Is \p Why the same wherever the function is inlined?
static bool isFinal(const Refusal &Why) {
  return Why.Name.empty() || Why.Name == "Quota" ||
         Why.Name == "NoParallelism" || Why.Name == "Call";
}

bool FunctionOffloader::isSettled() const {
  return !Spoilt && !IsParted && !KeepsUnsettled &&
         none_of(FirstLook,
                 [&](const auto &Entry) {
                   return InnermostAtFirst.contains(Entry.first) &&
                          !isFinal(Entry.second);
                 }) &&
         all_of(Refused,
                [](const auto &Entry) { return isFinal(Entry.second); });
}

/// What a loop needs that was a call for a while is gone: no pass of ours does
/// that today.
static Refusal refuseUnrestored() {
  Refusal Why{"InvalidCode",
              "what stood for an access under a condition or through an index "
              "cannot be made that again; please report this with the source",
              DebugLoc()};
  Why.OwnError = true;
  return Why;
}

/// An error for tests: the last value of \p F that its own block uses is made
/// behind what uses it.
static void useBeforeMade(Function &F) {
  for (BasicBlock &BB : reverse(F))
    for (Instruction &I : reverse(BB))
      for (Value *V : I.operands())
        if (auto *Made = dyn_cast<Instruction>(V);
            Made && !I.isTerminator() && !isa<PHINode>(I) &&
            !isa<PHINode>(Made) && Made->getParent() == &BB) {
          Made->moveAfter(&I);
          return;
        }
}

Function *FunctionOffloader::run() {
  TimeTraceScope Time("PolyGPU: function", F.getName());
  std::optional<MathErrno> Errno;
  prepare(Errno);
  // Callees may have been offloaded until here.
  beginFunction(Budget, O, Outer);
  // From here on order is at stake; loads have been hoisted.
  Types.emplace(*Copy);
  lookFirst();
  while (offloadNext() || (!Spoilt && Versions.leaveOpen()))
    ;
  std::vector<LoopRefusal> Rest;
  if (!Spoilt && Until == Level::Offload)
    Rest = explainRest();
  Parting.remove(*Copy);
  FAM.invalidate(*Copy, PreservedAnalyses::none());
  revealValues(*Copy);
  Types->restore();
  Errno->restore(*Copy);
  bool Restored = Guarded.restore();
  Restored &= Sunk.restore(*Copy);
  Restored &= Indirect.restore();
  Versions.finish(*Copy);
  FAM.invalidate(*Copy, PreservedAnalyses::none());
  if (!Scops.empty() && !Spoilt)
    Spoilt = Restored ? refuseInvalid() : refuseUnrestored();
  if (Spoilt)
    refuseLoops(F, *Spoilt, R);
  else if (Until == Level::Offload)
    tellAll(Rest);
  if (!Scops.empty() && !Spoilt)
    return Copy;
  dropCopy(Copy, FAM);
  return nullptr;
}

/// Code that LLVM does not take would end the user's compiler, or worse.
std::optional<Refusal> FunctionOffloader::refuseInvalid() const {
  if (isMutated(Mutation::Invalid, F.getName().str()))
    useBeforeMade(*Copy);
  std::string Text;
  raw_string_ostream OS(Text);
  if (!verifyFunction(*Copy, &OS))
    return std::nullopt;
  Refusal Why{"InvalidCode",
              "the code that PolyGPU made for the function is not valid (" +
                  StringRef(Text).split('\n').first.str() +
                  "); please report this with the source",
              DebugLoc()};
  Why.OwnError = true;
  return Why;
}

/// Have calls in \p F in place of indirect reads.  True if there are any.
static bool addIndirect(IndirectReads &Reads, Function &F,
                        FunctionAnalysisManager &FAM) {
  bool Any = false, More = true;
  while (More) {
    More = Reads.addLoop(F, FAM.getResult<LoopAnalysis>(F),
                         FAM.getResult<ScalarEvolutionAnalysis>(F));
    if (More)
      FAM.invalidate(F, PreservedAnalyses::none());
    Any |= More;
  }
  if (Reads.add(F, FAM.getResult<LoopAnalysis>(F),
                FAM.getResult<ScalarEvolutionAnalysis>(F))) {
    FAM.invalidate(F, PreservedAnalyses::none());
    Any = true;
  }
  return Any;
}

/// Ask what keeps the loops of \p Nests in the copy from being in a SCoP.
void FunctionOffloader::lookAt(InlinedNests &Nests) const {
  Detection D(*Copy, FAM);
  Nests.look(D.LI, [&](const Loop &L) {
    bool Joined =
        any_of(D.SD, [&](const Region *R) { return R->contains(&L); });
    return Joined ? "" : explainRejection(L, D.RI, D.SD, D.SE).Sentence;
  });
}

/// The functions with loops that are not to be inlined into loops of the copy.
/// Where there are some, reads at places that data say are no obstacle: \p Anew
/// is set then, as the copy is no more what it was.
KeptCalls FunctionOffloader::findSeparate(InlinedNests &Nests, bool &Anew) {
  lookAt(Nests);
  bool MayGain = false;
  KeptCalls Kept = Nests.keep(IsSettled, MayGain);
  for (const Function *Callee : WithReads)
    Kept.erase(Callee);
  IndirectReads Reads;
  if (!Kept.empty() && addIndirect(Reads, *Copy, FAM)) {
    lookAt(Nests);
    Anew = true;
    (void)Reads.restore(); // the copy goes, be it right or not
    FAM.invalidate(*Copy, PreservedAnalyses::none());
    MayGain = false;
    KeptCalls Before = std::move(Kept);
    Kept = Nests.keep(IsSettled, MayGain);
    for (auto &[Callee, Why] : Before)
      if (!Kept.contains(Callee))
        WithReads.insert(Callee);
  }
  KeepsUnsettled |= MayGain;
  InlinedNests::forget(FAM.getResult<LoopAnalysis>(*Copy));
  return Kept;
}

/// Do without versions of which no SCoP has all loops.  True if the copy is to
/// be made again, with versions of loops inside.
bool FunctionOffloader::chooseVersions(VersionChoice &Choice) {
  static const size_t Most = 8;
  Versions.find(*Copy);
  if (Versions.All.empty())
    return false;
  Detection D(*Copy, FAM);
  // There may be a SCoP when rows of sparse matrices and elements at places
  // that data say are calls (lookFirst).
  const DataLayout &DL = Copy->getDataLayout();
  auto IsIndirect = [&](const Instruction &I) {
    const auto *Load = dyn_cast<LoadInst>(&I);
    return Load && PlaceFinder(D.LI, D.SE, DL).find(*Load);
  };
  auto HasReads = [&](const LoopVersion &V) {
    bool IsNest = VersionSet::isNest(V, D.LI, D.DT);
    return any_of(D.LI.getLoopsInPreorder(), [&](Loop *L) {
      return D.DT.dominates(V.assuming(), L->getHeader()) &&
             (LoopOutliner(*L, D.LI, D.SE, DL).accept() ||
              (!IsNest && any_of(L->blocks(), [&](const BasicBlock *BB) {
                return any_of(*BB, IsIndirect);
              })));
    });
  };
  bool Again = false;
  for (LoopVersion &V : Versions.All) {
    if (any_of(D.SD,
               [&](const Region *R) {
                 return VersionSet::covers(*R, V, D.LI, D.DT);
               }) ||
        HasReads(V))
      continue;
    for (const Loop *L : D.LI.getLoopsInPreorder())
      if (D.DT.dominates(V.assuming(), L->getHeader()) && L->isInnermost())
        V.Why = explainRejection(*L, D.RI, D.SD, D.SE);
    V.State = LoopVersion::Left;
    Again |= VersionSet::isNest(V, D.LI, D.DT);
    Choice.NotHere.insert(
        cast<ConstantInt>(V.Choice->getArgOperand(0))->getZExtValue());
  }
  return Again && Choice.NotHere.size() <= Most;
}

/// Make the copy, with calls inlined where that gains something.
void FunctionOffloader::prepare(std::optional<MathErrno> &Errno) {
  KeptCalls Kept;
  VersionChoice Choice;
  for (bool Again = true; Again;) {
    InlinedNests Nests;
    Errno.emplace(O.MathErrno);
    Copy = makeCopy(F, *Errno, Kept, Nests, Choice, FAM);
    bool Anew = false;
    KeptCalls More = Nests.empty() ? KeptCalls() : findSeparate(Nests, Anew);
    for (auto &[Callee, Why] : More)
      Kept[Callee] = Why;
    Anew |= !More.empty();
    if (Anew)
      Choice = VersionChoice();
    Again = Anew || chooseVersions(Choice);
    if (Again) {
      revealValues(*Copy);
      dropCopy(Copy, FAM);
    }
  }
}

/// The loops of \p D's regions that are in no other loop there.
static SmallVector<Loop *, 8> outermostLoops(Detection &D,
                                             const VersionSet &Versions) {
  SmallVector<Loop *, 8> Loops;
  for (const Region *R : D.regions())
    if (!Versions.isSetAside(*R->getEntry(), D.DT))
      for (Loop *L : D.LI.getLoopsInPreorder())
        if (R->contains(L) &&
            !(L->getParentLoop() && R->contains(L->getParentLoop())))
          Loops.push_back(L);
  return Loops;
}

void FunctionOffloader::lookFirst() {
  if (carryBest(FAM.getResult<LoopAnalysis>(*Copy),
                FAM.getResult<DominatorTreeAnalysis>(*Copy),
                FAM.getResult<ScalarEvolutionAnalysis>(*Copy)))
    FAM.invalidate(*Copy, PreservedAnalyses::none());
  addIndirect(Indirect, *Copy, FAM);
  bool AnySunk = Sunk.add(*Copy, FAM);
  std::optional<Detection> First(std::in_place, *Copy, FAM);
  auto LookAgain = [&] {
    First.reset();
    FAM.invalidate(*Copy, PreservedAnalyses::none());
    First.emplace(*Copy, FAM);
  };
  auto InScop = [&](const Loop &L) {
    return any_of(First->SD, [&](const Region *R) { return R->contains(&L); });
  };
  // One subscript of a region is told at a time.
  static const unsigned MostRounds = 16;
  for (unsigned Round = 0;
       Round < MostRounds &&
       Indirect.addComputed(
           loadsTurnedDown(First->SD, First->RI, First->LI, First->SE),
           First->LI, First->SE, InScop);
       ++Round)
    LookAgain();
  if (Indirect.restoreNeedless(First->LI, InScop))
    LookAgain();
  SmallVector<Loop *, 8> Loops = outermostLoops(*First, Versions);
  bool AnyReplaced = false;
  for (Loop *L : Loops)
    AnyReplaced |= openReplacedExtremes(*L, First->LI, First->DT, First->SE);
  if (AnyReplaced) {
    Indirect.addCopies();
    LookAgain();
    Loops = outermostLoops(*First, Versions);
  }
  if (packIndices(Loops, First->LI, First->DT, First->SE)) {
    Indirect.addCopies();
    LookAgain();
    Loops = outermostLoops(*First, Versions);
  }
  if (demoteReductions(Loops, First->LI, First->SE, O.Reassociate, Guarded)) {
    LookAgain();
    Loops = outermostLoops(*First, Versions);
  }
  if (moveCarriedSums(Loops))
    LookAgain();
  Detection &D = *First;
  for (const Loop *L : D.LI.getLoopsInPreorder())
    if (none_of(D.SD, [&](const Region *R) { return R->contains(L); })) {
      FirstLook[L->getHeader()] = explainRejection(*L, D.RI, D.SD, D.SE);
      if (L->isInnermost())
        InnermostAtFirst.insert(L->getHeader());
    }
  // Loops that are no part of a nest with the one around are as they were.
  if (AnySunk && Sunk.restoreUnless(D.LI, [&](const Loop &L) {
        return any_of(D.SD, [&](const Region *R) { return R->contains(&L); });
      }))
    FAM.invalidate(*Copy, PreservedAnalyses::none());
}

/// Part sums that whole nests \p Nests carry on, which have no parallel loop
/// for that, from what is stored beside them; false if there are none.
bool FunctionOffloader::moveCarriedSums(ArrayRef<Loop *> Nests) {
  auto &AA = FAM.getResult<AAManager>(*Copy);
  bool Changed = false;
  for (Loop *Nest : Nests)
    for (Loop *L : Nest->getLoopsInPreorder())
      if (moveSums(*L, AA, Nest, [](const Instruction &) {
            return false; // nothing is guarded yet
          })) {
        MovedSums.insert(L->getHeader());
        Changed = true;
      }
  return Changed;
}

//===-- From region to region ---------------------------------------------===//

/// What has parted nests of which only one runs.
static const char *const Alternatives = "Alternatives";

/// Can some loops not be together since data says what they read?
static bool isIndirect(const Refusal &Why) {
  return Why.Name == "IndirectWritten" || Why.Name == "IndirectIndex";
}

/// Can no subscripts be found for all loops together?
static bool isUnusual(const Refusal &Why) { return Why.Name == "UnusualSizes"; }

/// Is there no model of all loops together, as where one needs what never
/// holds, or where arrays have rows of other lengths, or elements of another
/// type, in others?
static bool isImpossible(const Refusal &Why) {
  return Why.Name == "Assumption" || Why.Name == "NotModelled" ||
         Why.Name == "ElementTypes";
}

/// Were there too many loops or arrays at once, or one that spoils the others?
bool FunctionOffloader::isTooMuch(const Refusal &Why) const {
  return Why.Name == "TooLarge" || Why.Name == "Overlap" || isIndirect(Why) ||
         isUnusual(Why) || isImpossible(Why) || Why.Name == "Quota";
}

/// Was it so for the loops inside of one, too?
bool FunctionOffloader::canPartInside(const Refusal &Why) const {
  return isTooMuch(Why) && Why.Name != "Overlap";
}

/// Leave the counters of loops around \p R, which begins in the header of one,
/// out of it: a value of a region that is used behind it is a result of the
/// loops, with a kernel of its own.  False if there are none in it.
static bool splitHeader(const Region &R) {
  BasicBlock *Entry = R.getEntry();
  BasicBlock::iterator Begin = Entry->getFirstNonPHIIt();
  if (Begin == Entry->begin() || Begin->isTerminator() ||
      any_of(predecessors(Entry),
             [&](const BasicBlock *Pred) { return R.contains(Pred); }))
    return false;
  SplitBlock(Entry, Begin);
  return true;
}

/// The same for all regions with loops from \p First on, which takes one look
/// at the function instead of one for each.
static bool splitHeaders(ArrayRef<Region *> Open, const Region *First,
                         const LoopInfo &LI) {
  bool Changed = false;
  for (const Region *R : Open.drop_front(find(Open, First) - Open.begin()))
    Changed |= hasLoop(*R, LI) && splitHeader(*R);
  return Changed;
}

/// Go on to the first region that can be offloaded, or be parted by an
/// obstacle.  The function is another one then, and is to be looked at anew;
/// false if there is no such region, or the copy is spoilt.
bool FunctionOffloader::offloadNext() {
  Detection D(*Copy, FAM);
  SmallVector<Region *, 8> Open = openRegions(D);
  for (Region *Found : Open) {
    if (Sunk.restorePartly(*Found, D.LI) || splitHeaders(Open, Found, D.LI) ||
        closeExits(*Found)) {
      FAM.invalidate(*Copy, PreservedAnalyses::none());
      return true;
    }
    std::optional<Refusal> Why = refuseRegion(*Found, D);
    if (!Why)
      Why = partIfShort(*Found, D);
    if (!Why)
      Why = partAlternatives(*Found, D);
    if (!Why)
      Why = offloadUnlessSpent(*Found, D, Found == Open.back());
    if (Spoilt)
      return false;
    if (std::exchange(LookAgain, false)) {
      FAM.invalidate(*Copy, PreservedAnalyses::none());
      return true;
    }
    if (Why && predicate(*Why)) {
      FAM.invalidate(*Copy, PreservedAnalyses::none());
      return true;
    }
    if (Why && !Why->At && isTooMuch(*Why))
      Why->At = findMiddle(*Found, D.LI, D.DT);
    const bool Inner = Why && !Why->At && canPartInside(*Why);
    if (Inner)
      Why->At = findInnerMiddle(*Found, D.LI);
    if (Inner && !Why->At)
      Why->At = findMiddleOfBranch(*Found, D.LI, D.DT);
    if (Inner && !Why->At)
      Why->At = findAlternative(*Found, D.LI, D.DT);
    if (Inner && !Why->At && isUnusual(*Why))
      Why->At = findInside(*Found, D.LI);
    if (Why && Why->Name == PrefixesName) {
      prefixSums(*Found, D);
      FAM.invalidate(*Copy, PreservedAnalyses::none());
      return true;
    }
    if (Why && Why->Name == "NoParallelism" &&
        (handOn(*Found, D.LI) || prefixSums(*Found, D) || splitShared(*Found) ||
         splitSums(*Found, D.LI))) {
      FAM.invalidate(*Copy, PreservedAnalyses::none());
      return true;
    }
    // A part of a version is of no use.
    if (Why && Versions.assumingAt(*Found->getEntry(), D.DT))
      Why->At = nullptr;
    const bool MayBeRare = Inner || (Why && Why->Name == Alternatives);
    if (Why && Why->At && !Parting.add(*Why, MayBeRare))
      Why->At = nullptr;
    if (Why && !Why->At &&
        (restoreConditions(*Found, D.LI, *Why) ||
         restoreReads(*Found, D.LI, *Why))) {
      FAM.invalidate(*Copy, PreservedAnalyses::none());
      return true;
    }
    IsParted |= Why && Why->At && Why->Name != "Quota" &&
                Why->Name != "RareCall" && Why->Name != Alternatives;
    if (!Why || Why->At) {
      FAM.invalidate(*Copy, PreservedAnalyses::none());
      return true;
    }
    Refused[Found->getEntry()] = *Why;
    noteSerial(*Found, D, *Why);
    if (LoopVersion *V = Versions.assumingAt(*Found->getEntry(), D.DT);
        V && !Why->Sentence.empty())
      V->Why = *Why;
  }
  return false;
}

/// Have loops in \p R read as they did, if they may be offloaded by themselves
/// then; false if that changes nothing.
bool FunctionOffloader::restoreReads(const Region &R, const LoopInfo &LI,
                                     const Refusal &Why) {
  std::vector<DebugLoc> Loops;
  for (const Loop *L : LI.getLoopsInPreorder())
    if (R.contains(L)) {
      append_range(Loops, Indirect.loopsIn(*L));
    }
  if (!Indirect.restoreOuter(
          R, [&](const Instruction &I) { return Guarded.isGuarded(I); }))
    return false;
  if (Why.Sentence.empty())
    return true;
  for (const DebugLoc &Loc : Loops)
    Restored.push_back({Loc, Why});
  for (const Loop *L : LI.getLoopsInPreorder())
    if (R.contains(L) && !L->isInnermost())
      FirstLook.insert({L->getHeader(), Why});
  return true;
}

/// Have loops in \p R, which is refused, be under their conditions again: those
/// inside may be offloaded by themselves.  False if there are none.
bool FunctionOffloader::restoreConditions(const Region &R, const LoopInfo &LI,
                                          const Refusal &Why) {
  if (Until != Level::Offload || !Sunk.restoreIn(R))
    return false;
  if (!Why.Sentence.empty())
    for (const Loop *L : LI.getLoopsInPreorder())
      if (R.contains(L) && !L->isInnermost())
        FirstLook.insert({L->getHeader(), Why});
  return true;
}

static const size_t Large = 24; // blocks: three nests of three loops

/// The regions that were neither offloaded nor refused before, large ones last:
/// what they take is not taken from simple nests.
SmallVector<Region *, 8>
FunctionOffloader::openRegions(const Detection &D) const {
  SmallVector<std::pair<size_t, Region *>, 8> Sized;
  for (Region *Found : D.regions()) {
    const BasicBlock *Entry = Found->getEntry();
    size_t Blocks = static_cast<size_t>(
        std::distance(Found->block_begin(), Found->block_end()));
    if (!Refused.count(Entry) && !Offloaded.count(Entry) &&
        !Versions.isSetAside(*Entry, D.DT))
      Sized.push_back({Blocks > Large ? Blocks : 0, Found});
  }
  stable_sort(Sized, less_first());
  SmallVector<Region *, 8> Open;
  for (auto [Blocks, Found] : Sized)
    Open.push_back(Found);
  return Open;
}

/// Why there is to be no model of a region; without a sentence, nobody needs to
/// be told.
std::optional<Refusal> FunctionOffloader::refuseRegion(const Region &Found,
                                                       Detection &D) {
  const LoopVersion *Version = Versions.assumingAt(*Found.getEntry(), D.DT);
  if (!hasLoop(Found, D.LI) ||
      (Version && !VersionSet::covers(Found, *Version, D.LI, D.DT)))
    return Refusal{"", "", DebugLoc()};
  if (auto TooLarge = refuseTooLarge(Found, D.LI, D.DT))
    return TooLarge;
  return refuseRareCalls(Found, D);
}

/// Where only a SCoP's own share is left, nests that would take more are not
/// tried: parts of them are.
std::optional<Refusal> FunctionOffloader::partIfShort(const Region &Found,
                                                      const Detection &D) {
  static const auto Most = 16; // blocks: one nest and a half of three loops
  if (leavesMore(Budget, O) || Versions.assumingAt(*Found.getEntry(), D.DT) ||
      std::distance(Found.block_begin(), Found.block_end()) <= Most)
    return std::nullopt;
  if (!findMiddle(Found, D.LI, D.DT) && !findInnerMiddle(Found, D.LI))
    return std::nullopt;
  return Refusal{"Quota",
                 "what the analysis of the function or the file may take is "
                 "not enough for these loops together, and the inner ones are "
                 "looked at by themselves; split the function or the file, or "
                 "raise -gpu-max-operations",
                 DebugLoc()};
}

/// Of nests of which only one runs, like the cases of a matrix product with
/// transposed operands, many are nests of their own: together they take the
/// more operations the more conditions and lengths of rows there are, and
/// gain nothing.
std::optional<Refusal> FunctionOffloader::partAlternatives(const Region &Found,
                                                           const Detection &D) {
  if (Versions.assumingAt(*Found.getEntry(), D.DT) ||
      static_cast<size_t>(
          std::distance(Found.block_begin(), Found.block_end())) <= Large)
    return std::nullopt;
  Refusal Part{Alternatives, "", DebugLoc()};
  Part.At = findAlternative(Found, D.LI, D.DT);
  return Part.At ? std::optional(Part) : std::nullopt;
}

/// Spare copies of \p Found, which runs in order whatever is tried, their
/// dependences.  Versions of loops assume more.
void FunctionOffloader::noteSerial(const Region &Found, const Detection &D,
                                   const Refusal &Why) {
  if (Until == Level::Offload && Why.Name == "NoParallelism" &&
      !Versions.assumingAt(*Found.getEntry(), D.DT))
    Spent.addSerial(SpentNests::keyOf(Found));
}

/// Offload a region, unless a copy of it has had as many operations and needed
/// more.
std::optional<Refusal> FunctionOffloader::offloadUnlessSpent(Region &Found,
                                                             Detection &D,
                                                             bool IsLast) {
  pg_budget ScopBudget;
  beginScop(ScopBudget, O, &Budget, IsLast);
  SpentNests::Key Key = SpentNests::keyOf(Found);
  const unsigned long Operations = pg_budget_operations(&ScopBudget, 0);
  if (auto Why = Spent.find(Key, Operations))
    return Why;
  const bool IsSerial =
      Spent.isSerial(Key) && !Versions.assumingAt(*Found.getEntry(), D.DT);
  CarriedGuards Carried(Guarded, Found);
  auto Why = offload(Found, D, ScopBudget, IsSerial);
  if (Why)
    Carried.drop();
  if (Why && Why->Name == "Quota" && !ScopBudget.late)
    Spent.add(std::move(Key), Operations, *Why);
  return Why;
}

/// Where the innermost loops of \p R begin.
static std::vector<DebugLoc> innermostLoops(const Region &R, const LoopInfo &LI,
                                            const IndirectReads &Indirect) {
  std::vector<DebugLoc> Places;
  for (const Loop *L : LI.getLoopsInPreorder())
    if (R.contains(L)) {
      auto Inside = unrolledLoopsIn(*L);
      if (L->isInnermost())
        append_range(Inside, Indirect.loopsIn(*L));
      append_range(Places, Inside);
      if (L->isInnermost() && Inside.empty())
        Places.push_back(L->getStartLoc());
    }
  return Places;
}

/// Put in memory what iterations of loops in \p R hand on; false if there is
/// nothing more to do.
bool FunctionOffloader::handOn(const Region &R, const LoopInfo &LI) {
  bool Changed = false;
  for (Loop *L : LI.getLoopsInPreorder())
    if (R.contains(L) && L->isInnermost() &&
        HandingOn.insert(L->getHeader()).second)
      Changed |= polygpu::handOn(*L);
  return Changed;
}

/// Do iterations of loops in \p R update something and use it?
bool FunctionOffloader::mayHavePrefixes(const Region &R, Detection &D) {
  return any_of(D.LI.getLoopsInPreorder(), [&](Loop *L) {
    return R.contains(L) && !Prefixes.contains(L->getHeader()) &&
           polygpu::mayHavePrefixes(
               *L, {D.LI, D.DT, D.SE, D.AA}, O.Reassociate,
               [&](const Instruction &I) { return Guarded.isGuarded(I); });
  });
}

/// Put in memory what iterations of loops in \p R update and use; false if
/// there is nothing more to do.
bool FunctionOffloader::prefixSums(const Region &R, Detection &D) {
  bool Changed = false;
  for (Loop *L : D.LI.getLoopsInPreorder())
    if (R.contains(L) && Prefixes.insert(L->getHeader()).second)
      Changed |= polygpu::prefixSums(
          *L, {D.LI, D.DT, D.SE, D.AA}, O.Reassociate,
          [&](const Instruction &I) { return Guarded.isGuarded(I); });
  return Changed;
}

/// Give stores in \p R operations of their own; false if
/// there is nothing more to do.
bool FunctionOffloader::splitShared(const Region &R) {
  auto &AA = FAM.getResult<AAManager>(*Copy);
  bool Changed = false;
  for (BasicBlock *BB : R.blocks())
    if (Unshared.insert(BB).second)
      Changed |= splitStatements(
          *BB, AA, [&](const Instruction &I) { return Guarded.isGuarded(I); });
  return Changed;
}

/// Compute what is summed up in order apart; false if there is nothing more to
/// do.
bool FunctionOffloader::splitSums(const Region &R, const LoopInfo &LI) {
  bool Changed = false;
  for (Loop *L : LI.getLoopsInPreorder())
    if (R.contains(L) && !L->isInnermost())
      Changed |= polygpu::splitSums(*L);
  if (Changed)
    return true;
  auto &AA = FAM.getResult<AAManager>(*Copy);
  for (Loop *L : LI.getLoopsInPreorder())
    if (R.contains(L) && L->isInnermost() &&
        MovedSums.insert(L->getHeader()).second)
      Changed |= moveSums(*L, AA, nullptr, [&](const Instruction &I) {
        return Guarded.isGuarded(I);
      });
  return Changed;
}

/// Make choices of the conditions on data that were in the way; false if there
/// are none, or none of which that can be done, as \p Why then says.
bool FunctionOffloader::predicate(Refusal &Why) {
  std::string WhyNot;
  SmallVector<DataCondition, 8> Now = std::move(Conditions);
  Conditions.clear();
  if (Now.empty())
    return false;
  unsigned Done = Guarded.add(Now, WhyNot, [&](BasicBlock &BB) {
    Refused.erase(&BB);
    FirstLook.erase(&BB);
  });
  if (!Done)
    Why = refuseDataCondition(*Now.front().Entry, WhyNot);
  return Done > 0;
}

/// Is \p Found to be looked at again without the record of -gpu-tuning that it
/// was refused with?
bool FunctionOffloader::doWithoutRecord(const Region &Found,
                                        const ScopOffloader &Offloader,
                                        const DebugLoc &Start,
                                        const Refusal &Why) {
  if (!Offloader.Tuned || Offloader.IsSpoilt || Until != Level::Offload)
    return false;
  const TuningRecord &Record = *Offloader.Tuned;
  R.notTuned(
      F, Start,
      "line " + std::to_string(Record.Line) + " of the file of -gpu-tuning (" +
          Record.Choice +
          ") does not fit these loops, which are looked at without it: " +
          Why.Sentence);
  if (!O.SaveTuning.empty())
    logMisfit(O, Offloader.Hash, Record, Why.Sentence);
  Untuned.insert(Found.getEntry());
  return true;
}

/// Offload a region or say why that is not done, likewise; "IsSerial": a copy
/// of it has nothing parallel.  With an instruction in the refusal, other loops
/// of the region may be offloaded without it.
std::optional<Refusal> FunctionOffloader::offload(Region &Found, Detection &D,
                                                  pg_budget &ScopBudget,
                                                  bool IsSerial) {
  pg_budget Model;
  beginModel(Model, O);
  std::unique_ptr<polly::Scop> S = D.build(Found, Model);
  if (!S && !D.IsBrokenOff)
    return D.explainUnmodelled(Found);
  if (auto Why = refuseIfSpent(Model))
    return Why;
  giveBackPolly(ScopBudget);
  Conditions = findDataConditions(*S);
  // What does not depend on an iteration may be a parameter of a smaller
  // region, if something else is in the way of this one.
  if (!Conditions.empty() &&
      none_of(Conditions, [](const DataCondition &C) { return C.Same; }))
    return refuseDataCondition(*Conditions.front().Entry);
  OffloadedNest Nest{
      startOf(*S), innermostLoops(Found, D.LI, Indirect), "", {}};
  const DebugLoc &Start = Nest.Start;
  SmallVector<BasicBlock *, 32> Original(Found.blocks());
  DenseSet<const BasicBlock *> Before;
  for (const BasicBlock &BB : *Copy)
    Before.insert(&BB);
  // Has to be gone before the SCoP.
  LoopVersion *Version = Versions.assumingAt(*Found.getEntry(), D.DT);
  ScopOffloader Offloader(*S, O, Until, FAM, D.AA, ScopBudget, Guarded,
                          Version);
  Offloader.IsSerial = IsSerial;
  Offloader.MayHavePrefixes =
      Until == Level::Offload && mayHavePrefixes(Found, D);
  Offloader.IsUntuned = Untuned.count(Found.getEntry()) != 0;
  std::optional<Refusal> Why;
  if (RowsApart.count(Found.getEntry()))
    separateRows(*S, true);
  {
    TimeTraceScope Time("PolyGPU: loops", [&] {
      return (F.getName() + ":" + Twine(Start ? Start.getLine() : 0)).str();
    });
    Why = Offloader.run();
  }
  if (Why && Why->Name == PrefixesName)
    return Why;
  if (!Why || Why->Name != "NonAffineBranch")
    Conditions.clear();
  if (Why && Why->Name == "NoParallelism" &&
      !RowsApart.count(Found.getEntry()) && separateRows(*S, false)) {
    RowsApart.insert(Found.getEntry());
    LookAgain = true;
  }
  LookAgain |= Why && doWithoutRecord(Found, Offloader, Start, *Why);
  report(Offloader, Start, ScopBudget.late, Why);
  if (Why || Until != Level::Offload) {
    if (Offloader.IsSpoilt)
      Spoilt = Why;
    if (!Why)
      Why = Refusal{"", "", DebugLoc()};
    if (Until != Level::Offload)
      Why->At = nullptr;
    return Why;
  }
  for (const auto &[Record, Text] : Offloader.Misfits) {
    R.notTuned(F, Start,
               "line " + std::to_string(Record->Line) +
                   " of the file of -gpu-tuning (" + Record->words() +
                   ") is not taken: " + Text);
    if (!O.SaveTuning.empty())
      logMisfit(O, Offloader.Hash, *Record, Text);
  }
  Offloader.Done.Nest.Start = Start;
  Offloader.Done.Nest.Loops = std::move(Nest.Loops);
  if (Version) {
    Version->State = LoopVersion::Taken;
    SmallVector<BasicBlock *, 16> Others = Version->originalBlocks();
    forgetExits(Others);
    for (const BasicBlock *BB : Others)
      InnermostAtFirst.erase(BB);
  }
  Scops.push_back(std::move(Offloader.Done));
  forgetExits(Original);
  Offloaded.insert(Original.begin(), Original.end());
  for (const BasicBlock *BB : Original)
    InnermostAtFirst.erase(BB);
  for (const BasicBlock &BB : *Copy)
    if (!Before.count(&BB))
      Offloaded.insert(&BB);
  return std::nullopt;
}

/// What is told of a SCoP, beside how it was mapped or why not.  "Late": the
/// analysis ran out of time, not only of operations.
void FunctionOffloader::report(const ScopOffloader &Offloader,
                               const DebugLoc &Start, bool Late,
                               const std::optional<Refusal> &Why) {
  std::string After = std::to_string(O.Seconds) + " seconds";
  if (!Why && !Offloader.AssemblerProblem.empty())
    R.warnAssembler(F, Offloader.AssemblerProblem, "");
  if (!Why && Late)
    R.dependsOnMachine(F, Start,
                       "a part of the analysis was given up after " + After);
  if (!Why && Offloader.AssemblerLate)
    R.dependsOnMachine(F, Start, "ptxas was ended after " + After);
  if (!Offloader.Checked.empty() && Until == Level::Offload)
    R.checked(F, Start, Offloader.Checked);
  if (Why && !Offloader.IsSpoilt && Why->OwnError && !O.SaveFailures.empty())
    saveFailure(O.SaveFailures, F, Start, *Why, Offloader.text());
  if (!Why && Until == Level::Offload && !Offloader.Mapped.empty())
    R.checked(F, Start, Offloader.Mapped);
  if (!Why && Until == Level::Offload && !Offloader.NotTaken.empty())
    R.sizesNotTaken(F, Start, Offloader.NotTaken);
}

//===-- Remarks -----------------------------------------------------------===//

bool FunctionOffloader::isOffloaded(const Loop &L) const {
  return all_of(L.blocks(),
                [&](const BasicBlock *BB) { return Offloaded.count(BB) != 0; });
}

/// Why a loop stays; nothing if that need not be told.
std::optional<Refusal> FunctionOffloader::reasonFor(const Loop &L,
                                                    const Detection &D) const {
  if (const Refusal *Why = Versions.reasonAt(*L.getHeader(), D.DT))
    return *Why;
  // What is in the way of loops inside is not why one was in no SCoP before.
  if (!L.isInnermost() && !Parting.anyBetweenLoopsOf(L, D.LI))
    if (auto It = FirstLook.find(L.getHeader()); It != FirstLook.end())
      return It->second;
  // Not that of a SCoP around it, which is the call that was put there.
  if (const Refusal *Why = Parting.firstIn(L))
    return *Why;
  // A SCoP that was looked at: its own reason.
  for (const Region *Found : D.SD) {
    auto It = Refused.find(Found->getEntry());
    if (It == Refused.end() || !Found->contains(&L))
      continue;
    if (It->second.Sentence.empty())
      return std::nullopt;
    return It->second;
  }
  for (const auto &[Loc, Why] : Restored)
    if (Loc == L.getStartLoc())
      return Why;
  // A nest that is offloaded may have got the header.
  for (const BasicBlock *BB : L.blocks())
    if (D.LI.getLoopFor(BB) == &L)
      if (auto It = FirstLook.find(BB); It != FirstLook.end())
        return It->second;
  // Around loops that are offloaded by now is code of the runtime.
  if (!L.isInnermost())
    return std::nullopt;
  return explainRejection(L, D.RI, D.SD, D.SE);
}

/// Are \p A and \p B of the same function, as it was written?
static bool inOneFunction(const DebugLoc &A, const DebugLoc &B) {
  return !A || !B ||
         A->getScope()->getSubprogram() == B->getScope()->getSubprogram();
}

/// A remark for each innermost loop in \p L that stays, and in front of them
/// for loops around others where something else is the reason, or that have
/// them by inlining only.
void FunctionOffloader::explainInside(const Loop &L, const Detection &D,
                                      std::vector<LoopRefusal> &List) const {
  size_t First = List.size();
  for (const Loop *Sub : L.getSubLoops())
    explainInside(*Sub, D, List);
  if (isOffloaded(L) || Versions.isSetAside(*L.getHeader(), D.DT))
    return;
  std::optional<Refusal> Why = reasonFor(L, D);
  // Loops that are calls still, or have been unrolled.
  auto Inside = Indirect.loopsIn(L);
  append_range(Inside, unrolledLoopsIn(L));
  for (const DebugLoc &Loc : Inside)
    if (Why && none_of(drop_begin(List, First), [&](const LoopRefusal &Inner) {
          return Inner.first == Loc;
        }))
      List.push_back({Loc, *Why});
  if (Why && none_of(drop_begin(List, First), [&](const LoopRefusal &Inner) {
        return Inner.second.Sentence == Why->Sentence &&
               inOneFunction(Inner.first, L.getStartLoc());
      }))
    List.insert(List.begin() + First, {L.getStartLoc(), *Why});
}

std::vector<FunctionOffloader::LoopRefusal>
FunctionOffloader::explainRest() const {
  Detection D(*Copy, FAM);
  std::vector<LoopRefusal> List;
  for (const Loop *L : reverse(D.LI.getTopLevelLoops()))
    explainInside(*L, D, List);
  return List;
}

/// A remark for each loop nest, unless what is offloaded is to be executed
/// before one says so.
void FunctionOffloader::tellAll(ArrayRef<LoopRefusal> Rest) {
  if (O.Verify != VerifyLevel::Execute)
    for (const OffloadedScop &Scop : Scops) {
      R.offloaded(F, Scop.Nest);
      record(F, Scop.Nest.Start, Scop.Facts);
    }
  for (const auto &[Loc, Why] : Rest)
    R.missed(F, Loc, Why);
}

} // namespace polygpu
