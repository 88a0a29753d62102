//===- HandOn.cpp - Variables for the next iteration, in memory -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/HandOn.h"
#include "prepare/SplitSums.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

/// Variables of a loop: each is two statements more.
static const unsigned MostVariables = 8;

namespace {

class HandedOn {
public:
  explicit HandedOn(Loop &L) : L(L) {}
  bool run();

private:
  Loop &L;
  /// What hands on another variable comes behind that one.
  SmallVector<PHINode *, 4> Variables;

  Value *next(const PHINode &Phi) const {
    return Phi.getIncomingValueForBlock(L.getLoopLatch());
  }
  bool isVariable(const Value &V) const { return is_contained(Variables, &V); }
  bool dependsOnItself(const PHINode &Phi) const;
  bool canBe(const PHINode &Phi) const;
  void order();
  Instruction *placeOfRead(const PHINode &Phi) const;
  void replace(ArrayRef<AllocaInst *> Memory) const;
};

/// Is what \p Phi becomes computed from what it was, however many iterations
/// before?
bool HandedOn::dependsOnItself(const PHINode &Phi) const {
  SmallVector<Value *, 8> Open = {next(Phi)};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Open.empty()) {
    auto *I = dyn_cast<Instruction>(Open.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    if (I == &Phi)
      return true;
    if (auto *Other = dyn_cast<PHINode>(I);
        Other && Other->getParent() == L.getHeader())
      Open.push_back(next(*Other));
    else
      append_range(Open, I->operands());
  }
  return false;
}

/// Is \p Phi a number that was computed in the iteration before?
bool HandedOn::canBe(const PHINode &Phi) const {
  Type *Ty = Phi.getType();
  const bool IsNumber = Ty->isFloatTy() || Ty->isDoubleTy() ||
                        Ty->isIntegerTy(8) || Ty->isIntegerTy(16) ||
                        Ty->isIntegerTy(32) || Ty->isIntegerTy(64);
  const auto *Next = dyn_cast<Instruction>(next(Phi));
  return IsNumber && Next && L.contains(Next) && !dependsOnItself(Phi) &&
         any_of(Phi.users(), [&](const User *U) {
           return L.contains(cast<Instruction>(U));
         });
}

/// Bring the variables into the order in which they are set: what takes the
/// value of another one is set before that gets a new one.
void HandedOn::order() {
  SmallVector<PHINode *, 4> Ordered;
  while (!Variables.empty())
    for (PHINode *Phi : Variables)
      if (none_of(Variables, [&](PHINode *Other) {
            return Other != Phi && next(*Other) == Phi;
          })) {
        Ordered.push_back(Phi);
        erase(Variables, Phi);
        break;
      }
  Variables = std::move(Ordered);
}

/// Where \p Phi is read: in front of what uses it, so that other statements of
/// the block do not come between.
Instruction *HandedOn::placeOfRead(const PHINode &Phi) const {
  Instruction *First = nullptr;
  for (const User *U : Phi.users()) {
    auto *I = cast<Instruction>(const_cast<User *>(U));
    if (isVariable(*I))
      continue;
    if (isa<PHINode>(I) || (First && First->getParent() != I->getParent()))
      return &*L.getHeader()->getFirstInsertionPt();
    if (!First || I->comesBefore(First))
      First = I;
  }
  return First;
}

void HandedOn::replace(ArrayRef<AllocaInst *> Memory) const {
  Instruction *End = L.getLoopLatch()->getTerminator();
  auto MemoryOf = [&](const PHINode &Phi) {
    return Memory[find(Variables, &Phi) - Variables.begin()];
  };
  for (PHINode *Phi : Variables) {
    auto *Next = cast<Instruction>(next(*Phi));
    polygpu::leaveInMemory(L, *Next, *MemoryOf(*Phi));
    IRBuilder<> B(End);
    B.SetCurrentDebugLocation(Next->getDebugLoc());
    auto *Other = dyn_cast<PHINode>(Next);
    AllocaInst *From = nullptr;
    if (Other && isVariable(*Other)) {
      From = MemoryOf(*Other);
    } else {
      From = polygpu::keepInMemory(*Next);
    }
    B.CreateStore(B.CreateLoad(Phi->getType(), From), MemoryOf(*Phi));
    IRBuilder<> First(L.getLoopPreheader()->getTerminator());
    First.CreateStore(Phi->getIncomingValueForBlock(L.getLoopPreheader()),
                      MemoryOf(*Phi));
  }
  for (PHINode *Phi : Variables) {
    Value *Read = PoisonValue::get(Phi->getType());
    if (Instruction *At = placeOfRead(*Phi)) {
      IRBuilder<> B(At);
      B.SetCurrentDebugLocation(Phi->getDebugLoc());
      Read = B.CreateLoad(Phi->getType(), MemoryOf(*Phi));
    }
    Phi->replaceAllUsesWith(Read);
  }
  for (PHINode *Phi : Variables)
    Phi->eraseFromParent();
}

bool HandedOn::run() {
  if (!L.isInnermost() || !polygpu::isLeftAtLatch(L))
    return false;
  for (PHINode &Phi : L.getHeader()->phis())
    if (Variables.size() < MostVariables && canBe(Phi))
      Variables.push_back(&Phi);
  if (Variables.empty())
    return false;
  order();
  SmallVector<AllocaInst *, 4> Memory;
  for (PHINode *Phi : Variables)
    Memory.push_back(polygpu::partMemory(*Phi));
  replace(Memory);
  return true;
}

} // namespace

namespace polygpu {

bool isLeftAtLatch(const Loop &L) {
  const BasicBlock *Latch = L.getLoopLatch(), *Exit = L.getExitBlock();
  return L.getLoopPreheader() && Latch && L.getExitingBlock() == Latch &&
         Exit && Exit->getSinglePredecessor() == Latch;
}

void leaveInMemory(const Loop &L, const Value &V, AllocaInst &Memory) {
  BasicBlock *Exit = L.getExitBlock();
  Instruction *Last = nullptr;
  for (PHINode &Phi : make_early_inc_range(Exit->phis())) {
    if (Phi.getIncomingValueForBlock(L.getLoopLatch()) != &V)
      continue;
    if (!Last) {
      IRBuilder<> B(&*Exit->getFirstInsertionPt());
      Last = B.CreateLoad(V.getType(), &Memory);
    }
    Phi.replaceAllUsesWith(Last);
    Phi.eraseFromParent();
  }
}

bool handOn(Loop &L) { return HandedOn(L).run(); }

} // namespace polygpu
