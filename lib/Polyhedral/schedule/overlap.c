/* overlap.c - several steps of a time loop in overlapping tiles.
 *
 * A block owns a tile of the elements.  It loads them and a border around them,
 * computes h steps of a time loop on its own copy, in which the border becomes
 * smaller and smaller, and stores its tile: what neighbours need of each other
 * in between each computes itself (Holewinski et al. 2012; Matsumura et al.
 * 2020, AN5D).  All blocks read what was there h steps ago, so that an array
 * that is both loaded and stored has a second copy on the device: even launches
 * go from the array to that, odd ones back.
 *
 * This is a variant of the SCoP: of each statement one for even launches and
 * one for odd ones, with the number of the pair of launches and those of the
 * tile as further iterators; copy statements that load and store; and a copy
 * back for an odd number of launches.  What it takes to map it is known to
 * isl, and its dependences are computed as those of any SCoP.
 *
 * That it computes the same: sweeps of single statements keep all dependences
 * of a step (reach.c), each block runs such a sweep of those instances that it
 * needs in the order that they had, and the values that come from before are
 * those that were there, because every launch stores all elements that a step
 * writes.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/overlap.h"
#include "dependence/dependences.h"
#include "polygpu/machine.h"
#include "polygpu/polyhedral.h"
#include "schedule/expand.h"
#include "schedule/reach.h"
#include "schedule/sizes.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/coalesce.h"
#include "support/text.h"

#include <isl/space.h>
#include <isl/val.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Even and odd launches; a tile has a multiple of so many rows. */
enum { N_PART = 2, ROWS = 8 };

/* Steps of a launch, by dimensions of the arrays, and what a block has of
 * shared memory for it; a tile is that many elements wide, times a number.
 */
static const long most_steps[PG_REACH_DIMS] = {16, 4};
static const unsigned long most_bytes[PG_REACH_DIMS] = {8192, 49152};
static const long granule[PG_REACH_DIMS] = {64, 16};

/* A multiprocessor's cache and shared memory are so many times as fast as its
 * part of the memory's bandwidth (T4 13, A100 and H200 10 and 7), and tiles are
 * taken if what they need is so much of what sweeps need.  Of tiles that need
 * hardly more than others those with fewer launches are taken.
 */
static const double cache_speed = 10, gain = 0.8, hardly_more = 1.15;

/* The tiles. */
struct tiles {
    unsigned n_dim;
    long steps;                          /* in a launch */
    long own[PG_REACH_DIMS];             /* elements that a block stores */
    struct pg_sides more[PG_REACH_DIMS]; /* that it loads and does not store */
};

/* An array that the time loop writes. */
struct involved {
    unsigned array;
    isl_set *read;    /* { [x] } from before the launch, */
    isl_set *written; /* and in each step */
    bool carried;     /* of some elements both */
    int other;        /* the array's second copy, or -1 */
    unsigned tile[N_PART];
};

/* A statement of the variant. */
struct role {
    unsigned first; /* iterator: the pair of launches, and then the tile's */
    int source;     /* a statement of the source, or -1: a copy */
};

struct making {
    const struct pg_scop *scop;
    struct pg_scop *made;
    struct pg_reach reach;
    struct tiles tiles;
    unsigned n_involved;
    struct involved *involved;
    struct role *roles;     /* by statement of what is made */
    isl_set *pairs[N_PART]; /* { [u] } with such a launch */
    isl_set *last[N_PART];  /* that is the last one of all */
    isl_set *blocks;        /* { [b] } */
    bool ok;
};

/* ---- Tiles ----------------------------------------------------------------
 */

/* The elements in dimension "d" that a block has. */
static long width(const struct tiles *t, unsigned d)
{
    return t->own[d] + t->more[d].below + t->more[d].above;
}

/* Bytes of shared memory for arrays with so many bytes for each place. */
static unsigned long bytes_of(const struct tiles *t, unsigned long each)
{
    for (unsigned d = 0; d < t->n_dim; d++)
        each *= (unsigned long)width(t, d) + (d + 1 == t->n_dim);
    return each + each / 16;
}

/* How many elements a block computes of statement "s" for each that it owns,
 * in the middle of its steps.
 */
static double growth(const struct making *m, const struct tiles *t, unsigned s)
{
    double all = 1;

    for (unsigned d = 0; d < t->n_dim; d++) {
        const struct pg_sides *more = &m->reach.stmt[s].more[d];
        const struct pg_sides *step = &m->reach.step[d];
        double border =
            (double)(more->below + more->above) +
            (double)((step->below + step->above) * (t->steps - 1)) / 2;

        all *= 1 + border / (double)t->own[d];
    }
    return all;
}

/* The bytes that an instance of statement "s" accesses, in the cache, and those
 * of them that go to memory: of each array once; "others": only of arrays that
 * the time loop does not write.
 */
