//===- SinkConditions.cpp - Conditions on data move into loops ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/SinkConditions.h"
#include "prepare/OpenConditions.h"
#include "prepare/Predicate.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// Of one function, and blocks under one of them.
static const unsigned MaxConditions = 16, MaxBlocks = 64;

namespace polygpu {

namespace {

using BlockSet = SmallSetVector<BasicBlock *, 16>;

/// Blocks between \p Begin and \p End; false if one is not inside, as
/// "IsInside" says.
bool collectBlocks(BasicBlock *Begin, const BasicBlock *End,
                   function_ref<bool(const BasicBlock *)> IsInside,
                   BlockSet &Blocks) {
  Blocks.insert(Begin);
  for (unsigned I = 0; I < Blocks.size(); ++I) {
    if (!IsInside(Blocks[I]))
      return false;
    for (BasicBlock *Next : successors(Blocks[I]))
      if (Next != End)
        Blocks.insert(Next);
  }
  return true;
}

/// What is gone on one side of a condition only.
struct Arm {
  BasicBlock *Begin;
  bool Holds; ///< the side on which the condition holds
  BlockSet Blocks;
  BasicBlock *End = nullptr; ///< behind it, once it is always gone
};

/// Moves one condition.
class Sinker {
public:
  Sinker(BranchInst &Branch, BasicBlock &Exit, const LoopInfo &LI,
         ScalarEvolution &SE)
      : Branch(Branch), Loc(Branch.getDebugLoc()), Entry(*Branch.getParent()),
        Exit(Exit), LI(LI), SE(SE), L(*LI.getLoopFor(&Entry)) {}

  bool accept();
  SunkCondition run();
  bool contains(const BasicBlock *BB) const {
    return any_of(Arms, [&](const Arm &A) {
      return A.Blocks.contains(const_cast<BasicBlock *>(BB));
    });
  }

private:
  BranchInst &Branch; ///< until it is gone
  DebugLoc Loc;
  BasicBlock &Entry, &Exit;
  const LoopInfo &LI;
  ScalarEvolution &SE;
  const Loop &L;
  SmallVector<Arm, 2> Arms;
  /// What is not to be done where the condition does not hold, and what is
  /// computed from its results.
  using Instructions = SmallSetVector<Instruction *, 16>;
  Instructions Guarded, Unknown;
  /// What is used instead of results where it does not hold, if not poison.
  DenseMap<Instruction *, Value *> Instead;
  /// Phis of the exit that are so behind an arm, and what they are else.
  DenseMap<const PHINode *, std::pair<const Arm *, Value *>> Kept;
  SunkCondition Result;
  Value *Number = nullptr; ///< the condition

  bool findArms();
  bool isCounted() const;
  bool findGuarded();
  bool follow(Instructions &Results) const;
  bool isExit(const BasicBlock &BB) const;
  bool isWorthwhile();
  bool varies(const Value &Address, const Loop &In, const Loop &Outer);

  using Values = SmallSetVector<Value *, 8>;
  bool isKept(Value *V, Value *Old, Values &Found) const;
  PHINode *olderValue(Instruction &V, Value *Old, Values &Found) const;
  Value *otherOf(const PHINode &Phi, const Arm &A) const;
  bool keep(PHINode &Phi, const Arm &A);

