/* test_output.c - profiles in files: who writes which one, and what is in them.
 *
 * That a trace is one is checked by test/lit/exec/trace.test.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "core/observed.h"
#include "core/state.h"
#include "core/trace.h"
#include "example.h"
#include "tests.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 100 };

static char *content; /* of the file that was read last */

/* How often "part" is in the lines of a file; -1: there is none.  Sanitizers
 * look at all of a text that is searched, and traces are long. */
static int file_says(const char *name, const char *part)
{
    FILE *file = fopen(name, "r");
    char *line = NULL;
    size_t capacity = 0;
    int n = 0;

    if (!file)
        return -1;
    while (getline(&line, &capacity, file) > 0)
        n += check_occurrences(line, part);
    free(line);
    rewind(file);
    capacity = 0;
    free(content);
    content = NULL;
    CHECK(getdelim(&content, &capacity, '\0', file) > 0);
    fclose(file);
    return n;
}

/* Files in the current directory, which is left empty. */
static int remove_files(void)
{
    DIR *directory = opendir(".");
    const struct dirent *entry;
    int n = 0;

    CHECK(directory);
    while ((entry = readdir(directory)))
        if (entry->d_name[0] != '.')
            n += unlink(entry->d_name) == 0;
    closedir(directory);
    return n;
}

static int pair_once(void)
{
    struct polygpu_scop scop = example_scop;
    double a[N], b[N];

    check_fill(a, N);
    check_fill(b, N);
    return example_pair(&scop, a, b, N, 2);
}

/* ---- What is written ------------------------------------------------------
 */

void child_names(void)
{
    struct polygpu_scop scop = example_scop;
    double a[N] = {0}, b[N] = {0};

    scop.function = "a \"b\"\n\xc3\xa9\xff";
    scop.file = "x,y.c";
    CHECK(example_pair(&scop, a, b, N, 2) == 1);
}

/* Two arrays of 800 bytes are copied out for a touch. */
void child_touch(void)
{
    double begun = polygpu_observe_begin();

    CHECK(pair_once() == 1);
    polygpu_observe_touch(begun, 24, "norm \"2\" at x.c:5");
    polygpu_observe_touch(polygpu_observe_begin(), 8, "norm at x.c:6");
    polygpu_observe_touch(polygpu_observe_begin(), 0, "norm at x.c:7");
}

void child_many_events(void)
{
    const struct polygpu_event event = {
        .kind = POLYGPU_EVENT_TOUCH, .begun = 1, .ended = 2};
    int i;

    CHECK(pair_once() == 1);
    for (i = 0; i < POLYGPU_MAX_EVENTS; ++i)
        polygpu_trace(&event);
}

/* A run, two launches, two copies each way, and the setup. */
static void test_trace(void)
{
    CHECK(check_run("child-names", "POLYGPU_PROFILE=t.json", NULL) == 0);
    CHECK(!*check_text && file_says("t.json", "\"ph\":\"X\"") == 7 + 2);
    CHECK(check_occurrences(content, "\"cat\":\"kernel\",\"name\":\"pair\"") ==
          2);
    CHECK(check_occurrences(content, "\"grid\":[4,1,1],\"block\":[32,1,1]}}") ==
          2);
    /* The sums of the same. */
    CHECK(check_occurrences(content, "\"profile\":{\"peak\":{") == 1);
    CHECK(check_occurrences(content, "\"runs\":1,\"declined\":0,"
                                     "\"by_cost\":0,\"failed\":0,") == 1);
    CHECK(check_occurrences(content, "{\"kernel\":\"pair\",\"launches\":2,") ==
          1);
    CHECK(check_occurrences(content, "\"bytes_in\":1600,\"bytes_out\":1600,") ==
          1);
    CHECK(check_occurrences(content, "\"name\":\"in A\"") == 1);
    CHECK(check_occurrences(content, "\"name\":\"out B\"") == 1);
    CHECK(check_occurrences(content, "\"bytes\":800}") == 4);
    CHECK(check_occurrences(content, "\"results\":\"written\"") == 1);
    CHECK(check_occurrences(content, "\"name\":\"open device\"") == 1);
    CHECK(check_occurrences(content, "\"name\":\"load kernels\"") == 1);
    CHECK(check_occurrences(
              content, "\"a \\\"b\\\"\\u000a\xc3\xa9\\ufffd (x,y.c:7)\"") == 8);
    CHECK(check_run("child-touch", "POLYGPU_PROFILE=t.json", NULL) == 0);
    CHECK(file_says("t.json", "\"cat\":\"touch\""));
    CHECK(check_occurrences(content,
                            "\"dropped_bytes\":24,\"brought_bytes\":1600,"
                            "\"place\":\"norm \\\"2\\\" at x.c:5\"}") == 1);
    CHECK(check_occurrences(content, "\"cat\":\"touch\"") == 2);
    CHECK(check_run("child-touch", "POLYGPU_PROFILE=1", NULL) == 0);
    CHECK(check_said("polygpu: touches: most bytes by norm \"2\" at x.c:5, 1 "
                     "time: 24.0 B invalid, 1.60 kB brought"));
    CHECK(check_run("child-many-events", "POLYGPU_PROFILE=t.json", NULL) == 0);
    CHECK(check_said("polygpu: the trace has the first 262144 events, 9 came "
                     "later\n") == 1);
    CHECK(file_says("t.json", "\"ph\":\"X\"") == POLYGPU_MAX_EVENTS);
    CHECK(check_occurrences(content, "\"events_not_kept\":\"9\"") == 1);
    CHECK(remove_files() == 1);
}

