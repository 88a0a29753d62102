/* kernel.h - one kernel: its instances, tiles, blocks and threads.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MAP_KERNEL_H
#define POLYGPU_MAP_KERNEL_H

#include "map/instances.h"
#include "polygpu/polyhedral.h"

#include <isl/aff.h>
#include <isl/schedule_node.h>

struct pg_phase;
struct pg_waves;

/* What a kernel is to be made of: a band of "members", the first "n_parallel"
 * of them coincident, around the tree "inner", for the instances "domain".
 */
struct pg_body {
    isl_union_pw_aff_list *members;
    unsigned n_parallel;
    bool permutable;
    isl_schedule_node *inner;
    isl_union_set *domain;
};

isl_stat pg_kernel_create(struct pg_plan *plan, struct pg_phase *phase,
                          const struct pg_options *options,
                          const struct pg_prefix *prefix, struct pg_body *body);
__isl_give isl_set *pg_kernel_chain_fits(const struct pg_scop *scop,
                                         const struct pg_body *body,
                                         bool pieces, bool forced, bool *slow);
bool pg_kernel_tiles(struct pg_plan *plan, struct pg_phase *phase,
                     const struct pg_options *options,
                     const struct pg_prefix *prefix, struct pg_body *body,
                     const struct pg_waves *waves);
bool pg_kernel_chain(struct pg_plan *plan, struct pg_phase *phase,
                     const struct pg_options *options,
                     const struct pg_prefix *prefix, struct pg_body *body);

#endif
