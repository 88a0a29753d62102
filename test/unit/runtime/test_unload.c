/* test_unload.c - a library with offloaded loops comes and goes.
 *
 * Under POLYGPU_FAULT=count each unloading says how often the device was asked
 * for what, and what was not given back.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "polygpu/abi.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 600, TIMES = 30 };

/* What KERNEL_SCALE of the library does: the stand-in for the driver finds this
 * one first, and with it nothing that would keep the library. */
void scale(void *const *args, struct polygpu_thread *self);

void scale(void *const *args, struct polygpu_thread *self)
{
    int64_t i = (int64_t)self->block[0] * self->n_thread[0] + self->thread[0];
    double *a = *(double *const *)args[0];

    if (i < *(const int64_t *)args[2])
        a[i] = 2 * a[i] + 1;
}

/* A function of the library. */
static void find(void *library, const char *name, void *function)
{
    void *found = library ? dlsym(library, name) : NULL;

    CHECK(found);
    memcpy(function, &found, sizeof found);
}

static void unload(void *library)
{
    CHECK(dlclose(library) == 0);
    CHECK(!dlopen(UNLOADED, RTLD_NOW | RTLD_NOLOAD));
}

/* Load it, use it as often as asked, unload it. */
static void come_and_go(int runs)
{
    void *library = dlopen(UNLOADED, RTLD_NOW | RTLD_GLOBAL);
    int (*pair)(double *a, double *b, int64_t n);
    double a[N], b[N], a2[N], b2[N];
    int i;

    find(library, "unloaded_pair", &pair);
    while (runs-- > 0) {
        check_fill(a, N);
        check_fill(b, N);
        memcpy(a2, a, sizeof a);
        memcpy(b2, b, sizeof b);
        CHECK(pair(a, b, N) == 1);
        for (i = 0; i < N; ++i) {
            CHECK(a[i] == 4 * a2[i] + 3);
            CHECK(b[i] == b2[i] + 2 * a2[i] + 1 + a[i]);
        }
    }
    unload(library);
}

/* The same with copies by threads that the library has. */
static void copy_and_go(int copies)
{
    static double from[100 * N], to[100 * N];
    void *library = dlopen(UNLOADED, RTLD_NOW | RTLD_GLOBAL);
    int (*copy)(void *, const void *, size_t);

    find(library, "unloaded_copy", &copy);
    check_fill(from, 100 * N);
    while (copies-- > 0)
        CHECK(copy(to, from, sizeof from) == 1);
    unload(library);
}

/* What is on the device when the library goes comes to the host, or the
 * library's loops compute it for the last time. */
static void leave_and_go(int replays)
{
    void *library = dlopen(UNLOADED, RTLD_NOW | RTLD_GLOBAL);
    int (*later)(double *a, int64_t n, int *replays);
    double a[N], before[N];
    int i, replayed = 0;

    find(library, "unloaded_later", &later);
    check_fill(a, N);
    memcpy(before, a, sizeof a);
    CHECK(later(a, N, &replayed) == 1);
    unload(library);
    for (i = 0; i < N; ++i)
        CHECK(a[i] == 4 * before[i] + 3);
    CHECK(replayed == replays);
}

/* Nothing fails, or what has to come does not. */
static void test_results(void)
{
    CHECK(check_run("child-results", "POLYGPU_FAULT=count", NULL) == 0);
    CHECK(check_said("polygpu: ") == 3 &&
          check_said(" in=1 mark=0 launch=2 ") == 3 &&
          check_said(" out=1") == 3);
    CHECK(check_run("child-replayed", "POLYGPU_FAULT=out:1", NULL) == 0);
    CHECK(check_said("out number 1 failed; running loops on the CPU") == 1 &&
          check_said("polygpu: ") == 1);
}

/* Load it often; a fork afterwards calls nothing that is gone. */
static int child(void (*once)(int times))
{
    int i, status;
    pid_t pid;

    for (i = 0; i < TIMES; ++i)
        once(i % 3);
    pid = fork();
    if (pid == 0)
        _exit(0);
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
    return 0;
}

/* Threads and pinned memory go with each of them. */
static void test_copies(void)
{
    CHECK(check_run("child-copies", "POLYGPU_COPY_THREADS=3", NULL) == 0);
    CHECK(check_run("child-copies", "POLYGPU_COPY_THREADS=3",
                    "POLYGPU_DEBUG=1") == 0);
    CHECK(check_said("bytes are pinned for copies by 3 threads") ==
          TIMES * 2 / 3);
}

/* Everything is given back each time. */
int main(int argc, char **argv)
{
    static char text[65536];

    if (argc == 2 && !strcmp(argv[1], "child"))
        return child(come_and_go);
    if (argc == 2 && !strcmp(argv[1], "child-copies"))
        return child(copy_and_go);
    if (argc == 2 && !strcmp(argv[1], "child-results")) {
        for (int i = 0; i < 3; ++i)
            leave_and_go(0);
        return 0;
    }
    if (argc == 2 && !strcmp(argv[1], "child-replayed")) {
        leave_and_go(2);
        return 0;
    }
    if (argc == 2 && !strcmp(argv[1], "results")) {
        test_results();
        return 0;
    }
    if (argc == 2 && !strcmp(argv[1], "copies")) {
        test_copies();
        return 0;
    }
    CHECK(check_child("child", NULL, text, sizeof text) == 0);
    CHECK(check_occurrences(text, "polygpu: operations open=1 ") ==
          TIMES * 2 / 3);
    CHECK(check_occurrences(text, "polygpu: ") == TIMES * 2 / 3);
    CHECK(check_occurrences(text, " start=1 ") == TIMES / 3);
    CHECK(check_occurrences(text, " start=2 ") == TIMES / 3);
    return 0;
}
