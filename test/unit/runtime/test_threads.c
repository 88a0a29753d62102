/* test_threads.c - eight threads, the same SCoP and one each.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "example.h"
#include "tests.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static struct polygpu_scop shared_scop;

static void *work(void *arg)
{
    enum { N = 777 };
    double a[N], b[N], a2[N], b2[N];
    struct polygpu_scop own = example_scop;
    int round;

    (void)arg;
    for (round = 0; round < 40; ++round) {
        check_fill(a, N);
        check_fill(b, N);
        memcpy(a2, a, sizeof a);
        memcpy(b2, b, sizeof b);
        CHECK(example_pair(round % 2 ? &own : &shared_scop, a, b, N, 2) == 1);
        example_pair_here(a2, b2, N, 2);
        CHECK(!memcmp(a, a2, sizeof a) && !memcmp(b, b2, sizeof b));
        if (!strcmp(getenv("POLYGPU_DEVICE"), "emulated") && round % 8 == 0)
            test_barrier();
    }
    return NULL;
}

enum { THREADS = 8, PART = 100 };

/* All threads read one array, and each writes its part of another. */
static double common[THREADS * PART], parts[THREADS * PART];
static int numbers[THREADS] = {0, 1, 2, 3, 4, 5, 6, 7};

static void *work_on_part(void *arg)
{
    int first = *(int *)arg * PART, i, round;
    double expected[PART];
    struct polygpu_run *run;

    memcpy(expected, parts + first, sizeof expected);
    for (round = 0; round < 40; ++round) {
        run = polygpu_begin(&shared_scop);
        CHECK(run);
        polygpu_array(run, ARRAY_A, common);
        polygpu_array(run, ARRAY_B, parts + first);
        polygpu_move(run, ARRAY_A, POLYGPU_IN, 0, THREADS * PART, 1);
        polygpu_move(run, ARRAY_B, POLYGPU_IN | POLYGPU_OUT, 0, PART, 1);
        example_launch(run, KERNEL_PAIR, (PART + 31) / 32, PART, 0, 0);
        CHECK(polygpu_end(run) == 1);
        for (i = 0; i < PART; ++i)
            expected[i] += 2 * common[i] + 1;
    }
    CHECK(!memcmp(expected, parts + first, sizeof expected));
    return NULL;
}

/* What a deferred run computes, on the CPU. */
static void add_here(void *record)
{
    double *arrays[2];
    int i;

    memcpy(arrays, record, sizeof arrays);
    for (i = 0; i < PART; ++i)
        arrays[1][i] += arrays[0][i];
}

static void add_there(uint64_t scope, double *a, double *b)
{
    double *record[2] = {a, b};
    struct polygpu_run *run = polygpu_begin(&shared_scop);

    CHECK(run);
    polygpu_array(run, ARRAY_A, a);
    polygpu_keep(run, ARRAY_A, scope);
    polygpu_move(run, ARRAY_A, POLYGPU_IN, 0, PART, 1);
    polygpu_array(run, ARRAY_B, b);
    polygpu_keep(run, ARRAY_B, scope);
    polygpu_move(run, ARRAY_B, POLYGPU_IN | POLYGPU_OUT, 0, PART, 1);
    example_launch(run, KERNEL_ADD, (PART + 31) / 32, PART, 0, 0);
    polygpu_defer(run, add_here, record, sizeof record, 0);
    CHECK(polygpu_end(run) == 1);
}

static int n_stayed; /* runs whose results the host did not have at their end */

/* Each thread keeps its part on the device, and some of what all of them read:
 * one element comes to the host, another one is written there. */
static void *keep_part(void *arg)
{
    double *part = parts + *(int *)arg * PART, expected[PART];
    int round, k, i;

    memcpy(expected, part, sizeof expected);
    for (round = 0; round < 40; ++round) {
        uint64_t scope = polygpu_keep_begin();

        for (k = 0; k <= round % 5; ++k) {
            double before = part[0];

            add_there(scope, common, part);
            for (i = 0; i < PART; ++i)
                expected[i] += common[i];
            if (part[0] == before)
                __atomic_fetch_add(&n_stayed, 1, __ATOMIC_RELAXED);
            if (k % 2 == 0)
                continue;
            polygpu_touch(part + 3, sizeof *part, POLYGPU_TOUCH_READ);
            CHECK(part[3] == expected[3]);
            polygpu_touch(part + 5, sizeof *part, POLYGPU_TOUCH_WRITE);
            part[5] = expected[5] = 1;
        }
        if (round % 3 == 0)
            polygpu_touch_all();
        polygpu_keep_end(scope);
        CHECK(!memcmp(expected, part, sizeof expected));
    }
    return NULL;
}

static void run_threads(void *(*function)(void *))
{
    pthread_t threads[THREADS];
    int i;

    for (i = 0; i < THREADS; ++i)
        CHECK(!pthread_create(&threads[i], NULL, function, &numbers[i]));
    for (i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
}

void test_threads(void)
{
    shared_scop = example_scop;
    check_fill(common, THREADS * PART);
    check_fill(parts, THREADS * PART);
    run_threads(work);
    run_threads(work_on_part);
    run_threads(keep_part);
    CHECK(n_stayed == THREADS * 40 * 3);
}
