//===- Prepare.cpp - A canonical copy of a function to work on ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/Prepare.h"
#include "adaptor/HiddenValues.h"
#include "polly/CodePreparation.h"
#include "prepare/AssumeStrides.h"
#include "prepare/BorderSteps.h"
#include "prepare/Candidates.h"
#include "prepare/CloseCounters.h"
#include "prepare/CloseRanges.h"
#include "prepare/CloseSwitches.h"
#include "prepare/ComplexProducts.h"
#include "prepare/CountPointers.h"
#include "prepare/CountRows.h"
#include "prepare/CountSteps.h"
#include "prepare/EarlierValues.h"
#include "prepare/ExactQuotients.h"
#include "prepare/HoistChecks.h"
#include "prepare/HoistDivisions.h"
#include "prepare/HoistLoads.h"
#include "prepare/Inliner.h"
#include "prepare/JoinBounds.h"
#include "prepare/MergeGEPs.h"
#include "prepare/NarrowSizes.h"
#include "prepare/NumberTruths.h"
#include "prepare/OffsetExits.h"
#include "prepare/OpenBlocks.h"
#include "prepare/OpenEnds.h"
#include "prepare/OrderStrides.h"
#include "prepare/PackedRows.h"
#include "prepare/RoundedIntegers.h"
#include "prepare/RowPointers.h"
#include "prepare/ShiftBases.h"
#include "prepare/ShiftParts.h"
#include "prepare/SignBounds.h"
#include "prepare/SplitBases.h"
#include "prepare/SplitComplex.h"
#include "prepare/SplitConditions.h"
#include "prepare/SplitSelects.h"
#include "prepare/UnpackMasks.h"
#include "prepare/UnrollExchanges.h"
#include "prepare/UnrollNeighbours.h"
#include "prepare/UnswitchLoops.h"
#include "prepare/WidenIndices.h"
#include "prepare/WidenSubscripts.h"
#include "target/MathCalls.h"
#include "verify/Repetitions.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace polygpu {

/// Bytes of a structure by value whose members are worth registers.
static const uint64_t LargestOwn = 256;

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

/// Does \p V compare an address with null?  It is assumed to be another one
/// where Rust's slices come from pointers.
static bool comparesWithNull(const Value *V) {
  CmpPredicate P;
  return match(V, m_ICmp(P, m_Value(), m_Value())) &&
         match(cast<Instruction>(V)->getOperand(1), m_Zero()) &&
         cast<Instruction>(V)->getOperand(0)->getType()->isPointerTy();
}

/// -Og keeps variables alive for debuggers with calls that do nothing, and
/// __builtin_expect is a call until a later pass lowers it.  An assumption of
/// addresses is a condition that Polly does not take.
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
      case Intrinsic::assume:
        if (comparesWithNull(II->getArgOperand(0)) && !II->hasOperandBundles())
          II->eraseFromParent();
        break;
      default:
        break;
      }
}

/// What an inlined call says of its arguments, that they do not overlap, holds
/// for one call: in a loop each iteration has another one, and what overlaps in
/// different iterations is not told apart by Polly, which does not take the
/// calls that begin such scopes either.
static void forgetScopesInLoops(Function &F, const LoopInfo &LI) {
  SmallPtrSet<const Metadata *, 8> Forgotten;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Begin = dyn_cast<NoAliasScopeDeclInst>(&I);
        Begin && LI.getLoopFor(I.getParent())) {
      for (const MDOperand &Scope : Begin->getScopeList()->operands())
        Forgotten.insert(Scope.get());
      Begin->eraseFromParent();
    }
  if (Forgotten.empty())
    return;
  for (Instruction &I : instructions(F)) {
    MDNode *List = I.getMetadata(LLVMContext::MD_noalias);
    if (!List)
      continue;
    SmallVector<Metadata *, 8> Kept;
    for (const MDOperand &Scope : List->operands())
      if (!Forgotten.contains(Scope.get()))
        Kept.push_back(Scope.get());
    I.setMetadata(LLVMContext::MD_noalias,
                  Kept.empty() ? nullptr : MDNode::get(F.getContext(), Kept));
  }
}

