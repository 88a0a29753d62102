/* interpreter.h - what the parts of the interpreter share: run.c (the host,
 * comparison), launch.c (kernels, threads, buffers) and execute.c (instances of
 * statements).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_TEST_INTERPRETER_H
#define POLYGPU_TEST_INTERPRETER_H

#include "accesses.h"
#include "buffers.h"
#include "code.h"
#include "eval.h"
#include "run.h"

#include <stdint.h>

enum { MAX_DIM = 8 };

/* What "touched" says of an element. */
enum {
    READ_FIRST = 1, /* before it was written */
    WRITTEN = 2,
    MOVED = 4,
    READ = 8
};

/* One executed instance. */
struct instance {
    unsigned stmt;
    long long args[MAX_ARGS];
};

/* Where the subscripts of an array begin, and how many there are. */
struct shape {
    long long low[MAX_DIM], side[MAX_DIM];
    size_t size; /* in elements */
};

/* A thread of a launch. */
struct thread {
    size_t at; /* step of the code */
    long long values[MAX_NAMES];
    size_t number;    /* in the launch */
    size_t place;     /* among those that run together */
    uint64_t met;     /* which barriers it met */
    size_t n_barrier; /* of those */
    size_t n_copy;
    bool done;
};

/* The kernel that runs. */
struct launching {
    unsigned number;
    const struct pg_kernel *kernel;
    const struct code *code;
    struct names names;   /* of parameters, threads and blocks */
    struct expr **inside; /* by buffer; of the names and subscripts */
    struct buffers *buffers;
    struct thread *thread;  /* that runs */
    long phase;             /* from 1 on */
    bool *copied, *written; /* by array */
};

struct machine {
    const struct pg_plan *plan;
    const struct pg_scop *scop;
    const struct machine *source; /* the run in the original order */
    struct shape *shapes;         /* by array */
    const long long *values;
    struct names names; /* of parameters */
    uint64_t *own;      /* [thread][array]: variables of the threads */
    uint64_t **memory;  /* what statements work on, by array */
    unsigned char **touched;
    struct subscripts ***subscripts; /* [stmt][access] */
    struct expr **instances;         /* by statement, or NULL yet */
    struct instance *log;
    size_t n_log, size_log;
    struct run_result *result;
    unsigned order;
    uint64_t **host; /* for moves: memory of the host */
    bool moving_in;
    long long last_move[1 + MAX_DIM];
    bool any_move;
    struct launching *launch; /* or NULL */
    uint64_t dropped;         /* bit 8 * k + b: ignore barrier b of kernel k */
    char *error;
};

/* "h" and "v" as one number. */
uint64_t mix(uint64_t h, uint64_t v);

/* Where element "x" of an array is in memory. */
size_t offset(struct machine *m, unsigned array, const long long *x);

/* The value of "expr" where the thread is that runs. */
long long value_of(struct machine *m, const struct expr *expr);

/* Element "row", of "n" subscripts, of a buffer for the thread that runs; NULL
 * after an error.
 */
struct cell *in_buffer(struct machine *m, unsigned buffer,
                       struct expr *const *row, unsigned n);

/* Run instance "args" of statement "s"; "action" is NULL in the original order.
 */
void execute(struct machine *m, unsigned s, const long long *args,
             const struct action *action);

/* Launch a kernel; "values" are those of the names on the host. */
void launch(struct machine *m, const struct action *action,
            const long long *values);

#endif
