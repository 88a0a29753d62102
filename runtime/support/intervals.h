/* intervals.h - sets of bytes of the host's memory.
 *
 * A list of intervals, ordered by address, that neither overlap nor touch.
 * Sets of more than POLYGPU_MAX_INTERVALS are not made: a function that would
 * need more, or finds no memory, returns false, and what it was to change holds
 * no bytes then.  A set's buffer is used again where it is large enough.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_INTERVALS_H
#define POLYGPU_INTERVALS_H

#include "support/segments.h"

/* A row each of a large matrix; as many take 1 MiB. */
enum { POLYGPU_MAX_INTERVALS = 65536, POLYGPU_MOST_COMMON = 3 };

/* Bytes first .. end - 1. */
struct polygpu_interval {
    uintptr_t first, end;
};

/* All zero: no bytes. */
struct polygpu_intervals {
    struct polygpu_interval *items;
    size_t count, capacity;
};

/* Set "to" to the bytes of sorted segments of an array with element 0 at
 * "base". */
bool polygpu_intervals_of(struct polygpu_intervals *to,
                          const struct polygpu_segments *segments,
                          uintptr_t base, size_t elem_size);
/* Add "with" to "to", or remove it. */
bool polygpu_intervals_unite(struct polygpu_intervals *to,
                             const struct polygpu_intervals *with);
bool polygpu_intervals_subtract(struct polygpu_intervals *to,
                                const struct polygpu_intervals *without);
/* Set "to", which is neither of them, to "from" without "without". */
bool polygpu_intervals_without(struct polygpu_intervals *to,
                               const struct polygpu_intervals *from,
                               const struct polygpu_intervals *without);
/* Remove bytes first .. end - 1. */
bool polygpu_intervals_cut(struct polygpu_intervals *to, uintptr_t first,
                           uintptr_t end);
uint64_t polygpu_intervals_bytes(const struct polygpu_intervals *of);
/* Bytes that are in each of 1 to POLYGPU_MOST_COMMON sets. */
uint64_t polygpu_intervals_common(const struct polygpu_intervals *const of[],
                                  size_t n);
void polygpu_intervals_free(struct polygpu_intervals *of);
/* Take all bytes out; a small buffer is kept for the next ones. */
void polygpu_intervals_clear(struct polygpu_intervals *of);

#endif
