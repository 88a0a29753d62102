//===- Reasons.h - The core's reasons as refusals ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_REASONS_H
#define POLYGPU_REASONS_H

#include "scop/Import.h"

namespace polygpu {

/// The last reason in \p Report, with the line of the statement that it names.
Refusal lastReason(const pg_report &Report, const ImportedScop &Imported);

} // namespace polygpu

#endif
