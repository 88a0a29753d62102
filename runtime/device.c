/* device.c - the device of this process: chosen and opened at first use; and
 * whether it is worth while to ask for it at all.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "device.h"

#include "cuda_driver.h"
#include "env.h"
#include "fibers.h"
#include "inside.h"
#include "profile.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t device_lock = PTHREAD_MUTEX_INITIALIZER;
static bool opened, opening;
static const struct polygpu_device *chosen;
static struct polygpu_status open_status;

/* What polygpu_active knows. */
enum { UNKNOWN, ACTIVE, PASSIVE };
static int activity;

_Thread_local volatile sig_atomic_t polygpu_depth;

/* From now on the original loops run, and nobody asks why: a reason that the
 * user should know has been given by then. */
static void become_passive(void)
{
    const struct polygpu_env *env = polygpu_env();

    if (env->mode != POLYGPU_MANDATORY && !env->profile && !env->debug)
        __atomic_store_n(&activity, PASSIVE, __ATOMIC_RELAXED);
}

/* Without a look at the device itself, which takes long. */
static int decide_activity(void)
{
    const struct polygpu_env *env = polygpu_env();
    struct polygpu_status status = {0};
    int unknown = UNKNOWN;

    polygpu_profile_link();
    if (env->mode == POLYGPU_OFF ||
        (!env->emulated && !polygpu_cuda_driver(&status) &&
         status.cause == POLYGPU_CAUSE_NO_DEVICE))
        become_passive();
    __atomic_compare_exchange_n(&activity, &unknown, ACTIVE, false,
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return __atomic_load_n(&activity, __ATOMIC_RELAXED);
}

int polygpu_active(void)
{
    int known = __atomic_load_n(&activity, __ATOMIC_RELAXED);

    if (known == UNKNOWN && !polygpu_is_inside()) {
        struct polygpu_outside saved = polygpu_enter();

        known = decide_activity();
        polygpu_leave(saved);
    }
    return known == ACTIVE;
}

/* To be called under the lock. */
static void choose(void)
{
    const struct polygpu_env *env = polygpu_env();

    if (chosen)
        return;
    chosen = env->emulated ? &polygpu_emulated : &polygpu_cuda;
    if (env->fault != POLYGPU_FAULT_NONE)
        chosen = polygpu_with_faults(chosen);
}

/* The device that polygpu_device would open now, NULL if that has been tried
 * already. */
const struct polygpu_device *polygpu_device_unopened(void)
{
    const struct polygpu_device *device = NULL;

    if (__atomic_load_n(&opened, __ATOMIC_ACQUIRE))
        return NULL;
    pthread_mutex_lock(&device_lock);
    if (!opened) {
        choose();
        device = chosen;
    }
    pthread_mutex_unlock(&device_lock);
    return device;
}

/* The device that the environment selects, NULL with the reason if it cannot
 * be used now.  Opening is tried once. */
const struct polygpu_device *polygpu_device(struct polygpu_status *status)
{
    if (!__atomic_load_n(&opened, __ATOMIC_ACQUIRE)) {
        pthread_mutex_lock(&device_lock);
        if (!opened) {
            choose();
            __atomic_store_n(&opening, true, __ATOMIC_RELEASE);
            chosen->open(&open_status);
            __atomic_store_n(&opening, false, __ATOMIC_RELEASE);
            __atomic_store_n(&opened, true, __ATOMIC_RELEASE);
        }
        pthread_mutex_unlock(&device_lock);
    }
    if (open_status.cause != POLYGPU_OK)
        polygpu_fail(status, open_status.cause, "%s", open_status.text);
    else if (chosen->alive(status))
        return chosen;
    become_passive();
    return NULL;
}

/* In the child of a fork: another thread may have held a lock, and may have
 * been in the middle of opening the device, which it will not finish here. */
void polygpu_device_after_fork(void)
{
    pthread_mutex_init(&device_lock, NULL);
    if (__atomic_load_n(&opening, __ATOMIC_ACQUIRE)) {
        memset(&open_status, 0, sizeof open_status);
        polygpu_fail(&open_status, POLYGPU_CAUSE_NO_DEVICE,
                     "no device in a forked process whose parent was opening "
                     "it");
        opening = false;
        opened = true;
    }
    polygpu_fibers_after_fork();
}

double polygpu_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}
