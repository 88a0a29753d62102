//===- Assembler.cpp - From PTX to cubins --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/Assembler.h"
#include "target/RunProgram.h"
#include "target/Toolkit.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace polygpu {

/// The number before \p What in \p Line, 0 if there is none.
static unsigned numberBefore(StringRef Line, StringRef What) {
  unsigned N = 0;
  StringRef Before = Line.split(What).first;
  if (Before.size() == Line.size() ||
      Before.substr(Before.rfind(' ') + 1).getAsInteger(10, N))
    return 0;
  return N;
}

namespace {

/// What ptxas says of a kernel: bytes of local memory, and registers.
struct Usage {
  unsigned Stack = 0, Spills = 0, Registers = 0;
};

/// One run of ptxas.
struct Assembly {
  std::string Cubin;   ///< empty if it failed
  std::string Problem; ///< why it did
  StringMap<Usage> Kernels;
  bool Late = false; ///< it was ended for its time
};

} // namespace

/// The sentence in which ptxas says what is wrong, without its file's name.
static std::string complaint(StringRef Report) {
  SmallVector<StringRef, 32> Lines;
  Report.split(Lines, '\n', -1, false);
  for (const char *Word : {"error", "fatal"})
    for (StringRef Line : Lines)
      if (size_t At = Line.find(Word); At != StringRef::npos)
        return Line.substr(At).rtrim().str();
  return Lines.empty() ? "no message" : Lines.front().rtrim().str();
}

/// Of what ptxas says: the name of a kernel, and then its bytes.
static StringMap<Usage> readReport(StringRef Report) {
  StringMap<Usage> Kernels;
  StringRef Name;
  SmallVector<StringRef, 32> Lines;
  Report.split(Lines, '\n');
  for (StringRef Line : Lines) {
    if (auto [Head, Tail] = Line.split("Function properties for ");
        !Tail.empty())
      Name = Tail.trim();
    if (Line.contains(" bytes stack frame"))
      Kernels[Name] = {numberBefore(Line, " bytes stack frame"),
                       numberBefore(Line, " bytes spill stores"), 0};
    if (Line.contains("Used "))
      Kernels[Name].Registers = numberBefore(Line, " registers");
  }
  return Kernels;
}

/// That one thread may spill for want of other heuristics.
static const unsigned FewBytes = 32;

/// Text of so many bytes takes ptxas seconds, and is not tried with them.
static const size_t LongText = 500000;

/// Where PTX tells with which option it is to be assembled.
static const StringRef LevelOption = "--register-usage-level",
                       LevelComment = "// ptxas --register-usage-level ";

/// Run \p Ptxas for \p Processor with \p More arguments, for at most
/// \p Seconds.
static Assembly runAssembler(StringRef Ptxas, const std::string &PTX,
                             unsigned Seconds, StringRef Processor,
                             ArrayRef<StringRef> More) {
  Assembly Result;
  SmallString<128> In, Out, Report;
  int Fd;
  Result.Problem = "no temporary file could be made";
  if (sys::fs::createTemporaryFile("polygpu", "ptx", Fd, In))
    return Result;
  raw_fd_ostream(Fd, true) << PTX;
  if (!sys::fs::createTemporaryFile("polygpu", "cubin", Out) &&
      !sys::fs::createTemporaryFile("polygpu", "txt", Report)) {
    std::string Arch = ("-arch=" + Processor).str();
    SmallVector<StringRef, 8> Args = {Ptxas, Arch, "-O3", "-v", In, "-o", Out};
    append_range(Args, More);
    std::optional<StringRef> Redirects[] = {std::nullopt, StringRef(""),
                                            StringRef(Report)};
    std::string Message;
    int RC = runProgram(Ptxas, Args, Redirects, Seconds, Message);
    Result.Late = RC == TookTooLong;
    if (RC == 0)
      if (auto Buffer = MemoryBuffer::getFile(Out, false, false))
        Result.Cubin = (*Buffer)->getBuffer().str();
    if (auto Buffer = MemoryBuffer::getFile(Report, true)) {
      Result.Kernels = readReport((*Buffer)->getBuffer());
      if (Message.empty())
        Message = RC ? complaint((*Buffer)->getBuffer()) : "it wrote nothing";
    }
    Result.Problem = Result.Cubin.empty() ? Message : "";
  }
  for (StringRef File : {In.str(), Out.str(), Report.str()})
    if (!File.empty())
      sys::fs::remove(File);
  return Result;
}

/// Where \p PTX says how many blocks of kernel \p Name shall fit onto a
/// multiprocessor, a digit; npos if it does not.
static size_t blocksAt(StringRef PTX, const std::string &Name) {
  static const StringRef Directive = ".minnctapersm ";
  size_t Entry = PTX.find(".entry " + Name + "(");
  size_t Body = PTX.find("\n{", Entry);
  size_t At = PTX.find(Directive, Entry);
  if (Entry == StringRef::npos || At > Body)
    return StringRef::npos;
  return At + Directive.size();
}

/// The digit there, or null.
static char *blocksOf(std::string &PTX, const std::string &Name) {
  size_t At = blocksAt(PTX, Name);
  return At == StringRef::npos ? nullptr : &PTX[At];
}

