/* graphs.c - see graphs.h.
 *
 * A session is used by one thread at a time; "taken" says that it is, so that
 * another one that needs memory leaves its graphs alone.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda/graphs.h"

#include "cuda/payoff.h"
#include "support/clock.h"
#include "support/env.h"
#include "support/log.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sequences that a session knows, and runs without a long segment after which
 * it records nothing until there is one. */
enum { KNOWN = 8, MOST_SHORT = 2 };

/* Measured: a launch takes the host 3 us, one that is held back 0.13 us, and as
 * a node the device 0.6 us.  So fewer than 16 launches are 50 us at most; and
 * while the device has a graph of 512 nodes, for 300 us, the host compares
 * those of the next in 65 us. */
struct polygpu_graph_limits polygpu_graph_limits = {
    .least = 16, .chunk = 512, .nodes = 64 * 1024, .bytes = 64 * 1024 * 1024};

/* A sequence that has come, and its graphs. */
struct known {
    struct polygpu_sequence launches; /* without any: nothing */
    struct polygpu_payoff payoff;
    uint64_t used;        /* when, by "clock" */
    bool waits;           /* it was waited for the last time */
    cu_graph_exec *execs; /* of each chunk, or NULL */
};

enum mode {
    CLOSED,    /* there is no segment */
    FOLLOWING, /* its launches are those of "match" so far */
    LEFT,      /* but for the last one, */
    RECORDING, /* or others, */
    COUNTING   /* and nobody wants to know which */
};

struct polygpu_graphs {
    struct polygpu_graphs *next; /* of those that have graphs */
    bool listed;
    int taken; /* atomic */

    const struct polygpu_cuda_driver *driver;
    unsigned generation; /* another one: graphs are gone with their context */
    struct known known[KNOWN];
    uint64_t clock;
    bool counts;      /* what comes again, and nothing else */
    unsigned n_short; /* runs in a row with few launches */

    struct polygpu_launcher launcher; /* of the last launch */
    enum mode mode;
    unsigned n;   /* launches of the segment */
    bool is_long; /* there was one with many in this run */
    struct known *match;
    struct polygpu_sequence_place place; /* in it: behind the last launch, */
    struct polygpu_sequence_place done;  /* and behind the last not held back */
    bool holds;
    struct polygpu_sequence record;
    double begun;
    struct known *timed; /* to be measured when it has been waited for */
};

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t forks_watched = PTHREAD_ONCE_INIT;
static struct polygpu_graphs *list;
static unsigned all_nodes; /* atomic, as are these */
static size_t all_bytes;
static bool refused; /* a function of graphs has failed */
static struct polygpu_repeats repeats;
static unsigned n_built, n_launched; /* graphs */
static uint64_t n_in_graphs;         /* launches */
static bool (*injected)(struct polygpu_status *status);

/* In the child of a fork, which has no device. */
static void after_fork(void)
{
    pthread_mutex_init(&list_lock, NULL);
    list = NULL;
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, after_fork);
}

void polygpu_graphs_inject(bool (*fails)(struct polygpu_status *status))
{
    injected = fails;
}

/* ---- Failures ------------------------------------------------------------ */

/* Do not make graphs any more; says why, once. */
static void refuse(const struct polygpu_cuda_driver *driver, cu_result result,
                   const char *what)
{
    const char *text = NULL;

    if (__atomic_exchange_n(&refused, true, __ATOMIC_RELAXED))
        return;
    if (driver->error_string(result, &text) != CU_OK || !text)
        text = "unknown error";
    polygpu_message("launches are not made graphs any more: %s failed: %s "
                    "(CUDA error %d)",
                    what, text, result);
}

/* Is the next function of graphs to fail? */
static cu_result ask(void)
{
    struct polygpu_status status = {0};

    if (!injected || !injected(&status))
        return CU_OK;
    POLYGPU_LOG("%s", status.text);
    return CU_OUT_OF_MEMORY;
}

static bool is_refused(void)
{
    return __atomic_load_n(&refused, __ATOMIC_RELAXED);
}

/* ---- Graphs -------------------------------------------------------------- */

static unsigned n_chunks(const struct polygpu_sequence *launches)
{
    unsigned chunk = polygpu_graph_limits.chunk;

    return (launches->n + chunk - 1) / chunk;
}

/* "there": the context is. */
static void free_execs(const struct polygpu_cuda_driver *driver,
                       struct known *known, bool there)
{
    unsigned i, n = n_chunks(&known->launches);

