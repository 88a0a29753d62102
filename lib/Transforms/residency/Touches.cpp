//===- Touches.cpp - Device copies that outlive a run ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "residency/Touches.h"
#include "Remarks.h"
#include "RuntimeFunctions.h"
#include "polygpu/abi.h"
#include "residency/HostWrites.h"
#include "verify/Mutate.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace polygpu {

namespace {

/// The runs of a function, in any order.
struct Runs {
  SmallVector<CallInst *, 4> Begins, Ends;
  SmallVector<CallInst *, 16> Arrays; ///< calls of polygpu_array, to be kept
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
  /// Before an instruction: the writes that are told of there.
  using Places = MapVector<Instruction *, SmallVector<HostWrite, 4>>;

  Function &F;
  FunctionAnalysisManager &FAM;
  const TargetLibraryInfo &TLI;
  LoopInfo &LI;
  Runs R;
  Places At;
  Instruction *FirstOfAll = nullptr; ///< that may write everything

  void findRuns(const KeptArrays &Arrays);
  void findWrites(const BetweenRuns &Between);
  Loop *hostLoop(const Instruction &I) const;
  BasicBlock *preheader(Loop &L);
  void place(Instruction &I, HostWrite Write);
  bool leaveLoop(const Loop &L, HostWrite &Write) const;
  void insertKeeps(Value *Scope);
  unsigned insertTouches();
  void insertTouch(IRBuilder<> &B, const HostWrite &Write);
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

/// Say of \p Write, inside of \p L, what can be said before \p L, if that is
/// less than everything.  A pointer that is one of several objects' need not be
/// to their first bytes.
bool Touches::leaveLoop(const Loop &L, HostWrite &Write) const {
  if (L.isLoopInvariant(Write.First) &&
      (!Write.Size || L.isLoopInvariant(Write.Size)))
    return true;
  const Value *Object = getUnderlyingObject(Write.First);
  uint64_t Size;
  if (!L.isLoopInvariant(Object) || !isIdentifiedObject(Object) ||
      !getObjectSize(Object, Size, F.getDataLayout(), &TLI) || Size == 0)
    return false;
  Write = {HostWrite::Bytes, const_cast<Value *>(Object), nullptr, Size};
  return true;
}

/// Tell of a write by \p I as early as loops of the host around it begin.
void Touches::place(Instruction &I, HostWrite Write) {
  Instruction *Before = &I;
  if (Write.Kind == HostWrite::Everything && !FirstOfAll)
    FirstOfAll = &I;
  Loop *L = hostLoop(I);
  if (BasicBlock *Preheader = L ? preheader(*L) : nullptr) {
    Before = Preheader->getTerminator();
    if (Write.Kind == HostWrite::Bytes && !leaveLoop(*L, Write))
      Write = {HostWrite::Everything};
  }
  auto &Known = At[Before];
  if (Write.Kind == HostWrite::Everything)
    Known = {Write};
  else if (none_of(Known, [&](const HostWrite &Other) {
             return Other.Kind == HostWrite::Everything ||
                    (Other.First == Write.First && Other.Size == Write.Size &&
                     Other.FixedSize >= Write.FixedSize);
           }))
    Known.push_back(Write);
}

void Touches::findWrites(const BetweenRuns &Between) {
  SmallVector<Value *, 8> Bases;
  for (const CallInst *Call : R.Arrays)
    if (!is_contained(Bases, Call->getArgOperand(2)))
      Bases.push_back(Call->getArgOperand(2));
  HostWrites Writes(Bases, F, FAM);
  for (Instruction &I : instructions(F)) {
    if (!Between.has(I))
      continue;
    HostWrite Write = Writes.of(I);
    if (Write.Kind != HostWrite::Nothing)
      place(I, Write);
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

void Touches::insertTouch(IRBuilder<> &B, const HostWrite &Write) {
  Module &M = *F.getParent();
  if (Write.Kind == HostWrite::Everything) {
    B.CreateCall(runtimeFunction(M, "polygpu_touch_all"));
    return;
  }
  Value *Size = B.getInt64(Write.FixedSize ? Write.FixedSize : UINT64_MAX);
  if (Write.Size)
    Size = B.CreateZExtOrTrunc(Write.Size, B.getInt64Ty());
  B.CreateCall(runtimeFunction(M, "polygpu_touch"),
               {Write.First, Size, B.getInt32(POLYGPU_TOUCH_WRITE)});
}

unsigned Touches::insertTouches() {
  unsigned Count = 0;
  for (auto &[Before, Writes] : At)
    for (const HostWrite &Write : Writes) {
      ++Count;
      if (isMutated(Mutation::Touch,
                    (F.getName() + " " + describeLine(Before->getDebugLoc(), F))
                        .str()))
        continue;
      IRBuilder<> B(Before);
      insertTouch(B, Write);
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
  findWrites(Between);
  Instruction *Front = &*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  IRBuilder<> B(Front);
  Value *Scope =
      B.CreateCall(runtimeFunction(*F.getParent(), "polygpu_keep_begin"));
  insertKeeps(Scope);
  unsigned Count = insertTouches();
  insertEnds(Scope);
  std::string Text = std::to_string(R.Arrays.size()) +
                     " arrays stay on the device from run to run; what may "
                     "change them there: " +
                     std::to_string(Count) + " places of the host's code";
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
