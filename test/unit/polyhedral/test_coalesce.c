/* test_coalesce.c - joining pieces of sets changes no set.
 *
 * What isl's own function makes of them shows that the replacement is needed;
 * random sets are held against their conditions, computed here.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_set.h>
#include <isl/val.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

__isl_give isl_map *__real_isl_map_coalesce(__isl_take isl_map *map);

static unsigned failures;

static void expect(bool right, const char *what, const char *text)
{
    if (right)
        return;
    printf("FAIL %s: %s\n", what, text);
    failures++;
}

/* ---- Sets that isl joins wrongly ---------------------------------------- */

static const char *const wrong[] = {
    "{ [i] : 0 <= i <= 1 or (i mod 2 = 0 and 0 <= i <= 4) }",
    "{ [i] : 0 <= i <= 5 and (i mod 3 = 0 or i <= 1) }",
    "[n] -> { [i] : 0 <= i < n and (i mod 2 = 0 or i < 2) }",
    "[n] -> { [i, j] : 0 <= i < n and 0 <= j < n and (i mod 2 = 0 or i < 2) }",
    "{ [i, j] : 0 <= i, j <= 6 and (i + j <= 2 or (i + j) mod 4 <= 1) }",
    "[n] -> { : 0 <= n <= 1 or (n mod 2 = 0 and 0 <= n <= 4) }",
};

static bool isl_adds_elements(__isl_keep isl_set *set)
{
    isl_map *map = isl_map_from_range(isl_set_copy(set));
    isl_map *joined = __real_isl_map_coalesce(isl_map_copy(map));
    bool adds = isl_map_is_subset(map, joined) == isl_bool_true &&
                isl_map_is_subset(joined, map) == isl_bool_false;

    isl_map_free(map);
    isl_map_free(joined);
    return adds;
}

/* The pieces with value 1 in a function are joined by isl_pw_aff_coalesce. */
static bool joins_function(__isl_keep isl_set *set)
{
    isl_pw_aff *f = isl_pw_aff_empty(isl_space_add_dims(
        isl_space_from_domain(isl_set_get_space(set)), isl_dim_out, 1));
    isl_basic_set_list *list = isl_set_get_basic_set_list(set);
    isl_set *domain;
    bool right;

    for (isl_size i = 0; i < isl_basic_set_list_n_basic_set(list); ++i)
        f = isl_pw_aff_union_max(
            f, isl_pw_aff_val_on_domain(
                   isl_set_from_basic_set(isl_basic_set_list_get_at(list, i)),
                   isl_val_one(isl_set_get_ctx(set))));
    isl_basic_set_list_free(list);
    domain = isl_pw_aff_domain(isl_pw_aff_coalesce(f));
    right = isl_set_is_equal(domain, set) == isl_bool_true;
    isl_set_free(domain);
    return right;
}

static void check_wrong(isl_ctx *ctx, const char *text)
{
    isl_set *set = isl_set_read_from_str(ctx, text);
    isl_set *joined = isl_set_coalesce(isl_set_copy(set));
    isl_union_set *sets = isl_union_set_from_set(isl_set_copy(set));
    isl_union_set *all = isl_union_set_coalesce(isl_union_set_copy(sets));

    expect(isl_set_is_equal(joined, set) == isl_bool_true, "set", text);
    expect(isl_union_set_is_equal(all, sets) == isl_bool_true,
           "in isl: union set", text);
    if (isl_set_is_params(set) != isl_bool_true) {
        isl_map *map = isl_map_from_range(isl_set_copy(set));
        isl_map *less = isl_map_coalesce(isl_map_copy(map));

        expect(isl_adds_elements(set), "isl is right, nothing to replace",
               text);
        expect(isl_map_is_equal(less, map) == isl_bool_true, "map", text);
        expect(joins_function(set), "in isl: function", text);
        isl_map_free(map);
        isl_map_free(less);
    }
    isl_set_free(set);
    isl_set_free(joined);
    isl_union_set_free(sets);
    isl_union_set_free(all);
}

/* ---- As few pieces as can be -------------------------------------------- */

static void check_pieces(isl_ctx *ctx, const char *text, int pieces)
{
    isl_set *set = isl_set_read_from_str(ctx, text);
    isl_set *joined = isl_set_coalesce(isl_set_copy(set));

    expect(isl_set_n_basic_set(joined) == pieces, "number of pieces", text);
    expect(isl_set_is_equal(joined, set) == isl_bool_true, "pieces", text);
    isl_set_free(set);
    isl_set_free(joined);
}

/* ---- Random sets -------------------------------------------------------- */

enum { width = 14, height = 8, most_n = 2 };

struct atom {
    int i, j, n, constant, modulus, rest; /* of what, modulo what, compared */
    bool equal;                           /* or at most */
};

static int pick(int n)
{
    return rand() % n;
}

/* Conditions on few expressions meet more often: "like" is one. */
static struct atom random_atom(const struct atom *like)
{
    struct atom a = {pick(3), pick(3) - 1, pick(8) == 0, pick(3) - 1,
                     0,       0,           pick(3) == 0};

