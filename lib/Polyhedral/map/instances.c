/* instances.c - a kernel's instances, and the values of members at them.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/instances.h"
#include "map/mapping.h"
#include "map/user.h"
#include "polygpu/polyhedral.h"
#include "schedule/tree.h"
#include "support/coalesce.h"
#include "support/text.h"
#include "support/values.h"

#include <isl/ilp.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>

enum { LEAST_LIMIT = 4096 /* of parameters */ };

/* Move the parameters h0, h1, ... of "map" into its input dimensions, which
 * get the kernel's tuple.  Parameters that do not occur become free.
 */
__isl_give isl_map *pg_host_to_input(const struct pg_kernel *kernel,
                                     unsigned number, __isl_take isl_map *map)
{
    isl_ctx *ctx = isl_map_get_ctx(map);

    for (unsigned i = 0; i < kernel->n_host; i++) {
        int at = isl_map_find_dim_by_name(map, isl_dim_param, kernel->host[i]);

        if (at < 0)
            map = isl_map_insert_dims(map, isl_dim_in, i, 1);
        else
            map = isl_map_move_dims(map, isl_dim_in, i, isl_dim_param,
                                    (unsigned)at, 1);
    }
    return isl_map_set_tuple_id(map, isl_dim_in,
                                pg_user_id(ctx, PG_USER_LAUNCH, number));
}

/* The number of steps of "prefix". */
static unsigned depth_of(const struct pg_prefix *prefix)
{
    unsigned depth = 0;

    for (; prefix; prefix = prefix->outer)
        depth++;
    return depth;
}

/* The number of loops of "prefix". */
static unsigned loops_of(const struct pg_prefix *prefix)
{
    unsigned n = 0;

    for (; prefix; prefix = prefix->outer)
        n += prefix->value != NULL;
    return n;
}

/* Those of "domain" in the iteration h0, h1, ... of the loops of "prefix". */
__isl_give isl_union_set *pg_instances_in(__isl_take isl_union_set *domain,
                                          const struct pg_prefix *prefix)
{
    unsigned n = loops_of(prefix);

    for (; prefix; prefix = prefix->outer) {
        char *name;

        if (!prefix->value)
            continue;
        name = pg_format("h%u", --n);
        domain = pg_fix_to_parameter(
            domain, isl_union_pw_aff_copy(prefix->value), name);
        free(name);
    }
    return domain;
}

/* Have "schedule" say where a kernel is whose prefix ends with "prefix": its
 * output dimensions up to number "depth", and number "h" of the host's loops is
 * the last one.
 */
static __isl_give isl_map *place(__isl_take isl_map *schedule,
                                 const struct pg_prefix *prefix, unsigned depth,
                                 unsigned h)
{
    for (; prefix; prefix = prefix->outer)
        if (prefix->value)
            schedule = isl_map_equate(schedule, isl_dim_in, (int)--h,
                                      isl_dim_out, (int)--depth);
        else
            schedule = isl_map_fix_si(schedule, isl_dim_out, --depth,
                                      (int)prefix->position);
    return schedule;
}

/* Name the host loops of "kernel" below "prefix" and give those of "domain"
 * that run in a launch with the values h0, h1, ... of them.
 */
void pg_instances_take(struct pg_kernel *kernel, const struct pg_prefix *prefix,
                       __isl_keep isl_union_set *domain)
{
    kernel->n_host = loops_of(prefix);
    kernel->host = pg_alloc(kernel->n_host, sizeof(*kernel->host));
    for (unsigned i = 0; i < kernel->n_host; i++)
        kernel->host[i] = pg_format("h%u", i);
    kernel->domain =
        pg_coalesce_union(pg_instances_in(isl_union_set_copy(domain), prefix));
}

/* Kernel "number" is launched below "prefix" for the parameters "when", those
 * of the host's loops among them.
 */
isl_stat pg_instances_when(struct pg_kernel *kernel, unsigned number,
                           const struct pg_prefix *prefix,
                           __isl_take isl_set *when)
{
    unsigned depth = depth_of(prefix);
    isl_map *schedule = isl_map_from_range(isl_set_from_params(when));

    schedule = pg_host_to_input(kernel, number, schedule);
    schedule = isl_map_add_dims(schedule, isl_dim_out, depth);
    schedule = place(schedule, prefix, depth, kernel->n_host);
    kernel->when = pg_coalesce_map(schedule);
    return kernel->when ? isl_stat_ok : isl_stat_error;
}

/* The values { [v] } of "member" at the instances "domain". */
__isl_give isl_set *pg_values(__isl_keep isl_union_set *domain,
                              __isl_keep isl_union_pw_aff *member)
{
    isl_union_map *map =
        isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(member));

    map = isl_union_map_intersect_domain(map, isl_union_set_copy(domain));
    return isl_set_from_union_set(isl_union_map_range(map));
}

/* Is no number of "set", { [v0, v1, ...] }, negative? */
isl_bool pg_is_natural(__isl_keep isl_set *set)
{
    isl_size n = isl_set_dim(set, isl_dim_set);
    isl_bool natural = isl_bool_ok(n >= 0);

    for (int d = 0; natural == isl_bool_true && d < n; d++) {
        isl_set *negative = isl_set_upper_bound_si(
            isl_set_copy(set), isl_dim_set, (unsigned)d, -1);

        natural = isl_set_is_empty(negative);
        isl_set_free(negative);
    }
    return natural;
}

