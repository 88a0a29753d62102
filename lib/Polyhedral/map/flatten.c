/* flatten.c - short parallel loops and those around them as one.
 *
 * Of loops of lengths n, 9 and 9, blocks have threads for 9 x 9 that are no
 * multiple of a warp, or tiles of 8 of which the second is almost empty; and of
 * more than three loops the threads of a block share three.  Number 9 i + j is
 * one loop instead of two, of which all blocks but the last are full (Nugteren
 * and Corporaal, "Bones", 2014, section 4.2).  i and j are that number divided
 * by 9, and the remainder: the length of the inner loop has to be known, and
 * the same in all runs.  One that is only known to be at most 9 would leave
 * gaps, whose conditions take isl seconds.
 *
 * Neighbours stay neighbours: the numbers are in the order of the loops.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/flatten.h"
#include "polygpu/polyhedral.h"
#include "schedule/tree.h"

#include <isl/ilp.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <isl/val.h>

enum {
    SHORT = 48,         /* of the inner loop of two: above, most of two warps */
                        /* have something to do */
    MAX_MADE = 1024,    /* the same, of one made of short loops */
    MAX_NUMBERS = 65536 /* of two loops whose lengths are known, short or not:
                           arrays of that size are in caches as a whole */
};

#define ENOUGH 0.75 /* of the threads with something to do */

/* The part of the threads that have something to do, of those whose loops are
 * of known lengths "extent", of "n" parallel ones.
 */
double pg_flatten_busy(const struct pg_shape *shape, unsigned n,
                       const long long *extent)
{
    double busy = 1;

    for (unsigned i = 0; i < n && i < shape->n_tile; i++) {
        long long tile = shape->tile[i], threads = 1, steps, rest;

        if (!extent[i])
            continue;
        if (i >= shape->first_thread &&
            i < shape->first_thread + shape->n_block)
            threads = shape->block[i - shape->first_thread];
        // Threads run their points of a tile one after the other.
        rest = extent[i] % tile;
        steps = extent[i] / tile * ((tile + threads - 1) / threads) +
                (rest + threads - 1) / threads;
        busy *= (double)extent[i] / (double)(steps * threads);
    }
    return busy;
}

/* Is it worth a try, with "busy" of the threads of "n" parallel loops? */
bool pg_flatten_pays(unsigned n, double busy)
{
    return n > PG_MAX_BLOCK || (n > 1 && busy < ENOUGH);
}

/* The smallest box around "set". */
static __isl_give isl_set *box_around(__isl_take isl_set *set)
{
    isl_size n = isl_set_dim(set, isl_dim_set);
    isl_set *box = isl_set_universe(isl_set_get_space(set));

    for (int i = 0; i < n; i++) {
        isl_set *values = isl_set_copy(set);

        values = isl_set_eliminate(values, isl_dim_set, 0, (unsigned)i);
        values = isl_set_eliminate(values, isl_dim_set, (unsigned)i + 1,
                                   (unsigned)(n - i - 1));
        box = isl_set_intersect(box, values);
    }
    isl_set_free(set);
    return box;
}

/* Does a statement have all "values" of "box"? */
static isl_stat test_box(__isl_take isl_map *values, void *box)
{
    isl_set *set = isl_map_range(values);
    isl_bool full = isl_set_is_subset(box, set);

    isl_set_free(set);
    return full == isl_bool_true ? isl_stat_ok : isl_stat_error;
}

/* The values of "members", if all statements of "domain" run for the same box
 * of them, so that loops do not depend on each other; else NULL.  Numbers of
 * other loops have a remainder for each of their bounds: five triangular ones
 * took all of a phase's operations.
 */
static __isl_give isl_set *find_box(__isl_keep isl_union_set *domain,
                                    __isl_keep isl_union_pw_aff_list *members)
{
    isl_union_map *values = isl_union_map_from_multi_union_pw_aff(
        pg_tree_join(isl_union_pw_aff_list_copy(members)));
    isl_set *box;

    values = isl_union_map_intersect_domain(values, isl_union_set_copy(domain));
    box = box_around(isl_set_from_union_set(
        isl_union_map_range(isl_union_map_copy(values))));
    if (isl_union_map_foreach_map(values, &test_box, box) != isl_stat_ok)
        box = isl_set_free(box);
    isl_union_map_free(values);
    return box;
}

/* Is "length" the number of values of dimension "dim" of "box", which begin at
 * 0, whatever the parameters are?
 */
static bool is_length(__isl_keep isl_set *box, unsigned dim, long long length)
{
    isl_pw_aff *last = isl_set_dim_max(isl_set_copy(box), (int)dim);
    isl_val *most = isl_pw_aff_max_val(isl_pw_aff_copy(last));
    isl_val *least = isl_pw_aff_min_val(last);
    bool same = isl_val_cmp_si(most, (long)length - 1) == 0 &&
                isl_val_cmp_si(least, (long)length - 1) == 0;

    isl_val_free(most);
    isl_val_free(least);
    return same;
}

/* Which of the first "n" of "members", with at most "extent" values, have that
 * many in all runs?  False if their loops depend on each other.
 */
bool pg_flatten_lengths(__isl_keep isl_union_set *domain,
                        __isl_keep isl_union_pw_aff_list *members, unsigned n,
                        const long long *extent, bool *is_known)
{
    isl_set *box = find_box(domain, members);

    for (unsigned i = 0; box && i < n && i < PG_MAX_SIZES; i++)
        is_known[i] = extent[i] && is_length(box, i, extent[i]);
    isl_set_free(box);
    return box != NULL;
}

/* Are the loops number "i" and "i" + 1 of the lengths "extent", at most, better
 * one?  "is_known": the inner one is never shorter.  "again": it was made of
 * several.
 */
static bool can_flatten(const long long *extent, bool is_known, unsigned i,
                        bool again)
{
    long long outer = extent[i], inner = extent[i + 1];

    if (!inner || !is_known)
        return false;
    if (inner < SHORT || (again && inner <= MAX_MADE))
        return true;
    return outer && outer < SHORT && outer * inner <= MAX_NUMBERS;
}

/* "members", of which the first "*n" are parallel and begin at 0, with loops of
 * known length "extent" put together with those around, from the innermost one.
 * "is_known" says which are never shorter.  Changes the number, the lengths and
 * what is known of them.
 */
__isl_give isl_union_pw_aff_list *
pg_flatten(__isl_take isl_union_pw_aff_list *members, unsigned *n,
           long long *extent, bool *is_known)
{
    isl_ctx *ctx = isl_union_pw_aff_list_get_ctx(members);
    bool again = false;

    for (int i = (int)*n - 2; i >= 0; i--) {
        isl_union_pw_aff *outer, *inner;

        again = can_flatten(extent, is_known[i + 1], (unsigned)i, again);
        if (!again)
            continue;
        outer = isl_union_pw_aff_list_get_union_pw_aff(members, i);
        inner = isl_union_pw_aff_list_get_union_pw_aff(members, i + 1);
        outer = isl_union_pw_aff_scale_val(
            outer, isl_val_int_from_si(ctx, (long)extent[i + 1]));
        members = isl_union_pw_aff_list_drop(members, (unsigned)i + 1, 1);
        members = isl_union_pw_aff_list_set_union_pw_aff(
            members, i, isl_union_pw_aff_add(outer, inner));
        extent[i] *= extent[i + 1];
        for (unsigned later = (unsigned)i + 1; later + 1 < *n; later++) {
            extent[later] = extent[later + 1];
            is_known[later] = is_known[later + 1];
        }
        extent[--*n] = 0;
    }
    return members;
}
