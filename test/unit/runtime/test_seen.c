/* test_seen.c - a run of a SCoP that has run before: nothing is allocated,
 * nothing looked up in the environment, and there is one lock up to the first
 * launch and one behind it, whether arrays are copied or stay on the device.
 *
 *   polygpu_rt_seen_test         the test
 *   polygpu_rt_seen_test time    microseconds from polygpu_begin to behind the
 *                                first launch, and to behind polygpu_end; the
 *                                same where all stays on the device; of a
 *                                touch; of a launch among many, with
 *                                POLYGPU_GRAPHS=on held back
 *
 * The driver is fake_cuda.c, which does at once what it is asked for.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "example.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N = 64, TIMES = 20000, BATCHES = 15 };

static unsigned allocations, look_ups, locks;

/* What the runtime calls, counted; the linker puts them in between. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_getenv(const char *name);
int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_getenv(const char *name);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);

void *__wrap_malloc(size_t size)
{
    ++allocations;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    ++allocations;
    return __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    ++allocations;
    return __real_realloc(old, size);
}

char *__wrap_getenv(const char *name)
{
    ++look_ups;
    return __real_getenv(name);
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
    ++locks;
    return __real_pthread_mutex_lock(mutex);
}

static double a[N], b[N];
static uint64_t scope; /* in which arrays are kept, or 0 */
static bool tested;    /* does the cost test decide? */

static void pair_again(void *record)
{
    (void)record;
    example_pair_here(a, b, N, 1);
}

/* The part of a run up to its first launch. */
static struct polygpu_run *up_to_launch(struct polygpu_scop *scop)
{
    struct polygpu_run *run =
        tested ? polygpu_begin_sized(scop, NULL) : polygpu_begin(scop);

    CHECK(run);
    polygpu_array(run, ARRAY_A, a);
    polygpu_array(run, ARRAY_B, b);
    polygpu_keep(run, ARRAY_A, scope);
    polygpu_keep(run, ARRAY_B, scope);
    if (!tested || !polygpu_known(run)) {
        polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 0, N, 1);
        polygpu_move(run, ARRAY_B, POLYGPU_IN | POLYGPU_OUT, 0, N, 1);
    }
    if (tested)
        CHECK(polygpu_worth(run));
    example_launch(run, KERNEL_PAIR, N / 32, N, 0, 0);
    return run;
}

static int end(struct polygpu_run *run)
{
    if (scope)
        polygpu_defer(run, pair_again, NULL, 0, 0);
    return polygpu_end(run);
}

/* One lock up to the launch, and one behind it; one more to learn from a run
 * that was waited for. */
static void expect_counts(bool ended)
{
    unsigned most = ended ? 2 : 1;

    if (tested && ended && !scope)
        ++most;
    CHECK(allocations == 0 && look_ups == 0 && locks > 0 && locks <= most);
}

static void test_counts(struct polygpu_scop *scop)
{
    double a2[N], b2[N];
    int i;

    check_fill(a, N);
    check_fill(b, N);
    memcpy(a2, a, sizeof a);
    memcpy(b2, b, sizeof b);
    for (i = 0; i < 6; ++i) {
        struct polygpu_run *run;

        allocations = look_ups = locks = 0;
        run = up_to_launch(scop);
        if (i == 0)
            CHECK(allocations > 0 && locks > 0);
        if (i > 1)
            expect_counts(false);
        CHECK(end(run) == 1);
        if (i > 1)
            expect_counts(true);
        example_pair_here(a2, b2, N, 1);
        if (scope && i == 3) /* the host looks, which changes nothing in it */
            polygpu_touch(a, sizeof a, POLYGPU_TOUCH_READ);
        if (!scope)
            CHECK(!memcmp(a, a2, sizeof a) && !memcmp(b, b2, sizeof b));
    }
    polygpu_touch_all();
    CHECK(!memcmp(a, a2, sizeof a) && !memcmp(b, b2, sizeof b));
}

