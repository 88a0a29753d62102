/* run.c - see run.h: the host, copies, and the comparison.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "verify/run.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"
#include "verify/interpreter.h"

#include <isl/space.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- Translation ----------------------------------------------------------
 */

static void compile_extents(struct runner *r, struct pg_fault *fault)
{
    r->extents = pg_alloc(r->scop->n_array, sizeof(*r->extents));
    for (unsigned a = 0; a < r->scop->n_array; a++)
        for (unsigned d = 0;
             r->plan->extents[a] && d < r->scop->arrays[a].n_dim; d++)
            r->extents[a][d] =
                pg_expr_compile(r->plan->extents[a][d], &r->names, fault);
}

/* Where they cannot be told there are no gaps to fill. */
static void take_rows(struct runner *r)
{
    isl_space *params = isl_set_get_space(r->scop->context);
    struct pg_fault fault = {0};

    r->rows = pg_alloc(r->scop->n_array, sizeof(*r->rows));
    for (unsigned a = 0; a < r->scop->n_array && r->plan->filled; a++)
        for (unsigned d = 1; r->plan->filled[a] && d < r->scop->arrays[a].n_dim;
             d++)
            r->rows[a][d] =
                pg_function_take(isl_pw_multi_aff_from_pw_aff(isl_pw_aff_copy(
                                     r->scop->arrays[a].extent[d])),
                                 params, &fault);
    isl_space_free(params);
    free(fault.sentence);
}

/* The bit of the update of "stmt" that is "update" of a copy of it; 0 if there
 * is none.
 */
static unsigned bit_of(const struct pg_stmt *stmt,
                       const struct pg_update *update)
{
    for (unsigned i = 0; i < stmt->n_update && i < 32; i++)
        if (stmt->updates[i].op == update->op &&
            stmt->updates[i].old == update->old)
            return 1U << i;
    return 0;
}

/* Which updates only add, of the plan and of the source, which may have more of
 * them: of elements that may not be written they are none in the plan.
 */
static void find_sums(struct runner *r)
{
    for (unsigned s = 0; s < r->scop->n_stmt; s++) {
        const struct pg_stmt *stmt = &r->scop->stmts[s];

        for (unsigned i = 0; stmt->reordered && i < stmt->n_update; i++) {
            const struct pg_update *update = &stmt->updates[i];

            r->model->stmts[s].adds |= bit_of(stmt, update);
            if (r->source_model)
                r->source_model->stmts[stmt->origin].adds |=
                    bit_of(&r->source->stmts[stmt->origin], update);
        }
    }
}

struct runner *pg_runner_alloc(const struct pg_plan *plan,
                               const struct pg_scop *source,
                               struct pg_fault *fault)
{
    struct runner *r = pg_alloc(1, sizeof(*r));

    r->plan = plan;
    r->scop = plan->scop;
    r->source = source ? source : plan->scop;
    for (unsigned p = 0; p < r->scop->n_param; p++)
        pg_names_add_text(&r->names, r->scop->ctx, r->scop->params[p].name,
                          fault);
    r->model = pg_model_take(r->scop, fault);
    if (r->source != r->scop && !fault->sentence)
        r->source_model = pg_model_take(r->source, fault);
    if (!fault->sentence)
        find_sums(r);
    r->kernels = pg_alloc(plan->n_kernel, sizeof(*r->kernels));
    for (unsigned k = 0; k < plan->n_kernel && !fault->sentence; k++)
        pg_verify_prepare(r, k, fault);
    if (!fault->sentence) {
        r->host = pg_code_compile(plan->host, &r->names, fault);
        if (plan->chained)
            r->chained = pg_code_compile(plan->chained, &r->names, fault);
        r->in = pg_code_compile(plan->in, &r->names, fault);
        r->out = pg_code_compile(plan->out, &r->names, fault);
        r->nonempty = pg_expr_compile(plan->nonempty, &r->names, fault);
        compile_extents(r, fault);
        take_rows(r);
    }
    for (unsigned k = 0; k < plan->n_kernel && !fault->sentence; k++)
        pg_verify_prepare_tiles(r, k);
    if (!fault->sentence)
        return r;
    pg_runner_free(r);
    return NULL;
}