static void traffic(const struct making *m, unsigned s, bool others,
                    double *cache, double *memory)
{
    const struct pg_stmt *stmt = &m->scop->stmts[s];

    *cache = *memory = 0;
    for (unsigned a = 0; a < stmt->n_access; a++) {
        unsigned array = stmt->accesses[a].array;
        double size = m->scop->arrays[array].elem_size;
        bool first = m->scop->arrays[array].n_dim > 0;

        *cache += size;
        for (unsigned b = 0; b < a; b++)
            first =
                first && (stmt->accesses[b].array != array ||
                          stmt->accesses[b].write != stmt->accesses[a].write);
        if (first && !(others && m->reach.written[array]))
            *memory += size;
    }
}

/* What a step of a sweep for each statement costs for each place, in bytes of
 * memory.
 */
static double cost_of_sweeps(const struct making *m)
{
    double all = 0, cache, memory;

    for (unsigned s = 0; s < m->reach.n_stmt; s++) {
        traffic(m, s, false, &cache, &memory);
        cache /= cache_speed;
        all += cache > memory ? cache : memory;
    }
    return all;
}

/* The same for tiles: what they load and store, and what they compute. */
static double cost_of(const struct making *m, const struct tiles *t)
{
    double all = 0, loaded = 1, cache, memory;

    for (unsigned d = 0; d < t->n_dim; d++)
        loaded *= (double)width(t, d) / (double)t->own[d];
    for (unsigned i = 0; i < m->n_involved; i++)
        if (m->involved[i].carried)
            all += m->scop->arrays[m->involved[i].array].elem_size *
                   (loaded + 1) / (double)t->steps;
    for (unsigned s = 0; s < m->reach.n_stmt; s++) {
        traffic(m, s, true, &cache, &memory);
        cache /= cache_speed;
        all += growth(m, t, s) * (cache > memory ? cache : memory);
    }
    return all;
}

/* The largest tile with that many elements in the last dimension that fits;
 * false if none does.
 */
static bool fill(struct tiles *t, long row, unsigned long each)
{
    unsigned last = t->n_dim - 1;

    t->own[last] = row;
    for (unsigned d = 0; d < last; d++)
        t->own[d] = ROWS;
    if (bytes_of(t, each) > most_bytes[last])
        return false;
    while (last > 0 && bytes_of(t, each) <= most_bytes[last])
        t->own[0] += ROWS;
    t->own[0] -= last > 0 ? ROWS : 0;
    return true;
}

/* Bytes of all arrays that the time loop writes for each place. */
static unsigned long bytes_each(const struct making *m)
{
    unsigned long each = 0;

    for (unsigned i = 0; i < m->n_involved; i++)
        each += m->scop->arrays[m->involved[i].array].elem_size;
    return each;
}

/* The tiles for that many steps that cost least, "*cost". */
static struct tiles choose_for(const struct making *m, long steps, double *cost)
{
    struct tiles t = {.n_dim = m->reach.n_dim, .steps = steps}, best = t;
    long g = granule[t.n_dim - 1];
    unsigned long each = bytes_each(m);

    for (unsigned d = 0; d < t.n_dim; d++)
        t.more[d] = pg_reach_box(&m->reach, d, steps);
    *cost = HUGE_VAL;
    for (long row = g; fill(&t, row, each); row += g) {
        double own = cost_of(m, &t);

        if (own >= *cost)
            continue;
        best = t;
        *cost = own;
    }
    return best;
}

/* Take the user's "sizes" if there are any for this; too large ones are none.
 */
static bool take_given(struct making *m, const char *sizes)
{
    struct pg_kernel_sizes given;
    char *error = pg_sizes_get(sizes, 0, &given);
    struct tiles t = {.n_dim = m->reach.n_dim};
    bool some = !error && given.time.n > t.n_dim;

    free(error);
    if (!some)
        return false;
    t.steps = (long)given.time.v[0];
    for (unsigned d = 0; d < t.n_dim; d++) {
        t.own[d] = (long)given.time.v[d + 1];
        t.more[d] = pg_reach_box(&m->reach, d, t.steps);
    }
    if (t.steps > 1 && bytes_of(&t, bytes_each(m)) <= PG_STATIC_SHARED)
        m->tiles = t;
    return true;
}

/* Choose how many steps a launch has, the most that cost hardly more than
 * others, and the tiles; false if they are not better than sweeps, unless
 * "forced".
 */
static bool choose(struct making *m, const char *sizes, bool forced)
{
    long most = most_steps[m->reach.n_dim - 1];
    double least = forced ? HUGE_VAL : gain * cost_of_sweeps(m), cost;

    if (take_given(m, sizes))
        return m->tiles.steps > 0;
    for (long steps = 2; steps <= most; steps++) {
        struct tiles t = choose_for(m, steps, &cost);

        if (cost > hardly_more * least || cost == HUGE_VAL)
            continue;
        m->tiles = t;
        least = cost < least ? cost : least;
    }
    return m->tiles.steps > 0;
}

