/* entry.c - the functions of abi.h that offloaded code calls.
 *
 * A run belongs to the thread that began it; nothing here is shared but the
 * SCoP's state (state.h), the device (opened.h) and the environment (env.h).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/decision.h"
#include "core/deferred.h"
#include "core/fallback.h"
#include "core/grid.h"
#include "core/inspect.h"
#include "core/learnt.h"
#include "core/lock.h"
#include "core/moves.h"
#include "core/opened.h"
#include "core/overlap.h"
#include "core/pending.h"
#include "core/profile.h"
#include "core/residency.h"
#include "core/run.h"
#include "core/timed.h"
#include "core/trace.h"
#include "core/transfer.h"
#include "support/clock.h"
#include "support/env.h"
#include "support/inside.h"
#include "support/log.h"
#include "support/plans.h"

#include <stdlib.h>
#include <string.h>

/* Check what can be told without a look at the rest of the descriptor, which
 * another version may lay out differently. */
static bool check_version(const struct polygpu_scop *scop,
                          struct polygpu_status *status)
{
    return scop->abi_version == POLYGPU_ABI_VERSION ||
           polygpu_fail(status, POLYGPU_CAUSE_VERSION,
                        "loops compiled for version %u of the runtime "
                        "interface, this runtime (PolyGPU " POLYGPU_VERSION
                        ") has version %u",
                        (unsigned)scop->abi_version, POLYGPU_ABI_VERSION);
}

/* Are there kernels for the device that was asked for, as far as can be told
 * without it? */
static bool has_code(const struct polygpu_scop *scop,
                     struct polygpu_status *status)
{
    uint32_t k;

    for (k = 0; polygpu_env()->emulated && k < scop->n_kernels; ++k)
        if (!scop->kernels[k].emulated)
            return polygpu_fail(status, POLYGPU_CAUSE_NO_IMAGE,
                                "kernel %s was not compiled for the emulated "
                                "device",
                                scop->kernels[k].name);
    return true;
}

/* Has another SCoP loaded it? */
static bool is_loaded(const struct polygpu_image *image)
{
    return image->loaded && __atomic_load_n(image->loaded, __ATOMIC_ACQUIRE);
}

/* The text that is compiled when a variant is loaded; 0 where that is none. */
static double text_bytes(const struct polygpu_scop *scop, uint32_t variant)
{
    const struct polygpu_plan plan = polygpu_plan_get(
        scop, polygpu_plan_of(scop, polygpu_device_arch(), variant));
    double bytes = 0;
    uint32_t i;

    for (i = 0; i < plan.n_images; ++i) {
        const struct polygpu_image *image = &scop->images[plan.first_image + i];

        if (image->kind == POLYGPU_IMAGE_CUBIN)
            return 0;
        if (!is_loaded(image) && (double)image->size > bytes)
            bytes = (double)image->size;
    }
    return bytes;
}

static bool load(struct polygpu_run *run, const struct polygpu_device *device,
                 bool first, struct polygpu_status *status)
{
    double begun = first ? polygpu_now() : 0;
    double bytes = first ? text_bytes(run->scop, run->variant) : 0;
    bool ok = polygpu_state_load(run->state, run->scop, run->variant, device,
                                 &run->module, status);

    if (first && ok)
        polygpu_learn_load(bytes, polygpu_now() - begun);
    return ok;
}

/* Load the kernels of a run and start its session.  Opens the device. */
static bool make_ready(struct polygpu_run *run, struct polygpu_status *status)
{
    const struct polygpu_device *device;
    bool first = !polygpu_state_loaded(run->state, run->variant);
    double begun = first ? polygpu_now() : 0;

    if (!has_code(run->scop, status))
        return false;
    device = polygpu_device(run->scop->library, status);
    if (!device || !load(run, device, first, status))
        return false;
    polygpu_pending_resume(run, device);
    if (!polygpu_run_start(run, device, status))
        return false;
    run->plan = polygpu_plan_of(run->scop, polygpu_device_arch(), run->variant);
    __atomic_store_n(&run->state->plan, run->plan, __ATOMIC_RELAXED);
    run->stats.device = run->device->name;
    run->setup_ms = first ? polygpu_now() - begun : 0;
    run->ready = true;
    return true;
}

