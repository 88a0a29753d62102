//===- SplitStatements.cpp - Stores that share loads ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/SplitStatements.h"
#include "prepare/IndirectUpdates.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

/// Blocks with more stores are left as they are, and stores with more
/// operations: each is done once more for each store.
static const unsigned MostStores = 8, MostOperations = 24;

namespace {

class Splitter {
public:
  Splitter(BasicBlock &BB, AAResults &AA,
           function_ref<bool(const Instruction &)> IsKept)
      : BB(BB), AA(AA), IsKept(IsKept) {}
  bool run();

private:
  /// What a store is computed from in the block.
  struct Tree {
    SmallSetVector<Instruction *, 16> Operations; ///< in their order
    /// Values that other stores have put where they can be read again.
    SmallMapVector<Instruction *, StoreInst *, 4> Stored;
  };

  BasicBlock &BB;
  AAResults &AA;
  function_ref<bool(const Instruction &)> IsKept;

  SmallPtrSet<const Instruction *, 32> Used; ///< by stores in front
  /// Values that stores in front have got copies of.
  SmallDenseMap<const Instruction *, StoreInst *, 8> Copied;

  StoreInst *storeOf(Instruction &V, const StoreInst &Until) const;
  bool add(Value *V, const StoreInst *Until, Tree &Into) const;
  bool treeOf(StoreInst &Store, bool FromStores, Tree &Into) const;
  bool isUnwritten(const Instruction &Access, const StoreInst &Until) const;
  bool canRepeat(const Tree &Of, const StoreInst &Store) const;
  bool shares(const Tree &Of) const;
  void remove(ArrayRef<Instruction *> Values);
  void copy(const Tree &Of, StoreInst &Store);
};

bool isOperation(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple();
  if (const auto *Call = dyn_cast<IntrinsicInst>(&I))
    return is_contained({Intrinsic::fma, Intrinsic::fmuladd, Intrinsic::fabs},
                        Call->getIntrinsicID());
  return isa<BinaryOperator, UnaryOperator, CastInst, GetElementPtrInst,
             CmpInst, SelectInst>(I);
}

/// A store of \p V in front of \p Until, behind which it can be read there; or
/// null.
StoreInst *Splitter::storeOf(Instruction &V, const StoreInst &Until) const {
  auto CanBeRead = [&](const StoreInst &Store) {
    return Store.getParent() == &BB && Store.comesBefore(&Until) &&
           Store.isSimple() && !IsKept(Store) && isUnwritten(Store, Until);
  };
  if (StoreInst *Store = Copied.lookup(&V); Store && CanBeRead(*Store))
    return Store;
  for (User *U : V.users())
    if (auto *Store = dyn_cast<StoreInst>(U);
        Store && Store->getValueOperand() == &V && CanBeRead(*Store))
      return Store;
  return nullptr;
}

/// \p V and what it is computed from in the block; false if that cannot be
/// done twice.  With \p Until, which is computed from \p V, what is stored in
/// front of it is read again.
bool Splitter::add(Value *V, const StoreInst *Until, Tree &Into) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || I->getParent() != &BB || isa<PHINode>(I) ||
      Into.Operations.contains(I) || Into.Stored.contains(I))
    return true;
  if (StoreInst *Store = Until ? storeOf(*I, *Until) : nullptr) {
    Into.Stored[I] = Store;
    return true;
  }
  if (!isOperation(*I) || IsKept(*I) ||
      Into.Operations.size() == MostOperations)
    return false;
  for (Value *Operand : I->operands())
    if (!add(Operand, Until, Into))
      return false;
  Into.Operations.insert(I);
  return Into.Operations.size() <= MostOperations;
}

bool Splitter::treeOf(StoreInst &Store, bool FromStores, Tree &Into) const {
  const StoreInst *Until = FromStores ? &Store : nullptr;
  return Store.isSimple() && !IsKept(Store) &&
         add(Store.getValueOperand(), Until, Into) &&
         add(Store.getPointerOperand(), Until, Into);
}

/// Is what \p Access, a load or a store, leads to the same in front of \p
/// Until?
bool Splitter::isUnwritten(const Instruction &Access,
                           const StoreInst &Until) const {
  return polygpu::isUnwritten(MemoryLocation::get(&Access), Access, &Until, AA);
}

