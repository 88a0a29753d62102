/* emulated.c - a device of our own: its memory is separate, its threads run
 * one after another on the calling thread.
 *
 * Memory that nothing was copied to or written holds 0xA5 bytes, so that what
 * was forgotten shows.  Kernels with barriers run as fibers (fibers.h); those
 * without need none: each thread is a plain call.  Checked kernels ask before
 * each access whether it is right (shadow.h), and for a profile their accesses
 * are counted (accesses.h).  Asynchronous copies are done when they are waited
 * for (async.h).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "emulated/emulated.h"

#include "emulated/fibers.h"
#include "emulated/shadow.h"
#include "support/clock.h"

#include <stdlib.h>
#include <string.h>

enum {
    POISON = 0xA5,
    GLOBAL_ALIGN =
        256, /* as CUDA's, so that accesses fall into as many sectors */
    SHARED_ALIGN = 128,
    MAX_THREADS = 1024,
    TOGETHER = 8 /* blocks that are there at once */
};

/* In programs that are compiled with AddressSanitizer. */
void __asan_poison_memory_region(const volatile void *at, size_t size)
    __attribute__((weak));
void __asan_unpoison_memory_region(const volatile void *at, size_t size)
    __attribute__((weak));

struct emulated_session {
    struct polygpu_fibers *fibers; /* NULL until a kernel has barriers */
    size_t n_fibers;
    struct polygpu_shadow *shadow; /* NULL: not all kernels are checked */
};

/* From the shared memory of one block to that of the next one. */
static size_t shared_step(const struct polygpu_kernel *kernel)
{
    return (kernel->shared_bytes + SHARED_ALIGN - 1) / SHARED_ALIGN *
           SHARED_ALIGN;
}

struct launch {
    const struct polygpu_kernel *kernel;
    void *const *args;
    struct polygpu_fibers *fibers; /* NULL: has no barriers */
    struct polygpu_shadow *shadow; /* NULL: not checked */
    struct polygpu_thread block;
    struct polygpu_emulated_self plain; /* of each thread without a fiber */
};

static bool emulated_open(struct polygpu_status *status)
{
    (void)status;
    return true;
}

static bool emulated_alive(struct polygpu_status *status)
{
    (void)status;
    return true;
}

/* There is nothing to load: the kernels are part of the program. */
static bool emulated_load(const struct polygpu_scop *scop, void **module,
                          struct polygpu_status *status)
{
    (void)scop;
    (void)status;
    *module = NULL;
    return true;
}

static bool emulated_start(const struct polygpu_scop *scop, void **session,
                           struct polygpu_status *status)
{
    struct emulated_session *s = calloc(1, sizeof *s);
    bool checked = scop->n_kernels > 0;
    uint32_t k;

    if (!s)
        return polygpu_fail(status, POLYGPU_CAUSE_MEMORY,
                            "no host memory for the run");
    for (k = 0; k < scop->n_kernels; ++k)
        checked &= (scop->kernels[k].flags & POLYGPU_KERNEL_CHECKED) != 0;
    if (checked && !(s->shadow = polygpu_shadow_new(scop, status))) {
        free(s);
        return false;
    }
    *session = s;
    return true;
}

static void emulated_stop(void *session)
{
    struct emulated_session *s = session;

    if (s->fibers)
        polygpu_fibers_give(s->fibers);
    polygpu_shadow_free(s->shadow);
    free(s);
}

static bool emulated_announce(void *session, uint32_t array, uint32_t dir,
                              const struct polygpu_segment *segment,
                              struct polygpu_status *status)
{
    struct emulated_session *s = session;

    return !s->shadow ||
           polygpu_shadow_announce(s->shadow, array, dir, segment, status);
}

static bool emulated_alloc(size_t size, uintptr_t *address,
                           struct polygpu_status *status)
{
    void *memory;

    if (posix_memalign(&memory, GLOBAL_ALIGN, size))
        return polygpu_fail(status, POLYGPU_CAUSE_MEMORY,
                            "no memory for %zu bytes on the emulated device",
                            size);
    *address = (uintptr_t)memory;
    return true;
}

static void emulated_free(uintptr_t address)
{
    free((void *)address);
}

/* What an array before has left there is no value, nor are the bytes behind
 * this one accessible. */
