/* driver.c - the driver's functions that runtime/cuda.c calls, over the PTX
 * machine: a libcuda.so.1 of one device, whose settings are in the environment
 * variable PTX_MACHINE (see machine.c).
 *
 * Everything is done at once, or as late as may be (streams.h).  After a fault
 * the context is unusable, as a real one is, and the fault is the text of the
 * error; it is also printed, in one line.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda/cuda_driver.h"
#include "list.h"
#include "machine.h"
#include "streams.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CU_NO_BINARY = 209, STATIC_SHARED = 48 * 1024, MOST_PARAMS = 4096 };

struct cu_context_object {
    int unused;
};
struct cu_event_object {
    cu_stream stream; /* NULL: it was not recorded */
    size_t behind;    /* so many tasks of the stream */
};
struct cu_module_object {
    struct ptx_module *module;
    struct cu_function_object *functions; /* a list */
};
struct cu_graph_object {
    struct ptx_task *tasks;
    size_t n;
};
struct cu_graph_exec_object {
    struct ptx_task *tasks;
    size_t n;
};
struct cu_function_object {
    const struct ptx_function *function;
    struct cu_function_object *next;
    unsigned dynamic_bytes; /* at most */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ptx_machine *machine;
static struct cu_context_object context;
static _Thread_local int depth;
static unsigned launches, graph_launches; /* the former with those of graphs */

#define API __attribute__((visibility("default"))) cu_result
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* ---- The device --------------------------------------------------------- */

static void print_profile(void)
{
    fprintf(stderr,
            "ptx machine: launches=%u instructions=%llu registers=%s "
            "graphs=%u\n",
            launches, (unsigned long long)machine->executed,
            *machine->settings.ptxas ? "checked" : "unsupported",
            graph_launches);
}

API cuInit(unsigned flags)
{
    char error[512];

    (void)flags;
    pthread_mutex_lock(&lock);
    if (!machine) {
        machine = ptx_machine_new(getenv("PTX_MACHINE"), error, sizeof error);
        if (!machine)
            fprintf(stderr, "%s\n", error);
        else if (machine->settings.profile)
            atexit(print_profile);
    }
    pthread_mutex_unlock(&lock);
    return machine ? CU_OK : CU_INVALID_VALUE;
}

API cuGetErrorString(cu_result error, const char **text)
{
    static const struct {
        cu_result error;
        const char *text;
    } texts[] = {{CU_INVALID_VALUE, "invalid value"},
                 {CU_OUT_OF_MEMORY, "out of memory"},
                 {CU_INVALID_CONTEXT, "no context is current"},
                 {CU_NO_BINARY, "no code for this device"},
                 {CU_INVALID_PTX, "invalid PTX"},
                 {CU_NOT_FOUND, "not found"},
                 {CU_OUT_OF_RESOURCES, "too many resources for a launch"}};
    size_t k;

    *text = "unknown error";
    for (k = 0; k < sizeof texts / sizeof *texts; ++k)
        if (texts[k].error == error)
            *text = texts[k].text;
    if (machine && machine->fault == error)
        *text = machine->why;
    return CU_OK;
}

API cuDeviceGetCount(int *count)
{
    *count = 1;
    return CU_OK;
}

API cuDeviceGet(cu_device *device, int ordinal)
{
    *device = 0;
    return ordinal == 0 ? CU_OK : CU_INVALID_VALUE;
}

/* By default newer than all that PTX is made for, and without cubins. */
API cuDeviceGetAttribute(int *value, int attribute, cu_device device)
{
    unsigned arch =
        machine && machine->settings.arch ? machine->settings.arch : 999;

    switch (attribute) {
    case CU_CAPABILITY_MAJOR:
        *value = (int)(arch / 10);
        break;
    case CU_CAPABILITY_MINOR:
        *value = (int)(arch % 10);
        break;
    case CU_COOPERATIVE_LAUNCH:
    case CU_MULTIPROCESSORS:
        *value = 1;
        break;
    default:
        return CU_INVALID_VALUE;
    }
    return device == 0 ? CU_OK : CU_INVALID_VALUE;
}

/* ---- The context -------------------------------------------------------- */

API cuDevicePrimaryCtxRetain(cu_context *retained, cu_device device)
{
    *retained = &context;
    return device == 0 ? CU_OK : CU_INVALID_VALUE;
}

API cuCtxPushCurrent_v2(cu_context pushed)
{
    ++depth;
    return pushed == &context ? CU_OK : CU_INVALID_CONTEXT;
}

API cuCtxPopCurrent_v2(cu_context *popped)
{
    *popped = &context;
    return depth-- > 0 ? CU_OK : CU_INVALID_CONTEXT;
}

API cuCtxGetCurrent(cu_context *current)
{
    *current = depth > 0 ? &context : NULL;
    return CU_OK;
}

API cuCtxGetDevice(cu_device *device)
{
    *device = 0;
    return depth > 0 ? CU_OK : CU_INVALID_CONTEXT;
}

API cuCtxGetId(cu_context of, unsigned long long *id)
{
    *id = 1;
    return of == &context ? CU_OK : CU_INVALID_CONTEXT;
}

API cuThreadExchangeStreamCaptureMode(int *mode)
{
    static _Thread_local int current;
    int before = current;

    current = *mode;
    *mode = before;
    return CU_OK;
}

/* The lock is held after success. */
static cu_result enter(void)
{
    if (depth <= 0 || !machine)
        return CU_INVALID_CONTEXT;
    pthread_mutex_lock(&lock);
    if (!machine->fault)
        return CU_OK;
    pthread_mutex_unlock(&lock);
    return machine->fault;
}

static cu_result leave(cu_result result)
{
    pthread_mutex_unlock(&lock);
    return result;
}

/* ---- Modules ------------------------------------------------------------ */

/* What the driver's compiler writes goes where the options say. */
static void write_log(unsigned n, const int *options, void **values,
                      const char *text)
{
    unsigned k, log = n, size = n;

    for (k = 0; k < n; ++k) {
        log = options[k] == CU_JIT_ERROR_LOG ? k : log;
        size = options[k] == CU_JIT_ERROR_LOG_SIZE ? k : size;
    }
    if (log < n && size < n)
        snprintf(values[log], (size_t)(uintptr_t)values[size], "%s\n", text);
    fprintf(stderr, "ptx machine: %s\n", text);
}

static cu_result load(cu_module *module, const char *text, unsigned n,
                      const int *options, void **values)
{
    char error[512];
    cu_module made = calloc(1, sizeof *made);

    if (!made)
        return CU_OUT_OF_MEMORY;
    made->module = ptx_parse(machine, text, error, sizeof error);
    if (made->module && machine->settings.arch &&
        made->module->arch > machine->settings.arch) {
        snprintf(error, sizeof error, "PTX for sm_%u on sm_%u",
                 made->module->arch, machine->settings.arch);
        ptx_module_free(machine, made->module);
        made->module = NULL;
    }
    if (made->module && !ptx_count_registers(machine, made->module, text, error,
                                             sizeof error)) {
        ptx_module_free(machine, made->module);
        made->module = NULL;
    }
    if (!made->module) {
        write_log(n, options, values, error);
        free(made);
        return CU_INVALID_PTX;
    }
    *module = made;
    return CU_OK;
}

/* The text of the file that PTX_MACHINE_MODULE names, whose kernels are
 * executed instead of the program's; NULL: there is none. */
static char *other_text(void)
{
    static char *text;
    const char *path = getenv("PTX_MACHINE_MODULE");
    FILE *file = path && !text ? fopen(path, "r") : NULL;
    size_t size;

    if (!file)
        return text;
    fseek(file, 0, SEEK_END);
    size = (size_t)ftell(file);
    rewind(file);
    text = calloc(size + 1, 1);
    if (!text || fread(text, 1, size, file) != size)
        abort();
    fclose(file);
    return text;
}

API cuModuleLoadDataEx(cu_module *module, const void *image, unsigned n,
                       int *options, void **values)
{
    cu_result result = enter();

    if (result != CU_OK)
        return result;
    if (other_text()) {
        fprintf(stderr, "ptx machine: kernels of %s\n",
                getenv("PTX_MACHINE_MODULE"));
        return leave(load(module, other_text(), n, options, values));
    }
    if (!memcmp(image, "\177ELF", 4))
        return leave(CU_NO_BINARY);
    return leave(load(module, image, n, options, values));
}

API cuModuleUnload(cu_module module)
{
    cu_result result = enter();

    if (result != CU_OK)
        return result;
    ptx_module_free(machine, module->module);
    while (module->functions) {
        cu_function first = module->functions;

        module->functions = first->next;
        free(first);
    }
    free(module);
    return leave(CU_OK);
}

API cuModuleGetFunction(cu_function *function, cu_module module,
                        const char *name)
{
    const struct ptx_function *found;
    cu_result result = enter();
    cu_function made;

    if (result != CU_OK)
        return result;
    found = ptx_find(module->module, name);
    if (!found || !found->is_entry)
        return leave(CU_NOT_FOUND);
    if (found->shared_bytes > STATIC_SHARED) {
        fprintf(stderr,
                "ptx machine: kernel %s declares %zu bytes of shared "
                "memory\n",
                name, found->shared_bytes);
        return leave(CU_OUT_OF_RESOURCES);
    }
    made = calloc(1, sizeof *made);
    if (!made)
        return leave(CU_OUT_OF_MEMORY);
    made->function = found;
    made->dynamic_bytes = STATIC_SHARED - (unsigned)found->shared_bytes;
    made->next = module->functions;
    module->functions = made;
    *function = made;
    return leave(CU_OK);
}

API cuFuncSetAttribute(cu_function function, int attribute, int value)
{
    cu_result result = enter();
    unsigned arch;

    if (result != CU_OK)
        return result;
    arch = machine->settings.arch ? machine->settings.arch
                                  : function->function->module->arch;
    if (attribute != CU_FUNCTION_DYNAMIC_SHARED || value < 0 ||
        (unsigned)value + function->function->shared_bytes >
            ptx_most_shared(arch))
        return leave(CU_INVALID_VALUE);
    function->dynamic_bytes = (unsigned)value;
    return leave(CU_OK);
}

/* ---- Memory ------------------------------------------------------------- */

API cuMemAlloc_v2(cu_address *address, size_t size)
{
    cu_result result = enter();

    if (result != CU_OK)
        return result;
    *address = ptx_array_new(machine, size);
    return leave(*address ? CU_OK : size ? CU_OUT_OF_MEMORY : CU_INVALID_VALUE);
}

API cuMemFree_v2(cu_address address)
{
    cu_result result = enter();

    if (result != CU_OK)
        return result;
    result = ptx_streams_wait(machine);
    if (result != CU_OK)
        return leave(result);
    return leave(ptx_array_free(machine, address) ? CU_OK : CU_INVALID_VALUE);
}

API polygpu_test_lend(cu_address address, size_t size)
{
    cu_result result = enter();

    if (result != CU_OK)
        return result;
    return leave(ptx_array_resize(machine, address, size) ? CU_OK
                                                          : CU_INVALID_VALUE);
}

API cuMemHostAlloc(void **memory, size_t size, unsigned flags)
{
    cu_result result = enter();

    (void)flags;
    if (result != CU_OK)
        return result;
    *memory = malloc(size);
    if (*memory && ptx_pin(*memory, size))
        return leave(CU_OK);
    free(*memory);
    return leave(CU_OUT_OF_MEMORY);
}

API cuMemFreeHost(void *memory)
{
    cu_result result = enter();

    if (result != CU_OK)
        return result;
    result = ptx_streams_wait(machine);
    ptx_unpin(memory);
    free(memory);
    return leave(result);
}

static cu_result copy(enum ptx_task_kind kind, void *host, cu_address address,
                      size_t size, cu_stream stream)
{
    const struct ptx_task task = {
        .kind = kind, .host = host, .address = address, .size = size};
    cu_result result = enter();

    if (result != CU_OK)
        return result;
    if (!ptx_array_of(machine, address, size) || !stream)
        return leave(CU_INVALID_VALUE);
    return leave(ptx_stream_add(machine, stream, &task));
}

API cuMemcpyHtoDAsync_v2(cu_address to, const void *from, size_t size,
                         cu_stream stream)
{
    return copy(PTX_COPY_IN, (void *)(uintptr_t)from, to, size, stream);
}

API cuMemcpyDtoHAsync_v2(void *to, cu_address from, size_t size,
                         cu_stream stream)
{
    return copy(PTX_COPY_OUT, to, from, size, stream);
}

/* As a copy of what is written. */
API cuMemsetD32Async(cu_address to, unsigned value, size_t n, cu_stream stream)
{
    unsigned *from = malloc(n * sizeof *from + 1);
    cu_result result;
    size_t k;

    if (!from)
        return CU_OUT_OF_MEMORY;
    for (k = 0; k < n; ++k)
        from[k] = value;
    result = copy(PTX_COPY_IN, from, to, n * sizeof *from, stream);
    free(from);
    return result;
}

/* ---- Streams and events ------------------------------------------------- */

static cu_result usable(void)
{
    cu_result result = enter();

    return result == CU_OK ? leave(CU_OK) : result;
}

API cuStreamCreate(cu_stream *stream, unsigned flags)
{
    cu_result result = enter();

    (void)flags;
    if (result != CU_OK)
        return result;
    *stream = ptx_stream_new();
    return leave(*stream ? CU_OK : CU_OUT_OF_MEMORY);
}

/* Do the tasks of a stream up to that number, all for SIZE_MAX. */
static cu_result wait_for(cu_stream stream, size_t number)
{
    cu_result result = enter();

    if (result != CU_OK)
        return result;
    if (number == SIZE_MAX)
        number = stream->done + stream->n;
    return leave(ptx_stream_wait(machine, stream, number));
}

API cuStreamSynchronize(cu_stream stream)
{
    return stream ? wait_for(stream, SIZE_MAX) : CU_INVALID_VALUE;
}

/* Also after a fault. */
API cuStreamDestroy_v2(cu_stream stream)
{
    pthread_mutex_lock(&lock);
    ptx_stream_free(machine, stream);
    pthread_mutex_unlock(&lock);
    return usable();
}

API cuEventCreate(cu_event *event, unsigned flags)
{
    cu_result result = usable();

    (void)flags;
    if (result != CU_OK)
        return result;
    *event = calloc(1, sizeof **event);
    return *event ? CU_OK : CU_OUT_OF_MEMORY;
}

API cuEventRecord(cu_event event, cu_stream stream)
{
    cu_result result = enter();

    if (result != CU_OK)
        return result;
    event->stream = stream;
    event->behind = stream ? stream->done + stream->n : 0;
    return leave(stream ? CU_OK : CU_INVALID_VALUE);
}

/* Waits for nothing if nothing was recorded. */
API cuStreamWaitEvent(cu_stream stream, cu_event event, unsigned flags)
{
    const struct ptx_task task = {
        .kind = PTX_WAIT, .awaited = event->stream, .behind = event->behind};
    cu_result result = enter();

    if (result != CU_OK)
        return result;
    if (!stream || flags)
        return leave(CU_INVALID_VALUE);
    return leave(ptx_stream_add(machine, stream, &task));
}

/* Memory that is not pinned is none of ours. */
API cuPointerGetAttribute(void *value, int attribute, cu_address address)
{
    cu_result result = enter();

    if (result != CU_OK)
        return result;
    if (attribute != CU_MEMORY_TYPE ||
        !ptx_is_pinned((const void *)(uintptr_t)address))
        return leave(CU_INVALID_VALUE);
    *(unsigned *)value = 1; /* the host's */
    return leave(CU_OK);
}

API cuEventSynchronize(cu_event event)
{
    return event->stream ? wait_for(event->stream, event->behind)
                         : CU_INVALID_VALUE;
}

/* No time of this machine says anything. */
API cuEventElapsedTime(float *ms, cu_event from, cu_event to)
{
    *ms = 1;
    return from->stream && to->stream ? usable() : CU_INVALID_VALUE;
}

API cuEventDestroy_v2(cu_event event)
{
    free(event);
    return usable();
}

/* ---- Launches ----------------------------------------------------------- */

static void copy_params(const struct ptx_function *f, void **args,
                        unsigned char *params)
{
    size_t k;

    for (k = 0; k < f->n_params; ++k)
        memcpy(params + f->variables[k].address, args[k], f->variables[k].size);
}

/* Under the lock, as is what follows.  After success the task has memory of its
 * own. */
static cu_result prepare(cu_function function, const unsigned grid[3],
                         const unsigned block[3], unsigned shared_bytes,
                         void **args, struct ptx_task *task)
{
    cu_result result;

    *task =
        (struct ptx_task){.kind = PTX_LAUNCH,
                          .launch = {.kernel = function->function,
                                     .grid = {grid[0], grid[1], grid[2]},
                                     .threads = {block[0], block[1], block[2]},
                                     .dynamic_bytes = shared_bytes}};
    if (task->launch.kernel->param_bytes > MOST_PARAMS)
        return CU_INVALID_VALUE;
    result = ptx_check_limits(&task->launch, function->dynamic_bytes);
    if (result != CU_OK)
        return result;
    task->launch.params = task->owned = calloc(1, MOST_PARAMS);
    if (!task->owned)
        return CU_OUT_OF_MEMORY;
    copy_params(task->launch.kernel, args, task->owned);
    return CU_OK;
}

static cu_result launch(cu_function function, const unsigned grid[3],
                        const unsigned block[3], unsigned shared_bytes,
                        cu_stream stream, void **args, bool together)
{
    struct ptx_task task;
    cu_result result = enter();

    if (result != CU_OK)
        return result;
    if (!stream)
        return leave(CU_INVALID_VALUE);
    result = prepare(function, grid, block, shared_bytes, args, &task);
    if (result != CU_OK)
        return leave(result);
    task.launch.together = together;
    ++launches;
    return leave(ptx_stream_add(machine, stream, &task));
}

API cuLaunchKernel(cu_function function, unsigned grid_x, unsigned grid_y,
                   unsigned grid_z, unsigned block_x, unsigned block_y,
                   unsigned block_z, unsigned shared_bytes, cu_stream stream,
                   void **args, void **extra)
{
    const unsigned grid[] = {grid_x, grid_y, grid_z};
    const unsigned block[] = {block_x, block_y, block_z};

    return extra ? CU_INVALID_VALUE
                 : launch(function, grid, block, shared_bytes, stream, args,
                          false);
}

/* Of a device that has a few blocks at a time. */
API cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                cu_function function,
                                                int threads,
                                                size_t shared_bytes)
{
    (void)function;
    (void)threads;
    (void)shared_bytes;
    *blocks = PTX_TOGETHER;
    return CU_OK;
}

