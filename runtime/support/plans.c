/* plans.c - see plans.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/plans.h"

#include "support/env.h"

#include <limits.h>

unsigned polygpu_arch_limit(unsigned arch)
{
    unsigned most = polygpu_env()->arch;

    if (!arch)
        arch = UINT_MAX;
    return most && most < arch ? most : arch;
}

uint32_t polygpu_plan_number(const struct polygpu_scop *scop, unsigned arch)
{
    unsigned limit = polygpu_arch_limit(arch);
    uint32_t n = scop->n_plans;

    while (n > 1 && scop->plans[n - 1].arch > limit)
        --n;
    return n ? n - 1 : 0;
}

struct polygpu_plan polygpu_plan_get(const struct polygpu_scop *scop,
                                     uint32_t number)
{
    return number < scop->n_plans
               ? scop->plans[number]
               : (struct polygpu_plan){.n_kernels = scop->n_kernels,
                                       .n_images = scop->n_images};
}

uint32_t polygpu_plan_with(const struct polygpu_scop *scop, uint32_t kernel)
{
    uint32_t p = 0;

    while (p + 1 < scop->n_plans && scop->plans[p + 1].first_kernel <= kernel)
        ++p;
    return p;
}
