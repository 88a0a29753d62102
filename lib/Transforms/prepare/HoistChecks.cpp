//===- HoistChecks.cpp - Checks that may end loops ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a check compares is an expression of ScalarEvolution.  Of all its values
// in a nest the smallest and the largest are found by replacing a counter by
// what it is in the first and in the last iteration, innermost loop first, so
// that bounds of triangular loops meet what they come from.  Expressions wrap
// around and the numbers that are compared must not, so that the condition has
// more parts: that such values, steps and numbers of iterations are small.  It
// is about the iterations until the first check fails; there is none if all of
// them pass.
//
//===----------------------------------------------------------------------===//

#include "prepare/HoistChecks.h"
#include "SourceNames.h"
#include "prepare/Versions.h"
#include "target/MathCalls.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// Numbers of versions of this pass; HoistLoads begins at 0.
const unsigned FirstNumber = 1000;
/// Blocks behind a check that are looked at.
const unsigned MaxBlocks = 32;
/// Comparisons of a loop that gets versions, and parts of its condition.
const size_t MaxChecks = 64, MaxParts = 256;
/// Loops inside of each other in one expression.
const unsigned MaxDepth = 6;
/// A loop is repeated less often than that.
const unsigned CountBits = 48;

/// Does the program never go on in an ordinary way behind \p BB?
bool neverReturns(const BasicBlock &BB) {
  SmallSetVector<const BasicBlock *, 8> Seen;
  Seen.insert(&BB);
  for (unsigned I = 0; I < Seen.size(); ++I) {
    if (Seen.size() > MaxBlocks ||
        isa<ReturnInst, IndirectBrInst, CallBrInst>(Seen[I]->getTerminator()))
      return false;
    Seen.insert_range(successors(Seen[I]));
  }
  return true;
}

/// The smallest and the largest value of an expression in all iterations of a
/// nest, as numbers with a sign that are known in front of it.
struct Ends {
  const SCEV *Low, *High;
};

/// Collects what has to be known for all checks of a nest to pass.
class CheckHoister {
public:
  CheckHoister(Loop &L, DominatorTree &DT, ScalarEvolution &SE)
      : L(L), DT(DT), SE(SE), Expander(SE, "checks") {}

  /// Can it be said in front of the loop whether all checks pass?
  bool canForesee();
  /// The condition, i1, computed at \p Before; what canForesee collected.
  Value *expand(Instruction *Before);
  /// Have the loop go on where it was checked.
  void removeChecks();
  /// Where the checks are in the source.
  std::string lines() const;

private:
  Loop &L;
  DominatorTree &DT;
  ScalarEvolution &SE;
  SCEVExpander Expander;
  SmallVector<BranchInst *, 8> Checks;

  /// Parts of the condition: E is from -2^Bits to 2^Bits, is not negative, or
  /// the product of a step and a number of iterations is below 2^Bits.
  SmallSetVector<std::pair<const SCEV *, unsigned>, 16> Small;
  SmallSetVector<const SCEV *, 16> NotNegative;
  SmallSetVector<std::pair<const SCEV *, const SCEV *>, 4> Products;
  SmallSetVector<Value *, 4> Truths;
  /// Values do not overflow, since those that they are the difference of are
  /// small.
  bool AreExact = false;
  DenseMap<std::pair<const SCEV *, unsigned>, std::optional<Ends>> Found;

  bool isCountable(const Loop &In) const;
  bool require(Value *Condition, bool Holds, unsigned Depth = 0);
  bool compare(CmpPredicate P, Value *A, Value *B);
  bool isSmall(const SCEV *E, unsigned Bits);
  bool isNotNegative(const SCEV *E);
  bool isTooMuch() const;
  bool isCounted(const Loop &In, const SCEV *Count, const Ends &Range);
  std::optional<Ends> endsOf(const SCEV *E, unsigned Depth = 0);
  std::optional<Ends> endsOfCounter(const SCEVAddRecExpr *E, unsigned Depth);
  std::optional<Ends> endsOfSum(const SCEVAddExpr *E, unsigned Depth);
  std::optional<Ends> endsOfMultiple(const SCEVMulExpr *E, unsigned Depth);
  std::optional<Ends> endsOfParts(const SCEV *E, unsigned Depth);
  Value *limit(IRBuilder<> &B, Value *V, unsigned Bits);
};

