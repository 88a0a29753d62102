//===- Compiled.cpp - What is known of copies when files are linked -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "residency/Compiled.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace polygpu {

static const char CompiledName[] = "polygpu-scoped";
static const char SlotName[] = "polygpu.slot";
static const char TouchName[] = "polygpu.touch";

bool isCompiled(const Function &Copy) {
  return Copy.hasFnAttribute(CompiledName);
}

void setCompiled(Function &Copy) { Copy.addFnAttr(CompiledName); }

bool isCallOfCompiled(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && isCompiled(*Callee);
}

static void mark(Instruction &I, const char *Name) {
  I.setMetadata(Name, MDNode::get(I.getContext(), {}));
}

bool isMarkedSlot(const AllocaInst &A) { return A.hasMetadata(SlotName); }

void markSlot(AllocaInst &Slot) { mark(Slot, SlotName); }

void markTouch(CallInst &Call) { mark(Call, TouchName); }

void removeTouches(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (isa<CallInst>(I) && I.hasMetadata(TouchName))
      I.eraseFromParent();
}

} // namespace polygpu
