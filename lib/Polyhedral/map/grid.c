/* grid.c - how many blocks and threads a mapping has.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/grid.h"
#include "map/instances.h"
#include "map/shape.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"
#include "support/values.h"

#include <isl/constraint.h>
#include <isl/id.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

/* Of more statements isl takes loops over tiles apart with fewer operations
 * than conditions on the number of a block: of 38 in benchmarks/stress those
 * were more than a phase may take.
 */
enum { MANY_STATEMENTS = 16 };

/* How many numbers of blocks there are for the tiles of "member", whose values
 * at "domain" say which tile an instance is in: one for each tile, or where
 * these may be negative a fixed number, by which they are taken modulo, and for
 * many statements.
 */
long long pg_grid_size(__isl_keep isl_union_set *domain,
                       __isl_keep isl_union_pw_aff *member)
{
    isl_set *values = pg_values(domain, member);
    isl_bool natural = pg_is_natural(values);

    isl_set_free(values);
    if (isl_union_set_n_set(domain) > MANY_STATEMENTS)
        return PG_GRID_LIMIT;
    return natural == isl_bool_true ? PG_GRID_ALL : PG_GRID_LIMIT;
}

/* "set" without the parameter that is the block's number in dimension "d". */
__isl_give isl_set *pg_without_block(__isl_take isl_set *set, unsigned d)
{
    char *name = pg_format("b%u", d);
    isl_id *id = isl_id_alloc(isl_set_get_ctx(set), name, NULL);

    free(name);
    return isl_set_project_out_param_id(set, id);
}

/* The numbers of the blocks of tiles in dimension "d", { [b] }. */
static __isl_give isl_set *numbers_of(__isl_take isl_set *blocks, unsigned d)
{
    char *name = pg_format("b%u", d);
    int at;

    for (unsigned other = 0; other < 3; other++)
        if (other != d)
            blocks = pg_without_block(blocks, other);
    at = isl_set_find_dim_by_name(blocks, isl_dim_param, name);
    free(name);
    blocks = isl_set_from_params(blocks);
    if (at < 0)
        return isl_set_free(blocks);
    return isl_set_move_dims(blocks, isl_dim_set, 0, isl_dim_param,
                             (unsigned)at, 1);
}

/* Upper bounds of a block's number. */
struct uppers {
    const struct pg_kernel *kernel;
    isl_constraint *best[2]; /* without and with loops of the host */
    int n_param[2];          /* that occur in it */
};

/* Does the name of parameter "i" of "c" belong to a loop of the host? */
static bool is_host(const struct pg_kernel *kernel,
                    __isl_keep isl_constraint *c, int i)
{
    const char *name =
        isl_constraint_get_dim_name(c, isl_dim_param, (unsigned)i);

    for (unsigned h = 0; h < kernel->n_host; h++)
        if (!strcmp(name, kernel->host[h]))
            return true;
    return false;
}

/* Is "c" an upper bound of the block's number, or does it say which one it is?
 */
static isl_bool is_upper(__isl_keep isl_constraint *c)
{
    return isl_constraint_is_equality(c) == isl_bool_true
               ? isl_constraint_involves_dims(c, isl_dim_set, 0, 1)
               : isl_constraint_is_upper_bound(c, isl_dim_set, 0);
}

/* Keep "c" if it is an upper bound with fewer parameters than that before. */
static isl_stat keep_upper(__isl_take isl_constraint *c, void *user)
{
    struct uppers *u = user;
    int n = 0, host = 0;

    for (int i = 0; i < isl_constraint_dim(c, isl_dim_param); i++)
        if (isl_constraint_involves_dims(c, isl_dim_param, (unsigned)i, 1)) {
            n++;
            host |= is_host(u->kernel, c, i);
        }
    if (is_upper(c) == isl_bool_true &&
        (!u->best[host] || n < u->n_param[host])) {
        isl_constraint_free(u->best[host]);
        u->best[host] = c;
        u->n_param[host] = n;
    } else {
        isl_constraint_free(c);
    }
    return isl_stat_ok;
}

/* The bound that "c" is, [n] -> { [n] }, or "other" if it is none, or the
 * smaller one.
 */
static __isl_give isl_pw_aff *bounded(__isl_take isl_pw_aff *other,
                                      __isl_take isl_constraint *c)
{
    isl_pw_aff *bound;

    if (!c)
        return other;
    bound = isl_pw_aff_from_aff(
        isl_aff_floor(isl_constraint_get_bound(c, isl_dim_set, 0)));
    bound = isl_pw_aff_project_domain_on_params(bound);
    isl_constraint_free(c);
    return other ? isl_pw_aff_min(other, bound) : bound;
}

/* How many blocks tiles need in dimension "d", or some more, whose tiles are
 * empty, at least 0: { kernel[h] -> [n] }.
 */
