/* bounds.c - for which parameters does the loops' arithmetic not overflow?
 *
 * If no parameter's absolute value is above P, then every value of an AST has
 * an absolute value of at most a * P + b.  The analysis walks the ASTs, keeps
 * such a bound for every loop variable, and collects from all intermediate
 * values the smallest P that keeps them in range.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "generate/bounds.h"
#include "map/user.h"
#include "polygpu/polyhedral.h"
#include "support/phase.h"
#include "support/text.h"
#include "support/values.h"

#include <isl/ilp.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_LIMIT_32 = 1 << 20 };

static const double huge_bound = 9e18;
static const double rounding = 1e-9;
static const long long limit_32 = 0x7fffffffLL;
static const long long limit_64 = 1LL << 62;

/* |value| <= a * P + b.  Bounds beyond 64 bits count as infinite. */
struct bound {
    double a, b;
};

/* A name with its bound; loops are entries that come and go. */
struct variable {
    const char *name;
    struct bound bound;
};

/* The analysis. */
struct bounds {
    const struct pg_plan *plan;
    unsigned n, size;
    struct variable *variables;
    struct bound *host;        /* bounds of the host iterators by kernel */
    struct bound (*grid)[3];   /* of the numbers of blocks by kernel */
    unsigned *first_host;      /* index of a kernel's first one in "host" */
    double limit[2], worst[2]; /* of 32 and 64 bits: range and largest P */
    const struct pg_kernel *kernel; /* whose loops these are */
    bool on_host;                   /* only 64 bits matter */
    bool bad;
};

/* The larger of both, by parts. */
static struct bound larger(struct bound x, struct bound y)
{
    struct bound z = {x.a > y.a ? x.a : y.a, x.b > y.b ? x.b : y.b};

    return z;
}

/* Note that a value with the bound "x" occurs. */
static struct bound note(struct bounds *b, struct bound x)
{
    for (int i = b->on_host ? 1 : 0; i < 2; i++) {
        double room = b->limit[i] - x.b, p;

        if (x.a == 0)
            p = room >= 0 ? b->worst[i] : -1;
        else
            p = room >= 0 ? room / x.a : -1;
        if (p < b->worst[i])
            b->worst[i] = p;
    }
    if (x.a > huge_bound || x.b > huge_bound)
        b->bad = true;
    return x;
}

/* Add a variable. */
static void push(struct bounds *b, const char *name, struct bound bound)
{
    if (b->n == b->size) {
        unsigned size = b->size ? 2 * b->size : 16;
        struct variable *larger_one = pg_alloc(size, sizeof(*larger_one));

        if (b->n)
            memcpy(larger_one, b->variables, b->n * sizeof(*larger_one));
        free(b->variables);
        b->variables = larger_one;
        b->size = size;
    }
    b->variables[b->n].name = name;
    b->variables[b->n++].bound = bound;
}

/* The bound of the variable "name"; unknown ones make the analysis fail. */
static struct bound find(struct bounds *b, const char *name)
{
    struct bound none = {0, 0};

    for (unsigned i = b->n; name && i > 0; i--)
        if (!strcmp(b->variables[i - 1].name, name))
            return b->variables[i - 1].bound;
    b->bad = true;
    return none;
}

static struct bound bound_expr(struct bounds *b, __isl_keep isl_ast_expr *expr);

/* The bound of argument "i" of "expr". */
static struct bound bound_arg(struct bounds *b, __isl_keep isl_ast_expr *expr,
                              int i)
{
    isl_ast_expr *arg = isl_ast_expr_get_op_arg(expr, i);
    struct bound x = bound_expr(b, arg);

    isl_ast_expr_free(arg);
    return x;
}

/* The bound of a sum, difference, product, quotient or remainder. */
static struct bound bound_arithmetic(struct bounds *b,
                                     enum isl_ast_expr_op_type type,
                                     struct bound x, struct bound y)
{
    struct bound z = {x.a + y.a, x.b + y.b};

    switch (type) {
    case isl_ast_expr_op_add:
    case isl_ast_expr_op_sub:
        return note(b, z);
    case isl_ast_expr_op_mul:
        if (x.a != 0 && y.a != 0)
            b->bad = true;
        z.a = x.a * y.b + y.a * x.b;
        z.b = x.b * y.b;
        return note(b, z);
    case isl_ast_expr_op_div:
    case isl_ast_expr_op_pdiv_q:
    case isl_ast_expr_op_fdiv_q:
        note(b, z);
        if (y.a != 0 || y.b < 1)
            return note(b, x);
        x.a /= y.b;
        x.b = x.b / y.b + 1;
        return note(b, x);
    case isl_ast_expr_op_pdiv_r:
    case isl_ast_expr_op_zdiv_r:
        return y.a == 0 ? note(b, y) : note(b, x);
    default:
        return note(b, x);
    }
}

