/* launch.c - blocks one after another, and the warps of each in some order.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda/cuda_driver.h"
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Warps -------------------------------------------------------------- */

struct warps {
    struct ptx_warp *list;
    unsigned n;
    unsigned *ready; /* of run_randomly; room for all */
};

static unsigned count(const struct warps *w, enum ptx_state state)
{
    unsigned k, n = 0;

    for (k = 0; k < w->n; ++k)
        n += w->list[k].state == state;
    return n;
}

/* Any warp that can run, for some instructions, and so on until none can.  With
 * single threads there are hundreds, which are not to be looked at each time.
 */
static void run_randomly(struct ptx_machine *m, struct warps *w)
{
    unsigned n = 0, k;

    for (k = 0; k < w->n; ++k)
        if (w->list[k].state == PTX_READY)
            w->ready[n++] = k;
    while (n && !m->fault) {
        unsigned chosen = (unsigned)(ptx_random(m) % n);
        struct ptx_warp *warp = &w->list[w->ready[chosen]];

        ptx_warp_run(warp, 1 + ptx_random(m) % 200);
        if (warp->state == PTX_READY)
            continue;
        --n;
        memmove(&w->ready[chosen], &w->ready[chosen + 1],
                (n - chosen) * sizeof *w->ready);
    }
}

/* Run all warps until they wait or end. */
static void run_to_barrier(struct ptx_machine *m, struct warps *w)
{
    unsigned k;

    while (count(w, PTX_READY) > 0 && !m->fault)
        switch (m->settings.warps) {
        case PTX_LOCKSTEP:
            for (k = 0; k < w->n; ++k)
                ptx_warp_run(&w->list[k], 1);
            break;
        case PTX_FORWARD:
            for (k = 0; k < w->n; ++k)
                ptx_warp_run(&w->list[k], UINT64_MAX);
            break;
        case PTX_BACKWARD:
            for (k = w->n; k-- > 0;)
                ptx_warp_run(&w->list[k], UINT64_MAX);
            break;
        case PTX_RANDOM:
            run_randomly(m, w);
            break;
        }
}

/* All wait: at the same barrier, where they are of one warp of the device. */
static void pass_barrier(struct warps *w)
{
    unsigned k;

    for (k = 0; k < w->n; ++k) {
        struct ptx_warp *one = &w->list[k], *before = k ? one - 1 : one;

        if (before->first == one->first && before->barrier != one->barrier)
            ptx_fault(one, one->barrier, (unsigned)__builtin_ctz(one->members),
                      CU_LAUNCH_FAILED,
                      "another thread of the warp is at another barrier, in "
                      "line %u",
                      before->barrier->line);
        one->state = PTX_READY;
    }
}

static void some_ended(struct warps *w)
{
    unsigned k;

    for (k = 0; w->list[k].state != PTX_WAITING; ++k)
        ;
    ptx_fault(&w->list[k], w->list[k].barrier, 0, CU_LAUNCH_FAILED,
              "barrier when other threads of the block have ended");
}

static void run_warps(struct ptx_machine *m, struct warps *w)
{
    unsigned waiting;

    while (!m->fault) {
        run_to_barrier(m, w);
        if (m->fault)
            return;
        waiting = count(w, PTX_WAITING);
        if (!waiting)
            return;
        if (waiting < w->n)
            some_ended(w);
        else
            pass_barrier(w);
    }
}

/* ---- Blocks ------------------------------------------------------------- */

/* The lanes from "from" on, "n" of them at most. */
static ptx_lanes lanes(unsigned from, unsigned n)
{
    return (n < PTX_LANES ? ((ptx_lanes)1 << n) - 1 : PTX_ALL) << from;
}

static bool start_warps(struct ptx_block *b, struct warps *w)
{
    unsigned threads = b->threads[0] * b->threads[1] * b->threads[2], k;
    unsigned width = b->machine->settings.width;

    for (k = 0; k < w->n; ++k) {
        unsigned thread = k * width, from = thread % PTX_LANES;
        unsigned n = threads - thread < width ? threads - thread : width;

        if (!ptx_warp_start(&w->list[k], b, &w->list[k - from / width],
                            thread - from, lanes(from, n)))
            return false;
    }
    return true;
}

static bool begin_block(struct ptx_block *b, struct warps *w)
{
    ptx_garbage(b->machine, b->shared, b->shared_bytes);
    memset(b->written, 0, b->shared_bytes);
    b->launch = b->first = b->machine->launch;
    b->fences = 0;
    return start_warps(b, w);
}

static bool run_block(struct ptx_block *b, struct warps *w)
{
    if (!begin_block(b, w))
        return false;
    run_warps(b->machine, w);
    return true;
}

/* Number "k" of "n" in the order of the settings; with a factor that has no
 * divisor in common with n, all come once. */
static uint64_t in_order(const struct ptx_machine *m, uint64_t k, uint64_t n,
                         uint64_t factor, uint64_t shift)
{
    switch (m->settings.blocks) {
    case PTX_BACKWARD:
        return n - 1 - k;
    case PTX_RANDOM:
        return (k * factor + shift) % n;
    default:
        return k;
    }
}

static uint64_t coprime(struct ptx_machine *m, uint64_t n)
{
    for (;;) {
        uint64_t factor = ptx_random(m) % n + 1, a = factor, b = n;

        while (b) {
            uint64_t rest = a % b;

            a = b;
            b = rest;
        }
        if (a == 1)
            return factor;
    }
}

