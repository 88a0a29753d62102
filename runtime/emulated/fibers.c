/* fibers.c - see fibers.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "emulated/fibers.h"
#include "emulated/context.h"
#include "emulated/shadow.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#endif

#ifdef WITH_ASAN
enum { STACK_SIZE = 256 * 1024 }; /* frames are larger */
#else
enum { STACK_SIZE = 64 * 1024 };
#endif

enum fiber_state { FIBER_READY, FIBER_WAITS, FIBER_MEETS, FIBER_DONE };

struct polygpu_fiber {
    struct polygpu_context context;
    bool made; /* the context: it waits for a block to run */
    struct polygpu_fibers *all;
    enum fiber_state state;
    uint32_t number, line; /* of the barrier, where known */
    struct polygpu_thread self;
    struct polygpu_emulated_self known;
};

/* A pool of fibers, used by one launch after another; "next" links those that
 * nobody uses. */
struct polygpu_fibers {
    struct polygpu_fibers *next;
    size_t n;
    char *stacks;
    size_t stack_step; /* stack and guard page */
    struct polygpu_fiber *fibers;

    struct polygpu_context scheduler;
    size_t n_threads; /* of the block that runs */
    const struct polygpu_kernel *kernel;
    void *const *args;
};

static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t forks_watched = PTHREAD_ONCE_INIT;
static struct polygpu_fibers *pool;

/* In the child of a fork, where another thread may have held the lock. */
static void after_fork(void)
{
    pthread_mutex_init(&pool_lock, NULL);
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, after_fork);
}

static char *stack_of(const struct polygpu_fibers *all, size_t i)
{
    return all->stacks + i * all->stack_step + (all->stack_step - STACK_SIZE);
}

static void free_fibers(struct polygpu_fibers *all)
{
    size_t i;

    for (i = 0; all->fibers && i < all->n; ++i)
        polygpu_async_free(&all->fibers[i].known.async);
    if (all->stacks)
        munmap(all->stacks, all->n * all->stack_step);
    free(all->fibers);
    free(all);
}

/* Make "n" fibers, each with an inaccessible page below its stack. */
static struct polygpu_fibers *new_fibers(size_t n)
{
    struct polygpu_fibers *all = calloc(1, sizeof *all);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *stacks;
    size_t i;

    if (!all)
        return NULL;
    all->n = n;
    all->stack_step = STACK_SIZE + page;
    all->fibers = calloc(n, sizeof *all->fibers);
    stacks = mmap(NULL, n * all->stack_step, PROT_NONE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    all->stacks = stacks == MAP_FAILED ? NULL : stacks;
    if (!all->fibers || !all->stacks) {
        free_fibers(all);
        return NULL;
    }
    for (i = 0; i < n; ++i) {
        all->fibers[i].all = all;
        if (mprotect(stack_of(all, i), STACK_SIZE, PROT_READ | PROT_WRITE)) {
            free_fibers(all);
            return NULL;
        }
    }
    return all;
}

/* Take a pool of at least "n" fibers for oneself, until
 * polygpu_fibers_give. */
struct polygpu_fibers *polygpu_fibers_take(size_t n,
                                           struct polygpu_status *status)
{
    struct polygpu_fibers **link;
    struct polygpu_fibers *all;

    pthread_once(&forks_watched, watch_forks);
    pthread_mutex_lock(&pool_lock);
    for (link = &pool; *link && (*link)->n < n; link = &(*link)->next)
        ;
    all = *link;
    if (all)
        *link = all->next;
    pthread_mutex_unlock(&pool_lock);
    if (!all)
        all = new_fibers(n);
    if (!all)
        polygpu_fail(status, POLYGPU_CAUSE_MEMORY,
                     "no host memory for the stacks of %zu emulated threads",
                     n);
    return all;
}

void polygpu_fibers_give(struct polygpu_fibers *all)
{
    pthread_mutex_lock(&pool_lock);
    all->next = pool;
    pool = all;
    pthread_mutex_unlock(&pool_lock);
}

/* The thread ended or waits: let the next one run, after the last one the
 * scheduler. */
static void yield(struct polygpu_fiber *fiber)
{
    struct polygpu_fibers *all = fiber->all;
    bool is_last = fiber + 1 == all->fibers + all->n_threads;

    polygpu_context_switch(&fiber->context,
                           is_last ? &all->scheduler : &fiber[1].context);
}

/* What a fiber executes: a thread of one block after another. */
static void fiber_main(void *argument)
{
    struct polygpu_fiber *fiber = argument;
    struct polygpu_fibers *all = fiber->all;

    for (;;) {
        all->kernel->emulated(all->args, &fiber->self);
        fiber->state = FIBER_DONE;
        yield(fiber);
    }
}

/* Set up fiber number "i" as a thread of the block. */
static void prepare(struct polygpu_fibers *all, size_t i,
                    const struct polygpu_thread *block,
                    struct polygpu_shadow *shadow)
{
    struct polygpu_fiber *fiber = &all->fibers[i];
    const uint32_t *n = block->n_thread;

