/* profile_lines.c - the profile for scripts, POLYGPU_PROFILE=lines.
 *
 * One line per SCoP, in order of first use, followed by one per kernel; then
 * one for each kernel that ran checked, and one for each SCoP whose sizes were
 * known:
 *
 *   polygpu: scop FUNCTION FILE:LINE device=D runs=N declined=N failed=N
 *       bytes_in=N bytes_out=N time_ms=F in_ms=F out_ms=F by_cost=N
 *       bytes_kept=N
 *   polygpu: kernel NAME device=D launches=N grid=X,Y,Z block=X,Y,Z time_ms=F
 *   polygpu: accesses NAME global_loads=N global_load_bytes=N
 *       global_load_sectors=N global_stores=N global_store_bytes=N
 *       global_store_sectors=N shared_loads=N shared_load_bytes=N
 *       shared_stores=N shared_store_bytes=N conflicts=N barriers=N
 *   polygpu: variant FUNCTION FILE:LINE number=N runs=N when=W
 *   polygpu: cost FUNCTION FILE:LINE decision=W rule=... cpu_ms=F ...
 *   polygpu: learnt FUNCTION FILE:LINE operations=F side=W cpu_runs=N
 *       cpu_ratio=F device_runs=N device_ratio=F trials=N
 *   polygpu: learnt in_gbs=F out_gbs=F array_us=F launch_us=F run_us=F
 *       load_ms_kb=F
 *   polygpu: repeats launches=N again=N
 *   polygpu: parallel FUNCTION FILE:LINE threads=N runs=N regions=N alone=N
 *       declined=N time_ms=F
 *   polygpu: nested declined=N
 *
 * (without line breaks in between).  The line "cost" is about the last run: its
 * decision is offload, original (the cost test was against it) or untested
 * (nobody asked), and the rest is what it was made of, see decision.h.
 *
 * The lines "variant" are there where a SCoP has several, which are chosen by
 * its parameters (plans.h): runs that each one had, and the sizes that it is
 * for; number 0 is for all others.
 *
 * The lines "learnt" are there where the cost test learns (learnt.h), one for
 * each size of a SCoP, by the least number of operations: the side that its
 * last run was to be on, how many runs were measured on either side, and their
 * time by the model's.  The line without a SCoP is about the machine: the
 * model's constants, as measured.
 *
 * The line "repeats" is there if sequences of launches came again, which
 * without a profile may be CUDA graphs: all launches, and those of such
 * sequences.
 *
 * The lines "parallel" are about loops that were asked to run on all cores
 * (parallel.c): runs that did, parallel loops in them that were entered by
 * several threads, launches of one thread, runs that were too small.
 *
 * The last line is there if loops of signal handlers were not offloaded since
 * they interrupted the runtime (inside.h).
 *
 * runs counts those that wrote their results, declined the ones that did not
 * begin, by_cost those of them that would not have paid, failed those in which
 * something went wrong.  Bytes are those of the elements asked for, not of gaps
 * that moved along; bytes_kept were not copied in, since the device had them
 * (residency.h).  The grid is that of the largest launch.  A kernel's time
 * is measured by the host around each launch and the wait for it on the
 * emulated device, and by two events around it on CUDA; a SCoP's is the host's
 * from begin to end.
 *
 * The line "accesses" is about all launches of a kernel that was compiled with
 * -gpu-targets=emulated-checked, failed accesses included:
 *
 * - loads and stores are those of single threads, a vector counts as one, an
 *   atomic operation as one of each; bytes are their sizes, added up;
 * - a request is the n-th execution of one load, store or atomic operation of
 *   the kernel's code by the up to 32 threads of a warp, which are consecutive
 *   in the block, x fastest;
 * - sectors are the aligned pieces of 32 bytes that a request touches, added up
 *   over all requests;
 * - conflicts are the passes that a request to shared memory takes beyond the
 *   fewest possible, added up.  There are 32 banks of 4 bytes.  Consecutive
 *   lanes go together, 32 of up to 4 bytes, 16 of up to 8 or 8 of more, and
 *   take as many passes as there are different words in one bank;
 * - barriers are counted once for each block that passes them.
 *
 * Requests are kept until all threads of the warp have made them.  Where a
 * block has more than 100,000 at a time, some are counted in parts: sectors are
 * upper bounds then, and conflicts are estimates (accesses.h).  Where there was
 * not enough memory to count all, the line ends with incomplete=1.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/profile_lines.h"

#include "core/fallback.h"
#include "core/learnt.h"
#include "core/opened.h"
#include "core/parallel_state.h"
#include "core/state.h"
#include "support/env.h"
#include "support/log.h"

static void print_kernel(const struct polygpu_kernel_state *kernel,
                         const char *device)
{
    const uint32_t *grid = kernel->stats.grid;
    const uint32_t *block = kernel->block;

    polygpu_message("kernel %s device=%s launches=%llu grid=%u,%u,%u "
                    "block=%u,%u,%u time_ms=%.3f",
                    kernel->name, device,
                    (unsigned long long)kernel->stats.launches, grid[0],
                    grid[1], grid[2], block[0], block[1], block[2],
                    kernel->stats.device.ms);
}

static void print_accesses(const struct polygpu_kernel_state *kernel)
{
    const struct polygpu_access_stats *a = &kernel->stats.device.accesses;

    if (!a->counted)
        return;
    polygpu_message(
        "accesses %s global_loads=%llu global_load_bytes=%llu "
        "global_load_sectors=%llu global_stores=%llu global_store_bytes=%llu "
        "global_store_sectors=%llu shared_loads=%llu shared_load_bytes=%llu "
        "shared_stores=%llu shared_store_bytes=%llu conflicts=%llu "
        "barriers=%llu%s",
        kernel->name, (unsigned long long)a->global_loads,
        (unsigned long long)a->global_load_bytes,
        (unsigned long long)a->global_load_sectors,
        (unsigned long long)a->global_stores,
        (unsigned long long)a->global_store_bytes,
        (unsigned long long)a->global_store_sectors,
        (unsigned long long)a->shared_loads,
        (unsigned long long)a->shared_load_bytes,
        (unsigned long long)a->shared_stores,
        (unsigned long long)a->shared_store_bytes,
        (unsigned long long)a->conflicts, (unsigned long long)a->barriers,
        a->incomplete ? " incomplete=1" : "");
}

static void print_cost(const struct polygpu_state *state)
{
    const struct polygpu_estimate *e = &state->estimate;

    polygpu_message(
        "cost %s %s:%u decision=%s rule=cpu_ms>gpu_ms,saved_ms>=setup_ms "
        "cpu_ms=%.6g gpu_ms=%.6g saved_ms=%.6g setup_ms=%.6g "
        "operations=%.6g launches=%.6g threads=%.6g bytes_in=%.0f "
        "bytes_out=%.0f compute_ms=%.6g launch_ms=%.6g transfer_ms=%.6g "
        "fixed_ms=%.6g",
        state->function, state->file, (unsigned)state->line, state->decision,
        e->cpu_ms, e->gpu_ms, e->saved_ms, e->setup_ms, e->operations,
        e->launches, e->threads, e->in.bytes, e->out.bytes, e->kernel_ms,
        e->launch_ms, e->transfer_ms, e->fixed_ms);
}

static void print_variants(const struct polygpu_state *state)
{
    uint32_t v;

    for (v = 0; state->n_variants > 1 && v < state->n_variants; ++v)
        polygpu_message("variant %s %s:%u number=%u runs=%llu when=%s",
                        state->function, state->file, (unsigned)state->line,
                        (unsigned)v,
                        (unsigned long long)state->variants[v].runs,
                        v ? state->variants[v].when : "others");
}

/* False where nothing was measured. */
static bool print_class(const struct polygpu_state *state,
                        const struct polygpu_class *c)
{
    const struct polygpu_pace *cpu = &c->pace[POLYGPU_ON_CPU];
    const struct polygpu_pace *device = &c->pace[POLYGPU_ON_DEVICE];

    if (cpu->runs + device->runs == 0)
        return false;
    polygpu_message("learnt %s %s:%u operations=%.6g side=%s cpu_runs=%u "
                    "cpu_ratio=%.4g device_runs=%u device_ratio=%.4g trials=%u",
                    state->function, state->file, (unsigned)state->line,
                    (double)(UINT64_C(1) << (c->size & 63)),
                    c->side == POLYGPU_ON_DEVICE ? "offload" : "original",
                    cpu->runs, cpu->ratio, device->runs, device->ratio,
                    c->trials);
    return true;
}

