/* schedule.c - a new order of execution.
 *
 * isl's scheduler is asked with the dependences gisted by the domains, which is
 * quick but hides from it where dependences end, then if need be with the
 * dependences as they are, and with other strategies of fusion.  Whatever it
 * says is checked against the exact dependences.  The original order is the
 * last candidate.  A schedule of the user's replaces all of that.
 *
 * Then the same is done for the SCoP with expanded arrays (expand.c), with
 * copies of what is overwritten (save.c), and with split statements (split.c),
 * which replace the SCoP if they are more parallel, or need less skewing.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"
#include "schedule/cover.h"
#include "schedule/expand.h"
#include "schedule/overlap.h"
#include "schedule/reduce.h"
#include "schedule/save.h"
#include "schedule/split.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/budget.h"
#include "support/phase.h"
#include "support/text.h"
#include "support/work.h"

#include <isl/options.h>
#include <isl/space.h>
#include <stdlib.h>
#include <string.h>

/* Iterators have small factors in a useful schedule.  isl also finds legal ones
 * whose factors are bounds of the parameters, like 2^31 - 1; loops over these
 * would not end.
 */
enum { MAX_COEFFICIENT = 1000 };

/* Is "stmt" a copy statement that comes before or after all others?  The other
 * ones are in loops, whose iterators are its first.
 */
static bool is_apart(const struct pg_scop *scop, const struct pg_stmt *stmt)
{
    const struct pg_array *array;

    if (stmt->kind != PG_STMT_COPY)
        return false;
    array = &scop->arrays[stmt->accesses[0].array];
    if (array->kind == PG_ARRAY_TEMPORARY)
        array = &scop->arrays[stmt->accesses[1].array];
    return isl_set_dim(stmt->domain, isl_dim_set) == (isl_size)array->n_dim;
}

/* The instances of the core's copy statements: those that copy to temporaries,
 * before all others, or those that copy from them, after all others.
 */
static __isl_give isl_union_set *copies_of(const struct pg_scop *scop,
                                           bool before)
{
    isl_union_set *all = isl_union_set_empty(isl_set_get_space(scop->context));

    for (unsigned i = 0; i < scop->n_stmt; i++) {
        const struct pg_stmt *stmt = &scop->stmts[i];

        if (is_apart(scop, stmt) &&
            (scop->arrays[stmt->accesses[1].array].kind ==
             PG_ARRAY_TEMPORARY) == before)
            all = isl_union_set_add_set(all, isl_set_copy(stmt->domain));
    }
    return isl_union_set_intersect_params(all, isl_set_copy(scop->context));
}

/* "copies", as in the scop's order. */
static __isl_give isl_schedule *scan_copies(const struct pg_scop *scop,
                                            __isl_take isl_union_set *copies)
{
    isl_schedule_node *root = isl_schedule_get_root(scop->original);
    isl_schedule *schedule =
        pg_tree_annotate(root, copies, pg_scop_order(scop));

    isl_schedule_node_free(root);
    return schedule;
}

/* "schedule" between the copy statements.  In one band with what they copy they
 * would bend its loops towards the first or last iteration.
 */
static __isl_give isl_schedule *with_copies(const struct pg_scop *scop,
                                            __isl_take isl_schedule *schedule)
{
    isl_union_set *before = copies_of(scop, true);
    isl_union_set *after = copies_of(scop, false);
    isl_bool first = isl_union_set_is_empty(before);
    isl_bool last = isl_union_set_is_empty(after);

    if (first == isl_bool_false)
        schedule = isl_schedule_sequence(scan_copies(scop, before), schedule);
    else
        isl_union_set_free(before);
    if (last == isl_bool_false)
        schedule = isl_schedule_sequence(schedule, scan_copies(scop, after));
    else
        isl_union_set_free(after);
    return first < 0 || last < 0 ? isl_schedule_free(schedule) : schedule;
}

/* isl's schedule under "order", or NULL. */
static __isl_give isl_schedule *compute(__isl_take isl_union_set *domain,
                                        __isl_take isl_union_map *order,
                                        __isl_take isl_union_map *near)
{
    isl_schedule_constraints *constraints;

    constraints = isl_schedule_constraints_on_domain(domain);
    constraints = isl_schedule_constraints_set_validity(
        constraints, isl_union_map_copy(order));
    constraints = isl_schedule_constraints_set_coincidence(constraints, order);
    constraints = isl_schedule_constraints_set_proximity(constraints, near);
    return isl_schedule_constraints_compute_schedule(constraints);
}

/* The same without factors that are too large, and then the copy statements.
 * isl takes such factors from the bounds of the parameters; where it did, it is
 * asked again without these.
 */
