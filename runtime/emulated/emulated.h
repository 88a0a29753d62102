/* emulated.h - a device without hardware.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_EMULATED_H
#define POLYGPU_EMULATED_H

#include "support/device.h"

extern const struct polygpu_device polygpu_emulated;

#endif
