/* cuda_peak.h - the most that a CUDA device can do.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_CUDA_PEAK_H
#define POLYGPU_CUDA_PEAK_H

#include "cuda/cuda_driver.h"
#include "support/device.h"

void polygpu_cuda_peak(const struct polygpu_cuda_driver *cuda, cu_device device,
                       unsigned arch, struct polygpu_peak *peak);

#endif
