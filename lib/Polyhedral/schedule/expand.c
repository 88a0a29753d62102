/* expand.c - a copy of a scalar or array for each iteration of some loops.
 *
 * An array whose values never go from one iteration of a loop to another, and
 * come all from the SCoP itself, only looks as if its iterations depended on
 * each other: they overwrite each other's values.  With an element for each
 * iteration they do not (array expansion: Feautrier, "Array expansion", ICS
 * 1988).  The loops are those around all accesses; the copy for iteration
 * [i,j] of element [x] is element [i,j,x] of a temporary on the device.  What
 * lives on after the SCoP is copied to its place at the end.
 *
 * A temporary has at most as many elements as some array of the program that
 * the SCoP accesses, or a fixed small multiple of that where extents are known
 * numbers, or a fixed small number.  Where it would have more, it has copies
 * for fewer loops: the others keep the storage.
 *
 * Threads of a CPU have copies on their stacks or in memory that is lent to
 * them (privatise.c), and need one for all iterations of theirs: there the
 * loops do not count.  What lives on is copied by the iteration that writes it
 * last.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/expand.h"
#include "dependence/dependences.h"
#include "polygpu/polyhedral.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/coalesce.h"
#include "support/text.h"
#include "support/values.h"

#include <isl/ilp.h>
#include <isl/space.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALL_BYTES = 1 << 20, /* what a temporary may have in any case */
    SMALL_FACTOR = 16,     /* how often as large as an array it may be */
    LENT_BYTES = 1 << 26,  /* what one iteration may have for threads */
    MAX_PIECES = 4         /* of the way back to an array that lives on */
};

/* An array that might be expanded. */
struct candidate {
    struct pg_scop *scop;
    unsigned array;
    bool for_threads;              /* the temporary is to be no memory */
    isl_union_map *reads, *writes; /* { S[i] -> A[x] } of existing instances */
    isl_union_map *flow;           /* { S[i] -> T[j] }, by this array */
    isl_union_map *all_flow;       /* the same, by all arrays; not owned */
    isl_union_set *accessing;      /* the statements with these, a universe; */
                                   /* NULL: all */
    bool is_used_behind;           /* others read what they have left there */
    isl_union_pw_aff_list
        *around; /* { S[i] -> [v] } of loops, outermost first */
    isl_union_pw_aff_list *loops; /* some of them */
};

static void clear_candidate(struct candidate *c)
{
    isl_union_map_free(c->reads);
    isl_union_map_free(c->writes);
    isl_union_map_free(c->flow);
    isl_union_set_free(c->accessing);
    isl_union_pw_aff_list_free(c->around);
    isl_union_pw_aff_list_free(c->loops);
}

/* The loops of "schedule" that are around all of "stmts" (a universe). */
__isl_give isl_union_pw_aff_list *
pg_loops_around(__isl_keep isl_schedule *schedule,
                __isl_take isl_union_set *stmts)
{
    isl_schedule_node *node = isl_schedule_get_root(schedule);
    isl_union_pw_aff_list *loops =
        isl_union_pw_aff_list_alloc(isl_schedule_get_ctx(schedule), 0);

    while (node) {
        isl_schedule_node *child;

        if (isl_schedule_node_get_type(node) == isl_schedule_node_band)
            loops = isl_union_pw_aff_list_concat(loops, pg_tree_members(node));
        child = pg_tree_child_with(node, stmts);
        isl_schedule_node_free(node);
        node = child;
    }
    isl_union_set_free(stmts);
    return loops;
}

/* Do all pairs of "relation" have the same value of "loop"? */
bool pg_stays_within(__isl_keep isl_union_map *relation,
                     __isl_take isl_union_pw_aff *loop)
{
    isl_union_pw_aff_list *list = isl_union_pw_aff_list_from_union_pw_aff(loop);
    isl_union_map *equal = pg_equal_at(isl_union_map_copy(relation), list);
    isl_bool within = isl_union_map_is_subset(relation, equal);

    isl_union_pw_aff_list_free(list);
    isl_union_map_free(equal);
    return within == isl_bool_true;
}

/* The copy's loop values and element { S[i] -> A'[loops, x] } for "access",
 * { S[i] -> A[x] }.
 */
