/* machine.h - see polygpu/machine.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MAP_MACHINE_H
#define POLYGPU_MAP_MACHINE_H

#include "polygpu/polyhedral.h"

const struct pg_machine *pg_machine_of(const struct pg_options *options);

#endif
