/* launch.c - kernels: threads between barriers, copies and registers, see
 * interpreter.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "interpreter.h"

#include <stdlib.h>
#include <string.h>

enum { KERNEL_BARRIERS = 8 };

/* May the kernel read the element at "at" of "array"?  Of arrays of the core's
 * only a run that has them in its original order knows.
 */
static bool is_read(const struct machine *m, unsigned array, size_t at)
{
    return array >= m->source->scop->n_array ||
           (m->source->touched[array][at] & READ);
}

/* Fill element "x" of a buffer with the element "e" of its array. */
static void fill(struct machine *m, unsigned buffer, const long long *x,
                 const long long *e, bool whole)
{
    struct launching *l = m->launch;
    const struct pg_buffer *about = &l->kernel->buffers[buffer];
    struct cell *cell = buffers_at(l->buffers, buffer, l->thread->place, x,
                                   about->n_dim, &m->error);
    long long values[MAX_NAMES];
    bool inside = true;
    size_t at;

    if (!cell)
        return;
    memcpy(values, l->thread->values, l->names.n * sizeof(*values));
    memcpy(values + l->names.n, e, about->n_dim * sizeof(*values));
    if (l->inside[buffer])
        inside = expr_eval(l->inside[buffer], values, &m->error);
    if (whole && !inside)
        fail(&m->error, "not all of %s may be read", about->name);
    buffers_fill(l->buffers, buffer, cell, l->phase, &m->error);
    cell->state = CELL_ZERO;
    cell->value = 0;
    m->result->copied++;
    if (!inside)
        return;
    at = offset(m, about->array, e);
    if (!m->error && !is_read(m, about->array, at))
        fail(&m->error, "element %lld.. of %s is copied and not read", e[0],
             m->scop->arrays[about->array].name);
    if (m->error)
        return;
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
    const struct pg_buffer *about = &l->kernel->buffers[buffer];
    long long x[MAX_DIM] = {0}, e[MAX_DIM], low[MAX_DIM];
    uint64_t mark = mix(l->thread->met, buffer);
    bool whole;
    int d;

    if (buffer >= l->kernel->n_buffer || about->kind != PG_BUFFER_SHARED ||
        action->n != about->n_dim) {
        fail(&m->error, "a copy to no buffer");
        return;
    }
    for (unsigned i = l->names.n; i < action->depth; i++)
        mark = mix(mark, (uint64_t)l->thread->values[i]);
    for (unsigned i = 0; i < action->n; i++) {
        low[i] = value_of(m, action->args[i]);
        mark = mix(mark, (uint64_t)low[i]);
    }
    whole = !action->whole || value_of(m, action->whole);
    if (!buffers_meet(l->buffers, l->thread->place, l->thread->n_copy++,
                      mix(mark, whole), &m->error))
        return;
    m->result->whole += whole;
    m->result->partial += !whole;
    l->copied[about->array] = true;
    buffers_begin(l->buffers, buffer, l->thread->place, l->phase, &m->error);
    do {
        for (unsigned i = 0; i < about->n_dim; i++)
            e[i] = low[i] + about->stride[i] * x[i];
        fill(m, buffer, x, e, whole);
        for (d = (int)about->n_dim - 1; d >= 0; d--) {
            if (++x[d] < about->extent[d])
                break;
            x[d] = 0;
        }
    } while (d >= 0 && !m->error);
}