/* What has to be done before the first run of a variant, in ms. */
static void setup_of(const struct polygpu_scop *scop,
                     const struct polygpu_state *state, uint32_t variant,
                     double *load, double *open)
{
    const struct polygpu_env *env = polygpu_env();

    *load = *open = 0;
    if (env->emulated)
        return;
    if (!polygpu_device_tried())
        *open = env->model.open;
    if (polygpu_state_loaded(state, variant))
        return;
    *load = env->model.load * polygpu_learnt_load() *
            text_bytes(scop, variant) / 1024;
}

/* Which kernels a run has, where there are several variants. */
static void log_begin(const struct polygpu_run *run)
{
    const struct polygpu_state *s = run->state;

    if (s->n_variants > 1)
        POLYGPU_LOG("%s (%s:%u): begin on device %s, variant %u (%s)",
                    s->function, s->file, (unsigned)s->line, run->device->name,
                    (unsigned)run->variant,
                    run->variant ? s->variants[run->variant].when
                                 : "other sizes");
    else
        POLYGPU_LOG("%s (%s:%u): begin on device %s", s->function, s->file,
                    (unsigned)s->line, run->device->name);
}

/* Begin a run; where it has to be worth it, nothing that takes time is done
 * yet. */
static struct polygpu_run *start_run(struct polygpu_scop *scop,
                                     struct polygpu_state *state,
                                     const int64_t *params, bool tested,
                                     struct polygpu_status *status)
{
    double begun = polygpu_now(), load, open;
    struct polygpu_run *run = polygpu_run_new(scop, state);

    if (!run) {
        polygpu_fail(status, POLYGPU_CAUSE_MEMORY,
                     "no host memory for the run");
        return NULL;
    }
    run->begun = begun;
    run->variant = polygpu_variant_of(scop, params);
    setup_of(scop, state, run->variant, &load, &open);
    if ((!tested || load + open == 0) && !make_ready(run, status)) {
        polygpu_run_free(run);
        return NULL;
    }
    return run;
}

/* A number for the sizes, which is not 0. */
static uint64_t key_of(const struct polygpu_scop *scop, const int64_t *params)
{
    uint64_t key = 0;
    uint32_t i;

    if (scop->flags & POLYGPU_SCOP_CONSTANT)
        return 1;
    for (i = 0; params && i < scop->n_params; ++i)
        key = (key ^ (uint64_t)params[i]) * POLYGPU_KEY_FACTOR;
    return key | 1;
}

/* Is it clear from the sizes alone that a run does not pay, and that the device
 * is not to be tried? */
static bool is_too_small(const struct polygpu_scop *scop,
                         struct polygpu_state *state, const int64_t *params,
                         const struct polygpu_estimate *e)
{
    double load, open;

    if (e->cpu_ms > e->gpu_ms)
        return false;
    setup_of(scop, state, polygpu_variant_of(scop, params), &load, &open);
    return !polygpu_learnt_may_try(state, load + open, e);
}

/* Is it clear before anything is known of the arrays that a run does not begin,
 * "for_good" with these sizes?  With a profile, which is to have all numbers,
 * that is left to polygpu_worth; and so it is where a run on the CPU may have
 * to wait for results, unless asking took too long.  Sizes that were not too
 * small are taken not to be until a run with them was declined. */
static bool is_hopeless(struct polygpu_scop *scop, struct polygpu_state *state,
                        const int64_t *params, struct polygpu_estimate *e,
                        bool *for_good, struct polygpu_status *status)
{
    bool deferred = polygpu_deferred_any();
    bool silent = polygpu_state_is_silent(state);
    uint64_t key = key_of(scop, params);

    *for_good = false;
    if (polygpu_env()->profile ||
        (deferred && (!silent || polygpu_state_looks(scop))) ||
        (!silent && __atomic_load_n(&state->hopeful, __ATOMIC_RELAXED) == key))
        return false;
    polygpu_estimate_sizes(e, scop, params);
    *for_good = e->known && !deferred && is_too_small(scop, state, params, e);
    if (!*for_good && !silent) {
        __atomic_store_n(&state->hopeful, key, __ATOMIC_RELAXED);
        return false;
    }
    polygpu_state_spend(state, e->known ? e->cpu_ms : -1);
    if (polygpu_env()->debug && *for_good)
        polygpu_fail(status, POLYGPU_CAUSE_COST,
                     "%.6g ms on the CPU, at least %.6g with the device",
                     e->cpu_ms, e->gpu_ms);
    else if (polygpu_env()->debug)
        polygpu_fail(status, POLYGPU_CAUSE_COST,
                     "to ask took longer than a tenth of the CPU's time");
    status->cause = POLYGPU_CAUSE_COST;
    return true;
}

