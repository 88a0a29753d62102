/* beside.c - kernels that may run at the same time.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"
#include "support/phase.h"

#include <isl/union_set.h>
#include <string.h>

/* The elements that "kernel" accesses, or only those that it may write,
 * { A[x] }, for values of the loops of the host around it.
 */
static __isl_give isl_union_set *elements(const struct pg_scop *scop,
                                          const struct pg_kernel *kernel,
                                          bool written)
{
    isl_union_map *all = isl_union_map_empty(isl_set_get_space(scop->context));

    for (unsigned s = 0; s < scop->n_stmt; s++)
        for (unsigned a = 0; a < scop->stmts[s].n_access; a++) {
            const struct pg_access *access = &scop->stmts[s].accesses[a];

            if (access->write || !written)
                all =
                    isl_union_map_add_map(all, isl_map_copy(access->relation));
        }
    all = isl_union_map_intersect_params(all, isl_set_copy(scop->context));
    return isl_union_set_apply(isl_union_set_copy(kernel->domain), all);
}

/* Does "a" write nothing that "b" accesses? */
static bool is_apart(const struct pg_scop *scop, const struct pg_kernel *a,
                     const struct pg_kernel *b)
{
    isl_union_set *writes = elements(scop, a, true);
    isl_union_set *all = elements(scop, b, false);
    isl_bool apart = isl_union_set_is_disjoint(writes, all);

    isl_union_set_free(writes);
    isl_union_set_free(all);
    return apart == isl_bool_true;
}

/* Are the accesses of "scop" all that there are?  Which elements data choose is
 * not looked at here.
 */
static bool is_known(const struct pg_scop *scop)
{
    bool known = true;

    for (unsigned a = 0; known && a < scop->n_array; a++)
        known = !scop->arrays[a].indirect && !scop->arrays[a].updated &&
                !scop->arrays[a].probed;
    return known;
}

bool pg_kernels_beside(const struct pg_plan *plan, unsigned a, unsigned b,
                       const struct pg_options *options)
{
    const struct pg_kernel *one = &plan->kernels[a], *two = &plan->kernels[b];
    struct pg_phase phase;
    struct pg_report unheard;
    bool beside = one->n_host == two->n_host && is_known(plan->scop);

    for (unsigned h = 0; beside && h < one->n_host; h++)
        beside = !strcmp(one->host[h], two->host[h]);
    if (!beside)
        return false;
    pg_report_init(&unheard);
    pg_phase_begin(&phase, plan->scop->ctx, "launches beside each other",
                   options, &unheard);
    beside = is_apart(plan->scop, one, two) && is_apart(plan->scop, two, one);
    beside = pg_phase_end(&phase, isl_stat_ok) == isl_stat_ok && beside;
    pg_report_clear(&unheard);
    return beside;
}
