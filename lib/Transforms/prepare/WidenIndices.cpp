//===- WidenIndices.cpp - Indices that do not wrap around -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums and products of 32 bits are the exact ones modulo 2^32, wherever they
// wrap around on the way: an index is the polynomial of iterations and of
// values that are known in front of the loops, if that is in the range of an
// index in all iterations.  Its smallest and its largest value are computed in
// 128 bits in front of them: that of each term, whose iterations are from 0 to
// the number that LLVM knows of.
//
//===----------------------------------------------------------------------===//

#include "prepare/WidenIndices.h"
#include "AddressSums.h"
#include "prepare/HoistLoads.h"
#include "prepare/Versions.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace polygpu;

namespace {

/// Numbers of versions of this pass.
const unsigned FirstNumber = 5000;
/// Different indices of a loop, and terms of one.
const size_t MaxIndices = 16, MaxTerms = 16;
/// Values that are multiplied with iterations: two have no more than 64 bits.
const size_t MaxFactors = 2;
/// The terms of an index have together no more than 2^SumBits.
const unsigned SumBits = 48;

/// An index that is widened; the same polynomial may be there several times.
struct Index {
  AddressSum Sum;
  bool IsSigned;
  SmallVector<CastInst *, 4> Casts;
};

class IndexWidener {
public:
  /// What is known in front of the loops is known at \p Where.
  IndexWidener(Loop &L, ScalarEvolution &SE, const Instruction *Where)
      : L(L), SE(SE), Where(Where), Expander(SE, "index"),
        Narrow(Type::getInt32Ty(L.getHeader()->getContext())) {}

  /// Are there indices of rows that may wrap around?
  bool collect();
  /// Whether none does, i1, computed at \p Before.
  Value *expand(Instruction *Before);
  /// Let the loop be one in which none does.
  void rewrite(Instruction *Before);

private:
  Loop &L;
  ScalarEvolution &SE;
  const Instruction *Where;
  SCEVExpander Expander;
  Type *Narrow;
  SmallVector<Index, 8> Indices;
  bool HasRows = false;   ///< iterations are multiplied by a value
  Value *Holds = nullptr; ///< the condition, as it is made
  DenseMap<const SCEV *, Value *> Known;    ///< values in front of the loops
  DenseMap<const Loop *, PHINode *> Counts; ///< iterations, of 64 bits

