/* point_set.c - sets and relations of isl at given points, computed without
 * isl.
 *
 * A row has the columns 1, parameters, dimensions, remainders.  A remainder is
 * defined by a denominator and a row over the columns before it.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/point_set.h"
#include "support/text.h"

#include <isl/aff.h>
#include <isl/local_space.h>
#include <isl/mat.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 96 };

/* Numbers of isl: those of ranges of 64 bits are larger than int64_t. */
typedef __int128 wide;
enum { MAX_BYTES = 9 };

/* A conjunction: "n_eq" rows are zero, the others not negative. */
struct part {
    unsigned n_div, n_eq, n_row, n_column;
    wide *rows; /* n_row rows */
    wide *divs; /* n_div rows */
    wide *denominators;
};

struct pg_point_set {
    unsigned n_param, n_dim, n_part;
    struct part *parts;
};

/* ---- From isl ----------------------------------------------------------- */

/* The integer "value" in *result, or false. */
static bool take_number(__isl_take isl_val *value, wide *result)
{
    unsigned char bytes[MAX_BYTES] = {0};
    isl_size n = value && isl_val_is_int(value) == isl_bool_true
                     ? isl_val_n_abs_num_chunks(value, 1)
                     : -1;
    bool fits = n >= 0 && n <= MAX_BYTES &&
                isl_val_get_abs_num_chunks(value, 1, bytes) == isl_stat_ok;

    *result = 0;
    for (int i = MAX_BYTES - 1; fits && i >= 0; i--)
        *result = *result * 256 + bytes[i];
    if (fits && isl_val_is_neg(value) == isl_bool_true)
        *result = -*result;
    isl_val_free(value);
    return fits;
}

static bool copy_matrix(__isl_take isl_mat *matrix, wide *rows, unsigned n_row,
                        unsigned n_column)
{
    bool fits = matrix != NULL;

    for (unsigned r = 0; fits && r < n_row; r++)
        for (unsigned c = 0; fits && c < n_column; c++)
            fits = take_number(isl_mat_get_element_val(matrix, (int)r, (int)c),
                               &rows[r * n_column + c]);
    isl_mat_free(matrix);
    return fits;
}

/* The coefficient of dimension "pos" of "type" in the numerator. */
static bool coefficient(__isl_keep isl_aff *aff, __isl_keep isl_val *den,
                        enum isl_dim_type type, unsigned pos, wide *result)
{
    isl_val *v = isl_aff_get_coefficient_val(aff, type, (int)pos);

    return take_number(isl_val_mul(v, isl_val_copy(den)), result);
}

/* The definition of remainder number "pos". */
static bool copy_div(const pg_point_set *points, struct part *part,
                     __isl_keep isl_basic_set *set, unsigned pos)
{
    isl_aff *aff = isl_basic_set_get_div(set, (int)pos);
    isl_val *den = isl_aff_get_denominator_val(aff);
    wide *row = part->divs + pos * part->n_column;
    unsigned c = 1;
    bool fits =
        take_number(isl_val_copy(den), &part->denominators[pos]) &&
        take_number(
            isl_val_mul(isl_aff_get_constant_val(aff), isl_val_copy(den)), row);

    for (unsigned p = 0; fits && p < points->n_param; p++)
        fits = coefficient(aff, den, isl_dim_param, p, &row[c++]);
    for (unsigned d = 0; fits && d < points->n_dim; d++)
        fits = coefficient(aff, den, isl_dim_in, d, &row[c++]);
    for (unsigned e = 0; fits && e < pos; e++)
        fits = coefficient(aff, den, isl_dim_div, e, &row[c++]);
    isl_val_free(den);
    isl_aff_free(aff);
    return fits && part->denominators[pos] > 0;
}

static isl_stat add_part(__isl_take isl_basic_set *set, void *user)
{
    pg_point_set *points = user;
    isl_mat *eq = isl_basic_set_equalities_matrix(
        set, isl_dim_cst, isl_dim_param, isl_dim_set, isl_dim_div);
    isl_mat *ineq = isl_basic_set_inequalities_matrix(
        set, isl_dim_cst, isl_dim_param, isl_dim_set, isl_dim_div);
    struct part *part = &points->parts[points->n_part++];
    isl_size n_eq = isl_mat_rows(eq), n_ineq = isl_mat_rows(ineq);
    isl_size n_div = isl_basic_set_dim(set, isl_dim_div);
    bool fits =
        n_eq >= 0 && n_ineq >= 0 && n_div >= 0 &&
        1 + points->n_param + points->n_dim + (unsigned)n_div <= MAX_COLUMNS;

    if (fits) {
        part->n_div = (unsigned)n_div;
        part->n_eq = (unsigned)n_eq;
        part->n_row = (unsigned)(n_eq + n_ineq);
        part->n_column = 1 + points->n_param + points->n_dim + part->n_div;
        part->rows =
            pg_alloc((size_t)part->n_row * part->n_column + 1, sizeof(wide));
        part->divs =
            pg_alloc((size_t)part->n_div * part->n_column + 1, sizeof(wide));
        part->denominators = pg_alloc(part->n_div + 1, sizeof(wide));
        fits = copy_matrix(isl_mat_copy(eq), part->rows, part->n_eq,
                           part->n_column) &&
               copy_matrix(isl_mat_copy(ineq),
                           part->rows + part->n_eq * part->n_column,
                           (unsigned)n_ineq, part->n_column);
    }
    for (unsigned d = 0; fits && d < part->n_div; d++)
        fits = copy_div(points, part, set, d);
    isl_mat_free(eq);
    isl_mat_free(ineq);
    isl_basic_set_free(set);
    return fits ? isl_stat_ok : isl_stat_error;
}

