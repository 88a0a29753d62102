/* sequence.c - see sequence.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda/sequence.h"

#include <stdlib.h>
#include <string.h>

/* What a cleared sequence may keep. */
enum { FIRST_BYTES = 1024, MOST_IDLE = 64 * 1024 };

/* In front of the parameters, each of which is aligned as a pointer is. */
struct header {
    uint32_t kernel, grid[3];
};

static size_t param_size(const struct polygpu_param *param)
{
    return param->kind == POLYGPU_PARAM_ARRAY ? sizeof(uintptr_t)
                                              : param->value;
}

static size_t rounded(size_t size)
{
    return (size + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
}

static size_t launch_size(const struct polygpu_kernel *kernel)
{
    size_t size = sizeof(struct header);
    uint32_t i;

    for (i = 0; i < kernel->n_params; ++i)
        size += rounded(param_size(&kernel->params[i]));
    return size;
}

static bool reserve(struct polygpu_sequence *sequence, size_t more)
{
    size_t needed = sequence->size + more, capacity = sequence->capacity;
    char *bytes;

    if (needed <= capacity)
        return true;
    if (needed > POLYGPU_SEQUENCE_BYTES)
        return false;
    for (capacity = capacity ? capacity : FIRST_BYTES; capacity < needed;)
        capacity *= 2;
    bytes = realloc(sequence->bytes, capacity);
    if (!bytes)
        return false;
    sequence->bytes = bytes;
    sequence->capacity = capacity;
    return true;
}

bool polygpu_sequence_add(struct polygpu_sequence *sequence, uint32_t number,
                          const struct polygpu_kernel *kernel,
                          const uint32_t grid[3], void *const *args)
{
    const struct header header = {number, {grid[0], grid[1], grid[2]}};
    char *to;
    uint32_t i;

    if (sequence->n == POLYGPU_SEQUENCE_LAUNCHES ||
        kernel->n_params > POLYGPU_SEQUENCE_PARAMS ||
        !reserve(sequence, launch_size(kernel)))
        return false;
    to = sequence->bytes + sequence->size;
    memcpy(to, &header, sizeof header);
    to += sizeof header;
    for (i = 0; i < kernel->n_params; ++i) {
        size_t size = param_size(&kernel->params[i]);

        memcpy(to, args[i], size);
        to += rounded(size);
    }
    sequence->size = (size_t)(to - sequence->bytes);
    ++sequence->n;
    return true;
}

/* Most parameters are a word. */
static bool is_equal(const char *a, const void *b, size_t size)
{
    return size == sizeof(uint64_t) ? !memcmp(a, b, sizeof(uint64_t))
                                    : !memcmp(a, b, size);
}

bool polygpu_sequence_follow(const struct polygpu_sequence *sequence,
                             struct polygpu_sequence_place *place,
                             uint32_t number,
                             const struct polygpu_kernel *kernel,
                             const uint32_t grid[3], void *const *args)
{
    const struct header header = {number, {grid[0], grid[1], grid[2]}};
    const char *at = sequence->bytes + place->at;
    uint32_t i;

    if (place->n == sequence->n || memcmp(at, &header, sizeof header) != 0)
        return false;
    at += sizeof header;
    for (i = 0; i < kernel->n_params; ++i) {
        size_t size = param_size(&kernel->params[i]);

        if (!is_equal(at, args[i], size))
            return false;
        at += rounded(size);
    }
    place->at = (size_t)(at - sequence->bytes);
    ++place->n;
    return true;
}

uint32_t polygpu_sequence_take(const struct polygpu_sequence *sequence,
                               struct polygpu_sequence_place *place,
                               const struct polygpu_kernel *kernels,
                               uint32_t grid[3], void **args)
{
    const struct polygpu_kernel *kernel;
    char *at = sequence->bytes + place->at;
    struct header header;
    uint32_t i;

    memcpy(&header, at, sizeof header);
    memcpy(grid, header.grid, sizeof header.grid);
    kernel = &kernels[header.kernel];
    at += sizeof header;
    for (i = 0; i < kernel->n_params; ++i) {
        args[i] = at;
        at += rounded(param_size(&kernel->params[i]));
    }
    place->at = (size_t)(at - sequence->bytes);
    ++place->n;
    return header.kernel;
}

bool polygpu_sequence_agree(const struct polygpu_sequence *a,
                            const struct polygpu_sequence *b,
                            const struct polygpu_sequence_place *place)
{
    return a->n >= place->n && b->n >= place->n && a->size >= place->at &&
           b->size >= place->at && !memcmp(a->bytes, b->bytes, place->at);
}

bool polygpu_sequence_copy(struct polygpu_sequence *sequence,
                           const struct polygpu_sequence *whole,
                           const struct polygpu_sequence_place *place)
{
    sequence->n = 0;
    sequence->size = 0;
    if (!reserve(sequence, place->at))
        return false;
    memcpy(sequence->bytes, whole->bytes, place->at);
    sequence->n = place->n;
    sequence->size = place->at;
    return true;
}

void polygpu_sequence_trim(struct polygpu_sequence *sequence)
{
    char *bytes =
        sequence->size ? realloc(sequence->bytes, sequence->size) : NULL;

    if (!bytes)
        return;
    sequence->bytes = bytes;
    sequence->capacity = sequence->size;
}

void polygpu_sequence_clear(struct polygpu_sequence *sequence)
{
    if (sequence->capacity > MOST_IDLE)
        polygpu_sequence_free(sequence);
    sequence->n = 0;
    sequence->size = 0;
}

void polygpu_sequence_free(struct polygpu_sequence *sequence)
{
    free(sequence->bytes);
    *sequence = (struct polygpu_sequence){0};
}
