/* test_pending.c - runs that end without a wait for their kernels.
 *
 * fake_cuda.c does what is in its streams when somebody waits for it, or in an
 * order that is drawn: what does not wait for an earlier run's kernels finds
 * something else.
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

enum { N = 320, ARRAYS = 3, STEPS = 5, SEEDS = 24 };

/* SCoP s has a kernel on arrays s and s + 1 of ARRAYS, in a circle. */
static struct polygpu_param params[ARRAYS][5];
static struct polygpu_kernel kernels[ARRAYS];
static struct polygpu_array arrays[2];
static struct polygpu_scop scops[ARRAYS];
static double *at[ARRAYS], *here[ARRAYS];
static int replays;

static void make_scops(void)
{
    uint32_t s;

    for (s = 0; s < 2; ++s)
        arrays[s] = example_scop.arrays[ARRAY_A];
    for (s = 0; s < ARRAYS; ++s) {
        kernels[s] = example_scop.kernels[KERNEL_PAIR];
        memcpy(params[s], kernels[s].params, sizeof params[s]);
        params[s][0].value = 0;
        params[s][1].value = 1;
        kernels[s].params = params[s];
        scops[s] = example_scop;
        scops[s].n_arrays = 2;
        scops[s].arrays = arrays;
        scops[s].n_kernels = 1;
        scops[s].kernels = &kernels[s];
    }
}

struct record {
    double *a, *b;
};

static void replay(void *record)
{
    struct record r;

    memcpy(&r, record, sizeof r);
    example_pair_here(r.a, r.b, N, 1);
    ++replays;
}

/* One run; what polygpu_end says.  Unless it stays, its results are brought. */
static int run(uint32_t s, uint64_t scope)
{
    struct record r = {at[s], at[(s + 1) % ARRAYS]};
    struct polygpu_run *run = polygpu_begin(&scops[s]);
    uint32_t i;

    example_pair_here(here[s], here[(s + 1) % ARRAYS], N, 1);
    for (i = 0; run && i < 2; ++i) {
        polygpu_array(run, i, i ? r.b : r.a);
        if (scope)
            polygpu_keep(run, i, scope);
        polygpu_move(run, i, POLYGPU_IN | POLYGPU_OUT, 0, N, 1);
    }
    if (run) {
        example_launch(run, 0, N / 32, N, 0, 1);
        polygpu_defer(run, replay, &r, sizeof r, 0);
        if (polygpu_end(run))
            return 1;
    }
    for (i = 0; i < ARRAYS; ++i)
        polygpu_touch(at[i], N * sizeof(double),
                      POLYGPU_TOUCH_READ | POLYGPU_TOUCH_WRITE);
    example_pair_here(r.a, r.b, N, 1);
    return 0;
}

static void allocate(void)
{
    int i;

    make_scops();
    for (i = 0; i < ARRAYS; ++i) {
        at[i] = malloc(N * sizeof(double));
        here[i] = malloc(N * sizeof(double));
        CHECK(at[i] && here[i]);
        check_fill(at[i], N);
        memcpy(here[i], at[i], N * sizeof(double));
    }
}

static int are_equal(void)
{
    int i;

    for (i = 0; i < ARRAYS; ++i)
        if (memcmp(at[i], here[i], N * sizeof(double)) != 0)
            return 0;
    return 1;
}

static void release(void)
{
    int i;

    for (i = 0; i < ARRAYS; ++i) {
        free(at[i]);
        free(here[i]);
    }
}

/* A loop over time through all SCoPs, or SCOPS of them; what it took without
 * the end of the scope. */
