/* test_process.c - what depends on the environment or ends the process.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "core/fallback.h"
#include "example.h"
#include "tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 500 };

/* One run on fresh values; checks that they are what the result says. */
static int pair_once(struct polygpu_scop *scop)
{
    double a[N], b[N], a2[N], b2[N];
    int result;

    check_fill(a, N);
    check_fill(b, N);
    memcpy(a2, a, sizeof a);
    memcpy(b2, b, sizeof b);
    result = example_pair(scop, a, b, N, 2);
    if (result)
        example_pair_here(a2, b2, N, 2);
    CHECK(!memcmp(a, a2, sizeof a) && !memcmp(b, b2, sizeof b));
    return result;
}

void child_pair(void)
{
    struct polygpu_scop scop = example_scop;
    int first = pair_once(&scop);

    fprintf(stderr, "results %d %d\n", first, pair_once(&scop));
}

void child_nothing(void)
{
}

/* All or nothing under each fault; the fault passes, or stays where it means
 * that there are no kernels. */
void test_faults(void)
{
    static const struct {
        const char *set, *results;
        int lines;
    } cases[] = {
        {"POLYGPU_FAULT=alloc:1", "results 0 1", 1},
        {"POLYGPU_FAULT=alloc:2", "results 0 1", 1},
        {"POLYGPU_FAULT=alloc:3", "results 1 1", 0},
        {"POLYGPU_FAULT=alloc:1+", "results 0 0", 1},
        {"POLYGPU_FAULT=launch:3+", "results 1 0", 1},
        {"POLYGPU_FAULT=in:1", "results 0 1", 1},
        {"POLYGPU_FAULT=in:2", "results 0 1", 1},
        {"POLYGPU_FAULT=launch:1", "results 0 1", 1},
        {"POLYGPU_FAULT=launch:2", "results 0 1", 1},
        {"POLYGPU_FAULT=launch:4", "results 1 0", 1},
        {"POLYGPU_FAULT=sync:1", "results 0 1", 1},
        {"POLYGPU_FAULT=out:1", "results 0 1", 1},
        {"POLYGPU_FAULT=out:2", "results 0 1", 1},
        {"POLYGPU_FAULT=out:4", "results 1 0", 1},
        {"POLYGPU_FAULT=out:5", "results 1 1", 0},
        {"POLYGPU_FAULT=load:1", "results 0 1", 1},
        {"POLYGPU_FAULT=load:1+", "results 0 0", 1},
        {"POLYGPU_FAULT=start:1", "results 0 1", 1},
        {"POLYGPU_FAULT=start:1+", "results 0 0", 1},
        {"POLYGPU_FAULT=announce:1", "results 0 1", 1},
        {"POLYGPU_FAULT=announce:4", "results 1 0", 1},
        {"POLYGPU_FAULT=place:1", "results 0 1", 1},
        {"POLYGPU_FAULT=place:4", "results 1 0", 1},
        {"POLYGPU_FAULT=alive:1", "results 0 1", 1},
        {"POLYGPU_FAULT=alive:2", "results 1 0", 1},
        {"POLYGPU_FAULT=open:1", "results 0 0", 1},
    };
    char counts[200];
    size_t i;

    for (i = 0; i < sizeof cases / sizeof *cases; ++i) {
        printf("%s\n", cases[i].set);
        fflush(stdout);
        CHECK(check_run("child-pair", cases[i].set, NULL) == 0);
        CHECK(check_said(cases[i].results) == 1);
        CHECK(check_said("injected fault") == cases[i].lines);
        CHECK(check_said("running loops on the CPU") == cases[i].lines);
        CHECK(check_said("polygpu:") == cases[i].lines);
        CHECK(check_run("child-pair", cases[i].set, "POLYGPU=mandatory") ==
              (cases[i].lines ? POLYGPU_MANDATORY_STATUS : 0));
        CHECK(check_said("polygpu:") == cases[i].lines);
    }
    CHECK(check_run("child-pair", "POLYGPU_FAULT=count", NULL) == 0);
    snprintf(counts, sizeof counts,
             "results 1 1\npolygpu: operations open=1 alive=2 load=1 start=%d "
             "follow=0 leave=0 announce=4 alloc=2 place=4 in=4 mark=0 launch=4 "
             "graph=0 reach=0 "
             "sync=2 "
             "out=4\n",
             strcmp(getenv("POLYGPU_DEVICE"), "emulated") ? 1 : 2);
    CHECK(check_said(counts) == 1);
}

