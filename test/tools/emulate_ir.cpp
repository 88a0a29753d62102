//===- emulate_ir.cpp - Kernels written by hand on the emulated device ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// polygpu_emulate_ir KERNEL [checked] < device.ll > host.ll
//
// Does with device IR what the plugin does with that of its own kernels.  The
// result has the function emulated_KERNEL (a polygpu_emulated_fn) and the
// variable shared_KERNEL, the bytes of shared memory of a block.
//
//===----------------------------------------------------------------------===//

#include "target/Emulate.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  LLVMContext Ctx;
  SMDiagnostic Error;
  std::unique_ptr<Module> Device = parseIRFile("-", Error, Ctx);
  if (!Device || verifyModule(*Device, &errs())) {
    Error.print(argv[0], errs());
    return 1;
  }
  std::string Name = argv[1];
  Module Host("host", Ctx);
  auto *Like = Function::Create(FunctionType::get(Type::getVoidTy(Ctx), false),
                                GlobalValue::ExternalLinkage, "like", Host);
  polygpu::EmulatedKernel K =
      polygpu::emulate(*Device, {Name}, Host, *Like, argc > 2)[0];
  K.Function->setLinkage(GlobalValue::ExternalLinkage);
  K.Function->setName("emulated_" + Name);
  Type *I32 = Type::getInt32Ty(Ctx);
  new GlobalVariable(Host, I32, true, GlobalValue::ExternalLinkage,
                     ConstantInt::get(I32, K.SharedBytes), "shared_" + Name);
  if (verifyModule(Host, &errs()))
    return 1;
  Host.print(outs(), nullptr);
  return 0;
}
