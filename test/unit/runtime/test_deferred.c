/* test_deferred.c - results that stay on the device.
 *
 * That they do is seen by the host's old values; what they are, by touches.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "example.h"
#include "tests.h"

#include <fenv.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 512 };

struct record {
    double *base;
    int64_t offset, n, stride;
};

static struct polygpu_scop scop;
static int replays, rounded_up;

/* What KERNEL_SCALE does. */
static void scale_here(double *base, int64_t offset, int64_t n, int64_t stride)
{
    int64_t i;

    for (i = 0; i < n; ++i)
        base[offset + i * stride] = 2 * base[offset + i * stride] + 1;
}

static void replay(void *record)
{
    volatile double one = 1;
    struct record r;

    memcpy(&r, record, sizeof r);
    scale_here(r.base, r.offset, r.n, r.stride);
    rounded_up = one + 1e-30 > 1;
    ++replays;
}

/* A run whose results may stay; if it fails, what the original loops do. */
static int scale_later(uint64_t scope, double *base, int64_t offset, int64_t n,
                       int64_t stride, uint32_t flags)
{
    struct record r = {base, offset, n, stride};
    struct polygpu_run *run = polygpu_begin(&scop);

    if (run) {
        polygpu_array(run, ARRAY_A, base);
        polygpu_keep(run, ARRAY_A, scope);
        polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, offset, n, stride);
        example_launch(run, KERNEL_SCALE, (n + 31) / 32, n, offset, stride);
        polygpu_defer(run, replay, &r, sizeof r, flags);
        if (polygpu_end(run))
            return 1;
    }
    polygpu_touch(base, SIZE_MAX, POLYGPU_TOUCH_READ | POLYGPU_TOUCH_WRITE);
    scale_here(base, offset, n, stride);
    return 0;
}

/* Runs on all of "a" and tells whether the result stayed on the device. */
static int stays(uint64_t scope, double *a, uint32_t flags)
{
    double before = a[0];

    CHECK(scale_later(scope, a, 0, N, 1, flags) && polygpu_in_use);
    return a[0] == before;
}

/* Is the result on the host now? */
static int came(const double *a, double before)
{
    CHECK(a[0] == before || a[0] == 2 * before + 1);
    return a[0] == 2 * before + 1;
}

static void touches_bring(double *a, double *other)
{
    uint64_t scope = polygpu_keep_begin();
    double before = a[0];

    CHECK(stays(scope, a, 0));
    polygpu_touch(other, 8, POLYGPU_TOUCH_READ);
    polygpu_touch(other, 8, POLYGPU_TOUCH_WRITE);
    polygpu_touch(a, 0, POLYGPU_TOUCH_READ);
    CHECK(!came(a, before));
    polygpu_touch(a, N / 8 * sizeof *a + 1, POLYGPU_TOUCH_READ);
    CHECK(came(a, before));
    before = a[0];
    CHECK(stays(scope, a, 0));
    polygpu_touch(a + 7 * N / 8 - 1, SIZE_MAX, POLYGPU_TOUCH_WRITE);
    CHECK(came(a, before));
    before = a[0];
    CHECK(stays(scope, a, 0));
    polygpu_touch_all();
    CHECK(came(a, before));
    before = a[0];
    CHECK(stays(scope, a, 0));
    polygpu_keep_end(scope);
    CHECK(came(a, before));
    CHECK(replays == 0);
}

/* A small part comes alone. */
/* Nobody reads what ends: it does not come, but what was computed with it does.
 * Of a range that is more than what ends all comes. */
static void what_ends_stays(double *a, double *other)
{
    const uint32_t all =
        POLYGPU_TOUCH_READ | POLYGPU_TOUCH_WRITE | POLYGPU_TOUCH_END;
    uint64_t scope = polygpu_keep_begin();
    double before = a[0], others = other[0];

    CHECK(stays(scope, a, 0) && stays(scope, other, 0));
    polygpu_touch(other, N * sizeof *other, all);
    CHECK(came(a, before) && !came(other, others));
    before = a[0];
    CHECK(stays(scope, a, 0) && stays(scope, other, 0));
    polygpu_touch(a, N * sizeof *a, POLYGPU_TOUCH_END);
    polygpu_touch(other, N * sizeof *other, POLYGPU_TOUCH_END);
    CHECK(!came(a, before) && !came(other, others));
    polygpu_touch(a, N * sizeof *a, all);
    CHECK(!came(a, before) && !came(other, others));
    CHECK(stays(scope, a, 0));
    polygpu_touch(a, (N - 1) * sizeof *a, all);
    CHECK(came(a, before) && replays == 0);
    polygpu_keep_end(scope);
}

