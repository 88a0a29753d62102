/* budget.c - what the work on some loops, a function or a file may take.
 *
 * A phase has a quota of its own.  Budgets bound what many phases take
 * together: the operations of the thread count, and its time, from a budget's
 * beginning on, whatever is done in it (Polly's steps are among it).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/budget.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"
#include "support/work.h"

#include <limits.h>

/* Begin a budget for the work on "of" (a noun for sentences); "advice" is what
 * to do when it is spent.  0 operations or seconds: as many as "outer" has,
 * which is a larger budget that this one is a part of, or NULL.
 */
void pg_budget_begin(struct pg_budget *budget, const char *of,
                     const char *advice, unsigned long operations,
                     double seconds, struct pg_budget *outer)
{
    unsigned long done = pg_work_done();

    budget->of = of;
    budget->advice = advice;
    budget->operations = operations;
    budget->last =
        operations < ULONG_MAX - done ? done + operations : ULONG_MAX;
    budget->seconds = seconds;
    budget->end = pg_work_seconds() + seconds;
    budget->late = false;
    budget->outer = outer;
}

/* Begin a budget for an attempt that may take so many fifths of the operations
 * that are left of "whole": the rest is for what is done if it fails.
 */
void pg_budget_begin_part(struct pg_budget *part, struct pg_budget *whole,
                          unsigned fifths)
{
    pg_budget_begin(part, whole->of, whole->advice,
                    pg_budget_operations(whole, 0) / 5 * fifths, 0, whole);
}

/* Operations that are left of this one alone. */
static unsigned long left(const struct pg_budget *budget)
{
    unsigned long done = pg_work_done();

    return done < budget->last ? budget->last - done : 0;
}

unsigned long pg_budget_used(const struct pg_budget *budget)
{
    return budget->operations - left(budget);
}

void pg_budget_give_back(struct pg_budget *budget, unsigned long operations)
{
    for (; budget; budget = budget->outer)
        if (operations < ULONG_MAX - budget->last)
            budget->last += operations;
}

unsigned long pg_budget_operations(const struct pg_budget *budget,
                                   unsigned long most)
{
    for (; budget; budget = budget->outer)
        if (budget->operations && (!most || left(budget) < most))
            most = left(budget) ? left(budget) : 1;
    return most;
}

/* Seconds that are left, at most "most"; negative if there are none. */
double pg_budget_seconds(const struct pg_budget *budget, double most)
{
    for (; budget; budget = budget->outer)
        if (budget->seconds > 0 && budget->end - pg_work_seconds() < most)
            most = budget->end - pg_work_seconds();
    return most;
}

/* Note in "budget" and those around it that seconds have decided. */
void pg_budget_is_late(struct pg_budget *budget)
{
    for (; budget; budget = budget->outer)
        budget->late = true;
}

/* NULL if something is left of "budget" and of those around it, else a
 * malloc'ed sentence that says which is spent.
 */
char *pg_budget_spent(const struct pg_budget *budget)
{
    for (; budget; budget = budget->outer) {
        if (budget->operations && left(budget) == 0)
            return pg_format("the analysis of %s has taken all of its %lu "
                             "operations; %s",
                             budget->of, budget->operations, budget->advice);
        if (budget->seconds > 0 && budget->end <= pg_work_seconds())
            return pg_format("the analysis of %s has taken all of its %g "
                             "seconds, so that the outcome depends on the "
                             "machine and its load; %s",
                             budget->of, budget->seconds, budget->advice);
    }
    return NULL;
}
