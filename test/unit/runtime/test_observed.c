/* test_observed.c - what the profile's table says of copies, of writes of the
 * host and of how near kernels come to the device's peak.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "core/observed.h"
#include "core/opened.h"
#include "core/state.h"
#include "cuda/cuda.h"
#include "example.h"
#include "tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1 << 20, BYTES = 8 * N, WORK = 32 };

#define WRITER "writer at x.c:1"

/* Nothing but 0 <= i < p0. */
static const int64_t at_least[] = {0, 0}, at_most[] = {1, -1};
static const struct polygpu_bound line[] = {{POLYGPU_LOWER, 0, 1, at_least},
                                            {POLYGPU_UPPER, 0, 1, at_most}};
static const struct polygpu_count counts[] = {
    {POLYGPU_OPERATIONS, KERNEL_SCALE, 1, 2, 4, line},
    {POLYGPU_FLOPS_SINGLE, KERNEL_SCALE, 1, 2, 1, line},
    {POLYGPU_FLOPS_DOUBLE, KERNEL_SCALE, 1, 2, 2, line},
    {POLYGPU_LAUNCHES, KERNEL_SCALE, 0, 0, 1, NULL},
    {POLYGPU_THREADS, KERNEL_SCALE, 1, 2, 1, line},
};

/* Reads all of "a" and of a short "b", and computes a few elements. */
static void copy_much(struct polygpu_scop *scop, uint64_t scope, double *a,
                      double *b)
{
    const int64_t params[] = {WORK};
    struct polygpu_run *run = polygpu_begin_sized(scop, params);

    CHECK(run);
    polygpu_array(run, ARRAY_A, a);
    polygpu_array(run, ARRAY_B, b);
    polygpu_keep(run, ARRAY_A, scope);
    polygpu_move(run, ARRAY_A, POLYGPU_IN, 0, N, 1);
    polygpu_move(run, ARRAY_A, POLYGPU_OUT, 0, WORK, 1);
    polygpu_move(run, ARRAY_B, POLYGPU_IN, 0, WORK, 1);
    CHECK(polygpu_worth(run));
    example_launch(run, KERNEL_SCALE, 1, WORK, 0, 1);
    CHECK(polygpu_end(run));
}

/* Some runs; before each of them the host writes "touched" elements.  What the
 * profile knows of A then. */
static struct polygpu_array_stats run_some(int runs, uint64_t scope,
                                           size_t touched)
{
    static struct polygpu_scop scop;
    double *a = calloc(N, sizeof *a), b[WORK] = {0};
    const struct polygpu_state *state;
    const char *by;

    CHECK(a);
    scop = example_scop;
    scop.n_params = 1;
    scop.n_counts = sizeof counts / sizeof *counts;
    scop.counts = counts;
    for (int i = 0; i < runs; ++i) {
        polygpu_touch_at(a + N / 2, touched * sizeof *a, POLYGPU_TOUCH_WRITE,
                         WRITER);
        copy_much(&scop, scope, a, b);
    }
    polygpu_keep_end(scope);
    free(a);
    state = scop.state;
    CHECK(state && !strcmp(state->arrays[ARRAY_A].name, "A"));
    by = polygpu_toucher_of(state, ARRAY_A);
    CHECK(scope && touched ? by && !strcmp(by, WRITER) : !by);
    CHECK(!polygpu_toucher_of(state, ARRAY_B));
    CHECK(state->arrays[ARRAY_B].stats.bytes_in == runs * sizeof b);
    CHECK(state->arrays[ARRAY_B].stats.bytes_out == 0);
    return state->arrays[ARRAY_A].stats;
}

void child_copied_once(void)
{
    const struct polygpu_array_stats a = run_some(1, 0, 0);

    CHECK(a.bytes_in == BYTES && a.bytes_out == WORK * 8 && !a.bytes_kept);
    CHECK(a.in_ms > 0 && a.out_ms > 0);
}

void child_kept(void)
{
    const struct polygpu_array_stats a =
        run_some(4, polygpu_keep_begin(), N / 4);

    CHECK(a.bytes_in == BYTES + 3 * BYTES / 4);
    CHECK(a.bytes_kept == 3 * 3 * BYTES / 4);
    CHECK(a.bytes_out == 4 * WORK * 8);
}

/* Without a profile, runs use the device's own functions. */
static void nobody_watches(void)
{
    struct polygpu_status status = {0};

    CHECK(polygpu_device(NULL, &status) == &polygpu_cuda);
    CHECK(polygpu_observe_begin() == 0);
}

