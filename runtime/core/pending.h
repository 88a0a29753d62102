/* pending.h - runs that have ended, and whose kernels nobody has waited for.
 *
 * Each thread has a list of their sessions.  All results of such a run stay on
 * the device, and the run is in the list of deferred ones (deferred.h): a
 * failure that is told later than at its end is one of all of them, which the
 * original loops compute then.  Before any result of the thread comes to the
 * host, all are waited for.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PENDING_H
#define POLYGPU_PENDING_H

#include "core/run.h"

bool polygpu_pending_any(void);
/* Is there room for one more? */
bool polygpu_pending_room(void);
/* A run begins on a device: have it go on in the session of the run of its SCoP
 * that is in the list, if there is one. */
void polygpu_pending_resume(struct polygpu_run *run,
                            const struct polygpu_device *device);
/* What is asked of the run's session from now on comes after all in the list.
 */
bool polygpu_pending_follow(struct polygpu_run *run);
/* The run has ended, and is put into the list, which gets its session. */
void polygpu_pending_add(struct polygpu_run *run);
/* It has ended in another way.  True: it has not done anything, and its session
 * is the list's as before. */
bool polygpu_pending_end(struct polygpu_run *run);
/* It has failed in a way that may be a failure of one in the list. */
void polygpu_pending_suspect(const struct polygpu_status *why);
/* Wait for all.  False with the first failure, until polygpu_pending_forget. */
bool polygpu_pending_wait(struct polygpu_status *status);
/* Is "why" what polygpu_pending_wait would say?  Then a run that has failed
 * because of it says so for all. */
bool polygpu_pending_says(const struct polygpu_status *why);
/* Wait for all; whether they have failed is nobody's business any more. */
void polygpu_pending_forget(void);

#endif