/// Do all loads of \p Of read the same in front of \p Store?
bool Splitter::canRepeat(const Tree &Of, const StoreInst &Store) const {
  return all_of(Of.Operations, [&](const Instruction *I) {
    const auto *Load = dyn_cast<LoadInst>(I);
    return !Load || isUnwritten(*Load, Store);
  });
}

/// Is something of it used by a store in front?
bool Splitter::shares(const Tree &Of) const {
  return !Of.Stored.empty() || any_of(Of.Operations, [&](Instruction *I) {
    return isa<LoadInst>(I) && Used.contains(I);
  });
}

/// Take \p Values away, and what is only for them, as far as nothing uses them
/// any more.
void Splitter::remove(ArrayRef<Instruction *> Values) {
  SmallPtrSet<const Value *, 16> Gone;
  for (Instruction *I : Values)
    if (!Gone.contains(I))
      RecursivelyDeleteTriviallyDeadInstructions(
          I, nullptr, nullptr, [&](Value *V) {
            Gone.insert(V);
            Used.erase(cast<Instruction>(V));
            Copied.erase(cast<Instruction>(V));
          });
}

/// All of \p Of once more, in front of \p Store, which uses that.
void Splitter::copy(const Tree &Of, StoreInst &Store) {
  DenseMap<Value *, Value *> Copies;
  auto Redirect = [&](Instruction &I) {
    for (Use &U : I.operands())
      if (Value *Copy = Copies.lookup(U.get()))
        U.set(Copy);
  };
  for (auto [V, From] : Of.Stored) {
    auto *Load = new LoadInst(V->getType(), From->getPointerOperand(), "",
                              /*isVolatile=*/false, From->getAlign(),
                              Store.getIterator());
    Load->setDebugLoc(Store.getDebugLoc());
    Copies[V] = Load;
  }
  for (Instruction *I : Of.Operations) {
    Instruction *Copy = I->clone();
    Copy->insertBefore(Store.getIterator());
    Redirect(*Copy);
    Copies[I] = Copy;
  }
  if (auto *V = dyn_cast<Instruction>(Store.getValueOperand());
      V && Of.Operations.contains(V))
    Copied[V] = &Store;
  Redirect(Store);
  SmallVector<Instruction *, 16> Old(reverse(Of.Operations));
  for (const auto &[V, From] : Of.Stored)
    Old.push_back(V);
  remove(Old);
}

bool Splitter::run() {
  SmallVector<StoreInst *, 8> Stores;
  for (Instruction &I : BB)
    if (auto *Store = dyn_cast<StoreInst>(&I))
      Stores.push_back(Store);
  if (Stores.size() < 2 || Stores.size() > MostStores)
    return false;
  bool Changed = false;
  for (StoreInst *Store : Stores) {
    Tree Own, WithStored;
    const bool IsKnown = treeOf(*Store, false, Own);
    const Tree *Taken = nullptr;
    if (IsKnown && canRepeat(Own, *Store))
      Taken = &Own;
    else if (treeOf(*Store, true, WithStored) && canRepeat(WithStored, *Store))
      Taken = &WithStored;
    const bool Shares = Taken && shares(*Taken);
    if (IsKnown)
      Used.insert(Own.Operations.begin(), Own.Operations.end());
    if (Shares)
      copy(*Taken, *Store);
    Changed |= Shares;
  }
  return Changed;
}

} // namespace

namespace polygpu {

bool isUnwritten(const MemoryLocation &At, const Instruction &From,
                 const Instruction *Until, AAResults &AA) {
  // Types are no proof.
  MemoryLocation Read = At.getWithoutAATags();
  for (const Instruction *I = From.getNextNode(); I != Until;
       I = I->getNextNode()) {
    if (indirectUpdate(I)) // which is said to access nothing
      return false;
    if (!I->mayWriteToMemory())
      continue;
    const auto *Store = dyn_cast<StoreInst>(I);
    if (!Store || !Store->isSimple() ||
        !AA.isNoAlias(Read, MemoryLocation::get(Store).getWithoutAATags()))
      return false;
  }
  return true;
}

bool splitStatements(BasicBlock &BB, AAResults &AA,
                     function_ref<bool(const Instruction &)> IsKept) {
  return Splitter(BB, AA, IsKept).run();
}

} // namespace polygpu
