/* moves.c - see moves.h.
 *
 * The loops over what is copied run through the chosen elements only.  Whether
 * an element has to be copied follows from the instances that access it, which
 * are found from their accesses, without the sets that the loops are made from.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "verify/moves.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"
#include "verify/interpreter.h"

#include <isl/space.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_CHOSEN = 4096,  /* elements of an array */
    MOST_INSTANCES = 20, /* that are looked at of one access */
    BESIDE = 1           /* elements outside of an array are looked at too */
};

_Static_assert(MAX_DIM <= MAX_WINDOW_ARGS, "subscripts without windows");

struct moves {
    const struct runner *runner;
    const struct pg_scop *scop;
    const struct model *model;
    struct points ***reach; /* [statement][access]: { S[i] } of parameters and
                               subscripts */
};

/* { S[i] } that have access "access" to the element of the parameters behind
 * the SCoP's.
 */
static struct points *take_reach(const struct pg_scop *scop,
                                 const struct pg_stmt *stmt,
                                 const struct pg_access *access,
                                 struct pg_fault *fault)
{
    isl_space *params = isl_set_get_space(scop->context);
    isl_map *map = isl_map_copy(access->relation);
    unsigned n = scop->arrays[access->array].n_dim;
    struct points *points;

    for (unsigned d = 0; d < n; d++) {
        char name[24];

        snprintf(name, sizeof(name), "subscript%u", d);
        params =
            isl_space_add_param_id(params, isl_id_alloc(scop->ctx, name, NULL));
    }
    map = isl_map_intersect_domain(map, isl_set_copy(stmt->domain));
    map = isl_map_align_params(map, isl_space_copy(params));
    for (unsigned d = 0; d < n; d++)
        map = isl_map_equate(map, isl_dim_out, (int)d, isl_dim_param,
                             (int)(scop->n_param + d));
    points = pg_points_take(isl_map_domain(map), params, fault);
    isl_space_free(params);
    return points;
}

struct moves *pg_moves_take(const struct runner *runner, struct pg_fault *fault)
{
    struct moves *moves = pg_alloc(1, sizeof(*moves));
    const struct pg_scop *scop = runner->source;

    moves->runner = runner;
    moves->scop = scop;
    moves->model = runner->source_model ? runner->source_model : runner->model;
    moves->reach = pg_alloc(scop->n_stmt, sizeof(*moves->reach));
    for (unsigned s = 0; s < scop->n_stmt && !fault->sentence; s++) {
        const struct pg_stmt *stmt = &scop->stmts[s];

        moves->reach[s] = pg_alloc(stmt->n_access, sizeof(**moves->reach));
        for (unsigned a = 0; a < stmt->n_access && !fault->sentence; a++)
            moves->reach[s][a] =
                take_reach(scop, stmt, &stmt->accesses[a], fault);
    }
    if (!fault->sentence)
        return moves;
    pg_moves_free(moves);
    return NULL;
}

void pg_moves_free(struct moves *moves)
{
    if (!moves)
        return;
    for (unsigned s = 0; s < moves->scop->n_stmt; s++) {
        for (unsigned a = 0;
             moves->reach[s] && a < moves->scop->stmts[s].n_access; a++)
            pg_points_free(moves->reach[s][a]);
        free(moves->reach[s]);
    }
    free(moves->reach);
    free(moves);
}

/* ---- Which elements -------------------------------------------------------
 */

/* The elements of an array that are looked at. */
struct chosen {
    unsigned n_dim, n; /* n: 0 if there are too many */
    bool unused;       /* and nothing of it may be copied */
    unsigned n_value[MAX_DIM];
    long long values[MAX_DIM][2 * (1 + BESIDE) + 2];
    bool *moved;
};

struct checking {
    const struct moves *moves;
    const long long *values;
    long *work;
    struct pg_fault *fault;
    struct chosen *chosen; /* by array of the plan's SCoP */
    struct windows windows;
};

