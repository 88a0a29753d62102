/* load_emulated.h - the emulated device's library, loaded.
 *
 * It is the file that POLYGPU_EMULATED names, else the one beside the
 * compiler's plugin, as a descriptor has it ("known", may be NULL), else one
 * that the dynamic linker finds.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_LOAD_EMULATED_H
#define POLYGPU_LOAD_EMULATED_H

#include "support/status.h"

/* NULL with the reason where there is none, or one of another version.  Never
 * unloaded. */
const struct polygpu_emulated_library *
polygpu_load_emulated(const char *known, struct polygpu_status *status);

#endif
