//===- RegionLimits.cpp - Loops that are too large for Polly --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/RegionLimits.h"
#include "polly/ScopInfo.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace polygpu {

static const unsigned MaxDepth = 8, MaxBlocks = 400, MaxRemainders = 3;
static const unsigned MaxStatements = 200, MaxParams = 24, MaxDimensions = 8;

static bool isTooLarge(const Region &R, const LoopInfo &LI) {
  unsigned Blocks = 0, Depth = 0;
  for (const BasicBlock *BB : R.blocks()) {
    ++Blocks;
    Depth = std::max(Depth, LI.getLoopDepth(BB));
  }
  return Blocks > MaxBlocks || Depth > MaxDepth;
}

/// Does \p V contain a remainder or a quotient?  What is computed in front of
/// \p R is a parameter.
static bool hasRemainder(const Value *V, const Region &R, unsigned Steps = 6) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !Steps || !R.contains(I->getParent()) ||
      isa<PHINode, LoadInst, CallBase>(I))
    return false;
  switch (I->getOpcode()) {
  case Instruction::URem:
  case Instruction::SRem:
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::LShr:
  case Instruction::AShr:
    return true;
  case Instruction::And:
    if (!I->getType()->isIntegerTy(1))
      return true;
    break;
  default:
    break;
  }
  return any_of(I->operands(),
                [&](const Use &U) { return hasRemainder(U, R, Steps - 1); });
}

/// How many conditions with remainders are around a block of \p R at most?
/// The sets of iterations that Polly makes of them double with each.
static unsigned nestedRemainders(const Region &R, const DominatorTree &DT) {
  SmallVector<BasicBlockEdge, 8> Guards;
  for (const BasicBlock *BB : R.blocks())
    if (const auto *Br = dyn_cast<BranchInst>(BB->getTerminator());
        Br && Br->isConditional() && hasRemainder(Br->getCondition(), R))
      for (const BasicBlock *Next : Br->successors())
        Guards.emplace_back(BB, Next);
  unsigned Most = 0;
  if (Guards.size() > 2 * MaxRemainders)
    for (const BasicBlock *BB : R.blocks())
      Most = std::max<unsigned>(Most, count_if(Guards, [&](const auto &Edge) {
                                  return DT.dominates(Edge, BB);
                                }));
  return Most;
}

std::optional<Refusal> refuseTooLarge(const Region &R, const LoopInfo &LI,
                                      const DominatorTree &DT) {
  if (isTooLarge(R, LI))
    return Refusal{
        "TooLarge",
        "the loops are nested too deeply or too long for the analysis; "
        "split the function",
        DebugLoc()};
  unsigned N = nestedRemainders(R, DT);
  if (N <= MaxRemainders)
    return std::nullopt;
  return Refusal{
      "TooLarge",
      std::to_string(N) +
          " conditions with % or / are inside each other, more than the "
          "analysis takes (" +
          std::to_string(MaxRemainders) +
          "); make loops of their own for the iterations they select",
      DebugLoc()};
}

/// The last block that is in front of \p BB and of all of \p R's exits on every
/// path; \p R's entry if there is no other.
static BasicBlock *alwaysBefore(BasicBlock *BB, const Region &R,
                                const DominatorTree &DT) {
  if (BasicBlock *Exit = R.getExit())
    for (BasicBlock *Last : predecessors(Exit))
      if (R.contains(Last))
        BB = DT.findNearestCommonDominator(BB, Last);
  return R.contains(BB) ? BB : R.getEntry();
}

/// The outermost loops of \p R, in the order of the program.
static SmallVector<const Loop *, 16> loopsOf(const Region &R,
                                             const LoopInfo &LI) {
  SmallVector<const Loop *, 16> Loops;
  for (const Loop *L : LI.getLoopsInPreorder())
    if (R.contains(L) &&
        (!L->getParentLoop() || !R.contains(L->getParentLoop())))
      Loops.push_back(L);
  return Loops;
}

Instruction *findMiddle(const Region &R, const LoopInfo &LI,
                        const DominatorTree &DT) {
  SmallVector<const Loop *, 16> Loops = loopsOf(R, LI);
  for (size_t I = (Loops.size() + 1) / 2; I < Loops.size(); ++I)
    if (BasicBlock *Before = Loops[I]->getLoopPreheader()) {
      Before = alwaysBefore(Before, R, DT);
      const Loop *Around = LI.getLoopFor(Before);
      if (Before != R.getEntry() && !(Around && R.contains(Around)))
        return Before->getTerminator();
    }
  return nullptr;
}

