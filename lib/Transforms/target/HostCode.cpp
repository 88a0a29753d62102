//===- HostCode.cpp - Functions of a device module in the host's ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/HostCode.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

Type *FlattenPointers::remapType(Type *Ty) {
  return Ty->isPointerTy() ? PointerType::get(Ty->getContext(), 0) : Ty;
}

void mapDeclarations(const Module &Device, Module &Host,
                     ValueToValueMapTy &Map) {
  FlattenPointers Flatten;
  for (const Function &Callee : Device) {
    if (!Callee.isDeclaration())
      continue;
    SmallVector<Type *, 4> Params;
    for (Type *Param : Callee.getFunctionType()->params())
      Params.push_back(Flatten.remapType(Param));
    auto *Ty = FunctionType::get(Callee.getReturnType(), Params, false);
    FunctionCallee New = Callee.isIntrinsic()
                             ? Host.getOrInsertFunction(Callee.getName(), Ty)
                             : Host.getOrInsertFunction(Callee.getName(), Ty,
                                                        Callee.getAttributes());
    Map[&Callee] = New.getCallee();
  }
}

Function *unpackArguments(Function &F, unsigned Kept, const Twine &Name,
                          const BitVector *Lent) {
  auto *Ptr = PointerType::get(F.getContext(), 0);
  unsigned N = F.arg_size() - Kept;
  SmallVector<Type *, 4> Types = {Ptr};
  for (unsigned I = 0; I < Kept; ++I)
    Types.push_back(F.getArg(N + I)->getType());
  if (Lent)
    Types.push_back(Ptr);
  auto *W = Function::Create(
      FunctionType::get(Type::getVoidTy(F.getContext()), Types, false),
      GlobalValue::InternalLinkage, Name, F.getParent());
  IRBuilder<> B(BasicBlock::Create(F.getContext(), "entry", W));
  SmallVector<Value *, 16> Args;
  for (unsigned I = 0; I < N; ++I) {
    Value *Slot = B.CreateLoad(Ptr, B.CreateConstGEP1_64(Ptr, W->getArg(0), I));
    const bool IsLent = Lent && Lent->test(I);
    Value *V =
        B.CreateLoad(IsLent ? B.getInt64Ty() : F.getArg(I)->getType(), Slot);
    Args.push_back(IsLent ? B.CreatePtrAdd(W->getArg(1 + Kept), V) : V);
  }
  for (unsigned I = 0; I < Kept; ++I)
    Args.push_back(W->getArg(1 + I));
  B.CreateCall(&F, Args);
  B.CreateRetVoid();
  return W;
}

} // namespace polygpu
