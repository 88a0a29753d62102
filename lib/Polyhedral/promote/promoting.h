/* promoting.h - what is to be made closer, from what.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_PROMOTING_H
#define POLYGPU_PROMOTE_PROMOTING_H

#include "polygpu/polyhedral.h"

#include <isl/aff.h>
#include <isl/schedule_node.h>

struct pg_phase;

/* A kernel that may get buffers. */
struct pg_promoting {
    const struct pg_scop *scop;
    struct pg_phase *phase;
    const struct pg_options *options;
    const struct pg_kernel *kernel;
    unsigned number;                /* of the kernel */
    isl_union_pw_aff_list *members; /* the parallel ones first */
    unsigned n_parallel;
    isl_schedule_node *inner;
    isl_union_map *order; /* the dependences within a launch */
};

#endif
