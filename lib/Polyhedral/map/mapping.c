/* mapping.c - how a kernel is mapped, and what the host needs to know of it.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/mapping.h"
#include "map/buffers.h"
#include "polygpu/polyhedral.h"

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

/* What is known of the parameters of the SCoP and of the loops of the host
 * when "kernel" runs.
 */
__isl_give isl_set *pg_kernel_params(const struct pg_scop *scop,
                                     const struct pg_kernel *kernel)
{
    isl_set *context = isl_union_set_params(isl_union_set_copy(kernel->domain));

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
    for (unsigned d = 0; d < 3; d++) {
        isl_pw_aff_free(mapping->blocks[d]);
        isl_union_pw_aff_free(mapping->tiling.member[d]);
    }
    memset(mapping, 0, sizeof(*mapping));
}

/* Take the mapping of "kernel" out of it. */
struct pg_mapping pg_kernel_mapping(struct pg_kernel *kernel,
                                    struct pg_launch *launch)
{
    struct pg_mapping mapping = {.schedule = kernel->schedule,
                                 .n_grid = kernel->n_grid,
                                 .n_block = kernel->n_block,
                                 .n_buffer = kernel->n_buffer,
                                 .buffers = kernel->buffers,
                                 .promotion = launch->promotion,
                                 .tiling = launch->tiling};

    kernel->schedule = NULL;
    kernel->buffers = NULL;
    launch->promotion = NULL;
    memset(&launch->tiling, 0, sizeof(launch->tiling));
    kernel->n_grid = kernel->n_block = kernel->n_buffer = 0;
    for (unsigned d = 0; d < 3; d++) {
        mapping.blocks[d] = launch->blocks[d];
        mapping.block[d] = kernel->block[d];
        mapping.grid_limit[d] = kernel->grid_limit[d];
        launch->blocks[d] = NULL;
    }
    return mapping;
}

/* Map "kernel" the way "mapping" says, which is empty afterwards. */
void pg_kernel_use(struct pg_kernel *kernel, struct pg_launch *launch,
                   struct pg_mapping *mapping)
{
    struct pg_mapping old = pg_kernel_mapping(kernel, launch);

    kernel->schedule = mapping->schedule;
    kernel->n_grid = mapping->n_grid;
    kernel->n_block = mapping->n_block;
    kernel->n_buffer = mapping->n_buffer;
    kernel->buffers = mapping->buffers;
    launch->promotion = mapping->promotion;
    launch->tiling = mapping->tiling;
    for (unsigned d = 0; d < 3; d++) {
        launch->blocks[d] = mapping->blocks[d];
        kernel->block[d] = mapping->block[d];
        kernel->grid_limit[d] = mapping->grid_limit[d];
    }
    memset(mapping, 0, sizeof(*mapping));
    pg_mapping_clear(&old);
}

/* The buffer that an access goes to, or -1. */
int pg_kernel_buffer(const struct pg_plan *plan, unsigned kernel, unsigned stmt,
                     unsigned access)
{
    const struct pg_promotion *promotion =
        ((const struct pg_plan_private *)plan)->launches[kernel].promotion;

    return promotion ? promotion->buffer[stmt][access] : -1;
}
