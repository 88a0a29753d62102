/* fake_cuda.c - a FAKE libcuda.so.1, to test peak.c where there is no GPU.
 *
 * Nothing is computed.  Operations take a time of their own by a clock that
 * they advance: the first of each three as long as they should, the others half
 * as long again and twice as long.  Copies move 1e9 bytes in a millisecond, the
 * driver's twice as many, and fused multiply-adds take 10 ms in float, 20 in
 * double.  Calls are written to the file FAKE_LOG, a line each.
 *
 * What the real driver relies on is checked: a context, arrays that are large
 * enough for the kernels, and that time is measured on a stream that was idle.
 * FAKE_CUDA makes something fail: init, none (no device), load, alloc (what is
 * larger than 1 GB), launch.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda/cuda_driver.h"

#include "fakes.h"
#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cu_event_object {
    double at;
    int idle;
};

/* A function is its name. */
struct cu_function_object {
    char name[32];
};

enum { ARRAYS = 16 };

/* Number n is at (n + 1) << 40. */
static struct {
    cu_address at;
    size_t size;
} arrays[ARRAYS];
static int current, idle = 1;
static unsigned operations;
static double now;

static int told(const char *what)
{
    const char *value = getenv("FAKE_CUDA");

    return value && !strcmp(value, what);
}

void fake_log(const char *line)
{
    const char *path = getenv("FAKE_LOG");
    FILE *file = path ? fopen(path, "a") : NULL;

    if (!file)
        return;
    fprintf(file, "%s\n", line);
    fclose(file);
}

void fake_advance(double ms)
{
    now += ms * (1 + 0.5 * (operations++ % 3));
    idle = 0;
}

size_t fake_room(cu_address at)
{
    for (int i = 0; i < ARRAYS; i++)
        if (arrays[i].at == at && at)
            return arrays[i].size;
    return 0;
}

static cu_result usable(void)
{
    return current ? CU_OK : CU_INVALID_CONTEXT;
}

FAKE(cu_result) cuInit(unsigned flags)
{
    (void)flags;
    return told("init") ? CU_UNKNOWN : CU_OK;
}

FAKE(cu_result) cuGetErrorString(cu_result error, const char **text)
{
    *text = error == CU_OUT_OF_MEMORY ? "out of memory" : "some fake error";
    return CU_OK;
}

FAKE(cu_result) cuDriverGetVersion(int *version)
{
    *version = 12040;
    return CU_OK;
}

FAKE(cu_result) cuDeviceGetCount(int *count)
{
    *count = told("none") ? 0 : 1;
    return CU_OK;
}

FAKE(cu_result) cuDeviceGet(cu_device *device, int ordinal)
{
    *device = 42;
    return ordinal == 0 ? CU_OK : CU_UNKNOWN;
}

FAKE(cu_result) cuDeviceGetName(char *name, int size, cu_device device)
{
    snprintf(name, (size_t)size, "a fake device");
    return device == 42 ? CU_OK : CU_UNKNOWN;
}

FAKE(cu_result)
cuDeviceGetAttribute(int *value, int attribute, cu_device device)
{
    *value = attribute == CU_CAPABILITY_MAJOR   ? 9
             : attribute == CU_CAPABILITY_MINOR ? 0
             : attribute == 16                  ? 10
                                                : 1 << 20;
    return device == 42 ? CU_OK : CU_UNKNOWN;
}

FAKE(cu_result) cuDevicePrimaryCtxRetain(cu_context *context, cu_device device)
{
    *context = (cu_context)&current;
    return device == 42 ? CU_OK : CU_UNKNOWN;
}

FAKE(cu_result) cuCtxSetCurrent(cu_context context)
{
    current = context == (cu_context)&current;
    return usable();
}

FAKE(cu_result)
cuModuleLoadDataEx(cu_module *module, const void *image, unsigned n_options,
                   int *options, void **values)
{
    (void)n_options;
    (void)options;
    (void)values;
    *module = (cu_module)image;
    return told("load") || !strstr(image, ".version") ? CU_UNKNOWN : usable();
}

FAKE(cu_result)
cuModuleGetFunction(cu_function *function, cu_module module, const char *name)
{
    static struct cu_function_object functions[8];
    static unsigned count;

    (void)module;
    *function = &functions[count++];
    snprintf((*function)->name, sizeof(*function)->name, "%s", name);
    return usable();
}

