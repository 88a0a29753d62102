/* test_streams.c - copies that launches wait for, and the host does not.
 *
 * fake_cuda.c does what is in its streams in an order that is drawn, as far as
 * nothing has to wait for something else; or as late as may be, which with
 * FAKE_CUDA_SOURCES=late is when it reads what is copied.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "example.h"
#include "fake_calls.h"
#include "tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 24, N = 1024, ARRAYS = 3 };

static void expect_any(const char *set)
{
    if (!fake_run_drawn("child-overlap-random", set))
        check_failed(getenv("FAKE_CUDA_ORDER"), __LINE__, check_text);
}

/* Any runs, in any order, and with each operation failing. */
void test_streams_random(void)
{
    static const char *const names[] = {"in",  "mark", "launch", "reach",
                                        "out", "sync", "follow", "leave"};
    char set[64];
    int i;

    for (i = 0; i < SEEDS; ++i) {
        setenv("POLYGPU_GRAPHS", i / 2 % 2 ? "on" : "off", 1);
        setenv("FAKE_CUDA_SOURCES", i % 3 ? "late" : "early", 1);
        setenv("POLYGPU_RESIDENCY", i % 4 < 3 ? "on" : "off", 1);
        snprintf(set, sizeof set, "POLYGPU_FAULT=%s:%u",
                 names[check_random() % 8],
                 (unsigned)(check_random() % 50 + 1));
        expect_any(i % 2 ? set : NULL);
        CHECK(i % 2 || check_said("40 of 40 runs") == 1);
    }
}

/* Would a wait that is missing have been seen?  In most orders, but not where
 * copies come first. */
void test_streams_deaf(void)
{
    int i, wrong = 0;

    setenv("POLYGPU_RESIDENCY", "off", 1);
    setenv("FAKE_CUDA", "deaf", 1);
    for (i = 0; i < SEEDS; ++i)
        wrong += !fake_run_drawn("child-overlap-random", NULL);
    printf("%d of %d are wrong\n", wrong, SEEDS);
    CHECK(wrong > SEEDS / 8);
}

/* ---- What is missing ----------------------------------------------------- */

static int beside(const char *one, const char *two)
{
    if (check_run("child-overlap", one, two) != 0 || !check_said("done 1 "))
        check_failed(one ? one : "nothing set", __LINE__, check_text);
    return check_number("beside ");
}

/* A second stream cannot be made, nor an event, or neither is wanted. */
void test_streams_fewer(void)
{
    setenv("STEPS", "bglp", 1);
    CHECK(beside(NULL, NULL) == 5);
    CHECK(beside("FAKE_CUDA_STREAMS=1", NULL) == 0);
    CHECK(beside("POLYGPU_OVERLAP=off", NULL) == 0);
    CHECK(beside("FAKE_CUDA_EVENTS=0", NULL) == 2);
    setenv("STEPS", "bl", 1);
    CHECK(beside("FAKE_CUDA_EVENTS=2", NULL) == 4);
    setenv("FAKE_CUDA_ORDER", "random:7", 1);
    beside("FAKE_CUDA_EVENTS=2", NULL);
    beside("FAKE_CUDA_EVENTS=0", NULL);
    beside("FAKE_CUDA_STREAMS=1", NULL);
    CHECK(beside("POLYGPU_OVERLAP=off", NULL) == 0);
    CHECK(beside("POLYGPU_OVERLAP=both", NULL) == 0);
    CHECK(check_said("POLYGPU_OVERLAP=both is not a known value; allowed: on, "
                     "off\n") == 1);
}

/* What is in a stream fails, one thing after the other: four copies and four
 * launches, since results are copied at once. */
void test_streams_errors(void)
{
    char set[64];
    int n;

    setenv("STEPS", "bglp", 1);
    for (n = 1; n <= 8; ++n) {
        snprintf(set, sizeof set, "FAKE_CUDA_FLIGHT=%d:700", n);
        if (check_run("child-overlap", set, NULL) != 0 ||
            !check_said("done 0 ") ||
            check_said("running loops on the CPU") != 1)
            check_failed(set, __LINE__, check_text);
    }
    CHECK(check_run("child-overlap", "FAKE_CUDA_FLIGHT=9:700", NULL) == 0);
    CHECK(check_said("done 1 ") == 1);
}

/* ---- How long it takes, and who waits ------------------------------------ */

