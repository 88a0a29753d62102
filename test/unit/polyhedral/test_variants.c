/* test_variants.c - SCoPs with private arrays and split statements: what they
 * are, that the values still flow from where they flowed, and what is refused.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"
#include "run.h"
#include "schedule/expand.h"
#include "schedule/hand_on.h"
#include "schedule/split.h"
#include "scop/scop.h"
#include "support/text.h"
#include "verify/interpreter.h"
#include "verify/model.h"
#include "verify/run.h"

#include <isl/ilp.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

static unsigned failures;

static void complain(const char *program, const char *what)
{
    printf("FAIL %s: %s\n", program, what);
    failures++;
}

static void check(bool ok, const char *program, const char *what)
{
    if (!ok)
        complain(program, what);
}

/* The SCoP in "text" (freed here), with its dependences. */
static struct pg_scop *read_text(isl_ctx *ctx, const char *name, char *text)
{
    char *error = NULL;
    struct pg_scop *scop = text ? pg_scop_read(ctx, text, &error) : NULL;
    struct pg_report report;

    pg_report_init(&report);
    if (!scop) {
        complain(name, error ? error : "no such program");
        exit(1);
    }
    if (pg_dependences(scop, NULL, &report) != isl_stat_ok)
        complain(name, "no dependences");
    pg_report_clear(&report);
    free(text);
    return scop;
}

static struct pg_scop *read_scop(isl_ctx *ctx, const char *name)
{
    return read_text(ctx, name, read_program(name));
}

/* "text" (freed here) with "to" for every "from". */
static char *replaced(char *text, const char *from, const char *to)
{
    char *result = calloc(1 << 20, 1), *at = result;
    const char *rest = text, *next;

    while ((next = strstr(rest, from))) {
        memcpy(at, rest, (size_t)(next - rest));
        at += next - rest;
        strcpy(at, to);
        at += strlen(to);
        rest = next + strlen(from);
    }
    strcpy(at, rest);
    free(text);
    return result;
}

/* The value of "expr" for "values" of the parameters. */
static long value_at(const struct pg_scop *scop, isl_pw_aff *expr,
                     const long long *values)
{
    isl_set *point = isl_set_universe(isl_set_get_space(scop->context));
    isl_val *value;
    long result;

    for (unsigned p = 0; p < scop->n_param; p++)
        point = isl_set_fix_si(point, isl_dim_param, p, (int)values[p]);
    expr = isl_pw_aff_intersect_params(isl_pw_aff_copy(expr), point);
    value = isl_pw_aff_max_val(expr);
    result =
        isl_val_is_int(value) == isl_bool_true ? isl_val_get_num_si(value) : -1;
    isl_val_free(value);
    return result;
}

/* The temporaries of "scop", like "x_private of x[3][5]", and " back" if a
 * statement copies it to its place.
 */
static char *temporaries(const struct pg_scop *scop, const long long *values)
{
    char *text = calloc(1000, 1);

    for (unsigned a = 0; a < scop->n_array; a++) {
        const struct pg_array *array = &scop->arrays[a];

        if (array->kind != PG_ARRAY_TEMPORARY)
            continue;
        sprintf(text + strlen(text), "%s%s of %s", *text ? ", " : "",
                array->name, scop->arrays[array->origin].name);
        for (unsigned d = 0; d < array->n_dim; d++)
            sprintf(text + strlen(text), "[%ld]",
                    value_at(scop, array->extent[d], values));
        for (unsigned s = 0; s < scop->n_stmt; s++)
            if (scop->stmts[s].kind && scop->stmts[s].accesses[0].array == a)
                strcat(text, " back");
    }
    return text;
}

/* { part[i] -> whole[i] } for the statements of "variant" that are of the
 * source.
 */
static isl_union_map *to_source(const struct pg_scop *variant)
{
    isl_union_map *all =
        isl_union_map_empty(isl_set_get_space(variant->context));

    for (unsigned s = 0; s < variant->n_stmt; s++) {
        const struct pg_stmt *stmt = &variant->stmts[s];
        isl_space *space = isl_set_get_space(stmt->domain);
        isl_map *map = isl_map_identity(isl_space_map_from_set(space));

        map = isl_map_set_tuple_name(map, isl_dim_out,
                                     variant->stmts[stmt->origin].name);
        map = isl_map_intersect_domain(map, isl_set_copy(stmt->domain));
        if (stmt->kind)
            isl_map_free(map);
        else
            all = isl_union_map_add_map(all, map);
    }
    return all;
}

/* "order" of "variant" between instances of the source. */
static isl_union_map *as_of_source(const struct pg_scop *variant,
                                   isl_union_map *order)
{
    isl_union_map *map = to_source(variant);

    order = isl_union_map_apply_domain(isl_union_map_copy(order),
                                       isl_union_map_copy(map));
    return isl_union_map_apply_range(order, map);
}

