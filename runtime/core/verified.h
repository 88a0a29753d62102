/* verified.h - POLYGPU_RESIDENCY=verify: what nothing said to be different is
 * compared.
 *
 * Results are copied to the host at the end of each run then, so that host and
 * device have the same bytes wherever a range says that they are valid.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_VERIFIED_H
#define POLYGPU_VERIFIED_H

#include "support/intervals.h"

struct polygpu_run;

/* Bytes of an array with a range, which the run does not copy in since the
 * device has them.  If one differs, the run fails with its element. */
void polygpu_verify_use(struct polygpu_run *run, uint32_t array,
                        const struct polygpu_intervals *present);

/* Before a touch by the code at "place", or NULL: all that runs of this thread
 * have left.  Of what differs there is a message, and it is copied anew.  Under
 * the lock. */
void polygpu_verify_touch(const char *place);

#endif
