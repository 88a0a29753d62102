/* blocks.c - several steps of an elimination in blocks.
 *
 * Step k of an elimination (LU, Cholesky's, Gauss's) takes row and column k,
 * which are final, from all that is behind them.  In a permutable band of k and
 * of two more loops, i and j, steps 32 T to 32 T + 31 are tiles of three kinds:
 *
 *   - the diagonal one, with i and j in these steps, too;
 *   - panels: one of i and j is in them, and the other one is behind;
 *   - the rest, with both behind, where each element takes its 32 updates by
 *     itself: a matrix product.
 *
 * Where dependences go from each kind to those below it only, and panels and
 * the elements of the rest do not depend on each other, that is an order of
 * the same instances in three launches for 32 steps (the right-looking form of
 * blocked factorisations).  All that is asked of dependences; nothing is taken
 * from what the program looks like.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/blocks.h"
#include "schedule/deep.h"
#include "schedule/tree.h"
#include "scop/scop.h"

#include <isl/space.h>
#include <isl/val.h>

enum {
    SIZE = 32, /* steps of a tile, and the sides of one */
    N_MEMBER = 3
};

/* What is being made of one loop of the host. */
struct blocking {
    const struct pg_scop *scop;
    isl_schedule_node *band;          /* that loop */
    isl_union_set *domain;            /* its instances, */
    isl_union_map *order;             /* their dependences, */
    isl_union_pw_aff *step;           /* its value, */
    isl_union_pw_aff *member[2];      /* the other loops, */
    isl_union_pw_aff *tile;           /* and in which tile the step is */
    isl_union_set *in[2], *behind[2]; /* by the values of the others */
    isl_union_set *diagonal, *panels, *rest;
    isl_union_pw_aff *block; /* of panels: which tile */
};

static __isl_give isl_union_set *both(__isl_keep isl_union_set *a,
                                      __isl_keep isl_union_set *b)
{
    return isl_union_set_intersect(isl_union_set_copy(a),
                                   isl_union_set_copy(b));
}

/* "member" from the first step of the tile on. */
static __isl_give isl_union_pw_aff *in_tile(const struct blocking *b, int i)
{
    isl_union_pw_aff *first =
        isl_union_pw_aff_scale_val(isl_union_pw_aff_copy(b->tile),
                                   isl_val_int_from_si(b->scop->ctx, SIZE));

    return isl_union_pw_aff_sub(isl_union_pw_aff_copy(b->member[i]), first);
}

/* "value" and "more". */
static __isl_give isl_union_pw_aff *
plus(const struct blocking *b, __isl_take isl_union_pw_aff *value, long more)
{
    isl_union_pw_aff *add = isl_union_pw_aff_val_on_domain(
        isl_union_set_universe(isl_union_set_copy(b->domain)),
        isl_val_int_from_si(b->scop->ctx, more));

    return isl_union_pw_aff_add(value, add);
}

/* ---- Kinds of tiles -------------------------------------------------------
 */

/* Find the loops of the band: the one of the host and two others. */
static bool find_members(struct blocking *b)
{
    isl_union_pw_aff_list *members =
        pg_deep_members(b->scop, b->domain, b->order);
    bool found = isl_union_pw_aff_list_n_union_pw_aff(members) == N_MEMBER;
    int own = found ? pg_deep_find(members, b->band) : -1;

    for (int i = 0, n = 0; own >= 0 && i < N_MEMBER; i++) {
        isl_union_pw_aff *member =
            isl_union_pw_aff_list_get_union_pw_aff(members, i);

        if (i == own)
            b->step = member;
        else
            b->member[n++] = member;
    }
    isl_union_pw_aff_list_free(members);
    return own >= 0;
}

/* The instances of statements with as many iterators as the band has loops. */
static __isl_give isl_union_set *of_full_depth(const struct blocking *b)
{
    isl_union_set *all =
        isl_union_set_empty(isl_union_set_get_space(b->domain));

    for (unsigned s = 0; s < b->scop->n_stmt; s++) {
        const struct pg_stmt *stmt = &b->scop->stmts[s];

        if (isl_set_dim(stmt->domain, isl_dim_set) >= N_MEMBER)
            all = isl_union_set_add_set(
                all, isl_set_universe(isl_set_get_space(stmt->domain)));
    }
    return isl_union_set_intersect(all, isl_union_set_copy(b->domain));
}

