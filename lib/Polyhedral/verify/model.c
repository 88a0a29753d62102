/* model.c - see model.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "verify/model.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"

#include <isl/aff.h>
#include <isl/space.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ELEMENTS = 1 << 22 }; /* of an array, or instances of a statement */

/* { S[i] -> place in the original order } of "stmt". */
static struct function *read_date(const struct pg_scop *scop,
                                  __isl_keep isl_union_map *dates,
                                  const struct pg_stmt *stmt,
                                  struct pg_fault *fault)
{
    isl_space *params = isl_set_get_space(scop->context);
    isl_union_map *mine = isl_union_map_intersect_domain(
        isl_union_map_copy(dates),
        isl_union_set_from_set(isl_set_copy(stmt->domain)));
    struct function *date = NULL;

    if (isl_union_map_n_map(mine) == 1) {
        isl_map *map = isl_map_from_union_map(isl_union_map_copy(mine));

        date = pg_function_take(isl_pw_multi_aff_from_map(map), params, fault);
    }
    isl_union_map_free(mine);
    isl_space_free(params);
    return date;
}

static void read_stmt(struct modelled *m, const struct pg_scop *scop,
                      const struct pg_stmt *stmt, struct pg_fault *fault)
{
    isl_space *params = isl_set_get_space(scop->context);
    isl_size n = isl_set_dim(stmt->domain, isl_dim_set);

    if (n < 0 || n > MAX_ARGS)
        pg_cannot(fault, "a statement is in too many loops");
    else
        m->n_arg = (unsigned)n;
    m->domain = pg_points_take(isl_set_copy(stmt->domain), params, fault);
    m->where = pg_alloc(stmt->n_access, sizeof(*m->where));
    m->access = pg_alloc(stmt->n_access, sizeof(*m->access));
    for (unsigned a = 0; a < stmt->n_access && !fault->sentence; a++) {
        isl_map *relation = stmt->accesses[a].relation;
        isl_set *where = isl_map_domain(isl_map_copy(relation));

        if (isl_set_is_subset(stmt->domain, where) == isl_bool_true)
            isl_set_free(where);
        else
            m->where[a] = pg_points_take(where, params, fault);
        m->access[a] = pg_function_take(
            isl_pw_multi_aff_from_map(isl_map_copy(relation)), params, fault);
    }
    isl_space_free(params);
}

struct model *pg_model_take(const struct pg_scop *scop, struct pg_fault *fault)
{
    struct model *model = pg_alloc(1, sizeof(*model));
    isl_union_map *dates = isl_schedule_get_map(scop->original);

    model->scop = scop;
    model->stmts = pg_alloc(scop->n_stmt, sizeof(*model->stmts));
    for (unsigned a = 0; a < scop->n_array; a++)
        if (scop->arrays[a].n_dim > MAX_DIM)
            pg_cannot(fault, "an array has too many dimensions");
    for (unsigned s = 0; s < scop->n_stmt && !fault->sentence; s++) {
        read_stmt(&model->stmts[s], scop, &scop->stmts[s], fault);
        model->stmts[s].date = read_date(scop, dates, &scop->stmts[s], fault);
        if (model->stmts[s].date &&
            pg_function_n_out(model->stmts[s].date) > MAX_DATE)
            pg_cannot(fault, "the original order has too many dimensions");
    }
    isl_union_map_free(dates);
    if (!fault->sentence)
        return model;
    pg_model_free(model);
    return NULL;
}

void pg_model_free(struct model *model)
{
    if (!model)
        return;
    for (unsigned s = 0; s < model->scop->n_stmt; s++) {
        struct modelled *m = &model->stmts[s];

        for (unsigned a = 0; m->where && a < model->scop->stmts[s].n_access;
             a++) {
            pg_points_free(m->where[a]);
            pg_function_free(m->access[a]);
        }
        free(m->where);
        free(m->access);
        pg_points_free(m->domain);
        pg_function_free(m->date);
    }
    free(model->stmts);
    free(model);
}

bool pg_shape_at(const struct shape *shape, unsigned n_dim, const long long *x,
                 size_t *at)
{
    size_t result = 0;

    for (unsigned d = 0; d < n_dim; d++) {
        if (x[d] < shape->low[d] || x[d] - shape->low[d] >= shape->side[d])
            return false;
        result =
            result * (size_t)shape->side[d] + (size_t)(x[d] - shape->low[d]);
    }
    *at = result;
    if (shape->numbers)
        return pg_numbering_at(shape->numbers, result, at);
    return shape->size > 0;
}