void pg_runner_free(struct runner *r)
{
    if (!r)
        return;
    for (unsigned k = 0; k < r->plan->n_kernel; k++)
        pg_verify_forget(r, k);
    free(r->kernels);
    pg_code_free(r->host);
    pg_code_free(r->chained);
    pg_code_free(r->in);
    pg_code_free(r->out);
    pg_expr_free(r->nonempty);
    for (unsigned a = 0; r->extents && a < r->scop->n_array; a++)
        for (unsigned d = 0; d < MAX_DIM; d++)
            pg_expr_free(r->extents[a][d]);
    free(r->extents);
    for (unsigned a = 0; r->rows && a < r->scop->n_array; a++)
        for (unsigned d = 0; d < MAX_DIM; d++)
            pg_function_free(r->rows[a][d]);
    free(r->rows);
    pg_model_free(r->source_model);
    pg_model_free(r->model);
    free(r);
}

/* ---- The host -------------------------------------------------------------
 */

/* The first and the last element of array "a" that the original order reads
 * before it writes them, in the order of memory; none: *last < *first.
 */
static void find_needed(const struct machine *m, unsigned a, size_t *first,
                        size_t *last)
{
    const unsigned char *touched = m->original->touched[a];

    *first = 1;
    *last = 0;
    for (size_t i = m->original->used[a].end; i > 0; i--)
        if (touched[i - 1] & READ_FIRST) {
            *last = *last < *first ? i - 1 : *last;
            *first = i - 1;
        }
}

/* Where element "x" of an array is, from its element 0, in elements. */
static bool place_of(const struct machine *m, unsigned a, const long long *x,
                     long long *place)
{
    const long long none = 0;

    *place = x[0];
    for (unsigned d = 1; d < m->scop->arrays[a].n_dim; d++) {
        long long length;

        if (!m->runner->rows[a][d] ||
            !pg_function_at(m->runner->rows[a][d], m->values, &none, &length))
            return false;
        *place = *place * length + x[d];
    }
    return true;
}

/* The same for element number "i" of those that there is room for. */
static bool place_of_number(const struct machine *m, unsigned a, size_t i,
                            long long *place)
{
    const struct shape *shape = &m->state->shapes[a];
    long long x[MAX_DIM] = {0};

    for (unsigned d = m->scop->arrays[a].n_dim; d-- > 0;) {
        x[d] = shape->low[d] + (long long)(i % (size_t)shape->side[d]);
        i /= (size_t)shape->side[d];
    }
    return place_of(m, a, x, place);
}

/* May element "x", for which there is no room since the loops have nothing to
 * do with it, be copied in with others?  It has to lie between two elements
 * that the loops read: then it is the program's.
 */
static bool is_gap(struct machine *m, unsigned a, const long long *x)
{
    struct needed *needed = &m->needed;
    size_t first, last;
    long long place;

    if (!m->moving_in || !m->plan->filled || !m->plan->filled[a] ||
        m->state->shapes[a].numbers || a >= m->original->model->scop->n_array)
        return false;
    if (!needed->known || needed->array != a) {
        *needed = (struct needed){.known = true, .array = a, .first = 1};
        find_needed(m, a, &first, &last);
        if (first <= last && !(place_of_number(m, a, first, &needed->first) &&
                               place_of_number(m, a, last, &needed->last)))
            return false;
    }
    return place_of(m, a, x, &place) && needed->first < place &&
           place < needed->last;
}