/* Part the instances by kind of tile; is each in one, and is there a rest? */
static bool part(struct blocking *b)
{
    isl_union_set *all, *full = of_full_depth(b), *behind, *slim;
    bool parted;

    b->tile = pg_tile_of(isl_union_pw_aff_copy(b->step), SIZE);
    for (int i = 0; i < 2; i++) {
        isl_union_pw_aff *left = isl_union_pw_aff_neg(in_tile(b, i));

        b->in[i] = pg_natural(isl_union_set_copy(b->domain), in_tile(b, i));
        b->in[i] = pg_natural(b->in[i], plus(b, left, SIZE - 1));
        b->behind[i] = pg_natural(isl_union_set_copy(b->domain),
                                  plus(b, in_tile(b, i), -SIZE));
    }
    behind = both(b->behind[0], b->behind[1]);
    b->diagonal = both(b->in[0], b->in[1]);
    b->rest = both(behind, full);
    // What has fewer loops than the rest goes with a panel.
    slim = isl_union_set_subtract(behind, full);
    b->panels = isl_union_set_union(both(b->in[0], b->behind[1]),
                                    both(b->behind[0], b->in[1]));
    b->panels = isl_union_set_union(b->panels, isl_union_set_copy(slim));
    b->block = isl_union_pw_aff_intersect_domain(
        pg_tile_of(isl_union_pw_aff_copy(b->member[0]), SIZE),
        isl_union_set_union(slim, both(b->behind[0], b->in[1])));
    b->block = isl_union_pw_aff_union_add(
        b->block, isl_union_pw_aff_intersect_domain(
                      pg_tile_of(isl_union_pw_aff_copy(b->member[1]), SIZE),
                      both(b->in[0], b->behind[1])));
    all = isl_union_set_union(isl_union_set_copy(b->diagonal),
                              isl_union_set_copy(b->panels));
    all = isl_union_set_union(all, isl_union_set_copy(b->rest));
    parted = isl_union_set_is_equal(all, b->domain) == isl_bool_true &&
             isl_union_set_is_empty(b->rest) == isl_bool_false &&
             isl_union_set_is_empty(b->panels) == isl_bool_false;
    isl_union_set_free(all);
    return parted;
}

/* ---- Dependences ----------------------------------------------------------
 */

/* The dependences from "from" to "to" in one tile of steps. */
static __isl_give isl_union_map *within(const struct blocking *b,
                                        __isl_keep isl_union_set *from,
                                        __isl_keep isl_union_set *to)
{
    isl_union_map *order = isl_union_map_copy(b->order);

    order = isl_union_map_intersect_domain(order, isl_union_set_copy(from));
    order = isl_union_map_intersect_range(order, isl_union_set_copy(to));
    return isl_union_map_eq_at_multi_union_pw_aff(
        order, isl_multi_union_pw_aff_from_union_pw_aff(
                   isl_union_pw_aff_copy(b->tile)));
}

/* Does no dependence go from "from" to "to" in one tile of steps? */
static bool is_free(const struct blocking *b, __isl_keep isl_union_set *from,
                    __isl_keep isl_union_set *to)
{
    isl_union_map *order = within(b, from, to);
    bool none = isl_union_map_is_empty(order) == isl_bool_true;

    isl_union_map_free(order);
    return none;
}

/* Do dependences among "part" in one tile of steps connect equal values of
 * "members" (taken)?
 */
static bool stays(const struct blocking *b, __isl_keep isl_union_set *part,
                  __isl_take isl_union_pw_aff_list *members)
{
    isl_union_map *order = within(b, part, part);
    isl_union_map *equal = pg_equal_at(isl_union_map_copy(order), members);
    bool all = isl_union_map_is_subset(order, equal) == isl_bool_true;

    isl_union_map_free(order);
    isl_union_map_free(equal);
    isl_union_pw_aff_list_free(members);
    return all;
}

