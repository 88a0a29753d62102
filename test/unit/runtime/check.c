/* check.c - see check.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t state;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void check_failed(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    fflush(stderr);
    _exit(1);
}

static void seed(void)
{
    const char *given = getenv("POLYGPU_SEED");
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    state = given ? strtoull(given, NULL, 0)
                  : (uint64_t)t.tv_nsec * 1000003u + (uint64_t)getpid();
    printf("POLYGPU_SEED=%llu\n", (unsigned long long)state);
    fflush(stdout);
    state = state * 2 + 1;
}

uint64_t check_random(void)
{
    uint64_t x;

    pthread_mutex_lock(&lock);
    if (!state)
        seed();
    x = state += 0x9e3779b97f4a7c15u;
    pthread_mutex_unlock(&lock);
    x = (x ^ (x >> 31)) * 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

double check_value(void)
{
    return (double)(check_random() % 1000 + 1) / 8;
}

void check_fill(double *values, size_t n)
{
    size_t i;

    for (i = 0; i < n; ++i)
        values[i] = check_value();
}

int check_child(const char *argument, const char *const *environment,
                char *text, size_t size)
{
    size_t used = 0;
    int ends[2], status;
    ssize_t got;
    pid_t pid;

    CHECK(pipe(ends) == 0);
    pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        dup2(ends[1], 2);
        close(ends[0]);
        close(ends[1]);
        for (; environment && *environment; ++environment)
            putenv((char *)(uintptr_t)*environment);
        execl("/proc/self/exe", "child", argument, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    while (used + 1 < size &&
           (got = read(ends[0], text + used, size - used - 1)) > 0)
        used += (size_t)got;
    text[used] = '\0';
    close(ends[0]);
    CHECK(waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int check_occurrences(const char *text, const char *part)
{
    int n = 0;

    for (; (text = strstr(text, part)); text += strlen(part))
        ++n;
    return n;
}

char check_text[65536];

int check_run(const char *argument, const char *one, const char *two)
{
    const char *environment[3] = {one, two, NULL};

    return check_child(argument, environment, check_text, sizeof check_text);
}

int check_said(const char *part)
{
    return check_occurrences(check_text, part);
}

int check_number(const char *word)
{
    const char *at = strstr(check_text, word);
    int number;

    CHECK(at && sscanf(at + strlen(word), "%d", &number) == 1);
    return number;
}
