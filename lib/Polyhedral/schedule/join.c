/* join.c - loops that do not depend on each other and read the same arrays
 * become one: they are one kernel then, with one launch, and what one statement
 * reads is in the cache for the next (kernel fusion, Nugteren and Corporaal,
 * "Bones", 2014, section 6).  So do those that are one loop in the source,
 * which sets several fields of structures: they are in the same sectors of
 * memory.
 *
 * Only loops all of which are parallel, with nothing but statements inside, of
 * about the same lengths: there is no less parallelism than before but that of
 * the launches, which run one after the other anyway.  Whole products would not
 * gain: Bones measured that for mvt and bicg, which became slower by half.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/join.h"
#include "polygpu/polyhedral.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/text.h"

#include <isl/ilp.h>
#include <isl/val.h>
#include <stdlib.h>

enum {
    MAX_LOOPS = 64, /* that are looked at in one place */
    NEAR = 32,      /* by so much lengths and beginnings may differ */
    MAX_CODE =
        1024, /* instructions that are joined: a point's are to stay in */
              /* the instruction cache, and registers in reach */
    MAX_PARALLEL = 8
};

static const bool all_coincident[MAX_PARALLEL] = {true, true, true, true,
                                                  true, true, true, true};

/* Parallel loops around statements, or those that were joined. */
struct loops {
    isl_union_set *domain;
    isl_union_pw_aff_list *members; /* NULL: not of that kind */
    isl_schedule *tree;             /* of others */
    double code;
};

/* ---- What can be joined -------------------------------------------------- */

/* The members of the band "node" if all are parallel and there is nothing but
 * statements below it, else NULL.
 */
static __isl_give isl_union_pw_aff_list *
parallel_members(__isl_keep isl_schedule_node *node)
{
    isl_schedule_node *below;
    bool leaf;
    isl_size n;

    if (isl_schedule_node_get_type(node) != isl_schedule_node_band)
        return NULL;
    below = isl_schedule_node_get_child(node, 0);
    leaf = isl_schedule_node_get_type(below) == isl_schedule_node_leaf;
    isl_schedule_node_free(below);
    n = isl_schedule_node_band_n_member(node);
    for (int i = 0; leaf && i < n; i++)
        leaf = isl_schedule_node_band_member_get_coincident(node, i) ==
               isl_bool_true;
    return leaf && n > 0 && n <= MAX_PARALLEL ? pg_tree_members(node) : NULL;
}

/* Has "domain" instances of statement "s"? */
static bool has(const struct pg_scop *scop, __isl_keep isl_union_set *domain,
                unsigned s)
{
    isl_set *part = isl_union_set_extract_set(
        domain, isl_set_get_space(scop->stmts[s].domain));
    bool any = isl_set_plain_is_empty(part) == isl_bool_false;

    isl_set_free(part);
    return any;
}

/* The instructions of a point of "domain". */
static double code_of(const struct pg_scop *scop,
                      __isl_keep isl_union_set *domain)
{
    double code = 0;

    for (unsigned s = 0; s < scop->n_stmt; s++)
        if (has(scop, domain, s))
            code += pg_stmt_code(&scop->stmts[s]);
    return code;
}

/* Do the statements of "domain" read "array", or if "any" access it? */
static bool reads(const struct pg_scop *scop, __isl_keep isl_union_set *domain,
                  unsigned array, bool any)
{
    for (unsigned s = 0; s < scop->n_stmt; s++) {
        const struct pg_stmt *stmt = &scop->stmts[s];
        bool found = false;

        for (unsigned a = 0; !found && a < stmt->n_access; a++)
            found = (any || !stmt->accesses[a].write) &&
                    stmt->accesses[a].array == array;
        if (found && has(scop, domain, s))
            return true;
    }
    return false;
}

/* Has a statement instances in both? */
static bool overlap(const struct pg_scop *scop, const struct loops *a,
                    const struct loops *b)
{
    for (unsigned s = 0; s < scop->n_stmt; s++)
        if (has(scop, a->domain, s) && has(scop, b->domain, s))
            return true;
    return false;
}

/* Is "set" one piece without remainders? */
static bool is_plain(__isl_keep isl_set *set)
{
    isl_set *plain = isl_set_remove_divs(isl_set_copy(set));
    bool is = isl_set_n_basic_set(set) <= 1 &&
              isl_set_plain_is_equal(set, plain) == isl_bool_true;

    isl_set_free(plain);
    return is;
}

/* The values { [v0, v1, ...] } of "members" at "part" of a statement, if there
 * are as many as "part" has iterators; else "part".
 */
