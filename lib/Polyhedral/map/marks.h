/* marks.h - what the nodes of a kernel's tree are for.
 *
 * Passes find the nodes of each other by marks.  docs/schedule-trees.md says
 * what each promises.  Those that the loops keep are in polyhedral.h; the
 * others are taken off before loops are made.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MAP_MARKS_H
#define POLYGPU_MAP_MARKS_H

#include "polygpu/polyhedral.h"
#include "schedule/sizes.h"

#include <isl/aff.h>
#include <isl/schedule_node.h>

#define PG_MARK_GRID "grid"       /* a filter: the instances of a block */
#define PG_MARK_TILE "tile"       /* a band over numbers of tiles */
#define PG_MARK_THREADS "threads" /* a filter: the instances of a thread */
#define PG_MARK_POINT "point"     /* a band over the points of a tile */
#define PG_MARK_STEP "step" /* a band over the tiles of sequential loops */
#define PG_MARK_FULL "full" /* statements in tiles without conditions */
#define PG_MARK_PARTIAL "partial" /* statements in the other tiles */
#define PG_MARK_COPY "copy"       /* a copy to shared memory */
#define PG_MARK_BARRIER "barrier" /* a barrier beside copies */
#define PG_MARK_LOAD "load"       /* loads of registers */
#define PG_MARK_STORE "store"     /* stores of registers */
#define PG_MARK_NEST "nest"       /* loops that the threads of a block share */

/* What the user of a PG_MARK_UNROLL is, the first part of which is known
 * outside of the core.  Below are the points of a thread in tiles: of member d
 * of the parallel loops the thread t has
 *
 *   tile[d] b + vector[d] threads[d] q + vector[d] t + v
 *
 * in the block's tile b, with numbers q and v of points; the last loops of
 * "unroll" are over all q, and then all v.
 */
struct pg_thread_points {
    struct pg_unroll unroll;
    unsigned n; /* parallel loops */
    long long tile[PG_MAX_MAPPED], vector[PG_MAX_MAPPED],
        threads[PG_MAX_MAPPED];
    bool more;            /* only threads of which the last number is 0 */
    isl_union_map *point; /* { S[i] -> [p..., ...] }, parallel loops first */
};

/* Change the tree at a mark; "node" is the mark, number "i" of its name.
 * Returns a node anywhere in the tree. */
typedef isl_schedule_node *(*pg_at_mark)(isl_schedule_node *node, unsigned i,
                                         void *user);

__isl_give isl_schedule_node *pg_mark_insert(__isl_take isl_schedule_node *node,
                                             const char *name);
__isl_give isl_schedule *pg_mark_tree(__isl_take isl_schedule *tree,
                                      const char *name);
__isl_give isl_schedule_node *
pg_mark_insert_filter(__isl_take isl_schedule_node *node, const char *name,
                      __isl_take isl_union_set *filter);
__isl_give isl_schedule *pg_marks_each(__isl_take isl_schedule *tree,
                                       const char *name, pg_at_mark change,
                                       void *user);
__isl_give isl_schedule *pg_marks_strip(__isl_take isl_schedule *tree);

#endif
