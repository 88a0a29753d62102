/* moved.c - which elements go between memory and a buffer in shared memory.
 *
 * A buffer that is only read has what of its box the kernel reads, and zeros.
 * One that is written may be read by the tile that writes it: of its box, what
 * a tile reads before it writes it comes from memory, and exactly what the tile
 * writes goes back.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/moved.h"
#include "dependence/dependences.h"
#include "map/buffers.h"
#include "polygpu/polyhedral.h"
#include "promote/building.h"
#include "promote/components.h"
#include "promote/groups.h"
#include "promote/tiles.h"
#include "scop/scop.h"
#include "support/coalesce.h"
#include "support/text.h"

#include <isl/space.h>
#include <stdlib.h>

/* The elements { A[x] } that the kernel reads of the array of "group"; where it
 * writes others of that, those that the group does.
 */
static __isl_give isl_set *readable(const struct pg_building *b,
                                    const struct pg_group *group)
{
    const struct pg_scop *scop = b->what->scop;
    isl_union_map *reads;

    if (group->settled) {
        reads = isl_union_map_empty(isl_set_get_space(scop->context));
        for (unsigned i = 0; i < group->n_ref; i++)
            reads = isl_union_map_union(
                reads,
                isl_union_map_from_map(pg_reference_relation(
                    &b->groups.ref[group->ref[i]], &b->components, scop)));
    } else {
        reads = pg_scop_accesses_of(scop, group->array, false);
        reads = isl_union_map_intersect_domain(
            reads, isl_union_set_copy(b->what->kernel->domain));
    }
    return isl_set_gist_params(
        pg_coalesce(isl_set_from_union_set(isl_union_map_range(reads))),
        isl_set_copy(b->context.known));
}

/* The elements of the box of "group", { [c] -> A[x] }, at each of "tiles";
 * "like" has the space of A[x].
 */
static __isl_give isl_map *box_of(const struct pg_building *b,
                                  const struct pg_group *group,
                                  __isl_keep isl_set *tiles,
                                  __isl_keep isl_set *like)
{
    isl_map *box = isl_map_universe(isl_space_map_from_domain_and_range(
        isl_set_get_space(tiles), isl_set_get_space(like)));

    for (unsigned e = 0; e < group->n_dim; e++) {
        isl_aff *low = isl_multi_aff_get_aff(group->offset, (int)e);
        char *inside = pg_format("{ [a] -> [b] : exists k : b = a + %u k and "
                                 "0 <= k < %u }",
                                 group->stride[e], group->extent[e]);
        isl_map *from = isl_map_apply_range(
            isl_map_from_aff(low), isl_map_read_from_str(b->ctx, inside));

        free(inside);
        from = isl_map_insert_dims(from, isl_dim_out, 0, e);
        from = isl_map_add_dims(from, isl_dim_out, group->n_dim - 1 - e);
        from =
            isl_map_set_tuple_id(from, isl_dim_out, isl_set_get_tuple_id(like));
        box = isl_map_intersect(box, from);
    }
    return isl_map_intersect_domain(box, isl_set_copy(tiles));
}

/* Which elements a buffer for "group", which is only read, is filled with at
 * each of "tiles".
 */
void pg_moved_of_read(struct pg_building *b, const struct pg_group *group,
                      struct pg_home *home, __isl_keep isl_set *tiles)
{
    isl_bool always;
    isl_map *box;

    home->readable = readable(b, group);
    box = box_of(b, group, tiles, home->readable);
    box = isl_map_subtract_range(box, isl_set_copy(home->readable));
    home->whole =
        pg_coalesce(isl_set_subtract(isl_set_copy(tiles), isl_map_domain(box)));
    home->whole = isl_set_gist(home->whole, isl_set_copy(tiles));
    home->whole =
        isl_set_gist_params(home->whole, isl_set_copy(b->context.known));
    always = isl_set_is_subset(tiles, home->whole);
    home->always = always == isl_bool_true;
    b->ok &= home->whole && home->readable && always >= 0;
}

/* The tiles { S[i] -> [c] } of "ref", with as many dimensions as "tiles" has.
 */
