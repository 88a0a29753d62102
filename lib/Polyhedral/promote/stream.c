/* stream.c - the strategy for loops that go over arrays once: copies, sums,
 * triads, and arrays of structures.
 *
 * One parallel loop, or several over rows of constant length, nothing
 * sequential inside, and nothing that tiles would use again.  Where all
 * accesses go along the arrays and the places of a thread's points are known to
 * be multiples of 16 bytes, a thread has as many points next to each other as
 * that is: their loads and stores become vectors. That takes as many bytes of
 * one access as one multiprocessor needs on its way; at 4 bytes for each of
 * 2048 threads it has a third of them.  Where neighbours store apart from each
 * other, as the fields of structures, a block collects what it stores
 * (sharing.c).
 *
 * No GPU has measured these numbers.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"
#include "promote/components.h"
#include "promote/groups.h"
#include "promote/strategy.h"
#include "scop/scop.h"
#include "support/values.h"

#include <isl/aff.h>
#include <isl/val.h>

enum {
    THREADS = 256,    /* of a block, */
    X_THREADS = 32,   /* along rows, where there are several loops */
    BLOCKS = 4,       /* on a multiprocessor, by registers: 64 for a thread */
    MOST_POINTS = 8,  /* of a thread */
    MOST_CODE = 256,  /* instructions of these */
    MOST_REFS = 32,   /* that are looked at */
    MOST_FURTHER = 64 /* elements from one point's, that share vectors */
};

/* What one reference accesses: element "offset" of the points' own, from
 * "start" on, which is a multiple of a vector. */
struct stream {
    unsigned array;
    bool write;
    isl_multi_aff *start;
    long offset;
};

/* Take the constant of "aff" apart, which is small; false if it is not. */
static bool take_constant(isl_aff **aff, long *constant)
{
    isl_val *value = isl_aff_get_constant_val(*aff);
    bool ok = isl_val_is_int(value) == isl_bool_true &&
              isl_val_cmp_si(value, MOST_FURTHER) < 0 &&
              isl_val_cmp_si(value, -MOST_FURTHER) > 0;

    *constant = ok ? isl_val_get_num_si(value) : 0;
    *aff = isl_aff_set_constant_si(*aff, 0);
    isl_val_free(value);
    return ok;
}

/* Are the coefficients of the parameters in "aff" multiples of "n"? */
static bool is_aligned(__isl_keep isl_aff *aff, long n)
{
    isl_size n_param = isl_aff_dim(aff, isl_dim_param);
    bool ok = n_param >= 0;

    for (int i = 0; ok && i < n_param; i++)
        ok = pg_is_multiple(isl_aff_get_coefficient_val(aff, isl_dim_param, i),
                            n);
    return ok;
}

/* Do all rows of "array" begin with a vector of "n" elements? */
static bool has_aligned_rows(const struct pg_array *array, long n)
{
    isl_pw_aff *row;
    isl_set *length;
    isl_val *value;

    if (array->n_dim < 2)
        return true;
    row = array->extent[array->n_dim - 1];
    if (isl_pw_aff_is_cst(row) != isl_bool_true)
        return false;
    length = isl_map_range(isl_map_from_pw_aff(isl_pw_aff_copy(row)));
    value = pg_largest_value(length);
    return pg_is_multiple(value, n);
}

/* Describe "ref", of which neighbouring points in direction "x" access
 * neighbouring elements, for vectors of "n"; false if nobody knows where these
 * begin.
 */
static bool describe(struct stream *stream, const struct pg_reference *ref,
                     const struct pg_scop *scop, unsigned x, long n)
{
    const struct pg_array *array = &scop->arrays[ref->array];
    unsigned last = ref->n_dim - 1;
    isl_aff *aff;
    bool ok = (array->elem_size & (array->elem_size - 1)) == 0 &&
              has_aligned_rows(array, n);

    stream->array = ref->array;
    stream->write = ref->write;
    stream->start = pg_only_piece(ref->element);
    aff = isl_multi_aff_get_aff(stream->start, (int)last);
    for (unsigned d = 0; d < x; d++)
        ok = ok && ref->factor[last][d] % n == 0;
    ok = ok && is_aligned(aff, n) && take_constant(&aff, &stream->offset);
    stream->start = isl_multi_aff_set_aff(stream->start, (int)last, aff);
    return ok && stream->start != NULL;
}

