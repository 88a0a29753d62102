/* cuda_driver.h - the part of NVIDIA's driver interface that we call.
 *
 * Declared here so that nothing of CUDA is needed to build; the functions are
 * looked up in libcuda.so.1 when the first program part wants a device.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_CUDA_DRIVER_H
#define POLYGPU_CUDA_DRIVER_H

#include <stddef.h>
#include <stdint.h>

typedef int cu_result;
typedef int cu_device;
typedef uintptr_t cu_address; /* device memory; 64 bits where CUDA runs */
typedef struct cu_context_object *cu_context;
typedef struct cu_stream_object *cu_stream;
typedef struct cu_module_object *cu_module;
typedef struct cu_function_object *cu_function;
typedef struct cu_event_object *cu_event;
typedef struct cu_graph_object *cu_graph;
typedef struct cu_graph_node_object *cu_graph_node;
typedef struct cu_graph_exec_object *cu_graph_exec;

enum {
    CU_OK = 0,
    CU_BAD_VALUE = 1,
    CU_OUT_OF_MEMORY = 2,
    CU_NOT_INITIALIZED = 3,
    CU_DEINITIALIZED = 4,
    CU_INVALID_CONTEXT = 201,
    CU_ECC_UNCORRECTABLE = 214,
    CU_INVALID_PTX = 218,
    CU_NVLINK_UNCORRECTABLE = 220,
    CU_UNSUPPORTED_PTX = 222,
    CU_CONTAINED = 226,
    CU_NOT_FOUND = 500,
    CU_ILLEGAL_ADDRESS = 700,
    CU_LAUNCH_TIMEOUT = 702,
    CU_CONTEXT_IS_DESTROYED = 709,
    CU_ASSERT = 710,
    CU_HARDWARE_STACK_ERROR = 714,
    CU_ILLEGAL_INSTRUCTION = 715,
    CU_MISALIGNED_ADDRESS = 716,
    CU_INVALID_ADDRESS_SPACE = 717,
    CU_INVALID_PC = 718,
    CU_LAUNCH_FAILED = 719,
    CU_TOO_LARGE = 720, /* blocks that are to be there at once */
    CU_TENSOR_MEMORY_LEAK = 721,
    CU_NOT_SUPPORTED = 801,
    CU_MPS_CLIENT_TERMINATED = 810,
    CU_EXTERNAL_DEVICE = 911,
    CU_UNKNOWN = 999
};

enum {
    CU_CLOCK = 13, /* kHz */
    CU_MULTIPROCESSORS = 16,
    CU_INTEGRATED = 18,   /* its memory is the host's */
    CU_MEMORY_CLOCK = 36, /* kHz */
    CU_MEMORY_WIDTH = 37, /* bits */
    CU_CAPABILITY_MAJOR = 75,
    CU_CAPABILITY_MINOR = 76,
    CU_SINGLE_TO_DOUBLE = 87, /* how many times faster */
    CU_COOPERATIVE_LAUNCH = 95,
    CU_HOST_PAGE_TABLES = 100 /* it goes by them: malloc's memory is its own */
};
enum { CU_FUNCTION_DYNAMIC_SHARED = 8 }; /* bytes, at most */
enum { CU_JIT_ERROR_LOG = 5, CU_JIT_ERROR_LOG_SIZE = 6 };
enum { CU_STREAM_OWN_ORDER = 1, CU_EVENT_PLAIN = 0, CU_EVENT_NO_TIMING = 2 };
enum { CU_HOST_ALLOC_PLAIN = 0 };
enum { CU_CAPTURE_RELAXED = 2 };
enum { CU_MEMORY_TYPE = 2 }; /* of a pointer; an error: none of CUDA's */

/* A launch as a node of a graph; what the pointers point to is copied. */
struct cu_kernel_node {
    cu_function function;
    unsigned grid[3], block[3], shared_bytes;
    void **args, **extra;
    void *kernel, *context; /* not used where there is a function */
};