__isl_give isl_map *pg_in_loops(__isl_take isl_map *access,
                                __isl_keep isl_union_pw_aff_list *loops,
                                const char *name)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(loops);
    isl_space *stmt = isl_space_domain(isl_map_get_space(access));
    isl_map *result = NULL;

    for (int i = 0; i < n; i++) {
        isl_union_pw_aff *loop =
            isl_union_pw_aff_list_get_union_pw_aff(loops, i);
        isl_map *value = isl_map_from_union_map(isl_union_map_intersect_domain(
            isl_union_map_from_union_pw_aff(loop),
            isl_union_set_from_set(isl_set_universe(isl_space_copy(stmt)))));

        result = result ? isl_map_flat_range_product(result, value) : value;
    }
    isl_space_free(stmt);
    result = result ? isl_map_flat_range_product(result, access) : access;
    return isl_map_set_tuple_name(result, isl_dim_out, name);
}

/* Is access "j" of statement "i" one of the candidate's? */
static bool is_its_access(const struct candidate *c, unsigned i, unsigned j)
{
    const struct pg_stmt *stmt = &c->scop->stmts[i];
    isl_union_set *universe;
    bool has;

    if (stmt->accesses[j].array != c->array)
        return false;
    if (!c->accessing)
        return true;
    universe = isl_union_set_from_set(
        isl_set_universe(isl_set_get_space(stmt->domain)));
    has = isl_union_set_is_subset(universe, c->accessing) == isl_bool_true;
    isl_union_set_free(universe);
    return has;
}

/* All elements of the candidate's copy with "loops", in one set. */
static __isl_give isl_set *elements(const struct candidate *c,
                                    __isl_keep isl_union_pw_aff_list *loops)
{
    isl_set *all = NULL;

    for (unsigned i = 0; i < c->scop->n_stmt; i++) {
        const struct pg_stmt *stmt = &c->scop->stmts[i];

        for (unsigned j = 0; j < stmt->n_access; j++) {
            isl_map *map;
            isl_set *set;

            if (!is_its_access(c, i, j))
                continue;
            map = pg_in_loops(isl_map_copy(stmt->accesses[j].relation), loops,
                              "elements");
            map = isl_map_intersect_domain(map, isl_set_copy(stmt->domain));
            set = isl_set_intersect_params(isl_map_range(map),
                                           isl_set_copy(c->scop->context));
            all = all ? isl_set_union(all, set) : set;
        }
    }
    return pg_coalesce(all);
}

/* The extents of "set", { A[x] : x >= 0 }, as expressions of the parameters;
 * NULL if a subscript may be negative or has no bound.
 */
isl_pw_aff **pg_set_extents(__isl_keep isl_set *set)
{
    isl_size n = isl_set_dim(set, isl_dim_set);
    isl_pw_aff **extents = n < 0 ? NULL : pg_alloc((size_t)n, sizeof(*extents));

    for (int d = 0; extents && d < n; d++) {
        isl_set *positive = isl_set_lower_bound_si(isl_set_copy(set),
                                                   isl_dim_set, (unsigned)d, 0);

        if (isl_set_is_subset(set, positive) == isl_bool_true &&
            isl_set_dim_has_upper_bound(set, isl_dim_set, (unsigned)d) ==
                isl_bool_true)
            extents[d] = isl_pw_aff_add_constant_val(
                isl_set_dim_max(isl_set_copy(set), d),
                isl_val_one(isl_set_get_ctx(set)));
        isl_set_free(positive);
        if (extents[d])
            continue;
        while (d > 0)
            isl_pw_aff_free(extents[--d]);
        free(extents);
        extents = NULL;
    }
    return extents;
}

void pg_free_extents(isl_pw_aff **extents, unsigned n)
{
    for (unsigned d = 0; extents && d < n; d++)
        isl_pw_aff_free(extents[d]);
    free(extents);
}

/* Is "a" never more than "b", where both are defined? */
static bool at_most(__isl_keep isl_pw_aff *a, __isl_keep isl_pw_aff *b)
{
    isl_set *more = isl_pw_aff_gt_set(isl_pw_aff_copy(a), isl_pw_aff_copy(b));
    isl_bool none = isl_set_is_empty(more);

    isl_set_free(more);
    return none == isl_bool_true;
}

