/* grid.c - see grid.h.
 *
 * A launch that follows another costs 3.3 us on an H200, a barrier of all
 * blocks 1.0, whatever their number.  What is won is the difference, and what
 * is lost is that a kernel with all of a loop in it has the registers of the
 * hungriest, and blocks for the most it does at a time: where launches have
 * work for much longer than they cost they stay launches.  So they do where
 * runs come again, since launches that the driver knows (graphs.h) cost 0.6 us.
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
#define MOST_WORK 2.0      /* times what is won by not launching */
#define LAUNCH_MS 250.0    /* of one launch, by the model */
#define OFF_BY 2.0         /* what the model may be wrong by */
#define MOST_BLOCKS 1e9    /* whose numbers have 32 bits */

/* So often loops of a SCoP are one kernel before they are launches that may
 * come again. */
enum { FIRST_LOOPS = 2 };

/* Would the launches cost more than barriers, by what they win? */
static bool pays(const struct polygpu_run *run,
                 const struct polygpu_estimate *e)
{
    const struct polygpu_device_model *m = &polygpu_env()->model;
    double won = e->launches * (m->launch - m->meet) * 1e-3;

    if (run->device->repeats &&
        __atomic_load_n(&run->state->grids, __ATOMIC_RELAXED) >= FIRST_LOOPS)
        return false;
    return e->launches >= LEAST_LAUNCHES && won > 0 &&
           e->model_kernel_ms <= MOST_WORK * won;
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
    const uint32_t *block = run->scop->kernels[kernel].block;
    enum polygpu_chain chain = polygpu_env()->chain;
    struct polygpu_estimate e;
    double blocks, most;

    if (chain == POLYGPU_CHAIN_OFF || !run->device->together || !run->sized ||
        run->scop->n_counts == 0)
        return false;
    polygpu_estimate_kernels(&e, run, kernels, n, run->params);
    if (chain == POLYGPU_CHAIN_AUTO && !pays(run, &e))
        return false;
    how->rounds = rounds_of(&e, rounds);
    blocks = e.threads / ((double)block[0] * block[1] * block[2]);
    if (how->rounds == 0 || !(blocks < MOST_BLOCKS) ||
        !run->device->together(run->session, run->module, run->scop, kernel,
                               &how->blocks, &how->counter))
        return false;
    /* Launches differ: most have less than twice the average. */
    most = e.launches > 0 ? 2 * blocks / e.launches + 1 : 1;
    if (most < how->blocks)
        how->blocks = (uint32_t)most;
    __atomic_fetch_add(&run->state->grids, 1, __ATOMIC_RELAXED);
    return true;
}
