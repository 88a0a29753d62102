/* tree.c - schedule trees: build them anew, compare them with dependences.
 *
 * A tree here has a domain, bands, sequences, sets, filters, marks and
 * leaves; other nodes do not occur in what the scheduler or the importer give.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/tree.h"
#include "support/text.h"

#include <isl/id.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>

/* "tree" with one node per line, malloc'ed; NULL if there is none. */
char *pg_tree_to_str(__isl_keep isl_schedule *tree)
{
    isl_printer *p;
    char *string;

    if (!tree)
        return NULL;
    p = isl_printer_to_str(isl_schedule_get_ctx(tree));
    p = isl_printer_set_yaml_style(p, ISL_YAML_STYLE_BLOCK);
    p = isl_printer_print_schedule(p, tree);
    string = isl_printer_get_str(p);
    isl_printer_free(p);
    return string;
}

/* The members of a band as a list of { S[i] -> [v] }. */
__isl_give isl_union_pw_aff_list *
pg_tree_members(__isl_keep isl_schedule_node *band)
{
    isl_multi_union_pw_aff *partial =
        isl_schedule_node_band_get_partial_schedule(band);
    isl_size n = isl_multi_union_pw_aff_size(partial);
    isl_union_pw_aff_list *list;

    list = isl_union_pw_aff_list_alloc(isl_schedule_node_get_ctx(band),
                                       n < 0 ? 0 : n);
    for (int i = 0; i < n; i++)
        list = isl_union_pw_aff_list_add(
            list, isl_multi_union_pw_aff_get_union_pw_aff(partial, i));
    if (n < 0)
        list = isl_union_pw_aff_list_free(list);
    isl_multi_union_pw_aff_free(partial);
    return list;
}

/* "list" without all but the "n" members from number "first" on. */
__isl_give isl_union_pw_aff_list *
pg_tree_some(__isl_keep isl_union_pw_aff_list *list, unsigned first, unsigned n)
{
    isl_union_pw_aff_list *result = isl_union_pw_aff_list_copy(list);
    isl_size size = isl_union_pw_aff_list_n_union_pw_aff(result);

    if (size < 0)
        return isl_union_pw_aff_list_free(result);
    result = isl_union_pw_aff_list_drop(result, first + n,
                                        (unsigned)size - first - n);
    return isl_union_pw_aff_list_drop(result, 0, first);
}

/* "members" with the sum of all instead of the first. */
__isl_give isl_union_pw_aff_list *
pg_tree_skewed(__isl_take isl_union_pw_aff_list *members)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(members);
    isl_union_pw_aff *sum = isl_union_pw_aff_list_get_union_pw_aff(members, 0);

    for (int i = 1; i < n; i++)
        sum = isl_union_pw_aff_add(
            sum, isl_union_pw_aff_list_get_union_pw_aff(members, i));
    return isl_union_pw_aff_list_set_union_pw_aff(members, 0, sum);
}

/* "value" mod "size". */
__isl_give isl_union_pw_aff *pg_mod(__isl_take isl_union_pw_aff *value,
                                    long long size)
{
    isl_ctx *ctx = isl_union_pw_aff_get_ctx(value);

    return isl_union_pw_aff_mod_val(value,
                                    isl_val_int_from_si(ctx, (long)size));
}

/* "members" as one function { S[i] -> [v0,v1,...] }. */
__isl_give isl_multi_union_pw_aff *
pg_tree_join(__isl_take isl_union_pw_aff_list *members)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(members);
    isl_space *space;

    if (n < 0)
        return NULL;
    space = isl_space_set_alloc(isl_union_pw_aff_list_get_ctx(members), 0,
                                (unsigned)n);
    return isl_multi_union_pw_aff_from_union_pw_aff_list(space, members);
}

/* The pairs of "relation" at which all "members" have equal values. */
__isl_give isl_union_map *pg_equal_at(__isl_take isl_union_map *relation,
                                      __isl_keep isl_union_pw_aff_list *members)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(members);

    if (n < 0)
        return isl_union_map_free(relation);
    if (n == 0)
        return relation;
    return isl_union_map_eq_at_multi_union_pw_aff(
        relation, pg_tree_join(isl_union_pw_aff_list_copy(members)));
}

