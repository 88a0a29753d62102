//===- main.cpp - polygpu-verify: are two functions the same? -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   polygpu-verify FILE ORIGINAL COPY [ORIGINAL COPY]...
//
// executes pairs of functions of a bitcode file, with random arguments and
// memory (memory.h) and small sizes: ORIGINAL as it was written, and COPY with
// its kernels on the emulated device.  For each pair it prints one line:
//
//   same RUNS LAUNCHES ATTEMPTS EARLY  RUNS of the attempts launched kernels,
//                                   and both left the same memory, result and
//                                   calls; in EARLY of these, loops around the
//                                   offloaded ones were left early
//   different SENTENCE              in at least one attempt they did not
//   unchecked SENTENCE              no attempt launched a kernel
//
// Each attempt is a process of its own.  One whose first execution accesses
// memory that it was not given, computes what C does not define, ends the
// program, reaches inline assembly or takes too long says nothing.  Where it
// takes too long, loops that call verify_leave are left after a few iterations;
// where that is not enough, or pointers must lead to more memory, there are
// some attempts with higher limits.
//
//===----------------------------------------------------------------------===//

#include "Instrument.h"
#include "memory/memory.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
#include "core/fallback.h"
#include "core/lock.h"
#include "core/state.h"
}

// Of the compiler's library, which has no header.
extern "C" {
double _Complex __muldc3(double, double, double, double);
float _Complex __mulsc3(float, float, float, float);
}

using namespace llvm;

namespace {

enum {
  ATTEMPTS = 24,
  LARGE = 2, ///< attempts more, with higher limits
  ENOUGH = 7,
  MOST_TOO_LONG = 8, ///< before higher limits; all scales are among them
  TEXT = 400
};

/// Seconds of a core that an attempt may take, by the clock (on a machine that
/// does other things as well), and of a core for all attempts of a pair until
/// the last one begins.
enum { SECONDS = 5, SECONDS_BY_CLOCK = 40, SECONDS_OF_PAIR = 10 };

/// For sizes that arguments decide; for large ones that something repeats; and
/// for large ones, of which not much is needed.
const verify_limits Usual = {UINT32_MAX, 3000000, 1 << 19},
                    Repeated = {3, 3000000, 1 << 19},
                    Large = {2, 100000000, 1 << 25};

enum Outcome { SAID, TOO_LONG, NEEDS_MEMORY, NOTHING };

/// What an attempt tells; shared between processes.
struct Report {
  int Second;   ///< the second execution has begun
  int Finished; ///< and both have ended
  int Same;
  int Early;                     ///< loops around offloaded ones were left
  unsigned long Launches, Newer; ///< in all; of plans for newer devices
  char Text[TEXT];
};

using Wrapper = void (*)(void **Args, void *Result);

struct Variable {
  void *Address;
  uint64_t Size;
  bool IsGuard;
};

struct Pair {
  Function *Original, *Copy;
  Wrapper Functions[2];
  bool Loosely; ///< floating-point values may differ
  /// Of the original's loops that ask verify_leave.
  std::vector<uint32_t> Exits;
};

void *Math;

/// dlsym also looks into what the library itself needs.  Products of complex
/// numbers are the compiler's library's, and kernels have its instructions.
bool isMathFunction(StringRef Name) {
  if (Name == "__muldc3" || Name == "__mulsc3")
    return true;
  Dl_info Found, Known;
  void *Address = Math ? dlsym(Math, Name.str().c_str()) : nullptr;
  return Address && dladdr(Address, &Found) &&
         dladdr(dlsym(Math, "cbrt"), &Known) &&
         Found.dli_fbase == Known.dli_fbase;
}

std::unique_ptr<orc::LLJIT> TheJIT;

[[noreturn]] void fail(const Twine &Text) {
  errs() << "polygpu-verify: " << Text << '\n';
  exit(2);
}

template <typename T> T check(Expected<T> Value) {
  if (!Value)
    fail(toString(Value.takeError()));
  return std::move(*Value);
}

void *addressOf(StringRef Name) {
  return check(TheJIT->lookup(Name)).toPtr<void *>();
}

void defineOurs() {
#define OURS(name)                                                             \
  {                                                                            \
    #name, reinterpret_cast<void *>(&name)                                     \
  }
  const std::pair<const char *, void *> Ours[] = {OURS(__muldc3),
                                                  OURS(__mulsc3),
                                                  OURS(polygpu_active),
                                                  OURS(polygpu_active_parallel),
                                                  OURS(polygpu_parallel_begin),
                                                  OURS(polygpu_parallel_end),
                                                  OURS(polygpu_parallel_launch),
                                                  OURS(polygpu_array),
                                                  OURS(polygpu_begin),
                                                  OURS(polygpu_begin_sized),
                                                  OURS(polygpu_chained),
                                                  OURS(polygpu_chosen_plan),
                                                  OURS(polygpu_decline),
                                                  OURS(polygpu_defer),
                                                  OURS(polygpu_end),
                                                  OURS(polygpu_grid),
                                                  OURS(polygpu_in_use),
                                                  OURS(polygpu_keep),
                                                  OURS(polygpu_keep_begin),
                                                  OURS(polygpu_inspect),
                                                  OURS(polygpu_unbounded),
                                                  OURS(polygpu_keep_end),
                                                  OURS(polygpu_known),
                                                  OURS(polygpu_launch),
                                                  OURS(polygpu_loops_end),
                                                  OURS(polygpu_move),
                                                  OURS(polygpu_move_rows),
                                                  OURS(polygpu_row_base),
                                                  OURS(polygpu_row_step),
                                                  OURS(polygpu_touch),
                                                  OURS(polygpu_touch_all),
                                                  OURS(polygpu_touch_at),
                                                  OURS(polygpu_worth),
                                                  OURS(verify_access),
                                                  OURS(verify_assembly),
                                                  OURS(verify_calloc),
                                                  OURS(verify_copied),
                                                  OURS(verify_errno),
                                                  OURS(verify_free),
                                                  OURS(verify_memchr),
                                                  OURS(verify_memcmp),
                                                  OURS(verify_strcmp),
                                                  OURS(verify_strlen),
                                                  OURS(verify_strncmp),
                                                  OURS(verify_leave),
                                                  OURS(verify_local),
                                                  OURS(verify_malloc),
                                                  OURS(verify_note),
                                                  OURS(verify_note_pointer),
                                                  OURS(verify_poison),
                                                  OURS(verify_pure),
                                                  OURS(verify_result),
                                                  OURS(verify_stop)};
#undef OURS
  orc::SymbolMap Map;
  for (auto [Name, Address] : Ours)
    Map[TheJIT->mangleAndIntern(Name)] = {orc::ExecutorAddr::fromPtr(Address),
                                          JITSymbolFlags::Exported};
  if (Error E = TheJIT->getMainJITDylib().define(absoluteSymbols(Map)))
    fail(toString(std::move(E)));
  TheJIT->getMainJITDylib().addGenerator(
      check(orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
          TheJIT->getDataLayout().getGlobalPrefix())));
}

