/* profile_table.c - the profile for people, POLYGPU_PROFILE=1.
 *
 * Nests of loops by their time, longest first, each with its kernels; what did
 * not run on the device and why; and one line of advice where something takes
 * most of the time.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/profile_table.h"

#include "core/fallback.h"
#include "core/observed.h"
#include "core/opened.h"
#include "core/parallel_state.h"
#include "core/state.h"
#include "support/env.h"
#include "support/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Text of a number with its unit. */
struct text {
    char s[32];
};

/* Three digits of "value" times the first unit, or as many as there are before
 * the point; each unit is 1000 times the one before it. */
static struct text scaled(double value, const char *const *units, int n)
{
    struct text text;
    int i = 0;

    while (i + 1 < n && value >= 999.5) {
        value /= 1000;
        ++i;
    }
    snprintf(text.s, sizeof text.s, "%.*f %s",
             value == 0 || value >= 99.95 ? 0
             : value >= 9.995             ? 1
                                          : 2,
             value, units[i]);
    return text;
}

static struct text time_text(double ms)
{
    static const char *const units[] = {"us", "ms", "s"};

    return scaled(ms * 1000, units, 3);
}

static struct text bytes_text(double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};

    return scaled(bytes, units, 5);
}

/* Of a copy; nothing where there was none. */
static struct text speed_text(double bytes, double ms)
{
    static const char *const units[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};
    struct text none = {""};

    return bytes > 0 && ms > 0 ? scaled(bytes / ms * 1000, units, 5) : none;
}

static struct text share_text(double part, double whole)
{
    struct text text;

    snprintf(text.s, sizeof text.s, "%.1f%%",
             whole > 0 ? 100 * part / whole : 0);
    return text;
}

#define COLUMNS "%9s %6s %8s %8s %8s %10s %8s %8s %10s  %s"

/* "RATE (SHARE of peak)", the share where it is known. */
static void add_rate(char *text, size_t size, struct text rate, double share)
{
    size_t used = strlen(text);

    if (share > 0)
        snprintf(text + used, size - used, ", %s (%.2g%% of peak)", rate.s,
                 100 * share);
    else
        snprintf(text + used, size - used, ", %s", rate.s);
}

static struct text flops_text(double flops, double ms)
{
    static const char *const units[] = {"FLOP/s", "kFLOP/s", "MFLOP/s",
                                        "GFLOP/s", "TFLOP/s"};

    return scaled(flops / ms * 1000, units, 5);
}

/* The part of the time in which the device could have done the arithmetic; 0:
 * not known. */
static double flops_share(const struct polygpu_kernel_stats *stats,
                          const struct polygpu_peak *peak)
{
    double least = 0; /* ms */

    if ((stats->flops_single > 0 && peak->flops_single <= 0) ||
        (stats->flops_double > 0 && peak->flops_double <= 0))
        return 0;
    if (stats->flops_single > 0)
        least += stats->flops_single / (peak->flops_single * 1e6);
    if (stats->flops_double > 0)
        least += stats->flops_double / (peak->flops_double * 1e6);
    return least / stats->device.ms;
}

/* How near a kernel comes to what the device can do: in arithmetic, and in the
 * traffic with its memory. */
static void add_rates(char *text, size_t size,
                      const struct polygpu_kernel_stats *stats)
{
    const struct polygpu_peak *peak = polygpu_device_peak();
    double flops = stats->flops_single + stats->flops_double;
    double ms = stats->device.ms;

    if (ms > 0 && flops > 0)
        add_rate(text, size, flops_text(flops, ms), flops_share(stats, peak));
    if (ms > 0 && stats->bytes > 0)
        add_rate(text, size, speed_text(stats->bytes, ms),
                 peak->bytes > 0 ? stats->bytes / (ms * peak->bytes * 1e6) : 0);
}

/* Which variant a kernel is of, and when that is chosen; nothing where there is
 * one. */
