//===- TuningLog.h - What became of SCoPs, for polygpu tune ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file of -gpu-save-tuning: a line of JSON for each SCoP that is offloaded,
// and for each record of -gpu-tuning that does not fit its SCoP.  Compilers
// that run at the same time may append to one file.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_TUNINGLOG_H
#define POLYGPU_TUNINGLOG_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

struct pg_scop;

namespace polygpu {

struct Options;
struct PlannedKernels;
struct TuningRecord;

/// \p Source as it was imported, \p Kernels those for all sizes and the newest
/// devices, \p Variants those for some sizes, and \p Choice what a record says,
/// or empty.
struct LoggedScop {
  const pg_scop &Source;
  const PlannedKernels &Kernels;
  const std::vector<const PlannedKernels *> &Variants;
  std::string Hash, Choice;
};

void logScop(const Options &O, const LoggedScop &S);

/// A record was not taken, and why.
void logMisfit(const Options &O, llvm::StringRef Hash,
               const TuningRecord &Record, llvm::StringRef Why);

} // namespace polygpu

#endif
