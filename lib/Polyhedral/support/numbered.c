/* numbered.c - isl's identifiers with a number that nobody reads from a name.
 *
 * isl compares identifiers by name and user pointer.  The pointer is a place in
 * a table of which nothing is used but the addresses: that of a kind and number
 * is the same each time, so that the identifiers are.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/numbered.h"

#include <isl/id.h>
#include <stdint.h>

enum { NUMBERS = 1 << 16 };

static char places[PG_NUMBERED_KINDS][NUMBERS];

/* The identifier "name" of number "number" of "kind"; NULL if that is too
 * large.
 */
__isl_give isl_id *pg_numbered_id(isl_ctx *ctx, const char *name, unsigned kind,
                                  unsigned number)
{
    if (number >= NUMBERS)
        return NULL;
    return isl_id_alloc(ctx, name, &places[kind][number]);
}

/* Has "id" a number?  Then "*kind" and "*number" say which. */
bool pg_numbered(__isl_keep isl_id *id, unsigned *kind, unsigned *number)
{
    uintptr_t user = id ? (uintptr_t)isl_id_get_user(id) : 0;
    uintptr_t place = user - (uintptr_t)places;

    if (place >= sizeof(places))
        return false;
    *kind = (unsigned)(place / NUMBERS);
    *number = (unsigned)(place % NUMBERS);
    return true;
}
