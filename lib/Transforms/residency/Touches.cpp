//===- Touches.cpp - Device copies that outlive a run ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "residency/Touches.h"
#include "Remarks.h"
#include "RuntimeFunctions.h"
#include "polygpu/abi.h"
#include "residency/HostAccesses.h"
#include "residency/Replay.h"
#include "verify/Mutate.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace polygpu {

namespace {

/// The runs of a function, in any order.
struct Runs {
  SmallVector<CallInst *, 4> Begins, Ends;
  SmallVector<CallInst *, 16> Arrays; ///< calls of polygpu_array, to be kept
  SmallVector<OriginalLoops, 4> Deferred; ///< whose results may stay as well
};

/// Which blocks, or parts of them, lie between two runs?
class BetweenRuns {
public:
  explicit BetweenRuns(const Runs &R);

  /// May \p I be executed after a run?
  bool follow(const Instruction &I) const;
  /// And before one?
  bool has(const Instruction &I) const;

private:
  const Runs &R;
  SmallPtrSet<const BasicBlock *, 32> After;  ///< reached from behind a run
  SmallPtrSet<const BasicBlock *, 32> Before; ///< from which one is reached
};

/// Puts the calls into a function.
class Touches {
public:
  Touches(Function &F, const KeptArrays &Arrays, FunctionAnalysisManager &FAM);
  std::string run();

private:
  /// Before an instruction: the accesses that are told of there.
  using Places = MapVector<Instruction *, SmallVector<HostAccess, 4>>;

  Function &F;
  FunctionAnalysisManager &FAM;
  const TargetLibraryInfo &TLI;
  LoopInfo &LI;
  Runs R;
  Places At;
  Instruction *FirstOfAll = nullptr; ///< that may write everything

  void findRuns(const KeptArrays &Arrays);
  void findDeferred();
  SharedMemory sharedMemory() const;
  void findAccesses(const BetweenRuns &Between);
  Loop *hostLoop(const Instruction &I) const;
  BasicBlock *preheader(Loop &L);
  void place(Instruction &I, HostAccess Access);
  bool leaveLoop(const Loop &L, HostAccess &Access) const;
  void insertKeeps(Value *Scope);
  bool staysInArrays(const OriginalLoops &Loops) const;
  void insertDefer(const OriginalLoops &Loops);
  unsigned insertTouches();
  void insertTouch(IRBuilder<> &B, const HostAccess &Access);
  void insertEnds(Value *Scope);
};

} // namespace

static bool isCallOf(const Instruction &I, StringRef Name) {
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->getCalledFunction() &&
         Call->getCalledFunction()->getName() == Name;
}

//===-- Between two runs --------------------------------------------------===//

BetweenRuns::BetweenRuns(const Runs &R) : R(R) {
  SmallVector<const BasicBlock *, 32> List;
  for (const CallInst *End : R.Ends)
    append_range(List, successors(End->getParent()));
  while (!List.empty())
    if (const BasicBlock *BB = List.pop_back_val(); After.insert(BB).second)
      append_range(List, successors(BB));
  for (const CallInst *Begin : R.Begins)
    append_range(List, predecessors(Begin->getParent()));
  while (!List.empty())
    if (const BasicBlock *BB = List.pop_back_val(); Before.insert(BB).second)
      append_range(List, predecessors(BB));
}

bool BetweenRuns::follow(const Instruction &I) const {
  return After.count(I.getParent()) || any_of(R.Ends, [&](const CallInst *End) {
           return End->getParent() == I.getParent() && End->comesBefore(&I);
         });
}

bool BetweenRuns::has(const Instruction &I) const {
  return follow(I) && (Before.count(I.getParent()) ||
                       any_of(R.Begins, [&](const CallInst *Begin) {
                         return Begin->getParent() == I.getParent() &&
                                I.comesBefore(Begin);
                       }));
}

//===-- What is to be told, and where -------------------------------------===//

Touches::Touches(Function &F, const KeptArrays &Arrays,
                 FunctionAnalysisManager &FAM)
    : F(F), FAM(FAM), TLI(FAM.getResult<TargetLibraryAnalysis>(F)),
      LI(FAM.getResult<LoopAnalysis>(F)) {
  findRuns(Arrays);
}

