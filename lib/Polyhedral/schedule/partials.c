/* partials.c - partial results of a reduction, and what combines them.
 *
 * Instances go, by their innermost two loops modulo numbers of iterations, to
 * partial results on the device, which begin with the operator's neutral value.
 * A thread has one in a variable.  They are combined in three steps: rows into
 * the first one, that into a part of it, and this into the element, in an order
 * that depends on the sizes alone, so that runs repeat bit for bit.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/partials.h"
#include "polygpu/polyhedral.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/coalesce.h"
#include "support/text.h"
#include "support/values.h"

#include <isl/ilp.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>

/* 131,072 threads: half of what an H200 runs at a time, and what they leave to
 * combine is read in a few microseconds (not measured on a GPU).
 */
enum { ROWS = 128, COLUMNS = 1024, LAST = 32, EACH = 8 };

void pg_reduction_clear(struct pg_reduction *r)
{
    for (unsigned i = 0; i < r->n_target; i++)
        isl_map_free(r->targets[i].element);
    free(r->targets);
    isl_map_free(r->host);
    isl_map_free(r->place);
    isl_set_free(r->live);
}

static const struct pg_stmt *source_of(const struct pg_reduction *r)
{
    return &r->scop->stmts[r->stmt];
}

/* { S[i] -> [i_d] } for "n" iterators of "domain" from number "first" on. */
__isl_give isl_map *pg_iterators(__isl_keep isl_set *domain, unsigned first,
                                 unsigned n)
{
    isl_map *map = isl_set_identity(isl_set_copy(domain));
    isl_size all = isl_map_dim(map, isl_dim_out);

    map = isl_map_reset_tuple_id(map, isl_dim_out);
    map = isl_map_project_out(map, isl_dim_out, first + n,
                              (unsigned)all - first - n);
    return isl_map_project_out(map, isl_dim_out, 0, first);
}

/* "map", { S[i] -> [v] }, as { [h] -> [v] }. */
__isl_give isl_map *pg_by_host(const struct pg_reduction *r,
                               __isl_take isl_map *map)
{
    return isl_map_apply_range(isl_map_reverse(isl_map_copy(r->host)), map);
}

/* ---- Places ---------------------------------------------------------------
 */

/* The largest number of iterations of own loop "i", or "otherwise". */
static long long iterations(const struct pg_reduction *r, unsigned i,
                            long long otherwise)
{
    isl_set *domain = isl_map_domain(isl_map_copy(r->host));
    isl_val *most = isl_set_dim_max_val(domain, (int)r->own[i]);
    double value = most && isl_val_is_int(most) == isl_bool_true
                       ? pg_val_to_double(most) + 1
                       : (double)otherwise;

    isl_val_free(most);
    return value < (double)otherwise ? (long long)value : otherwise;
}

/* The largest power of 2 that is at most "most" and not much more than "need",
 * and at least "least".
 */
static long long power_for(double need, long long least, long long most)
{
    long long power = least;

    while (power < most && (double)power < need)
        power *= 2;
    return power;
}

/* How many partial results: as many as there are threads for, and fewer where
 * these would have less than EACH iterations.
 */
static void choose_sizes(struct pg_reduction *r,
                         const struct pg_size_list *given)
{
    const long long many = 1LL << 40;
    double last = (double)iterations(r, r->n_own - 1, many);

    r->size[0] = ROWS;
    r->size[1] = COLUMNS;
    if (given->n > 0) {
        r->size[1] = given->v[given->n - 1];
        r->size[0] = given->n > 1 ? given->v[0] : 1;
    } else if (r->n_own == 1) {
        r->size[1] = power_for(last / EACH, LAST, COLUMNS);
        r->size[0] = power_for(last / EACH / COLUMNS, 1, ROWS);
    } else {
        r->size[1] = power_for(last, LAST, COLUMNS);
        r->size[0] = power_for((double)iterations(r, 0, many), 1, ROWS);
    }
}

static __isl_give isl_map *read_map(const struct pg_reduction *r,
                                    const char *text)
{
    return isl_map_read_from_str(r->scop->ctx, text);
}

/* { S[i] -> [i_d, ...] }: the own loops. */
static __isl_give isl_map *own_loops(const struct pg_reduction *r)
{
    isl_set *domain = source_of(r)->domain;
    isl_map *map = pg_iterators(domain, r->own[0], 1);

    if (r->n_own == 2)
        map =
            isl_map_flat_range_product(map, pg_iterators(domain, r->own[1], 1));
    return map;
}

