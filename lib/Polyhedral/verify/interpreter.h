/* interpreter.h - what the parts of the interpreter share: run.c (the host,
 * comparison), launch.c (kernels), few.c (of large ones a few blocks), block.c
 * (threads, buffers) and execute.c (instances of statements).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_VERIFY_INTERPRETER_H
#define POLYGPU_VERIFY_INTERPRETER_H

#include "verify/buffers.h"
#include "verify/code.h"
#include "verify/model.h"
#include "verify/result.h"

/* For a thread's own variables in a run of few iterations. */
#define UNWRITTEN UINT64_C(0x756e7772697474)

/* Who accessed an element in a launch, and in which phase. */
struct stamp {
    unsigned launch; /* in which this counts; 0: none */
    bool wrote, has_read, other_block;
    bool copied;           /* to a buffer that is only read */
    size_t writer, reader; /* the last ones, numbers of threads */
    long write_phase, read_phase;
    long others_phase; /* the last one of readers other than "reader" */
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

/* A kernel, translated. */
struct prepared {
    struct names names; /* of parameters, host loops, threads and blocks */
    struct code *code;
    /* By buffer: of the names, subscripts and the place of a box. */
    struct expr **inside, **back;
    /* What a launch runs, by statement: { S[i] } of parameters and host loops,
     * and { S[i] -> members of the grid }; NULL: nothing, or no grid. */
    struct points **domain;
    struct function **members;
    /* The former by tile: { S[i] } of parameters, host loops and the numbers of
     * a tile; NULL where they are not known. */
    struct points **tiles;
    long long tile[3], grid[3]; /* by dimension of the grid */
};

/* The kernel that runs. */
struct launching {
    unsigned number;
    const struct pg_kernel *kernel;
    const struct prepared *prepared;
    struct buffers *buffers;
    struct thread *thread; /* that runs */
    long phase;            /* from 1 on */
    long long grid[3];
    unsigned long n_run; /* instances */
    /* What is wanted of long loops, how many of the instances that ran are, and
     * whether one ran in an iteration that is not its own; NULL: all. */
    const struct windows *windows;
    unsigned long n_wanted;
    bool irregular;
};

/* What does not depend on the parameters' values. */
struct runner {
    const struct pg_plan *plan;
    const struct pg_scop *scop, *source;
    struct model *model,
        *source_model;  /* the latter of "source", or the same */
    struct names names; /* of parameters */
    struct prepared *kernels;
    struct code *host, *in, *out;
    struct code *chained; /* the host's other way, or NULL */
    struct expr *nonempty, *(*extents)[MAX_DIM];
    struct function *(*rows)[MAX_DIM]; /* lengths of rows; of arrays with */
}; /* filled gaps */

/* The elements between which gaps of an array may be filled. */
struct needed {
    bool known;
    unsigned array;
    long long first, last; /* places in memory; first > last: there are none */
};

struct machine {
    const struct runner *runner;
    const struct pg_plan *plan;
    const struct pg_scop *scop;
    struct state *state;    /* of the plan's scop */
    struct state *original; /* of the source, in the original order */
    const long long *values;
    uint64_t *own;  /* [place][array]: variables of the threads that run, */
                    /* of as many elements as they have */
    size_t *own_is; /* which element of the array each has; "few" only */
    struct pages **memory; /* what statements work on, by array */
    bool **moved;
    struct span *carried;  /* the elements that were moved, by array */
    struct pages **stamps; /* by array, of struct stamp */
    unsigned long n_run, n_source_run;
    unsigned n_launch; /* of all, if only some are run */
    struct run_result *result;
    const struct run_options *options;
    struct pages **host; /* for moves: memory of the host */
    bool moving_in;
    struct needed needed; /* of the array that is moved in */
    long long last_move[1 + MAX_DIM];
    bool any_move;
    struct launching *launch; /* or NULL */
    long *work;
    struct pg_fault *fault;
};

/* Where element "x" of an array is in memory; 0 after a fault. */
size_t pg_verify_offset(struct machine *m, unsigned array, const long long *x);

/* The value of "expr" where the thread is that runs. */
long long pg_verify_value(struct machine *m, const struct expr *expr);

/* Element "row", of "n" subscripts, of a buffer for the thread that runs; NULL
 * after an error.
 */
struct cell *pg_verify_cell(struct machine *m, unsigned buffer,
                            struct expr *const *row, unsigned n);

/* How many elements a thread's variables for arrays before number "array" have;
 * too many are SIZE_MAX.
 */
size_t pg_verify_own(const struct machine *m, unsigned array);

/* The thread that runs accesses an element in memory. */
void pg_verify_stamp(struct machine *m, unsigned array, size_t at, bool write);
void pg_verify_copied(struct machine *m, unsigned array, size_t at);

/* Run instance "args" of statement "s". */
void pg_verify_execute(struct machine *m, unsigned s, const long long *args,
                       const struct action *action);

/* Threads that run together, and elements of variables that these have. */
enum { MAX_THREADS = 1 << 16, MAX_OWN = 1 << 22 };

/* Number "i" of 0 to n - 1 in the order of this run. */
long long pg_verify_in_order(struct machine *m, long long i, long long n);

/* Run a few blocks of a launch, and hold what they run against their tiles. */
void pg_verify_few(struct machine *m, const long long *base);
/* Run the threads "from" to "from" + "n" - 1 of the launch between barriers. */
void pg_verify_threads(struct machine *m, const long long *base, long long from,
                       long long n);
/* The tiles of a translated kernel, as far as they can be said. */
void pg_verify_prepare_tiles(struct runner *runner, unsigned number);

/* Launch a kernel; "values" are those of the names on the host. */
void pg_verify_launch(struct machine *m, const struct action *action,
                      const long long *values);

/* Translate kernel number "number", and free what that made. */
void pg_verify_prepare(struct runner *runner, unsigned number,
                       struct pg_fault *fault);
void pg_verify_forget(struct runner *runner, unsigned number);

#endif