void Touches::findRuns(const KeptArrays &Arrays) {
  for (Instruction &I : instructions(F)) {
    if (isCallOf(I, "polygpu_begin_sized"))
      R.Begins.push_back(cast<CallInst>(&I));
    else if (isCallOf(I, "polygpu_end"))
      R.Ends.push_back(cast<CallInst>(&I));
    else if (isCallOf(I, "polygpu_array")) {
      auto *Call = cast<CallInst>(&I);
      auto *Begin = cast<CallInst>(Call->getArgOperand(0));
      auto Kept = Arrays.find(cast<GlobalVariable>(Begin->getArgOperand(0)));
      unsigned Number =
          cast<ConstantInt>(Call->getArgOperand(1))->getZExtValue();
      if (Kept != Arrays.end() && is_contained(Kept->second, Number))
        R.Arrays.push_back(Call);
    }
  }
}

/// Which runs can be computed again by a function?
void Touches::findDeferred() {
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  const auto &PDT = FAM.getResult<PostDominatorTreeAnalysis>(F);
  for (CallInst *End : R.Ends)
    if (auto Loops = findOriginalLoops(*End, DT, PDT))
      R.Deferred.push_back(std::move(*Loops));
}

SharedMemory Touches::sharedMemory() const {
  SmallSetVector<Value *, 16> Accessed, Written;
  for (const CallInst *Call : R.Arrays)
    Accessed.insert(Call->getArgOperand(2));
  for (const OriginalLoops &Loops : R.Deferred) {
    Accessed.insert_range(Loops.Read);
    Accessed.insert_range(Loops.Written);
    Written.insert_range(Loops.Written);
  }
  return {{Accessed.begin(), Accessed.end()}, {Written.begin(), Written.end()}};
}

/// Is nothing known of \p F that a promise could be made of?  What returns
/// twice comes back to where nothing was written yet; funclets hold no calls of
/// ours; coroutines are left in the middle.
static bool isOpaque(const Function &F) {
  return F.callsFunctionThatReturnsTwice() || F.isPresplitCoroutine() ||
         any_of(instructions(F), [](const Instruction &I) {
           const auto *Call = dyn_cast<CallBase>(&I);
           return isa<FuncletPadInst>(I) ||
                  (Call && Call->hasFnAttr(Attribute::ReturnsTwice));
         });
}

/// The outermost loop around \p I in which nothing is offloaded, or null.
Loop *Touches::hostLoop(const Instruction &I) const {
  Loop *Found = nullptr;
  for (Loop *L = LI.getLoopFor(I.getParent()); L; L = L->getParentLoop()) {
    if (any_of(R.Begins,
               [&](const CallInst *Begin) { return L->contains(Begin); }))
      break;
    Found = L;
  }
  return Found;
}

/// The block that leads to \p L only, or null where there can be none.
BasicBlock *Touches::preheader(Loop &L) {
  if (BasicBlock *Known = L.getLoopPreheader())
    return Known;
  return InsertPreheaderForLoop(&L, &FAM.getResult<DominatorTreeAnalysis>(F),
                                &LI, nullptr, /*PreserveLCSSA=*/false);
}

/// Say of \p Access, inside of \p L, what can be said before \p L, if that is
/// less than everything.  A pointer that is one of several objects' need not be
/// to their first bytes.
bool Touches::leaveLoop(const Loop &L, HostAccess &Access) const {
  if (L.isLoopInvariant(Access.First) &&
      (!Access.Size || L.isLoopInvariant(Access.Size)))
    return true;
  const Value *Object = getUnderlyingObject(Access.First);
  uint64_t Size;
  if (!L.isLoopInvariant(Object) || !isIdentifiedObject(Object) ||
      !getObjectSize(Object, Size, F.getDataLayout(), &TLI) || Size == 0)
    return false;
  Access = {HostAccess::Bytes, const_cast<Value *>(Object), nullptr, Size,
            Access.Mode};
  return true;
}

