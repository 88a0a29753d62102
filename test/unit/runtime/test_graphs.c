/* test_graphs.c - launches that come again, as graphs.
 *
 * fake_cuda.c does a stream's work as late as may be, and a graph's nodes in
 * the order furthest from ours that their edges allow.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "cuda/graphs.h"
#include "cuda/payoff.h"
#include "example.h"
#include "fake_calls.h"
#include "tests.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64, SETS = 12, LARGE = 5000 };

/* ---- When they pay ------------------------------------------------------- */

static void give_up_early(int times)
{
    while (times-- > 0) {
        struct polygpu_payoff p = {0};

        polygpu_payoff_built(&p, 1);
        polygpu_payoff_given_up(&p, true);
    }
}

/* Built at the second time, tried twice, and kept if that was faster; plain
 * launches are measured again after 16, then 64 runs. */
static void test_faster(void)
{
    struct polygpu_payoff p = {0};
    int i, plain = 0;

    polygpu_payoff_repeat(&p);
    CHECK(!polygpu_payoff_is_due(&p));
    polygpu_payoff_ran(&p, false, 3);
    polygpu_payoff_repeat(&p);
    CHECK(polygpu_payoff_is_due(&p));
    polygpu_payoff_built(&p, 4);
    for (i = 0; i < 2 + 14 + 1 + 64 + 1; ++i) {
        bool graph = polygpu_payoff_wants(&p);

        plain += !graph;
        CHECK(graph == (i != 16 && i != 16 + 1 + 64));
        CHECK(polygpu_payoff_keeps(&p));
        polygpu_payoff_ran(&p, graph, graph ? i ? 1 : 9 : 3);
    }
    CHECK(plain == 2 && p.earned && polygpu_payoff_patience() == 2);
}

/* Not faster by 2%: not kept after the second try, and never again. */
static void test_slower(void)
{
    struct polygpu_payoff p = {0};

    polygpu_payoff_ran(&p, false, 3);
    polygpu_payoff_built(&p, 4);
    polygpu_payoff_ran(&p, true, 2.95);
    CHECK(polygpu_payoff_keeps(&p));
    polygpu_payoff_ran(&p, true, 2.95);
    CHECK(!polygpu_payoff_keeps(&p));
    polygpu_payoff_given_up(&p, true);
    polygpu_payoff_repeat(&p);
    polygpu_payoff_repeat(&p);
    polygpu_payoff_repeat(&p);
    CHECK(!polygpu_payoff_is_due(&p));
}

/* What plain launches take is not known, or not any more: they are measured
 * behind the tries. */
static void test_unknown(void)
{
    struct polygpu_payoff p = {0};

    polygpu_payoff_built(&p, 4);
    polygpu_payoff_ran(&p, true, 1);
    polygpu_payoff_ran(&p, true, 1);
    CHECK(polygpu_payoff_keeps(&p) && !polygpu_payoff_wants(&p));
    polygpu_payoff_ran(&p, false, 2);
    CHECK(polygpu_payoff_keeps(&p) && polygpu_payoff_wants(&p));
    polygpu_payoff_anew(&p);
    CHECK(polygpu_payoff_keeps(&p) && !polygpu_payoff_wants(&p));
    polygpu_payoff_ran(&p, false, 2);
    CHECK(polygpu_payoff_keeps(&p) && polygpu_payoff_wants(&p));
    polygpu_payoff_ran(&p, true, 3);
    CHECK(!polygpu_payoff_keeps(&p));
    polygpu_payoff_given_up(&p, false);
    CHECK(!polygpu_payoff_is_due(&p));
}

/* What is given up before it has earned its price doubles what is asked of the
 * next; what has earned it halves that. */
static void test_patience(void)
{
    struct polygpu_payoff p = {0};
    unsigned before = polygpu_payoff_patience();

    give_up_early(2);
    CHECK(polygpu_payoff_patience() == 4 * before);
    polygpu_payoff_ran(&p, false, 10);
    polygpu_payoff_built(&p, 15);
    polygpu_payoff_ran(&p, true, 1);
    CHECK(polygpu_payoff_patience() == 4 * before);
    polygpu_payoff_ran(&p, true, 1);
    CHECK(polygpu_payoff_patience() == 2 * before);
    polygpu_payoff_given_up(&p, false);
    CHECK(polygpu_payoff_patience() == 2 * before);
    give_up_early(40);
    CHECK(polygpu_payoff_patience() == POLYGPU_PAYOFF_MOST_PATIENCE);
}

