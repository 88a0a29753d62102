/* context.h - several stacks on one host thread, of which one runs at a time.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_CONTEXT_H
#define POLYGPU_CONTEXT_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <ucontext.h>

/* Where a stack goes on; of zeros for that of the host thread. */
struct polygpu_context {
    ucontext_t first; /* as it begins */
    sigjmp_buf place; /* once it has begun */
    bool begun;
    void (*main)(void *);
    void *argument;

    /* For AddressSanitizer. */
    struct polygpu_context *previous;
    const void *stack;
    size_t size;
    void *fake_stack;
};

void polygpu_context_make(struct polygpu_context *context, void *stack,
                          size_t size, void (*main)(void *), void *argument);
void polygpu_context_switch(struct polygpu_context *from,
                            struct polygpu_context *to);
void polygpu_context_abandon(struct polygpu_context *context);

#endif
