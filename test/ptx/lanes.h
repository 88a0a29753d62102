/* lanes.h - to write functions that execute an instruction for all lanes.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef LANES_H
#define LANES_H

#include "machine.h"

#include <stdlib.h>
#include <string.h>

/* The row of an operand; as many elements as there are lanes. */
#define ROW(type, number) ((type *)(void *)(w->frame + i->at[number]))
/* The lanes for which a predicate holds. */
#define PREDICATE(number) ROW(ptx_lanes, number)[0]

#if defined __clang__
#define EACH_LANE                                                              \
    _Pragma("clang loop vectorize(assume_safety)") for (unsigned lane = 0;     \
                                                        lane < PTX_LANES;      \
                                                        ++lane)
#else
#define EACH_LANE for (unsigned lane = 0; lane < PTX_LANES; ++lane)
#endif

/* Only active lanes may fault or write; a loop that does neither looks at all.
 */
#define EACH_ACTIVE                                                            \
    for (ptx_lanes rest = active; rest; rest &= rest - 1)                      \
        for (unsigned lane = (unsigned)__builtin_ctz(rest), once = 1; once;    \
             once = 0)

/* For a single lane, or for all. */
#define EACH_WRITTEN(statement)                                                \
    if ((active & (active - 1)) == 0) {                                        \
        unsigned lane = (unsigned)__builtin_ctz(active);                       \
        statement                                                              \
    } else {                                                                   \
        EACH_LANE                                                              \
        {                                                                      \
            statement                                                          \
        }                                                                      \
    }

/* A function "name" that sets d to an expression of type D in a, b and c, of
 * types A, B and C, for each active lane. */
#define EXECUTE1(name, D, A, expression)                                       \
    static void name(struct ptx_warp *w, const struct ptx_insn *i,             \
                     ptx_lanes active)                                         \
    {                                                                          \
        D *to = ROW(D, 0);                                                     \
        const A *from_a = ROW(A, 1);                                           \
        EACH_WRITTEN(A a = from_a[lane]; D d = (D)(expression);                \
                     to[lane] = active >> lane & 1 ? d : to[lane];)            \
    }

#define EXECUTE2(name, D, A, B, expression)                                    \
    static void name(struct ptx_warp *w, const struct ptx_insn *i,             \
                     ptx_lanes active)                                         \
    {                                                                          \
        D *to = ROW(D, 0);                                                     \
        const A *from_a = ROW(A, 1);                                           \
        const B *from_b = ROW(B, 2);                                           \
        EACH_WRITTEN(A a = from_a[lane]; B b = from_b[lane];                   \
                     D d = (D)(expression);                                    \
                     to[lane] = active >> lane & 1 ? d : to[lane];)            \
    }

#define EXECUTE3(name, D, A, B, C, expression)                                 \
    static void name(struct ptx_warp *w, const struct ptx_insn *i,             \
                     ptx_lanes active)                                         \
    {                                                                          \
        D *to = ROW(D, 0);                                                     \
        const A *from_a = ROW(A, 1);                                           \
        const B *from_b = ROW(B, 2);                                           \
        const C *from_c = ROW(C, 3);                                           \
        EACH_WRITTEN(A a = from_a[lane]; B b = from_b[lane];                   \
                     C c = from_c[lane]; D d = (D)(expression);                \
                     to[lane] = active >> lane & 1 ? d : to[lane];)            \
    }

#define EXECUTE4(name, D, A, B, C, E, expression)                              \
    static void name(struct ptx_warp *w, const struct ptx_insn *i,             \
                     ptx_lanes active)                                         \
    {                                                                          \
        D *to = ROW(D, 0);                                                     \
        const A *from_a = ROW(A, 1);                                           \
        const B *from_b = ROW(B, 2);                                           \
        const C *from_c = ROW(C, 3);                                           \
        const E *from_e = ROW(E, 4);                                           \
        EACH_WRITTEN(A a = from_a[lane]; B b = from_b[lane];                   \
                     C c = from_c[lane]; E e = from_e[lane];                   \
                     D d = (D)(expression);                                    \
                     to[lane] = active >> lane & 1 ? d : to[lane];)            \
    }

#endif
