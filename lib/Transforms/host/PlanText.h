//===- PlanText.h - A plan in words ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What -Rpass and -Rpass-analysis say of a nest that is offloaded: kernels,
// their sizes, and what is copied.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_PLANTEXT_H
#define POLYGPU_PLANTEXT_H

#include "scop/Import.h"

namespace polygpu {

/// One sentence about the kernels of \p Plan.
std::string summarise(const pg_plan &Plan);

/// How its kernels are mapped, in a sentence each; those of which there is
/// nothing more to say have none.
std::vector<std::string> describeKernels(const pg_plan &Plan);

/// For each array in what clause of a data directive it is: copyin, copyout,
/// copy or create; "" for values that are not copied.
std::vector<std::string> copiesOf(const ImportedScop &Imported);

/// What is copied to the device and back.
std::string describeCopies(const ImportedScop &Imported);

} // namespace polygpu

#endif
