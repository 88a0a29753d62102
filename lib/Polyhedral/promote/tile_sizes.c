/* tile_sizes.c - how large the tiles of blocks and threads are.
 *
 * The first strategy that recognises the kernel proposes candidates, and the
 * one that costs least is taken (strategy.h).  Then come the stages of copies,
 * what the user wants otherwise, and what a multiprocessor has room for.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/tile_sizes.h"
#include "polygpu/machine.h"
#include "polygpu/polyhedral.h"
#include "promote/components.h"
#include "promote/device_model.h"
#include "promote/groups.h"
#include "promote/registers.h"
#include "promote/strategy.h"
#include "promote/tiles.h"
#include "schedule/sizes.h"
#include "support/machine.h"

#include <stdlib.h>
#include <string.h>

enum {
    STAGE_BYTES =
        16 * 1024, /* that are copied at a time where copies are all */
                   /* that matters (matrix_vector.c) */
    MOST_STAGES = 8,
    MOST_SMALLER = 3 /* attempts with fewer points of a thread */
};

/* The first one that recognises a kernel is taken; the last one does. */
static const struct pg_strategy *const strategies[] = {
    &pg_matrix_product, &pg_matrix_vector_product, &pg_stream, &pg_stencil,
    &pg_plain};

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
static struct pg_tile_sizes one_point(unsigned n)
{
    struct pg_tile_sizes sizes = {.n = n, .more = 1, .k_tile = 1, .blocks = 1};

    for (unsigned d = 0; d < n; d++)
        sizes.tile[d] = sizes.vector[d] = sizes.threads[d] = 1;
    return sizes;
}

/* The candidate of "strategy" that costs least, or the one that is "smaller"
 * steps before it in the list, which has fewer points of a thread; false if
 * there is none.
 */
static bool take_best(struct pg_tile_sizes *sizes,
                      const struct pg_strategy *strategy,
                      const struct pg_sizing *sizing, unsigned smaller)
{
    struct pg_tile_sizes start = one_point(sizing->components->n_parallel);
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
    *sizes = list.item[best].sizes;
    sizes->strategy = strategy;
    sizes->small = small;
    sizes->scarce = list.cut || (best + 1 < list.n && !small);
    return true;
}

/* How far copies run ahead: one tile where that is hidden, else so many that
 * the memory is busy.
 */
static void choose_stages(struct pg_tile_sizes *sizes,
                          const struct pg_machine *machine)
{
    sizes->async = machine->arch >= PG_ASYNC_ARCH;
    sizes->shared = pg_shared_of_block(machine);
    sizes->stages = 2;
    if (sizes->async && !sizes->strategy->computes_long)
        sizes->stages = pg_device_stages(machine, STAGE_BYTES);
    if (sizes->stages > MOST_STAGES)
        sizes->stages = MOST_STAGES;
}

/* No more blocks than a multiprocessor has threads and places for. */
static void limit_blocks(struct pg_tile_sizes *sizes,
                         const struct pg_machine *machine)
{
    long long threads = sizes->more, most;

    for (unsigned d = 0; d < sizes->n; d++)
        threads *= sizes->threads[d];
    most = machine->threads / threads;
    most = most < machine->blocks ? most : machine->blocks;
    if (sizes->blocks > most)
        sizes->blocks = most > 1 ? (unsigned)most : 1;
}

/* Take the sizes that the user gave; false if blocks and tiles do not fit each
 * other.
 */
static bool take_given(struct pg_tile_sizes *sizes,
                       const struct pg_kernel_sizes *given, unsigned elem_size,
                       unsigned long block_shared)
{
    unsigned n = sizes->n;

    for (unsigned d = 0; d < n && given->tile.n; d++)
        sizes->tile[d] = d < given->tile.n ? given->tile.v[d] : 1;
    if (given->tile.n > n)
        sizes->k_tile = given->tile.v[n];
    for (unsigned d = 0; d < n && given->block.n; d++)
        sizes->threads[d] = d < given->block.n ? given->block.v[d] : 1;
    if (given->tile.n || given->block.n)
        sizes->scarce = sizes->small = false;
    if (given->block.n > n || (given->tile.n && given->tile.n < n) ||
        (given->block.n && given->block.n < n) ||
        (given->vector.n && given->vector.n != n))
        return false;
    if (given->block.n)
        sizes->more = 1;
    if (given->grid.n) {
        sizes->grid = given->grid.v[0];
        for (unsigned i = 1; i < given->grid.n; i++)
            if (given->grid.v[i] != sizes->grid)
                return false;
    }
    if (given->stages.n)
        sizes->stages = given->stages.v[0];
    if (given->stages.n || given->tile.n)
        sizes->shared = block_shared;
    for (unsigned d = 0; d < n; d++) {
        if (sizes->tile[d] % sizes->threads[d])
            return false;
        if (given->tile.n || given->block.n)
            sizes->vector[d] =
                sizes->strategy->takes_vectors
                    ? pg_vector_of(elem_size,
                                   sizes->tile[d] / sizes->threads[d])
                    : 1;
        if (given->vector.n)
            sizes->vector[d] = given->vector.v[d];
        if (sizes->tile[d] / sizes->threads[d] % sizes->vector[d])
            return false;
    }
    return true;
}

/* Choose the sizes for a kernel; false if there is nothing to gain, or what
 * the user gave does not suit.
 */
bool pg_tile_sizes_choose(struct pg_tile_sizes *sizes,
                          const struct pg_components *components,
                          const struct pg_groups *groups,
                          const struct pg_registers *registers,
                          const struct pg_scop *scop,
                          const struct pg_options *options, unsigned kernel)
{
    struct pg_sizing sizing = {.components = components,
                               .groups = groups,
                               .registers = registers,
                               .scop = scop,
                               .machine = pg_machine_of(options),
                               .elem_size = largest_element(groups, scop),
                               .measured = options->measured};
    const struct pg_strategy *strategy;
    struct pg_attempt attempt = {0, false};
    struct pg_kernel_sizes given;
    char *error = pg_sizes_get(options->sizes, kernel, &given);
    bool is_given = given.tile.n || given.block.n || given.vector.n;

    free(error);
    if (error || components->n_parallel == 0 ||
        components->n_parallel > PG_MAX_MAPPED)
        return false;
    // The user's sizes stay what they are in each attempt.
    if (kernel < options->n_attempt && !is_given)
        attempt = options->attempt[kernel];
    sizing.narrow = attempt.narrow;
    sizing.given = is_given;
    strategy = recognise(&sizing);
    if (attempt.smaller > MOST_SMALLER ||
        (attempt.smaller && !strategy->can_shrink) ||
        !take_best(sizes, strategy, &sizing, attempt.smaller))
        return false;
    sizes->given = is_given;
    choose_stages(sizes, sizing.machine);
    if (!take_given(sizes, &given, sizing.elem_size,
                    sizing.machine->block_shared))
        return false;
    limit_blocks(sizes, sizing.machine);
    return true;
}
