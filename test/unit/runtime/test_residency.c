/* test_residency.c - device copies that outlive a run.
 *
 * Where the host writes and does not say so, what a run computes shows what it
 * found on the device.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "core/ranges.h"
#include "example.h"
#include "tests.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 512 };

static struct polygpu_scop scop;

/* base[offset + i * stride] = 2 * that + 1 for i < n. */
static void scale(uint64_t scope, double *base, int64_t offset, int64_t n,
                  int64_t stride)
{
    struct polygpu_run *run = polygpu_begin(&scop);

    CHECK(run);
    polygpu_array(run, ARRAY_A, base);
    polygpu_keep(run, ARRAY_A, scope);
    polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, offset, n, stride);
    example_launch(run, KERNEL_SCALE, (n + 31) / 32, n, offset, stride);
    CHECK(polygpu_end(run));
}

/* Run on all of "a" after a[at] was set to another value; does the run see
 * that? */
static int sees(uint64_t scope, double *a, int64_t at)
{
    double before = a[at], other = before == 100 ? 99 : 100;

    a[at] = other;
    scale(scope, a, 0, N, 1);
    CHECK(a[at] == 2 * other + 1 || a[at] == 2 * before + 1);
    return a[at] == 2 * other + 1;
}

static void writes_are_seen(double *a)
{
    uint64_t scope = polygpu_keep_begin(), other = polygpu_keep_begin();

    CHECK(scope && other && scope != other);
    CHECK(sees(scope, a, 5));
    CHECK(!sees(scope, a, 5)); /* nobody said so */
    polygpu_touch(a + 5, 8, POLYGPU_TOUCH_READ);
    CHECK(!sees(scope, a, 5));
    polygpu_touch(a + 6, 8, POLYGPU_TOUCH_WRITE);
    CHECK(!sees(scope, a, 5));
    polygpu_touch(a + 5, 8, POLYGPU_TOUCH_WRITE);
    CHECK(sees(scope, a, 5));
    polygpu_touch(a, SIZE_MAX, POLYGPU_TOUCH_WRITE);
    CHECK(sees(scope, a, 5));
    polygpu_touch_all();
    CHECK(sees(scope, a, 5));
    CHECK(sees(other, a, 5)); /* its own device copy */
    CHECK(sees(0, a, 5));     /* none is kept */
    polygpu_keep_end(other);
    CHECK(sees(scope, a, 5)); /* those two runs wrote all of it */
    CHECK(!sees(scope, a, 5));
    polygpu_keep_end(scope);
    CHECK(sees(polygpu_keep_begin(), a, 5));
}

/* A piece is found in the whole if element 0 keeps its alignment. */
static void pieces_are_found(double *a)
{
    uint64_t scope = polygpu_keep_begin();

    CHECK(sees(scope, a, 40));
    a[40] = 100;
    scale(scope, a + 32, 0, 64, 1);
    CHECK(a[40] != 201);
    a[40] = 100;
    scale(scope, a + 33, 0, 64, 1); /* a copy of its own */
    CHECK(a[40] == 201);
    CHECK(example_misaligned == 0);
    polygpu_keep_end(scope);
}

/* A touch changes nothing that its caller can see. */
static void touches_are_quiet(double *a)
{
    uint64_t scope = polygpu_keep_begin();

    CHECK(sees(scope, a, 0));
    errno = 77;
    polygpu_touch(a, 8, POLYGPU_TOUCH_WRITE);
    polygpu_touch_all();
    polygpu_keep_end(scope);
    CHECK(errno == 77);
}

enum { SCOPES = 100000, THREADS = 3 };

static void *count_scopes(void *first)
{
    uint64_t *scopes = first;
    int i;

    for (i = 0; i < SCOPES; ++i) {
        scopes[i] = polygpu_keep_begin();
        polygpu_keep_end(scopes[i]);
    }
    return NULL;
}

