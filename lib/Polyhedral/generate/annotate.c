/* annotate.c - the annotations of user nodes, with all expressions that a
 * consumer needs: it need not look at the node's own expression.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "generate/annotate.h"
#include "map/buffers.h"
#include "map/mapping.h"
#include "map/user.h"
#include "polygpu/polyhedral.h"
#include "scop/scop.h"
#include "support/text.h"

#include <isl/space.h>
#include <isl/val.h>
#include <string.h>

/* The name of the tuple that "node" is an element of, and with how many
 * dimensions; the map { element -> current loops } in "*schedule".
 */
static isl_stat element_of(__isl_keep isl_ast_build *build,
                           __isl_give isl_map **schedule)
{
    *schedule = isl_map_from_union_map(isl_ast_build_get_schedule(build));
    return *schedule ? isl_stat_ok : isl_stat_error;
}

/* The subscripts of "access" at the instance that "iterators", { loops ->
 * S[i] }, gives, as a row that a NULL ends; zeros if it happens at none of the
 * instances, as in some part of a statement.  NULL after an error.
 */
static isl_ast_expr **subscripts(__isl_keep isl_ast_build *build,
                                 const struct pg_access *access,
                                 __isl_keep isl_pw_multi_aff *iterators)
{
    isl_size n = isl_map_dim(access->relation, isl_dim_out);
    isl_pw_multi_aff *element;
    isl_ast_expr **row, *expr = NULL;
    isl_set *where;
    isl_bool never;

    if (n < 0)
        return NULL;
    row = pg_alloc((size_t)n + 1, sizeof(*row));
    if (n == 0)
        return row;
    element = isl_pw_multi_aff_from_map(isl_map_copy(access->relation));
    element = isl_pw_multi_aff_pullback_pw_multi_aff(
        element, isl_pw_multi_aff_copy(iterators));
    where = isl_pw_multi_aff_domain(isl_pw_multi_aff_copy(element));
    never = isl_set_is_empty(where);
    isl_set_free(where);
    if (never == isl_bool_false)
        expr = isl_ast_build_access_from_pw_multi_aff(build, element);
    else
        isl_pw_multi_aff_free(element);
    for (int d = 0; d < n; d++) {
        if (never == isl_bool_true)
            row[d] = isl_ast_expr_from_val(
                isl_val_zero(isl_ast_build_get_ctx(build)));
        else
            row[d] = expr ? isl_ast_expr_get_op_arg(expr, d + 1) : NULL;
        if (row[d])
            continue;
        while (d > 0)
            isl_ast_expr_free(row[--d]);
        free(row);
        row = NULL;
        break;
    }
    isl_ast_expr_free(expr);
    return row;
}

/* The condition under which "access" of "stmt" happens at the instance that
 * "iterators", { loops -> S[i] }, gives, in *guard; NULL if it always does.
 */
static bool guard_of(__isl_keep isl_ast_build *build,
                     const struct pg_scop *scop, const struct pg_stmt *stmt,
                     const struct pg_access *access,
                     __isl_keep isl_pw_multi_aff *iterators,
                     isl_ast_expr **guard)
{
    isl_set *accessed = isl_map_domain(isl_map_copy(access->relation));
    isl_set *domain = isl_set_intersect_params(isl_set_copy(stmt->domain),
                                               isl_set_copy(scop->context));
    isl_bool total = isl_set_is_subset(domain, accessed);

    isl_set_free(domain);
    *guard = NULL;
    if (total == isl_bool_false) {
        accessed = isl_set_preimage_pw_multi_aff(
            accessed, isl_pw_multi_aff_copy(iterators));
        *guard = isl_ast_build_expr_from_set(build, accessed);
        return *guard != NULL;
    }
    isl_set_free(accessed);
    return total == isl_bool_true;
}

/* The expressions of "element", { [loops] -> A[x] }, as a row that a NULL ends;
 * zeros if there is none, as of an access that never happens.
 */
static isl_ast_expr **row_of(__isl_keep isl_ast_build *build,
                             __isl_take isl_pw_multi_aff *element)
{
    isl_size n = isl_pw_multi_aff_dim(element, isl_dim_out);
    isl_ast_expr **row = pg_alloc(n < 0 ? 1 : (size_t)n + 1, sizeof(*row));
    bool ok = n >= 0;

    for (int d = 0; d < n; d++) {
        isl_pw_aff *one = isl_pw_multi_aff_get_pw_aff(element, d);

        if (isl_pw_aff_n_piece(one) == 0) {
            isl_pw_aff_free(one);
            row[d] = isl_ast_expr_from_val(
                isl_val_zero(isl_ast_build_get_ctx(build)));
        } else {
            row[d] = isl_ast_build_expr_from_pw_aff(build, one);
        }
        ok &= row[d] != NULL;
    }
    isl_pw_multi_aff_free(element);
    if (ok)
        return row;
    for (int d = 0; d < n; d++)
        isl_ast_expr_free(row[d]);
    free(row);
    return NULL;
}

