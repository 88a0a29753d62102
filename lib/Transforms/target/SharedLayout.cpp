//===- SharedLayout.cpp - Where variables in shared memory lie ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/SharedLayout.h"
#include "target/DeviceModule.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

static bool isUsedIn(const Value &V, const Function &F) {
  return any_of(V.users(), [&](const User *U) {
    const auto *I = dyn_cast<Instruction>(U);
    return I ? I->getFunction() == &F : isUsedIn(*U, F);
  });
}

SharedLayout sharedLayout(const Function &Kernel) {
  const DataLayout &DL = Kernel.getDataLayout();
  SharedLayout Result;
  for (const GlobalVariable &G : Kernel.getParent()->globals()) {
    if (G.getAddressSpace() != SharedSpace || !isUsedIn(G, Kernel))
      continue;
    unsigned Offset =
        alignTo(Result.Bytes,
                DL.getValueOrABITypeAlignment(G.getAlign(), G.getValueType()));
    Result.Variables.push_back({const_cast<GlobalVariable *>(&G), Offset});
    Result.Bytes = Offset + DL.getTypeAllocSize(G.getValueType());
  }
  return Result;
}

} // namespace polygpu
