/* sequence.h - launches that follow each other, as they were asked for.
 *
 * Of a launch there is its kernel's number, its grid and the bytes of its
 * parameters; block and shared memory are the kernel's.  Two sequences of one
 * SCoP do the same, on the same memory, if these are equal.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SEQUENCE_H
#define POLYGPU_SEQUENCE_H

#include "polygpu/abi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    POLYGPU_SEQUENCE_LAUNCHES = 16 * 1024, /* at most */
    POLYGPU_SEQUENCE_BYTES = 4 * 1024 * 1024,
    POLYGPU_SEQUENCE_PARAMS = 256 /* of a kernel */
};

/* All zero: empty. */
struct polygpu_sequence {
    char *bytes;
    size_t size, capacity;
    uint32_t n; /* launches */
};

/* Before launch number "n", which begins at byte "at". */
struct polygpu_sequence_place {
    uint32_t n;
    size_t at;
};

/* False: it would be too long, or there is no memory; nothing was added. */
bool polygpu_sequence_add(struct polygpu_sequence *sequence, uint32_t number,
                          const struct polygpu_kernel *kernel,
                          const uint32_t grid[3], void *const *args);
/* Is this the launch at "place"?  Then that moves behind it. */
bool polygpu_sequence_follow(const struct polygpu_sequence *sequence,
                             struct polygpu_sequence_place *place,
                             uint32_t number,
                             const struct polygpu_kernel *kernel,
                             const uint32_t grid[3], void *const *args);
/* The number of the kernel of the launch at "place", which moves behind it;
 * "args" has POLYGPU_SEQUENCE_PARAMS entries, that point into the sequence. */
uint32_t polygpu_sequence_take(const struct polygpu_sequence *sequence,
                               struct polygpu_sequence_place *place,
                               const struct polygpu_kernel *kernels,
                               uint32_t grid[3], void **args);
/* Are these the same up to "place"? */
bool polygpu_sequence_agree(const struct polygpu_sequence *a,
                            const struct polygpu_sequence *b,
                            const struct polygpu_sequence_place *place);
/* Make it the part of "whole" up to "place"; false: there is no memory. */
bool polygpu_sequence_copy(struct polygpu_sequence *sequence,
                           const struct polygpu_sequence *whole,
                           const struct polygpu_sequence_place *place);
/* Give back what it does not need. */
void polygpu_sequence_trim(struct polygpu_sequence *sequence);
void polygpu_sequence_clear(struct polygpu_sequence *sequence);
void polygpu_sequence_free(struct polygpu_sequence *sequence);

#endif
