/* reduce.c - reductions: partial results, which are combined.
 *
 * Updates x = x op e of one element, with an operator that is associative and
 * commutative, may come in any order, but all of them behind what else came
 * before one of them, and before what came behind one (Doerfert et al.,
 * "Polly's polyhedral scheduling in the presence of reductions", IMPACT 2015).
 * pg_scop_relax makes a SCoP with just these dependences, whose order keeps
 * them.
 *
 * pg_scop_reduce makes the variant.  Instances go, by their innermost two loops
 * modulo numbers of iterations, to partial results on the device, which begin
 * with the operator's neutral value.  These are combined in three steps: rows
 * into the first one, that into a part of it, and this into the element.  The
 * dependences of the variant are computed as those of any SCoP, and its order
 * depends on the sizes alone, so that runs repeat bit for bit.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/reduce.h"
#include "polygpu/polyhedral.h"
#include "schedule/sizes.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/coalesce.h"
#include "support/text.h"
#include "support/values.h"

#include <isl/ilp.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

/* 131,072 threads: half of what an H200 runs at a time, and what they leave to
 * combine is read in a few microseconds (not measured on a GPU).
 */
enum { ROWS = 128, COLUMNS = 1024, LAST = 32, EACH = 8 };

/* ---- Dependences without those among updates ----------------------------- */

/* The update of array "a" by "stmt" with "op", or NULL. */
static const struct pg_update *update_of(const struct pg_stmt *stmt, unsigned a,
                                         enum pg_operator op)
{
    for (unsigned i = 0; i < stmt->n_update; i++)
        if (stmt->updates[i].op == op &&
            stmt->accesses[stmt->updates[i].old].array == a)
            return &stmt->updates[i];
    return NULL;
}

/* The operator with which a chosen statement updates array "a". */
static enum pg_operator operator_of(const struct pg_scop *scop,
                                    const bool *chosen, unsigned a)
{
    for (unsigned s = 0; s < scop->n_stmt; s++)
        for (unsigned i = 0; chosen[s] && i < scop->stmts[s].n_update; i++) {
            const struct pg_update *update = &scop->stmts[s].updates[i];

            if (scop->stmts[s].accesses[update->old].array == a)
                return update->op;
        }
    return PG_OP_NONE;
}

/* Have "stmt" write elements of "order", which is called "name", where it
 * accesses array "a".
 */
static void add_order(struct pg_stmt *stmt, unsigned a, unsigned order,
                      const char *name)
{
    unsigned n = stmt->n_access;
    struct pg_access *all = pg_alloc(2 * (size_t)n, sizeof(*all));

    for (unsigned j = 0; j < n; j++) {
        all[j] = stmt->accesses[j];
        if (all[j].array == a)
            all[stmt->n_access++] = (struct pg_access){
                order, true, true,
                isl_map_set_tuple_name(isl_map_copy(all[j].relation),
                                       isl_dim_out, name)};
    }
    free(stmt->accesses);
    stmt->accesses = all;
}

/* Have updates of array "a" with "op" only read an element of another array
 * instead, which all others that access the array write as well.
 */
static void relax_array(struct pg_scop *scop, unsigned a, enum pg_operator op)
{
    unsigned order = scop->n_array;
    struct pg_array *array = pg_scop_add_array(scop);

    array->name = pg_format("%s_order", scop->arrays[a].name);
    array->kind = PG_ARRAY_MEMORY;
    array->n_dim = scop->arrays[a].n_dim;
    array->dead_after = true;
    array->origin = order;
    for (unsigned s = 0; s < scop->n_stmt; s++) {
        struct pg_stmt *stmt = &scop->stmts[s];
        const struct pg_update *update = update_of(stmt, a, op);

        if (update) {
            struct pg_access *old = &stmt->accesses[update->old];
            struct pg_access *updated = &stmt->accesses[update->updated];
            isl_space *space = isl_map_get_space(updated->relation);

            old->array = order;
            old->relation =
                isl_map_set_tuple_name(old->relation, isl_dim_out, array->name);
            isl_map_free(updated->relation);
            updated->relation = isl_map_empty(space);
            continue;
        }
        add_order(stmt, a, order, array->name);
    }
}

/* A SCoP with the instances of "scop" and those dependences that have to be
 * kept if updates like those of the "chosen" statements may come in any order.
 * It is good for that only.
 */
struct pg_scop *pg_scop_relax(const struct pg_scop *scop, const bool *chosen)
{
    struct pg_scop *relaxed = pg_scop_copy(scop);

    for (unsigned a = 0; a < scop->n_array; a++) {
        enum pg_operator op = operator_of(scop, chosen, a);

        if (op)
            relax_array(relaxed, a, op);
    }
    return relaxed;
}

/* ---- One reduction --------------------------------------------------------
 */