static void add_variant(char *text, size_t size,
                        const struct polygpu_state *state, uint32_t variant)
{
    size_t used = strlen(text);

    if (state->n_variants > 1 && variant)
        snprintf(text + used, size - used, ", variant %u (%.100s)",
                 (unsigned)variant, state->variants[variant].when);
    else if (state->n_variants > 1)
        snprintf(text + used, size - used, ", variant 0 (other sizes)");
}

static void print_kernel(const struct polygpu_state *state,
                         const struct polygpu_kernel_state *kernel,
                         double whole)
{
    const struct polygpu_kernel_stats *stats = &kernel->stats;
    const uint32_t *grid = stats->grid, *block = kernel->block;
    char about[480], launches[32];

    if (!stats->launches)
        return;
    snprintf(about, sizeof about, "  kernel %.80s: %ux%ux%u blocks of %ux%ux%u",
             kernel->name, grid[0], grid[1], grid[2], block[0], block[1],
             block[2]);
    add_variant(about, sizeof about, state, kernel->variant);
    add_rates(about, sizeof about, stats);
    snprintf(launches, sizeof launches, "%llu",
             (unsigned long long)stats->launches);
    polygpu_message(COLUMNS, time_text(stats->device.ms).s,
                    share_text(stats->device.ms, whole).s, launches, "", "", "",
                    "", "", "", about);
}

static void print_scop(const struct polygpu_state *state, double whole)
{
    const struct polygpu_scop_stats *s = &state->stats;
    char about[256], runs[32], others[32];
    uint32_t k;

    snprintf(about, sizeof about, "%.100s (%.120s:%u)", state->function,
             state->file, (unsigned)state->line);
    snprintf(runs, sizeof runs, "%llu", (unsigned long long)s->runs);
    snprintf(others, sizeof others, "%llu",
             (unsigned long long)s->declined + s->failed);
    polygpu_message(COLUMNS, time_text(s->ms).s, share_text(s->ms, whole).s,
                    runs, others, bytes_text((double)s->bytes_in).s,
                    speed_text((double)s->bytes_in, s->in_ms).s,
                    bytes_text((double)s->bytes_kept).s,
                    bytes_text((double)s->bytes_out).s,
                    speed_text((double)s->bytes_out, s->out_ms).s, about);
    for (k = 0; k < state->n_kernels; ++k)
        if (polygpu_state_shows(state, k))
            print_kernel(state, &state->kernels[k], whole);
}

static struct text runs_text(uint64_t n)
{
    struct text text;

    snprintf(text.s, sizeof text.s, "%llu run%s", (unsigned long long)n,
             n == 1 ? "" : "s");
    return text;
}

/* Why runs are in the column "on CPU". */
static void print_reasons(const struct polygpu_state *state)
{
    const struct polygpu_scop_stats *s = &state->stats;
    const struct polygpu_estimate *e = &state->estimate;
    uint64_t others = s->declined - s->by_cost;

    if (s->by_cost)
        polygpu_message("%s: %s on the CPU, since the device would not pay; "
                        "estimate for the last run: %s on the CPU, %s with the "
                        "device",
                        state->function, runs_text(s->by_cost).s,
                        time_text(e->cpu_ms).s, time_text(e->gpu_ms).s);
    if (others)
        polygpu_message("%s: %s on the CPU for other reasons; POLYGPU_DEBUG=1 "
                        "says them",
                        state->function, runs_text(others).s);
    if (s->failed)
        polygpu_message("%s: %s failed, and went to the CPU", state->function,
                        runs_text(s->failed).s);
}

static double copy_ms(const struct polygpu_state *state)
{
    return state->stats.in_ms + state->stats.out_ms;
}

/* What is neither copying nor a kernel: the setup, memory, launches, waiting.
 */
static double rest_ms(const struct polygpu_state *state)
{
    double ms = state->stats.ms - copy_ms(state);
    uint32_t k;

    for (k = 0; k < state->n_kernels; ++k)
        ms -= state->kernels[k].stats.device.ms;
    return ms > 0 ? ms : 0;
}

