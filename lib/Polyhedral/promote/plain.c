/* plain.c - the strategy for kernels of no particular kind.
 *
 * It recognises every kernel and has no candidates: where neither a product's
 * operands nor a stencil's neighbours are used again, buffers have nothing to
 * give, and the mapping of shape.c stays.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/strategy.h"

static bool recognise(const struct pg_sizing *sizing)
{
    (void)sizing;
    return true;
}

static void candidates(const struct pg_sizing *sizing,
                       const struct pg_tile_sizes *start,
                       struct pg_candidates *list)
{
    (void)sizing;
    (void)start;
    list->n = 0;
}

const struct pg_strategy pg_plain = {
    .name = "plain", .recognise = recognise, .candidates = candidates};