static __isl_give isl_schedule *compact(const struct pg_scop *scop,
                                        __isl_take isl_union_map *order,
                                        __isl_take isl_union_map *near)
{
    isl_union_set *domain = pg_scop_domain(scop);
    isl_union_set *copies =
        isl_union_set_union(copies_of(scop, true), copies_of(scop, false));
    isl_schedule *schedule;

    domain = isl_union_set_subtract(domain, isl_union_set_copy(copies));
    copies = isl_union_set_universe(copies);
    order = isl_union_map_subtract_domain(order, isl_union_set_copy(copies));
    order = isl_union_map_subtract_range(order, isl_union_set_copy(copies));
    near = isl_union_map_subtract_domain(near, isl_union_set_copy(copies));
    near = isl_union_map_subtract_range(near, copies);
    schedule = compute(isl_union_set_copy(domain), isl_union_map_copy(order),
                       isl_union_map_copy(near));

    if (schedule &&
        pg_tree_is_compact(schedule, MAX_COEFFICIENT) == isl_bool_false) {
        isl_schedule_free(schedule);
        order = isl_union_map_gist_params(order, isl_set_copy(scop->context));
        near = isl_union_map_gist_params(near, isl_set_copy(scop->context));
        schedule =
            compute(isl_union_set_gist_params(isl_union_set_copy(domain),
                                              isl_set_copy(scop->context)),
                    isl_union_map_copy(order), isl_union_map_copy(near));
        schedule =
            isl_schedule_intersect_domain(schedule, isl_union_set_copy(domain));
    }
    isl_union_set_free(domain);
    isl_union_map_free(order);
    isl_union_map_free(near);
    return with_copies(scop, schedule);
}

/* "order" without the constraints that "domain" gives anyway. */
static __isl_give isl_union_map *gist(__isl_take isl_union_map *order,
                                      __isl_keep isl_union_set *domain)
{
    order = isl_union_map_gist_domain(order, isl_union_set_copy(domain));
    order = isl_union_map_gist_range(order, isl_union_set_copy(domain));
    return isl_union_map_coalesce(order);
}

/* Does "schedule" execute every instance of "scop", and no others? */
static isl_bool is_complete(const struct pg_scop *scop,
                            __isl_keep isl_schedule *schedule)
{
    isl_union_set *domain = pg_scop_domain(scop);
    isl_union_set *ours = isl_schedule_get_domain(schedule);
    isl_bool complete;

    ours = isl_union_set_intersect_params(ours, isl_set_copy(scop->context));
    complete = isl_union_set_is_equal(domain, ours);
    isl_union_set_free(domain);
    isl_union_set_free(ours);
    return complete;
}

/* isl_bool_true if "schedule" executes every instance of "scop" and no
 * dependence goes backwards or stays at the same point.
 */
isl_bool pg_schedule_is_legal(const struct pg_scop *scop,
                              isl_schedule *schedule)
{
    isl_schedule_node *root;
    isl_bool legal = is_complete(scop, schedule);

    if (legal != isl_bool_true)
        return legal;
    root = isl_schedule_get_root(schedule);
    legal = pg_tree_is_legal(root, pg_scop_order(scop));
    isl_schedule_node_free(root);
    return legal;
}

/* How parallel is "schedule"?  Negative: not at all usable, as what isl made
 * and judged when it failed at something on the way.  Among equals, the
 * one with more parallel loops inside of single parallel loops is better.
 */
static int value_of(const struct pg_scop *scop,
                    __isl_keep isl_schedule *schedule)
{
    isl_schedule_node *root;
    int value;

    if (!schedule ||
        pg_tree_is_compact(schedule, MAX_COEFFICIENT) != isl_bool_true ||
        pg_schedule_is_legal(scop, schedule) != isl_bool_true)
        return -1;
    root = isl_schedule_get_root(schedule);
    value = pg_tree_parallel(root);
    if (value >= 0)
        value = value * ((int)scop->n_stmt + 1) + pg_tree_nested(root);
    isl_schedule_node_free(root);
    if (isl_ctx_last_error(scop->ctx) != isl_error_none)
        return -1;
    return value;
}

/* "schedule", a legal one, with bands that say what is parallel in it. */
static __isl_give isl_schedule *annotated(const struct pg_scop *scop,
                                          __isl_keep isl_schedule *schedule)
{
    isl_schedule_node *root = isl_schedule_get_root(schedule);
    isl_schedule *result =
        pg_tree_annotate(root, pg_scop_domain(scop), pg_scop_order(scop));

    isl_schedule_node_free(root);
    return result;
}

/* Keep "candidate" as the scop's schedule if it is more parallel than "*best",
 * else free it.
 */
