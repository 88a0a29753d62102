/* divisor.c - the divisor of a row of isl's integers, from its small ones.
 *
 * isl's functions that this stands in front of are in work.c, which counts
 * them.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/divisor.h"
#include "support/small.h"

#include <stdlib.h>

/* Has a row a 1 or a -1?  Most rows have. */
static bool has_unit(const uint64_t *row, unsigned n)
{
    const uint64_t one = UINT64_C(1) << 32 | 1, minus_one = 2 - one;
    uint64_t found = 0;

    for (unsigned i = 0; i < n; i++)
        found |= (row[i] == one) | (row[i] == minus_one);
    return found;
}

/* The greatest common divisor of a row; false if it needs more than its small
 * numbers.
 */
bool pg_row_divisor(const uint64_t *row, unsigned n, uint32_t *divisor)
{
    uint64_t all = 0;
    bool small = true;

    if (has_unit(row, n)) {
        *divisor = 1;
        return true;
    }
    for (unsigned i = 0; i < n && all != 1; i++)
        if (pg_is_small(row[i]))
            all = pg_gcd(all, (uint64_t)llabs(pg_small_value(row[i])));
        else
            small = false;
    *divisor = (uint32_t)all;
    return small || all == 1;
}

/* Divide a row of small numbers by a divisor of all. */
void pg_row_divide(uint64_t *row, unsigned n, uint32_t divisor)
{
    for (unsigned i = 0; i < n; i++)
        (void)pg_small_set(&row[i], pg_small_value(row[i]) / divisor);
}
