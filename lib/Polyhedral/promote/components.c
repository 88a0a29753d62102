/* components.c - what is inside of a kernel's parallel loops, taken apart.
 *
 * All dependences within a launch connect instances with equal values of the
 * parallel members, so that nothing else has to keep its order.  Statements
 * that do not depend on each other in a cycle get loops of their own (loop
 * distribution: Kennedy and McKinley, "Maximizing loop parallelism and
 * improving data locality via loop fusion and distribution", LCPC 1993).  And
 * a sequential loop may start at a different number for each value of the
 * parallel members: of all numbers that subscripts have, it counts by that one
 * which makes the most subscripts independent of the parallel members.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/components.h"
#include "polygpu/polyhedral.h"
#include "schedule/tree.h"
#include "support/text.h"

#include <isl/space.h>
#include <stdlib.h>

enum { MAX_PARTS = 8 };

/* The values of all "members", { S[i] -> [v] }. */
static __isl_give isl_union_map *
values_of(__isl_keep isl_union_pw_aff_list *members,
          __isl_keep isl_union_set *domain)
{
    isl_multi_union_pw_aff *all =
        pg_tree_join(isl_union_pw_aff_list_copy(members));

    return isl_union_map_intersect_domain(
        isl_union_map_from_multi_union_pw_aff(all), isl_union_set_copy(domain));
}

/* Has "loop" one value for given values of "others" at "domain"? */
static isl_bool is_determined(__isl_keep isl_union_pw_aff *loop,
                              __isl_keep isl_union_pw_aff_list *others,
                              __isl_keep isl_union_set *domain)
{
    isl_union_map *value =
        isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(loop));
    isl_bool single;

    value = isl_union_map_intersect_domain(value, isl_union_set_copy(domain));
    value = isl_union_map_apply_domain(value, values_of(others, domain));
    single = isl_union_map_is_single_valued(value);
    isl_union_map_free(value);
    return single;
}

/* The loops of "component" that run more than once for a point of the parallel
 * members "parallel"; the tree below the last of them becomes component->rest.
 */
static isl_stat find_loops(struct pg_component *component,
                           __isl_keep isl_union_pw_aff_list *parallel,
                           __isl_keep isl_union_pw_aff_list *members,
                           __isl_keep isl_schedule_node *inner)
{
    isl_schedule *tree =
        pg_tree_ordered(inner, isl_union_set_copy(component->domain));
    isl_schedule_node *node = isl_schedule_get_root(tree);
    isl_union_pw_aff_list *all = isl_union_pw_aff_list_copy(members);
    isl_union_pw_aff_list *outer = isl_union_pw_aff_list_copy(parallel);
    isl_size n;

    isl_schedule_free(tree);
    node = isl_schedule_node_child(node, 0);
    while (isl_schedule_node_get_type(node) == isl_schedule_node_band) {
        all = isl_union_pw_aff_list_concat(all, pg_tree_members(node));
        node = isl_schedule_node_child(node, 0);
    }
    component->rest =
        pg_tree_ordered(node, isl_union_set_copy(component->domain));
    isl_schedule_node_free(node);
    n = isl_union_pw_aff_list_n_union_pw_aff(all);
    component->loops = isl_union_pw_aff_list_alloc(
        isl_union_set_get_ctx(component->domain), n);
    for (int i = 0; i < n; i++) {
        isl_union_pw_aff *loop = isl_union_pw_aff_list_get_union_pw_aff(all, i);
        isl_bool determined = is_determined(loop, outer, component->domain);

        if (determined == isl_bool_false) {
            outer =
                isl_union_pw_aff_list_add(outer, isl_union_pw_aff_copy(loop));
            component->loops =
                isl_union_pw_aff_list_add(component->loops, loop);
            component->n_loop++;
        } else {
            isl_union_pw_aff_free(loop);
        }
        if (determined < 0)
            n = -1;
    }
    isl_union_pw_aff_list_free(all);
    isl_union_pw_aff_list_free(outer);
    return n < 0 || !component->rest || !component->loops ? isl_stat_error
                                                          : isl_stat_ok;
}

/* Do "a" and "b" write the same array? */
static bool write_together(const struct pg_stmt *a, const struct pg_stmt *b)
{
    for (unsigned i = 0; i < a->n_access; i++)
        for (unsigned j = 0; j < b->n_access; j++)
            if (a->accesses[i].write && b->accesses[j].write &&
                a->accesses[i].array == b->accesses[j].array)
                return true;
    return false;
}