//===-- One attempt -------------------------------------------------------===//

/// From one pointer argument to another: none, some elements, or as many as an
/// integer may be, as to the end of what is used.
long chooseDistance(unsigned Scale) {
  uint64_t Kind = verify_random() % 4;
  if (Kind < 2)
    return Kind ? static_cast<long>(verify_random() % 65) - 32 : 0;
  return static_cast<long>(verify_random() % (Scale + 1));
}

/// Values for the arguments of \p F.  In every third attempt pointers may lead
/// to the same memory, where nothing says that they do not.
std::vector<std::vector<char>>
chooseArguments(const Function &F, unsigned Attempt, unsigned Scale) {
  std::vector<std::vector<char>> Values;
  void *Last = nullptr;
  const DataLayout &DL = F.getDataLayout();
  for (const Argument &A : F.args()) {
    Type *Ty = A.getType();
    std::vector<char> Bytes(DL.getTypeAllocSize(Ty).getKnownMinValue());
    auto Put = [&](auto V) {
      memcpy(Bytes.data(), &V, std::min(Bytes.size(), sizeof V));
    };
    if (Ty->isPointerTy()) {
      bool Alias = Last && Attempt % 3 == 2 && !A.hasNoAliasAttr() &&
                   !A.hasByValAttr() && verify_random() % 2;
      void *P = Alias ? static_cast<char *>(Last) + 8 * chooseDistance(Scale)
                      : verify_region();
      // What is passed by value is read before everything else.
      if (!A.hasNoAliasAttr() && !A.hasByValAttr())
        Last = P;
      Put(P);
    } else if (Ty->isIntegerTy()) {
      Put(verify_integer(Ty->getIntegerBitWidth()));
    } else if (Ty->isFloatTy()) {
      Put(static_cast<float>(verify_real()));
    } else if (Ty->isDoubleTy()) {
      Put(verify_real());
    }
    Values.push_back(std::move(Bytes));
  }
  return Values;
}