static void parts_come(double *a)
{
    uint64_t scope = polygpu_keep_begin();
    double before = a[0], last = a[N - 1];

    CHECK(stays(scope, a, 0));
    polygpu_touch(a + N - 1, 8, POLYGPU_TOUCH_READ);
    CHECK(!came(a, before) && a[N - 1] == 2 * last + 1);
    polygpu_touch(a + N - 2, 8, POLYGPU_TOUCH_WRITE);
    a[N - 2] = 3;
    CHECK(stays(scope, a, 0));
    polygpu_touch(a, SIZE_MAX, POLYGPU_TOUCH_READ);
    CHECK(a[0] == 2 * (2 * before + 1) + 1);
    CHECK(a[N - 1] == 2 * (2 * last + 1) + 1 && a[N - 2] == 7);
    polygpu_keep_end(scope);
}

/* As many pieces as are told apart: a part of one of them would make one more,
 * so that all come. */
static void pieces_are_not_lost(void)
{
    enum { PIECES = 65536 };
    double *a = malloc(2 * PIECES * sizeof *a);
    double *here = malloc(2 * PIECES * sizeof *here);
    uint64_t scope = polygpu_keep_begin();

    CHECK(a && here);
    check_fill(a, 2 * PIECES);
    memcpy(here, a, 2 * PIECES * sizeof *a);
    CHECK(scale_later(scope, a, 0, PIECES, 2, 0));
    scale_here(here, 0, PIECES, 2);
    CHECK(a[0] != here[0]);
    polygpu_touch((char *)(a + 200) + 3, 1, POLYGPU_TOUCH_READ);
    polygpu_keep_end(scope);
    CHECK(!memcmp(a, here, 2 * PIECES * sizeof *a));
    free(a);
    free(here);
}

/* What a deferred run read must not change under it either: here all of "a",
 * of which it writes every other element. */
static void what_was_read_counts(double *a)
{
    uint64_t scope = polygpu_keep_begin();
    double before = a[0];

    CHECK(scale_later(scope, a, 0, N / 2, 2, 0));
    CHECK(a[0] == before);
    polygpu_touch(a + 1, 8, POLYGPU_TOUCH_READ); /* is not written */
    CHECK(a[0] == before);
    polygpu_touch(a + 1, N * sizeof *a, POLYGPU_TOUCH_WRITE);
    CHECK(came(a, before)); /* may be read */
    polygpu_keep_end(scope);
}

/* With POLYGPU_REPLAY_MORE any write counts. */
static void other_memory_counts(double *a, double *other)
{
    uint64_t scope = polygpu_keep_begin();
    double before = a[0];

    CHECK(stays(scope, a, POLYGPU_REPLAY_MORE));
    polygpu_touch(other, 8, POLYGPU_TOUCH_READ);
    CHECK(!came(a, before));
    polygpu_touch(other, 8, POLYGPU_TOUCH_WRITE);
    CHECK(came(a, before));
    polygpu_keep_end(scope);
}

/* A run that cannot stay, and one that needs other bytes of the host, find all
 * results before them. */
static void runs_meet(double *a)
{
    uint64_t scope = polygpu_keep_begin();
    double before = a[0];

    CHECK(stays(scope, a, 0));
    CHECK(scale_later(0, a, 0, 1, 1, 0)); /* of no scope */
    CHECK(a[0] == 2 * (2 * before + 1) + 1);
    before = a[0];
    CHECK(stays(scope, a, 0));
    CHECK(scale_later(scope, a + 1, 0, N, 1, 0)); /* one element more */
    CHECK(came(a, before));
    polygpu_keep_end(scope);
}