/* Does nobody want to hear of runs that do not begin? */
static bool is_silent(const struct polygpu_env *env)
{
    return !env->profile && !env->debug;
}

/* Where nobody wants to hear of it, the verdict on the same parameters need not
 * be asked for again while the device has no results.  Where these change, not
 * each thread writes each time to what the others read. */
static void stop_asking(struct polygpu_scop *scop, const int64_t *params)
{
    enum { SELDOM = 16 };
    static _Thread_local unsigned changes
        __attribute__((tls_model("initial-exec")));

    if (!is_silent(polygpu_env()) || scop->abi_version != POLYGPU_ABI_VERSION ||
        (__atomic_load_n(&scop->hopeless, __ATOMIC_RELAXED) &&
         ++changes % SELDOM))
        return;
    __atomic_store_n(&scop->hopeless, key_of(scop, params), __ATOMIC_RELAXED);
}

/* polygpu_begin and polygpu_begin_sized, which has "params". */
static struct polygpu_run *begin(struct polygpu_scop *scop,
                                 const int64_t *params, bool sized)
{
    const struct polygpu_env *env = polygpu_env();
    struct polygpu_status status = {0};
    struct polygpu_estimate e = {0};
    struct polygpu_state *state;
    struct polygpu_run *run;
    bool tested, for_good = false;

    polygpu_profile_link();
    if (!check_version(scop, &status)) {
        if (env->mode == POLYGPU_OFF)
            return NULL;
        polygpu_fall_back(NULL, NULL, &status);
        return NULL;
    }
    tested = sized && env->mode == POLYGPU_AUTO && env->cost;
    state = polygpu_state(scop);
    if (env->mode == POLYGPU_OFF)
        polygpu_fail(&status, POLYGPU_CAUSE_OFF, "offloading is off");
    else if (!state)
        polygpu_fail(&status, POLYGPU_CAUSE_MEMORY,
                     "no host memory for the state of the loops");
    else if (!(tested &&
               is_hopeless(scop, state, params, &e, &for_good, &status)) &&
             (run = start_run(scop, state, params, tested, &status))) {
        run->tested = tested;
        run->sized = sized;
        run->params = params;
        run->has_sizes = sized;
        if (run->ready)
            log_begin(run);
        return run;
    }
    if (state)
        polygpu_state_left(state);
    if (for_good && polygpu_learnt_settled(state, &e))
        stop_asking(scop, params);
    polygpu_fall_back(scop, state, &status);
    polygpu_time_loops(scop, state, &e);
    return NULL;
}

/* Is it clear, and nobody's business, that a run does not begin? */
static bool is_pointless(struct polygpu_scop *scop, const int64_t *params,
                         bool sized)
{
    const struct polygpu_env *env = polygpu_env();

    if (!is_silent(env))
        return false;
    return env->mode == POLYGPU_OFF ||
           (sized && env->mode == POLYGPU_AUTO && env->cost &&
            scop->abi_version == POLYGPU_ABI_VERSION &&
            polygpu_is_tiny(scop, params) &&
            !(polygpu_deferred_any() && polygpu_state_looks(scop)));
}

/* What is called from outside: not twice at a time by one thread. */
static struct polygpu_run *enter_run(struct polygpu_scop *scop,
                                     const int64_t *params, bool sized)
{
    struct polygpu_run *run = NULL;
    struct polygpu_outside saved;

    if (polygpu_is_inside()) {
        polygpu_refuse_nested();
        return NULL;
    }
    saved = polygpu_enter();
    if (is_pointless(scop, params, sized))
        stop_asking(scop, params);
    else
        run = begin(scop, params, sized);
    polygpu_leave(saved);
    return run;
}

struct polygpu_run *polygpu_begin(struct polygpu_scop *scop)
{
    return enter_run(scop, NULL, false);
}

struct polygpu_run *polygpu_begin_sized(struct polygpu_scop *scop,
                                        const int64_t *params)
{
    return enter_run(scop, params, true);
}

