//===- Host.h - Host code of an offloaded SCoP ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts a decision in front of the original loops:
//
//   if (the SCoP does something && the run-time condition holds &&
//       the run on the device brought all results back)
//     reload scalars that live on;
//   else
//     the original loops;
//
// The run on the device is a sequence of calls of the runtime, see
// polygpu/abi.h.  It comes before the branch, so that whatever fails in it
// leads to the original loops with user memory untouched.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_HOST_H
#define POLYGPU_HOST_H

#include "Options.h"
#include "kernel/Kernel.h"
#include "target/Emulate.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/PassManager.h"

namespace polygpu {

/// Device code of one SCoP in the form that the host embeds.
struct Images {
  std::string PTX, Cubin;
  std::vector<std::string> Spilling; ///< kernels that ptxas found to spill
  unsigned Arch = 0;
  std::vector<EmulatedKernel> Emulated; ///< one per kernel, or empty
  bool Checked = false;                 ///< these check their accesses
};

/// True if \p F is a function of the runtime, by its name.
bool isRuntimeFunction(const llvm::Function &F);

/// The name of a function of the runtime that is something else in \p M, or
/// "".
std::string misusedRuntimeName(const llvm::Module &M);

/// polygpu_active, declared in \p M.
llvm::FunctionCallee activeFunction(llvm::Module &M);

/// Why the host code cannot be made, if so; changes nothing.
std::optional<Refusal> checkHost(polly::Scop &S, const ImportedScop &Imported,
                                 const pg_plan &Plan, const DeviceCode &Code);

/// Generate the host code of \p S, whose region becomes conditional, and its
/// \p Descriptor.  All analyses of the function are invalid afterwards; if this
/// is refused, since isl fails, so is the function itself.
std::optional<Refusal> generateHost(polly::Scop &S,
                                    const ImportedScop &Imported,
                                    const pg_plan &Plan, const DeviceCode &Code,
                                    const Images &Images,
                                    llvm::FunctionAnalysisManager &FAM,
                                    llvm::GlobalVariable *&Descriptor);

} // namespace polygpu

#endif
