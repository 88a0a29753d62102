/* kernel.c - the loops of one kernel, mapped in one way.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "generate/kernel.h"
#include "generate/annotate.h"
#include "generate/barriers.h"
#include "generate/loops.h"
#include "generate/unrolled.h"
#include "map/buffers.h"
#include "map/mapping.h"
#include "map/marks.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"

#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>

enum { LARGE_BOUND = 1 << 24 };

/* "set" with the parameter "name" between 0 and "size" - 1, where that is no
 * bound of integers.
 */
static __isl_give isl_set *bound_parameter(__isl_take isl_set *set, char kind,
                                           unsigned number, unsigned size)
{
    isl_ctx *ctx = isl_set_get_ctx(set);
    char *name = pg_format("%c%u", kind, number);
    isl_id *id = set ? isl_id_alloc(ctx, name, NULL) : NULL;
    isl_space *space = isl_space_params_alloc(ctx, 1);
    isl_set *bound;

    space = isl_space_set_dim_id(space, isl_dim_param, 0, id);
    bound = isl_set_universe(space);
    bound = isl_set_lower_bound_si(bound, isl_dim_param, 0, 0);
    if (size < LARGE_BOUND)
        bound = isl_set_upper_bound_si(bound, isl_dim_param, 0, (int)size - 1);
    free(name);
    return isl_set_intersect(set, bound);
}

/* Keep "c" unless it says how large an integer can be at most. */
static isl_stat keep_bound(__isl_take isl_constraint *c, void *user)
{
    isl_basic_set **kept = user;
    isl_val *constant = isl_val_abs(isl_constraint_get_constant_val(c));

    if (isl_val_cmp_si(constant, LARGE_BOUND) < 0)
        *kept = isl_basic_set_add_constraint(*kept, c);
    else
        isl_constraint_free(c);
    isl_val_free(constant);
    return *kept ? isl_stat_ok : isl_stat_error;
}

/* Add "part" without the bounds of integers to *user. */
static isl_stat keep_bounds(__isl_take isl_basic_set *part, void *user)
{
    isl_set **all = user;
    isl_basic_set *kept = isl_basic_set_universe(isl_basic_set_get_space(part));

    if (isl_basic_set_foreach_constraint(part, &keep_bound, &kept) !=
        isl_stat_ok)
        kept = isl_basic_set_free(kept);
    isl_basic_set_free(part);
    *all = isl_set_union(*all, isl_set_from_basic_set(kept));
    return *all ? isl_stat_ok : isl_stat_error;
}

/* "context" without the bounds that types give: to know less is right as well,
 * and loops take a third of the time, of waves of tiles a tenth.
 */
static __isl_give isl_set *without_limits(__isl_take isl_set *context)
{
    isl_set *all = isl_set_empty(isl_set_get_space(context));

    context = isl_set_remove_divs(context);
    if (isl_set_foreach_basic_set(context, &keep_bounds, &all) != isl_stat_ok)
        all = isl_set_free(all);
    isl_set_free(context);
    return all;
}

/* What is known of all parameters of "kernel" when it runs, mapped as "mapping"
 * says.
 */
static __isl_give isl_set *kernel_context(const struct pg_scop *scop,
                                          const struct pg_kernel *kernel,
                                          const struct pg_mapping *mapping)
{
    isl_set *context = pg_kernel_params(scop, kernel);

    if (mapping->kind == PG_MAPPING_PROMOTED ||
        mapping->kind == PG_MAPPING_SHARED || kernel->tiled)
        context = without_limits(context);
    for (unsigned d = 0; d < mapping->n_grid; d++)
        context = bound_parameter(context, 'b', d, mapping->grid_limit[d]);
    for (unsigned d = 0; d < mapping->n_block; d++)
        context = bound_parameter(context, 't', d, mapping->block[d]);
    return context;
}

/* "map" with its dimensions of "type" as parameters "<kind>0", "<kind>1", ...
 */
