/* rows.c - rows of constant length in arrays of one dimension.
 *
 * Which elements of a[160 * i + j] are accessed, for 1 <= j < 150, is a set of
 * numbers with a remainder, that loops can only try one by one.  As pairs of a
 * row and a place in it they are a rectangle.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "generate/rows.h"
#include "polygpu/polyhedral.h"
#include "support/coalesce.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>

/* Rows are not shorter. */
enum { SHORTEST = 4 };

/* Keep "length" among those of "rows", the longest ones first. */
static void add_length(struct pg_rows *rows, long length)
{
    unsigned at = 0;

    while (at < rows->n && rows->length[at] > length)
        at++;
    if (length < SHORTEST || at == PG_MOST_ROWS ||
        (at < rows->n && rows->length[at] == length))
        return;
    if (rows->n < PG_MOST_ROWS)
        rows->n++;
    for (unsigned i = rows->n - 1; i > at; i--)
        rows->length[i] = rows->length[i - 1];
    rows->length[at] = length;
}

/* The number of elements between those of two iterations of each loop, where
 * "constraint" says what the subscript is.
 */
static isl_stat take_strides(__isl_take isl_constraint *constraint, void *user)
{
    struct pg_rows *rows = user;
    isl_val *out =
        isl_constraint_get_coefficient_val(constraint, isl_dim_out, 0);
    isl_size n = isl_constraint_dim(constraint, isl_dim_in);

    if (isl_constraint_is_equality(constraint) == isl_bool_true &&
        (isl_val_is_one(out) == isl_bool_true ||
         isl_val_is_negone(out) == isl_bool_true))
        for (isl_size i = 0; i < n; i++) {
            isl_val *v = isl_val_abs(isl_constraint_get_coefficient_val(
                constraint, isl_dim_in, (int)i));

            if (isl_val_cmp_si(v, 1L << 30) < 0)
                add_length(rows, isl_val_get_num_si(v));
            isl_val_free(v);
        }
    isl_val_free(out);
    isl_constraint_free(constraint);
    return isl_stat_ok;
}

static isl_stat take_map(__isl_take isl_basic_map *map, void *user)
{
    isl_stat result =
        isl_basic_map_foreach_constraint(map, &take_strides, user);

    isl_basic_map_free(map);
    return result;
}

/* The lengths that rows of "array" may have, by its accesses; none if it has
 * more dimensions.
 */
struct pg_rows pg_rows_of(const struct pg_scop *scop, unsigned array)
{
    struct pg_rows rows = {0};

    for (unsigned s = 0; scop->arrays[array].n_dim == 1 && s < scop->n_stmt;
         s++)
        for (unsigned a = 0; a < scop->stmts[s].n_access; a++)
            if (scop->stmts[s].accesses[a].array == array)
                isl_map_foreach_basic_map(scop->stmts[s].accesses[a].relation,
                                          &take_map, &rows);
    return rows;
}

/* Add to "map", { [x] -> [q0, q1, ..., r] }, that 0 <= x - length[0] q0 - ... -
 * length[d] qd < length[d], or, beyond the last length, that this is r.
 */
static __isl_give isl_basic_map *add_row(__isl_take isl_basic_map *map,
                                         const struct pg_rows *rows, unsigned d)
{
    isl_local_space *space =
        isl_local_space_from_space(isl_basic_map_get_space(map));
    bool last = d == rows->n;
    isl_constraint *low =
        last ? isl_constraint_alloc_equality(isl_local_space_copy(space))
             : isl_constraint_alloc_inequality(isl_local_space_copy(space));
    isl_constraint *high =
        isl_constraint_alloc_inequality(isl_local_space_copy(space));

    low = isl_constraint_set_coefficient_si(low, isl_dim_in, 0, 1);
    high = isl_constraint_set_coefficient_si(high, isl_dim_in, 0, -1);
    for (unsigned i = 0; i < rows->n && i <= d; i++) {
        low = isl_constraint_set_coefficient_si(low, isl_dim_out, (int)i,
                                                (int)-rows->length[i]);
        high = isl_constraint_set_coefficient_si(high, isl_dim_out, (int)i,
                                                 (int)rows->length[i]);
    }
    if (last)
        low = isl_constraint_set_coefficient_si(low, isl_dim_out, (int)d, -1);
    else
        high = isl_constraint_set_constant_si(high, (int)rows->length[d] - 1);
    map = isl_basic_map_add_constraint(map, low);
    if (last)
        isl_constraint_free(high);
    else
        map = isl_basic_map_add_constraint(map, high);
    isl_local_space_free(space);
    return map;
}

static isl_stat count_divs(__isl_take isl_basic_set *part, void *user)
{
    *(isl_size *)user += isl_basic_set_dim(part, isl_dim_div);
    isl_basic_set_free(part);
    return isl_stat_ok;
}

static bool has_divs(__isl_keep isl_set *set)
{
    isl_size n = 0;

    return isl_set_foreach_basic_set(set, &count_divs, &n) != isl_stat_ok ||
           n != 0;
}

/* "set", { A[x] }, as { A[q0, q1, ..., r] }. */
static __isl_give isl_set *split(__isl_keep isl_set *set,
                                 const struct pg_rows *rows)
{
    isl_space *space = isl_space_drop_all_params(isl_set_get_space(set));
    isl_id *name = isl_space_get_tuple_id(space, isl_dim_set);
    isl_basic_map *map;
    isl_set *result;

    space = isl_space_from_domain(space);
    space = isl_space_add_dims(space, isl_dim_out, rows->n + 1);
    space = isl_space_set_tuple_id(space, isl_dim_out, name);
    map = isl_basic_map_universe(space);
    for (unsigned d = 0; d <= rows->n; d++)
        map = add_row(map, rows, d);
    result = isl_set_apply(isl_set_copy(set), isl_map_from_basic_map(map));
    result = isl_set_detect_equalities(result);
    return pg_coalesce(isl_set_remove_redundancies(result));
}

/* "set" by the rows of "rows", if that does without remainders.  Else, and
 * where it has none, it stays, and "rows" has none afterwards.
 */
__isl_give isl_set *pg_rows_split(__isl_take isl_set *set, struct pg_rows *rows)
{
    if (!has_divs(set))
        rows->n = 0;
    for (; rows->n > 0; rows->n--) {
        isl_set *by_rows = split(set, rows);

        if (!has_divs(by_rows)) {
            isl_set_free(set);
            return by_rows;
        }
        isl_set_free(by_rows);
    }
    return set;
}

/* x, for the arguments q0, q1, ..., r of "call". */
__isl_give isl_ast_expr *pg_rows_join(__isl_keep isl_ast_expr *call,
                                      const struct pg_rows *rows)
{
    isl_ctx *ctx = isl_ast_expr_get_ctx(call);
    isl_ast_expr *x = isl_ast_expr_get_op_arg(call, (int)rows->n + 1);

    for (unsigned d = rows->n; d-- > 0;) {
        isl_ast_expr *row = isl_ast_expr_mul(
            isl_ast_expr_from_val(isl_val_int_from_si(ctx, rows->length[d])),
            isl_ast_expr_get_op_arg(call, (int)d + 1));

        x = isl_ast_expr_add(row, x);
    }
    return x;
}
