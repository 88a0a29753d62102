//===- Inliner.cpp - Calls inlined into the copy of a function -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/Inliner.h"
#include "Remarks.h"
#include "SourceNames.h"
#include "prepare/Candidates.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

/// Callees without loops of at most this size are inlined anywhere.
static const unsigned MaxInlineAnywhere = 40;
/// What inlining may add to the frame of a function that does not call itself.
static const uint64_t MaxAddedFrame = 16384;
/// No copy grows beyond this by inlining.
static const unsigned MaxCopySize = 20000;
/// A copy for the host gets what accesses elements for its loops, so that
/// questions are asked around them, and does not become much larger.
static const unsigned MaxInlineForHost = 200, MaxAddedForHost = 1000;

namespace polygpu {

namespace {

/// Inlines calls into the copy of a function.
class Inliner {
public:
  using Predicate = function_ref<bool(const Function &)>;
  Inliner(Function &Copy, Function &Original, Predicate IsKept,
          const InlineLimits &Limits, InlinedNests *Nests,
          FunctionAnalysisManager &FAM)
      : Copy(Copy), Original(Original), IsKept(IsKept), Limits(Limits),
        Nests(Nests), FAM(FAM) {}
  void run();

private:
  Function &Copy, &Original;
  Predicate IsKept; ///< functions that are not inlined
  const InlineLimits Limits;
  InlinedNests *Nests;
  FunctionAnalysisManager &FAM;
  uint64_t Added = 0; ///< bytes that were added to the frame
  std::optional<uint64_t> Most;
  uint64_t SizeAtMost = 0;           ///< no more instructions are in the copy
  std::optional<unsigned> FinalSize; ///< when all is inlined

  /// What is asked of a callee for each of its calls, and stays.
  struct Facts {
    bool IsExcluded;  ///< whatever the call
    bool CallsItself; ///< and so leaves a call where it is inlined
    unsigned Size;
    bool HasLoops;
    std::optional<uint64_t> Frame;
  };
  DenseMap<const Function *, Facts> Known;

  using CallInLoop = std::pair<CallBase *, Loop *>;
  using Loops = SmallDenseMap<const Loop *, const Function *, 8>;