  void join(Arm &A);
  void choose(PHINode &Phi);
  Value *ask(BasicBlock &BB, bool Holds);
  void protect(BasicBlock &BB, bool Holds);
  void moveUnder(BasicBlock &BB, Value *Holds,
                 ArrayRef<Instruction *> Instructions);
};

//===-- Which conditions --------------------------------------------------===//

bool Sinker::findArms() {
  for (unsigned S = 0; S < 2; ++S) {
    BasicBlock *Begin = Branch.getSuccessor(S);
    if (Begin == &Exit)
      continue;
    Arm A = {Begin, S == 0, {}};
    if (Begin->getSinglePredecessor() != &Entry ||
        !collectBlocks(
            Begin, &Exit,
            [&](const BasicBlock *BB) {
              return L.contains(BB) && BB != L.getHeader() && BB != &Entry &&
                     A.Blocks.size() <= MaxBlocks;
            },
            A.Blocks))
      return false;
    for (BasicBlock *BB : drop_begin(A.Blocks))
      for (BasicBlock *Before : predecessors(BB))
        if (!A.Blocks.contains(Before))
          return false;
    Arms.push_back(std::move(A));
  }
  return !Arms.empty() &&
         (Arms.size() == 1 || none_of(Arms[0].Blocks, [&](BasicBlock *BB) {
            return Arms[1].Blocks.contains(BB);
          }));
}

/// Is there a loop under the condition, and do all run as often whatever was
/// read in the loop around?
bool Sinker::isCounted() const {
  bool Any = false;
  for (const Arm &A : Arms)
    for (const BasicBlock *BB : A.Blocks) {
      const Loop *Inner = LI.getLoopFor(BB);
      if (Inner->getHeader() != BB)
        continue;
      const SCEV *Count = SE.getBackedgeTakenCount(Inner);
      if (isa<SCEVCouldNotCompute>(Count) ||
          SCEVExprContains(Count, [&](const SCEV *Part) {
            const auto *U = dyn_cast<SCEVUnknown>(Part);
            const auto *I = U ? dyn_cast<Instruction>(U->getValue()) : nullptr;
            return I && L.contains(I) && !isa<PHINode>(I);
          }))
        return false;
      Any = true;
    }
  return Any;
}

bool Sinker::findGuarded() {
  for (const Arm &A : Arms)
    for (BasicBlock *BB : A.Blocks) {
      if (!isa<BranchInst>(BB->getTerminator()))
        return false;
      for (Instruction &I : *BB) {
        if (isa<PHINode>(I) || I.isTerminator() ||
            (!I.mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(&I)))
          continue;
        if (!whyNotGuarded(I).empty())
          return false;
        Guarded.insert(&I);
      }
    }
  return true;
}

/// Does \p BB end a loop, or repeat one?
bool Sinker::isExit(const BasicBlock &BB) const {
  const Loop *Inner = LI.getLoopFor(&BB);
  return any_of(successors(&BB), [&](const BasicBlock *Next) {
    return !Inner->contains(Next) || Next == Inner->getHeader();
  });
}

/// Add what is computed from \p Results; false if a loop goes on by it.
bool Sinker::follow(Instructions &Results) const {
  for (unsigned I = 0; I < Results.size(); ++I)
    for (User *U : Results[I]->users())
      if (auto *User = cast<Instruction>(U); contains(User->getParent()))
        Results.insert(User);
  return none_of(Results, [&](const Instruction *I) {
    return I->isTerminator() && LI.getLoopFor(I->getParent()) != &L &&
           isExit(*I->getParent());
  });
}

/// Is \p Address another one in each iteration of \p In, or of a loop from
/// there to \p Outer?
bool Sinker::varies(const Value &Address, const Loop &In, const Loop &Outer) {
  const SCEV *E = SE.getSCEV(const_cast<Value *>(&Address));
  return SCEVExprContains(E, [&](const SCEV *Part) {
    if (const auto *Sum = dyn_cast<SCEVAddRecExpr>(Part))
      return Sum->getLoop()->contains(&In) && Outer.contains(Sum->getLoop());
    const auto *U = dyn_cast<SCEVUnknown>(Part);
    const auto *I = U ? dyn_cast<Instruction>(U->getValue()) : nullptr;
    return I && Outer.contains(I);
  });
}

/// The outermost loop around \p L, or \p L, of which the loops from there on
/// run a number of times that is known.
const Loop &outermostCounted(const Loop &L, ScalarEvolution &SE) {
  const Loop *Top = &L;
  while (const Loop *Parent = Top->getParentLoop()) {
    if (isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(Parent)))
      break;
    Top = Parent;
  }
  return *Top;
}

/// Iterations that write the same elements, and read nothing of their own, are
/// time steps: what is under the condition is better a nest by itself, with
/// results that stay on the device.
bool Sinker::isWorthwhile() {
  const Loop &Top = outermostCounted(L, SE);
  bool OwnStores = true, OwnLoads = false;
  for (const Instruction *I : Guarded) {
    const Value *Address = getLoadStorePointerOperand(I);
    if (!Address)
      continue;
    bool Own = varies(*Address, L, Top);
    const Loop *Inner = LI.getLoopFor(I->getParent());
    if (isa<StoreInst>(I))
      OwnStores &= Own;
    else
      OwnLoads |= Own && Inner != &L && varies(*Address, *Inner, *Inner);
  }
  return OwnStores || OwnLoads;
}

bool Sinker::accept() {
  return L.contains(&Exit) && &Exit != L.getHeader() && findArms() &&
         isCounted() && findGuarded() && isWorthwhile() &&
         follow(Unknown = Guarded);
}

//===-- What the condition chooses ----------------------------------------===//

/// Is \p V the value \p Old where the condition does not hold, if each guarded
/// value on the way is what it was before?  All that has to be is found.
bool Sinker::isKept(Value *V, Value *Old, Values &Found) const {
  if (V == Old || isa<UndefValue>(V) || Found.contains(V))
    return true;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !contains(I->getParent()))
    return false;
  Found.insert(I);
  auto *Phi = dyn_cast<PHINode>(I);
  return !Phi || all_of(Phi->incoming_values(), [&](const Use &U) {
    return isKept(U.get(), Old, Found);
  });
}

