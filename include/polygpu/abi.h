/* abi.h - the contract between offloaded code and the runtime.
 *
 * The compiler emits one polygpu_scop per offloaded SCoP and calls the
 * functions below; the runtime implements them.  Both sides include this file
 * and compare POLYGPU_ABI_VERSION: the compiler stores its own in every
 * descriptor and the runtime declines a SCoP whose number it does not know.
 *
 * A run of a SCoP is the sequence
 *
 *   run = polygpu_begin_sized(scop, p)   NULL: execute the original loops
 *   polygpu_array(run, a, base)          once for each array
 *   polygpu_keep(run, a, scope)          for arrays that may be kept
 *   polygpu_known(run)                   0: the moves follow
 *   polygpu_move(run, a, dir, ...)       any number of times, and
 *   polygpu_move_rows(run, a, dir, ...)
 *   polygpu_worth(run)                   0: execute the original loops; the
 *                                        run has ended
 *   polygpu_chosen_plan(run)             where there are several: whose
 *                                        kernels to launch
 *   polygpu_chained(run, fits)           where there are two ways: which one
 *   polygpu_launch(run, k, ...)          any number of times, in order
 *   polygpu_grid(run, k, ...)            likewise, for a loop of launches
 *   polygpu_defer(run, replay, ...)      if results may stay on the device
 *   polygpu_end(run)                     0: execute the original loops
 *
 * and behind the original loops, where the descriptor's "timing" is not 0,
 *
 *   polygpu_loops_end(scop)
 *
 * Between polygpu_keep_begin, which gives the scope, and polygpu_keep_end the
 * device copies of kept arrays outlive their runs: what is the same on both
 * sides is not copied again, and results are copied to the host when they are
 * needed.  Whoever reads or writes memory of the host there says so before,
 * with polygpu_touch.
 *
 * No user memory is written before polygpu_end, which writes either all
 * results or nothing, or before the touch that needs them.  A failure in the
 * middle is kept in the run; the calls that follow do nothing and polygpu_end
 * reports it.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_ABI_H
#define POLYGPU_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define POLYGPU_ABI_VERSION 22

enum polygpu_image_kind {
    POLYGPU_IMAGE_PTX = 1,  /* text, terminated by a zero byte */
    POLYGPU_IMAGE_CUBIN = 2 /* ELF file; devices of its major version that are
                               not older execute it */
};

/* Device code of all kernels of one SCoP, or of several. */
struct polygpu_image {
    uint32_t kind; /* enum polygpu_image_kind */
    uint32_t arch; /* compute capability, major * 10 + minor */
    uint64_t size; /* bytes, the terminating zero of PTX included */
    const void *data;
    void **loaded; /* NULL, or of an image that several SCoPs have a word that
                      all these have, the runtime's; NULL in the executable */
};

enum polygpu_param_kind {
    /* device address of element 0 of array `value` (the address that the
     * host's base pointer would have; the element may lie outside of the
     * device copy) */
    POLYGPU_PARAM_ARRAY = 0,
    /* the next entry of polygpu_launch's `values`; `value` is its size in
     * bytes */
    POLYGPU_PARAM_VALUE = 1,
    /* of kernels with POLYGPU_KERNEL_GRID: the device address of a word where
     * blocks meet */
    POLYGPU_PARAM_COUNTER = 2
};

struct polygpu_param {
    uint32_t kind; /* enum polygpu_param_kind */
    uint32_t value;
};

enum polygpu_access_flags {
    POLYGPU_ACCESS_WRITE = 1,
    POLYGPU_ACCESS_ATOMIC = 2, /* reads and writes in one */
    POLYGPU_ACCESS_SHARED = 4  /* shared memory, not an array of the host's */
};

/* One load, store or atomic operation in the code of a checked kernel. */
struct polygpu_access {
    uint32_t flags; /* enum polygpu_access_flags */
    uint32_t size;  /* bytes */
    uint32_t line;  /* of the source, 0 if not known */
    uint32_t param; /* parameter of the kernel that is the array's address,
                       UINT32_MAX: one of several */
    /* of shared memory: */
    const char *name;
    uint32_t offset, bytes; /* where the array lies */
    uint32_t elem_size;     /* bytes */
};

