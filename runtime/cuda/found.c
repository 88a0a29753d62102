/* found.c - see found.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda/found.h"

#include "support/device.h"
#include "support/env.h"
#include "support/log.h"

#include <pthread.h>

/* The device of the context that the program has made current in this thread.
 */
static bool find_current(const struct polygpu_cuda_driver *d, cu_device *found)
{
    cu_context current = NULL;

    return d->context_current && d->context_device &&
           d->context_current(&current) == CU_OK && current &&
           d->context_device(found) == CU_OK;
}

/* One of "count" devices. */
static bool choose_device(const struct polygpu_cuda_driver *d, int count,
                          cu_device *found, struct polygpu_status *status)
{
    const struct polygpu_env *env = polygpu_env();
    int number = 0;

    if (env->device >= count)
        return polygpu_fail(status, POLYGPU_CAUSE_OPEN,
                            "POLYGPU_DEVICE=cuda:%d: the last of %d CUDA "
                            "devices is cuda:%d",
                            env->device, count, count - 1);
    if (env->device < 0 && find_current(d, found))
        return true;
    if (env->device >= 0)
        number = env->device;
    else if (env->local_rank >= 0)
        number = env->local_rank % count;
    if (d->device_get(found, number) != CU_OK)
        return polygpu_fail(status, POLYGPU_CAUSE_NO_DEVICE, "no CUDA device");
    POLYGPU_LOG("CUDA device %d of %d, %s", number, count,
                env->device >= 0       ? "by POLYGPU_DEVICE"
                : env->local_rank >= 0 ? env->rank_name
                                       : "the first");
    return true;
}

bool polygpu_cuda_find(const struct polygpu_cuda_driver **driver,
                       cu_device *found, unsigned *capability,
                       struct polygpu_status *status)
{
    const struct polygpu_cuda_driver *d = polygpu_cuda_driver(status);
    int count = 0, major = 0, minor = 0;
    const char *text = NULL;
    cu_result result;

    if (!d)
        return false;
    result = d->init(0);
    if (result != CU_OK) {
        if (d->error_string(result, &text) != CU_OK || !text)
            text = "unknown error";
        return polygpu_fail(status, POLYGPU_CAUSE_NO_DEVICE,
                            "no CUDA device (%s)", text);
    }
    if (d->device_count(&count) != CU_OK || count < 1)
        return polygpu_fail(status, POLYGPU_CAUSE_NO_DEVICE, "no CUDA device");
    if (!choose_device(d, count, found, status))
        return false;
    if (d->device_attribute(&major, CU_CAPABILITY_MAJOR, *found) != CU_OK ||
        d->device_attribute(&minor, CU_CAPABILITY_MINOR, *found) != CU_OK)
        return polygpu_fail(status, POLYGPU_CAUSE_OPEN,
                            "the CUDA device does not tell its compute "
                            "capability");
    *capability = (unsigned)(major * 10 + minor);
    *driver = d;
    return true;
}

static unsigned found_arch;
static pthread_once_t found_once = PTHREAD_ONCE_INIT;

static void find_arch(void)
{
    const struct polygpu_cuda_driver *ignored_driver;
    struct polygpu_status ignored = {0};
    cu_device ignored_device;
    unsigned capability = 0;

    if (polygpu_cuda_find(&ignored_driver, &ignored_device, &capability,
                          &ignored))
        found_arch = capability;
}

/* Starts the driver but opens no context. */
uint32_t polygpu_cuda_arch(void)
{
    pthread_once(&found_once, find_arch);
    return found_arch;
}
