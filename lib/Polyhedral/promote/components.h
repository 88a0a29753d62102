/* components.h - what is inside of a kernel's parallel loops, taken apart.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_COMPONENTS_H
#define POLYGPU_PROMOTE_COMPONENTS_H

#include "polygpu/polyhedral.h"

#include <isl/aff.h>
#include <isl/schedule_node.h>

/* Statements that depend on each other in a cycle, or one alone, with their
 * loops inside of the parallel ones.  The space V of a component is [p...,
 * o..., k]: the values of the parallel members, of the sequential loops but the
 * innermost, and of that one if there is a sequential loop. */
struct pg_component {
    isl_union_set *domain;
    isl_union_pw_aff_list *loops; /* the sequential ones, { S[i] -> [v] } */
    unsigned n_loop;
    isl_schedule *rest; /* what is below them */
};

/* A statement in its component. */
struct pg_placed {
    unsigned stmt, component;
    isl_set *domain; /* of the kernel */
    isl_map *point;  /* { S[i] -> V }; without bounds if "free" */
    bool free;       /* every point of V is one tuple S[i] of this map's domain,
                        which are more than the instances */
};

struct pg_components {
    unsigned n_parallel, n, n_placed;
    struct pg_component *component; /* in the order in which they run */
    struct pg_placed *placed;
};

isl_stat pg_components_find(struct pg_components *components,
                            const struct pg_scop *scop,
                            __isl_keep isl_union_pw_aff_list *members,
                            unsigned n_parallel,
                            __isl_keep isl_schedule_node *inner,
                            __isl_keep isl_union_set *domain,
                            __isl_take isl_union_map *order);
__isl_give isl_multi_aff *pg_only_piece(__isl_keep isl_map *relation);
void pg_components_clear(struct pg_components *components);

#endif