API cuLaunchCooperativeKernel(cu_function function, unsigned grid_x,
                              unsigned grid_y, unsigned grid_z,
                              unsigned block_x, unsigned block_y,
                              unsigned block_z, unsigned shared_bytes,
                              cu_stream stream, void **args)
{
    const unsigned grid[] = {grid_x, grid_y, grid_z};
    const unsigned block[] = {block_x, block_y, block_z};

    if (grid_x > PTX_TOGETHER || grid_y != 1 || grid_z != 1)
        return CU_TOO_LARGE;
    return launch(function, grid, block, shared_bytes, stream, args, true);
}

/* ---- Graphs: launches one behind the other ------------------------------- */

API cuGraphCreate(cu_graph *graph, unsigned flags)
{
    cu_result result = usable();

    if (result != CU_OK || flags)
        return result != CU_OK ? result : CU_INVALID_VALUE;
    *graph = calloc(1, sizeof **graph);
    return *graph ? CU_OK : CU_OUT_OF_MEMORY;
}

/* The number of a node is its name. */
API cuGraphAddKernelNode_v2(cu_graph_node *node, cu_graph graph,
                            const cu_graph_node *behind, size_t n_behind,
                            const struct cu_kernel_node *kernel)
{
    struct ptx_task task;
    cu_result result = enter();

    if (result != CU_OK)
        return result;
    if (kernel->extra || n_behind != (graph->n > 0) ||
        (n_behind && (uintptr_t)*behind != graph->n))
        return leave(CU_INVALID_VALUE);
    result = prepare(kernel->function, kernel->grid, kernel->block,
                     kernel->shared_bytes, kernel->args, &task);
    if (result != CU_OK)
        return leave(result);
    if (!GROW(graph->tasks, graph->n)) {
        free(task.owned);
        return leave(CU_OUT_OF_MEMORY);
    }
    graph->tasks[graph->n++] = task;
    *node = (cu_graph_node)graph->n;
    return leave(CU_OK);
}

