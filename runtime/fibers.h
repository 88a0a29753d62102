/* fibers.h - all threads of a block alive at once, on one host thread.
 *
 * A fiber has a stack of its own and runs until it reaches a barrier or the
 * end; then the next one runs.  When all wait, all go on.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_FIBERS_H
#define POLYGPU_FIBERS_H

#include "async.h"
#include "device.h"

#include <stddef.h>

struct polygpu_fibers;
struct polygpu_fiber;
struct polygpu_shadow;

/* What polygpu_thread.device points to on the emulated device. */
struct polygpu_emulated_self {
    struct polygpu_fiber *fiber;   /* NULL: the thread is a plain call */
    bool met_barrier;              /* though it is one */
    struct polygpu_shadow *shadow; /* NULL: the kernel is not checked */
    struct polygpu_async async;
};

struct polygpu_fibers *polygpu_fibers_take(size_t n,
                                           struct polygpu_status *status);
void polygpu_fibers_give(struct polygpu_fibers *fibers);
bool polygpu_fibers_run(struct polygpu_fibers *fibers,
                        const struct polygpu_kernel *kernel, void *const *args,
                        const struct polygpu_thread *block,
                        struct polygpu_shadow *shadow,
                        struct polygpu_status *status);
void polygpu_fiber_wait(struct polygpu_fiber *fiber, uint32_t number,
                        uint32_t line);
void polygpu_fibers_after_fork(void);

#endif