static void emulated_lend(uintptr_t address, size_t size, size_t capacity)
{
    if (__asan_unpoison_memory_region)
        __asan_unpoison_memory_region((void *)address, capacity);
    memset((void *)address, POISON, capacity);
    if (__asan_poison_memory_region)
        __asan_poison_memory_region((void *)(address + size), capacity - size);
}

static bool emulated_place(void *session, uint32_t array, int64_t first,
                           size_t size, uintptr_t address,
                           struct polygpu_status *status)
{
    struct emulated_session *s = session;

    return !s->shadow ||
           polygpu_shadow_alloc(s->shadow, array, first, size, address, status);
}

static void emulated_holds(void *session, uintptr_t address, size_t size)
{
    struct emulated_session *s = session;

    if (s->shadow)
        polygpu_shadow_copied_in(s->shadow, address, size);
}

static bool emulated_copy_in(void *session, uintptr_t to, const void *from,
                             size_t size, struct polygpu_status *status)
{
    (void)status;
    memcpy((void *)to, from, size);
    emulated_holds(session, to, size);
    return true;
}

static bool emulated_copy_out(void *session, void *to, uintptr_t from,
                              size_t size, struct polygpu_status *status)
{
    (void)session;
    (void)status;
    memcpy(to, (const void *)from, size);
    return true;
}

/* A thread that is no fiber cannot wait; its launch will fail. */
static void barrier_at(struct polygpu_thread *self, uint32_t number,
                       uint32_t line)
{
    struct polygpu_emulated_self *known = self->device;

    if (known->fiber)
        polygpu_fiber_wait(known->fiber, number, line);
    else
        known->met_barrier = true;
}

static void barrier(struct polygpu_thread *self)
{
    barrier_at(self, 0, 0);
}

static void grid_barrier(struct polygpu_thread *self, uint32_t number)
{
    struct polygpu_emulated_self *known = self->device;

    if (known->fiber)
        polygpu_fiber_meet(known->fiber, number);
    else
        known->met_barrier = true;
}

static void *check_access(struct polygpu_thread *self, void *address,
                          const struct polygpu_access *access)
{
    struct polygpu_emulated_self *known = self->device;

    return known->shadow
               ? polygpu_shadow_access(known->shadow, self, address, access)
               : address;
}

static const struct polygpu_emulated_calls kernel_calls = {
    .barrier = barrier,
    .barrier_at = barrier_at,
    .access = check_access,
    .copy = polygpu_async_start,
    .commit = polygpu_async_commit,
    .wait = polygpu_async_wait,
    .grid_barrier = grid_barrier,
};

/* Run the threads of a block of a kernel without barriers. */
static bool run_plain(struct launch *launch, struct polygpu_status *status)
{
    const uint32_t *n = launch->block.n_thread;
    struct polygpu_emulated_self *plain = &launch->plain;
    struct polygpu_thread self;
    uint32_t x, y, z;

    for (z = 0; z < n[2]; ++z)
        for (y = 0; y < n[1]; ++y)
            for (x = 0; x < n[0]; ++x) {
                self = launch->block;
                self.thread[0] = x;
                self.thread[1] = y;
                self.thread[2] = z;
                self.device = plain;
                polygpu_async_forget(&plain->async);
                launch->kernel->emulated(launch->args, &self);
            }
    if (!polygpu_async_check(&plain->async, launch->kernel, status))
        return false;
    return !plain->met_barrier ||
           polygpu_fail(status, POLYGPU_CAUSE_LAUNCH,
                        "kernel %s: barrier in a kernel that is not marked to "
                        "have any",
                        launch->kernel->name);
}

static bool run_fibers(struct launch *launch, struct polygpu_status *status)
{
    enum polygpu_fibers_at at;

    polygpu_fibers_begin(launch->fibers, launch->kernel, launch->args,
                         &launch->block, launch->shadow);
    at = polygpu_fibers_go(launch->fibers, launch->shadow, status);
    if (at != POLYGPU_FIBERS_MEET)
        return at == POLYGPU_FIBERS_ENDED;
    polygpu_fibers_abandon(launch->fibers);
    return polygpu_fail(status, POLYGPU_CAUSE_LAUNCH,
                        "kernel %s: blocks meet that need not be there at once",
                        launch->kernel->name);
}

