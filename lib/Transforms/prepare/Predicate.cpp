//===- Predicate.cpp - Conditions on data become choices between values ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/Predicate.h"
#include "prepare/IndirectReads.h"
#include "prepare/IndirectUpdates.h"
#include "verify/Mutate.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// More blocks, instructions or ways under one condition stay as they are.
static const unsigned MaxBlocks = 64, MaxInstructions = 512, MaxWays = 16;

namespace polygpu {

//===-- Guards ------------------------------------------------------------===//

namespace {

/// A condition that holds, or one that does not.
struct Literal {
  WeakTrackingVH Condition; ///< phis become choices on the way
  bool Holds;
  Value *condition() const { return Condition; }
  bool operator==(const Literal &O) const {
    return condition() == O.condition() && Holds == O.Holds;
  }
};

/// Conditions in the order in which the program looks at them: of a later one
/// nothing is known unless the earlier ones hold.
using Way = SmallVector<Literal, 4>;

/// When something happens: one of the ways is gone.  One without conditions
/// means always.
struct Guard {
  SmallVector<Way, 2> Ways;

  static Guard always() { return {{Way()}}; }
  bool isAlways() const {
    return any_of(Ways, [](const Way &W) { return W.empty(); });
  }
  void add(const Guard &Other);
  bool asksFor(Value *Condition) const;
  bool covers(const Guard &Other) const;
  bool excludes(const Guard &Other) const;

private:
  bool joinOnce();
};

bool isPrefix(const Way &Short, const Way &Long) {
  return Short.size() <= Long.size() &&
         std::equal(Short.begin(), Short.end(), Long.begin());
}

/// Is it known that this holds where \p Other does?
bool Guard::covers(const Guard &Other) const {
  return all_of(Other.Ways, [&](const Way &Long) {
    return any_of(Ways,
                  [&](const Way &Short) { return isPrefix(Short, Long); });
  });
}

bool Guard::asksFor(Value *Condition) const {
  return any_of(Ways, [&](const Way &W) {
    return any_of(W,
                  [&](const Literal &L) { return L.condition() == Condition; });
  });
}

/// Is it known that not both hold?
bool Guard::excludes(const Guard &Other) const {
  return all_of(Ways, [&](const Way &A) {
    return all_of(Other.Ways, [&](const Way &B) {
      return any_of(A, [&](const Literal &L) {
        return any_of(B, [&](const Literal &M) {
          return L.condition() == M.condition() && L.Holds != M.Holds;
        });
      });
    });
  });
}

/// Two ways that differ in their last condition only are one without it.
bool Guard::joinOnce() {
  for (unsigned I = 0; I < Ways.size(); ++I)
    for (unsigned J = 0; J < Ways.size(); ++J) {
      if (I == J)
        continue;
      if (isPrefix(Ways[I], Ways[J])) {
        Ways.erase(Ways.begin() + J);
        return true;
      }
      const Way &A = Ways[I], &B = Ways[J];
      if (A.empty() || A.size() != B.size() ||
          !std::equal(A.begin(), A.end() - 1, B.begin()) ||
          A.back().condition() != B.back().condition())
        continue;
      Ways[I].pop_back();
      Ways.erase(&Ways[J]);
      return true;
    }
  return false;
}

void Guard::add(const Guard &Other) {
  append_range(Ways, Other.Ways);
  while (joinOnce())
    ;
}

/// Makes i1 values of guards where they are needed, each once in a block.
class GuardValues {
public:
  /// \p G in front of the builder's place, behind all it asks for.
  Value *get(IRBuilder<> &B, const Guard &G);

private:
  /// By the values of the conditions before, the condition, and its sense.
  DenseMap<std::pair<Value *, std::pair<Value *, unsigned>>, Value *> Known;

