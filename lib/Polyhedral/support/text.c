/* text.c - strings that grow, and memory that is there.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "n" zeroed objects of "size" bytes, never NULL.  A compiler that has no
 * memory left for a few bytes cannot say anything sensible: it stops, like
 * LLVM's allocators do.
 */
void *pg_alloc(size_t n, size_t size)
{
    void *memory = calloc(n ? n : 1, size ? size : 1);

    if (!memory) {
        fputs("polygpu: out of memory\n", stderr);
        abort();
    }
    return memory;
}

/* A copy of "string", or NULL for NULL. */
char *pg_strdup(const char *string)
{
    char *copy;

    if (!string)
        return NULL;
    copy = pg_alloc(strlen(string) + 1, 1);
    return strcpy(copy, string);
}

/* Make room for "more" characters and the terminator. */
static void reserve(struct pg_text *text, size_t more)
{
    size_t size = text->size ? text->size : 64;
    char *data;

    if (text->length + more + 1 <= text->size)
        return;
    while (size < text->length + more + 1)
        size *= 2;
    data = pg_alloc(size, 1);
    if (text->data)
        memcpy(data, text->data, text->length + 1);
    free(text->data);
    text->data = data;
    text->size = size;
}

/* Append formatted characters, the arguments in "args". */
void pg_text_add_v(struct pg_text *text, const char *format, va_list args)
{
    va_list again;
    int length;

    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        return;
    reserve(text, (size_t)length);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, args);
    text->length += (size_t)length;
}

/* Append formatted characters. */
void pg_text_add(struct pg_text *text, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    pg_text_add_v(text, format, args);
    va_end(args);
}

/* Append "lines", each line moved "columns" to the right, and an end of line
 * where the last one has none.
 */
void pg_text_add_indented(struct pg_text *text, const char *lines,
                          unsigned columns)
{
    while (lines && *lines) {
        size_t length = strcspn(lines, "\n");

        if (length)
            pg_text_add(text, "%*s", (int)columns, "");
        pg_text_add(text, "%.*s\n", (int)length, lines);
        lines += length;
        lines += *lines == '\n';
    }
}

/* The string so far; "text" is empty afterwards.  Never NULL. */
char *pg_text_take(struct pg_text *text)
{
    char *data = text->data ? text->data : pg_strdup("");

    memset(text, 0, sizeof(*text));
    return data;
}

/* A new string of formatted characters. */
char *pg_format(const char *format, ...)
{
    struct pg_text text = {0};
    va_list args;

    va_start(args, format);
    pg_text_add_v(&text, format, args);
    va_end(args);
    return pg_text_take(&text);
}

/* "list" of "n" objects of "size" bytes with one more, all zero.  The list is
 * NULL or was made by this function, which leaves room for as many objects as
 * the next power of two.
 */
void *pg_grow(void *list, unsigned n, size_t size)
{
    bool is_full = (n & (n - 1)) == 0;
    char *larger = list;

    if (is_full) {
        larger = pg_alloc(n ? 2 * (size_t)n : 1, size);
        if (n)
            memcpy(larger, list, n * size);
        free(list);
    }
    memset(larger + n * size, 0, size);
    return larger;
}
