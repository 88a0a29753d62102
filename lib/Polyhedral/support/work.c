/* work.c - isl's work, counted, and its limits.
 *
 * isl counts its allocations and its steps from one vertex of a polyhedron to
 * the next.  What such an operation takes differs by a hundred times: with many
 * variables a step goes over thousands of coefficients, and large ones are
 * numbers of many digits.  So the functions in which that time goes count as
 * well, each with what it was measured to take beside an operation.  The
 * linker's --wrap (CMakeLists.txt) sends calls of them from other files of isl
 * here; inside of its own file a function of isl is not seen.
 *
 * The count is one of the thread.  It depends on the program only, so a limit
 * is reached at the same point on each machine; a limit of seconds is a net
 * far below.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _POSIX_C_SOURCE 200809L
#include "support/work.h"
#include "polygpu/polyhedral.h"
#include "support/divisor.h"
#include "support/enlarged.h"
#include "support/small.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* What is counted is thirty-seconds of an operation.  By isl's count one takes
 * between 0.12 and 11 us (192 phases of the suite and the stress inputs), by
 * these weights between 0.10 and 0.30 us, 0.18 in the median (226 phases of the
 * suite of more than 0.03 seconds; a loaded virtual machine).
 */
enum {
    OPERATION = 32, /* an allocation or a step */
    PRODUCT = 1,
    DIVISOR = 8,       /* of one entry of a row with the others */
    LARGE = 16,        /* a product or division of large numbers, and */
    PAIR_OF_DIGITS = 3 /* of 32 bits in it */
};

/* How often the clock is read: about a hundred times a second. */
static const unsigned long look_every = 65536UL * OPERATION;

static _Thread_local struct {
    unsigned long done;
    unsigned long look; /* at which there is something to do */
    unsigned long stop; /* the limit */
    double deadline;
    isl_ctx *ctx; /* in which isl is to fail then, or NULL */
    bool spent, late;
    // Found without a call, which would cost as much as a product.
} work __attribute__((tls_model("initial-exec"))) = {.look = ULONG_MAX};

bool (*pg_work_fails)(isl_ctx *ctx, bool in_phase) = NULL;

