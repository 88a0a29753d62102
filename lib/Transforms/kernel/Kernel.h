//===- Kernel.h - Device code of a SCoP -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Generates one function per kernel of a plan into a device module that knows
// no target (target/DeviceModule.h).  Target.h makes PTX of it, Emulate.h code
// for the host.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_KERNEL_H
#define POLYGPU_KERNEL_H

#include "Remarks.h"
#include "scop/Import.h"
#include "target/DeviceModule.h"
#include "llvm/IR/DerivedTypes.h"
#include <memory>
#include <optional>
#include <vector>

namespace llvm {
class Module;
class ScalarEvolution;
} // namespace llvm

namespace polygpu {

/// A function of target/DeviceModule.h that returns nothing, in \p M.
llvm::FunctionCallee deviceFunction(llvm::Module &M, const char *Name,
                                    llvm::ArrayRef<llvm::Type *> Params);

/// What the host passes for one parameter of a kernel.
struct KernelArg {
  enum KindTy {
    Array,  ///< Index: array
    Extent, ///< Index: array, Dim: dimension; elements as i64
    Param,  ///< Index: parameter of the SCoP
    Host,   ///< Index: host iterator of the kernel
    Scev,   ///< Expr: integer expression that the SCoP does not change
    Scalar  ///< V: value from before the SCoP
  };
  KindTy Kind;
  unsigned Index = 0;
  unsigned Dim = 0;
  const llvm::SCEV *Expr = nullptr;
  llvm::Value *V = nullptr;
  llvm::Type *Ty = nullptr; ///< of the parameter; i1 travels as i8
};

struct DeviceCode {
  std::unique_ptr<llvm::Module> Module;
  /// The kernel that has more than MaxGenerated instructions.
  std::optional<unsigned> TooLong;
  std::vector<std::vector<KernelArg>> Args; ///< of each kernel
  std::vector<unsigned> SharedBytes;        ///< of each kernel
};

/// Generate all kernels of \p Plan, or say why that cannot be done.
std::optional<Refusal> generateKernels(const pg_plan &Plan,
                                       const ImportedScop &Imported,
                                       polly::Scop &S, DeviceCode &Result);

} // namespace polygpu

#endif
