/* openmp.c - see openmp.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/openmp.h"

#include "support/log.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>

/* Where a region is in the source; of "flags" bit 1 says who calls. */
struct ident {
    int32_t reserved_1, flags, reserved_2, reserved_3;
    const char *source;
};

typedef void microtask(int32_t *, int32_t *, ...);

static struct {
    void (*fork_call)(struct ident *where, int32_t n, microtask *task, ...);
    int (*max_threads)(void);
    int (*in_parallel)(void);
    int (*thread_num)(void);
} omp;

static pthread_once_t looked_up = PTHREAD_ONCE_INIT;
static bool is_there;

static bool look_in(void *library)
{
    const struct {
        const char *name;
        void *to;
    } entries[] = {{"__kmpc_fork_call", &omp.fork_call},
                   {"omp_get_max_threads", &omp.max_threads},
                   {"omp_in_parallel", &omp.in_parallel},
                   {"omp_get_thread_num", &omp.thread_num}};
    size_t i;

    for (i = 0; i < sizeof entries / sizeof *entries; ++i) {
        void *function = dlsym(library, entries[i].name);

        if (!function)
            return false;
        memcpy(entries[i].to, &function, sizeof function);
    }
    return true;
}

/* That of the program first: two of them would each have all cores. */
static void look_up(void)
{
    static const char *const names[] = {"libomp.so.5", "libomp.so",
                                        "libiomp5.so"};
    size_t i;

    is_there = look_in(RTLD_DEFAULT);
    for (i = 0; !is_there && i < sizeof names / sizeof *names; ++i) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);

        is_there = library && look_in(library);
    }
    if (!is_there)
        polygpu_message("LLVM's OpenMP runtime (libomp.so.5) is not found: "
                        "install libomp5, or set POLYGPU_CPU=off; loops that "
                        "are for all cores run on one");
}

/* ---- Threads that can be made ------------------------------------------- */

enum { MOST = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int made;    /* so many there were at once; under the lock */
static int refused; /* so many there cannot be, or 0 */

static void *wait_for_others(void *barrier)
{
    pthread_mutex_lock(barrier);
    pthread_mutex_unlock(barrier);
    return NULL;
}

/* libomp ends the program where the system refuses a thread, so that it is
 * asked for as many first: all are there at a time. */
static bool can_make(int threads)
{
    pthread_mutex_t barrier = PTHREAD_MUTEX_INITIALIZER;
    pthread_t ids[MOST];
    int n = 0, i;

    pthread_mutex_lock(&barrier);
    while (n < threads - 1 &&
           !pthread_create(&ids[n], NULL, &wait_for_others, &barrier))
        n++;
    pthread_mutex_unlock(&barrier);
    for (i = 0; i < n; ++i)
        pthread_join(ids[i], NULL);
    return n == threads - 1;
}

/* Has it been seen that so many threads can be made? */
static bool are_possible(int threads)
{
    sigset_t all, before;
    bool ok;

    if (threads <= __atomic_load_n(&made, __ATOMIC_ACQUIRE))
        return true;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pthread_mutex_lock(&lock);
    ok = threads <= made;
    if (!ok && !(refused && threads >= refused)) {
        ok = can_make(threads);
        if (ok)
            __atomic_store_n(&made, threads, __ATOMIC_RELEASE);
        else if (!refused)
            polygpu_message("%d threads cannot be made; loops that are for all "
                            "cores run on one; set OMP_NUM_THREADS",
                            threads);
        if (!ok)
            refused = threads;
    }
    pthread_mutex_unlock(&lock);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

int polygpu_openmp_threads(void)
{
    int threads;

    pthread_once(&looked_up, &look_up);
    if (!is_there)
        return 0;
    if (omp.in_parallel())
        return 1;
    threads = omp.max_threads();
    if (threads > MOST)
        threads = MOST;
    return threads < 1 || !are_possible(threads) ? 0 : threads;
}

/* ---- Regions ------------------------------------------------------------ */

struct region {
    void (*run)(void *job, int thread);
    void *job;
};

/* The runtime passes arguments as if they were declared. */
static void enter_region(int32_t *global, int32_t *bound, void *argument)
{
    const struct region *region = argument;

    (void)global;
    (void)bound;
    region->run(region->job, omp.thread_num());
}

static void fork_threads(struct region *region)
{
    static struct ident where = {0, 2, 0, 0, ";polygpu;polygpu;0;0;;"};

    omp.fork_call(&where, 1, (microtask *)&enter_region, region);
}

static void do_nothing(void *job, int thread)
{
    (void)job;
    (void)thread;
}

/* Signals of the program are not for threads that it knows nothing of: those
 * that a first region makes keep what is blocked then. */
static void make_threads(void)
{
    struct region nothing = {&do_nothing, NULL};
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    fork_threads(&nothing);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void polygpu_openmp_run(int threads, void (*run)(void *job, int thread),
                        void *job)
{
    static _Thread_local int most /* that a region of the caller's had */
        __attribute__((tls_model("initial-exec")));
    struct region region = {run, job};

    if (threads > most) {
        make_threads();
        most = threads;
    }
    fork_threads(&region);
}
