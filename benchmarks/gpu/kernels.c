/* kernels.c - the kernels of peak.c: what a device copies and computes at most.
 *
 * C for clang's NVPTX back end; nothing of CUDA is needed:
 *
 *   clang-22 --target=nvptx64-nvidia-cuda -march=sm_75 \
 *       --cuda-feature=+ptx64 -O3 -S kernels.c
 *
 * Blocks have THREADS threads and the grid is one-dimensional.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "kernels.h"

#define KERNEL __attribute__((device_kernel)) void
#define GLOBAL __attribute__((address_space(1)))

typedef unsigned vector __attribute__((ext_vector_type(4)));

static inline unsigned thread(void)
{
    return __nvvm_read_ptx_sreg_tid_x();
}

static inline unsigned block(void)
{
    return __nvvm_read_ptx_sreg_ctaid_x();
}

/* A block copies COPIES * THREADS vectors, the last one perhaps fewer. */
KERNEL peak_copy(GLOBAL vector *restrict to, const GLOBAL vector *restrict from,
                 unsigned long count)
{
    unsigned long first =
        (unsigned long)block() * (COPIES * THREADS) + thread();

    if (first + (COPIES - 1) * THREADS < count) {
        vector v[COPIES];

#pragma unroll
        for (int i = 0; i < COPIES; i++)
            v[i] = from[first + (unsigned long)i * THREADS];
#pragma unroll
        for (int i = 0; i < COPIES; i++)
            to[first + (unsigned long)i * THREADS] = v[i];
        return;
    }
    for (unsigned long at = first; at < count; at += THREADS)
        to[at] = from[at];
}

/* Each thread has CHAINS sums that do not depend on each other, and adds to
 * each UNROLLED times in an iteration. */
#define FMA_KERNEL(name, type, fma)                                            \
    KERNEL name(GLOBAL type *result, type factor, type term, unsigned count)   \
    {                                                                          \
        unsigned self = block() * THREADS + thread();                          \
        type x[CHAINS], sum = 0;                                               \
                                                                               \
        for (int c = 0; c < CHAINS; c++)                                       \
            x[c] = (type)(self + (unsigned)c);                                 \
        for (unsigned i = 0; i < count; i++) {                                 \
            _Pragma("unroll") for (int u = 0; u < UNROLLED; u++)               \
            {                                                                  \
                _Pragma("unroll") for (int c = 0; c < CHAINS; c++)             \
                {                                                              \
                    x[c] = fma(x[c], factor, term);                            \
                }                                                              \
            }                                                                  \
        }                                                                      \
        for (int c = 0; c < CHAINS; c++)                                       \
            sum += x[c];                                                       \
        result[self] = sum;                                                    \
    }

FMA_KERNEL(peak_fma_float, float, __builtin_fmaf)
FMA_KERNEL(peak_fma_double, double, __builtin_fma)

/* Numbers x with 0.5 <= |x| < 1.5, so that operands are no special ones. */
static inline double number(unsigned long at)
{
    unsigned long z = (at + 1) * 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z ^= z >> 27;
    return ((double)(z >> 40) / 16777216.0 + 0.5) * (z & 1 ? 1 : -1);
}

#define FILL_KERNEL(name, type)                                                \
    KERNEL name(GLOBAL type *to, unsigned long count)                          \
    {                                                                          \
        unsigned long at = (unsigned long)block() * THREADS + thread();        \
                                                                               \
        if (at < count)                                                        \
            to[at] = (type)number(at);                                         \
    }

FILL_KERNEL(peak_fill_float, float)
FILL_KERNEL(peak_fill_double, double)
