//===- Toolkit.cpp - What of NVIDIA's toolkit is installed ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/Toolkit.h"
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

std::string libdevicePath(const std::string &CudaPath) {
  if (CudaPath.empty())
    return "";
  SmallString<128> Path(CudaPath);
  sys::path::append(Path, "nvvm", "libdevice", "libdevice.10.bc");
  return sys::fs::exists(Path) ? std::string(Path) : "";
}

std::string missingMath(const std::string &CudaPath) {
  return libdevicePath(CudaPath).empty()
             ? "needs NVIDIA's libdevice, which was not found; install CUDA or "
               "name it with -gpu-cuda-path"
             : "";
}

std::string assemblerPath(const std::string &CudaPath) {
  SmallString<128> Bin(CudaPath);
  sys::path::append(Bin, "bin");
  auto Ptxas = sys::findProgramByName("ptxas", {StringRef(Bin)});
  if (!Ptxas)
    Ptxas = sys::findProgramByName("ptxas");
  return Ptxas ? *Ptxas : "";
}

bool hasAssembler(const std::string &CudaPath) {
  return !assemblerPath(CudaPath).empty();
}

} // namespace polygpu