static bool same_order(const struct pg_scop *variant, isl_union_map *theirs,
                       isl_union_map *ours)
{
    isl_union_map *map = as_of_source(variant, theirs);
    bool same = isl_union_map_is_equal(map, ours) == isl_bool_true;

    isl_union_map_free(map);
    return same;
}

/* The instances of "variant" are those of "source", each once. */
static void check_instances(const char *name, const struct pg_scop *source,
                            const struct pg_scop *variant)
{
    isl_union_map *map = isl_union_map_intersect_params(
        to_source(variant), isl_set_copy(source->context));
    isl_union_set *instances = isl_union_map_range(isl_union_map_copy(map));
    isl_union_set *domain = pg_scop_domain(source);

    check(isl_union_map_is_injective(map) == isl_bool_true, name,
          "an instance is in two parts");
    check(isl_union_set_is_equal(instances, domain) == isl_bool_true, name,
          "not the same instances");
    isl_union_set_free(instances);
    isl_union_set_free(domain);
    isl_union_map_free(map);
}

/* What the host gets, without arrays that are dead after. */
static isl_union_set *living(const struct pg_scop *scop)
{
    isl_union_set *all = isl_union_set_copy(scop->live_out);

    for (unsigned a = 0; a < scop->n_array; a++) {
        isl_space *space = isl_set_get_space(scop->context);

        space = isl_space_add_named_tuple_id_ui(
            isl_space_params(space),
            isl_id_alloc(scop->ctx, scop->arrays[a].name, NULL),
            scop->arrays[a].n_dim);
        if (scop->arrays[a].dead_after)
            all = isl_union_set_subtract(
                all, isl_union_set_from_set(isl_set_universe(space)));
        else
            isl_space_free(space);
    }
    return all;
}

/* What holds for every variant: the arrays of the source come first, then only
 * temporaries; the statements of the source, then only parts and copies; every
 * value is read by the instances that read it before, and the same elements
 * are moved.
 */
static void check_variant(const char *name, const struct pg_scop *source,
                          struct pg_scop *variant)
{
    isl_union_set *theirs, *ours;
    struct pg_report report;

    pg_report_init(&report);
    if (pg_dependences(variant, NULL, &report) != isl_stat_ok)
        complain(name, "no dependences of the variant");
    pg_report_clear(&report);
    for (unsigned a = 0; a < variant->n_array; a++) {
        const struct pg_array *array = &variant->arrays[a];
        const struct pg_array *origin = &source->arrays[array->origin];

        check(array->origin < source->n_array, name, "a wrong origin");
        check(!strcmp(array->type, origin->type) &&
                  array->elem_size == origin->elem_size &&
                  !strcmp(array->source_name, origin->source_name),
              name, "elements of another kind");
        if (a < source->n_array)
            check(array->origin == a && !strcmp(array->name, origin->name),
                  name, "an array of the source is another one");
        else
            check(array->kind == PG_ARRAY_TEMPORARY && array->dead_after &&
                      origin->kind != PG_ARRAY_TEMPORARY,
                  name, "a new array is no temporary");
    }
    for (unsigned s = 0; s < variant->n_stmt; s++) {
        const struct pg_stmt *stmt = &variant->stmts[s];

        if (s < source->n_stmt)
            check(stmt->origin == s && !stmt->kind &&
                      !strcmp(stmt->name, source->stmts[s].name),
                  name, "a statement of the source is another one");
        else
            check(stmt->kind ? stmt->origin == s
                             : stmt->origin < source->n_stmt &&
                                   stmt->n_access ==
                                       source->stmts[stmt->origin].n_access,
                  name, "a new statement is neither a part nor a copy");
    }
    check_instances(name, source, variant);
    check(same_order(variant, variant->raw, source->raw), name,
          "values flow in another way");
    check(isl_union_set_is_equal(variant->live_in, source->live_in) ==
              isl_bool_true,
          name, "other elements are live in");
    theirs = living(variant);
    ours = living(source);
    check(isl_union_set_is_equal(theirs, ours) == isl_bool_true, name,
          "other elements are live out");
    isl_union_set_free(theirs);
    isl_union_set_free(ours);
}

/* ---- Private arrays -------------------------------------------------------
 */

/* Programs, the temporaries that they get for two sets of parameters, and what
 * pg_compile makes of them: the parallel dimensions of the kernels, most first,
 * 0 for one thread.
 */
