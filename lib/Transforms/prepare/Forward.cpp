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
             const DebugLoc &Loc, bool OwnScope) {
  LLVMContext &Ctx = F.getContext();
  IRBuilder<> B(BB);
  B.SetCurrentDebugLocation(Loc);
  SmallVector<Value *, 8> Args;
  SmallVector<AttributeSet, 8> ArgAttrs;
  AttributeList Attrs = F.getAttributes();
  for (Argument &A : BB->getParent()->args()) {
    Args.push_back(&A);
    ArgAttrs.push_back(Attrs.getParamAttrs(A.getArgNo()));
  }
  const bool Takes = takesScope(F, Copy);
  if (Takes)
    Args.push_back(B.getInt64(0));
  CallInst *Call = B.CreateCall(&Copy, Args);
  Call->setCallingConv(F.getCallingConv());
  Call->setAttributes(
      AttributeList::get(Ctx, AttributeSet(), Attrs.getRetAttrs(), ArgAttrs));
  if (MustTail)
    Call->setTailCallKind(CallInst::TCK_MustTail);
  if (Takes && OwnScope)
    giveScope(*Call);
  if (F.getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Call);
}

void giveScope(CallInst &Call) {
  Module &M = *Call.getModule();
  IRBuilder<> B(&Call);
  Value *Scope = B.CreateCall(runtimeFunction(M, "polygpu_keep_begin"));
  Call.setArgOperand(Call.arg_size() - 1, Scope);
  B.SetInsertPoint(Call.getParent(), std::next(Call.getIterator()));
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  B.CreateCall(runtimeFunction(M, "polygpu_keep_end"), {Scope});
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
