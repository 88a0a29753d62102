/* boxes.c - boxes of arrays that a block works on in shared memory.
 *
 * Where each value of a kernel's one parallel loop has a block and the loops
 * inside go to its threads (map/nest.c), what threads exchange goes through the
 * device's memory, and comes from there again in each step of the loops around
 * the nests.  A group of references that touch the same elements (Verdoolaege
 * et al. 2013, 7.2: with writes) is worked on in shared memory instead, if the
 * elements of one value fit into a box of constant size:
 *
 *   copy in   what the value reads and has not written before
 *   barrier, unless each nest has one in front of it
 *   the nests, with the barriers that they have anyway
 *   barrier
 *   back      exactly what the value writes, if anybody reads it later
 *
 * Legal: no dependence within the launch connects two values (map/kernel.c
 * verifies that), so that no other block writes what is copied in, and none
 * reads or writes what goes back; groups of an array have no element in common
 * that is used for one value; writes happen for certain (dependences.c refuses
 * others); and the nests' barriers are for accesses of threads of a block,
 * wherever the elements are.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/boxes.h"
#include "map/buffers.h"
#include "map/instances.h"
#include "map/mapping.h"
#include "map/nest.h"
#include "map/shape.h"
#include "polygpu/machine.h"
#include "promote/box_pays.h"
#include "promote/box_references.h"
#include "promote/building.h"
#include "promote/groups.h"
#include "promote/strategy.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/coalesce.h"
#include "support/machine.h"
#include "support/text.h"
#include "support/values.h"

#include <isl/fixed_box.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

/* What is under construction. */
struct making {
    struct pg_boxes *boxes;
    const struct pg_boxing *what;
    struct pg_boxed_kernel kernel;
    isl_set *known;      /* of the parameters */
    unsigned long bytes; /* of all boxes */
    bool crowded, ok;
};

/* { A[x] } with the subscripts that the array has by its extents, where these
 * are numbers: the first dimension has none, and temporaries are as large as
 * what is accessed.
 */
static __isl_give isl_set *within(const struct pg_array *array,
                                  __isl_take isl_space *space)
{
    isl_set *set = isl_set_universe(space);

    for (unsigned d = 1; array->kind == PG_ARRAY_MEMORY && d < array->n_dim;
         d++) {
        isl_val *n;

        if (isl_pw_aff_is_cst(array->extent[d]) != isl_bool_true)
            continue;
        n = pg_largest_value(isl_map_range(
            isl_map_from_pw_aff(isl_pw_aff_copy(array->extent[d]))));
        n = isl_val_sub_ui(n, 1);
        set = isl_set_lower_bound_si(set, isl_dim_set, d, 0);
        set = isl_set_upper_bound_val(set, isl_dim_set, d, n);
    }
    return set;
}

/* Find the box of "all", { [v] -> A[x] }, of "array": the first element and the
 * extents in "box".  False if it has no constant size.
 */
static bool find_box(const struct making *m, struct pg_group *box,
                     const struct pg_array *array, __isl_keep isl_map *all)
{
    isl_map *map = isl_map_copy(all), *known;
    isl_fixed_box *hull;
    isl_multi_val *size;
    bool ok;

    map = isl_map_intersect_range(
        map, within(array, isl_space_range(isl_map_get_space(map))));
    known = isl_map_intersect_params(isl_map_copy(all), isl_set_copy(m->known));
    hull = isl_map_get_range_simple_fixed_box_hull(map);
    ok = isl_map_is_subset(known, map) == isl_bool_true &&
         isl_fixed_box_is_valid(hull) == isl_bool_true;
    isl_map_free(known);
    box->n_dim = array->n_dim;
    box->extent = pg_alloc(box->n_dim, sizeof(*box->extent));
    box->stride = pg_alloc(box->n_dim, sizeof(*box->stride));
    size = ok ? isl_fixed_box_get_size(hull) : NULL;
    box->offset = ok ? isl_fixed_box_get_offset(hull) : NULL;
    for (unsigned d = 0; ok && d < box->n_dim; d++) {
        isl_val *v = isl_multi_val_get_val(size, (int)d);

        ok = isl_val_is_int(v) == isl_bool_true &&
             isl_val_cmp_si(v, PG_STATIC_SHARED) <= 0 &&
             isl_val_is_pos(v) == isl_bool_true;
        box->extent[d] = ok ? (unsigned)isl_val_get_num_si(v) : 0;
        box->stride[d] = 1;
        isl_val_free(v);
    }
    isl_multi_val_free(size);
    isl_fixed_box_free(hull);
    isl_map_free(map);
    return ok && box->offset;
}

