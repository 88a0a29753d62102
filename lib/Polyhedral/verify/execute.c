/* execute.c - instances of statements, see interpreter.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"
#include "verify/interpreter.h"

#include <string.h>

enum { MAX_UPDATES = 16 };

/* An instance that runs. */
struct running {
    unsigned stmt;
    const long long *args;
    const struct action *action;
    bool beyond; /* not in the domain of the statement */
};

size_t pg_verify_offset(struct machine *m, unsigned array, const long long *x)
{
    size_t at = 0;

    if (!pg_shape_at(&m->state->shapes[array], m->scop->arrays[array].n_dim, x,
                     &at)) {
        pg_shape_check(&m->state->shapes[array], m->fault);
        pg_wrong(m->fault, "an element %lld.. of %s, which does not exist",
                 m->scop->arrays[array].n_dim ? x[0] : 0,
                 m->scop->arrays[array].name);
    }
    return at;
}

long long pg_verify_value(struct machine *m, const struct expr *expr)
{
    return pg_expr_eval(expr, m->launch->thread->values, m->fault);
}

/* The number of threads of a block. */
static size_t block_size(const struct machine *m)
{
    const unsigned *block = m->launch->kernel->mapping->block;

    return (size_t)block[0] * block[1] * block[2];
}

/* Two accesses of which one writes are a race unless they are of one thread, or
 * of one block with a barrier in between.
 */
static void race(struct machine *m, unsigned array, size_t other, long phase,
                 const char *what)
{
    size_t mine = m->launch->thread->number, size = block_size(m);

    if (other != mine &&
        (other / size != mine / size || phase == m->launch->phase))
        pg_wrong(m->fault,
                 "race: an element of %s is %s by two threads without a "
                 "barrier in between",
                 m->scop->arrays[array].name, what);
}

/* What a buffer that is only read has must not change in memory meanwhile. */
static void stay(struct machine *m, unsigned array, bool changes)
{
    if (changes)
        pg_wrong(m->fault,
                 "an element of %s is copied and written in one kernel",
                 m->scop->arrays[array].name);
}

void pg_verify_copied(struct machine *m, unsigned array, size_t at)
{
    struct stamp *s = pg_pages_at(m->stamps[array], at);

    pg_verify_stamp(m, array, at, false);
    stay(m, array, s->wrote);
    s->copied = true;
}

void pg_verify_stamp(struct machine *m, unsigned array, size_t at, bool write)
{
    struct stamp *s = pg_pages_at(m->stamps[array], at);
    size_t mine = m->launch->thread->number, size = block_size(m);
    long phase = m->launch->phase;

    if (s->launch != m->result->launches)
        *s = (struct stamp){.launch = m->result->launches};
    if (s->wrote)
        race(m, array, s->writer, s->write_phase,
             write ? "written" : "read and written");
    if (write && s->has_read) {
        race(m, array, s->reader, s->read_phase, "read and written");
        if (s->other_block || s->others_phase == phase)
            pg_wrong(m->fault,
                     "race: an element of %s is read and written by two "
                     "threads without a barrier in between",
                     m->scop->arrays[array].name);
    }
    if (write) {
        stay(m, array, s->copied);
        s->wrote = true;
        s->writer = mine;
        s->write_phase = phase;
        return;
    }
    if (s->has_read && s->reader != mine) {
        if (s->read_phase > s->others_phase)
            s->others_phase = s->read_phase;
        s->other_block |= s->reader / size != mine / size;
    }
    s->has_read = true;
    s->reader = mine;
    s->read_phase = phase;
}

/* Does access "a" happen? */
static bool happens(struct machine *m, const struct running *r, unsigned a)
{
    const struct points *where = m->state->model->stmts[r->stmt].where[a];
    const struct expr *guard = r->action->guard[a];
    bool guarded = !guard || pg_verify_value(m, guard), does;

    if (r->beyond)
        return guarded;
    does = !where || pg_points_have(where, m->values, r->args);
    if (does != guarded)
        pg_wrong(m->fault, "the condition of access %u of %s is wrong", a,
                 m->scop->stmts[r->stmt].name);
    return does;
}

