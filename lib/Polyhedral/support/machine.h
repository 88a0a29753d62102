/* machine.h - see polygpu/machine.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SUPPORT_MACHINE_H
#define POLYGPU_SUPPORT_MACHINE_H

#include "polygpu/polyhedral.h"

enum {
    PG_ASYNC_ARCH = 80,       /* the first one with asynchronous copies */
    PG_RESERVED_SHARED = 1024 /* bytes that the system takes for each block */
};

const struct pg_machine *pg_machine_of(const struct pg_options *options);
unsigned long pg_shared_of_block(const struct pg_machine *machine);

#endif
