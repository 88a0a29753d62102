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
#include "core/state.h"
#include "support/env.h"
#include "support/log.h"

#include <stdio.h>
#include <stdlib.h>

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

static void print_kernel(const struct polygpu_kernel_state *kernel,
                         double whole)
{
    const struct polygpu_kernel_stats *stats = &kernel->stats;
    const uint32_t *grid = stats->grid, *block = kernel->block;
    double peak = polygpu_env()->model.gpu;
    double rate =
        stats->device.ms > 0 ? stats->operations / (stats->device.ms * 1e6) : 0;
    char about[256], launches[32], done[96] = "";

    if (!stats->launches)
        return;
    if (rate > 0)
        snprintf(done, sizeof done, ", %.3g Gop/s (%.2g%% of %.0f)", rate,
                 100 * rate / peak, peak);
    snprintf(about, sizeof about,
             "  kernel %.80s: %ux%ux%u blocks of %ux%ux%u%s", kernel->name,
             grid[0], grid[1], grid[2], block[0], block[1], block[2], done);
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
        print_kernel(&state->kernels[k], whole);
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

/* What takes more than half of the time, and what would help. */
static void print_advice(const struct polygpu_state *const *states, size_t n,
                         double whole)
{
    const struct polygpu_scop_stats *most = NULL;
    double copies = 0, largest = 0;
    const char *function = "";
    size_t i;

    for (i = 0; i < n; ++i) {
        const struct polygpu_scop_stats *s = &states[i]->stats;
        double ms = s->in_ms + s->out_ms;

        copies += ms;
        if (s->runs && ms > largest) {
            most = s;
            largest = ms;
            function = states[i]->function;
        }
    }
    if (!most || copies < whole / 2)
        return;
    polygpu_message("advice: %s of this time is copying, most of it for %s, "
                    "which moves %s to and %s from the device in each run: "
                    "more work between two copies would pay",
                    share_text(copies, whole).s, function,
                    bytes_text((double)most->bytes_in / (double)most->runs).s,
                    bytes_text((double)most->bytes_out / (double)most->runs).s);
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
