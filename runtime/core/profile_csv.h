/* profile_csv.h - the profile as a table for programs.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROFILE_CSV_H
#define POLYGPU_PROFILE_CSV_H

/* Write this process's file (output.h).  To be called under the lock
 * (lock.h). */
void polygpu_profile_csv(void);

#endif