/// Let \p PTX say that for kernel \p Name; where it does not, ptxas has an
/// opinion of its own, and may spill for it.
static bool sayBlocks(std::string &PTX, const std::string &Name) {
  size_t Body = PTX.find("\n{", PTX.find(".entry " + Name + "("));
  if (Body == std::string::npos)
    return false;
  PTX.insert(Body, "\n.minnctapersm 4");
  return true;
}

unsigned blocksAtATime(const std::string &PTX, const std::string &Name) {
  size_t At = blocksAt(PTX, Name);
  return At == StringRef::npos ? 0 : PTX[At] - '0';
}

/// The kernels of \p Names that spill: also without a word about spills, where
/// there is more in local memory than with all registers there are, which
/// \p Most runs the assembler for.
static std::vector<std::string> spilling(const Assembly &A,
                                         function_ref<const Assembly &()> Most,
                                         ArrayRef<std::string> Names) {
  std::vector<std::string> Result;
  for (const std::string &Name : Names) {
    Usage U = A.Kernels.lookup(Name);
    if (U.Spills || (U.Stack && U.Stack > Most().Kernels.lookup(Name).Stack))
      Result.push_back(Name);
  }
  return Result;
}

bool assemble(std::string &PTX, const std::vector<std::string> &Kernels,
              const Options &O, std::string &Cubin,
              std::vector<std::string> &Spilling,
              StringMap<unsigned> &Registers, std::string &Problem,
              bool &Late) {
  std::string Ptxas = assemblerPath(O.CudaPath);
  if (Ptxas.empty())
    return false;
  auto Run = [&](const std::string &Text, ArrayRef<StringRef> More) {
    Assembly A = runAssembler(Ptxas, Text, O.Seconds, O.Processor, More);
    Late |= A.Late;
    return A;
  };
  Assembly Result = Run(PTX, {});
  std::optional<Assembly> Alone;
  auto Most = [&]() -> const Assembly & {
    if (!Alone) {
      std::string Text = PTX;
      for (const std::string &Name : Kernels)
        if (char *Blocks = blocksOf(Text, Name))
          *Blocks = '1';
      Alone = Run(Text, {});
    }
    return *Alone;
  };
  while (!(Spilling = spilling(Result, Most, Kernels)).empty()) {
    // It is close where a few blocks share the registers, or where one block
    // lacks a few: other heuristics may do.
    auto IsClose = [&](const std::string &Name) {
      const char *Blocks = blocksOf(PTX, Name);
      if (Blocks && *Blocks == '1')
        return Result.Kernels.lookup(Name).Spills <= FewBytes;
      return Blocks && (*Blocks == '2' || *Blocks == '3');
    };
    bool Few = PTX.size() < LongText && any_of(Spilling, IsClose);
    for (const char *Level : {"0", "10"}) {
      if (!Few || Spilling.empty())
        break;
      Assembly Other = Run(PTX, {LevelOption, Level});
      if (Other.Cubin.empty() || !spilling(Other, Most, Kernels).empty())
        continue;
      Result = std::move(Other);
      Spilling.clear();
      PTX = (LevelComment + Level + "\n" + PTX).str();
    }
    bool Relaxed = false;
    for (const std::string &Name : Spilling) {
      char *Blocks = blocksOf(PTX, Name);
      if (Blocks && *Blocks == '1')
        continue;
      if (Blocks)
        --*Blocks;
      else if (!sayBlocks(PTX, Name))
        continue;
      Relaxed = true;
    }
    if (!Relaxed)
      break;
    Result = Run(PTX, {});
  }
  for (const auto &[Name, Used] : Result.Kernels)
    Registers[Name] = Used.Registers;
  Cubin = std::move(Result.Cubin);
  if (Cubin.empty())
    Problem = Ptxas + ": " + Result.Problem;
  return !Cubin.empty();
}

StringRef optionLine(StringRef PTX) {
  return PTX.starts_with(LevelComment) ? PTX.take_front(PTX.find('\n') + 1)
                                       : StringRef();
}

void copyBlocks(const std::string &From, const std::string &Name,
                std::string &PTX) {
  size_t At = blocksAt(From, Name);
  if (At == StringRef::npos)
    return;
  if (blocksAt(PTX, Name) == StringRef::npos)
    sayBlocks(PTX, Name);
  if (char *Blocks = blocksOf(PTX, Name))
    *Blocks = From[At];
}

Assembled assembleFor(ArrayRef<Architecture> Architectures,
                      const std::string &PTX, const Options &O,
                      unsigned Parts) {
  Assembled All;
  std::string Ptxas = assemblerPath(O.CudaPath);
  SmallVector<StringRef, 2> More;
  if (StringRef Line = optionLine(PTX); !Line.empty())
    More = {LevelOption, Line.drop_front(LevelComment.size()).rtrim()};
  for (const Architecture &A : Architectures) {
    if (Ptxas.empty())
      break;
    Assembly Result =
        runAssembler(Ptxas, PTX, O.Seconds * Parts, A.Processor, More);
    All.Late |= Result.Late;
    if (!Result.Cubin.empty())
      All.Cubins.push_back({A.Number, std::move(Result.Cubin)});
    else {
      All.Missing += (All.Missing.empty() ? "" : ", ") + A.Processor;
      All.Problem = Ptxas + ": " + Result.Problem;
    }
  }
  return All;
}

} // namespace polygpu