/* An element from memory to its register, or back. */
static void load_or_store(struct machine *m, const struct action *action)
{
    struct launching *l = m->launch;
    unsigned buffer = action->user->index;
    const struct pg_buffer *about = &l->kernel->buffers[buffer];
    bool store = action->user->kind == PG_USER_STORE;
    struct cell *cell;
    long long x[MAX_DIM];
    size_t at;

    if (buffer >= l->kernel->n_buffer || about->kind != PG_BUFFER_REGISTER ||
        action->n != m->scop->arrays[about->array].n_dim) {
        fail(&m->error, "a load or store of no register");
        return;
    }
    for (unsigned d = 0; d < action->n; d++)
        x[d] = value_of(m, action->args[d]);
    at = offset(m, about->array, x);
    cell = in_buffer(m, buffer, action->access[0], action->n_subscript[0]);
    if (!cell)
        return;
    if (about->array < m->source->scop->n_array &&
        !(m->source->touched[about->array][at] & (READ | WRITTEN)))
        fail(&m->error, "%s element %lld.. of %s, which is not used",
             store ? "to" : "from", x[0], m->scop->arrays[about->array].name);
    if (store && (cell->state != CELL_FULL || cell->element != at))
        fail(&m->error, "%s has not the element that is stored", about->name);
    if (m->error)
        return;
    m->result->moved++;
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
    if (m->dropped & bit)
        return false;
    l->thread->n_barrier++;
    l->thread->met = mix(l->thread->met, action->user->index);
    for (unsigned i = l->names.n; i < action->depth; i++)
        l->thread->met = mix(l->thread->met, (uint64_t)l->thread->values[i]);
    return true;
}

static void run_statement(struct machine *m, const struct action *action)
{
    long long args[MAX_ARGS] = {0};

    for (unsigned i = 0; i < action->n && i < MAX_ARGS; i++)
        args[i] = value_of(m, action->args[i]);
    execute(m, action->user->index, args, action);
}

/* Run "thread" to its next barrier or its end. */
static void run_thread(struct machine *m, struct thread *thread)
{
    struct launching *l = m->launch;
    const struct action *action;

    l->thread = thread;
    while (
        (action = code_next(l->code, &thread->at, thread->values, &m->error))) {
        if (!action->user) {
            fail(&m->error, "a user node without annotation");
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
            fail(&m->error, "a user node of the host in a kernel");
        }
    }
    thread->done = true;
    if (thread->n_barrier && !l->kernel->has_barrier)
        fail(&m->error, "a kernel that claims to have no barriers has one");
}

/* Number "i" of 0 to n - 1 in the order of this run. */
static long long in_order(struct machine *m, long long i, long long n)
{
    if (m->order == 0)
        return i;
    if (m->order == 1)
        return n - 1 - i;
    if (n % 2654435761LL == 0)
        fail(&m->error, "no permutation");
    return (long long)(((unsigned long long)i * 2654435761ULL +
                        m->order * 40503ULL) %
                       (unsigned long long)n);
}

/* Set "thread" to number "at" of the launch, at the beginning of its code. */
static void start_thread(const struct machine *m, struct thread *thread,
                         const long long *base, const long long *grid,
                         long long at)
{
    const struct pg_kernel *k = m->launch->kernel;
    unsigned n = m->launch->names.n - 6;

    memset(thread, 0, sizeof(*thread));
    thread->number = (size_t)at;
    memcpy(thread->values, base, n * sizeof(*base));
    for (int d = 0; d < 3; d++) {
        thread->values[n++] = at % k->block[d];
        at /= k->block[d];
    }
    for (int d = 0; d < 3; d++) {
        thread->values[n++] = at % grid[d];
        at /= grid[d];
    }
}

/* Run the threads "from" to "from" + "n" - 1 of the launch in lockstep between
 * barriers: all of a phase before the next.  Those of one block have to meet
 * the same barriers in the same iterations of the loops around, and as many
 * copies.
 */
static void run_threads(struct machine *m, const long long *base,
                        const long long *grid, long long from, long long n)
{
    struct launching *l = m->launch;
    const struct pg_kernel *k = l->kernel;
    long long size = (long long)k->block[0] * k->block[1] * k->block[2];
    struct thread *threads = calloc((size_t)n, sizeof(*threads));
    bool any = true;

    l->buffers = buffers_alloc(k, (size_t)(n / size), (size_t)size);
    for (long long i = 0; i < n; i++) {
        start_thread(m, &threads[i], base, grid, from + i);
        threads[i].place = (size_t)i;
    }
    for (l->phase = 1; any && !m->error; l->phase++) {
        any = false;
        for (long long i = 0; i < n && !m->error; i++) {
            struct thread *thread = &threads[in_order(m, i, n)];

            if (!thread->done)
                run_thread(m, thread);
            any |= !thread->done;
        }
        for (long long i = 0; i < n && !m->error; i++) {
            const struct thread *a = &threads[i],
                                *b = &threads[i / size * size];

            if (a->done != b->done || a->met != b->met)
                fail(&m->error, "threads of a block meet different barriers");
            if (a->n_copy != b->n_copy)
                fail(&m->error, "threads of a block meet different copies");
        }
    }
    buffers_free(l->buffers);
    free(threads);
}

