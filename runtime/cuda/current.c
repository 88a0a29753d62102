/* current.c - see current.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda/current.h"

/* How this thread's calls behave while the program captures a graph. */
static _Thread_local int capture_mode;

static void exchange_capture_mode(const struct polygpu_cuda_driver *driver)
{
    if (driver->capture_mode)
        driver->capture_mode(&capture_mode);
}

cu_result polygpu_make_current(const struct polygpu_cuda_driver *driver,
                               cu_context context)
{
    cu_result result = driver->context_push(context);

    if (result == CU_OK) {
        capture_mode = CU_CAPTURE_RELAXED;
        exchange_capture_mode(driver);
    }
    return result;
}

void polygpu_leave_current(const struct polygpu_cuda_driver *driver)
{
    cu_context popped;

    exchange_capture_mode(driver);
    driver->context_pop(&popped);
}
