/* prefix.c - what a variable is in each iteration that updates it, in parallel.
 *
 *   for (i) { s = s + a[i]; b[i] = f(s); }
 *
 * The operator is associative: in chunks of consecutive iterations updates go
 * to a variable of the chunk, which begins with the neutral value, and what it
 * is behind each of them to an element of a temporary.  What chunks make is
 * combined in the same way in groups of chunks, and what groups make, one after
 * the other, into s itself.  Then each element of the temporary is combined
 * with the value of s in front of its group and that of the chunks in front of
 * its own, which makes it what s is there (Blelloch, "Prefix sums and their
 * applications", CMU-CS-90-190).
 *
 * The variant has these statements in an order that the source could have: all
 * of them in the iterations, chunks and groups that they belong to.  By its
 * dependences it is then seen whether all updates can come in front of what
 * uses the variable, as its schedule has it.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/prefix.h"
#include "dependence/dependences.h"
#include "schedule/expand.h"
#include "schedule/partials.h"
#include "schedule/sizes.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/coalesce.h"
#include "support/text.h"

#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>

/* Iterations of a chunk, which a thread has, and chunks of a group: of 2^24
 * iterations there are 2^18 threads, 4,096 groups (not measured on a GPU).
 */
enum { CHUNK = 64, GROUP = 64, LEAST = 2 };

enum { MAX_TARGETS = 4, MAX_PIECES = 4 };

/* A variable, or an element, that a statement updates. */
struct scanned {
    unsigned stmt, array;
    struct pg_update update;
    isl_map *element; /* { [h] -> A[x] }, where h are the loops around */
    isl_set *each;    /* { [h, i] } of its instances */
    /* Temporaries: what it is behind each iteration, from 1 on; what a chunk
     * makes, a group makes; what is in front of a chunk in its group; and of a
     * group. */
    unsigned value, chunk, group, in_front, begin;
    bool begins; /* some iteration reads what was there in front of the loop */
};

/* A loop that updates some. */
struct scan {
    struct pg_scop *made;
    isl_union_map *raw;           /* of the source */
    isl_union_pw_aff *loop;       /* its values, */
    isl_union_pw_aff_list *outer; /* and those of the loops around */
    unsigned n_host;              /* how many these are */
    long long chunk, group;       /* iterations of a chunk, chunks of a group */
    struct scanned of[MAX_TARGETS];
    unsigned n;
    isl_union_set *inside; /* its statements, universes, */
    isl_union_set *first;  /* those that make what is added up, */
    isl_union_set *late;   /* and those that do so later */
    bool shifted;          /* some iteration uses what another one made of it */
    isl_union_pw_aff *chunks, *groups; /* values of the loops over these */
};

/* An order that the source could have, and another one. */
struct orders {
    isl_schedule *source, *parallel;
};

struct making {
    const struct pg_scop *scop;
    struct pg_scop *made; /* and the variant */
    const bool *chosen;
    long long chunk, group;
    bool some, ok;
};

static void clear_scan(struct scan *s)
{
    for (unsigned i = 0; i < s->n; i++) {
        isl_map_free(s->of[i].element);
        isl_set_free(s->of[i].each);
    }
    isl_union_set_free(s->inside);
    isl_union_set_free(s->first);
    isl_union_set_free(s->late);
    isl_union_pw_aff_free(s->chunks);
    isl_union_pw_aff_free(s->groups);
}

static __isl_give isl_union_set *universe_of(const struct pg_stmt *stmt)
{
    return isl_union_set_from_set(
        isl_set_universe(isl_set_get_space(stmt->domain)));
}

static bool is_in(const struct pg_stmt *stmt, __isl_keep isl_union_set *set)
{
    isl_union_set *one = universe_of(stmt);
    isl_bool in = isl_union_set_is_subset(one, set);

    isl_union_set_free(one);
    return in == isl_bool_true;
}

/* ---- What is updated ------------------------------------------------------
 */

/* { S[i] -> [h, l] } of the instances of "stmt", with the values of the loops
 * around and of the loop itself.
 */
static __isl_give isl_map *loops_of(const struct scan *s,
                                    const struct pg_stmt *stmt)
{
    isl_union_pw_aff_list *all = isl_union_pw_aff_list_add(
        isl_union_pw_aff_list_copy(s->outer), isl_union_pw_aff_copy(s->loop));
    isl_union_map *values =
        isl_union_map_from_multi_union_pw_aff(pg_tree_join(all));
    isl_set *domain = isl_set_intersect_params(isl_set_copy(stmt->domain),
                                               isl_set_copy(s->made->context));

    return isl_map_from_union_map(
        isl_union_map_intersect_domain(values, isl_union_set_from_set(domain)));
}

