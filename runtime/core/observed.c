/* observed.c - see observed.h.
 *
 * The device's table with some functions replaced: each calls the device's own
 * one and counts what it did.  Whose copy it is follows from the address: the
 * session that began with a SCoP says where that one's arrays lie.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/observed.h"

#include "core/lock.h"
#include "core/state.h"
#include "core/trace.h"
#include "support/clock.h"
#include "support/env.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct session {
    struct session *next;
    void *session;
    struct polygpu_state *state;
};

/* Bytes first .. end - 1 of the device belong to an array. */
struct place {
    uintptr_t first, end;
    struct polygpu_state *state;
    uint32_t array;
};

static const struct polygpu_device *inner;
static struct polygpu_device table;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t forks_watched = PTHREAD_ONCE_INIT;
static struct session *sessions;
static struct polygpu_totals totals;

/* In the order of addresses, none in another one: thousands where programs run
 * small loops often. */
static struct place *places;
static size_t n_places, most_places;

enum { MOST_TOUCHERS = 256, MOST_TOUCHED = 1024 };
static struct polygpu_toucher touchers[MOST_TOUCHERS];
static size_t n_touchers;

/* What one of these did to an array. */
static struct touched {
    const struct polygpu_state *state;
    const struct polygpu_toucher *by;
    uint64_t bytes;
    uint32_t array;
} touched[MOST_TOUCHED];
static size_t n_touched;

/* Bytes that this thread has copied out since polygpu_observe_begin; of a model
 * as in inside.h. */
static _Thread_local uint64_t brought
    __attribute__((tls_model("initial-exec")));

/* In the child of a fork, whose counts begin anew. */
static void after_fork(void)
{
    pthread_mutex_init(&lock, NULL);
    totals = (struct polygpu_totals){0};
    n_touchers = n_touched = 0;
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, after_fork);
}

static void enter(void)
{
    pthread_once(&forks_watched, watch_forks);
    pthread_mutex_lock(&lock);
}

static void leave(void)
{
    pthread_mutex_unlock(&lock);
}

/* ---- Where arrays lie --------------------------------------------------- */

/* The link to a session; under the lock, as what follows. */
static struct session **find_session(const void *session)
{
    struct session **link = &sessions;

    while (*link && (*link)->session != session)
        link = &(*link)->next;
    return link;
}

