/* tiled.h - passes: members of a band in tiles, for blocks and threads.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MAP_TILED_H
#define POLYGPU_MAP_TILED_H

#include "map/shape.h"
#include "polygpu/polyhedral.h"

#include <isl/aff.h>

struct pg_boxes;
struct pg_nests;

/* What was decided about a kernel without buffers: the state of the passes of
 * tiled.c, nested.c and promote/boxed_tree.c. */
struct pg_tiled {
    const struct pg_shape *shape;
    isl_union_set *domain;          /* the kernel's instances */
    isl_union_pw_aff_list *members; /* in their final order, from zero on */
    unsigned n_parallel;            /* the first ones */
    bool permutable;
    struct pg_nests *nests;       /* NULL: no threads for inner loops */
    isl_union_pw_aff *thread;     /* { S[i] -> [t] } of an instance in a nest */
    const struct pg_boxes *boxes; /* that blocks work on, NULL: none */
    const char *wave; /* of nests of tiles: the parameter that is their wave */
};

__isl_give isl_schedule *pg_pass_band(__isl_take isl_schedule *tree,
                                      void *state);
__isl_give isl_schedule *pg_pass_tile(__isl_take isl_schedule *tree,
                                      void *state);
__isl_give isl_schedule *pg_pass_grid(__isl_take isl_schedule *tree,
                                      void *state);
__isl_give isl_schedule *pg_pass_threads(__isl_take isl_schedule *tree,
                                         void *state);

#endif
