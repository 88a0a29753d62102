/* params.c - parameters that an order of execution cannot depend on.
 *
 * isl's scheduler has unknowns for each parameter and statement, and its time
 * grows with more than the square of their number.  But many a parameter is in
 * conditions on parameters only: the flag that a branch around statements asks
 * for, the length of a row, the place in it that is one with another place when
 * two accesses meet.  Such a condition holds for all instances of a statement
 * or for none.  A schedule has to respect the dependence wherever it holds, so
 * it may as well respect it everywhere, and what the scheduler gets has neither
 * the condition nor the parameter.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/params.h"
#include "polygpu/polyhedral.h"
#include "support/coalesce.h"
#include "support/text.h"

#include <isl/constraint.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <stdlib.h>

/* What looks for parameters in one constraint with a counter. */
struct related {
    isl_space *params;
    bool *needed; /* by the number of the parameter in "params" */
};

static bool has_counter(__isl_keep isl_constraint *c)
{
    static const enum isl_dim_type types[] = {isl_dim_in, isl_dim_out,
                                              isl_dim_div};
    bool has = false;

    for (unsigned t = 0; t < sizeof(types) / sizeof(*types); t++) {
        isl_size n = isl_constraint_dim(c, types[t]);

        has = has || n < 0 ||
              isl_constraint_involves_dims(c, types[t], 0, (unsigned)n) !=
                  isl_bool_false;
    }
    return has;
}

/* The parameters of "c" are needed if a counter is in it, too. */
static isl_stat look_at_constraint(__isl_take isl_constraint *c, void *user)
{
    struct related *r = user;
    isl_size n = isl_constraint_dim(c, isl_dim_param);
    isl_space *own = isl_constraint_get_space(c);

    if (n > 0 && has_counter(c))
        for (unsigned i = 0; i < (unsigned)n; i++) {
            isl_id *id;
            int param;

            if (isl_constraint_involves_dims(c, isl_dim_param, i, 1) ==
                isl_bool_false)
                continue;
            id = isl_space_get_dim_id(own, isl_dim_param, i);
            param = isl_space_find_dim_by_id(r->params, isl_dim_param, id);
            if (param >= 0)
                r->needed[param] = true;
            isl_id_free(id);
        }
    isl_space_free(own);
    isl_constraint_free(c);
    return n < 0 ? isl_stat_error : isl_stat_ok;
}

static isl_stat look_at_piece(__isl_take isl_basic_map *piece, void *user)
{
    isl_stat result =
        isl_basic_map_foreach_constraint(piece, &look_at_constraint, user);

    isl_basic_map_free(piece);
    return result;
}

static isl_stat look_at_map(__isl_take isl_map *map, void *user)
{
    isl_stat result = isl_map_foreach_basic_map(map, &look_at_piece, user);

    isl_map_free(map);
    return result;
}

/* The same for a set, as a map from its elements. */
static isl_stat look_at_set(__isl_take isl_set *set, void *user)
{
    return look_at_map(isl_map_from_domain(set), user);
}

/* "maps" without number "param" of "params". */
static __isl_give isl_union_map *without(__isl_take isl_union_map *maps,
                                         __isl_keep isl_space *params,
                                         unsigned param)
{
    isl_space *own = isl_union_map_get_space(maps);
    isl_id *id = isl_space_get_dim_id(params, isl_dim_param, param);
    int at = isl_space_find_dim_by_id(own, isl_dim_param, id);

    isl_id_free(id);
    isl_space_free(own);
    return at < 0 ? maps
                  : isl_union_map_project_out(maps, isl_dim_param, (unsigned)at,
                                              1);
}

static __isl_give isl_union_set *without_set(__isl_take isl_union_set *sets,
                                             __isl_keep isl_space *params,
                                             unsigned param)
{
    isl_space *own = isl_union_set_get_space(sets);
    isl_id *id = isl_space_get_dim_id(params, isl_dim_param, param);
    int at = isl_space_find_dim_by_id(own, isl_dim_param, id);

    isl_id_free(id);
    isl_space_free(own);
    return at < 0 ? sets
                  : isl_union_set_project_out(sets, isl_dim_param, (unsigned)at,
                                              1);
}

/* Project parameters out of the statement instances "*domain" and the
 * dependences "*order" and "*near" between them that are in no constraint with
 * a counter.  Those become larger by that, never smaller, and a schedule
 * for them is one for what they were.
 */
void pg_forget_params(isl_union_set **domain, isl_union_map **order,
                      isl_union_map **near)
{
    isl_space *params = isl_space_params(isl_union_set_get_space(*domain));
    isl_size n;
    struct related r;
    bool some = false;
    isl_stat ok;

    params = isl_space_align_params(params, isl_union_map_get_space(*order));
    params = isl_space_align_params(params, isl_union_map_get_space(*near));
    n = isl_space_dim(params, isl_dim_param);
    if (n <= 0) {
        isl_space_free(params);
        return;
    }
    r.params = params;
    r.needed = pg_alloc((size_t)n, sizeof(*r.needed));
    ok = isl_union_set_foreach_set(*domain, &look_at_set, &r);
    if (ok == isl_stat_ok)
        ok = isl_union_map_foreach_map(*order, &look_at_map, &r);
    if (ok == isl_stat_ok)
        ok = isl_union_map_foreach_map(*near, &look_at_map, &r);
    for (unsigned i = 0; ok == isl_stat_ok && i < (unsigned)n; i++) {
        if (r.needed[i])
            continue;
        some = true;
        *domain = without_set(*domain, params, i);
        *order = without(*order, params, i);
        *near = without(*near, params, i);
    }
    if (some) {
        *domain = pg_coalesce_union(*domain);
        *order = pg_coalesce_union_map(*order);
        *near = pg_coalesce_union_map(*near);
    }
    free(r.needed);
    isl_space_free(params);
}