/* ---- Sets as text ---------------------------------------------------------
 */

/* Add "x0, x1", with names that begin with "name". */
static void add_list(struct pg_text *text, const char *name, unsigned n)
{
    for (unsigned d = 0; d < n; d++)
        pg_text_add(text, d ? ", %s%u" : "%s%u", name, d);
}

/* Add that place x is in the tile b, or in what a block computes of statement
 * "stmt" with "left" more steps to go, or in all that it has.
 */
static void add_place(struct pg_text *text, const struct making *m,
                      const struct pg_reach_stmt *stmt, const char *left,
                      bool border)
{
    for (unsigned d = 0; d < m->tiles.n_dim; d++) {
        long own = m->tiles.own[d];
        struct pg_sides more = {0, 0}, step = {0, 0};

        if (border)
            more = m->tiles.more[d];
        if (stmt) {
            more = stmt->more[d];
            step = m->reach.step[d];
        }
        pg_text_add(text, " and %ld b%u - %ld - %ld * (%s) <= x%u", own, d,
                    more.below, step.below, left, d);
        pg_text_add(text, " and x%u < %ld b%u + %ld + %ld + %ld * (%s)", d, own,
                    d, own, more.above, step.above, left);
    }
}

static __isl_give isl_map *read_map(const struct making *m,
                                    struct pg_text *text)
{
    char *string = pg_text_take(text);
    isl_map *map = isl_map_read_from_str(m->scop->ctx, string);

    free(string);
    return map;
}

/* { [t, x] -> [u, b] } for the instances of "stmt" that a block computes in
 * launch "part" of pair u.
 */
static __isl_give isl_map *in_launch(const struct making *m,
                                     const struct pg_reach_stmt *stmt,
                                     unsigned part)
{
    long h = m->tiles.steps;
    struct pg_text text = {0};
    char *left = pg_format("%ld u + %ld - t", 2 * h, h * part + h - 1);

    pg_text_add(&text, "{ [t, ");
    add_list(&text, "x", m->tiles.n_dim);
    pg_text_add(&text, "] -> [u, ");
    add_list(&text, "b", m->tiles.n_dim);
    pg_text_add(&text, "] : %ld u + %ld <= t < %ld u + %ld", 2 * h, h * part,
                2 * h, h * part + h);
    add_place(&text, m, stmt, left, false);
    pg_text_add(&text, " }");
    free(left);
    return read_map(m, &text);
}

/* { [x] -> [b] } for the elements that a block owns, or all that it has. */
static __isl_give isl_map *in_tile(const struct making *m, bool border)
{
    struct pg_text text = {0};

    pg_text_add(&text, "{ [");
    add_list(&text, "x", m->tiles.n_dim);
    pg_text_add(&text, "] -> [");
    add_list(&text, "b", m->tiles.n_dim);
    pg_text_add(&text, "] : true");
    add_place(&text, m, NULL, "0", border);
    pg_text_add(&text, " }");
    return read_map(m, &text);
}

/* { [u, b, x] -> [u, b, p] }: the place p of an element in what the block has.
 */
static __isl_give isl_map *placed(const struct making *m)
{
    struct pg_text text = {0};

    pg_text_add(&text, "{ [u, ");
    add_list(&text, "b", m->tiles.n_dim);
    pg_text_add(&text, ", ");
    add_list(&text, "x", m->tiles.n_dim);
    pg_text_add(&text, "] -> [u, ");
    add_list(&text, "b", m->tiles.n_dim);
    for (unsigned d = 0; d < m->tiles.n_dim; d++)
        pg_text_add(&text, ", x%u - %ld b%u + %ld", d, m->tiles.own[d], d,
                    m->tiles.more[d].below);
    pg_text_add(&text, "] }");
    return read_map(m, &text);
}

/* The pairs u with a launch "part", or for which that is the last launch, under
 * the parameters' "last" step.
 */
static __isl_give isl_set *pairs_with(const struct making *m, unsigned part,
                                      bool last)
{
    long h = m->tiles.steps;
    isl_map *map;
    char *text = last
                     ? pg_format("{ [l] -> [u] : 0 <= u and %ld u + %ld <= l < "
                                 "%ld u + %ld }",
                                 2 * h, h * part, 2 * h, h * part + h)
                     : pg_format("{ [l] -> [u] : 0 <= u and %ld u + %ld <= l }",
                                 2 * h, h * part);

    map = isl_map_read_from_str(m->scop->ctx, text);
    free(text);
    return isl_set_apply(isl_set_from_pw_aff(isl_pw_aff_copy(m->reach.last)),
                         map);
}

/* ---- What the time loop does with arrays ----------------------------------
 */