static void decline(struct polygpu_scop *scop, const char *reason,
                    const int64_t *values)
{
    const struct polygpu_env *env = polygpu_env();
    struct polygpu_status status = {0};

    polygpu_profile_link();
    if (env->mode == POLYGPU_OFF && is_silent(env))
        return;
    if (!check_version(scop, &status)) {
        if (env->mode != POLYGPU_OFF)
            polygpu_fall_back(NULL, NULL, &status);
        return;
    }
    if (env->mode != POLYGPU_MANDATORY && is_silent(env))
        return;
    polygpu_fail_with(&status, POLYGPU_CAUSE_CONDITION,
                      reason ? reason : "a run-time condition does not hold",
                      values);
    if (env->mode == POLYGPU_OFF)
        status.cause = POLYGPU_CAUSE_OFF;
    polygpu_fall_back(scop, polygpu_state(scop), &status);
}

void polygpu_decline(struct polygpu_scop *scop, const char *reason,
                     const int64_t *values)
{
    struct polygpu_outside saved;

    if (polygpu_is_inside()) {
        polygpu_refuse_nested();
        return;
    }
    saved = polygpu_enter();
    decline(scop, reason, values);
    polygpu_leave(saved);
}

void polygpu_array(struct polygpu_run *run, uint32_t array, void *base)
{
    if (!run || run->status.cause != POLYGPU_OK)
        return;
    if (array >= run->scop->n_arrays) {
        polygpu_fail(&run->status, POLYGPU_CAUSE_USAGE,
                     "there is no array number %u", (unsigned)array);
        return;
    }
    run->arrays[array].base = (uintptr_t)base;
}

void polygpu_keep(struct polygpu_run *run, uint32_t array, uint64_t scope)
{
    if (run && array < run->scop->n_arrays)
        run->arrays[array].scope = scope;
}

int polygpu_known(struct polygpu_run *run)
{
    return run && run->status.cause == POLYGPU_OK && polygpu_moves_known(run);
}

/* Give back what a run has on the device.  Kernels that were launched before a
 * failure may still write to its memory. */
static void finish(struct polygpu_run *run, bool done)
{
    struct polygpu_status ignored = {0};

    if (!done && run->started) {
        run->device->synchronize(run->session, &ignored);
        polygpu_pending_suspect(&run->status);
    }
    polygpu_release(run, done);
    if (run->pending)
        polygpu_pending_add(run);
    else if (run->ready && !polygpu_pending_end(run))
        polygpu_run_stop(run, done || !run->started);
}

/* End a run before anything has been done, because of "why". */
static void abandon(struct polygpu_run *run, const struct polygpu_status *why)
{
    struct polygpu_scop *scop = run->scop;
    struct polygpu_state *state = run->state;
    struct polygpu_estimate e = run->estimate;

    polygpu_state_left(state);
    __atomic_store_n(&state->hopeful, 0, __ATOMIC_RELAXED);
    if (why->cause == POLYGPU_CAUSE_COST && polygpu_env()->learns &&
        e.all_stay && e.cpu_ms > e.staying_ms && polygpu_state_foresees(state))
        polygpu_residency_expect(run);
    finish(run, false);
    polygpu_fall_back(scop, state, why);
    polygpu_moves_keep(run);
    polygpu_run_free(run);
    polygpu_time_loops(scop, state, &e);
}

/* What may be lost to find out whether arrays stay on the device, in ms: as
 * with trials, a fifth of what 20 runs take.  Not before the CPU is measured,
 * unless one run there loses as much. */
static double credit_of(const struct polygpu_estimate *e, double price)
{
    double all = price + POLYGPU_MIN_RUNS * e->staying_ms;

    return e->cpu_known || (POLYGPU_RISK + 1) * e->cpu_ms > all
               ? POLYGPU_RISK * e->cpu_ms - e->lost
               : 0;
}

/* Where it is known that arrays stay: do 20 runs take less time there? */
static double credit_foreseen(const struct polygpu_estimate *e, double price)
{
    double cpu = POLYGPU_MIN_RUNS * (e->cpu_ms - e->flush_ms);

    return price + e->staying_ms + (POLYGPU_MIN_RUNS - 1) * e->usual_ms <
                   cpu * POLYGPU_MIN_RUNS / (POLYGPU_MIN_RUNS + POLYGPU_RISK)
               ? price
               : 0;
}

/* The same for a run and those of SCoPs that have its arrays, which pay
 * together; once. */