/* The child of "node" below which all of "stmts" (a universe) run, or NULL. */
__isl_give isl_schedule_node *
pg_tree_child_with(__isl_keep isl_schedule_node *node,
                   __isl_keep isl_union_set *stmts)
{
    isl_size n = isl_schedule_node_n_children(node);

    for (int i = 0; i < n; i++) {
        isl_schedule_node *child = isl_schedule_node_get_child(node, i);
        isl_union_set *domain;
        isl_bool all;

        if (isl_schedule_node_get_type(child) == isl_schedule_node_filter)
            child = isl_schedule_node_child(child, 0);
        domain = isl_schedule_node_get_universe_domain(child);
        all = isl_union_set_is_subset(stmts, domain);
        isl_union_set_free(domain);
        if (all == isl_bool_true)
            return child;
        isl_schedule_node_free(child);
    }
    return NULL;
}

/* A band of "members" above "node"; returns the band, or "node" if there are no
 * members.  "coincident" may be NULL: no member is.
 */
__isl_give isl_schedule_node *
pg_tree_insert_band(__isl_take isl_schedule_node *node,
                    __isl_take isl_union_pw_aff_list *members, bool permutable,
                    const bool *coincident)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(members);

    if (n <= 0) {
        isl_union_pw_aff_list_free(members);
        return n < 0 ? isl_schedule_node_free(node) : node;
    }
    node =
        isl_schedule_node_insert_partial_schedule(node, pg_tree_join(members));
    node = isl_schedule_node_band_set_permutable(node, permutable);
    for (int i = 0; coincident && i < n; i++)
        node = isl_schedule_node_band_member_set_coincident(node, i,
                                                            coincident[i]);
    return node;
}

/* "body" under a new outermost band of "members".  "coincident" may be NULL:
 * no member is.
 */
__isl_give isl_schedule *pg_tree_band(__isl_take isl_schedule *body,
                                      __isl_take isl_union_pw_aff_list *members,
                                      bool permutable, const bool *coincident)
{
    isl_schedule_node *node =
        isl_schedule_node_child(isl_schedule_get_root(body), 0);

    isl_schedule_free(body);
    node = pg_tree_insert_band(node, members, permutable, coincident);
    body = isl_schedule_node_get_schedule(node);
    isl_schedule_node_free(node);
    return body;
}

static __isl_give isl_schedule *subtree(__isl_keep isl_schedule_node *node,
                                        __isl_take isl_union_set *domain,
                                        __isl_take isl_union_map *order);
static __isl_give isl_schedule *ordered(__isl_keep isl_schedule_node *node,
                                        __isl_take isl_union_set *domain,
                                        __isl_take isl_union_map *order);

/* The children of the sequence or set "node", each by "child" for the part of
 * "domain" and "order" (may be NULL) that its filter lets through, one after
 * the other again.
 */
static __isl_give isl_schedule *
children(__isl_keep isl_schedule_node *node, __isl_take isl_union_set *domain,
         __isl_take isl_union_map *order,
         isl_schedule *(*build)(isl_schedule_node *, isl_union_set *,
                                isl_union_map *))
{
    bool is_set = isl_schedule_node_get_type(node) == isl_schedule_node_set &&
                  build != &ordered;
    isl_size n = isl_schedule_node_n_children(node);
    isl_schedule *all = NULL;

    for (int i = 0; i < n; i++) {
        isl_schedule_node *child = isl_schedule_node_get_child(node, i);
        isl_union_set *filter = isl_schedule_node_filter_get_filter(child);
        isl_union_set *part = isl_union_set_intersect(
            isl_union_set_copy(domain), isl_union_set_copy(filter));
        isl_union_map *inner = isl_union_map_copy(order);
        isl_schedule *one = NULL;
        isl_bool empty = isl_union_set_is_empty(part);

        inner =
            isl_union_map_intersect_domain(inner, isl_union_set_copy(filter));
        inner = isl_union_map_intersect_range(inner, filter);
        child = isl_schedule_node_child(child, 0);
        if (empty == isl_bool_false)
            one = build(child, isl_union_set_copy(part), inner);
        else
            isl_union_map_free(inner);
        isl_schedule_node_free(child);
        isl_union_set_free(part);
        if (empty < 0 || (!empty && !one)) {
            all = isl_schedule_free(all);
            n = -1;
            break;
        }
        if (empty)
            continue;
        if (!all)
            all = one;
        else if (is_set)
            all = isl_schedule_set(all, one);
        else
            all = isl_schedule_sequence(all, one);
    }
    isl_union_map_free(order);
    if (!all && n >= 0)
        return isl_schedule_from_domain(domain);
    isl_union_set_free(domain);
    return all;
}