/* The bound of an operation. */
static struct bound bound_op(struct bounds *b, __isl_keep isl_ast_expr *expr)
{
    enum isl_ast_expr_op_type type = isl_ast_expr_get_op_type(expr);
    isl_size n = isl_ast_expr_get_op_n_arg(expr);
    struct bound all = {0, 1}, x, first = {0, 0}, truth = {0, 1};
    bool from_second =
        type == isl_ast_expr_op_cond || type == isl_ast_expr_op_select;

    b->bad |= n < 0;

    for (int i = type == isl_ast_expr_op_call || type == isl_ast_expr_op_access;
         i < n; i++) {
        x = bound_arg(b, expr, i);
        if (i == 0)
            first = x;
        if (i > 0 || !from_second)
            all = larger(all, x);
        if (i == 1)
            x = bound_arithmetic(b, type, first, x);
        if (i == 1 && type >= isl_ast_expr_op_add &&
            type <= isl_ast_expr_op_zdiv_r)
            return x;
    }
    switch (type) {
    case isl_ast_expr_op_and:
    case isl_ast_expr_op_and_then:
    case isl_ast_expr_op_or:
    case isl_ast_expr_op_or_else:
    case isl_ast_expr_op_eq:
    case isl_ast_expr_op_le:
    case isl_ast_expr_op_lt:
    case isl_ast_expr_op_ge:
    case isl_ast_expr_op_gt:
        return truth;
    default:
        return all;
    }
}

/* The bound of "expr"; all values in it are noted. */
static struct bound bound_expr(struct bounds *b, __isl_keep isl_ast_expr *expr)
{
    struct bound x = {0, 0};
    isl_val *value;
    isl_id *id;

    switch (isl_ast_expr_get_type(expr)) {
    case isl_ast_expr_int:
        value = isl_val_abs(isl_ast_expr_get_val(expr));
        x.b = pg_val_to_double(value);
        isl_val_free(value);
        return note(b, x);
    case isl_ast_expr_id:
        id = isl_ast_expr_get_id(expr);
        x = find(b, isl_id_get_name(id));
        isl_id_free(id);
        return x;
    case isl_ast_expr_op:
        return bound_op(b, expr);
    default:
        b->bad = true;
        return x;
    }
}

/* bound_expr, and free "expr". */
static struct bound take_expr(struct bounds *b, __isl_take isl_ast_expr *expr)
{
    struct bound x = {0, 0};

    if (expr)
        x = bound_expr(b, expr);
    else
        b->bad = true;
    isl_ast_expr_free(expr);
    return x;
}

/* The subscripts of the elements of a copy, its place, and the condition on
 * these.
 */
static void bound_copy(struct bounds *b, const struct pg_user *user)
{
    static const char *const names[] = {"e0", "e1", "e2", "e3",
                                        "e4", "e5", "e6", "e7"};
    static const char *const places[] = {"i0", "i1", "i2", "i3",
                                         "i4", "i5", "i6", "i7"};
    isl_ast_expr *condition = user->kind == PG_USER_BACK
                                  ? b->kernel->back[user->index]
                                  : b->kernel->inside[user->index];
    const struct pg_buffer *buffer = &b->kernel->mapping->buffers[user->index];
    unsigned depth = b->n;

    if (user->n > 8 || user->n_place > 8) {
        b->bad = true;
        return;
    }
    for (unsigned d = 0; d < user->n; d++) {
        struct bound x = bound_expr(b, user->args[d]);

        x.b += (double)buffer->extent[d] * buffer->stride[d];
        push(b, names[d], note(b, x));
    }
    for (unsigned i = 0; i < user->n_place; i++)
        push(b, places[i], bound_expr(b, user->place[i]));
    if (condition)
        bound_expr(b, condition);
    b->n = depth;
}

/* Are the subscripts of access "a" of "user" computed?  A thread's own variable
 * has none, unless it is an array.
 */
static bool has_subscripts(const struct bounds *b, const struct pg_user *user,
                           unsigned a)
{
    const struct pg_scop *scop = b->plan->scop;

    return user->kind != PG_USER_STMT ||
           pg_plan_has_subscripts(b->plan,
                                  scop->stmts[user->index].accesses[a].array);
}

/* The expressions of the annotation of a user node.  The values that a launch
 * gives to host iterators are kept for its kernel.
 */
