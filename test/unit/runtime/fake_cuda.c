/* fake_cuda.c - a FAKE libcuda.so.1, to test cuda.c where there is no GPU.
 *
 * Device memory is host memory, a kernel is the function of its name in the
 * program and has no barriers; it has PARAMS of 8 bytes.  FAKE_CUDA makes a
 * function fail: init, none (no device), retain, jit, old (the driver does not
 * know the PTX's version), older (the same, and says so in the log), memory
 * (too little to load kernels), cubin-memory (that is not PTX), function,
 * shared (a block has 48 KiB of it at most), alloc, small (the device has SMALL
 * bytes), graphs (it has no more memory while there are graphs), sticky (the
 * first launch leaves the context unusable), second (the second launch fails),
 * pinned (no host memory can be pinned), integrated, page-tables, shared-memory
 * (the device is said to be integrated, to go by the host's page tables, or
 * both); "slow" makes cuInit take a while, slow-launches each launch 50 us,
 * slow-graphs each node of a graph that is launched. FAKE_CUDA_FAIL=N:ERROR
 * makes the N-th call fail, whatever it is, for good where ERROR is not below
 * 700; FAKE_CUDA_OBJECTS=1 prints at the end what was not destroyed.
 *
 * What is in a stream, kernels and copies (flights.c), is done in its order and
 * as late as may be: when the stream, or an event behind it, is waited for, or
 * memory is freed.  Of memory that is not pinned a copy takes the source at
 * once, and is done at once where that is the destination.  FAKE_CUDA=early
 * does everything at once, and FAKE_CUDA=instant, for times, does no copies.
 * FAKE_CUDA_ORDER is that of flights.h; with FAKE_CUDA_SOURCES=late a copy
 * takes its source when it is done, whatever memory that is; FAKE_CUDA_EVENTS
 * and FAKE_CUDA_STREAMS are the most that can be made, and
 * FAKE_CUDA_FLIGHT=N:ERROR makes the N-th thing that is in a stream fail, which
 * the next call tells.  FAKE_CUDA_SPEEDS is that of speeds.h.
 *
 * It checks what the real driver relies on: that the context is current where
 * it must be, that nothing is freed while kernels may run.  There are two
 * devices; what the program does with CUDA itself is done by functions for
 * test_cuda.c: make a context of device 1 current, reset the primary context,
 * capture a graph.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda/cuda_driver.h"

#include "fake_cuda.h"
#include "flights.h"
#include "polygpu/abi.h"
#include "speeds.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct cu_context_object {
    cu_device device;
};

struct cu_module_object {
    unsigned long long id; /* of its context */
};

enum {
    SHARED_UNASKED = 48 * 1024, /* without cuFuncSetAttribute */
    SHARED_MOST = 99 * 1024
};

enum { N_DEVICES = 2, FIRST_DEVICE = 42, SMALL = 64 * 1024 };

/* Allocated memory. */
static struct allocation {
    cu_address address;
    size_t size, lent; /* lent: to an array */
} memory[512];
static pthread_mutex_t memory_lock = PTHREAD_MUTEX_INITIALIZER;

static size_t staged;  /* bytes copied from and to pinned memory */
static int overlapped; /* copies beside kernels that were not done */

static struct cu_context_object contexts[N_DEVICES] = {{42}, {43}};
static unsigned long long ids[N_DEVICES] = {1, 1};
static int reset[N_DEVICES]; /* and not yet retained again */
static _Thread_local cu_context current[8];
static _Thread_local int depth;
static _Thread_local int capture_mode; /* 0: global */
static int capturing, spoilt;          /* a graph, by another thread */
static _Thread_local int in_flight;    /* launched and not waited for */
static int freed_in_flight;
static cu_device launched_on;
static int launches, loads;
static int live;    /* arrays in use */
static int objects; /* streams and events made and not yet destroyed */
static int calls;
static char loaded[32];

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

int fake_cuda_objects(void);
int fake_cuda_objects(void)
{
    return __atomic_load_n(&objects, __ATOMIC_SEQ_CST);
}

int fake_cuda_depth(void)
{
    return depth;
}

const char *fake_cuda_loaded(void)
{
    return loaded;
}

/* How often the loading of an image was tried. */
int fake_cuda_loads(void);
int fake_cuda_loads(void)
{
    return loads;
}

int fake_cuda_freed_in_flight(void);
int fake_cuda_freed_in_flight(void)
{
    return freed_in_flight;
}

