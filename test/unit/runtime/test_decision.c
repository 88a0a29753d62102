/* test_decision.c - what the cost test counts, and what it decides.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "core/decision.h"
#include "core/fallback.h"
#include "example.h"
#include "tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 500 };

/* ---- Counts -------------------------------------------------------------- */

/* 0 <= i < n, 0 <= j < m, 0 <= k < l of parameters n, m, l. */
static const int64_t zero[8], upper_i[] = {1, 0, 0, -1},
                              upper_j[] = {0, 1, 0, 0, -1},
                              upper_k[] = {0, 0, 1, 0, 0, -1};
static const struct polygpu_bound box[] = {
    {POLYGPU_LOWER, 0, 1, zero}, {POLYGPU_UPPER, 0, 1, upper_i},
    {POLYGPU_LOWER, 1, 1, zero}, {POLYGPU_UPPER, 1, 1, upper_j},
    {POLYGPU_LOWER, 2, 1, zero}, {POLYGPU_UPPER, 2, 1, upper_k},
};

/* 0 <= i < n, 0 <= j <= i; and m >= 1. */
static const int64_t upto_i[] = {0, 0, 0, 1, 0}, positive[] = {0, 1, 0, -1};
static const struct polygpu_bound triangle[] = {
    {POLYGPU_LOWER, 0, 1, zero},         {POLYGPU_UPPER, 0, 1, upper_i},
    {POLYGPU_LOWER, 1, 1, zero},         {POLYGPU_UPPER, 1, 1, upto_i},
    {POLYGPU_CONDITION, 2, 1, positive},
};

/* 1 <= 4 i <= n - 1, i >= 0. */
static const int64_t one[] = {0, 0, 0, 1};
static const struct polygpu_bound strided[] = {
    {POLYGPU_LOWER, 0, 4, one},
    {POLYGPU_LOWER, 0, 1, zero},
    {POLYGPU_UPPER, 0, 4, upper_i},
};

static double count(uint32_t dims, uint32_t n, const struct polygpu_bound *list,
                    int64_t p, int64_t q, int64_t r)
{
    const struct polygpu_count counts[] = {
        {POLYGPU_OPERATIONS, 1, dims, n, 2, list},
        {POLYGPU_LAUNCHES, 1, dims, n, 1, list},
        {POLYGPU_OPERATIONS, 0, dims, n, 1, list},
        {POLYGPU_OPERATIONS, 1, dims, n, 0.5, list},
    };
    const int64_t params[] = {p, q, r};
    struct polygpu_scop scop = example_scop;

    scop.n_params = 3;
    scop.n_counts = 4;
    scop.counts = counts;
    return polygpu_count(&scop, POLYGPU_OPERATIONS, 1, params) / 2.5;
}

void test_counts(void)
{
    CHECK(count(3, 6, box, 10, 20, 30) == 6000);
    CHECK(count(3, 6, box, 10, 0, 30) == 0);
    CHECK(count(3, 6, box, 10, -20, -30) == 0);
    CHECK(count(3, 6, box, INT64_MAX, INT64_MAX, INT64_MAX) > 7e56);
    CHECK(count(3, 6, box, INT64_MIN, 1, 1) == 0);
    CHECK(count(2, 5, triangle, 10, 1, 0) == 55);
    CHECK(count(2, 5, triangle, 10, 0, 0) == 0);
    CHECK(count(1, 3, strided, 12, 0, 0) == 2);
    CHECK(count(1, 3, strided, 13, 0, 0) == 3);
    CHECK(count(1, 3, strided, 4, 0, 0) == 0);
    CHECK(count(0, 0, NULL, 0, 0, 0) == 1);
}

/* ---- Thresholds ---------------------------------------------------------- */

/* A product of n x n matrices, and a sum of vectors of n elements: 6 and 4
 * operations, an element per thread, arrays of doubles. */