/* "set", { A[x] }, of the array without its name. */
static __isl_give isl_set *elements_of(const struct making *m,
                                       __isl_keep isl_union_set *sets,
                                       unsigned array)
{
    const struct pg_array *a = &m->scop->arrays[array];
    isl_space *space = isl_set_get_space(m->scop->context);
    isl_set *set;

    space = isl_space_set_from_params(space);
    space = isl_space_add_dims(space, isl_dim_set, a->n_dim);
    space = isl_space_set_tuple_name(space, isl_dim_set, a->name);
    set = isl_union_set_extract_set(sets, space);
    return pg_coalesce(isl_set_reset_tuple_id(set));
}

/* The instances of the first step. */
static __isl_give isl_union_set *first_step(const struct making *m)
{
    isl_union_set *all =
        isl_union_set_empty(isl_set_get_space(m->scop->context));

    for (unsigned s = 0; s < m->reach.n_stmt; s++) {
        isl_map *at =
            isl_map_intersect_domain(isl_map_copy(m->reach.stmt[s].at),
                                     isl_set_copy(m->scop->stmts[s].domain));

        at = isl_map_fix_si(at, isl_dim_out, 0, 0);
        all = isl_union_set_add_set(all, isl_map_domain(at));
    }
    return isl_union_set_intersect_params(all, isl_set_copy(m->scop->context));
}

/* Find what a step reads of array "a" before it writes it, which is what a
 * launch reads of what was there, and what a step writes.
 */
static void involve(struct making *m, unsigned a,
                    __isl_keep isl_union_set *step)
{
    isl_union_map *reads = isl_union_map_intersect_domain(
        pg_scop_accesses_of(m->scop, a, false), isl_union_set_copy(step));
    isl_union_map *writes = isl_union_map_intersect_domain(
        pg_scop_accesses_of(m->scop, a, true), isl_union_set_copy(step));
    isl_union_set *written = isl_union_map_range(isl_union_map_copy(writes));
    isl_union_set *read = isl_union_map_range(pg_unwritten_reads(
        reads, writes, isl_schedule_copy(m->scop->original)));
    struct involved *own;
    isl_bool apart;

    m->involved = pg_grow(m->involved, m->n_involved, sizeof(*m->involved));
    own = &m->involved[m->n_involved++];
    own->array = a;
    own->other = -1;
    own->read = elements_of(m, read, a);
    own->written = elements_of(m, written, a);
    apart = isl_set_is_disjoint(own->read, own->written);
    own->carried = apart == isl_bool_false;
    m->ok &= apart >= 0;
    isl_union_set_free(read);
    isl_union_set_free(written);
}

static void involve_all(struct making *m)
{
    isl_union_set *step = first_step(m);

    for (unsigned a = 0; m->ok && a < m->scop->n_array; a++)
        if (m->reach.written[a])
            involve(m, a, step);
    isl_union_set_free(step);
}

/* All elements that blocks own of "i". */
static __isl_give isl_set *owned(const struct involved *i)
{
    isl_set *all = isl_set_copy(i->written);

    if (i->carried)
        all = isl_set_union(all, isl_set_copy(i->read));
    return pg_coalesce(all);
}

/* The blocks that own anything, by dimension. */
static void find_blocks(struct making *m)
{
    isl_set *all = NULL;

    for (unsigned i = 0; i < m->n_involved; i++) {
        isl_set *one = owned(&m->involved[i]);

        all = all ? isl_set_union(all, one) : one;
    }
    all = isl_set_apply(all, in_tile(m, false));
    m->blocks = isl_set_universe(isl_set_get_space(all));
    for (unsigned d = 0; d < m->tiles.n_dim; d++) {
        isl_set *one = isl_set_project_out(isl_set_copy(all), isl_dim_set,
                                           d + 1, m->tiles.n_dim - d - 1);

        one = isl_set_project_out(one, isl_dim_set, 0, d);
        one = isl_set_from_basic_set(
            isl_set_simple_hull(isl_set_remove_divs(one)));
        one = isl_set_insert_dims(one, isl_dim_set, 0, d);
        one = isl_set_add_dims(one, isl_dim_set, m->tiles.n_dim - d - 1);
        m->blocks = isl_set_intersect(m->blocks, one);
    }
    isl_set_free(all);
}

/* ---- Arrays and statements ------------------------------------------------
 */

/* A temporary for "array", of the elements "set". */
static unsigned add_temporary(struct making *m, unsigned array,
                              const char *suffix, unsigned n_more,
                              __isl_take isl_set *set)
{
    isl_pw_aff **extents;

    set = isl_set_intersect_params(set, isl_set_copy(m->scop->context));
    extents = pg_set_extents(set);
    isl_set_free(set);
    m->ok &= extents != NULL;
    if (extents)
        pg_scop_add_temporary(m->made, array, suffix, n_more, extents);
    return m->made->n_array - 1;
}