/// Is what \p B tells told by \p A?  Without a size it is all there is.
static bool covers(const HostAccess &A, const HostAccess &B) {
  if ((B.Mode & ~A.Mode) != 0)
    return false;
  return A.Kind == HostAccess::Everything ||
         (B.Kind == HostAccess::Bytes && A.First == B.First &&
          A.Size == B.Size && A.Unit == B.Unit &&
          A.FixedSize - 1 >= B.FixedSize - 1);
}

/// Tell of an access by \p I as early as loops of the host around it begin.
void Touches::place(Instruction &I, HostAccess Access) {
  Instruction *Before = &I;
  if (Access.Kind == HostAccess::Everything && !FirstOfAll &&
      (Access.Mode & POLYGPU_TOUCH_WRITE))
    FirstOfAll = &I;
  Loop *L = hostLoop(I);
  if (BasicBlock *Preheader = L ? preheader(*L) : nullptr) {
    Before = Preheader->getTerminator();
    if (Access.Kind == HostAccess::Bytes && !leaveLoop(*L, Access))
      Access = {HostAccess::Everything, nullptr, nullptr, 0, Access.Mode};
  }
  auto &Known = At[Before];
  if (any_of(Known,
             [&](const HostAccess &Other) { return covers(Other, Access); }))
    return;
  erase_if(Known,
           [&](const HostAccess &Other) { return covers(Access, Other); });
  Known.push_back(Access);
}

/// Where results stay, what is behind the last run counts as well.
void Touches::findAccesses(const BetweenRuns &Between) {
  SharedMemory Shared = sharedMemory();
  HostAccesses Accesses(Shared, F, FAM);
  for (Instruction &I : instructions(F)) {
    if (R.Deferred.empty() ? !Between.has(I) : !Between.follow(I))
      continue;
    for (const HostAccess &Access : Accesses.of(I))
      if (Access.Kind != HostAccess::Nothing)
        place(I, Access);
  }
}

//===-- Calls -------------------------------------------------------------===//

void Touches::insertKeeps(Value *Scope) {
  for (CallInst *Call : R.Arrays) {
    IRBuilder<> B(Call->getNextNode());
    B.SetCurrentDebugLocation(Call->getDebugLoc());
    B.CreateCall(runtimeFunction(*F.getParent(), "polygpu_keep"),
                 {Call->getArgOperand(0), Call->getArgOperand(1), Scope});
  }
}

/// Do the loops access arrays only that are kept, so that the runtime knows
/// which memory they need?
bool Touches::staysInArrays(const OriginalLoops &Loops) const {
  SmallPtrSet<const Value *, 8> Known;
  for (const CallInst *Call : R.Arrays)
    if (Call->getArgOperand(0) == Loops.End->getArgOperand(0))
      Known.insert(getUnderlyingObject(Call->getArgOperand(2)));
  auto IsKnown = [&](const Value *Pointer) {
    return Known.contains(getUnderlyingObject(Pointer));
  };
  return all_of(Loops.Read, IsKnown) && all_of(Loops.Written, IsKnown);
}

/// Hand the runtime what computes the results again.
void Touches::insertDefer(const OriginalLoops &Loops) {
  Module &M = *F.getParent();
  StructType *Type = recordType(Loops);
  BasicBlock &Entry = F.getEntryBlock();
  Value *Record = IRBuilder<>(&Entry, Entry.getFirstInsertionPt())
                      .CreateAlloca(Type, nullptr, "polygpu.record");
  IRBuilder<> B(Loops.End);
  for (auto [Number, V] : enumerate(Loops.Inputs))
    B.CreateStore(V, B.CreateStructGEP(Type, Record, Number));
  B.CreateCall(runtimeFunction(M, "polygpu_defer"),
               {Loops.End->getArgOperand(0), makeReplay(Loops), Record,
                B.getInt64(M.getDataLayout().getTypeAllocSize(Type)),
                B.getInt32(staysInArrays(Loops) ? 0 : POLYGPU_REPLAY_MORE)});
}

