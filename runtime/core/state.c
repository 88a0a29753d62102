/* state.c - see state.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/state.h"

#include "core/lock.h"
#include "core/pool.h"
#include "support/plans.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tries of loading that fail for lack of memory, and looks for results that
 * find none: at a SCoP's runs 1, 2, 4, ... that get as far, and then at each of
 * so many. */
enum { MOST_WAIT = 1024 };

/* A mean is that of about so many runs. */
enum { MOST_LOOKS = 8 };

static pthread_mutex_t load_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;
static struct polygpu_state *states;
static struct polygpu_state **states_end = &states;
static double saved; /* ms that all runs would have saved */

/* In the child of a fork: nobody holds a lock any more, and the parent's
 * counts are the parent's to print. */
static void after_fork(void)
{
    struct polygpu_state *s;
    uint32_t k;

    pthread_mutex_init(&load_lock, NULL);
    for (s = states; s; s = s->next) {
        s->seen = false;
        s->estimated = false;
        memset(&s->stats, 0, sizeof s->stats);
        s->reason[0] = '\0';
        for (k = 0; k < s->n_kernels; ++k)
            memset(&s->kernels[k].stats, 0, sizeof s->kernels[k].stats);
        for (k = 0; k < s->n_arrays; ++k)
            memset(&s->arrays[k].stats, 0, sizeof s->arrays[k].stats);
        for (k = 0; k < s->n_variants; ++k)
            s->variants[k].runs = 0;
        s->sized = false;
    }
}

static void watch_forks(void)
{
    polygpu_lock_watch();
    pthread_atfork(NULL, NULL, after_fork);
}

static void free_state(struct polygpu_state *state)
{
    uint32_t k;

    for (k = 0; k < state->n_kernels; ++k)
        free(state->kernels[k].name);
    for (k = 0; state->arrays && k < state->n_arrays; ++k)
        free(state->arrays[k].name);
    for (k = 0; state->variants && k < state->n_variants; ++k)
        free(state->variants[k].when);
    free(state->arrays);
    free(state->variants);
    free(state->sizes);
    free(state->function);
    free(state->file);
    free(state);
}

static bool name_arrays(struct polygpu_state *state,
                        const struct polygpu_scop *scop)
{
    bool ok = true;
    uint32_t a;

    state->n_arrays = scop->n_arrays;
    state->arrays = calloc((size_t)scop->n_arrays + 1, sizeof *state->arrays);
    for (a = 0; state->arrays && a < scop->n_arrays; ++a) {
        const char *name = scop->arrays[a].name;

        state->arrays[a].name = strdup(name ? name : "?");
        ok = ok && state->arrays[a].name;
    }
    return ok && state->arrays;
}

static bool name_variants(struct polygpu_state *state,
                          const struct polygpu_scop *scop)
{
    bool ok = true;
    char when[200];
    uint32_t v;

    state->n_variants = polygpu_variants(scop);
    state->variants = calloc(state->n_variants, sizeof *state->variants);
    for (v = 0; state->variants && v < state->n_variants; ++v) {
        polygpu_variant_text(scop, v, when, sizeof when);
        state->variants[v].when = strdup(when);
        ok = ok && state->variants[v].when;
    }
    state->n_params = scop->n_params;
    state->sizes = calloc((size_t)scop->n_params + 1, sizeof *state->sizes);
    return ok && state->variants && state->sizes;
}

static struct polygpu_state *new_state(const struct polygpu_scop *scop)
{
    struct polygpu_state *state;
    bool ok;
    uint32_t k;

    state = calloc(1, sizeof *state + scop->n_kernels * sizeof *state->kernels);
    if (!state)
        return NULL;
    state->n_kernels = scop->n_kernels;
    state->plan = polygpu_plan_number(scop, 0);
    state->line = scop->line;
    state->function = strdup(scop->function ? scop->function : "?");
    state->file = strdup(scop->file ? scop->file : "?");
    ok = name_arrays(state, scop) && name_variants(state, scop) &&
         state->function && state->file;
    for (k = 0; k < scop->n_kernels; ++k) {
        state->kernels[k].name = strdup(scop->kernels[k].name);
        state->kernels[k].plan = polygpu_plan_with(scop, k);
        state->kernels[k].variant =
            polygpu_plan_get(scop, state->kernels[k].plan).variant;
        state->kernels[k].instead =
            (scop->kernels[k].flags &
             (POLYGPU_KERNEL_GRID | POLYGPU_KERNEL_PART)) != 0;
        memcpy(state->kernels[k].block, scop->kernels[k].block,
               sizeof state->kernels[k].block);
        ok = ok && state->kernels[k].name;
    }
    if (!ok) {
        free_state(state);
        return NULL;
    }
    return state;
}