    if (!known->execs)
        return;
    for (i = 0; there && i < n; ++i)
        if (known->execs[i])
            driver->graph_exec_destroy(known->execs[i]);
    free(known->execs);
    known->execs = NULL;
    __atomic_sub_fetch(&all_nodes, known->launches.n, __ATOMIC_RELAXED);
}

/* One launch as a node behind another one, which it becomes. */
static cu_result add_node(const struct polygpu_launcher *to,
                          const struct known *known,
                          struct polygpu_sequence_place *place, cu_graph graph,
                          cu_graph_node *last)
{
    void *args[POLYGPU_SEQUENCE_PARAMS];
    struct cu_kernel_node node = {.args = args};
    cu_graph_node behind = *last;
    uint32_t number = polygpu_sequence_take(&known->launches, place,
                                            to->scop->kernels, node.grid, args);
    const struct polygpu_kernel *kernel = &to->scop->kernels[number];
    cu_result result;

    node.function = to->functions[number];
    memcpy(node.block, kernel->block, sizeof node.block);
    if (kernel->flags & POLYGPU_KERNEL_DYNAMIC)
        node.shared_bytes = kernel->shared_bytes;
    result = ask();
    if (result == CU_OK)
        result =
            to->driver->graph_add(last, graph, &behind, behind != NULL, &node);
    return result;
}

static cu_result build_chunk(const struct polygpu_launcher *to,
                             const struct known *known,
                             struct polygpu_sequence_place *place,
                             cu_graph_exec *made)
{
    unsigned chunk = polygpu_graph_limits.chunk, i;
    unsigned left = known->launches.n - place->n;
    cu_graph graph = NULL;
    cu_graph_node last = NULL;
    cu_result result = ask();

    if (result == CU_OK)
        result = to->driver->graph_create(&graph, 0);
    if (result != CU_OK)
        return result;
    for (i = 0; result == CU_OK && i < chunk && i < left; ++i)
        result = add_node(to, known, place, graph, &last);
    if (result == CU_OK)
        result = ask();
    if (result == CU_OK)
        result = to->driver->graph_instantiate(made, graph, 0);
    if (result != CU_OK)
        *made = NULL;
    to->driver->graph_destroy(graph);
    return result;
}

/* Nodes are counted before they are made. */
static bool reserve_nodes(unsigned n)
{
    if (__atomic_add_fetch(&all_nodes, n, __ATOMIC_RELAXED) <=
        polygpu_graph_limits.nodes)
        return true;
    __atomic_sub_fetch(&all_nodes, n, __ATOMIC_RELAXED);
    return false;
}

/* CU_OK without graphs: there is no room for them. */
static cu_result build(struct polygpu_graphs *g, struct known *known)
{
    unsigned i, n = n_chunks(&known->launches);
    struct polygpu_sequence_place place = {0};
    double begun = polygpu_now();
    cu_result result = CU_OK;

    if (!reserve_nodes(known->launches.n))
        return CU_OK;
    known->execs = calloc(n, sizeof *known->execs);
    if (!known->execs) {
        __atomic_sub_fetch(&all_nodes, known->launches.n, __ATOMIC_RELAXED);
        return CU_OK;
    }
    for (i = 0; result == CU_OK && i < n; ++i)
        result = build_chunk(&g->launcher, known, &place, &known->execs[i]);
    if (result != CU_OK) {
        refuse(g->driver, result, "building a graph");
        free_execs(g->driver, known, true);
        return result;
    }
    polygpu_payoff_built(&known->payoff, polygpu_now() - begun);
    __atomic_add_fetch(&n_built, n, __ATOMIC_RELAXED);
    POLYGPU_LOG("graphs: %u of %u launches", n, (unsigned)known->launches.n);
    return CU_OK;
}

/* ---- Who uses a session -------------------------------------------------- */

static bool try_take(struct polygpu_graphs *g)
{
    return !__atomic_exchange_n(&g->taken, 1, __ATOMIC_ACQUIRE);
}

/* What another thread does then takes no longer than freeing graphs. */
static void take(struct polygpu_graphs *g)
{
    while (!try_take(g))
        sched_yield();
}

static void leave(struct polygpu_graphs *g)
{
    __atomic_store_n(&g->taken, 0, __ATOMIC_RELEASE);
}