  void mark(ArrayRef<CallInLoop> Calls, const Loops &Lost);
  Loops findLost(ArrayRef<CallInLoop> Calls, const DominatorTree &DT);
  void inlineAll();
  void describeRest();
  std::string whyNotInlined(const CallBase &Call, const Function &Callee,
                            const Function *Lost);
  const Facts &factsOf(const Function &Callee);
  bool mayInline(const CallBase &Call, bool InLoop);
  bool isOnItsOwn(const CallBase &Call);
  bool fitsFrame(const Function &Callee);
  bool isFull();
  bool inlineCall(CallBase &Call);
};

/// Bytes of the local variables of \p F that do not become registers, nothing
/// if their number is not known.
std::optional<uint64_t> frameOf(const Function &F) {
  uint64_t Bytes = 0;
  for (const Argument &A : F.args())
    if (A.hasByValAttr())
      Bytes += A.getPassPointeeByValueCopySize(F.getDataLayout());
  for (const Instruction &I : instructions(F))
    if (const auto *Alloca = dyn_cast<AllocaInst>(&I);
        Alloca && !isAllocaPromotable(Alloca)) {
      std::optional<TypeSize> Size =
          Alloca->getAllocationSize(F.getDataLayout());
      if (!Alloca->isStaticAlloca() || !Size || Size->isScalable())
        return std::nullopt;
      Bytes += Size->getFixedValue();
    }
  return Bytes;
}

/// May a call of \p F lead to another one of it, as far as the module tells?
bool mayRecur(const Function &F) {
  if (F.doesNotRecurse())
    return false;
  SmallVector<const Function *, 8> List = {&F};
  SmallPtrSet<const Function *, 16> Seen;
  bool IsKnown = !F.hasAddressTaken();
  while (!List.empty()) {
    for (const Instruction &I : instructions(*List.pop_back_val())) {
      const auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || isa<IntrinsicInst>(Call) || Call->isInlineAsm())
        continue;
      const Function *Callee = Call->getCalledFunction();
      if (Callee == &F ||
          (!IsKnown && (!Callee || (Callee->isDeclaration() &&
                                    !Call->hasFnAttr(Attribute::NoCallback)))))
        return true;
      if (Callee && Seen.insert(Callee).second)
        List.push_back(Callee);
    }
  }
  return false;
}

/// Does \p F lead to a call of itself that the module shows, as far as is
/// looked?  Inlined, it leaves that call.
static bool callsItself(const Function &F) {
  static const size_t MostInstructions = 20000;
  if (F.doesNotRecurse())
    return false;
  SmallVector<const Function *, 8> List = {&F};
  SmallPtrSet<const Function *, 16> Seen;
  size_t Looked = 0;
  while (!List.empty() && Looked < MostInstructions)
    for (const Instruction &I : instructions(*List.pop_back_val())) {
      ++Looked;
      const auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (Callee == &F)
        return true;
      if (Callee && Seen.insert(Callee).second)
        List.push_back(Callee);
    }
  return false;
}

const Inliner::Facts &Inliner::factsOf(const Function &Callee) {
  auto [It, IsNew] = Known.try_emplace(&Callee);
  if (!IsNew)
    return It->second;
  std::optional<Refusal> Why = refuseFunction(Callee);
  It->second = {
      isProcessed(Callee) || isInstrumented(Callee) ||
          !isInlineViable(const_cast<Function &>(Callee)).isSuccess() ||
          (Why && Why->Name != "AvailableExternally"),
      callsItself(Callee), Callee.getInstructionCount(), hasLoops(Callee),
      frameOf(Callee)};
  return It->second;
}

/// The frame of the copy is that of the original and little more.
bool Inliner::fitsFrame(const Function &Callee) {
  std::optional<uint64_t> Bytes = factsOf(Callee).Frame;
  if (Bytes == 0)
    return true;
  if (!Most)
    Most = mayRecur(Original) ? InlineConstants::TotalAllocaSizeRecursiveCaller
                              : MaxAddedFrame;
  return Bytes && Added + *Bytes <= *Most;
}

/// The function that \p V is, also where it was stored to a variable before,
/// such as a parameter, and to none but one; null: another value.
static Function *functionOf(Value *V) {
  static const unsigned MostCalls = 8; // that hand it on
  for (unsigned Step = 0; Step < MostCalls; ++Step) {
    V = V->stripPointerCasts();
    if (auto *F = dyn_cast<Function>(V))
      return F;
    auto *Load = dyn_cast<LoadInst>(V);
    auto *Variable =
        Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
    if (!Variable || !isAllocaPromotable(Variable))
      return nullptr;
    StoreInst *Only = nullptr;
    for (User *U : Variable->users())
      if (auto *Store = dyn_cast<StoreInst>(U)) {
        if (Only)
          return nullptr;
        Only = Store;
      }
    if (!Only)
      return nullptr;
    V = Only->getValueOperand();
  }
  return nullptr;
}

/// Call the function by its name, where it was an argument of what is inlined.
static void nameCallee(CallBase &Call) {
  if (!Call.isIndirectCall())
    return;
  Function *F = functionOf(Call.getCalledOperand());
  if (F && F->getFunctionType() == Call.getFunctionType() &&
      F->getCallingConv() == Call.getCallingConv())
    Call.setCalledFunction(F);
}

/// The values that \p A has in its function: itself, or what is read from the
/// only variable that it is stored to; nothing if that is not known.
static std::optional<SmallVector<Value *, 8>> valuesOf(Argument &A) {
  SmallVector<Value *, 8> Values = {&A};
  for (User *U : A.users()) {
    auto *Store = dyn_cast<StoreInst>(U);
    auto *Variable =
        Store ? dyn_cast<AllocaInst>(Store->getPointerOperand()) : nullptr;
    if (!Variable)
      continue;
    if (!isAllocaPromotable(Variable))
      return std::nullopt;
    for (User *Use : Variable->users()) {
      if (isa<StoreInst>(Use) && Use != Store)
        return std::nullopt;
      if (isa<LoadInst>(Use))
        Values.push_back(Use);
    }
  }
  return Values;
}

/// Does the function of \p Given call it, or one that it is handed on to, and
/// has one of them loops?
static bool isCalled(Argument &Given) {
  static const unsigned Most = 32;
  SmallVector<std::pair<Argument *, bool>, 8> List = {{&Given, false}};
  for (unsigned I = 0; I < List.size() && I < Most; ++I) {
    auto [A, Around] = List[I];
    const bool InLoops = Around || hasLoops(*A->getParent());
    for (Value *V : valuesOf(*A).value_or(SmallVector<Value *, 8>()))
      for (Use &U : V->uses()) {
        auto *Call = dyn_cast<CallBase>(U.getUser());
        if (!Call)
          continue;
        if (Call->isCallee(&U)) {
          if (InLoops)
            return true;
          continue;
        }
        Function *Callee = Call->getCalledFunction();
        if (!Callee || Callee->isDeclaration() || !Call->isArgOperand(&U) ||
            Call->getArgOperandNo(&U) >= Callee->arg_size())
          continue;
        std::pair<Argument *, bool> Next(
            Callee->getArg(Call->getArgOperandNo(&U)), InLoops);
        if (!is_contained(List, Next))
          List.push_back(Next);
      }
  }
  return false;
}

bool Inliner::mayInline(const CallBase &Call, bool InLoop) {
  Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isDeclaration() || Callee == &Copy ||
      Callee == &Original || Call.isMustTailCall() || Callee->isVarArg() ||
      Callee->isPresplitCoroutine() || IsKept(*Callee))
    return false;
  const Facts &Of = factsOf(*Callee);
  bool Suits = InLoop || handsFunctionOn(Call)
                   ? Of.Size <= Limits.Callee
                   : Of.Size <= MaxInlineAnywhere && !Of.HasLoops;
  if (!Suits || Of.IsExcluded || Of.CallsItself)
    return false;
  auto GetTLI = [&](Function &F) -> const TargetLibraryInfo & {
    return FAM.getResult<TargetLibraryAnalysis>(F);
  };
  auto Decision = getAttributeBasedInliningDecision(
      const_cast<CallBase &>(Call), Callee,
      FAM.getResult<TargetIRAnalysis>(*Callee), GetTLI);
  return (!Decision || Decision->isSuccess()) && fitsFrame(*Callee);
}

