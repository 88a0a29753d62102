/* reduce.c - reductions: what goes to partial results, and the order.
 *
 * The variant has the order of what relax.c makes, in which a reduction is by
 * itself, and there what partials.c makes of it.  Its dependences are computed
 * as those of any SCoP.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/reduce.h"
#include "polygpu/polyhedral.h"
#include "schedule/partials.h"
#include "schedule/relax.h"
#include "schedule/sizes.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/text.h"

#include <isl/space.h>
#include <stdlib.h>

struct making {
    const struct pg_scop *scop;
    const bool *chosen;
    struct pg_scop *made;
    struct pg_size_list given; /* the user's sizes, or none */
    isl_union_map *order;      /* { S[i] -> T[j] } that has to be kept */
    bool some, ok;
};

static const struct pg_stmt *source_of(const struct pg_reduction *r)
{
    return &r->scop->stmts[r->stmt];
}

/* { S[i] -> [h] } for the values of the loops "outer". */
static __isl_give isl_map *values_of(const struct pg_scop *scop,
                                     const struct pg_stmt *stmt,
                                     __isl_keep isl_union_pw_aff_list *outer)
{
    isl_set *domain = isl_set_intersect_params(isl_set_copy(stmt->domain),
                                               isl_set_copy(scop->context));
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(outer);
    isl_union_map *all;

    if (n <= 0)
        return isl_map_from_domain(domain);
    all = isl_union_map_from_multi_union_pw_aff(
        pg_tree_join(isl_union_pw_aff_list_copy(outer)));
    all = isl_union_map_intersect_domain(all, isl_union_set_from_set(domain));
    return isl_map_from_union_map(all);
}

/* Has iteration "d" several values for one of the loops around? */
static isl_bool is_own(const struct pg_reduction *r, unsigned d)
{
    isl_map *map = pg_by_host(r, pg_iterators(source_of(r)->domain, d, 1));
    isl_bool single = isl_map_is_single_valued(map);

    isl_map_free(map);
    return isl_bool_not(single);
}

/* Is iterator "d" never negative? */
static bool is_counted(const struct pg_reduction *r, unsigned d)
{
    isl_set *domain = isl_map_domain(isl_map_copy(r->host));
    isl_set *positive =
        isl_set_lower_bound_si(isl_set_copy(domain), isl_dim_set, d, 0);
    isl_bool is = isl_set_is_subset(domain, positive);

    isl_set_free(domain);
    isl_set_free(positive);
    return is == isl_bool_true;
}

/* Find the innermost loops of the reduction, up to two; false if there is none,
 * or one that is not counted from 0 on.
 */
static bool find_own(struct pg_reduction *r)
{
    isl_size n = isl_set_dim(source_of(r)->domain, isl_dim_set);
    bool ok = n > 0;

    for (unsigned d = (unsigned)n; ok && d-- > 0 && r->n_own < 2;) {
        isl_bool own = is_own(r, d);

        ok = own >= 0 && (own == isl_bool_false || is_counted(r, d));
        if (own == isl_bool_true) {
            r->own[1] = r->own[0];
            r->own[0] = d;
            r->n_own++;
        }
    }
    return ok && r->n_own > 0;
}

/* Is each thing that the statement updates one element for each iteration of
 * the loops around, and its operator the one whose updates come in any order?
 */
static bool find_targets(const struct making *m, struct pg_reduction *r)
{
    const struct pg_stmt *stmt = source_of(r);
    bool ok = true;

    r->targets = pg_alloc(stmt->n_update, sizeof(*r->targets));
    for (unsigned i = 0; ok && i < stmt->n_update; i++) {
        struct pg_target *t = &r->targets[r->n_target++];
        const struct pg_access *updated =
            &stmt->accesses[stmt->updates[i].updated];

        t->update = stmt->updates[i];
        t->array = updated->array;
        t->element = pg_by_host(r, isl_map_copy(updated->relation));
        ok = pg_update_of(stmt, t->array,
                          pg_operator_of(m->scop, m->chosen, t->array)) &&
             isl_map_is_single_valued(t->element) == isl_bool_true;
    }
    return ok;
}

