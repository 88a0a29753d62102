//===- OrderStrides.cpp - Strides that are variables of their own ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows have a length that the addresses show if each stride is a product of the
// next one: an outer stride becomes its quotient by the inner one, which is
// hidden, times that.  Both are what they were where the assumption holds, so
// that nothing else has to be known of them.
//
//===----------------------------------------------------------------------===//

#include "prepare/OrderStrides.h"
#include "adaptor/HiddenValues.h"
#include "prepare/HoistLoads.h"
#include "prepare/Versions.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace {

/// Numbers of versions of this pass.
const unsigned FirstNumber = 4000;
/// Strides of one access, and values that are computed from a stride in front
/// of the loops.
const size_t MaxStrides = 4;
const unsigned MaxSteps = 8;

/// A stride of an access, with the depth of the loop whose counter it is
/// multiplied by.
struct Term {
  Value *Stride;
  unsigned Depth;
};

/// What an access goes through an array with.
struct Steps {
  SmallVector<Term, 4> Terms;
  bool HasDense = false; ///< a loop goes from element to element

  const Term *find(const Value *V) const {
    const auto *It =
        find_if(Terms, [&](const Term &T) { return T.Stride == V; });
    return It == Terms.end() ? nullptr : It;
  }
};

/// Where a stride comes from: an argument, or a field of a structure.  Those of
/// one group follow each other in the order in which they were declared.
struct Origin {
  const Value *Group = nullptr;
  int64_t At = 0;
};

/// What \p V is but for its type, a hidden value (HiddenValues.h), a field of a
/// register, or a number of elements instead of bytes (AssumeStrides).
const Value *source(const Value *V) {
  while (const auto *I = dyn_cast<Instruction>(V)) {
    const auto *Call = dyn_cast<CallInst>(I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    bool IsShift = I->isShift() && I->getOpcode() != Instruction::Shl &&
                   isa<Constant>(I->getOperand(1));
    if (!isa<CastInst, FreezeInst>(I) && !IsShift &&
        !(Callee && polygpu::isHidingName(Callee->getName())))
      break;
    V = I->getOperand(0);
  }
  return V;
}

Origin originOf(const Value *V, const DataLayout &DL) {
  V = source(V);
  if (const auto *A = dyn_cast<Argument>(V))
    return {A->getParent(), A->getArgNo()};
  const auto *Load = dyn_cast<LoadInst>(V);
  if (!Load)
    return {};
  APInt At(64, 0);
  const Value *From =
      Load->getPointerOperand()->stripAndAccumulateConstantOffsets(DL, At,
                                                                   true);
  return {From, At.getSExtValue()};
}

class StrideOrderer {
public:
  StrideOrderer(Loop &L, ScalarEvolution &SE) : L(L), SE(SE) {}

  /// Are there strides that something may be assumed of?
  bool collect();
  /// Is all that is assumed something about values that are there at \p I?
  bool isKnownAt(const Instruction &I, const DominatorTree &DT) const;
  /// Whether the strides are what is assumed, i1, computed at \p Before.
  Value *expand(Instruction *Before) const;
  /// Let the loop be one in which that is so.
  void rewrite(Instruction *Before) const;
  std::string describe(bool Holds) const;

private:
  Loop &L;
  ScalarEvolution &SE;
  SmallVector<Steps, 16> Accesses;
  /// How much more often the stride that was declared first is the outer one.
  int FirstIsOuter = 0;
  SmallSetVector<Value *, 8> Units;         ///< strides of 1
  SmallMapVector<Value *, Value *, 8> Rows; ///< outer ones, multiples of inner

  bool addStep(const SCEV *Step, unsigned Depth, uint64_t Size, Steps &Found);
  void addAccess(Instruction &I);
  int declaredFirst(const Value *A, const Value *B) const;
  bool isOuter(const Term &A, const Term &B) const;
  void assume(Steps S);
  void replaceInLoop(Value *Old, Value *New, Instruction *Before,
                     unsigned Step = 0) const;
};

/// Is \p V a quotient, which other passes look through (ExactQuotients), or
/// another number that is no stride of its own?
bool isComputed(const Value *V) { return isa<BinaryOperator>(source(V)); }

/// Do counters of \p L change by a variable?
bool hasVariableStep(const Loop &L, ScalarEvolution &SE) {
  return any_of(L.getHeader()->phis(), [&](PHINode &Phi) {
    const auto *AR = Phi.getType()->isIntegerTy()
                         ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi))
                         : nullptr;
    return AR && !isa<SCEVConstant>(AR->getStepRecurrence(SE));
  });
}

