//===- SaveFailure.cpp - What shows an error of the compiler --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verify/SaveFailure.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace polygpu {

void reduceTo(Module &M, const SmallPtrSetImpl<const GlobalValue *> &Kept) {
  for (GlobalValue &G : M.global_values())
    if (!G.isDeclaration() && !Kept.count(&G) &&
        !G.getName().starts_with("llvm.")) {
      if (auto *O = dyn_cast<GlobalObject>(&G))
        O->setComdat(nullptr);
      G.setVisibility(GlobalValue::DefaultVisibility);
      G.setLinkage(GlobalValue::InternalLinkage);
    }
  ModuleAnalysisManager MAM;
  MAM.registerPass([] { return PassInstrumentationAnalysis(); });
  FunctionAnalysisManager FAM;
  FAM.registerPass([] { return PassInstrumentationAnalysis(); });
  MAM.registerPass([&] { return FunctionAnalysisManagerModuleProxy(FAM); });
  GlobalDCEPass().run(M, MAM);
}

void saveFailure(StringRef Directory, const Function &F, const DebugLoc &Start,
                 const Refusal &Why, StringRef Text) {
  sys::fs::create_directories(Directory);
  SmallString<128> Name(Directory);
  sys::path::append(Name, F.getName() + "-" +
                              Twine(Start ? Start.getLine() : 0) + "-" +
                              StringRef(Why.Name).lower());
  std::error_code Error;
  raw_fd_ostream Code((Name + ".bc").str(), Error);
  if (Error)
    return;
  ValueToValueMapTy VMap;
  std::unique_ptr<Module> M = CloneModule(*F.getParent(), VMap);
  auto *Root = cast<Function>(VMap[&F]);
  Root->setLinkage(GlobalValue::ExternalLinkage);
  Root->setComdat(nullptr);
  SmallPtrSet<const GlobalValue *, 1> Kept = {Root};
  reduceTo(*M, Kept);
  WriteBitcodeToFile(*M, Code);
  raw_fd_ostream About((Name + ".txt").str(), Error);
  if (!Error)
    About << "opt -load-pass-plugin=PolyGPU.so -passes=gpu-polyhedral "
             "-pass-remarks-missed=gpu-polyhedral -disable-output "
          << Name << ".bc\n"
          << Why.Sentence << '\n'
          << Text;
}

} // namespace polygpu
