/* status.c - see status.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/status.h"

#include <stdarg.h>
#include <stdio.h>

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