static bool pays_with_others(struct polygpu_run *run, double setup)
{
    const struct polygpu_estimate *e = &run->estimate;
    const struct polygpu_company *c = &run->company;
    double cpu = e->cpu_ms - e->flush_ms + e->others_cpu_ms;
    double usual = e->usual_ms + e->others_usual_ms;
    double price = e->gpu_ms - e->staying_ms + e->others_price_ms;
    unsigned i;

    if (setup > 0 || !polygpu_env()->learns || !e->foreseen || !c->n ||
        price + POLYGPU_MIN_RUNS * usual >=
            cpu * POLYGPU_MIN_RUNS * POLYGPU_MIN_RUNS /
                (POLYGPU_MIN_RUNS + POLYGPU_RISK) ||
        !polygpu_state_join(run->state, false))
        return false;
    for (i = 0; i < c->n; ++i)
        polygpu_state_join(c->states[i], true);
    return true;
}

/* What may be lost for runs to come, where the arrays have to be brought to the
 * device first. */
static double credit(const struct polygpu_estimate *e, double setup,
                     double price)
{
    if (setup > 0 || !polygpu_env()->learns)
        return 0;
    return e->foreseen ? credit_foreseen(e, price) : credit_of(e, price);
}

/* Is it a matter of time?  Where it is known that 20 runs do not pay, more may,
 * but not before; results that the CPU would have to wait for are for now. */
static bool may_hope(const struct polygpu_estimate *e)
{
    return !e->foreseen || e->runs >= POLYGPU_MIN_RUNS || e->flush_ms > 0;
}

/* Would it pay if the arrays were on the device, and are they to be brought
 * there for that? */
static bool pays_later(struct polygpu_run *run, double setup)
{
    struct polygpu_state *state = run->state;
    struct polygpu_estimate *e = &run->estimate;
    double price = e->gpu_ms - e->staying_ms + setup;

    if (!e->all_stay)
        return false;
    e->foreseen = e->foreseen && polygpu_env()->learns;
    e->usual_ms =
        e->staying_ms +
        polygpu_state_usual(state, &e->foreseen, e->usual_ms - e->staying_ms);
    if (!pays_with_others(run, setup) &&
        (e->cpu_ms <= e->usual_ms ||
         !polygpu_state_hopes(state, e->cpu_ms - e->usual_ms, price,
                              credit(e, setup, price), may_hope(e))))
        return false;
    polygpu_learnt_risk(state, e, e->gpu_ms - e->cpu_ms);
    return true;
}

/* Are arrays there that the CPU would bring away, of a SCoP that was there? */
static bool is_there(const struct polygpu_estimate *e)
{
    return e->leaving_ms > 0 ||
           (e->flush_ms > 0 && e->was_there && polygpu_env()->learns);
}

/* Are they to stay?  They would leave once or, if others have them there, each
 * time. */
static bool stays(struct polygpu_state *state, const struct polygpu_estimate *e,
                  bool device)
{
    double loss = e->gpu_ms - (e->cpu_ms - e->flush_ms);

    return !polygpu_state_leaves(state, loss, e->flush_ms + e->leaving_ms,
                                 e->flush_ms > 0) ||
           (device && e->flush_ms <= 0);
}

/* Was the last run a trial, and is the other side the better one now? */
static bool has_failed(const struct polygpu_estimate *e)
{
    return e->tried && e->gpu_ms >= e->cpu_ms - e->flush_ms;
}

/* By itself, or as the first of some whose arrays can stay on the device, or as
 * the next of some whose arrays are there? */
static bool pays(struct polygpu_run *run, double load, double open)
{
    struct polygpu_state *state = run->state;
    struct polygpu_estimate *e = &run->estimate;
    bool ready = load + open <= 0;
    bool device = polygpu_learnt_choice(state, load + open, e);

    if (e->trial)
        return device;
    if (ready && e->all_stay && polygpu_state_follows(state))
        return true;
    if (device)
        polygpu_state_gains(state, e->cpu_ms - e->gpu_ms);
    if (ready && is_there(e))
        return !has_failed(e) && stays(state, e, device);
    if (device)
        return ready || polygpu_state_earned(state, load, open, e);
    return pays_later(run, load + open);
}

