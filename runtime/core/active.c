/* active.c - is it worth while to ask for the device at all?
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/activity.h"
#include "core/profile.h"
#include "cuda/cuda_driver.h"
#include "support/device.h"
#include "support/env.h"
#include "support/inside.h"

/* Without a look at the device itself, which takes long. */
static void decide_activity(void)
{
    const struct polygpu_env *env = polygpu_env();
    struct polygpu_status status = {0};

    polygpu_profile_link();
    if (env->mode == POLYGPU_OFF ||
        (!env->emulated && !polygpu_cuda_driver(&status) &&
         status.cause == POLYGPU_CAUSE_NO_DEVICE))
        polygpu_become_passive();
    polygpu_become_active();
}

int polygpu_active(void)
{
    if (polygpu_activity() == POLYGPU_UNKNOWN && !polygpu_is_inside()) {
        struct polygpu_outside saved = polygpu_enter();

        decide_activity();
        polygpu_leave(saved);
    }
    return polygpu_activity() == POLYGPU_ACTIVE;
}