static const struct {
    const char *name;
    struct {
        long long values[3];
        const char *temporaries; /* NULL: nothing is expanded */
    } with[2];
    const char *dims; /* NULL: refused */
} expansions[] = {
    {"private_dead",
     {{{7, 5}, "x_private of x[7][5]"}, {{2, 9}, "x_private of x[2][9]"}},
     "2"},
    {"private_live",
     {{{7, 5}, "x_private of x[7][5] back"},
      {{2, 9}, "x_private of x[2][9] back"}},
     "20"},
    {"doitgen",
     {{{4, 5}, "sum_private of sum[4][4][5] back"},
      {{6, 1}, "sum_private of sum[6][6][1] back"}},
     "331"},
    {"private_time",
     {{{4, 5}, "x_private of x[5][5]"}, {{1, 3}, "x_private of x[3][3]"}},
     "2"},
    {"row_recurrence",
     {{{7, 5}, "y_private of y[7]"}, {{1, 3}, "y_private of y[1]"}},
     "1"},
    {"private_some",
     {{{7, 5}, "x_private of x[5] back"}, {{3, 9}, "x_private of x[3] back"}},
     "10"},
    {"private_triangle",
     {{{7}, "x_private of x[7][7] back"}, {{2}, "x_private of x[2][2] back"}},
     "20"},
    {"private_from_up",
     {{{7, 2}, "x_private of x[7]"}, {{9, 8}, "x_private of x[9]"}},
     "1"},
    {"private_two",
     {{{7, 5}, "u_private of u[7][5], x_private of x[7][5] back"},
      {{1, 2}, "u_private of u[1][2], x_private of x[1][2] back"}},
     "220"},
    {"private_part",
     {{{7, 5}, "u_private of u[5][5] back"},
      {{3, 8}, "u_private of u[3][8] back"}},
     "221"},
    {"private_small",
     {{{7, 5}, "t_private of t[7][5][8]"}, {{1, 2}, "t_private of t[1][2][8]"}},
     "32"},
    {"gramschmidt",
     {{{7, 5}, "nrm_private of nrm[5]"}, {{1, 2}, "nrm_private of nrm[2]"}},
     "221110"},
    {"crossing", {{{5}, NULL}, {{9}, NULL}}, "1"},
    {"crossing_some", {{{5}, NULL}, {{9}, NULL}}, NULL},
    {"crossing_inside", {{{5}, NULL}, {{9}, NULL}}, "10"},
    {"crossing_row",
     {{{7, 5}, "x_private of x[7] back"}, {{1, 3}, "x_private of x[1] back"}},
     "10"},
    {"read_first", {{{5}, NULL}, {{9}, NULL}}, NULL},
    {"private_below", {{{5}, NULL}, {{9}, NULL}}, NULL},
    {"private_from", {{{5, 1}, NULL}, {{9, 2}, NULL}}, NULL},
    {"recurrence", {{{5}, NULL}, {{9}, NULL}}, NULL},
    {"gemm", {{{5, 5, 5}, NULL}, {{9, 1, 1}, NULL}}, "2"},
};

static int compare_chars(const void *a, const void *b)
{
    return *(const char *)b - *(const char *)a;
}

/* The parallel dimensions of the kernels for "scop". */
static void check_dims(const char *name, struct pg_scop *scop, const char *dims)
{
    struct pg_report report;
    struct pg_plan *plan;
    char found[64] = "";

    pg_report_init(&report);
    plan = pg_compile(scop, NULL, &report);
    for (unsigned k = 0; plan && k < plan->n_kernel && k < 63; k++)
        found[k] = (char)('0' + (plan->kernels[k].parallel
                                     ? plan->kernels[k].n_parallel
                                     : 0));
    qsort(found, strlen(found), 1, &compare_chars);
    if (!plan != !dims || (plan && strcmp(found, dims))) {
        printf("  %s instead of %s\n", plan ? found : "refused", dims);
        complain(name, "wrong kernels");
    }
    pg_plan_free(plan);
    pg_report_clear(&report);
}

/* Does "scop" use an array that has a temporary, but in a copy? */
static bool uses_expanded(const struct pg_scop *scop)
{
    bool uses = false;

    for (unsigned a = 0; a < scop->n_array; a++)
        for (unsigned s = 0; s < scop->n_stmt; s++)
            for (unsigned i = 0; i < scop->stmts[s].n_access; i++)
                uses |=
                    scop->arrays[a].kind == PG_ARRAY_TEMPORARY &&
                    !scop->stmts[s].kind &&
                    scop->stmts[s].accesses[i].array == scop->arrays[a].origin;
    return uses;
}