  Value *conjunction(IRBuilder<> &B, const Way &W);
  Value *make(Value *L, Value *R, unsigned Kind,
              function_ref<Value *()> Create);
};

Value *GuardValues::make(Value *L, Value *R, unsigned Kind,
                         function_ref<Value *()> Create) {
  Value *&V = Known[{L, {R, Kind}}];
  return V ? V : V = Create();
}

Value *GuardValues::conjunction(IRBuilder<> &B, const Way &W) {
  Value *All = nullptr;
  for (const Literal &L : W) {
    Value *V = L.condition();
    if (!L.Holds)
      V = make(V, nullptr, 0, [&, V] { return B.CreateNot(V); });
    // What is not looked at may be poison.
    All = All ? make(All, V, 1, [&, All] { return B.CreateLogicalAnd(All, V); })
              : V;
  }
  return All;
}

Value *GuardValues::get(IRBuilder<> &B, const Guard &G) {
  if (G.isAlways())
    return B.getTrue();
  Value *Any = nullptr;
  for (const Way &W : G.Ways) {
    Value *V = conjunction(B, W);
    Any = Any ? make(Any, V, 2, [&, Any] { return B.CreateLogicalOr(Any, V); })
              : V;
  }
  return Any;
}

//===-- What may be under a condition -------------------------------------===//

bool isDivision(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::SDiv:
  case Instruction::SRem:
  case Instruction::UDiv:
  case Instruction::URem:
    return true;
  default:
    return false;
  }
}

/// Calls that are guarded as loads are.
bool isPureCall(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->doesNotAccessMemory() && Call->doesNotThrow() &&
         Call->willReturn() && !Call->isConvergent() &&
         !Call->hasOperandBundles() && !Call->isInlineAsm();
}

/// What only tells the optimiser or a debugger something.
bool isHint(const Instruction &I) {
  return isa<AssumeInst>(I) || I.isDebugOrPseudoInst();
}

} // namespace

std::string whyNotGuarded(const Instruction &I) {
  if (isHint(I) || isa<PHINode>(I))
    return "";
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() ? "" : "a volatile or atomic variable is read";
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return Store->isSimple() ? "" : "a volatile or atomic variable is written";
  if (I.isTerminator())
    return isa<BranchInst, SwitchInst>(I) ? ""
                                          : "the code under it does not go on";
  if (isPureCall(I) || isDivision(I) || isSafeToSpeculativelyExecute(&I))
    return "";
  return isa<CallBase>(I) ? "a function with effects is called"
                          : "an operation cannot be done without it";
}

namespace {

/// Why \p I cannot be executed, or guarded, where the condition does not hold.
std::string refuse(const Instruction &I, const Predication &P) {
  return P.isGuarded(I) ? "it is inside of another one" : whyNotGuarded(I);
}

/// What is behind one condition, in an order that the branches allow.
struct Blocks {
  SmallVector<BasicBlock *, 8> Order;
  std::string WhyNot;
};

/// Visit what is behind \p BB first; false for a loop.
bool visit(BasicBlock *BB, const DataCondition &C,
           DenseMap<BasicBlock *, bool> &Done, Blocks &Result) {
  Done[BB] = false;
  for (BasicBlock *Next : successors(BB)) {
    if (Next == C.Exit)
      continue;
    auto It = Done.find(Next);
    if (It != Done.end() ? !It->second : !visit(Next, C, Done, Result))
      return false;
  }
  Done[BB] = true;
  Result.Order.push_back(BB);
  return Result.Order.size() <= MaxBlocks;
}

Blocks findBlocks(const DataCondition &C, const Predication &P) {
  Blocks Result;
  DenseMap<BasicBlock *, bool> Done;
  if (!visit(C.Entry, C, Done, Result)) {
    Result.WhyNot =
        Result.Order.size() > MaxBlocks
            ? "more than " + std::to_string(MaxBlocks) + " blocks are under it"
            : "a loop is under it";
    return Result;
  }
  std::reverse(Result.Order.begin(), Result.Order.end());
  unsigned Count = 0;
  for (BasicBlock *BB : drop_begin(Result.Order)) {
    for (BasicBlock *Before : predecessors(BB))
      if (!Done.count(Before))
        Result.WhyNot = "the code under it is reached in another way, too";
    for (const Instruction &I : *BB) {
      if (std::string Why = refuse(I, P); !Why.empty())
        Result.WhyNot = Why;
      ++Count;
    }
  }
  if (!isa<BranchInst, SwitchInst>(C.Entry->getTerminator()))
    Result.WhyNot = "the code under it does not go on";
  if (Count > MaxInstructions)
    Result.WhyNot = "more than " + std::to_string(MaxInstructions) +
                    " operations are under it";
  return Result;
}

/// Make a branch for each case of the switch at the end of \p BB.
void lowerSwitch(BasicBlock &BB) {
  auto *Switch = cast<SwitchInst>(BB.getTerminator());
  BasicBlock *From = &BB;
  auto Enter = [&](BasicBlock *To) {
    for (PHINode &Phi : To->phis())
      Phi.setIncomingBlock(Phi.getBasicBlockIndex(&BB), From);
  };
  SmallVector<std::pair<ConstantInt *, BasicBlock *>, 8> Cases;
  for (auto Case : Switch->cases())
    Cases.push_back({Case.getCaseValue(), Case.getCaseSuccessor()});
  BasicBlock *Default = Switch->getDefaultDest();
  Value *V = Switch->getCondition();
  DebugLoc Loc = Switch->getDebugLoc();
  Switch->eraseFromParent();
  // The first edge stays the block's own.
  for (auto [Number, To] : Cases) {
    auto *Next = BasicBlock::Create(BB.getContext(), BB.getName() + ".case",
                                    BB.getParent(), To);
    IRBuilder<> B(From);
    B.SetCurrentDebugLocation(Loc);
    B.CreateCondBr(B.CreateICmpEQ(V, Number), To, Next);
    Enter(To);
    From = Next;
  }
  IRBuilder<> B(From);
  B.SetCurrentDebugLocation(Loc);
  B.CreateBr(Default);
  Enter(Default);
}

} // namespace