/* { S[i] -> [row, column] }: the partial result of an instance. */
static void find_place(struct pg_reduction *r)
{
    long long rows = r->size[0], columns = r->size[1];
    char *text;

    if (r->n_own == 1)
        text = pg_format("{ [i] -> [r, c] : r = (floor(i/%lld)) mod %lld and "
                         "c = i mod %lld }",
                         columns, rows, columns);
    else
        text = pg_format(
            "{ [i, j] -> [r, c] : r = i mod %lld and c = j mod %lld }", rows,
            columns);
    r->place = isl_map_apply_range(own_loops(r), read_map(r, text));
    free(text);
}

/* The partial results that have instances, or are before one that has. */
static void find_live(struct pg_reduction *r)
{
    long long rows = r->size[0], columns = r->size[1];
    isl_map *map = pg_by_host(r, own_loops(r));
    char *text;

    if (r->n_own == 1)
        text = pg_format("{ [i] -> [r, c] : 0 <= r < %lld and 0 <= c < %lld "
                         "and %lld r + c <= i }",
                         rows, columns, columns);
    else
        text = pg_format("{ [i, j] -> [r, c] : 0 <= r < %lld and r <= i and "
                         "0 <= c < %lld and c <= j }",
                         rows, columns);
    map = isl_map_from_basic_map(isl_map_simple_hull(isl_map_remove_divs(map)));
    map = isl_map_apply_range(map, read_map(r, text));
    map = isl_map_intersect_domain(map, isl_map_range(isl_map_copy(r->host)));
    r->live = pg_coalesce(isl_set_flatten(isl_map_wrap(map)));
    free(text);
}

/* ---- Statements that are made ---------------------------------------------
 */

/* Add a temporary for partial results of "t". */
static unsigned add_partial(struct pg_reduction *r, const struct pg_target *t,
                            const char *suffix)
{
    struct pg_scop *made = r->made;
    isl_pw_aff **extents = pg_alloc(2, sizeof(*extents));
    struct pg_array *array;

    for (unsigned d = 0; d < 2; d++) {
        isl_space *space = isl_set_get_space(made->context);
        isl_val *size = isl_val_int_from_si(made->ctx, r->size[d]);

        extents[d] = isl_pw_aff_val_on_domain(isl_set_universe(space), size);
    }
    array = pg_scop_add_temporary(made, made->arrays[t->array].origin, suffix,
                                  0, extents);
    array->n_dim = 2;
    return made->n_array - 1;
}

/* An access of "array" by every instance, of the elements of "relation". */
struct pg_access pg_made_access(const struct pg_scop *scop, unsigned array,
                                bool write, __isl_take isl_map *relation)
{
    const char *name = scop->arrays[array].name;

    return (struct pg_access){
        array, write, true, isl_map_set_tuple_name(relation, isl_dim_out, name),
        false};
}

static struct pg_access access_to(const struct pg_reduction *r, unsigned array,
                                  bool write, __isl_take isl_map *relation)
{
    return pg_made_access(r->made, array, write, relation);
}

/* The part of "live" for which "rule" holds, { [row, column] -> [x] }, as
 * { [h, x] }.
 */
static __isl_give isl_set *live_by(const struct pg_reduction *r,
                                   const char *rule)
{
    isl_set *set = isl_set_copy(r->live);
    isl_map *map = pg_iterators(set, r->n_host, 2);
    isl_map *host = pg_iterators(set, 0, r->n_host);

    isl_set_free(set);
    map = isl_map_apply_range(map, read_map(r, rule));
    map = isl_map_flat_range_product(host, map);
    return pg_coalesce(isl_map_range(map));
}

/* Add a statement of "kind" to "scop", with operator "op" if that has one, for
 * the instances "domain" with "n" accesses, which are to be set.
 */
struct pg_stmt *pg_made_stmt(struct pg_scop *scop, enum pg_stmt_kind kind,
                             enum pg_operator op, unsigned line, unsigned n,
                             __isl_take isl_set *domain)
{
    // Copies of other arrays are copy%u (expand.c).
    static const char *const names[] = {"", "take", "fill", "combine"};
    struct pg_stmt *stmt = pg_scop_add_stmt(scop);

    stmt->kind = kind;
    stmt->total = true;
    stmt->op = kind == PG_STMT_COPY ? PG_OP_NONE : op;
    stmt->line = line;
    stmt->origin = scop->n_stmt - 1;
    stmt->name = pg_format("%s%u", names[kind], stmt->origin);
    stmt->domain = isl_set_set_tuple_name(domain, stmt->name);
    stmt->n_access = n;
    stmt->accesses = pg_alloc(n, sizeof(*stmt->accesses));
    return stmt;
}

static struct pg_stmt *add_stmt(const struct pg_reduction *r,
                                const struct pg_target *t,
                                enum pg_stmt_kind kind, unsigned n,
                                __isl_take isl_set *domain)
{
    return pg_made_stmt(r->made, kind, t->update.op, source_of(r)->line, n,
                        domain);
}

/* { S[h, x] -> [row, column] } of "stmt" by "rule", { [x] -> [row, column] }.
 */
