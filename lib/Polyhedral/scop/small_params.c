/* small_params.c - a SCoP for parameters of ordinary size.
 *
 * Where counters and sizes have 64 bits, the sets of a SCoP say for which
 * parameters nothing wraps around: p <= 9223372036854775807 - 8q, or a piece
 * for p = 9223372036854775806 alone.  That is not of interest, since no array
 * is so large, but each step of isl takes it along, and the pieces multiply. So
 * the SCoP is taken for parameters up to PG_MAX_PARAM, to which the plan limits
 * its runs (generate/bounds.c), and what they imply is left out.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"
#include "scop/scop.h"
#include "support/coalesce.h"

#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_set.h>
#include <isl/val.h>
#include <stdbool.h>

/* The constants of constraints that are of a type's range, and of nothing else
 * that programs know before they run.
 */
enum { TYPE_BOUND = 1 << 30 };

/* An error ends the walk at a large constant. */
static isl_stat stop_at_large(__isl_take isl_constraint *constraint, void *user)
{
    isl_val *value = isl_val_abs(isl_constraint_get_constant_val(constraint));
    isl_bool large = isl_val_gt(value, user);

    isl_val_free(value);
    isl_constraint_free(constraint);
    return large == isl_bool_false ? isl_stat_ok : isl_stat_error;
}

/* Has "piece" a constant above what parameters may be? */
static bool is_large(__isl_keep isl_basic_map *piece)
{
    isl_val *most =
        isl_val_int_from_si(isl_basic_map_get_ctx(piece), PG_MAX_PARAM);
    isl_stat small =
        isl_basic_map_foreach_constraint(piece, &stop_at_large, most);

    isl_val_free(most);
    return small != isl_stat_ok;
}

/* { : -PG_MAX_PARAM <= p <= PG_MAX_PARAM } for the parameters p of "space". */
static __isl_give isl_set *small_params(__isl_take isl_space *space)
{
    isl_set *set = isl_set_universe(isl_space_params(space));
    isl_size n = isl_set_dim(set, isl_dim_param);

    for (isl_size i = 0; i < n; i++) {
        isl_val *most = isl_val_int_from_si(isl_set_get_ctx(set), PG_MAX_PARAM);

        set = isl_set_lower_bound_val(set, isl_dim_param, (unsigned)i,
                                      isl_val_neg(isl_val_copy(most)));
        set = isl_set_upper_bound_val(set, isl_dim_param, (unsigned)i, most);
    }
    return set;
}

/* What "piece" says of small parameters, or nothing if it has none. */
static __isl_give isl_map *take_small(__isl_take isl_basic_map *piece,
                                      __isl_keep isl_set *small)
{
    bool large = is_large(piece);
    isl_map *map = isl_map_from_basic_map(piece), *taken;

    if (!large)
        return map;
    taken = isl_map_intersect_params(isl_map_copy(map), isl_set_copy(small));
    if (isl_map_is_empty(taken) != isl_bool_false) {
        isl_map_free(map);
        return taken;
    }
    isl_map_free(taken);
    return isl_map_gist_params(map, isl_set_copy(small));
}

/* Has "map" no constant above what parameters may be? */
static bool is_small(__isl_keep isl_map *map)
{
    isl_basic_map_list *pieces = isl_map_get_basic_map_list(map);
    isl_size n = isl_basic_map_list_n_basic_map(pieces);
    bool small = n >= 0;

    for (isl_size i = 0; i < n && small; i++) {
        isl_basic_map *piece = isl_basic_map_list_get_at(pieces, i);

        small = !is_large(piece);
        isl_basic_map_free(piece);
    }
    isl_basic_map_list_free(pieces);
    return small;
}

/* "map" for parameters up to PG_MAX_PARAM: another one for larger ones, if it
 * has larger constants.
 */
__isl_give isl_map *pg_small_params_map(__isl_take isl_map *map)
{
    isl_set *small;
    isl_basic_map_list *pieces;
    isl_size n;
    isl_map *all;

    if (is_small(map))
        return map;
    small = small_params(isl_map_get_space(map));
    pieces = isl_map_get_basic_map_list(map);
    n = isl_basic_map_list_n_basic_map(pieces);
    all = isl_map_empty(isl_map_get_space(map));
    for (isl_size i = 0; i < n; i++)
        all = isl_map_union(
            all, take_small(isl_basic_map_list_get_at(pieces, i), small));
    if (n < 0)
        all = isl_map_free(all);
    isl_basic_map_list_free(pieces);
    isl_set_free(small);
    isl_map_free(map);
    return pg_coalesce_map(all);
}

/* The same for a set, which isl has as a map without domain, the same object
 * under another name.
 */
__isl_give isl_set *pg_small_params_set(__isl_take isl_set *set)
{
    return (isl_set *)pg_small_params_map((isl_map *)set);
}

/* Collects constraints that say more than that something has 32 bits. */
static isl_stat collect(__isl_take isl_constraint *constraint, void *user)
{
    isl_basic_set **kept = user;
    isl_val *value = isl_val_abs(isl_constraint_get_constant_val(constraint));

    if (isl_val_cmp_si(value, TYPE_BOUND) < 0)
        *kept = isl_basic_set_add_constraint(*kept, constraint);
    else
        isl_constraint_free(constraint);
    isl_val_free(value);
    return isl_stat_ok;
}

/* "context" without what types alone imply, of 32 bits and more, which is a
 * larger one: isl takes such constraints along through each of its steps, and
 * nothing follows from them.
 */
__isl_give isl_set *pg_without_type_bounds(__isl_take isl_set *context)
{
    isl_set *all = isl_set_empty(isl_set_get_space(context));
    isl_basic_set_list *pieces = isl_set_get_basic_set_list(context);
    isl_size n = isl_basic_set_list_n_basic_set(pieces);

    for (isl_size i = 0; i < n; i++) {
        isl_basic_set *piece = isl_basic_set_list_get_at(pieces, i);
        isl_basic_set *kept =
            isl_basic_set_universe(isl_basic_set_get_space(piece));

        if (isl_basic_set_foreach_constraint(piece, &collect, &kept) < 0)
            kept = isl_basic_set_free(kept);
        isl_basic_set_free(piece);
        all = isl_set_union(all, isl_set_from_basic_set(kept));
    }
    if (n < 0)
        all = isl_set_free(all);
    isl_basic_set_list_free(pieces);
    isl_set_free(context);
    return isl_set_coalesce(all);
}

static isl_bool is_small_set(__isl_keep isl_set *set, void *user)
{
    (void)user;
    return isl_bool_ok(is_small((isl_map *)set));
}

/* The same for the domain of "schedule". */
__isl_give isl_schedule *
pg_small_params_schedule(__isl_take isl_schedule *schedule)
{
    isl_union_set *domain = isl_schedule_get_domain(schedule);
    isl_set *small;

    if (isl_union_set_every_set(domain, &is_small_set, NULL) == isl_bool_true) {
        isl_union_set_free(domain);
        return schedule;
    }
    small = small_params(isl_union_set_get_space(domain));
    domain = isl_union_set_intersect_params(domain, isl_set_copy(small));
    schedule = isl_schedule_intersect_domain(schedule, domain);
    return isl_schedule_gist_domain_params(schedule, small);
}
