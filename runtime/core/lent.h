/* lent.h - memory that threads of the CPU have for copies of what each
 * iteration sets anew, and what does not fit on their stacks.
 *
 * A run has one block with a part for each thread.  The block of the last run
 * is kept for the next one, since pages that the system hands out have to be
 * cleared; several threads of the program with loops at a time have others.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_LENT_H
#define POLYGPU_LENT_H

#include <stdint.h>

/* So much one thread may have; all of them together may have an eighth of the
 * machine's memory. */
#define POLYGPU_LENT_MOST (UINT64_C(64) << 20)

struct polygpu_lent;

/* A block with "bytes" for each of "threads"; NULL, and a sentence in "*why",
 * if that is too much or cannot be had. */
struct polygpu_lent *polygpu_lend(int threads, uint64_t bytes,
                                  const char **why);
/* The part of one thread; NULL if there is none for it. */
void *polygpu_lent_to(const struct polygpu_lent *block, int thread);
/* Nobody uses "block" any more; NULL is allowed. */
void polygpu_give_back(struct polygpu_lent *block);

#endif
