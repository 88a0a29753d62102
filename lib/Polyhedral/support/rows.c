/* rows.c - isl's work on rows of integers, where they are small.
 *
 * As in numbers.c, the linker sends calls of these functions from other files
 * of isl here.  isl looks at each number for itself and frees what is in the
 * way; a row without large numbers is words to be copied and compared.  What a
 * row with a large number needs is left to isl, from that number on.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/small.h"
#include "support/work.h"

void __real_isl_seq_clr(uint64_t *row, unsigned n);
void __wrap_isl_seq_clr(uint64_t *row, unsigned n);
void __real_isl_seq_cpy(uint64_t *to, const uint64_t *from, unsigned n);
void __wrap_isl_seq_cpy(uint64_t *to, const uint64_t *from, unsigned n);
void __real_isl_seq_neg(uint64_t *to, const uint64_t *from, unsigned n);
void __wrap_isl_seq_neg(uint64_t *to, const uint64_t *from, unsigned n);
int __real_isl_seq_eq(const uint64_t *a, const uint64_t *b, unsigned n);
int __wrap_isl_seq_eq(const uint64_t *a, const uint64_t *b, unsigned n);
int __real_isl_seq_first_non_zero(const uint64_t *row, unsigned n);
int __wrap_isl_seq_first_non_zero(const uint64_t *row, unsigned n);
int __real_isl_seq_last_non_zero(const uint64_t *row, unsigned n);
int __wrap_isl_seq_last_non_zero(const uint64_t *row, unsigned n);
void __real_isl_seq_combine(uint64_t *to, const uint64_t *p, const uint64_t *a,
                            const uint64_t *q, const uint64_t *b, unsigned n);
void __wrap_isl_seq_combine(uint64_t *to, const uint64_t *p, const uint64_t *a,
                            const uint64_t *q, const uint64_t *b, unsigned n);
void __real_isl_seq_inner_product(const uint64_t *a, const uint64_t *b,
                                  unsigned n, uint64_t *product);
void __wrap_isl_seq_inner_product(const uint64_t *a, const uint64_t *b,
                                  unsigned n, uint64_t *product);
uint32_t __real_isl_seq_get_hash_bits(const uint64_t *row, unsigned n,
                                      unsigned bits);
uint32_t __wrap_isl_seq_get_hash_bits(const uint64_t *row, unsigned n,
                                      unsigned bits);

/* Are all numbers of a row small? */
static bool all_small(const uint64_t *row, unsigned n)
{
    uint64_t all = 1;

    for (unsigned i = 0; i < n; i++)
        all &= row[i];
    return pg_is_small(all);
}

