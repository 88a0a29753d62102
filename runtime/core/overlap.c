/* overlap.c - see overlap.h.
 *
 * Arrays are bits of words; where there are more than a word has, all copies
 * are made before the first kernel and after the last one.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/overlap.h"

#include "core/marks.h"
#include "core/pending.h"
#include "core/ranges.h"
#include "core/run.h"
#include "core/transfer.h"
#include "support/clock.h"
#include "support/env.h"
#include "support/log.h"
#include "support/plans.h"

/* Marks of an array in a run: in a loop over time each kernel is the last one
 * that has it only once. */
enum { MOST_MARKS = 2 };

/* Launches of a run that is not waited for: one with more takes longer than the
 * wait, and is perhaps to become a graph, whose time is wanted. */
enum { MOST_LEFT = 15 };

static uint64_t bit(uint32_t a)
{
    return (uint64_t)1 << a;
}

/* Results other than values, which are small. */
static bool has_results(const struct polygpu_run *run, uint32_t a)
{
    return run->arrays[a].moves.out.count && !polygpu_run_is_value(run, a);
}

/* Those of a run can stay on the device only if all have ranges, and none has
 * marks (polygpu_residency_defer). */
static bool is_brought(const struct polygpu_run *run)
{
    uint32_t a = 0;

    if (polygpu_marks_any(run))
        return true;
    while (a < run->n_arrays && (!has_results(run, a) || run->arrays[a].range))
        ++a;
    return a < run->n_arrays;
}

/* Those whose results are to be copied as soon as they are there. */
static void find_leaving(struct polygpu_run *run)
{
    const struct polygpu_plan plan = polygpu_plan_get(run->scop, run->plan);
    uint32_t a;

    if (!polygpu_env()->overlap || run->n_arrays > POLYGPU_MOST_MARKED ||
        plan.n_kernels < 2 || !run->device->mark || !is_brought(run))
        return;
    for (a = 0; a < run->n_arrays; ++a)
        if (has_results(run, a))
            run->leaving |= bit(a);
}

/* Copy those of the arrays in, that are to be and have not been. */
static bool copy_in(struct polygpu_run *run, uint64_t which)
{
    double begun = polygpu_now();
    bool ok = true;
    uint32_t a;

    for (a = 0; ok && run->n_coming > 0 && a < run->n_arrays; ++a)
        if (polygpu_run_in(which, a))
            ok = polygpu_copy_in(run, a);
    run->stats.in_ms += polygpu_now() - begun;
    return ok;
}

/* The launches so far may be the last ones that have these arrays. */
static bool mark(struct polygpu_run *run, uint64_t which)
{
    uint32_t a;

    for (a = 0; a < run->n_arrays; ++a) {
        if (!polygpu_run_in(which, a))
            continue;
        if (!run->device->mark(run->session, a, &run->status))
            return false;
        if (++run->arrays[a].marks == MOST_MARKS)
            run->leaving &= ~bit(a);
        run->finished |= bit(a);
    }
    return true;
}

/* Has no run that was left the memory of an array?  What they have in a range
 * is used by deferred runs; other memory was waited for when it was given
 * back. */
static bool is_fresh(const struct polygpu_run_array *array)
{
    const struct polygpu_range *r = array->range;

    return !r || (!r->used.count && !r->newer.count && !r->uncertain);
}

static bool follow(struct polygpu_run *run)
{
    double begun = polygpu_now();
    bool ok = true;
    uint32_t a;

    for (a = 0; ok && run->n_coming > 0 && a < run->n_arrays; ++a)
        if (is_fresh(&run->arrays[a]))
            ok = polygpu_copy_in(run, a);
    run->stats.in_ms += polygpu_now() - begun;
    return ok && polygpu_pending_follow(run);
}

bool polygpu_overlap_begin(struct polygpu_run *run)
{
    find_leaving(run);
    return polygpu_pending_any() ? follow(run) : polygpu_pending_follow(run);
}

bool polygpu_overlap_launch(struct polygpu_run *run, uint32_t kernel)
{
    uint64_t uses = run->uses[kernel];
    uint64_t left = run->used & run->leaving & ~run->finished & ~uses;

    if (run->n_coming > 0 &&
        !copy_in(run, polygpu_env()->overlap ? uses : POLYGPU_ALL_ARRAYS))
        return false;
    if (left && !mark(run, left))
        return false;
    run->used |= uses;
    run->finished &= ~uses;
    return true;
}

bool polygpu_overlap_end(struct polygpu_run *run)
{
    uint32_t a;
    bool ok = run->n_coming == 0 || copy_in(run, POLYGPU_ALL_ARRAYS);

    for (a = 0; ok && a < run->n_arrays && run->finished; ++a) {
        double begun;

        if (!polygpu_run_in(run->finished, a))
            continue;
        if (!run->device->reach(run->session, a, &run->status))
            return false;
        begun = polygpu_now();
        ok = polygpu_copy_out(run, a);
        run->early_ms += polygpu_now() - begun;
        POLYGPU_LOG("array %s: results are copied while kernels run",
                    run->scop->arrays[a].name);
    }
    run->stats.out_ms += run->early_ms;
    return ok;
}

/* Is all that the run has of an array in a range, which deferred runs use? */
static bool is_kept(const struct polygpu_run *run, uint32_t a)
{
    const struct polygpu_run_array *array = &run->arrays[a];

    return !array->moves.accessed ||
           (array->range && (array->moves.in.count || array->moves.out.count));
}

bool polygpu_overlap_may_leave(const struct polygpu_run *run)
{
    const struct polygpu_env *env = polygpu_env();
    bool results = false;
    uint32_t a;

    if (!env->overlap || env->profile || !run->device->leave ||
        !run->launched || run->n_launches > MOST_LEFT ||
        !polygpu_pending_room() || env->residency != POLYGPU_RESIDENCY_ON ||
        polygpu_marks_any(run))
        return false;
    for (a = 0; a < run->n_arrays; ++a) {
        if (!is_kept(run, a) ||
            (polygpu_run_is_value(run, a) && run->arrays[a].moves.out.count))
            return false;
        results = results || has_results(run, a);
    }
    return results;
}
