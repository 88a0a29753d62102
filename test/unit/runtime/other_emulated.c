/* other_emulated.c - a library of the emulated device of another version.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "emulated/library.h"

const struct polygpu_emulated_library polygpu_emulated_library = {
    .abi_version = POLYGPU_ABI_VERSION,
    .version = POLYGPU_EMULATED_VERSION + 1,
};
