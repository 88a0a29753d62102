/* test_staging.c - staged copies of cuda.c, against fake_cuda.c, where a copy
 * from or to pinned memory is done at the last moment, or at the first.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "cuda/cuda.h"
#include "cuda/staging.h"
#include "fake_calls.h"
#include "support/workers.h"
#include "tests.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHUNK = 64 * 1024, GUARD = 64, ROOM = 2 * 1024 * 1024 };

/* A device with a session and memory, beside memory of the host: what is copied
 * in, and where it is copied out to. */
struct bench {
    void *session;
    uintptr_t device;
    unsigned char *from, *to;
};

/* Chunks that are as small as they may be, from the first copy on; one of 12
 * chunks by 3 threads makes them larger. */
static void use_threads(const char *threads)
{
    setenv("POLYGPU_COPY_THREADS", threads, 1);
    polygpu_staging_limits.least = 1000;
    polygpu_staging_limits.first = CHUNK / 4;
    polygpu_staging_limits.chunk = CHUNK;
}

static struct bench new_bench(void)
{
    struct polygpu_status status = {0};
    struct bench b = {.from = malloc(ROOM), .to = malloc(ROOM)};

    CHECK(b.from && b.to);
    CHECK(polygpu_cuda.alive(&status));
    CHECK(polygpu_cuda.start(NULL, &b.session, &status));
    CHECK(polygpu_cuda.alloc(ROOM, &b.device, &status));
    return b;
}

static void free_bench(struct bench *b)
{
    polygpu_cuda.free(b->device);
    polygpu_cuda.stop(b->session);
    free(b->from);
    free(b->to);
}

static void open_device(void)
{
    struct polygpu_status status = {0};

    CHECK(polygpu_cuda.open(&status));
}

static void fill(unsigned char *bytes, size_t size)
{
    uint64_t random = check_random();
    size_t i;

    for (i = 0; i < size; ++i) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        bytes[i] = (unsigned char)(random >> 56);
    }
}

/* "size" bytes at odd places go in and out again, and nothing beside them;
 * false if a copy fails. */
static bool goes_round(struct bench *b, size_t size)
{
    struct polygpu_status status = {0};
    size_t f = GUARD + check_random() % 8, d = GUARD + check_random() % 8,
           t = GUARD + check_random() % 8, i;
    const unsigned char *device = (const unsigned char *)b->device;

    CHECK(size + 2 * GUARD <= ROOM);
    fill(b->from + f, size);
    memset((void *)b->device, 0xee, d + size + GUARD);
    memset(b->to, 0xdd, t + size + GUARD);
    if (!polygpu_cuda.copy_in(b->session, b->device + d, b->from + f, size,
                              &status))
        return false;
    CHECK(!memcmp(device + d, b->from + f, size));
    if (!polygpu_cuda.copy_out(b->session, b->to + t, b->device + d, size,
                               &status))
        return false;
    CHECK(!memcmp(b->to + t, b->from + f, size));
    for (i = 0; i < GUARD; ++i)
        CHECK(device[i] == 0xee && device[d + size + i] == 0xee &&
              b->to[i] == 0xdd && b->to[t + size + i] == 0xdd);
    return true;
}

/* Sizes around the multiples of a chunk, with all threads. */
static void go_through_sizes(struct bench *b)
{
    size_t k;
    int i;

    for (k = 1; k <= 24; k += k < 9 ? 1 : 3)
        for (i = -1; i <= 1; ++i)
            CHECK(goes_round(b, k * CHUNK + (size_t)i));
    for (k = 990; k < 1010; ++k)
        CHECK(goes_round(b, k));
}

