/* cuda.h - what files of -gpu-print-kernels use of CUDA, for clang without
 * CUDA's headers:
 *
 *   clang++ -x cuda -nocudainc -nocudalib -Xclang -target-sdk-version=12.8 \
 *       -include cuda.h FILE.cu
 *
 * On the host kernels are launched by the functions of cudart.c.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CUDA_H
#define CUDA_H

#include <stddef.h>

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))

struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x, y, z;
    __host__ __device__ dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
        : x(x), y(y), z(z)
    {
    }
    __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
};

#include <__clang_cuda_builtin_vars.h>

/* ---- The host ----------------------------------------------------------- */

typedef int cudaError_t;
enum { cudaSuccess = 0, cudaErrorInvalidValue = 1 };
enum { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };
enum { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
typedef struct stream *cudaStream_t;

extern "C" {
cudaError_t cudaMalloc(void **address, size_t size);
cudaError_t cudaFree(void *address);
cudaError_t cudaMemcpy(void *to, const void *from, size_t size, int kind);
cudaError_t cudaGetLastError(void);
cudaError_t cudaFuncSetAttribute(const void *kernel, int attribute, int value);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block,
                             void **arguments, size_t shared,
                             cudaStream_t stream);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                     struct stream *stream = 0);
unsigned __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                    void *stream);
}

/* ---- The device --------------------------------------------------------- */

#define DEVICE static inline __device__ __attribute__((always_inline))

#define BOTH(type, end)                                                        \
    DEVICE type fma##end(type a, type b, type c)                               \
    {                                                                          \
        return __builtin_fma##end(a, b, c);                                    \
    }                                                                          \
    DEVICE type fabs##end(type a)                                              \
    {                                                                          \
        return __builtin_fabs##end(a);                                         \
    }                                                                          \
    DEVICE type floor##end(type a)                                             \
    {                                                                          \
        return __builtin_floor##end(a);                                        \
    }                                                                          \
    DEVICE type ceil##end(type a)                                              \
    {                                                                          \
        return __builtin_ceil##end(a);                                         \
    }                                                                          \
    DEVICE type trunc##end(type a)                                             \
    {                                                                          \
        return __builtin_trunc##end(a);                                        \
    }                                                                          \
    DEVICE type round##end(type a)                                             \
    {                                                                          \
        return __builtin_round##end(a);                                        \
    }                                                                          \
    DEVICE type rint##end(type a)                                              \
    {                                                                          \
        return __builtin_rint##end(a);                                         \
    }                                                                          \
    DEVICE type copysign##end(type a, type b)                                  \
    {                                                                          \
        return __builtin_copysign##end(a, b);                                  \
    }                                                                          \
    DEVICE type fmin##end(type a, type b)                                      \
    {                                                                          \
        return __builtin_fmin##end(a, b);                                      \
    }                                                                          \
    DEVICE type fmax##end(type a, type b)                                      \
    {                                                                          \
        return __builtin_fmax##end(a, b);                                      \
    }
BOTH(float, f)
BOTH(double, )

DEVICE float sqrtf(float a)
{
    return __nvvm_sqrt_rn_f(a);
}
DEVICE double sqrt(double a)
{
    return __nvvm_sqrt_rn_d(a);
}
DEVICE float __fmul_rn(float a, float b)
{
    return __nvvm_mul_rn_f(a, b);
}
DEVICE double __dmul_rn(double a, double b)
{
    return __nvvm_mul_rn_d(a, b);
}

/* ---- Asynchronous copies ------------------------------------------------- */

DEVICE void __pipeline_memcpy_async(void *to, const void *from, size_t size,
                                    size_t zero = 0)
{
    auto *shared = (__attribute__((address_space(3))) void *)to;
    auto *global = (const __attribute__((address_space(1))) void *)from;
    unsigned valid = (unsigned)(size - zero);

    if (size == 4)
        __nvvm_cp_async_ca_shared_global_4(shared, global, valid);
    else if (size == 8)
        __nvvm_cp_async_ca_shared_global_8(shared, global, valid);
    else
        __nvvm_cp_async_cg_shared_global_16(shared, global, valid);
}
DEVICE void __pipeline_commit()
{
    __nvvm_cp_async_commit_group();
}
template <int N> DEVICE void wait()
{
    __nvvm_cp_async_wait_group(N);
}
DEVICE void __pipeline_wait_prior(int pending)
{
    switch (pending) {
    case 0:
        return wait<0>();
    case 1:
        return wait<1>();
    case 2:
        return wait<2>();
    case 3:
        return wait<3>();
    case 4:
        return wait<4>();
    case 5:
        return wait<5>();
    default:
        return wait<6>();
    }
}