static __isl_give isl_map *partial_of(const struct pg_reduction *r,
                                      const struct pg_stmt *stmt,
                                      const char *rule)
{
    unsigned n = (unsigned)isl_set_dim(stmt->domain, isl_dim_set);
    isl_map *map = pg_iterators(stmt->domain, r->n_host, n - r->n_host);

    return isl_map_apply_range(map, read_map(r, rule));
}

/* The loops over partial results for the places { S[i] -> [row, column] } of
 * instances: one if these are of one loop.
 */
static __isl_give isl_pw_multi_aff *loops_over(const struct pg_reduction *r,
                                               __isl_take isl_map *place)
{
    char *text = pg_format("{ [r, c] -> [%lld r + c] }", r->size[1]);

    if (r->n_own == 1)
        place = isl_map_apply_range(place, read_map(r, text));
    free(text);
    return isl_pw_multi_aff_from_map(place);
}

/* A statement of "kind", with a write of "array", for each partial result of
 * "t".
 */
static struct pg_stmt *add_for_each(const struct pg_reduction *r,
                                    const struct pg_target *t,
                                    enum pg_stmt_kind kind, unsigned n,
                                    unsigned array)
{
    struct pg_stmt *stmt = add_stmt(r, t, kind, n, isl_set_copy(r->live));

    stmt->accesses[n - 1] =
        access_to(r, array, true, pg_iterators(stmt->domain, r->n_host, 2));
    return stmt;
}

/* The loops "members" over partial results, for those of "place" as well. */
static __isl_give isl_union_pw_aff_list *
loops_with(const struct pg_reduction *r,
           __isl_take isl_union_pw_aff_list *members, __isl_take isl_map *place)
{
    isl_pw_multi_aff *values = loops_over(r, place);

    for (unsigned d = 0; d < r->n_own; d++) {
        isl_pw_aff *value = isl_pw_multi_aff_get_pw_aff(values, (int)d);
        isl_union_pw_aff *member;

        if (isl_union_pw_aff_list_n_union_pw_aff(members) == (isl_size)d) {
            members = isl_union_pw_aff_list_add(
                members, isl_union_pw_aff_from_pw_aff(value));
            continue;
        }
        member = isl_union_pw_aff_list_get_union_pw_aff(members, (int)d);
        member = isl_union_pw_aff_add_pw_aff(member, value);
        members =
            isl_union_pw_aff_list_set_union_pw_aff(members, (int)d, member);
    }
    isl_pw_multi_aff_free(values);
    return members;
}

/* Have the statement update partial results of "t". */
static void redirect(struct pg_reduction *r, const struct pg_target *t)
{
    struct pg_stmt *stmt = &r->made->stmts[r->stmt];
    unsigned both[2] = {t->update.old, t->update.updated};

    for (unsigned i = 0; i < 2; i++) {
        struct pg_access *access = &stmt->accesses[both[i]];

        isl_map_free(access->relation);
        *access = access_to(r, t->own, access->write, isl_map_copy(r->place));
    }
}

/* The statements from number "first" on, one behind the other. */
static __isl_give isl_schedule *in_turn(const struct pg_reduction *r,
                                        unsigned first)
{
    const struct pg_scop *made = r->made;
    isl_schedule *all = NULL;

    for (unsigned s = first; s < made->n_stmt; s++) {
        isl_schedule *one = isl_schedule_from_domain(
            isl_union_set_from_set(isl_set_copy(made->stmts[s].domain)));

        all = all ? isl_schedule_sequence(all, one) : one;
    }
    return all;
}

/* Fill the partial results, have the instances update them, and keep them: the
 * loops over them around all.
 */
static __isl_give isl_schedule *make_parts(struct pg_reduction *r)
{
    struct pg_scop *made = r->made;
    isl_union_pw_aff_list *members = isl_union_pw_aff_list_alloc(made->ctx, 2);
    unsigned first = made->n_stmt, keeps;
    isl_schedule *tree;

    for (unsigned i = 0; i < r->n_target; i++) {
        add_for_each(r, &r->targets[i], PG_STMT_FILL, 1, r->targets[i].own);
        redirect(r, &r->targets[i]);
    }
    tree = isl_schedule_sequence(
        in_turn(r, first),
        pg_tree_scan(isl_set_copy(made->stmts[r->stmt].domain)));
    keeps = made->n_stmt;
    for (unsigned i = 0; i < r->n_target; i++) {
        struct pg_stmt *keep = add_for_each(r, &r->targets[i], PG_STMT_COPY, 2,
                                            r->targets[i].partial);

        keep->accesses[0] = access_to(r, r->targets[i].own, false,
                                      pg_iterators(keep->domain, r->n_host, 2));
    }
    tree = isl_schedule_sequence(tree, in_turn(r, keeps));
    members = loops_with(r, members, isl_map_copy(r->place));
    for (unsigned s = first; s < made->n_stmt; s++)
        members = loops_with(r, members,
                             pg_iterators(made->stmts[s].domain, r->n_host, 2));
    return pg_tree_band(tree, members, false, NULL);
}