static void enlist(struct polygpu_graphs *g)
{
    if (g->listed)
        return;
    pthread_once(&forks_watched, watch_forks);
    pthread_mutex_lock(&list_lock);
    g->next = list;
    list = g;
    g->listed = true;
    pthread_mutex_unlock(&list_lock);
}

static void delist(struct polygpu_graphs *g)
{
    struct polygpu_graphs **at;

    if (!g->listed)
        return;
    pthread_mutex_lock(&list_lock);
    for (at = &list; *at && *at != g;)
        at = &(*at)->next;
    if (*at)
        *at = g->next;
    pthread_mutex_unlock(&list_lock);
}

static bool shed_of(struct polygpu_graphs *g, unsigned generation)
{
    bool there = g->generation == generation, any = false;
    unsigned i;

    for (i = 0; i < KNOWN; ++i) {
        struct known *known = &g->known[i];

        if (!known->execs)
            continue;
        any = there;
        free_execs(g->driver, known, there);
        polygpu_payoff_given_up(&known->payoff, false);
    }
    return any;
}

bool polygpu_graphs_shed(unsigned generation)
{
    struct polygpu_graphs *g;
    bool any = false;

    pthread_mutex_lock(&list_lock);
    for (g = list; g; g = g->next)
        if (try_take(g)) {
            any = shed_of(g, generation) || any;
            leave(g);
        }
    pthread_mutex_unlock(&list_lock);
    return any;
}

/* ---- Sequences that a session knows -------------------------------------- */

static void forget(struct polygpu_graphs *g, struct known *known, bool there)
{
    if (known->execs)
        polygpu_payoff_given_up(&known->payoff, false);
    free_execs(g->driver, known, there);
    __atomic_sub_fetch(&all_bytes, known->launches.capacity, __ATOMIC_RELAXED);
    polygpu_sequence_free(&known->launches);
    *known = (struct known){0};
}

/* The one that was used longest ago. */
static struct known *oldest(struct polygpu_graphs *g)
{
    struct known *found = g->known;
    unsigned i;

    for (i = 1; i < KNOWN; ++i)
        if (g->known[i].used < found->used)
            found = &g->known[i];
    return found;
}

static struct known *find_equal(struct polygpu_graphs *g,
                                const struct polygpu_sequence *launches)
{
    const struct polygpu_sequence_place all = {launches->n, launches->size};
    unsigned i;

    for (i = 0; i < KNOWN; ++i)
        if (g->known[i].launches.n == launches->n &&
            polygpu_sequence_agree(&g->known[i].launches, launches, &all))
            return &g->known[i];
    return NULL;
}

/* What was recorded is known from now on. */
static void learn(struct polygpu_graphs *g)
{
    struct known *known = oldest(g);

    forget(g, known, true);
    polygpu_sequence_trim(&g->record);
    if (__atomic_add_fetch(&all_bytes, g->record.capacity, __ATOMIC_RELAXED) >
        polygpu_graph_limits.bytes) {
        __atomic_sub_fetch(&all_bytes, g->record.capacity, __ATOMIC_RELAXED);
        return;
    }
    known->launches = g->record;
    g->record = (struct polygpu_sequence){0};
    known->used = ++g->clock;
    polygpu_payoff_repeat(&known->payoff);
}

struct polygpu_graphs *
polygpu_graphs_new(const struct polygpu_cuda_driver *driver,
                   unsigned generation)
{
    const struct polygpu_env *env = polygpu_env();
    struct polygpu_graphs *g;

    if (env->graphs == POLYGPU_GRAPHS_OFF || is_refused() ||
        !driver->graph_create || !driver->graph_add ||
        !driver->graph_instantiate || !driver->graph_destroy ||
        !driver->graph_launch || !driver->graph_exec_destroy)
        return NULL;
    g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->driver = driver;
    g->counts = env->profile != POLYGPU_PROFILE_NONE;
    g->generation = generation;
    return g;
}

bool polygpu_graphs_any(const struct polygpu_graphs *g)
{
    return g && g->listed;
}

void polygpu_graphs_free(struct polygpu_graphs *g, bool gone,
                         unsigned generation)
{
    unsigned i;

    if (!g)
        return;
    delist(g);
    for (i = 0; i < KNOWN; ++i)
        forget(g, &g->known[i], !gone && g->generation == generation);
    polygpu_sequence_free(&g->record);
    free(g);
}

/* ---- A segment begins ---------------------------------------------------- */