/* Copied each time, and where results stay on the device. */
static void test_both(struct polygpu_scop *scop)
{
    struct polygpu_scop other = *scop;

    test_counts(scop);
    scope = polygpu_keep_begin();
    CHECK(scope);
    test_counts(&other);
    polygpu_keep_end(scope);
    scope = 0;
}

/* Which the device is faster with, as far as the cost test knows. */
static struct polygpu_scop costly(void)
{
    static const struct polygpu_count counts[] = {
        {.kind = POLYGPU_OPERATIONS, .weight = 1e9},
        {.kind = POLYGPU_LAUNCHES, .weight = 1},
        {.kind = POLYGPU_THREADS, .weight = 1e6}};
    struct polygpu_scop scop = example_scop;

    scop.n_counts = 3;
    scop.counts = counts;
    return scop;
}

static void test_with_costs(void)
{
    struct polygpu_scop scop = costly();

    tested = true;
    test_both(&scop);
    tested = false;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* The fastest batch: others had the processor in the rest. */
static void print_times(struct polygpu_scop *scop, const char *what)
{
    double best = 1e9, best_all = 1e9;
    int batch, i;

    for (batch = 0; batch < BATCHES; ++batch) {
        double first = 0, all = 0;

        for (i = 0; i < TIMES; ++i) {
            double begun = now();
            struct polygpu_run *run = up_to_launch(scop);

            first += now() - begun;
            CHECK(end(run) == 1);
            all += now() - begun;
            if (scope)
                continue;
            memset(a, 0, sizeof a);
            memset(b, 0, sizeof b);
        }
        best = first / TIMES < best ? first / TIMES : best;
        best_all = all / TIMES < best_all ? all / TIMES : best_all;
    }
    printf("%s: to behind the first launch %.2f us, whole run %.2f us\n", what,
           best, best_all);
}

/* Of memory that nothing on the device is of. */
static void print_touch(const char *what)
{
    static double elsewhere;
    double best = 1e9;
    int batch, i;

    for (batch = 0; batch < BATCHES; ++batch) {
        double begun = now(), us;

        for (i = 0; i < TIMES; ++i)
            polygpu_touch(&elsewhere, sizeof elsewhere, POLYGPU_TOUCH_WRITE);
        us = (now() - begun) / TIMES;
        best = us < best ? us : best;
    }
    printf("a touch %s: %.4f us\n", what, best);
}

/* The third run of many launches: without what it does at its begin and end. */
static void print_launch(struct polygpu_scop *scop)
{
    enum { LAUNCHES = 1000 };
    double best = 1e9;
    int batch, i;

    for (batch = 0; batch < BATCHES; ++batch) {
        struct polygpu_run *run = up_to_launch(scop);
        double begun = now(), us;

        for (i = 0; i < LAUNCHES; ++i)
            example_launch(run, KERNEL_PAIR, N / 32, N, i, 0);
        us = (now() - begun) / LAUNCHES;
        best = batch > 1 && us < best ? us : best;
        CHECK(polygpu_end(run) == 1);
        memset(a, 0, sizeof a);
        memset(b, 0, sizeof b);
    }
    printf("a launch among many: %.4f us\n", best);
}

static void print_all(struct polygpu_scop *scop)
{
    struct polygpu_scop other = example_scop, third = costly();

    print_launch(&other);
    print_times(scop, "copied");
    print_touch("where nothing is on the device");
    scope = polygpu_keep_begin();
    print_times(scop, "resident");
    print_touch("beside what is there");
    tested = true;
    print_times(&third, "resident, with the cost test");
    tested = false;
    polygpu_keep_end(scope);
}

int main(int argc, char **argv)
{
    struct polygpu_scop scop = example_scop;

    test_both(&scop);
    test_with_costs();
    if (argc == 2 && !strcmp(argv[1], "time"))
        print_all(&scop);
    return 0;
}
