/* coalesce.c - sets and maps in fewer pieces, the same ones.
 *
 * isl's functions of that name add elements now and then: they join { 0, 1 }
 * and { 0, 2, 4 } to { 0, 1, 2, 3, 4, 5 }.  Where that matters, these are asked
 * instead; they keep the pieces if isl is wrong.  isl also asks them itself
 * when it makes loops, so sets are given other pieces then.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "internal.h"

/* "map" in fewer pieces. */
__isl_give isl_map *pg_coalesce_map(__isl_take isl_map *map)
{
    isl_map *joined;

    if (isl_map_n_basic_map(map) < 2)
        return map;
    joined = isl_map_coalesce(isl_map_copy(map));
    if (isl_map_is_equal(joined, map) == isl_bool_true) {
        isl_map_free(map);
        return joined;
    }
    isl_map_free(joined);
    return map;
}

/* "set" in fewer pieces, or in disjoint ones if isl joins its pieces wrongly.
 */
__isl_give isl_set *pg_coalesce(__isl_take isl_set *set)
{
    isl_set *joined;

    if (isl_set_n_basic_set(set) < 2)
        return set;
    joined = isl_set_coalesce(isl_set_copy(set));
    if (isl_set_is_equal(joined, set) == isl_bool_true) {
        isl_set_free(set);
        return joined;
    }
    isl_set_free(joined);
    return isl_set_make_disjoint(set);
}

/* Does isl join the pieces of "set" rightly? */
isl_bool pg_coalesces(__isl_keep isl_set *set)
{
    isl_set *joined = isl_set_coalesce(isl_set_copy(set));
    isl_bool right = isl_set_is_equal(joined, set);

    isl_set_free(joined);
    return right;
}

static isl_stat add_coalesced(__isl_take isl_set *set, void *user)
{
    isl_union_set **all = user;

    *all = isl_union_set_add_set(*all, pg_coalesce(set));
    return *all ? isl_stat_ok : isl_stat_error;
}

/* Each of the sets of "sets" in fewer pieces. */
__isl_give isl_union_set *pg_coalesce_union(__isl_take isl_union_set *sets)
{
    isl_union_set *all = isl_union_set_empty(isl_union_set_get_space(sets));

    if (isl_union_set_foreach_set(sets, &add_coalesced, &all) != isl_stat_ok)
        all = isl_union_set_free(all);
    isl_union_set_free(sets);
    return all;
}
