//===- PlanRecord.h - A plan for optimisation records ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `polygpu report` draws: schedule trees, kernels, arrays and buffers of a
// SCoP, and the machine that is planned for.  docs/report.md lists the keys.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_PLANRECORD_H
#define POLYGPU_PLANRECORD_H

#include "RecordedFacts.h"
#include "host/Images.h"
#include "scop/Import.h"

namespace polygpu {

/// A schedule tree as isl's text, or "".
std::string treeText(isl_schedule *Tree);

/// The facts of \p Kernels, which are planned for \p Imported, whose loops had
/// the order \p Before.
std::vector<RecordedFact> recordPlan(const ImportedScop &Imported,
                                     const PlannedKernels &Kernels,
                                     const std::string &Before);

} // namespace polygpu

#endif
