/* test_sizes.c - which of several variants a run has, by its parameters.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "core/state.h"
#include "support/plans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Variant 2 is behind 1, and is chosen where only its own ranges hold. */
static const struct polygpu_size_range small[] = {{0, INT64_MIN, 99}},
                                       square[] = {{0, 50, 4999},
                                                   {1, 50, INT64_MAX}};
static const struct polygpu_plan plans[] = {
    {75, 0, 1, 0, 0, 0, 0, NULL},   {80, 1, 1, 0, 0, 0, 0, NULL},
    {75, 2, 1, 0, 0, 1, 1, small},  {75, 3, 1, 0, 0, 2, 2, square},
    {80, 4, 1, 0, 0, 2, 2, square}, {90, 5, 1, 0, 0, 2, 2, square}};

static void work(void *const *args, struct polygpu_thread *self)
{
    (*(int64_t *const *)args[0])[self->block[0]] =
        **(const int64_t *const *)args[1];
}

/* Kernels of all plans, with the number as the only difference. */
static const struct polygpu_array arrays[] = {
    {"y", 8, POLYGPU_IN | POLYGPU_OUT, 0}, {"x", 8, POLYGPU_IN, 0}};
static const struct polygpu_param params[] = {{POLYGPU_PARAM_ARRAY, 0},
                                              {POLYGPU_PARAM_ARRAY, 1}};
static const struct polygpu_kernel kernels[] = {
    {"k0", {1, 1, 1}, 0, 0, 2, params, work},
    {"k1", {1, 1, 1}, 0, 0, 2, params, work},
    {"k2", {1, 1, 1}, 0, 0, 2, params, work},
    {"k3", {1, 1, 1}, 0, 0, 2, params, work},
    {"k4", {1, 1, 1}, 0, 0, 2, params, work},
    {"k5", {1, 1, 1}, 0, 0, 2, params, work}};
static struct polygpu_scop scop = {.abi_version = POLYGPU_ABI_VERSION,
                                   .function = "f",
                                   .file = "f.c",
                                   .n_arrays = 2,
                                   .n_kernels = 6,
                                   .arrays = arrays,
                                   .kernels = kernels,
                                   .n_params = 2,
                                   .n_sizes = 2,
                                   .n_plans = 6,
                                   .plans = plans};

/* The same in other words. */
static uint32_t expected(int64_t m, int64_t n)
{
    return m < 100 ? 1 : m < 5000 && n >= 50 ? 2 : 0;
}

static void expect(int64_t m, int64_t n, uint32_t variant)
{
    const int64_t values[] = {m, n};

    CHECK(expected(m, n) == variant);
    CHECK(polygpu_variant_of(&scop, values) == variant);
}

static void borders_are_exact(void)
{
    expect(99, 0, 1);
    expect(99, 1000, 1);
    expect(100, 49, 0);
    expect(100, 50, 2);
    expect(4999, 50, 2);
    expect(5000, 50, 0);
    expect(INT64_MIN, INT64_MIN, 1);
    expect(INT64_MAX, INT64_MAX, 0);
    expect(4999, INT64_MAX, 2);
    CHECK(polygpu_variant_of(&scop, NULL) == 0);
}

static void by_the_device(void)
{
    const uint32_t first[] = {0, 2, 3}, last[] = {1, 2, 5};
    uint32_t v;

    CHECK(polygpu_variants(&scop) == 3);
    for (v = 0; v < 3; ++v) {
        struct polygpu_scop part = polygpu_variant_alone(&scop, v);

        CHECK(polygpu_plan_of(&scop, 75, v) == first[v]);
        CHECK(polygpu_plan_of(&scop, 70, v) == first[v]);
        CHECK(polygpu_plan_of(&scop, 86, v) == first[v] + (v != 1));
        CHECK(polygpu_plan_of(&scop, 0, v) == last[v]);
        CHECK(part.n_plans == last[v] - first[v] + 1);
        CHECK(part.plans == plans + first[v]);
        CHECK(polygpu_plan_number(&part, 75) == 0);
        CHECK(polygpu_plan_number(&part, 0) == last[v] - first[v]);
        CHECK(polygpu_plan_get(&part, 0).first_kernel == first[v]);
    }
    CHECK(polygpu_plan_number(&scop, 0) == 1);
}

