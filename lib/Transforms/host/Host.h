//===- Host.h - Host code of an offloaded SCoP ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts a decision in front of the original loops:
//
//   if (the SCoP does something && the run-time condition holds &&
//       the run on the device brought all results back)
//     reload scalars that live on;
//   else
//     the original loops;
//
// The run on the device is a sequence of calls of the runtime, see
// polygpu/abi.h.  It comes before the branch, so that whatever fails in it
// leads to the original loops with user memory untouched.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_HOST_H
#define POLYGPU_HOST_H

#include "host/Images.h"
#include "host/RunCondition.h"
#include "scop/Import.h"
#include "scop/InterleavedRows.h"
#include "llvm/IR/PassManager.h"

namespace polygpu {

struct LoopVersion;

/// Why the host code cannot be made, if so; changes nothing.
std::optional<Refusal> checkHost(polly::Scop &S, const ImportedScop &Imported,
                                 const pg_plan &Plan, const DeviceCode &Code);

/// Is \p Array in the device's memory, for kernels of some plan?
bool isOnDevice(llvm::ArrayRef<PlannedKernels> Plans, unsigned Array);

/// Generate the host code of \p S, whose region becomes conditional, and its
/// \p Descriptor.  Where the run-time condition does not hold, the second
/// version of \p Version runs if there is one, else the region's loops.  All
/// analyses of the function are invalid afterwards; if this is refused, since
/// isl fails, so is the function itself.  \p Harmless overlaps of
/// arrays are none.  Before the region's loops \p Threads are asked for, if
/// there are any.
std::optional<Refusal>
generateHost(polly::Scop &S, const ImportedScop &Imported,
             llvm::ArrayRef<PlannedKernels> Plans,
             llvm::FunctionAnalysisManager &FAM, const SizeAssumptions &Sizes,
             const HarmlessOverlaps &Harmless, const LoopVersion *Version,
             const ThreadKernels &Threads, llvm::GlobalVariable *&Descriptor);

} // namespace polygpu

#endif