static void offer(struct pg_scop *scop, __isl_take isl_schedule *candidate,
                  bool gisted, int *best)
{
    int value = value_of(scop, candidate);

    if (value <= *best) {
        isl_schedule_free(candidate);
        return;
    }
    isl_schedule_free(scop->schedule);
    scop->schedule = candidate;
    scop->schedule_gisted = gisted;
    *best = value;
}

/* Have isl fuse as "fusion" says. */
static void set_fusion(isl_ctx *ctx, enum pg_fusion fusion)
{
    isl_options_set_schedule_serialize_sccs(ctx, fusion == PG_FUSION_MIN);
    isl_options_set_schedule_whole_component(ctx, fusion == PG_FUSION_MAX);
    isl_options_set_schedule_outer_coincidence(ctx, fusion != PG_FUSION_MAX);
    isl_options_set_schedule_maximize_band_depth(ctx,
                                                 fusion == PG_FUSION_DEPTH);
}

/* What part of a phase's operations a schedule with exact dependences gets
 * where there is one with gisted ones: over the suite and NPB's sp it took at
 * most a twentieth where it came to an end, and was never better.
 */
enum { PART_FOR_EXACT = 8 };

/* Offer isl's schedules with "fusion": with gisted dependences, and if that is
 * less parallel than "enough", with exact ones.
 */
static void offer_fused(struct pg_scop *scop, struct pg_phase *phase,
                        enum pg_fusion fusion, int enough, int *best)
{
    isl_union_set *domain = pg_scop_domain(scop);

    set_fusion(scop->ctx, fusion);
    pg_phase_retry(phase);
    offer(scop,
          compact(scop, gist(pg_scop_order(scop), domain),
                  gist(isl_union_map_copy(scop->raw), domain)),
          true, best);
    isl_union_set_free(domain);
    if (*best < enough) {
        pg_phase_retry_part(phase, *best < 0 ? 2 : PART_FOR_EXACT);
        offer(scop,
              compact(scop, pg_scop_order(scop), isl_union_map_copy(scop->raw)),
              false, best);
    }
}

/* The value of a schedule in which every loop is parallel. */
static int most_parallel(const struct pg_scop *scop)
{
    int sum = 0;

    for (unsigned i = 0; i < scop->n_stmt; i++)
        sum += 2 * (int)isl_set_dim(scop->stmts[i].domain, isl_dim_set);
    return sum * ((int)scop->n_stmt + 1);
}

/* ---- A schedule of the user's ------------------------------------------- */

/* What looks for the dependence that a schedule breaks. */
struct blame {
    const struct pg_scop *scop;
    isl_schedule_node *root;
    const char *kind;
    char *sentence;
};

static unsigned line_of(const struct pg_scop *scop, const char *stmt)
{
    for (unsigned i = 0; i < scop->n_stmt; i++)
        if (!strcmp(scop->stmts[i].name, stmt))
            return scop->stmts[i].line;
    return 0;
}

static isl_stat blame_map(__isl_take isl_map *map, void *user)
{
    struct blame *b = user;
    const char *from = isl_map_get_tuple_name(map, isl_dim_in);
    const char *to = isl_map_get_tuple_name(map, isl_dim_out);

    if (!b->sentence &&
        pg_tree_is_legal(b->root, isl_union_map_from_map(isl_map_copy(map))) ==
            isl_bool_false) {
        char *text = isl_map_to_str(map);

        b->sentence = pg_format(
            "the loaded schedule breaks the dependence (%s) of %s in line %u "
            "on %s in line %u, %s; it must execute the former after the latter",
            b->kind, to, line_of(b->scop, to), from, line_of(b->scop, from),
            text ? text : "");
        free(text);
    }
    isl_map_free(map);
    return isl_stat_ok;
}

/* A malloc'ed sentence that names a dependence that "schedule" breaks. */
static char *find_broken(const struct pg_scop *scop,
                         __isl_keep isl_schedule *schedule)
{
    struct blame b = {scop, isl_schedule_get_root(schedule), NULL, NULL};

    b.kind = "read after write";
    isl_union_map_foreach_map(scop->raw, &blame_map, &b);
    b.kind = "write after read";
    isl_union_map_foreach_map(scop->war, &blame_map, &b);
    b.kind = "write after write";
    isl_union_map_foreach_map(scop->waw, &blame_map, &b);
    isl_schedule_node_free(b.root);
    return b.sentence;
}

/* What a SCoP is told for which there is no line. */
static const char none_given[] =
    "no loaded schedule has just the statement instances of these loops; save "
    "one and change only the order";

