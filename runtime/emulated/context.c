/* context.c - see context.h.
 *
 * swapcontext makes two system calls to keep the mask of signals, which is the
 * same on all stacks: 0.4 us for a switch there and back.  So it only begins a
 * stack; after that sigsetjmp and siglongjmp go from one to another, 0.03 us,
 * or what compilers have in their place, 0.02 us.
 *
 * The checks of a fortified siglongjmp, which take a jump to another stack for
 * an error, are switched off here.  Sanitizers follow swapcontext, and so do
 * shadow stacks; siglongjmp does not leave them as they have to be.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#undef _FORTIFY_SOURCE
#include "emulated/context.h"

#include <stdint.h>
#include <string.h>

#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define WITH_ASAN 1
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(WITH_ASAN) || defined(__SANITIZE_THREAD__) ||                      \
    __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define ALWAYS_SWAP 1
#elif defined(__CET__) && (__CET__ & 2)
#define ALWAYS_SWAP 1
#endif

/* About to go on elsewhere. */
static void leave(struct polygpu_context *from, struct polygpu_context *to)
{
    to->previous = from;
#ifdef WITH_ASAN
    __sanitizer_start_switch_fiber(&from->fake_stack, to->stack, to->size);
#endif
}

/* Here again, or for the first time. */
static void arrive(struct polygpu_context *here)
{
#ifdef WITH_ASAN
    __sanitizer_finish_switch_fiber(here->fake_stack, &here->previous->stack,
                                    &here->previous->size);
#else
    (void)here;
#endif
}

/* What a new stack runs.  makecontext passes only ints, so that a pointer comes
 * in two halves. */
static void enter(unsigned high, unsigned low)
{
    struct polygpu_context *context =
        (struct polygpu_context *)(uintptr_t)(((uint64_t)high << 32) | low);

    arrive(context);
    context->main(context->argument);
}

/* Have the next switch to "context" call "main", which must not return. */
void polygpu_context_make(struct polygpu_context *context, void *stack,
                          size_t size, void (*main)(void *), void *argument)
{
    uint64_t address = (uintptr_t)context;

    memset(context, 0, sizeof *context);
    context->main = main;
    context->argument = argument;
    context->stack = stack;
    context->size = size;
    getcontext(&context->first);
    context->first.uc_stack.ss_sp = stack;
    context->first.uc_stack.ss_size = size;
    makecontext(&context->first, (void (*)(void))enter, 2,
                (unsigned)(address >> 32), (unsigned)address);
}

#ifdef ALWAYS_SWAP
static void go(struct polygpu_context *from, struct polygpu_context *to)
{
    swapcontext(&from->first, &to->first);
}
#else
#ifdef POLYGPU_OWN_JUMPS
#define set_jump(place) __builtin_setjmp(place)
#define jump(place) __builtin_longjmp(place, 1)
#else
#define set_jump(place) sigsetjmp(place, 0)
#define jump(place) siglongjmp(place, 1)
#endif

/* Of its own, since one that jumps may not be the one that is jumped to. */
__attribute__((noinline)) static void go_to(struct polygpu_context *to)
{
    if (to->begun)
        jump(to->place);
    setcontext(&to->first);
}

__attribute__((noinline)) static void go(struct polygpu_context *from,
                                         struct polygpu_context *to)
{
    from->begun = true;
    if (!set_jump(from->place)) {
        go_to(to);
        __asm__ volatile("" : : : "memory"); /* no tail call: the frame stays */
    }
}
#endif

/* Go on with "to", until something switches to "from". */
void polygpu_context_switch(struct polygpu_context *from,
                            struct polygpu_context *to)
{
    leave(from, to);
    go(from, to);
    arrive(from);
}

/* "context" will never go on; its stack may be used for another one. */
void polygpu_context_abandon(struct polygpu_context *context)
{
#ifdef WITH_ASAN
    __asan_unpoison_memory_region(context->stack, context->size);
#else
    (void)context;
#endif
}
