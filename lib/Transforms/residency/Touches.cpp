//===- Touches.cpp - Device copies that outlive a run ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "residency/Touches.h"
#include "Remarks.h"
#include "RuntimeFunctions.h"
#include "polygpu/abi.h"
#include "residency/Compiled.h"
#include "residency/HostAccesses.h"
#include "residency/JoinTouches.h"
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
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace polygpu {

namespace {

/// Puts the calls into a function.
class Touches {
public:
  Touches(Function &F, const KeptArrays &Arrays, Promise Kept,
          const LinkedFunctions &Linked, FunctionAnalysisManager &FAM)
      : F(F), Kept(Kept), Linked(Linked), FAM(FAM),
        TLI(FAM.getResult<TargetLibraryAnalysis>(F)),
        LI(FAM.getResult<LoopAnalysis>(F)), R(F, Arrays, Linked) {}
  std::string run();

private:
  Function &F;
  Promise Kept;
  const LinkedFunctions &Linked;
  FunctionAnalysisManager &FAM;
  const TargetLibraryInfo &TLI;
  LoopInfo &LI;
  Runs R;
  SmallVector<OriginalLoops, 4> Deferred; ///< whose results may stay as well
  SharedMemory Shared;
  TouchPlaces At;
  Instruction *FirstOfAll = nullptr; ///< that may write everything
  ResumeInst *Thrown = nullptr;      ///< by operator new, on to callers

  void findDeferred();
  SmallVector<CallBase *, 16> callsOf(StringRef Name);
  void findSharedMemory();
  bool counts(const Instruction &I, const BetweenRuns &Between) const;
  void findAccesses(const BetweenRuns &Between, HostAccesses &Accesses);
  void findEnds(HostAccesses &Accesses);
  void catchNew();
  void leaveFrame(Instruction &Exit, HostAccesses &Accesses);
  Loop *hostLoop(const Instruction &I) const;
  BasicBlock *preheader(Loop &L);
  void place(Instruction &I, HostAccess Access);
  bool leaveLoop(const Loop &L, HostAccess &Access) const;
  void insertKeeps(Value *Scope);
  bool staysInArrays(const OriginalLoops &Loops) const;
  void insertDefer(const OriginalLoops &Loops);
  void markSlots(const HostAccesses &Accesses);
  unsigned insertTouches();
  CallInst *insertTouch(IRBuilder<> &B, const HostAccess &Access);
  void insertEnds(Value *Scope);
  Value *scope();
  void linkCalls(Value *Scope);
  std::string describe(unsigned Count);
};

} // namespace

//===-- What is to be told, and where -------------------------------------===//

/// Which runs can be computed again by a function?
void Touches::findDeferred() {
  if (isCompiled(F))
    return; // they were found before
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  const auto &PDT = FAM.getResult<PostDominatorTreeAnalysis>(F);
  for (CallInst *End : R.Ends)
    if (auto Loops = findOriginalLoops(*End, DT, PDT))
      Deferred.push_back(std::move(*Loops));
}

/// Calls of a function of the runtime.
SmallVector<CallBase *, 16> Touches::callsOf(StringRef Name) {
  SmallVector<CallBase *, 16> Found;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (Callee && Callee->getName() == Name)
      Found.push_back(Call);
  }
  return Found;
}

void Touches::findSharedMemory() {
  SmallSetVector<Value *, 16> Accessed, Written;
  for (const CallInst *Call : R.Arrays)
    Accessed.insert(Call->getArgOperand(2));
  for (const OriginalLoops &Loops : Deferred) {
    Accessed.insert_range(Loops.Read);
    Accessed.insert_range(Loops.Written);
    Written.insert_range(Loops.Written);
  }
  Shared.Accessed.assign(Accessed.begin(), Accessed.end());
  Shared.Deferred.assign(Written.begin(), Written.end());
  Shared.Calls = R.Linked;
  Shared.OfCallers = Kept != Promise::Own;
  if (isCompiled(F)) {
    // What it passes to the runtime, and may be reached by it, is of runs.
    Shared.Marked = true;
    append_range(Shared.Calls, callsOf("polygpu_array"));
    append_range(Shared.Calls, callsOf("polygpu_defer"));
  }
}

