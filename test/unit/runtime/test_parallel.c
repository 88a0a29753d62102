/* test_parallel.c - loops on all cores: each piece once, whatever the number of
 * threads and pieces; the caller's arithmetic on all threads; what is too small
 * on one; loops that a handler or a parallel region interrupts.
 *
 * Run with POLYGPU_CPU=parallel; with "auto" as its argument the cost test is
 * asked, with "limited" no threads can be made, with "memory" they cannot have
 * memory of their own.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "polygpu/abi.h"

#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MOST = 5000 };

static int seen[MOST];
static double third[MOST];

/* args: the number that is added, what 1 is divided by. */
static void run(void *const *args, int64_t first, int64_t last, void *own)
{
    int64_t i;

    CHECK(!own);
    for (i = first; i < last; ++i) {
        __atomic_fetch_add(&seen[i], *(const int *)args[0], __ATOMIC_RELAXED);
        third[i] = 1 / *(volatile double *)args[1];
    }
    errno = 7;
}

/* So many operations for each piece, p[0] of them. */
static const int64_t zero[] = {0, 0}, most[] = {1, -1};
static const struct polygpu_bound bounds[] = {
    {.kind = POLYGPU_LOWER, .dim = 0, .divisor = 1, .factors = zero},
    {.kind = POLYGPU_UPPER, .dim = 0, .divisor = 1, .factors = most}};
static const struct polygpu_count counts[] = {
    {POLYGPU_OPERATIONS, 0, 1, 2, 1000, bounds},
    {POLYGPU_THREADS, 0, 1, 2, 1, bounds},
    {POLYGPU_LAUNCHES, 0, 0, 0, 1, NULL}};
static const struct polygpu_parallel_kernel kernels[] = {{"loop", run, 1},
                                                         {"alone", run, 0}};
static struct polygpu_parallel loops = {.abi_version = POLYGPU_ABI_VERSION,
                                        .line = 3,
                                        .file = "a.c",
                                        .function = "f",
                                        .n_kernels = 2,
                                        .n_params = 1,
                                        .kernels = kernels,
                                        .counts = counts,
                                        .n_counts = 3};

static int one = 1;
static double three = 3;
static void *const args[] = {&one, &three};

/* One run with a kernel of "n" pieces; false if it does not begin.  A handler
 * calls it, too. */
// NOLINTBEGIN(bugprone-signal-handler)
static int launch(uint32_t kernel, int64_t n)
{
    struct polygpu_team *team = polygpu_parallel_begin(&loops, &n, 0);

    if (!team)
        return 0;
    polygpu_parallel_launch(team, kernel, n, args);
    polygpu_parallel_end(team);
    return 1;
}
// NOLINTEND(bugprone-signal-handler)

static void each_once(int64_t n, double value)
{
    int64_t i;

    memset(seen, 0, sizeof seen);
    memset(third, 0, sizeof third);
    errno = 5;
    CHECK(launch(0, n));
    CHECK(errno == 5);
    for (i = 0; i < MOST; ++i) {
        CHECK(seen[i] == (i < n));
        CHECK(i >= n || third[i] == value);
    }
}

static void pieces(void)
{
    int64_t n;

    for (n = -1; n < 40; ++n)
        each_once(n, 1.0 / 3);
    for (n = 0; n < 20; ++n)
        each_once((int64_t)(check_random() % MOST), 1.0 / 3);
    each_once(MOST, 1.0 / 3);
    memset(seen, 0, sizeof seen);
    CHECK(launch(1, 50) && seen[0] == 1 && seen[49] == 1 && seen[50] == 0);
}

static void rounding(void)
{
    volatile double up;

    CHECK(!fesetround(FE_UPWARD));
    up = 1 / *(volatile double *)&three;
    CHECK(up != 1.0 / 3);
    each_once(MOST, up);
    CHECK(fegetround() == FE_UPWARD);
    CHECK(!fesetround(FE_TONEAREST));
    each_once(MOST, 1.0 / 3);
}

/* What the loops raise is raised, by whatever thread, and nothing else. */
static void flags(void)
{
    CHECK(!feclearexcept(FE_ALL_EXCEPT));
    CHECK(launch(0, 0));
    CHECK(!fetestexcept(FE_ALL_EXCEPT));
    three = 2;
    CHECK(launch(0, MOST) && launch(1, 10));
    CHECK(!fetestexcept(FE_ALL_EXCEPT));
    three = 0;
    CHECK(launch(0, MOST));
    CHECK(fetestexcept(FE_ALL_EXCEPT) == FE_DIVBYZERO);
    CHECK(!feclearexcept(FE_ALL_EXCEPT));
    three = 3;
    CHECK(launch(1, 10));
    CHECK(fetestexcept(FE_ALL_EXCEPT) == FE_INEXACT);
}

/* ---- Memory of threads -------------------------------------------------- */

enum { OWN = 5001 };

/* Have all bytes for this piece, for a while. */
static void use_own(void *const *unused, int64_t first, int64_t last, void *own)
{
    int64_t i;

    (void)unused;
    CHECK(own && (uintptr_t)own % 64 == 0);
    for (i = first; i < last; ++i) {
        volatile unsigned char *bytes = own;
        int b;

        for (b = 0; b < OWN; ++b)
            bytes[b] = (unsigned char)(i + b);
        for (b = 0; b < OWN; ++b)
            CHECK(bytes[b] == (unsigned char)(i + b));
        __atomic_fetch_add(&seen[i], 1, __ATOMIC_RELAXED);
    }
}

