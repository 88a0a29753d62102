/* async.h - the asynchronous copies of a thread of the emulated device.
 *
 * A copy is done as late as its thread's code allows, when its group is waited
 * for: who forgets to wait finds the old values.  What a thread has not waited
 * for when it ends is never done.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_ASYNC_H
#define POLYGPU_ASYNC_H

#include "emulated/async_copy.h"
#include "support/device.h"

struct polygpu_fiber;
struct polygpu_shadow;

/* One that is all zero has no copies and holds no memory. */
struct polygpu_async {
    struct polygpu_async_copy *copies; /* not waited for, oldest first */
    size_t n, capacity;
    uint64_t n_groups; /* made by this thread */
    bool failed;       /* there was no memory for a copy */
};

/* What polygpu_thread.device points to on the emulated device. */
struct polygpu_emulated_self {
    struct polygpu_fiber *fiber;   /* NULL: the thread is a plain call */
    bool met_barrier;              /* though it is one */
    struct polygpu_shadow *shadow; /* NULL: the kernel is not checked */
    struct polygpu_async async;
};

/* See polygpu_emulated_calls of abi.h. */
void polygpu_async_start(struct polygpu_thread *self, void *to,
                         const void *from, uint32_t size, uint32_t valid,
                         const struct polygpu_access *load,
                         const struct polygpu_access *store);
void polygpu_async_commit(struct polygpu_thread *self);
void polygpu_async_wait(struct polygpu_thread *self, uint32_t pending);

/* Forget the copies of a thread, before the next one. */
void polygpu_async_forget(struct polygpu_async *async);
/* Is this a failure of the kernel? */
bool polygpu_async_check(const struct polygpu_async *async,
                         const struct polygpu_kernel *kernel,
                         struct polygpu_status *status);
void polygpu_async_free(struct polygpu_async *async);

#endif
