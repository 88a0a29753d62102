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

/// Decide on \p Call.  Calls of the C library count only if their name and
/// type are those of the math function.
CallKind classifyCall(const llvm::CallBase &Call);

/// The C library's name of the function that \p Call computes: `exp` both for
/// a call of exp and for llvm.exp.f64.  Empty if it is none.
llvm::StringRef libraryName(const llvm::CallBase &Call);

/// The intrinsic that computes the library function \p Name exactly, like
/// llvm.sqrt for sqrtf; not_intrinsic if there is none.
llvm::Intrinsic::ID exactIntrinsic(llvm::StringRef Name);

/// libdevice's name for a function of the C math library, empty if it has
/// none: exp -> __nv_exp, expf -> __nv_expf.
std::string libdeviceName(llvm::StringRef Name);

/// Declare the math calls of \p F free of side effects, so that errno is no
/// obstacle.  Offloaded loops do not set errno.
void makeMathCallsPure(llvm::Function &F);

} // namespace polygpu

#endif