struct polygpu_thread;

/* What kernels call on the emulated device, each thread with its own "self".
 * They get the table at the launch, so that a program needs no symbol of that
 * device. */
struct polygpu_emulated_calls {
    /* Wait for the threads of the block. */
    void (*barrier)(struct polygpu_thread *self);
    /* The same in a checked kernel: barrier number "number" of the kernel, in
     * "line" of the source (0: not known). */
    void (*barrier_at)(struct polygpu_thread *self, uint32_t number,
                       uint32_t line);
    /* In a checked kernel, before it accesses "address".  Returns the address
     * to use: the same, or a harmless one after an error, of which the run
     * will hear. */
    void *(*access)(struct polygpu_thread *self, void *address,
                    const struct polygpu_access *access);
    /* Copy the first "valid" of "size" bytes (4, 8 or 16) from "from" (device
     * memory) to "to" (the block's shared memory), and zeros behind them, at
     * any time until this thread waits.  With "valid" 0 any address will do for
     * "from".  "load" and "store" describe the two accesses, of "size" bytes
     * each, in a checked kernel, else they are NULL. */
    void (*copy)(struct polygpu_thread *self, void *to, const void *from,
                 uint32_t size, uint32_t valid,
                 const struct polygpu_access *load,
                 const struct polygpu_access *store);
    /* All copies of this thread since the last commit are a group, which may
     * be empty. */
    void (*commit)(struct polygpu_thread *self);
    /* Wait until at most the "pending" youngest groups of this thread are not
     * complete. */
    void (*wait)(struct polygpu_thread *self, uint32_t pending);
    /* Wait for the threads of all blocks of the launch, at barrier number
     * "number" of the kernel. */
    void (*grid_barrier)(struct polygpu_thread *self, uint32_t number);
};

/* What a thread of the emulated device knows of itself.  Kernels compiled
 * for the emulated device read the fields by offset; dimension 0 is x. */
struct polygpu_thread {
    uint32_t thread[3];   /* threadIdx */
    uint32_t block[3];    /* blockIdx */
    uint32_t n_thread[3]; /* blockDim */
    uint32_t n_block[3];  /* gridDim */
    void *shared;         /* the block's shared memory */
    void *device;         /* private to the emulated device */
    const struct polygpu_emulated_calls *calls;
};

/* One thread of a kernel on the emulated device.  args[i] points to the value
 * of parameter i, as for cuLaunchKernel. */
typedef void (*polygpu_emulated_fn)(void *const *args,
                                    struct polygpu_thread *self);

enum polygpu_kernel_flags {
    POLYGPU_KERNEL_BARRIER = 1, /* threads of a block meet at barriers */
    POLYGPU_KERNEL_CHECKED = 2, /* `emulated` asks before each access */
    POLYGPU_KERNEL_DYNAMIC = 4, /* shared memory is not declared in the images
                                   but asked for at the launch */
    POLYGPU_KERNEL_GRID = 8,    /* all blocks are on the device together, and
                                   meet; for polygpu_grid only */
    POLYGPU_KERNEL_PART = 16    /* launched as a part of another one only: no
                                   image has to have it */
};

struct polygpu_kernel {
    const char *name;      /* symbol in the images, C identifier */
    uint32_t block[3];     /* threads of a block in x, y, z; at least 1 */
    uint32_t flags;        /* enum polygpu_kernel_flags */
    uint32_t shared_bytes; /* shared memory of a block */
    uint32_t n_params;
    const struct polygpu_param *params;
    polygpu_emulated_fn emulated; /* NULL: not compiled for it */
};

enum polygpu_direction {
    POLYGPU_TOUCH = 0, /* accessed on the device, not moved */
    POLYGPU_IN = 1,    /* host to device before the first launch */
    POLYGPU_OUT = 2    /* device to host at the end */
};

