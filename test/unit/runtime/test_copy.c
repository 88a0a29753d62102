/* test_copy.c - what is read, what is written, and what kernels compute.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "example.h"
#include "tests.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct polygpu_run *begin(struct polygpu_scop *scop, double *a)
{
    struct polygpu_run *run = polygpu_begin(scop);

    CHECK(run);
    polygpu_array(run, ARRAY_A, a);
    return run;
}

/* Another thread's elements: all that are not ours. */
struct neighbour {
    volatile double *a;
    const char *ours;
    int64_t n;
    int stop;
    double rounds;
};

/* Write the elements round after round; each must still hold what the last
 * round wrote. */
static void *write_neighbours(void *arg)
{
    struct neighbour *to = arg;
    int64_t i;

    do {
        for (i = 0; i < to->n; ++i)
            if (!to->ours[i]) {
                CHECK(to->a[i] == to->rounds);
                to->a[i] = to->rounds + 1;
            }
        ++to->rounds;
    } while (!__atomic_load_n(&to->stop, __ATOMIC_ACQUIRE));
    return NULL;
}

typedef void (*exact_fn)(struct polygpu_run *run, int64_t n);

static void every_second(struct polygpu_run *run, int64_t n)
{
    polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 1, n * n / 2, 2);
    example_launch(run, KERNEL_SCALE, (n * n / 2 + 31) / 32, n * n / 2, 1, 2);
}

static void column(struct polygpu_run *run, int64_t n)
{
    polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 5, n, n);
    example_launch(run, KERNEL_SCALE, (n + 31) / 32, n, 5, n);
}

static void triangle_rows(struct polygpu_run *run, int64_t n)
{
    int64_t i;

    for (i = n - 1; i >= 0; --i)
        polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, i * n, i + 1, 1);
    example_launch(run, KERNEL_TRIANGLE, (n + 31) / 32, n, 0, 0);
}

/* Run "what" on an n * n matrix, of which "ours" marks the elements that it
 * turns to 2 * x + 1, while another thread writes all others. */
static void exact(exact_fn what, const char *ours, int64_t n)
{
    struct polygpu_scop scop = example_scop;
    double *a = malloc((size_t)(n * n) * sizeof *a);
    double *before = malloc((size_t)(n * n) * sizeof *a);
    struct neighbour other = {.a = a, .ours = ours, .n = n * n};
    struct polygpu_run *run;
    pthread_t thread;
    int64_t i;
    int k;

    check_fill(a, (size_t)(n * n));
    for (i = 0; i < n * n; ++i)
        if (!ours[i])
            a[i] = 0;
    memcpy(before, a, (size_t)(n * n) * sizeof *a);
    CHECK(!pthread_create(&thread, NULL, write_neighbours, &other));
    for (k = 0; k < 10; ++k) {
        run = begin(&scop, a);
        what(run, n);
        CHECK(polygpu_end(run) == 1);
    }
    __atomic_store_n(&other.stop, 1, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
    for (i = 0; i < n * n; ++i) {
        for (k = 0; k < 10; ++k)
            before[i] = 2 * before[i] + 1;
        CHECK(a[i] == (ours[i] ? before[i] : other.rounds));
    }
    free(a);
    free(before);
}

void test_exact(void)
{
    int64_t n = 60 + (int64_t)(check_random() % 60) * 2, i, j;
    char *ours = calloc(1, (size_t)(n * n));

    for (i = 1; i < n * n; i += 2)
        ours[i] = 1;
    exact(every_second, ours, n);
    memset(ours, 0, (size_t)(n * n));
    for (i = 0; i < n; ++i)
        ours[5 + i * n] = 1;
    exact(column, ours, n);
    memset(ours, 0, (size_t)(n * n));
    for (i = 0; i < n; ++i)
        for (j = 0; j <= i; ++j)
            ours[i * n + j] = 1;
    exact(triangle_rows, ours, n);
    CHECK(example_misaligned == 0);
    free(ours);
}

/* The page between two segments cannot be read, and the base lies behind the
 * first of them. */
void test_hole(void)
{
    struct polygpu_scop scop = example_scop;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int64_t n = (int64_t)(page / sizeof(double)), i;
    double *a = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    double *before = malloc(3 * page);
    struct polygpu_run *run;

    CHECK(a != MAP_FAILED);
    check_fill(a, (size_t)(3 * n));
    memcpy(before, a, 3 * page);
    CHECK(!mprotect(a + n, page, PROT_NONE));
    run = begin(&scop, a + 2 * n);
    polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 0, n, 1);
    polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, -2 * n, n, 1);
    example_launch(run, KERNEL_SCALE, (n + 31) / 32, n, 0, 1);
    example_launch(run, KERNEL_SCALE, (n + 31) / 32, n, -2 * n, 1);
    CHECK(polygpu_end(run) == 1);
    CHECK(!mprotect(a + n, page, PROT_READ));
    for (i = 0; i < 3 * n; ++i)
        CHECK(a[i] == (i / n == 1 ? before[i] : 2 * before[i] + 1));
    free(before);
    munmap(a, 3 * page);
}

