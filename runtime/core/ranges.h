/* ranges.h - pieces of the host's memory that have memory of the device.
 *
 * Of the bytes of a range those that are "valid" are the same on both sides,
 * and those that are "newer" are results that the host does not have yet; of
 * the others the device knows nothing.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_RANGES_H
#define POLYGPU_RANGES_H

#include "core/pool.h"
#include "core/state.h"
#include "support/intervals.h"

/* The array of a run that a range was in use for last, and the run's thread. */
struct polygpu_last_user {
    struct polygpu_scop *scop;
    struct polygpu_state *state;
    uint32_t array;
    uintptr_t base;
    const void *thread;
};

struct polygpu_range {
    struct polygpu_range *next; /* in order of last use */
    uint64_t scope;
    struct polygpu_piece *memory;
    uintptr_t first, end; /* bytes of the host */
    uintptr_t address;    /* of "first" on the device */
    uintptr_t base;       /* of the array that it was made for */
    struct polygpu_intervals valid, newer;
    /* What deferred runs of "owner" read or write, unless that is not known. */
    struct polygpu_intervals used;
    bool uncertain;
    const void *owner; /* a thread (deferred.h) */
    unsigned users;    /* arrays of a run */
    struct polygpu_last_user last;
    /* For the profile: bytes before a touch. */
    uint64_t were_valid, were_newer;
};

/* The lock (lock.h), under which all that follows is used. */
void polygpu_ranges_enter(void);
void polygpu_ranges_leave(void);
/* A look without it: is there any, and any with bytes that the device has?
 * What a thread did itself it sees. */
bool polygpu_ranges_any(void);
bool polygpu_ranges_used(void);
/* Likewise: may bytes first .. end - 1 be a part of one? */
bool polygpu_ranges_overlap(uintptr_t first, uintptr_t end);
/* The host touches memory, in a handler that found the thread in the runtime:
 * nothing is valid when the lock is taken next. */
void polygpu_ranges_distrust(void);

struct polygpu_range **polygpu_ranges(void);
/* Unlink and free *link, whose results are not needed. */
void polygpu_ranges_drop(struct polygpu_range **link);
/* Is a run using it, or a deferred one? */
bool polygpu_range_is_needed(const struct polygpu_range *r);
/* Drop those in "scope", or all with 0, that are not needed; how many? */
unsigned polygpu_ranges_drop_idle(uint64_t scope);
/* Bytes first .. end - 1 are not valid any more, but for those of "own". */
void polygpu_ranges_cut(uintptr_t first, uintptr_t end,
                        const struct polygpu_range *own);

#endif
