/* marks.c - see marks.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/marks.h"

#include "core/run.h"

#include <stdlib.h>
#include <string.h>

static bool is_marks(const struct polygpu_run *run, uint32_t a)
{
    return (run->scop->arrays[a].flags & POLYGPU_MARKS) != 0;
}

static size_t count_of(const struct polygpu_moves *moves)
{
    return (size_t)(moves->last - moves->first) + 1;
}

static void announce(struct polygpu_run *run, uint32_t a)
{
    const struct polygpu_moves *moves = &run->arrays[a].moves;
    const struct polygpu_segment all = {moves->first, (int64_t)count_of(moves),
                                        1};

    if (!run->device->announce)
        return;
    run->device->announce(run->session, a, POLYGPU_IN, &all, &run->status);
    run->device->announce(run->session, a, POLYGPU_TOUCH, &all, &run->status);
}

void polygpu_marks_begin(struct polygpu_run *run)
{
    uint32_t a;

    for (a = 0; a < run->scop->n_arrays; ++a) {
        const struct polygpu_moves *of =
            &run->arrays[run->scop->arrays[a].marks].moves;
        struct polygpu_moves *moves = &run->arrays[a].moves;

        if (!is_marks(run, a))
            continue;
        moves->accessed = of->accessed;
        moves->first = of->first;
        moves->last = of->last;
        moves->scratch = true;
        if (moves->accessed)
            announce(run, a);
    }
}

/* Buffers for the marks of array a; they are kept for the next run. */
static bool provide(struct polygpu_run *run, uint32_t a, size_t size)
{
    struct polygpu_run_array *array = &run->arrays[a];

    if (array->staging_size >= size)
        return true;
    free(array->staging);
    array->staging = malloc(size);
    array->staging_size = array->staging ? size : 0;
    return array->staging || polygpu_fail(&run->status, POLYGPU_CAUSE_MEMORY,
                                          "no host memory for %zu %s", size,
                                          run->scop->arrays[a].name);
}

static uintptr_t first_mark(const struct polygpu_run_array *array)
{
    return array->element0 + (uintptr_t)array->moves.first;
}

bool polygpu_marks_clear(struct polygpu_run *run)
{
    bool ok = true;
    uint32_t a;

    for (a = 0; ok && a < run->scop->n_arrays; ++a) {
        struct polygpu_run_array *array = &run->arrays[a];
        size_t size = count_of(&array->moves);

        if (!is_marks(run, a) || !array->moves.accessed)
            continue;
        ok = provide(run, a, size);
        if (ok) {
            memset(array->staging, 0, size);
            ok = run->device->copy_in(run->session, first_mark(array),
                                      array->staging, size, &run->status);
        }
    }
    return ok;
}

bool polygpu_marks_copy_out(struct polygpu_run *run)
{
    bool ok = true;
    uint32_t a;

    for (a = 0; ok && a < run->scop->n_arrays; ++a) {
        struct polygpu_run_array *array = &run->arrays[a];

        if (is_marks(run, a) && array->moves.accessed)
            ok = run->device->copy_out(run->session, array->staging,
                                       first_mark(array),
                                       count_of(&array->moves), &run->status);
    }
    return ok;
}

uint64_t polygpu_marks_scatter(struct polygpu_run *run, uint32_t a,
                               const struct polygpu_group *group,
                               const char *from)
{
    const struct polygpu_array *about = &run->scop->arrays[a];
    const struct polygpu_run_array *marks = &run->arrays[about->marks];
    const size_t size = about->elem_size;
    uint64_t bytes = 0;
    size_t i;

    for (i = group->begin; i < group->end; ++i) {
        const struct polygpu_segment *s = &run->arrays[a].moves.out.items[i];
        int64_t k;

        for (k = 0; k < s->count; ++k) {
            int64_t at = s->first + k * s->stride;

            if (!marks->staging[at - marks->moves.first])
                continue;
            memcpy((char *)run->arrays[a].base + at * (int64_t)size,
                   from + (size_t)(at - group->first) * size, size);
            bytes += size;
        }
    }
    return bytes;
}

bool polygpu_marks_any(const struct polygpu_run *run)
{
    uint32_t a = 0;

    while (a < run->scop->n_arrays && !is_marks(run, a))
        ++a;
    return a < run->scop->n_arrays;
}
