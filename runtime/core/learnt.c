/* learnt.c - see learnt.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/learnt.h"

#include "core/lock.h"
#include "core/run.h"
#include "support/clock.h"
#include "support/env.h"
#include "support/log.h"

/* Bytes; the time of smaller copies is that of asking for them, and a part of
 * the run's. */
enum { LARGE = 64 * 1024 };

/* What a pace may be until it is measured: then runs that would be too short
 * even to be tried are not asked for. */
enum { WORST = 10 };

/* Of runs whose pace is known, one of so many is measured again. */
enum { SELDOM = 32 };

/* Of runs that end before their kernels do: so many are left until they are
 * waited for to learn what they take. */
enum { FEW = 4 };

static struct polygpu_machine machine; /* under the lock */
static double overhead;                /* its pace, for all to read */

/* ---- Looking ------------------------------------------------------------- */

static bool learns(void)
{
    return polygpu_env()->learns;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double known(double ratio)
{
    return ratio > 0 ? ratio : 1;
}

/* What a run on the device takes if it is not waited for, by what it takes if
 * it is. */
static double left_of(const struct polygpu_state *state,
                      const struct polygpu_class *c)
{
    return state->leaves ? known(c->left > 0 ? c->left : c->hint) : 1;
}

void polygpu_learnt(struct polygpu_state *state, double operations,
                    struct polygpu_ratios *ratios)
{
    const struct polygpu_class *c;

    *ratios = (struct polygpu_ratios){1, 1, 1, 1, 1, 1, 1};
    if (!learns() || !state)
        return;
    polygpu_lock();
    c = polygpu_class_of(state->classes, operations);
    ratios->cpu = known(c->pace[POLYGPU_ON_CPU].ratio);
    ratios->kernels =
        known(c->pace[POLYGPU_ON_DEVICE].ratio) * left_of(state, c);
    ratios->overhead = c->pace[POLYGPU_ON_DEVICE].ratio > 0
                           ? ratios->kernels
                           : known(machine.overhead.ratio);
    ratios->in = known(machine.in.ratio);
    ratios->out = known(machine.out.ratio);
    ratios->asking = known(machine.overhead.ratio);
    ratios->array = known(machine.array.ratio);
    polygpu_unlock();
}

const struct polygpu_machine *polygpu_learnt_machine(void)
{
    return &machine;
}

double polygpu_learnt_load(void)
{
    double ratio;

    polygpu_lock();
    ratio = known(machine.load.ratio);
    polygpu_unlock();
    return ratio;
}

double polygpu_learnt_tiny(const struct polygpu_scop *scop)
{
    const struct polygpu_device_model *m = &polygpu_env()->model;
    const struct polygpu_state *state;
    double cpu = 0, of_run;

    if (!learns())
        return m->run * m->cpu * 1e3;
    state = __atomic_load_n((struct polygpu_state *const *)&scop->state,
                            __ATOMIC_ACQUIRE);
    if (state)
        __atomic_load(&state->cpu_ratio, &cpu, __ATOMIC_RELAXED);
    __atomic_load(&overhead, &of_run, __ATOMIC_RELAXED);
    return m->run * m->cpu * 1e3 * known(of_run) /
           (POLYGPU_NEAR * (cpu > 0 ? cpu : WORST));
}

/* ---- Choosing ------------------------------------------------------------ */

/* Of runs to come on the device: what may stay has to be brought there once. */
static double steady_ms(const struct polygpu_estimate *e, double ms)
{
    double staying = e->foreseen ? e->usual_ms : e->staying_ms;

    return e->all_stay && staying < ms ? staying : ms;
}

bool polygpu_learnt_choice(struct polygpu_state *state, double setup,
                           struct polygpu_estimate *e)
{
    const double arrays = e->arrays_ms * (1 - 1. / POLYGPU_MIN_RUNS);
    const struct polygpu_times times = {{e->cpu_ms, e->gpu_ms - arrays},
                                        setup,
                                        arrays + e->once_ms,
                                        e->leaving_ms,
                                        steady_ms(e, e->gpu_ms - arrays),
                                        e->flush_ms};
    struct polygpu_class *c;
    enum polygpu_side side;

    e->trial = false;
    if (!learns())
        return e->cpu_ms > e->gpu_ms;
    polygpu_lock();
    c = polygpu_class_of(state->classes, e->operations);
    e->runs = c->runs;
    e->tried = c->trials > 0 && c->since == 0;
    e->lost = c->lost;
    e->cpu_known = c->pace[POLYGPU_ON_CPU].ratio > 0;
    side = polygpu_choose(c, &times, &e->trial);
    polygpu_unlock();
    return side == POLYGPU_ON_DEVICE;
}

void polygpu_learnt_risk(struct polygpu_state *state,
                         const struct polygpu_estimate *e, double ms)
{
    polygpu_lock();
    polygpu_class_of(state->classes, e->operations)->lost += ms;
    polygpu_unlock();
}

bool polygpu_learnt_may_try(struct polygpu_state *state, double setup,
                            const struct polygpu_estimate *e)
{
    const struct polygpu_times times = {
        {e->cpu_ms, e->gpu_ms}, setup, 0, 0, e->gpu_ms, 0};
    bool may;

    if (!learns())
        return false;
    polygpu_lock();
    may = polygpu_may_try(polygpu_class_of(state->classes, e->operations),
                          &times);
    polygpu_unlock();
    return may;
}

bool polygpu_learnt_settled(struct polygpu_state *state,
                            const struct polygpu_estimate *e)
{
    const double ms[] = {e->cpu_ms, e->gpu_ms};
    bool settled;

    if (!learns() || !state)
        return true;
    polygpu_lock();
    settled =
        polygpu_is_settled(polygpu_class_of(state->classes, e->operations), ms);
    polygpu_unlock();
    return settled;
}

/* ---- Learning ------------------------------------------------------------ */

void polygpu_learn_load(double bytes, double ms)
{
    if (!learns())
        return;
    polygpu_lock();
    polygpu_pace_learn(&machine.load, polygpu_env()->model.load * bytes / 1024,
                       ms);
    polygpu_unlock();
}

/* What asking for copies takes. */
static double asking_ms(const struct polygpu_copies *copies)
{
    return copies->number * polygpu_env()->model.launch * 1e-3 *
           known(machine.overhead.ratio);
}

/* Copies at a "rate" have taken "ms"; of that half at most was asking. */
static void learn_copy(struct polygpu_pace *pace, double rate,
                       const struct polygpu_copies *copies, double ms)
{
    double asking = asking_ms(copies);

    if (copies->bytes >= LARGE)
        polygpu_pace_learn(pace, copies->bytes / (rate * 1e6),
                           asking < ms / 2 ? ms - asking : ms / 2);
}

void polygpu_learn_out(const struct polygpu_copies *copies, double ms)
{
    if (!learns())
        return;
    polygpu_lock();
    learn_copy(&machine.out, polygpu_env()->model.out, copies, ms);
    polygpu_unlock();
}

/* Of the "ms" that copies took: what is theirs.  Where they are small that is
 * what is known of them, and the rest belongs to the run. */
static double own_ms(const struct polygpu_copies *copies, double rate,
                     const struct polygpu_pace *pace, double ms)
{
    double expected =
        asking_ms(copies) + copies->bytes / (rate * 1e6) * known(pace->ratio);

    return copies->bytes >= LARGE || expected > ms ? ms : expected;
}

/* What a run took without its copies.  Those out have ended behind it. */
static double without_copies(const struct polygpu_run *run, double computed)
{
    const struct polygpu_device_model *m = &polygpu_env()->model;
    const struct polygpu_scop_stats *s = &run->stats;

    return computed - run->begun - run->setup_ms - run->alloc_ms -
           run->inspect_ms - own_ms(&run->came, m->in, &machine.in, s->in_ms) +
           s->out_ms - own_ms(&run->left, m->out, &machine.out, s->out_ms);
}

/* Is a time the kernels', or that of asking for them? */
static bool is_overhead(const struct polygpu_estimate *e)
{
    return 4 * e->model_kernel_ms <= e->model_device_ms - e->model_kernel_ms;
}

/* Of the machine, from a run that took "ms" without its copies. */
static void learn_machine(const struct polygpu_run *run, double ms)
{
    const struct polygpu_device_model *m = &polygpu_env()->model;
    const struct polygpu_scop_stats *s = &run->stats;
    const struct polygpu_estimate *e = &run->estimate;

    learn_copy(&machine.in, m->in, &run->came, s->in_ms);
    learn_copy(&machine.out, m->out, &run->left, s->out_ms);
    if (e->arrays > 0)
        polygpu_pace_learn(&machine.array, e->arrays * m->array * 1e-3,
                           run->alloc_ms);
    if (is_overhead(e))
        polygpu_pace_learn(&machine.overhead,
                           e->model_device_ms - e->model_kernel_ms, ms);
    __atomic_store(&overhead, &machine.overhead.ratio, __ATOMIC_RELAXED);
}

/* ---- Runs that are left -------------------------------------------------- */

/* Those of a class only: a SCoP whose sizes change begins anew. */
static struct polygpu_left *left_like(const struct polygpu_run *run)
{
    struct polygpu_state *state = run->state;
    struct polygpu_left *left = &state->left_runs;
    const struct polygpu_class *c =
        polygpu_class_of(state->classes, run->estimate.operations);

    if (left->runs > 0 &&
        polygpu_class_of(state->classes, left->operations) != c)
        *left = (struct polygpu_left){0};
    left->operations = run->estimate.operations;
    return left;
}

void polygpu_learn_left(const struct polygpu_run *run)
{
    const struct polygpu_estimate *e = &run->estimate;
    struct polygpu_left *left;

    if (!learns() || !run->tested || !e->known)
        return;
    polygpu_lock();
    run->state->leaves = true;
    left = left_like(run);
    ++left->runs;
    left->ms += without_copies(run, polygpu_now());
    left->expected += e->model_device_ms *
                      known(polygpu_class_of(run->state->classes, e->operations)
                                ->pace[POLYGPU_ON_DEVICE]
                                .ratio);
    polygpu_unlock();
}

/* The wait is for each as long as it was expected to take. */
static void learn_left(struct polygpu_state *state, double wait)
{
    struct polygpu_left *left = &state->left_runs;
    struct polygpu_class *c =
        polygpu_class_of(state->classes, left->operations);
    double ratio = left->ms / left->expected + wait;

    ratio = ratio > 1 ? 1 : ratio > 0.01 ? ratio : 0.01;
    c->left = c->left > 0 ? c->left + (ratio - c->left) * left->runs /
                                          (left->runs + FEW)
                          : ratio;
    POLYGPU_LOG("%s (%s:%u): %u runs that were not waited for took %.3g of "
                "the time of those that are",
                state->function, state->file, (unsigned)state->line, left->runs,
                ratio);
    *left = (struct polygpu_left){0};
}

void polygpu_learn_waited(struct polygpu_state *const *states, size_t n,
                          double ms)
{
    double expected = 0;
    size_t i;

    if (!learns())
        return;
    polygpu_lock();
    for (i = 0; i < n; ++i)
        expected += states[i]->left_runs.expected;
    for (i = 0; i < n; ++i)
        if (states[i]->left_runs.expected > 0)
            learn_left(states[i], ms / expected);
    polygpu_unlock();
}

/* A run has taken "ms", of which it was waited for; others like it may not be:
 * they take at least what the host does, and their kernels.  So many of them
 * are to lose no more than trials may, should they take as long. */
static void hint(struct polygpu_class *c, const struct polygpu_run *run,
                 double ms)
{
    const struct polygpu_estimate *e = &run->estimate;
    double cpu = e->cpu_ms - e->flush_ms, loss = FEW * (ms - cpu);
    double kernels = smaller(run->wait_ms, e->model_kernel_ms);

    if (!run->may_leave || c->left > 0 || c->hint > 0 || !(ms > run->wait_ms) ||
        c->lost + loss > POLYGPU_RISK * cpu)
        return;
    c->hint = (ms - run->wait_ms + kernels) / ms;
    c->lost += loss > 0 ? loss : 0;
}

/* ---- Learning from runs -------------------------------------------------- */

/* Are runs on the device for what they may take at least, and are so many left
 * that it can be said what they do? */
static bool wants_left(const struct polygpu_run *run,
                       const struct polygpu_class *c)
{
    const struct polygpu_estimate *e = &run->estimate;
    double waiting = e->model_device_ms * c->pace[POLYGPU_ON_DEVICE].ratio;

    return c->left <= 0 && run->state->leaves &&
           waiting >= e->cpu_ms - e->flush_ms && left_like(run)->runs >= FEW;
}

bool polygpu_learn_wants(const struct polygpu_run *run)
{
    const struct polygpu_estimate *e = &run->estimate;
    const struct polygpu_class *c;
    bool wants;

    if (!learns() || !run->tested || !e->known)
        return false;
    polygpu_lock();
    c = polygpu_class_of(run->state->classes, e->operations);
    wants = e->trial || !polygpu_pace_known(&c->pace[POLYGPU_ON_DEVICE]) ||
            wants_left(run, c) || ++run->state->unmeasured % SELDOM == 0;
    polygpu_unlock();
    return wants;
}

void polygpu_learn_run(const struct polygpu_run *run, bool done)
{
    const struct polygpu_estimate *e = &run->estimate;
    struct polygpu_class *c;
    double ms;

    if (!learns() || !run->tested || !e->known)
        return;
    polygpu_lock();
    ms = without_copies(run, run->computed);
    c = polygpu_class_of(run->state->classes, e->operations);
    if (done) {
        polygpu_pace_learn(&c->pace[POLYGPU_ON_DEVICE], e->model_device_ms, ms);
        learn_machine(run, ms);
        run->state->leaves = run->may_leave;
        hint(c, run, ms);
    } else {
        ++c->pace[POLYGPU_ON_DEVICE].silent;
    }
    polygpu_unlock();
    POLYGPU_LOG("%s (%s:%u): %.6g ms on the device without copies, %.6g "
                "expected",
                run->state->function, run->state->file,
                (unsigned)run->state->line, ms, e->staying_ms);
}

bool polygpu_learn_asks(struct polygpu_state *state,
                        const struct polygpu_estimate *e)
{
    const double least = 0.01; /* ms, of a loop that is always measured */
    struct polygpu_pace *pace;
    bool asks;

    if (!learns() || !e->known || e->model_cpu_ms <= 0 || !polygpu_try_lock())
        return false;
    pace =
        &polygpu_class_of(state->classes, e->operations)->pace[POLYGPU_ON_CPU];
    asks = !polygpu_pace_known(pace) || (pace->runs && e->cpu_ms >= least);
    pace->silent += asks;
    polygpu_unlock();
    return asks;
}

void polygpu_learn_loops(struct polygpu_state *state, double operations,
                         double model, double ms)
{
    struct polygpu_pace *pace;
    double ratio;

    if (!polygpu_try_lock())
        return;
    pace = &polygpu_class_of(state->classes, operations)->pace[POLYGPU_ON_CPU];
    ratio = known(pace->ratio);
    polygpu_pace_learn(pace, model, ms);
    /* What the first run was thought to have lost. */
    state->hoped *= pace->ratio / ratio;
    state->saved *= pace->ratio / ratio;
    ratio = pace->ratio;
    __atomic_store(&state->cpu_ratio, &ratio, __ATOMIC_RELAXED);
    polygpu_unlock();
    POLYGPU_LOG("%s (%s:%u): %.6g ms on the CPU, %.6g by the model",
                state->function, state->file, (unsigned)state->line, ms, model);
}
