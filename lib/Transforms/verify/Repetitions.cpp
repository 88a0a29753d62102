//===- Repetitions.cpp - Loops around others, left early ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verify/Repetitions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include <map>

using namespace llvm;

namespace polygpu {

static const char *const Kind = "polygpu.exit";

namespace {

/// The exit of a loop, and where in an iteration it lies.
struct Exit {
  Loop *L;
  BranchInst *Branch;
  bool AtHeader; ///< asked before an iteration, else behind it
};

} // namespace

static std::optional<Exit> exitOf(Loop &L, const LoopInfo &LI) {
  BasicBlock *BB = L.getExitingBlock(), *Latch = L.getLoopLatch();
  if (!BB || !Latch || LI.getLoopFor(BB) != &L || L.getHeader()->isEHPad() ||
      (BB != Latch && BB != L.getHeader()))
    return std::nullopt;
  auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
  if (!Branch || !Branch->isConditional())
    return std::nullopt;
  return Exit{&L, Branch, BB != Latch};
}

void numberExits(Function &F, unsigned &Next) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  LLVMContext &Ctx = F.getContext();
  for (Loop *L : LI.getLoopsInPreorder())
    if (auto E = exitOf(*L, LI))
      E->Branch->setMetadata(
          Kind, MDNode::get(Ctx, ConstantAsMetadata::get(ConstantInt::get(
                                     Type::getInt32Ty(Ctx), Next++))));
}

/// Asking for a kind of metadata by its name makes it one of the context, and
/// so of a module's bitcode, which is to stay as it was.
static bool areNumbered(LLVMContext &Ctx) {
  SmallVector<StringRef, 64> Names;
  Ctx.getMDKindNames(Names);
  return is_contained(Names, Kind);
}

void forgetExits(Module &M) {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (I.hasMetadata())
        I.setMetadata(Kind, nullptr);
}

void forgetExits(ArrayRef<BasicBlock *> Blocks) {
  if (Blocks.empty() || !areNumbered(Blocks.front()->getContext()))
    return;
  for (BasicBlock *BB : Blocks)
    BB->getTerminator()->setMetadata(Kind, nullptr);
}

/// Is something used behind the loop that follows from how often it runs?
static bool isCounted(const Loop &L, ScalarEvolution &SE) {
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (SE.isSCEVable(I.getType()) &&
          any_of(I.users(),
                 [&](User *U) { return !L.contains(cast<Instruction>(U)); }) &&
          SE.isLoopInvariant(SE.getSCEVAtScope(&I, L.getParentLoop()), &L))
        return true;
  return false;
}

PreservedAnalyses ForgetCountedExitsPass::run(Function &F,
                                              FunctionAnalysisManager &FAM) {
  if (!areNumbered(F.getContext()))
    return PreservedAnalyses::all();
  LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  for (Loop *L : LI.getLoopsInPreorder())
    if (auto E = exitOf(*L, LI); E && E->Branch->getMetadata(Kind))
      if (isCounted(*L, FAM.getResult<ScalarEvolutionAnalysis>(F)))
        E->Branch->setMetadata(Kind, nullptr);
  return PreservedAnalyses::all();
}

/// The numbered exits of loops.  A number that is there twice is not kept.
static std::map<uint64_t, Exit> findExits(const LoopInfo &LI) {
  std::map<uint64_t, Exit> Result;
  SmallVector<uint64_t, 4> Twice;
  for (Loop *L : LI.getLoopsInPreorder()) {
    auto E = exitOf(*L, LI);
    MDNode *Node = E ? E->Branch->getMetadata(Kind) : nullptr;
    if (!Node)
      continue;
    uint64_t Number =
        mdconst::extract<ConstantInt>(Node->getOperand(0))->getZExtValue();
    if (!Result.insert({Number, *E}).second)
      Twice.push_back(Number);
  }
  for (uint64_t Number : Twice)
    Result.erase(Number);
  return Result;
}

/// Leave the loop also where verify_leave says so of the exit's \p Number and
/// of how often its condition was asked, \p Before of these times in front of
/// the loop.
static void addQuestion(const Exit &E, uint64_t Number, unsigned Before) {
  BasicBlock *Header = E.L->getHeader();
  Module &M = *Header->getModule();
  IRBuilder<> B(Header, Header->begin());
  Type *I32 = B.getInt32Ty();
  PHINode *Count = B.CreatePHI(I32, 2);
  B.SetInsertPoint(Header, Header->getFirstInsertionPt());
  Value *Next = B.CreateAdd(Count, B.getInt32(1));
  for (BasicBlock *Pred : predecessors(Header))
    Count->addIncoming(E.L->contains(Pred) ? Next : B.getInt32(Before), Pred);
  B.SetInsertPoint(E.Branch);
  FunctionCallee Ask =
      M.getOrInsertFunction("verify_leave", B.getInt1Ty(), I32, I32);
  Value *Leave =
      B.CreateCall(Ask, {Next, B.getInt32(static_cast<uint32_t>(Number))});
  Value *Test = E.Branch->getCondition();
  E.Branch->setCondition(E.L->contains(E.Branch->getSuccessor(0))
                             ? B.CreateAnd(Test, B.CreateNot(Leave))
                             : B.CreateOr(Test, Leave));
}

void leaveEarly(Function &F, Function &Copy) {
  DominatorTree DT(F), CopyDT(Copy);
  LoopInfo LI(DT), CopyLI(CopyDT);
  std::map<uint64_t, Exit> Ours = findExits(LI), Others = findExits(CopyLI);
  for (auto &[Number, E] : Ours) {
    auto It = Others.find(Number);
    // Rotation asks once in front of the loop, and from then on at its end.
    if (It == Others.end() || (It->second.AtHeader && !E.AtHeader) ||
        (E.L->isInnermost() && It->second.L->isInnermost()))
      continue;
    addQuestion(E, Number, 0);
    addQuestion(It->second, Number, E.AtHeader != It->second.AtHeader);
  }
}

} // namespace polygpu
