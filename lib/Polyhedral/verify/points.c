/* points.c - see points.h.
 *
 * A basic set is rows of columns 1, parameters, dimensions, integer divisions;
 * each of these is floor(row / divisor) of the columns before it.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "verify/points.h"
#include "support/text.h"

#include <isl/local_space.h>
#include <isl/mat.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

static const long long infinite = 1LL << 60;

/* Rows of numbers. */
struct rows {
    unsigned n, n_column;
    long long *v;
};

struct part {
    unsigned n_div, n_column;
    long long divisor[MAX_COLUMNS];
    struct rows div, eq, ineq;
};

struct points {
    unsigned n_param, n_dim, n;
    struct part *part;
};

static long long *row_of(const struct rows *rows, unsigned i)
{
    return rows->v + (size_t)i * rows->n_column;
}

static long long floor_div(long long a, long long b)
{
    return a / b - (a % b < 0);
}

/* What no number reaches, so that sums of products stay numbers. */
static const long large = 1L << 60;

/* "value" as a number, which is freed. */
static long long number(__isl_take isl_val *value, struct pg_fault *fault)
{
    isl_val *size = isl_val_abs(isl_val_copy(value));
    long long result = 0;

    if (isl_val_is_int(value) != isl_bool_true ||
        isl_val_n_abs_num_chunks(value, 8) != 1 ||
        isl_val_cmp_si(size, large) >= 0)
        pg_cannot(fault, "a number is too large");
    else
        result = isl_val_get_num_si(value);
    isl_val_free(size);
    isl_val_free(value);
    return result;
}

/* Does inequality "i" of "mat" hold wherever it is tried, like one that the
 * bounds of a 64-bit type give?  Its constant is too large for a number.
 */
static bool holds_for_all(__isl_keep isl_mat *mat, int i)
{
    isl_size columns = isl_mat_cols(mat);
    isl_val *constant = isl_mat_get_element_val(mat, i, 0);
    isl_val *factors = isl_val_zero(isl_mat_get_ctx(mat));
    bool holds;

    for (int j = 1; j < columns; j++)
        factors = isl_val_add(factors,
                              isl_val_abs(isl_mat_get_element_val(mat, i, j)));
    holds = isl_val_cmp_si(constant, large) >= 0 &&
            isl_val_cmp_si(factors, large >> PG_TRIED_BITS) < 0;
    isl_val_free(constant);
    isl_val_free(factors);
    return holds;
}

/* The rows of "mat", which is freed. */
static struct rows rows_of(__isl_take isl_mat *mat, bool inequalities,
                           struct pg_fault *fault)
{
    isl_size n = isl_mat_rows(mat), columns = isl_mat_cols(mat);
    struct rows rows = {0};

    if (n < 0 || columns < 0) {
        pg_cannot(fault, "isl failed");
    } else {
        rows.n_column = (unsigned)columns;
        rows.v = pg_alloc((size_t)n * (size_t)columns + 1, sizeof(*rows.v));
        for (int i = 0; i < n; i++) {
            if (inequalities && holds_for_all(mat, i))
                continue;
            for (int j = 0; j < columns; j++)
                row_of(&rows, rows.n)[j] =
                    number(isl_mat_get_element_val(mat, i, j), fault);
            rows.n++;
        }
    }
    isl_mat_free(mat);
    return rows;
}

/* The row of "aff" without its denominator, which *denominator becomes; its
 * divisions are the first ones of those around.
 */
static void read_aff(__isl_keep isl_aff *aff, unsigned n_dim, unsigned n_div,
                     long long *row, long long *denominator,
                     struct pg_fault *fault)
{
    isl_size np = isl_aff_dim(aff, isl_dim_param);
    const enum isl_dim_type types[] = {isl_dim_param, isl_dim_in, isl_dim_div};
    int sizes[] = {(int)np, (int)n_dim, (int)n_div};
    isl_val *d = isl_aff_get_denominator_val(aff);

