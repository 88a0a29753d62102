/* promote.c - a kernel that works on shared memory and registers.
 *
 * The decisions, in their order: what is run one after the other
 * (components.c), what stays in registers (registers.c), how large tiles are
 * (tile_sizes.c), what is read from shared memory (groups.c, buffers.c).  Then
 * the kernel's tree is built anew (promoted_tree.c).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/promote.h"
#include "map/buffers.h"
#include "map/grid.h"
#include "map/mapping.h"
#include "map/shape.h"
#include "map/user.h"
#include "polygpu/polyhedral.h"
#include "promote/building.h"
#include "promote/components.h"
#include "promote/groups.h"
#include "promote/promoted_tree.h"
#include "promote/promoting.h"
#include "promote/registers.h"
#include "promote/strategy.h"
#include "promote/tile_sizes.h"
#include "promote/tiles.h"
#include "support/phase.h"
#include "support/text.h"

#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

/* Set promotion->element. */
static void describe_moves(struct pg_building *b)
{
    struct pg_promotion *promotion = b->promotion;

    promotion->element =
        isl_union_map_empty(isl_set_get_space(b->what->scop->context));
    for (unsigned i = 0; i < b->registers.n; i++)
        for (int kind = PG_USER_LOAD; kind <= PG_USER_STORE; kind++)
            promotion->element = isl_union_map_add_map(
                promotion->element,
                isl_map_set_tuple_id(isl_map_copy(b->registers.reg[i].element),
                                     isl_dim_in,
                                     pg_user_id(b->ctx, (enum pg_user_kind)kind,
                                                b->n_shared + i)));
    promotion->n_point = b->sizes.n;
}

/* What was chosen, in words. */
static char *describe(const struct pg_building *b)
{
    const struct pg_scop *scop = b->what->scop;
    const struct pg_tile_sizes *sizes = &b->sizes;
    struct pg_text text = {0};

    pg_text_add(&text, "tile ");
    for (unsigned d = 0; d < sizes->n; d++)
        pg_text_add(&text, d ? " x %lld" : "%lld", sizes->tile[d]);
    if (sizes->k_tile > 1)
        pg_text_add(&text, ", steps of %lld", sizes->k_tile);
    pg_text_add(&text, ", a thread has ");
    for (unsigned d = 0; d < sizes->n; d++)
        pg_text_add(&text, d ? " x %lld" : "%lld",
                    sizes->tile[d] / sizes->threads[d]);
    if (sizes->more > 1)
        pg_text_add(&text, ", %lld times the threads copy", sizes->more);
    for (unsigned i = 0; i < b->n_buffer; i++) {
        char *where = pg_buffer_text(scop, &b->buffers[i]);

        pg_text_add(&text, "%s", where);
        free(where);
    }
    if (sizes->scarce)
        pg_text_add(&text, "; limited by registers");
    if (sizes->small)
        pg_text_add(&text, "; limited by the size of the loops");
    if (b->crowded)
        pg_text_add(&text, "; limited by shared memory");
    if (!sizes->given)
        pg_text_add(&text, "; sizes of a %s", sizes->strategy->name);
    return pg_text_take(&text);
}

/* Fill in how the members are mapped. */
static void fill_shape(const struct pg_building *b, struct pg_shape *shape)
{
    const struct pg_tile_sizes *sizes = &b->sizes;
    unsigned more = sizes->more > 1;

    memset(shape, 0, sizeof(*shape));
    shape->n_tile = sizes->n;
    pg_shape_grid(shape, sizes->n);
    shape->n_block = sizes->n + more;
    if (more)
        shape->block[0] = sizes->more;
    for (unsigned d = 0; d < sizes->n; d++) {
        shape->tile[d] = sizes->tile[d];
        shape->grid[d] = sizes->grid;
        shape->block[d + more] = sizes->threads[d];
    }
}

/* Does what "ref" accesses depend on a loop inside of the "n" parallel ones? */
static bool is_of_loop(const struct pg_reference *ref, unsigned n)
{
    for (unsigned s = 0; ref->element && s < ref->n_dim; s++)
        for (unsigned v = n; v < ref->n_v; v++)
            if (ref->factor[s][v])
                return true;
    return false;
}

