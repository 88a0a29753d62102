/* prospects.h - what would be on the device if the last runs had been there.
 *
 * When the original loops of a run that the cost test declined have ended, its
 * arrays that may be kept are remembered, as if they were on the device; what
 * the host touches until the next run is what would have had to be copied.  So
 * it is known whether arrays stay before anything is copied for that.  The
 * loops of other SCoPs, which might be on the device as well, do not count.
 * Those that have the same arrays may go there together (polygpu_company).
 *
 * They are forgotten when a run has looked, the scope ends, or the host has
 * touched memory thousands of times without a run that asks.
 * Nothing depends on it but estimates.  All but polygpu_prospects_any is used
 * between polygpu_ranges_enter and polygpu_ranges_leave.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROSPECTS_H
#define POLYGPU_PROSPECTS_H

#include "core/estimate.h"

#include <stdint.h>

struct polygpu_prospect {
    void *state; /* of the SCoP whose array it is */
    uint32_t array;
    uint64_t scope;
    uintptr_t first, end;   /* bytes of the host */
    uint64_t read, written; /* of these, by the host */
    bool waiting;           /* for the end of the loops */
    uint64_t age;           /* the oldest one's is least; 0: there is none */
    double in, out;         /* bytes that the run would have copied */
    struct polygpu_company_times {
        double cpu, staying, price; /* ms of the run: here, there, until then */
    } ms;
};

/* SCoPs that have run on the CPU since a run, with arrays of its own. */
enum { POLYGPU_MOST_COMPANY = 4 };
struct polygpu_company {
    void *states[POLYGPU_MOST_COMPANY];
    unsigned n;
    struct polygpu_company_times ms; /* of all, */
    double shared_in, shared_out; /* of which these bytes would come for both */
    double usual_in, usual_out;   /* what the host touched since, of theirs */
};

/* For a look without the lock, as is. */
bool polygpu_prospects_any(void);
/* Loops of a run are about to begin, and have ended. */
void polygpu_prospects_add(const struct polygpu_prospect *prospect);
void polygpu_prospects_ready(const void *state);
/* The youngest one with these bytes, or NULL. */
const struct polygpu_prospect *
polygpu_prospects_find(uint64_t scope, uintptr_t first, uintptr_t end);
/* The host accesses bytes first .. end - 1. */
void polygpu_prospects_touch(uintptr_t first, uintptr_t end, bool write);
/* A run of "state" has an array in bytes first .. end - 1, that it "writes":
 * add the others that have it as well. */
void polygpu_prospects_meet(struct polygpu_company *company, const void *state,
                            uint64_t scope, uintptr_t first, uintptr_t end,
                            bool writes);
/* Set what the host touched of the arrays of those. */
void polygpu_prospects_watch(struct polygpu_company *company);
/* Forget those of a SCoP, of a scope, or all. */
void polygpu_prospects_drop(const void *state);
void polygpu_prospects_end(uint64_t scope);
void polygpu_prospects_forget(void);

#endif