/* KERNEL_PAIR on arrays 0 and 1, then 1 and 2; with a scope they stay. */
static int run_pairs(double *const at[ARRAYS], uint64_t scope)
{
    static struct polygpu_array arrays[ARRAYS];
    static struct polygpu_param params[2][5];
    static struct polygpu_kernel kernels[2];
    static struct polygpu_scop scop;
    uint32_t i;
    struct polygpu_run *r;

    if (!scop.n_arrays) {
        scop = example_scop;
        for (i = 0; i < ARRAYS; ++i)
            arrays[i] = scop.arrays[ARRAY_A];
        for (i = 0; i < 2; ++i) {
            kernels[i] = scop.kernels[KERNEL_PAIR];
            memcpy(params[i], kernels[i].params, sizeof params[i]);
            params[i][0].value = i;
            params[i][1].value = i + 1;
            kernels[i].params = params[i];
        }
        scop.n_arrays = ARRAYS;
        scop.arrays = arrays;
        scop.n_kernels = 2;
        scop.kernels = kernels;
    }
    r = polygpu_begin(&scop);
    for (i = 0; i < ARRAYS; ++i) {
        polygpu_array(r, i, at[i]);
        if (scope)
            polygpu_keep(r, i, scope);
        polygpu_move(r, i, POLYGPU_IN | POLYGPU_OUT, 0, N, 1);
    }
    for (i = 0; i < 2; ++i)
        example_launch(r, i, N / 32, N, 0, 1);
    return polygpu_end(r);
}

/* Runs of it; says what they took of the last one, which finds its arrays on
 * the device if they STAY. */
void child_streams(void)
{
    double *at[ARRAYS], *here[ARRAYS];
    int i, clock = 0, waits = 0, events = 0, times;
    uint64_t scope = polygpu_keep_begin();

    for (i = 0; i < ARRAYS; ++i) {
        at[i] = malloc(N * sizeof(double));
        here[i] = malloc(N * sizeof(double));
        CHECK(at[i] && here[i]);
        check_fill(at[i], N);
        memcpy(here[i], at[i], N * sizeof(double));
    }
    for (times = 0; times < 3; ++times) {
        clock = fake_int("fake_cuda_clock");
        waits = fake_int("fake_cuda_waits");
        events = fake_int("fake_cuda_events");
        CHECK(run_pairs(at, getenv("STAY") ? scope : 0));
        clock = fake_int("fake_cuda_clock") - clock;
        waits = fake_int("fake_cuda_waits") - waits;
        events = fake_int("fake_cuda_events") - events;
        example_pair_here(here[0], here[1], N, 1);
        example_pair_here(here[1], here[2], N, 1);
        for (i = 0; i < ARRAYS; ++i)
            CHECK(!memcmp(at[i], here[i], N * sizeof(double)));
    }
    fprintf(stderr, "us %d waits %d events %d\n", clock, waits, events);
    polygpu_keep_end(scope);
    for (i = 0; i < ARRAYS; ++i) {
        free(at[i]);
        free(here[i]);
    }
}

static int us_of(const char *one, const char *two)
{
    if (check_run("child-streams", one, two) != 0)
        check_failed(one ? one : "nothing set", __LINE__, check_text);
    printf("%s: %s", one ? one : "on", check_text);
    return check_number("us ");
}

/* An array is 8 KiB: 800 us on the bus, of which the host is busy 400; a kernel
 * takes 1000. */
void test_streams_times(void)
{
    enum { COPY = 800, KERNEL = 1000, ALL = 6 * COPY + 2 * KERNEL, WAIT = 1 };
    int us;

    setenv("FAKE_CUDA_SPEEDS", "100000:50000:1000000:1000", 1);
    us = us_of("POLYGPU_OVERLAP=off", NULL);
    CHECK(us >= ALL && us <= ALL + 10 * WAIT);
    CHECK(check_number("events ") == 0);
    /* beside the first kernel is one copy in, beside the second one out */
    us = us_of(NULL, NULL);
    CHECK(us >= ALL - 2 * COPY && us <= ALL - 2 * COPY + 10 * WAIT);
    CHECK(check_number("events ") == 1);
    /* for the first kernel, for all, and for what three copies brought */
    CHECK(check_number("waits ") == 5);
    us = us_of("FAKE_CUDA_EVENTS=1", NULL);
    CHECK(check_number("events ") == 0);
}

/* Where all is on the device, nothing is told of events. */
void test_streams_resident(void)
{
    setenv("STAY", "1", 1);
    us_of(NULL, NULL);
    printf("%s", check_text);
    CHECK(check_number("events ") == 0);
}
