/* library.c - see library.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "emulated/library.h"

#include "emulated/emulated.h"
#include "emulated/fault.h"

const struct polygpu_emulated_library polygpu_emulated_library = {
    .abi_version = POLYGPU_ABI_VERSION,
    .version = POLYGPU_EMULATED_VERSION,
    .device = &polygpu_emulated,
    .with_faults = polygpu_with_faults,
};
