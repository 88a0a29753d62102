/* variants.c - a new order of execution, perhaps of another SCoP.
 *
 * What schedule.c does for the SCoP is also done for the SCoP with expanded
 * arrays (expand.c), with copies of what is overwritten (save.c), with split
 * statements (split.c), and with partial results of reductions (reduce.c),
 * which replace the SCoP if they are more parallel, or need less skewing.  At
 * the end steps of time loops go to tiles, by panels (panels.c) or overlapping
 * ones (overlap.c).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "dependence/dependences.h"
#include "polygpu/polyhedral.h"
#include "schedule/blocks.h"
#include "schedule/compare.h"
#include "schedule/expand.h"
#include "schedule/hand_on.h"
#include "schedule/late.h"
#include "schedule/layout.h"
#include "schedule/overlap.h"
#include "schedule/panels.h"
#include "schedule/prefix.h"
#include "schedule/reduce.h"
#include "schedule/relax.h"
#include "schedule/save.h"
#include "schedule/schedule.h"
#include "schedule/split.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/budget.h"
#include "support/phase.h"
#include "support/text.h"
#include "support/work.h"

#include <isl/space.h>
#include <stdlib.h>
#include <string.h>

/* "a" and "b" become each other. */
static void exchange(struct pg_scop *a, struct pg_scop *b)
{
    struct pg_scop old = *a;

    *a = *b;
    *b = old;
}

/* Schedule "variant" (taken), and put it in place of "scop" if that makes it
 * better, or if "scop" has no schedule; was it?  Failures of this are no
 * failures; "why" (may be NULL) gets the reason if a schedule of the user's is
 * for "variant" and not legal.  "*spent" (may be NULL) if operations ran out.
 */
static bool offer_variant(struct pg_scop *scop, struct pg_scop *variant,
                          const struct pg_options *options,
                          struct pg_report *why, bool *spent)
{
    struct pg_report own;
    bool taken = false;

    if (!variant)
        return false;
    pg_report_init(&own);
    if (pg_dependences(variant, options, &own) == isl_stat_ok &&
        pg_schedule_as_is(variant, options, &own) == isl_stat_ok &&
        (!scop->schedule || pg_is_better(variant, scop))) {
        exchange(scop, variant);
        taken = true;
    } else if (why && own.n &&
               strncmp(own.reasons[0].sentence, pg_none_given,
                       strlen(pg_none_given))) {
        pg_report_clear(why);
        *why = own;
        pg_report_init(&own);
    }
    if (spent && own.n && own.reasons[own.n - 1].code == PG_QUOTA)
        *spent = true;
    pg_report_clear(&own);
    pg_scop_free(variant);
    return taken;
}

/* "scop" without anti-dependences, and without dependences between writes, too.
 */
static struct pg_scop *without_anti(const struct pg_scop *scop)
{
    struct pg_scop *copy = pg_scop_copy(scop);

    copy->raw = isl_union_map_copy(scop->raw);
    copy->waw = isl_union_map_copy(scop->waw);
    copy->war = isl_union_map_empty(isl_set_get_space(scop->context));
    return copy;
}

static struct pg_scop *with_flow_only(const struct pg_scop *scop)
{
    struct pg_scop *copy = without_anti(scop);

    isl_union_map_free(copy->waw);
    copy->waw = isl_union_map_copy(copy->war);
    return copy;
}

/* The ways to make another SCoP that computes the same, in the order in which
 * they are tried, each on what the ones before made.
 */