/// A sum of numbers, and of numbers times strides.
bool StrideOrderer::addStep(const SCEV *Step, unsigned Depth, uint64_t Size,
                            Steps &Found) {
  if (const auto *Sum = dyn_cast<SCEVAddExpr>(Step))
    return all_of(Sum->operands(), [&](const SCEV *Part) {
      return addStep(Part, Depth, Size, Found);
    });
  APInt Factor(64, 1);
  if (const auto *Product = dyn_cast<SCEVMulExpr>(Step)) {
    const auto *C = dyn_cast<SCEVConstant>(Product->getOperand(0));
    if (!C || Product->getNumOperands() != 2)
      return false;
    Factor = C->getAPInt();
    Step = Product->getOperand(1);
  }
  if (const auto *C = dyn_cast<SCEVConstant>(Step)) {
    Found.HasDense |= C->getAPInt().abs() == Size;
    return true;
  }
  if (const auto *Extended = dyn_cast<SCEVIntegralCastExpr>(Step))
    Step = Extended->getOperand();
  const auto *Unknown = dyn_cast<SCEVUnknown>(Step);
  if (!Unknown || Factor.urem(Size) != 0 ||
      !Unknown->getType()->isIntegerTy() || !SE.isLoopInvariant(Unknown, &L) ||
      isComputed(Unknown->getValue()))
    return false;
  if (!Found.find(Unknown->getValue()))
    Found.Terms.push_back({Unknown->getValue(), Depth});
  return true;
}

void StrideOrderer::addAccess(Instruction &I) {
  const TypeSize Stored =
      I.getDataLayout().getTypeStoreSize(getLoadStoreType(&I));
  if (Stored.isScalable() || !Stored.getFixedValue())
    return;
  const SCEV *Address = SE.getSCEV(getLoadStorePointerOperand(&I));
  Steps Found;
  while (const auto *AR = dyn_cast<SCEVAddRecExpr>(Address)) {
    if (!L.contains(AR->getLoop()))
      break;
    if (!AR->isAffine() || hasVariableStep(*AR->getLoop(), SE) ||
        !addStep(AR->getStepRecurrence(SE), AR->getLoop()->getLoopDepth(),
                 Stored.getFixedValue(), Found))
      return;
    Address = AR->getStart();
  }
  if (Found.Terms.size() >= 2 && Found.Terms.size() <= MaxStrides &&
      SE.isLoopInvariant(Address, &L))
    Accesses.push_back(Found);
}

/// 1 if \p A was declared before \p B, -1 if behind, 0 if they do not belong
/// together.
int StrideOrderer::declaredFirst(const Value *A, const Value *B) const {
  const DataLayout &DL = L.getHeader()->getDataLayout();
  const Origin OfA = originOf(A, DL), OfB = originOf(B, DL);
  if (!OfA.Group || OfA.Group != OfB.Group)
    return 0;
  return OfA.At < OfB.At ? 1 : -1;
}

/// Is \p A the outer one?  The strides of a product's second factor are in
/// loops the other way round, and so those that were declared together have
/// the order that most of them have in the loops.
bool StrideOrderer::isOuter(const Term &A, const Term &B) const {
  if (int First = declaredFirst(A.Stride, B.Stride))
    return (First > 0) == (FirstIsOuter >= 0);
  return A.Depth < B.Depth;
}

