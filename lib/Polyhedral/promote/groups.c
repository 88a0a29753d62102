/* groups.c - array reference groups: which accesses share a buffer.
 *
 * Follows section 7.2 of Verdoolaege et al., "Polyhedral parallel code
 * generation for CUDA", TACO 9(4), 2013: references to one array start as
 * groups of their own, and two groups become one when the box around both has
 * no more elements than their boxes together.  The box of a tile has constant
 * extents and an offset that is affine in the numbers of the tile; where all
 * references step over elements, the box has only every n-th one.  Of an array
 * that a component writes, all references of the component are one group,
 * whatever its size, or there is none: an element must not be in memory and in
 * a buffer, or in two, at a time.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/groups.h"
#include "polygpu/polyhedral.h"
#include "promote/components.h"
#include "promote/tiles.h"
#include "schedule/sizes.h"
#include "support/text.h"

#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_ELEMENTS = 1 << 16,
    MOST_PAD = 7 /* elements behind a row (odd_words in sharing.c) */
};

/* Is the constant or a coefficient "value" a multiple of "n"? */
bool pg_is_multiple(__isl_take isl_val *value, long n)
{
    isl_val *divisor = isl_val_int_from_si(isl_val_get_ctx(value), n);
    bool multiple = isl_val_is_divisible_by(value, divisor) == isl_bool_true;

    isl_val_free(value);
    isl_val_free(divisor);
    return multiple;
}

/* "value" as a long in "*to"; false if it is none. */
static bool take_long(__isl_take isl_val *value, long *to)
{
    bool ok = isl_val_is_int(value) == isl_bool_true &&
              isl_val_cmp_si(value, 1L << 30) < 0 &&
              isl_val_cmp_si(value, -(1L << 30)) > 0;

    if (ok)
        *to = isl_val_get_num_si(value);
    isl_val_free(value);
    return ok;
}

/* Set the factors of "ref" from "element", { V -> A[x] }; false if they are
 * not numbers.
 */
static bool find_factors(struct pg_reference *ref,
                         __isl_keep isl_multi_aff *element)
{
    bool ok = ref->n_v <= PG_MAX_SIZES;

    ref->factor = pg_alloc(ref->n_dim, sizeof(*ref->factor));
    for (unsigned e = 0; ok && e < ref->n_dim; e++) {
        isl_aff *aff = isl_multi_aff_get_aff(element, (int)e);

        ok = isl_aff_dim(aff, isl_dim_div) == 0;
        for (unsigned d = 0; ok && d < ref->n_v; d++)
            ok = take_long(isl_aff_get_coefficient_val(aff, isl_dim_in, (int)d),
                           &ref->factor[e][d]);
        isl_aff_free(aff);
    }
    return ok;
}

/* Describe access "a" of "placed" in "ref". */
static isl_stat describe(struct pg_reference *ref, const struct pg_scop *scop,
                         const struct pg_placed *placed, unsigned a)
{
    const struct pg_access *access = &scop->stmts[placed->stmt].accesses[a];
    isl_multi_aff *one;

    ref->access = a;
    ref->array = access->array;
    ref->n_dim = scop->arrays[access->array].n_dim;
    ref->n_v = (unsigned)isl_map_dim(placed->point, isl_dim_out);
    ref->write = access->write;
    if (!placed->free)
        return isl_stat_ok;
    one = pg_only_piece(access->relation);
    if (one)
        ref->element = isl_map_apply_domain(isl_map_from_multi_aff(one),
                                            isl_map_copy(placed->point));
    one = ref->element ? pg_only_piece(ref->element) : NULL;
    if (!one || !find_factors(ref, one))
        ref->element = isl_map_free(ref->element);
    isl_multi_aff_free(one);
    return isl_stat_ok;
}

/* Do neighbours in direction "x" access elements of different rows? */
bool pg_reference_scattered(const struct pg_reference *ref, unsigned x)
{
    for (unsigned e = 0; e + 1 < ref->n_dim; e++)
        if (ref->factor[e][x])
            return true;
    return false;
}

/* Do neighbours in direction "x" access elements of different rows, or so far
 * from each other that no vector has those from one to the next?
 */