    *row++ = number(isl_val_mul(isl_aff_get_constant_val(aff), isl_val_copy(d)),
                    fault);
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < sizes[t]; i++)
            *row++ = number(
                isl_val_mul(isl_aff_get_coefficient_val(aff, types[t], i),
                            isl_val_copy(d)),
                fault);
    *denominator = number(d, fault);
}

struct reading {
    struct points *points;
    struct pg_fault *fault;
};

/* The integer divisions of "space", each of those before it. */
static void read_divs(struct part *part, __isl_keep isl_local_space *space,
                      unsigned n_dim, struct pg_fault *fault)
{
    part->div.n = part->n_div;
    part->div.n_column = part->n_column;
    part->div.v =
        pg_alloc((size_t)part->n_div * part->n_column + 1, sizeof(long long));
    for (unsigned i = 0; i < part->n_div && !fault->sentence; i++) {
        isl_aff *aff = isl_local_space_get_div(space, (int)i);

        if (!aff)
            pg_cannot(fault, "a division is not known");
        else
            read_aff(aff, n_dim, i, row_of(&part->div, i), &part->divisor[i],
                     fault);
        isl_aff_free(aff);
    }
}

static isl_stat read_part(__isl_take isl_basic_set *basic, void *user)
{
    struct reading *r = user;
    struct points *points = r->points;
    isl_local_space *space = isl_basic_set_get_local_space(basic);
    isl_size n_div = isl_local_space_dim(space, isl_dim_div);
    struct part part = {0};

    part.n_column = 1 + points->n_param + points->n_dim + (unsigned)n_div;
    if (n_div < 0 || part.n_column > MAX_COLUMNS) {
        pg_cannot(r->fault, "a set is too complicated");
    } else {
        part.n_div = (unsigned)n_div;
        read_divs(&part, space, points->n_dim, r->fault);
        part.eq = rows_of(
            isl_basic_set_equalities_matrix(basic, isl_dim_cst, isl_dim_param,
                                            isl_dim_set, isl_dim_div),
            false, r->fault);
        part.ineq = rows_of(
            isl_basic_set_inequalities_matrix(basic, isl_dim_cst, isl_dim_param,
                                              isl_dim_set, isl_dim_div),
            true, r->fault);
        points->part = pg_grow(points->part, points->n, sizeof(*points->part));
        points->part[points->n++] = part;
    }
    isl_local_space_free(space);
    isl_basic_set_free(basic);
    return r->fault->sentence ? isl_stat_error : isl_stat_ok;
}

struct points *pg_points_take(__isl_take isl_set *set,
                              __isl_keep isl_space *params,
                              struct pg_fault *fault)
{
    struct points *points = pg_alloc(1, sizeof(*points));
    struct reading r = {points, fault};
    isl_size np, n;

    set = isl_set_align_params(set, isl_space_copy(params));
    set = isl_set_compute_divs(isl_set_make_disjoint(set));
    np = isl_set_dim(set, isl_dim_param);
    n = isl_set_dim(set, isl_dim_set);
    if (np < 0 || n < 0) {
        pg_cannot(fault, "isl failed");
    } else {
        points->n_param = (unsigned)np;
        points->n_dim = (unsigned)n;
        if (isl_set_foreach_basic_set(set, &read_part, &r) < 0)
            pg_cannot(fault, "isl failed");
    }
    isl_set_free(set);
    if (!fault->sentence)
        return points;
    pg_points_free(points);
    return NULL;
}

void pg_points_free(struct points *points)
{
    if (!points)
        return;
    for (unsigned i = 0; i < points->n; i++) {
        free(points->part[i].div.v);
        free(points->part[i].eq.v);
        free(points->part[i].ineq.v);
    }
    free(points->part);
    free(points);
}

static long long dot(const long long *row, const long long *x, unsigned n)
{
    long long sum = 0;

    for (unsigned i = 0; i < n; i++)
        sum += row[i] * x[i];
    return sum;
}

/* The columns 1, "values" and "x"; those of divisions come later. */
static void begin_columns(const struct points *points, const long long *values,
                          const long long *x, long long *columns)
{
    columns[0] = 1;
    if (points->n_param)
        memcpy(columns + 1, values, points->n_param * sizeof(*values));
    memcpy(columns + 1 + points->n_param, x, points->n_dim * sizeof(*x));
}