static const struct {
    const char *what;
    struct pg_scop *(*make)(const struct pg_scop *scop);
    int n;       /* tried if some statement has so many sequential loops, */
    bool bent;   /* or any one that is skewed, */
    bool single; /* or one where no loop is inside of another, */
    /* and if the SCoP would be better without all dependences that the way can
     * remove, which is this one, or NULL. */
    struct pg_scop *(*ideal)(const struct pg_scop *scop);
    unsigned part; /* of a phase's operations, that it may take */
    /* NULL, or has the SCoP what the way is for? */
    bool (*may)(const struct pg_scop *scop);
} ways[] = {{"privatisation", &pg_scop_expand, 1, false, false, &with_flow_only,
             4, NULL},
            {"handing on", &pg_scop_hand_on, 1, false, false, &with_flow_only,
             4, &pg_scop_may_hand_on},
            {"saving of inputs", &pg_scop_save, 1, false, false, &without_anti,
             8, NULL},
            {"saving in loops", &pg_scop_save_in_loop, 2, true, false,
             &without_anti, 8, NULL},
            {"splitting", &pg_scop_split, 2, false, true,
             &pg_scop_beside_splits, 8, NULL}};

enum { N_WAY = sizeof(ways) / sizeof(*ways) };

/* What looking for another layout of arrays may take of a phase's operations.
 */
enum { PART_FOR_LAYOUT = 8 };

/* What looking for blocks of an elimination may take. */
enum { PART_FOR_BLOCKS = 4 };

/* The number of the way that is dear for many statements.  A loaded schedule is
 * tried with it after all others, and only until one fits.
 */
enum { DEAR_WAY = 3 };

/* "number", of which the last bit is for DEAR_WAY, as a mask of ways. */
static unsigned mask_of(unsigned number)
{
    unsigned below = number & ((1u << DEAR_WAY) - 1);
    unsigned above = number >> DEAR_WAY & ((1u << (N_WAY - 1 - DEAR_WAY)) - 1);
    unsigned dear = number >> (N_WAY - 1);

    return below | dear << DEAR_WAY | above << (DEAR_WAY + 1);
}

/* What way number "way" makes of "scop", or NULL; under the limits of a phase,
 * of which it gets one "part"th.  "*spent" (may be NULL) if that was too
 * little.
 */
static struct pg_scop *variant_of(const struct pg_scop *scop, unsigned way,
                                  unsigned part,
                                  const struct pg_options *options, bool *spent)
{
    struct pg_report unheard;
    struct pg_phase phase;
    struct pg_scop *variant;

    pg_report_init(&unheard);
    pg_phase_begin(&phase, scop->ctx, ways[way].what, options, &unheard);
    pg_phase_retry_part(&phase, part);
    variant = ways[way].make(scop);
    if (pg_phase_end(&phase, variant ? isl_stat_ok : isl_stat_error) !=
        isl_stat_ok) {
        pg_scop_free(variant);
        variant = NULL;
    }
    if (spent && phase.quota)
        *spent = true;
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
        next = ok ? variant_of(variant ? variant : scop, way, ways[way].part,
                               options, NULL)
                  : NULL;
        if (!variant && !next)
            *useless |= 1u << way;
        pg_scop_free(variant);
        variant = next;
        ok = variant != NULL;
    }
    pg_report_clear(&unheard);
    return variant;
}

/* Is all that "scop" reads of temporaries written before? */
static bool reads_written(const struct pg_scop *scop)
{
    bool ok = true;

    for (unsigned a = 0; ok && a < scop->n_array; a++) {
        isl_set *in;

        if (scop->arrays[a].kind != PG_ARRAY_TEMPORARY)
            continue;
        in = pg_scop_elements(scop, scop->live_in, a);
        ok = isl_set_is_empty(in) == isl_bool_true;
        isl_set_free(in);
    }
    return ok;
}

/* Have "scop" be scheduled in its own order.  False if something would read
 * temporaries that nobody has written, or if isl fails.
 */
static bool order_as_is(struct pg_scop *scop, const struct pg_options *options,
                        struct pg_report *report)
{
    struct pg_phase phase;

    pg_phase_begin(&phase, scop->ctx, "the order of a variant", options,
                   report);
    if (reads_written(scop))
        scop->schedule = pg_annotated(scop, scop->original);
    return pg_phase_end(&phase, isl_stat_ok) == isl_stat_ok && scop->schedule;
}