//===-- Straight-line code ------------------------------------------------===//

/// Works on one function.
class Predicator {
public:
  explicit Predicator(Predication &P) : P(P) {}

  std::string linearise(const DataCondition &C,
                        function_ref<void(BasicBlock &)> Gone);
  /// Once all conditions of the function are gone.
  void finish();

private:
  /// What is known of the memory at an address.
  struct Content {
    Value *Address;
    Value *Is;           ///< where Where holds
    Guard Where;         ///< of a store: when it happens
    StoreInst *Store;    ///< null: from a load
    Value *Before;       ///< what was there before the store, or null
    bool Movable = true; ///< may the store happen later?
  };

  Predication &P;
  MapVector<Instruction *, Guard> Guards;
  SmallSetVector<BasicBlock *, 8> Changed;
  // Of one condition.
  DenseMap<BasicBlock *, Guard> Of;
  // Of one block.
  DenseMap<BasicBlock *, GuardValues> Values;
  SmallVector<Content, 8> Contents;

  Guard edge(BasicBlock *From, BasicBlock *To);
  Predication::FlagTest *testFor(const PHINode &Phi);
  static Guard without(const Predication::FlagTest *Test, const Guard &G);
  bool findGuards(ArrayRef<BasicBlock *> Order);
  void choose(BasicBlock *BB, ArrayRef<BasicBlock *> Order, BasicBlock *Entry);
  void moveTo(BasicBlock *Entry, BasicBlock *BB);
  void protect(Instruction &I, const Guard &G);

  void joinEqual(BasicBlock &BB);
  Guard guardOf(Instruction &I) const;
  Content *find(Value *Address, Type *Ty);
  void pass(Instruction &I, Value &Address);
  void clobber(Value *Address, const Guard &G);
  bool widen(Content &Known, const Guard &G);
  bool follow(LoadInst &Load);
  void follow(const CallInst &Read);
  void follow(StoreInst &Store);
  void guard(StoreInst &Store, Content &C);
  void guardAccesses(BasicBlock &BB);
  void passTruths(BasicBlock &From, BasicBlock &To);
  void readAgain(BasicBlock &BB);
  void separate(BasicBlock &BB);
  void note(Instruction &I, Value *Condition);
};

Guard Predicator::edge(BasicBlock *From, BasicBlock *To) {
  Guard G = Of[From];
  auto *Branch = cast<BranchInst>(From->getTerminator());
  if (Branch->isConditional() &&
      Branch->getSuccessor(0) != Branch->getSuccessor(1))
    for (Way &W : G.Ways)
      W.push_back({Branch->getCondition(), Branch->getSuccessor(0) == To});
  return G;
}

/// When each block is executed; false if that is too complex.
bool Predicator::findGuards(ArrayRef<BasicBlock *> Order) {
  Of.clear();
  Of[Order[0]] = Guard::always();
  for (BasicBlock *BB : Order) {
    auto *Branch = cast<BranchInst>(BB->getTerminator());
    if (Branch->isConditional() && isa<Constant>(Branch->getCondition()))
      return false;
    if (BB == Order[0])
      continue;
    SmallPtrSet<BasicBlock *, 4> Seen;
    Guard G;
    for (BasicBlock *Before : predecessors(BB))
      if (Seen.insert(Before).second)
        G.add(edge(Before, BB));
    if (G.Ways.size() > MaxWays)
      return false;
    Of[BB] = G;
  }
  return true;
}

/// The test of a flag that is no matter for \p Phi, or null.
Predication::FlagTest *Predicator::testFor(const PHINode &Phi) {
  for (Predication::FlagTest &T : P.Tests)
    if (any_of(T.Free, [&](const WeakVH &V) { return V == &Phi; }))
      return &T;
  return nullptr;
}

/// When \p G holds where the flag of \p Test is unset.
Guard Predicator::without(const Predication::FlagTest *Test, const Guard &G) {
  if (!Test)
    return G;
  Guard Rest;
  for (Way W : G.Ways) {
    bool IsSet = any_of(W, [&](const Literal &L) {
      return L.condition() == Test->Test && L.Holds != Test->HoldsUnset;
    });
    erase_if(W, [&](const Literal &L) { return L.condition() == Test->Test; });
    if (!IsSet)
      Rest.Ways.push_back(W);
  }
  return Rest;
}

