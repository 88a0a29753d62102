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

/* A copy to a buffer, or back. */
struct moving {
    bool back, whole;
    long long e[MAX_DIM]; /* the element in memory */
    long long place[MAX_DIM];
};

/* Does a copy move an element, as "condition" says? */
static bool is_moved(struct machine *m, const struct expr *condition,
                     const struct moving *moving,
                     const struct pg_buffer *buffer)
{
    const struct launching *l = m->launch;
    const struct names *names = &l->prepared->names;
    long long values[MAX_NAMES + 2 * MAX_DIM] = {0};
    bool inside = true;

    memcpy(values, l->thread->values, names->n * sizeof(*values));
    memcpy(values + names->n, moving->e, sizeof(moving->e));
    memcpy(values + names->n + MAX_DIM, moving->place, sizeof(moving->place));
    if (condition)
        inside = pg_expr_eval(condition, values, m->fault);
    if (moving->whole && !inside)
        pg_wrong(m->fault, "not all of %s may be %s", buffer->name,
                 moving->back ? "brought back" : "read");
    return inside;
}

/* Bring element "x" of a buffer back to memory if it goes there. */
static void bring_back(struct machine *m, unsigned buffer, const long long *x,
                       const struct moving *moving)
{
    struct launching *l = m->launch;
    const struct pg_buffer *about = &l->kernel->mapping->buffers[buffer];
    struct cell *cell = pg_stores_at(l->buffers, buffer, l->thread->place, x,
                                     about->n_dim, m->fault);
    size_t at;

    *m->work -= 2;
    if (!cell || !is_moved(m, l->prepared->back[buffer], moving, about) ||
        m->fault->sentence)
        return;
    at = pg_verify_offset(m, about->array, moving->e);
    /* What sets it may be left out; if not, memory will lack it. */
    if (m->fault->sentence || (l->windows && !cell->changed))
        return;
    if (cell->state != CELL_FULL || cell->element != at)
        pg_wrong(m->fault, "%s has not the element that goes back",
                 about->name);
    pg_stores_return(l->buffers, buffer, l->thread->place, cell, l->phase,
                     m->fault);
    m->result->returned++;
    pg_verify_stamp(m, about->array, at, true);
    *pg_memory_at(m->memory, about->array, at) = cell->value;
}

/* Fill element "x" of a buffer with its element in memory. */
static void fill(struct machine *m, unsigned buffer, const long long *x,
                 const struct moving *moving)
{
    struct launching *l = m->launch;
    const struct pg_buffer *about = &l->kernel->mapping->buffers[buffer];
    struct cell *cell = pg_stores_at(l->buffers, buffer, l->thread->place, x,
                                     about->n_dim, m->fault);
    const long long *e = moving->e;
    bool inside;
    size_t at;

    if (!cell)
        return;
    inside = is_moved(m, l->prepared->inside[buffer], moving, about);
    pg_stores_fill(l->buffers, buffer, cell, l->phase, m->fault);
    cell->state = CELL_ZERO;
    cell->changed = false;
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
    if (about->written || l->kernel->mapping->kind != PG_MAPPING_PROMOTED)
        pg_verify_stamp(m, about->array, at, false);
    else
        pg_verify_copied(m, about->array, at);
    cell->state = CELL_FULL;
    cell->element = at;
    cell->value = *pg_memory_at(m->memory, about->array, at);
}

/* All threads of the block fill a buffer, or bring it back: the first one that
 * comes here does.
 */
static void copy(struct machine *m, const struct action *action)
{
    struct launching *l = m->launch;
    unsigned buffer = action->user->index;
    const struct pg_buffer *about = &l->kernel->mapping->buffers[buffer];
    struct moving moving = {.back = action->user->kind == PG_USER_BACK};
    long long x[MAX_DIM] = {0}, low[MAX_DIM];
    uint64_t mark = pg_mix(l->thread->met, 2 * buffer + moving.back);
    int d;

    if (buffer >= l->kernel->mapping->n_buffer ||
        about->kind != PG_BUFFER_SHARED || action->n != about->n_dim ||
        action->n_place > MAX_DIM || (moving.back && !about->written)) {
        pg_wrong(m->fault, "a copy to no buffer");
        return;
    }
    for (unsigned i = l->prepared->names.n; i < action->depth; i++)
        mark = pg_mix(mark, (uint64_t)l->thread->values[i]);
    for (unsigned i = 0; i < action->n; i++) {
        low[i] = pg_verify_value(m, action->args[i]);
        mark = pg_mix(mark, (uint64_t)low[i]);
    }
    for (unsigned i = 0; i < action->n_place; i++) {
        moving.place[i] = pg_verify_value(m, action->place[i]);
        mark = pg_mix(mark, (uint64_t)moving.place[i]);
    }
    moving.whole = !action->whole || pg_verify_value(m, action->whole);
    if (!pg_stores_meet(l->buffers, l->thread->place, l->thread->n_copy++,
                        pg_mix(mark, moving.whole), m->fault))
        return;
    m->result->whole += moving.whole;
    m->result->partial += !moving.whole;
    if (!moving.back)
        pg_stores_begin(l->buffers, buffer, l->thread->place, l->phase,
                        m->fault);
    do {
        for (unsigned i = 0; i < about->n_dim; i++)
            moving.e[i] = low[i] + about->stride[i] * x[i];
        if (moving.back)
            bring_back(m, buffer, x, &moving);
        else
            fill(m, buffer, x, &moving);
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
        *pg_memory_at(m->memory, about->array, at) = cell->value;
        return;
    }
    cell->state = CELL_FULL;
    cell->element = at;
    cell->value = *pg_memory_at(m->memory, about->array, at);
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
        case PG_USER_BACK:
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
    size_t each = pg_verify_own(m, m->scop->n_array), size;

    if (__builtin_mul_overflow(n, each, &size) || size > MAX_OWN) {
        pg_cannot(m->fault, "threads have too much memory of their own");
        return;
    }
    free(m->own);
    free(m->own_is);
    m->own = pg_alloc(size, sizeof(*m->own));
    m->own_is = m->options->few ? pg_alloc(size, sizeof(*m->own_is)) : NULL;
    for (size_t i = 0; i < size; i++)
        m->own[i] = m->options->few ? UNWRITTEN
                                    : pg_mix(m->result->launches,
                                             (uint64_t)from * each + i);
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
    if (m->fault->sentence)
        return;
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
