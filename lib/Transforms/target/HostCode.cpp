//===- HostCode.cpp - Functions of a device module in the host's ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/HostCode.h"
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

} // namespace polygpu