/* Does "ref" have one element for all points in direction "d"? */
static bool is_uniform(const struct pg_reference *ref, unsigned d)
{
    for (unsigned e = 0; e < ref->n_dim; e++)
        if (ref->factor[e][d])
            return false;
    return true;
}

/* Are the streams "a" and "b" parts of one row? */
static bool is_beside(const struct stream *a, const struct stream *b)
{
    return a->array == b->array &&
           isl_multi_aff_plain_is_equal(a->start, b->start) == isl_bool_true;
}

/* The place in a vector of "n" of element "at", and in "*number" which vector
 * that is.
 */
static unsigned place_in_vector(long at, long n, unsigned *number)
{
    long shifted = at + 2L * MOST_FURTHER;

    *number = (unsigned)(shifted / n);
    return (unsigned)(shifted % n);
}

/* How many accesses the points of a thread, "n" next to each other, make to the
 * row of stream number "first", and in "*before" how many one point makes.
 * Vectors that are used as a whole count once, elements of others one by one.
 */
static unsigned count_accesses(const struct stream *streams, unsigned n_stream,
                               unsigned first, long n, unsigned *before)
{
    unsigned used[4 * MOST_FURTHER] = {0}, vector, all = 0;
    bool seen[2 * MOST_FURTHER] = {false};

    for (unsigned i = first; i < n_stream; i++) {
        long offset = streams[i].offset;

        if (!is_beside(&streams[first], &streams[i]))
            continue;
        *before += !seen[offset + MOST_FURTHER];
        seen[offset + MOST_FURTHER] = true;
        for (long v = 0; v < n; v++) {
            unsigned at = place_in_vector(offset + v, n, &vector);

            used[vector] |= 1U << at;
        }
    }
    for (unsigned i = 0; i < 4 * MOST_FURTHER; i++) {
        unsigned elements = (unsigned)__builtin_popcount(used[i]);

        all += elements == n ? 1 : elements;
    }
    return all;
}

/* Is it better to access vectors of "n": do all stores become vectors, and are
 * there no more accesses than for a point without them?
 */
static bool rate(const struct stream *streams, unsigned n_stream, long n)
{
    unsigned before = 0, after = 0;

    for (unsigned i = 0; i < n_stream; i++) {
        bool first = true;

        if (streams[i].write && streams[i].offset % n != 0)
            return false;
        for (unsigned j = 0; first && j < i; j++)
            first = !is_beside(&streams[j], &streams[i]);
        if (first)
            after += count_accesses(streams, n_stream, i, n, &before);
    }
    return n_stream > 0 && after <= before;
}

/* Can the points of a thread be "n" next to each other in direction "x" with
 * vectors for all that they access?
 */
static bool is_streaming(const struct pg_groups *groups,
                         const struct pg_scop *scop, unsigned x, long n)
{
    struct stream streams[MOST_REFS] = {{0}};
    unsigned n_stream = 0;
    bool ok = n > 1;

    for (unsigned r = 0; ok && r < groups->n_ref; r++) {
        const struct pg_reference *ref = &groups->ref[r];

        ok = ref->element != NULL;
        if (!ok || (!ref->write && is_uniform(ref, x)))
            continue;
        ok = n_stream < MOST_REFS && !pg_reference_scattered(ref, x) &&
             ref->factor[ref->n_dim - 1][x] == 1 &&
             describe(&streams[n_stream], ref, scop, x, n);
        n_stream += n_stream < MOST_REFS && streams[n_stream].start;
    }
    ok = ok && rate(streams, n_stream, n);
    for (unsigned i = 0; i < n_stream; i++)
        isl_multi_aff_free(streams[i].start);
    return ok;
}