/* ---- Vectors ------------------------------------------------------------- */

#define VECTORS(type, name)                                                    \
    struct __attribute__((aligned(2 * sizeof(type)))) name##2                  \
    {                                                                          \
        type x, y;                                                             \
    };                                                                         \
    DEVICE name##2 make_##name##2(type x, type y)                              \
    {                                                                          \
        return {x, y};                                                         \
    }
#define VECTORS4(type, name)                                                   \
    VECTORS(type, name)                                                        \
    struct __attribute__((aligned(4 * sizeof(type)))) name##4                  \
    {                                                                          \
        type x, y, z, w;                                                       \
    };                                                                         \
    DEVICE name##4 make_##name##4(type x, type y, type z, type w)              \
    {                                                                          \
        return {x, y, z, w};                                                   \
    }
VECTORS4(signed char, char)
VECTORS4(short, short)
VECTORS4(int, int)
VECTORS4(float, float)
VECTORS(long long, longlong)
VECTORS(double, double)

#define EXTREMES(type)                                                         \
    DEVICE type min(type a, type b)                                            \
    {                                                                          \
        return a < b ? a : b;                                                  \
    }                                                                          \
    DEVICE type max(type a, type b)                                            \
    {                                                                          \
        return a > b ? a : b;                                                  \
    }
EXTREMES(int)
EXTREMES(unsigned)
EXTREMES(long long)
EXTREMES(unsigned long long)

#define BITS(name, from, to)                                                   \
    DEVICE to name(from a)                                                     \
    {                                                                          \
        return __builtin_bit_cast(to, a);                                      \
    }
BITS(__float_as_int, float, int)
BITS(__int_as_float, int, float)
BITS(__double_as_longlong, double, long long)
BITS(__longlong_as_double, long long, double)
DEVICE int __popc(unsigned a)
{
    return __builtin_popcount(a);
}
DEVICE int __popcll(unsigned long long a)
{
    return __builtin_popcountll(a);
}
DEVICE int __clz(int a)
{
    return a ? __builtin_clz((unsigned)a) : 32;
}
DEVICE int __clzll(long long a)
{
    return a ? __builtin_clzll((unsigned long long)a) : 64;
}
DEVICE unsigned __brev(unsigned a)
{
    return __builtin_bitreverse32(a);
}
DEVICE unsigned long long __brevll(unsigned long long a)
{
    return __builtin_bitreverse64(a);
}

#define ATOMIC(name, type, operation)                                          \
    DEVICE type atomic##name(type *p, type v)                                  \
    {                                                                          \
        return operation(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);       \
    }
#define ATOMICS(type)                                                          \
    ATOMIC(Add, type, __scoped_atomic_fetch_add)                               \
    ATOMIC(And, type, __scoped_atomic_fetch_and)                               \
    ATOMIC(Or, type, __scoped_atomic_fetch_or)                                 \
    ATOMIC(Xor, type, __scoped_atomic_fetch_xor)                               \
    ATOMIC(Min, type, __scoped_atomic_fetch_min)                               \
    ATOMIC(Max, type, __scoped_atomic_fetch_max)
ATOMICS(int)
ATOMICS(unsigned)
ATOMICS(unsigned long long)
ATOMIC(Min, long long, __scoped_atomic_fetch_min)
ATOMIC(Max, long long, __scoped_atomic_fetch_max)
DEVICE unsigned atomicCAS(unsigned *p, unsigned old, unsigned v)
{
    __scoped_atomic_compare_exchange_n(p, &old, v, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED,
                                       __MEMORY_SCOPE_DEVICE);
    return old;
}
ATOMIC(Add, float, __scoped_atomic_fetch_add)
ATOMIC(Add, double, __scoped_atomic_fetch_add)

#endif