  bool isKnown(const SCEV *E);
  const SCEVAddRecExpr *counterOf(const AddressSum::Term &T) const;
  bool isCountable(const Loop &In);
  bool isWidenable(const AddressSum &P, const Instruction &At);
  void addCast(CastInst &Cast);
  void require(IRBuilder<> &B, Value *V, const APInt &Bound);
  Value *most(IRBuilder<> &B, const Loop &In);
  Value *factor(IRBuilder<> &B, const AddressSum::Term &T, Type *Ty);
  PHINode *count(const Loop &In);
};

/// Can \p E be computed in front of the loops?
bool IndexWidener::isKnown(const SCEV *E) {
  return SE.isLoopInvariant(E, &L) && Expander.isSafeToExpandAt(E, Where);
}

/// The iterations of a loop inside that \p T is multiplied with; null if there
/// are none.
const SCEVAddRecExpr *IndexWidener::counterOf(const AddressSum::Term &T) const {
  for (const SCEV *V : T.Variables)
    if (const auto *Counter = dyn_cast<SCEVAddRecExpr>(V);
        Counter && L.contains(Counter->getLoop()))
      return Counter;
  return nullptr;
}

/// Is it known in front of the loops how often \p In is repeated at most?  In
/// triangles the number grows, or falls, with an outer counter.
bool IndexWidener::isCountable(const Loop &In) {
  const SCEV *Most = SE.getBackedgeTakenCount(&In);
  if (!In.getLoopPreheader() || !In.getLoopLatch() ||
      isa<SCEVCouldNotCompute>(Most))
    return false;
  const auto *Counted = dyn_cast<SCEVAddRecExpr>(Most);
  if (!Counted || SE.isLoopInvariant(Most, &L))
    return isKnown(Most);
  const auto *Step = Counted->isAffine()
                         ? dyn_cast<SCEVConstant>(Counted->getOperand(1))
                         : nullptr;
  return Step && L.contains(Counted->getLoop()) &&
         isKnown(Counted->getStart()) &&
         isKnown(SE.getBackedgeTakenCount(Counted->getLoop()));
}

/// Is \p P, at \p At, a sum of iterations times values?
bool IndexWidener::isWidenable(const AddressSum &P, const Instruction &At) {
  return !P.isZero() && P.terms().size() <= MaxTerms &&
         all_of(P.terms(), [&](const AddressSum::Term &T) {
           const SCEVAddRecExpr *Counter = counterOf(T);
           return T.Variables.size() <= MaxFactors + (Counter != nullptr) &&
                  (!Counter || (llvm::count(T.Variables, Counter) == 1 &&
                                Counter->getLoop()->contains(&At))) &&
                  isInt<32>(T.Factor) &&
                  all_of(T.Variables, [&](const SCEV *V) {
                    return V == Counter ? isCountable(*Counter->getLoop())
                                        : isKnown(V);
                  });
         });
}

/// Does \p Wide extend what the loop computes, so that sums in it are hidden?
bool hidesSum(const SCEV *Wide, const Loop &L, ScalarEvolution &SE) {
  return SCEVExprContains(Wide, [&](const SCEV *Part) {
    return isa<SCEVSignExtendExpr, SCEVZeroExtendExpr>(Part) &&
           !SE.isLoopInvariant(Part, &L);
  });
}

/// Widen what \p Cast extends.
void IndexWidener::addCast(CastInst &Cast) {
  if (!isa<SExtInst, ZExtInst>(Cast) || Cast.getSrcTy() != Narrow ||
      !Cast.getDestTy()->isIntegerTy(64) ||
      none_of(Cast.users(), IsaPred<GetElementPtrInst, BinaryOperator>) ||
      !hidesSum(SE.getSCEV(&Cast), L, SE))
    return;
  auto P = addressSum(SE.getSCEV(Cast.getOperand(0)), Narrow, SE);
  if (!P || !isWidenable(*P, Cast))
    return;
  auto IsCounted = [&](const AddressSum::Term &T) { return counterOf(T); };
  HasRows |= count_if(P->terms(), IsCounted) > 1 &&
             any_of(P->terms(), [&](const AddressSum::Term &T) {
               return IsCounted(T) && T.Variables.size() > 1;
             });
  bool IsSigned = isa<SExtInst>(Cast);
  auto *Same = find_if(Indices, [&](const Index &Other) {
    return Other.IsSigned == IsSigned && Other.Sum == *P;
  });
  if (Same == Indices.end())
    Same = Indices.insert(Same, {*P, IsSigned, {}});
  Same->Casts.push_back(&Cast);
}

bool IndexWidener::collect() {
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (auto *Cast = dyn_cast<CastInst>(&I))
        addCast(*Cast);
  return HasRows && Indices.size() <= MaxIndices;
}

/// \p V is to be at most \p Bound.
void IndexWidener::require(IRBuilder<> &B, Value *V, const APInt &Bound) {
  Holds = B.CreateAnd(Holds, B.CreateICmpSLE(V, B.getInt(Bound)));
}

/// Is \p In entered only if it has an iteration?
bool isAsked(const Loop &In, ScalarEvolution &SE) {
  const SCEV *Most = SE.getBackedgeTakenCount(&In);
  // As Fortran's loops are, which count what is left.
  const SCEV *None = SE.getZero(Most->getType());
  const SCEV *Iterations = SE.getAddExpr(Most, SE.getOne(Most->getType()));
  if (any_of(ArrayRef({ICmpInst::ICMP_NE, ICmpInst::ICMP_SGT}),
             [&](CmpPredicate P) {
               return SE.isLoopEntryGuardedByCond(&In, P, Iterations, None);
             }))
    return true;
  for (PHINode &Phi : In.getHeader()->phis()) {
    if (Phi.getType() != Most->getType())
      continue;
    const auto *Counter = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
    if (!Counter || Counter->getLoop() != &In ||
        !Counter->getStepRecurrence(SE)->isOne())
      continue;
    // The first value, and the first one that is not there any more.
    const SCEV *Start = Counter->getStart();
    const SCEV *Stop = SE.getAddExpr(Start, Most, SE.getOne(Most->getType()));
    if (any_of(ArrayRef(
                   {ICmpInst::ICMP_NE, ICmpInst::ICMP_ULT, ICmpInst::ICMP_SLT}),
               [&](CmpPredicate P) {
                 return SE.isLoopEntryGuardedByCond(&In, P, Start, Stop);
               }))
      return true;
  }
  return false;
}

/// How often \p In is repeated at most.  A number of repetitions of -1 is that
/// of a loop that is not entered, if that is asked before.
Value *IndexWidener::most(IRBuilder<> &B, const Loop &In) {
  const SCEV *Most = SE.getBackedgeTakenCount(&In);
  const bool IsAsked = isAsked(In, SE);
  auto Count = [&](const SCEV *E) {
    Value *V = Known.lookup(E);
    return IsAsked ? B.CreateSExt(V, B.getInt128Ty())
                   : B.CreateZExt(V, B.getInt128Ty());
  };
  auto AtLeastNone = [&](Value *Last, Value *Largest) {
    require(B, B.CreateNeg(Last), APInt(128, IsAsked));
    return B.CreateBinaryIntrinsic(Intrinsic::smax, Largest,
                                   ConstantInt::get(B.getInt128Ty(), 0));
  };
  auto *Counted = dyn_cast<SCEVAddRecExpr>(Most);
  if (!Counted || SE.isLoopInvariant(Most, &L)) {
    Value *Same = Count(Most);
    return AtLeastNone(Same, Same);
  }
  Value *First = Count(Counted->getStart());
  const APInt &Step = cast<SCEVConstant>(Counted->getOperand(1))->getAPInt();
  Value *Last = B.CreateAdd(First, B.CreateMul(B.getInt(Step.sext(128)),
                                               most(B, *Counted->getLoop())));
  return Step.isNegative() ? AtLeastNone(Last, First)
                           : AtLeastNone(First, Last);
}

/// \p T without its iterations.
Value *IndexWidener::factor(IRBuilder<> &B, const AddressSum::Term &T,
                            Type *Ty) {
  Value *Product = nullptr;
  const SCEVAddRecExpr *Counter = counterOf(T);
  for (const SCEV *V : T.Variables)
    if (V != Counter) {
      Value *Next = B.CreateSExt(Known.lookup(V), Ty);
      Product = Product ? B.CreateNSWMul(Product, Next) : Next;
    }
  Value *Factor = ConstantInt::getSigned(Ty, T.Factor);
  if (!Product)
    return Factor;
  return T.Factor == 1 ? Product : B.CreateMul(Product, Factor);
}

Value *IndexWidener::expand(Instruction *Before) {
  auto Make = [&](const SCEV *E) {
    if (!Known.contains(E))
      Known[E] = Expander.expandCodeFor(E, E->getType(), Before);
  };
  auto MakeMost = [&](const Loop *In) {
    const SCEV *Most = SE.getBackedgeTakenCount(In);
    if (auto *Counted = dyn_cast<SCEVAddRecExpr>(Most);
        Counted && !SE.isLoopInvariant(Most, &L)) {
      Make(Counted->getStart());
      Most = SE.getBackedgeTakenCount(Counted->getLoop());
    }
    Make(Most);
  };
  for (const Index &I : Indices)
    for (const AddressSum::Term &T : I.Sum.terms()) {
      const SCEVAddRecExpr *Counter = counterOf(T);
      for (const SCEV *V : T.Variables)
        if (V != Counter)
          Make(V);
      if (Counter)
        MakeMost(Counter->getLoop());
    }
  // What is computed for loops that are not entered may wrap around.
  for (Instruction *I : Expander.getAllInsertedInstructions())
    I->dropPoisonGeneratingFlags();
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(DebugLoc());
  Type *Exact = B.getInt128Ty();
  Value *None = ConstantInt::get(Exact, 0);
  Holds = B.getTrue();
  for (const Index &I : Indices) {
    Value *Low = None, *High = None, *Size = None;
    for (const AddressSum::Term &T : I.Sum.terms()) {
      Value *Last = factor(B, T, Exact), *First = Last;
      if (const SCEVAddRecExpr *Counter = counterOf(T)) {
        Last = B.CreateMul(Last, most(B, *Counter->getLoop()));
        First = None;
      }
      Low = B.CreateAdd(Low,
                        B.CreateBinaryIntrinsic(Intrinsic::smin, First, Last));
      High = B.CreateAdd(High,
                         B.CreateBinaryIntrinsic(Intrinsic::smax, First, Last));
      Size = B.CreateAdd(Size, B.CreateBinaryIntrinsic(Intrinsic::smax, Last,
                                                       B.CreateNeg(Last)));
    }
    unsigned Bits = I.IsSigned ? 31 : 32;
    require(B, High, APInt::getLowBitsSet(128, Bits));
    require(B, B.CreateNeg(Low),
            I.IsSigned ? APInt::getOneBitSet(128, Bits) : APInt::getZero(128));
    require(B, Size, APInt::getOneBitSet(128, SumBits));
  }
  return B.CreateFreeze(Holds);
}

/// The number of the iteration of \p In, from 0.
PHINode *IndexWidener::count(const Loop &In) {
  PHINode *&Count = Counts[&In];
  if (Count)
    return Count;
  BasicBlock *Header = In.getHeader(), *Latch = In.getLoopLatch();
  Type *Ty = Type::getInt64Ty(Header->getContext());
  Count = PHINode::Create(Ty, 2, "row", Header->begin());
  IRBuilder<> B(Latch->getTerminator());
  B.SetCurrentDebugLocation(DebugLoc());
  Count->addIncoming(ConstantInt::get(Ty, 0), In.getLoopPreheader());
  Count->addIncoming(B.CreateAdd(Count, ConstantInt::get(Ty, 1), "",
                                 /*HasNUW=*/true, /*HasNSW=*/true),
                     Latch);
  return Count;
}

void IndexWidener::rewrite(Instruction *Before) {
  for (const Index &I : Indices) {
    IRBuilder<> B(Before);
    B.SetCurrentDebugLocation(DebugLoc());
    SmallVector<Value *, 8> Factors;
    for (const AddressSum::Term &T : I.Sum.terms())
      Factors.push_back(factor(B, T, B.getInt64Ty()));
    for (CastInst *Cast : I.Casts) {
      Value *Sum = nullptr;
      B.SetInsertPoint(Cast);
      for (auto [T, Factor] : zip(I.Sum.terms(), Factors)) {
        Value *Term = Factor;
        if (const SCEVAddRecExpr *Counter = counterOf(T))
          Term = B.CreateNSWMul(count(*Counter->getLoop()), Factor);
        Sum = Sum ? B.CreateNSWAdd(Sum, Term) : Term;
      }
      Value *Old = Cast->getOperand(0);
      Cast->replaceAllUsesWith(Sum);
      Cast->eraseFromParent();
      RecursivelyDeleteTriviallyDeadInstructions(Old);
    }
  }
}

} // namespace

namespace polygpu {

PreservedAnalyses WidenIndicesPass::run(Function &F,
                                        FunctionAnalysisManager &FAM) {
  static const char *const So = "no index of 32 bits wraps around";
  static const char *const NotSo = "an index of 32 bits wraps around, or may";
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  SmallVector<const Loop *, 4> Done;
  for (auto [Number, L] : enumerate(LI.getLoopsInPreorder())) {
    if (Choice.NotHere.contains(FirstNumber + Number) ||
        any_of(Done, [L = L](const Loop *Outer) { return Outer->contains(L); }))
      continue;
    CallInst *Begin = versionBegin(*L, DT);
    if (Begin ? !L->getLoopPreheader() : !canHaveVersions(*L, DT))
      continue;
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    IndexWidener Widener(
        *L, SE, Begin ? Begin : L->getLoopPreheader()->getTerminator());
    if (!Widener.collect())
      continue;
    assumeInVersion(
        *L, FirstNumber + Number, Begin,
        [&](Instruction *Where) {
          return AssumedTruth{Widener.expand(Where), So, NotSo};
        },
        LI, DT, SE);
    Widener.rewrite(L->getLoopPreheader()->getTerminator());
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