struct polygpu_cuda_driver {
    cu_result (*init)(unsigned flags);
    cu_result (*error_string)(cu_result error, const char **text);
    cu_result (*device_count)(int *count);
    cu_result (*device_get)(cu_device *device, int ordinal);
    cu_result (*device_attribute)(int *value, int attribute, cu_device device);
    cu_result (*context_retain)(cu_context *context, cu_device device);
    cu_result (*context_push)(cu_context context);
    cu_result (*context_pop)(cu_context *context);
    cu_result (*module_load)(cu_module *module, const void *image,
                             unsigned n_options, int *options, void **values);
    cu_result (*module_unload)(cu_module module);
    cu_result (*module_function)(cu_function *function, cu_module module,
                                 const char *name);
    cu_result (*function_set)(cu_function function, int attribute, int value);
    cu_result (*mem_alloc)(cu_address *address, size_t size);
    cu_result (*mem_free)(cu_address address);
    cu_result (*copy_in)(cu_address to, const void *from, size_t size,
                         cu_stream stream);
    cu_result (*copy_out)(void *to, cu_address from, size_t size,
                          cu_stream stream);
    cu_result (*stream_create)(cu_stream *stream, unsigned flags);
    cu_result (*stream_synchronize)(cu_stream stream);
    cu_result (*stream_destroy)(cu_stream stream);
    cu_result (*event_create)(cu_event *event, unsigned flags);
    cu_result (*event_record)(cu_event event, cu_stream stream);
    cu_result (*event_synchronize)(cu_event event);
    cu_result (*event_elapsed)(float *ms, cu_event from, cu_event to);
    cu_result (*event_destroy)(cu_event event);
    cu_result (*launch)(cu_function function, unsigned grid_x, unsigned grid_y,
                        unsigned grid_z, unsigned block_x, unsigned block_y,
                        unsigned block_z, unsigned shared_bytes,
                        cu_stream stream, void **args, void **extra);
    /* NULL in old drivers, or where a test leaves them out.  For programs
     * that use CUDA themselves: */
    cu_result (*context_current)(cu_context *context);
    cu_result (*context_device)(cu_device *device);
    cu_result (*context_id)(cu_context context, unsigned long long *id);
    cu_result (*capture_mode)(int *mode);
    cu_result (*mem_info)(size_t *left, size_t *all);
    cu_result (*host_alloc)(void **memory, size_t size, unsigned flags);
    cu_result (*host_free)(void *memory);
    cu_result (*version)(int *version); /* of CUDA: 12040 is 12.4 */
    cu_result (*stream_wait)(cu_stream stream, cu_event event, unsigned flags);
    cu_result (*pointer_attribute)(void *value, int attribute,
                                   cu_address address);
    /* From CUDA 12.0 on. */
    cu_result (*graph_create)(cu_graph *graph, unsigned flags);
    cu_result (*graph_add)(cu_graph_node *node, cu_graph graph,
                           const cu_graph_node *behind, size_t n_behind,
                           const struct cu_kernel_node *kernel);
    cu_result (*graph_instantiate)(cu_graph_exec *made, cu_graph graph,
                                   unsigned long long flags);
    cu_result (*graph_destroy)(cu_graph graph);
    cu_result (*graph_launch)(cu_graph_exec made, cu_stream stream);
    cu_result (*graph_exec_destroy)(cu_graph_exec made);
    cu_result (*launch_together)(cu_function function, unsigned grid_x,
                                 unsigned grid_y, unsigned grid_z,
                                 unsigned block_x, unsigned block_y,
                                 unsigned block_z, unsigned shared_bytes,
                                 cu_stream stream, void **args);
    cu_result (*occupancy)(int *blocks, cu_function function, int threads,
                           size_t shared_bytes);
    cu_result (*set_words)(cu_address address, unsigned value, size_t n,
                           cu_stream stream);
    /* Of drivers made for tests alone: the first "size" bytes of what was
     * allocated are an array's now, without a value, and no others. */
    cu_result (*lend)(cu_address address, size_t size);
};

/* Set when there is no driver: what is missing. */
struct polygpu_status;
const struct polygpu_cuda_driver *
polygpu_cuda_driver(struct polygpu_status *status);

#endif
