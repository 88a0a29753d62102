/* inside.h - is this thread in the runtime already?
 *
 * A signal may interrupt the runtime, and its handler may have offloaded loops
 * of its own.  Such a run declines before anything that a handler must not do:
 * no malloc, no lock, no stdio.  Each function of abi.h that does more than
 * look at a number is between polygpu_enter and polygpu_leave, which also keep
 * errno and the flags of floating-point exceptions, and have none of these
 * trap: the runtime's own arithmetic is nobody's business.  A handler that
 * leaves by longjmp leaves the thread inside, so that its later loops run on
 * the CPU.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_INSIDE_H
#define POLYGPU_INSIDE_H

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#ifdef __SSE2__
#include <immintrin.h>
#else
#include <fenv.h>
#endif

/* How deep; of a model that needs no allocation at its first use. */
extern _Thread_local volatile sig_atomic_t polygpu_depth
    __attribute__((tls_model("initial-exec")));

static inline bool polygpu_is_inside(void)
{
    return polygpu_depth > 0;
}

/* What a caller's thread has that it must find again. */
struct polygpu_outside {
    int error;
#ifdef __SSE2__
    unsigned floats; /* fenv.h would save the x87 as well, and takes longer */
#else
    fenv_t floats;
#endif
};

static inline struct polygpu_outside polygpu_enter(void)
{
    struct polygpu_outside outside;

    polygpu_depth = polygpu_depth + 1;
    outside.error = errno;
#ifdef __SSE2__
    outside.floats = _mm_getcsr();
    _mm_setcsr((outside.floats & ~_MM_EXCEPT_MASK) | _MM_MASK_MASK);
#else
    feholdexcept(&outside.floats);
#endif
    return outside;
}

/* Compute as the caller did, but for its errno; until polygpu_leave. */
static inline void polygpu_use_floats(struct polygpu_outside outside)
{
#ifdef __SSE2__
    _mm_setcsr(outside.floats);
#else
    fesetenv(&outside.floats);
#endif
}

static inline void polygpu_leave(struct polygpu_outside outside)
{
    polygpu_use_floats(outside);
    errno = outside.error;
    polygpu_depth = polygpu_depth - 1;
}

#endif
