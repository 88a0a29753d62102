//===- SignBounds.cpp - Clamped subscripts as signed minima ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/SignBounds.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// Makes unsigned minima and maxima of values that are not negative signed.
class SignRewriter : public SCEVRewriteVisitor<SignRewriter> {
public:
  explicit SignRewriter(ScalarEvolution &SE) : SCEVRewriteVisitor(SE) {}

  const SCEV *visitUMinExpr(const SCEVUMinExpr *E) {
    return visitUnsigned(E, [&](SmallVectorImpl<const SCEV *> &Operands) {
      return SE.getSMinExpr(Operands);
    });
  }
  const SCEV *visitUMaxExpr(const SCEVUMaxExpr *E) {
    return visitUnsigned(E, [&](SmallVectorImpl<const SCEV *> &Operands) {
      return SE.getSMaxExpr(Operands);
    });
  }

private:
  template <typename Make>
  const SCEV *visitUnsigned(const SCEVNAryExpr *E, Make MakeSigned) {
    SmallVector<const SCEV *, 2> Operands;
    for (const SCEV *Operand : E->operands()) {
      if (!SE.isKnownNonNegative(Operand))
        return E;
      Operands.push_back(visit(Operand));
    }
    return MakeSigned(Operands);
  }
};

bool hasUnsigned(const SCEV *E) {
  return SCEVExprContains(E, [](const SCEV *Part) {
    return isa<SCEVUMinExpr, SCEVUMaxExpr, SCEVSequentialUMinExpr>(Part);
  });
}

/// \p A - \p B if that is a small constant in 64 bits.
std::optional<int64_t> distance(const SCEV *A, const SCEV *B,
                                ScalarEvolution &SE) {
  Type *I64 = Type::getInt64Ty(SE.getContext());
  if (SE.getTypeSizeInBits(A->getType()) > 64 ||
      SE.getTypeSizeInBits(B->getType()) > 64)
    return std::nullopt;
  const auto *D = dyn_cast<SCEVConstant>(SE.getMinusSCEV(
      SE.getNoopOrSignExtend(A, I64), SE.getNoopOrSignExtend(B, I64)));
  return D ? D->getAPInt().trySExtValue() : std::nullopt;
}

/// "a < b ? x : y", as numbers of 64 bits.
struct Choice {
  const SCEV *A, *B, *X, *Y;
};

/// \p V in 64 bits, of what it is cut off from where that is the same number;
/// null if sums of four such numbers might overflow.
const SCEV *wide(Value *V, ScalarEvolution &SE) {
  Type *I64 = Type::getInt64Ty(SE.getContext());
  if (auto *Cut = dyn_cast<TruncInst>(V);
      Cut && Cut->hasNoSignedWrap() && Cut->getOperand(0)->getType() == I64)
    V = Cut->getOperand(0);
  if (SE.getTypeSizeInBits(V->getType()) > 64)
    return nullptr;
  const SCEV *E = SE.getNoopOrSignExtend(SE.getSCEV(V), I64);
  return SE.getSignedRange(E).getMinSignedBits() <= 60 ? E : nullptr;
}

std::optional<Choice> choiceOf(SelectInst &Select, ScalarEvolution &SE) {
  auto *Compare = dyn_cast<ICmpInst>(Select.getCondition());
  if (!Compare || !Compare->isSigned() || !Select.getType()->isIntegerTy() ||
      !Compare->getOperand(0)->getType()->isIntegerTy())
    return std::nullopt;
  Choice C = {wide(Compare->getOperand(0), SE),
              wide(Compare->getOperand(1), SE), wide(Select.getTrueValue(), SE),
              wide(Select.getFalseValue(), SE)};
  if (!C.A || !C.B || !C.X || !C.Y)
    return std::nullopt;
  CmpInst::Predicate Is = Compare->getPredicate();
  if (Is == CmpInst::ICMP_SGT || Is == CmpInst::ICMP_SLE)
    std::swap(C.A, C.B);
  if (CmpInst::isNonStrictPredicate(Is))
    std::swap(C.X, C.Y);
  return C;
}