/// Is kernel \p K of a plan that is not the first one of its variant?
bool isOfNewerPlan(const struct polygpu_state &S, uint32_t K) {
  for (uint32_t J = 0; J < K; ++J)
    if (S.kernels[J].variant == S.kernels[K].variant &&
        S.kernels[J].plan < S.kernels[K].plan)
      return true;
  return false;
}

/// Sum up what the runtime counted; false if something failed in a kernel.
bool countLaunches(Report &R) {
  bool Good = true;
  polygpu_lock();
  for (const struct polygpu_state *S = polygpu_state_first(); S; S = S->next) {
    Good = Good && S->stats.failed == 0;
    for (uint32_t K = 0; K < S->n_kernels; ++K) {
      R.Launches += S->kernels[K].stats.launches;
      if (isOfNewerPlan(*S, K))
        R.Newer += S->kernels[K].stats.launches;
    }
  }
  polygpu_unlock();
  return Good;
}

bool sameResult(bool Loosely, Type *Ty, const char *A, const char *B,
                size_t Size) {
  if (memcmp(A, B, Size) == 0 || (Loosely && Ty->isFPOrFPVectorTy()))
    return true;
  if (Ty->isDoubleTy()) {
    double X, Y;
    memcpy(&X, A, 8);
    memcpy(&Y, B, 8);
    return X != X && Y != Y;
  }
  float X, Y;
  memcpy(&X, A, 4);
  memcpy(&Y, B, 4);
  return Ty->isFloatTy() && X != X && Y != Y;
}

[[noreturn]] void attempt(const Pair &P, ArrayRef<Variable> Variables,
                          unsigned Attempt, const verify_limits &Limits,
                          Report &R) {
  // In two attempts rows are aligned for vectors, as two or three sizes that
  // are chosen one by one hardly ever are: whether a barrier is missed depends
  // on how many tiles and steps there are.  In one there are 0 and 1 alone.
  static const struct {
    unsigned Scale, Multiple;
  } Sizes[] = {{5, 1}, {18, 1}, {150, 1}, {60, 4}, {66, 1}, {1, 1}, {60, 4}};
  uint64_t Seed = Attempt;
  for (char C : P.Original->getName())
    Seed = Seed * 31 + static_cast<unsigned char>(C);
  // Every other one is a run on the oldest device.
  if (Attempt % 2)
    setenv("POLYGPU_ARCH", "30", 1);
  // And two after two launch in the one way and the other, whatever the size.
  setenv("POLYGPU_CHAIN", Attempt / 2 % 2 ? "off" : "on", 1);
  itimerval Limit = {{0, 0}, {SECONDS, 0}},
            ByClock = {{0, 0}, {SECONDS_BY_CLOCK, 0}};
  setitimer(ITIMER_PROF, &Limit, nullptr);
  setitimer(ITIMER_REAL, &ByClock, nullptr);
  verify_exits(P.Exits.data(), P.Exits.size());
  verify_memory_start(Seed, Sizes[Attempt % 7].Scale,
                      Sizes[Attempt % 7].Multiple, &Limits);
  for (const Variable &V : Variables)
    if (V.IsGuard)
      verify_guard(V.Address, V.Size);
    else
      verify_variable(V.Address, V.Size, Attempt % 2 == 0);
  std::vector<std::vector<char>> Values =
      chooseArguments(*P.Original, Attempt, Sizes[Attempt % 7].Scale);
  std::vector<void *> Args;
  for (auto &Bytes : Values)
    Args.push_back(Bytes.data());
  Args.push_back(nullptr);
  Type *Ty = P.Original->getReturnType();
  size_t Size =
      Ty->isVoidTy() ? 0 : P.Original->getDataLayout().getTypeStoreSize(Ty);
  std::vector<char> Results[2] = {std::vector<char>(Size + 8),
                                  std::vector<char>(Size + 8)};
  P.Functions[0](Args.data(), Results[0].data());
  verify_memory_restart();
  R.Second = 1;
  P.Functions[1](Args.data(), Results[1].data());
  bool Good = countLaunches(R);
  R.Same = Good && verify_memory_compare(P.Loosely, R.Text, TEXT);
  if (!Good)
    snprintf(R.Text, TEXT, "a kernel failed");
  if (R.Same && !Ty->isPointerTy() &&
      !sameResult(P.Loosely, Ty, Results[0].data(), Results[1].data(), Size)) {
    snprintf(R.Text, TEXT, "the function returns another value");
    R.Same = 0;
  }
  R.Early = verify_left_early();
  R.Finished = 1;
  _exit(0);
}