void revealValues(Function &F) {
  revealHidden(F);
  closeEnds(F);
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      for (const char *Name : {NotInlinedAttribute, KeptAttribute})
        Call->removeFnAttr(Name);
}

/// Fields of a structure that is given by its value, like {int rows, cols;
/// double *data}, come in parts of registers.  To Polly these are quotients and
/// remainders, which it takes for no size of a row; they become numbers of
/// their own.
static void hideFields(Function &F, const LoopInfo &LI) {
  if (LI.empty())
    return;
  SmallVector<Instruction *, 8> Fields;
  for (Argument &A : F.args()) {
    if (!A.getType()->isIntegerTy())
      continue;
    SmallVector<Instruction *, 4> Lowest, Others;
    for (User *U : A.users())
      if (isa<TruncInst>(U))
        Lowest.push_back(cast<Instruction>(U));
      else if (U->hasOneUse() &&
               match(U, m_LShr(m_Specific(&A), m_ConstantInt())) &&
               isa<TruncInst>(*U->user_begin()))
        Others.push_back(cast<Instruction>(*U->user_begin()));
    if (Others.empty())
      continue;
    append_range(Fields, Lowest);
    append_range(Fields, Others);
  }
  for (Instruction *Field : Fields)
    if (!LI.getLoopFor(Field->getParent()))
      hideValue(*Field);
}

/// Structures that are passed by value are the function's own: where nobody
/// else gets to know them, their members become values, as an iterator's are
/// that counts.
struct OwnStructuresPass : PassInfoMixin<OwnStructuresPass> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager & /*FAM*/);
};

PreservedAnalyses OwnStructuresPass::run(Function &F,
                                         FunctionAnalysisManager & /*FAM*/) {
  bool Changed = false;
  for (Argument &Arg : F.args()) {
    Type *Ty = Arg.getParamByValType();
    if (!Ty || F.getDataLayout().getTypeAllocSize(Ty) > LargestOwn ||
        PointerMayBeCaptured(&Arg, /*ReturnCaptures=*/true))
      continue;
    IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
    Align Known = Arg.getParamAlign().valueOrOne();
    AllocaInst *Own = B.CreateAlloca(Ty, nullptr, Arg.getName());
    Own->setAlignment(std::max(Own->getAlign(), Known));
    Arg.replaceAllUsesWith(Own);
    B.CreateMemCpy(Own, Own->getAlign(), &Arg, Known,
                   F.getDataLayout().getTypeAllocSize(Ty));
    Changed = true;
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

/// Promote memory to registers, bring loops into rotated form with canonical
/// counters.  Like Polly's own sequence, but without Reassociate: it drops nsw
/// from subscripts like i * n + (j - 1), which are not affine without.
static void canonicalise(Function &F, VersionChoice &Choice,
                         FunctionAnalysisManager &FAM) {
  openComplexProducts(F);
  openRoundedIntegers(F, FAM.getResult<LoopAnalysis>(F));
  FunctionPassManager Early;
  Early.addPass(SROAPass(SROAOptions::ModifyCFG));
  Early.addPass(OwnStructuresPass()); // known to no variable by now
  Early.addPass(SROAPass(SROAOptions::ModifyCFG));
  Early.addPass(OpenBlocksPass());
  Early.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  Early.addPass(HoistCheckedLoadsPass());
  // Before InstCombine, which would move loads into the branches of ?:.
  Early.addPass(SimplifyCFGPass());
  PreservedAnalyses EarlyPA = Early.run(F, FAM);
  widenSubscripts(F);
  widenCounters(F);
  FAM.invalidate(F, EarlyPA);
  hideFields(F, FAM.getResult<LoopAnalysis>(F));
  splitBases(F, FAM);
  hidePointerDifferences(F, FAM.getResult<LoopAnalysis>(F));
  FunctionPassManager FPM;
  FPM.addPass(InstCombinePass());
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(CloseSwitchesPass());
  FPM.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass()));
  FPM.addPass(UnpackMasksPass());
  FPM.addPass(CountRowsPass());
  FPM.addPass(RowPointersPass(Choice, /*IsEarly=*/true));
  FPM.addPass(HoistLoadsPass(&Choice));
  FPM.addPass(CloseRangesPass());
  FPM.addPass(HoistChecksPass(Choice));
  FPM.addPass(AssumeStridesPass(Choice));
  FPM.addPass(OrderStridesPass(Choice));
  FPM.addPass(WidenIndicesPass(Choice));
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(HoistDivisionsPass());
  FPM.addPass(LCSSAPass());
  FPM.addPass(ExactQuotientsPass());
  FPM.addPass(UnswitchLoopsPass());
  FPM.addPass(UnrollExchangesPass());
  FPM.addPass(CountPointersPass());
  FPM.addPass(OffsetExitsPass());
  FPM.addPass(CountStepsPass());
  FPM.addPass(CloseCountersPass());
  FPM.addPass(UnrollNeighboursPass());
  FPM.addPass(SplitRemaindersPass());
  FPM.addPass(SplitComplexPass());
  FPM.addPass(InstCombinePass());
  FPM.addPass(WidenComplementsPass());
  FPM.addPass(FoldConditionsPass());
  FPM.addPass(JoinBoundsPass());
  FPM.addPass(ForgetCountedExitsPass());
  FPM.addPass(createFunctionToLoopPassAdaptor(IndVarSimplifyPass()));
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(RowPointersPass(Choice));
  FPM.addPass(PackedRowsPass());
  FPM.addPass(EarlierValuesPass());
  FPM.addPass(SignBoundsPass());
  FPM.addPass(BorderStepsPass());
  FPM.addPass(SplitSelectsPass());
  FPM.addPass(NumberTruthsPass());
  FPM.addPass(NarrowSizesPass());
  FPM.addPass(SplitConditionsPass());
  FPM.addPass(ShiftBasesPass());
  FPM.addPass(OpenEndsPass());
  PreservedAnalyses PA = FPM.run(F, FAM);
  FAM.invalidate(F, PA);
}

