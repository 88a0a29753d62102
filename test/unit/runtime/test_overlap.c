/* test_overlap.c - copies of a run beside its kernels.
 *
 * fake_cuda.c does a stream's work as late as may be, so that a copy that does
 * not wait for what it has to wait for brings something else.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "cuda/graphs.h"
#include "example.h"
#include "fake_calls.h"
#include "support/device.h"
#include "tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 300, ARRAYS = 4, STEPS = 12, RUNS = 40, SCOPS = 3 };

/* Kernel number x * ARRAYS + y: KERNEL_PAIR on two arrays, or KERNEL_SCALE
 * where they are the same one. */
static struct polygpu_param params[ARRAYS * ARRAYS][5];
static struct polygpu_kernel kernels[ARRAYS * ARRAYS];
static struct polygpu_array arrays[ARRAYS];
static struct polygpu_scop scops[SCOPS]; /* all the same */

static void make_scop(void)
{
    struct polygpu_scop scop = example_scop;
    uint32_t x, y, k = 0;

    for (x = 0; x < ARRAYS; ++x) {
        arrays[x] = scop.arrays[ARRAY_A];
        for (y = 0; y < ARRAYS; ++y, ++k) {
            kernels[k] = scop.kernels[x == y ? KERNEL_SCALE : KERNEL_PAIR];
            memcpy(params[k], kernels[k].params, sizeof params[k]);
            params[k][0].value = x;
            params[k][1].value = y;
            kernels[k].params = params[k];
        }
    }
    scop.n_arrays = ARRAYS;
    scop.arrays = arrays;
    scop.n_kernels = ARRAYS * ARRAYS;
    scop.kernels = kernels;
    for (x = 0; x < SCOPS; ++x)
        scops[x] = scop;
}

/* What a run does: so many kernels, on arrays that lie there. */
struct work {
    double *at[ARRAYS];
    uint32_t scop, n, kernels[STEPS];
};

static void do_here(const struct work *w)
{
    uint32_t i;
    int j;

    for (i = 0; i < w->n; ++i) {
        double *x = w->at[w->kernels[i] / ARRAYS];
        double *y = w->at[w->kernels[i] % ARRAYS];

        for (j = 0; j < N; ++j) {
            x[j] = 2 * x[j] + 1;
            if (x != y)
                y[j] += x[j];
        }
    }
}

static void replay(void *record)
{
    struct work w;

    memcpy(&w, record, sizeof w);
    do_here(&w);
}

static int writes(const struct work *w, uint32_t array)
{
    uint32_t i;

    for (i = 0; i < w->n; ++i)
        if (w->kernels[i] / ARRAYS == array || w->kernels[i] % ARRAYS == array)
            return 1;
    return 0;
}

/* Arrays that "kept" has may stay on the device.  What polygpu_end says; if
 * that is no, the original loops are done. */
static int run(const struct work *w, uint64_t scope, unsigned kept)
{
    struct polygpu_run *r = polygpu_begin(&scops[w->scop]);
    uint32_t i, inout = POLYGPU_IN | POLYGPU_OUT;

    for (i = 0; r && i < ARRAYS; ++i) {
        polygpu_array(r, i, w->at[i]);
        if (kept >> i & 1)
            polygpu_keep(r, i, scope);
        polygpu_move(r, i, writes(w, i) ? inout : (uint32_t)POLYGPU_IN, 0, N,
                     1);
    }
    for (i = 0; r && i < w->n; ++i)
        example_launch(r, w->kernels[i], (N + 31) / 32, N, 0, 1);
    if (r)
        polygpu_defer(r, replay, w, sizeof *w, 0);
    if (r && polygpu_end(r))
        return 1;
    for (i = 0; i < ARRAYS; ++i)
        polygpu_touch(w->at[i], N * sizeof(double),
                      POLYGPU_TOUCH_READ | POLYGPU_TOUCH_WRITE);
    do_here(w);
    return 0;
}

static void allocate(struct work *w)
{
    uint32_t i;

    for (i = 0; i < ARRAYS; ++i) {
        w->at[i] = malloc(N * sizeof(double));
        CHECK(w->at[i]);
    }
}

static void release(struct work *w)
{
    uint32_t i;

    for (i = 0; i < ARRAYS; ++i)
        free(w->at[i]);
}

static void fill(const struct work *w, const struct work *here)
{
    uint32_t i;

    for (i = 0; i < ARRAYS; ++i) {
        check_fill(w->at[i], N);
        memcpy(here->at[i], w->at[i], N * sizeof(double));
    }
}

