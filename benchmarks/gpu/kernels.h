/* kernels.h - what kernels.c and peak.c have to agree on.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_BENCH_GPU_KERNELS_H
#define POLYGPU_BENCH_GPU_KERNELS_H

enum {
    THREADS = 256, /* of a block */
    COPIES = 4,    /* vectors of 16 bytes that a thread copies */
    CHAINS = 8,
    UNROLLED = 32,
};

#endif