void child_pending(void)
{
    const char *some = getenv("SCOPS"), *look = getenv("LOOK");
    uint32_t s, n = some ? (uint32_t)atoi(some) : ARRAYS;
    uint64_t scope = polygpu_keep_begin();
    int step, done = 0, waits, events, us;

    allocate();
    waits = fake_count("fake_cuda_waits");
    events = fake_count("fake_cuda_events");
    us = fake_count("fake_cuda_clock");
    for (step = 0; step < STEPS; ++step) {
        for (s = 0; s < n; ++s)
            done += run(s, scope);
        if (!look || atoi(look) != step)
            continue;
        polygpu_touch(at[0], 16, POLYGPU_TOUCH_READ);
        CHECK(!memcmp(at[0], here[0], 16));
    }
    waits = fake_count("fake_cuda_waits") - waits;
    events = fake_count("fake_cuda_events") - events;
    polygpu_keep_end(scope);
    us = fake_count("fake_cuda_clock") - us;
    CHECK(are_equal());
    fprintf(stderr, "us %d\n", us);
    fprintf(stderr, "done %d waits %d events %d replays %d beside %d\n", done,
            waits, events, replays, fake_count("fake_cuda_overlapped"));
    fprintf(stderr, "calls %d live %d\n", fake_count("fake_cuda_calls"),
            fake_count("fake_cuda_live"));
    release();
}

/* Any SCoPs, some without a scope; the host reads and writes. */
void child_pending_random(void)
{
    uint64_t scope = polygpu_keep_begin();
    int i, done = 0;

    allocate();
    for (i = 0; i < 60; ++i) {
        uint32_t a = (uint32_t)(check_random() % ARRAYS);
        size_t first = check_random() % N, n = check_random() % (N - first) + 1;

        done += run((uint32_t)(check_random() % ARRAYS),
                    check_random() % 8 ? scope : 0);
        if (check_random() % 6 == 0) {
            polygpu_touch(at[a] + first, n * sizeof(double),
                          POLYGPU_TOUCH_READ);
            CHECK(!memcmp(at[a] + first, here[a] + first, n * sizeof(double)));
        }
        if (check_random() % 8 == 0) {
            polygpu_touch(at[a] + first, n * sizeof(double),
                          POLYGPU_TOUCH_WRITE);
            check_fill(at[a] + first, n);
            memcpy(here[a] + first, at[a] + first, n * sizeof(double));
        }
        if (check_random() % 12 == 0) {
            polygpu_keep_end(scope);
            CHECK(are_equal());
            scope = polygpu_keep_begin();
        }
    }
    polygpu_keep_end(scope);
    CHECK(are_equal());
    fprintf(stderr, "%d of 60 runs\n", done);
    release();
}

/* ---- What is waited for -------------------------------------------------- */

static void expect(const char *set, int done, int waits, int events)
{
    if (check_run("child-pending", set, NULL) != 0 ||
        check_number("done ") != done || check_number("waits ") != waits ||
        check_number("events ") != events || check_number("replays ") != 0)
        check_failed(set ? set : "nothing set", __LINE__, check_text);
}

/* Each run but the first goes on behind another SCoP's; or behind its own,
 * which needs no event. */
void test_pending(void)
{
    expect(NULL, STEPS * ARRAYS, 0, STEPS * ARRAYS - 1);
    expect("SCOPS=1", STEPS, 0, 0);
    expect("SCOPS=2", STEPS * 2, 0, STEPS * 2 - 1);
    /* and for each array that comes */
    expect("POLYGPU_OVERLAP=off", STEPS * ARRAYS, STEPS * ARRAYS + ARRAYS, 0);
    /* a part of it is looked at once: all three, and the copy */
    expect("LOOK=2", STEPS * ARRAYS, ARRAYS + 1, STEPS * ARRAYS - 2);
    CHECK(check_run("child-pending", "FAKE_CUDA_EVENTS=0", NULL) == 0);
    CHECK(check_number("done ") == STEPS * ARRAYS);
    CHECK(check_run("child-pending", "POLYGPU_PROFILE=1", NULL) == 0);
    CHECK(check_number("waits ") >= STEPS * ARRAYS);
    CHECK(check_run("child-pending", "POLYGPU_RESIDENCY=off", NULL) == 0);
    CHECK(check_number("waits ") >= STEPS * ARRAYS);
}

/* The third SCoP's first array is copied beside the kernels of the first two,
 * which do not have it. */
void test_pending_beside(void)
{
    CHECK(check_run("child-pending", NULL, NULL) == 0);
    CHECK(check_number("beside ") >= 1);
    CHECK(check_run("child-pending", "POLYGPU_OVERLAP=off", NULL) == 0);
    CHECK(check_number("beside ") == 0);
}

