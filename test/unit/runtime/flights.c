/* flights.c - see flights.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "flights.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST_PINNED = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cu_stream streams;
static struct {
    char *memory;
    size_t size;
} pinned[MOST_PINNED];

int flights_broken;

/* ---- Doing it ------------------------------------------------------------ */

static void run_kernel(struct flight *flight)
{
    struct polygpu_thread *self = &flight->self;
    void *args[PARAMS];
    unsigned i;

    for (i = 0; i < PARAMS; ++i)
        args[i] = &flight->params[i];
    for (self->block[0] = 0; self->block[0] < self->n_block[0];
         ++self->block[0])
        for (self->thread[0] = 0; self->thread[0] < self->n_thread[0];
             ++self->thread[0])
            flight->kernel(args, self);
}

static void free_flight(struct flight *flight)
{
    free(flight->source);
    free(flight->self.shared);
}

/* Does FAKE_CUDA_FLIGHT=N:ERROR say that this one fails? */
static bool fails(void)
{
    static int number, failing = -1, error;
    const char *value;

    if (failing < 0) {
        value = getenv("FAKE_CUDA_FLIGHT");
        if (!value || sscanf(value, "%d:%d", &failing, &error) != 2)
            failing = 0;
    }
    if (++number != failing)
        return false;
    __atomic_store_n(&flights_broken, error, __ATOMIC_SEQ_CST);
    return true;
}

static void do_flight(struct flight *flight)
{
    if (__atomic_load_n(&flights_broken, __ATOMIC_SEQ_CST) ||
        (!flight->waits && fails()))
        return;
    if (flight->kernel)
        run_kernel(flight);
    else if (!flight->waits)
        memcpy(flight->to, flight->from, flight->size);
}

/* Do the first flight of a stream, which has to wait for nothing.  Under the
 * lock, as those that follow. */
static void step(cu_stream stream)
{
    struct flight *flight = &stream->flights[stream->first];

    do_flight(flight);
    free_flight(flight);
    ++stream->first;
    ++stream->done;
    --stream->n;
}

/* Is the first flight a wait for what has not been done? */
static bool is_held(cu_stream stream)
{
    const struct flight *flight = &stream->flights[stream->first];

    return flight->waits && flight->awaited &&
           flight->awaited->done < flight->behind;
}

static void land(cu_stream stream, size_t number)
{
    if (number > stream->done + stream->n)
        abort();
    while (stream->done < number) {
        const struct flight *flight = &stream->flights[stream->first];

        if (is_held(stream))
            land(flight->awaited, flight->behind);
        step(stream);
    }
}

/* ---- Flights that nobody waits for yet ----------------------------------- */

static struct {
    bool known, wanted;
    uint64_t state;
    unsigned only; /* 1: copies, 2: kernels */
} order;

static unsigned draw(unsigned below)
{
    order.state = order.state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(order.state >> 33) % below;
}

static void read_order(void)
{
    const char *value = getenv("FAKE_CUDA_ORDER");
    unsigned long seed;

    order.known = true;
    if (!value || sscanf(value, "random:%lu", &seed) != 1)
        return;
    order.wanted = true;
    order.state = seed * 2 + 1;
    order.only = draw(3);
}

/* May the first flight of the stream be done now? */
static bool is_free(cu_stream stream)
{
    const struct flight *flight;

    if (stream->n == 0 || is_held(stream))
        return false;
    flight = &stream->flights[stream->first];
    return flight->waits || order.only == 0 ||
           order.only == (flight->kernel ? 2u : 1u);
}

/* One of the streams whose first flight may be done. */
static cu_stream draw_free(void)
{
    cu_stream stream, found = NULL;
    unsigned n = 0;

    for (stream = streams; stream; stream = stream->next)
        if (is_free(stream) && draw(++n) == 0)
            found = stream;
    return found;
}

/* Under the lock. */
static void stir(void)
{
    cu_stream stream;
    unsigned n;

    if (!order.known)
        read_order();
    if (!order.wanted)
        return;
    for (n = draw(5); n > 0 && (stream = draw_free()); --n)
        step(stream);
}

void flights_land(cu_stream stream, size_t number)
{
    pthread_mutex_lock(&lock);
    stir();
    if (number > stream->done)
        land(stream, number);
    pthread_mutex_unlock(&lock);
}

void flights_land_all(cu_stream stream)
{
    pthread_mutex_lock(&lock);
    stir();
    land(stream, stream->done + stream->n);
    pthread_mutex_unlock(&lock);
}

void flights_land_everything(void)
{
    cu_stream stream;

    pthread_mutex_lock(&lock);
    for (stream = streams; stream; stream = stream->next)
        land(stream, stream->done + stream->n);
    pthread_mutex_unlock(&lock);
}

