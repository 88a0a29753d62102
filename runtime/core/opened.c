/* opened.c - see opened.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/opened.h"

#include "core/activity.h"
#include "core/load_emulated.h"
#include "core/observed.h"
#include "core/pool.h"
#include "core/residency.h"
#include "core/run.h"
#include "cuda/cuda.h"
#include "emulated/library.h"
#include "support/env.h"
#include "support/inside.h"
#include "support/instances.h"
#include "support/workers.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t device_lock = PTHREAD_MUTEX_INITIALIZER;
static bool opened, opening;
static pthread_once_t forks_watched = PTHREAD_ONCE_INIT;
static const struct polygpu_device *chosen;
static struct polygpu_status open_status;
static struct polygpu_peak peak;
static pid_t opener; /* the process that opened the device */

/* In the child of a fork: another thread may have held a lock, and may have
 * been in the middle of opening the device, which it will not finish here. */
static void after_fork(void)
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
}

/* Before the lock is taken for the first time. */
static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, after_fork);
}

/* To be called under the lock. */
static void open_device(const char *library)
{
    const struct polygpu_env *env = polygpu_env();
    const struct polygpu_emulated_library *emulated = NULL;

    if ((env->emulated || env->fault.wanted) &&
        !(emulated = polygpu_load_emulated(library, &open_status)))
        return;
    chosen = env->emulated ? emulated->device : &polygpu_cuda;
    if (env->fault.wanted)
        chosen = emulated->with_faults(chosen, &env->fault);
    if (env->profile)
        chosen = polygpu_observe(chosen);
    opener = getpid();
    if (!chosen->open(&open_status))
        return;
    polygpu_instance_opened();
    if (env->profile && chosen->peak)
        chosen->peak(&peak);
}

const struct polygpu_peak *polygpu_device_peak(void)
{
    return &peak;
}

unsigned polygpu_device_arch(void)
{
    return polygpu_device_tried() && open_status.cause == POLYGPU_OK &&
                   chosen->arch
               ? chosen->arch()
               : 0;
}

struct polygpu_repeats polygpu_device_repeats(void)
{
    struct polygpu_repeats repeats = {0, 0};

    if (polygpu_device_tried() && chosen && chosen->repeats)
        chosen->repeats(&repeats);
    return repeats;
}

bool polygpu_device_tried(void)
{
    return __atomic_load_n(&opened, __ATOMIC_ACQUIRE);
}

const struct polygpu_device *polygpu_device(const char *library,
                                            struct polygpu_status *status)
{
    if (!polygpu_device_tried()) {
        pthread_once(&forks_watched, watch_forks);
        pthread_mutex_lock(&device_lock);
        if (!opened) {
            __atomic_store_n(&opening, true, __ATOMIC_RELEASE);
            open_device(library);
            __atomic_store_n(&opening, false, __ATOMIC_RELEASE);
            __atomic_store_n(&opened, true, __ATOMIC_RELEASE);
        }
        pthread_mutex_unlock(&device_lock);
    }
    if (open_status.cause != POLYGPU_OK)
        polygpu_fail(status, open_status.cause, "%s", open_status.text);
    else if (chosen->alive(status))
        return chosen;
    polygpu_become_passive();
    return NULL;
}

/* Among the last destructors, as the one that prints the profile: loops in exit
 * handlers use the device.  Where a signal handler that interrupted the runtime
 * ends the process, a lock may be held by what it interrupted. */
__attribute__((destructor(101))) static void close_device(void)
{
    struct polygpu_outside saved;

    if (polygpu_is_inside() || !polygpu_device_tried() || opener != getpid())
        return;
    saved = polygpu_enter();
    polygpu_residency_end();
    polygpu_run_end_resting(); /* also those that brought results */
    polygpu_pool_empty();
    if (chosen && chosen->close)
        chosen->close();
    polygpu_workers_end();
    polygpu_leave(saved);
}
