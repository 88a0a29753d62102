/* run.c - see run.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/run.h"

#include "core/lock.h"

#include <stdlib.h>
#include <string.h>

/* What a resting run may keep of each array. */
enum { MOST_SEGMENTS = 256, MOST_STAGING = 64 * 1024 };

static void forget_session(struct polygpu_run *run)
{
    if (run->session)
        run->device->stop(run->session);
    run->session = NULL;
}

static void free_moves(struct polygpu_moves *moves)
{
    polygpu_segments_free(&moves->in);
    polygpu_segments_free(&moves->out);
    polygpu_segments_free(&moves->touched);
    polygpu_intervals_free(&moves->in_at.set);
    polygpu_intervals_free(&moves->out_at.set);
}

static void destroy(struct polygpu_run *run)
{
    uint32_t a;

    if (!run)
        return;
    forget_session(run);
    for (a = 0; a < run->n_arrays; ++a) {
        free_moves(&run->arrays[a].moves);
        free_moves(&run->arrays[a].before);
        polygpu_intervals_free(&run->arrays[a].pieces);
        polygpu_intervals_free(&run->arrays[a].newer_bytes);
        free(run->arrays[a].staging);
    }
    free(run->sizes_before);
    free(run->packed);
    free(run->args);
    free(run->uses);
    free(run->kernels);
    free(run);
}

/* The arrays that a kernel has; all, where there are more than a set has. */
static uint64_t uses_of(const struct polygpu_scop *scop,
                        const struct polygpu_kernel *kernel)
{
    uint64_t uses = 0;
    uint32_t i;

    if (scop->n_arrays > POLYGPU_MOST_MARKED)
        return POLYGPU_ALL_ARRAYS;
    for (i = 0; i < kernel->n_params; ++i)
        if (kernel->params[i].kind == POLYGPU_PARAM_ARRAY &&
            kernel->params[i].value < scop->n_arrays)
            uses |= (uint64_t)1 << kernel->params[i].value;
    return uses;
}

/* Lay out the arguments of all kernels, those that are arrays once and for
 * all. */
static bool pack_args(struct polygpu_run *run, const struct polygpu_scop *scop)
{
    size_t n = 0;
    uint32_t k, i;

    for (k = 0; k < scop->n_kernels; ++k)
        n += scop->kernels[k].n_params;
    run->packed = calloc(n + 1, sizeof *run->packed);
    run->args = calloc((size_t)scop->n_kernels + 1, sizeof *run->args);
    run->uses = calloc((size_t)scop->n_kernels + 1, sizeof *run->uses);
    if (!run->packed || !run->args || !run->uses)
        return false;
    for (k = 0, n = 0; k < scop->n_kernels; ++k) {
        const struct polygpu_kernel *kernel = &scop->kernels[k];

        run->uses[k] = uses_of(scop, kernel);
        run->args[k] = run->packed + n;
        n += kernel->n_params;
        for (i = 0; i < kernel->n_params; ++i)
            if (kernel->params[i].kind == POLYGPU_PARAM_ARRAY &&
                kernel->params[i].value < scop->n_arrays)
                run->args[k][i] =
                    &run->arrays[kernel->params[i].value].element0;
    }
    return true;
}

static struct polygpu_run *create(const struct polygpu_scop *scop)
{
    struct polygpu_run *run =
        calloc(1, sizeof *run + scop->n_arrays * sizeof *run->arrays);

    if (!run)
        return NULL;
    run->n_arrays = scop->n_arrays;
    run->n_kernels = scop->n_kernels;
    run->kernels = calloc((size_t)scop->n_kernels + 1, sizeof *run->kernels);
    run->sizes_before =
        calloc((size_t)scop->n_sizes + 1, sizeof *run->sizes_before);
    if (run->kernels && run->sizes_before && pack_args(run, scop))
        return run;
    destroy(run);
    return NULL;
}

struct polygpu_run *polygpu_run_new(struct polygpu_scop *scop,
                                    struct polygpu_state *state)
{
    struct polygpu_run *run =
        __atomic_exchange_n(&state->resting, NULL, __ATOMIC_ACQ_REL);

