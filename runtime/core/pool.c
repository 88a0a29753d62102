/* pool.c - see pool.h.
 *
 * Nothing here calls the device under the lock; callers may have it (lock.h).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/pool.h"

#include "core/lock.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEPS = 8,           /* classes between two powers of two */
    LEAST = 512,         /* bytes; drivers do not give less */
    WORTH = 1024 * 1024, /* bytes that a class may cost before it matters */
    WORD = 16 /* bytes that one access of a thread may have: LLVM reads a row's
                 last five of eight bytes, aligned, as all eight */
};

static pthread_once_t forks_watched = PTHREAD_ONCE_INIT;
static struct polygpu_piece *oldest, *newest;
static size_t n_idle, idle_bytes;
static size_t n_taken, taken_bytes;

/* In the child of a fork the parent's pieces are not ours to free; another
 * thread may have been in the middle of the list. */
static void after_fork(void)
{
    oldest = newest = NULL;
    n_idle = idle_bytes = 0;
}

static void watch_forks(void)
{
    polygpu_lock_watch();
    pthread_atfork(NULL, NULL, after_fork);
}

size_t polygpu_pool_class(size_t size)
{
    size_t step = LEAST / STEPS;

    if (size <= LEAST)
        return LEAST;
    while (step <= (size - 1) / (2 * STEPS))
        step *= 2;
    return size > SIZE_MAX - step ? size : (size + step - 1) / step * step;
}

/* Take a piece out of the list; under the lock, as are the next ones. */
static void remove_idle(struct polygpu_piece *piece)
{
    *(piece->older ? &piece->older->newer : &oldest) = piece->newer;
    *(piece->newer ? &piece->newer->older : &newest) = piece->older;
    --n_idle;
    idle_bytes -= piece->capacity;
}

static void add_idle(struct polygpu_piece *piece)
{
    piece->newer = NULL;
    piece->older = newest;
    *(newest ? &newest->newer : &oldest) = piece;
    newest = piece;
    ++n_idle;
    idle_bytes += piece->capacity;
}

static void count_taken(const struct polygpu_piece *piece)
{
    ++n_taken;
    taken_bytes += piece->capacity;
}

static void count_given(const struct polygpu_piece *piece)
{
    --n_taken;
    taken_bytes -= piece->capacity;
}

static struct polygpu_piece *find_idle(const struct polygpu_device *device,
                                       unsigned generation, size_t capacity)
{
    struct polygpu_piece *piece = newest;

    while (piece &&
           (piece->capacity != capacity || piece->generation != generation ||
            piece->device != device))
        piece = piece->older;
    if (piece) {
        remove_idle(piece);
        count_taken(piece);
    }
    return piece;
}

/* The oldest one, out of the list, where there are more than so many or more
 * than so many bytes. */
static struct polygpu_piece *surplus(size_t most_pieces, size_t most_bytes)
{
    struct polygpu_piece *piece = oldest;

    if (n_idle <= most_pieces && idle_bytes <= most_bytes)
        return NULL;
    remove_idle(piece);
    return piece;
}

/* A reset of the device has freed all that it had. */
static bool is_there(const struct polygpu_piece *piece)
{
    return piece->generation == polygpu_generation(piece->device);
}

/* Give a piece that is in no list back to the device. */
static void free_piece(struct polygpu_piece *piece)
{
    if (is_there(piece))
        piece->device->free(piece->address);
    free(piece);
}

/* Free the oldest ones until at most so many, and so many bytes, are left. */
static size_t shrink(size_t most_pieces, size_t most_bytes)
{
    struct polygpu_piece *piece;
    size_t freed = 0;

    for (;;) {
        polygpu_lock();
        piece = surplus(most_pieces, most_bytes);
        polygpu_unlock();
        if (!piece)
            return freed;
        freed += piece->capacity;
        free_piece(piece);
    }
}

size_t polygpu_pool_empty(void)
{
    return shrink(0, 0);
}

static bool allocate(struct polygpu_piece *piece, size_t capacity,
                     struct polygpu_status *status)
{
    memset(status, 0, sizeof *status);
    piece->capacity = capacity;
    return piece->device->alloc(capacity, &piece->address, status);
}

