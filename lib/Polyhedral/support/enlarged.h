/* enlarged.h - isl's objects that grow.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SUPPORT_ENLARGED_H
#define POLYGPU_SUPPORT_ENLARGED_H

#include <stddef.h>

/* "memory" of malloc, which is not NULL, in a larger place of "size" bytes.
 * The old place stays as it is, and is not taken for anything else, until
 * PG_KEPT further objects of the thread have grown.  NULL if it does not have
 * to grow, is large, or there is no memory: it is as it was then. */
void *pg_enlarged(void *memory, size_t size);

enum { PG_KEPT = 8 };

#endif