//===-- Parts of the condition --------------------------------------------===//

bool CheckHoister::isTooMuch() const {
  return Small.size() + NotNegative.size() + Products.size() + Truths.size() >
         MaxParts;
}

/// What is known in front of the loop, is small.
bool CheckHoister::isSmall(const SCEV *E, unsigned Bits) {
  if (!SE.isLoopInvariant(E, &L) ||
      !Expander.isSafeToExpandAt(E, L.getLoopPreheader()->getTerminator()))
    return false;
  if (AreExact)
    return true;
  ConstantRange Range = SE.getSignedRange(E);
  APInt Limit = APInt::getOneBitSet(Range.getBitWidth(), Bits);
  if (Range.getSignedMax().sgt(Limit) || Range.getSignedMin().slt(-Limit))
    Small.insert({E, Bits});
  return !isTooMuch();
}

bool CheckHoister::isNotNegative(const SCEV *E) {
  if (!SE.isLoopInvariant(E, &L) ||
      !Expander.isSafeToExpandAt(E, L.getLoopPreheader()->getTerminator()))
    return false;
  if (!SE.isKnownNonNegative(E))
    NotNegative.insert(E);
  return !isTooMuch();
}

//===-- First and last values ---------------------------------------------===//

/// Bits that a number of type \p Ty may have: the difference of two, and the
/// sum of a few, do not overflow.
unsigned bitsOf(const ScalarEvolution &SE, Type *Ty) {
  return SE.getTypeSizeInBits(Ty) - 3;
}

/// Is \p In, each time it is entered, repeated as often as \p Count says as a
/// number with a sign?  A loop that ends where a counter equals a bound may
/// have begun behind that, and the number is negative; so it is where the loop
/// is not entered.
bool CheckHoister::isCounted(const Loop &In, const SCEV *Count,
                             const Ends &Range) {
  for (PHINode &Phi : In.getHeader()->phis()) {
    if (!SE.isSCEVable(Phi.getType()) || !Phi.getType()->isIntegerTy())
      continue;
    const auto *Counter = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
    if (!Counter || Counter->getLoop() != &In || !Counter->isAffine() ||
        Counter->getType() != Count->getType())
      continue;
    const SCEV *Step = Counter->getStepRecurrence(SE);
    if (!Step->isOne() && !Step->isAllOnesValue())
      continue;
    // The first value, and the first one that is not there any more.
    const SCEV *Start = Counter->getStart();
    const SCEV *Times = SE.getAddExpr(Count, SE.getOne(Count->getType()));
    const SCEV *Stop = SE.getAddExpr(Start, SE.getMulExpr(Times, Step));
    bool Up = Step->isOne();
    for (auto P : {ICmpInst::ICMP_SLT, ICmpInst::ICMP_ULT}) {
      if (!SE.isLoopEntryGuardedByCond(&In, P, Up ? Start : Stop,
                                       Up ? Stop : Start))
        continue;
      auto A = endsOf(Start, MaxDepth - 2), B = endsOf(Stop, MaxDepth - 2);
      if (!A || !B)
        continue;
      if (P == ICmpInst::ICMP_SLT ||
          (isNotNegative(A->Low) && isNotNegative(B->Low)))
        return true;
    }
  }
  return isNotNegative(Range.Low);
}

/// Is \p Step below 0 if the numbers are sizes?
bool looksNegative(const SCEV *Step) {
  if (const auto *Sum = dyn_cast<SCEVAddExpr>(Step))
    return looksNegative(Sum->operands().back());
  const auto *Product = dyn_cast<SCEVMulExpr>(Step);
  const auto *Factor =
      dyn_cast<SCEVConstant>(Product ? Product->getOperand(0) : Step);
  return Factor && Factor->getAPInt().isNegative();
}