/* Is there for each of the "n" extents "small" from number "i" on one of the
 * "m" extents "large" that is not smaller and not in "used" yet?  Some that are
 * at most "factor" together need none.
 */
static bool match(isl_pw_aff **small, unsigned n, isl_pw_aff **large,
                  unsigned m, unsigned i, unsigned used, double factor)
{
    isl_val *most;
    double size;

    if (i == n)
        return true;
    for (unsigned j = 0; j < m; j++)
        if (!(used & 1u << j) && at_most(small[i], large[j]) &&
            match(small, n, large, m, i + 1, used | 1u << j, factor))
            return true;
    most = pg_largest_value(isl_set_from_pw_aff(isl_pw_aff_copy(small[i])));
    size = isl_val_is_int(most) == isl_bool_true ? pg_val_to_double(most)
                                                 : factor + 1;
    isl_val_free(most);
    return size <= factor &&
           match(small, n, large, m, i + 1, used, factor / size);
}

/* Are all subscripts of "set" bounded by numbers, and are elements of "size"
 * bytes SMALL_BYTES at most?
 */
static bool is_small(__isl_keep isl_set *set, unsigned size)
{
    isl_size n = isl_set_dim(set, isl_dim_set);
    double bytes = size;

    for (int d = 0; d < n; d++) {
        isl_val *most = isl_set_dim_max_val(isl_set_copy(set), d);

        bytes *= isl_val_is_int(most) == isl_bool_true
                     ? pg_val_to_double(most) + 1
                     : SMALL_BYTES + 1.0;
        isl_val_free(most);
    }
    return bytes <= SMALL_BYTES;
}

/* May there be a temporary for "set", with these extents, of elements of
 * "size" bytes?
 */
bool pg_may_be_temporary(const struct pg_scop *scop, __isl_keep isl_set *set,
                         isl_pw_aff **extents, unsigned size)
{
    unsigned n = (unsigned)isl_set_dim(set, isl_dim_set);
    bool fits = is_small(set, size);
    isl_union_pw_aff_list *none = isl_union_pw_aff_list_alloc(scop->ctx, 0);

    for (unsigned a = 0; !fits && a < scop->n_array; a++) {
        struct candidate other = {.scop = (struct pg_scop *)scop, .array = a};
        isl_pw_aff **large;
        isl_set *whole;

        if (scop->arrays[a].kind != PG_ARRAY_MEMORY ||
            scop->arrays[a].n_dim == 0)
            continue;
        whole = elements(&other, none);
        large = whole ? pg_set_extents(whole) : NULL;
        isl_set_free(whole);
        fits = large && match(extents, n, large, scop->arrays[a].n_dim, 0, 0,
                              SMALL_FACTOR);
        pg_free_extents(large, scop->arrays[a].n_dim);
    }
    isl_union_pw_aff_list_free(none);
    return fits;
}

/* { [loops] -> copy[x] }: in which iteration of "loops" element x is written
 * last in the order of the source.  NULL if that is not simple.
 */
static __isl_give isl_map *last_writers(const struct candidate *c,
                                        __isl_keep isl_union_pw_aff_list *loops)
{
    isl_set *all = pg_coalesce(isl_set_from_union_set(
        isl_union_map_range(isl_union_map_copy(c->writes))));
    isl_set *copies = isl_set_set_tuple_name(isl_set_copy(all), "copy");
    isl_map *read =
        isl_map_identity(isl_space_map_from_set(isl_set_get_space(all)));
    isl_schedule *end =
        isl_schedule_sequence(isl_schedule_copy(c->scop->original),
                              pg_tree_scan(isl_set_copy(copies)));
    isl_union_map *last;
    isl_map *result, *back;
    bool simple;

    read = isl_map_set_tuple_name(read, isl_dim_in, "copy");
    read = isl_map_intersect_domain(read, copies);
    last = pg_value_flow(isl_union_map_from_map(read),
                         isl_union_map_copy(c->writes), end, NULL);
    last = isl_union_map_apply_domain(
        last, isl_union_map_from_multi_union_pw_aff(
                  pg_tree_join(isl_union_pw_aff_list_copy(loops))));
    result = pg_coalesce_map(isl_map_from_union_map(last));
    back = isl_map_reverse(isl_map_copy(result));
    simple = isl_map_is_single_valued(back) == isl_bool_true &&
             isl_map_n_basic_map(back) <= MAX_PIECES;
    isl_map_free(back);
    isl_set_free(all);
    return simple ? result : isl_map_free(result);
}

