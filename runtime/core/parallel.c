/* parallel.c - loops that run on all cores where they do not go to the device.
 *
 * A loop's pieces are parted among the threads, neighbours to one thread, which
 * has the same ones in the next loop over as many; who is ready helps others.
 * Where less than a tenth is gained the original loops run, and a launch that
 * is too small runs on the calling thread, but with POLYGPU_CPU=parallel.  One
 * thread may gain something, too: by tiles for caches.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#include "core/cores.h"
#include "core/decision.h"
#include "core/lent.h"
#include "core/parallel_state.h"
#include "core/profile.h"
#include "core/ranges.h"
#include "support/clock.h"
#include "support/env.h"
#include "support/inside.h"
#include "support/log.h"
#include "support/openmp.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- Threads ------------------------------------------------------------ */

int polygpu_active_parallel(void)
{
    int threads;

    if (polygpu_active())
        return 1;
    threads = polygpu_is_inside() ? 0 : polygpu_cores();
    return threads > 0;
}

/* ---- What it takes ------------------------------------------------------ */

/* What kernels take, by number. */
enum { KNOWN_KERNELS = 32 };

struct polygpu_team {
    struct polygpu_parallel *loops;
    struct polygpu_parallel_state *state;
    struct polygpu_lent *lent; /* memory of the threads, or NULL */
    int threads;
    bool forced;
    double begun;
    double all_ms,
        parted_ms; /* of the run, by the model: on one core, and now */
    double piece_ms[KNOWN_KERNELS]; /* on one core; negative: not known */
};

/* As much of a polygpu_scop as counting needs. */
static struct polygpu_scop counted(const struct polygpu_parallel *loops)
{
    struct polygpu_scop scop = {.n_params = loops->n_params,
                                .n_counts = loops->n_counts,
                                .counts = loops->counts};

    return scop;
}

/* What the loops take by the model's times, as far as it is known. */
static double pace_of(const struct polygpu_team *team)
{
    uint64_t pace = __atomic_load_n(&team->state->pace, __ATOMIC_RELAXED);

    return polygpu_env()->learns && pace ? (double)pace / 1e3 : 1;
}

/* Add what kernel number "k" takes. */
static void add_kernel(struct polygpu_team *team, uint32_t k,
                       const struct polygpu_scop *scop, const int64_t *params)
{
    double operations = polygpu_count(scop, POLYGPU_OPERATIONS, k, params);
    double pieces = polygpu_count(scop, POLYGPU_THREADS, k, params);
    double launches = polygpu_count(scop, POLYGPU_LAUNCHES, k, params);
    double ms = operations / (polygpu_env()->model.cpu * 1e6);
    double scattered = polygpu_count(scop, POLYGPU_SCATTERED, k, params);
    double again = polygpu_again_ms(scop, k, params);
    double tiled = again / POLYGPU_TILE_OF_THREAD, pace = pace_of(team);

    team->all_ms += (ms > again ? ms : again) * pace;
    ms = ((ms > tiled ? ms : tiled) + scattered * POLYGPU_SCATTERED_MS) * pace;
    team->parted_ms += team->loops->kernels[k].parallel
                           ? polygpu_cores_ms(ms, launches, team->threads)
                           : ms;
    if (k < KNOWN_KERNELS)
        team->piece_ms[k] = pieces > 0 ? ms / pieces : -1;
}

/* Fill in what pieces take; are runs of these sizes worth it? */
static bool estimate(struct polygpu_team *team, const int64_t *params)
{
    const struct polygpu_scop scop = counted(team->loops);
    uint32_t k;

    team->all_ms = team->parted_ms = 0;
    for (k = 0; k < team->loops->n_kernels; ++k)
        add_kernel(team, k, &scop, params);
    return scop.n_counts == 0 ? team->threads > 1
                              : team->parted_ms < 0.9 * team->all_ms;
}

/* A run has taken "ms".  The first one made the threads. */
static void learn(const struct polygpu_team *team, double ms)
{
    enum { SLOWEST = 100000, FASTEST = 10 };
    uint64_t old = __atomic_load_n(&team->state->pace, __ATOMIC_RELAXED);
    double pace = 1e3 * pace_of(team) * ms / team->parted_ms;

    if (!polygpu_env()->learns || !(team->parted_ms > 0) ||
        __atomic_load_n(&team->state->runs, __ATOMIC_RELAXED) < 2)
        return;
    if (old)
        pace = (3 * (double)old + pace) / 4;
    pace = pace > SLOWEST ? SLOWEST : pace;
    pace = pace < FASTEST ? FASTEST : pace;
    __atomic_store_n(&team->state->pace, (uint64_t)pace, __ATOMIC_RELAXED);
}

