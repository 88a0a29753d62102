/* buffers.c - which buffers a kernel gets, and where they come from.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/buffers.h"
#include "polygpu/machine.h"
#include "polygpu/polyhedral.h"
#include "promote/building.h"
#include "promote/full_tiles.h"
#include "promote/groups.h"
#include "promote/moved.h"
#include "promote/registers.h"
#include "promote/sharing.h"
#include "promote/strategy.h"
#include "promote/tiles.h"
#include "scop/scop.h"
#include "support/coalesce.h"
#include "support/machine.h"
#include "support/text.h"

#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

/* Add a buffer for elements of "array". */
static struct pg_buffer *add_buffer(struct pg_building *b, unsigned array,
                                    unsigned n_dim, enum pg_buffer_kind kind)
{
    struct pg_buffer *buffer;

    b->buffers = pg_grow(b->buffers, b->n_buffer, sizeof(*b->buffers));
    b->promotion->home =
        pg_grow(b->promotion->home, b->n_buffer, sizeof(*b->promotion->home));
    buffer = &b->buffers[b->n_buffer++];
    b->promotion->n_buffer = b->n_buffer;
    buffer->kind = kind;
    buffer->array = array;
    buffer->n_dim = n_dim;
    buffer->extent = pg_alloc(n_dim, sizeof(*buffer->extent));
    buffer->stride = pg_alloc(n_dim, sizeof(*buffer->stride));
    buffer->name =
        pg_format(kind == PG_BUFFER_SHARED ? "shared%u_%s" : "register%u_%s",
                  b->n_buffer - 1, b->what->scop->arrays[array].name);
    return buffer;
}

/* As many elements as can be copied at once from the boxes of "group", which
 * are of "elem_size" bytes.
 */
unsigned pg_group_vector(const struct pg_group *group, unsigned elem_size)
{
    static const enum isl_dim_type types[] = {isl_dim_in, isl_dim_param};
    unsigned last = group->n_dim - 1, n = 1;
    isl_aff *low = isl_multi_aff_get_aff(group->offset, (int)last);

    if (group->stride[last] > 1) {
        isl_aff_free(low);
        return 1;
    }
    while (2 * n * elem_size <= 16 && group->extent[last] % (2 * n) == 0)
        n *= 2;
    for (bool ok = false; n > 1 && !ok; n = ok ? n : n / 2) {
        ok = pg_is_multiple(isl_aff_get_constant_val(low), (long)n);
        for (int t = 0; t < 2; t++)
            for (int i = 0; i < isl_aff_dim(low, types[t]); i++)
                ok = ok && pg_is_multiple(
                               isl_aff_get_coefficient_val(low, types[t], i),
                               (long)n);
    }
    isl_aff_free(low);
    return n;
}

/* Can elements of "size" bytes be copied without a register? */
static bool can_copy_async(const struct pg_tile_sizes *sizes, unsigned size)
{
    return sizes->async && (size == 4 || size == 8 || size == 16);
}

/* A buffer in shared memory for "group". */
static void share(struct pg_building *b, struct pg_group *group)
{
    const struct pg_scop *scop = b->what->scop;
    unsigned elem_size = scop->arrays[group->array].elem_size;
    struct pg_buffer *buffer =
        add_buffer(b, group->array, group->n_dim, PG_BUFFER_SHARED);
    struct pg_home *home = &b->promotion->home[b->n_buffer - 1];
    isl_set *tiles =
        pg_component_tiles(&b->components, group->component, &b->sizes);

    memcpy(buffer->extent, group->extent,
           group->n_dim * sizeof(*group->extent));
    memcpy(buffer->stride, group->stride,
           group->n_dim * sizeof(*group->stride));
    pg_sharing_layout(&b->sizes, &b->groups, group, elem_size, buffer);
    buffer->written = group->written;
    buffer->vector = group->written ? 1 : pg_group_vector(group, elem_size);
    buffer->stages = 1;
    buffer->async = !group->written && can_copy_async(&b->sizes, elem_size);
    buffer->component = group->component;
    for (unsigned i = 0; i + 1 < b->n_buffer; i++)
        buffer->slot += b->buffers[i].component == group->component;
    b->group = pg_grow(b->group, b->n_shared++, sizeof(*b->group));
    b->group[b->n_shared - 1] = group;
    home->offset = isl_multi_aff_copy(group->offset);
    b->ok &= home->offset != NULL;
    if (!group->inner) {
        isl_set *outer = pg_outer_tiles(&b->sizes, tiles);

        isl_set_free(tiles);
        tiles = outer;
    }
    if (group->written)
        pg_moved_of_written(b, group, home, tiles);
    else
        pg_moved_of_read(b, group, home, tiles);
    isl_set_free(tiles);
}

