/* shape.c - tile and block sizes of a kernel, and its x direction.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/shape.h"
#include "polygpu/polyhedral.h"
#include "schedule/sizes.h"
#include "scop/scop.h"
#include "support/phase.h"

#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>
#include <limits.h>
#include <stdlib.h>

enum {
    INNER_THREADS = 256,
    WARP = 32,
    Z_THREADS = 64, /* of a block in z, at most (CUDA) */
    NEAR = 4        /* elements between those of neighbours in x */
};

/* What a kernel with one, two, or more parallel loops gets when the user says
 * nothing; from the outermost loop inwards.
 */
static const long long default_tile[3][3] = {{256}, {32, 32}, {4, 8, 32}};
static const long long default_block[3][3] = {{256}, {8, 32}, {4, 4, 32}};

/* The smaller one. */
static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The first "n" members go to blocks. */
void pg_shape_grid(struct pg_shape *shape, unsigned n)
{
    shape->n_grid = n;
    for (unsigned i = 0; i < n; i++)
        shape->member[i] = i;
}

/* Which of "n" members go to blocks: all if the grid has as many dimensions,
 * else those with the most tiles, and of these the innermost ones and then the
 * outermost one, which may be a long loop around short ones.  The others are
 * loops of a thread.
 */
static void choose_grid(struct pg_shape *shape, unsigned n,
                        const long long *extent)
{
    bool taken[PG_MAX_SIZES] = {false};

    shape->n_grid = 0;
    for (unsigned round = 0; round < least(n, PG_MAX_GRID); round++) {
        long long most = -1;
        unsigned best = 0;

        for (unsigned i = 0; i < n; i++) {
            // From the innermost one, but the outermost one third.
            unsigned d = i < 2 ? n - 1 - i : i == 2 ? 0 : n - i;
            long long tiles =
                extent[d] ? (extent[d] - 1) / shape->tile[d] + 1 : LLONG_MAX;

            if (!taken[d] && tiles > most) {
                most = tiles;
                best = d;
            }
        }
        taken[best] = true;
    }
    for (unsigned d = 0; d < n; d++)
        if (taken[d])
            shape->member[shape->n_grid++] = d;
}

/* Have the "i"-th member of the block, with "n" values or 0, as many threads as
 * make "threads" of all together, and as many points of each as before.
 */
static void widen(struct pg_shape *shape, unsigned i, long long threads,
                  long long n)
{
    long long *tile = &shape->tile[shape->first_thread + i];
    long long points = *tile / shape->block[i];

    for (unsigned other = 0; other < shape->n_block; other++)
        if (other != i)
            threads /= shape->block[other];
    if (i + 1 == shape->n_block)
        threads -= threads % WARP;
    if (i + 3 == shape->n_block && threads > Z_THREADS)
        threads = Z_THREADS;
    if (n && threads > n)
        threads = n;
    shape->block[i] = threads;
    *tile = threads * points;
}

/* "a" / "b", rounded up. */
static long long ceil_div(long long a, long long b)
{
    return (a + b - 1) / b;
}

/* If the "i"-th member of the block, which has "n" values, has less than three
 * quarters of its threads at work, give it tiles and threads that these are a
 * multiple of, or almost: of 9 values 5 threads have two, not 8.
 */
static bool fit(struct pg_shape *shape, unsigned i, long long n)
{
    long long *tile = &shape->tile[shape->first_thread + i];
    long long *threads = &shape->block[i], rest = n % *tile, steps;

    steps = n / *tile * ceil_div(*tile, *threads) + ceil_div(rest, *threads);
    if (4 * n >= 3 * steps * *threads)
        return false;
    *tile = ceil_div(n, ceil_div(n, *tile));
    steps = ceil_div(*tile, *threads);
    *threads = ceil_div(*tile, steps);
    *tile = *threads * steps;
    return true;
}

/* Threads of a block that would have nothing to do because a loop is shorter
 * than the block go to others: blocks are as long as such a loop, and in the
 * innermost one that is longer as wide as makes up for it.  Neighbours in short
 * rows of an array are neighbours in a warp then.
 */