static void estimate(struct polygpu_estimate *e, int product, int64_t n)
{
    const struct polygpu_count counts[] = {
        {POLYGPU_OPERATIONS, 0, product ? 3 : 1, product ? 6 : 2,
         product ? 6 : 4, box},
        {POLYGPU_LAUNCHES, 0, 0, 0, 1, NULL},
        {POLYGPU_THREADS, 0, product ? 2 : 1, product ? 4 : 2, 1, box},
    };
    const int64_t params[] = {n, n, n};
    struct polygpu_scop scop = example_scop;

    scop.n_params = 3;
    scop.n_counts = 3;
    scop.counts = counts;
    polygpu_estimate_sizes(e, &scop, params);
}

/* The smallest n that pays before transfers and allocations. */
static int64_t threshold(int product)
{
    struct polygpu_estimate e;
    int64_t n = 1;

    for (; n < 1 << 28; n += 1 + n / 100) {
        estimate(&e, product, n);
        CHECK(e.known && e.gpu_ms > 0);
        if (e.cpu_ms > e.gpu_ms)
            return n;
    }
    return n;
}

void test_threshold(void)
{
    int64_t product = threshold(1), sum = threshold(0);
    struct polygpu_estimate e;

    printf("matrices from %lld, vectors from %lld on\n", (long long)product,
           (long long)sum);
    CHECK(product > 30 && product < 60);
    CHECK(sum > 50000 && sum < 200000);
    estimate(&e, 1, product - 1);
    CHECK(e.cpu_ms <= e.gpu_ms && e.launches == 1);
    estimate(&e, 1, 10 * product);
    CHECK(e.cpu_ms > 100 * e.gpu_ms);
    CHECK(e.threads == (double)(100 * product * product));
    estimate(&e, 0, 0);
    CHECK(e.known && e.cpu_ms == 0 && e.gpu_ms > 0);
}

/* ---- Decisions ----------------------------------------------------------- */

static int sized_once(struct polygpu_scop *scop)
{
    const int64_t params[] = {N, 2, 1};
    double a[N], b[N], a2[N], b2[N];
    struct polygpu_run *run;
    int result = 0;

    check_fill(a, N);
    check_fill(b, N);
    memcpy(a2, a, sizeof a);
    memcpy(b2, b, sizeof b);
    run = polygpu_begin_sized(scop, params);
    if (run) {
        polygpu_array(run, ARRAY_A, a);
        polygpu_array(run, ARRAY_B, b);
        polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 0, N, 1);
        polygpu_move(run, ARRAY_B, POLYGPU_IN | POLYGPU_OUT, 0, N, 1);
        if (polygpu_worth(run)) {
            for (int i = 0; i < 2; ++i)
                example_launch(run, KERNEL_PAIR, (N + 31) / 32, N, 0, 1);
            result = polygpu_end(run);
        }
    }
    if (result)
        example_pair_here(a2, b2, N, 2);
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == a2[i] && b[i] == b2[i]);
    return result;
}

/* 4000 operations in two launches. */
void child_sized(void)
{
    static const struct polygpu_count counts[] = {
        {POLYGPU_OPERATIONS, KERNEL_PAIR, 2, 4, 4, box},
        {POLYGPU_LAUNCHES, KERNEL_PAIR, 0, 0, 2, NULL},
        {POLYGPU_THREADS, KERNEL_PAIR, 2, 4, 1, box},
    };
    static struct polygpu_scop scop;
    int first, second;

    scop = example_scop;
    scop.n_params = 3;
    scop.n_counts = 3;
    scop.counts = counts;
    first = sized_once(&scop);
    second = sized_once(&scop);
    fprintf(stderr, "results %d %d %d\n", first, second, sized_once(&scop));
}

