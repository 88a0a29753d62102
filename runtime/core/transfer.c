/* transfer.c - arrays to the device and back.
 *
 * On the device each array has one piece of memory for all elements between
 * the first and the last one that the run touches.  Of user memory only the
 * elements of the "in" segments are read and only those of the "out" segments
 * written, both element by element where they do not lie side by side.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/transfer.h"

#include "core/marks.h"
#include "core/moves.h"
#include "core/pool.h"
#include "core/residency.h"
#include "core/run.h"
#include "support/clock.h"
#include "support/env.h"
#include "support/gather.h"
#include "support/log.h"
#include "support/readable.h"
#include "support/workers.h"

#include <stdlib.h>
#include <string.h>

enum {
    POISON = 0xA5,
    IN_PLACE_ALIGN = 16, /* bytes, that kernels count on (Arguments.cpp) */
    ALIGN = 256, /* bytes, of what cuMemAlloc returns, and of whole lines */
    AT_ONCE = 16 /* arrays that get memory and give it back together */
};

/* The device address of element number "index". */
static uintptr_t device_address(const struct polygpu_run_array *array,
                                int64_t index, size_t elem_size)
{
    return array->address + (uintptr_t)(index - array->origin) * elem_size;
}

/* An element from "first" down that is as far from element 0 as a multiple of
 * ALIGN bytes: memory that begins with it has the alignment of element 0, which
 * kernels count on for accesses to several elements at once.
 */
static int64_t aligned_origin(int64_t first, uint64_t elem_size)
{
    int64_t period = ALIGN, rest;

    while (period > 1 && elem_size % 2 == 0) {
        period /= 2;
        elem_size /= 2;
    }
    rest = first % period;
    return first - (rest < 0 ? rest + period : rest);
}

/* Is what is copied in all from the first byte to the last? */
static bool is_dense(struct polygpu_segments *in,
                     const struct polygpu_moves *moves)
{
    struct polygpu_group group = {0};

    polygpu_segments_sort(in);
    return polygpu_segments_next(in, 0, INT64_MAX, &group) && group.dense &&
           group.first == moves->first && group.last == moves->last;
}

/* Is what is to be read of an array there, where the program may not read it?
 */
static bool may_read(struct polygpu_run *run, uint32_t a, uintptr_t from,
                     size_t size)
{
    return !(run->scop->arrays[a].flags & POLYGPU_PROBED) ||
           polygpu_readable((const void *)from, size) ||
           polygpu_fail(&run->status, POLYGPU_CAUSE_CONDITION,
                        "array %s is read under a condition only, and a part "
                        "of it is no memory that can be read",
                        run->scop->arrays[a].name);
}

/* Is an array only read, on a device that can read the host's memory?  Other
 * arrays' results are written when no kernel runs any more. */
static bool is_readable(struct polygpu_run *run, uint32_t a)
{
    struct polygpu_run_array *array = &run->arrays[a];
    struct polygpu_moves *moves = &array->moves;

    return run->device->shares && run->device->shares() &&
           !(run->scop->arrays[a].flags &
             (POLYGPU_OUT | POLYGPU_VALUE | POLYGPU_PROBED)) &&
           !moves->out.count && !moves->scratch && moves->in.count > 0 &&
           array->base % IN_PLACE_ALIGN == 0 && is_dense(&moves->in, moves);
}

/* A page that is not there, or one whose first access a handler of the
 * program's waits for, is the host's to meet: not under the lock. */
static void use_in_place(struct polygpu_run *run, uint32_t a)
{
    struct polygpu_run_array *array = &run->arrays[a];
    size_t elem_size = run->scop->arrays[a].elem_size;

    array->origin = array->moves.first;
    array->element0 = array->base;
    array->address = array->base + (uintptr_t)array->origin * elem_size;
    polygpu_workers_probe((const void *)array->address,
                          ((size_t)(array->moves.last - array->origin) + 1) *
                              elem_size);
    POLYGPU_LOG("array %s: read in place", run->scop->arrays[a].name);
}