/* A copy of the task, with memory of its own. */
static bool copy_task(struct ptx_task *to, const struct ptx_task *from)
{
    *to = *from;
    to->launch.params = to->owned = malloc(MOST_PARAMS);
    return to->owned && memcpy(to->owned, from->owned, MOST_PARAMS);
}

API cuGraphInstantiateWithFlags(cu_graph_exec *exec, cu_graph graph,
                                unsigned long long flags)
{
    cu_result result = usable();
    size_t k;

    if (result != CU_OK || flags)
        return result != CU_OK ? result : CU_INVALID_VALUE;
    *exec = calloc(1, sizeof **exec);
    if (!*exec ||
        !((*exec)->tasks = calloc(graph->n + 1, sizeof(struct ptx_task))))
        return CU_OUT_OF_MEMORY;
    for (k = 0; k < graph->n; ++k)
        if (!copy_task(&(*exec)->tasks[(*exec)->n++], &graph->tasks[k]))
            return CU_OUT_OF_MEMORY;
    return CU_OK;
}

static void free_tasks(struct ptx_task *tasks, size_t n)
{
    while (n-- > 0)
        free(tasks[n].owned);
    free(tasks);
}

API cuGraphDestroy(cu_graph graph)
{
    free_tasks(graph->tasks, graph->n);
    free(graph);
    return usable();
}