/* Processor time of the calling thread. */
double pg_work_seconds(void)
{
    struct timespec t = {0, 0};

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Operations that isl has done in the calling thread.  One that has begun
 * counts as done, and is: what is done from here on is the same number whatever
 * was done before.
 */
unsigned long pg_work_done(void)
{
    work.done = (work.done + OPERATION - 1) / OPERATION * OPERATION;
    return work.done / OPERATION;
}

/* Go on, or let isl fail from here on: any number of operations is more than
 * one.
 */
static void look(void)
{
    work.spent = work.done > work.stop;
    work.late = !work.spent && pg_work_seconds() > work.deadline;
    if (work.spent || work.late) {
        work.look = ULONG_MAX;
        isl_ctx_set_max_operations(work.ctx, 1);
    } else {
        work.look = work.stop - work.done < look_every ? work.stop
                                                       : work.done + look_every;
    }
}

/* Let isl fail in "ctx" after so many operations (0: no limit) of the calling
 * thread, or as many seconds of processor time, with isl_error_quota.
 */
void pg_work_begin(isl_ctx *ctx, unsigned long operations, double seconds)
{
    bool limited =
        operations && operations < (ULONG_MAX - work.done) / OPERATION;

    isl_ctx_set_max_operations(ctx, 0);
    work.ctx = ctx;
    work.stop = limited ? work.done + operations * OPERATION : ULONG_MAX - 1;
    work.deadline = pg_work_seconds() + seconds;
    look();
}

/* No limit any more; was it reached, and "late": was it that of seconds? */
bool pg_work_end(bool *late)
{
    *late = work.late;
    isl_ctx_set_max_operations(work.ctx, 0);
    work.ctx = NULL;
    work.look = ULONG_MAX;
    return work.spent || work.late;
}

/* Does a phase of the core work in "ctx"?  What makes isl's work less is for
 * these only: Polly's steps end at a number of operations as well, and what
 * they make then is not better with more of them.
 */
bool pg_work_in_phase(isl_ctx *ctx)
{
    return ctx && ctx == work.ctx;
}

/* Count "n" products of small numbers. */
void pg_work_add_products(unsigned long n)
{
    work.done += PRODUCT * n;
}

static void count(unsigned long parts)
{
    work.done += parts;
    if (work.done > work.look)
        look();
}

/* ---- isl's functions -------------------------------------------------------
 * As in its own headers, which are not installed; isl_int is a word.
 */

int __real_isl_ctx_next_operation(isl_ctx *ctx);
int __wrap_isl_ctx_next_operation(isl_ctx *ctx);
void *__real_isl_malloc_or_die(isl_ctx *ctx, size_t size);
void *__wrap_isl_malloc_or_die(isl_ctx *ctx, size_t size);
void *__real_isl_calloc_or_die(isl_ctx *ctx, size_t n, size_t size);
void *__wrap_isl_calloc_or_die(isl_ctx *ctx, size_t n, size_t size);
void *__real_isl_realloc_or_die(isl_ctx *ctx, void *memory, size_t size);
void *__wrap_isl_realloc_or_die(isl_ctx *ctx, void *memory, size_t size);
void __real_isl_seq_normalize(isl_ctx *ctx, uint64_t *row, unsigned n);
void __wrap_isl_seq_normalize(isl_ctx *ctx, uint64_t *row, unsigned n);
void __real_isl_seq_gcd(uint64_t *row, unsigned n, uint64_t *divisor);
void __wrap_isl_seq_gcd(uint64_t *row, unsigned n, uint64_t *divisor);
void __real_isl_sioimath_mul(uint64_t *product, uint64_t a, uint64_t b);
void __wrap_isl_sioimath_mul(uint64_t *product, uint64_t a, uint64_t b);

int __wrap_isl_ctx_next_operation(isl_ctx *ctx)
{
    count(OPERATION);
    return __real_isl_ctx_next_operation(ctx);
}

/* Count an allocation; false if it is to fail. */
static bool count_allocation(isl_ctx *ctx)
{
    count(OPERATION);
    return !pg_work_fails || !pg_work_fails(ctx, ctx == work.ctx);
}

void *__wrap_isl_malloc_or_die(isl_ctx *ctx, size_t size)
{
    return count_allocation(ctx) ? __real_isl_malloc_or_die(ctx, size) : NULL;
}

void *__wrap_isl_calloc_or_die(isl_ctx *ctx, size_t n, size_t size)
{
    return count_allocation(ctx) ? __real_isl_calloc_or_die(ctx, n, size)
                                 : NULL;
}

void *__wrap_isl_realloc_or_die(isl_ctx *ctx, void *memory, size_t size)
{
    void *larger;

    if (!count_allocation(ctx))
        return NULL;
    larger = memory ? pg_enlarged(memory, size) : NULL;
    return larger ? larger : __real_isl_realloc_or_die(ctx, memory, size);
}

/* Divide a row by its divisor. */
void __wrap_isl_seq_normalize(isl_ctx *ctx, uint64_t *row, unsigned n)
{
    uint32_t divisor;

    work.done += (unsigned long)DIVISOR * n;
    if (!pg_row_divisor(row, n, &divisor))
        __real_isl_seq_normalize(ctx, row, n);
    else if (divisor > 1)
        pg_row_divide(row, n, divisor);
}

void __wrap_isl_seq_gcd(uint64_t *row, unsigned n, uint64_t *divisor)
{
    uint32_t found;

    work.done += (unsigned long)DIVISOR * n;
    if (!pg_is_small(*divisor) || !pg_row_divisor(row, n, &found) ||
        !pg_small_set(divisor, found))
        __real_isl_seq_gcd(row, n, divisor);
}

/* Called up to a hundred million times a second, so it only counts. */
void __wrap_isl_sioimath_mul(uint64_t *product, uint64_t a, uint64_t b)
{
    work.done += PRODUCT;
    if (!pg_is_small(*product & a & b) ||
        !pg_small_set(product, pg_small_value(a) * pg_small_value(b)))
        __real_isl_sioimath_mul(product, a, b);
}

/* ---- Large numbers ---------------------------------------------------------
 */

int mp_int_unsigned_len(void *z);
int mp_int_to_int(void *z, long *value);
int mp_int_set_value(void *z, long value);
int __real_mp_int_mul(void *a, void *b, void *product);
int __wrap_mp_int_mul(void *a, void *b, void *product);
int __real_mp_int_div(void *a, void *b, void *quotient, void *rest);
int __wrap_mp_int_div(void *a, void *b, void *quotient, void *rest);
int __real_mp_int_gcd(void *a, void *b, void *divisor);
int __wrap_mp_int_gcd(void *a, void *b, void *divisor);

/* Count what goes over all pairs of a digit of "a" and one of "b". */
static void count_digits(void *a, void *b)
{
    unsigned long n = ((unsigned long)mp_int_unsigned_len(a) + 3) / 4;
    unsigned long m = ((unsigned long)mp_int_unsigned_len(b) + 3) / 4;

    work.done += LARGE + n * m * PAIR_OF_DIGITS;
}

int __wrap_mp_int_mul(void *a, void *b, void *product)
{
    count_digits(a, b);
    return __real_mp_int_mul(a, b, product);
}

int __wrap_mp_int_div(void *a, void *b, void *quotient, void *rest)
{
    count_digits(a, b);
    return __real_mp_int_div(a, b, quotient, rest);
}

/* The greatest common divisor of numbers of two digits, neither of them 0. */
static bool divisor_of_two_digits(void *a, void *b, void *divisor)
{
    long p, q;

    if (mp_int_to_int(a, &p) || mp_int_to_int(b, &q) || p == 0 || q == 0 ||
        p == LONG_MIN || q == LONG_MIN)
        return false;
    return mp_int_set_value(divisor, (long)pg_gcd((uint64_t)labs(p),
                                                  (uint64_t)labs(q))) == 0;
}

int __wrap_mp_int_gcd(void *a, void *b, void *divisor)
{
    count_digits(a, b);
    return divisor_of_two_digits(a, b, divisor)
               ? 0
               : __real_mp_int_gcd(a, b, divisor);
}