/// Is \p Size multiplied in addresses of bytes?
static bool isRowOfBytes(const ZExtInst &Size) {
  return any_of(Size.users(), [](const User *U) {
    const auto *Product = dyn_cast<BinaryOperator>(U);
    return Product && Product->getOpcode() == Instruction::Mul &&
           any_of(Product->users(), [](const User *Address) {
             const auto *GEP = dyn_cast<GetElementPtrInst>(Address);
             return GEP && GEP->getSourceElementType()->isIntegerTy(8);
           });
  });
}

/// Is \p I a maximum, max(n, 0), that is computed in front of all loops, or one
/// that is extended?
static bool isMaximum(const Instruction &I, const LoopInfo &LI) {
  const Instruction *From = &I;
  if (isa<ZExtInst, SExtInst>(I))
    From = dyn_cast<Instruction>(I.getOperand(0));
  const auto *Maximum = dyn_cast_or_null<IntrinsicInst>(From);
  return Maximum && Maximum->getIntrinsicID() == Intrinsic::smax &&
         I.getType()->isIntegerTy(64) && !LI.getLoopFor(I.getParent());
}

/// Is \p Size multiplied in a loop, or what it is in bytes?
static bool isRowSize(const Instruction &Size, const LoopInfo &LI) {
  auto IsProduct = [&](const User *U) {
    const auto *Product = cast<Instruction>(U);
    return Product->getOpcode() == Instruction::Mul &&
           LI.getLoopFor(Product->getParent());
  };
  return any_of(Size.users(), [&](const User *U) {
    const auto *Bytes = dyn_cast<BinaryOperator>(U);
    return IsProduct(U) || (Bytes && Bytes->getOpcode() == Instruction::Shl &&
                            isa<ConstantInt>(Bytes->getOperand(1)) &&
                            any_of(Bytes->users(), IsProduct));
  });
}

