/* cuda_fp16.h - what files of -gpu-print-kernels use of CUDA's header of this
 * name, behind cuda.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CUDA_FP16_H
#define CUDA_FP16_H

struct __half {
    _Float16 value;
};

#define HALF(name, expression)                                                 \
    DEVICE __half name(__half a, __half b)                                     \
    {                                                                          \
        return {(_Float16)(expression)};                                       \
    }
HALF(__hadd_rn, a.value + b.value)
HALF(__hsub_rn, a.value - b.value)
HALF(__hmul_rn, a.value *b.value)

DEVICE __half __hneg(__half a)
{
    return {(_Float16)-a.value};
}
DEVICE __half __habs(__half a)
{
    return {(_Float16)__builtin_fabsf16(a.value)};
}
DEVICE float __half2float(__half a)
{
    return a.value;
}
DEVICE __half __float2half_rn(float a)
{
    return {(_Float16)a};
}
DEVICE __half __double2half(double a)
{
    return {(_Float16)a};
}
BITS(__half_as_short, __half, short)
BITS(__short_as_half, short, __half)
BITS(__half_as_ushort, __half, unsigned short)
BITS(__ushort_as_half, unsigned short, __half)

#endif
