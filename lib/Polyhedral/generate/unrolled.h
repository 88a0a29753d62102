/* unrolled.h - is it known in a kernel's code which register is used where?.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_GENERATE_UNROLLED_H
#define POLYGPU_GENERATE_UNROLLED_H

#include "polygpu/polyhedral.h"

bool pg_unrolled_known(const struct pg_mapping *mapping,
                       __isl_keep isl_ast_node *ast);

#endif
