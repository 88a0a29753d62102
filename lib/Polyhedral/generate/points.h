/* points.h - loops over the points of a thread, which isl does not make.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_GENERATE_POINTS_H
#define POLYGPU_GENERATE_POINTS_H

#include "polygpu/polyhedral.h"

#include <isl/aff.h>
#include <isl/ast_build.h>
#include <isl/schedule.h>

struct pg_thread_points;

/* Points of a thread of which isl makes one instance, with the loops over them
 * as parameters; those are made around it then. */
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

__isl_give isl_schedule *pg_points_collapse(__isl_take isl_schedule *tree,
                                            const struct pg_mapping *mapping,
                                            __isl_keep isl_set *context,
                                            struct pg_collapsed *collapsed);
__isl_give isl_ast_build *pg_points_watch(__isl_take isl_ast_build *build,
                                          struct pg_collapsed *collapsed);
__isl_give isl_map *pg_points_schedule(const struct pg_collapsed_item *at,
                                       __isl_take isl_map *schedule);
__isl_give isl_pw_multi_aff *pg_points_tile(const struct pg_collapsed_item *at,
                                            __isl_take isl_set *loops);
unsigned pg_points_dims(const struct pg_collapsed_item *at);
isl_ast_expr **pg_points_numbers(const struct pg_collapsed_item *at);
__isl_give isl_ast_node *pg_points_loops(__isl_take isl_ast_node *node,
                                         __isl_keep isl_ast_build *build,
                                         const struct pg_collapsed_item *at,
                                         __isl_keep isl_map *schedule);
void pg_collapsed_clear(struct pg_collapsed *collapsed);

#endif
