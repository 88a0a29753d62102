//===- QuietFunctions.cpp - Functions that write nothing of their callers' ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "residency/QuietFunctions.h"
#include "residency/LibraryCalls.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace polygpu {

bool QuietFunctions::has(Function &F) {
  // Until it is known, for calls of itself.
  auto [It, IsNew] = Known.insert({&F, false});
  if (!IsNew)
    return It->second;
  bool Is = isQuiet(F);
  Known[&F] = Is;
  return Is;
}

/// The linker may take another function of that name, unless it is exact.
bool QuietFunctions::isQuiet(Function &F) {
  return F.hasExactDefinition() && !F.isPresplitCoroutine() &&
         !F.callsFunctionThatReturnsTwice() &&
         all_of(instructions(F), [&](Instruction &I) { return isQuiet(I); });
}

static bool isLocal(const Value *Pointer) {
  return isa<AllocaInst>(getUnderlyingObject(Pointer));
}

bool QuietFunctions::isQuiet(Instruction &I) {
  if (I.isDebugOrPseudoInst())
    return true;
  if (auto *Call = dyn_cast<CallBase>(&I))
    return isQuietCall(*Call);
  if (!I.mayWriteToMemory())
    return true;
  const auto *Store = dyn_cast<StoreInst>(&I);
  return Store && Store->isSimple() && isLocal(Store->getPointerOperand());
}

bool QuietFunctions::isQuietCall(CallBase &Call) {
  if (Call.isInlineAsm())
    return false;
  if (!Call.mayWriteToMemory() || isa<LifetimeIntrinsic>(Call))
    return true;
  if (const auto *Mem = dyn_cast<MemIntrinsic>(&Call))
    return !Mem->isVolatile() && isLocal(Mem->getRawDest());
  const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(*Call.getFunction());
  if (endedBy(Call, TLI))
    return false; // there is more to tell than that all is read
  auto Write = clockWrite(Call);
  if (!Write)
    Write = libraryWrite(Call, TLI);
  if (Write)
    return Write->Kind == HostAccess::Nothing || isLocal(Write->First);
  Function *Callee = Call.getCalledFunction();
  return Callee && !Callee->isIntrinsic() && has(*Callee);
}

} // namespace polygpu