/* { [h, x] -> [h, y] } of "set" for "rule", { [x] -> [y] }. */
static __isl_give isl_map *mapped(const struct scan *s, __isl_keep isl_set *set,
                                  const char *rule)
{
    isl_map *last = pg_iterators(set, s->n_host, 1);

    last = isl_map_apply_range(last, isl_map_read_from_str(s->made->ctx, rule));
    return isl_map_flat_range_product(pg_iterators(set, 0, s->n_host), last);
}

/* Is there for each iteration of "each", { [h, i] }, one for all numbers from 0
 * on in front of it?
 */
static bool is_counted(const struct scan *s, __isl_keep isl_set *each)
{
    isl_map *before = mapped(s, each, "{ [i] -> [j] : 0 <= j <= i or i < 0 }");
    isl_set *all = isl_map_range(before);
    isl_bool counted = isl_set_is_subset(all, each);

    isl_set_free(all);
    return counted == isl_bool_true;
}

/* Does the loop access array "a" in updates by "stmt" and in reads, at least
 * one, whatever data say?
 */
static bool accesses_fit(const struct scan *s, unsigned a, unsigned number)
{
    bool reads = false;

    for (unsigned i = 0; i < s->made->n_stmt; i++) {
        const struct pg_stmt *stmt = &s->made->stmts[i];

        if (i == number || !is_in(stmt, s->inside))
            continue;
        for (unsigned j = 0; j < stmt->n_access; j++) {
            const struct pg_access *access = &stmt->accesses[j];

            if (access->array != a)
                continue;
            if (access->write || access->guarded)
                return false;
            reads = true;
        }
    }
    return reads;
}

/* Look at "update" of statement number "number", which is in the loop. */
static void look_at_update(struct scan *s, unsigned number,
                           const struct pg_update *update)
{
    const struct pg_stmt *stmt = &s->made->stmts[number];
    const struct pg_access *updated = &stmt->accesses[update->updated];
    const struct pg_array *array = &s->made->arrays[updated->array];
    struct scanned *t = &s->of[s->n];
    isl_map *loops, *host;
    bool fits = s->n < MAX_TARGETS && !array->flagged && !array->indirect &&
                !updated->guarded && !stmt->accesses[update->old].guarded &&
                accesses_fit(s, updated->array, number);

    for (unsigned i = 0; i < stmt->n_access; i++)
        fits = fits && (stmt->accesses[i].array != updated->array ||
                        i == update->old || i == update->updated);
    if (!fits)
        return;
    loops = loops_of(s, stmt);
    host = isl_map_project_out(isl_map_copy(loops), isl_dim_out, s->n_host, 1);
    *t = (struct scanned){
        .stmt = number,
        .array = updated->array,
        .update = *update,
        .each = pg_coalesce(isl_map_range(isl_map_copy(loops))),
        .element = isl_map_apply_range(isl_map_reverse(host),
                                       isl_map_copy(updated->relation))};
    s->n++;
    if (isl_map_is_injective(loops) != isl_bool_true ||
        isl_map_is_single_valued(t->element) != isl_bool_true ||
        !is_counted(s, t->each)) {
        s->n--;
        isl_map_free(t->element);
        isl_set_free(t->each);
    }
    isl_map_free(loops);
}

/* Find the statements that make what is added up: those that updates depend on,
 * however many others are between, in the same iteration of the loops around.
 */
static void find_first(struct scan *s)
{
    isl_union_map *raw = isl_union_map_copy(s->raw);
    isl_union_set *first =
        isl_union_set_empty(isl_set_get_space(s->made->context));
    isl_size n = -1;

    raw = isl_union_map_intersect_domain(raw, isl_union_set_copy(s->inside));
    raw = isl_union_map_intersect_range(raw, isl_union_set_copy(s->inside));
    if (s->n_host > 0)
        raw = pg_equal_at(raw, s->outer);
    raw = isl_union_map_universe(raw);
    for (unsigned i = 0; i < s->n; i++)
        first = isl_union_set_union(
            first, universe_of(&s->made->stmts[s->of[i].stmt]));
    while (first && isl_union_set_n_set(first) != n) {
        n = isl_union_set_n_set(first);
        first = isl_union_set_union(
            first, isl_union_set_apply(
                       isl_union_set_copy(first),
                       isl_union_map_reverse(isl_union_map_copy(raw))));
    }
    isl_union_map_free(raw);
    s->first = first;
}

/* Find what the loop updates, in statements that are "chosen"; false if there
 * is nothing, or what is added up depends on it.
 */