/* Is it to be launched as graphs? */
static bool is_wanted(const struct known *known)
{
    return known->execs && !is_refused() &&
           (polygpu_env()->graphs == POLYGPU_GRAPHS_ON ||
            polygpu_payoff_wants(&known->payoff));
}

struct launch {
    uint32_t number;
    const struct polygpu_kernel *kernel;
    const uint32_t *grid;
    void *const *args;
};

static bool follow(struct polygpu_graphs *g, const struct known *known,
                   const struct launch *l)
{
    return polygpu_sequence_follow(&known->launches, &g->place, l->number,
                                   l->kernel, l->grid, l->args);
}

/* The one used last that begins with this launch, of those that are to be
 * launched as graphs if there are any: to find out that it is another one costs
 * little then. */
static struct known *find_first(struct polygpu_graphs *g,
                                const struct launch *l)
{
    struct known *found[2] = {NULL, NULL};
    unsigned i;

    for (i = 0; i < KNOWN; ++i) {
        struct known *known = &g->known[i];
        struct known **best = &found[is_wanted(known)];
        struct polygpu_sequence_place place = {0};

        if ((!*best || known->used > (*best)->used) &&
            polygpu_sequence_follow(&known->launches, &place, l->number,
                                    l->kernel, l->grid, l->args))
            *best = known;
    }
    return found[true] ? found[true] : found[false];
}

static void begin(struct polygpu_graphs *g, const struct launch *l)
{
    g->timed = NULL;
    g->n = 0;
    g->holds = false;
    g->mode = COUNTING;
    if (g->n_short >= MOST_SHORT || is_refused())
        return;
    take(g);
    g->place = g->done = (struct polygpu_sequence_place){0};
    g->match = find_first(g, l);
    g->mode = g->match ? FOLLOWING : RECORDING;
    if (!g->match)
        return;
    g->holds = is_wanted(g->match);
    g->begun = polygpu_now();
}

/* Another one that is the same so far, and goes on with this launch; it is
 * launched in the same way. */
static bool turn(struct polygpu_graphs *g, const struct launch *l)
{
    unsigned i;

    for (i = 0; i < KNOWN; ++i) {
        struct known *other = &g->known[i];

        if (other == g->match || is_wanted(other) != g->holds ||
            !polygpu_sequence_agree(&g->match->launches, &other->launches,
                                    &g->place) ||
            !follow(g, other, l))
            continue;
        g->match = other;
        return true;
    }
    return false;
}

bool polygpu_graphs_hold(struct polygpu_graphs *g, uint32_t kernel,
                         const struct polygpu_kernel *about,
                         const uint32_t grid[3], void *const *args)
{
    const struct launch l = {kernel, about, grid, args};

    if (g->mode == CLOSED)
        begin(g, &l);
    ++g->n;
    if (g->mode != FOLLOWING)
        return false;
    if (!follow(g, g->match, &l) && !turn(g, &l)) {
        g->mode = LEFT;
        return false;
    }
    return g->holds && g->place.n % polygpu_graph_limits.chunk != 0;
}

/* ---- Launches ------------------------------------------------------------ */

cu_result polygpu_launch_plainly(const struct polygpu_launcher *to,
                                 uint32_t kernel, const uint32_t grid[3],
                                 void **args)
{
    const struct polygpu_kernel *about = &to->scop->kernels[kernel];
    bool dynamic = about->flags & POLYGPU_KERNEL_DYNAMIC;

    if (about->flags & POLYGPU_KERNEL_GRID)
        return to->driver->launch_together(
            to->functions[kernel], grid[0], grid[1], grid[2], about->block[0],
            about->block[1], about->block[2], dynamic ? about->shared_bytes : 0,
            to->stream, args);
    return to->driver->launch(to->functions[kernel], grid[0], grid[1], grid[2],
                              about->block[0], about->block[1], about->block[2],
                              dynamic ? about->shared_bytes : 0, to->stream,
                              args, NULL);
}

static bool launch_one(const struct polygpu_launcher *to, uint32_t kernel,
                       const uint32_t grid[3], void **args,
                       struct polygpu_graph_failure *failure)
{
    failure->result = polygpu_launch_plainly(to, kernel, grid, args);
    if (failure->result == CU_OK)
        return true;
    snprintf(failure->what, sizeof failure->what, "kernel %.120s",
             to->scop->kernels[kernel].name);
    return false;
}