/* Bytes that the last launch asked for. */
int fake_cuda_shared(void)
{
    return (int)__atomic_load_n(&launched_shared, __ATOMIC_SEQ_CST);
}

/* Calls of the driver so far, but for those that cannot fail. */
int fake_cuda_calls(void);
int fake_cuda_calls(void)
{
    return __atomic_load_n(&calls, __ATOMIC_SEQ_CST);
}

static int failing_call, failing_error;

__attribute__((constructor)) static void read_failing(void)
{
    const char *value = getenv("FAKE_CUDA_FAIL");

    if (value)
        sscanf(value, "%d:%d", &failing_call, &failing_error);
}

/* Count a call, and say whether FAKE_CUDA_FAIL=N:ERROR makes it fail. */
static cu_result call(void)
{
    int number = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST), error;

    if (number != failing_call)
        return CU_OK;
    error = failing_error;
    if (error >= CU_ILLEGAL_ADDRESS)
        __atomic_store_n(&flights_broken, error, __ATOMIC_SEQ_CST);
    return error;
}

static int told(const char *what)
{
    const char *value = getenv("FAKE_CUDA");

    return value && !strcmp(value, what);
}

static cu_result usable(void)
{
    if (__atomic_load_n(&flights_broken, __ATOMIC_SEQ_CST))
        return __atomic_load_n(&flights_broken, __ATOMIC_SEQ_CST);
    if (depth == 0)
        return CU_INVALID_CONTEXT;
    return reset[current[depth - 1]->device - FIRST_DEVICE]
               ? CU_CONTEXT_IS_DESTROYED
               : CU_OK;
}

/* Of a call that must not be made while a graph is captured. */
static cu_result unsafe(void)
{
    if (!capturing || capture_mode == CU_CAPTURE_RELAXED)
        return CU_OK;
    spoilt = 1;
    return 900;
}

static cu_result make(void **object, size_t size)
{
    cu_result result = usable();

    if (result == CU_OK)
        result = unsafe();
    if (result != CU_OK)
        return result;
    *object = malloc(size);
    if (!*object)
        return CU_OUT_OF_MEMORY;
    memset(*object, 0x5a, size);
    __atomic_add_fetch(&objects, 1, __ATOMIC_SEQ_CST);
    return CU_OK;
}

/* Done, even where an error is told. */
static cu_result destroy(void *object)
{
    free(object);
    __atomic_sub_fetch(&objects, 1, __ATOMIC_SEQ_CST);
    CALL();
    return usable();
}

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

FAKE cuInit(unsigned flags)
{
    CALL();
    (void)flags;
    if (told("slow"))
        usleep(300000);
    return told("init") ? CU_UNKNOWN : CU_OK;
}

FAKE cuGetErrorString(cu_result error, const char **text)
{
    *text = error == CU_OUT_OF_MEMORY ? "out of memory" : "some fake error";
    return CU_OK;
}

FAKE cuDeviceGetCount(int *count)
{
    CALL();
    *count = told("none") ? 0 : N_DEVICES;
    return CU_OK;
}

FAKE cuDeviceGet(cu_device *device, int ordinal)
{
    CALL();
    *device = FIRST_DEVICE + ordinal;
    return ordinal < N_DEVICES ? CU_OK : CU_UNKNOWN;
}

static int is_device(cu_device device)
{
    return device >= FIRST_DEVICE && device < FIRST_DEVICE + N_DEVICES;
}

FAKE cuDeviceGetAttribute(int *value, int attribute, cu_device device)
{
    CALL();
    switch (attribute) {
    case CU_CAPABILITY_MAJOR:
        *value = 8;
        break;
    case CU_CAPABILITY_MINOR:
        *value = device == FIRST_DEVICE ? 6 : 9;
        break;
    case CU_INTEGRATED:
        *value = told("integrated") || told("shared-memory");
        break;
    case CU_HOST_PAGE_TABLES:
        *value = told("page-tables") || told("shared-memory");
        break;
    case CU_CLOCK:
        *value = 1500000;
        break;
    case CU_MULTIPROCESSORS:
        *value = 2;
        break;
    case CU_COOPERATIVE_LAUNCH:
        *value = !told("no-together");
        break;
    case CU_SINGLE_TO_DOUBLE:
        *value = 32;
        break;
    case CU_MEMORY_CLOCK:
        *value = 1000000;
        break;
    case CU_MEMORY_WIDTH:
        *value = 64;
        break;
    default:
        return CU_UNKNOWN;
    }
    return is_device(device) ? CU_OK : CU_UNKNOWN;
}