/* Two accesses of "copy": reads the last temporary, writes the array. */
static void set_accesses(const struct candidate *c, struct pg_stmt *copy,
                         __isl_take isl_map *read, __isl_take isl_map *write)
{
    copy->kind = PG_STMT_COPY;
    copy->origin = c->scop->n_stmt - 1;
    copy->total = true;
    copy->n_access = 2;
    copy->accesses = pg_alloc(2, sizeof(*copy->accesses));
    copy->accesses[0] =
        (struct pg_access){c->scop->n_array - 1, false, true, read, false};
    copy->accesses[1] = (struct pg_access){c->array, true, true, write, false};
}

/* Make "copy", a statement that runs after all others, copy what was written
 * last, as "last" (taken) says, from the temporary "name" to the array itself.
 * Fails if that is not simple.
 */
static isl_stat copy_back(struct candidate *c, struct pg_stmt *copy,
                          __isl_take isl_map *last, const char *name)
{
    struct pg_scop *scop = c->scop;
    const char *array = scop->arrays[c->array].name;
    isl_map *read, *write;

    if (!last)
        return isl_stat_error;
    copy->name = pg_format("copy%u", c->array);
    last = isl_map_set_tuple_name(last, isl_dim_out, copy->name);
    copy->domain = pg_coalesce(isl_set_from_union_set(
        isl_union_map_range(isl_union_map_copy(c->writes))));
    copy->domain = isl_set_set_tuple_name(copy->domain, copy->name);
    write = isl_map_identity(
        isl_space_map_from_set(isl_set_get_space(copy->domain)));
    write = isl_map_set_tuple_name(write, isl_dim_out, array);
    read =
        isl_map_flat_range_product(isl_map_reverse(last), isl_map_copy(write));
    read = isl_map_set_tuple_name(read, isl_dim_out, name);
    scop->original = isl_schedule_sequence(
        scop->original, pg_tree_scan(isl_set_copy(copy->domain)));
    set_accesses(c, copy, read, write);
    return copy->domain && scop->original ? isl_stat_ok : isl_stat_error;
}

/* The tree below and with "node" with "copies", { copy[l,x] }, at the end of
 * the body of the loops with the values l, of which there are "n" more from
 * number "first" on around "stmts" (a universe).  NULL if these loops are in no
 * bands of their own, or after an error.
 */
static __isl_give isl_schedule *with_inside(__isl_keep isl_schedule_node *node,
                                            __isl_keep isl_union_set *stmts,
                                            __isl_keep isl_set *copies,
                                            int first, int n);

/* The band "node", so that it has the copies as well. */
static __isl_give isl_schedule *
band_with_inside(__isl_keep isl_schedule_node *node,
                 __isl_keep isl_union_set *stmts, __isl_keep isl_set *copies,
                 int first, int n)
{
    isl_union_pw_aff_list *members = pg_tree_members(node);
    isl_size size = isl_union_pw_aff_list_n_union_pw_aff(members);
    isl_schedule_node *child = isl_schedule_node_get_child(node, 0);
    isl_schedule *body =
        size < 0 || size > n
            ? NULL
            : with_inside(child, stmts, copies, first + size, n - size);

    isl_schedule_node_free(child);
    for (int i = 0; body && i < size; i++) {
        isl_multi_aff *all =
            isl_space_identity_multi_aff_on_domain(isl_set_get_space(copies));
        isl_union_pw_aff *value = isl_union_pw_aff_from_pw_aff(
            isl_pw_aff_from_aff(isl_multi_aff_get_aff(all, first + i)));

        isl_multi_aff_free(all);
        value = isl_union_pw_aff_union_add(
            value, isl_union_pw_aff_list_get_union_pw_aff(members, i));
        members = isl_union_pw_aff_list_set_union_pw_aff(members, i, value);
    }
    if (body)
        return pg_tree_band(body, members, false, NULL);
    isl_union_pw_aff_list_free(members);
    return NULL;
}

