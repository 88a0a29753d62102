/* test_small_params.c - SCoPs for parameters of ordinary size: what is left out
 * holds, or cannot hold, for each of them.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"

#include <isl/constraint.h>
#include <isl/schedule.h>
#include <isl/set.h>
#include <isl/union_set.h>
#include <isl/val.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned failures;

static void check(bool ok, const char *what, const char *of)
{
    if (ok)
        return;
    printf("FAIL %s: %s\n", of, what);
    failures++;
}

/* "set" for parameters n and m that the plan admits. */
static __isl_give isl_set *in_box(__isl_keep isl_set *set)
{
    char text[200];
    isl_set *box;

    snprintf(text, sizeof(text),
             "[n, m] -> { : -%lld <= n <= %lld and -%lld <= m <= %lld }",
             PG_MAX_PARAM, PG_MAX_PARAM, PG_MAX_PARAM, PG_MAX_PARAM);
    box = isl_set_read_from_str(isl_set_get_ctx(set), text);
    return isl_set_intersect_params(isl_set_copy(set), box);
}

static isl_stat has_no_large(__isl_take isl_constraint *constraint, void *user)
{
    isl_val *value = isl_val_abs(isl_constraint_get_constant_val(constraint));
    bool large = isl_val_cmp_si(value, 1LL << 48) > 0;

    (void)user;
    isl_val_free(value);
    isl_constraint_free(constraint);
    return large ? isl_stat_error : isl_stat_ok;
}

static isl_stat is_plain(__isl_take isl_basic_set *piece, void *user)
{
    isl_stat ok = isl_basic_set_foreach_constraint(piece, &has_no_large, user);

    isl_basic_set_free(piece);
    return ok;
}

/* Take "scop" for small parameters. */
static void make_small(struct pg_scop *scop)
{
    isl_union_set *domain;
    isl_set **own = &scop->stmts[0].domain;
    isl_space *space = isl_set_get_space(*own);

    scop->context = pg_small_params_set(scop->context);
    scop->original = pg_small_params_schedule(scop->original);
    domain = isl_schedule_get_domain(scop->original);
    isl_set_free(*own);
    *own = isl_union_set_extract_set(domain, space);
    isl_union_set_free(domain);
}

/* A SCoP with the condition "when" in its context and domain.  "pieces" are
 * left of it, 0 for as many as there are, without large constants.
 */
static void check_scop(const char *when, int pieces)
{
    char text[2000], *error = NULL;
    isl_ctx *ctx = pg_ctx_alloc();
    struct pg_scop *scop, *before;
    isl_set *were, *are;

    snprintf(
        text, sizeof(text),
        "scop \"f\" file \"f.c\" line 1\n"
        "param n \"n\"\nparam m \"m\"\n"
        "context \"[n, m] -> { : %s }\"\n"
        "array A \"a\" float 4 memory 1 live\n"
        "stmt S line 2 domain \"[n, m] -> { S[i] : 0 <= i < n and (%s) }\"\n"
        "  write must A \"[n, m] -> { S[i] -> A[i + m] }\"\n"
        "schedule \"{ domain: \\\"[n, m] -> { S[i] : 0 <= i < n and (%s) "
        "}\\\", child: { schedule: \\\"[n, m] -> [{ S[i] -> [(i)] }]\\\" } "
        "}\"\n",
        when, when, when);
    scop = pg_scop_read(ctx, text, &error);
    check(scop != NULL, error ? error : "not read", when);
    free(error);
    if (scop) {
        before = pg_scop_copy(scop);
        make_small(scop);
        were = in_box(before->context);
        are = in_box(scop->context);
        check(isl_set_is_equal(were, are) == isl_bool_true,
              "another context for small parameters", when);
        isl_set_free(were);
        isl_set_free(are);
        were = in_box(before->stmts[0].domain);
        are = in_box(scop->stmts[0].domain);
        check(isl_set_is_equal(were, are) == isl_bool_true,
              "another domain for small parameters", when);
        isl_set_free(were);
        isl_set_free(are);
        if (pieces > 0) {
            check(isl_set_n_basic_set(scop->context) == pieces &&
                      isl_set_n_basic_set(scop->stmts[0].domain) == pieces,
                  "pieces are left", when);
            check(isl_set_foreach_basic_set(scop->context, &is_plain, NULL) ==
                          isl_stat_ok &&
                      isl_set_foreach_basic_set(scop->stmts[0].domain,
                                                &is_plain, NULL) == isl_stat_ok,
                  "large constants are left", when);
        }
        pg_scop_free(before);
    }
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

int main(void)
{
    check_scop("true", 1);
    check_scop("n <= 9223372036854775807", 1);
    check_scop("0 <= m and m <= 9223372036854775807 - 8n", 1);
    check_scop("m >= 0 or m = -9223372036854775808", 1);
    check_scop("(0 <= m <= 9223372036854775805 and n > m) or "
               "(m = 9223372036854775806 and n >= 0)",
               1);
    check_scop("m <= 0 or m >= 2 or n = 4611686018427387904", 2);
    check_scop("exists (e : m = 3e) and m < 9223372036854775807", 1);
    // Nothing is left for small parameters.
    check_scop("n = 4611686018427387904", 0);
    // What small parameters do not imply stays, and what is just in reach.
    check_scop("m <= 9223372036854775807 - 1152921504606846976n", 0);
    check_scop("m <= 281474976710656", 0);
    check_scop("m < 281474976710656 or n > 281474976710656", 0);
    check_scop("m + n < 300000000000000", 0);
    if (failures == 0)
        printf("ok\n");
    return failures > 0;
}
