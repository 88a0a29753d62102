/* ast.c - loops: in the kernels and around their launches.
 *
 * isl makes an AST of each schedule.  Every user node gets an annotation that
 * says what it stands for, with all expressions that a consumer needs: it
 * need not look at the node's own expression.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "internal.h"

#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE_BOUND = 1 << 24 };
/* A user with room for "n" arguments. */
struct pg_user *pg_user_alloc(enum pg_user_kind kind, unsigned index,
                              unsigned n)
{
    struct pg_user *user = pg_alloc(1, sizeof(*user));

    user->kind = kind;
    user->index = index;
    user->n = n;
    user->args = pg_alloc(n, sizeof(isl_ast_expr *));
    return user;
}

/* Free "user" (a struct pg_user) with all expressions.  The row of subscripts
 * of an access ends with a NULL.
 */
void pg_user_free(void *user)
{
    struct pg_user *u = user;

    if (!u)
        return;
    for (unsigned i = 0; i < u->n; i++)
        isl_ast_expr_free(u->args[i]);
    free(u->args);
    for (unsigned i = 0; u->access && i < u->n_access; i++) {
        for (isl_ast_expr **e = u->access[i]; e && *e; e++)
            isl_ast_expr_free(*e);
        free(u->access[i]);
    }
    free(u->access);
    for (unsigned i = 0; u->guard && i < u->n_access; i++)
        isl_ast_expr_free(u->guard[i]);
    free(u->guard);
    free(u->redirected);
    isl_ast_expr_free(u->whole);
    for (unsigned d = 0; d < 3; d++)
        isl_ast_expr_free(u->grid[d]);
    free(u);
}

/* Make "user" the annotation of "node", which owns it then. */
__isl_give isl_ast_node *pg_user_attach(__isl_take isl_ast_node *node,
                                        struct pg_user *user)
{
    isl_ctx *ctx;
    isl_id *id;

    if (!node) {
        pg_user_free(user);
        return NULL;
    }
    ctx = isl_ast_node_get_ctx(node);
    id = isl_id_alloc(ctx, NULL, user);
    if (!id) {
        pg_user_free(user);
        return isl_ast_node_free(node);
    }
    id = isl_id_set_free_user(id, &pg_user_free);
    return isl_ast_node_set_annotation(node, id);
}

/* The user of a user node, or NULL. */
struct pg_user *pg_user_of(__isl_keep isl_ast_node *node)
{
    isl_id *id = isl_ast_node_get_annotation(node);
    struct pg_user *user = id ? isl_id_get_user(id) : NULL;

    isl_id_free(id);
    return user;
}

/* Set the arguments of "user" to those of the call that isl made for "node".
 * False after an error of isl.
 */
bool pg_user_arguments(struct pg_user *user, __isl_keep isl_ast_node *node)
{
    isl_ast_expr *call = isl_ast_node_user_get_expr(node);
    bool ok = isl_ast_expr_get_op_n_arg(call) == (isl_size)user->n + 1;

    for (unsigned i = 0; ok && i < user->n; i++) {
        user->args[i] = isl_ast_expr_get_op_arg(call, (int)i + 1);
        ok = user->args[i];
    }
    isl_ast_expr_free(call);
    return ok;
}

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

/* The ids of tuples that are no statements have one of these as their user
 * pointer.
 */
static char user_marks[PG_USER_MOVE + 1];

/* The id of the tuple of number "number" of what is no statement. */
__isl_give isl_id *pg_user_id(isl_ctx *ctx, enum pg_user_kind kind,
                              unsigned number)
{
    static const char *const names[] = {"stmt", "barrier", "copy",
                                        "load", "store",   "launch"};
    char *name = pg_format("%s%u", names[kind], number);
    isl_id *id = isl_id_alloc(ctx, name, &user_marks[kind]);

    free(name);
    return id;
}

/* The id of the tuple of barrier "number" of a kernel. */
__isl_give isl_id *pg_barrier_id(isl_ctx *ctx, unsigned number)
{
    return pg_user_id(ctx, PG_USER_BARRIER, number);
}

/* What the input of "schedule" is, and its number. */
static enum pg_user_kind kind_of(__isl_keep isl_map *schedule, unsigned *number)
{
    isl_id *id = isl_map_get_tuple_id(schedule, isl_dim_in);
    const char *mark = id ? isl_id_get_user(id) : NULL;
    enum pg_user_kind kind = PG_USER_STMT;

