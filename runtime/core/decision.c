/* decision.c - see decision.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/decision.h"

#include "core/cores.h"
#include "core/learnt.h"
#include "core/opened.h"
#include "core/run.h"
#include "support/env.h"
#include "support/plans.h"

#include <float.h>
#include <string.h>

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* floor(x), without the need for libm. */
static double floor_of(double x)
{
    double whole;

    if (!(x > -1e15 && x < 1e15))
        return x;
    whole = (double)(int64_t)x;
    return whole > x ? whole - 1 : whole;
}

/* The value of a bound; "middle" is where the dimensions before it are. */
static double value_of(const struct polygpu_bound *bound, uint32_t n_params,
                       const int64_t *params, const double *middle)
{
    uint32_t outer = bound->kind == POLYGPU_CONDITION ? 0 : bound->dim;
    double value = (double)bound->factors[n_params + outer];
    uint32_t i;

    for (i = 0; i < n_params; ++i)
        value += (double)bound->factors[i] * (double)params[i];
    for (i = 0; i < outer; ++i)
        value += (double)bound->factors[n_params + i] * middle[i];
    if (bound->divisor <= 1 || bound->kind == POLYGPU_CONDITION)
        return value;
    value /= (double)bound->divisor;
    return bound->kind == POLYGPU_LOWER ? -floor_of(-value) : floor_of(value);
}

/* The number of points between the bounds. */
static double points(const struct polygpu_count *count, uint32_t n_params,
                     const int64_t *params)
{
    double middle[POLYGPU_MAX_DIMS], lower, upper, result = 1;
    uint32_t i = 0, dim;

    while (i < count->n_bounds) {
        dim = count->bounds[i].dim;
        lower = -DBL_MAX;
        upper = DBL_MAX;
        for (; i < count->n_bounds && count->bounds[i].dim == dim; ++i) {
            const struct polygpu_bound *b = &count->bounds[i];
            double value = value_of(b, n_params, params, middle);

            if (b->kind == POLYGPU_CONDITION && value < 0)
                return 0;
            if (b->kind == POLYGPU_LOWER)
                lower = larger(lower, value);
            if (b->kind == POLYGPU_UPPER && value < upper)
                upper = value;
        }
        if (dim >= count->n_dims)
            continue;
        if (upper - lower + 1 <= 0)
            return 0;
        middle[dim] = (lower + upper) / 2;
        result *= upper - lower + 1;
    }
    return result;
}

/* The estimate of one kind for one kernel. */
double polygpu_count(const struct polygpu_scop *scop, uint32_t kind,
                     uint32_t kernel, const int64_t *params)
{
    double sum = 0;
    uint32_t i;

    for (i = 0; i < scop->n_counts; ++i) {
        const struct polygpu_count *count = &scop->counts[i];

        if (count->kind == kind && count->kernel == kernel &&
            count->n_dims <= POLYGPU_MAX_DIMS)
            sum += count->weight * points(count, scop->n_params, params);
    }
    return sum;
}

/* What the original loops wait for in one kernel's place, since they go again
 * through more than the cache holds, and loops in tiles would not. */
double polygpu_again_ms(const struct polygpu_scop *scop, uint32_t kernel,
                        const int64_t *params)
{
    double bytes = polygpu_count(scop, POLYGPU_AGAIN, kernel, params);
    double rounds = polygpu_count(scop, POLYGPU_ROUNDS, kernel, params);

    return rounds > 0 && bytes > rounds * POLYGPU_CACHE_BYTES
               ? bytes / POLYGPU_CORE_BYTES_PER_MS
               : 0;
}

/* What runs of a variant launch, as far as is known. */
static struct polygpu_plan plan_of(const struct polygpu_scop *scop,
                                   uint32_t variant)
{
    return polygpu_plan_get(
        scop, polygpu_plan_of(scop, polygpu_device_arch(), variant));
}

/* Are there fewer operations than "most" to do? */
static bool counts_less(const struct polygpu_scop *scop, const int64_t *params,
                        double most)
{
    const struct polygpu_plan plan =
        plan_of(scop, polygpu_variant_of(scop, params));
    uint32_t i;

    for (i = 0; i < scop->n_counts && most >= 0; ++i) {
        const struct polygpu_count *count = &scop->counts[i];

        if (count->kind == POLYGPU_OPERATIONS &&
            count->kernel - plan.first_kernel < plan.n_kernels &&
            count->n_dims <= POLYGPU_MAX_DIMS)
            most -= count->weight * points(count, scop->n_params, params);
    }
    return most >= 0 && i > 0;
}

/* A number for a SCoP with parameters and a limit; two have the same one hardly
 * ever, and what comes of that is a run on the CPU.  Another library's SCoP may
 * be where one was. */