void Touches::insertTouch(IRBuilder<> &B, const HostAccess &Access) {
  Module &M = *F.getParent();
  if (Access.Kind == HostAccess::Everything &&
      (Access.Mode & POLYGPU_TOUCH_WRITE)) {
    B.CreateCall(runtimeFunction(M, "polygpu_touch_all"));
    return;
  }
  Value *First = Access.First, *Size = B.getInt64(UINT64_MAX);
  if (!First)
    First = ConstantPointerNull::get(B.getPtrTy());
  else if (Access.Size)
    Size = B.CreateMul(B.CreateZExtOrTrunc(Access.Size, B.getInt64Ty()),
                       B.getInt64(Access.Unit));
  else if (Access.FixedSize)
    Size = B.getInt64(Access.FixedSize);
  B.CreateCall(runtimeFunction(M, "polygpu_touch"),
               {First, Size, B.getInt32(Access.Mode)});
}

/// The place of what is to be done before \p Before if anything is on the
/// device.
static Instruction *ifInUse(Instruction *Before) {
  IRBuilder<> B(Before);
  LoadInst *InUse =
      B.CreateLoad(B.getInt32Ty(), inUseVariable(*Before->getModule()));
  InUse->setAtomic(AtomicOrdering::Unordered); // other threads write it, too
  return SplitBlockAndInsertIfThen(
      B.CreateIsNotNull(InUse), Before->getIterator(), /*Unreachable=*/false,
      MDBuilder(B.getContext()).createUnlikelyBranchWeights());
}

unsigned Touches::insertTouches() {
  unsigned Count = 0;
  for (auto &[Before, Accesses] : At) {
    Count += Accesses.size();
    erase_if(Accesses, [&, Before = Before](const HostAccess &) {
      return isMutated(
          Mutation::Touch,
          (F.getName() + " " + describeLine(Before->getDebugLoc(), F)).str());
    });
    if (Accesses.empty())
      continue;
    IRBuilder<> B(ifInUse(Before));
    for (const HostAccess &Access : Accesses)
      insertTouch(B, Access);
  }
  return Count;
}

/// Where the function is left.  A call that does not come back had everything
/// touched before.
void Touches::insertEnds(Value *Scope) {
  for (BasicBlock &BB : F) {
    Instruction *Last = BB.getTerminator();
    if (!isa<ReturnInst>(Last) && !isa<ResumeInst>(Last))
      continue;
    if (CallInst *Tail = BB.getTerminatingMustTailCall())
      Last = Tail;
    IRBuilder<> B(Last);
    B.CreateCall(runtimeFunction(*F.getParent(), "polygpu_keep_end"), {Scope});
  }
}

std::string Touches::run() {
  BetweenRuns Between(R);
  if (R.Arrays.empty() || isOpaque(F) ||
      none_of(R.Begins,
              [&](const CallInst *Begin) { return Between.follow(*Begin); }))
    return "";
  findDeferred();
  // Before loops and touches are put among the original ones.
  for (const OriginalLoops &Loops : R.Deferred)
    insertDefer(Loops);
  findAccesses(Between);
  Instruction *Front = &*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  IRBuilder<> B(Front);
  Value *Scope =
      B.CreateCall(runtimeFunction(*F.getParent(), "polygpu_keep_begin"));
  insertKeeps(Scope);
  unsigned Count = insertTouches();
  insertEnds(Scope);
  std::string Text =
      std::to_string(R.Arrays.size()) +
      " arrays stay on the device from run to run, and the "
      "results of " +
      std::to_string(R.Deferred.size()) + " of " +
      std::to_string(R.Ends.size()) +
      " SCoPs; what may need or change them: " + std::to_string(Count) +
      " places of the host's code";
  if (FirstOfAll)
    Text += ", first among those that may write anything is " +
            describeLine(FirstOfAll->getDebugLoc(), F);
  return Text;
}

std::string keepArrays(Function &F, const KeptArrays &Arrays,
                       FunctionAnalysisManager &FAM) {
  std::string Text = Touches(F, Arrays, FAM).run();
  if (!Text.empty())
    FAM.invalidate(F, PreservedAnalyses::none());
  return Text;
}

} // namespace polygpu