/* Not for ever. */
static void lists_are_bounded(double *a)
{
    uint64_t scope = polygpu_keep_begin();
    double before = a[0];
    int n = 0;

    while (a[0] == before)
        CHECK(scale_later(scope, a, 0, N, 1, 0) && ++n <= 5000);
    CHECK(n == 1024);
    polygpu_keep_end(scope);
    check_fill(a, N);
}

/* A run as the compiler has them, of which the cost test has an estimate, and
 * with a record of that size. */
static void scale_counted(uint64_t scope, double *a, size_t size)
{
    static char record[1 << 18];
    struct record r = {a, 0, N, 1};
    struct polygpu_run *run = polygpu_begin_sized(&scop, NULL);

    CHECK(run && size >= sizeof r && size <= sizeof record);
    memcpy(record, &r, sizeof r);
    polygpu_array(run, ARRAY_A, a);
    polygpu_keep(run, ARRAY_A, scope);
    polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 0, N, 1);
    CHECK(polygpu_worth(run));
    example_launch(run, KERNEL_SCALE, N / 32, N, 0, 1);
    polygpu_defer(run, replay, record, size, 0);
    CHECK(polygpu_end(run));
}

/* How many stay. */
static int bound_of(double *a, size_t record)
{
    uint64_t scope = polygpu_keep_begin();
    double before = a[0];
    int n = 0;

    while (a[0] == before && ++n < 5000)
        scale_counted(scope, a, record);
    polygpu_keep_end(scope);
    check_fill(a, N);
    return n;
}

/* 1 MiB of records, and 10 s that the CPU would take: OPERATIONS / 1000 ms for
 * each run. */
void child_bounds(void)
{
    static struct polygpu_count counts[] = {
        {POLYGPU_OPERATIONS, KERNEL_SCALE, 0, 0, 1, NULL},
        {POLYGPU_LAUNCHES, KERNEL_SCALE, 0, 0, 1, NULL},
        {POLYGPU_THREADS, KERNEL_SCALE, 0, 0, N, NULL},
    };
    double a[N];

    scop = example_scop;
    scop.n_counts = 3;
    scop.counts = counts;
    check_fill(a, N);
    CHECK(bound_of(a, sizeof(struct record)) == 1024);
    CHECK(bound_of(a, 1 << 16) == 16);
    CHECK(bound_of(a, (1 << 16) + 1) == 16); /* in 64s */
    CHECK(bound_of(a, 1 << 18) == 4);
    counts[0].weight = 3.5e6;
    CHECK(bound_of(a, sizeof(struct record)) == 3);
    counts[0].weight = 1e5;
    CHECK(bound_of(a, sizeof(struct record)) == 100);
    CHECK(replays == 0);
}

/* For one range more than 64, results of all others come to the host. */
static void ranges_are_bounded(void)
{
    enum { RANGES = 64 };
    double (*a)[N] = malloc((RANGES + 1) * sizeof *a);
    uint64_t scope = polygpu_keep_begin();
    double before[RANGES];
    int i;

    CHECK(a);
    check_fill(a[0], (RANGES + 1) * N);
    for (i = 0; i < RANGES; ++i) {
        before[i] = a[i][0];
        CHECK(stays(scope, a[i], 0));
    }
    for (i = 0; i < RANGES; ++i)
        CHECK(!came(a[i], before[i]));
    CHECK(stays(scope, a[RANGES], 0));
    for (i = 0; i < RANGES; ++i)
        CHECK(came(a[i], before[i]));
    polygpu_keep_end(scope);
    free(a);
}

static void *touch_all(void *unused)
{
    polygpu_touch_all();
    return unused;
}

/* Another thread has to be told by this one. */
static void threads_have_lists(double *a)
{
    uint64_t scope = polygpu_keep_begin();
    double before = a[0];
    pthread_t other;

    CHECK(stays(scope, a, 0));
    CHECK(!pthread_create(&other, NULL, touch_all, NULL));
    CHECK(!pthread_join(other, NULL));
    CHECK(!came(a, before));
    polygpu_touch(a, 8, POLYGPU_TOUCH_READ);
    CHECK(came(a, before));
    polygpu_keep_end(scope);
}