void test_worth(void)
{
    int emulated = !strcmp(getenv("POLYGPU_DEVICE"), "emulated");

    CHECK(check_run("child-sized", NULL, NULL) == 0);
    CHECK(check_said("results 0 0 0") && !check_said("polygpu:"));
    CHECK(check_run("child-sized", "POLYGPU=mandatory", NULL) == 0);
    CHECK(check_said("results 1 1 1") && !check_said("polygpu:"));
    CHECK(check_run("child-sized", "POLYGPU_COST=off", NULL) == 0);
    CHECK(check_said("results 1 1 1") && !check_said("polygpu:"));
    CHECK(check_run("child-sized", "POLYGPU=off", "POLYGPU_COST=off") == 0);
    CHECK(check_said("results 0 0 0") && !check_said("polygpu:"));

    /* 4 ms on the CPU, 0.26 on the device; each run saves 3.7. */
    CHECK(check_run("child-sized", "POLYGPU_COST=cpu=0.001", NULL) == 0);
    CHECK(check_said(emulated ? "results 1 1 1" : "results 0 0 0"));
    CHECK(check_run("child-sized", "POLYGPU_COST=cpu=0.001,open=5", NULL) == 0);
    CHECK(check_said(emulated ? "results 1 1 1" : "results 0 1 1"));
    CHECK(check_run("child-sized", "POLYGPU_COST=cpu=0.001,open=1,load=350",
                    NULL) == 0);
    CHECK(check_said(emulated ? "results 1 1 1" : "results 0 0 1"));
    CHECK(check_run("child-sized", "POLYGPU_COST=cpu=0.001,open=1", NULL) == 0);
    CHECK(check_said("results 1 1 1"));
    CHECK(check_run("child-sized", "POLYGPU_COST=cpu=0.001,run=3500,open=1",
                    NULL) == 0);
    CHECK(check_said(emulated ? "results 1 1 1" : "results 0 0 0"));
    CHECK(check_run("child-sized", "POLYGPU_COST=cpu=0.001,run=3900", NULL) ==
          0);
    CHECK(check_said("results 0 0 0"));
    /* With all numbers the decision is the same. */
    CHECK(check_run("child-sized", "POLYGPU_COST=cpu=0.001,run=3900",
                    "POLYGPU_PROFILE=lines") == 0);
    CHECK(check_said("results 0 0 0"));
    CHECK(check_said("runs=0 declined=3 failed=0 ") == 1 &&
          check_said(" by_cost=3 ") == 1);
    CHECK(check_said(
              "polygpu: cost example example.c:7 decision=original "
              "rule=cpu_ms>gpu_ms,saved_ms>=setup_ms cpu_ms=4 gpu_ms=4.1") ==
          1);
    CHECK(check_said(" operations=4000 launches=2 threads=500 bytes_in=8000 "
                     "bytes_out=8000 ") == 1);
    CHECK(check_run("child-sized", "POLYGPU=mandatory",
                    "POLYGPU_PROFILE=lines") == 0);
    CHECK(check_said(" decision=untested ") == 1 &&
          check_said(" by_cost=0 ") == 1);
    CHECK(check_run("child-sized", "POLYGPU_COST=cpu=0.001,open=1",
                    "POLYGPU_PROFILE=lines") == 0);
    CHECK(check_said(" decision=offload ") == 1 &&
          check_said("runs=3 declined=0 ") == 1);
    CHECK(check_run("child-sized", "POLYGPU_DEBUG=1", NULL) == 0);
    CHECK(check_said("not offloaded: 0.0005 ms on the CPU") == 3);
    /* A device that no run is worth is not opened. */
    CHECK(check_run("child-sized", "POLYGPU_FAULT=open:1", NULL) == 0);
    CHECK(!check_said("polygpu:"));
    CHECK(check_run("child-sized", "POLYGPU_FAULT=open:1",
                    "POLYGPU_COST=off") == 0);
    CHECK(check_said("results 0 0 0") && check_said("polygpu:") == 1);
    CHECK(check_run("child-sized", "POLYGPU_FAULT=open:1",
                    "POLYGPU_COST=cpu=0.001,open=1") == 0);
    CHECK(check_said("results 0 0 0") && check_said("polygpu:") == 1);
    CHECK(check_run("child-sized", "POLYGPU_FAULT=launch:1",
                    "POLYGPU_COST=cpu=0.001,open=1") == 0);
    CHECK(check_said("results 0 1 1") && check_said("polygpu:") == 1);
}

