//===- Legality.h - What a kernel may contain -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// White lists of types and instructions.  What is not on them refuses the
// SCoP with a remark: the NVPTX back end ends the compiler on some inputs and
// silently changes results on others.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_LEGALITY_H
#define POLYGPU_LEGALITY_H

#include "Options.h"
#include "Remarks.h"
#include "prepare/Predicate.h"
#include <optional>

namespace polly {
class Scop;
}

namespace polygpu {

/// What Polly models as statements of several blocks, since branches there
/// depend on data; in the order of the program.
llvm::SmallVector<DataCondition, 8> findDataConditions(const polly::Scop &S);

/// Such a branch at the end of \p Entry is in the way, and \p Why nothing can
/// be done about it (may be empty).
Refusal refuseDataCondition(const llvm::BasicBlock &Entry,
                            const std::string &Why = "");

/// Check the types and the instructions of all statements of \p S.
std::optional<Refusal> checkStatements(polly::Scop &S, const Options &O);

} // namespace polygpu

#endif
