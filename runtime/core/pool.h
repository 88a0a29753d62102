/* pool.h - memory of the device, kept from one array to the next.
 *
 * The driver takes 100 us and more for each allocation, and as long to free it.
 * So what an array gives back is kept for the next one of about its size: a
 * piece has a size class, of which there are eight between two powers of two,
 * and goes to any array of that class.  Who gets a piece must not look at what
 * an array before left there: the device is told of each change of hands
 * (device.h, "lend").
 *
 * Pieces that nobody has are freed oldest first when they are many or large,
 * all of them when memory is short and at the end (opened.c).  After a fork the
 * child begins without any.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_POOL_H
#define POLYGPU_POOL_H

#include "support/device.h"

/* One piece of memory.  It belongs to whoever took it. */
struct polygpu_piece {
    uintptr_t address;
    size_t size;     /* that was asked for */
    size_t capacity; /* at least that */
    const struct polygpu_device *device;
    unsigned generation;                 /* of the device */
    struct polygpu_piece *older, *newer; /* while nobody has it */
};

enum {
    POLYGPU_POOL_MOST_PIECES = 256,              /* that nobody has */
    POLYGPU_POOL_MOST_BYTES = 1024 * 1024 * 1024 /* of those */
};

/* The size class of "size" bytes: the least capacity for it. */
size_t polygpu_pool_class(size_t size);

/* Memory for "size" > 0 bytes, whose contents are not defined.  When there is
 * none, all that nobody has is freed and it is tried again.  NULL with a
 * sentence that has the sizes. */
struct polygpu_piece *polygpu_pool_take(const struct polygpu_device *device,
                                        size_t size,
                                        struct polygpu_status *status);
/* The same for "n" sizes, 0 being none, as far as the pool has pieces for them;
 * NULL for the others.  Returns how many it had. */
size_t polygpu_pool_reuse(const struct polygpu_device *device,
                          const size_t sizes[], struct polygpu_piece *pieces[],
                          size_t n);
/* The device does nothing with it any more.  NULL is nothing. */
void polygpu_pool_give(struct polygpu_piece *piece);
/* The same for "n" of them, the last of which is given first the next time.
 * They are undefined then. */
void polygpu_pool_give_all(struct polygpu_piece *pieces[], size_t n);
/* Free all that nobody has; the bytes. */
size_t polygpu_pool_empty(void);

#endif