/* In the flags of an array: no memory of the program, but a place of the
 * function's for a value. */
enum { POLYGPU_VALUE = 4 };

/* More of the flags of an array, of accesses that the program makes only where
 * a condition on data holds, and kernels always. */
enum {
    /* Of the elements that are moved out, only those were written whose byte of
     * array number "marks" is not 0.  That array, of bytes, is the runtime's
     * own, cleared when a run begins; it is not to be told of with
     * polygpu_array or polygpu_move. */
    POLYGPU_FLAGGED = 8,
    /* Of what is moved in, some may not be there to be read.  It is looked at
     * without touching it; where that is so the run fails. */
    POLYGPU_PROBED = 16,
    /* The bytes of array number "marks". */
    POLYGPU_MARKS = 32,
    /* Which elements are read depends on data.  Where what is moved in has
     * bytes in common with what another array has written, the run fails; with
     * POLYGPU_OUT they are updated, and another array may not have them moved
     * or touched at all. */
    POLYGPU_INDIRECT = 64,
    /* From this bit on: 1 + the number of the function's argument that the
     * array is, if the program says of it that no other array is a part of it
     * (restrict, and arguments of Fortran's), else 0.  Where what is moved has
     * bytes in common all the same with an array of another number, and one of
     * the two is written, the run fails. */
    POLYGPU_ARGUMENT_SHIFT = 16
};

struct polygpu_array {
    const char *name;   /* as in the source, where known */
    uint32_t elem_size; /* bytes */
    uint32_t flags;     /* POLYGPU_IN: is read; POLYGPU_OUT: is written, and
                           all that is written is copied out; POLYGPU_VALUE,
                           POLYGPU_FLAGGED, POLYGPU_PROBED, POLYGPU_MARKS,
                           POLYGPU_INDIRECT, and an argument */
    uint32_t marks;     /* number of another array, see the flags */
};

enum polygpu_bound_kind {
    POLYGPU_LOWER = 0,    /* the dimension is at least the value, */
    POLYGPU_UPPER = 1,    /* at most the value; */
    POLYGPU_CONDITION = 2 /* nothing counts unless the value is at least 0 */
};

/* (sum of factors times parameters of the SCoP, dimensions before "dim", and
 * 1) divided by "divisor" >= 1; conditions have parameters and 1 only. */
struct polygpu_bound {
    uint32_t kind; /* enum polygpu_bound_kind */
    uint32_t dim;
    int64_t divisor;
    const int64_t *factors;
};

enum polygpu_count_kind {
    POLYGPU_OPERATIONS = 0, /* arithmetic and memory accesses, all launches */
    POLYGPU_LAUNCHES = 1,
    POLYGPU_THREADS = 2, /* of all launches */
    /* of the operations, additions, multiplications, divisions and square roots
     * of floating-point numbers: of up to 32 bits, and of longer ones */
    POLYGPU_FLOPS_SINGLE = 3,
    POLYGPU_FLOPS_DOUBLE = 4,
    /* nests that one block runs one after the other, with barriers; and
     * operations that one of its threads executes while the others wait */
    POLYGPU_STEPS = 5,
    POLYGPU_ALONE = 6,
    /* of loops for threads of the CPU: bytes of cache lines of arrays that each
     * iteration of the parallel loop goes through again, in the order of the
     * source, and how many iterations that are; ours are in tiles of
     * POLYGPU_TILE_OF_THREAD of them, for which the lines come once */
    POLYGPU_AGAIN = 7,
    POLYGPU_ROUNDS = 8,
    /* of such loops: updates of elements at places that data say, which are
     * atomic operations there */
    POLYGPU_SCATTERED = 9
};

enum { POLYGPU_TILE_OF_THREAD = 8 };

/* An estimate of what kernel number "kernel" does: "weight" times the number
 * of integers between the bounds in each dimension, where dimensions before it
 * are in the middle between theirs.  Bounds are sorted by dimension, conditions
 * come last.  Several of one kind and kernel add up. */