static void spread_threads(struct pg_shape *shape, const long long *extent)
{
    long long threads = 1;
    int longer = -1;
    bool shorter = false;

    for (unsigned i = 0; i < shape->n_block; i++) {
        long long n = extent[shape->first_thread + i];

        threads *= shape->block[i];
        if (n && n < shape->block[i]) {
            shape->tile[shape->first_thread + i] = shape->block[i] = n;
            shorter = true;
        } else if (n && i + 1 < shape->n_block && fit(shape, i, n)) {
            shorter = true;
        } else if (n != shape->block[i]) {
            longer = (int)i;
        }
    }
    if (shorter && longer >= 0)
        widen(shape, (unsigned)longer, threads,
              extent[shape->first_thread + (unsigned)longer]);
}

/* Choose which members of a band are tiled and mapped, and the sizes; "extent"
 * says how many values each parallel one has, 0 for what depends on parameters.
 * Only parallel members are tiled unless the user gives more tile sizes and the
 * band is permutable.  At most three of the tiled parallel loops go to blocks,
 * and at most the three innermost to threads; the last of each is x.
 */
isl_stat pg_shape_choose(struct pg_shape *shape, struct pg_phase *phase,
                         const char *sizes, unsigned kernel, unsigned n_member,
                         unsigned n_parallel, bool permutable,
                         const long long *extent)
{
    struct pg_kernel_sizes given;
    char *error = pg_sizes_get(sizes, kernel, &given);
    unsigned n, kind,
        limit = least(permutable ? n_member : n_parallel, PG_MAX_SIZES);

    if (error) {
        pg_phase_fail(phase, PG_UNSUPPORTED, NULL,
                      "the sizes '%s' are not understood: %s; please report "
                      "this with the source",
                      sizes, error);
        free(error);
        return isl_stat_error;
    }
    shape->n_tile = least(given.tile.n ? given.tile.n : n_parallel, limit);
    n = least(n_parallel, shape->n_tile);
    kind = least(n_parallel, 3);
    for (unsigned i = 0; i < shape->n_tile; i++) {
        unsigned back = n_parallel - i;

        shape->tile[i] = 1;
        if (given.tile.n)
            shape->tile[i] = given.tile.v[i];
        else if (back <= kind)
            shape->tile[i] = default_tile[kind - 1][kind - back];
    }
    shape->n_block = least(n, PG_MAX_BLOCK);
    shape->first_thread = n - shape->n_block;
    if (given.block.n)
        shape->n_block = least(shape->n_block, given.block.n);
    // With fewer sizes of tiles than parallel loops, those with tiles count.
    kind = shape->n_block;
    for (unsigned i = 0; i < shape->n_block; i++) {
        long long tile = shape->tile[shape->first_thread + i];

        shape->block[i] =
            given.block.n ? given.block.v[i] : default_block[kind - 1][i];
        if (shape->block[i] > tile)
            shape->block[i] = tile;
    }
    if (!given.tile.n && !given.block.n && n > 1)
        spread_threads(shape, extent);
    // The user's grid is for the outermost loops.
    if (given.grid.n || given.tile.n)
        pg_shape_grid(shape, least(least(n, PG_MAX_GRID),
                                   given.grid.n ? given.grid.n : n));
    else
        choose_grid(shape, n, extent);
    for (unsigned i = 0; i < shape->n_grid; i++)
        shape->grid[i] = given.grid.n ? given.grid.v[i] : 0;
    return isl_stat_ok;
}

/* Choose the sizes of a kernel whose one parallel loop goes to blocks while
 * loops inside of it, with numbers up to "most" (negative: not known), go to
 * threads: blocks of one iteration and of 256 threads, or just as many warps
 * as have something to do.  With less than a warp of work for the threads, and
 * no size from the user, n_inner is 0: this is not worth it.  "chain": not 0 if
 * one block runs all, of at most so many threads, which is worth it always.
 */
isl_stat pg_shape_inner(struct pg_shape *shape, struct pg_phase *phase,
                        const char *sizes, unsigned kernel, long long chain,
                        long long most)
{
    long long threads = chain ? chain : INNER_THREADS;
    struct pg_kernel_sizes given;
    char *error = pg_sizes_get(sizes, kernel, &given);

    if (error) {
        pg_phase_fail(phase, PG_UNSUPPORTED, NULL,
                      "the sizes '%s' are not understood: %s; please report "
                      "this with the source",
                      sizes, error);
        free(error);
        return isl_stat_error;
    }
    shape->n_tile = 1;
    shape->n_block = shape->first_thread = 0;
    pg_shape_grid(shape, 1);
    shape->tile[0] = given.tile.n ? given.tile.v[0] : 1;
    shape->grid[0] = given.grid.n ? given.grid.v[0] : 0;
    shape->n_inner = threads;
    if (given.block.n)
        shape->n_inner = given.block.v[0];
    else if (!chain && most >= 0 && most + 1 < WARP)
        shape->n_inner = 0;
    else if (most >= 0 && most < threads)
        shape->n_inner = (most / WARP + 1) * WARP;
    return isl_stat_ok;
}

