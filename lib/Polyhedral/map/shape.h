/* shape.h - tile and block sizes of a kernel, and its x direction.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MAP_SHAPE_H
#define POLYGPU_MAP_SHAPE_H

#include "polygpu/polyhedral.h"
#include "schedule/sizes.h"

#include <isl/aff.h>
#include <isl/schedule_node.h>

struct pg_phase;

/* One loop that goes to the tiles, blocks and threads of a kernel. */
struct pg_shape {
    unsigned n_tile; /* leading members that are tiled */
    unsigned n_grid; /* so many go to blocks: "member"[i] to dimension */
                     /* n_grid - 1 - i */
    unsigned member[PG_MAX_GRID]; /* in their order */
    unsigned n_block; /* the ones from first_thread on go to threads */
    unsigned first_thread;
    long long tile[PG_MAX_SIZES]; /* by member */
    long long grid[3];  /* of those that go to blocks; 0: not chosen yet */
    long long block[3]; /* of those that go to threads */
    long long n_inner;  /* threads in x for the loops inside; 0: none, and */
                        /* then n_block counts */
};

isl_stat pg_shape_choose(struct pg_shape *shape, struct pg_phase *phase,
                         const char *sizes, unsigned kernel, unsigned n_member,
                         unsigned n_parallel, bool permutable,
                         const long long *extent);
void pg_shape_grid(struct pg_shape *shape, unsigned n);
isl_stat pg_shape_inner(struct pg_shape *shape, struct pg_phase *phase,
                        const char *sizes, unsigned kernel, long long chain,
                        long long most);
void pg_shape_tiles(struct pg_shape *shape, unsigned n_parallel,
                    const long long *block);
int pg_shape_rate(const struct pg_scop *scop,
                  __isl_keep isl_union_pw_aff_list *outer,
                  __isl_keep isl_union_pw_aff_list *members, int member,
                  __isl_keep isl_schedule_node *inner,
                  __isl_keep isl_union_set *domain);
bool pg_shape_is_last(const struct pg_scop *scop,
                      __isl_keep isl_union_pw_aff_list *members, int member,
                      __isl_keep isl_schedule_node *inner,
                      __isl_keep isl_union_set *domain);

/* Accesses of all statements, one after the other, a bit for each: which go to
 * the same element in neighbouring iterations of a loop, and which to elements
 * that are next to each other.
 */
struct pg_kept {
    unsigned long same, next;
};

struct pg_kept pg_shape_kept(const struct pg_scop *scop,
                             __isl_keep isl_union_pw_aff_list *members,
                             int member, __isl_keep isl_schedule_node *inner,
                             __isl_keep isl_union_set *domain);
__isl_give isl_union_pw_aff_list *
pg_shape_order(const struct pg_scop *scop,
               __isl_take isl_union_pw_aff_list *members, unsigned n_parallel,
               __isl_keep isl_schedule_node *inner,
               __isl_keep isl_union_set *domain);

#endif