/* { [u, b, p] }: all places of all blocks in launches "part". */
static __isl_give isl_set *all_places(const struct making *m, unsigned part)
{
    unsigned n = m->tiles.n_dim;
    isl_set *all = isl_set_flat_product(isl_set_copy(m->pairs[part]),
                                        isl_set_copy(m->blocks));

    all = isl_set_add_dims(all, isl_dim_set, n);
    for (unsigned d = 0; d < n; d++) {
        all = isl_set_lower_bound_si(all, isl_dim_set, 1 + n + d, 0);
        all = isl_set_upper_bound_si(all, isl_dim_set, 1 + n + d,
                                     (int)width(&m->tiles, d) - 1);
    }
    return all;
}

static void add_arrays(struct making *m)
{
    for (unsigned i = 0; m->ok && i < m->n_involved; i++) {
        struct involved *own = &m->involved[i];

        for (unsigned part = 0; m->ok && part < N_PART; part++) {
            own->tile[part] =
                add_temporary(m, own->array, part ? "odd" : "even",
                              1 + m->tiles.n_dim, all_places(m, part));
            m->made->arrays[own->tile[part]].of_block = m->ok;
        }
        if (m->ok && own->carried)
            own->other =
                (int)add_temporary(m, own->array, "other", 0, owned(own));
    }
}

/* The iterators from number "first" on, "n" of them, of a statement with
 * "domain": { S[i] -> [v] }.
 */
static __isl_give isl_map *iterators(__isl_keep isl_set *domain, unsigned first,
                                     unsigned n)
{
    isl_size all = isl_set_dim(domain, isl_dim_set);
    isl_multi_aff *ma =
        isl_space_identity_multi_aff_on_domain(isl_set_get_space(domain));

    ma = isl_multi_aff_drop_dims(ma, isl_dim_out, first + n,
                                 (unsigned)all - first - n);
    ma = isl_multi_aff_drop_dims(ma, isl_dim_out, 0, first);
    return isl_map_from_multi_aff(
        isl_multi_aff_reset_tuple_id(ma, isl_dim_out));
}

/* "element", { S[i] -> [x] }, in the tile of "array", of the statement with
 * "domain" and "role".
 */
static __isl_give isl_map *tile_access(const struct making *m,
                                       __isl_take isl_map *element,
                                       __isl_keep isl_set *domain,
                                       const struct role *role, unsigned array)
{
    isl_map *block = iterators(domain, role->first, 1 + m->tiles.n_dim);

    block = isl_map_flat_range_product(block, element);
    block = isl_map_apply_range(block, placed(m));
    return isl_map_set_tuple_name(block, isl_dim_out,
                                  m->made->arrays[array].name);
}

/* What is known of array "a", if the time loop writes it. */
static const struct involved *find_involved(const struct making *m, unsigned a)
{
    for (unsigned i = 0; i < m->n_involved; i++)
        if (m->involved[i].array == a)
            return &m->involved[i];
    return NULL;
}

/* Let "stmt" run statement "s" of the source in launches "part". */
static void take_part(struct making *m, struct pg_stmt *stmt, struct role *role,
                      unsigned s, unsigned part)
{
    const struct pg_stmt *source = &m->scop->stmts[s];
    isl_map *when = isl_map_intersect_domain(isl_map_copy(m->reach.stmt[s].at),
                                             isl_set_copy(source->domain));

    role->source = (int)s;
    role->first = (unsigned)isl_set_dim(source->domain, isl_dim_set);
    when = isl_map_apply_range(when, in_launch(m, &m->reach.stmt[s], part));
    when = isl_map_intersect_range(
        when, isl_set_flat_product(isl_set_copy(m->pairs[part]),
                                   isl_set_copy(m->blocks)));
    stmt->n_tile = 1 + m->tiles.n_dim;
    stmt->origin = source->origin;
    isl_set_free(stmt->domain);
    stmt->domain =
        isl_set_set_tuple_name(isl_set_flatten(isl_map_wrap(when)), stmt->name);
    for (unsigned a = 0; a < stmt->n_access; a++) {
        struct pg_access *access = &stmt->accesses[a];
        const struct involved *own = find_involved(m, access->array);
        isl_map *of_source = iterators(stmt->domain, 0, role->first);

        of_source =
            isl_map_set_tuple_name(of_source, isl_dim_out, source->name);
        access->relation = isl_map_apply_range(of_source, access->relation);
        if (!own)
            continue;
        access->array = own->tile[part];
        access->relation = tile_access(
            m, isl_map_reset_tuple_id(access->relation, isl_dim_out),
            stmt->domain, role, access->array);
    }
}

/* One more statement. */
static struct pg_stmt *add_stmt(struct making *m)
{
    m->roles = pg_grow(m->roles, m->made->n_stmt, sizeof(*m->roles));
    m->roles[m->made->n_stmt] = (struct role){0, -1};
    return pg_scop_add_stmt(m->made);
}