/* Is the schedule of "scop", which gets dependences now, in keeping with them,
 * and does nothing read temporaries that nobody has written?  If "annotates" it
 * gets to say which loops are parallel.
 */
static bool suits_its_order(struct pg_scop *scop, bool annotates,
                            const struct pg_options *options,
                            struct pg_report *report)
{
    isl_schedule *order = scop->schedule;
    struct pg_phase phase;
    bool suits;

    if (pg_dependences(scop, options, report) != isl_stat_ok)
        return false;
    pg_phase_begin(&phase, scop->ctx, "the order of a variant", options,
                   report);
    if (annotates) {
        scop->schedule = pg_annotated(scop, order);
        isl_schedule_free(order);
    }
    suits = reads_written(scop) &&
            pg_schedule_is_legal(scop, scop->schedule) == isl_bool_true;
    return pg_phase_end(&phase, isl_stat_ok) == isl_stat_ok && suits;
}

/* Mark the updates of "scop" that no loop is parallel for, or all of them where
 * there is no schedule; are there any?
 */
static bool find_updates(const struct pg_scop *scop, bool *chosen)
{
    bool some = false;

    for (unsigned s = 0; s < scop->n_stmt; s++) {
        const struct pg_stmt *stmt = &scop->stmts[s];

        chosen[s] = stmt->n_update &&
                    (!scop->schedule || pg_parallel_of(scop, stmt) == 0);
        some |= chosen[s];
    }
    return some;
}

/* What pg_scop_relax makes of "scop", with a schedule, or NULL.  Loops are not
 * fused: a reduction is by itself.
 */
static struct pg_scop *relaxed_scop(const struct pg_scop *scop,
                                    const bool *chosen,
                                    const struct pg_options *options)
{
    struct pg_options apart = *options;
    struct pg_scop *relaxed = pg_scop_relax(scop, chosen);
    struct pg_report unheard;
    bool ok;

    apart.fusion = PG_FUSION_MIN;
    apart.schedules = NULL;
    pg_report_init(&unheard);
    ok = pg_dependences(relaxed, &apart, &unheard) == isl_stat_ok &&
         pg_schedule_as_is(relaxed, &apart, &unheard) == isl_stat_ok;
    pg_report_clear(&unheard);
    if (ok)
        return relaxed;
    pg_scop_free(relaxed);
    return NULL;
}

/* "scop" with partial results for updates for which nothing is parallel, or
 * NULL.
 */
static struct pg_scop *reduced(const struct pg_scop *scop,
                               const struct pg_options *options)
{
    bool *chosen = pg_alloc(scop->n_stmt, sizeof(*chosen));
    struct pg_scop *variant = NULL, *relaxed = NULL;
    struct pg_report unheard;
    struct pg_phase phase;

    pg_report_init(&unheard);
    if (find_updates(scop, chosen))
        relaxed = relaxed_scop(scop, chosen, options);
    if (relaxed) {
        pg_phase_begin(&phase, scop->ctx, "partial results", options, &unheard);
        variant = pg_scop_reduce(scop, chosen, relaxed, options->sizes);
        if (pg_phase_end(&phase, isl_stat_ok) != isl_stat_ok) {
            pg_scop_free(variant);
            variant = NULL;
        }
    }
    pg_scop_free(relaxed);
    pg_report_clear(&unheard);
    free(chosen);
    return variant;
}

/* Have the schedule of "scop" put off what one thread does, where that is
 * legal; what fails here leaves it as it is.
 */