void test_payoff(void)
{
    test_faster();
    test_slower();
    test_unknown();
    test_patience();
}

/* ---- Runs ---------------------------------------------------------------- */

/* What a run does: kernels on a pair of arrays. */
struct run {
    double *a, *b;
    int launches;
    int odd;  /* a launch that has less than the others, or -1 */
    int size; /* of the arrays */
};

/* Kernel number i: some elements are scaled, or all are added. */
static int is_scale(int i)
{
    return i % 3 == 0;
}

static int length(const struct run *r, int i)
{
    return i == r->odd ? N / 4 : N - 8;
}

static void do_here(const struct run *r)
{
    int i, j;

    for (i = 0; i < r->launches; ++i)
        for (j = 0; j < length(r, i); ++j)
            if (is_scale(i))
                r->a[i % 8 + j] = 2 * r->a[i % 8 + j] + 1;
            else
                r->b[j] += r->a[j];
}

/* What polygpu_end says. */
static int do_there(struct polygpu_scop *scop, const struct run *r,
                    uint64_t scope)
{
    struct polygpu_run *run = polygpu_begin(scop);
    int i;

    if (!run)
        return 0;
    polygpu_array(run, ARRAY_A, r->a);
    polygpu_array(run, ARRAY_B, r->b);
    if (scope) {
        polygpu_keep(run, ARRAY_A, scope);
        polygpu_keep(run, ARRAY_B, scope);
    }
    polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 0, r->size, 1);
    polygpu_move(run, ARRAY_B, POLYGPU_IN | POLYGPU_OUT, 0, r->size, 1);
    for (i = 0; i < r->launches; ++i)
        example_launch(run, is_scale(i) ? KERNEL_SCALE : KERNEL_ADD,
                       (length(r, i) + 31) / 32, length(r, i), i % 8, 1);
    return polygpu_end(run);
}

/* 'p': 40 launches; 'g': one of them has another grid; 's': they stop early;
 * 'l': there are more; 'f': few; 'L': more than two graphs have; 'G': on large
 * arrays; a digit: as 'p', on arrays of that number. */
static struct run run_of(char kind, double (*sets)[2][LARGE])
{
    int set = kind >= '0' && kind <= '9' ? kind - '0' + 1 : 0;
    struct run r = {sets[set][0], sets[set][1], 40, -1, N};

    switch (kind) {
    case 'g':
        r.odd = 20;
        break;
    case 's':
        r.launches = 25;
        break;
    case 'l':
        r.launches = 60;
        break;
    case 'f':
        r.launches = 5;
        break;
    case 'L':
        r.launches = 1100;
        break;
    case 'G':
        r.size = LARGE;
        break;
    default:
        break;
    }
    return r;
}

static void set_limits(void)
{
    const char *nodes = getenv("NODES"), *bytes = getenv("BYTES");

    if (nodes)
        polygpu_graph_limits.nodes = (unsigned)atoi(nodes);
    if (bytes)
        polygpu_graph_limits.bytes = (size_t)atoi(bytes);
}

static double there[SETS][2][LARGE], here[SETS][2][LARGE];

/* A run, which is right; where it was not done on the device, it is here. */
static int check(struct polygpu_scop *scop, char kind, uint64_t scope)
{
    struct run r = run_of(kind, there), h = run_of(kind, here);
    int done = do_there(scop, &r, scope);

    polygpu_touch(there, sizeof there,
                  done ? POLYGPU_TOUCH_READ
                       : POLYGPU_TOUCH_READ | POLYGPU_TOUCH_WRITE);
    if (!done)
        do_here(&r);
    do_here(&h);
    CHECK(!memcmp(there, here, sizeof there));
    return done;
}

/* The runs of RUNS, a letter each, '!' a reset of the context; with KEEP arrays
 * stay on the device. */