/* The element of access "a", from the relation itself. */
static size_t element(struct machine *m, const struct running *r, unsigned a,
                      long long *x)
{
    if (!pg_function_at(m->state->model->stmts[r->stmt].access[a], m->values,
                        r->args, x)) {
        pg_wrong(m->fault, "access %u of %s has no element", a,
                 m->scop->stmts[r->stmt].name);
        return 0;
    }
    return pg_verify_offset(m, m->scop->stmts[r->stmt].accesses[a].array, x);
}

/* So many elements dimension "d" of a thread's variable for "array" has. */
static size_t own_side(const struct machine *m, unsigned array, unsigned d)
{
    const unsigned *own = m->plan->own[array];

    return own[d] ? own[d] : (size_t)m->state->shapes[array].side[d];
}

/* How many elements the variables of a thread for arrays before number "array"
 * have; too many are SIZE_MAX.
 */
size_t pg_verify_own(const struct machine *m, unsigned array)
{
    size_t n = array;
    bool fits = true;

    for (unsigned a = 0; m->plan->own && a < array; a++) {
        size_t length = 1;

        if (!m->plan->own[a])
            continue;
        for (unsigned d = 0; d < m->scop->arrays[a].n_dim; d++)
            fits &= !__builtin_mul_overflow(length, own_side(m, a, d), &length);
        fits &= !__builtin_add_overflow(n, length, &n);
    }
    return fits ? n : SIZE_MAX;
}

/* The thread's variable that stands for element "at", which has subscripts "x";
 * NULL after an error.  If iterations are left out it may still have another
 * one.
 */
static uint64_t *own_variable(struct machine *m, const struct pg_access *access,
                              const long long *x, size_t at)
{
    unsigned array = access->array;
    const unsigned *own = m->plan->own ? m->plan->own[array] : NULL;
    size_t inside = 0, place = m->launch->thread->place *
                               pg_verify_own(m, m->scop->n_array);

    for (unsigned d = 0; own && d < m->scop->arrays[array].n_dim; d++) {
        size_t side = own_side(m, array, d);

        if (own[d] != 1 && (x[d] < 0 || (size_t)x[d] >= side)) {
            pg_wrong(m->fault, "%s has no element %lld of its own",
                     m->scop->arrays[array].name, x[d]);
            return NULL;
        }
        inside = inside * side + (own[d] != 1 ? (size_t)x[d] : 0);
    }
    place += pg_verify_own(m, array) + inside;

    if (m->options->few && access->write)
        m->own_is[place] = at;
    else if (m->options->few &&
             (m->own[place] == UNWRITTEN || m->own_is[place] != at))
        pg_cannot(m->fault, "a variable is set in an iteration left out");
    return &m->own[place];
}

/* What access "a" of an instance is to in memory, or a variable of the thread;
 * NULL after an error.
 */
static uint64_t *in_memory(struct machine *m, const struct running *r,
                           unsigned a)
{
    const struct pg_access *access = &m->scop->stmts[r->stmt].accesses[a];
    unsigned array = access->array, n = m->scop->arrays[array].n_dim;
    long long x[MAX_DIM];
    size_t at;

    if (r->beyond && (access->write || n))
        pg_wrong(m->fault, "%s accesses %s beyond its domain",
                 m->scop->stmts[r->stmt].name, m->scop->arrays[array].name);
    at = element(m, r, a, x);
    if (r->action->n_subscript[a] != n)
        pg_wrong(m->fault, "%u subscripts instead of %u",
                 r->action->n_subscript[a], n);
    for (unsigned d = 0; d < n && !m->fault->sentence; d++)
        if (pg_verify_value(m, r->action->access[a][d]) != x[d])
            pg_wrong(m->fault, "subscript %u of access %u of %s is wrong", d, a,
                     m->scop->stmts[r->stmt].name);
    if (m->fault->sentence)
        return NULL;
    if (m->plan->is_private[array])
        return own_variable(m, access, x, at);
    pg_verify_stamp(m, array, at, access->write);
    return pg_memory_at(m->memory, array, at);
}

struct cell *pg_verify_cell(struct machine *m, unsigned buffer,
                            struct expr *const *row, unsigned n)
{
    long long x[MAX_DIM];

    for (unsigned d = 0; d < n && d < MAX_DIM; d++)
        x[d] = pg_verify_value(m, row[d]);
    if (m->fault->sentence)
        return NULL;
    return pg_stores_at(m->launch->buffers, buffer, m->launch->thread->place, x,
                        n, m->fault);
}