static __isl_give isl_pw_aff *count_tiles(const struct pg_gridded *m,
                                          unsigned d)
{
    struct uppers u = {m->kernel, {NULL, NULL}, {0, 0}};
    isl_set *numbers = numbers_of(isl_set_copy(m->blocks), d);
    isl_basic_set *hull = isl_set_simple_hull(isl_set_remove_divs(numbers));
    isl_pw_multi_aff *most;
    isl_pw_aff *count, *none;
    isl_map *map;

    isl_basic_set_foreach_constraint(hull, &keep_upper, &u);
    isl_basic_set_free(hull);
    count = bounded(bounded(NULL, u.best[0]), u.best[1]);
    map = isl_map_from_range(isl_set_from_pw_aff(count));
    most =
        isl_pw_multi_aff_from_map(pg_host_to_input(m->kernel, m->number, map));
    count = isl_pw_multi_aff_get_pw_aff(most, 0);
    isl_pw_multi_aff_free(most);
    count = isl_pw_aff_add_constant_val(
        count, isl_val_one(isl_set_get_ctx(m->blocks)));
    // Of a wave without tiles the bounds may contradict each other.
    none = isl_pw_aff_val_on_domain(isl_pw_aff_domain(isl_pw_aff_copy(count)),
                                    isl_val_zero(isl_set_get_ctx(m->blocks)));
    return isl_pw_aff_max(count, none);
}

/* How many blocks the i-th member of the grid needs, { kernel[h] -> [n] }: one
 * more than the largest number of a tile, but at most as many as the grid has
 * where tiles share them.
 */
static __isl_give isl_pw_aff *count_blocks(const struct pg_gridded *m,
                                           unsigned i)
{
    isl_ctx *ctx = isl_union_pw_aff_list_get_ctx(m->members);
    unsigned at = m->shape->member[i];
    isl_union_pw_aff *member =
        isl_union_pw_aff_list_get_union_pw_aff(m->members, (int)at);
    isl_set *set = pg_values(m->kernel->domain, member);
    isl_bool natural = pg_is_natural(set);
    isl_val *grid = isl_val_int_from_si(ctx, (long)m->shape->grid[i]);
    isl_pw_aff *count, *limit;
    isl_pw_multi_aff *most;
    isl_map *map;

    isl_union_pw_aff_free(member);
    count = isl_pw_aff_coalesce(isl_set_dim_max(set, 0));
    map = isl_map_from_range(isl_set_from_pw_aff(count));
    map = pg_host_to_input(m->kernel, m->number, map);
    most = isl_pw_multi_aff_from_map(map);
    count = isl_pw_multi_aff_get_pw_aff(most, 0);
    isl_pw_multi_aff_free(most);
    limit = isl_pw_aff_val_on_domain(isl_pw_aff_domain(isl_pw_aff_copy(count)),
                                     grid);
    if (natural != isl_bool_true) {
        isl_pw_aff_free(count);
        return natural < 0 ? isl_pw_aff_free(limit) : limit;
    }
    count = isl_pw_aff_scale_down_val(
        count, isl_val_int_from_si(ctx, (long)m->shape->tile[at]));
    count = isl_pw_aff_floor(count);
    count = isl_pw_aff_add(count, isl_pw_aff_val_on_domain(
                                      isl_pw_aff_domain(isl_pw_aff_copy(count)),
                                      isl_val_one(ctx)));
    if (m->shape->grid[i] == PG_GRID_ALL) {
        isl_pw_aff_free(limit);
        return isl_pw_aff_coalesce(count);
    }
    return isl_pw_aff_coalesce(isl_pw_aff_min(count, limit));
}

/* The largest value of "blocks", but at most "limit". */
static unsigned tighten(__isl_keep isl_pw_aff *blocks, long long limit)
{
    isl_map *map = isl_map_from_pw_aff(isl_pw_aff_copy(blocks));
    isl_val *most = pg_largest_value(isl_map_range(map));

    if (isl_val_is_int(most) == isl_bool_true &&
        isl_val_cmp_si(most, (long)limit) < 0 && isl_val_cmp_si(most, 1) >= 0)
        limit = isl_val_get_num_si(most);
    isl_val_free(most);
    return (unsigned)limit;
}

/* Fill in what the mapping says of its grid and block. */
isl_stat pg_grid_describe(const struct pg_gridded *m,
                          struct pg_mapping *mapping)
{
    const struct pg_shape *shape = m->shape;

    for (unsigned i = 0; i < 3; i++)
        mapping->block[i] = mapping->grid_limit[i] = 1;
    if (!m->kernel->parallel)
        return isl_stat_ok;
    mapping->n_grid = shape->n_grid;
    mapping->n_block = shape->n_block;
    for (unsigned i = 0; i < shape->n_grid; i++) {
        unsigned d = shape->n_grid - 1 - i, at = shape->member[i];

        mapping->blocks[d] = m->blocks ? count_tiles(m, d) : count_blocks(m, i);
        mapping->tiling.member[d] =
            isl_union_pw_aff_list_get_union_pw_aff(m->members, (int)at);
        mapping->tiling.tile[d] = shape->tile[at];
        mapping->tiling.grid[d] = shape->grid[i];
        mapping->tiling.place[d] = at;
        mapping->grid_limit[d] = tighten(mapping->blocks[d], shape->grid[i]);
        if (!mapping->blocks[d])
            return isl_stat_error;
    }
    for (unsigned i = 0; i < shape->n_block; i++)
        mapping->block[shape->n_block - 1 - i] = (unsigned)shape->block[i];
    if (shape->n_inner) {
        mapping->n_block = 1;
        mapping->block[0] = (unsigned)shape->n_inner;
    }
    return isl_stat_ok;
}