std::optional<Ends> CheckHoister::endsOfCounter(const SCEVAddRecExpr *E,
                                                unsigned Depth) {
  const Loop *In = E->getLoop();
  const SCEV *Step = E->getStepRecurrence(SE);
  if (!E->isAffine() || !L.contains(In) || !SE.isLoopInvariant(Step, &L) ||
      !In->getLoopLatch() || !In->isLoopExiting(In->getLoopLatch()))
    return std::nullopt;
  const SCEV *Count = SE.getExitCount(In, In->getLoopLatch());
  unsigned Width = SE.getTypeSizeInBits(E->getType());
  if (isa<SCEVCouldNotCompute>(Count) ||
      SE.getTypeSizeInBits(Count->getType()) > Width)
    return std::nullopt;
  // How far the first value and the last are apart is to be exact.
  const auto *Constant = dyn_cast<SCEVConstant>(Step);
  unsigned StepBits = Constant ? Constant->getAPInt().abs().getActiveBits() : 0;
  unsigned Bits = std::min({CountBits, bitsOf(SE, Count->getType()),
                            Width - 3 - std::min(StepBits, Width - 3)});
  auto Range = endsOf(Count, Depth + 1);
  if (!Range || (!AreExact && !isCounted(*In, Count, *Range)) ||
      !isSmall(Range->High, Bits))
    return std::nullopt;
  const SCEV *Times = SE.getNoopOrSignExtend(Count, E->getType());
  auto First = endsOf(E->getStart(), Depth + 1);
  auto Last = endsOf(SE.getAddExpr(E->getStart(), SE.getMulExpr(Step, Times)),
                     Depth + 1);
  if (!First || !Last)
    return std::nullopt;
  bool IsDown = looksNegative(Step);
  const SCEV *Size = IsDown ? SE.getNegativeSCEV(Step) : Step;
  if (!isNotNegative(Size))
    return std::nullopt;
  if (!Constant && !AreExact)
    Products.insert({Size, SE.getNoopOrSignExtend(Range->High, E->getType())});
  return IsDown ? Ends{Last->Low, First->High} : Ends{First->Low, Last->High};
}

std::optional<Ends> CheckHoister::endsOfSum(const SCEVAddExpr *E,
                                            unsigned Depth) {
  static const size_t Most = 4; // so that sums do not overflow
  if (E->getNumOperands() > Most)
    return std::nullopt;
  SmallVector<const SCEV *, 4> Low, High;
  for (const SCEV *Operand : E->operands()) {
    auto Range = endsOf(Operand, Depth + 1);
    unsigned Bits = bitsOf(SE, E->getType()) - 2;
    if (!Range || !isSmall(Range->Low, Bits) || !isSmall(Range->High, Bits))
      return std::nullopt;
    Low.push_back(Range->Low);
    High.push_back(Range->High);
  }
  return Ends{SE.getAddExpr(Low), SE.getAddExpr(High)};
}

std::optional<Ends> CheckHoister::endsOfMultiple(const SCEVMulExpr *E,
                                                 unsigned Depth) {
  const auto *Factor = dyn_cast<SCEVConstant>(E->getOperand(0));
  if (!Factor || E->getNumOperands() != 2)
    return std::nullopt;
  unsigned FactorBits = Factor->getAPInt().abs().getActiveBits();
  unsigned Bits = bitsOf(SE, E->getType());
  auto Range = endsOf(E->getOperand(1), Depth + 1);
  if (!Range || FactorBits >= Bits || !isSmall(Range->Low, Bits - FactorBits) ||
      !isSmall(Range->High, Bits - FactorBits))
    return std::nullopt;
  Ends Scaled = {SE.getMulExpr(Factor, Range->Low),
                 SE.getMulExpr(Factor, Range->High)};
  if (Factor->getAPInt().isNegative())
    std::swap(Scaled.Low, Scaled.High);
  return Scaled;
}

/// The ends of what is no counter, of those of its parts.
std::optional<Ends> CheckHoister::endsOfParts(const SCEV *E, unsigned Depth) {
  // Nothing is known of parts of a difference.
  SaveAndRestore Restore(AreExact, false);
  if (const auto *Sum = dyn_cast<SCEVAddExpr>(E))
    return endsOfSum(Sum, Depth);
  if (const auto *Multiple = dyn_cast<SCEVMulExpr>(E))
    return endsOfMultiple(Multiple, Depth);
  if (!isa<SCEVSignExtendExpr, SCEVZeroExtendExpr>(E))
    return std::nullopt;
  auto Inner = endsOf(cast<SCEVIntegralCastExpr>(E)->getOperand(), Depth + 1);
  if (!Inner || (isa<SCEVZeroExtendExpr>(E) && !isNotNegative(Inner->Low)))
    return std::nullopt;
  return Ends{SE.getSignExtendExpr(Inner->Low, E->getType()),
              SE.getSignExtendExpr(Inner->High, E->getType())};
}

