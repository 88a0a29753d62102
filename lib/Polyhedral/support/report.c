/* report.c - reasons why something is not offloaded.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"
#include "support/text.h"

#include <stdlib.h>
#include <string.h>

/* An empty report. */
void pg_report_init(struct pg_report *report)
{
    memset(report, 0, sizeof(*report));
}

/* Free all reasons; the report is empty afterwards. */
void pg_report_clear(struct pg_report *report)
{
    for (unsigned i = 0; i < report->n; i++) {
        free(report->reasons[i].sentence);
        free(report->reasons[i].stmt);
    }
    free(report->reasons);
    pg_report_init(report);
}

/* Append a reason with a formatted sentence, its arguments in "args". */
static void add_v(struct pg_report *report, enum pg_code code, const char *stmt,
                  const char *format, va_list args)
{
    struct pg_reason *reason;
    struct pg_text text = {0};

    pg_text_add_v(&text, format, args);
    report->reasons = pg_grow(report->reasons, report->n, sizeof(*reason));
    reason = &report->reasons[report->n++];
    reason->code = code;
    reason->sentence = pg_text_take(&text);
    reason->stmt = pg_strdup(stmt);
}

/* Append a reason.  "report" may be NULL: then nobody wants to know. */
void pg_report_add(struct pg_report *report, enum pg_code code,
                   const char *stmt, const char *format, ...)
{
    va_list args;

    if (!report)
        return;
    va_start(args, format);
    add_v(report, code, stmt, format, args);
    va_end(args);
}
