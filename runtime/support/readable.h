/* readable.h - is memory of the process there to be read?
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_READABLE_H
#define POLYGPU_READABLE_H

#include <stdbool.h>
#include <stddef.h>

/* Can all "size" bytes from "from" on be read?  Nothing is touched where they
 * cannot: the kernel is asked for a byte of each page.  False as well where it
 * does not answer. */
bool polygpu_readable(const void *from, size_t size);

#endif
