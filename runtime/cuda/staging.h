/* staging.h - large copies between the device and memory that is not pinned.
 *
 * The driver brings such memory over by a buffer of its own and with one
 * thread.  Here several threads (workers.h) fill or empty chunks of pinned
 * memory, two for each thread: while one chunk is on the bus, its thread is at
 * the other.
 *
 * Where there are too few threads, no pinned memory, or where another thread's
 * copy is under way, a copy goes the driver's way.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_STAGING_H
#define POLYGPU_STAGING_H

#include "cuda/cuda_driver.h"

#include <stdbool.h>

/* A context that is current here, and a stream in it. */
struct polygpu_stream {
    const struct polygpu_cuda_driver *driver;
    cu_context context;
    unsigned
        generation; /* another one after a reset: what was pinned is gone */
    cu_stream handle;
};

/* Constants but for tests; staging.c says why they are what they are. */
struct polygpu_staging_limits {
    size_t least;     /* bytes of a copy that is staged */
    size_t earned;    /* bytes of such copies before one byte is pinned, */
    size_t first;     /* which are chunks of so many bytes at first, */
    size_t chunk;     /* and of so many at most */
    unsigned threads; /* at least */
};
extern struct polygpu_staging_limits polygpu_staging_limits;

/* Copy after all work of the stream; complete on return, with "result".  False:
 * it is not staged, and nothing is copied.  "to" of a copy out is the runtime's
 * own memory: a fault there would be another thread's. */
bool polygpu_stage_in(const struct polygpu_stream *stream, uintptr_t to,
                      const void *from, size_t size, cu_result *result);
bool polygpu_stage_out(const struct polygpu_stream *stream, void *to,
                       uintptr_t from, size_t size, cu_result *result);

/* The process ends, or unloads the runtime.  Without a stream what is pinned
 * stays, as its context is gone. */
void polygpu_staging_end(const struct polygpu_stream *stream);

#endif
