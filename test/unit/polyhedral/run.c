/* run.c - execute SCoPs and plans in the test itself (see run.h).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "run.h"

#include <isl/aff.h>
#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/point.h>
#include <isl/schedule.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOW = -8,
    SIDE = 72, /* of arrays of the program */
    MAX_DIM = 8,
    MAX_ENV = 64,
    MAX_ARGS = 8,
    MAX_ELEMENTS = 1 << 22 /* of a temporary */
};

/* One element-wise description of an access: subscripts as affine functions
 * of parameters and iterators, taken from the relation without any AST.
 */
struct affine {
    long long constant, param[8], iterator[MAX_ARGS];
    isl_pw_aff *pieces; /* NULL if there is only one */
    isl_set *where;     /* in the one behind the last: where the access */
                        /* happens, NULL: always */
};

/* One executed instance. */
struct instance {
    unsigned stmt;
    long long args[MAX_ARGS];
};

/* Where the subscripts of an array begin, and how many there are. */
struct shape {
    long long low[MAX_DIM], side[MAX_DIM];
    size_t size; /* in elements */
};

struct machine {
    const struct pg_plan *plan;
    const struct pg_scop *scop;
    struct shape *shapes; /* by array */
    const long long *values;
    struct {
        isl_id *id;
        long long value;
    } env[MAX_ENV];
    unsigned n_env;
    uint64_t *own; /* [thread][array]: variables of the threads */
    size_t thread;
    uint64_t **memory;       /* what statements work on, by array */
    unsigned char **touched; /* bit 0 read before written, bit 1 written, */
                             /* bit 2 moved */
    struct affine ***affine; /* [stmt][access][dim] */
    struct instance *log;
    size_t n_log, size_log;
    struct run_result *result;
    unsigned order;
    bool original;
    uint64_t **host; /* for moves: memory of the host */
    bool moving_in;
    long long last_move[1 + MAX_DIM];
    bool any_move;
    /* Threads in lockstep: only those between barriers "phase" run. */
    long phase, barriers, max_barriers;
    uint64_t met;        /* which barriers a thread met */
    unsigned first_loop; /* env from here on are loops of the kernel */
    unsigned dropped;    /* bit b: ignore barrier number b */
    char *error;
};

char *read_program(const char *name)
{
    char path[1000];
    char *text;
    size_t n;
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s.scop", PROGRAMS, name);
    file = fopen(path, "r");
    if (!file)
        return NULL;
    text = calloc(1 << 20, 1);
    n = fread(text, 1, (1 << 20) - 1, file);
    text[n] = 0;
    fclose(file);
    return text;
}

static void fail(struct machine *m, const char *format, ...)
{
    va_list args;
    char buffer[500];

    if (m->error)
        return;
    va_start(args, format);
    vsnprintf(buffer, sizeof(buffer), format, args);
    va_end(args);
    m->error = malloc(strlen(buffer) + 1);
    strcpy(m->error, buffer);
}

static void set(struct machine *m, isl_id *id, long long value)
{
    if (m->n_env == MAX_ENV) {
        fail(m, "too many variables");
        return;
    }
    m->env[m->n_env].id = id;
    m->env[m->n_env++].value = value;
}

static void set_name(struct machine *m, const char *name, long long value)
{
    isl_id *id = isl_id_alloc(m->scop->ctx, name, NULL);

    set(m, id, value);
    isl_id_free(id); /* the ASTs keep it, or nobody asks for it */
}

static long long get(struct machine *m, isl_id *id)
{
    for (unsigned i = m->n_env; i > 0; i--)
        if (m->env[i - 1].id == id)
            return m->env[i - 1].value;
    fail(m, "unknown name '%s'", isl_id_get_name(id));
    return 0;
}

