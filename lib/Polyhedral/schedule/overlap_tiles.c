/* overlap_tiles.c - the sizes of overlapping tiles, and what they cost.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/overlap_tiles.h"
#include "polygpu/machine.h"
#include "polygpu/polyhedral.h"
#include "schedule/sizes.h"

#include <math.h>
#include <stdlib.h>

/* Rows of a tile: a multiple of so many. */
enum { ROWS = 8 };

/* Steps of a launch, by dimensions of the arrays, and what a block has of
 * shared memory for it; a tile is that many elements wide, times a number.
 */
static const long most_steps[PG_REACH_DIMS] = {16, 4};
static const unsigned long most_bytes[PG_REACH_DIMS] = {8192, PG_STATIC_SHARED};
static const long granule[PG_REACH_DIMS] = {64, 16};

/* A multiprocessor's cache and shared memory are about so many times as fast as
 * its part of the memory's bandwidth (by data sheets: 128 bytes a clock, which
 * is 10 times on an A100 and 7 on an H200), and tiles are taken if what they
 * need is so much of what sweeps need.  Of tiles that need hardly more than
 * others those with fewer launches are taken.
 */
static const double cache_speed = 10, gain = 0.8, hardly_more = 1.15;

/* What the tiles are for. */
struct choosing {
    const struct pg_scop *scop;
    const struct pg_reach *reach;
    const bool *carried;
    unsigned long each; /* bytes of all written arrays for each place */
};

/* The elements in dimension "dim" that a block has. */
long pg_overlap_width(const struct pg_overlap_tiles *tiles, unsigned dim)
{
    return tiles->own[dim] + tiles->more[dim].below + tiles->more[dim].above;
}

/* Bytes of shared memory that a block needs. */
static unsigned long bytes_of(const struct choosing *c,
                              const struct pg_overlap_tiles *t)
{
    unsigned long bytes = c->each;

    for (unsigned d = 0; d < t->n_dim; d++)
        bytes *= (unsigned long)pg_overlap_width(t, d) + (d + 1 == t->n_dim);
    return bytes + bytes / 16;
}

/* How many elements a block computes of statement "s" for each that it owns,
 * in the middle of its steps.
 */
static double growth(const struct choosing *c, const struct pg_overlap_tiles *t,
                     unsigned s)
{
    double all = 1;

    for (unsigned d = 0; d < t->n_dim; d++) {
        const struct pg_sides *more = &c->reach->stmt[s].more[d];
        const struct pg_sides *step = &c->reach->step[d];
        double border =
            (double)(more->below + more->above) +
            (double)((step->below + step->above) * (t->steps - 1)) / 2;

        all *= 1 + border / (double)t->own[d];
    }
    return all;
}

/* The bytes that an instance of statement "s" accesses, in the cache, and those
 * of them that go to memory: of each array once; "others": only of arrays that
 * the time loop does not write.
 */
static void traffic(const struct choosing *c, unsigned s, bool others,
                    double *cache, double *memory)
{
    const struct pg_stmt *stmt = &c->scop->stmts[s];

    *cache = *memory = 0;
    for (unsigned a = 0; a < stmt->n_access; a++) {
        unsigned array = stmt->accesses[a].array;
        double size = c->scop->arrays[array].elem_size;
        bool first = c->scop->arrays[array].n_dim > 0;

        *cache += size;
        for (unsigned b = 0; b < a; b++)
            first =
                first && (stmt->accesses[b].array != array ||
                          stmt->accesses[b].write != stmt->accesses[a].write);
        if (first && !(others && c->reach->written[array]))
            *memory += size;
    }
}

/* What a step of a sweep for each statement costs for each place, in bytes of
 * memory.
 */
static double cost_of_sweeps(const struct choosing *c)
{
    double all = 0, cache, memory;

    for (unsigned s = 0; s < c->reach->n_stmt; s++) {
        if (!pg_reach_has(c->reach, s))
            continue;
        traffic(c, s, false, &cache, &memory);
        cache /= cache_speed;
        all += cache > memory ? cache : memory;
    }
    return all;
}

