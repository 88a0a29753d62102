/* test_learning.c - the cost test on a machine whose speeds are set.
 *
 * The clock is a number, and so is the device: both sides take what a machine
 * would whose CPU, kernels, launches and copies are so many times slower than
 * the model says.  Each program of the table runs 20 times in a process of its
 * own, by the cost test and on either side alone.
 *
 *   polygpu_rt_learning_test          the test
 *   polygpu_rt_learning_test table    the worst of each program (docs/cost.md)
 *   polygpu_rt_learning_test left     where runs end before their kernels do
 *   polygpu_rt_learning_test one "step 100" CPU KERNELS LAUNCH COPIES
 *                                     the sides of one, with POLYGPU_DEBUG=1
 * why
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "core/pool.h"
#include "core/state.h"
#include "set_machine.h"
#include "support/device_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RUNS = 20, MOST_BYTES = 64 << 20 };

static double cpu_ms(void)
{
    return program->operations / (polygpu_default_device_model.cpu * 1e6) *
           speeds.cpu;
}

/* ---- Programs ------------------------------------------------------------ */

/* Sizes as in the suite: products, a product with a vector, sweeps of stencils,
 * recurrences of many small launches, and loops of little work. */
static const struct program programs[] = {
    {"product 60", 6 * 216e3, 1, 3600, 57600, 28800, COPIED, {1.1, 1.4, 3.9}},
    {"product 200",
     6 * 8e6,
     1,
     40000,
     640000,
     320000,
     COPIED,
     {1.01, 1.01, 1.55}},
    {"product 1000",
     6 * 1e9,
     1,
     1e6,
     16000000,
     8000000,
     COPIED,
     {1.01, 1.01, 1.01}},
    {"mvt 2000", 6 * 4e6, 1, 2000, 32000000, 16000, COPIED, {1.05, 1.45, 2.55}},
    {"vectors 1e5", 4 * 1e5, 1, 1e5, 800000, 800000, COPIED, {1.01, 1.3, 1.45}},
    {"jacobi 20 x 1000",
     20 * 10e6,
     40,
     1e6,
     8000000,
     8000000,
     COPIED,
     {1.01, 1.1, 3.3}},
    {"durbin 1000",
     10 * 1e6,
     2000,
     500,
     8000,
     8000,
     COPIED,
     {1.01, 1.25, 1.95}},
    {"triangle 500",
     4 * 62500,
     500,
     125,
     1000000,
     4000,
     COPIED,
     {1.01, 1.01, 1.15}},
    {"loops of 100", 400, 1, 100, 800, 800, COPIED, {1.01, 1.01, 1.01}},
    {"loops of 1e4", 4e4, 1, 1e4, 80000, 80000, COPIED, {1.01, 1.01, 1.45}},
    {"step 1000",
     10 * 1e6,
     1,
     1e6,
     8000,
     8000000,
     RESIDENT,
     {1.05, 1.05, 6.45}},
    {"step 100", 10 * 1e4, 1, 1e4, 80, 80000, RESIDENT, {1.01, 1.45, 2.35}},
    {"step, written",
     10 * 1e6,
     1,
     1e6,
     8000,
     8000000,
     HOST_WRITES,
     {1.05, 1.55, 2.9}},
    {"step, read",
     10 * 1e6,
     1,
     1e6,
     8000,
     8000000,
     HOST_READS,
     {1.15, 1.55, 2.9}},
    {"step, norm", 10 * 1e6, 1, 1e6, 8000, 8000000, NORM, {1.05, 1.35, 4.6}},
};
enum { N_PROGRAMS = sizeof programs / sizeof *programs };

/* "most" of those for which it is another one where runs end before their
 * kernels do. */
static const struct {
    const char *name;
    double most[N_DISTANCES];
} left_behind[] = {{"step 1000", {1.1, 1.2, 2.8}},
                   {"step 100", {1.01, 3.05, 3.4}},
                   {"step, norm", {1.05, 1.15, 3.85}}};
