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
