/* profile_table.h - the profile for people.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROFILE_TABLE_H
#define POLYGPU_PROFILE_TABLE_H

/* To be called under the lock (lock.h).  "elapsed": ms that the
 * process has taken. */
void polygpu_profile_table(double elapsed);

#endif