static long long floor_div(long long a, long long b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

static long long eval(struct machine *m, isl_ast_expr *expr);

static long long eval_arg(struct machine *m, isl_ast_expr *expr, int i)
{
    isl_ast_expr *arg = isl_ast_expr_get_op_arg(expr, i);
    long long v = eval(m, arg);

    isl_ast_expr_free(arg);
    return v;
}

static long long eval_op(struct machine *m, isl_ast_expr *expr)
{
    enum isl_ast_expr_op_type type = isl_ast_expr_get_op_type(expr);
    int n = isl_ast_expr_get_op_n_arg(expr);
    long long a = eval_arg(m, expr, 0), b;

    switch (type) {
    case isl_ast_expr_op_and:
    case isl_ast_expr_op_and_then:
        for (int i = 1; a && i < n; i++)
            a = eval_arg(m, expr, i);
        return !!a;
    case isl_ast_expr_op_or:
    case isl_ast_expr_op_or_else:
        for (int i = 1; !a && i < n; i++)
            a = eval_arg(m, expr, i);
        return !!a;
    case isl_ast_expr_op_cond:
    case isl_ast_expr_op_select:
        return eval_arg(m, expr, a ? 1 : 2);
    case isl_ast_expr_op_minus:
        return -a;
    default:
        break;
    }
    for (int i = 1; i < n; i++) {
        b = eval_arg(m, expr, i);
        if (b == 0 && type >= isl_ast_expr_op_div &&
            type <= isl_ast_expr_op_zdiv_r) {
            fail(m, "division by zero");
            return 0;
        }
        switch (type) {
        case isl_ast_expr_op_max:
            a = a > b ? a : b;
            break;
        case isl_ast_expr_op_min:
            a = a < b ? a : b;
            break;
        case isl_ast_expr_op_add:
            a += b;
            break;
        case isl_ast_expr_op_sub:
            a -= b;
            break;
        case isl_ast_expr_op_mul:
            a *= b;
            break;
        case isl_ast_expr_op_div:
            if (a % b)
                fail(m, "division with a remainder");
            a /= b;
            break;
        case isl_ast_expr_op_fdiv_q:
            a = floor_div(a, b);
            break;
        case isl_ast_expr_op_pdiv_q:
        case isl_ast_expr_op_pdiv_r:
            if (a < 0)
                fail(m, "%lld is divided as if it were not negative", a);
            a = type == isl_ast_expr_op_pdiv_q ? a / b : a % b;
            break;
        case isl_ast_expr_op_zdiv_r:
            a %= b;
            break;
        case isl_ast_expr_op_eq:
            a = a == b;
            break;
        case isl_ast_expr_op_le:
            a = a <= b;
            break;
        case isl_ast_expr_op_lt:
            a = a < b;
            break;
        case isl_ast_expr_op_ge:
            a = a >= b;
            break;
        case isl_ast_expr_op_gt:
            a = a > b;
            break;
        default:
            fail(m, "an operation that is not known: %d", type);
        }
    }
    return a;
}

static long long eval(struct machine *m, isl_ast_expr *expr)
{
    long long v = 0;
    isl_val *val;
    isl_id *id;

    switch (isl_ast_expr_get_type(expr)) {
    case isl_ast_expr_int:
        val = isl_ast_expr_get_val(expr);
        v = isl_val_get_num_si(val);
        isl_val_free(val);
        return v;
    case isl_ast_expr_id:
        id = isl_ast_expr_get_id(expr);
        v = get(m, id);
        isl_id_free(id);
        return v;
    case isl_ast_expr_op:
        return eval_op(m, expr);
    default:
        fail(m, "an expression of no kind");
        return 0;
    }
}

static long long take(struct machine *m, isl_ast_expr *expr)
{
    long long v = eval(m, expr);

    isl_ast_expr_free(expr);
    return v;
}

static size_t offset(struct machine *m, unsigned array, const long long *x)
{
    const struct shape *shape = &m->shapes[array];
    size_t at = 0;

    for (unsigned d = 0; d < m->scop->arrays[array].n_dim; d++) {
        if (x[d] < shape->low[d] || x[d] >= shape->low[d] + shape->side[d]) {
            fail(m, "subscript %lld of %s is too far out", x[d],
                 m->scop->arrays[array].name);
            return 0;
        }
        at = at * (size_t)shape->side[d] + (size_t)(x[d] - shape->low[d]);
    }
    return at;
}

/* Find out how large array "a" is; a temporary is as large as the plan says. */
static void measure(struct machine *m, unsigned a)
{
    const struct pg_array *array = &m->scop->arrays[a];
    struct shape *shape = &m->shapes[a];

    shape->size = 1;
    if (array->n_dim > MAX_DIM)
        fail(m, "%s has %u dimensions", array->name, array->n_dim);
    for (unsigned d = 0; d < array->n_dim && !m->error; d++) {
        shape->low[d] = LOW;
        shape->side[d] = SIDE;
        if (array->kind == PG_ARRAY_TEMPORARY) {
            shape->low[d] = 0;
            shape->side[d] = eval(m, m->plan->extents[a][d]);
            if (shape->side[d] < 0)
                shape->side[d] = 0;
        }
        if (shape->side[d] > MAX_ELEMENTS ||
            shape->size * (size_t)shape->side[d] > MAX_ELEMENTS) {
            fail(m, "%s is too large", array->name);
            shape->side[d] = 0;
        }
        shape->size *= (size_t)shape->side[d];
    }
}

static uint64_t mix(uint64_t h, uint64_t v)
{
    h ^= v + 0x9e3779b97f4a7c15ULL + (h << 6) + (h >> 2);
    h *= 0xff51afd7ed558ccdULL;
    return h ^ (h >> 29);
}

/* The instance "args" in "space". */
static isl_point *point_of(const struct machine *m, isl_space *space,
                           const long long *args)
{
    int n = isl_space_dim(space, isl_dim_set);
    isl_point *point = isl_point_zero(space);

    for (unsigned p = 0; p < m->scop->n_param; p++)
        point = isl_point_set_coordinate_val(
            point, isl_dim_param, (int)p,
            isl_val_int_from_si(m->scop->ctx, (long)m->values[p]));
    for (int i = 0; i < n; i++)
        point = isl_point_set_coordinate_val(
            point, isl_dim_set, i,
            isl_val_int_from_si(m->scop->ctx, (long)args[i]));
    return point;
}

/* The value of "pieces" at the instance "args". */
static long long at_pieces(const struct machine *m, isl_pw_aff *pieces,
                           const long long *args)
{
    isl_point *point = point_of(m, isl_pw_aff_get_domain_space(pieces), args);
    isl_val *v = isl_pw_aff_eval(isl_pw_aff_copy(pieces), point);
    long long result = isl_val_get_num_si(v);

    isl_val_free(v);
    return result;
}

/* Does access "a" happen at "args"? */
static bool happens(struct machine *m, unsigned s, unsigned a,
                    const long long *args, struct pg_user *user)
{
    const struct pg_access *access = &m->scop->stmts[s].accesses[a];
    isl_set *where =
        m->affine[s][a][m->scop->arrays[access->array].n_dim].where;
    isl_set *point;
    bool does = true;

    if (where) {
        point = isl_set_from_point(point_of(m, isl_set_get_space(where), args));
        does = isl_set_is_subset(point, where) == isl_bool_true;
        isl_set_free(point);
    }
    if (user && does != (!user->guard[a] || eval(m, user->guard[a])))
        fail(m, "the condition of access %u of %s is wrong", a,
             m->scop->stmts[s].name);
    return does;
}

/* The element of access "a" of "stmt" at "args", from the relation itself. */
static size_t element(struct machine *m, unsigned s, unsigned a,
                      const long long *args, struct pg_user *user)
{
    const struct pg_access *access = &m->scop->stmts[s].accesses[a];
    const struct pg_array *array = &m->scop->arrays[access->array];
    int n = isl_set_dim(m->scop->stmts[s].domain, isl_dim_set);
    long long x[MAX_DIM];

    for (unsigned d = 0; d < array->n_dim; d++) {
        const struct affine *f = &m->affine[s][a][d];

        x[d] = f->pieces ? at_pieces(m, f->pieces, args) : f->constant;
        for (unsigned p = 0; p < m->scop->n_param; p++)
            x[d] += f->param[p] * m->values[p];
        for (int i = 0; i < n; i++)
            x[d] += f->iterator[i] * args[i];
        if (user && eval(m, user->access[a][d]) != x[d])
            fail(m, "subscript %u of access %u of %s is wrong", d, a,
                 m->scop->stmts[s].name);
    }
    if (user && (user->access[a][array->n_dim] || user->redirected[a] != -1))
        fail(m, "the row of subscripts does not end");
    return offset(m, access->array, x);
}

static void execute(struct machine *m, unsigned s, const long long *args,
                    struct pg_user *user)
{
    const struct pg_stmt *stmt = &m->scop->stmts[s];
    int n = isl_set_dim(stmt->domain, isl_dim_set);
    uint64_t h = mix(stmt->origin + 1, 17), copied = 0;

    if (m->n_log == m->size_log) {
        m->size_log = m->size_log ? 2 * m->size_log : 1024;
        m->log = realloc(m->log, m->size_log * sizeof(*m->log));
    }
    memset(&m->log[m->n_log], 0, sizeof(*m->log));
    m->log[m->n_log].stmt = s;
    for (int i = 0; i < n; i++) {
        m->log[m->n_log].args[i] = args[i];
        h = mix(h, (uint64_t)args[i]);
    }
    m->n_log++;
    for (int write = 0; write < 2; write++)
        for (unsigned a = 0; a < stmt->n_access; a++) {
            unsigned array = stmt->accesses[a].array;
            uint64_t *cell;
            size_t at;

            if (stmt->accesses[a].write != (write == 1) ||
                !happens(m, s, a, args, user))
                continue;
            at = element(m, s, a, args, user);
            if (m->error)
                return;
            if (m->original && !write && !(m->touched[array][at] & 2))
                m->touched[array][at] |= 1;
            if (m->original && write)
                m->touched[array][at] |= 2;
            cell = &m->memory[array][at];
            if (user && m->plan->local[array])
                cell = &m->own[m->thread * m->scop->n_array + array];
            if (write && stmt->copy)
                *cell = copied;
            else if (write)
                *cell = mix(h, a);
            else
                h = mix(h, copied = *cell);
        }
}

static struct pg_user *user_of(isl_ast_node *node)
{
    isl_id *id = isl_ast_node_get_annotation(node);
    struct pg_user *user = id ? isl_id_get_user(id) : NULL;

    isl_id_free(id);
    return user;
}

static void run_node(struct machine *m, isl_ast_node *node);

static void run_take(struct machine *m, isl_ast_node *node)
{
    run_node(m, node);
    isl_ast_node_free(node);
}

/* Number "i" of 0 to n - 1 in the order of this run. */
static long long in_order(struct machine *m, long long i, long long n)
{
    if (m->order == 0)
        return i;
    if (m->order == 1)
        return n - 1 - i;
    if (n % 2654435761LL == 0)
        fail(m, "no permutation");
    return (long long)(((unsigned long long)i * 2654435761ULL +
                        m->order * 40503ULL) %
                       (unsigned long long)n);
}

/* Run the statements of thread number "at" of the launch that are in the
 * phase m->phase, and see which barriers it meets.
 */
static void run_thread(struct machine *m, const struct pg_kernel *k,
                       struct pg_user *user, const long long *grid,
                       long long at)
{
    static const char *const b[] = {"b0", "b1", "b2"};
    static const char *const t[] = {"t0", "t1", "t2"};
    unsigned depth = m->n_env;
    size_t thread = (size_t)at;

    for (unsigned h = 0; h < k->n_host; h++)
        set_name(m, k->host[h], eval(m, user->args[h]));
    for (int d = 0; d < 3; d++) {
        set_name(m, t[d], at % k->block[d]);
        at /= k->block[d];
    }
    for (int d = 0; d < 3; d++) {
        set_name(m, b[d], at % grid[d]);
        at /= grid[d];
    }
    m->barriers = 0;
    m->met = 0;
    m->thread = thread;
    m->first_loop = m->n_env;
    run_node(m, k->ast);
    m->n_env = depth;
    if (m->barriers && !k->has_barrier)
        fail(m, "a kernel that claims to have no barriers has one");
}

/* Run the threads "from" to "from" + "n" - 1 of the launch in lockstep between
 * barriers: all of a phase before the next.  Those of one block have to meet
 * the same barriers in the same iterations of the loops around.
 */
static void run_threads(struct machine *m, const struct pg_kernel *k,
                        struct pg_user *user, const long long *grid,
                        long long from, long long n)
{
    long long size = (long long)k->block[0] * k->block[1] * k->block[2];
    uint64_t *met = calloc((size_t)(n / size + 1), sizeof(*met));
    bool *known = calloc((size_t)(n / size + 1), sizeof(*known));

    m->max_barriers = 0;
    for (m->phase = 0; m->phase <= m->max_barriers && !m->error; m->phase++)
        for (long long i = 0; i < n && !m->error; i++) {
            long long at = in_order(m, i, n), block = at / size;

            run_thread(m, k, user, grid, from + at);
            if (m->phase == 0 && known[block] && met[block] != m->met)
                fail(m, "threads of a block meet different barriers");
            known[block] = true;
            met[block] = m->met;
            if (m->barriers > m->max_barriers)
                m->max_barriers = m->barriers;
        }
    free(met);
    free(known);
}

/* Run a kernel: for the orders 0 and 1, block after block if there are
 * barriers, else all threads at a time.
 */
static void launch(struct machine *m, struct pg_user *user)
{
    const struct pg_kernel *k = &m->plan->kernels[user->index];
    long long grid[3], blocks = 1;
    long long size = (long long)k->block[0] * k->block[1] * k->block[2];

    m->result->launches++;
    m->result->kernels_seen |= 1u << user->index;
    for (int d = 0; d < 3; d++) {
        grid[d] = eval(m, user->grid[d]);
        if (grid[d] < 0 || grid[d] > k->grid_limit[d])
            fail(m, "%lld blocks in dimension %d", grid[d], d);
        blocks *= grid[d];
    }
    if (user->n != k->n_host)
        fail(m, "launch with %u arguments instead of %u", user->n, k->n_host);
    if (m->error || blocks <= 0)
        return;
    m->own = realloc(m->own, (size_t)(blocks * size) * m->scop->n_array *
                                 sizeof(*m->own));
    for (size_t i = 0; i < (size_t)(blocks * size) * m->scop->n_array; i++)
        m->own[i] = mix(m->result->launches, i);
    if (!k->has_barrier || m->order > 1) {
        run_threads(m, k, user, grid, 0, blocks * size);
        return;
    }
    for (long long b = 0; b < blocks && !m->error; b++)
        run_threads(m, k, user, grid, in_order(m, b, blocks) * size, size);
}

/* A barrier that was not dropped from the run ends a phase of the thread. */
static void meet_barrier(struct machine *m, struct pg_user *user)
{
    m->result->barriers |= 1u << user->index;
    if (m->dropped & (1u << user->index))
        return;
    m->barriers++;
    m->met = mix(m->met, user->index);
    for (unsigned i = m->first_loop; i < m->n_env; i++)
        m->met = mix(m->met, (uint64_t)m->env[i].value);
}

static void move(struct machine *m, struct pg_user *user)
{
    const struct pg_array *array = &m->scop->arrays[user->index];
    long long x[1 + MAX_DIM] = {user->index};
    size_t at;
    int order = 0;

    if (user->n != array->n_dim)
        fail(m, "a move with %u subscripts", user->n);
    for (unsigned d = 0; d < user->n; d++)
        x[d + 1] = eval(m, user->args[d]);
    for (unsigned d = 0; d <= user->n && !order; d++)
        order = (x[d] > m->last_move[d]) - (x[d] < m->last_move[d]);
    if (m->any_move && order <= 0)
        fail(m, "%s is moved out of order", array->name);
    m->any_move = true;
    memcpy(m->last_move, x, sizeof(x));
    at = offset(m, user->index, x + 1);
    if (m->error)
        return;
    m->touched[user->index][at] |= 4;
    if (m->moving_in)
        m->memory[user->index][at] = m->host[user->index][at];
    else
        m->host[user->index][at] = m->memory[user->index][at];
}

static void run_user(struct machine *m, isl_ast_node *node)
{
    struct pg_user *user = user_of(node);
    long long args[MAX_ARGS] = {0};
    isl_ast_expr *expr, *name;
    isl_id *id;
    int n;

    if (!user && m->original) {
        expr = isl_ast_node_user_get_expr(node);
        n = isl_ast_expr_get_op_n_arg(expr) - 1;
        name = isl_ast_expr_get_op_arg(expr, 0);
        id = isl_ast_expr_get_id(name);
        for (int i = 0; i < n; i++)
            args[i] = eval_arg(m, expr, i + 1);
        for (unsigned s = 0; s < m->scop->n_stmt; s++)
            if (!strcmp(m->scop->stmts[s].name, isl_id_get_name(id)))
                execute(m, s, args, NULL);
        isl_id_free(id);
        isl_ast_expr_free(name);
        isl_ast_expr_free(expr);
        return;
    }
    if (!user) {
        fail(m, "a user node without annotation");
        return;
    }
    switch (user->kind) {
    case PG_USER_STMT:
        if (m->barriers != m->phase)
            return;
        for (unsigned i = 0; i < user->n; i++)
            args[i] = eval(m, user->args[i]);
        execute(m, user->index, args, user);
        return;
    case PG_USER_BARRIER:
        meet_barrier(m, user);
        return;
    case PG_USER_LAUNCH:
        launch(m, user);
        return;
    case PG_USER_MOVE:
        move(m, user);
        return;
    }
}

static void run_for(struct machine *m, isl_ast_node *node)
{
    isl_ast_expr *iterator = isl_ast_node_for_get_iterator(node);
    isl_id *id = isl_ast_expr_get_id(iterator);
    isl_ast_node *body = isl_ast_node_for_get_body(node);
    bool once = isl_ast_node_for_is_degenerate(node);
    isl_ast_expr *cond = once ? NULL : isl_ast_node_for_get_cond(node);
    long long inc = once ? 0 : take(m, isl_ast_node_for_get_inc(node));
    unsigned depth = m->n_env;

    set(m, id, take(m, isl_ast_node_for_get_init(node)));
    while (!m->error && (once || eval(m, cond))) {
        run_node(m, body);
        m->env[depth].value += inc;
        if (once)
            break;
    }
    m->n_env = depth;
    isl_ast_expr_free(cond);
    isl_ast_node_free(body);
    isl_id_free(id);
    isl_ast_expr_free(iterator);
}

static void run_node(struct machine *m, isl_ast_node *node)
{
    isl_ast_node_list *list;
    int n;

    if (m->error)
        return;
    switch (isl_ast_node_get_type(node)) {
    case isl_ast_node_for:
        run_for(m, node);
        return;
    case isl_ast_node_if:
        if (take(m, isl_ast_node_if_get_cond(node)))
            run_take(m, isl_ast_node_if_get_then(node));
        else if (isl_ast_node_if_has_else(node) == isl_bool_true)
            run_take(m, isl_ast_node_if_get_else(node));
        return;
    case isl_ast_node_block:
        list = isl_ast_node_block_get_children(node);
        n = isl_ast_node_list_n_ast_node(list);
        for (int i = 0; i < n; i++)
            run_take(m, isl_ast_node_list_get_ast_node(list, i));
        isl_ast_node_list_free(list);
        return;
    case isl_ast_node_user:
        run_user(m, node);
        return;
    default:
        fail(m, "an AST node of a kind that is not known");
    }
}

/* ---- The affine functions of accesses ------------------------------------ */

static isl_stat read_piece(isl_set *domain, isl_aff *aff, void *user)
{
    struct affine *f = user;
    int np = isl_aff_dim(aff, isl_dim_param), ni = isl_aff_dim(aff, isl_dim_in);
    isl_val *v = isl_aff_get_constant_val(aff);

    f->constant = isl_val_get_num_si(v);
    isl_val_free(v);
    for (int i = 0; i < np; i++) {
        v = isl_aff_get_coefficient_val(aff, isl_dim_param, i);
        f->param[i] = isl_val_get_num_si(v);
        isl_val_free(v);
    }
    for (int i = 0; i < ni; i++) {
        v = isl_aff_get_coefficient_val(aff, isl_dim_in, i);
        f->iterator[i] = isl_val_get_num_si(v);
        isl_val_free(v);
    }
    isl_set_free(domain);
    isl_aff_free(aff);
    return isl_stat_ok;
}

static struct affine *read_affine(const struct pg_access *access, unsigned n,
                                  isl_set *domain)
{
    isl_pw_multi_aff *pma =
        isl_pw_multi_aff_from_map(isl_map_copy(access->relation));
    struct affine *f = calloc(n + 1, sizeof(*f));

    for (unsigned d = 0; d < n; d++) {
        isl_pw_aff *pa = isl_pw_multi_aff_get_pw_aff(pma, (int)d);

        if (isl_pw_aff_n_piece(pa) > 1) {
            f[d].pieces = pa;
            continue;
        }
        isl_pw_aff_foreach_piece(pa, &read_piece, &f[d]);
        isl_pw_aff_free(pa);
    }
    isl_pw_multi_aff_free(pma);
    f[n].where = isl_map_domain(isl_map_copy(access->relation));
    if (isl_set_is_subset(domain, f[n].where) == isl_bool_true)
        f[n].where = isl_set_free(f[n].where);
    return f;
}

static void free_affine(struct machine *m, unsigned s, unsigned a)
{
    const struct pg_access *access = &m->scop->stmts[s].accesses[a];

    unsigned n = m->scop->arrays[access->array].n_dim;

    for (unsigned d = 0; d < n; d++)
        isl_pw_aff_free(m->affine[s][a][d].pieces);
    isl_set_free(m->affine[s][a][n].where);
    free(m->affine[s][a]);
}

/* ---- One comparison --------------------------------------------------------
 */

static int compare_instances(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct instance));
}