FAKE(cu_result) cuMemAlloc_v2(cu_address *address, size_t size)
{
    if (told("alloc") && size > 1000000000)
        return CU_OUT_OF_MEMORY;
    for (int i = 0; i < ARRAYS; i++)
        if (!arrays[i].at) {
            arrays[i].at = *address = (cu_address)(i + 1) << 40;
            arrays[i].size = size;
            return usable();
        }
    return CU_OUT_OF_MEMORY;
}

FAKE(cu_result) cuMemFree_v2(cu_address address)
{
    for (int i = 0; i < ARRAYS; i++)
        if (arrays[i].at == address) {
            arrays[i].at = 0;
            return usable();
        }
    return CU_UNKNOWN;
}

FAKE(cu_result)
cuMemcpyDtoDAsync_v2(cu_address to, cu_address from, size_t size,
                     cu_stream stream)
{
    (void)stream;
    if (fake_room(to) < size || fake_room(from) < size)
        return CU_ILLEGAL_ADDRESS;
    fake_advance(2.0 * (double)size / 2e9);
    return usable();
}

FAKE(cu_result)
cuMemsetD8Async(cu_address to, unsigned char value, size_t size,
                cu_stream stream)
{
    char line[64];

    (void)value;
    (void)stream;
    snprintf(line, sizeof line, "set %zu", size);
    fake_log(line);
    now += 5;
    idle = 0;
    return fake_room(to) < size ? CU_ILLEGAL_ADDRESS : usable();
}

FAKE(cu_result) cuStreamCreate(cu_stream *stream, unsigned flags)
{
    (void)flags;
    *stream = (cu_stream)&idle;
    return usable();
}

FAKE(cu_result) cuStreamSynchronize(cu_stream stream)
{
    idle = 1;
    return stream ? usable() : CU_UNKNOWN;
}

FAKE(cu_result) cuEventCreate(cu_event *event, unsigned flags)
{
    (void)flags;
    *event = calloc(1, sizeof **event);
    return *event ? usable() : CU_OUT_OF_MEMORY;
}

FAKE(cu_result) cuEventRecord(cu_event event, cu_stream stream)
{
    event->at = now;
    event->idle = idle;
    return stream ? usable() : CU_UNKNOWN;
}

FAKE(cu_result) cuEventSynchronize(cu_event event)
{
    (void)event;
    return usable();
}

FAKE(cu_result) cuEventElapsedTime(float *ms, cu_event from, cu_event to)
{
    *ms = (float)(to->at - from->at);
    return from->idle && !to->idle ? usable() : CU_UNKNOWN;
}

/* Bytes of device memory that a kernel touches in its first argument; all
 * kernels have as many threads as that takes. */
static int fits(const char *name, unsigned blocks, void **args)
{
    size_t first = fake_room(*(cu_address *)args[0]), wanted, each;
    uint64_t count;

    each = strstr(name, "double") ? sizeof(double) : sizeof(float);
    if (!strncmp(name, "peak_fma", 8))
        return first == (size_t)blocks * THREADS * each;
    if (!strncmp(name, "peak_fill", 9)) {
        memcpy(&count, args[1], sizeof count);
        return first == count * each && (size_t)blocks * THREADS >= count &&
               (size_t)(blocks - 1) * THREADS < count;
    }
    memcpy(&count, args[2], sizeof count);
    wanted = count * 16;
    return first >= wanted && fake_room(*(cu_address *)args[1]) >= wanted &&
           (size_t)blocks * THREADS * COPIES >= count &&
           (size_t)(blocks - 1) * THREADS * COPIES < count;
}

static double duration(const char *name, void **args)
{
    uint64_t count;

    if (!strcmp(name, "peak_fma_float"))
        return 10;
    if (!strcmp(name, "peak_fma_double"))
        return 20;
    if (strcmp(name, "peak_copy"))
        return 1;
    memcpy(&count, args[2], sizeof count);
    return 32.0 * (double)count / 1e9;
}

FAKE(cu_result)
cuLaunchKernel(cu_function function, unsigned grid_x, unsigned grid_y,
               unsigned grid_z, unsigned block_x, unsigned block_y,
               unsigned block_z, unsigned shared_bytes, cu_stream stream,
               void **args, void **extra)
{
    char line[96];

    snprintf(line, sizeof line, "launch %s %u", function->name, grid_x);
    fake_log(line);
    if (told("launch") || !stream || extra || shared_bytes || grid_y != 1 ||
        grid_z != 1 || block_x != THREADS || block_y != 1 || block_z != 1)
        return CU_LAUNCH_FAILED;
    if (!fits(function->name, grid_x, args))
        return CU_ILLEGAL_ADDRESS;
    fake_advance(duration(function->name, args));
    return usable();
}