static __isl_give isl_map *name_dims(__isl_take isl_map *map,
                                     enum isl_dim_type type, char kind)
{
    isl_size n = isl_map_dim(map, type);

    for (int d = 0; d < n; d++) {
        isl_size at = isl_map_dim(map, isl_dim_param);
        char *name = pg_format("%c%d", kind, d);

        map = isl_map_move_dims(map, isl_dim_param, (unsigned)at, type, 0, 1);
        map = isl_map_set_dim_name(map, isl_dim_param, (unsigned)at, name);
        free(name);
    }
    return map;
}

/* The condition on the place "i0", "i1", ... of a box and the subscripts "e0",
 * "e1", ... under which an element is in "map", { [c] -> A[x] }; NULL after an
 * error: "*ok" becomes false.
 */
static isl_ast_expr *condition_of(__isl_keep isl_set *context,
                                  __isl_take isl_map *map, bool *ok)
{
    isl_ast_build *build;
    isl_ast_expr *expr;

    map = name_dims(name_dims(map, isl_dim_in, 'i'), isl_dim_out, 'e');
    build = isl_ast_build_from_context(isl_set_copy(context));
    expr = isl_ast_build_expr_from_set(build, isl_map_params(map));
    isl_ast_build_free(build);
    *ok &= expr != NULL;
    return expr;
}

/* Set the conditions on the elements of the buffers, by buffer. */
static void take_conditions(struct pg_kernel *kernel,
                            __isl_keep isl_set *context, bool *ok)
{
    const struct pg_mapping *mapping = kernel->mapping;

    kernel->inside = pg_alloc(mapping->n_buffer, sizeof(isl_ast_expr *));
    kernel->back = pg_alloc(mapping->n_buffer, sizeof(isl_ast_expr *));
    for (unsigned i = 0; i < mapping->n_buffer; i++) {
        const struct pg_home *home = &mapping->promotion->home[i];

        if (mapping->buffers[i].kind != PG_BUFFER_SHARED)
            continue;
        if (home->readable)
            kernel->inside[i] = condition_of(
                context, isl_map_from_range(isl_set_copy(home->readable)), ok);
        if (home->in)
            kernel->inside[i] =
                condition_of(context, isl_map_copy(home->in), ok);
        if (home->back)
            kernel->back[i] =
                condition_of(context, isl_map_copy(home->back), ok);
    }
}

/* Is each tile of the outermost loops of "mapping" a block's of its own, which
 * knows its number?  Of more than three parallel loops, one between those of
 * the grid may be a loop of each thread.
 */
static bool has_block_each(const struct pg_mapping *mapping)
{
    for (unsigned d = 0; d < mapping->n_grid; d++)
        if (mapping->tiling.grid[d] != PG_GRID_ALL ||
            mapping->tiling.place[d] != mapping->n_grid - 1 - d)
            return false;
    return mapping->n_grid > 0;
}

/* The first band at or below "node", which is freed; the node itself if other
 * nodes than filters and the context come before one.
 */
static __isl_give isl_schedule_node *
outermost_band(__isl_take isl_schedule_node *node)
{
    enum isl_schedule_node_type type = isl_schedule_node_get_type(node);

    while (type == isl_schedule_node_domain ||
           type == isl_schedule_node_context ||
           type == isl_schedule_node_filter || type == isl_schedule_node_mark) {
        node = isl_schedule_node_first_child(node);
        type = isl_schedule_node_get_type(node);
    }
    return node;
}

/* What is known of the parameters where something at "node" runs, at least. */
static __isl_give isl_set *condition_at(__isl_keep isl_schedule_node *node)
{
    isl_set *params = isl_union_set_params(isl_schedule_node_get_domain(node));

    params = isl_set_remove_divs(params);
    return isl_set_from_params(
        isl_set_from_basic_set(isl_set_simple_hull(params)));
}

/* "node", a band whose first "n" members are loops over tiles, without these:
 * what runs in a block is said in front of all of it.
 */
