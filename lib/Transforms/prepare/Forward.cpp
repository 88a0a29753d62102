//===- Forward.cpp - A function that calls another one like it ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/Forward.h"
#include "RuntimeFunctions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

bool takesScope(const Function &F, const Function &Copy) {
  return Copy.arg_size() > F.arg_size();
}

void forward(Function &F, Function &Copy, BasicBlock *BB, bool MustTail,
             const DebugLoc &Loc) {
  LLVMContext &Ctx = F.getContext();
  Module &M = *F.getParent();
  IRBuilder<> B(BB);
  B.SetCurrentDebugLocation(Loc);
  SmallVector<Value *, 8> Args;
  SmallVector<AttributeSet, 8> ArgAttrs;
  AttributeList Attrs = F.getAttributes();
  for (Argument &A : BB->getParent()->args()) {
    Args.push_back(&A);
    ArgAttrs.push_back(Attrs.getParamAttrs(A.getArgNo()));
  }
  Value *Scope = nullptr;
  if (takesScope(F, Copy)) {
    Scope = B.CreateCall(runtimeFunction(M, "polygpu_keep_begin"));
    Args.push_back(Scope);
  }
  CallInst *Call = B.CreateCall(&Copy, Args);
  Call->setCallingConv(F.getCallingConv());
  Call->setAttributes(
      AttributeList::get(Ctx, AttributeSet(), Attrs.getRetAttrs(), ArgAttrs));
  if (MustTail)
    Call->setTailCallKind(CallInst::TCK_MustTail);
  if (Scope)
    B.CreateCall(runtimeFunction(M, "polygpu_keep_end"), {Scope});
  if (F.getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Call);
}

Function *scopedCopy(Function &F, Function &Copy) {
  auto *Scoped = Function::Create(
      F.getFunctionType(), GlobalValue::InternalLinkage, F.getAddressSpace(),
      F.getName() + ".scoped", F.getParent());
  Scoped->copyAttributesFrom(&Copy);
  Scoped->setPersonalityFn(nullptr);
  forward(F, Copy, BasicBlock::Create(F.getContext(), "", Scoped), false,
          DebugLoc());
  return Scoped;
}

} // namespace polygpu
