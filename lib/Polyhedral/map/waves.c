/* waves.c - tiles of permutable bands, in waves.
 *
 * A loop of the host that carries dependences launches kernels for each of its
 * iterations.  Where the statements in it can be ordered by several members
 * along none of which a dependence goes backwards (a permutable band; isl is
 * asked for one without regard to parallelism), tiles of such a band can be run
 * as a whole, one after the other: the sum of a tile's numbers is its wave, and
 * tiles of one wave do not depend on each other (Di and Xue's first level).
 * Each wave is a launch, each tile a block, in which the schedule is as it was,
 * for the threads of one block (nest.c): a wavefront stays one there (their
 * second level), and other loops keep what is parallel in them.  Wavefronts of
 * more loops than tiles have members are left as they are unless tiles are
 * asked for.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/waves.h"
#include "map/grid.h"
#include "schedule/deep.h"
#include "schedule/sizes.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/coalesce.h"
#include "support/text.h"

#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_MEMBERS = 3, /* those beyond have no tiles */
    FAR = 8,  /* a member may be so many times longer than the loop of the */
    NEAR = 64 /* host, and so much */
};

/* Sizes of tiles where the loop of the host is one member of several.  A tile
 * has as many steps as that one has values in it, and all waves together have
 * 1 + SHORT / LONG times those of the loop if there is one other.
 */
enum { SHORT = 32, LONG = 256 };

/* Of wavefronts: the first member is often time, and the last one counts the
 * steps of a tile.
 */
static const long long bent_sizes[MAX_MEMBERS - 1][MAX_MEMBERS] = {{64, 64},
                                                                   {8, 32, 64}};

/* What is looked for. */
struct looking {
    const struct pg_scop *scop;
    isl_schedule_node *band;
    isl_union_set *domain;
    isl_union_map *order; /* the dependences that the band has to keep */
};

/* The dependences among "domain" in one iteration of the host's loops "prefix".
 */
static __isl_give isl_union_map *order_in(__isl_take isl_union_map *order,
                                          __isl_keep isl_union_set *domain,
                                          const struct pg_prefix *prefix)
{
    order = isl_union_map_intersect_domain(order, isl_union_set_copy(domain));
    order = isl_union_map_intersect_range(order, isl_union_set_copy(domain));
    for (; prefix; prefix = prefix->outer)
        if (prefix->value)
            order = isl_union_map_eq_at_multi_union_pw_aff(
                order, isl_multi_union_pw_aff_from_union_pw_aff(
                           isl_union_pw_aff_copy(prefix->value)));
    return order;
}

/* The loops of "prefix", the innermost first. */
static __isl_give isl_union_pw_aff_list *
loops_of(isl_ctx *ctx, const struct pg_prefix *prefix)
{
    isl_union_pw_aff_list *loops = isl_union_pw_aff_list_alloc(ctx, 0);

    for (; prefix; prefix = prefix->outer)
        if (prefix->value)
            loops = isl_union_pw_aff_list_add(
                loops, isl_union_pw_aff_copy(prefix->value));
    return loops;
}

/* Those of "members" that have several values in one iteration of the host's
 * loops "prefix".
 */
static __isl_give isl_union_pw_aff_list *
inner_members(const struct looking *l,
              __isl_take isl_union_pw_aff_list *members,
              const struct pg_prefix *prefix)
{
    isl_union_pw_aff_list *loops = loops_of(l->scop->ctx, prefix);
    isl_size outer = isl_union_pw_aff_list_n_union_pw_aff(loops);
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(members);

    for (int i = n - 1; outer > 0 && i >= 0; i--) {
        isl_set *apart =
            pg_differences(l->domain, isl_union_pw_aff_list_copy(loops),
                           pg_tree_some(members, (unsigned)i, 1));

        if (pg_length(apart) == 1)
            members = isl_union_pw_aff_list_drop(members, (unsigned)i, 1);
        isl_set_free(apart);
    }
    isl_union_pw_aff_list_free(loops);
    return members;
}

/* Does no dependence go backwards along "member"? */
static bool is_forward(const struct looking *l,
                       __isl_take isl_union_pw_aff *member)
{
    isl_union_map *back = isl_union_map_lex_gt_at_multi_union_pw_aff(
        isl_union_map_copy(l->order),
        isl_multi_union_pw_aff_from_union_pw_aff(member));
    bool forward = isl_union_map_is_empty(back) == isl_bool_true;

    isl_union_map_free(back);
    return forward;
}