static uint64_t **memories(const struct machine *m, uint64_t seed)
{
    uint64_t **memory = calloc(m->scop->n_array + 1, sizeof(*memory));

    for (unsigned a = 0; a < m->scop->n_array; a++) {
        memory[a] = calloc(m->shapes[a].size + 1, sizeof(uint64_t));
        for (size_t i = 0; i < m->shapes[a].size; i++)
            memory[a][i] = mix(mix(seed, a), i);
    }
    return memory;
}

static void free_memories(const struct pg_scop *scop, uint64_t **memory)
{
    for (unsigned a = 0; a < scop->n_array; a++)
        free(memory[a]);
    free(memory);
}

static void begin(struct machine *m)
{
    const struct pg_scop *scop = m->scop;

    for (unsigned p = 0; p < scop->n_param; p++)
        set_name(m, scop->params[p].name, m->values[p]);
    m->shapes = calloc(scop->n_array + 1, sizeof(*m->shapes));
    for (unsigned a = 0; a < scop->n_array; a++)
        measure(m, a);
    m->affine = calloc(scop->n_stmt, sizeof(*m->affine));
    for (unsigned s = 0; s < scop->n_stmt; s++) {
        m->affine[s] = calloc(scop->stmts[s].n_access + 1, sizeof(**m->affine));
        for (unsigned a = 0; a < scop->stmts[s].n_access; a++)
            m->affine[s][a] = read_affine(
                &scop->stmts[s].accesses[a],
                scop->arrays[scop->stmts[s].accesses[a].array].n_dim,
                scop->stmts[s].domain);
    }
    m->touched = calloc(scop->n_array + 1, sizeof(*m->touched));
    for (unsigned a = 0; a < scop->n_array; a++)
        m->touched[a] = calloc(m->shapes[a].size + 1, 1);
}

