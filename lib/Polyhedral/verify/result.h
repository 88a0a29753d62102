/* result.h - how a plan is executed in small, and what that met.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_VERIFY_RESULT_H
#define POLYGPU_VERIFY_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a run has met. */
struct run_result {
    unsigned launches;     /* of kernels */
    unsigned kernels_seen; /* bit k: kernel k was launched, below 32 */
    unsigned long instances;
    uint64_t barriers;    /* bit 8 * k + b: barrier b of kernel k was met */
    unsigned long beyond; /* instances beyond the domains */
    unsigned long whole, partial; /* copies of boxes */
    unsigned long copied;         /* elements of those */
    unsigned long returned;       /* elements of shared memory, to memory */
    unsigned long moved;          /* elements to and from registers */
    unsigned long blocks, blocks_run;
    unsigned several;     /* blocks that had more than one tile; "few" only */
    unsigned passed_over; /* blocks that were too large; "few" only */
};

/* What of a block is looked at that is too large. */
enum run_look {
    LOOK_ALL_POINTS, /* of its tiles, in three steps of long loops or more */
    LOOK_MORE_STEPS, /* a few points in as many; nothing if there would be steps
                        for all points of the first block */
    LOOK_ONE_STEP    /* many points or all */
};

/* How to run. */
struct run_options {
    unsigned order;   /* of threads: 0 forward, 1 backward, else shuffled */
    uint64_t dropped; /* barriers, as the bits above, that are ignored */
    bool sampled;     /* only some blocks of each launch */
    bool chained;     /* the other way of the host */
    bool few; /* and of these only as many as there are steps for, of some
                 launches; and of long loops only some iterations */
    enum run_look look; /* "few" */
    bool others; /* "few": the first blocks have been looked at, in another way
                  */
    size_t room; /* "few": instances of a statement, and elements of an array */
};

#endif