static bool any_of_loop(const struct pg_groups *groups, unsigned n)
{
    for (unsigned r = 0; r < groups->n_ref; r++)
        if (is_of_loop(&groups->ref[r], n))
            return true;
    return false;
}

/* How many subscripts would depend on fewer of "n" parallel loops if loop "d"
 * counted by the sum of itself and loop "e"?  Where there are loops inside,
 * only what depends on them counts: the rest is accessed once, or in a
 * register.
 */
static int rate_sum(const struct pg_groups *groups, unsigned n, unsigned d,
                    unsigned e)
{
    bool loops = any_of_loop(groups, n);
    int score = 0;

    for (unsigned r = 0; r < groups->n_ref; r++) {
        const struct pg_reference *ref = &groups->ref[r];

        if (loops && !is_of_loop(ref, n))
            continue;
        for (unsigned s = 0; ref->element && s < ref->n_dim; s++) {
            long fd = ref->factor[s][d], fe = ref->factor[s][e];

            score += (fe != 0) - (fe - fd != 0);
        }
    }
    return score;
}

/* The constant in the last subscript of all that is written, if neighbouring
 * points of the last of "n" parallel loops write neighbouring elements and it
 * is the same for all, else 0.
 */
static long written_from(const struct pg_groups *groups, unsigned n)
{
    long from = 0;
    bool found = false;

    for (unsigned r = 0; r < groups->n_ref; r++) {
        const struct pg_reference *ref = &groups->ref[r];
        unsigned last = ref->n_dim - 1;
        isl_multi_aff *element;
        isl_aff *aff;
        isl_val *value;
        long constant;

        if (!ref->write)
            continue;
        if (!ref->element || ref->n_v != n || ref->factor[last][n - 1] != 1)
            return 0;
        element = pg_only_piece(ref->element);
        aff = isl_multi_aff_get_aff(element, (int)last);
        value = isl_aff_get_constant_val(aff);
        constant = isl_val_get_num_si(value);
        isl_val_free(value);
        isl_aff_free(aff);
        isl_multi_aff_free(element);
        if (found && constant != from)
            return 0;
        found = true;
        from = constant;
    }
    return labs(from) < 1L << 30 ? from : 0;
}

/* "members" with "constant" added to number "d". */
static __isl_give isl_union_pw_aff_list *
add_constant(__isl_take isl_union_pw_aff_list *members, unsigned d,
             long constant)
{
    isl_union_pw_aff *member =
        isl_union_pw_aff_list_get_union_pw_aff(members, (int)d);
    isl_val *value =
        isl_val_int_from_si(isl_union_pw_aff_get_ctx(member), constant);
    isl_union_pw_aff *more = isl_union_pw_aff_val_on_domain(
        isl_union_pw_aff_domain(isl_union_pw_aff_copy(member)), value);

    return isl_union_pw_aff_list_set_union_pw_aff(
        members, (int)d, isl_union_pw_aff_add(member, more));
}

/* "members" with the parallel ones such that subscripts depend on as few of
 * them as possible: where A[i + j] is used with a loop j that starts at 0, it
 * becomes the loop over i + j.  As dependences connect equal values of all
 * parallel members, they connect equal sums of them.  The loop along rows
 * counts as what it writes does where no tile has elements to use again, so
 * that tiles begin where vectors do.
 */
__isl_give isl_union_pw_aff_list *
pg_promote_members(const struct pg_promoting *what)
{
    isl_union_pw_aff_list *members = isl_union_pw_aff_list_copy(what->members);
    unsigned n = what->n_parallel;

    for (unsigned round = 0; round < n; round++) {
        struct pg_components components = {0};
        struct pg_groups groups = {0};
        unsigned best_d = n, best_e = n;
        long from = 0;
        int most = 0;

        if (pg_components_find(&components, what->scop, members, n, what->inner,
                               what->kernel->domain,
                               isl_union_map_copy(what->order)) ==
                isl_stat_ok &&
            pg_references_find(&groups, &components, what->scop) == isl_stat_ok)
            for (unsigned d = 0; d < n; d++)
                for (unsigned e = 0; e < n; e++) {
                    int score = d == e ? 0 : rate_sum(&groups, n, d, e);

                    if (score > most) {
                        most = score;
                        best_d = d;
                        best_e = e;
                    }
                }
        if (n == 1 || pg_references_once(&groups))
            from = written_from(&groups, n);
        if (from)
            members = add_constant(members, n - 1, from);
        pg_components_clear(&components);
        pg_groups_clear(&groups);
        if (best_d == n)
            break;
        members = isl_union_pw_aff_list_set_union_pw_aff(
            members, (int)best_d,
            isl_union_pw_aff_add(
                isl_union_pw_aff_list_get_union_pw_aff(members, (int)best_d),
                isl_union_pw_aff_list_get_union_pw_aff(members, (int)best_e)));
    }
    return members;
}

