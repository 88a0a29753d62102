/* buffers.h - memory for results on their way to the host.
 *
 * Results are copied to buffers first, and to their places when all have
 * arrived.  A large buffer costs as much as copying to it, since the system has
 * to find and clear its pages; so the last ones are kept for the next time,
 * until a scope ends.  Under the lock of ranges.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_BUFFERS_H
#define POLYGPU_BUFFERS_H

#include <stddef.h>

/* NULL without memory; "capacity" is for polygpu_buffer_give. */
char *polygpu_buffer_take(size_t size, size_t *capacity);
void polygpu_buffer_give(char *bytes, size_t capacity);
/* Free what is kept. */
void polygpu_buffers_free(void);

#endif
