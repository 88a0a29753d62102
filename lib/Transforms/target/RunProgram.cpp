//===- RunProgram.cpp - Helper programs of a compilation ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/RunProgram.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <chrono>
#include <csignal>
#include <dlfcn.h>
#include <thread>

using namespace llvm;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace polygpu {

/// Milliseconds between two looks at a program that runs for long.
static const unsigned MaxPause = 10;

std::string besidePlugin(StringRef Name) {
  Dl_info About;
  if (!dladdr(reinterpret_cast<void *>(&besidePlugin), &About))
    return "";
  SmallString<128> Path(About.dli_fname);
  sys::fs::make_absolute(Path);
  sys::path::remove_filename(Path);
  sys::path::append(Path, Name);
  return Path.str().str();
}

int runProgram(StringRef Program, ArrayRef<StringRef> Args,
               ArrayRef<std::optional<StringRef>> Redirects, unsigned Seconds,
               std::string &Message) {
  auto End = steady_clock::now() + std::chrono::seconds(Seconds);
  sys::ProcessInfo Child =
      sys::ExecuteNoWait(Program, Args, std::nullopt, Redirects, 0, &Message);
  if (Child.Pid == sys::ProcessInfo::InvalidPid)
    return -1;
  for (unsigned Pause = 1;; Pause = std::min(2 * Pause, MaxPause)) {
    sys::ProcessInfo Done = sys::Wait(Child, 0, &Message, nullptr, true);
    if (Done.Pid != sys::ProcessInfo::InvalidPid)
      return Done.ReturnCode;
    if (steady_clock::now() > End)
      break;
    std::this_thread::sleep_for(milliseconds(Pause));
  }
  kill(Child.Pid, SIGKILL);
  sys::Wait(Child, std::nullopt);
  Message = "it took more than " + std::to_string(Seconds) + " seconds";
  return TookTooLong;
}

} // namespace polygpu