void child_graphs(void)
{
    struct polygpu_scop scop = example_scop;
    uint64_t scope = getenv("KEEP") ? polygpu_keep_begin() : 0;
    const char *runs;
    int done = 0;

    set_limits();
    check_fill(there[0][0], sizeof there / sizeof(double));
    memcpy(here, there, sizeof there);
    for (runs = getenv("RUNS"); *runs; ++runs)
        if (*runs == '!')
            CHECK(fake_do("fake_cuda_reset", 0) == 0);
        else
            done += check(&scop, *runs, scope);
    if (scope)
        polygpu_keep_end(scope);
    fprintf(stderr, "done %d graphs %d nodes %d most %d\n", done,
            fake_count("fake_cuda_graph_launches"),
            fake_count("fake_cuda_nodes_launched"),
            fake_count("fake_cuda_most_nodes"));
    fprintf(stderr, "calls %d live %d objects %d\n",
            fake_count("fake_cuda_calls"), fake_count("fake_cuda_live"),
            fake_count("fake_cuda_objects"));
}

/* How many graphs are launched, of how many launches. */
static void expect(const char *runs, const char *more, int graphs, int nodes)
{
    char set[64], said[64];

    snprintf(set, sizeof set, "RUNS=%s", runs);
    snprintf(said, sizeof said, " graphs %d nodes %d ", graphs, nodes);
    if (check_run("child-graphs", set, more) != 0 || !check_said(said) ||
        check_said("polygpu:"))
        check_failed(set, __LINE__, check_text);
}

static void test_equal(void)
{
    expect("pp", NULL, 0, 0);
    expect("ppppp", NULL, 3, 120);
    expect("LLL", NULL, 3, 1100);
    expect("GGG", NULL, 1, 40);
}

/* Those held back are launched plainly, and the others as graphs the next
 * time. */
static void test_others(void)
{
    expect("pppgp", NULL, 2, 80);
    expect("pppsp", NULL, 2, 80);
    expect("ppplp", NULL, 2, 80);
    expect("pppggg", NULL, 2, 80);
    expect("pppsss", NULL, 2, 65);
    expect("ppplll", NULL, 2, 100);
    expect("pgspgspgspgs", NULL, 6, 210);
    expect("LLLgLpL", NULL, 9, 3300);
}

/* The same on other memory is another sequence; of these 8 are known. */
static void test_pointers(void)
{
    expect("pppp", "KEEP=1", 2, 80);
    expect("p1p1p1p1", "KEEP=1", 4, 160);
    expect("0123456701234567", "KEEP=1", 0, 0);
    expect("012345670123456701234567", "KEEP=1", 8, 320);
    expect("012345678012345678012345678", "KEEP=1", 0, 0);
}

/* Nothing is recorded after two runs with few launches, until there are many.
 */
static void test_few(void)
{
    expect("ffffff", NULL, 0, 0);
    expect("fpppp", NULL, 2, 80);
    expect("ffpppp", NULL, 1, 40);
}

static void test_bounds(void)
{
    setenv("KEEP", "1", 1);
    expect("1212121212", "NODES=79", 3, 120);
    CHECK(check_said(" most 40\n") == 1);
    expect("1212121212", "NODES=80", 6, 240);
    unsetenv("KEEP");
    expect("pppp", "NODES=39", 0, 0);
    expect("pppp", "BYTES=2000", 0, 0);
    expect("pppp", "BYTES=20000", 2, 80);
}

/* When the device has no memory, its graphs are freed first, and built again
 * when they have come again. */
static void test_pressure(void)
{
    setenv("FAKE_CUDA", "graphs", 1);
    expect("pppGppp", NULL, 2, 80);
    CHECK(check_said("done 7 "));
    expect("pppGppp", "NODES=79", 2, 80);
    setenv("FAKE_CUDA", "late", 1);
}

/* Graphs are gone with their context. */
void test_graphs_reset(void)
{
    setenv("POLYGPU_GRAPHS", "on", 1);
    expect("ppp!pppp", NULL, 3, 120);
}