/* subtree, or ordered if "sequences".  NULL for a node that is an error, which
 * has no leaf to end at.
 */
static __isl_give isl_schedule *rebuild(__isl_keep isl_schedule_node *node,
                                        __isl_take isl_union_set *domain,
                                        __isl_take isl_union_map *order,
                                        bool sequences)
{
    enum isl_schedule_node_type type = isl_schedule_node_get_type(node);
    isl_schedule_node *child;
    isl_schedule *body;
    isl_size n;
    bool *coincident;

    if (type == isl_schedule_node_error || !domain) {
        isl_union_set_free(domain);
        isl_union_map_free(order);
        return NULL;
    }
    if (type == isl_schedule_node_sequence || type == isl_schedule_node_set)
        return children(node, domain, order, sequences ? &ordered : &subtree);
    if (type == isl_schedule_node_leaf) {
        isl_union_map_free(order);
        return isl_schedule_from_domain(domain);
    }
    child = isl_schedule_node_get_child(node, 0);
    body = rebuild(child, domain, order, sequences);
    isl_schedule_node_free(child);
    if (!body || type != isl_schedule_node_band)
        return body;
    n = isl_schedule_node_band_n_member(node);
    coincident = pg_alloc(n < 0 ? 0 : (size_t)n, sizeof(*coincident));
    for (int i = 0; i < n; i++)
        coincident[i] =
            isl_schedule_node_band_member_get_coincident(node, i) > 0;
    body = pg_tree_band(body, pg_tree_members(node),
                        isl_schedule_node_band_get_permutable(node) > 0,
                        coincident);
    free(coincident);
    return body;
}

/* The tree below and with "node" for "domain"; "order" is not looked at. */
static __isl_give isl_schedule *subtree(__isl_keep isl_schedule_node *node,
                                        __isl_take isl_union_set *domain,
                                        __isl_take isl_union_map *order)
{
    return rebuild(node, domain, order, false);
}

/* subtree with sequences instead of sets. */
static __isl_give isl_schedule *ordered(__isl_keep isl_schedule_node *node,
                                        __isl_take isl_union_set *domain,
                                        __isl_take isl_union_map *order)
{
    return rebuild(node, domain, order, true);
}

/* The tree below and with "node" as a schedule of its own, for the instances
 * "domain" only.
 */
__isl_give isl_schedule *pg_tree_subtree(__isl_keep isl_schedule_node *node,
                                         __isl_take isl_union_set *domain)
{
    return subtree(node, domain,
                   isl_union_map_empty(isl_union_set_get_space(domain)));
}

/* pg_tree_subtree with sequences instead of sets. */
__isl_give isl_schedule *pg_tree_ordered(__isl_keep isl_schedule_node *node,
                                         __isl_take isl_union_set *domain)
{
    return ordered(node, domain,
                   isl_union_map_empty(isl_union_set_get_space(domain)));
}

/* Is no pair of "order" sent backwards by "member"?  Gives in "*stays"
 * whether all pairs have equal values.
 */
