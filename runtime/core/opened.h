/* opened.h - the device of this process: chosen and opened at first use.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_OPENED_H
#define POLYGPU_OPENED_H

#include "support/device.h"

const struct polygpu_device *polygpu_device(struct polygpu_status *status);
const struct polygpu_device *polygpu_device_unopened(void);

#endif
