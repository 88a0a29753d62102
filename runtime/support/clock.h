/* clock.h - a clock for durations.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_CLOCK_H
#define POLYGPU_CLOCK_H

/* Milliseconds since some moment. */
double polygpu_now(void);

#endif
