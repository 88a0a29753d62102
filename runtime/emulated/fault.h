/* fault.h - a device that fails on demand.  For tests only.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_FAULT_H
#define POLYGPU_FAULT_H

#include "support/device.h"

/* "device" wrapped: operation number "number" of a kind, from 1 on, fails
 * without being carried out.  To be called once in a process. */
const struct polygpu_device *
polygpu_with_faults(const struct polygpu_device *device,
                    enum polygpu_fault kind, unsigned long number);

#endif