/* The state of "scop", made where there is none yet.  NULL without memory. */
struct polygpu_state *polygpu_state(struct polygpu_scop *scop)
{
    struct polygpu_state *state;

    pthread_once(&fork_once, watch_forks);
    state = __atomic_load_n((struct polygpu_state **)&scop->state,
                            __ATOMIC_ACQUIRE);
    if (!state) {
        polygpu_lock();
        state = scop->state;
        if (!state && (state = new_state(scop))) {
            *states_end = state;
            states_end = &state->next;
            __atomic_store_n((struct polygpu_state **)&scop->state, state,
                             __ATOMIC_RELEASE);
        }
        polygpu_unlock();
    }
    if (state)
        __atomic_store_n(&state->seen, true, __ATOMIC_RELAXED);
    return state;
}

/* The first state; to be called, and the list walked, under the lock. */
struct polygpu_state *polygpu_state_first(void)
{
    return states;
}

/* Has loading been tried, since the device lost what had been loaded? */
static bool is_tried(const struct polygpu_variant_state *v, unsigned generation)
{
    return __atomic_load_n(&v->load_tried, __ATOMIC_ACQUIRE) &&
           __atomic_load_n(&v->generation, __ATOMIC_ACQUIRE) == generation;
}

/* Is what loading has come to known for good? */
static bool is_settled(const struct polygpu_variant_state *v,
                       unsigned generation)
{
    return is_tried(v, generation) &&
           __atomic_load_n(&v->load_settled, __ATOMIC_ACQUIRE);
}

/* Is this run, which counts, the one that tries again?  Under the lock. */
static bool is_due(struct polygpu_variant_state *v)
{
    return !v->load_settled && --v->load_wait == 0;
}

/* After a try: a lack of memory may pass, so that loading is tried again, each
 * time after twice as many runs as the last; nothing else passes. */
static bool settle(struct polygpu_variant_state *v, bool first)
{
    if (v->load_status.cause != POLYGPU_CAUSE_MEMORY)
        return true;
    if (first)
        v->load_last_wait = 1;
    else if (v->load_last_wait < MOST_WAIT)
        v->load_last_wait *= 2;
    v->load_wait = v->load_last_wait;
    return false;
}

/* Load under the lock, once more if memory is short and the pool has some.
 * What was loaded before a reset is not freed: the driver has done that, and
 * runs of other threads may be about to learn of it. */
static void load(struct polygpu_variant_state *v,
                 const struct polygpu_scop *scop,
                 const struct polygpu_device *device, unsigned generation)
{
    bool first = !is_tried(v, generation), again;
    void *module = NULL;

    do {
        memset(&v->load_status, 0, sizeof v->load_status);
        again = !device->load(scop, &module, &v->load_status) &&
                v->load_status.cause == POLYGPU_CAUSE_MEMORY &&
                polygpu_pool_empty() > 0;
    } while (again);
    __atomic_store_n(&v->module, module, __ATOMIC_RELEASE);
    __atomic_store_n(&v->load_settled, settle(v, first), __ATOMIC_RELEASE);
    __atomic_store_n(&v->generation, generation, __ATOMIC_RELEASE);
    __atomic_store_n(&v->load_tried, true, __ATOMIC_RELEASE);
}

/* The kernels, or why there are none. */
static bool result(const struct polygpu_variant_state *v, void **module,
                   struct polygpu_status *status)
{
    *module = __atomic_load_n(&v->module, __ATOMIC_ACQUIRE);
    return v->load_status.cause == POLYGPU_OK ||
           polygpu_fail(status, v->load_status.cause, "%s",
                        v->load_status.text);
}

/* Set "module" to the loaded kernels of a variant of the SCoP.  Loading is
 * tried once, and again when the device has lost its modules, or when there was
 * not enough memory; all other failures are remembered. */
