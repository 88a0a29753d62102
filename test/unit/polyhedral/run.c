/* run.c - see run.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "run.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *read_program(const char *name)
{
    char path[1000];
    char *text;
    size_t n;
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s.scop", PROGRAMS, name);
    file = fopen(path, "r");
    if (!file)
        return NULL;
    text = calloc(1 << 20, 1);
    n = fread(text, 1, (1 << 20) - 1, file);
    text[n] = 0;
    fclose(file);
    return text;
}

bool is_selected(const char *what, size_t i, const char *name)
{
    unsigned k, n;

    if (what && sscanf(what, "%u/%u", &k, &n) == 2 && n > 0)
        return i % n == k && (test_extent() != EXTENT_FEW || i / n % 3 == 0);
    return !what || !strcmp(what, name);
}

enum extent test_extent(void)
{
    const char *tests = getenv("POLYGPU_TESTS");

    if (tests && !strcmp(tests, "all"))
        return EXTENT_ALL;
#ifdef TEST_SANITIZED
    return EXTENT_FEW;
#else
    return EXTENT_USUAL;
#endif
}

/* Run and compare; what the interpreter cannot do is an error as well. */
static char *run(const struct pg_scop *source, const struct pg_plan *plan,
                 const long long *values, const struct run_options *options,
                 struct run_result *result)
{
    struct pg_fault fault = {0};
    struct runner *runner = pg_runner_alloc(plan, source, &fault);
    long work = LONG_MAX / 2;

    memset(result, 0, sizeof(*result));
    if (runner)
        pg_runner_run(runner, values, options, &work, result, &fault);
    pg_runner_free(runner);
    return fault.sentence;
}

char *run_and_compare(const struct pg_plan *plan, const long long *values,
                      unsigned order, struct run_result *result)
{
    return run_without_barriers(plan, values, order, 0, result);
}

char *run_without_barriers(const struct pg_plan *plan, const long long *values,
                           unsigned order, uint64_t dropped,
                           struct run_result *result)
{
    struct run_options options = {.order = order, .dropped = dropped};

    return run(NULL, plan, values, &options, result);
}

char *run_and_compare_with(const struct pg_scop *source,
                           const struct pg_plan *plan, const long long *values,
                           unsigned order, struct run_result *result)
{
    struct run_options options = {.order = order};

    return run(source, plan, values, &options, result);
}
