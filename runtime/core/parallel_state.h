/* parallel_state.h - what is known of loops that run on all cores, from their
 * first run to the end of the process, when the library that has them may be
 * gone.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PARALLEL_STATE_H
#define POLYGPU_PARALLEL_STATE_H

#include "polygpu/abi.h"

struct polygpu_parallel_state {
    struct polygpu_parallel_state *next;
    char *function, *file;
    uint32_t line;
    /* Runs on all cores; regions in them, launches by one thread. */
    uint64_t runs, regions, alone;
    uint64_t declined; /* runs that were too small */
    uint64_t us;       /* of the runs */
    int threads;       /* of the last one */
    uint64_t small;    /* sizes and threads that were too small, or 0 */
    /* What runs took by the model's times, lately, in thousandths; 0: not
     * known. */
    uint64_t pace;
    int told; /* has it been said that there is no memory for threads? */
};

/* That of "loops", NULL where there is no memory. */
struct polygpu_parallel_state *
polygpu_parallel_state(struct polygpu_parallel *loops);

/* The profile, for scripts and for people. */
void polygpu_parallel_lines(void);
void polygpu_parallel_table(void);

#endif
