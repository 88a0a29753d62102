/* polyhedral.h - the polyhedral core: from a SCoP to kernels.
 *
 * C11 over isl, no LLVM.  The way of a SCoP through the core:
 *
 *   pg_dependences   reads and writes      -> dependences, live-in, live-out
 *   pg_schedule      dependences           -> schedule tree
 *   pg_map           schedule tree, sizes  -> kernels, host schedule
 *   pg_build_ast     kernels               -> ASTs of kernels, host and copies
 *   pg_count_operations     kernels               -> how much there is to do
 *
 * or all of it with pg_compile.  Every step returns isl_stat_ok, or appends a
 * reason to the report and returns isl_stat_error with the SCoP still usable
 * (to be printed and freed).  Steps never end the process; each runs under
 * the quota pg_options.max_operations of operations of isl, and what is left of
 * pg_options.budget.
 *
 * All isl objects live in the context scop->ctx, which the caller creates
 * with pg_ctx_alloc and frees after the last object.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_POLYHEDRAL_H
#define POLYGPU_POLYHEDRAL_H

#include <isl/ast.h>
#include <isl/ast_build.h>
#include <isl/ctx.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The SCoP ---------------------------------------------------------- */

enum pg_array_kind {
    PG_ARRAY_MEMORY, /* memory of the program */
    PG_ARRAY_VALUE,  /* an SSA value carried between statements; 0 dimensions */
    PG_ARRAY_PHI,    /* the incoming value of a phi; 0 dimensions */
    PG_ARRAY_TEMPORARY /* made by the core: memory of the device only */
};

struct pg_array {
    char *name;         /* tuple name in the access relations */
    char *source_name;  /* in the source's words, for people */
    char *type;         /* element type as C text: "float", "double", ... */
    unsigned elem_size; /* bytes */
    enum pg_array_kind kind;
    unsigned n_dim;
    /* extent[d], d >= 1: number of elements in dimension d, as an expression
     * of the parameters; extent[0] is NULL (not needed) but for temporaries,
     * whose extents are negative or zero where they have no elements.  Element
     * [x0,x1,x2] is element (x0 * extent[1] + x1) * extent[2] + x2 from the
     * base. */
    isl_pw_aff **extent;
    /* The value is dead after the SCoP: writes need not reach the host. */
    bool dead_after;
    /* Temporaries: the array of the source whose values it has; of others the
     * own index. */
    unsigned origin;
    /* A temporary that each block has for itself, in shared memory only: no
     * memory is allocated for it. */
    bool of_block;
    /* Such a one needs only so many of its planes in dimension "plane" at a
     * time: what is that many planes in front of an element is not accessed any
     * more from that iteration of the loop over planes on in which the element
     * is accessed first.  0: that is not known. */
    unsigned planes, plane;
    /* So many elements from the base on are memory that can be read, whatever
     * the program accesses; 0: that is not known. */
    unsigned known;
    /* Set by pg_conditions.  Of the elements that live on, some are written by
     * guarded accesses only: the host may get no others than those that were
     * really written. */
    bool flagged;
    /* Some elements that are copied in have guarded accesses only: it has to be
     * seen at run time whether the host's memory is there. */
    bool probed;
    /* Statements read it at places that data say.  The core has no accesses of
     * it, nothing in the SCoP writes it, and what is copied to the device is
     * not the core's matter. */
    bool indirect;
    /* It is indirect, and statements update it there, too, by atomic operations
     * that may come in any order. */
    bool updated;
};

/* Associative and commutative operators. */
enum pg_operator {
    PG_OP_NONE,
    PG_OP_ADD,
    PG_OP_MUL,
    PG_OP_AND,
    PG_OP_OR,
    PG_OP_XOR,
    PG_OP_MIN, /* signed, or of floating-point numbers */
    PG_OP_MAX,
    PG_OP_UMIN,
    PG_OP_UMAX,
    PG_OP_FMIN, /* those of math.h: a NaN is no value */
    PG_OP_FMAX
};

/* What a statement is. */
enum pg_stmt_kind {
    PG_STMT_SOURCE, /* of the source, or a part of one that is */
    /* Made by the core: */
    PG_STMT_COPY, /* writes what accesses[0] reads to accesses[1] */
    PG_STMT_FILL, /* writes the neutral value of its operator to accesses[0] */
    PG_STMT_COMBINE /* writes accesses[0] operator accesses[1], which it reads,
                     * to accesses[2] */
};

/* An instance writes to element accesses[updated] what accesses[old] reads
 * there "op" something that depends neither on that nor on other old values, in
 * an order of instances that does not matter to the source. */
struct pg_update {
    enum pg_operator op;
    unsigned old, updated;
};

struct pg_access {
    unsigned array;    /* index into pg_scop.arrays */
    bool write;        /* else read */
    bool must;         /* for writes: happens at every instance */
    isl_map *relation; /* { S[i] -> A[x] } */
    /* The kernel makes the access at every instance, the program only where a
     * condition on data holds.  A guarded write leaves what the same instance
     * has read there where it does not: an earlier write is not dead for it. */
    bool guarded;
};