/* Estimate the run and decide, under the lock. */
static bool decide(struct polygpu_run *run)
{
    struct polygpu_estimate *e = &run->estimate;
    double load, open;
    bool ok;

    polygpu_estimate_run(e, run, run->params);
    if (polygpu_deferred_any())
        polygpu_state_looked(run->state, e->newer.bytes > 0);
    setup_of(run->scop, run->state, run->variant, &load, &open);
    e->saved_ms = e->cpu_ms - e->gpu_ms;
    e->setup_ms = load + open;
    ok = !run->tested || !e->known || pays(run, load, open);
    if (e->known && polygpu_env()->profile)
        polygpu_state_estimated(run->state, e,
                                !run->tested ? "untested"
                                : ok         ? "offload"
                                             : "original");
    run->timed = ok && polygpu_learn_wants(run);
    return ok;
}

/* Does the cost test allow the run?  Where it does and there is a session, its
 * arrays get ranges and memory under the same lock. */
static bool is_worth(struct polygpu_run *run, struct polygpu_status *status)
{
    const struct polygpu_estimate *e = &run->estimate;
    bool ok;

    polygpu_lock();
    if (run->tested || polygpu_env()->profile)
        polygpu_residency_look(run);
    ok = decide(run);
    if (ok && run->ready)
        polygpu_prepare(run); /* or the run's status says why not */
    polygpu_unlock();
    return ok ||
           polygpu_fail(status, POLYGPU_CAUSE_COST,
                        "%.6g ms on the CPU, %.6g with the device, %.6g of "
                        "%.6g ms saved for the setup",
                        e->cpu_ms, e->gpu_ms, e->saved_ms, e->setup_ms);
}

/* Bring the results to the host, or leave them where they are for now. */
static bool deliver(struct polygpu_run *run)
{
    double begun;

    if (!polygpu_overlap_end(run))
        return false;
    run->may_leave = polygpu_overlap_may_leave(run);
    if (run->may_leave && !run->timed) {
        if (!run->device->leave(run->session, &run->status))
            return false;
        polygpu_lock();
        run->pending = polygpu_residency_defer(run);
        if (run->pending)
            polygpu_learn_left(run);
        polygpu_unlock();
        if (run->pending)
            return true;
    }
    if (!polygpu_pending_wait(&run->status))
        return false;
    begun = polygpu_now();
    if (!run->device->synchronize(run->session, &run->status))
        return false;
    run->computed = polygpu_now() - run->early_ms;
    run->wait_ms = polygpu_now() - begun;
    if (!polygpu_download(run, true))
        return false;
    if (polygpu_residency_defer(run))
        return true;
    if (!polygpu_download(run, false))
        return false;
    polygpu_residency_flush(true);
    return true;
}

/* A run without a single launch has computed nothing, so there is nothing to
 * bring back: what is in user memory is the result. */
static int end(struct polygpu_run *run)
{
    struct polygpu_estimate e = {0};
    struct polygpu_scop *scop;
    struct polygpu_state *state;
    bool done;

    if (!run)
        return 0;
    scop = run->scop;
    state = run->state;
    done = run->status.cause == POLYGPU_OK;
    if (done && run->started)
        done = deliver(run);
    if (done)
        polygpu_commit(run);
    if (run->started && !(done && run->pending) && (!done || run->apart))
        polygpu_learn_run(run, done);
    if (done && run->started)
        polygpu_state_ran(state);
    finish(run, done);
    polygpu_residency_flush(false);
    run->stats.runs = done;
    run->stats.ms = polygpu_now() - run->begun;
    if (polygpu_env()->profile) {
        polygpu_state_count(state, &run->stats, run->kernels);
        __atomic_fetch_add(&state->variants[run->variant].runs, done,
                           __ATOMIC_RELAXED);
        polygpu_trace_run(state, run->begun, done);
    }
    POLYGPU_LOG("%s (%s:%u): end, %s", state->function, state->file,
                (unsigned)state->line,
                done ? "results written or kept" : "nothing written");
    if (!done) {
        polygpu_fall_back(scop, state, &run->status);
        e = run->estimate;
    }
    polygpu_moves_keep(run);
    polygpu_run_free(run);
    if (!done)
        polygpu_time_loops(scop, state, &e);
    return done;
}

