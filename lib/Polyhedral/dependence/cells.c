/* cells.c - elements that constant subscripts tell apart.
 *
 * In u[k][j][i][0], ..., u[k][j][i][4] the last subscript is a constant in each
 * access, as it is in unrolled loops over the components of a vector or the
 * rows of a small matrix, and in complex numbers.  Elements with other
 * constants are never the same, which isl would find out for each pair of
 * accesses, and then again for what is left of a read after each write.  So
 * here they are elements of arrays of their own, the cells of u.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "dependence/cells.h"
#include "scop/scop.h"
#include "support/text.h"

#include <isl/id.h>
#include <isl/ilp.h>
#include <isl/val.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A subscript tells elements apart if each access has one of so many values
 * there at most, and so many times as many accesses as not have just one.
 */
enum { MAX_VALUES = 8, MIN_CONSTANT = 3 };

/* The values of a subscript in an access. */
struct values {
    long first, last;
};

static bool take(__isl_take isl_val *val, long *value)
{
    bool fits = isl_val_is_int(val) == isl_bool_true &&
                isl_val_cmp_si(val, INT_MIN) > 0 &&
                isl_val_cmp_si(val, INT_MAX) < 0;

    if (fits)
        *value = isl_val_get_num_si(val);
    isl_val_free(val);
    return fits;
}

/* Is subscript "d" of "access" a constant?  False also if isl fails, which
 * whoever uses the accesses notices.
 */
static bool is_constant(const struct pg_access *access, unsigned d,
                        struct values *values)
{
    isl_val *val =
        isl_map_plain_get_val_if_fixed(access->relation, isl_dim_out, d);

    if (!take(val, &values->first))
        return false;
    values->last = values->first;
    return true;
}

/* Has subscript "d" of "access" by "stmt" few values, and which? */
static bool has_few(const struct pg_stmt *stmt, const struct pg_access *access,
                    unsigned d, struct values *values)
{
    isl_set *range;

    if (is_constant(access, d, values))
        return true;
    range = isl_map_range(isl_map_intersect_domain(
        isl_map_copy(access->relation), isl_set_copy(stmt->domain)));
    if (!take(isl_set_dim_min_val(isl_set_copy(range), (int)d),
              &values->first)) {
        isl_set_free(range);
        return false;
    }
    return take(isl_set_dim_max_val(range, (int)d), &values->last) &&
           values->last - values->first < MAX_VALUES;
}

/* Is subscript "d" of array "a" a constant in most accesses, and has few values
 * in all others?  For each of these such an access is another one.
 */
static bool tells_apart(const struct pg_scop *scop, unsigned a, unsigned d)
{
    unsigned n_constant = 0, n_other = 0;
    struct values values;
    bool few = true;

    for (unsigned i = 0; i < scop->n_stmt; i++)
        for (unsigned j = 0; j < scop->stmts[i].n_access; j++) {
            const struct pg_access *access = &scop->stmts[i].accesses[j];

            if (access->array != a)
                continue;
            if (is_constant(access, d, &values))
                n_constant++;
            else
                n_other++;
        }
    if (n_constant == 0 || n_constant < MIN_CONSTANT * n_other)
        return false;
    for (unsigned i = 0; n_other && few && i < scop->n_stmt; i++)
        for (unsigned j = 0; few && j < scop->stmts[i].n_access; j++) {
            const struct pg_access *access = &scop->stmts[i].accesses[j];

            few = access->array != a ||
                  has_few(&scop->stmts[i], access, d, &values);
        }
    return few;
}

/* Add the accesses of "map" to "all", where subscripts from "d" on that are
 * marked in "apart" are not yet in the name of the cell.
 */
static __isl_give isl_union_map *
add_cells(__isl_take isl_union_map *all, __isl_take isl_map *map,
          const struct pg_stmt *stmt, const struct pg_access *access,
          struct pg_array *array, const bool *apart, unsigned d,
          const char *name)
{
    struct values values;

    while (d < array->n_dim && !apart[d])
        d++;
    if (d == array->n_dim) {
        if (strcmp(name, array->name) != 0)
            map = isl_map_set_tuple_id(
                map, isl_dim_out,
                isl_id_alloc(isl_map_get_ctx(map), name, array));
        return isl_union_map_add_map(all, map);
    }
    if (!has_few(stmt, access, d, &values)) {
        isl_map_free(map);
        return isl_union_map_free(all);
    }
    for (long v = values.first; v <= values.last; v++) {
        isl_map *part = isl_map_copy(map);
        char *longer = pg_format("%s.%ld", name, v);

        if (values.first < values.last)
            part = isl_map_fix_si(part, isl_dim_out, d, (int)v);
        all = add_cells(all, part, stmt, access, array, apart, d + 1, longer);
        free(longer);
    }
    isl_map_free(map);
    return all;
}

/* All writes, or all reads, { S[i] -> C[x] }, of instances that exist, to
 * elements of cells.
 */
__isl_give isl_union_map *pg_cell_accesses(const struct pg_scop *scop,
                                           bool write)
{
    isl_union_map *all = isl_union_map_empty(isl_set_get_space(scop->context));

    for (unsigned a = 0; a < scop->n_array; a++) {
        struct pg_array *array = &scop->arrays[a];
        bool *apart = pg_alloc(array->n_dim + 1, sizeof(*apart));

        for (unsigned d = 0; d < array->n_dim; d++)
            apart[d] = tells_apart(scop, a, d);
        for (unsigned i = 0; i < scop->n_stmt; i++)
            for (unsigned j = 0; j < scop->stmts[i].n_access; j++) {
                const struct pg_access *access = &scop->stmts[i].accesses[j];

                if (access->array == a && access->write == write)
                    all = add_cells(all, isl_map_copy(access->relation),
                                    &scop->stmts[i], access, array, apart, 0,
                                    array->name);
            }
        free(apart);
    }
    return isl_union_map_intersect_domain(all, pg_scop_domain(scop));
}

static isl_stat add_elements(__isl_take isl_set *set, void *user)
{
    isl_union_set **all = user;
    isl_id *cell = isl_set_get_tuple_id(set);
    const struct pg_array *array = isl_id_get_user(cell);

    if (array)
        set = isl_set_set_tuple_name(set, array->name);
    isl_id_free(cell);
    *all = isl_union_set_union(*all, isl_union_set_from_set(set));
    return *all ? isl_stat_ok : isl_stat_error;
}

/* The elements { A[x] } of arrays that "cells", { C[x] }, are. */
__isl_give isl_union_set *pg_cells_join(__isl_take isl_union_set *cells)
{
    isl_union_set *all = isl_union_set_empty(isl_union_set_get_space(cells));

    if (isl_union_set_foreach_set(cells, &add_elements, &all) != isl_stat_ok)
        all = isl_union_set_free(all);
    isl_union_set_free(cells);
    return all;
}
