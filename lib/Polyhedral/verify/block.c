/* block.c - threads of blocks between barriers, copies and registers, see
 * interpreter.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/mapping.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"
#include "verify/interpreter.h"

#include <stdlib.h>
#include <string.h>

enum { KERNEL_BARRIERS = 8 };

/* May the kernel read the element at "at" of "array"?  Of arrays of the core's
 * only a run that has them in its original order knows, and of some blocks only
 * a run of all.
 */
static bool is_used(const struct machine *m, unsigned array, size_t at, int how)
{
    return m->options->sampled || array >= m->original->model->scop->n_array ||
           (m->original->touched[array][at] & how);
}

/* Fill element "x" of a buffer with the element "e" of its array. */
static void fill(struct machine *m, unsigned buffer, const long long *x,
                 const long long *e, bool whole)
{
    struct launching *l = m->launch;
    const struct pg_buffer *about = &l->kernel->mapping->buffers[buffer];
    const struct names *names = &l->prepared->names;
    struct cell *cell = pg_stores_at(l->buffers, buffer, l->thread->place, x,
                                     about->n_dim, m->fault);
    long long values[MAX_NAMES];
    bool inside = true;
    size_t at;

    if (!cell)
        return;
    memcpy(values, l->thread->values, names->n * sizeof(*values));
    memcpy(values + names->n, e, about->n_dim * sizeof(*values));
    if (l->prepared->inside[buffer])
        inside = pg_expr_eval(l->prepared->inside[buffer], values, m->fault);
    if (whole && !inside)
        pg_wrong(m->fault, "not all of %s may be read", about->name);
    pg_stores_fill(l->buffers, buffer, cell, l->phase, m->fault);
    cell->state = CELL_ZERO;
    cell->value = 0;
    m->result->copied++;
    *m->work -= 2;
    if (!inside || m->fault->sentence)
        return;
    at = pg_verify_offset(m, about->array, e);
    if (!m->fault->sentence && !is_used(m, about->array, at, READ))
        pg_wrong(m->fault, "element %lld.. of %s is copied and not read", e[0],
                 m->scop->arrays[about->array].name);
    if (m->fault->sentence)
        return;
    pg_verify_stamp(m, about->array, at, false);
    cell->state = CELL_FULL;
    cell->element = at;
    cell->value = m->memory[about->array][at];
}

/* All threads of the block fill a buffer: the first one that comes here does.
 */
static void copy(struct machine *m, const struct action *action)
{
    struct launching *l = m->launch;
    unsigned buffer = action->user->index;
    const struct pg_buffer *about = &l->kernel->mapping->buffers[buffer];
    long long x[MAX_DIM] = {0}, e[MAX_DIM], low[MAX_DIM];
    uint64_t mark = pg_mix(l->thread->met, buffer);
    bool whole;
    int d;

    if (buffer >= l->kernel->mapping->n_buffer ||
        about->kind != PG_BUFFER_SHARED || action->n != about->n_dim) {
        pg_wrong(m->fault, "a copy to no buffer");
        return;
    }
    for (unsigned i = l->prepared->names.n; i < action->depth; i++)
        mark = pg_mix(mark, (uint64_t)l->thread->values[i]);
    for (unsigned i = 0; i < action->n; i++) {
        low[i] = pg_verify_value(m, action->args[i]);
        mark = pg_mix(mark, (uint64_t)low[i]);
    }
    whole = !action->whole || pg_verify_value(m, action->whole);
    if (!pg_stores_meet(l->buffers, l->thread->place, l->thread->n_copy++,
                        pg_mix(mark, whole), m->fault))
        return;
    m->result->whole += whole;
    m->result->partial += !whole;
    l->copied[about->array] = true;
    pg_stores_begin(l->buffers, buffer, l->thread->place, l->phase, m->fault);
    do {
        for (unsigned i = 0; i < about->n_dim; i++)
            e[i] = low[i] + about->stride[i] * x[i];
        fill(m, buffer, x, e, whole);
        for (d = (int)about->n_dim - 1; d >= 0; d--) {
            if (++x[d] < about->extent[d])
                break;
            x[d] = 0;
        }
    } while (d >= 0 && !m->fault->sentence);
}

