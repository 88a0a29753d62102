/* buffers.c - see buffers.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/buffers.h"

#include <stdlib.h>

/* Small ones the C library keeps itself. */
enum { LEAST_KEPT = 128 * 1024, MOST_KEPT = 256 * 1024 * 1024, PLACES = 4 };

static struct {
    char *bytes; /* NULL: a free place */
    size_t capacity;
} kept[PLACES];

static size_t bytes_kept(void)
{
    size_t sum = 0, i;

    for (i = 0; i < PLACES; ++i)
        sum += kept[i].bytes ? kept[i].capacity : 0;
    return sum;
}

/* The smallest that is kept and large enough, though not much too large;
 * PLACES: none. */
static size_t find(size_t size)
{
    size_t best = PLACES, i;

    for (i = 0; i < PLACES; ++i)
        if (kept[i].bytes && kept[i].capacity >= size &&
            kept[i].capacity / 2 <= size &&
            (best == PLACES || kept[i].capacity < kept[best].capacity))
            best = i;
    return best;
}

char *polygpu_buffer_take(size_t size, size_t *capacity)
{
    size_t at = find(size);
    char *bytes;

    if (at == PLACES) {
        *capacity = size;
        return malloc(size);
    }
    bytes = kept[at].bytes;
    *capacity = kept[at].capacity;
    kept[at].bytes = NULL;
    return bytes;
}

void polygpu_buffer_give(char *bytes, size_t capacity)
{
    size_t i = 0;

    while (i < PLACES && kept[i].bytes)
        ++i;
    if (i == PLACES || capacity < LEAST_KEPT || capacity > MOST_KEPT ||
        bytes_kept() > MOST_KEPT - capacity) {
        free(bytes);
        return;
    }
    kept[i].bytes = bytes;
    kept[i].capacity = capacity;
}

void polygpu_buffers_free(void)
{
    size_t i;

    for (i = 0; i < PLACES; ++i) {
        free(kept[i].bytes);
        kept[i].bytes = NULL;
    }
}
