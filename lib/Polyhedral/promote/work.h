/* work.h - what is to be run somewhere in the tree of a kernel with buffers.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_WORK_H
#define POLYGPU_PROMOTE_WORK_H

#include "polygpu/polyhedral.h"

#include <isl/aff.h>

/* Something that is to be run: its instances and their points. */
struct pg_work {
    unsigned n;
    struct pg_work_item {
        isl_set *domain; /* { S[i] } */
        isl_map *point;  /* { S[i] -> [p..., ...] } */
        bool is_tile;    /* points are tiles already */
    } *item;
};

/* What is known where work is added to a tree. */
struct pg_work_context {
    isl_set *known;       /* { : } what is known of the parameters */
    isl_union_set *given; /* { S[i] } that are in the tree */
};

bool pg_work_add(struct pg_work_context *context, struct pg_work *work,
                 __isl_take isl_set *domain, __isl_take isl_map *point,
                 bool is_tile);
void pg_work_join(struct pg_work *to, struct pg_work *from);
struct pg_work pg_work_copy(const struct pg_work *work);
void pg_work_clear(struct pg_work *work);
__isl_give isl_union_set *pg_work_to_filter(const struct pg_work *work,
                                            __isl_take isl_space *params);
__isl_give isl_union_set *pg_work_domain(const struct pg_work *work,
                                         __isl_take isl_space *params);
__isl_give isl_union_pw_aff *pg_work_member(const struct pg_work *work,
                                            unsigned d, long long within,
                                            long long size);

#endif
