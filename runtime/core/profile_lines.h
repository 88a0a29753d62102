/* profile_lines.h - the profile for scripts.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROFILE_LINES_H
#define POLYGPU_PROFILE_LINES_H

/* To be called under the lock (lock.h). */
void polygpu_profile_lines(void);

#endif