enum { N_LEFT_BEHIND = sizeof left_behind / sizeof *left_behind };

static char *memory; /* of both arrays, the second in its middle */
static uint64_t scope;

static void replay(void *record)
{
    (void)record;
}

static struct polygpu_scop *new_scop(void)
{
    static const struct polygpu_array arrays[] = {
        {"a", 1, POLYGPU_IN, 0}, {"b", 1, POLYGPU_IN | POLYGPU_OUT, 0}};
    static const struct polygpu_param params[] = {{POLYGPU_PARAM_ARRAY, 0},
                                                  {POLYGPU_PARAM_ARRAY, 1}};
    static const struct polygpu_kernel kernel = {
        .name = "k", .block = {1, 1, 1}, .n_params = 2, .params = params};
    static struct polygpu_count counts[3];
    struct polygpu_scop *scop = calloc(1, sizeof *scop);

    CHECK(scop);
    counts[0] = (struct polygpu_count){.kind = POLYGPU_OPERATIONS,
                                       .weight = program->operations};
    counts[1] = (struct polygpu_count){.kind = POLYGPU_LAUNCHES,
                                       .weight = program->launches};
    counts[2] =
        (struct polygpu_count){.kind = POLYGPU_THREADS,
                               .weight = program->threads * program->launches};
    *scop = (struct polygpu_scop){
        .abi_version = POLYGPU_ABI_VERSION,
        .file = "learning.c",
        .function = program->name,
        .n_arrays = 2,
        .n_kernels = 1,
        .arrays = arrays,
        .kernels = &kernel,
        .n_counts = 3,
        .counts = counts,
    };
    return scop;
}

static void array(struct polygpu_run *run, uint32_t a, size_t bytes)
{
    polygpu_array(run, a, memory + (a ? MOST_BYTES / 2 : 0));
    polygpu_keep(run, a, scope);
    polygpu_move(run, a, a ? POLYGPU_IN | POLYGPU_OUT : POLYGPU_IN, 0,
                 (int64_t)bytes, 1);
}

static int run_there(struct polygpu_scop *scop, bool tested)
{
    struct polygpu_run *run;

    if (tested && scop->hopeless)
        return 0;
    run = tested ? polygpu_begin_sized(scop, NULL) : polygpu_begin(scop);
    if (!run)
        return 0;
    array(run, 0, program->in);
    array(run, 1, program->out);
    if (tested && !polygpu_worth(run))
        return 0;
    polygpu_launch(run, 0, 1, 1, 1, NULL);
    if (program->pattern != COPIED)
        polygpu_defer(run, replay, NULL, 0, 0);
    return polygpu_end(run);
}

static void touch(uint32_t kind)
{
    polygpu_touch(memory, MOST_BYTES, kind);
}

static void run_here(struct polygpu_scop *scop)
{
    touch(POLYGPU_TOUCH_READ | POLYGPU_TOUCH_WRITE);
    clock_ms += cpu_ms();
    if (scop->timing)
        polygpu_loops_end(scop);
}

/* What the host does between two runs. */
static void between(int i)
{
    if (program->pattern == HOST_WRITES)
        touch(POLYGPU_TOUCH_READ | POLYGPU_TOUCH_WRITE);
    if (program->pattern == HOST_READS ||
        (program->pattern == NORM && i % 10 == 9))
        touch(POLYGPU_TOUCH_READ);
}

enum { BY_COST, ON_CPU, ON_DEVICE, N_WAYS };

enum { FIRST = 3 }; /* runs that learn */

struct result {
    double ms[N_WAYS], later_ms[N_WAYS]; /* behind the first ones */
    char sides[RUNS + 1];
};