static void bound_user(struct bounds *b, __isl_keep isl_ast_node *node)
{
    struct pg_user *user = pg_user_of(node);

    if (!user) {
        b->bad = true;
        return;
    }
    for (unsigned i = 0; i < user->n; i++) {
        struct bound x = bound_expr(b, user->args[i]);

        if (user->kind == PG_USER_LAUNCH) {
            struct bound *h = &b->host[b->first_host[user->index] + i];

            *h = larger(*h, x);
        }
    }
    for (unsigned i = 0; i < user->n_access; i++)
        for (isl_ast_expr **e = user->access[i];
             *e && has_subscripts(b, user, i); e++)
            bound_expr(b, *e);
    for (unsigned i = 0; user->guard && i < user->n_access; i++)
        if (user->guard[i])
            bound_expr(b, user->guard[i]);
    for (unsigned d = 0; d < 3; d++)
        if (user->grid[d]) {
            struct bound *g = &b->grid[user->index][d];

            *g = larger(*g, bound_expr(b, user->grid[d]));
        }
    if (user->whole)
        bound_expr(b, user->whole);
    if (user->kind == PG_USER_COPY || user->kind == PG_USER_BACK)
        bound_copy(b, user);
}

static void bound_node(struct bounds *b, __isl_keep isl_ast_node *node);

/* bound_node, and free "node". */
static void take_node(struct bounds *b, __isl_take isl_ast_node *node)
{
    bound_node(b, node);
    isl_ast_node_free(node);
}

/* A loop: its variable is between the first value and the last one that the
 * condition allows, and once one increment further.
 */
static void bound_for(struct bounds *b, __isl_keep isl_ast_node *node)
{
    isl_ast_expr *iterator = isl_ast_node_for_get_iterator(node);
    isl_id *id = isl_ast_expr_get_id(iterator);
    struct bound x = take_expr(b, isl_ast_node_for_get_init(node)), end, inc;
    isl_ast_expr *cond;
    unsigned depth = b->n;

    if (isl_ast_node_for_is_degenerate(node) != isl_bool_true) {
        cond = isl_ast_node_for_get_cond(node);
        inc = take_expr(b, isl_ast_node_for_get_inc(node));
        if (isl_ast_expr_get_op_n_arg(cond) != 2)
            b->bad = true;
        end = bound_arg(b, cond, 1);
        isl_ast_expr_free(cond);
        end.a += inc.a;
        end.b += inc.b;
        x = note(b, larger(x, end));
    }
    push(b, isl_id_get_name(id), x);
    take_node(b, isl_ast_node_for_get_body(node));
    b->n = depth;
    isl_id_free(id);
    isl_ast_expr_free(iterator);
}

/* All values in "node". */
static void bound_node(struct bounds *b, __isl_keep isl_ast_node *node)
{
    isl_ast_node_list *list;
    isl_bool has_else;
    isl_size n;

    switch (isl_ast_node_get_type(node)) {
    case isl_ast_node_for:
        bound_for(b, node);
        return;
    case isl_ast_node_if:
        take_expr(b, isl_ast_node_if_get_cond(node));
        take_node(b, isl_ast_node_if_get_then(node));
        has_else = isl_ast_node_if_has_else(node);
        b->bad |= has_else < 0;
        if (has_else == isl_bool_true)
            take_node(b, isl_ast_node_if_get_else(node));
        return;
    case isl_ast_node_block:
        list = isl_ast_node_block_get_children(node);
        n = isl_ast_node_list_n_ast_node(list);
        b->bad |= n < 0;
        for (int i = 0; i < n; i++)
            take_node(b, isl_ast_node_list_get_ast_node(list, i));
        isl_ast_node_list_free(list);
        return;
    case isl_ast_node_mark:
        take_node(b, isl_ast_node_mark_get_node(node));
        return;
    case isl_ast_node_user:
        bound_user(b, node);
        return;
    default:
        b->bad = true;
    }
}

/* Parameters: P, or a number when the context has small bounds on both sides.
 * Bounds like those of int are no help: 2^31 - 1 leaves no room for adding
 * anything in 32 bits, while sizes that programs use leave a lot. */
static void push_params(struct bounds *b)
{
    isl_set *context = b->plan->scop->context;

    for (unsigned i = 0; i < b->plan->scop->n_param; i++) {
        isl_set *set = isl_set_copy(context);
        int at = isl_set_find_dim_by_name(set, isl_dim_param,
                                          b->plan->scop->params[i].name);
        struct bound x = {1, 0};
        isl_val *min, *max;

        if (at >= 0) {
            set = isl_set_from_params(set);
            set = isl_set_move_dims(set, isl_dim_set, 0, isl_dim_param,
                                    (unsigned)at, 1);
            set =
                isl_set_project_out(set, isl_dim_param, 0,
                                    (unsigned)isl_set_dim(set, isl_dim_param));
            min = isl_set_dim_min_val(isl_set_copy(set), 0);
            max = isl_set_dim_max_val(isl_set_copy(set), 0);
            if (isl_val_is_int(min) == isl_bool_true &&
                isl_val_is_int(max) == isl_bool_true) {
                min = isl_val_abs(min);
                max = isl_val_max(min, isl_val_abs(max));
                min = NULL;
                if (pg_val_to_double(max) <= MIN_LIMIT_32) {
                    x.a = 0;
                    x.b = pg_val_to_double(max);
                }
            }
            isl_val_free(min);
            isl_val_free(max);
        }
        isl_set_free(set);
        push(b, b->plan->scop->params[i].name, x);
    }
}