/* Are "columns" in "part"?  Those of divisions are set here. */
static bool in_part(const struct part *part, long long *columns)
{
    unsigned n = part->n_column, first = n - part->n_div;

    for (unsigned i = 0; i < part->n_div; i++)
        columns[first + i] = floor_div(
            dot(row_of(&part->div, i), columns, first + i), part->divisor[i]);
    for (unsigned i = 0; i < part->eq.n; i++)
        if (dot(row_of(&part->eq, i), columns, n) != 0)
            return false;
    for (unsigned i = 0; i < part->ineq.n; i++)
        if (dot(row_of(&part->ineq, i), columns, n) < 0)
            return false;
    return true;
}

bool pg_points_have(const struct points *points, const long long *values,
                    const long long *x)
{
    long long columns[MAX_COLUMNS];

    begin_columns(points, values, x, columns);
    for (unsigned i = 0; i < points->n; i++)
        if (in_part(&points->part[i], columns))
            return true;
    return false;
}

/* ---- All points of a part ------------------------------------------------ */

/* Between which numbers each column is. */
struct box {
    long long low[MAX_COLUMNS], high[MAX_COLUMNS];
};

struct scanning {
    const struct points *points;
    const struct part *part;
    long long x[MAX_COLUMNS];
    long *work;
    bool (*each)(const long long *x, void *user);
    void *user;
    bool complete;
};

/* The least (or largest) value of "factor" times what is from low to high. */
static __int128 extreme(long long factor, long long low, long long high,
                        bool most)
{
    return (__int128)factor * ((factor >= 0) == most ? high : low);
}

static long long clamp(__int128 v)
{
    return v > infinite ? infinite : v < -infinite ? -infinite : (long long)v;
}

/* Let "row" >= 0 (or, negated, <= 0) narrow the columns from "first" on. */
static bool narrow_by(const struct part *part, struct box *box,
                      const long long *row, long long sign, unsigned first)
{
    __int128 most = 0, rest, q;
    bool changed = false;

    for (unsigned i = 0; i < part->n_column; i++)
        most += extreme(sign * row[i], box->low[i], box->high[i], true);
    for (unsigned i = first; i < part->n_column; i++) {
        long long a = sign * row[i];

        if (!a)
            continue;
        rest = most - extreme(a, box->low[i], box->high[i], true);
        if (a > 0) { /* a * x >= -rest */
            q = -rest / a + (-rest % a > 0);
            if (q > box->low[i]) {
                box->low[i] = clamp(q);
                changed = true;
            }
        } else { /* -a * x <= rest */
            q = rest / -a - (rest % -a < 0);
            if (q < box->high[i]) {
                box->high[i] = clamp(q);
                changed = true;
            }
        }
        most = rest + extreme(a, box->low[i], box->high[i], true);
    }
    return changed;
}

/* The division "i" is between its values at the corners of "box". */
static bool narrow_division(const struct part *part, struct box *box,
                            unsigned i)
{
    unsigned first = part->n_column - part->n_div, at = first + i;
    const long long *row = row_of(&part->div, i);
    __int128 least = 0, most = 0, d = part->divisor[i];
    bool changed = false;

    for (unsigned j = 0; j < at; j++) {
        least += extreme(row[j], box->low[j], box->high[j], false);
        most += extreme(row[j], box->low[j], box->high[j], true);
    }
    least = least / d - (least % d < 0);
    most = most / d - (most % d < 0);
    if (least > box->low[at]) {
        box->low[at] = clamp(least);
        changed = true;
    }
    if (most < box->high[at]) {
        box->high[at] = clamp(most);
        changed = true;
    }
    return changed;
}

