/* fakes.h - what fake_cublas.c takes from fake_cuda.c.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_BENCH_GPU_FAKES_H
#define POLYGPU_BENCH_GPU_FAKES_H

#include "cuda/cuda_driver.h"

/* Functions of the libraries are declared nowhere else. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define FAKE(type) __attribute__((visibility("default"))) type

/* Adds a line to the file FAKE_LOG. */
FAKE(void) fake_log(const char *line);

/* Something on the stream that takes so long. */
FAKE(void) fake_advance(double ms);

/* Bytes of the array that begins there, 0 if none does. */
FAKE(size_t) fake_room(cu_address at);

#endif