/* May instances with the same values of the loops "outer" come in any order?
 * They may not where the statement does something beside its updates that has
 * one.
 */
static bool is_free(const struct making *m, const struct pg_reduction *r,
                    __isl_keep isl_union_pw_aff_list *outer)
{
    isl_union_set *all =
        isl_union_set_from_set(isl_set_copy(source_of(r)->domain));
    isl_union_map *order = isl_union_map_copy(m->order);
    isl_bool none;

    order = isl_union_map_intersect_domain(order, isl_union_set_copy(all));
    order = isl_union_map_intersect_range(order, all);
    if (isl_union_pw_aff_list_n_union_pw_aff(outer) > 0)
        order = pg_equal_at(order, outer);
    none = isl_union_map_is_empty(order);
    isl_union_map_free(order);
    return none == isl_bool_true;
}

/* The statement number "s", below the loops "outer", as a reduction; NULL if it
 * is none there.
 */
static __isl_give isl_schedule *reduce(struct making *m, unsigned s,
                                       __isl_keep isl_union_pw_aff_list *outer)
{
    struct pg_reduction r = {.scop = m->scop, .made = m->made, .stmt = s};
    isl_schedule *tree = NULL;

    r.n_host = (unsigned)isl_union_pw_aff_list_n_union_pw_aff(outer);
    r.host = values_of(m->scop, source_of(&r), outer);
    if (find_targets(m, &r) && find_own(&r) && is_free(m, &r, outer)) {
        tree = pg_partials_make(&r, &m->given);
        m->some = true;
        m->ok &= tree != NULL;
    }
    pg_reduction_clear(&r);
    return tree;
}

/* The chosen statement that is all there is at "node", or -1. */
static int alone_at(const struct making *m, __isl_keep isl_schedule_node *node)
{
    isl_union_set *domain = isl_schedule_node_get_universe_domain(node);
    isl_set *set;
    int s = -1;

    if (isl_union_set_n_set(domain) == 1) {
        set = isl_set_from_union_set(isl_union_set_copy(domain));
        s = pg_scop_find_stmt(m->scop, isl_set_get_tuple_name(set));
        isl_set_free(set);
    }
    isl_union_set_free(domain);
    return s >= 0 && m->chosen[s] ? s : -1;
}

static __isl_give isl_schedule *
rebuild(struct making *m, __isl_take isl_schedule_node *node,
        __isl_keep isl_union_pw_aff_list *outer);

/* "members" of a band, loops from number "number" on around the statements that
 * were made from number "first" on, for these as well.
 */
static __isl_give isl_union_pw_aff_list *
also_for(const struct making *m, __isl_take isl_union_pw_aff_list *members,
         unsigned number, unsigned first)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(members);

    for (int i = 0; i < n; i++) {
        isl_union_pw_aff *member =
            isl_union_pw_aff_list_get_union_pw_aff(members, i);

        for (unsigned s = first; s < m->made->n_stmt; s++) {
            isl_local_space *space = isl_local_space_from_space(
                isl_set_get_space(m->made->stmts[s].domain));

            member = isl_union_pw_aff_add_pw_aff(
                member, isl_pw_aff_from_aff(isl_aff_var_on_domain(
                            space, isl_dim_set, number + (unsigned)i)));
        }
        members = isl_union_pw_aff_list_set_union_pw_aff(members, i, member);
    }
    return members;
}