/* Narrow the columns from "first" on by all that is known. */
static void narrow(const struct part *part, struct box *box, unsigned first)
{
    bool changed = true;

    for (unsigned round = 0; changed && round < 8; round++) {
        changed = false;
        for (unsigned i = 0; i < part->n_div; i++)
            changed |= narrow_division(part, box, i);
        for (unsigned i = 0; i < part->eq.n; i++) {
            changed |= narrow_by(part, box, row_of(&part->eq, i), 1, first);
            changed |= narrow_by(part, box, row_of(&part->eq, i), -1, first);
        }
        for (unsigned i = 0; i < part->ineq.n; i++)
            changed |= narrow_by(part, box, row_of(&part->ineq, i), 1, first);
    }
}

/* Visit the point of which "columns" has all that is no division. */
static void visit(struct scanning *s, long long *columns)
{
    --*s->work;
    if (in_part(s->part, columns) && !s->each(s->x, s->user))
        s->complete = false;
}

/* Scan dimension "d" and those behind it, of the columns in "outer". */
static void scan(struct scanning *s, unsigned d, const struct box *outer)
{
    unsigned at = 1 + s->points->n_param + d;
    bool is_last = d + 1 >= s->points->n_dim;
    struct box box = *outer;
    long long columns[MAX_COLUMNS];

    if (d < s->points->n_dim)
        narrow(s->part, &box, at);
    if (is_last)
        memcpy(columns, box.low, at * sizeof(*columns));
    if (d == s->points->n_dim) {
        visit(s, columns);
        return;
    }
    *s->work -= 4;
    if (box.low[at] <= box.high[at] &&
        (box.low[at] <= -infinite || box.high[at] >= infinite))
        s->complete = false;
    for (long long v = box.low[at]; s->complete && v <= box.high[at]; v++) {
        if (*s->work <= 0) {
            s->complete = false;
            break;
        }
        s->x[d] = v;
        if (is_last) {
            columns[at] = v;
            visit(s, columns);
        } else {
            struct box inner = box;

            inner.low[at] = inner.high[at] = v;
            scan(s, d + 1, &inner);
        }
    }
}

/* What is known of "part" at first. */
static struct box first_box(const struct points *points,
                            const struct part *part, const long long *values)
{
    struct box box;

    for (unsigned c = 0; c < part->n_column; c++) {
        box.low[c] = -infinite;
        box.high[c] = infinite;
    }
    box.low[0] = box.high[0] = 1;
    for (unsigned p = 0; p < points->n_param; p++)
        box.low[1 + p] = box.high[1 + p] = values[p];
    return box;
}

/* Has "part" surely no point in "box", which becomes narrower? */
static bool is_empty(const struct part *part, struct box *box)
{
    bool empty = false;

    narrow(part, box, 0);
    for (unsigned c = 0; c < part->n_column; c++)
        empty |= box->low[c] > box->high[c];
    return empty;
}

bool pg_points_box(const struct points *points, const long long *values,
                   long long *low, long long *high)
{
    bool ok = true;

    for (unsigned d = 0; d < points->n_dim; d++) {
        low[d] = infinite;
        high[d] = -infinite;
    }
    for (unsigned i = 0; i < points->n; i++) {
        struct box box = first_box(points, &points->part[i], values);
        const long long *l = box.low + 1 + points->n_param;
        const long long *h = box.high + 1 + points->n_param;
        bool empty = is_empty(&points->part[i], &box);

        for (unsigned d = 0; !empty && d < points->n_dim; d++) {
            low[d] = l[d] < low[d] ? l[d] : low[d];
            high[d] = h[d] > high[d] ? h[d] : high[d];
            ok &= l[d] > -infinite && h[d] < infinite;
        }
    }
    return ok;
}

bool pg_points_scan(const struct points *points, const long long *values,
                    const long long *low, const long long *high, long *work,
                    bool (*each)(const long long *x, void *user), void *user)
{
    struct scanning s = {.points = points,
                         .work = work,
                         .each = each,
                         .user = user,
                         .complete = true};

    for (unsigned i = 0; s.complete && i < points->n; i++) {
        struct box box = first_box(points, &points->part[i], values);
        struct box all = box;

        *work -= 4;
        if (is_empty(&points->part[i], &all))
            continue;
        for (unsigned d = 0; low && d < points->n_dim; d++) {
            box.low[1 + points->n_param + d] = low[d];
            box.high[1 + points->n_param + d] = high[d];
        }
        s.part = &points->part[i];
        scan(&s, 0, &box);
    }
    return s.complete;
}

