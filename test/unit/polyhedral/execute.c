/* execute.c - instances of statements, see interpreter.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "interpreter.h"

#include <stdlib.h>
#include <string.h>

uint64_t mix(uint64_t h, uint64_t v)
{
    h ^= v + 0x9e3779b97f4a7c15ULL + (h << 6) + (h >> 2);
    h *= 0xff51afd7ed558ccdULL;
    return h ^ (h >> 29);
}

size_t offset(struct machine *m, unsigned array, const long long *x)
{
    const struct shape *shape = &m->shapes[array];
    size_t at = 0;

    for (unsigned d = 0; d < m->scop->arrays[array].n_dim; d++) {
        if (x[d] < shape->low[d] || x[d] >= shape->low[d] + shape->side[d]) {
            fail(&m->error, "subscript %lld of %s is too far out", x[d],
                 m->scop->arrays[array].name);
            return 0;
        }
        at = at * (size_t)shape->side[d] + (size_t)(x[d] - shape->low[d]);
    }
    return at;
}

/* An instance that runs. */
struct running {
    unsigned stmt;
    const long long *args;
    const struct action *action; /* NULL in the original order */
    bool beyond;                 /* not in the domain of the statement */
};

/* The values of names at the node that runs. */
static const long long *values_of(const struct machine *m)
{
    return m->launch ? m->launch->thread->values : m->values;
}

long long value_of(struct machine *m, const struct expr *expr)
{
    return expr_eval(expr, values_of(m), &m->error);
}

/* Does access "a" happen? */
static bool happens(struct machine *m, const struct running *r, unsigned a)
{
    const struct action *action = r->action;
    bool guarded =
        !action || !action->guard[a] || value_of(m, action->guard[a]);
    bool does;

    if (r->beyond)
        return guarded;
    does = subscripts_happen(m->subscripts[r->stmt][a], m->values, r->args);
    if (action && does != guarded)
        fail(&m->error, "the condition of access %u of %s is wrong", a,
             m->scop->stmts[r->stmt].name);
    return does;
}

/* The element of access "a", from the relation itself. */
static size_t element(struct machine *m, const struct running *r, unsigned a)
{
    unsigned array = m->scop->stmts[r->stmt].accesses[a].array;
    long long x[MAX_DIM];

    subscripts_at(m->subscripts[r->stmt][a], m->values, r->args, x);
    return offset(m, array, x);
}

/* Access "a" is to memory: are its subscripts right? */
static void check_subscripts(struct machine *m, const struct running *r,
                             unsigned a)
{
    unsigned array = m->scop->stmts[r->stmt].accesses[a].array;
    unsigned n = m->scop->arrays[array].n_dim;
    long long x[MAX_DIM];

    subscripts_at(m->subscripts[r->stmt][a], m->values, r->args, x);
    if (r->action->n_subscript[a] != n)
        fail(&m->error, "%u subscripts instead of %u",
             r->action->n_subscript[a], n);
    for (unsigned d = 0; d < n && !m->error; d++)
        if (value_of(m, r->action->access[a][d]) != x[d])
            fail(&m->error, "subscript %u of access %u of %s is wrong", d, a,
                 m->scop->stmts[r->stmt].name);
}

/* What access "a" of an instance is to in memory, or a variable of the thread;
 * NULL after an error.
 */
static uint64_t *in_memory(struct machine *m, const struct running *r,
                           unsigned a)
{
    const struct pg_access *access = &m->scop->stmts[r->stmt].accesses[a];
    unsigned array = access->array;
    unsigned char *touched;
    size_t at;

    if (r->beyond && (access->write || m->scop->arrays[array].n_dim))
        fail(&m->error, "%s accesses %s beyond its domain",
             m->scop->stmts[r->stmt].name, m->scop->arrays[array].name);
    if (r->action)
        check_subscripts(m, r, a);
    at = element(m, r, a);
    if (m->error)
        return NULL;
    touched = &m->touched[array][at];
    if (!r->action && access->write)
        *touched |= WRITTEN;
    else if (!r->action)
        *touched |= *touched & WRITTEN ? READ : READ | READ_FIRST;
    if (r->action && m->plan->local[array])
        return &m->own[m->launch->thread->number * m->scop->n_array + array];
    if (r->action && access->write)
        m->launch->written[array] = true;
    return &m->memory[array][at];
}

struct cell *in_buffer(struct machine *m, unsigned buffer,
                       struct expr *const *row, unsigned n)
{
    long long x[MAX_DIM];

    for (unsigned d = 0; d < n && d < MAX_DIM; d++)
        x[d] = value_of(m, row[d]);
    if (m->error)
        return NULL;
    return buffers_at(m->launch->buffers, buffer, m->launch->thread->place, x,
                      n, &m->error);
}

