/* residency.c - see residency.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/residency.h"

#include "core/buffers.h"
#include "core/deferred.h"
#include "core/flush.h"
#include "core/marks.h"
#include "core/moves.h"
#include "core/observed.h"
#include "core/pending.h"
#include "core/prospects.h"
#include "core/ranges.h"
#include "core/timed.h"
#include "core/verified.h"
#include "support/clock.h"
#include "support/env.h"
#include "support/log.h"

#include <errno.h>
#include <stdlib.h>

enum {
    ALIGN = 256,     /* of element 0 on the device, as in transfer.c */
    MAX_RANGES = 64, /* more are dropped, least recently used first */
    MAX_PIECES = 16, /* of an array, to be copied by themselves */
    SCOPES = 1 << 16 /* that a thread numbers without a look at others */
};

static uint64_t scopes; /* that threads have got */

/* ---- Scopes and touches ------------------------------------------------- */

/* A number that no other thread has.  A handler that interrupts this may get
 * the same one, and has ended its scope before this one begins. */
static uint64_t new_scope(void)
{
    static _Thread_local uint64_t last
        __attribute__((tls_model("initial-exec")));

    if (last % SCOPES == 0)
        last = __atomic_fetch_add(&scopes, SCOPES, __ATOMIC_RELAXED);
    return ++last;
}

static const struct polygpu_env *first_env(void)
{
    struct polygpu_outside saved = polygpu_enter();
    const struct polygpu_env *env = polygpu_env();

    polygpu_leave(saved);
    return env;
}

/* In functions that take nanoseconds if they do not run anything. */
uint64_t polygpu_keep_begin(void)
{
    const struct polygpu_env *env = polygpu_env_known();

    if (polygpu_is_inside())
        return 0;
    if (!env)
        env = first_env();
    return env->residency == POLYGPU_RESIDENCY_OFF ? 0 : new_scope();
}

void polygpu_keep_end(uint64_t scope)
{
    struct polygpu_outside saved;

    if (!scope || !(polygpu_ranges_any() || polygpu_prospects_any()) ||
        polygpu_is_inside())
        return;
    saved = polygpu_enter();
    polygpu_ranges_enter();
    polygpu_prospects_end(scope);
    polygpu_flush();
    polygpu_buffers_free();
    polygpu_ranges_drop_idle(scope);
    polygpu_ranges_leave();
    polygpu_leave(saved);
}

/* For the profile: what there is before a touch, */
static void look_before_touch(void)
{
    struct polygpu_range *r;

    for (r = *polygpu_ranges(); r; r = r->next) {
        r->were_valid = polygpu_intervals_bytes(&r->valid);
        r->were_newer = polygpu_intervals_bytes(&r->newer);
    }
}

/* and what it has changed.  The bytes that are not valid any more. */
static uint64_t look_behind_touch(const char *place)
{
    const struct polygpu_range *r;
    uint64_t dropped = 0;

    for (r = *polygpu_ranges(); r; r = r->next) {
        uint64_t valid = polygpu_intervals_bytes(&r->valid);
        uint64_t newer = polygpu_intervals_bytes(&r->newer);
        uint64_t less = r->were_valid > valid ? r->were_valid - valid : 0;

        dropped += less;
        if (r->were_newer > newer)
            less += r->were_newer - newer;
        if (less > 0)
            polygpu_observe_range(r->address, r->end - r->first, less, place);
    }
    return dropped;
}

/* Is anything among bytes first .. end - 1 a result of this thread that is on
 * the device only, in another range than "own"? */
static bool is_newer(uintptr_t first, uintptr_t end,
                     const struct polygpu_range *own)
{
    const struct polygpu_range *r;
    size_t i;

    for (r = *polygpu_ranges(); r; r = r->next) {
        if (r == own || r->owner != polygpu_deferred_owner() ||
            end <= r->first || r->end <= first)
            continue;
        for (i = 0; i < r->newer.count; ++i)
            if (r->newer.items[i].first < end && first < r->newer.items[i].end)
                return true;
    }
    return false;
}

/* Nobody reads results among the bytes any more.  Of ranges with other bytes
 * all results stay: those that are left might find no memory. */
