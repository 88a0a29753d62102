/* profile.h - what POLYGPU_PROFILE prints when the process ends.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROFILE_H
#define POLYGPU_PROFILE_H

/* Does nothing; a call makes the linker take profile.c from the archive. */
void polygpu_profile_link(void);

#endif