/* The two loops of the rest that are parallel. */
static __isl_give isl_union_pw_aff_list *others(const struct blocking *b)
{
    isl_union_pw_aff_list *list = isl_union_pw_aff_list_alloc(b->scop->ctx, 2);

    for (int i = 0; i < 2; i++)
        list = isl_union_pw_aff_list_add(list,
                                         isl_union_pw_aff_copy(b->member[i]));
    return list;
}

static __isl_give isl_union_pw_aff_list *
only(__isl_keep isl_union_pw_aff *value)
{
    return isl_union_pw_aff_list_from_union_pw_aff(
        isl_union_pw_aff_copy(value));
}

/* The instances of statement number "s" in the rest. */
static __isl_give isl_union_set *rest_of(const struct blocking *b, unsigned s)
{
    return isl_union_set_intersect(
        isl_union_set_copy(b->rest),
        isl_union_set_from_set(
            isl_set_universe(isl_set_get_space(b->scop->stmts[s].domain))));
}

/* Is there one instance of each statement of the rest at each step of an
 * element?
 */
static bool is_product(const struct blocking *b)
{
    bool one = true;

    for (unsigned s = 0; one && s < b->scop->n_stmt; s++) {
        isl_union_pw_aff_list *all = isl_union_pw_aff_list_add(
            others(b), isl_union_pw_aff_copy(b->step));
        isl_union_map *at = isl_union_map_from_multi_union_pw_aff(
            isl_multi_union_pw_aff_intersect_domain(pg_tree_join(all),
                                                    rest_of(b, s)));

        one = isl_union_map_is_injective(at) == isl_bool_true;
        isl_union_map_free(at);
    }
    return one;
}

/* May the tiles of a step come in the order of their kinds, panels and elements
 * of the rest at the same time?
 */
static bool is_legal(const struct blocking *b)
{
    return is_free(b, b->panels, b->diagonal) &&
           is_free(b, b->rest, b->diagonal) && is_free(b, b->rest, b->panels) &&
           stays(b, b->panels, only(b->block)) &&
           stays(b, b->rest, others(b)) && is_product(b);
}

/* ---- The order ------------------------------------------------------------
 */

/* The tree for the instances at the band; diagonal tiles and panels have the
 * order that they had, in loops of their own, in which is parallel what was.
 * Statements of the rest are products of their own, whose launches are one
 * (JoinedLaunches.h), where they do not depend on each other in a tile.
 */
static __isl_give isl_schedule *tree_of(const struct blocking *b)
{
    static const bool parallel[] = {true, true};
    isl_schedule *diagonal =
        pg_tree_ordered(b->band, isl_union_set_copy(b->diagonal));
    isl_schedule *panels =
        pg_tree_ordered(b->band, isl_union_set_copy(b->panels));
    isl_schedule *tree;

    panels = pg_tree_band(panels, only(b->block), true, parallel);
    tree = isl_schedule_sequence(diagonal, panels);
    for (unsigned s = 0; s < b->scop->n_stmt; s++) {
        isl_union_set *own = rest_of(b, s);
        isl_schedule *one;

        if (isl_union_set_is_empty(own) == isl_bool_true) {
            isl_union_set_free(own);
            continue;
        }
        one = isl_schedule_from_domain(own);
        one = pg_tree_band(one, only(b->step), true, NULL);
        one = pg_tree_band(one, others(b), true, parallel);
        tree = isl_schedule_sequence(tree, one);
    }
    return pg_tree_band(tree, only(b->tile), true, NULL);
}

static void clear(struct blocking *b)
{
    isl_schedule_node_free(b->band);
    isl_union_set_free(b->domain);
    isl_union_map_free(b->order);
    isl_union_pw_aff_free(b->step);
    isl_union_pw_aff_free(b->tile);
    for (int i = 0; i < 2; i++) {
        isl_union_pw_aff_free(b->member[i]);
        isl_union_set_free(b->in[i]);
        isl_union_set_free(b->behind[i]);
    }
    isl_union_set_free(b->diagonal);
    isl_union_set_free(b->panels);
    isl_union_set_free(b->rest);
    isl_union_pw_aff_free(b->block);
}