void pg_shape_check(const struct shape *shape, struct pg_fault *fault)
{
    if (shape->numbers && pg_numbering_full(shape->numbers))
        pg_cannot(fault, "there is too much memory");
}

bool pg_state_find(struct state *state, unsigned s, const long long *args,
                   size_t *at)
{
    const struct instances *i = &state->instances[s];
    const struct modelled *m = &state->model->stmts[s];

    if (state->room && !pg_points_have(m->domain, state->values, args))
        return false;
    if (!pg_shape_at(&i->box, m->n_arg, args, at))
        return false;
    if (state->room && !(i->runs[*at] & EXISTS)) {
        i->runs[*at] |= EXISTS;
        state->n_instance++;
    }
    return i->runs[*at] & EXISTS;
}

/* Set the size of "shape" from its sides; bounds of nothing are of no size. */
static void measure(struct shape *shape, unsigned n_dim, size_t room,
                    struct pg_fault *fault)
{
    size_t most = room ? room : MAX_ELEMENTS;
    unsigned __int128 size = 1;

    for (unsigned d = 0; d < n_dim; d++) {
        if (shape->side[d] < 0)
            shape->side[d] = 0;
        size *= (unsigned long long)shape->side[d];
        if (size >> 62)
            size = (unsigned __int128)1 << 62;
    }
    shape->size = (size_t)size;
    if (size <= most)
        return;
    shape->size = room;
    if (room && !(size >> 62))
        shape->numbers = pg_numbering_alloc(room);
    else
        pg_cannot(fault, "there is too much memory");
}

/* Let "shape" have all elements from "low" to "high". */
static void include(struct shape *shape, unsigned n_dim, const long long *low,
                    const long long *high)
{
    for (unsigned d = 0; d < n_dim; d++) {
        long long end = shape->low[d] + shape->side[d];

        if (low[d] > high[d])
            continue;
        if (shape->side[d] <= 0) {
            shape->low[d] = low[d];
            end = high[d] + 1;
        }
        if (low[d] < shape->low[d])
            shape->low[d] = low[d];
        if (high[d] >= end)
            end = high[d] + 1;
        shape->side[d] = end - shape->low[d];
    }
}

/* The boxes of instances and of the elements that they access. */
static void find_boxes(struct state *state, struct pg_fault *fault)
{
    const struct pg_scop *scop = state->model->scop;

    for (unsigned s = 0; s < scop->n_stmt && !fault->sentence; s++) {
        const struct modelled *m = &state->model->stmts[s];
        long long low[MAX_ARGS], high[MAX_ARGS], least[MAX_DIM], most[MAX_DIM];
        struct shape *box = &state->instances[s].box;
        bool empty = false;

        if (!pg_points_box(m->domain, state->values, low, high))
            pg_cannot(fault, "a loop has no bounds");
        include(box, m->n_arg, low, high);
        measure(box, m->n_arg, state->room, fault);
        for (unsigned d = 0; d < m->n_arg; d++)
            empty |= low[d] > high[d];
        for (unsigned a = 0; a < scop->stmts[s].n_access && !empty; a++) {
            unsigned array = scop->stmts[s].accesses[a].array;

            pg_function_range(m->access[a], state->values, low, high, least,
                              most);
            include(&state->shapes[array], scop->arrays[array].n_dim, least,
                    most);
        }
    }
}

/* For the scan of instances. */
struct marking {
    struct state *state;
    unsigned stmt;
};

static bool mark(const long long *x, void *user)
{
    struct marking *m = user;
    struct instances *i = &m->state->instances[m->stmt];
    size_t at;

    if (!pg_shape_at(&i->box, m->state->model->stmts[m->stmt].n_arg, x, &at))
        return false;
    i->runs[at] |= EXISTS;
    m->state->n_instance++;
    return true;
}