API cuGraphLaunch(cu_graph_exec exec, cu_stream stream)
{
    struct ptx_task task;
    cu_result result = enter();
    size_t k;

    if (result != CU_OK)
        return result;
    if (!stream)
        return leave(CU_INVALID_VALUE);
    ++graph_launches;
    for (k = 0; result == CU_OK && k < exec->n; ++k) {
        if (!copy_task(&task, &exec->tasks[k]))
            return leave(CU_OUT_OF_MEMORY);
        ++launches;
        result = ptx_stream_add(machine, stream, &task);
    }
    return leave(result);
}

API cuGraphExecDestroy(cu_graph_exec exec)
{
    free_tasks(exec->tasks, exec->n);
    free(exec);
    return usable();
}

/* ---- For the tests of the machine itself --------------------------------- */

/* A new machine; all that belongs to the one before is lost. */
API ptxMachineReset(const char *settings)
{
    char error[512];

    ptx_streams_forget();
    ptx_machine_free(machine);
    machine = ptx_machine_new(settings, error, sizeof error);
    if (!machine)
        fprintf(stderr, "%s\n", error);
    return machine ? CU_OK : CU_INVALID_VALUE;
}

/* Number "n" of the opcodes, by name. */
API ptxMachineOpcode(unsigned n, const char **name, const char **operands)
{
    size_t count;
    const struct ptx_opcode *const *opcodes = ptx_opcodes(&count);

    if (n >= count)
        return CU_INVALID_VALUE;
    *name = opcodes[n]->name;
    *operands = opcodes[n]->operands;
    return CU_OK;
}
