/* threads.h - loops of a kernel for threads of a CPU.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MAP_THREADS_H
#define POLYGPU_MAP_THREADS_H

#include "map/shape.h"

__isl_give isl_union_pw_aff_list *pg_threads_order(
    const struct pg_scop *scop, __isl_take isl_union_pw_aff_list *members,
    unsigned *n_parallel, bool permutable, __isl_keep isl_schedule_node *inner,
    __isl_keep isl_union_set *domain);
unsigned *pg_threads_shape(struct pg_shape *shape, const struct pg_scop *scop,
                           __isl_keep isl_union_pw_aff_list *members,
                           unsigned n_parallel, bool permutable,
                           __isl_keep isl_schedule_node *inner,
                           __isl_keep isl_union_set *domain);

#endif
