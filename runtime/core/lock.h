/* lock.h - the lock of the core.
 *
 * What all runs share is used under it: the states of SCoPs and what was learnt
 * of them (state.h, learnt.h), what is on the device (ranges.h, prospects.h),
 * and the memory that nobody has there (pool.h).  It is one, so that a run
 * which needs something of each takes it once.
 *
 * It is held while results come to the host (flush.h): runs of other threads
 * would have to wait for the same device.  Loops that are left on the CPU would
 * not, and are not measured when another thread has it.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_LOCK_H
#define POLYGPU_LOCK_H

#include <stdbool.h>

/* A thread that has it may take it again, and has it until it has left as often
 * as it entered. */
void polygpu_lock(void);
void polygpu_unlock(void);
/* False: another thread has it. */
bool polygpu_try_lock(void);
/* From now on nobody has it in the child of a fork.  Not for a library that is
 * being unloaded, which nobody would forget then. */
void polygpu_lock_watch(void);

#endif