static isl_bool forward(__isl_keep isl_union_map *order,
                        __isl_keep isl_union_pw_aff *member, bool *stays)
{
    isl_multi_union_pw_aff *value =
        isl_multi_union_pw_aff_from_union_pw_aff(isl_union_pw_aff_copy(member));
    isl_union_map *back, *ahead;
    isl_bool result, empty;

    ahead = isl_union_map_lex_lt_at_multi_union_pw_aff(
        isl_union_map_copy(order), isl_multi_union_pw_aff_copy(value));
    back = isl_union_map_lex_gt_at_multi_union_pw_aff(isl_union_map_copy(order),
                                                      value);
    result = isl_union_map_is_empty(back);
    empty = isl_union_map_is_empty(ahead);
    isl_union_map_free(ahead);
    isl_union_map_free(back);
    *stays = result > 0 && empty > 0;
    return empty < 0 ? isl_bool_error : result;
}

/* Does "member" have the same value for all of "domain"?  A loop of one
 * iteration is not parallel in any way that helps.
 */
static bool is_fixed(__isl_keep isl_union_pw_aff *member,
                     __isl_keep isl_union_set *domain)
{
    isl_union_map *map =
        isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(member));
    isl_set *values;
    bool fixed;

    map = isl_union_map_intersect_domain(map, isl_union_set_copy(domain));
    values = isl_set_from_union_set(isl_union_map_range(map));
    fixed = isl_set_is_singleton(values) == isl_bool_true;
    isl_set_free(values);
    return fixed;
}

/* A band over the members of "list" from number "from" on, and over "inner".
 * As many members as have no negative distance form one permutable band, the
 * rest goes below.
 */
static __isl_give isl_schedule *annotate_chain(
    __isl_take isl_union_pw_aff_list *list, __isl_keep isl_schedule_node *inner,
    __isl_take isl_union_set *domain, __isl_take isl_union_map *order)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(list);
    bool *coincident = pg_alloc(n < 0 ? 0 : (size_t)n, sizeof(*coincident));
    isl_union_pw_aff_list *group;
    isl_schedule *body;
    int size = 0;

    while (size < n) {
        isl_union_pw_aff *member =
            isl_union_pw_aff_list_get_union_pw_aff(list, size);
        isl_bool ok = forward(order, member, &coincident[size]);

        if (ok > 0 && coincident[size] && is_fixed(member, domain))
            coincident[size] = false;
        isl_union_pw_aff_free(member);
        if (ok < 0)
            n = -1;
        if (ok <= 0 && (size > 0 || ok < 0))
            break;
        size++;
    }
    group = isl_union_pw_aff_list_drop(isl_union_pw_aff_list_copy(list),
                                       (unsigned)size,
                                       n < 0 ? 0 : (unsigned)(n - size));
    list = isl_union_pw_aff_list_drop(list, 0, (unsigned)size);
    order = pg_equal_at(order, group);
    if (n < 0) {
        isl_union_pw_aff_list_free(list);
        isl_union_set_free(domain);
        isl_union_map_free(order);
        body = NULL;
    } else if (size < n) {
        body = annotate_chain(list, inner, domain, order);
    } else {
        isl_union_pw_aff_list_free(list);
        body = pg_tree_annotate(inner, domain, order);
    }
    body = pg_tree_band(body, group, true, coincident);
    free(coincident);
    return body;
}

/* The tree below and with "node" for "domain", with bands that say which of
 * their members are coincident and permutable with respect to "order".
 * Chains of bands become as few bands as possible.
 */
__isl_give isl_schedule *pg_tree_annotate(__isl_keep isl_schedule_node *node,
                                          __isl_take isl_union_set *domain,
                                          __isl_take isl_union_map *order)
{
    isl_schedule_node *at = isl_schedule_node_copy(node);
    isl_union_pw_aff_list *list;
    isl_schedule *result;

    list = isl_union_pw_aff_list_alloc(isl_schedule_node_get_ctx(node), 0);
    for (;;) {
        enum isl_schedule_node_type type = isl_schedule_node_get_type(at);

        if (type == isl_schedule_node_band)
            list = isl_union_pw_aff_list_concat(list, pg_tree_members(at));
        if (type == isl_schedule_node_error ||
            type == isl_schedule_node_sequence ||
            type == isl_schedule_node_set || type == isl_schedule_node_leaf)
            break;
        at = isl_schedule_node_child(at, 0);
    }
    if (isl_union_pw_aff_list_n_union_pw_aff(list) > 0) {
        result = annotate_chain(list, at, domain, order);
    } else {
        isl_union_pw_aff_list_free(list);
        if (isl_schedule_node_get_type(at) == isl_schedule_node_leaf) {
            isl_union_map_free(order);
            result = isl_schedule_from_domain(domain);
        } else {
            result = children(at, domain, order, &pg_tree_annotate);
        }
    }
    isl_schedule_node_free(at);
    return result;
}

