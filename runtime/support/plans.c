/* plans.c - see plans.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/plans.h"

#include "support/env.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

unsigned polygpu_arch_limit(unsigned arch)
{
    unsigned most = polygpu_env()->arch;

    if (!arch)
        arch = UINT_MAX;
    return most && most < arch ? most : arch;
}

static bool all_hold(const struct polygpu_plan *plan, const int64_t *params)
{
    uint32_t r;

    for (r = 0; r < plan->n_ranges; ++r) {
        int64_t value = params[plan->ranges[r].param];

        if (value < plan->ranges[r].least || value > plan->ranges[r].most)
            return false;
    }
    return true;
}

uint32_t polygpu_variant_of(const struct polygpu_scop *scop,
                            const int64_t *params)
{
    uint32_t p;

    for (p = 0; params && p < scop->n_plans; ++p)
        if (scop->plans[p].variant && all_hold(&scop->plans[p], params))
            return scop->plans[p].variant;
    return 0;
}

uint32_t polygpu_variants(const struct polygpu_scop *scop)
{
    return scop->n_plans ? scop->plans[scop->n_plans - 1].variant + 1 : 1;
}

/* The plans of "variant", or of the first one where it has none. */
static uint32_t find_variant(const struct polygpu_scop *scop, uint32_t variant,
                             uint32_t *first)
{
    uint32_t n = 0;

    *first = 0;
    while (*first < scop->n_plans && scop->plans[*first].variant != variant)
        ++*first;
    if (*first == scop->n_plans)
        *first = 0;
    while (*first + n < scop->n_plans &&
           scop->plans[*first + n].variant == scop->plans[*first].variant)
        ++n;
    return n;
}

struct polygpu_scop polygpu_variant_alone(const struct polygpu_scop *scop,
                                          uint32_t variant)
{
    struct polygpu_scop part = *scop;
    uint32_t first;

    part.n_plans = find_variant(scop, variant, &first);
    if (part.n_plans)
        part.plans = &scop->plans[first];
    return part;
}

void polygpu_variant_text(const struct polygpu_scop *scop, uint32_t variant,
                          char *text, size_t size)
{
    const struct polygpu_scop part = polygpu_variant_alone(scop, variant);
    uint32_t n = part.n_plans ? part.plans->n_ranges : 0, r;
    size_t used = 0;

    text[0] = '\0';
    for (r = 0; r < n; ++r) {
        const struct polygpu_size_range *range = &part.plans->ranges[r];

        if (range->least > INT64_MIN && used < size)
            used += (size_t)snprintf(text + used, size - used, "%sp%u>=%lld",
                                     used ? "," : "", (unsigned)range->param,
                                     (long long)range->least);
        if (range->most < INT64_MAX && used < size)
            used += (size_t)snprintf(text + used, size - used, "%sp%u<%lld",
                                     used ? "," : "", (unsigned)range->param,
                                     (long long)range->most + 1);
    }
}

uint32_t polygpu_plan_of(const struct polygpu_scop *scop, unsigned arch,
                         uint32_t variant)
{
    unsigned limit = polygpu_arch_limit(arch);
    uint32_t first, n = find_variant(scop, variant, &first);

    while (n > 1 && scop->plans[first + n - 1].arch > limit)
        --n;
    return n ? first + n - 1 : 0;
}

uint32_t polygpu_plan_number(const struct polygpu_scop *scop, unsigned arch)
{
    return polygpu_plan_of(scop, arch,
                           scop->n_plans ? scop->plans->variant : 0);
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