/* Copies belong to arrays, wherever their memory comes from. */
void test_observed(void)
{
    if (!strcmp(getenv("POLYGPU_DEVICE"), "cuda"))
        nobody_watches();
    CHECK(check_run("child-copied-once", "POLYGPU_PROFILE=1",
                    "POLYGPU_COST=off") == 0);
    CHECK(!check_said("touches of the host"));
    CHECK(check_run("child-kept", "POLYGPU_PROFILE=1", "POLYGPU_COST=off") ==
          0);
    CHECK(check_said("polygpu: touches of the host: 3, which made 6.29 MB on "
                     "the device invalid and brought 0 B from it\n") == 1);
}

/* ---- Places --------------------------------------------------------------
 */

enum { N_PLACES = 300000, PLACE = 256 };

static bool start_nothing(const struct polygpu_scop *scop, void **session,
                          struct polygpu_status *status)
{
    (void)status;
    *session = (void *)scop;
    return true;
}

static void stop_nothing(void *session)
{
    (void)session;
}

static uint64_t kept_of(const struct polygpu_scop *scop, uint32_t array)
{
    const struct polygpu_state *state = scop->state;

    return state->arrays[array].stats.bytes_kept;
}

/* Arrays in many places, each of them twice; then one over half of them.  A
 * walk over all places for each would take longer than the test may. */
void test_places(void)
{
    static const struct polygpu_device fake = {.start = start_nothing,
                                               .stop = stop_nothing};
    const struct polygpu_device *device = polygpu_observe(&fake);
    struct polygpu_scop scop = example_scop;
    struct polygpu_status status = {0};
    void *session;

    polygpu_state(&scop);
    CHECK(scop.state);
    CHECK(device->start(&scop, &session, &status));
    for (uintptr_t i = 0; i < 2 * N_PLACES; ++i)
        device->place(session, ARRAY_A, 0, PLACE / 2,
                      (1 + (i < N_PLACES ? i : i * 7919 % N_PLACES)) * PLACE,
                      &status);
    for (uintptr_t i = 1; i <= N_PLACES; ++i)
        device->holds(session, i * PLACE + PLACE / 2 - 1, 1);
    CHECK(kept_of(&scop, ARRAY_A) == N_PLACES);
    device->holds(session, PLACE - 1, 1);
    device->holds(session, PLACE + PLACE / 2, 1);
    CHECK(kept_of(&scop, ARRAY_A) == N_PLACES);
    device->place(session, ARRAY_B, 0, PLACE * N_PLACES / 2, PLACE, &status);
    for (uintptr_t i = 1; i <= N_PLACES; ++i)
        device->holds(session, i * PLACE, 1);
    CHECK(kept_of(&scop, ARRAY_B) == N_PLACES / 2);
    CHECK(kept_of(&scop, ARRAY_A) == N_PLACES + N_PLACES / 2);
    device->stop(session);
}

/* ---- Advice ---------------------------------------------------------------
 */

/* A SCoP that has run; times are ms. */
static struct polygpu_state *have_run(const char *function, uint64_t runs,
                                      double ms, double in_ms, double out_ms,
                                      double kernel_ms)
{
    const struct polygpu_scop_stats stats = {.runs = runs,
                                             .device = "made up",
                                             .ms = ms,
                                             .in_ms = in_ms,
                                             .out_ms = out_ms};
    struct polygpu_kernel_stats kernels[N_KERNELS] = {
        {.launches = runs, .device = {.ms = kernel_ms}}};
    struct polygpu_scop scop = example_scop;

    scop.function = function;
    polygpu_state_count(polygpu_state(&scop), &stats, kernels);
    return scop.state;
}

static void have_copied(struct polygpu_state *state, uint32_t array,
                        double in_ms, double out_ms, uint64_t kept)
{
    const struct polygpu_array_stats stats = {.bytes_in = 12000,
                                              .bytes_out = 6000,
                                              .bytes_kept = kept,
                                              .in_ms = in_ms,
                                              .out_ms = out_ms};

    polygpu_state_count_array(state, array, &stats);
}

