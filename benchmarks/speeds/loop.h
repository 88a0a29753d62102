/* loop.h - included before a program of the suite: its kernel runs 20 times in
 * a row, so that arrays may stay on the device in between.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../polybench/bench.h"

enum { SPEEDS_RUNS = 20 };

#define bench_start() for (int of_20 = 0; of_20 < SPEEDS_RUNS; ++of_20) {
#define bench_stop() }