FAKE cuDevicePrimaryCtxRetain(cu_context *context, cu_device device)
{
    CALL();
    if (!is_device(device) || told("retain"))
        return CU_OUT_OF_MEMORY;
    device -= FIRST_DEVICE;
    *context = &contexts[device];
    reset[device] = 0;
    return CU_OK;
}

FAKE cuCtxPushCurrent_v2(cu_context context)
{
    if (depth == 8 ||
        (context != &contexts[0] && context != &contexts[N_DEVICES - 1]))
        return CU_INVALID_CONTEXT;
    current[depth++] = context;
    return CU_OK;
}

FAKE cuCtxPopCurrent_v2(cu_context *context)
{
    if (depth == 0)
        return CU_INVALID_CONTEXT;
    *context = current[--depth];
    return CU_OK;
}

FAKE cuCtxGetCurrent(cu_context *context)
{
    CALL();
    *context = depth > 0 ? current[depth - 1] : NULL;
    return CU_OK;
}

FAKE cuCtxGetDevice(cu_device *device)
{
    CALL();
    if (depth == 0)
        return CU_INVALID_CONTEXT;
    *device = current[depth - 1]->device;
    return CU_OK;
}

FAKE cuCtxGetId(cu_context context, unsigned long long *id)
{
    int number = context->device - FIRST_DEVICE;

    CALL();
    *id = ids[number];
    return reset[number] ? CU_CONTEXT_IS_DESTROYED : CU_OK;
}

FAKE cuThreadExchangeStreamCaptureMode(int *mode)
{
    int before = capture_mode;

    capture_mode = *mode;
    *mode = before;
    return CU_OK;
}

static void take_off(cu_stream stream, const struct flight *flight)
{
    speeds_add(stream, flight);
    flights_add(stream, flight);
    if (told("early"))
        flights_land_all(stream);
}

static bool are_late(void)
{
    const char *value = getenv("FAKE_CUDA_SOURCES");

    return value && !strcmp(value, "late");
}

/* Is the copy to be done now?  Else nobody needs the source any more, which is
 * read first, since a handler may jump away. */
static bool hold(struct flight *flight, bool in)
{
    const volatile char *from = flight->from;
    size_t i;

    for (i = 0; in && i < flight->size; i += 4096)
        (void)from[i];
    if (in && flight->size)
        (void)from[flight->size - 1];
    if (in && are_late())
        return false;
    if (in && (flight->source = malloc(flight->size))) {
        memcpy(flight->source, flight->from, flight->size);
        flight->from = flight->source;
        return false;
    }
    return true;
}

/* Pageable memory is read and written by the call itself, and no lock is held
 * then: reading may end in a handler that does not return. */
static cu_result copy(cu_stream stream, struct flight flight, bool in)
{
    const void *host = in ? flight.from : flight.to;
    bool later, now = false;

    CALL();
    if (usable() != CU_OK || !stream || told("instant"))
        return usable();
    later = flights_pinned(host);
    __atomic_fetch_add(&overlapped, flights_beside(stream), __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&staged, later ? flight.size : 0, __ATOMIC_SEQ_CST);
    flight.in = in;
    flight.pinned = later;
    now = !later && hold(&flight, in);
    if (now)
        speeds_add(stream, &flight);
    if (now)
        flights_land_all(stream);
    else
        take_off(stream, &flight);
    if (now)
        memcpy(flight.to, flight.from, flight.size);
    return usable();
}

/* Bytes copied by way of pinned memory, in thousands. */
int fake_cuda_staged(void);
int fake_cuda_staged(void)
{
    return (int)(staged / 1000);
}

/* Copies that were made beside kernels. */
int fake_cuda_overlapped(void);
int fake_cuda_overlapped(void)
{
    return overlapped;
}

/* Pieces of pinned memory. */
int fake_cuda_pinned(void);
int fake_cuda_pinned(void)
{
    size_t bytes;

    return (int)flights_pieces(&bytes);
}

/* And their size in KiB. */
int fake_cuda_pinned_size(void);
int fake_cuda_pinned_size(void)
{
    size_t bytes;

    flights_pieces(&bytes);
    return (int)(bytes / 1024);
}