static int64_t below(int64_t n)
{
    return (int64_t)(check_random() % (uint64_t)n);
}

/* Deferred runs and host code by turns; the host looks where it touches. */
static void agrees(double *a)
{
    double *here = malloc(2 * N * sizeof *here);
    uint64_t scope = polygpu_keep_begin();
    int round;

    CHECK(here);
    memcpy(here, a, 2 * N * sizeof *a);
    for (round = 0; round < 2000; ++round) {
        int64_t stride = 1 + below(4), n = 1 + below(2 * N / stride);
        int64_t offset = below(2 * N - (n - 1) * stride);
        int64_t base = below(offset + 1), i;
        int kind = (int)below(22);

        if (kind < 12) {
            scale_later(below(9) ? scope : 0, a + base, offset - base, n,
                        stride, below(9) ? 0 : POLYGPU_REPLAY_MORE);
            scale_here(here + base, offset - base, n, stride);
        } else if (kind < 15 || kind > 19) {
            n = 1 +
                below(kind > 19 ? 1 + (2 * N - offset) / 30 : 2 * N - offset);
            polygpu_touch(a + offset, (size_t)n * sizeof *a,
                          POLYGPU_TOUCH_READ);
            CHECK(!memcmp(here + offset, a + offset, (size_t)n * sizeof *a));
        } else if (kind < 19) {
            n = 1 + below(kind == 18 ? 2 * N - offset : 1);
            polygpu_touch(a + offset, (size_t)n * sizeof *a,
                          POLYGPU_TOUCH_WRITE);
            for (i = offset; i < offset + n; ++i)
                a[i] = here[i] = check_value();
        } else {
            polygpu_keep_end(scope);
            CHECK(!memcmp(here, a, 2 * N * sizeof *a));
            scope = polygpu_keep_begin();
            memset(a, 0, N * sizeof *a); /* so that values stay finite */
            memset(here, 0, N * sizeof *a);
        }
    }
    polygpu_keep_end(scope);
    CHECK(!memcmp(here, a, 2 * N * sizeof *a));
    free(here);
}

/* Some functions of the device fail. */
void child_deferred(void)
{
    double *a = malloc(2 * N * sizeof *a);

    CHECK(a);
    scop = example_scop;
    check_fill(a, 2 * N);
    agrees(a);
    fprintf(stderr, "replays: %d\n", replays);
    free(a);
}

/* N values, to be changed by runs and here. */
static void begin_both(double *a, double *here)
{
    scop = example_scop;
    check_fill(a, N);
    memcpy(here, a, N * sizeof *a);
}

/* The results cannot come: what was rounded upwards is again. */
void child_replay(void)
{
    uint64_t scope = polygpu_keep_begin();
    double a[N], here[N];

    begin_both(a, here);
    fesetround(FE_UPWARD);
    CHECK(stays(scope, a, 0) && stays(scope, a, 0));
    scale_here(here, 0, N, 1);
    scale_here(here, 0, N, 1);
    fesetround(FE_TONEAREST);
    polygpu_touch(a, 8, POLYGPU_TOUCH_READ);
    CHECK(!memcmp(a, here, sizeof here));
    CHECK(replays == 2 && rounded_up);
    CHECK(fegetround() == FE_TONEAREST);
    polygpu_keep_end(scope);
}

/* The third run fails, perhaps after its kernel wrote over the results of the
 * other two. */
void child_spoilt(void)
{
    uint64_t scope = polygpu_keep_begin();
    double a[N], here[N];
    int i;

    begin_both(a, here);
    for (i = 0; i < 3; ++i)
        scale_here(here, 0, N, 1);
    CHECK(stays(scope, a, 0) && stays(scope, a, 0));
    CHECK(!scale_later(scope, a, 0, N, 1, 0));
    CHECK(!memcmp(a, here, sizeof a) && replays == 2);
    polygpu_keep_end(scope);
    CHECK(!memcmp(a, here, sizeof a));
}

/* There is no memory for the second one's array, and the first one's goes: its
 * results are copied, not computed again. */