static __isl_give isl_set *values_at(__isl_take isl_set *part,
                                     __isl_keep isl_union_pw_aff_list *members)
{
    isl_union_map *values = isl_union_map_from_multi_union_pw_aff(
        pg_tree_join(isl_union_pw_aff_list_copy(members)));
    isl_union_set *all;

    if (isl_set_dim(part, isl_dim_set) !=
        isl_union_pw_aff_list_n_union_pw_aff(members)) {
        isl_union_map_free(values);
        return part;
    }
    all = isl_union_set_apply(isl_union_set_from_set(part), values);
    return isl_set_coalesce(isl_set_from_union_set(all));
}

/* Is each statement's part of "domain" one piece without remainders, or are the
 * values of "members"?  Loops for others together took more operations than
 * there are (remainders.c).
 */
static bool is_simple(const struct pg_scop *scop,
                      __isl_keep isl_union_set *domain,
                      __isl_keep isl_union_pw_aff_list *members)
{
    bool simple = true;

    for (unsigned s = 0; simple && s < scop->n_stmt; s++) {
        isl_set *part = isl_union_set_extract_set(
            domain, isl_set_get_space(scop->stmts[s].domain));

        if (isl_set_plain_is_empty(part) == isl_bool_false && !is_plain(part))
            part = values_at(part, members);
        simple = is_plain(part);
        isl_set_free(part);
    }
    return simple;
}

/* Do both read an array, or if "any" access it? */
static bool share(const struct pg_scop *scop, const struct loops *a,
                  const struct loops *b, bool any)
{
    for (unsigned i = 0; i < scop->n_array; i++)
        if (scop->arrays[i].n_dim && reads(scop, a->domain, i, any) &&
            reads(scop, b->domain, i, any))
            return true;
    return false;
}

/* The first or last value of member "i" of "loops", by parameters. */
static __isl_give isl_pw_aff *end_of(const struct loops *loops, int i,
                                     bool last)
{
    isl_union_map *map = isl_union_map_from_union_pw_aff(
        isl_union_pw_aff_list_get_union_pw_aff(loops->members, i));
    isl_union_set *values =
        isl_union_set_apply(isl_union_set_copy(loops->domain), map);
    isl_set *set = isl_set_from_union_set(values);

    return last ? isl_set_dim_max(set, 0) : isl_set_dim_min(set, 0);
}

/* Are the values of "difference" near 0? */
static bool is_small(__isl_take isl_pw_aff *difference)
{
    isl_set *values = isl_set_from_pw_aff(isl_pw_aff_coalesce(difference));
    isl_val *low, *high;
    bool small;

    values = isl_set_project_out(values, isl_dim_param, 0,
                                 (unsigned)isl_set_dim(values, isl_dim_param));
    low = isl_set_dim_min_val(isl_set_copy(values), 0);
    high = isl_set_dim_max_val(values, 0);
    small = isl_val_is_int(low) == isl_bool_true &&
            isl_val_is_int(high) == isl_bool_true &&
            isl_val_cmp_si(low, -NEAR) >= 0 && isl_val_cmp_si(high, NEAR) <= 0;
    isl_val_free(low);
    isl_val_free(high);
    return small;
}

/* Do the loops of both begin and end in about the same places? */
static bool are_alike(const struct loops *a, const struct loops *b)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(a->members);
    bool alike = n == isl_union_pw_aff_list_n_union_pw_aff(b->members);

    for (int i = 0; alike && i < n; i++)
        for (int last = 0; alike && last < 2; last++)
            alike = is_small(
                isl_pw_aff_sub(end_of(a, i, last), end_of(b, i, last)));
    return alike;
}

/* Has the part of the tree at "node" a loop? */
static bool has_loop(__isl_keep isl_schedule_node *node)
{
    bool found = isl_schedule_node_get_type(node) == isl_schedule_node_band;
    isl_size n = isl_schedule_node_n_children(node);

    for (int i = 0; !found && i < n; i++) {
        isl_schedule_node *child = isl_schedule_node_get_child(node, i);

        found = has_loop(child);
        isl_schedule_node_free(child);
    }
    return found;
}

/* The number of the child of "node" that has all of "domain", or -1. */
static int child_with(__isl_keep isl_schedule_node *node,
                      __isl_keep isl_union_set *domain)
{
    isl_size n = isl_schedule_node_n_children(node);
    int with = -1;

    for (int i = 0; with < 0 && i < n; i++) {
        isl_schedule_node *child = isl_schedule_node_get_child(node, i);
        isl_union_set *there = isl_schedule_node_get_domain(child);

        if (isl_union_set_is_subset(domain, there) == isl_bool_true)
            with = i;
        isl_union_set_free(there);
        isl_schedule_node_free(child);
    }
    return with;
}

