/* deferred.h - runs whose results the host does not have yet.
 *
 * Each thread has a list of its own.  What a deferred run reads or writes does
 * not change on the host before the list is emptied, so that the original loops
 * of all of them, called in order, compute their results at any time.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_DEFERRED_H
#define POLYGPU_DEFERRED_H

#include "core/run.h"
#include "support/intervals.h"

enum {
    POLYGPU_MOST_DEFERRED = 1024,
    POLYGPU_MOST_DEFERRED_BYTES = 1 << 20, /* of records */
    POLYGPU_MOST_DEFERRED_MS = 10000       /* on the CPU, as estimated */
};

/* Who this thread is, for those that keep results for it. */
const void *polygpu_deferred_owner(void);
bool polygpu_deferred_any(void);
/* Add a run that has ended well; false without memory. */
bool polygpu_deferred_add(const struct polygpu_run *run);
/* Is the list so long that it is to be emptied? */
bool polygpu_deferred_full(void);
/* May a deferred run have read or written bytes first .. end - 1? */
bool polygpu_deferred_uses(uintptr_t first, uintptr_t end);
/* May bytes be noted, as many as these? */
bool polygpu_deferred_parts(uint64_t bytes);
/* The host will have other bytes there than those that deferred runs have read,
 * or written over: keep them.  With "write" they are the program's: the next
 * runs are computed from what is there when the next one is added.  False:
 * nothing was kept. */
bool polygpu_deferred_note(const struct polygpu_interval *bytes, bool write);
/* The last one's. */
struct polygpu_scop *polygpu_deferred_scop(struct polygpu_state **state);
/* The results are in the host's memory. */
void polygpu_deferred_clear(void);
/* Compute them, in the order of the runs; then the same. */
void polygpu_deferred_replay(void);
/* Free what is kept for the next list. */
void polygpu_deferred_end(void);

#endif
