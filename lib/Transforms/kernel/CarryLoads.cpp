//===- CarryLoads.cpp - Values that the iteration before had --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/CarryLoads.h"
#include "AddressPolynomial.h"
#include "target/TargetDescription.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/MustExecute.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"
#include <unordered_map>

using namespace llvm;

/// Values that a loop carries at most, which are as many registers.
static const unsigned MaxCarried = 16;

/// How often the pass asks in a loop whether two accesses touch.
static const unsigned MaxQuestions = 20000;

/// How many instructions an address may be away from its variables.
static const unsigned MaxDepth = 24;

/// Larger factors in the distance of two accesses are not looked at.
static const int64_t MaxFactor = int64_t(1) << 40;

/// How many addends an address has that is taken apart.
static const unsigned MaxTerms = 24;

/// Iterations of a loop that keeps an element whose loads are made together:
/// what an iteration waits for is the one before, 4 cycles, and its loads, 270
/// of the second cache or more.  LLVM takes 4 of a loop whose length it does
/// not know.
static const unsigned Together = 16;

/// Loops with more instructions are left to LLVM.
static const unsigned LongBody = 40;

namespace polygpu {

namespace {

//===-- Addresses ---------------------------------------------------------===//

/// A narrower variable stands for its sign extension.
using Polynomial = AddressPolynomial<Value *>;

/// A number that is computed, and whether that overflows nowhere.
struct Number {
  Polynomial Value;
  bool Exact = true;
};

/// An address: so many bytes behind a pointer.
using Place = std::pair<Value *, Polynomial>;

struct PlaceHash {
  size_t operator()(const Place &P) const { return hash_value(P); }
};

/// Addresses in a loop.  ScalarEvolution would not do: it keeps a sign
/// extension where it does not see by itself that a sum does not overflow, and
/// products of sums, so that equal addresses look different.  What is computed
/// to be an address and overflows where it is said not to is poison, and its
/// access undefined; so all of that is taken apart here.
class Places {
public:
  Places(Loop &L, const DataLayout &DL) : L(L), DL(DL) {}
  Place of(Value *Pointer, bool &Exact);
  std::optional<Place> next(const Place &P);

private:
  Loop &L;
  const DataLayout &DL;
  DenseMap<Value *, Number> Known;