struct polygpu_count {
    uint32_t kind; /* enum polygpu_count_kind */
    uint32_t kernel;
    uint32_t n_dims, n_bounds;
    double weight;
    const struct polygpu_bound *bounds;
};

enum { POLYGPU_MAX_DIMS = 16 }; /* of a count */

/* A parameter of the SCoP is at least the one and at most the other. */
struct polygpu_size_range {
    uint32_t param;
    int64_t least, most;
};

/* Kernels, what they do and their images for devices of compute capability
 * "arch" and newer ones: parts of the SCoP's lists.  Of variant 0 is what runs
 * of all sizes may launch; of others, runs for whose parameters all of their
 * ranges hold. */
struct polygpu_plan {
    uint32_t arch;
    uint32_t first_kernel, n_kernels;
    uint32_t first_image, n_images;
    uint32_t variant;
    uint32_t n_ranges; /* the same for all plans of a variant */
    const struct polygpu_size_range *ranges;
};

enum polygpu_scop_flags {
    POLYGPU_SCOP_CONSTANT = 1, /* no parameter is in the counts */
    POLYGPU_SCOP_PARALLEL = 2  /* without the device polygpu_parallel_begin is
                                  asked before the original loops run */
};

#define POLYGPU_KEY_FACTOR UINT64_C(0x9e3779b97f4a7c15)

struct polygpu_scop {
    uint32_t abi_version; /* POLYGPU_ABI_VERSION of the compiler */
    uint32_t line;        /* first line of the loops, 0 if not known */
    const char *file;
    const char *function;
    uint32_t n_arrays, n_kernels, n_images;
    uint32_t n_counts; /* 0: not known, or "counts" is not there */
    const struct polygpu_array *arrays;
    const struct polygpu_kernel *kernels;
    const struct polygpu_image *images;
    void *state; /* the runtime's; NULL in the executable */
    uint32_t n_params;
    const struct polygpu_count *counts;
    const char *library; /* the emulated device's, where the compiler has it;
                            NULL: no kernel is compiled for that device */
    /* Values that polygpu_begin_sized gets: the parameters, and behind them
     * what else moves depend on. */
    uint32_t n_sizes;
    uint32_t flags; /* enum polygpu_scop_flags */
    /* Variant by variant, and these from the oldest architecture on; 0: one,
     * which has all kernels and images.  A run has the first variant behind 0
     * whose ranges hold, else variant 0, and its arrays and copies are the same
     * with each of them. */
    uint32_t n_plans;
    const struct polygpu_plan *plans;
    /* 0 in the executable.  The runtime sets it to the key of parameters with
     * which runs never begin while polygpu_in_use is 0, and nobody wants to
     * hear of them: then the original loops may be executed without a call. The
     * key is 1 with POLYGPU_SCOP_CONSTANT.  Else it begins with 0, each
     * parameter in turn makes it (key ^ parameter) * POLYGPU_KEY_FACTOR, and
     * the result has its lowest bit set. */
    uint64_t hopeless;
    /* 0 in the executable, and not while the runtime wants to hear when the
     * original loops end. */
    uint64_t timing;
};

struct polygpu_run;

/* Asked at the beginning of each function with offloaded loops: is there
 * anything to gain by going there?  0: execute the function as it was written,
 * since offloading is switched off, or no device can be used.  Opens no device,
 * and is not 0 under POLYGPU=mandatory, nor where POLYGPU_PROFILE or
 * POLYGPU_DEBUG wants to hear of each run. */
int polygpu_active(void);

/* Start a run of "scop".  Opens the device at the first call of a process.
 * Returns NULL when the original loops are to be executed: no device, switched
 * off, another ABI version, no image for the device, no memory. */
struct polygpu_run *polygpu_begin(struct polygpu_scop *scop);

/* The same with n_sizes values, the SCoP's parameters first, for a run that has
 * to be worth it: may return NULL for that reason, or put off opening the
 * device until polygpu_worth.  The values have to stay until polygpu_end. */