/* The least of the grid's sizes that the members ask for. */
static long long grid_size(const struct pg_promoting *what,
                           __isl_keep isl_union_set *domain, unsigned n)
{
    long long least = PG_GRID_ALL;

    for (unsigned d = 0; d < n; d++) {
        isl_union_pw_aff *member =
            isl_union_pw_aff_list_get_union_pw_aff(what->members, (int)d);
        long long size = pg_grid_size(domain, member);

        isl_union_pw_aff_free(member);
        least = size < least ? size : least;
    }
    return least;
}

/* All that is to be known before the kernel's tree is built; NULL, or why there
 * is nothing to gain.
 */
static const char *prepare(struct pg_building *b,
                           __isl_keep isl_union_set *domain)
{
    const struct pg_promoting *what = b->what;

    if (pg_components_find(&b->components, what->scop, what->members,
                           what->n_parallel, what->inner, domain,
                           isl_union_map_copy(what->order)) != isl_stat_ok ||
        pg_references_find(&b->groups, &b->components, what->scop) !=
            isl_stat_ok ||
        pg_registers_find(&b->registers, &b->components, &b->groups,
                          what->scop) != isl_stat_ok)
        return "the loops could not be taken apart";
    if (!pg_tile_sizes_choose(&b->sizes, &b->components, &b->groups,
                              &b->registers, what->scop, what->options,
                              what->number))
        return "no tile would use an element of an array more than once, or "
               "the given sizes do not fit each other";
    if (!b->sizes.grid)
        b->sizes.grid = grid_size(what, domain, b->sizes.n);
    if (pg_groups_find(&b->groups, &b->components, what->scop, &b->sizes) !=
        isl_stat_ok)
        return "the accesses could not be grouped";
    return pg_promote_buffers(b);
}

/* Give "mapping" what was decided. */
static void fill_mapping(struct pg_building *b, struct pg_mapping *mapping)
{
    describe_moves(b);
    mapping->about = describe(b);
    mapping->given = b->sizes.given;
    mapping->vectors =
        b->sizes.strategy->only_writes && b->sizes.vector[b->sizes.n - 1] > 1;
    mapping->n_buffer = b->n_buffer;
    mapping->buffers = b->buffers;
    mapping->min_blocks = pg_promote_blocks(b);
    mapping->promotion = b->promotion;
}

/* Map the kernel with buffers, if that promises to be faster: fill in
 * "mapping" but for its grid and block, of which "shape" says how the members
 * are mapped.  NULL, or why there are no buffers.
 */
const char *pg_promote(const struct pg_promoting *what, struct pg_shape *shape,
                       struct pg_mapping *mapping)
{
    struct pg_building b = {.what = what, .ctx = what->phase->ctx, .ok = true};
    isl_union_set *domain;
    const char *why;

    b.promotion = pg_promotion_alloc(what->scop);
    b.context.known = pg_kernel_params(what->scop, what->kernel);
    b.context.given = isl_union_set_empty(isl_set_get_space(b.context.known));
    domain = isl_union_set_gist_params(isl_union_set_copy(what->kernel->domain),
                                       isl_set_copy(b.context.known));
    why = prepare(&b, domain);
    if (!why) {
        mapping->schedule = pg_promote_tree(&b);
        if (!mapping->schedule)
            why = "loops over tiles would be too complicated";
    }
    if (!why) {
        fill_mapping(&b, mapping);
        fill_shape(&b, shape);
    } else {
        pg_promotion_free(b.promotion);
        pg_buffers_free(b.buffers, b.n_buffer);
    }
    isl_union_set_free(domain);
    isl_set_free(b.context.known);
    isl_union_set_free(b.context.given);
    pg_components_clear(&b.components);
    pg_groups_clear(&b.groups);
    pg_registers_clear(&b.registers);
    free(b.group);
    return why;
}