static bool find_scanned(struct scan *s, const bool *chosen, unsigned n_stmt)
{
    bool apart;

    for (unsigned i = 0; i < n_stmt; i++) {
        const struct pg_stmt *stmt = &s->made->stmts[i];

        for (unsigned u = 0;
             chosen[i] && is_in(stmt, s->inside) && u < stmt->n_update; u++)
            look_at_update(s, i, &stmt->updates[u]);
    }
    if (s->n == 0)
        return false;
    find_first(s);
    apart = s->first != NULL;
    for (unsigned i = 0; apart && i < s->made->n_stmt; i++) {
        const struct pg_stmt *stmt = &s->made->stmts[i];

        for (unsigned j = 0; j < stmt->n_access; j++)
            for (unsigned t = 0; t < s->n; t++)
                apart = apart && (i == s->of[t].stmt ||
                                  stmt->accesses[j].array != s->of[t].array ||
                                  !is_in(stmt, s->first));
    }
    return apart;
}

/* ---- What uses it ---------------------------------------------------------
 */

/* Where instances of "stmt" find the value of "t" that they read, { S[i] ->
 * value[x] }, where "source" has the updates that these come from; NULL if that
 * is not simple.
 */
static __isl_give isl_map *place_of(struct scan *s, struct scanned *t,
                                    const struct pg_stmt *stmt,
                                    __isl_keep isl_union_map *source)
{
    isl_set *domain = isl_set_intersect_params(isl_set_copy(stmt->domain),
                                               isl_set_copy(s->made->context));
    isl_union_map *from = isl_union_map_intersect_domain(
        isl_union_map_copy(source),
        isl_union_set_from_set(isl_set_copy(domain)));
    isl_map *next, *place, *same;
    isl_set *others;

    next = isl_map_apply_range(
        isl_map_project_out(loops_of(s, &s->made->stmts[t->stmt]), isl_dim_out,
                            0, s->n_host),
        isl_map_read_from_str(s->made->ctx, "{ [i] -> [i + 1] }"));
    from = isl_union_map_apply_range(from, isl_union_map_from_map(next));
    if (isl_union_map_is_empty(from) == isl_bool_true) {
        isl_union_map_free(from);
        isl_set_free(domain);
        return NULL;
    }
    place = isl_map_from_union_map(from);
    same = isl_map_apply_range(
        isl_map_project_out(loops_of(s, stmt), isl_dim_out, 0, s->n_host),
        isl_map_read_from_str(s->made->ctx, "{ [i] -> [i + 1] }"));
    if (isl_map_is_equal(place, same) != isl_bool_true)
        s->shifted = true;
    isl_map_free(same);
    others = isl_set_subtract(isl_set_copy(domain),
                              isl_map_domain(isl_map_copy(place)));
    t->begins = t->begins || isl_set_is_empty(others) != isl_bool_true;
    place = isl_map_union(
        place, isl_map_apply_range(
                   isl_map_from_domain(others),
                   isl_map_read_from_str(s->made->ctx, "{ [] -> [0] }")));
    place = pg_coalesce_map(
        isl_map_gist_params(isl_map_gist_domain(pg_coalesce_map(place), domain),
                            isl_set_copy(s->made->context)));
    if (isl_map_n_basic_map(place) <= MAX_PIECES &&
        isl_map_is_single_valued(place) == isl_bool_true)
        return isl_map_set_tuple_name(place, isl_dim_out,
                                      s->made->arrays[t->value].name);
    return isl_map_free(place);
}

/* Does "access" of "stmt" lead to nothing but the element of "t"? */
static bool reads_only(const struct scan *s, const struct scanned *t,
                       const struct pg_stmt *stmt,
                       const struct pg_access *access)
{
    isl_map *host =
        isl_map_project_out(loops_of(s, stmt), isl_dim_out, s->n_host, 1);
    isl_map *element = isl_map_apply_range(host, isl_map_copy(t->element));
    isl_map *relation = isl_map_intersect_params(
        isl_map_intersect_domain(isl_map_copy(access->relation),
                                 isl_set_copy(stmt->domain)),
        isl_set_copy(s->made->context));
    isl_bool only = isl_map_is_subset(relation, element);

    isl_map_free(relation);
    isl_map_free(element);
    return only == isl_bool_true;
}

/* Have what reads "t" in the loop read what it is behind each iteration; false
 * if that is not simple.
 */
static bool redirect_reads(struct scan *s, struct scanned *t)
{
    isl_union_map *source = isl_union_map_reverse(
        pg_value_flow(pg_scop_accesses_of(s->made, t->array, false),
                      pg_scop_accesses_of(s->made, t->array, true),
                      isl_schedule_copy(s->made->original), NULL));
    bool ok = true;

    source = isl_union_map_intersect_range(
        source, universe_of(&s->made->stmts[t->stmt]));
    if (s->n_host > 0)
        source = pg_equal_at(source, s->outer);
    for (unsigned i = 0; ok && i < s->made->n_stmt; i++) {
        struct pg_stmt *stmt = &s->made->stmts[i];

        if (i == t->stmt || !is_in(stmt, s->inside))
            continue;
        for (unsigned j = 0; ok && j < stmt->n_access; j++) {
            struct pg_access *access = &stmt->accesses[j];
            isl_map *place;

            if (access->array != t->array)
                continue;
            place = reads_only(s, t, stmt, access)
                        ? place_of(s, t, stmt, source)
                        : NULL;
            ok = place != NULL;
            if (!ok)
                break;
            isl_map_free(access->relation);
            access->relation = place;
            access->array = t->value;
        }
    }
    isl_union_map_free(source);
    return ok;
}

