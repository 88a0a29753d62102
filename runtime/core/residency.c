/* residency.c - see residency.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/residency.h"

#include "core/observed.h"
#include "core/pool.h"
#include "core/run.h"
#include "support/env.h"
#include "support/inside.h"
#include "support/log.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

enum {
    ALIGN = 256,     /* of element 0 on the device, as in transfer.c */
    MAX_RANGES = 64, /* more are dropped, least recently used first */
    MAX_PIECES = 16  /* of an array, to be copied by themselves */
};

struct polygpu_range {
    struct polygpu_range *next;
    uint64_t scope;
    struct polygpu_piece *memory;
    uintptr_t first, end; /* bytes of the host */
    uintptr_t address;    /* of "first" on the device */
    uintptr_t base;       /* of the array that it was made for */
    struct polygpu_intervals valid;
    unsigned users; /* arrays of a run */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t forks_watched = PTHREAD_ONCE_INIT;
static struct polygpu_range *ranges; /* in order of last use */
static bool any_range, any_valid;    /* of these, for a look without the lock */
static bool touched_inside; /* by a handler that found the lock taken */
static uint64_t last_scope;

/* In the child of a fork the device's memory is gone, or another one's. */
static void after_fork(void)
{
    pthread_mutex_init(&lock, NULL);
    ranges = NULL;
    any_range = any_valid = false;
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, after_fork);
}

static unsigned generation_of(const struct polygpu_device *device)
{
    return device->generation ? device->generation() : 0;
}

/* Unlink and free *link; under the lock, as all that follows. */
static void drop(struct polygpu_range **link)
{
    struct polygpu_range *r = *link;

    *link = r->next;
    polygpu_pool_give(r->memory);
    polygpu_intervals_free(&r->valid);
    free(r);
}

/* Drop all ranges that "chosen" says and that no run uses; how many? */
static unsigned drop_idle(bool (*chosen)(const struct polygpu_range *r,
                                         const void *context),
                          const void *context)
{
    struct polygpu_range **link = &ranges;
    unsigned n = 0;

    while (*link) {
        if ((*link)->users > 0 || !chosen(*link, context)) {
            link = &(*link)->next;
            continue;
        }
        drop(link);
        ++n;
    }
    return n;
}

/* What is looked at without the lock. */
static void publish(void)
{
    const struct polygpu_range *r;
    bool any = false;

    for (r = ranges; r && !any; r = r->next)
        any = r->valid.count > 0;
    __atomic_store_n(&any_range, ranges != NULL, __ATOMIC_RELEASE);
    __atomic_store_n(&any_valid, any, __ATOMIC_RELEASE);
}

/* No bytes first .. end - 1 are valid, but for those of "own". */
static void cut(uintptr_t first, uintptr_t end, const struct polygpu_range *own)
{
    struct polygpu_range *r;

    for (r = ranges; r; r = r->next)
        if (r != own && first < r->end && r->first < end)
            polygpu_intervals_cut(&r->valid, first, end);
}

static void enter(void)
{
    pthread_once(&forks_watched, watch_forks);
    pthread_mutex_lock(&lock);
    if (__atomic_exchange_n(&touched_inside, false, __ATOMIC_ACQUIRE))
        cut(0, UINTPTR_MAX, NULL);
}

static void leave(void)
{
    publish();
    pthread_mutex_unlock(&lock);
}

/* ---- Scopes and touches ------------------------------------------------- */

uint64_t polygpu_keep_begin(void)
{
    struct polygpu_outside saved;
    bool off;

    if (polygpu_is_inside())
        return 0;
    saved = polygpu_enter();
    off = polygpu_env()->residency == POLYGPU_RESIDENCY_OFF;
    polygpu_leave(saved);
    return off ? 0 : __atomic_add_fetch(&last_scope, 1, __ATOMIC_RELAXED);
}

static bool is_in_scope(const struct polygpu_range *r, const void *scope)
{
    return r->scope == *(const uint64_t *)scope;
}

void polygpu_keep_end(uint64_t scope)
{
    struct polygpu_outside saved;

    if (!scope || !__atomic_load_n(&any_range, __ATOMIC_RELAXED) ||
        polygpu_is_inside())
        return;
    saved = polygpu_enter();
    enter();
    drop_idle(is_in_scope, &scope);
    leave();
    polygpu_leave(saved);
}

static uint64_t valid_bytes(void)
{
    const struct polygpu_range *r;
    uint64_t bytes = 0;

    for (r = ranges; r; r = r->next)
        bytes += polygpu_intervals_bytes(&r->valid);
    return bytes;
}

