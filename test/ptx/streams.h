/* streams.h - what was asked for and has not been done.
 *
 * A stream's tasks are done in order, and as late as may be where the settings
 * say so: when the stream, or an event behind them, is waited for, or memory is
 * freed.  So what does not wait for another stream as it should finds something
 * else.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef STREAMS_H
#define STREAMS_H

#include "cuda/cuda_driver.h"
#include "machine.h"

enum ptx_task_kind { PTX_COPY_IN, PTX_COPY_OUT, PTX_LAUNCH, PTX_WAIT };

struct ptx_task {
    enum ptx_task_kind kind;
    void *host; /* of a copy */
    uint64_t address;
    size_t size;
    struct ptx_launch launch;
    cu_stream awaited; /* so many of its tasks; NULL: it is no more */
    size_t behind;
    void *owned; /* freed behind it */
};

struct cu_stream_object {
    struct ptx_task *tasks;
    size_t n, done; /* done: before those in the list */
    struct cu_stream_object *next;
};

/* All functions return CUDA's error; the driver's lock is held. */
cu_stream ptx_stream_new(void);
/* Its tasks are done before; "m" without a fault, or they are not. */
void ptx_stream_free(struct ptx_machine *m, cu_stream stream);
int ptx_stream_add(struct ptx_machine *m, cu_stream stream,
                   const struct ptx_task *task);
/* Do its tasks up to a number. */
int ptx_stream_wait(struct ptx_machine *m, cu_stream stream, size_t number);
int ptx_streams_wait(struct ptx_machine *m);
/* Nothing of all that will be done. */
void ptx_streams_forget(void);

/* Memory of the host that is pinned: a copy may read and write it later. */
bool ptx_pin(const void *memory, size_t size);
void ptx_unpin(const void *memory);
bool ptx_is_pinned(const void *memory);

#endif
