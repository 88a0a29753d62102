/* test_work.c - what isl does is counted, and ends at a limit.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"
#include "support/text.h"
#include "support/work.h"

#include <isl/ctx.h>
#include <isl/set.h>
#include <isl/val.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static unsigned failures;

static void check(bool ok, const char *what)
{
    if (ok)
        return;
    printf("FAIL %s\n", what);
    failures++;
}

typedef __isl_give isl_val *(*operation)(__isl_take isl_val *a,
                                         __isl_take isl_val *b);

/* What 1600 of "apply" on "a" and "b" take. */
static unsigned long cost_of(operation apply, __isl_keep isl_val *a,
                             __isl_keep isl_val *b)
{
    unsigned long before = pg_work_done();

    for (int i = 0; i < 1600; i++)
        isl_val_free(apply(isl_val_copy(a), isl_val_copy(b)));
    return pg_work_done() - before;
}

/* A product counts beside its allocations, and large ones by their digits. */
static void check_numbers(isl_ctx *ctx)
{
    isl_val *three = isl_val_int_from_si(ctx, 3);
    isl_val *five = isl_val_int_from_si(ctx, 5);
    isl_val *large = isl_val_2exp(isl_val_int_from_si(ctx, 3200));
    isl_val *odd = isl_val_add_ui(isl_val_copy(large), 1);
    unsigned long sum = cost_of(&isl_val_add, three, five);
    unsigned long product = cost_of(&isl_val_mul, three, five);

    check(sum >= 1600, "allocations do not count");
    check(product >= sum + 50, "products do not count");
    // 100 digits each.
    check(cost_of(&isl_val_mul, large, odd) > 1600 * 100 * 100 * 3 / 32,
          "the digits of products do not count");
    check(cost_of(&isl_val_gcd, large, odd) > 1600 * 100 * 100 * 3 / 32,
          "the digits of divisors do not count");
    check(cost_of(&isl_val_div, odd, three) > 1600 * 100 * 3 / 32,
          "the digits of quotients do not count");
    isl_val_free(three);
    isl_val_free(five);
    isl_val_free(large);
    isl_val_free(odd);
}

/* What the pivots for the least element of a polyhedron take, in rows that are
 * longer by so many parameters.
 */
static unsigned long cost_with(isl_ctx *ctx, unsigned n_param)
{
    struct pg_text text = {0};
    unsigned long before;
    isl_set *set;
    char *string;

    pg_text_add(&text, "[n");
    for (unsigned i = 0; i < n_param; i++)
        pg_text_add(&text, ", p%u", i);
    pg_text_add(&text, "] -> { [i, j, k] : 3i + 5j >= n and 7j - 2i <= 3n and "
                       "11k >= i + j and 2k <= 9i }");
    string = pg_text_take(&text);
    set = isl_set_read_from_str(ctx, string);
    free(string);
    before = pg_work_done();
    set = isl_set_lexmin(set);
    before = pg_work_done() - before;
    check(set, "no least element");
    isl_set_free(set);
    return before;
}

/* isl fails at the limit, at the same point each time, and not after it. */
static void check_limit(isl_ctx *ctx)
{
    for (int i = 0; i < 2; i++) {
        unsigned n = 0;
        bool late = true;

        pg_work_begin(ctx, 100, 600);
        for (isl_val *v; (v = isl_val_zero(ctx)); n++)
            isl_val_free(v);
        check(n == 100, "not at the limit");
        check(isl_ctx_last_error(ctx) == isl_error_quota, "another error");
        check(pg_work_end(&late) && !late, "the limit was not noticed");
        isl_ctx_reset_error(ctx);
        check(cost_with(ctx, 0) > 100, "a limit that was left goes on");
    }
}

/* Seconds are no limit as long as they last, and the only one then. */
static void check_seconds(isl_ctx *ctx)
{
    bool late = true;

    pg_work_begin(ctx, 0, 600);
    check(cost_with(ctx, 0) > 100, "no limit, and it was reached");
    check(!pg_work_end(&late) && !late, "late after no time");
    pg_work_begin(ctx, 1000000, -1);
    check(!isl_val_zero(ctx), "got through without time");
    check(pg_work_end(&late) && late, "that time was over was not noticed");
    isl_ctx_reset_error(ctx);
}

/* Nothing else comes where an object of isl was before it grew. */
static void check_growth(isl_ctx *ctx)
{
    enum { SMALL = 100, MANY = 1000 };
    char *object = isl_alloc_array(ctx, char, SMALL), *others[MANY];
    uintptr_t old = (uintptr_t)object;
    bool kept = true;

    memset(object, 7, SMALL);
    object = isl_realloc_array(ctx, object, char, 50 * SMALL);
    check((uintptr_t)object != old, "an object grows where it is");
    check(object[0] == 7 && object[SMALL - 1] == 7, "an object has changed");
    for (int i = 0; i < MANY; i++) {
        others[i] = malloc(SMALL);
        kept = kept && (uintptr_t)others[i] != old;
    }
    check(kept, "what has grown has left its place");
    for (int i = 0; i < MANY; i++)
        free(others[i]);
    for (int i = 1; i < MANY; i++)
        object = isl_realloc_array(ctx, object, char, 50 * SMALL + 100 * i);
    check(object[0] == 7 && object[SMALL - 1] == 7, "an object has changed");
    free(object);
}

int main(void)
{
    isl_ctx *ctx = pg_ctx_alloc();
    unsigned long narrow, wide;

    check_growth(ctx);
    check_numbers(ctx);
    narrow = cost_with(ctx, 0);
    wide = cost_with(ctx, 60);
    printf("work: %lu in short rows, %lu in long ones\n", narrow, wide);
    check(wide > 3 * narrow, "the length of rows does not count");
    check_limit(ctx);
    check_seconds(ctx);
    pg_ctx_free(ctx);
    return failures != 0;
}
