//===- RunCondition.h - When a nest runs on the device --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The run-time condition, part by part and in words: what is assumed of sizes,
// and which arrays must not overlap.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_RUNCONDITION_H
#define POLYGPU_RUNCONDITION_H

#include "polly/Support/GICHelper.h"
#include "scop/Import.h"
#include "scop/InterleavedRows.h"
#include <array>
#include <isl/isl-noexceptions.h>
#include <optional>

namespace polygpu {

/// What is assumed of the parameters, "" if nothing is, and of which.
struct SizeAssumptions {
  std::string Text;
  std::vector<unsigned> Params;
};

SizeAssumptions describeSizes(polly::Scop &S, const ImportedScop &Imported);

/// More values are not told where a run is declined.
constexpr size_t MaxValues = 8;

/// " with n = %0, p2 = %2 (k - 1)": of parameters \p Params, with places for
/// their values, which polygpu_decline fills in.  Nothing of more than
/// MaxValues.
std::string valuesOf(const ImportedScop &Imported,
                     llvm::ArrayRef<unsigned> Params);

/// "runs on the device if", or "" if it always does.  "Sizes" are described
/// above, as it takes a while; "Harmless" overlaps of arrays are none;
/// "Else" is what else has to hold.
std::string describeCondition(const polly::Scop &S,
                              const ImportedScop &Imported,
                              const SizeAssumptions &Sizes,
                              const HarmlessOverlaps &Harmless,
                              const std::string &Else);

/// Addresses in a matrix: rows 0 and 1, and of row 0 where what is accessed of
/// any row begins and ends.
struct RowAddresses {
  isl::ast_expr Row[2], First, End;
};
using RowPair = std::array<RowAddresses, 2>;

/// A part of the condition, and what is told if it is the first that does not
/// hold.
struct ConditionPart {
  isl::ast_expr Holds;
  std::string Otherwise;
  std::optional<RowPair> OrBetween =
      std::nullopt; ///< or rows lie between the other's
};

/// The parts, of which each holds only if the first one does.
std::vector<ConditionPart> partsOfCondition(polly::Scop &S,
                                            const ImportedScop &Imported,
                                            const isl::ast_build &Build,
                                            const SizeAssumptions &Sizes,
                                            const HarmlessOverlaps &Harmless);

} // namespace polygpu

#endif