/* The bytes on the device that an array without a range is to have, if any. */
static size_t needs(struct polygpu_run *run, uint32_t a)
{
    struct polygpu_run_array *array = &run->arrays[a];
    const struct polygpu_array *about = &run->scop->arrays[a];
    size_t size;

    if (!array->moves.accessed || array->range)
        return 0;
    array->in_place = is_readable(run, a);
    if (array->in_place)
        return 0;
    size = ((size_t)(array->moves.last - array->moves.first) + 1) *
           about->elem_size;
    POLYGPU_LOG("array %s: base %p, elements %lld .. %lld, %zu bytes",
                about->name, (void *)array->base, (long long)array->moves.first,
                (long long)array->moves.last, size);
    array->origin = aligned_origin(array->moves.first, about->elem_size);
    return size +
           (size_t)(array->moves.first - array->origin) * about->elem_size;
}

/* What the pool has for up to AT_ONCE arrays from number "begin" on. */
static void reuse_some(struct polygpu_run *run, uint32_t begin)
{
    struct polygpu_piece *pieces[AT_ONCE];
    size_t sizes[AT_ONCE], all = 0;
    uint32_t i, n = run->scop->n_arrays - begin;

    n = n < AT_ONCE ? n : AT_ONCE;
    for (i = 0; i < n; ++i) {
        sizes[i] = needs(run, begin + i);
        run->arrays[begin + i].needs = sizes[i];
        all |= sizes[i];
    }
    if (all)
        polygpu_pool_reuse(run->device, sizes, pieces, n);
    for (i = 0; all && i < n; ++i)
        run->arrays[begin + i].memory = pieces[i];
}

bool polygpu_prepare(struct polygpu_run *run)
{
    uint32_t a;
    bool ok;

    run->prepared = true;
    ok = polygpu_residency_take(run);
    polygpu_marks_begin(run);
    for (a = 0; ok && a < run->scop->n_arrays; a += AT_ONCE)
        reuse_some(run, a);
    return ok;
}

/* Tell a device that checks accesses where an array lies. */
static bool place(struct polygpu_run *run, uint32_t a)
{
    const struct polygpu_run_array *array = &run->arrays[a];
    size_t elem_size = run->scop->arrays[a].elem_size;

    return !array->moves.accessed || !run->device->place ||
           run->device->place(
               run->session, a, array->origin,
               ((size_t)(array->moves.last - array->origin) + 1) * elem_size,
               array->address, &run->status);
}

/* Have memory for an array, where it is to have some. */
static bool allocate(struct polygpu_run *run, uint32_t a)
{
    struct polygpu_run_array *array = &run->arrays[a];

    if (array->in_place)
        use_in_place(run, a);
    if (!array->needs)
        return place(run, a);
    if (!array->memory)
        array->memory = polygpu_residency_memory(run, array->needs);
    if (!array->memory)
        return false;
    array->address = array->memory->address;
    array->element0 = array->address -
                      (uintptr_t)array->origin * run->scop->arrays[a].elem_size;
    return place(run, a);
}

/* What is at "from" may change behind it, or, if it "lasts", not before the run
 * ends: the program's memory does not, since results are written when all has
 * been waited for. */
static bool bring_in(struct polygpu_run *run, uintptr_t to, const void *from,
                     size_t size, bool lasts)
{
    const struct polygpu_device *device = run->device;

    run->came.bytes += (double)size;
    ++run->came.number;
    return lasts && device->send && polygpu_env()->overlap
               ? device->send(run->session, to, from, size, &run->status)
               : device->copy_in(run->session, to, from, size, &run->status);
}

/* Copy one group to the device: straight from user memory if it has no gaps,
 * else through a buffer, whose gaps hold poison and not somebody's data. */