/* Redirect the accesses of the references "refs" to buffer number "number". */
static void redirect(struct pg_building *b, const unsigned *refs, unsigned n,
                     int number)
{
    for (unsigned i = 0; i < n; i++) {
        const struct pg_reference *ref = &b->groups.ref[refs[i]];
        unsigned s = b->components.placed[ref->placed].stmt;

        b->promotion->buffer[s][ref->access] = number;
    }
}

/* The bytes of shared memory. */
static unsigned long shared_bytes(const struct pg_building *b)
{
    return pg_buffers_bytes(b->what->scop, b->buffers, b->n_shared);
}

/* Is buffer number "i" filled for each tile of the innermost loop? */
static bool is_filled_ahead(const struct pg_building *b, unsigned i)
{
    return b->group[i]->inner && !b->group[i]->written;
}

/* As many stages as there is room for, where copies may run ahead; false if not
 * even one of each buffer fits.
 */
static bool choose_stages(struct pg_building *b)
{
    unsigned stages = (unsigned)b->sizes.stages;
    bool async = true;
    unsigned long least = shared_bytes(b), most = b->sizes.shared;

    if (least > pg_machine_of(b->what->options)->block_shared)
        return false;
    for (unsigned i = 0; i < b->n_shared; i++)
        async &= !is_filled_ahead(b, i) || b->buffers[i].async;
    if (!async && stages > 2)
        stages = 2; // copies through registers have no use for more
    for (bool fits = false; !fits; stages--) {
        for (unsigned i = 0; i < b->n_shared; i++)
            if (is_filled_ahead(b, i) &&
                b->components.component[b->group[i]->component].n_loop == 1)
                b->buffers[i].stages = stages;
        fits = stages == 1 || shared_bytes(b) <= most;
        b->crowded |= !fits;
    }
    return true;
}

/* Is "array" written, and stays in registers meanwhile? */
static bool is_in_register(const struct pg_building *b, unsigned array)
{
    for (unsigned i = 0; i < b->registers.n; i++)
        if (b->registers.reg[i].array == array)
            return true;
    return false;
}

/* Share the groups that pay, those that are "written" or the others.  What is
 * written is left in memory where there is no room.
 */
static void share_groups(struct pg_building *b, bool written)
{
    const struct pg_scop *scop = b->what->scop;

    for (unsigned g = 0; b->ok && g < b->groups.n; g++) {
        struct pg_group *group = &b->groups.group[g];
        unsigned elem_size = scop->arrays[group->array].elem_size;

        if (group->written != written ||
            (!group->settled && is_in_register(b, group->array)) ||
            !pg_sharing_pays(&b->sizes, &b->groups, group, elem_size) ||
            (written && shared_bytes(b) + pg_group_bytes(group, elem_size) >
                            b->sizes.shared))
            continue;
        share(b, group);
        redirect(b, group->ref, group->n_ref, (int)b->n_buffer - 1);
    }
}

/* Decide on all buffers; NULL, or why shared memory has no part in it. */
const char *pg_promote_buffers(struct pg_building *b)
{
    share_groups(b, false);
    share_groups(b, true);
    if (!b->ok)
        return "the boxes of the accesses are too complicated";
    if (b->n_shared == 0 && !b->sizes.reuse)
        return "no array that is only read is read several times, and none "
               "that is only read or written in another order than memory's";
    if (!choose_stages(b))
        return "the boxes of a tile do not fit into shared memory";
    for (unsigned i = 0; i < b->registers.n; i++) {
        const struct pg_register *reg = &b->registers.reg[i];
        struct pg_buffer *buffer =
            add_buffer(b, reg->array, b->sizes.n, PG_BUFFER_REGISTER);

        for (unsigned d = 0; d < b->sizes.n; d++)
            buffer->extent[d] =
                (unsigned)(b->sizes.tile[d] / b->sizes.threads[d]);
        redirect(b, reg->ref, reg->n_ref, (int)b->n_buffer - 1);
    }
    return NULL;
}

/* How many blocks shall be on a multiprocessor: no more than their shared
 * memory allows.
 */
unsigned pg_promote_blocks(const struct pg_building *b)
{
    unsigned long most = pg_machine_of(b->what->options)->shared /
                         (shared_bytes(b) + PG_RESERVED_SHARED);

    if (b->n_shared == 0 || b->sizes.blocks <= most)
        return b->sizes.blocks;
    return most > 1 ? (unsigned)most : 1;
}
