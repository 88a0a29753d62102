/* buffers.c - see buffers.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "verify/buffers.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"

#include <stdlib.h>

/* A buffer of a block, or of a thread. */
struct store {
    struct cell *cells;
    long filled, read;
};

/* The copies that a block has done. */
struct history {
    size_t n;
    uint64_t *marks;
};

struct buffers {
    const struct pg_kernel *kernel;
    size_t n_block, n_thread;
    struct store *shared, *own; /* [block or thread][buffer] */
    struct history *history;    /* by block */
};

static size_t size_of(const struct pg_buffer *buffer)
{
    size_t n = 1;

    for (unsigned d = 0; d < buffer->n_dim; d++)
        n *= buffer->extent[d];
    return n;
}

struct buffers *pg_stores_alloc(const struct pg_kernel *kernel, size_t n_block,
                                size_t n_thread)
{
    struct buffers *b = pg_alloc(1, sizeof(*b));
    unsigned n = kernel->mapping->n_buffer;

    b->kernel = kernel;
    b->n_block = n_block;
    b->n_thread = n_thread;
    b->shared = pg_alloc(n_block * n + 1, sizeof(*b->shared));
    b->own = pg_alloc(n_block * n_thread * n + 1, sizeof(*b->own));
    b->history = pg_alloc(n_block + 1, sizeof(*b->history));
    for (size_t i = 0; i < n_block * n; i++)
        if (kernel->mapping->buffers[i % n].kind == PG_BUFFER_SHARED)
            b->shared[i].cells =
                pg_alloc(size_of(&kernel->mapping->buffers[i % n]),
                         sizeof(*b->shared[i].cells));
    for (size_t i = 0; i < n_block * n_thread * n; i++)
        if (kernel->mapping->buffers[i % n].kind == PG_BUFFER_REGISTER)
            b->own[i].cells =
                pg_alloc(size_of(&kernel->mapping->buffers[i % n]),
                         sizeof(*b->own[i].cells));
    return b;
}

void pg_stores_free(struct buffers *buffers)
{
    unsigned n = buffers->kernel->mapping->n_buffer;

    for (size_t i = 0; i < buffers->n_block * n; i++)
        free(buffers->shared[i].cells);
    for (size_t i = 0; i < buffers->n_block * buffers->n_thread * n; i++)
        free(buffers->own[i].cells);
    for (size_t i = 0; i < buffers->n_block; i++)
        free(buffers->history[i].marks);
    free(buffers->shared);
    free(buffers->own);
    free(buffers->history);
    free(buffers);
}

static struct store *store_of(struct buffers *b, unsigned buffer, size_t thread)
{
    unsigned n = b->kernel->mapping->n_buffer;

    if (b->kernel->mapping->buffers[buffer].kind == PG_BUFFER_REGISTER)
        return &b->own[thread * n + buffer];
    return &b->shared[thread / b->n_thread * n + buffer];
}

struct cell *pg_stores_at(struct buffers *buffers, unsigned buffer,
                          size_t thread, const long long *x, unsigned n,
                          struct pg_fault *fault)
{
    const struct pg_buffer *about;
    size_t at = 0;

    if (buffer >= buffers->kernel->mapping->n_buffer) {
        pg_wrong(fault, "there is no buffer %u", buffer);
        return NULL;
    }
    about = &buffers->kernel->mapping->buffers[buffer];
    if (n != about->n_dim)
        pg_wrong(fault, "%s with %u subscripts", about->name, n);
    for (unsigned d = 0; d < n && !fault->sentence; d++) {
        long long place = x[d];

        if (about->folded && d == about->plane && place >= 0)
            place %= about->extent[d];
        if (place < 0 || place >= about->extent[d])
            pg_wrong(fault, "subscript %u of %s is %lld", d, about->name, x[d]);
        at = at * about->extent[d] + (size_t)place;
    }
    return fault->sentence ? NULL
                           : &store_of(buffers, buffer, thread)->cells[at];
}

