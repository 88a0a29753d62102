/* sharing.c - which groups of references go through shared memory, and how they
 * lie there.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/sharing.h"
#include "polygpu/polyhedral.h"
#include "promote/groups.h"
#include "promote/strategy.h"
#include "promote/tiles.h"

#include <stdlib.h>

enum {
    SECTOR_BYTES = 32, /* what memory is written by, at least */
    BANK_BYTES = 4,    /* next to each other in a bank of shared memory */
    SPARSE = 2 /* elements of a box for each one that is written, at most */
};

/* The number of points of a tile, of "group"'s kind. */
static double points_of(const struct pg_tile_sizes *sizes,
                        const struct pg_group *group)
{
    double n = group->inner ? (double)sizes->k_tile : 1;

    for (unsigned d = 0; d < sizes->n; d++)
        n *= (double)sizes->tile[d];
    return n;
}

/* At most how many different elements a tile uses of "group". */
static double used_of(const struct pg_tile_sizes *sizes,
                      const struct pg_groups *groups,
                      const struct pg_group *group)
{
    double sum = 0;

    for (unsigned i = 0; i < group->n_ref; i++) {
        const struct pg_reference *ref = &groups->ref[group->ref[i]];
        double n = 1;

        for (unsigned d = 0; d < ref->n_v; d++) {
            bool depends = false;

            for (unsigned e = 0; e < ref->n_dim; e++)
                depends |= ref->factor[e][d] != 0;
            if (depends)
                n *= d < sizes->n       ? (double)sizes->tile[d]
                     : d + 1 < ref->n_v ? 1
                                        : (double)sizes->k_tile;
        }
        sum += n;
    }
    return sum;
}

/* Is it better to collect what "group" writes in shared memory: do neighbours
 * in x store apart from each other, so that only the copy is coalesced, and is
 * most of the box used?
 */
static bool collecting_pays(const struct pg_tile_sizes *sizes,
                            const struct pg_groups *groups,
                            const struct pg_group *group, unsigned elem_size)
{
    unsigned x = sizes->n - 1, last = group->n_dim - 1;
    bool scattered = false;
    double elements = 1;

    for (unsigned e = 0; e < group->n_dim; e++)
        elements *= group->extent[e];
    for (unsigned i = 0; i < group->n_ref; i++) {
        const struct pg_reference *ref = &groups->ref[group->ref[i]];

        scattered |= pg_reference_apart(ref, x, elem_size);
    }
    return scattered && group->stride[last] == 1 &&
           group->extent[last] * elem_size >= SECTOR_BYTES &&
           elements <= SPARSE * used_of(sizes, groups, group);
}

/* Is it better to have "group", of elements of "elem_size" bytes, in shared
 * memory: is each element read at least twice, or are accesses coalesced only
 * by the copy, or is there too little to do for as many threads as it takes to
 * fetch it?
 */
bool pg_sharing_pays(const struct pg_tile_sizes *sizes,
                     const struct pg_groups *groups,
                     const struct pg_group *group, unsigned elem_size)
{
    unsigned x = sizes->n - 1;
    bool scattered = false, stream = false;
    double elements = 1;

    if (group->written)
        return collecting_pays(sizes, groups, group, elem_size);
    if (sizes->strategy->only_writes)
        return false;
    for (unsigned e = 0; e < group->n_dim; e++)
        elements *= group->extent[e];
    for (unsigned i = 0; i < group->n_ref; i++) {
        const struct pg_reference *ref = &groups->ref[group->ref[i]];

        // What others read between the elements of one is there for all.
        scattered |= pg_reference_scattered(ref, x) ||
                     labs(ref->factor[ref->n_dim - 1][x]) >
                         (long)group->stride[group->n_dim - 1];
        for (unsigned e = 0; e < ref->n_dim; e++)
            stream |= ref->factor[e][x] != 0;
    }
    if (elements > 4 * used_of(sizes, groups, group))
        return false;
    if (sizes->strategy->copies_streams && group->inner && stream)
        return true;
    if (sizes->strategy->caches_rows && !scattered &&
        elements < points_of(sizes, group) / 2)
        return false;
    if (scattered && group->extent[group->n_dim - 1] >= 8)
        return true;
    return points_of(sizes, group) * group->n_ref >= 1.5 * elements;
}

/* How many more elements have rows of "n" begin an odd number of words of a
 * bank from each other, if elements are words or parts of one, else of
 * elements.
 */
static unsigned odd_words(unsigned n, unsigned elem_size)
{
    unsigned word = elem_size < BANK_BYTES ? BANK_BYTES / elem_size : 1;
    unsigned words = (n + word - 1) / word;

    return (words + (words % 2 == 0)) * word - n;
}

/* How "group" lies in shared memory. */
void pg_sharing_layout(const struct pg_tile_sizes *sizes,
                       const struct pg_groups *groups,
                       const struct pg_group *group, unsigned elem_size,
                       struct pg_buffer *buffer)
{
    unsigned last = group->n_dim - 1, x = sizes->n - 1;
    unsigned vector =
        elem_size < PG_VECTOR_BYTES ? PG_VECTOR_BYTES / elem_size : 1;
    bool across = false, in_vectors = false;

    buffer->innermost = last;
    for (unsigned i = 0; i < group->n_ref; i++) {
        const struct pg_reference *ref = &groups->ref[group->ref[i]];

        for (unsigned d = 0; d < sizes->n; d++)
            for (unsigned e = 0; e < ref->n_dim; e++)
                if (sizes->vector[d] > 1 && sizes->k_tile > 1 &&
                    labs(ref->factor[e][d]) == (long)group->stride[e])
                    buffer->innermost = e;
    }
    for (unsigned i = 0; i < group->n_ref; i++) {
        const struct pg_reference *ref = &groups->ref[group->ref[i]];

        for (unsigned e = 0; e < ref->n_dim; e++)
            across |= e != buffer->innermost && ref->factor[e][x] != 0;
        // A thread reads rows in vectors, and its neighbours in x others.
        for (unsigned d = 0; d < x; d++)
            in_vectors |= sizes->vector[d] % vector == 0 &&
                          labs(ref->factor[buffer->innermost][d]) ==
                              (long)group->stride[buffer->innermost];
    }
    in_vectors = in_vectors && group->extent[buffer->innermost] % vector == 0;
    buffer->pad = 0;
    if (group->n_dim < 2)
        return;
    if (group->written) { // single elements, by threads across rows or along
        buffer->innermost = last;
        buffer->pad = odd_words(group->extent[last], elem_size);
        return;
    }
    if (buffer->innermost != last ||
        (across && (sizes->more > 1 || in_vectors)))
        buffer->pad = vector;
    else if (across)
        buffer->pad = 1;
}