void test_staging_sizes(void)
{
    static const char *const modes[] = {"late", "early"};
    struct bench b;
    int i;

    use_threads("3");
    open_device();
    b = new_bench();
    for (i = 0; i < 2; ++i) {
        setenv("FAKE_CUDA", modes[i], 1);
        go_through_sizes(&b);
    }
    CHECK(fake_int("fake_cuda_staged") > 2 * 2 * 3 * 9 * CHUNK / 1000);
    CHECK(fake_int("fake_cuda_pinned") == 1);
    free_bench(&b);
    polygpu_cuda.close();
    CHECK(fake_int("fake_cuda_pinned") == 0);
    CHECK(fake_int("fake_cuda_objects") == 0);
    b = new_bench();
    CHECK(goes_round(&b, 5 * CHUNK) && fake_int("fake_cuda_pinned") == 0);
    free_bench(&b);
}

/* Bytes, in thousands, that one round trip of "size" stages. */
static int staged(struct bench *b, size_t size)
{
    int before = fake_int("fake_cuda_staged");

    CHECK(goes_round(b, size));
    return fake_int("fake_cuda_staged") - before;
}

/* Not before so many times the bytes that are pinned have gone, not below a
 * size, nor with fewer threads than it takes; and one thread. */
void child_staging_limits(void)
{
    struct bench b;

    setenv("POLYGPU_COPY_THREADS", "", 1);
    polygpu_staging_limits.threads = 1;
    polygpu_staging_limits.first = CHUNK;
    polygpu_staging_limits.earned = 2900000 / (2 * CHUNK * polygpu_workers());
    open_device();
    b = new_bench();
    polygpu_staging_limits.least = 1000000;
    CHECK(staged(&b, 999999) == 0 && staged(&b, 1000000) == 0);
    CHECK(fake_int("fake_cuda_pinned") == 0);
    CHECK(staged(&b, 1000000) == 2000 && staged(&b, 1000000) == 2000);
    CHECK(staged(&b, 999999) == 0);
    polygpu_staging_limits.threads = 10;
    CHECK(staged(&b, 1000000) == 0);
    free_bench(&b);
}

/* More is pinned when four times as much has gone by copies that fill it, and
 * what was pinned before is freed. */
void child_staging_growth(void)
{
    struct bench b;
    int i;

    setenv("POLYGPU_COPY_THREADS", "", 1);
    polygpu_staging_limits.threads = 1;
    polygpu_staging_limits.least = 1000;
    polygpu_staging_limits.first = CHUNK / 4 / polygpu_workers();
    polygpu_staging_limits.chunk = CHUNK / polygpu_workers();
    open_device();
    b = new_bench();
    CHECK(staged(&b, CHUNK - 1) == 0 && staged(&b, CHUNK) > 0);
    for (i = 0; i < 20; ++i)
        CHECK(goes_round(&b, 4 * CHUNK - 1));
    CHECK(fake_int("fake_cuda_pinned_size") == 2 * CHUNK / 4 / 1024);
    CHECK(goes_round(&b, 4 * CHUNK));
    CHECK(fake_int("fake_cuda_pinned_size") == 2 * CHUNK / 1024);
    CHECK(fake_int("fake_cuda_pinned") == 1);
    for (i = 0; i < 20; ++i)
        CHECK(goes_round(&b, 16 * CHUNK));
    CHECK(fake_int("fake_cuda_pinned_size") == 2 * CHUNK / 1024);
    free_bench(&b);
    polygpu_cuda.close();
    CHECK(fake_int("fake_cuda_objects") == 0);
    CHECK(fake_int("fake_cuda_pinned") == 0);
}

/* What there is stays when no more can be pinned. */
void child_staging_small(void)
{
    struct bench b;

    use_threads("3");
    open_device();
    b = new_bench();
    CHECK(staged(&b, 5 * CHUNK) > 0);
    setenv("FAKE_CUDA", "pinned", 1);
    CHECK(staged(&b, 20 * CHUNK) > 0 && staged(&b, 20 * CHUNK) > 0);
    CHECK(fake_int("fake_cuda_pinned_size") == 6 * CHUNK / 4 / 1024);
    free_bench(&b);
}