/* Bounds of what is accessed of array "a"; false if nothing is. */
static bool bounds(const struct checking *c, unsigned a, long long *low,
                   long long *high)
{
    const struct pg_scop *scop = c->moves->scop;
    bool any = false;

    for (unsigned s = 0; s < scop->n_stmt; s++) {
        const struct modelled *m = &c->moves->model->stmts[s];
        long long from[MAX_ARGS], to[MAX_ARGS], least[MAX_DIM], most[MAX_DIM];
        bool empty = !pg_points_box(m->domain, c->values, from, to);

        for (unsigned d = 0; d < m->n_arg && !empty; d++)
            empty = from[d] > to[d];
        for (unsigned i = 0; i < scop->stmts[s].n_access && !empty; i++) {
            if (scop->stmts[s].accesses[i].array != a)
                continue;
            pg_function_range(m->access[i], c->values, from, to, least, most);
            for (unsigned d = 0; d < scop->arrays[a].n_dim; d++) {
                low[d] = any && low[d] < least[d] ? low[d] : least[d];
                high[d] = any && high[d] > most[d] ? high[d] : most[d];
            }
            any = true;
        }
    }
    return any;
}

/* The values of a subscript: the first ones with one before, two in the middle,
 * and the last ones with one behind.
 */
static void choose_values(struct checking *c, unsigned a, unsigned d,
                          long long low, long long high)
{
    struct chosen *chosen = &c->chosen[a];
    struct window *w = &c->windows.stmts[a][d];
    long long middle = low + (high - low) / 2;
    long long begins[] = {low - BESIDE, middle, high};
    long long ends[] = {low, middle + 1, high + BESIDE};

    if (high - low < 4) {
        begins[1] = begins[0];
        ends[1] = ends[2];
    }
    for (int i = 0; i < MAX_WINDOWS; i++) {
        if (high - low < 4 && i != 1)
            continue;
        w->low[w->n] = begins[i];
        w->high[w->n++] = ends[i];
        for (long long x = begins[i]; x <= ends[i]; x++)
            chosen->values[d][chosen->n_value[d]++] = x;
    }
}

static void choose(struct checking *c, unsigned a)
{
    struct chosen *chosen = &c->chosen[a];
    long long low[MAX_DIM] = {0}, high[MAX_DIM] = {0};

    chosen->n_dim = c->moves->runner->scop->arrays[a].n_dim;
    chosen->unused = a >= c->moves->scop->n_array || !bounds(c, a, low, high);
    chosen->n = !chosen->unused;
    for (unsigned d = 0; d < chosen->n_dim && chosen->n; d++) {
        choose_values(c, a, d, low[d], high[d]);
        chosen->n *= chosen->n_value[d];
        if (chosen->n > MOST_CHOSEN)
            chosen->n = 0;
    }
    if (!chosen->n && chosen->n_dim) /* an empty one */
        c->windows.stmts[a][0] = (struct window){.n = 1, .high[0] = -1};
    chosen->moved = pg_alloc(chosen->n, sizeof(*chosen->moved));
}

/* The subscripts of element number "i". */
static void element_at(const struct chosen *chosen, unsigned i, long long *x)
{
    for (unsigned d = chosen->n_dim; d-- > 0;) {
        x[d] = chosen->values[d][i % chosen->n_value[d]];
        i /= chosen->n_value[d];
    }
}

/* The number of element "x", or how many there are. */
static unsigned number_of(const struct chosen *chosen, const long long *x)
{
    unsigned number = 0;

    for (unsigned d = 0; d < chosen->n_dim; d++) {
        unsigned i = 0;

        while (i < chosen->n_value[d] && chosen->values[d][i] != x[d])
            i++;
        if (i == chosen->n_value[d])
            return chosen->n;
        number = number * chosen->n_value[d] + i;
    }
    return number;
}

/* ---- What has to be copied ------------------------------------------------
 */