/// The variable that \p V, computed in its block, is a newer value of, or what
/// that is computed from: a phi that is \p Old, too, of its type, or null.
PHINode *Sinker::olderValue(Instruction &V, Value *Old, Values &Found) const {
  for (Value *Operand : V.operands()) {
    auto *I = dyn_cast<Instruction>(Operand);
    if (!I)
      continue;
    if (auto *Phi = dyn_cast<PHINode>(I)) {
      Values More = Found;
      if (Phi->getType() != Old->getType() || !isKept(Phi, Old, More))
        continue;
      Found = More;
      return Phi;
    }
    if (I->getParent() == V.getParent())
      if (PHINode *Older = olderValue(*I, Old, Found))
        return Older;
  }
  return nullptr;
}

/// What \p Phi of the exit is where \p A is not gone, if that is one value that
/// was known before; else null.
Value *Sinker::otherOf(const PHINode &Phi, const Arm &A) const {
  Value *Other = nullptr;
  for (unsigned N = 0; N < Phi.getNumIncomingValues(); ++N) {
    BasicBlock *From = Phi.getIncomingBlock(N);
    Value *V = Phi.getIncomingValue(N);
    if ((From != &Entry && !contains(From)) || A.Blocks.contains(From))
      continue;
    const auto *I = dyn_cast<Instruction>(V);
    if ((Other && V != Other) || (I && contains(I->getParent())))
      return nullptr;
    Other = V;
  }
  return Other;
}

/// Have a variable, which \p Phi is behind the condition, stay what it is in
/// all blocks of \p A if that is not gone, so that there is nothing to choose
/// behind.
bool Sinker::keep(PHINode &Phi, const Arm &A) {
  Value *Old = otherOf(Phi, A);
  Values Found;
  for (BasicBlock *Before : predecessors(&Exit))
    if (!Old || (A.Blocks.contains(Before) &&
                 !isKept(Phi.getIncomingValueForBlock(Before), Old, Found)))
      return false;
  MapVector<Instruction *, Value *> Own;
  for (unsigned N = 0; N < Found.size(); ++N)
    if (auto *I = cast<Instruction>(Found[N]); !isa<PHINode>(I)) {
      PHINode *Older = olderValue(*I, Old, Found);
      Own[I] = Older ? Older : Old;
      auto It = Instead.find(I);
      if (It != Instead.end() && It->second != Own[I])
        return false;
    }
  Instructions Results = Unknown;
  for (auto [I, V] : Own)
    Results.insert(I);
  if (!follow(Results))
    return false;
  Unknown = std::move(Results);
  for (auto [I, V] : Own)
    Instead[I] = V;
  Kept[&Phi] = {&A, Old};
  return true;
}

//===-- Moving it ---------------------------------------------------------===//

/// Is the condition such that the arm with "Holds" is gone?  At the end of
/// \p BB.
Value *Sinker::ask(BasicBlock &BB, bool Holds) {
  IRBuilder<> B(BB.getTerminator());
  B.SetCurrentDebugLocation(Loc);
  return B.CreateICmp(Holds ? CmpInst::ICMP_NE : CmpInst::ICMP_EQ, Number,
                      B.getInt8(0), "sunk");
}

