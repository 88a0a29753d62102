/* run.h - one run of a SCoP, from polygpu_begin to polygpu_end.
 *
 * A run that has ended rests in the SCoP's state until the next one begins,
 * with its session, its buffers and the kernels' arguments laid out: what a
 * SCoP does again allocates nothing.  One run of a SCoP rests at a time; two
 * threads that run it at once have two.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_RUN_H
#define POLYGPU_RUN_H

#include "core/prospects.h"
#include "core/state.h"
#include "support/inside.h"
#include "support/intervals.h"

struct polygpu_range;

/* The bytes of some segments, where element 0 is at "base". */
struct polygpu_moved_bytes {
    struct polygpu_intervals set;
    uintptr_t base;
    bool known;
};

/* What of an array is accessed. */
struct polygpu_moves {
    struct polygpu_segments in, out, touched; /* the last: moves nowhere */
    struct polygpu_moved_bytes in_at, out_at; /* made when asked for */
    bool counted;                             /* all of them, as copied: */
    struct polygpu_copies in_copies, out_copies;
    bool accessed; /* any element at all? then they are in first .. last */
    bool scratch;  /* not all that is written is copied out */
    int64_t first, last;
};

struct polygpu_run_array {
    uintptr_t base; /* host address of element 0 */
    struct polygpu_moves moves;
    struct polygpu_moves before; /* of the last run that told them all */

    uint64_t scope;              /* that it is kept in, or 0 */
    struct polygpu_range *range; /* that its memory is in, or NULL */
    bool stays;                  /* its results are on the device only: */
    struct polygpu_intervals newer_bytes; /* those of its range */
    /* For the cost test: is there device memory for it from an earlier run,
     * bytes that are to be copied there, those that the host lacks, and those
     * that both have and the run writes? */
    bool resident;
    struct polygpu_copies missing, newer, spoilt;
    /* Has it been seen what would be copied if the last run had been there, as
     * parts of the array? (prospects.h) */
    bool seen;
    double would_in, would_out;

    bool coming;    /* it is to be copied in before a kernel has it: */
    bool in_pieces; /* these, of a range, or all of moves.in */
    struct polygpu_intervals pieces;
    bool in_place;  /* kernels read it where the host has it */
    unsigned marks; /* how often its results were marked (overlap.c) */

    size_t needs; /* bytes there without a range: that and the next are one */
    struct polygpu_piece *memory; /* of this run alone; NULL: none yet */
    int64_t origin;               /* the first one or an element before it */
    uintptr_t address;            /* device address of element "origin" */
    uintptr_t element0;           /* the address that element 0 would have */
    char *staging;                /* the groups of "out", one after another */
    size_t staging_size;
};

struct polygpu_run {
    struct polygpu_scop *scop;
    struct polygpu_state *state;
    const struct polygpu_device *device;
    void *session, *module;
    unsigned generation;          /* of the device, when the session began */
    struct polygpu_status status; /* the first failure */
    bool ready;                   /* there is a session, and a module */
    bool prepared;                /* its arrays have ranges, or memory, */
    bool started;                 /* they are on the device, */
    bool launched;                /* and kernels may write to them; */
    bool given;                   /* their ranges have been given back */
    unsigned n_launches;
    uintptr_t counter;     /* where blocks of a grid meet (grid.h) */
    bool timed;            /* what it takes is to be learnt, */
    bool apart;            /* or can be: no other one's kernels were there */
    bool may_leave;        /* it may end without a wait for its kernels, */
    bool pending;          /* and does (pending.h) */
    bool sized, tested;    /* its size is known; it has to be worth it */
    const int64_t *params; /* n_sizes of them, until polygpu_end: */
    bool has_sizes;        /* are there any? */
    bool told;             /* all moves have been told, */
    bool told_before;      /* as those "before", for these sizes: */
    bool as_before;        /* they are those, and were not told again */
    int64_t *sizes_before;
    struct polygpu_estimate estimate; /* where "sized" */
    struct polygpu_company company;   /* where it was declined before */
    void (*replay)(void *record); /* computes the results on the CPU, or NULL */
    const void *record;           /* until polygpu_end */
    size_t record_size;
    uint32_t replay_flags;          /* enum polygpu_replay_flags */
    struct polygpu_outside outside; /* at polygpu_end */
    double begun, computed;         /* when */
    double setup_ms, alloc_ms;      /* of that: opening, loading; allocating */
    double inspect_ms;              /* for a look at indices (inspect.h) */
    double wait_ms;                 /* for its kernels */
    struct polygpu_scop_stats stats;
    struct polygpu_copies came, left; /* what was copied in and out */
    uint32_t n_coming;                /* arrays */
    /* Sets of arrays (overlap.c): that kernels have had; whose results come to
     * the host and may be marked; those marked that no kernel has had since. */
    uint64_t used, leaving, finished;
    double early_ms;                      /* of copies out beside kernels */
    uint32_t variant, plan;               /* whose kernels it launches */
    uint32_t n_arrays, n_kernels;         /* of the SCoP */
    uint64_t *uses;                       /* arrays, of each kernel */
    struct polygpu_kernel_stats *kernels; /* of each kernel */
    void ***args;                         /* of each kernel, into "packed": */
    void **packed;                        /* arrays' are there, values' not */
    struct polygpu_run_array arrays[];
};

/* A set of arrays has a bit for each up to POLYGPU_MOST_MARKED. */
#define POLYGPU_ALL_ARRAYS UINT64_MAX

static inline bool polygpu_run_in(uint64_t set, uint32_t a)
{
    return a < POLYGPU_MOST_MARKED ? set >> a & 1 : set == POLYGPU_ALL_ARRAYS;
}

/* Is that array no memory of the program? */
static inline bool polygpu_run_is_value(const struct polygpu_run *run,
                                        uint32_t a)
{
    return (run->scop->arrays[a].flags & POLYGPU_VALUE) != 0;
}

/* NULL without memory. */
struct polygpu_run *polygpu_run_new(struct polygpu_scop *scop,
                                    struct polygpu_state *state);
/* Its arrays have been released. */
void polygpu_run_free(struct polygpu_run *run);
/* A session, the resting one where there is one. */
bool polygpu_run_start(struct polygpu_run *run,
                       const struct polygpu_device *device,
                       struct polygpu_status *status);
/* That session instead, where it has none. */
void polygpu_run_use(struct polygpu_run *run,
                     const struct polygpu_device *device, void *session,
                     unsigned generation);
/* The session is not used any more; "well": nothing has failed. */
void polygpu_run_stop(struct polygpu_run *run, bool well);
/* The same of one that a run has left behind. */
void polygpu_run_rest(struct polygpu_state *state,
                      const struct polygpu_device *device, void *session,
                      unsigned generation, bool well);
/* Free all that rest. */
void polygpu_run_end_resting(void);

#endif
