/* fault.c - see fault.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "emulated/fault.h"

#include "support/log.h"

#include <stdio.h>
#include <string.h>

static const struct polygpu_device *inner;
static struct polygpu_fault fault;
static unsigned long operations[POLYGPU_N_OPERATIONS];
static long sessions, pieces; /* that are not given back yet */

/* Count an operation; true if this one is to fail. */
static bool hit(enum polygpu_operation operation, enum polygpu_cause cause,
                struct polygpu_status *status)
{
    unsigned long number =
        __atomic_add_fetch(&operations[operation], 1, __ATOMIC_RELAXED);

    if (fault.count || fault.operation != operation || number < fault.number ||
        (number > fault.number && !fault.on))
        return false;
    polygpu_fail(status, cause, "injected fault: %s number %lu failed",
                 polygpu_operation_names[operation], number);
    return true;
}

/* Add to a number of things that are to be given back; "ok" if it was done. */
static bool count(long *number, long change, bool ok)
{
    if (ok)
        __atomic_add_fetch(number, change, __ATOMIC_RELAXED);
    return ok;
}

static bool fault_open(struct polygpu_status *status)
{
    return !hit(POLYGPU_OPEN, POLYGPU_CAUSE_OPEN, status) &&
           inner->open(status);
}

static bool fault_alive(struct polygpu_status *status)
{
    return !hit(POLYGPU_ALIVE, POLYGPU_CAUSE_LOST, status) &&
           inner->alive(status);
}

static bool fault_load(const struct polygpu_scop *scop, void **module,
                       struct polygpu_status *status)
{
    return !hit(POLYGPU_LOAD, POLYGPU_CAUSE_MEMORY, status) &&
           inner->load(scop, module, status);
}

static bool fault_start(const struct polygpu_scop *scop, void **session,
                        struct polygpu_status *status)
{
    return !hit(POLYGPU_START, POLYGPU_CAUSE_MEMORY, status) &&
           count(&sessions, 1, inner->start(scop, session, status));
}

static void fault_stop(void *session)
{
    count(&sessions, -1, true);
    inner->stop(session);
}

static bool fault_announce(void *session, uint32_t array, uint32_t dir,
                           const struct polygpu_segment *segment,
                           struct polygpu_status *status)
{
    return !hit(POLYGPU_ANNOUNCE, POLYGPU_CAUSE_MEMORY, status) &&
           (!inner->announce ||
            inner->announce(session, array, dir, segment, status));
}

static bool fault_alloc(size_t size, uintptr_t *address,
                        struct polygpu_status *status)
{
    return !hit(POLYGPU_ALLOC, POLYGPU_CAUSE_MEMORY, status) &&
           count(&pieces, 1, inner->alloc(size, address, status));
}

static void fault_free(uintptr_t address)
{
    count(&pieces, -1, true);
    inner->free(address);
}

static bool fault_place(void *session, uint32_t array, int64_t first,
                        size_t size, uintptr_t address,
                        struct polygpu_status *status)
{
    return !hit(POLYGPU_PLACE, POLYGPU_CAUSE_MEMORY, status) &&
           (!inner->place ||
            inner->place(session, array, first, size, address, status));
}

static bool fault_copy_in(void *session, uintptr_t to, const void *from,
                          size_t size, struct polygpu_status *status)
{
    return !hit(POLYGPU_COPY_IN, POLYGPU_CAUSE_UPLOAD, status) &&
           inner->copy_in(session, to, from, size, status);
}

static bool fault_send(void *session, uintptr_t to, const void *from,
                       size_t size, struct polygpu_status *status)
{
    return !hit(POLYGPU_COPY_IN, POLYGPU_CAUSE_UPLOAD, status) &&
           inner->send(session, to, from, size, status);
}

static bool fault_copy_out(void *session, void *to, uintptr_t from, size_t size,
                           struct polygpu_status *status)
{
    return !hit(POLYGPU_COPY_OUT, POLYGPU_CAUSE_DOWNLOAD, status) &&
           inner->copy_out(session, to, from, size, status);
}

