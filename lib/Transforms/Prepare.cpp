//===- Prepare.cpp - A canonical copy of a function to work on ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prepare.h"
#include "HoistLoads.h"
#include "MergeGEPs.h"
#include "SplitBases.h"
#include "WidenSubscripts.h"
#include "polly/CodePreparation.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

/// Callees of at most this many instructions are inlined into loops.
static const unsigned MaxInlineInLoop = 2000;
/// Callees without loops of at most this size are inlined anywhere.
static const unsigned MaxInlineAnywhere = 40;
/// No copy grows beyond this by inlining.
static const unsigned MaxCopySize = 20000;

namespace polygpu {

bool hasLoops(const Function &F) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> Edges;
  FindFunctionBackedges(F, Edges);
  return !Edges.empty();
}

bool isProcessed(const Function &F) {
  if (F.hasFnAttribute("polygpu"))
    return true;
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (Call && Call->getCalledFunction() &&
        Call->getCalledFunction()->getName().starts_with("polygpu_"))
      return true;
  }
  return false;
}

static bool isProfiled(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    return isa<InstrProfInstBase>(&I);
  });
}

/// Calls that must stay in the entry block, which the copy splits.
static bool isBoundToEntry(const Instruction &I) {
  const auto *II = dyn_cast<IntrinsicInst>(&I);
  return II &&
         (II->getIntrinsicID() == Intrinsic::localescape ||
          II->getIntrinsicID() == Intrinsic::experimental_convergence_entry);
}

/// Can functions of this convention be called by others?
static bool isCallable(CallingConv::ID Convention) {
  switch (Convention) {
  case CallingConv::X86_INTR:
  case CallingConv::AVR_INTR:
  case CallingConv::AVR_SIGNAL:
  case CallingConv::MSP430_INTR:
  case CallingConv::M68k_INTR:
  case CallingConv::GHC:
    return false;
  default:
    return isCallableCC(Convention);
  }
}

std::optional<Refusal> refuseFunction(const Function &F) {
  auto Refuse = [](const char *Name, const char *Text) {
    return Refusal{Name, Text, DebugLoc()};
  };
  if (F.hasOptNone())
    return Refuse("OptNone", "the function is not to be optimised (optnone or "
                             "-O0); compile with -O1 or higher");
  if (F.hasFnAttribute(Attribute::StrictFP))
    return Refuse(
        "StrictFP",
        "the function may change or inspect the floating-point "
        "environment (strictfp), which a GPU does not have; compile "
        "it without -ftrapping-math, -frounding-math and FENV_ACCESS");
  if (F.hasFnAttribute(Attribute::Naked))
    return Refuse("Naked", "the function is naked; write it without the "
                           "attribute");
  if (F.isPresplitCoroutine())
    return Refuse("Coroutine", "the function is a coroutine; move the loop "
                               "into an ordinary function");
  for (Attribute::AttrKind Kind :
       {Attribute::SanitizeAddress, Attribute::SanitizeMemory,
        Attribute::SanitizeThread, Attribute::SanitizeHWAddress,
        Attribute::SanitizeMemTag, Attribute::SanitizeType,
        Attribute::SanitizeRealtime, Attribute::SanitizeRealtimeBlocking,
        Attribute::SanitizeNumericalStability, Attribute::SanitizeAllocToken})
    if (F.hasFnAttribute(Kind))
      return Refuse("Sanitizer",
                    "the function is checked by a sanitizer, which cannot "
                    "look into kernels; compile it without -fsanitize=");
  if (F.hasAvailableExternallyLinkage())
    return Refuse("AvailableExternally",
                  "this body is only a copy for inlining, the function lives "
                  "in another file; the loops are offloaded there");
  for (const BasicBlock &BB : F)
    if (BB.hasAddressTaken())
      return Refuse("BlockAddress",
                    "the address of a label is taken (computed goto); use "
                    "switch, or move the loop into another function");
  if (!isCallable(F.getCallingConv()))
    return Refuse("CallingConvention",
                  "the function cannot be called by others (an interrupt "
                  "handler); move the loop into an ordinary function");
  if (needsOwnFrame(F) && !canForward(F))
    return Refuse("Frame",
                  "the function has variable arguments or asks for its return "
                  "or frame address; move the loop into an ordinary function");
  if (any_of(F.getEntryBlock(), isBoundToEntry))
    return Refuse("BoundToEntry",
                  "the function begins with a call that must stay there "
                  "(convergence control, or variables shared with an exception "
                  "filter); move the loop into an ordinary function");
  if (isProfiled(F))
    return Refuse("Profiled",
                  "the loops count their executions for a profile; compile "
                  "without -fprofile-instr-generate or coverage");
  return std::nullopt;
}

