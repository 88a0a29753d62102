/* cuda_peak.c - see cuda_peak.h.
 *
 * Clocks are the highest that the driver tells, so that a device which is kept
 * slower never gets there.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda/cuda_peak.h"

/* A device's number, 0 where it does not tell. */
static double ask(const struct polygpu_cuda_driver *cuda, cu_device device,
                  int attribute)
{
    int value = 0;

    return cuda->device_attribute(&value, attribute, device) == CU_OK &&
                   value > 0
               ? value
               : 0;
}

/* FMAs of 32-bit numbers that a multiprocessor starts in a cycle, by the CUDA
 * C++ Programming Guide, "Throughput of Native Arithmetic Instructions". */
static double fmas_of(unsigned arch)
{
    switch (arch) {
    case 75:
    case 80:
        return 64;
    case 86:
    case 87:
    case 89:
    case 90:
    case 100:
    case 103:
    case 110:
    case 120:
    case 121:
        return 128;
    default:
        return 0;
    }
}

void polygpu_cuda_peak(const struct polygpu_cuda_driver *cuda, cu_device device,
                       unsigned arch, struct polygpu_peak *peak)
{
    double ratio = ask(cuda, device, CU_SINGLE_TO_DOUBLE);
    double cycles = ask(cuda, device, CU_CLOCK) *
                    ask(cuda, device, CU_MULTIPROCESSORS) * 1e-6;

    peak->flops_single = 2 * fmas_of(arch) * cycles;
    peak->flops_double = ratio > 0 ? peak->flops_single / ratio : 0;
    /* two transfers in a cycle */
    peak->bytes = 2 * ask(cuda, device, CU_MEMORY_CLOCK) *
                  ask(cuda, device, CU_MEMORY_WIDTH) / 8 * 1e-6;
}