/// Sizes of rows that are maxima, as each extent of Fortran's is, are numbers
/// of their own: Polly takes no maximum for one, and for that of a diagonal in
/// steps of max(n, 0) + 1 another size.
static void hideMaxima(Function &F, const LoopInfo &LI) {
  SmallVector<Instruction *, 8> Sizes;
  for (Instruction &I : instructions(F))
    if (isMaximum(I, LI) && isRowSize(I, LI))
      Sizes.push_back(&I);
  for (Instruction *I : Sizes)
    hideValue(*I);
}

/// Polly takes for sizes of rows what is multiplied or sign-extended.  Where
/// elements are bytes, nothing multiplies a size that is known not to be
/// negative; and a size that is known to be so behind the guard of one loop
/// only would be two.
static void signRowSizes(Function &F) {
  SmallPtrSet<const Value *, 8> Signed;
  for (Instruction &I : instructions(F))
    if (isa<SExtInst>(I))
      Signed.insert(I.getOperand(0));
  SmallVector<ZExtInst *, 8> Sizes;
  for (Instruction &I : instructions(F))
    if (auto *Size = dyn_cast<ZExtInst>(&I);
        Size && Size->hasNonNeg() &&
        (Signed.contains(Size->getOperand(0)) || isRowOfBytes(*Size)))
      Sizes.push_back(Size);
  for (ZExtInst *Size : Sizes) {
    auto *Extended =
        CastInst::Create(Instruction::SExt, Size->getOperand(0),
                         Size->getType(), Size->getName(), Size->getIterator());
    Extended->setDebugLoc(Size->getDebugLoc());
    Size->replaceAllUsesWith(Extended);
    Size->eraseFromParent();
  }
}

/// The comparison of integers in \p BB, outside of loops, that says whether a
/// loop is entered at all, if other loops come behind it; else null.
static ICmpInst *guardOfLoops(BasicBlock &BB, const LoopInfo &LI,
                              const DominatorTree &DT) {
  auto *Guard = dyn_cast<BranchInst>(BB.getTerminator());
  if (!Guard || !Guard->isConditional() || LI.getLoopFor(&BB))
    return nullptr;
  unsigned Behind = 0;
  bool IsGuard = false;
  for (const Loop *L : LI.getTopLevelLoops()) {
    const BasicBlock *Before = L->getLoopPreheader();
    Behind += DT.dominates(&BB, L->getHeader());
    IsGuard |= Before && Before->getSinglePredecessor() == &BB;
  }
  return IsGuard && Behind > 1 ? dyn_cast<ICmpInst>(Guard->getCondition())
                               : nullptr;
}

/// A condition in front of loops gets a block of its own, without what is read
/// for it: loops that follow each other behind it are one region then, of which
/// nothing is known to change what was read.
static void splitGuards(Function &F, const LoopInfo &LI,
                        const DominatorTree &DT) {
  SmallVector<std::pair<BranchInst *, ICmpInst *>, 8> Guards;
  for (BasicBlock &BB : F)
    if (any_of(BB, [](const Instruction &I) { return I.mayReadFromMemory(); }))
      if (ICmpInst *Condition = guardOfLoops(BB, LI, DT))
        Guards.push_back({cast<BranchInst>(BB.getTerminator()), Condition});
  for (auto [Guard, Condition] : Guards) {
    SplitBlock(Guard->getParent(), Guard);
    // No truth value goes into the region: it is no parameter.
    Instruction *Own = Condition->clone();
    Own->insertBefore(Guard->getIterator());
    Guard->setCondition(Own);
  }
}

/// Can \p V be computed at the end of the entry block?  What has to move there
/// is appended to \p Moved, operands first.
static bool isKnownAtEntry(Value *V, SmallVectorImpl<Instruction *> &Moved) {
  static const unsigned Most = 8;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || I->getParent()->isEntryBlock() || is_contained(Moved, I))
    return true;
  if (Moved.size() == Most || isa<PHINode>(I) || I->mayReadFromMemory() ||
      !isSafeToSpeculativelyExecute(I))
    return false;
  for (Value *Operand : I->operands())
    if (!isKnownAtEntry(Operand, Moved))
      return false;
  Moved.push_back(I);
  return true;
}

