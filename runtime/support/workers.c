/* workers.c - see workers.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/workers.h"

#include "support/env.h"
#include "support/inside.h"
#include "support/log.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

enum {
    /* Beside an H200 with a bus of 55 GB/s 1, 2, 4, 8 threads copied at 8, 9,
     * 32, 47 GB/s; on a virtual machine with 2 processors two were no faster
     * than one. */
    DEFAULT_LEAST = 4,
    DEFAULT_MOST = 8,
    PAGE = 4096 /* or a multiple of that */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static pthread_cond_t left = PTHREAD_COND_INITIALIZER;
static pthread_once_t made = PTHREAD_ONCE_INIT;
static unsigned n_threads; /* without callers; written under the lock */
static pthread_t threads[POLYGPU_MOST_COPY_THREADS];

/* Under the lock. */
static bool busy, ending;
static unsigned long job; /* its number */
static void (*job_part)(void *context, unsigned number);
static void *job_context;
static unsigned n_inside; /* threads that are in it */

static int n_processors(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    return (int)sysconf(_SC_NPROCESSORS_ONLN); /* more than a cpu_set_t has */
}

static unsigned wanted(void)
{
    int n = polygpu_env()->copy_threads;

    if (n > 0)
        return (unsigned)n;
    n = n_processors();
    if (n < DEFAULT_LEAST)
        return 1;
    return n < DEFAULT_MOST ? (unsigned)n : DEFAULT_MOST;
}

/* Have this thread get only signals of its own instructions. */
static void block_signals(sigset_t *before)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigset_t others;
    size_t i;

    sigfillset(&others);
    for (i = 0; i < sizeof own / sizeof *own; ++i)
        sigdelset(&others, own[i]);
    pthread_sigmask(SIG_BLOCK, &others, before);
}

/* Take part in the job that is there, unless it was taken part in already. */
static void take_part(unsigned number, unsigned long *last)
{
    void (*part)(void *, unsigned) = job_part;
    void *context = job_context;

    *last = job;
    if (!part)
        return;
    ++n_inside;
    pthread_mutex_unlock(&lock);
    part(context, number);
    pthread_mutex_lock(&lock);
    if (--n_inside == 0)
        pthread_cond_signal(&left);
}

static void *work(void *number)
{
    unsigned long last = 0;

    (void)polygpu_enter();
    pthread_mutex_lock(&lock);
    while (!ending)
        if (last == job)
            pthread_cond_wait(&wake, &lock);
        else
            take_part((unsigned)(uintptr_t)number, &last);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void set_threads(unsigned n)
{
    __atomic_store_n(&n_threads, n, __ATOMIC_RELEASE);
}

/* In the child of a fork there is only the thread that called it. */
static void after_fork(void)
{
    pthread_mutex_init(&lock, NULL);
    set_threads(0);
    n_inside = 0;
    busy = false;
}

/* Number "number" + 1 of them. */
static bool make_thread(unsigned number)
{
    return pthread_create(&threads[number], NULL, work,
                          (void *)(uintptr_t)(number + 1)) == 0;
}

static void make(void)
{
    unsigned n = wanted(), i = 0;
    sigset_t before;

    pthread_atfork(NULL, NULL, after_fork);
    block_signals(&before);
    pthread_mutex_lock(&lock);
    while (!ending && i + 1 < n && make_thread(i))
        set_threads(++i);
    pthread_mutex_unlock(&lock);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    POLYGPU_LOG("%u of %u threads for copies", i + 1, n);
}

unsigned polygpu_workers(void)
{
    pthread_once(&made, make);
    return __atomic_load_n(&n_threads, __ATOMIC_ACQUIRE) + 1;
}

/* Offer a job to all threads that are free; false: there are none. */
static bool offer(void (*part)(void *, unsigned), void *context)
{
    bool free;

    pthread_mutex_lock(&lock);
    free = n_threads > 0 && !busy && !ending;
    if (free) {
        busy = true;
        ++job;
        job_part = part;
        job_context = context;
        pthread_cond_broadcast(&wake);
    }
    pthread_mutex_unlock(&lock);
    return free;
}

/* Nobody begins with it any more; wait for those who have. */
static void withdraw(void)
{
    pthread_mutex_lock(&lock);
    job_part = NULL;
    while (n_inside > 0)
        pthread_cond_wait(&left, &lock);
    busy = false;
    pthread_mutex_unlock(&lock);
}

void polygpu_workers_run(void (*part)(void *context, unsigned number),
                         void *context)
{
    sigset_t before;
    int cancel;

    polygpu_workers();
    block_signals(&before);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    if (offer(part, context)) {
        part(context, 0);
        withdraw();
    } else {
        part(context, 0);
    }
    pthread_setcancelstate(cancel, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void polygpu_workers_probe(const void *from, size_t size)
{
    const volatile char *bytes = from;
    size_t i;

    for (i = 0; i < size; i += PAGE)
        (void)bytes[i];
    if (size)
        (void)bytes[size - 1];
}

void polygpu_workers_end(void)
{
    unsigned n;

    pthread_mutex_lock(&lock);
    n = busy ? 0 : n_threads;
    ending = true;
    if (n > 0) { /* who waits in the parent of a fork is not to be woken */
        set_threads(0);
        pthread_cond_broadcast(&wake);
    }
    pthread_mutex_unlock(&lock);
    while (n > 0)
        pthread_join(threads[--n], NULL);
}
