//===- Options.cpp - Command-line options of the plugin -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "polygpu/polyhedral.h"
#include "target/Architecture.h"
#include "target/Toolkit.h"
#include "verify/Mutate.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Scalar/LoopIdiomRecognize.h"

using namespace llvm;

static cl::OptionCategory Category("PolyGPU: offloading of loops to GPUs");

namespace {

/// A truth value in words.
struct SwitchParser : cl::parser<bool> {
  using parser::parser;
  static bool parse(cl::Option &O, StringRef Name, StringRef Text,
                    bool &Value) {
    auto Known = StringSwitch<std::optional<bool>>(Text)
                     .Cases({"", "on", "true", "1"}, true)
                     .Cases({"off", "false", "0"}, false)
                     .Default(std::nullopt);
    if (!Known)
      return O.error("'" + Text + "' is no such value; allowed is on or off",
                     Name);
    Value = *Known;
    return false;
  }
};

} // namespace

// The configuration file gives it; the command line may give it again, and the
// last one counts.
static cl::opt<bool, false, SwitchParser>
    Offload("gpu-offload", cl::value_desc("on|off"),
            cl::desc("Offload affine loop nests to a GPU"), cl::cat(Category));
static cl::opt<std::string>
    Arch("gpu-arch", cl::init(polygpu::DefaultArchitecture),
         cl::value_desc("sm_NN|native|all-major|list"),
         cl::desc("Architecture to compile kernels for (default sm_75, which "
                  "newer devices run too); of several the oldest, and cubins "
                  "for all"),
         cl::cat(Category));
static cl::opt<std::string>
    Targets("gpu-targets", cl::init("ptx"), cl::value_desc("list"),
            cl::desc("Comma-separated: ptx, emulated, emulated-checked "
                     "(default ptx)"),
            cl::cat(Category));
static cl::opt<std::string>
    Modules("gpu-module", cl::value_desc("auto|scop|file"),
            cl::desc("Kernels that the driver loads together: those of a file "
                     "(file), of a SCoP (scop), or of a file as cubins and of "
                     "a SCoP as PTX (auto, default)"),
            cl::cat(Category));
static cl::opt<std::string>
    Sizes("gpu-sizes", cl::value_desc("relation"),
          cl::desc("Tile, grid and block sizes in PPCG's notation: "
                   "{ kernel[0] -> tile[32,32]; kernel[0] -> block[16,16] }"),
          cl::cat(Category));
static cl::opt<std::string>
    Fusion("gpu-fusion", cl::value_desc("auto|min|max|depth"),
           cl::desc("Which statements share loops: none (min), as many as "
                    "possible (max), those that keep the band deep (depth), "
                    "or the most parallel of min and depth (auto, default)"),
           cl::cat(Category));
static cl::opt<std::string>
    Time("gpu-time", cl::value_desc("auto|off|chain|tiles"),
         cl::desc("Loops around kernels: waves of tiles, and chains of small "
                  "steps in one kernel, where that is faster (auto, default), "
                  "never (off), or either wherever that is possible (tiles, "
                  "chain; for tests)"),
         cl::cat(Category));
static cl::opt<bool> Reassociate(
    "gpu-reassociate-reductions",
    cl::desc(
        "Compute floating-point sums and products of reductions in another "
        "order than the source, as -ffast-math allows; results of runs "
        "with the same sizes are equal"),
    cl::cat(Category));
static cl::opt<std::string>
    Promotion("gpu-promotion", cl::value_desc("on|off|all"),
              cl::desc("Use shared memory and registers where that pays (on, "
                       "default), never (off), or also for what blocks work "
                       "on wherever that can be (all, for tests)"),
              cl::cat(Category));
static cl::opt<std::string>
    MachineFile("gpu-machine", cl::value_desc("file"),
                cl::desc("Read properties of the device that sizes are chosen "
                         "for from a file of lines NAME = NUMBER (default: "
                         "those of -gpu-arch)"),
                cl::cat(Category));
static cl::opt<std::string>
    SaveSchedule("gpu-save-schedule", cl::value_desc("file"),
                 cl::desc("Write the schedules of the SCoPs to a file"),
                 cl::cat(Category));