  Value *step(Value *V) const;
  bool operation(Value *V, unsigned Depth, Number &Result);
  Number number(Value *V, unsigned Depth);
};

/// What \p V grows by in each iteration if it is a counter of the loop, or
/// null.
Value *Places::step(Value *V) const {
  auto *Phi = dyn_cast<PHINode>(V);
  if (!Phi || Phi->getParent() != L.getHeader())
    return nullptr;
  auto *Next = dyn_cast<OverflowingBinaryOperator>(
      Phi->getIncomingValueForBlock(L.getLoopLatch()));
  if (!Next || Next->getOpcode() != Instruction::Add ||
      Next->getOperand(0) != Phi || !L.isLoopInvariant(Next->getOperand(1)) ||
      !(Next->hasNoSignedWrap() || Next->getType()->isIntegerTy(64)))
    return nullptr;
  return Next->getOperand(1);
}

/// What \p V is of other variables, if it is a sum, difference or product, or
/// the extension of one, in which no bit gets lost: in all 64, none can.
bool Places::operation(Value *V, unsigned Depth, Number &Result) {
  auto Operand = [&](unsigned I) {
    return number(cast<User>(V)->getOperand(I), Depth - 1);
  };
  if (auto *C = dyn_cast<ConstantInt>(V)) {
    Result.Value.add({{}, C->getSExtValue()});
    return true;
  }
  if (!Depth)
    return false;
  auto *Zero = dyn_cast<ZExtInst>(V);
  if (isa<SExtInst>(V) ||
      (Zero &&
       (Zero->hasNonNeg() || isKnownNonNegative(Zero->getOperand(0), DL)))) {
    Result = Operand(0);
    return true;
  }
  auto *Op = dyn_cast<OverflowingBinaryOperator>(V);
  if (!Op || !(Op->hasNoSignedWrap() || V->getType()->isIntegerTy(64)))
    return false;
  unsigned Code = Op->getOpcode();
  if (Code != Instruction::Add && Code != Instruction::Sub &&
      Code != Instruction::Mul)
    return false;
  Number A = Operand(0), B = Operand(1);
  if (Code != Instruction::Mul)
    A.Value.add(B.Value, {{}, Code == Instruction::Add ? 1 : -1});
  else if (!A.Value.multiply(B.Value))
    return false;
  A.Exact &= B.Exact && Op->hasNoSignedWrap();
  Result = A;
  return true;
}

/// The value of \p V.
Number Places::number(Value *V, unsigned Depth) {
  if (auto It = Known.find(V); It != Known.end())
    return It->second;
  Number Result;
  if (!operation(V, Depth, Result) || Result.Value.terms().size() > MaxTerms)
    Result = {Polynomial({{V}, 1}), true};
  return Known[V] = Result;
}

/// \p Exact becomes false where an index may overflow.
Place Places::of(Value *Pointer, bool &Exact) {
  Polynomial Offset;
  while (auto *GEP = dyn_cast<GEPOperator>(Pointer)) {
    SmallMapVector<Value *, APInt, 4> Variables;
    APInt Constant(64, 0);
    if (DL.getIndexTypeSizeInBits(GEP->getType()) != 64 ||
        !GEP->collectOffset(DL, 64, Variables, Constant) ||
        any_of(Variables, [](const auto &V) {
          return V.first->getType()->getIntegerBitWidth() > 64;
        }))
      break;
    Offset.add({{}, Constant.getSExtValue()});
    for (const auto &[V, Bytes] : Variables) {
      Number Index = number(V, MaxDepth);
      Offset.add(Index.Value, {{}, Bytes.getSExtValue()});
      Exact &= Index.Exact;
    }
    Pointer = GEP->getPointerOperand();
  }
  return {Pointer, Offset};
}

/// Where the access at \p P goes in the next iteration; nothing if that cannot
/// be said, or is the same place.
std::optional<Place> Places::next(const Place &P) {
  Polynomial Result;
  for (const Polynomial::Term &T : P.second.terms()) {
    Polynomial Moved({{}, T.Factor});
    for (Value *V : T.Variables) {
      Polynomial Next({{V}, 1});
      if (Value *Step = step(V))
        Next += number(Step, MaxDepth).Value;
      else if (!L.isLoopInvariant(V))
        return std::nullopt;
      if (!Moved.multiply(Next))
        return std::nullopt;
    }
    Result += Moved;
  }
  if (!L.isLoopInvariant(P.first) || Result == P.second)
    return std::nullopt;
  return Place(P.first, Result);
}

//===-- Loads and where their values come from ----------------------------===//

/// A load, and the access that had its value before.
struct Reuse {
  LoadInst *Load;
  Instruction *Source;
  bool Carried; ///< from the iteration before
};

class Carrier {
public:
  Carrier(Loop &L, DominatorTree &DT, ScalarEvolution &SE, AAResults &AA)
      : L(L), DT(DT), SE(SE), AA(AA), Addresses(L, SE.getDataLayout()) {}
  bool run();
  bool keep();

private:
  Loop &L;
  DominatorTree &DT;
  ScalarEvolution &SE;
  BatchAAResults AA;
  Places Addresses;
  SimpleLoopSafetyInfo Safety;
  SmallVector<StoreInst *, 16> Stores;
  SmallVector<LoadInst *, 16> Loads;
  std::unordered_map<Place, SmallVector<Instruction *, 2>, PlaceHash> Accesses;
  DenseMap<Instruction *, Place> At;
  SmallPtrSet<Instruction *, 16> Overflowing; ///< accesses whose index may
  SmallVector<Reuse, 16> Found;
  unsigned Questions = 0, Carried = 0;
  DenseMap<Value *, Value *> First; ///< values in the first iteration

