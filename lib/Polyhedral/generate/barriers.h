/* barriers.h - do all threads of a block come to a kernel's barriers?
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_GENERATE_BARRIERS_H
#define POLYGPU_GENERATE_BARRIERS_H

#include "polygpu/polyhedral.h"

bool pg_barriers_met(__isl_keep isl_ast_node *ast, bool *any);

#endif