/// The phis of \p BB become choices at the end of \p Entry.
void Predicator::choose(BasicBlock *BB, ArrayRef<BasicBlock *> Order,
                        BasicBlock *Entry) {
  IRBuilder<> B(Entry->getTerminator());
  for (PHINode &Phi : make_early_inc_range(BB->phis())) {
    Value *V = nullptr;
    SmallVector<BasicBlock *, 4> From;
    for (BasicBlock *Before : Order)
      if (Phi.getBasicBlockIndex(Before) >= 0 &&
          is_contained(successors(Before), BB))
        From.push_back(Before);
    B.SetCurrentDebugLocation(Phi.getDebugLoc());
    Predication::FlagTest *Test = testFor(Phi);
    for (BasicBlock *Before : From) {
      Value *Incoming = Phi.getIncomingValueForBlock(Before);
      Guard G = without(Test, edge(Before, BB));
      if (G.Ways.empty()) // any value will do
        continue;
      if (!V || V == Incoming || isa<PoisonValue>(V) || G.isAlways())
        V = Incoming;
      else if (!isa<PoisonValue>(Incoming)) // else any value will do
        V = B.CreateSelect(Values[Entry].get(B, G), Incoming, V, Phi.getName());
    }
    if (!V)
      V = PoisonValue::get(Phi.getType());
    if (Test && Test->Free.front() == &Phi)
      Test->Step = V;
    if (Of.count(BB) && BB != Entry) {
      Phi.replaceAllUsesWith(V);
      Phi.eraseFromParent();
      continue;
    }
    // Of the exit, which others may reach as well.
    for (BasicBlock *Before : From)
      while (Phi.getBasicBlockIndex(Before) >= 0)
        Phi.removeIncomingValue(Before, /*DeletePHIIfEmpty=*/false);
    Phi.addIncoming(V, Entry);
  }
}

/// Have \p I do no harm where \p G does not hold.
void Predicator::protect(Instruction &I, const Guard &G) {
  if (G.isAlways())
    return;
  I.dropDbgRecords();
  I.dropUBImplyingAttrsAndMetadata();
  if (isa<LoadInst, StoreInst>(I) || isPureCall(I)) {
    if (!isa<CallInst>(I) || !isSafeToSpeculativelyExecute(&I))
      Guards[&I] = G;
  } else if (isDivision(I) && !isSafeToSpeculativelyExecute(&I)) {
    IRBuilder<> B(&I);
    Value *By = I.getOperand(1);
    I.setOperand(1, B.CreateSelect(Values[I.getParent()].get(B, G), By,
                                   ConstantInt::get(By->getType(), 1)));
  }
}

void Predicator::moveTo(BasicBlock *Entry, BasicBlock *BB) {
  for (Instruction &I : make_early_inc_range(*BB)) {
    if (I.isTerminator())
      break;
    if (isHint(I)) {
      I.eraseFromParent();
      continue;
    }
    I.moveBefore(Entry->getTerminator()->getIterator());
    protect(I, Of[BB]);
  }
}

/// Why it was not possible, or "".
std::string Predicator::linearise(const DataCondition &C,
                                  function_ref<void(BasicBlock &)> Gone) {
  Blocks Found = findBlocks(C, P);
  if (!Found.WhyNot.empty())
    return Found.WhyNot;
  for (BasicBlock *BB : Found.Order)
    if (isa<SwitchInst>(BB->getTerminator()))
      lowerSwitch(*BB);
  Found = findBlocks(C, P);
  if (!Found.WhyNot.empty())
    return Found.WhyNot;
  if (!findGuards(Found.Order))
    return "there are more than " + std::to_string(MaxWays) +
           " ways through the code under it";
  for (BasicBlock *BB : drop_begin(Found.Order)) {
    choose(BB, Found.Order, C.Entry);
    moveTo(C.Entry, BB);
  }
  choose(C.Exit, Found.Order, C.Entry);
  Instruction *Old = C.Entry->getTerminator();
  BranchInst::Create(C.Exit, Old->getIterator())
      ->setDebugLoc(Old->getDebugLoc());
  Old->eraseFromParent();
  for (BasicBlock *BB : drop_begin(Found.Order))
    BB->dropAllReferences();
  for (BasicBlock *BB : drop_begin(Found.Order)) {
    Gone(*BB);
    BB->eraseFromParent();
  }
  if (C.Exit->getSinglePredecessor() == C.Entry) {
    Changed.remove(C.Exit);
    Gone(*C.Exit);
    MergeBlockIntoPredecessor(C.Exit);
  }
  Values.clear();
  Changed.insert(C.Entry);
  return "";
}