/* Those held back, by themselves. */
static bool launch_held(struct polygpu_graphs *g,
                        struct polygpu_graph_failure *failure)
{
    void *args[POLYGPU_SEQUENCE_PARAMS];
    uint32_t grid[3];
    bool ok = true;

    g->holds = false;
    while (ok && g->done.n < g->place.n) {
        uint32_t kernel =
            polygpu_sequence_take(&g->match->launches, &g->done,
                                  g->launcher.scop->kernels, grid, args);

        ok = launch_one(&g->launcher, kernel, grid, args, failure);
    }
    g->done = g->place;
    return ok;
}

/* Those held back, which are a chunk.  What a graph that failed has launched is
 * not known, so that the run fails; the next ones are launched plainly. */
static bool launch_chunk(struct polygpu_graphs *g,
                         struct polygpu_graph_failure *failure)
{
    unsigned chunk = g->done.n / polygpu_graph_limits.chunk;
    unsigned n = g->place.n - g->done.n;

    g->done = g->place;
    failure->result = ask();
    if (failure->result == CU_OK)
        failure->result =
            g->driver->graph_launch(g->match->execs[chunk], g->launcher.stream);
    if (failure->result != CU_OK) {
        __atomic_store_n(&refused, true, __ATOMIC_RELAXED);
        snprintf(failure->what, sizeof failure->what,
                 "a graph of %u launches, which are not made graphs any more,",
                 n);
        return false;
    }
    POLYGPU_LOG("graph of %u launches", n);
    __atomic_add_fetch(&n_launched, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&n_in_graphs, n, __ATOMIC_RELAXED);
    return true;
}

/* The launches so far, and those that come, are recorded. */
static void record_from_here(struct polygpu_graphs *g)
{
    bool ok = polygpu_sequence_copy(&g->record, &g->match->launches, &g->place);

    g->mode = ok ? RECORDING : COUNTING;
    g->match = NULL;
    if (!ok)
        leave(g);
}

static void note(struct polygpu_graphs *g,
                 const struct polygpu_launcher *launcher, uint32_t kernel,
                 const uint32_t grid[3], void **args)
{
    if (g->mode == LEFT)
        record_from_here(g);
    if (g->mode != RECORDING ||
        polygpu_sequence_add(&g->record, kernel,
                             &launcher->scop->kernels[kernel], grid, args))
        return;
    g->mode = COUNTING;
    leave(g);
}

void polygpu_graphs_note(struct polygpu_graphs *g,
                         const struct polygpu_launcher *launcher,
                         uint32_t kernel, const uint32_t grid[3], void **args)
{
    if (!polygpu_graphs_hold(g, kernel, &launcher->scop->kernels[kernel], grid,
                             args))
        note(g, launcher, kernel, grid, args);
}

bool polygpu_graphs_launch(struct polygpu_graphs *g,
                           const struct polygpu_launcher *launcher,
                           uint32_t kernel, const uint32_t grid[3], void **args,
                           struct polygpu_graph_failure *failure)
{
    bool ok = true;

    g->launcher = *launcher;
    if (g->mode == FOLLOWING && g->holds)
        return launch_chunk(g, failure);
    if (g->mode == LEFT && g->holds)
        ok = launch_held(g, failure);
    note(g, launcher, kernel, grid, args);
    return ok && launch_one(launcher, kernel, grid, args, failure);
}

/* ---- A segment ends ------------------------------------------------------ */

/* One that is the same so far and ends here may be known as well. */
static void turn_to_shorter(struct polygpu_graphs *g)
{
    unsigned i;

    for (i = 0; i < KNOWN && g->place.n < g->match->launches.n; ++i) {
        struct known *other = &g->known[i];

        if (other->launches.n == g->place.n && is_wanted(other) == g->holds &&
            polygpu_sequence_agree(&g->match->launches, &other->launches,
                                   &g->place))
            g->match = other;
    }
}

/* What is held back is launched: a chunk, the last of all, or a part of one. */
static bool finish_held(struct polygpu_graphs *g,
                        struct polygpu_graph_failure *failure)
{
    if (g->done.n == g->place.n)
        return true;
    return g->mode == FOLLOWING && g->place.n == g->match->launches.n
               ? launch_chunk(g, failure)
               : launch_held(g, failure);
}

static void measure(struct polygpu_graphs *g, struct known *known)
{
    polygpu_payoff_ran(&known->payoff, g->holds, polygpu_now() - g->begun);
}