struct pg_stmt {
    char *name; /* tuple name of the domain */
    unsigned line;
    /* What an instance takes: arithmetic operations and memory accesses; 0:
     * not known, and then one and the accesses count.  No part of the text. */
    double weight;
    /* Of that, additions, multiplications, divisions and square roots of
     * floating-point numbers of up to 32 bits, and of longer ones. */
    double flops_single, flops_double;
    /* Updates of elements at places that data say.  No part of the text. */
    double scattered;
    /* How much code an instance is, in instructions, where that is more than
     * its weight, mostly for divisions; else 0.  No part of the text. */
    double code;
    isl_set *domain; /* { S[i] } */
    /* The reads of an instance come before its writes, and these happen in
     * their order. */
    unsigned n_access;
    struct pg_access *accesses;
    /* The statement of the source that it is a part of, with the same
     * iterators and the same accesses by number; the own index if it is one. */
    unsigned origin;
    /* Made by the core it is not of the source, and origin is the own index. */
    enum pg_stmt_kind kind;
    enum pg_operator op; /* of the kinds with one */
    /* Of a statement of the source: what it updates, each array once. */
    unsigned n_update;
    struct pg_update *updates;
    /* In this variant the order of updates may be another one. */
    bool reordered;
    /* Has a result for whatever it reads, and does nothing but write: it does
     * no harm beyond its domain if nobody uses what it writes there. */
    bool total;
    /* Its last iterators, which its origin has not.  1: the number of the steps
     * in a tile.  More: those of a launch and of a tile that overlaps others:
     * an instance of the source may be in several, the same in each.  0: none.
     */
    unsigned n_tile;
};

struct pg_param {
    char *name;        /* as in the isl objects */
    char *source_name; /* in the source's words */
};

struct pg_scop {
    isl_ctx *ctx;
    char *function; /* name of the function in the source */
    char *file;
    unsigned line;
    bool all_loops;   /* isl makes all loops: what it does is to be mutated */
    isl_set *context; /* { : constraints on the parameters }, params only */
    isl_set *types;   /* the same and what their types imply, or NULL */
    unsigned n_param;
    struct pg_param *params; /* all parameters, in the order of the context */
    unsigned n_array;
    struct pg_array *arrays;
    unsigned n_stmt;
    struct pg_stmt *stmts;
    isl_schedule *original; /* execution order of the source */

    /* Set by pg_dependences. */
    isl_union_map *raw, *war, *waw; /* { S[i] -> T[j] }, S before T */
    isl_union_set *live_in; /* { A[x] } read before any write in the SCoP */
    /* { A[x] } written.  Those of arrays that are dead after the SCoP are not
     * moved, but it is by them that the host knows how large the arrays are. */
    isl_union_set *live_out;

    /* Set by pg_schedule. */
    isl_schedule *schedule;
    bool schedule_gisted; /* found with dependences gisted by the domains */
    bool variants_spent;  /* operations ran out for a more parallel variant */
    /* Steps of an elimination are in blocks (blocks.c): the loop of the host
     * around them, { S[i] -> [T] }.  Else NULL. */
    isl_union_pw_aff *blocks;
    /* Steps of a time loop are in tiles, overlapping or by panels, or those of
     * an elimination in blocks: this is the SCoP without them, with its
     * schedule.  Else NULL. */
    struct pg_scop *instead;
    /* Why sizes that were given for tiles of several steps were not taken, a
     * sentence.  Else NULL. */
    char *not_taken;
};

isl_ctx *pg_ctx_alloc(void);
void pg_ctx_free(isl_ctx *ctx);

/* An empty SCoP in "ctx". */
struct pg_scop *pg_scop_alloc(isl_ctx *ctx);
void pg_scop_free(struct pg_scop *scop);
/* A SCoP of its own in the same context, without what the steps have found. */
struct pg_scop *pg_scop_copy(const struct pg_scop *scop);
/* Plans are for parameters whose absolute value is at most this: no array is
 * larger. */
#define PG_MAX_PARAM (1LL << 48)
/* A map, a set, and a schedule with its domain, without what holds, or cannot
 * hold, for all parameters up to PG_MAX_PARAM. */
__isl_give isl_map *pg_small_params_map(__isl_take isl_map *map);
__isl_give isl_set *pg_small_params_set(__isl_take isl_set *set);
__isl_give isl_set *pg_without_type_bounds(__isl_take isl_set *context);
__isl_give isl_schedule *
pg_small_params_schedule(__isl_take isl_schedule *schedule);
/* Is "scop" in tiles of several steps by panels, or in blocks?  Their kernels
 * are those of any other SCoP, of whatever sizes. */
