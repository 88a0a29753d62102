//===- EarlyLoads.cpp - Loads of a thread's points together ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/EarlyLoads.h"
#include "target/DeviceModule.h"
#include "verify/Mutate.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DataLayout.h"
#include <map>

using namespace llvm;

namespace polygpu {

/// Bytes that a thread loads before it stores the first result: 16 registers.
/// 32 warps of a multiprocessor have 64 KiB on the way then.  Not measured.
static const uint64_t MaxBytes = 64;

/// Does \p Pointer point to an element of an array in the device's memory?
static bool isInMemory(const Value *Pointer) {
  return Pointer->getType()->getPointerAddressSpace() == GlobalSpace;
}

/// Are \p A and \p B in different iterations of a loop?  What is behind another
/// loop may be the same point again.
static bool areApart(const UnrolledPath &A, const UnrolledPath &B) {
  for (auto [L, R] : zip(A, B)) {
    if (L.first != R.first)
      return false;
    if (L.second != R.second)
      return true;
  }
  return false;
}

/// Does \p I only compute, wherever in its block it is?
static bool isArithmetic(const Instruction &I) {
  return !I.mayReadOrWriteMemory() && !I.mayHaveSideEffects() &&
         !isa<PHINode>(I);
}

void EarlyLoads::add(iterator_range<BasicBlock::iterator> New,
                     const UnrolledPath &Path) {
  for (Instruction &I : New) {
    const Value *Pointer = getLoadStorePointerOperand(&I);
    if (Pointer && !I.isVolatile() && !I.isAtomic() && isInMemory(Pointer))
      Accesses.insert({&I, Path});
  }
}

namespace {

/// The addresses of loads: equal ones are loaded once in the end.
class Addresses {
public:
  /// Is the address of \p Load one that was not asked about?
  bool isNew(const LoadInst &Load) {
    return Asked.insert(like(Load.getPointerOperand())).second;
  }
  void clear() { Asked.clear(); }

private:
  std::map<std::vector<const void *>, const Value *> First;
  DenseMap<const Value *, const Value *> Like;
  SmallPtrSet<const Value *, 32> Asked;

  /// The first value that was computed as \p V is.
  const Value *like(const Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !isArithmetic(*I))
      return V;
    if (const Value *Known = Like.lookup(V))
      return Known;
    auto Opcode = reinterpret_cast<const void *>(uintptr_t(I->getOpcode()));
    std::vector<const void *> Key = {Opcode, I->getType()};
    if (auto *GEP = dyn_cast<GetElementPtrInst>(I))
      Key.push_back(GEP->getSourceElementType());
    for (const Value *Operand : I->operands())
      Key.push_back(like(Operand));
    return Like[V] = First.insert({Key, V}).first->second;
  }
};

/// Instructions behind the place that loads are moved to.
class Behind {
public:
  void add(Instruction &I) { All.insert(&I); }
  void clear() { All.clear(); }

  /// Move \p Load, and what it needs, in front of \p Place, unless that is
  /// something that has to stay.
  void move(LoadInst &Load, Instruction &Place) {
    SmallVector<Instruction *, 16> Needed;
    if (!collect(Load, Needed))
      return add(Load);
    Needed.push_back(&Load);
    for (Instruction *I : Needed) {
      I->moveBefore(Place.getIterator());
      All.erase(I);
    }
  }

private:
  SmallPtrSet<Instruction *, 32> All;

  /// Add what \p I uses to \p Needed, each behind what it uses itself; false if
  /// that is not only arithmetic.
  bool collect(const Instruction &I, SmallVectorImpl<Instruction *> &Needed) {
    for (Value *V : I.operands()) {
      auto *Used = dyn_cast<Instruction>(V);
      if (!Used || !All.contains(Used) || is_contained(Needed, Used))
        continue;
      if (!isArithmetic(*Used) || !collect(*Used, Needed))
        return false;
      Needed.push_back(Used);
    }
    return true;
  }
};

} // namespace

void EarlyLoads::moveIn(BasicBlock &Block) {
  const DataLayout &DL = Block.getDataLayout();
  Instruction *Place = nullptr; // the first store
  SmallVector<const UnrolledPath *, 32> Stores;
  Behind Rest;
  Addresses Loaded;
  uint64_t Bytes = 0;
  auto Begin = [&](Instruction *First) {
    Place = First;
    Stores.clear();
    Rest.clear();
    Loaded.clear();
    Bytes = 0;
  };
  for (Instruction &I : make_early_inc_range(Block)) {
    auto *Known = Accesses.find(&I);
    auto *Load = dyn_cast<LoadInst>(&I);
    if (Known == Accesses.end()) {
      auto *Store = dyn_cast<StoreInst>(&I);
      if (I.mayHaveSideEffects() && !(Store && Store->isUnordered() &&
                                      !isInMemory(Store->getPointerOperand())))
        Begin(nullptr);
      Rest.add(I);
      continue;
    }
    if (!Load) {
      if (!Place)
        Begin(&I);
      Stores.push_back(&Known->second);
      Rest.add(I);
      continue;
    }
    bool Free = Place && all_of(Stores, [&](const UnrolledPath *Store) {
                  return areApart(*Store, Known->second);
                });
    if (Place && !Free)
      Free = isMutated(Mutation::Early, Block.getParent()->getName().str());
    if (!Free) {
      Rest.add(I);
      continue;
    }
    if (Loaded.isNew(*Load))
      Bytes += DL.getTypeStoreSize(Load->getType());
    if (Bytes > MaxBytes)
      Begin(nullptr);
    else
      Rest.move(*Load, *Place);
  }
}

void EarlyLoads::run() {
  SmallSetVector<BasicBlock *, 8> Blocks;
  for (const auto &[I, Path] : Accesses)
    Blocks.insert(I->getParent());
  for (BasicBlock *Block : Blocks)
    moveIn(*Block);
  Accesses.clear();
}

} // namespace polygpu
