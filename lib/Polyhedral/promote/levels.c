/* levels.c - how large the tiles of blocks and threads are.
 *
 * The first strategy that recognises the kernel proposes candidates, and the
 * one that costs least is taken (strategy.h).  Then come the stages of copies,
 * what the user wants otherwise, and what a multiprocessor has room for.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/levels.h"
#include "map/machine.h"
#include "map/sizes.h"
#include "polygpu/machine.h"
#include "polygpu/polyhedral.h"
#include "promote/device_model.h"
#include "promote/groups.h"
#include "promote/parts.h"
#include "promote/registers.h"
#include "promote/strategy.h"
#include "promote/tiles.h"

#include <stdlib.h>
#include <string.h>

enum {
    GRID_LIMIT = 32768,
    STAGE_BYTES =
        16 * 1024, /* that are copied at a time where copies are all */
                   /* that matters (matrix_vector.c) */
    MOST_STAGES = 8,
    MOST_SMALLER = 3 /* attempts with fewer points of a thread */
};

/* The first one that recognises a kernel is taken; the last one does. */
static const struct pg_strategy *const strategies[] = {
    &pg_matrix_product, &pg_matrix_vector_product, &pg_stencil, &pg_plain};

static const struct pg_strategy *recognise(const struct pg_sizing *sizing)
{
    unsigned i = 0;

    while (!strategies[i]->recognise(sizing))
        i++;
    return strategies[i];
}

/* The largest element of an array in the kernel, in bytes. */
static unsigned largest_element(const struct pg_groups *groups,
                                const struct pg_scop *scop)
{
    unsigned most = 1;

    for (unsigned r = 0; r < groups->n_ref; r++) {
        unsigned size = scop->arrays[groups->ref[r].array].elem_size;

        most = size > most ? size : most;
    }
    return most;
}

/* Sizes of one point for each of "n" parallel loops. */
static struct pg_levels one_point(unsigned n)
{
    struct pg_levels levels = {
        .n = n, .more = 1, .k_tile = 1, .grid = GRID_LIMIT, .blocks = 1};

    for (unsigned d = 0; d < n; d++)
        levels.tile[d] = levels.vector[d] = levels.threads[d] = 1;
    return levels;
}

/* The candidate of "strategy" that costs least, or the one that has "smaller"
 * times fewer points of a thread; false if there is none.
 */
static bool take_best(struct pg_levels *levels,
                      const struct pg_strategy *strategy,
                      const struct pg_sizing *sizing, unsigned smaller)
{
    struct pg_levels start = one_point(sizing->parts->n_parallel);
    struct pg_candidates list = {0};
    unsigned best = 0;
    bool small;

    strategy->candidates(sizing, &start, &list);
    if (list.n == 0)
        return false;
    for (unsigned i = 1; i < list.n; i++)
        if (list.item[i].cost < list.item[best].cost)
            best = i;
    small = best + 1 < list.n && list.known;
    best = best > smaller ? best - smaller : 0;
    *levels = list.item[best].sizes;
    levels->strategy = strategy;
    levels->small = small;
    levels->scarce = list.cut || (best + 1 < list.n && !small);
    return true;
}

/* How far copies run ahead: one tile where that is hidden, else so many that
 * the memory is busy.
 */
static void choose_stages(struct pg_levels *levels,
                          const struct pg_machine *machine)
{
    levels->async = machine->arch >= PG_ASYNC_ARCH;
    levels->shared = pg_shared_of_block(machine);
    levels->stages = 2;
    if (levels->async && !levels->strategy->computes_long)
        levels->stages = pg_device_stages(machine, STAGE_BYTES);
    if (levels->stages > MOST_STAGES)
        levels->stages = MOST_STAGES;
}