static int are_equal(const struct work *w, const struct work *here)
{
    uint32_t i;

    for (i = 0; i < ARRAYS; ++i)
        if (memcmp(w->at[i], here->at[i], N * sizeof(double)) != 0)
            return 0;
    return 1;
}

static void set_kernels(struct work *w, struct work *here, const char *steps)
{
    for (w->n = 0; steps[w->n]; ++w->n)
        w->kernels[w->n] = (uint32_t)(steps[w->n] - 'a');
    here->n = w->n;
    w->scop = here->scop = 0;
    memcpy(here->kernels, w->kernels, sizeof w->kernels);
}

/* So that there are graphs between copies and marks. */
static void make_short_graphs(void)
{
    polygpu_graph_limits.least = 2;
    polygpu_graph_limits.chunk = 3;
}

/* Kernels 'b': arrays 0 and 1; 'g': 1 and 2; 'l': 2 and 3; 'p': 3; and so on.
 * Prints how many copies were made beside kernels.  TIMES runs, with graphs. */
void child_overlap(void)
{
    const char *steps = getenv("STEPS"), *again = getenv("TIMES");
    struct work w, here;
    int done = 0, times = again ? atoi(again) : 1;

    make_scop();
    allocate(&w);
    allocate(&here);
    fill(&w, &here);
    set_kernels(&w, &here, steps);
    if (again)
        make_short_graphs();
    while (times-- > 0) {
        done = run(&w, 0, 0);
        do_here(&here);
        CHECK(are_equal(&w, &here));
    }
    fprintf(stderr, "done %d beside %d\n", done,
            fake_count("fake_cuda_overlapped"));
    fprintf(stderr, "calls %d live %d graphs %d\n",
            fake_count("fake_cuda_calls"), fake_count("fake_cuda_live"),
            fake_count("fake_cuda_graph_launches"));
    release(&w);
    release(&here);
}

/* As many arrays as a set has, of which the last one is marked. */
void child_overlap_most(void)
{
    static struct polygpu_array most[POLYGPU_MOST_MARKED];
    static struct polygpu_scop scop;
    double *x = calloc(N, sizeof *x), *y = calloc(N, sizeof *y);
    struct polygpu_run *r;
    uint32_t i;

    make_scop();
    scop = scops[0];
    for (i = 0; i < POLYGPU_MOST_MARKED; ++i)
        most[i] = arrays[0];
    params[0][0].value = 1;
    params[5][0].value = POLYGPU_MOST_MARKED - 1;
    scop.arrays = most;
    scop.n_arrays = POLYGPU_MOST_MARKED;
    CHECK(x && y && (r = polygpu_begin(&scop)));
    for (i = 0; i < POLYGPU_MOST_MARKED; ++i)
        polygpu_array(r, i, i == 1 ? x : y);
    polygpu_move(r, 1, POLYGPU_IN | POLYGPU_OUT, 0, N, 1);
    polygpu_move(r, POLYGPU_MOST_MARKED - 1, POLYGPU_IN | POLYGPU_OUT, 0, N, 1);
    example_launch(r, 5, (N + 31) / 32, N, 0, 1);
    example_launch(r, 0, (N + 31) / 32, N, 0, 1);
    CHECK(polygpu_end(r));
    CHECK(x[0] == 1 && x[N - 1] == 1 && y[0] == 1 && y[N - 1] == 1);
    free(x);
    free(y);
}

static int is_cuda(void)
{
    return strcmp(getenv("POLYGPU_DEVICE"), "emulated") != 0;
}

/* How many copies of a run are made beside kernels, and how many launches are
 * marked and waited for. */
static void expect(const char *steps, int beside, const char *counts)
{
    char set[64], said[64];

    snprintf(set, sizeof set, "STEPS=%s", steps);
    snprintf(said, sizeof said, "done 1 beside %d\n", is_cuda() ? beside : 0);
    CHECK(check_run("child-overlap", set, NULL) == 0);
    if (!check_said(said))
        check_failed(set, __LINE__, check_text);
    CHECK(check_run("child-overlap", set, "POLYGPU_FAULT=count") == 0);
    if (!check_said(counts))
        check_failed(set, __LINE__, check_text);
}

