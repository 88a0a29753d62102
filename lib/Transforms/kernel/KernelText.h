//===- KernelText.h - Kernels as text for people -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_KERNELTEXT_H
#define POLYGPU_KERNELTEXT_H

#include "scop/Import.h"
#include "llvm/Support/raw_ostream.h"

namespace polygpu {

/// Print the kernels of \p Plan, which is for the SCoP \p Imported, like CUDA.
void printKernels(const pg_plan &Plan, const ImportedScop &Imported,
                  llvm::raw_ostream &OS);

} // namespace polygpu

#endif
