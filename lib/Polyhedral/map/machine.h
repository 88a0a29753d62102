/* machine.h - see polygpu/machine.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MAP_MACHINE_H
#define POLYGPU_MAP_MACHINE_H

#include "polygpu/polyhedral.h"

/* Bytes of shared memory that the system takes for each block. */
enum { PG_RESERVED_SHARED = 1024 };

const struct pg_machine *pg_machine_of(const struct pg_options *options);

#endif
