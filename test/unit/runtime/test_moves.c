/* test_moves.c - runs that are not told again what moves.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "example.h"
#include "tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 300, TIMES = 200 };

static struct polygpu_scop scop;
static double a[N], here[N];

/* What is done to elements offset + i * stride for i < n. */
struct work {
    int64_t offset, n, stride;
};

static void tell(struct polygpu_run *run, const struct work *work)
{
    int64_t first = work->n / 2;

    polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT,
                 work->offset + first * work->stride, work->n - first,
                 work->stride);
    polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, work->offset, first,
                 work->stride);
    polygpu_move(run, ARRAY_B, POLYGPU_TOUCH, 0, 1, 1);
}

/* One run on both sides.  Was it known? */
static int scale(const struct work *work, double *base, uint64_t scope)
{
    const int64_t sizes[] = {work->offset, work->n, work->stride};
    struct polygpu_run *run = polygpu_begin_sized(&scop, sizes);
    int64_t at = work->offset + (base - a), i;
    double b = 0;
    int known;

    CHECK(run);
    polygpu_array(run, ARRAY_A, base);
    polygpu_array(run, ARRAY_B, &b);
    if (scope)
        polygpu_keep(run, ARRAY_A, scope);
    known = polygpu_known(run);
    if (!known)
        tell(run, work);
    CHECK(polygpu_worth(run));
    example_launch(run, KERNEL_SCALE, (work->n + 31) / 32, work->n,
                   work->offset, work->stride);
    CHECK(polygpu_end(run));
    for (i = 0; i < work->n; ++i)
        here[at + i * work->stride] = 2 * here[at + i * work->stride] + 1;
    CHECK(memcmp(a, here, sizeof a) == 0);
    return known;
}

static void same_sizes_are_known(void)
{
    const struct work one = {3, 100, 2}, other = {3, 100, 1};

    CHECK(!scale(&one, a, 0));
    CHECK(scale(&one, a, 0));
    CHECK(scale(&one, a + 7, 0)); /* elements count from the base */
    CHECK(!scale(&other, a, 0));
    CHECK(!scale(&one, a, 0));
    CHECK(scale(&one, a, 0));
}

/* Who does not ask tells again, and the next one is told by that. */
static void nobody_has_to_ask(void)
{
    const struct work work = {0, 64, 1};
    const int64_t sizes[] = {0, 64, 1};
    struct polygpu_run *run;
    int i;

    scale(&work, a, 0);
    run = polygpu_begin_sized(&scop, sizes);
    polygpu_array(run, ARRAY_A, a);
    polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 0, 32, 1);
    CHECK(polygpu_worth(run));
    example_launch(run, KERNEL_SCALE, 1, 32, 0, 1);
    CHECK(polygpu_end(run));
    run = polygpu_begin(&scop);
    polygpu_array(run, ARRAY_A, a);
    CHECK(!polygpu_known(run)); /* no sizes */
    polygpu_end(run);
    for (i = 0; i < 32; ++i)
        here[i] = 2 * here[i] + 1;
    CHECK(memcmp(a, here, sizeof a) == 0);
}

/* A run that was told something wrong leaves nothing to the next one. */
static void failures_are_not_kept(void)
{
    const struct work work = {0, 50, 1};
    const int64_t sizes[] = {0, 50, 1};
    struct polygpu_run *run;

    scale(&work, a, 0);
    scop.n_sizes = 2; /* other sizes: an entry behind them */
    run = polygpu_begin_sized(&scop, sizes);
    polygpu_array(run, ARRAY_A, a);
    polygpu_move(run, ARRAY_A, POLYGPU_IN, 0, 1, 0);
    CHECK(!polygpu_worth(run));
    scop.n_sizes = 3;
    CHECK(memcmp(a, here, sizeof a) == 0);
    scale(&work, a, 0);
    CHECK(scale(&work, a, 0));
}

/* Random runs, of which some stay on the device. */
static void agrees(void)
{
    uint64_t scope = polygpu_keep_begin();
    int round, known = 0;

    for (round = 0; round < TIMES; ++round) {
        struct work work = {(int64_t)(check_random() % 3), 40,
                            1 + (int64_t)(check_random() % 2)};

        known += scale(&work, a + 16 * (check_random() % 3),
                       check_random() % 2 ? scope : 0);
        polygpu_touch(a, sizeof a, POLYGPU_TOUCH_WRITE);
    }
    printf("%d of %d known\n", known, TIMES);
    CHECK(known > 0 && known < TIMES);
    polygpu_keep_end(scope);
}

void test_moves(void)
{
    int i;

    setenv("POLYGPU_COST", "off", 1);
    scop = example_scop;
    scop.n_params = scop.n_sizes = 3;
    for (i = 0; i < N; ++i)
        a[i] = here[i] = (double)(check_random() % 100);
    same_sizes_are_known();
    nobody_has_to_ask();
    failures_are_not_kept();
    agrees();
}