pg_point_set *pg_point_set_from_set(__isl_keep isl_set *set)
{
    /* Only remainders that no definition is known of make isl compute. */
    isl_set *defined = isl_set_compute_divs(isl_set_copy(set));
    isl_size n_param = isl_set_dim(defined, isl_dim_param);
    isl_size n_dim = isl_set_dim(defined, isl_dim_set);
    isl_size n_part = isl_set_n_basic_set(defined);
    pg_point_set *points = NULL;

    if (n_param >= 0 && n_dim >= 0 && n_part >= 0) {
        points = pg_alloc(1, sizeof(*points));
        points->n_param = (unsigned)n_param;
        points->n_dim = (unsigned)n_dim;
        points->parts = pg_alloc((size_t)n_part + 1, sizeof(struct part));
        if (isl_set_foreach_basic_set(defined, &add_part, points) !=
            isl_stat_ok) {
            pg_point_set_free(points);
            points = NULL;
        }
    }
    isl_set_free(defined);
    return points;
}

pg_point_set *pg_point_set_from_map(__isl_keep isl_map *map)
{
    isl_set *pairs = isl_set_flatten(isl_map_wrap(isl_map_copy(map)));
    pg_point_set *points = pg_point_set_from_set(pairs);

    isl_set_free(pairs);
    return points;
}

void pg_point_set_free(pg_point_set *points)
{
    if (!points)
        return;
    for (unsigned i = 0; i < points->n_part; i++) {
        free(points->parts[i].rows);
        free(points->parts[i].divs);
        free(points->parts[i].denominators);
    }
    free(points->parts);
    free(points);
}

unsigned pg_point_set_n_dim(const pg_point_set *points)
{
    return points->n_dim;
}

/* ---- At a point --------------------------------------------------------- */

/* A point of one part while it is being found. */
struct walk {
    const pg_point_set *points;
    const struct part *part;
    const int64_t *params;
    unsigned long left; /* steps */
    pg_point_set_visitor *visit;
    void *user;
    int64_t x[MAX_COLUMNS];
    bool known[MAX_COLUMNS];
    bool overflow;
};

