/* threads.c - an order of execution for threads of a CPU.
 *
 * What the source has inside of a parallel loop suits the caches mostly, and
 * compilers know what to make of it, so that its order is the first choice.
 * Where a statement would not be in a parallel loop outside of all others, or
 * not in tiles, isl is asked whether it can be.
 *
 * Scalars and small arrays that each iteration sets anew are kept by threads on
 * their stacks where that makes more parallel.  There the order of the source
 * stays: what takes the parts of an iteration apart needs a copy for each.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"
#include "schedule/expand.h"
#include "schedule/schedule.h"
#include "schedule/tree.h"
#include "support/phase.h"

#include <isl/schedule_node.h>

/* Where the parallel loop of a statement is; TILED: outside of all others, with
 * at least two that may be exchanged with it, so that a tile of it is a piece
 * of each.
 */
enum place { NOWHERE, INSIDE, OUTSIDE, TILED };

/* So many loops tiles have at least: of two no array has more than a row that
 * all iterations of one go through.
 */
enum { TILED_LOOPS = 3 };

/* What looks for it. */
struct search {
    bool below; /* a band was passed */
    enum place found;
};

static isl_bool look_at(__isl_keep isl_schedule_node *node, void *user)
{
    struct search *s = user;
    bool permutable, first = true;
    isl_size n;

    if (s->found || isl_schedule_node_get_type(node) != isl_schedule_node_band)
        return isl_bool_ok(!s->found);
    permutable = isl_schedule_node_band_get_permutable(node) > 0;
    n = isl_schedule_node_band_n_member(node);
    for (int i = 0; i < n && !s->found; i++, first = false)
        if (isl_schedule_node_band_member_get_coincident(node, i) > 0)
            s->found = s->below || (!first && !permutable) ? INSIDE
                       : permutable && n >= TILED_LOOPS    ? TILED
                                                           : OUTSIDE;
    s->below = true;
    return isl_bool_ok(!s->found);
}

/* Where that of "stmt" is in "schedule". */
static enum place place_of(__isl_keep isl_schedule *schedule,
                           const struct pg_stmt *stmt)
{
    isl_set *all = isl_set_universe(isl_set_get_space(stmt->domain));
    isl_schedule *only = isl_schedule_intersect_domain(
        isl_schedule_copy(schedule), isl_union_set_from_set(all));
    isl_schedule_node *root = isl_schedule_get_root(only);
    struct search s = {false, NOWHERE};

    isl_schedule_node_foreach_descendant_top_down(root, &look_at, &s);
    isl_schedule_node_free(root);
    isl_schedule_free(only);
    return s.found;
}

/* How good "schedule" is: the places of the statements that have the most
 * loops, added up.  NULL: as if all of these were at the best one.
 */
static int value_of(const struct pg_scop *scop,
                    __isl_keep isl_schedule *schedule)
{
    isl_size most = 0;
    int sum = 0;

    for (unsigned s = 0; s < scop->n_stmt; s++) {
        isl_size dims = isl_set_dim(scop->stmts[s].domain, isl_dim_set);

        if (dims < most)
            continue;
        sum = dims > most ? 0 : sum;
        most = dims;
        sum += schedule              ? (int)place_of(schedule, &scop->stmts[s])
               : dims >= TILED_LOOPS ? TILED
                                     : OUTSIDE;
    }
    return sum;
}

/* The order of the source in bands that say what is parallel, or NULL. */
static __isl_give isl_schedule *order_of_source(struct pg_scop *scop)
{
    isl_schedule *source = pg_annotated(scop, scop->original);

    if (source && pg_schedule_is_legal(scop, source) != isl_bool_true)
        source = isl_schedule_free(source);
    return source;
}

/* Compute scop->schedule; the SCoP stays as it is. */
isl_stat pg_schedule_threads(struct pg_scop *scop,
                             const struct pg_options *options,
                             struct pg_report *report)
{
    struct pg_phase phase;
    isl_schedule *source = NULL;
    isl_stat result;
    bool spent = false;

    pg_phase_begin(&phase, scop->ctx, "scheduling for threads", options,
                   report);
    scop->schedule = isl_schedule_free(scop->schedule);
    scop->schedule_gisted = false;
    if (!scop->raw || !scop->war || !scop->waw)
        pg_phase_fail(&phase, PG_SCHEDULE, NULL,
                      "scheduling needs the dependences first; please report "
                      "this with the source");
    else
        source = order_of_source(scop);
    result = pg_phase_end(&phase, source ? isl_stat_ok : isl_stat_error);
    if (result != isl_stat_ok) {
        isl_schedule_free(source);
        return result;
    }
    if (value_of(scop, source) < value_of(scop, NULL) &&
        pg_schedule_simply(scop, options, &spent) && scop->schedule &&
        value_of(scop, scop->schedule) > value_of(scop, source)) {
        isl_schedule_free(source);
        return isl_stat_ok;
    }
    isl_schedule_free(scop->schedule);
    scop->schedule = source;
    return isl_stat_ok;
}

/* What copies for threads may take of a phase's operations, as those for the
 * device do.
 */
enum { PART_FOR_OWN = 4 };

/* "scop" with copies on stacks and nothing else found, or NULL. */
static struct pg_scop *with_copies(const struct pg_scop *scop,
                                   const struct pg_options *options,
                                   struct pg_report *report)
{
    struct pg_scop *variant = NULL;
    struct pg_phase phase;

    pg_phase_begin(&phase, scop->ctx, "copies for threads", options, report);
    pg_phase_retry_part(&phase, PART_FOR_OWN);
    if (!scop->schedule ||
        value_of(scop, scop->schedule) < value_of(scop, NULL))
        variant = pg_scop_expand_for_threads(scop);
    if (pg_phase_end(&phase, variant ? isl_stat_ok : isl_stat_error) ==
        isl_stat_ok)
        return variant;
    pg_scop_free(variant);
    return NULL;
}

/* Give "variant" its schedule; has it more in parallel loops than "scop"? */
static bool is_better(struct pg_scop *variant, const struct pg_scop *scop,
                      const struct pg_options *options,
                      struct pg_report *report)
{
    int before = scop->schedule ? value_of(scop, scop->schedule) : 0;
    struct pg_phase phase;
    bool better;

    pg_phase_begin(&phase, variant->ctx, "scheduling for threads", options,
                   report);
    variant->schedule = order_of_source(variant);
    better = variant->schedule && value_of(variant, variant->schedule) > before;
    return pg_phase_end(&phase, isl_stat_ok) == isl_stat_ok && better;
}

struct pg_scop *pg_scop_with_own(const struct pg_scop *scop,
                                 const struct pg_options *options)
{
    struct pg_scop *variant;
    struct pg_report unheard;
    bool better = false;

    pg_report_init(&unheard);
    variant = with_copies(scop, options, &unheard);
    if (variant && pg_dependences(variant, options, &unheard) == isl_stat_ok)
        better = is_better(variant, scop, options, &unheard);
    pg_report_clear(&unheard);
    if (better)
        return variant;
    pg_scop_free(variant);
    return NULL;
}
