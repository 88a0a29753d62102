/* learnt.h - what this process has learnt about the times of runs.
 *
 * Of each SCoP: paces (pace.h).  Of the machine: how fast copies are, what
 * allocating, loading and launching take, by the model's constants.  Where
 * nothing is to be learnt (POLYGPU_COST), all are the model's.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_LEARNT_H
#define POLYGPU_LEARNT_H

#include "core/estimate.h"
#include "core/pace.h"

#include <stddef.h>

struct polygpu_run;
struct polygpu_scop;
struct polygpu_state;

/* Of the machine. */
struct polygpu_machine {
    struct polygpu_pace in, out, array, load, overhead;
};

/* Times of a run by the model's; 1 where nothing is known. */
struct polygpu_ratios {
    double cpu;
    double overhead, kernels; /* on the device */
    double in, out, asking;   /* copies: bytes, and each one */
    double array;
};

void polygpu_learnt(struct polygpu_state *state, double operations,
                    struct polygpu_ratios *ratios);
/* Under the lock (lock.h). */
const struct polygpu_machine *polygpu_learnt_machine(void);
/* The pace of loading. */
double polygpu_learnt_load(void);

/* Is the run with that estimate for the device?  It takes "setup" ms more
 * there.  Sets e->trial. */
bool polygpu_learnt_choice(struct polygpu_state *state, double setup,
                           struct polygpu_estimate *e);
/* The run is there for what later ones may gain, and may lose "ms". */
void polygpu_learnt_risk(struct polygpu_state *state,
                         const struct polygpu_estimate *e, double ms);
/* By its sizes alone it is not; may the device be tried all the same? */
bool polygpu_learnt_may_try(struct polygpu_state *state, double setup,
                            const struct polygpu_estimate *e);
/* Is that so for good? */
bool polygpu_learnt_settled(struct polygpu_state *state,
                            const struct polygpu_estimate *e);
/* So many operations are too few for any run. */
double polygpu_learnt_tiny(const struct polygpu_scop *scop);

/* Code of "bytes" bytes has been loaded in "ms". */
void polygpu_learn_load(double bytes, double ms);
/* Results have come to the host in "ms". */
void polygpu_learn_out(const struct polygpu_copies *copies, double ms);
/* Does anybody want to know what a run takes, for which it has to be waited
 * for?  Asked once of each run. */
bool polygpu_learn_wants(const struct polygpu_run *run);
/* A run has ended before its kernels do (pending.h); */
void polygpu_learn_left(const struct polygpu_run *run);
/* and all such runs of these SCoPs have been waited for, for so long.  Of a
 * SCoP that several threads run it is what all of them have left. */
void polygpu_learn_waited(struct polygpu_state *const *states, size_t n,
                          double ms);
/* A run has been computed on the device, or has failed there. */
void polygpu_learn_run(const struct polygpu_run *run, bool done);

/* Is a run of the original loops with that estimate to be measured?  Not while
 * another thread has the lock, nor is that learnt then. */
bool polygpu_learn_asks(struct polygpu_state *state,
                        const struct polygpu_estimate *e);
/* They took "ms", "model" by the model. */
void polygpu_learn_loops(struct polygpu_state *state, double operations,
                         double model, double ms);

#endif