static uint64_t question(const struct polygpu_scop *scop, const int64_t *params,
                         double limit)
{
    double known = scop->n_counts > 0 ? limit / scop->counts[0].weight : limit;
    uint64_t result;
    uint32_t i;

    memcpy(&result, &known, sizeof result);
    result = (result ^ (uintptr_t)scop) * POLYGPU_KEY_FACTOR;
    for (i = 0; i < scop->n_params; ++i)
        result = (result ^ (uint64_t)params[i]) * POLYGPU_KEY_FACTOR;
    return result | 1;
}

/* Are there too few operations to pay for a run, whatever else it does?  This
 * is asked in front of loops that may take nanoseconds, and counting takes tens
 * of them: the last questions with the answer yes are remembered. */
bool polygpu_is_tiny(const struct polygpu_scop *scop, const int64_t *params)
{
    enum { BITS = 8 };
    static uint64_t yes[1 << BITS];
    double limit = polygpu_learnt_tiny(scop);
    uint64_t asked = question(scop, params, limit);
    uint64_t *place = &yes[asked >> (64 - BITS)];

    if (__atomic_load_n(place, __ATOMIC_RELAXED) == asked)
        return true;
    if (!counts_less(scop, params, limit))
        return false;
    __atomic_store_n(place, asked, __ATOMIC_RELAXED);
    return true;
}

/* Bytes of device memory that a kernel of "run" can reach. */
static double bytes_of(const struct polygpu_run *run, uint32_t kernel)
{
    const struct polygpu_kernel *k = &run->scop->kernels[kernel];
    double bytes = 0;
    uint32_t i;

    for (i = 0; i < k->n_params; ++i) {
        const struct polygpu_run_array *array;

        if (k->params[i].kind != POLYGPU_PARAM_ARRAY ||
            k->params[i].value >= run->scop->n_arrays)
            continue;
        array = &run->arrays[k->params[i].value];
        if (array->moves.accessed)
            bytes +=
                ((double)array->moves.last - (double)array->moves.first + 1) *
                run->scop->arrays[k->params[i].value].elem_size;
    }
    return bytes;
}

/* Bytes that a kernel moves between the device's memory and its cores: its
 * arrays once in each launch, though at most 8 for an operation. */
static double traffic_of(const struct polygpu_run *run, uint32_t kernel,
                         double operations, double launches)
{
    double traffic = bytes_of(run, kernel) * launches;

    return traffic > 8 * operations ? 8 * operations : traffic;
}

/* Add what one kernel does; "run" is NULL while its arrays are not known. */
static void add_kernel(struct polygpu_estimate *e,
                       const struct polygpu_scop *scop,
                       const struct polygpu_run *run, const int64_t *params,
                       uint32_t k)
{
    const struct polygpu_device_model *m = &polygpu_env()->model;
    double operations = polygpu_count(scop, POLYGPU_OPERATIONS, k, params);
    double launches = polygpu_count(scop, POLYGPU_LAUNCHES, k, params);
    double threads = polygpu_count(scop, POLYGPU_THREADS, k, params);
    double average = launches > 0 ? larger(1, threads / launches) : 1;
    double ms = larger(operations / (m->gpu * 1e6),
                       operations / average / (m->thread * 1e6));
    double steps = polygpu_count(scop, POLYGPU_STEPS, k, params);
    double alone = polygpu_count(scop, POLYGPU_ALONE, k, params);

    if (run)
        ms = larger(ms, traffic_of(run, k, operations, launches) /
                            (m->memory * 1e6));
    ms += steps * m->step * 1e-3 + alone / (m->thread * 1e6);
    e->operations += operations;
    e->launches += launches;
    e->threads += threads;
    e->model_kernel_ms += ms;
}

/* Where nothing was counted: what can be known is that each element that is
 * copied is accessed once.  What a run takes is learnt from this as from
 * counts. */
static void add_uncounted(struct polygpu_estimate *e,
                          const struct polygpu_run *run)
{
    const struct polygpu_device_model *m = &polygpu_env()->model;
    const struct polygpu_plan plan = plan_of(run->scop, run->variant);
    uint32_t a;

    for (a = 0; a < run->n_arrays; ++a) {
        const struct polygpu_moves *moves = &run->arrays[a].moves;

        if (run->scop->arrays[a].elem_size)
            e->operations +=
                (moves->in_copies.bytes + moves->out_copies.bytes) /
                run->scop->arrays[a].elem_size;
    }
    e->launches = plan.n_kernels;
    e->threads = e->operations;
    e->model_kernel_ms = e->operations / (m->gpu * 1e6);
}

static void add_copies(struct polygpu_copies *to, struct polygpu_copies some,
                       double share)
{
    to->bytes += some.bytes * share;
    to->number += some.number * share;
}