static void end(struct machine *m)
{
    for (unsigned s = 0; s < m->scop->n_stmt; s++) {
        for (unsigned a = 0; a < m->scop->stmts[s].n_access; a++)
            free_affine(m, s, a);
        free(m->affine[s]);
    }
    free(m->affine);
    for (unsigned a = 0; a < m->scop->n_array; a++)
        free(m->touched[a]);
    free(m->touched);
    free(m->shapes);
    free(m->log);
    free(m->own);
}

/* The source's order: memory, touched elements and log. */
static void run_original(struct machine *m)
{
    isl_ast_build *build =
        isl_ast_build_from_context(isl_set_copy(m->scop->context));
    isl_ast_node *node = isl_ast_build_node_from_schedule(
        build, isl_schedule_copy(m->scop->original));

    m->original = true;
    run_take(m, node);
    m->original = false;
    isl_ast_build_free(build);
}

/* Has "scop" a temporary for array "a"? */
static bool has_temporary(const struct pg_scop *scop, unsigned a)
{
    bool has = false;

    for (unsigned b = 0; b < scop->n_array; b++)
        has |= b != a && scop->arrays[b].origin == a;
    return has;
}

/* Are just those elements moved that "original" needs or gives?  Those of an
 * array that is dead after need not be moved if it has become a temporary.
 */