/* ---- Runs that never begin ------------------------------------------------
 */

static int is_hopeless(double operations, double launches, uint32_t flags,
                       uint32_t version)
{
    const struct polygpu_count counts[] = {
        {POLYGPU_OPERATIONS, KERNEL_PAIR, 0, 0, operations, NULL},
        {POLYGPU_LAUNCHES, KERNEL_PAIR, 0, 0, launches, NULL},
        {POLYGPU_THREADS, KERNEL_PAIR, 0, 0, N, NULL},
    };
    static struct polygpu_scop scops[5], *scop = scops;

    *scop = example_scop;
    scop->abi_version = version;
    scop->n_params = 3;
    scop->n_counts = 3;
    scop->counts = counts;
    scop->flags = flags;
    sized_once(scop);
    return scop++->hopeless != 0;
}

/* How many of 50 runs, of which nothing was counted and 20,000 copies have to
 * be told, have begun, and were worth it. */
void child_asked(void)
{
    enum { RUNS = 50, COPIES = 20000 };
    static struct polygpu_scop scop;
    const int64_t params[] = {N, 2, 1};
    double a[N] = {0}, b[N] = {0};
    int begun = 0, worth = 0;

    scop = example_scop;
    scop.n_params = scop.n_sizes = 3;
    for (int i = 0; i < RUNS; ++i) {
        struct polygpu_run *run = polygpu_begin_sized(&scop, params);

        if (!run)
            continue;
        polygpu_array(run, ARRAY_A, a);
        polygpu_array(run, ARRAY_B, b);
        for (int copy = 0; copy < COPIES; ++copy)
            polygpu_move(run, copy % 2 ? ARRAY_A : ARRAY_B, POLYGPU_IN,
                         copy % N, 1, 1);
        ++begun;
        if (!polygpu_worth(run))
            continue;
        ++worth;
        CHECK(polygpu_end(run));
    }
    fprintf(stderr, "asked %s %d\n",
            begun == RUNS ? "always"
            : begun < 10  ? "seldom"
                          : "often",
            worth);
}

/* Asking does not take longer than what it is about. */
void test_asked(void)
{
    CHECK(check_run("child-asked", "POLYGPU_COST=learn", NULL) == 0);
    CHECK(check_said("asked seldom"));
    CHECK(check_run("child-asked", "POLYGPU_COST=fixed", NULL) == 0);
    CHECK(check_said("asked always 0"));
    CHECK(check_run("child-asked", "POLYGPU_PROFILE=lines", NULL) == 0);
    CHECK(check_said("asked always 0"));
    /* An hour for each element. */
    CHECK(check_run("child-asked", "POLYGPU_COST=cpu=1e-13,open=1", NULL) == 0);
    CHECK(check_said("asked always 50"));
    CHECK(check_run("child-asked", "POLYGPU_COST=off", NULL) == 0);
    CHECK(check_said("asked always 50"));
}

/* Few operations; many launches; parameters; a version without the field;
 * enough to do. */
void child_hopeless(void)
{
    const uint32_t version = POLYGPU_ABI_VERSION, flag = POLYGPU_SCOP_CONSTANT;
    int few = is_hopeless(100, 1, flag, version);
    int many = is_hopeless(1e7, 1e6, flag, version);
    int parameters = is_hopeless(100, 1, 0, version);
    int other = is_hopeless(100, 1, flag, version - 1);

    fprintf(stderr, "hopeless %d %d %d %d %d\n", few, many, parameters, other,
            is_hopeless(1e10, 1, flag, version));
}