/* pg_tree_is_legal for a sequence or set: no pair goes from a later child to
 * an earlier one (in a set: to another one), and every child is legal.
 */
static isl_bool children_legal(__isl_keep isl_schedule_node *node,
                               __isl_take isl_union_map *order)
{
    bool is_set = isl_schedule_node_get_type(node) == isl_schedule_node_set;
    isl_size n = isl_schedule_node_n_children(node);
    isl_union_set *others = isl_union_set_empty(isl_union_map_get_space(order));
    isl_bool legal = n < 0 ? isl_bool_error : isl_bool_true;

    for (int i = 0; legal == isl_bool_true && i < n; i++) {
        isl_schedule_node *child = isl_schedule_node_get_child(node, i);
        isl_union_set *filter = isl_schedule_node_filter_get_filter(child);
        isl_union_map *from, *back, *inner;

        from = isl_union_map_intersect_domain(isl_union_map_copy(order),
                                              isl_union_set_copy(filter));
        back = isl_union_map_intersect_range(isl_union_map_copy(from),
                                             isl_union_set_copy(others));
        inner = isl_union_map_intersect_range(isl_union_map_copy(from),
                                              isl_union_set_copy(filter));
        if (is_set) {
            isl_union_map_free(back);
            back = isl_union_map_subtract(from, isl_union_map_copy(inner));
        } else {
            isl_union_map_free(from);
        }
        legal = isl_union_map_is_empty(back);
        isl_union_map_free(back);
        child = isl_schedule_node_child(child, 0);
        if (legal == isl_bool_true)
            legal = pg_tree_is_legal(child, inner);
        else
            isl_union_map_free(inner);
        isl_schedule_node_free(child);
        others = isl_union_set_union(others, filter);
    }
    isl_union_set_free(others);
    isl_union_map_free(order);
    return legal;
}

/* Does the tree below and with "node" run the first instance of every pair of
 * "order" strictly before the second one?
 */
isl_bool pg_tree_is_legal(__isl_keep isl_schedule_node *node,
                          __isl_take isl_union_map *order)
{
    enum isl_schedule_node_type type = isl_schedule_node_get_type(node);
    isl_bool legal = isl_union_map_is_empty(order);
    isl_schedule_node *child;

    if (legal != isl_bool_false || type == isl_schedule_node_leaf ||
        type == isl_schedule_node_error) {
        isl_union_map_free(order);
        return type == isl_schedule_node_error ? isl_bool_error : legal;
    }
    if (type == isl_schedule_node_sequence || type == isl_schedule_node_set)
        return children_legal(node, order);
    if (type == isl_schedule_node_band &&
        isl_schedule_node_band_n_member(node) != 0) {
        isl_multi_union_pw_aff *partial =
            isl_schedule_node_band_get_partial_schedule(node);
        isl_union_map *back = isl_union_map_lex_gt_at_multi_union_pw_aff(
            isl_union_map_copy(order), isl_multi_union_pw_aff_copy(partial));

        order = isl_union_map_eq_at_multi_union_pw_aff(order, partial);
        legal = isl_union_map_is_empty(back);
        isl_union_map_free(back);
        if (legal != isl_bool_true) {
            isl_union_map_free(order);
            return legal;
        }
    }
    child = isl_schedule_node_get_child(node, 0);
    legal = pg_tree_is_legal(child, order);
    isl_schedule_node_free(child);
    return legal;
}

