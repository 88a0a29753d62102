/* cells.h - elements that constant subscripts tell apart.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_DEPENDENCE_CELLS_H
#define POLYGPU_DEPENDENCE_CELLS_H

#include "polygpu/polyhedral.h"

__isl_give isl_union_map *pg_cell_accesses(const struct pg_scop *scop,
                                           bool write);
__isl_give isl_union_set *pg_cells_join(__isl_take isl_union_set *cells);

#endif
