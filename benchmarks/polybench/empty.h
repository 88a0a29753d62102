/* empty.h - bench.h for programs whose loops are not executed, in place of
 * bench.c: arrays have addresses and no contents.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef EMPTY_H
#define EMPTY_H

#include "bench.h"

/* Those of main(): the sizes. */
extern int empty_argc;
extern char **empty_argv;

#endif