/// What \p Select chooses, in 64 bits, if it is the smaller or the larger one:
/// "i > n ? i - n : 0" is the larger one of i - n and 0, also where n is a
/// variable and i was made wider than the choice.
///
/// "a < b ? x : y" is the smaller one if, with x = a + d and y = b + e, d - e
/// is 0 or 1 (see asMinimum).  It is the larger one if, with x = b + d and
/// y = a + e, d - e is 0 or -1: where a is smaller, x is at least y, else at
/// most.
const SCEV *asWideBound(SelectInst &Select, ScalarEvolution &SE) {
  auto C = choiceOf(Select, SE);
  if (!C)
    return nullptr;
  for (bool IsLarger : {false, true}) {
    const SCEV *D = SE.getMinusSCEV(C->X, IsLarger ? C->B : C->A);
    const SCEV *E = SE.getMinusSCEV(C->Y, IsLarger ? C->A : C->B);
    auto Of = [&](const SCEV *P, const SCEV *Q) {
      return IsLarger ? SE.getSMaxExpr(P, Q) : SE.getSMinExpr(P, Q);
    };
    // Of 0 and something else Polly takes a maximum for the size of a row.
    if (D == E)
      return SE.getAddExpr(Of(C->A, C->B), D);
    const auto *Apart = dyn_cast<SCEVConstant>(SE.getMinusSCEV(D, E));
    if (Apart &&
        (IsLarger ? Apart->getAPInt().isAllOnes() : Apart->getAPInt().isOne()))
      return Of(C->X, C->Y);
  }
  return nullptr;
}

/// A number of 64 bits of which \p V is what is left after it was cut off, with
/// minima and maxima in 64 bits; null if there is none.
const SCEV *uncut(Value *V, ScalarEvolution &SE, unsigned Depth = 0) {
  Value *A, *B;
  if (Depth < 4 && match(V, m_Add(m_Value(A), m_Value(B)))) {
    const SCEV *X = uncut(A, SE, Depth + 1), *Y = uncut(B, SE, Depth + 1);
    return X && Y ? SE.getAddExpr(X, Y) : nullptr;
  }
  if (Depth < 4 && match(V, m_Sub(m_Value(A), m_Value(B)))) {
    const SCEV *X = uncut(A, SE, Depth + 1), *Y = uncut(B, SE, Depth + 1);
    return X && Y ? SE.getMinusSCEV(X, Y) : nullptr;
  }
  auto *Call = dyn_cast<IntrinsicInst>(V);
  if (Call && is_contained({Intrinsic::smax, Intrinsic::smin},
                           Call->getIntrinsicID())) {
    const SCEV *X = wide(Call->getArgOperand(0), SE);
    const SCEV *Y = wide(Call->getArgOperand(1), SE);
    if (!X || !Y)
      return nullptr;
    return Call->getIntrinsicID() == Intrinsic::smax ? SE.getSMaxExpr(X, Y)
                                                     : SE.getSMinExpr(X, Y);
  }
  return wide(V, SE);
}

/// "a < b ? x : y" is the smaller of x and y if, with x = a + d and y = b + e,
/// d - e is 0 or 1: where a is smaller, x is at most y, else at least.
const SCEV *asMinimum(SelectInst &Select, ScalarEvolution &SE) {
  const auto *Compare = dyn_cast<ICmpInst>(Select.getCondition());
  if (!Compare || !Select.getType()->isIntegerTy() ||
      !SE.isSCEVable(Compare->getOperand(0)->getType()) ||
      !Compare->getOperand(0)->getType()->isIntegerTy())
    return nullptr;
  const SCEV *A = SE.getSCEV(Compare->getOperand(0));
  const SCEV *B = SE.getSCEV(Compare->getOperand(1));
  const SCEV *X = SE.getSCEV(Select.getTrueValue());
  const SCEV *Y = SE.getSCEV(Select.getFalseValue());
  CmpInst::Predicate Is = Compare->getPredicate();
  if (ICmpInst::isUnsigned(Is)) {
    if (!SE.isKnownNonNegative(A) || !SE.isKnownNonNegative(B))
      return nullptr;
    Is = ICmpInst::getSignedPredicate(Is);
  }
  // Of "a >= b ? x : y" the others, of "a > b ? x : y" the larger one.
  if (Is == ICmpInst::ICMP_SGE || Is == ICmpInst::ICMP_SLE) {
    Is = ICmpInst::getInversePredicate(Is);
    std::swap(X, Y);
  }
  bool IsLess = Is == ICmpInst::ICMP_SLT;
  if (!IsLess && Is != ICmpInst::ICMP_SGT)
    return nullptr;
  auto First = distance(X, A, SE), Second = distance(Y, B, SE);
  if (!First || !Second)
    return nullptr;
  int64_t Apart = IsLess ? *First - *Second : *Second - *First;
  if (Apart != 0 && Apart != 1)
    return nullptr;
  return IsLess ? SE.getSMinExpr(X, Y) : SE.getSMaxExpr(X, Y);
}