/* { [a] -> [b] : a > FAR * b + NEAR } */
static __isl_give isl_map *much_longer(isl_ctx *ctx)
{
    isl_space *space = isl_space_alloc(ctx, 0, 1, 1);
    isl_aff *a = isl_aff_var_on_domain(
        isl_local_space_from_space(isl_space_domain(isl_space_copy(space))),
        isl_dim_set, 0);
    isl_aff *b = isl_aff_var_on_domain(
        isl_local_space_from_space(isl_space_range(space)), isl_dim_set, 0);

    b = isl_aff_scale_val(b, isl_val_int_from_si(ctx, FAR));
    b = isl_aff_add_constant_si(b, NEAR);
    return isl_pw_aff_gt_map(isl_pw_aff_from_aff(a), isl_pw_aff_from_aff(b));
}

/* Is "member" for no parameters much longer than the loop "host"? */
static bool is_short(const struct looking *l,
                     __isl_take isl_union_pw_aff *member,
                     __isl_take isl_union_pw_aff *host)
{
    isl_ctx *ctx = l->scop->ctx;
    isl_union_pw_aff_list *none = isl_union_pw_aff_list_alloc(ctx, 0);
    isl_set *ours =
        pg_differences(l->domain, isl_union_pw_aff_list_copy(none),
                       isl_union_pw_aff_list_from_union_pw_aff(member));
    isl_set *theirs = pg_differences(
        l->domain, none, isl_union_pw_aff_list_from_union_pw_aff(host));
    isl_map *near = isl_map_complement(much_longer(ctx));
    bool is;

    near = isl_map_intersect_range(near, theirs);
    ours = isl_set_subtract(ours, isl_map_domain(near));
    is = isl_set_is_empty(ours) == isl_bool_true;
    isl_set_free(ours);
    return is;
}

/* Are tiles of "members" legal, and fewer launches than the host's loop,
 * unless "forced" whatever their number is?
 */
static bool is_good(const struct looking *l,
                    __isl_keep isl_union_pw_aff_list *members, bool forced)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(members);
    bool good = n > 1;

    for (int i = 0; good && i < n; i++) {
        isl_union_pw_aff *member =
            isl_union_pw_aff_list_get_union_pw_aff(members, i);

        good = is_forward(l, isl_union_pw_aff_copy(member)) &&
               (forced || is_short(l, isl_union_pw_aff_copy(member),
                                   pg_tree_outer_loop(l->band)));
        isl_union_pw_aff_free(member);
    }
    return good;
}

/* Have the members begin at zero, as many as are tiled. */
static void take_points(struct pg_waves *waves, const struct looking *l)
{
    isl_union_pw_aff_list *all = waves->tiles.points;
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(all);

    waves->tiles.points = isl_union_pw_aff_list_alloc(l->scop->ctx, n);
    for (int i = 0; i < n && i < MAX_MEMBERS; i++)
        waves->tiles.points = isl_union_pw_aff_list_add(
            waves->tiles.points,
            pg_shift(l->domain,
                     isl_union_pw_aff_list_get_union_pw_aff(all, i)));
    isl_union_pw_aff_list_free(all);
}

/* The tiles of the members. */
static void make(struct pg_waves *waves, const struct looking *l)
{
    isl_union_pw_aff_list *points = waves->tiles.points;
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(points);

    waves->numbers = isl_union_pw_aff_list_alloc(l->scop->ctx, n - 1);
    for (int i = 0; i < n; i++) {
        isl_union_pw_aff *tile =
            pg_tile_of(isl_union_pw_aff_list_get_union_pw_aff(points, i),
                       waves->tiles.sizes[i]);

        if (i + 1 < n)
            waves->numbers = isl_union_pw_aff_list_add(
                waves->numbers, isl_union_pw_aff_copy(tile));
        waves->wave = i ? isl_union_pw_aff_add(waves->wave, tile) : tile;
    }
}

/* The largest power of two such that no member has more tiles than a grid has
 * blocks where the absolute value of no parameter is above it, or 0.
 */