/* The sequence or set "node", of which one child has the copies. */
static __isl_give isl_schedule *
children_with_inside(__isl_keep isl_schedule_node *node,
                     __isl_keep isl_union_set *stmts,
                     __isl_keep isl_set *copies, int first, int n)
{
    bool is_set = isl_schedule_node_get_type(node) == isl_schedule_node_set;
    isl_schedule *all = NULL;

    for (int i = 0; i < isl_schedule_node_n_children(node); i++) {
        isl_schedule_node *child =
            isl_schedule_node_child(isl_schedule_node_get_child(node, i), 0);
        isl_union_set *here = isl_schedule_node_get_universe_domain(child);
        bool whole = isl_union_set_is_subset(stmts, here) == isl_bool_true;
        isl_schedule *one =
            whole ? with_inside(child, stmts, copies, first, n)
                  : pg_tree_subtree(child, isl_schedule_node_get_domain(child));

        isl_schedule_node_free(child);
        isl_union_set_free(here);
        if (!one)
            return isl_schedule_free(all);
        all = !all     ? one
              : is_set ? isl_schedule_set(all, one)
                       : isl_schedule_sequence(all, one);
    }
    return all;
}

static __isl_give isl_schedule *with_inside(__isl_keep isl_schedule_node *node,
                                            __isl_keep isl_union_set *stmts,
                                            __isl_keep isl_set *copies,
                                            int first, int n)
{
    enum isl_schedule_node_type type = isl_schedule_node_get_type(node);
    isl_schedule_node *child;
    isl_schedule *result;

    if (n == 0) {
        isl_multi_aff *x =
            isl_space_identity_multi_aff_on_domain(isl_set_get_space(copies));
        isl_schedule *copying = isl_schedule_from_domain(
            isl_union_set_from_set(isl_set_copy(copies)));

        x = isl_multi_aff_reset_tuple_id(x, isl_dim_out);
        x = isl_multi_aff_drop_dims(x, isl_dim_out, 0, (unsigned)first);
        if (isl_multi_aff_dim(x, isl_dim_out) > 0)
            copying = isl_schedule_insert_partial_schedule(
                copying, isl_multi_union_pw_aff_from_multi_aff(x));
        else
            isl_multi_aff_free(x);
        return isl_schedule_sequence(
            pg_tree_subtree(node, isl_schedule_node_get_domain(node)), copying);
    }
    if (type == isl_schedule_node_band)
        return band_with_inside(node, stmts, copies, first, n);
    if (type == isl_schedule_node_sequence || type == isl_schedule_node_set)
        return children_with_inside(node, stmts, copies, first, n);
    if (type == isl_schedule_node_leaf || type == isl_schedule_node_error)
        return NULL;
    child = isl_schedule_node_get_child(node, 0);
    result = with_inside(child, stmts, copies, first, n);
    isl_schedule_node_free(child);
    return result;
}

/* Where what lives on is copied to its place by the iteration of "loops" that
 * writes it last, as "last" says: "*copies" become these copies, { copy[l,x] },
 * and the result is the order with them, or NULL.
 */
static __isl_give isl_schedule *
order_with_copies(const struct candidate *c,
                  __isl_keep isl_union_pw_aff_list *loops,
                  __isl_keep isl_map *last, __isl_give isl_set **copies)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(loops);
    isl_schedule_node *root = isl_schedule_get_root(c->scop->original);
    isl_schedule *order = NULL;
    char *name = pg_format("copy%u", c->array);

    *copies = isl_set_flatten(isl_map_wrap(isl_map_copy(last)));
    *copies = isl_set_set_tuple_name(*copies, name);
    for (int i = 0; i < n; i++) {
        isl_union_pw_aff *one =
            isl_union_pw_aff_list_get_union_pw_aff(loops, i);
        isl_union_pw_aff *same =
            i < isl_union_pw_aff_list_n_union_pw_aff(c->around)
                ? isl_union_pw_aff_list_get_union_pw_aff(c->around, i)
                : NULL;

        if (isl_union_pw_aff_plain_is_equal(one, same) != isl_bool_true)
            n = -1;
        isl_union_pw_aff_free(one);
        isl_union_pw_aff_free(same);
    }
    if (n > 0)
        order = with_inside(root, c->accessing, *copies, 0, n);
    isl_schedule_node_free(root);
    free(name);
    return order;
}

/* Make "copy" the statement for "copies" (taken), { copy[l,x] }, which copies
 * element [l,x] of the temporary "name".
 */