/* The array that takes most of a SCoP's copying; NULL: none is known. */
static const struct polygpu_array_state *
most_copied(const struct polygpu_state *state)
{
    const struct polygpu_array_state *most = NULL;
    double largest = 0;
    uint32_t a;

    for (a = 0; a < state->n_arrays; ++a) {
        const struct polygpu_array_stats *s = &state->arrays[a].stats;

        if (s->in_ms + s->out_ms > largest) {
            most = &state->arrays[a];
            largest = s->in_ms + s->out_ms;
        }
    }
    return most;
}

/* Why an array is copied, or what would help. */
static void say_why(char *text, size_t size, const struct polygpu_state *state,
                    const struct polygpu_array_state *array)
{
    const struct polygpu_array_stats *s = &array->stats;
    const char *by =
        polygpu_toucher_of(state, (uint32_t)(array - state->arrays));

    if (by)
        snprintf(text, size, "touched by %.150s", by);
    else if (s->in_ms < s->out_ms || state->stats.runs < 2)
        snprintf(text, size, "more work between two copies would pay");
    else if (polygpu_env()->residency == POLYGPU_RESIDENCY_OFF)
        snprintf(text, size, "POLYGPU_RESIDENCY=off copies it in for each run");
    else
        snprintf(text, size, "%s; -Rpass-analysis=gpu-polyhedral says %s",
                 s->bytes_kept ? "it does not stay on the device in all runs"
                               : "nothing of it stays on the device",
                 s->bytes_kept ? "what on the host may change it"
                               : "which arrays do");
}

/* "SHARE of FUNCTION (FILE:LINE)". */
static void name_part(char *text, size_t size, double ms,
                      const struct polygpu_state *state)
{
    snprintf(text, size, "%s of %.60s (%.60s:%u)",
             share_text(ms, state->stats.ms).s, state->function, state->file,
             (unsigned)state->line);
}

static void advise_copies(const struct polygpu_state *state)
{
    const struct polygpu_array_state *array = most_copied(state);
    double runs = (double)state->stats.runs;
    char about[160], why[200];

    name_part(about, sizeof about, copy_ms(state), state);
    if (array)
        say_why(why, sizeof why, state, array);
    if (array && runs > 0)
        polygpu_message("advice: %s is copying, most of it %s, %s to and "
                        "%s from the device in each run: %s",
                        about, array->name,
                        bytes_text((double)array->stats.bytes_in / runs).s,
                        bytes_text((double)array->stats.bytes_out / runs).s,
                        why);
    else
        polygpu_message("advice: %s is copying", about);
}

static void advise_rest(const struct polygpu_state *state, double whole)
{
    struct polygpu_totals totals = polygpu_observed();
    double setup = totals.open_ms + totals.load_ms;
    char about[160];

    if (setup > whole / 2) {
        polygpu_message("advice: %s of this time is the setup, which each "
                        "process does once: more work in one process would pay",
                        share_text(setup, whole).s);
        return;
    }
    name_part(about, sizeof about, rest_ms(state), state);
    if (state->stats.runs)
        polygpu_message(
            "advice: %s is neither copying nor computing, in runs "
            "of %s: fewer and longer runs would pay",
            about, time_text(state->stats.ms / (double)state->stats.runs).s);
}

/* The SCoP in which "part" takes the longest, if it is more than half of the
 * time of all; else NULL. */
static const struct polygpu_state *
find_most(const struct polygpu_state *const *states, size_t n, double whole,
          double (*part)(const struct polygpu_state *state))
{
    const struct polygpu_state *most = NULL;
    double all = 0;
    size_t i;

    for (i = 0; i < n; ++i) {
        all += part(states[i]);
        if (part(states[i]) > (most ? part(most) : 0))
            most = states[i];
    }
    return all > whole / 2 ? most : NULL;
}

