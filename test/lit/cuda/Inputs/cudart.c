/* cudart.c - the functions of CUDA's runtime that cuda.h declares, over the
 * driver's: kernels are PTX, which clang embeds with -fcuda-include-gpubinary.
 * "cudart: N launches" is printed at the end.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dim3 {
    unsigned x, y, z;
};

/* Of the driver. */
int cuInit(unsigned flags);
int cuDeviceGet(int *device, int ordinal);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxPushCurrent_v2(void *context);
int cuModuleLoadDataEx(void **module, const void *image, unsigned n,
                       int *options, void **values);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuFuncSetAttribute(void *function, int attribute, int value);
int cuMemAlloc_v2(unsigned long long *address, size_t size);
int cuMemFree_v2(unsigned long long address);
int cuMemcpyDtoHAsync_v2(void *to, unsigned long long from, size_t size,
                         void *stream);
int cuMemcpyHtoDAsync_v2(unsigned long long to, const void *from, size_t size,
                         void *stream);
int cuStreamCreate(void **stream, unsigned flags);
int cuStreamSynchronize(void *stream);
int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz,
                   unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   void *stream, void **arguments, void **extra);

enum { MAX_KERNELS = 256 };
static struct kernel {
    const void *host;
    void *module, *function;
    const char *name;
} kernels[MAX_KERNELS];
static unsigned n_kernels;
static int last_error;
static unsigned long launches;
static void *stream; /* the default one */

static int note(int error)
{
    last_error = error ? error : last_error;
    return error;
}

static void report(void)
{
    fprintf(stderr, "cudart: %lu launches\n", launches);
}

static void start(void)
{
    static void *context;
    int device;

    if (context)
        return;
    if (cuInit(0) || cuDeviceGet(&device, 0) ||
        cuDevicePrimaryCtxRetain(&context, device) ||
        cuCtxPushCurrent_v2(context) || cuStreamCreate(&stream, 0))
        abort();
    atexit(report);
}

/* The wrapper has a pointer to what was embedded. */
struct wrapper {
    int magic, version;
    const char *data;
    void *more;
};

void **__cudaRegisterFatBinary(const struct wrapper *wrapper)
{
    return (void **)(size_t)wrapper;
}
void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}
void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}
void __cudaRegisterVar(void)
{
}

int __cudaRegisterFunction(void **handle, const void *host, char *device,
                           const char *name)
{
    (void)device;
    if (n_kernels == MAX_KERNELS)
        abort();
    kernels[n_kernels++] = (struct kernel){host, NULL, NULL, name};
    kernels[n_kernels - 1].module = handle;
    return 0;
}

/* Modules are loaded when a kernel of theirs is first used. */
static void *function_of(const void *host)
{
    static const void *loaded_of;
    static void *module;
    unsigned k;

    start();
    for (k = 0; k < n_kernels && kernels[k].host != host; ++k)
        ;
    if (k == n_kernels)
        abort();
    if (!kernels[k].function) {
        const struct wrapper *wrapper = kernels[k].module;

        if (loaded_of != wrapper &&
            cuModuleLoadDataEx(&module, wrapper->data, 0, NULL, NULL))
            exit(4);
        loaded_of = wrapper;
        if (cuModuleGetFunction(&kernels[k].function, module, kernels[k].name))
            exit(4);
    }
    return kernels[k].function;
}

static struct {
    struct dim3 grid, block;
    size_t shared;
    void *stream;
} pushed;

unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block,
                                     size_t shared, void *own)
{
    pushed.grid = grid;
    pushed.block = block;
    pushed.shared = shared;
    pushed.stream = own;
    return 0;
}

unsigned __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block,
                                    size_t *shared, void *own)
{
    *grid = pushed.grid;
    *block = pushed.block;
    *shared = pushed.shared;
    memcpy(own, &pushed.stream, sizeof pushed.stream);
    return 0;
}

int cudaLaunchKernel(const void *kernel, struct dim3 grid, struct dim3 block,
                     void **arguments, size_t shared, void *own)
{
    ++launches;
    return note(cuLaunchKernel(function_of(kernel), grid.x, grid.y, grid.z,
                               block.x, block.y, block.z, (unsigned)shared,
                               own ? own : stream, arguments, NULL));
}

int cudaFuncSetAttribute(const void *kernel, int attribute, int value)
{
    return note(cuFuncSetAttribute(function_of(kernel), attribute, value));
}

int cudaMalloc(void **address, size_t size)
{
    unsigned long long at = 0;
    int error = 0;

    start();
    if (size)
        error = cuMemAlloc_v2(&at, size);
    *address = (void *)(size_t)at;
    return note(error);
}

int cudaFree(void *address)
{
    return address ? note(cuMemFree_v2((size_t)address)) : 0;
}

/* Kinds are CUDA's: 1 to the device, 2 back. */
int cudaMemcpy(void *to, const void *from, size_t size, int kind)
{
    int error = kind == 1
                    ? cuMemcpyHtoDAsync_v2((size_t)to, from, size, stream)
                    : cuMemcpyDtoHAsync_v2(to, (size_t)from, size, stream);

    return note(error ? error : cuStreamSynchronize(stream));
}

int cudaGetLastError(void)
{
    int error = last_error;

    last_error = 0;
    return error;
}
