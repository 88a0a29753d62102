/* found.h - which CUDA device is this process's.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_FOUND_H
#define POLYGPU_FOUND_H

#include "cuda/cuda_driver.h"
#include "support/status.h"

/* Find the driver, start it, and choose the device, without a context. */
bool polygpu_cuda_find(const struct polygpu_cuda_driver **driver,
                       cu_device *found, unsigned *capability,
                       struct polygpu_status *status);

#endif