struct coefficients {
    long limit;
    bool within;
};

static isl_bool is_within(__isl_take isl_val *v, long limit)
{
    isl_ctx *ctx = isl_val_get_ctx(v);
    isl_val *most = isl_val_int_from_si(ctx, limit);
    isl_bool within = isl_val_le((v = isl_val_abs(v)), most);

    isl_val_free(v);
    isl_val_free(most);
    return within;
}

static isl_stat look_at_piece(__isl_take isl_set *set, __isl_take isl_aff *aff,
                              void *user)
{
    struct coefficients *c = user;
    isl_size n = isl_aff_dim(aff, isl_dim_in);

    for (int i = 0; i < n && c->within; i++)
        c->within = is_within(isl_aff_get_coefficient_val(aff, isl_dim_in, i),
                              c->limit) == isl_bool_true;
    isl_set_free(set);
    isl_aff_free(aff);
    return n < 0 ? isl_stat_error : isl_stat_ok;
}

static isl_stat look_at_function(__isl_take isl_pw_aff *pa, void *user)
{
    isl_stat result = isl_pw_aff_foreach_piece(pa, &look_at_piece, user);

    isl_pw_aff_free(pa);
    return result;
}

static isl_bool look_at_band(__isl_keep isl_schedule_node *node, void *user)
{
    isl_multi_union_pw_aff *schedule;
    isl_stat ok = isl_stat_ok;
    isl_size n;

    if (isl_schedule_node_get_type(node) != isl_schedule_node_band)
        return isl_bool_true;
    schedule = isl_schedule_node_band_get_partial_schedule(node);
    n = isl_multi_union_pw_aff_dim(schedule, isl_dim_set);
    for (int i = 0; i < n && ok == isl_stat_ok; i++) {
        isl_union_pw_aff *member =
            isl_multi_union_pw_aff_get_union_pw_aff(schedule, i);

        ok = isl_union_pw_aff_foreach_pw_aff(member, &look_at_function, user);
        isl_union_pw_aff_free(member);
    }
    isl_multi_union_pw_aff_free(schedule);
    return n < 0 || ok != isl_stat_ok ? isl_bool_error : isl_bool_true;
}

/* Is no iterator multiplied by more than "limit" in the bands of "schedule"? */
isl_bool pg_tree_is_compact(__isl_keep isl_schedule *schedule, long limit)
{
    struct coefficients c = {limit, true};

    if (isl_schedule_foreach_schedule_node_top_down(schedule, &look_at_band,
                                                    &c) != isl_stat_ok)
        return isl_bool_error;
    return isl_bool_ok(c.within);
}

/* A number for how parallel the tree below and with "node" is: for every
 * statement twice the parallel dimensions of the outermost band that has any,
 * or once the dimensions that a wavefront would have.  -1 on error.
 */
int pg_tree_parallel(__isl_keep isl_schedule_node *node)
{
    enum isl_schedule_node_type type = isl_schedule_node_get_type(node);
    isl_size n = isl_schedule_node_n_children(node), members;
    isl_union_set *domain;
    isl_size statements;
    int sum = 0, run = 0;

    if (type == isl_schedule_node_error || n < 0)
        return -1;
    if (type == isl_schedule_node_band) {
        bool permutable = isl_schedule_node_band_get_permutable(node) > 0;

        members = isl_schedule_node_band_n_member(node);
        domain = isl_schedule_node_get_universe_domain(node);
        statements = isl_union_set_n_set(domain);
        isl_union_set_free(domain);
        for (int i = 0; i < members; i++)
            if (isl_schedule_node_band_member_get_coincident(node, i) > 0)
                run++;
            else if (!permutable && run)
                break;
        if (run)
            return 2 * run * statements;
        sum = permutable && members > 1 ? (members - 1) * statements : 0;
    }
    for (int i = 0, inner = 0; i < n; i++) {
        isl_schedule_node *child = isl_schedule_node_get_child(node, i);
        int one = pg_tree_parallel(child);

        isl_schedule_node_free(child);
        if (one < 0)
            return -1;
        inner += one;
        if (i == n - 1 && inner)
            sum = inner;
    }
    return sum;
}

