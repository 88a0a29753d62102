/* grid.c - see grid.h.
 *
 * A launch that follows another costs 3.3 us on an H200, a barrier of all
 * blocks 1.0, whatever there is to do: the difference is won for each launch.
 * It is not taken where it is a small part of what the kernels take, since the
 * model may be wrong by more.  What is lost is that a kernel with all of a loop
 * in it has the registers of the hungriest, and so fewer blocks at a time than
 * launches of a modest one have: that one takes longer by as much as is
 * missing.  What barriers and launches cost was measured; this choice was not,
 * on any GPU.  Runs that come again stay launches, since those that the driver
 * knows (graphs.h) cost 0.6 us.
 *
 * A launch that takes a second may be ended by the system that draws the
 * screen, so that a long loop is cut.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/grid.h"

#include "core/decision.h"
#include "core/run.h"
#include "core/state.h"
#include "support/env.h"

#define LEAST_LAUNCHES 8.0 /* for less it is not worth the first barrier */
#define LEAST_PART 0.05    /* of the kernels' time is to be won */
#define LAUNCH_MS 250.0    /* of one launch, by the model */
#define OFF_BY 2.0         /* what the model may be wrong by */
#define MOST_BLOCKS 1e9    /* of a launch: numbers have 32 bits */

/* So often loops of a SCoP are one kernel before they are launches that may
 * come again. */
enum { FIRST_LOOPS = 2 };

/* Milliseconds that barriers cost less than launches. */
static double won_ms(const struct polygpu_estimate *e)
{
    const struct polygpu_device_model *m = &polygpu_env()->model;

    return e->launches * (m->launch - m->meet) * 1e-3;
}

/* May there be enough to win, if nothing is lost? */
static bool may_pay(const struct polygpu_run *run,
                    const struct polygpu_estimate *e)
{
    if (run->device->repeats &&
        __atomic_load_n(&run->state->grids, __ATOMIC_RELAXED) >= FIRST_LOOPS)
        return false;
    return e->launches >= LEAST_LAUNCHES && won_ms(e) > 0 &&
           won_ms(e) > LEAST_PART * e->model_kernel_ms;
}

/* The blocks of the largest launch of "kernel": launches differ, most have less
 * than twice the average. */
static double largest_launch(const struct polygpu_run *run, uint32_t kernel,
                             const struct polygpu_estimate *e)
{
    const uint32_t *block = run->scop->kernels[kernel].block;

    if (e->launches <= 0)
        return 1;
    return 2 * e->threads / e->launches /
               ((double)block[0] * block[1] * block[2]) +
           1;
}

/* Milliseconds that "kernel", of whose blocks a launch has up to "most", takes
 * longer when only "blocks" of them are there at once. */
static double lost_ms(const struct polygpu_run *run, uint32_t kernel,
                      const struct polygpu_estimate *e, double most,
                      uint32_t blocks)
{
    const struct polygpu_device *device = run->device;
    double resident = 0;

    if (device->resident)
        resident =
            device->resident(run->session, run->module, run->scop, kernel);
    if (resident < most)
        most = resident;
    return most > blocks ? e->model_kernel_ms * (most / blocks - 1) : 0;
}

/* Is enough won if each of "kernels" loses what it does?  Sets *most to the
 * blocks of the largest launch. */
static bool pays(const struct polygpu_run *run, const uint32_t *kernels,
                 uint32_t n, const struct polygpu_estimate *all,
                 uint32_t blocks, double *most)
{
    double won = won_ms(all);
    uint32_t i;

    *most = 1;
    for (i = 0; i < n; ++i) {
        struct polygpu_estimate e;
        double largest;

        polygpu_estimate_kernels(&e, run, &kernels[i], 1, run->params);
        largest = largest_launch(run, kernels[i], &e);
        if (largest > *most)
            *most = largest;
        won -= lost_ms(run, kernels[i], &e, largest, blocks);
    }
    return won > LEAST_PART * all->model_kernel_ms;
}

/* The iterations of one launch; 0: one would take too long. */
static int64_t rounds_of(const struct polygpu_estimate *e, int64_t rounds)
{
    double ms = OFF_BY * e->model_kernel_ms +
                e->launches * polygpu_env()->model.meet * 1e-3;
    double most = ms > 0 ? (double)rounds * LAUNCH_MS / ms : (double)rounds;

    if (ms / (double)rounds > OFF_BY * LAUNCH_MS)
        return 0;
    return most >= (double)rounds ? rounds : most < 1 ? 1 : (int64_t)most;
}

bool polygpu_grid_choose(struct polygpu_run *run, uint32_t kernel,
                         int64_t rounds, const uint32_t *kernels, uint32_t n,
                         struct polygpu_grid *how)
{
    enum polygpu_chain chain = polygpu_env()->chain;
    struct polygpu_estimate e;
    double most;
    bool enough;

    if (chain == POLYGPU_CHAIN_OFF || !run->device->together || !run->sized ||
        run->scop->n_counts == 0)
        return false;
    polygpu_estimate_kernels(&e, run, kernels, n, run->params);
    if (chain == POLYGPU_CHAIN_AUTO && !may_pay(run, &e))
        return false;
    how->rounds = rounds_of(&e, rounds);
    if (how->rounds == 0 ||
        !run->device->together(run->session, run->module, run->scop, kernel,
                               &how->blocks, &how->counter))
        return false;
    enough = pays(run, kernels, n, &e, how->blocks, &most);
    if (!(most < MOST_BLOCKS) || (chain == POLYGPU_CHAIN_AUTO && !enough))
        return false;
    if (most < how->blocks)
        how->blocks = (uint32_t)most;
    __atomic_fetch_add(&run->state->grids, 1, __ATOMIC_RELAXED);
    return true;
}