/// The outermost loop around \p I in which nothing is offloaded, or null.
Loop *Touches::hostLoop(const Instruction &I) const {
  Loop *Found = nullptr;
  for (Loop *L = LI.getLoopFor(I.getParent()); L; L = L->getParentLoop()) {
    auto IsIn = [&](const CallBase *Call) { return L->contains(Call); };
    if (any_of(R.Begins, IsIn) || any_of(R.Linked, IsIn))
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

/// Tell of an access by \p I as early as loops of the host around it begin.
void Touches::place(Instruction &I, HostAccess Access) {
  const DILocation *Where = I.getDebugLoc();
  Instruction *Before = &I;
  if (Access.Kind == HostAccess::Everything && !FirstOfAll &&
      (Access.Mode & POLYGPU_TOUCH_WRITE))
    FirstOfAll = &I;
  Loop *L = hostLoop(I);
  if (BasicBlock *Preheader = L ? preheader(*L) : nullptr) {
    Before = Preheader->getTerminator();
    Access.Mode &= ~POLYGPU_TOUCH_END; // it may be read before
    if (Access.Kind == HostAccess::Bytes && !leaveLoop(*L, Access))
      Access = {HostAccess::Everything, nullptr, nullptr, 0, Access.Mode};
  }
  Access.At = Where;
  auto &Known = At[Before];
  if (any_of(Known,
             [&](const HostAccess &Other) { return covers(Other, Access); }))
    return;
  erase_if(Known,
           [&](const HostAccess &Other) { return covers(Access, Other); });
  Known.push_back(Access);
}

/// Where results stay, what is behind the last run counts as well; where those
/// of callers may be there, all does.
bool Touches::counts(const Instruction &I, const BetweenRuns &Between) const {
  return Shared.OfCallers ||
         (Shared.staysOnDevice() ? Between.follow(I) : Between.has(I));
}

void Touches::findAccesses(const BetweenRuns &Between, HostAccesses &Accesses) {
  for (Instruction &I : instructions(F)) {
    if (!counts(I, Between))
      continue;
    for (const HostAccess &Access : Accesses.of(I))
      if (Access.Kind != HostAccess::Nothing)
        place(I, Access);
  }
}

static HostAccess everything() {
  return {HostAccess::Everything, nullptr, nullptr, 0,
          POLYGPU_TOUCH_READ | POLYGPU_TOUCH_WRITE};
}

/// Before the function is left, and its variables with it: nothing of a scope
/// that goes on may need them.
/// A variable that is made under a condition or in a loop, by alloca() or with
/// a variable size, has no address there that is all there is of it.
void Touches::leaveFrame(Instruction &Exit, HostAccesses &Accesses) {
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto IsKnown = [&](const Value *Object) {
    const auto *A = dyn_cast<AllocaInst>(Object);
    return !A || (DT.dominates(A, &Exit) && !LI.getLoopFor(A->getParent()));
  };
  auto Leave = [&](Value *Object, uint64_t Size) {
    HostAccess Access = Accesses.ofEnd(Object, Size);
    if (Access.Kind == HostAccess::Nothing)
      return;
    if (!IsKnown(Object))
      Access = {HostAccess::Everything, nullptr, nullptr, 0, Access.Mode};
    place(Exit, Access);
  };
  for (Instruction &I : instructions(F))
    if (auto *A = dyn_cast<AllocaInst>(&I)) {
      auto Size = A->getAllocationSize(A->getDataLayout());
      Leave(A, Size && !Size->isScalable() ? Size->getFixedValue() : 0);
    }
  for (Argument &A : F.args())
    if (A.hasByValAttr())
      Leave(&A, A.getPassPointeeByValueCopySize(F.getDataLayout()));
}

/// Who catches what is thrown may be a caller that knows of no scope, with the
/// frames in between gone.
void Touches::findEnds(HostAccesses &Accesses) {
  for (BasicBlock &BB : F) {
    Instruction *Last = BB.getTerminator();
    if (isa<ReturnInst>(Last))
      leaveFrame(*Last, Accesses);
    else if (isa<ResumeInst>(Last))
      place(*Last, everything());
  }
}

/// An operator new that finds no memory leaves the function: have what it
/// throws pass through a block, where what counts can be told.
void Touches::catchNew() {
  SmallVector<CallInst *, 4> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && isNewLikeFn(Call, &TLI) &&
                                             !Call->isMustTailCall() &&
                                             !Call->doesNotThrow())
      Calls.push_back(Call);
  if (Calls.empty() || F.doesNotThrow())
    return;
  LLVMContext &C = F.getContext();
  if (!F.hasPersonalityFn())
    F.setPersonalityFn(cast<Constant>(
        F.getParent()
            ->getOrInsertFunction(
                "__gxx_personality_v0",
                FunctionType::get(Type::getInt32Ty(C), /*isVarArg=*/true))
            .getCallee()));
  IRBuilder<> B(BasicBlock::Create(C, "polygpu.thrown", &F));
  LandingPadInst *Pad = B.CreateLandingPad(
      StructType::get(B.getPtrTy(), B.getInt32Ty()), /*NumClauses=*/0);
  Pad->setCleanup(true);
  B.SetCurrentDebugLocation(Calls.front()->getDebugLoc());
  Thrown = B.CreateResume(Pad);
  for (CallInst *Call : Calls)
    changeToInvokeAndSplitBasicBlock(Call, Thrown->getParent());
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  DT.recalculate(F);
  FAM.getResult<PostDominatorTreeAnalysis>(F).recalculate(F);
  LI.releaseMemory();
  LI.analyze(DT);
}

//===-- Calls -------------------------------------------------------------===//

void Touches::insertKeeps(Value *Scope) {
  if (isCompiled(F))
    return;
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

/// "norm at main.c:57", as the user wrote it.
static Constant *placeName(const DILocation &At, Module &M) {
  std::string Text =
      At.getFilename().str() + ":" + std::to_string(At.getLine());
  if (const DISubprogram *SP = At.getScope()->getSubprogram())
    Text = SP->getName().str() + " at " + Text;
  Constant *Bytes = ConstantDataArray::getString(M.getContext(), Text);
  auto *Name = new GlobalVariable(M, Bytes->getType(), true,
                                  GlobalValue::PrivateLinkage, Bytes);
  Name->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return Name;
}

CallInst *Touches::insertTouch(IRBuilder<> &B, const HostAccess &Access) {
  Module &M = *F.getParent();
  if (!Access.At && Access.Kind == HostAccess::Everything &&
      (Access.Mode & POLYGPU_TOUCH_WRITE))
    return B.CreateCall(runtimeFunction(M, "polygpu_touch_all"));
  Value *First = Access.First, *Size = B.getInt64(UINT64_MAX);
  if (!First)
    First = ConstantPointerNull::get(B.getPtrTy());
  else if (Access.Size)
    Size = B.CreateMul(B.CreateZExtOrTrunc(Access.Size, B.getInt64Ty()),
                       B.getInt64(Access.Unit));
  else if (Access.FixedSize)
    Size = B.getInt64(Access.FixedSize);
  SmallVector<Value *, 4> Args = {First, Size, B.getInt32(Access.Mode)};
  if (Access.At)
    Args.push_back(placeName(*Access.At, M));
  return B.CreateCall(
      runtimeFunction(M, Access.At ? "polygpu_touch_at" : "polygpu_touch"),
      Args);
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

void Touches::markSlots(const HostAccesses &Accesses) {
  for (Instruction &I : instructions(F))
    if (auto *A = dyn_cast<AllocaInst>(&I); A && Accesses.isSlot(*A))
      markSlot(*A);
}

unsigned Touches::insertTouches() {
  unsigned Count = 0;
  joinTouches(F, At);
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
    auto Insert = [&](HostAccess Access) {
      CallInst *Call = insertTouch(B, Access);
      if (Linked.ForLink)
        markTouch(*Call);
    };
    if (count_if(Accesses, isEnd) > 1) // none is to be copied for another one
      for (HostAccess Access : make_filter_range(Accesses, isEnd)) {
        Access.Mode = POLYGPU_TOUCH_END;
        Access.At = nullptr;
        Insert(Access);
      }
    for_each(Accesses, Insert);
  }
  return Count;
}

/// The call in front of \p End, the end of a block that is not come to, if it
/// may lead to a frame of the program: longjmp, or one that is not known.
static Instruction *jumpBefore(Instruction &End, const TargetLibraryInfo &TLI) {
  LibFunc Known; // abort and exit end all
  auto *Call = dyn_cast_or_null<CallInst>(End.getPrevNode());
  return Call && Call->doesNotReturn() && !isa<IntrinsicInst>(Call) &&
                 !TLI.getLibFunc(*Call, Known)
             ? Call
             : nullptr;
}

/// Where the scope of its own is left.
void Touches::insertEnds(Value *Scope) {
  for (BasicBlock &BB : F) {
    Instruction *Last = BB.getTerminator();
    if (isa<UnreachableInst>(Last))
      Last = jumpBefore(*Last, TLI);
    else if (!isa<ReturnInst>(Last) && !isa<ResumeInst>(Last))
      continue;
    else if (CallInst *Tail = BB.getTerminatingMustTailCall())
      Last = Tail;
    if (!Last)
      continue;
    IRBuilder<> B(Last);
    B.CreateCall(runtimeFunction(*F.getParent(), "polygpu_keep_end"), {Scope});
  }
}

/// Have \p Copy called in place of the function that \p Call calls.  What was
/// said of that one's memory need not hold.
static void callCopy(CallBase &Call, Function &Copy, Value *Scope) {
  IRBuilder<> B(&Call);
  SmallVector<Value *, 8> Args(Call.args());
  if (Scope)
    Args.push_back(Scope);
  CallBase *New;
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call))
    New = B.CreateInvoke(&Copy, Invoke->getNormalDest(),
                         Invoke->getUnwindDest(), Args);
  else
    New = B.CreateCall(&Copy, Args);
  New->setCallingConv(Call.getCallingConv());
  New->setAttributes(Call.getAttributes());
  weakenAttributes(*New);
  New->copyMetadata(Call);
  New->takeName(&Call);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
}