struct polygpu_run *polygpu_begin_sized(struct polygpu_scop *scop,
                                        const int64_t *sizes);

/* After all polygpu_move of a run and before its first launch: does it pay?
 * 1: go on; 0: no, or something went wrong; the run has ended. */
int polygpu_worth(struct polygpu_run *run);

/* State that "scop" is not offloaded this time because the run-time condition
 * "reason" (a sentence) does not hold.  Where "values" is not null, "%3" in the
 * sentence stands for values[3].  Under POLYGPU=mandatory this ends the
 * program; else it only counts. */
void polygpu_decline(struct polygpu_scop *scop, const char *reason,
                     const int64_t *values);

/* The host address of element 0 of array number "array". */
void polygpu_array(struct polygpu_run *run, uint32_t array, void *base);

/* Begin a scope in which the calling activation of a function promises to call
 * polygpu_touch, or polygpu_touch_all, before it or a function that it calls
 * writes memory of an array that is kept in the scope, or reads or writes what
 * a deferred run does (polygpu_defer), and before it lets another thread know
 * that it may.  A function that is called with the scope as an argument
 * promises the same.  0: nothing will be kept. */
uint64_t polygpu_keep_begin(void);
/* End it; nothing is kept any more, all results are in the host's memory. */
void polygpu_keep_end(uint64_t scope);

/* The device copy of an array may be one of an earlier run in "scope", and may
 * stay for later ones.  Before all moves of the array. */
void polygpu_keep(struct polygpu_run *run, uint32_t array, uint64_t scope);

enum polygpu_replay_flags {
    POLYGPU_REPLAY_MORE = 1 /* it accesses other memory than that of arrays */
};

/* Before polygpu_end: the results of the run but for values may stay on the
 * device until they are touched, all of them or none, as "replay", called by
 * the same thread with a copy of the "size" bytes at "record", computes them on
 * the CPU.  It needs nothing else but the memory of the host that the original
 * loops access, as it is when the run ends. */
void polygpu_defer(struct polygpu_run *run, void (*replay)(void *record),
                   const void *record, size_t size, uint32_t flags);

/* The host is about to access "bytes" bytes (SIZE_MAX: all there are) from
 * "first" on.  With POLYGPU_TOUCH_WRITE it may write them: they are copied to
 * the device anew when a run needs them.  Results of the calling thread's runs
 * that are on the device only are copied to the host first, if they are among
 * the bytes, or were computed from them and they may be written.  Does nothing
 * where polygpu_in_use is 0.  For programs, too, that access memory behind the
 * compiler's back: offloaded loops of functions that are active see it. */
enum polygpu_touch_kind {
    POLYGPU_TOUCH_READ = 1,
    POLYGPU_TOUCH_WRITE = 2,
    /* Nobody reads any more what lies there: results are not copied to it.  By
     * itself, where the end of the bytes will be told with the other two. */
    POLYGPU_TOUCH_END = 4
};
void polygpu_touch(const void *first, size_t bytes, uint32_t read_write);
/* The same by the code at "place", like "norm at main.c:57", for the profile.
 */
void polygpu_touch_at(const void *first, size_t bytes, uint32_t read_write,
                      const char *place);
/* The same for all memory, to be read and written. */
void polygpu_touch_all(void);

/* 1 while bytes of the host's memory are on the device, whoever's, or while the
 * runtime wants to know what would have to leave if they were there; else 0:
 * offloaded code looks at it to save the calls of polygpu_touch.  A thread sees
 * what it did itself, which is all that it has to tell of.  Only the runtime
 * writes it. */
extern uint32_t polygpu_in_use;

/* After all polygpu_array of a run: 1 if the runtime still has the moves of an
 * earlier run of the SCoP with the same sizes, which hold for this one; 0: each
 * has to be told. */
int polygpu_known(struct polygpu_run *run);