void child_version(void)
{
    struct polygpu_scop scop = example_scop;

    scop.abi_version = POLYGPU_ABI_VERSION + 1;
    scop.function = scop.file = (const char *)(uintptr_t)1;
    scop.kernels = NULL;
    scop.state = (void *)(uintptr_t)1;
    CHECK(!polygpu_begin(&scop));
    scop.abi_version = POLYGPU_ABI_VERSION - 1;
    CHECK(!polygpu_begin(&scop));
    polygpu_decline(&scop, "a reason", NULL);
}

/* A descriptor of another version is not looked into. */
void test_version(void)
{
    char text[80];

    snprintf(text, sizeof text, "for version %d of the runtime interface, this",
             POLYGPU_ABI_VERSION + 1);
    CHECK(check_run("child-version", NULL, NULL) == 0);
    CHECK(check_said(text) == 1 && check_said("polygpu:") == 1);
    CHECK(check_run("child-version", "POLYGPU_PROFILE=lines", "POLYGPU=off") ==
          0);
    CHECK(!*check_text);
    CHECK(check_run("child-version", "POLYGPU=mandatory", NULL) ==
          POLYGPU_MANDATORY_STATUS);
    CHECK(check_said(text) == 1);
}

/* A forked child computes on a device that it can use, or not at all. */
void test_fork(void)
{
    struct polygpu_scop scop = example_scop;
    int emulated = !strcmp(getenv("POLYGPU_DEVICE"), "emulated");
    int status;
    pid_t pid;

    CHECK(pair_once(&scop) == 1);
    pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        CHECK(pair_once(&scop) == emulated);
        _exit(0);
    }
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    CHECK(pair_once(&scop) == 1);
}

void child_decline(void)
{
    static const int64_t values[] = {INT64_MIN, 0, 0, 0, 0, 0,
                                     0,         0, 0, 0, 0, 7};
    struct polygpu_scop scop = example_scop;

    polygpu_decline(&scop, "A overlaps 100% of B%", NULL);
    polygpu_decline(&scop, "n = %0, 9%; m = %11", values);
}

void child_profile(void)
{
    static struct polygpu_scop declined, scop;

    declined = scop = example_scop;
    declined.function = "never";
    declined.file = NULL;
    declined.line = 0;
    CHECK(pair_once(&scop) == 1);
    polygpu_decline(&declined, "A and B overlap", NULL);
    polygpu_decline(&scop, "A and B overlap", NULL);
    CHECK(pair_once(&scop) == 1);
}

void test_profile(void)
{
    char device[32], wanted[200];
    double ms, in_ms, out_ms;
    int runs, declined, failed, in, out, launches, block, grid, end = 0;
    const char *line;

    CHECK(check_run("child-profile", "POLYGPU_PROFILE=lines", NULL) == 0);
    line = check_text;
    CHECK(sscanf(line,
                 "polygpu: scop example example.c:7 device=%31s runs=%d "
                 "declined=%d failed=%d bytes_in=%d bytes_out=%d "
                 "time_ms=%lf in_ms=%lf out_ms=%lf by_cost=0 "
                 "bytes_kept=0%n",
                 device, &runs, &declined, &failed, &in, &out, &ms, &in_ms,
                 &out_ms, &end) == 9);
    CHECK(line[end] == '\n' && in_ms >= 0 && out_ms >= 0);
    CHECK(ms > 0 && ms + 0.002 > in_ms + out_ms);
    CHECK(!strcmp(device, getenv("POLYGPU_DEVICE")));
    CHECK(runs == 2 && declined == 1 && failed == 0);
    CHECK(in == 2 * 2 * 8 * N && out == in);
    line = strstr(check_text, "polygpu: kernel pair ");
    CHECK(line);
    CHECK(sscanf(line,
                 "polygpu: kernel pair device=%31s launches=%d grid=%d,1,1 "
                 "block=%d,1,1 time_ms=%lf%n",
                 device, &launches, &grid, &block, &ms, &end) == 5);
    CHECK(line[end] == '\n' && ms > 0 &&
          !strcmp(device, getenv("POLYGPU_DEVICE")));
    CHECK(launches == 4 && block == 32 && grid == (N + 31) / 32);
    snprintf(wanted, sizeof wanted,
             "polygpu: kernel reverse device=%s launches=0 grid=0,0,0 "
             "block=16,4,1 time_ms=0.000\n",
             device);
    CHECK(check_said(wanted) == 1);
    CHECK(check_said(
              "polygpu: scop never ?:0 device=none runs=0 declined=1 failed=0 "
              "bytes_in=0 bytes_out=0 time_ms=0.000 in_ms=0.000 out_ms=0.000 "
              "by_cost=0 bytes_kept=0\n"
              "polygpu: kernel scale "
              "device=none launches=0") == 1);
    CHECK(check_said("polygpu: ") == 2 + 2 * N_KERNELS);

    CHECK(check_run("child-pair", "POLYGPU_PROFILE=lines",
                    "POLYGPU_FAULT=launch:2") == 0);
    CHECK(check_said("runs=1 declined=0 failed=1 ") == 1);
    CHECK(check_run("child-pair", "POLYGPU_PROFILE=lines", "POLYGPU=off") == 0);
    CHECK(check_said("device=none runs=0 declined=2 failed=0 ") == 1);
    CHECK(check_run("child-pair", "POLYGPU_PROFILE=0", NULL) == 0);
    CHECK(!check_said("polygpu:"));
    CHECK(check_run("child-nothing", "POLYGPU_PROFILE=lines", NULL) == 0);
    CHECK(!*check_text);
}