  bool collect();
  bool isPositive(Value *V);
  bool isNatural(Value *V);
  bool isLess(Value *A, Value *B);
  std::optional<Polynomial::Term> nearer(const Polynomial::Term &A,
                                         const Polynomial::Term &B);
  int64_t cancel(Polynomial &P);
  bool runsBefore(BasicBlock *BB);
  bool areDisjoint(StoreInst &Store, Instruction &Other);
  bool isKept(Instruction &Source, Instruction &Load, bool Carried);
  bool isFirst(Value *V, unsigned Depth);
  Value *inFront(Value *V);
  Instruction *sameIteration(LoadInst &Load);
  Instruction *iterationBefore(LoadInst &Load);
  Value *atEnd(const Reuse &R);
  PHINode *phi(const Reuse &R);
  bool isInvariant(const Place &P) const;
  bool knowsReads() const;
  bool mayKeep(const Place &P, ArrayRef<Instruction *> Same);
  void keepAt(SmallVectorImpl<Instruction *> &Same);
};

/// Does \p I, which is no plain load or store, leave memory as it is?
bool isHarmless(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return !I.mayWriteToMemory() || (Call && Call->isAssumeLikeIntrinsic());
}

/// Collect the accesses of the loop; false if it has others than plain ones.
/// An array is not this thread's alone: behind a barrier or an atomic operation
/// it may have been changed, whatever the parameter's noalias says to alias
/// analysis.
bool Carrier::collect() {
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      auto *Store = dyn_cast<StoreInst>(&I);
      auto *Load = dyn_cast<LoadInst>(&I);
      if (Store ? !Store->isSimple() : !isHarmless(I))
        return false;
      if (Store)
        Stores.push_back(Store);
      else if (Load && Load->isSimple())
        Loads.push_back(Load);
      else
        continue;
      bool Exact = true;
      At[&I] = Addresses.of(getLoadStorePointerOperand(&I), Exact);
      if (!Exact)
        Overflowing.insert(&I);
      Accesses[At[&I]].push_back(&I);
    }
  return !Loads.empty();
}

/// Is \p V at least one wherever it is used in an address?
bool Carrier::isPositive(Value *V) {
  auto *A = dyn_cast<Argument>(V);
  return (A && A->hasAttribute(ExtentAttribute)) ||
         SE.isKnownPositive(SE.applyLoopGuards(SE.getSCEV(V), &L));
}

/// Is \p V never negative where it is used in an address?
bool Carrier::isNatural(Value *V) {
  return isPositive(V) ||
         SE.isKnownNonNegative(SE.applyLoopGuards(SE.getSCEV(V), &L));
}

/// Is \p A less than \p B in each iteration?
bool Carrier::isLess(Value *A, Value *B) {
  if (A->getType() != B->getType())
    return false;
  const SCEV *SA = SE.getSCEV(A), *SB = SE.getSCEV(B);
  auto Counts = [&](const SCEV *S, const SCEV *Other) {
    const auto *R = dyn_cast<SCEVAddRecExpr>(S);
    return R && R->getLoop() == &L && SE.isLoopInvariant(Other, &L) ? R
                                                                    : nullptr;
  };
  if (const auto *R = Counts(SA, SB))
    return SE.isKnownOnEveryIteration(CmpInst::ICMP_SLT, R, SB);
  if (const auto *R = Counts(SB, SA))
    return SE.isKnownOnEveryIteration(CmpInst::ICMP_SGT, R, SA);
  return SE.isLoopInvariant(SA, &L) && SE.isLoopInvariant(SB, &L) &&
         SE.isLoopEntryGuardedByCond(&L, CmpInst::ICMP_SLT, SA, SB);
}

/// f e where \p B - \p A is f e b - f e a with a < b and e not negative, and so
/// at least as far from zero; nothing if it is not so.
std::optional<Polynomial::Term> Carrier::nearer(const Polynomial::Term &A,
                                                const Polynomial::Term &B) {
  Value *Own = nullptr;
  Polynomial::Term Common{{}, B.Factor};
  SmallVector<Value *, 4> Rest = B.Variables;
  if (A.Factor != -B.Factor || A.Variables.size() != B.Variables.size())
    return std::nullopt;
  for (Value *V : A.Variables) {
    auto It = find(Rest, V);
    if (It == Rest.end() && Own)
      return std::nullopt;
    if (It == Rest.end()) {
      Own = V;
      continue;
    }
    Rest.erase(It);
    Common.Variables.push_back(V);
  }
  if (!Own || Rest.size() != 1 || !isLess(Own, Rest.front()) ||
      !all_of(Common.Variables, [&](Value *V) { return isNatural(V); }))
    return std::nullopt;
  return Common;
}

/// Have what is nearer to zero stand for pairs of terms of \p P, all of one
/// sign, which is that of the number returned, 0 if there are none: only if all
/// of what \p P is then has that sign is \p P at least as far from zero.
int64_t Carrier::cancel(Polynomial &P) {
  int64_t Sign = 0;
  auto Step = [&] {
    for (const Polynomial::Term &B : P.terms())
      for (const Polynomial::Term &A : P.terms())
        if (!Sign || (Sign < 0) == (B.Factor < 0))
          if (auto Less = nearer(A, B)) {
            Polynomial Pair(A);
            Pair.add(B);
            P -= Pair;
            P.add(*Less);
            Sign = Less->Factor;
            return true;
          }
    return false;
  };
  while (Step())
    ;
  return Sign;
}

/// Do \p Store and \p Other touch no common byte in one and the same iteration?
/// They do not where their distance is a sum of positive products, or of
/// negative ones: of numbers that do not overflow, since the indices do not and
/// arrays have fewer than 2^63 bytes.
bool Carrier::areDisjoint(StoreInst &Store, Instruction &Other) {
  if (++Questions > MaxQuestions)
    return false;
  if (AA.isNoAlias(MemoryLocation::get(&Store), MemoryLocation::get(&Other)))
    return true;
  const DataLayout &DL = SE.getDataLayout();
  TypeSize Stored = DL.getTypeStoreSize(Store.getValueOperand()->getType());
  TypeSize Size = DL.getTypeStoreSize(getLoadStoreType(&Other));
  if (At[&Store].first != At[&Other].first || Stored.isScalable() ||
      Size.isScalable())
    return false;
  Polynomial Distance = At[&Store].second;
  Distance -= At[&Other].second;
  if (Distance.degree() > 0 &&
      (Overflowing.contains(&Store) || Overflowing.contains(&Other)))
    return false;
  int64_t Nearer = cancel(Distance);
  __int128 Least = 0;
  for (const Polynomial::Term &T : Distance.terms()) {
    if (T.Factor > MaxFactor || T.Factor < -MaxFactor ||
        !all_of(T.Variables, [&](Value *V) { return isNatural(V); }))
      return false;
    if (all_of(T.Variables, [&](Value *V) { return isPositive(V); }))
      Least += T.Factor;
  }
  if (!Distance.hasSign(Least < 0) || (Nearer && (Nearer < 0) != (Least < 0)))
    return false;
  return Least >= static_cast<int64_t>(Size.getFixedValue()) ||
         -Least >= static_cast<int64_t>(Stored.getFixedValue());
}

/// From \p Source to \p Load, does no store change what they access?  Where the
/// value is carried, these are two iterations, and what comes before the load
/// in the first one counts as well.
bool Carrier::isKept(Instruction &Source, Instruction &Load, bool Carried) {
  return all_of(Stores, [&](StoreInst *Store) {
    bool After = Store != &Source && !DT.dominates(Store, &Source);
    bool Before = !DT.dominates(&Load, Store);
    if (!Carried)
      return !After || !Before || areDisjoint(*Store, Load);
    return (!After || areDisjoint(*Store, Source)) &&
           (!Before || areDisjoint(*Store, Load));
  });
}

/// The access that has the value of \p Load in each iteration, or null.
Instruction *Carrier::sameIteration(LoadInst &Load) {
  for (Instruction *Source : Accesses[At[&Load]])
    if (getLoadStoreType(Source) == Load.getType() &&
        DT.dominates(Source, &Load) && isKept(*Source, Load, false))
      return Source;
  return nullptr;
}

/// Does \p BB run in each iteration that another one follows?  It does also
/// where its condition is the loop's, as in if (t + 1 < n) a[t + 1] = ...
bool Carrier::runsBefore(BasicBlock *BB) {
  BasicBlock *Latch = L.getLoopLatch(), *Above = BB->getSinglePredecessor();
  if (DT.dominates(BB, Latch))
    return true;
  if (!Above || !DT.dominates(Above, Latch))
    return false;
  auto *Branch = dyn_cast<BranchInst>(Above->getTerminator());
  auto *Test = Branch && Branch->isConditional()
                   ? dyn_cast<ICmpInst>(Branch->getCondition())
                   : nullptr;
  if (!Test || !SE.isSCEVable(Test->getOperand(0)->getType()))
    return false;
  return SE.isLoopBackedgeGuardedByCond(
      &L,
      Branch->getSuccessor(0) == BB ? Test->getPredicate()
                                    : Test->getInversePredicate(),
      SE.getSCEV(Test->getOperand(0)), SE.getSCEV(Test->getOperand(1)));
}

/// The access that has the value that \p Load gets one iteration later, or
/// null.
Instruction *Carrier::iterationBefore(LoadInst &Load) {
  std::optional<Place> Next = Addresses.next(At[&Load]);
  if (!Next || !DT.dominates(Load.getParent(), L.getLoopLatch()) ||
      !Safety.isGuaranteedToExecute(Load, &DT, &L) ||
      !isFirst(Load.getPointerOperand(), MaxDepth))
    return nullptr;
  auto It = Accesses.find(*Next);
  if (It == Accesses.end())
    return nullptr;
  for (Instruction *Source : It->second)
    if (getLoadStoreType(Source) == Load.getType() &&
        runsBefore(Source->getParent()) && isKept(*Source, Load, true))
      return Source;
  return nullptr;
}

/// Can the first iteration's value of \p V be computed in front of the loop?
bool Carrier::isFirst(Value *V, unsigned Depth) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return true;
  if (isa<PHINode>(I))
    return I->getParent() == L.getHeader();
  return Depth && isa<GetElementPtrInst, CastInst, BinaryOperator>(I) &&
         all_of(I->operands(),
                [&](const Use &U) { return isFirst(U, Depth - 1); });
}

