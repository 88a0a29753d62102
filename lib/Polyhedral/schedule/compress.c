/* compress.c - parallel loops of which only every k-th iteration runs anything.
 *
 * In
 *
 *     for (i = 0; i < n; i++)
 *         if (i % 2 == 0)
 *             S(i);
 *         else
 *             T(i);
 *
 * the values of each statement are two apart.  A thread for each of them has
 * nothing to do for half of the instances of S, and for the other half of T.
 * The loop over floor(i / 2) has a thread for each cell of two iterations: all
 * threads have something to do, and where nothing orders S and T they are in
 * one loop.
 *
 * The values of a parallel member are the same at both ends of each dependence
 * that its loop has to keep, and so are these values divided by anything.  No
 * two instances of a statement get into one cell, since a statement's values
 * are a multiple of the cell apart.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/compress.h"
#include "polygpu/polyhedral.h"
#include "schedule/tree.h"
#include "support/text.h"

#include <isl/stride_info.h>
#include <isl/val.h>
#include <stdlib.h>

enum {
    MAX_STRIDE = 1024,
    MAX_SHIFTED = 8 /* of remainders that differ from iteration to iteration */
                    /* of loops around; divides the sizes of tiles */
};

/* The greatest common divisor of the strides of all statements, 0 at first. */
struct common {
    long stride;
};

/* The stride of dimension "last" of "values" inside of loops over the others; 1
 * if there is none.  Where the first value depends on these loops, only what
 * sizes of tiles are multiples of: isl's expressions for 5 and 32 together are
 * more than what is won.
 */
static long stride_at(__isl_keep isl_set *values, int last)
{
    isl_stride_info *info = isl_set_get_stride_info(values, last);
    isl_val *stride = isl_stride_info_get_stride(info);
    isl_aff *first = isl_stride_info_get_offset(info);
    isl_bool shifted =
        isl_aff_involves_dims(first, isl_dim_in, 0, (unsigned)last);
    long result = 1;

    if (isl_val_is_pos(stride) == isl_bool_true &&
        isl_val_cmp_si(stride, MAX_STRIDE) <= 0)
        result = isl_val_get_num_si(stride);
    if (shifted < 0)
        result = 1;
    while (shifted == isl_bool_true && MAX_SHIFTED % result)
        result = result % 2 ? 1 : result / 2;
    isl_aff_free(first);
    isl_val_free(stride);
    isl_stride_info_free(info);
    return result;
}

/* Take the stride of the last dimension of a statement's "values", if there is
 * any value.
 */
static isl_stat add_stride(__isl_take isl_map *values, void *user)
{
    struct common *common = user;
    isl_set *range = isl_map_range(values);
    isl_size n = isl_set_dim(range, isl_dim_set);
    long a = 1;

    if (isl_set_plain_is_empty(range) == isl_bool_true) {
        isl_set_free(range);
        return isl_stat_ok;
    }
    if (n > 0)
        a = stride_at(range, n - 1);
    isl_set_free(range);
    for (long b = common->stride; b; b = a % b, a = common->stride)
        common->stride = b;
    common->stride = a;
    return isl_stat_ok;
}

/* By how much the values of "member", of each statement by itself, are apart
 * inside of "outer", { S[i] -> [v0, v1, ...] }: 1 if nothing is known.
 */
static long stride_of(__isl_keep isl_union_map *outer,
                      __isl_keep isl_union_pw_aff *member)
{
    isl_union_map *values = isl_union_map_flat_range_product(
        isl_union_map_copy(outer),
        isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(member)));
    struct common common = {0};

    if (isl_union_map_foreach_map(values, &add_stride, &common) !=
            isl_stat_ok ||
        common.stride < 1)
        common.stride = 1;
    isl_union_map_free(values);
    return common.stride;
}

/* floor("member" / "size"). */
static __isl_give isl_union_pw_aff *divided(__isl_take isl_union_pw_aff *member,
                                            long size)
{
    isl_ctx *ctx = isl_union_pw_aff_get_ctx(member);

    member =
        isl_union_pw_aff_scale_down_val(member, isl_val_int_from_si(ctx, size));
    return isl_union_pw_aff_floor(member);
}

/* The members of "band" with the parallel ones compressed; says in "*any" if
 * there was one to be.
 */
static __isl_give isl_union_pw_aff_list *
compress_members(__isl_keep isl_schedule_node *band, bool *any)
{
    isl_union_pw_aff_list *members = pg_tree_members(band);
    isl_union_map *outer =
        isl_schedule_node_get_prefix_schedule_union_map(band);
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(members);

    outer = isl_union_map_intersect_domain(outer,
                                           isl_schedule_node_get_domain(band));
    for (int i = 0; i < n; i++) {
        isl_union_pw_aff *member =
            isl_union_pw_aff_list_get_union_pw_aff(members, i);
        bool parallel = isl_schedule_node_band_member_get_coincident(band, i) ==
                        isl_bool_true;
        long stride = parallel ? stride_of(outer, member) : 1;

        outer = isl_union_map_flat_range_product(
            outer,
            isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(member)));
        *any |= stride > 1;
        if (stride > 1)
            members = isl_union_pw_aff_list_set_union_pw_aff(
                members, i, divided(member, stride));
        else
            isl_union_pw_aff_free(member);
    }
    isl_union_map_free(outer);
    return members;
}

/* Compress "node" if it is a band. */
static __isl_give isl_schedule_node *
compress_node(__isl_take isl_schedule_node *node, void *user)
{
    isl_union_pw_aff_list *members;
    isl_bool permutable;
    bool any = false, *coincident;
    isl_size n;

    if (isl_schedule_node_get_type(node) != isl_schedule_node_band)
        return node;
    n = isl_schedule_node_band_n_member(node);
    members = compress_members(node, &any);
    if (!any || n < 0) {
        isl_union_pw_aff_list_free(members);
        return n < 0 ? isl_schedule_node_free(node) : node;
    }
    *(bool *)user = true;
    permutable = isl_schedule_node_band_get_permutable(node);
    coincident = pg_alloc((unsigned)n, sizeof(*coincident));
    for (int i = 0; i < n; i++)
        coincident[i] = isl_schedule_node_band_member_get_coincident(node, i) ==
                        isl_bool_true;
    node = isl_schedule_node_delete(node);
    node = pg_tree_insert_band(node, members, permutable == isl_bool_true,
                               coincident);
    free(coincident);
    return node;
}

/* Are there remainders in the domain of a statement, without which isl's
 * schedules leave out no iterations?
 */
static bool has_remainders(const struct pg_scop *scop)
{
    bool any = false;

    for (unsigned s = 0; !any && s < scop->n_stmt; s++) {
        isl_set *plain =
            isl_set_remove_divs(isl_set_copy(scop->stmts[s].domain));

        any = isl_set_plain_is_equal(plain, scop->stmts[s].domain) ==
              isl_bool_false;
        isl_set_free(plain);
    }
    return any;
}

/* "schedule" with all parallel loops compressed, NULL if there is none to be.
 * Whether it is legal and what is parallel in it is for others to say.
 */
__isl_give isl_schedule *pg_compress(const struct pg_scop *scop,
                                     __isl_keep isl_schedule *schedule)
{
    isl_schedule *compressed;
    bool any = false;

    if (!has_remainders(scop))
        return NULL;
    compressed = isl_schedule_map_schedule_node_bottom_up(
        isl_schedule_copy(schedule), &compress_node, &any);
    return any ? compressed : isl_schedule_free(compressed);
}