bool pg_reference_apart(const struct pg_reference *ref, unsigned x,
                        unsigned elem_size)
{
    unsigned long elements =
        (unsigned long)labs(ref->factor[ref->n_dim - 1][x]);
    unsigned long bytes = elements * elem_size;

    return pg_reference_scattered(ref, x) ||
           (elements > 1 &&
            (bytes > PG_VECTOR_BYTES || (bytes & (bytes - 1)) != 0));
}

/* Does each point access one element of each array, so that tiles have nothing
 * to use again but rows and columns?
 */
bool pg_references_once(const struct pg_groups *groups)
{
    for (unsigned i = 0; i < groups->n_ref; i++) {
        const struct pg_reference *a = &groups->ref[i];

        for (unsigned j = 0; j < i; j++) {
            const struct pg_reference *b = &groups->ref[j];

            if (a->array == b->array &&
                (!a->element || !b->element ||
                 isl_map_plain_is_equal(a->element, b->element) !=
                     isl_bool_true))
                return false;
        }
    }
    return true;
}

/* The instances of "ref" in the kernel and what they access, { S[i] -> A[x] }.
 */
__isl_give isl_map *
pg_reference_relation(const struct pg_reference *ref,
                      const struct pg_components *components,
                      const struct pg_scop *scop)
{
    const struct pg_placed *placed = &components->placed[ref->placed];
    const struct pg_stmt *stmt = &scop->stmts[placed->stmt];

    return isl_map_intersect_domain(
        isl_map_copy(stmt->accesses[ref->access].relation),
        isl_set_copy(placed->domain));
}

/* What the launch writes of "array", or NULL for nothing. */
static __isl_give isl_set *written_of(const struct pg_groups *groups,
                                      const struct pg_components *components,
                                      const struct pg_scop *scop,
                                      unsigned array)
{
    isl_set *all = NULL;

    for (unsigned r = 0; r < groups->n_ref; r++) {
        const struct pg_reference *ref = &groups->ref[r];
        isl_set *one;

        if (ref->array != array || !ref->write)
            continue;
        one = isl_map_range(pg_reference_relation(ref, components, scop));
        all = all ? isl_set_union(all, one) : one;
    }
    return all;
}

/* Find the references that are settled.  Those of steps that are no blocks are
 * not: their kernels were measured with what is written in memory.
 */
static void find_settled(struct pg_groups *groups,
                         const struct pg_components *components,
                         const struct pg_scop *scop)
{
    for (unsigned r = 0; scop->blocks && r < groups->n_ref; r++) {
        struct pg_reference *ref = &groups->ref[r];
        isl_set *written;

        if (ref->write || !ref->element)
            continue;
        written = written_of(groups, components, scop, ref->array);
        if (written) {
            isl_set *read =
                isl_map_range(pg_reference_relation(ref, components, scop));

            ref->settled = isl_set_is_disjoint(read, written) == isl_bool_true;
            isl_set_free(read);
        }
        isl_set_free(written);
    }
}

/* All accesses to arrays with dimensions, as functions of the points of their
 * components.
 */
isl_stat pg_references_find(struct pg_groups *groups,
                            const struct pg_components *components,
                            const struct pg_scop *scop)
{
    isl_stat result = isl_stat_ok;

    for (unsigned i = 0; result == isl_stat_ok && i < components->n_placed;
         i++) {
        const struct pg_stmt *stmt = &scop->stmts[components->placed[i].stmt];

        for (unsigned a = 0; result == isl_stat_ok && a < stmt->n_access; a++) {
            if (scop->arrays[stmt->accesses[a].array].n_dim == 0)
                continue;
            groups->ref =
                pg_grow(groups->ref, groups->n_ref, sizeof(*groups->ref));
            groups->ref[groups->n_ref].placed = i;
            result = describe(&groups->ref[groups->n_ref++], scop,
                              &components->placed[i], a);
        }
    }
    find_settled(groups, components, scop);
    return result;
}

/* The sizes of tiles in dimension "d" of the "n" of V; "outer": all of the
 * sequential loops count as one tile.
 */
static long long size_of(const struct pg_tile_sizes *sizes, unsigned d,
                         unsigned n)
{
    if (d < sizes->n)
        return sizes->tile[d];
    return d + 1 < n ? 1 : sizes->k_tile;
}

static unsigned greatest_divisor(unsigned a, unsigned b)
{
    return b == 0 ? a : greatest_divisor(b, a % b);
}

/* A box has "range" + 1 elements from the first to the last in dimension "d",
 * of which those at multiples of "stride" count; 0: there is only one.
 */