void child_staging_one(void)
{
    struct bench b;

    use_threads("1");
    open_device();
    b = new_bench();
    CHECK(staged(&b, 5 * CHUNK) == 0);
    free_bench(&b);
}

void child_staging_refused(void)
{
    struct bench b;

    use_threads("3");
    setenv("FAKE_CUDA", "pinned", 1);
    open_device();
    b = new_bench();
    CHECK(staged(&b, 5 * CHUNK) == 0);
    setenv("FAKE_CUDA", "late", 1);
    CHECK(staged(&b, 5 * CHUNK) == 0);
    free_bench(&b);
}

void test_staging_limits(void)
{
    CHECK(check_run("child-staging-limits", NULL, NULL) == 0);
    CHECK(check_run("child-staging-growth", NULL, NULL) == 0);
    CHECK(check_run("child-staging-small", "POLYGPU_DEBUG=1", NULL) == 0);
    CHECK(check_said("no pinned memory for copies (CUDA error 2)") == 1);
    CHECK(check_run("child-staging-one", NULL, NULL) == 0);
    CHECK(check_run("child-staging-refused", NULL, NULL) == 0);
    CHECK(!check_said("polygpu"));
    CHECK(check_run("child-staging-refused", "POLYGPU_DEBUG=1", NULL) == 0);
    CHECK(check_said("no pinned memory for copies (CUDA error 2)") == 1);
    CHECK(check_said("3 of 3 threads") == 1);
}

/* Copies while one call of the driver fails: they are right, or fail. */
void child_staging_calls(void)
{
    struct polygpu_status status = {0};
    struct bench b;
    int done = 0, i;

    use_threads("3");
    if (polygpu_cuda.open(&status) && polygpu_cuda.alive(&status)) {
        b = (struct bench){.from = malloc(ROOM), .to = malloc(ROOM)};
        if (polygpu_cuda.start(NULL, &b.session, &status)) {
            if (polygpu_cuda.alloc(ROOM, &b.device, &status)) {
                for (i = 0; i < 4; ++i)
                    done += goes_round(&b, (i == 2 ? 12 : 2) * CHUNK + 13);
                polygpu_cuda.free(b.device);
            }
            polygpu_cuda.stop(b.session);
        }
        polygpu_cuda.close();
        free(b.from);
        free(b.to);
    }
    fprintf(stderr, "done %d calls %d depth %d objects %d pinned %d\n", done,
            fake_int("fake_cuda_calls"), fake_int("fake_cuda_depth"),
            fake_int("fake_cuda_objects"), fake_int("fake_cuda_pinned"));
}

/* The n-th call fails.  If that passes, it costs one copy at most; what is
 * pinned stays where the context is not known for sure, or freeing fails: of
 * two sizes at most, but the events of one. */
static void fail_call(int n, int error)
{
    int done, calls, depth, objects, pinned;
    char set[64];

    snprintf(set, sizeof set, "FAKE_CUDA_FAIL=%d:%d", n, error);
    if (check_run("child-staging-calls", set, NULL) != 0)
        check_failed(set, __LINE__, check_text);
    CHECK(sscanf(strstr(check_text, "done "),
                 "done %d calls %d depth %d objects %d pinned %d", &done,
                 &calls, &depth, &objects, &pinned) == 5);
    CHECK(depth == 0);
    if (error >= 700)
        return;
    CHECK(objects == 0 || (objects == 2 * 3 && pinned == 1));
    CHECK(pinned <= 1);
    CHECK(done >= 3 || done == 0);
}

void test_staging_calls(void)
{
    static const int errors[] = {1, 2, 700};
    int calls, i, n;

    CHECK(check_run("child-staging-calls", NULL, NULL) == 0);
    CHECK(check_said("done 4 ") == 1 && check_said("pinned 0") == 1);
    CHECK(sscanf(strstr(check_text, "calls "), "calls %d", &calls) == 1);
    CHECK(calls > 100);
    for (n = 1; n <= calls + 2; ++n)
        for (i = 0; i < 3; ++i)
            fail_call(n, errors[i]);
}