/* Nothing is left when the process ends. */
static void test_left(void)
{
    setenv("FAKE_CUDA_OBJECTS", "1", 1);
    expect("ppp", NULL, 1, 40);
    CHECK(check_said("fake: 0 objects are left\n") == 1);
    expect("012345678012345678012LLL", "KEEP=1", 3, 1100);
    CHECK(check_said("fake: 0 objects are left\n") == 1);
    unsetenv("FAKE_CUDA_OBJECTS");
}

/* "auto" measures two runs with graphs; drivers before CUDA 12 have none. */
static void test_settings(void)
{
    expect("pppp", "POLYGPU_GRAPHS=auto", 2, 80);
    expect("pppp", "POLYGPU_GRAPHS=off", 0, 0);
    expect("pppp", "LD_LIBRARY_PATH=" OLD_FOLDER, 0, 0);
    CHECK(check_said("done 4 ") == 1);
}

void test_graphs(void)
{
    setenv("POLYGPU_GRAPHS", "on", 1);
    test_equal();
    test_others();
    test_pointers();
    test_few();
    test_bounds();
    test_pressure();
    test_left();
    test_settings();
}

/* ---- Failures ------------------------------------------------------------ */

static void fail_call(int n, int error)
{
    char set[64];

    snprintf(set, sizeof set, "FAKE_CUDA_FAIL=%d:%d", n, error);
    if (check_run("child-graphs", set, NULL) != 0 ||
        check_said("running loops on the CPU") > 1 ||
        check_said("not made graphs any more") > 1 ||
        (error < 700 && (!check_said("live 0") || check_said("polygpu:") > 1 ||
                         !check_said("fake: 0 objects are left\n"))))
        check_failed(set, __LINE__, check_text);
}

/* Each call of the driver fails, with errors that pass and one that does not:
 * the results are right, there is one sentence, and nothing is left but in a
 * context that is lost. */
void test_graphs_calls(void)
{
    static const int errors[] = {1, 2, 700};
    int calls, i, n;

    setenv("POLYGPU_GRAPHS", "on", 1);
    setenv("FAKE_CUDA_OBJECTS", "1", 1);
    setenv("RUNS", "ppppgss", 1);
    CHECK(check_run("child-graphs", NULL, NULL) == 0);
    CHECK(sscanf(strstr(check_text, "calls "), "calls %d", &calls) == 1);
    CHECK(calls > 300);
    for (i = 0; i < 3; ++i)
        for (n = 1; n <= calls; ++n)
            fail_call(n, errors[i]);
    printf("%d calls\n", calls);
}

/* Each function of graphs fails, and each launch. */
void test_graphs_faults(void)
{
    static const char *const kinds[] = {"graph", "launch", "sync", "start"};
    char set[64], name[32];
    int calls, i, n;

    setenv("POLYGPU_GRAPHS", "on", 1);
    setenv("RUNS", "ppppgss", 1);
    setenv("FAKE_CUDA_OBJECTS", "1", 1);
    for (i = 0; i < 4; ++i) {
        CHECK(check_run("child-graphs", "POLYGPU_FAULT=count", NULL) == 0);
        snprintf(name, sizeof name, " %s=", kinds[i]);
        calls = atoi(strstr(check_text, name) + strlen(name));
        CHECK(calls > 0 && (i != 0 || calls == 1 + 40 + 1 + 2 + 1 + 25 + 1));
        for (n = 1; n <= calls; ++n) {
            snprintf(set, sizeof set, "POLYGPU_FAULT=%s:%d", kinds[i], n);
            if (check_run("child-graphs", set, NULL) != 0 ||
                check_said("polygpu:") != 1 ||
                check_said("fake: 0 objects are left\n") != 1)
                check_failed(set, __LINE__, check_text);
        }
    }
}

