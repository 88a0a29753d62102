//===- SplitStatements.cpp - Stores that share loads ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/SplitStatements.h"
#include "prepare/IndirectUpdates.h"
#include "llvm/ADT/DenseMap.h"
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
  /// What a store is computed from in the block, in its order.
  using Tree = SmallSetVector<Instruction *, 16>;

  BasicBlock &BB;
  AAResults &AA;
  function_ref<bool(const Instruction &)> IsKept;

  bool add(Value *V, Tree &Into) const;
  bool treeOf(StoreInst &Store, Tree &Into) const;
  bool isUnwritten(const LoadInst &Load, const StoreInst &Until) const;
  void copy(const Tree &Operations, StoreInst &Store) const;
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

/// \p V and what it is computed from in the block; false if that cannot be
/// done twice.
bool Splitter::add(Value *V, Tree &Into) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || I->getParent() != &BB || isa<PHINode>(I) || Into.contains(I))
    return true;
  if (!isOperation(*I) || IsKept(*I) || Into.size() == MostOperations)
    return false;
  for (Value *Operand : I->operands())
    if (!add(Operand, Into))
      return false;
  Into.insert(I);
  return Into.size() <= MostOperations;
}

bool Splitter::treeOf(StoreInst &Store, Tree &Into) const {
  return Store.isSimple() && !IsKept(Store) &&
         add(Store.getValueOperand(), Into) &&
         add(Store.getPointerOperand(), Into);
}

/// Is what \p Load reads the same in front of \p Until?  Types are no proof.
bool Splitter::isUnwritten(const LoadInst &Load, const StoreInst &Until) const {
  MemoryLocation Read = MemoryLocation::get(&Load).getWithoutAATags();
  for (const Instruction *I = Load.getNextNode(); I != &Until;
       I = I->getNextNode()) {
    if (polygpu::indirectUpdate(I)) // which is said to access nothing
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

/// All of \p Operations once more, in front of \p Store, which uses these.
void Splitter::copy(const Tree &Operations, StoreInst &Store) const {
  DenseMap<Value *, Value *> Copies;
  auto Redirect = [&](Instruction &I) {
    for (Use &U : I.operands())
      if (Value *Copy = Copies.lookup(U.get()))
        U.set(Copy);
  };
  for (Instruction *I : Operations) {
    Instruction *Copy = I->clone();
    Copy->insertBefore(Store.getIterator());
    Redirect(*Copy);
    Copies[I] = Copy;
  }
  Redirect(Store);
  for (Instruction *I : reverse(Operations))
    if (isInstructionTriviallyDead(I))
      I->eraseFromParent();
}

bool Splitter::run() {
  SmallVector<StoreInst *, 8> Stores;
  for (Instruction &I : BB)
    if (auto *Store = dyn_cast<StoreInst>(&I))
      Stores.push_back(Store);
  if (Stores.size() < 2 || Stores.size() > MostStores)
    return false;
  SmallPtrSet<const Instruction *, 32> Used;
  bool Changed = false;
  for (StoreInst *Store : Stores) {
    Tree Operations;
    if (!treeOf(*Store, Operations))
      continue;
    bool Shares = any_of(Operations, [&](Instruction *I) {
      return isa<LoadInst>(I) && Used.contains(I);
    });
    Used.insert(Operations.begin(), Operations.end());
    if (!Shares || any_of(Operations, [&](const Instruction *I) {
          const auto *Load = dyn_cast<LoadInst>(I);
          return Load && !isUnwritten(*Load, *Store);
        }))
      continue;
    copy(Operations, *Store);
    Changed = true;
  }
  return Changed;
}

} // namespace

namespace polygpu {

bool splitStatements(BasicBlock &BB, AAResults &AA,
                     function_ref<bool(const Instruction &)> IsKept) {
  return Splitter(BB, AA, IsKept).run();
}

} // namespace polygpu
