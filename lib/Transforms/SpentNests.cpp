//===- SpentNests.cpp - Nests that were too much before ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpentNests.h"
#include "scop/Detection.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace polygpu {

SpentNests::Key SpentNests::keyOf(const Region &R, const LoopInfo &LI) {
  DebugLoc Start = startOf(R, LI);
  if (!Start)
    return std::nullopt;
  const DISubprogram *Of = Start->getScope()->getSubprogram();
  StringRef Name = Of->getLinkageName();
  size_t Size = 0;
  for (const BasicBlock *BB : R.blocks())
    Size += BB->size();
  return std::make_tuple((Name.empty() ? Of->getName() : Name).str(),
                         Start.getLine(), Start.getCol(), Size);
}

void SpentNests::add(const Key &K, unsigned long Operations,
                     const Refusal &Why) {
  if (!K)
    return;
  auto [It, IsNew] = Spent.insert({*K, {Operations, Why}});
  if (!IsNew && It->second.first < Operations)
    It->second = {Operations, Why};
}

std::optional<Refusal> SpentNests::find(const Key &K,
                                        unsigned long Operations) const {
  auto It = K ? Spent.find(*K) : Spent.end();
  if (It == Spent.end() || It->second.first < Operations)
    return std::nullopt;
  return It->second.second;
}

} // namespace polygpu