/* Does a statement of the kernel write "array"? */
static bool is_written(const struct pg_components *components,
                       const struct pg_scop *scop, unsigned array)
{
    for (unsigned i = 0; i < components->n_placed; i++) {
        const struct pg_stmt *stmt = &scop->stmts[components->placed[i].stmt];

        for (unsigned a = 0; a < stmt->n_access; a++)
            if (stmt->accesses[a].write && stmt->accesses[a].array == array)
                return true;
    }
    return false;
}

/* The number of accesses to "array". */
static unsigned count_accesses(const struct pg_stmt *stmt, unsigned array)
{
    unsigned n = 0;

    for (unsigned a = 0; a < stmt->n_access; a++)
        n += stmt->accesses[a].array == array;
    return n;
}

/* Do "a" and "b" both read several elements of an array that nothing in the
 * kernel writes, as stencils over one input do?
 */
static bool read_together(const struct pg_components *components,
                          const struct pg_scop *scop, const struct pg_stmt *a,
                          const struct pg_stmt *b)
{
    for (unsigned i = 0; i < a->n_access; i++) {
        unsigned array = a->accesses[i].array;

        if (scop->arrays[array].n_dim > 0 && count_accesses(a, array) > 1 &&
            count_accesses(b, array) > 1 &&
            !is_written(components, scop, array))
            return true;
    }
    return false;
}

/* Is there a chain of dependences from statement "i" to "j"?  reach[i * n + j]
 * says so.  Those that write one array, or read much of one, count as such if
 * "together".
 */
static isl_stat find_chains(bool *reach, const struct pg_components *components,
                            const struct pg_scop *scop,
                            __isl_keep isl_union_map *order, bool together)
{
    unsigned n = components->n_placed;

    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) {
            const struct pg_stmt *a = &scop->stmts[components->placed[i].stmt];
            const struct pg_stmt *b = &scop->stmts[components->placed[j].stmt];
            isl_union_map *pairs = isl_union_map_copy(order);
            isl_bool none;

            pairs = isl_union_map_intersect_domain(
                pairs, isl_union_set_from_set(
                           isl_set_copy(components->placed[i].domain)));
            pairs = isl_union_map_intersect_range(
                pairs, isl_union_set_from_set(
                           isl_set_copy(components->placed[j].domain)));
            none = isl_union_map_is_empty(pairs);
            isl_union_map_free(pairs);
            if (none < 0)
                return isl_stat_error;
            reach[i * n + j] =
                !none || (together && (write_together(a, b) ||
                                       read_together(components, scop, a, b)));
        }
    for (unsigned k = 0; k < n; k++)
        for (unsigned i = 0; i < n; i++)
            for (unsigned j = 0; j < n; j++)
                reach[i * n + j] |= reach[i * n + k] && reach[k * n + j];
    return isl_stat_ok;
}

/* May statement "s" come next: do all that lead to it come back from it, or
 * have a component already?
 */
static bool is_next(const struct pg_components *components, const bool *reach,
                    unsigned s)
{
    unsigned n = components->n_placed;

    for (unsigned i = 0; i < n; i++)
        if (components->placed[i].component >= components->n &&
            reach[i * n + s] && !reach[s * n + i])
            return false;
    return true;
}

/* Give every statement its component.  Without loops inside, what is written to
 * one array stays "together", so that neighbouring elements, as the fields of
 * structures, are stored together; and stencils over one input do, so that its
 * tile is copied once.
 */
static isl_stat distribute(struct pg_components *components,
                           const struct pg_scop *scop,
                           __isl_keep isl_union_map *order, bool together)
{
    unsigned n = components->n_placed;
    bool *reach = pg_alloc((size_t)n * n, sizeof(*reach));
    isl_stat result = find_chains(reach, components, scop, order, together);

    for (unsigned i = 0; i < n; i++)
        components->placed[i].component = n;
    for (bool found = true; result == isl_stat_ok && found;) {
        unsigned s = 0;

        while (s < n && (components->placed[s].component < n ||
                         !is_next(components, reach, s)))
            s++;
        found = s < n;
        for (unsigned i = s; i < n; i++)
            if (i == s || (reach[s * n + i] && reach[i * n + s]))
                components->placed[i].component = components->n;
        components->n += found;
    }
    free(reach);
    if (components->n > MAX_PARTS)
        result = isl_stat_error;
    return result;
}

/* "member" at the statement of "domain", without bounds if it is one
 * expression, else within them; adds to "*pieces".
 */