/* ---- Statements that are made ---------------------------------------------
 */

/* Add a temporary for "t" with an element for each value of the last dimension
 * of "set", { [h, x] }, and "more"; false if it would be too large.
 */
static bool add_temporary(struct scan *s, const struct scanned *t,
                          __isl_take isl_set *set, const char *suffix, int more,
                          unsigned *number)
{
    struct pg_scop *made = s->made;
    const struct pg_array *array = &made->arrays[t->array];
    isl_pw_aff **extents;
    struct pg_array *temporary;
    bool fits;

    set = pg_coalesce(isl_set_project_out(set, isl_dim_set, 0, s->n_host));
    extents = pg_set_extents(set);
    fits = extents && pg_may_be_temporary(made, set, extents, array->elem_size);
    isl_set_free(set);
    if (!fits) {
        pg_free_extents(extents, extents ? 1 : 0);
        return false;
    }
    extents[0] = isl_pw_aff_add_constant_val(
        extents[0], isl_val_int_from_si(made->ctx, more));
    temporary = pg_scop_add_temporary(made, array->origin, suffix, 0, extents);
    temporary->n_dim = 1;
    *number = made->n_array - 1;
    return true;
}

/* The set of "t" for "rule", { [i] -> [x] }. */
static __isl_give isl_set *set_by(const struct scan *s, const struct scanned *t,
                                  const char *rule)
{
    return pg_coalesce(isl_map_range(mapped(s, t->each, rule)));
}

/* { [i] -> [q] } for parts of so many. */
static char *part_rule(long long size)
{
    return pg_format("{ [i] -> [q] : q = floor(i/%lld) }", size);
}

/* Those of "t" in chunks, or in groups of them. */
static __isl_give isl_set *chunks_of(const struct scan *s,
                                     const struct scanned *t, bool groups)
{
    char *rule = part_rule(groups ? s->chunk * s->group : s->chunk);
    isl_set *set = set_by(s, t, rule);

    free(rule);
    return set;
}

/* Access "j" of the statement made last: of element "rule", { [x] -> [y] }, of
 * a temporary, or with NULL of what is updated.
 */
static void set_access(const struct scan *s, const struct scanned *t,
                       unsigned j, unsigned array, bool write, const char *rule)
{
    struct pg_stmt *stmt = &s->made->stmts[s->made->n_stmt - 1];
    isl_map *relation;

    if (rule)
        relation =
            isl_map_apply_range(pg_iterators(stmt->domain, s->n_host, 1),
                                isl_map_read_from_str(s->made->ctx, rule));
    else
        relation = isl_map_apply_range(pg_iterators(stmt->domain, 0, s->n_host),
                                       isl_map_copy(t->element));
    stmt->accesses[j] = pg_made_access(s->made, array, write, relation);
}

static const char as_is[] = "{ [x] -> [x] }", next_one[] = "{ [x] -> [x + 1] }";

static __isl_give isl_schedule *add_stmt(const struct scan *s,
                                         const struct scanned *t,
                                         enum pg_stmt_kind kind, unsigned n,
                                         __isl_take isl_set *domain)
{
    const struct pg_stmt *stmt;

    stmt = pg_made_stmt(s->made, kind, t->update.op,
                        s->made->stmts[t->stmt].line, n, domain);
    return isl_schedule_from_domain(
        isl_union_set_from_set(isl_set_copy(stmt->domain)));
}

/* Have element "place" of temporary "array" be the neutral value. */
static __isl_give isl_schedule *fill(const struct scan *s,
                                     const struct scanned *t, unsigned array,
                                     __isl_take isl_set *domain)
{
    isl_schedule *tree = add_stmt(s, t, PG_STMT_FILL, 1, domain);

    set_access(s, t, 0, array, true, as_is);
    return tree;
}

/* Copy element "from" of one array to element "to" of another one. */
static __isl_give isl_schedule *copy(const struct scan *s,
                                     const struct scanned *t, unsigned array,
                                     const char *from, unsigned to_array,
                                     const char *to, __isl_take isl_set *domain)
{
    isl_schedule *tree = add_stmt(s, t, PG_STMT_COPY, 2, domain);

    set_access(s, t, 0, array, false, from);
    set_access(s, t, 1, to_array, true, to);
    return tree;
}