/// The first block behind \p First, and behind all that is in front of both,
/// that is in front of \p Second, or null.
static BasicBlock *firstBetween(const Loop &First, const Loop &Second,
                                const LoopInfo &LI, const DominatorTree &DT) {
  BasicBlock *Before = Second.getLoopPreheader();
  if (!Before ||
      !isPotentiallyReachable(First.getHeader(), Before, nullptr, &DT, &LI))
    return nullptr;
  BasicBlock *Common = DT.findNearestCommonDominator(First.getHeader(), Before);
  BasicBlock *Found = nullptr;
  for (auto *Node = DT.getNode(Before); Node && Node->getBlock() != Common;
       Node = Node->getIDom())
    if (LI.getLoopFor(Node->getBlock()) == Second.getParentLoop())
      Found = Node->getBlock();
  return Found;
}

Instruction *findMiddleOfBranch(const Region &R, const LoopInfo &LI,
                                const DominatorTree &DT) {
  SmallVector<const Loop *, 16> Loops = loopsOf(R, LI);
  for (size_t Distance = 0; Distance < Loops.size(); ++Distance)
    for (size_t I : {Loops.size() / 2 + Distance, Loops.size() / 2 - Distance})
      if (I > 0 && I < Loops.size())
        if (BasicBlock *BB = firstBetween(*Loops[I - 1], *Loops[I], LI, DT))
          return BB->getTerminator();
  return nullptr;
}

Instruction *findAlternative(const Region &R, const LoopInfo &LI,
                             const DominatorTree &DT) {
  SmallVector<const Loop *, 16> Loops = loopsOf(R, LI);
  SmallPtrSet<BasicBlock *, 1> Entry = {R.getEntry()}; // of the next iteration
  auto Reaches = [&](const Loop *From, const Loop *To) {
    return isPotentiallyReachable(From->getHeader(), To->getHeader(), &Entry,
                                  &DT, &LI);
  };
  for (size_t Distance = 0; Distance < Loops.size(); ++Distance)
    for (size_t I : {Loops.size() / 2 + Distance, Loops.size() / 2 - Distance})
      if (I > 0 && I < Loops.size())
        if (const BasicBlock *Front = Loops[I]->getLoopPreheader();
            Front && Front != R.getEntry() &&
            !Reaches(Loops[I - 1], Loops[I]) &&
            !Reaches(Loops[I], Loops[I - 1]))
          return const_cast<Instruction *>(Front->getTerminator());
  return nullptr;
}

Instruction *findInnerMiddle(const Region &R, const LoopInfo &LI) {
  const Loop *L = nullptr;
  for (const Loop *Outer : LI.getLoopsInPreorder())
    if (R.contains(Outer) &&
        (!Outer->getParentLoop() || !R.contains(Outer->getParentLoop())))
      if (std::exchange(L, Outer))
        return nullptr;
  while (L && L->getSubLoops().size() == 1)
    L = L->getSubLoops().front();
  if (!L || L->isInnermost())
    return nullptr;
  // The order is not that of the program always, which makes no difference.
  const BasicBlock *Middle =
      L->getSubLoops()[(L->getSubLoops().size() - 1) / 2]->getLoopPreheader();
  return Middle ? const_cast<Instruction *>(Middle->getTerminator()) : nullptr;
}

Instruction *findInside(const Region &R, const LoopInfo &LI) {
  const Loop *Outer = nullptr;
  for (const Loop *L : LI.getLoopsInPreorder())
    if (R.contains(L) &&
        (!L->getParentLoop() || !R.contains(L->getParentLoop())) &&
        std::exchange(Outer, L))
      return nullptr;
  if (!Outer || Outer->getSubLoops().size() != 1)
    return nullptr;
  const BasicBlock *Front = Outer->getSubLoops().front()->getLoopPreheader();
  return Front ? const_cast<Instruction *>(Front->getTerminator()) : nullptr;
}

std::optional<Refusal> refuseTooLarge(polly::Scop &S) {
  if (S.getSize() > MaxStatements || S.getNumParams() > MaxParams)
    return Refusal{"TooLarge",
                   "the loops have " + std::to_string(S.getSize()) +
                       " statements and " + std::to_string(S.getNumParams()) +
                       " parameters, more than the analysis takes (" +
                       std::to_string(MaxStatements) + ", " +
                       std::to_string(MaxParams) + "); split the function",
                   DebugLoc()};
  for (const polly::ScopArrayInfo *SAI : S.arrays())
    if (SAI->getNumberOfDimensions() > MaxDimensions)
      return Refusal{"TooLarge",
                     "an array has more than " + std::to_string(MaxDimensions) +
                         " dimensions; use fewer",
                     DebugLoc()};
  return std::nullopt;
}

} // namespace polygpu
