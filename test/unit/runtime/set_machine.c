/* set_machine.c - see set_machine.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "set_machine.h"

#include "support/device.h"
#include "support/device_model.h"
#include "support/gather.h"

double clock_ms;
struct speeds speeds;
const struct program *program;
int left;

static double busy_ms; /* kernels run until then */

static double model_kernel_ms(void)
{
    const struct polygpu_device_model *m = &polygpu_default_device_model;
    double per_thread = program->operations / program->threads;
    double bytes = (double)(program->in + program->out) * program->launches;
    double all = program->operations / (m->gpu * 1e6);
    double one = per_thread / (m->thread * 1e6), memory;

    if (bytes > 8 * program->operations)
        bytes = 8 * program->operations;
    memory = bytes / (m->memory * 1e6);
    all = all > one ? all : one;
    return all > memory ? all : memory;
}

double __wrap_polygpu_now(void);
double __wrap_polygpu_now(void)
{
    return clock_ms;
}

void __wrap_polygpu_scatter(const struct polygpu_segments *segments,
                            const struct polygpu_group *group, uintptr_t base,
                            size_t elem_size, const void *from);
void __wrap_polygpu_scatter(const struct polygpu_segments *segments,
                            const struct polygpu_group *group, uintptr_t base,
                            size_t elem_size, const void *from)
{
    (void)segments, (void)group, (void)base, (void)elem_size, (void)from;
}

static bool is_alive(struct polygpu_status *status)
{
    return status != NULL;
}

static bool load(const struct polygpu_scop *scop, void **module,
                 struct polygpu_status *status)
{
    *module = &speeds;
    return scop && status;
}

static bool start(const struct polygpu_scop *scop, void **session,
                  struct polygpu_status *status)
{
    *session = &speeds;
    return scop && status;
}

static void stop(void *session)
{
    (void)session;
}

static bool rest(void *session)
{
    return session != NULL;
}

static bool alloc(size_t size, uintptr_t *address,
                  struct polygpu_status *status)
{
    static uintptr_t next = 1 << 20;

    *address = next;
    next += (size + 4095) / 4096 * 4096;
    clock_ms += polygpu_default_device_model.array * 1e-3;
    return status != NULL;
}

static void free_memory(uintptr_t address)
{
    (void)address;
}

static void wait_for_kernels(void)
{
    clock_ms = busy_ms > clock_ms ? busy_ms : clock_ms;
}

static bool copy_in(void *session, uintptr_t to, const void *from, size_t size,
                    struct polygpu_status *status)
{
    (void)session, (void)to, (void)from;
    wait_for_kernels();
    clock_ms +=
        (double)size / (polygpu_default_device_model.in * 1e6) * speeds.copies;
    return status != NULL;
}

static bool copy_out(void *session, void *to, uintptr_t from, size_t size,
                     struct polygpu_status *status)
{
    (void)session, (void)to, (void)from;
    wait_for_kernels();
    clock_ms +=
        (double)size / (polygpu_default_device_model.out * 1e6) * speeds.copies;
    return status != NULL;
}

static bool launch(void *session, void *module, const struct polygpu_scop *scop,
                   uint32_t kernel, const uint32_t grid[3], void **args,
                   struct polygpu_launch_stats *stats,
                   struct polygpu_status *status)
{
    (void)session, (void)module, (void)scop, (void)kernel, (void)grid;
    (void)args, (void)stats;
    clock_ms += program->launches * polygpu_default_device_model.launch * 1e-3 *
                speeds.launch;
    busy_ms = (busy_ms > clock_ms ? busy_ms : clock_ms) +
              model_kernel_ms() * speeds.kernels;
    return status != NULL;
}

static bool leave(void *session, struct polygpu_status *status)
{
    ++left;
    return session && status;
}

static bool follow(void *session, void *before, struct polygpu_status *status)
{
    return session && before && status;
}

static bool synchronize(void *session, struct polygpu_status *status)
{
    (void)session;
    wait_for_kernels();
    clock_ms += polygpu_default_device_model.run * 1e-3 * speeds.launch;
    return status != NULL;
}

static struct polygpu_device machine = {
    .name = "a machine",
    .alive = is_alive,
    .load = load,
    .start = start,
    .stop = stop,
    .rest = rest,
    .alloc = alloc,
    .free = free_memory,
    .copy_in = copy_in,
    .copy_out = copy_out,
    .launch = launch,
    .synchronize = synchronize,
};

const struct polygpu_device *
__wrap_polygpu_device(const char *library, struct polygpu_status *status);
const struct polygpu_device *
__wrap_polygpu_device(const char *library, struct polygpu_status *status)
{
    (void)library, (void)status;
    return &machine;
}

bool __wrap_polygpu_device_tried(void);
bool __wrap_polygpu_device_tried(void)
{
    return true;
}

void set_waiting(bool all)
{
    machine.leave = all ? NULL : leave;
    machine.follow = all ? NULL : follow;
}

bool is_waiting(void)
{
    return !machine.leave;
}

void set_back(void)
{
    clock_ms = busy_ms = 0;
}
