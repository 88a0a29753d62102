/* bench.h - what the programs of the suite share: the three forms of arrays,
 * memory, inputs and the timer.  The functions live in bench.c, which is
 * compiled without the plugin.
 *
 * A program is a kernel, a function of its own, and bench_program(), which
 * prepares its arguments and calls it.  It is compiled for an element type T
 * and one of three forms of arrays:
 *
 *   FORM 1  C99 variable-length array parameters, int sizes and counters
 *   FORM 2  pointers, elements written as a[i * n + j], int
 *   FORM 3  the same with size_t
 *
 * Sizes are arguments of the executable, in the order of programs.py.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>
/* sqrt and exp of T.  Its I is the imaginary unit. */
#include <tgmath.h>
#undef I

#ifndef T
#define T double
#endif
#ifndef FORM
#define FORM 1
#endif

/* Type of sizes and loop counters. */
#if FORM == 3
typedef size_t I;
#else
typedef int I;
#endif

/* Array parameters of the kernel, and their elements. */
#if FORM == 1
#define ARRAY1(array, n) T array[n]
#define ARRAY2(array, n, m) T array[n][m]
#define ARRAY3(array, n, m, k) T array[n][m][k]
#define AT(array, i, j, m) array[i][j]
#define AT3(array, h, i, j, m, k) array[h][i][j]
#else
#define ARRAY1(array, n) T *array
#define ARRAY2(array, n, m) T *array
#define ARRAY3(array, n, m, k) T *array
#define AT(array, i, j, m) array[(i) * (m) + (j)]
#define AT3(array, h, i, j, m, k) array[((h) * (m) + (i)) * (k) + (j)]
#endif

/* Stands in front of the kernel's definition. */
#define KERNEL static __attribute__((noinline)) void

/* In bench_program: an array of "count" elements, part of the dump.  It holds
 * a pattern, a NaN, that marks elements which nobody wrote. */
#define ARRAY(name, count)                                                     \
    void *name = bench_array(#name, (size_t)(count), BENCH_TYPE)
#define BENCH_TYPE                                                             \
    _Generic((T)0, int: BENCH_INT, float: BENCH_FLOAT, double: BENCH_DOUBLE)

enum bench_type { BENCH_INT, BENCH_FLOAT, BENCH_DOUBLE };

/* Written by each program; called once for each repetition. */
void bench_program(void);

/* The size that is argument "position", counted from 1. */
int bench_size(int position);

void *bench_array(const char *name, size_t count, enum bench_type type);

/* A random number with 0.5 <= |x| < 1.5. */
double bench_random(void);

/* All elements random, as bench_random; integers from -6 to 6. */
void bench_fill(void *array);

/* All elements random, from 0.5 to 1.5, without the sign of bench_fill. */
void bench_positive(void *array);

/* All elements random integers, "low" and "high" among them. */
void bench_integers(void *array, int low, int high);

/* All elements zero. */
void bench_zero(void *array);

/* A random matrix of "n" rows and columns.  Every diagonal element is 2 n,
 * more than the sum of all others in its row: elimination needs no pivots and
 * no element grows.  If symmetric, it is positive definite. */
void bench_dominant(void *array, int n, int symmetric);

/* Random elements that shrink with the square of their number, whose absolute
 * values sum up to less than one. */
void bench_decreasing(void *array);

/* Around the kernel's call. */
void bench_start(void);
void bench_stop(void);

#endif