//===-- Attempts ----------------------------------------------------------===//

/// Take over what the runtime said in a failed attempt.
void addMessage(int Log, Report &R) {
  char Said[300];
  ssize_t N = pread(Log, Said, sizeof Said - 1, 0);
  if (N <= 0)
    return;
  Said[N] = 0;
  Said[strcspn(Said, "\n")] = 0;
  size_t Used = strlen(R.Text);
  snprintf(R.Text + Used, TEXT - Used, "; %s", Said);
}

/// Why an attempt whose process ended with \p Status said nothing.
Outcome explain(int Status, const Report &R, std::string &Why) {
  int Code = WIFEXITED(Status) ? WEXITSTATUS(Status) : 0;
  int Signal = WIFSIGNALED(Status) ? WTERMSIG(Status) : 0;
  if (Signal == SIGALRM || Signal == SIGPROF || Code == VERIFY_LONG) {
    Why = "it takes too long for the sizes that were tried";
    return TOO_LONG;
  }
  if (R.Second)
    return SAID;
  static const std::pair<int, const char *> Known[] = {
      {VERIFY_ENDED, "it ends the program"},
      {VERIFY_ASSEMBLY, "it executes inline assembly"},
      {VERIFY_POISON, "a signed number overflows, or a shift is too wide, or a "
                      "variable that was not set is used"}};
  for (auto [Ended, Reason] : Known)
    if (Code == Ended) {
      Why = Reason;
      return NOTHING;
    }
  Why = "it accesses memory that arguments and variables do not give";
  return NEEDS_MEMORY;
}

/// Run one attempt in a process of its own; \p Why is the reason if it does not
/// say anything.
Outcome runAttempt(const Pair &P, ArrayRef<Variable> Variables,
                   unsigned Attempt, const verify_limits &Limits, Report &R,
                   std::string &Why) {
  int Log = memfd_create("log", 0), Status = 0;
  memset(&R, 0, sizeof R);
  fflush(stdout);
  pid_t Child = fork();
  if (Child < 0)
    fail("a process cannot be started");
  if (Child == 0) {
    dup2(Log, STDERR_FILENO);
    attempt(P, Variables, Attempt, Limits, R);
  }
  waitpid(Child, &Status, 0);
  Outcome Result = R.Finished ? SAID : explain(Status, R, Why);
  if (Result == SAID && !R.Finished) {
    if (WIFSIGNALED(Status))
      snprintf(R.Text, TEXT, "the offloaded code ends with signal %d",
               WTERMSIG(Status));
    else
      snprintf(R.Text, TEXT, "only the offloaded code ends the program");
  }
  if (Result == SAID && !R.Same)
    addMessage(Log, R);
  close(Log);
  return Result;
}

/// Seconds of a core that attempts have taken so far.
double secondsSpent() {
  rusage Usage;
  getrusage(RUSAGE_CHILDREN, &Usage);
  return static_cast<double>(Usage.ru_utime.tv_sec + Usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(Usage.ru_utime.tv_usec +
                                    Usage.ru_stime.tv_usec);
}

/// All attempts of a pair.
struct Attempts {
  unsigned Next = 0, Runs = 0, Early = 0, TooLong = 0;
  unsigned long Launches = 0, Newer = 0;
  bool NeedsMore = false; ///< time or memory
  verify_limits Limits = Usual;

  /// Go on, with higher limits if so far there were no results.
  bool goOn() {
    if (Next < ATTEMPTS && Runs == 0 && TooLong == MOST_TOO_LONG)
      Next = ATTEMPTS;
    if (Next >= ATTEMPTS)
      Limits = Large;
    return Runs < ENOUGH &&
           (Next < ATTEMPTS ||
            (Next < ATTEMPTS + LARGE && Runs <= Next - ATTEMPTS && NeedsMore));
  }
  void take(Outcome Result, const Report &R) {
    ++Next;
    TooLong += Result == TOO_LONG;
    if (Result == TOO_LONG && Runs == 0)
      Limits = Repeated;
    NeedsMore = NeedsMore || Result == TOO_LONG || Result == NEEDS_MEMORY;
    if (Result == SAID && R.Launches > 0) {
      ++Runs;
      Early += R.Early;
      Launches += R.Launches;
      Newer += R.Newer;
    }
  }
};

void runPair(const Pair &P, ArrayRef<Variable> Variables, Report &R) {
  double Begin = secondsSpent();
  std::string Why;
  Attempts A;
  while (A.goOn() && secondsSpent() - Begin < SECONDS_OF_PAIR) {
    Outcome Result = runAttempt(P, Variables, A.Next, A.Limits, R, Why);
    if (Result == SAID && !R.Same) {
      outs() << "different attempt " << A.Next << ": " << R.Text << '\n';
      return;
    }
    if (Result == SAID)
      Why = "no attempt launched a kernel";
    A.take(Result, R);
  }
  if (A.Runs)
    outs() << "same " << A.Runs << ' ' << A.Launches << ' ' << A.Next << ' '
           << A.Early << ' ' << A.Newer << '\n';
  else
    outs() << "unchecked " << Why << '\n';
}

//===-- The module --------------------------------------------------------===//

/// Numbers of exits at which \p F asks verify_leave.
std::vector<uint32_t> findExits(const Function &F) {
  std::vector<uint32_t> Result;
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallInst>(&I))
      if (const Function *Callee = Call->getCalledFunction();
          Callee && Callee->getName() == "verify_leave")
        Result.push_back(static_cast<uint32_t>(
            cast<ConstantInt>(Call->getArgOperand(1))->getZExtValue()));
  return Result;
}