/* What a block works on may be set in an iteration left out. */
static void read_shared(struct machine *m, unsigned buffer, struct cell *cell)
{
    const struct launching *l = m->launch;

    if (l->windows && cell->state != CELL_FULL &&
        l->kernel->mapping->buffers[buffer].written)
        pg_cannot(m->fault,
                  "an element of a box is set in an iteration left out");
    pg_stores_read(l->buffers, buffer, l->thread->place, cell, l->phase,
                   m->fault);
}

static uint64_t read_buffer(struct machine *m, const struct running *r,
                            unsigned a, unsigned buffer)
{
    struct launching *l = m->launch;
    struct cell *cell = pg_verify_cell(m, buffer, r->action->access[a],
                                       r->action->n_subscript[a]);
    const struct pg_buffer *about;
    long long x[MAX_DIM];

    if (!cell)
        return 0;
    about = &l->kernel->mapping->buffers[buffer];
    if (about->array != m->scop->stmts[r->stmt].accesses[a].array)
        pg_wrong(m->fault, "%s is of another array", about->name);
    if (about->kind == PG_BUFFER_SHARED)
        read_shared(m, buffer, cell);
    if (!r->beyond && l->windows && about->kind == PG_BUFFER_REGISTER &&
        cell->state == CELL_EMPTY)
        pg_cannot(m->fault, "a register is set in an iteration left out");
    if (!r->beyond && cell->state != CELL_FULL)
        pg_wrong(m->fault, "%s reads an element of %s that is %s",
                 m->scop->stmts[r->stmt].name, about->name,
                 cell->state == CELL_ZERO      ? "zero"
                 : cell->state == CELL_SPOILED ? "from beyond a domain"
                                               : "not set");
    else if (!r->beyond && cell->element != element(m, r, a, x))
        pg_wrong(m->fault, "%s reads the wrong element of %s",
                 m->scop->stmts[r->stmt].name, about->name);
    return cell->value;
}

static void write_buffer(struct machine *m, const struct running *r, unsigned a,
                         unsigned buffer, uint64_t value)
{
    struct cell *cell = pg_verify_cell(m, buffer, r->action->access[a],
                                       r->action->n_subscript[a]);
    const struct pg_buffer *about;
    long long x[MAX_DIM];

    if (!cell)
        return;
    about = &m->launch->kernel->mapping->buffers[buffer];
    if (about->kind == PG_BUFFER_SHARED && (!about->written || r->beyond))
        pg_wrong(m->fault, "%s is written%s", about->name,
                 r->beyond ? " beyond a domain" : "");
    if (about->kind == PG_BUFFER_SHARED)
        pg_stores_write(m->launch->buffers, buffer, m->launch->thread->place,
                        cell, m->launch->phase, m->fault);
    if (about->array != m->scop->stmts[r->stmt].accesses[a].array)
        pg_wrong(m->fault, "%s is of another array", about->name);
    cell->state = r->beyond ? CELL_SPOILED : CELL_FULL;
    cell->value = value;
    if (!r->beyond)
        cell->element = element(m, r, a, x);
}

static uint64_t read_access(struct machine *m, const struct running *r,
                            unsigned a)
{
    int buffer = r->action->user->redirected[a];
    uint64_t *at;

    if (buffer >= 0)
        return read_buffer(m, r, a, (unsigned)buffer);
    at = in_memory(m, r, a);
    return at ? *at : 0;
}

static void write_access(struct machine *m, const struct running *r, unsigned a,
                         uint64_t value)
{
    int buffer = r->action->user->redirected[a];
    uint64_t *at;

    if (buffer >= 0) {
        write_buffer(m, r, a, (unsigned)buffer, value);
        return;
    }
    at = in_memory(m, r, a);
    if (at)
        *at = value;
}

/* One more run of an instance; "again": that may not be the first one. */
static void count(struct machine *m, struct state *state, unsigned s, size_t at,
                  unsigned long *n, bool again)
{
    unsigned char *runs = &state->instances[s].runs[at];

    if (again && *runs & TIMES)
        return;
    if (*runs & TIMES)
        pg_wrong(m->fault, "an instance of %s runs twice",
                 state->model->scop->stmts[s].name);
    else
        ++*runs;
    ++*n;
}