/* The accesses of a kind to an element: the first of all is not before "lower",
 * and there is one as early as "upper".
 */
struct accesses {
    bool any, unknown;
    long long lower[MAX_DATE], upper[MAX_DATE];
};

/* Of one access, the instances that were looked at. */
struct scanning {
    const struct checking *c;
    const struct function *date;
    unsigned n;
    bool unknown;
    long long first[MAX_DATE];
};

static bool is_before(const long long *a, const long long *b)
{
    for (unsigned d = 0; d < MAX_DATE; d++)
        if (a[d] != b[d])
            return a[d] < b[d];
    return false;
}

static bool add_instance(const long long *x, void *user)
{
    struct scanning *s = user;
    long long date[MAX_DATE] = {0};

    s->unknown |= !s->date || !pg_function_at(s->date, s->c->values, x, date);
    if (s->n++ == 0 || is_before(date, s->first))
        memcpy(s->first, date, sizeof(date));
    return !s->unknown && s->n < MOST_INSTANCES;
}

static void take_earlier(long long *date, const long long *other, bool any)
{
    if (!any || is_before(other, date))
        memcpy(date, other, MAX_DATE * sizeof(*date));
}

/* Add access "i" of statement "s" with the subscripts behind the parameters in
 * "values".
 */
static void add_access(const struct checking *c, unsigned s, unsigned i,
                       const long long *values, struct accesses *all)
{
    const struct points *reach = c->moves->reach[s][i];
    const struct modelled *m = &c->moves->model->stmts[s];
    struct scanning scanning = {.c = c, .date = m->date};
    long long low[MAX_ARGS], high[MAX_ARGS];
    long long least[MAX_DATE] = {0}, most[MAX_DATE];
    bool bounded = pg_points_box(reach, values, low, high), complete;

    *c->work -= 8;
    if (bounded && m->n_arg && low[0] > high[0])
        return;
    complete = pg_points_scan(reach, values, NULL, NULL, c->work, &add_instance,
                              &scanning);
    all->unknown |= scanning.unknown || !bounded ||
                    (!complete && scanning.n < MOST_INSTANCES);
    if (scanning.n == 0 || all->unknown)
        return;
    if (!complete)
        pg_function_range(m->date, c->values, low, high, least, most);
    take_earlier(all->lower, complete ? scanning.first : least, all->any);
    take_earlier(all->upper, scanning.first, all->any);
    all->any = true;
}

/* The reads or writes of element "x" of array "a". */
static struct accesses find_accesses(const struct checking *c, unsigned a,
                                     const long long *x, bool write)
{
    const struct pg_scop *scop = c->moves->scop;
    struct accesses all = {0};
    long long values[MAX_NAMES + MAX_DIM];

    memcpy(values, c->values, scop->n_param * sizeof(*values));
    memcpy(values + scop->n_param, x, MAX_DIM * sizeof(*values));
    for (unsigned s = 0; s < scop->n_stmt; s++)
        for (unsigned i = 0; i < scop->stmts[s].n_access; i++)
            if (scop->stmts[s].accesses[i].array == a &&
                scop->stmts[s].accesses[i].write == write)
                add_access(c, s, i, values, &all);
    return all;
}

/* Has the element to be copied in, because it is read before it is written, or
 * out, because it is written?  *known: is that certain?
 */
static bool is_wanted(const struct checking *c, unsigned a, const long long *x,
                      bool in, bool *known)
{
    struct accesses write = find_accesses(c, a, x, true), read;

    *known = !write.unknown;
    if (!in || write.unknown)
        return write.any;
    read = find_accesses(c, a, x, false);
    *known = !read.unknown;
    if (read.unknown || !read.any || !write.any)
        return read.any;
    if (!is_before(write.lower, read.upper))
        return true;
    *known = is_before(write.upper, read.lower);
    return false;
}

/* Has the plan a temporary for array "a"? */
static bool has_temporary(const struct pg_scop *scop, unsigned a)
{
    for (unsigned b = 0; b < scop->n_array; b++)
        if (b != a && scop->arrays[b].origin == a)
            return true;
    return false;
}