static __isl_give isl_map *member_at(__isl_keep isl_union_pw_aff *member,
                                     __isl_keep isl_set *domain, bool *one)
{
    isl_space *space = isl_space_add_dims(
        isl_space_from_domain(isl_set_get_space(domain)), isl_dim_out, 1);
    isl_pw_aff *pa = isl_union_pw_aff_extract_pw_aff(member, space);
    isl_map *map;

    pa = isl_pw_aff_gist(pa, isl_set_copy(domain));
    pa = isl_pw_aff_coalesce(pa);
    *one &= isl_pw_aff_n_piece(pa) == 1;
    map = isl_map_from_pw_aff(pa);
    return map;
}

/* Keep the function of a piece. */
static isl_stat keep_piece(__isl_take isl_set *domain,
                           __isl_take isl_multi_aff *function, void *user)
{
    isl_set_free(domain);
    *(isl_multi_aff **)user = function;
    return isl_stat_ok;
}

/* Set placed->point and placed->free. */
static isl_stat place(const struct pg_components *components,
                      struct pg_placed *placed,
                      __isl_keep isl_union_pw_aff_list *members)
{
    const struct pg_component *component =
        &components->component[placed->component];
    isl_union_pw_aff_list *list =
        pg_tree_some(members, 0, components->n_parallel);
    isl_set *all, *hull, *universe;
    isl_size n;

    list = isl_union_pw_aff_list_concat(
        list, isl_union_pw_aff_list_copy(component->loops));
    n = isl_union_pw_aff_list_n_union_pw_aff(list);
    placed->free = n >= 0;
    placed->point = isl_map_from_domain(
        isl_set_universe(isl_set_get_space(placed->domain)));
    for (int i = 0; i < n; i++) {
        isl_union_pw_aff *member =
            isl_union_pw_aff_list_get_union_pw_aff(list, i);

        placed->point = isl_map_flat_range_product(
            placed->point, member_at(member, placed->domain, &placed->free));
        isl_union_pw_aff_free(member);
    }
    isl_union_pw_aff_list_free(list);
    universe =
        isl_set_universe(isl_space_range(isl_map_get_space(placed->point)));
    // A loop of the host is a parameter, and fixes an iterator.
    hull = isl_set_from_basic_set(
        isl_set_affine_hull(isl_set_copy(placed->domain)));
    if (placed->free)
        placed->point = isl_map_intersect_domain(placed->point, hull);
    else
        isl_set_free(hull);
    all = isl_map_range(isl_map_copy(placed->point));
    placed->free = placed->free &&
                   isl_set_is_equal(all, universe) == isl_bool_true &&
                   isl_map_is_bijective(placed->point) == isl_bool_true;
    isl_set_free(all);
    isl_set_free(universe);
    if (!placed->free)
        placed->point = isl_map_intersect_domain(placed->point,
                                                 isl_set_copy(placed->domain));
    return placed->point ? isl_stat_ok : isl_stat_error;
}

/* The function { S[i] -> A[x] } of the only piece of "relation", without
 * bounds; NULL if there are several.
 */
__isl_give isl_multi_aff *pg_only_piece(__isl_keep isl_map *relation)
{
    isl_pw_multi_aff *all = isl_pw_multi_aff_from_map(isl_map_copy(relation));
    isl_multi_aff *one = NULL;

    if (isl_pw_multi_aff_n_piece(all) == 1)
        isl_pw_multi_aff_foreach_piece(all, &keep_piece, &one);
    isl_pw_multi_aff_free(all);
    return one;
}

/* A subscript of a statement. */
struct subscript {
    isl_aff *aff;   /* without bounds */
    isl_map *value; /* the same, of the instances */
    bool by_outer;  /* parallel members tell it */
};

/* All of one statement: of a loop's alignment each is asked for many times. */
struct subscripts {
    unsigned n;
    struct subscript *all;
};

static void free_subscripts(struct subscripts *subscripts)
{
    for (unsigned i = 0; i < subscripts->n; i++) {
        isl_aff_free(subscripts->all[i].aff);
        isl_map_free(subscripts->all[i].value);
    }
    free(subscripts->all);
}

