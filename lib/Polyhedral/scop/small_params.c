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

/* "map" for small parameters. */
static __isl_give isl_map *of_small(__isl_take isl_map *map)
{
    isl_set *small = small_params(isl_map_get_space(map));
    isl_basic_map_list *pieces = isl_map_get_basic_map_list(map);
    isl_size n = isl_basic_map_list_n_basic_map(pieces);
    isl_map *all = isl_map_empty(isl_map_get_space(map));

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

/* A set of isl is a map without domain, the same object under another name. */
static bool is_small_set(__isl_keep isl_set *set)
{
    return is_small((isl_map *)set);
}

static __isl_give isl_set *of_small_set(__isl_take isl_set *set)
{
    return (isl_set *)of_small((isl_map *)set);
}

/* Take the domain of the order for small parameters, and give it to the
 * statements, so that both are the same for all others as well.
 */
static bool take_domains(struct pg_scop *scop)
{
    isl_union_set *domain = pg_scop_domain(scop);
    isl_set *small = small_params(isl_set_get_space(scop->context));
    bool ok = true;

    domain = isl_union_set_intersect_params(domain, isl_set_copy(small));
    scop->original = isl_schedule_intersect_domain(scop->original, domain);
    scop->original = isl_schedule_gist_domain_params(scop->original, small);
    domain = isl_schedule_get_domain(scop->original);
    for (unsigned i = 0; i < scop->n_stmt; i++) {
        isl_set **own = &scop->stmts[i].domain;
        isl_space *space = isl_set_get_space(*own);

        isl_set_free(*own);
        *own = isl_union_set_extract_set(domain, space);
        ok &= *own != NULL;
    }
    isl_union_set_free(domain);
    return ok;
}

/* Take "scop" for parameters up to PG_MAX_PARAM, to which what is made of it
 * has to be limited.  Nothing is changed where there are no larger constants.
 */
isl_stat pg_scop_small_params(struct pg_scop *scop)
{
    bool small = true, ok = true;

    if (!is_small_set(scop->context))
        scop->context = of_small_set(scop->context);
    for (unsigned i = 0; i < scop->n_stmt; i++) {
        struct pg_stmt *stmt = &scop->stmts[i];

        small &= is_small_set(stmt->domain);
        for (unsigned j = 0; j < stmt->n_access; j++) {
            isl_map **relation = &stmt->accesses[j].relation;

            if (!is_small(*relation))
                *relation = of_small(*relation);
            ok &= *relation != NULL;
        }
    }
    if (!small)
        ok &= take_domains(scop);
    return ok && scop->context && scop->original ? isl_stat_ok : isl_stat_error;
}