/* The odd part of statement "s". */
static void add_odd(struct making *m, unsigned s)
{
    const struct pg_stmt *source = &m->scop->stmts[s];
    struct pg_stmt *stmt = add_stmt(m);

    *stmt = *source;
    stmt->name = pg_format("%s_odd", source->name);
    stmt->domain = NULL;
    stmt->accesses = pg_alloc(source->n_access, sizeof(*stmt->accesses));
    for (unsigned a = 0; a < source->n_access; a++) {
        stmt->accesses[a] = source->accesses[a];
        stmt->accesses[a].relation = isl_map_copy(source->accesses[a].relation);
    }
    take_part(m, stmt, &m->roles[m->made->n_stmt - 1], s, 1);
}

/* Add a copy of { [u, b, x] } = "domain" between "array" and the tile "tile" of
 * it, to that if "in".
 */
static void add_copy(struct making *m, const char *what, unsigned array,
                     unsigned tile, bool in, __isl_take isl_set *domain)
{
    struct pg_stmt *stmt;
    isl_map *element, *whole;
    unsigned n = m->tiles.n_dim;

    if (isl_set_is_empty(domain) == isl_bool_true) {
        isl_set_free(domain);
        return;
    }
    stmt = add_stmt(m);
    stmt->copy = stmt->total = true;
    stmt->origin = m->made->n_stmt - 1;
    stmt->name = pg_format("%s%u", what, stmt->origin);
    stmt->domain = isl_set_set_tuple_name(domain, stmt->name);
    stmt->n_access = 2;
    stmt->accesses = pg_alloc(2, sizeof(*stmt->accesses));
    element = iterators(stmt->domain, 1 + n, n);
    whole = isl_map_set_tuple_name(isl_map_copy(element), isl_dim_out,
                                   m->made->arrays[array].name);
    element =
        tile_access(m, element, stmt->domain, &m->roles[stmt->origin], tile);
    stmt->accesses[0] = (struct pg_access){in ? array : tile, false, true,
                                           in ? whole : element};
    stmt->accesses[1] =
        (struct pg_access){in ? tile : array, true, true, in ? element : whole};
}

/* { [u, b, x] } for the elements x of "set" that the blocks have or own in the
 * launches "pairs".
 */
static __isl_give isl_set *moved(const struct making *m,
                                 __isl_take isl_set *set,
                                 __isl_keep isl_set *pairs, bool border)
{
    isl_map *map = isl_map_intersect_domain(in_tile(m, border), set);

    map = isl_map_reverse(map);
    map = isl_map_intersect_domain(map, isl_set_copy(m->blocks));
    return isl_set_flat_product(isl_set_copy(pairs),
                                isl_set_flatten(isl_map_wrap(map)));
}

/* The array that launches "part" load from, or store to. */
static unsigned side_of(const struct involved *i, unsigned part, bool store)
{
    return (part == 1) != store && i->carried ? (unsigned)i->other : i->array;
}

/* What a block of launches "part" loads; of its borders only, where the loop
 * overwrites the rest.
 */
static void add_loads(struct making *m, unsigned part)
{
    for (unsigned i = 0; m->ok && i < m->n_involved; i++) {
        const struct involved *own = &m->involved[i];

        add_copy(m, "load", side_of(own, part, false), own->tile[part], true,
                 moved(m, isl_set_copy(own->read), m->pairs[part], true));
    }
}

/* What it stores: for the next launch, or as a result. */
static void add_stores(struct making *m, unsigned part)
{
    for (unsigned i = 0; m->ok && i < m->n_involved; i++) {
        const struct involved *own = &m->involved[i];
        const struct pg_array *array = &m->scop->arrays[own->array];
        isl_set *set = part ? isl_set_copy(own->written) : owned(own);

        if (!own->carried && pg_array_stays(array))
            isl_set_free(set);
        else
            add_copy(
                m, "store", side_of(own, part, true), own->tile[part], false,
                moved(m, set, own->carried ? m->pairs[part] : m->last[part],
                      false));
    }
}

/* What an even launch stored last goes back. */
static void add_back(struct making *m)
{
    for (unsigned i = 0; m->ok && i < m->n_involved; i++) {
        const struct involved *own = &m->involved[i];
        struct pg_stmt *stmt;
        isl_map *element;

        if (!own->carried || pg_array_stays(&m->scop->arrays[own->array]))
            continue;
        stmt = add_stmt(m);
        stmt->copy = stmt->total = true;
        stmt->origin = m->made->n_stmt - 1;
        stmt->name = pg_format("back%u", stmt->origin);
        stmt->domain =
            isl_set_intersect_params(isl_set_copy(own->written),
                                     isl_set_params(isl_set_copy(m->last[0])));
        stmt->domain = isl_set_set_tuple_name(stmt->domain, stmt->name);
        element = iterators(stmt->domain, 0, m->tiles.n_dim);
        stmt->n_access = 2;
        stmt->accesses = pg_alloc(2, sizeof(*stmt->accesses));
        stmt->accesses[0] = (struct pg_access){
            (unsigned)own->other, false, true,
            isl_map_set_tuple_name(isl_map_copy(element), isl_dim_out,
                                   m->made->arrays[own->other].name)};
        stmt->accesses[1] = (struct pg_access){
            own->array, true, true,
            isl_map_set_tuple_name(element, isl_dim_out,
                                   m->made->arrays[own->array].name)};
    }
}

