/* payoff.c - see payoff.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda/payoff.h"

enum { FIRST_PATIENCE = 2, FIRST_WAIT = 16, MOST_WAIT = 4096 };

/* Graphs have to be faster by more than two measurements of the same differ. */
static const double keep = 0.98;

static unsigned patience = FIRST_PATIENCE;

unsigned polygpu_payoff_patience(void)
{
    return __atomic_load_n(&patience, __ATOMIC_RELAXED);
}

/* Two threads at once may change it by one step only. */
static void set_patience(unsigned runs)
{
    if (runs >= FIRST_PATIENCE && runs <= POLYGPU_PAYOFF_MOST_PATIENCE)
        __atomic_store_n(&patience, runs, __ATOMIC_RELAXED);
}

void polygpu_payoff_repeat(struct polygpu_payoff *payoff)
{
    if (payoff->runs < POLYGPU_PAYOFF_MOST_PATIENCE)
        ++payoff->runs;
}

bool polygpu_payoff_is_due(const struct polygpu_payoff *payoff)
{
    return !payoff->lost && payoff->runs >= polygpu_payoff_patience();
}

void polygpu_payoff_built(struct polygpu_payoff *payoff, double ms)
{
    payoff->built = ms;
    payoff->saved = payoff->graph = 0;
    payoff->tries = payoff->since = 0;
    payoff->wait = FIRST_WAIT;
    payoff->earned = false;
}

bool polygpu_payoff_wants(const struct polygpu_payoff *payoff)
{
    return payoff->tries < POLYGPU_PAYOFF_TRIES ||
           (payoff->plain > 0 && payoff->since < payoff->wait);
}

static void keep_least(double *least, double ms)
{
    if (*least == 0 || ms < *least)
        *least = ms;
}

static void count_saved(struct polygpu_payoff *payoff, double ms)
{
    if (payoff->plain == 0)
        return;
    payoff->saved += payoff->plain - ms;
    if (payoff->earned || payoff->saved < payoff->built)
        return;
    payoff->earned = true;
    set_patience(polygpu_payoff_patience() / 2);
}

void polygpu_payoff_ran(struct polygpu_payoff *payoff, bool graph, double ms)
{
    if (ms <= 0)
        return;
    if (graph) {
        keep_least(&payoff->graph, ms);
        payoff->tries += payoff->tries < POLYGPU_PAYOFF_TRIES;
        ++payoff->since;
        count_saved(payoff, ms);
        return;
    }
    keep_least(&payoff->plain, ms);
    if (payoff->tries == 0)
        return;
    payoff->since = 0;
    payoff->wait = payoff->wait * 4 < MOST_WAIT ? payoff->wait * 4 : MOST_WAIT;
}

void polygpu_payoff_anew(struct polygpu_payoff *payoff)
{
    payoff->plain = payoff->graph = 0;
}

bool polygpu_payoff_keeps(const struct polygpu_payoff *payoff)
{
    return payoff->tries < POLYGPU_PAYOFF_TRIES || payoff->plain == 0 ||
           payoff->graph < keep * payoff->plain;
}

void polygpu_payoff_given_up(struct polygpu_payoff *payoff, bool lost)
{
    if (!payoff->earned)
        set_patience(polygpu_payoff_patience() * 2);
    payoff->lost = lost;
    payoff->runs = 0;
}