struct making {
    const struct pg_scop *scop;
    const bool *chosen;
    struct pg_scop *made;
    struct pg_size_list given; /* the user's sizes, or none */
    bool some, ok;
};

/* What a statement updates. */
struct target {
    struct pg_update update;
    unsigned array;
    /* Temporaries: what instances update, which becomes a variable of a thread,
     * and what that leaves. */
    unsigned own, partial;
    isl_map *element; /* { [h] -> A[x] } */
};

/* A statement whose instances go to partial results. */
struct reduction {
    struct making *m;
    unsigned stmt, n_target;
    struct target *targets;
    unsigned n_host; /* loops around: the first iterators of what is made */
    isl_map *host;   /* { S[i] -> [h] } of its instances */
    unsigned n_own;  /* how many of its innermost loops, 1 or 2 */
    unsigned own[2];
    long long size[2]; /* rows and columns of partial results */
    isl_map *place;    /* { S[i] -> [row, column] } */
    isl_set *live;     /* { [h, row, column] } with instances */
};

static void clear_reduction(struct reduction *r)
{
    for (unsigned i = 0; i < r->n_target; i++)
        isl_map_free(r->targets[i].element);
    free(r->targets);
    isl_map_free(r->host);
    isl_map_free(r->place);
    isl_set_free(r->live);
}