//===-- Inlining ----------------------------------------------------------===//

static bool mayInline(const CallBase &Call, const Function &Copy,
                      const Function &Original, bool InLoop,
                      const TargetTransformInfo &TTI) {
  Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isDeclaration() || Callee == &Copy ||
      Callee == &Original || Callee->isInterposable() ||
      Call.isMustTailCall() || Call.isNoInline() || Callee->isVarArg() ||
      Callee->hasFnAttribute(Attribute::NoInline) ||
      Callee->isPresplitCoroutine() || isProcessed(*Callee))
    return false;
  if (std::optional<Refusal> R = refuseFunction(*Callee);
      R && R->Name != "AvailableExternally")
    return false;
  if (!AttributeFuncs::areInlineCompatible(Copy, *Callee) ||
      !TTI.areInlineCompatible(&Copy, Callee) ||
      !isInlineViable(*Callee).isSuccess())
    return false;
  unsigned Size = Callee->getInstructionCount();
  if (InLoop)
    return Size <= MaxInlineInLoop;
  return Size <= MaxInlineAnywhere && !hasLoops(*Callee);
}

static void inlineCalls(Function &Copy, const Function &Original,
                        const TargetTransformInfo &TTI) {
  for (unsigned Round = 0; Round < 8; ++Round) {
    DominatorTree DT(Copy);
    LoopInfo LI(DT);
    SmallVector<CallBase *, 16> Calls;
    for (Instruction &I : instructions(Copy))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (mayInline(*Call, Copy, Original, LI.getLoopFor(I.getParent()), TTI))
          Calls.push_back(Call);
    bool Changed = false;
    for (CallBase *Call : Calls) {
      if (Copy.getInstructionCount() > MaxCopySize)
        return;
      InlineFunctionInfo IFI;
      Changed |= InlineFunction(*Call, IFI).isSuccess();
    }
    if (!Changed)
      return;
  }
}

/// The address of a thread-local variable does not change within a function;
/// computed in a loop it would look as if it did.
static void hoistThreadLocalAddresses(Function &F) {
  Instruction *Front = &*F.getEntryBlock().getFirstInsertionPt();
  SmallVector<IntrinsicInst *, 4> Calls;
  for (Instruction &I : instructions(F))
    if (auto *II = dyn_cast<IntrinsicInst>(&I))
      if (II->getIntrinsicID() == Intrinsic::threadlocal_address &&
          isa<GlobalValue>(II->getArgOperand(0)))
        Calls.push_back(II);
  DenseMap<Value *, IntrinsicInst *> First;
  for (IntrinsicInst *II : Calls) {
    IntrinsicInst *&Kept = First[II->getArgOperand(0)];
    if (Kept) {
      II->replaceAllUsesWith(Kept);
      II->eraseFromParent();
      continue;
    }
    Kept = II;
    if (II != Front)
      II->moveBefore(F.getEntryBlock().getFirstInsertionPt());
  }
}

/// -Og keeps variables alive for debuggers with calls that do nothing, and
/// __builtin_expect is a call until a later pass lowers it.
static void dropHints(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *II = dyn_cast<IntrinsicInst>(&I))
      switch (II->getIntrinsicID()) {
      case Intrinsic::expect:
      case Intrinsic::expect_with_probability:
        II->replaceAllUsesWith(II->getArgOperand(0));
        II->eraseFromParent();
        break;
      case Intrinsic::fake_use:
        II->eraseFromParent();
        break;
      default:
        break;
      }
}