/* Where the instances of the statement that "schedule" is for are, { S[i] ->
 * [x] }, see struct pg_promotion.
 */
static __isl_give isl_map *places(const struct pg_annotating *about,
                                  __isl_keep isl_map *schedule)
{
    isl_space *stmt = isl_space_domain(isl_map_get_space(schedule));

    return isl_map_from_union_map(isl_union_map_intersect_domain(
        isl_union_map_copy(about->mapping->promotion->place),
        isl_union_set_from_set(isl_set_universe(stmt))));
}

/* Dimensions "first" to "first" + "n" - 1 of where the instance that runs is,
 * { [loops] -> [x] }; "schedule" is { S[i] -> [loops] }, "places" { S[i] -> [x]
 * }.  isl leaves loops of one iteration out of the loops, so that what is left
 * is found by the equalities between both, or by all of the map if a number of
 * a thread fixes a loop in another way, or a loop is a quotient.
 */
static __isl_give isl_pw_multi_aff *place_of(__isl_take isl_map *places,
                                             __isl_keep isl_map *schedule,
                                             unsigned first, unsigned n)
{
    isl_size size = isl_map_dim(places, isl_dim_out);
    isl_map *map, *hull;
    isl_bool single;

    // Before there are loops: it is quicker.
    places = isl_map_project_out(places, isl_dim_out, first + n,
                                 size < 0 ? 0 : (unsigned)size - first - n);
    places = isl_map_project_out(places, isl_dim_out, 0, first);
    map = isl_map_apply_range(isl_map_reverse(isl_map_copy(schedule)), places);
    hull = isl_map_from_basic_map(isl_map_affine_hull(isl_map_copy(map)));
    single = isl_map_is_single_valued(hull);
    if (single != isl_bool_false) {
        isl_map_free(map);
        if (single < 0)
            hull = isl_map_free(hull);
        return isl_pw_multi_aff_from_map(hull);
    }
    isl_map_free(hull);
    return isl_pw_multi_aff_from_map(map);
}

/* The number of the thread's point, as a row of expressions. */
static isl_ast_expr **point_of_thread(__isl_keep isl_ast_build *build,
                                      const struct pg_annotating *about,
                                      __isl_keep isl_map *schedule)
{
    isl_map *mine;
    isl_size size;
    unsigned n = about->mapping->promotion->n_point;

    if (about->collapsed.current)
        return pg_collapse_numbers(about->collapsed.current);
    mine = places(about, schedule);
    size = isl_map_dim(mine, isl_dim_out);
    if (size < (isl_size)n) {
        isl_map_free(mine);
        return NULL;
    }
    return row_of(build, place_of(mine, schedule, (unsigned)size - n, n));
}

/* "element", each dimension divided by its number in "stride", of which it is a
 * multiple.
 */
static __isl_give isl_pw_multi_aff *divide(__isl_take isl_pw_multi_aff *element,
                                           const unsigned *stride)
{
    isl_size n = isl_pw_multi_aff_dim(element, isl_dim_out);

    for (int d = 0; d < n; d++) {
        isl_pw_aff *one;

        if (stride[d] == 1)
            continue;
        one = isl_pw_multi_aff_get_pw_aff(element, d);
        one = isl_pw_aff_scale_down_val(
            one, isl_val_int_from_ui(isl_pw_aff_get_ctx(one), stride[d]));
        element =
            isl_pw_multi_aff_set_pw_aff(element, d, isl_pw_aff_floor(one));
    }
    return element;
}

/* The instance that a user node stands for. */
struct instance {
    isl_ast_build *build;
    const struct pg_annotating *about;
    isl_map *schedule;           /* { S[i] -> [loops] } */
    isl_pw_multi_aff *iterators; /* { [loops] -> S[i] } */
    /* Once they were asked for: */
    isl_ast_expr **point;   /* of the thread */
    isl_pw_multi_aff *tile; /* of the place, */
    unsigned n_tile;        /* in so many dimensions */
};