static isl_stat copy_inside(struct candidate *c, struct pg_stmt *copy,
                            __isl_take isl_set *copies, unsigned n_loop,
                            const char *name)
{
    isl_map *same =
        isl_map_identity(isl_space_map_from_set(isl_set_get_space(copies)));
    isl_map *read =
        isl_map_set_tuple_name(isl_map_copy(same), isl_dim_out, name);
    isl_map *write = isl_map_project_out(same, isl_dim_out, 0, n_loop);

    write = isl_map_set_tuple_name(write, isl_dim_out,
                                   c->scop->arrays[c->array].name);
    copy->name = pg_format("copy%u", c->array);
    copy->domain = copies;
    set_accesses(c, copy, read, write);
    return copies && read && write ? isl_stat_ok : isl_stat_error;
}

/* Give the candidate a temporary for "loops", with these extents, and have all
 * accesses go there.
 */
static isl_stat redirect(struct candidate *c,
                         __isl_keep isl_union_pw_aff_list *loops,
                         __isl_take isl_pw_aff **extents)
{
    struct pg_scop *scop = c->scop;
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(loops);
    const struct pg_array *temporary =
        pg_scop_add_temporary(scop, c->array, "private", (unsigned)n, extents);

    for (unsigned i = 0; i < scop->n_stmt; i++)
        for (unsigned j = 0; j < scop->stmts[i].n_access; j++) {
            struct pg_access *access = &scop->stmts[i].accesses[j];
            isl_map *relation;

            if (!is_its_access(c, i, j))
                continue;
            relation = pg_in_loops(isl_map_copy(access->relation), loops,
                                   temporary->name);
            isl_map_free(access->relation);
            access->relation = relation;
            access->array = scop->n_array - 1;
            if (!relation)
                return isl_stat_error;
        }
    return isl_stat_ok;
}

/* The same for what lives on: what is written last gets to its place, behind
 * all loops or for threads by the iteration that writes it.  "*done" if that
 * can be.
 */
static isl_stat redirect_living(struct candidate *c,
                                __isl_keep isl_union_pw_aff_list *loops,
                                __isl_take isl_pw_aff **extents, unsigned n_dim,
                                bool *done)
{
    struct pg_scop *scop = c->scop;
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(loops);
    isl_map *last = last_writers(c, loops);
    isl_set *copies = NULL;
    isl_schedule *order = NULL;
    const char *name;

    if (last && c->for_threads)
        order = order_with_copies(c, loops, last, &copies);
    if (c->for_threads && !order) {
        isl_map_free(last);
        isl_set_free(copies);
        pg_free_extents(extents, n_dim);
        return isl_stat_ok;
    }
    *done = true;
    if (redirect(c, loops, extents) != isl_stat_ok) {
        isl_map_free(last);
        isl_set_free(copies);
        isl_schedule_free(order);
        return isl_stat_error;
    }
    name = scop->arrays[scop->n_array - 1].name;
    if (!c->for_threads)
        return copy_back(c, pg_scop_add_stmt(scop), last, name);
    isl_map_free(last);
    isl_schedule_free(scop->original);
    scop->original = order;
    return copy_inside(c, pg_scop_add_stmt(scop), copies, (unsigned)n, name);
}

/* Would a copy for "loops" undo a dependence?  One between iterations of a
 * loop, because something is overwritten.
 */
static bool undoes(const struct candidate *c,
                   __isl_keep isl_union_pw_aff_list *loops)
{
    isl_union_map *writers =
        isl_union_map_reverse(isl_union_map_copy(c->writes));
    isl_union_map *same =
        isl_union_map_apply_range(isl_union_map_copy(c->writes), writers);
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(loops);
    bool undoes = false;

    for (int i = 0; !undoes && i < n; i++)
        undoes = !pg_stays_within(
            same, isl_union_pw_aff_list_get_union_pw_aff(loops, i));
    isl_union_map_free(same);
    return undoes;
}

/* Keep of the candidate's loops those that no value crosses. */
static void keep_private(struct candidate *c)
{
    for (int i = 0; i < isl_union_pw_aff_list_n_union_pw_aff(c->loops);) {
        isl_union_pw_aff *loop =
            isl_union_pw_aff_list_get_union_pw_aff(c->loops, i);

        if (pg_stays_within(c->flow, loop))
            i++;
        else
            c->loops = isl_union_pw_aff_list_drop(c->loops, (unsigned)i, 1);
    }
}