static void put_off(struct pg_scop *scop, const struct pg_options *options)
{
    struct pg_report unheard;
    struct pg_phase phase;
    isl_schedule *late, *annotated = NULL;
    isl_schedule_node *root;
    isl_bool legal = isl_bool_false;

    pg_report_init(&unheard);
    pg_phase_begin(&phase, scop->ctx, "the order of a variant", options,
                   &unheard);
    late = pg_late(scop, scop->schedule);
    if (late) {
        root = isl_schedule_get_root(late);
        legal = pg_tree_is_legal(root, pg_scop_order(scop));
        isl_schedule_node_free(root);
        annotated = pg_annotated(scop, late);
        isl_schedule_free(late);
    }
    if (pg_phase_end(&phase, isl_stat_ok) == isl_stat_ok && annotated &&
        legal == isl_bool_true) {
        isl_schedule_free(scop->schedule);
        scop->schedule = annotated;
    } else {
        isl_schedule_free(annotated);
    }
    pg_report_clear(&unheard);
}

/* Put the SCoP with partial results, in its own order, in place of "scop" if
 * that is more parallel.
 */
static void reduce(struct pg_scop *scop, const struct pg_options *options)
{
    struct pg_scop *variant = reduced(scop, options);
    struct pg_report unheard;

    pg_report_init(&unheard);
    if (variant && pg_dependences(variant, options, &unheard) == isl_stat_ok &&
        order_as_is(variant, options, &unheard) &&
        pg_is_better(variant, scop)) {
        put_off(variant, options);
        exchange(scop, variant);
    }
    pg_report_clear(&unheard);
    pg_scop_free(variant);
}

/* Is "other" in all loops of "stmt"? */
static bool shares_loops(const struct pg_scop *scop, const struct pg_stmt *stmt,
                         const struct pg_stmt *other)
{
    isl_union_set *both = isl_union_set_from_set(
        isl_set_universe(isl_set_get_space(stmt->domain)));
    isl_union_pw_aff_list *loops;
    bool shares;

    both = isl_union_set_add_set(
        both, isl_set_universe(isl_set_get_space(other->domain)));
    loops = pg_loops_around(scop->original, both);
    shares = isl_union_pw_aff_list_n_union_pw_aff(loops) ==
             isl_set_dim(stmt->domain, isl_dim_set);
    isl_union_pw_aff_list_free(loops);
    return shares;
}

/* Does another statement read array "a" in all loops of statement number "s"?
 */
static bool is_read_in_loops(const struct pg_scop *scop, unsigned a, unsigned s)
{
    bool is_read = false;

    for (unsigned o = 0; !is_read && o < scop->n_stmt; o++) {
        const struct pg_stmt *other = &scop->stmts[o];
        bool reads = false;

        for (unsigned i = 0; o != s && i < other->n_access; i++)
            reads = reads || (other->accesses[i].array == a &&
                              !other->accesses[i].write);
        is_read = reads && shares_loops(scop, &scop->stmts[s], other);
    }
    return is_read;
}

/* Do loops also read what a statement in them updates, for which nothing is
 * parallel?
 */
static bool uses_updates(const struct pg_scop *scop)
{
    bool *chosen = pg_alloc(scop->n_stmt, sizeof(*chosen)), uses = false;

    find_updates(scop, chosen);
    for (unsigned s = 0; !uses && s < scop->n_stmt; s++)
        for (unsigned i = 0; chosen[s] && i < scop->stmts[s].n_update; i++) {
            const struct pg_update *update = &scop->stmts[s].updates[i];
            unsigned a = scop->stmts[s].accesses[update->old].array;

            uses = uses || is_read_in_loops(scop, a, s);
        }
    free(chosen);
    return uses;
}

/* "scop" with the values that updated variables have in iterations, where
 * nothing is parallel, and with a schedule, or NULL.
 */
