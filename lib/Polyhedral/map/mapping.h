/* mapping.h - how a kernel is mapped, and what the host needs to know of it.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MAP_MAPPING_H
#define POLYGPU_MAP_MAPPING_H

#include "polygpu/polyhedral.h"

#include <isl/aff.h>

struct pg_promotion;

/* Which tiles a block has, by dimension of the grid: block b has those for
 * which floor(member / tile) mod grid = b. */
struct pg_tiling {
    isl_union_pw_aff *member[3]; /* { S[i] -> [v] } */
    long long tile[3], grid[3];
};

/* How a kernel is mapped: what changes when it is mapped another way. */
struct pg_mapping {
    isl_schedule *schedule;
    isl_pw_aff *blocks[3]; /* { kernel[h] -> [n] }; NULL: 1 */
    unsigned n_grid, n_block, block[3], grid_limit[3];
    unsigned n_buffer;
    struct pg_buffer *buffers;
    struct pg_promotion *promotion;
    struct pg_tiling tiling;
};

/* What the host needs to know of a kernel beyond pg_kernel. */
struct pg_launch {
    isl_map *schedule;              /* { kernel[h] -> [v] } */
    isl_pw_aff *blocks[3];          /* { kernel[h] -> [n] }; NULL: 1 */
    struct pg_promotion *promotion; /* how buffers are used; NULL: none */
    struct pg_tiling tiling;        /* no members where there is no grid */
    /* The mapping without threads for inner loops and without buffers, to fall
     * back on; schedule is NULL if the kernel has no other mapping. */
    struct pg_mapping plain;
};

/* A plan with what is not for others to see. */
struct pg_plan_private {
    struct pg_plan plan;
    struct pg_launch *launches; /* one for each kernel */
};

__isl_give isl_union_set *
pg_fix_to_parameter(__isl_take isl_union_set *domain,
                    __isl_take isl_union_pw_aff *value, const char *name);
__isl_give isl_set *pg_kernel_params(const struct pg_scop *scop,
                                     const struct pg_kernel *kernel);
__isl_give isl_multi_pw_aff *pg_tiling_members(const struct pg_tiling *tiling,
                                               unsigned n,
                                               __isl_keep isl_set *set);
void pg_mapping_clear(struct pg_mapping *mapping);
struct pg_mapping pg_kernel_mapping(struct pg_kernel *kernel,
                                    struct pg_launch *launch);
void pg_kernel_use(struct pg_kernel *kernel, struct pg_launch *launch,
                   struct pg_mapping *mapping);

#endif