static void without_any(void)
{
    const struct polygpu_scop none = {.n_kernels = 3, .n_images = 2};
    const int64_t values[] = {1, 2};

    CHECK(polygpu_variant_of(&none, values) == 0);
    CHECK(polygpu_variants(&none) == 1);
    CHECK(polygpu_plan_of(&none, 90, 0) == 0);
    CHECK(polygpu_variant_alone(&none, 0).n_plans == 0);
}

static void in_words(void)
{
    char text[100], little[5];

    polygpu_variant_text(&scop, 0, text, sizeof text);
    CHECK(!strcmp(text, ""));
    polygpu_variant_text(&scop, 1, text, sizeof text);
    CHECK(!strcmp(text, "p0<100"));
    polygpu_variant_text(&scop, 2, text, sizeof text);
    CHECK(!strcmp(text, "p0>=50,p0<5000,p1>=50"));
    polygpu_variant_text(&scop, 2, little, sizeof little);
    CHECK(!strcmp(little, "p0>="));
}

/* One run in "scope", which launches what it is told to. */
static void run(int64_t m, int64_t n, uint64_t scope, int64_t *y, int64_t *x,
                int64_t elements)
{
    const int64_t values[] = {m, n};
    struct polygpu_run *r = polygpu_begin_sized(&scop, values);
    uint32_t plan;

    CHECK(r);
    polygpu_array(r, 0, y);
    polygpu_array(r, 1, x);
    polygpu_keep(r, 0, scope);
    polygpu_keep(r, 1, scope);
    if (!polygpu_known(r)) {
        polygpu_move(r, 0, POLYGPU_IN | POLYGPU_OUT, 0, elements, 1);
        polygpu_move(r, 1, POLYGPU_IN, 0, 1, 1);
    }
    CHECK(polygpu_worth(r));
    plan = polygpu_chosen_plan(r);
    CHECK(plan == polygpu_plan_of(&scop, 0, expected(m, n)));
    polygpu_launch(r, plans[plan].first_kernel, elements, 1, 1, NULL);
    CHECK(polygpu_end(r));
}

/* On the emulated device, which is new enough for all plans. */
static void runs_have_them(void)
{
    enum { ELEMENTS = 10, RUNS = 200 };
    uint64_t scope = polygpu_keep_begin();
    int64_t y[ELEMENTS] = {0}, x[1] = {42};
    unsigned counts[3] = {0}, i;
    const struct polygpu_state *state;

    CHECK(scope);
    for (i = 0; i < RUNS; ++i) {
        int64_t m = rand() % 200, n = rand() % 100;

        run(m, n, scope, y, x, ELEMENTS);
        ++counts[expected(m, n)];
    }
    polygpu_keep_end(scope);
    for (i = 0; i < ELEMENTS; ++i)
        CHECK(y[i] == 42);
    state = polygpu_state_first();
    for (i = 0; i < 3; ++i)
        CHECK(counts[i] > 0 && state->variants[i].runs == counts[i]);
    CHECK(state->kernels[1].stats.launches == counts[0]);
    CHECK(state->kernels[2].stats.launches == counts[1]);
    CHECK(state->kernels[5].stats.launches == counts[2]);
    CHECK(polygpu_state_shows(state, 1) && polygpu_state_shows(state, 5));
    CHECK(!polygpu_state_shows(state, 0) && !polygpu_state_shows(state, 4));
    /* What one variant has brought is there for the others. */
    CHECK(state->stats.bytes_in == 8 * (ELEMENTS + 1));
    CHECK(state->sized && state->sizes[0].least >= 0 &&
          state->sizes[0].most < 200 && state->sizes[1].most < 100);
}

int main(void)
{
    unsigned seed = (unsigned)time(NULL);

    printf("seed %u\n", seed);
    srand(seed);
    borders_are_exact();
    by_the_device();
    without_any();
    in_words();
    runs_have_them();
    return 0;
}
