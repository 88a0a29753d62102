/* pages.c - see pages.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "verify/pages.h"
#include "support/text.h"

#include <stdlib.h>

static size_t count_pages(const struct pages *pages)
{
    return (pages->n + PAGE - 1) / PAGE;
}

struct pages *pg_pages_alloc(size_t n, size_t size, pg_pages_fill *fill,
                             uint64_t seed)
{
    struct pages *pages = pg_alloc(1, sizeof(*pages));

    *pages = (struct pages){.n = n, .size = size, .fill = fill, .seed = seed};
    pages->all = pg_alloc(count_pages(pages), sizeof(*pages->all));
    return pages;
}

void pg_pages_free(struct pages *pages)
{
    if (!pages)
        return;
    for (size_t p = 0; p < count_pages(pages); p++)
        free(pages->all[p]);
    free(pages->all);
    free(pages);
}

void pg_pages_make(struct pages *pages, size_t at)
{
    size_t first = at - at % PAGE;
    size_t n = pages->n - first < PAGE ? pages->n - first : PAGE;
    void *page = pg_alloc(n, pages->size);

    if (pages->fill)
        pages->fill(page, first, n, pages->seed);
    pages->all[at / PAGE] = page;
}