    if (mark >= user_marks && mark <= user_marks + PG_USER_MOVE) {
        kind = (enum pg_user_kind)(mark - user_marks);
        *number = (unsigned)strtoul(strpbrk(isl_id_get_name(id), "0123456789"),
                                    NULL, 10);
    }
    isl_id_free(id);
    return kind;
}

/* What the annotation of a kernel's user nodes needs. */
struct annotating {
    const struct pg_scop *scop;
    const struct pg_kernel *kernel;
    const struct pg_promotion *promotion; /* NULL: no buffers */
};

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

/* Dimensions "first" to "first" + "n" - 1 of where the instance that runs is,
 * see struct pg_promotion, { [loops] -> [x] }; "iterators" is { [loops] -> S[i]
 * }.  isl leaves loops of one iteration out of the loops, so that what is left
 * is found by the equalities between both, or by all of the map if a number of
 * a thread fixes a loop in another way, or a loop is a quotient.
 */
static __isl_give isl_pw_multi_aff *place_of(const struct annotating *about,
                                             __isl_keep isl_map *schedule,
                                             unsigned first, unsigned n)
{
    isl_union_map *all = isl_union_map_apply_range(
        isl_union_map_from_map(isl_map_reverse(isl_map_copy(schedule))),
        isl_union_map_copy(about->promotion->place));
    isl_map *map = isl_map_from_union_map(all), *hull;
    isl_size size = isl_map_dim(map, isl_dim_out);
    isl_bool single;

    map = isl_map_project_out(map, isl_dim_out, first + n,
                              size < 0 ? 0 : (unsigned)size - first - n);
    map = isl_map_project_out(map, isl_dim_out, 0, first);
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
                                      const struct annotating *about,
                                      __isl_keep isl_map *schedule)
{
    isl_union_map *place = isl_union_map_copy(about->promotion->place);
    isl_map *mine;
    isl_size size;
    unsigned n = about->promotion->n_point;

    place = isl_union_map_intersect_domain(
        place, isl_union_set_from_set(isl_map_domain(isl_map_copy(schedule))));
    mine = isl_map_from_union_map(place);
    size = isl_map_dim(mine, isl_dim_out);
    isl_map_free(mine);
    if (size < (isl_size)n)
        return NULL;
    return row_of(build, place_of(about, schedule, (unsigned)size - n, n));
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

/* The subscripts of "access" within "buffer" of the kernel. */
static isl_ast_expr **redirected_subscripts(
    __isl_keep isl_ast_build *build, const struct annotating *about,
    const struct pg_access *access, int buffer, __isl_keep isl_map *schedule,
    __isl_keep isl_pw_multi_aff *iterators)
{
    const struct pg_promotion *promotion = about->promotion;
    isl_pw_multi_aff *element, *offset;
    isl_size n_c;

    if (about->kernel->buffers[buffer].kind == PG_BUFFER_REGISTER)
        return point_of_thread(build, about, schedule);
    offset = isl_pw_multi_aff_from_multi_aff(
        isl_multi_aff_copy(promotion->home[buffer].offset));
    n_c = isl_pw_multi_aff_dim(offset, isl_dim_in);
    offset = isl_pw_multi_aff_pullback_pw_multi_aff(
        offset, place_of(about, schedule, 0, n_c < 0 ? 0 : (unsigned)n_c));
    element = isl_pw_multi_aff_from_map(isl_map_copy(access->relation));
    element = isl_pw_multi_aff_pullback_pw_multi_aff(
        element, isl_pw_multi_aff_copy(iterators));
    element = isl_pw_multi_aff_sub(element, offset);
    return row_of(build,
                  divide(element, about->kernel->buffers[buffer].stride));
}

/* Annotate a copy to the shared buffer "index". */
static bool annotate_copy(struct pg_user *user, __isl_keep isl_ast_build *build,
                          const struct annotating *about,
                          __isl_keep isl_pw_multi_aff *iterators)
{
    const struct pg_home *home = &about->promotion->home[user->index];
    isl_pw_multi_aff *offset, *tile;

    tile = isl_pw_multi_aff_reset_tuple_id(isl_pw_multi_aff_copy(iterators),
                                           isl_dim_out);
    free(user->args);
    user->n = about->kernel->buffers[user->index].n_dim;
    offset = isl_pw_multi_aff_from_multi_aff(isl_multi_aff_copy(home->offset));
    offset = isl_pw_multi_aff_pullback_pw_multi_aff(
        offset, isl_pw_multi_aff_copy(tile));
    user->args = row_of(build, offset);
    if (!user->args)
        user->n = 0;
    if (!home->always) {
        isl_set *whole = isl_set_preimage_pw_multi_aff(
            isl_set_copy(home->whole), isl_pw_multi_aff_copy(tile));

        user->whole = isl_ast_build_expr_from_set(build, whole);
        if (!user->whole)
            return isl_pw_multi_aff_free(tile) != NULL;
    }
    isl_pw_multi_aff_free(tile);
    return user->n > 0;
}

/* Annotate a load or store of a register. */
static bool annotate_move(struct pg_user *user, __isl_keep isl_ast_build *build,
                          const struct annotating *about,
                          __isl_keep isl_map *schedule,
                          __isl_keep isl_pw_multi_aff *iterators)
{
    const struct pg_promotion *promotion = about->promotion;
    const struct pg_array *array =
        &about->scop->arrays[about->kernel->buffers[user->index].array];
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
           const struct annotating *about, enum pg_user_kind kind,
           unsigned number, __isl_take isl_map *schedule)
{
    struct pg_user *user = pg_user_alloc(kind, number, 0);
    isl_pw_multi_aff *iterators;
    bool ok = true;

    if (kind != PG_USER_BARRIER) {
        iterators =
            isl_pw_multi_aff_from_map(isl_map_reverse(isl_map_copy(schedule)));
        ok = kind == PG_USER_COPY
                 ? annotate_copy(user, build, about, iterators)
                 : annotate_move(user, build, about, schedule, iterators);
        isl_pw_multi_aff_free(iterators);
    }
    isl_map_free(schedule);
    node = pg_user_attach(node, user);
    return ok ? node : isl_ast_node_free(node);
}

/* Annotate the user node of a statement instance, or of a barrier or another
 * thing that is not of the source; "user" is a struct annotating.
 */
static __isl_give isl_ast_node *at_instance(__isl_take isl_ast_node *node,
                                            __isl_keep isl_ast_build *build,
                                            void *user)
{
    const struct annotating *about = user;
    const struct pg_scop *scop = about->scop;
    const struct pg_stmt *stmt;
    struct pg_user *instance;
    isl_pw_multi_aff *iterators;
    enum pg_user_kind kind;
    unsigned number = 0;
    isl_map *schedule;
    bool ok;
    int s;

    if (element_of(build, &schedule) != isl_stat_ok)
        return isl_ast_node_free(node);
    kind = kind_of(schedule, &number);
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
    ok = pg_user_arguments(instance, node);
    for (unsigned i = 0; ok && i < stmt->n_access; i++) {
        const struct pg_access *access = &stmt->accesses[i];
        int buffer = about->promotion ? about->promotion->buffer[s][i] : -1;

        instance->redirected[i] = buffer;
        instance->access[i] =
            buffer < 0 ? subscripts(build, access, iterators)
                       : redirected_subscripts(build, about, access, buffer,
                                               schedule, iterators);
        ok = instance->access[i] && guard_of(build, scop, stmt, access,
                                             iterators, &instance->guard[i]);
    }
    isl_pw_multi_aff_free(iterators);
    isl_map_free(schedule);
    node = pg_user_attach(node, instance);
    return ok ? node : isl_ast_node_free(node);
}

/* Annotate the user node of a launch; "user" is the plan. */
static __isl_give isl_ast_node *at_launch(__isl_take isl_ast_node *node,
                                          __isl_keep isl_ast_build *build,
                                          void *user)
{
    const struct pg_plan_private *private = user;
    isl_pw_multi_aff *iterators;
    struct pg_user *launch;
    isl_map *schedule;
    unsigned k;
    bool ok;

    if (element_of(build, &schedule) != isl_stat_ok)
        return isl_ast_node_free(node);
    k = (unsigned)atoi(isl_map_get_tuple_name(schedule, isl_dim_in) +
                       strlen("kernel"));
    launch = pg_user_alloc(PG_USER_LAUNCH, k, private->plan.kernels[k].n_host);
    iterators = isl_pw_multi_aff_from_map(isl_map_reverse(schedule));
    ok = pg_user_arguments(launch, node);
    for (unsigned d = 0; ok && d < 3; d++) {
        isl_pw_aff *blocks = isl_pw_aff_copy(private->launches[k].blocks[d]);

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

/* "set" with the parameter "name" between 0 and "size" - 1. */
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
 * and loops take a third of the time.
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

/* What is known of the parameters of the SCoP and of the loops of the host
 * when "kernel" runs.
 */
__isl_give isl_set *pg_kernel_params(const struct pg_scop *scop,
                                     const struct pg_kernel *kernel)
{
    isl_set *context = isl_union_set_params(isl_union_set_copy(kernel->domain));

    context = isl_set_coalesce(context);
    if (isl_set_n_basic_set(context) > 1)
        context = isl_set_from_basic_set(isl_set_simple_hull(context));
    return isl_set_intersect(context, isl_set_copy(scop->context));
}

/* What is known of all parameters of "kernel" when it runs. */
static __isl_give isl_set *kernel_context(const struct pg_plan *plan,
                                          const struct pg_kernel *kernel)
{
    isl_set *context = pg_kernel_params(plan->scop, kernel);

    if (kernel->n_buffer)
        context = without_limits(context);
    for (unsigned d = 0; d < kernel->n_grid; d++)
        context = bound_parameter(context, 'b', d, kernel->grid_limit[d]);
    for (unsigned d = 0; d < kernel->n_block; d++)
        context = bound_parameter(context, 't', d, kernel->block[d]);
    return context;
}

/* Is "name" the number of a thread? */
static bool is_thread(const char *name)
{
    return name && name[0] == 't' && name[1] >= '0' && name[1] <= '9' &&
           !name[2];
}

/* Is the number of a thread in "expr"?  Only those have names like "t0". */
static bool depends_on_thread(__isl_keep isl_ast_expr *expr)
{
    bool depends = false;
    isl_id *id;
    isl_size n;

    switch (isl_ast_expr_get_type(expr)) {
    case isl_ast_expr_id:
        id = isl_ast_expr_get_id(expr);
        depends = is_thread(isl_id_get_name(id));
        isl_id_free(id);
        return depends;
    case isl_ast_expr_op:
        n = isl_ast_expr_get_op_n_arg(expr);
        for (int i = 0; !depends && i < n; i++) {
            isl_ast_expr *arg = isl_ast_expr_get_op_arg(expr, i);

            depends = depends_on_thread(arg);
            isl_ast_expr_free(arg);
        }
        return depends;
    default:
        return isl_ast_expr_get_type(expr) != isl_ast_expr_int;
    }
}

/* depends_on_thread, and free "expr". */
static bool take_depends(__isl_take isl_ast_expr *expr)
{
    bool depends = depends_on_thread(expr);

    isl_ast_expr_free(expr);
    return depends;
}

static isl_stat check_barriers(__isl_keep isl_ast_node *node, bool diverged,
                               bool *any);

/* check_barriers, and free "node". */
static isl_stat take_check(__isl_take isl_ast_node *node, bool diverged,
                           bool *any)
{
    isl_stat result = check_barriers(node, diverged, any);

    isl_ast_node_free(node);
    return result;
}

/* Do all threads of a block come to the same barriers in "node"?  They do if
 * no loop or condition around a barrier depends on the number of the thread;
 * "diverged": one around "node" does.  "*any" becomes true if there is one.
 */
static isl_stat check_barriers(__isl_keep isl_ast_node *node, bool diverged,
                               bool *any)
{
    isl_stat result = isl_stat_ok;
    isl_ast_node_list *list;
    struct pg_user *user;
    isl_bool has_else;
    isl_size n;

    switch (isl_ast_node_get_type(node)) {
    case isl_ast_node_for:
        diverged |= take_depends(isl_ast_node_for_get_init(node));
        if (isl_ast_node_for_is_degenerate(node) != isl_bool_true) {
            diverged |= take_depends(isl_ast_node_for_get_cond(node));
            diverged |= take_depends(isl_ast_node_for_get_inc(node));
        }
        return take_check(isl_ast_node_for_get_body(node), diverged, any);
    case isl_ast_node_if:
        diverged |= take_depends(isl_ast_node_if_get_cond(node));
        result = take_check(isl_ast_node_if_get_then(node), diverged, any);
        has_else = isl_ast_node_if_has_else(node);
        if (has_else < 0)
            return isl_stat_error;
        if (result == isl_stat_ok && has_else)
            result = take_check(isl_ast_node_if_get_else(node), diverged, any);
        return result;
    case isl_ast_node_block:
        list = isl_ast_node_block_get_children(node);
        n = isl_ast_node_list_n_ast_node(list);
        if (n < 0)
            result = isl_stat_error;
        for (int i = 0; result == isl_stat_ok && i < n; i++)
            result = take_check(isl_ast_node_list_get_ast_node(list, i),
                                diverged, any);
        isl_ast_node_list_free(list);
        return result;
    case isl_ast_node_mark:
        return take_check(isl_ast_node_mark_get_node(node), diverged, any);
    case isl_ast_node_user:
        user = pg_user_of(node);
        if (!user || user->kind != PG_USER_BARRIER)
            return user ? isl_stat_ok : isl_stat_error;
        *any = true;
        return diverged ? isl_stat_error : isl_stat_ok;
    default:
        return isl_stat_error;
    }
}

/* The condition on the subscripts "e0", "e1", ... under which an element is in
 * "readable", { A[x] }; NULL: always, or an error, then "*ok" becomes false.
 */
static isl_ast_expr *inside_of(const struct pg_plan *plan,
                               const struct pg_kernel *kernel,
                               __isl_keep isl_set *readable, bool *ok)
{
    isl_set *set = isl_set_copy(readable), *context;
    isl_size n = isl_set_dim(set, isl_dim_set);
    isl_ast_build *build;
    isl_ast_expr *inside;

    for (int d = 0; d < n; d++) {
        isl_size at = isl_set_dim(set, isl_dim_param);
        char *name = pg_format("e%d", d);

        set = isl_set_move_dims(set, isl_dim_param, (unsigned)at, isl_dim_set,
                                0, 1);
        set = isl_set_set_dim_name(set, isl_dim_param, (unsigned)at, name);
        free(name);
    }
    set = isl_set_params(set);
    context = kernel_context(plan, kernel);
    build = isl_ast_build_from_context(context);
    inside = isl_ast_build_expr_from_set(build, set);
    isl_ast_build_free(build);
    *ok &= inside != NULL;
    return inside;
}

/* Build kernel->ast and what goes with it. */
static isl_stat build_kernel(struct pg_plan *plan, unsigned k)
{
    struct pg_kernel *kernel = &plan->kernels[k];
    struct pg_promotion *promotion =
        ((struct pg_plan_private *)plan)->launches[k].promotion;
    struct annotating about = {plan->scop, kernel, promotion};
    isl_ast_build *build =
        isl_ast_build_from_context(kernel_context(plan, kernel));
    bool ok = true;

    build = isl_ast_build_set_at_each_domain(build, &at_instance, &about);
    kernel->ast = isl_ast_build_node_from_schedule(
        build, isl_schedule_copy(kernel->schedule));
    isl_ast_build_free(build);
    for (unsigned i = 0; i < kernel->n_buffer; i++)
        if (kernel->buffers[i].kind == PG_BUFFER_SHARED)
            kernel->buffers[i].inside =
                inside_of(plan, kernel, promotion->home[i].readable, &ok);
    if (!kernel->ast || !ok)
        return isl_stat_error;
    kernel->has_barrier = promotion != NULL;
    // The instances of barriers and copies are the same for all threads then,
    // also where isl tests their condition together with one on the thread.
    if (promotion)
        return pg_unrolled_known(kernel) ? isl_stat_ok : isl_stat_error;
    return check_barriers(kernel->ast, false, &kernel->has_barrier);
}

/* Build the AST of kernel "k"; when that fails with threads for inner loops,
 * then without.
 */
static isl_stat build_some_kernel(struct pg_plan *plan, unsigned k,
                                  struct pg_phase *phase)
{
    struct pg_launch *launch = &((struct pg_plan_private *)plan)->launches[k];
    struct pg_kernel *kernel = &plan->kernels[k];
    isl_stat result;

    if (launch->promotion)
        pg_phase_restart(phase);
    // What is forgotten below must not be an error of something else.
    if (pg_phase_erred(phase))
        return isl_stat_error;
    result = build_kernel(plan, k);
    if (pg_phase_erred(phase))
        result = isl_stat_error;
    if (result == isl_stat_ok && launch->promotion)
        pg_phase_restart(phase);
    if (result == isl_stat_ok || !launch->plain.schedule)
        return result;
    pg_phase_forget(phase);
    kernel->ast = isl_ast_node_free(kernel->ast);
    pg_kernel_use(kernel, launch, &launch->plain);
    free(kernel->choice);
    kernel->choice =
        pg_strdup("no buffers: loops over tiles would be too complicated");
    return build_kernel(plan, k);
}

/* The parameters for which "scop" has an instance, also where the context does
 * not hold: there the run is to be declined, not taken for empty.
 */
static __isl_give isl_set *nonempty_params(struct pg_scop *scop)
{
    isl_set *some = isl_set_empty(isl_set_get_space(scop->context));

    for (unsigned i = 0; i < scop->n_stmt; i++)
        some = isl_set_union(
            some, isl_set_params(isl_set_copy(scop->stmts[i].domain)));
    return pg_coalesce(some);
}

/* Build plan->host and plan->nonempty. */
static isl_stat build_host(struct pg_plan *plan)
{
    isl_ast_build *build =
        isl_ast_build_from_context(isl_set_copy(plan->scop->context));

    build = isl_ast_build_set_at_each_domain(build, &at_launch, plan);
    plan->host = isl_ast_build_node_from_schedule_map(
        build, isl_union_map_copy(plan->host_schedule));
    isl_ast_build_free(build);
    build = isl_ast_build_alloc(plan->scop->ctx);
    plan->nonempty =
        isl_ast_build_expr_from_set(build, nonempty_params(plan->scop));
    isl_ast_build_free(build);
    return plan->host && plan->nonempty ? isl_stat_ok : isl_stat_error;
}

/* Build plan->extents. */
static isl_stat build_extents(struct pg_plan *plan)
{
    const struct pg_scop *scop = plan->scop;
    isl_ast_build *build =
        isl_ast_build_from_context(isl_set_copy(scop->context));
    bool ok = true;

    plan->extents = pg_alloc(scop->n_array, sizeof(*plan->extents));
    for (unsigned a = 0; a < scop->n_array; a++) {
        const struct pg_array *array = &scop->arrays[a];

        if (array->kind != PG_ARRAY_TEMPORARY)
            continue;
        plan->extents[a] = pg_alloc(array->n_dim, sizeof(**plan->extents));
        for (unsigned d = 0; d < array->n_dim; d++) {
            plan->extents[a][d] = isl_ast_build_expr_from_pw_aff(
                build, isl_pw_aff_copy(array->extent[d]));
            ok &= plan->extents[a][d] != NULL;
        }
    }
    isl_ast_build_free(build);
    return ok ? isl_stat_ok : isl_stat_error;
}

/* Build the ASTs of all kernels, of the host and of the copies, and find out
 * for which parameters their arithmetic is safe.
 */
isl_stat pg_build_ast(struct pg_plan *plan, const struct pg_options *options,
                      struct pg_report *report)
{
    struct pg_scop *scop = plan->scop;
    isl_stat result = isl_stat_ok;
    struct pg_phase phase;

    pg_phase_begin(&phase, scop->ctx, "generation of loops", options, report);
    for (unsigned k = 0; result == isl_stat_ok && k < plan->n_kernel; k++)
        result = build_some_kernel(plan, k, &phase);
    if (result == isl_stat_ok)
        pg_local_find(plan, &phase);
    if (result == isl_stat_ok)
        result = build_host(plan);
    if (result == isl_stat_ok)
        result = build_extents(plan);
    if (result == isl_stat_ok) {
        plan->in = pg_copies_ast(scop, scop->live_in);
        plan->out = pg_copies_ast(scop, scop->live_out);
        result = plan->in && plan->out ? isl_stat_ok : isl_stat_error;
    }
    if (result == isl_stat_ok)
        result = pg_bounds(plan, &phase);
    return pg_phase_end(&phase, result);
}