/* The number of places that end at or before "address". */
static size_t places_before(uintptr_t address)
{
    size_t low = 0, high = n_places;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (places[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool room_for_place(void)
{
    size_t most = most_places ? 2 * most_places : 64;
    struct place *more;

    if (n_places < most_places)
        return true;
    if (!(more = realloc(places, most * sizeof *more)))
        return false;
    places = more;
    most_places = most;
    return true;
}

/* Have "n" places, which are 0 or 1, instead of those in first .. end - 1; the
 * number of the first of them. */
static size_t replace_places(uintptr_t first, uintptr_t end, size_t n)
{
    size_t from = places_before(first), to = from;

    while (to < n_places && places[to].first < end)
        ++to;
    if (to - from != n && to < n_places)
        memmove(&places[from + n], &places[to],
                (n_places - to) * sizeof *places);
    n_places = n_places - (to - from) + n;
    return from;
}

/* An array is there; where there is no memory for that, its copies are
 * nobody's. */
static void add_place(const void *session, uint32_t array, uintptr_t first,
                      size_t size)
{
    const struct session *s = *find_session(session);
    bool known = s && array < s->state->n_arrays;
    bool kept = known && size > 0 && room_for_place();
    size_t i = replace_places(first, first + size, kept);

    if (known) {
        s->state->arrays[array].first = first;
        s->state->arrays[array].end = first + size;
    }
    if (kept)
        places[i] = (struct place){first, first + size, s->state, array};
}

/* Whose byte is at "address"?  False: nobody knows. */
static bool find_place(uintptr_t address, struct place *found)
{
    bool known;
    size_t i;

    enter();
    i = places_before(address);
    known = i < n_places && places[i].first <= address;
    if (known)
        *found = places[i];
    leave();
    return known;
}

static void count(uintptr_t address, const struct polygpu_array_stats *stats)
{
    struct place place;

    if (find_place(address, &place))
        polygpu_state_count_array(place.state, place.array, stats);
}

/* A copy of an array that has its bytes at "address", begun then. */
static void trace_copy(enum polygpu_event_kind kind, uintptr_t address,
                       size_t size, double begun, double ended)
{
    struct place place = {.array = UINT32_MAX};
    struct polygpu_event event = {
        .kind = kind, .begun = begun, .ended = ended, .bytes = size};

    find_place(address, &place);
    event.state = place.state;
    event.number = place.array;
    polygpu_trace(&event);
}

/* ---- The device --------------------------------------------------------- */

static bool observed_open(struct polygpu_status *status)
{
    double begun = polygpu_now();
    bool ok = inner->open(status);

    double ended = polygpu_now();
    struct polygpu_event event = {
        .kind = POLYGPU_EVENT_OPEN, .begun = begun, .ended = ended};

    enter();
    totals.open_ms += ended - begun;
    leave();
    polygpu_trace(&event);
    return ok;
}

static bool observed_load(const struct polygpu_scop *scop, void **module,
                          struct polygpu_status *status)
{
    double begun = polygpu_now();
    bool ok = inner->load(scop, module, status);

    double ended = polygpu_now();
    struct polygpu_event event = {.kind = POLYGPU_EVENT_LOAD,
                                  .begun = begun,
                                  .ended = ended,
                                  .state = scop->state};

    enter();
    totals.load_ms += ended - begun;
    ++totals.loads;
    leave();
    polygpu_trace(&event);
    return ok;
}

static bool observed_start(const struct polygpu_scop *scop, void **session,
                           struct polygpu_status *status)
{
    struct session *s;

    if (!inner->start(scop, session, status))
        return false;
    if (scop->state && (s = malloc(sizeof *s))) {
        enter();
        *s = (struct session){sessions, *session, scop->state};
        sessions = s;
        leave();
    }
    return true;
}

static void observed_stop(void *session)
{
    struct session **link, *s;

    enter();
    link = find_session(session);
    s = *link;
    if (s)
        *link = s->next;
    leave();
    free(s);
    inner->stop(session);
}

static bool observed_place(void *session, uint32_t array, int64_t first,
                           size_t size, uintptr_t address,
                           struct polygpu_status *status)
{
    enter();
    add_place(session, array, address, size);
    leave();
    return !inner->place ||
           inner->place(session, array, first, size, address, status);
}

static void observed_holds(void *session, uintptr_t address, size_t size)
{
    struct polygpu_array_stats stats = {.bytes_kept = size};

    count(address, &stats);
    if (inner->holds)
        inner->holds(session, address, size);
}

static bool observed_copy_in(void *session, uintptr_t to, const void *from,
                             size_t size, struct polygpu_status *status)
{
    struct polygpu_array_stats stats = {.bytes_in = size};
    double begun = polygpu_now(), ended;

    if (!inner->copy_in(session, to, from, size, status))
        return false;
    ended = polygpu_now();
    stats.in_ms = ended - begun;
    count(to, &stats);
    trace_copy(POLYGPU_EVENT_IN, to, size, begun, ended);
    return true;
}

static bool observed_copy_out(void *session, void *to, uintptr_t from,
                              size_t size, struct polygpu_status *status)
{
    struct polygpu_array_stats stats = {.bytes_out = size};
    double begun = polygpu_now(), ended;

    if (!inner->copy_out(session, to, from, size, status))
        return false;
    ended = polygpu_now();
    stats.out_ms = ended - begun;
    count(from, &stats);
    trace_copy(POLYGPU_EVENT_OUT, from, size, begun, ended);
    brought += size;
    return true;
}

/* The device tells how long a kernel took, and has waited for it. */
static bool observed_launch(void *session, void *module,
                            const struct polygpu_scop *scop, uint32_t kernel,
                            const uint32_t grid[3], void **args,
                            struct polygpu_launch_stats *stats,
                            struct polygpu_status *status)
{
    double before = stats ? stats->ms : 0;
    struct polygpu_event event = {.kind = POLYGPU_EVENT_KERNEL,
                                  .begun = polygpu_now(),
                                  .state = scop->state,
                                  .number = kernel,
                                  .grid = {grid[0], grid[1], grid[2]}};

    if (!inner->launch(session, module, scop, kernel, grid, args, stats,
                       status))
        return false;
    event.ended = polygpu_now();
    if (stats && event.ended - (stats->ms - before) > event.begun)
        event.begun = event.ended - (stats->ms - before);
    polygpu_trace(&event);
    return true;
}

const struct polygpu_device *
polygpu_observe(const struct polygpu_device *device)
{
    inner = device;
    table = *device;
    table.open = observed_open;
    table.load = observed_load;
    table.start = observed_start;
    table.stop = observed_stop;
    table.place = observed_place;
    table.holds = observed_holds;
    table.copy_in = observed_copy_in;
    table.send = NULL; /* the time of a copy is that until it is complete */
    table.copy_out = observed_copy_out;
    table.launch = observed_launch;
    return &table;
}

/* ---- Touches ------------------------------------------------------------ */

double polygpu_observe_begin(void)
{
    brought = 0;
    return polygpu_env()->profile ? polygpu_now() : 0;
}

/* What is known of a place, by its name: where that is written may be gone
 * when the program ends.  NULL: it has none, or there are too many. */
static struct polygpu_toucher *find_toucher(const char *name)
{
    size_t i = 0;

    if (!name)
        return NULL;
    while (i < n_touchers && strcmp(touchers[i].name, name) != 0)
        ++i;
    if (i < n_touchers)
        return &touchers[i];
    if (i == MOST_TOUCHERS)
        return NULL;
    touchers[i] = (struct polygpu_toucher){.name = strdup(name)};
    n_touchers += touchers[i].name != NULL;
    return touchers[i].name ? &touchers[i] : NULL;
}

static struct polygpu_toucher *count_touch(uint64_t dropped, const char *name)
{
    struct polygpu_toucher *by = find_toucher(name);

    ++totals.touches;
    totals.dropped += dropped;
    totals.brought += brought;
    if (by) {
        ++by->touches;
        by->dropped += dropped;
        by->brought += brought;
    }
    return by;
}

void polygpu_observe_touch(double begun, uint64_t dropped, const char *name)
{
    struct polygpu_event event = {.kind = POLYGPU_EVENT_TOUCH,
                                  .begun = begun,
                                  .ended = polygpu_now(),
                                  .bytes = brought,
                                  .dropped = dropped};
    struct polygpu_toucher *by;

    if (!dropped && !brought)
        return;
    enter();
    by = count_touch(dropped, name);
    leave();
    event.place = by ? by->name : NULL;
    polygpu_trace(&event);
}

static void count_touched(const struct polygpu_state *state, uint32_t array,
                          const struct polygpu_toucher *by, uint64_t bytes)
{
    struct touched *t = touched, *end = touched + n_touched;

    while (t < end && (t->state != state || t->array != array || t->by != by))
        ++t;
    if (t == end) {
        if (n_touched == MOST_TOUCHED)
            return;
        *t = (struct touched){.state = state, .array = array, .by = by};
        ++n_touched;
    }
    t->bytes += bytes;
}

/* That of all SCoPs whose arrays were there the last time; others may be added
 * to the list meanwhile. */
void polygpu_observe_range(uintptr_t address, size_t size, uint64_t bytes,
                           const char *place)
{
    const struct polygpu_toucher *by;
    const struct polygpu_state *state;
    uint32_t a;

    polygpu_lock();
    enter();
    by = find_toucher(place);
    for (state = polygpu_state_first(); by && state; state = state->next)
        for (a = 0; a < state->n_arrays; ++a)
            if (state->arrays[a].first < address + size &&
                address < state->arrays[a].end)
                count_touched(state, a, by, bytes);
    leave();
    polygpu_unlock();
}

const char *polygpu_toucher_of(const struct polygpu_state *state,
                               uint32_t array)
{
    const struct touched *most = NULL;
    size_t i;

    enter();
    for (i = 0; i < n_touched; ++i)
        if (touched[i].state == state && touched[i].array == array &&
            (!most || touched[i].bytes > most->bytes))
            most = &touched[i];
    leave();
    return most ? most->by->name : NULL;
}

bool polygpu_busiest_toucher(struct polygpu_toucher *by)
{
    uint64_t most = 0;
    size_t i;

    enter();
    for (i = 0; i < n_touchers; ++i)
        if (touchers[i].dropped + touchers[i].brought > most) {
            *by = touchers[i];
            most = by->dropped + by->brought;
        }
    leave();
    return most > 0;
}

struct polygpu_totals polygpu_observed(void)
{
    struct polygpu_totals result;

    enter();
    result = totals;
    leave();
    return result;
}