static __isl_give isl_schedule *
rebuild_band(struct making *m, __isl_take isl_schedule_node *node,
             __isl_keep isl_union_pw_aff_list *outer)
{
    isl_union_pw_aff_list *members = pg_tree_members(node);
    isl_size around = isl_union_pw_aff_list_n_union_pw_aff(outer);
    isl_union_pw_aff_list *all = isl_union_pw_aff_list_concat(
        isl_union_pw_aff_list_copy(outer), isl_union_pw_aff_list_copy(members));
    unsigned first = m->made->n_stmt;
    isl_schedule *body = rebuild(m, isl_schedule_node_child(node, 0), all);

    isl_union_pw_aff_list_free(all);
    return pg_tree_band(body, also_for(m, members, (unsigned)around, first),
                        false, NULL);
}

static __isl_give isl_schedule *
rebuild_children(struct making *m, __isl_take isl_schedule_node *node,
                 __isl_keep isl_union_pw_aff_list *outer)
{
    isl_size n = isl_schedule_node_n_children(node);
    isl_schedule *all = NULL;

    for (int i = 0; i < n; i++) {
        isl_schedule *one =
            rebuild(m, isl_schedule_node_get_child(node, i), outer);

        all = all ? isl_schedule_sequence(all, one) : one;
    }
    isl_schedule_node_free(node);
    return all;
}

/* The tree below and with "node" (taken), below the loops "outer", with
 * reductions instead of chosen statements.
 */
static __isl_give isl_schedule *rebuild(struct making *m,
                                        __isl_take isl_schedule_node *node,
                                        __isl_keep isl_union_pw_aff_list *outer)
{
    enum isl_schedule_node_type type = isl_schedule_node_get_type(node);
    int s = alone_at(m, node);
    isl_schedule *tree = s >= 0 ? reduce(m, (unsigned)s, outer) : NULL;

    if (!node || !m->ok) {
        m->ok = false;
        isl_schedule_node_free(node);
        return isl_schedule_free(tree);
    }
    if (tree || type == isl_schedule_node_leaf) {
        if (!tree)
            tree = isl_schedule_from_domain(isl_schedule_node_get_domain(node));
        isl_schedule_node_free(node);
        return tree;
    }
    if (type == isl_schedule_node_band)
        return rebuild_band(m, node, outer);
    if (type == isl_schedule_node_sequence || type == isl_schedule_node_set)
        return rebuild_children(m, node, outer);
    return rebuild(m, isl_schedule_node_child(node, 0), outer);
}

/* All updates that may be in another order now. */
static void mark_reordered(struct making *m)
{
    for (unsigned a = 0; a < m->scop->n_array; a++) {
        enum pg_operator op = pg_operator_of(m->scop, m->chosen, a);

        for (unsigned s = 0; op && s < m->scop->n_stmt; s++)
            if (pg_update_of(&m->scop->stmts[s], a, op))
                m->made->stmts[s].reordered = true;
    }
}

/* A copy of "scop" in which the updates of "chosen" statements go to partial
 * results, in the order of "relaxed", which pg_scop_relax has made and which is
 * scheduled, with the user's "sizes" if these are for them.  NULL if there are
 * none that can, or after an error of isl.
 */
struct pg_scop *pg_scop_reduce(const struct pg_scop *scop, const bool *chosen,
                               const struct pg_scop *relaxed, const char *sizes)
{
    struct making m = {.scop = scop, .chosen = chosen, .ok = true};
    isl_union_pw_aff_list *none = isl_union_pw_aff_list_alloc(scop->ctx, 0);
    struct pg_kernel_sizes given;
    isl_schedule *tree;

    free(pg_sizes_get(sizes, 0, &given));
    m.given = given.partial;
    m.made = pg_scop_copy(scop);
    m.order = pg_scop_order(relaxed);
    mark_reordered(&m);
    tree = rebuild(&m, isl_schedule_get_root(relaxed->schedule), none);
    isl_union_pw_aff_list_free(none);
    isl_union_map_free(m.order);
    isl_schedule_free(m.made->original);
    m.made->original = tree;
    if (tree && m.ok && m.some)
        return m.made;
    pg_scop_free(m.made);
    return NULL;
}
