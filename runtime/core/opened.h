/* opened.h - the device of this process: chosen and opened at first use.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_OPENED_H
#define POLYGPU_OPENED_H

#include "support/device.h"

/* The device that the environment selects, NULL with the reason if it cannot
 * be used now.  Opening is tried once; "library" is that of a descriptor. */
const struct polygpu_device *polygpu_device(const char *library,
                                            struct polygpu_status *status);
/* Has it been? */
bool polygpu_device_tried(void);

/* Its compute capability, major * 10 + minor; 0 before it is open, and where it
 * has none. */
unsigned polygpu_device_arch(void);

/* What the device can do at most, where a profile is wanted and that is known;
 * all 0 before it is open. */
const struct polygpu_peak *polygpu_device_peak(void);
/* With a profile: launches, and those that came again; 0 where nobody looked.
 */
struct polygpu_repeats polygpu_device_repeats(void);

#endif