/* Those that the scope's thread made are seen by it without an order. */
static void touch(uintptr_t first, uintptr_t end)
{
    struct polygpu_outside saved;
    uint64_t valid;
    double begun;

    if (!__atomic_load_n(&any_valid, __ATOMIC_RELAXED))
        return;
    if (polygpu_is_inside()) {
        __atomic_store_n(&touched_inside, true, __ATOMIC_RELEASE);
        return;
    }
    saved = polygpu_enter();
    begun = polygpu_observe_begin();
    enter();
    valid = begun > 0 ? valid_bytes() : 0;
    cut(first, end, NULL);
    if (begun > 0)
        polygpu_observe_touch(begun, valid - valid_bytes());
    leave();
    polygpu_leave(saved);
}

/* All results are in the host's memory, so that it may be read. */
void polygpu_touch(const void *first, size_t bytes, uint32_t read_write)
{
    uintptr_t from = (uintptr_t)first, end;

    if (!(read_write & POLYGPU_TOUCH_WRITE))
        return;
    if (__builtin_add_overflow(from, bytes, &end))
        end = UINTPTR_MAX;
    touch(from, end);
}

void polygpu_touch_all(void)
{
    touch(0, UINTPTR_MAX);
}

/* ---- Ranges of a run ---------------------------------------------------- */

/* The bytes of the host from the first element that is accessed to the last;
 * false if there are none, or they cannot be. */
static bool hull(const struct polygpu_run *run, uint32_t a, uintptr_t *first,
                 uintptr_t *end)
{
    const struct polygpu_run_array *array = &run->arrays[a];
    size_t elem_size = run->scop->arrays[a].elem_size;

    *first = array->base + (uintptr_t)array->first * elem_size;
    *end = array->base + ((uintptr_t)array->last + 1) * elem_size;
    return array->accessed && *first < *end;
}

/* Does any other array of the run lie between the bytes? */
static bool is_interleaved(const struct polygpu_run *run, uint32_t a,
                           uintptr_t first, uintptr_t end)
{
    uintptr_t other_first, other_end;
    uint32_t other;

    for (other = 0; other < run->scop->n_arrays; ++other)
        if (other != a && hull(run, other, &other_first, &other_end) &&
            first < other_end && other_first < end)
            return true;
    return false;
}

/* Can an array with that base and these bytes use the range?  Kernels count on
 * the alignment of element 0. */
static bool fits(const struct polygpu_range *r, const struct polygpu_run *run,
                 uintptr_t base, uintptr_t first, uintptr_t end)
{
    return r->first <= first && end <= r->end &&
           (base - r->base) % ALIGN == 0 && r->memory->device == run->device &&
           r->memory->generation == generation_of(run->device);
}

static bool overlaps(const struct polygpu_range *r, uint64_t scope,
                     uintptr_t first, uintptr_t end)
{
    return r->scope == scope && first < r->end && r->first < end;
}

/* Drop the scope's ranges that overlap bytes first .. end - 1, which grow by
 * them.  False if a range is in use, by another array of the run. */
static bool absorb(uint64_t scope, uintptr_t *first, uintptr_t *end)
{
    uintptr_t from = *first, to = *end;
    struct polygpu_range **link, *r;

    for (r = ranges; r; r = r->next)
        if (overlaps(r, scope, from, to) && r->users > 0)
            return false;
    for (link = &ranges; *link;) {
        r = *link;
        if (!overlaps(r, scope, from, to)) {
            link = &r->next;
            continue;
        }
        *first = r->first < *first ? r->first : *first;
        *end = r->end > *end ? r->end : *end;
        drop(link);
    }
    return true;
}

/* Make room for one more range. */
static void limit_number(void)
{
    struct polygpu_range **link, **last = NULL;
    unsigned n = 0;

    for (link = &ranges; *link; link = &(*link)->next, ++n)
        if ((*link)->users == 0)
            last = link;
    if (n >= MAX_RANGES && last)
        drop(last);
}

static bool is_any(const struct polygpu_range *r, const void *context)
{
    (void)r;
    (void)context;
    return true;
}

void polygpu_residency_end(void)
{
    if (!__atomic_load_n(&any_range, __ATOMIC_ACQUIRE))
        return; /* and have nothing called at a fork from now on */
    enter();
    drop_idle(is_any, NULL);
    leave();
}

/* Where there is no memory, ranges that no run uses go. */
static struct polygpu_piece *find_memory(struct polygpu_run *run, size_t size)
{
    struct polygpu_status status = {0};
    struct polygpu_piece *memory =
        polygpu_pool_take(run->device, size, &status);