/* Add what of an array would be copied for each run to come. */
static void add_usual(struct polygpu_estimate *e,
                      const struct polygpu_run_array *array)
{
    const struct polygpu_moves *moves = &array->moves;

    if (array->resident && !array->seen) {
        add_copies(&e->usual_in, array->missing, 1);
        add_copies(&e->usual_out, moves->out_copies, array->newer.bytes <= 0);
    }
    if (array->seen) {
        add_copies(&e->usual_in, moves->in_copies, smaller(array->would_in, 1));
        add_copies(&e->usual_out, moves->out_copies,
                   smaller(array->would_out, 1));
    }
}

/* Add what is allocated and copied for an array. */
static void add_array(struct polygpu_estimate *e, const struct polygpu_run *run,
                      uint32_t a)
{
    const struct polygpu_run_array *array = &run->arrays[a];

    e->arrays += array->moves.accessed && !array->resident;
    add_copies(&e->in, array->moves.in_copies, 1);
    add_copies(&e->out, array->moves.out_copies, 1);
    add_copies(&e->missing, array->missing, 1);
    add_copies(&e->newer, array->newer, 1);
    add_copies(&e->spoilt, array->spoilt, 1);
    if (array->newer.bytes > 0)
        add_copies(&e->stayed, array->moves.out_copies, 1);
    e->foreseen = e->foreseen &&
                  (!array->moves.accessed || polygpu_run_is_value(run, a) ||
                   array->resident || array->seen);
    add_usual(e, array);
    e->all_stay = e->all_stay && (!array->moves.accessed || array->scope ||
                                  polygpu_run_is_value(run, a));
}

static struct polygpu_copies part_of(struct polygpu_copies all, double share)
{
    return (struct polygpu_copies){all.bytes * share, all.number * share};
}

/* Of the bytes only those that move, if this run is like the last ones: copies
 * that serve the next runs as well are charged to all of them.  And the pool
 * has memory for arrays of one that ran before. */
static void leave_out_what_stays(struct polygpu_estimate *e,
                                 const struct polygpu_run *run)
{
    double in = e->in.bytes > 0 ? e->missing.bytes / e->in.bytes : 0;
    double out = e->out.bytes > 0 ? 1 - e->stayed.bytes / e->out.bytes : 0;
    struct polygpu_share moved = polygpu_state_moves(run->state, in, out);

    e->was_there = moved.known;
    if (!moved.known) {
        e->in = e->missing;
        return;
    }
    e->in = part_of(e->in, smaller(in, moved.in));
    e->once_in =
        part_of(e->missing, in > 0 ? 1 - smaller(1, moved.in / in) : 0);
    e->once_out = part_of(e->out, 1 - smaller(1, moved.out));
    e->out = part_of(e->out, moved.out);
    e->arrays = 0;
}

/* The time of copies either way: asking for one takes as long as a launch. */
static double in_ms(const struct polygpu_copies *c,
                    const struct polygpu_ratios *ratio)
{
    const struct polygpu_device_model *m = &polygpu_env()->model;

    return c->bytes * ratio->in / (m->in * 1e6) +
           c->number * ratio->asking * m->launch * 1e-3;
}

static double out_ms(const struct polygpu_copies *c,
                     const struct polygpu_ratios *ratio)
{
    const struct polygpu_device_model *m = &polygpu_env()->model;

    return c->bytes * ratio->out / (m->out * 1e6) +
           c->number * ratio->asking * m->launch * 1e-3;
}

/* Times, by the model and by what was learnt. */
static void set_times(struct polygpu_estimate *e,
                      const struct polygpu_scop *scop, const int64_t *params,
                      const struct polygpu_ratios *ratio)
{
    const struct polygpu_device_model *m = &polygpu_env()->model;
    double run = m->run * 1e-3, launch = e->launches * m->launch * 1e-3;
    double again = polygpu_again_ms(scop, 0, params);

    e->model_cpu_ms = e->operations / (m->cpu * 1e6);
    e->model_device_ms = run + launch + e->model_kernel_ms;
    e->flush_ms = in_ms(&e->newer, ratio) + out_ms(&e->newer, ratio);
    e->cpu_ms = polygpu_cores_ms_of(
                    scop, e->model_cpu_ms * ratio->cpu, again, e->launches,
                    polygpu_count(scop, POLYGPU_SCATTERED, 0, params)) +
                e->flush_ms;
    e->leaving_ms = in_ms(&e->spoilt, ratio);
    e->kernel_ms = e->model_kernel_ms * ratio->kernels;
    e->launch_ms = launch * ratio->overhead;
    e->transfer_ms = in_ms(&e->in, ratio) + out_ms(&e->out, ratio);
    e->once_ms = in_ms(&e->once_in, ratio) + out_ms(&e->once_out, ratio);
    e->arrays_ms = e->arrays * m->array * 1e-3 * ratio->array;
    e->fixed_ms = run * ratio->overhead + e->arrays_ms;
    e->gpu_ms = e->fixed_ms + e->launch_ms + e->transfer_ms + e->kernel_ms;
    e->staying_ms = run * ratio->overhead + e->launch_ms + e->kernel_ms;
    if (!e->foreseen)
        e->usual_in = e->usual_out = (struct polygpu_copies){0};
    e->usual_ms = e->staying_ms + in_ms(&e->usual_in, ratio) +
                  out_ms(&e->usual_out, ratio);
}

