/* launch.c - kernels: threads between barriers, copies and registers, see
 * interpreter.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/mapping.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"
#include "verify/interpreter.h"

#include <isl/space.h>
#include <stdlib.h>
#include <string.h>

enum { KERNEL_BARRIERS = 8, MAX_THREADS = 1 << 16 };

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
    long long args[MAX_ARGS] = {0};

    if (action->user->index >= m->scop->n_stmt ||
        action->n != m->state->model->stmts[action->user->index].n_arg) {
        pg_wrong(m->fault, "an instance of no statement");
        return;
    }
    for (unsigned i = 0; i < action->n; i++)
        args[i] = pg_verify_value(m, action->args[i]);
    if (!m->fault->sentence)
        pg_verify_execute(m, action->user->index, args, action);
}

/* Run "thread" to its next barrier or its end. */
static void run_thread(struct machine *m, struct thread *thread)
{
    struct launching *l = m->launch;
    const struct action *action;

    l->thread = thread;
    while ((action = pg_code_next(l->prepared->code, &thread->at,
                                  thread->values, m->work, m->fault))) {
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

/* Number "i" of 0 to n - 1 in the order of this run. */
static long long in_order(struct machine *m, long long i, long long n)
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

/* Run the threads "from" to "from" + "n" - 1 of the launch in lockstep between
 * barriers: all of a phase before the next.
 */
static void run_threads(struct machine *m, const long long *base,
                        long long from, long long n)
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
    threads = pg_alloc((size_t)n, sizeof(*threads));
    l->buffers = pg_stores_alloc(k, (size_t)(n / size), (size_t)size);
    for (long long i = 0; i < n; i++) {
        start_thread(m, &threads[i], base, from + i);
        threads[i].place = (size_t)i;
    }
    for (l->phase = 1; any && !m->fault->sentence; l->phase++) {
        any = false;
        for (long long i = 0; i < n && !m->fault->sentence; i++) {
            struct thread *thread = &threads[in_order(m, i, n)];

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

/* The corners, the middle, and what is in the middle of a side of the grid. */
static bool is_sampled(const long long *grid, long long b)
{
    unsigned middle = 0, other = 0, last = 0;

    for (int d = 0; d < 3; d++) {
        long long at = b % grid[d];

        b /= grid[d];
        if (grid[d] == 1)
            continue;
        last += at == grid[d] - 1;
        middle += at == grid[d] / 2 && at != grid[d] - 1;
        other += at != 0 && at != grid[d] - 1 && at != grid[d] / 2;
    }
    return !other && (!middle || !last || middle + last >= 2);
}

/* Run the blocks of a launch: for the orders 0 and 1, block after block if
 * there are barriers, else all threads at a time.
 */
static void run_blocks(struct machine *m, const long long *base)
{
    const struct launching *l = m->launch;
    const struct pg_kernel *k = l->kernel;
    long long size = (long long)k->mapping->block[0] * k->mapping->block[1] *
                     k->mapping->block[2];
    long long blocks = l->grid[0] * l->grid[1] * l->grid[2];
    size_t n = (size_t)(blocks * size) * m->scop->n_array;

    if (blocks <= 0)
        return;
    *m->work -= (long)(n / 16);
    if (blocks * size > 1 << 22 || *m->work < 0) {
        pg_cannot(m->fault, "there are too many threads");
        return;
    }
    m->result->blocks += (unsigned long)blocks;
    free(m->own);
    m->own = pg_alloc(n, sizeof(*m->own));
    for (size_t i = 0; i < n; i++)
        m->own[i] = pg_mix(m->result->launches, i);
    if (!m->options->sampled && (!k->has_barrier || m->options->order > 1) &&
        blocks * size <= MAX_THREADS) {
        m->result->blocks_run += (unsigned long)blocks;
        run_threads(m, base, 0, blocks * size);
        return;
    }
    for (long long i = 0; i < blocks && !m->fault->sentence; i++) {
        long long b = in_order(m, i, blocks);

        if (m->options->sampled && !is_sampled(l->grid, b))
            continue;
        m->result->blocks_run++;
        run_threads(m, base, b * size, size);
    }
}

/* ---- What all blocks have to run ------------------------------------------
 */

/* For the scan of a launch's instances. */
struct expecting {
    const struct launching *launch;
    const long long *values;
    unsigned stmt;
    unsigned long n;
    bool sampled, ok;
};

/* Count an instance if its block is run. */
static bool expect(const long long *x, void *user)
{
    struct expecting *e = user;
    const struct prepared *p = e->launch->prepared;
    const struct function *members = p->members[e->stmt];
    long long v[3], block = 0, scale = 1;

    if (e->sampled && members) {
        e->ok &= pg_function_at(members, e->values, x, v);
        for (unsigned d = 0; e->ok && d < pg_function_n_out(members); d++) {
            long long tile = v[d] / p->tile[d] - (v[d] % p->tile[d] < 0);

            tile = ((tile % p->grid[d]) + p->grid[d]) % p->grid[d];
            block += tile * scale;
            scale *= e->launch->grid[d];
            e->ok &= tile < e->launch->grid[d];
        }
        if (!e->ok || !is_sampled(e->launch->grid, block))
            return e->ok;
    }
    e->n++;
    return true;
}

/* Did the launch run as many instances as it has to by the indices alone?
 * Since none is run twice or elsewhere, these are the same.
 */
static void check_tiles(struct machine *m, const long long *base)
{
    const struct launching *l = m->launch;
    struct expecting e = {.launch = l,
                          .values = base,
                          .sampled = m->options->sampled,
                          .ok = true};

    for (unsigned s = 0; s < m->scop->n_stmt && !m->fault->sentence; s++) {
        e.stmt = s;
        if (l->prepared->domain[s] &&
            !pg_points_scan(l->prepared->domain[s], base, m->work, &expect, &e))
            pg_cannot(m->fault, "there are too many instances");
    }
    if (!e.ok && !m->fault->cannot)
        pg_wrong(m->fault, "a tile has no block");
    if (e.n != l->n_run)
        pg_wrong(m->fault, "a launch runs %lu instances instead of %lu",
                 l->n_run, e.n);
}

void pg_verify_launch(struct machine *m, const struct action *action,
                      const long long *values)
{
    unsigned number = action->user->index, n = m->scop->n_param;
    const struct pg_kernel *k = &m->plan->kernels[number];
    struct launching l = {
        .number = number, .kernel = k, .prepared = &m->runner->kernels[number]};
    long long base[MAX_NAMES];

    m->result->launches++;
    m->result->kernels_seen |= number < 32 ? 1u << number : 0;
    for (int d = 0; d < 3; d++) {
        l.grid[d] = pg_expr_eval(action->grid[d], values, m->fault);
        if (l.grid[d] < 0 || l.grid[d] > k->mapping->grid_limit[d])
            pg_wrong(m->fault, "%lld blocks in dimension %d", l.grid[d], d);
    }
    if (action->n != k->n_host)
        pg_wrong(m->fault, "a launch with %u arguments instead of %u",
                 action->n, k->n_host);
    memcpy(base, m->values, n * sizeof(*base));
    for (unsigned h = 0; h < k->n_host && !m->fault->sentence; h++)
        base[n + h] = pg_expr_eval(action->args[h], values, m->fault);
    l.copied = pg_alloc(m->scop->n_array, sizeof(bool));
    l.written = pg_alloc(m->scop->n_array, sizeof(bool));
    m->launch = &l;
    if (!m->fault->sentence)
        run_blocks(m, base);
    if (!m->fault->sentence)
        check_tiles(m, base);
    m->launch = NULL;
    for (unsigned a = 0; a < m->scop->n_array; a++)
        if (l.copied[a] && l.written[a])
            pg_wrong(m->fault, "%s is copied and written in one kernel",
                     m->scop->arrays[a].name);
    free(l.copied);
    free(l.written);
}

/* ---- Translation ----------------------------------------------------------
 */

/* Which instances a launch has, and in which blocks. */
static void prepare_tiles(struct runner *r, unsigned number,
                          struct pg_fault *fault)
{
    const struct pg_kernel *k = &r->plan->kernels[number];
    const struct pg_mapping *mapping = k->mapping;
    struct prepared *p = &r->kernels[number];
    isl_space *params = isl_set_get_space(r->scop->context);

    for (unsigned h = 0; h < k->n_host; h++) {
        isl_id *id = isl_id_alloc(r->scop->ctx, k->host[h], NULL);

        params = isl_space_add_dims(params, isl_dim_param, 1);
        params = isl_space_set_dim_id(params, isl_dim_param,
                                      r->scop->n_param + h, id);
    }
    for (unsigned d = 0; d < mapping->n_grid; d++) {
        p->tile[d] = mapping->tiling.tile[d];
        p->grid[d] = mapping->tiling.grid[d];
    }
    for (unsigned s = 0; s < r->scop->n_stmt && !fault->sentence; s++) {
        isl_set *set = isl_union_set_extract_set(
            k->domain, isl_set_get_space(r->scop->stmts[s].domain));
        isl_multi_pw_aff *members;

        if (isl_set_plain_is_empty(set) != isl_bool_false) {
            isl_set_free(set);
            continue;
        }
        if (mapping->n_grid) {
            members = pg_tiling_members(&mapping->tiling, mapping->n_grid, set);
            p->members[s] = pg_function_take(
                isl_pw_multi_aff_from_multi_pw_aff(members), params, fault);
        }
        p->domain[s] = pg_points_take(set, params, fault);
    }
    isl_space_free(params);
}

void pg_verify_prepare(struct runner *r, unsigned number,
                       struct pg_fault *fault)
{
    static const char *const ids[] = {"t0", "t1", "t2", "b0", "b1", "b2"};
    static const char *const subscripts[] = {"e0", "e1", "e2", "e3",
                                             "e4", "e5", "e6", "e7"};
    const struct pg_kernel *k = &r->plan->kernels[number];
    struct prepared *p = &r->kernels[number];
    isl_ctx *ctx = r->scop->ctx;
    struct names names;

    p->names = r->names;
    for (unsigned h = 0; h < k->n_host; h++)
        pg_names_add_text(&p->names, ctx, k->host[h], fault);
    for (int d = 0; d < 6; d++)
        pg_names_add_text(&p->names, ctx, ids[d], fault);
    names = p->names;
    for (int d = 0; d < MAX_DIM; d++)
        pg_names_add_text(&names, ctx, subscripts[d], fault);
    p->inside = pg_alloc(k->mapping->n_buffer, sizeof(struct expr *));
    for (unsigned i = 0; i < k->mapping->n_buffer && !fault->sentence; i++)
        p->inside[i] = pg_expr_compile(k->inside[i], &names, fault);
    p->domain = pg_alloc(r->scop->n_stmt, sizeof(*p->domain));
    p->members = pg_alloc(r->scop->n_stmt, sizeof(*p->members));
    if (!fault->sentence)
        p->code = pg_code_compile(k->ast, &p->names, fault);
    if (!fault->sentence)
        prepare_tiles(r, number, fault);
}

void pg_verify_forget(struct runner *r, unsigned number)
{
    struct prepared *p = &r->kernels[number];

    for (unsigned i = 0;
         p->inside && i < r->plan->kernels[number].mapping->n_buffer; i++)
        pg_expr_free(p->inside[i]);
    for (unsigned s = 0; p->domain && s < r->scop->n_stmt; s++) {
        pg_points_free(p->domain[s]);
        pg_function_free(p->members[s]);
    }
    free(p->inside);
    free(p->domain);
    free(p->members);
    pg_code_free(p->code);
}
