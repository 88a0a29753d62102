/* fault.h - a device that fails on demand.  For tests only.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_FAULT_H
#define POLYGPU_FAULT_H

#include "support/device.h"
#include "support/faults.h"

/* "device" wrapped: operations fail as "which" says, without being carried
 * out.  At the end it says on stderr what of the device was not given back. One
 * runtime in a process at a time. */
const struct polygpu_device *
polygpu_with_faults(const struct polygpu_device *device,
                    const struct polygpu_fault *which);

#endif