static int order(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* No two of several threads have the same number. */
static void scopes_differ(void)
{
    uint64_t *scopes = malloc(THREADS * SCOPES * sizeof *scopes);
    pthread_t threads[THREADS];
    int i;

    CHECK(scopes);
    for (i = 0; i < THREADS; ++i)
        CHECK(!pthread_create(&threads[i], NULL, count_scopes,
                              scopes + i * SCOPES));
    for (i = 0; i < THREADS; ++i)
        CHECK(!pthread_join(threads[i], NULL));
    qsort(scopes, THREADS * SCOPES, sizeof *scopes, order);
    for (i = 0; i < THREADS * SCOPES; ++i)
        CHECK(scopes[i] > (i ? scopes[i - 1] : 0));
    free(scopes);
}

/* What offloaded code looks at before it touches. */
static void use_is_known(double *a)
{
    uint64_t scope = polygpu_keep_begin();

    CHECK(!polygpu_in_use);
    scale(scope, a, 0, N, 1);
    CHECK(polygpu_in_use);
    polygpu_touch(a, 8, POLYGPU_TOUCH_WRITE);
    CHECK(polygpu_in_use);
    polygpu_touch_all();
    CHECK(!polygpu_in_use);
    scale(scope, a, 0, N, 1);
    CHECK(polygpu_in_use);
    polygpu_keep_end(scope);
    CHECK(!polygpu_in_use);
    scale(0, a, 0, N, 1);
    CHECK(!polygpu_in_use);
}

/* The child has no copy of its parent's. */
static bool lies_in_one(const double *x)
{
    return polygpu_ranges_overlap((uintptr_t)x, (uintptr_t)(x + 1));
}

/* Most touches are of memory that is in no range: a look says so. */
static void ranges_are_found(void)
{
    static double a[N];
    uint64_t scope = polygpu_keep_begin();
    int i;

    CHECK(!lies_in_one(a) && !lies_in_one(a + N / 2));
    scale(scope, a, 8, 16, 1);
    CHECK(!lies_in_one(a + 7) && lies_in_one(a + 8) && lies_in_one(a + 23) &&
          !lies_in_one(a + 24));
    CHECK(polygpu_ranges_overlap(0, UINTPTR_MAX));
    for (i = 2; i < 40; ++i)
        scale(scope, a, 8 * i, 1, 1);
    CHECK(lies_in_one(a + 8 * 39) && !lies_in_one(a + 8 * 39 + 1));
    polygpu_keep_end(scope);
    CHECK(!lies_in_one(a + 8));
}

static void children_begin_anew(double *a)
{
    uint64_t scope = polygpu_keep_begin();
    int status;
    pid_t child;

    CHECK(sees(scope, a, 3));
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        uint32_t in_use = polygpu_in_use;
        struct polygpu_run *run = polygpu_begin(&scop);

        polygpu_touch_all();
        polygpu_keep_end(scope);
        if (run)
            polygpu_end(run);
        _exit(in_use || (run && !sees(polygpu_keep_begin(), a, 3)));
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(!sees(scope, a, 3));
    polygpu_keep_end(scope);
}

static int64_t below(int64_t n)
{
    return (int64_t)(check_random() % (uint64_t)n);
}

/* Runs on random elements, and writes that are told of, compared with what
 * plain C makes of them. */
static void agrees(double *a)
{
    double *here = malloc(N * sizeof *here);
    uint64_t scope[2] = {polygpu_keep_begin(), polygpu_keep_begin()};
    int round;

    CHECK(here);
    memcpy(here, a, N * sizeof *a);
    for (round = 0; round < 3000; ++round) {
        int64_t stride = 1 + below(4), n = 1 + below(N / stride), i;
        int64_t offset = below(N - (n - 1) * stride), base = below(offset + 1);

        if (below(3)) {
            scale(scope[below(2)], a + base, offset - base, n, stride);
            for (i = 0; i < n; ++i)
                here[offset + i * stride] = 2 * here[offset + i * stride] + 1;
        } else if (below(40)) {
            polygpu_touch(a + offset, (size_t)n * sizeof *a,
                          POLYGPU_TOUCH_WRITE);
            for (i = 0; i < n && offset + i < N; ++i)
                a[offset + i] = here[offset + i] = check_value();
        } else if (below(2)) {
            polygpu_touch_all();
            check_fill(a, N);
            memcpy(here, a, N * sizeof *a);
        } else {
            polygpu_keep_end(scope[0]);
            scope[0] = polygpu_keep_begin();
        }
        CHECK(memcmp(here, a, N * sizeof *a) == 0);
    }
    polygpu_keep_end(scope[0]);
    polygpu_keep_end(scope[1]);
    free(here);
}

/* Nothing is kept, or what is kept is compared. */
void child_residency(void)
{
    const char *mode = getenv("POLYGPU_RESIDENCY");
    double a[N];
    uint64_t scope = polygpu_keep_begin();
    struct polygpu_scop other = example_scop;
    struct polygpu_run *run;

    scop = example_scop;
    check_fill(a, N);
    if (!strcmp(mode, "off"))
        CHECK(!scope && sees(scope, a, 5) && sees(scope, a, 5));
    if (strcmp(mode, "verify") != 0)
        return;
    scale(scope, a, 0, N, 1);
    polygpu_touch_at(a, 16, POLYGPU_TOUCH_WRITE, "told at main.c:1");
    a[0] = a[1] = -2;
    a[9] = -1;
    polygpu_touch_at(a, 8, POLYGPU_TOUCH_WRITE, "norm at main.c:57");
    polygpu_touch_at(a, 8, POLYGPU_TOUCH_WRITE, "again at main.c:58");
    scale(scope, a, 0, N, 1);
    CHECK(polygpu_in_use && a[9] == -1 && a[0] == -3);
    a[7] = -1;
    run = polygpu_begin(&other); /* each SCoP says it once */
    polygpu_array(run, ARRAY_A, a);
    polygpu_keep(run, ARRAY_A, scope);
    polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 0, N, 1);
    example_launch(run, KERNEL_SCALE, N / 32, N, 0, 1);
    CHECK(!polygpu_end(run) && a[7] == -1);
}

