//===- CudaFile.cpp - Kernels as a file of CUDA --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/CudaFile.h"
#include "cuda/Helpers.h"
#include "cuda/KernelSource.h"
#include "cuda/Launcher.h"
#include "cuda/Names.h"
#include "cuda/Vectors.h"
#include "kernel/Kernel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace polygpu {

/// function_line of the name function_line_number of a kernel.
static std::string launcherName(const pg_plan &Plan) {
  StringRef Name = Plan.kernels[0].name;
  return ("launch_" + Name.rsplit('_').first).str();
}

namespace {

/// The kernels of a plan in one form.
struct Kernels {
  DeviceCode Code;
  std::vector<KernelSource> Sources;
  std::string Problem; ///< of the first one that could not be printed
};

} // namespace

/// All kernels of \p Plan; copies run "Ahead", or not.
static Kernels printAll(const pg_plan &Plan, const ImportedScop &Imported,
                        polly::Scop &S, const DeviceCode &Like, bool Ahead) {
  Kernels Result;
  if (auto Why = generateReadableKernels(Plan, Imported, S, Like, Ahead,
                                         Result.Code)) {
    Result.Problem =
        Why->Sentence.empty() ? "there is too much code" : Why->Sentence;
    return Result;
  }
  for (unsigned K = 0; K < Plan.n_kernel; ++K) {
    const pg_kernel &Kernel = Plan.kernels[K];
    Function &F = *Result.Code.Module->getFunction(Kernel.name);
    splitStructures(F);
    splitVectors(F);
    Result.Sources.push_back(kernelSource(F, Plan, Kernel, Result.Code.Args[K],
                                          Imported.ElementTypes, Kernel.name));
    if (Result.Problem.empty())
      Result.Problem = Result.Sources.back().Problem;
  }
  return Result;
}

/// Has a kernel of \p Plan loops whose copies run ahead?
static bool runsAhead(const pg_plan &Plan) {
  return any_of(ArrayRef(Plan.kernels, Plan.n_kernel), [](const pg_kernel &K) {
    return any_of(ArrayRef(K.mapping->buffers, K.mapping->n_buffer),
                  [](const pg_buffer &Buf) {
                    return Buf.kind == PG_BUFFER_SHARED && Buf.stages > 1;
                  });
  });
}

CudaText cudaText(const pg_plan &Plan, const ImportedScop &Imported,
                  polly::Scop &S, const DeviceCode &Code,
                  const std::string &Processor, const std::string &Copies) {
  CudaText Result;
  raw_string_ostream OS(Result.Text);
  const pg_scop &Scop = *Plan.scop;
  OS << "\n// ---- " << Scop.function << ", "
     << sys::path::filename(Scop.file ? Scop.file : "") << ":" << Scop.line
     << ", for " << Processor << " and newer devices\n";
  OS << "// Arrays on the device: " << Copies << ".\n";
  auto Missing = [&](const std::string &What, const std::string &Why) {
    OS << "\n// " << What << " is not here: " << Why << ".\n";
    Result.Missing.push_back(What + " is not printed: " + Why);
  };
  std::string Launcher = launcherName(Plan);
  Result.Names.push_back(Launcher);
  for (unsigned K = 0; K < Plan.n_kernel; ++K)
    Result.Names.push_back(Plan.kernels[K].name);
  Kernels All = printAll(Plan, Imported, S, Code, true);
  if (!All.Problem.empty() && runsAhead(Plan)) {
    OS << "// Copies do not run ahead here as they do in the program: "
       << All.Problem << ".\n";
    All = printAll(Plan, Imported, S, Code, false);
  }
  if (All.Sources.empty()) {
    Missing("what " + Launcher + " launches", All.Problem);
    return Result;
  }
  for (const KernelSource &Kernel : All.Sources)
    if (Kernel.Problem.empty())
      OS << '\n' << Kernel.Text;
    else
      Missing("kernel " + Kernel.Name, Kernel.Problem);
  if (!All.Problem.empty()) {
    OS << "\n// " << Launcher << " is not here, since a kernel is not.\n";
    return Result;
  }
  std::string Problem;
  std::string Text =
      launcherSource(Plan, Imported, All.Code, All.Sources, Launcher,
                     All.Code.Module->getContext(), Problem);
  if (Problem.empty())
    OS << '\n' << Text;
  else
    Missing(Launcher, Problem);
  return Result;
}

static const char *const Introduction =
    R"(// Made by PolyGPU: kernels, and for each of the program's loop nests a function
// that launches them.  Its parameters are arrays on the device, by their
// addresses there, as the program's are in rows of the same lengths, and no two
// of which overlap; then sizes and values from before the loops.  It does not
// wait for the kernels, and returns the error that there was.
//
// Results are the program's, bit by bit, with
//   nvcc -fmad=false FILE.cu      or      clang++ -x cuda -ffp-contract=off FILE.cu

#if __has_include(<cuda_pipeline.h>)
#include <cuda_pipeline.h> // of CUDA, for asynchronous copies
#endif
)";

static const char *const NoContraction = R"(#ifdef __clang__
#pragma clang fp contract(off)
#endif
)";

/// \p Text with \p To instead of the word \p From.
static std::string replaceWord(StringRef Text, StringRef From, StringRef To) {
  auto IsPart = [](char C) { return isAlnum(C) || C == '_'; };
  std::string Result;
  for (size_t At; (At = Text.find(From)) != StringRef::npos;) {
    size_t End = At + From.size();
    bool IsWord = (At == 0 || !IsPart(Text[At - 1])) &&
                  (End == Text.size() || !IsPart(Text[End]));
    Result += Text.take_front(At);
    Result += IsWord ? To : From;
    Text = Text.drop_front(End);
    if (!IsWord) // the rest of the word
      while (!Text.empty() && IsPart(Text[0])) {
        Result += Text[0];
        Text = Text.drop_front();
      }
  }
  return Result + Text.str();
}

std::string writeCudaFile(const std::string &Path, StringRef Source,
                          ArrayRef<NamedText> Texts) {
  std::error_code Error;
  raw_fd_ostream OS(Path, Error, sys::fs::OF_Text);
  if (Error)
    return Path + ": " + Error.message();
  OS << "// " << sys::path::filename(Path) << " - kernels of "
     << sys::path::filename(Source) << "\n//\n"
     << Introduction;
  SmallVector<const std::string *, 8> All;
  for (auto [Text, Names] : Texts)
    All.push_back(Text);
  OS << headersFor(All) << NoContraction << helpersFor(All);
  // Loops of one line, as of a template, have kernels of one name.
  Names Used;
  for (auto [Text, Names] : Texts) {
    std::string Now = *Text;
    for (const std::string &Name : *Names)
      Now = replaceWord(Now, Name, Used.take(Name));
    OS << Now;
  }
  OS.close();
  if (!OS.has_error())
    return "";
  std::string Sentence = Path + ": " + OS.error().message();
  OS.clear_error();
  return Sentence;
}

} // namespace polygpu