static bool run_blocks(struct ptx_block *b, struct warps *w)
{
    struct ptx_machine *m = b->machine;
    uint64_t n = (uint64_t)b->grid[0] * b->grid[1] * b->grid[2], k;
    uint64_t factor = coprime(m, n), shift = ptx_random(m) % n;

    for (k = 0; k < n && !m->fault; ++k) {
        uint64_t number = in_order(m, k, n, factor, shift);

        b->number = (uint32_t)number + 1;
        b->id[0] = (uint32_t)(number % b->grid[0]);
        b->id[1] = (uint32_t)(number / b->grid[0] % b->grid[1]);
        b->id[2] = (uint32_t)(number / b->grid[0] / b->grid[1]);
        if (!run_block(b, w))
            return false;
    }
    return true;
}

/* A block, with its warps. */
struct seat {
    struct ptx_block block;
    struct warps warps;
    bool ended;
};

static bool make_seat(struct ptx_machine *m, const struct ptx_launch *l,
                      struct seat *seat)
{
    const uint32_t *threads = l->threads;
    unsigned n = threads[0] * threads[1] * threads[2];
    unsigned width = m->settings.width;
    size_t bytes = l->kernel->shared_end + l->dynamic_bytes;
    struct ptx_block *b = &seat->block;

    *b = (struct ptx_block){.machine = m,
                            .kernel = l->kernel,
                            .params = l->params,
                            .shared = malloc(bytes + 1),
                            .written = malloc(bytes + 1),
                            .shared_bytes = bytes};
    memcpy(b->grid, l->grid, sizeof b->grid);
    memcpy(b->threads, threads, sizeof b->threads);
    seat->warps.n = (n + width - 1) / width;
    seat->warps.list = calloc(seat->warps.n, sizeof *seat->warps.list);
    seat->warps.ready = calloc(seat->warps.n, sizeof *seat->warps.ready);
    return b->shared && b->written && seat->warps.list && seat->warps.ready;
}

static void free_seat(struct seat *seat)
{
    unsigned k;

    for (k = 0; seat->warps.list && k < seat->warps.n; ++k)
        ptx_warp_free(&seat->warps.list[k]);
    free(seat->warps.list);
    free(seat->warps.ready);
    free(seat->block.shared);
    free(seat->block.written);
}

/* Each warp of a block for some instructions: one that waits for other blocks
 * goes round and round. */
static void step(struct ptx_machine *m, struct seat *seat)
{
    struct warps *w = &seat->warps;
    bool one = m->settings.warps == PTX_LOCKSTEP;
    unsigned k;

    for (k = 0; k < w->n && !m->fault; ++k) {
        struct ptx_warp *warp =
            &w->list[m->settings.warps == PTX_BACKWARD ? w->n - 1 - k : k];

        if (warp->state == PTX_READY)
            ptx_warp_run(warp, one ? 1 : 1 + ptx_random(m) % 1000);
    }
    if (m->fault || count(w, PTX_READY) > 0)
        return;
    k = count(w, PTX_WAITING);
    seat->ended = k == 0;
    if (k == w->n)
        pass_barrier(w);
    else if (k > 0)
        some_ended(w);
}

/* All blocks at once, in turn. */
static bool run_together(struct ptx_machine *m, struct seat *seats, unsigned n)
{
    enum { MOST_ROUNDS = 100 * 1000 * 1000 };
    unsigned left = n, k, round;

    for (k = 0; k < n; ++k) {
        seats[k].block.number = k + 1;
        seats[k].block.id[0] = k;
        if (!begin_block(&seats[k].block, &seats[k].warps))
            return false;
    }
    for (round = 0; left > 0 && !m->fault && round < MOST_ROUNDS; ++round) {
        struct seat *seat =
            &seats[m->settings.blocks == PTX_RANDOM     ? ptx_random(m) % n
                   : m->settings.blocks == PTX_BACKWARD ? n - 1 - round % n
                                                        : round % n];

        if (seat->ended)
            continue;
        step(m, seat);
        left -= seat->ended;
    }
    for (k = 0; k < n; ++k)
        if (seats[k].block.launch > m->launch)
            m->launch = seats[k].block.launch;
    if (left > 0 && !m->fault) {
        m->fault = CU_LAUNCH_FAILED;
        snprintf(m->why, sizeof m->why, "blocks wait for each other for ever");
    }
    return true;
}

bool ptx_launch(struct ptx_machine *m, const struct ptx_launch *l)
{
    struct seat seats[PTX_TOGETHER] = {0};
    unsigned n = l->together ? l->grid[0] : 1, k;
    bool ok = true;

    for (k = 0; k < n; ++k)
        ok = make_seat(m, l, &seats[k]) && ok;
    ++m->launch;
    ok = ok && ptx_array_trace(m, l->kernel->module->granule) &&
         (l->together ? run_together(m, seats, n)
                      : run_blocks(&seats[0].block, &seats[0].warps));
    for (k = 0; k < n; ++k)
        free_seat(&seats[k]);
    if (!ok && !m->fault) {
        m->fault = CU_OUT_OF_MEMORY;
        snprintf(m->why, sizeof m->why, "no memory for a launch");
    }
    return !m->fault;
}