/* Give the line of "text" that is a schedule for just the statement instances
 * of "scop" in "*given", or NULL if there is none; then, if there is a single
 * line, "*difference" gets malloc'ed words for what is other.  A line that isl
 * cannot read is an error.
 */
static isl_stat find_given(const struct pg_scop *scop, struct pg_phase *phase,
                           const char *text, isl_schedule **given,
                           char **difference)
{
    isl_bool ours = isl_bool_false;
    size_t first = strcspn(text, "\n");
    bool single = !text[first] || !text[first + 1];

    *given = NULL;
    *difference = NULL;
    for (size_t length; *text && ours == isl_bool_false;
         text += length + (text[length] == '\n')) {
        char *line;

        length = strcspn(text, "\n");
        line = pg_format("%.*s", (int)length, text);
        isl_schedule_free(*given);
        *given = isl_schedule_read_from_str(scop->ctx, line);
        free(line);
        ours = is_complete(scop, *given);
    }
    if (ours == isl_bool_false && single)
        *difference = pg_schedule_difference(scop, *given);
    if (ours != isl_bool_true)
        *given = isl_schedule_free(*given);
    if (ours < 0) {
        const char *message = isl_ctx_last_error_msg(scop->ctx);

        pg_phase_claim(phase);
        pg_phase_fail(phase, PG_SCHEDULE, NULL,
                      "isl cannot read a loaded schedule (%s); save one and "
                      "change only the order",
                      message ? message : "no message");
    }
    return ours < 0 ? isl_stat_error : isl_stat_ok;
}

/* Can "given", which has the instances of "scop", be taken?  If not, the phase
 * has a reason, or isl an error.
 */
static isl_bool can_take(struct pg_scop *scop, struct pg_phase *phase,
                         __isl_keep isl_schedule *given)
{
    char *gap = NULL;
    isl_bool ok = pg_schedule_covers(scop, given, &gap);

    if (ok == isl_bool_true) {
        ok = pg_tree_is_compact(given, MAX_COEFFICIENT);
        if (ok == isl_bool_false)
            gap = pg_format("the loaded schedule multiplies an iterator by "
                            "more than %d",
                            MAX_COEFFICIENT);
    }
    if (ok == isl_bool_false)
        pg_phase_fail(phase, PG_SCHEDULE, NULL, "%s",
                      gap ? gap : "the loaded schedule is not complete");
    free(gap);
    return ok;
}

/* Make the line of "text" that is for "scop" its schedule.  What that says of
 * parallel loops is not believed but computed.
 */
static isl_stat take_given(struct pg_scop *scop, struct pg_phase *phase,
                           const char *text)
{
    isl_schedule *given;
    isl_bool legal;
    char *broken, *difference;

    if (find_given(scop, phase, text, &given, &difference) != isl_stat_ok)
        return isl_stat_error;
    if (!given) {
        pg_phase_fail(phase, PG_SCHEDULE, NULL, "%s%s%s", none_given,
                      difference ? "; " : "", difference ? difference : "");
        free(difference);
        return isl_stat_error;
    }
    if (can_take(scop, phase, given) != isl_bool_true) {
        isl_schedule_free(given);
        return isl_stat_error;
    }
    legal = pg_schedule_is_legal(scop, given);
    if (legal == isl_bool_true) {
        scop->schedule = annotated(scop, given);
    } else if (legal == isl_bool_false) {
        broken = find_broken(scop, given);
        pg_phase_fail(phase, PG_SCHEDULE, NULL, "%s",
                      broken ? broken : "the loaded schedule is not legal");
        free(broken);
    }
    isl_schedule_free(given);
    return scop->schedule ? isl_stat_ok : isl_stat_error;
}

/* pg_phase_end; after an error the scop has no schedule. */
static isl_stat end_schedule(struct pg_scop *scop, struct pg_phase *phase,
                             isl_stat result)
{
    result = pg_phase_end(phase, result);
    if (result != isl_stat_ok)
        scop->schedule = isl_schedule_free(scop->schedule);
    return result;
}

/* Compute the schedule of "scop" as it is: the most parallel one among isl's
 * with gisted dependences, isl's with exact ones (only asked when the former is
 * worse than the original order or leaves a statement sequential), and the
 * original order.  Unless the user chose how to fuse, isl is asked for deep
 * bands first; then for no fusion, which wins if it leaves more parallel
 * dimensions.  The user's choice gives way to the original order only where it
 * has nothing parallel.
 */
static isl_stat schedule_as_is(struct pg_scop *scop,
                               const struct pg_options *options,
                               struct pg_report *report)
{
    struct pg_phase phase;
    isl_schedule *old;
    enum pg_fusion fusion = options ? options->fusion : PG_FUSION_AUTO;
    int best = -1, before, enough, unit;

