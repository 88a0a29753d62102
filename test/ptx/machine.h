/* machine.h - the state of the PTX machine while kernels run.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MACHINE_H
#define MACHINE_H

#include "ptx.h"

/* Errors of the driver that the runtime does not ask for by name. */
enum { CU_INVALID_VALUE = 1, CU_OUT_OF_RESOURCES = 701 };

/* Where generic addresses of a block's shared and a thread's local memory
 * begin; arrays lie above. */
#define PTX_SHARED_WINDOW ((uint64_t)1 << 40)
#define PTX_LOCAL_WINDOW ((uint64_t)2 << 40)
#define PTX_WINDOW_SIZE ((uint64_t)1 << 32)

/* Who accessed a few bytes of global memory in the launch "launch"; blocks
 * are counted from 1. */
struct ptx_trace {
    uint32_t launch, writer, reader, updater;
    bool many_readers, read_only; /* read by two blocks; by ld.global.nc */
    bool many_updaters;           /* by atomic operations */
    bool written;                 /* at any time in the launch */
};

struct ptx_array {
    uint64_t address;
    size_t size, capacity; /* capacity: bytes of "host" */
    unsigned char *host;
    unsigned granule; /* bytes for each of trace */
    struct ptx_trace *trace;
};

enum ptx_order {
    PTX_LOCKSTEP, /* warps: one instruction of each in turn */
    PTX_FORWARD,
    PTX_BACKWARD,
    PTX_RANDOM
};

enum { PTX_MOST_PATH = 512 };

struct ptx_settings {
    enum ptx_order warps, blocks;
    uint64_t seed;
    unsigned width;     /* threads that are in lockstep, 1 to 32 */
    unsigned arch;      /* of the device, 0: that of the module */
    bool uninitialised; /* reading shared memory that nobody wrote is allowed */
    bool early; /* asynchronous copies are done when they are asked for */
    bool no_contraction; /* add.f32 is add.rn.f32 */
    bool all_orders;     /* each launch is executed in several orders */
    bool late_streams;   /* streams.h */
    bool profile;        /* print what was executed at exit */
    char
        ptxas[PTX_MOST_PATH]; /* path, "" for none: registers are not checked */
};

struct ptx_machine {
    struct ptx_settings settings;
    struct ptx_array *arrays; /* by address */
    size_t n_arrays, last;    /* last: the one that was found last */
    uint64_t next_address;
    uint32_t launch; /* number of launches so far */
    uint64_t random;
    unsigned char *garbage;
    int fault; /* CUDA's error, 0 for none */
    char why[512];
    uint64_t executed; /* instructions of threads */
};

struct ptx_block {
    struct ptx_machine *machine;
    const struct ptx_function *kernel;
    uint32_t id[3], grid[3], threads[3];
    uint32_t number;                 /* from 1 */
    uint32_t launch;                 /* of the machine's, or a part of it up */
    uint32_t first;                  /* to where blocks meet; the first part */
    unsigned fences;                 /* two for each meeting */
    unsigned char *shared, *written; /* written: which bytes were */
    size_t shared_bytes;
    const unsigned char *params;
};

/* Threads that go the same way from "pc" until "join". */
struct ptx_path {
    uint32_t pc, join;
    ptx_lanes lanes;
};

struct ptx_copy;

enum ptx_state { PTX_READY, PTX_WAITING, PTX_ENDED };

struct ptx_warp {
    struct ptx_block *block;
    char *frame;    /* of the current function */
    bool leads;     /* the frame and local memory are its own */
    unsigned first; /* number of lane 0's thread */
    ptx_lanes members, live, carry;
    struct ptx_path *paths;
    unsigned n_paths;
    enum ptx_state state;
    const struct ptx_insn *barrier; /* where it waits */
    unsigned char *local;           /* local_bytes of each lane */
    size_t local_bytes;
    unsigned depth; /* of calls */
    struct ptx_copy *copies;
    size_t n_copies;
    uint32_t groups[PTX_LANES]; /* committed ones */
};

/* ---- machine.c ---------------------------------------------------------- */

