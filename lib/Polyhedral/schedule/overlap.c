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
#include "polygpu/polyhedral.h"
#include "schedule/expand.h"
#include "schedule/overlap_tiles.h"
#include "schedule/reach.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/coalesce.h"
#include "support/text.h"

#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

/* Even and odd launches; what copies back behind them; other statements. */
enum { N_PART = 2, BACK = N_PART, OUTSIDE };

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
    unsigned part;  /* even or odd launches, or BACK, or OUTSIDE */
    unsigned first; /* iterator: the pair of launches, and then the tile's */
    int source;     /* a statement of the source, or -1: a copy */
};

struct making {
    const struct pg_scop *scop;
    struct pg_scop *made;
    struct pg_reach reach;
    struct pg_overlap_tiles tiles;
    unsigned n_involved;
    struct involved *involved;
    struct role *roles;     /* by statement of what is made */
    isl_set *pairs[N_PART]; /* { [u] } with such a launch */
    isl_set *last[N_PART];  /* that is the last one of all */
    isl_set *blocks;        /* { [b] } */
    bool ok;
};

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
static __isl_give isl_map *in_box(const struct making *m)
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

/* Those of "sets" in "array", without its name. */
static __isl_give isl_set *elements_of(const struct making *m,
                                       __isl_keep isl_union_set *sets,
                                       unsigned array)
{
    isl_set *set = pg_scop_elements(m->scop, sets, array);

    return pg_coalesce(isl_set_reset_tuple_id(set));
}