/// The ends of \p E, under what is required besides.
std::optional<Ends> CheckHoister::endsOf(const SCEV *E, unsigned Depth) {
  if (Depth > MaxDepth || !E->getType()->isIntegerTy() ||
      SE.getTypeSizeInBits(E->getType()) > 64 ||
      SE.getTypeSizeInBits(E->getType()) < 16 || isTooMuch())
    return std::nullopt;
  if (auto Known = Found.find({E, AreExact}); Known != Found.end())
    return Known->second;
  std::optional<Ends> Result;
  if (SE.isLoopInvariant(E, &L))
    Result = Ends{E, E};
  else if (const auto *Counter = dyn_cast<SCEVAddRecExpr>(E))
    Result = endsOfCounter(Counter, Depth);
  else
    Result = endsOfParts(E, Depth);
  unsigned Bits = bitsOf(SE, E->getType());
  if (Result && (!isSmall(Result->Low, Bits) || !isSmall(Result->High, Bits)))
    Result = std::nullopt;
  Found[{E, AreExact}] = Result;
  return Result;
}

//===-- Checks ------------------------------------------------------------===//

/// Let \p A and \p B compare so in all iterations.
bool CheckHoister::compare(CmpPredicate P, Value *A, Value *B) {
  if (!A->getType()->isIntegerTy())
    return false;
  if (ICmpInst::isGT(P) || ICmpInst::isGE(P)) {
    std::swap(A, B);
    P = ICmpInst::getSwappedPredicate(P);
  }
  const SCEV *Left = SE.getSCEV(A), *Right = SE.getSCEV(B);
  auto LeftEnds = endsOf(Left), RightEnds = endsOf(Right);
  AreExact = true;
  auto Apart = endsOf(SE.getMinusSCEV(Right, Left));
  AreExact = false;
  if (!LeftEnds || !RightEnds || !Apart)
    return false;
  auto AtLeast = [&](const SCEV *E, int64_t Least) {
    return isNotNegative(
        SE.getAddExpr(E, SE.getConstant(E->getType(), -Least, true)));
  };
  if (ICmpInst::isUnsigned(P) && !isNotNegative(LeftEnds->Low))
    return false;
  if (P == ICmpInst::ICMP_EQ)
    return AtLeast(Apart->Low, 0) &&
           isNotNegative(SE.getNegativeSCEV(Apart->High));
  return AtLeast(Apart->Low, ICmpInst::isLE(P) ? 0 : 1);
}

/// Let \p Condition hold in all iterations, or its contrary.
bool CheckHoister::require(Value *Condition, bool Holds, unsigned Depth) {
  static const unsigned Most = 4;
  Value *A = nullptr, *B = nullptr;
  // LLVM freezes what it has taken out of a loop inside of this one.  A value
  // that was poison may be the one that passes.
  if (auto *Frozen = dyn_cast<FreezeInst>(Condition);
      Frozen && L.contains(Frozen))
    return require(Frozen->getOperand(0), Holds, Depth);
  if (match(Condition, m_Not(m_Value(A))))
    return require(A, !Holds, Depth);
  if (Depth < Most &&
      (Holds ? match(Condition, m_LogicalAnd(m_Value(A), m_Value(B)))
             : match(Condition, m_LogicalOr(m_Value(A), m_Value(B)))))
    return require(A, Holds, Depth + 1) && require(B, Holds, Depth + 1);
  if (auto *Comparison = dyn_cast<ICmpInst>(Condition))
    return compare(Holds ? Comparison->getCmpPredicate()
                         : Comparison->getInverseCmpPredicate(),
                   Comparison->getOperand(0), Comparison->getOperand(1));
  if (!Holds || !DT.dominates(Condition, L.getLoopPreheader()->getTerminator()))
    return false;
  Truths.insert(Condition);
  return true;
}

