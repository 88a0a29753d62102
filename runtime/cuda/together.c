/* together.c - see together.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda/together.h"

/* A sector of memory, so that nothing else is in it. */
enum { COUNTER_BYTES = 32 };

static bool make_counter(const struct polygpu_cuda_driver *cuda,
                         cu_stream stream, cu_address *counter)
{
    if (*counter)
        return true;
    if (cuda->mem_alloc(counter, COUNTER_BYTES) != CU_OK) {
        *counter = 0;
        return false;
    }
    if (cuda->set_words(*counter, 0, COUNTER_BYTES / 4, stream) == CU_OK)
        return true;
    cuda->mem_free(*counter);
    *counter = 0;
    return false;
}

unsigned polygpu_resident(const struct polygpu_cuda_driver *cuda,
                          cu_device device, cu_function function,
                          const struct polygpu_kernel *kernel)
{
    const uint32_t *n = kernel->block;
    bool dynamic = kernel->flags & POLYGPU_KERNEL_DYNAMIC;
    int multiprocessors = 0, blocks = 0;

    if (!function || !cuda->occupancy ||
        cuda->device_attribute(&multiprocessors, CU_MULTIPROCESSORS, device) !=
            CU_OK ||
        cuda->occupancy(&blocks, function, (int)(n[0] * n[1] * n[2]),
                        dynamic ? kernel->shared_bytes : 0) != CU_OK ||
        blocks < 1 || multiprocessors < 1)
        return 0;
    return (unsigned)blocks * (unsigned)multiprocessors;
}

unsigned polygpu_together(const struct polygpu_cuda_driver *cuda,
                          cu_device device, cu_function function,
                          const struct polygpu_kernel *kernel, cu_stream stream,
                          cu_address *counter)
{
    unsigned blocks;
    int possible = 0;

    if (!cuda->launch_together || !cuda->set_words ||
        cuda->device_attribute(&possible, CU_COOPERATIVE_LAUNCH, device) !=
            CU_OK ||
        !possible)
        return 0;
    blocks = polygpu_resident(cuda, device, function, kernel);
    return blocks && make_counter(cuda, stream, counter) ? blocks : 0;
}
