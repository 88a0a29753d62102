/* run.c - execute SCoPs and plans in the test itself (see run.h).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "interpreter.h"

#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/schedule.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOW = -8,
    SIDE = 72,              /* of arrays of the program, at least */
    BEYOND = 24,            /* how much more than the largest parameter */
    MAX_ELEMENTS = 1 << 22, /* of an array */

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

bool is_selected(const char *what, size_t i, const char *name)
{
    unsigned k, n;

    if (what && sscanf(what, "%u/%u", &k, &n) == 2 && n > 0)
        return i % n == k;
    return !what || !strcmp(what, name);
}

enum extent test_extent(void)
{
    const char *tests = getenv("POLYGPU_TESTS");

    if (tests && !strcmp(tests, "all"))
        return EXTENT_ALL;
#ifdef TEST_SANITIZED
    return EXTENT_FEW;
#else
    return EXTENT_USUAL;
#endif
}

/* The number of subscripts in each dimension of the program's arrays. */
static long long side(const struct machine *m)
{
    long long most = SIDE;

    for (unsigned p = 0; p < m->scop->n_param; p++) {
        long long size = llabs(m->values[p]) + BEYOND;

        most = size > most ? size : most;
    }
    return most;
}

/* Find out how large array "a" is; a temporary is as large as the plan says. */
static void measure(struct machine *m, unsigned a)
{
    const struct pg_array *array = &m->scop->arrays[a];
    struct shape *shape = &m->shapes[a];

    shape->size = 1;
    if (array->n_dim > MAX_DIM)
        fail(&m->error, "%s has %u dimensions", array->name, array->n_dim);
    for (unsigned d = 0; d < array->n_dim && !m->error; d++) {
        shape->low[d] = LOW;
        shape->side[d] = side(m);
        if (array->kind == PG_ARRAY_TEMPORARY) {
            struct expr *extent =
                expr_compile(m->plan->extents[a][d], &m->names, &m->error);

            shape->low[d] = 0;
            shape->side[d] = expr_eval(extent, m->values, &m->error);
            if (shape->side[d] < 0)
                shape->side[d] = 0;
            expr_free(extent);
        }
        if (shape->side[d] > MAX_ELEMENTS ||
            shape->size * (size_t)shape->side[d] > MAX_ELEMENTS) {
            fail(&m->error, "%s is too large", array->name);
            shape->side[d] = 0;
        }
        shape->size *= (size_t)shape->side[d];
    }
}

/* ---- The host -------------------------------------------------------------
 */

static void move(struct machine *m, const struct action *action,
                 const long long *values)
{
    unsigned a = action->user->index;
    const struct pg_array *array = &m->scop->arrays[a];
    long long x[1 + MAX_DIM] = {a};
    size_t at;
    int order = 0;

    if (action->n != array->n_dim)
        fail(&m->error, "a move with %u subscripts", action->n);
    for (unsigned d = 0; d < action->n; d++)
        x[d + 1] = expr_eval(action->args[d], values, &m->error);
    for (unsigned d = 0; d <= action->n && !order; d++)
        order = (x[d] > m->last_move[d]) - (x[d] < m->last_move[d]);
    if (m->any_move && order <= 0)
        fail(&m->error, "%s is moved out of order", array->name);
    m->any_move = true;
    memcpy(m->last_move, x, sizeof(x));
    at = offset(m, a, x + 1);
    if (m->error)
        return;
    m->touched[a][at] |= MOVED;
    if (m->moving_in)
        m->memory[a][at] = m->host[a][at];
    else
        m->host[a][at] = m->memory[a][at];
}

/* Run "node" of the host. */
static void run_host(struct machine *m, isl_ast_node *node)
{
    struct code *code = code_compile(node, &m->names, &m->error);
    long long values[MAX_NAMES];
    const struct action *action;
    size_t at = 0;

    memcpy(values, m->values, m->scop->n_param * sizeof(*values));
    while ((action = code_next(code, &at, values, &m->error))) {
        if (action->user && action->user->kind == PG_USER_LAUNCH)
            launch(m, action, values);
        else if (action->user && action->user->kind == PG_USER_MOVE)
            move(m, action, values);
        else
            fail(&m->error, "no launch and no move on the host");
    }
    code_free(code);
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
        names_add_text(&m->names, scop->ctx, scop->params[p].name, &m->error);
    m->shapes = calloc(scop->n_array + 1, sizeof(*m->shapes));
    for (unsigned a = 0; a < scop->n_array; a++)
        measure(m, a);
    m->instances = calloc(scop->n_stmt + 1, sizeof(struct expr *));
    m->subscripts = calloc(scop->n_stmt + 1, sizeof(*m->subscripts));
    for (unsigned s = 0; s < scop->n_stmt; s++) {
        const struct pg_stmt *stmt = &scop->stmts[s];

        m->subscripts[s] = calloc(stmt->n_access + 1, sizeof(**m->subscripts));
        for (unsigned a = 0; a < stmt->n_access; a++)
            m->subscripts[s][a] =
                subscripts_read(scop, stmt, &stmt->accesses[a]);
    }
    m->touched = calloc(scop->n_array + 1, sizeof(*m->touched));
    for (unsigned a = 0; a < scop->n_array; a++)
        m->touched[a] = calloc(m->shapes[a].size + 1, 1);
}