    pg_phase_begin(&phase, scop->ctx, "scheduling", options, report);
    if (!scop->raw || !scop->war || !scop->waw) {
        pg_phase_fail(&phase, PG_SCHEDULE, NULL,
                      "scheduling needs the dependences first");
        return pg_phase_end(&phase, isl_stat_error);
    }
    scop->schedule = isl_schedule_free(scop->schedule);
    scop->schedule_gisted = false;
    if (options && options->schedules)
        return end_schedule(scop, &phase,
                            take_given(scop, &phase, options->schedules));
    pg_phase_retry(&phase);
    old = annotated(scop, scop->original);
    before = value_of(scop, old);
    enough = 2 * (int)scop->n_stmt;
    unit = (int)scop->n_stmt + 1;
    enough = before / unit > enough ? before / unit : enough;
    offer_fused(scop, &phase,
                fusion == PG_FUSION_AUTO ? PG_FUSION_DEPTH : fusion,
                enough * unit, &best);
    if (fusion == PG_FUSION_AUTO && scop->n_stmt > 1 &&
        best < most_parallel(scop))
        offer_fused(scop, &phase, PG_FUSION_MIN, 0, &best);
    pg_phase_retry(&phase);
    if (fusion == PG_FUSION_AUTO || best <= 0)
        offer(scop, old, false, &best);
    else
        isl_schedule_free(old);
    if (!scop->schedule && !phase.quota)
        pg_phase_fail(&phase, PG_SCHEDULE, NULL,
                      "no order of execution was found that respects the "
                      "dependences");
    return end_schedule(scop, &phase,
                        scop->schedule ? isl_stat_ok : isl_stat_error);
}

/* ---- Variants of the SCoP ----------------------------------------------- */

/* How parallel "stmt" is: what pg_tree_parallel says of it alone. */
static int parallel_of(const struct pg_scop *scop, const struct pg_stmt *stmt)
{
    isl_set *all = isl_set_universe(isl_set_get_space(stmt->domain));
    isl_schedule *only = isl_schedule_intersect_domain(
        isl_schedule_copy(scop->schedule), isl_union_set_from_set(all));
    isl_schedule_node *root = isl_schedule_get_root(only);
    int parallel = pg_tree_parallel(root);

    isl_schedule_node_free(root);
    isl_schedule_free(only);
    return parallel;
}

/* How parallel statement number "s" of the source is: as the least parallel one
 * of its large parts.
 */
static int parallel_of_parts(const struct pg_scop *scop, unsigned s)
{
    int least = -1, one;

    for (unsigned i = s; i < scop->n_stmt; i++) {
        const struct pg_stmt *stmt = &scop->stmts[i];

        if (stmt->kind || stmt->origin != s || !pg_stmt_is_large(scop, stmt))
            continue;
        one = parallel_of(scop, stmt);
        least = least < 0 || one < least ? one : least;
    }
    return least < 0 ? 0 : least;
}

/* How parallel the schedule of "scop" is, for a comparison with that of another
 * variant: the sum of the source's statements.
 */
static int parallel_of_source(const struct pg_scop *scop)
{
    int sum = 0;

    for (unsigned i = 0; i < scop->n_stmt; i++)
        if (!scop->stmts[i].kind && scop->stmts[i].origin == i)
            sum += parallel_of_parts(scop, i);
    return sum;
}

/* Has some statement of "scop" at least "n" loops that are not parallel? */
static bool has_sequential(const struct pg_scop *scop, int n)
{
    bool some = false;

    for (unsigned i = 0; !some && i < scop->n_stmt; i++) {
        int dims = (int)isl_set_dim(scop->stmts[i].domain, isl_dim_set);

        some = 2 * (dims - n) >= parallel_of(scop, &scop->stmts[i]);
    }
    return some;
}

/* What counts skewed loops. */
struct bends {
    const struct pg_scop *scop;
    bool bent; /* one of the pieces that are looked at */
    int n;
};

static isl_stat look_at_piece(__isl_take isl_set *set, __isl_take isl_aff *aff,
                              void *user)
{
    struct bends *b = user;
    isl_size dims = isl_aff_dim(aff, isl_dim_in);
    int involved = 0;

    for (int d = 0; d < dims; d++)
        involved += isl_aff_involves_dims(aff, isl_dim_in, (unsigned)d, 1) > 0;
    b->bent = b->bent || involved > 1;
    isl_set_free(set);
    isl_aff_free(aff);
    return dims < 0 ? isl_stat_error : isl_stat_ok;
}

