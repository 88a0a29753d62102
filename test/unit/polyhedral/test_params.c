/* test_params.c - parameters that the scheduler need not know: which ones are
 * left out, and that no dependence is lost by that.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/params.h"

#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <stdio.h>

static unsigned failures;

static void check(bool ok, const char *what, const char *of)
{
    if (ok)
        return;
    printf("FAIL %s: %s\n", of, what);
    failures++;
}

static const struct {
    const char *name, *domain, *order;
    const char *domain_after, *order_after;
} cases[] = {
    {"a flag, places that meet, and the length of rows",
     "[n, f, p, q, l] -> { S[i] : 0 <= i < n and f = 1; T[i] : 0 <= i < n and "
     "(f < 1 or f > 1) }",
     "[n, f, p, q, l] -> { S[i] -> S[j] : j > i and p = q and 0 <= p < l; "
     "T[i] -> T[i + 1] : f < 1 or f > 1 }",
     "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }",
     "{ S[i] -> S[j] : j > i; T[i] -> T[i + 1] }"},
    {"a parameter that a counter is compared with",
     "[n, k] -> { S[i] : 0 <= i < n }",
     "[n, k] -> { S[i] -> S[i + k] : k > 0 }",
     "[n, k] -> { S[i] : 0 <= i < n }",
     "[n, k] -> { S[i] -> S[i + k] : k > 0 }"},
    {"one in a quotient with a counter", "[n, m] -> { S[i] : 0 <= i < n }",
     "[n, m] -> { S[i] -> S[i + 1] : (i + m) mod 2 = 0 }",
     "[n, m] -> { S[i] : 0 <= i < n }",
     "[n, m] -> { S[i] -> S[i + 1] : (i + m) mod 2 = 0 }"},
    {"one in a quotient alone", "[m] -> { S[i] : 0 <= i < 9 }",
     "[m] -> { S[i] -> S[i + 1] : m mod 2 = 0 }", NULL, NULL},
    {"parameters in another order in each",
     "[a, b, n] -> { S[i] : 0 <= i < n and a < b }",
     "[n, b, a] -> { S[i] -> S[n - i] : a < b }",
     "[n] -> { S[i] : 0 <= i < n }", "[n] -> { S[i] -> S[n - i] }"},
    {"no parameters", "{ S[i] : 0 <= i < 9 }", "{ S[i] -> S[i + 1] }",
     "{ S[i] : 0 <= i < 9 }", "{ S[i] -> S[i + 1] }"},
    {"no dependences", "[n, m] -> { S[i] : 0 <= i < n and m > 3 }", "{ }",
     "[n] -> { S[i] : 0 <= i < n }", "{ }"},
};

static void test_case(isl_ctx *ctx, unsigned i)
{
    isl_union_set *domain = isl_union_set_read_from_str(ctx, cases[i].domain);
    isl_union_map *order = isl_union_map_read_from_str(ctx, cases[i].order);
    isl_union_set *domain_before = isl_union_set_copy(domain);
    isl_union_map *order_before = isl_union_map_copy(order);
    isl_union_map *near = isl_union_map_copy(order);

    pg_forget_params(&domain, &order, &near);
    check(isl_union_set_is_subset(domain_before, domain) == isl_bool_true,
          "instances are lost", cases[i].name);
    check(isl_union_map_is_subset(order_before, order) == isl_bool_true,
          "dependences are lost", cases[i].name);
    check(isl_union_map_is_equal(order, near) == isl_bool_true,
          "equal relations are not", cases[i].name);
    if (cases[i].domain_after) {
        isl_union_set *set =
            isl_union_set_read_from_str(ctx, cases[i].domain_after);
        isl_union_map *map =
            isl_union_map_read_from_str(ctx, cases[i].order_after);

        check(isl_union_set_is_equal(domain, set) == isl_bool_true,
              "other instances are expected", cases[i].name);
        check(isl_union_map_is_equal(order, map) == isl_bool_true,
              "other dependences are expected", cases[i].name);
        check(isl_union_set_dim(domain, isl_dim_param) ==
                  isl_union_set_dim(set, isl_dim_param),
              "other parameters are expected", cases[i].name);
        isl_union_set_free(set);
        isl_union_map_free(map);
    }
    isl_union_set_free(domain_before);
    isl_union_map_free(order_before);
    isl_union_set_free(domain);
    isl_union_map_free(order);
    isl_union_map_free(near);
}

int main(void)
{
    isl_ctx *ctx = pg_ctx_alloc();

    for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        test_case(ctx, i);
    pg_ctx_free(ctx);
    return failures != 0;
}
