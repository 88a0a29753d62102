/* test_signals.c - offloaded loops in a signal handler that interrupts others.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "core/fallback.h"
#include "example.h"
#include "tests.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

enum { N = 300, ROUNDS = 1500 };

static struct polygpu_scop handler_scop;
static double a[N], b[N], expected_a[N], expected_b[N];
static volatile sig_atomic_t ran, declined, wrong;

/* The loops of the handler, where it can be done on the device or here. */
static void handle(int signal)
{
    (void)signal;
    if (example_pair(&handler_scop, a, b, N, 1)) {
        ran = ran + 1;
    } else {
        example_pair_here(a, b, N, 1);
        declined = declined + 1;
    }
    example_pair_here(expected_a, expected_b, N, 1);
    if (memcmp(a, expected_a, sizeof a) != 0 ||
        memcmp(b, expected_b, sizeof b) != 0)
        wrong = 1;
    /* Values stay finite. */
    memset(a, 0x3f, sizeof a);
    memset(expected_a, 0x3f, sizeof a);
    memset(b, 0x3f, sizeof b);
    memset(expected_b, 0x3f, sizeof b);
}

static void every(long microseconds)
{
    struct itimerval timer = {{0, microseconds}, {0, microseconds}};

    CHECK(setitimer(ITIMER_REAL, &timer, NULL) == 0);
}

/* A timer of 300 us, until handlers have interrupted the runtime often enough:
 * both sides compute what they should, and runs that interrupt the runtime
 * decline. */
void test_nested(void)
{
    struct polygpu_scop scop = example_scop;
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    double x[N], y[N], x2[N], y2[N];
    int round;

    handler_scop = example_scop;
    check_fill(a, N);
    check_fill(b, N);
    memcpy(expected_a, a, sizeof a);
    memcpy(expected_b, b, sizeof b);
    CHECK(sigaction(SIGALRM, &action, NULL) == 0);
    every(300);
    for (round = 0; round < 20 * ROUNDS; ++round) {
        check_fill(x, N);
        check_fill(y, N);
        memcpy(x2, x, sizeof x);
        memcpy(y2, y, sizeof y);
        CHECK(example_pair(&scop, x, y, N, 1) == 1);
        example_pair_here(x2, y2, N, 1);
        CHECK(!memcmp(x, x2, sizeof x) && !memcmp(y, y2, sizeof y));
        if (round >= ROUNDS && declined >= 5)
            break;
    }
    every(0);
    printf("%d rounds, handlers: %d runs, %d declined\n", round, (int)ran,
           (int)declined);
    CHECK(!wrong && declined >= 5);
    CHECK(polygpu_nested() == (unsigned long)declined);
}

static int signals;

/* In the middle of a kernel, that is of polygpu_launch. */
static void interrupt_once(void)
{
    if (signals++ == 0)
        raise(SIGUSR1);
}

static void handle_once(int signal)
{
    struct polygpu_scop scop = example_scop;
    double x[N] = {1}, y[N] = {2};

    (void)signal;
    errno = 12345;
    CHECK(example_pair(&scop, x, y, N, 1) == 0);
    polygpu_decline(&scop, "a reason", NULL);
    CHECK(errno == 12345);
    CHECK(!scop.state);
}

/* One signal in the middle of a kernel; mandatory ends the program. */
void child_nested(void)
{
    struct polygpu_scop scop = example_scop;
    double x[N], y[N];

    signal(SIGUSR1, handle_once);
    example_in_kernel = interrupt_once;
    check_fill(x, N);
    check_fill(y, N);
    CHECK(example_pair(&scop, x, y, N, 1) == 1);
    CHECK(signals >= N);
}

void test_nested_once(void)
{
    CHECK(check_run("child-nested", NULL, NULL) == 0);
    CHECK(!check_said("polygpu:"));
    CHECK(check_run("child-nested", "POLYGPU_PROFILE=lines", NULL) == 0);
    CHECK(check_said("polygpu: nested declined=2\n") == 1);
    CHECK(check_run("child-nested", "POLYGPU=mandatory", NULL) ==
          POLYGPU_MANDATORY_STATUS);
    CHECK(check_said("interrupted the runtime cannot be offloaded") == 1);
}

static void spoil_errno(void)
{
    errno = 1;
}

/* Offloaded loops leave errno alone, whatever the runtime and kernels do. */
void test_errno(void)
{
    struct polygpu_scop scop = example_scop;
    double x[N], y[N];

    check_fill(x, N);
    check_fill(y, N);
    setenv("POLYGPU_FAULT", "out:2", 1);
    example_in_kernel = spoil_errno;
    errno = 4711;
    CHECK(polygpu_active() == 1 && errno == 4711);
    CHECK(example_pair(&scop, x, y, N, 1) == 0 && errno == 4711);
    CHECK(example_pair(&scop, x, y, N, 1) == 1 && errno == 4711);
}