static int worth(struct polygpu_run *run)
{
    struct polygpu_status status = {0};

    if (!run)
        return 0;
    if (run->status.cause != POLYGPU_OK || !polygpu_inspect_apart(run)) {
        end(run);
        return 0;
    }
    polygpu_moves_told(run);
    if (run->sized && !is_worth(run, &status)) {
        if (polygpu_env()->learns)
            polygpu_state_asked(run->state, polygpu_now() - run->begun,
                                run->estimate.cpu_ms);
        abandon(run, &status);
        return 0;
    }
    if (run->sized && polygpu_env()->profile) {
        polygpu_count_work(run);
        if (run->params)
            polygpu_state_sized(run->state, run->params);
    }
    if (!run->ready) {
        if (!make_ready(run, &status)) {
            abandon(run, &status);
            return 0;
        }
        log_begin(run);
    }
    return 1;
}

int polygpu_worth(struct polygpu_run *run)
{
    struct polygpu_outside saved = polygpu_enter();
    int result = worth(run);

    polygpu_leave(saved);
    return result;
}

uint32_t polygpu_chosen_plan(struct polygpu_run *run)
{
    return run ? run->plan : 0;
}

uint32_t polygpu_chained(struct polygpu_run *run, uint32_t fits)
{
    enum polygpu_chain chain = polygpu_env()->chain;

    (void)run;
    return chain == POLYGPU_CHAIN_AUTO ? fits != 0 : chain == POLYGPU_CHAIN_ON;
}

/* Check a launch and turn its extents to those that devices take. */
static bool check_launch(struct polygpu_run *run, uint32_t number,
                         const int64_t extent[3], uint32_t grid[3])
{
    static const int64_t limit[3] = {INT32_MAX, 65535, 65535};
    const struct polygpu_kernel *kernel;
    int d;

    if (number >= run->scop->n_kernels)
        return polygpu_fail(&run->status, POLYGPU_CAUSE_USAGE,
                            "there is no kernel number %u", (unsigned)number);
    kernel = &run->scop->kernels[number];
    for (d = 0; d < 3; ++d) {
        if (extent[d] > limit[d])
            return polygpu_fail(&run->status, POLYGPU_CAUSE_LAUNCH,
                                "kernel %s: %lld blocks in dimension %c are "
                                "more than the device can start",
                                kernel->name, (long long)extent[d], 'x' + d);
        grid[d] = (uint32_t)extent[d];
    }
    return true;
}

/* Bring arrays to the device.  A run whose time is wanted does not wait for
 * kernels of others. */
static bool start(struct polygpu_run *run)
{
    double begun;

    if (!run->ready && !make_ready(run, &run->status))
        return false;
    run->started = true;
    if (run->timed && polygpu_pending_any()) {
        begun = polygpu_now();
        if (!polygpu_pending_wait(&run->status))
            return false;
        run->begun += polygpu_now() - begun;
    }
    run->apart = !polygpu_pending_any();
    return polygpu_upload(run) && polygpu_overlap_begin(run);
}

/* Put the addresses of the values between the kernel's arrays. */
static bool collect_args(struct polygpu_run *run, uint32_t number,
                         void *const *values)
{
    const struct polygpu_kernel *kernel = &run->scop->kernels[number];
    void **args = run->args[number];
    uint32_t i;

    for (i = 0; i < kernel->n_params; ++i) {
        if (kernel->params[i].kind == POLYGPU_PARAM_VALUE)
            args[i] = values && *values ? *values++ : NULL;
        else if (kernel->params[i].kind == POLYGPU_PARAM_COUNTER)
            args[i] = &run->counter;
        if (!args[i])
            return polygpu_fail(&run->status, POLYGPU_CAUSE_USAGE,
                                "kernel %s: wrong parameter number %u",
                                kernel->name, (unsigned)i);
    }
    return true;
}

static void count_launch(struct polygpu_kernel_stats *stats,
                         const uint32_t grid[3])
{
    if ((double)grid[0] * grid[1] * grid[2] >
        (double)stats->grid[0] * stats->grid[1] * stats->grid[2])
        memcpy(stats->grid, grid, sizeof stats->grid);
    ++stats->launches;
}

static bool start_kernel(struct polygpu_run *run, uint32_t kernel,
                         const uint32_t grid[3], struct polygpu_status *status)
{
    run->kernels[kernel].device.count =
        polygpu_env()->profile == POLYGPU_PROFILE_LINES;
    if (!run->device->launch(
            run->session, run->module, run->scop, kernel, grid,
            run->args[kernel],
            polygpu_env()->profile ? &run->kernels[kernel].device : NULL,
            status))
        return false;
    count_launch(&run->kernels[kernel], grid);
    return true;
}

