/* openmp.h - threads of LLVM's OpenMP runtime, libomp.
 *
 * The program's, where it has one; else the library is loaded when the first
 * loop asks.  What is used is its interface for compiled code, the same in all
 * versions since 2013, and those of omp.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_OPENMP_H
#define POLYGPU_OPENMP_H

#include <stdbool.h>

/* How many threads a loop of the caller would have, by OMP_NUM_THREADS or what
 * the program says: 1 inside of a parallel region of the program's, 0 where
 * there is no library or threads cannot be made, which is said once. */
int polygpu_openmp_threads(void);

/* Call "run" on so many threads, or fewer, the caller included, and wait for
 * them.  Only where polygpu_openmp_threads was not 0. */
void polygpu_openmp_run(int threads, void (*run)(void *job, int thread),
                        void *job);

#endif
