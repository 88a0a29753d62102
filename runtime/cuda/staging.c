/* staging.c - see staging.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda/staging.h"

#include "cuda/current.h"
#include "support/env.h"
#include "support/log.h"
#include "support/workers.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* On an H200, chunks of 4 MiB, two for each thread: 1, 2, 4, 8 threads bring 8,
 * 9, 32, 47 GB/s to the device, and 8, 14, 17, 45 back; the driver alone 9.7
 * and 17.7.  This file on another one, of 64 MiB: 10, 21, 36 with 1, 2, 4, and
 * the driver 9.7.
 *
 * least    takes the driver 0.4 ms, some ten times what waking the threads does
 * earned   the first run with 32 MiB to pin took 8 to 15 ms more, 0.25 to 0.5
 *          ms for 1 MiB, and staging saves 0.05 to 0.1 ms of each
 * first    pieces of a copy of "least" bytes by 4 threads
 * threads  one is no faster than the driver; see also workers.c */
struct polygpu_staging_limits polygpu_staging_limits = {
    .least = 4 * 1024 * 1024,
    .earned = 4,
    .first = 256 * 1024,
    .chunk = 4 * 1024 * 1024,
    .threads = 2,
};

enum {
    PIECE = 64 * 1024, /* bytes; pieces are a multiple of that */
    SHARE = 4, /* pieces for each thread at least: first and last ones do not
                  overlap with anything */
    GROWTH = 4 /* what was pinned before is a third of the rest at most */
};

/* Pinned memory for one transfer; "done" is recorded behind it. */
struct slot {
    char *memory;
    cu_event done;
};

struct ring {
    struct slot *slots; /* two for each thread; NULL: none are made */
    void *memory;
    size_t chunk; /* bytes of a slot */
    unsigned n_threads, generation;
    bool full; /* larger ones could not be made */
};

struct copy {
    const struct polygpu_stream *stream;
    char *host;
    uintptr_t device;
    size_t size, piece;
    bool in;
    size_t next;      /* the first byte that nobody has taken */
    cu_result result; /* the first failure */
};

struct piece {
    size_t offset, size;
};

/* Under "lock", which is held during a copy.  Nobody waits for it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ring ring;
static bool refused; /* none can be made, or one may be on the bus still */
static bool ended;
static size_t seen; /* bytes of copies that slots of the next size are for */

/* ---- Pinned memory ------------------------------------------------------- */

static size_t ring_bytes(size_t chunk)
{
    return 2 * (size_t)polygpu_workers() * chunk;
}

static void free_ring(const struct polygpu_cuda_driver *driver, struct ring *r)
{
    unsigned i;

    for (i = 0; r->slots && i < 2 * r->n_threads; ++i)
        if (r->slots[i].done)
            driver->event_destroy(r->slots[i].done);
    if (r->memory)
        driver->host_free(r->memory);
    free(r->slots);
    *r = (struct ring){0};
}

static cu_result make_slots(const struct polygpu_cuda_driver *driver,
                            struct ring *r)
{
    unsigned n = 2 * r->n_threads, i;
    cu_result result =
        driver->host_alloc(&r->memory, n * r->chunk, CU_HOST_ALLOC_PLAIN);

    for (i = 0; result == CU_OK && i < n; ++i) {
        r->slots[i].memory = (char *)r->memory + i * r->chunk;
        result = driver->event_create(&r->slots[i].done, CU_EVENT_NO_TIMING);
    }
    return result;
}

static cu_result make_ring(const struct polygpu_stream *stream, size_t chunk,
                           struct ring *r)
{
    cu_result result = CU_OUT_OF_MEMORY;

    r->chunk = chunk;
    r->n_threads = polygpu_workers();
    r->generation = stream->generation;
    r->slots = calloc(2 * (size_t)r->n_threads, sizeof *r->slots);
    if (r->slots)
        result = make_slots(stream->driver, r);
    if (result != CU_OK)
        free_ring(stream->driver, r);
    return result;
}

