/* workers.h - threads that help with what takes a while on the host.
 *
 * They are made at the first use and sleep in between; POLYGPU_COPY_THREADS
 * says how many there are, else the processors that this process may use: eight
 * at most, and none where those are few.  They help one thread at a time, and
 * who finds them busy works alone, so that nobody waits for anybody but for his
 * own helpers.  A fork's child has none.
 *
 * Handlers of signals may jump out of the runtime or end the process.  So while
 * there are helpers their caller's signals wait, but for those of its own
 * instructions; and a caller reads memory of the program before its helpers do
 * (polygpu_workers_probe), for a handler of SIGSEGV is to run in the thread
 * whose loops these are.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_WORKERS_H
#define POLYGPU_WORKERS_H

#include <stddef.h>

/* How many threads work at once, the caller included.  Makes them. */
unsigned polygpu_workers(void);

/* Call "part" in this thread, and at the same time in all others of the pool
 * that are free: each with another "number" below polygpu_workers(), 0 here.
 * All have returned on return. */
void polygpu_workers_run(void (*part)(void *context, unsigned number),
                         void *context);

/* Read something of each page. */
void polygpu_workers_probe(const void *from, size_t size);

/* The process ends, or unloads the runtime: end the threads, unless one of them
 * is at work, which then another thread waits for.  There are none from then
 * on. */
void polygpu_workers_end(void);

#endif