static __isl_give isl_schedule_node *
drop_loops(__isl_take isl_schedule_node *node, unsigned n)
{
    isl_set *condition = condition_at(node);

    if (isl_schedule_node_band_n_member(node) > (isl_size)n)
        node = isl_schedule_node_band_split(node, (int)n);
    node = isl_schedule_node_delete(node);
    return isl_schedule_node_insert_guard(node, condition);
}

/* "tree" of a kernel of "scop", mapped as "mapping" says, without its loops
 * over tiles, of which there were "*n": where each block has one tile, they
 * have one iteration, which isl would find out for each pair of statements and
 * copies. Overlapping tiles keep theirs, since conditions are taken apart
 * without.
 */
static __isl_give isl_schedule *without_tiles(__isl_take isl_schedule *tree,
                                              const struct pg_scop *scop,
                                              const struct pg_kernel *kernel,
                                              const struct pg_mapping *mapping,
                                              unsigned *n)
{
    isl_schedule_node *node;

    *n = 0;
    if (mapping->kind != PG_MAPPING_PROMOTED || scop->instead ||
        kernel->tiled || kernel->steps || !has_block_each(mapping))
        return tree;
    node = outermost_band(isl_schedule_get_root(tree));
    if (isl_schedule_node_get_type(node) == isl_schedule_node_band &&
        isl_schedule_node_band_n_member(node) >= (isl_size)mapping->n_grid) {
        *n = mapping->n_grid;
        node = drop_loops(node, *n);
        isl_schedule_free(tree);
        tree = isl_schedule_node_get_schedule(node);
    }
    isl_schedule_node_free(node);
    return tree;
}

/* Make the loops of "kernel", of which only this changes: ast, has_barrier,
 * inside, back.  NULL, or why they cannot be used; isl may have failed.
 */
const char *pg_kernel_generate(const struct pg_scop *scop,
                               struct pg_kernel *kernel)
{
    const struct pg_mapping *mapping = kernel->mapping;
    struct pg_annotating about = {.scop = scop, .mapping = mapping};
    unsigned n_tile;
    isl_schedule *schedule =
        without_tiles(pg_marks_strip(isl_schedule_copy(mapping->schedule)),
                      scop, kernel, mapping, &n_tile);
    isl_set *context = kernel_context(scop, kernel, mapping);
    isl_id_list *ids = pg_loop_ids(schedule, n_tile, context);
    isl_ast_build *build;
    bool ok = true;

    if (n_tile > 0 && !scop->all_loops)
        schedule =
            pg_collapse_points(schedule, mapping, context, &about.collapsed);
    // isl puts parameters of filters in order for each pair of statements that
    // it compares, unless they are.
    schedule = isl_schedule_align_params(schedule, isl_set_get_space(context));
    build = isl_ast_build_from_context(isl_set_copy(context));
    build = isl_ast_build_set_iterators(build, ids);
    build = pg_collapse_watch(build, &about.collapsed);
    build =
        isl_ast_build_set_at_each_domain(build, &pg_annotate_instance, &about);
    kernel->ast = isl_ast_build_node_from_schedule(build, schedule);
    isl_ast_build_free(build);
    pg_collapsed_clear(&about.collapsed);
    take_conditions(kernel, context, &ok);
    isl_set_free(context);
    if (!kernel->ast || !ok)
        return "isl could not make its loops";
    kernel->has_barrier = mapping->kind == PG_MAPPING_PROMOTED;
    // The instances of barriers and copies are the same for all threads then,
    // also where isl tests their condition together with one on the thread.
    if (mapping->kind == PG_MAPPING_PROMOTED)
        return pg_unrolled_known(mapping, kernel->ast)
                   ? NULL
                   : "which registers a thread uses would not be known at "
                     "compile time";
    return pg_barriers_met(kernel->ast, &kernel->has_barrier)
               ? NULL
               : "not all threads of a block would come to the same barriers";
}
