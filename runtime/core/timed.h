/* timed.h - how long the original loops take.
 *
 * From when a run was declined to polygpu_loops_end, which offloaded code calls
 * behind the loops where the descriptor's "timing" is not 0.  It is that of one
 * thread at a time; what one left behind that never came there the next one
 * takes away.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_TIMED_H
#define POLYGPU_TIMED_H

#include "core/estimate.h"

struct polygpu_scop;
struct polygpu_state;

/* The original loops are about to run, in place of a run with that estimate. */
void polygpu_time_loops(struct polygpu_scop *scop, struct polygpu_state *state,
                        const struct polygpu_estimate *e);
/* Are they running? */
bool polygpu_time_runs(void);
/* What was done for them since does not count. */
void polygpu_time_anew(void);
/* They have ended. */
void polygpu_time_end(struct polygpu_scop *scop);

#endif