/* Asking for copies is not counted here. */
static void set_others(struct polygpu_estimate *e,
                       const struct polygpu_company *c,
                       const struct polygpu_ratios *ratio)
{
    const struct polygpu_copies usual_in = {c->usual_in, 0};
    const struct polygpu_copies usual_out = {c->usual_out, 0};
    const struct polygpu_copies shared_in = {c->shared_in, 0};
    const struct polygpu_copies shared_out = {c->shared_out, 0};

    e->others_cpu_ms = c->ms.cpu;
    e->others_usual_ms =
        c->ms.staying + in_ms(&usual_in, ratio) + out_ms(&usual_out, ratio);
    e->others_price_ms =
        c->ms.price - in_ms(&shared_in, ratio) - out_ms(&shared_out, ratio);
}

/* Estimate everything but transfers, which "run" knows if it is not NULL. */
static void estimate(struct polygpu_estimate *e,
                     const struct polygpu_scop *scop,
                     const struct polygpu_run *run, const int64_t *params)
{
    const struct polygpu_plan plan =
        plan_of(scop, run ? run->variant : polygpu_variant_of(scop, params));
    struct polygpu_ratios ratios;
    uint32_t k, a;

    memset(e, 0, sizeof *e);
    e->all_stay = e->foreseen = run != NULL;
    for (k = 0; k < plan.n_kernels; ++k)
        add_kernel(e, scop, run, params, plan.first_kernel + k);
    if (run && scop->n_counts == 0)
        add_uncounted(e, run);
    e->threads = e->launches > 0 ? e->threads / e->launches : 0;
    for (a = 0; run && a < scop->n_arrays; ++a)
        add_array(e, run, a);
    if (run)
        leave_out_what_stays(e, run);
    polygpu_learnt(__atomic_load_n((struct polygpu_state *const *)&scop->state,
                                   __ATOMIC_ACQUIRE),
                   e->operations, &ratios);
    set_times(e, scop, params, &ratios);
    if (run) {
        e->gpu_ms += run->inspect_ms;
        e->staying_ms += run->inspect_ms;
        e->usual_ms += run->inspect_ms;
    }
    if (run)
        set_others(e, &run->company, &ratios);
    e->known = (scop->n_counts > 0 || run) && e->cpu_ms >= 0 && e->gpu_ms >= 0;
}

void polygpu_estimate_kernels(struct polygpu_estimate *e,
                              const struct polygpu_run *run,
                              const uint32_t *kernels, uint32_t n,
                              const int64_t *params)
{
    uint32_t k;

    memset(e, 0, sizeof *e);
    for (k = 0; k < n; ++k)
        add_kernel(e, run->scop, run, params, kernels[k]);
}

/* What can be told from the sizes alone: gpu_ms is too short, as if the SCoP
 * had no arrays. */
void polygpu_estimate_sizes(struct polygpu_estimate *e,
                            const struct polygpu_scop *scop,
                            const int64_t *params)
{
    estimate(e, scop, NULL, params);
}

/* All of it, for a run whose arrays and elements have been announced. */
void polygpu_estimate_run(struct polygpu_estimate *e,
                          const struct polygpu_run *run, const int64_t *params)
{
    estimate(e, run->scop, run, params);
}

/* What the kernels of a run do, for the profile. */
void polygpu_count_work(struct polygpu_run *run)
{
    const struct polygpu_scop *scop = run->scop;
    const int64_t *params = run->params;
    uint32_t k;

    for (k = 0; k < run->n_kernels; ++k) {
        struct polygpu_kernel_stats *to = &run->kernels[k];

        to->operations = polygpu_count(scop, POLYGPU_OPERATIONS, k, params);
        to->flops_single = polygpu_count(scop, POLYGPU_FLOPS_SINGLE, k, params);
        to->flops_double = polygpu_count(scop, POLYGPU_FLOPS_DOUBLE, k, params);
        to->bytes =
            traffic_of(run, k, to->operations,
                       polygpu_count(scop, POLYGPU_LAUNCHES, k, params));
    }
}