/* Memory from the device: of the class; the same when the pool is empty; just
 * what is needed, where that is much less. */
static bool allocate_somehow(struct polygpu_piece *piece, size_t size,
                             struct polygpu_status *status)
{
    size_t capacity = polygpu_pool_class(size);

    return allocate(piece, capacity, status) ||
           (polygpu_pool_empty() && allocate(piece, capacity, status)) ||
           (capacity - size >= WORTH &&
            allocate(piece, (size + WORD - 1) / WORD * WORD, status));
}

/* A piece that nobody had before. */
static struct polygpu_piece *new_piece(const struct polygpu_device *device,
                                       unsigned generation, size_t size,
                                       struct polygpu_status *status)
{
    struct polygpu_piece *piece = calloc(1, sizeof *piece);
    struct polygpu_status failure = {0};
    bool ok;

    if (!piece) {
        polygpu_fail(status, POLYGPU_CAUSE_MEMORY,
                     "no host memory for an array on the device");
        return NULL;
    }
    piece->device = device;
    piece->generation = generation;
    ok = allocate_somehow(piece, size, &failure);
    polygpu_lock();
    if (ok)
        count_taken(piece);
    else
        polygpu_fail(status, failure.cause,
                     "%.400s; this process has %zu bytes there, for %zu arrays",
                     failure.text, taken_bytes, n_taken);
    polygpu_unlock();
    if (ok)
        return piece;
    free(piece);
    return NULL;
}

static void tell(const struct polygpu_piece *piece, size_t size)
{
    if (piece->device->lend)
        piece->device->lend(piece->address, size, piece->capacity);
}

size_t polygpu_pool_reuse(const struct polygpu_device *device,
                          const size_t sizes[], struct polygpu_piece *pieces[],
                          size_t n)
{
    unsigned generation = polygpu_generation(device);
    size_t i, found = 0;

    pthread_once(&forks_watched, watch_forks);
    polygpu_lock();
    for (i = 0; i < n; ++i) {
        pieces[i] = sizes[i] ? find_idle(device, generation,
                                         polygpu_pool_class(sizes[i]))
                             : NULL;
        found += pieces[i] != NULL;
    }
    polygpu_unlock();
    for (i = 0; found && i < n; ++i)
        if (pieces[i]) {
            pieces[i]->size = sizes[i];
            tell(pieces[i], sizes[i]);
        }
    return found;
}

struct polygpu_piece *polygpu_pool_take(const struct polygpu_device *device,
                                        size_t size,
                                        struct polygpu_status *status)
{
    struct polygpu_piece *piece;

    if (polygpu_pool_reuse(device, &size, &piece, 1))
        return piece;
    piece = new_piece(device, polygpu_generation(device), size, status);
    if (!piece)
        return NULL;
    piece->size = size;
    tell(piece, size);
    return piece;
}

/* Of "n" pieces, which go into the list in that order: those that are not
 * there any more, and one that is too much now; the others are NULL. */
static void give(struct polygpu_piece *pieces[], size_t n)
{
    size_t i;

    polygpu_lock();
    for (i = 0; i < n; ++i) {
        if (!pieces[i])
            continue;
        count_given(pieces[i]);
        if (!is_there(pieces[i]))
            continue;
        add_idle(pieces[i]);
        pieces[i] = surplus(POLYGPU_POOL_MOST_PIECES, POLYGPU_POOL_MOST_BYTES);
    }
    polygpu_unlock();
}

void polygpu_pool_give_all(struct polygpu_piece *pieces[], size_t n)
{
    size_t i, given = 0, freed = 0;

    for (i = 0; i < n; ++i) {
        given += pieces[i] != NULL;
        if (pieces[i] && is_there(pieces[i]))
            tell(pieces[i], 0);
    }
    if (!given)
        return;
    give(pieces, n);
    for (i = 0; i < n; ++i)
        if (pieces[i]) {
            free_piece(pieces[i]);
            ++freed;
        }
    if (freed)
        shrink(POLYGPU_POOL_MOST_PIECES, POLYGPU_POOL_MOST_BYTES);
}

void polygpu_pool_give(struct polygpu_piece *piece)
{
    polygpu_pool_give_all(&piece, 1);
}
