/* test_workers.c - the threads of workers.c.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "support/inside.h"
#include "support/workers.h"
#include "tests.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 5 };

/* Work for all of them: who took part, and how many are there at once. */
struct work {
    int took_part[THREADS], n, wanted;
};

static int threads_of_process(void)
{
    DIR *folder = opendir("/proc/self/task");
    int n = 0;

    CHECK(folder);
    while (readdir(folder))
        ++n;
    closedir(folder);
    return n - 2;
}

static int is_blocked(int signal)
{
    sigset_t set;

    CHECK(!pthread_sigmask(SIG_BLOCK, NULL, &set));
    return sigismember(&set, signal);
}

/* Wait until so many are here. */
static void meet(void *context, unsigned number)
{
    struct work *work = context;

    CHECK(number < THREADS);
    CHECK(is_blocked(SIGINT) && is_blocked(SIGALRM) && !is_blocked(SIGSEGV));
    CHECK(number == 0 || polygpu_is_inside());
    CHECK(__atomic_add_fetch(&work->took_part[number], 1, __ATOMIC_SEQ_CST) ==
          1);
    __atomic_add_fetch(&work->n, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&work->n, __ATOMIC_SEQ_CST) < work->wanted)
        usleep(10);
}

/* So many take part, and nobody does any more afterwards. */
static void run_with(int wanted)
{
    struct work work = {.wanted = wanted};

    polygpu_workers_run(meet, &work);
    CHECK(work.n >= wanted);
    memset(&work, 0x5a, sizeof work);
    CHECK(!is_blocked(SIGINT));
}

/* Who is a helper, or has helpers, gets none. */
static void run_inside(void *context, unsigned number)
{
    struct work inner = {0};

    (void)context;
    (void)number;
    polygpu_workers_run(meet, &inner);
    CHECK(inner.n == 1 && inner.took_part[0] == 1);
}

static void *run_often(void *ignored)
{
    int i;

    for (i = 0; i < 300; ++i)
        run_with(1);
    return ignored;
}

static void in_child(void)
{
    struct work work = {0};

    alarm(20);
    CHECK(polygpu_workers() == 1);
    polygpu_workers_run(meet, &work);
    CHECK(work.n == 1);
    polygpu_workers_end();
    tests_end_process(7);
}

static void fork_child(void)
{
    pid_t pid = fork();
    int status;

    if (pid == 0)
        in_child();
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

void test_workers(void)
{
    pthread_t threads[3];
    int i, n;

    setenv("POLYGPU_COPY_THREADS", "5", 1);
    alarm(60);
    CHECK(polygpu_workers() == THREADS);
    for (i = 0; i < 200; ++i)
        run_with(1 + i % THREADS);
    polygpu_workers_run(run_inside, NULL);
    for (i = 0; i < 3; ++i)
        CHECK(!pthread_create(&threads[i], NULL, run_often, NULL));
    for (i = 0; i < 10; ++i)
        fork_child();
    for (i = 0; i < 3; ++i)
        CHECK(!pthread_join(threads[i], NULL));
    run_with(THREADS);
    n = threads_of_process();
    polygpu_workers_end();
    while (threads_of_process() > n - (THREADS - 1))
        usleep(1000); /* who is joined may not have gone from the folder */
    CHECK(polygpu_workers() == 1);
    run_with(1);
}