static void end(struct machine *m)
{
    for (unsigned s = 0; s < m->scop->n_stmt; s++) {
        for (unsigned a = 0; a < m->scop->stmts[s].n_access; a++)
            subscripts_free(m->subscripts[s][a]);
        free(m->subscripts[s]);
        expr_free(m->instances[s]);
    }
    free(m->subscripts);
    free(m->instances);
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
    long long values[MAX_NAMES];
    const struct action *action;
    struct code *code;
    size_t at = 0;

    code = code_compile(node, &m->names, &m->error);
    memcpy(values, m->values, m->scop->n_param * sizeof(*values));
    while ((action = code_next(code, &at, values, &m->error))) {
        long long args[MAX_ARGS] = {0};

        for (unsigned i = 0; i < action->n && i < MAX_ARGS; i++)
            args[i] = expr_eval(action->args[i], values, &m->error);
        for (unsigned s = 0; s < m->scop->n_stmt; s++)
            if (!strcmp(m->scop->stmts[s].name,
                        isl_id_get_name(action->callee)))
                execute(m, s, args, NULL);
    }
    code_free(code);
    isl_ast_node_free(node);
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
static void check_moves(struct machine *m, bool in)
{
    const struct machine *original = m->source;

    for (unsigned a = 0; a < m->scop->n_array; a++) {
        const struct pg_array *array = &m->scop->arrays[a];
        bool either = !in && array->dead_after && has_temporary(m->scop, a);

        for (size_t i = 0; !either && i < m->shapes[a].size; i++) {
            unsigned char t =
                a < original->scop->n_array ? original->touched[a][i] : 0;
            bool stays = array->dead_after &&
                         (!array->n_dim || array->kind == PG_ARRAY_TEMPORARY);
            bool want = in ? t & READ_FIRST : (t & WRITTEN) && !stays;

            if (want != !!(m->touched[a][i] & MOVED))
                fail(&m->error, "element %zu of %s is %s", i, array->name,
                     want ? (in ? "not copied in" : "not copied out")
                          : (in ? "copied in" : "copied out"));
        }
        for (size_t i = 0; i < m->shapes[a].size; i++)
            m->touched[a][i] &= (unsigned char)~MOVED;
    }
}

static void run_plan(struct machine *m, uint64_t **host)
{
    m->host = host;
    m->moving_in = true;
    m->any_move = false;
    run_host(m, m->plan->in);
    check_moves(m, true);
    run_host(m, m->plan->host);
    m->moving_in = m->any_move = false;
    run_host(m, m->plan->out);
    check_moves(m, false);
}

static void compare_memory(struct machine *m, uint64_t **have)
{
    const struct machine *original = m->source;

    for (unsigned a = 0; a < original->scop->n_array; a++)
        for (size_t i = 0; i < original->shapes[a].size; i++)
            if (!original->scop->arrays[a].dead_after &&
                original->memory[a][i] != have[a][i])
                fail(&m->error, "element %zu of %s has a wrong value", i,
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
    struct expr *nonempty;
    size_t n;

    begin(m);
    begin(&original);
    host = memories(m, 1);
    device = memories(m, 2);
    original.memory = memories(&original, 1);
    run_original(&original);
    m->memory = device;
    m->source = &original;
    run_plan(m, host);
    tidy_log(m, source != m->scop);
    tidy_log(&original, source != m->scop);
    n = original.n_log;
    m->result->instances = n;
    if (n != m->n_log)
        fail(&m->error, "%zu instances instead of %zu", m->n_log, n);
    if (n && !m->error && memcmp(original.log, m->log, n * sizeof(*m->log)))
        fail(&m->error, "not the same instances");
    nonempty = expr_compile(m->plan->nonempty, &m->names, &m->error);
    if (!!n != !!expr_eval(nonempty, m->values, &m->error))
        fail(&m->error, "'nonempty' is wrong");
    expr_free(nonempty);
    if ((n == 0) != (m->result->launches == 0))
        fail(&m->error, "%u launches for %zu instances", m->result->launches,
             n);
    compare_memory(m, host);
    if (original.error)
        fail(&m->error, "in the original order: %s", original.error);
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
                           unsigned order, uint64_t dropped,
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
