/* payoff.h - do graphs of a sequence of launches pay?
 *
 * A run of a sequence is measured from its first launch to when it has been
 * waited for.  Its graphs are built when it has come "patience" times, 2 at
 * first.  The next two runs use them; from then on they are kept while their
 * least time is less than that of plain launches, which are measured again
 * after 16, 64, 256, ... runs with graphs.  Graphs that are given up before
 * they have saved what building them took double the patience of the process,
 * those that have saved it halve it: so building never takes much more than it
 * saves.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PAYOFF_H
#define POLYGPU_PAYOFF_H

#include <stdbool.h>

/* All zero: a sequence that has not been seen.  Times are in ms. */
struct polygpu_payoff {
    unsigned runs;        /* without graphs */
    bool lost;            /* they did not pay */
    double plain, graph;  /* the least of each; 0: not measured */
    unsigned tries;       /* runs with graphs */
    unsigned since, wait; /* of these, after the last plain one and before the
                             next */
    double built, saved;  /* what building took, and what has been gained */
    bool earned;          /* that is more */
};

enum { POLYGPU_PAYOFF_TRIES = 2, POLYGPU_PAYOFF_MOST_PATIENCE = 1024 };

/* It has come once more, without graphs. */
void polygpu_payoff_repeat(struct polygpu_payoff *payoff);
/* Should they be built now? */
bool polygpu_payoff_is_due(const struct polygpu_payoff *payoff);
/* They were, in so many ms. */
void polygpu_payoff_built(struct polygpu_payoff *payoff, double ms);
/* Is the next run to use them? */
bool polygpu_payoff_wants(const struct polygpu_payoff *payoff);
/* A run with or without them took so long. */
void polygpu_payoff_ran(struct polygpu_payoff *payoff, bool graph, double ms);
/* What was measured is not comparable to what comes. */
void polygpu_payoff_anew(struct polygpu_payoff *payoff);
/* Are they to be kept? */
bool polygpu_payoff_keeps(const struct polygpu_payoff *payoff);
/* They are given up; "lost": for good, since they do not pay. */
void polygpu_payoff_given_up(struct polygpu_payoff *payoff, bool lost);

/* Of the process: how often a sequence has to come before graphs of it are
 * built. */
unsigned polygpu_payoff_patience(void);

#endif