/* One line about what takes most of the time, unless kernels do. */
static void print_advice(const struct polygpu_state *const *states, size_t n,
                         double whole)
{
    const struct polygpu_state *most;

    if ((most = find_most(states, n, whole, copy_ms)))
        advise_copies(most);
    else if ((most = find_most(states, n, whole, rest_ms)))
        advise_rest(most, whole);
}

static void print_toucher(void)
{
    struct polygpu_toucher by;

    if (polygpu_busiest_toucher(&by))
        polygpu_message(
            "touches: most bytes by %s, %llu time%s: %s invalid, "
            "%s brought",
            by.name, (unsigned long long)by.touches, by.touches == 1 ? "" : "s",
            bytes_text((double)by.dropped).s, bytes_text((double)by.brought).s);
}

static void print_repeats(void)
{
    struct polygpu_repeats repeats = polygpu_device_repeats();

    if (repeats.again)
        polygpu_message("launches: %llu, of which %llu are sequences that came "
                        "again; without a profile these are CUDA graphs where "
                        "that is faster",
                        (unsigned long long)repeats.launches,
                        (unsigned long long)repeats.again);
}

/* What was done once, and what the host did to the device's copies. */
static void print_totals(void)
{
    struct polygpu_totals totals = polygpu_observed();

    if (totals.loads)
        polygpu_message(
            "setup: device opened in %s, code of %llu nest%s of "
            "loops loaded in %s",
            time_text(totals.open_ms).s, (unsigned long long)totals.loads,
            totals.loads == 1 ? "" : "s", time_text(totals.load_ms).s);
    if (totals.touches)
        polygpu_message("touches of the host: %llu, which made %s on the "
                        "device invalid and brought %s from it",
                        (unsigned long long)totals.touches,
                        bytes_text((double)totals.dropped).s,
                        bytes_text((double)totals.brought).s);
    print_toucher();
    print_repeats();
    polygpu_parallel_table();
}

static int compare(const void *left, const void *right)
{
    const struct polygpu_state *a = *(const struct polygpu_state *const *)left;
    const struct polygpu_state *b = *(const struct polygpu_state *const *)right;

    if (a->stats.ms != b->stats.ms)
        return a->stats.ms < b->stats.ms ? 1 : -1;
    return a->line < b->line ? -1 : a->line > b->line;
}

/* The states of this process's SCoPs in "states" unless it is NULL; how many
 * there are. */
static size_t collect(const struct polygpu_state **states)
{
    const struct polygpu_state *state;
    size_t n = 0;

    for (state = polygpu_state_first(); state; state = state->next)
        if (state->seen) {
            if (states)
                states[n] = state;
            ++n;
        }
    return n;
}

static void print_table(const struct polygpu_state **states, size_t n,
                        double elapsed)
{
    const char *device = "none";
    double whole = 0;
    size_t i;

    qsort(states, n, sizeof *states, compare);
    for (i = 0; i < n; ++i) {
        whole += states[i]->stats.ms;
        if (states[i]->stats.device)
            device = states[i]->stats.device;
    }
    polygpu_message("profile: %s of %s in offloaded loops, device %s",
                    time_text(whole).s, time_text(elapsed).s, device);
    polygpu_message(COLUMNS, "time", "share", "runs", "on CPU", "in", "",
                    "kept", "out", "",
                    "loops; kernels: launches, largest grid");
    for (i = 0; i < n; ++i)
        print_scop(states[i], whole);
    for (i = 0; i < n; ++i)
        print_reasons(states[i]);
    if (polygpu_nested())
        polygpu_message("%s on the CPU in signal handlers that interrupted the "
                        "runtime",
                        runs_text(polygpu_nested()).s);
    print_totals();
    print_advice(states, n, whole);
}

void polygpu_profile_table(double elapsed)
{
    size_t n = collect(NULL);
    const struct polygpu_state **states = malloc(n * sizeof(void *));

    if (n > 0 && states) {
        collect(states);
        print_table(states, n, elapsed);
    }
    free(states);
}
