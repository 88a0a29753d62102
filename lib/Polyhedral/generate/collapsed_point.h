/* collapsed_point.h - the one point that stands for all of a thread.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_GENERATE_COLLAPSED_POINT_H
#define POLYGPU_GENERATE_COLLAPSED_POINT_H

#include "polygpu/polyhedral.h"

#include <isl/constraint.h>
#include <isl/schedule.h>
#include <isl/space.h>

struct pg_thread_points;

/* Points of a thread of which isl makes one instance; the loops over them,
 * which are parameters in it, are made around that. */
struct pg_collapsed {
    unsigned n;
    struct pg_collapsed_item {
        isl_id *mark; /* PG_MARK_UNROLL, above the loops */
        const struct pg_thread_points *points;
        unsigned n_loop;
        isl_id **loop;         /* by loop of the points; NULL: one iteration */
        isl_union_set *domain; /* { S[i] } of the one instance */
        isl_union_map *to_point; /* { S[i] -> S[i'] }: to the point in use */
        isl_union_set *guard;    /* { S[i] } that runs; none of S: all */
    } *item;
    const struct pg_collapsed_item *current; /* the mark around, or NULL */
};

unsigned pg_collapse_extent(const struct pg_thread_points *points, unsigned d);
bool pg_collapse_is_mark(__isl_keep isl_id *id);
__isl_give isl_space *pg_collapse_param(__isl_take isl_space *space,
                                        __isl_take isl_id *id);
__isl_give isl_space *pg_collapse_named(__isl_take isl_space *space, char kind,
                                        unsigned number);
bool pg_collapse_involves(__isl_keep isl_constraint *c, __isl_keep isl_id *id);
void pg_collapse_take(__isl_keep isl_schedule *tree,
                      const struct pg_mapping *mapping,
                      __isl_keep isl_set *context,
                      struct pg_collapsed *collapsed);
void pg_collapsed_clear_item(struct pg_collapsed_item *item);

#endif