/* Slots of that size in place of those that there are, which stay if that
 * fails.  Nothing of these is on the bus. */
static void grow(const struct polygpu_stream *stream, size_t chunk)
{
    struct ring larger = {0};
    cu_result result = make_ring(stream, chunk, &larger);

    if (result != CU_OK) {
        POLYGPU_LOG("no pinned memory for copies (CUDA error %d)", result);
        ring.full = true;
        ring.generation = stream->generation;
        refused = !ring.slots;
        return;
    }
    free_ring(stream->driver, &ring);
    ring = larger;
    seen = 0;
    POLYGPU_LOG("%zu bytes are pinned for copies by %u threads",
                ring_bytes(chunk), ring.n_threads);
}

/* A reset of the context frees what was pinned in it. */
static void forget_ring(void)
{
    free(ring.slots);
    ring = (struct ring){0};
    refused = false;
}

/* The next size of slots, if the copy would fill slots that are larger than
 * these; else 0. */
static size_t larger_chunk(size_t size)
{
    size_t most = polygpu_staging_limits.chunk;
    size_t chunk =
        ring.slots ? GROWTH * ring.chunk : polygpu_staging_limits.first;

    if (chunk > most)
        chunk = most;
    if (!ring.slots)
        return chunk;
    return !ring.full && chunk > ring.chunk &&
                   size / SHARE / ring.n_threads >= chunk
               ? chunk
               : 0;
}

/* Are there slots, or is it time to make some, or larger ones?  Who asks for
 * threads does not want to wait for that. */
static bool provide_ring(const struct polygpu_stream *stream, size_t size)
{
    size_t chunk;

    if (ring.generation != stream->generation)
        forget_ring();
    if (refused || ended)
        return false;
    chunk = larger_chunk(size);
    if (chunk) {
        seen = seen > SIZE_MAX - size ? SIZE_MAX : seen + size;
        if (seen >= polygpu_staging_limits.earned * ring_bytes(chunk) ||
            polygpu_env()->copy_threads)
            grow(stream, chunk);
    }
    return ring.slots && !refused;
}

/* ---- One copy, by several threads ---------------------------------------- */

