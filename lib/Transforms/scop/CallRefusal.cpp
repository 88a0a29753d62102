//===- CallRefusal.cpp - Why a call keeps loops on the host ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/CallRefusal.h"
#include "prepare/Candidates.h"
#include "target/MathCalls.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace polygpu {

namespace {

/// Functions of libraries by what is in the way, and what helps.
struct LibraryKind {
  const char *What, *Advice;
  StringSet<> Names;
};

} // namespace

static ArrayRef<LibraryKind> libraryKinds() {
  static const LibraryKind Kinds[] = {
      {"reads or writes a file or the terminal, which only the host can do",
       "move it out of the loop",
       {"printf",
        "fprintf",
        "puts",
        "putchar",
        "fputs",
        "fputc",
        "putc",
        "fwrite",
        "vprintf",
        "perror",
        "fflush",
        "scanf",
        "fscanf",
        "fgets",
        "fgetc",
        "getc",
        "getchar",
        "fread",
        "fopen",
        "fclose",
        "fseek",
        "ftell",
        "rewind",
        "feof",
        "read",
        "write",
        "open",
        "close",
        "__isoc99_fscanf",
        "__isoc99_scanf",
        "__isoc23_fscanf",
        "__isoc23_scanf"}},
      {"allocates or frees memory, which only the host can do",
       "do that before or behind the loop",
       {"malloc", "calloc", "realloc", "free", "aligned_alloc",
        "posix_memalign", "strdup", "_Znwm", "_Znam", "_ZdlPv", "_ZdaPv",
        "_ZdlPvm", "_ZdaPvm"}},
      {"changes a state that its next call depends on, so that iterations have "
       "to follow each other",
       "fill an array with the values in a loop of its own",
       {"rand", "random", "srand", "srandom", "drand48", "lrand48", "mrand48",
        "srand48", "rand_r", "erand48", "nrand48"}},
      {"asks for the time",
       "move it out of the loop",
       {"time", "clock", "gettimeofday", "clock_gettime", "omp_get_wtime"}},
      {"may end the program or leave the loop",
       "test for errors before or behind the loop",
       {"exit", "_exit", "abort", "__assert_fail", "longjmp", "__cxa_throw",
        "_ZSt9terminatev"}}};
  return Kinds;
}

/// Does \p Name, as the source has it, belong to the streams of C++?
static bool isStream(StringRef Name) {
  return Name.contains("std::ostream") || Name.contains("std::istream") ||
         Name.contains("std::basic_ostream") ||
         Name.contains("std::basic_istream") ||
         Name.contains("std::__ostream_insert");
}

static const LibraryKind *findKind(const Function &Callee) {
  if (!Callee.isDeclaration())
    return nullptr;
  for (const LibraryKind &Kind : libraryKinds())
    if (Kind.Names.contains(Callee.getName()))
      return &Kind;
  return isStream(sourceSymbol(Callee.getName())) ? &libraryKinds().front()
                                                  : nullptr;
}

/// Why \p Callee, which is defined here, was not inlined (prepare/Inliner.cpp
/// knows the rest).
static std::string notInlined(const CallBase &Call, const Function &Callee) {
  StringRef Why = Call.getFnAttr(NotInlinedAttribute).getValueAsString();
  if (!Why.empty())
    return Why.str();
  if (isInstrumented(Callee))
    return " is not inlined, since -finstrument-functions counts it; use "
           "-finstrument-functions-after-inlining, or give the function the "
           "attribute no_instrument_function";
  if (unsigned Size = Callee.getInstructionCount(); Size > MaxInlineInLoop)
    return " is not inlined, since the function is large (" +
           std::to_string(Size) + " instructions" +
           (hasLoops(Callee)
                ? "); split it, or leave its loops, which are looked at by "
                  "themselves"
                : "); split it, or move the call out of the loop");
  if (Call.isNoInline())
    return " is not inlined, since the function is noinline; leave that "
           "attribute away, or move the call out of the loop";
  return " cannot be analysed, since the function was not inlined; move the "
         "call out of the loop";
}

/// What follows "the call of 'f' in line 3".
static std::string explainCallee(const CallBase &Call, const Function &Callee) {
  if (!libraryName(Call).empty())
    return " may set errno, which -gpu-math-errno keeps; leave that option "
           "away or compile with -fno-math-errno";
  if (const LibraryKind *Kind = findKind(Callee))
    return std::string(" ") + Kind->What + "; " + Kind->Advice;
  if (!Callee.isDeclaration())
    return notInlined(Call, Callee);
  return " cannot be analysed, since the function is not defined in this file; "
         "define it here or in a header, or move the call out of the loop";
}

Refusal refuseErrno() {
  return {"Errno",
          "errno is used in the loop, and math calls of offloaded loops do not "
          "set it; look at the values instead",
          DebugLoc()};
}

static std::string explainIntrinsic(const IntrinsicInst &II,
                                    const std::string &Where) {
  std::string Name = Intrinsic::getBaseName(II.getIntrinsicID()).str();
  if (isa<MemIntrinsic>(II))
    return "memory is copied or set as a block" + Where +
           " (memcpy, memset, or a structure assigned as a whole); copy the "
           "elements in a loop";
  if (II.getIntrinsicID() == Intrinsic::stacksave ||
      II.getIntrinsicID() == Intrinsic::stackrestore)
    return "a local variable of variable length is created inside the loop" +
           Where + "; create it before the loop";
  return "the operation '" + StringRef(Name).substr(5).str() + "'" + Where +
         " has no exact counterpart on the device; write it with ordinary "
         "arithmetic, or move it out of the loop";
}

static std::string explainCall(const CallBase &Call, const std::string &Where) {
  if (const auto *II = dyn_cast<IntrinsicInst>(&Call))
    return explainIntrinsic(*II, Where);
  if (Call.isInlineAsm())
    return "inline assembly" + Where +
           " cannot be analysed; write it in plain C";
  const auto *Callee =
      dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  if (!Callee)
    return "a function pointer is called" + Where +
           ", and which function that is cannot be analysed; call the function "
           "by its name, or move the call out of the loop";
  const std::string Name = "'" + sourceSymbol(Callee->getName()) + "'";
  StringRef Kept = Call.getFnAttr(KeptAttribute).getValueAsString();
  if (!Kept.empty())
    return Kept.str() + " (the loops of " + Name + ", called" + Where +
           ", are looked at by themselves)";
  return "the call of " + Name + Where + explainCallee(Call, *Callee);
}

Refusal refuseCall(const CallBase &Call) {
  const DebugLoc &Loc = Call.getDebugLoc();
  std::string Where =
      Loc ? " in " + describeLine(Loc, *Call.getFunction()) : "";
  return {"Call", explainCall(Call, Where), Loc};
}

} // namespace polygpu
