/* numbering.c - see numbering.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "verify/numbering.h"
#include "support/text.h"

#include <stdlib.h>

struct numbering {
    size_t n, most, n_slot;
    bool full;
    uint64_t *keys;
    uint32_t *slots; /* number + 1, or 0 */
};

struct numbering *pg_numbering_alloc(size_t most)
{
    struct numbering *numbering = pg_alloc(1, sizeof(*numbering));

    numbering->most = most;
    numbering->n_slot = 4 * most;
    numbering->keys = pg_alloc(most, sizeof(*numbering->keys));
    numbering->slots = pg_alloc(numbering->n_slot, sizeof(*numbering->slots));
    return numbering;
}

void pg_numbering_free(struct numbering *numbering)
{
    if (!numbering)
        return;
    free(numbering->keys);
    free(numbering->slots);
    free(numbering);
}

bool pg_numbering_at(struct numbering *numbering, uint64_t key, size_t *at)
{
    uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15);
    size_t slot = (size_t)(hash ^ (hash >> 32)) % numbering->n_slot;
    uint32_t number;

    for (; (number = numbering->slots[slot]);
         slot = (slot + 1) % numbering->n_slot)
        if (numbering->keys[number - 1] == key) {
            *at = number - 1;
            return true;
        }
    numbering->full |= numbering->n == numbering->most;
    if (numbering->full)
        return false;
    *at = numbering->n;
    numbering->keys[numbering->n++] = key;
    numbering->slots[slot] = (uint32_t)numbering->n;
    return true;
}

bool pg_numbering_full(const struct numbering *numbering)
{
    return numbering->full;
}

size_t pg_numbering_n(const struct numbering *numbering)
{
    return numbering->n;
}

uint64_t pg_numbering_key(const struct numbering *numbering, size_t at)
{
    return numbering->keys[at];
}