static double of(double constant, const struct polygpu_pace *pace)
{
    return pace->runs ? constant * pace->ratio : constant;
}

static void print_machine(void)
{
    const struct polygpu_device_model *m = &polygpu_env()->model;
    const struct polygpu_machine *is = polygpu_learnt_machine();

    polygpu_message("learnt in_gbs=%.4g out_gbs=%.4g array_us=%.4g "
                    "launch_us=%.4g run_us=%.4g load_ms_kb=%.4g",
                    1 / of(1 / m->in, &is->in), 1 / of(1 / m->out, &is->out),
                    of(m->array, &is->array), of(m->launch, &is->overhead),
                    of(m->run, &is->overhead), of(m->load, &is->load));
}

static void print_scop(const struct polygpu_state *state)
{
    const struct polygpu_scop_stats *stats = &state->stats;
    const char *device = stats->device ? stats->device : "none";
    uint32_t k;

    polygpu_message(
        "scop %s %s:%u device=%s runs=%llu declined=%llu "
        "failed=%llu bytes_in=%llu bytes_out=%llu time_ms=%.3f "
        "in_ms=%.3f out_ms=%.3f by_cost=%llu bytes_kept=%llu",
        state->function, state->file, (unsigned)state->line, device,
        (unsigned long long)stats->runs, (unsigned long long)stats->declined,
        (unsigned long long)stats->failed, (unsigned long long)stats->bytes_in,
        (unsigned long long)stats->bytes_out, stats->ms, stats->in_ms,
        stats->out_ms, (unsigned long long)stats->by_cost,
        (unsigned long long)stats->bytes_kept);
    for (k = 0; k < state->n_kernels; ++k)
        if (polygpu_state_shows(state, k))
            print_kernel(&state->kernels[k], device);
}

