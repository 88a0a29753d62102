/* pages.h - arrays of which most elements may never be used: memory for a part
 * is there from the first use of one of its elements on.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_VERIFY_PAGES_H
#define POLYGPU_VERIFY_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Elements of a page. */
enum { PAGE = 256 };

/* Set the first "n" elements of "page" to what an array has from element number
 * "first" on before it is written.
 */
typedef void pg_pages_fill(void *page, size_t first, size_t n, uint64_t seed);

struct pages {
    size_t n, size; /* elements, and bytes of one */
    void **all;     /* NULL: not used yet */
    pg_pages_fill *fill;
    uint64_t seed;
};

/* "n" elements of "size" bytes, which "fill" sets; NULL: they are 0. */
struct pages *pg_pages_alloc(size_t n, size_t size, pg_pages_fill *fill,
                             uint64_t seed);
void pg_pages_free(struct pages *pages);

/* Make the page of element "at". */
void pg_pages_make(struct pages *pages, size_t at);

/* Was an element of the page of element "at" used? */
static inline bool pg_pages_have(const struct pages *pages, size_t at)
{
    return pages->all[at / PAGE] != NULL;
}

/* Element "at" of those that there are. */
static inline void *pg_pages_at(struct pages *pages, size_t at)
{
    if (!pages->all[at / PAGE])
        pg_pages_make(pages, at);
    return (char *)pages->all[at / PAGE] + at % PAGE * pages->size;
}

#endif
