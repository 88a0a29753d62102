//===- OwnPolly.cpp - The plugin's copy of Polly --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OwnPolly.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

// The linker sends the calls of llvm::cl::Option::addArgument and of
// llvm::cl::OptionCategory::registerCategory in the plugin here (--wrap).
extern "C" {
void __real__ZN4llvm2cl6Option11addArgumentEv(cl::Option *O);
void __wrap__ZN4llvm2cl6Option11addArgumentEv(cl::Option *O);
void __real__ZN4llvm2cl14OptionCategory16registerCategoryEv(
    cl::OptionCategory *Category);
void __wrap__ZN4llvm2cl14OptionCategory16registerCategoryEv(
    cl::OptionCategory *Category);
}

/// Options that were not registered, by name.  Options are made before main,
/// in any order of files, so this is made by the first of them.
static StringMap<cl::Option *> &ownOptions() {
  static StringMap<cl::Option *> Options;
  return Options;
}

/// Has libLLVM a Polly?  The first answer counts: it comes before any option of
/// the plugin is registered.
static bool isPollyInLLVM() {
  static const bool Is =
      cl::getRegisteredOptions().count("polly-process-unprofitable");
  return Is;
}

void __wrap__ZN4llvm2cl6Option11addArgumentEv(cl::Option *O) {
  if (isPollyInLLVM() && !O->ArgStr.starts_with("gpu-") &&
      cl::getRegisteredOptions().count(O->ArgStr))
    ownOptions()[O->ArgStr] = O;
  else
    __real__ZN4llvm2cl6Option11addArgumentEv(O);
}

void __wrap__ZN4llvm2cl14OptionCategory16registerCategoryEv(
    cl::OptionCategory *Category) {
  if (!isPollyInLLVM() || Category->getName() != "Polly Options")
    __real__ZN4llvm2cl14OptionCategory16registerCategoryEv(Category);
}

namespace polygpu {

cl::Option *findPollyOption(StringRef Name) {
  if (cl::Option *Own = ownOptions().lookup(Name))
    return Own;
  return cl::getRegisteredOptions().lookup(Name);
}

} // namespace polygpu