bool pg_scop_has_panels(const struct pg_scop *scop);
/* Have "scop", which is in overlapping tiles, be the one without them. */
void pg_scop_without_overlap(struct pg_scop *scop);

/* Text form, and back.  The printed text of a parsed text is the same text.
 * pg_scop_read returns NULL and sets *error (malloc'ed, one sentence with the
 * line number) if "text" is no SCoP. */
char *pg_scop_to_str(const struct pg_scop *scop);
struct pg_scop *pg_scop_read(isl_ctx *ctx, const char *text, char **error);

/* ---- Options and reasons ------------------------------------------------ */

/* What the work on some loops, a function or a file may take together:
 * operations (0: no limit) and processor time (0: no limit) of the thread that
 * began it.  Begun with pg_budget_begin; nothing is to be freed. */
struct pg_budget {
    const char *of, *advice; /* for sentences, not owned */
    unsigned long operations, last;
    double seconds, end;
    bool late;               /* a step was ended for its time */
    struct pg_budget *outer; /* is spent as well, or NULL */
};

/* Begin a budget for the work on "of" (a noun); "advice" is what to do when it
 * is spent. */
void pg_budget_begin(struct pg_budget *budget, const char *of,
                     const char *advice, unsigned long operations,
                     double seconds, struct pg_budget *outer);

/* Begin a budget for an attempt that may take so many fifths of the operations
 * that are left of "whole", which it is a part of. */
void pg_budget_begin_part(struct pg_budget *part, struct pg_budget *whole,
                          unsigned fifths);

/* Operations that were taken of "budget" so far. */
unsigned long pg_budget_used(const struct pg_budget *budget);

/* Operations that are left of "budget" and of those around it, at least 1 and
 * at most "most"; 0, which is also allowed for "most", is no limit. */
unsigned long pg_budget_operations(const struct pg_budget *budget,
                                   unsigned long most);

/* "operations" of those that were taken do not count, of "budget" nor of those
 * around it. */
void pg_budget_give_back(struct pg_budget *budget, unsigned long operations);

/* NULL if something is left of "budget" and of those around it, else a
 * malloc'ed sentence that says which is spent. */
char *pg_budget_spent(const struct pg_budget *budget);

/* Which statements of strongly connected components that do not depend on each
 * other in a cycle share loops. */
enum pg_fusion {
    PG_FUSION_AUTO,  /* of the others what is most parallel, depth first */
    PG_FUSION_MIN,   /* none */
    PG_FUSION_DEPTH, /* those whose common band does not become shallower */
    PG_FUSION_MAX    /* as many as possible */
};

/* What becomes of loops around kernels that carry dependences. */
enum pg_time {
    PG_TIME_AUTO,   /* of these what is faster */
    PG_TIME_OFF,    /* loops of the host around launches */
    PG_TIME_CHAIN,  /* a kernel of one block wherever that is possible */
    PG_TIME_TILES,  /* waves of tiles wherever that is possible */
    PG_TIME_OVERLAP /* overlapping tiles wherever that is possible */
};

/* How a product is to differ from what would be chosen. */
struct pg_attempt {
    unsigned smaller; /* steps by which a thread has fewer points */
    bool narrow;      /* blocks of half as many threads */
};

struct pg_options {
    unsigned long max_operations; /* of one phase, attempts to do better get
                                   * half as many; 0: no limit */
    double max_seconds;           /* processor time of one phase */
    struct pg_budget *budget; /* what all phases draw from, NULL: no limit */
    const char *sizes; /* PPCG's notation, NULL: defaults; see pg_sizes_check */
    enum pg_fusion fusion;
    enum pg_time time;
    bool promote;     /* use shared memory and registers where that pays */
    bool promote_all; /* also arrays that blocks write, where it does not */
    /* What the kernels are for; NULL: the oldest device that is supported. */
    const struct pg_machine *machine;
    /* The caller looks at the registers of kernels, and comes again: kernel k <
     * n_attempt is to be as attempt[k] says. */
    bool measured;
    unsigned n_attempt;
    const struct pg_attempt *attempt;
    /* Schedules as isl prints them, a line each, of which one has to be for
     * the SCoP: pg_schedule takes it instead of asking isl.  NULL: ask. */
    const char *schedules;
    /* The same loops were found to have nothing parallel: pg_dependences gives
     * that reason at once. */
    bool serial;
    /* The plan is for threads of a CPU that share the host's memory: one
     * parallel loop a kernel, whose blocks have one thread, and what is inside
     * in the schedule's order; no buffers, chains, tiles in time. */
    bool threads;
    /* Passes over the trees of kernels (pg_passes_check) before and after which
     * these are printed; NULL: none. */
    const char *print_before, *print_after;
    void (*print)(const char *text, void *user);
    void *print_user;
};

void pg_options_default(struct pg_options *options);

/* NULL if "sizes" is a relation that pg_map understands, like
 * { kernel[0] -> tile[32,32]; kernel[0] -> block[16,16];
 *   kernel[i] -> grid[256,256] }, else a malloc'ed sentence. */
