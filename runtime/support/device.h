/* device.h - what a device does, one table of functions per kind.  With any
 * change here POLYGPU_EMULATED_VERSION (library.h) has to be raised.
 *
 * cuda.h and emulated.h each declare one; fault.h wraps another one.  A
 * "session" is a device's part of one run (its stream); a "module" its part of
 * one SCoP (the loaded kernels).  Addresses are those of device memory.  Each
 * function that returns a bool leaves a sentence in "status" on failure.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_DEVICE_H
#define POLYGPU_DEVICE_H

#include "support/segments.h"
#include "support/status.h"

/* Everything of ours is hidden but, in the shared library, what is declared
 * there.  In a static copy that is hidden as well: a program that exported a
 * few of these functions would mix its copy with the one of a library. */
#ifdef POLYGPU_EXPORTS
#pragma GCC visibility push(default)
#include "polygpu/abi.h"
#pragma GCC visibility pop
#else
#include "polygpu/abi.h"
#endif

#include <stddef.h>

/* Accesses of a checked kernel on the emulated device, counted as
 * profile_lines.c says. */
struct polygpu_access_stats {
    bool counted;    /* at least in part of a launch */
    bool incomplete; /* there was not enough memory to count all */
    uint64_t global_loads, global_load_bytes, global_load_sectors;
    uint64_t global_stores, global_store_bytes, global_store_sectors;
    uint64_t shared_loads, shared_load_bytes;
    uint64_t shared_stores, shared_store_bytes;
    uint64_t conflicts, barriers;
};

/* What a device tells of launches; each adds to what is there. */
struct polygpu_launch_stats {
    double ms;
    bool count; /* the caller asks for "accesses", which take time */
    struct polygpu_access_stats accesses;
};

/* The most that a device can do, in 10^9 a second; 0: not known. */
struct polygpu_peak {
    double flops_single, flops_double; /* an FMA is two */
    double bytes;                      /* of its memory */
};

/* Launches of sessions, and those of sequences that came again. */
struct polygpu_repeats {
    uint64_t launches, again;
};

/* Marks that a session has (mark). */
enum { POLYGPU_MOST_MARKED = 64 };

struct polygpu_device {
    const char *name;

    /* Once per process, before everything else. */
    bool (*open)(struct polygpu_status *status);
    /* Before each run: may the device still be used by this process? */
    bool (*alive)(struct polygpu_status *status);

    /* Once it is open: compute capability, major * 10 + minor.  NULL: it runs
     * the code for any. */
    unsigned (*arch)(void);
    /* Once it is open.  NULL: nothing is known. */
    void (*peak)(struct polygpu_peak *peak);

    /* What has come so far.  NULL: the device does not look. */
    void (*repeats)(struct polygpu_repeats *repeats);

    /* Ask "fails" before each thing that is done to make graphs of launches,
     * and do as if it had failed where that says so.  NULL: none are made. */
    void (*inject)(bool (*fails)(struct polygpu_status *status));

    /* Do kernels read all memory of the host, at the host's addresses and as
     * fast as what "alloc" gives?  NULL: no. */
    bool (*shares)(void);

    /* Another number when all that was loaded is gone.  NULL: never. */
    unsigned (*generation)(void);

    /* Is there device code that fits, and load it, for the rest of the
     * process.  Not called by two threads at once, nor for a SCoP that is
     * loaded, unless "generation" has changed. */
    bool (*load)(const struct polygpu_scop *scop, void **module,
                 struct polygpu_status *status);

    bool (*start)(const struct polygpu_scop *scop, void **session,
                  struct polygpu_status *status);
    void (*stop)(void *session);
    /* In place of "stop": nothing has failed, and the next run of the SCoP will
     * use the session.  False, or NULL: it will not. */
    bool (*rest)(void *session);