/// That value.
Value *Carrier::inFront(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return V;
  if (auto *Phi = dyn_cast<PHINode>(I))
    return Phi->getIncomingValueForBlock(L.getLoopPreheader());
  if (Value *Old = First.lookup(V))
    return Old;
  Instruction *Copy = I->clone();
  for (Use &U : Copy->operands())
    U.set(inFront(U));
  Copy->insertBefore(L.getLoopPreheader()->getTerminator()->getIterator());
  return First[V] = Copy;
}

/// The value of \p R at the end of an iteration, if another one follows.
Value *Carrier::atEnd(const Reuse &R) {
  auto *Store = dyn_cast<StoreInst>(R.Source);
  Value *V = Store ? Store->getValueOperand() : R.Source;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || DT.dominates(I, L.getLoopLatch()->getTerminator()))
    return V;
  BasicBlock *BB = R.Source->getParent();
  SSAUpdater Updater;
  Updater.Initialize(V->getType(), "kept");
  Updater.AddAvailableValue(BB, V);
  Updater.AddAvailableValue(BB->getSinglePredecessor(),
                            PoisonValue::get(V->getType()));
  return Updater.GetValueAtEndOfBlock(L.getLoopLatch());
}

/// The value of \p R, which is carried, as a variable of the loop.
PHINode *Carrier::phi(const Reuse &R) {
  Type *Ty = R.Load->getType();
  Value *Address = inFront(R.Load->getPointerOperand());
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  B.SetCurrentDebugLocation(R.Load->getDebugLoc());
  Value *Start = B.CreateAlignedLoad(Ty, Address, R.Load->getAlign(), "first");
  B.SetInsertPoint(L.getHeader(), L.getHeader()->begin());
  B.SetCurrentDebugLocation(R.Load->getDebugLoc());
  PHINode *Phi = B.CreatePHI(Ty, 2, "carried");
  Phi->addIncoming(Start, L.getLoopPreheader());
  Phi->addIncoming(atEnd(R), L.getLoopLatch());
  return Phi;
}

