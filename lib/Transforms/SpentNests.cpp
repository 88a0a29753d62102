//===- SpentNests.cpp - Nests that were looked at before -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpentNests.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace polygpu {

namespace {
/// Values and blocks as numbers, in the order in which they are met.
class Numbering {
public:
  uint64_t operator()(const Value *V) {
    if (isa<Constant>(V) && !isa<GlobalValue>(V))
      return reinterpret_cast<uintptr_t>(V); // equal ones are one
    return Numbers.insert({V, Numbers.size()}).first->second;
  }

private:
  DenseMap<const Value *, uint64_t> Numbers;
};
} // namespace

/// What an instruction says beside its type and its operands.
static uint64_t detailOf(const Instruction &I) {
  if (const auto *Cmp = dyn_cast<CmpInst>(&I))
    return Cmp->getPredicate();
  if (const auto *GEP = dyn_cast<GetElementPtrInst>(&I))
    return reinterpret_cast<uintptr_t>(GEP->getSourceElementType());
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return reinterpret_cast<uintptr_t>(Call->getCalledFunction());
  return I.getRawSubclassOptionalData();
}

SpentNests::Key SpentNests::keyOf(const Region &R) {
  Key K;
  Numbering NumberOf;
  for (const BasicBlock *BB : R.blocks()) {
    K.push_back(NumberOf(BB));
    for (const Instruction &I : *BB) {
      K.push_back(I.getOpcode());
      K.push_back(reinterpret_cast<uintptr_t>(I.getType()));
      K.push_back(detailOf(I));
      K.push_back(NumberOf(&I));
      for (const Value *Operand : I.operand_values())
        K.push_back(NumberOf(Operand));
      if (const auto *Phi = dyn_cast<PHINode>(&I))
        for (const BasicBlock *From : Phi->blocks())
          K.push_back(NumberOf(From));
    }
  }
  return K;
}

void SpentNests::add(Key K, unsigned long Operations, const Refusal &Why) {
  auto [It, IsNew] = Spent.insert({std::move(K), {Operations, Why}});
  if (!IsNew && It->second.first < Operations)
    It->second = {Operations, Why};
}

std::optional<Refusal> SpentNests::find(const Key &K,
                                        unsigned long Operations) const {
  auto It = Spent.find(K);
  if (It == Spent.end() || It->second.first < Operations)
    return std::nullopt;
  return It->second.second;
}

} // namespace polygpu
