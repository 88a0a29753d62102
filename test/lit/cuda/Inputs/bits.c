/* Bits and bytes that are counted, turned around and moved, sums and differences
 * that stay at the ends of their type, and absolute values: of all widths.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "exec.h"

#include <stdint.h>

enum { N = 600 };

#define WIDTH(Bits)                                                            \
    typedef uint##Bits##_t u##Bits;                                            \
    typedef int##Bits##_t s##Bits;                                             \
    static u##Bits a##Bits[N], b##Bits[N], c##Bits[N], r##Bits[13][N];         \
    NOINLINE static void counts##Bits(int n)                                   \
    {                                                                          \
        for (int i = 0; i < n; i++) {                                          \
            r##Bits[0][i] = (u##Bits)__builtin_popcountg(a##Bits[i]);          \
            r##Bits[1][i] = (u##Bits)__builtin_clzg(a##Bits[i], Bits);         \
            r##Bits[2][i] = (u##Bits)__builtin_ctzg(a##Bits[i], Bits);         \
            r##Bits[3][i] = __builtin_bitreverse##Bits(a##Bits[i]);            \
        }                                                                      \
    }                                                                          \
    NOINLINE static void moves##Bits(int n)                                    \
    {                                                                          \
        for (int i = 0; i < n; i++) {                                          \
            r##Bits[4][i] = __builtin_elementwise_fshl(a##Bits[i], b##Bits[i], \
                                                       c##Bits[i]);            \
            r##Bits[5][i] = __builtin_elementwise_fshr(a##Bits[i], b##Bits[i], \
                                                       c##Bits[i]);            \
            r##Bits[6][i] = __builtin_rotateleft##Bits(a##Bits[i], 5);         \
        }                                                                      \
    }                                                                          \
    NOINLINE static void ends##Bits(int n)                                     \
    {                                                                          \
        for (int i = 0; i < n; i++) {                                          \
            r##Bits[7][i] =                                                    \
                __builtin_elementwise_add_sat(a##Bits[i], b##Bits[i]);         \
            r##Bits[8][i] =                                                    \
                __builtin_elementwise_sub_sat(a##Bits[i], b##Bits[i]);         \
            r##Bits[9][i] = (u##Bits)__builtin_elementwise_add_sat(            \
                (s##Bits)a##Bits[i], (s##Bits)b##Bits[i]);                     \
            r##Bits[10][i] = (u##Bits)__builtin_elementwise_sub_sat(           \
                (s##Bits)a##Bits[i], (s##Bits)b##Bits[i]);                     \
            r##Bits[11][i] =                                                   \
                (u##Bits)__builtin_elementwise_abs((s##Bits)c##Bits[i]);       \
        }                                                                      \
    }

WIDTH(8)
WIDTH(16)
WIDTH(32)
WIDTH(64)

#define SWAPS(Bits)                                                            \
    NOINLINE static void swaps##Bits(int n)                                    \
    {                                                                          \
        for (int i = 0; i < n; i++)                                            \
            r##Bits[12][i] = __builtin_bswap##Bits(a##Bits[i]);                \
    }

SWAPS(16)
SWAPS(32)
SWAPS(64)

/* Of widths that C has no other type of. */
#define UNUSUAL(Bits, row)                                                     \
    NOINLINE static void unusual##Bits(int n)                                  \
    {                                                                          \
        for (int i = 0; i < n; i++) {                                          \
            typedef _BitInt(Bits) s;                                           \
            typedef unsigned _BitInt(Bits) u;                                  \
            q[row][i] = (u64)__builtin_elementwise_add_sat((s)a64[i],          \
                                                           (s)b64[i]) ^        \
                        (u64)__builtin_elementwise_sub_sat((u)b64[i],          \
                                                           (u)c64[i]) << 1;    \
            q[row + 1][i] = (u64)__builtin_popcountg((u)a64[i]) * 65536 +      \
                            (u64)__builtin_clzg((u)b64[i], Bits) * 256 +       \
                            (u64)__builtin_ctzg((u)c64[i], Bits);              \
            q[row + 2][i] = (u64)__builtin_elementwise_abs((s)a64[i]) +        \
                            (u64)__builtin_elementwise_add_sat((u)a64[i],      \
                                                               (u)c64[i]);     \
            q[row + 3][i] = (u64)__builtin_elementwise_bitreverse((u)b64[i]);  \
        }                                                                      \
    }

static u64 q[12][N];
UNUSUAL(24, 0)
UNUSUAL(11, 4)
UNUSUAL(45, 8)

/* All, none, one at the ends, and others. */
#define FILL(Bits)                                                             \
    HOST void fill##Bits(void)                                                 \
    {                                                                          \
        const u##Bits top = (u##Bits)1 << (Bits - 1);                          \
        const u##Bits ends[] = {0, 1, top, (u##Bits)-1, (u##Bits)(top - 1)};   \
        random_bits(a##Bits, sizeof a##Bits);                                  \
        random_bits(b##Bits, sizeof b##Bits);                                  \
        random_bits(c##Bits, sizeof c##Bits);                                  \
        poison(r##Bits, sizeof r##Bits);                                       \
        for (int i = 0; i < N; i += 3) {                                       \
            a##Bits[i] = ends[i / 3 % 5];                                      \
            b##Bits[i] = ends[i / 15 % 5];                                     \
            c##Bits[i] = i % 2 ? Bits : ends[i / 3 % 5];                       \
        }                                                                      \
    }

FILL(8)
FILL(16)
FILL(32)
FILL(64)

#define RUN(Bits)                                                              \
    fill##Bits();                                                              \
    counts##Bits(N);                                                           \
    moves##Bits(N);                                                            \
    ends##Bits(N);

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    RUN(8)
    RUN(16)
    RUN(32)
    RUN(64)
    swaps16(N);
    swaps32(N);
    swaps64(N);
    poison(q, sizeof q);
    unusual24(N);
    unusual11(N);
    unusual45(N);
    dump("q", q, sizeof q);
    dump("r8", r8, sizeof r8);
    dump("r16", r16, sizeof r16);
    dump("r32", r32, sizeof r32);
    dump("r64", r64, sizeof r64);
    return harness_end();
}
