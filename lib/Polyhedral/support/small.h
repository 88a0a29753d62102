/* small.h - isl's integers where they are small.
 *
 * isl_int is a word: a pointer to a large number, or, where the lowest bit is
 * set, a number of at most 31 bits and its sign in the upper half.  A number
 * that fits is small, except for a moment inside of isl's own functions.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SUPPORT_SMALL_H
#define POLYGPU_SUPPORT_SMALL_H

#include <stdbool.h>
#include <stdint.h>

static const uint64_t pg_small_zero = 1;

/* Is it small?  Of several: are all of "a & b & ..." so? */
static inline bool pg_is_small(uint64_t words)
{
    return words & 1;
}

static inline int64_t pg_small_value(uint64_t word)
{
    return (int64_t)word >> 32;
}

/* Write "value" to "*to", which is small, if it fits. */
static inline bool pg_small_set(uint64_t *to, int64_t value)
{
    if (value < -INT32_MAX || value > INT32_MAX)
        return false;
    *to = (uint64_t)value << 32 | 1;
    return true;
}

/* The greatest common divisor. */
static inline uint64_t pg_gcd(uint64_t a, uint64_t b)
{
    int shift;

    if (a == 0 || b == 0)
        return a | b;
    shift = __builtin_ctzll(a | b);
    a >>= __builtin_ctzll(a);
    do {
        b >>= __builtin_ctzll(b);
        if (a > b) {
            uint64_t less = b;

            b = a;
            a = less;
        }
        b -= a;
    } while (b);
    return a << shift;
}

#endif