/* A number of a block of kernel "k" in dimension "d", and the next one that a
 * block goes on with where there are more than devices start.
 */
static struct bound block_bound(struct bounds *b, unsigned k, unsigned d)
{
    long long limit = b->plan->kernels[k].mapping->grid_limit[d];
    struct bound bound = {0, (double)limit}, next;

    if (limit <= PG_GRID_YZ)
        return bound;
    bound = next = b->grid[k][d];
    next.b += PG_GRID_YZ;
    note(b, next);
    return bound;
}

/* All values in the AST of kernel "k". */
static void bound_kernel(struct bounds *b, unsigned k)
{
    static const char *const blocks[] = {"b0", "b1", "b2"};
    static const char *const threads[] = {"t0", "t1", "t2"};
    const struct pg_kernel *kernel = &b->plan->kernels[k];
    unsigned depth = b->n;

    for (unsigned i = 0; i < kernel->n_host; i++)
        push(b, kernel->host[i], b->host[b->first_host[k] + i]);
    for (unsigned d = 0; d < 3; d++) {
        struct bound block = block_bound(b, k, d);
        struct bound thread = {0, kernel->mapping->block[d]};

        push(b, blocks[d], block);
        push(b, threads[d], thread);
    }
    for (unsigned i = depth; i < b->n; i++)
        note(b, b->variables[i].bound);
    b->kernel = kernel;
    bound_node(b, kernel->ast);
    b->n = depth;
}

/* Set plan->index_bits and plan->param_limit. */
isl_stat pg_bounds(struct pg_plan *plan, struct pg_phase *phase)
{
    struct bounds b = {.plan = plan,
                       .limit = {(double)limit_32, (double)limit_64}};
    unsigned n_host = 0;

    b.worst[0] = b.worst[1] = (double)limit_64;
    b.first_host = pg_alloc(plan->n_kernel, sizeof(*b.first_host));
    for (unsigned k = 0; k < plan->n_kernel; k++) {
        b.first_host[k] = n_host;
        n_host += plan->kernels[k].n_host;
    }
    b.host = pg_alloc(n_host, sizeof(*b.host));
    b.grid = pg_alloc(plan->n_kernel, sizeof(*b.grid));
    push_params(&b);
    for (unsigned i = 0; i < b.n; i++)
        note(&b, b.variables[i].bound);
    b.on_host = true;
    bound_node(&b, plan->host);
    if (plan->chained) {
        bound_node(&b, plan->chained);
        bound_expr(&b, plan->chain);
    }
    bound_node(&b, plan->in);
    bound_node(&b, plan->out);
    bound_expr(&b, plan->nonempty);
    for (unsigned a = 0; a < plan->scop->n_array; a++)
        for (unsigned d = 0;
             plan->extents[a] && d < plan->scop->arrays[a].n_dim; d++)
            bound_expr(&b, plan->extents[a][d]);
    plan->host_limit = (long long)(b.worst[1] * (1 - rounding));
    b.on_host = false;
    for (unsigned k = 0; k < plan->n_kernel; k++)
        bound_kernel(&b, k);
    free(b.variables);
    free(b.host);
    free(b.grid);
    free(b.first_host);
    for (int i = 0; i < 2; i++)
        if (b.worst[i] < b.limit[1])
            b.worst[i] *= 1 - rounding;
    plan->index_bits = b.worst[0] >= MIN_LIMIT_32 ? 32 : 64;
    plan->param_limit = (long long)b.worst[plan->index_bits == 64];
    if (plan->index_bits == 32 && b.worst[1] < b.worst[0])
        plan->param_limit = (long long)b.worst[1];
    if (plan->tile_limit && plan->tile_limit < plan->param_limit)
        plan->param_limit = plan->tile_limit;
    if (plan->param_limit > PG_MAX_PARAM)
        plan->param_limit = PG_MAX_PARAM;
    if (plan->host_limit > PG_MAX_PARAM)
        plan->host_limit = PG_MAX_PARAM;
    if (!b.bad && plan->param_limit >= 1)
        return isl_stat_ok;
    pg_phase_fail(phase, PG_BOUNDS, NULL,
                  "the loops' arithmetic may overflow 64 bits for every size; "
                  "use smaller constants in bounds and subscripts");
    return isl_stat_error;
}