static void test_csv(void)
{
    char wanted[200];

    CHECK(check_run("child-names", "POLYGPU_PROFILE=t.csv", NULL) == 0);
    CHECK(!*check_text);
    CHECK(file_says("t.csv", "kind,function,file,line,kernel,device,runs,") ==
          1);
    snprintf(wanted, sizeof wanted,
             "scop,\"a \"\"b\"\"\n\xc3\xa9\xff\",\"x,y.c\",7,,%s,1,0,0,0,,",
             getenv("POLYGPU_DEVICE"));
    CHECK(check_occurrences(content, wanted) == 1);
    CHECK(check_occurrences(content, ",1600,1600,0,,,,,,,,,,\n") == 1);
    CHECK(check_occurrences(content, ",\"x,y.c\",7,pair,") == 1);
    CHECK(check_occurrences(content, ",0,0,0,4,1,1,32,1,1,0\n") == 1);
    CHECK(remove_files() == 1);
}

/* ---- Who writes which file ------------------------------------------------
 */

/* The child has two SCoPs of its own, and its parent's is not in its file. */
void child_forks(void)
{
    int status;
    pid_t pid;

    CHECK(pair_once() == 1);
    pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        pair_once();
        pair_once();
        tests_end_process(0);
    }
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    fprintf(stderr, "child %ld\n", (long)pid);
}

void child_starts(void)
{
    int status;
    pid_t pid;

    CHECK(pair_once() == 1);
    pid = fork();
    CHECK(pid >= 0);
    if (pid == 0)
        execl("/proc/self/exe", "child", "child-pair", (char *)NULL);
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    fprintf(stderr, "child %ld\n", (long)pid);
}

/* Three SCoPs, so that the file is known again. */
void child_moves(void)
{
    CHECK(pair_once() == 1 && pair_once() == 1 && pair_once() == 1);
    CHECK(chdir("/") == 0);
}

/* "scops" are in the child's. */
static void two_files(const char *child, int scops)
{
    const char *line;
    char name[64];
    long pid;

    CHECK(check_run(child, "POLYGPU_PROFILE=t.csv", NULL) == 0);
    line = strstr(check_text, "child ");
    CHECK(line && sscanf(line, "child %ld", &pid) == 1);
    CHECK(check_said(", since another one has ") == 1);
    CHECK(file_says("t.csv", "scop,") == 1);
    snprintf(name, sizeof name, "t.%ld.csv", pid);
    CHECK(file_says(name, "scop,") == scops);
    CHECK(remove_files() == 2);
}

/* A process that is there already keeps its file. */
static void test_processes(void)
{
    two_files("child-forks", 2);
    two_files("child-starts", 1);
    /* One after the other: the last one's. */
    CHECK(check_run("child-many-events", "POLYGPU_PROFILE=t.csv", NULL) == 0);
    CHECK(file_says("t.csv", "scop,") == 1);
    CHECK(check_run("child-moves", "POLYGPU_PROFILE=t.csv", NULL) == 0);
    CHECK(!*check_text && file_says("t.csv", "scop,") == 3);
    CHECK(remove_files() == 1);
    /* A child that runs no loops writes nothing. */
    CHECK(check_run("child-nothing", "POLYGPU_PROFILE=t.json", NULL) == 0);
    CHECK(file_says("t.json", "process_name") == 1);
    CHECK(remove_files() == 1);
}

/* One sentence, and the program goes on. */
static void test_unwritable(void)
{
    CHECK(check_run("child-pair", "POLYGPU_PROFILE=none/t.json", NULL) == 0);
    CHECK(check_said("results 1 1") == 1 && check_said("polygpu: ") == 1);
    CHECK(check_said("/none/t.json cannot be written: No such file or "
                     "directory\n") == 1);
    CHECK(check_run("child-pair", "POLYGPU_PROFILE=t.txt", NULL) == 0);
    CHECK(check_said("results 1 1") == 1);
    CHECK(check_said("polygpu: POLYGPU_PROFILE=t.txt is not a known value; "
                     "allowed: 0, 1, lines, <file>.json, <file>.csv\n") == 1);
    CHECK(remove_files() == 0);
    CHECK(symlink("/dev/full", "t.csv") == 0);
    CHECK(check_run("child-pair", "POLYGPU_PROFILE=t.csv", NULL) == 0);
    CHECK(check_said("results 1 1") == 1 && check_said("polygpu: ") == 1);
    CHECK(check_said("/t.csv cannot be written: No space left on device\n") ==
          1);
    CHECK(remove_files() == 1);
}

/* Run "test" in a new directory. */
static void in_directory(void (*test)(void))
{
    char name[] = "/tmp/polygpu-output-XXXXXX";

    CHECK(mkdtemp(name) && chdir(name) == 0);
    test();
    CHECK(chdir("/") == 0 && rmdir(name) == 0);
}

void test_output(void)
{
    in_directory(test_trace);
    in_directory(test_csv);
    in_directory(test_processes);
    in_directory(test_unwritable);
    free(content);
}