static isl_ast_expr **copy_row(isl_ast_expr *const *row, size_t n)
{
    isl_ast_expr **copy = pg_alloc(n + 1, sizeof(*copy));

    for (size_t i = 0; i < n; i++)
        copy[i] = isl_ast_expr_copy(row[i]);
    return copy;
}

/* The number of the thread's point, which is the same for all its registers. */
static isl_ast_expr **register_of(struct instance *at)
{
    if (!at->point)
        at->point = point_of_thread(at->build, at->about, at->schedule);
    return at->point
               ? copy_row(at->point, at->about->mapping->promotion->n_point)
               : NULL;
}

static void free_row(isl_ast_expr **row)
{
    for (size_t i = 0; row && row[i]; i++)
        isl_ast_expr_free(row[i]);
    free(row);
}

/* The tile of the instance, { [loops] -> [c] }, in the first "n" dimensions of
 * its place.
 */
static __isl_give isl_pw_multi_aff *tile_of(const struct instance *at,
                                            unsigned n)
{
    const struct pg_collapsed_item *points = at->about->collapsed.current;
    unsigned n_parallel = points ? pg_collapse_dims(points) : 0;
    isl_pw_multi_aff *tile, *rest;

    if (!points || n < n_parallel)
        return place_of(places(at->about, at->schedule), at->schedule, 0, n);
    // Those of the parallel loops are the block's: nothing is to be found out.
    tile = pg_collapse_tile(points, isl_set_universe(isl_space_range(
                                        isl_map_get_space(at->schedule))));
    if (n == n_parallel)
        return tile;
    rest = place_of(places(at->about, at->schedule), at->schedule, n_parallel,
                    n - n_parallel);
    return isl_pw_multi_aff_flat_range_product(tile, rest);
}

/* tile_of, which is the same for most accesses of an instance. */
static __isl_give isl_pw_multi_aff *same_tile_of(struct instance *at,
                                                 unsigned n)
{
    if (!at->tile || at->n_tile != n) {
        isl_pw_multi_aff_free(at->tile);
        at->tile = tile_of(at, n);
        at->n_tile = n;
    }
    return isl_pw_multi_aff_copy(at->tile);
}

/* The subscripts of "access" within "buffer" of the kernel. */
static isl_ast_expr **redirected_subscripts(struct instance *at,
                                            const struct pg_access *access,
                                            int buffer)
{
    const struct pg_mapping *mapping = at->about->mapping;
    isl_pw_multi_aff *element, *offset;
    isl_size n_c;

    if (mapping->buffers[buffer].kind == PG_BUFFER_REGISTER)
        return register_of(at);
    offset = isl_pw_multi_aff_from_multi_aff(
        isl_multi_aff_copy(mapping->promotion->home[buffer].offset));
    n_c = isl_pw_multi_aff_dim(offset, isl_dim_in);
    offset = isl_pw_multi_aff_pullback_pw_multi_aff(
        offset, same_tile_of(at, n_c < 0 ? 0 : (unsigned)n_c));
    element = isl_pw_multi_aff_from_map(isl_map_copy(access->relation));
    element = isl_pw_multi_aff_pullback_pw_multi_aff(
        element, isl_pw_multi_aff_copy(at->iterators));
    element = isl_pw_multi_aff_sub(element, offset);
    return row_of(at->build, divide(element, mapping->buffers[buffer].stride));
}

/* The condition that "tile", { [loops] -> [c] }, is in "whole", in
 * "user->whole".
 */
static bool annotate_whole(struct pg_user *user,
                           __isl_keep isl_ast_build *build,
                           __isl_keep isl_set *whole,
                           __isl_keep isl_pw_multi_aff *tile)
{
    isl_set *at = isl_set_preimage_pw_multi_aff(isl_set_copy(whole),
                                                isl_pw_multi_aff_copy(tile));

    user->whole = isl_ast_build_expr_from_set(build, at);
    return user->whole;
}

/* The place "tile", { [loops] -> [c] }, of a box that a block works on. */
static bool annotate_place(struct pg_user *user,
                           __isl_keep isl_ast_build *build,
                           __isl_keep isl_pw_multi_aff *tile)
{
    isl_size n = isl_pw_multi_aff_dim(tile, isl_dim_out);

    user->place = row_of(build, isl_pw_multi_aff_copy(tile));
    user->n_place = user->place ? (unsigned)n : 0;
    return user->place;
}

/* Are "moved", { [c] -> A[x] } or NULL, other elements at each place?  "*ok"
 * becomes false after an error.
 */