static void discard(uintptr_t first, uintptr_t end)
{
    struct polygpu_range *r;

    for (r = *polygpu_ranges(); r; r = r->next)
        if (first <= r->first && r->end <= end &&
            r->owner == polygpu_deferred_owner())
            polygpu_intervals_clear(&r->newer);
}

/* The results of deferred runs come to the host as far as that has to be.
 * What ends must not be needed any more, be it by runs that are computed
 * again. */
static void bring_results(uintptr_t first, uintptr_t end, uint32_t kind)
{
    bool write = (kind & POLYGPU_TOUCH_WRITE) != 0;

    if (write ? !polygpu_deferred_uses(first, end)
              : !is_newer(first, end, NULL))
        return;
    if ((kind & POLYGPU_TOUCH_END) || !polygpu_flush_part(first, end, write))
        polygpu_flush();
}

/* Those that the scope's thread made are seen by it without an order. */
static void touch(uintptr_t first, uintptr_t end, uint32_t kind,
                  const char *place)
{
    bool write = (kind & POLYGPU_TOUCH_WRITE) != 0;
    struct polygpu_outside saved;
    double begun;

    if (!write && !polygpu_deferred_any() && !polygpu_prospects_any())
        return;
    if (polygpu_is_inside()) {
        polygpu_ranges_distrust();
        return;
    }
    if (!polygpu_ranges_overlap(first, end) &&
        !(write && polygpu_deferred_uses(first, end)))
        return;
    saved = polygpu_enter();
    begun = polygpu_observe_begin();
    polygpu_ranges_enter();
    if (polygpu_env()->residency == POLYGPU_RESIDENCY_VERIFY)
        polygpu_verify_touch(place);
    if (begun > 0)
        look_before_touch();
    if (!polygpu_time_runs() && kind != POLYGPU_TOUCH_END)
        polygpu_prospects_touch(first, end, write);
    if (kind & POLYGPU_TOUCH_END)
        discard(first, end);
    if (kind != POLYGPU_TOUCH_END)
        bring_results(first, end, kind);
    if (write)
        polygpu_ranges_cut(first, end, NULL);
    if (begun > 0)
        polygpu_observe_touch(begun, look_behind_touch(place), place);
    polygpu_time_anew();
    polygpu_ranges_leave();
    polygpu_leave(saved);
}

void polygpu_touch_at(const void *first, size_t bytes, uint32_t read_write,
                      const char *place)
{
    uintptr_t from = (uintptr_t)first, end;

    if (!polygpu_ranges_used() || bytes == 0)
        return;
    if (__builtin_add_overflow(from, bytes, &end))
        end = UINTPTR_MAX;
    touch(from, end, read_write, place);
}

void polygpu_touch(const void *first, size_t bytes, uint32_t read_write)
{
    polygpu_touch_at(first, bytes, read_write, NULL);
}

void polygpu_touch_all(void)
{
    if (polygpu_ranges_used())
        touch(0, UINTPTR_MAX, POLYGPU_TOUCH_READ | POLYGPU_TOUCH_WRITE, NULL);
}

/* ---- Ranges of a run ---------------------------------------------------- */

/* The bytes of the host from the first element that is accessed to the last;
 * false if there are none, or they cannot be. */
