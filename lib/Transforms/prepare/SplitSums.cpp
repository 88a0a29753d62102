//===- SplitSums.cpp - What is summed up in order, apart ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/SplitSums.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace polygpu {

/// Is it an operation of which a chain has an order?
static bool isOrdered(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
    return true;
  default:
    break;
  }
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && (Call->getIntrinsicID() == Intrinsic::fma ||
                  Call->getIntrinsicID() == Intrinsic::fmuladd);
}

/// The operation that updates \p Phi in each iteration of \p L, and nothing
/// else uses the phi there; or null.
static Instruction *updateOf(const PHINode &Phi, const Loop &L) {
  Type *Ty = Phi.getType();
  auto *Next = L.getLoopLatch()
                   ? dyn_cast<Instruction>(
                         Phi.getIncomingValueForBlock(L.getLoopLatch()))
                   : nullptr;
  if ((!Ty->isFloatTy() && !Ty->isDoubleTy()) || !Next || !isOrdered(*Next) ||
      !is_contained(Next->operands(), &Phi))
    return nullptr;
  for (const BasicBlock *BB : L.blocks())
    for (const Loop *Inner : L.getSubLoops())
      if (BB == Next->getParent() && Inner->contains(BB))
        return nullptr;
  return L.contains(Next) && all_of(Phi.users(),
                                    [&](const User *U) {
                                      return U == Next ||
                                             !L.contains(cast<Instruction>(U));
                                    })
             ? Next
             : nullptr;
}

/// Is \p I computed by a loop in \p L, and from nothing that \p L carries on?
static bool isFromInside(Instruction &I, const Loop &L) {
  SmallVector<Instruction *, 8> Open = {&I};
  SmallPtrSet<Instruction *, 16> Seen = {&I};
  bool Inside = false;
  while (!Open.empty()) {
    Instruction *Next = Open.pop_back_val();
    for (const Loop *Inner : L.getSubLoops())
      Inside |= Inner->contains(Next);
    if (isa<PHINode>(Next) && Next->getParent() == L.getHeader() &&
        !Next->getType()->isIntegerTy())
      return false;
    for (Value *V : Next->operands())
      if (auto *From = dyn_cast<Instruction>(V);
          From && L.contains(From) && Seen.insert(From).second)
        Open.push_back(From);
  }
  return Inside;
}

/// Have \p Next, a block of its own, read \p E from memory.
static void part(Instruction &Next, Instruction &E) {
  Function &F = *Next.getFunction();
  Type *Ty = E.getType();
  IRBuilder<> Entry(&*F.getEntryBlock().getFirstInsertionPt());
  Entry.SetCurrentDebugLocation(DebugLoc());
  // Two elements: an array, and no scalar.
  AllocaInst *Memory = Entry.CreateAlloca(ArrayType::get(Ty, 2));
  Memory->setName(E.hasName() ? E.getName() : "part");
  IRBuilder<> B(E.getParent(), isa<PHINode>(E)
                                   ? E.getParent()->getFirstInsertionPt()
                                   : std::next(E.getIterator()));
  B.SetCurrentDebugLocation(Next.getDebugLoc());
  B.CreateStore(&E, Memory);
  B.SetInsertPoint(&Next);
  B.SetCurrentDebugLocation(Next.getDebugLoc());
  Instruction *Load = B.CreateLoad(Ty, Memory);
  Next.replaceUsesOfWith(&E, Load);
  SplitBlock(Next.getParent(), Load->getIterator());
}

bool splitSums(Loop &L) {
  bool Changed = false;
  SmallVector<Instruction *, 4> Updates;
  for (PHINode &Phi : L.getHeader()->phis())
    if (Instruction *Next = updateOf(Phi, L))
      Updates.push_back(Next);
  for (Instruction *Next : Updates) {
    SmallVector<Instruction *, 2> Parts;
    for (Value *V : Next->operands())
      if (auto *E = dyn_cast<Instruction>(V);
          E && L.contains(E) && E->getType() == Next->getType() &&
          !is_contained(Parts, E) && !isa<LoadInst>(E) && isFromInside(*E, L))
        Parts.push_back(E);
    for (Instruction *E : Parts)
      part(*Next, *E);
    Changed |= !Parts.empty();
  }
  return Changed;
}

} // namespace polygpu