/* The segment was a known one. */
static void count_again(struct polygpu_graphs *g, struct known *known,
                        bool waits)
{
    known->used = ++g->clock;
    if (g->counts)
        __atomic_add_fetch(&repeats.again, known->launches.n, __ATOMIC_RELAXED);
    if (!known->execs)
        polygpu_payoff_repeat(&known->payoff);
    if (known->waits != waits)
        polygpu_payoff_anew(&known->payoff);
    known->waits = waits;
    if (waits)
        g->timed = known;
    else
        measure(g, known);
}

/* A segment that began as a known one may have gone on as another. */
static void end_record(struct polygpu_graphs *g, bool waits)
{
    struct known *known = find_equal(g, &g->record);

    if (known)
        count_again(g, known, waits);
    else
        learn(g);
}

bool polygpu_graphs_end(struct polygpu_graphs *g, bool waits,
                        struct polygpu_graph_failure *failure)
{
    bool ok = true;

    if (g->mode == CLOSED)
        return true;
    if (g->counts)
        __atomic_add_fetch(&repeats.launches, g->n, __ATOMIC_RELAXED);
    g->is_long = g->is_long || g->n >= polygpu_graph_limits.least;
    if (g->mode == FOLLOWING)
        turn_to_shorter(g);
    if (g->holds)
        ok = finish_held(g, failure);
    if (g->mode == FOLLOWING && g->place.n < g->match->launches.n)
        record_from_here(g);
    if (ok && g->mode == FOLLOWING)
        count_again(g, g->match, waits);
    else if (ok && g->mode == RECORDING && g->n >= polygpu_graph_limits.least)
        end_record(g, waits);
    if (g->mode != COUNTING)
        leave(g);
    polygpu_sequence_clear(&g->record);
    g->mode = CLOSED;
    return ok;
}

void polygpu_graphs_waited(struct polygpu_graphs *g)
{
    if (!g->timed)
        return;
    take(g);
    measure(g, g->timed);
    leave(g);
    g->timed = NULL;
}

/* ---- Between runs -------------------------------------------------------- */

static bool is_due(const struct known *known)
{
    if (known->execs || is_refused())
        return false;
    return polygpu_env()->graphs == POLYGPU_GRAPHS_ON
               ? known->payoff.runs >= 2
               : polygpu_payoff_is_due(&known->payoff);
}

static bool is_useless(const struct known *known)
{
    return known->execs &&
           (is_refused() || (polygpu_env()->graphs == POLYGPU_GRAPHS_AUTO &&
                             !polygpu_payoff_keeps(&known->payoff)));
}

bool polygpu_graphs_rest(struct polygpu_graphs *g)
{
    bool any = false;
    unsigned i;

    g->n_short = g->is_long ? 0 : g->n_short + (g->n_short < MOST_SHORT);
    if (!g->is_long || g->counts) {
        g->is_long = false;
        return false;
    }
    g->is_long = false;
    take(g);
    for (i = 0; i < KNOWN; ++i)
        any = any || is_due(&g->known[i]) || is_useless(&g->known[i]);
    leave(g);
    return any;
}

static void give_up(struct polygpu_graphs *g, struct known *known)
{
    POLYGPU_LOG("graphs of %u launches: %.6g ms, without them %.6g ms",
                (unsigned)known->launches.n, known->payoff.graph,
                known->payoff.plain);
    free_execs(g->driver, known, true);
    polygpu_payoff_given_up(&known->payoff, true);
}

cu_result polygpu_graphs_tidy(struct polygpu_graphs *g)
{
    cu_result result = CU_OK;
    unsigned i;

    enlist(g);
    take(g);
    for (i = 0; i < KNOWN; ++i)
        if (is_useless(&g->known[i]))
            give_up(g, &g->known[i]);
    for (i = 0; result == CU_OK && i < KNOWN; ++i)
        if (is_due(&g->known[i]))
            result = build(g, &g->known[i]);
    leave(g);
    return result;
}

/* ---- What was done ------------------------------------------------------- */

void polygpu_graphs_repeats(struct polygpu_repeats *counts)
{
    counts->launches = __atomic_load_n(&repeats.launches, __ATOMIC_RELAXED);
    counts->again = __atomic_load_n(&repeats.again, __ATOMIC_RELAXED);
}

void polygpu_graphs_log(void)
{
    if (n_built)
        POLYGPU_LOG("graphs: %u built, %u launched, for %llu launches", n_built,
                    n_launched, (unsigned long long)n_in_graphs);
}