    if (pick(4)) {
        a.i = like->i;
        a.j = like->j;
        a.n = like->n;
    }
    a.modulus = pick(2) ? 2 + pick(4) : 0;
    a.rest = a.modulus ? pick(a.modulus) : pick(12);
    return a;
}

static bool holds(const struct atom *a, int i, int j, int n)
{
    int value = a->i * i + a->j * j + a->n * n + a->constant;

    if (a->modulus)
        value = (value % a->modulus + a->modulus) % a->modulus;
    return a->equal ? value == a->rest : value <= a->rest;
}

static int print_atom(char *to, const struct atom *a)
{
    int n =
        sprintf(to, "(%d i + %d j + %d n + %d)", a->i, a->j, a->n, a->constant);

    if (a->modulus)
        n += sprintf(to + n, " mod %d", a->modulus);
    return n + sprintf(to + n, a->equal ? " = %d" : " <= %d", a->rest);
}

struct pieces {
    unsigned n, n_atom[5];
    struct atom atoms[5][3];
};

static bool contains(const struct pieces *p, int i, int j, int n)
{
    for (unsigned k = 0; k < p->n; ++k) {
        bool all = true;

        for (unsigned a = 0; a < p->n_atom[k]; ++a)
            all = all && holds(&p->atoms[k][a], i, j, n);
        if (all)
            return true;
    }
    return false;
}

static isl_stat mark_point(__isl_take isl_point *point, void *user)
{
    bool (*seen)[height] = user;
    isl_val *i = isl_point_get_coordinate_val(point, isl_dim_set, 0);
    isl_val *j = isl_point_get_coordinate_val(point, isl_dim_set, 1);
    long x = isl_val_get_num_si(i), y = isl_val_get_num_si(j);
    bool inside = 0 <= x && x < width && 0 <= y && y < height;

    if (inside)
        seen[x][y] = true;
    isl_val_free(i);
    isl_val_free(j);
    isl_point_free(point);
    return inside ? isl_stat_ok : isl_stat_error;
}

/* Has "set" the points that the conditions say, for each n? */
static bool is_right(__isl_keep isl_set *set, const struct pieces *p)
{
    for (int n = 0; n <= most_n; ++n) {
        bool seen[width][height] = {{false}};
        isl_set *at = isl_set_fix_si(isl_set_copy(set), isl_dim_param, 0, n);
        bool right;

        at = isl_set_project_out(at, isl_dim_param, 0, 1);
        right = isl_set_foreach_point(at, &mark_point, seen) == isl_stat_ok;
        isl_set_free(at);
        for (int i = 0; i < width && right; ++i)
            for (int j = 0; j < height && right; ++j)
                right = seen[i][j] == contains(p, i, j, n);
        if (!right)
            return false;
    }
    return true;
}

static unsigned check_random(isl_ctx *ctx)
{
    struct pieces p = {.n = 2 + pick(3), .atoms = {{{.i = 1}}}};
    char text[2000];
    int at =
        sprintf(text, "[n] -> { [i, j] : 0 <= i < %d and 0 <= j < %d and (",
                width, height);
    isl_set *set, *joined;
    unsigned adds;

    for (unsigned k = 0; k < p.n; ++k) {
        p.n_atom[k] = 1 + pick(2);
        at += sprintf(text + at, k ? " or (" : "(");
        for (unsigned a = 0; a < p.n_atom[k]; ++a) {
            p.atoms[k][a] = random_atom(&p.atoms[0][0]);
            at += sprintf(text + at, a ? " and " : "");
            at += print_atom(text + at, &p.atoms[k][a]);
        }
        at += sprintf(text + at, ")");
    }
    sprintf(text + at, ") }");
    set = isl_set_read_from_str(ctx, text);
    joined = isl_set_coalesce(isl_set_copy(set));
    expect(is_right(set, &p), "the test itself", text);
    expect(is_right(joined, &p), "random set", text);
    adds = isl_adds_elements(set);
    isl_set_free(set);
    isl_set_free(joined);
    return adds;
}

int main(int argc, char **argv)
{
    isl_ctx *ctx = pg_ctx_alloc();
    const char *given = getenv("POLYGPU_SEED");
    unsigned seed = given ? strtoul(given, NULL, 0) : (unsigned)time(NULL);
    int rounds = argc > 1 ? atoi(argv[1]) : 300;
    unsigned adds = 0;

    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); ++i)
        check_wrong(ctx, wrong[i]);
    check_pieces(ctx, "{ [i] : 0 <= i <= 3 or 4 <= i <= 9 }", 1);
    check_pieces(ctx, "{ [i] : 0 <= i <= 1 or (i mod 2 = 0 and 0 <= i <= 4) }",
                 2);
    check_pieces(ctx,
                 "{ [i] : 0 <= i <= 1 or (i mod 2 = 0 and 0 <= i <= 4) or "
                 "10 <= i <= 12 or 13 <= i <= 17 }",
                 3);
    srand(seed);
    for (int i = 0; i < rounds; ++i)
        adds += check_random(ctx);
    printf("POLYGPU_SEED=%u: isl alone adds elements to %u of %d random sets\n",
           seed, adds, rounds);
    pg_ctx_free(ctx);
    printf(failures ? "%u failures\n" : "ok\n", failures);
    return failures != 0;
}
