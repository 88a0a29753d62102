/* stencil.c - the strategy for sweeps over an array: stencils, transpositions,
 * sums of outer products.
 *
 * At least two parallel loops and no sequential one inside: neighbours share
 * what they read, or a read is not coalesced until a copy makes it so, or
 * vectors in both directions are read; then a thread has points of several rows
 * and columns, without any shared memory.
 *
 * Measured on an H200 (float): a transposition straight from memory 500 to 520
 * GB/s, through padded tiles of 32 x 32 points 2190 to 2250, of 64 x 64 2620 to
 * 2710.  What has no such figure below was chosen by what ptxas and the counts
 * of accesses (benchmarks/static) say.  Measured since, in us, with promotion
 * and without: jacobi-2d of 8192 x 8192 183 and 264 (a copy 139), of 1300 x
 * 1300 both 10.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/strategy.h"

enum {
    X_THREADS = 32, /* of a block: a warp reads a row of the tile */
    Y_THREADS = 8,
    SIDE = 64,      /* of a transposition's tile, and of rows in 2D */
    ROWS = 32,      /* of a stencil's tile: a thread has 4, which use what */
                    /* the one above has read */
    PLANES = 8,     /* of a thread in 3D */
    OUTER_X = 128,  /* tile of a sum of outer products: 4 x 8 points of a */
    OUTER_Y = 64,   /* thread */
    LIGHT = 7,      /* reads of a point in 3D: one neighbour each way */
    BLOCKS = 8,     /* on a multiprocessor: some copy, others compute */
    SAFE_BLOCKS = 4 /* where nobody looks whether registers do */
};

static bool recognise(const struct pg_sizing *sizing)
{
    return sizing->components->n_parallel >= 2 && !pg_sizing_has_loop(sizing);
}

/* Is something read that is the same for all points in direction "d"? */
static bool reads_along(const struct pg_groups *groups, unsigned d)
{
    for (unsigned r = 0; r < groups->n_ref; r++) {
        const struct pg_reference *ref = &groups->ref[r];
        bool same = ref->element && !ref->write && ref->n_dim > 0;

        for (unsigned e = 0; same && e < ref->n_dim; e++)
            same = ref->factor[e][d] == 0;
        if (same)
            return true;
    }
    return false;
}

/* Is something accessed across its rows, as by a transposition? */
static bool goes_across(const struct pg_groups *groups, unsigned x)
{
    for (unsigned r = 0; r < groups->n_ref; r++)
        if (groups->ref[r].element &&
            pg_reference_scattered(&groups->ref[r], x))
            return true;
    return false;
}

/* Two loops: rows of a stencil, a transposition's square, or an outer product.
 */
static void size_plane(const struct pg_sizing *sizing,
                       struct pg_tile_sizes *sizes)
{
    bool across = goes_across(sizing->groups, 1);

    sizes->tile[1] = SIDE;
    sizes->tile[0] = across ? SIDE : ROWS;
    sizes->vector[0] = across
                           ? pg_vector_of(sizing->elem_size, SIDE / Y_THREADS)
                           : ROWS / Y_THREADS;
    if (reads_along(sizing->groups, 1) && reads_along(sizing->groups, 0)) {
        sizes->tile[1] = OUTER_X;
        sizes->tile[0] = OUTER_Y;
        sizes->vector[0] = OUTER_Y / Y_THREADS;
        sizes->reuse = true;
    }
}

/* The sizes with the most points of a thread. */
static struct pg_tile_sizes largest(const struct pg_sizing *sizing,
                                    const struct pg_tile_sizes *start)
{
    struct pg_tile_sizes sizes = *start;
    unsigned x = sizes.n - 1;

    sizes.threads[x] = X_THREADS;
    sizes.threads[x - 1] = Y_THREADS;
    sizes.blocks = sizing->measured ? BLOCKS : SAFE_BLOCKS;
    if (sizes.n == 2) {
        size_plane(sizing, &sizes);
    } else {
        sizes.tile[x] = X_THREADS;
        sizes.tile[x - 1] = Y_THREADS;
        sizes.tile[0] = sizes.vector[0] = PLANES;
    }
    return sizes;
}

/* Halve the points of a thread where it has most; false if it has one. */
static bool halve(struct pg_tile_sizes *sizes)
{
    unsigned most = 0;
    long long n;

    for (unsigned d = 1; d < sizes->n; d++)
        if (sizes->tile[d] / sizes->threads[d] >
            sizes->tile[most] / sizes->threads[most])
            most = d;
    n = sizes->tile[most] / sizes->threads[most] / 2;
    if (n == 0)
        return false;
    sizes->tile[most] = n * sizes->threads[most];
    if (sizes->vector[most] > n)
        sizes->vector[most] = n;
    return true;
}

/* Do so few neighbours share what they read that caches do better?  In us,
 * with buffers and without: heat-3d of 120 a side 20 and 11 (double: 20 and
 * 14), of 512 a side 476 and 504 (double: 736 and 687).  Boxes of 27 points
 * were not measured. */
static bool is_light(const struct pg_sizing *sizing)
{
    unsigned reads = 0;

    for (unsigned r = 0; r < sizing->groups->n_ref; r++)
        reads += !sizing->groups->ref[r].write;
    return sizing->components->n_parallel == 3 && reads <= LIGHT;
}

/* From one point of a thread on, each with twice the points of the one before.
 */
static void candidates(const struct pg_sizing *sizing,
                       const struct pg_tile_sizes *start,
                       struct pg_candidates *list)
{
    struct pg_tile_sizes chain[PG_MAX_CANDIDATES];
    long long extent[PG_MAX_MAPPED];
    unsigned n = 0;

    if (!sizing->given && is_light(sizing))
        return;
    list->known = true;
    for (unsigned d = 0; d < start->n; d++) {
        extent[d] = pg_sizing_extent(sizing, d);
        list->known &= extent[d] != 0;
    }
    chain[n++] = largest(sizing, start);
    while (n < PG_MAX_CANDIDATES) {
        chain[n] = chain[n - 1];
        if (!halve(&chain[n]))
            break;
        n++;
    }
    for (; n > 0 && !pg_sizing_is_long(sizing, &chain[n - 1]); n--)
        pg_candidates_add(
            list, &chain[n - 1],
            pg_cost_of_spread(sizing->machine, &chain[n - 1], extent));
    list->cut |= n > 0;
}

const struct pg_strategy pg_stencil = {.name = "stencil",
                                       .recognise = recognise,
                                       .candidates = candidates,
                                       .caches_rows = true};