/* Is "node" a loop of the host by itself? */
static bool is_host_loop(__isl_keep isl_schedule_node *node)
{
    return isl_schedule_node_get_type(node) == isl_schedule_node_band &&
           isl_schedule_node_band_n_member(node) == 1 &&
           isl_schedule_node_band_member_get_coincident(node, 0) ==
               isl_bool_false;
}

/* The tree in blocks for "node" (taken), with its loop in "*loop", or NULL if
 * it is of another kind.
 */
static __isl_give isl_schedule *blocks_of(const struct pg_scop *scop,
                                          __isl_take isl_schedule_node *node,
                                          isl_union_pw_aff **loop)
{
    struct blocking b = {.scop = scop, .band = node};
    isl_schedule *tree = NULL;

    if (is_host_loop(node)) {
        b.domain = isl_schedule_node_get_domain(node);
        b.order = pg_scop_order(scop);
        b.order = isl_union_map_intersect_domain(b.order,
                                                 isl_union_set_copy(b.domain));
        b.order = isl_union_map_intersect_range(b.order,
                                                isl_union_set_copy(b.domain));
        if (find_members(&b) && part(&b) && is_legal(&b)) {
            tree = tree_of(&b);
            *loop = isl_union_pw_aff_copy(b.tile);
        }
    }
    clear(&b);
    return tree;
}

/* The tree at "node" with the first of its outermost loops that is an
 * elimination, and as long as "*loop" is NULL, in blocks.
 */
static __isl_give isl_schedule *look_at(const struct pg_scop *scop,
                                        __isl_keep isl_schedule_node *node,
                                        isl_union_pw_aff **loop)
{
    enum isl_schedule_node_type type = isl_schedule_node_get_type(node);
    isl_size n = isl_schedule_node_n_children(node);
    isl_schedule *all = NULL;

    if (type != isl_schedule_node_sequence && type != isl_schedule_node_set) {
        if (!*loop)
            all = blocks_of(scop, isl_schedule_node_copy(node), loop);
        return all ? all
                   : pg_tree_subtree(node, isl_schedule_node_get_domain(node));
    }
    for (int i = 0; i < n; i++) {
        isl_schedule_node *child =
            isl_schedule_node_child(isl_schedule_node_get_child(node, i), 0);
        isl_schedule *one = look_at(scop, child, loop);

        isl_schedule_node_free(child);
        if (i == 0)
            all = one;
        else if (type == isl_schedule_node_set)
            all = isl_schedule_set(all, one);
        else
            all = isl_schedule_sequence(all, one);
    }
    return all;
}

/* The tree of "scop" with the first of its outermost loops that is an
 * elimination in blocks, or NULL.  "*loop" is the loop around these then.
 */
__isl_give isl_schedule *pg_schedule_blocks(const struct pg_scop *scop,
                                            isl_union_pw_aff **loop)
{
    isl_schedule_node *node =
        isl_schedule_node_child(isl_schedule_get_root(scop->schedule), 0);
    isl_schedule *all;

    *loop = NULL;
    all = look_at(scop, node, loop);
    isl_schedule_node_free(node);
    return *loop ? all : isl_schedule_free(all);
}

/* Is "node" the loop of "scop" around blocks of an elimination? */
bool pg_is_blocks(const struct pg_scop *scop,
                  __isl_keep isl_schedule_node *node)
{
    isl_union_pw_aff *own;
    bool is;

    if (!scop->blocks ||
        isl_schedule_node_get_type(node) != isl_schedule_node_band)
        return false;
    own = pg_tree_outer_loop(node);
    is = isl_union_pw_aff_plain_is_equal(own, scop->blocks) == isl_bool_true;
    isl_union_pw_aff_free(own);
    return is;
}