static bool fault_launch(void *session, void *module,
                         const struct polygpu_scop *scop, uint32_t kernel,
                         const uint32_t grid[3], void **args,
                         struct polygpu_launch_stats *stats,
                         struct polygpu_status *status)
{
    return !hit(POLYGPU_LAUNCH, POLYGPU_CAUSE_LAUNCH, status) &&
           inner->launch(session, module, scop, kernel, grid, args, stats,
                         status);
}

static bool fault_mark(void *session, uint32_t number,
                       struct polygpu_status *status)
{
    return !hit(POLYGPU_MARK, POLYGPU_CAUSE_MEMORY, status) &&
           inner->mark(session, number, status);
}

static bool fault_reach(void *session, uint32_t number,
                        struct polygpu_status *status)
{
    return !hit(POLYGPU_REACH, POLYGPU_CAUSE_SYNCHRONIZE, status) &&
           inner->reach(session, number, status);
}

static bool fault_follow(void *session, void *before,
                         struct polygpu_status *status)
{
    return !hit(POLYGPU_FOLLOW, POLYGPU_CAUSE_LAUNCH, status) &&
           inner->follow(session, before, status);
}

static bool fault_leave(void *session, struct polygpu_status *status)
{
    return !hit(POLYGPU_LEAVE, POLYGPU_CAUSE_LAUNCH, status) &&
           inner->leave(session, status);
}

static bool graph_fails(struct polygpu_status *status)
{
    return hit(POLYGPU_GRAPH, POLYGPU_CAUSE_LAUNCH, status);
}

static bool fault_synchronize(void *session, struct polygpu_status *status)
{
    return !hit(POLYGPU_SYNCHRONIZE, POLYGPU_CAUSE_SYNCHRONIZE, status) &&
           inner->synchronize(session, status);
}

static void print_counts(void)
{
    char text[512] = "";
    size_t used = 0;
    int i;

    for (i = 0; i < POLYGPU_N_OPERATIONS; ++i) {
        snprintf(text + used, sizeof text - used, " %s=%lu",
                 polygpu_operation_names[i], operations[i]);
        used += strlen(text + used);
    }
    polygpu_message("operations%s", text);
}

static void fault_close(void)
{
    if (fault.count)
        print_counts();
    if (sessions || pieces)
        polygpu_message("not given back: %ld sessions, %ld pieces of memory",
                        sessions, pieces);
    if (inner->close)
        inner->close();
}

static struct polygpu_device table = {
    .open = fault_open,
    .alive = fault_alive,
    .load = fault_load,
    .start = fault_start,
    .stop = fault_stop,
    .alloc = fault_alloc,
    .free = fault_free,
    .announce = fault_announce,
    .place = fault_place,
    .copy_in = fault_copy_in,
    .copy_out = fault_copy_out,
    .launch = fault_launch,
    .synchronize = fault_synchronize,
    .close = fault_close,
};

const struct polygpu_device *
polygpu_with_faults(const struct polygpu_device *device,
                    const struct polygpu_fault *which)
{
    inner = device;
    fault = *which;
    memset(operations, 0, sizeof operations);
    sessions = pieces = 0;
    table.name = device->name;
    table.arch = device->arch;
    table.peak = device->peak;
    table.repeats = device->repeats;
    table.shares = device->shares;
    table.generation = device->generation;
    table.lend = device->lend;
    table.rest = device->rest;
    table.holds = device->holds;
    table.together = device->together;
    table.send = device->send ? fault_send : NULL;
    table.mark = device->mark ? fault_mark : NULL;
    table.reach = device->reach ? fault_reach : NULL;
    table.leave = device->leave ? fault_leave : NULL;
    table.follow = device->follow ? fault_follow : NULL;
    if (device->inject)
        device->inject(graph_fails);
    return &table;
}
