//===- MathErrno.cpp - Math calls that lose their effect on errno ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/MathErrno.h"
#include "target/MathCalls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace polygpu {

void MathErrno::mark(Function &F, const TargetLibraryInfo &TLI) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (!isa<IntrinsicInst>(Call) && !Call->hasFnAttr(MathAttribute) &&
          isMathCall(*Call, TLI))
        mark(*Call, TLI);
}

void MathErrno::mark(CallInst &Call, const TargetLibraryInfo &TLI) {
  AttributeList Attributes = Call.getAttributes();
  size_t Place = find(Written, Attributes) - Written.begin();
  if (Place == Written.size())
    Written.push_back(Attributes);
  Call.addFnAttr(
      Attribute::get(Call.getContext(), MathAttribute, std::to_string(Place)));
  // Not lgamma, which writes signgam.
  LibFunc Known;
  if (!TLI.getLibFunc(Call, Known))
    return;
  Call.setMemoryEffects(Call.getMemoryEffects() &
                        MemoryEffects::errnoMemOnly(ModRefInfo::Mod));
  Call.setDoesNotThrow();
  for (Attribute::AttrKind Kind :
       {Attribute::WillReturn, Attribute::NoFree, Attribute::NoCallback})
    Call.addFnAttr(Kind);
}

void MathErrno::hide(Function &F, const LoopInfo &LI) const {
  if (Keep)
    return;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || !Call->hasFnAttr(MathAttribute) || Call->isStrictFP() ||
        !LI.getLoopFor(I.getParent()))
      continue;
    Call->setMemoryEffects(MemoryEffects::none());
    Call->setDoesNotThrow();
    Call->addFnAttr(Attribute::WillReturn);
  }
}

void MathErrno::restore(Function &F) const {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call)
      continue;
    Attribute Mark = Call->getAttributes().getFnAttr(MathAttribute);
    size_t Place;
    if (Mark.isValid() && !Mark.getValueAsString().getAsInteger(10, Place))
      Call->setAttributes(Written[Place]);
  }
}

bool isErrno(const Value *Pointer) {
  const auto *Call = dyn_cast<CallBase>(getUnderlyingObject(Pointer));
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  static const char *const Names[] = {"__errno_location", "__errno", "___errno",
                                      "__error", "_errno"};
  return Callee && is_contained(Names, Callee->getName());
}

} // namespace polygpu