/// Have \p A end in a block of its own, which is behind one where all its ways
/// meet: that one may become a part of the arm (Predication::add).
void Sinker::join(Arm &A) {
  auto NewBlock = [&](const Twine &Name, BasicBlock *Next) {
    auto *BB = BasicBlock::Create(Entry.getContext(), Entry.getName() + Name,
                                  Entry.getParent(), &Exit);
    BranchInst::Create(Next, BB)->setDebugLoc(Loc);
    return BB;
  };
  A.End = NewBlock(".sunk", &Exit);
  BasicBlock *Meet = NewBlock(".meet", A.End);
  SmallVector<BasicBlock *, 4> Before;
  for (BasicBlock *BB : predecessors(&Exit))
    if (A.Blocks.contains(BB) && !is_contained(Before, BB))
      Before.push_back(BB);
  for (PHINode &Phi : Exit.phis()) {
    PHINode *Own = PHINode::Create(Phi.getType(), Before.size(), Phi.getName(),
                                   Meet->begin());
    Own->setDebugLoc(Phi.getDebugLoc());
    for (BasicBlock *BB : Before)
      while (Phi.getBasicBlockIndex(BB) >= 0) {
        Own->addIncoming(Phi.getIncomingValueForBlock(BB), BB);
        Phi.removeIncomingValue(BB, /*DeletePHIIfEmpty=*/false);
      }
    Phi.addIncoming(Own, A.End);
  }
  for (BasicBlock *BB : Before)
    BB->getTerminator()->replaceSuccessorWith(&Exit, Meet);
}

/// What \p Phi of the exit is, behind both arms.
void Sinker::choose(PHINode &Phi) {
  Value *Of[2]; // where the condition holds, and where not
  for (Value *&V : Of)
    V = Phi.getBasicBlockIndex(&Entry) >= 0
            ? Phi.getIncomingValueForBlock(&Entry)
            : nullptr;
  for (const Arm &A : Arms)
    Of[A.Holds ? 0 : 1] = Phi.getIncomingValueForBlock(A.End);
  BasicBlock *Last = Arms.back().End;
  if (Phi.getBasicBlockIndex(&Entry) >= 0)
    Phi.removeIncomingValue(&Entry, /*DeletePHIIfEmpty=*/false);
  for (const Arm &A : Arms)
    Phi.removeIncomingValue(A.End, /*DeletePHIIfEmpty=*/false);
  Value *V = Of[0];
  if (auto [A, Old] = Kept.lookup(&Phi); A) {
    V = Of[A->Holds ? 0 : 1];
    Result.Ways[A - Arms.begin()].Kept.push_back(
        {WeakTrackingVH(V), WeakTrackingVH(Old)});
  } else if (Of[0] != Of[1]) {
    Value *Holds = ask(*Last, true);
    IRBuilder<> B(Last->getTerminator());
    B.SetCurrentDebugLocation(Phi.getDebugLoc());
    V = B.CreateSelect(Holds, Of[0], Of[1], Phi.getName());
  }
  Phi.addIncoming(V, Last);
}

/// Have \p Instructions of \p BB, in their order, be executed where \p Holds.
void Sinker::moveUnder(BasicBlock &BB, Value *Holds,
                       ArrayRef<Instruction *> Instructions) {
  BasicBlock *Behind = SplitBlock(&BB, BB.getTerminator());
  auto *Under = BasicBlock::Create(BB.getContext(), BB.getName() + ".under",
                                   BB.getParent(), Behind);
  BranchInst::Create(Behind, Under)->setDebugLoc(Loc);
  for (Instruction *I : Instructions)
    I->moveBefore(Under->getTerminator()->getIterator());
  BB.getTerminator()->eraseFromParent();
  BranchInst::Create(Under, Behind, Holds, &BB)->setDebugLoc(Loc);
  for (Instruction *I : Instructions) {
    if (none_of(I->users(), [&](const User *U) {
          return cast<Instruction>(U)->getParent() != Under;
        }))
      continue;
    PHINode *Phi =
        PHINode::Create(I->getType(), 2, I->getName(), Behind->begin());
    Phi->setDebugLoc(I->getDebugLoc());
    I->replaceUsesWithIf(Phi, [&](const Use &U) {
      return cast<Instruction>(U.getUser())->getParent() != Under;
    });
    Value *Other = Instead.lookup(I);
    Phi->addIncoming(I, Under);
    Phi->addIncoming(Other ? Other : PoisonValue::get(I->getType()), &BB);
  }
}

