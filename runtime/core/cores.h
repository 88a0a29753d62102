/* cores.h - what all cores take for loops that one core would run.
 *
 * The time of one core is divided by the number of threads, and each parallel
 * loop that they enter takes POLYGPU_REGION_MS.  Where all iterations of that
 * loop go through more than a cache holds, the original loops wait for memory,
 * and those in tiles do so once for POLYGPU_TILE_OF_THREAD iterations.
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

/* An update at a place that data say, as an atomic operation: 5 ns where no
 * other thread updates elements near by, and 100 and more where all do. */
#define POLYGPU_SCATTERED_MS 1e-4

/* The time of loops of "ms" on one core, in so many launches. */
double polygpu_cores_ms(double ms, double launches, int threads);
/* The time of the original loops of "scop", which are of "ms" on one core if
 * that does not wait for memory, and where it does of "again_ms", or on all
 * cores, if it has loops for these, in which so many updates are "scattered".
 */
double polygpu_cores_ms_of(const struct polygpu_scop *scop, double ms,
                           double again_ms, double launches, double scattered);

/* What a core can keep while an iteration of the parallel loop goes by, in
 * bytes, and what it gets of what it cannot, in bytes per ms. */
#define POLYGPU_CACHE_BYTES 1e6
#define POLYGPU_CORE_BYTES_PER_MS 3e7

#endif