/* Are there no more than LENT_BYTES in the subscripts of "set" from number
 * "first" on that are bounded by numbers?  The others are seen at run time.
 */
static bool may_be_lent(__isl_keep isl_set *set, unsigned size, int first)
{
    isl_size n = isl_set_dim(set, isl_dim_set);
    double bytes = size;

    for (int d = first; d < n; d++) {
        isl_val *most = isl_set_dim_max_val(isl_set_copy(set), d);

        if (isl_val_is_int(most) == isl_bool_true)
            bytes *= pg_val_to_double(most) + 1;
        isl_val_free(most);
    }
    return bytes <= LENT_BYTES;
}

/* May the candidate's copy have the elements of "set", with these extents? */
static bool may_be(const struct candidate *c, __isl_keep isl_set *set,
                   isl_pw_aff **extents)
{
    const struct pg_array *array = &c->scop->arrays[c->array];
    isl_size n = isl_set_dim(set, isl_dim_set);

    return c->for_threads
               ? may_be_lent(set, array->elem_size, n - (int)array->n_dim)
               : pg_may_be_temporary(c->scop, set, extents, array->elem_size);
}

/* Expand the candidate for "loops" if that undoes something and memory allows
 * it.  "*done" if it was.
 */
static isl_stat try_loops(struct candidate *c,
                          __isl_keep isl_union_pw_aff_list *loops, bool *done)
{
    isl_pw_aff **extents;
    isl_set *set;
    bool fits;
    unsigned n;

    if (!undoes(c, loops))
        return loops ? isl_stat_ok : isl_stat_error;
    set = elements(c, loops);
    n = (unsigned)isl_set_dim(set, isl_dim_set);
    extents = set ? pg_set_extents(set) : NULL;
    fits = extents && may_be(c, set, extents);
    isl_set_free(set);
    if (!fits) {
        pg_free_extents(extents, n);
        return isl_stat_ok;
    }
    if (!c->scop->arrays[c->array].dead_after || c->is_used_behind)
        return redirect_living(c, loops, extents, n, done);
    *done = true;
    return redirect(c, loops, extents);
}

/* The candidate's loops without those that carry values in another array, and
 * so are sequential whatever happens to this one.
 */
static __isl_give isl_union_pw_aff_list *
without_carriers(const struct candidate *c)
{
    isl_union_map *flow = isl_union_map_copy(c->all_flow);
    isl_union_pw_aff_list *kept = isl_union_pw_aff_list_alloc(c->scop->ctx, 0);
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(c->loops);

    for (int i = 0; i < n; i++) {
        isl_union_pw_aff *loop =
            isl_union_pw_aff_list_get_union_pw_aff(c->loops, i);
        isl_union_pw_aff_list *one = isl_union_pw_aff_list_from_union_pw_aff(
            isl_union_pw_aff_copy(loop));

        if (pg_stays_within(flow, isl_union_pw_aff_copy(loop)))
            kept = isl_union_pw_aff_list_add(kept, isl_union_pw_aff_copy(loop));
        flow = pg_equal_at(flow, one);
        isl_union_pw_aff_list_free(one);
        isl_union_pw_aff_free(loop);
    }
    isl_union_map_free(flow);
    return kept;
}

/* Try "loops" (taken), and then without the last of them (or "first"), and so
 * on, until the candidate is expanded.
 */
static isl_stat try_fewer(struct candidate *c,
                          __isl_take isl_union_pw_aff_list *loops, bool first,
                          bool *done)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(loops);
    isl_stat result = isl_stat_ok;

    while (result == isl_stat_ok && !*done && n > 0) {
        result = try_loops(c, loops, done);
        n--;
        loops = isl_union_pw_aff_list_drop(loops, first ? 0 : (unsigned)n, 1);
    }
    isl_union_pw_aff_list_free(loops);
    return result;
}

/* Expand the candidate for all loops that no value of it crosses.  Where memory
 * does not allow that, for fewer: for the outer ones of those that may become
 * parallel, else for the inner ones.
 */
