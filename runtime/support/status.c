/* status.c - see status.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/status.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Record a failure and return false, so that "return polygpu_fail(...)" ends a
 * function that returns a bool.  The first failure wins: what comes after it
 * is mostly its consequence. */
bool polygpu_fail(struct polygpu_status *status, enum polygpu_cause cause,
                  const char *format, ...)
{
    va_list ap;

    if (status->cause != POLYGPU_OK)
        return false;
    status->cause = cause;
    va_start(ap, format);
    vsnprintf(status->text, sizeof status->text, format, ap);
    va_end(ap);
    return false;
}

bool polygpu_fail_with(struct polygpu_status *status, enum polygpu_cause cause,
                       const char *sentence, const int64_t *values)
{
    const size_t size = sizeof status->text;
    size_t n = 0;

    if (status->cause != POLYGPU_OK)
        return false;
    status->cause = cause;
    while (*sentence && n + 1 < size) {
        char *end;
        unsigned long i;

        if (!values || *sentence != '%' || sentence[1] < '0' ||
            sentence[1] > '9') {
            status->text[n++] = *sentence++;
            continue;
        }
        i = strtoul(sentence + 1, &end, 10);
        snprintf(status->text + n, size - n, "%" PRId64, values[i]);
        n += strlen(status->text + n);
        sentence = end;
    }
    status->text[n] = '\0';
    return false;
}