static void move(struct machine *m, const struct action *action,
                 const long long *values)
{
    unsigned a = action->user->index;
    const struct pg_array *array = &m->scop->arrays[a];
    long long x[1 + MAX_DIM] = {a};
    size_t at;
    int order = 0;

    if (action->n != array->n_dim) {
        pg_wrong(m->fault, "a move with %u subscripts", action->n);
        return;
    }
    for (unsigned d = 0; d < action->n; d++)
        x[d + 1] = pg_expr_eval(action->args[d], values, m->fault);
    for (unsigned d = 0; d <= action->n && !order; d++)
        order = (x[d] > m->last_move[d]) - (x[d] < m->last_move[d]);
    if (m->any_move && order <= 0)
        pg_wrong(m->fault, "%s is moved out of order", array->name);
    m->any_move = true;
    memcpy(m->last_move, x, sizeof(x));
    if (!pg_shape_at(&m->state->shapes[a], array->n_dim, x + 1, &at) &&
        is_gap(m, a, x + 1))
        return;
    at = pg_verify_offset(m, a, x + 1);
    if (m->fault->sentence)
        return;
    m->moved[a][at] = true;
    pg_span_add(&m->carried[a], at);
    if (m->moving_in)
        *pg_memory_at(m->memory, a, at) = *pg_memory_at(m->host, a, at);
    else
        *pg_memory_at(m->host, a, at) = *pg_memory_at(m->memory, a, at);
}

/* Is a launch to be left out, with so many "seen" before?  Of many the first
 * and the last ones are run.
 */
static bool leave_out(const struct machine *m, unsigned *seen)
{
    unsigned n = m->plan->n_kernel, number = (*seen)++;

    return m->options->few && number >= 2 * n && number + n < m->n_launch;
}

/* Run code of the host. */
static void run_host(struct machine *m, const struct code *code)
{
    unsigned seen = 0;
    long long values[MAX_NAMES];
    const struct action *action;
    size_t at = 0;

    memcpy(values, m->values, m->scop->n_param * sizeof(*values));
    while ((action = pg_code_next(code, &at, values, m->work, m->fault))) {
        if (action->user && action->user->kind == PG_USER_LAUNCH &&
            leave_out(m, &seen))
            continue;
        if (action->user && action->user->kind == PG_USER_LAUNCH)
            pg_verify_launch(m, action, values);
        else if (action->user && action->user->kind == PG_USER_MOVE)
            move(m, action, values);
        else
            pg_wrong(m->fault, "no launch and no move on the host");
    }
}

/* Has "scop" a temporary for array "a"? */
static bool has_temporary(const struct pg_scop *scop, unsigned a)
{
    bool has = false;

    for (unsigned b = 0; b < scop->n_array; b++)
        has |= b != a && scop->arrays[b].origin == a;
    return has;
}

/* Are just those elements moved that the original order needs or gives?  Those
 * of an array that is dead after need not be moved if it has become a
 * temporary, and between others that are needed gaps may be filled.
 */
static void check_moves(struct machine *m, bool in)
{
    unsigned known = m->original->model->scop->n_array;

    for (unsigned a = 0; a < m->scop->n_array; a++) {
        const struct pg_array *array = &m->scop->arrays[a];
        bool either = !in && array->dead_after && has_temporary(m->scop, a);
        struct span *carried = &m->carried[a], span = *carried;
        size_t first = 1, last = 0;

        /* Of no element outside of these anything is known or wanted. */
        if (a < known && m->original->used[a].end) {
            pg_span_add(&span, m->original->used[a].first);
            pg_span_add(&span, m->original->used[a].end - 1);
        }
        if (in && a < known && m->plan->filled && m->plan->filled[a])
            find_needed(m, a, &first, &last);
        for (size_t i = span.first; !either && i < span.end; i++) {
            unsigned char t = a < known ? m->original->touched[a][i] : 0;
            bool stays = array->dead_after &&
                         (!array->n_dim || array->kind == PG_ARRAY_TEMPORARY);
            bool want = in ? t & READ_FIRST : (t & WRITTEN) && !stays;

            if (want != m->moved[a][i] && (want || i < first || i > last))
                pg_wrong(m->fault, "element %zu of %s is %s", i, array->name,
                         want ? (in ? "not copied in" : "not copied out")
                              : (in ? "copied in" : "copied out"));
        }
        memset(m->moved[a] + carried->first, 0, carried->end - carried->first);
        *carried = (struct span){0};
    }
}

/* The way of the host that is taken. */
static const struct code *way_of(const struct machine *m)
{
    return m->options->chained ? m->runner->chained : m->runner->host;
}