//===-- Accesses in straight-line code ------------------------------------===//

/// Addresses that are computed twice are one value.
void Predicator::joinEqual(BasicBlock &BB) {
  SmallVector<Instruction *, 32> Seen;
  for (Instruction &I : make_early_inc_range(BB)) {
    if (!isa<GetElementPtrInst, CastInst>(I) &&
        !(isa<BinaryOperator>(I) && I.getType()->isIntegerTy() &&
          !isDivision(I)))
      continue;
    auto *Same = llvm::find_if(Seen, [&](Instruction *Other) {
      return Other->isIdenticalToWhenDefined(&I);
    });
    if (Same == Seen.end()) {
      Seen.push_back(&I);
      continue;
    }
    (*Same)->andIRFlags(&I);
    I.replaceAllUsesWith(*Same);
    I.eraseFromParent();
  }
}

Guard Predicator::guardOf(Instruction &I) const {
  auto It = Guards.find(&I);
  return It == Guards.end() ? Guard::always() : It->second;
}

Predicator::Content *Predicator::find(Value *Address, Type *Ty) {
  auto *Found = find_if(Contents, [&](const Content &C) {
    return C.Address == Address && C.Is->getType() == Ty;
  });
  return Found == Contents.end() ? nullptr : Found;
}

/// Objects that are known to be different.  What only the run-time condition
/// says does not count: it does not hold for the original loops.
static bool mayOverlap(Value *A, Value *B) {
  const Value *OfA = getUnderlyingObject(A), *OfB = getUnderlyingObject(B);
  return OfA == OfB || !isIdentifiedObject(OfA) || !isIdentifiedObject(OfB);
}

/// Nothing is known of the access \p I to \p Address: others stay on their
/// side of it.
void Predicator::pass(Instruction &I, Value &Address) {
  erase_if(Contents, [&](const Content &C) {
    return (C.Store || isa<StoreInst>(I)) && mayOverlap(C.Address, &Address);
  });
}

/// Something is written to \p Address where \p G holds.
void Predicator::clobber(Value *Address, const Guard &G) {
  for (unsigned I = Contents.size(); I-- > 0;) {
    Content &C = Contents[I];
    if (C.Address == Address || !mayOverlap(C.Address, Address))
      continue;
    C.Before = nullptr;
    if (!C.Store || !G.excludes(C.Where))
      Contents.erase(Contents.begin() + I);
  }
}

/// Have \p Known, a load, happen where \p G holds, too, if what that asks for
/// is known there.
bool Predicator::widen(Content &Known, const Guard &G) {
  auto *Load = Known.Store ? nullptr : dyn_cast<LoadInst>(Known.Is);
  auto It = Load ? Guards.find(Load) : Guards.end();
  if (It == Guards.end())
    return false;
  for (const Way &W : G.Ways)
    for (const Literal &L : W)
      if (!Known.Where.asksFor(L.condition()))
        return false;
  Known.Where.add(G);
  It->second = Known.Where;
  if (Known.Where.isAlways())
    Guards.erase(Load);
  return true;
}

/// Use what is known instead of loading it; false if it has to be loaded.
bool Predicator::follow(LoadInst &Load) {
  Value *Address = Load.getPointerOperand();
  Guard G = guardOf(Load);
  Content *Known = find(Address, Load.getType());
  if (Known && (Known->Where.covers(G) || widen(*Known, G))) {
    Load.replaceAllUsesWith(Known->Is);
    Guards.erase(&Load);
    Load.eraseFromParent();
    return true;
  }
  for (Content &C : Contents)
    if (C.Store && mayOverlap(C.Address, Address) && !G.excludes(C.Where))
      C.Movable = false;
  if (!Known)
    Contents.push_back({Address, &Load, G, nullptr, nullptr});
  return false;
}

/// What \p Read may read stays where it is, as far as the host's memory goes:
/// on the device nothing that it reads is written.
void Predicator::follow(const CallInst &Read) {
  auto It = Guards.find(const_cast<CallInst *>(&Read));
  Guard G = It == Guards.end() ? Guard::always() : It->second;
  for (Content &C : Contents)
    if (C.Store && !G.excludes(C.Where) &&
        any_of(Read.args(), [&](const Use &U) {
          return U->getType()->isPointerTy() && mayOverlap(C.Address, U.get());
        }))
      C.Movable = false;
}

