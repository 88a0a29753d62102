//===- TuningFile.h - Options that were found for single SCoPs ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file of -gpu-tuning, which `polygpu tune` writes: a line for each SCoP
// and architecture, words of KEY=VALUE without spaces inside,
//
//   scop=3f6c0b51a2d4e897 arch=sm_90 by=time before=12.5 after=8.25 time=off
//     sizes={kernel[0]->tile[32,32];kernel[0]->block[8,32]} fusion=min
//
// (without the break).  `#` begins a comment.  With `when=p0>=512,p1<64` it is
// for runs with such parameters, numbered as in the hash, and has sizes and
// promotion alone.  docs/tuning.md describes it.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_TUNINGFILE_H
#define POLYGPU_TUNINGFILE_H

#include "polygpu/polyhedral.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace polygpu {

/// The words of -gpu-fusion and -gpu-time.
inline const std::pair<llvm::StringRef, pg_fusion> FusionNames[] = {
    {"auto", PG_FUSION_AUTO},
    {"min", PG_FUSION_MIN},
    {"max", PG_FUSION_MAX},
    {"depth", PG_FUSION_DEPTH}};
inline const std::pair<llvm::StringRef, pg_time> TimeNames[] = {
    {"auto", PG_TIME_AUTO},
    {"off", PG_TIME_OFF},
    {"chain", PG_TIME_CHAIN},
    {"tiles", PG_TIME_TILES},
    {"overlap", PG_TIME_OVERLAP}};

/// Parameter number Param is at least Least and at most Most.
struct SizeRange {
  unsigned Param;
  int64_t Least, Most;
};

struct TuningRecord {
  std::string Scop;    ///< its hash (tuning/ScopHash.h)
  std::string Arch;    ///< architecture of the kernels, as LLVM names it
  bool ByTime = false; ///< measured; else by a model
  double Before = 0, After = 0; ///< milliseconds
  std::string Sizes;            ///< empty: as without the record
  std::optional<pg_fusion> Fusion;
  std::optional<pg_time> Time;
  std::optional<bool> Promote, PromoteAll;
  std::string Choice; ///< the words of these, in the order of the file
  /// All have to hold, one for each parameter, by its number; none: for all.
  std::vector<SizeRange> When;
  unsigned Line = 0;

  /// The condition in the words of a file: the same for the same ranges.
  std::string when() const;

  /// The record in words, without its SCoP and figures.
  std::string words() const;

  /// Have \p Options be those of the record, which lives longer.
  void applyTo(pg_options &Options) const;

  /// The largest number of a kernel that sizes are for; none: for none, or all.
  std::optional<unsigned> lastKernel() const;
};

/// Append the records of a file's \p Text; returns what is wrong with it, or
/// nothing.
std::string readTuning(llvm::StringRef Text,
                       std::vector<TuningRecord> &Records);

/// The record for \p Scop and \p Arch and all sizes, or null.  Of several those
/// by time come first, then what gains most; the order in the file does not
/// matter.
const TuningRecord *findTuning(const std::vector<TuningRecord> &Records,
                               llvm::StringRef Scop, llvm::StringRef Arch);

/// The records for \p Scop, \p Arch and some sizes, those first that come first
/// where several are for a run; of those for the very same sizes the first one.
std::vector<const TuningRecord *>
findVariants(const std::vector<TuningRecord> &Records, llvm::StringRef Scop,
             llvm::StringRef Arch);

} // namespace polygpu

#endif
