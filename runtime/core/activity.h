/* activity.h - does it make sense to ask for a device at all?
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_ACTIVITY_H
#define POLYGPU_ACTIVITY_H

/* UNKNOWN until somebody has looked; PASSIVE: from now on the original loops
 * run. */
enum polygpu_activity { POLYGPU_UNKNOWN, POLYGPU_ACTIVE, POLYGPU_PASSIVE };

enum polygpu_activity polygpu_activity(void);
/* ACTIVE unless something else is known. */
void polygpu_become_active(void);
/* PASSIVE, unless somebody is to be told of each run. */
void polygpu_become_passive(void);

#endif
