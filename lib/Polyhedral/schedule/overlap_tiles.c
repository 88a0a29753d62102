/* overlap_tiles.c - the sizes of overlapping tiles, and what they cost.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/overlap_tiles.h"
#include "polygpu/machine.h"
#include "polygpu/polyhedral.h"
#include "schedule/sizes.h"
#include "support/machine.h"
#include "support/text.h"

#include <math.h>
#include <stdlib.h>

/* Rows of a tile: a multiple of so many. */
enum { ROWS = 8 };

/* Steps of a launch, by dimensions of the arrays, and what a block has of
 * shared memory for it; a tile is that many elements wide, times a number.
 */
static const long most_steps[PG_REACH_DIMS] = {16, 4, 2};
static const unsigned long most_bytes[PG_REACH_DIMS] = {8192, PG_STATIC_SHARED,
                                                        PG_STATIC_SHARED};
static const long granule[PG_REACH_DIMS] = {64, 16, 16};

/* Where planes come one after the other, a block has so many times as many of
 * them as it loads beside its own.
 */
enum { LONG = 16 };

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
    const struct pg_machine *machine;
    const bool *carried;
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
    unsigned long bytes = 0;

    for (unsigned a = 0; a < c->scop->n_array; a++) {
        unsigned long planes = (unsigned long)pg_overlap_width(t, 0);

        if (!c->reach->written[a])
            continue;
        if (t->stream)
            planes =
                (unsigned long)pg_reach_planes(c->reach, c->scop, a, t->steps)
                    .n;
        bytes += c->scop->arrays[a].elem_size * (planes + (t->n_dim == 1));
    }
    for (unsigned d = 1; d < t->n_dim; d++)
        bytes *= (unsigned long)pg_overlap_width(t, d) + (d + 1 == t->n_dim);
    return bytes + bytes / 16;
}

/* Bytes of shared memory that it may take. */
static unsigned long most_of(const struct choosing *c,
                             const struct pg_overlap_tiles *t)
{
    return t->stream ? pg_shared_of_block(c->machine)
                     : most_bytes[t->n_dim - 1];
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
    unsigned last = t->n_dim - 1, grows = t->stream ? 1 : 0;

    t->own[last] = row;
    for (unsigned d = 0; d < last; d++)
        t->own[d] = ROWS;
    if (t->stream)
        t->own[0] = LONG * (t->more[0].below + t->more[0].above);
    if (bytes_of(c, t) > most_of(c, t))
        return false;
    while (last > grows && bytes_of(c, t) <= most_of(c, t))
        t->own[grows] += ROWS;
    t->own[grows] -= last > grows ? ROWS : 0;
    return true;
}

/* The tiles for that many steps that cost least, "*cost". */
static struct pg_overlap_tiles choose_for(const struct choosing *c, long steps,
                                          bool stream, double *cost)
{
    struct pg_overlap_tiles t = {.n_dim = c->reach->n_dim,
                                 .steps = steps,
                                 .stream = stream},
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

/* Can planes come one after the other? */
static bool can_stream(const struct choosing *c)
{
    return c->reach->n_dim > 1 && c->reach->behind >= 0;
}

/* May planes come one after the other: has the user asked for that, or for
 * tiles wherever they can be?
 */
bool pg_overlap_may_stream(const struct pg_options *options, bool forced)
{
    struct pg_kernel_sizes given;
    char *error = pg_sizes_get(options->sizes, 0, &given);
    bool asked = !error && given.stream.n > 0;

    free(error);
    return forced || asked;
}

/* Why the tiles "t" that the user gave cannot be, a malloc'ed sentence; NULL if
 * they can.
 */
static char *why_not(const struct choosing *c, const struct pg_overlap_tiles *t)
{
    unsigned long most =
        t->stream ? c->machine->block_shared : PG_STATIC_SHARED;
    unsigned long bytes;

    if (t->steps == 1)
        return pg_format("the tiles that were given have one step: no tiles of "
                         "several");
    if (t->stream && !can_stream(c))
        return pg_format("the planes of the stream that was given cannot come "
                         "one after the other");
    bytes = bytes_of(c, t);
    if (bytes > most)
        return pg_format("the tiles that were given need %lu bytes of shared "
                         "memory; %lu are there for a block (%s)",
                         bytes, most, c->machine->name);
    return NULL;
}

/* Take the user's "sizes" if there are any for this; what cannot be, or is too
 * large, leaves no steps, and the reason in "*not_taken".  Too few sizes are
 * for none, with a reason as well.
 */
static bool take_given(const struct choosing *c, const char *sizes,
                       struct pg_overlap_tiles *t, char **not_taken)
{
    const struct pg_size_list *list;
    struct pg_kernel_sizes given;
    char *error = pg_sizes_get(sizes, 0, &given);

    t->stream = given.stream.n > t->n_dim;
    list = given.stream.n ? &given.stream : &given.time;
    if (!error && list->n && list->n <= t->n_dim)
        *not_taken = pg_format("the tiles that were given have %u sizes; they "
                               "take one for steps and one for each of %u "
                               "dimensions",
                               list->n, t->n_dim);
    if (error || list->n <= t->n_dim) {
        free(error);
        return false;
    }
    t->steps = (long)list->v[0];
    for (unsigned d = 0; d < t->n_dim; d++) {
        t->own[d] = (long)list->v[d + 1];
        t->more[d] = pg_reach_box(c->reach, d, t->steps);
    }
    *not_taken = why_not(c, t);
    if (*not_taken)
        t->steps = 0;
    return true;
}

/* Choose how many steps a launch of the time loop "reach" has, the most that
 * cost hardly more than others, and the tiles; or those that the user's sizes
 * in "options" say.  "carried" has for each array whether a launch needs what
 * another one stored.  False if tiles are not better than sweeps, unless they
 * are "forced", or if those that the user gave cannot be, with the reason in
 * "*not_taken", malloc'ed.
 */
bool pg_overlap_choose(struct pg_overlap_tiles *tiles,
                       const struct pg_scop *scop, const struct pg_reach *reach,
                       const bool *carried, const struct pg_options *options,
                       bool forced, char **not_taken)
{
    struct choosing c = {scop, reach, pg_machine_of(options), carried};
    double least = forced ? HUGE_VAL : gain * cost_of_sweeps(&c), cost;
    bool stream = reach->n_dim > 2;

    *tiles = (struct pg_overlap_tiles){.n_dim = reach->n_dim};
    if (take_given(&c, options->sizes, tiles, not_taken))
        return tiles->steps > 0;
    if (stream && (!can_stream(&c) || !forced))
        return false;
    for (long steps = 2; steps <= most_steps[reach->n_dim - 1]; steps++) {
        struct pg_overlap_tiles t = choose_for(&c, steps, stream, &cost);

        if (cost > hardly_more * least || cost == HUGE_VAL)
            continue;
        *tiles = t;
        least = cost < least ? cost : least;
    }
    return tiles->steps > 0;
}