static void clear_box(struct pg_group *box)
{
    isl_multi_aff_free(box->offset);
    free(box->extent);
    free(box->stride);
}

/* { [v] -> A[x] } of the whole "box", in the space of "like". */
static __isl_give isl_map *whole_box(const struct pg_group *box,
                                     __isl_keep isl_map *like)
{
    isl_map *all = isl_map_from_multi_aff(isl_multi_aff_copy(box->offset));
    struct pg_text text = {0};
    char *further;

    pg_text_add(&text, "{ [");
    for (unsigned d = 0; d < box->n_dim; d++)
        pg_text_add(&text, d ? ", a%u" : "a%u", d);
    pg_text_add(&text, "] -> [");
    for (unsigned d = 0; d < box->n_dim; d++)
        pg_text_add(&text, d ? ", b%u" : "b%u", d);
    pg_text_add(&text, "]");
    for (unsigned d = 0; d < box->n_dim; d++)
        pg_text_add(&text, "%s a%u <= b%u < a%u + %u", d ? " and" : " :", d, d,
                    d, box->extent[d]);
    pg_text_add(&text, " }");
    further = pg_text_take(&text);
    all = isl_map_reset_tuple_id(all, isl_dim_out);
    all = isl_map_apply_range(
        all, isl_map_read_from_str(isl_map_get_ctx(like), further));
    free(further);
    return isl_map_set_tuple_id(all, isl_dim_out,
                                isl_map_get_tuple_id(like, isl_dim_out));
}

/* Where all of "box" is in "part", { [v] -> A[x] }; NULL if that is everywhere,
 * or after an error.
 */
static __isl_give isl_set *
where_whole(struct making *m, __isl_keep isl_map *box, __isl_keep isl_map *part)
{
    isl_map *rest = isl_map_subtract(isl_map_copy(box), isl_map_copy(part));
    isl_set *values = m->boxes->values, *whole;
    isl_bool always = isl_map_is_empty(rest);

    m->ok &= always >= 0;
    whole = isl_set_subtract(isl_set_copy(values), isl_map_domain(rest));
    whole = isl_set_gist(pg_coalesce(whole), isl_set_copy(values));
    whole = isl_set_gist_params(whole, isl_set_copy(m->known));
    m->ok &= whole != NULL;
    return always == isl_bool_false ? whole : isl_set_free(whole);
}

/* "part" of "box" without what is known of elements of that, and of parameters.
 */
static __isl_give isl_map *simplify(struct making *m, __isl_keep isl_map *box,
                                    __isl_take isl_map *part)
{
    part = isl_map_gist(part, isl_map_copy(box));
    part = isl_map_gist_params(part, isl_set_copy(m->known));
    m->ok &= part != NULL;
    return part;
}

/* What is moved of "box": whole boxes, and which elements of others. */
static void find_moved(struct making *m, struct pg_home *home,
                       const struct pg_group *box)
{
    isl_map *all = whole_box(box, home->in ? home->in : home->back);

    all = isl_map_intersect_domain(all, isl_set_copy(m->boxes->values));
    if (home->in) {
        home->whole = where_whole(m, all, home->in);
        home->always = home->whole == NULL;
        home->in = simplify(m, all, home->in);
    }
    if (home->back) {
        home->whole_back = where_whole(m, all, home->back);
        home->back = simplify(m, all, home->back);
    }
    isl_map_free(all);
}

/* Which elements of the box of "group" are copied, and which go back. */
static void find_parts(struct making *m, struct pg_home *home,
                       const struct pg_box_references *refs, unsigned group)
{
    isl_map *written = pg_box_elements(refs, group, true);
    isl_bool none = isl_map_is_empty(written), later = isl_bool_false, empty;

    home->in = pg_box_unwritten(refs, group);
    empty = isl_map_is_empty(home->in);
    if (none == isl_bool_false)
        later = pg_box_is_read_later(refs, group);
    m->ok &= none >= 0 && empty >= 0 && later >= 0;
    if (empty == isl_bool_true)
        home->in = isl_map_free(home->in);
    if (later == isl_bool_true)
        home->back = written;
    else
        isl_map_free(written);
}