/* How many launches there are. */
static unsigned count_launches(struct machine *m)
{
    long long values[MAX_NAMES];
    unsigned n = 0;
    size_t at = 0;

    memcpy(values, m->values, m->scop->n_param * sizeof(*values));
    while (pg_code_next(way_of(m), &at, values, m->work, m->fault))
        n++;
    return n;
}

static void run_plan(struct machine *m)
{
    if (m->options->few)
        m->n_launch = count_launches(m);
    if (m->options->sampled) {
        run_host(m, way_of(m));
        return;
    }
    m->moving_in = true;
    m->any_move = m->needed.known = false;
    run_host(m, m->runner->in);
    check_moves(m, true);
    run_host(m, way_of(m));
    m->moving_in = m->any_move = false;
    run_host(m, m->runner->out);
    check_moves(m, false);
}

/* ---- One comparison --------------------------------------------------------
 */

/* What none of the two used is the same: both began with the same values. */
static void compare_memory(struct machine *m, struct pages **have)
{
    const struct pg_scop *scop = m->original->model->scop;
    struct pages **want = m->original->memory;

    for (unsigned a = 0; a < scop->n_array && !m->fault->sentence; a++)
        for (size_t i = 0;
             !scop->arrays[a].dead_after && i < m->original->shapes[a].size;
             i++)
            if (!pg_pages_have(want[a], i) && !pg_pages_have(have[a], i))
                i += PAGE - 1;
            else if (*pg_memory_at(want, a, i) != *pg_memory_at(have, a, i))
                pg_wrong(m->fault, "element %zu of %s has a wrong value", i,
                         scop->arrays[a].name);
}

/* Have all instances run? */
static void check_counts(struct machine *m)
{
    unsigned long n = m->original->n_instance;
    bool some;

    m->result->instances = m->n_run;
    if (m->options->sampled)
        return;
    if (m->n_run != m->state->n_instance)
        pg_wrong(m->fault, "%lu instances instead of %lu", m->n_run,
                 m->state->n_instance);
    if (m->original != m->state && m->n_source_run != n)
        pg_wrong(m->fault, "%lu instances of the program instead of %lu",
                 m->n_source_run, n);
    some = pg_expr_eval(m->runner->nonempty, m->values, m->fault);
    if (some != (n != 0))
        pg_wrong(m->fault, "'nonempty' is wrong");
    if ((n == 0) != (m->result->launches == 0))
        pg_wrong(m->fault, "%u launches for %lu instances", m->result->launches,
                 n);
}

/* The states of the plan's scop and of the source, with arrays of the same
 * shapes.  Some blocks alone need not do what a part of the source does, since
 * what they read may have been copied in others.  Extents hold for parameters
 * with instances, and the host uses them for no others.
 */
static void make_states(struct machine *m)
{
    const struct runner *r = m->runner;
    unsigned n = r->scop->n_array, n_source = r->source->n_array;
    long long (*extents)[MAX_DIM] = pg_alloc(n, sizeof(*extents));
    bool some = pg_expr_eval(r->nonempty, m->values, m->fault);
    struct state *like = NULL;

    for (unsigned a = 0; a < n; a++)
        for (unsigned d = 0; d < MAX_DIM && r->extents[a][d]; d++)
            extents[a][d] =
                some ? pg_expr_eval(r->extents[a][d], m->values, m->fault) : 0;
    if (r->source_model && !m->options->sampled) {
        like = pg_state_alloc(r->source_model, m->values, extents, NULL, 0,
                              false, m->work, m->fault);
        m->state = pg_state_alloc(r->model, m->values, extents, like->shapes,
                                  n_source, 0, m->work, m->fault);
        m->original =
            pg_state_alloc(r->source_model, m->values, extents,
                           m->state->shapes, n_source, 0, m->work, m->fault);
        pg_state_free(like);
    } else {
        m->state = m->original = pg_state_alloc(
            r->model, m->values, extents, NULL, 0,
            m->options->few ? m->options->room : 0, m->work, m->fault);
    }
    free(extents);
}