/// What \p I is in signed terms, or null.
const SCEV *signedValue(Instruction &I, ScalarEvolution &SE) {
  const SCEV *E = nullptr;
  if (auto *Select = dyn_cast<SelectInst>(&I))
    E = asMinimum(*Select, SE);
  if (const auto *Call = dyn_cast<IntrinsicInst>(&I);
      Call && I.getType()->isIntegerTy() &&
      is_contained({Intrinsic::umin, Intrinsic::umax, Intrinsic::usub_sat},
                   Call->getIntrinsicID()))
    E = SE.getSCEV(&I);
  if (!E)
    return nullptr;
  E = SignRewriter(SE).visit(E);
  return hasUnsigned(E) ? nullptr : E;
}

/// \p Bound, of 64 bits, is what \p Select chooses.
void replaceByWide(SelectInst &Select, Value &Bound, ScalarEvolution &SE) {
  SE.forgetValue(&Select);
  for (User *U : make_early_inc_range(Select.users()))
    if (auto *Wide = dyn_cast<SExtInst>(U);
        Wide && Wide->getType() == Bound.getType()) {
      SE.forgetValue(Wide);
      Wide->replaceAllUsesWith(&Bound);
      Wide->eraseFromParent();
    }
  Value *Narrow = &Bound;
  if (Select.getType() != Bound.getType()) {
    auto *Cut =
        new TruncInst(&Bound, Select.getType(), "", Select.getIterator());
    Cut->setHasNoSignedWrap(true);
    Narrow = Cut;
  }
  Select.replaceAllUsesWith(Narrow);
  Select.eraseFromParent();
}

/// Is \p Choice made in each iteration of its loop in which \p Wide is
/// executed?
bool isMadeWith(const SelectInst &Choice, const SExtInst &Wide,
                const DominatorTree &DT) {
  return DT.dominates(&Choice, &Wide) ||
         (Choice.getParent() == Wide.getParent() &&
          isGuaranteedToTransferExecutionToSuccessor(Wide.getIterator(),
                                                     Choice.getIterator()));
}

/// Where \p Wide makes 64 bits of a sum that is one of \p Choices of its loop,
/// which it is in 64 bits.  LLVM has such sums for counters that begin at the
/// choice: it had made the counter wider, and forgot that the sum is no
/// overflow. The sum and the choice are cut off from one number, so they are
/// one, and it is known that nothing is lost of the choice.
const SCEV *asChoice(SExtInst &Wide,
                     ArrayRef<std::pair<SelectInst *, const SCEV *>> Choices,
                     const LoopInfo &LI, const DominatorTree &DT,
                     ScalarEvolution &SE) {
  if (Choices.empty() || !Wide.getType()->isIntegerTy(64) ||
      !match(Wide.getOperand(0), m_Add(m_Value(), m_Value())))
    return nullptr;
  const Loop *L = LI.getLoopFor(Wide.getParent());
  const SCEV *E = uncut(Wide.getOperand(0), SE);
  bool Is = E && any_of(Choices, [&](const auto &C) {
              return C.second == E &&
                     C.first->getType() == Wide.getOperand(0)->getType() &&
                     LI.getLoopFor(C.first->getParent()) == L &&
                     isMadeWith(*C.first, Wide, DT);
            });
  return Is ? E : nullptr;
}

} // namespace