/* Have room only for the planes of "array" that are needed at the same time. */
static void fold(struct pg_group *box, const struct pg_array *array)
{
    if (array->planes && array->planes < box->extent[array->plane])
        box->extent[array->plane] = array->planes;
}

/* How the box lies in shared memory. */
static void lay_out(const struct making *m, struct pg_buffer *buffer,
                    const struct pg_group *box, bool across)
{
    unsigned size = m->what->scop->arrays[buffer->array].elem_size;
    unsigned row = box->extent[box->n_dim - 1];

    memcpy(buffer->extent, box->extent, box->n_dim * sizeof(*box->extent));
    memcpy(buffer->stride, box->stride, box->n_dim * sizeof(*box->stride));
    buffer->innermost = box->n_dim - 1;
    buffer->pad = box->n_dim > 1 && across && row % 2 == 0;
    buffer->vector = pg_group_vector(box, size);
    buffer->stages = 1;
    buffer->async = pg_machine_of(m->what->options)->arch >= PG_ASYNC_ARCH &&
                    (size == 4 || size == 8 || size == 16);
    buffer->slot = m->boxes->n - 1;
}

/* One more buffer, and where its elements are. */
static struct pg_buffer *add_buffer(struct pg_boxes *boxes,
                                    const struct pg_array *array,
                                    unsigned number)
{
    unsigned n = boxes->n++;
    struct pg_buffer *buffer;

    boxes->buffers = pg_grow(boxes->buffers, n, sizeof(*boxes->buffers));
    boxes->promotion->home =
        pg_grow(boxes->promotion->home, n, sizeof(*boxes->promotion->home));
    boxes->promotion->n_buffer = boxes->n;
    buffer = &boxes->buffers[n];
    buffer->kind = PG_BUFFER_SHARED;
    buffer->array = number;
    buffer->n_dim = array->n_dim;
    buffer->extent = pg_alloc(array->n_dim, sizeof(*buffer->extent));
    buffer->stride = pg_alloc(array->n_dim, sizeof(*buffer->stride));
    buffer->folded = array->planes > 0;
    buffer->plane = array->plane;
    buffer->name = pg_format("shared%u_%s", n, array->name);
    return buffer;
}

/* Work on "group" in "box"; "home" says what is moved, and belongs to the
 * buffer then.
 */
static void work_in(struct making *m, const struct pg_box_references *refs,
                    unsigned group, const struct pg_group *box,
                    const struct pg_home *home)
{
    unsigned n = m->boxes->n;
    struct pg_buffer *buffer =
        add_buffer(m->boxes, &m->what->scop->arrays[refs->array], refs->array);
    struct pg_home *own = &m->boxes->promotion->home[n];
    isl_bool across =
        m->what->of_block ? isl_bool_false : pg_box_is_across(refs, group);

    *own = *home;
    own->offset = isl_multi_aff_copy(box->offset);
    lay_out(m, buffer, box, across == isl_bool_true);
    m->ok &= across >= 0;
    if (own->in || own->back)
        find_moved(m, own, box);
    for (unsigned i = 0; i < refs->n; i++) {
        const struct pg_box_reference *ref = &refs->ref[i];

        if (ref->group != group)
            continue;
        buffer->written |= ref->write;
        m->boxes->promotion->buffer[ref->s][ref->a] = (int)n;
    }
}

/* Is there room for "box" of elements of "size" bytes? */
static bool has_room(struct making *m, const struct pg_group *box,
                     unsigned size)
{
    unsigned long n = size, limit = PG_STATIC_SHARED;

    // Sizes of overlapping tiles have been chosen for what there is.
    if (m->what->of_block)
        limit = pg_machine_of(m->what->options)->block_shared;
    for (unsigned d = 0; d < box->n_dim && n <= limit; d++)
        n *= box->extent[d] + (d + 1 == box->n_dim);
    if (n + m->bytes > limit) {
        m->crowded = true;
        return false;
    }
    m->bytes += (n + 16 * size - 1) / (16 * size) * (16 * size);
    return true;
}