/// From the outermost stride on each has to be a multiple of the next one, and
/// the last one 1, unless a loop goes along that.
void StrideOrderer::assume(Steps S) {
  for (const Term &A : S.Terms)
    for (const Term &B : S.Terms)
      if (&A != &B && isOuter(A, B) == isOuter(B, A))
        return;
  sort(S.Terms, [&](const Term &A, const Term &B) { return isOuter(A, B); });
  // Another access may want it otherwise.
  for (size_t N = 0; N < S.Terms.size(); ++N) {
    Value *V = S.Terms[N].Stride;
    const bool IsLast = N + 1 == S.Terms.size();
    Value *Inner = IsLast ? nullptr : S.Terms[N + 1].Stride;
    if (Value *Known = Rows.lookup(V); Known && Known != Inner)
      return;
    if (Units.contains(V) && !(IsLast && !S.HasDense))
      return;
    // No circle.
    for (Value *Next = Inner; Next; Next = Rows.lookup(Next))
      if (Next == V)
        return;
  }
  for (size_t N = 0; N + 1 < S.Terms.size(); ++N)
    Rows.insert({S.Terms[N].Stride, S.Terms[N + 1].Stride});
  if (!S.HasDense)
    Units.insert(S.Terms.back().Stride);
}

bool StrideOrderer::collect() {
  if (!L.getLoopPreheader())
    return false;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (isa<LoadInst, StoreInst>(I))
        addAccess(I);
  for (const Steps &S : Accesses)
    for (const Term &A : S.Terms)
      for (const Term &B : S.Terms)
        if (A.Depth < B.Depth)
          FirstIsOuter += declaredFirst(A.Stride, B.Stride);
  for (const Steps &S : Accesses)
    assume(S);
  // Rows of rows of 1 are no rows.
  Rows.remove_if([&](const auto &Row) { return Units.contains(Row.second); });
  return !Units.empty() || !Rows.empty();
}

bool StrideOrderer::isKnownAt(const Instruction &I,
                              const DominatorTree &DT) const {
  auto IsKnown = [&](const Value *V) { return DT.dominates(V, &I); };
  return all_of(Units, IsKnown) && all_of(Rows, [&](const auto &Row) {
           return IsKnown(Row.first) && IsKnown(Row.second);
         });
}

/// \p V in 64 bits; strides of fewer are signed numbers.
Value *extended(IRBuilderBase &B, Value *V) {
  return B.CreateSExtOrTrunc(V, B.getInt64Ty());
}

/// Is \p V positive, and what may be divided by: V or 1.
std::pair<Value *, Value *> divisor(IRBuilderBase &B, Value *V) {
  V = B.CreateFreeze(V);
  Value *IsPositive = B.CreateICmpSGT(V, ConstantInt::get(V->getType(), 0));
  return {IsPositive,
          B.CreateSelect(IsPositive, V, ConstantInt::get(V->getType(), 1))};
}

Value *StrideOrderer::expand(Instruction *Before) const {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(DebugLoc());
  Value *Holds = B.getTrue(), *One = B.getInt64(1);
  for (Value *V : Units)
    Holds = B.CreateAnd(Holds, B.CreateICmpEQ(extended(B, V), One));
  for (auto [Outer, Inner] : Rows) {
    auto [IsPositive, Divisor] = divisor(B, extended(B, Inner));
    Value *Rest = B.CreateSRem(B.CreateFreeze(extended(B, Outer)), Divisor);
    Holds = B.CreateAnd(Holds, IsPositive);
    Holds = B.CreateAnd(Holds, B.CreateICmpEQ(Rest, B.getInt64(0)));
  }
  return B.CreateFreeze(Holds);
}