/* The same for tiles: what they load and store, and what they compute. */
static double cost_of(const struct choosing *c,
                      const struct pg_overlap_tiles *t)
{
    double all = 0, loaded = 1, cache, memory;

    for (unsigned d = 0; d < t->n_dim; d++)
        loaded *= (double)pg_overlap_width(t, d) / (double)t->own[d];
    for (unsigned a = 0; a < c->scop->n_array; a++)
        if (c->carried[a])
            all +=
                c->scop->arrays[a].elem_size * (loaded + 1) / (double)t->steps;
    for (unsigned s = 0; s < c->reach->n_stmt; s++) {
        if (!pg_reach_has(c->reach, s))
            continue;
        traffic(c, s, true, &cache, &memory);
        cache /= cache_speed;
        all += growth(c, t, s) * (cache > memory ? cache : memory);
    }
    return all;
}

/* The largest tile with that many elements in the last dimension that fits;
 * false if none does.
 */
static bool fill(const struct choosing *c, struct pg_overlap_tiles *t, long row)
{
    unsigned last = t->n_dim - 1;

    t->own[last] = row;
    for (unsigned d = 0; d < last; d++)
        t->own[d] = ROWS;
    if (bytes_of(c, t) > most_bytes[last])
        return false;
    while (last > 0 && bytes_of(c, t) <= most_bytes[last])
        t->own[0] += ROWS;
    t->own[0] -= last > 0 ? ROWS : 0;
    return true;
}

/* The tiles for that many steps that cost least, "*cost". */
static struct pg_overlap_tiles choose_for(const struct choosing *c, long steps,
                                          double *cost)
{
    struct pg_overlap_tiles t = {.n_dim = c->reach->n_dim, .steps = steps},
                            best = t;
    long g = granule[t.n_dim - 1];

    for (unsigned d = 0; d < t.n_dim; d++)
        t.more[d] = pg_reach_box(c->reach, d, steps);
    *cost = HUGE_VAL;
    for (long row = g; fill(c, &t, row); row += g) {
        double own = cost_of(c, &t);

        if (own >= *cost)
            continue;
        best = t;
        *cost = own;
    }
    return best;
}

/* Take the user's "sizes" if there are any for this; too large ones leave no
 * steps.
 */
static bool take_given(const struct choosing *c, const char *sizes,
                       struct pg_overlap_tiles *t)
{
    struct pg_kernel_sizes given;
    char *error = pg_sizes_get(sizes, 0, &given);
    bool some = !error && given.time.n > t->n_dim;

    free(error);
    if (!some)
        return false;
    t->steps = (long)given.time.v[0];
    for (unsigned d = 0; d < t->n_dim; d++) {
        t->own[d] = (long)given.time.v[d + 1];
        t->more[d] = pg_reach_box(c->reach, d, t->steps);
    }
    if (t->steps == 1 || bytes_of(c, t) > PG_STATIC_SHARED)
        t->steps = 0;
    return true;
}

/* Choose how many steps a launch of the time loop "reach" has, the most that
 * cost hardly more than others, and the tiles; or those of the user's "sizes".
 * "carried" has for each array whether a launch needs what another one stored.
 * False if tiles are not better than sweeps, unless they are "forced".
 */
bool pg_overlap_choose(struct pg_overlap_tiles *tiles,
                       const struct pg_scop *scop, const struct pg_reach *reach,
                       const bool *carried, const char *sizes, bool forced)
{
    struct choosing c = {scop, reach, carried, 0};
    double least = forced ? HUGE_VAL : gain * cost_of_sweeps(&c), cost;

    for (unsigned a = 0; a < scop->n_array; a++)
        c.each += reach->written[a] ? scop->arrays[a].elem_size : 0;
    *tiles = (struct pg_overlap_tiles){.n_dim = reach->n_dim};
    if (take_given(&c, sizes, tiles))
        return tiles->steps > 0;
    for (long steps = 2; steps <= most_steps[reach->n_dim - 1]; steps++) {
        struct pg_overlap_tiles t = choose_for(&c, steps, &cost);

        if (cost > hardly_more * least || cost == HUGE_VAL)
            continue;
        *tiles = t;
        least = cost < least ? cost : least;
    }
    return tiles->steps > 0;
}