Value *Touches::scope() {
  if (Kept == Promise::Callers)
    return F.getArg(F.arg_size() - 1);
  IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  return B.CreateCall(runtimeFunction(*F.getParent(), "polygpu_keep_begin"));
}

/// Copies call copies.
void Touches::linkCalls(Value *Scope) {
  for (CallBase *Call : R.Linked)
    if (Function *Copy = linkedFunction(*Call, Linked.Running))
      callCopy(*Call, *Copy, Scope);
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (Function *Telling = linkedFunction(*Call, Linked.Telling))
        callCopy(*Call, *Telling, nullptr);
}

std::string Touches::describe(unsigned Count) {
  std::string Text = std::to_string(callsOf("polygpu_keep").size()) +
                     " arrays stay on the device from run to run, and the "
                     "results of " +
                     std::to_string(callsOf("polygpu_defer").size()) + " of " +
                     std::to_string(R.Ends.size()) + " SCoPs; ";
  if (!R.Linked.empty())
    Text += "so do those of functions that are called in " +
            std::to_string(R.Linked.size()) + " places; ";
  Text += "what may need or change them: " + std::to_string(Count) +
          " places of the host's code";
  if (FirstOfAll)
    Text += ", first among those that may write anything is " +
            describeLine(FirstOfAll->getDebugLoc(), F);
  return Text;
}