/* The values of a loop for one statement. */
static isl_stat look_at_values(__isl_take isl_pw_aff *values, void *user)
{
    struct bends *b = user;
    isl_set *domain = isl_pw_aff_domain(isl_pw_aff_copy(values));
    int s = pg_scop_find_stmt(b->scop, isl_set_get_tuple_name(domain));
    isl_stat result = isl_stat_ok;

    b->bent = false;
    if (s >= 0 && !b->scop->stmts[s].kind)
        result = isl_pw_aff_foreach_piece(values, &look_at_piece, b);
    b->n += b->bent;
    isl_set_free(domain);
    isl_pw_aff_free(values);
    return result;
}

static isl_bool look_at_loops(__isl_keep isl_schedule_node *node, void *user)
{
    isl_union_pw_aff_list *members;
    isl_size n;

    if (isl_schedule_node_get_type(node) != isl_schedule_node_band)
        return isl_bool_true;
    members = pg_tree_members(node);
    n = isl_union_pw_aff_list_n_union_pw_aff(members);
    for (int i = 0; i < n; i++) {
        isl_union_pw_aff *member =
            isl_union_pw_aff_list_get_union_pw_aff(members, i);

        if (isl_schedule_node_band_member_get_coincident(node, i) ==
            isl_bool_false)
            isl_union_pw_aff_foreach_pw_aff(member, &look_at_values, user);
        isl_union_pw_aff_free(member);
    }
    isl_union_pw_aff_list_free(members);
    return isl_bool_true;
}

/* In how many sequential loops of the schedule are statements of the source
 * skewed?  Such a loop has as many steps as the loops that it is made of have
 * together.
 */
static int bends_of(const struct pg_scop *scop)
{
    struct bends b = {scop, false, 0};

    isl_schedule_foreach_schedule_node_top_down(scop->schedule, &look_at_loops,
                                                &b);
    return b.n;
}

/* Is the schedule of "variant" better than that of "scop"? */
static bool is_better(const struct pg_scop *variant, const struct pg_scop *scop)
{
    int gain = parallel_of_source(variant) - parallel_of_source(scop);

    return gain > 0 || (gain == 0 && bends_of(variant) < bends_of(scop));
}

/* Schedule "variant" (taken), and put it in place of "scop" if that makes it
 * better, or if "scop" has no schedule.  Failures of this are no
 * failures; "why" (may be NULL) gets the reason if a schedule of the user's is
 * for "variant" and not legal.
 */
static void offer_variant(struct pg_scop *scop, struct pg_scop *variant,
                          const struct pg_options *options,
                          struct pg_report *why)
{
    struct pg_report own;
    struct pg_scop old;

    if (!variant)
        return;
    pg_report_init(&own);
    if (pg_dependences(variant, options, &own) == isl_stat_ok &&
        schedule_as_is(variant, options, &own) == isl_stat_ok &&
        (!scop->schedule || is_better(variant, scop))) {
        old = *scop;
        *scop = *variant;
        *variant = old;
    } else if (why && own.n &&
               strncmp(own.reasons[0].sentence, none_given,
                       strlen(none_given))) {
        pg_report_clear(why);
        *why = own;
        pg_report_init(&own);
    }
    pg_report_clear(&own);
    pg_scop_free(variant);
}

/* The ways to make another SCoP that computes the same, in the order in which
 * they are tried, each on what the ones before made.
 */
static const struct {
    const char *what;
    struct pg_scop *(*make)(const struct pg_scop *scop);
    int n;     /* tried if some statement has so many sequential loops, */
    bool bent; /* or any one that is skewed */
} ways[] = {{"privatisation", &pg_scop_expand, 1, false},
            {"saving of inputs", &pg_scop_save, 1, false},
            {"saving in loops", &pg_scop_save_in_loop, 2, true},
            {"splitting", &pg_scop_split, 2, false}};

enum { N_WAY = sizeof(ways) / sizeof(*ways) };

/* The number of the way that is dear for many statements.  A loaded schedule is
 * tried with it after all others, and only until one fits.
 */
enum { DEAR_WAY = 2 };

/* "number", of which the last bit is for DEAR_WAY, as a mask of ways. */
static unsigned mask_of(unsigned number)
{
    unsigned below = number & ((1u << DEAR_WAY) - 1);
    unsigned above = number >> DEAR_WAY & ((1u << (N_WAY - 1 - DEAR_WAY)) - 1);
    unsigned dear = number >> (N_WAY - 1);

    return below | dear << DEAR_WAY | above << (DEAR_WAY + 1);
}

/* What way number "way" makes of "scop", or NULL; under the limits of a phase.
 */