static __isl_give isl_map *tiles_of(const struct pg_building *b,
                                    const struct pg_reference *ref,
                                    __isl_keep isl_set *tiles)
{
    const struct pg_placed *placed = &b->components.placed[ref->placed];
    isl_space *points = isl_space_range(isl_map_get_space(placed->point));
    isl_size n_c = isl_set_dim(tiles, isl_dim_set);
    isl_map *map =
        isl_map_reverse(pg_tiles_of(&b->sizes, points, ref->n_v - b->sizes.n));

    map = isl_map_apply_range(
        isl_map_intersect_domain(isl_map_copy(placed->point),
                                 isl_set_copy(placed->domain)),
        map);
    if (n_c >= 0 && (unsigned)n_c < ref->n_v)
        map = isl_map_project_out(map, isl_dim_out, (unsigned)n_c,
                                  ref->n_v - (unsigned)n_c);
    return map;
}

/* The accesses of "group" that write, or read, { S[i] -> [[c] -> A[x]] } with
 * their tiles.
 */
static __isl_give isl_union_map *accesses_of(const struct pg_building *b,
                                             const struct pg_group *group,
                                             __isl_keep isl_set *tiles,
                                             bool write)
{
    isl_union_map *all =
        isl_union_map_empty(isl_set_get_space(b->what->scop->context));

    for (unsigned i = 0; i < group->n_ref; i++) {
        const struct pg_reference *ref = &b->groups.ref[group->ref[i]];

        if (ref->write == write)
            all = isl_union_map_union(
                all, isl_union_map_from_map(isl_map_range_product(
                         tiles_of(b, ref, tiles),
                         pg_reference_relation(ref, &b->components,
                                               b->what->scop))));
    }
    return all;
}

/* { [c] -> A[x] } of what "accesses" access, in the space of "like". */
static __isl_give isl_map *by_tile(__isl_take isl_union_map *accesses,
                                   __isl_keep isl_map *like)
{
    isl_union_map *all = isl_union_set_unwrap(isl_union_map_range(accesses));
    isl_map *map = isl_union_map_extract_map(all, isl_map_get_space(like));

    isl_union_map_free(all);
    return pg_coalesce_map(map);
}

/* Where all of "box" is in "part", both { [c] -> A[x] }, at "tiles"; "*always":
 * it is everywhere.
 */
static __isl_give isl_set *where_whole(struct pg_building *b,
                                       __isl_keep isl_map *box,
                                       __isl_keep isl_map *part,
                                       __isl_keep isl_set *tiles, bool *always)
{
    isl_map *rest = isl_map_subtract(isl_map_copy(box), isl_map_copy(part));
    isl_bool none = isl_map_is_empty(rest);
    isl_set *whole =
        isl_set_subtract(isl_set_copy(tiles), isl_map_domain(rest));

    whole = isl_set_gist(pg_coalesce(whole), isl_set_copy(tiles));
    whole = isl_set_gist_params(whole, isl_set_copy(b->context.known));
    b->ok &= whole && none >= 0;
    *always = none == isl_bool_true;
    return whole;
}

/* "part" of "box" without what is known of that, and of parameters. */
static __isl_give isl_map *shorten(struct pg_building *b,
                                   __isl_take isl_map *part,
                                   __isl_keep isl_map *box)
{
    part = isl_map_gist(part, isl_map_copy(box));
    part = isl_map_gist_params(part, isl_set_copy(b->context.known));
    b->ok &= part != NULL;
    return part;
}

/* Which elements of a buffer for "group", which is written, are copied at each
 * of "tiles": what is read there and was not written there before.  Exactly
 * what is written goes back to memory.
 */
void pg_moved_of_written(struct pg_building *b, const struct pg_group *group,
                         struct pg_home *home, __isl_keep isl_set *tiles)
{
    const struct pg_scop *scop = b->what->scop;
    isl_union_map *writes = accesses_of(b, group, tiles, true);
    isl_union_map *reads = pg_unwritten_reads(
        accesses_of(b, group, tiles, false), isl_union_map_copy(writes),
        isl_schedule_copy(scop->original));
    isl_set *elements = isl_map_range(pg_reference_relation(
        &b->groups.ref[group->ref[0]], &b->components, scop));
    isl_map *box = box_of(b, group, tiles, elements);
    isl_bool nothing;
    bool always;

    home->in = by_tile(reads, box);
    home->back = by_tile(writes, box);
    nothing = isl_map_is_empty(home->in);
    b->ok &= nothing >= 0;
    home->whole = where_whole(b, box, home->in, tiles, &home->always);
    home->whole_back = where_whole(b, box, home->back, tiles, &always);
    if (always)
        home->whole_back = isl_set_free(home->whole_back);
    home->in = nothing == isl_bool_false ? shorten(b, home->in, box)
                                         : isl_map_free(home->in);
    home->back = shorten(b, home->back, box);
    isl_set_free(elements);
    isl_map_free(box);
}