/// Have what \p BB does do no harm where its arm is not gone.
void Sinker::protect(BasicBlock &BB, bool Holds) {
  SmallVector<Instruction *, 8> Moved;
  bool Needed = false;
  for (Instruction &I : BB)
    if (!isa<PHINode>(I) && !I.isTerminator() && Unknown.contains(&I)) {
      Moved.push_back(&I);
      Needed |= Guarded.contains(&I) || Instead.count(&I);
    }
  auto *End = dyn_cast<BranchInst>(BB.getTerminator());
  const bool Asks = End->isConditional() && Unknown.contains(End);
  if (!Needed && !Asks)
    return;
  Value *Question = ask(BB, Holds);
  Result.Asked.push_back(WeakTrackingVH(Question));
  if (Needed)
    moveUnder(BB, Question, Moved);
  if (Asks) { // of a value that may be poison now
    IRBuilder<> B(End);
    End->setCondition(B.CreateLogicalAnd(Question, End->getCondition()));
  }
}

SunkCondition Sinker::run() {
  IRBuilder<> B(&Branch);
  Number = B.CreateZExt(Branch.getCondition(), B.getInt8Ty(), "sunk");
  Result.Condition = Number;
  Result.Ways.resize(Arms.size());
  for (PHINode &Phi : Exit.phis())
    for (const Arm &A : Arms)
      if (keep(Phi, A))
        break;
  for (Arm &A : Arms)
    join(A);
  for (PHINode &Phi : make_early_inc_range(Exit.phis()))
    choose(Phi);
  // One arm behind the other.
  BasicBlock *Before = &Entry;
  for (auto [A, Way] : zip(Arms, Result.Ways)) {
    Instruction *Old = Before->getTerminator();
    auto *To = BranchInst::Create(A.Begin, Old->getIterator());
    To->setDebugLoc(Old->getDebugLoc());
    Old->eraseFromParent();
    A.Begin->replacePhiUsesWith(&Entry, Before);
    Way.Before = To;
    Way.Holds = A.Holds;
    Before = A.End;
  }
  for (auto [A, Way] : zip(Arms, Result.Ways))
    Way.End = A.End;
  for (const Arm &A : Arms)
    for (BasicBlock *BB : A.Blocks)
      protect(*BB, A.Holds);
  return std::move(Result);
}

//===-- Looking for one ---------------------------------------------------===//

/// Is \p Condition one that Polly takes in \p Top, a comparison of counters and
/// of values from before?
bool isAffine(Value *Condition, const Loop &Top, ScalarEvolution &SE,
              unsigned Depth = 8) {
  Value *A, *B;
  if (isa<Constant>(Condition))
    return true;
  if (Depth && (match(Condition, m_LogicalAnd(m_Value(A), m_Value(B))) ||
                match(Condition, m_LogicalOr(m_Value(A), m_Value(B))) ||
                match(Condition, m_Xor(m_Value(A), m_Value(B)))))
    return isAffine(A, Top, SE, Depth - 1) && isAffine(B, Top, SE, Depth - 1);
  auto *Compare = dyn_cast<ICmpInst>(Condition);
  return Compare && all_of(Compare->operands(), [&](const Use &U) {
           return SE.isSCEVable(U->getType()) &&
                  !SCEVExprContains(SE.getSCEV(U.get()), [&](const SCEV *S) {
                    const auto *X = dyn_cast<SCEVUnknown>(S);
                    const auto *I =
                        X ? dyn_cast<Instruction>(X->getValue()) : nullptr;
                    return I && Top.contains(I);
                  });
         });
}

/// The branch at the end of \p BB, if a loop may be under it and both ways stay
/// in the loop around; else null.
BranchInst *conditionIn(BasicBlock &BB, const LoopInfo &LI,
                        ScalarEvolution &SE) {
  const Loop *L = LI.getLoopFor(&BB);
  auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
  if (!L || L->isInnermost() || !Branch || !Branch->isConditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1) ||
      any_of(successors(&BB),
             [&](const BasicBlock *Next) {
               return !L->contains(Next) || Next == L->getHeader();
             }) ||
      isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(L)))
    return nullptr;
  return isAffine(Branch->getCondition(), outermostCounted(*L, SE), SE)
             ? nullptr
             : Branch;
}

} // namespace