bool Carrier::run() {
  if (!L.getLoopPreheader() || !L.getLoopLatch() || !collect())
    return false;
  Safety.computeLoopSafetyInfo(&L);
  for (LoadInst *Load : Loads) {
    if (Instruction *Same = sameIteration(*Load)) {
      Found.push_back({Load, Same, false});
      continue;
    }
    Instruction *Before =
        Carried < MaxCarried ? iterationBefore(*Load) : nullptr;
    if (!Before)
      continue;
    Found.push_back({Load, Before, true});
    ++Carried;
  }
  // Values may be loads that go as well.
  SmallVector<TrackingVH<Value>, 16> New;
  for (const Reuse &R : Found) {
    auto *Store = dyn_cast<StoreInst>(R.Source);
    New.emplace_back(R.Carried ? phi(R)
                     : Store   ? Store->getValueOperand()
                               : R.Source);
  }
  for (auto [R, Value] : zip_equal(Found, New)) {
    SE.forgetValue(R.Load);
    R.Load->replaceAllUsesWith(Value);
  }
  for (const Reuse &R : Found)
    R.Load->eraseFromParent();
  return !Found.empty();
}

//===-- Elements that a loop works on ------------------------------------===//

/// Is \p P the same in all iterations?
bool Carrier::isInvariant(const Place &P) const {
  return L.isLoopInvariant(P.first) &&
         all_of(P.second.terms(), [&](const Polynomial::Term &T) {
           return all_of(T.Variables,
                         [&](Value *V) { return L.isLoopInvariant(V); });
         });
}

