/* cuda_driver.c - find the driver's functions in libcuda.so.1.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda/cuda_driver.h"

#include "support/status.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static struct polygpu_cuda_driver driver;
static struct polygpu_status lookup_status;
static pthread_once_t lookup_once = PTHREAD_ONCE_INIT;

#define ENTRY(field, name) {offsetof(struct polygpu_cuda_driver, field), name}

static const struct {
    size_t offset;
    const char *name;
} entries[] = {
    ENTRY(init, "cuInit"),
    ENTRY(error_string, "cuGetErrorString"),
    ENTRY(device_count, "cuDeviceGetCount"),
    ENTRY(device_get, "cuDeviceGet"),
    ENTRY(device_attribute, "cuDeviceGetAttribute"),
    ENTRY(context_retain, "cuDevicePrimaryCtxRetain"),
    ENTRY(context_push, "cuCtxPushCurrent_v2"),
    ENTRY(context_pop, "cuCtxPopCurrent_v2"),
    ENTRY(module_load, "cuModuleLoadDataEx"),
    ENTRY(module_unload, "cuModuleUnload"),
    ENTRY(module_function, "cuModuleGetFunction"),
    ENTRY(function_set, "cuFuncSetAttribute"),
    ENTRY(mem_alloc, "cuMemAlloc_v2"),
    ENTRY(mem_free, "cuMemFree_v2"),
    ENTRY(copy_in, "cuMemcpyHtoDAsync_v2"),
    ENTRY(copy_out, "cuMemcpyDtoHAsync_v2"),
    ENTRY(stream_create, "cuStreamCreate"),
    ENTRY(stream_synchronize, "cuStreamSynchronize"),
    ENTRY(stream_destroy, "cuStreamDestroy_v2"),
    ENTRY(event_create, "cuEventCreate"),
    ENTRY(event_record, "cuEventRecord"),
    ENTRY(event_synchronize, "cuEventSynchronize"),
    ENTRY(event_elapsed, "cuEventElapsedTime"),
    ENTRY(event_destroy, "cuEventDestroy_v2"),
    ENTRY(launch, "cuLaunchKernel"),
    ENTRY(context_current, "cuCtxGetCurrent"),
    ENTRY(context_device, "cuCtxGetDevice"),
    ENTRY(context_id, "cuCtxGetId"),
    ENTRY(capture_mode, "cuThreadExchangeStreamCaptureMode"),
    ENTRY(mem_info, "cuMemGetInfo_v2"),
    ENTRY(host_alloc, "cuMemHostAlloc"),
    ENTRY(host_free, "cuMemFreeHost"),
    ENTRY(version, "cuDriverGetVersion"),
    ENTRY(stream_wait, "cuStreamWaitEvent"),
    ENTRY(pointer_attribute, "cuPointerGetAttribute"),
    ENTRY(graph_create, "cuGraphCreate"),
    ENTRY(graph_add, "cuGraphAddKernelNode_v2"),
    ENTRY(graph_instantiate, "cuGraphInstantiateWithFlags"),
    ENTRY(graph_destroy, "cuGraphDestroy"),
    ENTRY(graph_launch, "cuGraphLaunch"),
    ENTRY(graph_exec_destroy, "cuGraphExecDestroy"),
    ENTRY(launch_together, "cuLaunchCooperativeKernel"),
    ENTRY(occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor"),
    ENTRY(set_words, "cuMemsetD32Async"),
    ENTRY(lend, "polygpu_test_lend"),
};

/* The functions from this one on may be missing. */
enum { FIRST_OPTIONAL = offsetof(struct polygpu_cuda_driver, context_current) };

static void look_up(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    size_t i;

    if (!library) {
        polygpu_fail(&lookup_status, POLYGPU_CAUSE_NO_DEVICE,
                     "no CUDA driver (libcuda.so.1 not found)");
        return;
    }
    for (i = 0; i < sizeof entries / sizeof *entries; ++i) {
        void *function = dlsym(library, entries[i].name);

        if (!function && entries[i].offset < FIRST_OPTIONAL) {
            polygpu_fail(&lookup_status, POLYGPU_CAUSE_OPEN,
                         "the CUDA driver has no function %s", entries[i].name);
            return;
        }
        memcpy((char *)&driver + entries[i].offset, &function, sizeof function);
    }
}

/* The driver's functions; NULL with the reason where there are none. */
const struct polygpu_cuda_driver *
polygpu_cuda_driver(struct polygpu_status *status)
{
    pthread_once(&lookup_once, look_up);
    if (lookup_status.cause == POLYGPU_OK)
        return &driver;
    polygpu_fail(status, lookup_status.cause, "%s", lookup_status.text);
    return NULL;
}