bool polygpu_state_load(struct polygpu_state *state,
                        const struct polygpu_scop *scop, uint32_t variant,
                        const struct polygpu_device *device, void **module,
                        struct polygpu_status *status)
{
    struct polygpu_variant_state *v = &state->variants[variant];
    unsigned generation = polygpu_generation(device);
    bool ok;

    if (is_settled(v, generation))
        return result(v, module, status);
    pthread_mutex_lock(&load_lock);
    if (!is_tried(v, generation) || is_due(v)) {
        const struct polygpu_scop part = polygpu_variant_alone(scop, variant);

        load(v, &part, device, generation);
    }
    ok = result(v, module, status);
    pthread_mutex_unlock(&load_lock);
    return ok;
}

/* Those of other plans are not launched, unless earlier runs had another
 * variant. */
bool polygpu_state_shows(const struct polygpu_state *state, uint32_t k)
{
    return state->kernels[k].stats.launches > 0 ||
           (!state->kernels[k].instead &&
            state->kernels[k].plan ==
                __atomic_load_n(&state->plan, __ATOMIC_RELAXED));
}

/* Has loading been tried? */
bool polygpu_state_loaded(const struct polygpu_state *state, uint32_t variant)
{
    return __atomic_load_n(&state->variants[variant].load_tried,
                           __ATOMIC_ACQUIRE);
}

/* A run would save time, but "load" ms have to be spent for its SCoP first,
 * and "open" ms for all.  Add it to those before it, and say whether they have
 * earned that now. */
bool polygpu_state_earned(struct polygpu_state *state, double load, double open,
                          struct polygpu_estimate *estimate)
{
    double gain = estimate->cpu_ms - estimate->gpu_ms;
    double all;

    polygpu_lock();
    saved += gain;
    state->saved += gain;
    all = saved;
    estimate->saved_ms = state->saved;
    polygpu_unlock();
    estimate->setup_ms = load + open;
    if (open > 0 && all > estimate->saved_ms)
        estimate->saved_ms = all;
    return estimate->saved_ms >= estimate->setup_ms;
}

/* A run has ended well. */
void polygpu_state_ran(struct polygpu_state *state)
{
    if (__atomic_load_n(&state->moved.last, __ATOMIC_RELAXED))
        return;
    polygpu_lock();
    if (!state->moved.known)
        state->moved.in = state->moved.out = 1;
    state->moved.known = true;
    __atomic_store_n(&state->moved.last, true, __ATOMIC_RELAXED);
    polygpu_unlock();
}

/* A run is not on the device: what is not there when the next one looks says
 * nothing about others. */
void polygpu_state_left(struct polygpu_state *state)
{
    __atomic_store_n(&state->moved.last, false, __ATOMIC_RELAXED);
}

/* The next run finds these shares of what it reads not on the device, and of
 * what it writes brought to the host since the last one.  Returns what is
 * usual, half of which is this time. */
struct polygpu_share polygpu_state_moves(struct polygpu_state *state, double in,
                                         double out)
{
    struct polygpu_share moved;

    polygpu_lock();
    if (state->moved.last) {
        state->moved.looks += state->moved.looks < MOST_LOOKS;
        state->moved.in += (in - state->moved.in) / state->moved.looks;
        state->moved.out += (out - state->moved.out) / state->moved.looks;
    }
    moved = state->moved;
    polygpu_unlock();
    return moved;
}

/* A run would save "gain" ms if nothing had to be copied or allocated for it,
 * which takes "price" ms once.  Have such runs added up to that?  Then they
 * begin anew, and have to add up to more, until the device has saved that. */
bool polygpu_state_hopes(struct polygpu_state *state, double gain, double price,
                         double credit, bool late)
{
    double hope;
    bool enough;

    polygpu_lock();
    __atomic_load(&state->hope, &hope, __ATOMIC_RELAXED);
    state->hoped += gain;
    enough = (late && state->hoped >= price + hope) ||
             (hope <= 0 && credit > 0 && state->hoped + credit >= price);
    if (enough) {
        hope = 2 * hope + price;
        __atomic_store(&state->hope, &hope, __ATOMIC_RELAXED);
        state->hoped = 0;
    }
    polygpu_unlock();
    return enough;
}

/* If the last run had been on the device, the next one would have "copies" ms
 * more than without; on average. */
