//===- VerifyExecute.h - Offloaded functions are executed -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -gpu-verify=execute: polygpu-verify, a program beside the plugin, gets the
// module and executes each function as it was written, and its offloaded copy
// with checked kernels on the emulated device, on random data at small sizes.
// It shares nothing with what made the copy but the function itself.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_VERIFYEXECUTE_H
#define POLYGPU_VERIFYEXECUTE_H

#include "Options.h"
#include "RecordedFacts.h"
#include "Remarks.h"
#include "target/FileModule.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/PassManager.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace polygpu {

/// Kernels of a SCoP before they became code of a device.
struct ExecutedKernels {
  std::shared_ptr<llvm::Module> Device;
  std::vector<std::string> Names;
};

/// What is needed to execute an offloaded SCoP once more.
struct OffloadedScop {
  OffloadedNest Nest;
  std::vector<RecordedFact> Facts; ///< if there is an optimisation record
  std::string Text;                ///< the SCoP, as pg_scop_to_str writes it
  llvm::GlobalVariable *Descriptor = nullptr;
  llvm::SmallVector<unsigned, 8> Kept; ///< arrays that may stay on the device
  std::vector<ExecutedKernels> Plans;
  std::vector<PlanCode> Code;         ///< of each plan; empty without PTX
  std::string Cuda;                   ///< its kernels as CUDA, or empty
  std::vector<std::string> CudaNames; ///< of functions in that
};

/// A function, its copy that is not committed yet, and what the copy offloads.
struct OffloadedFunction {
  llvm::Function *F, *Copy;
  std::vector<OffloadedScop> Scops;
  bool OwnScope = false; ///< runs can follow each other in one call
};

/// Execute all of \p Functions.  Those that differ are refused and dropped, the
/// others stay in the list; remarks tell of both, and of what was offloaded.
void verifyExecution(llvm::Module &M, std::vector<OffloadedFunction> &Functions,
                     const Options &O, Remarks &R,
                     llvm::FunctionAnalysisManager &FAM);

} // namespace polygpu

#endif
