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
 * With tiles.stream, planes of the first dimension come one after the other
 * (overlap_order.c), and shared memory has only those that are needed at a
 * time. What is accessed of plane x lies between iterations x + load and x +
 * last (pg_reach_planes), so that of two planes that are last - load + 1 apart
 * or more the first one is done with in an earlier iteration than that in which
 * the other one is begun, and each iteration has a barrier (map/nested.c).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/overlap.h"
#include "dependence/dependences.h"
#include "polygpu/polyhedral.h"
#include "schedule/expand.h"
#include "schedule/overlap_order.h"
#include "schedule/overlap_parts.h"
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

/* ---- What the time loop does with arrays ----------------------------------
 */

/* Those of "sets" in "array", without its name. */
static __isl_give isl_set *elements_of(const struct pg_overlapping *m,
                                       __isl_keep isl_union_set *sets,
                                       unsigned array)
{
    isl_set *set = pg_scop_elements(m->scop, sets, array);

    return pg_coalesce(isl_set_reset_tuple_id(set));
}

/* The instances of the first step. */
static __isl_give isl_union_set *first_step(const struct pg_overlapping *m)
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
static void involve(struct pg_overlapping *m, unsigned a,
                    __isl_keep isl_union_set *step)
{
    isl_union_map *reads = isl_union_map_intersect_domain(
        pg_scop_accesses_of(m->scop, a, false), isl_union_set_copy(step));
    isl_union_map *writes = isl_union_map_intersect_domain(
        pg_scop_accesses_of(m->scop, a, true), isl_union_set_copy(step));
    isl_union_set *written = isl_union_map_range(isl_union_map_copy(writes));
    isl_union_set *read = isl_union_map_range(pg_unwritten_reads(
        reads, writes, isl_schedule_copy(m->scop->original)));
    struct pg_involved *own;
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

static void involve_all(struct pg_overlapping *m)
{
    isl_union_set *step = first_step(m);

    for (unsigned a = 0; m->ok && a < m->scop->n_array; a++)
        if (m->reach.written[a])
            involve(m, a, step);
    isl_union_set_free(step);
}

/* All elements that blocks own of "i". */
static __isl_give isl_set *owned(const struct pg_involved *i)
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
static __isl_give isl_set *around_all(const struct pg_overlapping *m,
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
static void find_blocks(struct pg_overlapping *m)
{
    isl_set *all = NULL;

    for (unsigned i = 0; i < m->n_involved; i++) {
        isl_set *one = owned(&m->involved[i]);

        all = all ? isl_set_union(all, one) : one;
    }
    all = isl_set_apply(all, pg_overlap_in_tile(m, false));
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
static unsigned add_temporary(struct pg_overlapping *m, unsigned array,
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
static __isl_give isl_set *all_places(const struct pg_overlapping *m,
                                      unsigned part)
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

/* Where planes of the array are that come one after the other. */
static struct pg_planes planes_of(const struct pg_overlapping *m,
                                  const struct pg_involved *i)
{
    return pg_reach_planes(&m->reach, m->scop, i->array, m->tiles.steps);
}

static void add_arrays(struct pg_overlapping *m)
{
    for (unsigned i = 0; m->ok && i < m->n_involved; i++) {
        struct pg_involved *own = &m->involved[i];

        for (unsigned part = 0; m->ok && part < PG_LAUNCHES; part++) {
            own->tile[part] =
                add_temporary(m, own->array, part ? "odd" : "even",
                              1 + m->tiles.n_dim, all_places(m, part));
            m->made->arrays[own->tile[part]].of_block = m->ok;
            m->made->arrays[own->tile[part]].plane = 1 + m->tiles.n_dim;
            if (m->tiles.stream)
                m->made->arrays[own->tile[part]].planes =
                    (unsigned)planes_of(m, own).n;
        }
        if (m->ok && own->carried)
            own->other =
                (int)add_temporary(m, own->array, "other", 0, owned(own));
    }
}

/* The access to what "element", { S[i] -> [x] }, says of "array". */
static struct pg_access access_to(const struct pg_overlapping *m,
                                  unsigned array, bool write,
                                  __isl_take isl_map *element)
{
    return (struct pg_access){
        array, write, true,
        isl_map_set_tuple_name(element, isl_dim_out,
                               m->made->arrays[array].name),
        false};
}

/* What is known of array "a", if the time loop writes it. */
static const struct pg_involved *find_involved(const struct pg_overlapping *m,
                                               unsigned a)
{
    for (unsigned i = 0; i < m->n_involved; i++)
        if (m->involved[i].array == a)
            return &m->involved[i];
    return NULL;
}

/* Let statement "number" run statement "s" of the source in launches "part". */
static void take_part(struct pg_overlapping *m, unsigned number, unsigned s,
                      unsigned part)
{
    const struct pg_stmt *source = &m->scop->stmts[s];
    struct pg_stmt *stmt = &m->made->stmts[number];
    struct pg_role *role = &m->roles[number];
    isl_map *when = isl_map_intersect_domain(isl_map_copy(m->reach.stmt[s].at),
                                             isl_set_copy(source->domain));

    role->part = part;
    role->source = (int)s;
    role->first = (unsigned)isl_set_dim(source->domain, isl_dim_set);
    when = isl_map_apply_range(
        when, pg_overlap_in_launch(m, &m->reach.stmt[s], part));
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
        const struct pg_involved *own = find_involved(m, access->array);

        access->relation =
            isl_map_apply_range(pg_overlap_source(m, number), access->relation);
        if (!own)
            continue;
        *access = access_to(
            m, own->tile[part], access->write,
            pg_overlap_place(
                m, isl_map_reset_tuple_id(access->relation, isl_dim_out),
                number));
    }
}

/* One more statement in launches "part". */
static struct pg_stmt *add_stmt(struct pg_overlapping *m, unsigned part)
{
    m->roles = pg_grow(m->roles, m->made->n_stmt, sizeof(*m->roles));
    m->roles[m->made->n_stmt] = (struct pg_role){part, 0, -1, 0};
    return pg_scop_add_stmt(m->made);
}

/* The odd part of statement "s". */
static void add_odd(struct pg_overlapping *m, unsigned s)
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
static struct pg_stmt *add_copy(struct pg_overlapping *m, const char *what,
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
static void add_move(struct pg_overlapping *m, unsigned array,
                     const struct pg_involved *own, unsigned part, bool in,
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
    element = pg_overlap_iterators(stmt->domain, 1 + n, n);
    placed = pg_overlap_place(m, isl_map_copy(element), m->made->n_stmt - 1);
    stmt->accesses[0] = in ? access_to(m, array, false, element)
                           : access_to(m, tile, false, placed);
    stmt->accesses[1] = in ? access_to(m, tile, true, placed)
                           : access_to(m, array, true, element);
    m->roles[m->made->n_stmt - 1].behind =
        in ? planes_of(m, own).load : planes_of(m, own).store;
}

/* { [u, b, x] } for the elements x of "set" that the blocks have or own in the
 * launches "pairs".
 */
static __isl_give isl_set *moved(const struct pg_overlapping *m,
                                 __isl_take isl_set *set,
                                 __isl_keep isl_set *pairs, bool border)
{
    isl_map *map = isl_map_intersect_domain(pg_overlap_in_tile(m, border), set);

    map = isl_map_reverse(map);
    map = isl_map_intersect_domain(map, isl_set_copy(m->blocks));
    return isl_set_flat_product(isl_set_copy(pairs),
                                isl_set_flatten(isl_map_wrap(map)));
}

/* Are values of what "i" is about needed after the time loop? */
static bool lives_on(const struct pg_overlapping *m,
                     const struct pg_involved *i)
{
    bool used = !pg_array_stays(&m->scop->arrays[i->array]);

    for (unsigned s = 0; !used && s < m->scop->n_stmt; s++)
        for (unsigned a = 0; !used && a < m->scop->stmts[s].n_access; a++)
            used = m->reach.stmt[s].side == PG_BEHIND &&
                   m->scop->stmts[s].accesses[a].array == i->array;
    return used;
}

/* The array that launches "part" load from, or store to. */
static unsigned side_of(const struct pg_involved *i, unsigned part, bool store)
{
    return (part == 1) != store && i->carried ? (unsigned)i->other : i->array;
}

/* What a block of launches "part" loads; of its borders only, where the loop
 * overwrites the rest.
 */
static void add_loads(struct pg_overlapping *m, unsigned part)
{
    for (unsigned i = 0; m->ok && i < m->n_involved; i++) {
        const struct pg_involved *own = &m->involved[i];

        add_move(m, side_of(own, part, false), own, part, true,
                 moved(m, isl_set_copy(own->read), m->pairs[part], true));
    }
}

/* What it stores: for the next launch, or as a result. */
static void add_stores(struct pg_overlapping *m, unsigned part)
{
    for (unsigned i = 0; m->ok && i < m->n_involved; i++) {
        const struct pg_involved *own = &m->involved[i];
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
static void add_back(struct pg_overlapping *m)
{
    for (unsigned i = 0; m->ok && i < m->n_involved; i++) {
        const struct pg_involved *own = &m->involved[i];
        struct pg_stmt *stmt;
        isl_map *element;

        if (!own->carried || !lives_on(m, own))
            continue;
        stmt = add_copy(
            m, "back", PG_BACK,
            isl_set_intersect_params(isl_set_copy(own->written),
                                     isl_set_params(isl_set_copy(m->last[0]))));
        element = pg_overlap_iterators(stmt->domain, 0, m->tiles.n_dim);
        stmt->accesses[0] =
            access_to(m, (unsigned)own->other, false, isl_map_copy(element));
        stmt->accesses[1] = access_to(m, own->array, true, element);
    }
}

/* Make the statements of launches "part", and their order. */
static __isl_give isl_schedule *make_launches(struct pg_overlapping *m,
                                              unsigned part)
{
    unsigned n = m->scop->n_stmt, first = part ? m->made->n_stmt : 0;
    unsigned loads, stores;
    isl_schedule *tree;

    for (unsigned s = 0; s < n; s++)
        if (!pg_reach_has(&m->reach, s))
            m->roles[s].part = PG_OUTSIDE;
        else if (part)
            add_odd(m, s);
        else
            take_part(m, s, s, part);
    n = part ? m->made->n_stmt : n;
    loads = m->made->n_stmt;
    add_loads(m, part);
    stores = m->made->n_stmt;
    add_stores(m, part);
    tree = pg_overlap_then(
        pg_overlap_sweeps(m, loads, stores),
        pg_overlap_around_steps(m, pg_overlap_sweeps(m, first, n), first, n));
    tree = pg_overlap_then(tree, pg_overlap_sweeps(m, stores, m->made->n_stmt));
    if (m->tiles.stream)
        tree = pg_overlap_around_planes(m, tree, part);
    return pg_overlap_around_tiles(m, tree, part);
}

/* Make all statements, and their order. */
static __isl_give isl_schedule *make_order(struct pg_overlapping *m)
{
    isl_schedule *pair = make_launches(m, 0), *end = NULL;
    unsigned n;

    pair = pg_overlap_around(m, pg_overlap_then(pair, make_launches(m, 1)),
                             PG_LAUNCHES, 0, 1);
    n = m->made->n_stmt;
    add_back(m);
    for (unsigned s = n; s < m->made->n_stmt; s++)
        end = pg_overlap_then(
            end, pg_tree_scan(isl_set_copy(m->made->stmts[s].domain)));
    end = pg_overlap_then(end, pg_overlap_beside(m, PG_BEHIND));
    return pg_overlap_then(pg_overlap_beside(m, PG_BEFORE),
                           pg_overlap_then(pair, end));
}

/* "set" without what is known of parameters. */
static __isl_give isl_set *beyond_context(const struct pg_overlapping *m,
                                          __isl_take isl_set *set)
{
    return pg_coalesce(
        isl_set_gist_params(set, isl_set_copy(m->made->context)));
}

/* Have all sets be as simple as they can: of the context, of which the variant
 * knows less, only what all its parts have in common counts.
 */
static void simplify(struct pg_overlapping *m)
{
    if (m->scop->types)
        m->made->context =
            isl_set_intersect(m->made->context, isl_set_copy(m->scop->types));
    m->made->context = isl_set_from_basic_set(
        isl_set_simple_hull(isl_set_remove_divs(m->made->context)));
    m->blocks = beyond_context(m, m->blocks);
    for (unsigned part = 0; part < PG_LAUNCHES; part++) {
        m->pairs[part] = beyond_context(m, m->pairs[part]);
        m->last[part] = beyond_context(m, m->last[part]);
    }
    for (unsigned i = 0; i < m->n_involved; i++) {
        m->involved[i].read = beyond_context(m, m->involved[i].read);
        m->involved[i].written = beyond_context(m, m->involved[i].written);
    }
}

/* Make the variant; false after an error. */
static bool make(struct pg_overlapping *m)
{
    for (unsigned s = 0; s < m->scop->n_stmt; s++)
        m->roles = pg_grow(m->roles, s, sizeof(*m->roles));
    for (unsigned part = 0; part < PG_LAUNCHES; part++) {
        m->pairs[part] = pg_overlap_pairs(m, part, false);
        m->last[part] = pg_overlap_pairs(m, part, true);
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

static void clear(struct pg_overlapping *m)
{
    for (unsigned i = 0; i < m->n_involved; i++) {
        isl_set_free(m->involved[i].read);
        isl_set_free(m->involved[i].written);
    }
    free(m->involved);
    free(m->roles);
    for (unsigned part = 0; part < PG_LAUNCHES; part++) {
        isl_set_free(m->pairs[part]);
        isl_set_free(m->last[part]);
    }
    isl_set_free(m->blocks);
    pg_reach_clear(&m->reach);
}

/* Choose the tiles; false if there are none that are good enough, or not those
 * that were given, for the reason "*not_taken".
 */
static bool choose(struct pg_overlapping *m, const struct pg_options *options,
                   bool forced, char **not_taken)
{
    bool *carried = pg_alloc(m->scop->n_array, sizeof(*carried));
    bool some;

    for (unsigned i = 0; i < m->n_involved; i++)
        carried[m->involved[i].array] = m->involved[i].carried;
    some = pg_overlap_choose(&m->tiles, m->scop, &m->reach, carried, options,
                             forced, not_taken);
    free(carried);
    return some;
}

/* A copy of "scop", which has its dependences and a schedule, with several
 * steps of its first time loop in overlapping tiles, with the user's sizes in
 * "options" if these are for them. NULL if it is no such loop, or tiles would
 * not be better than sweeps unless they are "forced", or after an error of isl,
 * or if these sizes cannot be, for the reason "*not_taken", which is malloc'ed.
 */
struct pg_scop *pg_scop_overlap(const struct pg_scop *scop,
                                const struct pg_options *options, bool forced,
                                char **not_taken)
{
    struct pg_overlapping m = {.scop = scop, .ok = true};
    // An instance in several tiles would update several times.
    bool done =
        !pg_scop_has_updates(scop) &&
        pg_reach_find(&m.reach, scop, pg_overlap_may_stream(options, forced));

    if (done)
        involve_all(&m);
    done = done && m.ok && choose(&m, options, forced, not_taken);
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