/* Elements that are copied although nobody said that they were written. */
static int is_there(uint64_t scope, double *a)
{
    return !sees(scope, a, 5);
}

/* 64 ranges at most: the one that was used least recently goes. */
static void ranges_are_limited(void)
{
    enum { RANGES = 64 };
    double (*a)[N] = malloc((RANGES + 1) * sizeof *a);
    uint64_t scope = polygpu_keep_begin();
    int i;

    CHECK(a);
    check_fill(a[0], (RANGES + 1) * N);
    for (i = 0; i < RANGES; ++i)
        scale(scope, a[i], 0, N, 1);
    for (i = 0; i < RANGES; ++i)
        CHECK(lies_in_one(a[i]));
    CHECK(is_there(scope, a[0]));
    scale(scope, a[RANGES], 0, N, 1); /* for a[1] */
    for (i = 0; i <= RANGES; ++i)
        CHECK(lies_in_one(a[i]) == (i != 1));
    CHECK(is_there(scope, a[0]) && is_there(scope, a[2]));
    CHECK(!is_there(scope, a[1])); /* for a[3] */
    CHECK(is_there(scope, a[4]) && !is_there(scope, a[3]));
    polygpu_keep_end(scope);
    free(a);
}

/* Two arrays whose elements take turns, more of them than are copied piece by
 * piece, and in memory of which there is a range: what is copied for one has
 * nothing for the other between its elements. */
static void turns_are_apart(double *a)
{
    static struct polygpu_kernel kernels[2];
    static struct polygpu_param params[5];
    static struct polygpu_scop both;
    uint64_t scope = polygpu_keep_begin();
    struct polygpu_run *run;
    double before[N];
    uint32_t i;

    kernels[0] = kernels[1] = example_scop.kernels[KERNEL_SCALE];
    memcpy(params, kernels[0].params, sizeof params);
    params[0].value = ARRAY_B;
    kernels[1].params = params;
    both = example_scop;
    both.n_kernels = 2;
    both.kernels = kernels;

    scale(scope, a, 0, N, 1);
    polygpu_touch(a, N * sizeof *a, POLYGPU_TOUCH_WRITE);
    check_fill(a, N);
    memcpy(before, a, sizeof before);
    run = polygpu_begin(&both);
    CHECK(run);
    for (i = 0; i < 2; ++i) {
        polygpu_array(run, i, a);
        polygpu_keep(run, i, scope);
        polygpu_move(run, i, POLYGPU_IN | POLYGPU_OUT, i, N / 2, 2);
    }
    for (i = 0; i < 2; ++i)
        example_launch(run, i, N / 64, N / 2, i, 2);
    CHECK(polygpu_end(run));
    for (i = 0; i < N; ++i)
        CHECK(a[i] == 2 * before[i] + 1);
    CHECK(sees(scope, a, 5));
    polygpu_keep_end(scope);
}

/* The array in which errno lies has no range: functions that write no memory
 * of the program do write errno. */
static void errno_is_not_kept(void)
{
    static struct polygpu_scop add;
    uintptr_t at = (uintptr_t)&errno / sizeof(double) * sizeof(double);
    uint64_t scope = polygpu_keep_begin();
    struct polygpu_run *run;
    static double b[N];

    add = example_scop;
    run = polygpu_begin(&add);
    CHECK(run);
    polygpu_array(run, ARRAY_A, (void *)at);
    polygpu_array(run, ARRAY_B, b);
    polygpu_keep(run, ARRAY_A, scope);
    polygpu_keep(run, ARRAY_B, scope);
    polygpu_move(run, ARRAY_A, POLYGPU_IN, 0, 1, 1);
    polygpu_move(run, ARRAY_B, POLYGPU_IN | POLYGPU_OUT, 0, 1, 1);
    example_launch(run, KERNEL_ADD, 1, 1, 0, 1);
    CHECK(polygpu_end(run));
    CHECK(lies_in_one(b));
    CHECK(!polygpu_ranges_overlap((uintptr_t)&errno, (uintptr_t)(&errno + 1)));
    polygpu_keep_end(scope);
}