/// May \p V be the same in all iterations of \p L, while variables are still in
/// memory?
static bool looksSame(const Value *V, const Loop &L, unsigned Depth = 6) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return true;
  if (const auto *Load = dyn_cast<LoadInst>(I)) {
    const Value *Place = Load->getPointerOperand();
    return isa<GlobalVariable>(Place) ||
           (isa<AllocaInst>(Place) &&
            none_of(Place->users(), [&](const User *U) {
              return isa<StoreInst>(U) && L.contains(cast<Instruction>(U));
            }));
  }
  return Depth > 0 && isa<BinaryOperator, CastInst, CmpInst, FreezeInst>(I) &&
         all_of(I->operands(), [&](const Use &Operand) {
           return looksSame(Operand, L, Depth - 1);
         });
}

/// Is \p BB under a condition of which \p L may get versions, so that one does
/// without what is there?
static bool isOptional(const BasicBlock *BB, const Loop &L,
                       const DominatorTree &DT) {
  for (const auto *Node = DT.getNode(BB); Node; Node = Node->getIDom()) {
    const BasicBlock *Under = Node->getBlock();
    const BasicBlock *From = Under->getSinglePredecessor();
    if (!L.contains(Under) || Under == L.getHeader())
      return false;
    const auto *Branch =
        From ? dyn_cast<BranchInst>(From->getTerminator()) : nullptr;
    if (Branch && Branch->isConditional() && L.contains(From) &&
        looksSame(Branch->getCondition(), L))
      return true;
  }
  return false;
}

