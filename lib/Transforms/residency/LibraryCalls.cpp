//===- LibraryCalls.cpp - What the C library writes -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "residency/LibraryCalls.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

/// Does printf with this format write what it is given?  A conversion %n does.
static bool writesByFormat(const Value *Format) {
  StringRef Text;
  if (!getConstantStringInfo(Format, Text))
    return true;
  for (size_t At = Text.find('%'); At != StringRef::npos;
       At = Text.find('%', At + 1)) {
    At = Text.find_first_not_of("#0123456789 -+'I.*$hlLqjztwf", At + 1);
    if (At == StringRef::npos || Text[At] == 'n')
      return true;
  }
  return false;
}

bool isConsole(const Value *Stream) {
  const auto *Load = dyn_cast<LoadInst>(Stream);
  const auto *G =
      Load ? dyn_cast<GlobalVariable>(Load->getPointerOperand()) : nullptr;
  return G && G->isDeclaration() &&
         (G->getName() == "stdout" || G->getName() == "stderr");
}

/// Functions of the C library that write no memory that the program can name,
/// and let no other thread know of anything.  errno is no part of a kept array
/// (residency.c of the runtime).
static bool writesNothing(LibFunc F) {
  switch (F) {
  case LibFunc_puts:
  case LibFunc_putchar:
  case LibFunc_perror:
  case LibFunc_memcmp:
  case LibFunc_bcmp:
  case LibFunc_strlen:
  case LibFunc_strcmp:
  case LibFunc_strncmp:
  case LibFunc_strchr:
  case LibFunc_strrchr:
  case LibFunc_strstr:
  case LibFunc_atoi:
  case LibFunc_atol:
  case LibFunc_atof:
  case LibFunc_abs:
  case LibFunc_labs:
  case LibFunc_malloc:
  case LibFunc_sqrt:
  case LibFunc_sqrtf:
  case LibFunc_fabs:
  case LibFunc_fabsf:
  case LibFunc_exp:
  case LibFunc_expf:
  case LibFunc_log:
  case LibFunc_logf:
  case LibFunc_log10:
  case LibFunc_log10f:
  case LibFunc_log2:
  case LibFunc_log2f:
  case LibFunc_pow:
  case LibFunc_powf:
  case LibFunc_sin:
  case LibFunc_sinf:
  case LibFunc_cos:
  case LibFunc_cosf:
  case LibFunc_tan:
  case LibFunc_tanf:
  case LibFunc_floor:
  case LibFunc_floorf:
  case LibFunc_ceil:
  case LibFunc_ceilf:
  case LibFunc_fmin:
  case LibFunc_fminf:
  case LibFunc_fmax:
  case LibFunc_fmaxf:
    return true;
  default:
    return false;
  }
}

/// Clocks and random numbers, of which LLVM's list has few or none: the result
/// and the parameters, each 'v' nothing, 'i' an int, 'l' a long, 'd' a double,
/// 't' where a time_t is written, 's' a timespec or timeval, '0' no pointer.
static StringRef prototypeOf(StringRef Name) {
  return StringSwitch<StringRef>(Name)
      .Cases({"clock", "random", "lrand48"}, "l")
      .Case("time", "lt")
      .Case("gettimeofday", "is0")
      .Case("clock_gettime", "iis")
      .Case("timespec_get", "isi")
      .Case("rand", "i")
      .Case("srand", "vi")
      .Case("srand48", "vl")
      .Cases({"drand48", "omp_get_wtime", "MPI_Wtime", "_FortranACpuTime"}, "d")
      // libstdc++ and libc++: a time point is a number.
      .Cases({"_ZNSt6chrono3_V212steady_clock3nowEv",
              "_ZNSt6chrono3_V212system_clock3nowEv",
              "_ZNSt3__16chrono12steady_clock3nowEv",
              "_ZNSt3__16chrono12system_clock3nowEv"},
             "l")
      .Default("");
}

static bool hasType(const Type *T, char Letter) {
  switch (Letter) {
  case 'v':
    return T->isVoidTy();
  case 'i':
    return T->isIntegerTy(32);
  case 'l':
    return T->isIntegerTy(64);
  case 'd':
    return T->isDoubleTy();
  default:
    return T->isPointerTy();
  }
}