static isl_stat expand(struct candidate *c, bool *done)
{
    bool expanded = false;
    isl_stat result;

    keep_private(c);
    result = try_loops(c, c->loops, &expanded);
    if (result == isl_stat_ok)
        result = try_fewer(c, without_carriers(c), false, &expanded);
    if (result == isl_stat_ok)
        result =
            try_fewer(c, isl_union_pw_aff_list_copy(c->loops), true, &expanded);
    *done |= expanded;
    return result;
}

/* Let the candidate have no reads but those in the outermost loop around all of
 * its writes: what others read is what this leaves in the array.
 */
static void leave_out_reads_behind(struct candidate *c)
{
    isl_schedule_node *node = isl_schedule_get_root(c->scop->original);
    isl_union_set *writing = isl_union_set_universe(
        isl_union_map_domain(isl_union_map_copy(c->writes)));
    isl_union_map *inside;

    while (node && isl_schedule_node_get_type(node) != isl_schedule_node_band) {
        isl_schedule_node *child = pg_tree_child_with(node, writing);

        isl_schedule_node_free(node);
        node = child;
    }
    isl_union_set_free(writing);
    if (!node)
        return;
    inside = isl_union_map_intersect_domain(
        isl_union_map_copy(c->reads),
        isl_schedule_node_get_universe_domain(node));
    isl_schedule_node_free(node);
    c->is_used_behind =
        isl_union_map_is_subset(c->reads, inside) == isl_bool_false;
    isl_union_map_free(c->reads);
    c->reads = inside;
}

/* Look at array "array" of "scop"; expand it if that helps. */
static isl_stat look_at(struct pg_scop *scop, unsigned array, bool for_threads,
                        __isl_keep isl_union_map *flow, bool *done)
{
    struct candidate c = {.scop = scop,
                          .array = array,
                          .for_threads = for_threads,
                          .reads = pg_scop_accesses_of(scop, array, false),
                          .writes = pg_scop_accesses_of(scop, array, true),
                          .all_flow = flow};
    isl_bool none = isl_union_map_is_empty(c.writes), inside;
    isl_stat result = none < 0 ? isl_stat_error : isl_stat_ok;
    isl_union_set *live_in = NULL;

    if (none == isl_bool_false) {
        if (for_threads)
            leave_out_reads_behind(&c);
        c.flow = pg_value_flow(isl_union_map_copy(c.reads),
                               isl_union_map_copy(c.writes),
                               isl_schedule_copy(scop->original), &live_in);
        inside = isl_union_set_is_empty(live_in);
        if (inside < 0)
            result = isl_stat_error;
        if (inside == isl_bool_true) {
            c.accessing = isl_union_set_universe(isl_union_set_union(
                isl_union_map_domain(isl_union_map_copy(c.reads)),
                isl_union_map_domain(isl_union_map_copy(c.writes))));
            c.around = pg_loops_around(scop->original,
                                       isl_union_set_copy(c.accessing));
            c.loops = isl_union_pw_aff_list_copy(c.around);
            result = expand(&c, done);
        }
        isl_union_set_free(live_in);
    }
    clear_candidate(&c);
    return result;
}

/* A copy of "scop" with temporaries for those of its arrays that have a use for
 * that, those "for_threads" or those in memory; NULL if there are none.
 */
static struct pg_scop *with_copies(const struct pg_scop *scop, bool for_threads)
{
    struct pg_scop *copy = pg_scop_copy(scop);
    isl_stat result = isl_stat_ok;
    bool done = false;

    for (unsigned a = 0; result == isl_stat_ok && a < scop->n_array; a++)
        if (scop->arrays[a].kind != PG_ARRAY_TEMPORARY &&
            !(scop->arrays[a].flagged && for_threads))
            result = look_at(copy, a, for_threads, scop->raw, &done);
    if (result == isl_stat_ok && done)
        return copy;
    pg_scop_free(copy);
    return NULL;
}

/* A copy of "scop", which has its dependences, with an element for each
 * iteration of the loops around it for every scalar and array that has a use
 * for that.  NULL if there is none, or after an error of isl.
 */
struct pg_scop *pg_scop_expand(const struct pg_scop *scop)
{
    return with_copies(scop, false);
}

/* The same for that of which each thread can have what one iteration needs. */
struct pg_scop *pg_scop_expand_for_threads(const struct pg_scop *scop)
{
    return with_copies(scop, true);
}