/* Combine element "from" of one array into element "to" of another one. */
static __isl_give isl_schedule *combine(const struct scan *s,
                                        const struct scanned *t, unsigned array,
                                        const char *from, unsigned to_array,
                                        const char *to,
                                        __isl_take isl_set *domain)
{
    isl_schedule *tree = add_stmt(s, t, PG_STMT_COMBINE, 3, domain);

    set_access(s, t, 0, to_array, false, to);
    set_access(s, t, 1, array, false, from);
    set_access(s, t, 2, to_array, true, to);
    return tree;
}

static __isl_give isl_schedule *behind(__isl_take isl_schedule *tree,
                                       __isl_take isl_schedule *next)
{
    return tree ? isl_schedule_sequence(tree, next) : next;
}

/* The statements that are around, each for all that is updated. */
struct parts {
    isl_schedule *begins;       /* what is there in front of the loop */
    isl_schedule *begin_chunk;  /* a chunk begins, */
    isl_schedule *end_chunk;    /* and ends */
    isl_schedule *begin_group;  /* a group begins */
    isl_schedule *before_group; /* what is there in front of a group, */
    isl_schedule *end_group;    /* and behind it */
};

/* Have the updates of "t" go to the variables of chunks, and add what is
 * around.
 */
static void make_parts(struct scan *s, const struct scanned *t,
                       struct parts *parts)
{
    struct pg_stmt *stmt = &s->made->stmts[t->stmt];
    unsigned both[2] = {t->update.old, t->update.updated};
    char *rule = part_rule(s->chunk);
    isl_set *begins =
        isl_set_project_out(isl_set_copy(t->each), isl_dim_set, s->n_host, 1);

    stmt->reordered = true;
    for (unsigned i = 0; i < 2; i++) {
        struct pg_access *access = &stmt->accesses[both[i]];
        isl_map *chunk = isl_map_apply_range(
            isl_map_project_out(loops_of(s, stmt), isl_dim_out, 0, s->n_host),
            isl_map_read_from_str(s->made->ctx, rule));

        isl_map_free(access->relation);
        *access = pg_made_access(s->made, t->chunk, access->write, chunk);
    }
    free(rule);
    begins = isl_set_add_dims(begins, isl_dim_set, 1);
    begins = isl_set_fix_si(begins, isl_dim_set, s->n_host, 0);
    if (t->begins)
        parts->begins = behind(
            parts->begins, copy(s, t, t->array, NULL, t->value, as_is, begins));
    else
        isl_set_free(begins);
    parts->begin_chunk = behind(parts->begin_chunk,
                                fill(s, t, t->chunk, chunks_of(s, t, false)));
    parts->begin_group =
        behind(parts->begin_group, fill(s, t, t->group, chunks_of(s, t, true)));
    rule = part_rule(s->group);
    parts->end_chunk =
        behind(parts->end_chunk, combine(s, t, t->chunk, as_is, t->group, rule,
                                         chunks_of(s, t, false)));
    parts->end_chunk =
        behind(parts->end_chunk, copy(s, t, t->group, rule, t->in_front, as_is,
                                      chunks_of(s, t, false)));
    free(rule);
    parts->before_group =
        behind(parts->before_group, copy(s, t, t->array, NULL, t->begin, as_is,
                                         chunks_of(s, t, true)));
    parts->end_group =
        behind(parts->end_group, combine(s, t, t->group, as_is, t->array, NULL,
                                         chunks_of(s, t, true)));
}

/* Behind an update of "t": what the variable is there in its chunk, and then in
 * the loop, which are among s->late.
 */
static __isl_give isl_schedule *values(struct scan *s, const struct scanned *t)
{
    char *chunk = part_rule(s->chunk), *group = part_rule(s->chunk * s->group);
    char *inner = pg_format("{ [i] -> [i] : i mod %lld >= %lld }",
                            s->chunk * s->group, s->chunk);
    char *before =
        pg_format("{ [i] -> [q] : q = floor(i/%lld) - 1 }", s->chunk);
    isl_schedule *tree, *late;

    tree =
        copy(s, t, t->chunk, chunk, t->value, next_one, isl_set_copy(t->each));
    late = combine(s, t, t->in_front, before, t->value, next_one,
                   set_by(s, t, inner));
    late = behind(late, combine(s, t, t->begin, group, t->value, next_one,
                                isl_set_copy(t->each)));
    s->late = isl_union_set_union(
        s->late, isl_union_set_universe(isl_schedule_get_domain(late)));
    free(chunk);
    free(group);
    free(inner);
    free(before);
    return behind(tree, late);
}