/* Compare what is moved with what has to be; how many elements. */
static unsigned compare(const struct checking *c, unsigned a, bool in)
{
    const struct pg_scop *scop = c->moves->runner->scop;
    const struct pg_array *array = &scop->arrays[a];
    const struct chosen *chosen = &c->chosen[a];
    bool stays = array->dead_after &&
                 (!array->n_dim || array->kind == PG_ARRAY_TEMPORARY);
    // How far these reach is looked at where all is executed (run.c).
    bool filled = in && c->moves->runner->plan->filled &&
                  c->moves->runner->plan->filled[a];
    unsigned n = 0;

    if (!in && array->dead_after && has_temporary(scop, a))
        return 0;
    for (unsigned i = 0; i < chosen->n && !c->fault->sentence; i++) {
        long long x[MAX_DIM] = {0};
        bool known, want;

        element_at(chosen, i, x);
        want = is_wanted(c, a, x, in, &known) && (in || !stays);
        n += known;
        if (known && want != chosen->moved[i] && (want || !filled))
            pg_wrong(c->fault, "element %lld.. of %s is %s", x[0], array->name,
                     want ? (in ? "not copied in" : "not copied out")
                          : (in ? "copied in" : "copied out"));
    }
    return n;
}

/* ---- The loops ------------------------------------------------------------
 */

static void run(struct checking *c, const struct code *code)
{
    const struct pg_scop *scop = c->moves->runner->scop;
    long long values[MAX_NAMES], x[MAX_DIM] = {0};
    const struct action *action;
    unsigned number;
    size_t at = 0;

    memcpy(values, c->values, scop->n_param * sizeof(*values));
    while ((action = pg_code_few(code, &at, values, &c->windows, c->work,
                                 c->fault))) {
        const struct pg_user *user = action->user;
        struct chosen *chosen;

        if (!user || user->kind != PG_USER_MOVE ||
            action->n != scop->arrays[user->index].n_dim) {
            pg_wrong(c->fault, "a copy moves no element");
            return;
        }
        chosen = &c->chosen[user->index];
        if (chosen->unused)
            pg_wrong(c->fault, "%s is copied, which nothing accesses",
                     scop->arrays[user->index].name);
        for (unsigned d = 0; d < action->n; d++)
            x[d] = pg_expr_eval(action->args[d], values, c->fault);
        number = number_of(chosen, x);
        if (number >= chosen->n)
            continue;
        if (chosen->moved[number])
            pg_wrong(c->fault, "element %lld.. of %s is moved twice", x[0],
                     scop->arrays[user->index].name);
        chosen->moved[number] = true;
    }
}

unsigned pg_moves_check(const struct moves *moves, const long long *values,
                        long *work, struct pg_fault *fault)
{
    const struct runner *r = moves->runner;
    unsigned n_array = r->scop->n_array, n = 0;
    struct checking c = {.moves = moves,
                         .values = values,
                         .work = work,
                         .fault = fault,
                         .windows.plain = true};

    c.chosen = pg_alloc(n_array, sizeof(*c.chosen));
    c.windows.stmts = pg_alloc(n_array, sizeof(*c.windows.stmts));
    for (unsigned a = 0; a < n_array; a++)
        choose(&c, a);
    for (int in = 1; in >= 0 && !fault->sentence; in--) {
        for (unsigned a = 0; a < n_array; a++)
            for (unsigned i = 0; i < c.chosen[a].n; i++)
                c.chosen[a].moved[i] = false;
        run(&c, in ? r->in : r->out);
        for (unsigned a = 0; a < n_array && !fault->sentence; a++)
            n += compare(&c, a, in);
    }
    for (unsigned a = 0; a < n_array; a++)
        free(c.chosen[a].moved);
    free(c.chosen);
    free(c.windows.stmts);
    return n;
}