static void run_all(int way, struct result *result)
{
    struct polygpu_scop *scop = new_scop();
    double begun = clock_ms, later = 0;
    int i;

    scope = program->pattern == COPIED ? 0 : polygpu_keep_begin();
    for (i = 0; i < RUNS; ++i) {
        int done;

        later = i == FIRST ? clock_ms : later;
        done = way != ON_CPU && run_there(scop, way == BY_COST);

        CHECK(done || way != ON_DEVICE);
        if (!done)
            run_here(scop);
        if (way == BY_COST)
            result->sides[i] = done ? 'D' : 'c';
        between(i);
    }
    if (scope)
        polygpu_keep_end(scope);
    result->ms[way] = clock_ms - begun;
    result->later_ms[way] = clock_ms - later;
}

/* In a process of its own, which has learnt nothing.  The ways that are not
 * chosen ask for nothing that is learnt, and find no memory of the device's:
 * one process does, of which each is slow with sanitizers. */
static struct result measure(void)
{
    static const int ways[] = {BY_COST, ON_DEVICE, ON_CPU};
    struct result result = {0};
    int fd[2], i, status;
    pid_t child;

    CHECK(pipe(fd) == 0);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        for (i = 0; i < N_WAYS; ++i) {
            polygpu_pool_empty();
            set_back();
            run_all(ways[i], &result);
        }
        _exit(write(fd[1], &result, sizeof result) != sizeof result);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(read(fd[0], &result, sizeof result) == sizeof result);
    close(fd[0]);
    close(fd[1]);
    return result;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double quotient_of(const double ms[N_WAYS])
{
    return ms[BY_COST] / smaller(ms[ON_CPU], ms[ON_DEVICE]);
}

static const double factors[] = {0.1, 0.3, 1, 3, 10};
enum { N_FACTORS = 5 };

static void set_speeds(int i)
{
    speeds.cpu = factors[i % N_FACTORS];
    speeds.kernels = factors[i / N_FACTORS % N_FACTORS];
    speeds.launch = factors[i / N_FACTORS / N_FACTORS % N_FACTORS];
    speeds.copies = i / N_FACTORS / N_FACTORS / N_FACTORS ? 3 : 1;
}

enum { ALL = N_FACTORS * N_FACTORS * N_FACTORS * 2 };

static bool is_within(double factor, double most)
{
    return factor >= 0.99 / most && factor <= most;
}

static int distance(void)
{
    static const double most[] = {1, 3.4};
    int d = RIGHT;

    while (d < UP_TO_10 && !(is_within(speeds.cpu, most[d]) &&
                             is_within(speeds.kernels, most[d]) &&
                             is_within(speeds.launch, most[d]) &&
                             is_within(speeds.copies, most[d])))
        ++d;
    return d;
}

struct worst {
    double quotient, later; /* behind the first runs */
    struct speeds speeds;
    struct result result;
};

static void add(struct worst *worst, const struct result *r)
{
    double later = quotient_of(r->later_ms);

    worst->later = later > worst->later ? later : worst->later;
    if (quotient_of(r->ms) <= worst->quotient)
        return;
    worst->quotient = quotient_of(r->ms);
    worst->speeds = speeds;
    worst->result = *r;
}

static void find_worst(struct worst worst[N_DISTANCES])
{
    int i, d;

    memset(worst, 0, N_DISTANCES * sizeof *worst);
    for (i = 0; i < ALL; ++i) {
        struct result result;

        set_speeds(i);
        result = measure();
        for (d = distance(); d < N_DISTANCES; ++d)
            add(&worst[d], &result);
    }
}

static double most(int d)
{
    int i;

    for (i = 0; !is_waiting() && i < N_LEFT_BEHIND; ++i)
        if (!strcmp(left_behind[i].name, program->name))
            return left_behind[i].most[d];
    return program->most[d];
}

/* No more than 1.2 if the model is right. */
static void check_worst(void)
{
    struct worst worst[N_DISTANCES];
    int d;

    for (program = programs; program < programs + N_PROGRAMS; ++program) {
        find_worst(worst);
        CHECK(worst[RIGHT].quotient <= 1.2);
        for (d = 0; d < N_DISTANCES; ++d) {
            if (worst[d].quotient > most(d))
                fprintf(stderr, "%s: %g, and not %g: %s\n", program->name,
                        worst[d].quotient, most(d), worst[d].result.sides);
            CHECK(worst[d].quotient <= most(d));
        }
    }
}

static void print_worst(void)
{
    struct worst worst[N_DISTANCES];
    const struct worst *w = &worst[UP_TO_10];

    printf("| Runs | right | wrong by 3 | from run 4 on | wrong by 10 | then: "
           "CPU, kernels, launches, copies | sides |\n"
           "|---|---:|---:|---:|---:|---|---|\n");
    for (program = programs; program < programs + N_PROGRAMS; ++program) {
        find_worst(worst);
        printf("| %s | %.2f | %.2f | %.2f | %.2f | %g, %g, %g, %g | `%s` |\n",
               program->name, worst[RIGHT].quotient, worst[UP_TO_3].quotient,
               worst[UP_TO_3].later, w->quotient, w->speeds.cpu,
               w->speeds.kernels, w->speeds.launch, w->speeds.copies,
               w->result.sides);
    }
}

/* ---- What is measured, and what is not ----------------------------------- */

static const struct program *find_program(const char *name)
{
    const struct program *p = programs;

    while (strcmp(p->name, name) != 0)
        CHECK(++p < programs + N_PROGRAMS);
    return p;
}

/* In a process of its own: "test" holds. */
static void in_process(void (*test)(void))
{
    int status;
    pid_t child = fork();

    CHECK(child >= 0);
    if (child == 0) {
        test();
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static const struct polygpu_class *only_class(const struct polygpu_scop *scop)
{
    const struct polygpu_state *state = scop->state;

    CHECK(state && state->classes[0].used && !state->classes[1].used);
    return &state->classes[0];
}

static int step(struct polygpu_scop *scop)
{
    int done = run_there(scop, true);

    if (!done)
        run_here(scop);
    return done;
}

/* The paces are those of the machine. */
static void paces(void)
{
    struct polygpu_scop *scop;
    const struct polygpu_class *c;
    int i;

    program = find_program("mvt 2000");
    speeds = (struct speeds){2, 0.5, 0.5, 1};
    scop = new_scop();
    for (i = 0; i < 4; ++i)
        step(scop);
    c = only_class(scop);
    CHECK(c->pace[POLYGPU_ON_CPU].runs > 0);
    CHECK(c->pace[POLYGPU_ON_DEVICE].runs > 0);
    CHECK(c->pace[POLYGPU_ON_CPU].ratio > 1.99 &&
          c->pace[POLYGPU_ON_CPU].ratio < 2.01);
    CHECK(c->pace[POLYGPU_ON_DEVICE].ratio > 0.49 &&
          c->pace[POLYGPU_ON_DEVICE].ratio < 0.52);
}

/* Runs that are measured are waited for, and they wait for others: the pace is
 * the machine's, however many run behind each other. */
static void measured(void)
{
    struct polygpu_scop *scop;
    const struct polygpu_class *c;
    int i;

    program = find_program("step 1000");
    speeds = (struct speeds){3, 0.5, 0.5, 1};
    set_waiting(false);
    scop = new_scop();
    scope = polygpu_keep_begin();
    for (i = 0; i < 200; ++i)
        step(scop);
    c = only_class(scop);
    CHECK(left > 150 && left < 196);
    CHECK(c->pace[POLYGPU_ON_DEVICE].runs > 4);
    CHECK(c->pace[POLYGPU_ON_DEVICE].ratio > 0.49 &&
          c->pace[POLYGPU_ON_DEVICE].ratio < 0.52);
    polygpu_keep_end(scope);
}

/* Small steps where the CPU takes 10 times what the model says, 0.125 ms. */
static struct result small_steps(double kernels, double launch)
{
    struct result result = {0};

    program = find_program("step 100");
    speeds = (struct speeds){10, kernels, launch, 1};
    set_waiting(false);
    run_all(BY_COST, &result);
    return result;
}

/* Two runs on the device are waited for, and take 0.16 ms, most of it the wait.
 * Those that follow are not: they may take as little as their launch, 0.011,
 * and do. */
static void left_behind_wins(void)
{
    struct result r = small_steps(0.1, 3);

    CHECK(!strcmp(r.sides, "cDDDDDDDDDDDDDDDDDDD") && left >= 15);
}

/* The same as far as the host sees, but it waits for kernels that take 0.2 ms:
 * four such runs are waited for, and no more of them are made. */
static void left_behind_loses(void)
{
    struct result r = small_steps(3750, 0.3);

    CHECK(!strcmp(r.sides, "cDDDDDDDcccccccccccc") && left == 4);
}

/* Sizes apart are measured apart; a new one begins with what is known. */
static void sizes(void)
{
    static const struct program large = {
        .name = "large", .operations = 1e8, .launches = 1, .threads = 1e4};
    static const struct program small = {
        .name = "small", .operations = 4e5, .launches = 1, .threads = 1e4};
    struct polygpu_scop *scop;
    const struct polygpu_state *state;

    program = &small;
    speeds = (struct speeds){0.1, 1, 1, 1};
    scop = new_scop();
    CHECK(!step(scop) && !step(scop));
    /* By the model 12.5 ms on the CPU, but 1.25 as it went before. */
    CHECK(scop->hopeless);
    scop->hopeless = 0;
    program = &large;
    ((struct polygpu_count *)scop->counts)[0].weight = program->operations;
    step(scop);
    state = scop->state;
    CHECK(state->classes[0].used && state->classes[1].used &&
          state->classes[0].size == 18 && state->classes[1].size == 26);
    CHECK(state->classes[1].pace[POLYGPU_ON_CPU].ratio < 0.11);
}

/* A thread that asked and did not come back does not keep others from it, and
 * what nobody hears of is not asked for again and again. */
static void silence(void)
{
    struct polygpu_scop *scop;
    int i, asked = 0;

    program = find_program("loops of 1e4");
    speeds = (struct speeds){1, 1, 1, 1};
    scop = new_scop();
    for (i = 0; i < 20; ++i) {
        CHECK(!run_there(scop, true));
        asked += scop->timing != 0;
        scop->timing = 0;
    }
    CHECK(asked == 4 && scop->hopeless);
    scop = new_scop();
    scop->timing = 1; /* some thread's */
    CHECK(!run_there(scop, true) && scop->timing == 1);
    polygpu_loops_end(scop);
    CHECK(scop->timing == 0);
    CHECK(only_class(scop)->pace[POLYGPU_ON_CPU].runs == 0);
    CHECK(!step(scop));
    CHECK(only_class(scop)->pace[POLYGPU_ON_CPU].runs == 1);
}

/* Copies of results do not count as time of the loops that need them. */
static void touches(void)
{
    struct polygpu_scop *scop, *other;
    char *begin = memory;

    program = find_program("step 1000");
    speeds = (struct speeds){1, 1, 1, 1};
    scope = polygpu_keep_begin();
    scop = new_scop();
    CHECK(run_there(scop, false));
    speeds.cpu = 0.01;
    program = find_program("loops of 1e4");
    other = new_scop();
    memory += MOST_BYTES / 4; /* others */
    CHECK(!run_there(other, true) && other->timing);
    memory = begin;
    run_here(other);
    CHECK(only_class(other)->pace[POLYGPU_ON_CPU].ratio < 0.011);
}

/* Copies that take as long as ten runs on the CPU: it is known whether arrays
 * stay before these are made. */
static void foresight(void)
{
    struct program written, staying = *find_program("step 1000");
    struct result result = {0};

    setenv("POLYGPU_COST", "auto,in=1.2,out=1.2", 1);
    speeds = (struct speeds){1, 1, 1, 10};
    program = &staying;
    run_all(BY_COST, &result);
    CHECK(!strcmp(result.sides, "cDDDDDDDDDDDDDDDDDDD"));
    written = staying;
    written.pattern = HOST_WRITES;
    program = &written;
    run_all(BY_COST, &result);
    CHECK(!strcmp(result.sides, "cccccccccccccccccccc"));
}

/* Loops of others, which would be on the device as well, do not count. */
static void foresight_of_several(void)
{
    static const struct program small = {
        .name = "small", .operations = 4e5, .launches = 1, .threads = 1e4};
    struct polygpu_scop *scop, *other;

    setenv("POLYGPU_COST", "auto,in=1.2,out=1.2", 1);
    speeds = (struct speeds){1, 1, 1, 10};
    scope = polygpu_keep_begin();
    program = find_program("step 1000");
    scop = new_scop();
    CHECK(!step(scop));
    program = &small;
    other = new_scop();
    ((struct polygpu_count *)other->counts)[0].weight = small.operations;
    CHECK(!run_there(other, true) && other->timing);
    run_here(other);
    program = find_program("step 1000");
    ((struct polygpu_count *)scop->counts)[0].weight = program->operations;
    CHECK(step(scop));
}

/* Two SCoPs take turns, twice: a bit for each run, is it on the device? */
static int with_another(size_t apart)
{
    static const struct program half = {.name = "half",
                                        .operations = 1.16e6,
                                        .launches = 1,
                                        .threads = 1e6,
                                        .in = 8000,
                                        .out = 8000000,
                                        .pattern = RESIDENT};
    struct polygpu_scop *scops[2];
    int i, done = 0;

    program = &half;
    scope = polygpu_keep_begin();
    scops[0] = new_scop();
    scops[1] = calloc(1, sizeof *scops[1]);
    CHECK(scops[1]);
    *scops[1] = *scops[0];
    for (i = 0; i < 4; ++i) {
        memory += i % 2 * apart;
        done |= step(scops[i % 2]) << i;
        memory -= i % 2 * apart;
    }
    return done;
}

/* Copies take 10 runs on the CPU: those of one SCoP that stay there do not make
 * up for it, those of two with the same arrays do, and both move. */
static void together(void)
{
    setenv("POLYGPU_COST", "auto", 1);
    speeds = (struct speeds){1, 1, 1, 1};
    CHECK(with_another(0) == 2 + 4 + 8);
    CHECK(with_another(MOST_BYTES / 4) == 0);
}

/* Does a run pay that reads "count" pieces of 8 bytes, so many bytes apart? */
static bool pays_in_pieces(int64_t count, int64_t apart)
{
    static const struct program pieces = {
        .name = "pieces", .operations = 4e6, .launches = 1, .threads = 1e5};
    struct polygpu_scop *scop;
    struct polygpu_run *run;
    int64_t i;

    program = &pieces;
    scop = new_scop();
    run = polygpu_begin_sized(scop, NULL);
    CHECK(run);
    polygpu_array(run, 0, memory);
    for (i = 0; i < count; ++i)
        polygpu_move(run, 0, POLYGPU_IN, i * apart, 8, 1);
    if (!polygpu_worth(run))
        return false;
    polygpu_launch(run, 0, 1, 1, 1, NULL);
    CHECK(polygpu_end(run));
    return true;
}

/* 0.5 ms on the CPU.  Each copy takes as long as a launch, 3.6 us; gaps of up
 * to 64 KiB are copied with what is around them, at 12 GB/s. */
static void copies(void)
{
    setenv("POLYGPU_COST", "auto", 1);
    speeds = (struct speeds){1, 1, 1, 1};
    CHECK(pays_in_pieces(60, 128 << 10));
    CHECK(!pays_in_pieces(120, 128 << 10));
    CHECK(pays_in_pieces(60, 32 << 10));
    CHECK(!pays_in_pieces(240, 32 << 10));
}

/* The time of small copies is not that of the run as well. */
static void small_copies(void)
{
    static const struct program small = {.name = "small",
                                         .operations = 4e6,
                                         .launches = 1,
                                         .threads = 1e5,
                                         .in = 60000,
                                         .out = 60000};
    struct polygpu_scop *scop;
    double ratio;

    program = &small;
    speeds = (struct speeds){1, 1, 1, 1};
    setenv("POLYGPU_COST", "auto,in=1,out=1", 1);
    speeds.copies = 12;
    scop = new_scop();
    CHECK(step(scop));
    ratio = only_class(scop)->pace[POLYGPU_ON_DEVICE].ratio;
    CHECK(ratio > 0.9 && ratio < 1.1);
}

/* Where no run follows, touches are as cheap as before after a while, and
 * behind the scope. */
static void foresight_ends(void)
{
    struct polygpu_scop *scop;
    int i;

    setenv("POLYGPU_COST", "auto,in=1.2,out=1.2", 1);
    speeds = (struct speeds){1, 1, 1, 10};
    program = find_program("step 1000");
    scop = new_scop();
    for (i = 0; i < 2; ++i) {
        int touches = 0;

        scope = polygpu_keep_begin();
        CHECK(!step(scop) && polygpu_in_use);
        while (i && polygpu_in_use && ++touches < 10000)
            touch(POLYGPU_TOUCH_WRITE);
        CHECK(!i || (!polygpu_in_use && touches < 10000));
        polygpu_keep_end(scope);
        CHECK(!polygpu_in_use);
    }
}

/* POLYGPU_COST=fixed learns nothing. */
static void fixed(void)
{
    struct polygpu_scop *scop;
    int i;

    setenv("POLYGPU_COST", "fixed", 1);
    program = find_program("durbin 1000");
    speeds = (struct speeds){10, 0.1, 0.1, 1};
    scop = new_scop();
    for (i = 0; i < RUNS; ++i) {
        CHECK(!step(scop) && scop->timing == 0);
    }
}

/* Constants are what it begins with, if a word before them says so. */
static void begins_with(void)
{
    struct polygpu_scop *scop;

    setenv("POLYGPU_COST", "auto,cpu=4", 1);
    program = find_program("durbin 1000");
    speeds = (struct speeds){1, 1, 1, 1};
    scop = new_scop();
    CHECK(!step(scop));
    CHECK(only_class(scop)->pace[POLYGPU_ON_CPU].ratio > 0.49 &&
          only_class(scop)->pace[POLYGPU_ON_CPU].ratio < 0.51);
}

/* The cost test's runs of a program, for POLYGPU_DEBUG and the like. */
static void print_one(char **arguments)
{
    struct result result = {0};

    program = find_program(arguments[0]);
    speeds = (struct speeds){atof(arguments[1]), atof(arguments[2]),
                             atof(arguments[3]), atof(arguments[4])};
    run_all(BY_COST, &result);
    printf("%s %g ms\n", result.sides, result.ms[BY_COST]);
}

int main(int argc, char **argv)
{
    setenv("POLYGPU_DEVICE", "cuda", 1);
    memory = mmap(NULL, MOST_BYTES, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(memory != MAP_FAILED);
    if (argc == 1) {
        in_process(together);
        in_process(paces);
        in_process(measured);
        in_process(left_behind_wins);
        in_process(left_behind_loses);
        in_process(sizes);
        in_process(silence);
        in_process(touches);
        in_process(copies);
        in_process(small_copies);
        in_process(foresight);
        in_process(foresight_of_several);
        in_process(foresight_ends);
        in_process(fixed);
        in_process(begins_with);
        check_worst();
        set_waiting(false);
        check_worst();
    }
    if (argc == 2 && !strcmp(argv[1], "table"))
        print_worst();
    if (argc == 2 && !strcmp(argv[1], "left")) {
        set_waiting(false);
        print_worst();
    }
    if (argc == 7 && !strcmp(argv[1], "one"))
        print_one(argv + 2);
    return 0;
}