static bool run_block(struct launch *launch, struct polygpu_status *status)
{
    if (launch->block.shared)
        memset(launch->block.shared, POISON, launch->kernel->shared_bytes);
    if (launch->shadow)
        polygpu_shadow_block(launch->shadow, &launch->block);
    if (launch->fibers ? !run_fibers(launch, status)
                       : !run_plain(launch, status))
        return false;
    return !launch->shadow || !polygpu_shadow_failed(launch->shadow);
}

static bool run_grid(struct launch *launch, struct polygpu_status *status)
{
    struct polygpu_thread *b = &launch->block;
    uint32_t x, y, z;

    for (z = 0; z < b->n_block[2]; ++z)
        for (y = 0; y < b->n_block[1]; ++y)
            for (x = 0; x < b->n_block[0]; ++x) {
                b->block[0] = x;
                b->block[1] = y;
                b->block[2] = z;
                if (!run_block(launch, status))
                    return false;
            }
    return true;
}

/* ---- Grids whose blocks are all there ------------------------------------ */

/* The blocks of such a grid, each with its own fibers and shared memory. */
struct together {
    unsigned n; /* that have fibers */
    struct {
        struct polygpu_fibers *fibers;
        struct polygpu_thread block;
    } blocks[TOGETHER];
};

static bool begin_together(struct together *t, struct launch *launch,
                           char *shared, struct polygpu_status *status)
{
    const struct polygpu_thread *b = &launch->block;
    size_t n = (size_t)b->n_thread[0] * b->n_thread[1] * b->n_thread[2];
    size_t step = shared_step(launch->kernel);

    for (t->n = 0; t->n < b->n_block[0]; ++t->n) {
        struct polygpu_thread *block = &t->blocks[t->n].block;

        t->blocks[t->n].fibers = polygpu_fibers_take(n, status);
        if (!t->blocks[t->n].fibers)
            return false;
        *block = *b;
        block->block[0] = t->n;
        if (shared) {
            block->shared = shared + t->n * step;
            memset(block->shared, POISON, step);
        }
        polygpu_fibers_begin(t->blocks[t->n].fibers, launch->kernel,
                             launch->args, block, launch->shadow);
    }
    return true;
}

/* Each block up to the next place where all meet, or the end. */
static enum polygpu_fibers_at go_together(struct together *t,
                                          struct launch *launch,
                                          struct polygpu_status *status)
{
    enum polygpu_fibers_at first = POLYGPU_FIBERS_FAILED, at;
    unsigned b;

    for (b = 0; b < t->n; ++b) {
        if (launch->shadow)
            polygpu_shadow_block(launch->shadow, &t->blocks[b].block);
        at = polygpu_fibers_go(t->blocks[b].fibers, launch->shadow, status);
        if (b == 0)
            first = at;
        if (at == POLYGPU_FIBERS_FAILED ||
            (launch->shadow && polygpu_shadow_failed(launch->shadow)))
            return POLYGPU_FIBERS_FAILED;
        if (at != first) {
            polygpu_fail(status, POLYGPU_CAUSE_LAUNCH,
                         "kernel %s: block %u waits for the others, and block "
                         "%u has ended",
                         launch->kernel->name,
                         first == POLYGPU_FIBERS_MEET ? 0 : b,
                         first == POLYGPU_FIBERS_MEET ? b : 0);
            return POLYGPU_FIBERS_FAILED;
        }
    }
    return first;
}

static bool run_together(struct launch *launch, char *shared,
                         struct polygpu_status *status)
{
    struct together t;
    enum polygpu_fibers_at at = POLYGPU_FIBERS_FAILED;
    unsigned b;

    if (begin_together(&t, launch, shared, status))
        while ((at = go_together(&t, launch, status)) == POLYGPU_FIBERS_MEET)
            if (launch->shadow)
                polygpu_shadow_met(launch->shadow);
    for (b = 0; b < t.n; ++b) {
        if (at == POLYGPU_FIBERS_FAILED)
            polygpu_fibers_abandon(t.blocks[b].fibers);
        polygpu_fibers_give(t.blocks[b].fibers);
    }
    return at == POLYGPU_FIBERS_ENDED;
}

static bool emulated_together(void *session, void *module,
                              const struct polygpu_scop *scop, uint32_t kernel,
                              uint32_t *blocks, uintptr_t *counter)
{
    static uint32_t word;

    (void)session;
    (void)module;
    (void)scop;
    (void)kernel;
    *blocks = TOGETHER;
    *counter = (uintptr_t)&word; /* not accessed */
    return true;
}

