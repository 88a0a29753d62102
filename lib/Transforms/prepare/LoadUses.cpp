//===- LoadUses.cpp - What values that loops load are used for ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/LoadUses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace polygpu {

static void findUses(const Value &V, const Loop &L, Uses &Found,
                     SmallPtrSetImpl<const Value *> &Seen) {
  for (const Use &U : V.uses()) {
    const auto *I = cast<Instruction>(U.getUser());
    if (!L.contains(I))
      continue;
    if (const auto *Branch = dyn_cast<BranchInst>(I)) {
      Found.Branch = true;
      Found.Exit |= any_of(successors(Branch), [&](const BasicBlock *BB) {
        return !L.contains(BB);
      });
    } else if (getLoadStorePointerOperand(I) == &V) {
      Found.Address = true;
    } else if (isa<GetElementPtrInst, CastInst, BinaryOperator, ICmpInst,
                   SelectInst, PHINode, FreezeInst>(I) &&
               !I->getType()->isFPOrFPVectorTy() && Seen.size() < 64 &&
               Seen.insert(I).second) {
      findUses(*I, L, Found, Seen);
    }
  }
}

Uses usesOf(const Value &V, const Loop &L) {
  Uses Found;
  SmallPtrSet<const Value *, 16> Seen;
  findUses(V, L, Found, Seen);
  return Found;
}

bool isNeeded(const LoadInst &Load, const Loop &L) {
  Uses Found = usesOf(Load, L);
  return Found.Address || Found.Branch;
}

} // namespace polygpu
