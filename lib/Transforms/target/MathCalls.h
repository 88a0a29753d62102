//===- MathCalls.h - Calls that a kernel may contain ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// White lists of the intrinsics and of the functions of the C math library
// that kernels may call.  Library functions become `__nv_*` of libdevice on
// NVPTX and stay what they are on the emulated device.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_MATHCALLS_H
#define POLYGPU_MATHCALLS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Intrinsics.h"
#include <string>

namespace llvm {
class CallBase;
class Function;
class TargetLibraryInfo;
class Type;
} // namespace llvm

namespace polygpu {

/// How a call in a statement is brought into a kernel.
enum class CallKind {
  Refused,
  Intrinsic, ///< cloned; the back end handles it on all targets
  Library    ///< becomes a call of the function named by libraryName
};

/// Calls that isMathCall says yes to have this attribute (MathErrno.h).
inline constexpr const char *MathAttribute = "polygpu-math";

/// Is \p Call one of a function of the C math library?  Name and type have to
/// be those of the function, which the program must not have written itself,
/// nor asked the compiler to know nothing about (-fno-builtin, -ffreestanding,
/// nobuiltin); \p TLI is that of the calling function.
bool isMathCall(const llvm::CallBase &Call, const llvm::TargetLibraryInfo &TLI);

/// Decide on \p Call.
CallKind classifyCall(const llvm::CallBase &Call);

/// The C library's name of the function that \p Call computes: `exp` both for
/// a marked call of exp and for llvm.exp.f64.  Empty if it is none.
llvm::StringRef libraryName(const llvm::CallBase &Call);

/// The intrinsic that computes the library function \p Name exactly, like
/// llvm.sqrt for sqrtf; not_intrinsic if there is none.
llvm::Intrinsic::ID exactIntrinsic(llvm::StringRef Name);

/// libdevice's name for a function of the C math library, empty if it has
/// none: exp -> __nv_exp, expf -> __nv_expf.
std::string libdeviceName(llvm::StringRef Name);

} // namespace polygpu

#endif