static void *copy_often(void *number)
{
    struct bench b = new_bench();
    int i;

    for (i = 0; i < 40; ++i)
        CHECK(goes_round(&b, 9 * CHUNK + (size_t)(uintptr_t)number));
    free_bench(&b);
    return NULL;
}

/* Several threads copy; one of them at a time is helped. */
void test_staging_threads(void)
{
    enum { THREADS = 3 };
    pthread_t threads[THREADS];
    uintptr_t i;

    use_threads("4");
    open_device();
    for (i = 0; i < THREADS; ++i)
        CHECK(!pthread_create(&threads[i], NULL, copy_often, (void *)i));
    for (i = 0; i < THREADS; ++i)
        CHECK(!pthread_join(threads[i], NULL));
    CHECK(fake_int("fake_cuda_staged") > 40 * 9 * CHUNK / 1000);
    polygpu_cuda.close();
    CHECK(fake_int("fake_cuda_pinned") == 0);
}

static void *copy_for_a_while(void *stop)
{
    struct bench b = new_bench();

    while (!__atomic_load_n((int *)stop, __ATOMIC_ACQUIRE))
        CHECK(goes_round(&b, 20 * CHUNK));
    free_bench(&b);
    return NULL;
}

/* Children of a process in the middle of copies end as others do; the parent's
 * copies go on. */
void test_staging_fork(void)
{
    struct polygpu_status ignored = {0};
    pthread_t thread;
    int stop = 0, status, i;
    pid_t pid;

    use_threads("3");
    open_device();
    CHECK(!pthread_create(&thread, NULL, copy_for_a_while, &stop));
    for (i = 0; i < 30; ++i) {
        usleep(1000 * (unsigned)(i % 7));
        pid = fork();
        if (pid == 0) {
            alarm(20);
            CHECK(!polygpu_cuda.alive(&ignored));
            tests_end_process(7);
        }
        CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
    CHECK(!pthread_join(thread, NULL));
}

/* What was pinned is gone with the context, before anybody notices that. */
void test_staging_reset(void)
{
    struct bench b, c;

    use_threads("3");
    open_device();
    b = new_bench();
    CHECK(staged(&b, 5 * CHUNK) > 0);
    CHECK(fake_do("fake_cuda_reset", 0) == 0);
    CHECK(!polygpu_cuda.copy_in(b.session, b.device, b.from, 5 * CHUNK,
                                &(struct polygpu_status){0}));
    c = new_bench();
    CHECK(staged(&c, 5 * CHUNK) > 0 && fake_int("fake_cuda_pinned") == 1);
    free_bench(&c);
    CHECK(fake_do("fake_cuda_reset", 0) == 0);
    polygpu_cuda.close();
}

static pthread_t main_thread;
static volatile sig_atomic_t n_signals, elsewhere;

static void count_signal(int ignored)
{
    (void)ignored;
    n_signals = n_signals + 1;
    if (!pthread_equal(pthread_self(), main_thread))
        elsewhere = 1;
}

/* The program's signals are its own threads', and come when a copy is done. */
void test_staging_signals(void)
{
    struct sigaction action = {.sa_handler = count_signal};
    struct itimerval timer = {{0, 300}, {0, 300}};
    struct bench b;
    int i;

    main_thread = pthread_self();
    use_threads("4");
    CHECK(!sigaction(SIGALRM, &action, NULL));
    open_device();
    b = new_bench();
    CHECK(!setitimer(ITIMER_REAL, &timer, NULL));
    for (i = 0; i < 100 || (n_signals < 20 && i < 5000); ++i)
        CHECK(goes_round(&b, 9 * CHUNK + 5));
    timer = (struct itimerval){{0}, {0}};
    CHECK(!setitimer(ITIMER_REAL, &timer, NULL));
    CHECK(n_signals >= 20 && !elsewhere);
    free_bench(&b);
}
