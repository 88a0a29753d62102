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
    auto [It, IsNew] = Numbers.insert({V, Numbers.size()});
    if (IsNew)
      Met.push_back(V);
    return It->second;
  }
  SmallVector<const Value *, 64> Met; ///< by their numbers

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

/// Add what \p I is.
static void describe(const Instruction &I, Numbering &NumberOf,
                     SpentNests::Key &K) {
  K.push_back(I.getOpcode());
  K.push_back(reinterpret_cast<uintptr_t>(I.getType()));
  K.push_back(detailOf(I));
  K.push_back(I.getRawSubclassOptionalData());
  K.push_back(NumberOf(&I));
  for (const Value *Operand : I.operand_values())
    K.push_back(NumberOf(Operand));
}

/// Add how values from outside of \p R are computed of others: of two pointers
/// the distance may be known.
static void describeOutside(const Region &R, Numbering &NumberOf,
                            SpentNests::Key &K) {
  static const size_t Most = 2000; // values
  for (size_t N = 0; N < NumberOf.Met.size(); ++N) {
    const auto *I = dyn_cast<Instruction>(NumberOf.Met[N]);
    if (N > Most) // like nothing else
      return K.push_back(reinterpret_cast<uintptr_t>(R.getEntry()));
    if (I && !R.contains(I) &&
        isa<GetElementPtrInst, CastInst, BinaryOperator, SelectInst>(I))
      describe(*I, NumberOf, K);
  }
}

SpentNests::Key SpentNests::keyOf(const Region &R) {
  Key K;
  Numbering NumberOf;
  for (const BasicBlock *BB : R.blocks()) {
    K.push_back(NumberOf(BB));
    for (const Instruction &I : *BB) {
      describe(I, NumberOf, K);
      if (const auto *Phi = dyn_cast<PHINode>(&I))
        for (const BasicBlock *From : Phi->blocks())
          K.push_back(NumberOf(From));
    }
  }
  describeOutside(R, NumberOf, K);
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