/* Are "a" and "b" statements of one innermost loop of the source? */
static bool are_one_loop(const struct pg_scop *scop, const struct loops *a,
                         const struct loops *b)
{
    isl_union_set *both = isl_union_set_union(isl_union_set_copy(a->domain),
                                              isl_union_set_copy(b->domain));
    isl_schedule_node *node = isl_schedule_get_root(scop->original);
    int next;
    bool one;

    while ((next = child_with(node, both)) >= 0)
        node = isl_schedule_node_child(node, next);
    one = node && !has_loop(node) &&
          isl_schedule_node_get_type(node) != isl_schedule_node_leaf;
    isl_schedule_node_free(node);
    isl_union_set_free(both);
    return one;
}

static bool can_join(const struct pg_scop *scop, const struct loops *a,
                     const struct loops *b, bool any)
{
    return a->members && b->members && a->code + b->code <= MAX_CODE &&
           !overlap(scop, a, b) &&
           (share(scop, a, b, any) ||
            (share(scop, a, b, true) && are_one_loop(scop, a, b))) &&
           are_alike(a, b);
}

/* ---- Joined -------------------------------------------------------------- */

/* Make "b" a part of "a". */
static void join(struct loops *a, struct loops *b)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(a->members);

    for (int i = 0; i < n; i++)
        a->members = isl_union_pw_aff_list_set_union_pw_aff(
            a->members, i,
            isl_union_pw_aff_union_add(
                isl_union_pw_aff_list_get_union_pw_aff(a->members, i),
                isl_union_pw_aff_list_get_union_pw_aff(b->members, i)));
    a->members = n < 0 ? isl_union_pw_aff_list_free(a->members) : a->members;
    a->domain = isl_union_set_union(a->domain, b->domain);
    a->code += b->code;
    isl_union_pw_aff_list_free(b->members);
}

/* The tree of "loops", which it takes. */
static __isl_give isl_schedule *tree_of(struct loops *loops)
{
    if (loops->tree) {
        isl_union_set_free(loops->domain);
        return loops->tree;
    }
    return pg_tree_band(isl_schedule_from_domain(loops->domain), loops->members,
                        true, all_coincident);
}

static __isl_give isl_schedule *rebuild(const struct pg_scop *scop,
                                        __isl_keep isl_schedule_node *node,
                                        bool *joined);

/* Child "i" of the sequence or set "node". */
static struct loops take_child(const struct pg_scop *scop,
                               __isl_keep isl_schedule_node *node, int i,
                               bool may_join, bool *joined)
{
    isl_schedule_node *child = isl_schedule_node_get_child(node, i);
    struct loops loops = {0};

    child = isl_schedule_node_child(child, 0); // of its filter
    loops.domain = isl_schedule_node_get_domain(child);
    if (may_join)
        loops.members = parallel_members(child);
    if (loops.members && !is_simple(scop, loops.domain, loops.members))
        loops.members = isl_union_pw_aff_list_free(loops.members);
    if (loops.members)
        loops.code = code_of(scop, loops.domain);
    else
        loops.tree = rebuild(scop, child, joined);
    isl_schedule_node_free(child);
    return loops;
}

/* The children of "node", those of a set joined where they can be. */
static __isl_give isl_schedule *
rebuild_children(const struct pg_scop *scop, __isl_keep isl_schedule_node *node,
                 bool *joined)
{
    bool set = isl_schedule_node_get_type(node) == isl_schedule_node_set;
    isl_size n = isl_schedule_node_n_children(node);
    struct loops *all = pg_alloc(n > 0 ? (unsigned)n : 1, sizeof(*all));
    isl_schedule *tree = NULL;
    unsigned count = 0;

    for (int i = 0; i < n; i++) {
        struct loops one =
            take_child(scop, node, i, set && n <= MAX_LOOPS, joined);
        unsigned with = 0;

        while (with < count && !can_join(scop, &all[with], &one, false))
            with++;
        if (with < count) {
            join(&all[with], &one);
            *joined = true;
        } else {
            all[count++] = one;
        }
    }
    for (unsigned i = 0; i < count; i++) {
        isl_schedule *one = tree_of(&all[i]);

        if (!tree)
            tree = one;
        else
            tree = set ? isl_schedule_set(tree, one)
                       : isl_schedule_sequence(tree, one);
    }
    free(all);
    return tree;
}

/* The tree below "node" anew.  What is inside of other loops stays as it is:
 * these may become chains, waves or tiles in time, for which lu has no way any
 * more with its rows and columns joined.
 */
static __isl_give isl_schedule *rebuild(const struct pg_scop *scop,
                                        __isl_keep isl_schedule_node *node,
                                        bool *joined)
{
    enum isl_schedule_node_type type = isl_schedule_node_get_type(node);

    if (type == isl_schedule_node_set || type == isl_schedule_node_sequence)
        return rebuild_children(scop, node, joined);
    return pg_tree_subtree(node, isl_schedule_node_get_domain(node));
}

