/* fake_cuda.c - a FAKE libcuda.so.1, to test cuda.c where there is no GPU.
 *
 * Device memory is host memory, a kernel is the function of its name in the
 * program and runs at once, without barriers.  FAKE_CUDA makes a function fail:
 * init, none (no device), retain, jit, function, shared (a block has 48 KiB of
 * it at most), alloc, sticky (the first launch leaves the context unusable). It
 * checks what the real driver relies on: that the context is current where it
 * must be.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda_driver.h"

#include "polygpu/abi.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cu_context_object {
    int unused;
};
struct cu_stream_object {
    int unused;
};
struct cu_event_object {
    int recorded;
};
struct cu_module_object {
    char text[16];
};

enum {
    SHARED_UNASKED = 48 * 1024, /* without cuFuncSetAttribute */
    SHARED_MOST = 99 * 1024
};

static struct cu_context_object the_context;
static _Thread_local int depth;
static int live; /* objects made and not yet freed, modules apart */
static int broken;
static char loaded[16];

/* Functions for which cuFuncSetAttribute was called. */
static struct {
    cu_function function;
    unsigned shared_bytes;
} asked[16];
static unsigned n_asked, launched_shared;
static pthread_mutex_t asked_lock = PTHREAD_MUTEX_INITIALIZER;

/* For test_cuda.c. */
int fake_cuda_live(void);
int fake_cuda_depth(void);
const char *fake_cuda_loaded(void);
int fake_cuda_shared(void);

int fake_cuda_live(void)
{
    return __atomic_load_n(&live, __ATOMIC_SEQ_CST);
}

int fake_cuda_depth(void)
{
    return depth;
}

const char *fake_cuda_loaded(void)
{
    return loaded;
}

/* Bytes that the last launch asked for. */
int fake_cuda_shared(void)
{
    return (int)__atomic_load_n(&launched_shared, __ATOMIC_SEQ_CST);
}

static int told(const char *what)
{
    const char *value = getenv("FAKE_CUDA");

    return value && !strcmp(value, what);
}

static cu_result usable(void)
{
    if (__atomic_load_n(&broken, __ATOMIC_SEQ_CST))
        return CU_ILLEGAL_ADDRESS;
    return depth > 0 ? CU_OK : CU_INVALID_CONTEXT;
}

static cu_result make(void **object, size_t size)
{
    cu_result result = usable();

    if (result != CU_OK)
        return result;
    *object = malloc(size);
    if (!*object)
        return CU_OUT_OF_MEMORY;
    memset(*object, 0x5a, size);
    __atomic_add_fetch(&live, 1, __ATOMIC_SEQ_CST);
    return CU_OK;
}

static cu_result destroy(void *object)
{
    free(object);
    __atomic_sub_fetch(&live, 1, __ATOMIC_SEQ_CST);
    return usable();
}

#define FAKE __attribute__((visibility("default"))) cu_result
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

FAKE cuInit(unsigned flags)
{
    (void)flags;
    return told("init") ? CU_UNKNOWN : CU_OK;
}

FAKE cuGetErrorString(cu_result error, const char **text)
{
    *text = error == CU_OUT_OF_MEMORY ? "out of memory" : "some fake error";
    return CU_OK;
}

FAKE cuDeviceGetCount(int *count)
{
    *count = told("none") ? 0 : 1;
    return CU_OK;
}

FAKE cuDeviceGet(cu_device *device, int ordinal)
{
    *device = 42;
    return ordinal == 0 ? CU_OK : CU_UNKNOWN;
}

FAKE cuDeviceGetAttribute(int *value, int attribute, cu_device device)
{
    *value = attribute == CU_CAPABILITY_MAJOR ? 8 : 6;
    return device == 42 ? CU_OK : CU_UNKNOWN;
}

FAKE cuDevicePrimaryCtxRetain(cu_context *context, cu_device device)
{
    *context = &the_context;
    return device == 42 && !told("retain") ? CU_OK : CU_OUT_OF_MEMORY;
}

FAKE cuCtxPushCurrent_v2(cu_context context)
{
    ++depth;
    return context == &the_context ? CU_OK : CU_INVALID_CONTEXT;
}

FAKE cuCtxPopCurrent_v2(cu_context *context)
{
    *context = &the_context;
    return depth-- > 0 ? CU_OK : CU_INVALID_CONTEXT;
}

FAKE cuModuleLoadDataEx(cu_module *module, const void *image, unsigned n,
                        int *options, void **values)
{
    if (told("jit") || (told("cubin") && !memcmp(image, "cubin", 5))) {
        if (n == 2 && options[0] == CU_JIT_ERROR_LOG &&
            options[1] == CU_JIT_ERROR_LOG_SIZE)
            snprintf(values[0], (size_t)(uintptr_t)values[1],
                     "ptxas fatal: fake log line\nsecond line\n");
        return 218;
    }
    *module = calloc(1, sizeof **module);
    snprintf(loaded, sizeof loaded, "%s", (const char *)image);
    return usable();
}