/* Work on "group" in shared memory if that can be and pays. */
static void try_group(struct making *m, const struct pg_box_references *refs,
                      unsigned group)
{
    const struct pg_array *array = &m->what->scop->arrays[refs->array];
    bool forced = m->what->of_block || m->what->options->promote_all;
    isl_map *all = pg_box_elements(refs, group, false);
    struct pg_group box = {0};
    struct pg_home home = {0};
    isl_bool pays = isl_bool_false, own = isl_bool_false;

    if (!m->what->of_block && array->dead_after &&
        array->kind != PG_ARRAY_MEMORY)
        own = pg_box_is_own(refs, group); // a register will do
    if (own == isl_bool_false && find_box(m, &box, array, all)) {
        fold(&box, array);
        if (!m->what->of_block)
            find_parts(m, &home, refs, group);
        pays = forced ? isl_bool_true
                      : pg_box_pays(refs, group,
                                    (home.in != NULL) + (home.back != NULL));
    }
    m->ok &= own >= 0 && pays >= 0;
    if (m->ok && pays == isl_bool_true && has_room(m, &box, array->elem_size)) {
        work_in(m, refs, group, &box, &home);
    } else {
        isl_map_free(home.in);
        isl_map_free(home.back);
    }
    isl_map_free(all);
    clear_box(&box);
}

/* How many elements the box of references of "group", or also of "other", has;
 * negative: there is none.
 */
static double box_size(const struct making *m,
                       const struct pg_box_references *refs, unsigned group,
                       unsigned other)
{
    const struct pg_array *array = &m->what->scop->arrays[refs->array];
    isl_map *all = pg_box_elements(refs, group, false);
    struct pg_group box = {0};
    double n = -1;

    if (other != group)
        all = isl_map_union(all, pg_box_elements(refs, other, false));
    if (find_box(m, &box, array, all))
        n = 1;
    for (unsigned d = 0; d < box.n_dim; d++)
        n *= box.extent[d];
    clear_box(&box);
    isl_map_free(all);
    return n;
}

/* Join groups that lie between each other, like every other element: what is
 * moved is simpler then, and one box is no larger than two.
 */
static void join_groups(const struct making *m, struct pg_box_references *refs)
{
    for (unsigned i = 0; i < refs->n; i++)
        for (unsigned j = i + 1; j < refs->n; j++) {
            double both;

            if (refs->ref[i].group != i || refs->ref[j].group != j)
                continue;
            both = box_size(m, refs, i, j);
            if (both >= 0 &&
                both <= box_size(m, refs, i, i) + box_size(m, refs, j, j))
                pg_box_references_join(refs, i, j);
        }
}

/* The boxes of array "a". */
static void try_array(struct making *m, unsigned a)
{
    const struct pg_array *array = &m->what->scop->arrays[a];
    struct pg_box_references refs;

    if (array->n_dim == 0 || array->flagged ||
        array->of_block != m->what->of_block)
        return;
    m->ok &= pg_box_references_find(&refs, &m->kernel, a);
    if (m->ok)
        join_groups(m, &refs);
    if (m->ok)
        for (unsigned i = 0; m->ok && i < refs.n; i++)
            if (refs.ref[i].group == i)
                try_group(m, &refs, i);
    pg_box_references_clear(&refs);
}

/* The values of which a block has had another one before; all of them if it is
 * not known which are the first ones.
 */
static __isl_give isl_set *find_again(const struct making *m)
{
    const struct pg_shape *shape = m->what->shape;
    isl_ctx *ctx = isl_set_get_ctx(m->boxes->values);
    isl_bool natural = pg_is_natural(m->boxes->values);
    isl_set *first;

    if (natural != isl_bool_true)
        return natural < 0 ? NULL : isl_set_copy(m->boxes->values);
    first = isl_set_read_from_str(ctx, "{ [] }");
    for (unsigned d = 0; d < shape->n_grid; d++) {
        bool all = shape->grid[d] == PG_GRID_ALL;
        char *text =
            all ? pg_format("{ [v] : v >= 0 and v mod %lld = 0 }",
                            shape->tile[d])
                : pg_format("{ [v] : 0 <= v < %lld and v mod %lld = 0 "
                            "}",
                            shape->tile[d] * shape->grid[d], shape->tile[d]);

        first = isl_set_flat_product(first, isl_set_read_from_str(ctx, text));
        free(text);
    }
    return isl_set_subtract(isl_set_copy(m->boxes->values), first);
}