/* ---- The order ------------------------------------------------------------
 */

/* Output "d" of "map", which is a function, for a statement. */
static __isl_give isl_pw_aff *output(__isl_take isl_map *map, unsigned d)
{
    isl_pw_multi_aff *f = isl_pw_multi_aff_from_map(map);
    isl_pw_aff *value = isl_pw_multi_aff_get_pw_aff(f, (int)d);

    isl_pw_multi_aff_free(f);
    return value;
}

/* A band of "n" values of statement number "s" alone, around nothing, for its
 * instances.
 */
static __isl_give isl_schedule *sweep(const struct making *m, unsigned s)
{
    const struct pg_stmt *stmt = &m->made->stmts[s];
    const struct role *role = &m->roles[s];
    unsigned n = m->tiles.n_dim;
    isl_map *place;
    isl_multi_union_pw_aff *band;
    isl_pw_multi_aff *f;

    if (role->source >= 0) {
        isl_map *at = isl_map_copy(m->reach.stmt[role->source].at);
        isl_map *of_source = iterators(stmt->domain, 0, role->first);

        of_source = isl_map_set_tuple_id(of_source, isl_dim_out,
                                         isl_map_get_tuple_id(at, isl_dim_in));
        place = isl_map_apply_range(of_source,
                                    isl_map_project_out(at, isl_dim_out, 0, 1));
    } else {
        place = iterators(stmt->domain, 1 + n, n);
    }
    place = isl_map_flat_range_product(
        iterators(stmt->domain, role->first, 1 + n), place);
    place = isl_map_apply_range(place, placed(m));
    place = isl_map_project_out(place, isl_dim_out, 0, 1 + n);
    f = isl_pw_multi_aff_from_map(place);
    band = isl_multi_union_pw_aff_from_union_pw_multi_aff(
        isl_union_pw_multi_aff_from_pw_multi_aff(f));
    return isl_schedule_insert_partial_schedule(
        isl_schedule_from_domain(
            isl_union_set_from_set(isl_set_copy(stmt->domain))),
        band);
}

/* "first", then "second"; either may be NULL for nothing. */
static __isl_give isl_schedule *then(__isl_take isl_schedule *first,
                                     __isl_take isl_schedule *second)
{
    return !first    ? second
           : !second ? first
                     : isl_schedule_sequence(first, second);
}

/* The sweeps of statements "from" to "to" - 1, one after the other. */
static __isl_give isl_schedule *sweeps(const struct making *m, unsigned from,
                                       unsigned to)
{
    isl_schedule *all = NULL;

    for (unsigned s = from; s < to; s++)
        all = then(all, sweep(m, s));
    return all;
}

/* The loop over iterators from number "skip" behind the roles' first one on, of
 * all statements of "tree", "n" of them, around that.
 */
static __isl_give isl_schedule *around(const struct making *m,
                                       __isl_take isl_schedule *tree,
                                       unsigned skip, unsigned n)
{
    isl_union_set *domain = isl_schedule_get_domain(tree);
    isl_union_pw_aff_list *list =
        isl_union_pw_aff_list_alloc(m->scop->ctx, (int)n);

    for (unsigned d = 0; d < n; d++) {
        isl_union_pw_aff *all = NULL;

        for (unsigned s = 0; s < m->made->n_stmt; s++) {
            isl_set *own = isl_union_set_extract_set(
                domain, isl_set_get_space(m->made->stmts[s].domain));
            bool none = isl_set_is_empty(own) != isl_bool_false;
            isl_pw_aff *value;

            isl_set_free(own);
            if (none)
                continue;
            value = output(iterators(m->made->stmts[s].domain,
                                     m->roles[s].first + skip + d, 1),
                           0);
            all = all ? isl_union_pw_aff_add_pw_aff(all, value)
                      : isl_union_pw_aff_from_pw_aff(value);
        }
        list = isl_union_pw_aff_list_add(list, all);
    }
    isl_union_set_free(domain);
    return pg_tree_band(tree, list, n > 1, NULL);
}

/* The loop over the steps of a launch around the sweeps of the source's
 * statements, which are "tree".
 */