/* Have enough fibers for a block of "n" threads. */
static bool provide_fibers(struct emulated_session *s, size_t n,
                           struct polygpu_status *status)
{
    if (s->fibers && s->n_fibers >= n)
        return true;
    if (s->fibers)
        polygpu_fibers_give(s->fibers);
    s->fibers = polygpu_fibers_take(n, status);
    s->n_fibers = n;
    return s->fibers != NULL;
}

static bool emulated_launch(void *session, void *module,
                            const struct polygpu_scop *scop, uint32_t number,
                            const uint32_t grid[3], void **args,
                            struct polygpu_launch_stats *stats,
                            struct polygpu_status *status)
{
    const struct polygpu_kernel *kernel = &scop->kernels[number];
    const uint32_t *block = kernel->block;
    struct emulated_session *s = session;
    double n = (double)block[0] * block[1] * block[2];
    struct launch launch = {.kernel = kernel, .args = args};
    double begun = polygpu_now();
    bool all = (kernel->flags & POLYGPU_KERNEL_GRID) != 0;
    void *shared = NULL;
    bool ok;

    (void)module;
    if (n < 1 || n > (double)MAX_THREADS || block[2] > 64)
        return polygpu_fail(status, POLYGPU_CAUSE_LAUNCH,
                            "kernel %s: no device has blocks of %u x %u x %u "
                            "threads",
                            kernel->name, (unsigned)block[0],
                            (unsigned)block[1], (unsigned)block[2]);
    if (all && (grid[0] > TOGETHER || grid[1] > 1 || grid[2] > 1))
        return polygpu_fail(status, POLYGPU_CAUSE_LAUNCH,
                            "kernel %s: more blocks than are there at once",
                            kernel->name);
    if (!all && kernel->flags & POLYGPU_KERNEL_BARRIER) {
        if (!provide_fibers(s, (size_t)n, status))
            return false;
        launch.fibers = s->fibers;
    }
    launch.shadow = launch.plain.shadow = s->shadow;
    if (s->shadow &&
        !polygpu_shadow_launch(s->shadow, number, args,
                               stats && stats->count ? &stats->accesses : NULL,
                               status))
        return false;
    if (kernel->shared_bytes &&
        posix_memalign(&shared, SHARED_ALIGN,
                       shared_step(kernel) * (all ? TOGETHER : 1)))
        return polygpu_fail(status, POLYGPU_CAUSE_MEMORY,
                            "no host memory for the shared memory of kernel "
                            "%s",
                            kernel->name);
    launch.block.shared = shared;
    launch.block.calls = &kernel_calls;
    memcpy(launch.block.n_thread, block, sizeof launch.block.n_thread);
    memcpy(launch.block.n_block, grid, sizeof launch.block.n_block);
    ok =
        all ? run_together(&launch, shared, status) : run_grid(&launch, status);
    polygpu_async_free(&launch.plain.async);
    free(shared);
    if (s->shadow)
        polygpu_shadow_launched(s->shadow);
    if (stats)
        stats->ms += polygpu_now() - begun;
    return ok;
}

/* Launches finish before they return. */
static bool emulated_mark(void *session, uint32_t number,
                          struct polygpu_status *status)
{
    (void)session;
    (void)number;
    (void)status;
    return true;
}

/* What a run accessed that it should not have is told at its end. */
static bool emulated_synchronize(void *session, struct polygpu_status *status)
{
    struct emulated_session *s = session;

    return !s->shadow || polygpu_shadow_results(s->shadow, status);
}

const struct polygpu_device polygpu_emulated = {
    .name = "emulated",
    .open = emulated_open,
    .alive = emulated_alive,
    .load = emulated_load,
    .start = emulated_start,
    .stop = emulated_stop,
    .alloc = emulated_alloc,
    .free = emulated_free,
    .lend = emulated_lend,
    .announce = emulated_announce,
    .place = emulated_place,
    .holds = emulated_holds,
    .copy_in = emulated_copy_in,
    .copy_out = emulated_copy_out,
    .launch = emulated_launch,
    .together = emulated_together,
    .mark = emulated_mark,
    .reach = emulated_mark,
    .synchronize = emulated_synchronize,
};