static void check_expansion(unsigned e)
{
    const char *name = expansions[e].name;
    isl_ctx *ctx = pg_ctx_alloc();
    struct pg_scop *scop = read_scop(ctx, name), *variant;

    variant = pg_scop_expand(scop);
    if (!variant != !expansions[e].with[0].temporaries)
        complain(name, variant ? "expanded" : "not expanded");
    for (unsigned i = 0; variant && i < 2; i++) {
        const char *want = expansions[e].with[i].temporaries;
        char *have = temporaries(variant, expansions[e].with[i].values);

        if (want && strcmp(have, want)) {
            printf("  %s instead of %s\n", have, want);
            complain(name, "other temporaries");
        }
        free(have);
    }
    if (variant) {
        check_variant(name, scop, variant);
        check(!uses_expanded(variant), name, "an expanded array is used");
    }
    pg_scop_free(variant);
    check_dims(name, scop, expansions[e].dims);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* ---- Values handed on ------------------------------------------------------
 */

/* Programs, and the temporaries of what iterations hand on to the next one. */
static const struct {
    const char *name;
    const char *from, *to; /* or NULL: exchanged in the text */
    long long values[3];
    const char *temporaries; /* NULL: nothing is handed on */
} handings[] = {
    {"crossing", NULL, NULL, {5}, "x_handed of x[6]"},
    {"crossing",
     "S2[i] -> x[] }",
     "S2[i] -> x[] : i > 2 }",
     {5},
     "x_handed of x[6]"},
    {"crossing_inside", NULL, NULL, {5}, "x_handed of x[6]"},
    {"crossing_some", NULL, NULL, {5}, NULL},
    {"crossing_row", NULL, NULL, {7, 5}, NULL},
    {"read_first", NULL, NULL, {5}, NULL},
    {"recurrence", NULL, NULL, {5}, NULL},
    {"handed_rows", NULL, NULL, {4, 5}, "x_handed of x[4][6]"},
    {"handed_rows", "-> a[t, i] ", "-> a[0, i] ", {4, 5}, "x_handed of x[6]"},
};

static void check_handing(unsigned h)
{
    const char *name = handings[h].name, *want = handings[h].temporaries;
    isl_ctx *ctx = pg_ctx_alloc();
    struct pg_scop *scop, *variant;
    struct pg_report report;
    char *text = read_program(name), *have;

    if (handings[h].from)
        text = replaced(text, handings[h].from, handings[h].to);
    scop = read_text(ctx, name, text);
    pg_report_init(&report);
    if (pg_dependences(scop, NULL, &report) != isl_stat_ok)
        complain(name, "no dependences");
    pg_report_clear(&report);
    variant = pg_scop_hand_on(scop);
    have = variant ? temporaries(variant, handings[h].values) : NULL;
    if (!have != !want || (want && strcmp(have, want))) {
        printf("  %s instead of %s\n", have ? have : "none", want);
        complain(name, "other copies of what is handed on");
    }
    if (variant)
        check_variant(name, scop, variant);
    free(have);
    pg_scop_free(variant);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* A temporary does not take the name of another array. */
static void check_name(void)
{
    static const long long values[] = {2, 3};
    isl_ctx *ctx = pg_ctx_alloc();
    char *text = read_program("private_dead"), *have;
    struct pg_scop *scop, *variant;

    text = replaced(text, "array b ", "array x_private ");
    text = replaced(text, "must b ", "must x_private ");
    text = replaced(text, "-> b[", "-> x_private[");
    scop = read_text(ctx, "name", text);
    variant = pg_scop_expand(scop);
    have = variant ? temporaries(variant, values) : NULL;
    check(have && !strcmp(have, "x_private2 of x[2][3]"), "name", have);
    free(have);
    pg_scop_free(variant);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* The temporary for a scalar of "size" bytes in loops over "domain", or NULL:
 * with "context", beside an array with extents n and m.
 */
static char *expand_in(const char *context, const char *domain, unsigned size)
{
    static const char pattern[] =
        "scop \"f\" file \"f.c\" line 1\nparam n \"n\"\nparam m \"m\"\n"
        "context \"[n, m] -> { : %s }\"\n"
        "array a \"a\" char 1 memory 2 live extent 1 \"[n, m] -> { [(m)] }\"\n"
        "array x \"x\" float %u memory 0 dead\n"
        "stmt S line 1 domain \"[n, m] -> { S[i, j] : 0 <= i < n and 0 <= j < "
        "m }\"\n"
        "  write must a \"[n, m] -> { S[i, j] -> a[i, j] }\"\n"
        "stmt T line 2 domain \"[n, m] -> { T[i, j, k] : %s }\"\n"
        "  write must x \"[n, m] -> { T[i, j, k] -> x[] }\"\n"
        "schedule \"{ domain: \\\"[n, m] -> { S[i, j] : 0 <= i < n and "
        "0 <= j < m; T[i, j, k] : %s }\\\", child: { sequence: [ { filter: "
        "\\\"{ S[i, j] }\\\", child: { schedule: \\\"[{ S[i, j] -> [(i)] }, "
        "{ S[i, j] -> [(j)] }]\\\" } }, { filter: \\\"{ T[i, j, k] }\\\", "
        "child: { schedule: \\\"[{ T[i, j, k] -> [(i)] }, { T[i, j, k] -> "
        "[(j)] }, { T[i, j, k] -> [(k)] }]\\\" } } ] } }\"\n";
    static const long long values[] = {100, 30};
    isl_ctx *ctx = pg_ctx_alloc();
    char *text = calloc(1, sizeof(pattern) + 2000), *result;
    struct pg_scop *scop, *variant;
    struct pg_report report;

    snprintf(text, sizeof(pattern) + 2000, pattern, context, size, domain,
             domain);
    scop = read_text(ctx, "memory", text);
    pg_report_init(&report);
    if (pg_dependences(scop, NULL, &report) != isl_stat_ok)
        complain("memory", "no dependences");
    pg_report_clear(&report);
    variant = pg_scop_expand(scop);
    result = variant ? temporaries(variant, values) : NULL;
    pg_scop_free(variant);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
    return result;
}

/* How large temporaries may be. */
static void check_memory(void)
{
    static const struct {
        const char *context, *domain;
        unsigned size;
        const char *temporary;
    } cases[] = {
        /* As large as the array, in this or the other order. */
        {"", "0 <= i < n and 0 <= j < m and k = 0", 4, "[100][30][1]"},
        {"", "0 <= i < m and 0 <= j < n and k = 0", 4, "[30][100][1]"},
        /* A row or column too many: the inner loops go, else the outer. */
        {"", "0 <= i <= n and 0 <= j < m and k = 0", 4, "[30][1]"},
        {"", "0 <= i < n and 0 <= j <= m and k = 0", 4, "[100]"},
        {"", "0 <= i < n and 0 <= j < n and k = 0", 4, "[100]"},
        {"m <= n", "0 <= i < m and 0 <= j < m and k = 0", 4, "[30][30][1]"},
        /* A small factor. */
        {"", "0 <= i < n and 0 <= j < m and 0 <= k < 16", 4, "[100][30][16]"},
        {"", "0 <= i < n and 0 <= j < m and 0 <= k < 17", 4, "[100][30]"},
        {"", "0 <= i < 4 and 0 <= j < m and 0 <= k < 4", 4, "[4][30][4]"},
        {"n > 16", "0 <= i < 4 and 0 <= j < m and 0 <= k < 17", 4,
         "[4][30][17]"},
        {"", "0 <= i < 4 and 0 <= j < m and 0 <= k < 5", 4, "[4][30]"},
        /* A mebibyte, of elements of some size. */
        {"", "0 <= i < 512 and 0 <= j < 512 and k = 0", 4, "[512][512][1]"},
        {"", "0 <= i < 512 and 0 <= j < 512 and k = 0", 8, "[512]"},
        {"", "0 <= i < 513 and 0 <= j < 512 and k = 0", 4, "[513]"},
        {"", "0 <= i < 500 and 0 <= j < 500 and 0 <= k < 500", 4, "[500][500]"},
        {"", "0 <= i < 1099511627776 and 0 <= j < 4 and k = 0", 4, "[4][1]"},
        /* No lower bound, or below zero. */
        {"", "m <= i < n and 0 <= j < 3 and k = 0", 4, "[3][1]"},
        {"m >= 0", "m <= i < n and 0 <= j < 3 and k = 0", 4, "[100][3][1]"},
        {"", "0 <= i < n and 0 <= j < m and -1 <= k <= 0", 4, "[100][30]"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char *have =
            expand_in(cases[i].context, cases[i].domain, cases[i].size);
        const char *extents = have ? strchr(have, '[') : NULL;

        if (!have != !cases[i].temporary ||
            (extents && strcmp(extents, cases[i].temporary))) {
            printf("  %s: %s\n", cases[i].domain, have ? have : "none");
            complain("memory", "another temporary");
        }
        free(have);
    }
}

/* ---- Split statements -----------------------------------------------------
 */

/* Programs, how many statements they have when split (0: they are not), and
 * the parallel dimensions of the kernels as above.
 */
static const struct {
    const char *name;
    unsigned n_stmt;
    const char *dims;
} splits[] = {
    {"floyd_warshall", 9, "22221110"},
    {"pivot_vector", 3, "110"},
    {"pivot_two", 5, "1100"},
    {"pivot_behind", 3, "110"},
    {"pivot_three", 0, NULL},
    {"pivot_row", 3, "1"},
    {"vector_add", 0, "1"},
    {"gemm", 3, "2"},
    {"seidel_5", 0, "1"},
    {"recurrence", 0, NULL},
    {"mirrored", 3, "1"},
};

static void check_split(unsigned i)
{
    const char *name = splits[i].name;
    isl_ctx *ctx = pg_ctx_alloc();
    struct pg_scop *scop = read_scop(ctx, name), *variant;

    variant = pg_scop_split(scop);
    if (variant ? variant->n_stmt != splits[i].n_stmt : splits[i].n_stmt) {
        printf("  %u instead of %u\n", variant ? variant->n_stmt : 0,
               splits[i].n_stmt);
        complain(name, "another number of statements");
    }
    if (variant) {
        check_variant(name, scop, variant);
        check(same_order(variant, variant->war, scop->war) &&
                  same_order(variant, variant->waw, scop->waw),
              name, "another order");
    }
    pg_scop_free(variant);
    check_dims(name, scop, splits[i].dims);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* All of "n" matrices in the loops of Floyd and Warshall, as a text. */
static char *many_pivots(unsigned n)
{
    struct pg_text text = {0};

    pg_text_add(&text, "scop \"f\" file \"f.c\" line 1\nparam n \"n\"\n"
                       "context \"[n] -> { : }\"\n");
    for (unsigned i = 0; i < n; i++)
        pg_text_add(&text,
                    "array p%u \"p\" int 4 memory 2 live extent 1 \"[n] -> { "
                    "[(n)] }\"\n",
                    i);
    for (unsigned i = 0; i < n; i++)
        pg_text_add(&text,
                    "stmt S%u line 2 domain \"[n] -> { S%u[k, i, j] : 0 <= k < "
                    "n and 0 <= i < n and 0 <= j < n }\"\n"
                    "  read must p%u \"[n] -> { S%u[k, i, j] -> p%u[i, k] }\"\n"
                    "  read must p%u \"[n] -> { S%u[k, i, j] -> p%u[k, j] }\"\n"
                    "  write must p%u \"[n] -> { S%u[k, i, j] -> p%u[i, j] }"
                    "\"\n",
                    i, i, i, i, i, i, i, i, i, i, i);
    pg_text_add(&text, "schedule \"{ domain: \\\"[n] -> {");
    for (unsigned i = 0; i < n; i++)
        pg_text_add(&text,
                    "%s S%u[k, i, j] : 0 <= k < n and 0 <= i < n and 0 <= j < "
                    "n",
                    i ? ";" : "", i);
    pg_text_add(&text, " }\\\", child: { schedule: \\\"[n] -> [");
    for (unsigned d = 0; d < 3; d++) {
        pg_text_add(&text, "%s{", d ? ", " : "");
        for (unsigned i = 0; i < n; i++)
            pg_text_add(&text, "%s S%u[k, i, j] -> [(%c)]", i ? ";" : "", i,
                        "kij"[d]);
        pg_text_add(&text, " }");
    }
    pg_text_add(&text, "]\\\" } }\"\n");
    return pg_text_take(&text);
}

/* At most so many statements come out. */
static void check_statements(void)
{
    for (unsigned n = 1; n <= 4; n++) {
        isl_ctx *ctx = pg_ctx_alloc();
        struct pg_scop *scop = read_text(ctx, "statements", many_pivots(n));
        struct pg_scop *variant = pg_scop_split(scop);
        unsigned want = n < 4 ? 9 * n : 0;

        check((variant ? variant->n_stmt : 0) == want, "statements",
              "another number of statements");
        if (variant)
            check_variant("statements", scop, variant);
        pg_scop_free(variant);
        pg_scop_free(scop);
        pg_ctx_free(ctx);
    }
}

/* Parts of a copy statement are copy statements. */
static void check_copy_split(void)
{
    isl_ctx *ctx = pg_ctx_alloc();
    char *text = read_program("pivot_vector");
    struct pg_scop *scop, *variant;

    text = replaced(text, "line 5 domain", "line 5 copy domain");
    text =
        replaced(text, "  read must a \"[n] -> { S0[k, i] -> a[i] }\"\n", "");
    scop = read_text(ctx, "copy", text);
    variant = pg_scop_split(scop);
    check(variant && variant->n_stmt == 3, "copy", "not split");
    for (unsigned s = 0; variant && s < variant->n_stmt; s++)
        check(variant->stmts[s].kind && variant->stmts[s].origin == s, "copy",
              "a part is no copy");
    pg_scop_free(variant);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* ---- What pg_schedule does with variants -----------------------------------
 */

/* With few operations there may be no variant, or no plan; what there is,
 * is right.
 */
static void check_quota(const char *name, const long long *values)
{
    unsigned with = 0, without = 0, none = 0;

    for (unsigned long n = 100; n < 4000000; n += n / 2) {
        isl_ctx *ctx = pg_ctx_alloc();
        struct pg_scop *scop = read_scop(ctx, name);
        struct pg_scop *source = read_scop(ctx, name);
        struct pg_options options;
        struct pg_report report;
        struct run_result result;
        struct pg_plan *plan;
        char *error;

        pg_options_default(&options);
        options.max_operations = n;
        pg_report_init(&report);
        plan = pg_compile(scop, &options, &report);
        error = plan ? run_and_compare_with(source, plan, values, 2, &result)
                     : NULL;
        if (error)
            complain(name, error);
        free(error);
        check(plan || report.n == 1, name, "no plan and not one reason");
        none += !plan;
        if (scop->n_stmt + scop->n_array == source->n_stmt + source->n_array)
            without += plan != NULL;
        else
            with += plan != NULL;
        pg_plan_free(plan);
        pg_report_clear(&report);
        pg_scop_free(scop);
        pg_scop_free(source);
        pg_ctx_free(ctx);
    }
    check(none && with, name, "the quota made no difference");
    printf("%s: %u times none, %u plain, %u variants\n", name, none, without,
           with);
}

/* The schedule of "name" as a user would save it; with "broken", one that
 * copies first.
 */
static char *save(isl_ctx *ctx, const char *name, bool broken)
{
    struct pg_scop *scop = read_scop(ctx, name);
    isl_schedule *schedule = NULL, *rest;
    isl_union_set *copies;
    struct pg_report report;
    char *text;

    pg_report_init(&report);
    if (pg_schedule(scop, NULL, &report) == isl_stat_ok)
        schedule = isl_schedule_copy(scop->schedule);
    if (broken) {
        copies = isl_union_set_from_set(
            isl_set_copy(scop->stmts[scop->n_stmt - 1].domain));
        rest = isl_schedule_intersect_domain(
            isl_schedule_copy(schedule),
            isl_union_set_subtract(pg_scop_domain(scop),
                                   isl_union_set_copy(copies)));
        schedule = isl_schedule_sequence(
            isl_schedule_intersect_domain(schedule, copies), rest);
    }
    text = isl_schedule_to_str(schedule);
    isl_schedule_free(schedule);
    pg_report_clear(&report);
    pg_scop_free(scop);
    return text;
}

/* A schedule that was saved for a variant is found to be for that. */
static void check_given(const char *name, const char *part)
{
    isl_ctx *ctx = pg_ctx_alloc();
    char *saved = save(ctx, name, part != NULL);
    struct pg_scop *scop = read_scop(ctx, name);
    struct pg_options options;
    struct pg_report report;
    isl_stat result;

    pg_options_default(&options);
    options.schedules = saved;
    pg_report_init(&report);
    result = pg_schedule(scop, &options, &report);
    if (!part && result != isl_stat_ok)
        complain(name, report.n ? report.reasons[0].sentence : "no reason");
    if (part && (result == isl_stat_ok || report.n != 1 ||
                 !strstr(report.reasons[0].sentence, part)))
        complain(name, report.n ? report.reasons[0].sentence : "no reason");
    if (result == isl_stat_ok) {
        isl_schedule *wanted = isl_schedule_read_from_str(ctx, saved);
        isl_union_map *want = isl_schedule_get_map(wanted);
        isl_union_map *have = isl_schedule_get_map(scop->schedule);

        check(isl_union_map_is_equal(want, have) == isl_bool_true, name,
              "another schedule");
        isl_union_map_free(want);
        isl_union_map_free(have);
        isl_schedule_free(wanted);
    }
    free(saved);
    pg_report_clear(&report);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* ---- Overlapping tiles --------------------------------------------------- */

/* The SCoP that the text of "scop" is, which isl may have made simpler. */
static struct pg_scop *reread(const struct pg_scop *scop, const char *name)
{
    char *text = pg_scop_to_str(scop), *error = NULL;
    struct pg_scop *copy = pg_scop_read(scop->ctx, text, &error);

    check(copy, name, error ? error : "no SCoP");
    free(error);
    free(text);
    return copy;
}

/* The text of a SCoP says what is of tiles and blocks. */
static void check_text(const struct pg_scop *scop, const char *name)
{
    struct pg_scop *copy = reread(scop, name);
    struct pg_scop *again = copy ? reread(copy, name) : NULL;
    char *first = copy ? pg_scop_to_str(copy) : NULL;
    char *second = again ? pg_scop_to_str(again) : NULL;
    unsigned tiles = 0, blocks = 0;

    check(first && second && !strcmp(first, second), name, "another text");
    for (unsigned s = 0; copy && s < scop->n_stmt; s++) {
        tiles += scop->stmts[s].n_tile == 2;
        check(scop->stmts[s].n_tile == copy->stmts[s].n_tile &&
                  scop->stmts[s].origin == copy->stmts[s].origin,
              name, "other tiles in the text");
        check(isl_set_is_equal(scop->stmts[s].domain, copy->stmts[s].domain) ==
                  isl_bool_true,
              name, "another domain in the text");
    }
    for (unsigned a = 0; copy && a < scop->n_array; a++) {
        blocks += scop->arrays[a].of_block;
        check(scop->arrays[a].of_block == copy->arrays[a].of_block, name,
              "other arrays of blocks in the text");
    }
    check(tiles == 4 && blocks == 4, name, "not two statements and arrays");
    pg_scop_free(copy);
    pg_scop_free(again);
    free(first);
    free(second);
}

/* Does "scop" read an element of an array of blocks that nobody wrote? */
static bool reads_unwritten(const struct pg_scop *scop)
{
    bool reads = false;

    for (unsigned a = 0; a < scop->n_array; a++) {
        isl_set *in = pg_scop_elements(scop, scop->live_in, a);

        reads |=
            scop->arrays[a].of_block && isl_set_is_empty(in) != isl_bool_true;
        isl_set_free(in);
    }
    return reads;
}

/* Without the statements that load, that is found. */
static void check_loads(struct pg_scop *scop, const char *name)
{
    struct pg_report report;

    check(!reads_unwritten(scop), name, "something is read and not loaded");
    for (unsigned s = 0; s < scop->n_stmt; s++) {
        struct pg_stmt *stmt = &scop->stmts[s];
        isl_space *space = isl_set_get_space(stmt->domain);

        if (strncmp(stmt->name, "load", 4)) {
            isl_space_free(space);
            continue;
        }
        isl_set_free(stmt->domain);
        stmt->domain = isl_set_empty(space);
    }
    pg_report_init(&report);
    check(pg_dependences(scop, NULL, &report) == isl_stat_ok, name,
          "no dependences");
    check(reads_unwritten(scop), name, "what is not loaded is not missed");
    pg_report_clear(&report);
}

static void check_overlap(const char *name)
{
    isl_ctx *ctx = pg_ctx_alloc();
    struct pg_scop *scop = read_scop(ctx, name);
    struct pg_options options;
    struct pg_report report;

    pg_options_default(&options);
    options.time = PG_TIME_AUTO;
    options.promote = true;
    pg_report_init(&report);
    check(pg_schedule(scop, &options, &report) == isl_stat_ok, name,
          "no schedule");
    check(scop->instead, name, "no overlapping tiles");
    if (scop->instead) {
        check_text(scop, name);
        check_loads(scop, name);
    }
    pg_report_clear(&report);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* 40,000 elements, "sizes", and are there overlapping tiles in the end? */
static void check_mapped(const char *name, const char *sizes, bool tiles)
{
    isl_ctx *ctx = pg_ctx_alloc();
    struct pg_scop *scop = read_text(
        ctx, name, replaced(read_program(name), "{ :  }", "{ : n = 40000 }"));
    struct pg_options options;
    struct pg_report report;
    struct pg_plan *plan;

    pg_options_default(&options);
    options.time = PG_TIME_AUTO;
    options.promote = true;
    options.sizes = sizes;
    pg_report_init(&report);
    plan = pg_compile(scop, &options, &report);
    check(plan, name, report.n ? report.reasons[0].sentence : "no plan");
    check((scop->instead != NULL) == tiles, name,
          tiles ? "no overlapping tiles" : "more tiles than a grid has blocks");
    pg_plan_free(plan);
    pg_report_clear(&report);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

int main(void)
{
    static const long long values[] = {6, 5};

    for (size_t i = 0; i < sizeof(expansions) / sizeof(*expansions); i++)
        check_expansion((unsigned)i);
    for (size_t i = 0; i < sizeof(handings) / sizeof(*handings); i++)
        check_handing((unsigned)i);
    check_name();
    check_memory();
    for (size_t i = 0; i < sizeof(splits) / sizeof(*splits); i++)
        if (i % 3 == 0 || test_extent() != EXTENT_FEW)
            check_split((unsigned)i);
    check_statements();
    check_copy_split();
    check_quota("private_part", values);
    check_quota("pivot_vector", values);
    check_given("private_dead", NULL);
    check_given("private_live", NULL);
    check_given("pivot_vector", NULL);
    check_given("pivot_private", NULL);
    check_given("private_live", "breaks the dependence");
    check_overlap("jacobi_1d");
    check_mapped("jacobi_1d", "{ kernel[i] -> time[2,64] }", true);
    check_mapped("jacobi_1d", "{ kernel[i] -> time[2,1] }", false);
    printf("%u failures\n", failures);
    return failures != 0;
}