/// Are the places in different arrays?  Each has a buffer of its own, which the
/// parameters do not say of what other threads write behind barriers, of which
/// there are none in the loop.
static bool isOtherArray(const Place &A, const Place &B) {
  return isa<Argument>(A.first) && isa<Argument>(B.first) && A.first != B.first;
}

/// Can what the loop loads and stores at \p P, by \p Same, stay in a register?
/// It is stored in each iteration, and nothing else in the loop touches it,
/// which LLVM does not see by itself.
bool Carrier::mayKeep(const Place &P, ArrayRef<Instruction *> Same) {
  auto Find = [](Instruction *I) { return isa<StoreInst>(I); };
  auto It = find_if(Same, Find);
  if (It == Same.end() || !isInvariant(P) || !all_of(Same, [&](Instruction *I) {
        return getLoadStoreType(I) == getLoadStoreType(*It) &&
               DT.dominates(I->getParent(), L.getLoopLatch());
      }))
    return false;
  bool IsHard = false;
  auto *Store = cast<StoreInst>(*It);
  for (const auto &[Other, Where] : At) {
    if (is_contained(Same, Other) ||
        AA.isNoAlias(MemoryLocation::get(Store), MemoryLocation::get(Other)))
      continue;
    if (!isOtherArray(P, Where) && !areDisjoint(*Store, *Other))
      return false;
    IsHard = true;
  }
  return IsHard;
}

/// Load what \p Same loads and stores in front of the loop, if it is loaded in
/// there before it is stored, and store it behind.
void Carrier::keepAt(SmallVectorImpl<Instruction *> &Same) {
  sort(Same, [&](Instruction *A, Instruction *B) {
    return A != B && DT.dominates(A, B);
  });
  auto *Store = cast<StoreInst>(
      *find_if(Same, [](Instruction *I) { return isa<StoreInst>(I); }));
  Type *Ty = getLoadStoreType(Store);
  Value *Address = inFront(Store->getPointerOperand());
  PHINode *Phi = nullptr;
  if (auto *Load = dyn_cast<LoadInst>(Same.front())) {
    IRBuilder<> B(L.getLoopPreheader()->getTerminator());
    B.SetCurrentDebugLocation(Load->getDebugLoc());
    Value *Start = B.CreateAlignedLoad(Ty, Address, Load->getAlign(), "first");
    B.SetInsertPoint(L.getHeader(), L.getHeader()->begin());
    Phi = B.CreatePHI(Ty, 2, "kept");
    Phi->addIncoming(Start, L.getLoopPreheader());
  }
  Value *Now = Phi;
  for (Instruction *I : Same) {
    if (isa<LoadInst>(I)) {
      SE.forgetValue(I);
      I->replaceAllUsesWith(Now);
    } else {
      Now = cast<StoreInst>(I)->getValueOperand();
      Store = cast<StoreInst>(I);
    }
  }
  if (Phi)
    Phi->addIncoming(Now, L.getLoopLatch());
  BasicBlock *Exit = L.getExitBlock();
  IRBuilder<> B(Exit, Exit->begin());
  B.SetCurrentDebugLocation(Store->getDebugLoc());
  PHINode *Last = B.CreatePHI(Ty, 1, "last");
  Last->addIncoming(Now, L.getLoopLatch());
  B.SetInsertPoint(Exit, Exit->getFirstInsertionPt());
  B.CreateAlignedStore(Last, Address, Store->getAlign());
  for (Instruction *I : Same)
    I->eraseFromParent();
}

/// Is all that reads memory in the loop known by its place?
bool Carrier::knowsReads() const {
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB) {
      const auto *Call = dyn_cast<IntrinsicInst>(&I);
      if (I.mayReadFromMemory() && !At.contains(&I) &&
          !(Call && Call->isAssumeLikeIntrinsic()))
        return false;
    }
  return true;
}

/// Have the loads of several iterations be made together, in registers that
/// ptxas would rather keep for more blocks than there are.
static void takeTogether(Loop &L) {
  unsigned N = 0;
  for (const BasicBlock *BB : L.blocks())
    N += BB->size();
  if (N > LongBody || findOptionMDForLoop(&L, "llvm.loop.unroll.disable"))
    return;
  addStringMetadataToLoop(&L, "llvm.loop.unroll.count", Together);
  Function &F = *L.getHeader()->getParent();
  if (!F.hasFnAttribute(gpuTarget().MinBlocks))
    F.addFnAttr(gpuTarget().MinBlocks, "1");
}