struct state *pg_state_alloc(const struct model *model, const long long *values,
                             long long (*extents)[MAX_DIM],
                             const struct shape *like, unsigned n_like,
                             size_t room, long *work, struct pg_fault *fault)
{
    const struct pg_scop *scop = model->scop;
    struct state *state = pg_alloc(1, sizeof(*state));

    state->model = model;
    state->values = values;
    state->room = room;
    state->shapes = pg_alloc(scop->n_array, sizeof(*state->shapes));
    state->instances = pg_alloc(scop->n_stmt, sizeof(*state->instances));
    state->touched = pg_alloc(scop->n_array, sizeof(*state->touched));
    state->used = pg_alloc(scop->n_array, sizeof(*state->used));
    for (unsigned a = 0; a < n_like; a++)
        state->shapes[a] = like[a];
    find_boxes(state, fault);
    for (unsigned a = 0; a < scop->n_array && !fault->sentence; a++) {
        struct shape *shape = &state->shapes[a];

        if (scop->arrays[a].kind == PG_ARRAY_TEMPORARY)
            for (unsigned d = 0; d < scop->arrays[a].n_dim; d++) {
                shape->low[d] = 0;
                shape->side[d] = extents[a][d];
            }
        measure(shape, scop->arrays[a].n_dim, room, fault);
        state->touched[a] = pg_alloc(shape->size, 1);
        *work -= (long)(shape->size / 16);
    }
    for (unsigned s = 0; s < scop->n_stmt && !fault->sentence; s++) {
        struct marking m = {state, s};
        size_t size = state->instances[s].box.size;

        state->instances[s].runs = pg_alloc(size, 1);
        *work -= (long)(size / 16);
        if (!room && !pg_points_scan(model->stmts[s].domain, values, NULL, NULL,
                                     work, &mark, &m))
            pg_cannot(fault, "there are too many instances");
    }
    return state;
}

void pg_state_free(struct state *state)
{
    if (!state)
        return;
    for (unsigned s = 0; s < state->model->scop->n_stmt; s++)
        free(state->instances[s].runs);
    for (unsigned s = 0; s < state->model->scop->n_stmt; s++)
        pg_numbering_free(state->instances[s].box.numbers);
    for (unsigned a = 0; a < state->model->scop->n_array; a++) {
        free(state->touched[a]);
        pg_numbering_free(state->shapes[a].numbers);
    }
    pg_memory_free(state, state->memory);
    free(state->instances);
    free(state->shapes);
    free(state->touched);
    free(state->used);
    free(state);
}

static void fill(void *page, size_t first, size_t n, uint64_t seed)
{
    uint64_t *values = page;

    for (size_t i = 0; i < n; i++)
        values[i] = pg_mix(seed, first + i);
}

struct pages **pg_memory_alloc(const struct state *state, uint64_t seed)
{
    unsigned n = state->model->scop->n_array;
    struct pages **memory = pg_alloc(n, sizeof(struct pages *));

    for (unsigned a = 0; a < n; a++)
        memory[a] = pg_pages_alloc(state->shapes[a].size, sizeof(uint64_t),
                                   &fill, pg_mix(seed, a));
    return memory;
}

void pg_memory_free(const struct state *state, struct pages **memory)
{
    for (unsigned a = 0; memory && a < state->model->scop->n_array; a++)
        pg_pages_free(memory[a]);
    free(memory);
}

/* ---- The original order ---------------------------------------------------
 */

/* An instance with its place in the order. */
struct dated {
    uint64_t key;
    unsigned stmt;
    size_t at;
};

struct order {
    struct dated *all;
    size_t n;
    unsigned n_date;
    long long (*dates)[MAX_DATE];
};

static int compare_dated(const void *a, const void *b)
{
    const struct dated *x = a, *y = b;

    return (x->key > y->key) - (x->key < y->key);
}

/* How many numbers of instances there are in "box". */
static size_t count_of(const struct shape *box)
{
    return box->numbers ? pg_numbering_n(box->numbers) : box->size;
}

/* The instance number "at" of "box". */
static void args_of(const struct shape *box, unsigned n, size_t at,
                    long long *args)
{
    if (box->numbers)
        at = pg_numbering_key(box->numbers, at);
    for (unsigned d = n; d-- > 0;) {
        args[d] = box->low[d] + (long long)(at % (size_t)box->side[d]);
        at /= (size_t)box->side[d];
    }
}