/* Is "band" to be skewed to become parallel: permutable, with nothing that is
 * coincident in it or below?
 */
bool pg_tree_is_wave(__isl_keep isl_schedule_node *band)
{
    isl_size n = isl_schedule_node_band_n_member(band);
    isl_schedule_node *child = isl_schedule_node_get_child(band, 0);
    bool parallel = pg_tree_parallel(child) > 0;

    isl_schedule_node_free(child);
    for (int i = 0; i < n; i++)
        parallel |= isl_schedule_node_band_member_get_coincident(band, i) > 0;
    return n > 1 && !parallel &&
           isl_schedule_node_band_get_permutable(band) > 0;
}

/* The loop outside of all that "band" is, { S[i] -> [v] }: its first member, or
 * a wavefront's sum.
 */
__isl_give isl_union_pw_aff *
pg_tree_outer_loop(__isl_keep isl_schedule_node *band)
{
    isl_union_pw_aff_list *members = pg_tree_members(band);
    isl_union_pw_aff *first;

    if (pg_tree_is_wave(band))
        members = pg_tree_skewed(members);
    first = isl_union_pw_aff_list_get_union_pw_aff(members, 0);
    isl_union_pw_aff_list_free(members);
    return first;
}

/* Is every leaf below a band with a coincident member, at "node" or below? */
bool pg_tree_all_nested(__isl_keep isl_schedule_node *node)
{
    enum isl_schedule_node_type type = isl_schedule_node_get_type(node);
    isl_size n = isl_schedule_node_n_children(node), members;
    bool all = true;

    if (type == isl_schedule_node_error || type == isl_schedule_node_leaf)
        return false;
    if (type == isl_schedule_node_band) {
        members = isl_schedule_node_band_n_member(node);
        for (int i = 0; i < members; i++)
            if (isl_schedule_node_band_member_get_coincident(node, i) > 0)
                return true;
    }
    for (int i = 0; all && i < n; i++) {
        isl_schedule_node *child = isl_schedule_node_get_child(node, i);

        all = pg_tree_all_nested(child);
        isl_schedule_node_free(child);
    }
    return all && n > 0;
}

/* The number of statements whose outermost band with parallel members has just
 * one, and whose instances are all in further parallel loops inside of it.
 */
int pg_tree_nested(__isl_keep isl_schedule_node *node)
{
    isl_size n = isl_schedule_node_n_children(node), members;
    int sum = 0, parallel = 0;
    isl_union_set *domain;

    if (isl_schedule_node_get_type(node) == isl_schedule_node_band) {
        members = isl_schedule_node_band_n_member(node);
        for (int i = 0; i < members; i++)
            parallel +=
                isl_schedule_node_band_member_get_coincident(node, i) > 0;
    }
    if (parallel > 1)
        return 0;
    for (int i = 0; i < n; i++) {
        isl_schedule_node *child = isl_schedule_node_get_child(node, i);

        if (!parallel) {
            sum += pg_tree_nested(child);
        } else if (pg_tree_all_nested(child)) {
            domain = isl_schedule_node_get_universe_domain(child);
            sum = isl_union_set_n_set(domain);
            isl_union_set_free(domain);
        }
        isl_schedule_node_free(child);
    }
    return sum;
}

/* A band over all dimensions of "set", if it has any, as a schedule. */
__isl_give isl_schedule *pg_tree_scan(__isl_take isl_set *set)
{
    isl_multi_aff *identity =
        isl_space_identity_multi_aff_on_domain(isl_set_get_space(set));
    isl_schedule *schedule =
        isl_schedule_from_domain(isl_union_set_from_set(set));

    identity = isl_multi_aff_reset_tuple_id(identity, isl_dim_out);
    if (isl_multi_aff_dim(identity, isl_dim_out) > 0)
        return isl_schedule_insert_partial_schedule(
            schedule, isl_multi_union_pw_aff_from_multi_aff(identity));
    isl_multi_aff_free(identity);
    return schedule;
}
