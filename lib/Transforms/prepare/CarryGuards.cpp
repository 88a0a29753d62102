//===- CarryGuards.cpp - Conditions that come out of loops ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/CarryGuards.h"
#include "prepare/Predicate.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace polygpu {

/// A use of \p Guard at the beginning of \p BB, in whose place all in the block
/// that used it is.  Any operation will do that leaves the value as it is.
static Instruction *useIn(BasicBlock &BB, Instruction &Guard) {
  auto *Use = BinaryOperator::CreateOr(
      &Guard, ConstantInt::getFalse(Guard.getType()),
      Guard.getName() + ".carried", BB.getFirstInsertionPt());
  Guard.replaceUsesWithIf(Use, [&](const llvm::Use &U) {
    const auto *User = cast<Instruction>(U.getUser());
    return User->getParent() == &BB && User != Use && !isa<PHINode>(User);
  });
  return Use;
}

CarriedGuards::CarriedGuards(Predication &Guarded, const Region &R) {
  DenseMap<std::pair<BasicBlock *, Value *>, Instruction *> Known;
  for (Predication::Guarded &G : Guarded.List) {
    auto *At = dyn_cast_or_null<Instruction>(static_cast<Value *>(G.At));
    auto *Guard = dyn_cast_or_null<Instruction>(static_cast<Value *>(G.Guard));
    if (!At || !Guard || R.contains(At) || !R.contains(Guard))
      continue;
    Instruction *&Use = Known[{At->getParent(), Guard}];
    if (!Use) {
      Use = useIn(*At->getParent(), *Guard);
      Uses.push_back(Use);
    }
    G.Guard = Use;
  }
}

void CarriedGuards::drop() {
  for (Instruction *Use : Uses) {
    Use->replaceAllUsesWith(Use->getOperand(0));
    Use->eraseFromParent();
  }
  Uses.clear();
}

} // namespace polygpu