static struct pg_scop *variant_of(const struct pg_scop *scop, unsigned way,
                                  const struct pg_options *options)
{
    struct pg_report unheard;
    struct pg_phase phase;
    struct pg_scop *variant;

    pg_report_init(&unheard);
    pg_phase_begin(&phase, scop->ctx, ways[way].what, options, &unheard);
    variant = ways[way].make(scop);
    if (pg_phase_end(&phase, variant ? isl_stat_ok : isl_stat_error) !=
        isl_stat_ok) {
        pg_scop_free(variant);
        variant = NULL;
    }
    pg_report_clear(&unheard);
    return variant;
}

/* What the ways with a bit of "mask" make of "scop", one after another, or NULL
 * if one of them makes nothing; "*useless" has bits of ways that are known to
 * make nothing of "scop" itself.
 */
static struct pg_scop *variant_of_all(const struct pg_scop *scop, unsigned mask,
                                      const struct pg_options *options,
                                      unsigned *useless)
{
    struct pg_scop *variant = NULL, *next;
    struct pg_report unheard;
    bool ok = true;

    if (mask & (~mask + 1) & *useless)
        return NULL;
    pg_report_init(&unheard);
    for (unsigned way = 0; ok && way < N_WAY; way++) {
        if (!(mask & 1u << way))
            continue;
        if (variant)
            ok = pg_dependences(variant, options, &unheard) == isl_stat_ok;
        next = ok ? variant_of(variant ? variant : scop, way, options) : NULL;
        if (!variant && !next)
            *useless |= 1u << way;
        pg_scop_free(variant);
        variant = next;
        ok = variant != NULL;
    }
    pg_report_clear(&unheard);
    return variant;
}

/* Have "scop" be scheduled in its own order.  False if something would read
 * temporaries that nobody has written, or if isl fails.
 */
static bool order_as_is(struct pg_scop *scop, const struct pg_options *options,
                        struct pg_report *report)
{
    struct pg_phase phase;
    bool ok = true;

    pg_phase_begin(&phase, scop->ctx, "the order of a variant", options,
                   report);
    for (unsigned a = 0; ok && a < scop->n_array; a++) {
        isl_set *in;

        if (scop->arrays[a].kind != PG_ARRAY_TEMPORARY)
            continue;
        in = pg_scop_elements(scop, scop->live_in, a);
        ok = isl_set_is_empty(in) == isl_bool_true;
        isl_set_free(in);
    }
    if (ok)
        scop->schedule = annotated(scop, scop->original);
    return pg_phase_end(&phase, isl_stat_ok) == isl_stat_ok && scop->schedule;
}

/* Mark the updates of "scop" that no loop is parallel for; are there any? */
static bool find_updates(const struct pg_scop *scop, bool *chosen)
{
    bool some = false;

    for (unsigned s = 0; s < scop->n_stmt; s++) {
        chosen[s] =
            scop->stmts[s].n_update && parallel_of(scop, &scop->stmts[s]) == 0;
        some |= chosen[s];
    }
    return some;
}

/* An order in which updates like the "chosen" ones may change places, or NULL.
 * Loops are not fused: a reduction is by itself.
 */
static __isl_give isl_schedule *relaxed_order(const struct pg_scop *scop,
                                              const bool *chosen,
                                              const struct pg_options *options)
{
    struct pg_options apart = *options;
    struct pg_scop *relaxed = pg_scop_relax(scop, chosen);
    isl_schedule *order = NULL;
    struct pg_report unheard;

    apart.fusion = PG_FUSION_MIN;
    pg_report_init(&unheard);
    if (pg_dependences(relaxed, &apart, &unheard) == isl_stat_ok &&
        schedule_as_is(relaxed, &apart, &unheard) == isl_stat_ok)
        order = isl_schedule_copy(relaxed->schedule);
    pg_report_clear(&unheard);
    pg_scop_free(relaxed);
    return order;
}

/* Have updates of single elements for which nothing is parallel go to partial
 * results.
 */
static void reduce(struct pg_scop *scop, const struct pg_options *options)
{
    bool *chosen = pg_alloc(scop->n_stmt, sizeof(*chosen));
    isl_schedule *order = NULL;
    struct pg_scop *variant = NULL, old;
    struct pg_report unheard;
    struct pg_phase phase;

    pg_report_init(&unheard);
    if (find_updates(scop, chosen))
        order = relaxed_order(scop, chosen, options);
    if (order) {
        pg_phase_begin(&phase, scop->ctx, "partial results", options, &unheard);
        variant = pg_scop_reduce(scop, chosen, order, options->sizes);
        if (pg_phase_end(&phase, isl_stat_ok) == isl_stat_ok && variant &&
            pg_dependences(variant, options, &unheard) == isl_stat_ok &&
            order_as_is(variant, options, &unheard) &&
            is_better(variant, scop)) {
            old = *scop;
            *scop = *variant;
            *variant = old;
        }
    }
    isl_schedule_free(order);
    pg_report_clear(&unheard);
    pg_scop_free(variant);
    free(chosen);
}

