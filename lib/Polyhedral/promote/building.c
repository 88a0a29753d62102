/* building.c - pieces of the tree of a kernel with buffers.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/building.h"
#include "map/marks.h"
#include "map/user.h"
#include "polygpu/polyhedral.h"
#include "promote/work.h"
#include "support/text.h"

#include <string.h>

/* A tuple that is a point of tiles or of parallel loops, not a statement. */
__isl_give isl_set *pg_building_tuple(struct pg_building *b,
                                      enum pg_user_kind kind, unsigned number,
                                      __isl_take isl_set *points)
{
    return isl_set_set_tuple_id(points, pg_user_id(b->ctx, kind, number));
}

/* "rest", which is inside of the loops over points, below the marks "kind" and
 * point, with "work" and the innermost sequential loop "k" for the passes.
 */
__isl_give isl_schedule *pg_building_points(struct pg_building *b,
                                            const struct pg_work *work,
                                            __isl_take isl_schedule *rest,
                                            int k, const char *kind)
{
    b->point = pg_grow(b->point, b->n_point, sizeof(*b->point));
    b->point[b->n_point].work = pg_work_copy(work);
    b->point[b->n_point].k = k;
    b->point[b->n_point++].full = !strcmp(kind, PG_MARK_FULL);
    b->ok &= rest != NULL;
    return pg_mark_tree(pg_mark_tree(rest, PG_MARK_POINT), kind);
}

/* "first" and then "second", which may both be NULL: nothing. */
__isl_give isl_schedule *pg_building_then(struct pg_building *b,
                                          __isl_take isl_schedule *first,
                                          __isl_take isl_schedule *second)
{
    isl_schedule *both;

    if (!first || !second)
        return first ? first : second;
    both = isl_schedule_sequence(first, second);
    b->ok &= both != NULL;
    return both;
}
