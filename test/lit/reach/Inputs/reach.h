/* reach.h - what the programs of this directory share.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef REACH_H
#define REACH_H

#include "exec.h"

/* A function that has to be offloaded (all_offloaded.py). */
#define SHAPE __attribute__((noinline)) static
#define SHAPES(scops) SHAPE

/* Call something that writes "array", and dump what it wrote. */
#define RUN(array, call)                                                       \
    do {                                                                       \
        poison(array, sizeof array);                                           \
        call;                                                                  \
        dump(#call, array, sizeof array);                                      \
    } while (0)

#endif