static void launch(struct polygpu_run *run, uint32_t kernel, int64_t x,
                   int64_t y, int64_t z, void *const *values)
{
    const int64_t extent[3] = {x, y, z};
    uint32_t grid[3];

    if (!run || run->status.cause != POLYGPU_OK || x <= 0 || y <= 0 || z <= 0)
        return;
    if (!check_launch(run, kernel, extent, grid))
        return;
    if ((!run->started && !start(run)) || !polygpu_overlap_launch(run, kernel))
        return;
    POLYGPU_LOG("launch %s: grid %lld,%lld,%lld",
                run->scop->kernels[kernel].name, (long long)x, (long long)y,
                (long long)z);
    if (!collect_args(run, kernel, values))
        return;
    run->launched = true;
    ++run->n_launches;
    start_kernel(run, kernel, grid, &run->status);
}

void polygpu_launch(struct polygpu_run *run, uint32_t kernel, int64_t x,
                    int64_t y, int64_t z, void *const *values)
{
    struct polygpu_outside saved = polygpu_enter();

    launch(run, kernel, x, y, z, values);
    polygpu_leave(saved);
}

/* A launch that the driver refuses is no failure: there are others. */
static int64_t launch_grid(struct polygpu_run *run, uint32_t kernel,
                           int64_t rounds, const struct polygpu_grid *how,
                           void *const *values)
{
    int64_t *begin = values[0], *count = values[1];
    const uint32_t grid[3] = {how->blocks, 1, 1};
    struct polygpu_status status = {0};

    run->counter = how->counter;
    if (!collect_args(run, kernel, values))
        return 0;
    for (*begin = 0; *begin < rounds; *begin += *count) {
        *count = rounds - *begin < how->rounds ? rounds - *begin : how->rounds;
        POLYGPU_LOG("launch %s: %u blocks, iterations %lld to %lld of a loop",
                    run->scop->kernels[kernel].name, (unsigned)how->blocks,
                    (long long)*begin, (long long)(*begin + *count - 1));
        run->launched = true;
        ++run->n_launches;
        if (start_kernel(run, kernel, grid, &status))
            continue;
        if (status.cause == POLYGPU_CAUSE_TOGETHER)
            POLYGPU_LOG("%s; its loop is one of launches", status.text);
        else
            run->status = status;
        break;
    }
    return *begin;
}

static int64_t grid(struct polygpu_run *run, uint32_t kernel, int64_t rounds,
                    const uint32_t *kernels, uint32_t n, void *const *values)
{
    struct polygpu_grid how;

    if (!run || run->status.cause != POLYGPU_OK || rounds <= 0 ||
        kernel >= run->scop->n_kernels ||
        !(run->scop->kernels[kernel].flags & POLYGPU_KERNEL_GRID) ||
        (!run->started && !start(run)) ||
        !polygpu_grid_choose(run, kernel, rounds, kernels, n, &how) ||
        !polygpu_overlap_launch(run, kernel))
        return 0;
    return launch_grid(run, kernel, rounds, &how, values);
}

int64_t polygpu_grid(struct polygpu_run *run, uint32_t kernel, int64_t rounds,
                     const uint32_t *kernels, uint32_t n_kernels,
                     void *const *values)
{
    struct polygpu_outside saved = polygpu_enter();
    int64_t done = grid(run, kernel, rounds, kernels, n_kernels, values);

    polygpu_leave(saved);
    return done;
}

void polygpu_defer(struct polygpu_run *run, void (*replay)(void *record),
                   const void *record, size_t size, uint32_t flags)
{
    if (!run)
        return;
    run->replay = replay;
    run->record = record;
    run->record_size = size;
    run->replay_flags = flags;
}

void polygpu_loops_end(struct polygpu_scop *scop)
{
    struct polygpu_outside saved;

    if (polygpu_is_inside())
        return;
    saved = polygpu_enter();
    polygpu_time_end(scop);
    polygpu_leave(saved);
}

int polygpu_end(struct polygpu_run *run)
{
    struct polygpu_outside saved = polygpu_enter();
    int result;

    if (run)
        run->outside = saved;
    result = end(run);

    polygpu_leave(saved);
    return result;
}