/* Keep the first failure, for all threads. */
static bool ok(struct copy *copy, cu_result result)
{
    cu_result none = CU_OK;

    if (result == CU_OK)
        return true;
    __atomic_compare_exchange_n(&copy->result, &none, result, false,
                                __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return false;
}

/* The next piece that nobody has, if there is one and nothing has failed. */
static bool take(struct copy *copy, struct piece *piece)
{
    if (__atomic_load_n(&copy->result, __ATOMIC_ACQUIRE) != CU_OK)
        return false;
    piece->offset =
        __atomic_fetch_add(&copy->next, copy->piece, __ATOMIC_RELAXED);
    if (piece->offset >= copy->size)
        return false;
    piece->size = copy->size - piece->offset;
    if (piece->size > copy->piece)
        piece->size = copy->piece;
    return true;
}

static bool send(struct copy *copy, const struct piece *piece,
                 const struct slot *slot)
{
    const struct polygpu_cuda_driver *driver = copy->stream->driver;
    uintptr_t device = copy->device + piece->offset;

    return ok(copy, copy->in
                        ? driver->copy_in(device, slot->memory, piece->size,
                                          copy->stream->handle)
                        : driver->copy_out(slot->memory, device, piece->size,
                                           copy->stream->handle)) &&
           ok(copy, driver->event_record(slot->done, copy->stream->handle));
}

static bool wait_for(struct copy *copy, const struct slot *slot)
{
    return ok(copy, copy->stream->driver->event_synchronize(slot->done));
}

/* Fill one slot while the other one is on the bus. */
static void bring_in(struct copy *copy, const struct slot *slots)
{
    struct piece piece;
    size_t i;

    for (i = 0; take(copy, &piece); ++i) {
        const struct slot *slot = &slots[i % 2];

        if (i >= 2 && !wait_for(copy, slot))
            return;
        memcpy(slot->memory, copy->host + piece.offset, piece.size);
        if (!send(copy, &piece, slot))
            return;
    }
}

/* Empty one slot while the other one is on the bus. */
static void bring_out(struct copy *copy, const struct slot *slots)
{
    struct piece pieces[2];
    bool more = take(copy, &pieces[0]) && send(copy, &pieces[0], &slots[0]);
    size_t i;

    for (i = 0; more; ++i) {
        const struct piece *piece = &pieces[i % 2];
        size_t next = (i + 1) % 2;

        more = take(copy, &pieces[next]) &&
               send(copy, &pieces[next], &slots[next]);
        if (!wait_for(copy, &slots[i % 2]))
            return;
        memcpy(copy->host + piece->offset, slots[i % 2].memory, piece->size);
    }
}

/* What each thread does; in the first one, the caller, the context is
 * current. */
static void carry(void *context, unsigned number)
{
    struct copy *copy = context;
    const struct polygpu_stream *stream = copy->stream;
    const struct slot *slots = &ring.slots[2 * (size_t)number];

    if (number > 0 &&
        polygpu_make_current(stream->driver, stream->context) != CU_OK)
        return; /* the others do it */
    if (copy->in)
        bring_in(copy, slots);
    else
        bring_out(copy, slots);
    if (number > 0)
        polygpu_leave_current(stream->driver);
}

/* Small enough for all threads to have some. */
static size_t piece_size(size_t size)
{
    size_t pieces = (size_t)SHARE * ring.n_threads;
    size_t piece = (size / pieces / PIECE + 1) * PIECE;

    return piece < ring.chunk ? piece : ring.chunk;
}

/* Whatever happens, nothing is on the bus at the end, or it is assumed that
 * something is for ever. */
static cu_result carry_all(struct copy *copy)
{
    const struct polygpu_stream *stream = copy->stream;
    cu_result result;

    copy->piece = piece_size(copy->size);
    polygpu_workers_run(carry, copy);
    result = stream->driver->stream_synchronize(stream->handle);
    refused = result != CU_OK;
    return copy->result != CU_OK ? copy->result : result;
}

static bool is_worth_it(const struct polygpu_stream *stream, size_t size)
{
    return size >= polygpu_staging_limits.least && stream->driver->host_alloc &&
           stream->driver->host_free &&
           polygpu_workers() >= polygpu_staging_limits.threads;
}

/* Signals still come, and their handlers may jump away, while the stream's
 * earlier work, a kernel of hours perhaps, is waited for; that fails as well if
 * the context, and so what was pinned, is gone. */
static bool stage(struct copy *copy, cu_result *result)
{
    const struct polygpu_stream *stream = copy->stream;
    bool staged;

    if (!is_worth_it(stream, copy->size))
        return false;
    if (copy->in)
        polygpu_workers_probe(copy->host, copy->size);
    *result = stream->driver->stream_synchronize(stream->handle);
    if (*result != CU_OK)
        return true;
    if (pthread_mutex_trylock(&lock))
        return false;
    staged = provide_ring(stream, copy->size);
    if (staged)
        *result = carry_all(copy);
    pthread_mutex_unlock(&lock);
    return staged;
}

bool polygpu_stage_in(const struct polygpu_stream *stream, uintptr_t to,
                      const void *from, size_t size, cu_result *result)
{
    struct copy copy = {.stream = stream,
                        .host = (char *)(uintptr_t)from,
                        .device = to,
                        .size = size,
                        .in = true};

    return stage(&copy, result);
}

bool polygpu_stage_out(const struct polygpu_stream *stream, void *to,
                       uintptr_t from, size_t size, cu_result *result)
{
    struct copy copy = {
        .stream = stream, .host = to, .device = from, .size = size};

    return stage(&copy, result);
}

void polygpu_staging_end(const struct polygpu_stream *stream)
{
    if (pthread_mutex_trylock(&lock))
        return; /* a thread is at it, or was left in the middle of it */
    if (stream && ring.generation == stream->generation)
        free_ring(stream->driver, &ring);
    ended = true;
    pthread_mutex_unlock(&lock);
}