/* What all boxes are found from. */
static void begin(struct making *m)
{
    const struct pg_boxing *what = m->what;
    isl_union_map *place, *time;

    m->known = pg_kernel_params(what->scop, what->kernel);
    m->kernel.scop = what->scop;
    m->kernel.domain = what->kernel->domain;
    place = isl_union_map_from_multi_union_pw_aff(
        pg_tree_join(isl_union_pw_aff_list_copy(what->members)));
    m->kernel.place = isl_union_map_intersect_domain(
        place, isl_union_set_copy(m->kernel.domain));
    m->kernel.thread =
        isl_union_map_from_union_pw_aff(pg_nests_thread(what->nests));
    time = isl_union_map_from_multi_union_pw_aff(pg_nests_time(what->nests));
    m->kernel.when = isl_union_map_flat_range_product(
        time, isl_union_map_copy(m->kernel.thread));
    m->boxes->promotion = pg_promotion_alloc(what->scop);
    m->boxes->values = isl_set_from_union_set(
        isl_union_map_range(isl_union_map_copy(m->kernel.place)));
    m->boxes->again = find_again(m);
    for (unsigned k = 0; k < what->nests->n; k++)
        m->boxes->n_barrier += what->nests->nest[k].barrier;
    m->boxes->every = m->boxes->n_barrier == what->nests->n;
    m->boxes->n_barrier += what->nests->folded;
    m->ok = m->kernel.place && m->kernel.when && m->boxes->again;
}

/* Find the boxes that blocks of a kernel work on; NULL, or why there are none.
 * "boxes" is to be cleared whatever comes out.
 */
const char *pg_boxes_find(struct pg_boxes *boxes, const struct pg_boxing *what)
{
    struct making m = {.boxes = boxes, .what = what};

    memset(boxes, 0, sizeof(*boxes));
    if (what->number < what->options->n_attempt &&
        what->options->attempt[what->number].smaller)
        return "their kernel has too much code or too many registers";
    begin(&m);
    for (unsigned a = 0; m.ok && a < what->scop->n_array; a++)
        try_array(&m, a);
    boxes->promotion->place =
        isl_union_map_union(boxes->promotion->place, m.kernel.place);
    isl_union_map_free(m.kernel.when);
    isl_union_map_free(m.kernel.thread);
    isl_set_free(m.known);
    if (!m.ok)
        return "the boxes of the accesses are too complicated";
    if (boxes->n == 0 && m.crowded)
        return "what a block works on does not fit into shared memory";
    return boxes->n ? NULL : "";
}

/* What the boxes are, for remarks. */
static char *describe(const struct pg_boxes *boxes, const struct pg_scop *scop)
{
    struct pg_text text = {0};

    pg_text_add(&text, "blocks work on ");
    for (unsigned i = 0; i < boxes->n; i++) {
        const struct pg_buffer *buffer = &boxes->buffers[i];
        const struct pg_array *array = &scop->arrays[buffer->array];
        const struct pg_home *home = &boxes->promotion->home[i];

        pg_text_add(&text, "%s%s in %u bytes of shared memory%s%s",
                    i ? "; " : "",
                    array->source_name ? array->source_name : array->name,
                    pg_buffer_length(buffer) * array->elem_size,
                    home->in ? "" : ", not copied in",
                    !buffer->written ? ", only read"
                    : home->back     ? ""
                                     : ", not copied back");
    }
    return pg_text_take(&text);
}

/* Give "mapping" the boxes. */
void pg_boxes_give(struct pg_boxes *boxes, const struct pg_scop *scop,
                   struct pg_mapping *mapping)
{
    mapping->about = describe(boxes, scop);
    mapping->n_buffer = boxes->n;
    mapping->buffers = boxes->buffers;
    mapping->promotion = boxes->promotion;
    boxes->buffers = NULL;
    boxes->promotion = NULL;
}

/* Free what "boxes" holds. */
void pg_boxes_clear(struct pg_boxes *boxes)
{
    if (boxes->buffers)
        pg_buffers_free(boxes->buffers, boxes->n);
    pg_promotion_free(boxes->promotion);
    isl_set_free(boxes->values);
    isl_set_free(boxes->again);
}