/* No more blocks than a multiprocessor has threads and places for. */
static void limit_blocks(struct pg_levels *levels,
                         const struct pg_machine *machine)
{
    long long threads = levels->more, most;

    for (unsigned d = 0; d < levels->n; d++)
        threads *= levels->threads[d];
    most = machine->threads / threads;
    most = most < machine->blocks ? most : machine->blocks;
    if (levels->blocks > most)
        levels->blocks = most > 1 ? (unsigned)most : 1;
}

/* Take the sizes that the user gave; false if blocks and tiles do not fit each
 * other.
 */
static bool take_given(struct pg_levels *levels,
                       const struct pg_kernel_sizes *given, unsigned elem_size,
                       unsigned long block_shared)
{
    unsigned n = levels->n;

    for (unsigned d = 0; d < n && given->tile.n; d++)
        levels->tile[d] = d < given->tile.n ? given->tile.v[d] : 1;
    if (given->tile.n > n)
        levels->k_tile = given->tile.v[n];
    for (unsigned d = 0; d < n && given->block.n; d++)
        levels->threads[d] = d < given->block.n ? given->block.v[d] : 1;
    if (given->tile.n || given->block.n)
        levels->scarce = levels->small = false;
    if (given->block.n > n || (given->tile.n && given->tile.n < n) ||
        (given->block.n && given->block.n < n) ||
        (given->vector.n && given->vector.n != n))
        return false;
    if (given->block.n)
        levels->more = 1;
    if (given->grid.n) {
        levels->grid = given->grid.v[0];
        for (unsigned i = 1; i < given->grid.n; i++)
            if (given->grid.v[i] != levels->grid)
                return false;
    }
    if (given->stages.n)
        levels->stages = given->stages.v[0];
    if (given->stages.n || given->tile.n)
        levels->shared = block_shared;
    for (unsigned d = 0; d < n; d++) {
        if (levels->tile[d] % levels->threads[d])
            return false;
        if (given->tile.n || given->block.n)
            levels->vector[d] =
                levels->strategy->takes_vectors
                    ? pg_vector_of(elem_size,
                                   levels->tile[d] / levels->threads[d])
                    : 1;
        if (given->vector.n)
            levels->vector[d] = given->vector.v[d];
        if (levels->tile[d] / levels->threads[d] % levels->vector[d])
            return false;
    }
    return true;
}

/* Choose the sizes for a kernel; false if there is nothing to gain, or what
 * the user gave does not suit.
 */
bool pg_levels_choose(struct pg_levels *levels, const struct pg_parts *parts,
                      const struct pg_groups *groups,
                      const struct pg_registers *registers,
                      const struct pg_scop *scop,
                      const struct pg_options *options, unsigned kernel)
{
    struct pg_sizing sizing = {.parts = parts,
                               .groups = groups,
                               .registers = registers,
                               .scop = scop,
                               .machine = pg_machine_of(options),
                               .elem_size = largest_element(groups, scop),
                               .measured = options->measured};
    const struct pg_strategy *strategy = recognise(&sizing);
    struct pg_attempt attempt = {0, false};
    struct pg_kernel_sizes given;
    char *error = pg_sizes_get(options->sizes, kernel, &given);
    bool is_given = given.tile.n || given.block.n || given.vector.n;

    free(error);
    if (error || parts->n_parallel == 0 || parts->n_parallel > PG_MAX_MAPPED)
        return false;
    // The user's sizes stay what they are in each attempt.
    if (kernel < options->n_attempt && !is_given)
        attempt = options->attempt[kernel];
    sizing.narrow = attempt.narrow;
    if (attempt.smaller > MOST_SMALLER ||
        (attempt.smaller && !strategy->can_shrink) ||
        !take_best(levels, strategy, &sizing, attempt.smaller))
        return false;
    levels->given = is_given;
    choose_stages(levels, sizing.machine);
    if (!take_given(levels, &given, sizing.elem_size,
                    sizing.machine->block_shared))
        return false;
    limit_blocks(levels, sizing.machine);
    return true;
}