/* An element from memory to its register, or back. */
static void load_or_store(struct machine *m, const struct action *action)
{
    struct launching *l = m->launch;
    unsigned buffer = action->user->index;
    const struct pg_buffer *about = &l->kernel->mapping->buffers[buffer];
    bool store = action->user->kind == PG_USER_STORE;
    struct cell *cell;
    long long x[MAX_DIM];
    size_t at;

    if (buffer >= l->kernel->mapping->n_buffer ||
        about->kind != PG_BUFFER_REGISTER ||
        action->n != m->scop->arrays[about->array].n_dim) {
        pg_wrong(m->fault, "a load or store of no register");
        return;
    }
    for (unsigned d = 0; d < action->n; d++)
        x[d] = pg_verify_value(m, action->args[d]);
    at = pg_verify_offset(m, about->array, x);
    cell = pg_verify_cell(m, buffer, action->access[0], action->n_subscript[0]);
    if (!cell)
        return;
    if (!is_used(m, about->array, at, READ | WRITTEN))
        pg_wrong(m->fault, "%s element %lld.. of %s, which is not used",
                 store ? "to" : "from", x[0],
                 m->scop->arrays[about->array].name);
    /* What sets it may be left out; if not, memory will lack it. */
    if (store && l->windows &&
        (cell->state != CELL_FULL || cell->element != at))
        return;
    if (store && (cell->state != CELL_FULL || cell->element != at))
        pg_wrong(m->fault, "%s has not the element that is stored",
                 about->name);
    if (m->fault->sentence)
        return;
    m->result->moved++;
    pg_verify_stamp(m, about->array, at, store);
    if (store) {
        l->written[about->array] = true;
        m->memory[about->array][at] = cell->value;
        return;
    }
    cell->state = CELL_FULL;
    cell->element = at;
    cell->value = m->memory[about->array][at];
}

/* A barrier that was not dropped from the run ends a phase of the thread. */
static bool meet_barrier(struct machine *m, const struct action *action)
{
    struct launching *l = m->launch;
    unsigned number = l->number * KERNEL_BARRIERS + action->user->index;
    uint64_t bit = number < 64 ? (uint64_t)1 << number : 0;

    m->result->barriers |= bit;
    if (m->options->dropped & bit)
        return false;
    l->thread->n_barrier++;
    l->thread->met = pg_mix(l->thread->met, action->user->index);
    for (unsigned i = l->prepared->names.n; i < action->depth; i++)
        l->thread->met = pg_mix(l->thread->met, (uint64_t)l->thread->values[i]);
    return true;
}

static void run_statement(struct machine *m, const struct action *action)
{
    const struct windows *windows = m->launch->windows;
    long long args[MAX_ARGS] = {0};

    if (action->user->index >= m->scop->n_stmt ||
        action->n != m->state->model->stmts[action->user->index].n_arg) {
        pg_wrong(m->fault, "an instance of no statement");
        return;
    }
    for (unsigned i = 0; i < action->n; i++)
        args[i] = pg_verify_value(m, action->args[i]);
    if (windows && windows->only && !m->fault->sentence &&
        !pg_code_wanted(windows, action->user->index, args, action->n)) {
        m->launch->irregular |= !pg_code_regular(
            action, args, m->launch->thread->values, windows, m->fault);
        return;
    }
    if (!m->fault->sentence)
        pg_verify_execute(m, action->user->index, args, action);
}

