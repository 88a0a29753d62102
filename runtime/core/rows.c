/* rows.c - arrays of pointers to rows: are these at one distance?
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/abi.h"
#include "support/readable.h"

#include <stdbool.h>

/* Are there pointers to look at?  The newest may be on the device. */
static bool are_there(const void *rows, int64_t bytes)
{
    if (bytes < (int64_t)sizeof(uintptr_t) ||
        (uintptr_t)rows % sizeof(uintptr_t) != 0 ||
        !polygpu_readable(rows, (size_t)bytes))
        return false;
    polygpu_touch_at(rows, (size_t)bytes, POLYGPU_TOUCH_READ,
                     "a look at pointers to rows");
    return true;
}

/* The first pointer. */
static const uintptr_t *at(const void *array, int64_t first)
{
    return (const uintptr_t *)((uintptr_t)array + (uintptr_t)first);
}

int64_t polygpu_row_step(const void *array, int64_t first, int64_t bytes,
                         int64_t unit)
{
    const uintptr_t *row = at(array, first);
    int64_t count = bytes / (int64_t)sizeof *row, i;
    uintptr_t step;

    if (bytes <= 0)
        return 1;
    if (count < 2 || unit < 1 || !are_there(row, bytes))
        return 0;
    step = row[1] - row[0];
    if ((int64_t)step < unit || step % (uintptr_t)unit != 0)
        return 0;
    for (i = 2; i < count; ++i)
        if (row[i] - row[i - 1] != step)
            return 0;
    return (int64_t)(step / (uintptr_t)unit);
}

void *polygpu_row_base(const void *array, int64_t first, int64_t bytes,
                       int64_t length)
{
    const uintptr_t *row = at(array, first);
    int64_t number = first / (int64_t)sizeof *row;

    if (length == 0 || !are_there(row, bytes))
        return NULL;
    return (void *)(*row - (uintptr_t)length * (uintptr_t)number);
}
