/* fibers.h - all threads of a block alive at once, on one host thread.
 *
 * A fiber has a stack of its own and runs until it reaches a barrier or the
 * end; then the next one runs.  When all wait, all go on.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_FIBERS_H
#define POLYGPU_FIBERS_H

#include "emulated/async.h"
#include "support/device.h"

#include <stddef.h>

struct polygpu_fibers;
struct polygpu_fiber;
struct polygpu_shadow;

struct polygpu_fibers *polygpu_fibers_take(size_t n,
                                           struct polygpu_status *status);
void polygpu_fibers_give(struct polygpu_fibers *fibers);

/* Where all threads of a block are. */
enum polygpu_fibers_at {
    POLYGPU_FIBERS_FAILED,
    POLYGPU_FIBERS_MEET, /* where they wait for other blocks */
    POLYGPU_FIBERS_ENDED
};

void polygpu_fibers_begin(struct polygpu_fibers *fibers,
                          const struct polygpu_kernel *kernel,
                          void *const *args, const struct polygpu_thread *block,
                          struct polygpu_shadow *shadow);
enum polygpu_fibers_at polygpu_fibers_go(struct polygpu_fibers *fibers,
                                         struct polygpu_shadow *shadow,
                                         struct polygpu_status *status);
void polygpu_fibers_abandon(struct polygpu_fibers *fibers);
void polygpu_fiber_wait(struct polygpu_fiber *fiber, uint32_t number,
                        uint32_t line);
void polygpu_fiber_meet(struct polygpu_fiber *fiber, uint32_t number);

#endif
