/* list.h - lists that grow.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef LIST_H
#define LIST_H

#include <stdbool.h>
#include <stdlib.h>

/* Make room for one more of "n" elements of "size" bytes; the room is a power
 * of two, at least 8. */
static inline bool list_grow(void **list, size_t n, size_t size)
{
    void *larger;

    if (n ? n < 8 || (n & (n - 1)) != 0 : *list != NULL)
        return true;
    larger = realloc(*list, (n ? 2 * n : 8) * size);
    if (larger)
        *list = larger;
    return larger != NULL;
}

#define GROW(list, n) list_grow((void **)&(list), n, sizeof *(list))

#endif
