/* numbers.c - isl's sums, differences and quotients of small numbers.
 *
 * isl does them with the same instructions as these, between two dozen others
 * that make room for large numbers, and they are a fifth of all instructions of
 * a compilation.  So the linker sends calls of them from other files of isl
 * here (--wrap in CMakeLists.txt); what is not small goes on to isl.  Products
 * are in work.c, which counts them.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/small.h"

#include <stdlib.h>

void __real_isl_sioimath_add(uint64_t *sum, uint64_t a, uint64_t b);
void __wrap_isl_sioimath_add(uint64_t *sum, uint64_t a, uint64_t b);
void __real_isl_sioimath_sub(uint64_t *difference, uint64_t a, uint64_t b);
void __wrap_isl_sioimath_sub(uint64_t *difference, uint64_t a, uint64_t b);
void __real_isl_sioimath_tdiv_q(uint64_t *quotient, uint64_t a, uint64_t b);
void __wrap_isl_sioimath_tdiv_q(uint64_t *quotient, uint64_t a, uint64_t b);
void __real_isl_sioimath_gcd(uint64_t *divisor, uint64_t a, uint64_t b);
void __wrap_isl_sioimath_gcd(uint64_t *divisor, uint64_t a, uint64_t b);

void __wrap_isl_sioimath_add(uint64_t *sum, uint64_t a, uint64_t b)
{
    if (!pg_is_small(*sum & a & b) ||
        !pg_small_set(sum, pg_small_value(a) + pg_small_value(b)))
        __real_isl_sioimath_add(sum, a, b);
}

void __wrap_isl_sioimath_sub(uint64_t *difference, uint64_t a, uint64_t b)
{
    if (!pg_is_small(*difference & a & b) ||
        !pg_small_set(difference, pg_small_value(a) - pg_small_value(b)))
        __real_isl_sioimath_sub(difference, a, b);
}

/* Rounded towards zero. */
void __wrap_isl_sioimath_tdiv_q(uint64_t *quotient, uint64_t a, uint64_t b)
{
    if (!pg_is_small(*quotient & a & b) || b == pg_small_zero ||
        !pg_small_set(quotient, pg_small_value(a) / pg_small_value(b)))
        __real_isl_sioimath_tdiv_q(quotient, a, b);
}

void __wrap_isl_sioimath_gcd(uint64_t *divisor, uint64_t a, uint64_t b)
{
    if (!pg_is_small(*divisor & a & b) ||
        !pg_small_set(divisor, pg_gcd((uint64_t)llabs(pg_small_value(a)),
                                      (uint64_t)llabs(pg_small_value(b)))))
        __real_isl_sioimath_gcd(divisor, a, b);
}
