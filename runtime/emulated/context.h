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

/* Clang has no __builtin_setjmp for other machines. */
#if defined(__x86_64__) && defined(__GNUC__)
#define POLYGPU_OWN_JUMPS 1
typedef void *polygpu_place[5];
#else
typedef sigjmp_buf polygpu_place;
#endif

/* Where a stack goes on; of zeros for that of the host thread. */
struct polygpu_context {
    ucontext_t first;    /* as it begins */
    polygpu_place place; /* once it has begun */
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
