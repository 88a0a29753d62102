/* rows.c - arrays of pointers to rows: are these at one distance?
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/abi.h"
#include "support/env.h"
#include "support/readable.h"

#include <stdbool.h>

/* The pointers that are looked at. */
struct rows {
    uintptr_t first; /* address */
    int64_t pitch, count;
};

/* Are there pointers to look at?  The newest may be on the device. */
static bool find(struct rows *rows, const void *array, int64_t first,
                 int64_t last, int64_t pitch)
{
    const int64_t size = sizeof(uintptr_t);
    int64_t bytes;

    if (pitch < size || pitch % size != 0 ||
        __builtin_sub_overflow(last, first, &bytes) ||
        __builtin_add_overflow(bytes, size, &bytes))
        return false;
    rows->first = (uintptr_t)array + (uintptr_t)first;
    rows->pitch = pitch;
    rows->count = (last - first) / pitch + 1;
    if (rows->first % sizeof(uintptr_t) != 0 ||
        !polygpu_readable((const void *)rows->first, (size_t)bytes))
        return false;
    polygpu_touch_at((const void *)rows->first, (size_t)bytes,
                     POLYGPU_TOUCH_READ, "a look at pointers to rows");
    return true;
}

static uintptr_t row(const struct rows *rows, int64_t number)
{
    return *(const uintptr_t *)(rows->first +
                                (uintptr_t)(number * rows->pitch));
}

/* With fewer iterations a run is not worth it: a look takes some microseconds,
 * and a launch and copies more. */
enum { FEW = 32768 };

int64_t polygpu_row_step(const void *array, int64_t first, int64_t last,
                         int64_t pitch, int64_t unit, int64_t iterations)
{
    const struct polygpu_env *env = polygpu_env();
    struct rows rows;
    uintptr_t step;
    int64_t i;

    if (last < first)
        return 1;
    if (iterations < FEW && env->mode == POLYGPU_AUTO && env->cost)
        return 0;
    if (unit < 1 || !find(&rows, array, first, last, pitch))
        return 0;
    if (rows.count == 1)
        return POLYGPU_ROW_ALONE;
    step = row(&rows, 1) - row(&rows, 0);
    if ((int64_t)step < unit || step % (uintptr_t)unit != 0)
        return 0;
    for (i = 2; i < rows.count; ++i)
        if (row(&rows, i) - row(&rows, i - 1) != step)
            return 0;
    return (int64_t)(step / (uintptr_t)unit);
}

void *polygpu_row_base(const void *array, int64_t first, int64_t last,
                       int64_t pitch, int64_t length)
{
    int64_t number;

    if (length == 0 || last < first || pitch == 0)
        return NULL;
    // It was looked at.
    number = first / pitch - (first % pitch < 0);
    return (void *)(*(const uintptr_t *)((uintptr_t)array + (uintptr_t)first) -
                    (uintptr_t)length * (uintptr_t)number);
}