/// What a store leaves, together with one to the same place before.
void Predicator::follow(StoreInst &Store) {
  Value *Address = Store.getPointerOperand(), *V = Store.getValueOperand();
  Guard G = guardOf(Store);
  clobber(Address, G);
  // Of another type.
  erase_if(Contents, [&](const Content &C) {
    return C.Address == Address && C.Is->getType() != V->getType();
  });
  Content *Known = find(Address, V->getType());
  if (!Known) {
    Contents.push_back({Address, V, G, &Store, nullptr});
    return;
  }
  if (!Known->Store) { // read before
    *Known = {Address, V, G, &Store, Known->Is};
    return;
  }
  if (!Known->Movable && !Known->Where.isAlways()) {
    *Known = {Address, V, G, &Store, nullptr};
    return;
  }
  if (!G.covers(Known->Where)) {
    IRBuilder<> B(&Store);
    V = B.CreateSelect(Values[Store.getParent()].get(B, G), V, Known->Is);
  }
  Guard Both = Known->Where;
  Both.add(G);
  // Else this one writes once more what is there, if it has nothing to do.
  if (Known->Movable) {
    Guards.erase(Known->Store);
    Known->Store->eraseFromParent();
  }
  Guards.erase(&Store);
  if (!Both.isAlways())
    Guards[&Store] = Both;
  Store.setOperand(0, V);
  *Known = {Address, V, Both, &Store, Known->Before};
}

void Predicator::note(Instruction &I, Value *Condition) {
  P.Places[&I] = P.List.size();
  P.List.push_back({WeakVH(&I), WeakTrackingVH(Condition)});
}

/// The store always happens, and leaves what was there where \p C does not say
/// otherwise.
void Predicator::guard(StoreInst &Store, Content &C) {
  IRBuilder<> B(&Store);
  Value *Condition = Values[Store.getParent()].get(B, C.Where);
  Value *Old = C.Before;
  if (!Old) {
    auto *Load =
        B.CreateAlignedLoad(C.Is->getType(), C.Address, Store.getAlign());
    note(*Load, Condition);
    Old = Load;
  }
  Store.setOperand(0, B.CreateSelect(Condition, C.Is, Old));
  note(Store, Condition);
}

/// Stores get what was there before, and nothing is loaded that is known.
void Predicator::guardAccesses(BasicBlock &BB) {
  Contents.clear();
  MapVector<StoreInst *, Value *> Before;
  for (Instruction &I : make_early_inc_range(BB)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    auto *Store = dyn_cast<StoreInst>(&I);
    if ((Load || Store) && P.isGuarded(I)) {
      // By an earlier call of add, under a guard that is not known here.
      pass(I, *getLoadStorePointerOperand(&I));
    } else if (Load && Load->isSimple()) {
      follow(*Load);
    } else if (Store && Store->isSimple()) {
      follow(*Store);
      Before[Store] =
          find(Store->getPointerOperand(), Store->getValueOperand()->getType())
              ->Before;
    } else if (indirectUpdate(&I)) { // which is said to access nothing
      Contents.clear();
    } else if (const CallInst *Read = indirectRead(&I)) {
      follow(*Read);
    } else if (I.mayReadOrWriteMemory() || I.mayHaveSideEffects()) {
      Contents.clear();
    }
  }
  Values.clear(); // these are made from the beginning on again
  for (Instruction &I : make_early_inc_range(BB)) {
    auto It = Guards.find(&I);
    if (It == Guards.end())
      continue;
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      if (isMutated(Mutation::Once, BB.getParent()->getName().str()))
        continue;
      Content C = {Store->getPointerOperand(), Store->getValueOperand(),
                   It->second, Store, Before.lookup(Store)};
      guard(*Store, C);
      continue;
    }
    IRBuilder<> B(&I);
    note(I, Values[&BB].get(B, It->second));
  }
}

/// An index as a value and a constant that is added to it.
static std::pair<Value *, int64_t> indexOf(Value *V) {
  Value *X;
  const APInt *Offset;
  if (match(V, m_Add(m_Value(X), m_APInt(Offset))) ||
      match(V, m_DisjointOr(m_Value(X), m_APInt(Offset))))
    return {X, Offset->getSExtValue()};
  return {V, 0};
}

/// Is what \p Store writes beside what \p Load reads, by constant distances
/// from one place, as parts of complex numbers are?
static bool areBeside(StoreInst &Store, LoadInst &Load) {
  const DataLayout &DL = Store.getDataLayout();
  Value *A = Store.getPointerOperand(), *B = Load.getPointerOperand();
  unsigned Bits = DL.getIndexTypeSizeInBits(A->getType());
  if (Bits != DL.getIndexTypeSizeInBits(B->getType()))
    return false;
  APInt To(Bits, 0), From(Bits, 0);
  TypeSize Written = DL.getTypeStoreSize(Store.getValueOperand()->getType());
  TypeSize Read = DL.getTypeStoreSize(Load.getType());
  if (Written.isScalable() || Read.isScalable() ||
      A->stripAndAccumulateConstantOffsets(DL, To, /*AllowNonInbounds=*/true) !=
          B->stripAndAccumulateConstantOffsets(DL, From,
                                               /*AllowNonInbounds=*/true))
    return false;
  // Modulo 2^64, as addresses are.
  return (From - To).uge(Written.getFixedValue()) &&
         (To - From).uge(Read.getFixedValue());
}