/* After a failure there are no graphs, but all else. */
void test_graphs_refused(void)
{
    setenv("POLYGPU_GRAPHS", "on", 1);
    setenv("RUNS", "pppppp", 1);
    CHECK(check_run("child-graphs", "POLYGPU_FAULT=graph:5", NULL) == 0);
    CHECK(check_said("done 6 graphs 0 ") && check_said("polygpu:") == 1);
    CHECK(check_said("polygpu: launches are not made graphs any more: building "
                     "a graph failed: out of memory (CUDA error 2)\n") == 1);
    CHECK(check_run("child-graphs", "POLYGPU_FAULT=graph:43", NULL) == 0);
    CHECK(check_said("done 5 graphs 0 ") && check_said("polygpu:") == 1);
    CHECK(check_said("a graph of 40 launches, which are not made graphs any "
                     "more, failed: out of memory (CUDA error 2); running "
                     "loops on the CPU\n") == 1);
}

/* What "auto" does where one or the other is slow: graphs are used but for the
 * 17th of their runs, or given up after two, at the latest when plain launches
 * have been measured again. */
void test_graphs_auto(void)
{
    int graphs;

    setenv("POLYGPU_GRAPHS", "auto", 1);
    setenv("RUNS", "pppppppppppppppppppppppppppppp", 1);
    CHECK(check_run("child-graphs", "FAKE_CUDA=slow-launches", NULL) == 0);
    CHECK(check_said("done 30 graphs 27 ") == 1);
    CHECK(check_run("child-graphs", "FAKE_CUDA=slow-graphs", NULL) == 0);
    CHECK(sscanf(strstr(check_text, " graphs "), " graphs %d", &graphs) == 1);
    CHECK(check_said("done 30 ") && graphs >= 2 && graphs <= 16);
}

/* With a profile each launch is waited for; it says what came again. */
void test_graphs_profile(void)
{
    setenv("POLYGPU_GRAPHS", "auto", 1);
    setenv("RUNS", "ffpppgss", 1);
    CHECK(check_run("child-graphs", "POLYGPU_PROFILE=lines", NULL) == 0);
    CHECK(check_said("done 8 graphs 0 "));
    CHECK(check_said("polygpu: repeats launches=220 again=65\n") == 1);
    CHECK(check_run("child-graphs", "POLYGPU_PROFILE=1", NULL) == 0);
    CHECK(check_said("launches: 220, of which 65 are sequences that came "
                     "again; without a profile these are CUDA graphs") == 1);
    CHECK(check_run("child-graphs", "POLYGPU_PROFILE=1",
                    "POLYGPU_GRAPHS=off") == 0);
    CHECK(check_said("came again") == 0);
    setenv("RUNS", "pppp", 1);
    CHECK(check_run("child-graphs", "POLYGPU_DEBUG=1", NULL) == 0);
    CHECK(check_said("graphs: 1 built, 2 launched, for 80 launches\n") == 1);
}

/* ---- Threads ------------------------------------------------------------- */

static struct polygpu_scop shared_scop;

static void *do_runs(void *sets)
{
    double (*mine)[2][LARGE] = sets;
    double (*same)[2][LARGE] = malloc(sizeof *same);
    static const char kinds[] = "pppgpspf";
    int i;

    CHECK(same);
    check_fill(mine[0][0], sizeof *mine / sizeof(double));
    memcpy(same, mine, sizeof *same);
    for (i = 0; i < 60; ++i) {
        char kind = kinds[i % 8];
        struct run r = run_of(i % 20 == 19 ? 'G' : kind, mine), h = r;

        h.a = same[0][0];
        h.b = same[0][1];
        if (!do_there(&shared_scop, &r, 0))
            do_here(&r);
        do_here(&h);
        CHECK(!memcmp(mine, same, sizeof *same));
    }
    free(same);
    return NULL;
}

/* Threads that run the same loops, while memory is short: the graphs of a run
 * that another thread is in are not freed, so that some fail. */
void test_graphs_threads(void)
{
    pthread_t threads[4];
    int i;

    setenv("POLYGPU_GRAPHS", "on", 1);
    setenv("FAKE_CUDA", "graphs", 1);
    shared_scop = example_scop;
    for (i = 0; i < 4; ++i)
        CHECK(!pthread_create(&threads[i], NULL, do_runs, &there[i]));
    for (i = 0; i < 4; ++i)
        CHECK(!pthread_join(threads[i], NULL));
    CHECK(fake_count("fake_cuda_graph_launches") > 0);
}