static bool hull(const struct polygpu_run *run, uint32_t a, uintptr_t *first,
                 uintptr_t *end)
{
    const struct polygpu_run_array *array = &run->arrays[a];
    size_t elem_size = run->scop->arrays[a].elem_size;

    *first = array->base + (uintptr_t)array->moves.first * elem_size;
    *end = array->base + ((uintptr_t)array->moves.last + 1) * elem_size;
    return array->moves.accessed && *first < *end;
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
 * the alignment of element 0.  A run that is only estimated may have no device
 * yet. */
static bool fits(const struct polygpu_range *r, const struct polygpu_run *run,
                 uintptr_t base, uintptr_t first, uintptr_t end)
{
    return r->first <= first && end <= r->end &&
           (base - r->base) % ALIGN == 0 &&
           (!run->ready ||
            (r->memory->device == run->device &&
             r->memory->generation == polygpu_generation(run->device)));
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
    bool newer = false;

    for (r = *polygpu_ranges(); r; r = r->next) {
        if (!overlaps(r, scope, from, to))
            continue;
        if (r->users > 0)
            return false;
        newer |= polygpu_range_is_needed(r);
    }
    if (newer)
        polygpu_flush();
    for (link = polygpu_ranges(); *link;) {
        r = *link;
        if (!overlaps(r, scope, from, to)) {
            link = &r->next;
            continue;
        }
        *first = r->first < *first ? r->first : *first;
        *end = r->end > *end ? r->end : *end;
        polygpu_ranges_drop(link);
    }
    return true;
}

/* The least recently used range that can be dropped, or NULL; "n": of how many
 * ranges. */
static struct polygpu_range **last_idle(unsigned *n)
{
    struct polygpu_range **link, **last = NULL;

    *n = 0;
    for (link = polygpu_ranges(); *link; link = &(*link)->next, ++*n)
        if (!polygpu_range_is_needed(*link))
            last = link;
    return last;
}

/* Make room for one more range. */
static void limit_number(void)
{
    unsigned n;
    struct polygpu_range **last = last_idle(&n);

    if (n < MAX_RANGES)
        return;
    if (!last && polygpu_deferred_any()) {
        polygpu_flush();
        last = last_idle(&n);
    }
    if (last)
        polygpu_ranges_drop(last);
}

void polygpu_residency_end(void)
{
    if (polygpu_ranges_any()) { /* else nothing is called at forks yet */
        polygpu_ranges_enter();
        polygpu_flush();
        polygpu_buffers_free();
        polygpu_ranges_drop_idle(0);
        polygpu_ranges_leave();
    }
    polygpu_deferred_end();
}

/* Ranges that no run uses go, the least recently used one first, until there
 * is memory; NULL if there is none without all of them. */
static struct polygpu_piece *make_room(struct polygpu_run *run, size_t size,
                                       struct polygpu_status *status)
{
    struct polygpu_piece *memory = NULL;
    struct polygpu_range **last;
    unsigned n;

    while (!memory && (last = last_idle(&n)) != NULL) {
        POLYGPU_LOG("no memory for %zu bytes: a copy of %zu bytes goes", size,
                    (size_t)((*last)->end - (*last)->first));
        polygpu_ranges_drop(last);
        memory = polygpu_pool_take(run->device, size, status);
    }
    return memory;
}

/* At last those with results go as well. */
static struct polygpu_piece *find_memory(struct polygpu_run *run, size_t size)
{
    struct polygpu_status status = {0};
    struct polygpu_piece *memory =
        polygpu_pool_take(run->device, size, &status);

    if (!memory)
        memory = make_room(run, size, &status);
    if (!memory && polygpu_deferred_any()) {
        polygpu_flush();
        memory = make_room(run, size, &status);
    }
    if (!memory)
        run->status = status;
    return memory;
}

struct polygpu_piece *polygpu_residency_memory(struct polygpu_run *run,
                                               size_t size)
{
    struct polygpu_piece *memory;

    if (!polygpu_ranges_any())
        return polygpu_pool_take(run->device, size, &run->status);
    polygpu_ranges_enter();
    memory = find_memory(run, size);
    polygpu_ranges_leave();
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
    r->next = *polygpu_ranges();
    *polygpu_ranges() = r;
    return r;
}

/* The range that an array of the run fits into, as the first of the list. */
static struct polygpu_range *find(const struct polygpu_run *run,
                                  const struct polygpu_run_array *array,
                                  uintptr_t first, uintptr_t end)
{
    struct polygpu_range **link, *r;

    for (link = polygpu_ranges(); (r = *link) != NULL; link = &r->next)
        if (r->scope == array->scope && fits(r, run, array->base, first, end)) {
            *link = r->next;
            r->next = *polygpu_ranges();
            *polygpu_ranges() = r;
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
        double begun = polygpu_now();

        if (!absorb(array->scope, &first, &end))
            return true;
        r = make(run, array->scope, array->base, first, end);
        run->alloc_ms += polygpu_now() - begun;
    }
    if (!r)
        return false;
    ++r->users;
    r->last = (struct polygpu_last_user){run->scop, run->state, a, array->base,
                                         polygpu_deferred_owner()};
    array->range = r;
    array->origin = array->moves.first;
    array->element0 = r->address + (array->base - r->first);
    array->address =
        array->element0 + (uintptr_t)array->moves.first * elem_size;
    return true;
}

/* Results of earlier runs leave for this one. */
static void flush_for(struct polygpu_run *run)
{
    double begun = polygpu_now();

    polygpu_flush();
    run->alloc_ms += polygpu_now() - begun;
}

static bool is_kept(const struct polygpu_run *run)
{
    uint32_t a = 0;

    while (a < run->scop->n_arrays && !run->arrays[a].scope)
        ++a;
    return a < run->scop->n_arrays;
}

/* Would the run copy bytes from the host that the device has newer, or write
 * results of earlier runs without results of its own? */
static bool meets_results(const struct polygpu_run *run)
{
    uintptr_t first, end;
    uint32_t a;

    for (a = 0; a < run->scop->n_arrays; ++a) {
        const struct polygpu_run_array *array = &run->arrays[a];

        if (hull(run, a, &first, &end) &&
            is_newer(first, end, array->moves.scratch ? NULL : array->range))
            return true;
    }
    return false;
}

/* Set "missing" to what of "in" is not on the device, if that is little enough
 * to be copied piece by piece. */
static bool find_missing(const struct polygpu_range *r,
                         const struct polygpu_intervals *in,
                         struct polygpu_intervals *missing)
{
    return polygpu_intervals_without(missing, in, &r->valid) &&
           polygpu_intervals_subtract(missing, &r->newer) &&
           missing->count <= MAX_PIECES;
}

/* Find what of an array is to be copied in: "pieces", or all, with gaps in
 * which there will be something else. */
static void plan(struct polygpu_run *run, uint32_t a)
{
    struct polygpu_run_array *array = &run->arrays[a];
    struct polygpu_range *r = array->range;
    const struct polygpu_intervals *in =
        polygpu_moves_bytes(run, a, POLYGPU_IN);

    array->in_pieces = in && find_missing(r, in, &array->pieces);
    if (array->in_pieces)
        return;
    polygpu_intervals_clear(&array->pieces);
    if (r->newer.count)
        flush_for(run);
    polygpu_intervals_free(&r->valid);
}

bool polygpu_residency_take(struct polygpu_run *run)
{
    uint32_t a;
    bool ok = true;

    if (!is_kept(run) && !polygpu_deferred_any())
        return true;
    polygpu_ranges_enter();
    for (a = 0; ok && a < run->scop->n_arrays; ++a)
        ok = take(run, a);
    if (ok && meets_results(run))
        flush_for(run);
    for (a = 0; ok && a < run->scop->n_arrays; ++a)
        if (run->arrays[a].range && run->arrays[a].moves.in.count)
            plan(run, a);
    polygpu_ranges_leave();
    return ok;
}

/* ---- Before a run ------------------------------------------------------- */

/* Bytes that both sides have and the run reads and writes. */
static uint64_t spoilt_bytes(struct polygpu_run *run, uint32_t a,
                             const struct polygpu_range *r)
{
    const struct polygpu_intervals *writes =
        polygpu_moves_bytes(run, a, POLYGPU_OUT);
    const struct polygpu_intervals *const of[] = {
        &r->valid, polygpu_moves_bytes(run, a, POLYGPU_IN), writes};

    return writes && of[1] && !r->newer.count ? polygpu_intervals_common(of, 3)
                                              : 0;
}

static struct polygpu_copies copies_of(const struct polygpu_intervals *of)
{
    return (struct polygpu_copies){(double)polygpu_intervals_bytes(of),
                                   (double)of->count};
}

/* Results come with the gaps between them. */
static struct polygpu_copies copies_out(const struct polygpu_intervals *of)
{
    struct polygpu_copies copies = {0};
    size_t begin, end;

    for (begin = 0; begin < of->count; begin = end) {
        end = polygpu_moves_together(of, begin);
        copies.bytes +=
            (double)(of->items[end - 1].end - of->items[begin].first);
        ++copies.number;
    }
    return copies;
}

/* What an array that is kept would have copied; not known, or too many pieces:
 * all. */
static void look_for_missing(struct polygpu_run *run, uint32_t a)
{
    struct polygpu_run_array *array = &run->arrays[a];
    const struct polygpu_intervals *reads =
        polygpu_moves_bytes(run, a, POLYGPU_IN);

    array->missing = array->moves.in_copies;
    if (reads && reads->count <= MAX_PIECES)
        array->missing = copies_of(reads);
}

/* Of a range: what is to be copied, what is newer, what would be spoilt. */
static void look_at(struct polygpu_run *run, uint32_t a,
                    const struct polygpu_range *r)
{
    struct polygpu_run_array *array = &run->arrays[a];
    const struct polygpu_intervals *reads =
        polygpu_moves_bytes(run, a, POLYGPU_IN);

    array->resident = true;
    array->newer = copies_out(&r->newer);
    array->spoilt.bytes = (double)spoilt_bytes(run, a, r);
    array->spoilt.number = array->spoilt.bytes > 0;
    if (reads && find_missing(r, reads, &array->pieces))
        array->missing = copies_of(&array->pieces);
}

/* What of an array would have to be copied for each run: what the host touched
 * since it could have been on the device. */
static void look_ahead(struct polygpu_run *run, uint32_t a, uintptr_t first,
                       uintptr_t end)
{
    struct polygpu_run_array *array = &run->arrays[a];
    const struct polygpu_prospect *p =
        polygpu_prospects_find(array->scope, first, end);
    double bytes = (double)(end - first);

    array->seen = p != NULL;
    array->would_in = array->would_out = 1;
    if (!p)
        return;
    array->would_in = (double)p->written / bytes;
    array->would_out = (double)p->read / bytes;
}

void polygpu_residency_expect(struct polygpu_run *run)
{
    const struct polygpu_estimate *e = &run->estimate;
    struct polygpu_prospect p = {.state = run->state};
    uint32_t a;

    p.ms.cpu = e->cpu_ms - e->flush_ms;
    p.ms.staying = e->staying_ms;
    p.ms.price = e->gpu_ms - e->staying_ms;
    polygpu_ranges_enter();
    for (a = 0; a < run->n_arrays; ++a) {
        p.array = a;
        p.scope = run->arrays[a].scope;
        p.in = run->arrays[a].missing.bytes;
        p.out = run->arrays[a].moves.out_copies.bytes;
        if (p.scope && hull(run, a, &p.first, &p.end))
            polygpu_prospects_add(&p);
    }
    polygpu_ranges_leave();
}

void polygpu_residency_look(struct polygpu_run *run)
{
    uintptr_t first, end;
    uint32_t a;

    for (a = 0; a < run->n_arrays; ++a) {
        polygpu_moves_count(run, a);
        run->arrays[a].seen = false;
        run->arrays[a].missing = run->arrays[a].moves.in_copies;
        if (run->arrays[a].scope)
            look_for_missing(run, a);
    }
    if (!polygpu_ranges_any() && !polygpu_prospects_any())
        return;
    polygpu_ranges_enter();
    for (a = 0; a < run->n_arrays; ++a) {
        const struct polygpu_range *r = NULL;

        if (run->arrays[a].scope && hull(run, a, &first, &end))
            r = find(run, &run->arrays[a], first, end);
        if (r)
            look_at(run, a, r);
        if (run->arrays[a].scope && hull(run, a, &first, &end))
            look_ahead(run, a, first, end);
        if (run->arrays[a].scope && hull(run, a, &first, &end))
            polygpu_prospects_meet(&run->company, run->state,
                                   run->arrays[a].scope, first, end,
                                   run->arrays[a].moves.out.count > 0);
    }
    polygpu_prospects_watch(&run->company);
    polygpu_prospects_drop(run->state);
    polygpu_ranges_leave();
}

/* ---- Valid bytes -------------------------------------------------------- */

static uintptr_t on_device(const struct polygpu_run_array *array,
                           uintptr_t host)
{
    return array->element0 + (host - array->base);
}

/* Bytes of an array that are on the device already: a device that checks
 * accesses learns of them. */
static void use_bytes(struct polygpu_run *run, uint32_t a,
                      const struct polygpu_intervals *in)
{
    const struct polygpu_run_array *array = &run->arrays[a];
    bool verifies = polygpu_env()->residency == POLYGPU_RESIDENCY_VERIFY;
    struct polygpu_intervals present = {0};
    size_t i;

    if (!verifies && !run->device->holds)
        return;
    if (!polygpu_intervals_without(&present, in, &array->pieces))
        polygpu_fail(&run->status, POLYGPU_CAUSE_MEMORY,
                     "no host memory to tell what of array %s is on the device",
                     run->scop->arrays[a].name);
    if (verifies)
        polygpu_verify_use(run, a, &present);
    for (i = 0; i < present.count && run->device->holds; ++i) {
        const struct polygpu_interval *bytes = &present.items[i];

        run->device->holds(run->session, on_device(array, bytes->first),
                           bytes->end - bytes->first);
    }
    polygpu_intervals_free(&present);
}

void polygpu_residency_use(struct polygpu_run *run, uint32_t a)
{
    struct polygpu_run_array *array = &run->arrays[a];
    const struct polygpu_intervals *in =
        polygpu_moves_bytes(run, a, POLYGPU_IN);
    uint64_t bytes;

    if (!in || !array->in_pieces)
        return;
    bytes =
        polygpu_intervals_bytes(in) - polygpu_intervals_bytes(&array->pieces);
    if (!bytes)
        return;
    use_bytes(run, a, in);
    run->stats.bytes_kept += bytes;
    POLYGPU_LOG("array %s: %llu bytes are on the device",
                run->scop->arrays[a].name, (unsigned long long)bytes);
}

/* Add the bytes of some moves, as far as they can be told. */
static void add_valid(struct polygpu_run *run, uint32_t a, uint32_t dir)
{
    const struct polygpu_intervals *bytes = polygpu_moves_bytes(run, a, dir);

    if (bytes)
        polygpu_intervals_unite(&run->arrays[a].range->valid, bytes);
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
    add_valid(run, a, POLYGPU_IN);
    add_valid(run, a, POLYGPU_OUT);
    if (array->moves.scratch && hull(run, a, &first, &end))
        polygpu_intervals_cut(&r->valid, first, end);
}

/* Earlier runs whose results the failed run may have written over, or which
 * fail because of the same. */
static bool is_spoilt(const struct polygpu_run *run)
{
    uint32_t a;

    if (polygpu_pending_says(&run->status))
        return true;
    for (a = 0; run->launched && a < run->scop->n_arrays; ++a)
        if (run->arrays[a].range && run->arrays[a].range->newer.count)
            return true;
    return false;
}

/* The original loops follow, on what the host has. */
static void recover(struct polygpu_run *run)
{
    uint32_t a;
    bool spoilt = is_spoilt(run);

    for (a = 0; a < run->scop->n_arrays; ++a)
        if (run->arrays[a].range)
            settle(run, a, false);
    if (spoilt)
        polygpu_flush_spoilt(NULL); /* the run will say why */
    else
        polygpu_flush();
}

/* The run has ended well. */
static void give_all(struct polygpu_run *run)
{
    uintptr_t first, end;
    uint32_t a;

    for (a = 0; a < run->scop->n_arrays; ++a)
        if (run->arrays[a].range)
            settle(run, a, true);
    for (a = 0; a < run->scop->n_arrays; ++a)
        if (run->arrays[a].moves.out.count && hull(run, a, &first, &end))
            polygpu_ranges_cut(first, end, run->arrays[a].range);
    run->given = true;
}

/* The run launched nothing. */
static void give_unused(struct polygpu_run *run)
{
    uint32_t a;

    for (a = 0; a < run->scop->n_arrays; ++a)
        if (run->arrays[a].range)
            --run->arrays[a].range->users;
}

void polygpu_residency_give(struct polygpu_run *run, bool done)
{
    if (!run->prepared || run->given ||
        !(is_kept(run) || polygpu_ranges_used()))
        return;
    polygpu_ranges_enter();
    if (done && run->started)
        give_all(run);
    else if (done)
        give_unused(run);
    else
        recover(run);
    polygpu_ranges_leave();
}

/* ---- Results that stay -------------------------------------------------- */

/* What is newer in array a's range already: arrays before it may be parts of
 * the same range. */
static const struct polygpu_intervals *
newer_before(const struct polygpu_run *run, uint32_t a)
{
    const struct polygpu_range *r = run->arrays[a].range;

    while (a-- > 0)
        if (run->arrays[a].stays && run->arrays[a].range == r)
            return &run->arrays[a].newer_bytes;
    return &r->newer;
}

/* Are there results, other than values? */
static bool has_results(const struct polygpu_run *run, uint32_t a)
{
    return run->arrays[a].moves.out.count && !polygpu_run_is_value(run, a);
}

/* Find what is newer in an array's range after the run, as far as the arrays up
 * to it go. */
static bool results_of(struct polygpu_run *run, uint32_t a)
{
    struct polygpu_run_array *array = &run->arrays[a];
    const struct polygpu_intervals *out =
        polygpu_moves_bytes(run, a, POLYGPU_OUT);

    array->stays =
        array->range && out &&
        polygpu_intervals_unite(&array->newer_bytes, out) &&
        polygpu_intervals_unite(&array->newer_bytes, newer_before(run, a));
    return array->stays;
}

/* Find that for each array that has results; of those in one range the last
 * one's is complete. */
static bool find_results(struct polygpu_run *run)
{
    bool ok = true;
    uint32_t a;

    for (a = 0; a < run->scop->n_arrays; ++a)
        polygpu_intervals_clear(&run->arrays[a].newer_bytes);
    for (a = 0; ok && a < run->scop->n_arrays; ++a)
        if (has_results(run, a))
            ok = results_of(run, a);
    return ok;
}

/* The run needs what it has read and written as it was. */
static void mark_used(struct polygpu_run *run, uint32_t a, uint32_t dir)
{
    struct polygpu_range *r = run->arrays[a].range;
    const struct polygpu_intervals *bytes = polygpu_moves_bytes(run, a, dir);

    if (!bytes || !polygpu_intervals_unite(&r->used, bytes))
        r->uncertain = true;
}

static void keep_results(struct polygpu_run *run)
{
    uint32_t a;

    for (a = 0; a < run->scop->n_arrays; ++a) {
        struct polygpu_run_array *array = &run->arrays[a];
        struct polygpu_range *r = array->range;
        struct polygpu_intervals was;

        if (!r)
            continue;
        mark_used(run, a, POLYGPU_IN);
        mark_used(run, a, POLYGPU_OUT);
        r->owner = polygpu_deferred_owner();
        if (!array->stays)
            continue;
        was = r->newer;
        r->newer = array->newer_bytes;
        array->newer_bytes = was; /* a buffer for the next run's */
    }
}

/* None stays. */
static bool bring_back(struct polygpu_run *run)
{
    uint32_t a;

    for (a = 0; a < run->scop->n_arrays; ++a)
        run->arrays[a].stays = false;
    return false;
}

bool polygpu_residency_defer(struct polygpu_run *run)
{
    uint32_t a = 0;
    bool ok;

    while (a < run->scop->n_arrays && !has_results(run, a))
        ++a;
    if (a == run->scop->n_arrays)
        return true; /* nothing of it has to be computed again */
    if (!run->replay || !is_kept(run) || polygpu_marks_any(run) ||
        polygpu_env()->residency == POLYGPU_RESIDENCY_VERIFY)
        return false;
    polygpu_ranges_enter();
    ok = find_results(run) && polygpu_deferred_add(run);
    if (ok) {
        keep_results(run);
        give_all(run);
    }
    polygpu_ranges_leave();
    return ok || bring_back(run);
}

void polygpu_residency_flush(bool all)
{
    if (!(all ? polygpu_deferred_any() : polygpu_deferred_full()))
        return;
    polygpu_ranges_enter();
    polygpu_flush();
    polygpu_ranges_leave();
}