/* The tree below "node" (taken) with what is to come behind updates. */
static __isl_give isl_schedule *with_values(struct scan *s,
                                            __isl_take isl_schedule_node *node)
{
    isl_union_set *stmts = isl_schedule_node_get_universe_domain(node);
    isl_size n = isl_schedule_node_n_children(node);
    isl_schedule *tree = NULL;
    unsigned updates = 0;

    for (unsigned t = 0; t < s->n; t++)
        updates += is_in(&s->made->stmts[s->of[t].stmt], stmts);
    if (updates == 0 ||
        isl_schedule_node_get_type(node) == isl_schedule_node_leaf)
        tree = pg_tree_subtree(node, isl_schedule_node_get_domain(node));
    else
        for (int i = 0; i < n; i++)
            tree = behind(tree,
                          with_values(s, isl_schedule_node_get_child(node, i)));
    for (unsigned t = 0; n == 0 && t < s->n; t++)
        if (is_in(&s->made->stmts[s->of[t].stmt], stmts))
            tree = behind(tree, values(s, &s->of[t]));
    isl_union_set_free(stmts);
    isl_schedule_node_free(node);
    return tree;
}

/* ---- Orders ---------------------------------------------------------------
 */

/* "loop", the values of a loop, and those of iterator number "n" of what "tree"
 * has beside that.
 */
static __isl_give isl_union_pw_aff *also_for(__isl_take isl_union_pw_aff *loop,
                                             unsigned n,
                                             __isl_keep isl_schedule *tree)
{
    isl_union_set *stmts =
        isl_union_set_universe(isl_schedule_get_domain(tree));
    isl_set_list *list;

    stmts = isl_union_set_subtract(
        stmts, isl_union_set_universe(
                   isl_union_pw_aff_domain(isl_union_pw_aff_copy(loop))));
    list = isl_union_set_get_set_list(stmts);
    for (int i = 0; i < isl_set_list_n_set(list); i++) {
        isl_set *set = isl_set_list_get_set(list, i);

        loop = isl_union_pw_aff_add_pw_aff(
            loop, isl_pw_aff_from_aff(isl_aff_var_on_domain(
                      isl_local_space_from_space(isl_set_get_space(set)),
                      isl_dim_set, n)));
        isl_set_free(set);
    }
    isl_set_list_free(list);
    isl_union_set_free(stmts);
    return loop;
}

/* floor(loop/size) */
static __isl_give isl_union_pw_aff *in_parts(__isl_keep isl_union_pw_aff *loop,
                                             long long size)
{
    isl_val *by = isl_val_int_from_si(isl_union_pw_aff_get_ctx(loop), size);

    return isl_union_pw_aff_floor(
        isl_union_pw_aff_scale_down_val(isl_union_pw_aff_copy(loop), by));
}

static __isl_give isl_schedule *in_loop(__isl_keep isl_union_pw_aff *loop,
                                        __isl_take isl_schedule *body)
{
    isl_union_pw_aff *values = isl_union_pw_aff_copy(loop);

    values = isl_union_pw_aff_intersect_domain(values,
                                               isl_schedule_get_domain(body));
    return pg_tree_band(body, isl_union_pw_aff_list_from_union_pw_aff(values),
                        false, NULL);
}

/* What "tree" has of the statements "stmts" (taken). */
static __isl_give isl_schedule *part_of(__isl_keep isl_schedule *tree,
                                        __isl_take isl_union_set *stmts)
{
    isl_schedule_node *root = isl_schedule_get_root(tree);
    isl_schedule *part = pg_tree_subtree(
        root, isl_union_set_intersect(isl_schedule_get_domain(tree), stmts));

    isl_schedule_node_free(root);
    return part;
}

/* Has a statement that makes what is added up loops of its own? */
static bool makes_in_loops(const struct scan *s)
{
    bool in_loops = false;

    for (unsigned i = 0; !in_loops && i < s->made->n_stmt; i++) {
        const struct pg_stmt *stmt = &s->made->stmts[i];

        in_loops =
            is_in(stmt, s->first) &&
            isl_set_dim(stmt->domain, isl_dim_set) > (isl_size)s->n_host + 1;
    }
    return in_loops;
}

/* The loop with all updates in front of what uses the variables: "body" has
 * what an iteration does, and "parts" what is around.
 */