/// May subscripts of one array be of one element?
static bool mayBeSameElement(Value *A, Value *B) {
  const auto *G = dyn_cast<GEPOperator>(A), *H = dyn_cast<GEPOperator>(B);
  if (!G || !H || G->getPointerOperand() != H->getPointerOperand() ||
      G->getSourceElementType() != H->getSourceElementType() ||
      G->getNumIndices() != H->getNumIndices())
    return true;
  bool Differ = false;
  for (auto [I, J] : zip(G->indices(), H->indices())) {
    auto [X, Offset] = indexOf(I.get());
    auto [Y, Other] = indexOf(J.get());
    if (X != Y)
      return true;
    Differ |= Offset != Other;
  }
  return !Differ;
}

/// Truth values are no elements of memory: what goes from one statement to
/// another is a number.
void Predicator::passTruths(BasicBlock &From, BasicBlock &To) {
  // A loop goes on by a comparison of counters, which is no data.
  auto *Branch = dyn_cast<BranchInst>(To.getTerminator());
  if (Branch && Branch->isConditional())
    if (auto *Test = dyn_cast<ICmpInst>(Branch->getCondition());
        Test && Test->getParent() == &From) {
      auto *Own = Test->clone();
      Own->insertBefore(Branch->getIterator());
      Branch->setCondition(Own);
    }
  IRBuilder<> End(From.getTerminator());
  IRBuilder<> Begin(&*To.getFirstInsertionPt());
  for (Instruction &I : make_early_inc_range(From)) {
    if (!I.getType()->isIntegerTy(1) || none_of(I.users(), [&](const User *U) {
          return cast<Instruction>(U)->getParent() != &From;
        }))
      continue;
    Value *Truth = Begin.CreateICmpNE(End.CreateZExt(&I, End.getInt8Ty()),
                                      Begin.getInt8(0), I.getName());
    I.replaceUsesWithIf(Truth, [&](const Use &U) {
      const auto *User = cast<Instruction>(U.getUser());
      return User->getParent() != &From && User != Truth;
    });
    for (Predication::Guarded &G : P.List)
      if (G.At && G.Guard == &I &&
          cast<Instruction>(static_cast<Value *>(G.At))->getParent() != &From)
        G.Guard = Truth;
  }
}

/// What a store leaves is read by its own statement.
void Predicator::readAgain(BasicBlock &BB) {
  for (Instruction &I : BB) {
    auto *Store = dyn_cast<StoreInst>(&I);
    Value *Condition = Store ? P.guardOf(*Store) : nullptr;
    auto *Choice =
        Condition ? dyn_cast<SelectInst>(Store->getValueOperand()) : nullptr;
    auto *Old = Choice ? dyn_cast<LoadInst>(Choice->getFalseValue()) : nullptr;
    if (!Old || Old->getParent() == &BB ||
        Old->getPointerOperand() != Store->getPointerOperand())
      continue;
    auto *Load = IRBuilder<>(Choice).CreateAlignedLoad(
        Old->getType(), Old->getPointerOperand(), Store->getAlign());
    note(*Load, Condition);
    Choice->setFalseValue(Load);
  }
}

/// The model has all reads of a statement in front of its writes: a load of an
/// element that may have been stored begins a block, and so a statement.
void Predicator::separate(BasicBlock &BB) {
  SmallVector<StoreInst *, 4> Stores;
  for (Instruction &I : BB) {
    if (auto *Store = dyn_cast<StoreInst>(&I))
      Stores.push_back(Store);
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || none_of(Stores, [&](StoreInst *Store) {
          Value *Written = Store->getPointerOperand();
          Value *Read = Load->getPointerOperand();
          return getUnderlyingObject(Written) == getUnderlyingObject(Read) &&
                 !areBeside(*Store, *Load) && mayBeSameElement(Written, Read);
        }))
      continue;
    // What is behind belongs to the region as well, and a block that returns
    // cannot: an address from here would be a result.
    if (succ_empty(&BB))
      SplitBlock(&BB, BB.getTerminator());
    BasicBlock *Next = SplitBlock(&BB, Load);
    passTruths(BB, *Next);
    readAgain(*Next);
    separate(*Next);
    return;
  }
}