/// The loops of \p Calls that keep a call of a function that calls itself, and
/// which: they are in no SCoP, whatever else is inlined into them.
Inliner::Loops Inliner::findLost(ArrayRef<CallInLoop> Calls,
                                 const DominatorTree &DT) {
  Loops Lost;
  for (auto [Call, Around] : Calls)
    if (const Function *Callee = Call->getCalledFunction();
        Around && Callee && !Callee->isDeclaration() &&
        factsOf(*Callee).CallsItself)
      for (Loop *L = Around; L; L = L->getParentLoop())
        if (!isOptional(Call->getParent(), *L, DT))
          Lost.insert({L, Callee});
  return Lost;
}

/// Is the copy too large for more?
bool Inliner::isFull() {
  if (SizeAtMost == 0 || SizeAtMost > MaxCopySize)
    SizeAtMost = Copy.getInstructionCount();
  return SizeAtMost > MaxCopySize;
}

/// The instructions of \p Blocks that count.
static uint64_t sizeOf(iterator_range<Function::iterator> Blocks) {
  uint64_t Size = 0;
  for (const BasicBlock &BB : Blocks)
    for (const Instruction &I : BB)
      Size += !I.isDebugOrPseudoInst();
  return Size;
}

/// Inline \p Call, and count what comes for it: between the block of the call
/// and the next one, and variables in the entry block.  Where a call that may
/// throw is inlined, its landing pad may grow as well, by less than twice the
/// callee.
bool Inliner::inlineCall(CallBase &Call) {
  const Facts &Of = factsOf(*Call.getCalledFunction());
  const uint64_t More =
      isa<CallInst>(Call)
          ? 0
          : 4 * uint64_t(Of.Size) + 4 * Call.getCalledFunction()->arg_size();
  BasicBlock *Block = Call.getParent(), *Entry = &Copy.getEntryBlock();
  auto Next = std::next(Block->getIterator());
  auto Size = [&] {
    uint64_t N = sizeOf({Block->getIterator(), Next});
    return Block == Entry ? N
                          : N + sizeOf({Entry->getIterator(),
                                        std::next(Entry->getIterator())});
  };
  const uint64_t Before = Size();
  InlineFunctionInfo IFI;
  if (!InlineFunction(Call, IFI, /*MergeAttributes=*/true).isSuccess())
    return false;
  Added += Of.Frame.value_or(0);
  SizeAtMost += Size() - Before + More;
  return true;
}

/// Does \p A only choose between ways through its function, and through those
/// that it hands it on to?  Then no loop counts with it.
static bool onlyChooses(Argument &A, unsigned Depth = 0) {
  static const unsigned MostDepth = 4, MostValues = 64;
  auto Values = valuesOf(A);
  if (!Values || Depth > MostDepth)
    return false;
  for (unsigned I = 0; I < Values->size(); ++I)
    for (Use &U : (*Values)[I]->uses()) {
      auto *Used = cast<Instruction>(U.getUser());
      if (isa<BranchInst, SwitchInst>(Used) ||
          (isa<StoreInst>(Used) && (*Values)[I] == &A))
        continue;
      if (auto *Call = dyn_cast<CallBase>(Used)) {
        Function *Callee = Call->getCalledFunction();
        if (!Callee || Callee->isDeclaration() || !Call->isArgOperand(&U) ||
            Call->getArgOperandNo(&U) >= Callee->arg_size() ||
            !onlyChooses(*Callee->getArg(Call->getArgOperandNo(&U)), Depth + 1))
          return false;
      } else if ((isa<ZExtInst, SExtInst, TruncInst>(Used) ||
                  (isa<ICmpInst>(Used) &&
                   isa<Constant>(Used->getOperand(1 - U.getOperandNo())))) &&
                 Values->size() < MostValues) {
        Values->push_back(Used);
      } else {
        return false;
      }
    }
  return true;
}

