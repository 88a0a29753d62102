//===- DeviceModule.cpp - What device modules are made of ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/DeviceModule.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

FunctionCallee deviceFunction(Module &M, const char *Name,
                              ArrayRef<Type *> Params) {
  FunctionCallee Callee = M.getOrInsertFunction(
      Name, FunctionType::get(Type::getVoidTy(M.getContext()), Params, false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotThrow();
  F->setWillReturn();
  for (Argument &A : F->args())
    if (A.getType()->isPointerTy())
      A.addAttr(
          Attribute::getWithCaptureInfo(M.getContext(), CaptureInfo::none()));
  return Callee;
}

} // namespace polygpu
