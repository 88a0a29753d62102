//===- Options.h - Command-line options of the plugin ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options are given as `opt -gpu-...` or `clang -mllvm -gpu-...`;
// docs/options.md has them in one table.  Values that need more than cl::opt's
// own check are validated by getOptions, which reports one line per wrong one.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_OPTIONS_H
#define POLYGPU_OPTIONS_H

#include "polygpu/machine.h"
#include "polygpu/polyhedral.h"
#include "target/Architecture.h"
#include "tuning/TuningFile.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
}

namespace polygpu {

/// What every compilation checks of itself, each with all before it.
enum class VerifyLevel {
  Off,
  Model,  ///< the SCoP against the program, the mapping against the SCoP
  Execute ///< the offloaded function against the one as it was written
};

/// Whose kernels are in one module of the device.
enum class ModuleOf {
  Auto, ///< cubins: those of a file; PTX: those of a SCoP
  Scop,
  File
};

struct Options {
  unsigned Arch = 75;              ///< compute capability, major * 10 + minor
  std::string Processor;           ///< the same as LLVM names it, e.g. sm_90a
  bool EmbedCubin = false;         ///< an architecture was asked for by name
  std::vector<Architecture> Newer; ///< that cubins are embedded for as well
  ModuleOf Modules = ModuleOf::Auto;
  bool PTX = true;       ///< make PTX
  bool Emulated = false; ///< make code for the emulated device
  bool Checked = false;  ///< the same, with each access checked
  bool PrintKernels = false;
  std::string CudaFile; ///< where kernels are printed as CUDA; empty: nowhere
  std::string PrintBefore; ///< passes over the trees of kernels
  std::string PrintAfter;
  bool Threads = false; ///< loops that stay on the CPU run on all its cores
  bool AtLink = false;  ///< the linker's pass joins what stays on the device
  /// Floating-point sums and products of reductions may be in any order.
  bool Reassociate = false;
  bool MathErrno = false; ///< keep errno of math calls: refuse such SCoPs
  pg_machine Machine;     ///< what sizes are chosen for
  std::string Sizes;      ///< PPCG's notation, empty for the defaults
  pg_fusion Fusion = PG_FUSION_AUTO;
  pg_time Time = PG_TIME_AUTO;
  bool Promote = true;      ///< use shared memory and registers
  bool PromoteAll = false;  ///< also where what blocks work on does not pay
  std::string SaveSchedule; ///< file to append schedules to
  std::string LoadSchedule; ///< text of the file with schedules
  std::vector<TuningRecord> Tuning; ///< options for single SCoPs
  std::string SaveTuning;           ///< file to append what became of SCoPs to
  std::string CudaPath;    ///< where CUDA is installed, empty if it is not
  unsigned long Quota = 0; ///< operations of one phase, 0: built in
  VerifyLevel Verify = VerifyLevel::Model;
  std::string SaveFailures; ///< folder to keep what a check refused
  unsigned Seconds = 60;    ///< processor time of a SCoP, time of ptxas
  /// The same for newer architectures, for which kernels are planned anew
  /// where that makes a difference, from the oldest on.
  std::vector<Options> Later;
};

/// True if `-gpu-offload` was given, and no `-gpu-offload=off` after it.
bool isOffloadRequested();

/// The file of -gpu-print-kernels=FILE, or empty.
std::string cudaFile();

/// The options as given.  After a wrong value, which is reported as an error
/// through \p Ctx, there is no result.
std::optional<Options> getOptions(llvm::LLVMContext &Ctx);

} // namespace polygpu

#endif
