//===- IndirectReads.cpp - Reads at places that data say ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/IndirectReads.h"
#include "prepare/IndirectPlaces.h"
#include "prepare/IndirectUpdates.h"
#include "prepare/OutlineLoops.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace polygpu {

//===-- Calls instead of loads --------------------------------------------===//

void IndirectReads::addRead(Instruction &Load, bool Outer) {
  Value *Pointer = Load.getOperand(0);
  auto P = *takeApart(Pointer, Load.getDataLayout());
  IRBuilder<> Before(&Load);
  Value *Offset = offsetOf(P, Before, [](Value *V) { return V; });
  Function *Body =
      makeBody(Load.getType(), {P.Base->getType(), Offset->getType()},
               *Load.getModule());
  auto *Call = CallInst::Create(Body, {P.Base, Offset}, "", Load.getIterator());
  Call->setDebugLoc(Load.getDebugLoc());
  Call->takeName(&Load);
  Load.replaceAllUsesWith(Call);
  Load.removeFromParent();
  Load.setDebugLoc(DebugLoc());
  IRBuilder<> B(BasicBlock::Create(Load.getContext(), "entry", Body));
  Load.setOperand(0, B.CreatePtrAdd(Body->getArg(0), Body->getArg(1)));
  B.Insert(&Load);
  B.CreateRet(&Load);
  RecursivelyDeleteTriviallyDeadInstructions(Pointer);
  Reads.push_back({WeakVH(Call), Body, Outer, DebugLoc()});
}

void IndirectReads::addUpdate(const IndirectUpdate &U) {
  Value *Pointer = U.Old->getPointerOperand();
  Value *Other = U.New->getPointerOperand();
  auto P = *takeApart(Pointer, U.Old->getDataLayout());
  IRBuilder<> Before(U.New);
  Value *Offset = offsetOf(P, Before, [](Value *V) { return V; });
  Value *With = makeUpdateValue(U);
  Function *Body = makeBody(
      With->getType(), {P.Base->getType(), Offset->getType(), With->getType()},
      *U.Old->getModule());
  auto *Call =
      CallInst::Create(Body, {P.Base, Offset, With}, "", U.New->getIterator());
  Call->setDebugLoc(U.New->getDebugLoc());
  IRBuilder<> B(BasicBlock::Create(Body->getContext(), "entry", Body));
  moveUpdate(U, *Body, *B.CreatePtrAdd(Body->getArg(0), Body->getArg(1)),
             *Call);
  Reads.push_back({WeakVH(Call), Body, /*Outer=*/false, DebugLoc()});
  RecursivelyDeleteTriviallyDeadInstructions(Pointer);
  if (Other != Pointer)
    RecursivelyDeleteTriviallyDeadInstructions(Other);
}

//===-- All of a function -------------------------------------------------===//

bool IndirectReads::addLoop(Function &F, const LoopInfo &LI,
                            ScalarEvolution &SE) {
  for (Loop *L : LI.getLoopsInPreorder()) {
    LoopOutliner Outliner(*L, LI, SE, F.getDataLayout());
    if (!Outliner.accept())
      continue;
    DebugLoc Start = L->getStartLoc();
    CallInst *Call = Outliner.run();
    Reads.push_back({WeakVH(Call), Call->getCalledFunction(), /*Outer=*/true,
                     Start, Outliner.InMemory, WeakTrackingVH(Outliner.Element),
                     Outliner.Alignment});
    return true;
  }
  return false;
}

void IndirectReads::addCopies() {
  for (size_t Number = 0, End = Reads.size(); Number < End; ++Number) {
    const Read One = Reads[Number];
    for (User *U : make_early_inc_range(One.Body->users())) {
      auto *Call = dyn_cast<CallInst>(U);
      if (!Call || Call == One.Call || One.InMemory || indirectUpdate(Call))
        continue;
      ValueToValueMapTy Copies;
      Function *Body = CloneFunction(One.Body, Copies);
      Call->setCalledFunction(Body);
      Reads.push_back({WeakVH(Call), Body, One.Outer, One.Loop});
      Reads.back().ForAround = One.ForAround;
    }
  }
}

SmallVector<DebugLoc, 2> IndirectReads::loopsIn(const Loop &L) const {
  SmallVector<DebugLoc, 2> Places;
  for (const Read &One : Reads)
    if (const auto *Call =
            cast_or_null<CallInst>(static_cast<Value *>(One.Call));
        Call && One.Loop && L.contains(Call->getParent()))
      Places.push_back(One.Loop);
  return Places;
}