namespace polygpu {

/// "1 < n - 1" of an unsigned n, which is the same in all iterations, is
/// "n - 3 < -2" to LLVM, with a sum that wraps around for most n.  That it does
/// so for n = 0 only, can be a condition of the model.
static bool openRange(Instruction &I, const LoopInfo &LI) {
  static const uint64_t Most = 256;
  Value *Size;
  const APInt *Added, *End;
  auto *Compare = dyn_cast<ICmpInst>(&I);
  if (!Compare ||
      !match(Compare, m_SpecificICmp(ICmpInst::ICMP_ULT,
                                     m_Add(m_Value(Size), m_APInt(Added)),
                                     m_APInt(End))) ||
      !Size->getType()->isIntegerTy())
    return false;
  const Loop *L = LI.getLoopFor(I.getParent());
  APInt First = *End - *Added, Length = ~*End;
  if ((L && !L->isLoopInvariant(Size)) || First.uge(Most) || Length.uge(Most))
    return false;
  IRBuilder<> B(Compare);
  Value *Behind =
      First.isZero()
          ? Size
          : B.CreateAdd(Size, ConstantInt::get(Size->getType(), -First));
  Compare->dropPoisonGeneratingFlags(); // of signs that were the same
  Compare->setPredicate(ICmpInst::ICMP_UGT);
  Compare->setOperand(0, Behind);
  Compare->setOperand(1, ConstantInt::get(Size->getType(), Length));
  return true;
}

PreservedAnalyses SignBoundsPass::run(Function &F,
                                      FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  SmallVector<std::pair<Instruction *, const SCEV *>, 8> Bounds;
  SmallVector<std::pair<SelectInst *, const SCEV *>, 8> WideBounds;
  for (Instruction &I : instructions(F)) {
    if (!LI.getLoopFor(I.getParent()))
      continue;
    if (auto *Trunc = dyn_cast<TruncInst>(&I)) {
      const auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Trunc));
      if (Rec && Rec->hasNoSignedWrap() &&
          Rec->getLoop()->contains(I.getParent()))
        Trunc->setHasNoSignedWrap(true);
    } else if (const SCEV *E = signedValue(I, SE)) {
      Bounds.push_back({&I, E});
    } else if (auto *Select = dyn_cast<SelectInst>(&I)) {
      if (const SCEV *Wide = asWideBound(*Select, SE))
        WideBounds.push_back({Select, Wide});
    }
  }
  SCEVExpander Expander(SE, "bound");
  bool Changed = false;
  for (Instruction &I : instructions(F))
    if (openRange(I, LI)) {
      SE.forgetValue(&I);
      Changed = true;
    }
  for (auto [I, E] : Bounds)
    if (Expander.isSafeToExpandAt(E, I)) {
      Value *Bound = Expander.expandCodeFor(E, I->getType(), I->getIterator());
      SE.forgetValue(I);
      I->replaceAllUsesWith(Bound);
      I->eraseFromParent();
      Changed = true;
    }
  SmallVector<std::pair<SExtInst *, const SCEV *>, 4> Starts;
  for (Instruction &I : instructions(F))
    if (auto *Wide = dyn_cast<SExtInst>(&I))
      if (const SCEV *E = asChoice(*Wide, WideBounds, LI, DT, SE))
        Starts.push_back({Wide, E});
  for (auto [Wide, E] : Starts)
    if (Expander.isSafeToExpandAt(E, Wide)) {
      Value *Start =
          Expander.expandCodeFor(E, E->getType(), Wide->getIterator());
      SE.forgetValue(Wide);
      Wide->replaceAllUsesWith(Start);
      Wide->eraseFromParent();
      Changed = true;
    }
  for (auto [Select, E] : WideBounds)
    if (Expander.isSafeToExpandAt(E, Select)) {
      replaceByWide(
          *Select,
          *Expander.expandCodeFor(E, E->getType(), Select->getIterator()), SE);
      Changed = true;
    }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace polygpu