char *pg_sizes_check(const char *sizes);

/* NULL if "list" has names of passes over the trees of kernels, like
 * "tile,threads", or "all", else a malloc'ed sentence. */
char *pg_passes_check(const char *list);

enum pg_code {
    PG_QUOTA,          /* a phase used up its operations */
    PG_ISL,            /* isl reported an error */
    PG_NO_PARALLELISM, /* no parallel dimension in the whole SCoP */
    PG_MAY_WRITE,      /* a write that may not happen, and would be lost */
    PG_NOT_FUNCTION,   /* an access to several elements at once */
    PG_SCHEDULE,       /* no schedule, or one that breaks a dependence */
    PG_BOUNDS,         /* index arithmetic may overflow for every size */
    PG_WRONG,          /* a plan that does not do what its SCoP does */
    PG_UNSUPPORTED
};

struct pg_reason {
    enum pg_code code;
    char *sentence; /* what, and what the user can do */
    char *stmt;     /* the statement's name, or NULL */
};

struct pg_report {
    unsigned n;
    struct pg_reason *reasons;
};

void pg_report_init(struct pg_report *report);
void pg_report_clear(struct pg_report *report);
void pg_report_add(struct pg_report *report, enum pg_code code,
                   const char *stmt, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Once the dependences of the source's SCoP are known: which arrays are flagged
 * and probed. */
isl_stat pg_conditions(struct pg_scop *scop, const struct pg_options *options,
                       struct pg_report *report);

/* ---- Kernels ------------------------------------------------------------ */

/* What a user node of an AST stands for: the user pointer of the isl_id that
 * is the node's annotation (isl_ast_node_get_annotation), owned by the id. */
enum pg_user_kind {
    PG_USER_STMT,    /* in a kernel: one instance of a statement */
    PG_USER_BARRIER, /* in a kernel: __syncthreads() */
    PG_USER_COPY,  /* in a kernel: all threads fill a buffer in shared memory */
    PG_USER_BACK,  /* in a kernel: what is written in one goes back to memory */
    PG_USER_LOAD,  /* in a kernel: one element to its register */
    PG_USER_STORE, /* in a kernel: one element from its register */
    PG_USER_LAUNCH, /* on the host: launch a kernel */
    PG_USER_MOVE    /* on the host: one element of an array to be moved */
};

struct pg_user {
    enum pg_user_kind kind;
    unsigned index; /* of the statement, kernel, array or (COPY, BACK, LOAD,
                       STORE) buffer */
    /* STMT: the instance, one expression per domain dimension.
     * COPY, BACK: the subscripts of the first element of the box.
     * LOAD, STORE: the subscripts of the element.
     * LAUNCH: values of the kernel's host iterators pg_kernel.host[].
     * MOVE: the subscripts of the element, one per array dimension. */
    unsigned n;
    isl_ast_expr **args;
    /* STMT: for each access its subscripts access[a][d]: if redirected[a] is
     * the number of a buffer of the kernel, d < n_dim of that, else (-1) of the
     * array.  LOAD, STORE: access[0] has those of the register. */
    unsigned n_access;
    isl_ast_expr ***access;
    int *redirected;
    /* STMT: guard[a] is NULL if access a happens at every instance, else the
     * condition under which it does. */
    isl_ast_expr **guard;
    /* COPY, BACK: the condition under which all elements of the box are moved;
     * NULL: they always are. */
    isl_ast_expr *whole;
    /* COPY, BACK: the values of "i0", "i1", ... in the conditions on elements
     * (pg_kernel.inside and back). */
    unsigned n_place;
    isl_ast_expr **place;
    /* LAUNCH: number of blocks in x, y, z. */
    isl_ast_expr *grid[3];
};

enum pg_buffer_kind {
    PG_BUFFER_SHARED,  /* elements of a box of an array, of a block */
    PG_BUFFER_REGISTER /* elements of an array, of a thread */
};

/* What a kernel keeps closer than in memory of the device. */
struct pg_buffer {
    enum pg_buffer_kind kind;
    char *name;
    unsigned array; /* whose elements */
    /* SHARED: buffers of different components may lie at the same place: those
     * of one slot do.  Each component counts its own slots. */
    unsigned component, slot;
    /* SHARED: of the box, by dimension of the array.  REGISTER: points of a
     * thread, by parallel loop. */
    unsigned n_dim, *extent;
    /* SHARED: the box has every stride[d]-th element in dimension d. */
    unsigned *stride;
    /* SHARED: there is room for extent[plane] planes of the box only, at a
     * time; subscripts there, which are not negative, are taken modulo that. */
    bool folded;
    unsigned plane;
    /* SHARED: elements that are next to each other in this dimension of the
     * array are so in the buffer; the other dimensions are in their order, and
     * after each run are "pad" elements that are not used. */
    unsigned innermost, pad;
    /* SHARED: elements that a thread copies at once; boxes start at a multiple
     * of them in the last dimension. */
    unsigned vector;
    /* SHARED: how many copies there is room for: more than 1 if the next ones
     * may be made while one is used. */
    unsigned stages;
    /* SHARED: elements have a size that the device can copy without registers,
     * asynchronously (cp.async of sm_80). */
    bool async;
    /* SHARED: statements write it, and what they wrote goes back to memory
     * unless nobody reads it there. */
    bool written;
};

/* The identifier of a mark of a kernel's AST: the loops below that have depths
 * first to first + n - 1 in the schedule are to be unrolled; number d of them
 * has values from 0 to less than extent[d].  Its user pointer is a struct
 * pg_unroll. */
#define PG_MARK_UNROLL "unroll"
/* Below is a loop of the following structure: copies, a barrier, and what uses
 * the copies.  The copies of the next iteration may run with that. */
#define PG_MARK_PIPELINE "pipeline"

struct pg_unroll {
    unsigned first, n, extent[16];
    bool steps; /* loop "first" is sequential, and may stay a loop as well */
    /* No point accesses an element of memory that another one of the launch
     * writes. */
    bool apart;
};

/* At what depth of a kernel's schedule is the loop over "iterator" in its AST?
 * -1 for other identifiers. */
int pg_loop_depth(__isl_keep isl_id *iterator);

/* Which of the loops that "unroll" is about, or NULL, is that over "iterator"?
 * -1 for none. */
int pg_unrolled_loop(const struct pg_unroll *unroll,
                     __isl_keep isl_id *iterator);
/* The first number that a loop which is unrolled may have, if its first one is
 * "init", an expression: 0 or, where isl has put loops with strides together,
 * less.
 */
long long pg_unrolled_first(__isl_keep isl_ast_expr *init);

/* Ways to map a kernel, the best first. */
enum pg_mapping_kind {
    PG_MAPPING_PROMOTED, /* tiles of blocks and threads, with buffers */
    PG_MAPPING_SHARED,   /* NESTED, on boxes of arrays in shared memory */
    PG_MAPPING_NESTED,   /* the threads of a block share the loops inside of */
                         /* the one parallel loop, with barriers */
    PG_MAPPING_PLAIN     /* tiles only; every thread runs all that is inside */
};

enum {
    PG_GRID_ALL = 2147483647, /* a block for each tile */
    PG_GRID_YZ = 65535 /* blocks that devices start in y and z; more tiles are
                          done in turns, which is up to who makes code */
};

/* Which tiles a block has, by dimension of the grid: block b has those for
 * which floor(member / tile) mod grid = b, with PG_GRID_ALL the one that is b.
 */
struct pg_tiling {
    isl_union_pw_aff *member[3]; /* { S[i] -> [v] } */
    long long tile[3], grid[3];
    unsigned place[3]; /* which member of the outermost band it is */
};

/* One way to map a kernel, complete in itself. */
struct pg_mapping {
    enum pg_mapping_kind kind;
    unsigned n_grid, n_block; /* used dimensions; "b0".. and "t0".. are */
                              /* blockIdx.x.. and threadIdx.x.. */
    unsigned block[3];        /* threads in x, y, z; 1 where not used */
    unsigned grid_limit[3];   /* blocks at most; PG_GRID_ALL: not known */
    isl_pw_aff *blocks[3];    /* { kernel[h] -> [n] }; NULL: 1 */
    struct pg_tiling tiling;  /* no members where there is no grid */
    unsigned n_buffer;
    struct pg_buffer *buffers;
    struct pg_promotion *promotion; /* how buffers are used; NULL: none */
    unsigned min_blocks; /* blocks that shall fit onto a multiprocessor by */
                         /* their registers; 0: as many as turn out */
    bool given;          /* the points of a thread are the user's choice */
    bool vectors;        /* the points of a thread are next to each other, so */
                         /* that what they access are vectors */
    char *about; /* the sizes, and what they are made for; NULL: the default */
    isl_schedule *schedule; /* tiled and mapped, for print<gpu-mapping> */
};

/* The host may have two ways to launch: loops around kernels, or kernels that
 * have such loops in them. */
enum pg_way {
    PG_WAY_BOTH, /* a kernel of either */
    PG_WAY_LOOPS,
    PG_WAY_CHAINS
};

struct pg_kernel {
    char *name; /* function_line_k as a C identifier, unique in the SCoP */
    unsigned line;
    /* Parameters of the kernel's AST beyond those of the SCoP, by name. */
    unsigned n_host; /* host iterators "h0", "h1", ... */
    char **host;
    bool parallel;         /* false: one thread does everything */
    unsigned n_parallel;   /* parallel dimensions of the band that was mapped */
    isl_union_set *domain; /* statement instances */
    isl_map *when;         /* { kernel[h] -> [v] }: when it is launched */
    enum pg_way way;       /* of the host, on which that is */
    bool tiled;            /* each block runs a tile, each launch a wave */
    bool combines;         /* one block combines partial results, and goes on */
    /* A chain's nests when they run, { nest0[time] }, and the instances of
     * those of one thread; else NULL. */
    isl_union_set *steps, *alone;
    /* The ways to map it, best first, and the one that is chosen: pg_map says
     * the first one, pg_build_ast the first one whose loops can be made. */
    unsigned n_candidate;
    struct pg_mapping *candidates;
    const struct pg_mapping *mapping;
    char *choice; /* what is chosen, or why not better; NULL: the default */
    /* Set by pg_build_ast: what was made of the mapping. */
    isl_ast_node *ast;
    bool has_barrier;
    /* For threads of a CPU, in tiles for caches: bytes of lines by statement
     * that an instance brings, see PG_COUNT_AGAIN; NULL: no such tiles. */
    unsigned *again;
    /* By buffer, SHARED: the condition on the subscripts "e0", "e1", ..., and
     * on the place of the box ("i0", "i1", ...) where copies have one, under
     * which an element is copied; zero stands for all others.  back: under
     * which it goes back to memory; NULL: none does. */
    isl_ast_expr **inside, **back;
};

enum pg_bound_kind {
    PG_BOUND_LOWER,    /* the dimension is at least the value, */
    PG_BOUND_UPPER,    /* at most the value; */
    PG_BOUND_CONDITION /* nothing counts unless the value is at least 0 */
};

/* (sum of factors times parameters, dimensions before "dim", and 1) divided by
 * "divisor" >= 1; conditions have parameters and 1 only. */
struct pg_bound {
    enum pg_bound_kind kind;
    unsigned dim;
    long long divisor, *factors;
};

enum pg_count_kind {
    PG_COUNT_OPERATIONS,   /* in all launches of a kernel */
    PG_COUNT_LAUNCHES,     /* of a kernel */
    PG_COUNT_THREADS,      /* in all launches of a kernel */
    PG_COUNT_FLOPS_SINGLE, /* among the operations, see pg_stmt */
    PG_COUNT_FLOPS_DOUBLE,
    PG_COUNT_STEPS, /* nests that a block runs one after the other, in all
                       launches of a kernel that is a chain */
    PG_COUNT_ALONE, /* operations of one of its threads, others wait */
    PG_COUNT_AGAIN, /* bytes of cache lines that all iterations of the loop that
                       threads of a CPU share go through, in the order of the
                       source; tiles have them once for PG_TILE_OF_THREAD */
    PG_COUNT_ROUNDS,   /* iterations of that loop in all launches */
    PG_COUNT_SCATTERED /* updates at places that data say, which threads of a
                          CPU make as one operation each */
};

/* So many iterations of a loop that threads of a CPU share use the same
 * elements of an array one after the other. */
enum { PG_TILE_OF_THREAD = 8 };

/* An estimate that depends on the parameters: "weight" times the number of
 * points between bounds, which are sorted by dimension, conditions last.
 * Several of one kind and kernel add up. */
struct pg_count {
    enum pg_count_kind kind;
    unsigned kernel;
    double weight;
    unsigned n_dim, n_bound;
    struct pg_bound *bounds;
};

/* What pg_compile decides for one SCoP. */
struct pg_plan {
    struct pg_scop *scop; /* not owned */
    unsigned n_kernel;
    struct pg_kernel *kernels;
    isl_union_map *host_schedule; /* { kernel0[h] -> [...] }, loops */
    isl_ast_node *host;           /* loops around PG_USER_LAUNCH */
    /* The other way, with kernels that have such loops in them, the parameters
     * for which it is faster, and these as an expression; NULL: there is one
     * way.  Both are right for all parameters. */
    isl_union_map *chained_schedule;
    isl_set *chained_if;
    isl_ast_node *chained;
    isl_ast_expr *chain;
    isl_ast_node *in, *out; /* loops around PG_USER_MOVE */
    /* filled[a]: of array a, "in" may have elements that are not live-in, which
     * lie between two in memory that are. */
    bool *filled;
    /* Some statement instance exists, as an expression of the parameters. */
    isl_ast_expr *nonempty;
    /* extents[a][d]: extent d of array a if it is a temporary; else extents[a]
     * is NULL. */
    isl_ast_expr ***extents;
    /* is_private[a]: every thread has a variable of its own for array a, and
     * accesses that instead of memory, whatever the subscripts. */
    bool *is_private;
    /* own[a]: the variable is an array, with own[a][d] elements by dimension d
     * of array a, 1 where the subscript does not matter, and 0: its extent, in
     * memory that is lent; NULL: one element.  Threads of a CPU only. */
    unsigned **own;
    /* A grid has a block for each tile of a wave if the absolute value of no
     * parameter is above this; 0: there are no waves of tiles. */
    long long tile_limit;
    /* If the absolute value of no parameter is above param_limit, which is at
     * most PG_MAX_PARAM, and tile_limit where there is one, then no
     * intermediate value of any AST expression in a kernel overflows a signed
     * integer of index_bits (32 or 64) bits, and none on the host 64. */
    unsigned index_bits;
    long long param_limit;
    /* The same for the ASTs of the host alone, in 64 bits. */
    long long host_limit;
    /* How much there is to do; none where that is not known. */
    unsigned n_count;
    struct pg_count *counts;
};

isl_stat pg_dependences(struct pg_scop *scop, const struct pg_options *options,
                        struct pg_report *report);
/* The SCoP may become another one, which computes the same, with arrays and
 * statements of the core's after those of the source. */
isl_stat pg_schedule(struct pg_scop *scop, const struct pg_options *options,
                     struct pg_report *report);
/* The same for threads of a CPU, of the SCoP as it is: the order of the source,
 * unless another one has more in parallel loops outside of all others. */
isl_stat pg_schedule_threads(struct pg_scop *scop,
                             const struct pg_options *options,
                             struct pg_report *report);

/* Has a statement of the source, whose loops have been scheduled, none that is
 * parallel? */
bool pg_schedule_waits(const struct pg_scop *scop);

/* Another schedule, without fusion, for a SCoP whose loops take too long to
 * generate with the one that it has; it keeps that one, and the result is an
 * error, if there is no other or the options ask for a certain one. */
isl_stat pg_schedule_apart(struct pg_scop *scop,
                           const struct pg_options *options,
                           struct pg_report *report);

/* isl_bool_true if "schedule" executes every instance of "scop" and no
 * dependence goes backwards or stays at the same point. */
isl_bool pg_schedule_is_legal(const struct pg_scop *scop,
                              isl_schedule *schedule);

/* Decide kernels, tiles, blocks and threads.  Returns NULL and a reason when
 * nothing is to be offloaded. */
struct pg_plan *pg_map(struct pg_scop *scop, const struct pg_options *options,
                       struct pg_report *report);
isl_stat pg_build_ast(struct pg_plan *plan, const struct pg_options *options,
                      struct pg_report *report);

struct pg_stmt pg_stmt_copy(const struct pg_stmt *stmt);
/* One more update of "stmt", all zero. */
struct pg_update *pg_stmt_add_update(struct pg_stmt *stmt);
/* The update that reads or writes access number "a" of "stmt", or NULL. */
const struct pg_update *pg_stmt_update(const struct pg_stmt *stmt, unsigned a);

/* Has array "a" elements in memory of the device? */
bool pg_plan_in_memory(const struct pg_plan *plan, unsigned a);
/* Do subscripts of array "a" matter: is it in memory, or a variable of several
 * elements? */
bool pg_plan_has_subscripts(const struct pg_plan *plan, unsigned a);
/* How many elements a thread's variable for array "a" has; 0: it is lent. */
unsigned pg_plan_own_length(const struct pg_plan *plan, unsigned a);
/* A SCoP that computes the same as "scop", which has its dependences, where
 * each thread of a CPU has scalars and small arrays of its own, with its
 * dependences and schedule, if that has more in parallel loops than "scop" has
 * as it is scheduled, or not; else NULL. */
struct pg_scop *pg_scop_with_own(const struct pg_scop *scop,
                                 const struct pg_options *options);
/* Has each thread of "plan" all temporaries for itself? */
bool pg_plan_owns_temporaries(const struct pg_plan *plan);

/* pg_map and pg_build_ast; if "scop" is in overlapping tiles and these cannot
 * be made, without them.  After an error "*plan" is NULL or as far as it got,
 * for the caller to free. */
isl_stat pg_make_plan(struct pg_scop *scop, const struct pg_options *options,
                      struct pg_report *report, struct pg_plan **plan);

/* The elements of one stage of a buffer in shared memory, with those that are
 * not used: a multiple of 16, so that every stage starts aligned. */
unsigned pg_buffer_length(const struct pg_buffer *buffer);

/* Say in the choice of "kernel" why it is not mapped in the way "kind", after
 * what it says already. */
void pg_kernel_decline(struct pg_kernel *kernel, enum pg_mapping_kind kind,
                       const char *why);

/* May launches of kernels number "a" and "b" for the same iterations of the
 * loops of the host around them, one after the other, run at the same time:
 * does neither write what the other one accesses?  False as well if that takes
 * too many operations. */
bool pg_kernels_beside(const struct pg_plan *plan, unsigned a, unsigned b,
                       const struct pg_options *options);

/* The buffer of kernel number "kernel" that access number "access" of statement
 * number "stmt" goes to in it, or -1. */
int pg_kernel_buffer(const struct pg_plan *plan, unsigned kernel, unsigned stmt,
                     unsigned access);

/* Loops around PG_USER_MOVE for all elements that access number "access" of
 * statement number "stmt" goes to, each once; NULL after an error. */
isl_ast_node *pg_accessed_elements(struct pg_scop *scop, unsigned stmt,
                                   unsigned access);

/* Estimate how much a plan does, as functions of the parameters. */
void pg_count_operations(struct pg_plan *plan,
                         const struct pg_options *options);
/* The estimate of one kind for one kernel, given all parameters. */
double pg_count_get(const struct pg_plan *plan, enum pg_count_kind kind,
                    unsigned kernel, const double *params);

/* Faults that tests plant in a plan, to see whether pg_verify notices. */
enum pg_plant_kind {
    PG_PLANT_DOMAIN,   /* other instances, or a block less */
    PG_PLANT_ACCESS,   /* the next element of an array or a buffer */
    PG_PLANT_FILTER,   /* all blocks or threads do the work of one */
    PG_PLANT_SYNC,     /* a barrier less */
    PG_PLANT_EXCHANGE, /* another buffer */
    PG_PLANT_MOVE,     /* the next element is copied */
    PG_PLANT_OMIT      /* a copy to shared memory or back less */
};

/* Ask "chosen" for each place in "plan" where a fault can be planted, "where"
 * being the kernel, and plant it if so. */
isl_stat pg_plant(struct pg_plan *plan,
                  bool (*chosen)(enum pg_plant_kind kind, const char *where,
                                 void *user),
                  void *user, const struct pg_options *options,
                  struct pg_report *report);

/* What pg_verify has looked at. */
struct pg_coverage {
    unsigned complete;  /* sizes for which everything was executed, */
    unsigned sampled;   /* and for which some blocks of each launch were */
    unsigned several;   /* of both: and some of these have several tiles */
    unsigned too_large; /* sizes for which there would have been too much */
    unsigned ranges;    /* largest sizes for which indices were evaluated */
    unsigned n_kernel, n_kernel_run;
    unsigned kernels_seen; /* bit k: kernel k was launched, below 32 */
    unsigned long instances, blocks, blocks_run; /* blocks_run were executed */
    unsigned elements; /* copies of which were looked at, if all are too many */
    unsigned long steps;
    char cannot[80]; /* why nothing was executed at all; empty: it was */
};

/* Execute the ASTs of "plan" for several small sizes and hold that against the
 * order of the source: each instance exactly once, in the block that its
 * indices say, and with the values that it reads in the original order; no two
 * threads of a launch at one element, one of them writing, without a barrier in
 * between; all threads of a block at the same barriers and copies; each element
 * in its buffer when it is read from there; copied in and out just what has to
 * be; and the indices fit at the largest sizes that the plan admits.  "source"
 * is the SCoP before pg_schedule, with its arrays and statements in front, or
 * NULL: the plan's own.
 *
 * isl_stat_error and a reason (PG_WRONG) if there is a difference.  What cannot
 * be executed, or not within a number of steps that take about 50 ms, is no
 * difference: "coverage" says how much was. */
isl_stat pg_verify(const struct pg_plan *plan, const struct pg_scop *source,
                   struct pg_coverage *coverage, struct pg_report *report);

/* All steps. */
struct pg_plan *pg_compile(struct pg_scop *scop,
                           const struct pg_options *options,
                           struct pg_report *report);
/* What becomes of the copies to shared memory of a plan for newer devices. */
enum pg_older {
    PG_OLDER_SAME,     /* the same code, whose copies are done at once */
    PG_OLDER_REGISTERS /* code of its own: through registers, fewer stages */
};

/* "plan", with its ASTs, for "machine", which has no asynchronous copies: the
 * same kernels, whose boxes come as "copies" says.  NULL if it has too little
 * shared memory for them. */
struct pg_plan *pg_plan_for_older(const struct pg_plan *plan,
                                  const struct pg_machine *machine,
                                  enum pg_older copies);
void pg_plan_free(struct pg_plan *plan);

/* ---- Text for people (all malloc'ed) ------------------------------------ */

char *pg_schedule_to_str(const struct pg_scop *scop); /* dependences, tree */
char *
pg_plan_to_str(const struct pg_plan *plan); /* mapping, host AST, copies */

/* CUDA-like source of one kernel.  "stmt" (may be NULL) returns the malloc'ed
 * source text of a statement instance, or NULL for the generic form; "args"
 * and "access" are C texts of pg_user's args and full accesses "A[i][j]". */
typedef char *(*pg_stmt_printer)(void *user, unsigned stmt,
                                 const char *const *args,
                                 const char *const *access);
char *pg_kernel_to_str(const struct pg_plan *plan, unsigned kernel,
                       pg_stmt_printer stmt, void *user);

/* For tests only: take what isl's coalescing makes, right or wrong. */
void pg_coalesce_unchecked(bool on);
/* For tests only: is an allocation of isl in "ctx" to fail, which a phase of
 * the core asks for or not?  NULL: none is. */
extern bool (*pg_work_fails)(isl_ctx *ctx, bool in_phase);

#ifdef __cplusplus
}
#endif
#endif