bool pg_points_near(const struct points *points, const long long *wish,
                    long long *x)
{
    for (unsigned i = 0; i < points->n; i++) {
        struct box box = first_box(points, &points->part[i], NULL);

        for (unsigned d = 0; d < points->n_dim; d++) {
            long long v = wish[d];

            narrow(&points->part[i], &box, 1);
            if (v > box.high[1 + d])
                v = box.high[1 + d];
            if (v < box.low[1 + d])
                v = box.low[1 + d];
            x[d] = box.low[1 + d] = box.high[1 + d] = v;
        }
        if (pg_points_have(points, NULL, x))
            return true;
    }
    return false;
}

/* ---- Functions ------------------------------------------------------------
 */

/* An expression of columns, some of which are divisions of its own. */
struct affine {
    unsigned n_div;
    long long divisor, divisors[MAX_COLUMNS], *row;
    struct rows div;
};

struct piece {
    struct points *where;
    struct affine *out;
};

struct function {
    unsigned n_out, n;
    struct piece *piece;
    unsigned n_param, n_dim;
};

struct reading_function {
    struct function *function;
    isl_space *params;
    struct pg_fault *fault;
};

static void read_affine(struct affine *a, __isl_take isl_aff *aff,
                        unsigned n_before, unsigned n_dim,
                        struct pg_fault *fault)
{
    isl_size n = isl_aff_dim(aff, isl_dim_div);

    if (n < 0 || n_before + (unsigned)n > MAX_COLUMNS) {
        pg_cannot(fault, "a function is too complicated");
        isl_aff_free(aff);
        return;
    }
    a->n_div = (unsigned)n;
    a->div.n = a->n_div;
    a->div.n_column = n_before + a->n_div;
    a->div.v =
        pg_alloc((size_t)a->div.n * a->div.n_column + 1, sizeof(*a->div.v));
    a->row = pg_alloc(a->div.n_column, sizeof(*a->row));
    for (unsigned i = 0; i < a->n_div && !fault->sentence; i++) {
        isl_aff *div = isl_aff_get_div(aff, (int)i);

        if (!div)
            pg_cannot(fault, "a division is not known");
        else
            read_aff(div, n_dim, i, row_of(&a->div, i), &a->divisors[i], fault);
        isl_aff_free(div);
    }
    read_aff(aff, n_dim, a->n_div, a->row, &a->divisor, fault);
    isl_aff_free(aff);
}

static isl_stat read_piece(__isl_take isl_set *set,
                           __isl_take isl_multi_aff *ma, void *user)
{
    struct reading_function *r = user;
    struct function *f = r->function;
    struct piece *piece;

    f->piece = pg_grow(f->piece, f->n, sizeof(*f->piece));
    piece = &f->piece[f->n++];
    piece->out = pg_alloc(f->n_out + 1, sizeof(*piece->out));
    piece->where = pg_points_take(set, r->params, r->fault);
    for (unsigned d = 0; d < f->n_out && !r->fault->sentence; d++)
        read_affine(&piece->out[d], isl_multi_aff_get_aff(ma, (int)d),
                    1 + f->n_param + f->n_dim, f->n_dim, r->fault);
    isl_multi_aff_free(ma);
    return r->fault->sentence ? isl_stat_error : isl_stat_ok;
}

struct function *pg_function_take(__isl_take isl_pw_multi_aff *pma,
                                  __isl_keep isl_space *params,
                                  struct pg_fault *fault)
{
    struct function *f = pg_alloc(1, sizeof(*f));
    struct reading_function r = {f, params, fault};
    isl_size np, n_in, n_out;

