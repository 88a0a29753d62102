/* test_kept.c - points of sets and joined sets that are kept: the answers are
 * the same, the work is less, and they go with their context.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"
#include "support/coalesce.h"
#include "support/work.h"

#include <isl/set.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static unsigned failures;

static void check(bool ok, const char *what)
{
    if (ok)
        return;
    printf("FAIL %s\n", what);
    failures++;
}

static __isl_give isl_set *read(isl_ctx *ctx, const char *text)
{
    return isl_set_read_from_str(ctx, text);
}

/* What it takes to see whether a set is empty, which must be "empty". */
static unsigned long emptiness(isl_ctx *ctx, const char *text, bool empty)
{
    isl_set *set = read(ctx, text);
    unsigned long before = pg_work_done();

    check(isl_set_is_empty(set) == (empty ? isl_bool_true : isl_bool_false),
          text);
    before = pg_work_done() - before;
    isl_set_free(set);
    return before;
}

static const char plane[] =
    "{ [i, j, k] : 7i + 5j = 3k + 1 and 0 <= i, j, k <= 100 and i >= j + 3 }";

/* A point of one set is one of another set, which takes less than half of what
 * the first one took in a context without any; an empty set has none.
 */
static void check_points(isl_ctx *ctx, unsigned long alone)
{
    emptiness(ctx, plane, false);
    check(emptiness(ctx,
                    "{ [i, j, k] : 7i + 5j = 3k + 1 and 0 <= i, j, k <= 101 "
                    "and i >= j + 2 }",
                    false) < alone / 2,
          "a point is not found again");
    emptiness(ctx, "{ [i, j, k] : 7i + 5j = 3k + 1 and i < 0 and i > 5 }",
              true);
    emptiness(ctx, "{ [i, j] : 4i = 2j + 1 and 0 <= i, j <= 1000 }", true);
    emptiness(ctx, "{ [i, j, k] : 0 <= i, j, k <= 1 and i + j + k = 4 }", true);
    // More than are kept, each elsewhere.
    for (int i = 0; i < 50; i++) {
        char text[80];

        snprintf(text, sizeof(text), "{ [%d, j, k] : %d <= j, k <= %d }", 3 * i,
                 i, i + 1);
        emptiness(ctx, text, false);
    }
}

static int within(int n)
{
    return rand() % (2 * n + 1) - n;
}

/* A set of up to four dimensions, some of whose points are limited. */
static void random_set(char *text, size_t size)
{
    static const char *const relations[] = {">=", ">=", ">=", "="};
    unsigned n = 1 + (unsigned)rand() % 4, m = (unsigned)rand() % 8;
    size_t at = (size_t)snprintf(text, size, "{ [a, b, c, d] : d = d");

    for (unsigned i = 0; i < m; i++) {
        at += (size_t)snprintf(text + at, size - at, " and 0");
        for (unsigned d = 0; d < n; d++)
            at += (size_t)snprintf(text + at, size - at, " + %d%c", within(4),
                                   'a' + (int)d);
        at += (size_t)snprintf(text + at, size - at, " %s %d",
                               relations[rand() % 4], within(9));
    }
    snprintf(text + at, size - at, " }");
}

/* The answers are isl's, which it gives in "plain", in no phase. */
static void check_random(isl_ctx *plain, isl_ctx *ctx)
{
    unsigned n[2] = {0};

    for (int i = 0; i < 3000; i++) {
        char text[600];
        isl_set *set;
        isl_bool empty;

        random_set(text, sizeof(text));
        set = read(plain, text);
        empty = isl_set_is_empty(set);
        check(empty >= 0, text);
        isl_set_free(set);
        emptiness(ctx, text, empty == isl_bool_true);
        n[empty == isl_bool_true]++;
    }
    check(n[0] > 300 && n[1] > 300, "sets of only one kind");
}

/* Where a rational point tells, it takes less than a third of what it takes isl
 * outside of a phase, which looks for the directions of the set.
 */
static void check_rational(isl_ctx *plain, isl_ctx *ctx)
{
    static const char *const sets[] = {
        "{ [i, j, k, l] : i >= 900 and j >= i + 7 and l + 2 >= k + j and "
        "k >= 3j and l >= 5 }",
        "{ [i, j, k, l] : i + 1 <= j and j + 1 <= k and k + 1 <= l and "
        "l + 1 <= i + 2k - 2j and k <= j + 1 }"};

    for (unsigned i = 0; i < 2; i++) {
        unsigned long isls = emptiness(plain, sets[i], i > 0);

        check(emptiness(ctx, sets[i], i > 0) < isls / 3, sets[i]);
    }
}

/* What it takes to join the pieces of a set. */
static unsigned long joining(isl_ctx *ctx, const char *text)
{
    isl_set *set = read(ctx, text), *joined;
    unsigned long before = pg_work_done();

    joined = pg_coalesce(isl_set_copy(set));
    before = pg_work_done() - before;
    check(isl_set_is_equal(set, joined) == isl_bool_true, text);
    isl_set_free(set);
    isl_set_free(joined);
    return before;
}

static const char pieces[] =
    "[n, m] -> { [i, j] : (0 <= i < n and i <= j < m) or (n <= i <= 2j and "
    "2j < m) or (i = 3j and 5 < j and m < i < n + j) }";

static void check_joined(isl_ctx *ctx)
{
    unsigned long first = joining(ctx, pieces);

    check(joining(ctx, pieces) < first / 2, "a set is joined again");
    // Another one with as many pieces.
    joining(ctx, "[n, m] -> { [i, j] : (0 <= i < n and i <= j < m) or "
                 "(n <= i <= 2j and 2j < m) or (i = 3j and 6 < j and "
                 "m < i < n + j) }");
    check(joining(ctx, pieces) < first / 2, "the last but one is forgotten");
    for (int i = 0; i < 20; i++) {
        char text[80];

        snprintf(text, sizeof(text), "{ [i] : 0 <= i <= %d or i >= %d }", i,
                 2 * i + 3);
        joining(ctx, text);
    }
}

/* Outside of the core's phases nothing is kept: Polly's steps do as before.
 * What it takes to find a point of a set.
 */
static unsigned long check_outside(isl_ctx *ctx)
{
    unsigned long first = joining(ctx, pieces), again = joining(ctx, pieces);

    check(again > first / 2, "joined sets are kept for others");
    first = emptiness(ctx, plane, false);
    again = emptiness(ctx, plane, false);
    check(again > first / 2, "points are kept for others");
    return first;
}

int main(void)
{
    const char *given = getenv("POLYGPU_SEED");
    unsigned seed = given ? (unsigned)atoi(given) : (unsigned)time(NULL);

    srand(seed);
    // Contexts one after the other, and one inside of another.
    for (int i = 0; i < 2; i++) {
        isl_ctx *outer = pg_ctx_alloc(), *ctx = pg_ctx_alloc();
        unsigned long alone = check_outside(ctx);
        bool late;

        pg_work_begin(outer, 0, 60);
        check_joined(outer);
        check_points(outer, alone);
        (void)pg_work_end(&late);
        pg_work_begin(ctx, 0, 60);
        check_joined(ctx);
        check_points(ctx, alone);
        check_rational(outer, ctx);
        check_random(outer, ctx);
        (void)pg_work_end(&late);
        pg_ctx_free(ctx);
        pg_work_begin(outer, 0, 60);
        check_joined(outer);
        check_points(outer, alone);
        (void)pg_work_end(&late);
        pg_ctx_free(outer);
    }
    if (failures)
        printf("POLYGPU_SEED=%u\n", seed);
    return failures != 0;
}
