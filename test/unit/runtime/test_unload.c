/* test_unload.c - a library with offloaded loops comes and goes.
 *
 * Under POLYGPU_FAULT=count each unloading says how often the device was asked
 * for what, and what was not given back.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 600, TIMES = 30 };

/* Load it, use it as often as asked, unload it. */
static void come_and_go(int runs)
{
    void *library = dlopen(UNLOADED, RTLD_NOW | RTLD_GLOBAL);
    void *found = library ? dlsym(library, "unloaded_pair") : NULL;
    int (*pair)(double *a, double *b, int64_t n);
    double a[N], b[N], a2[N], b2[N];
    int i;

    CHECK(found);
    memcpy(&pair, &found, sizeof pair);
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
    CHECK(dlclose(library) == 0);
    CHECK(!dlopen(UNLOADED, RTLD_NOW | RTLD_NOLOAD));
}

/* Everything is given back each time, and a fork afterwards calls nothing that
 * is gone. */
int main(int argc, char **argv)
{
    static char text[65536];
    int i, status;
    pid_t pid;

    if (argc == 2 && !strcmp(argv[1], "child")) {
        for (i = 0; i < TIMES; ++i)
            come_and_go(i % 3);
        pid = fork();
        if (pid == 0)
            _exit(0);
        CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
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
