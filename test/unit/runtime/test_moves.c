/* test_moves.c - runs that are not told again what moves.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "core/moves.h"
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

/* ---- Rows ---------------------------------------------------------------- */

enum { MOST_LOOPS = 3, MIDDLE = 300, SPAN = 2 * MIDDLE };

/* Mark what "loops" from number "loop" on move, told one element at a time. */
static void mark(char *marks, int64_t first, int64_t count, int64_t stride,
                 int n_loops, const struct polygpu_move_loop *loops)
{
    int64_t i;

    if (n_loops > 0)
        for (i = 0; i < loops->trips; ++i)
            mark(marks, first + i * loops->step, count, stride, n_loops - 1,
                 loops + 1);
    else
        for (i = 0; i < count; ++i)
            marks[MIDDLE + first + i * stride] = 1;
}

/* The segments of a run that is told a box; they go with the run. */
static const struct polygpu_segments *
told(struct polygpu_run *run, int64_t first, int64_t count, int64_t stride,
     int n_loops, const struct polygpu_move_loop *loops)
{
    polygpu_array(run, ARRAY_A, a);
    polygpu_move_rows(run, ARRAY_A, POLYGPU_IN, first, count, stride,
                      (uint32_t)n_loops, loops);
    return &run->arrays[ARRAY_A].moves.in;
}

static void boxes_are_their_elements(void)
{
    int round, i, joined = 0, empty = 0;

    for (round = 0; round < 10 * TIMES; ++round) {
        struct polygpu_move_loop loops[MOST_LOOPS];
        int n_loops = (int)(check_random() % (MOST_LOOPS + 1));
        int64_t first = (int64_t)(check_random() % 20) - 10;
        int64_t count = (int64_t)(check_random() % 5);
        int64_t stride = 1 + (int64_t)(check_random() % 5 == 0);
        char marks[SPAN] = {0}, found[SPAN] = {0};
        struct polygpu_run *run = polygpu_begin(&scop);
        const struct polygpu_segments *in;
        size_t n = 0;

        for (i = n_loops - 1; i >= 0; --i) {
            int64_t inner = i + 1 < n_loops
                                ? loops[i + 1].trips * loops[i + 1].step
                                : count;

            loops[i].trips = (int64_t)(check_random() % 4);
            loops[i].step =
                check_random() % 2 ? inner : (int64_t)(check_random() % 15) - 7;
        }
        mark(marks, first, count, stride, n_loops, loops);
        in = told(run, first, count, stride, n_loops, loops);
        CHECK(run->status.cause == POLYGPU_OK);
        for (n = 0; n < in->count; ++n)
            mark(found, in->items[n].first, in->items[n].count,
                 in->items[n].stride, 0, NULL);
        CHECK(memcmp(marks, found, sizeof marks) == 0);
        joined += in->count == 1 && in->items[0].count > count;
        empty += in->count == 0;
        polygpu_end(run);
    }
    printf("%d of %d boxes are one move, %d are empty\n", joined, 10 * TIMES,
           empty);
    CHECK(joined > 0 && empty > 0 && joined + empty < 10 * TIMES);
}

static void boxes_outside_of_memory_are_none(void)
{
    const int64_t far = INT64_MAX / 2 + 1;
    const struct polygpu_move_loop twice = {2, far}, never = {0, far},
                                   once = {1, far};
    const struct polygpu_move_loop rows[] = {{3, far}, {1, 7}, {4, 2}};
    struct polygpu_run *run = polygpu_begin(&scop);

    CHECK(told(run, far, 1, 1, 1, &twice)->count <= 1);
    CHECK(run->status.cause == POLYGPU_CAUSE_USAGE);
    polygpu_end(run);
    run = polygpu_begin(&scop);
    CHECK(told(run, 0, 2, 1, 3, rows)->count <= 1);
    CHECK(run->status.cause == POLYGPU_CAUSE_USAGE);
    polygpu_end(run);
    run = polygpu_begin(&scop);
    told(run, 0, 2, 0, 1, &twice); /* what the compiler tells for it */
    CHECK(run->status.cause == POLYGPU_CAUSE_USAGE);
    polygpu_end(run);
    run = polygpu_begin(&scop);
    CHECK(told(run, far, 1, 0, 1, &never)->count == 0);
    CHECK(told(run, 5, 1, 1, 1, &once)->count == 1);
    CHECK(run->status.cause == POLYGPU_OK);
    polygpu_end(run);
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
    boxes_are_their_elements();
    boxes_outside_of_memory_are_none();
}
