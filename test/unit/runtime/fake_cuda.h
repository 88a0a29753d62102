/* fake_cuda.h - what the files of the fake driver have in common.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include "cuda/cuda_driver.h"

#include <stdbool.h>

struct flight;

/* Before a function of the driver. */
#define FAKE __attribute__((visibility("default"))) cu_result
/* The first line of one: a call that may be made to fail. */
#define CALL()                                                                 \
    do {                                                                       \
        cu_result failed = fake_call();                                        \
        if (failed != CU_OK)                                                   \
            return failed;                                                     \
    } while (0)

/* Is that what FAKE_CUDA says? */
bool fake_told(const char *what);
/* Into a stream; the host has waited for one. */
void fake_take_off(cu_stream stream, const struct flight *flight);
void fake_waited(void);
/* Have the host take a while. */
void fake_wait(void);
/* Count a call that may be made to fail; is there a context that works? */
cu_result fake_call(void);
cu_result fake_usable(void);
/* An object that is counted while it is there. */
cu_result fake_make(void **object, size_t size);
cu_result fake_destroy(void *object);
/* Of the current context; another one after a reset. */
unsigned long long fake_context(void);
/* Set where there are graphs: how many nodes those that are there have. */
extern int (*fake_nodes)(void);
/* A launch that is checked, and one that was, into a stream. */
cu_result fake_prepare(cu_function function, const unsigned grid[3],
                       const unsigned block[3], unsigned shared_bytes,
                       void **args, struct flight *flight);
cu_result fake_fly(cu_stream stream, const struct flight *prepared,
                   unsigned shared_bytes);

#endif