static __isl_give isl_schedule *parallel_order(struct scan *s,
                                               __isl_keep isl_schedule *body,
                                               const struct parts *parts)
{
    isl_union_set *all = isl_union_set_universe(isl_schedule_get_domain(body));
    isl_union_set *users = isl_union_set_subtract(isl_union_set_copy(s->inside),
                                                  isl_union_set_copy(s->first));
    isl_schedule *tree =
                     parts->begins ? isl_schedule_copy(parts->begins) : NULL,
                 *next;

    all = isl_union_set_subtract(all, isl_union_set_copy(users));
    all = isl_union_set_subtract(all, isl_union_set_copy(s->late));
    if (makes_in_loops(s)) {
        isl_union_set *makers = isl_union_set_copy(s->first);

        for (unsigned t = 0; t < s->n; t++)
            makers = isl_union_set_subtract(
                makers, universe_of(&s->made->stmts[s->of[t].stmt]));
        all = isl_union_set_subtract(all, isl_union_set_copy(makers));
        tree = behind(tree, in_loop(s->loop, part_of(body, makers)));
    }
    next = in_loop(s->loop, part_of(body, all));
    next = isl_schedule_sequence(isl_schedule_copy(parts->begin_chunk), next);
    tree = behind(tree, in_loop(s->chunks, next));
    next = in_loop(s->chunks, isl_schedule_copy(parts->end_chunk));
    next = isl_schedule_sequence(isl_schedule_copy(parts->begin_group), next);
    tree = isl_schedule_sequence(tree, in_loop(s->groups, next));
    next = isl_schedule_sequence(isl_schedule_copy(parts->before_group),
                                 isl_schedule_copy(parts->end_group));
    tree = isl_schedule_sequence(tree, in_loop(s->groups, next));
    if (!s->shifted) {
        users = isl_union_set_union(users, isl_union_set_copy(s->late));
    } else {
        next = part_of(body, isl_union_set_copy(s->late));
        tree = isl_schedule_sequence(tree, in_loop(s->loop, next));
    }
    return isl_schedule_sequence(tree, in_loop(s->loop, part_of(body, users)));
}

/* The same as the source has it, but for what is around (taken). */
static __isl_give isl_schedule *source_order(struct scan *s,
                                             __isl_take isl_schedule *body,
                                             const struct parts *parts)
{
    isl_schedule *tree =
        isl_schedule_sequence(parts->begin_chunk, in_loop(s->loop, body));

    tree = in_loop(s->chunks, isl_schedule_sequence(tree, parts->end_chunk));
    tree = isl_schedule_sequence(parts->begin_group, tree);
    tree = isl_schedule_sequence(parts->before_group, tree);
    tree = in_loop(s->groups, isl_schedule_sequence(tree, parts->end_group));
    return behind(parts->begins, tree);
}

/* Make the temporaries of "t"; false if they would be too large. */
static bool make_temporaries(struct scan *s, struct scanned *t)
{
    return add_temporary(s, t, isl_set_copy(t->each), "value", 1, &t->value) &&
           add_temporary(s, t, chunks_of(s, t, false), "chunk", 0, &t->chunk) &&
           add_temporary(s, t, chunks_of(s, t, false), "front", 0,
                         &t->in_front) &&
           add_temporary(s, t, chunks_of(s, t, true), "group", 0, &t->group) &&
           add_temporary(s, t, chunks_of(s, t, true), "begin", 0, &t->begin);
}

/* Make the variant's statements and orders of the loop "node" (taken). */
static struct orders make_orders(struct scan *s,
                                 __isl_take isl_schedule_node *node)
{
    struct parts parts = {NULL, NULL, NULL, NULL, NULL, NULL};
    struct orders orders;
    isl_schedule *body;

    s->late = isl_union_set_empty(isl_set_get_space(s->made->context));
    for (unsigned t = 0; t < s->n; t++)
        make_parts(s, &s->of[t], &parts);
    body = with_values(s, isl_schedule_node_child(node, 0));
    s->loop = also_for(s->loop, s->n_host, body);
    s->chunks = in_parts(s->loop, s->chunk);
    s->chunks = also_for(s->chunks, s->n_host, parts.begin_chunk);
    s->chunks = also_for(s->chunks, s->n_host, parts.end_chunk);
    s->groups = in_parts(s->chunks, s->group);
    s->groups = also_for(s->groups, s->n_host, parts.begin_group);
    s->groups = also_for(s->groups, s->n_host, parts.before_group);
    s->groups = also_for(s->groups, s->n_host, parts.end_group);
    orders.parallel = parallel_order(s, body, &parts);
    orders.source = source_order(s, body, &parts);
    return orders;
}

/* ---- The SCoP -------------------------------------------------------------
 */

/* The loop "node", below the loops "outer", if it updates variables of which
 * each iteration needs the value; was it?
 */
static bool scan_loop(struct making *m, __isl_keep isl_schedule_node *node,
                      __isl_keep isl_union_pw_aff_list *outer,
                      struct orders *orders)
{
    struct scan s = {.made = m->made,
                     .raw = m->scop->raw,
                     .outer = outer,
                     .chunk = m->chunk,
                     .group = m->group};
    isl_union_pw_aff_list *members = pg_tree_members(node);
    bool done = false;

    s.n_host = (unsigned)isl_union_pw_aff_list_n_union_pw_aff(outer);
    s.inside = isl_schedule_node_get_universe_domain(node);
    if (isl_union_pw_aff_list_n_union_pw_aff(members) == 1) {
        s.loop = isl_union_pw_aff_list_get_union_pw_aff(members, 0);
        done = find_scanned(&s, m->chosen, m->scop->n_stmt);
    }
    for (unsigned t = 0; done && m->ok && t < s.n; t++)
        m->ok = make_temporaries(&s, &s.of[t]) && redirect_reads(&s, &s.of[t]);
    done = done && m->ok;
    if (done)
        *orders = make_orders(&s, isl_schedule_node_copy(node));
    isl_union_pw_aff_list_free(members);
    isl_union_pw_aff_free(s.loop);
    clear_scan(&s);
    return done;
}