/* The parallel members at the statement, { S[i] -> [members] }. */
static __isl_give isl_map *
parallel_members(const struct pg_components *components,
                 const struct pg_placed *placed,
                 __isl_keep isl_union_pw_aff_list *members)
{
    isl_map *outer = isl_map_from_domain(
        isl_set_universe(isl_set_get_space(placed->domain)));
    bool one = true;

    for (int i = 0; i < (int)components->n_parallel; i++) {
        isl_union_pw_aff *member =
            isl_union_pw_aff_list_get_union_pw_aff(members, i);

        outer = isl_map_flat_range_product(
            outer, member_at(member, placed->domain, &one));
        isl_union_pw_aff_free(member);
    }
    return outer;
}

/* Add the subscripts of "relation", { S[i] -> A[x] }, unless one is several
 * expressions.
 */
static void add_subscripts(struct subscripts *subscripts,
                           __isl_keep isl_map *relation, unsigned n,
                           const struct pg_placed *placed,
                           __isl_keep isl_map *outer)
{
    isl_multi_aff *one = n ? pg_only_piece(relation) : NULL;

    for (unsigned d = 0; one && d < n; d++) {
        struct subscript *s;
        isl_map *of_outer;

        subscripts->all =
            pg_grow(subscripts->all, subscripts->n, sizeof(*subscripts->all));
        s = &subscripts->all[subscripts->n++];
        s->aff = isl_multi_aff_get_aff(one, (int)d);
        s->value =
            isl_map_intersect_domain(isl_map_from_aff(isl_aff_copy(s->aff)),
                                     isl_set_copy(placed->domain));
        of_outer =
            isl_map_apply_domain(isl_map_copy(s->value), isl_map_copy(outer));
        s->by_outer = isl_map_is_single_valued(of_outer) != isl_bool_false;
        isl_map_free(of_outer);
    }
    isl_multi_aff_free(one);
}

/* How many subscripts of the statement are affected by "loop", a function of
 * its instances, and by no parallel member, when the loop counts by "by"?
 */
static int rate_count(const struct subscripts *subscripts,
                      __isl_take isl_map *by)
{
    int score = 0;

    for (unsigned i = 0; i < subscripts->n; i++) {
        const struct subscript *s = &subscripts->all[i];
        isl_map *value;

        if (s->by_outer)
            continue;
        value = isl_map_apply_domain(isl_map_copy(s->value), isl_map_copy(by));
        score += isl_map_is_single_valued(value) == isl_bool_true;
        isl_map_free(value);
    }
    isl_map_free(by);
    return score;
}

/* Let the innermost loop of a component of one statement count by the subscript
 * that suits the accesses best, if that is the loop's number plus a function
 * of the parallel members and the parameters.
 */
static void align_loop(const struct pg_scop *scop,
                       struct pg_components *components,
                       const struct pg_placed *placed,
                       __isl_keep isl_union_pw_aff_list *members)
{
    struct pg_component *component = &components->component[placed->component];
    const struct pg_stmt *stmt = &scop->stmts[placed->stmt];
    isl_union_pw_aff_list *others =
        pg_tree_some(members, 0, components->n_parallel);
    isl_union_pw_aff *loop = isl_union_pw_aff_list_get_union_pw_aff(
        component->loops, (int)component->n_loop - 1);
    isl_union_pw_aff *best = NULL;
    isl_map *outer = parallel_members(components, placed, members);
    struct subscripts subscripts = {0};
    bool one = true;
    int most;

    for (unsigned a = 0; a < stmt->n_access; a++)
        add_subscripts(&subscripts, stmt->accesses[a].relation,
                       scop->arrays[stmt->accesses[a].array].n_dim, placed,
                       outer);
    isl_map_free(outer);
    most = rate_count(&subscripts, member_at(loop, placed->domain, &one));
    others = isl_union_pw_aff_list_concat(
        others, pg_tree_some(component->loops, 0, component->n_loop - 1));
    for (unsigned i = 0; i < subscripts.n; i++) {
        isl_union_pw_aff *by = isl_union_pw_aff_from_pw_aff(
            isl_pw_aff_from_aff(isl_aff_copy(subscripts.all[i].aff)));
        isl_union_pw_aff *less = isl_union_pw_aff_sub(
            isl_union_pw_aff_copy(by), isl_union_pw_aff_copy(loop));

        if (is_determined(less, others, component->domain) == isl_bool_true) {
            int score =
                rate_count(&subscripts, member_at(by, placed->domain, &one));

            if (score > most) {
                most = score;
                isl_union_pw_aff_free(best);
                best = isl_union_pw_aff_copy(by);
            }
        }
        isl_union_pw_aff_free(less);
        isl_union_pw_aff_free(by);
    }
    if (best)
        component->loops = isl_union_pw_aff_list_set_union_pw_aff(
            component->loops, (int)component->n_loop - 1, best);
    free_subscripts(&subscripts);
    isl_union_pw_aff_list_free(others);
    isl_union_pw_aff_free(loop);
}