FAKE cuModuleUnload(cu_module module)
{
    free(module);
    return usable();
}

FAKE cuModuleGetFunction(cu_function *function, cu_module module,
                         const char *name)
{
    void *found = dlsym(RTLD_DEFAULT, name);

    (void)module;
    *function = found;
    /* the block size comes with the launch, so that this is all */
    return found && !told("function") ? usable() : 500;
}

FAKE cuFuncSetAttribute(cu_function function, int attribute, int value)
{
    cu_result result = usable();
    unsigned i;

    if (attribute != CU_FUNCTION_DYNAMIC_SHARED || value < 0 ||
        value > (told("shared") ? SHARED_UNASKED : SHARED_MOST))
        return 1;
    pthread_mutex_lock(&asked_lock);
    for (i = 0; i < n_asked && asked[i].function != function; ++i)
        ;
    if (i < sizeof asked / sizeof *asked) {
        n_asked += i == n_asked;
        asked[i].function = function;
        asked[i].shared_bytes = (unsigned)value;
    } else {
        result = CU_OUT_OF_MEMORY;
    }
    pthread_mutex_unlock(&asked_lock);
    return result;
}

/* Bytes of shared memory that a launch may ask for. */
static unsigned allowed(cu_function function)
{
    unsigned bytes = SHARED_UNASKED, i;

    pthread_mutex_lock(&asked_lock);
    for (i = 0; i < n_asked; ++i)
        if (asked[i].function == function)
            bytes = asked[i].shared_bytes;
    pthread_mutex_unlock(&asked_lock);
    return bytes;
}

FAKE cuMemAlloc_v2(cu_address *address, size_t size)
{
    void *memory;
    cu_result result = told("alloc") ? CU_OUT_OF_MEMORY : make(&memory, size);

    if (result == CU_OK)
        *address = (cu_address)memory;
    return result;
}

FAKE cuMemFree_v2(cu_address address)
{
    return destroy((void *)address);
}

FAKE cuMemcpyHtoDAsync_v2(cu_address to, const void *from, size_t size,
                          cu_stream stream)
{
    if (usable() == CU_OK && stream)
        memcpy((void *)to, from, size);
    return usable();
}

FAKE cuMemcpyDtoHAsync_v2(void *to, cu_address from, size_t size,
                          cu_stream stream)
{
    if (usable() == CU_OK && stream)
        memcpy(to, (const void *)from, size);
    return usable();
}

FAKE cuStreamCreate(cu_stream *stream, unsigned flags)
{
    (void)flags;
    return make((void **)stream, sizeof **stream);
}

FAKE cuStreamSynchronize(cu_stream stream)
{
    (void)stream;
    return usable();
}

FAKE cuStreamDestroy_v2(cu_stream stream)
{
    return destroy(stream);
}

FAKE cuEventCreate(cu_event *event, unsigned flags)
{
    (void)flags;
    return make((void **)event, sizeof **event);
}

FAKE cuEventRecord(cu_event event, cu_stream stream)
{
    (void)stream;
    event->recorded = 1;
    return usable();
}

FAKE cuEventSynchronize(cu_event event)
{
    return event->recorded == 1 ? usable() : CU_UNKNOWN;
}

FAKE cuEventElapsedTime(float *ms, cu_event from, cu_event to)
{
    *ms = 0.25f;
    return from->recorded == 1 && to->recorded == 1 ? usable() : CU_UNKNOWN;
}

FAKE cuEventDestroy_v2(cu_event event)
{
    return destroy(event);
}

FAKE cuLaunchKernel(cu_function function, unsigned grid_x, unsigned grid_y,
                    unsigned grid_z, unsigned block_x, unsigned block_y,
                    unsigned block_z, unsigned shared_bytes, cu_stream stream,
                    void **args, void **extra)
{
    polygpu_emulated_fn kernel;
    struct polygpu_thread self = {.n_thread = {block_x, block_y, block_z},
                                  .n_block = {grid_x, grid_y, grid_z}};

    if (usable() != CU_OK || !stream || extra ||
        shared_bytes > allowed(function) ||
        grid_y * grid_z * block_y * block_z != 1)
        return usable() != CU_OK ? usable() : 1;
    if (told("sticky")) {
        __atomic_store_n(&broken, 1, __ATOMIC_SEQ_CST);
        return CU_OK; /* real ones tell later as well */
    }
    __atomic_store_n(&launched_shared, shared_bytes, __ATOMIC_SEQ_CST);
    if (shared_bytes && !(self.shared = malloc(shared_bytes)))
        return CU_OUT_OF_MEMORY;
    memcpy(&kernel, &function, sizeof kernel);
    for (self.block[0] = 0; self.block[0] < grid_x; ++self.block[0])
        for (self.thread[0] = 0; self.thread[0] < block_x; ++self.thread[0])
            kernel((void *const *)args, &self);
    free(self.shared);
    return CU_OK;
}