bool pg_stores_meet(struct buffers *buffers, size_t thread, size_t number,
                    uint64_t mark, struct pg_fault *fault)
{
    struct history *h = &buffers->history[thread / buffers->n_thread];

    if (number < h->n && h->marks[number] != mark)
        pg_wrong(fault, "threads of a block meet different copies");
    if (number < h->n || fault->sentence)
        return false;
    if ((h->n & (h->n - 1)) == 0)
        h->marks = pg_enlarge(h->marks, h->n, sizeof(*h->marks));
    h->marks[h->n++] = mark;
    return true;
}

void pg_stores_begin(struct buffers *buffers, unsigned buffer, size_t thread,
                     long phase, struct pg_fault *fault)
{
    const struct pg_buffer *all = buffers->kernel->mapping->buffers;

    store_of(buffers, buffer, thread)->filled = phase;
    for (unsigned i = 0; i < buffers->kernel->mapping->n_buffer; i++) {
        struct store *other = store_of(buffers, i, thread);

        if (all[i].kind != PG_BUFFER_SHARED ||
            all[i].component == all[buffer].component ||
            all[i].slot != all[buffer].slot)
            continue;
        if (other->filled == phase || other->read == phase)
            pg_wrong(
                fault,
                "race: %s is filled in the place of %s, in use since the last "
                "barrier",
                all[buffer].name, all[i].name);
        for (size_t c = 0; other->filled && c < size_of(&all[i]); c++)
            other->cells[c].state = CELL_EMPTY;
    }
}

void pg_stores_fill(struct buffers *buffers, unsigned buffer, struct cell *cell,
                    long phase, struct pg_fault *fault)
{
    const char *name = buffers->kernel->mapping->buffers[buffer].name;

    if (cell->read == phase || cell->written == phase)
        pg_wrong(fault,
                 "race: an element of %s is filled and was %s since the last "
                 "barrier",
                 name, cell->read == phase ? "read" : "written");
    if (cell->filled == phase)
        pg_wrong(
            fault,
            "race: an element of %s is filled twice since the last barrier",
            name);
    cell->filled = phase;
}

void pg_stores_read(struct buffers *buffers, unsigned buffer, size_t thread,
                    struct cell *cell, long phase, struct pg_fault *fault)
{
    const char *name = buffers->kernel->mapping->buffers[buffer].name;

    if (cell->state == CELL_EMPTY)
        pg_wrong(fault, "an element of %s is read and was not filled", name);
    else if (cell->filled == phase)
        pg_wrong(fault,
                 "race: an element of %s is read and was filled since the last "
                 "barrier",
                 name);
    else if (cell->written == phase && cell->writer != thread)
        pg_wrong(fault,
                 "race: an element of %s is read and was written by another "
                 "thread since the last barrier",
                 name);
    cell->shared =
        cell->read == phase && (cell->shared || cell->reader != thread);
    cell->read = phase;
    cell->reader = thread;
    store_of(buffers, buffer, thread)->read = phase;
}

void pg_stores_write(struct buffers *buffers, unsigned buffer, size_t thread,
                     struct cell *cell, long phase, struct pg_fault *fault)
{
    const char *name = buffers->kernel->mapping->buffers[buffer].name;
    bool read = cell->read == phase && (cell->shared || cell->reader != thread);

    if (cell->filled == phase)
        pg_wrong(fault,
                 "race: an element of %s is written and was filled since the "
                 "last barrier",
                 name);
    if (read || (cell->written == phase && cell->writer != thread))
        pg_wrong(fault,
                 "race: an element of %s is written and was %s by another "
                 "thread since the last barrier",
                 name, read ? "read" : "written");
    cell->written = phase;
    cell->writer = thread;
    cell->changed = true;
    store_of(buffers, buffer, thread)->read = phase;
}

void pg_stores_return(struct buffers *buffers, unsigned buffer, size_t thread,
                      struct cell *cell, long phase, struct pg_fault *fault)
{
    const char *name = buffers->kernel->mapping->buffers[buffer].name;

    if (!cell->changed)
        pg_wrong(fault, "an element of %s goes back and was not written", name);
    if (cell->filled == phase || cell->written == phase)
        pg_wrong(fault,
                 "race: an element of %s goes back and was %s since the last "
                 "barrier",
                 name, cell->filled == phase ? "filled" : "written");
    cell->shared = true;
    cell->read = phase;
    cell->changed = false;
    store_of(buffers, buffer, thread)->read = phase;
}