static bool depends_on_place(__isl_keep isl_map *moved, bool *ok)
{
    isl_size n = moved ? isl_map_dim(moved, isl_dim_in) : 0;
    isl_bool depends = isl_bool_false;

    if (n > 0)
        depends = isl_map_involves_dims(moved, isl_dim_in, 0, (unsigned)n);
    *ok &= n >= 0 && depends >= 0;
    return depends == isl_bool_true;
}

/* Annotate a copy to the shared buffer "index", or back. */
static bool annotate_copy(struct pg_user *user, __isl_keep isl_ast_build *build,
                          const struct pg_annotating *about,
                          __isl_keep isl_pw_multi_aff *iterators)
{
    const struct pg_home *home = &about->mapping->promotion->home[user->index];
    bool back = user->kind == PG_USER_BACK, ok = true;
    isl_pw_multi_aff *offset, *tile;

    tile = isl_pw_multi_aff_reset_tuple_id(isl_pw_multi_aff_copy(iterators),
                                           isl_dim_out);
    free(user->args);
    user->n = about->mapping->buffers[user->index].n_dim;
    offset = isl_pw_multi_aff_from_multi_aff(isl_multi_aff_copy(home->offset));
    offset = isl_pw_multi_aff_pullback_pw_multi_aff(
        offset, isl_pw_multi_aff_copy(tile));
    user->args = row_of(build, offset);
    if (!user->args)
        user->n = 0;
    if (depends_on_place(back ? home->back : home->in, &ok))
        ok = annotate_place(user, build, tile);
    if (back ? home->whole_back != NULL : !home->always)
        ok &= annotate_whole(user, build, back ? home->whole_back : home->whole,
                             tile);
    isl_pw_multi_aff_free(tile);
    return ok && user->n > 0;
}

/* Annotate a load or store of a register. */
static bool annotate_move(struct pg_user *user, __isl_keep isl_ast_build *build,
                          const struct pg_annotating *about,
                          __isl_keep isl_map *schedule,
                          __isl_keep isl_pw_multi_aff *iterators)
{
    const struct pg_promotion *promotion = about->mapping->promotion;
    const struct pg_array *array =
        &about->scop->arrays[about->mapping->buffers[user->index].array];
    isl_space *tuple = isl_space_range(isl_pw_multi_aff_get_space(iterators));
    isl_space *space;
    isl_map *element;

    space = isl_space_add_dims(isl_space_from_domain(tuple), isl_dim_out,
                               array->n_dim);
    space = isl_space_set_tuple_name(space, isl_dim_out, array->name);
    element = isl_union_map_extract_map(promotion->element, space);
    free(user->args);
    user->n = (unsigned)isl_map_dim(element, isl_dim_out);
    user->args = row_of(build, isl_pw_multi_aff_pullback_pw_multi_aff(
                                   isl_pw_multi_aff_from_map(element),
                                   isl_pw_multi_aff_copy(iterators)));
    if (!user->args)
        user->n = 0;
    user->n_access = 1;
    user->access = pg_alloc(1, sizeof(*user->access));
    user->access[0] = point_of_thread(build, about, schedule);
    return user->n > 0 && user->access[0];
}

/* Annotate the user node of what is no statement. */
static __isl_give isl_ast_node *
at_special(__isl_take isl_ast_node *node, __isl_keep isl_ast_build *build,
           const struct pg_annotating *about, enum pg_user_kind kind,
           unsigned number, __isl_take isl_map *schedule)
{
    struct pg_user *user = pg_user_alloc(kind, number, 0);
    isl_pw_multi_aff *iterators;
    bool ok = true;

    if (kind != PG_USER_BARRIER) {
        iterators =
            isl_pw_multi_aff_from_map(isl_map_reverse(isl_map_copy(schedule)));
        ok = kind == PG_USER_COPY || kind == PG_USER_BACK
                 ? annotate_copy(user, build, about, iterators)
                 : annotate_move(user, build, about, schedule, iterators);
        node = pg_user_attach(node, user);
        if (about->collapsed.current)
            node = pg_collapse_loops(node, build, about->collapsed.current,
                                     schedule);
        isl_pw_multi_aff_free(iterators);
    } else {
        node = pg_user_attach(node, user);
    }
    isl_map_free(schedule);
    return ok ? node : isl_ast_node_free(node);
}

/* Set the arguments of "user" to those of the point of a thread. */
static bool point_arguments(struct pg_user *user, const struct instance *at)
{
    free(user->args);
    user->args = row_of(at->build, isl_pw_multi_aff_copy(at->iterators));
    if (!user->args)
        user->n = 0;
    return user->args;
}

