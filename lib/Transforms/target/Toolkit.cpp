//===- Toolkit.cpp - What of NVIDIA's toolkit is installed ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/Toolkit.h"
#include "Options.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace polygpu {

std::string findToolkit() {
  for (const char *Name : {"CUDA_PATH", "CUDA_HOME"})
    if (auto Value = sys::Process::GetEnv(Name))
      if (sys::fs::is_directory(*Value))
        return *Value;
  for (const char *Path : {"/usr/local/cuda", "/usr/lib/cuda", "/opt/cuda"})
    if (sys::fs::is_directory(Path))
      return Path;
  return "";
}

std::string libdevicePath(const Options &O) {
  if (O.CudaPath.empty())
    return "";
  SmallString<128> Path(O.CudaPath);
  sys::path::append(Path, "nvvm", "libdevice", "libdevice.10.bc");
  return sys::fs::exists(Path) ? std::string(Path) : "";
}

bool hasLibdevice(const Options &O) { return !libdevicePath(O).empty(); }

std::string assemblerPath(const Options &O) {
  SmallString<128> Bin(O.CudaPath);
  sys::path::append(Bin, "bin");
  auto Ptxas = sys::findProgramByName("ptxas", {StringRef(Bin)});
  if (!Ptxas)
    Ptxas = sys::findProgramByName("ptxas");
  return Ptxas ? *Ptxas : "";
}

bool hasAssembler(const Options &O) { return !assemblerPath(O).empty(); }

} // namespace polygpu