    pma = isl_pw_multi_aff_align_params(pma, isl_space_copy(params));
    np = isl_pw_multi_aff_dim(pma, isl_dim_param);
    n_in = isl_pw_multi_aff_dim(pma, isl_dim_in);
    n_out = isl_pw_multi_aff_dim(pma, isl_dim_out);
    if (np < 0 || n_in < 0 || n_out < 0) {
        pg_cannot(fault, "isl failed");
    } else {
        f->n_param = (unsigned)np;
        f->n_dim = (unsigned)n_in;
        f->n_out = (unsigned)n_out;
        if (isl_pw_multi_aff_foreach_piece(pma, &read_piece, &r) < 0)
            pg_cannot(fault, "isl failed");
    }
    isl_pw_multi_aff_free(pma);
    if (!fault->sentence)
        return f;
    pg_function_free(f);
    return NULL;
}

void pg_function_free(struct function *function)
{
    if (!function)
        return;
    for (unsigned i = 0; i < function->n; i++) {
        for (unsigned d = 0; d < function->n_out; d++) {
            free(function->piece[i].out[d].row);
            free(function->piece[i].out[d].div.v);
        }
        free(function->piece[i].out);
        pg_points_free(function->piece[i].where);
    }
    free(function->piece);
    free(function);
}

unsigned pg_function_n_out(const struct function *function)
{
    return function->n_out;
}

bool pg_function_at(const struct function *function, const long long *values,
                    const long long *x, long long *y)
{
    unsigned n = 1 + function->n_param + function->n_dim;
    long long columns[MAX_COLUMNS];
    const struct piece *piece = NULL;

    columns[0] = 1;
    memcpy(columns + 1, values, function->n_param * sizeof(*values));
    memcpy(columns + 1 + function->n_param, x, function->n_dim * sizeof(*x));
    if (function->n == 1)
        piece = &function->piece[0];
    for (unsigned i = 0; !piece && i < function->n; i++)
        if (pg_points_have(function->piece[i].where, values, x))
            piece = &function->piece[i];
    if (!piece)
        return false;
    for (unsigned d = 0; d < function->n_out; d++) {
        const struct affine *a = &piece->out[d];

        for (unsigned i = 0; i < a->n_div; i++)
            columns[n + i] = floor_div(dot(row_of(&a->div, i), columns, n + i),
                                       a->divisors[i]);
        y[d] = dot(a->row, columns, n + a->n_div) / a->divisor;
    }
    return true;
}

/* The values of "row" where the columns are from "low" to "high". */
static void range_of(const long long *row, unsigned n, const struct box *box,
                     long long divisor, long long *least, long long *most)
{
    __int128 l = 0, m = 0, d = divisor;

    for (unsigned i = 0; i < n; i++) {
        l += extreme(row[i], box->low[i], box->high[i], false);
        m += extreme(row[i], box->low[i], box->high[i], true);
    }
    *least = clamp(l / d - (l % d < 0));
    *most = clamp(m / d - (m % d < 0));
}

void pg_function_range(const struct function *function, const long long *values,
                       const long long *low, const long long *high,
                       long long *least, long long *most)
{
    unsigned n = 1 + function->n_param + function->n_dim;
    struct box box = {.low = {1}, .high = {1}};

    for (unsigned i = 1; i < n; i++) {
        bool param = i <= function->n_param;

        box.low[i] = param ? values[i - 1] : low[i - 1 - function->n_param];
        box.high[i] = param ? values[i - 1] : high[i - 1 - function->n_param];
    }
    for (unsigned d = 0; d < function->n_out; d++) {
        least[d] = infinite;
        most[d] = -infinite;
        for (unsigned p = 0; p < function->n; p++) {
            const struct affine *a = &function->piece[p].out[d];
            long long l, m;

            for (unsigned i = 0; i < a->n_div; i++)
                range_of(row_of(&a->div, i), n + i, &box, a->divisors[i],
                         &box.low[n + i], &box.high[n + i]);
            range_of(a->row, n + a->n_div, &box, a->divisor, &l, &m);
            least[d] = l < least[d] ? l : least[d];
            most[d] = m > most[d] ? m : most[d];
        }
    }
}