static wide floor_div(wide a, wide b)
{
    wide q = a / b;

    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

/* "factor" times "x", or false if that may be too large. */
static bool multiply(wide factor, int64_t x, wide *product)
{
    const int64_t small = (int64_t)1 << 48;
    bool fits = factor == (int64_t)factor || (-small < x && x < small);

    *product = fits ? factor * x : 0;
    return fits;
}

/* The sum of "row" over the known columns but "without". */
static wide sum(struct walk *w, const wide *row, unsigned without)
{
    wide total = 0, product;

    for (unsigned c = 0; c < w->part->n_column; c++)
        if (row[c] != 0 && w->known[c] && c != without &&
            (!multiply(row[c], w->x[c], &product) ||
             __builtin_add_overflow(total, product, &total)))
            w->overflow = true;
    return total;
}

/* Are all columns of "row" known but "without"? */
static bool is_known(const struct walk *w, const wide *row, unsigned without)
{
    for (unsigned c = 0; c < w->part->n_column; c++)
        if (row[c] != 0 && !w->known[c] && c != without)
            return false;
    return true;
}

/* Compute the remainders whose definitions are known. */
static void compute_divs(struct walk *w)
{
    const struct part *part = w->part;
    unsigned first = part->n_column - part->n_div;

    for (unsigned d = 0; d < part->n_div; d++) {
        const wide *row = part->divs + d * part->n_column;
        wide value;

        if (w->known[first + d] || !is_known(w, row, MAX_COLUMNS))
            continue;
        value = floor_div(sum(w, row, MAX_COLUMNS), part->denominators[d]);
        w->x[first + d] = (int64_t)value;
        w->known[first + d] = true;
        if (value != w->x[first + d])
            w->overflow = true;
    }
}

/* Does no row whose columns are known say otherwise? */
static bool may_hold(struct walk *w)
{
    const struct part *part = w->part;

    for (unsigned r = 0; r < part->n_row; r++) {
        const wide *row = part->rows + r * part->n_column;
        wide value;

        if (!is_known(w, row, MAX_COLUMNS))
            continue;
        value = sum(w, row, MAX_COLUMNS);
        if (value < 0 || (r < part->n_eq && value != 0))
            return false;
    }
    return true;
}

static void begin(struct walk *w, const struct part *part, unsigned n_fixed,
                  const int64_t *fixed)
{
    unsigned c = 1;

    w->part = part;
    w->overflow = false;
    memset(w->known, 0, sizeof(w->known));
    w->x[0] = 1;
    for (unsigned p = 0; p < w->points->n_param; p++)
        w->x[c++] = w->params[p];
    for (unsigned d = 0; d < n_fixed; d++)
        w->x[c++] = fixed[d];
    for (unsigned k = 0; k < c; k++)
        w->known[k] = true;
    compute_divs(w);
}

isl_bool pg_point_set_contain(const pg_point_set *points, const int64_t *params,
                              const int64_t *point)
{
    struct walk w = {.points = points, .params = params};

    for (unsigned i = 0; i < points->n_part; i++) {
        bool inside;

        begin(&w, &points->parts[i], points->n_dim, point);
        inside = may_hold(&w);
        if (w.overflow)
            return isl_bool_error;
        if (inside)
            return isl_bool_true;
    }
    return isl_bool_false;
}

/* ---- Enumeration -------------------------------------------------------- */

/* Bounds of column "c" by the rows in which nothing else is unknown. */
static bool bounds(struct walk *w, unsigned c, wide *low, wide *high)
{
    const struct part *part = w->part;
    bool has_low = false, has_high = false;

    for (unsigned r = 0; r < part->n_row; r++) {
        const wide *row = part->rows + r * part->n_column;
        wide factor = row[c], rest, limit;

        if (factor == 0 || !is_known(w, row, c))
            continue;
        rest = sum(w, row, c);
        if (factor > 0 || r < part->n_eq) {
            limit = factor > 0 ? -floor_div(rest, factor)
                               : -floor_div(-rest, -factor);
            *low = has_low && *low > limit ? *low : limit;
            has_low = true;
        }
        if (factor < 0 || r < part->n_eq) {
            limit = factor < 0 ? floor_div(rest, -factor)
                               : floor_div(-rest, factor);
            *high = has_high && *high < limit ? *high : limit;
            has_high = true;
        }
    }
    return has_low && has_high;
}

/* The unknown dimension with fewest values, or MAX_COLUMNS if none is bounded;
 * 0 if all are known. */
static unsigned next_column(struct walk *w, wide *low, wide *high)
{
    unsigned first = 1 + w->points->n_param, best = 0;

    for (unsigned c = first; c < first + w->points->n_dim; c++) {
        wide l = 0, h = 0;

        if (w->known[c])
            continue;
        if (best == 0)
            best = MAX_COLUMNS;
        if (bounds(w, c, &l, &h) &&
            (best == MAX_COLUMNS || h - l < *high - *low)) {
            best = c;
            *low = l;
            *high = h;
        }
    }
    return best;
}

/* A point that an earlier part has as well was visited there. */
static bool is_new(const struct walk *w, const int64_t *point)
{
    pg_point_set before = *w->points;

    before.n_part = (unsigned)(w->part - w->points->parts);
    return pg_point_set_contain(&before, w->params, point) != isl_bool_true;
}

static enum pg_point_set_end step(struct walk *w)
{
    const int64_t *point = w->x + 1 + w->points->n_param;
    bool known[MAX_COLUMNS];
    wide low = 0, high = 0;
    enum pg_point_set_end end = PG_POINT_SET_ALL;
    unsigned c;

    compute_divs(w);
    if (w->overflow || w->left == 0)
        return PG_POINT_SET_UNKNOWN;
    w->left--;
    if (!may_hold(w))
        return w->overflow ? PG_POINT_SET_UNKNOWN : PG_POINT_SET_ALL;
    c = next_column(w, &low, &high);
    if (c == MAX_COLUMNS)
        return PG_POINT_SET_UNKNOWN;
    if (c == 0)
        return !is_new(w, point) || w->visit(point, w->user)
                   ? PG_POINT_SET_ALL
                   : PG_POINT_SET_STOPPED;
    memcpy(known, w->known, sizeof(known));
    for (wide v = low; v <= high && end == PG_POINT_SET_ALL; v++) {
        w->x[c] = (int64_t)v;
        w->known[c] = true;
        end = w->x[c] == v ? step(w) : PG_POINT_SET_UNKNOWN;
        memcpy(w->known, known, sizeof(known));
    }
    return end;
}

enum pg_point_set_end pg_point_set_each(const pg_point_set *points,
                                        const int64_t *params, unsigned n_fixed,
                                        const int64_t *fixed,
                                        unsigned long limit,
                                        pg_point_set_visitor *visit, void *user)
{
    struct walk w = {.points = points,
                     .params = params,
                     .left = limit,
                     .visit = visit,
                     .user = user};
    enum pg_point_set_end end = PG_POINT_SET_ALL;

    for (unsigned i = 0; i < points->n_part && end == PG_POINT_SET_ALL; i++) {
        begin(&w, &points->parts[i], n_fixed, fixed);
        end = step(&w);
    }
    return end;
}
