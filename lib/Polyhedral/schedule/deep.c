/* deep.c - the deepest permutable band that isl finds, and its tiles.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/deep.h"
#include "schedule/tree.h"
#include "scop/scop.h"

#include <isl/options.h>
#include <isl/schedule.h>
#include <isl/val.h>

enum { MAX_COEFFICIENT = 8 }; /* of iterators in members */

/* isl's schedule with bands that are as deep as can be, or NULL. */
static __isl_give isl_schedule *deep_schedule(const struct pg_scop *scop,
                                              __isl_take isl_union_set *domain,
                                              __isl_take isl_union_map *order)
{
    isl_ctx *ctx = scop->ctx;
    isl_union_map *near;
    isl_schedule_constraints *constraints;

    order = isl_union_map_gist_params(order, isl_set_copy(scop->context));
    order = isl_union_map_coalesce(order);
    domain = isl_union_set_gist_params(domain, isl_set_copy(scop->context));
    near = isl_union_map_copy(order);
    constraints = isl_schedule_constraints_on_domain(domain);
    constraints = isl_schedule_constraints_set_validity(constraints, order);
    constraints = isl_schedule_constraints_set_proximity(constraints, near);
    isl_options_set_schedule_serialize_sccs(ctx, 0);
    isl_options_set_schedule_whole_component(ctx, 1);
    isl_options_set_schedule_outer_coincidence(ctx, 0);
    isl_options_set_schedule_maximize_band_depth(ctx, 1);
    return isl_schedule_constraints_compute_schedule(constraints);
}

/* The members of the outermost band of isl's schedule of "domain", of which
 * "order" has to be kept, without regard to parallelism; NULL if that is not
 * permutable or has large coefficients.
 */
__isl_give isl_union_pw_aff_list *
pg_deep_members(const struct pg_scop *scop, __isl_keep isl_union_set *domain,
                __isl_keep isl_union_map *order)
{
    isl_schedule *schedule = deep_schedule(scop, isl_union_set_copy(domain),
                                           isl_union_map_copy(order));
    isl_union_pw_aff_list *members = NULL;
    isl_schedule_node *node;

    if (!schedule)
        return NULL;
    node = isl_schedule_node_child(isl_schedule_get_root(schedule), 0);
    if (isl_schedule_node_get_type(node) == isl_schedule_node_band &&
        isl_schedule_node_band_get_permutable(node) == isl_bool_true &&
        pg_tree_is_compact(schedule, MAX_COEFFICIENT) == isl_bool_true)
        members = pg_tree_members(node);
    isl_schedule_node_free(node);
    isl_schedule_free(schedule);
    return members;
}

/* The number of the one of "members" that is the outermost loop of "band", or
 * -1 where that is a wavefront.
 */
int pg_deep_find(__isl_keep isl_union_pw_aff_list *members,
                 __isl_keep isl_schedule_node *band)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(members);
    isl_union_pw_aff *host = pg_tree_outer_loop(band);
    int own = -1;

    for (int i = 0; own < 0 && i < n; i++) {
        isl_union_pw_aff *member =
            isl_union_pw_aff_list_get_union_pw_aff(members, i);

        if (isl_union_pw_aff_plain_is_equal(member, host) == isl_bool_true)
            own = i;
        isl_union_pw_aff_free(member);
    }
    isl_union_pw_aff_free(host);
    return own;
}

/* Add { S[i] : value >= 0 }. */
static isl_stat add_natural(__isl_take isl_pw_aff *value, void *user)
{
    isl_union_set **all = user;

    *all = isl_union_set_add_set(*all, isl_pw_aff_nonneg_set(value));
    return isl_stat_ok;
}

/* Those of "domain" at which "value" is not negative. */
__isl_give isl_union_set *pg_natural(__isl_take isl_union_set *domain,
                                     __isl_take isl_union_pw_aff *value)
{
    isl_union_set *all = isl_union_set_empty(isl_union_set_get_space(domain));

    if (isl_union_pw_aff_foreach_pw_aff(value, &add_natural, &all) !=
        isl_stat_ok)
        all = isl_union_set_free(all);
    isl_union_pw_aff_free(value);
    return isl_union_set_intersect(domain, all);
}

/* In which tile of "size" values is "value"? */
__isl_give isl_union_pw_aff *pg_tile_of(__isl_take isl_union_pw_aff *value,
                                        long long size)
{
    isl_ctx *ctx = isl_union_pw_aff_get_ctx(value);

    value = isl_union_pw_aff_scale_down_val(
        value, isl_val_int_from_si(ctx, (long)size));
    return isl_union_pw_aff_floor(value);
}