/* Is the outermost loop of "node", or of what comes one behind the other there,
 * one of the host?
 */
static bool has_host_loop(__isl_keep isl_schedule_node *node)
{
    isl_size n = isl_schedule_node_n_children(node);
    bool has = false;

    if (isl_schedule_node_get_type(node) == isl_schedule_node_band)
        return isl_schedule_node_band_member_get_coincident(node, 0) ==
               isl_bool_false;
    for (int i = 0; !has && i < n; i++) {
        isl_schedule_node *child = isl_schedule_node_get_child(node, i);

        has = has_host_loop(child);
        isl_schedule_node_free(child);
    }
    return has;
}

static bool begins_on_host(const struct pg_scop *scop)
{
    isl_schedule_node *root = isl_schedule_get_root(scop->schedule);
    bool has = has_host_loop(root);

    isl_schedule_node_free(root);
    return has;
}

/* Put steps of the first time loop that has none yet in overlapping tiles;
 * false if that cannot be.  The order is that of the variant, in which loops
 * are parallel by its own dependences.
 */
static bool overlap_one(struct pg_scop *scop, const struct pg_options *options)
{
    bool forced = options->time == PG_TIME_OVERLAP, done = false;
    struct pg_scop *variant, old;
    struct pg_report unheard;
    struct pg_phase phase;

    pg_report_init(&unheard);
    pg_phase_begin(&phase, scop->ctx, "overlapping tiles", options, &unheard);
    variant = pg_scop_overlap(scop, options->sizes, forced);
    if (pg_phase_end(&phase, isl_stat_ok) == isl_stat_ok && variant &&
        pg_dependences(variant, options, &unheard) == isl_stat_ok &&
        order_as_is(variant, options, &unheard)) {
        old = *scop;
        *scop = *variant;
        *variant = old;
        // What goes without tiles is the first one.
        scop->instead = old.instead ? old.instead : variant;
        variant->instead = NULL;
        variant = old.instead ? variant : NULL;
        done = true;
    }
    pg_report_clear(&unheard);
    pg_scop_free(variant);
    return done;
}

/* Put time loops in overlapping tiles where that can be.  Mapping takes about
 * as much work as this: a further loop is left alone if one like the last would
 * take a quarter of what may still be spent.
 */
static void overlap(struct pg_scop *scop, const struct pg_options *options)
{
    enum { MAX_LOOPS = 3, PART = 4 };
    enum pg_time time = options ? options->time : PG_TIME_OFF;
    bool more =
        (time == PG_TIME_AUTO || time == PG_TIME_OVERLAP) && options->promote;

    for (unsigned i = 0; more && i < MAX_LOOPS && begins_on_host(scop); i++) {
        unsigned long before = pg_work_done();

        more =
            overlap_one(scop, options) &&
            PART * (pg_work_done() - before) <
                pg_budget_operations(options->budget, options->max_operations);
    }
}

/* Compute scop->schedule.  The SCoP may become another one, which computes the
 * same: statements and arrays after those of the source are new then, and
 * dependences, live-in and live-out are those of the new one.  A schedule of
 * the user's may be for another one than the source, or legal only there.
 */
isl_stat pg_schedule(struct pg_scop *scop, const struct pg_options *options,
                     struct pg_report *report)
{
    struct pg_report why;
    bool given = options && options->schedules;
    unsigned useless = 0;

    pg_report_init(&why);
    schedule_as_is(scop, options, &why);
    if (scop->raw && given)
        for (unsigned n = 1; !scop->schedule && n < 1u << N_WAY; n++)
            offer_variant(scop,
                          variant_of_all(scop, mask_of(n), options, &useless),
                          options, &why);
    for (unsigned way = 0; scop->schedule && way < N_WAY; way++)
        if (!(given && way == DEAR_WAY) &&
            (has_sequential(scop, ways[way].n) ||
             (ways[way].bent && bends_of(scop) > 0)))
            offer_variant(scop, variant_of(scop, way, options), options, NULL);
    if (scop->schedule && !given && options)
        reduce(scop, options);
    if (scop->schedule && !given)
        overlap(scop, options);
    for (unsigned i = 0; !scop->schedule && i < why.n; i++)
        pg_report_add(report, why.reasons[i].code, why.reasons[i].stmt, "%s",
                      why.reasons[i].sentence);
    pg_report_clear(&why);
    return scop->schedule ? isl_stat_ok : isl_stat_error;
}
