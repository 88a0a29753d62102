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

enum { SMALL = 256, LARGE = 600000, STATUS = 7 };

static int n_elements = SMALL;
static double *page; /* the array A of the run, of so many elements */
static sigjmp_buf before;
static int nested;

static void open_page(void)
{
    CHECK(!mprotect(page, (size_t)n_elements * sizeof *page,
                    PROT_READ | PROT_WRITE));
}

/* Fresh values. */
static double *new_array(int n)
{
    double *made = malloc((size_t)n * sizeof *made);

    CHECK(made);
    check_fill(made, (size_t)n);
    return made;
}

static double *copy_of(const double *array, int n)
{
    double *made = malloc((size_t)n * sizeof *made);

    CHECK(made);
    return memcpy(made, array, (size_t)n * sizeof *made);
}

/* Run the loops on two arrays, and see that all is right; what polygpu_end
 * says.  "a2" is what "a" has. */
static int run_on(struct polygpu_scop *scop, double *a, double *a2, int n)
{
    double *b = new_array(n), *b2 = copy_of(b, n);
    size_t size = (size_t)n * sizeof *b;
    int done = example_pair(scop, a, b, n, 1);

    if (done)
        example_pair_here(a2, b2, n, 1);
    CHECK(!memcmp(a, a2, size) && !memcmp(b, b2, size));
    free(b);
    free(b2);
    free(a2);
    return done;
}

/* One run whose copy of A is interrupted; what polygpu_end says. */
static int run(void (*handler)(int))
{
    static struct polygpu_scop scop;
    struct sigaction action = {.sa_handler = handler};
    size_t size = (size_t)n_elements * sizeof *page;
    double *a2;

    scop = example_scop;
    page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                -1, 0);
    CHECK(page != MAP_FAILED);
    check_fill(page, (size_t)n_elements);
    a2 = copy_of(page, n_elements);
    CHECK(!sigaction(SIGSEGV, &action, NULL));
    CHECK(!mprotect(page, size, PROT_NONE));
    return run_on(&scop, page, a2, n_elements);
}

/* A run of its own on new values. */
static int run_other(void)
{
    struct polygpu_scop scop = example_scop;
    double *a = new_array(n_elements);
    int done = run_on(&scop, a, copy_of(a, n_elements), n_elements);

    free(a);
    return done;
}

/* The threads that help with large copies have no part in it. */
static pthread_t runner;

static void run_loops(int ignored)
{
    (void)ignored;
    CHECK(pthread_equal(pthread_self(), runner));
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

/* A child does as its parent. */
static void begin_child(void)
{
    alarm(60);
    if (getenv("LARGE_COPIES"))
        n_elements = LARGE;
}

void child_exit_in_copy(void)
{
    begin_child();
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

    begin_child();
    CHECK(!pipe(in_copy));
    CHECK(!pthread_create(&thread, NULL, copy_for_ever, NULL));
    CHECK(read(in_copy[0], &byte, 1) == 1);
    CHECK(run_other() == 1);
    tests_end_process(STATUS);
}

/* The run that was left is lost, and its thread never leaves the runtime. */
void child_jump_out_of_copy(void)
{
    begin_child();
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
    begin_child();
    nested = -1;
    runner = pthread_self();
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

/* The same with arrays that several threads copy. */
void test_large_copies(void)
{
    setenv("POLYGPU_COPY_THREADS", "3", 1);
    setenv("LARGE_COPIES", "1", 1);
    test_copies();
}