/// Operations in loops that no device has, and that are the same in all
/// iterations, like the power of an argument, are done once and in front.
static void hoistHostOperations(Function &F, const LoopInfo &LI) {
  SmallVector<IntrinsicInst *, 4> Found;
  for (Instruction &I : instructions(F))
    if (auto *II = dyn_cast<IntrinsicInst>(&I);
        II && LI.getLoopFor(II->getParent()) &&
        II->getType()->isFloatingPointTy() &&
        classifyCall(*II) == CallKind::Refused)
      Found.push_back(II);
  for (IntrinsicInst *II : Found) {
    SmallVector<Instruction *, 8> Moved;
    if (isKnownAtEntry(II, Moved))
      for (Instruction *I : Moved)
        I->moveBefore(F.getEntryBlock().getTerminator()->getIterator());
  }
}

/// A copy of \p F for nobody but the module.
static Function *cloneInternal(Function &F) {
  ValueToValueMapTy VMap;
  Function *Copy = CloneFunction(&F, VMap);
  Copy->setName(F.getName() + ".polygpu");
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->setVisibility(GlobalValue::DefaultVisibility);
  Copy->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  Copy->setComdat(nullptr);
  return Copy;
}

Function *makeHostCopy(Function &F, function_ref<bool(const Function &)> IsKept,
                       FunctionAnalysisManager &FAM) {
  Function *Copy = cloneInternal(F);
  inlineCalls(*Copy, F, IsKept, InlineLimits::forHost(F), nullptr, FAM);
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass()));
  FPM.addPass(HoistLoadsPass());
  FPM.addPass(LoopSimplifyPass());
  FPM.run(*Copy, FAM);
  FAM.invalidate(*Copy, PreservedAnalyses::none());
  return Copy;
}

Function *makeCopy(Function &F, MathErrno &Errno, const KeptCalls &Kept,
                   InlinedNests &Nests, VersionChoice &Choice,
                   FunctionAnalysisManager &FAM) {
  Function *Copy = cloneInternal(F);
  inlineCalls(
      *Copy, F, [&](const Function &G) { return Kept.count(&G) != 0; },
      InlineLimits::forLoops(), &Nests, FAM);
  describeKept(*Copy, Kept);
  hoistThreadLocalAddresses(*Copy);
  dropHints(*Copy);
  forgetScopesInLoops(*Copy, FAM.getResult<LoopAnalysis>(*Copy));
  const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(*Copy);
  Errno.mark(*Copy, TLI);
  canonicalise(*Copy, Choice, FAM);
  // (float)sqrt(x) of a float x has become a call of sqrtf.
  Errno.mark(*Copy, TLI);
  hideMaxima(*Copy, FAM.getResult<LoopAnalysis>(*Copy));
  signRowSizes(*Copy);
  hoistHostOperations(*Copy, FAM.getResult<LoopAnalysis>(*Copy));
  FAM.invalidate(*Copy, PreservedAnalyses::none());
  // Behind the signs of rows, which are part of how far elements are away.
  FAM.invalidate(*Copy, ShiftPartsPass().run(*Copy, FAM));
  if (mergeGEPs(*Copy, FAM.getResult<ScalarEvolutionAnalysis>(*Copy)))
    FAM.invalidate(*Copy, PreservedAnalyses::none());
  splitGuards(*Copy, FAM.getResult<LoopAnalysis>(*Copy),
              FAM.getResult<DominatorTreeAnalysis>(*Copy));
  FAM.invalidate(*Copy, PreservedAnalyses::none());
  polly::runCodePreparation(*Copy, &FAM.getResult<DominatorTreeAnalysis>(*Copy),
                            &FAM.getResult<LoopAnalysis>(*Copy),
                            &FAM.getResult<RegionInfoAnalysis>(*Copy));
  FAM.invalidate(*Copy, PreservedAnalyses::none());
  Errno.hide(*Copy, FAM.getResult<LoopAnalysis>(*Copy));
  return Copy;
}

void dropCopy(Function *Copy, FunctionAnalysisManager &FAM) {
  FAM.clear(*Copy, Copy->getName());
  Copy->eraseFromParent();
}

} // namespace polygpu
