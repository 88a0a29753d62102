//===- Plugin.cpp - Entry point of PolyGPU.so -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   opt-22 -load-pass-plugin=PolyGPU.so -passes=gpu-polyhedral
//   clang-22 -O3 -fpass-plugin=PolyGPU.so -mllvm -gpu-offload
//
//===----------------------------------------------------------------------===//

#include "GpuPolyhedral.h"
#include "LeaveAlone.h"
#include "Options.h"
#include "kernel/CarryLoads.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include <cstdio>
#include <dlfcn.h>

using namespace llvm;
using namespace polygpu;

static void registerPasses(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "gpu-polyhedral")
          MPM.addPass(GpuPolyhedralPass());
        else if (Name == "gpu-link")
          MPM.addPass(GpuLinkPass());
        else if (Name == "print<gpu-scops>")
          MPM.addPass(GpuPolyhedralPass(Level::Scops));
        else if (Name == "print<gpu-schedule>")
          MPM.addPass(GpuPolyhedralPass(Level::Schedule));
        else if (Name == "print<gpu-mapping>")
          MPM.addPass(GpuPolyhedralPass(Level::Mapping));
        else if (Name == "print<gpu-kernels>")
          MPM.addPass(GpuPolyhedralPass(Level::Kernels));
        else if (Name == "print<gpu-ptx>")
          MPM.addPass(GpuPolyhedralPass(Level::PTX));
        else
          return false;
        return true;
      });
  // One of the passes over kernels, for its tests.
  PB.registerPipelineParsingCallback(
      [](StringRef Name, FunctionPassManager &FPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "gpu-carry-loads")
          return false;
        FPM.addPass(CarryLoadsPass());
        return true;
      });
  // First of all passes: later ones turn loops into forms that hide SCoPs.
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        if (!isOffloadRequested())
          MPM.addPass(LeaveAlonePass(LeaveAlonePass::SwitchedOff));
        else if (Level == OptimizationLevel::O0)
          MPM.addPass(LeaveAlonePass(LeaveAlonePass::NotOptimised));
        else
          MPM.addPass(GpuPolyhedralPass());
      });
  // Before functions of other files are inlined.
  PB.registerFullLinkTimeOptimizationEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(GpuLinkPass());
      });
}

/// Is the LLVM that loads the plugin the one that it is made for?  Polly and
/// isl inside of it are, and so are the layouts of all objects that it gets.
/// Asked for by name, since the plugin's own symbols lead to its own LLVM,
/// which may be loaded as well.
static bool isLoadedByItsLLVM() {
  using GetVersion = void(unsigned *, unsigned *, unsigned *);
  auto *Get =
      reinterpret_cast<GetVersion *>(dlsym(RTLD_DEFAULT, "LLVMGetVersion"));
  unsigned Major = 0, Minor = 0, Patch = 0;
  if (Get)
    Get(&Major, &Minor, &Patch);
  if (!Get || (Major == LLVM_VERSION_MAJOR && Minor == LLVM_VERSION_MINOR &&
               Patch == LLVM_VERSION_PATCH))
    return true;
  // Not by means of LLVM, which is another one.
  std::fprintf(
      stderr,
      "PolyGPU: warning: nothing is offloaded: the plugin is made for "
      "LLVM %d.%d.%d and was loaded by LLVM %u.%u.%u; use the compiler "
      "of that version, or build PolyGPU again\n",
      LLVM_VERSION_MAJOR, LLVM_VERSION_MINOR, LLVM_VERSION_PATCH, Major, Minor,
      Patch);
  return false;
}

extern "C" LLVM_ATTRIBUTE_WEAK
    __attribute__((visibility("default"))) PassPluginLibraryInfo
    llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "PolyGPU", POLYGPU_VERSION,
          isLoadedByItsLLVM() ? registerPasses : [](PassBuilder &) {}};
}