/* The table's lines and columns. */
void test_table(void)
{
    const char *line, *device = getenv("POLYGPU_DEVICE");
    char head[64];
    int end = 0;

    CHECK(check_run("child-profile", "POLYGPU_PROFILE=1", NULL) == 0);
    CHECK(sscanf(check_text,
                 "polygpu: profile: %*f %*s of %*f %*s in offloaded loops, "
                 "device %63s",
                 head) == 1);
    CHECK(!strcmp(head, device));
    CHECK(check_said(
              "polygpu:      time  share     runs   on CPU       in      "
              "          kept      out             loops; kernels: ") == 1);
    line = strstr(check_text, " 100.0%        2        1  16.0 kB ");
    CHECK(line && line[-1] == 's');
    sscanf(line,
           " 100.0%% 2 1 16.0 kB %*f %*1cB/s 0 B 16.0 kB %*f %*1cB/s example "
           "(example.c:7)\npolygpu: %*f %*s %*f%% 4 kernel pair: 16x1x1 "
           "blocks of 32x1x1\n%n",
           &end);
    CHECK(end > 0);
    CHECK(check_said("     0 us   0.0%        0        1      0 B            "
                     "     0 B      0 B             never (?:0)\n") == 1);
    CHECK(check_said("polygpu: never: 1 run on the CPU for other reasons; "
                     "POLYGPU_DEBUG=1 says them\n") == 1);
    CHECK(check_said("kernel") == 2);
    CHECK(check_said("polygpu: setup: device opened in ") == 1 &&
          check_said(", code of 1 nest of loops loaded in ") == 1);
    CHECK(check_run("child-pair", "POLYGPU_PROFILE=1",
                    "POLYGPU_FAULT=launch:2") == 0);
    CHECK(check_said("polygpu: example: 1 run failed, and went to the CPU\n") ==
          1);
    CHECK(check_run("child-nothing", "POLYGPU_PROFILE=1", NULL) == 0);
    CHECK(!*check_text);
}

/* It ends the program when the original loops would run, and only then. */
void test_mandatory(void)
{
    CHECK(check_run("child-pair", "POLYGPU=mandatory", NULL) == 0);
    CHECK(check_said("results 1 1") && !check_said("polygpu:"));
    CHECK(check_run("child-decline", "POLYGPU=mandatory", NULL) ==
          POLYGPU_MANDATORY_STATUS);
    CHECK(check_said("polygpu: example (example.c:7): A overlaps 100% of B%; "
                     "POLYGPU=mandatory ends the program\n") == 1);
    CHECK(check_run("child-decline", NULL, NULL) == 0 && !*check_text);
    CHECK(check_run("child-decline", "POLYGPU_DEBUG=1", NULL) == 0);
    CHECK(check_said("A overlaps 100% of B%\n") == 1);
    CHECK(check_said("n = -9223372036854775808, 9%; m = 7\n") == 1);
    CHECK(check_run("child-decline", "POLYGPU=off", NULL) == 0 && !*check_text);
    if (strcmp(getenv("POLYGPU_DEVICE"), "cuda") != 0)
        return;
    CHECK(check_run("child-pair", "POLYGPU=mandatory", "FAKE_CUDA=none") ==
          POLYGPU_MANDATORY_STATUS);
    CHECK(check_said("no CUDA device") == 1);
}