/* Bounds of all dates of "state", by dimension; how many there are. */
static unsigned date_bounds(const struct state *state, long long *least,
                            long long *most)
{
    const struct pg_scop *scop = state->model->scop;
    unsigned n = 0;

    for (unsigned s = 0; s < scop->n_stmt; s++) {
        const struct modelled *m = &state->model->stmts[s];
        const struct shape *box = &state->instances[s].box;
        long long high[MAX_ARGS], l[MAX_DATE], h[MAX_DATE];
        unsigned here = m->date ? pg_function_n_out(m->date) : 0;

        if (box->size == 0)
            continue;
        for (unsigned d = 0; d < m->n_arg; d++)
            high[d] = box->low[d] + box->side[d] - 1;
        if (m->date)
            pg_function_range(m->date, state->values, box->low, high, l, h);
        for (; n < here; n++) {
            least[n] = 0;
            most[n] = 0;
        }
        for (unsigned d = 0; d < here; d++) {
            least[d] = l[d] < least[d] ? l[d] : least[d];
            most[d] = h[d] > most[d] ? h[d] : most[d];
        }
    }
    return n;
}

/* The place of instance "args" of "m" in the order as one number; missing
 * dimensions are 0.
 */
static uint64_t key_of(const struct state *state, const struct modelled *m,
                       const long long *args, const long long *least,
                       const long long *most, unsigned n,
                       struct pg_fault *fault)
{
    long long date[MAX_DATE] = {0};
    unsigned __int128 key = 0;

    if (!m->date || !pg_function_at(m->date, state->values, args, date))
        pg_cannot(fault, "an instance has no place in the original order");
    for (unsigned d = 0; d < n; d++) {
        key = key * ((unsigned long long)(most[d] - least[d]) + 1) +
              (unsigned long long)(date[d] - least[d]);
        if (key >> 64)
            pg_cannot(fault, "the original order is too long");
    }
    return (uint64_t)key;
}

/* All instances in their original order. */
static struct dated *sorted(const struct state *state, const struct state *of,
                            size_t *n, struct pg_fault *fault)
{
    struct dated *all = pg_alloc(state->n_instance + 1, sizeof(*all));
    long long least[MAX_DATE], most[MAX_DATE], args[MAX_ARGS];
    unsigned n_date = date_bounds(state, least, most);

    *n = 0;
    for (unsigned s = 0; s < state->model->scop->n_stmt; s++) {
        const struct modelled *m = &state->model->stmts[s];
        const struct instances *i = &state->instances[s];

        for (size_t at = 0; at < count_of(&i->box) && !fault->sentence; at++) {
            if (!(i->runs[at] & EXISTS) ||
                (of && !(of->instances[s].runs[at] & TIMES)))
                continue;
            args_of(&i->box, m->n_arg, at, args);
            all[(*n)++] = (struct dated){
                key_of(state, m, args, least, most, n_date, fault), s, at};
        }
    }
    qsort(all, *n, sizeof(*all), &compare_dated);
    return all;
}

/* The element of access "a" of instance "args" of statement "s"; NULL and
 * *fault if it has no place, NULL if the access does not happen.
 */
static uint64_t *element(struct state *state, unsigned s, unsigned a,
                         const long long *args, struct pg_fault *fault)
{
    const struct modelled *m = &state->model->stmts[s];
    const struct pg_access *access = &state->model->scop->stmts[s].accesses[a];
    unsigned array = access->array;
    unsigned char *touched;
    long long x[MAX_DIM];
    size_t at;

    if (m->where[a] && !pg_points_have(m->where[a], state->values, args))
        return NULL;
    if (!pg_function_at(m->access[a], state->values, args, x) ||
        !pg_shape_at(&state->shapes[array],
                     state->model->scop->arrays[array].n_dim, x, &at)) {
        pg_shape_check(&state->shapes[array], fault);
        pg_wrong(fault, "%s accesses an element of %s that does not exist",
                 state->model->scop->stmts[s].name,
                 state->model->scop->arrays[array].name);
        return NULL;
    }
    pg_span_add(&state->used[array], at);
    touched = &state->touched[array][at];
    if (access->write)
        *touched |= WRITTEN;
    else
        *touched |= *touched & WRITTEN ? READ : READ | READ_FIRST;
    return pg_memory_at(state->memory, array, at);
}

/* Run instance "args" of statement "s". */
static void run(struct state *state, unsigned s, const long long *args,
                struct pg_fault *fault)
{
    const struct pg_stmt *stmt = &state->model->scop->stmts[s];
    struct mixture x = {.all = pg_mix(stmt->origin + 1, 17)};
    unsigned adds = state->model->stmts[s].adds;
    uint64_t *at;