/* The instances of the first step. */
static __isl_give isl_union_set *first_step(const struct making *m)
{
    isl_union_set *all =
        isl_union_set_empty(isl_set_get_space(m->scop->context));

    for (unsigned s = 0; s < m->reach.n_stmt; s++) {
        isl_map *at;

        if (!pg_reach_has(&m->reach, s))
            continue;
        at = isl_map_intersect_domain(isl_map_copy(m->reach.stmt[s].at),
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

/* One piece around "set", { [b] }; where its pieces share no bound, one that
 * holds by what the types of parameters imply.  How many blocks there are is
 * known by the elements that they own.
 */
static __isl_give isl_set *around_all(const struct making *m,
                                      __isl_take isl_set *set)
{
    isl_set *hull =
        isl_set_from_basic_set(isl_set_simple_hull(isl_set_copy(set)));

    if (m->scop->types &&
        isl_set_dim_has_upper_bound(hull, isl_dim_set, 0) == isl_bool_false) {
        isl_set_free(hull);
        set = isl_set_intersect_params(set, isl_set_copy(m->scop->types));
        hull = isl_set_from_basic_set(isl_set_simple_hull(isl_set_copy(set)));
        hull = isl_set_gist_params(hull, isl_set_copy(m->scop->types));
    }
    isl_set_free(set);
    return hull;
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
        one = around_all(m, isl_set_remove_divs(one));
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
                                     (int)pg_overlap_width(&m->tiles, d) - 1);
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

/* Where "element", { S[i] -> [x] }, is in the tile of statement number "s":
 * { S[i] -> [u, b, p] }.
 */
static __isl_give isl_map *tile_place(const struct making *m,
                                      __isl_take isl_map *element, unsigned s)
{
    isl_map *tile = iterators(m->made->stmts[s].domain, m->roles[s].first,
                              1 + m->tiles.n_dim);

    return isl_map_apply_range(isl_map_flat_range_product(tile, element),
                               in_box(m));
}

/* The access to what "element", { S[i] -> [x] }, says of "array". */
static struct pg_access access_to(const struct making *m, unsigned array,
                                  bool write, __isl_take isl_map *element)
{
    return (struct pg_access){
        array, write, true,
        isl_map_set_tuple_name(element, isl_dim_out,
                               m->made->arrays[array].name),
        false};
}

/* What is known of array "a", if the time loop writes it. */
static const struct involved *find_involved(const struct making *m, unsigned a)
{
    for (unsigned i = 0; i < m->n_involved; i++)
        if (m->involved[i].array == a)
            return &m->involved[i];
    return NULL;
}

/* The instance of the source that one of statement "s" is, { S[i, u, b] ->
 * T[i] }.
 */
static __isl_give isl_map *of_source(const struct making *m, unsigned s)
{
    const struct role *role = &m->roles[s];

    return isl_map_set_tuple_name(
        iterators(m->made->stmts[s].domain, 0, role->first), isl_dim_out,
        m->scop->stmts[role->source].name);
}

/* Let statement "number" run statement "s" of the source in launches "part". */
static void take_part(struct making *m, unsigned number, unsigned s,
                      unsigned part)
{
    const struct pg_stmt *source = &m->scop->stmts[s];
    struct pg_stmt *stmt = &m->made->stmts[number];
    struct role *role = &m->roles[number];
    isl_map *when = isl_map_intersect_domain(isl_map_copy(m->reach.stmt[s].at),
                                             isl_set_copy(source->domain));

    role->part = part;
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

        access->relation =
            isl_map_apply_range(of_source(m, number), access->relation);
        if (!own)
            continue;
        *access = access_to(
            m, own->tile[part], access->write,
            tile_place(m, isl_map_reset_tuple_id(access->relation, isl_dim_out),
                       number));
    }
}

/* One more statement in launches "part". */
static struct pg_stmt *add_stmt(struct making *m, unsigned part)
{
    m->roles = pg_grow(m->roles, m->made->n_stmt, sizeof(*m->roles));
    m->roles[m->made->n_stmt] = (struct role){part, 0, -1};
    return pg_scop_add_stmt(m->made);
}

/* The odd part of statement "s". */
static void add_odd(struct making *m, unsigned s)
{
    const struct pg_stmt *source = &m->scop->stmts[s];
    struct pg_stmt *stmt = add_stmt(m, 1);

    *stmt = pg_stmt_copy(source);
    free(stmt->name);
    stmt->name = pg_format("%s_odd", source->name);
    take_part(m, m->made->n_stmt - 1, s, 1);
}

/* Add a copy in launches "part" for the instances "domain", whose accesses are
 * still to be set.
 */
static struct pg_stmt *add_copy(struct making *m, const char *what,
                                unsigned part, __isl_take isl_set *domain)
{
    struct pg_stmt *stmt = add_stmt(m, part);

    stmt->kind = PG_STMT_COPY;
    stmt->total = true;
    stmt->origin = m->made->n_stmt - 1;
    stmt->name = pg_format("%s%u", what, stmt->origin);
    stmt->domain = isl_set_set_tuple_name(domain, stmt->name);
    stmt->n_access = 2;
    stmt->accesses = pg_alloc(2, sizeof(*stmt->accesses));
    return stmt;
}

/* Add a copy of the elements { [u, b, x] } = "domain" between "array" and its
 * tile in launches "part", to that if "in".
 */
static void add_move(struct making *m, unsigned array,
                     const struct involved *own, unsigned part, bool in,
                     __isl_take isl_set *domain)
{
    unsigned tile = own->tile[part], n = m->tiles.n_dim;
    isl_map *element, *placed;
    struct pg_stmt *stmt;

    if (isl_set_is_empty(domain) == isl_bool_true) {
        isl_set_free(domain);
        return;
    }
    stmt = add_copy(m, in ? "load" : "store", part, domain);
    element = iterators(stmt->domain, 1 + n, n);
    placed = tile_place(m, isl_map_copy(element), m->made->n_stmt - 1);
    stmt->accesses[0] = in ? access_to(m, array, false, element)
                           : access_to(m, tile, false, placed);
    stmt->accesses[1] = in ? access_to(m, tile, true, placed)
                           : access_to(m, array, true, element);
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

/* Are values of what "i" is about needed after the time loop? */
static bool lives_on(const struct making *m, const struct involved *i)
{
    bool used = !pg_array_stays(&m->scop->arrays[i->array]);

    for (unsigned s = 0; !used && s < m->scop->n_stmt; s++)
        for (unsigned a = 0; !used && a < m->scop->stmts[s].n_access; a++)
            used = m->reach.stmt[s].side == PG_BEHIND &&
                   m->scop->stmts[s].accesses[a].array == i->array;
    return used;
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

        add_move(m, side_of(own, part, false), own, part, true,
                 moved(m, isl_set_copy(own->read), m->pairs[part], true));
    }
}

/* What it stores: for the next launch, or as a result. */
static void add_stores(struct making *m, unsigned part)
{
    for (unsigned i = 0; m->ok && i < m->n_involved; i++) {
        const struct involved *own = &m->involved[i];
        isl_set *set = part ? isl_set_copy(own->written) : owned(own);

        if (!own->carried && !lives_on(m, own))
            isl_set_free(set);
        else
            add_move(m, side_of(own, part, true), own, part, false,
                     moved(m, set,
                           own->carried ? m->pairs[part] : m->last[part],
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

        if (!own->carried || !lives_on(m, own))
            continue;
        stmt = add_copy(
            m, "back", BACK,
            isl_set_intersect_params(isl_set_copy(own->written),
                                     isl_set_params(isl_set_copy(m->last[0]))));
        element = iterators(stmt->domain, 0, m->tiles.n_dim);
        stmt->accesses[0] =
            access_to(m, (unsigned)own->other, false, isl_map_copy(element));
        stmt->accesses[1] = access_to(m, own->array, true, element);
    }
}

/* ---- The order ------------------------------------------------------------
 */

/* { S[i] -> [x] }: the element that an instance of statement number "s" is
 * about.
 */
static __isl_give isl_map *place_of(const struct making *m, unsigned s)
{
    const struct role *role = &m->roles[s];
    isl_map *at;

    if (role->source < 0)
        return iterators(m->made->stmts[s].domain, 1 + m->tiles.n_dim,
                         m->tiles.n_dim);
    at = isl_map_copy(m->reach.stmt[role->source].at);
    return isl_map_apply_range(of_source(m, s),
                               isl_map_project_out(at, isl_dim_out, 0, 1));
}

/* { S[i] -> [t] }: the step of an instance of statement number "s". */
static __isl_give isl_map *step_of(const struct making *m, unsigned s)
{
    isl_map *at = isl_map_copy(m->reach.stmt[m->roles[s].source].at);

    at = isl_map_project_out(at, isl_dim_out, 1, m->tiles.n_dim);
    return isl_map_apply_range(of_source(m, s), at);
}

/* A sweep of statement number "s": its instances by their place in the tile. */
static __isl_give isl_schedule *sweep(const struct making *m, unsigned s)
{
    const struct pg_stmt *stmt = &m->made->stmts[s];
    isl_map *place = tile_place(m, place_of(m, s), s);
    isl_multi_union_pw_aff *band;
    isl_pw_multi_aff *f;

    place = isl_map_project_out(place, isl_dim_out, 0, 1 + m->tiles.n_dim);
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
        if (m->roles[s].part != OUTSIDE)
            all = then(all, sweep(m, s));
    return all;
}

/* "value", { S[i] -> [v] }, and those of "others". */
static __isl_give isl_union_pw_aff *
with_value(__isl_take isl_union_pw_aff *others, __isl_take isl_map *value)
{
    isl_pw_multi_aff *f = isl_pw_multi_aff_from_map(value);
    isl_pw_aff *one = isl_pw_multi_aff_get_pw_aff(f, 0);

    isl_pw_multi_aff_free(f);
    return others ? isl_union_pw_aff_add_pw_aff(others, one)
                  : isl_union_pw_aff_from_pw_aff(one);
}

/* The loop over the steps of a launch around "tree", the sweeps of statements
 * "from" to "to" - 1, which are the source's.
 */
static __isl_give isl_schedule *around_steps(const struct making *m,
                                             __isl_take isl_schedule *tree,
                                             unsigned from, unsigned to)
{
    isl_union_pw_aff *all = NULL;

    for (unsigned s = from; s < to; s++)
        if (m->roles[s].part != OUTSIDE)
            all = with_value(all, step_of(m, s));
    return pg_tree_band(tree, isl_union_pw_aff_list_from_union_pw_aff(all),
                        false, NULL);
}

/* The loops over "n" iterators of launches and tiles from number "skip" on,
 * around "tree", which is launches "part", or N_PART: both.
 */
static __isl_give isl_schedule *around(const struct making *m,
                                       __isl_take isl_schedule *tree,
                                       unsigned part, unsigned skip, unsigned n)
{
    isl_union_pw_aff_list *list =
        isl_union_pw_aff_list_alloc(m->scop->ctx, (int)n);

    for (unsigned d = 0; d < n; d++) {
        isl_union_pw_aff *all = NULL;

        for (unsigned s = 0; s < m->made->n_stmt; s++)
            if (m->roles[s].part == part ||
                (part == N_PART && m->roles[s].part < N_PART))
                all =
                    with_value(all, iterators(m->made->stmts[s].domain,
                                              m->roles[s].first + skip + d, 1));
        list = isl_union_pw_aff_list_add(list, all);
    }
    return pg_tree_band(tree, list, n > 1, NULL);
}

/* Is there one tile in dimension "d", whatever the parameters are? */
static bool is_one_tile(const struct making *m, unsigned d)
{
    isl_set *one = isl_set_copy(m->blocks);
    bool is;

    one = isl_set_project_out(one, isl_dim_set, d + 1, m->tiles.n_dim - d - 1);
    one = isl_set_project_out(one, isl_dim_set, 0, d);
    is = isl_set_is_singleton(one) == isl_bool_true;
    isl_set_free(one);
    return is;
}

/* The loops over the tiles of launches "part" around "tree": one that has a
 * single tile would be none whose iterations are parallel.
 */
static __isl_give isl_schedule *around_tiles(const struct making *m,
                                             __isl_take isl_schedule *tree,
                                             unsigned part)
{
    unsigned first = 0, n = m->tiles.n_dim;

    while (n > 0 && is_one_tile(m, n - 1))
        n--;
    while (first < n && is_one_tile(m, first))
        first++;
    return around(m, tree, part, 1 + first, n - first);
}

/* Make the statements of launches "part", and their order. */
static __isl_give isl_schedule *make_launches(struct making *m, unsigned part)
{
    unsigned n = m->scop->n_stmt, first = part ? m->made->n_stmt : 0;
    unsigned loads, stores;
    isl_schedule *tree;

    for (unsigned s = 0; s < n; s++)
        if (!pg_reach_has(&m->reach, s))
            m->roles[s].part = OUTSIDE;
        else if (part)
            add_odd(m, s);
        else
            take_part(m, s, s, part);
    n = part ? m->made->n_stmt : n;
    loads = m->made->n_stmt;
    add_loads(m, part);
    stores = m->made->n_stmt;
    add_stores(m, part);
    tree = then(sweeps(m, loads, stores),
                around_steps(m, sweeps(m, first, n), first, n));
    tree = then(tree, sweeps(m, stores, m->made->n_stmt));
    return around_tiles(m, tree, part);
}

/* The statements on that side of the time loop, in the order of their schedule,
 * or NULL if there are none.
 */
static __isl_give isl_schedule *beside(const struct making *m,
                                       enum pg_side side)
{
    isl_union_set *all =
        isl_union_set_empty(isl_set_get_space(m->scop->context));
    isl_schedule_node *root;
    isl_schedule *tree = NULL;

    for (unsigned s = 0; s < m->scop->n_stmt; s++)
        if (m->reach.stmt[s].side == side)
            all = isl_union_set_add_set(all,
                                        isl_set_copy(m->scop->stmts[s].domain));
    if (isl_union_set_is_empty(all) == isl_bool_false) {
        root = isl_schedule_get_root(m->scop->schedule);
        tree = pg_tree_subtree(root, isl_union_set_copy(all));
        isl_schedule_node_free(root);
    }
    isl_union_set_free(all);
    return tree;
}

/* Make all statements, and their order. */
static __isl_give isl_schedule *make_order(struct making *m)
{
    isl_schedule *pair = make_launches(m, 0), *end = NULL;
    unsigned n;

    pair = around(m, then(pair, make_launches(m, 1)), N_PART, 0, 1);
    n = m->made->n_stmt;
    add_back(m);
    for (unsigned s = n; s < m->made->n_stmt; s++)
        end = then(end, pg_tree_scan(isl_set_copy(m->made->stmts[s].domain)));
    end = then(end, beside(m, PG_BEHIND));
    return then(beside(m, PG_BEFORE), then(pair, end));
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
    if (m->scop->types)
        m->made->context =
            isl_set_intersect(m->made->context, isl_set_copy(m->scop->types));
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
    if (isl_set_is_singleton(m->blocks) != isl_bool_false)
        return false;
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

/* Choose the tiles; false if there are none that are good enough. */
static bool choose(struct making *m, const char *sizes, bool forced)
{
    bool *carried = pg_alloc(m->scop->n_array, sizeof(*carried));
    bool some;

    for (unsigned i = 0; i < m->n_involved; i++)
        carried[m->involved[i].array] = m->involved[i].carried;
    some = pg_overlap_choose(&m->tiles, m->scop, &m->reach, carried, sizes,
                             forced);
    free(carried);
    return some;
}

/* A copy of "scop", which has its dependences and a schedule, with several
 * steps of its first time loop in overlapping tiles, with the user's "sizes" if
 * these are for them. NULL if it is no such loop, or tiles would not be better
 * than sweeps unless they are "forced", or after an error of isl.
 */
struct pg_scop *pg_scop_overlap(const struct pg_scop *scop, const char *sizes,
                                bool forced)
{
    struct making m = {.scop = scop, .ok = true};
    // An instance in several tiles would update several times.
    bool done = !pg_scop_has_updates(scop) && pg_reach_find(&m.reach, scop);

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