/* The word that the runtime leaves where runs on n elements do not begin. */
static uint64_t word_after(struct polygpu_scop *scop, int64_t n)
{
    const int64_t params[] = {n, -2, 3};

    CHECK(!polygpu_begin_sized(scop, params));
    return scop->hopeless;
}

static uint64_t key(int64_t n)
{
    uint64_t key = (uint64_t)n * POLYGPU_KEY_FACTOR;

    key = (key ^ (uint64_t)-2) * POLYGPU_KEY_FACTOR;
    return (key ^ 3) * POLYGPU_KEY_FACTOR | 1;
}

/* It is that of a run before, and changes seldom. */
void child_keys(void)
{
    static const struct polygpu_count counts[] = {
        {POLYGPU_OPERATIONS, KERNEL_PAIR, 1, 2, 4, box},
    };
    static struct polygpu_scop scop;
    uint64_t word = 0, next;
    int changes = 0, n;

    scop = example_scop;
    scop.n_params = 3;
    scop.n_counts = 1;
    scop.counts = counts;
    CHECK(word_after(&scop, 7) == key(7) && word_after(&scop, 7) == key(7));
    for (n = 1; n <= 160; ++n, word = next) {
        next = word_after(&scop, n);
        CHECK(next == key(n) || n == 1 || next == word);
        changes += n > 1 && next != word;
    }
    CHECK(changes >= 9 && changes <= 11);
    scop.flags = POLYGPU_SCOP_CONSTANT;
    scop.hopeless = 0;
    CHECK(word_after(&scop, 7) == 1);
}

void test_hopeless(void)
{
    CHECK(check_run("child-hopeless", NULL, NULL) == 0);
    CHECK(check_said("hopeless 1 1 1 0 0"));
    CHECK(check_run("child-hopeless", "POLYGPU=off", NULL) == 0);
    CHECK(check_said("hopeless 1 1 1 0 1"));
    /* Somebody wants to hear of each run, or there is no test. */
    CHECK(check_run("child-hopeless", "POLYGPU_PROFILE=lines", NULL) == 0);
    CHECK(check_said("hopeless 0 0 0 0 0"));
    CHECK(check_run("child-hopeless", "POLYGPU=off", "POLYGPU_DEBUG=1") == 0);
    CHECK(check_said("hopeless 0 0 0 0 0"));
    CHECK(check_run("child-hopeless", "POLYGPU_DEBUG=1", NULL) == 0);
    CHECK(check_said("hopeless 0 0 0 0 0"));
    CHECK(check_run("child-hopeless", "POLYGPU_COST=off", NULL) == 0);
    CHECK(check_said("hopeless 0 0 0 0 0"));
    CHECK(check_run("child-hopeless", "POLYGPU_COST=cpu=1e-9", NULL) == 0);
    CHECK(check_said("hopeless 0 0 0 0 0"));
    CHECK(check_run("child-keys", NULL, NULL) == 0);
}

/* ---- Arrays that stay -----------------------------------------------------
 */

struct pair {
    double *a, *b;
};

static void pair_again(void *record)
{
    struct pair pair;

    memcpy(&pair, record, sizeof pair);
    example_pair_here(pair.a, pair.b, N, 1);
}

/* One run in a scope, or the original loops; was it one? */
static int sized_in(uint64_t scope, struct polygpu_scop *scop,
                    struct pair *pair)
{
    const int64_t params[] = {N, 2, 1};
    struct polygpu_run *run = polygpu_begin_sized(scop, params);

