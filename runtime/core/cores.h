/* cores.h - what all cores take for loops that one core would run.
 *
 * The time of one core is divided by the number of threads, and each parallel
 * loop that they enter takes POLYGPU_REGION_MS.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_CORES_H
#define POLYGPU_CORES_H

#include "polygpu/abi.h"

#include <stdbool.h>

/* To wake the threads and to wait for them: about 1 us for two cores, 10 for
 * many. */
#define POLYGPU_REGION_MS 0.005

/* How many threads a parallel loop of the caller's would have; 0: none is to
 * be. */
int polygpu_cores(void);
/* Is there to be one wherever there can be? */
bool polygpu_cores_forced(void);

/* The time of loops of "ms" on one core, in so many launches. */
double polygpu_cores_ms(double ms, double launches, int threads);
/* The same of the original loops of "scop", if it has loops for all cores. */
double polygpu_cores_ms_of(const struct polygpu_scop *scop, double ms,
                           double launches);

#endif