std::string wrapperOf(const Function &F) {
  return "verify_call." + F.getName().str();
}

/// A variable behind \p G in memory, which nobody accesses.
void addGuard(GlobalVariable &G, const Twine &Name) {
  LLVMContext &Ctx = G.getContext();
  uint64_t Size =
      G.getParent()->getDataLayout().getTypeAllocSize(G.getValueType());
  Size = std::min<uint64_t>(std::max<uint64_t>(Size, 4096), 1 << 20);
  auto *Ty = ArrayType::get(Type::getInt8Ty(Ctx), Size);
  std::vector<uint8_t> Bytes(Size, 0xa5);
  // In the same section.
  Constant *Init = G.getInitializer()->isNullValue()
                       ? Constant::getNullValue(Ty)
                       : ConstantDataArray::get(Ctx, Bytes);
  auto *Guard =
      new GlobalVariable(Ty, false, GlobalValue::ExternalLinkage, Init, Name);
  Guard->setAlignment(Align(1));
  G.getParent()->insertGlobalVariable(std::next(G.getIterator()), Guard);
}

/// Give all variables of the program names and guards; these, and sizes.
std::vector<std::pair<std::string, uint64_t>> exportVariables(Module &M) {
  std::vector<std::pair<std::string, uint64_t>> Result;
  SmallVector<GlobalVariable *, 32> Variables;
  for (GlobalVariable &G : M.globals())
    if (!G.isConstant() && !G.isDeclaration() &&
        !G.getName().starts_with("polygpu."))
      Variables.push_back(&G);
  for (GlobalVariable *G : Variables) {
    G->setName("verify_variable." + Twine(Result.size()));
    G->setLinkage(GlobalValue::ExternalLinkage);
    G->setVisibility(GlobalValue::DefaultVisibility);
    addGuard(*G, "verify_guard." + Twine(Result.size() + 1));
    for (const GlobalVariable *V : {G, &*std::next(G->getIterator())})
      Result.push_back({V->getName().str(),
                        M.getDataLayout().getTypeAllocSize(V->getValueType())});
  }
  return Result;
}

/// Give all constants of the program names; these, and sizes.
std::vector<std::pair<std::string, uint64_t>> exportConstants(Module &M) {
  std::vector<std::pair<std::string, uint64_t>> Result;
  for (GlobalVariable &G : M.globals()) {
    if (!G.isConstant() || G.isDeclaration() ||
        G.getName().starts_with("polygpu."))
      continue;
    G.setName("verify_constant." + Twine(Result.size()));
    G.setLinkage(GlobalValue::ExternalLinkage);
    G.setVisibility(GlobalValue::DefaultVisibility);
    Result.push_back({G.getName().str(),
                      M.getDataLayout().getTypeAllocSize(G.getValueType())});
  }
  return Result;
}

