/* machine.h - what the sizes of kernels are chosen for.
 *
 * What a multiprocessor has, by architecture, as in NVIDIA's CUDA C++
 * Programming Guide ("Technical specifications per compute capability" and
 * "Throughput of native arithmetic instructions").  An architecture without an
 * entry is taken for the one before it.  The boards, by their data sheets: T4,
 * A100 80 GB, RTX A6000, Jetson AGX Orin, L40, H200, B200, GeForce RTX 5090.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MACHINE_H
#define POLYGPU_MACHINE_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of shared memory that a block of every architecture can declare; more
 * has to be asked for at the launch. */
enum { PG_STATIC_SHARED = 48 * 1024 };

struct pg_machine {
    char name[32];             /* for people */
    unsigned arch;             /* compute capability, major * 10 + minor */
    unsigned registers;        /* 32-bit, of a multiprocessor */
    unsigned thread_registers; /* at most of a thread */
    unsigned threads, blocks;  /* at most on a multiprocessor */
    unsigned warp;             /* threads */
    unsigned shared;           /* bytes of a multiprocessor */
    unsigned block_shared;     /* bytes at most of a block */
    /* The rest is of one large board. */
    unsigned multiprocessors;
    unsigned clock;                 /* MHz */
    unsigned fma_float, fma_double; /* results of a multiprocessor in a clock */
    unsigned bandwidth;             /* of the memory, 10^9 bytes in a second */
    unsigned l2;                    /* KiB of cache */
};

/* The entry for compute capability "arch", or for the newest one that is not
 * newer; the oldest if all are. */
const struct pg_machine *pg_machine_find(unsigned arch);

/* Change "machine" to what "text" says: lines of "NAME = NUMBER" with the names
 * of the fields above, "name = TEXT", and comments from # on.  NULL, or a
 * malloc'ed sentence that names the line and what is allowed. */
char *pg_machine_read(struct pg_machine *machine, const char *text);

#ifdef __cplusplus
}
#endif
#endif
