/* device.c - the device of this process: chosen and opened at first use.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "device.h"

#include "env.h"
#include "fibers.h"

#include <pthread.h>
#include <time.h>

static pthread_mutex_t device_lock = PTHREAD_MUTEX_INITIALIZER;
static bool opened;
static const struct polygpu_device *chosen;
static struct polygpu_status open_status;

static void choose_and_open(void)
{
    const struct polygpu_env *env = polygpu_env();

    chosen = env->emulated ? &polygpu_emulated : &polygpu_cuda;
    if (env->fault != POLYGPU_FAULT_NONE)
        chosen = polygpu_with_faults(chosen);
    chosen->open(&open_status);
}

/* The device that the environment selects, NULL with the reason if it cannot
 * be used now.  Opening is tried once. */
const struct polygpu_device *polygpu_device(struct polygpu_status *status)
{
    if (!__atomic_load_n(&opened, __ATOMIC_ACQUIRE)) {
        pthread_mutex_lock(&device_lock);
        if (!opened) {
            choose_and_open();
            __atomic_store_n(&opened, true, __ATOMIC_RELEASE);
        }
        pthread_mutex_unlock(&device_lock);
    }
    if (open_status.cause != POLYGPU_OK) {
        polygpu_fail(status, open_status.cause, "%s", open_status.text);
        return NULL;
    }
    return chosen->alive(status) ? chosen : NULL;
}

/* In the child of a fork: another thread may have held a lock. */
void polygpu_device_after_fork(void)
{
    pthread_mutex_init(&device_lock, NULL);
    polygpu_fibers_after_fork();
}

double polygpu_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}
