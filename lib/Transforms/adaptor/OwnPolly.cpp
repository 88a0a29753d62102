//===- OwnPolly.cpp - The plugin's copy of Polly --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "adaptor/OwnPolly.h"
#include "polly/ScopDetection.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"
#include <mutex>

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

/// The option \p Name of the plugin's Polly, or null.
static cl::Option *findOption(StringRef Name) {
  if (cl::Option *Own = ownOptions().lookup(Name))
    return Own;
  return cl::getRegisteredOptions().lookup(Name);
}

void setPollyOptions() {
  static std::mutex Mutex;
  std::lock_guard<std::mutex> Lock(Mutex);
  // Polly finds single loops unprofitable; that is ours to decide.
  if (!polly::PollyProcessUnprofitable)
    polly::PollyProcessUnprofitable = true;
  // CompareArrays makes the ranges that are compared at run time.  Polly's own
  // take time, and where they are too many or too complex it would not take
  // the loops.
  for (auto [Name, Value] :
       {std::pair("polly-ignore-aliasing", "true"),
        std::pair("polly-use-runtime-alias-checks", "false")})
    if (cl::Option *Option = findOption(Name);
        Option && !Option->getNumOccurrences())
      Option->addOccurrence(0, Name, Value);
  // In isl operations.  With the defaults, a million each, these take seconds.
  for (const char *Name : {"polly-optree-max-ops", "polly-delicm-max-ops"})
    if (cl::Option *Option = findOption(Name);
        Option && !Option->getNumOccurrences())
      Option->addOccurrence(0, Name, "500000");
}

} // namespace polygpu