/* A kernel takes 10 us, a wait as long: it is hidden where there is one for
 * all, at the end. */
void test_pending_times(void)
{
    int one, each;

    setenv("FAKE_CUDA_SPEEDS", "0:0:10000:10000", 1);
    CHECK(check_run("child-pending", "POLYGPU_OVERLAP=off", NULL) == 0);
    each = check_number("us ");
    CHECK(check_run("child-pending", NULL, NULL) == 0);
    one = check_number("us ");
    printf("%d us, each waited for %d\n", one, each);
    CHECK(one >= STEPS * ARRAYS * 10);
    CHECK(one <= each - (STEPS * ARRAYS - 2) * 10);
}

/* ---- What fails ---------------------------------------------------------- */

/* Each operation of the device, in each place: the results are right, and what
 * failed is said once. */
void test_pending_faults(void)
{
    static const char *const names[] = {"in",   "launch", "follow", "leave",
                                        "sync", "out",    "alloc",  "start"};
    char set[64];
    size_t i;
    int n, late = 0, more;

    for (i = 0; i < sizeof names / sizeof *names; ++i)
        for (n = 1; n <= 18; ++n)
            for (more = 0; more < 2; ++more) {
                snprintf(set, sizeof set, "POLYGPU_FAULT=%s:%d%s", names[i], n,
                         more ? "+" : "");
                if (check_run("child-pending", set, "LOOK=2") != 0 ||
                    check_said("not given back") ||
                    (!more && check_said("running loops on the CPU") > 1))
                    check_failed(set, __LINE__, check_text);
                late += check_number("replays ") > 0;
            }
    CHECK(late > 20);
}

/* What is in a stream fails, one thing after the other, and the host learns of
 * it when it waits. */
void test_pending_flights(void)
{
    char set[64];
    int n, late = 0;

    for (n = 1; n <= 20; ++n) {
        snprintf(set, sizeof set, "FAKE_CUDA_FLIGHT=%d:700", n);
        if (check_run("child-pending", set, NULL) != 0 ||
            check_said("running loops on the CPU") > 1)
            check_failed(set, __LINE__, check_text);
        late += check_number("replays ") > 0;
    }
    CHECK(late > 10);
}

/* Each call of the driver fails, with errors that pass and one that does not.
 */
void test_pending_calls(void)
{
    static const int errors[] = {1, 2, 700};
    char set[64];
    int calls, i, n;

    CHECK(check_run("child-pending", NULL, NULL) == 0);
    calls = check_number("calls ");
    for (i = 0; i < 3; ++i)
        for (n = 1; n <= calls; ++n) {
            snprintf(set, sizeof set, "FAKE_CUDA_FAIL=%d:%d", n, errors[i]);
            if (check_run("child-pending", set, NULL) != 0 ||
                (errors[i] < 700 && !check_said("live 0")))
                check_failed(set, __LINE__, check_text);
        }
    printf("%d calls\n", calls);
}

/* ---- Any runs in any order ----------------------------------------------- */

void test_pending_random(void)
{
    static const char *const names[] = {"in",    "launch", "follow",
                                        "leave", "sync",   "out"};
    char set[64];
    int i;

    for (i = 0; i < SEEDS; ++i) {
        setenv("FAKE_CUDA_SOURCES", i % 3 ? "late" : "early", 1);
        snprintf(set, sizeof set, "POLYGPU_FAULT=%s:%u%s",
                 names[check_random() % 6], (unsigned)(check_random() % 40 + 1),
                 check_random() % 4 ? "" : "+");
        if (!fake_run_drawn("child-pending-random", i % 2 ? set : NULL))
            check_failed(getenv("FAKE_CUDA_ORDER"), __LINE__, check_text);
        CHECK(i % 2 || check_said("60 of 60 runs") == 1);
    }
}

/* Streams that do not wait for each other are seen. */
void test_pending_deaf(void)
{
    int i, wrong = 0;

    setenv("FAKE_CUDA", "deaf", 1);
    for (i = 0; i < SEEDS; ++i)
        wrong += !fake_run_drawn("child-pending-random", NULL);
    printf("%d of %d are wrong\n", wrong, SEEDS);
    CHECK(wrong > SEEDS / 2);
}