    if (run) {
        polygpu_array(run, ARRAY_A, pair->a);
        polygpu_keep(run, ARRAY_A, scope);
        polygpu_array(run, ARRAY_B, pair->b);
        polygpu_keep(run, ARRAY_B, scope);
        polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 0, N, 1);
        polygpu_move(run, ARRAY_B, POLYGPU_IN | POLYGPU_OUT, 0, N, 1);
        if (polygpu_worth(run)) {
            example_launch(run, KERNEL_PAIR, (N + 31) / 32, N, 0, 1);
            polygpu_defer(run, pair_again, pair, sizeof *pair, 0);
            if (polygpu_end(run))
                return 1;
        }
    }
    polygpu_touch_all();
    example_pair_here(pair->a, pair->b, N, 1);
    return 0;
}

/* 60 runs, of which the host looks at each "every"-th; how many? */
static int runs_of_60(int every)
{
    static const struct polygpu_count counts[] = {
        {POLYGPU_OPERATIONS, KERNEL_PAIR, 2, 4, 4, box},
        {POLYGPU_LAUNCHES, KERNEL_PAIR, 0, 0, 1, NULL},
        {POLYGPU_THREADS, KERNEL_PAIR, 2, 4, 1, box},
    };
    static struct polygpu_scop scops[3], *scop = scops;
    uint64_t scope = polygpu_keep_begin();
    double a[N], b[N], a2[N], b2[N];
    struct pair pair = {a, b};
    int i, n = 0;

    *scop = example_scop;
    scop->n_params = 3;
    scop->n_counts = 3;
    scop->counts = counts;
    check_fill(a, N);
    check_fill(b, N);
    memcpy(a2, a, sizeof a);
    memcpy(b2, b, sizeof b);
    for (i = 1; i <= 60; ++i) {
        n += sized_in(scope, scop, &pair);
        if (i % every == 0)
            polygpu_touch_all();
    }
    polygpu_keep_end(scope);
    ++scop;
    example_pair_here(a2, b2, N, 60);
    CHECK(!memcmp(a, a2, sizeof a) && !memcmp(b, b2, sizeof b));
    return n;
}

void child_staying(void)
{
    int never = runs_of_60(1000), seldom = runs_of_60(15);

    fprintf(stderr, "runs %d %d %d\n", never, seldom, runs_of_60(1));
}

/* 4 ms on the CPU, 16.3 with all copies, 0.06 without: five times 4 are more
 * than 16.3, and then it pays unless the host needs what stays each time. */
void test_staying(void)
{
    int never, seldom, always;
    const char *text;

    CHECK(check_run("child-staying", NULL, NULL) == 0);
    CHECK(check_said("runs 0 0 0"));
    CHECK(check_run(
              "child-staying",
              "POLYGPU_COST=cpu=0.001,in=0.001,out=0.001,open=1e-9,load=1e-9",
              NULL) == 0);
    text = strstr(check_text, "runs ");
    CHECK(text && sscanf(text, "runs %d %d %d", &never, &seldom, &always) == 3);
    CHECK(never == 56 && seldom == never && always <= 12);
}

/* A SCoP with "operations" for each of N elements. */
static struct polygpu_scop *scop_of(double operations)
{
    static struct polygpu_count counts[2][3];
    static struct polygpu_scop scops[2];
    static int n;
    struct polygpu_count *of = counts[n];
    struct polygpu_scop *scop = &scops[n++];

    of[0] = (struct polygpu_count){POLYGPU_OPERATIONS, KERNEL_PAIR, 2, 4,
                                   operations,         box};
    of[1] =
        (struct polygpu_count){POLYGPU_LAUNCHES, KERNEL_PAIR, 0, 0, 1, NULL};
    of[2] = (struct polygpu_count){POLYGPU_THREADS, KERNEL_PAIR, 2, 4, 1, box};
    *scop = example_scop;
    scop->n_params = 3;
    scop->n_counts = 3;
    scop->counts = of;
    return scop;
}

