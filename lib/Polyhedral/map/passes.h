/* passes.h - small changes to a kernel's tree, one after the other.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MAP_PASSES_H
#define POLYGPU_MAP_PASSES_H

#include "polygpu/polyhedral.h"

/* In the order in which they run. */
enum pg_pass_name {
    PG_PASS_DISTRIBUTE, /* parts one after the other, with their copies */
    PG_PASS_BAND,       /* the mapped members above all that is inside */
    PG_PASS_TILE,       /* that band in tiles, and loops over these */
    PG_PASS_GRID,       /* tiles to blocks */
    PG_PASS_BARRIERS,   /* barriers in front of nests */
    PG_PASS_BOXES,      /* copies of boxes that blocks work on, and back */
    PG_PASS_POINTS,     /* loops over the points of tiles with buffers */
    PG_PASS_THREADS,    /* points of tiles, or nests, to threads */
    PG_PASS_UNROLL,     /* marks of loops that become straight-line code */
    PG_PASS_PIPELINE,   /* marks of loops whose copies may run ahead */
    PG_N_PASS
};

/* A pass over the tree of a kernel; "state" is what was decided about it, which
 * is the same for all passes of a table. */
struct pg_pass {
    enum pg_pass_name name;
    isl_schedule *(*run)(isl_schedule *tree, void *state);
};

__isl_give isl_schedule *pg_passes_run(const struct pg_pass *passes, unsigned n,
                                       __isl_take isl_schedule *tree,
                                       void *state,
                                       const struct pg_options *options,
                                       const char *kernel,
                                       enum pg_mapping_kind kind);

#endif