static bool copy_group_in(struct polygpu_run *run, uint32_t a,
                          const struct polygpu_group *group)
{
    struct polygpu_run_array *array = &run->arrays[a];
    size_t elem_size = run->scop->arrays[a].elem_size;
    size_t size = polygpu_moves_size(group, elem_size);
    uintptr_t to = device_address(array, group->first, elem_size);
    uintptr_t from = array->base + (uintptr_t)group->first * elem_size;
    void *staging;
    bool ok;

    if (!may_read(run, a, from, size))
        return false;
    if (group->dense)
        return bring_in(run, to, (const void *)from, size, true);
    staging = malloc(size);
    if (!staging)
        return polygpu_fail(&run->status, POLYGPU_CAUSE_MEMORY,
                            "no host memory for %zu bytes of array %s", size,
                            run->scop->arrays[a].name);
    memset(staging, POISON, size);
    polygpu_gather(&array->moves.in, group, array->base, elem_size, staging);
    ok = bring_in(run, to, staging, size, false);
    free(staging);
    return ok;
}

static void count_copied_in(struct polygpu_run *run, uint32_t a, uint64_t bytes,
                            size_t pieces)
{
    run->stats.bytes_in += bytes;
    POLYGPU_LOG("copy in %s: %zu segments, %llu bytes",
                run->scop->arrays[a].name, pieces, (unsigned long long)bytes);
}

/* Copy what the device does not have yet of a kept array. */
static bool copy_pieces(struct polygpu_run *run, uint32_t a)
{
    const struct polygpu_run_array *array = &run->arrays[a];
    const struct polygpu_intervals *missing = &array->pieces;
    size_t i;

    for (i = 0; i < missing->count; ++i) {
        const struct polygpu_interval *bytes = &missing->items[i];

        if (!may_read(run, a, bytes->first, bytes->end - bytes->first) ||
            !bring_in(run, array->element0 + (bytes->first - array->base),
                      (const void *)bytes->first, bytes->end - bytes->first,
                      true))
            return false;
    }
    count_copied_in(run, a, polygpu_intervals_bytes(missing), missing->count);
    return true;
}

/* Find what is to be copied in, before a kernel runs: results of earlier runs
 * may have to leave for it. */
static bool plan_copy_in(struct polygpu_run *run, uint32_t a)
{
    struct polygpu_run_array *array = &run->arrays[a];

    if (!array->moves.in.count || array->in_place)
        return true;
    polygpu_segments_sort(&array->moves.in);
    if (array->range)
        polygpu_residency_use(run, a);
    array->coming = !array->in_pieces || array->pieces.count > 0;
    run->n_coming += array->coming;
    return run->status.cause == POLYGPU_OK;
}

bool polygpu_copy_in(struct polygpu_run *run, uint32_t a)
{
    struct polygpu_run_array *array = &run->arrays[a];
    const struct polygpu_array *about = &run->scop->arrays[a];
    struct polygpu_group group = {0};

    if (!array->coming)
        return true;
    array->coming = false;
    --run->n_coming;
    if (array->in_pieces)
        return copy_pieces(run, a);
    while (polygpu_moves_next(&array->moves.in, about->elem_size, &group))
        if (!copy_group_in(run, a, &group))
            return false;
    count_copied_in(
        run, a, polygpu_segments_elements(&array->moves.in) * about->elem_size,
        array->moves.in.count);
    return true;
}

bool polygpu_upload(struct polygpu_run *run)
{
    double begun, asked;
    uint32_t a;
    bool ok = run->prepared || polygpu_prepare(run);

    asked = polygpu_now();
    for (a = 0; ok && a < run->scop->n_arrays; ++a)
        ok = allocate(run, a);
    ok = ok && polygpu_marks_clear(run);
    begun = polygpu_now();
    run->alloc_ms += begun - asked;
    for (a = 0; ok && a < run->scop->n_arrays; ++a)
        ok = plan_copy_in(run, a);
    run->stats.in_ms += polygpu_now() - begun;
    return ok;
}

