/* test_point_set.c - sets and relations at points, compared with isl's answers.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <polygpu/point_set.h>

#include <isl/ctx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned failures;

/* Of two parameters and two dimensions, all bounded for bounded parameters. */
static const char *const sets[] = {
    "[n, m] -> { S[i, j] : 0 <= i < n and 0 <= j < m }",
    "[n, m] -> { S[i, j] : 0 <= i < n and i <= j <= m }",
    "[n, m] -> { S[i, j] : 0 <= i < n and 0 <= j < m and i mod 3 = 1 }",
    "[n, m] -> { S[i, j] : 0 <= i < n and 0 <= j < m and "
    "(i mod 2 = 0 or i < 2) }",
    "[n, m] -> { S[i, j] : 0 <= i < n and 2j = i + m }",
    "[n, m] -> { S[i, j] : 0 <= i < n and j = floor((i + m) / 4) }",
    "[n, m] -> { S[i, j] : 0 <= i < n and j = floor((i + floor(i / 3)) / 2) }",
    "[n, m] -> { S[i, j] : exists (a, b : i = 3a + 5b and 0 <= a < n and "
    "0 <= b < m and j = a - b) }",
    "[n, m] -> { S[i, j] : -5 <= i - j <= m and 0 <= i + j <= n }",
    "[n, m] -> { S[i, j] : 0 <= i <= n and 0 <= j <= 2 and n >= m; "
    "S[i, j] : i = m and 1 <= j <= n }",
    "[n, m] -> { S[i, j] : 0 <= i < n and j = m and "
    "(i + 128) mod 256 >= 130 }",
    "[n, m] -> { S[i, j] : false }",
};

static bool isl_says(__isl_keep isl_set *set, const int64_t *params,
                     const int64_t *point)
{
    isl_set *at = isl_set_copy(set);
    bool inside;

    for (unsigned k = 0; k < 2; k++) {
        at = isl_set_fix_si(at, isl_dim_param, k, (int)params[k]);
        at = isl_set_fix_si(at, isl_dim_set, k, (int)point[k]);
    }
    inside = isl_set_is_empty(at) == isl_bool_false;
    isl_set_free(at);
    return inside;
}

static bool count_point(const int64_t *point, void *user)
{
    unsigned long *count = user;

    (void)point;
    ++*count;
    return true;
}

static void fail(const char *text, const int64_t *params, const char *what)
{
    printf("FAIL %s with n = %ld, m = %ld: %s\n", text, (long)params[0],
           (long)params[1], what);
    failures++;
}

/* All points of a box around the set, and how many are enumerated. */
static void compare(isl_ctx *ctx, const char *text, const int64_t *params)
{
    isl_set *set = isl_set_read_from_str(ctx, text);
    pg_point_set *points = pg_point_set_from_set(set);
    unsigned long inside = 0, visited = 0;
    int64_t p[2];

    for (p[0] = -6; p[0] <= 16; p[0]++)
        for (p[1] = -6; p[1] <= 16; p[1]++) {
            bool expected = isl_says(set, params, p);

            inside += expected;
            if (pg_point_set_contain(points, params, p) !=
                (expected ? isl_bool_true : isl_bool_false))
                fail(text, params, "another answer for a point");
        }
    if (pg_point_set_each(points, params, 0, NULL, 100000, &count_point,
                          &visited) == PG_POINT_SET_ALL) {
        if (visited != inside)
            fail(text, params, "another number of points");
    } else if (!strstr(text, "exists") && !strstr(text, "i + j")) {
        fail(text, params, "the points are not enumerated");
    }
    pg_point_set_free(points);
    isl_set_free(set);
}

/* Beyond what a difference of two numbers of 64 bits can be. */
static void extremes(isl_ctx *ctx)
{
    isl_set *set = isl_set_read_from_str(
        ctx, "[n] -> { S[i] : -9223372036854775808 <= i < n and "
             "(i + n) mod 18446744073709551616 <= 9223372036854775807 }");
    pg_point_set *points = pg_point_set_from_set(set);
    int64_t n = INT64_MAX, lowest = INT64_MIN, some = INT64_MAX - 1;

    if (pg_point_set_contain(points, &n, &lowest) != isl_bool_false ||
        pg_point_set_contain(points, &n, &some) != isl_bool_false) {
        printf("FAIL extremes\n");
        failures++;
    }
    pg_point_set_free(points);
    isl_set_free(set);
}

static bool keep_point(const int64_t *point, void *user)
{
    int64_t *kept = user;

    kept[0] = point[0];
    kept[1] = point[1];
    return false;
}

/* A relation with its first dimension given. */
static void relations(isl_ctx *ctx)
{
    isl_map *map = isl_map_read_from_str(
        ctx, "[n] -> { S[i] -> A[x] : x = n - 1 - i and 0 <= i < n }");
    pg_point_set *points = pg_point_set_from_map(map);
    int64_t n = 7, i = 2, kept[2] = {0, 0};

    if (pg_point_set_each(points, &n, 1, &i, 100, &keep_point, kept) !=
            PG_POINT_SET_STOPPED ||
        kept[0] != 2 || kept[1] != 4) {
        printf("FAIL relations\n");
        failures++;
    }
    i = 7;
    if (pg_point_set_each(points, &n, 1, &i, 100, &keep_point, kept) !=
        PG_POINT_SET_ALL) {
        printf("FAIL relations: a point outside of the domain\n");
        failures++;
    }
    pg_point_set_free(points);
    isl_map_free(map);
}

static void unbounded(isl_ctx *ctx)
{
    isl_set *set = isl_set_read_from_str(ctx, "{ S[i] : i >= 0 }");
    pg_point_set *points = pg_point_set_from_set(set);
    unsigned long count = 0;

    if (pg_point_set_each(points, NULL, 0, NULL, 1000, &count_point, &count) !=
        PG_POINT_SET_UNKNOWN) {
        printf("FAIL unbounded\n");
        failures++;
    }
    pg_point_set_free(points);
    isl_set_free(set);
}

int main(void)
{
    isl_ctx *ctx = isl_ctx_alloc();
    static const int64_t values[] = {-3, 1, 4, 7};

    for (size_t k = 0; k < sizeof(sets) / sizeof(*sets); k++)
        for (size_t n = 0; n < 4; n++)
            for (size_t m = 0; m < 4; m++)
                compare(ctx, sets[k], (int64_t[]){values[n], values[m]});
    extremes(ctx);
    relations(ctx);
    unbounded(ctx);
    isl_ctx_free(ctx);
    printf("%u failures\n", failures);
    return failures != 0;
}
