/* inspect.c - see inspect.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/inspect.h"

#include "core/moves.h"
#include "support/clock.h"
#include "support/readable.h"

/* ---- The smallest and the largest ---------------------------------------- */

/* In four pairs, which a compiler makes vectors of. */
#define WIDEN(type)                                                            \
    do {                                                                       \
        const type *at = (const type *)from;                                   \
        type low = at[0], high = at[0];                                        \
        int64_t i;                                                             \
                                                                               \
        if (stride == 1) {                                                     \
            for (i = 1; i < count; ++i) {                                      \
                low = at[i] < low ? at[i] : low;                               \
                high = at[i] > high ? at[i] : high;                            \
            }                                                                  \
        } else {                                                               \
            for (i = 1; i < count; ++i) {                                      \
                low = at[i * stride] < low ? at[i * stride] : low;             \
                high = at[i * stride] > high ? at[i * stride] : high;          \
            }                                                                  \
        }                                                                      \
        if (low < range[0])                                                    \
            range[0] = low;                                                    \
        if (high > range[1])                                                   \
            range[1] = high;                                                   \
        return true;                                                           \
    } while (0)

static bool widen(uintptr_t from, size_t size, bool is_signed, int64_t count,
                  int64_t stride, int64_t range[2])
{
    switch (is_signed ? size : size + 16) {
    case 1:
        WIDEN(int8_t);
    case 2:
        WIDEN(int16_t);
    case 4:
        WIDEN(int32_t);
    case 8:
        WIDEN(int64_t);
    case 16 + 1:
        WIDEN(uint8_t);
    case 16 + 2:
        WIDEN(uint16_t);
    case 16 + 4:
        WIDEN(uint32_t);
    default:
        return false;
    }
}

/* The bytes of some elements; false if they are outside of memory. */
static bool bytes_of(const struct polygpu_run *run, uint32_t a, int64_t first,
                     int64_t count, int64_t stride, uintptr_t *from,
                     size_t *bytes)
{
    int64_t size = run->scop->arrays[a].elem_size, begin, length;

    if (__builtin_mul_overflow(first, size, &begin) ||
        __builtin_mul_overflow(count - 1, stride, &length) ||
        __builtin_mul_overflow(length, size, &length) ||
        __builtin_add_overflow(length, size, &length))
        return false;
    *from = run->arrays[a].base + (uintptr_t)begin;
    *bytes = (size_t)length;
    return true;
}

void polygpu_inspect(struct polygpu_run *run, uint32_t a, uint32_t kind,
                     int64_t first, int64_t count, int64_t stride,
                     int64_t range[2])
{
    double begun = polygpu_now();
    uintptr_t from;
    size_t bytes;

    if (!run || run->status.cause != POLYGPU_OK || count <= 0)
        return;
    if (a >= run->scop->n_arrays || stride < 1) {
        polygpu_fail(&run->status, POLYGPU_CAUSE_USAGE,
                     "wrong call of polygpu_inspect for array number %u",
                     (unsigned)a);
        return;
    }
    if (!bytes_of(run, a, first, count, stride, &from, &bytes)) {
        polygpu_fail(&run->status,
                     kind & POLYGPU_INDEX_PROBED ? POLYGPU_CAUSE_CONDITION
                                                 : POLYGPU_CAUSE_USAGE,
                     "indices in array %s lie outside of memory",
                     run->scop->arrays[a].name);
        return;
    }
    // The newest may be on the device.
    polygpu_touch_at((const void *)from, bytes, POLYGPU_TOUCH_READ,
                     "a look at indices");
    if ((kind & POLYGPU_INDEX_PROBED) &&
        !polygpu_readable((const void *)from, bytes))
        polygpu_fail(&run->status, POLYGPU_CAUSE_CONDITION,
                     "a part of array %s, which has indices, is no memory that "
                     "can be read",
                     run->scop->arrays[a].name);
    else if (!widen(from, run->scop->arrays[a].elem_size,
                    !(kind & POLYGPU_INDEX_UNSIGNED), count, stride, range))
        polygpu_fail(&run->status, POLYGPU_CAUSE_USAGE,
                     "array %s has no indices", run->scop->arrays[a].name);
    run->inspect_ms += polygpu_now() - begun;
}

void polygpu_unbounded(struct polygpu_run *run, uint32_t a)
{
    if (!run || run->status.cause != POLYGPU_OK || a >= run->scop->n_arrays)
        return;
    polygpu_fail(&run->status, POLYGPU_CAUSE_CONDITION,
                 "what an index of array %s may be is more than any array has",
                 run->scop->arrays[a].name);
}

/* ---- What may be read ---------------------------------------------------- */

static bool meets(const struct polygpu_intervals *set, uintptr_t first,
                  uintptr_t end)
{
    size_t i;

    for (i = 0; i < set->count; ++i)
        if (set->items[i].first < end && first < set->items[i].end)
            return true;
    return false;
}

/* Does the run write a byte from "first" to before "end" of array "b", or, with
 * "reads", access one? */
