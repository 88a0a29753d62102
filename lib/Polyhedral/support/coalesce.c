/* coalesce.c - sets and maps in fewer pieces, the same ones.
 *
 * Up to isl 0.26, isl_map_coalesce adds elements where a piece has quotients
 * that are constant in another (isl's commit 11c6e46c tells how): it joins {
 * 0, 1 } and { 0, 2, 4 } to { 0, 1, 2, 3, 4, 5 }.  Polly and isl itself ask
 * it as well, for domains, contexts, pieces of functions and loops.  So
 * whatever links the core has the linker replace it: CMakeLists.txt passes
 * --wrap, with which calls of isl_map_coalesce and isl_set_coalesce from
 * other files go to the two functions at the end of this one, and
 * __real_isl_map_coalesce is isl's.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/coalesce.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"
#include "support/work.h"

#include <stdlib.h>
#include <string.h>

__isl_give isl_map *__real_isl_map_coalesce(__isl_take isl_map *map);
__isl_give isl_map *__wrap_isl_map_coalesce(__isl_take isl_map *map);
__isl_give isl_set *__wrap_isl_set_coalesce(__isl_take isl_set *set);

/* For tests of what else notices (pg_coalesce_unchecked). */
static _Thread_local bool unchecked = false;

void pg_coalesce_unchecked(bool on)
{
    unchecked = on;
}

/* Pairs of so many pieces are looked at one by one. */
enum { max_pieces = 16 };

static isl_stat stop_at_locals(__isl_take isl_basic_map *piece, void *user)
{
    isl_size n = isl_basic_map_dim(piece, isl_dim_div);

    (void)user;
    isl_basic_map_free(piece);
    return n == 0 ? isl_stat_ok : isl_stat_error;
}

/* Has a piece of "map" remainders or quotients?  Only there isl is wrong: it
 * takes them for dimensions of their own.  True if that is not known.
 */
static bool has_locals(__isl_keep isl_map *map)
{
    return isl_map_foreach_basic_map(map, &stop_at_locals, NULL) != isl_stat_ok;
}

/* Is "piece" one of the pieces of "map", as it is written? */
static bool is_piece(__isl_keep isl_map *piece, __isl_keep isl_map *map)
{
    isl_basic_map_list *pieces = isl_map_get_basic_map_list(map);
    isl_size n = isl_basic_map_list_n_basic_map(pieces);
    bool found = false;

    for (isl_size i = 0; i < n && !found; ++i) {
        isl_map *other =
            isl_map_from_basic_map(isl_basic_map_list_get_at(pieces, i));

        found = isl_map_plain_is_equal(piece, other) == isl_bool_true;
        isl_map_free(other);
    }
    isl_basic_map_list_free(pieces);
    return found;
}

/* Has "joined" no element that "map" has not?  A piece that isl has left as it
 * was need not be looked at, and isl leaves one out only where another one
 * holds it; what it does wrong is a piece made of two with more than both have.
 */
static bool adds_nothing(__isl_keep isl_map *joined, __isl_keep isl_map *map)
{
    isl_basic_map_list *pieces = isl_map_get_basic_map_list(joined);
    isl_size n = isl_basic_map_list_n_basic_map(pieces);
    isl_map *made = isl_map_empty(isl_map_get_space(map));
    bool nothing;

    for (isl_size i = 0; i < n; ++i) {
        isl_map *piece =
            isl_map_from_basic_map(isl_basic_map_list_get_at(pieces, i));

        if (is_piece(piece, map))
            isl_map_free(piece);
        else
            made = isl_map_union(made, piece);
    }
    nothing = n >= 0 && isl_map_is_subset(made, map) == isl_bool_true;
    isl_map_free(made);
    isl_basic_map_list_free(pieces);
    return nothing;
}

/* "map" as isl joins its pieces, and in "right" whether that is the same map.
 * Where no piece has gone, none was changed.
 */
static __isl_give isl_map *join(__isl_keep isl_map *map, bool *right)
{
    isl_map *joined = __real_isl_map_coalesce(isl_map_copy(map));

    *right =
        joined &&
        (unchecked || isl_map_n_basic_map(joined) == isl_map_n_basic_map(map) ||
         !has_locals(map) || adds_nothing(joined, map));
    return joined;
}

/* Add "piece" to "kept", joined with those with which that can be done. */
static __isl_give isl_map_list *add_piece(__isl_take isl_map_list *kept,
                                          __isl_take isl_map *piece)
{
    for (isl_size i = 0; i < isl_map_list_n_map(kept); ++i) {
        isl_map *pair =
            isl_map_union(isl_map_list_get_at(kept, i), isl_map_copy(piece));
        bool right;
        isl_map *joined = join(pair, &right);

        isl_map_free(pair);
        if (!right || isl_map_n_basic_map(joined) != 1) {
            isl_map_free(joined);
            continue;
        }
        isl_map_free(piece);
        piece = joined;
        kept = isl_map_list_drop(kept, i, 1);
        i = -1;
    }
    return isl_map_list_add(kept, piece);
}