static void set_extent(struct pg_group *group, unsigned d, unsigned long range,
                       unsigned stride)
{
    unsigned long n = stride ? range / stride + 1 : 1;

    group->stride[d] = stride ? stride : 1;
    group->extent[d] = n < MAX_ELEMENTS ? (unsigned)n : MAX_ELEMENTS;
}

/* The elements from the first to the last of a box of reference "ref" alone in
 * dimension "e", less one, and in "*least" where the first one is, from that of
 * the tile's first point; "*stride" is 0 if there is only one.
 */
static long long span_of(const struct pg_reference *ref, unsigned e,
                         unsigned n_c, const struct pg_tile_sizes *sizes,
                         long long *least, unsigned *stride)
{
    long long range = 0;

    *least = 0;
    *stride = 0;
    for (unsigned d = 0; d < n_c; d++) {
        long factor = ref->factor[e][d];
        long long span = factor * (size_of(sizes, d, ref->n_v) - 1);

        *least += span < 0 ? span : 0;
        range += llabs(span);
        if (span)
            *stride = greatest_divisor((unsigned)labs(factor), *stride);
    }
    return range;
}

/* Are the elements of a tile at distances that an int holds? */
static bool is_near(const struct pg_reference *ref,
                    const struct pg_tile_sizes *sizes)
{
    long long least;
    unsigned stride;

    for (unsigned e = 0; e < ref->n_dim; e++)
        if (span_of(ref, e, ref->n_v, sizes, &least, &stride) > INT_MAX)
            return false;
    return true;
}

/* Set the box of "group", of reference "ref" alone: its smallest element in the
 * tiles c, { [c] -> A[x] }, and the elements from there in each dimension;
 * without the sequential loops if the reference does not depend on them.
 */
static void set_box(struct pg_group *group, const struct pg_reference *ref,
                    const struct pg_tile_sizes *sizes)
{
    isl_multi_aff *element = pg_only_piece(ref->element), *tiles;
    unsigned n_c = group->inner ? ref->n_v : sizes->n;
    isl_space *space = isl_space_domain(isl_multi_aff_get_space(element));

    space = isl_space_drop_dims(space, isl_dim_set, n_c, ref->n_v - n_c);
    tiles = isl_multi_aff_zero(isl_space_map_from_domain_and_range(
        space, isl_space_domain(isl_multi_aff_get_space(element))));
    for (unsigned d = 0; d < n_c; d++) {
        isl_aff *aff =
            isl_aff_var_on_domain(isl_local_space_from_space(isl_space_domain(
                                      isl_multi_aff_get_space(tiles))),
                                  isl_dim_set, d);

        aff = isl_aff_scale_val(
            aff, isl_val_int_from_si(isl_aff_get_ctx(aff),
                                     (long)size_of(sizes, d, ref->n_v)));
        tiles = isl_multi_aff_set_aff(tiles, (int)d, aff);
    }
    element = isl_multi_aff_pullback_multi_aff(element, tiles);
    for (unsigned e = 0; e < ref->n_dim; e++) {
        isl_aff *aff = isl_multi_aff_get_aff(element, (int)e);
        long long least, range;
        unsigned stride;

        range = span_of(ref, e, n_c, sizes, &least, &stride);
        element = isl_multi_aff_set_aff(
            element, (int)e, isl_aff_add_constant_si(aff, (int)least));
        set_extent(group, e, (unsigned long)range, stride);
    }
    group->offset = element;
}

/* The number of elements in a box; 0 if it is too large. */
static unsigned long volume(const struct pg_group *group)
{
    unsigned long n = 1;

    for (unsigned e = 0; e < group->n_dim; e++) {
        n *= group->extent[e];
        if (n >= MAX_ELEMENTS)
            return 0;
    }
    return n;
}