/* Run "thread" to its next barrier or its end. */
static void run_thread(struct machine *m, struct thread *thread)
{
    struct launching *l = m->launch;
    const struct action *action;

    l->thread = thread;
    while ((action = pg_code_few(l->prepared->code, &thread->at, thread->values,
                                 l->windows, m->work, m->fault))) {
        if (!action->user) {
            pg_wrong(m->fault, "a user node has no annotation");
            return;
        }
        switch (action->user->kind) {
        case PG_USER_STMT:
            run_statement(m, action);
            break;
        case PG_USER_BARRIER:
            if (meet_barrier(m, action))
                return;
            break;
        case PG_USER_COPY:
            copy(m, action);
            break;
        case PG_USER_LOAD:
        case PG_USER_STORE:
            load_or_store(m, action);
            break;
        default:
            pg_wrong(m->fault, "a kernel has a user node of the host");
        }
    }
    thread->done = true;
    if (thread->n_barrier && !l->kernel->has_barrier)
        pg_wrong(m->fault, "a kernel that claims to have no barriers has one");
}

long long pg_verify_in_order(struct machine *m, long long i, long long n)
{
    if (m->options->order == 0 || n % 2654435761LL == 0)
        return i;
    if (m->options->order == 1)
        return n - 1 - i;
    return (long long)(((unsigned long long)i * 2654435761ULL +
                        m->options->order * 40503ULL) %
                       (unsigned long long)n);
}

/* Set "thread" to number "at" of the launch, at the beginning of its code. */
static void start_thread(const struct machine *m, struct thread *thread,
                         const long long *base, long long at)
{
    const struct launching *l = m->launch;
    unsigned n = l->prepared->names.n - 6;

    memset(thread, 0, sizeof(*thread));
    thread->number = (size_t)at;
    memcpy(thread->values, base, n * sizeof(*base));
    for (int d = 0; d < 3; d++) {
        thread->values[n++] = at % l->kernel->mapping->block[d];
        at /= l->kernel->mapping->block[d];
    }
    for (int d = 0; d < 3; d++) {
        thread->values[n++] = at % l->grid[d];
        at /= l->grid[d];
    }
}

/* Those of one block have to meet the same barriers in the same iterations of
 * the loops around, and as many copies.
 */
static void compare_threads(struct machine *m, const struct thread *a,
                            const struct thread *b)
{
    if (a->done != b->done || a->met != b->met)
        pg_wrong(m->fault, "threads of a block meet different barriers");
    if (a->n_copy != b->n_copy)
        pg_wrong(m->fault, "threads of a block meet different copies");
}

/* What a thread's own variables have that it did not write. */
static void make_own(struct machine *m, long long from, size_t n)
{
    size_t size = n * m->scop->n_array;

    free(m->own);
    m->own = pg_alloc(size, sizeof(*m->own));
    for (size_t i = 0; i < size; i++)
        m->own[i] = m->options->few
                        ? UNWRITTEN
                        : pg_mix(m->result->launches,
                                 (uint64_t)from * m->scop->n_array + i);
}

/* All of a phase before the next. */
void pg_verify_threads(struct machine *m, const long long *base, long long from,
                       long long n)
{
    struct launching *l = m->launch;
    const struct pg_kernel *k = l->kernel;
    long long size = (long long)k->mapping->block[0] * k->mapping->block[1] *
                     k->mapping->block[2];
    struct thread *threads;
    bool any = true;

    *m->work -= 4 * n;
    if (n > MAX_THREADS || *m->work < 0) {
        pg_cannot(m->fault, "there are too many threads");
        return;
    }
    make_own(m, from, (size_t)n);
    threads = pg_alloc((size_t)n, sizeof(*threads));
    l->buffers = pg_stores_alloc(k, (size_t)(n / size), (size_t)size);
    for (long long i = 0; i < n; i++) {
        start_thread(m, &threads[i], base, from + i);
        threads[i].place = (size_t)i;
    }
    for (l->phase = 1; any && !m->fault->sentence; l->phase++) {
        any = false;
        for (long long i = 0; i < n && !m->fault->sentence; i++) {
            struct thread *thread = &threads[pg_verify_in_order(m, i, n)];

            if (!thread->done)
                run_thread(m, thread);
            any |= !thread->done;
        }
        for (long long i = 0; i < n && !m->fault->sentence; i++)
            compare_threads(m, &threads[i], &threads[i / size * size]);
    }
    pg_stores_free(l->buffers);
    free(threads);
}
