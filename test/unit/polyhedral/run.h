/* run.h - execute plans with the core's interpreter (lib/Polyhedral/verify).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_TEST_RUN_H
#define POLYGPU_TEST_RUN_H

#include "../../../lib/Polyhedral/verify/run.h"

#include <polygpu/polyhedral.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The text of a program in the directory of programs, malloc'ed. */
char *read_program(const char *name);

/* Is the program number "i" of a test's list to be run?  "what" is the test's
 * argument: NULL for all, K/N for those with i mod N = K (each third of them
 * with EXTENT_FEW), or a program's name.
 */
bool is_selected(const char *what, size_t i, const char *name);

/* How many of a test's sets of sizes are run.  With sanitizers few: they look
 * at our own code, which each set runs through in the same way; nine tenths of
 * the time go into isl, which is not instrumented.  POLYGPU_TESTS=all: all.
 */
enum extent { EXTENT_FEW, EXTENT_USUAL, EXTENT_ALL };
enum extent test_extent(void);

/* Run "plan" with the parameters "values" for the order "order" of threads (0:
 * forward, 1: backward, else shuffled) and compare it with the original.
 * Returns a malloc'ed sentence about the first difference, or NULL.
 */
char *run_and_compare(const struct pg_plan *plan, const long long *values,
                      unsigned order, struct run_result *result);

/* The same without the barriers for which a bit of "dropped" is set. */
char *run_without_barriers(const struct pg_plan *plan, const long long *values,
                           unsigned order, uint64_t dropped,
                           struct run_result *result);

/* run_and_compare with the original order of "source": what the scop of "plan"
 * was read from, before pg_compile could make another one of it.
 */
char *run_and_compare_with(const struct pg_scop *source,
                           const struct pg_plan *plan, const long long *values,
                           unsigned order, struct run_result *result);

#endif