/* The statements of "domain". */
static isl_stat find_statements(struct pg_components *components,
                                const struct pg_scop *scop,
                                __isl_keep isl_union_set *domain)
{
    components->placed = pg_alloc(scop->n_stmt, sizeof(*components->placed));
    for (unsigned s = 0; s < scop->n_stmt; s++) {
        isl_set *set = isl_union_set_extract_set(
            domain, isl_set_get_space(scop->stmts[s].domain));
        isl_bool empty = isl_set_is_empty(set);

        if (empty != isl_bool_false) {
            isl_set_free(set);
            if (empty < 0)
                return isl_stat_error;
            continue;
        }
        components->placed[components->n_placed].stmt = s;
        components->placed[components->n_placed++].domain = set;
    }
    return isl_stat_ok;
}

/* Stop at a band. */
static isl_bool is_no_band(__isl_keep isl_schedule_node *node, void *user)
{
    bool band = isl_schedule_node_get_type(node) == isl_schedule_node_band;

    *(bool *)user |= band;
    return isl_bool_ok(!band);
}

/* Are there loops in the tree "inner"? */
static bool has_band(__isl_keep isl_schedule_node *inner)
{
    bool found = false;

    return isl_schedule_node_foreach_descendant_top_down(
               inner, &is_no_band, &found) != isl_stat_ok ||
           found;
}

/* The number of statements in component "p". */
static unsigned size_of(const struct pg_components *components, unsigned p)
{
    unsigned n = 0;

    for (unsigned i = 0; i < components->n_placed; i++)
        n += components->placed[i].component == p;
    return n;
}

/* Take what is inside of the first "n_parallel" of "members", all others and
 * the tree "inner", apart for the instances "domain"; "order" has the
 * dependences between them.
 */
isl_stat pg_components_find(struct pg_components *components,
                            const struct pg_scop *scop,
                            __isl_keep isl_union_pw_aff_list *members,
                            unsigned n_parallel,
                            __isl_keep isl_schedule_node *inner,
                            __isl_keep isl_union_set *domain,
                            __isl_take isl_union_map *order)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(members);
    isl_union_pw_aff_list *parallel, *others;
    isl_stat result;

    components->n_parallel = n_parallel;
    result = find_statements(components, scop, domain);
    if (result == isl_stat_ok)
        result = distribute(components, scop, order,
                            n == (isl_size)n_parallel && !has_band(inner));
    isl_union_map_free(order);
    if (result != isl_stat_ok || n < 0)
        return isl_stat_error;
    components->component =
        pg_alloc(components->n, sizeof(*components->component));
    parallel = pg_tree_some(members, 0, n_parallel);
    others = pg_tree_some(members, n_parallel, (unsigned)n - n_parallel);
    for (unsigned p = 0; p < components->n; p++)
        components->component[p].domain =
            isl_union_set_empty(isl_union_set_get_space(domain));
    for (unsigned i = 0; i < components->n_placed; i++) {
        struct pg_component *component =
            &components->component[components->placed[i].component];

        component->domain = isl_union_set_union(
            component->domain,
            isl_union_set_from_set(isl_set_copy(components->placed[i].domain)));
    }
    for (unsigned p = 0; result == isl_stat_ok && p < components->n; p++)
        result = find_loops(&components->component[p], parallel, others, inner);
    for (unsigned i = 0; result == isl_stat_ok && i < components->n_placed;
         i++) {
        struct pg_placed *placed = &components->placed[i];

        if (components->component[placed->component].n_loop &&
            size_of(components, placed->component) == 1)
            align_loop(scop, components, placed, members);
        result = place(components, placed, members);
    }
    isl_union_pw_aff_list_free(parallel);
    isl_union_pw_aff_list_free(others);
    return result;
}

/* Free what "components" holds. */
void pg_components_clear(struct pg_components *components)
{
    for (unsigned p = 0; p < components->n && components->component; p++) {
        isl_union_set_free(components->component[p].domain);
        isl_union_pw_aff_list_free(components->component[p].loops);
        isl_schedule_free(components->component[p].rest);
    }
    free(components->component);
    for (unsigned i = 0; i < components->n_placed; i++) {
        isl_set_free(components->placed[i].domain);
        isl_map_free(components->placed[i].point);
    }
    free(components->placed);
}