static cl::opt<std::string>
    LoadSchedule("gpu-load-schedule", cl::value_desc("file"),
                 cl::desc("Take the schedules of the SCoPs that are in a file, "
                          "which -gpu-save-schedule wrote, from there"),
                 cl::cat(Category));
static cl::opt<std::string>
    Tuning("gpu-tuning", cl::value_desc("file"),
           cl::desc("Take sizes, fusion, promotion and time tiles of SCoPs "
                    "from a file, which 'polygpu tune' wrote"),
           cl::cat(Category));
static cl::opt<std::string>
    SaveTuning("gpu-save-tuning", cl::value_desc("file"),
               cl::desc("Append a line on each SCoP that is offloaded to a "
                        "file, for 'polygpu tune'"),
               cl::cat(Category));
static cl::opt<std::string>
    Verify("gpu-verify", cl::value_desc("off|model|execute"),
           cl::desc("Check each SCoP against the program (model, default), "
                    "execute functions and their offloaded copies as well "
                    "(execute), or neither (off)"),
           cl::cat(Category));
static cl::opt<std::string>
    SaveFailures("gpu-save-failures", cl::value_desc("folder"),
                 cl::desc("Keep the IR and SCoPs of what -gpu-verify refused"),
                 cl::cat(Category));
static cl::opt<std::string>
    PrintKernels("gpu-print-kernels", cl::value_desc("file"), cl::ValueOptional,
                 cl::desc("Print each kernel as CUDA-like text to stderr, or "
                          "all of them, with what launches them, as CUDA to a "
                          "file"),
                 cl::cat(Category));
static cl::opt<std::string>
    PrintBefore("gpu-print-before", cl::value_desc("passes"),
                cl::desc("Print the schedule trees of kernels to stderr before "
                         "these passes (see -gpu-print-after)"),
                cl::cat(Category));
static cl::opt<std::string>
    PrintAfter("gpu-print-after", cl::value_desc("passes"),
               cl::desc("Print the schedule trees of kernels to stderr after "
                        "these passes: names between commas, like "
                        "tile,threads, or all"),
               cl::cat(Category));
static cl::opt<std::string>
    Cpu("gpu-cpu", cl::value_desc("off|parallel"),
        cl::desc("What stays on the CPU at run time of loops that were "
                 "offloaded: the loops as they were written (off, default), or "
                 "on all cores (parallel)"),
        cl::cat(Category));
static cl::opt<bool>
    AtLink("gpu-at-link",
           cl::desc("With -flto: let arrays stay on the device between runs in "
                    "several files; the linker (lld) has to load the plugin"),
           cl::cat(Category));
static cl::opt<bool>
    MathErrno("gpu-math-errno",
              cl::desc("Do not offload loops whose math calls may set errno"),
              cl::cat(Category));
static cl::opt<std::string>
    CudaPath("gpu-cuda-path", cl::value_desc("folder"),
             cl::desc("CUDA installation for libdevice and ptxas (default: "
                      "$CUDA_PATH, $CUDA_HOME, /usr/local/cuda, "
                      "/usr/lib/cuda, /opt/cuda)"),
             cl::cat(Category));
static cl::opt<std::string>
    Quota("gpu-max-operations", cl::value_desc("number"),
          cl::desc("Operations that one phase may take, counted in the same "
                   "way on each machine (default 25000000)"),
          cl::cat(Category));

static cl::opt<unsigned>
    Seconds("gpu-max-seconds", cl::init(60), cl::value_desc("N"),
            cl::desc("A net: processor time in seconds after which the "
                     "analysis of a SCoP is given up, and time that ptxas has "
                     "(default 60)"),
            cl::cat(Category));