void test_overlap(void)
{
    expect("f", 3, "in=4 mark=0 launch=1 graph=0 reach=0 sync=1 out=1\n");
    expect("bl", 4, "in=4 mark=2 launch=2 graph=0 reach=2 sync=1 out=4\n");
    expect("bglp", 5, "in=4 mark=3 launch=4 graph=0 reach=3 sync=1 out=4\n");
    expect("blb", 4, "in=4 mark=4 launch=3 graph=0 reach=2 sync=1 out=4\n");
    expect("blblblblblbl", 2,
           "in=4 mark=8 launch=12 graph=0 reach=0 sync=1 out=4\n");
    CHECK(check_run("child-overlap-most", "POLYGPU_FAULT=count", NULL) == 0);
    CHECK(check_said("in=2 mark=1 launch=2 graph=0 reach=1 sync=1 out=2\n"));
}

/* Each of the operations fails, of one run, and then it is right. */
void test_overlap_faults(void)
{
    static const char *const names[] = {"in",    "mark", "launch",
                                        "reach", "out",  "sync"};
    char set[64];
    size_t i;
    int n;

    setenv("STEPS", "bglp", 1);
    for (i = 0; i < sizeof names / sizeof *names; ++i)
        for (n = 1; n <= 5; ++n) {
            snprintf(set, sizeof set, "POLYGPU_FAULT=%s:%d", names[i], n);
            CHECK(check_run("child-overlap", set, NULL) == 0);
            CHECK(check_said("done 0") == check_said("injected fault"));
            CHECK(n > 1 || check_said("done 0") == 1);
        }
}

/* Each call of the driver fails, with errors that pass and one that does not:
 * the results are right, and nothing is left but in a context that is lost. */
static void fail_calls(const char *steps)
{
    static const int errors[] = {1, 2, 700};
    char set[64];
    int calls, i, n;

    setenv("STEPS", steps, 1);
    CHECK(check_run("child-overlap", NULL, NULL) == 0);
    CHECK(sscanf(strstr(check_text, "calls "), "calls %d", &calls) == 1);
    for (i = 0; i < 3; ++i)
        for (n = 1; n <= calls; ++n) {
            snprintf(set, sizeof set, "FAKE_CUDA_FAIL=%d:%d", n, errors[i]);
            if (check_run("child-overlap", set, NULL) != 0 ||
                check_said("running loops on the CPU") > 1 ||
                (errors[i] < 700 && !check_said("live 0")))
                check_failed(set, __LINE__, check_text);
        }
    printf("%d calls\n", calls);
}

void test_overlap_calls(void)
{
    fail_calls("bglp");
}

/* How many copies of four runs are beside kernels, and how many graphs. */
static void expect_graphs(const char *steps, int beside, int graphs)
{
    char said[64], last[64];

    setenv("STEPS", steps, 1);
    snprintf(said, sizeof said, "done 1 beside %d\n", beside);
    snprintf(last, sizeof last, " graphs %d\n", graphs);
    if (check_run("child-overlap", NULL, NULL) != 0 || !check_said(said) ||
        !check_said(last))
        check_failed(steps, __LINE__, check_text);
}

/* Beside graphs: there are copies in front of some launches, and marks behind
 * some. */
void test_overlap_graphs(void)
{
    setenv("POLYGPU_GRAPHS", "on", 1);
    setenv("POLYGPU_RESIDENCY", "off", 1);
    setenv("TIMES", "4", 1);
    expect_graphs("bbbbllllpppp", 4 * 5, 2 * 6);
    expect_graphs("bbll", 4 * 4, 2 * 2);
    fail_calls("bbbll");
}

/* ---- Arrays that are read in place --------------------------------------- */

/* b[i] += a[i], where A is as CASE says; prints whether that was done. */
void child_in_place(void)
{
    static struct polygpu_array two[2];
    static struct polygpu_scop scop;
    const char *kind = getenv("CASE");
    double *a = aligned_alloc(64, 2 * N * sizeof *a), b[N], b2[N];
    uint64_t scope = polygpu_keep_begin();
    struct polygpu_run *r;
    int i, done;

    scop = example_scop;
    memcpy(two, scop.arrays, sizeof two);
    two[ARRAY_A].flags = strcmp(kind, "written") ? POLYGPU_IN : 3;
    scop.arrays = two;
    a += !strcmp(kind, "misaligned");
    check_fill(a, N);
    check_fill(b, N);
    memcpy(b2, b, sizeof b);
    r = polygpu_begin(&scop);
    CHECK(r);
    polygpu_array(r, ARRAY_A, a);
    polygpu_array(r, ARRAY_B, b);
    if (!strcmp(kind, "kept"))
        polygpu_keep(r, ARRAY_A, scope);
    if (!strcmp(kind, "gap"))
        polygpu_move(r, ARRAY_A, POLYGPU_IN, N + 3, 4, 1);
    if (!strcmp(kind, "scratch"))
        polygpu_move(r, ARRAY_A, POLYGPU_TOUCH, 0, N, 1);
    for (i = 0; i < N; i += N / 3) /* as row by row */
        polygpu_move(r, ARRAY_A, POLYGPU_IN, i, N / 3, 1);
    polygpu_move(r, ARRAY_B, POLYGPU_IN | POLYGPU_OUT, 0, N, 1);
    example_launch(r, KERNEL_ADD, (N + 31) / 32, N, 0, 1);
    done = polygpu_end(r);
    for (i = 0; done && i < N; ++i)
        b2[i] += a[i];
    CHECK(!memcmp(b, b2, sizeof b));
    fprintf(stderr, "done %d\n", done);
    polygpu_keep_end(scope);
    free(a - !strcmp(kind, "misaligned"));
}