void __wrap_isl_seq_clr(uint64_t *row, unsigned n)
{
    if (!all_small(row, n)) {
        __real_isl_seq_clr(row, n);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        row[i] = pg_small_zero;
}

void __wrap_isl_seq_cpy(uint64_t *to, const uint64_t *from, unsigned n)
{
    if (!all_small(to, n) || !all_small(from, n)) {
        __real_isl_seq_cpy(to, from, n);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        to[i] = from[i];
}

void __wrap_isl_seq_neg(uint64_t *to, const uint64_t *from, unsigned n)
{
    if (!all_small(to, n) || !all_small(from, n)) {
        __real_isl_seq_neg(to, from, n);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        to[i] = 2 - from[i];
}

int __wrap_isl_seq_eq(const uint64_t *a, const uint64_t *b, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (a[i] != b[i])
            return pg_is_small(a[i] & b[i])
                       ? 0
                       : __real_isl_seq_eq(a + i, b + i, n - i);
    return 1;
}

/* Where the first number is that is not zero, or -1. */
int __wrap_isl_seq_first_non_zero(const uint64_t *row, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (row[i] != pg_small_zero)
            return pg_is_small(row[i]) ? (int)i
                                       : __real_isl_seq_first_non_zero(row, n);
    return -1;
}

int __wrap_isl_seq_last_non_zero(const uint64_t *row, unsigned n)
{
    for (unsigned i = n; i > 0; i--)
        if (row[i - 1] != pg_small_zero)
            return pg_is_small(row[i - 1])
                       ? (int)i - 1
                       : __real_isl_seq_last_non_zero(row, i);
    return -1;
}

/* The number of leading elements of "to" that can be set to p a + q b, with
 * small factors, where all is small.  Two products of 62 bits have a sum of 63.
 */
static unsigned combine_small(uint64_t *to, int64_t p, const uint64_t *a,
                              int64_t q, const uint64_t *b, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (!pg_is_small(to[i] & a[i] & b[i]) ||
            !pg_small_set(&to[i],
                          p * pg_small_value(a[i]) + q * pg_small_value(b[i])))
            return i;
    return n;
}

/* "to" becomes p a + q b. */
void __wrap_isl_seq_combine(uint64_t *to, const uint64_t *p, const uint64_t *a,
                            const uint64_t *q, const uint64_t *b, unsigned n)
{
    unsigned done = 0;

    if (pg_is_small(*p & *q) && !(to <= p && p < to + n) &&
        !(to <= q && q < to + n))
        done =
            combine_small(to, pg_small_value(*p), a, pg_small_value(*q), b, n);
    pg_work_add_products(2UL * done);
    if (done < n)
        __real_isl_seq_combine(to + done, p, a + done, q, b + done, n - done);
}

/* The sum of all a[i] b[i], if all are small and no sum on the way is larger
 * than 64 bits.
 */
static bool sum_of_products(const uint64_t *a, const uint64_t *b, unsigned n,
                            int64_t *sum)
{
    *sum = 0;
    for (unsigned i = 0; i < n; i++)
        if (!pg_is_small(a[i] & b[i]) ||
            __builtin_add_overflow(
                *sum, pg_small_value(a[i]) * pg_small_value(b[i]), sum))
            return false;
    return true;
}

void __wrap_isl_seq_inner_product(const uint64_t *a, const uint64_t *b,
                                  unsigned n, uint64_t *product)
{
    int64_t sum;

    if (pg_is_small(*product) && sum_of_products(a, b, n, &sum) &&
        pg_small_set(product, sum))
        pg_work_add_products(n);
    else
        __real_isl_seq_inner_product(a, b, n, product);
}

/* ---- isl's hash of a row ----------------------------------------------------
 * Fowler, Noll and Vo's: a product with a prime and the next byte.  The upper
 * bytes of most numbers are 0, of which only the products are left.
 */
static const uint32_t hash_start = 2166136261U, prime = 16777619;

static uint32_t add_byte(uint32_t hash, uint32_t byte)
{
    return hash * prime ^ byte;
}

/* "value" is below 2^31. */
static uint32_t add_value(uint32_t hash, int64_t value)
{
    uint32_t size = (uint32_t)(value < 0 ? -value : value);

    if (value < 0)
        hash = add_byte(hash, 0xff);
    hash = add_byte(hash, size & 0xff);
    if (size <= 0xff)
        return hash * (prime * prime * prime);
    for (int shift = 8; shift < 32; shift += 8)
        hash = add_byte(hash, size >> shift & 0xff);
    return hash;
}

/* "hash" in its "bits" lowest bits. */
static uint32_t fold(uint32_t hash, unsigned bits)
{
    uint32_t mask;

    if (bits >= 32)
        return hash;
    mask = ((uint32_t)1 << bits) - 1;
    return ((hash >> bits) ^ hash) & mask;
}

/* The same as isl's, since the order of what is found by it may follow it. */
uint32_t __wrap_isl_seq_get_hash_bits(const uint64_t *row, unsigned n,
                                      unsigned bits)
{
    uint32_t hash = hash_start;

    if (bits == 0 || (bits >= 16 && bits != 32))
        return __real_isl_seq_get_hash_bits(row, n, bits);
    for (unsigned i = 0; i < n; i++) {
        if (row[i] == pg_small_zero)
            continue;
        if (!pg_is_small(row[i]))
            return __real_isl_seq_get_hash_bits(row, n, bits);
        hash = add_value(add_byte(hash, i & 0xff), pg_small_value(row[i]));
    }
    return fold(hash, bits);
}
