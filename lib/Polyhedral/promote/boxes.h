/* boxes.h - boxes of arrays that a block works on in shared memory.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_BOXES_H
#define POLYGPU_PROMOTE_BOXES_H

#include "polygpu/polyhedral.h"

#include <isl/aff.h>

struct pg_nests;
struct pg_promotion;
struct pg_shape;

/* A kernel whose parallel loops, of which there is one but for overlapping
 * tiles, go to blocks, and the nests inside to threads. */
struct pg_boxing {
    const struct pg_scop *scop;
    const struct pg_options *options;
    const struct pg_kernel *kernel;
    unsigned number;                /* of the kernel */
    isl_union_pw_aff_list *members; /* { S[i] -> [v] }: the parallel loops */
    const struct pg_nests *nests;
    const struct pg_shape *shape;
    bool of_block; /* only arrays that are nowhere else, and these all */
};

/* The boxes: buffers with the same numbers. */
struct pg_boxes {
    unsigned n;
    struct pg_buffer *buffers;
    struct pg_promotion *promotion;
    unsigned n_barrier; /* that the nests have, */
    bool every;         /* each of them */
    isl_set *values;    /* { [v] } */
    isl_set *again;     /* those of which a block has had another before */
};

const char *pg_boxes_find(struct pg_boxes *boxes, const struct pg_boxing *what);
void pg_boxes_give(struct pg_boxes *boxes, const struct pg_scop *scop,
                   struct pg_mapping *mapping);
void pg_boxes_clear(struct pg_boxes *boxes);

#endif