static struct pg_scop *prefixed(const struct pg_scop *scop,
                                const struct pg_options *options)
{
    bool *chosen = pg_alloc(scop->n_stmt, sizeof(*chosen));
    struct pg_scop *variant = NULL;
    struct pg_report unheard;
    struct pg_phase phase;

    pg_report_init(&unheard);
    if (find_updates(scop, chosen)) {
        pg_phase_begin(&phase, scop->ctx, "prefixes", options, &unheard);
        variant = pg_scop_prefix(scop, chosen, options->sizes);
        if (pg_phase_end(&phase, isl_stat_ok) != isl_stat_ok) {
            pg_scop_free(variant);
            variant = NULL;
        }
    }
    pg_report_clear(&unheard);
    free(chosen);
    return variant;
}

/* Is array "a" of "scop" a temporary of what statements update in another
 * order?
 */
static bool is_of_updated(const struct pg_scop *scop, unsigned a)
{
    bool is = false;

    for (unsigned s = 0; s < scop->n_stmt; s++)
        for (unsigned i = 0;
             scop->stmts[s].reordered && i < scop->stmts[s].n_update; i++) {
            const struct pg_update *update = &scop->stmts[s].updates[i];
            unsigned to = scop->stmts[s].accesses[update->updated].array;

            is = is || scop->arrays[to].origin == scop->arrays[a].origin;
        }
    return is && scop->arrays[a].kind == PG_ARRAY_TEMPORARY;
}

/* Is something parallel for each statement of the source that uses, in loops,
 * what "variant" finds for all iterations?  Else it could as well update it.
 */
static bool uses_in_parallel(const struct pg_scop *variant)
{
    bool parallel = true;

    for (unsigned s = 0; parallel && s < variant->n_stmt; s++) {
        const struct pg_stmt *stmt = &variant->stmts[s];
        bool uses = false;

        for (unsigned i = 0; !stmt->kind && i < stmt->n_access; i++)
            uses = uses || (!stmt->accesses[i].write &&
                            is_of_updated(variant, stmt->accesses[i].array));
        parallel = !uses || isl_set_dim(stmt->domain, isl_dim_set) == 0 ||
                   pg_parallel_of(variant, stmt) > 0;
    }
    return parallel;
}

/* Put the SCoP with the values of updated variables in place of "scop" if its
 * schedule is legal and more parallel; was it?  Reductions, which would not
 * keep its order, come first.
 */