void flights_forget(void)
{
    cu_stream stream;
    unsigned i;

    pthread_mutex_lock(&lock);
    for (stream = streams; stream; stream = stream->next) {
        for (i = 0; i < stream->n; ++i)
            free_flight(&stream->flights[stream->first + i]);
        stream->done += stream->n;
        stream->n = 0;
    }
    for (i = 0; i < MOST_PINNED; ++i) {
        if (pinned[i].memory)
            mprotect(pinned[i].memory, pinned[i].size, PROT_NONE);
        pinned[i].memory = NULL;
    }
    pthread_mutex_unlock(&lock);
}

/* ---- Streams ------------------------------------------------------------- */

void flights_open(cu_stream stream)
{
    memset(stream, 0, sizeof *stream);
    pthread_mutex_lock(&lock);
    stream->next = streams;
    streams = stream;
    pthread_mutex_unlock(&lock);
}

/* Nothing waits for a stream any more. */
static void unlink_waits(const struct cu_stream_object *closed)
{
    cu_stream stream;
    size_t i;

    for (stream = streams; stream; stream = stream->next)
        for (i = stream->first; i < stream->first + stream->n; ++i)
            if (stream->flights[i].awaited == closed)
                stream->flights[i].awaited = NULL;
}

void flights_close(cu_stream stream)
{
    cu_stream *at = &streams;

    pthread_mutex_lock(&lock);
    land(stream, stream->done + stream->n);
    unlink_waits(stream);
    while (*at != stream)
        at = &(*at)->next;
    *at = stream->next;
    pthread_mutex_unlock(&lock);
    free(stream->flights);
}

/* Have room for one more. */
static void make_room(cu_stream stream)
{
    struct flight *grown;

    if (stream->first + stream->n < stream->capacity)
        return;
    if (stream->first > stream->n) {
        memcpy(stream->flights, stream->flights + stream->first,
               stream->n * sizeof *stream->flights);
        stream->first = 0;
        return;
    }
    stream->capacity = 2 * stream->capacity + 4;
    grown =
        realloc(stream->flights, stream->capacity * sizeof *stream->flights);
    if (!grown)
        abort();
    stream->flights = grown;
}

void flights_add(cu_stream stream, const struct flight *flight)
{
    pthread_mutex_lock(&lock);
    make_room(stream);
    stream->flights[stream->first + stream->n++] = *flight;
    stir();
    pthread_mutex_unlock(&lock);
}

size_t flights_number(cu_stream stream)
{
    size_t number;

    pthread_mutex_lock(&lock);
    number = stream->done + stream->n;
    pthread_mutex_unlock(&lock);
    return number;
}

/* Is the last flight of a stream, but for waits, a kernel? */
static bool ends_in_kernel(const struct cu_stream_object *stream)
{
    size_t i = stream->first + stream->n;

    while (i > stream->first && stream->flights[i - 1].waits)
        --i;
    return i > stream->first && stream->flights[i - 1].kernel;
}

bool flights_beside(cu_stream stream)
{
    cu_stream other;

    pthread_mutex_lock(&lock);
    other = streams;
    while (other && (other == stream || !ends_in_kernel(other)))
        other = other->next;
    pthread_mutex_unlock(&lock);
    return other != NULL;
}

/* ---- Pinned memory ------------------------------------------------------- */

/* The piece that "memory" begins; NULL: one that is free.  Under the lock. */
static unsigned find(const void *memory)
{
    unsigned i = 0;

    while (i < MOST_PINNED && pinned[i].memory != memory)
        ++i;
    if (i == MOST_PINNED)
        abort();
    return i;
}

void flights_pin(void *memory, size_t size)
{
    unsigned i;

    pthread_mutex_lock(&lock);
    i = find(NULL);
    pinned[i].memory = memory;
    pinned[i].size = size;
    pthread_mutex_unlock(&lock);
}

void flights_unpin(void *memory)
{
    unsigned i;

    pthread_mutex_lock(&lock);
    i = find(memory);
    munmap(memory, pinned[i].size);
    pinned[i].memory = NULL;
    pthread_mutex_unlock(&lock);
}

bool flights_pinned(const void *address)
{
    uintptr_t a = (uintptr_t)address;
    unsigned i = 0;

    pthread_mutex_lock(&lock);
    while (
        i < MOST_PINNED &&
        !(pinned[i].memory && a - (uintptr_t)pinned[i].memory < pinned[i].size))
        ++i;
    pthread_mutex_unlock(&lock);
    return i < MOST_PINNED;
}

unsigned flights_pieces(size_t *bytes)
{
    unsigned i, n = 0;

    *bytes = 0;
    pthread_mutex_lock(&lock);
    for (i = 0; i < MOST_PINNED; ++i) {
        n += pinned[i].memory != NULL;
        *bytes += pinned[i].memory ? pinned[i].size : 0;
    }
    pthread_mutex_unlock(&lock);
    return n;
}