double polygpu_state_usual(struct polygpu_state *state, bool *foreseen,
                           double copies)
{
    double usual;

    polygpu_lock();
    if (*foreseen) {
        state->usual_looks += state->usual_looks < MOST_LOOKS;
        state->usual += (copies - state->usual) / state->usual_looks;
    }
    *foreseen = state->usual_looks > 0;
    usual = state->usual;
    polygpu_unlock();
    return usual;
}

/* Is that to be found out for the next run?  The first ones, and then now and
 * then: it makes touches slower. */
bool polygpu_state_foresees(struct polygpu_state *state)
{
    const unsigned first = 4;
    unsigned n = __atomic_fetch_add(&state->foreseen, 1, __ATOMIC_RELAXED);

    return n < first || (n & (n - 1)) == 0;
}

/* A run on the device takes "loss" ms more than on the CPU, but to go there
 * costs "price" ms.  Have such runs lost that?  If results of "others" would
 * have to come along, as well as before, twice as much is wanted the next
 * time. */
bool polygpu_state_leaves(struct polygpu_state *state, double loss,
                          double price, bool others)
{
    bool enough;

    polygpu_lock();
    state->lost += loss;
    enough = state->lost >= (others ? price * (1 + state->left) : price);
    if (enough || state->lost < 0)
        state->lost = 0;
    if (enough && others)
        state->left = 2 * state->left + 1;
    polygpu_unlock();
    return enough;
}

/* A run on the device takes "gain" ms less than on the CPU. */
void polygpu_state_gains(struct polygpu_state *state, double gain)
{
    double hope;

    __atomic_load(&state->hope, &hope, __ATOMIC_RELAXED);
    if (hope <= 0)
        return;
    hope = hope > gain ? hope - gain : 0;
    __atomic_store(&state->hope, &hope, __ATOMIC_RELAXED);
}

/* Runs of several SCoPs move to the device together, and this one's next run
 * "follows" another one's?  False: that has been once. */
bool polygpu_state_join(struct polygpu_state *state, bool follows)
{
    bool first;

    polygpu_lock();
    first = !state->joined;
    state->joined = true;
    state->follows = first && follows;
    polygpu_unlock();
    return first;
}

/* Is it the run that follows? */
bool polygpu_state_follows(struct polygpu_state *state)
{
    bool follows;

    polygpu_lock();
    follows = state->follows;
    state->follows = false;
    polygpu_unlock();
    return follows;
}

/* A run is not worth it by its sizes, but the device has results that it may
 * need: is it to be looked for these?  Runs that found none make those that
 * follow look less often. */
bool polygpu_state_looks(struct polygpu_scop *scop)
{
    struct polygpu_state *state = polygpu_state(scop);
    unsigned wait =
        state ? __atomic_load_n(&state->look_wait, __ATOMIC_RELAXED) : 0;

    if (wait)
        __atomic_store_n(&state->look_wait, wait - 1, __ATOMIC_RELAXED);
    return state && !wait;
}

void polygpu_state_looked(struct polygpu_state *state, bool met)
{
    unsigned last = __atomic_load_n(&state->look_last_wait, __ATOMIC_RELAXED);
    unsigned wait = met ? 0 : 2 * last + 1;

    if (wait > MOST_WAIT)
        wait = MOST_WAIT;
    __atomic_store_n(&state->look_last_wait, wait, __ATOMIC_RELAXED);
    __atomic_store_n(&state->look_wait, wait, __ATOMIC_RELAXED);
}

/* It took "ms" to find that a run which takes the CPU "cpu_ms" is not for the
 * device.  Asking is to take a tenth of the CPU's time at most. */
void polygpu_state_asked(struct polygpu_state *state, double ms, double cpu_ms)
{
    const double share = 0.1;

    if (ms <= share * cpu_ms)
        return;
    __atomic_store_n(&state->silence_step, (int64_t)(cpu_ms * 1e6),
                     __ATOMIC_RELAXED);
    __atomic_store_n(&state->silence, (int64_t)(ms / share * 1e6),
                     __ATOMIC_RELAXED);
}

/* Is nothing to be asked now? */
bool polygpu_state_is_silent(const struct polygpu_state *state)
{
    return __atomic_load_n(&state->silence, __ATOMIC_RELAXED) > 0;
}

/* The CPU is about to work for "ms"; negative: as long as in the last run that
 * was asked about. */
