/* accesses.h - counts the accesses of a checked kernel on the emulated device,
 * as warps of a GPU would make them.
 *
 * A warp is 32 threads of a block whose linear numbers follow each other, x
 * fastest.  A request is the n-th execution of one access site (one struct
 * polygpu_access) by the threads of a warp between two barriers: no lane is
 * with one that is behind the next barrier.  Since threads run one after
 * another, a request is kept with the addresses that its lanes asked for until
 * the last lane has come or the barrier is passed; then it is known how many
 * sectors of 32 bytes it touches, or how many conflicts of banks it has.
 *
 * The requests kept take 64 MiB at most.  When a block would need more, they
 * are counted with the lanes they have, and lanes that come later make a
 * request of their own: numbers of sectors are upper bounds then, and those of
 * conflicts are no more than estimates.
 *
 * Without memory counting stops for the rest of the launch.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_ACCESSES_H
#define POLYGPU_ACCESSES_H

#include "support/device.h"

struct polygpu_site;
struct polygpu_request;

/* One that is all zero counts nothing and holds no memory. */
struct polygpu_counter {
    struct polygpu_access_stats *stats; /* NULL: nothing is counted */
    uint32_t n_threads;                 /* of a block */

    struct polygpu_site *sites; /* by first execution */
    uint64_t *executed;         /* how often, by site and thread of the block */
    uint32_t *site_slots;       /* hash table, number + 1 or 0 */
    uint32_t n_sites, max_sites;

    struct polygpu_request *requests;
    uint32_t *heads;    /* of the hash table's lists, number + 1 or 0 */
    uint32_t n_used;    /* requests from here on are free, */
    uint32_t free_list; /* and these are, number + 1 or 0 */
    uint32_t n_pending, max_requests;
};

static inline bool polygpu_access_reads(uint32_t flags)
{
    return !(flags & POLYGPU_ACCESS_WRITE) || (flags & POLYGPU_ACCESS_ATOMIC);
}

static inline bool polygpu_access_writes(uint32_t flags)
{
    return flags & (POLYGPU_ACCESS_WRITE | POLYGPU_ACCESS_ATOMIC);
}

/* Begin a launch of blocks of "n_threads" threads, whose accesses are added to
 * "stats" until polygpu_counter_end.  With NULL it is not counted. */
void polygpu_counter_begin(struct polygpu_counter *counter, uint32_t n_threads,
                           struct polygpu_access_stats *stats);
void polygpu_counter_end(struct polygpu_counter *counter);

/* The rest needs a launch that is counted.  Begin a block, or its part behind a
 * barrier: */
void polygpu_counter_part(struct polygpu_counter *counter);
/* An access by thread number "thread" of the block, to the first "bytes" of
 * those that "access" says. */
void polygpu_counter_access(struct polygpu_counter *counter, uint32_t thread,
                            uintptr_t address, uint32_t bytes,
                            const struct polygpu_access *access);

void polygpu_counter_free(struct polygpu_counter *counter);

#endif
