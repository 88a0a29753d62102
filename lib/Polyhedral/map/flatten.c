/* flatten.c - short parallel loops and those around them as one.
 *
 * Of loops of lengths n, 9 and 9, blocks have threads for 9 x 9 that are no
 * multiple of a warp, or tiles of 8 of which the second is almost empty; and of
 * more than three loops the threads of a block share three.  Number 9 i + j is
 * one loop instead of two, of which all blocks but the last are full (Nugteren
 * and Corporaal, "Bones", 2014, section 4.2).  i and j are that number divided
 * by 9, and the remainder: the length of the inner loop has to be known.
 *
 * Neighbours stay neighbours: the numbers are in the order of the loops.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/flatten.h"
#include "polygpu/polyhedral.h"

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

/* Are the loops number "i" and "i" + 1 of the lengths "extent" better one?
 * "again": the inner one was made of several.
 */
static bool can_flatten(const long long *extent, unsigned i, bool again)
{
    long long outer = extent[i], inner = extent[i + 1];

    if (!inner)
        return false;
    if (inner < SHORT || (again && inner <= MAX_MADE))
        return true;
    return outer && outer < SHORT && outer * inner <= MAX_NUMBERS;
}

/* "members", of which the first "*n" are parallel and begin at 0, with loops of
 * known length "extent" put together with those around, from the innermost one.
 * Changes the number and the lengths.
 */
__isl_give isl_union_pw_aff_list *
pg_flatten(__isl_take isl_union_pw_aff_list *members, unsigned *n,
           long long *extent)
{
    isl_ctx *ctx = isl_union_pw_aff_list_get_ctx(members);
    bool again = false;

    for (int i = (int)*n - 2; i >= 0; i--) {
        isl_union_pw_aff *outer, *inner;

        again = can_flatten(extent, (unsigned)i, again);
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
        for (unsigned later = (unsigned)i + 1; later + 1 < *n; later++)
            extent[later] = extent[later + 1];
        extent[--*n] = 0;
    }
    return members;
}