/* Empty grids and segments are success, and change nothing. */
void test_empty(void)
{
    struct polygpu_scop scop = example_scop;
    double a[4] = {1, 2, 3, 4};
    int64_t n = 4, zero = 0, one = 1;
    void *values[3] = {&n, &zero, &one};
    struct polygpu_run *run = begin(&scop, a);

    polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 0, 4, 1);
    polygpu_move(run, ARRAY_A, POLYGPU_OUT, 100, 0, 1);
    polygpu_move(run, ARRAY_A, POLYGPU_OUT, 100, -7, 0);
    polygpu_launch(run, KERNEL_SCALE, 0, 1, 1, values);
    polygpu_launch(run, KERNEL_SCALE, 1, -5, 1, values);
    polygpu_launch(run, KERNEL_SCALE, 1, 1, 0, values);
    CHECK(polygpu_end(run) == 1);
    CHECK(a[0] == 1 && a[1] == 2 && a[2] == 3 && a[3] == 4);
    run = polygpu_begin(&scop);
    CHECK(run && polygpu_end(run) == 1);
    run = begin(&scop, a);
    polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 0, 4, 1);
    polygpu_launch(run, KERNEL_SCALE, 1, 1, 1, values);
    polygpu_launch(run, KERNEL_SCALE, 0, 1, 1, values);
    CHECK(polygpu_end(run) == 1);
    CHECK(a[0] == 3 && a[1] == 5 && a[2] == 7 && a[3] == 9);
}

/* Nothing reaches user memory before the end. */
void test_commit(void)
{
    struct polygpu_scop scop = example_scop;
    double a[100], before[100];
    struct polygpu_run *run;
    int i;

    check_fill(a, 100);
    memcpy(before, a, sizeof a);
    run = begin(&scop, a);
    polygpu_move(run, ARRAY_A, POLYGPU_IN, 0, 100, 1);
    polygpu_move(run, ARRAY_A, POLYGPU_OUT, 10, 20, 3);
    example_launch(run, KERNEL_SCALE, 4, 100, 0, 1);
    CHECK(!memcmp(a, before, sizeof a));
    CHECK(polygpu_end(run) == 1);
    for (i = 0; i < 100; ++i)
        CHECK(a[i] == (i >= 10 && i < 70 && (i - 10) % 3 == 0
                           ? 2 * before[i] + 1
                           : before[i]));
}

/* What is forgotten to be copied in is 0xA5 bytes, also where an array before
 * had values. */
void test_poison(void)
{
    struct polygpu_scop scop = example_scop;
    double a[70], poison;
    struct polygpu_run *run;

    memset(&poison, 0xA5, sizeof poison);
    check_fill(a, 70);
    run = begin(&scop, a);
    polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 0, 70, 1);
    example_launch(run, KERNEL_SCALE, 3, 70, 0, 1);
    CHECK(polygpu_end(run) == 1);
    run = begin(&scop, a);
    polygpu_move(run, ARRAY_A, POLYGPU_TOUCH, 0, 70, 1);
    polygpu_move(run, ARRAY_A, POLYGPU_IN, 0, 30, 2);
    polygpu_move(run, ARRAY_A, POLYGPU_OUT, 0, 70, 1);
    example_launch(run, KERNEL_SCALE, 1, 1, 0, 1);
    a[0] = 2 * a[0] + 1;
    a[65] = a[1] = 0;
    CHECK(polygpu_end(run) == 1);
    CHECK(!memcmp(&a[1], &poison, sizeof poison));
    CHECK(!memcmp(&a[65], &poison, sizeof poison));
}

