/* moves.c - see moves.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/moves.h"
#include "support/inside.h"

#include <string.h>

/* Segments of an array that a resting run keeps: a row each of a large matrix
 * take 1.5 MiB. */
enum { MOST_KEPT = 65536 };

/* Of copies: bytes moved needlessly for each one that is saved; and bytes of
 * one, more where segments interleave. */
enum { MAX_GAP = 64 * 1024, MAX_STAGING = 64 * 1024 * 1024 };

/* ---- Telling ------------------------------------------------------------- */

/* Widen the elements that an array has on the device to first .. last. */
static void widen(struct polygpu_moves *moves, int64_t first, int64_t last)
{
    if (!moves->accessed || first < moves->first)
        moves->first = first;
    if (!moves->accessed || last > moves->last)
        moves->last = last;
    moves->accessed = true;
}

/* Set "last" to the last element; false if it, or the first one, lies farther
 * from the base than addresses go. */
static bool is_in_memory(const struct polygpu_segment *segment,
                         size_t elem_size, int64_t *last)
{
    int64_t size = (int64_t)elem_size, bytes;

    return polygpu_segment_last(segment, last) &&
           !__builtin_mul_overflow(segment->first, size, &bytes) &&
           bytes >= -(INT64_MAX / 4) &&
           !__builtin_mul_overflow(*last, size, &bytes) &&
           bytes <= INT64_MAX / 4;
}

static bool append(struct polygpu_moves *moves, uint32_t dir,
                   struct polygpu_segment segment)
{
    if (!(dir & (POLYGPU_IN | POLYGPU_OUT)))
        return polygpu_segments_append(&moves->touched, segment);
    return (!(dir & POLYGPU_IN) ||
            polygpu_segments_append(&moves->in, segment)) &&
           (!(dir & POLYGPU_OUT) ||
            polygpu_segments_append(&moves->out, segment));
}

static void announce(struct polygpu_run *run, uint32_t a, uint32_t dir,
                     const struct polygpu_segment *segment)
{
    if (run->ready && run->device->announce)
        run->device->announce(run->session, a, dir, segment, &run->status);
}

void polygpu_moves_add(struct polygpu_run *run, uint32_t a, uint32_t dir,
                       struct polygpu_segment segment)
{
    const struct polygpu_array *about;
    struct polygpu_moves *moves;
    int64_t last;

    if (!run || run->status.cause != POLYGPU_OK || segment.count <= 0)
        return;
    if (a >= run->scop->n_arrays || segment.stride < 1 || run->prepared ||
        run->scop->arrays[a].elem_size == 0) {
        polygpu_fail(&run->status, POLYGPU_CAUSE_USAGE,
                     "wrong call of polygpu_move for array number %u",
                     (unsigned)a);
        return;
    }
    about = &run->scop->arrays[a];
    moves = &run->arrays[a].moves;
    if (!is_in_memory(&segment, about->elem_size, &last)) {
        // Numbers of 64 bits that nobody uses as indices may be anything.
        polygpu_fail(&run->status,
                     about->flags & POLYGPU_PROBED ? POLYGPU_CAUSE_CONDITION
                                                   : POLYGPU_CAUSE_USAGE,
                     "elements of array %s lie outside of memory", about->name);
        return;
    }
    moves->in_at.known = moves->out_at.known = moves->counted = false;
    if (!append(moves, dir, segment))
        polygpu_fail(&run->status, POLYGPU_CAUSE_MEMORY,
                     "no host memory for the segments of array %s",
                     about->name);
    announce(run, a, dir, &segment);
    moves->scratch |= !(dir & (POLYGPU_IN | POLYGPU_OUT));
    widen(moves, segment.first, last);
}

/* The loops of a box that are left when rows that go on where the one before
 * ends are one. */
struct box {
    struct polygpu_segment row;
    const struct polygpu_move_loop *loops;
    uint32_t n_loops;
};

static void join_rows(struct box *box)
{
    int64_t all;

    for (; box->n_loops > 0; --box->n_loops) {
        const struct polygpu_move_loop *inner = &box->loops[box->n_loops - 1];

        if (inner->trips == 1)
            continue;
        if (box->row.stride != 1 || inner->step != box->row.count ||
            __builtin_mul_overflow(inner->trips, inner->step, &all))
            return;
        box->row.count = all;
    }
}

/* The moves of loop number "loop" and those inside of it. */
static void add_box(struct polygpu_run *run, uint32_t a, uint32_t dir,
                    const struct box *box, uint32_t loop,
                    struct polygpu_segment row)
{
    int64_t i;

    if (loop == box->n_loops) {
        polygpu_moves_add(run, a, dir, row);
        return;
    }
    for (i = 0; i < box->loops[loop].trips; ++i) {
        if (run->status.cause != POLYGPU_OK)
            return;
        add_box(run, a, dir, box, loop + 1, row);
        if (i + 1 < box->loops[loop].trips &&
            __builtin_add_overflow(row.first, box->loops[loop].step,
                                   &row.first))
            row.stride = 0; /* it is no move */
    }
}

static void add_rows(struct polygpu_run *run, uint32_t a, uint32_t dir,
                     struct polygpu_segment row, uint32_t n_loops,
                     const struct polygpu_move_loop *loops)
{
    struct box box = {row, loops, n_loops};
    uint32_t i;

    if (!run || row.count <= 0)
        return;
    for (i = 0; i < n_loops; ++i)
        if (loops[i].trips <= 0)
            return;
    join_rows(&box);
    add_box(run, a, dir, &box, 0, box.row);
}