/* Have a staging buffer that is large enough. */
static bool provide_staging(struct polygpu_run_array *array, size_t size)
{
    if (array->staging_size >= size)
        return true;
    free(array->staging);
    array->staging = malloc(size);
    array->staging_size = array->staging ? size : 0;
    return array->staging != NULL;
}

/* Bring the "out" groups of an array into its staging buffer. */
bool polygpu_copy_out(struct polygpu_run *run, uint32_t a)
{
    struct polygpu_run_array *array = &run->arrays[a];
    size_t elem_size = run->scop->arrays[a].elem_size;
    struct polygpu_group group = {0};
    size_t size = 0;
    char *to;

    if (!array->moves.out.count)
        return true;
    polygpu_segments_sort(&array->moves.out);
    while (polygpu_moves_next(&array->moves.out, elem_size, &group))
        size += polygpu_moves_size(&group, elem_size);
    if (!provide_staging(array, size))
        return polygpu_fail(&run->status, POLYGPU_CAUSE_MEMORY,
                            "no host memory for %zu bytes of array %s", size,
                            run->scop->arrays[a].name);
    to = array->staging;
    memset(&group, 0, sizeof group);
    while (polygpu_moves_next(&array->moves.out, elem_size, &group)) {
        size = polygpu_moves_size(&group, elem_size);
        run->left.bytes += (double)size;
        ++run->left.number;
        if (!run->device->copy_out(
                run->session, to, device_address(array, group.first, elem_size),
                size, &run->status))
            return false;
        to += size;
    }
    return true;
}

/* Bring all results to the host, but not yet to user memory. */
bool polygpu_download(struct polygpu_run *run, bool values)
{
    double begun = polygpu_now();
    uint32_t a;
    bool ok = true;

    for (a = 0; ok && a < run->scop->n_arrays; ++a)
        if (polygpu_run_is_value(run, a) == values &&
            !polygpu_run_in(run->finished, a))
            ok = polygpu_copy_out(run, a);
    if (!values)
        ok = ok && polygpu_marks_copy_out(run);
    run->stats.out_ms += polygpu_now() - begun;
    return ok;
}

/* Write the results that polygpu_download brought to user memory. */
void polygpu_commit(struct polygpu_run *run)
{
    double begun = polygpu_now();
    uint32_t a;

    for (a = 0; run->started && a < run->scop->n_arrays; ++a) {
        struct polygpu_run_array *array = &run->arrays[a];
        const struct polygpu_array *about = &run->scop->arrays[a];
        struct polygpu_group group = {0};
        const char *from = array->staging;
        uint64_t bytes;

        if (!array->moves.out.count || array->stays)
            continue;
        bytes = polygpu_segments_elements(&array->moves.out) * about->elem_size;
        if (about->flags & POLYGPU_FLAGGED)
            bytes = 0;
        while (
            polygpu_moves_next(&array->moves.out, about->elem_size, &group)) {
            if (about->flags & POLYGPU_FLAGGED)
                bytes += polygpu_marks_scatter(run, a, &group, from);
            else
                polygpu_scatter(&array->moves.out, &group, array->base,
                                about->elem_size, from);
            from += polygpu_moves_size(&group, about->elem_size);
        }
        run->stats.bytes_out += bytes;
        POLYGPU_LOG("copy out %s: %zu segments, %llu bytes", about->name,
                    array->moves.out.count, (unsigned long long)bytes);
    }
    run->stats.out_ms += polygpu_now() - begun;
}

/* Give back the memory of the run's arrays, of which all results were written
 * to user memory ("done"), or none.  The last array's first: what the pool got
 * last it gives first, so that the next run's arrays lie where these did. */
void polygpu_release(struct polygpu_run *run, bool done)
{
    struct polygpu_piece *pieces[AT_ONCE];
    uint32_t a = run->scop->n_arrays, n;

    polygpu_residency_give(run, done);
    while (a > 0) {
        for (n = 0; a > 0 && n < AT_ONCE; ++n)
            pieces[n] = run->arrays[--a].memory;
        polygpu_pool_give_all(pieces, n);
    }
}
