//===- compile_in_threads.cpp - Several compilations at once --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// polygpu_compile_in_threads PLUGIN THREADS ROUNDS FILE FILE... [-OPTION]...
//
// Runs gpu-polyhedral on IR files, each alone first.  Then THREADS threads do
// it at once, with contexts of their own, like a linker that optimises parts of
// a program in parallel: the first one with the first file, again and again
// until the others are done, and these with the other files, ROUNDS times.  All
// results have to be those of the first time.
//
//===----------------------------------------------------------------------===//

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <thread>

using namespace llvm;

namespace {

[[noreturn]] void fail(const Twine &Text) {
  errs() << "polygpu_compile_in_threads: " << Text << '\n';
  exit(1);
}

std::string compile(PassPlugin &Plugin, StringRef File) {
  LLVMContext Ctx;
  SMDiagnostic Error;
  std::unique_ptr<Module> M = parseIRFile(File, Error, Ctx);
  if (!M)
    fail(File + ": " + Error.getMessage());
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB;
  Plugin.registerPassBuilderCallbacks(PB);
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  ModulePassManager MPM;
  if (auto E = PB.parsePassPipeline(MPM, "gpu-polyhedral"))
    fail(toString(std::move(E)));
  MPM.run(*M, MAM);
  if (verifyModule(*M, &errs()))
    fail(File + ": not valid any more");
  std::string Text;
  raw_string_ostream(Text) << *M;
  return Text;
}

/// Calls of the runtime that begin runs: SCoPs that were offloaded.
size_t countScops(StringRef Text) {
  return Text.count("call ptr @polygpu_begin_sized(");
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc < 6)
    fail("usage: PLUGIN THREADS ROUNDS FILE FILE... [-OPTION]...");
  Expected<PassPlugin> Plugin = PassPlugin::Load(Argv[1]);
  if (!Plugin)
    fail(toString(Plugin.takeError()));
  unsigned Threads = std::stoul(Argv[2]), Rounds = std::stoul(Argv[3]);
  std::vector<StringRef> Files;
  SmallVector<const char *, 8> Options = {Argv[0]};
  for (int I = 4; I < Argc; ++I)
    if (Argv[I][0] == '-')
      Options.push_back(Argv[I]);
    else
      Files.push_back(Argv[I]);
  cl::ParseCommandLineOptions(Options.size(), Options.data());

  std::vector<std::string> Expected;
  size_t Scops = 0;
  for (StringRef File : Files) {
    Expected.push_back(compile(*Plugin, File));
    Scops += countScops(Expected.back());
  }
  std::atomic<unsigned> Waiting = Threads, Busy = Threads - 1;
  std::atomic<unsigned> Times = 0, Different = 0;
  auto Once = [&](size_t File) {
    Different += compile(*Plugin, Files[File]) != Expected[File];
    ++Times;
  };
  auto Work = [&](unsigned Thread) {
    // All begin at once.
    for (--Waiting; Waiting;)
      std::this_thread::yield();
    if (Thread == 0) {
      do
        Once(0);
      while (Busy);
      return;
    }
    for (unsigned I = 0; I < Rounds * (Files.size() - 1); ++I)
      Once(1 + (Thread + I) % (Files.size() - 1));
    --Busy;
  };
  std::vector<std::thread> All;
  for (unsigned T = 0; T < Threads; ++T)
    All.emplace_back(Work, T);
  for (std::thread &T : All)
    T.join();
  outs() << Scops << " SCoPs in " << Files.size() << " files, " << Times
         << " times in " << Threads << " threads: " << Different
         << " different\n";
  return Different != 0;
}