/// Compile a copy of \p M, which is needed for types and names.
void addToJIT(const Module &M) {
  SmallVector<char, 0> Bytes;
  raw_svector_ostream OS(Bytes);
  WriteBitcodeToFile(M, OS);
  auto Context = std::make_unique<LLVMContext>();
  std::unique_ptr<Module> Copy = check(parseBitcodeFile(
      MemoryBufferRef(StringRef(Bytes.data(), Bytes.size()), "verify"),
      *Context));
  if (Error E = TheJIT->addIRModule(
          orc::ThreadSafeModule(std::move(Copy), std::move(Context))))
    fail(toString(std::move(E)));
}

} // namespace

/// The emulated device that lies beside this program, loaded before there are
/// attempts.
static void loadDevice(const char *Program) {
  SmallString<128> Path(sys::fs::getMainExecutable(
      Program, reinterpret_cast<void *>(&loadDevice)));
  sys::path::remove_filename(Path);
  sys::path::append(Path, "libpolygpu_emulated.so");
  setenv("POLYGPU_CPU", "off", 1); // what is compared is the device
  setenv("POLYGPU_EMULATED", Path.c_str(), 1);
  // Not as the runtime does, which would read the environment for good.
  if (!dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE))
    fail(dlerror());
}

int main(int Argc, char **Argv) {
  if (Argc < 4 || Argc % 2)
    fail("usage: polygpu-verify FILE ORIGINAL COPY [ORIGINAL COPY]...");
  for (const char *Setting :
       {"POLYGPU=auto", "POLYGPU_DEVICE=emulated", "POLYGPU_PROFILE=1",
        "POLYGPU_COST=off", "POLYGPU_DEBUG=0", "POLYGPU_FAULT="})
    putenv(const_cast<char *>(Setting));
  loadDevice(Argv[0]);
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  Math = dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL);
  auto Context = std::make_unique<LLVMContext>();
  auto Buffer = MemoryBuffer::getFile(Argv[1]);
  if (!Buffer)
    fail(Twine(Argv[1]) + ": " + Buffer.getError().message());
  std::unique_ptr<Module> M = check(parseBitcodeFile(**Buffer, *Context));
  // What is executed for milliseconds need not be fast.
  auto Machine = check(orc::JITTargetMachineBuilder::detectHost());
  Machine.setCodeGenOptLevel(CodeGenOptLevel::None);
  TheJIT = check(orc::LLJITBuilder()
                     .setJITTargetMachineBuilder(std::move(Machine))
                     .create());
  if (M->getTargetTriple().getArch() == Triple::UnknownArch)
    M->setTargetTriple(TheJIT->getTargetTriple());
  if (M->getTargetTriple().getArch() != TheJIT->getTargetTriple().getArch())
    fail("the program is for another machine");
  M->setDataLayout(TheJIT->getDataLayout());

  std::vector<Pair> Pairs;
  for (int I = 2; I + 1 < Argc; I += 2) {
    Pair P = {
        M->getFunction(Argv[I]), M->getFunction(Argv[I + 1]), {}, false, {}};
    if (!P.Original || !P.Copy)
      fail(Twine("there is no function ") + Argv[P.Original ? I + 1 : I]);
    P.Loosely = hasFastMath(*P.Original) ||
                P.Original->hasFnAttribute("polygpu-loosely");
    P.Exits = findExits(*P.Original);
    Pairs.push_back(std::move(P));
  }
  instrumentModule(*M, isMathFunction);
  for (const Pair &P : Pairs)
    for (Function *F : {P.Original, P.Copy})
      addWrapper(*F, wrapperOf(*F));
  auto Constants = exportConstants(*M), Globals = exportVariables(*M);
  defineOurs();
  addToJIT(*M);
  for (Pair &P : Pairs)
    for (unsigned I = 0; I < 2; ++I)
      P.Functions[I] = reinterpret_cast<Wrapper>(
          addressOf(wrapperOf(*(I ? P.Copy : P.Original))));
  std::vector<Variable> Variables;
  for (auto &[Name, Size] : Globals)
    Variables.push_back(
        {addressOf(Name), Size, StringRef(Name).starts_with("verify_guard")});
  std::vector<verify_constant> Readable;
  for (auto &[Name, Size] : Constants)
    Readable.push_back({static_cast<char *>(addressOf(Name)), Size});
  sort(Readable, [](const verify_constant &A, const verify_constant &B) {
    return A.address < B.address;
  });
  verify_constants(Readable.data(), Readable.size());
  auto *R = static_cast<Report *>(mmap(nullptr, sizeof(Report),
                                       PROT_READ | PROT_WRITE,
                                       MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  for (const Pair &P : Pairs)
    runPair(P, Variables, *R);
  outs().flush();
  // What was compiled goes with the process.
  _exit(0);
}