/* Run the blocks of a launch: for the orders 0 and 1, block after block if
 * there are barriers, else all threads at a time.
 */
static void run_blocks(struct machine *m, const long long *base,
                       const long long *grid)
{
    const struct pg_kernel *k = m->launch->kernel;
    long long size = (long long)k->block[0] * k->block[1] * k->block[2];
    long long blocks = grid[0] * grid[1] * grid[2];

    if (blocks <= 0)
        return;
    m->own = realloc(m->own, (size_t)(blocks * size) * m->scop->n_array *
                                 sizeof(*m->own));
    for (size_t i = 0; i < (size_t)(blocks * size) * m->scop->n_array; i++)
        m->own[i] = mix(m->result->launches, i);
    if (!k->has_barrier || m->order > 1) {
        run_threads(m, base, grid, 0, blocks * size);
        return;
    }
    for (long long b = 0; b < blocks && !m->error; b++)
        run_threads(m, base, grid, in_order(m, b, blocks) * size, size);
}

/* Translate what kernel number "number" consists of. */
static void prepare(struct machine *m, struct launching *l)
{
    static const char *const ids[] = {"t0", "t1", "t2", "b0", "b1", "b2"};
    static const char *const subscripts[] = {"e0", "e1", "e2", "e3",
                                             "e4", "e5", "e6", "e7"};
    const struct pg_kernel *k = l->kernel;
    isl_ctx *ctx = m->scop->ctx;
    struct names names;

    l->names = m->names;
    for (unsigned h = 0; h < k->n_host; h++)
        names_add_text(&l->names, ctx, k->host[h], &m->error);
    for (int d = 0; d < 6; d++)
        names_add_text(&l->names, ctx, ids[d], &m->error);
    names = l->names;
    for (int d = 0; d < MAX_DIM; d++)
        names_add_text(&names, ctx, subscripts[d], &m->error);
    l->inside = calloc(k->n_buffer + 1, sizeof(struct expr *));
    for (unsigned i = 0; i < k->n_buffer; i++)
        l->inside[i] = expr_compile(k->buffers[i].inside, &names, &m->error);
    l->copied = calloc(m->scop->n_array + 1, sizeof(bool));
    l->written = calloc(m->scop->n_array + 1, sizeof(bool));
}

void launch(struct machine *m, const struct action *action,
            const long long *values)
{
    unsigned number = action->user->index;
    const struct pg_kernel *k = &m->plan->kernels[number];
    struct launching l = {.number = number, .kernel = k};
    long long grid[3], base[MAX_NAMES];
    struct code *code;

    m->result->launches++;
    m->result->kernels_seen |= 1u << number;
    for (int d = 0; d < 3; d++) {
        grid[d] = expr_eval(action->grid[d], values, &m->error);
        if (grid[d] < 0 || grid[d] > k->grid_limit[d])
            fail(&m->error, "%lld blocks in dimension %d", grid[d], d);
    }
    if (action->n != k->n_host)
        fail(&m->error, "launch with %u arguments instead of %u", action->n,
             k->n_host);
    prepare(m, &l);
    code = code_compile(k->ast, &l.names, &m->error);
    l.code = code;
    memcpy(base, m->values, m->scop->n_param * sizeof(*base));
    for (unsigned h = 0; h < k->n_host && !m->error; h++)
        base[m->scop->n_param + h] =
            expr_eval(action->args[h], values, &m->error);
    m->launch = &l;
    if (!m->error)
        run_blocks(m, base, grid);
    m->launch = NULL;
    for (unsigned a = 0; a < m->scop->n_array; a++)
        if (l.copied[a] && l.written[a])
            fail(&m->error, "%s is copied and written in one kernel",
                 m->scop->arrays[a].name);
    for (unsigned i = 0; i < k->n_buffer; i++)
        expr_free(l.inside[i]);
    free(l.inside);
    free(l.copied);
    free(l.written);
    code_free(code);
}
