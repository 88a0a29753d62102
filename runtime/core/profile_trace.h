/* profile_trace.h - the profile as trace events.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROFILE_TRACE_H
#define POLYGPU_PROFILE_TRACE_H

/* Write this process's file (output.h).  "started": when time began, by
 * clock.h. */
void polygpu_profile_trace(double started);

#endif
