/* libraries.c - see libraries.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "libraries.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    size_t offset;
    const char *name;
};

#define ENTRY(field, name) {offsetof(struct cuda, field), name}

static const struct entry cuda_entries[] = {
    ENTRY(init, "cuInit"),
    ENTRY(error_string, "cuGetErrorString"),
    ENTRY(driver_version, "cuDriverGetVersion"),
    ENTRY(device_count, "cuDeviceGetCount"),
    ENTRY(device_get, "cuDeviceGet"),
    ENTRY(device_name, "cuDeviceGetName"),
    ENTRY(device_attribute, "cuDeviceGetAttribute"),
    ENTRY(context_retain, "cuDevicePrimaryCtxRetain"),
    ENTRY(context_set, "cuCtxSetCurrent"),
    ENTRY(module_load, "cuModuleLoadDataEx"),
    ENTRY(module_function, "cuModuleGetFunction"),
    ENTRY(mem_alloc, "cuMemAlloc_v2"),
    ENTRY(mem_free, "cuMemFree_v2"),
    ENTRY(copy, "cuMemcpyDtoDAsync_v2"),
    ENTRY(set_bytes, "cuMemsetD8Async"),
    ENTRY(stream_create, "cuStreamCreate"),
    ENTRY(stream_synchronize, "cuStreamSynchronize"),
    ENTRY(event_create, "cuEventCreate"),
    ENTRY(event_record, "cuEventRecord"),
    ENTRY(event_synchronize, "cuEventSynchronize"),
    ENTRY(event_elapsed, "cuEventElapsedTime"),
    ENTRY(launch, "cuLaunchKernel"),
};

#undef ENTRY
#define ENTRY(field, name) {offsetof(struct blas, field), name}
#define PAIR(field, rest)                                                      \
    ENTRY(field[FLOAT], "cublasS" rest), ENTRY(field[DOUBLE], "cublasD" rest)

static const struct entry blas_entries[] = {
    ENTRY(create, "cublasCreate_v2"),
    ENTRY(version, "cublasGetVersion_v2"),
    ENTRY(set_stream, "cublasSetStream_v2"),
    PAIR(gemm, "gemm_v2"),
    PAIR(gemv, "gemv_v2"),
    PAIR(ger, "ger_v2"),
    PAIR(syrk, "syrk_v2"),
    PAIR(syr2k, "syr2k_v2"),
    PAIR(symm, "symm_v2"),
    PAIR(trmm, "trmm_v2"),
    PAIR(geam, "geam"),
};

static const char *look_up(void *library, const struct entry *entries,
                           size_t count, void *table)
{
    static char missing[80];

    for (size_t i = 0; i < count; i++) {
        void *function = dlsym(library, entries[i].name);

        if (!function) {
            snprintf(missing, sizeof missing, "there is no function %s",
                     entries[i].name);
            return missing;
        }
        memcpy((char *)table + entries[i].offset, &function, sizeof function);
    }
    return NULL;
}

const char *cuda_open(struct cuda *cuda)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

    if (!library)
        return "no CUDA driver (libcuda.so.1 not found)";
    return look_up(library, cuda_entries,
                   sizeof cuda_entries / sizeof *cuda_entries, cuda);
}

/* One version of cuBLAS, in the folder "where" unless that is empty. */
static void *try_blas(const char *where, const char *version)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s%slibcublas.so%s", where,
                          *where ? "/lib64/" : "", version);

    if (length < 0 || (size_t)length >= sizeof path)
        return NULL;
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

const char *blas_open(struct blas *blas)
{
    static const char *const versions[] = {".13", ".12", ".11", ""};
    const char *named = getenv("CUDA_PATH");
    const char *places[] = {"", named ? named : "", "/usr/local/cuda"};

    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
        for (size_t v = 0; v < sizeof versions / sizeof *versions; v++) {
            void *library = try_blas(places[p], versions[v]);

            if (library)
                return look_up(library, blas_entries,
                               sizeof blas_entries / sizeof *blas_entries,
                               blas);
        }
    return "libcublas.so not found";
}
