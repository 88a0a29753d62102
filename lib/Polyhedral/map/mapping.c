/* mapping.c - the ways to map a kernel, and the one that is chosen.
 *
 * Candidates are made by kernel.c, each complete in itself, and are not changed
 * afterwards; what may still come to light when loops are made of one rejects
 * it, and the next one is taken (generate/choose.c).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/mapping.h"
#include "map/buffers.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"

#include <isl/space.h>
#include <stdlib.h>
#include <string.h>

/* The instances of "domain" at which "value" is the parameter "name". */
__isl_give isl_union_set *
pg_fix_to_parameter(__isl_take isl_union_set *domain,
                    __isl_take isl_union_pw_aff *value, const char *name)
{
    isl_union_pw_aff *parameter;
    isl_id *id;

    // Without an object there is no context to ask for an id.
    if (!domain || !value) {
        isl_union_pw_aff_free(value);
        return isl_union_set_free(domain);
    }
    id = isl_id_alloc(isl_union_set_get_ctx(domain), name, NULL);
    parameter =
        isl_union_pw_aff_param_on_domain_id(isl_union_set_copy(domain), id);
    value = isl_union_pw_aff_sub(value, parameter);
    return isl_union_set_intersect(domain,
                                   isl_union_pw_aff_zero_union_set(value));
}

/* Those of "filter" for which "value" is dimension "d" of blocks (the "kind" is
 * 'b') or threads ('t').
 */
__isl_give isl_union_set *pg_give_to(__isl_take isl_union_set *filter,
                                     __isl_take isl_union_pw_aff *value,
                                     char kind, unsigned d)
{
    char *name = pg_format("%c%u", kind, d);

    filter = pg_fix_to_parameter(filter, value, name);
    free(name);
    return filter;
}

/* The parameters, those of the host's loops among them, for which "kernel" is
 * launched.
 */
static __isl_give isl_set *launches_of(const struct pg_kernel *kernel)
{
    isl_set *all = isl_map_domain(isl_map_copy(kernel->when));
    isl_size at = isl_set_dim(all, isl_dim_param);

    all = isl_set_reset_tuple_id(all);
    for (unsigned i = 0; at >= 0 && i < kernel->n_host; i++) {
        all = isl_set_move_dims(all, isl_dim_param, (unsigned)at + i,
                                isl_dim_set, 0, 1);
        all = isl_set_set_dim_name(all, isl_dim_param, (unsigned)at + i,
                                   kernel->host[i]);
    }
    return isl_set_params(all);
}

/* What is known of the parameters of the SCoP and of the loops of the host
 * when "kernel" runs.  Some waves of tiles have nothing to do.
 */
__isl_give isl_set *pg_kernel_params(const struct pg_scop *scop,
                                     const struct pg_kernel *kernel)
{
    isl_set *context =
        kernel->tiled
            ? launches_of(kernel)
            : isl_union_set_params(isl_union_set_copy(kernel->domain));

    context = isl_set_coalesce(context);
    if (isl_set_n_basic_set(context) > 1)
        context = isl_set_from_basic_set(isl_set_simple_hull(context));
    return isl_set_intersect(context, isl_set_copy(scop->context));
}

/* The members that the "n" dimensions of the grid are made of, at the instances
 * "set" of a statement: { S[i] -> [v] }.
 */
__isl_give isl_multi_pw_aff *pg_tiling_members(const struct pg_tiling *tiling,
                                               unsigned n,
                                               __isl_keep isl_set *set)
{
    isl_space *space = isl_space_from_domain(isl_set_get_space(set));
    isl_pw_aff_list *list = isl_pw_aff_list_alloc(isl_set_get_ctx(set), (int)n);

    for (unsigned d = 0; d < n; d++)
        list = isl_pw_aff_list_add(
            list,
            isl_union_pw_aff_extract_pw_aff(
                tiling->member[d],
                isl_space_add_dims(isl_space_copy(space), isl_dim_out, 1)));
    space = isl_space_add_dims(space, isl_dim_out, n);
    return isl_multi_pw_aff_from_pw_aff_list(space, list);
}

/* Free what "mapping" holds. */
void pg_mapping_clear(struct pg_mapping *mapping)
{
    isl_schedule_free(mapping->schedule);
    pg_buffers_free(mapping->buffers, mapping->n_buffer);
    pg_promotion_free(mapping->promotion);
    free(mapping->about);
    for (unsigned d = 0; d < 3; d++) {
        isl_pw_aff_free(mapping->blocks[d]);
        isl_union_pw_aff_free(mapping->tiling.member[d]);
    }
    memset(mapping, 0, sizeof(*mapping));
}

/* Put "mapping", which is empty afterwards, in front of the candidates of
 * "kernel": it is chosen, and what it says about itself is the choice.
 */
void pg_kernel_prefer(struct pg_kernel *kernel, struct pg_mapping *mapping)
{
    unsigned n = kernel->n_candidate;
    struct pg_mapping *all = pg_alloc(n + 1, sizeof(*all));

    if (n)
        memcpy(all + 1, kernel->candidates, n * sizeof(*all));
    all[0] = *mapping;
    memset(mapping, 0, sizeof(*mapping));
    free(kernel->candidates);
    free(kernel->choice);
    kernel->candidates = all;
    kernel->n_candidate = n + 1;
    kernel->mapping = all;
    kernel->choice = all->about ? pg_strdup(all->about) : NULL;
}

/* Say in the choice of "kernel" why it is not mapped in the way "kind", after
 * what it says already.
 */
void pg_kernel_decline(struct pg_kernel *kernel, enum pg_mapping_kind kind,
                       const char *why)
{
    static const char *const missing[] = {"no buffers",
                                          "no boxes in shared memory",
                                          "no threads for inner loops", ""};
    char *before = kernel->choice;

    kernel->choice = pg_format("%s%s%s: %s", before ? before : "",
                               before ? "; " : "", missing[kind], why);
    free(before);
}

/* The mapping of "kernel", which is not the last one, cannot be: take the next,
 * and say "why" instead of what was said for it.
 */
void pg_kernel_reject(struct pg_kernel *kernel, const char *why)
{
    if (kernel->mapping->about) {
        free(kernel->choice);
        kernel->choice = NULL;
    }
    pg_kernel_decline(kernel, kernel->mapping->kind, why);
    kernel->mapping++;
}

/* The buffer that an access goes to, or -1. */
int pg_kernel_buffer(const struct pg_plan *plan, unsigned kernel, unsigned stmt,
                     unsigned access)
{
    const struct pg_promotion *promotion =
        plan->kernels[kernel].mapping->promotion;

    return promotion ? promotion->buffer[stmt][access] : -1;
}
