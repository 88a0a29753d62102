/* budget.c - what the work on some loops, a function or a file may take.
 *
 * A phase has a quota of its own.  Budgets bound what many phases take
 * together: the operations of all of them are subtracted, and a budget's time
 * runs from its beginning on, whatever is done in it.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _POSIX_C_SOURCE 200809L
#include "internal.h"

#include <time.h>

/* Processor time of the calling thread. */
static double now(void)
{
    struct timespec t = {0, 0};

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Begin a budget for the work on "of" (a noun for sentences); "advice" is what
 * to do when it is spent.  0 operations or seconds: as many as "outer" has,
 * which is a larger budget that this one is a part of, or NULL.
 */
void pg_budget_begin(struct pg_budget *budget, const char *of,
                     const char *advice, unsigned long operations,
                     double seconds, struct pg_budget *outer)
{
    budget->of = of;
    budget->advice = advice;
    budget->operations = operations;
    budget->left = operations;
    budget->seconds = seconds;
    budget->end = now() + seconds;
    budget->outer = outer;
}

/* Begin a budget for an attempt that may take half of what is left of "whole".
 */
void pg_budget_begin_half(struct pg_budget *half, struct pg_budget *whole)
{
    double seconds = pg_budget_seconds(whole, 1e9) / 2;

    // 0 would be no limit.
    pg_budget_begin(half, whole->of, whole->advice,
                    pg_budget_operations(whole, 0) / 2,
                    seconds > 0 ? seconds : 1e-9, whole);
}

/* isl operations that are left, at least 1 and at most "most"; 0, which is
 * also allowed for "most", is no limit.
 */
unsigned long pg_budget_operations(const struct pg_budget *budget,
                                   unsigned long most)
{
    for (; budget; budget = budget->outer)
        if (budget->operations && (!most || budget->left < most))
            most = budget->left ? budget->left : 1;
    return most;
}

/* Seconds that are left, at most "most"; negative if there are none. */
double pg_budget_seconds(const struct pg_budget *budget, double most)
{
    for (; budget; budget = budget->outer)
        if (budget->seconds > 0 && budget->end - now() < most)
            most = budget->end - now();
    return most;
}

/* Subtract "operations" from "budget" and those around it. */
void pg_budget_spend(struct pg_budget *budget, unsigned long operations)
{
    for (; budget; budget = budget->outer)
        budget->left -= operations < budget->left ? operations : budget->left;
}

/* NULL if something is left of "budget" and of those around it, else a
 * malloc'ed sentence that says which is spent.
 */
char *pg_budget_spent(const struct pg_budget *budget)
{
    for (; budget; budget = budget->outer) {
        if (budget->operations && budget->left == 0)
            return pg_format("the analysis of %s has taken all of its %lu isl "
                             "operations; %s",
                             budget->of, budget->operations, budget->advice);
        if (budget->seconds > 0 && budget->end <= now())
            return pg_format("the analysis of %s has taken all of its %g "
                             "seconds; %s",
                             budget->of, budget->seconds, budget->advice);
    }
    return NULL;
}