/* Elements first, first + stride, ..., first + (count - 1) * stride of an
 * array are accessed and move in direction "dir" (a union of
 * polygpu_direction).  count <= 0 is nothing; stride >= 1; indices count
 * elements from the base and may be negative.  All calls come before the first
 * launch.  What kernels write is told as POLYGPU_OUT or, if nobody reads it
 * afterwards, as POLYGPU_TOUCH, also where it is copied in. */
void polygpu_move(struct polygpu_run *run, uint32_t array, uint32_t dir,
                  int64_t first, int64_t count, int64_t stride);

/* A loop around moves: how many iterations it has, and how many elements the
 * move of each is behind that of the one before; with a single iteration that
 * may be anything. */
struct polygpu_move_loop {
    int64_t trips, step;
};

/* What polygpu_move would be told of "array" by "n_loops" loops inside each
 * other, the outermost one first: count elements from first + the sum of
 * number * step of all loops on.  Nothing if a loop has no iterations, whatever
 * the others are.  Rows that go on where the ones before end are one move. */
void polygpu_move_rows(struct polygpu_run *run, uint32_t array, uint32_t dir,
                       int64_t first, int64_t count, int64_t stride,
                       uint32_t n_loops, const struct polygpu_move_loop *loops);

enum polygpu_index_kind {
    POLYGPU_INDEX_SIGNED = 0,
    POLYGPU_INDEX_UNSIGNED = 1, /* shorter than 64 bits */
    /* In addition: some may not be there to be read.  It is looked at without
     * touching them; where that is so the run fails. */
    POLYGPU_INDEX_PROBED = 2
};

/* After all polygpu_array of a run and before polygpu_known: widen range[0] to
 * range[1] to the smallest and the largest of the integers first, first +
 * stride, ... of an array, of its size and of enum polygpu_index_kind.  What
 * it takes is counted as time of the run.  Results of earlier runs among them
 * are brought to the host before. */
void polygpu_inspect(struct polygpu_run *run, uint32_t array, uint32_t kind,
                     int64_t first, int64_t count, int64_t stride,
                     int64_t range[2]);

/* Before polygpu_known: the run cannot be, for what an index of array number
 * "array" may be is more than can be said. */
void polygpu_unbounded(struct polygpu_run *run, uint32_t array);

/* The distance that a row by itself is said to have: that many elements are
 * more than most have, and numbers of them small. */
#define POLYGPU_ROW_ALONE 65536

/* Before a run of loops over rows that pointers lead to.  These are "pitch"
 * bytes apart, in "array" or in members of its elements; at most those are used
 * that begin "first" to "last" bytes behind "array".  Returns by how many units
 * of "unit" bytes each row begins behind the one before it, if that is the same
 * positive number for all of them, else 0.  POLYGPU_ROW_ALONE for a row by
 * itself; 1 if "last" is below "first": no row is used then.  Some pointers may
 * not be there to be read; 0 where that is so.  Where runs have to be worth it,
 * 0 as well for loops of few "iterations", which take less than a look. */
int64_t polygpu_row_step(const void *array, int64_t first, int64_t last,
                         int64_t pitch, int64_t unit, int64_t iterations);

/* Where the row would begin that the pointer in element 0 of "array" leads to,
 * whether there is one or not, by the first one that is, if rows are "length"
 * bytes apart, as polygpu_row_step has just said.  NULL where that was 0, or no
 * row is used. */
void *polygpu_row_base(const void *array, int64_t first, int64_t last,
                       int64_t pitch, int64_t length);

/* After polygpu_worth, which was not 0: the number of the plan whose kernels
 * are to be launched, by the parameters that polygpu_begin_sized got and the
 * device: always the same for the same ones in a process that does not change
 * its device. */
uint32_t polygpu_chosen_plan(struct polygpu_run *run);

/* Before the first launch of a plan with two ways to the same results: 1 if
 * kernels are to be launched that have loops of the host in them, 0 if the
 * loops are to be around the launches of others.  "fits": the sizes are such
 * that the former are faster; that is the answer unless the user wants to try
 * (POLYGPU_CHAIN). */
