/* flights.c - see flights.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "flights.h"

#include <pthread.h>
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

static void do_flight(struct flight *flight)
{
    if (__atomic_load_n(&flights_broken, __ATOMIC_SEQ_CST))
        return;
    if (flight->kernel)
        run_kernel(flight);
    else
        memcpy(flight->to, flight->from, flight->size);
}

/* Under the lock. */
static void land(cu_stream stream, size_t number)
{
    size_t i, n = number > stream->done ? number - stream->done : 0;

    if (n > stream->n)
        abort();
    if (n == 0)
        return;
    for (i = 0; i < n; ++i) {
        do_flight(&stream->flights[i]);
        free_flight(&stream->flights[i]);
    }
    memmove(stream->flights, stream->flights + n,
            (stream->n - n) * sizeof *stream->flights);
    stream->n -= n;
    stream->done = number;
}

void flights_land(cu_stream stream, size_t number)
{
    pthread_mutex_lock(&lock);
    land(stream, number);
    pthread_mutex_unlock(&lock);
}

void flights_land_all(cu_stream stream)
{
    pthread_mutex_lock(&lock);
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
            free_flight(&stream->flights[i]);
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

void flights_close(cu_stream stream)
{
    cu_stream *at = &streams;

    pthread_mutex_lock(&lock);
    land(stream, stream->done + stream->n);
    while (*at != stream)
        at = &(*at)->next;
    *at = stream->next;
    pthread_mutex_unlock(&lock);
    free(stream->flights);
}

void flights_add(cu_stream stream, const struct flight *flight)
{
    struct flight *grown;

    pthread_mutex_lock(&lock);
    if (stream->n == stream->capacity) {
        stream->capacity = 2 * stream->capacity + 4;
        grown = realloc(stream->flights,
                        stream->capacity * sizeof *stream->flights);
        if (!grown)
            abort();
        stream->flights = grown;
    }
    stream->flights[stream->n++] = *flight;
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

bool flights_beside(cu_stream stream)
{
    cu_stream other;

    pthread_mutex_lock(&lock);
    other = streams;
    while (other && (other == stream || other->n == 0 ||
                     !other->flights[other->n - 1].kernel))
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