/* Arrays that are in use are no more, and all memory is free. */
static void forget_memory(void)
{
    unsigned i;

    flights_forget();
    pthread_mutex_lock(&memory_lock);
    for (i = 0; i < sizeof memory / sizeof *memory; ++i) {
        if (memory[i].lent)
            __atomic_sub_fetch(&live, 1, __ATOMIC_SEQ_CST);
        free((void *)memory[i].address);
        memset(&memory[i], 0, sizeof memory[i]);
    }
    pthread_mutex_unlock(&memory_lock);
}

/* cudaDeviceReset: what was in the context is gone. */
FAKE fake_cuda_reset(int number)
{
    forget_memory();
    reset[number] = 1;
    ++ids[number];
    __atomic_store_n(&flights_broken, 0, __ATOMIC_SEQ_CST);
    return CU_OK;
}

/* The program's own context, current in this thread. */
FAKE fake_cuda_use(int number)
{
    return cuCtxPushCurrent_v2(&contexts[number]);
}

/* Another thread begins or ends a capture; 1 if one was disturbed. */
FAKE fake_cuda_capture(int begin)
{
    capturing = begin;
    return spoilt;
}

/* Of the thread, as the program set it. */
FAKE fake_cuda_mode(int ignored)
{
    (void)ignored;
    return capture_mode;
}

FAKE fake_cuda_device(int ignored)
{
    (void)ignored;
    return launched_on;
}

FAKE cuModuleLoadDataEx(cu_module *module, const void *image, unsigned n,
                        int *options, void **values)
{
    CALL();
    ++loads;
    if (told("memory") || (told("cubin-memory") && !memcmp(image, "cubin", 5)))
        return CU_OUT_OF_MEMORY;
    if (told("jit") || (told("cubin") && !memcmp(image, "cubin", 5))) {
        if (n == 2 && options[0] == CU_JIT_ERROR_LOG &&
            options[1] == CU_JIT_ERROR_LOG_SIZE)
            snprintf(values[0], (size_t)(uintptr_t)values[1],
                     "ptxas fatal: fake log line\nsecond line\n");
        return 218;
    }
    if (told("older"))
        snprintf(values[0], (size_t)(uintptr_t)values[1],
                 "ptxas fatal: Unsupported .version 8.0; current is '7.4'\n");
    if (told("old") || told("older"))
        return told("old") ? CU_UNSUPPORTED_PTX : CU_INVALID_PTX;
    if (usable() != CU_OK)
        return usable();
    *module = calloc(1, sizeof **module);
    (*module)->id = ids[current[depth - 1]->device - FIRST_DEVICE];
    snprintf(loaded, sizeof loaded, "%s", (const char *)image);
    return usable();
}

FAKE cuDriverGetVersion(int *version)
{
    *version = 11040;
    return CU_OK;
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

    CALL();
    if (module->id != ids[current[depth - 1]->device - FIRST_DEVICE])
        return CU_CONTEXT_IS_DESTROYED;
    *function = found;
    /* the block size comes with the launch, so that this is all */
    return found && !told("function") ? usable() : 500;
}