static __isl_give isl_schedule *stepped(const struct making *m,
                                        __isl_take isl_schedule *tree)
{
    isl_union_set *domain = isl_schedule_get_domain(tree);
    isl_union_pw_aff *all = NULL;

    for (unsigned s = 0; s < m->made->n_stmt; s++) {
        const struct role *role = &m->roles[s];
        isl_set *own = isl_union_set_extract_set(
            domain, isl_set_get_space(m->made->stmts[s].domain));
        bool none = isl_set_is_empty(own) != isl_bool_false;
        isl_map *of_source, *at;
        isl_pw_aff *value;

        isl_set_free(own);
        if (none)
            continue;
        at = isl_map_copy(m->reach.stmt[role->source].at);
        of_source = iterators(m->made->stmts[s].domain, 0, role->first);
        of_source = isl_map_set_tuple_id(of_source, isl_dim_out,
                                         isl_map_get_tuple_id(at, isl_dim_in));
        value = output(isl_map_apply_range(of_source, at), 0);
        all = all ? isl_union_pw_aff_add_pw_aff(all, value)
                  : isl_union_pw_aff_from_pw_aff(value);
    }
    isl_union_set_free(domain);
    return pg_tree_band(tree, isl_union_pw_aff_list_from_union_pw_aff(all),
                        false, NULL);
}

/* Make all statements, and their order. */
static __isl_give isl_schedule *make_order(struct making *m)
{
    unsigned n = m->scop->n_stmt;
    isl_schedule *pair = NULL, *end;

    for (unsigned part = 0; part < N_PART; part++) {
        unsigned first = part ? m->made->n_stmt : 0, loads, stores;
        isl_schedule *tree;

        for (unsigned s = 0; s < n; s++)
            if (part)
                add_odd(m, s);
            else
                take_part(m, &m->made->stmts[s], &m->roles[s], s, part);
        loads = m->made->n_stmt;
        add_loads(m, part);
        stores = m->made->n_stmt;
        add_stores(m, part);
        tree = then(sweeps(m, loads, stores),
                    stepped(m, sweeps(m, first, first + n)));
        tree = then(tree, sweeps(m, stores, m->made->n_stmt));
        pair = then(pair, around(m, tree, 1, m->tiles.n_dim));
    }
    pair = around(m, pair, 0, 1);
    n = m->made->n_stmt;
    add_back(m);
    end = NULL;
    for (unsigned s = n; s < m->made->n_stmt; s++)
        end = then(end, pg_tree_scan(isl_set_copy(m->made->stmts[s].domain)));
    return then(pair, end);
}

/* "set" without what is known of parameters. */
static __isl_give isl_set *beyond_context(const struct making *m,
                                          __isl_take isl_set *set)
{
    return pg_coalesce(
        isl_set_gist_params(set, isl_set_copy(m->made->context)));
}

/* Have all sets be as simple as they can: of the context, of which the variant
 * knows less, only what all its parts have in common counts.
 */
static void simplify(struct making *m)
{
    m->made->context = isl_set_from_basic_set(
        isl_set_simple_hull(isl_set_remove_divs(m->made->context)));
    m->blocks = beyond_context(m, m->blocks);
    for (unsigned part = 0; part < N_PART; part++) {
        m->pairs[part] = beyond_context(m, m->pairs[part]);
        m->last[part] = beyond_context(m, m->last[part]);
    }
    for (unsigned i = 0; i < m->n_involved; i++) {
        m->involved[i].read = beyond_context(m, m->involved[i].read);
        m->involved[i].written = beyond_context(m, m->involved[i].written);
    }
}

/* Make the variant; false after an error. */
static bool make(struct making *m)
{
    for (unsigned s = 0; s < m->scop->n_stmt; s++)
        m->roles = pg_grow(m->roles, s, sizeof(*m->roles));
    for (unsigned part = 0; part < N_PART; part++) {
        m->pairs[part] = pairs_with(m, part, false);
        m->last[part] = pairs_with(m, part, true);
    }
    find_blocks(m);
    simplify(m);
    add_arrays(m);
    if (!m->ok)
        return false;
    isl_schedule_free(m->made->original);
    m->made->original = make_order(m);
    return m->ok && m->made->original;
}

static void clear(struct making *m)
{
    for (unsigned i = 0; i < m->n_involved; i++) {
        isl_set_free(m->involved[i].read);
        isl_set_free(m->involved[i].written);
    }
    free(m->involved);
    free(m->roles);
    for (unsigned part = 0; part < N_PART; part++) {
        isl_set_free(m->pairs[part]);
        isl_set_free(m->last[part]);
    }
    isl_set_free(m->blocks);
    pg_reach_clear(&m->reach);
}

/* A copy of "scop", which has its dependences, with several steps of its time
 * loop in overlapping tiles, with the user's "sizes" if these are for them.
 * NULL if it is no such loop, or tiles would not be better than sweeps unless
 * they are "forced", or after an error of isl.
 */
struct pg_scop *pg_scop_overlap(const struct pg_scop *scop, const char *sizes,
                                bool forced)
{
    struct making m = {.scop = scop, .ok = true};
    bool done = pg_reach_find(&m.reach, scop);

    if (done)
        involve_all(&m);
    done = done && m.ok && choose(&m, sizes, forced);
    if (done) {
        m.made = pg_scop_copy(scop);
        done = make(&m);
    }
    clear(&m);
    if (done)
        return m.made;
    pg_scop_free(m.made);
    return NULL;
}