/* The sizes of a kernel of which each block, of block[0] x block[1] threads,
 * runs one tile, whose numbers are the members.
 */
void pg_shape_tiles(struct pg_shape *shape, unsigned n_parallel,
                    const long long *block)
{
    shape->n_tile = n_parallel;
    pg_shape_grid(shape, n_parallel);
    for (unsigned i = 0; i < n_parallel; i++) {
        shape->tile[i] = 1;
        shape->grid[i] = PG_GRID_LIMIT;
    }
    shape->first_thread = 0;
    shape->n_block = block[1] > 1 ? 2 : 1;
    shape->block[shape->n_block - 1] = (block[0] + WARP - 1) / WARP * WARP;
    if (block[1] > 1)
        shape->block[0] = block[1];
    shape->n_inner = 0;
}

/* 2 if the elements { A[x] -> A[y] } of neighbours are next to each other, 1
 * if they are the same, or near: a warp has a few times as many sectors to move
 * then, but not one for each thread.  Else 0.
 */
static int rate(__isl_take isl_map *steps)
{
    isl_set *deltas = isl_set_detect_equalities(isl_map_deltas(steps));
    isl_size n = isl_set_dim(deltas, isl_dim_set);
    int score = isl_set_is_empty(deltas) ? 0 : 1;

    for (int d = 0; score && d < n; d++) {
        isl_val *v =
            isl_set_plain_get_val_if_fixed(deltas, isl_dim_set, (unsigned)d);

        if (isl_val_is_int(v) == isl_bool_true)
            v = isl_val_abs(v);
        if (d == n - 1 && isl_val_is_one(v) == isl_bool_true)
            score = 2;
        else if (isl_val_is_int(v) != isl_bool_true ||
                 isl_val_cmp_si(v, d == n - 1 ? NEAR : 0) > 0)
            score = 0;
        isl_val_free(v);
    }
    isl_set_free(deltas);
    return score;
}

/* { S[i] -> S[i'] }: i' comes in the next iteration of the first dimension of
 * "schedule", { S[i] -> [member, everything else] }.
 */
static __isl_give isl_map *next_of(__isl_take isl_map *schedule)
{
    isl_space *space = isl_space_range(isl_map_get_space(schedule));
    isl_size n = isl_map_dim(schedule, isl_dim_out);
    isl_map *step = isl_map_universe(isl_space_map_from_set(space));

    for (int d = 1; d < n; d++)
        step = isl_map_equate(step, isl_dim_in, d, isl_dim_out, d);
    {
        isl_constraint *next = isl_constraint_alloc_equality(
            isl_local_space_from_space(isl_map_get_space(step)));

        next = isl_constraint_set_coefficient_si(next, isl_dim_out, 0, 1);
        next = isl_constraint_set_coefficient_si(next, isl_dim_in, 0, -1);
        next = isl_constraint_set_constant_si(next, -1);
        step = isl_map_add_constraint(step, next);
    }
    step = isl_map_apply_domain(step, isl_map_reverse(isl_map_copy(schedule)));
    return isl_map_apply_range(step, isl_map_reverse(schedule));
}

/* { A[x] -> A[y] } of an access in an iteration and in the next one. */
static __isl_give isl_map *elements_of(__isl_keep isl_map *step,
                                       const struct pg_access *access)
{
    isl_map *elements = isl_map_apply_domain(isl_map_copy(step),
                                             isl_map_copy(access->relation));

    return isl_map_apply_range(elements, isl_map_copy(access->relation));
}

/* How well the accesses of one statement suit "member" as the x direction:
 * "schedule" is { S[i] -> [member, everything else] }.
 */
static int rate_stmt(const struct pg_stmt *stmt, __isl_take isl_map *schedule)
{
    isl_map *step = next_of(schedule);
    int score = 0;

    for (unsigned i = 0; i < stmt->n_access; i++) {
        int one = rate(elements_of(step, &stmt->accesses[i]));

        score += 8 * one + (stmt->accesses[i].write && one > 1);
    }
    isl_map_free(step);
    return score;
}

