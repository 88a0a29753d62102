/* reach.h - what the programs of this directory share.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef REACH_H
#define REACH_H

#include "exec.h"

/* Functions of the corpus, and what has to become of them (scripts/shapes). */
#define SHAPE __attribute__((noinline)) static
#define SHAPES(nests) SHAPE
#define REFUSED(remark) SHAPE
#define IN_PART(remark) SHAPE
#define IN_LIBRARY(symbol) SHAPE

/* Call something that writes "array", and dump what it wrote. */
#define RUN(array, call)                                                       \
    do {                                                                       \
        poison(array, sizeof array);                                           \
        call;                                                                  \
        dump(#call, array, sizeof array);                                      \
    } while (0)

/* Call something that changes an array of floats or doubles, and dump it. */
#define FLOATS(array, call)                                                    \
    do {                                                                       \
        harness_fill(array, sizeof array / sizeof *array, sizeof *array);      \
        call;                                                                  \
        dump(#call, array, sizeof array);                                      \
    } while (0)

/* The same of integers, which are small enough for sums. */
#define INTEGERS(array, call)                                                  \
    do {                                                                       \
        for (size_t at = 0; at < sizeof array / sizeof *array; at++)           \
            (array)[at] = (__typeof__(*array))(harness_random() * 100);            \
        call;                                                                  \
        dump(#call, array, sizeof array);                                      \
    } while (0)

/* Call something that returns a result, and dump that. */
#define RESULT(call)                                                           \
    do {                                                                       \
        __typeof__(call) result = call;                                            \
        dump(#call, &result, sizeof result);                                   \
    } while (0)

#endif
