/* test_copies.c - what may happen in the middle of a copy.
 *
 * The source of a copy to the device is a page that cannot be read, so that a
 * handler of SIGSEGV interrupts just there.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "example.h"
#include "tests.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 256, STATUS = 7 };

static double *page; /* N elements, the array A of the run */
static sigjmp_buf before;
static int nested;

static void open_page(void)
{
    CHECK(!mprotect(page, N * sizeof *page, PROT_READ | PROT_WRITE));
}

/* One run whose copy of A is interrupted; what polygpu_end says. */
static int run(void (*handler)(int))
{
    static struct polygpu_scop scop;
    struct sigaction action = {.sa_handler = handler};
    double b[N], a2[N], b2[N];
    int done;

    scop = example_scop;
    page = mmap(NULL, N * sizeof *page, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED);
    check_fill(page, N);
    check_fill(b, N);
    memcpy(a2, page, sizeof a2);
    memcpy(b2, b, sizeof b);
    CHECK(!sigaction(SIGSEGV, &action, NULL));
    CHECK(!mprotect(page, N * sizeof *page, PROT_NONE));
    done = example_pair(&scop, page, b, N, 1);
    if (done)
        example_pair_here(a2, b2, N, 1);
    CHECK(!memcmp(page, a2, sizeof a2) && !memcmp(b, b2, sizeof b));
    return done;
}

/* A run of its own on new values. */
static int run_other(void)
{
    struct polygpu_scop scop = example_scop;
    double a[N], b[N], a2[N], b2[N];
    int done;

    check_fill(a, N);
    check_fill(b, N);
    memcpy(a2, a, sizeof a);
    memcpy(b2, b, sizeof b);
    done = example_pair(&scop, a, b, N, 1);
    if (done)
        example_pair_here(a2, b2, N, 1);
    CHECK(!memcmp(a, a2, sizeof a) && !memcmp(b, b2, sizeof b));
    return done;
}

static void run_loops(int ignored)
{
    (void)ignored;
    nested = run_other();
    open_page();
}

static void end_here(int ignored)
{
    (void)ignored;
    tests_end_process(STATUS);
}

static void jump(int ignored)
{
    (void)ignored;
    open_page();
    siglongjmp(before, 1);
}

/* The child ends with loops and exit handlers, while the parent's copy waits.
 */
static void split(int ignored)
{
    int status;
    pid_t pid = fork();

    (void)ignored;
    if (pid == 0) {
        CHECK(run_other() == 0);
        tests_end_process(STATUS);
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == STATUS);
    open_page();
}

void child_exit_in_copy(void)
{
    alarm(20);
    run(end_here);
}

/* A thread is in its copy when main returns. */
static int in_copy[2];

static void wait_for_ever(int ignored)
{
    (void)ignored;
    CHECK(write(in_copy[1], "x", 1) == 1);
    for (;;)
        pause();
}

static void *copy_for_ever(void *ignored)
{
    (void)ignored;
    run(wait_for_ever);
    return NULL;
}

void child_exit_beside_copy(void)
{
    pthread_t thread;
    char byte;

    alarm(20);
    CHECK(!pipe(in_copy));
    CHECK(!pthread_create(&thread, NULL, copy_for_ever, NULL));
    CHECK(read(in_copy[0], &byte, 1) == 1);
    CHECK(run_other() == 1);
    tests_end_process(STATUS);
}

/* The run that was left is lost, and its thread never leaves the runtime. */
void child_jump_out_of_copy(void)
{
    alarm(20);
    if (sigsetjmp(before, 1) == 0) {
        run(jump);
        CHECK(!"reached");
    }
    CHECK(run_other() == 0);
    _exit(STATUS);
}

/* Handlers that compute, fork, jump away or end the process; and another thread
 * that ends it: nothing hangs, and all results are right. */
void test_copies(void)
{
    nested = -1;
    CHECK(run(run_loops) == 1 && nested == 0);
    CHECK(run(split) == 1);
    CHECK(check_run("child-exit-in-copy", "POLYGPU_PROFILE=lines", NULL) ==
          STATUS);
    CHECK(check_run("child-exit-beside-copy", "POLYGPU_PROFILE=lines", NULL) ==
          STATUS);
    CHECK(check_said("polygpu: scop example example.c:7 ") == 2);
    CHECK(check_said("runs=1 ") == 1);
    CHECK(check_run("child-jump-out-of-copy", NULL, NULL) == STATUS);
    CHECK(run_other() == 1);
}