/// Does the callee have loops of which just as much is known without \p Call?
bool Inliner::isOnItsOwn(const CallBase &Call) {
  Function &Callee = *Call.getCalledFunction();
  return factsOf(Callee).HasLoops && !refuseFunction(Callee) &&
         none_of(Call.args(), [&](const Use &U) {
           return isa<Function>(U->stripPointerCasts()) ||
                  (isa<ConstantInt>(U) &&
                   !onlyChooses(*Callee.getArg(Call.getArgOperandNo(&U))));
         });
}

/// May \p V be anything, like an argument?  No constant, and no address of an
/// object that others are known not to be.  \p Seen has what was asked before.
static bool isAnything(const Value *V, SmallPtrSetImpl<const Value *> &Seen) {
  static const unsigned Most = 64;
  if (isa<Argument>(V))
    return true;
  if (!Seen.insert(V).second || Seen.size() > Most)
    return false;
  auto Is = [&](const Value *From) { return isAnything(From, Seen); };
  // Zero and null are what variables begin with.
  auto AreAll = [&](ArrayRef<const Value *> Values) {
    bool Any = false;
    for (const Value *From : Values)
      if (!isa<Constant>(From) || !cast<Constant>(From)->isNullValue()) {
        if (!Is(From))
          return false;
        Any = true;
      }
    return Any;
  };
  if (const auto *Load = dyn_cast<LoadInst>(V)) {
    const auto *Variable = dyn_cast<AllocaInst>(Load->getPointerOperand());
    if (!Variable || !isAllocaPromotable(Variable))
      return true;
    SmallVector<const Value *, 8> Stored;
    for (const User *U : Variable->users())
      if (const auto *Store = dyn_cast<StoreInst>(U))
        Stored.push_back(Store->getValueOperand());
    return AreAll(Stored);
  }
  if (const auto *Phi = dyn_cast<PHINode>(V))
    return AreAll(SmallVector<const Value *, 8>(Phi->incoming_values()));
  if (const auto *Address = dyn_cast<GetElementPtrInst>(V))
    return Is(Address->getPointerOperand());
  if (const auto *Call = dyn_cast<CallBase>(V))
    return !Call->returnDoesNotAlias();
  return isa<BinaryOperator, CastInst, CmpInst>(V) &&
         any_of(cast<User>(V)->operands(), Is);
}

/// Is no more known of the arguments of \p Call than of those of any call?
static bool isAnyCall(const CallBase &Call) {
  return all_of(Call.args(), [](const Use &U) {
    SmallPtrSet<const Value *, 16> Seen;
    return isa<ConstantInt>(U) || isAnything(U, Seen);
  });
}

/// Mark the loops around calls of functions that have loops themselves, while
/// it is known which blocks are theirs.
void Inliner::mark(ArrayRef<CallInLoop> Calls, const Loops &Lost) {
  for (auto [Call, L] : Calls)
    if (L && !Lost.contains(L) && mayInline(*Call, true) && isOnItsOwn(*Call))
      Nests->add(*L, *Call->getCalledFunction(), isAnyCall(*Call));
}

/// Calls that are deep in others: a round for each level.  Accessors of
/// expression templates are deeper than anything else, and are small.
enum { Rounds = 8, RoundsOfAccessors = 24, AccessorSize = 40 };

