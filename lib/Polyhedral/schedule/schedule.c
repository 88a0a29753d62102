/* schedule.c - a new order of execution for a SCoP as it is.
 *
 * isl's scheduler is asked with the dependences gisted by the domains, which is
 * quick but hides from it where dependences end, then if need be with the
 * dependences as they are, and with other strategies of fusion.  Whatever it
 * says is checked against the exact dependences.  The original order is the
 * last candidate.  A schedule of the user's replaces all of that.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/schedule.h"
#include "polygpu/polyhedral.h"
#include "schedule/compress.h"
#include "schedule/cover.h"
#include "schedule/join.h"
#include "schedule/params.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/phase.h"
#include "support/text.h"

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
 * asked again without these.  It hears of no parameters that are in no
 * condition with a counter.
 */
static __isl_give isl_schedule *compact(const struct pg_scop *scop,
                                        __isl_take isl_union_map *order,
                                        __isl_take isl_union_map *near)
{
    isl_union_set *domain = pg_scop_domain(scop), *asked;
    isl_union_set *copies =
        isl_union_set_union(copies_of(scop, true), copies_of(scop, false));
    isl_schedule *schedule;

    domain = isl_union_set_subtract(domain, isl_union_set_copy(copies));
    copies = isl_union_set_universe(copies);
    order = isl_union_map_subtract_domain(order, isl_union_set_copy(copies));
    order = isl_union_map_subtract_range(order, isl_union_set_copy(copies));
    near = isl_union_map_subtract_domain(near, isl_union_set_copy(copies));
    near = isl_union_map_subtract_range(near, copies);
    asked = isl_union_set_copy(domain);
    pg_forget_params(&asked, &order, &near);
    schedule = compute(isl_union_set_copy(asked), isl_union_map_copy(order),
                       isl_union_map_copy(near));

    if (schedule &&
        pg_tree_is_compact(schedule, MAX_COEFFICIENT) == isl_bool_false) {
        isl_schedule_free(schedule);
        order = isl_union_map_gist_params(order, isl_set_copy(scop->context));
        near = isl_union_map_gist_params(near, isl_set_copy(scop->context));
        schedule =
            compute(isl_union_set_gist_params(isl_union_set_copy(asked),
                                              isl_set_copy(scop->context)),
                    isl_union_map_copy(order), isl_union_map_copy(near));
    }
    domain =
        isl_union_set_align_params(domain, isl_set_get_space(scop->context));
    schedule = isl_schedule_intersect_domain(schedule, domain);
    isl_union_set_free(asked);
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
__isl_give isl_schedule *pg_annotated(const struct pg_scop *scop,
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

/* Have "other" (taken) as the schedule instead if it is legal and at least as
 * parallel as "best".
 */
static void replace(struct pg_scop *scop, __isl_take isl_schedule *other,
                    int best)
{
    isl_schedule *annotated = pg_annotated(scop, other);

    isl_schedule_free(other);
    if (value_of(scop, annotated) < best) {
        isl_schedule_free(annotated);
        return;
    }
    isl_schedule_free(scop->schedule);
    scop->schedule = annotated;
}

/* Have what is independent and reads the same arrays share loops. */
static void offer_joined(struct pg_scop *scop, int best)
{
    isl_schedule *joined = pg_join(scop, scop->schedule);

    if (joined)
        replace(scop, joined, best);
}

/* What part of a phase's operations that gets. */
enum { PART_FOR_COMPRESSED = 8 };

/* Have loops of which only every k-th iteration runs anything be over these. */
static void offer_compressed(struct pg_scop *scop, int best)
{
    isl_schedule *compressed = pg_compress(scop, scop->schedule);

    if (compressed)
        replace(scop, compressed, best);
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

/* Which dependences isl is asked to schedule with. */
enum asked {
    GISTED = 1,
    EXACT = 2, /* after it was asked with gisted ones */
    BOTH = GISTED | EXACT
};

/* Offer isl's schedules with "fusion": with gisted dependences, and if that is
 * less parallel than "enough", with exact ones, where these are "asked" for.
 */
static void offer_fused(struct pg_scop *scop, struct pg_phase *phase,
                        enum pg_fusion fusion, enum asked asked, int enough,
                        int *best)
{
    set_fusion(scop->ctx, fusion);
    if (asked & GISTED) {
        isl_union_set *domain = pg_scop_domain(scop);

        pg_phase_retry(phase);
        offer(scop,
              compact(scop, gist(pg_scop_order(scop), domain),
                      gist(isl_union_map_copy(scop->raw), domain)),
              true, best);
        isl_union_set_free(domain);
    }
    if ((asked & EXACT) && *best < enough) {
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
const char pg_none_given[] =
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
        pg_phase_fail(phase, PG_SCHEDULE, NULL, "%s%s%s", pg_none_given,
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
        scop->schedule = pg_annotated(scop, given);
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

/* What isl finds for "scop" at the first try, without fusion, or the original
 * order, if that is more parallel; false if there is neither.  "*spent" is set
 * if isl's operations were not enough.
 */
bool pg_schedule_simply(struct pg_scop *scop, const struct pg_options *options,
                        bool *spent)
{
    struct pg_report unheard;
    struct pg_phase phase;
    isl_schedule *old;
    isl_stat result;
    int best = -1;

    pg_report_init(&unheard);
    pg_phase_begin(&phase, scop->ctx, "scheduling", options, &unheard);
    pg_phase_retry(&phase);
    old = pg_annotated(scop, scop->original);
    offer_fused(scop, &phase, PG_FUSION_MIN, BOTH, 0, &best);
    pg_phase_retry(&phase);
    offer(scop, old, false, &best);
    result = end_schedule(scop, &phase,
                          scop->schedule ? isl_stat_ok : isl_stat_error);
    *spent |= phase.quota;
    pg_report_clear(&unheard);
    return result == isl_stat_ok;
}

/* Compute the schedule of "scop" as it is: the most parallel one among isl's
 * with gisted dependences, isl's with exact ones (when that is "asked", if
 * the former is worse than the original order or leaves a statement
 * sequential), and the original order.  Unless the user chose how to fuse, isl
 * is asked for deep bands first; then for no fusion, which wins if it leaves
 * more parallel dimensions.  The user's choice gives way to the original order
 * only where it has nothing parallel.
 */
static isl_stat schedule_as_is(struct pg_scop *scop,
                               const struct pg_options *options,
                               enum asked asked, struct pg_report *report)
{
    struct pg_phase phase;
    isl_schedule *old;
    enum pg_fusion fusion = options ? options->fusion : PG_FUSION_AUTO;
    int best = -1, found, before, enough, unit;

    pg_phase_begin(&phase, scop->ctx, "scheduling", options, report);
    if (!scop->raw || !scop->war || !scop->waw) {
        pg_phase_fail(&phase, PG_SCHEDULE, NULL,
                      "scheduling needs the dependences first; please report "
                      "this with the source");
        return pg_phase_end(&phase, isl_stat_error);
    }
    if (asked & GISTED) {
        scop->schedule = isl_schedule_free(scop->schedule);
        scop->schedule_gisted = false;
    }
    if (options && options->schedules)
        return end_schedule(scop, &phase,
                            take_given(scop, &phase, options->schedules));
    pg_phase_retry(&phase);
    if (!(asked & GISTED))
        best = value_of(scop, scop->schedule);
    found = best;
    old = pg_annotated(scop, scop->original);
    before = value_of(scop, old);
    enough = 2 * (int)scop->n_stmt;
    unit = (int)scop->n_stmt + 1;
    enough = before / unit > enough ? before / unit : enough;
    offer_fused(scop, &phase,
                fusion == PG_FUSION_AUTO ? PG_FUSION_DEPTH : fusion, asked,
                enough * unit, &best);
    if (fusion == PG_FUSION_AUTO && scop->n_stmt > 1 &&
        best < most_parallel(scop))
        offer_fused(scop, &phase, PG_FUSION_MIN, asked, 0, &best);
    pg_phase_retry(&phase);
    if (fusion == PG_FUSION_AUTO || best <= 0)
        offer(scop, old, false, &best);
    else
        isl_schedule_free(old);
    if (best > 0 && best > found) {
        pg_phase_retry_part(&phase, PART_FOR_COMPRESSED);
        offer_compressed(scop, best);
        pg_phase_retry(&phase);
    }
    if (fusion == PG_FUSION_AUTO && scop->n_stmt > 1 && best > 0 &&
        best > found) {
        offer_joined(scop, best);
        pg_phase_retry(&phase);
    }
    if (!scop->schedule && !phase.quota)
        pg_phase_fail(&phase, PG_SCHEDULE, NULL,
                      "no order of execution was found that respects the "
                      "dependences; please report this with the source");
    return end_schedule(scop, &phase,
                        scop->schedule ? isl_stat_ok : isl_stat_error);
}

isl_stat pg_schedule_as_is(struct pg_scop *scop,
                           const struct pg_options *options,
                           struct pg_report *report)
{
    return schedule_as_is(scop, options, BOTH, report);
}

/* The same without what takes long: for a SCoP that will probably become
 * another one.
 */
isl_stat pg_schedule_gisted(struct pg_scop *scop,
                            const struct pg_options *options,
                            struct pg_report *report)
{
    return schedule_as_is(scop, options, GISTED, report);
}

/* What is left to be done after that, where it does not become another one. */
isl_stat pg_schedule_exact(struct pg_scop *scop,
                           const struct pg_options *options,
                           struct pg_report *report)
{
    return schedule_as_is(scop, options, EXACT, report);
}
