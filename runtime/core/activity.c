/* activity.c - see activity.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/activity.h"

#include "support/env.h"

static int activity = POLYGPU_UNKNOWN;

enum polygpu_activity polygpu_activity(void)
{
    return (enum polygpu_activity)__atomic_load_n(&activity, __ATOMIC_RELAXED);
}

void polygpu_become_active(void)
{
    int unknown = POLYGPU_UNKNOWN;

    __atomic_compare_exchange_n(&activity, &unknown, POLYGPU_ACTIVE, false,
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Nobody asks why: a reason that the user should know has been given by then.
 */
void polygpu_become_passive(void)
{
    const struct polygpu_env *env = polygpu_env();

    if (env->mode != POLYGPU_MANDATORY && !env->profile && !env->debug)
        __atomic_store_n(&activity, POLYGPU_PASSIVE, __ATOMIC_RELAXED);
}