    for (unsigned i = 0; i + stmt->n_tile < state->model->stmts[s].n_arg; i++)
        x.all = pg_mix(x.all, (uint64_t)args[i]);
    for (int write = 0; write < 2; write++)
        for (unsigned a = 0; a < stmt->n_access && !fault->sentence; a++) {
            if (stmt->accesses[a].write != !!write)
                continue;
            at = element(state, s, a, args, fault);
            if (!at)
                continue;
            if (write)
                *at = pg_mixture_write(&x, stmt, adds, a, *at);
            else
                pg_mixture_read(&x, stmt, adds, a, *at);
        }
}

void pg_state_each(const struct state *state, const struct state *of,
                   long *work, pg_instance_visitor *each, void *user,
                   struct pg_fault *fault)
{
    struct dated *all;
    size_t n;

    *work -= 2 * (long)state->n_instance;
    if (*work < 0)
        pg_cannot(fault, "there are too many instances");
    if (fault->sentence)
        return;
    all = sorted(state, of, &n, fault);
    for (size_t i = 0; i < n && !fault->sentence; i++) {
        const struct modelled *m = &state->model->stmts[all[i].stmt];
        long long args[MAX_ARGS] = {0};

        if (i > 0 && all[i].key == all[i - 1].key &&
            all[i].stmt == all[i - 1].stmt)
            pg_cannot(fault, "the original order is not one");
        args_of(&state->instances[all[i].stmt].box, m->n_arg, all[i].at, args);
        *work -= 1 + state->model->scop->stmts[all[i].stmt].n_access;
        if (!each(all[i].stmt, args, user))
            break;
    }
    free(all);
}

/* ---- Some instances -------------------------------------------------------
 */

/* An instance of a list, and its place in the order. */
struct listed {
    size_t at;
    long long date[MAX_DATE];
};

static int compare_listed(const void *a, const void *b)
{
    const struct listed *x = a, *y = b;

    for (unsigned d = 0; d < MAX_DATE; d++)
        if (x->date[d] != y->date[d])
            return x->date[d] < y->date[d] ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Those of the list that exist, with their places; how many these are. */
static size_t place_all(const struct model *model, const long long *values,
                        size_t n, const unsigned *stmts,
                        const long long (*args)[MAX_ARGS],
                        struct listed *listed, struct pg_fault *fault)
{
    size_t count = 0;

    for (size_t i = 0; i < n && !fault->sentence; i++) {
        const struct modelled *m = &model->stmts[stmts[i]];

        if (!pg_points_have(m->domain, values, args[i]))
            continue;
        listed[count].at = i;
        if (!m->date ||
            !pg_function_at(m->date, values, args[i], listed[count++].date))
            pg_cannot(fault, "an instance has no place in the original order");
    }
    return count;
}

void pg_model_each(const struct model *model, const long long *values, size_t n,
                   const unsigned *stmts, const long long (*args)[MAX_ARGS],
                   long *work, pg_instance_visitor *each, void *user,
                   struct pg_fault *fault)
{
    struct listed *listed = pg_alloc(n + 1, sizeof(*listed));
    bool more = true;

    *work -= 2 * (long)n;
    if (*work < 0)
        pg_cannot(fault, "there are too many instances");
    n = place_all(model, values, n, stmts, args, listed, fault);
    qsort(listed, n, sizeof(*listed), &compare_listed);
    for (size_t i = 0; i < n && more && !fault->sentence; i++) {
        size_t at = listed[i].at;

        if (i > 0 && stmts[at] == stmts[listed[i - 1].at] &&
            !memcmp(listed[i].date, listed[i - 1].date,
                    sizeof(listed[i].date))) {
            pg_cannot(fault, "the original order is not one");
            break;
        }
        *work -= 1 + model->scop->stmts[stmts[at]].n_access;
        more = each(stmts[at], args[at], user);
    }
    free(listed);
}

/* For pg_state_run. */
struct running {
    struct state *state;
    struct pg_fault *fault;
};

static bool run_next(unsigned s, const long long *args, void *user)
{
    struct running *r = user;

    run(r->state, s, args, r->fault);
    return true;
}

void pg_state_run(struct state *state, const struct state *of, long *work,
                  struct pg_fault *fault)
{
    struct running r = {state, fault};

    state->memory = pg_memory_alloc(state, 1);
    pg_state_each(state, of, work, &run_next, &r, fault);
}
