/* log.c - see log.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Print "polygpu: ", the text and a newline in one go, so that the lines of
 * several threads do not mix.  Keeps the caller's errno. */
void polygpu_message(const char *format, ...)
{
    char buffer[1024];
    char *line = buffer;
    int saved = errno;
    int length;
    va_list ap;

    va_start(ap, format);
    length = vsnprintf(buffer, sizeof buffer, format, ap);
    va_end(ap);
    if (length >= (int)sizeof buffer && (line = malloc((size_t)length + 1))) {
        va_start(ap, format);
        vsnprintf(line, (size_t)length + 1, format, ap);
        va_end(ap);
    }
    fprintf(stderr, "polygpu: %s\n", line ? line : buffer);
    if (line != buffer)
        free(line);
    errno = saved;
}