/// Are these loops that end by counting, with nothing in them that no device
/// does?
bool CheckHoister::isCountable(const Loop &In) const {
  BasicBlock *Latch = In.getLoopLatch();
  SmallVector<BasicBlock *, 8> Exiting;
  In.getExitingBlocks(Exiting);
  return Latch && In.isLoopExiting(Latch) &&
         !isa<SCEVCouldNotCompute>(SE.getExitCount(&In, Latch)) &&
         all_of(Exiting,
                [&](BasicBlock *BB) {
                  return BB == Latch ||
                         is_contained(
                             Checks, dyn_cast<BranchInst>(BB->getTerminator()));
                }) &&
         all_of(In.getSubLoops(),
                [&](const Loop *Sub) { return isCountable(*Sub); });
}

bool hasCalls(const Loop &L) {
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (const auto *Call = dyn_cast<CallBase>(&I);
          Call && Call->mayHaveSideEffects() &&
          !Call->hasFnAttr(polygpu::MathAttribute) &&
          !Call->isLifetimeStartOrEnd())
        return true;
  return false;
}

bool CheckHoister::canForesee() {
  Checks = polygpu::checksIn(L);
  if (Checks.empty() || Checks.size() > MaxChecks || !L.isLoopSimplifyForm() ||
      !L.isSafeToClone() || hasCalls(L) || !isCountable(L))
    return false;
  return all_of(Checks, [&](BranchInst *Check) {
    return require(Check->getCondition(), L.contains(Check->getSuccessor(0)));
  });
}

std::string CheckHoister::lines() const {
  static const unsigned Most = 3;
  SmallVector<std::string, 8> Lines;
  // Checks that LLVM has taken out of a loop have no line.
  bool HasPlace = any_of(Checks, [](const BranchInst *Check) {
    return bool(polygpu::placeOfCheck(*Check));
  });
  for (const BranchInst *Check : Checks) {
    const DebugLoc Place = polygpu::placeOfCheck(*Check);
    std::string Line = polygpu::describeLine(Place, *Check->getFunction());
    if ((Place || !HasPlace) && !is_contained(Lines, Line))
      Lines.push_back(Line);
  }
  std::string Text;
  for (const std::string &Line : ArrayRef(Lines).take_front(Most))
    Text += (Text.empty() ? "" : ", ") + Line;
  return Text + (Lines.size() > Most ? ", ..." : "");
}

//===-- The first version -------------------------------------------------===//

/// i1: \p V, of two bits more, is from -2^Bits to 2^Bits.
Value *CheckHoister::limit(IRBuilder<> &B, Value *V, unsigned Bits) {
  Value *Half = ConstantInt::get(
      V->getType(),
      APInt::getOneBitSet(V->getType()->getIntegerBitWidth(), Bits));
  return B.CreateICmpULE(B.CreateAdd(V, Half), B.CreateAdd(Half, Half));
}

Value *CheckHoister::expand(Instruction *Before) {
  auto At = [&](const SCEV *E) {
    return Expander.expandCodeFor(E, E->getType(), Before);
  };
  SmallVector<std::pair<Value *, unsigned>, 16> Limited;
  for (auto [E, Bits] : Small)
    Limited.push_back({At(E), Bits});
  SmallVector<Value *, 16> Positive;
  for (const SCEV *E : NotNegative)
    Positive.push_back(At(E));
  SmallVector<std::pair<Value *, Value *>, 4> Factors;
  for (auto [Step, Count] : Products)
    Factors.push_back({At(Step), At(Count)});
  // What is computed for other iterations may wrap around.
  for (Instruction *I : Expander.getAllInsertedInstructions())
    I->dropPoisonGeneratingFlags();
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(DebugLoc());
  Value *Holds = B.getTrue();
  for (Value *V : Truths)
    Holds = B.CreateAnd(Holds, V);
  for (auto [V, Bits] : Limited)
    Holds = B.CreateAnd(Holds, limit(B, V, Bits));
  for (Value *V : Positive)
    Holds = B.CreateAnd(Holds,
                        B.CreateICmpSGE(V, ConstantInt::get(V->getType(), 0)));
  for (auto [Step, Count] : Factors) {
    unsigned Width = Step->getType()->getIntegerBitWidth();
    Type *Wide = B.getIntNTy(2 * Width);
    Value *Product =
        B.CreateMul(B.CreateSExt(Step, Wide), B.CreateSExt(Count, Wide));
    Holds = B.CreateAnd(Holds, limit(B, Product, Width - 3));
  }
  return B.CreateFreeze(Holds);
}