/* A group of reference "r" alone. */
static void start_group(struct pg_groups *groups,
                        const struct pg_components *components,
                        const struct pg_tile_sizes *sizes, unsigned r)
{
    const struct pg_reference *ref = &groups->ref[r];
    unsigned component = components->placed[ref->placed].component;
    struct pg_group *group;

    groups->group = pg_grow(groups->group, groups->n, sizeof(*groups->group));
    group = &groups->group[groups->n++];
    group->component = component;
    group->array = ref->array;
    group->n_dim = ref->n_dim;
    group->extent = pg_alloc(ref->n_dim, sizeof(*group->extent));
    group->stride = pg_alloc(ref->n_dim, sizeof(*group->stride));
    group->ref = pg_alloc(1, sizeof(*group->ref));
    group->ref[0] = r;
    group->n_ref = 1;
    for (unsigned d = components->n_parallel; d < ref->n_v; d++)
        for (unsigned e = 0; e < ref->n_dim; e++)
            group->inner |= ref->factor[e][d] != 0;
    set_box(group, ref, sizes);
}

/* Free what "group" holds. */
static void clear_group(struct pg_group *group)
{
    free(group->ref);
    free(group->extent);
    free(group->stride);
    isl_multi_aff_free(group->offset);
}

/* Remove group number "g". */
static void remove_group(struct pg_groups *groups, unsigned g)
{
    clear_group(&groups->group[g]);
    groups->n--;
    memmove(&groups->group[g], &groups->group[g + 1],
            (groups->n - g) * sizeof(*groups->group));
}

/* Make groups number "g" and "h" one if that takes no more elements, or they
 * are written: their boxes have to be at constant distances.
 */
static bool merge(struct pg_groups *groups, unsigned g, unsigned h)
{
    struct pg_group *a = &groups->group[g], *b = &groups->group[h];
    struct pg_group joint = *a;
    unsigned long n;
    bool ok = a->component == b->component && a->array == b->array &&
              a->inner == b->inner && a->settled == b->settled;

    if (!ok)
        return false;
    joint.offset = isl_multi_aff_copy(a->offset);
    joint.extent = pg_alloc(a->n_dim, sizeof(*joint.extent));
    joint.stride = pg_alloc(a->n_dim, sizeof(*joint.stride));
    for (unsigned e = 0; ok && e < a->n_dim; e++) {
        isl_aff *low = isl_multi_aff_get_aff(a->offset, (int)e);
        isl_aff *other = isl_multi_aff_get_aff(b->offset, (int)e), *less;
        long distance = 0, last, last_b;
        unsigned stride = a->extent[e] > 1 ? a->stride[e] : 0;

        less = isl_aff_sub(other, isl_aff_copy(low));
        ok = isl_aff_is_cst(less) == isl_bool_true &&
             take_long(isl_aff_get_constant_val(less), &distance);
        isl_aff_free(less);
        last = (long)(a->extent[e] - 1) * a->stride[e];
        last_b = distance + (long)(b->extent[e] - 1) * b->stride[e];
        last = last_b > last ? last_b : last;
        if (distance < 0) {
            low = isl_aff_add_constant_si(low, (int)distance);
            last -= distance;
        }
        joint.offset = isl_multi_aff_set_aff(joint.offset, (int)e, low);
        if (b->extent[e] > 1)
            stride = greatest_divisor(b->stride[e], stride);
        stride = greatest_divisor((unsigned)labs(distance), stride);
        ok = ok && last <= INT_MAX;
        set_extent(&joint, e, (unsigned long)last, stride);
    }
    n = volume(&joint);
    if (!ok || n == 0 || (!a->written && n > volume(a) + volume(b))) {
        isl_multi_aff_free(joint.offset);
        free(joint.extent);
        free(joint.stride);
        return false;
    }
    joint.n_ref = a->n_ref + b->n_ref;
    joint.ref = pg_alloc(joint.n_ref, sizeof(*joint.ref));
    memcpy(joint.ref, a->ref, a->n_ref * sizeof(*joint.ref));
    memcpy(joint.ref + a->n_ref, b->ref, b->n_ref * sizeof(*joint.ref));
    clear_group(a);
    *a = joint;
    remove_group(groups, h);
    return true;
}

/* What a kernel does with an array, beside one component of it. */
struct use {
    bool written;  /* in the kernel */
    bool here;     /* the component writes it, */
    bool apart;    /* neighbours apart from each other */
    bool before;   /* components in front access it, */
    bool behind;   /* or later ones */
    bool possible; /* it may be written to a buffer in the component */
};

/* How the kernel uses the array of reference number "r", seen from its
 * component.  To buffers goes what is written for certain at known places, in
 * statements whose instances run once.
 */