void child_copied(void)
{
    uint64_t scope = polygpu_keep_begin();
    double a[N], b[4 * N], before;

    scop = example_scop;
    check_fill(a, N);
    check_fill(b, 4 * N);
    before = a[0];
    CHECK(stays(scope, a, 0));
    CHECK(scale_later(scope, b, 0, 4 * N, 1, 0));
    CHECK(came(a, before) && replays == 0);
    polygpu_keep_end(scope);
}

/* Runs, and between them small parts that are read and written; then the whole
 * fails to come and is computed, parts and all. */
void child_parts(void)
{
    uint64_t scope = polygpu_keep_begin();
    double a[N], here[N];
    int i;

    begin_both(a, here);
    for (i = 0; i < 12; ++i) {
        int64_t at = below(6), n = 1 + below(N / 20);

        if (i % 3 == 0)
            CHECK(scale_later(scope, a, 2 * i, N - 2 * i, 1, 0));
        if (i % 3 == 0)
            scale_here(here, 2 * i, N - 2 * i, 1);
        polygpu_touch(a + at, (size_t)n * sizeof *a, POLYGPU_TOUCH_READ);
        CHECK(!memcmp(a + at, here + at, (size_t)n * sizeof *a));
        at = below(6);
        polygpu_touch(a + at, 2 * sizeof *a, POLYGPU_TOUCH_WRITE);
        a[at] = here[at] = check_value();
        a[at + 1] = here[at + 1] = check_value();
    }
    polygpu_keep_end(scope);
    CHECK(!memcmp(a, here, sizeof a));
    fprintf(stderr, "replays: %d\n", replays);
}

/* A fault at each copy: of a part, and of all that is left. */
static void parts_are_replayed(void)
{
    char fault[40], seed[40];
    int n = 0, most = 0, i;

    snprintf(seed, sizeof seed, "POLYGPU_SEED=%d", 1 + (int)below(1000000));
    for (i = 1; i <= 40; ++i) {
        const char *text;

        snprintf(fault, sizeof fault, "POLYGPU_FAULT=out:%d", i);
        CHECK(check_run("child-parts", fault, seed) == 0);
        text = strstr(check_text, "replays: ");
        CHECK(text && sscanf(text, "replays: %d", &n) == 1);
        most = n > most ? n : most;
    }
    CHECK(most == 4); /* all runs, at the end */
}

void test_deferred(void)
{
    static const char *const faults[] = {
        "POLYGPU_FAULT=out:3",    "POLYGPU_FAULT=out:20+",
        "POLYGPU_FAULT=launch:9", "POLYGPU_FAULT=sync:7",
        "POLYGPU_FAULT=in:12",    "POLYGPU_FAULT=alloc:5",
    };
    double *a = malloc(2 * N * sizeof *a);
    size_t i;

    CHECK(a);
    scop = example_scop;
    check_fill(a, 2 * N);
    touches_bring(a, a + N);
    what_ends_stays(a, a + N);
    parts_come(a);
    pieces_are_not_lost();
    what_was_read_counts(a);
    other_memory_counts(a, a + N);
    runs_meet(a);
    lists_are_bounded(a);
    ranges_are_bounded();
    threads_have_lists(a);
    check_fill(a, 2 * N);
    agrees(a);
    CHECK(replays == 0);
    free(a);
    CHECK(check_run("child-replay", "POLYGPU_FAULT=out:1", NULL) == 0);
    CHECK(check_said("running loops on the CPU") == 1);
    for (i = 0; i < sizeof faults / sizeof *faults; ++i)
        CHECK(check_run("child-deferred", faults[i], NULL) == 0);
    CHECK(check_run("child-deferred", "POLYGPU_FAULT=out:2+", NULL) == 0);
    CHECK(check_said("replays: 0") == 0);
    parts_are_replayed();
    CHECK(check_run("child-spoilt", "POLYGPU_FAULT=launch:3", NULL) == 0);
    CHECK(check_run("child-spoilt", "POLYGPU_FAULT=sync:3",
                    "POLYGPU_OVERLAP=off") == 0);
    CHECK(check_run("child-copied", "POLYGPU_FAULT=alloc:2", NULL) == 0);
    CHECK(check_run("child-bounds", "POLYGPU=mandatory",
                    "POLYGPU_COST=cpu=0.001") == 0);
}