/* "order" with "members" but number "skip" as further dimensions. */
static __isl_give isl_union_map *
append(__isl_take isl_union_map *order,
       __isl_keep isl_union_pw_aff_list *members, int skip)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(members);

    for (int i = 0; i < n; i++)
        if (i != skip)
            order = isl_union_map_flat_range_product(
                order, isl_union_map_from_union_pw_aff(
                           isl_union_pw_aff_list_get_union_pw_aff(members, i)));
    return order;
}

/* What pg_shape_rate adds up. */
struct rating {
    const struct pg_scop *scop;
    int score;
};

/* Add the score of the statement of "schedule". */
static isl_stat rate_map(__isl_take isl_map *schedule, void *user)
{
    struct rating *rating = user;
    int s = pg_scop_find_stmt(rating->scop,
                              isl_map_get_tuple_name(schedule, isl_dim_in));

    if (s < 0) {
        isl_map_free(schedule);
        return isl_stat_error;
    }
    rating->score += rate_stmt(&rating->scop->stmts[s], schedule);
    return isl_stat_ok;
}

/* { S[i] -> [member, everything else] } of a band of "members" around "inner"
 * that is itself inside of "outer" (may be NULL).
 */
static __isl_give isl_union_map *
order_from(__isl_keep isl_union_pw_aff_list *outer,
           __isl_keep isl_union_pw_aff_list *members, int member,
           __isl_keep isl_schedule_node *inner,
           __isl_keep isl_union_set *domain)
{
    isl_union_map *order = isl_union_map_from_union_pw_aff(
        isl_union_pw_aff_list_get_union_pw_aff(members, member));

    order = append(order, members, member);
    if (outer)
        order = append(order, outer, -1);
    order = isl_union_map_flat_range_product(
        order, isl_schedule_node_get_subtree_schedule_union_map(inner));
    return isl_union_map_intersect_domain(order, isl_union_set_copy(domain));
}

/* How many accesses of "domain" go to neighbouring elements in neighbouring
 * iterations of number "member" of the "members" of a band around "inner" that
 * is itself inside of "outer" (may be NULL); those to the same element count
 * half.
 */
int pg_shape_rate(const struct pg_scop *scop,
                  __isl_keep isl_union_pw_aff_list *outer,
                  __isl_keep isl_union_pw_aff_list *members, int member,
                  __isl_keep isl_schedule_node *inner,
                  __isl_keep isl_union_set *domain)
{
    struct rating rating = {scop, 0};
    isl_union_map *order = order_from(outer, members, member, inner, domain);

    isl_union_map_foreach_map(order, &rate_map, &rating);
    isl_union_map_free(order);
    return rating.score;
}

/* What pg_shape_is_last looks for. */
struct comparing {
    isl_union_map *source;
    bool last;
};

/* The only set of "all", with what is fixed in it found. */
static __isl_give isl_set *only_set(__isl_take isl_union_set *all)
{
    return isl_set_detect_equalities(isl_set_from_union_set(all));
}

static bool is_fixed_to_zero(__isl_keep isl_set *set, int d)
{
    isl_val *v = isl_set_plain_get_val_if_fixed(set, isl_dim_set, (unsigned)d);
    bool is = isl_val_is_zero(v) == isl_bool_true;

    isl_val_free(v);
    return is;
}

/* The last dimension of "set" that is a loop, and no number; -1: none. */
static int last_loop(__isl_keep isl_set *set)
{
    isl_size n = isl_set_dim(set, isl_dim_set);
    int d = n;
    bool loop = false;

    while (!loop && d-- > 0) {
        isl_val *v =
            isl_set_plain_get_val_if_fixed(set, isl_dim_set, (unsigned)d);

        loop = isl_val_is_nan(v) == isl_bool_true;
        isl_val_free(v);
    }
    return d;
}

/* Does the first dimension of "schedule" go from one iteration of the
 * statement's last loop in the source to the next one?
 */
