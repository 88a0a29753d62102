/* together.h - kernels whose blocks are all on the device at once.
 *
 * What they need is the driver's cooperative launch (CUDA driver API,
 * cuLaunchCooperativeKernel), a grid of no more blocks than the
 * multiprocessors have at a time, and a word at which they meet: it is 0 before
 * the first launch, and its lower 31 bits are after each.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_TOGETHER_H
#define POLYGPU_TOGETHER_H

#include "cuda/cuda_driver.h"
#include "polygpu/abi.h"

#include <stdbool.h>

/* How many blocks of "kernel" there are at once, whatever their number; 0 if
 * that cannot be told. */
unsigned polygpu_resident(const struct polygpu_cuda_driver *cuda,
                          cu_device device, cu_function function,
                          const struct polygpu_kernel *kernel);

/* How many blocks of "kernel" there are at once, 0 if such launches are not
 * possible.  Makes the word at *counter unless there is one; it belongs to the
 * stream. */
unsigned polygpu_together(const struct polygpu_cuda_driver *cuda,
                          cu_device device, cu_function function,
                          const struct polygpu_kernel *kernel, cu_stream stream,
                          cu_address *counter);

#endif