uint32_t polygpu_chained(struct polygpu_run *run, uint32_t fits);

/* In place of a loop of "rounds" iterations around launches of the kernels
 * "kernels", after all launches before it: have kernel number "kernel", which
 * has POLYGPU_KERNEL_GRID, do its first iterations.  Returns how many of them
 * it does; the others are to be launches.  "values" is as for polygpu_launch;
 * the first two are the runtime's, int64_t: how many iterations come before
 * those of a launch, and how many these are. */
int64_t polygpu_grid(struct polygpu_run *run, uint32_t kernel, int64_t rounds,
                     const uint32_t *kernels, uint32_t n_kernels,
                     void *const *values);

/* Launch kernel number "kernel" on x * y * z blocks, after all launches before
 * it.  A grid with a zero or negative extent is no launch.  "values" has one
 * pointer for each POLYGPU_PARAM_VALUE, in order, valid during the call. */
void polygpu_launch(struct polygpu_run *run, uint32_t kernel, int64_t x,
                    int64_t y, int64_t z, void *const *values);

/* Wait, bring all results back, write them to user memory, free everything.
 * Returns 1 if user memory holds the results and 0 if it is untouched. */
int polygpu_end(struct polygpu_run *run);

/* The original loops of "scop" have ended, whatever the reason for them was.
 * To be called where "timing" is not 0. */
void polygpu_loops_end(struct polygpu_scop *scop);

/* ---- Loops on all cores ------------------------------------------------- */

/* Where a SCoP does not go to the device, and its run-time condition holds, its
 * loops may run on threads of the CPU instead:
 *
 *   team = polygpu_parallel_begin(loops, p, own)   NULL: the original loops
 *   polygpu_parallel_launch(team, k, n, args)  any number of times, in order
 *   polygpu_parallel_end(team)
 *
 * They access the memory of the program, so that nothing can fail once they
 * have begun. */

/* Pieces "first" to "last" - 1 of a parallel loop; args[i] points to the value
 * of parameter i, and "own" is memory of the thread that runs them, NULL if
 * none was asked for. */
typedef void (*polygpu_pieces_fn)(void *const *args, int64_t first,
                                  int64_t last, void *own);

struct polygpu_parallel_kernel {
    const char *name;
    polygpu_pieces_fn run;
    uint32_t parallel; /* 0: one thread does everything */
};

struct polygpu_parallel {
    uint32_t abi_version; /* POLYGPU_ABI_VERSION of the compiler */
    uint32_t line;        /* first line of the loops, 0 if not known */
    const char *file;
    const char *function;
    uint32_t n_kernels, n_params;
    const struct polygpu_parallel_kernel *kernels;
    const struct polygpu_count *counts;
    uint32_t n_counts; /* 0: not known */
    void *state;       /* the runtime's; NULL in the executable */
};

struct polygpu_team;

/* polygpu_active of functions with such loops: as well, are there threads to
 * run them? */
int polygpu_active_parallel(void);

/* "params" are the SCoP's, and each thread needs "own" bytes of memory.  NULL
 * when the original loops are to be executed: switched off, too little to do,
 * no threads, not so much memory, another ABI version.  What the host lacks of
 * results on the device is there when it returns. */
struct polygpu_team *polygpu_parallel_begin(struct polygpu_parallel *loops,
                                            const int64_t *params,
                                            uint64_t own);

/* Run kernel number "kernel", whose loop has "pieces" pieces, after all before
 * it.  Fewer than one is no launch. */
void polygpu_parallel_launch(struct polygpu_team *team, uint32_t kernel,
                             int64_t pieces, void *const *args);

void polygpu_parallel_end(struct polygpu_team *team);

/* Compute capability (major * 10 + minor) of the CUDA device that would be
 * used, 0 if there is none. */
uint32_t polygpu_cuda_arch(void);

#ifdef __cplusplus
}
#endif
#endif