    if (!memory && drop_idle(is_any, NULL) > 0)
        return polygpu_pool_take(run->device, size, &run->status);
    if (!memory)
        run->status = status;
    return memory;
}

struct polygpu_piece *polygpu_residency_memory(struct polygpu_run *run,
                                               size_t size)
{
    struct polygpu_piece *memory;

    if (!__atomic_load_n(&any_range, __ATOMIC_RELAXED))
        return polygpu_pool_take(run->device, size, &run->status);
    enter();
    memory = find_memory(run, size);
    leave();
    return memory;
}

/* A range for bytes first .. end - 1 of an array with that base; NULL with the
 * run's status. */
static struct polygpu_range *make(struct polygpu_run *run, uint64_t scope,
                                  uintptr_t base, uintptr_t first,
                                  uintptr_t end)
{
    struct polygpu_range *r = calloc(1, sizeof *r);
    size_t before = (first - base) % ALIGN;

    if (!r) {
        polygpu_fail(&run->status, POLYGPU_CAUSE_MEMORY,
                     "no host memory for the run");
        return NULL;
    }
    r->memory = find_memory(run, before + (end - first));
    if (!r->memory) {
        free(r);
        return NULL;
    }
    r->scope = scope;
    r->first = first;
    r->end = end;
    r->address = r->memory->address + before;
    r->base = base;
    limit_number();
    r->next = ranges;
    ranges = r;
    return r;
}

/* The range that an array of the run fits into, as the first of the list. */
static struct polygpu_range *find(const struct polygpu_run *run,
                                  const struct polygpu_run_array *array,
                                  uintptr_t first, uintptr_t end)
{
    struct polygpu_range **link, *r;

    for (link = &ranges; (r = *link) != NULL; link = &r->next)
        if (r->scope == array->scope && fits(r, run, array->base, first, end)) {
            *link = r->next;
            r->next = ranges;
            ranges = r;
            return r;
        }
    return NULL;
}

/* Functions that the compiler knows to write no memory do write errno. */
static bool has_errno(uintptr_t first, uintptr_t end)
{
    uintptr_t at = (uintptr_t)&errno;

    return first < at + sizeof errno && at < end;
}

static bool take(struct polygpu_run *run, uint32_t a)
{
    struct polygpu_run_array *array = &run->arrays[a];
    size_t elem_size = run->scop->arrays[a].elem_size;
    uintptr_t first, end;
    struct polygpu_range *r;

    if (!array->scope || !hull(run, a, &first, &end) ||
        is_interleaved(run, a, first, end) || has_errno(first, end))
        return true;
    r = find(run, array, first, end);
    if (!r) {
        if (!absorb(array->scope, &first, &end))
            return true;
        r = make(run, array->scope, array->base, first, end);
    }
    if (!r)
        return false;
    ++r->users;
    array->range = r;
    array->origin = array->first;
    array->element0 = r->address + (array->base - r->first);
    array->address = array->element0 + (uintptr_t)array->first * elem_size;
    return true;
}

static bool is_kept(const struct polygpu_run *run)
{
    uint32_t a = 0;

    while (a < run->scop->n_arrays && !run->arrays[a].scope)
        ++a;
    return a < run->scop->n_arrays;
}

bool polygpu_residency_take(struct polygpu_run *run)
{
    uint32_t a;
    bool ok = true;

    if (!is_kept(run))
        return true;
    enter();
    for (a = 0; ok && a < run->scop->n_arrays; ++a)
        ok = take(run, a);
    leave();
    return ok;
}

/* ---- Valid bytes -------------------------------------------------------- */

static uintptr_t on_device(const struct polygpu_run_array *array,
                           uintptr_t host)
{
    return array->element0 + (host - array->base);
}

/* For POLYGPU_RESIDENCY=verify: do the host and the device have the same bytes
 * where nothing said that they do not? */
static bool compare(struct polygpu_run *run, uint32_t a,
                    const struct polygpu_interval *bytes)
{
    const struct polygpu_run_array *array = &run->arrays[a];
    const struct polygpu_array *about = &run->scop->arrays[a];
    size_t size = bytes->end - bytes->first, i = 0;
    unsigned char *device = malloc(size);
    const unsigned char *host = (const unsigned char *)bytes->first;
    bool ok;

    if (!device)
        return polygpu_fail(&run->status, POLYGPU_CAUSE_MEMORY,
                            "no host memory to verify array %s", about->name);
    ok = run->device->copy_out(run->session, device,
                               on_device(array, bytes->first), size,
                               &run->status);
    while (ok && i < size && device[i] == host[i])
        ++i;
    free(device);
    return ok && (i == size ||
                  polygpu_fail(
                      &run->status, POLYGPU_CAUSE_UPLOAD,
                      "array %s, element %lld: the host has changed "
                      "it since an earlier run, and nothing said so; "
                      "please report this",
                      about->name,
                      (long long)((intptr_t)(bytes->first + i - array->base) /
                                  (intptr_t)about->elem_size)));
}