    /* Memory of no session: "size" bytes, and back.  Nothing uses what is
     * freed. */
    bool (*alloc)(size_t size, uintptr_t *address,
                  struct polygpu_status *status);
    void (*free)(uintptr_t address);
    /* The first "size" bytes of the "capacity" bytes that were allocated at
     * "address" are an array's from now on, without a value; the rest, and with
     * 0 all, is nobody's.  NULL: the device does not want to know. */
    void (*lend)(uintptr_t address, size_t size, size_t capacity);

    /* What polygpu_move says of an array, before its "place".  NULL: the
     * device does not want to know. */
    bool (*announce)(void *session, uint32_t array, uint32_t dir,
                     const struct polygpu_segment *segment,
                     struct polygpu_status *status);
    /* "size" bytes of an array, from element number "first" on, are at
     * "address".  NULL: the device does not want to know. */
    bool (*place)(void *session, uint32_t array, int64_t first, size_t size,
                  uintptr_t address, struct polygpu_status *status);
    /* At "address" is what copy_in would bring there, from an earlier run.
     * NULL: the device does not want to know. */
    void (*holds)(void *session, uintptr_t address, size_t size);
    /* Complete on return, so that launches that follow find it.  Those before
     * may still run: they have nothing of what is written. */
    bool (*copy_in)(void *session, uintptr_t to, const void *from, size_t size,
                    struct polygpu_status *status);
    /* The same, but not complete on return: what is at "from" stays until
     * "synchronize", which says if the copy has failed.  NULL: copy_in. */
    bool (*send)(void *session, uintptr_t to, const void *from, size_t size,
                 struct polygpu_status *status);
    /* Complete on return.  Launches that have not been waited for, by
     * "synchronize" or "reach", do not write what is read. */
    bool (*copy_out)(void *session, void *to, uintptr_t from, size_t size,
                     struct polygpu_status *status);
    /* Start kernel number "kernel", or do so when the next other function of
     * the session is called, which fails if that does; adds what can be told of
     * it to "stats" unless NULL, which may mean to wait for it. */
    bool (*launch)(void *session, void *module, const struct polygpu_scop *scop,
                   uint32_t kernel, const uint32_t grid[3], void **args,
                   struct polygpu_launch_stats *stats,
                   struct polygpu_status *status);
    /* How many blocks of kernel number "kernel", which has POLYGPU_KERNEL_GRID,
     * the device has at once, at least 1, and the address of a word there at
     * which they may meet.  False: that cannot be.  NULL: it never can. */
    bool (*together)(void *session, void *module,
                     const struct polygpu_scop *scop, uint32_t kernel,
                     uint32_t *blocks, uintptr_t *counter);
    /* How many blocks of kernel number "kernel" the device has at once, 0 if
     * that is not known.  NULL: it never is. */
    uint32_t (*resident)(void *session, void *module,
                         const struct polygpu_scop *scop, uint32_t kernel);
    /* Remember that the launches so far are those before "number", below
     * POLYGPU_MOST_MARKED; and wait for them, not for those that follow.  NULL:
     * they cannot be waited for by themselves. */
    bool (*mark)(void *session, uint32_t number, struct polygpu_status *status);
    bool (*reach)(void *session, uint32_t number,
                  struct polygpu_status *status);
    /* Nothing else is asked of the session for now: launches that are held back
     * are made.  What fails later "synchronize" will say.  NULL, as with
     * "follow": each run has to be waited for. */
    bool (*leave)(void *session, struct polygpu_status *status);
    /* What follows in the session comes after all that was asked of it and of
     * another one, "before", in this context. */
    bool (*follow)(void *session, void *before, struct polygpu_status *status);
    /* Wait for all launches and what was sent, and learn whether they
     * succeeded. */
    bool (*synchronize)(void *session, struct polygpu_status *status);

    /* The process that opened it ends, or unloads the runtime: there are no
     * sessions and no memory any more but those that another thread has.
     * NULL: nothing is to be done. */
    void (*close)(void);
};

/* Another number when all that "device" had is gone. */
static inline unsigned polygpu_generation(const struct polygpu_device *device)
{
    return device->generation ? device->generation() : 0;
}

#endif
