//===- LibraryCalls.cpp - What the C library writes -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "residency/LibraryCalls.h"
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

/// Is \p Stream stdout or stderr?  Others may be of fmemopen, and write memory.
static bool isConsole(const Value *Stream) {
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
  case LibFunc_free:
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

bool isFree(const CallBase &Call, const TargetLibraryInfo &TLI) {
  LibFunc F;
  return TLI.getLibFunc(Call, F) && TLI.has(F) && F == LibFunc_free;
}

} // namespace polygpu