void Predicator::finish() {
  for (BasicBlock *BB : Changed) {
    Values.clear();
    joinEqual(*BB);
    guardAccesses(*BB);
    separate(*BB);
  }
}

//===-- The function ------------------------------------------------------===//

unsigned Predication::add(ArrayRef<DataCondition> Conditions,
                          std::string &WhyNot,
                          function_ref<void(BasicBlock &)> Gone) {
  Predicator Work(*this);
  unsigned Count = 0;
  // The block where one begins may be the exit of the one before.
  for (const DataCondition &C : reverse(Conditions)) {
    std::string Why = Work.linearise(C, Gone);
    if (!Why.empty())
      WhyNot = Why;
    Count += Why.empty();
  }
  Work.finish();
  return Count;
}

bool Predication::isGuarded(const Instruction &I) const {
  auto It = Places.find(&I);
  return It != Places.end() && List[It->second].At == &I;
}

Value *Predication::guardOf(const Instruction &I) const {
  return isGuarded(I) ? static_cast<Value *>(List[Places.lookup(&I)].Guard)
                      : nullptr;
}

void Predication::addTest(Value &Test, bool HoldsUnset,
                          ArrayRef<PHINode *> Free) {
  Tests.push_back({WeakTrackingVH(&Test), HoldsUnset, {}, {}});
  for (PHINode *Phi : Free)
    Tests.back().Free.push_back(WeakVH(Phi));
}

bool Predication::isTest(const Value &V) const {
  return any_of(Tests, [&](const FlagTest &T) { return T.Test == &V; });
}

/// What sets a flag is computed from what is read under its test, and poison
/// without: it is looked at where the test holds.
bool Predication::restoreTests() {
  for (const FlagTest &T : Tests) {
    auto *Step = dyn_cast_or_null<Instruction>(static_cast<Value *>(T.Step));
    if (!Step || Step->use_empty())
      continue;
    auto *Test = dyn_cast_or_null<Instruction>(static_cast<Value *>(T.Test));
    if (!Test || isa<PHINode>(Step) ||
        (Test->getParent() == Step->getParent()
             ? !Test->comesBefore(Step)
             : !DominatorTree(*Step->getFunction()).dominates(Test, Step)))
      return false;
    IRBuilder<> B(Step->getNextNode());
    Value *None = Constant::getNullValue(Step->getType());
    auto *Choice = B.CreateSelect(Test, T.HoldsUnset ? Step : None,
                                  T.HoldsUnset ? None : Step);
    Step->replaceUsesWithIf(
        Choice, [&](const Use &U) { return U.getUser() != Choice; });
  }
  Tests.clear();
  return true;
}

/// A block for \p I that is executed where \p Condition holds.
static void putBehind(Instruction &I, Value *Condition) {
  BasicBlock *Before = I.getParent();
  Instruction *End =
      SplitBlockAndInsertIfThen(Condition, I.getIterator(), false);
  if (!I.getType()->isVoidTy()) {
    PHINode *Phi =
        PHINode::Create(I.getType(), 2, I.getName(), I.getParent()->begin());
    Phi->setDebugLoc(I.getDebugLoc());
    I.replaceAllUsesWith(Phi);
    Phi->addIncoming(&I, End->getParent());
    Phi->addIncoming(PoisonValue::get(I.getType()), Before);
  }
  End->setDebugLoc(I.getDebugLoc());
  I.moveBefore(End->getIterator());
}

bool Predication::restore() {
  for (const Guarded &G : List)
    if (G.At && !G.Guard)
      return false;
  if (!restoreTests())
    return false;
  // What was stored where the condition does not hold is of no use.
  for (const Guarded &G : List)
    if (auto *Store = dyn_cast_or_null<StoreInst>(static_cast<Value *>(G.At)))
      if (auto *Choice = dyn_cast<SelectInst>(Store->getValueOperand());
          Choice && Choice->getCondition() == G.Guard) {
        auto *Old = dyn_cast<LoadInst>(Choice->getFalseValue());
        Store->setOperand(0, Choice->getTrueValue());
        if (Choice->use_empty())
          Choice->eraseFromParent();
        if (Old && Old->use_empty())
          Old->eraseFromParent();
      }
  for (const Guarded &G : List)
    if (auto *I = dyn_cast_or_null<Instruction>(static_cast<Value *>(G.At))) {
      putBehind(*I, G.Guard);
      // It may stand for several, with types of their own.
      for (unsigned Kind : {LLVMContext::MD_tbaa, LLVMContext::MD_tbaa_struct})
        I->setMetadata(Kind, nullptr);
    }
  List.clear();
  Places.clear();
  return true;
}

} // namespace polygpu
