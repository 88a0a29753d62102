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

#include "device.h"

/* Of the "size" bytes at "to", the first "valid" come from "from" and the
 * others are zero. */
struct polygpu_async_copy {
    void *to;
    const void *from;
    uint32_t size, valid;
    const struct polygpu_access *load, *store; /* NULL: not checked */
    uint64_t group; /* groups that the thread had made before */
    uint64_t begun; /* shadow.c's */
};

/* One that is all zero has no copies and holds no memory. */
struct polygpu_async {
    struct polygpu_async_copy *copies; /* not waited for, oldest first */
    size_t n, capacity;
    uint64_t n_groups; /* made by this thread */
    bool failed;       /* there was no memory for a copy */
};

/* Forget the copies of a thread, before the next one. */
void polygpu_async_forget(struct polygpu_async *async);
/* Is this a failure of the kernel? */
bool polygpu_async_check(const struct polygpu_async *async,
                         const struct polygpu_kernel *kernel,
                         struct polygpu_status *status);
void polygpu_async_free(struct polygpu_async *async);

#endif
