/* current.h - a context is made current for some calls of the driver.
 *
 * What we do then is not to become a part of a graph that another thread
 * captures, nor to end its capture, as an allocation would.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_CURRENT_H
#define POLYGPU_CURRENT_H

#include "cuda/cuda_driver.h"

/* In this thread, once at a time. */
cu_result polygpu_make_current(const struct polygpu_cuda_driver *driver,
                               cu_context context);
/* After success of that: as it was before. */
void polygpu_leave_current(const struct polygpu_cuda_driver *driver);

#endif
