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
 * Threads of a CPU have copies on their stacks, and need one for all iterations
 * of theirs: there the loops do not count.  What lives on has none.
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
    STACK_BYTES = 1 << 14, /* what one iteration may have on a stack */
    MAX_PIECES = 4         /* of the way back to an array that lives on */
};

/* An array that might be expanded. */
struct candidate {
    struct pg_scop *scop;
    unsigned array;
    bool on_stack;                 /* the temporary is to be no memory */
    isl_union_map *reads, *writes; /* { S[i] -> A[x] } of existing instances */
    isl_union_map *flow;           /* { S[i] -> T[j] }, by this array */
    isl_union_map *all_flow;       /* the same, by all arrays; not owned */
    isl_union_pw_aff_list *loops;  /* { S[i] -> [v] }, outermost first */
};

static void clear_candidate(struct candidate *c)
{
    isl_union_map_free(c->reads);
    isl_union_map_free(c->writes);
    isl_union_map_free(c->flow);
    isl_union_pw_aff_list_free(c->loops);
}

/* The loops of "schedule" that are around all of "stmts" (a universe). */
static __isl_give isl_union_pw_aff_list *
loops_around(__isl_keep isl_schedule *schedule, __isl_take isl_union_set *stmts)
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
static bool stays_within(__isl_keep isl_union_map *relation,
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
static __isl_give isl_map *expanded(__isl_keep isl_map *access,
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
    result = result ? isl_map_flat_range_product(result, isl_map_copy(access))
                    : isl_map_copy(access);
    return isl_map_set_tuple_name(result, isl_dim_out, name);
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

            if (stmt->accesses[j].array != c->array)
                continue;
            map = expanded(stmt->accesses[j].relation, loops, "elements");
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

static void free_extents(isl_pw_aff **extents, unsigned n)
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

/* Are the subscripts of "set" from number "first" on bounded by numbers, and
 * are elements of "size" bytes "most_bytes" at most?
 */
static bool is_small(__isl_keep isl_set *set, unsigned size, int first,
                     int most_bytes)
{
    isl_size n = isl_set_dim(set, isl_dim_set);
    double bytes = size;

    for (int d = first; d < n; d++) {
        isl_val *most = isl_set_dim_max_val(isl_set_copy(set), d);

        bytes *= isl_val_is_int(most) == isl_bool_true
                     ? pg_val_to_double(most) + 1
                     : most_bytes + 1.0;
        isl_val_free(most);
    }
    return bytes <= most_bytes;
}

/* May there be a temporary for "set", with these extents, of elements of
 * "size" bytes?
 */
static bool is_bounded(const struct pg_scop *scop, __isl_keep isl_set *set,
                       isl_pw_aff **extents, unsigned size)
{
    unsigned n = (unsigned)isl_set_dim(set, isl_dim_set);
    bool fits = is_small(set, size, 0, SMALL_BYTES);
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
        free_extents(large, scop->arrays[a].n_dim);
    }
    isl_union_pw_aff_list_free(none);
    return fits;
}

/* Make "copy", a statement that runs after all others, copy what was written
 * last from the temporary "name" with "loops" to the array itself.  Fails if
 * that is not simple.
 */
static isl_stat copy_back(struct candidate *c, struct pg_stmt *copy,
                          __isl_keep isl_union_pw_aff_list *loops,
                          const char *name)
{
    struct pg_scop *scop = c->scop;
    isl_map *write, *read, *where;
    isl_union_map *last;
    isl_schedule *end;
    bool simple;

    copy->kind = PG_STMT_COPY;
    copy->origin = scop->n_stmt - 1;
    copy->total = true;
    copy->name = pg_format("copy%u", c->array);
    copy->domain = pg_coalesce(isl_set_from_union_set(
        isl_union_map_range(isl_union_map_copy(c->writes))));
    write = isl_map_identity(
        isl_space_map_from_set(isl_set_get_space(copy->domain)));
    write = isl_map_set_tuple_name(write, isl_dim_in, copy->name);
    copy->domain = isl_set_set_tuple_name(copy->domain, copy->name);
    end = isl_schedule_sequence(isl_schedule_copy(scop->original),
                                pg_tree_scan(isl_set_copy(copy->domain)));
    last = pg_value_flow(
        isl_union_map_intersect_domain(
            isl_union_map_from_map(isl_map_copy(write)),
            isl_union_set_from_set(isl_set_copy(copy->domain))),
        isl_union_map_copy(c->writes), isl_schedule_copy(end), NULL);
    isl_schedule_free(scop->original);
    scop->original = end;
    /* { copy[x] -> [loops] } */
    last = isl_union_map_apply_domain(
        last, isl_union_map_from_multi_union_pw_aff(
                  pg_tree_join(isl_union_pw_aff_list_copy(loops))));
    where = isl_map_from_union_map(isl_union_map_reverse(last));
    where = pg_coalesce_map(where);
    read = isl_map_flat_range_product(where, isl_map_copy(write));
    read = isl_map_set_tuple_name(read, isl_dim_out, name);
    simple = isl_map_is_single_valued(read) == isl_bool_true &&
             isl_map_n_basic_map(read) <= MAX_PIECES;
    copy->n_access = 2;
    copy->accesses = pg_alloc(2, sizeof(*copy->accesses));
    copy->accesses[0] =
        (struct pg_access){scop->n_array - 1, false, true, read, false};
    copy->accesses[1] = (struct pg_access){c->array, true, true, write, false};
    return simple && copy->domain && scop->original ? isl_stat_ok
                                                    : isl_stat_error;
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
    const struct pg_array *array = &scop->arrays[c->array];

    for (unsigned i = 0; i < scop->n_stmt; i++)
        for (unsigned j = 0; j < scop->stmts[i].n_access; j++) {
            struct pg_access *access = &scop->stmts[i].accesses[j];
            isl_map *relation;

            if (access->array != c->array)
                continue;
            relation = expanded(access->relation, loops, temporary->name);
            isl_map_free(access->relation);
            access->relation = relation;
            access->array = scop->n_array - 1;
            if (!relation)
                return isl_stat_error;
        }
    if (array->dead_after)
        return isl_stat_ok;
    return copy_back(c, pg_scop_add_stmt(scop), loops, temporary->name);
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
        undoes = !stays_within(
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

        if (stays_within(c->flow, loop))
            i++;
        else
            c->loops = isl_union_pw_aff_list_drop(c->loops, (unsigned)i, 1);
    }
}

/* May the candidate's copy have the elements of "set", with these extents? */
static bool may_be(const struct candidate *c, __isl_keep isl_set *set,
                   isl_pw_aff **extents)
{
    const struct pg_array *array = &c->scop->arrays[c->array];
    isl_size n = isl_set_dim(set, isl_dim_set);

    return c->on_stack ? is_small(set, array->elem_size, n - (int)array->n_dim,
                                  STACK_BYTES)
                       : is_bounded(c->scop, set, extents, array->elem_size);
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
        free_extents(extents, n);
        return isl_stat_ok;
    }
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

        if (stays_within(flow, isl_union_pw_aff_copy(loop)))
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

/* Look at array "array" of "scop"; expand it if that helps. */
static isl_stat look_at(struct pg_scop *scop, unsigned array, bool on_stack,
                        __isl_keep isl_union_map *flow, bool *done)
{
    struct candidate c = {.scop = scop,
                          .array = array,
                          .on_stack = on_stack,
                          .reads = pg_scop_accesses_of(scop, array, false),
                          .writes = pg_scop_accesses_of(scop, array, true),
                          .all_flow = flow};
    isl_bool none = isl_union_map_is_empty(c.writes), inside;
    isl_stat result = none < 0 ? isl_stat_error : isl_stat_ok;
    isl_union_set *live_in = NULL;

    if (none == isl_bool_false) {
        c.flow = pg_value_flow(isl_union_map_copy(c.reads),
                               isl_union_map_copy(c.writes),
                               isl_schedule_copy(scop->original), &live_in);
        inside = isl_union_set_is_empty(live_in);
        if (inside < 0)
            result = isl_stat_error;
        if (inside == isl_bool_true) {
            c.loops = loops_around(
                scop->original,
                isl_union_set_universe(isl_union_set_union(
                    isl_union_map_domain(isl_union_map_copy(c.reads)),
                    isl_union_map_domain(isl_union_map_copy(c.writes)))));
            result = expand(&c, done);
        }
        isl_union_set_free(live_in);
    }
    clear_candidate(&c);
    return result;
}

/* A copy of "scop" with temporaries for those of its arrays that have a use for
 * that, those "on_stack" or those in memory; NULL if there are none.
 */
static struct pg_scop *with_copies(const struct pg_scop *scop, bool on_stack)
{
    struct pg_scop *copy = pg_scop_copy(scop);
    isl_stat result = isl_stat_ok;
    bool done = false;

    for (unsigned a = 0; result == isl_stat_ok && a < scop->n_array; a++)
        if (scop->arrays[a].kind != PG_ARRAY_TEMPORARY &&
            (scop->arrays[a].dead_after || !on_stack))
            result = look_at(copy, a, on_stack, scop->raw, &done);
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

/* The same for what is dead after the SCoP, and so small that each thread can
 * have what one iteration needs on its stack.
 */
struct pg_scop *pg_scop_expand_on_stack(const struct pg_scop *scop)
{
    return with_copies(scop, true);
}