static long long limit_of(const struct pg_waves *waves, const struct looking *l)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(waves->tiles.points);
    long long limit = PG_LARGEST_LIMIT;

    for (int i = 0; limit && i < n; i++) {
        isl_union_pw_aff *point =
            isl_union_pw_aff_list_get_union_pw_aff(waves->tiles.points, i);
        long long own = pg_limit_below(pg_values(l->domain, point),
                                       waves->tiles.sizes[i] * PG_GRID_LIMIT);

        limit = own < limit ? own : limit;
        isl_union_pw_aff_free(point);
    }
    return limit;
}

/* The sizes of tiles, where the loop of the host is member "own" or none: the
 * user's for "kernel", if there are as many.
 */
static void choose_sizes(struct pg_waves *waves, int own, const char *sizes,
                         unsigned kernel)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(waves->tiles.points);
    long long *chosen = waves->tiles.sizes;
    struct pg_kernel_sizes given;
    char *error = pg_sizes_get(sizes, kernel, &given);

    for (int i = 0; i < n; i++)
        if (!error && given.tile.n == (unsigned)n)
            chosen[i] = given.tile.v[i];
        else if (own < 0)
            chosen[i] = bent_sizes[n - 2][i];
        else
            chosen[i] = n == 2 && i != own ? LONG : SHORT;
    free(error);
}

/* Find tiles of the instances at "band", a loop of the host below "prefix",
 * which is to become kernel number "kernel".  Not "forced": only if they are
 * for all parameters fewer launches.  False if there are none, or if isl fails.
 */
bool pg_waves_find(struct pg_waves *waves, const struct pg_scop *scop,
                   __isl_keep isl_schedule_node *band,
                   const struct pg_prefix *prefix, const char *sizes,
                   unsigned kernel, bool forced)
{
    struct looking l = {scop, band, isl_schedule_node_get_domain(band), NULL};
    isl_size n;
    int own = -1;
    bool found;

    memset(waves, 0, sizeof(*waves));
    l.order = order_in(pg_scop_order(scop), l.domain, prefix);
    waves->order = l.order;
    waves->tiles.points = pg_tree_is_wave(band)
                              ? pg_tree_members(band)
                              : pg_deep_members(scop, l.domain, l.order);
    if (waves->tiles.points)
        waves->tiles.points = inner_members(&l, waves->tiles.points, prefix);
    if (waves->tiles.points)
        own = pg_deep_find(waves->tiles.points, band);
    n = isl_union_pw_aff_list_n_union_pw_aff(waves->tiles.points);
    found = waves->tiles.points && (own >= 0 || n <= MAX_MEMBERS || forced) &&
            is_good(&l, waves->tiles.points, forced);
    if (found) {
        take_points(waves, &l);
        choose_sizes(waves, own, sizes, kernel);
        make(waves, &l);
        waves->limit = limit_of(waves, &l);
    }
    isl_union_set_free(l.domain);
    return found && waves->wave && waves->numbers && waves->limit;
}

/* The parameter "name" at the statements of "domain", "factor" times. */
static __isl_give isl_union_pw_aff *times(__isl_keep isl_union_set *domain,
                                          const char *name, long long factor)
{
    isl_ctx *ctx = isl_union_set_get_ctx(domain);
    isl_union_pw_aff *value = isl_union_pw_aff_param_on_domain_id(
        isl_union_set_universe(isl_union_set_copy(domain)),
        isl_id_alloc(ctx, name, NULL));

    return isl_union_pw_aff_scale_val(value,
                                      isl_val_int_from_si(ctx, (long)factor));
}

/* The first point, times -1, of tile number "i" of "n" along its member: of the
 * last one that number is what the wave has beyond the others.
 */
static __isl_give isl_union_pw_aff *
before_tile(const struct pg_band_tiles *tiles, const char *wave,
            __isl_keep isl_union_set *domain, int i, int n)
{
    isl_union_pw_aff *value =
        i + 1 < n ? NULL : times(domain, wave, -tiles->sizes[i]);

    for (int k = 0; k + 1 < n; k++) {
        char *name = pg_format("b%d", n - 2 - k);

        if (i == k)
            value = times(domain, name, -tiles->sizes[i]);
        else if (i + 1 == n)
            value = isl_union_pw_aff_add(value,
                                         times(domain, name, tiles->sizes[i]));
        free(name);
    }
    return value;
}

/* Member number "i" of the band from the first point of the tile on that the
 * block b0, b1 runs, at the statements of "domain".
 */
