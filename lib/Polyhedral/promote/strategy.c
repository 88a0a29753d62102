/* strategy.c - what strategies ask of a kernel.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/strategy.h"
#include "scop/scop.h"
#include "support/machine.h"

#include <isl/ilp.h>
#include <isl/val.h>
#include <limits.h>

enum {
    UNROLLED =
        1536, /* instructions of the points of a thread, in one step of */
              /* their sequential loop */
    STEPS = 8 /* of that loop, which are unrolled as well */
};

static const long very_many = 1L << 40; /* iterations of a loop */

/* Has a component of the kernel a sequential loop? */
bool pg_sizing_has_loop(const struct pg_sizing *sizing)
{
    for (unsigned p = 0; p < sizing->components->n; p++)
        if (sizing->components->component[p].n_loop)
            return true;
    return false;
}

/* The instructions of a point, in one step of its sequential loop: what is in
 * front of that or behind it is there once for all the steps that are unrolled.
 */
static double code_of_point(const struct pg_sizing *sizing)
{
    const struct pg_components *components = sizing->components;
    double inside = 0, beside = 0;

    for (unsigned p = 0; p < components->n_placed; p++) {
        const struct pg_placed *placed = &components->placed[p];
        double code = pg_stmt_code(&sizing->scop->stmts[placed->stmt]);

        if (components->component[placed->component].n_loop)
            inside += code;
        else
            beside += code;
    }
    return inside > 0 ? inside + beside / STEPS : beside;
}

/* Are the points of a thread, which are unrolled, more code than LLVM and ptxas
 * are to get?  A thread has one point in any case.
 *
 * The most of the suites is 1,304, of a box of 81 points; 8 x 8 points of symm
 * are 1,280.  Of fdtd-apml, with four divisions in a point and so 294, one run
 * of ptxas for sm_75 took 4.6 s of the processor with 8 points and 0.6 with 4,
 * and one for sm_90 more than 43 with 32.
 */
bool pg_sizing_is_long(const struct pg_sizing *sizing,
                       const struct pg_tile_sizes *sizes)
{
    double points = 1;

    for (unsigned d = 0; d < sizes->n; d++)
        points *= (double)(sizes->tile[d] / sizes->threads[d]);
    return points > 1 && points * code_of_point(sizing) > UNROLLED;
}

/* The number of values from "low" to "high" (both taken), 0 if they are no
 * numbers, or very many.
 */
static long long values_between(__isl_take isl_val *low,
                                __isl_take isl_val *high)
{
    isl_val *n = isl_val_add_ui(isl_val_sub(high, low), 1);
    long long result = 0;

    if (isl_val_is_int(n) == isl_bool_true && isl_val_cmp_si(n, very_many) < 0)
        result = isl_val_get_num_si(n);
    isl_val_free(n);
    return result;
}

/* The number of values of dimension "d" of the components' points, 0 if it
 * depends on parameters.
 */
long long pg_sizing_extent(const struct pg_sizing *sizing, unsigned d)
{
    const struct pg_components *components = sizing->components;
    long long extent = 0;

    for (unsigned i = 0; i < components->n_placed; i++) {
        const struct pg_placed *placed = &components->placed[i];
        isl_set *values = isl_set_apply(isl_set_copy(placed->domain),
                                        isl_map_copy(placed->point));
        isl_val *low;
        long long n;

        if (isl_set_dim(values, isl_dim_set) <= (isl_size)d) {
            isl_set_free(values); // has fewer sequential loops
            continue;
        }
        low = isl_set_dim_min_val(isl_set_copy(values), (int)d);
        n = values_between(low, isl_set_dim_max_val(values, (int)d));
        if (n <= 0)
            return 0;
        extent = n > extent ? n : extent;
    }
    return extent;
}

/* The points next to each other of "n" of a thread. */
long long pg_vector_of(unsigned elem_size, long long n)
{
    long long most =
        elem_size < PG_VECTOR_BYTES ? PG_VECTOR_BYTES / elem_size : 1;

    while (most > 1 && n % most)
        most /= 2;
    return most;
}

/* The number of tiles of "extent" points, or INT_MAX if there are more or
 * nobody knows.
 */
static long long count_tiles(const struct pg_tile_sizes *sizes,
                             const long long *extent)
{
    long long n = 1;

    for (unsigned d = 0; d < sizes->n && n < INT_MAX; d++) {
        if (extent[d] == 0 || extent[d] > INT_MAX)
            return INT_MAX;
        n *= (extent[d] + sizes->tile[d] - 1) / sizes->tile[d];
    }
    return n;
}

/* What tiles of "sizes" cost by their number alone: where each multiprocessor
 * has one, the larger the better, because neighbours share what they read; else
 * the kernel takes as long as one tile does, and the smaller the better.
 */
double pg_cost_of_spread(const struct pg_machine *machine,
                         const struct pg_tile_sizes *sizes,
                         const long long *extent)
{
    double points = 1;

    for (unsigned d = 0; d < sizes->n; d++)
        points *= (double)sizes->tile[d];
    return count_tiles(sizes, extent) < machine->multiprocessors ? 1 + points
                                                                 : 1 / points;
}

/* Append "sizes", unless the list is full. */
void pg_candidates_add(struct pg_candidates *list,
                       const struct pg_tile_sizes *sizes, double cost)
{
    if (list->n < PG_MAX_CANDIDATES)
        list->item[list->n++] = (struct pg_candidate){*sizes, cost};
}