/// Random numbers whose state may be an array of the program's own, which
/// initstate and setstate make it.
static bool hasOwnState(const Function &Callee) {
  const Module &M = *Callee.getParent();
  return is_contained({"rand", "srand", "random"}, Callee.getName()) &&
         (M.getFunction("initstate") || M.getFunction("setstate"));
}

/// On systems where pointers, time_t and long have 64 bits.  With -fno-builtin
/// a function of that name may be any.
std::optional<HostAccess> clockWrite(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  StringRef Letters = Callee ? prototypeOf(Callee->getName()) : "";
  if (Letters.empty() || !Callee->isDeclaration() || Callee->isVarArg() ||
      Call.isNoBuiltin() || Call.getFunction()->hasFnAttribute("no-builtins") ||
      hasOwnState(*Callee) || Callee->getDataLayout().getPointerSize() != 8 ||
      Callee->arg_size() + 1 != Letters.size() ||
      !hasType(Callee->getReturnType(), Letters[0]))
    return std::nullopt;
  HostAccess Write;
  for (auto [Arg, Letter] : zip(Call.args(), Letters.drop_front())) {
    bool IsNull = isa<ConstantPointerNull>(Arg);
    if (!hasType(Arg->getType(), Letter) || (Letter == '0' && !IsNull))
      return std::nullopt;
    if (Arg->getType()->isPointerTy() && !IsNull)
      Write = {HostAccess::Bytes, Arg, nullptr, Letter == 's' ? 16u : 8u};
  }
  return Write;
}

std::optional<HostAccess> libraryWrite(const CallBase &Call,
                                       const TargetLibraryInfo &TLI) {
  LibFunc F;
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || !TLI.getLibFunc(Call, F) ||
      !TLI.has(F))
    return std::nullopt;
  auto Arg = [&](unsigned Number) { return Call.getArgOperand(Number); };
  auto If = [](bool Known, HostAccess Write = {}) {
    return Known ? std::optional(Write) : std::nullopt;
  };
  if (isNewLikeFn(&Call, &TLI))
    return If(!Call.isMustTailCall());
  if (endedBy(Call, TLI))
    return HostAccess{};
  switch (F) {
  case LibFunc_printf:
    return If(!writesByFormat(Arg(0)));
  case LibFunc_fprintf:
    return If(isConsole(Arg(0)) && !writesByFormat(Arg(1)));
  case LibFunc_snprintf:
    return If(!writesByFormat(Arg(2)), {HostAccess::Bytes, Arg(0), Arg(1)});
  case LibFunc_memcpy:
  case LibFunc_memmove:
  case LibFunc_memset:
    return HostAccess{HostAccess::Bytes, Arg(0), Arg(2)};
  case LibFunc_fputs:
  case LibFunc_fputc:
  case LibFunc_putc:
    return If(isConsole(Arg(1)));
  case LibFunc_fwrite:
    return If(isConsole(Arg(3)));
  case LibFunc_fflush:
    return If(isConsole(Arg(0)));
  default:
    return If(writesNothing(F));
  }
}

static bool isMalloc(const CallBase &Call, const TargetLibraryInfo &TLI) {
  LibFunc F;
  return TLI.getLibFunc(Call, F) && TLI.has(F) && F == LibFunc_malloc;
}

/// Where no size is given, it is known if the memory was allocated in the same
/// function.
std::optional<HostAccess> endedBy(const CallBase &Call,
                                  const TargetLibraryInfo &TLI) {
  LibFunc F;
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !TLI.getLibFunc(Call, F) || !TLI.has(F))
    return std::nullopt;
  StringRef Name = Callee->getName();
  if (F != LibFunc_free && !Name.starts_with("_Zdl") &&
      !Name.starts_with("_Zda"))
    return std::nullopt;
  HostAccess End = {HostAccess::Bytes, Call.getArgOperand(0)};
  End.Mode = POLYGPU_TOUCH_READ | POLYGPU_TOUCH_WRITE;
  const auto *Birth = dyn_cast<CallBase>(End.First);
  if (Name.starts_with("_ZdlPvm") || Name.starts_with("_ZdaPvm"))
    End.Size = Call.getArgOperand(1);
  else if (Birth && (F == LibFunc_free ? isMalloc(*Birth, TLI)
                                       : isNewLikeFn(Birth, &TLI)))
    End.Size = Birth->getArgOperand(0);
  if (End.Size)
    End.Mode |= POLYGPU_TOUCH_END;
  return End;
}

} // namespace polygpu