void CheckHoister::removeChecks() {
  for (BranchInst *Check : Checks) {
    unsigned Inside = L.contains(Check->getSuccessor(0)) ? 0 : 1;
    BasicBlock *Next = Check->getSuccessor(Inside);
    Check->getSuccessor(1 - Inside)->removePredecessor(Check->getParent());
    Value *Condition = Check->getCondition();
    BranchInst::Create(Next, Check->getIterator());
    Check->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(Condition);
  }
}

} // namespace

namespace polygpu {

/// The block in which \p L ends in an ordinary way, if behind all that leave it
/// the function never returns: its end may be a call of exit.
static const BasicBlock *endOfLast(const Loop &L,
                                   ArrayRef<BasicBlock *> Exiting) {
  SmallVector<BasicBlock *, 8> Exits;
  L.getExitBlocks(Exits);
  if (!all_of(Exits, [](const BasicBlock *BB) { return neverReturns(*BB); }))
    return nullptr;
  const BasicBlock *Latch = L.getLoopLatch();
  return Latch && L.isLoopExiting(Latch) ? Latch
         : Exiting.size() == 1           ? Exiting.front()
                                         : L.getHeader();
}

SmallVector<BranchInst *, 8> checksIn(const Loop &L) {
  SmallVector<BranchInst *, 8> Checks;
  SmallVector<BasicBlock *, 8> Exiting;
  L.getExitingBlocks(Exiting);
  const BasicBlock *End = endOfLast(L, Exiting);
  for (BasicBlock *BB : Exiting) {
    auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
    for (const BasicBlock *Next : successors(BB))
      if (Branch && Branch->isConditional() && BB != End && !L.contains(Next) &&
          neverReturns(*Next))
        Checks.push_back(Branch);
  }
  return Checks;
}

DebugLoc placeOfCheck(const BranchInst &Check) {
  if (Check.getDebugLoc())
    return Check.getDebugLoc();
  if (const auto *Condition = dyn_cast<Instruction>(Check.getCondition());
      Condition && Condition->getDebugLoc())
    return Condition->getDebugLoc();
  for (const BasicBlock *Next : Check.successors())
    for (const Instruction &I : *Next)
      if (isa<CallBase>(I) && I.getDebugLoc() && neverReturns(*Next))
        return I.getDebugLoc();
  return DebugLoc();
}

PreservedAnalyses HoistChecksPass::run(Function &F,
                                       FunctionAnalysisManager &FAM) {
  auto Ends = [](const BasicBlock &BB) {
    return isa<UnreachableInst, ResumeInst>(BB.getTerminator());
  };
  if (none_of(F, Ends))
    return PreservedAnalyses::all();
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  bool Changed = false;
  SmallVector<const Loop *, 4> Done;
  for (auto [Number, L] : enumerate(LI.getLoopsInPreorder())) {
    if (Choice.NotHere.contains(FirstNumber + Number) ||
        any_of(Done,
               [L = L](const Loop *Outer) { return Outer->contains(L); }) ||
        checksIn(*L).empty())
      continue;
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    if (!L->isRecursivelyLCSSAForm(DT, LI))
      Changed |= formLCSSARecursively(*L, DT, &LI, &SE);
    CheckHoister Hoister(*L, DT, SE);
    if (!Hoister.canForesee())
      continue;
    makeVersions(*L, FirstNumber + Number, LI, DT);
    Value *Holds = Hoister.expand(L->getLoopPreheader()->getTerminator());
    std::string Lines = Hoister.lines();
    Hoister.removeChecks();
    describeVersion(
        *L, FirstNumber + Number, {},
        AssumedTruth{Holds, "no check in " + Lines + " fails",
                     "a check fails in some iteration (" + Lines + ")"});
    DT.recalculate(F);
    SE.forgetAllLoops();
    Done.push_back(L);
    Changed = true;
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace polygpu