/* ---- Runs --------------------------------------------------------------- */

static void add(uint64_t *to, uint64_t n)
{
    __atomic_fetch_add(to, n, __ATOMIC_RELAXED);
}

/* Of a thread, which has one run at a time: what it calls in one has none. */
static _Thread_local struct polygpu_team own
    __attribute__((tls_model("initial-exec")));

/* A number for sizes and threads; two have the same one hardly ever, and what
 * comes of that is a run of the original loops. */
static uint64_t key_of(const struct polygpu_parallel *loops,
                       const int64_t *params, int threads)
{
    uint64_t key = (uint64_t)threads;
    uint32_t i;

    for (i = 0; i < loops->n_params; ++i)
        key = (key ^ (uint64_t)params[i]) * POLYGPU_KEY_FACTOR;
    return key | 1;
}

/* Is a run worth it?  The last sizes for which none is are remembered: to ask
 * may take longer than such loops. */
static bool is_worth(struct polygpu_team *team, const int64_t *params)
{
    uint64_t key = key_of(team->loops, params, team->threads);

    if (!team->forced &&
        __atomic_load_n(&team->state->small, __ATOMIC_RELAXED) == key)
        return false;
    if (estimate(team, params) || team->forced)
        return true;
    __atomic_store_n(&team->state->small, key, __ATOMIC_RELAXED);
    return false;
}

/* Have the threads the memory that they need?  Once it is said that not. */
static bool lend(struct polygpu_team *team, uint64_t bytes)
{
    struct polygpu_parallel_state *state = team->state;
    const char *why = NULL;

    team->lent = bytes ? polygpu_lend(team->threads, bytes, &why) : NULL;
    if (!why)
        return true;
    if (!__atomic_exchange_n(&state->told, 1, __ATOMIC_RELAXED))
        polygpu_message("%s (%s:%u): %s; the loops run on one core",
                        state->function, state->file, (unsigned)state->line,
                        why);
    return false;
}

static bool begin(struct polygpu_parallel *loops, const int64_t *params,
                  uint64_t bytes)
{
    int threads = polygpu_cores();

    own.forced = polygpu_cores_forced();
    if (threads < 1)
        return false;
    polygpu_profile_link();
    own.loops = loops;
    own.threads = threads;
    own.state = polygpu_parallel_state(loops);
    if (!own.state)
        return false;
    if (!is_worth(&own, params) || !lend(&own, bytes)) {
        add(&own.state->declined, 1);
        return false;
    }
    add(&own.state->runs, 1);
    __atomic_store_n(&own.state->threads, threads, __ATOMIC_RELAXED);
    POLYGPU_LOG("%s (%s:%u): on %d threads of the CPU", own.state->function,
                own.state->file, (unsigned)own.state->line, threads);
    own.begun = polygpu_now();
    return true;
}

struct polygpu_team *polygpu_parallel_begin(struct polygpu_parallel *loops,
                                            const int64_t *params,
                                            uint64_t bytes)
{
    struct polygpu_outside saved;

    if (polygpu_is_inside() || loops->abi_version != POLYGPU_ABI_VERSION)
        return NULL;
    saved = polygpu_enter();
    if (!begin(loops, params, bytes)) {
        polygpu_leave(saved);
        return NULL;
    }
    // The host's memory is read and written, as by the original loops.
    polygpu_leave(saved);
    if (__atomic_load_n(&polygpu_in_use, __ATOMIC_RELAXED))
        polygpu_touch_all();
    // Until the end, with the caller's arithmetic.
    polygpu_depth = polygpu_depth + 1;
    return &own;
}

/* What is left of a thread's pieces, in a line of the cache of its own. */
struct part {
    int64_t next, end;
    char space[48];
};

enum { MOST_PARTS = 256, CHUNKS = 8 };