static struct use find_use(const struct pg_groups *groups,
                           const struct pg_components *components,
                           const struct pg_scop *scop,
                           const struct pg_tile_sizes *sizes, unsigned r)
{
    unsigned array = groups->ref[r].array;
    const struct pg_placed *of = &components->placed[groups->ref[r].placed];
    struct use use = {.possible = !scop->arrays[array].flagged &&
                                  scop->arrays[array].kind == PG_ARRAY_MEMORY};

    for (unsigned i = 0; i < groups->n_ref; i++) {
        const struct pg_reference *ref = &groups->ref[i];
        const struct pg_placed *placed = &components->placed[ref->placed];
        const struct pg_stmt *stmt = &scop->stmts[placed->stmt];
        const struct pg_access *access = &stmt->accesses[ref->access];

        if (ref->array != array || ref->settled)
            continue;
        use.written |= ref->write;
        use.before |= placed->component < of->component;
        use.behind |= placed->component > of->component;
        if (placed->component != of->component)
            continue;
        use.here |= ref->write;
        use.apart |= ref->write && ref->element &&
                     pg_reference_apart(ref, components->n_parallel - 1,
                                        scop->arrays[array].elem_size);
        use.possible = use.possible && ref->element && is_near(ref, sizes) &&
                       !access->guarded && (access->must || !ref->write) &&
                       stmt->n_tile <= 1;
    }
    return use;
}

/* Remove groups that are too large, and those of an array that is written that
 * did not become one.
 */
static void keep_usable(struct pg_groups *groups)
{
    bool *remove = pg_alloc(groups->n, sizeof(*remove));

    for (unsigned g = 0; g < groups->n; g++) {
        const struct pg_group *group = &groups->group[g];

        remove[g] = volume(group) == 0;
        for (unsigned h = 0; group->written && h < groups->n; h++)
            remove[g] |= h != g && groups->group[h].array == group->array &&
                         !groups->group[h].settled &&
                         groups->group[h].component == group->component;
    }
    for (unsigned g = groups->n; g-- > 0;)
        if (remove[g])
            remove_group(groups, g);
    free(remove);
}

/* Group the references to arrays for tiles of these sizes.  Groups without a
 * box of constant extents are left out, and those whose elements are further
 * apart than an int says; arrays that are written elsewhere in the kernel, or
 * so that the stores of neighbours are together, too.
 */
isl_stat pg_groups_find(struct pg_groups *groups,
                        const struct pg_components *components,
                        const struct pg_scop *scop,
                        const struct pg_tile_sizes *sizes)
{
    for (unsigned r = 0; r < groups->n_ref; r++) {
        const struct pg_reference *ref = &groups->ref[r];
        enum pg_array_kind kind = scop->arrays[ref->array].kind;
        struct use use = find_use(groups, components, scop, sizes, r);

        if (!ref->element || !is_near(ref, sizes) ||
            (use.written && !ref->settled &&
             !(use.here && use.apart && use.possible)) ||
            (kind != PG_ARRAY_MEMORY && kind != PG_ARRAY_TEMPORARY))
            continue;
        start_group(groups, components, sizes, r);
        groups->group[groups->n - 1].written = use.here && !ref->settled;
        groups->group[groups->n - 1].settled = ref->settled;
        groups->group[groups->n - 1].before = use.before;
        groups->group[groups->n - 1].behind = use.behind;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned g = 0; g < groups->n; g++)
            for (unsigned h = g + 1; h < groups->n; h++)
                if (merge(groups, g, h)) {
                    changed = true;
                    h--;
                }
    }
    keep_usable(groups);
    for (unsigned g = 0; g < groups->n; g++)
        if (!groups->group[g].offset)
            return isl_stat_error;
    return isl_stat_ok;
}

/* The bytes of a buffer for "group", of elements of "elem_size" bytes. */
unsigned long pg_group_bytes(const struct pg_group *group, unsigned elem_size)
{
    unsigned last = group->extent[group->n_dim - 1];

    return volume(group) / last * (last + MOST_PAD) * elem_size;
}

/* Free what "groups" holds. */
void pg_groups_clear(struct pg_groups *groups)
{
    for (unsigned r = 0; r < groups->n_ref; r++) {
        isl_map_free(groups->ref[r].element);
        free(groups->ref[r].factor);
    }
    free(groups->ref);
    for (unsigned g = 0; g < groups->n; g++)
        clear_group(&groups->group[g]);
    free(groups->group);
    memset(groups, 0, sizeof(*groups));
}