/* How many of two arrays are allocated and copied. */
static void copies(const char *driver, const char *kind, int n)
{
    char set[64], said[64];

    snprintf(set, sizeof set, "CASE=%s", kind);
    snprintf(said, sizeof said, " alloc=%d place=2 in=%d ", n, n);
    setenv("FAKE_CUDA", driver, 1);
    CHECK(check_run("child-in-place", set, "POLYGPU_FAULT=count") == 0);
    if (!check_said("done 1") || !check_said(said))
        check_failed(set, __LINE__, check_text);
}

void test_in_place(void)
{
    copies("late", "read", 2);
    copies("integrated", "read", 2);
    copies("page-tables", "read", 2);
    copies("shared-memory", "read", 1);
    copies("shared-memory", "misaligned", 2);
    copies("shared-memory", "gap", 2);
    copies("shared-memory", "scratch", 2);
    copies("shared-memory", "written", 2);
    copies("shared-memory", "kept", 2);
    CHECK(check_run("child-in-place", "CASE=read", "POLYGPU_FAULT=launch:1") ==
          0);
    CHECK(check_said("done 0") == 1);
}

/* ---- Any runs ------------------------------------------------------------ */

/* Other kernels, of which the first may be the same. */
static void change(struct work *w, struct work *here)
{
    uint32_t j = check_random() % 3 * 4;

    w->scop = check_random() % SCOPS;
    w->n = here->n = check_random() % (STEPS + 1);
    for (; j < w->n; ++j)
        w->kernels[j] = here->kernels[j] = check_random() % (ARRAYS * ARRAYS);
}

/* Runs of any kernels, often those of the run before; some have their results
 * stay. */
void child_overlap_random(void)
{
    struct work w = {0}, here = {0};
    uint64_t scope = 0;
    uint32_t i;
    int done = 0;

    make_scop();
    make_short_graphs();
    allocate(&w);
    allocate(&here);
    fill(&w, &here);
    for (i = 0; i < RUNS; ++i) {
        if (i % 8 == 0)
            scope = polygpu_keep_begin();
        if (i == 0 || check_random() % 4 == 0)
            change(&w, &here);
        done += run(&w, scope, check_random() % 3 ? 15 : check_random() % 16);
        do_here(&here);
        if (check_random() % 3 == 0)
            polygpu_touch(w.at[check_random() % ARRAYS], N * sizeof(double),
                          POLYGPU_TOUCH_READ);
        if (i % 8 == 7) {
            polygpu_keep_end(scope);
            CHECK(are_equal(&w, &here));
        }
        if (i % 16 == 15)
            fill(&w, &here);
    }
    fprintf(stderr, "%d of %d runs, %d graphs\n", done, RUNS,
            fake_count("fake_cuda_graph_launches"));
    release(&w);
    release(&here);
}

void test_overlap_random(void)
{
    static const char *const names[] = {"in",  "mark", "launch", "reach",
                                        "out", "sync", "follow", "leave"};
    char set[64], seed[64];
    int i;

    setenv("POLYGPU_GRAPHS", "on", 1);
    for (i = 0; i < 30; ++i) {
        snprintf(seed, sizeof seed, "POLYGPU_SEED=%llu",
                 (unsigned long long)check_random());
        snprintf(set, sizeof set, "POLYGPU_FAULT=%s:%u%s",
                 names[check_random() % 8], (unsigned)(check_random() % 50 + 1),
                 check_random() % 8 ? "" : "+");
        if (check_run("child-overlap-random", i % 3 ? set : NULL, seed) != 0)
            check_failed(seed, __LINE__, check_text);
        CHECK(i % 3 || check_said("40 of 40 runs") == 1);
    }
}