bool SunkConditions::addOne(Function &F, FunctionAnalysisManager &FAM) {
  const auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  SmallVector<Loop *, 4> Loops = LI.getLoopsInPreorder();
  // What is inside first: its code comes under the condition around, too.
  for (const Loop *L : reverse(Loops))
    for (BasicBlock *BB : L->blocks()) {
      BranchInst *Branch =
          LI.getLoopFor(BB) == L ? conditionIn(*BB, LI, SE) : nullptr;
      if (!Branch)
        continue;
      const auto &PDT = FAM.getResult<PostDominatorTreeAnalysis>(F);
      const DomTreeNode *Node = PDT.getNode(BB);
      BasicBlock *Exit =
          Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
      if (!Exit)
        continue;
      Sinker S(*Branch, *Exit, LI, SE);
      if (!S.accept())
        continue;
      for (SunkCondition &Inner : All)
        if (const auto *Before = dyn_cast_or_null<Instruction>(
                static_cast<Value *>(Inner.Ways[0].Before));
            Before && S.contains(Before->getParent()))
          Inner.Around.push_back(All.size());
      All.push_back(S.run());
      return true;
    }
  return false;
}

bool SunkConditions::add(Function &F, FunctionAnalysisManager &FAM) {
  openConditions(F, FAM, [&](BasicBlock &BB) {
    return conditionIn(BB, FAM.getResult<LoopAnalysis>(F),
                       FAM.getResult<ScalarEvolutionAnalysis>(F)) != nullptr;
  });
  while (All.size() < MaxConditions && addOne(F, FAM))
    FAM.invalidate(F, PreservedAnalyses::none());
  return !All.empty();
}

//===-- Moving it back ----------------------------------------------------===//

/// Have \p Branch, which always goes on, go to \p Otherwise where \p Holds is
/// not.  What \p Blocks compute is not known there, or what "Kept" says.
static void leaveOut(BranchInst &Branch, Value *Holds, BasicBlock &Otherwise,
                     const BlockSet &Blocks, const SunkCondition::Way &Way) {
  BasicBlock &From = *Branch.getParent();
  auto OtherOf = [&](Value *V) -> Value * {
    for (const auto &[Phi, Old] : Way.Kept)
      if (static_cast<Value *>(Phi) == V)
        return Old;
    return PoisonValue::get(V->getType());
  };
  for (PHINode &Phi : Otherwise.phis())
    Phi.addIncoming(OtherOf(&Phi), &From);
  BranchInst::Create(Branch.getSuccessor(0), &Otherwise, Holds,
                     Branch.getIterator())
      ->setDebugLoc(Branch.getDebugLoc());
  Branch.eraseFromParent();
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB) {
      SmallVector<Use *, 4> Behind;
      for (Use &U : I.uses()) {
        auto *User = cast<Instruction>(U.getUser());
        auto *Phi = dyn_cast<PHINode>(User);
        if (!Blocks.contains(Phi ? Phi->getIncomingBlock(U)
                                 : User->getParent()))
          Behind.push_back(&U);
      }
      if (Behind.empty())
        continue;
      SSAUpdater Updater;
      Updater.Initialize(I.getType(), I.getName());
      Updater.AddAvailableValue(BB, &I);
      Updater.AddAvailableValue(&From, OtherOf(&I));
      for (Use *U : Behind)
        Updater.RewriteUse(*U);
    }
}