static const struct pg_stmt *source_of(const struct reduction *r)
{
    return &r->m->scop->stmts[r->stmt];
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

/* { S[i] -> [i_d] } for "n" iterators of "domain" from number "first" on. */
static __isl_give isl_map *iterators(__isl_keep isl_set *domain, unsigned first,
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
static __isl_give isl_map *by_host(const struct reduction *r,
                                   __isl_take isl_map *map)
{
    return isl_map_apply_range(isl_map_reverse(isl_map_copy(r->host)), map);
}

/* Has iteration "d" several values for one of the loops around? */
static isl_bool is_own(const struct reduction *r, unsigned d)
{
    isl_map *map = by_host(r, iterators(source_of(r)->domain, d, 1));
    isl_bool single = isl_map_is_single_valued(map);

    isl_map_free(map);
    return isl_bool_not(single);
}

/* Is iterator "d" never negative? */
static bool is_counted(const struct reduction *r, unsigned d)
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
static bool find_own(struct reduction *r)
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

/* The largest number of iterations of own loop "i", or "otherwise". */
static long long iterations(const struct reduction *r, unsigned i,
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
static void choose_sizes(struct reduction *r)
{
    const long long many = 1LL << 40;
    double last = (double)iterations(r, r->n_own - 1, many);

    r->size[0] = ROWS;
    r->size[1] = COLUMNS;
    if (r->m->given.n > 0) {
        r->size[1] = r->m->given.v[r->m->given.n - 1];
        r->size[0] = r->m->given.n > 1 ? r->m->given.v[0] : 1;
    } else if (r->n_own == 1) {
        r->size[1] = power_for(last / EACH, LAST, COLUMNS);
        r->size[0] = power_for(last / EACH / COLUMNS, 1, ROWS);
    } else {
        r->size[1] = power_for(last, LAST, COLUMNS);
        r->size[0] = power_for((double)iterations(r, 0, many), 1, ROWS);
    }
}

static __isl_give isl_map *read_map(const struct reduction *r, const char *text)
{
    return isl_map_read_from_str(r->m->scop->ctx, text);
}

/* { S[i] -> [row, column] }: the partial result of an instance. */
static void find_place(struct reduction *r)
{
    isl_set *domain = source_of(r)->domain;
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
    r->place = iterators(domain, r->own[0], 1);
    if (r->n_own == 2)
        r->place = isl_map_flat_range_product(r->place,
                                              iterators(domain, r->own[1], 1));
    r->place = isl_map_apply_range(r->place, read_map(r, text));
    free(text);
}

/* The partial results that have instances, or are before one that has. */
static void find_live(struct reduction *r)
{
    isl_set *domain = source_of(r)->domain;
    long long rows = r->size[0], columns = r->size[1];
    isl_map *map = by_host(r, iterators(domain, r->own[0], 1));
    char *text;

    if (r->n_own == 2)
        map = by_host(
            r, isl_map_flat_range_product(iterators(domain, r->own[0], 1),
                                          iterators(domain, r->own[1], 1)));
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
static unsigned add_partial(struct reduction *r, const struct target *t,
                            const char *suffix)
{
    struct pg_scop *made = r->m->made;
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

static struct pg_access access_to(const struct reduction *r, unsigned array,
                                  bool write, __isl_take isl_map *relation)
{
    const char *name = r->m->made->arrays[array].name;

    return (struct pg_access){
        array, write, true,
        isl_map_set_tuple_name(relation, isl_dim_out, name)};
}

/* The part of "live" for which "rule" holds, { [row, column] -> [x] }, as
 * { [h, x] }.
 */
static __isl_give isl_set *live_by(const struct reduction *r, const char *rule)
{
    isl_set *set = isl_set_copy(r->live);
    isl_map *map = iterators(set, r->n_host, 2);
    isl_map *host = iterators(set, 0, r->n_host);

    isl_set_free(set);
    map = isl_map_apply_range(map, read_map(r, rule));
    map = isl_map_flat_range_product(host, map);
    return pg_coalesce(isl_map_range(map));
}

/* Add a statement of "kind" for the instances "domain" with "n" accesses. */
static struct pg_stmt *add_stmt(const struct reduction *r,
                                const struct target *t, enum pg_stmt_kind kind,
                                unsigned n, __isl_take isl_set *domain)
{
    static const char *const names[] = {"", "copy", "fill", "combine"};
    struct pg_scop *made = r->m->made;
    struct pg_stmt *stmt = pg_scop_add_stmt(made);

    stmt->kind = kind;
    stmt->total = true;
    stmt->op = kind == PG_STMT_COPY ? PG_OP_NONE : t->update.op;
    stmt->line = source_of(r)->line;
    stmt->origin = made->n_stmt - 1;
    stmt->name = pg_format("%s%u", names[kind], stmt->origin);
    stmt->domain = isl_set_set_tuple_name(domain, stmt->name);
    stmt->n_access = n;
    stmt->accesses = pg_alloc(n, sizeof(*stmt->accesses));
    return stmt;
}

/* { S[h, x] -> [row, column] } of "stmt" by "rule", { [x] -> [row, column] }.
 */
static __isl_give isl_map *partial_of(const struct reduction *r,
                                      const struct pg_stmt *stmt,
                                      const char *rule)
{
    unsigned n = (unsigned)isl_set_dim(stmt->domain, isl_dim_set);
    isl_map *map = iterators(stmt->domain, r->n_host, n - r->n_host);

    return isl_map_apply_range(map, read_map(r, rule));
}

/* The loops over partial results for the places { S[i] -> [row, column] } of
 * instances: one if these are of one loop.
 */
static __isl_give isl_pw_multi_aff *loops_over(const struct reduction *r,
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
static struct pg_stmt *add_for_each(const struct reduction *r,
                                    const struct target *t,
                                    enum pg_stmt_kind kind, unsigned n,
                                    unsigned array)
{
    struct pg_stmt *stmt = add_stmt(r, t, kind, n, isl_set_copy(r->live));

    stmt->accesses[n - 1] =
        access_to(r, array, true, iterators(stmt->domain, r->n_host, 2));
    return stmt;
}

/* The loops "members" over partial results, for those of "place" as well. */
static __isl_give isl_union_pw_aff_list *
loops_with(const struct reduction *r, __isl_take isl_union_pw_aff_list *members,
           __isl_take isl_map *place)
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
static void redirect(struct reduction *r, const struct target *t)
{
    struct pg_stmt *stmt = &r->m->made->stmts[r->stmt];
    unsigned both[2] = {t->update.old, t->update.updated};

    for (unsigned i = 0; i < 2; i++) {
        struct pg_access *access = &stmt->accesses[both[i]];

        isl_map_free(access->relation);
        *access = access_to(r, t->own, access->write, isl_map_copy(r->place));
    }
}

/* The statements from number "first" on, one behind the other. */
static __isl_give isl_schedule *in_turn(const struct reduction *r,
                                        unsigned first)
{
    const struct pg_scop *made = r->m->made;
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
static __isl_give isl_schedule *make_parts(struct reduction *r)
{
    struct pg_scop *made = r->m->made;
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
                                      iterators(keep->domain, r->n_host, 2));
    }
    tree = isl_schedule_sequence(tree, in_turn(r, keeps));
    members = loops_with(r, members, isl_map_copy(r->place));
    for (unsigned s = first; s < made->n_stmt; s++)
        members = loops_with(r, members,
                             iterators(made->stmts[s].domain, r->n_host, 2));
    return pg_tree_band(tree, members, false, NULL);
}

/* Add a statement for the instances "domain" that combines partial results of
 * "t" "from" there into those at "to" (NULL: into the element).
 */
static void add_combine(struct reduction *r, const struct target *t,
                        __isl_take isl_set *domain, const char *from,
                        const char *to)
{
    unsigned array = to ? t->partial : t->array;
    struct pg_stmt *stmt = add_stmt(r, t, PG_STMT_COMBINE, 3, domain);
    isl_map *target;

    if (to)
        target = partial_of(r, stmt, to);
    else
        target = isl_map_apply_range(iterators(stmt->domain, 0, r->n_host),
                                     isl_map_copy(t->element));
    stmt->accesses[0] = access_to(r, array, false, isl_map_copy(target));
    stmt->accesses[1] =
        access_to(r, t->partial, false, partial_of(r, stmt, from));
    stmt->accesses[2] = access_to(r, array, true, target);
}

/* A loop over iterator number "first" of the statements from number "from" on
 * around "tree", which is all of these.
 */
static __isl_give isl_schedule *loop_of(const struct reduction *r,
                                        __isl_take isl_schedule *tree,
                                        unsigned from, unsigned first)
{
    const struct pg_scop *made = r->m->made;
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
static __isl_give isl_schedule *then_combine(struct reduction *r,
                                             __isl_take isl_schedule *tree,
                                             unsigned n, const char *which,
                                             const char *from, const char *to)
{
    isl_set *domain = live_by(r, which);
    isl_bool none = isl_set_is_empty(domain);
    unsigned first = r->m->made->n_stmt;
    isl_schedule *step;

    for (unsigned i = 0; none == isl_bool_false && i < r->n_target; i++)
        add_combine(r, &r->targets[i], isl_set_copy(domain), from, to);
    isl_set_free(domain);
    r->m->ok &= none >= 0;
    if (none != isl_bool_false)
        return tree;
    step = in_turn(r, first);
    for (unsigned d = n; d-- > 0;)
        step = loop_of(r, step, first, r->n_host + d);
    return isl_schedule_sequence(tree, step);
}

/* Combine all partial results behind "tree". */
static __isl_give isl_schedule *combine_all(struct reduction *r,
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

/* The statements of the reduction, in their order. */
static __isl_give isl_schedule *make_reduction(struct reduction *r)
{
    for (unsigned i = 0; i < r->n_target; i++) {
        r->targets[i].own = add_partial(r, &r->targets[i], "own");
        r->targets[i].partial = add_partial(r, &r->targets[i], "partial");
    }
    return combine_all(r, make_parts(r));
}

/* Is each thing that the statement updates one element for each iteration of
 * the loops around?
 */
static bool find_targets(struct reduction *r)
{
    const struct pg_stmt *stmt = source_of(r);
    bool ok = true;

    r->targets = pg_alloc(stmt->n_update, sizeof(*r->targets));
    for (unsigned i = 0; ok && i < stmt->n_update; i++) {
        struct target *t = &r->targets[r->n_target++];
        const struct pg_access *updated =
            &stmt->accesses[stmt->updates[i].updated];

        t->update = stmt->updates[i];
        t->array = updated->array;
        t->element = by_host(r, isl_map_copy(updated->relation));
        ok = isl_map_is_single_valued(t->element) == isl_bool_true;
    }
    return ok;
}

/* The statement number "s", below the loops "outer", as a reduction; NULL if it
 * is none there.
 */
static __isl_give isl_schedule *reduce(struct making *m, unsigned s,
                                       __isl_keep isl_union_pw_aff_list *outer)
{
    struct reduction r = {.m = m, .stmt = s};
    isl_schedule *tree = NULL;

    r.n_host = (unsigned)isl_union_pw_aff_list_n_union_pw_aff(outer);
    r.host = values_of(m->scop, source_of(&r), outer);
    if (find_targets(&r) && find_own(&r)) {
        choose_sizes(&r);
        find_place(&r);
        find_live(&r);
        tree = make_reduction(&r);
        m->some = true;
        m->ok &= tree != NULL;
    }
    clear_reduction(&r);
    return tree;
}

/* ---- The order ------------------------------------------------------------
 */

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
        enum pg_operator op = operator_of(m->scop, m->chosen, a);

        for (unsigned s = 0; op && s < m->scop->n_stmt; s++)
            if (update_of(&m->scop->stmts[s], a, op))
                m->made->stmts[s].reordered = true;
    }
}

/* A copy of "scop" in which the updates of "chosen" statements go to partial
 * results, in the "order" of what pg_scop_relax makes, with the user's "sizes"
 * if these are for them.  NULL if there are none that can, or after an error of
 * isl.
 */
struct pg_scop *pg_scop_reduce(const struct pg_scop *scop, const bool *chosen,
                               __isl_keep isl_schedule *order,
                               const char *sizes)
{
    struct making m = {.scop = scop, .chosen = chosen, .ok = true};
    isl_union_pw_aff_list *none = isl_union_pw_aff_list_alloc(scop->ctx, 0);
    struct pg_kernel_sizes given;
    isl_schedule *tree;

    free(pg_sizes_get(sizes, 0, &given));
    m.given = given.partial;
    m.made = pg_scop_copy(scop);
    mark_reordered(&m);
    tree = rebuild(&m, isl_schedule_get_root(order), none);
    isl_union_pw_aff_list_free(none);
    isl_schedule_free(m.made->original);
    m.made->original = tree;
    if (tree && m.ok && m.some)
        return m.made;
    pg_scop_free(m.made);
    return NULL;
}
