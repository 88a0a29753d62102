/* libraries.h - the part of NVIDIA's driver interface and of cuBLAS that peak.c
 * calls, looked up when it runs, so that nothing of CUDA is needed to build.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_BENCH_GPU_LIBRARIES_H
#define POLYGPU_BENCH_GPU_LIBRARIES_H

#include "cuda/cuda_driver.h" /* types and numbers; functions are our own choice */

enum {
    CU_L2_BYTES = 38,
};

struct cuda {
    cu_result (*init)(unsigned flags);
    cu_result (*error_string)(cu_result error, const char **text);
    cu_result (*driver_version)(int *version);
    cu_result (*device_count)(int *count);
    cu_result (*device_get)(cu_device *device, int ordinal);
    cu_result (*device_name)(char *name, int size, cu_device device);
    cu_result (*device_attribute)(int *value, int attribute, cu_device device);
    cu_result (*context_retain)(cu_context *context, cu_device device);
    cu_result (*context_set)(cu_context context);
    cu_result (*module_load)(cu_module *module, const void *image,
                             unsigned n_options, int *options, void **values);
    cu_result (*module_function)(cu_function *function, cu_module module,
                                 const char *name);
    cu_result (*mem_alloc)(cu_address *address, size_t size);
    cu_result (*mem_free)(cu_address address);
    cu_result (*copy)(cu_address to, cu_address from, size_t size,
                      cu_stream stream);
    cu_result (*set_bytes)(cu_address to, unsigned char value, size_t size,
                           cu_stream stream);
    cu_result (*stream_create)(cu_stream *stream, unsigned flags);
    cu_result (*stream_synchronize)(cu_stream stream);
    cu_result (*event_create)(cu_event *event, unsigned flags);
    cu_result (*event_record)(cu_event event, cu_stream stream);
    cu_result (*event_synchronize)(cu_event event);
    cu_result (*event_elapsed)(float *ms, cu_event from, cu_event to);
    cu_result (*launch)(cu_function function, unsigned grid_x, unsigned grid_y,
                        unsigned grid_z, unsigned block_x, unsigned block_y,
                        unsigned block_z, unsigned shared_bytes,
                        cu_stream stream, void **args, void **extra);
};

typedef struct blas_handle_object *blas_handle;

/* Of cuBLAS: 0 is no transposition, the lower triangle, the left side, and a
 * diagonal that is stored. */
enum { BLAS_N = 0, BLAS_T = 1 };
enum { BLAS_LOWER = 0, BLAS_UPPER = 1 };
enum { BLAS_LEFT = 0, BLAS_RIGHT = 1 };
enum { BLAS_STORED = 0, BLAS_UNIT = 1 };

/* Each operation for float and for double.  Factors are pointers to numbers of
 * that type in host memory, arrays are device memory. */
enum { FLOAT = 0, DOUBLE = 1, TYPES = 2 };

struct blas {
    int (*create)(blas_handle *handle);
    int (*version)(blas_handle handle, int *version);
    int (*set_stream)(blas_handle handle, cu_stream stream);
    int (*gemm[TYPES])(blas_handle handle, int trans_a, int trans_b, int m,
                       int n, int k, const void *alpha, cu_address a, int lda,
                       cu_address b, int ldb, const void *beta, cu_address c,
                       int ldc);
    int (*gemv[TYPES])(blas_handle handle, int trans, int m, int n,
                       const void *alpha, cu_address a, int lda, cu_address x,
                       int incx, const void *beta, cu_address y, int incy);
    int (*ger[TYPES])(blas_handle handle, int m, int n, const void *alpha,
                      cu_address x, int incx, cu_address y, int incy,
                      cu_address a, int lda);
    int (*syrk[TYPES])(blas_handle handle, int fill, int trans, int n, int k,
                       const void *alpha, cu_address a, int lda,
                       const void *beta, cu_address c, int ldc);
    int (*syr2k[TYPES])(blas_handle handle, int fill, int trans, int n, int k,
                        const void *alpha, cu_address a, int lda, cu_address b,
                        int ldb, const void *beta, cu_address c, int ldc);
    int (*symm[TYPES])(blas_handle handle, int side, int fill, int m, int n,
                       const void *alpha, cu_address a, int lda, cu_address b,
                       int ldb, const void *beta, cu_address c, int ldc);
    int (*trmm[TYPES])(blas_handle handle, int side, int fill, int trans,
                       int diagonal, int m, int n, const void *alpha,
                       cu_address a, int lda, cu_address b, int ldb,
                       cu_address c, int ldc);
    int (*geam[TYPES])(blas_handle handle, int trans_a, int trans_b, int m,
                       int n, const void *alpha, cu_address a, int lda,
                       const void *beta, cu_address b, int ldb, cu_address c,
                       int ldc);
};

/* Look up all functions.  NULL, or a sentence on what is missing. */
const char *cuda_open(struct cuda *cuda);
const char *blas_open(struct blas *blas);

#endif