/* "schedule" with loops joined, of which it is not said again what is parallel;
 * NULL if there are none to be joined.
 */
__isl_give isl_schedule *pg_join(const struct pg_scop *scop,
                                 __isl_keep isl_schedule *schedule)
{
    isl_schedule_node *root = isl_schedule_get_root(schedule);
    isl_schedule_node *top = isl_schedule_node_get_child(root, 0);
    bool joined = false;
    isl_schedule *tree = rebuild(scop, top, &joined);

    isl_schedule_node_free(top);
    isl_schedule_node_free(root);
    return joined ? tree : isl_schedule_free(tree);
}

/* ---- Neighbours in a sequence -------------------------------------------- */

/* The parallel loops that child "i" of the sequence "node" is, for what of it
 * is among "instances"; without members if it is something else.
 */
static struct loops loops_of(const struct pg_scop *scop,
                             __isl_keep isl_schedule_node *node, int i,
                             __isl_keep isl_union_set *instances)
{
    isl_schedule_node *child = isl_schedule_node_get_child(node, i);
    struct loops loops = {0};

    child = isl_schedule_node_child(child, 0); // of its filter
    loops.members = parallel_members(child);
    if (loops.members) {
        loops.domain = isl_union_set_intersect(
            isl_schedule_node_get_domain(child), isl_union_set_copy(instances));
        loops.code = code_of(scop, loops.domain);
        if (!is_simple(scop, loops.domain, loops.members))
            loops.members = isl_union_pw_aff_list_free(loops.members);
    }
    isl_schedule_node_free(child);
    return loops;
}

static void clear_loops(struct loops *loops)
{
    isl_union_set_free(loops->domain);
    isl_union_pw_aff_list_free(loops->members);
}

/* Do the dependences of "b" on "a" connect equal values of the members, which
 * are those of "joined"?
 */
static bool are_beside(const struct pg_scop *scop, const struct loops *a,
                       const struct loops *b, const struct loops *joined)
{
    isl_union_map *order = pg_scop_order(scop), *stay;
    bool beside;

    order =
        isl_union_map_intersect_domain(order, isl_union_set_copy(a->domain));
    order = isl_union_map_intersect_range(order, isl_union_set_copy(b->domain));
    stay = pg_equal_at(isl_union_map_copy(order), joined->members);
    beside = isl_union_map_is_subset(order, stay) == isl_bool_true;
    isl_union_map_free(order);
    isl_union_map_free(stay);
    return beside;
}

/* Have "b" in "a" as well, if that is possible. */
static bool take_in(const struct pg_scop *scop, struct loops *a,
                    const struct loops *b)
{
    struct loops both = {isl_union_set_copy(a->domain),
                         isl_union_pw_aff_list_copy(a->members), NULL, a->code};
    struct loops other = {isl_union_set_copy(b->domain),
                          isl_union_pw_aff_list_copy(b->members), NULL,
                          b->code};

    if (!can_join(scop, a, b, true)) {
        clear_loops(&both);
        clear_loops(&other);
        return false;
    }
    join(&both, &other);
    if (!are_beside(scop, a, b, &both)) {
        clear_loops(&both);
        return false;
    }
    clear_loops(a);
    *a = both;
    return true;
}

/* One parallel loop for child "from" of the sequence "node" and as many of
 * those behind it, before "to", as can be joined with it, in their order
 * inside; their end in "*end".  NULL if there are none, or if there is
 * something else. "instances" are those of one iteration of the loops around.
 */
__isl_give isl_schedule *
pg_join_next(const struct pg_scop *scop, __isl_keep isl_schedule_node *node,
             int from, int to, __isl_keep isl_union_set *instances, int *end)
{
    struct loops all = loops_of(scop, node, from, instances);
    isl_schedule *tree = NULL;

    *end = from + 1;
    while (all.members && *end < to) {
        struct loops next = loops_of(scop, node, *end, instances);
        bool taken = next.members && take_in(scop, &all, &next);

        if (taken && !tree)
            tree = isl_schedule_from_domain(
                isl_union_set_subtract(isl_union_set_copy(all.domain),
                                       isl_union_set_copy(next.domain)));
        if (taken)
            tree = isl_schedule_sequence(
                tree,
                isl_schedule_from_domain(isl_union_set_copy(next.domain)));
        clear_loops(&next);
        if (!taken)
            break;
        ++*end;
    }
    if (tree)
        tree = pg_tree_band(tree, isl_union_pw_aff_list_copy(all.members), true,
                            all_coincident);
    clear_loops(&all);
    return tree;
}