/* Its arrays have ranges before the first launch, which does not come: they are
 * nobody's then, and what they hold is as before.  An array of another scope
 * has memory of its own run. */
static void runs_may_launch_nothing(double *a)
{
    static const struct polygpu_count counts[] = {
        {.kind = POLYGPU_OPERATIONS, .weight = 1e9},
        {.kind = POLYGPU_LAUNCHES, .weight = 1},
        {.kind = POLYGPU_THREADS, .weight = 1e6}};
    static struct polygpu_scop counted;
    uint64_t scope = polygpu_keep_begin();
    struct polygpu_run *run;
    static double b[N];
    int i;

    counted = example_scop;
    counted.n_counts = 3;
    counted.counts = counts;
    scale(scope, a, 0, N, 1);
    for (i = 0; i < 3; ++i) {
        run = polygpu_begin_sized(&counted, NULL);
        CHECK(run);
        polygpu_array(run, ARRAY_A, a);
        polygpu_array(run, ARRAY_B, b);
        polygpu_keep(run, ARRAY_A, scope);
        polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 0, N, 1);
        polygpu_move(run, ARRAY_B, POLYGPU_IN | POLYGPU_OUT, 0, N, 1);
        CHECK(polygpu_worth(run));
        CHECK(polygpu_end(run) == 1);
    }
    CHECK(is_there(scope, a));
    polygpu_keep_end(scope);
    CHECK(!lies_in_one(a));
}

/* There is no more memory: what was used last stays, and no more goes than is
 * needed. */
void child_least_recent(void)
{
    uint64_t scope = polygpu_keep_begin();
    static double a[4][4 * N], few[N / 2];
    int i;

    scop = example_scop;
    check_fill(few, N / 2);
    for (i = 0; i < 4; ++i)
        check_fill(a[i], 4 * N);
    for (i = 0; i < 3; ++i)
        scale(scope, a[i], 0, 4 * N, 1);
    scale(scope, few, 0, N / 2, 1);
    scale(scope, a[1], 0, 4 * N, 1);
    scale(scope, a[0], 0, 4 * N, 1);
    /* from the least recent one: a[2], "few", a[1], a[0] */
    scale(scope, a[3], 0, 4 * N, 1); /* for a[2] */
    scale(scope, a[2], 0, 4 * N, 1); /* for "few", which is not enough, a[1] */
    CHECK(is_there(scope, a[0]) && is_there(scope, a[3]));
    CHECK(is_there(scope, a[2]));
    polygpu_keep_end(scope);
}

void test_residency(void)
{
    double *a = malloc(N * sizeof *a);

    CHECK(a);
    scop = example_scop;
    check_fill(a, N);
    writes_are_seen(a);
    check_fill(a, N);
    pieces_are_found(a);
    touches_are_quiet(a);
    use_is_known(a);
    ranges_are_found();
    scopes_differ();
    ranges_are_limited();
    turns_are_apart(a);
    errno_is_not_kept();
    runs_may_launch_nothing(a);
    children_begin_anew(a);
    check_fill(a, N);
    agrees(a);
    free(a);
    CHECK(check_run("child-residency", "POLYGPU_RESIDENCY=off", NULL) == 0);
    CHECK(check_run("child-residency", "POLYGPU_RESIDENCY=verify", NULL) == 0);
    CHECK(check_said("element 7: the host has changed it since an earlier run, "
                     "and nothing had said so when the program came to these "
                     "loops; please report this; running") == 1);
    CHECK(check_said("element 9: the host has changed it since an earlier run, "
                     "and nothing had said so when the program came to norm at "
                     "main.c:57; please report this; it is copied anew") == 1);
    CHECK(check_said("main.c:") == 1);
    CHECK(check_run("child-least-recent", "POLYGPU_FAULT=alloc:5+",
                    "POLYGPU_DEBUG=1") == 0);
    CHECK(check_said("a copy of 16384 bytes goes") == 2);
    CHECK(check_said("a copy of 2048 bytes goes") == 1);
    CHECK(check_run("child-residency", "POLYGPU_RESIDENCY=some", NULL) == 0);
    CHECK(check_said("POLYGPU_RESIDENCY=some is not a known value") == 1);
}