/// What keeps \p Call in a loop, to follow "the call of 'f'"; empty: what can
/// be seen without the inliner.
std::string Inliner::whyNotInlined(const CallBase &Call, const Function &Callee,
                                   const Function *Lost) {
  if (isInstrumented(Callee) || Call.isNoInline() || IsKept(Callee) ||
      Callee.getInstructionCount() > MaxInlineInLoop)
    return "";
  if (&Callee == &Copy || &Callee == &Original || factsOf(Callee).CallsItself)
    return " is not inlined, since the function calls itself; use a loop "
           "instead, or move the call out of the loop";
  if (Callee.isVarArg())
    return " is not inlined, since the function has variable arguments; pass "
           "an array, or move the call out of the loop";
  if (Callee.isInterposable())
    return " is not inlined, since the function may be replaced at the link "
           "(it is weak); declare it static or inline, or move the call out of "
           "the loop";
  if (std::optional<Refusal> R = refuseFunction(Callee);
      R && R->Name != "AvailableExternally")
    return " is not inlined, since " + R->Sentence;
  if (!fitsFrame(Callee))
    return " is not inlined, since its local variables would make the stack "
           "frame of this function much larger; make them smaller or static, "
           "or pass them as arguments";
  if (!mayInline(Call, true))
    return " is not inlined, since LLVM cannot inline the function or may not "
           "(it jumps to computed addresses, or was compiled for another "
           "processor); move the call out of the loop";
  if (Lost)
    return " is not inlined, since the same loop calls '" +
           sourceSymbol(Lost->getName()) +
           "', which calls itself; move that call out of the loop";
  if (!FinalSize)
    FinalSize = Copy.getInstructionCount();
  if (*FinalSize > MaxCopySize)
    return " is not inlined, since this function has become too large by "
           "others that were; split it";
  return " is not inlined, since functions call each other too deep; call it "
         "more directly, or move the call out of the loop";
}

/// Say of calls in loops what keeps them, for remarks.
void Inliner::describeRest() {
  DominatorTree DT(Copy);
  LoopInfo LI(DT);
  SmallVector<CallInLoop, 16> Calls;
  for (Instruction &I : instructions(Copy))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (Loop *L = LI.getLoopFor(I.getParent()))
        Calls.push_back({Call, L});
  const Loops Lost = findLost(Calls, DT);
  for (auto [Call, L] : Calls) {
    const Function *Callee = Call->getCalledFunction();
    if (!Callee || Callee->isDeclaration())
      continue;
    std::string Why = whyNotInlined(*Call, *Callee, Lost.lookup(L));
    if (!Why.empty())
      Call->addFnAttr(
          Attribute::get(Copy.getContext(), NotInlinedAttribute, Why));
  }
}

void Inliner::run() {
  inlineAll();
  if (Nests)
    describeRest();
}

void Inliner::inlineAll() {
  for (unsigned Round = 0; Round < RoundsOfAccessors; ++Round) {
    DominatorTree DT(Copy);
    LoopInfo LI(DT);
    SmallVector<CallInLoop, 16> Calls;
    for (Instruction &I : instructions(Copy))
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        nameCallee(*Call);
        Calls.push_back({Call, LI.getLoopFor(I.getParent())});
      }
    const Loops Lost = findLost(Calls, DT);
    if (Nests)
      mark(Calls, Lost);
    bool Changed = false;
    for (auto [Call, Around] : Calls) {
      if (!mayInline(*Call, Around && !Lost.contains(Around)) ||
          (Round >= Rounds &&
           factsOf(*Call->getCalledFunction()).Size > AccessorSize))
        continue;
      if (isFull())
        return;
      if (SizeAtMost > Limits.Copy &&
          factsOf(*Call->getCalledFunction()).Size > MaxInlineAnywhere)
        continue;
      Changed |= inlineCall(*Call);
    }
    if (!Changed)
      return;
  }
}

} // namespace