/* Bytes of an array that are on the device already: a device that checks
 * accesses learns of them. */
static void use_bytes(struct polygpu_run *run, uint32_t a,
                      const struct polygpu_intervals *present)
{
    const struct polygpu_run_array *array = &run->arrays[a];
    size_t i;

    for (i = 0; i < present->count && run->status.cause == POLYGPU_OK; ++i) {
        const struct polygpu_interval *bytes = &present->items[i];

        if (polygpu_env()->residency == POLYGPU_RESIDENCY_VERIFY &&
            !compare(run, a, bytes))
            return;
        if (run->device->holds)
            run->device->holds(run->session, on_device(array, bytes->first),
                               bytes->end - bytes->first);
    }
}

/* Set "missing" to what of "in" is not valid, if that is little enough to be
 * copied piece by piece. */
static bool find_missing(struct polygpu_range *r,
                         const struct polygpu_intervals *in,
                         struct polygpu_intervals *missing)
{
    bool ok;

    enter();
    ok = polygpu_intervals_unite(missing, in) &&
         polygpu_intervals_subtract(missing, &r->valid) &&
         missing->count <= MAX_PIECES;
    leave();
    return ok;
}

/* All is copied in, with gaps in which there will be something else. */
static void forget(struct polygpu_range *r)
{
    enter();
    polygpu_intervals_free(&r->valid);
    leave();
}

bool polygpu_residency_missing(struct polygpu_run *run, uint32_t a,
                               struct polygpu_intervals *missing)
{
    struct polygpu_run_array *array = &run->arrays[a];
    size_t elem_size = run->scop->arrays[a].elem_size;
    struct polygpu_intervals in = {0};
    uint64_t bytes;
    bool ok;

    ok = polygpu_intervals_of(&in, &array->in, array->base, elem_size) &&
         find_missing(array->range, &in, missing) &&
         polygpu_intervals_subtract(&in, missing);
    if (!ok) {
        polygpu_intervals_free(missing);
        forget(array->range);
    }
    bytes = polygpu_intervals_bytes(&in);
    if (ok && bytes) {
        use_bytes(run, a, &in);
        run->stats.bytes_kept += bytes;
        POLYGPU_LOG("array %s: %llu bytes are on the device",
                    run->scop->arrays[a].name, (unsigned long long)bytes);
    }
    polygpu_intervals_free(&in);
    return ok;
}

/* Add the bytes of some segments, as far as they can be told. */
static void add_valid(struct polygpu_run *run, uint32_t a,
                      struct polygpu_segments *segments)
{
    const struct polygpu_run_array *array = &run->arrays[a];
    struct polygpu_intervals bytes = {0};

    polygpu_segments_sort(segments);
    if (polygpu_intervals_of(&bytes, segments, array->base,
                             run->scop->arrays[a].elem_size))
        polygpu_intervals_unite(&array->range->valid, &bytes);
    polygpu_intervals_free(&bytes);
}

/* What is valid in an array's range, from now on.  Memory of the device that
 * the kernels wrote and that was not copied out is not. */
static void settle(struct polygpu_run *run, uint32_t a, bool done)
{
    struct polygpu_run_array *array = &run->arrays[a];
    struct polygpu_range *r = array->range;
    uintptr_t first, end;

    --r->users;
    if (!done) {
        polygpu_intervals_free(&r->valid);
        return;
    }
    add_valid(run, a, &array->in);
    add_valid(run, a, &array->out);
    if (array->scratch && hull(run, a, &first, &end))
        polygpu_intervals_cut(&r->valid, first, end);
}

void polygpu_residency_give(struct polygpu_run *run, bool done)
{
    uintptr_t first, end;
    uint32_t a;

    if (!run->started ||
        !(is_kept(run) || __atomic_load_n(&any_valid, __ATOMIC_RELAXED)))
        return;
    enter();
    for (a = 0; a < run->scop->n_arrays; ++a)
        if (run->arrays[a].range)
            settle(run, a, done);
    for (a = 0; done && a < run->scop->n_arrays; ++a)
        if (run->arrays[a].out.count && hull(run, a, &first, &end))
            cut(first, end, run->arrays[a].range);
    leave();
}
