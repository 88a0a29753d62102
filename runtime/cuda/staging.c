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
 * earned   pinning 64 MiB takes about 10 ms (an estimate; registering 256 MiB
 *          was measured: 10 ms), as much as staging saves on so many bytes
 * threads  one is no faster than the driver; see also workers.c */
struct polygpu_staging_limits polygpu_staging_limits = {
    .least = 4 * 1024 * 1024,
    .earned = 128 * 1024 * 1024,
    .chunk = 4 * 1024 * 1024,
    .threads = 2,
};

enum {
    PIECE = 64 * 1024, /* bytes; pieces are a multiple of that */
    SHARE = 4 /* pieces for each thread at least: first and last ones do not
                 overlap with anything */
};

/* Pinned memory for one transfer; "done" is recorded behind it. */
struct slot {
    char *memory;
    cu_event done;
};

/* Under "lock", which is held during a copy.  Nobody waits for it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    struct slot *slots; /* two for each thread; NULL: none are made */
    void *memory;
    unsigned n_threads, generation;
    bool refused; /* they could not be made, or one may be on the bus still */
    bool ended;
} ring;
static size_t seen; /* bytes of large copies */

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

/* ---- Pinned memory ------------------------------------------------------- */

static void free_ring(const struct polygpu_cuda_driver *driver)
{
    unsigned i;

    for (i = 0; ring.slots && i < 2 * ring.n_threads; ++i)
        if (ring.slots[i].done)
            driver->event_destroy(ring.slots[i].done);
    if (ring.memory)
        driver->host_free(ring.memory);
    free(ring.slots);
    ring.slots = NULL;
    ring.memory = NULL;
}

static cu_result make_slots(const struct polygpu_cuda_driver *driver)
{
    size_t chunk = polygpu_staging_limits.chunk;
    unsigned n = 2 * ring.n_threads, i;
    cu_result result =
        driver->host_alloc(&ring.memory, n * chunk, CU_HOST_ALLOC_PLAIN);

    for (i = 0; result == CU_OK && i < n; ++i) {
        ring.slots[i].memory = (char *)ring.memory + i * chunk;
        result = driver->event_create(&ring.slots[i].done, CU_EVENT_NO_TIMING);
    }
    return result;
}

static bool make_ring(const struct polygpu_stream *stream)
{
    cu_result result = CU_OUT_OF_MEMORY;

    ring.n_threads = polygpu_workers();
    ring.generation = stream->generation;
    ring.slots = calloc(2 * (size_t)ring.n_threads, sizeof *ring.slots);
    if (ring.slots)
        result = make_slots(stream->driver);
    ring.refused = result != CU_OK;
    if (ring.refused) {
        POLYGPU_LOG("no pinned memory for copies (CUDA error %d)", result);
        free_ring(stream->driver);
    } else {
        POLYGPU_LOG("%zu bytes are pinned for copies by %u threads",
                    2 * ring.n_threads * polygpu_staging_limits.chunk,
                    ring.n_threads);
    }
    return !ring.refused;
}

/* A reset of the context frees what was pinned in it. */
static void forget_ring(void)
{
    free(ring.slots);
    ring.slots = NULL;
    ring.memory = NULL;
    ring.refused = false;
}

/* Are there slots, or is it time to make them?  Who asks for threads does not
 * want to wait for that. */
static bool provide_ring(const struct polygpu_stream *stream, size_t size)
{
    if (ring.generation != stream->generation)
        forget_ring();
    if (ring.slots || ring.refused || ring.ended)
        return ring.slots && !ring.refused && !ring.ended;
    seen = seen > SIZE_MAX - size ? SIZE_MAX : seen + size;
    return (seen >= polygpu_staging_limits.earned ||
            polygpu_env()->copy_threads) &&
           make_ring(stream);
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

    return piece < polygpu_staging_limits.chunk ? piece
                                                : polygpu_staging_limits.chunk;
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
    ring.refused = result != CU_OK;
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
        free_ring(stream->driver);
    ring.ended = true;
    pthread_mutex_unlock(&lock);
}
