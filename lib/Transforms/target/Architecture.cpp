//===- Architecture.cpp - Architectures to compile for -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/Architecture.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <dlfcn.h>

using namespace llvm;

namespace polygpu {

static const char *const Known[] = {
    "sm_75",   "sm_80",   "sm_86",  "sm_87",   "sm_88",   "sm_89",
    "sm_90",   "sm_90a",  "sm_100", "sm_100a", "sm_100f", "sm_103",
    "sm_103a", "sm_103f", "sm_110", "sm_110a", "sm_110f", "sm_120",
    "sm_120a", "sm_120f", "sm_121", "sm_121a", "sm_121f"};

/// Compute capability of the first CUDA device as major * 10 + minor, or 0.
static unsigned askDriver() {
  void *Lib = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!Lib)
    return 0;
  auto Init = reinterpret_cast<int (*)(unsigned)>(dlsym(Lib, "cuInit"));
  auto Get = reinterpret_cast<int (*)(int *, int)>(dlsym(Lib, "cuDeviceGet"));
  auto Attribute = reinterpret_cast<int (*)(int *, int, int)>(
      dlsym(Lib, "cuDeviceGetAttribute"));
  int Device = 0, Major = 0, Minor = 0;
  // 75 and 76: CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR.
  if (!Init || !Get || !Attribute || Init(0) || Get(&Device, 0) ||
      Attribute(&Major, 75, Device) || Attribute(&Minor, 76, Device))
    return 0;
  return static_cast<unsigned>(Major) * 10 + static_cast<unsigned>(Minor);
}

std::optional<Architecture> findArchitecture(StringRef Name) {
  if (!is_contained(Known, Name))
    return std::nullopt;
  Architecture Result = {0, Name.str()};
  Name.drop_front(3).take_while(isDigit).getAsInteger(10, Result.Number);
  return Result;
}

std::optional<Architecture> nativeArchitecture() {
  unsigned Number = askDriver();
  if (!Number)
    return std::nullopt;
  return Architecture{Number, "sm_" + std::to_string(Number)};
}

std::vector<Architecture> majorArchitectures() {
  std::vector<Architecture> List = {*findArchitecture(DefaultArchitecture)};
  for (StringRef Name : Known)
    if (Name.ends_with("0"))
      List.push_back(*findArchitecture(Name));
  return List;
}

bool isSpecific(const Architecture &A) { return !isDigit(A.Processor.back()); }

std::string knownArchitectures() {
  std::string List;
  for (const char *Name : Known)
    List += std::string(", ") + Name;
  return List;
}

pg_machine machineFor(const Architecture &A, bool Exact) {
  pg_machine Machine = *pg_machine_find(A.Number);
  bool OnlyThere = Exact || isSpecific(A);
  if (A.Number >= 90 && !OnlyThere)
    Machine.block_shared = std::min(Machine.block_shared, CommonShared);
  return Machine;
}

} // namespace polygpu
