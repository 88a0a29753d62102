/* witness.c - a point that was found in one set is often in the next one.
 *
 * A tenth to a third of what isl does in the core is looking for integer points
 * of sets, to find out whether they are empty (isl_basic_map_is_empty): most
 * are not, since isl asks for each piece of each intersection, product and
 * difference.  These sets differ in some constraints only, so that the point of
 * one is in the next, or in the same set when it is made again; to see that
 * takes a product for each constraint.
 *
 * So the points that isl found last are kept, by the number of dimensions, and
 * isl is asked only where none of them is in the set.  What isl does first then
 * is to look for the directions in which the set has no end, which takes ten
 * times as long as to find a rational point: so that is tried before.  Where
 * there is none the set is empty, and mostly the one that is found is integer,
 * since it is where constraints meet.
 *
 * The linker sends calls of isl_basic_set_sample_vec from other files of isl
 * here (--wrap in CMakeLists.txt).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/witness.h"
#include "support/small.h"
#include "support/text.h"
#include "support/work.h"

#include <isl/ctx.h>
#include <isl/lp.h>
#include <isl/set.h>
#include <isl/val.h>
#include <isl/vec.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* isl's functions, as in its own headers, which are not installed. */
isl_bool isl_basic_map_contains(__isl_keep isl_basic_map *set,
                                __isl_keep isl_vec *point);
enum isl_lp_result isl_basic_set_solve_lp(__isl_keep isl_basic_set *set,
                                          int max, const uint64_t *objective,
                                          const uint64_t *denominator,
                                          uint64_t *optimum, uint64_t *under,
                                          __isl_give isl_vec **solution);
__isl_give isl_vec *__real_isl_basic_set_sample_vec(__isl_take isl_basic_set *);
__isl_give isl_vec *__wrap_isl_basic_set_sample_vec(__isl_take isl_basic_set *);

/* Nine of ten points that are found are among the last eight. */
enum { MOST_DIMS = 40, KEPT = 16 };

/* The last points, the last used first. */
struct points {
    isl_vec *point[KEPT];
    unsigned n;
};

/* By the number of dimensions; NULL before the first one. */
static _Thread_local struct points *witnesses = NULL;

/* Make "point" the first one; the last one goes if there are too many. */
static void keep_first(struct points *points, __isl_take isl_vec *point)
{
    if (points->n == KEPT)
        isl_vec_free(points->point[--points->n]);
    memmove(&points->point[1], &points->point[0],
            points->n * sizeof(points->point[0]));
    points->point[0] = point;
    points->n++;
}

static __isl_give isl_vec *take_out(struct points *points, unsigned i)
{
    isl_vec *point = points->point[i];

    points->n--;
    memmove(&points->point[i], &points->point[i + 1],
            (points->n - i) * sizeof(points->point[0]));
    return point;
}

/* One of "points" that is in "set", NULL if none is. */
static __isl_give isl_vec *find(struct points *points,
                                __isl_keep isl_basic_set *set)
{
    isl_ctx *ctx = isl_basic_set_get_ctx(set);

    for (unsigned i = 0; i < points->n; i++) {
        isl_vec *point = points->point[i];

        if (isl_vec_get_ctx(point) != ctx ||
            isl_basic_map_contains((isl_basic_map *)set, point) !=
                isl_bool_true)
            continue;
        keep_first(points, take_out(points, i));
        return isl_vec_copy(point);
    }
    return NULL;
}

/* The points of as many dimensions as "set" has; NULL if they are not kept. */
static struct points *points_of(__isl_keep isl_basic_set *set)
{
    isl_size n = isl_basic_set_dim(set, isl_dim_all);

    if (n < 1 || n >= MOST_DIMS ||
        !pg_work_in_phase(isl_basic_set_get_ctx(set)))
        return NULL;
    if (!witnesses)
        witnesses = pg_alloc(MOST_DIMS, sizeof(*witnesses));
    return &witnesses[n];
}

/* Are the numbers of "solution" those of an integer point of "set"? */
static bool is_point(__isl_keep isl_basic_set *set,
                     __isl_keep isl_vec *solution)
{
    isl_val *common = isl_vec_get_element_val(solution, 0);
    bool is = isl_val_is_one(common) == isl_bool_true;

    isl_val_free(common);
    return is && isl_basic_map_contains((isl_basic_map *)set, solution) ==
                     isl_bool_true;
}

/* What a rational point of "set", of "n" dimensions, says: a point of it, a
 * vector of size 0 if there is none, and NULL if that is not known.
 */
static __isl_give isl_vec *by_rational_point(__isl_keep isl_basic_set *set,
                                             isl_size n)
{
    uint64_t objective[1 + MOST_DIMS], one = (uint64_t)1 << 32 | pg_small_zero;
    isl_vec *solution = NULL;
    enum isl_lp_result result;

    for (isl_size i = 0; i <= n; i++)
        objective[i] = pg_small_zero;
    result =
        isl_basic_set_solve_lp(set, 0, objective, &one, NULL, NULL, &solution);
    if (result == isl_lp_empty)
        return isl_vec_alloc(isl_basic_set_get_ctx(set), 0);
    if (result == isl_lp_ok && is_point(set, solution))
        return solution;
    isl_vec_free(solution);
    return NULL;
}

/* A point of "set", which has neither parameters nor local variables; a vector
 * of size 0 if it is empty.
 */
__isl_give isl_vec *
__wrap_isl_basic_set_sample_vec(__isl_take isl_basic_set *set)
{
    struct points *points = points_of(set);
    isl_vec *point = points ? find(points, set) : NULL;

    if (point) {
        isl_basic_set_free(set);
        return point;
    }
    if (points)
        point = by_rational_point(set, isl_basic_set_dim(set, isl_dim_all));
    if (point)
        isl_basic_set_free(set);
    else
        point = __real_isl_basic_set_sample_vec(set);
    if (points && isl_vec_size(point) > 0)
        keep_first(points, isl_vec_copy(point));
    return point;
}

/* Free the points in "ctx"; true if no other ones are left. */
static bool forget(isl_ctx *ctx)
{
    bool none = true;

    for (unsigned n = 0; n < MOST_DIMS; n++) {
        struct points *points = &witnesses[n];

        for (unsigned i = points->n; i > 0; i--)
            if (isl_vec_get_ctx(points->point[i - 1]) == ctx)
                isl_vec_free(take_out(points, i - 1));
        none &= points->n == 0;
    }
    return none;
}

/* Forget the points in "ctx". */
void pg_witness_forget(isl_ctx *ctx)
{
    if (!witnesses || !forget(ctx))
        return;
    free(witnesses);
    witnesses = NULL;
}
