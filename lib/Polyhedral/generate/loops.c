/* loops.c - the depth of a kernel's loop, which its iterator carries.
 *
 * isl names loops by their depth in the schedule unless it is given
 * identifiers; these have the depth as their number.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "generate/loops.h"
#include "support/numbered.h"
#include "support/text.h"

#include <isl/ast.h>
#include <isl/schedule_node.h>
#include <isl/val.h>
#include <stdlib.h>

/* Raise *user to the depth of "node". */
static isl_bool at_depth(__isl_keep isl_schedule_node *node, void *user)
{
    isl_size depth = isl_schedule_node_get_schedule_depth(node);
    isl_size *deepest = user;

    if (depth > *deepest)
        *deepest = depth;
    return isl_bool_ok(depth >= 0);
}

/* The identifier of a loop at "depth", called by "kind" and that, other than
 * the parameters of "context".
 */
__isl_give isl_id *pg_loop_id(char kind, unsigned depth,
                              __isl_keep isl_set *context)
{
    char *name = pg_format("%c%u", kind, depth);
    isl_id *id;

    for (unsigned i = 0;
         isl_set_find_dim_by_name(context, isl_dim_param, name) >= 0; i++) {
        free(name);
        name = pg_format("%c%u_%u", kind, depth, i);
    }
    id =
        pg_numbered_id(isl_set_get_ctx(context), name, PG_NUMBERED_LOOP, depth);
    free(name);
    return id;
}

/* The identifiers of the loops of "schedule", of which the outermost has the
 * depth "first", by depth: "c0", "c1", ..., other than the parameters of
 * "context".
 */
__isl_give isl_id_list *pg_loop_ids(__isl_keep isl_schedule *schedule,
                                    unsigned first, __isl_keep isl_set *context)
{
    isl_ctx *ctx = isl_set_get_ctx(context);
    isl_id_list *ids = isl_id_list_alloc(ctx, 16);
    isl_size n = 0;

    if (isl_schedule_foreach_schedule_node_top_down(schedule, &at_depth, &n) !=
        isl_stat_ok)
        return isl_id_list_free(ids);
    for (unsigned d = first; d < first + (unsigned)n; d++)
        ids = isl_id_list_add(ids, pg_loop_id('c', d, context));
    return ids;
}

/* At what depth of its kernel's schedule is the loop over "iterator"?  -1 for
 * other identifiers.
 */
int pg_loop_depth(__isl_keep isl_id *iterator)
{
    unsigned kind, depth;

    return pg_numbered(iterator, &kind, &depth) && kind == PG_NUMBERED_LOOP
               ? (int)depth
               : -1;
}

/* Which of the loops that "unroll" is about, or NULL, is that over "iterator"?
 * -1 for none.
 */
int pg_unrolled_loop(const struct pg_unroll *unroll,
                     __isl_keep isl_id *iterator)
{
    int depth = pg_loop_depth(iterator);
    int d = unroll ? depth - (int)unroll->first : -1;

    return d >= 0 && d < (int)unroll->n ? d : -1;
}

/* ---- The first number of a loop -------------------------------------------
 */

/* Bounds of what an expression can be; -MOST and MOST where there are none.
 * Their sums fit.
 */
enum { MOST = 1 << 30 };
struct interval {
    long long least, most;
};

static const struct interval anything = {-MOST, MOST};

static struct interval bounds_of(__isl_keep isl_ast_expr *expr);

static struct interval argument(__isl_keep isl_ast_expr *expr, int i)
{
    isl_ast_expr *arg = isl_ast_expr_get_op_arg(expr, i);
    struct interval bounds = bounds_of(arg);

    isl_ast_expr_free(arg);
    return bounds;
}

static struct interval bounds_of_int(__isl_take isl_val *val)
{
    struct interval bounds = anything;

    if (isl_val_is_int(val) == isl_bool_true &&
        isl_val_cmp_si(val, -MOST) > 0 && isl_val_cmp_si(val, MOST) < 0)
        bounds.least = bounds.most = isl_val_get_num_si(val);
    isl_val_free(val);
    return bounds;
}

static long long smaller(long long a, long long b)
{
    return a < b ? a : b;
}

static long long larger(long long a, long long b)
{
    return a > b ? a : b;
}

/* Of sums and differences: where an end is not known, it is not. */
static struct interval sum(struct interval a, long long least, long long most)
{
    a.least = a.least <= -MOST || least <= -MOST ? -MOST : a.least + least;
    a.most = a.most >= MOST || most >= MOST ? MOST : a.most + most;
    return (struct interval){larger(a.least, -MOST), smaller(a.most, MOST)};
}

static struct interval bounds_of_op(__isl_keep isl_ast_expr *expr)
{
    isl_size n = isl_ast_expr_get_op_n_arg(expr);
    struct interval a, b;

    if (n < 1)
        return anything;
    a = argument(expr, 0);
    b = n > 1 ? argument(expr, 1) : anything;
    switch (isl_ast_expr_get_op_type(expr)) {
    case isl_ast_expr_op_add:
        return sum(a, b.least, b.most);
    case isl_ast_expr_op_sub:
        return sum(a, -b.most, -b.least);
    case isl_ast_expr_op_minus:
        return (struct interval){-a.most, -a.least};
    case isl_ast_expr_op_pdiv_r: /* of what is not negative */
        return (struct interval){0, b.most < MOST ? b.most - 1 : MOST};
    case isl_ast_expr_op_max:
        for (int i = 1; i < n; i++) {
            b = argument(expr, i);
            a.least = larger(a.least, b.least);
            a.most = larger(a.most, b.most);
        }
        return a;
    case isl_ast_expr_op_min:
        for (int i = 1; i < n; i++) {
            b = argument(expr, i);
            a.least = smaller(a.least, b.least);
            a.most = smaller(a.most, b.most);
        }
        return a;
    default:
        return anything;
    }
}

static struct interval bounds_of(__isl_keep isl_ast_expr *expr)
{
    switch (isl_ast_expr_get_type(expr)) {
    case isl_ast_expr_int:
        return bounds_of_int(isl_ast_expr_get_val(expr));
    case isl_ast_expr_op:
        return bounds_of_op(expr);
    default:
        return anything;
    }
}

/* A loop that is unrolled runs from 0 on, as its points do.  Where isl puts two
 * of them with strides into one, the second one's numbers are moved to those of
 * the first, and the loop may begin at some before 0; it says so by what a
 * remainder can be.  Of other expressions nothing is known, and none is
 * negative.
 */
long long pg_unrolled_first(__isl_keep isl_ast_expr *init)
{
    struct interval bounds = bounds_of(init);

    return bounds.least <= -MOST || bounds.least > 0 ? 0 : bounds.least;
}