/* Calls that a compiler should not make fail, and do no harm. */
void test_usage(void)
{
    struct polygpu_scop scop = example_scop;
    double a[4] = {1, 2, 3, 4};
    int64_t n = 4, zero = 0, one = 1;
    void *values[3] = {&n, &zero, &one};
    struct polygpu_run *run;
    int i;

    for (i = 0; i < 8; ++i) {
        run = begin(&scop, a);
        polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 0, 4, 1);
        if (i == 0)
            polygpu_array(run, 2, a);
        if (i == 1)
            polygpu_move(run, 2, POLYGPU_IN, 0, 1, 1);
        if (i == 2)
            polygpu_move(run, ARRAY_A, POLYGPU_IN, INT64_MAX, 2, 1);
        if (i == 3)
            polygpu_move(run, ARRAY_A, POLYGPU_TOUCH, INT64_MIN, 1, 1);
        if (i == 4)
            polygpu_move(run, ARRAY_A, POLYGPU_IN, 0, 2, 0);
        if (i == 5)
            polygpu_launch(run, KERNEL_SCALE, 1, 65536, 1, values);
        if (i == 6)
            polygpu_launch(run, N_KERNELS, 1, 1, 1, values);
        polygpu_launch(run, KERNEL_SCALE, 1, 1, 1, values);
        if (i == 7)
            polygpu_move(run, ARRAY_A, POLYGPU_IN, 0, 2, 1);
        CHECK(polygpu_end(run) == 0);
        CHECK(a[0] == 1 && a[1] == 2 && a[2] == 3 && a[3] == 4);
    }
}

/* Launches happen in order, on several arrays. */
void test_order(void)
{
    enum { N = 1000 };
    static double a[N], b[N], a2[N], b2[N];
    struct polygpu_scop scop = example_scop;

    check_fill(a, N);
    check_fill(b, N);
    memcpy(a2, a, sizeof a);
    memcpy(b2, b, sizeof b);
    CHECK(example_pair(&scop, a, b, N, 7) == 1);
    example_pair_here(a2, b2, N, 7);
    CHECK(!memcmp(a, a2, sizeof a) && !memcmp(b, b2, sizeof b));
}

void test_barrier(void)
{
    double a[64 * 20], before[64 * 20];
    struct polygpu_scop scop = example_scop;
    struct polygpu_run *run;
    int i;

    check_fill(a, 64 * 20);
    memcpy(before, a, sizeof a);
    run = begin(&scop, a);
    polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 0, 64 * 20, 1);
    example_launch(run, KERNEL_REVERSE, 20, 0, 0, 0);
    CHECK(polygpu_end(run) == 1);
    for (i = 0; i < 64 * 20; ++i)
        CHECK(a[i] == before[i / 64 * 64 + 63 - i % 64]);
}

/* Both fail, leave memory alone, and the next run works. */
static void fails_then_works(uint32_t kernel)
{
    struct polygpu_scop scop = example_scop;
    double a[4] = {1, 2, 3, 4};
    struct polygpu_run *run = begin(&scop, a);

    polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 0, 4, 1);
    example_launch(run, KERNEL_SCALE, 1, 4, 0, 1);
    example_launch(run, kernel, 3, 4, 0, 1);
    CHECK(polygpu_end(run) == 0);
    CHECK(a[0] == 1 && a[1] == 2 && a[2] == 3 && a[3] == 4);
}

void test_diverge(void)
{
    char text[4096];

    test_barrier(); /* whose stacks the others use again */
    fails_then_works(KERNEL_DIVERGE);
    test_barrier();
    CHECK(check_child("child-diverge", NULL, text, sizeof text) == 0);
    CHECK(check_occurrences(text, "kernel diverge: barrier not reached by all "
                                  "threads of block (1,0,0)") == 1);
}

void child_diverge(void)
{
    fails_then_works(KERNEL_DIVERGE);
}

void test_unmarked(void)
{
    fails_then_works(KERNEL_UNMARKED);
    test_order();
}

void test_dynamic(void)
{
    struct polygpu_scop scop = example_scop;
    double a[100], before[100];
    struct polygpu_run *run;
    int i;

    check_fill(a, 100);
    memcpy(before, a, sizeof a);
    run = begin(&scop, a);
    polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 0, 100, 1);
    example_launch(run, KERNEL_DYNAMIC, 4, 100, 0, 1);
    CHECK(polygpu_end(run) == 1);
    for (i = 0; i < 100; ++i)
        CHECK(a[i] == 2 * before[i] + 1);
}
