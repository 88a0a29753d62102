/* sharing.c - which groups of references are read from shared memory, and how
 * they lie there.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/sharing.h"
#include "polygpu/polyhedral.h"
#include "promote/groups.h"
#include "promote/strategy.h"
#include "promote/tiles.h"

#include <stdlib.h>

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

/* Is it better to read "group" from shared memory: is each element read at
 * least twice, or are accesses coalesced only by the copy, or is there too
 * little to do for as many threads as it takes to fetch it?
 */
bool pg_sharing_pays(const struct pg_tile_sizes *sizes,
                     const struct pg_groups *groups,
                     const struct pg_group *group)
{
    unsigned x = sizes->n - 1;
    bool scattered = false, stream = false;
    double elements = 1;

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
    if (buffer->innermost != last ||
        (across && (sizes->more > 1 || in_vectors)))
        buffer->pad = vector;
    else if (across)
        buffer->pad = 1;
}