/// \p V is true: have what asks for it and more ask for that alone, and
/// branches that ask for nothing be none.
static void holds(Instruction &V) {
  SmallVector<WeakVH, 2> Joined; // where conditions are around others
  for (User *U : V.users())
    if (match(U, m_LogicalAnd(m_Value(), m_Value())) && isa<SelectInst>(U))
      Joined.push_back(WeakVH(U));
  for (const WeakVH &Handle : Joined) {
    // One may be gone with another one that was joined with it.
    auto *Select = dyn_cast_or_null<SelectInst>(static_cast<Value *>(Handle));
    if (!Select)
      continue;
    Value *Other = Select->getCondition() == &V ? Select->getTrueValue()
                                                : Select->getCondition();
    if (Other == &V || match(Other, m_One())) {
      holds(*Select);
    } else {
      Select->replaceAllUsesWith(Other);
      Select->eraseFromParent();
    }
  }
  SmallVector<BasicBlock *, 2> Ends;
  for (User *U : V.users())
    if (auto *Branch = dyn_cast<BranchInst>(U))
      Ends.push_back(Branch->getParent());
  V.replaceAllUsesWith(ConstantInt::getTrue(V.getContext()));
  for (BasicBlock *BB : Ends)
    ConstantFoldTerminator(BB);
  V.eraseFromParent();
}

/// Behind its condition, what is inside need not be asked.
static void forgetQuestions(SunkCondition &C) {
  for (WeakTrackingVH &V : C.Asked)
    if (auto *Question = dyn_cast_or_null<Instruction>(static_cast<Value *>(V)))
      holds(*Question);
}

bool SunkConditions::restore(SunkCondition &C) {
  if (std::exchange(C.IsRestored, true))
    return IsPossible;
  for (unsigned Around : C.Around)
    restore(All[Around]);
  Value *Number = C.Condition;
  for (const SunkCondition::Way &Way : C.Ways) {
    auto *Before =
        dyn_cast_or_null<BranchInst>(static_cast<Value *>(Way.Before));
    auto *End = dyn_cast_or_null<BasicBlock>(static_cast<Value *>(Way.End));
    IsPossible &= Number && Before && !Before->isConditional() && End;
    if (!IsPossible)
      return false;
    BlockSet Blocks;
    collectBlocks(
        Before->getSuccessor(0), End, [](const BasicBlock *) { return true; },
        Blocks);
    IRBuilder<> B(Before);
    Value *Holds = B.CreateICmp(Way.Holds ? CmpInst::ICMP_NE : CmpInst::ICMP_EQ,
                                Number, B.getInt8(0));
    leaveOut(*Before, Holds, *End, Blocks, Way);
  }
  // What is inside may ask for conditions that were asked for under this one.
  forgetQuestions(C);
  return true;
}

/// The blocks from where \p C was asked to where its ways end.
static BlockSet blocksOf(const SunkCondition &C) {
  BlockSet Blocks;
  for (const SunkCondition::Way &Way : C.Ways) {
    auto *Before =
        dyn_cast_or_null<BranchInst>(static_cast<Value *>(Way.Before));
    auto *End = dyn_cast_or_null<BasicBlock>(static_cast<Value *>(Way.End));
    if (!Before || !End)
      return {};
    Blocks.insert(Before->getParent());
    Blocks.insert(End);
    BlockSet Own;
    collectBlocks(
        Before->getSuccessor(0), End, [](const BasicBlock *) { return true; },
        Own);
    Blocks.insert_range(Own);
  }
  return Blocks;
}

bool SunkConditions::restoreIn(const Region &R) {
  bool Any = false;
  for (SunkCondition &C : All)
    if (!C.IsRestored && any_of(blocksOf(C), [&](const BasicBlock *BB) {
          return R.contains(BB);
        }))
      Any |= restore(C);
  return Any;
}

bool SunkConditions::restoreUnless(const LoopInfo &LI,
                                   function_ref<bool(const Loop &)> IsInNest) {
  bool Any = false;
  for (SunkCondition &C : All) {
    const auto *Before =
        dyn_cast_or_null<Instruction>(static_cast<Value *>(C.Ways[0].Before));
    const Loop *L = Before ? LI.getLoopFor(Before->getParent()) : nullptr;
    if (!C.IsRestored && !(L && IsInNest(*L)))
      Any |= restore(C);
  }
  return Any;
}

bool SunkConditions::restorePartly(const Region &R, const LoopInfo &LI) {
  return restoreUnless(LI, [&](const Loop &L) {
    return R.contains(&L) || none_of(L.blocks(), [&](const BasicBlock *BB) {
             return R.contains(BB);
           });
  });
}

bool SunkConditions::restore(const Function &F) {
  if (All.empty())
    return true;
  for (SunkCondition &C : All)
    restore(C);
  All.clear();
  return IsPossible && !verifyFunction(F);
}

} // namespace polygpu