static uint64_t read_buffer(struct machine *m, const struct running *r,
                            unsigned a, unsigned buffer)
{
    struct launching *l = m->launch;
    const struct pg_buffer *about = &l->kernel->buffers[buffer];
    struct cell *cell =
        in_buffer(m, buffer, r->action->access[a], r->action->n_subscript[a]);

    if (!cell)
        return 0;
    if (about->array != m->scop->stmts[r->stmt].accesses[a].array)
        fail(&m->error, "%s is of another array", about->name);
    if (about->kind == PG_BUFFER_SHARED)
        buffers_read(l->buffers, buffer, l->thread->place, cell, l->phase,
                     &m->error);
    if (!r->beyond && cell->state != CELL_FULL)
        fail(&m->error, "%s reads an element of %s that is %s",
             m->scop->stmts[r->stmt].name, about->name,
             cell->state == CELL_ZERO      ? "zero"
             : cell->state == CELL_SPOILED ? "from beyond a domain"
                                           : "not set");
    else if (!r->beyond && cell->element != element(m, r, a))
        fail(&m->error, "%s reads the wrong element of %s",
             m->scop->stmts[r->stmt].name, about->name);
    return cell->value;
}

static void write_buffer(struct machine *m, const struct running *r, unsigned a,
                         unsigned buffer, uint64_t value)
{
    const struct pg_buffer *about = &m->launch->kernel->buffers[buffer];
    struct cell *cell =
        in_buffer(m, buffer, r->action->access[a], r->action->n_subscript[a]);

    if (!cell)
        return;
    if (about->kind == PG_BUFFER_SHARED)
        fail(&m->error, "%s is written", about->name);
    if (about->array != m->scop->stmts[r->stmt].accesses[a].array)
        fail(&m->error, "%s is of another array", about->name);
    cell->state = r->beyond ? CELL_SPOILED : CELL_FULL;
    cell->value = value;
    if (!r->beyond)
        cell->element = element(m, r, a);
}

/* The buffer that access "a" is to, or -1. */
static int buffer_of(const struct running *r, unsigned a)
{
    return r->action ? r->action->user->redirected[a] : -1;
}

static uint64_t read_access(struct machine *m, const struct running *r,
                            unsigned a)
{
    int buffer = buffer_of(r, a);
    uint64_t *at;

    if (buffer >= 0)
        return read_buffer(m, r, a, (unsigned)buffer);
    at = in_memory(m, r, a);
    return at ? *at : 0;
}

static void write_access(struct machine *m, const struct running *r, unsigned a,
                         uint64_t value)
{
    int buffer = buffer_of(r, a);
    uint64_t *at;

    if (buffer >= 0) {
        write_buffer(m, r, a, (unsigned)buffer, value);
        return;
    }
    at = in_memory(m, r, a);
    if (at)
        *at = value;
}

static void remember(struct machine *m, unsigned s, const long long *args)
{
    int n = isl_set_dim(m->scop->stmts[s].domain, isl_dim_set);
    struct instance *instance;

    if (m->n_log == m->size_log) {
        m->size_log = m->size_log ? 2 * m->size_log : 1024;
        m->log = realloc(m->log, m->size_log * sizeof(*m->log));
    }
    instance = &m->log[m->n_log++];
    memset(instance, 0, sizeof(*instance));
    instance->stmt = s;
    memcpy(instance->args, args, (size_t)n * sizeof(*args));
}

/* Is "args" no instance of statement "s"? */
static bool is_beyond(struct machine *m, unsigned s, const long long *args)
{
    const struct pg_stmt *stmt = &m->scop->stmts[s];
    int n = isl_set_dim(stmt->domain, isl_dim_set);
    long long values[MAX_NAMES];

    if (!m->instances[s])
        m->instances[s] = instances_of(m->scop, stmt, &m->error);
    memcpy(values, m->values, m->scop->n_param * sizeof(*values));
    memcpy(values + m->scop->n_param, args, (size_t)n * sizeof(*values));
    return !expr_eval(m->instances[s], values, &m->error);
}

void execute(struct machine *m, unsigned s, const long long *args,
             const struct action *action)
{
    const struct pg_stmt *stmt = &m->scop->stmts[s];
    int n = isl_set_dim(stmt->domain, isl_dim_set);
    struct running r = {.stmt = s, .args = args, .action = action};
    uint64_t h = mix(stmt->origin + 1, 17), copied = 0;

    if (action && m->launch->kernel->n_buffer)
        r.beyond = is_beyond(m, s, args);
    if (r.beyond && !stmt->total)
        fail(&m->error, "%s runs beyond its domain", stmt->name);
    if (r.beyond)
        m->result->beyond++;
    else
        remember(m, s, args);
    for (int i = 0; i < n; i++)
        h = mix(h, (uint64_t)args[i]);
    for (unsigned a = 0; a < stmt->n_access && !m->error; a++)
        if (!stmt->accesses[a].write && happens(m, &r, a))
            h = mix(h, copied = read_access(m, &r, a));
    for (unsigned a = 0; a < stmt->n_access && !m->error; a++)
        if (stmt->accesses[a].write && happens(m, &r, a))
            write_access(m, &r, a, stmt->copy ? copied : mix(h, a));
}