bool IndirectReads::add(Function &F, const LoopInfo &LI, ScalarEvolution &SE) {
  bool Any = false;
  ReversePostOrderTraversal<Function *> Order(&F);
  for (BasicBlock *BB : Order) {
    const Loop *L = LI.getLoopFor(BB);
    if (!L)
      continue;
    SmallVector<LoadInst *, 16> Loads;
    for (Instruction &I : *BB)
      if (auto *Load = dyn_cast<LoadInst>(&I))
        Loads.push_back(Load);
    for (LoadInst *Load : Loads) {
      PlaceFinder Find(LI, SE, F.getDataLayout());
      bool IsIndirect = Find.find(*Load) != nullptr;
      auto Update = IsIndirect || Find.isOneUnderData(*Load)
                        ? findUpdate(*Load, SE)
                        : std::nullopt;
      if (IsIndirect && !Update && straightenExtreme(*Load, SE))
        Update = findUpdate(*Load, SE);
      if (!IsIndirect && !Update)
        continue;
      bool Outer = Find.isSameIn(*Load, *L);
      SE.forgetValue(Load);
      if (Update) {
        for (auto [I, Operand] : Update->Path)
          SE.forgetValue(I);
        addUpdate(*Update);
      } else {
        addRead(*Load, Outer);
      }
      Any = true;
    }
    SmallVector<StoreInst *, 8> Stores;
    for (Instruction &I : *BB)
      if (auto *Store = dyn_cast<StoreInst>(&I))
        Stores.push_back(Store);
    for (StoreInst *Store : Stores) {
      auto FindPlace = [&](const LoadInst &Load) {
        return PlaceFinder(LI, SE, F.getDataLayout()).find(Load);
      };
      if (auto Update = findSameValue(*Store, FindPlace, SE)) {
        addUpdate(*Update);
        Any = true;
      }
    }
  }
  return Any;
}

/// Does a loop around \p Load write what it reads from?
static bool isWritten(const LoadInst &Load, const Loop &L) {
  const Value *Base = getUnderlyingObject(Load.getPointerOperand());
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (const auto *Store = dyn_cast<StoreInst>(&I);
          Store && getUnderlyingObject(Store->getPointerOperand()) == Base)
        return true;
  return false;
}

bool IndirectReads::addComputed(ArrayRef<LoadInst *> Loads, const LoopInfo &LI,
                                ScalarEvolution &SE,
                                function_ref<bool(const Loop &)> InScop) {
  bool Any = false;
  for (LoadInst *Load : Loads) {
    const Loop *L = LI.getLoopFor(Load->getParent());
    bool ForAround = L && InScop(*L);
    if (ForAround && !L->getParentLoop())
      continue;
    PlaceFinder Find(LI, SE, Load->getDataLayout());
    if (!L || isWritten(*Load, ForAround ? *L->getParentLoop() : *L) ||
        !Find.find(*Load, /*Computed=*/true))
      continue;
    bool Outer = Find.isSameIn(*Load, *L);
    SE.forgetValue(Load);
    addRead(*Load, Outer);
    Reads.back().ForAround = ForAround;
    Any = true;
  }
  return Any;
}

bool IndirectReads::restoreNeedless(const LoopInfo &LI,
                                    function_ref<bool(const Loop &)> InScop) {
  bool Any = false;
  for (Read &One : Reads) {
    auto *Call = cast_or_null<CallInst>(static_cast<Value *>(One.Call));
    const Loop *L = Call ? LI.getLoopFor(Call->getParent()) : nullptr;
    if (One.ForAround && L && L->getParentLoop() &&
        !InScop(*L->getParentLoop()))
      Any |= inlineRead(*Call, One);
  }
  return Any;
}

/// Have the loop that \p Call stands for be where it was.  What it updates in
/// memory has there what the call gets: other iterations may read it, where the
/// run-time condition does not hold.  False if that place is not known.
bool IndirectReads::inlineRead(CallInst &Call, const Read &One) {
  if (indirectUpdate(&Call)) {
    dropToken(Call);
    storeOnlyChange(*One.Body);
  }
  InlineFunctionInfo Info;
  if (!One.InMemory)
    return InlineFunction(Call, Info).isSuccess();
  Value *Element = One.Element;
  const auto *At = dyn_cast_or_null<Instruction>(Element);
  if (!Element ||
      (At && (At->getFunction() != Call.getFunction() ||
              !DominatorTree(*Call.getFunction()).dominates(At, &Call))))
    return false;
  unsigned Known = One.InMemory->arg_size() - 1; // and then what it was
  SmallVector<Value *, 16> Operands(Call.arg_begin(), Call.arg_begin() + Known);
  IRBuilder<> B(&Call);
  B.CreateAlignedStore(Call.getArgOperand(Known), Element, One.Alignment);
  Operands.push_back(Element);
  CallInst *Loop = B.CreateCall(One.InMemory, Operands);
  Loop->setDebugLoc(Call.getDebugLoc());
  Call.replaceAllUsesWith(Loop);
  Call.eraseFromParent();
  return InlineFunction(*Loop, Info).isSuccess();
}

bool IndirectReads::restoreOuter(
    const Region &R, function_ref<bool(const Instruction &)> IsKept) {
  bool Any = false;
  for (Read &One : Reads) {
    auto *Call = cast_or_null<CallInst>(static_cast<Value *>(One.Call));
    if (!Call || !One.Outer || !R.contains(Call->getParent()) || IsKept(*Call))
      continue;
    Any |= inlineRead(*Call, One);
  }
  return Any;
}

bool IndirectReads::restore() {
  bool Done = true;
  for (Read &One : Reads) {
    // Copies of loops have calls of it, too.
    for (User *U : make_early_inc_range(One.Body->users()))
      Done &= inlineRead(*cast<CallInst>(U), One);
    if (One.Body->use_empty())
      One.Body->eraseFromParent();
    if (One.InMemory && One.InMemory->use_empty())
      One.InMemory->eraseFromParent();
  }
  Reads.clear();
  return Done;
}

} // namespace polygpu