static void print_repeats(void)
{
    struct polygpu_repeats repeats = polygpu_device_repeats();

    if (repeats.again)
        polygpu_message("repeats launches=%llu again=%llu",
                        (unsigned long long)repeats.launches,
                        (unsigned long long)repeats.again);
}

void polygpu_profile_lines(void)
{
    const struct polygpu_state *state;
    bool learnt = false;
    uint32_t k;

    for (state = polygpu_state_first(); state; state = state->next)
        if (state->seen)
            print_scop(state);
    for (state = polygpu_state_first(); state; state = state->next)
        for (k = 0; state->seen && k < state->n_kernels; ++k)
            print_accesses(&state->kernels[k]);
    for (state = polygpu_state_first(); state; state = state->next)
        if (state->seen)
            print_variants(state);
    for (state = polygpu_state_first(); state; state = state->next)
        if (state->seen && state->estimated)
            print_cost(state);
    for (state = polygpu_state_first(); state; state = state->next)
        for (k = 0; state->seen && k < POLYGPU_CLASSES; ++k)
            learnt |= print_class(state, &state->classes[k]);
    if (learnt)
        print_machine();
    print_repeats();
    polygpu_parallel_lines();
    if (polygpu_nested())
        polygpu_message("nested declined=%lu", polygpu_nested());
}