void test_environment(void)
{
    static const struct {
        const char *set, *more, *line, *results;
    } cases[] = {
        {"POLYGPU=on", "POLYGPU_DEBUG=0", "POLYGPU=on ", "results 0 0"},
        {"POLYGPU=Auto", NULL, "allowed: auto, off, mandatory", "results 0 0"},
        {"POLYGPU_DEVICE=opencl", "POLYGPU=mandatory", "POLYGPU_DEVICE=opencl ",
         "results 0 0"},
        {"POLYGPU_PROFILE=yes", NULL, "POLYGPU_PROFILE=yes ", "results 1 1"},
        {"POLYGPU_PROFILE=json", NULL, "lines, <file>.json, <file>.csv\n",
         "results 1 1"},
        {"POLYGPU_DEBUG=2", "POLYGPU=mandatory", "POLYGPU_DEBUG=2 ",
         "results 1 1"},
        {"POLYGPU_FAULT=alloc", NULL, "POLYGPU_FAULT=alloc ", "results 1 1"},
        {"POLYGPU_FAULT=in:0", NULL, "POLYGPU_FAULT=in:0 ", "results 1 1"},
        {"POLYGPU_FAULT=in:1+1", NULL, "POLYGPU_FAULT=in:1+1 ", "results 1 1"},
        {"POLYGPU_GRAPHS=yes", NULL, "allowed: auto, on, off\n", "results 1 1"},
        {"POLYGPU_OVERLAP=1", NULL, "allowed: on, off\n", "results 1 1"},
        {"POLYGPU_COPY_THREADS=0", NULL, "allowed: 1 to 64\n", "results 1 1"},
        {"POLYGPU_COPY_THREADS=65", NULL, "POLYGPU_COPY_THREADS=65 ",
         "results 1 1"},
        {"POLYGPU_COPY_THREADS=2x", NULL, "POLYGPU_COPY_THREADS=2x ",
         "results 1 1"},
        {"POLYGPU_COST=on", NULL, "POLYGPU_COST=on ", "results 1 1"},
        {"POLYGPU_COST=cpu=0", NULL, "POLYGPU_COST=cpu=0 ", "results 1 1"},
        {"POLYGPU_COST=cpu=-1", NULL, "names cpu, gpu, ", "results 1 1"},
        {"POLYGPU_COST=cpu=1x", NULL, "POLYGPU_COST=cpu=1x ", "results 1 1"},
        {"POLYGPU_COST=cpu=1,", NULL, "POLYGPU_COST=cpu=1, ", "results 1 1"},
        {"POLYGPU_COST=cpus=1", NULL, "array, run, open, load\n",
         "results 1 1"},
        {"POLYGPU_COST=Fixed", NULL, "allowed: auto, learn, fixed, off, or ",
         "results 1 1"},
        {"POLYGPU_COST=auto,", NULL, "POLYGPU_COST=auto, ", "results 1 1"},
        {"POLYGPU_COST=off,cpu=1", NULL, "POLYGPU_COST=off,cpu=1 ",
         "results 1 1"},
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof *cases; ++i) {
        CHECK(check_run("child-pair", cases[i].set, cases[i].more) == 0);
        CHECK(check_said(cases[i].line) == 1 && check_said("allowed: ") == 1);
        CHECK(check_said(cases[i].results) == 1 && check_said("polygpu:") == 1);
    }
    CHECK(check_run("child-pair", "POLYGPU=", "POLYGPU_PROFILE=") == 0);
    CHECK(check_said("results 1 1") && !check_said("polygpu:"));
    CHECK(check_run("child-pair", "POLYGPU=off", NULL) == 0);
    CHECK(check_said("results 0 0") && !check_said("polygpu:"));
    CHECK(check_run("child-pair", "POLYGPU_DEBUG=1", NULL) == 0);
    CHECK(check_said("begin on device") == 2 &&
          check_said("debug: array A") == 2);
    CHECK(check_said("debug: launch pair") == 4 &&
          check_said("debug: copy in B") == 2);
    CHECK(check_said("debug: copy out B") == 2 &&
          check_said("results written") == 2);
}

static struct polygpu_scop early_scop;

static void late(void)
{
    fprintf(stderr, "exit handler %d\n", pair_once(&early_scop));
}

__attribute__((constructor)) static void early(void)
{
    if (!getenv("EARLY_LATE"))
        return;
    early_scop = example_scop;
    fprintf(stderr, "constructor %d\n", pair_once(&early_scop));
    atexit(late);
}

__attribute__((destructor)) static void later(void)
{
    if (getenv("EARLY_LATE"))
        fprintf(stderr, "destructor %d\n", pair_once(&early_scop));
}

__attribute__((destructor(101))) static void last(void)
{
    if (getenv("EARLY_LATE"))
        fprintf(stderr, "last destructor %d\n", pair_once(&early_scop));
}

/* Loops may run before main and after exit. */
void test_early_late(void)
{
    CHECK(check_run("child-nothing", "EARLY_LATE=1", "POLYGPU_PROFILE=lines") ==
          0);
    CHECK(check_said("constructor 1\n") == 1 &&
          check_said("exit handler 1\n") == 1);
    CHECK(check_said("destructor 1\n") == 2 &&
          check_said("last destructor 1\n") == 1);
    CHECK(check_said("runs=3 ") + check_said("runs=4 ") == 1);
}