static struct orders rebuild(struct making *m,
                             __isl_take isl_schedule_node *node,
                             __isl_keep isl_union_pw_aff_list *outer);

/* "members" of a band, loops from number "first" on, for what is new in
 * "tree".
 */
static __isl_give isl_schedule *
band_of(__isl_keep isl_union_pw_aff_list *members, unsigned first,
        __isl_take isl_schedule *tree)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(members);
    isl_union_pw_aff_list *all =
        isl_union_pw_aff_list_alloc(isl_schedule_get_ctx(tree), n);

    for (int i = 0; i < n; i++)
        all = isl_union_pw_aff_list_add(
            all, also_for(isl_union_pw_aff_list_get_union_pw_aff(members, i),
                          first + (unsigned)i, tree));
    return pg_tree_band(tree, all, false, NULL);
}

static struct orders rebuild_band(struct making *m,
                                  __isl_take isl_schedule_node *node,
                                  __isl_keep isl_union_pw_aff_list *outer)
{
    isl_union_pw_aff_list *members = pg_tree_members(node);
    isl_size around = isl_union_pw_aff_list_n_union_pw_aff(outer);
    isl_union_pw_aff_list *all = isl_union_pw_aff_list_concat(
        isl_union_pw_aff_list_copy(outer), isl_union_pw_aff_list_copy(members));
    struct orders orders = rebuild(m, isl_schedule_node_child(node, 0), all);

    isl_union_pw_aff_list_free(all);
    orders.source = band_of(members, (unsigned)around, orders.source);
    orders.parallel = band_of(members, (unsigned)around, orders.parallel);
    isl_union_pw_aff_list_free(members);
    return orders;
}

/* The tree below and with "node" (taken), below the loops "outer". */
static struct orders rebuild(struct making *m,
                             __isl_take isl_schedule_node *node,
                             __isl_keep isl_union_pw_aff_list *outer)
{
    enum isl_schedule_node_type type = isl_schedule_node_get_type(node);
    isl_size n = isl_schedule_node_n_children(node);
    struct orders orders = {NULL, NULL};

    if (type == isl_schedule_node_band) {
        if (!scan_loop(m, node, outer, &orders))
            return rebuild_band(m, node, outer);
        m->some = true;
    } else if (type == isl_schedule_node_leaf) {
        orders.source =
            isl_schedule_from_domain(isl_schedule_node_get_domain(node));
        orders.parallel = isl_schedule_copy(orders.source);
    }
    for (int i = 0; type != isl_schedule_node_band && i < n; i++) {
        struct orders one =
            rebuild(m, isl_schedule_node_get_child(node, i), outer);

        orders.source = behind(orders.source, one.source);
        orders.parallel = behind(orders.parallel, one.parallel);
    }
    isl_schedule_node_free(node);
    return orders;
}

/* How many iterations a chunk has, and chunks a group: the user's "sizes" or
 * ours.
 */
static void choose_sizes(struct making *m, const char *sizes)
{
    struct pg_kernel_sizes given;
    const struct pg_size_list *partial = &given.partial;

    free(pg_sizes_get(sizes, 0, &given));
    m->chunk = partial->n > 0 ? partial->v[partial->n - 1] : CHUNK;
    m->group = partial->n > 0 ? partial->v[0] : GROUP;
    m->chunk = m->chunk < LEAST ? LEAST : m->chunk;
    m->group = m->group < LEAST ? LEAST : m->group;
}

/* A copy of "scop", which has its dependences, in which what "chosen"
 * statements update in loops that use it as well is found for all iterations at
 * once, with the user's "sizes" if these are for it, and with a schedule, of
 * which it has to be seen whether it is legal.  NULL if there is none, or after
 * an error of isl.
 */
struct pg_scop *pg_scop_prefix(const struct pg_scop *scop, const bool *chosen,
                               const char *sizes)
{
    struct making m = {.scop = scop, .chosen = chosen, .ok = true};
    isl_union_pw_aff_list *none = isl_union_pw_aff_list_alloc(scop->ctx, 0);
    struct orders orders;

    choose_sizes(&m, sizes);
    m.made = pg_scop_expand(scop);
    if (!m.made)
        m.made = pg_scop_copy(scop);
    orders = rebuild(&m, isl_schedule_get_root(m.made->original), none);
    isl_union_pw_aff_list_free(none);
    isl_schedule_free(m.made->original);
    m.made->original = orders.source;
    m.made->schedule = orders.parallel;
    if (orders.source && orders.parallel && m.ok && m.some)
        return m.made;
    pg_scop_free(m.made);
    return NULL;
}