bool handsFunctionOn(const CallBase &Call) {
  Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isDeclaration() || Call.isNoInline())
    return false;
  return any_of(Call.args(), [&](const Use &U) {
    const unsigned Number = Call.getArgOperandNo(&U);
    const Function *F = functionOf(U);
    // Those of the C library's mathematics are known as well.
    return F &&
           (!F->isDeclaration() || F->getReturnType()->isFloatingPointTy()) &&
           Number < Callee->arg_size() && isCalled(*Callee->getArg(Number));
  });
}

InlineLimits InlineLimits::forLoops() { return {MaxInlineInLoop, MaxCopySize}; }

InlineLimits InlineLimits::forHost(const Function &Original) {
  return {MaxInlineForHost,
          MaxAddedForHost + 2 * uint64_t(Original.getInstructionCount())};
}

void inlineCalls(Function &Copy, Function &Original,
                 function_ref<bool(const Function &)> IsKept,
                 const InlineLimits &Most, InlinedNests *Nests,
                 FunctionAnalysisManager &FAM) {
  Inliner(Copy, Original, IsKept, Most, Nests, FAM).run();
}

//===-- Loops with inlined ones -------------------------------------------===//

static const char *const MarkName = "polygpu.inlined";

void InlinedNests::add(Loop &L, const Function &Callee, bool IsAnyCall) {
  std::optional<int> Mark = getOptionalIntLoopAttribute(&L, MarkName);
  if (!Mark) {
    Mark = static_cast<int>(Marks.size());
    addStringMetadataToLoop(&L, MarkName, static_cast<unsigned>(*Mark));
    Marks.emplace_back();
  }
  Marks[static_cast<size_t>(*Mark)].Callees.push_back({&Callee, IsAnyCall});
}

void InlinedNests::look(const LoopInfo &LI,
                        function_ref<std::string(const Loop &)> Obstacle) {
  for (const Loop *L : LI.getLoopsInPreorder())
    if (auto Number = getOptionalIntLoopAttribute(L, MarkName)) {
      Mark &M = Marks[static_cast<size_t>(*Number)];
      // Of two versions one is enough.
      if (M.IsFound && M.Obstacle.empty())
        continue;
      M.Obstacle = Obstacle(*L);
      M.IsFound = true;
      M.Size = 0;
      for (const BasicBlock *B : L->blocks())
        M.Size += B->size();
    }
}

KeptCalls InlinedNests::keep(function_ref<bool(const Function &)> Settled,
                             bool &MayGain) {
  SmallPtrSet<const Function *, 8> Inlined, Unsettled;
  for (const Mark &M : Marks)
    for (auto [Callee, IsAnyCall] : M.Callees) {
      const bool IsUnsettled = M.Obstacle.empty() ||
                               (M.Size <= MaxInlineInLoop && !Settled(*Callee));
      if (M.Obstacle.empty() || (IsUnsettled && !IsAnyCall))
        Inlined.insert(Callee);
      else if (IsUnsettled)
        Unsettled.insert(Callee);
    }
  KeptCalls Kept;
  for (const Mark &M : Marks)
    for (auto [Callee, IsAnyCall] : M.Callees)
      if (!Inlined.contains(Callee)) {
        Kept.insert({Callee, M.Obstacle});
        MayGain |= Unsettled.contains(Callee);
      }
  return Kept;
}

void InlinedNests::forget(const LoopInfo &LI) {
  for (Loop *L : LI.getLoopsInPreorder())
    if (getOptionalIntLoopAttribute(L, MarkName))
      L->setLoopID(makePostTransformationMetadata(
          L->getHeader()->getContext(), L->getLoopID(), {MarkName}, {}));
}

void describeKept(Function &Copy, const KeptCalls &Kept) {
  for (Instruction &I : instructions(Copy))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (auto It = Kept.find(Call->getCalledFunction()); It != Kept.end())
        Call->addFnAttr(
            Attribute::get(Copy.getContext(), KeptAttribute, It->second));
}

} // namespace polygpu
