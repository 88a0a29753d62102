//===- OpenConditions.cpp - Conditions around loops, one by one -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/OpenConditions.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace polygpu {

/// Have \p BB ask for one destination of its switch after the other, if a loop
/// may be behind one.
static bool openSwitch(BasicBlock &BB, const LoopInfo &LI,
                       const DominatorTree &DT) {
  const Loop *L = LI.getLoopFor(&BB);
  auto *Switch = dyn_cast<SwitchInst>(BB.getTerminator());
  if (!L || L->isInnermost() || !Switch ||
      any_of(successors(&BB),
             [&](const BasicBlock *Next) {
               return !L->contains(Next) || Next == L->getHeader();
             }) ||
      none_of(L->getSubLoops(), [&](const Loop *Inner) {
        return DT.dominates(&BB, Inner->getHeader());
      }))
    return false;
  BasicBlock *Default = Switch->getDefaultDest(), *From = &BB;
  MapVector<BasicBlock *, Value *> Tests;
  IRBuilder<> B(Switch);
  for (auto Case : Switch->cases()) {
    if (Case.getCaseSuccessor() == Default)
      continue;
    Value *Equal = B.CreateICmpEQ(Switch->getCondition(), Case.getCaseValue());
    Value *&Any = Tests[Case.getCaseSuccessor()];
    Any = Any ? B.CreateOr(Any, Equal) : Equal;
  }
  auto Enter = [&](BasicBlock *To) {
    for (PHINode &Phi : To->phis()) {
      Value *V = Phi.getIncomingValueForBlock(&BB);
      while (Phi.getBasicBlockIndex(&BB) >= 0)
        Phi.removeIncomingValue(&BB, /*DeletePHIIfEmpty=*/false);
      Phi.addIncoming(V, From);
    }
  };
  DebugLoc Loc = Switch->getDebugLoc();
  Switch->eraseFromParent();
  for (auto [To, Test] : Tests) {
    auto *Next = BasicBlock::Create(BB.getContext(), BB.getName() + ".case",
                                    BB.getParent(), To);
    BranchInst::Create(To, Next, Test, From)->setDebugLoc(Loc);
    Enter(To);
    From = Next;
  }
  BranchInst::Create(Default, From)->setDebugLoc(Loc);
  Enter(Default);
  return true;
}

namespace {
/// Blocks of which each goes to another one, to a loop, or past it.
struct Conditions {
  SmallVector<BasicBlock *, 8> Blocks; ///< the first one is in front of all
  BasicBlock *Else = nullptr;
};
} // namespace

/// More blocks are not joined.
static const unsigned MaxConditions = 16;

/// What decides whether the program goes to \p BB, as in "(a && b) || c", also
/// where it does something on one of the ways, as a case of a switch that falls
/// through; no blocks if there are other ways.
static Conditions conditionsOf(BasicBlock &BB, const Loop &L,
                               const LoopInfo &LI, const DominatorTree &DT) {
  Conditions C;
  BasicBlock *First = nullptr;
  for (BasicBlock *Before : predecessors(&BB))
    First = First ? DT.findNearestCommonDominator(First, Before) : Before;
  C.Blocks.push_back(First);
  auto Add = [&](BasicBlock *New) {
    if (!is_contained(C.Blocks, New))
      C.Blocks.push_back(New);
  };
  for (BasicBlock *Before : predecessors(&BB))
    Add(Before);
  for (unsigned N = 1; N < C.Blocks.size() && N < MaxConditions; ++N)
    for (BasicBlock *Before : predecessors(C.Blocks[N]))
      Add(Before);
  bool Fits = C.Blocks.size() <= MaxConditions;
  for (BasicBlock *Block : C.Blocks) {
    Fits = Fits && L.contains(Block) && DT.dominates(First, Block) &&
           isa<BranchInst>(Block->getTerminator()) &&
           (Block == First || Block != L.getHeader());
    for (BasicBlock *Next : successors(Block))
      if (Fits && Next != &BB && !is_contained(C.Blocks, Next)) {
        Fits = !C.Else || C.Else == Next;
        C.Else = Next;
      }
  }
  // No loop among the blocks is left in another way than to a block behind it.
  for (BasicBlock *Block : C.Blocks)
    Fits = Fits && (LI.getLoopFor(Block) == &L ||
                    (!is_contained(successors(Block), &BB) &&
                     !is_contained(successors(Block), C.Else)));
  if (!Fits || !C.Else || C.Else == L.getHeader() || !L.contains(C.Else))
    C.Blocks.clear();
  return C;
}

/// What \p Phi is on the ways from \p Old it is on the one from \p Join, to
/// which all \p Ways lead.
static void movePhi(PHINode &Phi, ArrayRef<BasicBlock *> Old, BasicBlock &Join,
                    ArrayRef<BasicBlock *> Ways) {
  auto *Own = PHINode::Create(Phi.getType(), Ways.size(), Phi.getName(),
                              Join.getFirstNonPHIIt());
  for (BasicBlock *From : Ways)
    Own->addIncoming(is_contained(Old, From)
                         ? Phi.getIncomingValueForBlock(From)
                         : PoisonValue::get(Phi.getType()),
                     From);
  for (BasicBlock *From : Old)
    Phi.removeIncomingValue(From, /*DeletePHIIfEmpty=*/false);
  Phi.addIncoming(Own, &Join);
}