struct job {
    polygpu_pieces_fn run;
    void *const *args;
    const struct polygpu_lent *lent;
    int n_parts;
    int64_t chunk;
    struct polygpu_outside outside; /* with the caller's arithmetic */
    unsigned raised;                /* by all threads: flags */
    struct part *parts;
};

/* The flags of floating-point exceptions that the thread has raised, as far as
 * they are known (inside.h). */
static unsigned raised_here(void)
{
#ifdef __SSE2__
    return _mm_getcsr() & _MM_EXCEPT_MASK;
#else
    return 0;
#endif
}

/* Find them when the caller goes on. */
static void raise_outside(struct polygpu_outside *outside, unsigned raised)
{
#ifdef __SSE2__
    outside->floats |= raised;
#else
    (void)outside;
    (void)raised;
#endif
}

/* Run all that is left of a part, with the thread's memory. */
static void run_part(const struct job *job, struct part *part, void *memory)
{
    for (;;) {
        int64_t first, last;

        if (__atomic_load_n(&part->next, __ATOMIC_RELAXED) >= part->end)
            return;
        first = __atomic_fetch_add(&part->next, job->chunk, __ATOMIC_RELAXED);
        if (first >= part->end)
            return;
        last = first + job->chunk;
        job->run(job->args, first, last < part->end ? last : part->end, memory);
    }
}

/* The thread's own part, then those of others. */
static void run_thread(void *of, int thread)
{
    struct job *job = of;
    struct polygpu_outside saved = polygpu_enter();
    void *memory = polygpu_lent_to(job->lent, thread);
    int i;

    polygpu_use_floats(job->outside);
    for (i = 0; i < job->n_parts && (memory || !job->lent); ++i)
        run_part(job, &job->parts[(thread + i) % job->n_parts], memory);
    __atomic_fetch_or(&job->raised, raised_here(), __ATOMIC_RELAXED);
    polygpu_leave(saved);
}

static void run_parted(const struct polygpu_team *team, int64_t pieces,
                       struct job *job)
{
    struct part parts[MOST_PARTS];
    int n = team->threads < MOST_PARTS ? team->threads : MOST_PARTS, i;
    int64_t each = pieces / n, more = pieces % n, at = 0;

    for (i = 0; i < n; ++i) {
        parts[i].next = at;
        at += each + (i < more);
        parts[i].end = at;
    }
    job->parts = parts;
    job->n_parts = n;
    job->chunk = each / CHUNKS > 1 ? each / CHUNKS : 1;
    polygpu_openmp_run(team->threads, &run_thread, job);
}

/* Is a region worth while for so many pieces of a kernel? */
static bool is_for_all(const struct polygpu_team *team, uint32_t kernel,
                       int64_t pieces)
{
    double piece = kernel < KNOWN_KERNELS ? team->piece_ms[kernel] : -1;
    double ms = piece * (double)pieces;

    if (!team->loops->kernels[kernel].parallel || pieces < 2)
        return false;
    return team->forced || piece < 0 ||
           polygpu_cores_ms(ms, 1, team->threads) < ms;
}

void polygpu_parallel_launch(struct polygpu_team *team, uint32_t kernel,
                             int64_t pieces, void *const *args)
{
    const struct polygpu_parallel_kernel *k = &team->loops->kernels[kernel];
    struct polygpu_outside outside;

    if (pieces < 1)
        return;
    outside = polygpu_enter();
    if (is_for_all(team, kernel, pieces)) {
        struct job job = {.run = k->run,
                          .args = args,
                          .lent = team->lent,
                          .outside = outside};

        add(&team->state->regions, 1);
        run_parted(team, pieces, &job);
        raise_outside(&outside, job.raised);
    } else {
        add(&team->state->alone, 1);
        polygpu_use_floats(outside);
        k->run(args, 0, pieces, polygpu_lent_to(team->lent, 0));
        raise_outside(&outside, raised_here());
    }
    polygpu_leave(outside);
}

void polygpu_parallel_end(struct polygpu_team *team)
{
    struct polygpu_outside outside = polygpu_enter();
    double ms = polygpu_now() - team->begun;

    add(&team->state->us, (uint64_t)(ms * 1e3));
    learn(team, ms);
    polygpu_give_back(team->lent);
    team->lent = NULL;
    team->loops = NULL;
    polygpu_leave(outside);
    // The handlers of signals may have loops on all cores again.
    polygpu_depth = polygpu_depth - 1;
}
