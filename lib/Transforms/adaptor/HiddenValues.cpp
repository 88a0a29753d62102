//===- HiddenValues.cpp - Values that Polly is to take as they are -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "adaptor/HiddenValues.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

/// The functions that hide integers begin with it; that of pointers returns its
/// first argument plus its second.
static const char *const HiddenPrefix = "polygpu.hidden.i";
static const char *const HiddenPointerName = "polygpu.hidden.pointer";

bool isHidingName(StringRef Name) {
  return Name.starts_with(HiddenPrefix) || Name == HiddenPointerName;
}

/// Nothing is known of what it returns.
static void describe(FunctionCallee Hide,
                     MemoryEffects Effects = MemoryEffects::none()) {
  auto *F = cast<Function>(Hide.getCallee());
  F->setMemoryEffects(Effects);
  F->setDoesNotThrow();
  F->setWillReturn();
}

void hideValue(Instruction &I, bool Parts) {
  std::string Name =
      HiddenPrefix + std::to_string(I.getType()->getIntegerBitWidth());
  FunctionCallee Hide = I.getModule()->getOrInsertFunction(
      Parts ? Name + ".apart" : Name, I.getType(), I.getType());
  describe(Hide, Parts ? MemoryEffects::inaccessibleMemOnly()
                       : MemoryEffects::none());
  auto *Hidden =
      CallInst::Create(Hide, {&I}, I.getName(), std::next(I.getIterator()));
  Hidden->setDebugLoc(I.getDebugLoc());
  I.replaceUsesWithIf(Hidden,
                      [&](const Use &U) { return U.getUser() != Hidden; });
}

CallInst *hidePointer(Value *Origin, int64_t Offset, Function &F) {
  BasicBlock::iterator Where = F.getEntryBlock().getFirstInsertionPt();
  if (auto *I = dyn_cast<Instruction>(Origin)) {
    auto After = I->getInsertionPointAfterDef();
    if (!After)
      return nullptr;
    Where = *After;
  }
  return hidePointer(Origin, Offset, Where);
}

CallInst *hidePointer(Value *Origin, int64_t Offset, InsertPosition Where) {
  Type *Ptr = Origin->getType(), *I64 = Type::getInt64Ty(Ptr->getContext());
  FunctionCallee Hide = Where.getBasicBlock()->getModule()->getOrInsertFunction(
      HiddenPointerName, Ptr, Ptr, I64);
  describe(Hide);
  return CallInst::Create(Hide, {Origin, ConstantInt::getSigned(I64, Offset)},
                          "", Where);
}

const Value *hiddenOrigin(const Value *V, int64_t &Offset) {
  const auto *Call = dyn_cast<CallInst>(V);
  if (!Call || !Call->getCalledFunction() ||
      Call->getCalledFunction()->getName() != HiddenPointerName)
    return nullptr;
  Offset = cast<ConstantInt>(Call->getArgOperand(1))->getSExtValue();
  return Call->getArgOperand(0);
}

static void revealPointer(Instruction &I) {
  IRBuilder<> B(&I);
  int64_t Offset;
  Value *Origin = I.getOperand(0);
  hiddenOrigin(&I, Offset);
  I.replaceAllUsesWith(Offset ? B.CreatePtrAdd(Origin, I.getOperand(1))
                              : Origin);
  I.eraseFromParent();
}

/// Pointers first: what they are offsets to may be hidden itself.
void revealHidden(Function &F) {
  int64_t Offset;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (hiddenOrigin(&I, Offset))
      revealPointer(I);
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (Function *Callee = Call->getCalledFunction())
        if (Callee->getName().starts_with(HiddenPrefix)) {
          Call->replaceAllUsesWith(Call->getArgOperand(0));
          Call->eraseFromParent();
        }
}

} // namespace polygpu