static const struct polygpu_parallel_kernel using_own[] = {
    {"own", use_own, 1}, {"alone", use_own, 0}};

/* A run with so many bytes for each thread; 0: none. */
static int launch_own(uint64_t bytes, int64_t n)
{
    static struct polygpu_parallel others = {.abi_version = POLYGPU_ABI_VERSION,
                                             .line = 4,
                                             .file = "a.c",
                                             .function = "own",
                                             .n_kernels = 2,
                                             .n_params = 1,
                                             .kernels = using_own};
    struct polygpu_team *team = polygpu_parallel_begin(&others, &n, bytes);

    if (!team)
        return 0;
    polygpu_parallel_launch(team, 0, n, NULL);
    polygpu_parallel_launch(team, 1, n, NULL);
    polygpu_parallel_end(team);
    return 1;
}

static void *own_on_thread(void *unused)
{
    int i;

    for (i = 0; i < 20; ++i)
        CHECK(launch_own(OWN + (uint64_t)i * 10000, 100));
    return unused;
}

static void memory_of_threads(void)
{
    static const uint64_t too_much[] = {(UINT64_C(64) << 20) + 1,
                                        UINT64_C(1) << 40, UINT64_MAX};
    pthread_t id;
    size_t i;

    memset(seen, 0, sizeof seen);
    for (i = 0; i < sizeof too_much / sizeof *too_much; ++i)
        CHECK(!launch_own(too_much[i], 100));
    CHECK(seen[0] == 0);
    CHECK(launch_own(OWN, 300) && seen[0] == 2 && seen[299] == 2);
    CHECK(launch_own(UINT64_C(16) << 20, 300) && launch_own(OWN, 300));
    CHECK(seen[0] == 6 && seen[299] == 6 && seen[300] == 0);
    CHECK(!pthread_create(&id, NULL, own_on_thread, NULL));
    own_on_thread(NULL);
    CHECK(!pthread_join(id, NULL));
    CHECK(seen[0] == 86 && seen[99] == 86);
}

/* Threads that were made have none, though there is less than is too much. */
static void no_memory(void)
{
    struct rlimit now, before;

    CHECK(launch_own(OWN, 300) && seen[0] == 2 && seen[299] == 2);
    CHECK(!getrlimit(RLIMIT_AS, &now));
    before = now;
    now.rlim_cur = 1 << 20;
    CHECK(!setrlimit(RLIMIT_AS, &now));
    CHECK(!launch_own(UINT64_C(16) << 20, 300));
    CHECK(seen[0] == 2 && seen[299] == 2);
    CHECK(!setrlimit(RLIMIT_AS, &before));
    CHECK(launch_own(OWN, 300) && seen[0] == 4 && seen[299] == 4);
}

/* ---- Who else runs ------------------------------------------------------ */

static int from_handler = -1;

static void handle(int number)
{
    (void)number;
    from_handler = launch(0, 10);
}

static void raise_in_loop(void *const *unused, int64_t first, int64_t last,
                          void *own)
{
    (void)unused;
    (void)own;
    if (first == 0 && last > 0)
        raise(SIGUSR1);
}

static void interrupted(void)
{
    static const struct polygpu_parallel_kernel raising = {"raise",
                                                           raise_in_loop, 0};
    struct polygpu_parallel others = loops;
    struct polygpu_team *team;
    int64_t n = 1;

    others.kernels = &raising;
    others.n_kernels = 1;
    others.state = NULL;
    CHECK(signal(SIGUSR1, handle) != SIG_ERR);
    team = polygpu_parallel_begin(&others, &n, 0);
    CHECK(team);
    polygpu_parallel_launch(team, 0, 1, NULL);
    polygpu_parallel_end(team);
    CHECK(from_handler == 0);
    CHECK(launch(0, 10));
}

static void *on_thread(void *unused)
{
    int i;

    for (i = 0; i < 50; ++i)
        CHECK(launch(0, 100));
    return unused;
}

static void several(void)
{
    pthread_t ids[3];
    int i;

    memset(seen, 0, sizeof seen);
    for (i = 0; i < 3; ++i)
        CHECK(!pthread_create(&ids[i], NULL, on_thread, NULL));
    for (i = 0; i < 3; ++i)
        CHECK(!pthread_join(ids[i], NULL));
    for (i = 0; i < 100; ++i)
        CHECK(seen[i] == 150);
    CHECK(seen[100] == 0);
}

static void another_version(void)
{
    struct polygpu_parallel others = loops;
    int64_t n = 1;

    others.abi_version++;
    CHECK(!polygpu_parallel_begin(&others, &n, 0));
}

/* ---- When --------------------------------------------------------------- */

/* 1000 operations a piece at 8 * 10^9 in a second: 40 pieces take 5 us. */
static void by_cost(void)
{
    CHECK(!launch(0, 40));
    memset(seen, 0, sizeof seen);
    CHECK(launch(0, 4000));
    CHECK(seen[0] == 1 && seen[3999] == 1);
}

static void limited(void)
{
    struct rlimit few = {256 << 20, 256 << 20};

    CHECK(!setrlimit(RLIMIT_AS, &few));
    CHECK(!launch(0, 4000));
    CHECK(!launch(0, 4000));
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "auto")) {
        by_cost();
    } else if (argc > 1 && !strcmp(argv[1], "memory")) {
        no_memory();
    } else if (argc > 1) {
        limited();
    } else {
        CHECK(polygpu_active_parallel());
        pieces();
        rounding();
        flags();
        interrupted();
        several();
        memory_of_threads();
        another_version();
    }
    return 0;
}