/* The instance number "at" runs: once only, and where its indices say. */
static void remember(struct machine *m, const struct running *r, size_t at)
{
    const struct prepared *p = m->launch->prepared;
    unsigned origin = m->scop->stmts[r->stmt].origin;
    const long long *values = m->launch->thread->values;
    const struct function *members = p->members[r->stmt];
    const long long *block = values + p->names.n - 3;
    long long v[3];

    count(m, m->state, r->stmt, at, &m->n_run, false);
    m->launch->n_run++;
    if (m->launch->windows) {
        const struct windows *w = m->launch->windows;

        m->launch->n_wanted += pg_code_wanted(
            w, r->stmt, r->args, m->state->model->stmts[r->stmt].n_arg);
        m->launch->irregular |=
            !pg_code_regular(r->action, r->args, values, w, m->fault);
    }
    if (m->original != m->state && !m->scop->stmts[r->stmt].kind) {
        if (pg_state_find(m->original, origin, r->args, &at))
            count(m, m->original, origin, at, &m->n_source_run,
                  m->scop->stmts[r->stmt].n_tile > 0);
        else
            pg_wrong(m->fault, "%s runs where the program does not",
                     m->scop->stmts[r->stmt].name);
    }
    if (m->launch->kernel->n_host &&
        (!p->domain[r->stmt] ||
         !pg_points_have(p->domain[r->stmt], values, r->args)))
        pg_wrong(m->fault, "%s runs in a launch that is not its own",
                 m->scop->stmts[r->stmt].name);
    if (!members)
        return;
    if (!pg_function_at(members, values, r->args, v))
        pg_wrong(m->fault, "%s runs without a block of its own",
                 m->scop->stmts[r->stmt].name);
    for (unsigned d = 0; d < pg_function_n_out(members) && !m->fault->sentence;
         d++) {
        long long tile = v[d] / p->tile[d] - (v[d] % p->tile[d] < 0);

        if (((tile % p->grid[d]) + p->grid[d]) % p->grid[d] != block[d])
            pg_wrong(m->fault, "%s runs in a block that is not its own",
                     m->scop->stmts[r->stmt].name);
    }
}

void pg_verify_execute(struct machine *m, unsigned s, const long long *args,
                       const struct action *action)
{
    const struct pg_stmt *stmt = &m->scop->stmts[s];
    struct running r = {.stmt = s, .args = args, .action = action};
    struct mixture x = {.all = pg_mix(stmt->origin + 1, 17)};
    unsigned adds = m->state->model->stmts[s].adds;
    uint64_t old[MAX_UPDATES] = {0};
    size_t at;

    if (stmt->n_update > MAX_UPDATES)
        pg_cannot(m->fault, "a statement updates too many elements");
    if (m->fault->sentence)
        return;
    r.beyond = !pg_state_find(m->state, s, args, &at);
    if (r.beyond)
        pg_shape_check(&m->state->instances[s].box, m->fault);
    *m->work -= 1 + (long)stmt->n_access;
    if (r.beyond && (!stmt->total || !m->launch->kernel->mapping->n_buffer))
        pg_wrong(m->fault, "%s runs beyond its domain", stmt->name);
    if (r.beyond)
        m->result->beyond++;
    else
        remember(m, &r, at);
    for (unsigned i = 0; i + stmt->n_tile < m->state->model->stmts[s].n_arg;
         i++)
        x.all = pg_mix(x.all, (uint64_t)args[i]);
    for (unsigned a = 0; a < stmt->n_access && !m->fault->sentence; a++) {
        const struct pg_update *update = pg_mixture_update(stmt, adds, a);
        uint64_t v;

        if (stmt->accesses[a].write || !happens(m, &r, a))
            continue;
        v = read_access(m, &r, a);
        if (update)
            old[update - stmt->updates] = v;
        pg_mixture_read(&x, stmt, adds, a, v);
    }
    for (unsigned a = 0; a < stmt->n_access && !m->fault->sentence; a++) {
        const struct pg_update *update = pg_mixture_update(stmt, adds, a);
        uint64_t before = update ? old[update - stmt->updates] : 0;

        if (stmt->accesses[a].write && happens(m, &r, a))
            write_access(m, &r, a, pg_mixture_write(&x, stmt, adds, a, before));
    }
}
