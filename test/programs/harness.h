/* harness.h - what the test programs share: sizes, memory, random inputs and
 * the dump of all arrays.  Its functions live in harness.c, which is compiled
 * without the plugin.
 *
 * A program is compiled for an element type T and one of three forms of
 * arrays:
 *
 *   FORM 1  global arrays, all sizes constants given with -DN=... and so on
 *   FORM 2  C99 variable-length array parameters
 *   FORM 3  pointers, elements written as a[i * n + j]
 *
 * and states its sizes as enumerators (FORM 1) or takes them as arguments, in
 * the order of expected.py (FORM 2 and 3).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef HARNESS_H
#define HARNESS_H

#include <stddef.h>

#ifndef T
#define T float
#endif
#ifndef FORM
#define FORM 2
#endif

/* Element (i, j) of an array whose rows have "width" elements. */
#if FORM == 3
#define AT(array, i, j, width) array[(i) * (width) + (j)]
#else
#define AT(array, i, j, width) array[i][j]
#endif

/* In main: a size that is argument number "position", a constant in FORM 1. */
#if FORM == 1
#define SIZE(name, position)
#else
#define SIZE(name, position) int name = harness_size(position)
#endif

/* In main: an array of "count" elements, with random values or, where the
 * program has to overwrite them, with a pattern.  The pattern is a NaN. */
#if FORM == 1
#define INPUT(array, count)                                                    \
    harness_fill((void *)array, (size_t)(count), sizeof(T))
#define OUTPUT(array, count)                                                   \
    harness_poison((void *)array, (size_t)(count), sizeof(T))
#else
#define INPUT(array, count)                                                    \
    T *array = harness_alloc((size_t)(count), sizeof(T));                      \
    harness_fill(array, (size_t)(count), sizeof(T))
#define OUTPUT(array, count)                                                   \
    T *array = harness_alloc((size_t)(count), sizeof(T));                      \
    harness_poison(array, (size_t)(count), sizeof(T))
#endif

/* In main: write an array to the dump. */
#define DUMP(array, count)                                                     \
    harness_dump(#array, (void *)array, (size_t)(count), sizeof(T))

#ifdef __cplusplus
extern "C" {
#endif

/* Read the arguments, seed the generator with POLYGPU_SEED (the time if it is
 * not set; the seed is printed to stderr), open the file that POLYGPU_DUMP
 * names. */
void harness_start(int argc, char **argv);

/* Random numbers begin again. */
void harness_restart(void);

/* The number that is argument "position", counted from 1. */
int harness_size(int position);

/* A random number with 0.5 <= |x| < 1.5. */
double harness_random(void);

/* Memory for "count" elements, one at least. */
void *harness_alloc(size_t count, size_t element);
/* Random values, of float or double elements: parts of them in an element of
 * another size would be NaNs now and then. */
void harness_fill(void *array, size_t count, size_t element);
void harness_poison(void *array, size_t count, size_t element);

/* Append to the dump: the name (16 bytes, zeros at the end), the element's
 * size and the count (8 bytes each), the elements. */
void harness_dump(const char *name, const void *array, size_t count,
                  size_t element);

/* Close the dump and return the exit status of the program. */
int harness_end(void);

#ifdef __cplusplus
}
#endif

#endif