std::string Touches::run() {
  if (Kept == Promise::Own && ((R.Arrays.empty() && R.Linked.empty()) ||
                               isOpaque(F) || !BetweenRuns(R).hasAny()))
    return "";
  catchNew();
  BetweenRuns Between(R);
  findDeferred();
  findSharedMemory();
  // Before loops and touches are put among the original ones.
  for (const OriginalLoops &Loops : Deferred)
    insertDefer(Loops);
  HostAccesses Accesses(Shared, Linked, F, FAM);
  findAccesses(Between, Accesses);
  if (Kept == Promise::Callers)
    findEnds(Accesses);
  else if (Kept == Promise::Telling && Thrown)
    place(*Thrown, everything());
  Value *Scope = Kept == Promise::Telling ? nullptr : scope();
  insertKeeps(Scope);
  if (Linked.ForLink)
    markSlots(Accesses);
  unsigned Count = insertTouches();
  if (Kept == Promise::Own)
    insertEnds(Scope);
  std::string Text = describe(Count);
  linkCalls(Scope);
  return Text;
}

std::string keepArrays(Function &F, const KeptArrays &Arrays, Promise Kept,
                       const LinkedFunctions &Linked,
                       FunctionAnalysisManager &FAM) {
  // Equal addresses are one value then, and calls that are equal one call.
  FAM.invalidate(F, EarlyCSEPass().run(F, FAM));
  std::string Text = Touches(F, Arrays, Kept, Linked, FAM).run();
  if (!Text.empty())
    FAM.invalidate(F, PreservedAnalyses::none());
  return Text;
}

} // namespace polygpu