    fiber->state = FIBER_READY;
    fiber->self = *block;
    fiber->self.thread[0] = (uint32_t)(i % n[0]);
    fiber->self.thread[1] = (uint32_t)(i / n[0] % n[1]);
    fiber->self.thread[2] = (uint32_t)(i / n[0] / n[1]);
    fiber->known.fiber = fiber;
    fiber->known.shadow = shadow;
    fiber->known.async.failed = false;
    polygpu_async_forget(&fiber->known.async);
    fiber->self.device = &fiber->known;
    if (!fiber->made)
        polygpu_context_make(&fiber->context, stack_of(all, i), STACK_SIZE,
                             fiber_main, fiber);
    fiber->made = true;
}

/* Forget fibers that will never go on; their stacks are used again. */
static void abandon(struct polygpu_fibers *all, size_t n)
{
    size_t i;

    for (i = 0; i < n; ++i) {
        polygpu_context_abandon(&all->fibers[i].context);
        all->fibers[i].made = false;
    }
}

struct position {
    char text[80];
};

static struct position position(const struct polygpu_fiber *fiber)
{
    const uint32_t *t = fiber->self.thread;
    struct position p;
    int n;

    n = snprintf(p.text, sizeof p.text, "thread (%u,%u,%u)", (unsigned)t[0],
                 (unsigned)t[1], (unsigned)t[2]);
    if (fiber->state != FIBER_DONE && fiber->line)
        snprintf(p.text + n, sizeof p.text - (size_t)n, " in line %u",
                 (unsigned)fiber->line);
    return p;
}

/* The first fiber that is not where number 0 is: at the same barrier, or at
 * the end.  NULL if there is none. */
static const struct polygpu_fiber *
find_straggler(const struct polygpu_fibers *all, size_t n)
{
    const struct polygpu_fiber *first = &all->fibers[0];
    size_t i;

    for (i = 1; i < n; ++i)
        if (all->fibers[i].state != first->state ||
            (first->state != FIBER_DONE &&
             all->fibers[i].number != first->number))
            return &all->fibers[i];
    return NULL;
}

static bool divergence(const struct polygpu_fibers *all,
                       const struct polygpu_fiber *b,
                       struct polygpu_status *status)
{
    const struct polygpu_fiber *a = &all->fibers[0];
    const uint32_t *block = a->self.block;
    bool both = a->state == b->state;

    if (a->state == FIBER_DONE) {
        a = b;
        b = &all->fibers[0];
    }
    return polygpu_fail(
        status, POLYGPU_CAUSE_LAUNCH,
        "kernel %s: barrier not reached by all threads of block (%u,%u,%u): "
        "%s waits, %s %s",
        all->kernel->name, (unsigned)block[0], (unsigned)block[1],
        (unsigned)block[2], position(a).text, position(b).text,
        both ? "waits at another barrier" : "has ended");
}

/* Have the threads of one block ready. */
void polygpu_fibers_begin(struct polygpu_fibers *all,
                          const struct polygpu_kernel *kernel,
                          void *const *args, const struct polygpu_thread *block,
                          struct polygpu_shadow *shadow)
{
    const uint32_t *n_thread = block->n_thread;
    size_t i;

    all->kernel = kernel;
    all->args = args;
    all->n_threads = (size_t)n_thread[0] * n_thread[1] * n_thread[2];
    for (i = 0; i < all->n_threads; ++i)
        prepare(all, i, block, shadow);
}

/* Run them all to the end, or to where the blocks of a grid meet.  Fails if
 * some end while others wait, if they wait at different barriers, or without
 * memory for asynchronous copies. */
enum polygpu_fibers_at polygpu_fibers_go(struct polygpu_fibers *all,
                                         struct polygpu_shadow *shadow,
                                         struct polygpu_status *status)
{
    const struct polygpu_fiber *straggler;
    size_t i;

    do {
        polygpu_context_switch(&all->scheduler, &all->fibers[0].context);
        straggler = find_straggler(all, all->n_threads);
        if (shadow && !straggler && all->fibers[0].state == FIBER_WAITS)
            polygpu_shadow_barrier(shadow);
    } while (!straggler && all->fibers[0].state == FIBER_WAITS);
    if (straggler)
        abandon(all, all->n_threads);
    for (i = 0; i < all->n_threads; ++i)
        if (!polygpu_async_check(&all->fibers[i].known.async, all->kernel,
                                 status))
            return POLYGPU_FIBERS_FAILED;
    if (straggler) {
        divergence(all, straggler, status);
        return POLYGPU_FIBERS_FAILED;
    }
    return all->fibers[0].state == FIBER_MEETS ? POLYGPU_FIBERS_MEET
                                               : POLYGPU_FIBERS_ENDED;
}

/* The block will not go on. */
void polygpu_fibers_abandon(struct polygpu_fibers *all)
{
    abandon(all, all->n_threads);
}

/* The barrier, in a thread that is a fiber. */
void polygpu_fiber_wait(struct polygpu_fiber *fiber, uint32_t number,
                        uint32_t line)
{
    fiber->state = FIBER_WAITS;
    fiber->number = number;
    fiber->line = line;
    yield(fiber);
}

/* The same for all blocks of a grid. */
void polygpu_fiber_meet(struct polygpu_fiber *fiber, uint32_t number)
{
    fiber->state = FIBER_MEETS;
    fiber->number = number;
    fiber->line = 0;
    yield(fiber);
}
