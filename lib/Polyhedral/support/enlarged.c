/* enlarged.c - isl's objects that grow.
 *
 * isl_tab_detect_implicit_equalities hands a constraint of a tableau to a
 * function (cut_to_hyperplane in isl_tab.c) that adds one more, for which the
 * array of all constraints may have to move, and goes on to read the old place
 * then.  Whether anything else is there by now is up to malloc, and with it
 * whether the constraint is taken for another one, which would make a set
 * another set.  So the places that objects have left are kept for a while.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "support/enlarged.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

/* AddressSanitizer keeps what was freed by itself, and of what has no bytes
 * says one more than may be read.
 */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

enum { MOST_BYTES = 1 << 18 }; /* of an object: no tableau has that many */

/* Of this thread, and which one is next to be given back. */
static _Thread_local struct {
    void *place[PG_KEPT];
    unsigned next;
} left;

void *pg_enlarged(void *memory, size_t size)
{
    size_t before;
    void *larger;

    if (IS_SANITIZED)
        return NULL;
    before = malloc_usable_size(memory);
    if (size <= before || before > MOST_BYTES)
        return NULL;
    larger = malloc(size);
    if (!larger)
        return NULL;
    memcpy(larger, memory, before);
    free(left.place[left.next]);
    left.place[left.next] = memory;
    left.next = (left.next + 1) % PG_KEPT;
    return larger;
}