__isl_give isl_union_pw_aff *pg_waves_in_tile(const struct pg_band_tiles *tiles,
                                              const char *wave,
                                              __isl_keep isl_union_set *domain,
                                              int i)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(tiles->points);
    isl_union_pw_aff *point =
        isl_union_pw_aff_list_get_union_pw_aff(tiles->points, i);

    point = isl_union_pw_aff_intersect_domain(
        point, isl_union_set_universe(isl_union_set_copy(domain)));
    return isl_union_pw_aff_add(point, before_tile(tiles, wave, domain, i, n));
}

/* Those of "domain" that the block b0, b1 runs in the wave with the parameter
 * "wave": its numbers are the tile's, of which none is so large that the grid
 * has not as many blocks.
 */
__isl_give isl_union_set *pg_waves_tile(const struct pg_band_tiles *tiles,
                                        const char *wave,
                                        __isl_take isl_union_set *domain)
{
    isl_ctx *ctx = isl_union_set_get_ctx(domain);
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(tiles->points);
    isl_union_set *every = isl_union_set_universe(isl_union_set_copy(domain));

    for (int i = 0; i < n; i++) {
        isl_union_pw_aff *in = pg_waves_in_tile(tiles, wave, every, i);
        isl_union_pw_aff *last = isl_union_pw_aff_val_on_domain(
            isl_union_set_copy(every),
            isl_val_int_from_si(ctx, (long)tiles->sizes[i] - 1));

        domain = pg_natural(domain, isl_union_pw_aff_copy(in));
        domain = pg_natural(domain, isl_union_pw_aff_sub(last, in));
    }
    isl_union_set_free(every);
    return domain;
}

/* The waves and blocks for some of "domain", as a set of parameters; with some
 * that have nothing to do.
 */
__isl_give isl_set *pg_waves_blocks(const struct pg_band_tiles *tiles,
                                    const char *wave,
                                    __isl_keep isl_union_set *domain)
{
    isl_set *all = isl_union_set_params(
        pg_waves_tile(tiles, wave, isl_union_set_copy(domain)));

    all = isl_set_remove_divs(all);
    return isl_set_from_basic_set(isl_set_simple_hull(all));
}

/* The values from the least to the greatest one of the parameter "name" in
 * "set".
 */
static __isl_give isl_set *range_of(__isl_keep isl_set *set, const char *name)
{
    int at = isl_set_find_dim_by_name(set, isl_dim_param, name);
    isl_set *values = isl_set_from_params(isl_set_copy(set));
    isl_pw_aff *low, *high, *value;
    isl_set *range;

    if (at < 0)
        return isl_set_free(values);
    values = isl_set_move_dims(values, isl_dim_set, 0, isl_dim_param,
                               (unsigned)at, 1);
    low = isl_set_dim_min(isl_set_copy(values), 0);
    high = isl_set_dim_max(values, 0);
    value = isl_pw_aff_param_on_domain_id(
        isl_set_universe(isl_set_get_space(set)),
        isl_set_get_dim_id(set, isl_dim_param, (unsigned)at));
    range = isl_pw_aff_le_set(low, isl_pw_aff_copy(value));
    return isl_set_intersect(range, isl_pw_aff_le_set(value, high));
}

/* The waves for some of "domain", as a set of parameters: those between bounds
 * that all of its statements have; and where these are not all that there is to
 * say, as if one statement runs for one size and another one for the other
 * sizes, from the first to the last one that has a tile.
 */
__isl_give isl_set *pg_waves_when(const struct pg_band_tiles *tiles,
                                  const char *wave,
                                  __isl_keep isl_union_set *domain)
{
    isl_set *all = isl_union_set_params(
        pg_waves_tile(tiles, wave, isl_union_set_copy(domain)));
    isl_set *hull;

    for (unsigned d = 0; d < PG_MAX_GRID; d++)
        all = pg_without_block(all, d);
    all = pg_coalesce(isl_set_remove_divs(all));
    hull = isl_set_from_basic_set(isl_set_simple_hull(isl_set_copy(all)));
    if (isl_set_is_subset(hull, all) == isl_bool_false)
        hull = isl_set_intersect(hull, range_of(all, wave));
    isl_set_free(all);
    return hull;
}

void pg_waves_clear(struct pg_waves *waves)
{
    isl_union_pw_aff_list_free(waves->tiles.points);
    isl_union_pw_aff_list_free(waves->numbers);
    isl_union_pw_aff_free(waves->wave);
    isl_union_map_free(waves->order);
}
