//===- Images.h - Device code as the host embeds it ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_IMAGES_H
#define POLYGPU_IMAGES_H

#include "kernel/DeviceCode.h"
#include "target/Assembler.h"
#include "target/Emulate.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

struct pg_plan;

namespace polygpu {

struct TuningRecord;

/// Device code of one SCoP in the form that the host embeds.
struct Images {
  std::string PTX;
  std::string Optimised;               ///< what the PTX was made of, or empty
  std::vector<Cubin> Cubins;           ///< of this PTX
  std::vector<std::string> Spilling;   ///< kernels that ptxas found to spill
  llvm::StringMap<unsigned> Registers; ///< of a thread, if ptxas has said
  unsigned Arch = 0;
  std::vector<EmulatedKernel> Emulated; ///< one per kernel, or empty
  bool Checked = false;                 ///< these check their accesses
};

/// Kernels of a SCoP for one architecture, and newer ones, and for all sizes or
/// those that a record is for.
struct PlannedKernels {
  pg_plan *Plan;
  const Options *For;
  DeviceCode Code;
  Images Binaries;
  unsigned Variant = 0;                 ///< 0: for all sizes
  const TuningRecord *Record = nullptr; ///< of another variant
};

/// How many kernels of \p P the runtime knows.
inline unsigned kernelCount(const PlannedKernels &P) {
  return firstJoined(*P.Plan, P.Code) + P.Code.Joined.size();
}

/// The same for threads of the CPU.
struct ThreadKernels {
  pg_plan *Plan = nullptr; ///< null: there are none
  DeviceCode Code;
  std::vector<llvm::Function *> Functions; ///< one per kernel
};

} // namespace polygpu

#endif
