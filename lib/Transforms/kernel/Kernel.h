//===- Kernel.h - Device code of a SCoP -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Generates one function per kernel of a plan into a device module that knows
// no target (target/DeviceModule.h).  Target.h makes PTX of it, Emulate.h code
// for the host.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_KERNEL_H
#define POLYGPU_KERNEL_H

#include "kernel/DeviceCode.h"
#include "scop/Import.h"

namespace polygpu {

/// Generate all kernels of \p Plan, or say why that cannot be done.
std::optional<Refusal> generateKernels(const pg_plan &Plan,
                                       const ImportedScop &Imported,
                                       polly::Scop &S, DeviceCode &Result);

/// Generate those of a plan for threads of the CPU, which compute as the
/// original loops do and access the program's memory.
std::optional<Refusal> generateHostKernels(const pg_plan &Plan,
                                           const ImportedScop &Imported,
                                           polly::Scop &S, DeviceCode &Result);

/// Generate the same kernels to be printed for people: with loops instead of
/// unrolled code, and arrays in registers and shared memory.  Copies run
/// "Ahead" or are where the plan has them, in front of their use.  Parameters
/// are those of \p Like, the kernels of \p Plan, perhaps followed by others.
std::optional<Refusal> generateReadableKernels(const pg_plan &Plan,
                                               const ImportedScop &Imported,
                                               polly::Scop &S,
                                               const DeviceCode &Like,
                                               bool Ahead, DeviceCode &Result);

} // namespace polygpu

#endif