/// Keep elements that the loop loads and stores in each iteration in registers.
/// In
///   for (j = 0; j < i; j++) x[i] -= l[i][j] * x[j];
/// LLVM does not: x[j] might be x[i].  Then no load of an iteration can be made
/// before the store of the one before it.
bool Carrier::keep() {
  BasicBlock *Exit = L.getExitBlock();
  if (!L.getLoopPreheader() || !L.getLoopLatch() || !Exit ||
      L.getExitingBlock() != L.getLoopLatch() || !L.hasDedicatedExits() ||
      !collect() || !knowsReads())
    return false;
  SmallVector<SmallVector<Instruction *, 4>, 2> Kept;
  SmallPtrSet<Instruction *, 8> Seen;
  for (StoreInst *Store : Stores) {
    if (!Seen.insert(Store).second)
      continue;
    const Place &P = At[Store];
    ArrayRef<Instruction *> Same = Accesses[P];
    Seen.insert_range(Same);
    if (mayKeep(P, Same))
      Kept.emplace_back(Same.begin(), Same.end());
  }
  for (auto &Same : Kept)
    keepAt(Same);
  if (!Kept.empty())
    takeTogether(L);
  return !Kept.empty();
}

} // namespace

PreservedAnalyses CarryLoadsPass::run(Function &F,
                                      FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  // What comes first in an iteration is asked of dominance, which does not say
  // it of cycles that are no loops.
  ReversePostOrderTraversal<const Function *> Order(&F);
  if (LI.empty() || containsIrreducibleCFG<const BasicBlock *>(Order, LI))
    return PreservedAnalyses::all();
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &AA = FAM.getResult<AAManager>(F);
  bool Changed = false;
  for (Loop *L : LI.getLoopsInPreorder())
    if (L->isInnermost()) {
      Changed |= Carrier(*L, DT, SE, AA).run();
      Changed |= Carrier(*L, DT, SE, AA).keep();
    }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

namespace {

/// The pass, which says whether it changed anything.
struct Reporting : PassInfoMixin<Reporting> {
  bool &Changed;
  explicit Reporting(bool &Changed) : Changed(Changed) {}
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    PreservedAnalyses PA = CarryLoadsPass().run(F, FAM);
    Changed = !PA.areAllPreserved();
    return PA;
  }
};

/// Passes over a function, and what they need.
class FunctionPasses {
public:
  FunctionPasses() {
    PassBuilder PB;
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CGAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  }

private:
  LoopAnalysisManager LAM; // goes after those that refer to it

public:
  FunctionAnalysisManager FAM;
  FunctionPassManager FPM;

private:
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
};

/// May the pass find something in \p F: is there an innermost loop with loads
/// that has no barriers, copies or atomic operations?
bool mayCarry(Function &F) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  return any_of(LI.getLoopsInPreorder(), [](const Loop *L) {
    bool Loads = false;
    if (!L->isInnermost())
      return false;
    for (BasicBlock *BB : L->blocks())
      for (Instruction &I : *BB) {
        Loads |= isa<LoadInst>(I);
        if (!isa<StoreInst>(I) && !isHarmless(I))
          return false;
      }
    return Loads;
  });
}

/// Run the pass in \p F, which is simplified; does it find anything?
bool carryIn(Function &F) {
  FunctionPasses Passes;
  bool Changed = false;
  Passes.FPM.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass()));
  Passes.FPM.addPass(Reporting(Changed));
  Passes.FPM.run(F, Passes.FAM);
  return Changed;
}

} // namespace

void carryLoads(Module &Device) {
  for (Function &F : make_early_inc_range(Device)) {
    if (F.isDeclaration() || !mayCarry(F))
      continue;
    // Loops that are not rotated may be better as they are.
    ValueToValueMapTy Map;
    Function *Carried = CloneFunction(&F, Map);
    if (!carryIn(*Carried)) {
      Carried->eraseFromParent();
      continue;
    }
    Carried->removeFromParent();
    Device.getFunctionList().insert(F.getIterator(), Carried);
    Carried->takeName(&F);
    F.eraseFromParent();
  }
}

} // namespace polygpu