/// Let the loop use \p New for \p Old, also in what was computed from it in
/// front of the loops.  If it is wider, that is for what extends the other.
void StrideOrderer::replaceInLoop(Value *Old, Value *New, Instruction *Before,
                                  unsigned Step) const {
  SmallVector<Instruction *, 8> Derived;
  if (New->getType() != Old->getType()) {
    for (User *U : make_early_inc_range(Old->users()))
      if (auto *I = dyn_cast<SExtInst>(U); I && I->getType() == New->getType())
        replaceInLoop(I, New, Before, Step + 1);
    return;
  }
  for (User *U : Old->users())
    if (auto *I = dyn_cast<Instruction>(U);
        I && I != New && !L.contains(I) && isa<CastInst, BinaryOperator>(I) &&
        (isa<CastInst>(I) || isa<Constant>(I->getOperand(1))) &&
        any_of(I->users(),
               [&](const User *V) { return L.contains(cast<Instruction>(V)); }))
      Derived.push_back(I);
  for (Instruction *I : Derived) {
    if (Step == MaxSteps)
      break;
    Instruction *Copy = I->clone();
    Copy->insertBefore(Before->getIterator());
    Copy->replaceUsesOfWith(Old, New);
    replaceInLoop(I, Copy, Before, Step + 1);
  }
  Old->replaceUsesWithIf(New, [&](const Use &U) {
    const auto *I = dyn_cast<Instruction>(U.getUser());
    return I && L.contains(I);
  });
}

void StrideOrderer::rewrite(Instruction *Before) const {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(DebugLoc());
  SmallMapVector<Value *, Value *, 8> New;
  for (Value *V : Units)
    New[V] = ConstantInt::get(V->getType(), 1);
  // Inner ones first.
  function_ref<Value *(Value *)> Self;
  auto Make = [&](Value *V) -> Value * {
    if (Value *Known = New.lookup(V))
      return Known;
    auto Row = Rows.find(V);
    if (Row == Rows.end())
      return V;
    Value *Inner = Row->second;
    // Computed before it is known whether the assumption holds: no poison, on
    // which conditions might depend.
    Value *Size = divisor(B, extended(B, Inner)).second;
    auto *Quotient = BinaryOperator::CreateSDiv(
        B.CreateFreeze(extended(B, V)), Size, "rows", Before->getIterator());
    polygpu::hideValue(*Quotient);
    Value *Hidden = Quotient->getNextNode();
    return New[V] = B.CreateMul(Hidden, extended(B, Self(Inner)));
  };
  Self = Make;
  for (const auto &Row : Rows)
    Make(Row.first);
  for (auto [Old, Now] : New)
    replaceInLoop(Old, Now, Before);
}

std::string StrideOrderer::describe(bool Holds) const {
  std::string Text;
  if (!Units.empty())
    Text = Holds ? "elements of rows are next to each other"
                 : "elements of rows are not next to each other";
  if (!Rows.empty())
    Text += std::string(Text.empty() ? ""
                        : Holds      ? " and "
                                     : ", or ") +
            (Holds ? "strides are multiples of each other"
                   : "a stride is no multiple of another one");
  return Text;
}

} // namespace

namespace polygpu {

PreservedAnalyses OrderStridesPass::run(Function &F,
                                        FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  SmallVector<const Loop *, 4> Done;
  for (auto [Number, L] : enumerate(LI.getLoopsInPreorder())) {
    if (Choice.NotHere.contains(FirstNumber + Number) ||
        any_of(Done, [L = L](const Loop *Outer) { return Outer->contains(L); }))
      continue;
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    StrideOrderer Orderer(*L, SE);
    CallInst *Begin = versionBegin(*L, DT);
    if (Begin ? !Orderer.collect() || !Orderer.isKnownAt(*Begin, DT)
              : !canHaveVersions(*L, DT) || !Orderer.collect())
      continue;
    assumeInVersion(
        *L, FirstNumber + Number, Begin,
        [&](Instruction *Where) {
          return AssumedTruth{Orderer.expand(Where), Orderer.describe(true),
                              Orderer.describe(false)};
        },
        LI, DT, SE);
    Orderer.rewrite(L->getLoopPreheader()->getTerminator());
    SE.forgetAllLoops();
    Done.push_back(L);
  }
  if (!Done.empty())
    return PreservedAnalyses::none();
  // What scalar evolution does not know of loops yet, passes behind this one
  // make known.
  PreservedAnalyses PA = PreservedAnalyses::all();
  PA.abandon<ScalarEvolutionAnalysis>();
  return PA;
}

} // namespace polygpu
