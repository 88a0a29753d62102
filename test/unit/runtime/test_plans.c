/* test_plans.c - which plan of a SCoP a device gets, with and without
 * POLYGPU_ARCH.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "support/plans.h"

#include <stdlib.h>
#include <string.h>

static const struct polygpu_plan plans[] = {
    {75, 0, 2, 0, 1}, {80, 2, 3, 1, 2}, {90, 5, 1, 3, 1}};

static struct polygpu_scop scop_with(uint32_t n_plans)
{
    struct polygpu_scop scop = {.n_kernels = 6, .n_images = 4};

    scop.n_plans = n_plans;
    scop.plans = plans;
    return scop;
}

static void expect(unsigned arch, uint32_t number)
{
    const struct polygpu_scop all = scop_with(3);

    CHECK(polygpu_plan_number(&all, arch) == number);
}

static void the_newest_that_fits(void)
{
    expect(70, 0); /* which has no image, as loading will say */
    expect(75, 0);
    expect(79, 0);
    expect(80, 1);
    expect(89, 1);
    expect(90, 2);
    expect(121, 2);
    expect(0, 2);
}

static void not_above_the_limit(void)
{
    CHECK(polygpu_arch_limit(90) == 86 && polygpu_arch_limit(0) == 86);
    CHECK(polygpu_arch_limit(75) == 75);
    expect(90, 1);
    expect(0, 1);
    expect(75, 0);
}

static void parts_are_all_of_it(void)
{
    const struct polygpu_scop all = scop_with(3), none = scop_with(0);
    struct polygpu_plan plan = polygpu_plan_get(&none, 0);
    uint32_t k;

    CHECK(polygpu_plan_number(&none, 90) == 0);
    CHECK(plan.first_kernel == 0 && plan.n_kernels == 6);
    CHECK(plan.first_image == 0 && plan.n_images == 4);
    plan = polygpu_plan_get(&all, 1);
    CHECK(plan.first_kernel == 2 && plan.n_kernels == 3);
    for (k = 0; k < 6; ++k) {
        CHECK(polygpu_plan_with(&all, k) == (k < 2 ? 0 : k < 5 ? 1 : 2));
        CHECK(polygpu_plan_with(&none, k) == 0);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        CHECK(setenv("POLYGPU_ARCH", argv[1], 1) == 0);
        not_above_the_limit();
    } else {
        the_newest_that_fits();
    }
    parts_are_all_of_it();
    return 0;
}