/* "map" with such pairs of its pieces joined that isl joins rightly. */
static __isl_give isl_map *join_pairs(__isl_take isl_map *map)
{
    isl_basic_map_list *pieces = isl_map_get_basic_map_list(map);
    isl_size n = isl_basic_map_list_n_basic_map(pieces);
    isl_map_list *kept = isl_map_list_alloc(isl_map_get_ctx(map), n);
    isl_map *all = isl_map_empty(isl_map_get_space(map));

    for (isl_size i = 0; i < n; ++i)
        kept = add_piece(
            kept, isl_map_from_basic_map(isl_basic_map_list_get_at(pieces, i)));
    isl_basic_map_list_free(pieces);
    n = isl_map_list_n_map(kept);
    for (isl_size i = 0; i < n; ++i)
        all = isl_map_union(all, isl_map_list_get_at(kept, i));
    if (n < 0)
        all = isl_map_free(all);
    isl_map_list_free(kept);
    isl_map_free(map);
    return all;
}

/* The last maps of several pieces and what became of them, the last used first.
 * isl asks again and again for the same ones while it makes loops: once for
 * each expression inside of a loop.
 */
enum { KEPT = 8 };

static _Thread_local struct pair {
    isl_map *map, *joined;
} *kept = NULL;

static void put_first(unsigned from, struct pair first)
{
    memmove(&kept[1], &kept[0], from * sizeof(*kept));
    kept[0] = first;
}

/* What became of "map", NULL if that is not known. */
static __isl_give isl_map *known(__isl_keep isl_map *map)
{
    for (unsigned i = 0; kept && i < KEPT && kept[i].map; i++) {
        struct pair pair = kept[i];

        if (isl_map_get_ctx(pair.map) != isl_map_get_ctx(map) ||
            isl_map_n_basic_map(pair.map) != isl_map_n_basic_map(map) ||
            isl_map_plain_is_equal(pair.map, map) != isl_bool_true)
            continue;
        put_first(i, pair);
        return isl_map_copy(pair.joined);
    }
    return NULL;
}

static void free_pair(struct pair pair)
{
    isl_map_free(pair.map);
    isl_map_free(pair.joined);
}

static void keep(__isl_take isl_map *map, __isl_keep isl_map *joined)
{
    struct pair pair = {map, isl_map_copy(joined)};

    if (!kept)
        kept = pg_alloc(KEPT, sizeof(*kept));
    free_pair(kept[KEPT - 1]);
    put_first(KEPT - 1, pair);
}

/* Forget what became of the maps in "ctx". */
void pg_coalesce_forget(isl_ctx *ctx)
{
    unsigned n = 0;

    for (unsigned i = 0; kept && i < KEPT && kept[i].map; i++) {
        struct pair pair = kept[i];

        kept[i] = (struct pair){NULL, NULL};
        if (isl_map_get_ctx(pair.map) == ctx)
            free_pair(pair);
        else
            kept[n++] = pair;
    }
    if (n > 0)
        return;
    free(kept);
    kept = NULL;
}

/* "map" in fewer pieces. */
static __isl_give isl_map *coalesce(__isl_take isl_map *map)
{
    isl_map *joined;
    bool right;
    isl_size n = isl_map_n_basic_map(map);

    joined = join(map, &right);
    if (right || !joined) {
        isl_map_free(map);
        return joined;
    }
    isl_map_free(joined);
    return 2 < n && n <= max_pieces ? join_pairs(map) : map;
}

/* "map" in fewer pieces. */
__isl_give isl_map *pg_coalesce_map(__isl_take isl_map *map)
{
    isl_size n = isl_map_n_basic_map(map);
    isl_map *joined, *before;

    if (n < 0)
        return isl_map_free(map);
    if (n <= 1 || unchecked || !pg_work_in_phase(isl_map_get_ctx(map)))
        return coalesce(map);
    joined = known(map);
    if (joined) {
        isl_map_free(map);
        return joined;
    }
    before = isl_map_copy(map);
    joined = coalesce(map);
    if (joined)
        keep(before, joined);
    else
        isl_map_free(before);
    return joined;
}

/* "set" in fewer pieces.  A set of isl is a map without domain, the same
 * object under another name.
 */
__isl_give isl_set *pg_coalesce(__isl_take isl_set *set)
{
    return (isl_set *)pg_coalesce_map((isl_map *)set);
}

static isl_stat add_coalesced(__isl_take isl_map *map, void *user)
{
    isl_union_map **all = user;

    *all = isl_union_map_add_map(*all, pg_coalesce_map(map));
    return *all ? isl_stat_ok : isl_stat_error;
}

/* Each of the maps of "maps" in fewer pieces. */
__isl_give isl_union_map *pg_coalesce_union_map(__isl_take isl_union_map *maps)
{
    isl_union_map *all = isl_union_map_empty(isl_union_map_get_space(maps));

    if (isl_union_map_foreach_map(maps, &add_coalesced, &all) != isl_stat_ok)
        all = isl_union_map_free(all);
    isl_union_map_free(maps);
    return all;
}

/* Each of the sets of "sets" in fewer pieces. */
__isl_give isl_union_set *pg_coalesce_union(__isl_take isl_union_set *sets)
{
    return (isl_union_set *)pg_coalesce_union_map((isl_union_map *)sets);
}

__isl_give isl_map *__wrap_isl_map_coalesce(__isl_take isl_map *map)
{
    return pg_coalesce_map(map);
}

__isl_give isl_set *__wrap_isl_set_coalesce(__isl_take isl_set *set)
{
    return pg_coalesce(set);
}