/* Of 1000 runs on other arrays, how many are begun at all? */
static int begun_elsewhere(struct polygpu_scop *scop, struct pair *pair)
{
    const int64_t params[] = {N, 2, 1};
    int i, n = 0;

    for (i = 0; i < 1000; ++i) {
        struct polygpu_run *run = polygpu_begin_sized(scop, params);

        n += run != NULL;
        polygpu_array(run, ARRAY_A, pair->a);
        polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 0, N, 1);
        CHECK(!run || !polygpu_worth(run));
    }
    return n;
}

void child_meeting(void)
{
    struct polygpu_scop *large = scop_of(4), *tiny = scop_of(0.001);
    uint64_t scope = polygpu_keep_begin();
    double a[N], b[N], a2[N], b2[N];
    struct pair pair = {a, b}, other = {a2, b2};
    int i, n_large = 0, n_tiny = 0, elsewhere;

    check_fill(a, N);
    check_fill(b, N);
    memcpy(a2, a, sizeof a);
    memcpy(b2, b, sizeof b);
    for (i = 0; i < 60; ++i) {
        n_large += sized_in(scope, large, &pair);
        n_tiny += sized_in(scope, tiny, &pair);
    }
    elsewhere = begun_elsewhere(tiny, &other);
    polygpu_keep_end(scope);
    example_pair_here(a2, b2, N, 120);
    CHECK(!memcmp(a, a2, sizeof a) && !memcmp(b, b2, sizeof b));
    fprintf(stderr, "runs %d %d %d\n", n_large, n_tiny, elsewhere);
}

/* Few operations that would not pay, but for the results that they need: they
 * go where these are, and nobody looks often where there are none. */
void test_meeting(void)
{
    int large, tiny, elsewhere;
    const char *text;

    CHECK(check_run(
              "child-meeting",
              "POLYGPU_COST=cpu=0.001,in=0.001,out=0.001,open=1e-9,load=1e-9",
              NULL) == 0);
    text = strstr(check_text, "runs ");
    CHECK(text &&
          sscanf(text, "runs %d %d %d", &large, &tiny, &elsewhere) == 3);
    CHECK(large >= 45 && tiny >= 45 && elsewhere > 0 && elsewhere <= 12);
}

/* ---- polygpu_active -------------------------------------------------------
 */

void child_active(void)
{
    struct polygpu_scop scop = example_scop;
    int before = polygpu_active();
    struct polygpu_run *run = polygpu_begin(&scop);

    if (run)
        polygpu_end(run);
    fprintf(stderr, "active %d %d\n", before, polygpu_active());
}

void test_active(void)
{
    CHECK(check_run("child-active", NULL, NULL) == 0 &&
          check_said("active 1 1"));
    CHECK(check_run("child-active", "POLYGPU=off", NULL) == 0);
    CHECK(check_said("active 0 0") && !check_said("polygpu:"));
    CHECK(check_run("child-active", "POLYGPU=never", NULL) == 0);
    CHECK(check_said("active 0 0") && check_said("polygpu:") == 1);
    CHECK(check_run("child-active", "POLYGPU=off", "POLYGPU_PROFILE=lines") ==
          0);
    CHECK(check_said("active 1 1"));
    CHECK(check_run("child-active", "POLYGPU=off", "POLYGPU_DEBUG=1") == 0);
    CHECK(check_said("active 1 1"));
    CHECK(check_run("child-active", "POLYGPU_FAULT=open:1", NULL) == 0);
    CHECK(check_said("active 1 0") && check_said("polygpu:") == 1);
    CHECK(check_run("child-active", "POLYGPU_FAULT=open:1",
                    "POLYGPU=mandatory") == POLYGPU_MANDATORY_STATUS);
    if (strcmp(getenv("POLYGPU_DEVICE"), "cuda") != 0)
        return;
    CHECK(check_run("child-active", "FAKE_CUDA=none", NULL) == 0);
    CHECK(check_said("active 1 0") && !check_said("polygpu:"));
    CHECK(check_run("child-active", "LD_LIBRARY_PATH=", NULL) == 0);
    CHECK(check_said("active 0 0") || check_said("active 1 1"));
}
