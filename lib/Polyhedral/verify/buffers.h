/* buffers.h - shared memory and registers of a kernel that is executed in
 * small.
 *
 * Threads run between barriers one after the other; what they must not do for
 * that to be right is noticed here: to read what was filled since the last
 * barrier, to fill what was read, written or filled since then, and to access
 * what another thread has written since then, or to write what one has read.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_VERIFY_BUFFERS_H
#define POLYGPU_VERIFY_BUFFERS_H

#include "verify/expr.h"

#include <polygpu/polyhedral.h>
#include <stdint.h>

enum cell_state {
    CELL_EMPTY,  /* never set, or no more there */
    CELL_ZERO,   /* zero in the place of an element that must not be read */
    CELL_FULL,   /* the value of an element */
    CELL_SPOILED /* set by an instance beyond its domain */
};

/* When: numbers of phases from 1 on; 0: never. */
struct cell {
    enum cell_state state;
    bool changed; /* by a statement, and not yet back in memory */
    bool shared;  /* several threads read it in phase "read" */
    uint64_t value;
    size_t element;
    long filled, read, written;
    size_t reader, writer; /* threads, the last ones */
};

/* Those of some blocks. */
struct buffers;

/* "n_block" blocks of "n_thread" threads. */
struct buffers *pg_stores_alloc(const struct pg_kernel *kernel, size_t n_block,
                                size_t n_thread);
void pg_stores_free(struct buffers *buffers);

/* Element "x" of "n" subscripts of buffer number "buffer" for thread "thread",
 * counted through all blocks; NULL and fault->sentence if there is none.
 */
struct cell *pg_stores_at(struct buffers *buffers, unsigned buffer,
                          size_t thread, const long long *x, unsigned n,
                          struct pg_fault *fault);

/* Thread "thread" comes to its copy number "number" with a "mark" that says
 * which it is.  True if it is the first one of its block, which is to do it;
 * fault->sentence if the others had another mark.
 */
bool pg_stores_meet(struct buffers *buffers, size_t thread, size_t number,
                    uint64_t mark, struct pg_fault *fault);

/* The block of "thread" begins to fill the shared buffer "buffer": all others
 * at this place are not there any more.
 */
void pg_stores_begin(struct buffers *buffers, unsigned buffer, size_t thread,
                     long phase, struct pg_fault *fault);
void pg_stores_fill(struct buffers *buffers, unsigned buffer, struct cell *cell,
                    long phase, struct pg_fault *fault);
/* A thread reads "cell" of the shared buffer "buffer", or writes it. */
void pg_stores_read(struct buffers *buffers, unsigned buffer, size_t thread,
                    struct cell *cell, long phase, struct pg_fault *fault);
void pg_stores_write(struct buffers *buffers, unsigned buffer, size_t thread,
                     struct cell *cell, long phase, struct pg_fault *fault);
/* Any thread of the block of "thread" brings "cell" back to memory. */
void pg_stores_return(struct buffers *buffers, unsigned buffer, size_t thread,
                      struct cell *cell, long phase, struct pg_fault *fault);

#endif