static void check_moves(struct machine *m, const struct machine *original,
                        bool in)
{
    for (unsigned a = 0; a < m->scop->n_array; a++) {
        const struct pg_array *array = &m->scop->arrays[a];
        bool either = !in && array->dead_after && has_temporary(m->scop, a);

        for (size_t i = 0; !either && i < m->shapes[a].size; i++) {
            unsigned char t =
                a < original->scop->n_array ? original->touched[a][i] : 0;
            bool stays = array->dead_after &&
                         (!array->n_dim || array->kind == PG_ARRAY_TEMPORARY);
            bool want = in ? t & 1 : (t & 2) && !stays;

            if (want != !!(m->touched[a][i] & 4))
                fail(m, "element %zu of %s is %s", i, array->name,
                     want ? (in ? "not copied in" : "not copied out")
                          : (in ? "copied in" : "copied out"));
        }
        for (size_t i = 0; i < m->shapes[a].size; i++)
            m->touched[a][i] &= 3;
    }
}

static void run_plan(struct machine *m, const struct machine *original,
                     uint64_t **host)
{
    m->host = host;
    m->moving_in = true;
    m->any_move = false;
    run_node(m, m->plan->in);
    check_moves(m, original, true);
    run_node(m, m->plan->host);
    m->moving_in = m->any_move = false;
    run_node(m, m->plan->out);
    check_moves(m, original, false);
}