void polygpu_state_spend(struct polygpu_state *state, double ms)
{
    int64_t left = __atomic_load_n(&state->silence, __ATOMIC_RELAXED);
    int64_t ns = ms < 0
                     ? __atomic_load_n(&state->silence_step, __ATOMIC_RELAXED)
                     : (int64_t)(ms * 1e6);

    __atomic_store_n(&state->silence, left - 1 - ns, __ATOMIC_RELAXED);
}

/* Keep the estimate of a run for the profile. */
void polygpu_state_estimated(struct polygpu_state *state,
                             const struct polygpu_estimate *estimate,
                             const char *decision)
{
    polygpu_lock();
    state->estimated = true;
    state->estimate = *estimate;
    state->decision = decision;
    polygpu_unlock();
}

/* Add "from" to "to". */
static void add_accesses(struct polygpu_access_stats *to,
                         const struct polygpu_access_stats *from)
{
    to->counted |= from->counted;
    to->incomplete |= from->incomplete;
    to->global_loads += from->global_loads;
    to->global_load_bytes += from->global_load_bytes;
    to->global_load_sectors += from->global_load_sectors;
    to->global_stores += from->global_stores;
    to->global_store_bytes += from->global_store_bytes;
    to->global_store_sectors += from->global_store_sectors;
    to->shared_loads += from->shared_loads;
    to->shared_load_bytes += from->shared_load_bytes;
    to->shared_stores += from->shared_stores;
    to->shared_store_bytes += from->shared_store_bytes;
    to->conflicts += from->conflicts;
    to->barriers += from->barriers;
}

/* Keep the parameters of a run for the profile. */
void polygpu_state_sized(struct polygpu_state *state, const int64_t *params)
{
    uint32_t i;

    polygpu_lock();
    for (i = 0; i < state->n_params; ++i) {
        struct polygpu_size_state *size = &state->sizes[i];

        if (!state->sized || params[i] < size->least)
            size->least = params[i];
        if (!state->sized || params[i] > size->most)
            size->most = params[i];
    }
    state->sized = true;
    polygpu_unlock();
}

/* Add what one run did to the profile.  "kernels" may be NULL. */
void polygpu_state_count(struct polygpu_state *state,
                         const struct polygpu_scop_stats *stats,
                         const struct polygpu_kernel_stats *kernels)
{
    struct polygpu_scop_stats *sum = &state->stats;
    uint32_t k;

    polygpu_lock();
    if (stats->device)
        sum->device = stats->device;
    sum->runs += stats->runs;
    sum->declined += stats->declined;
    sum->failed += stats->failed;
    sum->by_cost += stats->by_cost;
    sum->bytes_in += stats->bytes_in;
    sum->bytes_out += stats->bytes_out;
    sum->bytes_kept += stats->bytes_kept;
    sum->ms += stats->ms;
    sum->in_ms += stats->in_ms;
    sum->out_ms += stats->out_ms;
    for (k = 0; kernels && k < state->n_kernels; ++k) {
        struct polygpu_kernel_stats *to = &state->kernels[k].stats;
        const struct polygpu_kernel_stats *from = &kernels[k];

        if ((double)from->grid[0] * from->grid[1] * from->grid[2] >
            (double)to->grid[0] * to->grid[1] * to->grid[2])
            memcpy(to->grid, from->grid, sizeof to->grid);
        to->launches += from->launches;
        to->operations += from->operations;
        to->flops_single += from->flops_single;
        to->flops_double += from->flops_double;
        to->bytes += from->bytes;
        to->device.ms += from->device.ms;
        add_accesses(&to->device.accesses, &from->device.accesses);
    }
    polygpu_unlock();
}

/* Keep why a run was on the CPU, for another reason than its cost. */
void polygpu_state_declined(struct polygpu_state *state, const char *reason)
{
    polygpu_lock();
    snprintf(state->reason, sizeof state->reason, "%s", reason);
    polygpu_unlock();
}

/* Add what was copied of one array. */
void polygpu_state_count_array(struct polygpu_state *state, uint32_t array,
                               const struct polygpu_array_stats *stats)
{
    struct polygpu_array_stats *sum = &state->arrays[array].stats;

    polygpu_lock();
    sum->bytes_in += stats->bytes_in;
    sum->bytes_out += stats->bytes_out;
    sum->bytes_kept += stats->bytes_kept;
    sum->in_ms += stats->in_ms;
    sum->out_ms += stats->out_ms;
    polygpu_unlock();
}