/* Add a statement for the instances "domain" that combines partial results of
 * "t" "from" there into those at "to" (NULL: into the element).
 */
static void add_combine(struct pg_reduction *r, const struct pg_target *t,
                        __isl_take isl_set *domain, const char *from,
                        const char *to)
{
    unsigned array = to ? t->partial : t->array;
    struct pg_stmt *stmt = add_stmt(r, t, PG_STMT_COMBINE, 3, domain);
    isl_map *target;

    if (to)
        target = partial_of(r, stmt, to);
    else
        target = isl_map_apply_range(pg_iterators(stmt->domain, 0, r->n_host),
                                     isl_map_copy(t->element));
    stmt->accesses[0] = access_to(r, array, false, isl_map_copy(target));
    stmt->accesses[1] =
        access_to(r, t->partial, false, partial_of(r, stmt, from));
    stmt->accesses[2] = access_to(r, array, true, target);
}

/* A loop over iterator number "first" of the statements from number "from" on
 * around "tree", which is all of these.
 */
static __isl_give isl_schedule *loop_of(const struct pg_reduction *r,
                                        __isl_take isl_schedule *tree,
                                        unsigned from, unsigned first)
{
    const struct pg_scop *made = r->made;
    isl_union_pw_aff *member = NULL;

    for (unsigned s = from; s < made->n_stmt; s++) {
        isl_space *space = isl_set_get_space(made->stmts[s].domain);
        isl_pw_aff *value = isl_pw_aff_from_aff(isl_aff_var_on_domain(
            isl_local_space_from_space(space), isl_dim_set, first));

        member = member ? isl_union_pw_aff_add_pw_aff(member, value)
                        : isl_union_pw_aff_from_pw_aff(value);
    }
    return pg_tree_band(tree, isl_union_pw_aff_list_from_union_pw_aff(member),
                        false, NULL);
}

/* Combine partial results of all targets behind "tree", for the instances that
 * "which" gives, in "n" loops of which the outermost one is parallel.
 */
static __isl_give isl_schedule *then_combine(struct pg_reduction *r,
                                             __isl_take isl_schedule *tree,
                                             unsigned n, const char *which,
                                             const char *from, const char *to)
{
    isl_set *domain = live_by(r, which);
    isl_bool none = isl_set_is_empty(domain);
    unsigned first = r->made->n_stmt;
    isl_schedule *step;

    for (unsigned i = 0; none == isl_bool_false && i < r->n_target; i++)
        add_combine(r, &r->targets[i], isl_set_copy(domain), from, to);
    isl_set_free(domain);
    if (none != isl_bool_false)
        return none < 0 ? isl_schedule_free(tree) : tree;
    step = in_turn(r, first);
    for (unsigned d = n; d-- > 0;)
        step = loop_of(r, step, first, r->n_host + d);
    return isl_schedule_sequence(tree, step);
}

/* Combine all partial results behind "tree". */
static __isl_give isl_schedule *combine_all(struct pg_reduction *r,
                                            __isl_take isl_schedule *tree)
{
    long long last = r->size[1] < LAST ? r->size[1] : LAST;
    char *which, *from;

    tree = then_combine(r, tree, 2, "{ [r, c] -> [c, r] : r >= 1 }",
                        "{ [c, r] -> [r, c] }", "{ [c, r] -> [0, c] }");
    which = pg_format("{ [0, c] -> [p, q] : q = floor(c/%lld) and q >= 1 and "
                      "p = c - %lld q }",
                      last, last);
    from = pg_format("{ [p, q] -> [0, p + %lld q] }", last);
    tree = then_combine(r, tree, 2, which, from, "{ [p, q] -> [0, p] }");
    free(which);
    free(from);
    which = pg_format("{ [0, c] -> [c] : c < %lld }", last);
    tree = then_combine(r, tree, 1, which, "{ [c] -> [0, c] }", NULL);
    free(which);
    return tree;
}

/* Make the statements of the reduction in its variant, with the user's sizes if
 * any are "given": their order, or NULL after an error of isl.
 */
__isl_give isl_schedule *pg_partials_make(struct pg_reduction *r,
                                          const struct pg_size_list *given)
{
    choose_sizes(r, given);
    find_place(r);
    find_live(r);
    for (unsigned i = 0; i < r->n_target; i++) {
        r->targets[i].own = add_partial(r, &r->targets[i], "own");
        r->targets[i].partial = add_partial(r, &r->targets[i], "partial");
    }
    return combine_all(r, make_parts(r));
}