/* What a run of the plan needs beside the states. */
static void begin(struct machine *m)
{
    unsigned n = m->scop->n_array;

    m->moved = pg_alloc(n, sizeof(*m->moved));
    m->carried = pg_alloc(n, sizeof(*m->carried));
    m->stamps = pg_alloc(n, sizeof(struct pages *));
    for (unsigned a = 0; a < n; a++) {
        m->moved[a] = pg_alloc(m->state->shapes[a].size, sizeof(**m->moved));
        m->stamps[a] = pg_pages_alloc(m->state->shapes[a].size,
                                      sizeof(struct stamp), NULL, 0);
    }
    m->host = m->options->few ? NULL : pg_memory_alloc(m->state, 1);
    m->memory = pg_memory_alloc(m->state, m->options->sampled ? 1 : 2);
}

static void end(struct machine *m)
{
    for (unsigned a = 0; a < m->scop->n_array; a++) {
        free(m->moved[a]);
        pg_pages_free(m->stamps[a]);
    }
    free(m->moved);
    free(m->carried);
    free(m->stamps);
    free(m->own);
    free(m->own_is);
    pg_memory_free(m->state, m->host);
    pg_memory_free(m->state, m->memory);
}

/* The original order has to be run before the plan, so that it is known what is
 * moved; of some blocks it is run behind, with what these ran.
 */
static void compare(struct machine *m)
{
    bool sampled = m->options->sampled;

    if (!sampled)
        pg_state_run(m->original, NULL, m->work, m->fault);
    if (m->fault->sentence)
        return;
    begin(m);
    run_plan(m);
    check_counts(m);
    if (sampled)
        pg_state_run(m->original, m->original, m->work, m->fault);
    if (!m->fault->sentence)
        compare_memory(m, sampled ? m->memory : m->host);
    end(m);
}

void pg_runner_run(struct runner *runner, const long long *values,
                   const struct run_options *options, long *work,
                   struct run_result *result, struct pg_fault *fault)
{
    struct machine m = {.runner = runner,
                        .plan = runner->plan,
                        .scop = runner->scop,
                        .values = values,
                        .options = options,
                        .work = work,
                        .result = result,
                        .fault = fault};

    memset(result, 0, sizeof(*result));
    make_states(&m);
    if (!fault->sentence)
        compare(&m);
    if (m.original != m.state)
        pg_state_free(m.original);
    pg_state_free(m.state);
}

long long pg_runner_most(const struct runner *runner, const long long *values)
{
    long long all = 0;

    for (unsigned s = 0; s < runner->scop->n_stmt; s++) {
        const struct modelled *m = &runner->model->stmts[s];
        long long low[MAX_ARGS], high[MAX_ARGS], n = 1;

        if (!pg_points_box(m->domain, values, low, high))
            return LLONG_MAX;
        for (unsigned d = 0; d < m->n_arg; d++) {
            long long side = low[d] > high[d] ? 0 : high[d] - low[d] + 1;

            if (side && n > LLONG_MAX / 2 / side)
                return LLONG_MAX;
            n *= side;
        }
        if (n > LLONG_MAX / 2 - all)
            return LLONG_MAX;
        all += n;
    }
    return all;
}

long long pg_runner_threads(const struct runner *runner,
                            const long long *values, long *work)
{
    long long at_node[MAX_NAMES], all = 0;
    struct pg_fault fault = {0};
    const struct action *action;
    size_t at = 0;

    memcpy(at_node, values, runner->scop->n_param * sizeof(*values));
    while ((action = pg_code_next(runner->host, &at, at_node, work, &fault))) {
        const struct pg_kernel *k = &runner->plan->kernels[action->user->index];
        long long n = (long long)k->mapping->block[0] * k->mapping->block[1] *
                      k->mapping->block[2];

        for (int d = 0; d < 3; d++)
            n *= pg_expr_eval(action->grid[d], at_node, &fault);
        all += n;
        if (n < 0 || all > LLONG_MAX / 4 || fault.sentence)
            break;
    }
    if (fault.sentence)
        all = LLONG_MAX / 4;
    free(fault.sentence);
    return all;
}