static isl_stat compare_map(__isl_take isl_map *schedule, void *user)
{
    struct comparing *c = user;
    isl_union_map *own = isl_union_map_intersect_domain(
        isl_union_map_copy(c->source),
        isl_union_set_from_set(isl_map_domain(isl_map_copy(schedule))));
    isl_union_map *step = isl_union_map_from_map(next_of(schedule));

    step = isl_union_map_apply_domain(step, isl_union_map_copy(own));
    step = isl_union_map_apply_range(step, isl_union_map_copy(own));
    if (isl_union_map_is_empty(step) == isl_bool_false) {
        isl_set *deltas = only_set(isl_union_map_deltas(step));
        isl_set *order = only_set(isl_union_map_range(own));
        isl_size n = isl_set_dim(deltas, isl_dim_set);
        int last = last_loop(order);

        for (int d = 0; d < n; d++)
            c->last = c->last && is_fixed_to_zero(deltas, d) == (d != last);
        isl_set_free(order);
        isl_set_free(deltas);
        return isl_stat_ok;
    }
    isl_union_map_free(step);
    isl_union_map_free(own);
    c->last = false;
    return isl_stat_ok;
}

/* Is number "member" of the "members" of a band around "inner" the innermost
 * loop of the source, for all statements of "domain"?
 */
bool pg_shape_is_last(const struct pg_scop *scop,
                      __isl_keep isl_union_pw_aff_list *members, int member,
                      __isl_keep isl_schedule_node *inner,
                      __isl_keep isl_union_set *domain)
{
    struct comparing c = {isl_schedule_get_map(scop->original), true};
    isl_union_map *order = order_from(NULL, members, member, inner, domain);

    isl_union_map_foreach_map(order, &compare_map, &c);
    isl_union_map_free(order);
    isl_union_map_free(c.source);
    return c.last;
}

/* What pg_shape_kept collects. */
struct keeping {
    const struct pg_scop *scop;
    struct pg_kept kept;
};

static isl_stat keep_map(__isl_take isl_map *schedule, void *user)
{
    struct keeping *keeping = user;
    int s = pg_scop_find_stmt(keeping->scop,
                              isl_map_get_tuple_name(schedule, isl_dim_in));
    isl_map *step = s < 0 ? (isl_map_free(schedule), NULL) : next_of(schedule);
    unsigned bit = 0;

    for (int i = 0; i < s; i++)
        bit += keeping->scop->stmts[i].n_access;
    for (unsigned i = 0; step && i < keeping->scop->stmts[s].n_access; i++) {
        isl_map *to = elements_of(step, &keeping->scop->stmts[s].accesses[i]);
        isl_map *same = isl_map_identity(isl_map_get_space(to));
        unsigned long one =
            bit + i < sizeof(one) * CHAR_BIT ? 1UL << (bit + i) : 0;

        if (isl_map_is_subset(to, same) == isl_bool_true)
            keeping->kept.same |= one;
        if (rate(to) > 1)
            keeping->kept.next |= one;
        isl_map_free(same);
    }
    isl_map_free(step);
    return s < 0 ? isl_stat_error : isl_stat_ok;
}

/* What accesses of "domain" do in number "member" of the "members" of a band
 * around "inner"; without those behind as many as there are bits.
 */
struct pg_kept pg_shape_kept(const struct pg_scop *scop,
                             __isl_keep isl_union_pw_aff_list *members,
                             int member, __isl_keep isl_schedule_node *inner,
                             __isl_keep isl_union_set *domain)
{
    struct keeping keeping = {scop, {0, 0}};
    isl_union_map *order = order_from(NULL, members, member, inner, domain);

    isl_union_map_foreach_map(order, &keep_map, &keeping);
    isl_union_map_free(order);
    return keeping.kept;
}

/* The "members" of a band around "inner" with that parallel one last among
 * the first "n_parallel" which makes the most accesses of neighbours go to
 * neighbouring elements; of several the innermost.
 */
__isl_give isl_union_pw_aff_list *
pg_shape_order(const struct pg_scop *scop,
               __isl_take isl_union_pw_aff_list *members, unsigned n_parallel,
               __isl_keep isl_schedule_node *inner,
               __isl_keep isl_union_set *domain)
{
    int best = -1, best_score = -1;
    isl_union_pw_aff *x;

    for (int i = (int)n_parallel - 1; n_parallel > 1 && i >= 0; i--) {
        int score = pg_shape_rate(scop, NULL, members, i, inner, domain);

        if (score > best_score) {
            best = i;
            best_score = score;
        }
    }
    if (best < 0 || best == (int)n_parallel - 1)
        return members;
    x = isl_union_pw_aff_list_get_union_pw_aff(members, best);
    members = isl_union_pw_aff_list_drop(members, (unsigned)best, 1);
    return isl_union_pw_aff_list_insert(members, n_parallel - 1, x);
}