/* "member" less its smallest value at "instances", so that it starts at zero:
 * always if that is one expression of the parameters, and also if it is several
 * when the values may be negative.
 */
__isl_give isl_union_pw_aff *pg_shift(__isl_keep isl_union_set *instances,
                                      __isl_take isl_union_pw_aff *member)
{
    isl_set *set = pg_values(instances, member);
    isl_bool natural = pg_is_natural(set);
    isl_pw_aff *min = isl_pw_aff_coalesce(isl_set_dim_min(set, 0));
    isl_aff *only = pg_only_expression(isl_pw_aff_copy(min));
    isl_union_set *domain =
        isl_union_set_universe(isl_union_set_copy(instances));
    isl_union_pw_aff *less = NULL;

    if (only) {
        less = isl_union_pw_aff_aff_on_domain(domain, only);
    } else if (natural == isl_bool_true && min) {
        isl_union_set_free(domain);
        isl_pw_aff_free(min);
        return member;
    } else {
        less = isl_union_pw_aff_pw_aff_on_domain(domain, isl_pw_aff_copy(min));
    }
    isl_pw_aff_free(min);
    if (natural < 0)
        less = isl_union_pw_aff_free(less);
    return isl_union_pw_aff_sub(member, less);
}

/* The largest value of "member" at the instances "domain" if it is known, and
 * none is negative, else -1.
 */
long long pg_largest_member(__isl_keep isl_union_set *domain,
                            __isl_keep isl_union_pw_aff *member)
{
    isl_set *set = pg_values(domain, member);
    isl_val *min, *max;
    long long result = -1;

    set = isl_set_project_out(set, isl_dim_param, 0,
                              (unsigned)isl_set_dim(set, isl_dim_param));
    min = isl_set_dim_min_val(isl_set_copy(set), 0);
    max = isl_set_dim_max_val(set, 0);
    if (isl_val_is_nonneg(min) == isl_bool_true &&
        isl_val_is_int(max) == isl_bool_true &&
        isl_val_cmp_si(max, 1L << 30) < 0)
        result = isl_val_get_num_si(max);
    isl_val_free(min);
    isl_val_free(max);
    return result;
}

/* How the values of "members" differ within an iteration of the loops "outer",
 * at the instances "domain", of which there are some: { [d0, d1, ...] }.
 */
__isl_give isl_set *pg_differences(__isl_keep isl_union_set *domain,
                                   __isl_take isl_union_pw_aff_list *outer,
                                   __isl_take isl_union_pw_aff_list *members)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(outer);
    isl_union_map *map;
    isl_map *values;

    outer = isl_union_pw_aff_list_concat(outer, members);
    map = isl_union_map_from_multi_union_pw_aff(pg_tree_join(outer));
    map = isl_union_map_intersect_domain(map, isl_union_set_copy(domain));
    values =
        isl_map_from_range(isl_set_from_union_set(isl_union_map_range(map)));
    values = isl_map_move_dims(values, isl_dim_in, 0, isl_dim_out, 0,
                               n < 0 ? 0 : (unsigned)n);
    return isl_map_deltas(
        isl_map_apply_range(isl_map_reverse(isl_map_copy(values)), values));
}

/* One more than the largest of "differences", { [d] }, or unknown. */
long long pg_length(__isl_keep isl_set *differences)
{
    isl_set *all =
        isl_set_project_out(isl_set_copy(differences), isl_dim_param, 0,
                            (unsigned)isl_set_dim(differences, isl_dim_param));
    isl_val *most = isl_set_dim_max_val(all, 0);
    long long result = PG_UNKNOWN;

    if (isl_val_is_int(most) == isl_bool_true &&
        isl_val_cmp_si(most, 1 << 30) < 0)
        result = isl_val_get_num_si(most) + 1;
    isl_val_free(most);
    return result;
}

/* Is none of "values", { [v] }, "most" or more where the absolute value of no
 * parameter is above "limit"?
 */
static bool is_below(__isl_keep isl_set *values, long long most,
                     long long limit)
{
    isl_ctx *ctx = isl_set_get_ctx(values);
    isl_set *beyond =
        isl_set_lower_bound_val(isl_set_copy(values), isl_dim_set, 0,
                                isl_val_int_from_si(ctx, (long)most));
    bool below;

    for (int p = 0; p < isl_set_dim(beyond, isl_dim_param); p++) {
        isl_val *bound = isl_val_int_from_si(ctx, (long)limit);

        beyond = isl_set_lower_bound_val(beyond, isl_dim_param, (unsigned)p,
                                         isl_val_neg(isl_val_copy(bound)));
        beyond =
            isl_set_upper_bound_val(beyond, isl_dim_param, (unsigned)p, bound);
    }
    below = isl_set_is_empty(beyond) == isl_bool_true;
    isl_set_free(beyond);
    return below;
}

/* The largest power of two such that none of "values" (taken), { [v] }, is
 * "most" or more where the absolute value of no parameter is above it; 0 if it
 * would be small.
 */
long long pg_limit_below(__isl_take isl_set *values, long long most)
{
    long long limit = PG_LARGEST_LIMIT;

    while (limit >= LEAST_LIMIT && !is_below(values, most, limit))
        limit /= 2;
    isl_set_free(values);
    return limit < LEAST_LIMIT ? 0 : limit;
}