const struct polygpu_intervals *polygpu_moves_bytes(struct polygpu_run *run,
                                                    uint32_t a, uint32_t dir)
{
    struct polygpu_run_array *array = &run->arrays[a];
    struct polygpu_moves *moves = &array->moves;
    struct polygpu_segments *of = dir == POLYGPU_IN ? &moves->in : &moves->out;
    struct polygpu_moved_bytes *at =
        dir == POLYGPU_IN ? &moves->in_at : &moves->out_at;

    if (!at->known || at->base != array->base) {
        polygpu_segments_sort(of);
        at->base = array->base;
        at->known = polygpu_intervals_of(&at->set, of, array->base,
                                         run->scop->arrays[a].elem_size);
    }
    return at->known ? &at->set : NULL;
}

/* ---- Copies -------------------------------------------------------------- */

bool polygpu_moves_next(const struct polygpu_segments *segments,
                        size_t elem_size, struct polygpu_group *group)
{
    return polygpu_segments_next(segments, (int64_t)(MAX_GAP / elem_size),
                                 (int64_t)(MAX_STAGING / elem_size), group);
}

size_t polygpu_moves_size(const struct polygpu_group *group, size_t elem_size)
{
    return ((size_t)(group->last - group->first) + 1) * elem_size;
}

size_t polygpu_moves_together(const struct polygpu_intervals *of, size_t begin)
{
    const struct polygpu_interval *items = of->items;
    size_t end = begin + 1;

    while (end < of->count && items[end].first - items[end - 1].end <= MAX_GAP)
        ++end;
    return end;
}

static struct polygpu_copies copies_of(struct polygpu_segments *segments,
                                       size_t elem_size)
{
    struct polygpu_copies copies = {0};
    struct polygpu_group group = {0};

    polygpu_segments_sort(segments);
    while (polygpu_moves_next(segments, elem_size, &group)) {
        copies.bytes += (double)polygpu_moves_size(&group, elem_size);
        ++copies.number;
    }
    return copies;
}

void polygpu_moves_count(struct polygpu_run *run, uint32_t a)
{
    struct polygpu_moves *moves = &run->arrays[a].moves;
    size_t elem_size = run->scop->arrays[a].elem_size;

    if (moves->counted)
        return;
    moves->in_copies = copies_of(&moves->in, elem_size);
    moves->out_copies = copies_of(&moves->out, elem_size);
    moves->counted = true;
}

/* ---- What the emitted code calls ----------------------------------------- */

void polygpu_move(struct polygpu_run *run, uint32_t array, uint32_t dir,
                  int64_t first, int64_t count, int64_t stride)
{
    struct polygpu_outside saved = polygpu_enter();

    polygpu_moves_add(run, array, dir,
                      (struct polygpu_segment){first, count, stride});
    polygpu_leave(saved);
}

void polygpu_move_rows(struct polygpu_run *run, uint32_t array, uint32_t dir,
                       int64_t first, int64_t count, int64_t stride,
                       uint32_t n_loops, const struct polygpu_move_loop *loops)
{
    struct polygpu_outside saved = polygpu_enter();

    add_rows(run, array, dir, (struct polygpu_segment){first, count, stride},
             n_loops, loops);
    polygpu_leave(saved);
}

/* ---- From run to run ----------------------------------------------------- */

static void swap(struct polygpu_run_array *array)
{
    struct polygpu_moves moves = array->moves;

    array->moves = array->before;
    array->before = moves;
}

static void announce_all(struct polygpu_run *run, uint32_t a, uint32_t dir,
                         const struct polygpu_segments *segments)
{
    size_t i;

    for (i = 0; i < segments->count; ++i)
        announce(run, a, dir, &segments->items[i]);
}

bool polygpu_moves_known(struct polygpu_run *run)
{
    uint32_t a;

    if (!run->has_sizes || !run->told_before ||
        (run->scop->n_sizes > 0 &&
         memcmp(run->params, run->sizes_before,
                run->scop->n_sizes * sizeof *run->params) != 0))
        return false;
    run->told_before = false;
    run->as_before = true;
    for (a = 0; a < run->n_arrays; ++a) {
        const struct polygpu_moves *moves = &run->arrays[a].moves;

        swap(&run->arrays[a]);
        announce_all(run, a, POLYGPU_IN, &moves->in);
        announce_all(run, a, POLYGPU_OUT, &moves->out);
        announce_all(run, a, POLYGPU_TOUCH, &moves->touched);
    }
    return true;
}

void polygpu_moves_told(struct polygpu_run *run)
{
    if (!run->has_sizes)
        return;
    if (run->scop->n_sizes > 0)
        memcpy(run->sizes_before, run->params,
               run->scop->n_sizes * sizeof *run->params);
    run->told = true;
}

static bool is_small(const struct polygpu_moves *moves)
{
    return moves->in.capacity <= MOST_KEPT &&
           moves->out.capacity <= MOST_KEPT &&
           moves->touched.capacity <= MOST_KEPT;
}

void polygpu_moves_keep(struct polygpu_run *run)
{
    uint32_t a;

    if (!run->told)
        return; /* those of an earlier run still hold */
    run->told_before = true;
    for (a = 0; a < run->n_arrays; ++a)
        if (!is_small(&run->arrays[a].moves))
            run->told_before = false;
    for (a = 0; run->told_before && a < run->n_arrays; ++a)
        swap(&run->arrays[a]);
}