static void compare_memory(struct machine *m, const struct machine *original,
                           uint64_t **have)
{
    for (unsigned a = 0; a < original->scop->n_array; a++)
        for (size_t i = 0; i < original->shapes[a].size; i++)
            if (!original->scop->arrays[a].dead_after &&
                original->memory[a][i] != have[a][i])
                fail(m, "element %zu of %s has a wrong value", i,
                     original->scop->arrays[a].name);
}

/* Make the log one of the source's instances, in a fixed order. */
static void tidy_log(struct machine *m, bool of_source)
{
    size_t n = 0;

    for (size_t i = 0; i < m->n_log; i++) {
        const struct pg_stmt *stmt = &m->scop->stmts[m->log[i].stmt];

        if (of_source && stmt->copy)
            continue;
        m->log[n] = m->log[i];
        if (of_source)
            m->log[n].stmt = stmt->origin;
        n++;
    }
    m->n_log = n;
    if (n)
        qsort(m->log, n, sizeof(*m->log), &compare_instances);
}

/* Run the plan of "m" and compare it with the original order of the SCoP
 * "source", which has its arrays and statements in front, or is its own.
 */
static void compare(struct machine *m, const struct pg_scop *source)
{
    struct machine original = {.plan = m->plan,
                               .scop = source,
                               .values = m->values,
                               .result = m->result};
    uint64_t **host, **device;
    size_t n;

    begin(m);
    begin(&original);
    host = memories(m, 1);
    device = memories(m, 2);
    original.memory = memories(&original, 1);
    run_original(&original);
    m->memory = device;
    run_plan(m, &original, host);
    tidy_log(m, source != m->scop);
    tidy_log(&original, source != m->scop);
    n = original.n_log;
    m->result->instances = n;
    if (n != m->n_log)
        fail(m, "%zu instances instead of %zu", m->n_log, n);
    if (n && !m->error && memcmp(original.log, m->log, n * sizeof(*m->log)))
        fail(m, "not the same instances");
    if (!!n != !!eval(m, m->plan->nonempty))
        fail(m, "'nonempty' is wrong");
    if ((n == 0) != (m->result->launches == 0))
        fail(m, "%u launches for %zu instances", m->result->launches, n);
    compare_memory(m, &original, host);
    if (original.error)
        fail(m, "in the original order: %s", original.error);
    free(original.error);
    free_memories(source, original.memory);
    free_memories(m->scop, host);
    free_memories(m->scop, device);
    end(&original);
    end(m);
}

char *run_and_compare(const struct pg_plan *plan, const long long *values,
                      unsigned order, struct run_result *result)
{
    return run_without_barriers(plan, values, order, 0, result);
}

char *run_without_barriers(const struct pg_plan *plan, const long long *values,
                           unsigned order, unsigned dropped,
                           struct run_result *result)
{
    struct machine m = {.plan = plan,
                        .scop = plan->scop,
                        .values = values,
                        .order = order,
                        .dropped = dropped,
                        .result = result};

    memset(result, 0, sizeof(*result));
    compare(&m, plan->scop);
    return m.error;
}

char *run_and_compare_with(const struct pg_scop *source,
                           const struct pg_plan *plan, const long long *values,
                           unsigned order, struct run_result *result)
{
    struct machine m = {.plan = plan,
                        .scop = plan->scop,
                        .values = values,
                        .order = order,
                        .result = result};

    memset(result, 0, sizeof(*result));
    compare(&m, source);
    return m.error;
}