FAKE cuFuncSetAttribute(cu_function function, int attribute, int value)
{
    cu_result result = usable();
    unsigned i;

    CALL();
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

/* Bytes that are allocated, or 0 with "idle" unless some are no array's. */
static size_t memory_bytes(int idle)
{
    size_t bytes = 0;
    unsigned i;

    pthread_mutex_lock(&memory_lock);
    for (i = 0; i < sizeof memory / sizeof *memory; ++i)
        if (!idle || !memory[i].lent)
            bytes += memory[i].size;
    pthread_mutex_unlock(&memory_lock);
    return bytes;
}

/* The entry of an address, a free one for 0; under the lock. */
static struct allocation *memory_at(cu_address address)
{
    unsigned i;

    for (i = 0; i < sizeof memory / sizeof *memory; ++i)
        if (memory[i].address == address)
            return &memory[i];
    return NULL;
}

/* Bytes that are allocated and no array's. */
int fake_cuda_idle(void);
int fake_cuda_idle(void)
{
    return (int)memory_bytes(1);
}

FAKE cuMemGetInfo_v2(size_t *left, size_t *all)
{
    CALL();
    *all = SMALL;
    *left = SMALL - memory_bytes(0);
    return usable();
}

FAKE cuMemAlloc_v2(cu_address *address, size_t size)
{
    void *made;
    struct allocation *entry;
    cu_result result;

    CALL();
    if (told("alloc") || (told("small") && memory_bytes(0) + size > SMALL) ||
        (told("graphs") && fake_nodes && fake_nodes() > 0))
        return CU_OUT_OF_MEMORY;
    result = make(&made, size);
    if (result != CU_OK)
        return result;
    __atomic_sub_fetch(&objects, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&memory_lock);
    entry = memory_at(0);
    if (!entry)
        abort();
    *address = entry->address = (cu_address)made;
    entry->size = size;
    entry->lent = 0;
    pthread_mutex_unlock(&memory_lock);
    return CU_OK;
}

/* An array begins or, with size 0, ends; "live" are those in use. */
FAKE polygpu_test_lend(cu_address address, size_t size)
{
    struct allocation *entry;

    pthread_mutex_lock(&memory_lock);
    entry = memory_at(address);
    if (!entry) { /* lost in a reset that nobody has noticed yet */
        pthread_mutex_unlock(&memory_lock);
        return CU_CONTEXT_IS_DESTROYED;
    }
    if (size > entry->size)
        abort();
    if (!entry->lent != !size)
        __atomic_add_fetch(&live, size ? 1 : -1, __ATOMIC_SEQ_CST);
    entry->lent = size;
    memset((void *)address, 0x5a, entry->size);
    pthread_mutex_unlock(&memory_lock);
    if (in_flight && !size)
        __atomic_store_n(&freed_in_flight, 1, __ATOMIC_SEQ_CST);
    return CU_OK;
}

FAKE cuMemFree_v2(cu_address address)
{
    struct allocation *entry;

    if (in_flight)
        __atomic_store_n(&freed_in_flight, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&memory_lock);
    entry = memory_at(address);
    if (!entry || entry->lent)
        abort();
    entry->address = entry->size = 0;
    pthread_mutex_unlock(&memory_lock);
    flights_land_everything();
    free((void *)address);
    CALL();
    return usable();
}

FAKE cuMemHostAlloc(void **made, size_t size, unsigned flags)
{
    CALL();
    if (told("pinned") || flags != CU_HOST_ALLOC_PLAIN)
        return CU_OUT_OF_MEMORY;
    if (usable() != CU_OK || unsafe() != CU_OK)
        return usable() != CU_OK ? usable() : 900;
    *made = mmap(NULL, size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (*made == MAP_FAILED)
        return CU_OUT_OF_MEMORY;
    flights_pin(*made, size);
    return CU_OK;
}

FAKE cuMemFreeHost(void *freed)
{
    CALL();
    if (usable() != CU_OK)
        return usable();
    flights_land_everything();
    flights_unpin(freed);
    return CU_OK;
}

FAKE cuMemcpyHtoDAsync_v2(cu_address to, const void *from, size_t size,
                          cu_stream stream)
{
    return copy(stream,
                (struct flight){.to = (void *)to, .from = from, .size = size},
                true);
}

FAKE cuMemcpyDtoHAsync_v2(void *to, cu_address from, size_t size,
                          cu_stream stream)
{
    return copy(
        stream,
        (struct flight){.to = to, .from = (const void *)from, .size = size},
        false);
}

/* Where an error is told, it was made all the same. */
FAKE cuStreamSynchronize(cu_stream stream)
{
    in_flight = 0;
    fake_waited();
    speeds_wait(speeds_end(stream));
    if (usable() == CU_OK)
        flights_land_all(stream);
    CALL();
    return usable();
}

FAKE cuStreamDestroy_v2(cu_stream stream)
{
    flights_close(stream);
    return destroy(stream);
}

cu_result fake_prepare(cu_function function, const unsigned grid[3],
                       const unsigned block[3], unsigned shared_bytes,
                       void **args, struct flight *flight)
{
    unsigned i;

    if (usable() != CU_OK || shared_bytes > allowed(function) ||
        grid[1] * grid[2] * block[1] * block[2] != 1)
        return usable() != CU_OK ? usable() : 1;
    memset(flight, 0, sizeof *flight);
    memcpy(flight->self.n_block, grid, sizeof flight->self.n_block);
    memcpy(flight->self.n_thread, block, sizeof flight->self.n_thread);
    for (i = 0; i < PARAMS; ++i)
        memcpy(&flight->params[i], args[i], sizeof flight->params[i]);
    memcpy(&flight->kernel, &function, sizeof flight->kernel);
    return CU_OK;
}

cu_result fake_fly(cu_stream stream, const struct flight *prepared,
                   unsigned shared_bytes)
{
    struct flight flight = *prepared;

    if (told("sticky")) {
        __atomic_store_n(&flights_broken, CU_ILLEGAL_ADDRESS, __ATOMIC_SEQ_CST);
        return CU_OK; /* real ones tell later as well */
    }
    __atomic_store_n(&launched_shared, shared_bytes, __ATOMIC_SEQ_CST);
    __atomic_store_n(&launched_on, current[depth - 1]->device,
                     __ATOMIC_SEQ_CST);
    in_flight = 1;
    if (told("second") && ++launches == 2)
        return CU_OUT_OF_MEMORY;
    if (shared_bytes && !(flight.self.shared = malloc(shared_bytes)))
        return CU_OUT_OF_MEMORY;
    take_off(stream, &flight);
    return CU_OK;
}

FAKE cuLaunchKernel(cu_function function, unsigned grid_x, unsigned grid_y,
                    unsigned grid_z, unsigned block_x, unsigned block_y,
                    unsigned block_z, unsigned shared_bytes, cu_stream stream,
                    void **args, void **extra)
{
    const unsigned grid[] = {grid_x, grid_y, grid_z};
    const unsigned block[] = {block_x, block_y, block_z};
    struct flight flight;
    cu_result result;

    CALL();
    if (told("slow-launches"))
        fake_wait();
    if (!stream || extra)
        return usable() != CU_OK ? usable() : 1;
    result = fake_prepare(function, grid, block, shared_bytes, args, &flight);
    return result == CU_OK ? fake_fly(stream, &flight, shared_bytes) : result;
}

FAKE cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                 cu_function function,
                                                 int threads,
                                                 size_t shared_bytes)
{
    CALL();
    if (!function || shared_bytes > allowed(function))
        return 1;
    *blocks = told("none-together") ? 0 : 2048 / threads;
    if (told("few-together") &&
        function == (cu_function)dlsym(RTLD_DEFAULT, "grid_loop"))
        *blocks = 1;
    return usable();
}

/* Blocks do not meet there: kernels have to do without. */
FAKE cuLaunchCooperativeKernel(cu_function function, unsigned grid_x,
                               unsigned grid_y, unsigned grid_z,
                               unsigned block_x, unsigned block_y,
                               unsigned block_z, unsigned shared_bytes,
                               cu_stream stream, void **args)
{
    const unsigned grid[] = {grid_x, grid_y, grid_z};
    const unsigned block[] = {block_x, block_y, block_z};
    struct flight flight;
    cu_result result;

    CALL();
    if (told("failed-together"))
        return CU_ILLEGAL_INSTRUCTION;
    if (told("refused-together") ||
        grid_x * grid_y * grid_z > 2 * 2048 / (block_x * block_y * block_z))
        return CU_TOO_LARGE;
    if (!stream)
        return usable() != CU_OK ? usable() : 1;
    result = fake_prepare(function, grid, block, shared_bytes, args, &flight);
    return result == CU_OK ? fake_fly(stream, &flight, shared_bytes) : result;
}

/* At once: nobody has the memory yet. */
FAKE cuMemsetD32Async(cu_address address, unsigned value, size_t n,
                      cu_stream stream)
{
    unsigned *to = (unsigned *)address;

    CALL();
    if (!stream)
        return 1;
    while (n-- > 0)
        *to++ = value;
    return usable();
}

int (*fake_nodes)(void);

unsigned long long fake_context(void)
{
    return depth ? ids[current[depth - 1]->device - FIRST_DEVICE] : 0;
}

/* After the runtime's destructor. */
__attribute__((destructor)) static void print_objects(void)
{
    if (getenv("FAKE_CUDA_OBJECTS"))
        fprintf(stderr, "fake: %d objects are left\n", objects);
}

bool fake_told(const char *what)
{
    return told(what);
}

void fake_wait(void)
{
    struct timespec begun, now;

    clock_gettime(CLOCK_MONOTONIC, &begun);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - begun.tv_sec) * 1000000000 + now.tv_nsec -
               begun.tv_nsec <
           50000);
}

void fake_take_off(cu_stream stream, const struct flight *flight)
{
    take_off(stream, flight);
}

cu_result fake_call(void)
{
    return call();
}

cu_result fake_usable(void)
{
    return usable();
}

cu_result fake_make(void **object, size_t size)
{
    return make(object, size);
}

cu_result fake_destroy(void *object)
{
    return destroy(object);
}