    if (!run)
        run = create(scop);
    if (!run)
        return NULL;
    run->scop = scop;
    run->state = state;
    return run;
}

/* Empty the list, and its buffer where that is large. */
static void clear_segments(struct polygpu_segments *segments)
{
    if (segments->capacity > MOST_SEGMENTS)
        polygpu_segments_free(segments);
    segments->count = 0;
    segments->unsorted = false;
}

static void clear_moves(struct polygpu_moves *moves)
{
    struct polygpu_moves was = *moves;

    clear_segments(&was.in);
    clear_segments(&was.out);
    clear_segments(&was.touched);
    polygpu_intervals_clear(&was.in_at.set);
    polygpu_intervals_clear(&was.out_at.set);
    *moves = (struct polygpu_moves){.in = was.in,
                                    .out = was.out,
                                    .touched = was.touched,
                                    .in_at.set = was.in_at.set,
                                    .out_at.set = was.out_at.set};
}

static void clear_array(struct polygpu_run_array *array)
{
    struct polygpu_run_array was = *array;

    clear_moves(&was.moves);
    polygpu_intervals_clear(&was.pieces);
    polygpu_intervals_clear(&was.newer_bytes);
    if (was.staging_size > MOST_STAGING) {
        free(was.staging);
        was.staging = NULL;
        was.staging_size = 0;
    }
    memset(array, 0, sizeof *array);
    array->moves = was.moves;
    array->before = was.before;
    array->pieces = was.pieces;
    array->newer_bytes = was.newer_bytes;
    array->staging = was.staging;
    array->staging_size = was.staging_size;
}

void polygpu_run_free(struct polygpu_run *run)
{
    struct polygpu_run was = *run;
    uint32_t a;

    for (a = 0; a < run->n_arrays; ++a)
        clear_array(&run->arrays[a]);
    memset(run->kernels, 0, run->n_kernels * sizeof *run->kernels);
    memset(run, 0, sizeof *run);
    run->n_arrays = was.n_arrays;
    run->n_kernels = was.n_kernels;
    run->kernels = was.kernels;
    run->told_before = was.told_before;
    run->sizes_before = was.sizes_before;
    run->packed = was.packed;
    run->args = was.args;
    run->uses = was.uses;
    run->device = was.device;
    run->session = was.session;
    run->generation = was.generation;
    destroy(__atomic_exchange_n(&was.state->resting, run, __ATOMIC_ACQ_REL));
}

bool polygpu_run_start(struct polygpu_run *run,
                       const struct polygpu_device *device,
                       struct polygpu_status *status)
{
    unsigned generation = polygpu_generation(device);

    if (run->session &&
        (run->device != device || run->generation != generation))
        forget_session(run);
    run->device = device;
    run->generation = generation;
    return run->session || device->start(run->scop, &run->session, status);
}

void polygpu_run_use(struct polygpu_run *run,
                     const struct polygpu_device *device, void *session,
                     unsigned generation)
{
    run->device = device;
    run->session = session;
    run->generation = generation;
}

static bool may_rest(const struct polygpu_device *device, void *session,
                     bool well)
{
    return well && device->rest && device->rest(session);
}

void polygpu_run_stop(struct polygpu_run *run, bool well)
{
    if (!may_rest(run->device, run->session, well))
        forget_session(run);
}

void polygpu_run_rest(struct polygpu_state *state,
                      const struct polygpu_device *device, void *session,
                      unsigned generation, bool well)
{
    struct polygpu_run *run =
        __atomic_exchange_n(&state->resting, NULL, __ATOMIC_ACQ_REL);

    if (run && !run->session && may_rest(device, session, well))
        polygpu_run_use(run, device, session, generation);
    else
        device->stop(session);
    if (run)
        destroy(__atomic_exchange_n(&state->resting, run, __ATOMIC_ACQ_REL));
}

void polygpu_run_end_resting(void)
{
    struct polygpu_state *state;

    polygpu_lock();
    for (state = polygpu_state_first(); state; state = state->next)
        destroy(__atomic_exchange_n(&state->resting, NULL, __ATOMIC_ACQ_REL));
    polygpu_unlock();
}