void child_advice(void)
{
    const char *which = getenv("ADVICE");
    struct polygpu_state *state;

    have_run("busy", 5, 4, 1, 0, 2);
    if (!strcmp(which, "none"))
        return;
    if (!strcmp(which, "rest")) {
        have_run("often", 2000, 8, 1, 1, 0.5);
        return;
    }
    state = have_run("step", strcmp(which, "once") ? 6 : 1, 10, 7, 1.8, 1);
    if (strcmp(which, "nobody") != 0) {
        have_copied(state, ARRAY_A, 1, 0.5, 0);
        have_copied(state, ARRAY_B, strcmp(which, "out") ? 6 : 1, 1.3,
                    strcmp(which, "kept") ? 0 : 100);
    }
    if (!strcmp(which, "touched")) {
        state->arrays[ARRAY_A].first = 1000;
        state->arrays[ARRAY_B].first = 2000;
        state->arrays[ARRAY_A].end = 1900;
        state->arrays[ARRAY_B].end = 2900;
        polygpu_observe_range(1000, 900, 500, "look at main.c:9");
        polygpu_observe_range(2100, 100, 60, "look at main.c:9");
        polygpu_observe_range(2899, 1, 50, "print_norm at main.c:57");
        polygpu_observe_range(2000, 1, 20, "print_norm at main.c:57");
        polygpu_observe_range(2900, 100, 900, "other at main.c:3");
    }
}

/* It names the loops and the array that take most of the time. */
void test_advice(void)
{
    static const struct {
        const char *set, *more, *line;
    } cases[] = {
        {"ADVICE=once", NULL,
         "most of it B, 12.0 kB to and 6.00 kB from the device in each run: "
         "more "
         "work between two copies would pay\n"},
        {"ADVICE=out", NULL,
         "most of it B, 2.00 kB to and 1.00 kB from the device in each run: "
         "more "
         "work between two copies would pay\n"},
        {"ADVICE=in", NULL,
         "in each run: nothing of it stays on the device; "
         "-Rpass-analysis=gpu-polyhedral says which arrays do\n"},
        {"ADVICE=in", "POLYGPU_RESIDENCY=off",
         "in each run: POLYGPU_RESIDENCY=off copies it in for each run\n"},
        {"ADVICE=kept", NULL,
         "in each run: it does not stay on the device in all runs; "
         "-Rpass-analysis=gpu-polyhedral says what on the host may change "
         "it\n"},
        {"ADVICE=touched", NULL,
         "in each run: touched by print_norm at main.c:57\n"},
        {"ADVICE=nobody", NULL, "is copying\n"},
        {"ADVICE=rest", NULL,
         "advice: 68.8% of often (example.c:7) is neither copying nor "
         "computing, in runs of 4.00 us: fewer and longer runs would pay\n"},
    };
    size_t i;

    CHECK(setenv("POLYGPU_PROFILE", "1", 1) == 0);
    for (i = 0; i < sizeof cases / sizeof *cases; ++i) {
        CHECK(check_run("child-advice", cases[i].set, cases[i].more) == 0);
        CHECK(check_said("advice: ") == 1 && check_said(cases[i].line) == 1);
        CHECK(strstr(cases[i].line, "often") ||
              check_said("advice: 88.0% of step (example.c:7) is copying") ==
                  1);
    }
    CHECK(check_run("child-advice", "ADVICE=none", NULL) == 0);
    CHECK(check_said("profile: ") == 1 && !check_said("advice"));
}

/* ---- Rates ----------------------------------------------------------------
 */

/* A share of the peak where the device tells that, else none.  The stand-in's
 * is 768 GFLOP/s, 24 in double precision, and 16 GB/s. */
void test_peak(void)
{
    int known = !strcmp(getenv("POLYGPU_DEVICE"), "cuda");
    double flops, flops_share, bytes, bytes_share, seconds, ratio;
    char flops_unit[16], bytes_unit[16];
    const char *at;

    CHECK(check_run("child-copied-once", "POLYGPU_PROFILE=1",
                    "POLYGPU_COST=off") == 0);
    at = strstr(check_text, " blocks of 32x1x1, ");
    CHECK(at && check_said("FLOP/s") == 1);
    CHECK(check_said("% of peak)") == (known ? 2 : 0));
    if (!known)
        return;
    CHECK(sscanf(at,
                 " blocks of 32x1x1, %lf %15s (%lf%% of peak), %lf %15s (%lf%% "
                 "of peak)\n",
                 &flops, flops_unit, &flops_share, &bytes, bytes_unit,
                 &bytes_share) == 6);
    /* 32 and 64 operations, and 8 bytes for each of 128 that count. */
    seconds = 1024 / (16e9 * bytes_share / 100);
    CHECK(flops_share > 0 && bytes_share > 0);
    ratio = (32 / 768e9 + 64 / 24e9) / seconds / (flops_share / 100);
    CHECK(ratio > 0.9 && ratio < 1.1);
}