/* Annotate the user node of a statement instance, or of a barrier or another
 * thing that is not of the source; "user" is a struct pg_annotating.
 */
__isl_give isl_ast_node *pg_annotate_instance(__isl_take isl_ast_node *node,
                                              __isl_keep isl_ast_build *build,
                                              void *user)
{
    const struct pg_annotating *about = user;
    const struct pg_scop *scop = about->scop;
    const struct pg_stmt *stmt;
    struct pg_user *instance;
    isl_pw_multi_aff *iterators;
    enum pg_user_kind kind;
    unsigned number = 0;
    isl_map *schedule;
    struct instance at;
    bool ok;
    int s;

    if (element_of(build, &schedule) != isl_stat_ok)
        return isl_ast_node_free(node);
    kind = pg_user_kind_of(schedule, &number);
    if (about->collapsed.current)
        schedule = pg_collapse_schedule(about->collapsed.current, schedule);
    if (kind != PG_USER_STMT)
        return at_special(node, build, about, kind, number, schedule);
    s = pg_scop_find_stmt(scop, isl_map_get_tuple_name(schedule, isl_dim_in));
    if (s < 0) {
        isl_map_free(schedule);
        return isl_ast_node_free(node);
    }
    stmt = &scop->stmts[s];
    instance = pg_user_alloc(PG_USER_STMT, (unsigned)s,
                             (unsigned)isl_map_dim(schedule, isl_dim_in));
    instance->n_access = stmt->n_access;
    instance->access = pg_alloc(stmt->n_access, sizeof(*instance->access));
    instance->redirected = pg_alloc(stmt->n_access, sizeof(int));
    instance->guard = pg_alloc(stmt->n_access, sizeof(*instance->guard));
    iterators =
        isl_pw_multi_aff_from_map(isl_map_reverse(isl_map_copy(schedule)));
    at = (struct instance){build, about, schedule, iterators, NULL, NULL, 0};
    ok = about->collapsed.current ? point_arguments(instance, &at)
                                  : pg_user_arguments(instance, node);
    for (unsigned i = 0; ok && i < stmt->n_access; i++) {
        const struct pg_access *access = &stmt->accesses[i];
        int buffer = about->mapping->promotion
                         ? about->mapping->promotion->buffer[s][i]
                         : -1;

        instance->redirected[i] = buffer;
        instance->access[i] = buffer < 0
                                  ? subscripts(build, access, iterators)
                                  : redirected_subscripts(&at, access, buffer);
        ok = instance->access[i] && guard_of(build, scop, stmt, access,
                                             iterators, &instance->guard[i]);
    }
    free_row(at.point);
    isl_pw_multi_aff_free(at.tile);
    node = pg_user_attach(node, instance);
    if (about->collapsed.current)
        node =
            pg_collapse_loops(node, build, about->collapsed.current, schedule);
    isl_pw_multi_aff_free(iterators);
    isl_map_free(schedule);
    return ok ? node : isl_ast_node_free(node);
}

/* Annotate the user node of a launch; "user" is the plan.
 */
__isl_give isl_ast_node *pg_annotate_launch(__isl_take isl_ast_node *node,
                                            __isl_keep isl_ast_build *build,
                                            void *user)
{
    const struct pg_plan *plan = user;
    isl_pw_multi_aff *iterators;
    struct pg_user *launch;
    isl_map *schedule;
    unsigned k = 0;
    bool ok;

    if (element_of(build, &schedule) != isl_stat_ok)
        return isl_ast_node_free(node);
    (void)pg_user_kind_of(schedule, &k);
    launch = pg_user_alloc(PG_USER_LAUNCH, k, plan->kernels[k].n_host);
    iterators = isl_pw_multi_aff_from_map(isl_map_reverse(schedule));
    ok = pg_user_arguments(launch, node);
    for (unsigned d = 0; ok && d < 3; d++) {
        isl_pw_aff *blocks =
            isl_pw_aff_copy(plan->kernels[k].mapping->blocks[d]);

        if (blocks)
            launch->grid[d] = isl_ast_build_expr_from_pw_aff(
                build, isl_pw_aff_pullback_pw_multi_aff(
                           blocks, isl_pw_multi_aff_copy(iterators)));
        else
            launch->grid[d] =
                isl_ast_expr_from_val(isl_val_one(isl_ast_node_get_ctx(node)));
        ok = launch->grid[d];
    }
    isl_pw_multi_aff_free(iterators);
    node = pg_user_attach(node, launch);
    return ok ? node : isl_ast_node_free(node);
}