static bool prefix(struct pg_scop *scop, const struct pg_options *options)
{
    struct pg_scop *variant;
    struct pg_report unheard;
    bool taken;

    if (!uses_updates(scop))
        return false;
    reduce(scop, options);
    variant = prefixed(scop, options);
    pg_report_init(&unheard);
    taken = variant && suits_its_order(variant, true, options, &unheard) &&
            pg_is_better(variant, scop) && uses_in_parallel(variant);
    if (taken) {
        put_off(variant, options);
        exchange(scop, variant);
    }
    pg_report_clear(&unheard);
    pg_scop_free(variant);
    return taken;
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
    struct pg_scop *variant, *first;
    struct pg_report unheard;
    struct pg_phase phase;
    char *not_taken = NULL;

    pg_report_init(&unheard);
    pg_phase_begin(&phase, scop->ctx, "overlapping tiles", options, &unheard);
    variant = pg_scop_overlap(scop, options, forced, &not_taken);
    if (pg_phase_end(&phase, isl_stat_ok) == isl_stat_ok && variant &&
        pg_dependences_all(variant, options, &unheard) == isl_stat_ok &&
        order_as_is(variant, options, &unheard)) {
        exchange(scop, variant);
        // What goes without tiles is the first one.
        first = variant->instead;
        scop->instead = first ? first : variant;
        variant->instead = NULL;
        variant = first ? variant : NULL;
        done = true;
    }
    if (not_taken) {
        free(scop->not_taken);
        scop->not_taken = not_taken;
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

/* Put several steps of the outermost loop of "source", what "scop" was before
 * it became another variant, in tiles by panels, in place of "scop".  That may
 * take all that is left, and is not counted: there are few loops that look as
 * if they could be, and mapping takes as much once more.
 */
static void by_panels(struct pg_scop *scop, const struct pg_scop *source,
                      const struct pg_options *options)
{
    struct pg_options own = *options;
    struct pg_scop *variant;
    struct pg_report unheard;
    struct pg_budget part;

    if (options->budget) {
        pg_budget_begin_part(&part, options->budget, 5);
        own.budget = &part;
    }
    pg_report_init(&unheard);
    variant = pg_scop_panels(source, &own);
    if (variant && order_as_is(variant, &own, &unheard)) {
        exchange(scop, variant);
        scop->instead = variant;
        variant = NULL;
    }
    if (options->budget)
        pg_budget_give_back(options->budget, pg_budget_used(&part));
    pg_report_clear(&unheard);
    pg_scop_free(variant);
}

/* A copy of "scop" with what was found out about it, but for its schedule. */
static struct pg_scop *known_copy(const struct pg_scop *scop)
{
    struct pg_scop *copy = pg_scop_copy(scop);

    copy->raw = isl_union_map_copy(scop->raw);
    copy->war = isl_union_map_copy(scop->war);
    copy->waw = isl_union_map_copy(scop->waw);
    copy->live_in = isl_union_set_copy(scop->live_in);
    copy->live_out = isl_union_set_copy(scop->live_out);
    return copy;
}

/* Put several steps of an elimination in blocks, if "scop" is one. */
static void in_blocks(struct pg_scop *scop, const struct pg_options *options)
{
    struct pg_scop *variant;
    struct pg_report unheard;
    struct pg_phase phase;

    pg_report_init(&unheard);
    pg_phase_begin(&phase, scop->ctx, "blocks of an elimination", options,
                   &unheard);
    pg_phase_retry_part(&phase, PART_FOR_BLOCKS);
    variant = known_copy(scop);
    variant->schedule = pg_schedule_blocks(scop, &variant->blocks);
    if (variant->schedule &&
        pg_schedule_is_legal(variant, variant->schedule) != isl_bool_true)
        variant->schedule = isl_schedule_free(variant->schedule);
    if (pg_phase_end(&phase, isl_stat_ok) == isl_stat_ok && variant->schedule) {
        exchange(scop, variant);
        scop->instead = variant;
        variant = NULL;
    }
    pg_report_clear(&unheard);
    pg_scop_free(variant);
}

/* May steps of a loop of the host be in tiles by panels? */
static bool may_have_panels(const struct pg_scop *scop,
                            const struct pg_options *options)
{
    return scop->schedule && options && !options->schedules &&
           options->promote && !scop->instead &&
           (options->time == PG_TIME_AUTO || options->time == PG_TIME_TILES) &&
           begins_on_host(scop);
}

/* Are arrays to be looked at for another layout? */
static bool may_lay_out(const struct pg_scop *scop,
                        const struct pg_options *options)
{
    return scop->schedule && !scop->instead && options && !options->schedules &&
           (options->time == PG_TIME_AUTO || options->time == PG_TIME_TILES) &&
           begins_on_host(scop);
}

/* Have arrays in the order in which the threads of wavefronts use them, where
 * that can be.
 */
static void lay_out(struct pg_scop *scop, const struct pg_options *options)
{
    struct pg_scop *variant;
    struct pg_report unheard;
    struct pg_phase phase;
    bool ok = false;

    pg_report_init(&unheard);
    pg_phase_begin(&phase, scop->ctx, "the layout of arrays", options,
                   &unheard);
    pg_phase_retry_part(&phase, PART_FOR_LAYOUT);
    variant = pg_scop_lay_out(scop);
    if (pg_phase_end(&phase, isl_stat_ok) == isl_stat_ok && variant)
        ok = suits_its_order(variant, false, options, &unheard);
    if (ok) {
        exchange(scop, variant);
    }
    pg_report_clear(&unheard);
    pg_scop_free(variant);
}

/* Would "scop" be better without all that way number "way" can remove?  If not,
 * what it makes is not better either, and it takes longer to make.  "*spent" if
 * that could not be found out.
 */
static bool can_gain(const struct pg_scop *scop, unsigned way,
                     const struct pg_options *options, bool *spent)
{
    struct pg_scop *ideal = NULL;
    struct pg_report unheard;
    struct pg_phase phase;
    bool gain;

    pg_report_init(&unheard);
    pg_phase_begin(&phase, scop->ctx, ways[way].what, options, &unheard);
    pg_phase_retry_part(&phase, ways[way].part);
    ideal = ways[way].ideal(scop);
    gain = pg_phase_end(&phase, isl_stat_ok) == isl_stat_ok && ideal &&
           pg_schedule_simply(ideal, options, spent) &&
           pg_is_better(ideal, scop);
    *spent |= phase.quota;
    pg_report_clear(&unheard);
    pg_scop_free(ideal);
    return gain;
}

/* Is no loop of the schedule parallel, so that nothing would be mapped? */
static bool has_nothing_parallel(const struct pg_scop *scop)
{
    isl_schedule_node *root = isl_schedule_get_root(scop->schedule);
    bool nothing = pg_tree_parallel(root) == 0;

    isl_schedule_node_free(root);
    return nothing;
}

/* Offer what number "way" makes of "scop"; was it taken?  The schedule that is
 * there already has to be mapped: a variant gets two fifths of what may still
 * be spent, and its making the part of a phase that was enough over the suite
 * and NPB.  But where nothing is parallel there is nothing to map: then it gets
 * four fifths, and half of a phase for the making, as for the 75 statements and
 * two scalars of x_solve in BT of NPB.  Without gain for "scop" were all ways
 * from "*vain" to DEAR_WAY: the first could have removed what they can.
 */
static bool try_way(struct pg_scop *scop, unsigned way,
                    const struct pg_options *options, unsigned *vain)
{
    struct pg_options own;
    struct pg_budget part;
    bool nothing = has_nothing_parallel(scop), spent = false;
    unsigned make = nothing ? 2 : ways[way].part;
    struct pg_scop *variant;

    if (options && options->budget) {
        own = *options;
        pg_budget_begin_part(&part, options->budget, nothing ? 4 : 2);
        own.budget = &part;
        options = &own;
    }
    if (options) {
        if (*vain <= way && way <= DEAR_WAY)
            return false;
        if (!can_gain(scop, way, options, &spent)) {
            *vain = way;
            scop->variants_spent |= spent;
            return false;
        }
    }
    variant = variant_of(scop, way, make, options, &spent);
    if (offer_variant(scop, variant, options, NULL, &spent)) {
        *vain = N_WAY;
        return true;
    }
    scop->variants_spent |= spent;
    return false;
}

/* Do iterations of loops of "scop" overwrite a scalar that is of no use behind
 * it?  Then these loops are sequential in any order, until the scalar gets
 * private copies.
 */
static bool reuses_scalars(const struct pg_scop *scop)
{
    for (unsigned s = 0; s < scop->n_stmt; s++) {
        const struct pg_stmt *stmt = &scop->stmts[s];

        for (unsigned i = 0; i < stmt->n_access; i++) {
            const struct pg_array *array =
                &scop->arrays[stmt->accesses[i].array];

            if (stmt->accesses[i].write && array->dead_after &&
                (array->kind == PG_ARRAY_VALUE ||
                 array->kind == PG_ARRAY_PHI) &&
                isl_set_dim(stmt->domain, isl_dim_set) > 0)
                return true;
        }
    }
    return false;
}

/* May number "way" help "scop", going by its loops? */
static bool may_help(const struct pg_scop *scop, unsigned way)
{
    return (!ways[way].may || ways[way].may(scop)) &&
           (pg_has_sequential(scop, ways[way].n) ||
            (ways[way].bent && pg_bends_of(scop) > 0) ||
            (ways[way].single && pg_has_sequential(scop, 1) &&
             pg_scop_has_single_loops(scop)));
}

/* Schedule "scop" as it is with exact dependences, too, after it was scheduled
 * without.  If that fails, it keeps the schedule that it has.
 */
static void schedule_exactly(struct pg_scop *scop,
                             const struct pg_options *options)
{
    isl_schedule *before = isl_schedule_copy(scop->schedule);
    bool gisted = scop->schedule_gisted;
    struct pg_report unheard;

    pg_report_init(&unheard);
    if (pg_schedule_exact(scop, options, &unheard) == isl_stat_ok) {
        isl_schedule_free(before);
    } else {
        isl_schedule_free(scop->schedule);
        scop->schedule = before;
        scop->schedule_gisted = gisted;
    }
    pg_report_clear(&unheard);
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
    struct pg_scop *source = pg_scop_copy(scop);
    unsigned useless = 0, vain = N_WAY;
    // Exact dependences take long, and here for an order that is not wanted.
    bool hasty = !given && reuses_scalars(scop), prefixes = false;

    pg_report_init(&why);
    if (hasty)
        pg_schedule_gisted(scop, options, &why);
    else
        pg_schedule_as_is(scop, options, &why);
    if (scop->raw && given)
        for (unsigned n = 1; !scop->schedule && n < 1u << N_WAY; n++)
            offer_variant(scop,
                          variant_of_all(scop, mask_of(n), options, &useless),
                          options, &why, NULL);
    if (scop->raw && given && !scop->schedule)
        offer_variant(scop, reduced(scop, options), options, &why, NULL);
    if (scop->raw && given && !scop->schedule)
        offer_variant(scop, prefixed(scop, options), options, &why, NULL);
    for (unsigned way = 0; scop->schedule && !prefixes && way < N_WAY; way++) {
        bool taken = true;

        if (!(given && way == DEAR_WAY) && may_help(scop, way))
            taken = try_way(scop, way, options, &vain);
        if (way == 0 && hasty && !taken)
            schedule_exactly(scop, options);
        if (way == 0 && !given && options)
            prefixes = prefix(scop, options);
    }
    if (scop->schedule && !given && options && !prefixes)
        reduce(scop, options);
    if (may_have_panels(scop, options))
        by_panels(scop, source, options);
    if (may_have_panels(scop, options) && options->time == PG_TIME_AUTO)
        in_blocks(scop, options);
    if (scop->schedule && !given && !scop->instead)
        overlap(scop, options);
    if (may_lay_out(scop, options))
        lay_out(scop, options);
    for (unsigned i = 0; !scop->schedule && i < why.n; i++)
        pg_report_add(report, why.reasons[i].code, why.reasons[i].stmt, "%s",
                      why.reasons[i].sentence);
    pg_report_clear(&why);
    pg_scop_free(source);
    return scop->schedule ? isl_stat_ok : isl_stat_error;
}

isl_stat pg_schedule_apart(struct pg_scop *scop,
                           const struct pg_options *options,
                           struct pg_report *report)
{
    struct pg_options apart = *options;
    isl_schedule *before;
    bool gisted = scop->schedule_gisted, other;

    if (scop->n_stmt < 2 || scop->instead || options->schedules ||
        options->fusion != PG_FUSION_AUTO)
        return isl_stat_error;
    before = isl_schedule_copy(scop->schedule);
    apart.fusion = PG_FUSION_MIN;
    other =
        pg_schedule_as_is(scop, &apart, report) == isl_stat_ok &&
        isl_schedule_plain_is_equal(before, scop->schedule) == isl_bool_false;
    if (!other) {
        isl_schedule_free(scop->schedule);
        scop->schedule = before;
        scop->schedule_gisted = gisted;
        return isl_stat_error;
    }
    isl_schedule_free(before);
    return isl_stat_ok;
}
