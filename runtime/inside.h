/* inside.h - is this thread in the runtime already?
 *
 * A signal may interrupt the runtime, and its handler may have offloaded loops
 * of its own.  Such a run declines before anything that a handler must not do:
 * no malloc, no lock, no stdio.  Each function of abi.h that does more than
 * look at a number is between polygpu_enter and polygpu_leave, which also keep
 * errno.  A handler that leaves by longjmp leaves the thread inside, so that
 * its later loops run on the CPU.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_INSIDE_H
#define POLYGPU_INSIDE_H

#include <errno.h>
#include <signal.h>
#include <stdbool.h>

/* How deep; of a model that needs no allocation at its first use. */
extern _Thread_local volatile sig_atomic_t polygpu_depth
    __attribute__((tls_model("initial-exec")));

static inline bool polygpu_is_inside(void)
{
    return polygpu_depth > 0;
}

/* Returns the errno to give to polygpu_leave. */
static inline int polygpu_enter(void)
{
    polygpu_depth = polygpu_depth + 1;
    return errno;
}

static inline void polygpu_leave(int saved_errno)
{
    errno = saved_errno;
    polygpu_depth = polygpu_depth - 1;
}

#endif