static bool accesses(struct polygpu_run *run, uint32_t b, uintptr_t first,
                     uintptr_t end, bool reads)
{
    struct polygpu_run_array *array = &run->arrays[b];
    const struct polygpu_moves *moves = &array->moves;
    uintptr_t size = run->scop->arrays[b].elem_size;
    const struct polygpu_intervals *bytes;

    if (run->scop->arrays[b].flags & (POLYGPU_VALUE | POLYGPU_MARKS))
        return false;
    if ((moves->scratch || (reads && moves->accessed)) &&
        array->base + (uintptr_t)moves->first * size < end &&
        first < array->base + (uintptr_t)(moves->last + 1) * size)
        return true;
    if (!moves->out.count)
        return false;
    bytes = polygpu_moves_bytes(run, b, POLYGPU_OUT);
    return !bytes || meets(bytes, first, end);
}

/* Indices that the program does not use may lead anywhere, so that it is looked
 * at before memory is asked for; not again where they lead to the same. */
static bool is_there(struct polygpu_run *run, uint32_t a, uintptr_t first,
                     uintptr_t end)
{
    return run->as_before || !(run->scop->arrays[a].flags & POLYGPU_PROBED) ||
           polygpu_readable((const void *)first, end - first) ||
           polygpu_fail(&run->status, POLYGPU_CAUSE_CONDITION,
                        "a part of what indices of array %s may lead to is no "
                        "memory that can be read",
                        run->scop->arrays[a].name);
}

/* ---- What the program says is apart -------------------------------------- */

static bool is_memory(const struct polygpu_run *run, uint32_t a)
{
    return run->arrays[a].moves.accessed &&
           !(run->scop->arrays[a].flags & (POLYGPU_VALUE | POLYGPU_MARKS));
}

/* Is there a byte from the first that is accessed to the last in both? */
static bool may_meet(const struct polygpu_run *run, uint32_t a, uint32_t b)
{
    const struct polygpu_run_array *x = &run->arrays[a], *y = &run->arrays[b];
    uintptr_t x_size = run->scop->arrays[a].elem_size;
    uintptr_t y_size = run->scop->arrays[b].elem_size;

    return x->base + (uintptr_t)x->moves.first * x_size <
               y->base + (uintptr_t)(y->moves.last + 1) * y_size &&
           y->base + (uintptr_t)y->moves.first * y_size <
               x->base + (uintptr_t)(x->moves.last + 1) * x_size;
}

/* Does array "a" write a byte that "b" moves in direction "dir"?  Too many
 * pieces to tell count as yes. */
static bool overwrites(struct polygpu_run *run, uint32_t a, uint32_t b,
                       uint32_t dir)
{
    const struct polygpu_intervals *sets[] = {
        polygpu_moves_bytes(run, a, POLYGPU_OUT),
        polygpu_moves_bytes(run, b, dir)};

    return !sets[0] || !sets[1] || polygpu_intervals_common(sets, 2) > 0;
}

static bool meet_all_the_same(struct polygpu_run *run, uint32_t a, uint32_t b)
{
    uint32_t of_a = run->scop->arrays[a].flags >> POLYGPU_ARGUMENT_SHIFT;
    uint32_t of_b = run->scop->arrays[b].flags >> POLYGPU_ARGUMENT_SHIFT;

    return of_a != of_b && is_memory(run, a) && is_memory(run, b) &&
           may_meet(run, a, b) &&
           (overwrites(run, a, b, POLYGPU_OUT) ||
            overwrites(run, a, b, POLYGPU_IN) ||
            overwrites(run, b, a, POLYGPU_IN));
}

static bool arguments_are_apart(struct polygpu_run *run)
{
    uint32_t a, b;

    for (a = 0; a < run->n_arrays; ++a)
        for (b = a + 1; b < run->n_arrays; ++b)
            if (meet_all_the_same(run, a, b))
                return polygpu_fail(
                    &run->status, POLYGPU_CAUSE_CONDITION,
                    "%s and %s overlap, though the program says that they do "
                    "not (restrict, or arguments in Fortran)",
                    run->scop->arrays[a].name, run->scop->arrays[b].name);
    return true;
}

bool polygpu_inspect_apart(struct polygpu_run *run)
{
    uint32_t a, b;
    bool updates;

    for (a = 0; a < run->n_arrays; ++a) {
        const struct polygpu_moves *moves = &run->arrays[a].moves;
        uintptr_t size = run->scop->arrays[a].elem_size;
        uintptr_t first = run->arrays[a].base + (uintptr_t)moves->first * size;
        uintptr_t end =
            run->arrays[a].base + (uintptr_t)(moves->last + 1) * size;

        if (!(run->scop->arrays[a].flags & POLYGPU_INDIRECT) ||
            !moves->accessed)
            continue;
        if (!is_there(run, a, first, end))
            return false;
        updates = (run->scop->arrays[a].flags & POLYGPU_OUT) != 0;
        for (b = 0; b < run->n_arrays; ++b)
            if (b != a && accesses(run, b, first, end, updates))
                return polygpu_fail(
                    &run->status, POLYGPU_CAUSE_CONDITION,
                    "elements of %s that indices may lead to overlap %s, which "
                    "is %s",
                    run->scop->arrays[a].name, run->scop->arrays[b].name,
                    updates ? "accessed" : "written");
    }
    return arguments_are_apart(run);
}