/// What the blocks compute, and is used behind \p Join, is what it is on the
/// ways on which it is computed.
static void mendUses(const Conditions &C, BasicBlock &Join,
                     ArrayRef<BasicBlock *> Ways, const DominatorTree &DT) {
  for (BasicBlock *Block : drop_begin(C.Blocks))
    for (Instruction &I : *Block) {
      SmallVector<Use *, 4> Behind;
      for (Use &U : I.uses()) {
        const BasicBlock *At = cast<Instruction>(U.getUser())->getParent();
        if (At != &Join && !is_contained(C.Blocks, At))
          Behind.push_back(&U);
      }
      if (Behind.empty())
        continue;
      auto *Own = PHINode::Create(I.getType(), Ways.size(), I.getName(),
                                  Join.getFirstNonPHIIt());
      for (BasicBlock *From : Ways)
        Own->addIncoming(DT.dominates(Block, From)
                             ? static_cast<Value *>(&I)
                             : PoisonValue::get(I.getType()),
                         From);
      for (Use *U : Behind)
        U->set(Own);
    }
}

/// Have several conditions under each of which the program goes to \p BB be one
/// number, and one condition on it.
static void joinConditions(BasicBlock &BB, const Conditions &C,
                           const DominatorTree &DT) {
  LLVMContext &Ctx = BB.getContext();
  BasicBlock *Last = C.Blocks.front();
  auto *Join =
      BasicBlock::Create(Ctx, Last->getName() + ".either", BB.getParent(), &BB);
  SmallVector<BasicBlock *, 8> Ways, ToLoop, Past;
  SmallVector<Value *, 8> Numbers;
  for (BasicBlock *From : C.Blocks) {
    auto *Branch = cast<BranchInst>(From->getTerminator());
    bool Enters = is_contained(successors(From), &BB);
    bool Passes = is_contained(successors(From), C.Else);
    if (!Enters && !Passes)
      continue;
    Ways.push_back(From);
    if (Enters)
      ToLoop.push_back(From);
    if (Passes)
      Past.push_back(From);
    Value *Number = ConstantInt::get(Type::getInt8Ty(Ctx), Enters);
    if (Enters && Passes) {
      IRBuilder<> B(Branch);
      Value *Condition = Branch->getCondition();
      Number = B.CreateZExt(
          Branch->getSuccessor(0) == &BB ? Condition : B.CreateNot(Condition),
          B.getInt8Ty());
    }
    Numbers.push_back(Number);
  }
  IRBuilder<> B(Join);
  B.SetCurrentDebugLocation(Ways.back()->getTerminator()->getDebugLoc());
  PHINode *Any = B.CreatePHI(B.getInt8Ty(), Ways.size(), "either");
  for (auto [From, Number] : zip(Ways, Numbers))
    Any->addIncoming(Number, From);
  for (PHINode &Phi : BB.phis())
    movePhi(Phi, ToLoop, *Join, Ways);
  for (PHINode &Phi : C.Else->phis())
    movePhi(Phi, Past, *Join, Ways);
  mendUses(C, *Join, Ways, DT);
  B.CreateCondBr(B.CreateICmpNE(Any, B.getInt8(0)), &BB, C.Else);
  for (BasicBlock *From : Ways) {
    auto *Branch = cast<BranchInst>(From->getTerminator());
    if (is_contained(ToLoop, From) && is_contained(Past, From)) {
      BranchInst::Create(Join, Branch->getIterator())
          ->setDebugLoc(Branch->getDebugLoc());
      Branch->eraseFromParent();
    } else {
      Branch->replaceSuccessorWith(is_contained(ToLoop, From) ? &BB : C.Else,
                                   Join);
    }
  }
}

/// The same, if a loop is behind \p BB and some condition is data.
static bool openAlternatives(BasicBlock &BB, FunctionAnalysisManager &FAM,
                             function_ref<bool(BasicBlock &)> IsData) {
  Function &F = *BB.getParent();
  const auto &LI = FAM.getResult<LoopAnalysis>(F);
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  const Loop *L = LI.getLoopFor(&BB);
  if (!L || L->isInnermost() || BB.hasNPredecessors(1) ||
      none_of(L->getSubLoops(), [&](const Loop *Inner) {
        return DT.dominates(&BB, Inner->getHeader());
      }))
    return false;
  Conditions C = conditionsOf(BB, *L, LI, DT);
  if (none_of(C.Blocks, [&](BasicBlock *From) {
        return From->getTerminator()->getNumSuccessors() > 1 && IsData(*From);
      }))
    return false;
  joinConditions(BB, C, DT);
  return true;
}

void openConditions(Function &F, FunctionAnalysisManager &FAM,
                    function_ref<bool(BasicBlock &)> IsData) {
  bool Opened = false;
  for (BasicBlock &BB : make_early_inc_range(F))
    Opened |= openSwitch(BB, FAM.getResult<LoopAnalysis>(F),
                         FAM.getResult<DominatorTreeAnalysis>(F));
  if (Opened)
    FAM.invalidate(F, PreservedAnalyses::none());
  for (BasicBlock &BB : make_early_inc_range(F))
    if (openAlternatives(BB, FAM, IsData))
      FAM.invalidate(F, PreservedAnalyses::none());
}

} // namespace polygpu
