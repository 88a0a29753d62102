/* phase.h - the isl context, and one step of the core under its quota.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SUPPORT_PHASE_H
#define POLYGPU_SUPPORT_PHASE_H

#include "polygpu/polyhedral.h"

/* The sentence of PG_NO_PARALLELISM. */
#define PG_NOTHING_PARALLEL                                                    \
    "every loop depends on its own earlier iterations; nothing can run in "    \
    "parallel"

struct pg_phase {
    isl_ctx *ctx;
    const char *what;
    struct pg_report *report;
    unsigned long limit; /* operations; 0: no limit */
    unsigned long
        most;       /* what an attempt had that the budget did not allow more */
    double seconds; /* of processor time, a net */
    struct pg_budget *budget;
    bool explained; /* the report has a reason from this phase */
    bool quota;     /* an attempt ran out of operations */
    bool late;      /* or of seconds */
    bool scarce; /* the budget has not left the last attempt its operations */
};

void pg_phase_begin(struct pg_phase *phase, isl_ctx *ctx, const char *what,
                    const struct pg_options *options, struct pg_report *report);
void pg_phase_fail(struct pg_phase *phase, enum pg_code code, const char *stmt,
                   const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool pg_phase_erred(const struct pg_phase *phase);
const char *pg_phase_failure(const struct pg_phase *phase);
void pg_phase_claim(struct pg_phase *phase);
void pg_phase_retry(struct pg_phase *phase);
void pg_phase_retry_part(struct pg_phase *phase, unsigned part);
void pg_phase_restart(struct pg_phase *phase);
void pg_phase_forget(struct pg_phase *phase);
isl_stat pg_phase_end(struct pg_phase *phase, isl_stat result);

#endif