namespace polygpu {

bool isOffloadRequested() { return Offload; }

/// Add what one word of -gpu-arch stands for; false if it is none.
static bool parseArch(StringRef Word, std::vector<Architecture> &List,
                      LLVMContext &Ctx) {
  if (Word == "all-major") {
    append_range(List, majorArchitectures());
    return true;
  }
  bool Native = Word == "native";
  auto Found = Native ? nativeArchitecture() : findArchitecture(Word);
  if (Found)
    List.push_back(*Found);
  else if (Native)
    Ctx.emitError("-gpu-arch=native: no CUDA device found on this machine; "
                  "name an architecture, like -gpu-arch=sm_90");
  else
    Ctx.emitError("-gpu-arch=" + Word +
                  ": unknown architecture; allowed are native, all-major" +
                  knownArchitectures() + ", or several between commas");
  return Found.has_value();
}

/// Of several the oldest has the code, which runs on the others.
static bool parseArchs(Options &O, LLVMContext &Ctx) {
  SmallVector<StringRef, 4> Words;
  StringRef(Arch).split(Words, ',');
  std::vector<Architecture> List;
  for (StringRef Word : Words)
    if (!parseArch(Word, List, Ctx))
      return false;
  llvm::sort(List, [](const Architecture &A, const Architecture &B) {
    return std::tie(A.Number, A.Processor) < std::tie(B.Number, B.Processor);
  });
  List.erase(llvm::unique(List,
                          [](const Architecture &A, const Architecture &B) {
                            return A.Processor == B.Processor;
                          }),
             List.end());
  if (List.size() > 1 && any_of(List, isSpecific)) {
    Ctx.emitError("-gpu-arch=" + Twine(Arch) +
                  ": what is compiled for an architecture with a suffix does "
                  "not run on others; name it alone");
    return false;
  }
  O.Arch = List.front().Number;
  O.Processor = List.front().Processor;
  O.Newer.assign(List.begin() + 1, List.end());
  O.EmbedCubin = Arch.getNumOccurrences() != 0;
  return true;
}

static bool parseTargets(Options &O, LLVMContext &Ctx) {
  O.PTX = O.Emulated = O.Checked = false;
  SmallVector<StringRef, 4> Parts;
  StringRef(Targets).split(Parts, ',');
  for (StringRef P : Parts) {
    if (P == "ptx")
      O.PTX = true;
    else if (P == "emulated")
      O.Emulated = true;
    else if (P == "emulated-checked")
      O.Emulated = O.Checked = true;
    else {
      Ctx.emitError("-gpu-targets=" + Twine(Targets) + ": '" + P +
                    "' is no target; allowed is a list of ptx, emulated and "
                    "emulated-checked, like ptx,emulated");
      return false;
    }
  }
  // Looking for CRCs takes exponential time in loops of kernels that carry a
  // value through a chain of expressions, each of which uses the last one
  // twice.
  if (O.Emulated)
    DisableLIRP::HashRecognize = true;
  return true;
}

static bool parseModules(Options &O, LLVMContext &Ctx) {
  if (!Modules.getNumOccurrences() || Modules == "auto")
    return true;
  O.Modules = Modules == "scop" ? ModuleOf::Scop : ModuleOf::File;
  if (Modules == "scop" || Modules == "file")
    return true;
  Ctx.emitError("-gpu-module=" + Twine(Modules) +
                ": allowed is auto, scop or file");
  return false;
}

/// The one of \p Known that \p Option names; else an error that ends in
/// \p Wrong.
template <typename T, size_t N>
static bool parseName(const cl::opt<std::string> &Option,
                      const std::pair<StringRef, T> (&Known)[N], T &Chosen,
                      StringRef Wrong, LLVMContext &Ctx) {
  if (!Option.getNumOccurrences())
    return true;
  for (auto [Name, Value] : Known)
    if (Option == Name) {
      Chosen = Value;
      return true;
    }
  Ctx.emitError("-" + Twine(Option.ArgStr) + "=" + Twine(Option) + ": " +
                Wrong);
  return false;
}

static bool parseFusion(Options &O, LLVMContext &Ctx) {
  return parseName(Fusion, FusionNames, O.Fusion,
                   "no such strategy; allowed is auto, min, max or depth", Ctx);
}

static bool parseTime(Options &O, LLVMContext &Ctx) {
  return parseName(Time, TimeNames, O.Time,
                   "no such way; allowed is auto, off, chain, tiles or "
                   "overlap",
                   Ctx);
}

static bool parseCpu(Options &O, LLVMContext &Ctx) {
  static const std::pair<StringRef, bool> Known[] = {{"off", false},
                                                     {"parallel", true}};
  return parseName(Cpu, Known, O.Threads,
                   "no such way; allowed is off or parallel", Ctx);
}

static bool parsePromotion(Options &O, LLVMContext &Ctx) {
  if (!Promotion.getNumOccurrences())
    return true;
  O.PromoteAll = Promotion == "all";
  O.Promote = O.PromoteAll || Promotion == "on";
  if (O.Promote || Promotion == "off")
    return true;
  Ctx.emitError("-gpu-promotion=" + Twine(Promotion) +
                ": allowed is on, off or all");
  return false;
}

static bool parseVerify(Options &O, LLVMContext &Ctx) {
  O.SaveFailures = SaveFailures;
  if (!Verify.getNumOccurrences() || Verify == "model")
    return true;
  O.Verify = Verify == "off" ? VerifyLevel::Off : VerifyLevel::Execute;
  if (Verify == "off" || Verify == "execute")
    return true;
  Ctx.emitError("-gpu-verify=" + Twine(Verify) +
                ": allowed is off, model or execute");
  return false;
}

/// The machine of an architecture.  PTX also runs on later ones, unless an
/// architecture was named whose PTX does not, or this machine's.
static void findMachine(Options &O) {
  bool Exact = Arch == "native" || MachineFile.getNumOccurrences();
  O.Machine = machineFor({O.Arch, O.Processor}, Exact);
  for (const Architecture &A : O.Newer)
    O.Machine.block_shared =
        std::min(O.Machine.block_shared, machineFor(A, Exact).block_shared);
}

static bool readMachine(Options &O, LLVMContext &Ctx) {
  findMachine(O);
  if (!MachineFile.getNumOccurrences())
    return true;
  auto Buffer = MemoryBuffer::getFile(MachineFile, true);
  std::string Wrong;
  if (!Buffer) {
    Wrong = Buffer.getError().message() + "; allowed is a file of lines NAME = "
                                          "NUMBER";
  } else if (char *Error =
                 pg_machine_read(&O.Machine, (*Buffer)->getBufferStart())) {
    Wrong = Error;
    free(Error);
  }
  if (Wrong.empty())
    return true;
  Ctx.emitError("-gpu-machine=" + Twine(MachineFile) + ": " + Wrong);
  return false;
}

/// Where the user leaves the architecture open, what needs more than the oldest
/// has is planned again for those that have it.
static void addLater(Options &O) {
  if (!O.PTX || Arch.getNumOccurrences() || MachineFile.getNumOccurrences())
    return;
  const Architecture A = *findArchitecture(LaterArchitecture);
  Options Later = O;
  Later.Arch = A.Number;
  Later.Processor = A.Processor;
  Later.Machine = machineFor(A, false);
  // It runs on devices whose blocks have less.
  Later.Machine.block_shared =
      std::min(Later.Machine.block_shared, CommonShared);
  O.Later.push_back(std::move(Later));
}

static bool openSchedules(Options &O, LLVMContext &Ctx) {
  if (SaveSchedule.getNumOccurrences()) {
    std::error_code Error;
    raw_fd_ostream File(SaveSchedule, Error);
    if (Error) {
      Ctx.emitError("-gpu-save-schedule=" + Twine(SaveSchedule) + ": " +
                    Error.message() +
                    "; allowed is a file that can be written");
      return false;
    }
    O.SaveSchedule = SaveSchedule;
  }
  if (LoadSchedule.getNumOccurrences()) {
    auto Buffer = MemoryBuffer::getFile(LoadSchedule, true);
    if (!Buffer) {
      Ctx.emitError("-gpu-load-schedule=" + Twine(LoadSchedule) + ": " +
                    Buffer.getError().message() +
                    "; allowed is a file that -gpu-save-schedule wrote");
      return false;
    }
    O.LoadSchedule = (*Buffer)->getBuffer().str();
  }
  return true;
}

static bool readTuningFile(Options &O, LLVMContext &Ctx) {
  O.SaveTuning = SaveTuning;
  if (!Tuning.getNumOccurrences())
    return true;
  auto Buffer = MemoryBuffer::getFile(Tuning, true);
  std::string Wrong = Buffer
                          ? readTuning((*Buffer)->getBuffer(), O.Tuning)
                          : Buffer.getError().message() +
                                "; allowed is a file that 'polygpu tune' wrote";
  if (!Wrong.empty())
    Ctx.emitError("-gpu-tuning=" + Twine(Tuning) + ": " + Wrong);
  return Wrong.empty();
}

/// \p Option is a list of passes over the trees of kernels, or nothing.
static bool parsePasses(const cl::opt<std::string> &Option, std::string &List,
                        LLVMContext &Ctx) {
  if (!Option.getNumOccurrences())
    return true;
  List = Option;
  char *Error = pg_passes_check(List.c_str());
  if (Error)
    Ctx.emitError("-" + Option.ArgStr + "=" + List + ": " + Error);
  free(Error);
  return !Error;
}

/// Another name is a mistake, perhaps a truth value.
static bool isCudaFile() {
  return StringRef(PrintKernels).ends_with_insensitive(".cu");
}

std::string cudaFile() { return isCudaFile() ? std::string(PrintKernels) : ""; }

std::optional<Options> getOptions(LLVMContext &Ctx) {
  Options O;
  if (!parseArchs(O, Ctx) || !parseTargets(O, Ctx) || !parseModules(O, Ctx) ||
      !parseFusion(O, Ctx) || !parseTime(O, Ctx) || !parseCpu(O, Ctx) ||
      !parsePromotion(O, Ctx) || !parseVerify(O, Ctx) || !readMachine(O, Ctx) ||
      !openSchedules(O, Ctx) || !readTuningFile(O, Ctx) ||
      !parsePasses(PrintBefore, O.PrintBefore, Ctx) ||
      !parsePasses(PrintAfter, O.PrintAfter, Ctx))
    return std::nullopt;
  if (!Sizes.empty()) {
    if (char *Error = pg_sizes_check(Sizes.c_str())) {
      Ctx.emitError("-gpu-sizes=" + Twine(Sizes) + ": " + Error);
      free(Error);
      return std::nullopt;
    }
    O.Sizes = Sizes;
  }
  if (CudaPath.getNumOccurrences() && !CudaPath.empty() &&
      !sys::fs::is_directory(CudaPath)) {
    Ctx.emitError("-gpu-cuda-path=" + Twine(CudaPath) +
                  ": no such folder; allowed is the root of a CUDA "
                  "installation or nothing for none");
    return std::nullopt;
  }
  std::string Wrong = readMutation();
  if (!Wrong.empty()) {
    Ctx.emitError(Wrong);
    return std::nullopt;
  }
  if (Quota.getNumOccurrences() &&
      (StringRef(Quota).getAsInteger(10, O.Quota) || O.Quota == 0)) {
    Ctx.emitError("-gpu-max-operations=" + Twine(Quota) +
                  ": no such number of operations; allowed is a whole number "
                  "from 1 on");
    return std::nullopt;
  }
  O.CudaPath =
      CudaPath.getNumOccurrences() ? std::string(CudaPath) : findToolkit();
  if (!PrintKernels.empty() && !isCudaFile()) {
    Ctx.emitError("-gpu-print-kernels=" + PrintKernels +
                  ": kernels are printed as CUDA to a file whose name ends in "
                  ".cu, and without a file as text");
    return std::nullopt;
  }
  O.PrintKernels = PrintKernels.getNumOccurrences() && PrintKernels.empty();
  O.CudaFile = cudaFile();
  O.MathErrno = MathErrno;
  O.Reassociate = Reassociate;
  O.AtLink = AtLink;
  if (Seconds == 0) {
    Ctx.emitError("-gpu-max-seconds=0: allowed is a number of seconds from 1 "
                  "on");
    return std::nullopt;
  }
  O.Seconds = Seconds;
  addLater(O);
  return O;
}

} // namespace polygpu
