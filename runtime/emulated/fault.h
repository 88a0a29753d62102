/* fault.h - a device that fails on demand.  For tests only.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_FAULT_H
#define POLYGPU_FAULT_H

#include "support/device.h"

/* "device" wrapped.  To be called once. */
const struct polygpu_device *
polygpu_with_faults(const struct polygpu_device *device);

#endif