/* Do neighbours store apart from each other? */
static bool stores_apart(const struct pg_groups *groups,
                         const struct pg_scop *scop)
{
    for (unsigned r = 0; r < groups->n_ref; r++) {
        const struct pg_reference *ref = &groups->ref[r];

        if (ref->write && ref->element &&
            pg_reference_apart(ref, 0, scop->arrays[ref->array].elem_size))
            return true;
    }
    return false;
}

/* Is the kernel known to have fewer points than "least"? */
static bool is_small(const struct pg_sizing *sizing, long long least)
{
    long long points = 1;

    for (unsigned d = 0; d < sizing->components->n_parallel; d++) {
        long long extent = pg_sizing_extent(sizing, d);

        if (extent == 0 || extent > least)
            return false;
        points *= extent;
        if (points >= least)
            return false;
    }
    return true;
}

/* How many points next to each other a thread has: 1 unless they are for
 * vectors.  Data that say where others are, or when, are no streams.
 */
static long long points_of(const struct pg_sizing *sizing)
{
    const struct pg_scop *scop = sizing->scop;
    long long n = pg_vector_of(sizing->elem_size, MOST_POINTS);
    double code = 0;

    for (unsigned a = 0; a < scop->n_array; a++)
        if (scop->arrays[a].indirect || scop->arrays[a].flagged)
            return 1;
    for (unsigned p = 0; p < sizing->components->n_placed; p++)
        code += pg_stmt_code(&scop->stmts[sizing->components->placed[p].stmt]);
    if ((double)n * code > MOST_CODE ||
        is_small(sizing,
                 n * THREADS * BLOCKS * sizing->machine->multiprocessors))
        return 1;
    return is_streaming(sizing->groups, scop,
                        sizing->components->n_parallel - 1, (long)n)
               ? n
               : 1;
}

/* Is something read that is the same for all points in direction "d"? */
static bool reads_along(const struct pg_groups *groups, unsigned d)
{
    for (unsigned r = 0; r < groups->n_ref; r++) {
        const struct pg_reference *ref = &groups->ref[r];

        if (ref->element && !ref->write && is_uniform(ref, d))
            return true;
    }
    return false;
}

/* Do several loops go over rows that are long enough for a warp, once: is there
 * neither an array of which points use neighbours' elements, nor an outer
 * product, of which threads use rows and columns?
 */
static bool goes_over_rows(const struct pg_sizing *sizing)
{
    unsigned n = sizing->components->n_parallel;
    long long row = pg_sizing_extent(sizing, n - 1), points = points_of(sizing);

    return !sizing->given && points > 1 &&
           (row == 0 || row >= X_THREADS * points) &&
           pg_references_once(sizing->groups) &&
           !(reads_along(sizing->groups, n - 1) &&
             reads_along(sizing->groups, n - 2));
}

static bool recognise(const struct pg_sizing *sizing)
{
    unsigned n = sizing->components->n_parallel;

    return !pg_sizing_has_loop(sizing) &&
           (n == 1 || (n > 1 && goes_over_rows(sizing)));
}

static void candidates(const struct pg_sizing *sizing,
                       const struct pg_tile_sizes *start,
                       struct pg_candidates *list)
{
    struct pg_tile_sizes sizes = *start;
    long long n = sizing->given ? 1 : points_of(sizing);
    unsigned x = start->n - 1;

    if (n == 1 && !stores_apart(sizing->groups, sizing->scop))
        return;
    sizes.threads[x] = x ? X_THREADS : THREADS;
    sizes.vector[x] = n;
    sizes.tile[x] = n * sizes.threads[x];
    if (x)
        sizes.tile[x - 1] = sizes.threads[x - 1] = THREADS / X_THREADS;
    sizes.blocks = BLOCKS;
    sizes.reuse = n > 1;
    list->known = true;
    pg_candidates_add(list, &sizes, 1);
}

const struct pg_strategy pg_stream = {.name = "stream",
                                      .recognise = recognise,
                                      .candidates = candidates,
                                      .only_writes = true};
