/* model.h - a SCoP as functions of integers, its instances for certain
 * parameters, and what happens when they run in the source's order.
 *
 * A statement instance reads its elements, mixes what it read with its own
 * number and iterators, and writes the result; a part of a statement has the
 * number of the whole, and a copy statement only copies.  So memory after a run
 * tells whether every instance ran once and saw the right values.  Where a
 * variant has the updates of an element in another order, each adds to it what
 * it mixed of its other reads: sums are the same if each has run once.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_VERIFY_MODEL_H
#define POLYGPU_VERIFY_MODEL_H

#include "verify/numbering.h"
#include "verify/pages.h"
#include "verify/points.h"

#include <polygpu/polyhedral.h>
#include <stdint.h>

enum { MAX_DIM = 8, MAX_ARGS = 8, MAX_DATE = 32 };

/* A statement, without isl. */
struct modelled {
    unsigned n_arg;
    struct points *domain;
    struct points **where;    /* by access; NULL: it always happens */
    struct function **access; /* by access, { args -> subscripts } */
    struct function *date;    /* { args -> place in the original order } */
    /* A bit for each of its updates whose elements are in any order: what it
     * mixes is added. */
    unsigned adds;
};

struct model {
    const struct pg_scop *scop;
    struct modelled *stmts;
};

/* NULL and *fault if isl fails or numbers are too large. */
struct model *pg_model_take(const struct pg_scop *scop, struct pg_fault *fault);
void pg_model_free(struct model *model);

/* Where the subscripts of an array begin, and how many there are. */
struct shape {
    long long low[MAX_DIM], side[MAX_DIM];
    size_t size;               /* in elements that there is room for */
    struct numbering *numbers; /* of those that are used; NULL: all have room */
};

/* The instances of a statement: bytes in a box of them. */
enum { EXISTS = 128, TIMES = 127 };
struct instances {
    struct shape box;
    unsigned char *runs; /* how often it ran, and EXISTS */
};

/* What is known of an element in the original order. */
enum { READ_FIRST = 1, WRITTEN = 2, MOVED = 4, READ = 8 };

/* Elements from "first" on, before "end"; none: both are 0. */
struct span {
    size_t first, end;
};

/* Let "span" have element "at". */
static inline void pg_span_add(struct span *span, size_t at)
{
    if (!span->end || at < span->first)
        span->first = at;
    if (at >= span->end)
        span->end = at + 1;
}

/* A model with parameters. */
struct state {
    const struct model *model;
    const long long *values; /* of the parameters */
    struct shape *shapes;    /* by array */
    struct instances *instances;
    size_t room; /* if not 0, instances exist from being found on */
    unsigned long n_instance; /* that exist */
    unsigned char **touched;  /* by array */
    struct span *used;        /* the elements that were touched, by array */
    struct pages **memory;    /* by array; NULL until it was run */
};

/* The instances for "values", which stay the caller's, and what the arrays are
 * like; *work goes down.  "extents" are those of temporaries, by array; the
 * first "n_like" arrays have at least the elements that "like" says.  "room":
 * there may be very many, of which no more than that are used; or 0.  Not NULL,
 * also after a fault.
 */
struct state *pg_state_alloc(const struct model *model, const long long *values,
                             long long (*extents)[MAX_DIM],
                             const struct shape *like, unsigned n_like,
                             size_t room, long *work, struct pg_fault *fault);
void pg_state_free(struct state *state);

/* Called for instance "args" of statement "s"; false ends the walk. */
typedef bool pg_instance_visitor(unsigned s, const long long *args, void *user);

/* Call "each" for the instances that ran in "of" at least once (NULL: all) in
 * the original order, until there is a fault.
 */
void pg_state_each(const struct state *state, const struct state *of,
                   long *work, pg_instance_visitor *each, void *user,
                   struct pg_fault *fault);

/* Call "each" for "n" instances, number i of which is one of statement stmts[i]
 * with the arguments args[i], in the original order; what is in no domain is
 * left out.
 */
void pg_model_each(const struct model *model, const long long *values, size_t n,
                   const unsigned *stmts, const long long (*args)[MAX_ARGS],
                   long *work, pg_instance_visitor *each, void *user,
                   struct pg_fault *fault);

/* Run the instances that ran in "of" at least once (NULL: all) in the original
 * order, on memory of its own.
 */
void pg_state_run(struct state *state, const struct state *of, long *work,
                  struct pg_fault *fault);

/* Memory of all arrays, by array, with values made from "seed". */
struct pages **pg_memory_alloc(const struct state *state, uint64_t seed);
void pg_memory_free(const struct state *state, struct pages **memory);

/* Element "at" of array "a" in "memory". */
static inline uint64_t *pg_memory_at(struct pages **memory, unsigned a,
                                     size_t at)
{
    return pg_pages_at(memory[a], at);
}

/* Where "x" is in "shape"; false if it is not, or has no room. */
bool pg_shape_at(const struct shape *shape, unsigned n_dim, const long long *x,
                 size_t *at);

/* Set *fault if there was no room for something in "shape". */
void pg_shape_check(const struct shape *shape, struct pg_fault *fault);

/* Number of the instance "args" of statement "s"; false if it is no instance.
 */
bool pg_state_find(struct state *state, unsigned s, const long long *args,
                   size_t *at);

/* "h" and "v" as one number. */
static inline uint64_t pg_mix(uint64_t h, uint64_t v)
{
    h ^= v + 0x9e3779b97f4a7c15ULL + (h << 6) + (h >> 2);
    h *= 0xff51afd7ed558ccdULL;
    return h ^ (h >> 29);
}

/* What an instance has read: all of it as one number, and the values of the
 * first two reads.
 */
struct mixture {
    uint64_t all, value[2];
    unsigned n;
};

/* The update that access "a" of "stmt" belongs to if that only adds, by the
 * bits of "adds"; else NULL.
 */
static inline const struct pg_update *
pg_mixture_update(const struct pg_stmt *stmt, unsigned adds, unsigned a)
{
    const struct pg_update *update = adds ? pg_stmt_update(stmt, a) : NULL;

    return update && adds >> (update - stmt->updates) & 1 ? update : NULL;
}

/* "v" is what access "a" of "stmt" reads, some of whose updates only add. */
static inline void pg_mixture_read(struct mixture *x,
                                   const struct pg_stmt *stmt, unsigned adds,
                                   unsigned a, uint64_t v)
{
    if (x->n < 2)
        x->value[x->n] = v;
    x->n++;
    if (!pg_mixture_update(stmt, adds, a))
        x->all = pg_mix(x->all, v);
}

/* What access "a" of "stmt" makes of the "old" value. */
static inline uint64_t pg_mixture_write(const struct mixture *x,
                                        const struct pg_stmt *stmt,
                                        unsigned adds, unsigned a, uint64_t old)
{
    switch (stmt->kind) {
    case PG_STMT_COPY:
        return x->value[0];
    case PG_STMT_FILL:
        return 0;
    case PG_STMT_COMBINE:
        return x->value[0] + x->value[1];
    default:
        return pg_mix(x->all, a) + (pg_mixture_update(stmt, adds, a) ? old : 0);
    }
}

#endif
