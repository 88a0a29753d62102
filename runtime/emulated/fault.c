/* fault.c - see fault.h.  All other operations reach the wrapped device.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "emulated/fault.h"

static const struct polygpu_device *inner;
static enum polygpu_fault fault;
static unsigned long fault_at, operations;

/* Count an operation of the kind; true if this one is to fail. */
static bool hit(enum polygpu_fault kind, enum polygpu_cause cause,
                const char *name, struct polygpu_status *status)
{
    if (fault != kind ||
        __atomic_add_fetch(&operations, 1, __ATOMIC_RELAXED) != fault_at)
        return false;
    polygpu_fail(status, cause, "injected fault: %s number %lu failed", name,
                 fault_at);
    return true;
}

static bool fault_open(struct polygpu_status *status)
{
    return !hit(POLYGPU_FAULT_OPEN, POLYGPU_CAUSE_OPEN, "open", status) &&
           inner->open(status);
}

static bool fault_alive(struct polygpu_status *status)
{
    return inner->alive(status);
}

static bool fault_load(const struct polygpu_scop *scop, void **module,
                       struct polygpu_status *status)
{
    return !hit(POLYGPU_FAULT_LOAD, POLYGPU_CAUSE_LOAD, "load", status) &&
           inner->load(scop, module, status);
}

static bool fault_start(const struct polygpu_scop *scop, void **session,
                        struct polygpu_status *status)
{
    return inner->start(scop, session, status);
}

static void fault_stop(void *session)
{
    inner->stop(session);
}

static bool fault_announce(void *session, uint32_t array, uint32_t dir,
                           const struct polygpu_segment *segment,
                           struct polygpu_status *status)
{
    return !inner->announce ||
           inner->announce(session, array, dir, segment, status);
}

static bool fault_alloc(void *session, uint32_t array, int64_t first,
                        size_t size, uintptr_t *address,
                        struct polygpu_status *status)
{
    return !hit(POLYGPU_FAULT_ALLOC, POLYGPU_CAUSE_MEMORY, "alloc", status) &&
           inner->alloc(session, array, first, size, address, status);
}

static void fault_free(void *session, uintptr_t address)
{
    inner->free(session, address);
}

static bool fault_copy_in(void *session, uintptr_t to, const void *from,
                          size_t size, struct polygpu_status *status)
{
    return !hit(POLYGPU_FAULT_IN, POLYGPU_CAUSE_UPLOAD, "in", status) &&
           inner->copy_in(session, to, from, size, status);
}

static bool fault_copy_out(void *session, void *to, uintptr_t from, size_t size,
                           struct polygpu_status *status)
{
    return !hit(POLYGPU_FAULT_OUT, POLYGPU_CAUSE_DOWNLOAD, "out", status) &&
           inner->copy_out(session, to, from, size, status);
}

static bool fault_launch(void *session, void *module,
                         const struct polygpu_scop *scop, uint32_t kernel,
                         const uint32_t grid[3], void **args,
                         struct polygpu_launch_stats *stats,
                         struct polygpu_status *status)
{
    return !hit(POLYGPU_FAULT_LAUNCH, POLYGPU_CAUSE_LAUNCH, "launch", status) &&
           inner->launch(session, module, scop, kernel, grid, args, stats,
                         status);
}

static bool fault_synchronize(void *session, struct polygpu_status *status)
{
    return !hit(POLYGPU_FAULT_SYNC, POLYGPU_CAUSE_SYNCHRONIZE, "sync",
                status) &&
           inner->synchronize(session, status);
}

static struct polygpu_device table = {
    .open = fault_open,
    .alive = fault_alive,
    .load = fault_load,
    .start = fault_start,
    .stop = fault_stop,
    .announce = fault_announce,
    .alloc = fault_alloc,
    .free = fault_free,
    .copy_in = fault_copy_in,
    .copy_out = fault_copy_out,
    .launch = fault_launch,
    .synchronize = fault_synchronize,
};

const struct polygpu_device *
polygpu_with_faults(const struct polygpu_device *device,
                    enum polygpu_fault kind, unsigned long number)
{
    inner = device;
    fault = kind;
    fault_at = number;
    table.name = device->name;
    table.generation = device->generation;
    return &table;
}
