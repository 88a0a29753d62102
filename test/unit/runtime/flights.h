/* flights.h - what was asked of the fake driver's streams and has not been
 * done.
 *
 * A stream's flights are done in order, and not before somebody waits for them,
 * or for a flight of another stream that waits for them; or, to see what is not
 * told to wait, in an order that is drawn.  FAKE_CUDA_ORDER=random:SEED: with
 * each call some flights are done that need not wait for others, of all
 * streams; of two seeds of three only kernels, or only copies.
 * Pinned memory of the host is known, since a copy may read and write it later.
 * All functions may be called by several threads.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef FLIGHTS_H
#define FLIGHTS_H

#include "cuda/cuda_driver.h"

#include "polygpu/abi.h"

#include <stdbool.h>

enum { PARAMS = 5 };

/* A copy, a launch, or a wait. */
struct flight {
    void *to;
    const void *from;
    size_t size;
    void *source;    /* freed behind it: what "from" had */
    bool in, pinned; /* to the device; of memory that is pinned */
    polygpu_emulated_fn kernel;
    struct polygpu_thread self;
    uint64_t params[PARAMS];
    bool waits;
    cu_stream awaited; /* NULL: it is closed */
    size_t behind;     /* so many flights of it */
};
struct cu_stream_object {
    struct flight *flights; /* "n" from "first" on are to be done */
    size_t first, n, capacity, done;
    double at; /* when the last one ends (speeds.h) */
    struct cu_stream_object *next;
};

/* Not 0: nothing is done any more; atomic. */
extern int flights_broken;

/* A stream's memory is the caller's.  Before it is closed its flights are
 * done. */
void flights_open(cu_stream stream);
void flights_close(cu_stream stream);

void flights_add(cu_stream stream, const struct flight *flight);
/* How many there have been. */
size_t flights_number(cu_stream stream);
/* Is the last flight of another stream, but for waits, a kernel? */
bool flights_beside(cu_stream stream);

/* Do so many of them, all of a stream, and of all streams. */
void flights_land(cu_stream stream, size_t number);
void flights_land_all(cu_stream stream);
void flights_land_everything(void);
/* What is on its way is lost, and pinned memory is no more; who uses it still
 * shall notice. */
void flights_forget(void);

void flights_pin(void *memory, size_t size);
void flights_unpin(void *memory);
bool flights_pinned(const void *address);
/* How many pieces are pinned, and their bytes. */
unsigned flights_pieces(size_t *bytes);

#endif
