/* emulated.c - a device of our own: its memory is separate, its threads run
 * one after another on the calling thread.
 *
 * Memory that nothing was copied to or written holds 0xA5 bytes, so that what
 * was forgotten shows.  Kernels with barriers run as fibers (fibers.h); those
 * without need none: each thread is a plain call.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "device.h"
#include "fibers.h"

#include <stdlib.h>
#include <string.h>

enum { POISON = 0xA5, SHARED_ALIGN = 128, MAX_THREADS = 1024 };

struct emulated_session {
    struct polygpu_fibers *fibers; /* NULL until a kernel has barriers */
    size_t n_fibers;
};

struct launch {
    const struct polygpu_kernel *kernel;
    void *const *args;
    struct polygpu_fibers *fibers;
    struct polygpu_thread block;
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

/* There is nothing to load: the kernels are part of the program, or not. */
static bool emulated_load(const struct polygpu_scop *scop, void **module,
                          struct polygpu_status *status)
{
    uint32_t k;

    *module = NULL;
    for (k = 0; k < scop->n_kernels; ++k)
        if (!scop->kernels[k].emulated)
            return polygpu_fail(status, POLYGPU_CAUSE_NO_IMAGE,
                                "kernel %s was not compiled for the emulated "
                                "device",
                                scop->kernels[k].name);
    return true;
}

static bool emulated_start(void **session, struct polygpu_status *status)
{
    *session = calloc(1, sizeof(struct emulated_session));
    return *session || polygpu_fail(status, POLYGPU_CAUSE_MEMORY,
                                    "no host memory for the run");
}

static void emulated_stop(void *session)
{
    struct emulated_session *s = session;

    if (s->fibers)
        polygpu_fibers_give(s->fibers);
    free(s);
}

static bool emulated_alloc(void *session, size_t size, uintptr_t *address,
                           struct polygpu_status *status)
{
    void *memory = malloc(size);

    (void)session;
    if (!memory)
        return polygpu_fail(status, POLYGPU_CAUSE_MEMORY,
                            "no memory for %zu bytes on the emulated device",
                            size);
    memset(memory, POISON, size);
    *address = (uintptr_t)memory;
    return true;
}

static void emulated_free(void *session, uintptr_t address)
{
    (void)session;
    free((void *)address);
}

static bool emulated_copy_in(void *session, uintptr_t to, const void *from,
                             size_t size, struct polygpu_status *status)
{
    (void)session;
    (void)status;
    memcpy((void *)to, from, size);
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

/* Run the threads of a block of a kernel without barriers. */
static bool run_plain(struct launch *launch, struct polygpu_status *status)
{
    const uint32_t *n = launch->block.n_thread;
    struct polygpu_emulated_self plain = {NULL, false};
    struct polygpu_thread self;
    uint32_t x, y, z;

    for (z = 0; z < n[2]; ++z)
        for (y = 0; y < n[1]; ++y)
            for (x = 0; x < n[0]; ++x) {
                self = launch->block;
                self.thread[0] = x;
                self.thread[1] = y;
                self.thread[2] = z;
                self.device = &plain;
                launch->kernel->emulated(launch->args, &self);
            }
    return !plain.met_barrier ||
           polygpu_fail(status, POLYGPU_CAUSE_LAUNCH,
                        "kernel %s: barrier in a kernel that is not marked to "
                        "have any",
                        launch->kernel->name);
}

static bool run_block(struct launch *launch, struct polygpu_status *status)
{
    if (launch->block.shared)
        memset(launch->block.shared, POISON, launch->kernel->shared_bytes);
    if (launch->fibers)
        return polygpu_fibers_run(launch->fibers, launch->kernel, launch->args,
                                  &launch->block, status);
    return run_plain(launch, status);
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
                            const uint32_t grid[3], void **args, double *ms,
                            struct polygpu_status *status)
{
    const struct polygpu_kernel *kernel = &scop->kernels[number];
    const uint32_t *block = kernel->block;
    double n = (double)block[0] * block[1] * block[2];
    struct launch launch = {.kernel = kernel, .args = args};
    double begun = polygpu_now();
    void *shared = NULL;
    bool ok;

    (void)module;
    if (n < 1 || n > (double)MAX_THREADS || block[2] > 64)
        return polygpu_fail(status, POLYGPU_CAUSE_LAUNCH,
                            "kernel %s: no device has blocks of %u x %u x %u "
                            "threads",
                            kernel->name, (unsigned)block[0],
                            (unsigned)block[1], (unsigned)block[2]);
    if (kernel->flags & POLYGPU_KERNEL_BARRIER) {
        if (!provide_fibers(session, (size_t)n, status))
            return false;
        launch.fibers = ((struct emulated_session *)session)->fibers;
    }
    if (kernel->shared_bytes &&
        posix_memalign(&shared, SHARED_ALIGN, kernel->shared_bytes))
        return polygpu_fail(status, POLYGPU_CAUSE_MEMORY,
                            "no host memory for the shared memory of kernel "
                            "%s",
                            kernel->name);
    launch.block.shared = shared;
    memcpy(launch.block.n_thread, block, sizeof launch.block.n_thread);
    memcpy(launch.block.n_block, grid, sizeof launch.block.n_block);
    ok = run_grid(&launch, status);
    free(shared);
    if (ms)
        *ms += polygpu_now() - begun;
    return ok;
}

/* Launches finish before they return. */
static bool emulated_synchronize(void *session, struct polygpu_status *status)
{
    (void)session;
    (void)status;
    return true;
}

/* A thread that is no fiber cannot wait; its launch will fail. */
void polygpu_emulated_barrier(struct polygpu_thread *self)
{
    struct polygpu_emulated_self *known = self->device;

    if (known->fiber)
        polygpu_fiber_wait(known->fiber);
    else
        known->met_barrier = true;
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
    .copy_in = emulated_copy_in,
    .copy_out = emulated_copy_out,
    .launch = emulated_launch,
    .synchronize = emulated_synchronize,
};