/* NULL with a line in "error" if a setting is wrong. */
struct ptx_machine *ptx_machine_new(const char *settings, char *error,
                                    size_t size);
void ptx_machine_free(struct ptx_machine *m);
uint64_t ptx_random(struct ptx_machine *m);
/* Bytes that nothing may depend on. */
void ptx_garbage(struct ptx_machine *m, void *to, size_t size);

/* Stop: "lane" executes "i" and may not.  The first fault is kept. */
void ptx_fault(struct ptx_warp *w, const struct ptx_insn *i, unsigned lane,
               int error, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* ---- space.c ------------------------------------------------------------ */

/* Memory of arrays; 0 if there is none. */
uint64_t ptx_array_new(struct ptx_machine *m, size_t size);
bool ptx_array_free(struct ptx_machine *m, uint64_t address);
/* Only its first bytes are there from now on, with garbage. */
bool ptx_array_resize(struct ptx_machine *m, uint64_t address, size_t size);
/* The array that has all these bytes; NULL if there is none. */
struct ptx_array *ptx_array_of(struct ptx_machine *m, uint64_t address,
                               size_t size);
/* Make ready to trace accesses of so many bytes and more. */
bool ptx_array_trace(struct ptx_machine *m, unsigned granule);

enum ptx_access { PTX_READ, PTX_READ_ONLY, PTX_WRITE, PTX_ATOMIC };

/* Where "bytes" bytes of global memory are, NULL after a fault. */
void *ptx_global(struct ptx_warp *w, const struct ptx_insn *i, unsigned lane,
                 uint64_t address, unsigned bytes, enum ptx_access access);
void *ptx_shared(struct ptx_warp *w, const struct ptx_insn *i, unsigned lane,
                 uint64_t address, unsigned bytes, enum ptx_access access);
void *ptx_local(struct ptx_warp *w, const struct ptx_insn *i, unsigned lane,
                uint64_t address, unsigned bytes, enum ptx_access access);
/* A parameter of the kernel, to read only. */
void *ptx_param(struct ptx_warp *w, const struct ptx_insn *i, unsigned lane,
                uint64_t address, unsigned bytes, enum ptx_access access);

/* ---- async.c ------------------------------------------------------------ */

void ptx_copies_end(struct ptx_warp *w);

/* ---- launch.c ----------------------------------------------------------- */

/* Blocks that are there at once. */
enum { PTX_TOGETHER = 4 };

struct ptx_launch {
    const struct ptx_function *kernel;
    uint32_t grid[3], threads[3];
    size_t dynamic_bytes;
    const unsigned char *params; /* bytes of all parameters */
    bool together; /* all blocks are there at once, and may meet */
};

/* Execute a kernel; false after a fault. */
bool ptx_launch(struct ptx_machine *m, const struct ptx_launch *launch);

/* ---- limits.c ----------------------------------------------------------- */

/* Bytes of shared memory that a block may have at most. */
unsigned ptx_most_shared(unsigned arch);
/* CUDA's error for a launch that no device executes, which is also printed;
 * most_dynamic: bytes of shared memory that may be asked for. */
int ptx_check_limits(const struct ptx_launch *launch, size_t most_dynamic);

/* ---- registers.c -------------------------------------------------------- */

/* Let ptxas, if the settings name it, count the registers of each kernel;
 * false with a line in "error" if it does not take the module. */
bool ptx_count_registers(struct ptx_machine *m, struct ptx_module *module,
                         const char *text, char *error, size_t size);

/* ---- orders.c ----------------------------------------------------------- */

/* The same, in all orders if the settings say so. */
bool ptx_launch_in_orders(struct ptx_machine *m,
                          const struct ptx_launch *launch);

/* ---- warp.c ------------------------------------------------------------- */

/* Begin with the threads "members" of 32 from "first" on, which share the frame
 * of "leader". */
bool ptx_warp_start(struct ptx_warp *w, struct ptx_block *block,
                    const struct ptx_warp *leader, unsigned first,
                    ptx_lanes members);
void ptx_warp_free(struct ptx_warp *w);
/* Execute up to "most" instructions, until a barrier or the end. */
void ptx_warp_run(struct ptx_warp *w, uint64_t most);

#endif
