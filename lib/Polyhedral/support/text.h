/* text.h - strings that grow, and memory that is there.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SUPPORT_TEXT_H
#define POLYGPU_SUPPORT_TEXT_H

#include <stdarg.h>
#include <stddef.h>

struct pg_text {
    char *data; /* always terminated; NULL while empty */
    size_t length, size;
};

void pg_text_add(struct pg_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void pg_text_add_v(struct pg_text *text, const char *format, va_list args);
void pg_text_add_indented(struct pg_text *text, const char *lines,
                          unsigned columns);
char *pg_text_take(struct pg_text *text);
char *pg_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *pg_strdup(const char *string);
void *pg_alloc(size_t n, size_t size);
void *pg_grow(void *list, unsigned n, size_t size);

#endif