/// A number of elements computed as (int)(end - begin), like the size of a
/// std::vector, is a parameter of its own: described as the difference of two
/// addresses modulo 2^32 it would be too complex.  A call of an unknown
/// function hides where the value comes from, until revealValues.
static void hidePointerDifferences(Function &F, const LoopInfo &LI) {
  auto IsDifference = [](const Value *V) {
    for (unsigned Step = 0; Step < 4; ++Step) {
      const auto *Op = dyn_cast<BinaryOperator>(V);
      if (!Op)
        return false;
      if (Op->getOpcode() == Instruction::Sub)
        return isa<PtrToIntInst, PtrToAddrInst>(Op->getOperand(0)) &&
               isa<PtrToIntInst, PtrToAddrInst>(Op->getOperand(1));
      V = Op->getOperand(0);
    }
    return false;
  };
  SmallVector<Instruction *, 4> Found;
  for (Instruction &I : instructions(F))
    if (isa<TruncInst>(I) && !LI.getLoopFor(I.getParent()) &&
        IsDifference(I.getOperand(0)))
      Found.push_back(&I);
  for (Instruction *I : Found) {
    FunctionCallee Hide = F.getParent()->getOrInsertFunction(
        HiddenPrefix + std::to_string(I->getType()->getIntegerBitWidth()),
        I->getType(), I->getType());
    auto *Declaration = cast<Function>(Hide.getCallee());
    Declaration->setMemoryEffects(MemoryEffects::none());
    Declaration->setDoesNotThrow();
    Declaration->setWillReturn();
    auto *Hidden =
        CallInst::Create(Hide, {I}, I->getName(), std::next(I->getIterator()));
    Hidden->setDebugLoc(I->getDebugLoc());
    I->replaceUsesWithIf(Hidden,
                         [&](const Use &U) { return U.getUser() != Hidden; });
  }
}

void revealValues(Function &F) {
  revealPointers(F);
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (Function *Callee = Call->getCalledFunction())
        if (Callee->getName().starts_with(HiddenPrefix)) {
          Call->replaceAllUsesWith(Call->getArgOperand(0));
          Call->eraseFromParent();
        }
}

/// Promote memory to registers, bring loops into rotated form with canonical
/// counters.  Like Polly's own sequence, but without Reassociate: it drops nsw
/// from subscripts like i * n + (j - 1), which are not affine without.
static void canonicalise(Function &F, FunctionAnalysisManager &FAM) {
  FunctionPassManager Early;
  Early.addPass(SROAPass(SROAOptions::ModifyCFG));
  Early.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  // Before InstCombine, which would move loads into the branches of ?:.
  Early.addPass(SimplifyCFGPass());
  PreservedAnalyses EarlyPA = Early.run(F, FAM);
  widenSubscripts(F);
  FAM.invalidate(F, EarlyPA);
  splitBases(F, FAM);
  hidePointerDifferences(F, FAM.getResult<LoopAnalysis>(F));
  FunctionPassManager FPM;
  FPM.addPass(InstCombinePass());
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass()));
  FPM.addPass(HoistLoadsPass());
  FPM.addPass(InstCombinePass());
  FPM.addPass(createFunctionToLoopPassAdaptor(IndVarSimplifyPass()));
  FPM.addPass(LoopSimplifyPass());
  PreservedAnalyses PA = FPM.run(F, FAM);
  FAM.invalidate(F, PA);
}

Function *makeCopy(Function &F, MathErrno &Errno,
                   FunctionAnalysisManager &FAM) {
  ValueToValueMapTy VMap;
  Function *Copy = CloneFunction(&F, VMap);
  Copy->setName(F.getName() + ".polygpu");
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->setVisibility(GlobalValue::DefaultVisibility);
  Copy->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  Copy->setComdat(nullptr);
  inlineCalls(*Copy, F, FAM.getResult<TargetIRAnalysis>(F));
  hoistThreadLocalAddresses(*Copy);
  dropHints(*Copy);
  const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(*Copy);
  Errno.begin(*Copy, TLI);
  canonicalise(*Copy, FAM);
  // (float)sqrt(x) of a float x has become a call of sqrtf.
  Errno.mark(*Copy, FAM.getResult<LoopAnalysis>(*Copy), TLI);
  if (mergeGEPs(*Copy, FAM.getResult<ScalarEvolutionAnalysis>(*Copy)))
    FAM.invalidate(*Copy, PreservedAnalyses::none());
  polly::runCodePreparation(*Copy, &FAM.getResult<DominatorTreeAnalysis>(*Copy),
                            &FAM.getResult<LoopAnalysis>(*Copy),
                            &FAM.getResult<RegionInfoAnalysis>(*Copy));
  FAM.invalidate(*Copy, PreservedAnalyses::none());
  return Copy;
}

void dropCopy(Function *Copy, FunctionAnalysisManager &FAM) {
  FAM.clear(*Copy, Copy->getName());
  Copy->eraseFromParent();
}

} // namespace polygpu
