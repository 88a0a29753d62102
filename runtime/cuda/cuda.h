/* cuda.h - an NVIDIA GPU, by the CUDA driver's interface.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_CUDA_H
#define POLYGPU_CUDA_H

#include "support/device.h"

extern const struct polygpu_device polygpu_cuda;

#endif
